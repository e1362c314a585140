"""Ids as codes: a whole number for each id, in the order of ids as texts.

Ids that are numbers stay numbers on the way, which is quicker than to compare texts.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from rankgauge._typing import Array
from rankgauge.data.mappings import id_text

if TYPE_CHECKING:
    import polars as pl

__all__ = ["Coded", "Codes", "coded", "counted", "trimmed"]

Codes = NDArray[np.int32]


def coded(ids: pl.Series) -> tuple[Codes, pl.Series]:
    """A code for each row and the ids behind them, in order as texts."""
    import polars as pl

    if ids.dtype.is_integer() and len(ids) and 0 <= int(ids.min()) <= int(ids.max()) < 10**_DIGITS:  # type: ignore[arg-type]
        return _numbers_coded(ids.to_numpy())
    known = ids.unique()
    texts = known.cast(pl.String)
    order = texts.arg_sort()
    if ids.dtype == pl.String:
        names = texts.gather(order)
        codes = ids.cast(pl.Enum(names)).to_physical().to_numpy()
        return codes.astype(np.int32), names.alias("id")
    numbers = known.to_numpy()
    place = np.empty(len(numbers), dtype=np.int32)
    place[order.to_numpy()] = np.arange(len(numbers), dtype=np.int32)
    return _Numbers(numbers, place).codes(ids.to_numpy()), texts.gather(order).alias("id")


_DIGITS = 17  # of numbers whose order as texts is that of integers


def _numbers_coded(ids: Array) -> tuple[Codes, pl.Series]:
    """The same of numbers from 0 on: those of fewer digits come where they would with zeros behind, the short ones
    first."""
    import polars as pl

    known = _distinct(ids)
    digits = len(str(known.max()))
    keys = known.astype(np.int64)
    for n in range(1, digits):
        keys[known < 10**n] *= 10
    length = np.searchsorted(10 ** np.arange(1, digits), known, side="right")
    known = known[np.lexsort((length, keys))]
    names = pl.Series("id", known).cast(pl.String)
    return _Numbers(known, np.arange(len(known), dtype=np.int32)).codes(ids), names


def _distinct(ids: Array) -> Array:
    """Each number once."""
    import polars as pl

    low, n = int(ids.min()), int(ids.max()) - int(ids.min()) + 1
    if n > _ROOM * len(ids):
        return pl.Series(ids).unique().to_numpy()
    there = np.zeros(n, dtype=bool)
    there[ids - low if low else ids] = True
    return np.flatnonzero(there) + low


class Coded:
    """Ids that have codes, in order as texts: made ready once, to be looked up many times."""

    def __init__(self, ids: pl.Series) -> None:
        self._ids = ids

    def codes(self, ids: Any) -> Codes:
        """The code of each id, -1 where it is none of those that are known; a list, or a column of texts or numbers."""
        import polars as pl

        if isinstance(ids, pl.Series) and ids.dtype.is_integer():
            return self._numbers.codes(ids.cast(pl.Int64).to_numpy())
        asked = ids if isinstance(ids, pl.Series) else pl.Series([id_text(i) for i in ids], dtype=pl.String)
        asked = asked.cast(pl.String)
        numbers = asked.cast(pl.Int64, strict=False)
        if len(asked) and not numbers.has_nulls() and (numbers.cast(pl.String) == asked).all():
            return self._numbers.codes(numbers.to_numpy())  # in a third of the time
        found = asked.cast(pl.Enum(self._ids), strict=False).to_physical()
        return found.cast(pl.Int64).fill_null(-1).to_numpy().astype(np.int32)

    def by_part(self, ids: pl.Series) -> Callable[[slice], Codes]:
        """The same of a column, some of its rows at a time."""
        import polars as pl

        if not ids.dtype.is_integer():
            return self.codes(ids).__getitem__
        asked, known = ids.cast(pl.Int64).to_numpy(), self._numbers
        return lambda part: known.codes(asked[part])

    @cached_property
    def _numbers(self) -> _Numbers:
        """Those that are numbers: no text is made of what is asked."""
        import polars as pl

        values = self._ids.cast(pl.Int64, strict=False)
        numbers = (values.cast(pl.String) == self._ids).fill_null(False).arg_true()  # 007 is the text of no number
        return _Numbers(values.gather(numbers).to_numpy(), numbers.to_numpy().astype(np.int32))


_ROOM = 8  # places of a table for each id


class _Numbers:
    """Numbers, each once, and the code beside each."""

    def __init__(self, names: Array, codes: Codes) -> None:
        self._names, self._codes = names, codes
        self._low, self._high = (int(names.min()), int(names.max())) if len(names) else (0, -1)

    def codes(self, asked: Array) -> Codes:
        """The code beside each number that is asked, -1 where it is none of the names."""
        if not len(self._names):
            return np.full(len(asked), -1, dtype=np.int32)
        low, high = self._low, self._high
        if self._table is None:
            names, codes = self._sorted
            at = np.minimum(np.searchsorted(names, asked), len(names) - 1)
            found: Codes = np.where(names[at] == asked, codes[at], np.int32(-1))
            return found
        if len(asked) and low <= int(asked.min()) and int(asked.max()) <= high:
            inner: Codes = self._table[asked - low if low else asked]
            return inner
        inside = (asked >= low) & (asked <= high)
        return np.where(inside, self._table[np.where(inside, asked, low) - low], np.int32(-1))

    @cached_property
    def _table(self) -> Codes | None:
        """By number, where they are close together: a table is quicker than a search."""
        if self._high - self._low >= _ROOM * len(self._names):
            return None
        table = np.full(self._high - self._low + 1, -1, dtype=np.int32)
        table[self._names - self._low] = self._codes
        return table

    @cached_property
    def _sorted(self) -> tuple[Array, Codes]:
        order = np.argsort(self._names)
        return self._names[order], self._codes[order]


_AT_A_TIME = 1 << 17  # codes that are counted together; counting makes wide numbers of them


def counted(codes: Codes, n: int) -> NDArray[np.int64]:
    """How often each of n codes is there; -1 counts for none."""
    size = max(_AT_A_TIME, n)
    counts = np.zeros(n + 1, dtype=np.int64)
    for at in range(0, len(codes), size):
        counts += np.bincount(codes[at : at + size] + 1, minlength=n + 1)
    return counts[1:]


def trimmed(codes: Codes, ids: pl.Series) -> tuple[Codes, pl.Series]:
    """The same rows over the ids that they have."""
    there = np.bincount(codes, minlength=len(ids)) > 0
    if there.all():
        return codes, ids
    renamed = (np.cumsum(there) - 1).astype(np.int32)
    return renamed[codes], ids.gather(np.flatnonzero(there))
