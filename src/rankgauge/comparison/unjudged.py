"""What could judging the unjudged results, or another order of tied ones, do to a difference of two runs?

Unjudged results count as not relevant. A run that finds what no other run had found is punished for it, and a
difference between two runs may come from nothing else. The functions here say how far the difference could move.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import isnan

import numpy as np

from rankgauge._checks import whole
from rankgauge._text import Text, zh
from rankgauge.alignment import Alignment, Array
from rankgauge.alignment.aligned import Aligned
from rankgauge.alignment.unjudged import Unjudged, optimistic, unjudged, with_judged
from rankgauge.errors import InputError, ParameterError
from rankgauge.evaluation.rankings.policy import DEEPEST_RANK
from rankgauge.evaluation.rankings.record import Column
from rankgauge.measures import parse_ranking
from rankgauge.measures.base import Measure, divide

__all__ = ["Bounds", "bounds", "has_bounds", "only_from_ties", "only_from_unjudged", "optimistic"]

EPS = 1e-12  # differences below it are rounding: sums of the same terms in another order
STEPS = 16  # counts of newly relevant results that are tried one by one; more are tried in ranges


@dataclass(frozen=True, eq=False)
class Bounds:
    """How far the difference B - A of each query could move; `low, high = bounds(…)` works too."""

    measure: str
    difference: Array
    """B - A as judged; NaN where the measure says nothing because nothing relevant is judged."""
    low: Array
    high: Array
    """Smallest and largest B - A, NaN where the difference is."""
    depth: int
    """Unjudged results among the first `depth` of either list are open, deeper ones stay not relevant."""
    unjudged_a: Array
    unjudged_b: Array
    """Unjudged results within the depth, per query."""

    def __iter__(self) -> Iterator[Array]:
        return iter((self.low, self.high))

    @property
    def mean(self) -> float:
        """Mean of the differences as judged."""
        return _mean(self.difference)

    @property
    def mean_low(self) -> float:
        return _mean(self.low)

    @property
    def mean_high(self) -> float:
        return _mean(self.high)

    @property
    def could_change(self) -> bool:
        """Whether judging more could give the mean difference another sign, or leave none."""
        return not isnan(self.mean) and bool(_sign(self.mean_low) != _sign(self.mean_high))


def has_bounds(measure: str | Measure) -> bool:
    """Whether `bounds` knows how far unjudged results can move a measure."""
    return parse_ranking(measure).unbounded() is None


def bounds(
    a: Alignment | Aligned, b: Alignment | Aligned, measure: str | Measure, *, depth: int | None = None
) -> Bounds:
    """How small and how large could B - A be, whatever grades the unjudged results had?

    Open are the unjudged results among the first `depth` of either list: at least, and by default, the k of the
    measure, or the whole list. The bounds hold for every way of giving them grades between 0 and the highest of the
    judgements. Deeper results stay not relevant; for measures that count all relevant items (R, nDCG, AP) they
    would matter too, so pass a larger depth to have them in.

    The extremes are independent: A as bad as it can get against B as good as it can get, and the reverse. An alignment
    does not say whether both runs show the same unjudged item, so a result of B counts against A as
    an item that A missed. The true range is therefore inside these bounds and often narrower.

    P, R, F, Hits, CG, DCG, RBP, ERR, RR, Hit: best when all open results of the own list within k are relevant, worst
    when those are not but all others are. AP: every number of relevant results is tried, at the top for the
    best and at the end for the worst; beyond 16 in ranges. nDCG: the worst case likewise; the best case sets
    the most gain against the ideal list as judged, at most 1. Other measures are refused: they do not take
    unjudged results as not relevant (bpref, infAP, judged_only), or what they divide by depends on what was found.
    """
    m = parse_ranking(measure)
    reason = m.unbounded()
    if reason is not None:
        raise ParameterError(
            Text(
                f"bounds: no bounds are known for {m}: {reason}. Try nDCG, P, R, AP, RR or RBP.",
                f"bounds：{m} 没有已知的上下界：{zh(reason)}。请试试 nDCG、P、R、AP、RR 或 RBP。",
            )
        )
    depth = whole("depth", depth, at_most=DEEPEST_RANK, optional=True, caller="bounds")
    a, b = _pair(a, b)
    # never less than what the measure reads: a result of the first few of one list may stand deeper in the other
    least = m.cutoff or int(max(a.retrieved.max(initial=1), b.retrieved.max(initial=1)))
    depth = max(depth or least, least)
    m = m.bind(a)
    open_a, open_b = unjudged(a, depth), unjudged(b, depth)
    n_a, n_b = open_a.by_query.lengths, open_b.by_query.lengths
    difference = _difference(m, a, b)
    low_a, high_a = _extremes(m, a, open_a, n_b)
    low_b, high_b = _extremes(m, b, open_b, n_a)
    return Bounds(
        measure=str(measure),
        difference=difference,
        low=np.minimum(low_b - high_a, difference),  # NaN stays NaN
        high=np.maximum(high_b - low_a, difference),
        depth=depth,
        unjudged_a=n_a,
        unjudged_b=n_b,
    )


def _extremes(m: Measure, a: Alignment, open_: Unjudged, others: Array) -> tuple[Array, Array]:
    """Lowest and highest value of one run; `others` counts the open results that only the other run may show."""
    top = a.max_grade
    if m.when_judged == "never hurts":
        inside = open_.rank <= (m.cutoff or np.inf)
        return m.values(with_judged(a, open_, ~inside, top, others)), m.values(with_judged(a, open_, inside, top))
    low = _lowest(m, a, open_, others)
    if m.when_judged == "count":
        return low, _highest(m, a, open_)
    gain, _ = m.parts(with_judged(a, open_, open_.first(open_.by_query.lengths), a.max_grade))
    _, ideal = m.parts(a)
    return low, np.minimum(divide(gain, ideal), 1.0)


def _lowest(m: Measure, a: Alignment, open_: Unjudged, others: Array) -> Array:
    """Of each number of relevant results among the open ones the deepest, while the other run's are all missed.

    nDCG is linear over convex in the gains, so that it is lowest where each gain is either nothing or the most; and
    for a given number of them the numerator is lowest at the end of the list, while the ideal is the same.
    """
    gain, _ = m.parts(a)
    _, ideal = m.parts(with_judged(a, open_, np.zeros(len(open_.rank), dtype=bool), a.max_grade, others))
    low = divide(gain, ideal)
    for fewest, most in _ranges(open_.by_query.lengths):
        gain, ideal = m.parts(with_judged(a, open_, open_.last(most), a.max_grade, others))
        if fewest is not most:  # what the other run shows is not in this list: the same numerator with it or without
            gain, _ = m.parts(with_judged(a, open_, open_.last(fewest), a.max_grade))
        low = np.minimum(low, divide(gain, ideal))
    return low


def _highest(m: Measure, a: Alignment, open_: Unjudged) -> Array:
    """Of each number of relevant results among the open ones those nearest to the top."""
    high = m.values(a)
    for fewest, most in _ranges(open_.by_query.lengths):
        gain, ideal = m.parts(with_judged(a, open_, open_.first(most), a.max_grade))
        if fewest is not most:
            _, ideal = m.parts(with_judged(a, open_, open_.first(fewest), a.max_grade))
        high = np.maximum(high, np.minimum(divide(gain, ideal), 1.0))
    return high


def _ranges(n: Array) -> Iterator[tuple[Array, Array]]:
    """The numbers 1 … n of each query in at most `STEPS` ranges; an empty one repeats the number before.

    Where there are no more numbers than ranges, both ends of each are one and the same array.
    """
    steps = int(min(STEPS, n.max(initial=0)))
    for step in range(1, steps + 1):
        if steps < STEPS:
            alone = np.minimum(step, n)
            yield alone, alone
            continue
        most = n * step // steps
        yield np.minimum(n * (step - 1) // steps + 1, most), most


def only_from_unjudged(a: Alignment | Aligned, b: Alignment | Aligned, measure: str | Measure) -> Array:
    """Queries that differ although both lists show the same judged items in the same order, as a mask.

    Looked at are the results that the measure reads: the first k, or all. Where both have the same judged items there,
    one after the other alike, the runs differ in nothing but where results stand that nobody judged. A run that brings
    a judged item into the first k, or past another judged one, did more than that, and so did one that shows a judged
    item again. False where the runs do not differ as they are, and where nothing relevant is judged.
    """
    a, b = _pair(a, b)
    m = parse_ranking(measure).bind(a)
    differ = np.isin(_sign(_difference(m, a, b)), (-1.0, 1.0))
    k = m.cutoff or np.inf
    read_a, read_b = (x.shown & (x.rank <= k) for x in (a, b))  # rows of a query are sorted by rank, shown ones first
    apart = a.by_query.any((read_a != read_b) | (read_a & (a.item != b.item)))
    for x in (a, b):
        if x.repeats is not None:
            apart[x.by_query.owner[x.repeats.row]] = True
    mask: Array = differ & ~apart
    return mask


def only_from_ties(a: Column, b: Column) -> Array:
    """Queries whose difference some order of tied results would reverse or erase, as a mask.

    True where B - A has a sign that does not hold between B's worst and A's best order, or between B's best and
    A's worst. False where neither run has ties that matter, and where a query is not counted in both.
    """
    (low_a, high_a), (low_b, high_b) = _tie_range(a), _tie_range(b)
    sign = _sign(b.values - a.values)
    undone = np.where(sign > 0, _sign(low_b - high_a) <= 0, _sign(high_b - low_a) >= 0)
    tied = (low_a < high_a) | (low_b < high_b)
    mask: Array = a.counted & b.counted & tied & np.isin(sign, (-1.0, 1.0)) & undone
    return mask


def _tie_range(column: Column) -> tuple[Array, Array]:
    if column.best is None or column.worst is None:
        return column.values, column.values
    # the order that is best for most measures is not for all
    values = (column.best, column.worst, column.values)
    return np.minimum.reduce(values), np.maximum.reduce(values)


def _pair(a: Alignment | Aligned, b: Alignment | Aligned) -> tuple[Alignment, Alignment]:
    a, b = (x.alignment if isinstance(x, Aligned) else x for x in (a, b))
    if list(a.query_ids) != list(b.query_ids):
        raise InputError(
            Text(
                f"the runs must be aligned with the same judgements: A has {a.n_queries:,} queries, B {b.n_queries:,}, "
                "and they are not the same in the same order. Align both with the same qrels.",
                f"两个 run 必须与同一份标注对齐：A 有 {a.n_queries:,} 个查询，B 有 {b.n_queries:,} 个，"
                "且查询或顺序不同。请用同一份 qrels 对齐两者。",
            )
        )
    return a, b


def _difference(m: Measure, a: Alignment, b: Alignment) -> Array:
    """B - A of each query; NaN where nothing relevant is judged."""
    defined = m.defined(a) & m.defined(b)
    difference: Array = np.where(defined, m.values(b) - m.values(a), np.nan)
    return difference


def _sign(values: Array | float) -> Array:
    sign: Array = np.where(np.abs(values) <= EPS, 0.0, np.sign(values))
    return sign


def _mean(values: Array) -> float:
    known = values[~np.isnan(values)]
    return float(known.mean()) if len(known) else float("nan")
