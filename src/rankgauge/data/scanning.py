"""Opening a log: files, folders, lists of files, frames; scanned rather than read wherever Polars can.

Everything in a text file is read as text, so that the id `007` stays `007`.
"""

from __future__ import annotations

import codecs
import csv
import io
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, cast

from rankgauge._forked import refuse_fork
from rankgauge._piped import keep, path_of
from rankgauge._show import show
from rankgauge.data.columns import refuse_repeated
from rankgauge.errors import InputError

if TYPE_CHECKING:
    import polars as pl

    from rankgauge.data.formats.opening import Source

__all__ = ["is_ubi_frame", "open_log", "reading", "said_of_folder"]

_SUFFIXES = (".parquet", ".pq", ".csv", ".tsv", ".json", ".jsonl", ".ndjson", ".arrow", ".feather", ".ipc")


def open_log(source: Any) -> pl.LazyFrame:
    """A lazy frame of whatever holds a log."""
    import polars as pl

    from rankgauge.data.frames import is_frame, to_polars

    refuse_fork("reading a log")
    if isinstance(source, pl.LazyFrame):
        return source
    if is_frame(source):
        return to_polars(source).lazy()
    if isinstance(source, (str, PathLike)):
        return _path(path_of(source))
    if isinstance(source, Sequence) and source and all(isinstance(s, (str, PathLike)) for s in source):
        return _several([path_of(s) for s in source])
    raise InputError(
        f"a log must be a file, a folder, a list of files or a table, got {type(source).__qualname__}. "
        "Try a Parquet, CSV, TSV or JSONL file, or a pandas, Polars, PyArrow or DuckDB table."
    )


@contextmanager
def reading(where: str) -> Iterator[None]:
    """What is wrong with a scanned file shows when its rows are read, and is an error of the input then as well."""
    import polars as pl

    try:
        yield
    except (pl.exceptions.ComputeError, pl.exceptions.SchemaError) as e:
        raise InputError(f"{where} cannot be read: {str(e).partition(chr(10))[0]}.") from e
    except pl.exceptions.PanicException as e:  # a date beyond all calendars, say
        raise InputError(f"{where} cannot be read: {e}.") from e


def is_ubi_frame(frame: pl.LazyFrame) -> bool:
    """Has it the columns of OpenSearch User Behavior Insights?"""
    return {"action_name", "query_id", "event_attributes"} <= set(frame.collect_schema().names())


def _several(files: Sequence[Path]) -> pl.LazyFrame:
    import polars as pl

    frames = [_path(f) for f in files]
    return frames[0] if len(frames) == 1 else pl.concat(frames, how="diagonal_relaxed")


def said_of_folder(source: Any) -> tuple[str, ...]:
    """The notes on a folder: how many files are one log, and which are not read."""
    from rankgauge.data.formats.folder import as_one, left_out

    if not (isinstance(source, (str, PathLike)) and Path(source).is_dir()):
        return ()
    files, others = _sorted_out(Path(source))
    return (as_one(files), *left_out(others))


def _sorted_out(folder: Path) -> tuple[list[Path], list[Path]]:
    """The files of a folder and of those below it that are parts of a log, and the others."""
    from rankgauge.data.formats.opening import inner_suffix, visible

    kept: list[Path] = []
    others: list[Path] = []
    for file in visible(folder):  # part-00000 has no suffix
        (kept if inner_suffix(file) in ("", *_SUFFIXES) else others).append(file)
    return kept, others


def _path(path: Path) -> pl.LazyFrame:
    if path.is_dir():
        files = _sorted_out(path)[0]
        if not files:
            raise InputError(
                f"log {show(path.name)} is a folder without files of a log. Known: {', '.join(_SUFFIXES)}."
            )
        return _several(files)
    from rankgauge.data.formats.opening import open_source

    keep(path)  # the frame reads it later, and more than once
    return _scan(open_source(path, cast("Any", "log")))  # the kind is only what errors call it


def _scan(source: Source) -> pl.LazyFrame:
    import polars as pl

    plain = source.compression is None
    data: Any = source.path if plain else io.BytesIO(source.data())
    try:
        if source.head.startswith(b"PAR1"):
            return _opened(pl.scan_parquet(data, glob=False) if plain else pl.read_parquet(data).lazy())
        if source.head.startswith(b"ARROW1"):
            return _opened(pl.scan_ipc(data, glob=False) if plain else pl.read_ipc(data).lazy())
        if source.head.startswith(b"\xff\xff\xff\xff"):
            return pl.read_ipc_stream(data).lazy()
        first = source.head.lstrip()[:1]
        if first == b"{":
            if plain and _has_mark(source.path):
                data, plain = io.BytesIO(source.data()), False
            return _opened(
                pl.scan_ndjson(data, infer_schema_length=None) if plain else pl.read_ndjson(data, **_ALL).lazy()
            )
        if first == b"[":
            return pl.read_json(data, **_ALL).lazy()
        if b"\x00" in source.head:
            raise source.error("is a binary file of an unknown kind. Known: Parquet, Arrow, CSV, TSV, JSONL.")
        return _delimited(source, data)
    except (pl.exceptions.PolarsError, OSError) as e:
        raise InputError(f"{source.where} cannot be read: {str(e).partition(chr(10))[0]}.") from e


def _has_mark(path: Path) -> bool:
    """Whether a file begins with a byte order mark, which Polars takes for JSON."""
    from rankgauge.data.formats.opening import BOM

    with path.open("rb") as file:
        return file.read(len(BOM)) == BOM


def _opened(frame: pl.LazyFrame) -> pl.LazyFrame:
    """A scanned file says what is wrong with it only when it is looked at."""
    frame.collect_schema()
    return frame


_ALL: dict[str, Any] = {"infer_schema_length": None}


def _delimited(source: Source, data: Any) -> pl.LazyFrame:
    import polars as pl

    header = (source.first_lines(1) or [""])[0]
    separator = max("\t,;|", key=header.count)
    if not header.count(separator):
        raise source.error(
            f"line 1: expected names of columns separated by comma, semicolon or tab, found: {show(header[:80])}."
        )
    names = next(csv.reader([header], delimiter=separator), [])
    refuse_repeated([name.strip() for name in names], f"{source.where}, line 1")
    has_blank_lines = _looked_through(source, data)
    frame = pl.scan_csv(data, separator=separator, infer_schema=False, glob=False)
    _refuse_ragged(frame, source, data, separator, len(names))
    return frame.filter(~pl.all_horizontal(pl.all().is_null())) if has_blank_lines else frame


def _refuse_ragged(frame: pl.LazyFrame, source: Source, data: Path | io.BytesIO, separator: str, n: int) -> None:
    """Raise an error where a line has more fields than there are names: two lines that became one, say.

    Polars sees it only where all columns are read, and a log is read column by column.
    """
    import polars as pl

    try:
        frame.select(pl.all().null_count()).collect(engine="streaming")
    except pl.exceptions.ComputeError:
        mark = separator.encode()
        with _bytes_of(data) as file:
            for number, line in enumerate(file, 1):
                if (found := line.count(mark) + 1) > n and b'"' not in line:
                    raise source.error(
                        f"line {number}: must have {n} fields as line 1 has, got {found}: {show(line.decode()[:80])}. "
                        "End each row with a line feed, and quote fields that hold the separator."
                    ) from None
        raise


def _bytes_of(data: Path | io.BytesIO) -> BinaryIO:
    return data.open("rb") if isinstance(data, Path) else io.BytesIO(data.getvalue())


def _looked_through(source: Source, data: Path | io.BytesIO) -> bool:
    """Whether there are blank lines, which Polars takes for rows without values; what is not UTF-8 is refused.

    Polars looks at bytes only when their column is read, which may be long after the file was opened.
    """
    decoder = codecs.getincrementaldecoder("utf-8")()
    lines, kept = 1, b""  # the first bytes of a letter whose last ones are in the next piece
    end, blank = b"", False
    with _bytes_of(data) as file:
        while piece := file.read(_PIECE):
            try:
                decoder.decode(piece)
            except UnicodeDecodeError as e:
                line = lines + (kept + piece)[: e.start].count(b"\n")
                raise source.error(
                    f"line {line}: text must be UTF-8, got the byte 0x{e.object[e.start]:02x}. "
                    "Convert it, for example: iconv -f GB18030 -t UTF-8 in > out"
                ) from None
            lines += piece.count(b"\n")
            kept = decoder.getstate()[0]
            blank = blank or _BLANK.search(end + piece) is not None
            end = piece[-2:]
    if kept:
        raise source.error(f"line {lines}: ends in the middle of a letter; the file seems to be cut off.")
    return blank


_PIECE = 1 << 20
_BLANK = re.compile(rb"\n\r?\n")
