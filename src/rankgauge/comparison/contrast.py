"""One measure of one system against the baseline: all that can be said about their difference."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from math import isfinite, isnan, sqrt
from typing import Any

import numpy as np

from rankgauge.alignment import Array
from rankgauge.comparison.power import detectable, needed
from rankgauge.comparison.verdict import verdict_of
from rankgauge.evaluation.clusters import t_interval_of
from rankgauge.evaluation.intervals import Interval

__all__ = ["Contrast", "Units", "contrast_of"]

_POWER = 0.8


@dataclass(frozen=True)
class Units:
    """The paired differences that a contrast rests on, one per independent unit."""

    differences: Array
    """System minus baseline: of each query, or the influence of each group of rows."""
    baseline: float
    system: float
    per_query: bool = True
    """Whether single differences mean something: wins and losses are counted only then."""

    @property
    def n(self) -> int:
        return len(self.differences)

    @property
    def difference(self) -> float:
        return self.system - self.baseline

    @property
    def spread(self) -> float:
        """Standard deviation of the differences of single units."""
        if self.n < 2:
            return float("nan")
        scale = 1.0 if self.per_query else self.n  # influence values are already divided by n
        return float(np.std(self.differences, ddof=1)) * scale

    @property
    def error(self) -> float:
        """Standard error of the difference of means."""
        return float("nan") if self.n < 2 else self.spread / sqrt(self.n)


@dataclass(frozen=True)
class Contrast:
    """One measure of one system against the baseline."""

    measure: str
    system: str
    baseline: str
    mean: float
    mean_baseline: float
    difference: float
    interval: Interval
    p_value: float
    p_corrected: float
    effect: float
    """Mean difference over its standard deviation (Cohen's d of paired differences)."""
    wins: int | None
    ties: int | None
    losses: int | None
    n: int
    detectable: float
    """The smallest true difference that this many queries find 4 times in 5."""
    more: int | None
    """How many more queries would settle a difference like the one seen; None where it is settled or is none."""
    margin: float | None
    verdict: str
    slice: str = ""
    """The slice of queries, as attribute=value; empty for all."""

    @property
    def relative(self) -> float:
        """The difference as a share of the baseline."""
        return self.difference / self.mean_baseline if self.mean_baseline else float("nan")

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain values."""
        out = {k: v for k, v in vars(self).items() if k != "interval"}
        return {**out, "low": self.interval.low, "high": self.interval.high, "relative": self.relative}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Contrast:
        """A contrast from what `to_dict` gave, also when NaN became None on the way."""
        values: dict[str, Any] = {f.name: data[f.name] for f in fields(cls) if f.name != "interval"}
        for name in (f.name for f in fields(cls) if f.type == "float"):
            values[name] = _number(values[name])
        return cls(**values, interval=Interval(_number(data["low"]), _number(data["high"])))


def _number(value: float | None) -> float:
    return float("nan") if value is None else float(value)


def contrast_of(
    units: Units,
    names: tuple[str, str, str],
    p_values: tuple[float, float],
    *,
    alpha: float,
    margin: float | None,
    confidence_level: float,
    higher_is_better: bool,
    interval: Interval | None = None,
    slice: str = "",
) -> Contrast:
    """`names` are measure, system and baseline; `p_values` raw and corrected."""
    measure, system, baseline = names
    p, corrected = p_values
    d, sign = units.difference, 1 if higher_is_better else -1
    if interval is None:
        interval = t_interval_of(d, units.error, units.n, confidence_level)
    verdict = verdict_of(
        d,
        corrected,
        t_interval_of(d, units.error, units.n, 1 - 2 * alpha),
        alpha=alpha,
        margin=margin,
        higher_is_better=higher_is_better,
    )
    moved = units.differences * sign
    more = None
    if verdict == "inconclusive" and d and units.spread > 0 and not isnan(units.spread):
        wanted = needed(abs(d), units.spread, alpha, _POWER)
        more = max(int(wanted) - units.n, 0) or None if isfinite(wanted) else None
    return Contrast(
        measure=measure,
        system=system,
        baseline=baseline,
        mean=units.system,
        mean_baseline=units.baseline,
        difference=d,
        interval=interval,
        p_value=p,
        p_corrected=corrected,
        effect=d / units.spread if units.spread else float("nan"),
        wins=int((moved > 0).sum()) if units.per_query else None,
        ties=int((moved == 0).sum()) if units.per_query else None,
        losses=int((moved < 0).sum()) if units.per_query else None,
        n=units.n,
        detectable=detectable(units.n, units.spread, alpha, _POWER) if units.n > 1 else float("nan"),
        more=more,
        margin=margin,
        verdict=verdict,
        slice=slice,
    )
