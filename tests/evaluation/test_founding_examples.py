"""Every number of the founding documents comes out, in every form the data can be given in."""

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
