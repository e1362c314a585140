"""What would a list of the most popular items reach?

A number of a recommender says little alone, and beside that of the simplest one a lot. The ranks of judged items in the
list of the most popular items follow from counts of train: no list is made. What a user had before is left out of it,
as `rg.baseline` does; where users do come back to what they had, and the lists show it, it stays in both.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import nan
from typing import Any

import numpy as np

from rankgauge.alignment import Array
from rankgauge.data.judged_ids import item_names
from rankgauge.evaluation.rankings.ceiling import evaluated_like
from rankgauge.evaluation.rankings.record import Column, RankingEvaluation
from rankgauge.statistics.intervals import Interval
from rankgauge.statistics.quotients import quotient_interval

__all__ = ["BesidePopular", "beside_popular", "popular_like", "returning"]


@dataclass(frozen=True)
class BesidePopular:
    """A mean beside that of the most popular items, for the same users."""

    measure: str
    """What was asked for; where all lists end before its cutoff, the same measure there."""
    value: float
    popular: float
    interval: Interval
    """Of value / popular, paired by user; NaN where these users do not tell."""
    n: int

    @property
    def ratio(self) -> float:
        """value / popular; NaN where the most popular items reach nothing."""
        return self.value / self.popular if self.popular else nan


def beside_popular(ev: RankingEvaluation, label: str) -> BesidePopular | None:
    """How many times what popular items reach? None where train is not known, or it is no plain mean over users."""
    mine = ev.column(label)
    if not isinstance(mine, Column) or mine.measure.summary != "mean" or ev.policy.average != "macro":
        return None
    k, reach = mine.measure.cutoff, _reach(ev)
    if k is not None and 0 < reach < k and ev.aligned is not None:  # popular items beyond would be found, and count
        ending = mine.measure @ reach
        name = f"{label.removesuffix(f'@{k}')}@{reach}" if label.endswith(f"@{k}") else str(ending)
        mine = evaluated_like(ev, ev.aligned, [(name, ending)]).columns[0]
    other = popular_like(ev, mine.label, mine.measure)
    if other is None:
        return None
    both = mine.counted & other.counted
    x, y = mine.values[both], other.values[both]
    if not len(x) or np.isnan(x).any() or np.isnan(y).any():
        return None
    interval = quotient_interval(x, y, ev.confidence_level)
    return BesidePopular(mine.label, float(x.mean()), float(y.mean()), interval, len(x))


def _reach(ev: RankingEvaluation) -> int:
    """Where all lists end: no rank behind it is looked at."""
    longest = 0 if ev.aligned is None else int(ev.aligned.alignment.retrieved.max(initial=0))
    return longest if ev.policy.depth is None else min(longest, ev.policy.depth)


def popular_like(ev: RankingEvaluation, label: str, measure: Any) -> Column | None:
    """A measure of judged results, of lists of the most popular items for the same users."""
    ranks = None if measure.budget is not None else _popular_ranks(ev)  # nobody knows how long those are
    if ranks is None:
        return None
    assert ev.aligned is not None
    rank, length = ranks
    longest = _reach(ev)  # no deeper than the lists beside it
    shown = np.where(rank <= longest, rank, 0)
    alignment = replace(ev.aligned.alignment, repeats=None).with_ranks(shown, retrieved=np.minimum(length, longest))
    return evaluated_like(ev, replace(ev.aligned, alignment=alignment), [(label, measure)]).columns[0]


def returning(ev: RankingEvaluation) -> float:
    """The share of relevant items of the test that their user had in train; NaN where that is not known."""
    numbers = _numbers(ev)
    if numbers is None:
        return nan
    assert ev.aligned is not None
    assert ev.shown is not None
    a, c = ev.aligned.alignment, ev.shown.catalogue
    again = c.had(ev.query_ids, a.by_query.owners, numbers)
    relevant = a.relevant(1 if ev.policy.rel is None else ev.policy.rel)
    return float(again[relevant].mean()) if relevant.any() else nan


def _popular_ranks(ev: RankingEvaluation) -> tuple[Array, Array] | None:
    """For each judged item its rank among the most popular ones, and how long that list is for each user."""
    numbers = _numbers(ev)
    if numbers is None:
        return None
    assert ev.aligned is not None
    assert ev.shown is not None
    a, c = ev.aligned.alignment, ev.shown.catalogue
    seen = bool(ev.shown.seen.any()) and returning(ev) > 0
    rank = c.popular_ranks(ev.query_ids, a.by_query.owner, numbers, seen=seen)
    n = len(c.by_popularity)
    if seen:
        return rank, np.full(a.n_queries, n)
    lengths, before = c.history_of(ev.query_ids)
    there = np.zeros(c.n_numbers, dtype=bool)
    there[c.by_popularity] = True
    owner = np.repeat(np.arange(len(lengths)), lengths)
    return rank, n - np.bincount(owner, weights=there[before], minlength=len(lengths)).astype(np.int64)


def _numbers(ev: RankingEvaluation) -> Array | None:
    """The number of each judged item in the catalogue, -1 for what train does not know; None without train."""
    s, aligned, judged = ev.shown, ev.aligned, ev.judged
    if s is None or s.catalogue.train is None or aligned is None or judged is None:
        return None
    a = aligned.alignment
    if list(a.query_ids) != list(judged.query_ids):  # ids are found by their place among all judgements
        return None
    ids = item_names(judged, a.by_query.spread(a.offsets[:-1]) + a.item)
    return s.catalogue.numbers_of_train(s.catalogue.train.item_codes(ids()))
