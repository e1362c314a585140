"""What could the best ranking of these judgements reach?

A number is held down by its list and by its judgements: with one relevant item per query no list has P@10 above 0.1.
The ceiling is the number of a perfect list, evaluated like any other: the judged items by descending grade, from rank
1 on. For measures that count relevant items it shows those only, so that P(divisor=retrieved) is not held down by items
that a perfect list leaves out.

Of spans a perfect list depends on the chunks. No list is above 1, and none has more relevant results than there are
needs, each found by a result of its own.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from rankgauge.alignment import Alignment
from rankgauge.alignment.aligned import Aligned
from rankgauge.evaluation.rankings.naming import Named
from rankgauge.evaluation.rankings.record import Column, RankingEvaluation
from rankgauge.evaluation.rankings.recording import evaluate_alignment

__all__ = ["ceilings", "evaluated_like"]


def ceilings(ev: RankingEvaluation, columns: Sequence[Column]) -> list[float]:
    """What a perfect list reaches in each column, over the queries that count there.

    NaN where the ranks are not at hand, for counts, for measures over subtopics or assessors, whose best list is not in
    order of grades, for those of which less is better, and for spans where no bound is known.
    """
    if ev.aligned is None:
        return [float("nan")] * len(columns)
    if ev.aligned.is_of_spans:
        return [_of_spans(ev, ev.aligned.alignment, c) for c in columns]
    known = [c for c in columns if c.measure.has_ceiling]
    ideal = {}
    for level in {c.measure.perfect_from for c in known}:
        wanted = [(c.label, c.measure) for c in known if c.measure.perfect_from == level]
        perfect = replace(ev.aligned, alignment=_perfect(ev.aligned.alignment, level))
        ideal.update({c.label: c for c in evaluated_like(ev, perfect, wanted).columns})
    return [
        # a measure of the list alone is undefined for an empty one, and the perfect list is not empty
        replace(ideal[c.label], counted=c.counted).total(ev.policy.average, ev.weights)
        if c.label in ideal
        else float("nan")
        for c in columns
    ]


def _of_spans(ev: RankingEvaluation, a: Alignment, c: Column) -> float:
    """What no list of pieces goes beyond."""
    most = c.measure.most_with(a.n_relevant(getattr(c.measure, "rel", None) or 1.0))
    if isinstance(most, float):
        return most
    if ev.policy.average == "micro":
        return float("nan")  # what is divided by what is not known of a list that is not there
    return replace(c, values=np.where(c.counted, most, np.nan)).total(ev.policy.average, ev.weights)


def evaluated_like(ev: RankingEvaluation, aligned: Aligned, wanted: Sequence[Named]) -> RankingEvaluation:
    """Other measures, or other ranks, under the policy, the weights and the level of an evaluation."""
    made = evaluate_alignment(
        aligned, wanted, ev.policy, confidence_level=ev.confidence_level, convention=ev.convention
    )
    return replace(made, weights=ev.weights, run=ev.run)


def _perfect(a: Alignment, level: float | None) -> Alignment:
    """The judged items by descending grade from rank 1; with a level, only those that reach it."""
    by_grade = np.lexsort((-a.grade, a.by_query.owner))
    rank = np.empty_like(a.rank)
    rank[by_grade] = a.by_query.place + 1
    if level is not None:
        rank = np.where(a.relevant(level), rank, 0)
    return replace(a, repeats=None).with_ranks(rank, retrieved=a.count(rank > 0))
