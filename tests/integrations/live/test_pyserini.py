"""Pyserini: a Lucene index of three documents, made here, and its searcher. Needs Java 21 (`JAVA_HOME`)."""

from __future__ import annotations

import os

import pytest

os.environ.setdefault("OPENAI_API_KEY", "none")  # it makes a client of it when it is loaded, and asks nobody
try:
    from pyserini.index.lucene import LuceneIndexer
    from pyserini.search.lucene import LuceneSearcher
except Exception as e:
    pytest.skip(f"Pyserini cannot be loaded ({type(e).__name__}: {str(e)[:80]})", allow_module_level=True)

from live_questions import GOLD, TEXTS

import rankgauge as rg


@pytest.fixture(scope="module")
def searcher(tmp_path_factory) -> LuceneSearcher:
    folder = str(tmp_path_factory.mktemp("index") / "lucene")
    indexer = LuceneIndexer(folder)
    for d, text in TEXTS.items():
        indexer.add_doc_dict({"id": d, "contents": text})
    indexer.close()
    return LuceneSearcher(folder)


def test_a_searcher_is_asked_for_k_hits(searcher):
    ev = rg.evaluate(GOLD, searcher, ["RR", "R@10"])

    assert (ev["RR"], ev["R@10"], ev.run) == (1.0, 1.0, "LuceneSearcher")
    assert rg.collect(["red shoes"], searcher, k=1).collected.results == (1,)


def test_scores_are_those_of_the_searcher(searcher):
    found = rg.collect(["red shoes"], searcher).to_dict()["red shoes"]

    assert found == pytest.approx({hit.docid: hit.score for hit in searcher.search("red shoes")})


def test_threads_share_a_searcher(searcher):
    many = {f"{query} {i}": query for query in GOLD for i in range(20)}
    run = rg.collect(many, searcher, concurrency=4, timeout=30)

    assert run.collected.outcomes == ("ok",) * 60
    assert {next(iter(row)) for q, row in run.to_dict().items() if "boots" in q} == {"d2"}
