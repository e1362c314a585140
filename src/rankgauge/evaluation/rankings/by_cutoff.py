"""How do the numbers change with the cutoff, and how much of what can be reached do they reach?"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from rankgauge._plain_data import damaged
from rankgauge._records import Record
from rankgauge._show import show
from rankgauge._text import Text
from rankgauge._version import __version__
from rankgauge.alignment import Alignment
from rankgauge.alignment.aligned import Aligned
from rankgauge.errors import InputError, ParameterError
from rankgauge.evaluation.rankings.ceiling import ceilings, evaluated_like
from rankgauge.evaluation.rankings.conventions import convention
from rankgauge.evaluation.rankings.points import OfPoints
from rankgauge.evaluation.rankings.policy import Policy
from rankgauge.evaluation.rankings.record import RankingEvaluation
from rankgauge.measures.base import Measure
from rankgauge.measures.grammar import as_list, parse_ranking
from rankgauge.statistics.intervals import Interval

if TYPE_CHECKING:
    pass

__all__ = ["ByCutoff", "CutoffPoint", "aligned_of", "by_cutoff", "level_of"]

DEFAULT_FAMILIES = ("nDCG", "R", "P", "Hit", "RR")
STEPS = (1, 2, 3, 5, 10, 20, 50, 100, 200, 500, 1000)
FEWEST = 10
"""Cutoffs go this far even where all lists are shorter."""


@dataclass(frozen=True, kw_only=True)
class CutoffPoint:
    """One measure at one cutoff."""

    measure: str
    """What it is called, without the cutoff."""
    definition: str
    """What it is, with the cutoff and the level that the policy gave it."""
    k: int
    value: float
    interval: Interval
    """Of the mean; NaN where `RankingEvaluation.interval` has none."""
    n: int
    """How many queries the value rests on."""
    ceiling: float
    """What a perfect ranking of the judged items reaches; NaN where the order of grades is not the best one."""


@dataclass(frozen=True, eq=False, kw_only=True)
class ByCutoff(OfPoints[CutoffPoint], Record, kind="by_cutoff", schema=1):
    """The numbers of one run at several cutoffs, each beside the number of a perfect ranking.

    `found["nDCG"]` has the points of one measure, the smallest cutoff first. `rg.by_cutoff` makes them.
    """

    points: Sequence[CutoffPoint]
    """Measure after measure, each by ascending cutoff."""
    longest: int
    """Results of the longest list."""
    run: str
    qrels: str
    policy: Policy
    convention: str = "rankgauge"
    confidence_level: float = 0.95
    version: str = ""

    @property
    def cutoffs(self) -> list[int]:
        """All cutoffs, the smallest first."""
        return sorted({p.k for p in self.points})

    def csv_rows(self) -> list[dict[str, Any]]:
        """The rows of `to_frame` as dicts."""
        return [
            {
                "measure": p.measure,
                "definition": p.definition,
                "k": p.k,
                "value": p.value,
                "low": p.interval.low,
                "high": p.interval.high,
                "n": p.n,
                "ceiling": p.ceiling,
            }
            for p in self.points
        ]

    @classmethod
    def _from_plain(cls, data: Any) -> ByCutoff:
        found = super()._from_plain(data)
        if len({(p.measure, p.k) for p in found.points}) != len(found.measures) * len(found.cutoffs):
            raise damaged("points", Text("expected one for each measure and cutoff", "每个指标和截断应各有一个"))
        return found


def by_cutoff(
    ev: RankingEvaluation,
    measures: str | Measure | Iterable[str | Measure] = DEFAULT_FAMILIES,
    cutoffs: Iterable[int] | None = None,
) -> ByCutoff:
    """How do the numbers change with the cutoff, and what could they be at most?

    `measures` are named without a cutoff: `"nDCG"`, `"nDCG(gain=exponential)"`, `"R(rel=2)"`. Values, intervals and the
    queries that count are those of `evaluate` under the same policy, convention, weights and confidence level. The
    default measures take the lowest relevant grade from the evaluation: the one that all of its measures with such a
    grade agree on, or else that of the policy. Measures that are given say their own, or have that of the policy.

    `cutoffs` are 1, 2, 3, 5, 10, 20, 50 … 1000 unless given, as far as the longest list goes and at least to 10.

    The ceiling is the number of the list that shows the judged items by descending grade from rank 1, evaluated like
    any other. For measures that count relevant items it shows those only, so that P(divisor=retrieved) is not held
    down by items that a perfect list leaves out. Measures over subtopics or assessors have none (NaN).

    >>> from rankgauge.evaluation.of_rankings import evaluate
    >>> ev = evaluate({"q1": {"a": 1, "b": 1, "c": 1}}, {"q1": ["a", "x", "b"]})
    >>> [(p.k, round(p.value, 3), round(p.ceiling, 3)) for p in by_cutoff(ev, "R", [1, 2, 3])["R"]]
    [(1, 0.333, 0.333), (2, 0.333, 0.667), (3, 0.667, 1.0)]
    """
    aligned = aligned_of(ev, "by_cutoff")
    raw = aligned.alignment
    longest = int(raw.retrieved.max(initial=0))
    if ev.policy.depth is not None:
        longest = min(longest, ev.policy.depth)
    families = _families(ev, measures)
    ks = _cutoffs(cutoffs, longest)
    names = [(name, k) for name in families for k in ks]
    wanted = [(f"{name}@{k}", families[name].replace(k=k)) for name, k in names]
    shown = evaluated_like(ev, replace(aligned, alignment=_settled(raw, ev.policy.ties)), wanted)
    is_drawn = not aligned.is_of_spans  # what no list of pieces goes beyond is no perfect list of judged items
    best = ceilings(ev, shown.columns) if is_drawn else [float("nan")] * len(shown.columns)
    return ByCutoff(
        points=tuple(
            CutoffPoint(
                measure=name,
                definition=str(c.measure),
                k=k,
                value=shown[c.label],
                interval=shown.interval(c.label),
                n=shown.n(c.label),
                ceiling=ceiling,
            )
            for (name, k), c, ceiling in zip(names, shown.columns, best, strict=True)
        ),
        longest=longest,
        run=ev.run,
        qrels=ev.qrels,
        policy=ev.policy,
        convention=ev.convention,
        confidence_level=ev.confidence_level,
        version=__version__,
    )


def aligned_of(ev: RankingEvaluation, caller: str) -> Aligned:
    """The ranks of the judged items, or an error that says who needs them."""
    if not isinstance(ev, RankingEvaluation):
        raise ParameterError(
            Text(
                f"{caller}() needs the evaluation of one ranking, got {type(ev).__name__}.",
                f"{caller}() 需要单个排序的评测，实际为 {type(ev).__name__}。",
            )
        )
    if ev.aligned is None:
        raise InputError(
            Text(
                f"{caller}: this evaluation was stored and has no ranks of judged items; evaluate the run again.",
                f"{caller}：这个评测是存储的，没有已标注文档的排名；请重新评测这个 run。",
            )
        )
    return ev.aligned


def level_of(ev: RankingEvaluation) -> float:
    """The lowest relevant grade of an evaluation.

    That on which all measures that have one agree; else that of the policy, or 1.
    """
    levels = {c.measure.rel for c in ev.columns if c.measure.has_level}  # type: ignore[attr-defined]
    agreed: float | None = next(iter(levels)) if len(levels) == 1 else None
    return ev.policy.level if agreed is None else agreed


def _families(ev: RankingEvaluation, measures: str | Measure | Iterable[str | Measure]) -> dict[str, Measure]:
    """The measures by what they are called, without cutoffs."""
    given = tuple(as_list(measures))
    if not given:
        raise ParameterError(
            Text("no measures given. Name at least one, such as 'nDCG'.", "没有给出指标。请至少给出一个，如 'nDCG'。")
        )
    out: dict[str, Measure] = {}
    for item in given:
        m = parse_ranking(item, convention(ev.convention).parameters)
        if not m.has_cutoff:
            raise ParameterError(
                Text(
                    f"{item!s} has no cutoff; by_cutoff() takes measures that have one, such as 'nDCG'.",
                    f"{item!s} 没有截断参数；by_cutoff() 接受有截断的指标，如 'nDCG'。",
                )
            )
        if m.summary == "none":
            raise ParameterError(
                Text(
                    f"{item!s} is a text, not a number; by_cutoff() takes measures such as 'nDCG'.",
                    f"{item!s} 是文本，不是数字；by_cutoff() 接受 'nDCG' 这样的指标。",
                )
            )
        if m.cutoff is not None:
            raise ParameterError(
                Text(
                    f"by_cutoff() takes measures without a cutoff, got {item!s}. "
                    f"Pass {show(str(m.replace(k=None)))} and cutoffs=[{m.cutoff}].",
                    f"by_cutoff() 接受不带截断的指标，实际为 {item!s}。请传入 {show(str(m.replace(k=None)))} 和 "
                    f"cutoffs=[{m.cutoff}]。",
                )
            )
        name = str(item)
        if given == DEFAULT_FAMILIES and m.has_level and level_of(ev) not in (1, ev.policy.rel):
            m = m.replace(rel=level_of(ev))
            name = str(m)
        out[name] = m
    return out


def _cutoffs(cutoffs: Iterable[int] | None, longest: int) -> list[int]:
    if cutoffs is None:
        return [k for k in STEPS if k <= max(longest, FEWEST)]
    ks = list(cutoffs)
    for k in ks:
        if isinstance(k, bool) or not isinstance(k, (int, np.integer)) or k < 1:
            raise ParameterError(
                Text(
                    f"`cutoffs` must be positive integers, got {show(k)}.",
                    f"`cutoffs` 必须是正整数，实际为 {show(k)}。",
                )
            )
    if not ks:
        raise ParameterError(
            Text(
                "no cutoffs given. Name at least one, such as 10, or pass None.",
                "没有给出截断。请至少给出一个，如 10，或传入 None。",
            )
        )
    return sorted({int(k) for k in ks})


def _settled(a: Alignment, ties: str) -> Alignment:
    """The order of the policy without a trace of ties: what other orders would give is not asked here."""
    return a if ties in ("best", "worst", "expected") else a.with_ranks(a.rank)
