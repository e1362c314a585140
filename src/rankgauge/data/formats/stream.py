"""Lines of a file of any size, decompressed as they are read."""

from __future__ import annotations

import bz2
import gzip
import lzma
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import IO

from rankgauge._unpacked import MAGIC, most_unpacked, refuse_more, unpacked
from rankgauge.data.formats.opening import BOM
from rankgauge.errors import InputError, MissingExtra

__all__ = ["compression_of", "everything", "lines"]

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
        packed = path.stat().st_size
        most = most_unpacked(packed) if compression else -1  # of one line: a file may have any number of them
        with _opened(path, compression) as file:
            for number, line in enumerate(iter(lambda: file.readline(most), b"")):
                if len(line) == most:
                    raise refuse_more(where, packed, most)
                text = line.rstrip(b"\r\n")
                yield text.removeprefix(BOM) if not number else text
    except (EOFError, OSError, zlib.error, lzma.LZMAError) as e:
        raise _damaged(where, compression, e) from e


def everything(path: Path, where: str) -> bytes:
    """All bytes of a file, unpacked, without a byte order mark."""
    compression = compression_of(path)
    try:
        raw = path.read_bytes()
        return (unpacked(raw, compression, where) if compression else raw).removeprefix(BOM)
    except (EOFError, OSError, zlib.error, lzma.LZMAError) as e:
        raise _damaged(where, compression, e) from e


def _damaged(where: str, compression: str | None, e: Exception) -> InputError:
    return InputError(f"{where} cannot be read: damaged or cut-off {compression or 'text'} data ({e}).")


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
