"""Counts of relevant results among the first k: of those shown, of those that exist, and both together.

    P@k = H(k) / k        R@k = H(k) / R        F@k = (1+b²) P R / (b² P + R)

H(k) is the number of relevant results among the first k, R the number of relevant items judged.
"""

from __future__ import annotations

import numpy as np

from rankgauge.alignment import Alignment, Array
from rankgauge.measures.base import Example, Measure, choice, cutoff, level, measure, number

_FAMILY = "Counting relevant results"


@measure(
    title="Precision",
    family=_FAMILY,
    question="Of the first k results, how many are relevant?",
    formula="P@k = H(k) / k;  H(k) = relevant results among the first k.  Without k: H / N over the whole list",
    aliases=["Precision"],
    edges="A list shorter than k is still divided by k: places that stay empty count against it. "
    "divisor=retrieved divides by min(k, N) instead. With R < k relevant items, P@k cannot pass R/k.",
    same={"trec_eval": "P_k", "pytrec_eval": "P_k", "ir_measures": "P@k", "ranx": "precision@k"},
    differs={
        "Elasticsearch, Quepid, MLflow, LlamaIndex": "divide by the results returned: P(divisor=retrieved)@k",
    },
    example=Example([1, 0, 1, None], "2 / 4", missed=[1], params={"k": 4}),
    additive=True,
)
class P(Measure):
    """Share of the first k results that are relevant.

    >>> P(k=10).of([1])
    0.1
    """

    k: int | None = cutoff()
    rel: float = level()
    divisor: str = choice("k", "retrieved", doc="divide by k, or by the results really there: min(k, N)")

    def ratio(self, a: Alignment) -> tuple[Array, Array]:
        hits = a.hits(self.rel, self.k)
        if self.k is None:
            return hits, a.retrieved
        full = np.full(a.n_queries, self.k)
        return hits, full if self.divisor == "k" else np.minimum(full, a.retrieved)


@measure(
    title="Recall",
    family=_FAMILY,
    question="Of all relevant items, how many are among the first k results?",
    formula="R@k = H(k) / R;  R = relevant items judged",
    aliases=["Recall"],
    spellings={
        "relative_P": {"norm": "min"},
        "R_cap": {"norm": "min"},
        "capped_recall": {"norm": "min"},
    },
    edges="With more than k relevant items it cannot reach 1: the ceiling is k/R. norm=min divides by "
    "min(k, R), which can. With one relevant item per query Recall@k and Hit@k are the same number.",
    same={
        "trec_eval": "recall_k",
        "pytrec_eval": "recall_k",
        "ir_measures": "R@k",
        "ranx": "recall@k",
        "BEIR": "Recall@k; its R_cap@k is R(norm=min)@k",
        "trec_eval relative_P_k": "R(norm=min)@k",
    },
    differs={
        "many question-answering papers": "any hit counts as 1: that is Hit@k",
        "Haystack DocumentRecallEvaluator": "its default mode single_hit is Hit",
    },
    example=Example([1, 0, 1], "2 / 3", missed=[2], params={"k": 3}),
    additive=True,
)
class R(Measure):
    """Share of the relevant items that the first k results contain.

    >>> R(k=5).of([1, 0, 1, 0, 0], missed=[1, 1])
    0.5
    """

    k: int | None = cutoff()
    rel: float = level()
    norm: str = choice("all", "min", doc="divide by all relevant items, or by min(k, R)")

    def ratio(self, a: Alignment) -> tuple[Array, Array]:
        relevant = a.n_relevant(self.rel)
        if self.norm == "min" and self.k is not None:
            relevant = np.minimum(relevant, self.k)
        return a.hits(self.rel, self.k), relevant


@measure(
    title="F measure",
    family=_FAMILY,
    question="How good are precision and recall at k together?",
    formula="F@k = (1+b²)·P·R / (b²·P + R), with P = P@k, R = R@k and b = beta",
    aliases=["F1", "F_beta"],
    edges="beta is squared, as in the textbook: beta=2 weighs recall four times as much. 0 when nothing is hit.",
    reference="van Rijsbergen (1979), Information Retrieval, chapter 7",
    same={"ranx": "f1@k for beta=1"},
    differs={"trec_eval set_F, ir_measures SetF": "beta is not squared there: see SetF"},
    example=Example([1, 0, 0, 1], "2 * (2/4) * (2/3) / (2/4 + 2/3)", missed=[1], params={"k": 4}),
    additive=True,
)
class F(Measure):
    """Weighted harmonic mean of precision and recall at k."""

    k: int | None = cutoff()
    rel: float = level()
    beta: float = number(1, low=0, open_low=True, doc="weight of recall against precision, squared")

    def ratio(self, a: Alignment) -> tuple[Array, Array]:
        # with P = H/k and R = H/n the formula is (1+b²) H / (b² n + k): linear in H
        b2 = self.beta**2
        shown = a.retrieved if self.k is None else np.full(a.n_queries, self.k)
        return (1 + b2) * a.hits(self.rel, self.k), b2 * a.n_relevant(self.rel) + shown


@measure(
    title="Number of hits",
    family=_FAMILY,
    question="How many relevant results are among the first k?",
    formula="Hits@k = H(k)",
    edges="A count, not a share; for the yes/no question see Hit@k.",
    same={"ranx": "hits@k", "trec_eval": "num_rel_ret for the whole list (a sum over queries there)"},
    example=Example([1, 0, 2], "2", params={"k": 3}),
    bounds=(0.0, np.inf),
    additive=True,
)
class Hits(Measure):
    """Relevant results among the first k."""

    k: int | None = cutoff()
    rel: float = level()

    def per_query(self, a: Alignment) -> Array:
        return a.hits(self.rel, self.k)


@measure(
    title="R-precision",
    family=_FAMILY,
    question="If the list were cut after as many results as there are relevant items, how many would be relevant?",
    formula="Rprec = H(R) / R",
    aliases=["r-precision", "RPrecision"],
    edges="A list shorter than R is still divided by R. Precision and recall are equal at this rank.",
    reference="Buckley & Voorhees (2005), Retrieval System Evaluation",
    same={"trec_eval": "Rprec", "pytrec_eval": "Rprec", "ir_measures": "Rprec", "ranx": "r-precision"},
    example=Example([1, 0, 1], "2 / 3", missed=[1]),
    additive=True,
)
class Rprec(Measure):
    """Precision at the rank that equals the number of relevant items."""

    rel: float = level()

    def ratio(self, a: Alignment) -> tuple[Array, Array]:
        n = a.n_relevant(self.rel)
        return a.sum(a.relevant(self.rel) * a.within(a.by_query.spread(n))), n
