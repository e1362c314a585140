"""Parameters that only a few measures have."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

from rankgauge.measures.base import Param, number, numbers

__all__ = ["required", "several"]


def required(low: float, high: float, *, doc: str, aliases: tuple[str, ...] = ()) -> Any:
    """A number behind the @ that has no default."""
    param: Param = number(low, low=low, high=high, doc=doc, at=True, aliases=aliases)
    return replace(param, default=None)


def several(
    *default: float, low: float = -math.inf, high: float = math.inf, count: int | None = None, doc: str = ""
) -> Any:
    """A few numbers inside bounds, of which there must be `count` if that is said."""
    param: Param = numbers(*default, doc=doc)
    bounds = "" if math.isinf(low) else f" from {low:g} to {high:g}"

    def read(value: Any) -> tuple[float, ...]:
        out: tuple[float, ...] = param.read(value)
        if not out or any(not low <= x <= high for x in out) or (count is not None and len(out) != count):
            raise ValueError(f"must be {'' if count is None else f'{count} '}numbers{bounds} such as {shown}")
        return out

    shown = param.show(param.default)
    return replace(param, read=read)
