"""From numbers to places on a canvas, and the round numbers that are written on an axis."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import ceil, floor, log10

__all__ = ["Linear", "Log", "Scale", "nice", "short"]


def short(x: float) -> str:
    """A number on an axis, with as few digits as it needs."""
    if x and abs(x) < 1e-3:
        return f"{x:.0e}".replace("e-0", "e-")
    if abs(x) >= 10_000:
        return f"{x / 1000:g}k" if abs(x) < 1e6 else f"{x / 1e6:g}M"
    return f"{round(x, 10):g}"


def nice(low: float, high: float, n: int = 5) -> list[float]:
    """About n round numbers between two others.

    >>> nice(0, 1)
    [0.0, 0.2, 0.4, 0.6, 0.8, 1.0]
    """
    if not high > low:
        return [low]
    raw = (high - low) / n
    power = 10.0 ** floor(log10(raw))
    step = next((m * power for m in (1, 2, 2.5, 5) if m * power >= raw * 0.999), 10 * power)
    first, last = ceil(low / step - 1e-9), floor(high / step + 1e-9)
    return [round(i * step, 12) for i in range(first, last + 1)]


@dataclass(frozen=True)
class Scale:
    """Numbers from `low` to `high` on places from `start` to `end`."""

    low: float
    high: float
    start: float = 0
    end: float = 1

    def within(self, start: float, end: float) -> Scale:
        """The same numbers on other places."""
        return replace(self, start=start, end=end)

    def share(self, x: float) -> float:
        raise NotImplementedError  # pragma: no cover - linear or logarithmic

    def __call__(self, x: float) -> float:
        return self.start + self.share(x) * (self.end - self.start)

    def ticks(self) -> list[tuple[float, str]]:
        raise NotImplementedError  # pragma: no cover


@dataclass(frozen=True)
class Linear(Scale):
    """Equal differences take equal room."""

    def share(self, x: float) -> float:
        return (x - self.low) / (self.high - self.low) if self.high > self.low else 0.5

    def ticks(self) -> list[tuple[float, str]]:
        return [(x, short(x)) for x in nice(self.low, self.high)]

    @classmethod
    def around(cls, values: Sequence[float], *, zero: bool = False, most: float | None = None) -> Linear:
        """Room for all values, with a little air."""
        low, high = min(values, default=0.0), max(values, default=1.0)
        if zero:
            low, high = min(low, 0.0), max(high, 0.0)
        air = (high - low or abs(high) or 1.0) * 0.06
        low, high = (low if zero and low == 0 else low - air), (high if zero and high == 0 else high + air)
        return cls(low, high if most is None else min(high, most))


@dataclass(frozen=True)
class Log(Scale):
    """Equal ratios take equal room."""

    def share(self, x: float) -> float:
        x = max(x, self.low)
        return log10(x / self.low) / log10(self.high / self.low) if self.high > self.low else 0.5

    def ticks(self) -> list[tuple[float, str]]:
        decades = range(floor(log10(self.low)), ceil(log10(self.high)) + 1)
        steps = (1, 2, 5) if len(decades) <= 4 else (1,)
        found = [m * 10.0**d for d in decades for m in steps]
        return [(x, short(x)) for x in found if self.low * 0.999 <= x <= self.high * 1.001]
