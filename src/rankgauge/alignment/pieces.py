"""Rows piece by piece: pieces fit into the cache, and two threads share them."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from rankgauge.data.parallel import in_parallel

__all__ = ["in_pieces"]

T = TypeVar("T")


def in_pieces(function: Callable[[slice], T], n: int, size: int = 1 << 17) -> list[T]:
    """The function of each piece of n rows, in order."""
    return in_parallel(lambda i: function(slice(i * size, min((i + 1) * size, n))), -(-n // size))
