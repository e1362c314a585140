"""One way to open a table, whatever holds it and whatever it is about.

    open_table("clicks.csv.gz", "log")      a file in any format, compressed or not; `-` and other pipes
    open_table("days/", "log")              a folder, or a pattern such as `days/*.csv`: its files as one table
    open_table(["a.csv", "b.csv"], "log")   files as one table
    open_table(frame, "slices")             pandas, Polars, PyArrow, DuckDB, what speaks Arrow; an open file
    open_table({"q1": "en"}, "slices")      rows by their keys, where the kind of table has keys

What comes back is the `Content` of a format: columns, records, or rows by their keys. Runs, judgements and predictions
are read by `formats.read`, which finds the format in the same way and knows their columns.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from os import PathLike
from typing import TYPE_CHECKING, Any

from rankgauge._forked import refuse_fork
from rankgauge._piped import keep, path_of, taken_in
from rankgauge._text import Text, spaced, zh
from rankgauge.data._places import word_for
from rankgauge.data.parser_words import objection
from rankgauge.errors import InputError

if TYPE_CHECKING:
    import polars as pl

    from rankgauge.data.formats import Content

__all__ = ["open_table", "reading"]


def open_table(obj: Any, kind: str, names: Mapping[str, str] | None = None) -> Content:
    """What a table holds, as its format gives it. `names` are columns that the caller mentioned."""
    refuse_fork(Text(f"reading {_a(kind)}", spaced("读取", zh(word_for(kind)))))
    obj = taken_in(obj)
    from rankgauge.data.formats import open_file
    from rankgauge.data.formats.base import Columns, Keyed
    from rankgauge.data.formats.expected import expected
    from rankgauge.data.formats.folder import together
    from rankgauge.data.formats.json import Listed
    from rankgauge.data.frames import is_frame

    if isinstance(obj, (str, PathLike)):
        path = path_of(obj)
        if expected(kind).is_scanned:
            keep(path)  # the frame reads it later, and more than once
        return open_file(path, kind, names)
    if is_frame(obj):
        content: Content = Columns(_frame(obj, kind))
    elif isinstance(obj, Mapping) and expected(kind).is_keyed:
        content = Keyed(obj)
    elif isinstance(obj, Sequence) and obj and all(isinstance(x, (str, PathLike)) for x in obj):
        content = together([path_of(x) for x in obj], kind, kind)
    elif isinstance(obj, Sequence) and expected(kind).is_keyed and not isinstance(obj, (str, bytes)):
        content = Listed.of(obj, lambda what: InputError(Text(f"{kind}: {what}", f"{zh(word_for(kind))}：{zh(what)}")))
    else:
        what = Text("a mapping", "映射") if expected(kind).is_keyed else Text("a list of files", "文件列表")
        if kind == "items":
            what = Text(f"{what}, ids", f"{zh(what)}、id 列表")
        raise InputError(
            Text(
                f"{_a(kind)} must be a file, a folder, {what} or a table, got {type(obj).__qualname__}. "
                "Try a Parquet, CSV, TSV or JSONL file, or a pandas, Polars, PyArrow or DuckDB table.",
                f"{spaced(zh(word_for(kind)), '必须是文件')}、文件夹、{zh(what)}或表，实际为 {type(obj).__qualname__}。"
                "请试试 Parquet、CSV、TSV 或 JSONL 文件，或 pandas、Polars、PyArrow、DuckDB 的表。",
            )
        )
    content.where = word_for(kind)
    return content


def _frame(obj: Any, kind: str) -> pl.DataFrame | pl.LazyFrame:
    """A table in memory; one that is scanned stays so."""
    from rankgauge.data.columns import refuse_repeated
    from rankgauge.data.frames import column_names, to_polars

    if type(obj).__name__ == "LazyFrame":
        scanned: pl.LazyFrame = obj
        return scanned
    if (names := column_names(obj)) is not None:
        refuse_repeated(names, kind)
    return to_polars(obj)


def _a(kind: str) -> str:
    return kind if kind.endswith("s") else f"a {kind}"


@contextmanager
def reading(where: str, form: str = "", explained: Callable[[], InputError | None] | None = None) -> Iterator[None]:
    """What is wrong with a file may show only when rows are read, and is an error of the input then as well."""
    import polars as pl

    as_: str = Text(f" as {form}", f"（按 {form} 格式）") if form else ""
    try:
        yield
    except (pl.exceptions.PolarsError, OSError) as e:
        said = explained() if explained is not None else None
        raise said or InputError(
            Text(
                f"{where} cannot be read{as_}: {str(e).partition(chr(10))[0]}.",
                f"{zh(where)} 无法读取{zh(as_)}：{objection(str(e).partition(chr(10))[0]).zh}。",
            )
        ) from e
    except pl.exceptions.PanicException as e:  # what its reader did not expect; Arrow files have no checksums
        why = Text("it is damaged", "文件已损坏") if form else str(e)
        raise InputError(
            Text(f"{where} cannot be read{as_}: {why}.", f"{zh(where)} 无法读取{zh(as_)}：{zh(why)}。")
        ) from e
