"""One measure of one system against the baseline: all that can be said about their difference."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import isfinite, isnan
from typing import Any

from rankgauge._plain_data import read_fields
from rankgauge._show import show
from rankgauge._text import Text
from rankgauge.comparison.pairing import Units
from rankgauge.comparison.verdict import verdict_of
from rankgauge.errors import UnknownName
from rankgauge.measures.definition import Definition
from rankgauge.statistics.clusters import t_interval_of
from rankgauge.statistics.intervals import Interval
from rankgauge.statistics.power import detectable, needed

__all__ = ["Contrast", "EveryPair", "contrast_of"]

_POWER = 0.8
_ROUNDING = 1e-12  # a spread below it is that of equal differences, each rounded in its own way


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
    """The smallest true difference that this many queries find 4 times in 5, after the correction for all tests (at the
    level of its first step); NaN where differences have no spread, no difference that the measure can have is found so
    often, or the question is who is nearer to an ideal value."""
    more: int | None
    """How many more queries would settle a difference like the one seen, after the same correction; None where it is
    settled or is none."""
    margin: float | None
    verdict: str
    slice: str = ""
    """The slice of queries, as attribute=value; empty for all."""
    gain: float = float("nan")
    """How much better the system is: the difference, below 0 where it is worse. Where there is an ideal value, by how
    much nearer to it, as a logarithm of ratios."""
    direction: int = 1
    """1 where a higher value is better, -1 where a lower one is, 0 where there is an ideal value to come near to."""
    unchanged: bool = False
    """Whether all queries (or units) have the same value of this measure in both."""
    level: float = float("nan")
    """What the p-value had to be below for `detectable` and `more`: alpha over the number of tests, where they are
    corrected. NaN in comparisons that were stored when both were those of a single test."""

    @property
    def word(self) -> str:
        """The verdict; where it is open, `unchanged` if no query changed and `untested` if nothing could be tested."""
        if self.verdict != "inconclusive":
            return self.verdict
        return "unchanged" if self.unchanged else "untested" if isnan(self.p_value) else "inconclusive"

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
        return cls(**read_fields(cls, data))


def contrast_of(
    units: Units,
    names: tuple[str, str, str],
    p_values: tuple[float, float],
    measure: Definition,
    *,
    alpha: float,
    level: float,
    margin: float | None,
    confidence_level: float,
    interval: Interval | None = None,
    slice: str = "",
    fewest: int = 2,
) -> Contrast:
    """`names` are measure, system and baseline; `p_values` raw and corrected; below `fewest` units nothing is found.

    `alpha` is what the corrected p-value is held against, `level` what the raw one has to reach for that.
    """
    label, system, baseline = names
    p, corrected = p_values
    d, spread = units.difference, units.spread if units.spread > _ROUNDING else 0.0
    gain = measure.improvement(units.system, units.baseline) if d else d
    if interval is None:
        interval = t_interval_of(d, units.error, units.units_left, confidence_level)
    widest = measure.bounds[1] - measure.bounds[0]
    if isfinite(widest) and not isnan(interval.low):  # no difference is larger
        interval = interval.clipped(-widest, widest)
    verdict = verdict_of(
        gain,
        corrected,
        t_interval_of(d, units.error, units.units_left, 1 - 2 * alpha),
        alpha=alpha,
        margin=margin,
    )
    # power is that of a test of the difference: who is nearer to an ideal value is another question
    has_power = measure.direction != 0 and spread > 0 and isfinite(spread)
    more = None
    if verdict == "inconclusive" and d and has_power:
        wanted = max(needed(abs(d), spread, level, _POWER), fewest)
        more = max(int(wanted) - units.n, 0) or None if isfinite(wanted) else None
    moved = None if units.changes is None else measure.direction * units.changes
    return Contrast(
        measure=label,
        system=system,
        baseline=baseline,
        mean=units.system,
        mean_baseline=units.baseline,
        difference=d,
        interval=interval,
        p_value=p,
        p_corrected=corrected,
        effect=d / spread if spread else float("nan"),
        wins=None if moved is None else int((moved > 0).sum()),
        ties=None if moved is None else int((moved == 0).sum()),
        losses=None if moved is None else int((moved < 0).sum()),
        n=units.n,
        detectable=_possible(detectable(units.n, spread, level, _POWER), measure)
        if has_power and units.n >= fewest
        else float("nan"),
        more=more,
        margin=margin,
        verdict=verdict,
        slice=slice,
        gain=gain,
        direction=measure.direction,
        unchanged=units.unchanged,
        level=level,
    )


def _possible(difference: float, measure: Definition) -> float:
    """A difference that two values of the measure can have; NaN for a larger one."""
    low, high = measure.bounds
    return difference if difference <= high - low else float("nan")


@dataclass(frozen=True, eq=False, kw_only=True)
class EveryPair:
    """What records hold, and ask, that have every pair of systems once in each measure (and budget)."""

    contrasts: Sequence[Contrast]
    """Of each pair the system that comes first is the baseline of the other."""
    directions: Mapping[str, int] = field(default_factory=dict)
    """For each measure 1 where higher is better, -1 where lower is, 0 where there is a value to come near to."""
    test: str = "randomisation"
    correction: str = "holm"
    family: int = 0
    """How many tests were made, and corrected together."""
    alpha: float = 0.05
    confidence_level: float = 0.95
    notes: Sequence[str] = ()
    version: str = ""

    @property
    def measures(self) -> list[str]:
        return list(self.directions)

    def word(self, system: str, other: str, measure: str) -> str:
        """What the paired differences say of a system beside another: better, worse, equivalent, inconclusive, …"""
        c, turned = self._contrast(system, other, measure)
        return _TURNED.get(c.word, c.word) if turned else c.word

    def gain(self, system: str, other: str, measure: str) -> float:
        """By how much it is better than the other, in the terms of the measure; below 0 where it is worse."""
        c, turned = self._contrast(system, other, measure)
        return -c.gain if turned else c.gain

    def _contrast(self, system: str, other: str, measure: str) -> tuple[Contrast, bool]:
        for c in self.contrasts:
            if c.measure == measure and (c.system, c.baseline) in ((system, other), (other, system)):
                return c, c.system == other
        raise UnknownName(
            Text(
                f"{show(system)} and {show(other)} were not compared in {measure!s}.",
                f"没有在 {measure!s} 上比较 {show(system)} 与 {show(other)}。",
            )
        )


_TURNED = {"better": "worse", "worse": "better"}
