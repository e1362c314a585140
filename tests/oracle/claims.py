"""Every claim that a sentence can make, checked against the input by hand: plain loops, nothing from the package.

`CHECKERS` has a function for each word of `rankgauge._claims.CLAIMS`: it takes the claim and the `Inputs` that the
sentence is about, and says whether the claim holds. `COUNTS` and `SHARES` have the names under which those go.
"""

from __future__ import annotations

import math
import re
import statistics
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any

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
    given: Mapping[str, float] = field(default_factory=dict)
    """What the user said, such as {"ctr": 0.0}."""

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


COUNTS: dict[str, Callable[[Inputs, Claim], float]] = {
    "queries": lambda x, c: len(x.qrels),
    "missing": lambda x, c: sum(q not in x.runs[c.system] for q in x.qrels),
    "without_relevant": lambda x, c: sum(not x.relevant(q) for q in x.qrels),
    "with_relevant": lambda x, c: sum(bool(x.relevant(q)) for q in x.qrels),
    "relevant": lambda x, c: sum(len(x.relevant(q)) for q in x.qrels),
    "relevant_not_shown": lambda x, c: sum(len(set(x.relevant(q)) - set(x.ranking(c.system, q))) for q in x.qrels),
    "measures": lambda x, c: len(x.measures),
    "duplicates": lambda x, c: sum(
        len(found) - len(set(found)) for q, found in x.runs[c.system].items() if q in x.qrels
    ),
}
"""What counts are called, and how each is counted."""


SHARES: dict[str, Callable[[Inputs, Claim], float]] = {}
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
    "mean in slice": lambda c, x: close(c.value, statistics.fmean(sliced(c, x)[0])),
    "mean outside slice": lambda c, x: close(c.value, statistics.fmean(sliced(c, x)[1])),
    "n in slice": lambda c, x: c.value == len(sliced(c, x)[0]),
    "median first rank": median_first_rank,
    "count": lambda c, x: close(c.value, COUNTS[c.measure](x, c)),
    "share": lambda c, x: close(c.value, SHARES[c.measure](x, c)),
    "given": lambda c, x: close(c.value, x.given[c.measure]),
    "benchmark": lambda c, x: isinstance(c.value, (int, float)),
}
