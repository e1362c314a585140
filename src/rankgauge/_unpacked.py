"""Unpacking what is compressed, up to a limit: a few kilobytes can hold terabytes.

The limit is what `limit_unpacked` was told (`--max-unpacked`), else the environment variable RANKGAUGE_MAX_UNPACKED,
else two hundred times the packed size but at least 1 GiB, and never more than half of the memory that is free: runs
and logs shrink five to thirty times, and what is unpacked here is held in memory as a whole.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any

from rankgauge._memory import available, bytes_of
from rankgauge._numbers import size_of
from rankgauge._text import Text, zh
from rankgauge.errors import InputError, MissingExtra

__all__ = [
    "MAGIC",
    "PACKED",
    "first_bytes",
    "first_unpacked",
    "inner_suffix",
    "limit_unpacked",
    "most_unpacked",
    "refuse_endless",
    "refuse_more",
    "unpacked",
    "unpacked_path",
    "zstd_lines",
]

MAGIC = {b"\x1f\x8b": "gzip", b"BZh": "bzip2", b"\xfd7zXZ\x00": "xz", b"\x28\xb5\x2f\xfd": "zstd"}

PACKED = (".gz", ".bz2", ".xz", ".zst")
"""Suffixes that say how a file is compressed."""

_VARIABLE = "RANKGAUGE_MAX_UNPACKED"
_RATIO = 200
_LEAST = 1 << 30
_BLOCK = 1 << 17  # a block of Zstandard holds at most so many bytes
_said: list[int | None] = [None]


def unpacked_path(path: Path) -> Path:
    """`a.run` of `a.run.gz`."""
    while path.suffix.lower() in PACKED:
        path = path.with_suffix("")
    return path


def inner_suffix(path: Path) -> str:
    """What is in the file, by its name: `.json` for x.JSON and x.json.gz."""
    return unpacked_path(path).suffix.lower()


def limit_unpacked(size: str | int | None) -> None:
    """Sets how many bytes one input may unpack to: `'20GiB'`, a number of bytes, or None for the default."""
    _said[0] = None if size is None else bytes_of(size, "max_unpacked")


def most_unpacked(packed: int) -> int:
    """The bytes to which an input of so many packed bytes may unpack."""
    if (told := _told()) is not None:
        return told
    return min(max(_RATIO * packed, _LEAST), max(available() // 2, _LEAST // 4))


def _told() -> int | None:
    """The limit that was said, on the command line or in the environment."""
    if _said[0] is not None:
        return _said[0]
    said = os.environ.get(_VARIABLE)
    return bytes_of(said, _VARIABLE) if said else None


def refuse_more(where: str, packed: int, most: int) -> InputError:
    """The error for an input that would unpack to more than it may."""
    return InputError(
        Text(
            f"{where} must unpack to at most {size_of(most)}, but goes on after that; packed it has {size_of(packed)}. "
            f"If it is sound, unpack it to a file, or allow more: --max-unpacked, or the environment variable "
            f"{_VARIABLE}.",
            f"{zh(where)} 解压后不得超过 {size_of(most)}，实际超出；压缩状态下为 {size_of(packed)}。如果文件没"
            f"有问题，请先解压到文件，或放宽限制：--max-unpacked，或环境变量 {_VARIABLE}。",
        )
    )


def unpacked(raw: bytes, compression: str, where: str) -> bytes:
    """All bytes of a compressed file; an InputError where they are too many.

    Damaged data raises what the library of that compression raises.
    """
    most = most_unpacked(len(raw))
    if compression == "zstd":
        return _zstd(raw, most, where)
    try:
        parts = list(_members(raw, _DECOMPRESSORS[compression], most))
    except MemoryError:
        parts = []
    if not parts or sum(map(len, parts)) > most:
        raise refuse_more(where, len(raw), most)
    return parts[0] if len(parts) == 1 else b"".join(parts)


def first_unpacked(path: Path, compression: str, where: str, n: int) -> bytes:
    """The first bytes of a compressed file, about so many; the rest stays packed."""
    if compression == "zstd":
        try:
            return b"\n".join(islice(zstd_lines(path, where), 64))[:n]
        except InputError:
            raise
        except Exception:  # no text, or damaged: whoever unpacks all of it says so
            return unpacked(path.read_bytes(), compression, where)[:n]
    member = _DECOMPRESSORS[compression]()
    out = b""
    with path.open("rb") as file:
        while len(out) < n and not member.eof and (packed := file.read(_BLOCK)):
            out += member.decompress(packed, n - len(out))
    return out


def first_bytes(path: Path, n: int) -> bytes:
    """The first bytes of a file, unpacked where it is compressed; none where they cannot be had.

    Whoever reads the file says why: this is for a look at what it could be.
    """
    try:
        with path.open("rb") as file:
            raw = file.read(n)
        compression = next((name for magic, name in MAGIC.items() if raw.startswith(magic)), None)
        return raw if compression is None else first_unpacked(path, compression, path.name, n)
    except Exception:  # each library of a compression has errors of its own
        return b""


def zstd_lines(path: Path, where: str) -> Iterator[bytes]:
    """The lines of a text packed by Zstandard, some of them in memory at a time."""
    refuse_endless(path, where)
    try:
        from compression import zstd  # type: ignore[import-not-found,unused-ignore]  # Python 3.14
    except ImportError:
        import polars as pl

        if not hasattr(pl, "scan_lines"):
            raise MissingExtra(_NO_ZSTD) from None
        for batch in pl.scan_lines(path, glob=False).collect_batches():
            yield from (line.encode() for line in batch.to_series().to_list())
        return
    with zstd.open(path, "rb") as file:
        yield from (line.rstrip(b"\r\n") for line in file)


def refuse_endless(path: Path, where: str) -> None:
    """Zstandard is unpacked elsewhere, line by line, and how long a line is shows when it is there: all of them must
    be no more than two hundred times the packed size, or what was allowed."""
    import mmap

    packed = path.stat().st_size
    most = told if (told := _told()) is not None else max(_RATIO * packed, _LEAST)
    with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as raw:
        if _zstd_bound(raw) > most:
            raise refuse_more(where, packed, most)


_NO_ZSTD = "reading .zst needs Python 3.14 or a newer Polars: pip install -U polars"
_NO_BINARY_ZSTD = Text(
    "what is packed by Zstandard is no text, and reading that needs Python 3.14 or another package: "
    "pip install zstandard",
    "经 Zstandard 压缩的不是文本，读取它需要 Python 3.14 或另装一个包：pip install zstandard",
)


def _gzip() -> Any:
    import zlib

    return zlib.decompressobj(wbits=31)


def _bzip2() -> Any:
    import bz2

    return bz2.BZ2Decompressor()


def _xz() -> Any:
    import lzma

    return lzma.LZMADecompressor()


_DECOMPRESSORS: dict[str, Callable[[], Any]] = {"gzip": _gzip, "bzip2": _bzip2, "xz": _xz}


def _members(raw: bytes, new: Callable[[], Any], most: int) -> Iterator[bytes]:
    """What each of the parts holds that were written one behind the other; one byte more than allowed, and it ends."""
    left = most + 1
    while True:
        member = new()
        out = member.decompress(raw, left)
        yield out
        left -= len(out)
        if left <= 0:
            return
        if not member.eof:
            raise EOFError("Compressed file ended before the end-of-stream marker was reached")
        raw = member.unused_data.lstrip(b"\x00")  # tapes and disks pad with zeros
        if not raw:
            return


def _zstd(raw: bytes, most: int, where: str) -> bytes:
    if _zstd_bound(raw) > most:
        raise refuse_more(where, len(raw), most)
    for unpack in _ZSTD:
        try:
            return unpack(raw, most)
        except MissingExtra:
            raise
        except ImportError:
            continue
        except Exception as e:
            if "zst" not in type(e).__name__.lower():
                raise
            raise EOFError(str(e)) from e  # each library has an error of its own for damaged data
    raise MissingExtra(_NO_ZSTD)


def _by_python(raw: bytes, most: int) -> bytes:
    from compression import zstd  # type: ignore[import-not-found,unused-ignore]  # Python 3.14

    return bytes(zstd.decompress(raw))


def _by_zstandard(raw: bytes, most: int) -> bytes:
    import zstandard  # type: ignore[import-not-found,unused-ignore]

    reader = zstandard.ZstdDecompressor().stream_reader(raw, read_across_frames=True)
    return bytes(reader.read())


def _by_polars(raw: bytes, most: int) -> bytes:
    """Lines of text; Polars has no door for other bytes."""
    import polars as pl

    if not hasattr(pl, "read_lines"):
        raise ImportError("read_lines")
    try:
        lines = pl.read_lines(raw).to_series().to_list()
    except pl.exceptions.PolarsError as e:
        if "utf8" not in str(e).lower():
            raise
        return _by_arrow(raw, most)
    return "\n".join(lines).encode() + b"\n"


def _by_arrow(raw: bytes, most: int) -> bytes:
    try:
        import pyarrow as pa  # type: ignore[import-untyped,unused-ignore]
    except ImportError:
        raise MissingExtra(_NO_BINARY_ZSTD) from None
    with pa.CompressedInputStream(pa.BufferReader(raw), "zstd") as stream:
        return bytes(stream.read(most + 1))


_ZSTD = (_by_python, _by_zstandard, _by_polars)
"""What can unpack Zstandard, as far as it is there; Python itself does from 3.14 on."""


def _zstd_bound(raw: Any) -> int:
    """The bytes that Zstandard data can unpack to, told by the heads of its blocks (RFC 8878), nothing unpacked."""
    total = at = 0
    while at + 6 <= len(raw):
        magic = raw[at : at + 4]
        if magic[1:] == b"\x2a\x4d\x18" and magic[0] & 0xF0 == 0x50:  # a part to skip
            at += 8 + int.from_bytes(raw[at + 4 : at + 8], "little")
            continue
        if magic != b"\x28\xb5\x2f\xfd":
            break
        flags = raw[at + 4]
        is_single, size_flag = flags & 0x20, flags >> 6
        at += 5 + (not is_single) + (0, 1, 2, 4)[flags & 3]
        width = (1 if is_single else 0, 2, 4, 8)[size_flag]
        told = int.from_bytes(raw[at : at + width], "little") + (256 if width == 2 else 0) if width else None
        at += width
        blocks, at = _zstd_blocks(raw, at)
        at += 4 if flags & 4 else 0
        total += blocks if told is None else min(blocks, told)
    return total


def _zstd_blocks(raw: Any, at: int) -> tuple[int, int]:
    """The most that the blocks of one frame hold, and where they end."""
    total = 0
    while at + 3 <= len(raw):
        head = int.from_bytes(raw[at : at + 3], "little")
        is_last, kind, size = head & 1, head >> 1 & 3, head >> 3
        total += _BLOCK if kind == 2 else size
        at += 3 + (1 if kind == 1 else size)
        if is_last:
            break
    return total, at
