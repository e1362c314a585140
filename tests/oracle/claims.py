"""Every claim that a sentence can make, checked against the input by hand: plain loops, nothing from the package.

`CHECKERS` has a function for each word of `rankgauge._claims.CLAIMS`: it takes the claim and the `Inputs` that the
sentence is about, and says whether the claim holds. `COUNTS` and `SHARES` have the names under which those go.
"""

from __future__ import annotations

import itertools
import math
import re
import statistics
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, lru_cache
from typing import Any

from scipy.integrate import quad
from scipy.stats import nct, norm
from scipy.stats import t as student

from rankgauge._claims import Claim

from . import naive, naive_predictions
from .naive import Query
from .naive_predictions import Rows

CLOSE = 1e-9
BANDS = {  # the founding figures: begin of fair, begin of good, end of good
    "P": (0.50, 0.70, 0.85),
    "R": (0.60, 0.75, 0.85),
    "RR": (0.40, 0.60, 0.80),
    "nDCG": (0.50, 0.70, 0.85),
}


@dataclass(frozen=True, eq=False)
class Inputs:
    """What a sentence is about: judgements and runs, or labels and scores. Policies are the default ones."""

    qrels: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    runs: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    """By system: for each query a list of items, or their scores."""
    slices: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    """By query: attribute → value."""
    rows: Mapping[str, Rows] = field(default_factory=dict)
    """By model."""
    confidence_level: float = 0.95
    measures: Sequence[str] = ()
    """As asked for."""
    train: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """What users had before."""
    given: Mapping[str, float] = field(default_factory=dict)
    """What the user said, such as {"ctr": 0.0}."""
    answers: Mapping[str, bool | None] = field(default_factory=dict)
    """By query: whether the answer is right; None where nobody knows."""
    train: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """What a recommender learned from: the items of each user."""

    def ranking(self, system: str, query: str) -> list[str]:
        """Best first: by score, equal ones by descending id, without repeats."""
        found = self.runs[system].get(query, [])
        if isinstance(found, Mapping):
            score = {d: -math.inf if math.isnan(s) else s for d, s in found.items()}
            return sorted(found, key=lambda d: (score[d], d), reverse=True)
        return list(dict.fromkeys(found))

    def query(self, system: str, query: str) -> Query:
        return Query(self.ranking(system, query), dict(self.qrels[query]))

    def relevant(self, query: str) -> list[str]:
        return [d for d, g in self.qrels[query].items() if g >= 1]


def close(a: float, b: float, tolerance: float = CLOSE) -> bool:
    return math.isclose(a, b, rel_tol=tolerance, abs_tol=tolerance)


# numbers of rankings


@cache
def parsed(measure: str) -> tuple[str, dict[str, Any]]:
    """'P(rel=2)@5' → P, {rel: 2, k: 5}."""
    found = re.fullmatch(r"(\w+)(?:\(([^)]*)\))?(?:@(\d+))?", measure)
    assert found, measure
    name, inside, k = found.groups()
    parameters: dict[str, Any] = {"k": int(k)} if k else {}
    for part in (inside or "").split(","):
        if part:
            key, _, value = part.partition("=")
            parameters[key.strip()] = float(value) if re.fullmatch(r"[\d.]+", value) else value
    return name, parameters


def of_query(measure: str, query: Query) -> float:
    name, parameters = parsed(measure)
    return float(naive.NAIVE[name](query, **parameters))


@lru_cache(maxsize=64)
def values(x: Inputs, measure: str, system: str) -> dict[str, float]:
    """The value of each query that counts; what is judged needs no relevant item, but a result."""
    of_list = parsed(measure)[0] in ("Judged", "Unjudged")
    return {
        q: of_query(measure, x.query(system, q))
        for q in x.qrels
        if (x.ranking(system, q) if of_list else x.relevant(q))
    }


def number(x: Inputs, measure: str, system: str) -> float:
    """The mean over queries, or the number of a model."""
    if system in x.rows:
        name, parameters = parsed(measure)
        return float(getattr(naive_predictions, name)(x.rows[system], **parameters))
    found = values(x, measure, system)
    return statistics.fmean(found.values()) if found else math.nan


def t_interval(numbers: Sequence[float], level: float) -> tuple[float, float]:
    n = len(numbers)
    if n < 2:
        return math.nan, math.nan
    half = student.ppf((1 + level) / 2, n - 1) * statistics.stdev(numbers) / math.sqrt(n)
    middle = statistics.fmean(numbers)
    return middle - half, middle + half


def interval(x: Inputs, measure: str, system: str) -> tuple[float, float]:
    low, high = t_interval(list(values(x, measure, system).values()), x.confidence_level)
    return max(low, 0.0), min(high, 1.0)


def pairs(x: Inputs, c: Claim) -> list[float]:
    after, before = values(x, c.measure, c.system), values(x, c.measure, c.against)
    return [after[q] - before[q] for q in after if q in before]


def ceiling(x: Inputs, measure: str, system: str) -> float:
    """The mean when every query shows its relevant items, the highest grade first."""
    found = [
        of_query(measure, Query(sorted(x.relevant(q), key=lambda d: -x.qrels[q][d]), dict(x.qrels[q])))
        for q in values(x, measure, system)
    ]
    return statistics.fmean(found) if found else math.nan


def band(measure: str, value: float) -> str:
    fair, good, end = BANDS[parsed(measure)[0]]
    if close(value, end):
        return "good"
    if value > end:
        return "excellent"
    return "good" if value >= good - CLOSE else "fair" if value >= fair - CLOSE else "poor"


# the checkers


def mean(c: Claim, x: Inputs) -> bool:
    if c.against:
        mine, other = values(x, c.measure, c.system), values(x, c.measure, c.against)
        return close(c.value, statistics.fmean(v for q, v in mine.items() if q in other))
    return close(c.value, number(x, c.measure, c.system))


def low(c: Claim, x: Inputs) -> bool:
    return c.system in x.rows or close(c.value, interval(x, c.measure, c.system)[0])


def high(c: Claim, x: Inputs) -> bool:
    return c.system in x.rows or close(c.value, interval(x, c.measure, c.system)[1])


def below(c: Claim, x: Inputs) -> bool:
    if c.system in x.rows:
        return number(x, c.measure, c.system) < c.value
    return interval(x, c.measure, c.system)[1] < c.value + CLOSE


def above(c: Claim, x: Inputs) -> bool:
    if c.system in x.rows:
        return number(x, c.measure, c.system) > c.value
    return interval(x, c.measure, c.system)[0] > c.value - CLOSE


def n(c: Claim, x: Inputs) -> bool:
    if c.against:
        return c.value == len(pairs(x, c))
    return c.value == len(values(x, c.measure, c.system))


def difference(c: Claim, x: Inputs) -> bool:
    return close(c.value, statistics.fmean(pairs(x, c)))


def difference_low(c: Claim, x: Inputs) -> bool:
    return close(c.value, t_interval(pairs(x, c), x.confidence_level)[0])


def difference_high(c: Claim, x: Inputs) -> bool:
    return close(c.value, t_interval(pairs(x, c), x.confidence_level)[1])


def verdict(c: Claim, x: Inputs) -> bool:
    moved = pairs(x, c)
    gain = statistics.fmean(moved) if moved else 0.0
    return {"better": gain > 0, "worse": gain < 0, "unchanged": not any(moved)}.get(c.value, True)


def is_ceiling(c: Claim, x: Inputs) -> bool:
    return close(c.value, ceiling(x, c.measure, c.system))


def is_band(c: Claim, x: Inputs) -> bool:
    return bool(c.value == band(c.measure, number(x, c.measure, c.system)))


def is_band_beside_ceiling(c: Claim, x: Inputs) -> bool:
    best = ceiling(x, c.measure, c.system)
    return bool(c.value == band(c.measure, number(x, c.measure, c.system) / best))


def is_end_band(end: int) -> Callable[[Claim, Inputs], bool]:
    def check(c: Claim, x: Inputs) -> bool:
        reached = interval(x, c.measure, c.system)[end]
        return bool(c.value == band(c.measure, min(reached, ceiling(x, c.measure, c.system))))  # beyond it is no list

    return check


def sliced(c: Claim, x: Inputs) -> tuple[list[float], list[float]]:
    """Values of the queries inside and outside a slice, given as attribute=value."""
    attribute, _, wanted = c.against.partition("=")
    found = values(x, c.measure, c.system)
    inside = {q for q in found if str(x.slices.get(q, {}).get(attribute, "(none)")) == wanted}
    return [v for q, v in found.items() if q in inside], [v for q, v in found.items() if q not in inside]


def median_first_rank(c: Claim, x: Inputs) -> bool:
    ranks = []
    for q in x.qrels:
        first = next((i for i, d in enumerate(x.ranking(c.system, q), 1) if d in x.relevant(q)), 0)
        ranks += [first] if 0 < first <= int(c.measure) else []
    return bool(c.value == statistics.median_low(ranks))


def first_ranks_between(x: Inputs, system: str, low: int, high: int) -> int:
    """Queries whose first relevant result is at one of these ranks."""
    shown = [[i for i, d in enumerate(x.ranking(system, q), 1) if d in x.relevant(q)] for q in x.qrels]
    return sum(bool(ranks) and low <= ranks[0] <= high for ranks in shown)


def pooled(c: Claim, x: Inputs) -> bool:
    """Recall over the relevant items of all queries."""
    k = parsed(c.measure)[1]["k"]
    found = sum(len(set(x.relevant(q)) & set(x.ranking(c.system, q)[:k])) for q in x.qrels)
    return close(c.value, found / sum(len(x.relevant(q)) for q in x.qrels))


def tie_orders(x: Inputs, system: str, query: str) -> list[list[str]]:
    """Every list that equal scores allow; unjudged results of a block are alike, and so are items of one grade."""
    found = x.runs[system].get(query, [])
    if not isinstance(found, Mapping):
        return [x.ranking(system, query)]
    scores = {d: -math.inf if math.isnan(s) else s for d, s in found.items()}
    blocks = [[d for d in found if scores[d] == s] for s in sorted(set(scores.values()), reverse=True)]
    lists: list[list[str]] = [[]]
    for block in blocks:
        patterns: dict[tuple[Any, ...], tuple[str, ...]] = {}
        for order in itertools.permutations(block):
            patterns.setdefault(tuple(x.qrels[query].get(d) for d in order), order)
        lists = [[*head, *order] for head in lists for order in patterns.values()]
    return lists


def tie_ranges(c: Claim, x: Inputs, system: str = "") -> dict[str, tuple[float, float]]:
    """The lowest and the highest value of each query that counts over all orders of equal scores."""
    name = system or c.system
    out = {}
    for q in values(x, c.measure, name):
        found = [of_query(c.measure, Query(order, dict(x.qrels[q]))) for order in tie_orders(x, name, q)]
        out[q] = (min(found), max(found))
    return out


def tie_width(c: Claim, x: Inputs) -> bool:
    return close(c.value, statistics.fmean(high - low for low, high in tie_ranges(c, x).values()))


def differing(c: Claim, x: Inputs) -> list[str]:
    after, before = values(x, c.measure, c.system), values(x, c.measure, c.against)
    return [q for q in after if q in before and abs(after[q] - before[q]) > 1e-12]


def sign(value: float) -> int:
    return 0 if abs(value) <= 1e-12 else 1 if value > 0 else -1


def only_unjudged(c: Claim, x: Inputs) -> bool:
    """Both show the same judged items in the same order within the cutoff; none where all judged ones are relevant."""
    if all(g >= 1 for grades in x.qrels.values() for g in grades.values()):
        return bool(c.value == 0)
    k = parsed(c.measure)[1].get("k")

    def judged(system: str, q: str) -> list[str]:
        return [d for d in x.ranking(system, q)[:k] if d in x.qrels[q]]

    return bool(c.value == sum(judged(c.system, q) == judged(c.against, q) for q in differing(c, x)))


def only_ties(c: Claim, x: Inputs) -> bool:
    """Some order of equal scores undoes the direction of the difference."""
    after, before = tie_ranges(c, x, c.system), tie_ranges(c, x, c.against)
    seen = {q: values(x, c.measure, c.system)[q] - values(x, c.measure, c.against)[q] for q in differing(c, x)}
    undone = [
        q
        for q, d in seen.items()
        if (d > 0 and sign(after[q][0] - before[q][1]) <= 0) or (d < 0 and sign(after[q][1] - before[q][0]) >= 0)
    ]
    return bool(c.value == len(undone))


def tests_made(x: Inputs) -> int:
    """Measures × systems beside the first that have two queries or more with both values."""
    base, *others = x.runs
    pairs_of = (pairs(x, Claim("difference", 0.0, m, s, base)) for m, s in itertools.product(x.measures, others))
    return sum(len(moved) > 1 for moved in pairs_of)


def level_of(x: Inputs) -> float:
    """What the smallest p-value must be below to stand at 0.05, as Holm corrects."""
    return 0.05 / max(tests_made(x), 1)


def fewest(level: float) -> int:
    """Queries from which on two of all 2^n choices of signs are less than the level: 6 for 5%."""
    return next(n for n in itertools.count(1) if 2 / 2**n < level)


def power(n: int, effect: float, spread: float, level: float = 0.05) -> float:
    """How often n paired differences show an effect, two-sided."""
    edge, away = student.ppf(1 - level / 2, n - 1), effect * math.sqrt(n) / spread
    if n == 2:  # where scipy.stats.nct has no number: over the spread that two differences may show, |z| of a normal z

        def seen(w: float) -> float:
            return 2 * norm.pdf(w) * (norm.sf(edge * w - away) + norm.cdf(-edge * w - away))

        return float(quad(seen, 0, away / edge, limit=200)[0] + quad(seen, away / edge, 12, limit=200)[0])
    return float(nct.sf(edge, n - 1, away) + nct.cdf(-edge, n - 1, away))


def detectable(c: Claim, x: Inputs) -> bool:
    moved = pairs(x, c)
    return close(power(len(moved), c.value, statistics.stdev(moved), level_of(x)), 0.8, 1e-4)


def more(c: Claim, x: Inputs) -> bool:
    moved = pairs(x, c)
    effect, spread, n = abs(statistics.fmean(moved)), statistics.stdev(moved), len(moved) + c.value
    level = level_of(x)
    least = fewest(level)
    fewer_would_do = n > least and power(n - 1, effect, spread, level) >= 0.8 + 1e-6
    return n >= least and power(n, effect, spread, level) >= 0.8 - 1e-6 and not fewer_would_do


def slice_p(c: Claim, x: Inputs) -> bool:
    """Welch's t with the degrees of freedom of the smaller part; corrected p-values are never below it."""
    inside, outside = sliced(c, x)
    error = math.sqrt(statistics.variance(inside) / len(inside) + statistics.variance(outside) / len(outside))
    gap = abs(statistics.fmean(inside) - statistics.fmean(outside))
    plain = 2 * student.sf(gap / error, min(len(inside), len(outside)) - 1) if error else 0.0
    return bool(plain <= c.value + CLOSE and c.value < 0.05)


def enough(x: Inputs, c: Claim) -> int:
    """The first of 1, 2, 3, 5 results that have 95% of the recall of ten."""
    recall = {k: number(x, f"R@{k}", c.system) for k in (1, 2, 3, 5, 10)}
    return next(k for k in (1, 2, 3, 5) if recall[k] >= 0.95 * recall[10] - CLOSE)


def unjudged(x: Inputs, c: Claim) -> float:
    """Of the first k results of all judged queries, those without a grade."""
    k = int(c.measure.partition("@")[2])
    top = [(q, d) for q in x.qrels for d in x.ranking(c.system, q)[:k]]
    return sum(d not in x.qrels[q] for q, d in top) / len(top)


def larger_class(x: Inputs, c: Claim) -> float:
    rate = naive_predictions.rate(x.rows[c.system])
    return max(rate, 1 - rate)


def case(c: Claim, x: Inputs) -> bool:
    """Good order is an AUC from 0.7 on; probabilities that are off cost at least 1% of the uncertainty.

    Those that cost more are right where they help and nearly as many are expected as there are: the rest is chance.
    """
    rows = x.rows[c.system]
    cost = naive_predictions.MCB(rows) / naive_predictions.UNC(rows)
    if c.value == "unclear":
        return True  # no case is claimed
    if (c.value in ("ideal", "calibrate")) != (naive_predictions.AUC(rows) >= 0.7):
        return False
    if c.value in ("calibrate", "rebuild"):
        return bool(cost >= 0.01 - CLOSE)
    helps = naive_predictions.NE(rows) < 1 and 0.8 <= naive_predictions.COPC(rows) <= 1.25
    return bool(cost < 0.01 + CLOSE or helps)


def gained(x: Inputs, query: str, measure: str) -> bool:
    """Whether a measure finds anything worth having in the judgements: gains by gain, others by a grade of 1."""
    by_gain = measure.startswith(("nDCG", "DCG", "CG", "ERR"))
    return any(g > 0 if by_gain else g >= 1 for g in x.qrels[query].values())


def tied_queries(x: Inputs, c: Claim) -> int:
    """Queries in which the order of equal scores changes any measure."""
    found = [tie_ranges(Claim("tie width", 0.0, m, c.system), x) for m in x.measures]
    return len({q for ranges in found for q, (low, high) in ranges.items() if not close(low, high)})


def popular_list(x: Inputs, user: str) -> list[str]:
    """Items by how many users of train had them, equal ones by descending id, without what the user had."""
    counts: dict[str, int] = {}
    for had in x.train.values():
        for item in set(had):
            counts[item] = counts.get(item, 0) + 1
    return sorted(counts.keys() - set(x.train.get(user, ())), key=lambda i: (counts[i], i), reverse=True)


def beside_popular(x: Inputs, c: Claim) -> list[tuple[float, float]]:
    """The value of each user, and that of a list of popular items as long as the longest list."""
    longest = max(len(x.ranking(c.system, q)) for q in x.qrels)
    popular = {q: Query(popular_list(x, q)[:longest], dict(x.qrels[q])) for q in x.qrels}
    return [(v, of_query(c.measure, popular[q])) for q, v in values(x, c.measure, c.system).items()]


def times_popular(x: Inputs, c: Claim) -> float:
    pairs_ = beside_popular(x, c)
    return sum(a for a, _ in pairs_) / sum(b for _, b in pairs_)


def ends_times_popular(c: Claim, x: Inputs) -> bool:
    """At an end of the interval c, mean(a - c b) is just as far from 0 as t allows."""
    rest = [a - c.value * b for a, b in beside_popular(x, c)]
    low, high = t_interval(rest, x.confidence_level)
    is_low = c.what.endswith("low")
    return close(low if is_low else high, 0.0, 1e-6) and (times_popular(x, c) > c.value) == is_low


COUNTS: dict[str, Callable[[Inputs, Claim], float]] = {
    "tied_queries": tied_queries,
    "evaluated": lambda x, c: len(x.qrels),  # a query without results is one with an empty list
    "duplicate_queries": lambda x, c: sum(
        len(found) > len(set(found)) for q, found in x.runs[c.system].items() if q in x.qrels
    ),
    "queries": lambda x, c: len(x.qrels),
    "missing": lambda x, c: sum(q not in x.runs[c.system] for q in x.qrels),
    "empty_lists": lambda x, c: sum(q in x.runs[c.system] and not list(x.runs[c.system][q]) for q in x.qrels),
    "without_relevant": lambda x, c: sum(not x.relevant(q) for q in x.qrels),
    "without_relevant_by": lambda x, c: sum(not gained(x, q, c.against) for q in x.qrels),
    "with_relevant": lambda x, c: sum(bool(x.relevant(q)) for q in x.qrels),
    "relevant": lambda x, c: sum(len(x.relevant(q)) for q in x.qrels),
    "relevant_not_shown": lambda x, c: sum(len(set(x.relevant(q)) - set(x.ranking(c.system, q))) for q in x.qrels),
    "median_results": lambda x, c: math.floor(statistics.median(len(x.ranking(c.system, q)) for q in x.qrels)),
    "longest_list": lambda x, c: max(len(x.ranking(c.system, q)) for q in x.qrels),
    "enough of R@10": enough,
    "measures": lambda x, c: len(x.measures),
    "users_without_training": lambda x, c: sum(u not in x.train for u in x.qrels),
    "repeated_interactions": lambda x, c: sum(len(items) - len(set(items)) for items in x.train.values()),
    "training_interactions": lambda x, c: sum(map(len, x.train.values())),
    "duplicates": lambda x, c: sum(
        len(found) - len(set(found)) for q, found in x.runs[c.system].items() if q in x.qrels
    ),
}
"""What counts are called, and how each is counted."""


SHARES: dict[str, Callable[[Inputs, Claim], float]] = {
    "unjudged": unjudged,
    "first relevant at 6-20": lambda x, c: (
        first_ranks_between(x, c.system, 6, 20) / sum(bool(x.relevant(q)) for q in x.qrels)
    ),
    "MCB / LogLoss": lambda x, c: naive_predictions.MCB(x.rows[c.system]) / naive_predictions.LogLoss(x.rows[c.system]),
    "larger class": larger_class,
}
"""What shares are called, and how each is computed."""

CHECKERS: dict[str, Callable[[Claim, Inputs], bool]] = {
    "mean": mean,
    "low": low,
    "high": high,
    "n": n,
    "below": below,
    "above": above,
    "difference": difference,
    "difference low": difference_low,
    "difference high": difference_high,
    "verdict": verdict,
    "ceiling": is_ceiling,
    "band": is_band,
    "band beside ceiling": is_band_beside_ceiling,
    "lowest band": is_end_band(0),
    "highest band": is_end_band(1),
    "mean in slice": lambda c, x: close(c.value, statistics.fmean(sliced(c, x)[0])),
    "mean outside slice": lambda c, x: close(c.value, statistics.fmean(sliced(c, x)[1])),
    "n in slice": lambda c, x: c.value == len(sliced(c, x)[0]),
    "median first rank": median_first_rank,
    "count": lambda c, x: close(c.value, COUNTS[c.measure](x, c)),
    "share": lambda c, x: close(c.value, SHARES[c.measure.partition("@")[0]](x, c)),
    "given": lambda c, x: close(c.value, x.given[c.measure]),
    "share of ceiling": lambda c, x: close(c.value, float(c.against) * ceiling(x, c.measure, c.system)),
    "popular": lambda c, x: close(c.value, statistics.fmean(b for _, b in beside_popular(x, c))),
    "times popular": lambda c, x: close(c.value, times_popular(x, c)),
    "times popular low": ends_times_popular,
    "times popular high": ends_times_popular,
    "pooled": pooled,
    "tie width": tie_width,
    "differing": lambda c, x: c.value == len(differing(c, x)),
    "differing only by unjudged": only_unjudged,
    "differing only by ties": only_ties,
    "cutoff": lambda c, x: c.measure.endswith(f"@{c.value}"),
    "first rank beyond": lambda c, x: c.measure.endswith(f"@{c.value - 1}"),
    "turned": lambda c, x: close(c.value, 1 - number(x, c.measure, c.system)),
    "case": case,
    "detectable": detectable,
    "more": more,
    "p": slice_p,
    "benchmark": lambda c, x: isinstance(c.value, (int, float)),
}
