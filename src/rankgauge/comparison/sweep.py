"""Which chunk size at which budget?

Several collections of the same documents (chunk sizes, overlaps, retrievers) are judged by the same gold within several
budgets of context. At equal k larger chunks win by holding more text; at equal cost the best one depends on the budget.
All pairs of systems are tested in every measure and budget, corrected together:

    best       better than each other system
    beaten     some other system is better
    open       neither can be said: it is not to be told apart from those that are not beaten

The highest value alone makes no system best, and intervals that overlap are never looked at. Lists that end before the
budget were fetched too short to be compared within it: whatever is said of them says that too (`exhausted`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Unpack

from rankgauge._piped import all_taken_in
from rankgauge._plain_data import damaged
from rankgauge._records import Record
from rankgauge._show import show
from rankgauge._text import Text
from rankgauge._version import __version__
from rankgauge.alignment.costs import Budget
from rankgauge.comparison.comparing import every_pair, tests_made
from rankgauge.comparison.contrast import EveryPair
from rankgauge.data.many_runs import each_taken_in
from rankgauge.data.placed import judged_where, pieces_by_columns
from rankgauge.data.spans import SpanOptions, Spans
from rankgauge.errors import InputError, ParameterError, UnknownName, among
from rankgauge.evaluation.of_rankings import evaluate
from rankgauge.evaluation.policy_fields import refuse_other_keywords
from rankgauge.evaluation.rankings.by_budget import WithinBudget, as_budgets, read_to, results_within, shared_budgets
from rankgauge.evaluation.rankings.by_cutoff import aligned_of
from rankgauge.evaluation.rankings.ceiling import evaluated_like
from rankgauge.evaluation.rankings.conventions import Convention
from rankgauge.evaluation.rankings.notes import said_together, warnings_of
from rankgauge.evaluation.rankings.policy import Policy, PolicyWords
from rankgauge.evaluation.rankings.record import RankingEvaluation
from rankgauge.evaluation.rankings.suspicion import Suspicion
from rankgauge.integrations.retrievers import may_be_asked
from rankgauge.measures.base import Measure
from rankgauge.measures.grammar import as_list, parse_ranking
from rankgauge.statistics.intervals import Interval

if TYPE_CHECKING:
    import polars as pl

    from rankgauge.collection.collecting import CollectOptions

__all__ = ["BudgetSweep", "SweepPoint", "sweep"]


@dataclass(frozen=True, kw_only=True)
class SweepPoint(WithinBudget):
    """One measure of one system within one budget."""

    system: str
    empty: int | None = None
    """Lists of which not even the first result fits; None in what earlier versions stored."""


@dataclass(frozen=True, eq=False, kw_only=True)
class BudgetSweep(EveryPair, Record, kind="sweep", schema=1):
    """Systems within several budgets: which is best at which, and which are not to be told apart.

    `found.best("SpanRecall", "2000t")` names the system that is better than each other one, if there is one,
    `found.contenders(…)` those that none is better than. `rg.sweep` makes it.
    """

    points: Sequence[SweepPoint]
    """Measure after measure, budget after budget, the systems in the order given."""
    qrels: str = ""
    suspicions: Sequence[Suspicion] = ()
    """What casts doubt on the numbers of a system: no verdict says more than they do."""

    @property
    def systems(self) -> list[str]:
        return list(dict.fromkeys(p.system for p in self.points))

    @property
    def budgets(self) -> list[str]:
        """All budgets, the smallest first."""
        return list(dict.fromkeys(p.budget for p in self.points))

    @property
    def unit(self) -> str:
        """t for tokens, c for characters."""
        return Budget.of(self.points[0].budget).unit

    def __getitem__(self, key: tuple[str, str]) -> dict[str, SweepPoint]:
        """`found["SpanRecall", "2000t"]`: the point of each system."""
        measure, budget = key
        for name, known, what in (
            (measure, self.measures, Text("measure", "指标")),
            (budget, self.budgets, Text("budget", "预算")),
        ):
            if name not in known:
                raise UnknownName(
                    Text(f"no {what} {show(name)}.", f"没有{what.zh} {show(name)}。") + among(str(name), known)
                )
        return {p.system: p for p in self.points if (p.measure, p.budget) == key}

    def beaten_by(self, system: str, measure: str, budget: str) -> list[str]:
        """The systems that are surely better than it there."""
        points = self[measure, budget]
        if system not in points:
            raise UnknownName(
                Text(f"no system {show(system)}.", f"没有系统 {show(system)}。") + among(system, self.systems)
            )
        label = points[system].definition
        return [other for other in points if other != system and self.word(other, system, label) == "better"]

    def contenders(self, measure: str, budget: str) -> list[str]:
        """The systems that no other is surely better than, the highest value first: they are not to be told apart."""
        points = self[measure, budget]
        left = [name for name in points if not self.beaten_by(name, measure, budget)]
        sign = self.directions[measure]
        return sorted(left, key=lambda name: -sign * points[name].value)

    def best(self, measure: str, budget: str) -> str | None:
        """The system that is surely better than each other one; None where there is none."""
        points = self[measure, budget]
        for name, p in points.items():
            if all(self.word(name, other, p.definition) == "better" for other in points if other != name):
                return name
        return None

    def standing(self, system: str, measure: str, budget: str) -> str:
        """best, beaten or open."""
        if self.beaten_by(system, measure, budget):
            return "beaten"
        return "best" if self.best(measure, budget) == system else "open"

    # tables

    def csv_rows(self) -> list[dict[str, Any]]:
        """The rows of `to_frame` as dicts."""
        return [
            {
                "measure": p.measure,
                "budget": p.budget,
                "system": p.system,
                "value": p.value,
                "low": p.interval.low,
                "high": p.interval.high,
                "n": p.n,
                "results": p.results,
                "exhausted": p.exhausted,
                "empty": p.empty,
                "standing": self.standing(p.system, p.measure, p.budget),
                "beaten_by": ", ".join(self.beaten_by(p.system, p.measure, p.budget)),
            }
            for p in self.points
        ]

    def to_frame(self) -> pl.DataFrame:
        """A Polars frame, one row per measure, budget and system."""
        import polars as pl

        return pl.DataFrame(self.csv_rows())

    @classmethod
    def _from_plain(cls, data: Any) -> BudgetSweep:
        found = super()._from_plain(data)
        found = replace(found, suspicions=[s for s in found.suspicions if s is not None])  # those that are known here
        try:
            limits = [Budget.of(b) for b in found.budgets]
        except ValueError:
            limits = []
        names = [(p.measure, p.budget, p.system) for p in found.points]
        expected = [(m, b, s) for m in found.measures for b in found.budgets for s in found.systems]
        if not limits or limits != sorted(limits) or names != expected:
            raise damaged(
                "points", Text("expected one for each measure, budget and system", "每个指标、预算和系统应各有一个")
            )
        pairs = {(c.measure, frozenset((c.system, c.baseline))) for c in found.contrasts}
        labels = {p.definition for p in found.points}
        known = {(m, frozenset((a, b))) for m in labels for a in found.systems for b in found.systems if a != b}
        if pairs != known or len(found.contrasts) != len(known):
            raise damaged(
                "contrasts",
                Text("expected one for each pair of systems, measure and budget", "每对系统、指标和预算应各有一个"),
            )
        return found


def sweep(
    qrels: Any,
    collections: Mapping[str, Any],
    measures: str | Measure | Iterable[str | Measure] | None = None,
    *,
    budgets: str | Iterable[str] | None = None,
    documents: Any = None,
    tokenizer: Any = None,
    test: str = "randomisation",
    correction: str = "holm",
    alpha: float = 0.05,
    margin: float | None = None,
    permutations: int = 10_000,
    rng: Any = 0,
    confidence_level: float = 0.95,
    policy: Policy | None = None,
    convention: str | Convention | None = None,
    weights: Any = None,
    strict: bool = False,
    columns: Mapping[str, str] | None = None,
    progress: bool | None = None,
    k: int | None = None,
    queries: Any = None,
    collect: CollectOptions | None = None,
    by: str | None = None,
    **words: Unpack[PolicyWords],
) -> BudgetSweep:
    """Which chunk size is best at which budget, and which are not to be told apart?

    `qrels` are `rg.Spans`, which judge every chunking alike, or any judgements; `collections` what was retrieved from
    each, by name (`rg.Chunks`, or what it takes; runs), or live retrievers. These are asked as `evaluate` asks them:
    for `k` results (20: ask for more where a budget holds more) of the texts in `queries`, with options in `collect`.
    `measures` are named without a budget, and are recall unless said; `budgets` are texts such as `"2000t"` (tokens) or
    `"4000c"` (characters), and unless given those of `rg.by_budget`: 1, 2, 5, 10 … characters, from the shortest first
    result of any system to the longest list. Every pair of systems is tested in each measure within each budget, and
    all of it is corrected together; the keywords are those of `compare`.

    >>> gold = Spans({f"q{i}": [(f"d{i}", 100, 150)] for i in range(20)})
    >>> small = {f"q{i}": [(f"d{i}", 100, 150)] for i in range(20)}
    >>> large = {f"q{i}": [(f"d{i}", 0, 400)] for i in range(20)}
    >>> found = sweep(gold, {"50": small, "400": large}, budgets=["100c", "1000c"])
    >>> found.best("SpanRecall", "100c"), found.best("SpanRecall", "1000c")
    ('50', None)
    """
    refuse_other_keywords(sweep, words, Policy)
    limits = None if budgets is None else as_budgets(budgets)
    if not isinstance(collections, Mapping) or len(collections) < 2:
        raise InputError(
            Text(
                'sweep() needs two collections or more by name: {"200 characters": …, "800 characters": …}.',
                'sweep() 需要按名称给出两个或更多切分：{"200 字符": …, "800 字符": …}。',
            )
        )
    qrels, documents = all_taken_in(qrels, documents)
    collections = each_taken_in(dict(collections))
    if measures is None:  # which recall is meant depends on what gold is
        how: SpanOptions = {"columns": columns, "documents": documents}
        of_spans, _ = judged_where(qrels, collections, by, asks=may_be_asked, **how)
        if isinstance(of_spans, Spans) and of_spans is not qrels:
            collections = pieces_by_columns(dict(collections), of_spans, columns)
            qrels, columns, by = of_spans, None, None
    recall = ["SpanRecall"] if isinstance(qrels, Spans) else ["R"]
    families = _families(recall if measures is None else measures)
    found = evaluate(
        qrels,
        dict(collections),
        list(families.values()) if limits is None else _within(families, limits),
        documents=documents,
        tokenizer=tokenizer,
        confidence_level=confidence_level,
        policy=policy,
        convention=convention,
        weights=weights,
        strict=strict,
        columns=columns,
        progress=progress,
        k=k,
        queries=queries,
        collect=collect,
        by=by,
        **words,
    )
    runs = dict(found)
    if limits is None:  # what lists cost is known only now; live retrievers are not asked again
        limits = shared_budgets(runs, "sweep")
        within = [(str(m), m) for m in _within(families, limits)]
        like = {name: evaluated_like(ev, aligned_of(ev, "sweep"), within) for name, ev in runs.items()}
        runs = {name: replace(like[name], aligned=ev.aligned) for name, ev in runs.items()}
    labels = {(name, b): str(m.replace(budget=b)) for name, m in families.items() for b in limits}
    contrasts, paired = every_pair(
        runs,
        list(labels.values()),
        test=test,
        correction=correction,
        alpha=alpha,
        margin=margin,
        permutations=permutations,
        rng=rng,
        confidence_level=confidence_level,
    )
    first = next(iter(runs.values()))
    told = [first.aligned.alignment.costs.prices.told] if limits[0].unit == "t" else []
    said = {name: [*warnings_of(runs[name]), *ev.remarks] for name, ev in found.items()}
    return BudgetSweep(
        points=[
            _point(ev, system, name, b, label) for (name, b), label in labels.items() for system, ev in runs.items()
        ],
        contrasts=contrasts,
        directions={name: m.direction for name, m in families.items()},
        test=test,
        correction=correction,
        family=tests_made(c.p_value for c in contrasts),
        alpha=alpha,
        confidence_level=next(iter(paired.values())).confidence_level,
        qrels=next(iter(found.values())).qrels,
        suspicions=found.suspicions,
        notes=list(dict.fromkeys([*told, *said_together(said)])),
        version=__version__,
    )


def _point(ev: RankingEvaluation, system: str, measure: str, budget: Budget, label: str) -> SweepPoint:
    assert ev.aligned is not None
    costs = ev.aligned.alignment.costs
    assert costs is not None
    return SweepPoint(
        system=system,
        measure=measure,
        budget=str(budget),
        definition=label,
        value=ev[label],
        interval=Interval(*ev.interval(label)),
        n=ev.n(label),
        results=results_within(costs, budget, read_to(ev.column(label).measure, ev.policy)),
        exhausted=ev.counts.get("exhausted_by", {}).get(label, 0),
        empty=int(costs.unfit(budget).sum()),
    )


def _within(families: Mapping[str, Measure], limits: Iterable[Budget]) -> list[Measure]:
    return [m.replace(budget=b) for m in families.values() for b in limits]


def _families(measures: str | Measure | Iterable[str | Measure]) -> dict[str, Measure]:
    out: dict[str, Measure] = {}
    for item in as_list(measures):
        m = parse_ranking(item)
        if "budget" not in m.params or m.budget is not None or m.summary != "mean" or not m.direction:
            raise ParameterError(
                Text(
                    f"sweep() takes means that can have a budget, without one, such as 'SpanRecall', got {item!s}.",
                    f"sweep() 接受可以带预算而尚未带预算的均值类指标，如 'SpanRecall'，实际为 {item!s}。",
                )
            )
        out[str(m)] = m
    if not out:
        raise ParameterError(
            Text(
                "no measures given. Name at least one, such as 'SpanRecall'.",
                "没有给出指标。请至少给出一个，如 'SpanRecall'。",
            )
        )
    return out
