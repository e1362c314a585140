"""Clean TREC files, read at the speed of memory: the ids stay where they are, only their hashes travel.

Most runs are written by programs: the same number of fields on each line, plain decimal scores, one
query after the other. Such a file needs no table of strings. Its separators are found, ids are hashed
eight bytes at a time, scores are computed from their digits, all with whole-array arithmetic; then
judged ids are looked up by hash and compared byte by byte. Anything unusual (a comment, a blank line,
an exponent, interleaved queries, a repeated id) makes `open_text` return None, and the general reader,
which knows about all that and about line numbers, takes over. Both give the same rows.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise
from mmap import ACCESS_READ, mmap
from os import PathLike
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from rankgauge._piped import path_of
from rankgauge.data._places import named
from rankgauge.data.digits import decimals, low_bytes, words_of
from rankgauge.data.packed_ids import PackedIds
from rankgauge.data.parallel import in_parallel

__all__ = ["TrecText", "is_trec", "open_text"]

Array = NDArray[Any]

_PAD = b"\n" * 32  # room around the text
_CHUNK = 1 << 22  # bytes that one pass handles: small enough for the cache, large enough for NumPy
_OTHER_FORMATS = re.compile(
    r"\.(csv|tsv|json|jsonl|ndjson|parquet|pq|arrow|ipc|feather|svm|letor)(\.\w+)?$", re.IGNORECASE
)
_LAYOUT = {"run": (6, 2, 4), "qrels": (4, 2, 3)}  # fields, place of the id, place of the number
_NUMBER = re.compile(rb"-?\d+(\.\d*)?$")

_MIX = np.uint64(0x9E3779B97F4A7C15)


@dataclass(frozen=True, eq=False)
class TrecText:
    """Rows of a clean file, without their ids: line, hash of the id, number, and where queries begin."""

    buffer: Array  # the bytes, padded
    line: Array  # (N,) where each line starts
    id_start: Array  # (N,) where its id starts, behind the start of the line
    id_length: Array
    hash: Array  # (N,) of the id
    value: Array  # (N,) score or grade
    block: Array  # (Q,) the row with which each query begins
    names: Sequence[str]  # (Q,) the queries

    @property
    def lengths(self) -> Array:
        """Rows of each query."""
        return np.diff(np.append(self.block, len(self.line)))

    def ids(self, rows: Array | slice) -> list[str]:
        """The ids of some rows, as text."""
        raw = memoryview(self.buffer)  # type: ignore[arg-type]
        start = self.line[rows] + self.id_start[rows]
        end = start + self.id_length[rows]
        return [str(raw[a:b], "utf-8") for a, b in zip(start.tolist(), end.tolist(), strict=True)]

    def packed_ids(self, rows: Array) -> PackedIds:
        """The ids of some rows, where they are."""
        return PackedIds(self.buffer, self.line[rows] + self.id_start[rows], self.id_length[rows])

    def last_field(self) -> str:
        """The last word of the last line."""
        return bytes(self.buffer[self.line[-1] :]).split()[-1].decode()

    def same_ids(self, rows: Array, other: TrecText, other_rows: Array) -> bool:
        """Whether the ids of these rows are those of the other's rows, byte by byte."""
        length = self.id_length[rows]
        if (length != other.id_length[other_rows]).any():
            return False
        a, b = words_of(self.buffer), words_of(other.buffer)
        mine = self.line[rows] + self.id_start[rows]
        theirs = other.line[other_rows] + other.id_start[other_rows]
        for k in range(0, int(length.max(initial=0)), 8):
            some = np.flatnonzero(length > k)
            keep = low_bytes(length[some].astype(np.int64) - k)
            if ((a[mine[some] + k] ^ b[theirs[some] + k]) & keep).any():
                return False
        return True

    def keys(self, rows: Array | slice, query: Array) -> Array:
        """Hashes of (query, id) for some rows, with the queries numbered as given for each row."""
        keys: Array = query.astype(np.uint64)
        keys *= _MIX
        keys ^= self.hash[rows]
        return keys


def open_text(path: str | Path, kind: Literal["run", "qrels"]) -> TrecText | None:
    """The rows of a clean TREC file, or None when the general reader should look at it."""
    path = path_of(path)
    if sys.byteorder != "little" or _OTHER_FORMATS.search(path.name) or not path.is_file():
        return None
    loaded = _load(path, kind)
    if loaded is None:
        return None
    buffer, start, end = loaded
    if not _looks_like(bytes(buffer[start : start + 4096]), kind):
        return None
    bounds = _line_bounds(buffer, start, end)
    pieces = [buffer[a : b + (buffer[b - 1] > 32)] for a, b in pairwise(bounds)]  # a last line may lack its line end
    n_lines = in_parallel(lambda i: int(np.count_nonzero(pieces[i] == 10)), len(pieces))
    rows = _Rows(sum(n_lines))
    before = list(accumulate(n_lines, initial=0))
    refused: list[int] = []

    def parse(i: int) -> None:
        if not refused and not _parse(buffer, bounds[i], pieces[i], kind, rows.part(before[i], before[i + 1])):
            refused.append(i)

    in_parallel(parse, len(pieces))
    if refused:
        return None
    _join_queries(buffer, rows, before[1:-1])
    block = np.flatnonzero(rows.is_new)
    names = _fields(buffer, rows.line[block], 0)
    if len(set(names)) < len(names):
        return None  # interleaved
    if kind == "qrels" and len(set(_fields(buffer, rows.line[before[:-1]], 1))) > 1:
        return None  # judgements by subtopic
    return TrecText(buffer, rows.line, rows.id_start, rows.id_length, rows.hash, rows.value, block, names)


class _Rows:
    """Room for what is kept of each line."""

    def __init__(self, n: int) -> None:
        self.line = np.empty(n, np.int64)
        self.id_start = np.empty(n, np.uint16)
        self.id_length = np.empty(n, np.uint16)
        self.hash = np.empty(n, np.uint64)
        self.value = np.empty(n, np.float64)
        self.is_new = np.empty(n, np.bool_)

    def part(self, start: int, end: int) -> _Rows:
        """The rows of a piece, to be filled in place."""
        view = _Rows(0)
        for name, column in vars(self).items():
            setattr(view, name, column[start:end])
        return view


def _load(path: Path, kind: str) -> tuple[Array, int, int] | None:
    """The bytes of a file, and from where to where in them the text is; None when it is not plain text.

    Words of eight bytes are loaded at any byte of an id, so there has to be room behind the last one. In a run that
    ends with a line end the fields after the id leave enough: it can be used where it is.
    """
    with path.open("rb") as file:
        magic = file.read(4)
        if magic[:3] in (b"BZh", b"\xef\xbb\xbf") or magic in (b"\xfd7zX", b"\x28\xb5\x2f\xfd", b"PAR1"):
            return None
        size = path.stat().st_size
        if magic[:2] != b"\x1f\x8b" and kind == "run" and size > _CHUNK:
            mapped = np.frombuffer(mmap(file.fileno(), 0, access=ACCESS_READ), np.uint8)
            if mapped[-1] == 10:
                return mapped, 0, size
        file.seek(0)
        data = file.read()
    if magic[:2] == b"\x1f\x8b":
        import zlib

        from rankgauge._unpacked import unpacked

        try:
            data = unpacked(data, "gzip", named(kind, path.name))
        except (OSError, EOFError, ValueError, zlib.error):
            return None  # the general reader says what is wrong
    buffer = np.frombuffer(b"".join((_PAD, data, _PAD)), np.uint8)
    return buffer, len(_PAD), len(_PAD) + len(data)


def _looks_like(head: bytes, kind: str) -> bool:
    fields, _, number = _LAYOUT[kind]
    first = head.partition(b"\n")[0].split()
    return len(first) == fields and _NUMBER.match(first[number]) is not None


def is_trec(path: str | PathLike[str]) -> bool:
    """Whether the first line of a file has the fields of TREC lines, which have no names."""
    path = path_of(path)
    if _OTHER_FORMATS.search(path.name) or not path.is_file():
        return False
    with path.open("rb") as file:
        head = file.read(4096)
    if head[:2] == b"\x1f\x8b":
        import zlib

        try:
            head = zlib.decompressobj(wbits=31).decompress(head, 4096)
        except zlib.error:
            return False  # the general reader says what is wrong
    return any(_looks_like(head, kind) for kind in _LAYOUT)


def _line_bounds(buffer: Array, start: int, end: int) -> list[int]:
    """Cuts the bytes into pieces that end with a line."""
    bounds = [start]
    while end - bounds[-1] > _CHUNK:
        cut = bounds[-1] + _CHUNK
        while not (found := np.flatnonzero(buffer[cut : cut + 4096] == 10)).size:
            cut += 4096
        if cut + found[0] >= end:
            break
        bounds.append(cut + int(found[0]) + 1)
    return [*bounds, end] if bounds[-1] < end else bounds


def _parse(buffer: Array, start: int, piece: Array, kind: str, rows: _Rows) -> bool:
    """Fills in the rows of a piece of the buffer; False when a line is not as expected."""
    fields, id_field, number_field = _LAYOUT[kind]
    is_ascii = piece.max() < 128
    if not is_ascii and not _is_utf8(piece):
        return False
    blank = piece <= 32
    found = np.flatnonzero(blank)
    n_lines = len(rows.line)
    if len(found) != fields * n_lines or blank[0] or (blank[1:] & blank[:-1]).any():
        return False  # fields too many or too few; two blanks, a blank line, CR LF
    others = len(found) - n_lines - int(np.count_nonzero(piece == 32))
    if others and others != int(np.count_nonzero(piece == 9)):
        return False  # neither blanks nor tabs: control characters
    ends: Array = found.reshape(-1, fields)
    if (piece[ends[:, -1]] != 10).any():
        return False  # lines with fewer fields beside lines with more
    first = np.concatenate(([0], ends[:-1, -1] + 1))
    if (piece[first] == 35).any():  # a comment
        return False
    if not is_ascii and (piece[first[piece[first] == 0xEF] + 1] == 0xBB).any():
        return False  # a byte order mark, where files were put behind one another
    words = words_of(buffer[start : start + len(piece) + 8])
    value = decimals(piece, words, ends[:, number_field - 1] + 1, ends[:, number_field])
    if value is None:
        return False
    if kind == "run" and not _is_digit(piece[ends[:, 3] - 1]).all():
        return False  # the rank is not used, but when it is no number the fields have moved
    if kind == "qrels" and _changes(words, ends[:, 0] + 1, ends[:, 1])[1:].any():
        return False  # judgements by subtopic
    id_start = ends[:, id_field - 1] + 1
    id_length, indent = ends[:, id_field] - id_start, id_start - first
    if max(int(id_length.max()), int(indent.max())) > 0xFFFF:
        return False
    rows.id_start[:], rows.id_length[:], rows.value[:] = indent, id_length, value
    _hash(words, id_start, id_length, out=rows.hash)
    rows.is_new[:] = _changes(words, first, ends[:, 0])
    np.add(first, start, out=rows.line)
    return True


def _is_digit(byte: Array) -> Array:
    digit: Array = (byte - np.uint8(48)) < 10  # unsigned: what is below wraps around
    return digit


def _is_utf8(piece: Array) -> bool:
    try:
        str(memoryview(piece), "utf-8")  # type: ignore[arg-type]
    except UnicodeDecodeError:
        return False
    return True


def _hash(words: Array, start: Array, length: Array, out: Array) -> None:
    """A 64-bit hash of the bytes start:start+length of each row."""
    h = out
    h[:] = length
    shortest, longest = int(length.min(initial=0)), int(length.max(initial=0))
    for k in range(0, longest, 8):
        if shortest > k:
            word = words[start + k]
            if shortest < k + 8:
                word &= low_bytes(length - k)
            h += word
            h *= _MIX
        else:
            some = np.flatnonzero(length > k)
            h[some] = (h[some] + (words[start[some] + k] & low_bytes(length[some] - k))) * _MIX
    h ^= h >> np.uint64(32)
    h *= _MIX


def _changes(words: Array, start: Array, end: Array) -> Array:
    """Rows whose field differs from that of the row before; the first row counts as one."""
    length = end - start
    out = np.ones(len(start), dtype=bool)
    out[1:] = length[1:] != length[:-1]
    for k in range(0, int(length.max(initial=0)), 8):
        # a field that ended before k is masked away, and so may be read anywhere
        word = words[np.minimum(start + k, len(words) - 1)] & low_bytes(length - k)
        out[1:] |= word[1:] != word[:-1]
    return out


def _join_queries(buffer: Array, rows: _Rows, firsts: list[int]) -> None:
    """A query that goes on in the next piece does not begin there."""
    ends = _fields(buffer, rows.line[np.array(firsts, dtype=np.int64) - 1], 0)
    begins = _fields(buffer, rows.line[firsts], 0)
    for row, a, b in zip(firsts, ends, begins, strict=True):
        rows.is_new[row] = a != b


def _fields(buffer: Array, lines: Array, number: int) -> list[str]:
    """One of the first fields of some lines, as text."""
    raw = memoryview(buffer)  # type: ignore[arg-type]
    out = []
    for start in lines.tolist():
        width = 64
        while len(found := bytes(raw[start : start + width]).split(None, number + 1)) < number + 2 and width < 1 << 17:
            width *= 8
        out.append(found[number].decode())
    return out
