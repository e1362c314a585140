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
from live_questions import GOLD, TEXTS, ranked

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
