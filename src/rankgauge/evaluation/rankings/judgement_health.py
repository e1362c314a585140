"""Can the judgements carry the numbers? Who is judged, what is relevant, and what hangs on the order of ties."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from rankgauge._checks import whole
from rankgauge._plain_data import plain_of, read_value, stored_fields
from rankgauge._records import Record
from rankgauge._text import Text
from rankgauge._version import __version__
from rankgauge.alignment import Alignment, Array
from rankgauge.errors import InputError
from rankgauge.evaluation.rankings.by_cutoff import aligned_of, level_of
from rankgauge.evaluation.rankings.record import RankingEvaluation

if TYPE_CHECKING:
    import polars as pl

__all__ = ["Holes", "JudgedAtRank", "JudgementHealth", "RelevantItems", "TieSensitivity", "judgement_health"]

TOP = 10
"""Where holes are looked for: the first results, which most measures rest on."""
MANY = 5
"""Holes in the first results from which half of a page is unknown."""


@dataclass(frozen=True, kw_only=True)
class JudgedAtRank:
    """How many of the results at one rank are judged?"""

    rank: int
    lists: int
    """Lists that are so long."""
    judged: int

    @property
    def share(self) -> float:
        """judged / lists; NaN where no list is so long."""
        return self.judged / self.lists if self.lists else float("nan")


@dataclass(frozen=True, kw_only=True)
class RelevantItems:
    """Relevant items per query, over the queries that have any; NaN where none has."""

    rel: float
    """The lowest relevant grade."""
    queries_without: int
    queries_with: int
    queries_with_one: int
    """Queries with exactly one: their recall is a hit rate."""
    min: float
    median: float
    mean: float
    max: float


@dataclass(frozen=True, kw_only=True)
class Holes:
    """Results near the top that nobody judged."""

    top: int
    """How many results of each list are looked at."""
    results: int
    """Results that stand there, all queries together."""
    unjudged: int
    queries: int
    """Queries with one hole or more."""
    many: int
    """How many holes are many."""
    queries_with_many: int

    @property
    def share(self) -> float:
        """unjudged / results; NaN where there are no results."""
        return self.unjudged / self.results if self.results else float("nan")


MOST_RANKS = 100_000
"""Ranks that are looked at one by one, at most."""


@dataclass(frozen=True, kw_only=True)
class TieSensitivity:
    """What the order of results with equal scores does to one measure."""

    label: str
    tie_width: float
    """How much the mean can change with it."""
    queries: int
    """Queries whose value depends on it."""


@dataclass(frozen=True, eq=False, kw_only=True)
class JudgementHealth(
    Record, kind="judgement_health", schema=1, stored_as={"n_queries": "queries", "n_judgements": "judgements"}
):
    """How far the judgements of an evaluation reach. `rg.judgement_health` makes them."""

    ranks: Sequence[JudgedAtRank]
    """From rank 1 on."""
    grades: Mapping[float, int]
    """For each grade how many judgements have it, the lowest grade first."""
    relevant: RelevantItems
    holes: Holes
    ties: Sequence[TieSensitivity]
    """One for each measure of the evaluation."""
    n_queries: int
    """Queries that are evaluated; everything here is about them."""
    n_judgements: int
    run: str
    qrels: str
    version: str = ""

    def csv_rows(self) -> list[dict[str, Any]]:
        """The rows of `to_frame` as dicts."""
        return [{"rank": r.rank, "lists": r.lists, "judged": r.judged, "share": r.share} for r in self.ranks]

    def to_frame(self) -> pl.DataFrame:
        """A Polars frame, one row per rank: how many lists are so long, and how many results there are judged."""
        import polars as pl

        return pl.DataFrame(self.csv_rows())

    def _also(self) -> dict[str, Any]:
        return {
            "ranks": plain_of(self.csv_rows()),
            "grades": [{"grade": grade, "count": n} for grade, n in self.grades.items()],
            "holes": {**stored_fields(self.holes), "share": plain_of(self.holes.share)},
        }

    @classmethod
    def _from_plain(cls, data: Any) -> JudgementHealth:
        rows = read_value(list[dict[str, float]], data["grades"], "grades")
        return super()._from_plain({**data, "grades": [[row["grade"], row["count"]] for row in rows]})


def judgement_health(ev: RankingEvaluation, depth: int = 20) -> JudgementHealth:
    """Can the judgements carry the numbers?

    Says for the ranks 1 … `depth` how many of the results there are judged (with any grade, negative ones too), how
    often each grade was given, how many relevant items the queries have, how many of the first 10 results nobody
    judged, and which measures depend on the order of tied results.

    All of it is about the queries that the evaluation counts: with missing="skip", those that the run has. Lists end
    at the depth of the policy. An item is relevant from the grade on that the measures of the evaluation agree on, or
    else that of the policy, or 1. Tied results stand in the order of their ids, or as given with ties="input".

    >>> from rankgauge.evaluation.of_rankings import evaluate
    >>> health = judgement_health(evaluate({"q1": {"a": 2, "b": 0}}, {"q1": ["a", "x", "b"]}), depth=3)
    >>> [r.share for r in health.ranks], health.grades, health.holes.unjudged
    ([1.0, 0.0, 1.0], {0.0: 1, 2.0: 1}, 1)
    """
    depth = whole("depth", depth, at_most=MOST_RANKS)
    aligned = aligned_of(ev, "judgement_health")
    if aligned.is_of_spans:
        raise InputError(
            Text(
                "judgement_health: gold is spans of documents here, which leave no result unjudged.",
                "judgement_health：这里的标准是文档中的片段，没有未标注的结果。",
            )
        )
    a = aligned.alignment
    if ev.policy.missing == "skip":
        a = a.of_queries(~aligned.missing)
    shown = a.retrieved if ev.policy.depth is None else np.minimum(a.retrieved, ev.policy.depth)
    grades, counts = np.unique(a.grade, return_counts=True)
    return JudgementHealth(
        ranks=_ranks(a, shown, depth),
        grades={float(g): int(n) for g, n in zip(grades, counts, strict=True)},
        relevant=_relevant(a, level_of(ev)),
        holes=_holes(a, shown),
        ties=tuple(
            TieSensitivity(label=c.label, tie_width=float(c.tie_width), queries=int(c.tie_queries.sum()))
            for c in ev.columns
        ),
        n_queries=a.n_queries,
        n_judgements=len(a.grade),
        run=ev.run,
        qrels=ev.qrels,
        version=__version__,
    )


def _ranks(a: Alignment, shown: Array, depth: int) -> tuple[JudgedAtRank, ...]:
    a = a.places
    inside = a.shown & (a.rank <= np.minimum(a.by_query.spread(shown), depth))
    judged = np.bincount(a.rank[inside], minlength=depth + 1)
    ending = np.bincount(np.minimum(shown, depth), minlength=depth + 1)  # lists by their length
    reaching = np.cumsum(ending[::-1])[::-1]
    return tuple(JudgedAtRank(rank=r, lists=int(reaching[r]), judged=int(judged[r])) for r in range(1, depth + 1))


def _relevant(a: Alignment, rel: float) -> RelevantItems:
    per_query = a.n_relevant(rel)
    some = per_query[per_query > 0]
    nan = float("nan")
    return RelevantItems(
        rel=rel,
        queries_without=int((per_query == 0).sum()),
        queries_with=len(some),
        queries_with_one=int((per_query == 1).sum()),
        min=float(some.min()) if len(some) else nan,
        median=float(np.median(some)) if len(some) else nan,
        mean=int(some.sum()) / len(some) if len(some) else nan,
        max=float(some.max()) if len(some) else nan,
    )


def _holes(a: Alignment, shown: Array) -> Holes:
    a, first = a.places, np.minimum(shown, TOP)
    open_ = first - a.count(a.shown & (a.rank <= a.by_query.spread(first)))
    return Holes(
        top=TOP,
        results=int(first.sum()),
        unjudged=int(open_.sum()),
        queries=int((open_ > 0).sum()),
        many=MANY,
        queries_with_many=int((open_ >= MANY).sum()),
    )
