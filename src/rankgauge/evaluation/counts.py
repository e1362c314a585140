"""Counts by their keys: `judged@k`, which says how deep it looks, and those of parts as those of the whole."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

__all__ = ["LONGEST", "added_up", "depth_of", "is_judged_share", "judged_at", "judged_key"]

_JUDGED = "judged@"
LONGEST = "longest_list"
"""How many results the longest list has, as far as the policy lets it go."""


def added_up(tallies: Iterable[Mapping[str, int]]) -> dict[str, int]:
    """The counts of parts of the queries as those of all.

    >>> added_up([{"queries": 2, "longest_list": 10}, {"queries": 1, "longest_list": 7}])
    {'queries': 3, 'longest_list': 10}
    """
    out: dict[str, int] = {}
    for tally in tallies:
        for name, n in tally.items():
            out[name] = max(out.get(name, 0), n) if name == LONGEST else out.get(name, 0) + n
    return out


def judged_at(depth: int) -> str:
    """The key of the share of judged results among the first ones."""
    return f"{_JUDGED}{depth}"


def is_judged_share(key: str) -> bool:
    """Whether this is the key of a share of judged results."""
    return key.startswith(_JUDGED)


def judged_key(counts: Mapping[str, Any]) -> str:
    """The key of the share of judged results, which every evaluation of a ranking has; empty for other counts."""
    return next(filter(is_judged_share, counts), "")


def depth_of(key: str) -> int:
    """The k of `judged@k`."""
    return int(key.removeprefix(_JUDGED))
