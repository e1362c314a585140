"""Claims of verdicts, gates and pages, checked by hand: exact tests by trying all signs, rules as they read.

Beside `claims.py`, which knows single systems: here two or more are compared, at any level and over any slice.
"""

from __future__ import annotations

import itertools
import math
import random
import statistics
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

import numpy as np
from scipy.stats import beta, norm
from scipy.stats import t as student

from rankgauge._claims import Claim

from . import claims, naive_predictions
from .claims import CLOSE, Inputs, close, number, of_query, pairs, t_interval, values
from .history_claims import CHECKERS_OF_HISTORIES
from .naive import Query, tilt

__all__ = ["CHECKERS", "Rule", "Ruled", "contradictions", "holds"]

ALPHA = 0.05
MOST_SIGNS = 13  # 2^13 choices of signs are all tried
LOWER = ("LogLoss", "Brier", "ECE", "MCE")  # less is better
IDEAL = ("COPC",)  # 1 is best


# tests


def exact_p(differences: Sequence[float]) -> float | None:
    """The share of all choices of signs whose sum is as far from 0; None where there are too many to try."""
    moved = [d for d in differences if d]
    if len(differences) < 2:
        return math.nan
    if len(moved) > MOST_SIGNS:
        return None
    seen, slack = abs(math.fsum(moved)), 1e-12 * math.fsum(map(abs, moved))
    sums = [0.0]
    for d in moved:
        sums = [s + d for s in sums] + [s - d for s in sums]
    return sum(abs(s) >= seen - slack for s in sums) / len(sums)


def drawn_p(differences: Sequence[float], draws: int = 4000) -> float:
    rng, seen = random.Random(7), abs(math.fsum(differences))
    far = sum(abs(math.fsum(d if rng.random() < 0.5 else -d for d in differences)) >= seen - 1e-9 for _ in range(draws))
    return far / draws


def holm(p_values: Mapping[Any, float]) -> dict[Any, float]:
    known = sorted((p, key) for key, p in p_values.items() if not math.isnan(p))
    out, least = dict.fromkeys(p_values, math.nan), 0.0
    for i, (p, key) in enumerate(known):
        least = max(least, min(1.0, (len(known) - i) * p))
        out[key] = least
    return out


@lru_cache(maxsize=8)
def contrasts(x: Inputs) -> tuple[dict[tuple[str, str], float], bool]:
    """The corrected p-value of each measure of each system but the first, and whether all are exact."""
    base, *others = x.runs
    found, sure = {}, True
    for measure, system in itertools.product(x.measures, others):
        moved = pairs(x, Claim("difference", 0.0, measure, system, base))
        p = exact_p(moved)
        sure = sure and p is not None
        found[measure, system] = drawn_p(moved) if p is None else p
    return holm(found), sure


# checkers


def p(c: Claim, x: Inputs) -> bool:
    if "=" in c.against:  # of a slice beside the rest
        return claims.CHECKERS["p"](c, x)
    if x.rows:
        return rows_p(c, x)
    found, exact = contrasts(x)
    rounding = CLOSE if exact else 0.02 * len(x.measures) * len(x.runs)
    return abs(c.value - found[c.measure, c.system]) <= rounding


def rows_p(c: Claim, x: Inputs) -> bool:
    """A paired t test of the losses of rows, where a measure is their mean."""
    losses = {"LogLoss": naive_predictions.log_loss_of, "Brier": lambda y, q: (y - q) ** 2}
    if c.measure not in losses or len(x.measures) > 1:
        return 0 <= c.value <= 1
    after, before = ([losses[c.measure](r.y, r.s) for r in x.rows[name]] for name in (c.system, c.against))
    moved = [b - a for a, b in zip(before, after, strict=True)]
    spread = statistics.stdev(moved)
    if not spread:
        return True
    far = abs(statistics.fmean(moved)) / spread * math.sqrt(len(moved))
    return close(c.value, 2 * student.sf(far, len(moved) - 1), 1e-6)


def tests_of_models(x: Inputs) -> int:
    """Measures × models beside the first that have a number of both; what is compared as a ratio needs one above 0."""
    base, *others = x.rows
    made = 0
    for measure, model in itertools.product(x.measures, others):
        try:
            both = [number(x, measure, name) for name in (base, model)]
        except ZeroDivisionError:
            continue
        made += len(x.rows[base].label) > 1 and all(v > 0 if measure in IDEAL else not math.isnan(v) for v in both)
    return made


def gain(c: Claim, x: Inputs) -> float:
    """By how much the system is better."""
    after, before = number(x, c.measure, c.system), number(x, c.measure, c.against)
    name = claims.parsed(c.measure)[0]
    if name in IDEAL:
        far = [abs(math.log(v)) if v > 0 else math.inf for v in (after, before)]
        return far[1] - far[0] if far[0] != far[1] else 0.0
    return before - after if name in LOWER else after - before


def verdict(c: Claim, x: Inputs) -> bool:
    if x.rows:
        better = gain(c, x)
        return {"better": better > 0, "worse": better < 0}.get(c.value, True)
    moved = pairs(x, c)
    if not moved:
        return bool(c.value == "untested")
    margin = x.given.get("margin")
    low, high = t_interval(moved, 1 - 2 * ALPHA)
    if margin is not None and -margin < low and high < margin:
        return bool(c.value == "equivalent")
    if not any(moved):
        return bool(c.value == "unchanged")
    if len(moved) == 1:
        return bool(c.value == "untested")
    (tested, exact), mean = contrasts(x), statistics.fmean(moved)
    p = tested[c.measure, c.system]
    if not exact and abs(p - ALPHA) < 0.03:
        return c.value in ("inconclusive", "better" if mean > 0 else "worse")
    found = p < ALPHA and abs(mean) > 1e-15
    return bool(c.value == (("better" if mean > 0 else "worse") if found else "inconclusive"))


# all pairs of systems


@lru_cache(maxsize=8)
def words_of_pairs(x: Inputs) -> dict[tuple[str, str, str], str]:
    """For each measure and each system beside each other what the differences say; empty where they are too many to try
    exactly and near the level."""
    found, moved = {}, {}
    for measure, (i, one), (j, other) in itertools.product(x.measures, enumerate(x.runs), enumerate(x.runs)):
        if i < j:
            moved[measure, other, one] = d = pairs(x, Claim("difference", 0.0, measure, other, one))
            p = exact_p(d)
            found[measure, other, one] = drawn_p(d) if p is None else p
    out = {}
    for key, p in holm(found).items():
        d, (measure, other, one) = moved[key], key
        mean = statistics.fmean(d) if d else 0.0
        near = exact_p(d) is None and abs(p - ALPHA) < 0.03
        clear = not math.isnan(p) and p < ALPHA and abs(mean) > 1e-15
        open_word = (
            "untested" if not d else "unchanged" if not any(d) else "untested" if len(d) == 1 else "inconclusive"
        )
        word = "" if near else ("better" if mean > 0 else "worse") if clear else open_word
        out[key] = word
        out[measure, one, other] = {"better": "worse", "worse": "better"}.get(word, word)
    return out


def between(c: Claim, x: Inputs, system: str, other: str) -> list[str]:
    return [words_of_pairs(x)[m, system, other] for m in c.measure.split(", ")]


def surely(c: Claim, x: Inputs, system: str, other: str) -> bool:
    """Whether the first dominates the second."""
    words = between(c, x, system, other)
    return "better" in words and all(word in ("better", "unchanged") for word in words)


def dominates(c: Claim, x: Inputs) -> bool:
    return "" in between(c, x, c.system, c.against) or surely(c, x, c.system, c.against)


def standing(c: Claim, x: Inputs) -> bool:
    others = [name for name in x.runs if name != c.system]
    if any("" in between(c, x, c.system, other) for other in others):
        return True
    if any(surely(c, x, other, c.system) for other in others):
        return bool(c.value == "dominated")
    ahead = all("better" in between(c, x, c.system, other) for other in others)
    return bool(c.value == ("undominated" if ahead else "open"))


def seems_to_dominate(c: Claim, x: Inputs) -> bool:
    d = [pairs(x, replace(c, measure=m)) for m in c.measure.split(", ")]
    gains = [statistics.fmean(one) if one else math.nan for one in d]
    return all(g >= -1e-15 for g in gains) and any(g > 1e-15 for g in gains)


def band(c: Claim, x: Inputs) -> bool:
    if not x.rows:
        return claims.CHECKERS["band"](c, x)
    value = number(x, c.measure, c.system)
    auc = "perfect" if value == 1 else "informative" if value > 0.5 else "chance" if value == 0.5 else "reversed"
    return bool(c.value == {"AUC": auc}.get(c.measure, "perfect" if close(value, 0.0) else ""))


def band_of_end(what: str) -> Callable[[Claim, Inputs], bool]:
    def check(c: Claim, x: Inputs) -> bool:
        if not x.rows:
            return claims.CHECKERS[what](c, x)
        words = ("reversed", "chance", "informative", "perfect")  # of the ends of an interval that holds the value
        value = number(x, c.measure, c.system)
        at = (
            next(i for i, word in enumerate(words) if band(Claim("band", word, c.measure, c.system), x)) if value else 0
        )
        found = words.index(c.value)
        return found <= at if what == "lowest band" else found >= at

    return check


def found_by(x: Inputs, names: Iterable[str]) -> list[float]:
    """The recall of each query with relevant items, in the lists of these runs together."""
    out = []
    for q in x.qrels:
        if relevant := x.relevant(q):
            shown = {d for name in names for d in x.ranking(name, q)[: int(x.given.get("channel k", 10**6))]}
            out.append(len([d for d in relevant if d in shown]) / len(relevant))
    return out


def added_by(x: Inputs, name: str) -> list[float]:
    rest = found_by(x, [n for n in x.runs if n != name])
    return [a - b for a, b in zip(found_by(x, x.runs), rest, strict=True)]


def end_of_added(end: int) -> Callable[[Claim, Inputs], bool]:
    def check(c: Claim, x: Inputs) -> bool:
        return close(c.value, max(0.0, min(1.0, t_interval(added_by(x, c.system), x.confidence_level)[end])))

    return check


def difference(c: Claim, x: Inputs) -> bool:
    if x.rows:
        return close(c.value, number(x, c.measure, c.system) - number(x, c.measure, c.against))
    return claims.CHECKERS["difference"](c, x)


def interval_of_difference(end: int) -> Callable[[Claim, Inputs], bool]:
    def check(c: Claim, x: Inputs) -> bool:
        if x.rows:  # its middle is the difference
            return (c.value - number(x, c.measure, c.system) + number(x, c.measure, c.against)) * (
                2 * end - 1
            ) >= -CLOSE
        found = t_interval(pairs(x, c), x.confidence_level)[end]
        return close(c.value, max(-1.0, min(1.0, found)))

    return check


def n(c: Claim, x: Inputs) -> bool:
    if x.rows:
        return bool(c.value == len(x.rows[c.system].label))
    return claims.CHECKERS["n"](c, x)


def mean(c: Claim, x: Inputs) -> bool:
    if c.against and not x.rows:
        other = values(x, c.measure, c.against)
        return close(c.value, statistics.fmean(v for q, v in values(x, c.measure, c.system).items() if q in other))
    return close(c.value, number(x, c.measure, c.system))


def if_judged(end: int) -> Callable[[Claim, Inputs], bool]:
    """Random grades for what is not judged within the cutoff: the difference must stay on this side."""

    def check(c: Claim, x: Inputs) -> bool:
        rng, top = random.Random(3), max((g for q in x.qrels.values() for g in q.values()), default=1)
        k = claims.parsed(c.measure)[1].get("k", 100)
        counted = [q for q in values(x, c.measure, c.system) if q in values(x, c.measure, c.against)]
        for share in (0.0, 0.2, 0.5, 0.8, 1.0):
            gaps = []
            for q in counted:
                lists = [x.ranking(s, q) for s in (c.system, c.against)]
                grades = dict(x.qrels[q])
                for d in sorted({d for found in lists for d in found[:k]} - set(grades)):
                    grades[d] = top if rng.random() < share else 0
                after, before = (of_query(c.measure, Query(found, grades)) for found in lists)
                gaps.append(after - before)
            seen = statistics.fmean(gaps)
            if (seen < c.value - CLOSE) if end == 0 else (seen > c.value + CLOSE):
                return False
        return True

    return check


def power(n: int, effect: float, spread: float, sides: int = 2, level: float = ALPHA) -> float:
    """How often a paired t test of n differences shows an effect: the mean over what their spread is estimated as."""
    df, away = n - 1, effect * math.sqrt(n) / spread
    edge, reach = student.ppf(1 - level / sides, df), 12 / math.sqrt(2 * df)
    w = np.linspace(max(1e-9, 1 - reach), 1 + reach, 20_001)  # the estimated spread over the true one
    density = np.exp((df - 1) * np.log(w) - df * (w**2 - 1) / 2)
    shown = norm.sf(edge * w - away) + (norm.cdf(-edge * w - away) if sides > 1 else 0.0)
    return float(np.trapezoid(shown * density, w) / np.trapezoid(density, w))


def detectable(c: Claim, x: Inputs) -> bool:
    if x.rows:
        return c.value > 0
    moved = pairs(x, c)
    return close(power(len(moved), c.value, statistics.stdev(moved), level=claims.level_of(x)), 0.8, 1e-5)


def more(c: Claim, x: Inputs) -> bool:
    if x.rows:
        return c.value > 0
    moved = pairs(x, c)
    effect, spread, n = abs(statistics.fmean(moved)), statistics.stdev(moved), len(moved) + c.value
    if isinstance(x, Ruled) and c.level is not None:  # to tell the loss from the margin of the rule, one-sided
        margin = next(r.limit for r in x.rules if (r.kind, r.name) == ("non_inferior", c.measure))
        effect = abs(statistics.fmean(moved) + margin)
        enough = power(n, effect, spread, sides=1) >= 0.8 - 1e-5
        return enough and (c.value == 1 or power(n - 1, effect, spread, sides=1) < 0.8 + 1e-5)
    level = claims.level_of(x)
    least = claims.fewest(level)
    fewer_would_do = n > least and power(n - 1, effect, spread, level=level) >= 0.8 + 1e-5
    return n >= least and power(n, effect, spread, level=level) >= 0.8 - 1e-5 and not fewer_would_do


# gates


@dataclass(frozen=True)
class Rule:
    """A rule of a gate: `floor`, `non_inferior` or `ceiling`, of a measure or a count."""

    kind: str
    name: str
    limit: float


@dataclass(frozen=True, eq=False)
class Ruled(Inputs):
    """A run and its baseline under rules; the baseline is the first of `runs`."""

    rules: Sequence[Rule] = ()

    def outcome(self, rule: Rule) -> str:
        base, run = (*self.runs, *self.runs)[:2]
        if rule.kind == "floor":
            value = number(self, rule.name, run)
            return "inconclusive" if math.isnan(value) else "pass" if value >= rule.limit - CLOSE else "fail"
        if rule.kind == "ceiling":
            counted = claims.COUNTS["missing"](self, Claim("count", 0, "missing", run))
            return "pass" if counted <= rule.limit else "fail"
        found = self._not_inferior(rule)
        longest = {s: max((len(self.ranking(s, q)) for q in self.qrels), default=0) for s in (base, run)}
        if found == "fail" and 0 < longest[run] < longest[base] and self._ends_early(run, base, longest[run]):
            cut = {q: self.ranking(base, q)[: longest[run]] for q in self.runs[base]}
            alike = replace(self, runs={base: cut, run: self.runs[run]})
            return "inconclusive" if alike._not_inferior(rule) != "fail" else "fail"  # a loss of depth is none
        return found

    def _ends_early(self, run: str, base: str, end: int) -> bool:
        """Whether lists of the run end where those of the baseline go on, in a tenth of the queries."""
        return cut_short(self, Claim("share", 0.0, "cut short", run, base)) >= 0.1

    def _not_inferior(self, rule: Rule) -> str:
        base, run = (*self.runs, *self.runs)[:2]
        moved = pairs(self, Claim("difference", 0.0, rule.name, run, base))
        if len(moved) < 2:
            return "pass" if list(moved) == [0.0] else "inconclusive"  # one query that did not change at all
        middle, spread = statistics.fmean(moved), statistics.stdev(moved)
        if spread < 1e-12:
            return "pass" if middle >= -rule.limit - CLOSE else "fail"
        edge = student.ppf(1 - ALPHA, len(moved) - 1) * spread / math.sqrt(len(moved))
        return "pass" if middle - edge > -rule.limit else "fail" if middle + edge < -rule.limit else "inconclusive"

    @property
    def outcomes(self) -> list[str]:
        return [self.outcome(rule) for rule in self.rules]

    def not_certain(self, rule: Rule) -> bool:
        """A mean that reaches its floor while the interval does not; of equal values, one that n could not show."""
        if rule.kind != "floor" or self.outcome(rule) != "pass":
            return False
        _, run = (*self.runs, *self.runs)[:2]
        found = list(values(self, rule.name, run).values())
        begin, end = t_interval(found, 1 - 2 * ALPHA)
        if begin == end:
            begin *= ALPHA ** (1 / len(found))
        return not max(begin, 0.0) >= rule.limit - CLOSE


def outcome(c: Claim, x: Inputs) -> bool:
    assert isinstance(x, Ruled)
    if x.given.get("suspicious"):
        return bool(c.value == "inconclusive")
    return bool(c.value == next(w for w in ("fail", "inconclusive", "pass") if w in x.outcomes))


def checks(c: Claim, x: Inputs) -> bool:
    assert isinstance(x, Ruled)
    if c.measure == "not certain":
        return bool(c.value == sum(map(x.not_certain, x.rules)))
    return bool(c.value == sum(c.measure in ("", w) for w in x.outcomes))


def nan_scores(x: Inputs, c: Claim) -> int:
    lists = [found for q, found in x.runs[c.system].items() if q in x.qrels and isinstance(found, Mapping)]
    return sum(math.isnan(s) for found in lists for s in found.values())


def certain(x: Inputs, c: Claim) -> list[float]:
    """Losses of rows with a probability of exactly 0 or 1."""
    return [naive_predictions.log_loss_of(r.y, r.s) for r in x.rows[c.system] if r.s in (0, 1)]


def suspicion(c: Claim, x: Inputs) -> bool:
    """What a look at the lists says: each is a fact of counting, or of where relevant results lie."""
    lists = [x.ranking(c.system, q) for q in x.qrels]
    relevant = [x.relevant(q) for q in x.qrels]
    if c.value == "missing-queries":
        return 2 * sum(q not in x.runs[c.system] for q in x.qrels) > len(x.qrels)
    if c.value == "no-relevant":
        return not any(relevant)
    if c.value == "tied-scores":
        widths = {m: claims.tie_ranges(Claim("tie width", 0.0, m, c.system), x) for m in x.measures}
        return any(
            statistics.fmean(high - low for low, high in found.values()) > np.ptp(claims.interval(x, m, c.system))
            for m, found in widths.items()
            if len(found) > 1
        )
    if c.value == "worst-first":
        places = [
            i / len(found)
            for found, best in zip(lists, relevant, strict=True)
            for i, d in enumerate(found, 1)
            if d in best
        ]
        return statistics.fmean(places) > 0.5
    if c.value == "judged-ids-never-retrieved":
        return not any(set(found) & set(x.qrels[q]) for q, found in zip(x.qrels, lists, strict=True))
    if c.value in OF_TRAIN:
        return bool(learned(x, c.system)[c.value])
    if c.value == "sampled-candidates":
        return len({len(found) for found in lists}) == 1
    return False  # id-mismatch and huge-grades are not made here


OF_TRAIN = ("test-in-train", "users-without-training", "popularity-with-test", "seen-items-shown")


def learned(x: Inputs, system: str) -> dict[str, dict[str, int]]:
    """What train has of the test and of the first ten of each list; empty where there is nothing to say."""
    had = {u: set(items) for u, items in x.train.items()}
    pairs = [(u, i) for u in x.qrels for i in x.relevant(u)]
    known = sum(i in had.get(u, ()) for u, i in pairs)
    popular = Counter(i for items in had.values() for i in items)
    asked = (pairs, [(u, i) for u, row in x.qrels.items() for i in row])
    tests = [popular + Counter(i for u, i in some if i not in had.get(u, ())) for some in asked]
    tops = {u: x.ranking(system, u)[:10] for u in x.qrels}
    steps = [(a, b) for row in tops.values() for a, b in itertools.pairwise(row) if a in popular and b in popular]
    rises = {"with_test": min(sum(n[a] < n[b] for a, b in steps) for n in tests)}
    rises["train"] = sum(popular[a] < popular[b] for a, b in steps)
    down = {name: len(steps) - n for name, n in rises.items()}
    knows = len(steps) >= 50 and rises["with_test"] <= 0.001 * len(steps) and rises["train"] > 0.02 * len(steps)
    hits = [(u, i) for u, row in tops.items() for i in row if i in x.relevant(u)]
    by_heart = sum(i in had.get(u, ()) for u, i in hits)
    seen = sum(i in had.get(u, ()) and i not in x.relevant(u) for u, row in tops.items() for i in row)
    of_test = {"known": known, "pairs": len(pairs), "learned": by_heart, "hits": len(hits)}
    strangers = {"queries": len(x.qrels)} if not any(u in had for u in x.qrels) else {}
    return {
        "test-in-train": of_test if known else {},
        "users-without-training": strangers,
        "popularity-with-test": {"steps": len(steps), **down} if knows else {},
        "seen-items-shown": {"seen": seen, "places": sum(map(len, tops.values()))} if seen else {},
    }


def tilts(c: Claim, x: Inputs) -> list[float]:
    """Of all lists that say which end is best."""
    out = []
    for q in x.qrels:
        found = x.runs[c.system].get(q, [])
        shown = x.ranking(c.system, q)
        score = dict(found) if isinstance(found, Mapping) else {d: -i for i, d in enumerate(shown)}
        score = {d: -math.inf if math.isnan(s) else s for d, s in score.items()}
        at = {  # tied results share the middle of their ranks
            d: sum(s > score[d] for s in score.values()) + (sum(s == score[d] for s in score.values()) + 1) / 2
            for d in shown
        }
        gains = [(at[d], g) for d, g in x.qrels[q].items() if g > 0 and d in at]
        if len(shown) >= 3 and gains:
            out.append(tilt(len(shown), gains))
    return [t for t in out if abs(t) > 1e-9]


def evidence(c: Claim, x: Inputs) -> bool:
    """What an input check has counted."""
    lists = [x.ranking(c.system, q) for q in x.qrels]
    if c.against in OF_TRAIN:
        return bool(c.value == learned(x, c.system)[c.against][c.measure])
    if c.against == "worst-first":
        return c.value == (len(tilts(c, x)) if c.measure == "lists" else sum(t > 0 for t in tilts(c, x)))
    if c.against == "tied-scores":
        widths = {m: claims.tie_ranges(Claim("tie width", 0.0, m, c.system), x) for m in x.measures}
        if c.measure == "width":
            means = [statistics.fmean(high - low for low, high in found.values()) for found in widths.values() if found]
            return any(close(c.value, w) for w in means)
        return any(close(c.value, float(np.ptp(claims.interval(x, m, c.system)))) for m in x.measures)
    if c.against == "judged-ids-never-retrieved":
        return bool(c.value == sum(bool(found and x.qrels[q]) for q, found in zip(x.qrels, lists, strict=True)))
    if c.measure == "missing":
        return bool(c.value == sum(q not in x.runs[c.system] for q in x.qrels))
    if c.measure in ("queries", "lists"):
        return bool(c.value == len(x.qrels))
    if c.measure == "length":
        return {len(found) for found in lists} == {c.value}
    targets = {q: x.relevant(q)[0] for q in x.qrels}
    return bool(c.value == sum(2 * (f.index(t) + 1) > len(f) for f, t in zip(lists, targets.values(), strict=True)))


def to_depth(c: Claim, x: Inputs) -> bool:
    """The mean over the queries that count, of lists that are cut."""
    k = int(c.against)
    found = [
        of_query(c.measure, Query(x.ranking(c.system, q)[:k], dict(x.qrels[q]))) for q in values(x, c.measure, c.system)
    ]
    return close(c.value, statistics.fmean(found))


# funnels: the runs are the stages, in order


def reachable(c: Claim, x: Inputs) -> bool:
    """The mean when what a stage holds is shown with the highest grade first."""
    found = []
    for q in (q for q in x.qrels if x.relevant(q)):
        held = [d for d in x.qrels[q] if not c.system or d in x.ranking(c.system, q)]
        best = sorted(held, key=lambda d: -x.qrels[q][d])
        found.append(of_query(c.measure, Query(best, dict(x.qrels[q]))))
    return close(c.value, statistics.fmean(found))


def lost(c: Claim, x: Inputs) -> bool:
    """Each relevant item is lost after the last stage that has it, or below rank k of the last one."""
    stages, k = list(x.runs), int(x.given["k"])
    steps = []
    for q in x.qrels:
        for d in x.relevant(q):
            last = max((i for i, s in enumerate(stages) if d in x.ranking(s, q)), default=-1)
            end = last == len(stages) - 1
            shown = end and x.ranking(stages[-1], q).index(d) < k
            steps.append("" if shown else f"top {k}" if end else stages[last + 1])
    return close(c.value, steps.count(c.measure) / len(steps))


def lost_with_room(c: Claim, x: Inputs) -> bool:
    """Of each query at most k relevant items can be shown: what a step takes away from these."""
    stages, k = list(x.runs), int(x.given["k"])
    names = [*stages, f"top {k}"]
    missed, total = 0, 0
    for q in x.qrels:
        ends = []
        for d in x.relevant(q):
            last = max((i for i, s in enumerate(stages) if d in x.ranking(s, q)), default=-1)
            shown = last == len(stages) - 1 and x.ranking(stages[-1], q).index(d) < k
            ends.append(len(names) if shown else last + 1)
        at = names.index(c.measure)
        before, after = (sum(end >= step for end in ends) for step in (at, at + 1))
        missed += min(before, k) - min(after, k)
        total += len(ends)
    return close(c.value, missed / total)


def cut_short(x: Inputs, c: Claim) -> float:
    """Of the queries that both answer, those whose list ends at the greatest length while the other goes on."""
    lengths = [(len(x.ranking(c.system, q)), len(x.ranking(c.against, q))) for q in x.qrels]
    asked = [(mine, other) for mine, other in lengths if mine and other]
    end = max(mine for mine, _ in lengths)
    return sum(mine == end < other for mine, other in asked) / len(asked)


def leaks(x: Inputs, c: Claim, least: float) -> int:
    """Judged items that a stage shows and the one before it does not, in queries with something relevant."""
    return sum(
        d in x.ranking(c.system, q) and d not in x.ranking(c.against, q)
        for q in x.qrels
        if x.relevant(q)
        for d, g in x.qrels[q].items()
        if g >= least
    )


def answered(x: Inputs, c: Claim) -> list[tuple[bool, bool]]:
    """Right or not, and as much of what is relevant as was asked for among the first k: of each query with both."""
    least = x.given.get("at_least")
    return [(right, found > 0 if least is None else least <= found) for right, found in recalled(x, c)]


def recalled(x: Inputs, c: Claim) -> list[tuple[bool, float]]:
    """Right or not, and the share of what is relevant among the first k: of each query with both."""
    k = int(x.given["answers k"])
    return [
        (bool(x.answers[q]), len(set(x.ranking(c.system, q)[:k]) & set(x.relevant(q))) / len(x.relevant(q)))
        for q in x.qrels
        if x.relevant(q) and x.answers.get(q) is not None
    ]


def partly_wrong(x: Inputs, c: Claim, found: bool) -> int:
    """Wrong answers with or without what was asked for, for which some of what is relevant is there, not all."""
    both = zip(answered(x, c), recalled(x, c), strict=True)
    return sum(not right and met == found and 0 < share < 1 for (right, met), (_, share) in both)


ANSWERS: dict[str, tuple[Callable[[bool, bool], bool], Callable[[bool, bool], bool]]] = {
    "answers right": (lambda right, found: right, lambda right, found: True),
    "answers retrieved": (lambda right, found: found, lambda right, found: True),
    "wrong without gold": (lambda right, found: not found, lambda right, found: not right),
    "wrong with gold": (lambda right, found: found, lambda right, found: not right),
    "right if retrieved": (lambda right, found: right, lambda right, found: found),
    "right if not": (lambda right, found: right, lambda right, found: not found),
}
"""Shares of answers: which, among which."""


def share_of_answers(x: Inputs, c: Claim, name: str = "") -> tuple[int, int]:
    is_it, is_among = ANSWERS[name or c.measure]
    among = [pair for pair in answered(x, c) if is_among(*pair)]
    return sum(is_it(*pair) for pair in among), len(among)


def exact_limits(k: int, n: int, level: float) -> tuple[float, float]:
    """Clopper and Pearson, by quantiles of the beta distribution."""
    a = (1 - level) / 2
    return (beta.ppf(a, k, n - k + 1) if k else 0.0), (beta.ppf(1 - a, k + 1, n - k) if k < n else 1.0)


def limit_of_share(end: int) -> Callable[[Claim, Inputs], bool]:
    return lambda c, x: close(c.value, exact_limits(*share_of_answers(x, c), x.confidence_level)[end])


def lift(c: Claim, x: Inputs) -> bool:
    (k1, n1), (k2, n2) = (share_of_answers(x, c, name) for name in ("right if retrieved", "right if not"))
    p, q = k1 / n1, k2 / n2
    (l1, u1), (l2, u2) = (exact_limits(k, n, x.confidence_level) for k, n in ((k1, n1), (k2, n2)))
    ends = {
        "lift": p - q,
        "lift low": max(p - q - math.hypot(p - l1, u2 - q), -1),
        "lift high": min(p - q + math.hypot(u1 - p, q - l2), 1),
    }
    return close(c.value, 100 * ends[c.what])


def fault(c: Claim, x: Inputs) -> bool:
    """Which of the two one would find by a test of one half."""
    k, n = share_of_answers(x, c, "wrong without gold")
    if not n:
        return bool(c.value == "none")
    low, high = exact_limits(k, n, x.confidence_level)
    return bool(c.value == ("retrieval" if low > 0.5 else "generation" if high < 0.5 else "unclear"))


COUNTS = {
    **claims.COUNTS,
    "answers": lambda x, c: len(answered(x, c)),
    "answers wrong": lambda x, c: sum(not right for right, _ in answered(x, c)),
    "generation at fault": lambda x, c: share_of_answers(x, c, "wrong with gold")[0],
    "retrieval at fault": lambda x, c: share_of_answers(x, c, "wrong without gold")[0],
    "generation at fault partly": lambda x, c: partly_wrong(x, c, True),
    "retrieval at fault partly": lambda x, c: partly_wrong(x, c, False),
    "answers unjudged": lambda x, c: sum(
        not set(x.ranking(c.system, q)[: int(x.given["answers k"])]) <= set(x.qrels[q])
        for q, right in x.answers.items()
        if right is not None and q in x.qrels and x.relevant(q)
    ),
    "answers missing": lambda x, c: sum(q not in x.answers for q in x.qrels if x.relevant(q)),
    "answers not judged": lambda x, c: sum(q in x.answers and x.answers[q] is None for q in x.qrels if x.relevant(q)),
    "answers without gold": lambda x, c: sum(
        q in x.qrels and not x.relevant(q) for q, right in x.answers.items() if right is not None
    ),
    "answers to others": lambda x, c: sum(q not in x.qrels for q in x.answers),
    "channels": lambda x, c: len(x.runs),
    "leaks": lambda x, c: leaks(x, c, -math.inf),
    "relevant_leaks": lambda x, c: leaks(x, c, 1),
    "missing_with_relevant": lambda x, c: sum(bool(x.relevant(q)) and q not in x.runs[c.system] for q in x.qrels),
    "nothing_found": lambda x, c: sum(not set(x.ranking(c.system, q)) & set(x.qrels[q]) for q in x.qrels),
    "results_given": lambda x, c: sum(len(list(x.runs[c.system].get(q, []))) for q in x.qrels),
    "mean_results": lambda x, c: statistics.fmean(
        len(x.ranking(c.system, q)) for q in x.qrels if q in x.runs[c.system]
    ),
    "longest_list": lambda x, c: max(len(x.ranking(c.system, q)) for q in x.qrels),
    "certain": lambda x, c: len(certain(x, c)),
    "nan_scores": nan_scores,
    "not_judged": lambda x, c: sum(q not in x.qrels for q in x.runs[c.system]),
    "rows": lambda x, c: len(x.rows[c.system].label),
    "rarer_class": lambda x, c: min(sum(r.y == label for r in x.rows[c.system]) for label in (0, 1)),
}

SHARES: dict[str, Callable[[Inputs, Claim], float]] = {
    **dict.fromkeys(ANSWERS, lambda x, c: share_of_answers(x, c)[0] / share_of_answers(x, c)[1]),
    "cut short": cut_short,
    "no room": lambda x, c: 1 - SHARES["room"](x, c),
    "room": lambda x, c: (
        sum(min(len(x.relevant(q)), int(x.given["k"])) for q in x.qrels) / sum(len(x.relevant(q)) for q in x.qrels)
    ),
    "judged": lambda x, c: 1 - claims.unjudged(x, c),
    "positives": lambda x, c: naive_predictions.rate(x.rows[c.system]),
    "certain loss": lambda x, c: (
        math.fsum(certain(x, c)) / math.fsum(naive_predictions.log_loss_of(r.y, r.s) for r in x.rows[c.system])
    ),
}

CHECKERS: dict[str, Callable[[Claim, Inputs], bool]] = {
    **claims.CHECKERS,
    **CHECKERS_OF_HISTORIES,
    "mean": mean,
    "mean to depth": to_depth,
    "reachable": reachable,
    "lost": lost,
    "lost with room": lost_with_room,
    "n": n,
    "difference": difference,
    "difference low": interval_of_difference(0),
    "difference high": interval_of_difference(1),
    "verdict": verdict,
    "verdict of pairs": lambda c, x: words_of_pairs(x)[c.measure, c.system, c.against] in ("", c.value),
    "standing": standing,
    "dominates": dominates,
    "seems to dominate": seems_to_dominate,
    "family of pairs": lambda c, x: (
        c.value
        == sum(
            len(pairs(x, Claim("difference", 0.0, m, b, a))) > 1
            for m in x.measures
            for a, b in itertools.combinations(x.runs, 2)
        )
    ),
    "recall of channels": lambda c, x: close(c.value, statistics.fmean(found_by(x, x.runs))),
    "adds": lambda c, x: close(c.value, statistics.fmean(added_by(x, c.system))),
    "adds low": end_of_added(0),
    "adds high": end_of_added(1),
    "band": band,
    "lowest band": band_of_end("lowest band"),
    "highest band": band_of_end("highest band"),
    "p": p,
    "family": lambda c, x: c.value == (tests_of_models(x) if x.rows else claims.tests_made(x)),
    "if judged low": if_judged(0),
    "if judged high": if_judged(1),
    "detectable": detectable,
    "more": more,
    "share low": limit_of_share(0),
    "share high": limit_of_share(1),
    "lift": lift,
    "lift low": lift,
    "lift high": lift,
    "fault": fault,
    "outcome": outcome,
    "checks": checks,
    "suspicion": suspicion,
    "evidence": evidence,
    "count": lambda c, x: close(c.value, COUNTS[c.measure](x, c)),
    "share": lambda c, x: (
        close(c.value, SHARES[key](x, c))
        if (key := c.measure.partition("@")[0]) in SHARES
        else claims.CHECKERS["share"](c, x)
    ),
}


def holds(c: Claim, x: Inputs) -> bool:
    """Whether a claim is so, at its own level and over its own slice."""
    if c.level is not None:
        x = replace(x, confidence_level=c.level)
    if c.slice:
        attribute, _, wanted = c.slice.partition("=")
        inside = {q: x.qrels[q] for q in x.qrels if str(x.slices.get(q, {}).get(attribute, "(none)")) == wanted}
        x = replace(x, qrels=inside)
    return CHECKERS[c.what](c, x)


# what cannot stand together

_SEVERAL = ("benchmark", "below", "above", "given", "cutoff", "suspicion")
"""Of these a page may hold several of the same name."""


def contradictions(found: Sequence[Claim]) -> list[tuple[Claim, Claim]]:
    """Claims about the same thing that do not say the same."""
    seen: dict[tuple[Any, ...], Claim] = {}
    out = []
    for c in found:
        if c.what in _SEVERAL:
            continue
        key = (c.what, c.measure, c.system, c.against, c.level, c.slice)
        other = seen.setdefault(key, c)
        same = close(c.value, other.value) if isinstance(c.value, (int, float)) else c.value == other.value
        if not same:
            out.append((other, c))
    for c in found:  # a mean that is surely below a figure is not above it
        if c.what == "below":
            out += [
                (c, o) for o in found if o.what in ("mean", "above") and _about(o) == _about(c) and o.value > c.value
            ]
    return out


def _about(c: Claim) -> tuple[str, str, str]:
    return c.measure, c.system, c.slice
