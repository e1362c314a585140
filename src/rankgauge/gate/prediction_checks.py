"""One rule against the numbers of a model: pass, fail, or not settled by these rows."""

from __future__ import annotations

from dataclasses import dataclass
from math import isnan, nan

from rankgauge._claims import Statement, phrase
from rankgauge._numbers import apart
from rankgauge._text import Text
from rankgauge.evaluation.predictions.differences import Difference, difference
from rankgauge.evaluation.predictions.record import PredictionEvaluation
from rankgauge.gate.check import ROUNDING, About, Check, Outcome, also, asked
from rankgauge.gate.loss import Loss
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
    symbol = ">=" if sign > 0 else "<="
    line = phrase(f"{symbol} {{}}", f"{symbol} {{}}", asked(name, limit, apart(c.value, limit)[1]))
    outcome, title = _outcome(reached, is_sure, certain), phrase("{} {}", "{} {}", name, line)
    return _check("floor", title, ev, name, limit, outcome, line, slice, is_certain=is_sure or not reached)


def between(
    ev: PredictionEvaluation, name: str, low: float, high: float, *, certain: bool = False, slice: str = ""
) -> Check:
    """Is the value neither too low nor too high?"""
    value, interval = ev.column(name).value, ev.interval(name)
    inside = low - ROUNDING <= value <= high + ROUNDING
    is_sure = interval.low >= low - ROUNDING and interval.high <= high + ROUNDING
    ends = asked(name, low), asked(name, high)
    title = phrase("{} between {} and {}", "{} 在 {} 与 {} 之间", name, *ends)
    nearest = low if abs(value - low) < abs(value - high) else high
    outcome, line = _outcome(inside, is_sure, certain), phrase("{} … {}", "{} … {}", *ends)
    return _check("bounds", title, ev, name, nearest, outcome, line, slice, is_certain=is_sure or not inside)


def _outcome(holds: bool, is_sure: bool, certain: bool) -> Outcome:
    if not holds:
        return "fail"
    return "pass" if is_sure or not certain else "inconclusive"


def _check(
    rule: str,
    title: str,
    ev: PredictionEvaluation,
    name: str,
    limit: float,
    outcome: Outcome,
    line: str,
    slice: str,
    *,
    is_certain: bool,
) -> Check:
    c, interval = ev.column(name), ev.interval(name)
    if c.reason:  # nothing speaks against it, and nothing for it
        return Check(rule, title, name, c.value, limit, "inconclusive", _no_value(c.reason), interval, c.n, slice)
    about = About(name, ev.model, slice=slice)
    message = phrase(
        "{}{} over {}, asked {}",
        "{2}上为 {0}{1}，要求 {3}",
        about.said(apart(c.value, limit)[0], "mean", c.value),
        about.range(interval, ev.confidence_level),
        about.units(c.n),
        line,
    )
    if not is_certain:
        message = also(message, _NO_INTERVAL if isnan(interval.low) else _NOT_SURE)
    return Check(rule, title, name, c.value, limit, outcome, message, interval, c.n, slice, is_certain=is_certain)


def _no_value(reason: str) -> Statement:
    return phrase("no value: {}", "没有数值：{}", reason)


_NOT_SURE = Text("the value keeps to it, its interval does not", "数值符合，但其置信区间不符合")
_NO_INTERVAL = Text("the value keeps to it, but has no interval", "数值符合，但没有置信区间")


@dataclass(frozen=True, kw_only=True)
class ModelLoss(Loss):
    """The evidence on whether a model is worse than its baseline by more than a margin."""

    found: Difference
    """The model minus its baseline, paired."""
    before: float
    after: float
    reason: str = ""
    """Why one of them has no value."""

    @property
    def values(self) -> tuple[float, float]:
        return self.before, self.after

    @property
    def change(self) -> float:
        return self.found.value

    @property
    def interval(self) -> Interval:
        return self.found.interval

    @property
    def n(self) -> int:
        return self.found.n

    @property
    def is_settled(self) -> bool:
        return self.found.error == 0

    @property
    def p_worse(self) -> float:
        if isnan(self.found.error):
            return nan
        beyond = self.difference + self.margin
        p = two_sided(beyond, self.found.error, self.found.left)
        return p / 2 if beyond < 0 else 1 - p / 2

    def _counted(self, about: About) -> Statement:
        return about.units(self.n)

    def _unknown(self, about: About) -> Statement | None:
        return _no_value(self.reason) if self.reason else None

    def _open(self, about: About) -> str:
        return _OPEN


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
    other = baseline.model if baseline.model != model.model else f"{baseline.model} (baseline)"
    return ModelLoss(
        measure=name,
        margin=margin,
        alpha=alpha,
        sign=mine.measure.direction,
        slice=slice,
        names=(model.model, other),
        found=d,
        before=theirs.value,
        after=mine.value,
        reason=mine.reason or theirs.reason,
    )
