"""What an off-policy estimate found, and how far it can be trusted."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from math import isnan
from typing import TYPE_CHECKING, Any

from rankgauge._claims import Statement, claimed, phrase
from rankgauge._numbers import signed
from rankgauge._records import Record
from rankgauge._show import show
from rankgauge._text import Text
from rankgauge.errors import UnknownName, among
from rankgauge.evaluation.record import plain
from rankgauge.statistics.intervals import Interval

if TYPE_CHECKING:
    import polars as pl

__all__ = ["ClipStep", "OffPolicy", "PolicyEstimate", "PositionWeights"]


@dataclass(frozen=True)
class PolicyEstimate:
    """One estimate with its interval."""

    name: str
    value: float
    low: float
    high: float
    error: float
    """Standard error, from influence values summed by user."""

    @property
    def interval(self) -> Interval:
        return Interval(self.low, self.high)


@dataclass(frozen=True)
class ClipStep:
    """The estimates with weights cut at one value."""

    clip: float
    ips: float
    ips_low: float
    ips_high: float
    snips: float
    snips_low: float
    snips_high: float
    effective: float
    mass_clipped: float
    """Share of the sum of weights that the cut takes away."""


@dataclass(frozen=True)
class PositionWeights:
    """One position of the lists."""

    position: int
    rows: int
    logging: float
    """Mean reward of what was shown there."""
    value: float
    """Self-normalised, of what the target policy would show there."""
    low: float
    high: float
    effective: float
    mean_weight: float


@dataclass(frozen=True, eq=False, kw_only=True)
class OffPolicy(Record, kind="off_policy", schema=1):
    """Value of a policy that was not shown, beside that of the one that was: `found["SNIPS"].value`.

    `found.logging` is the log's own mean, `found.against_logging` the differences from it. Read `effective` first: it
    says how many rows the estimate really rests on.
    """

    name: str
    reward: str
    rows: int
    requests: int
    users: int
    is_clustered: bool
    """Whether users were named."""
    is_slate: bool
    rewarded: int
    """Rows with a reward other than 0."""
    logging: PolicyEstimate
    estimates: tuple[PolicyEstimate, ...]
    against_logging: tuple[PolicyEstimate, ...]
    """Estimate minus the log's own mean, paired over the same rows."""
    effective: float
    """(Σw)² / Σw², before any cut."""
    effective_share: float
    effective_rewards: float
    """(Σwr)² / Σ(wr)²: how many rewards of equal weight the estimate is worth. Few make intervals rough."""
    largest_share: float
    mean_weight: PolicyEstimate
    """1 where propensities are right and nothing of the target policy is out of sight."""
    unsupported: int
    """Rows left out for want of a propensity."""
    clip: float | None
    mass_clipped: float
    sweep: tuple[ClipStep, ...]
    positions: tuple[PositionWeights, ...]
    confidence_level: float
    is_forced: bool
    """Whether the record would have been refused."""
    warnings: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()

    def __getitem__(self, name: str) -> PolicyEstimate:
        return _named(self.estimates, name)

    def difference(self, name: str = "SNIPS") -> PolicyEstimate:
        """Target minus logged policy, with the interval of the difference."""
        return _named(self.against_logging, name)

    @property
    def outcome(self) -> str:
        """Whether the target policy surely gets `more` or `less` than the logged one by SNIPS; `open` where that is not
        known, or the log was not fit for it."""
        d = self.difference()
        if self.is_forced or isnan(d.low) or d.low <= 0 <= d.high:
            return "open"
        return "more" if d.low > 0 else "less"

    @property
    def verdict(self) -> Statement:
        """The answer in a sentence."""
        d = self.difference()
        about = (self.reward, self.name or "target")
        value = claimed(signed(d.value), "difference", d.value, *about, against="log")
        unit = Text("request", "次请求") if self.is_slate else Text("row", "行")
        if self.is_forced:
            return phrase(*_NOT_FIT, self.reward, value, unit)
        between: str = ""
        if not isnan(d.low):
            ends = (("difference low", d.low), ("difference high", d.high))
            said = [claimed(signed(x), what, x, *about, against="log") for what, x in ends]
            between = phrase(" ({} … {})", "（{} … {}）", *said)
        return phrase(*_VERDICTS[self.outcome], self.reward, value, unit, between)

    def csv_rows(self) -> list[dict[str, Any]]:
        """The rows of `to_frame` as dicts."""
        differences = {e.name: e for e in self.against_logging}
        return [
            {
                **{k: plain(v) for k, v in asdict(e).items()},
                "difference": plain(d.value) if (d := differences.get(e.name)) else None,
                "difference_low": plain(d.low) if d else None,
                "difference_high": plain(d.high) if d else None,
            }
            for e in (self.logging, *self.estimates)
        ]

    def to_frame(self) -> pl.DataFrame:
        """One row for the logged policy and one per estimate, with the difference between the two."""
        import polars as pl

        rows = self.csv_rows()
        return pl.DataFrame(rows, schema={k: pl.String if k == "name" else pl.Float64 for k in rows[0]}, orient="row")

    def sweep_frame(self) -> pl.DataFrame:
        """One row per cut of the weights."""
        import polars as pl

        return pl.DataFrame([asdict(s) for s in self.sweep])


_VERDICTS = {
    "more": (
        "The other policy would get more {} than the logged one: {} per {} by SNIPS{}.",
        "换用该策略，{0} 会高于日志策略：SNIPS 估计每{2} {1}{3}。",
    ),
    "less": (
        "The other policy would get less {} than the logged one: {} per {} by SNIPS{}.",
        "换用该策略，{0} 会低于日志策略：SNIPS 估计每{2} {1}{3}。",
    ),
    "open": (
        "It is not clear whether the other policy would get more {} than the logged one: {} per {} by SNIPS{}.",
        "无法判定换用该策略后 {0} 是否高于日志策略：SNIPS 估计每{2} {1}{3}。",
    ),
}
_NOT_FIT = (
    "Nothing can be concluded about {}: the log is not fit for this estimate; {} per {} by SNIPS is only shown.",
    "无法对 {0} 下结论：这份日志不适合做这种估计；SNIPS 估计每{2} {1}，仅供查看。",
)


def _named(estimates: tuple[PolicyEstimate, ...], name: str) -> PolicyEstimate:
    for one in estimates:
        if one.name == name:
            return one
    known = [e.name for e in estimates]
    more = (
        Text(" DR and DM need model= and target_model=.", "DR 和 DM 需要 model= 和 target_model=。")
        if name in ("DR", "DM")
        else ""
    )
    raise UnknownName(Text(f"no estimate {show(name)}.", f"没有估计 {show(name)}。") + among(name, known) + more)
