"""PyTerrier: transformers that need no Java, and what operators make of them."""

from __future__ import annotations

import pytest

pytest.importorskip("pyterrier")

import pandas as pd
import pyterrier as pt
from live_questions import GOLD, ranked

import rankgauge as rg

TOPICS = {f"q{i}": query for i, query in enumerate(GOLD)}
ROWS = [(q, text, d, s) for q, text in TOPICS.items() for d, s in ranked(text)]
RESULTS = pd.DataFrame(ROWS, columns=["qid", "query", "docno", "score"])
QRELS = {q: GOLD[text] for q, text in TOPICS.items()}


def words(topics):
    rows = [(t.qid, t.query, d, s) for t in topics.itertuples() for d, s in ranked(t.query)]
    return pd.DataFrame(rows, columns=["qid", "query", "docno", "score"])


def test_results_that_are_known():
    assert rg.evaluate(QRELS, pt.Transformer.from_df(RESULTS), "RR", queries=TOPICS)["RR"] == 1.0


def test_a_transformer_and_its_cutoff():
    made = pt.apply.generic(lambda topics: pt.model.add_ranks(words(topics)))

    assert rg.evaluate(QRELS, made, "RR", queries=TOPICS)["RR"] == 1.0
    assert rg.collect(TOPICS, made % 1).collected.results == (1, 1, 1)


def test_a_pipeline_that_scores_again():
    made = pt.apply.generic(lambda topics: pt.model.add_ranks(words(topics)))
    turned = made >> pt.apply.doc_score(lambda row: -row["score"])
    plain, found = (rg.collect(TOPICS, x).to_dict() for x in (made, turned))

    assert list(plain["q0"]) == ["d1", "d3"]
    assert found["q0"] == {"d3": -1.0, "d1": -2.0}
    assert rg.collect(TOPICS, turned, concurrency=3).collected.failures == 0


def test_a_query_without_results_is_an_empty_list():
    none = pt.apply.generic(lambda topics: pt.model.add_ranks(words(topics)))

    assert rg.collect({"q9": "nothing like it"}, none).collected.outcomes == ("empty",)
