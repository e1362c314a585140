"""The first k of every row of scores, without sorting the others: full rankings of whole catalogues.

Scores come as a matrix (dense, memory-mapped or sparse) or as factors whose products they are, and are looked at in
blocks of rows, so that a catalogue never has to be there for all users at once. What a user has seen is left out.

Only the k-th score of a row has to be known (`np.partition`): what is above it is in, and of what equals it the first
in the order of ties. That is the order in which rankings are evaluated, by descending id, so that a list cut at k gives
the numbers of the whole ranking.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from rankgauge._checks import whole
from rankgauge._show import show
from rankgauge._text import Text, zh
from rankgauge.data.interactions import Interactions
from rankgauge.data.matrices import ids_of
from rankgauge.data.table import is_sparse
from rankgauge.errors import InputError

if TYPE_CHECKING:
    import polars as pl

__all__ = ["Seen", "TieOrder", "first_k", "lists_of_blocks", "lists_of_factors", "lists_of_scores", "seen_of"]

Array = NDArray[Any]
Block = Callable[[slice], Array]
"""Scores of some rows, in columns of the order of ties, as a float64 array that may be written to."""

_CELLS = 1 << 22
"""Scores of a block: 32 MiB of them."""


def first_k(scores: Array, k: int) -> tuple[Array, Array, Array]:
    """Row, column and score of the k best of each row, best first; the first column where scores are equal.

    What is NaN or -inf is not there; such an array is written over.

    >>> [part.tolist() for part in first_k(np.array([[1.0, 3.0, 3.0], [2.0, np.nan, 1.0]]), 2)]
    [[0, 0, 1, 1], [1, 2, 0, 2], [3.0, 3.0, 2.0, 1.0]]
    """
    n = scores.shape[1]
    k = min(k, n)
    scores[np.isnan(scores)] = -np.inf
    kth = np.partition(scores, n - k, axis=1)[:, n - k, None]
    chosen, level = scores > kth, scores == kth
    room = k - chosen.sum(axis=1)
    crowded = level.sum(axis=1) > room
    if crowded.any():
        level[crowded] &= np.cumsum(level[crowded], axis=1, dtype=np.int32) <= room[crowded, None]
    chosen |= level & (kth > -np.inf)
    row, column = np.nonzero(chosen)
    found = scores[row, column]
    order = np.lexsort((column, -found, row))
    return row[order], column[order], found[order]


@dataclass(frozen=True, eq=False)
class TieOrder:
    """Items in the order in which ties are broken: by descending id, as text."""

    ids: pl.Series
    order: Array
    """Where each of them stands in what the caller has."""

    @classmethod
    def of(cls, ids: pl.Series) -> TieOrder:
        order = ids.arg_sort(descending=True)
        return cls(ids.gather(order), order.to_numpy())

    @property
    def place(self) -> Array:
        """For each item of the caller, its place here."""
        place = np.empty(len(self.order), dtype=np.int64)
        place[self.order] = np.arange(len(self.order))
        return place


@dataclass(frozen=True, eq=False)
class Seen:
    """What users have seen already: the columns of user `u` are `columns[starts[u] : starts[u + 1]]`."""

    starts: Array
    columns: Array

    def hide(self, scores: Array, rows: slice) -> None:
        """Leave it out of the scores of some users."""
        starts = self.starts[rows.start : rows.stop + 1]
        row = np.repeat(np.arange(len(starts) - 1), np.diff(starts))
        scores[row, self.columns[starts[0] : starts[-1]]] = -np.inf

    @classmethod
    def of_pairs(cls, users: Array, columns: Array, n_users: int) -> Seen:
        order = np.argsort(users, kind="stable")
        starts = np.concatenate([[0], np.cumsum(np.bincount(users, minlength=n_users))])
        return cls(starts, columns[order])


def seen_of(seen: Any, users: pl.Series, items: TieOrder, where: str) -> Seen:
    """Interactions by their ids, or a matrix of users × items whose entries that are not 0 were seen."""
    shape = (len(users), len(items.ids))
    if isinstance(seen, np.ndarray) or is_sparse(seen):
        if tuple(seen.shape) != shape:
            raise InputError(
                Text(
                    f"{where}: `seen` must have a row for each user and a column for each item, {shape[0]:,} × "
                    f"{shape[1]:,}, got {' × '.join(f'{n:,}' for n in seen.shape)}.",
                    f"{zh(where)}：`seen` 必须每个用户一行、每个物品一列，即 {shape[0]:,} × {shape[1]:,}，实际为 "
                    f"{' × '.join(f'{n:,}' for n in seen.shape)}。",
                )
            )
        row, column = seen.nonzero()
        return Seen.of_pairs(np.asarray(row), items.place[column], shape[0])
    known = Interactions.of(seen, name="seen")
    item = known.item_codes(items.ids)
    column_of = np.full(known.n_items + 1, -1, dtype=np.int64)
    column_of[item[item >= 0]] = np.flatnonzero(item >= 0)
    sizes, history = known.histories_of(known.user_codes(users))
    row, column = np.repeat(np.arange(len(sizes)), sizes), column_of[history]
    return Seen.of_pairs(row[column >= 0], column[column >= 0], shape[0])


def lists_of_blocks(scores: Block, users: pl.Series, items: TieOrder, k: int, seen: Seen | None) -> pl.DataFrame:
    """The columns of a run: the first k of each user, of scores that come in blocks."""
    import polars as pl

    parts: list[tuple[Array, Array, Array]] = []
    for rows in _blocks(len(users), len(items.ids)):
        block = scores(rows)
        if seen is not None:
            seen.hide(block, rows)
        row, column, found = first_k(block, k)
        parts.append((row + rows.start, column, found))
    row, column, found = (np.concatenate(part) for part in zip(*parts, strict=True))
    return pl.DataFrame({"query_id": users.gather(row), "doc_id": items.ids.gather(column), "score": found})


def _blocks(n_users: int, n_items: int) -> Iterator[slice]:
    size = max(_CELLS // max(n_items, 1), 1)
    return (slice(at, min(at + size, n_users)) for at in range(0, n_users, size))


def lists_of_scores(
    scores: Any, k: int, seen: Any, query_ids: Sequence[Any] | None, doc_ids: Sequence[Any] | None, where: str
) -> tuple[pl.DataFrame, pl.Series]:
    """Of scores[n_users, n_items], and the users."""
    whole("k", k)
    sparse = is_sparse(scores)
    matrix = scores.tocsr() if sparse else np.asanyarray(scores)
    if matrix.ndim != 2 or 0 in matrix.shape or matrix.dtype.kind not in "fiub":
        got = f"{matrix.shape}, {matrix.dtype}"
        raise InputError(
            Text(
                f"{where}: scores must be numbers in a row per user and a column per item, got shape {got}.",
                f"{zh(where)}：得分必须是数字，每个用户一行、每个物品一列，实际形状为 {got}。",
            )
        )
    users = ids_of(query_ids, matrix.shape[0], "query_ids", where)
    items = TieOrder.of(ids_of(doc_ids, matrix.shape[1], "doc_ids", where))

    def block(rows: slice) -> Array:
        if not sparse:
            return _widened(matrix[rows])[:, items.order]
        part = matrix[rows].tocoo()  # what is not stored was not retrieved
        dense = np.full(part.shape, -np.inf)
        dense[part.row, items.place[part.col]] = part.data
        return dense

    hidden = None if seen is None else seen_of(seen, users, items, where)
    return lists_of_blocks(block, users, items, k, hidden), users


def _widened(values: Any) -> Array:
    if isinstance(values, np.ma.MaskedArray):
        return np.ma.filled(values.astype(np.float64), np.nan)
    return np.asarray(values, dtype=np.float64)


def lists_of_factors(
    user_factors: Any,
    item_factors: Any,
    k: int,
    seen: Any,
    query_ids: Sequence[Any] | None,
    doc_ids: Sequence[Any] | None,
    item_bias: Any,
    where: str,
) -> tuple[pl.DataFrame, pl.Series]:
    """Of scores that are products of factors: those of a user with those of an item, and the bias of the item."""
    whole("k", k)
    of_users, of_items = (_factors(f, name, where) for f, name in ((user_factors, "user"), (item_factors, "item")))
    if of_users.shape[1] != of_items.shape[1]:
        raise InputError(
            Text(
                f"{where}: users and items must have as many factors, got {of_users.shape[1]:,} and "
                f"{of_items.shape[1]:,}.",
                f"{zh(where)}：用户和物品的因子数必须相同，实际为 {of_users.shape[1]:,} 和 {of_items.shape[1]:,}。",
            )
        )
    users = ids_of(query_ids, len(of_users), "query_ids", where)
    items = TieOrder.of(ids_of(doc_ids, len(of_items), "doc_ids", where))
    right = of_items[items.order].T
    bias: Array | float = 0.0
    if item_bias is not None:
        given = np.asarray(item_bias)
        if given.shape != (len(of_items),) or given.dtype.kind not in "fiu" or not np.isfinite(given).all():
            raise InputError(
                Text(
                    f"{where}: `item_bias` must have a finite number for each of {len(of_items):,} items, got shape "
                    f"{given.shape}, {given.dtype}.",
                    f"{zh(where)}：`item_bias` 必须为 {len(of_items):,} 个物品各给出一个有限的数字，实际形状为 "
                    f"{given.shape}，类型为 {given.dtype}。",
                )
            )
        bias = given.astype(np.float64)[items.order]

    def block(rows: slice) -> Array:
        return (of_users[rows] @ right).astype(np.float64) + bias

    hidden = None if seen is None else seen_of(seen, users, items, where)
    return lists_of_blocks(block, users, items, k, hidden), users


def _factors(values: Any, of: str, where: str) -> Array:
    found = np.asarray(values)
    what = Text(f"{of} factors", f"{'用户' if of == 'user' else '物品'}因子")
    if found.ndim != 2 or 0 in found.shape or found.dtype.kind not in "fiu":
        raise InputError(
            Text(
                f"{where}: {what} must be numbers in a row per {of}, got shape {found.shape}, {found.dtype}.",
                f"{zh(where)}：{what.zh}必须是数字，每个{what.zh[:2]}一行，实际形状为 {found.shape}，类型为 "
                f"{found.dtype}。",
            )
        )
    if not np.isfinite(found).all():
        row, column = np.argwhere(~np.isfinite(found))[0].tolist()
        odd = show(float(found[row, column]))
        raise InputError(
            Text(
                f"{where}: {what} must be finite numbers, got {odd} in row {row + 1:,}.",
                f"{zh(where)}：{what.zh}必须是有限的数字，实际第 {row + 1:,} 行有 {odd}。",
            )
        )
    return found
