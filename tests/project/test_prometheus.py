"""`rankgauge export prometheus`: what a scraper reads, and a dashboard that asks for nothing else."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from math import inf, isnan, nan
from pathlib import Path

import pytest
from small_project import GATE, HALF, PROJECT, WORSE, run_text

import rankgauge as rg
from command_line import rankgauge
from rankgauge.project.prometheus import grafana_dashboard, prometheus_text

Write = Callable[[str], Path]
Samples = dict[str, list[tuple[dict[str, str], float]]]
NAME = r"[a-zA-Z_:][a-zA-Z0-9_:]*"
LABEL = re.compile(r'([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\\\|\\"|\\n)*)"(?:,|$)')
ESCAPES = {"\\\\": "\\", '\\"': '"', "\\n": "\n"}


def parsed(text: str) -> Samples:
    """The text format, read strictly: every family with help and type before its samples, no series twice."""
    assert text.endswith("\n")
    out: Samples = {}
    family, seen = "", set()
    for line in text.removesuffix("\n").split("\n"):
        if found := re.fullmatch(rf"# (HELP|TYPE) ({NAME}) (.*)", line):
            if found[1] == "HELP":
                assert found[2] not in out
                family, out[found[2]] = found[2], []
            else:
                assert (found[2], found[3]) == (family, "gauge")
            continue
        sample = re.fullmatch(rf"({NAME})\{{(.*)\}} (NaN|[+-]Inf|[-+0-9.e]+)", line)
        assert sample is not None, line
        assert sample[1] == family
        labels, at = {}, 0
        for label in LABEL.finditer(sample[2]):
            assert label.start() == at, line
            at = label.end()
            labels[label[1]] = re.sub(r'\\\\|\\"|\\n', lambda m: ESCAPES[m[0]], label[2])
        assert at == len(sample[2]), line
        key = (family, *sorted(labels.items()))
        assert key not in seen
        seen.add(key)
        out[family].append((labels, float(sample[3].replace("Inf", "inf"))))
    return out


def test_value_interval_n_time_age_and_states(written: Write, folder: Path) -> None:
    project = written(PROJECT + GATE)
    rg.run_project(project, at="2026-11-02")
    (folder / "search.run").write_text(run_text(WORSE))
    rg.run_project(project, at="2026-11-09")

    with rg.History(folder / "history.db") as h:
        found = parsed(prometheus_text(h, at="2026-11-10"))
        entry = h.entries(kind="rankings", newest_first=True)[0]

    about = {"project": "shop", "system": "search", "dataset": "july"}
    of = {**about, "measure": "RR", "attribute": "", "part": ""}
    s = entry.summary("RR")
    assert s is not None
    assert found["rankgauge_value"] == [(of, 0.5)]
    assert found["rankgauge_n"] == [(of, 40.0)]
    assert [found[f"rankgauge_{end}"][0][1] for end in ("low", "high")] == [s.low, s.high]
    assert found["rankgauge_age_seconds"] == [({**about, "kind": "rankings"}, 86_400.0)]
    assert found["rankgauge_timestamp_seconds"] == [({**about, "kind": "rankings"}, entry.at.timestamp())]
    states = {labels["state"]: value for labels, value in found["rankgauge_gate_state"]}
    assert states == {"pass": 0.0, "fail": 1.0, "inconclusive": 0.0}
    incidents = {labels["state"]: value for labels, value in found["rankgauge_incident_state"]}
    assert incidents == {s: float(s == "fail") for s in incidents}
    assert found["rankgauge_entries"] == [({"project": "shop"}, 4.0)]


def test_labels_are_escaped_and_single_queries_are_not_there(tmp_path: Path) -> None:
    name = 'a"b\\c\nd{e}=,\r\u202e数'
    ev = rg.evaluate({"secret-query": {"a": 1}, "q2": {"a": 1}}, {"secret-query": ["a"], "q2": ["b"]}, "RR")
    with rg.History(tmp_path / "h.db") as h:
        h.add(ev, project=name, system=name, dataset=name)
        text = prometheus_text(h)

    (sample,) = parsed(text)["rankgauge_value"]
    assert sample[0]["system"] == name.replace("\r", " ")
    assert "secret-query" not in text


def test_a_value_that_is_none_is_nan_and_has_no_interval(tmp_path: Path) -> None:
    ev = rg.evaluate({"q": {"a": 0}}, {"q": ["a"]}, "nDCG@10")
    with rg.History(tmp_path / "h.db") as h:
        h.add(ev)
        found = parsed(prometheus_text(h))

    assert isnan(found["rankgauge_value"][0][1])
    assert "rankgauge_low" not in found


def test_numbers_as_the_format_writes_them() -> None:
    from rankgauge.project.prometheus import _number

    assert [_number(x) for x in (0.1 + 0.2, 1e-300, nan, inf, -inf, 40.0)] == [
        "0.30000000000000004",
        "1e-300",
        "NaN",
        "+Inf",
        "-Inf",
        "40.0",
    ]


def test_the_newest_of_every_system_and_dataset_however_old(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rankgauge.project.prometheus._PAGE", 2)
    with rg.History(tmp_path / "h.db") as h:
        for day, (system, rank) in enumerate([("old", 2), ("new", 1), ("new", 1), ("new", 1), ("new", 2)], 1):
            ev = rg.evaluate({"q": {"a": 1}}, {"q": ["a"] if rank == 1 else ["b", "a"]}, "RR")
            h.add(ev, system=system, dataset="d", at=f"2026-11-{day:02}")
        found = parsed(prometheus_text(h))

    assert {labels["system"]: value for labels, value in found["rankgauge_value"]} == {"old": 0.5, "new": 0.5}


def test_an_empty_store_is_an_empty_page(tmp_path: Path) -> None:
    with rg.History(tmp_path / "h.db") as h:
        assert prometheus_text(h) == ""
        assert len(h) == 0


def test_the_dashboard_asks_for_families_and_labels_that_there_are(written: Write, folder: Path) -> None:
    (folder / "search.run").write_text(run_text(HALF))
    project = written(PROJECT + GATE + '[systems.gone]\nrun = "gone.run"\n')
    rg.run_project(project)
    with rg.History(folder / "history.db") as h:
        found = parsed(prometheus_text(h))
    board = json.loads(grafana_dashboard())
    asked = [t["expr"] for p in board["panels"] for t in p["targets"]]
    asked += [v["query"]["query"] for v in board["templating"]["list"] if v["type"] == "query"]

    for expression in asked:
        for family, labels in re.findall(r"(rankgauge_\w+)(?:\{([^}]*)\})?", expression):
            assert family in found, expression
            known = found[family][0][0]
            assert set(re.findall(r"(\w+)(?:=~|!=|=)", labels)) <= set(known), expression
    ids = [p["id"] for p in board["panels"]]
    assert len(set(ids)) == len(ids) == 6
    assert all(p["description"] for p in board["panels"])


def test_the_command_writes_a_file_that_is_complete(written: Write, folder: Path) -> None:
    rg.run_project(written(PROJECT), at="2026-11-02")

    rankgauge("export", "prometheus", "history.db", "-o", "out.prom", "--at", "2026-11-03", cwd=folder)
    printed = rankgauge("export", "prometheus", "history.db", "--at", "2026-11-03", cwd=folder).stdout

    text = (folder / "out.prom").read_text(encoding="utf-8")
    assert text == printed
    assert parsed(text)["rankgauge_value"][0][1] == 0.75
    assert json.loads(rankgauge("export", "grafana", cwd=folder).stdout) == json.loads(grafana_dashboard())


def test_a_store_that_is_not_there_is_not_made(tmp_path: Path) -> None:
    rankgauge("export", "prometheus", "none.db", cwd=tmp_path, code=2)

    assert list(tmp_path.iterdir()) == []
