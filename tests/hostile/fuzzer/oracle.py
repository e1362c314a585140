"""Numbers of rankings by their definitions, for the seeds that evaluate them."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from oracle import naive

from .checks import Failure, Outcome
from .seeds import Seed

__all__ = ["check_with_oracle"]

DEFINITIONS = {
    "nDCG@10": lambda q: naive.nDCG(q, 10),
    "nDCG@5": lambda q: naive.nDCG(q, 5),
    "AP": naive.AP,
    "RR": naive.RR,
    "P@5": lambda q: naive.P(q, 5),
    "R@5": lambda q: naive.R(q, 5),
}


def check_with_oracle(seed: Seed, values: Mapping[str, Any], outcome: Outcome) -> None:
    """The means of an evaluation of one run are those of the definitions."""
    if seed.of != "evaluate" or not isinstance(outcome.result, dict) or not _is_plain(seed):
        return
    expected = means(*_sides(values))
    for column in outcome.result["measures"]:
        name, value = column["measure"], column["value"]
        if name in expected and not math.isclose(value, expected[name], rel_tol=1e-9, abs_tol=1e-12):
            raise Failure(f"{name} is {value!r}, by its definition {expected[name]!r}")


Grades = Mapping[str, Mapping[str, float]]
Rankings = Mapping[str, list[str]]


def means(qrels: Grades, shown: Rankings) -> dict[str, float]:
    """Over the queries with something relevant; a query without results counts as an empty list."""
    queries = [
        naive.Query(shown.get(query, []), dict(grades))
        for query, grades in qrels.items()
        if any(g >= 1 for g in grades.values())
    ]
    return {name: sum(f(q) for q in queries) / len(queries) for name, f in DEFINITIONS.items()} if queries else {}


def _sides(values: Mapping[str, Any]) -> tuple[Grades, Rankings]:
    """Judgements and rankings of the slots of a seed, in whichever form."""
    form, value = next(((slot, v) for slot, v in values.items() if slot in _FORMS), ("", None))
    if form:
        return _FORMS[form](value)
    qrels = next((_JUDGED[slot](v) for slot, v in values.items() if slot in _JUDGED), None)
    return qrels or values["qrels"].nested(), _ranked(values["run"].nested())


def _ranked(run: Mapping[str, Mapping[str, float]]) -> Rankings:
    """Of equal scores the greater id first."""
    by_id = {q: sorted(scores, key=lambda d: d.encode(), reverse=True) for q, scores in run.items()}
    return {q: sorted(ids, key=lambda d, q=q: -run[q][d]) for q, ids in by_id.items()}


def _of_ragas(v: Any) -> tuple[Grades, Rankings]:
    grades = {r["user_input"]: dict.fromkeys(r["reference_context_ids"], 1) for r in v}
    return grades, {r["user_input"]: r["retrieved_context_ids"] for r in v}


def _of_columns(v: Any) -> tuple[Grades, Rankings]:
    grades = {q: dict.fromkeys(ids, 1) for q, ids in zip(v["query_id"], v["reference_ids"], strict=True)}
    return grades, dict(zip(v["query_id"], v["retrieved_ids"], strict=True))


_FORMS: dict[str, Any] = {
    "ragas": _of_ragas,
    "columns": _of_columns,
    "pairs": lambda v: ({str(i): g for i, (_, g) in enumerate(v)}, {str(i): r for i, (r, _) in enumerate(v)}),
    "by_query": lambda v: ({q: e["relevant"] for q, e in v.items()}, {q: e["retrieved"] for q, e in v.items()}),
    "sides": lambda v: (v["qrels"], _ranked(v["run"])),
}
_JUDGED: dict[str, Any] = {
    "opensearch": lambda v: {
        e["query"]: {r["docId"]: float(r["rating"]) for r in e["ratings"]} for e in v["judgmentRatings"]
    },
    "quepid": lambda v: {e["query_text"]: {r["doc_id"]: r["rating"] for r in e["ratings"]} for e in v["queries"]},
}


def _is_plain(seed: Seed) -> bool:
    """One run, without other policies."""
    return "expected" not in seed.name and "ties" not in seed.options and "labels" not in seed.slots
