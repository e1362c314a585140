"""Which engine a call runs on: what was said, or what the input is and whether it fits."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from os import PathLike
from typing import TYPE_CHECKING, Any

from rankgauge._checks import one_of
from rankgauge._piped import as_given, is_there
from rankgauge._show import show
from rankgauge._text import Text, spaced, zh
from rankgauge.data._places import word_for
from rankgauge.errors import ParameterError

if TYPE_CHECKING:  # the command line asks for the names of engines before it needs NumPy
    from rankgauge.data.batches import Batches
    from rankgauge.data.columns import Kind

__all__ = ["ENGINES", "batches_to_read", "check_engine", "is_on_spark", "is_spark"]

ENGINES = {
    "auto": Text(
        "in memory where the input fits, else in pieces from disk; on Spark for Spark tables",
        "内存放得下就在内存中计算，否则从磁盘分块读取；Spark 表用 Spark 计算",
    ),
    "memory": Text("everything in memory", "全部在内存中"),
    "streaming": Text("in pieces from disk", "从磁盘分块读取"),
    "spark": Text("on a Spark session, local or a cluster", "在 Spark 会话上，本机或集群"),
}
_GROWTH = 4  # reading and aligning a table takes about so many times its own size


def check_engine(engine: str) -> str:
    """The engine in plain letters, if there is one of that name."""
    return one_of("engine", engine, ENGINES)


def is_spark(obj: Any) -> bool:
    """Whether this is a Spark DataFrame, classic or Connect. (Looks at the object, imports nothing.)"""
    return any(c.__name__ == "DataFrame" and c.__module__.startswith("pyspark.sql") for c in type(obj).__mro__)


def is_on_spark(*objects: Any) -> bool:
    """Whether one of these is a Spark table, or a dict or list of such."""
    for obj in objects:
        if isinstance(obj, Mapping):
            obj = next(iter(obj.values()), None)
        elif isinstance(obj, (list, tuple)):
            obj = obj[0] if obj else None
        if is_spark(obj):
            return True
    return False


def batches_to_read(
    obj: Any, kind: Kind, columns: Mapping[str, str] | None, name: str, engine: str, room: Callable[[], int]
) -> Batches | None:
    """The table in pieces where it has to be read so, else None.

    `room` says how many bytes there are; dicts and frames need not ask.
    """
    if engine == "memory":
        return None
    from rankgauge.data.batches import batches_of

    found = batches_of(obj, kind, columns, name)
    if engine == "streaming":
        if found is None and kind != "qrels" and not _is_nowhere(obj):
            got = (
                Text(f"the text file {show(as_given(obj))}", f"文本文件 {show(as_given(obj))}")
                if isinstance(obj, (str, PathLike))
                else Text(f"a {type(obj).__name__}", f" {type(obj).__name__}")
            )
            raise ParameterError(
                Text(
                    "engine='streaming' reads Parquet files, folders of files and lazily scanned Polars frames, "
                    f"got {got} as {kind}. Pass engine='auto', or a lazy frame such as pl.scan_csv(…).",
                    "engine='streaming' 读取 Parquet 文件、由文件组成的文件夹和惰性扫描的 Polars 表，"
                    f"{spaced('而', zh(word_for(kind)), '是')}{zh(got)}。请传入 engine='auto'，或 pl.scan_csv(…) "
                    "这样的惰性表。",
                )
            )
        return found if kind != "qrels" or (found is not None and _is_large(found, room)) else None
    return found if found is not None and _is_large(found, room) else None


def _is_nowhere(obj: Any) -> bool:
    """A path that leads to nothing: whoever reads it says so best."""
    return isinstance(obj, (str, PathLike)) and not is_there(obj)


def _is_large(table: Batches, room: Callable[[], int]) -> bool:
    """A lazily scanned frame is read in pieces whatever its size: to know that, it would have to be read."""
    if table.size is None:
        return table.kind != "qrels"
    return table.size * _GROWTH > room()
