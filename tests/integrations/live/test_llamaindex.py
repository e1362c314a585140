"""LlamaIndex: a retriever of one's own, and an index."""

from __future__ import annotations

import asyncio

import pytest

pytest.importorskip("llama_index.core")

from live_questions import ANSWERS, GOLD, PAGES, TEXTS, nearest, ranked
from llama_index.core import MockEmbedding, VectorStoreIndex
from llama_index.core.llms import MockLLM
from llama_index.core.postprocessor import SimilarityPostprocessor
from llama_index.core.query_engine import RetrieverQueryEngine
from llama_index.core.retrievers import BaseRetriever, QueryFusionRetriever
from llama_index.core.schema import NodeRelationship, NodeWithScore, RelatedNodeInfo, TextNode

import rankgauge as rg

NODES = {
    d: TextNode(id_=d, text=text, relationships={NodeRelationship.SOURCE: RelatedNodeInfo(node_id=f"file {d}")})
    for d, text in TEXTS.items()
}


class Words(BaseRetriever):
    def _retrieve(self, query_bundle):
        return [NodeWithScore(node=NODES[d], score=s) for d, s in ranked(query_bundle.query_str)]


def test_a_retriever():
    assert rg.evaluate(GOLD, Words(), "RR")["RR"] == 1.0
    assert next(iter(rg.collect(["red shoes"], Words(), id="ref_doc_id").to_dict()["red shoes"])) == "file d1"


def test_nodes_without_scores():
    class NoScores(Words):
        def _retrieve(self, query_bundle):
            return [NodeWithScore(node=NODES[d]) for d, _ in ranked(query_bundle.query_str)]

    run = rg.collect(list(GOLD), NoScores())

    assert run.collected.odd == {}
    assert rg.evaluate(GOLD, run, "RR")["RR"] == 1.0


def test_an_index_is_asked_for_k_nodes():
    index = VectorStoreIndex(list(NODES.values()), embed_model=MockEmbedding(embed_dim=4))

    assert rg.collect(list(GOLD), index, k=2).collected.results == (2, 2, 2)


def test_a_query_engine_is_asked_for_what_it_answers_from():
    enough = SimilarityPostprocessor(similarity_cutoff=2)
    engine = RetrieverQueryEngine.from_args(Words(), llm=MockLLM(), node_postprocessors=[enough])
    expected = {query: {d: s for d, s in ranked(query) if s >= 2} for query in GOLD}

    assert rg.collect(list(GOLD), engine).to_dict() == expected
    assert rg.collect(list(GOLD), engine.query).to_dict() == expected


def test_a_retriever_with_tasks_of_its_own_inside_and_outside_of_an_event_loop():
    fused = QueryFusionRetriever([Words(), Words()], llm=MockLLM(), num_queries=1, use_async=True)

    async def notebook():
        return rg.collect(list(GOLD), fused)

    assert rg.collect(list(GOLD), fused, concurrency=2, timeout=10).collected.failures == 0
    assert asyncio.run(notebook()).collected.failures == 0
    assert rg.collect(list(GOLD), Words().aretrieve, concurrency=3).collected.failures == 0


@pytest.mark.parametrize("size", [12, 40])
def test_nodes_of_a_splitter_are_judged_by_the_same_spans(size: int):
    from llama_index.core import Document
    from llama_index.core.node_parser import TokenTextSplitter

    splitter = TokenTextSplitter(chunk_size=size, chunk_overlap=0, tokenizer=str.split, include_metadata=False)
    made = splitter.get_nodes_from_documents([Document(id_=name, text=text) for name, text in PAGES.items()])
    for node in made:  # offsets, or None where it cannot say them
        assert (
            node.start_char_idx is None or PAGES[node.ref_doc_id][node.start_char_idx : node.end_char_idx] == node.text
        )

    class Nodes(BaseRetriever):
        def _retrieve(self, query_bundle):
            return [NodeWithScore(node=made[i]) for i in nearest(query_bundle.query_str, [node.text for node in made])]

    gold = rg.Spans({q: [text] for q, text in ANSWERS.items()}, documents=PAGES)
    ev = rg.evaluate(gold, Nodes(), ["SpanRecall", "SpanPrecision@1"], queries={q: q for q in ANSWERS}, k=100)

    whole = {"".join(PAGES[n.ref_doc_id].split()) for n in made}
    assert whole == {"".join(text.split()) for text in PAGES.values()}
    assert ev["SpanRecall"] > 0.9  # all nodes are retrieved; blanks between two of them are in none
    assert rg.collect(list(ANSWERS), Nodes(), documents=PAGES).collected.odd == {}
