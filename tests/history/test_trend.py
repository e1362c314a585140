"""Numbers over time: what is held together, and what is not."""

from __future__ import annotations

from math import isnan, nan
from pathlib import Path

import numpy as np
import pytest
from scipy import stats

import rankgauge as rg
from rankgauge._text import LANGUAGES
from rankgauge.errors import ParameterError, UnknownName
from rankgauge.reporting.bars import spark_line

from .years import evaluated, fresh, same, week

Q = [f"q{i}" for i in range(20)]
OLD = {q: 1.0 if i % 2 else 0.5 for i, q in enumerate(Q)}
NEW = {**OLD, "q1": 0.0, "q2": 1.0, "q3": 0.0}


@pytest.fixture
def history(tmp_path: Path) -> rg.History:
    return rg.History(tmp_path / "history.db")


def test_points_are_what_was_measured(history: rg.History):
    entries = same(history, [OLD, NEW])

    s = history.trend()["RR"]

    assert [p.entry for p in s.points] == [e.id for e in entries]
    assert [p.value for p in s.points] == pytest.approx([15 / 20, (15 - 2 + 0.5) / 20])
    assert [p.n for p in s.points] == [20, 20]
    low, high = stats.t.interval(0.95, 19, 0.75, np.std(list(OLD.values()), ddof=1) / 20**0.5)
    assert (s.points[0].low, s.points[0].high) == pytest.approx((low, high))


def test_changes_are_paired_over_common_queries(history: rg.History):
    a, b = same(history, [OLD, NEW])

    c = rg.trend(history)["RR"].newest.since_previous

    d = np.array([NEW[q] - OLD[q] for q in Q])
    low, high = stats.t.interval(0.95, 19, d.mean(), d.std(ddof=1) / 20**0.5)
    assert c is not None
    assert (c.entry, c.n) == (a.id, 20)
    assert (c.change, c.low, c.high) == pytest.approx((d.mean(), low, high))
    assert b.id == rg.trend(history)["RR"].newest.entry


def test_other_queries_break_the_line_and_the_rest_is_still_paired(history: rg.History):
    other = {**{q: NEW[q] for q in Q[:12]}, "n1": 1.0, "n2": 0.0}
    same(history, [OLD, OLD, other, other])

    s = history.trend()["RR"]

    assert [p.breaks for p in s.points] == [(), (), ("queries", "judgements"), ()]
    assert [list(part) for part in s.parts] == [[0, 1], [2, 3]]
    across = s.points[2].since_previous
    assert across is not None
    assert across.n == 12
    assert across.change == pytest.approx(np.mean([NEW[q] - OLD[q] for q in Q[:12]]))
    assert "break" in s.sentence
    assert "other queries" in s.sentence


def test_another_policy_breaks_the_line_and_pairs_nothing(history: rg.History):
    history.add(evaluated(OLD), system="s", dataset="d", at=week(0))
    history.add(evaluated(OLD, unjudged="remove"), system="s", dataset="d", at=week(1))

    s = history.trend()["RR"]

    assert s.points[1].breaks == ("policy",)
    assert s.points[1].since_previous is None


def test_another_definition_breaks_the_line(history: rg.History):
    qrels = {q: {"a": 2, "b": 1} for q in Q}
    run = {q: ["b", "a"] for q in Q}
    for w, measure in enumerate(["nDCG@3", "nDCG(gain=exponential)@3"]):
        ev = rg.evaluate(qrels, run, measure)
        history.add(ev, system="s", dataset="d", at=week(w))

    both = history.trend()

    assert [s.measure for s in both.series] == ["nDCG@3", "nDCG(gain=exponential)@3"]
    assert all(len(s.points) == 1 for s in both.series)


def test_fresh_queries_at_every_point_are_a_stream_without_breaks(history: rg.History):
    fresh(history, [0.6] * 8)

    s = history.trend()["RR"]

    assert s.is_stream
    assert [p.breaks for p in s.points] == [()] * 8
    assert s.newest.since_previous is not None
    assert s.newest.since_previous.n == 0
    assert "fresh queries at every point" in s.sentence
    assert "not paired" in s.sentence


@pytest.mark.parametrize("sets", ["window", "growing", "turns"])
def test_sets_that_share_queries_break_at_every_point(history: rg.History, sets: str):
    places = {
        "window": [range(w, w + 8) for w in range(9)],
        "growing": [range(w + 8) for w in range(9)],
        "turns": [range(8 * (w % 2), 8 * (w % 2) + 8) for w in range(9)],
    }[sets]
    same(history, [{f"q{i}": 1.0 if i % 3 else 0.5 for i in some} for some in places])

    s = history.trend()["RR"]

    assert not s.is_stream
    assert [p.breaks for p in s.points] == [(), *[("queries", "judgements")] * 8]
    assert "fresh" not in s.sentence
    assert "8 breaks" in s.sentence
    change = s.newest.since_previous
    assert change is not None
    assert change.n == {"window": 7, "growing": 15, "turns": 0}[sets]


def test_a_few_common_queries_are_no_pairs_of_a_stream(history: rg.History):
    rng = np.random.default_rng(1)
    for w in range(5):
        names = [f"w{w}q{i}" for i in range(39)] + ["always"]
        history.add(evaluated({q: float(rng.random() < 0.7) for q in names}), system="s", dataset="d", at=week(w))

    s = history.trend()["RR"]

    assert s.is_stream
    assert [p.breaks for p in s.points] == [()] * 5
    assert s.newest.since_previous is not None
    assert s.newest.since_previous.n == 0
    assert "fresh queries at every point, but for a few that an earlier one has" in s.sentence


def test_a_stream_evaluated_again_is_still_a_stream_with_its_step(history: rg.History):
    fresh(history, [0.9] * 10 + [0.4] * 10, n=100)
    before = history.trend()["RR"]
    (again,) = fresh(history, [0.3], n=100, seed=5, start=19, version="again")

    s = history.trend()["RR"]

    assert s.is_stream
    assert not any(p.breaks for p in s.points)
    assert [x.place for x in s.steps] == [x.place for x in before.steps]
    assert s.newest.entry == again.id or s.points[-2].entry == again.id
    assert s.newest.since_previous is not None
    assert s.newest.since_previous.n == 100
    assert "some points look at those of the one before again" in s.sentence


def test_only_the_newest_points_of_a_long_stream_are_said_to_be_fresh(history: rg.History):
    fresh(history, [0.6] * 8, n=5)

    assert "fresh queries at the newest points" in history.trend(paired=4)["RR"].sentence


def test_queries_that_were_judged_anew_are_not_held_together(history: rg.History):
    run = {q: ["a", "b"] for q in Q}
    for w, item in enumerate("abb"):
        history.add(rg.evaluate({q: {item: 1} for q in Q}, run, "RR"), system="s", dataset="d", at=week(w))

    s = history.trend()["RR"]

    assert s.points[1].breaks == ("judgements",)
    assert s.points[1].since_previous is None
    assert s.newest.since_previous is not None
    assert s.newest.since_baseline is None


def test_weeks_without_a_change_make_no_step_of_a_small_one(history: rg.History):
    rng = np.random.default_rng(6)
    values = [{q: float(v) for q, v in zip(Q, rng.choice([0.0, 0.5, 1.0], 20), strict=True)} for _ in range(5)]
    same(history, [values[k] for k in (0, 0, 0, 1, 1, 1, 2, 2, 3, 3, 4)])

    assert history.trend()["RR"].steps == []


def test_points_before_the_baseline_are_not_held_against_it(history: rg.History):
    _, b, _ = same(history, [OLD, NEW, OLD])

    points = history.trend(baseline=b.id)["RR"].points

    assert [p.since_baseline is None for p in points] == [True, True, False]


def test_a_trend_until_a_day_knows_no_later_baseline(history: rg.History):
    a, _, c = same(history, [OLD, NEW, OLD])
    rg.acknowledge(history, c.id, "as it should be", at=week(2))

    assert history.trend(until=week(1))["RR"].baseline == a.id


def test_unpaired_changes_have_the_errors_of_both(history: rg.History):
    a, b, _ = fresh(history, [0.6, 0.5, 0.5])

    c = history.trend()["RR"].points[1].since_previous

    assert c is not None
    x, y = (e.summary("RR") for e in (a, b))
    half = stats.norm.ppf(0.975) * (x.error**2 + y.error**2) ** 0.5
    assert (c.change, c.low, c.high) == pytest.approx(
        (y.value - x.value, y.value - x.value - half, y.value - x.value + half)
    )


def test_a_few_equal_values_give_an_unpaired_change_no_interval(history: rg.History):
    for w in range(3):
        history.add(evaluated({f"w{w}a": 1.0, f"w{w}b": 1.0}), system="s", dataset="d", at=week(w))

    c = history.trend()["RR"].newest.since_previous

    assert c is not None
    assert (c.change, c.n) == (0.0, 0)
    assert isnan(c.low)
    assert isnan(c.high)


def test_baseline_is_the_first_point_unless_acknowledged_or_tagged_or_said(history: rg.History):
    a, b, c = same(history, [OLD, NEW, OLD])
    assert history.trend()["RR"].baseline == a.id

    history.tag(b.id, "baseline")
    assert history.trend()["RR"].baseline == b.id

    rg.acknowledge(history, c.id, "as it should be", "Ana")
    assert history.trend()["RR"].baseline == c.id
    assert history.trend(baseline=a.id)["RR"].baseline == a.id
    found = history.trend(baseline=a.id)["RR"].points[1].since_baseline
    assert found is not None
    assert found.change == pytest.approx(np.mean([NEW[q] - OLD[q] for q in Q]))


def test_slices_are_followed_with_their_own_pairs(history: rg.History):
    where = {q: {"device": "phone" if i < 8 else "desk"} for i, q in enumerate(Q)}
    for w, values in enumerate([OLD, NEW]):
        history.add(evaluated(values, slices=where), system="s", dataset="d", at=week(w))

    found = history.trend(slices="device")

    assert [s.slice for s in found.series] == ["", "device=desk", "device=phone"]
    phone = found.series[2]
    assert phone.newest.n == 8
    c = phone.newest.since_previous
    assert c is not None
    assert (c.n, c.change) == (8, pytest.approx(np.mean([NEW[q] - OLD[q] for q in Q[:8]])))
    assert [s.slice for s in history.trend().series] == [""]


def test_predictions_are_followed(history: rg.History):
    rng = np.random.default_rng(2)
    for day in range(4):
        p = rng.uniform(0.05, 0.6, 400)
        rows = {"label": (rng.random(400) < p).astype(int), "score": p}
        ev = rg.evaluate_predictions(rows, ["COPC", "AUC", "LogLoss"])
        history.add(ev, system="model", dataset="log", at=f"2026-03-0{day + 1}")

    found = history.trend()

    assert [s.measure for s in found.series] == ["COPC", "AUC", "LogLoss"]
    assert [s.direction for s in found.series] == [0, 1, -1]
    assert all(len(s.points) == 4 for s in found.series)
    assert found["AUC"].newest.since_previous is not None
    assert found["AUC"].newest.since_previous.n == 0


def test_latency_and_failures_of_live_collection_are_followed(history: rg.History):
    def ask(q: str) -> list[str]:
        return ["a"] if q != "bad" else []

    for w in range(2):
        got = rg.collect({"q1": "good", "q2": "bad"}, ask)
        history.add(got.collected, system="live", dataset="d", at=week(w))

    found = history.trend()

    assert "latency p95" in [s.measure for s in found.series]
    assert {s.direction for s in found.series} == {-1}


def test_one_point_and_none(history: rg.History):
    assert str(history.trend()).startswith("Nothing over time yet")
    assert history.trend().series == []

    same(history, [OLD])
    s = history.trend()["RR"]

    assert s.newest.since_previous is s.newest.since_baseline is None
    assert "the only point so far" in s.sentence
    assert str(history.trend())


def test_one_query_has_a_value_and_no_interval(history: rg.History):
    same(history, [{"q": 1.0}, {"q": 0.5}])

    s = history.trend()["RR"]

    assert isnan(s.newest.low)
    c = s.newest.since_previous
    assert c is not None
    assert (c.change, c.n) == (-0.5, 1)
    assert isnan(c.low)
    assert "nan" not in str(history.trend()).lower()


def test_equal_times_are_two_points(history: rg.History):
    for values in (OLD, NEW):
        history.add(evaluated(values), system="s", dataset="d", at=week(0))

    assert len(history.trend()["RR"].points) == 2
    assert rg.plot(history.trend())


def test_what_is_not_evaluated_is_no_series(history: rg.History):
    same(history, [OLD])

    assert history.trend(measures="nDCG@10").series == []
    with pytest.raises(UnknownName, match=r"no series of 'nDCG@10'"):
        history.trend()["nDCG@10"]
    with pytest.raises(ParameterError, match="at least one measure"):
        history.trend(measures=[])


def test_filters(history: rg.History):
    same(history, [OLD, NEW, OLD], project="a")
    same(history, [OLD], project="b", system="other")

    assert [s.system for s in history.trend().series] == ["bm25", "other"]
    assert [s.project for s in history.trend(project="b").series] == ["b"]
    assert [s.system for s in history.trend(system="bm25").series] == ["bm25"]
    assert len(history.trend(project="a", since=week(1))["RR"].points) == 2
    assert len(history.trend(project="a", until=week(1))["RR"].points) == 2


def test_only_newest_changes_are_worked_out(history: rg.History):
    same(history, [OLD, NEW, OLD, NEW])

    points = history.trend(paired=1)["RR"].points

    assert [p.since_previous is None for p in points] == [True, True, True, False]


def test_a_step_is_seen_and_said(history: rg.History):
    fresh(history, [0.9] * 10 + [0.4] * 10, n=100)

    s = history.trend()["RR"]

    assert [step.place for step in s.steps] == [10]
    step = s.steps[0]
    assert step.before == pytest.approx(np.mean([p.value for p in s.points[:10]]))
    assert step.after == pytest.approx(np.mean([p.value for p in s.points[10:]]))
    assert "1 step from" in s.sentence


def test_steps_do_not_cross_breaks(history: rg.History):
    low = {f"n{i}": 0.0 for i in range(20)}
    same(history, [OLD] * 5 + [low] * 5)

    assert history.trend()["RR"].steps == []


def test_comes_back_as_it_was_in_both_languages(history: rg.History, tmp_path: Path):
    same(history, [OLD, NEW, {"q1": 0.5, "q2": 1.0}])
    found = history.trend()
    found.to_json(tmp_path / "trend.json")

    back = rg.load(tmp_path / "trend.json")

    assert back.to_dict() == found.to_dict()
    for language in LANGUAGES:
        assert back.to_markdown(language=language) == found.to_markdown(language=language)
    assert "断点" in found.to_markdown(language="zh")
    assert found.to_frame().height == 3


def test_a_value_that_is_not_a_number_is_a_gap(history: rg.History):
    ev = rg.evaluate({q: {"a": 0} for q in Q}, {q: ["a"] for q in Q}, "R@1", no_relevant="skip")
    history.add(evaluated(OLD), system="s", dataset="d", at=week(0))
    history.add(ev, system="s", dataset="d", at=week(0))
    history.add(ev, system="s", dataset="d", at=week(1))

    found = history.trend()

    assert isnan(found["R@1"].newest.value)
    assert "no value" in found["R@1"].sentence
    assert rg.plot(found)


# lines of characters


def test_spark_line():
    assert spark_line([]) == ""
    assert spark_line([nan, nan]) == "  "
    assert spark_line([0, 1, 2, 3, 4, 5, 6, 7]) == "▁▂▃▄▅▆▇█"
    assert len(spark_line(list(range(1000)))) <= 40
    assert spark_line([1, 2, 3, 4], breaks=[0, 2, 9]).count("|") == 1
