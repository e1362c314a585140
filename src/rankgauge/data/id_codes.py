"""Ids as codes: a whole number for each id, in the order of ids as texts.

Ids that are numbers stay numbers on the way, which is quicker than to compare texts.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from rankgauge._typing import Array
from rankgauge.data.mappings import id_text

if TYPE_CHECKING:
    import polars as pl

__all__ = ["Codes", "coded", "codes_in", "trimmed"]

Codes = NDArray[np.int32]


def coded(ids: pl.Series) -> tuple[Codes, pl.Series]:
    """A code for each row and the ids behind them, in order as texts."""
    import polars as pl

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
    return _beside(numbers, place, ids.to_numpy()), texts.gather(order).alias("id")


def codes_in(known: pl.Series, ids: Any) -> Codes:
    """The code of each id among those that are known, in order as texts; -1 where it is none of them."""
    import polars as pl

    if isinstance(ids, pl.Series) and ids.dtype.is_integer():
        return _codes_of_numbers(known, ids)
    asked = ids if isinstance(ids, pl.Series) else pl.Series([id_text(i) for i in ids], dtype=pl.String)
    asked = asked.cast(pl.String)
    numbers = asked.cast(pl.Int64, strict=False)
    if len(asked) and not numbers.has_nulls() and (numbers.cast(pl.String) == asked).all():
        return _codes_of_numbers(known, numbers)  # in a third of the time
    found = asked.cast(pl.Enum(known), strict=False).to_physical()
    return found.cast(pl.Int64).fill_null(-1).to_numpy().astype(np.int32)


_ROOM = 8  # places of a table for each id


def _codes_of_numbers(known: pl.Series, ids: pl.Series) -> Codes:
    """Ids that are numbers, without making texts of them: those that are known are fewer."""
    import polars as pl

    values = known.cast(pl.Int64, strict=False)
    numbers = (values.cast(pl.String) == known).fill_null(False).arg_true()  # 007 is the text of no number
    names, codes = values.gather(numbers).to_numpy(), numbers.to_numpy()
    asked = ids.cast(pl.Int64).to_numpy()
    return _beside(names, codes, asked)


def _beside(names: Array, codes: Array, asked: Array) -> Codes:
    """The code beside each number that is asked, -1 where it is none of the names, which are numbers, each once."""
    if not len(names):
        return np.full(len(asked), -1, dtype=np.int32)
    low, high = int(names.min()), int(names.max())
    if high - low < _ROOM * len(names):  # numbers close together: a table is quicker than a search
        table = np.full(high - low + 1, -1, dtype=np.int32)
        table[names - low] = codes
        inside = (asked >= low) & (asked <= high)
        return table[asked - low] if inside.all() else np.where(inside, table[np.where(inside, asked, low) - low], -1)
    order = np.argsort(names)
    at = np.minimum(np.searchsorted(names[order], asked), len(names) - 1)
    found: Codes = np.where(names[order][at] == asked, codes[order][at], -1).astype(np.int32)
    return found


def trimmed(codes: Codes, ids: pl.Series) -> tuple[Codes, pl.Series]:
    """The same rows over the ids that they have."""
    there = np.bincount(codes, minlength=len(ids)) > 0
    if there.all():
        return codes, ids
    renamed = (np.cumsum(there) - 1).astype(np.int32)
    return renamed[codes], ids.gather(np.flatnonzero(there))
