"""How an evaluation treats what measures leave open: ties, missing queries, unjudged results, averages.

Policies are words, kept in one record that is printed with every result.
"""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import Any, Self

from rankgauge._checks import number, one_of, whole
from rankgauge._show import show
from rankgauge.errors import ParameterError, suggest

__all__ = ["CHOICES", "DEEPEST_RANK", "Policy"]

DEEPEST_RANK = 2**31 - 1
"""The deepest rank that a list can have."""

CHOICES: dict[str, dict[str, str]] = {
    "ties": {
        "doc_id": "equal scores in descending order of ids, as trec_eval does",
        "input": "equal scores in the order given",
        "best": "equal scores in the most favourable order, for each query and measure",
        "worst": "equal scores in the least favourable order, for each query and measure",
        "expected": "the exact expectation over all orders of equal scores",
    },
    "missing": {
        "zero": "a query without results counts as an empty list",
        "skip": "a query without results is left out, and counted",
        "error": "a query without results is an error",
    },
    "no_relevant": {
        "skip": "a query without relevant items is left out, and counted",
        "zero": "a query without relevant items counts as 0",
        "one": "a query without relevant items counts as 1",
        "nan": "a query without relevant items makes the mean undefined",
    },
    "unjudged": {
        "irrelevant": "unjudged results keep their ranks and gain nothing",
        "remove": "unjudged results are taken out of the list, after it is cut at depth",
    },
    "duplicates": {
        "first": "an item counts where it is shown first, its repeats are taken out and later results move up",
        "keep": "repeats stay in their places and earn nothing; an item counts where it is shown first",
        "error": "an item shown twice is an error",
    },
    "average": {
        "macro": "mean over queries",
        "micro": "pooled numerators over pooled denominators, where a measure has them",
        "weighted": "mean over queries by their weights",
    },
    "scores": {
        "double": "scores are compared as they are",
        "single": "scores are compared in single precision, as trec_eval 9 does",
    },
}
"""For each policy its words, the default first, and what each one means."""


@dataclass(frozen=True)
class Policy:
    """One choice for each policy, a depth at which lists are cut, and the relevance level."""

    ties: str = "doc_id"
    missing: str = "zero"
    no_relevant: str = "skip"
    unjudged: str = "irrelevant"
    duplicates: str = "first"
    average: str = "macro"
    scores: str = "double"
    depth: int | None = None
    """Results beyond this rank are ignored (trec_eval -M)."""
    rel: float | None = None
    """Lowest relevant grade of measures that do not say their own (trec_eval -l)."""

    def __post_init__(self) -> None:
        for name, words in CHOICES.items():
            object.__setattr__(self, name, one_of(name, getattr(self, name), words))
        if self.average == "micro" and self.no_relevant in ("one", "nan"):
            raise ParameterError(
                "average='micro' adds up counts, and a query without relevant items cannot be "
                f"{show(self.no_relevant)} there. Pass no_relevant='skip' or 'zero', or average='macro'."
            )
        object.__setattr__(self, "depth", whole("depth", self.depth, at_most=DEEPEST_RANK, optional=True))
        rel = number("rel", self.rel, above=0, optional=True)
        object.__setattr__(self, "rel", rel if rel is None or isinstance(rel, int) else float(rel))

    def replace(self, **changes: Any) -> Self:
        """The same policy with the given words; None leaves a word as it is."""
        known = {f.name for f in fields(self)}
        for name in changes:
            if name not in known:
                raise ParameterError(f"unknown policy {show(name)}.{suggest(name, known)}")
        return replace(self, **{k: v for k, v in changes.items() if v is not None})

    def to_dict(self) -> dict[str, Any]:
        return {f.name: getattr(self, f.name) for f in fields(self)}

    def __str__(self) -> str:
        words = [f"{k}={v}" for k, v in self.to_dict().items() if k not in ("scores", "depth", "rel")]
        words += [f"{k}={getattr(self, k)}" for k in ("depth", "rel") if getattr(self, k) is not None]
        words += [f"scores={self.scores}"] if self.scores != "double" else []
        return " ".join(words)
