"""What is watched, as a project file says it: rules for releases, for streams, and for the health of the input.

[[alerts.release]]                 a fixed set of queries, evaluated again whenever something changes
measures = ["nDCG@10"]
margin = 0.01

[[alerts.stream]]                  fresh queries or rows each period: live traffic, clicks of a day
measures = ["CTR@10"]

[[alerts.health]]                  exact facts
missing_queries = 0
stale = "8d"
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from datetime import timedelta
from itertools import combinations
from typing import Annotated, ClassVar

import msgspec

from rankgauge._checks import is_number
from rankgauge._show import show
from rankgauge._text import Text, zh
from rankgauge.errors import InputError, ParameterError, RankgaugeError
from rankgauge.measures.grammar import meanings

__all__ = ["AlertRules", "HealthRule", "ReleaseRule", "Rule", "StreamRule", "duration", "rules_of"]

FEWEST_PERIODS = 8
"""A baseline of fewer periods is so uncertain itself that one year in five rings without a reason."""
_DURATION = re.compile(r"\s*(\d+(?:\.\d+)?)\s*([mhdw])\s*")
_UNITS = {"m": "minutes", "h": "hours", "d": "days", "w": "weeks"}
_Measures = Annotated[tuple[str, ...], Text("a list of measures", "指标的列表")]
_Names = Annotated[tuple[str, ...], Text("a list of texts", "文本的列表")]
_Against = Annotated[str | float, Text("baseline, previous or a number", " baseline、previous 或一个数字")]
_Line = Annotated[str | float, Text("baseline or a number", " baseline 或一个数字")]
_Number = Annotated[float, Text("a number", "数字")]


class Rule(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What all rules share: which systems and data they are about, and what they are called."""

    kind: ClassVar[str] = ""

    name: str = ""
    """What messages call it; what it watches unless said."""
    systems: _Names = ()
    """All of the project unless named."""
    dataset: str | None = None
    """All unless named."""

    @property
    def watches(self) -> Sequence[str]:
        """Measures, or what a rule of health looks at."""
        raise NotImplementedError  # pragma: no cover


class _OfMeasures(Rule, frozen=True, kw_only=True, omit_defaults=True):
    measures: _Measures
    slices: _Names = ()
    """Attributes of the queries: each of their slices is watched as well."""

    @property
    def watches(self) -> Sequence[str]:
        return self.measures

    def mistakes(self) -> Iterator[tuple[str, Text]]:
        """What types cannot say of it: the key, and what is wrong."""
        if not self.measures:
            yield "measures", Text("must name a measure, such as nDCG@10.", "必须至少有一个指标，例如 nDCG@10。")
        for name in self.measures:
            try:
                meanings(name)
            except RankgaugeError as e:
                yield "measures", Text(f"has a mistake: {e.text}", f"有误：{zh(e.text)}")
        margin = getattr(self, "margin", None)
        if margin is not None and not (is_number(margin) and margin >= 0):
            yield "margin", Text(f"must be 0 or more, got {show(margin)}.", f"必须不小于 0，实际为 {show(margin)}。")
        known = ("baseline", "previous") if self.kind == "release" else ("baseline",)
        against = getattr(self, "against", "baseline")
        if against not in known if isinstance(against, str) else not is_number(against):
            words = ", ".join(known)
            yield (
                "against",
                Text(
                    f"must be {words} or a number, got {show(against)}.",
                    f"必须是 {words} 之一或数字，实际为 {show(against)}。",
                ),
            )


class ReleaseRule(_OfMeasures, frozen=True, kw_only=True, omit_defaults=True):
    """A fixed set of queries: is a changed system worse than its baseline by more than a margin?

    Every changed state is tested once, paired by query; what did not change spends nothing, however often it is
    evaluated again.
    """

    kind: ClassVar[str] = "release"

    margin: _Number = 0.01
    """The loss that is allowed."""
    against: _Against = "baseline"
    """The acknowledged baseline, the state before, or a fixed line."""


class StreamRule(_OfMeasures, frozen=True, kw_only=True, omit_defaults=True):
    """Fresh queries or rows each period: has the number dropped since some time?

    The first periods are the baseline; an e-detector watches the rest. Measures that have an ideal value, such as
    COPC, are watched on both sides.
    """

    kind: ClassVar[str] = "stream"

    margin: _Number | None = None
    """The loss that is allowed; unless said half a standard error of one period, more with few periods of baseline."""
    against: _Line = "baseline"
    """The first periods since the last acknowledged change, or a fixed line."""
    periods: Annotated[int, Text("a whole number", "整数")] = 12
    """How many the baseline has."""

    def mistakes(self) -> Iterator[tuple[str, Text]]:
        """What types cannot say of it: the key, and what is wrong."""
        yield from super().mistakes()
        if self.periods < FEWEST_PERIODS:
            yield (
                "periods",
                Text(
                    f"must be {FEWEST_PERIODS} or more, got {self.periods}: fewer are too uncertain.",
                    f"必须不小于 {FEWEST_PERIODS}，实际为 {self.periods}：更短的基线本身就太不确定。",
                ),
            )


class HealthRule(Rule, frozen=True, kw_only=True, omit_defaults=True):
    """Exact facts of the newest evaluation: nothing here is left to chance."""

    kind: ClassVar[str] = "health"

    missing_queries: _Number | None = None
    """Judged queries without results: so many may be, or below 1 such a share."""
    failures: _Number | None = None
    """The largest share of queries that got no answer."""
    judged: _Number | None = None
    """The smallest share of judged results among the first ones."""
    unchanged: bool = False
    """Whether queries, judgements and policy must be those of the evaluation before."""
    stale: str | None = None
    """How old the newest evaluation may be: 36h, 8d, 2w."""

    @property
    def watches(self) -> Sequence[str]:
        return self.checks

    @property
    def checks(self) -> list[str]:
        """What it looks at."""
        asked = [k for k in ("missing_queries", "failures", "judged", "stale") if getattr(self, k) is not None]
        return [*asked, *(["unchanged"] if self.unchanged else [])]

    def mistakes(self) -> Iterator[tuple[str, Text]]:
        """What types cannot say of it: the key, and what is wrong."""
        for key in ("missing_queries", "failures", "judged"):
            limit = getattr(self, key)
            if limit is None:
                continue
            if not (is_number(limit) and limit >= 0):
                yield key, Text(f"must be 0 or more, got {show(limit)}.", f"必须不小于 0，实际为 {show(limit)}。")
            elif key != "missing_queries" and limit > 1:
                yield (
                    key,
                    Text(
                        f"must be a share between 0 and 1, got {show(limit)}.",
                        f"必须是 0 与 1 之间的比例，实际为 {show(limit)}。",
                    ),
                )
        if self.stale is not None and duration(self.stale) is None:
            yield (
                "stale",
                Text(
                    f"must be a time such as 36h, 8d or 2w, got {show(self.stale)}.",
                    f"必须是时间长度，例如 36h、8d 或 2w，实际为 {show(self.stale)}。",
                ),
            )
        if not self.checks:
            yield (
                "health",
                Text(
                    "must look at something: missing_queries, failures, judged, unchanged or stale.",
                    "必须检查某一项：missing_queries、failures、judged、unchanged 或 stale。",
                ),
            )


class AlertRules(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """All rules of a project, with what it promises: the table `[alerts]` of a project file."""

    release: tuple[ReleaseRule, ...] = ()
    stream: tuple[StreamRule, ...] = ()
    health: tuple[HealthRule, ...] = ()
    looks: Annotated[int, Text("a whole number", "整数")] | None = None
    """One false alarm in so many looks; 520 unless said, 3,650 where there is a look each day."""
    alpha: _Number = 0.05
    """What all releases since the baseline may spend together."""

    @property
    def rules(self) -> tuple[Rule, ...]:
        return (*self.release, *self.stream, *self.health)

    def _twins(self) -> Iterator[tuple[str, Text]]:
        """Rules that nobody could tell apart: of one name, and about the same number of the same system."""
        for kind in ("release", "stream", "health"):
            rules: tuple[Rule, ...] = getattr(self, kind)
            for (i, a), (j, b) in combinations(enumerate(rules, 1), 2):
                if a.name == b.name and (both := [x for x in a.watches if x in b.watches]) and _meet(a, b):
                    what = both[0]
                    yield (
                        f"{kind} #{j}",
                        Text(
                            f"watches {what} as {kind} #{i} does: give each a `name` of its own.",
                            f"与 {kind} #{i} 都监控 {what}：请分别给出不同的 `name`。",
                        ),
                    )

    def mistakes(self) -> Iterator[tuple[str, Text]]:
        """What types cannot say of it: the key, and what is wrong."""
        yield from self._twins()
        if self.looks is not None and self.looks < 1:
            yield "looks", Text(f"must be 1 or more, got {self.looks}.", f"必须不小于 1，实际为 {self.looks}。")
        if not 0 < self.alpha < 0.5:
            yield (
                "alpha",
                Text(
                    f"must be between 0 and 0.5, got {show(self.alpha)}.",
                    f"必须介于 0 和 0.5 之间，实际为 {show(self.alpha)}。",
                ),
            )


def _meet(a: Rule, b: Rule) -> bool:
    """Whether there may be a system on a dataset that both are about."""
    systems = not a.systems or not b.systems or not set(a.systems).isdisjoint(b.systems)
    return systems and (a.dataset is None or b.dataset is None or a.dataset == b.dataset)


def duration(text: str) -> timedelta | None:
    """A length of time as people write it; None for anything else.

    >>> duration("36h"), duration("8 d"), duration("soon")
    (datetime.timedelta(days=1, seconds=43200), datetime.timedelta(days=8), None)
    """
    found = _DURATION.fullmatch(text)
    try:
        return None if found is None else timedelta(**{_UNITS[found[2]]: float(found[1])})
    except OverflowError:
        return None


def rules_of(given: AlertRules | Rule | Iterable[Rule]) -> AlertRules:
    """Rules in any form as one table; an error names every mistake in them."""
    if isinstance(given, AlertRules):
        found = given
    else:
        rules = [given] if isinstance(given, Rule) else list(given)
        for rule in rules:
            if not isinstance(rule, (ReleaseRule, StreamRule, HealthRule)):
                raise ParameterError(
                    Text(
                        f"a rule must be a ReleaseRule, StreamRule or HealthRule, got {show(rule)}.",
                        f"规则必须是 ReleaseRule、StreamRule 或 HealthRule，实际为 {show(rule)}。",
                    )
                )
        found = AlertRules(
            release=tuple(r for r in rules if isinstance(r, ReleaseRule)),
            stream=tuple(r for r in rules if isinstance(r, StreamRule)),
            health=tuple(r for r in rules if isinstance(r, HealthRule)),
        )
    problems = [Text(f"`{key}` {text}", f"`{key}` {zh(text)}") for key, text in found.mistakes()]
    for kind in ("release", "stream", "health"):
        rules = getattr(found, kind)
        for i, rule in enumerate(rules, 1):
            at = f"{kind} #{i}"
            problems += [Text(f"`{at}.{key}` {text}", f"`{at}.{key}` {zh(text)}") for key, text in rule.mistakes()]
    if problems:
        raise InputError.collect(Text("alerts: ", "告警："), problems)
    return found
