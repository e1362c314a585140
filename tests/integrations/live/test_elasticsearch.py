"""The clients of Elasticsearch and OpenSearch, against a server on this machine that answers as they do."""

from __future__ import annotations

import asyncio
import json
import threading
import time
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from live_questions import GOLD, TEXTS, ranked

import rankgauge as rg


class Server(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        words = body["query"]["multi_match"]["query"] if "multi_match" in body["query"] else body["query"]["match"]["t"]
        if words == "fail":
            return self.answer(500, {"error": {"type": "search_phase_execution_exception"}, "status": 500})
        if words == "hang":
            time.sleep(1)
        hits = [{"_index": "docs", "_id": d, "_score": s} for d, s in ranked(words)][: body["size"]]
        if body.get("_source", True):
            hits = [{**hit, "_source": {"text": TEXTS[hit["_id"]], "file": f"{hit['_id']}.md"}} for hit in hits]
        shards = {"total": 2, "successful": 1, "failed": 1} if words == "red" else {"total": 2, "failed": 0}
        found = {"total": {"value": len(hits), "relation": "eq"}, "hits": hits}
        return self.answer(200, {"took": 1, "timed_out": False, "_shards": shards, "hits": found})

    def answer(self, status, said):
        content = json.dumps(said).encode()
        self.send_response(status)
        self.send_header("Content-Type", self.headers.get("Accept", "application/json").split(",")[0])
        self.send_header("Content-Length", str(len(content)))
        self.send_header("X-Elastic-Product", "Elasticsearch")
        self.end_headers()
        with suppress(ConnectionError):  # who timed out is gone
            self.wfile.write(content)

    def log_message(self, *args): ...


@pytest.fixture
def address():
    server = ThreadingHTTPServer(("127.0.0.1", 0), Server)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


@pytest.fixture(params=["elasticsearch.Elasticsearch", "opensearchpy.OpenSearch"])
def client(request, address):
    package, _, name = request.param.partition(".")
    made = getattr(pytest.importorskip(package), name)(address, max_retries=0)
    yield made
    made.close()


ASYNCHRONOUS = ["elasticsearch.AsyncElasticsearch", "opensearchpy.AsyncOpenSearch"]


def test_a_client_with_its_index(client):
    ev = rg.evaluate(GOLD, (client, "docs"), ["RR", "R@10"])

    assert (ev["RR"], ev["R@10"], ev.run) == (1.0, 1.0, "docs")
    assert rg.collect(["red shoes"], (client, "docs"), k=1).collected.results == (1,)
    assert rg.collect(list(GOLD), (client, "docs"), concurrency=3).collected.failures == 0


@pytest.mark.parametrize(
    "body", [{"query": {"match": {"t": "{query}"}}}, lambda text: {"query": {"match": {"t": text}}, "_source": False}]
)
def test_a_query_of_ones_own(client, body):
    assert rg.evaluate(GOLD, (client, "docs", body), "RR")["RR"] == 1.0


def test_an_id_may_be_in_the_source(client):
    assert list(rg.collect(["warm boots"], (client, "docs"), id="file").to_dict()["warm boots"]) == ["d2.md"]


def test_failures_time_outs_and_partial_answers_are_counted(client):
    c = rg.collect(["red", "fail", "hang", "red shoes"], (client, "docs"), timeout=0.5).collected

    assert c.outcomes == ("ok", "error", "timeout", "ok")
    assert "500" in c.errors[1]
    assert c.odd == {"partial": 1}


@pytest.mark.parametrize("kind", ASYNCHRONOUS)
def test_an_asynchronous_client_is_asked_in_one_event_loop(address, kind):
    package, _, name = kind.partition(".")
    made = getattr(pytest.importorskip(package), name)(address, max_retries=0)
    for _ in range(2):
        c = rg.collect([*GOLD, "fail", "hang"], (made, "docs"), concurrency=3, timeout=0.5, warm_up=2).collected
        assert c.outcomes == ("ok", "ok", "ok", "error", "timeout")
    assert rg.evaluate(GOLD, (made, "docs"), "RR")["RR"] == 1.0

    async def notebook():
        return rg.evaluate(GOLD, (made, "docs"), "RR")["RR"]

    async def close(query):
        await made.close()

    assert asyncio.run(notebook()) == 1.0
    assert rg.collect(["close it where it is at home"], close).collected.failures == 0
