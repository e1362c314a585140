"""The interface for programs: the same resources, as JSON, as its own document says."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from dashboards import TestClient, evaluated

import rankgauge as rg
from rankgauge.web.openapi import document


def test_the_document_describes_every_address(program: TestClient):
    described = {(path, method.upper()) for path, about in document()["paths"].items() for method in about}
    inner = program.app.app.routes
    there = {
        (route.path.removeprefix("/api/v1"), method)
        for route in inner
        if route.path.startswith("/api/v1/")
        for method in route.methods - {"HEAD"}
    }

    assert described | {("/openapi.json", "GET")} == there
    assert program.get("/api/v1/openapi.json").json() == json.loads(json.dumps(document()))


def test_every_reference_of_the_document_is_there():
    told = document()
    named = re.findall(r'"#/components/schemas/(\w+)"', json.dumps(told))

    assert set(named) == set(told["components"]["schemas"])


def test_answers_have_the_shape_that_is_promised(program: TestClient, history: rg.History):
    entry = history.entries(limit=1)[0]
    history.event("note", "seen", project="shop", entry=entry.id)
    schemas = document()["components"]["schemas"]
    told = program.get(f"/api/v1/entries/{entry.id}").json()
    event = program.get("/api/v1/events").json()["events"][0]

    assert set(told) == set(schemas["Entry"]["properties"])
    assert set(told["summaries"][0]) == set(schemas["Summary"]["properties"])
    assert set(event) == set(schemas["Event"]["properties"])


def test_entries_are_filtered_and_paged(program: TestClient, history: rg.History):
    every = [e.id for e in history.entries()]

    def ids(**asked: Any) -> list[str]:
        return [e["id"] for e in program.get("/api/v1/entries", params=asked).json()["entries"]]

    assert ids() == every
    assert ids(newest_first="true", limit=2) == every[:-3:-1]
    assert ids(limit=2, skip=1) == every[1:3]
    assert ids(version="v2") == every[2:3]
    assert ids(project="nothing") == []
    assert ids(since="2026-09-15", until="2026-09-22") == every[2:3]
    assert ids(kind=["gate", "rankings"]) == every
    for wrong in ({"limit": "1001"}, {"limit": "-1"}, {"limit": "x"}, {"since": "soon"}):
        assert program.get("/api/v1/entries", params=wrong).status_code == 400


def test_a_record_that_is_pushed_is_the_one_that_was_made(program: TestClient, history: rg.History):
    ev = evaluated(5)
    sent = {
        "record": ev.to_dict(),
        "project": "shop",
        "system": "new",
        "at": "2026-10-05T06:00",
        "labels": {"branch": "x"},
    }
    answer = program.post("/api/v1/entries", json=sent)
    again = program.post("/api/v1/entries", json=sent)
    entry = history[answer.json()["id"]]

    assert (answer.status_code, again.json()["id"], len(history)) == (201, entry.id, 5)
    assert entry.labels == {"branch": "x"}  # not where the server is
    assert entry.summary("RR").value == ev["RR"]
    assert entry.record.to_dict() == ev.to_dict()


@pytest.mark.parametrize(
    "sent",
    [
        {},
        {"record": []},
        {"record": {"kind": "rankings"}},
        {"record": {"kind": "zebra", "schema": 1}},
        {"record": {}, "labels": "x"},
        {"record": {}, "project": 5},
        [],
    ],
    ids=str,
)
def test_what_is_no_record_is_refused(program: TestClient, history: rg.History, sent: Any):
    answer = program.post("/api/v1/entries", json=sent)

    assert answer.status_code in (400, 404)
    assert answer.json()["error"]
    assert len(history) == 4


@pytest.mark.parametrize("body", [b"", b"{", b"[" * 100_000, b"\xff", b"null"])
def test_what_is_no_json_is_refused(program: TestClient, body: bytes):
    for path in ("/entries", "/events"):
        answer = program.post(f"/api/v1{path}", content=body, headers={"content-type": "application/json"})

        assert answer.status_code == 400
    assert program.post("/api/v1/events", content=b"{}").status_code == 415


def test_events_of_unknown_kinds_are_refused(program: TestClient):
    assert program.post("/api/v1/events", json={"kind": "zebra"}).status_code == 400
    assert program.post("/api/v1/events", json={"kind": "note", "data": []}).status_code == 400
    assert program.post("/api/v1/events", json={"kind": "note", "text": "x"}).status_code == 201
