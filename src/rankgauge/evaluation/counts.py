"""The count whose key says how deep it looks: `judged@k`, the share of judged results among the first k."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

__all__ = ["depth_of", "is_judged_share", "judged_at", "judged_key"]

_JUDGED = "judged@"


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
