"""Ids as bytes in one buffer, so that whole arrays of them are compared without becoming text one by one.

UTF-8 orders as the characters do, and eight bytes read as one number, the first byte highest, order as bytes do.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rankgauge.data.digits import low_bytes, words_of

__all__ = ["PackedIds"]

Array = NDArray[Any]

_ROOM = b"\0" * 8  # a word is loaded at any byte


@dataclass(frozen=True, eq=False)
class PackedIds:
    """Id number i is `buffer[start[i] : start[i] + length[i]]`."""

    buffer: Array  # with room for a word behind the last id
    start: Array
    length: Array

    @classmethod
    def of(cls, ids: Iterable[str]) -> PackedIds:
        encoded = [x.encode("utf-8", "surrogatepass") for x in ids]
        return cls.of_bytes(b"".join(encoded), np.fromiter(map(len, encoded), np.int64, len(encoded)))

    @classmethod
    def of_lines(cls, lines: list[bytes], n: int) -> PackedIds | None:
        """`n` ids, each ended by a line end; None when there is a line end in one of them.

        Line ends are found in a fraction of the time that it takes to ask each id for its length.
        """
        buffer = np.frombuffer(b"".join([*lines, _ROOM]), np.uint8)
        ends = np.flatnonzero(buffer == 10)
        if len(ends) != n:
            return None
        start = np.empty_like(ends)
        start[:1], start[1:] = 0, ends[:-1] + 1
        return cls(buffer, start, ends - start)

    @classmethod
    def of_bytes(cls, joined: bytes, length: Array) -> PackedIds:
        """Ids of these lengths, one right after the other."""
        length = length.astype(np.int64)
        return cls(np.frombuffer(joined + _ROOM, np.uint8), np.cumsum(length) - length, length)

    def __len__(self) -> int:
        return len(self.start)

    def at(self, rows: Array) -> PackedIds:
        """Some of the ids, in this order."""
        return PackedIds(self.buffer, self.start[rows], self.length[rows])

    def words(self, rows: Array | slice, k: int) -> Array:
        """Bytes k … k+7 of these ids as numbers that order as the bytes do; zeros behind the end."""
        words = words_of(self.buffer)
        found: Array = words[np.minimum(self.start[rows] + k, len(words) - 1)]
        found &= low_bytes(self.length[rows].astype(np.int64) - k)
        return found.byteswap(inplace=True)

    def order_within(self, group: Array) -> Array:
        """The rows by group, those of a group in ascending order of their ids."""
        words = self.words(slice(None), 0)
        order = np.lexsort((words, group))
        a, b = order[1:], order[:-1]
        if not ((words[a] == words[b]) & (group[a] == group[b])).any():
            return order  # eight bytes were enough
        places = range(8, int(self.length.max(initial=0)), 8)
        return np.lexsort((self.length, *(self.words(slice(None), k) for k in reversed(places)), words, group))

    def compared(self, rows: Array, other: PackedIds, other_rows: Array) -> tuple[Array, Array]:
        """Which of these ids come before those of the other, pair by pair, and which are the same."""
        before = self.words(rows, 0)
        theirs = other.words(other_rows, 0)
        same = before == theirs
        before = before < theirs
        left, k = np.flatnonzero(same), 0
        while len(left):
            mine, length = rows[left], self.length[rows[left]]
            theirs, their_length = other_rows[left], other.length[other_rows[left]]
            k += 8
            if k >= int(max(length.max(), their_length.max())):  # the shorter one is the beginning of the other
                before[left], same[left] = length < their_length, length == their_length
                break
            a, b = self.words(mine, k), other.words(theirs, k)
            before[left], same[left] = a < b, a == b
            left = left[a == b]
        return before, same
