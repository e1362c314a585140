"""What is in a slot, unmutated: a table, a stored record, settings, a matrix."""

from __future__ import annotations

import json
import tempfile
from functools import cache
from pathlib import Path
from typing import Any

from .tables import data_set

__all__ = ["source"]


def source(slot: str, data: int) -> Any:
    """The valid content of a slot."""
    tables = data_set(data)
    return tables[slot] if slot in tables else _others(slot, data)


@cache
def _others(slot: str, data: int) -> Any:
    import numpy as np

    import rankgauge as rg

    tables = data_set(data)
    qrels, run, other = (tables[name].nested() for name in ("qrels", "run", "run_b"))
    if slot in BOTH_SIDES:
        return BOTH_SIDES[slot](qrels, run)
    if slot in QUESTIONS:
        return QUESTIONS[slot](qrels)
    if slot in WORKBENCHES:
        return WORKBENCHES[slot](qrels)
    if slot == "labels":
        return np.random.default_rng(data).integers(0, 3, (4, 9))
    if slot == "scores":
        return np.random.default_rng(data + 10).permuted(np.arange(36).reshape(4, 9) / 7, axis=1)
    if slot == "evaluation":
        return json.loads(rg.evaluate(qrels, run, ["nDCG@10", "RR"]).to_json())
    if slot == "evaluation_b":
        return json.loads(rg.evaluate(qrels, other, ["nDCG@10", "RR"]).to_json())
    if slot == "comparison":
        return json.loads(rg.compare(qrels, {"a": run, "b": other}, ["nDCG@10"], permutations=200).to_json())
    if slot == "funnel":
        return json.loads(rg.funnel(qrels, {"a": run, "b": other}, k=5).to_json())
    if slot == "calibrator":
        table = tables["predictions"].series()
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "calibrator.json"
            rg.fit_calibrator("platt", table["label"], table["score"]).save(path)
            return json.loads(path.read_text(encoding="utf-8"))
    if slot == "gate":
        return {
            "qrels": "qrels.txt",
            "run": "run.txt",
            "measures": ["RR"],
            "alpha": 0.05,
            "floors": {"nDCG@10": 0.2},
            "ceilings": {"missing_queries": 0, "duplicates": 0},
            "policy": {"missing": "zero"},
            "slices": {"file": "slices.csv", "min_queries": 1, "floors": {"RR": 0.05}},
        }
    if slot == "project":
        return {
            "project": "shop",
            "measures": ["RR"],
            "confidence_level": 0.95,
            "datasets": {"july": {"qrels": "qrels.txt"}},
            "systems": {"search": {"run": "run.txt", "version": "1"}},
            "policy": {"missing": "zero"},
            "gate": {"alpha": 0.05, "floors": {"nDCG@10": 0.2}, "ceilings": {"duplicates": 0}},
            "alerts": {"health": [{"missing_queries": 5}]},
        }
    if slot == "standards":
        return {"scenarios": {"faq": {"benchmarks": {"RR": {"value": 0.92, "source": "our search in March"}}}}}
    if slot == "ubi":
        return _ubi(tables["log"])
    raise KeyError(slot)


Lists = dict[str, dict[str, float]]


def _ranked(run: Lists, query: str) -> list[str]:
    """The results of a query, best first; equal scores in the order that they have by default."""
    found = run.get(query, {})
    return sorted(sorted(found, key=lambda d: d.encode(), reverse=True), key=lambda d: -found[d])


def _ragas(qrels: Lists, run: Lists) -> Any:
    return [
        {
            "user_input": query,
            "retrieved_context_ids": _ranked(run, query),
            "reference_context_ids": [d for d, grade in judged.items() if grade > 0],
            "response": "…",
        }
        for query, judged in qrels.items()
    ]


def _pairs(qrels: Lists, run: Lists) -> Any:
    return [[_ranked(run, q), judged] for q, judged in qrels.items()]


def _by_query(qrels: Lists, run: Lists) -> Any:
    return {q: {"retrieved": _ranked(run, q), "relevant": judged} for q, judged in qrels.items()}


def _sides(qrels: Lists, run: Lists) -> Any:
    return {"qrels": qrels, "run": run}


def _columns(qrels: Lists, run: Lists) -> Any:
    return {
        "query_id": list(qrels),
        "retrieved_ids": [_ranked(run, q) for q in qrels],
        "reference_ids": [list(judged) for judged in qrels.values()],
    }


def _opensearch(qrels: Lists) -> Any:
    ratings = [
        {"query": q, "ratings": [{"docId": d, "rating": str(g)} for d, g in judged.items()]}
        for q, judged in qrels.items()
    ]
    return {"name": "mine", "type": "IMPORT_JUDGMENT", "judgmentRatings": ratings}


def _quepid(qrels: Lists) -> Any:
    return {
        "name": "a case",
        "queries": [
            {"query_text": q, "ratings": [{"doc_id": d, "rating": g} for d, g in judged.items()]}
            for q, judged in qrels.items()
        ],
    }


def _answers(qrels: Lists) -> dict[str, list[str]]:
    """Documents that answer each query."""
    return {q: [d for d, grade in judged.items() if grade > 0] for q, judged in qrels.items()}


def _context(doc: str) -> str:
    return f"Of {doc} it is said: 答案 number {doc} stands here."


def _squad(qrels: Lists) -> Any:
    paragraphs = []
    for query, docs in _answers(qrels).items():
        for doc in docs[:1]:
            text, answer = _context(doc), f"答案 number {doc}"
            qa = {
                "id": query,
                "question": f"words of {query}",
                "answers": [{"text": answer, "answer_start": text.index(answer)}],
            }
            paragraphs.append({"id": f"{doc} {query}", "context": f"{text}", "qas": [qa]})
    return {"version": "1", "data": [{"title": "t", "paragraphs": paragraphs}]}


def _asked(qrels: Lists) -> Any:
    return [
        {"id": q, "question": f"words of {q}", "gold": [f"答案 number {d} stands" for d in docs[:2]]}
        for q, docs in _answers(qrels).items()
    ]


QUESTIONS = {"squad": _squad, "asked": _asked}
"""Sets of questions with what answers them."""
BOTH_SIDES = {"ragas": _ragas, "pairs": _pairs, "by_query": _by_query, "sides": _sides, "columns": _columns}
WORKBENCHES = {"opensearch": _opensearch, "quepid": _quepid}
"""What holds judgements, of which some hold results as well, in the forms of others."""


def _ubi(log: Any) -> Any:
    return [
        {
            "action_name": event,
            "query_id": request,
            "client_id": user,
            "timestamp": at * 1000,
            "user_query": query,
            "event_attributes": {"object": {"object_id": item}, "position": {"ordinal": position}},
        }
        for request, user, query, item, position, event, at in log.rows
    ]
