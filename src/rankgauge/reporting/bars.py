"""Small pictures of characters for a terminal: bars of values, intervals around zero, lines over time."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import isfinite, isnan

__all__ = ["BAR", "SPARK", "STRIP", "interval_strips", "spark_line", "value_bar", "value_bars"]

BAR = 10
"""Characters of a full bar."""
STRIP = 21
"""Characters of a strip; the middle one is zero."""

_EIGHTHS = " ▏▎▍▌▋▊▉█"
_HALF = STRIP // 2


def value_bar(x: float) -> str:
    """A bar for a value from 0 to 1, to an eighth of a character.

    >>> value_bar(0.55)
    '█████▌    '
    """
    if isnan(x):
        return " " * BAR
    eighths = round(min(max(x, 0.0), 1.0) * BAR * 8)
    full, rest = divmod(eighths, 8)
    return ("█" * full + (_EIGHTHS[rest] if rest else "")).ljust(BAR)


def value_bars(values: Iterable[tuple[float, tuple[float, float]]]) -> Sequence[str]:
    """Bars for values with their bounds: only what lies from 0 to 1 by definition has one; none when nothing has."""
    bars = [value_bar(x) if tuple(bounds) == (0, 1) else "" for x, bounds in values]
    return bars if any(bar.strip() for bar in bars) else ()


def interval_strips(differences: Sequence[tuple[float, float, float]]) -> Sequence[str]:
    """Low, estimate and high of each difference, all on one scale with zero in the middle; right is plus.

    >>> interval_strips([(-0.05, 0.0, 0.05), (0.05, 0.08, 0.1)])
    ['     ─────●─────     ', '          │    ───●──']
    """
    ends = [abs(x) for row in differences for x in row if isfinite(x)]
    most = max(ends, default=0.0)
    return [_strip(*row, most) for row in differences] if most else ()


def _strip(low: float, estimate: float, high: float, most: float) -> str:
    def at(x: float) -> int:
        return _HALF + round(_HALF * min(max(x / most, -1.0), 1.0))

    out = [" "] * STRIP
    if not (isnan(low) or isnan(high)):
        for i in range(at(low), at(high) + 1):
            out[i] = "─"
    out[_HALF] = "│"
    if not isnan(estimate):
        out[at(estimate)] = "●"
    return "".join(out)


_LEVELS = "▁▂▃▄▅▆▇█"
SPARK = 40
"""Characters of a spark line at most."""


def spark_line(values: Sequence[float], breaks: Sequence[int] = (), room: int = SPARK) -> str:
    """A line of characters for values over time: lowest to highest; `|` before each place where it breaks.

    A value that is not known is a blank. Where there are more values than room, neighbours are drawn as their mean.

    >>> spark_line([1, 2, 3, 2, 1]), spark_line([5, 5]), spark_line([1, float("nan"), 2, 3], breaks=[2])
    ('▁▅█▅▁', '▄▄', '▁ |▅█')
    """
    starts = sorted({0, *(b for b in breaks if 0 < b < len(values))})
    parts = [list(values[a:b]) for a, b in zip(starts, [*starts[1:], len(values)], strict=True)]
    free = max(room - len(parts) + 1, len(parts))
    step = 1
    while sum(-(-len(p) // step) for p in parts) > free and step < len(values):
        step += 1
    drawn = [[_mean(p[i : i + step]) for i in range(0, len(p), step)] for p in parts]
    known = [v for p in drawn for v in p if isfinite(v)]
    low, high = min(known, default=0.0), max(known, default=0.0)
    return "|".join("".join(_level(v, low, high) for v in p) for p in drawn)


def _mean(values: Sequence[float]) -> float:
    known = [v for v in values if isfinite(v)]
    return sum(known) / len(known) if known else float("nan")


def _level(v: float, low: float, high: float) -> str:
    if not isfinite(v):
        return " "
    if not high > low:
        return _LEVELS[3]
    return _LEVELS[min(int((v - low) / (high - low) * len(_LEVELS)), len(_LEVELS) - 1)]
