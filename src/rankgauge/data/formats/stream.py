"""Lines of a file of any size, decompressed as they are read."""

from __future__ import annotations

import bz2
import gzip
import lzma
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import IO

from rankgauge.data.formats.text import BOM, MAGIC
from rankgauge.errors import InputError, MissingExtra

__all__ = ["compression_of", "lines"]

_OPEN = {"gzip": gzip.open, "bzip2": bz2.open, "xz": lzma.open}


def compression_of(path: Path) -> str | None:
    """How a file is compressed, told by its first bytes."""
    with path.open("rb") as file:
        start = file.read(8)
    return next((name for magic, name in MAGIC.items() if start.startswith(magic)), None)


def lines(path: Path, where: str) -> Iterator[bytes]:
    """The lines of a text file without their ends; only one at a time is in memory."""
    compression = compression_of(path)
    try:
        if compression == "zstd":
            yield from _zstd_lines(path)
            return
        with _opened(path, compression) as file:
            for number, line in enumerate(file):
                text = line.rstrip(b"\r\n")
                yield text.removeprefix(BOM) if not number else text
    except (EOFError, OSError, zlib.error, lzma.LZMAError) as e:
        raise InputError(f"{where} cannot be read: damaged or cut-off {compression or 'text'} data ({e}).") from e


def _opened(path: Path, compression: str | None) -> IO[bytes]:
    if compression is None:
        return path.open("rb")
    file: IO[bytes] = _OPEN[compression](path, "rb")  # type: ignore[operator]
    return file


def _zstd_lines(path: Path) -> Iterator[bytes]:
    import polars as pl

    try:
        from compression import zstd  # type: ignore[import-not-found,unused-ignore]  # Python 3.14
    except ImportError:
        if not hasattr(pl, "scan_lines"):
            raise MissingExtra("reading .zst needs Python 3.14 or a newer Polars: pip install -U polars") from None
        for batch in pl.scan_lines(path, glob=False).collect_batches():
            yield from (line.encode() for line in batch.to_series().to_list())
        return
    with zstd.open(path, "rb") as file:
        yield from (line.rstrip(b"\r\n") for line in file)
