"""Is one system better in one thing only by being worse in another?

A system *dominates* another where it is better in at least one measure and not worse in any. What better means is asked
of each measure. The values say who seems to dominate whom; whether it is so is a matter of the paired differences, all
pairs of systems in all measures corrected together:

    dominated      some other system is better or equivalent (within the margin; or no query changed) in every measure,
                   and better in one
    undominated    beside each other system it is better in at least one measure
    open           neither can be said

Overlapping intervals of the means say nothing of it, and are never looked at.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Unpack

from rankgauge._plain_data import damaged
from rankgauge._records import Record
from rankgauge._show import show
from rankgauge._text import Text
from rankgauge._version import __version__
from rankgauge.comparison.comparing import PairOptions, every_pair, notes_on, tests_made
from rankgauge.comparison.contrast import EveryPair
from rankgauge.errors import InputError, ParameterError, UnknownName, among
from rankgauge.evaluation.rankings.suspicion import Suspicion
from rankgauge.evaluation.record import Evaluation, Evaluations
from rankgauge.measures.grammar import as_list
from rankgauge.statistics.intervals import Interval

if TYPE_CHECKING:
    import polars as pl

__all__ = ["Tradeoff", "TradeoffPoint", "tradeoff"]

_SURELY_NOT_WORSE = ("better", "equivalent", "unchanged")


@dataclass(frozen=True, kw_only=True)
class TradeoffPoint:
    """One measure of one system."""

    system: str
    measure: str
    value: float
    interval: Interval
    """NaN where the evaluation has none."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Tradeoff(EveryPair, Record, kind="tradeoff", schema=1):
    """Systems in several measures at once: which are dominated, by which, and how sure that is.

    `found.standing("knn")` is dominated, undominated or open; `found.dominators("knn")` says by whom. `evs.tradeoff(…)`
    and `rg.tradeoff` make it; `found.among("nDCG@10", "Coverage@10")` is the same for some of its measures.
    """

    points: Sequence[TradeoffPoint]
    """System after system, in the order of the measures."""
    suspicions: Sequence[Suspicion] = ()
    """What casts doubt on the numbers of each system."""

    @property
    def systems(self) -> list[str]:
        return list(dict.fromkeys(p.system for p in self.points))

    def __getitem__(self, key: tuple[str, str]) -> TradeoffPoint:
        """`found["knn", "nDCG@10"]`."""
        for p in self.points:
            if (p.system, p.measure) == key:
                return p
        system, measure = key
        if system not in self.systems:
            raise UnknownName(
                Text(f"no system {show(system)}.", f"没有系统 {show(system)}。") + among(system, self.systems)
            )
        raise UnknownName(
            Text(f"no measure {show(measure)}.", f"没有指标 {show(measure)}。") + among(measure, self.measures)
        )

    # who is better in what

    def is_dominated(self, system: str, by: str) -> bool:
        """Whether the other is surely not worse in any measure, and surely better in one."""
        words = [self.word(by, system, m) for m in self.measures]
        return "better" in words and all(word in _SURELY_NOT_WORSE for word in words)

    def seems_dominated(self, system: str, by: str) -> bool:
        """Whether the values alone have the other nowhere worse, and better in one measure."""
        gains = [self.gain(by, system, m) for m in self.measures]
        return all(gain >= 0 for gain in gains) and any(gain > 0 for gain in gains)

    def dominators(self, system: str) -> list[str]:
        """The systems that surely dominate it."""
        return [other for other in self._others(system) if self.is_dominated(system, other)]

    def seeming_dominators(self, system: str) -> list[str]:
        """Those that the values alone would have dominate it."""
        return [other for other in self._others(system) if self.seems_dominated(system, other)]

    def standing(self, system: str) -> str:
        """dominated, undominated or open."""
        if self.dominators(system):
            return "dominated"
        stands = all("better" in [self.word(system, o, m) for m in self.measures] for o in self._others(system))
        return "undominated" if stands else "open"

    def same_as(self, system: str) -> list[str]:
        """The systems beside which no query changed in any measure."""
        others = self._others(system)
        return [o for o in others if all(self.word(system, o, m) == "unchanged" for m in self.measures)]

    def _others(self, system: str) -> list[str]:
        if system not in self.systems:
            raise UnknownName(
                Text(f"no system {show(system)}.", f"没有系统 {show(system)}。") + among(system, self.systems)
            )
        return [name for name in self.systems if name != system]

    def among(self, *measures: str) -> Tradeoff:
        """The same for some of its measures; the correction stays that for all of them."""
        odd = next((m for m in measures if m not in self.directions), None)
        if odd is not None or not measures:
            raise UnknownName(
                Text(f"no measure {show(odd)}.", f"没有指标 {show(odd)}。") + among(str(odd), self.measures)
            )
        return replace(
            self,
            points=[p for name in self.systems for m in measures for p in [self[name, m]]],
            contrasts=[c for c in self.contrasts if c.measure in measures],
            directions={m: self.directions[m] for m in measures},
        )

    # tables

    def csv_rows(self) -> list[dict[str, Any]]:
        """The rows of `to_frame` as dicts."""
        return [
            {
                "system": p.system,
                "measure": p.measure,
                "value": p.value,
                "low": p.interval.low,
                "high": p.interval.high,
                "standing": self.standing(p.system),
                "dominated_by": ", ".join(self.dominators(p.system)),
                "seems_dominated_by": ", ".join(self.seeming_dominators(p.system)),
            }
            for p in self.points
        ]

    def to_frame(self) -> pl.DataFrame:
        """A Polars frame, one row per system and measure."""
        import polars as pl

        return pl.DataFrame(self.csv_rows())

    @classmethod
    def _from_plain(cls, data: Any) -> Tradeoff:
        found = super()._from_plain(data)
        found = replace(found, suspicions=[s for s in found.suspicions if s is not None])  # those that are known here
        n, m = len(found.systems), len(found.measures)
        if {(p.system, p.measure) for p in found.points} != {(s, x) for s in found.systems for x in found.measures}:
            raise damaged("points", Text("expected one for each system and measure", "每个系统和指标应各有一个"))
        pairs = {(c.measure, frozenset((c.system, c.baseline))) for c in found.contrasts}
        known = {name for c in found.contrasts for name in (c.system, c.baseline)} <= set(found.systems)
        if not known or len(pairs) != m * n * (n - 1) // 2:
            raise damaged(
                "contrasts", Text("expected one for each pair of systems and measure", "每对系统和指标应各有一个")
            )
        return found


def tradeoff(evs: Any, *measures: Any, **options: Unpack[PairOptions]) -> Tradeoff:
    """Which systems are worth choosing between, and which are dominated by another?

    `evs` are evaluations of several systems by name (`rg.evaluate(qrels, runs, …)`, a dict, a comparison), `measures`
    two or more of theirs; without any all that can be compared. The options are those of `compare`: `test`,
    `correction`, `alpha`, `margin` (within which systems are equivalent), `permutations`, `rng`, `confidence_level`.

    >>> from rankgauge.evaluation.of_rankings import evaluate
    >>> qrels = {f"u{i}": {"a": 1} for i in range(20)}
    >>> good, bad = dict.fromkeys(qrels, ["a", "x"]), dict.fromkeys(qrels, ["x", "y", "a"])
    >>> found = tradeoff(evaluate(qrels, {"good": good, "bad": bad}, ["RR", "P@1"]), "RR", "P@1")
    >>> found.standing("bad"), found.dominators("bad"), found.standing("good")
    ('dominated', ['good'], 'undominated')
    """
    members = _members(evs)
    notes: list[str] = []
    labels = _labels(members, [m for one in measures for m in as_list(one)], notes)
    contrasts, evaluations = every_pair(members, labels, **options)
    first = next(iter(evaluations.values()))
    return Tradeoff(
        points=[
            TradeoffPoint(system=name, measure=label, value=ev[label], interval=Interval(*ev.interval(label)))
            for name, ev in evaluations.items()
            for label in labels
        ],
        contrasts=contrasts,
        directions={label: first.column(label).measure.direction for label in labels},
        test=options.get("test", "randomisation") if first.kind == "rankings" else "t by group",
        correction=options.get("correction", "holm"),
        family=tests_made(c.p_value for c in contrasts),
        alpha=options.get("alpha", 0.05),
        confidence_level=first.confidence_level,
        notes=[*notes, *notes_on(evaluations, labels)],
        suspicions=[s.of(name) for name, ev in evaluations.items() for s in getattr(ev, "suspicions", ())],
        version=__version__,
    )


def _members(evs: Any) -> dict[str, Evaluation]:
    found = getattr(evs, "evaluations", evs)  # those of a comparison
    members = dict(found) if isinstance(found, (Mapping, Evaluations)) else {}
    odd = next((ev for ev in members.values() if not isinstance(ev, Evaluation)), None)
    if len(members) < 2 or odd is not None:
        got = type(odd if odd is not None else evs).__name__ if odd is not None or not members else str(len(members))
        raise InputError(
            Text(
                f"tradeoff() needs evaluations of two systems or more by name, got {got}.",
                f"tradeoff() 需要两个或更多系统的评测（按名称），实际为 {got}。",
            )
        )
    if len({ev.kind for ev in members.values()}) > 1:
        raise InputError(
            Text(
                "evaluations of rankings, of labels and scores, and of classes cannot be compared with each other.",
                "排序的评测、标签与得分的评测和类别的评测不能相互比较。",
            )
        )
    return members


def _are_apart(members: Mapping[str, Any], label: str) -> bool:
    """Whether two systems have no query that counts in a measure for both."""
    counted = [
        {q for q, ok in zip(ev.query_ids, ev.column(label).counted, strict=True) if ok} for ev in members.values()
    ]
    return any(a and b and a.isdisjoint(b) for i, a in enumerate(counted) for b in counted[:i])


def _labels(members: Mapping[str, Evaluation], asked: Sequence[Any], notes: list[str]) -> list[str]:
    first = next(iter(members.values()))
    if asked:
        labels = list(dict.fromkeys(first.column(m).label for m in asked))
        for ev in members.values():
            for label in labels:
                ev.column(label)  # an error that names what there is
    else:
        labels = [c.label for c in first.columns if all(c.label in ev for ev in members.values())]
        labels = [label for label in labels if first.column(label).measure.summary in _COMPARED]
        apart = [label for label in labels if first.kind == "rankings" and _are_apart(members, label)]
        if len(labels) - len(apart) >= 2:
            labels = [label for label in labels if label not in apart]
            notes += [
                Text(
                    f"{label} is left out: two systems have no query that counts in it for both",
                    f"未比较 {label}：有两个系统没有共同计入的查询",
                )
                for label in apart
            ]
    odd = next((label for label in labels if first.column(label).measure.summary not in _COMPARED), None)
    if odd is not None or len(labels) < 2:
        got = odd if odd is not None else ", ".join(labels) or Text("none", "无")
        raise ParameterError(
            Text(
                f"tradeoff() needs two measures or more that can be compared, got {got}.",
                f"tradeoff() 需要两个或更多可以比较的指标，实际为 {got}。",
            )
        )
    return labels


_COMPARED = ("mean", "pooled", "run")
