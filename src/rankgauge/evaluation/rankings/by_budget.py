"""How do the numbers change with the room that a context has?"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from rankgauge._plain_data import damaged
from rankgauge._records import Record
from rankgauge._show import show
from rankgauge._text import Text
from rankgauge._version import __version__
from rankgauge.alignment import Array
from rankgauge.alignment.costs import Budget, Costs
from rankgauge.errors import ParameterError
from rankgauge.evaluation.rankings.by_cutoff import aligned_of
from rankgauge.evaluation.rankings.ceiling import evaluated_like
from rankgauge.evaluation.rankings.conventions import convention
from rankgauge.evaluation.rankings.costing import refuse_orders
from rankgauge.evaluation.rankings.points import OfPoints
from rankgauge.evaluation.rankings.policy import Policy
from rankgauge.evaluation.rankings.record import RankingEvaluation
from rankgauge.measures.base import Measure, without_costs
from rankgauge.measures.grammar import as_list, parse_ranking
from rankgauge.statistics.intervals import Interval

if TYPE_CHECKING:
    pass

__all__ = [
    "BudgetPoint",
    "ByBudget",
    "as_budgets",
    "by_budget",
    "by_same_budgets",
    "has_budgets",
    "read_to",
    "results_within",
]

OF_RESULTS = ("R", "Hit", "nDCG")
OF_SPANS = ("SpanRecall", "R", "SpanPrecision")
_MOST_STEPS = 12


@dataclass(frozen=True, kw_only=True)
class WithinBudget:
    """One measure within one budget."""

    measure: str
    """What it is called, without the budget."""
    definition: str
    """What it is, with the budget and the level that the policy gave it."""
    budget: str
    """2000t or 4000c."""
    value: float
    interval: Interval
    """Of the mean; NaN where `RankingEvaluation.interval` has none."""
    n: int
    """How many queries the value rests on."""
    results: float
    """How many results fit and are read, on average over all queries: a measure with a cutoff reads no more."""
    exhausted: int | None = None
    """Lists that end before the budget, with room for another result; None in what earlier versions stored."""

    @property
    def limit(self) -> int:
        return Budget.of(self.budget).limit


@dataclass(frozen=True, kw_only=True)
class BudgetPoint(WithinBudget):
    """One measure of a run within one budget."""

    empty: int
    """Lists of which not even the first result fits."""


@dataclass(frozen=True, eq=False, kw_only=True)
class ByBudget(OfPoints[BudgetPoint], Record, kind="by_budget", schema=1):
    """The numbers of one run within several budgets of context.

    `found["R"]` has the points of one measure, the smallest budget first. `rg.by_budget` makes them.
    """

    points: Sequence[BudgetPoint]
    """Measure after measure, each by ascending budget."""
    queries: int
    run: str
    qrels: str
    policy: Policy
    convention: str = "rankgauge"
    confidence_level: float = 0.95
    notes: Sequence[str] = ()
    version: str = ""

    @property
    def budgets(self) -> list[str]:
        """All budgets, the smallest first."""
        return list(dict.fromkeys(p.budget for p in self.points))

    @property
    def unit(self) -> str:
        """t for tokens, c for characters."""
        return Budget.of(self.points[0].budget).unit

    def csv_rows(self) -> list[dict[str, Any]]:
        """The rows of `to_frame` as dicts."""
        return [
            {
                "measure": p.measure,
                "definition": p.definition,
                "budget": p.budget,
                "value": p.value,
                "low": p.interval.low,
                "high": p.interval.high,
                "n": p.n,
                "results": p.results,
                "empty": p.empty,
                "exhausted": p.exhausted,
            }
            for p in self.points
        ]

    @classmethod
    def _from_plain(cls, data: Any) -> ByBudget:
        found = super()._from_plain(data)
        try:
            limits = [Budget.of(b) for b in found.budgets]
        except ValueError:
            limits = []
        ascending = limits == sorted(limits) and len({b.unit for b in limits}) == 1
        pairs = [(p.measure, p.budget) for p in found.points]
        if not ascending or pairs != [(m, b) for m in found.measures for b in found.budgets]:
            raise damaged("points", Text("expected one for each measure and budget", "每个指标和预算应各有一个"))
        return found


def by_budget(
    ev: RankingEvaluation,
    measures: str | Measure | Iterable[str | Measure] | None = None,
    budgets: str | Iterable[str | Budget] | None = None,
) -> ByBudget:
    """How do the numbers change with the room that a context has?

    `measures` are named without a budget: `"R"`, `"SpanRecall"`, `"nDCG@10"`. `budgets` are texts such as `"2000t"`
    (tokens) or `"4000c"` (characters), all of one unit; 1, 2, 5, 10 … from what the shortest first result costs to what
    the longest list costs unless given, in the unit of the evaluation's own budgets, or else in characters. Values,
    intervals and the queries that count are those of `evaluate` under the same policy, weights and confidence level.

    >>> from rankgauge.evaluation.of_rankings import evaluate
    >>> texts = {"a": "one two", "b": "three four five", "x": "many words " * 10}
    >>> ev = evaluate({"q": {"a": 1, "b": 1}}, {"q": ["a", "x", "b"]}, "R@3", documents=texts)
    >>> [(p.budget, p.value, p.results) for p in by_budget(ev, "R", ["1t", "10t", "30t"])["R"]]
    [('1t', 0.0, 0.0), ('10t', 0.5, 1.0), ('30t', 1.0, 3.0)]
    """
    aligned = aligned_of(ev, "by_budget")
    a = aligned.alignment
    families = _families(ev, (OF_SPANS if aligned.is_of_spans else OF_RESULTS) if measures is None else measures)
    if a.costs is None:
        raise ParameterError(without_costs("by_budget()"))
    refuse_orders("by_budget()", ev.policy)
    limits = _steps(_unit(ev), a.costs) if budgets is None else as_budgets(budgets)
    names = [(name, b) for name in families for b in limits]
    wanted = [(f"{name} {b}", families[name].replace(budget=b)) for name, b in names]
    shown = evaluated_like(ev, aligned, wanted)
    depth = {name: read_to(m, ev.policy) for name, m in families.items()}
    return ByBudget(
        points=tuple(
            BudgetPoint(
                measure=name,
                definition=str(c.measure),
                budget=str(b),
                value=shown[c.label],
                interval=shown.interval(c.label),
                n=shown.n(c.label),
                results=results_within(a.costs, b, depth[name]),
                empty=int(a.costs.unfit(b).sum()),
                exhausted=int(a.costs.exhausted(b, depth[name]).sum()),
            )
            for (name, b), c in zip(names, shown.columns, strict=True)
        ),
        queries=a.n_queries,
        run=ev.run,
        qrels=ev.qrels,
        policy=ev.policy,
        convention=ev.convention,
        confidence_level=ev.confidence_level,
        notes=[a.costs.prices.told] if limits[0].unit == "t" else [],
        version=__version__,
    )


def read_to(m: Measure, policy: Policy) -> int | None:
    """How many results a measure reads at most: its own cutoff, or the depth of the policy."""
    return min((k for k in (policy.depth, m.cutoff) if k is not None), default=None)


def results_within(costs: Costs, budget: Budget, depth: int | None) -> float:
    """How many results fit and are read, on average over all queries."""
    ends = costs.ends(budget)
    read: Array = ends if depth is None else np.minimum(ends, depth)
    return float(read.mean()) if len(read) else 0.0


def as_budgets(budgets: str | Budget | Iterable[str | Budget]) -> list[Budget]:
    """Budgets of one unit, the smallest first."""
    out = set()
    is_one = isinstance(budgets, (str, Budget)) or not isinstance(budgets, Iterable)
    for given in [budgets] if is_one else list(budgets):
        try:
            out.add(Budget.of(given))
        except ValueError as e:
            must: Text = e.args[0]
            raise ParameterError(
                Text(f"`budgets`: each {must}, got {show(given)}.", f"`budgets`：每个{must.zh}，实际为 {show(given)}。")
            ) from None
    if len({b.unit for b in out}) != 1:
        got = ", ".join(map(str, sorted(out))) or Text("none", "无")
        raise ParameterError(
            Text(
                f"`budgets` must be one or more of one unit, such as ['500t', '2000t'], got {got}.",
                f"`budgets` 必须是同一单位的一个或多个预算，如 ['500t', '2000t']，实际为 {got}。",
            )
        )
    return sorted(out)


def _families(ev: RankingEvaluation, measures: str | Measure | Iterable[str | Measure]) -> dict[str, Measure]:
    out: dict[str, Measure] = {}
    for item in as_list(measures):
        m = parse_ranking(item, convention(ev.convention).parameters)
        if "budget" not in m.params or m.budget is not None or m.summary == "none":
            raise ParameterError(
                Text(
                    f"by_budget() takes measures that can have a budget, without one, such as 'R', got {item!s}.",
                    f"by_budget() 接受可以带预算而尚未带预算的指标，如 'R'，实际为 {item!s}。",
                )
            )
        out[str(item)] = m
    if not out:
        raise ParameterError(
            Text("no measures given. Name at least one, such as 'R'.", "没有给出指标。请至少给出一个，如 'R'。")
        )
    return out


def has_budgets(ev: RankingEvaluation) -> bool:
    """Whether it is known what its results cost, and they stand in one order."""
    in_order = ev.policy.ties in ("doc_id", "input") and ev.policy.unjudged != "remove"
    return in_order and ev.aligned is not None and ev.aligned.alignment.costs is not None


def _unit(ev: RankingEvaluation) -> str:
    """The unit of the budgets that were asked for; characters where none was."""
    return next((c.measure.budget.unit for c in ev.columns if c.measure.budget is not None), "c")


def by_same_budgets(runs: Mapping[str, RankingEvaluation], measures: Any = None) -> dict[str, ByBudget]:
    """Several runs within the same budgets."""
    limits = shared_budgets(runs, "by_budget")
    return {name: by_budget(ev, measures, limits) for name, ev in runs.items()}


def shared_budgets(runs: Mapping[str, RankingEvaluation], caller: str) -> list[Budget]:
    """Budgets for several runs, from the least that is of use to any of them to the most."""
    costs = [aligned_of(ev, caller).alignment.costs for ev in runs.values()]
    if not runs or None in costs:
        raise ParameterError(without_costs(f"{caller}()"))
    units = {_unit(ev) for ev in runs.values()}
    return _steps(units.pop() if len(units) == 1 else "c", *(c for c in costs if c is not None))


def _steps(unit: str, *costs: Costs) -> list[Budget]:
    """1, 2, 5, 10 …: from the cheapest first result to the first that holds every list."""
    ends = [c.range(unit) for c in costs]
    least, most = min(low for low, _ in ends), max(high for _, high in ends)
    ladder = [step * 10**e for e in range(10) for step in (1, 2, 5)]
    last = next((i for i, x in enumerate(ladder) if x >= most), len(ladder) - 1)
    first = max(next((i for i, x in enumerate(ladder) if x >= least), last), last - _MOST_STEPS + 1)
    return [Budget(x, unit) for x in ladder[min(first, last) : last + 1]]
