"""Named sets of policies and parameters: the numbers another tool would print.

A convention changes numbers only through declared policies and declared parameters of measures, so
every result still says exactly what it is.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Unpack

from rankgauge._show import show
from rankgauge._text import Text
from rankgauge.errors import UnknownName, among
from rankgauge.evaluation.rankings.policy import Policy, PolicyWords
from rankgauge.measures.base import fold

__all__ = ["CONVENTIONS", "Convention", "convention"]


@dataclass(frozen=True)
class Convention:
    """What a tool does where measures leave a choice."""

    name: str
    about: str
    policy: PolicyWords = field(default_factory=PolicyWords)
    parameters: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    """By canonical measure name, parameters that the tool uses unless told otherwise."""
    trec_names: bool = False
    """Whether a bare `P` or `ndcg_cut` stands for the tool's list of cutoffs."""

    def applied(self, policy: Policy | None = None, **words: Unpack[PolicyWords]) -> Policy:
        """What holds where a caller names this convention: a whole policy wins over it, single words over both."""
        return (Policy().replace(**self.policy) if policy is None else policy).replace(**words)


_TREC_10: dict[str, dict[str, Any]] = {
    "RBP": {"p": 0.9, "graded": "topic"},
    "RBPresidual": {"p": 0.9, "complete": "zero", "negative": "unjudged"},
    "Unjudged": {"negative": "unjudged"},
    "IPrec": {"rounding": "nearest"},
    "IPrec11": {"rounding": "nearest"},
}
_TREC_9 = {**_TREC_10, "IPrec": {"rounding": "up"}, "IPrec11": {"rounding": "up"}}
_TREC_POLICY: PolicyWords = {"missing": "skip", "no_relevant": "zero"}

CONVENTIONS: dict[str, Convention] = {
    c.name: c
    for c in (
        Convention("rankgauge", "the defaults documented with each policy and measure"),
        Convention(
            "recall-and-hit-rate",
            Text(
                "the notes on recall and hit rate (002): without relevant items recall is undefined and its query left "
                "out, while hit rate is 0 and its query counts",
                "《Recall@k 与 Hit Rate@k》（002）：没有相关物品时召回率无意义、该查询不计入，命中率为 0、该查询计入",
            ),
            {"no_relevant": {"R": "skip", "Hit": "zero"}},
        ),
        Convention(
            "trec_eval",
            "trec_eval 10: missing queries are left out (missing='zero' is its -c), queries without relevant "
            "items count as 0",
            _TREC_POLICY,
            _TREC_10,
            trec_names=True,
        ),
        Convention(
            "trec_eval-9",
            "trec_eval 9: scores compared in single precision, older rounding of recall points",
            {**_TREC_POLICY, "scores": "single"},
            _TREC_9,
            trec_names=True,
        ),
        Convention(
            "pytrec_eval",
            "pytrec_eval, which builds trec_eval 9",
            {**_TREC_POLICY, "scores": "single"},
            _TREC_9,
            trec_names=True,
        ),
        Convention(
            "ir_measures",
            "ir_measures: trec_eval 9 with missing queries counted as 0; graded measures as gdeval",
            {"missing": "zero", "no_relevant": "zero", "scores": "single"},
            {"ERR": {"max": 4}, "IPrec": {"rounding": "up"}, "IPrec11": {"rounding": "up"}},
        ),
        Convention(
            "ranx",
            "ranx: equal scores as given, queries without relevant items count as 0, rbp of raw grades",
            {"ties": "input", "missing": "error", "no_relevant": "zero"},
            {"RBP": {"graded": "raw"}, "IPrec": {"rounding": "up"}},
        ),
        Convention(
            "scikit-learn",
            "ndcg_score and dcg_score: expectation over ties, rows without relevant items count as 0",
            {"ties": "expected", "no_relevant": "zero"},
        ),
        Convention(
            "elasticsearch",
            "Elasticsearch _rank_eval: precision over results returned, exponential gain, ideal list cut at "
            "the results returned",
            {"no_relevant": "zero"},
            {
                "P": {"divisor": "retrieved"},
                "DCG": {"gain": "exponential"},
                "nDCG": {"gain": "exponential", "ideal": "returned"},
            },
        ),
        Convention(
            "gdeval",
            "gdeval.pl: exponential gain, highest grade 4 in ERR, queries without relevant items left out, repeated "
            "ids keep their places (gdeval.pl also counts their gain again)",
            {"missing": "skip", "duplicates": "keep"},
            {"nDCG": {"gain": "exponential"}, "DCG": {"gain": "exponential"}, "ERR": {"max": 4}},
        ),
        Convention(
            "mlflow",
            "MLflow retrieval metrics: precision over results returned, ideal list cut at the results returned, "
            "repeated ids keep their places (MLflow also counts them as hits again)",
            {"ties": "input", "no_relevant": "zero", "duplicates": "keep"},
            {"P": {"divisor": "retrieved"}, "nDCG": {"ideal": "returned"}},
        ),
        Convention(
            "llamaindex",
            "LlamaIndex retriever evaluation: precision over results returned, ideal list not cut at k, repeated ids "
            "keep their places (its precision divides by distinct ids, its ap and ndcg count a hit again)",
            {"ties": "input", "no_relevant": "zero", "duplicates": "keep"},
            {"P": {"divisor": "retrieved"}, "nDCG": {"ideal": "uncut"}},
        ),
        Convention(
            "sentence-transformers",
            "InformationRetrievalEvaluator: average precision over min(k, R), queries without relevant items left out, "
            "places as they are (its own search finds no id twice)",
            {"ties": "input", "duplicates": "keep"},
            {"AP": {"norm": "min"}},
        ),
        Convention(
            "ragas",
            "ragas context precision: average precision over the relevant results found, each context in its place "
            "(ragas asks for a verdict on each, so a repeat can be a hit again)",
            {"ties": "input", "no_relevant": "zero", "duplicates": "keep"},
            {"AP": {"norm": "hits"}},
        ),
    )
}


def convention(name: str | Convention | None) -> Convention:
    """The convention of that name; rankgauge's own where none is named."""
    name = "rankgauge" if name is None else name
    if isinstance(name, Convention):
        return name
    by_name = {fold(c): c for c in CONVENTIONS}
    try:
        return CONVENTIONS[by_name[fold(name)]]
    except KeyError:
        raise UnknownName(
            Text(f"unknown convention {show(name)}.", f"未知的约定 {show(name)}。") + among(name, CONVENTIONS)
        ) from None
