"""The clients of Elasticsearch and OpenSearch, against a server on this machine that answers as they do."""

from __future__ import annotations

import json
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest
from live_questions import GOLD, ranked

import rankgauge as rg


class Server(BaseHTTPRequestHandler):
    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        hits = [{"_index": "docs", "_id": d, "_score": s} for d, s in ranked(body["query"]["multi_match"]["query"])]
        said = {"took": 1, "timed_out": False, "hits": {"total": {"value": len(hits)}, "hits": hits[: body["size"]]}}
        self.send_response(200)
        self.send_header("Content-Type", self.headers.get("Accept", "application/json").split(",")[0])
        self.send_header("X-Elastic-Product", "Elasticsearch")
        self.end_headers()
        self.wfile.write(json.dumps(said).encode())

    def log_message(self, *args): ...


@pytest.fixture
def port():
    server = HTTPServer(("127.0.0.1", 0), Server)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield server.server_port
    server.shutdown()
    server.server_close()


@pytest.mark.parametrize("package", ["elasticsearch", "opensearchpy"])
def test_a_client_with_its_index(port, package):
    module = pytest.importorskip(package)
    address = f"http://127.0.0.1:{port}"
    client = module.Elasticsearch(address) if package == "elasticsearch" else module.OpenSearch(address)
    ev = rg.evaluate(GOLD, (client, "docs"), ["RR", "R@10"])

    assert (ev["RR"], ev["R@10"], ev.run) == (1.0, 1.0, "docs")
    client.close()
