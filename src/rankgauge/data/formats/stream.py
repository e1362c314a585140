"""Lines of a file of any size, decompressed as they are read."""

from __future__ import annotations

import bz2
import gzip
import lzma
import zlib
from collections.abc import Iterator
from typing import IO

import polars as pl

from rankgauge._text import Text, zh
from rankgauge._unpacked import most_unpacked, refuse_more, zstd_lines
from rankgauge.data.formats.opening import BOM, Source
from rankgauge.data.parser_words import objection
from rankgauge.errors import InputError

__all__ = ["lines"]

_OPEN = {"gzip": gzip.open, "bzip2": bz2.open, "xz": lzma.open}


def lines(source: Source) -> Iterator[bytes]:
    """The lines of a text file without their ends; only one at a time is in memory."""
    try:
        for number, line in enumerate(_raw(source)):
            yield line.removeprefix(BOM) if not number else line
    except (EOFError, OSError, zlib.error, lzma.LZMAError, pl.exceptions.PolarsError) as e:
        form = source.compression or "text"
        raise InputError(
            Text(
                f"{source.where} cannot be read: damaged or cut-off {form} data ({e}).",
                f"{zh(source.where)} 无法读取：{form} 数据已损坏或不完整（{objection(str(e)).zh}）。",
            )
        ) from e


def _raw(source: Source) -> Iterator[bytes]:
    if source.compression == "zstd":
        yield from zstd_lines(source.path, source.where)
        return
    packed = source.path.stat().st_size
    most = most_unpacked(packed) if source.compression else -1  # of one line: a file may have any number of them
    with _opened(source) as file:
        for line in iter(lambda: file.readline(most), b""):
            if len(line) == most:
                raise refuse_more(source.where, packed, most)
            yield line.rstrip(b"\r\n")


def _opened(source: Source) -> IO[bytes]:
    if source.compression is None:
        return source.path.open("rb")
    file: IO[bytes] = _OPEN[source.compression](source.path, "rb")  # type: ignore[operator]
    return file
