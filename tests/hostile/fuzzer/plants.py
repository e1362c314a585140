"""Faults that are planted to see that they are found.

All but one sit in the reader of CSV files; what mutated files are compared with is not CSV.
"""

from __future__ import annotations

import contextlib
import itertools
import os
import time
import warnings
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any
from unittest import mock

__all__ = ["PLANTS", "planted"]


def _in_the_reader(change: Callable[[Any], Any]) -> Any:
    """What the reader of CSV files returns goes through `change`."""
    from rankgauge.data.formats import REGISTRY

    csv = REGISTRY["csv"]
    return mock.patch.dict(REGISTRY, csv=replace(csv, read=lambda *given: change(csv.read(*given))))


def _and(action: Callable[[], object]) -> Callable[[Any], Any]:
    def change(loaded: Any) -> Any:
        action()
        return loaded

    return change


def _raise(*given: Any, **options: Any) -> None:
    raise ZeroDivisionError("planted")


PLANTS: dict[str, Callable[[], Any]] = {
    "first_row_lost": lambda: _in_the_reader(lambda loaded: replace(loaded, frame=loaded.frame.slice(1))),
    "reader_raises": lambda: _in_the_reader(_raise),
    "command_raises": lambda: mock.patch("rankgauge.evaluation.funnel.tracing.funnel", _raise),
    "warns": lambda: _in_the_reader(_and(lambda: warnings.warn("planted", stacklevel=1))),
    "prints": lambda: _in_the_reader(_and(lambda: os.write(2, b"planted"))),
    "hangs": lambda: _in_the_reader(_and(lambda: time.sleep(3600))),
    "spins": lambda: _in_the_reader(_and(lambda: all(itertools.repeat(True)))),
    "eats_memory": lambda: _in_the_reader(_and(lambda: bytearray(3 << 30))),
    "dies": lambda: _in_the_reader(_and(lambda: os._exit(9))),
}


@contextlib.contextmanager
def planted(name: str) -> Iterator[None]:
    """With the fault of this name, if any."""
    with PLANTS[name]() if name else contextlib.nullcontext():
        yield
