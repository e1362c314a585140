"""One run or several: a dict of runs by name, or a list of runs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from numbers import Real
from os import PathLike
from typing import Any

import numpy as np

from rankgauge._piped import is_there, passes_by, taken_in
from rankgauge._show import show_all
from rankgauge._text import Text
from rankgauge.data.both_sides import is_sided, is_system, split
from rankgauge.data.run import Run
from rankgauge.data.run_names import names_of
from rankgauge.data.table import is_sparse
from rankgauge.errors import InputError

__all__ = ["each_taken_in", "listed", "several"]


def each_taken_in(runs: Any) -> Any:
    """One run or several, where those that can be read once only are there to be read again and again."""
    if isinstance(runs, Mapping) and len(runs) <= _MOST and any(map(_has_pipes, runs.values())):
        return {name: each_taken_in(run) for name, run in runs.items()}
    if isinstance(runs, (list, tuple)) and len(runs) <= _MOST and any(map(_has_pipes, runs)):
        return [each_taken_in(run) for run in runs]
    return taken_in(runs)


_MOST = 1_000
"""Systems in one call; more are the queries of one."""


def _has_pipes(run: Any) -> bool:
    """Whether it is one, or a list of files with one among them."""
    some = run if isinstance(run, (list, tuple)) else [run]
    are_paths = bool(some) and all(isinstance(r, (str, PathLike)) and is_there(r) for r in some)
    return are_paths and any(map(passes_by, some))


def several(run: Any) -> dict[str, Any] | None:
    """Several runs by name, or None when there is one; those of a list have their own names.

    >>> several({"a": {"q1": {"d1": 0.9}}, "b": {"q1": ["d1"]}})
    {'a': {'q1': {'d1': 0.9}}, 'b': {'q1': ['d1']}}
    >>> several({"q1": {"d1": 0.9}})
    """
    if isinstance(run, Mapping) and run and not _is_run(next(iter(run.values()))):
        return None  # told by the first query, however many there are
    pairs = listed(run)
    if pairs is None:
        return None
    pairs = [(name, taken_in(r)) for name, r in pairs]
    if isinstance(run, Mapping):
        return dict(pairs)
    return dict(zip(names_of([r for _, r in pairs]), (r for _, r in pairs), strict=True))


def listed(run: Any) -> list[tuple[str, Any]] | None:
    """Several runs, unread, each with the name it is given (empty in a list), or None when there is one."""
    if isinstance(run, Sequence) and not isinstance(run, (str, bytes)):
        return [("", r) for r in run] if split(run) is None else None
    if not isinstance(run, Mapping) or is_system(run) or not any(map(_is_run, run.values())):
        return None
    if not all(_is_run(r) or (isinstance(r, Mapping) and not r) for r in run.values()):
        raise InputError(
            Text(
                "a dict of runs must hold a run for each name; some of these are result lists.",
                "以名称为键的 dict 中，每个名称对应的必须是一个 run；其中有些是结果列表。",
            )
        )
    pairs = [(str(name), r) for name, r in run.items()]
    if len({name for name, _ in pairs}) < len(pairs):
        names = show_all(list(run))
        raise InputError(
            Text(
                f"names of runs must differ when they are written, got {names}.",
                f"各 run 的名称写出来后必须不同，实际为 {names}。",
            )
        )
    return pairs


def _is_run(value: Any) -> bool:
    """Whether the value of a dict is a whole run, not the result list of a query."""
    if isinstance(value, Mapping):
        if not value or is_sided(value):
            return is_system(value)
        return isinstance(next(iter(value.values())), (Mapping, list, tuple))
    if isinstance(value, np.ndarray):
        return value.ndim == 2
    if is_sparse(value):
        return True
    if type(value).__name__ == "Series":  # of pandas or Polars: a list, unless it has queries and items of its own
        return getattr(getattr(value, "index", None), "nlevels", 1) > 1
    if isinstance(value, str):
        return is_there(value)
    if isinstance(value, (list, tuple)):
        return split(value) is not None
    return isinstance(value, (Run, PathLike)) or not isinstance(value, (str, bytes, Sequence, Real, set))
