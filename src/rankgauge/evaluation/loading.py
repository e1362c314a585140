"""Records that were stored as JSON: which kind is it, and who reads it back?"""

from __future__ import annotations

from collections.abc import Mapping
from os import PathLike
from typing import Any

from rankgauge._piped import as_given, path_of
from rankgauge._records import Record, class_of, read_back
from rankgauge._show import show, show_all
from rankgauge.data.side import read_json
from rankgauge.errors import InputError
from rankgauge.evaluation.record import Evaluation, Evaluations

__all__ = ["is_evaluation", "load", "load_evaluation"]

_EXPECTED = "an evaluation, a comparison, a funnel or another record, as its to_json() or `--json` writes it"
_READERS = "Runs and judgements are read by rg.read_run and rg.read_qrels."


def load(path: str | PathLike[str]) -> Record:
    """Read what `to_json` or a command with `--json` wrote: an evaluation, several by name, a comparison, any record.

    Numbers are the stored ones, to the last bit, and texts are there in both languages. Result lists, judgements and
    logs are not stored, so what needs them (single queries, bounds over unjudged results) says so.
    """
    path = path_of(path)
    where = f"stored record {show(as_given(path))}"
    data = read_json(path, where, _EXPECTED, _READERS)
    if isinstance(data, Mapping):
        kind = data.get("kind")
        if isinstance(kind, str) and (found := class_of(kind)) is not None:
            return read_back(where, found.from_dict, data)
        if is_evaluation(data):
            return read_back(where, Evaluation.from_dict, data)
        if data and all(isinstance(v, Mapping) and is_evaluation(v) for v in data.values()):
            return _several(where, data)
    raise InputError(f"{where} must hold {_EXPECTED}. Found: {_found(data)}. {_try(data)}")


def is_evaluation(data: Mapping[str, Any]) -> bool:
    """Whether this is what `Evaluation.to_dict` gives, also in versions that named no kind."""
    return "policy" in data and "measures" in data and data.get("kind", "rankings") in ("rankings", "predictions")


def load_evaluation(path: str | PathLike[str]) -> Evaluation:
    """The one evaluation that a file holds."""
    found = load(path)
    if isinstance(found, Evaluation):
        return found
    got = f"{len(found)} by name" if isinstance(found, Evaluations) else f"a record of kind {found.kind}"
    raise InputError(f"stored record {show(str(path))} must hold one evaluation, got {got}. Store one run alone.")


def _several(where: str, data: Mapping[str, Any]) -> Record:
    members = {name: read_back(f"{where}, {show(name)}", Evaluation.from_dict, ev) for name, ev in data.items()}
    kinds = {kind: [name for name, ev in members.items() if ev.kind == kind] for kind in ("rankings", "predictions")}
    if all(kinds.values()):
        raise InputError(
            f"{where} must hold evaluations of one kind. Found: rankings ({', '.join(kinds['rankings'])}) and "
            f"predictions ({', '.join(kinds['predictions'])}). Store them in two files."
        )
    found = class_of("rankings_by_name" if kinds["rankings"] else "predictions_by_name")
    assert found is not None
    assert issubclass(found, Evaluations)
    return found.of_stored(members)


def _found(data: Any) -> str:
    if not isinstance(data, Mapping):
        return {list: "a list", str: "a text", type(None): "null"}.get(type(data), f"{show(data)}")
    if "kind" in data:
        return f"kind {show(data['kind'])}"
    keys = list(data)
    return f"an object with {show_all(keys[:4])}{'…' if len(keys) > 4 else ''}" if keys else "{}"


def _try(data: Any) -> str:
    if not isinstance(data, Mapping) or ("rankgauge" not in data and not _SIGNS & data.keys()):
        return "Store one with ev.to_json(path); runs and judgements are read by rg.read_run and rg.read_qrels."
    if isinstance(data.get("kind"), str):
        return "This version does not know that kind: update rankgauge."
    if {"baseline", "contrasts"} <= data.keys():  # before comparisons were stored whole
        return "Compare again and store that."
    return "It was written before records said their kind: compute it again and store that."


_SIGNS = {"contrasts", "confidence_level", "findings", "verdict", "raw", "identifiability", "is_identified", "models"}
"""Keys of records that were stored without a kind."""
