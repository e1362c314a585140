"""One run or several: a dict of runs by name, or a list of runs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from numbers import Real
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np

from rankgauge._piped import Piped, taken_in
from rankgauge._show import LIMIT, cut, show
from rankgauge._text import Text
from rankgauge.data.mappings import is_both_sides
from rankgauge.data.run import Run
from rankgauge.data.table import is_sparse, stem
from rankgauge.errors import InputError

__all__ = ["listed", "several"]


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
    names = [_name(r, i) for i, (_, r) in enumerate(pairs, 1)]
    if len(set(names)) < len(names):  # old/bm25.run and new/bm25.run
        _refuse_same_file([r for _, r in pairs])
        names = [_with_folder(r, name) for (_, r), name in zip(pairs, names, strict=True)]
    if len(set(names)) < len(names):
        raise InputError(
            Text(
                f"two runs have the same name: {cut(', '.join(names), LIMIT)}. Pass a dict of runs by name.",
                f"有两个 run 同名：{cut(', '.join(names), LIMIT)}。请传入以名称为键的 dict。",
            )
        )
    return dict(zip(names, (r for _, r in pairs), strict=True))


def _refuse_same_file(runs: Sequence[Any]) -> None:
    """Raise an error where one file is there twice, under the same path or another."""
    seen: dict[Path, Any] = {}
    for run in runs:
        if isinstance(run, (str, PathLike)):
            place = Path(run).resolve()
            if place in seen:
                twice = (
                    f"{show(str(seen[place]))} and {show(str(run))}" if str(seen[place]) != str(run) else show(str(run))
                )
                raise InputError(
                    Text(
                        f"the same file is given as two runs: {twice}. Name another run for one of them.",
                        f"同一个文件被当作两个 run：{twice}。请把其中一个换成别的 run。",
                    )
                )
            seen[place] = run


def _name(run: Any, number: int) -> str:
    """What a run of a list is called, before it is read."""
    if isinstance(run, (str, PathLike)):
        return stem(run)
    return run.name if isinstance(run, Run) else f"run {number}"


def _with_folder(run: Any, name: str) -> str:
    run = run.given if isinstance(run, Piped) else run
    return f"{Path(run).resolve().parent.name}/{name}" if isinstance(run, (str, PathLike)) else name


def listed(run: Any) -> list[tuple[str, Any]] | None:
    """Several runs, unread, each with the name it is given (empty in a list), or None when there is one."""
    if isinstance(run, Sequence) and not isinstance(run, (str, bytes)):
        return [("", r) for r in run]
    if not isinstance(run, Mapping) or not any(map(_is_run, run.values())):
        return None
    if not all(_is_run(r) or (isinstance(r, Mapping) and not r) for r in run.values()):
        raise InputError(
            Text(
                "a dict of runs must hold a run for each name; some of these are result lists.",
                "以名称为键的 dict 中，每个名称对应的必须是一个 run；其中有些是结果列表。",
            )
        )
    return list(run.items())


def _is_run(value: Any) -> bool:
    """Whether the value of a dict is a whole run, not the result list of a query."""
    if isinstance(value, Mapping):
        if not value or is_both_sides({"q": value}):
            return False
        return isinstance(next(iter(value.values())), (Mapping, list, tuple))
    if isinstance(value, np.ndarray):
        return value.ndim == 2
    if is_sparse(value):
        return True
    if type(value).__name__ == "Series":  # of pandas or Polars: a list, unless it has queries and items of its own
        return getattr(getattr(value, "index", None), "nlevels", 1) > 1
    if isinstance(value, str):
        return Path(value).exists()
    return isinstance(value, (Run, PathLike)) or not isinstance(value, (str, bytes, Sequence, Real, set))
