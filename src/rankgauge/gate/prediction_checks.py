"""One rule against the numbers of a model: pass, fail, or not settled by these rows."""

from __future__ import annotations

from dataclasses import dataclass
from math import isnan

from rankgauge._numbers import counted, short, signed
from rankgauge._numbers import number as written
from rankgauge._text import Text, composed
from rankgauge.evaluation.predictions.differences import difference
from rankgauge.evaluation.predictions.record import PredictionEvaluation
from rankgauge.gate.checks import ROUNDING, Check, Outcome
from rankgauge.statistics.clusters import two_sided
from rankgauge.statistics.intervals import Interval

__all__ = ["ModelLoss", "between", "good_enough", "model_loss"]


def good_enough(ev: PredictionEvaluation, name: str, limit: float, *, certain: bool = False, slice: str = "") -> Check:
    """Is the value at least `limit`, or at most where lower is better?"""
    c, interval = ev.column(name), ev.interval(name)
    sign = c.measure.direction
    end = interval.low if sign > 0 else interval.high
    reached = sign * (c.value - limit) >= -ROUNDING
    is_sure = sign * (end - limit) >= -ROUNDING  # never for an undefined interval
    asked = f"{'>=' if sign > 0 else '<='} {short(limit)}"
    title = Text(f"{name} {asked}", f"{name} {asked}")
    outcome = _outcome(reached, is_sure, certain)
    return _check("floor", title, ev, name, limit, outcome, asked, slice, is_certain=is_sure or not reached)


def between(
    ev: PredictionEvaluation, name: str, low: float, high: float, *, certain: bool = False, slice: str = ""
) -> Check:
    """Is the value neither too low nor too high?"""
    value, interval = ev.column(name).value, ev.interval(name)
    inside = low - ROUNDING <= value <= high + ROUNDING
    is_sure = interval.low >= low - ROUNDING and interval.high <= high + ROUNDING
    title = Text(f"{name} between {short(low)} and {short(high)}", f"{name} 在 {short(low)} 与 {short(high)} 之间")
    nearest = low if abs(value - low) < abs(value - high) else high
    outcome, asked = _outcome(inside, is_sure, certain), f"{short(low)} … {short(high)}"
    return _check("bounds", title, ev, name, nearest, outcome, asked, slice, is_certain=is_sure or not inside)


def _outcome(holds: bool, is_sure: bool, certain: bool) -> Outcome:
    if not holds:
        return "fail"
    return "pass" if is_sure or not certain else "inconclusive"


def _check(
    rule: str,
    title: Text,
    ev: PredictionEvaluation,
    name: str,
    limit: float,
    outcome: Outcome,
    asked: str,
    slice: str,
    *,
    is_certain: bool,
) -> Check:
    c, interval = ev.column(name), ev.interval(name)
    if c.reason:  # nothing speaks against it, and nothing for it
        none: str = composed("no value: {}", "没有数值：{}", c.reason)
        return Check(rule, title, name, c.value, limit, "inconclusive", none, interval, c.n, slice)
    units = counted(c.n, "unit", "个单元")
    around = "" if isnan(interval.low) else f" ({written(interval.low)} … {written(interval.high)})"
    message: str = Text(
        f"{written(c.value)}{around} over {units.en}, asked {asked}",
        f"{units.zh}上为 {written(c.value)}{around}，要求 {asked}",
    )
    if not is_certain:
        message = composed("{}; {}", "{}；{}", message, _NOT_SURE)
    return Check(rule, title, name, c.value, limit, outcome, message, interval, c.n, slice, is_certain=is_certain)


_NOT_SURE = Text("the value keeps to it, its interval does not, or there is none", "数值符合，但其区间不符合或没有区间")


@dataclass(frozen=True)
class ModelLoss:
    """The evidence on whether a model is worse than its baseline by more than a margin."""

    measure: str
    margin: float
    alpha: float
    sign: int
    values: tuple[float, float]
    gain: float
    error: float
    n: int
    left: float
    """What weights leave of the units."""
    interval: Interval
    """Of the difference, as the measure has it."""
    slice: str = ""

    @property
    def p_worse(self) -> float:
        """p-value of "worse by more than the margin", one-sided."""
        if isnan(self.error):
            return float("nan")
        beyond = self.gain + self.margin
        p = two_sided(beyond, self.error, self.left)
        return p / 2 if beyond < 0 else 1 - p / 2

    def check(self, p_worse: float | None = None) -> Check:
        """The decision; `p_worse` is the p-value corrected for a family of slices."""
        p = self.p_worse if p_worse is None else p_worse
        low = self.interval.low if self.sign > 0 else -self.interval.high
        settled = self.error == 0 and self.gain >= -self.margin - ROUNDING
        outcome: Outcome = "inconclusive"
        if settled or low > -self.margin:
            outcome = "pass"
        elif p < self.alpha:
            outcome = "fail"
        before, after = self.values
        around = "" if isnan(low) else f" ({signed(self.interval.low)} … {signed(self.interval.high)})"
        units = counted(self.n, "unit", "个单元")
        change = self.sign * self.gain
        message: str = Text(
            f"{written(before)} to {written(after)}, difference {signed(change)}{around} over {units.en}, "
            f"a loss of {short(self.margin)} allowed",
            f"{written(before)} → {written(after)}，差值 {signed(change)}{around}，{units.zh}，"
            f"允许损失 {short(self.margin)}",
        )
        if outcome == "inconclusive":
            message = composed("{}; {}", "{}；{}", message, _OPEN)
        title = Text(
            f"{self.measure} not worse by more than {short(self.margin)}",
            f"{self.measure} {'下降' if self.sign > 0 else '上升'}不超过 {short(self.margin)}",
        )
        limit = -self.sign * self.margin + 0.0
        return Check(
            "non_inferior", title, self.measure, change, limit, outcome, message, self.interval, self.n, self.slice
        )


_OPEN = Text("these rows do not settle it", "这些数据不足以判定")


def model_loss(
    model: PredictionEvaluation,
    baseline: PredictionEvaluation,
    name: str,
    margin: float,
    *,
    alpha: float = 0.05,
    slice: str = "",
) -> ModelLoss:
    """What rows that both models scored say about it."""
    mine, theirs = model.column(name), baseline.column(name)
    d = difference(mine, theirs, model.model, baseline.model, 1 - 2 * alpha, 0, 0)
    sign = mine.measure.direction
    values = theirs.value, mine.value
    return ModelLoss(name, margin, alpha, sign, values, sign * d.value, d.error, d.n, d.left, d.interval, slice)
