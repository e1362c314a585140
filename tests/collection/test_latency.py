"""Latency beside quality: means and percentiles, their intervals, and two systems paired by query."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest

import rankgauge as rg
from rankgauge._text import zh
from rankgauge.errors import ParameterError
from rankgauge.statistics.quantiles import quantile_interval

QUERIES = [f"question {i}" for i in range(200)]
GOLD = {q: ["a"] for q in QUERIES}


def run(seconds: np.ndarray, outcomes: dict[int, str] | None = None) -> rg.Run:
    """A run as if it had been asked, with these times."""
    outcomes = outcomes or {}
    made = rg.Run({q: {} if i in outcomes else ["a"] for i, q in enumerate(QUERIES)})
    made.collected = rg.Collected(
        retriever="r",
        k=20,
        concurrency=1,
        query_ids=tuple(QUERIES),
        outcomes=tuple(outcomes.get(i, "ok") for i in range(200)),
        starts=tuple(np.cumsum(seconds).tolist()),
        seconds=tuple(seconds.tolist()),
        attempts=(1,) * 200,
        errors=("",) * 200,
        results=tuple(0 if i in outcomes else 1 for i in range(200)),
    )
    return made


SECONDS = np.random.default_rng(3).exponential(0.02, 200)
MEASURES = ["RR", "latency", "latency.p50", "latency.p95", "LatencyQuantile(p=99)", "failures"]


def test_numbers_are_those_of_the_times():
    ev = rg.evaluate(GOLD, run(SECONDS), MEASURES)
    ms = sorted(1000 * SECONDS)

    assert ev["latency.mean"] == pytest.approx(sum(ms) / 200)
    assert ev["latency.p50"] == ms[99]
    assert ev["latency.p95"] == ms[189]
    assert ev["latency.p99"] == ms[197]
    assert ev["failures"] == 0
    assert ev.interval("latency.p95") == quantile_interval(np.array(ms), 0.95)
    assert ev.interval("latency.p99").high == math.inf  # 200 queries do not reach beyond it


def test_time_outs_count_with_their_time_and_errors_do_not():
    ev = rg.evaluate(GOLD, run(SECONDS, {0: "timeout", 1: "error"}), MEASURES)

    assert ev["failures"] == 2 / 200
    assert ev.n("latency") == 199
    assert ev["latency"] == pytest.approx(1000 * np.delete(SECONDS, 1).mean())
    assert ev["RR"] == 198 / 200


def test_slices_have_their_own_percentiles():
    half = {q: {"part": "a" if i < 100 else "b"} for i, q in enumerate(QUERIES)}
    ev = rg.evaluate(GOLD, run(SECONDS), ["latency.p50"], slices=half)
    found = {row["value"]: row["latency.p50"] for row in ev.slices.to_dicts()}

    assert found == {"a": sorted(1000 * SECONDS[:100])[49], "b": sorted(1000 * SECONDS[100:])[49]}


def test_they_are_stored_and_read_back(tmp_path):
    ev = rg.evaluate(GOLD, run(SECONDS, {1: "error"}), MEASURES)
    ev.to_json(tmp_path / "ev.json")
    again = rg.load(tmp_path / "ev.json")

    for m in MEASURES:
        assert again[m] == ev[m]
        assert again.interval(m) == ev.interval(m)
    assert json.loads((tmp_path / "ev.json").read_text())["measures"][3]["measure"] == "latency.p95"


def test_systems_are_paired_by_query():
    slower = SECONDS * 1.2 + 0.001
    c = rg.compare(GOLD, {"old": run(slower), "new": run(SECONDS)}, ["latency", "latency.p50", "latency.p95"])

    assert c.verdict("latency", "new") == "better"
    assert c.verdict("latency.p50", "new") == "better"  # 20% less, query by query
    x = c["latency.p50", "new"]
    assert x.difference == pytest.approx(sorted(1000 * SECONDS)[99] - sorted(1000 * slower)[99])
    assert c["latency", "new"].wins == 200  # the sign of the log ratio of each query
    assert any("Woodruff" in note for note in c.notes)


def test_a_gate_holds_a_percentile_to_a_limit(tmp_path):
    ev = rg.evaluate(GOLD, run(SECONDS), ["latency.p95"])
    from rankgauge.gate import at_least

    limit = ev["latency.p95"]
    assert at_least(ev, "latency.p95", limit + 1).outcome == "pass"
    assert at_least(ev, "latency.p95", limit - 1).outcome == "fail"


def test_a_recorded_run_has_no_times():
    with pytest.raises(ParameterError) as e:
        rg.evaluate(GOLD, {q: ["a"] for q in GOLD}, ["latency.p95", "failures"])
    assert "LatencyQuantile, Failures need times" in e.value.text
    assert "需要耗时" in zh(e.value.text)


def test_percentiles_have_no_weights():
    with pytest.raises(ParameterError, match="has no weights"):
        rg.evaluate(GOLD, run(SECONDS), "latency.p95", weights=dict.fromkeys(QUERIES, 2.0))


def test_a_percentile_has_one_kind_of_interval():
    with pytest.raises(ParameterError, match="order statistics"):
        rg.evaluate(GOLD, run(SECONDS), "latency.p95").interval("latency.p95", method="bootstrap")
