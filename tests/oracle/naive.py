"""Every ranking measure as its definition reads, one query at a time, in plain Python.

The package computes all queries at once over arrays; this file is what it is compared with. So nothing
here is fast or clever: loops over ranks, one short function per measure, no import from the package.

Conventions of all functions:

- rank starts at 1; `k=None` means the whole list; a list shorter than `k` is filled up with nothing;
- a document is relevant when it is judged with a grade >= `rel` and > 0;
- a document without a grade is unjudged: not relevant, no gain;
- a negative grade is judged, not relevant and without gain. trec_eval reads it as "in the pool, but not
  judged"; the functions that tell the two apart say so;
- a query without relevant documents has value 0.
"""

import itertools
import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

EPSILON = 0.00001  # smoothing of infAP and floor of the geometric means, both as in trec_eval
CWL_DEPTH = 1000  # cwl_eval fills every list up, or cuts it, to this many ranks

Gain = str | Mapping[float, float]


@dataclass(frozen=True)
class Query:
    """One query: what was shown, best first, and what was judged."""

    ranking: list[str]
    grades: dict[str, float]
    groups: dict[tuple[str, str], float] | None = None  # (document, subtopic or judge) -> grade


# Counting


def first(query: Query, k: int | None) -> list[str]:
    """The documents at ranks 1..k."""
    return query.ranking if k is None else query.ranking[:k]


def is_relevant(grade: float | None, rel: float) -> bool:
    return grade is not None and grade >= rel and grade > 0


def relevance(query: Query, rel: float, k: int | None = None) -> list[bool]:
    """Is the document at rank 1, 2, .. k relevant?"""
    return [is_relevant(query.grades.get(doc), rel) for doc in first(query, k)]


def hits(query: Query, rel: float, k: int | None = None) -> int:
    return sum(relevance(query, rel, k))


def total_relevant(query: Query, rel: float) -> int:
    return sum(is_relevant(grade, rel) for grade in query.grades.values())


def is_unjudged(query: Query, doc: str, negative: str) -> bool:
    """Without a grade, or, if so wanted, with a negative one."""
    return doc not in query.grades or (negative == "unjudged" and query.grades[doc] < 0)


def ratio(above: float, below: float) -> float:
    """above / below, and 0 when there is nothing to divide by."""
    return above / below if below else 0.0


# Sets and counts


def NumRet(query: Query) -> int:
    return len(query.ranking)


def NumRel(query: Query, rel: float = 1) -> int:
    return total_relevant(query, rel)


def NumRelRet(query: Query, rel: float = 1) -> int:
    return hits(query, rel)


def NumNonrelJudgedRet(query: Query, rel: float = 1) -> int:
    """Shown with a grade that is not negative and not relevant (trec_eval's num_nonrel_judged_ret)."""
    return len([doc for doc in query.ranking if 0 <= query.grades.get(doc, -1) < rel])


def SetP(query: Query, rel: float = 1) -> float:
    return ratio(hits(query, rel), len(query.ranking))


def SetR(query: Query, rel: float = 1) -> float:
    return ratio(hits(query, rel), total_relevant(query, rel))


def SetRelP(query: Query, rel: float = 1) -> float:
    """Set precision over the best that a set of this size can have."""
    return ratio(hits(query, rel), min(len(query.ranking), total_relevant(query, rel)))


def SetAP(query: Query, rel: float = 1) -> float:
    return SetP(query, rel) * SetR(query, rel)


def f_measure(precision: float, recall: float, weight: float) -> float:
    return ratio((1 + weight) * precision * recall, weight * precision + recall)


def SetF(query: Query, rel: float = 1, beta: float = 1, squared: bool = True) -> float:
    """F over the whole list. trec_eval does not square its parameter: `squared=False`."""
    return f_measure(SetP(query, rel), SetR(query, rel), beta**2 if squared else beta)


def utility(query: Query, rel: float = 1, weights: Sequence[float] = (1, -1, 0, 0), documents: int = 0) -> float:
    """Weighted sum of the table shown or not, relevant or not, in a collection of so many `documents`."""
    a = hits(query, rel)
    b = len(query.ranking) - a
    c = total_relevant(query, rel) - a
    d = documents - a - b - c
    return float(weights[0] * a + weights[1] * b + weights[2] * c + weights[3] * d)


# Precision, recall, hits


def P(query: Query, k: int | None = None, rel: float = 1, divisor: str = "k") -> float:
    shown = len(first(query, k))
    return ratio(hits(query, rel, k), shown if k is None or divisor == "retrieved" else k)


def R(query: Query, k: int | None = None, rel: float = 1, norm: str = "all") -> float:
    relevant = total_relevant(query, rel)
    possible = min(k, relevant) if norm == "min" and k is not None else relevant
    return ratio(hits(query, rel, k), possible)


def F(query: Query, k: int | None = None, rel: float = 1, beta: float = 1) -> float:
    return f_measure(P(query, k, rel), R(query, k, rel), beta**2)


def Hit(query: Query, k: int | None = None, rel: float = 1) -> float:
    return 1.0 if hits(query, rel, k) else 0.0


def Hits(query: Query, k: int | None = None, rel: float = 1) -> int:
    return hits(query, rel, k)


def Rprec(query: Query, rel: float = 1) -> float:
    relevant = total_relevant(query, rel)
    return ratio(hits(query, rel, relevant), relevant)


def Rprec_mult(query: Query, multiple: float, rel: float = 1) -> float:
    """Precision at rank `multiple` * R, rounded up where the fraction is at least one tenth."""
    rank = int(multiple * total_relevant(query, rel) + 0.9)
    return ratio(hits(query, rel, rank), rank)


def relative_P(query: Query, k: int, rel: float = 1) -> float:
    return R(query, k, rel, norm="min")


# Where the relevant documents are


def RR(query: Query, k: int | None = None, rel: float = 1) -> float:
    for rank, relevant in enumerate(relevance(query, rel, k), start=1):
        if relevant:
            return 1 / rank
    return 0.0


def sum_of_precisions(query: Query, rel: float, k: int | None = None) -> float:
    found = 0
    total = 0.0
    for rank, relevant in enumerate(relevance(query, rel, k), start=1):
        if relevant:
            found += 1
            total += found / rank
    return total


def AP(query: Query, k: int | None = None, rel: float = 1, norm: str = "all") -> float:
    relevant = total_relevant(query, rel)
    divisor = {
        "all": relevant,
        "min": relevant if k is None else min(k, relevant),
        "hits": hits(query, rel, k),
    }[norm]
    return ratio(sum_of_precisions(query, rel, k), divisor)


def yaap(query: Query, rel: float = 1) -> float:
    """Robertson's smoothed log-odds form of average precision."""
    total = sum_of_precisions(query, rel)
    return math.log((1 + total) / (1 + total_relevant(query, rel) - total))


def infAP(query: Query, rel: float = 1) -> float:
    """Yilmaz and Aslam's estimate. A negative grade means: was in the pool, was not drawn for judging."""
    found = other = undrawn = 0
    total = 0.0
    for rank, doc in enumerate(query.ranking, start=1):
        grade = query.grades.get(doc)
        if grade is None:
            continue
        if grade < 0:
            undrawn += 1
        elif not is_relevant(grade, rel):
            other += 1
        else:
            if rank == 1:
                total += 1
            else:
                pooled = (found + other + undrawn) / (rank - 1)
                precision = (found + EPSILON) / (found + other + 2 * EPSILON)
                total += 1 / rank + (rank - 1) / rank * pooled * precision
            found += 1
    return ratio(total, total_relevant(query, rel))


def bpref(query: Query, rel: float = 1) -> float:
    relevant = total_relevant(query, rel)
    nonrelevant = len([grade for grade in query.grades.values() if 0 <= grade < rel])
    above = 0
    total = 0.0
    for doc in query.ranking:
        grade = query.grades.get(doc, -1)
        if is_relevant(grade, rel):
            total += 1 - min(above, relevant) / min(nonrelevant, relevant) if above else 1
        elif grade >= 0:
            above += 1
    return ratio(total, relevant)


def PairAccuracy(
    query: Query,
    k: int | None = None,
    rel: float = 1,
    *,
    nonrelevant: str = "judged",
    scores: Mapping[str, float] | None = None,
) -> float:
    """Share of shown (relevant, non-relevant) pairs in the right order; with `scores`, equal ones count half.

    `nonrelevant="any"` also counts unjudged documents, as ir_measures' Accuracy does. No pair: nan.
    """
    shown = first(query, k)
    right = 0.0
    pairs = 0
    for a, good in enumerate(shown):
        for b, bad in enumerate(shown):
            if not is_relevant(query.grades.get(good), rel) or is_relevant(query.grades.get(bad), rel):
                continue
            if nonrelevant == "judged" and bad not in query.grades:
                continue
            pairs += 1
            if scores is not None and scores[good] == scores[bad]:
                right += 0.5
            elif a < b:
                right += 1
    return right / pairs if pairs else math.nan


# Interpolated precision


def round_half_away(x: float) -> int:
    """Round x >= 0 to the nearest integer, one half upwards."""
    return math.floor(x) + (1 if x - math.floor(x) >= 0.5 else 0)


def IPrec(query: Query, recall: float, rel: float = 1, rounding: str = "half_away") -> float:
    """Highest precision at any rank where `recall` is reached; `rounding="trunc"` is trec_eval before 10."""
    wanted = recall * total_relevant(query, rel)
    needed = round_half_away(wanted) if rounding == "half_away" else int(wanted + 0.9)
    best = 0.0
    found = 0
    for rank, relevant in enumerate(relevance(query, rel), start=1):
        found += relevant
        if found >= needed:
            best = max(best, found / rank)
    return best


ELEVEN_POINTS = (0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0)


def IPrec11(
    query: Query, rel: float = 1, rounding: str = "half_away", points: Sequence[float] = ELEVEN_POINTS
) -> float:
    return sum(IPrec(query, point, rel, rounding) for point in points) / len(points)


# Cumulative gain


def gain_of(grade: float | None, gain: Gain = "linear") -> float:
    """What a grade is worth. A mapping falls back to the grade itself for grades it does not hold."""
    if grade is None:
        return 0.0
    if not isinstance(gain, str):
        return gain.get(grade, max(grade, 0))
    return {"linear": max(grade, 0), "exponential": 2 ** max(grade, 0) - 1}[gain]


def shown_gains(query: Query, gain: Gain, k: int | None = None) -> list[float]:
    return [gain_of(query.grades.get(doc), gain) for doc in first(query, k)]


def best_gains(grades: Iterable[float | None], gain: Gain) -> list[float]:
    """The positive gains, largest first."""
    return sorted((gain_of(grade, gain) for grade in grades if gain_of(grade, gain) > 0), reverse=True)


def discounted(gains: Sequence[float]) -> float:
    return sum(gain / math.log2(rank + 1) for rank, gain in enumerate(gains, start=1))


def CG(query: Query, k: int | None = None, gain: Gain = "linear") -> float:
    return sum(shown_gains(query, gain, k))


def DCG(query: Query, k: int | None = None, gain: Gain = "linear") -> float:
    return discounted(shown_gains(query, gain, k))


def ideal_dcg(query: Query, k: int | None = None, gain: Gain = "linear") -> float:
    return discounted(best_gains(query.grades.values(), gain)[:k])


def nDCG(query: Query, k: int | None = None, gain: Gain = "linear", ideal: str = "judged") -> float:
    """DCG over that of an ideal list.

    `ideal`: the k best of all judged (`judged`), of those shown (`retrieved`), no longer than the list
    (`returned`), or all judged in spite of the cutoff (`uncut`).
    """
    judged = best_gains(query.grades.values(), gain)
    shown = best_gains((query.grades.get(doc) for doc in query.ranking), gain)
    best = {
        "judged": judged[:k],
        "retrieved": shown[:k],
        "returned": judged[: len(first(query, k))],
        "uncut": judged,
    }[ideal]
    return ratio(DCG(query, k, gain), discounted(best))


def ndcg_rel(query: Query, gain: Gain = "linear") -> float:
    """Mean of nDCG at the rank of every judged document that has gain.

    Those that are not shown get the nDCG of the whole list.
    """
    best = best_gains(query.grades.values(), gain)
    total = 0.0
    found = 0
    for rank, worth in enumerate(shown_gains(query, gain), start=1):
        if worth > 0:
            found += 1
            total += DCG(query, rank, gain) / discounted(best[:rank])
    total += (len(best) - found) * ratio(DCG(query, None, gain), discounted(best))
    return ratio(total, len(best))


def Rndcg(query: Query, rel: float = 1, gain: Gain = "linear") -> float:
    """Mean of nDCG at the ranks where the ideal list goes down a level, and at the end of the list.

    The end of the list counts only when it lies more than one rank below the last document of the ideal list.
    """
    if not total_relevant(query, rel):
        return 0.0
    best = best_gains(query.grades.values(), gain)
    points = [rank for rank in range(1, len(best)) if best[rank - 1] != best[rank]] + [len(best)]
    if len(query.ranking) > len(best) + 1:
        points.append(len(query.ranking))
    return sum(DCG(query, rank, gain) / discounted(best[:rank]) for rank in points) / len(points)


def G(query: Query, gain: Gain = "linear") -> float:
    """Gain over the logarithm of how far the list is behind the ideal one; every rank costs at least 1."""
    best = best_gains(query.grades.values(), gain)
    cost = collected = total = 0.0
    for rank, worth in enumerate(shown_gains(query, gain), start=1):
        cost += max(best[rank - 1], 1) if rank <= len(best) else 1
        collected += worth
        if worth:
            total += worth / math.log2(2 + cost - collected)
    return ratio(total, sum(best))


def binG(query: Query, rel: float = 1) -> float:
    """Mean over the relevant documents of 1 / log2(2 + documents above that are not relevant)."""
    above = 0
    total = 0.0
    for relevant in relevance(query, rel):
        if relevant:
            total += 1 / math.log2(2 + above)
        else:
            above += 1
    return ratio(total, total_relevant(query, rel))


# User models


def ERR(query: Query, k: int | None = None, max_grade: float | None = None) -> float:
    """Expected reciprocal rank. `max_grade` is that of the collection; None: the highest of this query."""
    top = max([0, *query.grades.values()]) if max_grade is None else max_grade
    reaches = 1.0
    total = 0.0
    for rank, worth in enumerate(shown_gains(query, "exponential", k), start=1):
        satisfied = worth / 2**top
        total += reaches * satisfied / rank
        reaches *= 1 - satisfied
    return total


def RBP(
    query: Query,
    p: float = 0.8,
    rel: float = 1,
    *,
    k: int | None = None,
    graded: str | None = None,
    max_grade: float = 1,
    gain: Gain = "linear",
) -> float:
    """Rank-biased precision.

    `graded`: None counts relevant documents as 1; `max` divides grades by `max_grade`; `topic` by the highest
    grade judged for the query when that exceeds 1 (trec_eval 10); `raw` takes them as they are (ranx).
    """
    if graded is None:
        worths = [float(relevant) for relevant in relevance(query, rel, k)]
    else:
        worths = shown_gains(query, gain, k)
        if graded == "max":
            worths = [worth / max_grade for worth in worths]
        elif graded == "topic":
            worths = scaled_by_topic(query, worths, gain)
    return (1 - p) * sum(worth * p ** (rank - 1) for rank, worth in enumerate(worths, start=1))


def scaled_by_topic(query: Query, worths: Sequence[float], gain: Gain) -> list[float]:
    """Bring gains into [0, 1] by the lowest and highest gain of all grades from 0 to the highest judged."""
    highest = int(max([0, *query.grades.values()]))
    levels = [gain_of(grade, gain) for grade in range(highest + 1)]
    if not isinstance(gain, str):
        levels += gain.values()
    low, high = min([0, *levels]), max([0, *levels])
    if low >= 0 and high <= 1:
        return list(worths)
    return [(worth - low) / (high - low) for worth in worths]


def RBPresidual(
    query: Query, p: float = 0.8, negative: str = "judged", all_judged: str = "tail", k: int | None = None
) -> float:
    """How much RBP could gain from what is unjudged: below the list, and in it.

    trec_eval counts a negative grade as unjudged (`negative="unjudged"`) and gives 0 instead of the weight
    below the list when every shown document is judged (`all_judged="zero"`).
    """
    unjudged = [is_unjudged(query, doc, negative) for doc in first(query, k)]
    if all_judged == "zero" and not any(unjudged):
        return 0.0
    inside = sum(p ** (rank - 1) for rank, unknown in enumerate(unjudged, start=1) if unknown)
    return p ** len(unjudged) + (1 - p) * inside


def cwl(query: Query, continues: Callable[[int, list[float]], float], min_rel: float, max_rel: float) -> float:
    """Value of a C/W/L measure: `continues(i, gains)` is the chance to go on from rank i to rank i + 1.

    Gains are grades scaled to [0, 1]. The weight of a rank is its chance to be seen over the sum of all
    chances, and that sum always runs over CWL_DEPTH ranks.
    """
    gains = []
    for rank in range(1, CWL_DEPTH + 1):
        grade = query.grades.get(query.ranking[rank - 1]) if rank <= len(query.ranking) else None
        clipped = min(max(grade, 0, min_rel), max_rel) if grade is not None else min_rel
        gains.append((clipped - min_rel) / (max_rel - min_rel))
    seen = 1.0
    collected = weights = 0.0
    for rank in range(1, CWL_DEPTH + 1):
        collected += seen * gains[rank - 1]
        weights += seen
        seen *= continues(rank, gains)
    return collected / weights


def squared_patience(rank: float, target: float) -> float:
    return ((rank + target - 1) / (rank + target)) ** 2


def INSQ(query: Query, T: float = 1, min_rel: float = 0, max_rel: float = 1) -> float:
    return cwl(query, lambda i, _: squared_patience(i, 2 * T), min_rel, max_rel)


def INST(query: Query, T: float = 1, min_rel: float = 0, max_rel: float = 1) -> float:
    return cwl(query, lambda i, gains: squared_patience(i, T + T - sum(gains[:i])), min_rel, max_rel)


def BPM(query: Query, k: int, T: float = 1, min_rel: float = 0, max_rel: float = 1) -> float:
    return cwl(query, lambda i, gains: float(i < k and sum(gains[:i]) < T), min_rel, max_rel)


def SDCG(query: Query, k: int, min_rel: float = 0, max_rel: float = 1) -> float:
    return cwl(query, lambda i, _: math.log2(i + 1) / math.log2(i + 2) if i < k else 0, min_rel, max_rel)


def NERR8(query: Query, k: int, min_rel: float = 0, max_rel: float = 1) -> float:
    return cwl(query, lambda i, gains: 1 - gains[i - 1] if i < k else 0, min_rel, max_rel)


def NERR9(query: Query, k: int, min_rel: float = 0, max_rel: float = 1) -> float:
    return cwl(query, lambda i, gains: i / (i + 1) * (1 - gains[i - 1]) if i < k else 0, min_rel, max_rel)


def NERR10(query: Query, p: float = 0.9, min_rel: float = 0, max_rel: float = 1) -> float:
    return cwl(query, lambda i, gains: p * (1 - gains[i - 1]), min_rel, max_rel)


def NERR11(query: Query, T: float = 1, min_rel: float = 0, max_rel: float = 1) -> float:
    return cwl(query, lambda i, gains: squared_patience(i, 2 * T) * (1 - gains[i - 1]), min_rel, max_rel)


# Against an ideal ranking


def overlap(ranking: Sequence[str], ideal: Sequence[str], p: float, depth: int) -> float:
    """Rank-biased overlap of two lists to `depth`, over the largest value it can have there."""
    total = weights = 0.0
    for rank in range(1, depth + 1):
        common = set(ranking[:rank]) & set(ideal[:rank])
        total += p ** (rank - 1) * len(common) / rank
        weights += p ** (rank - 1)
    return ratio(total, weights)


def Compat(query: Query, p: float = 0.95, normalize: bool = True) -> float:
    """Overlap with the best list: grades from high to low, equal grades as shown, those not shown last."""
    position = {doc: rank for rank, doc in enumerate(query.ranking)}
    ideal = [doc for doc, grade in query.grades.items() if grade > 0]
    ideal.sort(key=lambda doc: (-query.grades[doc], position.get(doc, len(position))))
    depth = max(len(query.ranking), len(ideal))
    value = overlap(query.ranking, ideal, p, depth)
    return ratio(value, overlap(ideal, ideal, p, depth)) if normalize else value


# What was judged


def Judged(query: Query, k: int | None = None) -> float:
    shown = first(query, k)
    return ratio(len([doc for doc in shown if doc in query.grades]), len(shown))


def Unjudged(query: Query, k: int, negative: str = "judged") -> float:
    """Unjudged among the first k, over k. trec_eval's unj counts a negative grade: `negative="unjudged"`."""
    return sum(is_unjudged(query, doc, negative) for doc in first(query, k)) / k


def relstring(query: Query, n: int = 10) -> str:
    """The grades of the first n results, one character each: `-` unjudged, `.` negative, `>` above 9."""
    text = ""
    for doc in query.ranking[:n]:
        grade = query.grades.get(doc)
        if grade is None:
            text += "-"
        elif grade < 0:
            text += "."
        else:
            text += ">" if grade > 9 else str(int(grade))
    return text


# Subtopics: one document can serve several needs behind a query


def subtopics(query: Query, rel: float) -> dict[str, set[str]]:
    """The relevant documents of every subtopic that has any."""
    found: dict[str, set[str]] = {}
    for (doc, subtopic), grade in (query.groups or {}).items():
        if is_relevant(grade, rel):
            found.setdefault(subtopic, set()).add(doc)
    return found


def novelties(ranking: Sequence[str], needs: Mapping[str, set[str]], alpha: float) -> list[float]:
    """Gain at each rank: a subtopic counts (1 - alpha) to the power of how often it was served above."""
    worth = dict.fromkeys(needs, 1.0)
    gains = []
    for doc in ranking:
        served = [subtopic for subtopic in needs if doc in needs[subtopic]]
        gains.append(sum(worth[subtopic] for subtopic in served))
        for subtopic in served:
            worth[subtopic] *= 1 - alpha
    return gains


def greedy_ideal(query: Query, needs: Mapping[str, set[str]], alpha: float) -> list[str]:
    """At each rank the judged document that adds most; among equals the largest id, as ndeval does."""
    left = {doc for doc, _ in query.groups or {}}
    worth = dict.fromkeys(needs, 1.0)
    ranking = []
    while left:
        best = max(left, key=lambda doc: (sum(worth[s] for s in needs if doc in needs[s]), doc.encode()))
        ranking.append(best)
        left.remove(best)
        for subtopic in needs:
            if best in needs[subtopic]:
                worth[subtopic] *= 1 - alpha
    return ranking


def inverse_rank(gains: Sequence[float]) -> float:
    return sum(gain / rank for rank, gain in enumerate(gains, start=1))


def over_perfect(gains: Sequence[float], n_needs: int, alpha: float, k: int, total: Callable[..., float]) -> float:
    """A total over that of a list whose every document serves all subtopics."""
    perfect = [n_needs * (1 - alpha) ** (rank - 1) for rank in range(1, k + 1)]
    return ratio(total(gains[:k]), total(perfect))


def alpha_DCG(query: Query, k: int | None = None, rel: float = 1, alpha: float = 0.5) -> float:
    needs = subtopics(query, rel)
    depth = len(query.ranking) if k is None else k
    return over_perfect(novelties(query.ranking, needs, alpha), len(needs), alpha, depth, discounted)


def alpha_nDCG(query: Query, k: int | None = None, rel: float = 1, alpha: float = 0.5) -> float:
    needs = subtopics(query, rel)
    ideal = greedy_ideal(query, needs, alpha)
    return ratio(discounted(novelties(query.ranking, needs, alpha)[:k]), discounted(novelties(ideal, needs, alpha)[:k]))


def ERR_IA(query: Query, k: int | None = None, rel: float = 1, alpha: float = 0.5) -> float:
    needs = subtopics(query, rel)
    depth = len(query.ranking) if k is None else k
    return over_perfect(novelties(query.ranking, needs, alpha), len(needs), alpha, depth, inverse_rank)


def nERR_IA(query: Query, k: int | None = None, rel: float = 1, alpha: float = 0.5) -> float:
    needs = subtopics(query, rel)
    ideal = greedy_ideal(query, needs, alpha)
    return ratio(
        inverse_rank(novelties(query.ranking, needs, alpha)[:k]),
        inverse_rank(novelties(ideal, needs, alpha)[:k]),
    )


def rank_biased(gains: Sequence[float], beta: float) -> float:
    return sum(gain * beta ** (rank - 1) for rank, gain in enumerate(gains, start=1))


def NRBP(query: Query, rel: float = 1, alpha: float = 0.5, beta: float = 0.5) -> float:
    needs = subtopics(query, rel)
    total = rank_biased(novelties(query.ranking, needs, alpha), beta)
    return (1 - (1 - alpha) * beta) * ratio(total, len(needs))


def nNRBP(query: Query, rel: float = 1, alpha: float = 0.5, beta: float = 0.5) -> float:
    needs = subtopics(query, rel)
    ideal = greedy_ideal(query, needs, alpha)
    return ratio(
        rank_biased(novelties(query.ranking, needs, alpha), beta),
        rank_biased(novelties(ideal, needs, alpha), beta),
    )


def AP_IA(query: Query, rel: float = 1) -> float:
    needs = subtopics(query, rel)
    values = [AP(Query(query.ranking, dict.fromkeys(docs, 1))) for docs in needs.values()]
    return ratio(sum(values), len(values))


def P_IA(query: Query, k: int, rel: float = 1) -> float:
    needs = subtopics(query, rel)
    values = [P(Query(query.ranking, dict.fromkeys(docs, 1)), k) for docs in needs.values()]
    return ratio(sum(values), len(values))


def StRecall(query: Query, k: int | None = None, rel: float = 1) -> float:
    needs = subtopics(query, rel)
    return ratio(len([docs for docs in needs.values() if docs & set(first(query, k))]), len(needs))


# Judgement groups: several judges, each with a full set of grades


def mean_over_groups(query: Query, measure: Callable[..., float], **parameters: Any) -> float:
    grades: dict[str, dict[str, float]] = {}
    for (doc, group), grade in (query.groups or {}).items():
        grades.setdefault(group, {})[doc] = grade
    values = [measure(Query(query.ranking, judged), **parameters) for judged in grades.values()]
    return ratio(sum(values), len(values))


def map_avgjg(query: Query, rel: float = 1) -> float:
    return mean_over_groups(query, AP, rel=rel)


def P_avgjg(query: Query, k: int, rel: float = 1) -> float:
    return mean_over_groups(query, P, k=k, rel=rel)


def Rprec_mult_avgjg(query: Query, multiple: float, rel: float = 1) -> float:
    return mean_over_groups(query, Rprec_mult, multiple=multiple, rel=rel)


# trec_eval's own reading of measures that exist above


def rbp(query: Query, p: float = 0.9, gain: Gain = "linear") -> float:
    return RBP(query, p, graded="topic", gain=gain)


def rbp_resid(query: Query, p: float = 0.9) -> float:
    return RBPresidual(query, p, negative="unjudged", all_judged="zero")


def unj(query: Query, k: int) -> float:
    return Unjudged(query, k, negative="unjudged")


def dcg(query: Query, gain: Gain = "linear") -> float:
    return DCG(query, None, gain)


# Averages


def mean(values: Iterable[float]) -> float:
    numbers = list(values)
    return ratio(sum(numbers), len(numbers))


def geometric_mean(values: Iterable[float]) -> float:
    """exp of the mean logarithm, values below EPSILON raised to it (trec_eval's gm_map and gm_bpref)."""
    return math.exp(mean(math.log(max(value, EPSILON)) for value in values))


# Ties


def orders(blocks: Sequence[Sequence[str]]) -> Iterator[list[str]]:
    """Every list that results when documents with equal scores, one block each, stand in any order."""
    for choice in itertools.product(*(itertools.permutations(block) for block in blocks)):
        yield [doc for block in choice for doc in block]


def over_ties(
    measure: Callable[..., float],
    blocks: Sequence[Sequence[str]],
    grades: dict[str, float],
    **parameters: Any,
) -> list[float]:
    """The measure for every order; their mean, max and min are the expected, best and worst value."""
    return [measure(Query(ranking, grades), **parameters) for ranking in orders(blocks)]


NAIVE: dict[str, Callable[..., Any]] = {
    measure.__name__: measure
    for measure in (
        *(P, R, F, Hit, Hits, RR, AP, Rprec, CG, DCG, nDCG, ERR, RBP, RBPresidual),
        *(bpref, infAP, IPrec, IPrec11),
        *(Judged, Unjudged, PairAccuracy, Compat, SetP, SetR, SetF, SetAP, SetRelP),
        *(NumRet, NumRel, NumRelRet, NumNonrelJudgedRet),
        *(alpha_DCG, alpha_nDCG, ERR_IA, nERR_IA, NRBP, nNRBP, AP_IA, P_IA, StRecall),
        *(INSQ, INST, BPM, SDCG, NERR8, NERR9, NERR10, NERR11),
        *(Rprec_mult, utility, G, binG, ndcg_rel, Rndcg, relstring, relative_P, rbp, rbp_resid, unj, yaap),
        *(dcg, ideal_dcg, map_avgjg, P_avgjg, Rprec_mult_avgjg),
    )
} | {"success": Hit, "set_relative_P": SetRelP, "num_nonrel_judged_ret": NumNonrelJudgedRet}


def tilt(length: int, found: Sequence[tuple[float, float]]) -> float:
    """Which end of a list its relevant results (rank and gain) are nearer to: -1 the front, 1 the end."""
    front = sum(g / r for r, g in found)
    end = sum(g / (length + 1 - r) for r, g in found)
    whole = front + end
    if len(found) > length / 4:
        gains = sorted((g for _, g in found), reverse=True)
        whole = min(whole, sum(g * (1 / j - 1 / (length + 1 - j)) for j, g in enumerate(gains, 1)))
    return (end - front) / whole if whole else 0.0
