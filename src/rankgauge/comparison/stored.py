"""Records that were stored as JSON: which kind is it, and who reads it back?"""

from __future__ import annotations

from collections.abc import Mapping
from os import PathLike
from typing import Any

from rankgauge._piped import as_given, path_of
from rankgauge._show import show, show_all
from rankgauge.comparison.record import Comparison
from rankgauge.data.side import read_json
from rankgauge.errors import InputError
from rankgauge.evaluation.funnel.record import Funnel
from rankgauge.evaluation.predictions.record import PredictionEvaluation, PredictionEvaluations
from rankgauge.evaluation.rankings.record import RankingEvaluation, RankingEvaluations
from rankgauge.evaluation.record import Evaluation, Evaluations, read_back

__all__ = ["is_evaluation", "load", "load_evaluation", "read_back"]

_EXPECTED = "an evaluation, evaluations by name, a comparison or a funnel, as their to_json() or `--json` writes them"


def load(path: str | PathLike[str]) -> Evaluation | Evaluations[Any] | Comparison | Funnel:
    """Read what `to_json` or a command with `--json` wrote: an evaluation, several by name, a comparison, a funnel.

    Numbers are the stored ones, to the last bit. Result lists and judgements are not stored, so what needs them
    (single queries, bounds over unjudged results) says so.
    """
    path = path_of(path)
    where = f"stored record {show(as_given(path))}"
    data = read_json(path, where, _EXPECTED, _READERS)
    if isinstance(data, Mapping):
        if data.get("kind") == "comparison":
            return read_back(where, Comparison.from_dict, data)
        if data.get("kind") == "funnel":
            return read_back(where, Funnel.from_dict, data)
        if is_evaluation(data):
            return read_back(where, Evaluation.from_dict, data)
        if data and all(isinstance(v, Mapping) and is_evaluation(v) for v in data.values()):
            return _several(where, data)
    raise InputError(f"{where} must hold {_EXPECTED}. Found: {_found(data)}. {_try(data)}")


def is_evaluation(data: Mapping[str, Any]) -> bool:
    """Whether this is what `Evaluation.to_dict` gives."""
    return "policy" in data and "measures" in data and data.get("kind", "rankings") in ("rankings", "predictions")


def load_evaluation(path: str | PathLike[str]) -> Evaluation:
    """The one evaluation that a file holds."""
    found = load(path)
    if isinstance(found, Evaluation):
        return found
    got = f"{len(found)} by name" if isinstance(found, Evaluations) else f"a {type(found).__name__.lower()}"
    raise InputError(f"stored record {show(str(path))} must hold one evaluation, got {got}. Store one run alone.")


_READERS = "Runs and judgements are read by rg.read_run and rg.read_qrels."


def _several(where: str, data: Mapping[str, Any]) -> Evaluations[Any]:
    members = {name: read_back(f"{where}, {show(name)}", Evaluation.from_dict, ev) for name, ev in data.items()}
    rankings = {name: ev for name, ev in members.items() if isinstance(ev, RankingEvaluation)}
    predictions = {name: ev for name, ev in members.items() if isinstance(ev, PredictionEvaluation)}
    if rankings and predictions:
        raise InputError(
            f"{where} must hold evaluations of one kind. Found: rankings ({', '.join(rankings)}) and predictions "
            f"({', '.join(predictions)}). Store them in two files."
        )
    return RankingEvaluations(rankings) if rankings else PredictionEvaluations(predictions)


def _found(data: Any) -> str:
    if not isinstance(data, Mapping):
        return {list: "a list", str: "a text", type(None): "null"}.get(type(data), f"{show(data)}")
    if "kind" in data:
        return f"kind {show(data['kind'])}"
    keys = list(data)
    return f"an object with {show_all(keys[:4])}{'…' if len(keys) > 4 else ''}" if keys else "{}"


def _try(data: Any) -> str:
    if isinstance(data, Mapping) and {"baseline", "contrasts"} <= set(data):  # before comparisons were stored whole
        return "Compare again and store that."
    return "Store one with ev.to_json(path); runs and judgements are read by rg.read_run and rg.read_qrels."
