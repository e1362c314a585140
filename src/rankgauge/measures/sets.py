"""The list as a set: precision, recall and their like over everything shown, in any order.

    SetP = H / N        SetR = H / R        SetF = (1+b²) P R / (b² P + R)        SetAP = P · R

H is the number of relevant results shown, N that of all results shown, R that of relevant items judged.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from rankgauge.alignment import Alignment, Array
from rankgauge.measures._rows import cut_in_tie
from rankgauge.measures.base import Example, Measure, divide, level, measure, number, switch

_FAMILY = "The list as a set"


@measure(
    title="Set precision",
    family=_FAMILY,
    question="Of everything shown, how much is relevant?",
    formula="SetP = H / N;  with relative=true H / min(N, R)",
    spellings={"SetRelP": {"relative": True}, "set_relative_P": {"relative": True}},
    edges="0 for an empty list. relative=true divides by the best that a set of this size can have.",
    same={
        "trec_eval": "set_P; set_relative_P is SetP(relative=true)",
        "pytrec_eval": "set_P, set_relative_P",
        "ir_measures": "SetP, SetRelP",
    },
    example=Example([1, 0, None, 2], "2 / 4", missed=[1]),
    additive=True,
)
class SetP(Measure):
    """Share of all shown results that are relevant."""

    rel: float = level()
    relative: bool = switch(False, "divide by min(N, R) instead of N")

    def ratio(self, a: Alignment) -> tuple[Array, Array]:
        most = np.minimum(a.retrieved, a.n_relevant(self.rel)) if self.relative else a.retrieved
        return a.hits(self.rel), most


@measure(
    title="Set recall",
    family=_FAMILY,
    question="Of all relevant items, how many are shown anywhere?",
    formula="SetR = H / R",
    aliases=["set_recall"],
    edges="Recall of the whole list: the same number as R without a cutoff.",
    same={"trec_eval": "set_recall", "pytrec_eval": "set_recall", "ir_measures": "SetR"},
    example=Example([1, 0, None, 2], "2 / 3", missed=[1]),
    additive=True,
)
class SetR(Measure):
    """Share of the relevant items that the list shows."""

    rel: float = level()

    def ratio(self, a: Alignment) -> tuple[Array, Array]:
        return a.hits(self.rel), a.n_relevant(self.rel)


@measure(
    title="Set F measure",
    family=_FAMILY,
    question="How good are precision and recall of everything shown, together?",
    formula="SetF = (1+b²)·P·R / (b²·P + R), with P = SetP, R = SetR and b = beta",
    edges="beta is squared, as in the textbook; squared=false takes it as it is. 0 when nothing is hit.",
    reference="van Rijsbergen (1979), Information Retrieval, chapter 7",
    same={
        "trec_eval": "set_F; set_F_x is SetF(beta=x, squared=false)",
        "pytrec_eval": "set_F",
        "ir_measures": "SetF for beta=1",
    },
    differs={"trec_eval set_F, ir_measures SetF": "beta is not squared there: SetF(beta=x, squared=false)"},
    example=Example([1, 0, None, 2], "2 * (2/4) * (2/3) / (2/4 + 2/3)", missed=[1]),
    additive=True,
)
class SetF(Measure):
    """Weighted harmonic mean of set precision and set recall."""

    rel: float = level()
    beta: float = number(1, low=0, doc="weight of recall against precision")
    squared: bool = switch(True, "square beta, as the textbook does and trec_eval does not")

    @classmethod
    def suffix(cls, value: str) -> dict[str, Any]:
        return {"beta": value, "squared": False}  # only trec_eval writes set_F_2

    def ratio(self, a: Alignment) -> tuple[Array, Array]:
        # with P = H/N and R = H/n the formula is (1+b²) H / (b² n + N): linear in H
        weight = self.beta**2 if self.squared else self.beta
        return (1 + weight) * a.hits(self.rel), weight * a.n_relevant(self.rel) + a.retrieved


@measure(
    title="Set average precision",
    family=_FAMILY,
    question="How good is the set when both what it holds and what it misses count?",
    formula="SetAP = SetP · SetR = H² / (N·R)",
    aliases=["set_map"],
    edges="Unordered average precision: what AP would be if the relevant results were spread evenly.",
    same={"trec_eval": "set_map", "pytrec_eval": "set_map", "ir_measures": "SetAP"},
    example=Example([1, 0, None, 2], "(2/4) * (2/3)", missed=[1]),
)
class SetAP(Measure):
    """Set precision times set recall."""

    rel: float = level()

    def per_query(self, a: Alignment) -> Array:
        hits = a.hits(self.rel)
        return divide(hits * hits, a.retrieved * a.n_relevant(self.rel))  # one rounding, as in trec_eval

    def expected(self, a: Alignment) -> Array:
        return super().expected(a) if cut_in_tie(a) else self.per_query(a)
