"""A parameter of several numbers inside bounds."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from rankgauge.measures.base import Param, numbers

__all__ = ["several"]


def several(
    *default: float, low: float = -math.inf, high: float = math.inf, count: int | None = None, doc: str = ""
) -> Any:
    """A few numbers inside bounds, of which there must be `count` if that is said."""
    param: Param = numbers(*default, doc=doc)
    bounds = "" if math.isinf(low) else f" from {low:g} to {high:g}"

    def read(value: Any) -> tuple[float, ...]:
        out: tuple[float, ...] = param.read(value) if isinstance(value, (str, Sequence)) else ()
        if not out or any(not low <= x <= high for x in out) or (count is not None and len(out) != count):
            raise ValueError(f"must be {'' if count is None else f'{count} '}numbers{bounds} such as {shown}")
        return out

    shown = param.show(param.default)
    return replace(param, read=read)
