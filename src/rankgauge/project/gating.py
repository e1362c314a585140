"""The rules of a project as the gates that they are: one of rankings, one of labels and scores."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

import msgspec

from rankgauge._text import Text
from rankgauge.data.settings import settings
from rankgauge.errors import RankgaugeError
from rankgauge.gate.config import Gate
from rankgauge.gate.prediction_config import PredictionGate
from rankgauge.measures.grammar import parse_prediction, parse_ranking
from rankgauge.project.tables import Dataset, GateRules

__all__ = ["kinds_that_know", "prediction_gate", "ranking_gate"]

_GATE = Text("gate", "门禁")
_SHARED = ("alpha", "certain", "allow_inconclusive")
_OF_RANKINGS = ("accept", "standard", "level", "standards")


@lru_cache(maxsize=1024)
def kinds_that_know(measure: str) -> frozenset[str]:
    """Which kinds of datasets can be measured by it: rankings, predictions, both or none.

    >>> sorted(kinds_that_know("nDCG@10")), sorted(kinds_that_know("AUC")), sorted(kinds_that_know("nDGC"))
    (['rankings'], ['predictions'], [])
    """
    found = set()
    for kind, parse in (("rankings", parse_ranking), ("predictions", parse_prediction)):
        try:
            parse(measure)
            found.add(kind)
        except RankgaugeError:
            continue
    return frozenset(found)


def ranking_gate(
    rules: GateRules, policy: Any, data: Dataset, measures: tuple[str, ...], *, has_baseline: bool
) -> Gate | None:
    """The gate of a dataset of rankings; None where no rule is left. Without a baseline only lines are checked."""
    told: dict[str, Any] = {
        "qrels": data.judged,
        "run": "run",
        "measures": list(measures),
        **_plain(rules, (*_SHARED, *_OF_RANKINGS)),
        "policy": msgspec.to_builtins(policy),
        "floors": _of_kind(rules.floors, "rankings"),
        "ceilings": _listed(rules.ceilings),
    }
    if has_baseline:
        told |= {"baseline": "baseline", "non_inferior": _of_kind(rules.non_inferior, "rankings")}
    if rules.slices is not None and data.slices is not None:
        sliced = {"floors": _of_kind(rules.slices.floors, "rankings")}
        if has_baseline:
            sliced["non_inferior"] = _of_kind(rules.slices.non_inferior, "rankings")
        if any(sliced.values()):
            how = {"attributes": list(rules.slices.attributes), "min_queries": rules.slices.min_queries}
            told["slices"] = {"file": data.slices, **how, **sliced}
    has_rules = any(told.get(k) for k in ("floors", "non_inferior", "ceilings", "slices", "standard"))
    return settings(Gate, told, _GATE) if has_rules else None


def prediction_gate(
    rules: GateRules, data: Dataset, score: str, measures: tuple[str, ...], *, has_baseline: bool
) -> PredictionGate | None:
    """The gate of a dataset of labels and scores; None where no rule is left."""
    told: dict[str, Any] = {
        "predictions": data.predictions,
        "score": score,
        "measures": list(measures),
        **_plain(rules, _SHARED),
        "floors": _of_kind(rules.floors, "predictions"),
        "bounds": _of_kind(rules.bounds, "predictions"),
    }
    if has_baseline:
        told |= {"baseline": "baseline.json", "non_inferior": _of_kind(rules.non_inferior, "predictions")}
    columns = (rules.slices.attributes if rules.slices is not None else ()) or data.slices or ()
    if rules.slices is not None and columns:
        sliced = {k: _of_kind(getattr(rules.slices, k), "predictions") for k in ("floors", "bounds")}
        if any(sliced.values()):
            told["slices"] = {"columns": list(columns), "min_positives": rules.slices.min_positives, **sliced}
    has_rules = any(told.get(k) for k in ("floors", "bounds", "non_inferior", "slices"))
    return settings(PredictionGate, told, _GATE) if has_rules else None


def _plain(rules: GateRules, names: tuple[str, ...]) -> dict[str, Any]:
    told: Mapping[str, Any] = msgspec.to_builtins(rules)
    return {name: told[name] for name in names if name in told}


def _of_kind(limits: Mapping[str, Any], kind: str) -> dict[str, Any]:
    return _listed({name: limit for name, limit in limits.items() if kind in kinds_that_know(name)})


def _listed(limits: Mapping[str, Any]) -> dict[str, Any]:
    return {name: list(limit) if isinstance(limit, tuple) else limit for name, limit in limits.items()}
