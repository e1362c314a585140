"""LangChain: a retriever of one's own, a vector store, what is made of it, a chain."""

from __future__ import annotations

import asyncio

import pytest

pytest.importorskip("langchain_core")

from langchain_core.documents import Document
from langchain_core.embeddings import DeterministicFakeEmbedding
from langchain_core.retrievers import BaseRetriever
from langchain_core.runnables import RunnableLambda, RunnablePassthrough
from langchain_core.vectorstores import InMemoryVectorStore
from live_questions import ANSWERS, GOLD, PAGES, TEXTS, nearest, ranked

import rankgauge as rg


class Words(BaseRetriever):
    def _get_relevant_documents(self, query, *, run_manager):
        return [Document(TEXTS[d], id=d, metadata={"source": f"{d}.md"}) for d, _ in ranked(query)]


def store() -> InMemoryVectorStore:
    made = InMemoryVectorStore(DeterministicFakeEmbedding(size=16))
    made.add_documents([Document(text, id=d) for d, text in TEXTS.items()])
    return made


def test_a_retriever():
    assert rg.evaluate(GOLD, Words(), "RR")["RR"] == 1.0
    assert next(iter(rg.collect(["red shoes"], Words(), id="source").to_dict()["red shoes"])) == "d1.md"
    assert rg.collect(list(GOLD), Words(), concurrency=3).collected.failures == 0


def test_a_chain_that_gives_documents():
    assert rg.evaluate(GOLD, Words() | RunnableLambda(lambda found: found[:1]), "RR")["RR"] == 1.0


def test_a_vector_store_and_its_retriever():
    exact = {text: [d] for d, text in TEXTS.items()}  # the same text has the same vector

    for each in (store(), store().as_retriever(search_kwargs={"k": 2})):
        assert rg.evaluate(exact, each, "RR", k=2)["RR"] == 1.0
    assert rg.collect(list(exact), store(), k=2).collected.results == (2, 2, 2)
    assert rg.collect(list(exact), lambda q: store().similarity_search_with_score(q, k=3)).collected.failures == 0


def test_a_retriever_that_can_only_be_asked_asynchronously():
    class Later(Words):
        def _get_relevant_documents(self, query, *, run_manager):
            raise NotImplementedError

        async def _aget_relevant_documents(self, query, *, run_manager):
            await asyncio.sleep(0.001)
            return Words()._get_relevant_documents(query, run_manager=run_manager)

    for each in (Later(), Later().ainvoke):
        assert rg.collect(list(GOLD), each, concurrency=2).collected.outcomes == ("ok",) * 3
        assert rg.evaluate(GOLD, each, "RR")["RR"] == 1.0


def test_a_chain_that_gives_documents_as_the_context_of_a_question():
    chain = RunnablePassthrough() | {"context": Words(), "question": RunnablePassthrough()}

    assert rg.evaluate(GOLD, chain, "RR")["RR"] == 1.0


@pytest.mark.parametrize("size", [30, 60, 200])
def test_chunks_of_a_splitter_are_judged_by_the_same_spans(size: int):
    splitters = pytest.importorskip("langchain_text_splitters")
    splitter = splitters.RecursiveCharacterTextSplitter(chunk_size=size, chunk_overlap=size // 4, add_start_index=True)
    made = splitter.create_documents(list(PAGES.values()), metadatas=[{"source": name} for name in PAGES])
    for chunk in made:  # what a splitter says of its chunks is where they stand
        start = chunk.metadata["start_index"]
        assert PAGES[chunk.metadata["source"]][start : start + len(chunk.page_content)] == chunk.page_content

    class Chunks(BaseRetriever):
        def _get_relevant_documents(self, query, *, run_manager):
            return [made[i] for i in nearest(query, [chunk.page_content for chunk in made])]

    gold = rg.Spans({q: [text] for q, text in ANSWERS.items()}, documents=PAGES)
    ev = rg.evaluate(gold, Chunks(), ["SpanRecall", "SpanPrecision@1", "R"], queries={q: q for q in ANSWERS}, k=100)

    kept = {q: rg.collect({q: q}, Chunks(), 100, documents=PAGES).pieces[q] for q in ANSWERS}
    assert all({"doc_id", "start", "end"} <= set(entry) for each in kept.values() for entry in each)
    for q, answer in ANSWERS.items():  # by sets of characters
        (doc, at) = next((d, text.index(answer)) for d, text in PAGES.items() if answer in text)
        wanted = {(doc, i) for i in range(at, at + len(answer))}
        there = {(e["doc_id"], i) for e in kept[q] for i in range(e["start"], e["end"])}
        row = ev.query_ids.index(q)
        assert ev.per_query["SpanRecall"][row] == pytest.approx(len(wanted & there) / len(wanted))
    assert size < 200 or ev["R"] == 1
