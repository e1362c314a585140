"""What runs may be given as, for those who check types: one of them, or several by name.

At run time `many_runs.py` decides by looking; these types say the same as far as types can.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from os import PathLike
from typing import Any, Protocol

from rankgauge.data.run import Run

__all__ = ["Frame", "ManyRuns", "SparkFrame", "SparkRuns"]


class Frame(Protocol):
    """A table with named columns: pandas, Polars, Arrow."""

    @property
    def columns(self) -> Any: ...


class SparkFrame(Protocol):
    """A Spark DataFrame, classic or Connect."""

    @property
    def sparkSession(self) -> Any: ...


Lists = Mapping[Any, Mapping[Any, Any] | list[Any] | tuple[Any, ...]]
"""A run as a dict: for each query its items with scores, or in order."""

Retriever = Callable[[str], Any]
"""What is asked for a run."""

ManyRuns = Mapping[str, str | PathLike[str] | Run | Frame | Lists | Retriever] | list[Any] | tuple[Any, ...]
"""Runs by name, or a list of them."""

SparkRuns = Mapping[str, SparkFrame] | list[SparkFrame]
"""Tables of Spark by name, or a list of them."""
