"""Work for two threads: NumPy lets go of the interpreter while it computes."""

from __future__ import annotations

from collections.abc import Callable
from threading import Thread
from typing import TypeVar

__all__ = ["in_parallel"]

T = TypeVar("T")


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
