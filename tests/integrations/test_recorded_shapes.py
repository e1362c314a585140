"""Retrievers of other packages, as stand-ins that have what the real ones have (`live/` asks those)."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, HTTPServer
from types import SimpleNamespace
from typing import Any
from urllib.request import Request, urlopen

import numpy as np
import pandas as pd
import pytest

import rankgauge as rg
from rankgauge.integrations.retrievers import may_be_asked, recognised

TEXTS = {"d1": "red shoes", "d2": "warm boots", "d3": "red hat"}
GOLD = {"red shoes": ["d1"], "boots": ["d2"]}


def found(query: str) -> list[str]:
    """Documents that share a word with the query, in their order."""
    return [d for d, text in TEXTS.items() if set(query.split()) & set(text.split())]


# LangChain


@dataclass
class Document:
    page_content: str
    id: str | None = None
    metadata: dict[str, Any] = field(default_factory=dict)


class ChainRetriever:
    """A `BaseRetriever`: a runnable that can be invoked."""

    def invoke(self, query: str, config: Any = None) -> list[Document]:
        return [Document(TEXTS[d], d, {"source": f"{d}.md"}) for d in found(query)]

    async def ainvoke(self, query: str, config: Any = None) -> list[Document]:
        return self.invoke(query)

    def batch(self, queries: list[str]) -> list[list[Document]]:
        return [self.invoke(q) for q in queries]


class VectorStore:
    told: int = 0

    def similarity_search(self, query: str, k: int = 4) -> list[Document]:
        self.told = k
        return ChainRetriever().invoke(query)[:k]

    def as_retriever(self) -> ChainRetriever:
        return ChainRetriever()


# LlamaIndex


@dataclass
class Node:
    """A `NodeWithScore`, which passes on what its node has."""

    node_id: str
    score: float | None
    node: Any
    metadata: dict[str, Any] = field(default_factory=dict)


class IndexRetriever:
    def retrieve(self, query: str) -> list[Node]:
        return [Node(d, 1 / (i + 1), SimpleNamespace(ref_doc_id=f"file of {d}")) for i, d in enumerate(found(query))]

    async def aretrieve(self, query: str) -> list[Node]:
        return self.retrieve(query)


class Index:
    def as_retriever(self, similarity_top_k: int = 2) -> IndexRetriever:
        self.told = similarity_top_k
        return IndexRetriever()

    def as_query_engine(self) -> None: ...


# Haystack


class Component:
    __haystack_input__ = SimpleNamespace(_sockets_dict={"query": None, "top_k": None, "filters": None})

    def run(self, query: str, filters: Any = None, top_k: int = 10) -> dict[str, Any]:
        return {
            "documents": [SimpleNamespace(id=d, content=TEXTS[d], meta={}, score=None) for d in found(query)][:top_k]
        }


class Pipeline:
    """An embedder, a retriever that gets what it makes, and a ranker that wants the query again."""

    def add_component(self, name: str, component: Any) -> None: ...

    def inputs(self) -> dict[str, Any]:
        needed, not_needed = {"is_mandatory": True}, {"is_mandatory": False}
        return {
            "embedder": {"text": needed},
            "retriever": {"filters": not_needed, "top_k": not_needed},
            "ranker": {"query": needed, "top_k": not_needed},
        }

    def outputs(self, include_components_with_connected_outputs: bool = False) -> dict[str, Any]:
        inside = {"embedder": {"embedding": {}}, "retriever": {"documents": {}}}
        return {**(inside if include_components_with_connected_outputs else {}), "ranker": {"documents": {}}}

    def run(self, data: dict[str, Any], include_outputs_from: set[str]) -> dict[str, Any]:
        self.data = data
        assert include_outputs_from == {"retriever", "ranker"}
        documents = Component().run(data["ranker"]["query"])["documents"]
        return {
            "embedder": {"meta": {}},
            "retriever": {"documents": documents[::-1]},
            "ranker": {"documents": documents},
        }


# PyTerrier


class Transformer:
    def search(self, query: str, qid: str = "1", sort: bool = True) -> pd.DataFrame:
        rows = [(qid, d, float(-i), i, query) for i, d in enumerate(found(query))]
        return pd.DataFrame(rows, columns=["qid", "docno", "score", "rank", "query"])

    def transform(self, topics: pd.DataFrame) -> pd.DataFrame: ...

    def transform_iter(self, topics: Any) -> Any: ...

    def __call__(self, topics: pd.DataFrame) -> pd.DataFrame: ...


# Pyserini


class Searcher:
    def search(self, q: str, k: int = 10) -> list[Any]:
        return [SimpleNamespace(docid=d, score=np.float32(3 - i), lucene_docid=i) for i, d in enumerate(found(q))][:k]

    def batch_search(self, queries: list[str], qids: list[str], k: int = 10, threads: int = 1) -> dict[str, Any]: ...


# sentence-transformers


class Model:
    """Counts words of a small vocabulary."""

    def encode(self, sentences: list[str], **options: Any) -> np.ndarray:
        words = sorted({w for text in TEXTS.values() for w in text.split()})
        return np.array([[s.split().count(w) for w in words] for s in sentences], dtype=np.float32)


RETRIEVERS = {
    "LangChain retriever": ChainRetriever(),
    "LangChain vector store": VectorStore(),
    "LlamaIndex retriever": IndexRetriever(),
    "LlamaIndex index": Index(),
    "Haystack component": Component(),
    "Haystack pipeline": Pipeline(),
    "PyTerrier": Transformer(),
    "Pyserini": Searcher(),
    "sentence-transformers": (Model(), TEXTS),
}


@pytest.mark.parametrize("kind", RETRIEVERS)
def test_each_is_recognised_and_asked(kind):
    ev = rg.evaluate(GOLD, RETRIEVERS[kind], ["RR", "R@10"])

    assert (ev["RR"], ev["R@10"]) == (1.0, 1.0)
    assert "odd" not in " ".join(ev.notes)


def test_several_of_them_are_several_systems():
    found_ = rg.evaluate(GOLD, {"chain": ChainRetriever(), "dense": (Model(), TEXTS)}, "RR")

    assert list(found_) == ["chain", "dense"]


def test_ids_of_metadata_and_of_documents():
    assert rg.collect(["boots"], ChainRetriever(), id="source").to_dict() == {"boots": {"d2.md": 1.0}}
    assert rg.collect(["boots"], IndexRetriever(), id="ref_doc_id").to_dict() == {"boots": {"file of d2": 1.0}}


def test_those_that_can_are_told_how_many():
    store, index, pipeline = VectorStore(), Index(), Pipeline()
    for each in (store, index, pipeline):
        rg.collect(["red"], each, k=7)

    assert (store.told, index.told) == (7, 7)
    assert pipeline.data == {"embedder": {"text": "red"}, "ranker": {"query": "red", "top_k": 7}}


def test_a_corpus_is_embedded_once_and_ranked_by_cosine():
    class Counting(Model):
        calls = 0

        def encode(self, sentences: list[str], **options: Any) -> np.ndarray:
            self.calls += 1
            return super().encode(sentences)

    model = Counting()
    run = rg.collect(["red shoes", "red"], (model, list(TEXTS.values())), k=2)

    assert model.calls == 1 + 2
    assert run.to_dict()["red shoes"] == pytest.approx({"red shoes": 1.0, "red hat": 0.5})


# Elasticsearch and OpenSearch, over HTTP


class Server(BaseHTTPRequestHandler):
    """Answers `_search` as they do."""

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        query = body["query"]["multi_match"]["query"] if "multi_match" in body["query"] else body["query"]["match"]["t"]
        hits = [{"_index": "docs", "_id": d, "_score": 3.0 - i} for i, d in enumerate(found(query))][: body["size"]]
        said = json.dumps({"took": 1, "timed_out": False, "hits": {"total": {"value": len(hits)}, "hits": hits}})
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("X-Elastic-Product", "Elasticsearch")
        self.end_headers()
        self.wfile.write(said.encode())

    def log_message(self, *args: Any) -> None: ...


@pytest.fixture
def address() -> Iterator[str]:
    server = HTTPServer(("127.0.0.1", 0), Server)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


class Client:
    """A client with what the two real ones share."""

    indices = SimpleNamespace()

    def __init__(self, address: str) -> None:
        self._address = address

    def index(self, **document: Any) -> None: ...

    def search(self, *, index: str, body: dict[str, Any]) -> dict[str, Any]:
        request = Request(
            f"{self._address}/{index}/_search", json.dumps(body).encode(), {"Content-Type": "application/json"}
        )
        with urlopen(request, timeout=5) as answer:
            return json.load(answer)


@pytest.mark.parametrize(
    "query", [[], [{"query": {"match": {"t": "{query}"}}}], [lambda text: {"query": {"match": {"t": text}}}]]
)
def test_a_client_with_its_index_is_asked(address, query):
    ev = rg.evaluate(GOLD, (Client(address), "docs", *query), ["RR", "R@10"])

    assert (ev["RR"], ev["R@10"], ev.run) == (1.0, 1.0, "docs")


def test_a_server_that_is_gone_is_a_failure_of_each_query():
    c = rg.collect(["red", "boots"], (Client("http://127.0.0.1:9"), "docs")).collected

    assert c.failures == 2
    assert c.errors[0].startswith("URLError")


# what is none


@pytest.mark.parametrize(
    "given",
    [
        {"q1": {"d1": 1.0}},
        {"q1": ["d1", "d2"]},
        rg.Run({"q1": ["d1"]}),
        pd.DataFrame({"query_id": ["q"], "doc_id": ["d"], "score": [1.0]}),
        np.zeros((2, 3)),
        "run.txt",
        ["a.run", "b.run"],
        None,
    ],
)
def test_runs_are_not_asked(given):
    assert not may_be_asked(given)
    assert recognised(given) is None
