"""A frame with two numeric axes, and the marks that are placed in it by numbers."""

from __future__ import annotations

from collections.abc import Sequence

from rankgauge.reporting.charts.scales import Scale
from rankgauge.reporting.charts.svg import Chart

__all__ = ["Axes"]


class Axes:
    """Part of a chart: axes, grid, and marks in the coordinates of the data."""

    def __init__(
        self,
        chart: Chart,
        x: Scale,
        y: Scale,
        *,
        left: float = 60,
        top: float = 14,
        right: float | None = None,
        bottom: float | None = None,
        x_label: str = "",
        y_label: str = "",
        title: str = "",
    ) -> None:
        """`left` … `bottom` are the edges of the frame inside the chart."""
        self.chart = chart
        self.left, self.top = left, top
        self.right = chart.width - 14 if right is None else right
        self.bottom = chart.height - 42 if bottom is None else bottom
        self.x, self.y = x.within(self.left, self.right), y.within(self.bottom, self.top)
        if title:
            chart.text(self.left, self.top - 8, title, "strong")
        self._frame(x_label, y_label)

    def _frame(self, x_label: str, y_label: str) -> None:
        c = self.chart
        for value, text in self.y.ticks():
            c.line(self.left, self.y(value), self.right, self.y(value), "grid")
            c.text(self.left - 6, self.y(value) + 4, text, "tick", anchor="end")
        last = -1e9
        for value, text in self.x.ticks():
            at = self.x(value)
            if at - last < 9 + 6 * len(text):  # labels do not touch
                continue
            last = at
            c.line(at, self.bottom, at, self.bottom + 4, "axis")
            c.text(at, self.bottom + 17, text, "tick", anchor="middle")
        c.line(self.left, self.bottom, self.right, self.bottom, "axis")
        if x_label:
            c.text((self.left + self.right) / 2, self.bottom + 35, x_label, "quiet", anchor="middle")
        if y_label:
            c.text(self.left - 46, (self.top + self.bottom) / 2, y_label, "quiet", anchor="middle", turn=True)

    def at(self, x: float, y: float) -> tuple[float, float]:
        return self.x(x), self.y(y)

    def line(self, xs: Sequence[float], ys: Sequence[float], kind: str, *, tip: str = "") -> None:
        self.chart.path([self.at(x, y) for x, y in zip(xs, ys, strict=True)], kind, tip=tip)

    def band(self, xs: Sequence[float], low: Sequence[float], high: Sequence[float], kind: str) -> None:
        """The area between two lines."""
        there = [self.at(x, y) for x, y in zip(xs, high, strict=True)]
        back = [self.at(x, y) for x, y in zip(xs, low, strict=True)]
        self.chart.path([*there, *back[::-1]], f"band {kind}", closed=True)

    def dot(self, x: float, y: float, kind: str, *, r: float = 3.5, tip: str = "", href: str = "") -> None:
        self.chart.circle(*self.at(x, y), r, f"fill {kind}", tip=tip, href=href)

    def whisker(self, x: float, low: float, high: float, kind: str) -> None:
        """A vertical interval with caps."""
        at, (top, bottom) = self.x(x), (self.y(high), self.y(low))
        for y in (top, bottom):
            self.chart.line(at - 3, y, at + 3, y, f"whisker {kind}")
        self.chart.line(at, top, at, bottom, f"whisker {kind}")

    def lying(self, y: float, low: float, high: float, kind: str) -> None:
        """A horizontal interval with caps."""
        at, (left, right) = self.y(y), (self.x(low), self.x(high))
        for x in (left, right):
            self.chart.line(x, at - 3, x, at + 3, f"whisker {kind}")
        self.chart.line(left, at, right, at, f"whisker {kind}")

    def bar(
        self, x0: float, x1: float, y: float, kind: str, *, base: float = 0.0, tip: str = "", href: str = ""
    ) -> None:
        """A bar from a base line, as wide as its place on the x axis."""
        left, right = self.x(x0), self.x(x1)
        self.chart.rect(left, self.y(y), right - left, self.y(base) - self.y(y), f"fill {kind}", tip=tip, href=href)

    def across(self, y: float, kind: str = "ref") -> None:
        """A horizontal line at a value."""
        self.chart.line(self.left, self.y(y), self.right, self.y(y), kind)

    def diagonal(self) -> None:
        """Where x = y."""
        low, high = max(self.x.low, self.y.low), min(self.x.high, self.y.high)
        if high > low:
            self.line([low, high], [low, high], "ref")
