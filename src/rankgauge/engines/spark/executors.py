"""Can the executors of a session run rankgauge? Asked once and cheaply, before the work."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from rankgauge._show import LIMIT, cut
from rankgauge._text import Text, zh
from rankgauge._version import __version__
from rankgauge.errors import MissingExtra

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

__all__ = ["refuse_bare_executors"]

_ASKED: set[str] = set()
"""Sessions whose executors have answered well."""
_NEEDED = ("numpy", "pyarrow", "polars", "msgspec", "rankgauge")
_REASON = re.compile(r"^\s*(?:[\w.]*(?:Error|Exception|Mismatch)\b|\[[A-Z_.]+\]).*$", re.MULTILINE)


def refuse_bare_executors(spark: SparkSession) -> None:
    """Raise an error that says what executors need where they have another Python or no rankgauge.

    Without it the first task would fail with a page of Java and Python traces.
    """
    key = _name(spark)
    if key in _ASKED:
        return
    try:
        told = _answer(spark)
        lacking: str = Text(*json.loads(told)) if told else ""
    except Exception as e:  # the worker did not even start: py4j's class, or that of Spark Connect
        lacking = _reason(str(e))
    if lacking:
        here = ".".join(map(str, sys.version_info[:2]))
        raise MissingExtra(
            Text(
                f"the executors of this Spark session cannot run rankgauge: {lacking}. They need Python {here} as "
                "here, "
                f"with rankgauge {__version__} and what it depends on. Either install it where they run "
                f'(pip install "rankgauge[spark]=={__version__}") and set spark.pyspark.python to that Python before '
                "the "
                "session starts, or send an environment along: pack it with venv-pack -o env.tar.gz, then set "
                "spark.archives=env.tar.gz#env and spark.pyspark.python=./env/bin/python.",
                f"这个 Spark 会话的 executor 无法运行 rankgauge：{zh(lacking)}。它们需要与这里相同的 Python "
                f"{here}，以及 rankgauge {__version__} 和它的依赖。可以在 executor 上安装（pip install "
                f'"rankgauge[spark]=={__version__}"），并在会话启动前把 spark.pyspark.python 设为那个 Python；'
                "或者随任务发送环境：用 venv-pack -o env.tar.gz 打包，再设置 spark.archives=env.tar.gz#env 和 "
                "spark.pyspark.python=./env/bin/python。",
            )
        )
    _ASKED.add(key)


def _name(spark: SparkSession) -> str:
    try:
        return str(spark.sparkContext.applicationId)
    except Exception:  # Spark Connect has no context, and its own class of errors
        return str(getattr(spark, "session_id", id(spark)))


def _answer(spark: SparkSession) -> str:
    """What an executor lacks, in its own words of each language; nothing where it lacks nothing."""
    look = _looking(_NEEDED, tuple(sys.version_info[:2]), __version__)
    try:
        context = spark.sparkContext
    except Exception:  # Spark Connect
        return _over_connect(spark, look)
    return str(context.parallelize([0], 1).map(look).collect()[0])


def _over_connect(spark: SparkSession, look: Callable[[Any], str]) -> str:
    def told(batches: Iterator[Any]) -> Iterator[Any]:
        import pyarrow as pa

        for _ in batches:
            yield pa.RecordBatch.from_pydict({"told": [look(0)]})

    rows = spark.range(0, 1, 1, 1).mapInArrow(told, "told string").collect()
    return str(rows[0]["told"])


def _looking(needed: tuple[str, ...], python: tuple[int, ...], version: str) -> Callable[[Any], str]:
    """A function that travels as code: executors without rankgauge could not look up one of this module."""

    def look(_: Any) -> str:
        import importlib
        import json
        import sys

        at = f"{sys.executable}, Python {sys.version_info[0]}.{sys.version_info[1]}"
        if tuple(sys.version_info[:2]) != python:
            return json.dumps([f"they run another Python ({at})", f"它们运行的是另一个 Python（{at}）"])
        for name in needed:
            try:
                module = importlib.import_module(name)
            except Exception as e:
                return json.dumps([f"{type(e).__name__}: {e} ({at})", f"{type(e).__name__}: {e}（{at}）"])
            if name == "rankgauge" and module.__version__ != version:
                has = module.__version__
                return json.dumps([f"they have rankgauge {has} ({at})", f"它们的 rankgauge 版本是 {has}（{at}）"])
        return ""

    return look


def _reason(text: str) -> str:
    """The line of a long trace that says what happened: the last one that names an error of Python."""
    found = [line.strip() for line in _REASON.findall(text) if not line.strip().startswith(("py4j.", "org.apache."))]
    return cut((found[-1] if found else text.strip().partition("\n")[0]).rstrip("."), LIMIT)
