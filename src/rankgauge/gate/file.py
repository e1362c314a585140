"""A gate as a file has it, and what flags lay over it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from os import PathLike
from pathlib import Path
from typing import Any

from rankgauge._piped import Piped, as_given, path_of
from rankgauge._show import show
from rankgauge._text import Text
from rankgauge.data.side import read_toml

__all__ = ["gate_file", "laid_over", "without_empty"]

_RULES = ("floors", "bounds", "non_inferior", "ceilings")


def gate_file(path: str | PathLike[str]) -> tuple[Mapping[str, Any], Path, Text]:
    """What a file says, the folder that its paths are relative to, and what messages call it."""
    file = path_of(path)
    given = show(str(as_given(file)))
    where = Text(f"gate file {given}", f"门禁文件 {given}")
    return read_toml(file, where), Path() if isinstance(file, Piped) else file.parent, where


def laid_over(data: Mapping[str, Any], changes: Mapping[str, Any], meaning: Callable[[str], Any]) -> dict[str, Any]:
    """The gate of a file with changes: tables are merged, rules about what the changes are about are replaced.

    `meaning` says what a rule is about, under whatever name.

    >>> laid_over({"floors": {"RR": 0.4, "AP": 0.2}}, {"floors": {"rr": 0.5}}, str.lower)
    {'floors': {'AP': 0.2, 'rr': 0.5}}
    """
    return _merged(_without_replaced(data, changes, meaning), changes)


def without_empty(given: Mapping[str, Any]) -> dict[str, Any]:
    """The same without what nobody said: None, and tables of nothing."""
    return {key: value for key, value in given.items() if value is not None and not _is_empty(value)}


def _is_empty(value: Any) -> bool:
    return isinstance(value, Mapping) and all(_is_empty(v) or v is None for v in value.values())


def _without_replaced(
    data: Mapping[str, Any], changes: Mapping[str, Any], meaning: Callable[[str], Any]
) -> dict[str, Any]:
    out = dict(data)
    for table in (*_RULES, "slices"):
        mine, theirs = out.get(table), changes.get(table)
        if not isinstance(mine, Mapping) or not isinstance(theirs, Mapping):
            continue
        if table == "slices":
            out[table] = _without_replaced(mine, theirs, meaning)
        else:
            replaced = {meaning(name) for name in theirs}
            out[table] = {name: limit for name, limit in mine.items() if meaning(name) not in replaced}
    return out


def _merged(data: Mapping[str, Any], changes: Mapping[str, Any]) -> dict[str, Any]:
    """Tables are merged, everything else is replaced."""
    out = dict(data)
    for key, value in changes.items():
        below = out.get(key)
        out[key] = _merged(below, value) if isinstance(value, Mapping) and isinstance(below, Mapping) else value
    return out
