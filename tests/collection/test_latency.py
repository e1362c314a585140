"""Latency beside quality: means and percentiles, their intervals, and two systems paired by query."""

from __future__ import annotations

import json
import math
from dataclasses import replace

import numpy as np
import pytest

import rankgauge as rg
from rankgauge._text import zh
from rankgauge.errors import ParameterError
from rankgauge.reporting.page.gathering import gather
from rankgauge.statistics.intervals import t_interval
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


def test_no_failure_is_not_certain_to_stay_so():
    ev = rg.evaluate(GOLD, run(SECONDS), "failures")

    assert ev.interval("failures") == (0.0, pytest.approx(1.96**2 / (200 + 1.96**2), abs=1e-5))
    assert (
        rg.evaluate(GOLD, run(SECONDS, dict.fromkeys(range(200), "error")), "failures").interval("failures").high == 1.0
    )


@pytest.mark.parametrize("p", [0, 100, -5, 250, float("nan")])
def test_percentiles_are_between_0_and_100(p):
    with pytest.raises(ParameterError, match="`p` must be"):
        run(SECONDS).collected.latency(p)


def test_numbers_of_the_record_are_those_of_naive_sums():
    c = run(SECONDS, {0: "timeout", 1: "error", 2: "empty"}).collected
    timed = sorted(s for i, s in enumerate(SECONDS.tolist()) if i != 1)
    rows = {row["latency"]: row for row in c.summary()}

    assert c.failures == 2
    assert rows["mean"]["ms"] == pytest.approx(1000 * sum(timed) / 199)
    for p, place in ((50, 100), (95, 190), (99, 198)):  # ⌈199 · 0.5⌉, ⌈199 · 0.95⌉, ⌈199 · 0.99⌉
        assert rows[f"p{p}"]["ms"] == pytest.approx(1000 * timed[place - 1])
        assert c.latency(p)[0] == timed[place - 1]
    ends = [start + seconds for start, seconds in zip(c.starts, c.seconds, strict=True)]
    assert c.throughput == pytest.approx(200 / (max(ends) - min(c.starts)))


@pytest.mark.parametrize(("n", "said"), [(100, 0.91), (1000, 0.94)])
def test_a_mean_of_long_tailed_times_is_less_certain_than_its_interval_says(n, said):
    rng = np.random.default_rng(3)
    truth = math.exp(0.5)  # the mean of exp(x), x normal with σ = 1
    held = [low <= truth <= high for low, high in (t_interval(rng.lognormal(0, 1, n)) for _ in range(3000))]

    assert np.mean(held) == pytest.approx(said, abs=0.012)


# in the report


def _of_known_times(ms: float, rank: int, n: int) -> rg.Run:
    """The wanted document at one rank, within so many milliseconds and up to a tenth more."""
    others = [f"x{i}" for i in range(5)]
    run = rg.collect(
        {f"q{i}": f"question {i}" for i in range(n)},
        lambda q: [*others[: rank - 1], "a", *others[rank - 1 : 3 + hash(q) % 2]],
        name=f"{ms}",
    )
    assert run.collected is not None
    run.collected = replace(run.collected, seconds=tuple(ms / 1000 * (1 + (i % 20) / 200) for i in range(n)))
    return run


@pytest.mark.parametrize(("n", "label"), [(80, "latency.p95"), (30, "latency")])
def test_the_report_holds_quality_against_latency_where_nobody_asked_for_it(n: int, label: str):
    qrels = {f"q{i}": ["a"] for i in range(n)}
    runs = {"quick": _of_known_times(5, 2, n), "good": _of_known_times(20, 1, n), "poor": _of_known_times(30, 3, n)}

    story = gather(rg.compare(qrels, runs, ["RR"]), language="en", title=None)

    found = story.tradeoff
    assert found is not None
    assert found.measures == ["RR", label]
    assert found.directions == {"RR": 1, label: -1}
    assert {name: found.standing(name) for name in runs} == {
        "quick": "undominated",
        "good": "undominated",
        "poor": "dominated",
    }
    page = rg.report(rg.compare(qrels, runs, ["RR"]))
    assert page.count('class="hollow') == 1
    assert '<section id="tradeoff">' in page


def test_what_was_asked_for_is_not_asked_again_and_recorded_runs_have_no_times():
    qrels = {f"q{i}": ["a"] for i in range(30)}
    runs = {"quick": _of_known_times(5, 2, 30), "good": _of_known_times(20, 1, 30)}

    asked = gather(rg.compare(qrels, runs, ["RR", "latency.p50"]), language="en", title=None).tradeoff
    assert asked is not None
    assert asked.measures == ["RR", "latency.p50"]
    recorded = {name: run.to_dict() for name, run in runs.items()}
    assert gather(rg.compare(qrels, recorded, ["RR"]), language="en", title=None).tradeoff is None
    mixed = {"quick": runs["quick"], "good": recorded["good"]}
    assert gather(rg.compare(qrels, mixed, ["RR"]), language="en", title=None).tradeoff is None


def test_a_measure_in_which_all_are_equal_is_not_weighed():
    qrels = {f"q{i}": ["a"] for i in range(30)}
    runs = {"quick": _of_known_times(5, 2, 30), "good": _of_known_times(20, 1, 30)}

    found = gather(rg.compare(qrels, runs, ["RR", "failures", "latency"]), language="en", title=None).tradeoff

    assert found is not None
    assert found.measures == ["RR", "latency"]
