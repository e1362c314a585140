"""Rules of a project file in the dashboard: judged once for each state of the history."""

from __future__ import annotations

import pytest
from dashboards import START, TOKEN, TestClient, access, evaluated

import rankgauge as rg
from rankgauge.web import judged
from rankgauge.web.app import app


@pytest.fixture
def watching(history: rg.History):
    rules = {"shop": rg.AlertRules(release=(rg.ReleaseRule(measures=("nDCG@10",)),))}
    made = app(history, access=access(), rules=rules)
    with TestClient(made, base_url="http://127.0.0.1:8765", follow_redirects=False) as client:
        client.get("/", params={"token": TOKEN})
        yield client


def test_states_are_those_of_the_rules(watching: TestClient, history: rg.History):
    fourth = history.entries()[3]
    rg.acknowledge(history, fourth, "new guideline", "Ana")
    assert "fine" in watching.get("/").text
    history.add(evaluated(30, 0), project="shop", system="bm25", dataset="july", at="2026-10-05")
    page = watching.get("/").text

    assert 'class="system neg"' in page
    assert "alert" in watching.get("/alerts").text
    assert "compare with the baseline" in watching.get("/alerts").text


def test_nothing_is_judged_twice(watching: TestClient, history: rg.History, monkeypatch: pytest.MonkeyPatch):
    asked: list[str] = []
    honest = judged.alerts
    monkeypatch.setattr(judged, "alerts", lambda *a, **k: asked.append(k["project"]) or honest(*a, **k))
    for _ in range(3):
        watching.get("/")
    history.add(evaluated(1), project="shop", system="bm25", dataset="july", at=START)
    watching.get("/")

    assert asked == ["shop", "shop"]


def test_states_are_told_by_events_where_nobody_judges(visitor: TestClient, history: rg.History):
    data = {"key": "gate\tjuly\tbm25", "state": "fail", "zh": "未通过"}
    history.event("alert", "worse than before", project="shop", data=data, at="2026-09-01")
    assert "gate failed" in visitor.get("/").text
    history.event("alert", "as before", project="shop", data={**data, "state": "recovered"}, at="2026-09-02")

    assert "recovered" in visitor.get("/").text
    assert "未通过" in visitor.get("/alerts", params={"language": "zh"}).text
