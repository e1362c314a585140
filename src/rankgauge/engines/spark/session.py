"""A Spark session: the one that is there, or a small one on this machine."""

from __future__ import annotations

import os
import re
import shutil
import sys
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rankgauge._memory import available
from rankgauge._show import show
from rankgauge._text import Text
from rankgauge.engines.spark.executors import refuse_bare_executors
from rankgauge.errors import MissingExtra, ParameterError

if TYPE_CHECKING:
    import pyarrow as pa
    from pyspark.sql import DataFrame, SparkSession

__all__ = ["local_frame", "map_in_arrow", "partitions", "session"]

_LARGEST_HEAP = 8 << 30
_PARTITIONS = "spark.sql.shuffle.partitions"
_ROWS = 1_250_000  # of a partition
_FEW_ROWS = 100_000  # of a partition where there are more cores than work
_LOCAL = {
    "spark.driver.bindAddress": "127.0.0.1",
    "spark.driver.host": "127.0.0.1",
    "spark.log.level": "ERROR",
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
}


_MASTER = re.compile(r"local(\[(\*|\d+)(,\s*\d+)?\])?|local-cluster\[[\d, ]+\]|yarn|(spark|k8s|mesos|sc)://\S+")


def session(master: str | None = None) -> SparkSession:
    """The active session, classic or Spark Connect; else one at `master`; else one on all cores of this machine.

    `master` is what Spark takes: `local[4]`, `spark://host:7077`, `yarn`, or `sc://host` for Spark Connect.
    """
    if master is not None and _MASTER.fullmatch(master) is None:  # Spark says so in a page of Java
        raise ParameterError(
            Text(
                "`master` must be what Spark takes: local, local[4], spark://host:7077, yarn, k8s://…, or sc://host "
                "for "
                f"Spark Connect, got {show(master)}.",
                "`master` 必须是 Spark 接受的写法：local、local[4]、spark://host:7077、yarn、k8s://…，或 Spark "
                f"Connect 的 sc://host，实际为 {show(master)}。",
            )
        )
    try:
        import pyarrow  # noqa: F401
        from pyspark.sql import SparkSession
    except ImportError as e:
        raise MissingExtra(
            Text(
                f'engine="spark" needs PySpark and PyArrow ({e.name} is missing). '
                'Install them with: pip install "rankgauge[spark]"',
                f'engine="spark" 需要 PySpark 和 PyArrow（缺少 {e.name}）。安装：pip install "rankgauge[spark]"',
            )
        ) from None
    with _quiet():
        if (active := SparkSession.getActiveSession()) is not None:
            return active
        builder = SparkSession.builder
        if master is not None and master.startswith("sc://"):
            return builder.remote(master).getOrCreate()
        if master is not None:
            builder = builder.master(master)
        if "SPARK_REMOTE" in os.environ or "PYSPARK_GATEWAY_PORT" in os.environ:  # Connect, or under spark-submit
            return builder.getOrCreate()
        _refuse_without_java()
        if master is None or master.startswith("local"):
            builder = _here(builder if master is not None else builder.master("local[*]"))
        return builder.getOrCreate()


def _here(builder: Any) -> Any:
    """What a session on this machine needs to start anywhere, quietly, with the Python that is running."""
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)  # workers would take python3 from PATH
    os.environ.setdefault("SPARK_LOCAL_IP", "127.0.0.1")
    heap = min(max(available() // 4, 1 << 30), _LARGEST_HEAP) >> 20
    for name, value in {**_LOCAL, "spark.driver.memory": f"{heap}m"}.items():
        builder = builder.config(name, value)
    return builder


def _refuse_without_java() -> None:
    home = os.environ.get("JAVA_HOME")
    if (home and Path(home, "bin", "java").exists()) or shutil.which("java"):
        return
    raise MissingExtra(
        Text(
            "Spark needs a Java runtime (17 or newer), and there is none: JAVA_HOME does not lead to one and `java` is "
            "not "
            "on PATH. Install one (on Debian and Ubuntu: apt install openjdk-17-jre-headless), or use a cluster "
            "through "
            'Spark Connect, which needs no Java here: master="sc://host".',
            "Spark 需要 Java 运行环境（17 或更新），但没有找到：JAVA_HOME 没有指向它，PATH 中也没有 `java`。"
            "请安装（Debian 和 Ubuntu：apt install openjdk-17-jre-headless），或通过不需要本地 Java 的 Spark "
            'Connect 使用集群：master="sc://host"。',
        )
    )


def map_in_arrow(
    frame: DataFrame, function: Callable[[Iterator[pa.RecordBatch]], Iterator[pa.RecordBatch]], schema: str
) -> DataFrame:
    """`frame.mapInArrow`, without PySpark's remarks on pandas, which is not used."""
    refuse_bare_executors(frame.sparkSession)
    with _quiet():
        return frame.mapInArrow(function, schema)


@contextmanager
def partitions(spark: SparkSession, rows: int) -> Iterator[None]:
    """While plans run here, shuffles have as many partitions as so many rows deserve.

    The plan of a table that is kept is not adapted to its size, and a Python worker for each of 200 small partitions
    costs more than the work.
    """
    set_by_user = spark.conf.get(_PARTITIONS) or "200"
    wanted = max(-(-rows // _ROWS), min(_cores(spark), -(-rows // _FEW_ROWS)), 1)
    spark.conf.set(_PARTITIONS, str(wanted))
    try:
        yield
    finally:
        spark.conf.set(_PARTITIONS, set_by_user)


def _cores(spark: SparkSession) -> int:
    try:
        return spark.sparkContext.defaultParallelism
    except Exception:  # Spark Connect has no context, and its own class of errors
        return int(spark.conf.get(_PARTITIONS) or 1)


def local_frame(spark: SparkSession, table: pa.Table) -> DataFrame:
    """A table that is here, as a Spark DataFrame with its rows in order."""
    with _quiet():
        return spark.createDataFrame(table)


class _quiet(warnings.catch_warnings):
    def __enter__(self) -> None:
        super().__enter__()
        warnings.filterwarnings("ignore", "PySpark does not yet fully support pandas", FutureWarning)
