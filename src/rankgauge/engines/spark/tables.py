"""Whatever holds a run or judgements, as a Spark DataFrame with canonical columns.

    run     query_id string · doc_id string · score double
    qrels   query_id string · doc_id string · grade double · iteration string?

Ids and numbers are read as `data/frames.py` reads them; what cannot be read becomes null, and whoever counts the rows
refuses the nulls.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rankgauge._memory import bytes_of
from rankgauge._numbers import size_of
from rankgauge._piped import is_there
from rankgauge._show import show
from rankgauge._text import Text, zh
from rankgauge.data import Qrels, Run
from rankgauge.data._places import named, word_for
from rankgauge.data.choosing import is_spark
from rankgauge.data.columns import Kind, recognise, role_of
from rankgauge.data.formats.opening import matched, visible
from rankgauge.data.run_source import column_options
from rankgauge.data.table import Shape, stem
from rankgauge.engines.spark.session import local_frame
from rankgauge.errors import InputError

if TYPE_CHECKING:
    import polars as pl
    from pyspark.sql import Column, DataFrame, SparkSession

__all__ = [
    "SparkTable",
    "brought",
    "id_column",
    "quoted",
    "read_table",
    "refuse_too_large",
    "table_of",
    "to_spark",
]

_COMPRESSED = re.compile(r"\.(gz|bz2|zst|zstd|snappy|lz4)$")
_ELSEWHERE = re.compile(r"[a-z][a-z0-9+.-]*:/", re.IGNORECASE)  # s3://…, dbfs:/…
_NUMBER = r"^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$|^[+-]?(?i:inf|infinity|nan)$"  # Java also takes 1d and 0x1p3
_BLANKS = " \t\r\n\f\v"
_EXACT = 2**53  # from here on a float no longer holds every integer
_LOOKED_AT = 1000  # rows that tell how wide the others are
_GROWTH = 4  # what is read takes about so many times its size while it is read
_MOST_RETURNED = "spark.driver.maxResultSize"


@dataclass(frozen=True, eq=False)
class SparkTable:
    """A run or judgements on Spark."""

    frame: DataFrame
    name: str
    notes: tuple[str, ...] = ()
    """How columns were read."""
    tag: str = ""
    empty: Sequence[str] = ()
    """Queries whose list is there and empty, which rows cannot say."""
    shape: Shape | None = None
    """That of a matrix without names."""


def table_of(
    obj: Any, kind: Kind, spark: SparkSession, columns: Mapping[str, str] | None = None, name: str = ""
) -> SparkTable:
    """A Spark DataFrame, a table or path that Spark reads, or anything that holds a run or judgements here."""
    if is_spark(obj):
        return _canonical(obj, kind, columns, name or kind, name or kind)
    if isinstance(obj, (str, PathLike)) and (found := read_table(str(obj), kind, spark)) is not None:
        shown = str(obj) if _is_table_name(str(obj)) else stem(str(obj))
        is_text = all(type(f.dataType).__name__ == "StringType" for f in found.schema.fields)
        return _canonical(found, kind, columns, name or shown, named(kind, str(obj)), is_text=is_text)
    table = (Run if kind == "run" else Qrels).of(obj, name=name, **column_options(obj, columns))
    wanted = ["query_id", "doc_id", table.value, *(["iteration"] if kind == "qrels" else [])]
    frame = table.results() if isinstance(table, Run) else table.to_frame()
    rows = frame.select([c for c in wanted if c in frame.columns])
    return SparkTable(
        to_spark(rows, spark),
        name or table.name,
        tuple(table.notes),
        getattr(table, "tag", None) or "",
        table.empty_lists,
        table.shape,
    )


def to_spark(frame: pl.DataFrame, spark: SparkSession) -> DataFrame:
    """A Polars frame on Spark."""
    import polars as pl

    return local_frame(spark, frame.to_arrow(compat_level=pl.CompatLevel.oldest()))


# bringing here


def brought(
    obj: Any, what: str, columns: Mapping[str, str] | None, spark: SparkSession | None, room: Callable[[], int]
) -> Any:
    """Interactions (`train`) or `items` that lie on Spark as a Polars frame here; everything else unchanged.

    With a session, names of tables and addresses are those of Spark.
    """
    if spark is not None and isinstance(obj, (str, PathLike)) and not Path(obj).exists() and not matched(Path(obj)):
        obj = read_table(str(obj), what, spark)
    if not is_spark(obj):
        return obj
    import polars as pl

    frame: DataFrame = obj
    if what == "train":  # what else there is may be large
        used = [n for n in frame.columns if n in (columns or {}) or role_of(n, "interactions") is not None]
        frame = frame.select(*map(quoted, used)) if len(used) > 1 else frame
    rows = frame.count()
    some = frame.limit(_LOOKED_AT).toArrow()
    size = rows * some.nbytes // max(some.num_rows, 1)
    called = Text(f"{what} on Spark, {rows:,} rows", f"Spark 上的 {what}（{rows:,} 行）")
    advice = Text("Keep the users and columns that are needed", "请只保留需要的用户和列")
    refuse_too_large(called, size * _GROWTH, size, frame.sparkSession, room, advice)
    found = pl.from_arrow(frame.toArrow())
    assert isinstance(found, pl.DataFrame)
    return found


def refuse_too_large(
    what: Text, needed: int, sent: int, spark: SparkSession, room: Callable[[], int], advice: Text
) -> None:
    """Raise where something would take more room on this machine than there is, or more than Spark lets a job return.

    `needed` are bytes while it is looked at, `sent` bytes as it arrives.
    """
    if needed > (free := room()):
        raise InputError(
            Text(
                f"{what}: about {size_of(needed)} of memory are needed here, where what is shown is measured, and "
                f"{size_of(free)} may be used. {advice}; memory=… says what may be used.",
                f"{what.zh}：展示类指标在这里计算，约需 {size_of(needed)} 内存，而可用的是 {size_of(free)}。"
                f"{advice.zh}；可用多少由 memory=… 指定。",
            )
        )
    most = bytes_of(spark.conf.get(_MOST_RETURNED, "1g"), _MOST_RETURNED)
    if 0 < most < sent:
        raise InputError(
            Text(
                f"{what}: {size_of(sent)} are on their way to the driver, and {_MOST_RETURNED} lets "
                f"{size_of(most)} pass. {advice}, or start the session with a larger one.",
                f"{what.zh}：要传给 driver {size_of(sent)}，而 {_MOST_RETURNED} 只允许 {size_of(most)}。{advice.zh}，"
                "或用更大的设置启动会话。",
            )
        )


# reading


def read_table(given: str, kind: str, spark: SparkSession) -> DataFrame | None:
    """What Spark reads by itself; None for a file that is read here."""
    path, formats = Path(given), _formats()
    if _ELSEWHERE.match(given):
        return _load(given, formats.get(_suffix(given), "parquet"), _suffix(given), spark)
    if files := visible(path) if path.is_dir() else matched(path):
        known = sorted({_suffix(f.name) for f in files} & set(formats))
        return _load(given, formats[known[0]], known[0], spark) if len(known) == 1 else None
    if path.exists():
        suffix = _suffix(given)
        form = formats.get(suffix, "")
        return _load(given, form, suffix, spark) if form in ("parquet", "orc") else None
    if _is_table_name(given) and spark.catalog.tableExists(given):
        return spark.table(given)
    raise InputError(
        Text(
            f"{kind}: no such file, folder or table: {show(given)}.",
            f"{zh(word_for(kind))}：没有这样的文件、文件夹或表：{show(given)}。",
        )
    )


def _formats() -> dict[str, str]:
    """What Spark reads, by suffix; ORC it reads alone."""
    from rankgauge.data.formats import REGISTRY

    return {".orc": "orc", **{suffix: f.spark for f in REGISTRY.values() if f.spark for suffix in f.suffixes}}


def _load(path: str, form: str, suffix: str, spark: SparkSession) -> DataFrame:
    reader = spark.read
    if form == "csv":
        reader = reader.options(header=True, sep="\t" if suffix in (".tsv", ".tab") else ",")
    return reader.format(form).load(path)


def _suffix(name: str) -> str:
    return Path(_COMPRESSED.sub("", name.casefold())).suffix


def _is_table_name(given: str) -> bool:
    return re.fullmatch(r"[\w`.\- ]+", given) is not None and not is_there(given)


# columns


def _canonical(
    frame: DataFrame, kind: Kind, columns: Mapping[str, str] | None, name: str, where: str, *, is_text: bool = False
) -> SparkTable:
    """`is_text` says that the source knows no types, as CSV does."""
    from pyspark.sql import functions as F

    chosen = recognise(frame.columns, kind, columns, where)
    notes = list(chosen.notes)
    types = {field.name: field.dataType for field in frame.schema.fields}
    out = []
    for role, source in chosen.source.items():
        column, dtype, here = quoted(source), types[source], f"{where}, column {show(source)}"
        if role in ("query_id", "doc_id"):
            out.append(id_column(frame, source, role, where))
        elif role in ("score", "grade"):
            out.append(_numbers(column, dtype, role, here, [] if is_text else notes).alias(role))
        elif role == "distance":
            out.append((-_numbers(column, dtype, role, here, [] if is_text else notes)).alias("score"))
        elif role == "rank" and not {"score", "distance"} & set(chosen.source):
            rank = _numbers(column, dtype, role, here, [] if is_text else notes)
            out.append((-F.when(rank == F.rint(rank), rank)).alias("score"))
        elif role == "iteration":
            out.append(column.cast("string").alias(role))
    return SparkTable(frame.select(out), name, tuple(notes))


def quoted(name: str) -> Column:
    """A column by its name, whatever characters that has."""
    from pyspark.sql import functions as F

    return F.col("`" + name.replace("`", "``") + "`")


def id_column(frame: DataFrame, name: str, role: str, where: str) -> Column:
    """Ids as text; whole numbers without a decimal point; null where that cannot be."""
    found = _ids(quoted(name), frame.schema[name].dataType)
    if found is None:
        shown = frame.schema[name].dataType.simpleString()
        raise InputError(
            Text(
                f"{where}, column {show(name)}: {role} must be text or whole numbers, got a column of type {shown}.",
                f"{zh(where)} 的列 {show(name)}：{role} 必须是文本或整数，该列的类型是 {shown}。",
            )
        )
    return found.alias(role)


def _ids(column: Column, dtype: Any) -> Column | None:
    from pyspark.sql import functions as F
    from pyspark.sql import types as T

    if isinstance(dtype, (T.StringType, T.CharType, T.VarcharType)):
        return column.cast("string")
    if isinstance(dtype, T.IntegralType) or (isinstance(dtype, T.DecimalType) and dtype.scale == 0):
        return column.cast("string")
    if isinstance(dtype, (T.FloatType, T.DoubleType)):
        number = column.cast("double")
        whole = (number == F.rint(number)) & (F.abs(number) < _EXACT)
        return F.when(whole, number.cast("long").cast("string"))
    if isinstance(dtype, T.NullType):
        return column.cast("string")
    return None


def _numbers(column: Column, dtype: Any, role: str, here: str, notes: list[str]) -> Column:
    """Doubles; null where there is no number."""
    from pyspark.sql import functions as F
    from pyspark.sql import types as T

    if isinstance(dtype, (T.StringType, T.CharType, T.VarcharType)):
        notes.append(Text(f"{role} was text: read as numbers", f"{role} 是文本，按数字读取"))
        text = F.btrim(column, F.lit(_BLANKS))
        return F.when(text.rlike(_NUMBER), text.try_cast("double"))
    if isinstance(dtype, (T.NumericType, T.BooleanType, T.NullType)):
        return column.cast("double")
    raise InputError(
        Text(
            f"{here}: {role} must be numbers, got a column of type {dtype.simpleString()}.",
            f"{zh(here)}：{role} 必须是数字，该列的类型是 {dtype.simpleString()}。",
        )
    )
