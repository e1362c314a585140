"""Which rows are trained on, which are tested: arrays in, a mask of train and one of test out.

Nothing here knows what was given; a row is in at most one of the two.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = [
    "Cut",
    "at_random",
    "at_time",
    "last_of_users",
    "last_rows",
    "of_users",
    "tied_at_cut",
    "time_near",
    "windows",
]

Array = NDArray[Any]
Mask = NDArray[np.bool_]
Cut = tuple[Mask, Mask]


def time_near(times: Array, share: float) -> Any:
    """The time from which on rows are tested, so that their share is as near as can be to the one asked for.

    Rows of the same time stay together. Of two times that are equally near, the later one: the smaller test. None where
    all rows have the same time.

    >>> time_near(np.array([1, 2, 2, 2, 3]), 0.4)
    3
    """
    distinct, counts = np.unique(times, return_counts=True)
    if len(distinct) < 2:
        return None
    tested = np.cumsum(counts[::-1])[::-1][1:] / len(times)  # from each but the first on
    away = np.abs(tested - share)
    return distinct[1:][len(away) - 1 - int(np.argmin(away[::-1]))].item()


def at_time(times: Array, cut: Any) -> Cut:
    """Everything before the cut, and from it on."""
    after: Mask = times >= cut
    return ~after, after


def windows(times: Array, k: int) -> Iterator[tuple[Any, Any]] | None:
    """Begin and end of k windows, one after the other, each with a like share of rows, behind such a share that is only
    trained on; the last one has no end. None where times are too few for that."""
    begins = [time_near(times, 1 - (j + 1) / (k + 1)) for j in range(k)]
    if None in begins or len(set(begins)) < k:
        return None
    return iter(zip(begins, [*begins[1:], None], strict=True))


def from_end(users: Array, times: Array | None) -> Array:
    """For each row how many rows of its user come later. Rows of the same time are in their order."""
    n = len(users)
    order = np.lexsort((np.arange(n), users) if times is None else (np.arange(n), times, users))
    ends = np.cumsum(np.bincount(users))[users[order]]
    later = np.empty(n, dtype=np.int64)
    later[order] = ends - 1 - np.arange(n)
    return later


def last_rows(users: Array, times: Array | None, n: int, skip: int = 0) -> Cut:
    """The last n rows of each user, after the last `skip` are gone, and everything before them.

    Who has not more than n rows is not tested: nothing would be left to train on.
    """
    later = from_end(users, times)
    there = later >= skip
    rows = np.bincount(users[there], minlength=int(users.max()) + 1)
    test: Mask = there & (later < skip + n) & (rows[users] > n)
    return there & ~test, test


def last_of_users(chosen: Array, users: Array, times: Array | None, n: int) -> Cut:
    """The last n rows of some users, and everything else."""
    _, last = last_rows(users, times, n)
    test: Mask = last & np.isin(users, chosen)
    return ~test, test


def of_users(chosen: Array, users: Array) -> Cut:
    """All rows of the other users, and all rows of these."""
    test: Mask = np.isin(users, chosen)
    return ~test, test


def at_random(n: int, chosen: Array) -> Cut:
    """All but some rows, and those."""
    test = np.zeros(n, dtype=bool)
    test[chosen] = True
    return ~test, test


def tied_at_cut(train: Mask, test: Mask, users: Array, times: Array) -> int:
    """Users whose last row of train and first row of test have the same time."""
    n, exact = int(users.max()) + 1, np.int64 if times.dtype.kind in "iu" else np.float64
    low, high = (np.iinfo(exact).min, np.iinfo(exact).max) if exact is np.int64 else (-np.inf, np.inf)
    last, first = np.full(n, low, dtype=exact), np.full(n, high, dtype=exact)
    np.maximum.at(last, users[train], times[train].astype(exact))
    np.minimum.at(first, users[test], times[test].astype(exact))
    return int((last == first).sum())
