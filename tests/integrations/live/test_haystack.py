"""Haystack: a component, and pipelines with one retriever and with a ranker behind it."""

from __future__ import annotations

import pytest

pytest.importorskip("haystack")

from haystack import Document, Pipeline, component
from haystack.components.retrievers.in_memory import InMemoryBM25Retriever
from haystack.document_stores.in_memory import InMemoryDocumentStore
from live_questions import GOLD, TEXTS

import rankgauge as rg


def retriever() -> InMemoryBM25Retriever:
    store = InMemoryDocumentStore()
    store.write_documents([Document(id=d, content=text, meta={"file": f"{d}.md"}) for d, text in TEXTS.items()])
    return InMemoryBM25Retriever(store)


@component
class Reverse:
    @component.output_types(documents=list[Document])
    def run(self, query: str, documents: list[Document]):
        return {"documents": documents[::-1]}


def test_a_component():
    assert rg.evaluate(GOLD, retriever(), "RR")["RR"] == 1.0
    assert rg.collect(["red shoes"], retriever(), k=1).collected.results == (1,)
    assert next(iter(rg.collect(["red shoes"], retriever(), id="file").to_dict()["red shoes"])) == "d1.md"


def test_a_pipeline():
    pipeline = Pipeline()
    pipeline.add_component("bm25", retriever())

    assert rg.evaluate(GOLD, pipeline, "RR")["RR"] == 1.0
    assert rg.collect(["red shoes"], pipeline, k=1).collected.results == (1,)


def test_of_a_pipeline_the_last_documents_count():
    pipeline = Pipeline()
    pipeline.add_component("bm25", retriever())
    pipeline.add_component("reverse", Reverse())
    pipeline.connect("bm25.documents", "reverse.documents")
    plain, turned = (list(rg.collect(["red shoes"], x).to_dict()["red shoes"]) for x in (retriever(), pipeline))

    assert turned == plain[::-1]
