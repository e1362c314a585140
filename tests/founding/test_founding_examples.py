"""Every number of the founding documents comes out, in every form the data can be given in."""

import json
from pathlib import Path
from typing import Any

import pytest
from founding_examples import BINARY_EXAMPLES, EXAMPLES, BinaryExample, Example

import rankgauge as rg

approx = pytest.approx
examples = pytest.mark.parametrize("example", EXAMPLES, ids=str)

POLICY = {"no_relevant": "zero"}  # the documents count a user who wanted nothing as 0


def relevant(example: Example) -> dict[str, Any]:
    return {query: sides["relevant"] for query, sides in example.queries.items()}


def retrieved(example: Example) -> dict[str, list[str]]:
    return {query: sides["retrieved"] for query, sides in example.queries.items()}


@examples
def test_both_sides_in_one_dict(example: Example):
    ev = rg.evaluate(example.queries, measures=[example.measure], **POLICY)

    assert ev[example.measure] == approx(example.expected, rel=1e-12)


@examples
def test_lists_of_ids(example: Example):
    ev = rg.evaluate(relevant(example), retrieved(example), example.measure, **POLICY)

    assert ev[example.measure] == approx(example.expected, rel=1e-12)
    assert ev.counts["evaluated"] == len(example.queries)


@examples
def test_dicts_of_grades_and_scores(example: Example):
    grades = {
        query: items if isinstance(items, dict) else dict.fromkeys(items, 1)
        for query, items in relevant(example).items()
    }
    scores = {
        query: {item: 1 / rank for rank, item in enumerate(items, start=1)}
        for query, items in retrieved(example).items()
    }

    ev = rg.evaluate(grades, scores, [example.measure], **POLICY)

    assert ev.mean() == {example.measure: approx(example.expected, rel=1e-12)}


def as_pairs(example: Example) -> Any:
    return [(sides["retrieved"], sides["relevant"]) for sides in example.queries.values()]


def as_records(example: Example) -> Any:
    sides = example.queries.values()
    return [{"user_input": q, **_of_ragas(x)} for q, x in zip(example.queries, sides, strict=True)]


def _of_ragas(sides: dict[str, Any]) -> dict[str, Any]:
    return {"retrieved_contexts": sides["retrieved"], "reference_contexts": sides["relevant"], "response": "…"}


FORMS = {"pairs": as_pairs, "records of ragas": as_records, "queries": lambda example: example.queries}


@examples
@pytest.mark.parametrize("form", FORMS)
def test_every_form_and_its_file(example: Example, form: str, tmp_path: Path):
    given = FORMS[form](example)
    (tmp_path / "rag.json").write_text(json.dumps(given, ensure_ascii=False), encoding="utf-8")
    lines = [{"query_id": q, **sides} for q, sides in given.items()] if isinstance(given, dict) else given
    text = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)
    (tmp_path / "rag.jsonl").write_text(text, encoding="utf-8")

    for source in (given, tmp_path / "rag.json", tmp_path / "rag.jsonl"):
        ev = rg.evaluate(source, measures=[example.measure], **POLICY)
        assert ev[example.measure] == approx(example.expected, rel=1e-12)
        assert ev.counts["evaluated"] == len(example.queries)


def test_figures_as_the_documents_round_them():
    """Two sums that the documents print: 12.78 and, from rounded terms, 0.958."""
    by_name = {example.name: example.expected for example in EXAMPLES}

    assert round(by_name["dcg-exponential"], 2) == 12.78
    assert by_name["ndcg-exponential"] == approx(0.958, abs=0.0006)


def test_every_founding_document_with_ranking_examples_is_here():
    assert {example.source for example in EXAMPLES} == {f"founding document {n}" for n in ("000", "001", "002", "004")}
    assert len({example.name for example in EXAMPLES}) == len(EXAMPLES) == 35


@pytest.mark.parametrize("example", BINARY_EXAMPLES, ids=str)
def test_labels_and_scores(example: BinaryExample):
    ev = rg.evaluate_predictions({"label": example.label, "score": example.score}, example.measure)

    assert ev[example.measure] == approx(example.expected, rel=1e-12)


def test_figures_of_labels_and_scores_as_the_documents_print_them():
    printed = {example.name: round(example.expected, 4) for example in BINARY_EXAMPLES}

    assert printed == {
        "logloss-confident-wrong": 6.9078,
        "auc-two-models-a": 1,
        "auc-two-models-b": 1,
        "logloss-two-models-a": 0.6733,
        "logloss-two-models-b": 0.0101,
    }
