"""Ties by brute force: every word about ties is what the orders of tied results say, for every measure.

The oracle knows nothing about how ties are treated. It writes out each order of the results with equal scores, gives it
strictly falling scores, and evaluates it: one query for each order. The least, the greatest and the mean of
those values are what "best", "worst", the printed width and "expected" must be.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import permutations, product
from typing import Any

import polars as pl
import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

import rankgauge as rg
from rankgauge.evaluation.rankings.record import Column
from rankgauge.measures import REGISTRY
from rankgauge.measures._tie_orders import AT_HAND

MAPPED = "{-1: 2, 0: -1, 1: 5, 2: 3}"
VARIANTS = (
    *("P@2", "P(divisor=retrieved)@3", "P(rel=2)@2", "R@2", "R(norm=min)@2", "F@3", "F(beta=2)@2", "Hit@1", "Hits@2"),
    *("RR@2", "RR(rel=2)", "AP@3", "AP(norm=min)@2", "AP(norm=hits)", "AP(norm=hits)@2", "AP(norm=hits, rel=2)@3"),
    *("CG@2", f"CG(gain={MAPPED})@2", "DCG@2", "DCG(discount=jk)", f"DCG(gain={MAPPED})@3", "nDCG@2", "nDCG(rel=2)"),
    *("nDCG(gain=exponential)@3", f"nDCG(gain={MAPPED})", "nDCG(ideal=retrieved)", "nDCG(ideal=retrieved)@2"),
    *("nDCG(ideal=returned)@3", "nDCG(ideal=uncut)@2", "RBP(graded=max)@3", "RBP(graded=topic)", "RBP(graded=raw)"),
    *("RBPresidual(complete=zero)", "RBPresidual(negative=unjudged)", "RBPresidual(complete=zero, negative=unjudged)"),
    *("Judged@2", "Judged(negative=unjudged)@3", "Unjudged@2", "Unjudged(negative=unjudged)@3", "ERR@2"),
    *("bpref(rel=2)", "PairAccuracy@2", "PairAccuracy(nonrelevant=any)", "PairAccuracy(nonrelevant=any)@3"),
    *("PairAccuracy(rel=2)@3", "IPrec@0.5", "IPrec(rounding=up)@0.3", "IPrec11(rel=2)", "SetP(relative=true)"),
    *(
        "SetF(beta=2)",
        "Compat(p=0.5)",
        "Compat(normalize=false)",
        "BPM@2",
        "BPM(T=2)@3",
        "BPM(min_rel=1)@4",
        "INST(T=2)",
    ),
    *("INST(T=0.25)", "NERR8@2", "NERR9@3", "NERR10(p=0.3)", "SDCG@2", "RprecMult@0.5", "RprecMult@2", "infAP(rel=2)"),
    *("Utility(weights=-1;1;0;0)", "Utility(weights=1;-1;-2;0.5)", "NumRet(rel=1)", "NumNonrelJudgedRet(rel=2)"),
    *(f"G(gain={MAPPED})", "G(gain=exponential)", f"Rndcg(gain={MAPPED})", f"nDCGrel(gain={MAPPED})", "IDCG@2"),
    *("alpha_DCG@2", "alpha_DCG(alpha=0)@3", "alpha_DCG(alpha=1)", "alpha_nDCG@2", "alpha_nDCG(rel=2)@3", "ERR_IA@2"),
    *("nERR_IA@3", "NRBP(beta=0.9)", "P_IA@2", "P_IA(rel=2)@1", "StRecall@1", "StRecall@2", "StRecall(rel=2)@3"),
    *("Pavgjg@2", "RprecMultavgjg@0.5", "RprecMultavgjg@2"),
)
NEED_CUTOFF = {"BPM", "SDCG", "NERR8", "NERR9", "Unjudged"}
TEXTS = {name for name, cls in REGISTRY.items() if cls.summary == "none"}
PLAIN = [n for n, cls in REGISTRY.items() if n not in TEXTS | NEED_CUTOFF and not cls.custom] + list(VARIANTS)
MEASURES = [*PLAIN, *(str(rg.parse(name).replace(judged_only=True)) for name in PLAIN)]
OF_SCORES = "PairAccuracy"
"""Looks at scores, not at an order: equal ones count half, so it has an order only where one is asked for."""

IDS = "abcdef"
HEADINGS = ("1", "2", "3")
CONVENTIONS = ("rankgauge", "trec_eval", "trec_eval-9", "elasticsearch", "ragas", "gdeval", "llamaindex")


@dataclass(frozen=True)
class Case:
    """One query: results with scores as they were given, grades under headings, and a policy."""

    results: Sequence[tuple[str, float]]
    grades: dict[tuple[str, str], float]  # (item, heading)
    policy: dict[str, Any]

    def orders(self) -> Iterator[list[str]]:
        """Each distinct order of the results, equally often: copies can change places in all of them alike."""
        scores = sorted({s for _, s in self.results}, reverse=True)
        blocks = [[x for x, s in self.results if s == score] for score in scores]
        for choice in product(*(sorted(set(permutations(block))) for block in blocks)):
            yield [x for block in choice for x in block]

    def in_order(self, ties: str) -> list[str]:
        listed = [*self.results]
        if ties == "doc_id":
            listed.sort(key=lambda r: r[0], reverse=True)
        return [x for x, _ in sorted(listed, key=lambda r: -r[1])]


@st.composite
def cases(draw: st.DrawFn, most: int = 5) -> Case:
    keep = draw(st.booleans())
    scores = st.sampled_from([1.0, 1.0, 2.0])
    results = draw(st.lists(st.tuples(st.sampled_from(IDS), scores), min_size=1, max_size=most))
    if not keep:
        results = list({x: (x, s) for x, s in results}.values())
    grades = draw(
        st.dictionaries(
            st.tuples(st.sampled_from(IDS), st.sampled_from(HEADINGS)),
            st.sampled_from([-1.0, 0.0, 1.0, 1.0, 2.0]),
            min_size=2,
            max_size=7,
        ).filter(lambda grades: len({h for _, h in grades}) > 1)  # one heading is none
    )
    policy = {
        "depth": draw(st.none() | st.integers(1, most)),
        "unjudged": draw(st.sampled_from(["irrelevant", "irrelevant", "remove"])),
        "no_relevant": draw(st.sampled_from(["skip", "zero", "one"])),
        "convention": draw(st.sampled_from(CONVENTIONS)),
        "duplicates": "keep" if keep else "first",
    }
    return Case(results, grades, policy)


def evaluated(lists: dict[str, list[tuple[str, float]]], case: Case, names: Sequence[str], ties: str) -> list[Column]:
    qrels = pl.DataFrame(
        [(q, h, x, g) for q in lists for (x, h), g in case.grades.items()],
        schema={"query_id": pl.String, "iteration": pl.String, "doc_id": pl.String, "grade": pl.Float64},
        orient="row",
    )
    return list(rg.evaluate(qrels, lists, names, ties=ties, **case.policy).columns)


def close(a: float, b: float) -> bool:
    return (math.isnan(a) and math.isnan(b)) or abs(a - b) <= 1e-9 * max(1.0, abs(b))


def check(case: Case, names: Sequence[str]) -> None:
    """Every tie word against all orders."""
    orders = list(case.orders())
    apart = {str(i): [(x, -float(n)) for n, x in enumerate(order)] for i, order in enumerate(orders)}
    each = [(c.label, c.values.tolist()) for c in evaluated(apart, case, names, "input")]
    said = {word: evaluated({"q": list(case.results)}, case, names, word) for word in ("doc_id", "input", *_OF_ALL)}
    for i, (name, values) in enumerate(each):
        defined = [v for v in values if not math.isnan(v)] or [math.nan]  # orders that say nothing are left out
        low, high, mean = min(defined), max(defined), math.fsum(defined) / len(defined)
        measure = said["best"][i].measure
        best, worst = (high, low) if measure.higher_is_better else (low, high)
        for word, expected in zip(_OF_ALL, (best, worst, mean), strict=True):
            found = said[word][i].values[0]
            assert close(found, expected), f"{name} {word}: {found}, not {expected} of {values}"
        for word in ("doc_id", "input"):
            c = said[word][i]
            if measure.name != OF_SCORES:
                own = values[orders.index(case.in_order(word))]
                assert close(c.values[0], own), f"{name} {word}: {c.values[0]}, not {own}"
            if c.tie_unknown[0]:  # beyond what goes with every evaluation, which is said: nothing is claimed
                cells = len(orders) * max(measure.breadth, len(case.grades))
                assert cells > AT_HAND.cells or len(orders) > AT_HAND.lists
            elif c.best is not None and c.worst is not None and c.counted[0]:
                assert close(c.best[0], best), f"{name} {word}: best {c.best[0]}, not {best} of {values}"
                assert close(c.worst[0], worst), f"{name} {word}: worst {c.worst[0]}, not {worst} of {values}"
            elif measure.summary in ("mean", "geometric") and c.counted[0] and measure.name != OF_SCORES:
                assert close(low, high), f"{name} {word}: no width, and {values}"


_OF_ALL = ("best", "worst", "expected")


def tries(n: int) -> settings:
    return settings(
        max_examples=n,
        deadline=None,
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
        phases=[Phase.explicit, Phase.reuse, Phase.generate],
    )


@pytest.mark.slow
@pytest.mark.parametrize("part", range(8))
@given(case=cases(most=4))
@tries(10)
def test_best_worst_width_and_expected_are_those_of_all_orders(part: int, case: Case):
    check(case, MEASURES[part::8])


@pytest.mark.long("more seeds of random inputs")
@pytest.mark.parametrize("part", range(8))
@given(case=cases(most=6))
@tries(300)
def test_best_worst_width_and_expected_are_those_of_all_orders_at_length(part: int, case: Case):
    check(case, MEASURES[part::8])


def test_every_measure_is_tried():
    built_in = {name for name, cls in REGISTRY.items() if not cls.custom}

    assert {rg.parse(name).name for name in MEASURES} == built_in - TEXTS
