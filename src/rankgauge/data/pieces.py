"""Rows piece by piece: pieces fit into the cache, and two threads share them."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import TypeVar

import numpy as np

from rankgauge._typing import Array
from rankgauge.data.parallel import in_parallel

__all__ = ["in_pieces", "in_queries"]

T = TypeVar("T")


def in_pieces(function: Callable[[slice], T], n: int, size: int = 1 << 17) -> list[T]:
    """The function of each piece of n rows, in order."""
    return in_parallel(lambda i: function(slice(i * size, min((i + 1) * size, n))), -(-n // size))


def in_queries(function: Callable[[slice], T], lengths: Array, size: int = 1 << 17) -> list[T]:
    """The function of each piece of the queries, which have so many rows; a query is never divided."""
    ends = np.cumsum(lengths)
    cuts = np.searchsorted(ends, np.arange(size, ends[-1] if len(ends) else 0, size))
    pieces = list(pairwise(np.unique([0, *cuts, len(lengths)]).tolist()))
    return in_parallel(lambda i: function(slice(*pieces[i])), len(pieces))
