"""Files that are either complete or not there."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO, cast

from rankgauge._output import is_stream, writing
from rankgauge._show import show
from rankgauge._text import Text, zh
from rankgauge._unpacked import inner_suffix
from rankgauge.errors import MissingExtra, ParameterError

__all__ = ["atomic", "table_suffix", "write_frame", "write_text"]


@contextmanager
def atomic(path: Path) -> Iterator[BinaryIO]:
    """A file to write to, compressed as its suffix says, that gets its name when the block ends well."""
    with writing(path) as raw, _compressed(raw, path.suffix.lower()) as file:
        yield file


@contextmanager
def _compressed(raw: BinaryIO, suffix: str) -> Iterator[BinaryIO]:
    match suffix:
        case ".gz":  # no time stamp, no name: the same rows give the same bytes
            with gzip.GzipFile(filename="", fileobj=raw, mode="wb", compresslevel=6, mtime=0) as file:
                yield cast("BinaryIO", file)
        case ".bz2":
            with bz2.BZ2File(raw, "wb") as file:
                yield cast("BinaryIO", file)
        case ".xz":
            with lzma.LZMAFile(raw, "wb") as file:
                yield cast("BinaryIO", file)
        case ".zst":
            try:
                from compression import zstd  # type: ignore[import-not-found,unused-ignore]
            except ImportError:
                raise MissingExtra(
                    Text(
                        "writing .zst needs Python 3.14. Write .gz or .xz instead.",
                        "写出 .zst 需要 Python 3.14。请改写为 .gz 或 .xz。",
                    )
                ) from None
            with zstd.ZstdFile(raw, "wb") as file:
                yield cast("BinaryIO", file)
        case _:
            yield raw


def write_text(path: Path, text: str) -> None:
    """A text as UTF-8, complete or not there. Bytes of a file name that are no text come as escapes."""
    with atomic(path) as file:
        file.write(text.encode("utf-8", "backslashreplace"))


def table_suffix(path: Path, what: str = "") -> str:
    """By what a table is written; an error where the name of its file does not say it."""
    suffix = inner_suffix(path)
    if not suffix and is_stream(path):
        return ".csv"
    if suffix not in (".csv", ".tsv", ".jsonl", ".ndjson", ".parquet"):
        known = ".csv, .tsv, .jsonl, .parquet"
        raise ParameterError(
            Text(
                f"{what or 'the name of a table'} must end in {known}, got {show(path.name)}.",
                f"{zh(what or Text('the name of a table', '表的文件名'))}必须以 {known} 结尾，实际为 "
                f"{show(path.name)}。",
            )
        )
    return suffix


def write_frame(frame: Any, path: Path, what: str = "") -> None:
    """A Polars frame as CSV, TSV, JSONL or Parquet, as the suffix says; also compressed. `what` is said in errors.

    Standard output, pipes and devices have no suffix: they get CSV.
    """
    suffix = table_suffix(path, what)
    writers = {
        ".csv": frame.write_csv,
        ".tsv": lambda file: frame.write_csv(file, separator="\t"),
        ".jsonl": frame.write_ndjson,
        ".ndjson": frame.write_ndjson,
        ".parquet": frame.write_parquet,
    }
    buffer = io.BytesIO()
    writers[suffix](buffer)
    with atomic(path) as file:
        file.write(buffer.getbuffer())
