"""Work for two threads: NumPy lets go of the interpreter while it computes."""

from __future__ import annotations

from collections.abc import Callable
from threading import Thread
from typing import TypeVar

import numpy as np

from rankgauge._typing import Array

__all__ = ["both", "in_order", "in_parallel"]

S = TypeVar("S")
T = TypeVar("T")
U = TypeVar("U")

_LONG = 1 << 18
"""Values from which on two threads sort them sooner than one."""


def in_parallel(function: Callable[[int], T], n: int) -> list[T]:
    """[function(0), …, function(n-1)], computed by two threads.

    An executor would do the same, and take longer to import than these threads take to run.
    """
    if n == 1:
        return [function(0)]
    out: dict[int, T] = {}
    failed: list[BaseException] = []
    numbers = iter(range(n))

    def work() -> None:
        try:
            for i in numbers:  # one iterator for both: each number is taken once
                out[i] = function(i)
        except BaseException as e:
            failed.append(e)

    helper = Thread(target=work)
    helper.start()
    work()
    helper.join()
    if failed:
        raise failed[0]
    return [out[i] for i in range(n)]


def both(first: Callable[[], S], second: Callable[[], U]) -> tuple[S, U]:
    """(first(), second()), computed at the same time."""
    calls: tuple[Callable[[], S | U], ...] = (first, second)
    one, other = in_parallel(lambda i: calls[i](), 2)
    return one, other  # type: ignore[return-value]


def in_order(values: Array) -> Array:
    """np.sort(values) of finite numbers: the lower and the upper half at the same time."""
    if len(values) < _LONG:
        return np.sort(values)
    some = np.sort(values[:: len(values) // 1024])
    lower = values < some[len(some) // 2]
    halves = in_parallel(lambda i: np.sort(values[~lower if i else lower]), 2)
    return np.concatenate(halves)
