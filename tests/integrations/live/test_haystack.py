"""Haystack: a component, and pipelines with one retriever, two of them joined, a ranker or an answer behind it."""

from __future__ import annotations

import pytest

pytest.importorskip("haystack")

from haystack import Document, Pipeline, component
from haystack.components.builders import PromptBuilder
from haystack.components.joiners import DocumentJoiner
from haystack.components.retrievers.in_memory import InMemoryBM25Retriever, InMemoryEmbeddingRetriever
from haystack.document_stores.in_memory import InMemoryDocumentStore
from live_questions import GOLD, TEXTS

import rankgauge as rg

AT = {d: [float(i == j) for j in range(3)] for i, d in enumerate(TEXTS)}


def store() -> InMemoryDocumentStore:
    made = InMemoryDocumentStore()
    made.write_documents(
        [Document(id=d, content=text, meta={"file": f"{d}.md"}, embedding=AT[d]) for d, text in TEXTS.items()]
    )
    return made


def retriever(**options) -> InMemoryBM25Retriever:
    return InMemoryBM25Retriever(store(), **options)


@component
class Embedder:
    @component.output_types(embedding=list[float])
    def run(self, text: str):
        return {"embedding": [float(word in text) for word in ("shoes", "boots", "hat")]}


@component
class Reverse:
    seen = 0

    @component.output_types(documents=list[Document])
    def run(self, query: str, documents: list[Document], top_k: int = 10):
        Reverse.seen = len(documents)
        return {"documents": documents[::-1][:top_k]}


@component
class Answer:
    @component.output_types(replies=list[str])
    def run(self, prompt: str):
        return {"replies": [prompt]}


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


def test_a_ranker_gets_as_many_as_the_pipeline_says():
    pipeline = Pipeline()
    pipeline.add_component("bm25", retriever())
    pipeline.add_component("reverse", Reverse())
    pipeline.connect("bm25.documents", "reverse.documents")

    assert rg.collect(["red shoes"], pipeline, k=1).collected.results == (1,)
    assert Reverse.seen == 2  # both that have the word red


def test_two_retrievers_that_are_joined():
    pipeline = Pipeline()
    pipeline.add_component("embedder", Embedder())
    pipeline.add_component("dense", InMemoryEmbeddingRetriever(store()))
    pipeline.add_component("bm25", retriever())
    pipeline.add_component("joined", DocumentJoiner(join_mode="reciprocal_rank_fusion"))
    pipeline.connect("embedder.embedding", "dense.query_embedding")
    pipeline.connect("dense", "joined")
    pipeline.connect("bm25", "joined")

    assert rg.evaluate(GOLD, pipeline, "RR")["RR"] == 1.0
    assert rg.collect(list(GOLD), pipeline, k=2, concurrency=3).collected.results == (2, 2, 2)


def test_what_an_answer_is_made_of():
    pipeline = Pipeline()
    pipeline.add_component("bm25", retriever(top_k=1))
    pipeline.add_component(
        "prompt", PromptBuilder("{% for d in documents %}{{ d.content }}{% endfor %} {{ question }}")
    )
    pipeline.add_component("answer", Answer())
    pipeline.connect("bm25.documents", "prompt.documents")
    pipeline.connect("prompt", "answer")

    assert rg.evaluate(GOLD, pipeline, "RR")["RR"] == 1.0
    assert rg.collect(list(GOLD), pipeline, k=20).collected.results == (1, 1, 1)
