"""Opening a file: folders, compression, encodings, and the lines that say something.

Compression is told by the first bytes, not by the suffix. Everything that cannot be read is an `InputError`
that names the file and, for text, the line.
"""

from __future__ import annotations

import difflib
import itertools
import lzma
import re
import zlib
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import polars as pl

from rankgauge._forked import refuse_fork
from rankgauge._piped import path_of
from rankgauge._show import show
from rankgauge._text import Text, zh
from rankgauge._unpacked import MAGIC, first_unpacked, inner_suffix, unpacked
from rankgauge.data._places import named
from rankgauge.data.formats.expected import Expected, expected
from rankgauge.data.literal import begins_otherwise
from rankgauge.data.parser_words import objection
from rankgauge.errors import InputError, reason, suggest

__all__ = ["BOM", "HEAD", "Source", "matched", "open_source", "visible"]

HEAD = 1 << 16
BOM = b"\xef\xbb\xbf"


@dataclass(slots=True)
class Source:
    """A file or folder to read, opened as little as possible."""

    path: Path
    kind: Any  # a kind of `columns.Kind`, or another one of `expected.py`
    head: bytes = b""  # the first bytes, decompressed, without a byte order mark; empty for a folder
    compression: str | None = None
    names: frozenset[str] = frozenset()  # column names that the caller mentioned
    value: Any = field(default=None, repr=False)  # what a format made of it, for whoever asks again
    notes: tuple[str, ...] = ()  # what a format found out on the way, for whoever reads it
    _data: bytes | None = field(default=None, repr=False)

    @property
    def where(self) -> str:
        return named(self.kind, self.path.name)

    @property
    def expected(self) -> Expected:
        """What is expected of a file of this kind."""
        return expected(self.kind)

    @property
    def suffix(self) -> str:
        """What the name says that it is, below `.gz` and its like."""
        return inner_suffix(self.path)

    @property
    def is_whole(self) -> bool:
        """Is `head` the whole file?"""
        return len(self.head) < HEAD - len(BOM)

    @property
    def begins_object(self) -> bool:
        """Whether it begins as an object or a list does, in JSON or in Python."""
        return self.head.lstrip()[:1] in (b"{", b"[") or begins_otherwise(self.head)

    def data(self) -> bytes:
        """Everything, decompressed, without a byte order mark."""
        if self._data is None:
            self._data = _without_bom(_decompress(self.path, self.compression, self.where))
        return self._data

    def text(self) -> str:
        """Everything as text."""
        data = self.data()
        if b"\x00" in data:
            raise self.error(
                Text(
                    f"line {_line(data, data.index(0))}: a zero byte; this is not a text file.",
                    f"第 {_line(data, data.index(0))} 行：有零字节；这不是文本文件。",
                )
            )
        try:
            return data.decode()
        except UnicodeDecodeError as e:
            line = _line(data, e.start)
            column = e.start - (data.rfind(b"\n", 0, e.start) + 1) + 1
            raise self.error(
                Text(
                    f"line {line}: text must be UTF-8, got 0x{data[e.start]:02x} at byte {column} of the line. "
                    "Convert it, for example: iconv -f GB18030 -t UTF-8 in > out",
                    f"第 {line} 行：文本必须是 UTF-8，实际在该行第 {column} 个字节处为 0x{data[e.start]:02x}。"
                    "请转换编码，例如：iconv -f GB18030 -t UTF-8 in > out",
                )
            ) from None

    def first_lines(self, n: int = 2) -> list[str]:
        """The first lines that are neither blank nor comments, as far as the head goes."""
        text = self.head.decode("utf-8", errors="replace")
        lines = re.split(r"\r\n|\n|\r", text)
        if not self.is_whole and len(lines) > 1:
            lines.pop()  # cut off in the middle
        found = (line for line in lines if (s := line.strip()) and not s.startswith("#"))
        return list(itertools.islice(found, n))

    def error(self, text: str) -> InputError:
        comma = "," if text.startswith("line") else ""
        return InputError(Text(f"{self.where}{comma} {text}", f"{zh(self.where)} {zh(text)}"))


def open_source(path: str | Path, kind: str) -> Source:
    """Look at a file (or folder) without reading it all."""
    path = path_of(path)
    source = Source(path, kind)
    refuse_fork(Text(f"reading {source.where}", f"读取 {zh(source.where)}"))
    if path.is_dir() or matched(path):
        return source
    if not path.exists():
        raise source.error(Text(f"does not exist: {path}{_neighbours(path)}", f"不存在：{path}{zh(_neighbours(path))}"))
    try:
        with path.open("rb") as file:
            raw = file.read(HEAD)
    except OSError as e:
        raise source.error(Text(f"cannot be opened: {reason(e)}.", f"无法打开：{zh(reason(e))}。")) from e
    source.compression = next((name for magic, name in MAGIC.items() if raw.startswith(magic)), None)
    if source.compression and source.expected.is_scanned:
        source.head = _without_bom(_decompress(path, source.compression, source.where, HEAD))
    elif source.compression:
        source.head = source.data()[:HEAD]
    else:
        source.head = _without_bom(raw)
    if raw.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise source.error(Text("is UTF-16 text; save it as UTF-8.", "是 UTF-16 文本；请另存为 UTF-8。"))
    if not source.head.strip():
        raise source.error(
            Text("is empty.", "是空文件。") if not source.head else Text("holds nothing but blanks.", "中只有空白。")
        )
    return source


def visible(folder: Path, pattern: str = "*") -> list[Path]:
    """The files of a folder and of those below it, in the order of their names."""
    found = (p for p in folder.rglob(pattern) if p.is_file())
    return sorted(p for p in found if not any(part[0] in "._" for part in p.relative_to(folder).parts))


def matched(path: Path) -> list[Path]:
    """The files that a name with `*` or `?` in it stands for, where no file is called so."""
    if path.exists() or not any(c in str(path) for c in "*?"):
        return []
    first = next(i for i, part in enumerate(path.parts) if any(c in part for c in "*?"))
    base = Path(*path.parts[:first])
    found = base.glob(str(Path(*path.parts[first:])))
    hidden = () if path.name[0] in "._" else (".", "_")  # as in folders, unless they are asked for
    return sorted(p for p in found if p.is_file() and not p.name.startswith(hidden))


def _decompress(path: Path, compression: str | None, where: str, most: int | None = None) -> bytes:
    try:
        if compression is None:
            return path.read_bytes()
        if most is not None:
            return first_unpacked(path, compression, where, most)
        return unpacked(path.read_bytes(), compression, where)
    except InputError:
        raise
    except (EOFError, OSError, ValueError, zlib.error, lzma.LZMAError, pl.exceptions.PolarsError) as e:
        raise InputError(
            Text(
                f"{where} cannot be decompressed: damaged or cut-off {compression} data ({e}).",
                f"{zh(where)} 无法解压：{compression} 数据已损坏或不完整（{objection(str(e)).zh}）。",
            )
        ) from e


def _without_bom(data: bytes) -> bytes:
    """The text without the marks at its beginning, and at those of files that were put behind one another."""
    while data.startswith(BOM):
        data = data[len(BOM) :]
    return data.replace(b"\n" + BOM, b"\n")  # the same bytes where there are none


def _line(data: bytes, at: int) -> int:
    return data.count(b"\n", 0, at) + 1


def _neighbours(path: Path) -> str:
    try:
        names = [p.name for p in path.parent.iterdir()]
    except OSError:
        return Text(
            f". The folder {show(str(path.parent))} does not exist either.",
            f"。文件夹 {show(str(path.parent))} 也不存在。",
        )
    # Suffixes are alike among strangers: the name before them must be like it.
    own = _inner_name(path.name)
    return Text(".", "。") + suggest(path.name, [n for n in names if _is_like(_inner_name(n), own)])


def _inner_name(name: str) -> str:
    """A file's name before its first dot, or all of a hidden one's, in small letters."""
    return (name.lstrip(".").partition(".")[0] or name).casefold()


def _is_like(name: str, other: str) -> bool:
    """Whether somebody who typed the one may have meant the other: a letter too many, too few, or out of place."""
    return sorted(name) == sorted(other) or difflib.SequenceMatcher(None, name, other).ratio() >= _LIKE


_LIKE = 0.8
