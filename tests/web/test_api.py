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


# what would break it for everybody


@pytest.mark.parametrize(
    "body",
    [
        '{"kind":"note","text":"x","data":{"x":NaN}}',
        '{"kind":"note","text":"x","data":{"x":1e999}}',
        '{"kind":"note","data":' + '{"a":' * 600 + "1" + "}" * 601,
        '{"kind":"baseline","data":{"since":"soon"}}',
        '{"kind":"tag","text":"ENTRY","entry":"ENTRY"}',
        '{"kind":"tag","text":"good","entry":"nothing"}',
        '{"kind":["note"]}',
        '{"kind":"note","at":5}',
        '{"kind":"note","project":5}',
        '{"kind":"note","who":null}',
    ],
)
def test_events_that_could_not_be_told_again_are_refused(program: TestClient, history: rg.History, body: str):
    key = history.entries()[0].id
    sent = body.replace("ENTRY", key)
    answer = program.post("/api/v1/events", content=sent, headers={"content-type": "application/json"})

    assert answer.status_code in (400, 404)
    assert answer.json()["error"] != answer.json()["error_zh"]
    assert program.get("/api/v1/events").json() == {"events": []}
    assert program.get(f"/api/v1/entries/{key}").json()["id"] == key


def test_a_run_of_a_project_is_told(program: TestClient):
    answer = program.post("/api/v1/events", json={"kind": "run", "text": "fine", "data": {"exit_code": 0}})

    assert answer.status_code == 201


@pytest.mark.parametrize(
    "wrong",
    [
        {"heads": {"q": 5}},
        {"heads": {"q00": "abc"}},
        {"heads": {"q00": ["ab"]}},
        {"heads": {"q00": [[1, 2]]}},
        {"heads": {"q00": [["a", {"x": 1}]]}},
        {"heads": {"q00": [["a", "x"]]}},
        {"heads": []},
        {"labels": ["a"]},
        {"project": 5},
        {"at": "soon"},
        {"at": 5},
    ],
    ids=str,
)
def test_what_would_break_a_page_is_refused(program: TestClient, history: rg.History, wrong: dict[str, Any]):
    answer = program.post("/api/v1/entries", json={"record": evaluated().to_dict(), **wrong})

    assert answer.status_code == 400
    assert len(history) == 4


def test_grades_that_are_no_numbers_are_refused(program: TestClient, history: rg.History):
    sent = json.dumps({"record": evaluated().to_dict(), "heads": {"q00": [["a", "GRADE"]]}})
    for grade in ("NaN", "1" + "0" * 400, "1e999", "true"):
        body = sent.replace('"GRADE"', grade)
        assert program.post("/api/v1/entries", content=body, headers=JSON).status_code == 400
    assert program.post("/api/v1/entries", content=sent.replace('"GRADE"', "null"), headers=JSON).status_code == 201


JSON = {"content-type": "application/json"}


@pytest.mark.parametrize("at", ["0001-01-01", "9999-12-31T23:59:59"])
def test_halves_of_characters_and_far_times_break_no_page(program: TestClient, history: rg.History, at: str):
    sent = {
        "record": evaluated().to_dict(),
        "project": "p",
        "system": "\ud800",
        "labels": {"a\ud800": "\x00"},
        "at": at,
    }
    answer = program.post("/api/v1/entries", content=json.dumps(sent), headers=JSON)
    entry = answer.json()

    assert (answer.status_code, entry["system"], entry["labels"]) == (201, r"\ud800", {r"a\ud800": r"\x00"})
    for path in (
        "/",
        "/trend?project=p",
        "/trend?project=p&window=52w",
        f"/entries/{entry['id']}",
        f"/query?query=q00&entry={entry['id']}",
        "/api/v1/query?query=q00&measure=RR",
    ):
        assert program.get(path).status_code == 200, path


@pytest.mark.parametrize("limit", ["1001", "0" * 12 + "9999999", "0" * 12 + "9" * 5000, "-1", "1.5", "x", "٣"])
def test_limits_that_are_none_are_refused(program: TestClient, limit: str):
    for path in ("entries", "events"):
        assert program.get(f"/api/v1/{path}", params={"limit": limit}).status_code == 400
    assert program.get("/entries", params={"page": limit + "0" * 7}).status_code == 400


def test_the_total_is_of_what_was_asked_for(program: TestClient, history: rg.History):
    assert program.get("/api/v1/entries", params={"version": "v2", "limit": 0}).json()["total"] == 1
    assert program.get("/api/v1/entries", params={"project": "nothing"}).json()["total"] == 0


def test_a_query_is_followed_by_labels(program: TestClient, history: rg.History):
    history.add(evaluated(5), project="shop", system="bm25", dataset="july", labels={"colour": "red"})
    asked = {"query": "q00", "measure": "RR", "label.colour": "red"}

    assert len(program.get("/api/v1/query", params=asked).json()["values"]) == 1
