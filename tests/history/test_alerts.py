"""Rules held against histories: what rings, what does not, and what each says."""

from __future__ import annotations

from math import isnan, log
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import stats

import rankgauge as rg
from rankgauge._text import LANGUAGES
from rankgauge.data.settings import settings
from rankgauge.errors import InputError, ParameterError
from rankgauge.history.series import evaluations, parted
from rankgauge.history.stream_watch import Stream, stream_of
from rankgauge.statistics.detectors import log_statistics, spent

from .years import FIRST, evaluated, fresh, same, week

Q = [f"q{i}" for i in range(40)]
GOOD = {q: 1.0 if i % 4 else 0.5 for i, q in enumerate(Q)}
BAD = {q: 0.5 if i % 2 else v for i, (q, v) in enumerate(GOOD.items())}
TINY = {**GOOD, "q1": 0.5}
STREAM = rg.StreamRule(measures=("RR",))
RELEASE = rg.ReleaseRule(measures=("RR",), margin=0.02)


@pytest.fixture
def history(tmp_path: Path) -> rg.History:
    return rg.History(tmp_path / "history.db")


def only(found: rg.Alerts) -> rg.Alert:
    assert len(found.items) == 1
    return found.items[0]


# streams


def naive_stream(entries: list[Any], periods: int = 12) -> list[float]:
    """ln M after each look beyond the baseline, step by step."""
    looks = [e.summary("RR") for e in entries]
    base, rest = looks[:periods], looks[periods:]
    b = np.mean([s.value for s in base])
    margin = 0.5 * np.median([s.error for s in base]) * max(1.0, 12 / periods) ** 0.5
    z = [stats.norm.ppf(stats.t.cdf((s.value - b + margin) / s.error, s.n - 1)) for s in rest]
    return log_statistics(np.array(z)).tolist()


def test_a_stream_without_change_is_fine(history: rg.History):
    entries = fresh(history, [0.7] * 20)

    found = rg.alerts(history, STREAM)

    a = only(found)
    assert (a.state, found.outcome, found.exit_code) == ("ok", "pass", 0)
    assert a.evidence == pytest.approx(naive_stream(entries)[-1], abs=1e-6)
    assert a.limit == pytest.approx(log(520))
    assert a.baseline == pytest.approx(np.mean([e.summary("RR").value for e in entries[:12]]))
    assert a.value == entries[-1].summary("RR").value
    assert a.entry == entries[-1].id


def test_a_stream_that_drops_rings_and_says_since_when_and_how_much(history: rg.History):
    entries = fresh(history, [0.8] * 16 + [0.5] * 6, n=150)

    found = rg.alerts(history, STREAM)

    a = only(found)
    assert (a.state, found.outcome, found.exit_code) == ("alert", "fail", 1)
    assert a.since.startswith(week(16).strftime("%Y-%m-%d"))
    dropped = [e.summary("RR") for e in entries[16:]]
    base = [e.summary("RR") for e in entries[:12]]
    change = np.mean([s.value for s in dropped]) - np.mean([s.value for s in base])
    error = sum(sum(s.error**2 for s in some) / len(some) ** 2 for some in (dropped, base)) ** 0.5
    assert a.change == pytest.approx(change)
    assert (a.low, a.high) == pytest.approx((change - 1.959964 * error, change + 1.959964 * error), abs=1e-6)
    assert "fell by about" in a.sentence
    assert "12 periods" in a.sentence


def test_a_stream_of_a_measure_that_should_be_low_rings_when_it_rises(history: rg.History):
    rng = np.random.default_rng(3)
    for w in range(20):
        p = rng.uniform(0.1, 0.5, 300)
        labels = (rng.random(300) < (p if w < 14 else 1 - p)).astype(int)
        ev = rg.evaluate_predictions({"label": labels, "score": p}, ["LogLoss"])
        history.add(ev, system="m", dataset="log", at=week(w))

    a = only(rg.alerts(history, rg.StreamRule(measures=("LogLoss",))))

    assert a.state == "alert"
    assert a.change > 0
    assert "rose by about" in a.sentence


def test_better_never_rings(history: rg.History):
    fresh(history, [0.4] * 14 + [0.95] * 10)

    assert only(rg.alerts(history, STREAM)).state == "ok"


@pytest.mark.parametrize("factor", [0.6, 1.6])
def test_a_measure_with_an_ideal_value_rings_on_both_sides(history: rg.History, factor: float):
    rng = np.random.default_rng(4)
    for w in range(22):
        p = rng.uniform(0.1, 0.4, 400)
        labels = (rng.random(400) < (p if w < 14 else factor * p)).astype(int)
        ev = rg.evaluate_predictions({"label": labels, "score": p}, ["COPC"])
        history.add(ev, system="m", dataset="log", at=week(w))

    assert only(rg.alerts(history, rg.StreamRule(measures=("COPC",)))).state == "alert"


def test_a_baseline_that_is_not_complete_is_not_known_yet(history: rg.History):
    fresh(history, [0.7] * 7)

    found = rg.alerts(history, STREAM)

    a = only(found)
    assert (a.state, found.exit_code) == ("unknown", 0)
    assert a.sentence == "RR of web: 7 periods of the 12 that its baseline needs"
    assert isnan(a.baseline)


def test_the_same_queries_each_week_are_no_stream(history: rg.History):
    same(history, [GOOD, BAD, BAD, BAD] * 5)

    a = only(rg.alerts(history, STREAM))

    assert a.state == "unknown"
    assert "Watch it by a release rule" in a.sentence


@pytest.mark.parametrize("sets", ["window", "growing", "turns"])
def test_sets_that_share_queries_are_no_fresh_periods(history: rg.History, sets: str):
    rng = np.random.default_rng(5)
    value = {f"q{i}": float(rng.random() < 0.6) for i in range(300)}
    places = {
        "window": [range(10 * w, 10 * w + 60) for w in range(20)],
        "growing": [range(10 * w + 60) for w in range(20)],
        "turns": [range(60 * (w % 2), 60 * (w % 2) + 60) for w in range(20)],
    }[sets]
    same(history, [{f"q{i}": value[f"q{i}"] for i in some} for some in places])

    a = only(rg.alerts(history, STREAM))

    counted = {"window": 4, "growing": 1, "turns": 2}[sets]
    assert a.state == "unknown"
    if sets == "growing":
        assert "have queries in common" in a.sentence
    else:
        assert f"{counted} periods of the 12" in a.sentence
        assert f"{20 - counted} evaluations not counted" in a.sentence


def test_a_few_queries_in_common_are_let_pass(history: rg.History):
    rng = np.random.default_rng(5)
    for w in range(14):
        names = [f"w{w}q{i}" for i in range(57)] + ["always", f"next{w}", f"next{w + 1}"]
        history.add(evaluated({q: float(rng.random() < 0.7) for q in names}), system="s", dataset="d", at=week(w))

    assert only(rg.alerts(history, STREAM)).state == "ok"


def test_an_evaluation_that_is_not_counted_is_said(history: rg.History):
    fresh(history, [0.7] * 14)
    fresh(history, [0.7], start=13, seed=3, version="again")

    a = only(rg.alerts(history, STREAM))

    assert a.state == "ok"
    assert a.sentence.endswith("1 evaluation not counted, with queries that an earlier one has as well")


def test_a_fixed_line_needs_no_baseline(history: rg.History):
    fresh(history, [0.5] * 6, n=200)

    low = only(rg.alerts(history, rg.StreamRule(measures=("RR",), against=0.8)))
    fine = only(rg.alerts(history, rg.StreamRule(measures=("RR",), against=0.4)))

    assert (low.state, fine.state) == ("alert", "ok")
    assert low.baseline == 0.8
    assert "the line 0.8" in low.sentence


def test_a_margin_forgives(history: rg.History):
    fresh(history, [0.8] * 14 + [0.55] * 6, n=150)

    assert only(rg.alerts(history, rg.StreamRule(measures=("RR",), margin=0.4))).state == "ok"


def test_what_came_back_has_recovered_once_and_is_fine_then(history: rg.History):
    states = []
    for w, share in enumerate([0.8] * 14 + [0.4] * 4 + [0.8] * 12):
        fresh(history, [share], n=120, seed=w, start=w)
        states.append(only(rg.alerts(history, STREAM)).state)

    first = week(states.index("alert"))
    assert only(rg.alerts(history, STREAM)).rang == (first.strftime("%Y-%m-%dT%H:%M:%S.000000Z"),)
    assert "alert" in states
    assert states.count("recovered") == 1
    assert states.index("recovered") > len(states) - states[::-1].index("alert") - 1
    assert states[-1] == "ok"


def test_an_acknowledged_change_is_the_new_baseline(history: rg.History):
    fresh(history, [0.8] * 14 + [0.5] * 8, n=150)
    a = only(rg.alerts(history, STREAM))
    assert a.state == "alert"

    event = rg.acknowledge(history, a.entry, "fewer adverts", "Ana", since=a.since)

    assert (event.kind, event.who, event.text) == ("baseline", "Ana", "fewer adverts")
    again = only(rg.alerts(history, STREAM))
    assert again.state == "unknown"
    assert "8 periods of the 12" in again.sentence
    fresh(history, [0.5] * 6, n=150, seed=9, start=22)
    assert only(rg.alerts(history, STREAM)).state == "ok"


def test_a_change_is_acknowledged_with_a_reason(history: rg.History):
    (e,) = same(history, [GOOD])

    with pytest.raises(ParameterError, match="reason"):
        rg.acknowledge(history, e.id, " ", "Ana")


def test_periods_that_vary_more_than_their_errors_widen_what_is_expected(history: rg.History):
    rng = np.random.default_rng(8)
    fresh(history, np.clip(rng.normal(0.6, 0.15, 24), 0.1, 0.95).tolist(), n=200)
    series = parted(evaluations(history, project="default"), ["RR"])[0]

    s: Stream = stream_of(STREAM, series, None)

    x, e = np.array([p.value for p in s.base]), np.array([p.error for p in s.base])
    assert s.spread == pytest.approx((np.sum(((x - x.mean()) / e) ** 2) / 11) ** 0.5)
    assert s.spread > 2
    a = only(rg.alerts(history, STREAM))
    assert a.state != "alert"
    assert f"; standard errors are taken {s.spread:.2g} times as wide, since periods of the baseline" in a.sentence


@pytest.mark.parametrize(("periods", "share"), [(12, "half"), (8, "0.61 times")])
def test_an_alert_of_a_stream_says_what_its_margin_is_made_of(history: rg.History, periods: int, share: str):
    fresh(history, [0.8] * 16 + [0.5] * 6, n=150)

    a = only(rg.alerts(history, rg.StreamRule(measures=("RR",), periods=periods)))
    told = only(rg.alerts(history, rg.StreamRule(measures=("RR",), periods=periods, margin=0.01)))

    assert f"{a.margin:.3g} allowed, {share} the median standard error of the baseline's periods" in a.sentence
    assert "; 0.01 allowed" in told.sentence
    assert "median" not in told.sentence
    assert "as wide" not in a.sentence


def test_a_period_without_spread_takes_that_of_the_baseline(history: rg.History):
    fresh(history, [0.8] * 12 + [0.0] * 2, n=40)

    a = only(rg.alerts(history, STREAM))

    assert a.state == "alert"
    assert np.isfinite(a.low)


def test_daily_looks_promise_ten_years_of_them(history: rg.History):
    rng = np.random.default_rng(1)
    for d in range(14):
        values = {f"d{d}q{i}": float(rng.random() < 0.6) for i in range(30)}
        history.add(evaluated(values), system="web", dataset="clicks", at=f"2026-03-{d + 1:02}")

    assert rg.alerts(history, STREAM).looks == 3650
    assert rg.alerts(history, STREAM, looks=100).looks == 100


def test_several_streams_ring_together_by_e_bh(history: rg.History):
    fresh(history, [0.8] * 18, n=80, system="a")
    fresh(history, [0.8] * 14 + [0.4] * 4, n=80, system="b", seed=2)
    fresh(history, [0.8] * 18, n=80, system="c", seed=3)

    found = rg.alerts(history, STREAM)

    assert [a.state for a in found.items] == ["ok", "alert", "ok"]
    assert found.streams == 3
    assert [a.limit for a in found.items] == pytest.approx([log(3 * 520)] * 3)


# releases


def test_unchanged_values_spend_nothing(history: rg.History):
    same(history, [GOOD] * 30 + [BAD])

    a = only(rg.alerts(history, RELEASE))

    assert a.state == "alert"
    assert a.limit == pytest.approx(spent(0.05, 1))


def test_each_changed_state_spends_less(history: rg.History):
    other = {**GOOD, "q2": 0.5}
    third = {**GOOD, "q3": 0.5}
    same(history, [GOOD, TINY, TINY, other, TINY, third])

    a = only(rg.alerts(history, RELEASE))

    assert a.limit == pytest.approx(spent(0.05, 3))


def test_a_release_is_judged_by_the_paired_test(history: rg.History):
    base, newest = same(history, [GOOD, BAD])

    a = only(rg.alerts(history, RELEASE))

    d = np.array([BAD[q] - GOOD[q] for q in Q])
    p = stats.ttest_1samp(d + 0.02, 0, alternative="less").pvalue
    low, high = stats.t.interval(0.95, 39, d.mean(), d.std(ddof=1) / 40**0.5)
    assert (a.change, a.low, a.high) == pytest.approx((d.mean(), low, high))
    assert a.evidence == pytest.approx(p)
    assert (a.entry, a.against, a.n) == (newest.id, base.id, 40)
    assert (a.value, a.baseline) == pytest.approx((np.mean(list(BAD.values())), np.mean(list(GOOD.values()))))
    assert [change for _, change in a.queries] == [-0.5] * 3
    assert all(d[Q.index(q)] == -0.5 for q, _ in a.queries)


def test_a_release_that_did_not_change_is_as_it_was(history: rg.History):
    same(history, [GOOD, GOOD])

    found = rg.alerts(history, RELEASE)

    a = only(found)
    assert (a.state, found.exit_code) == ("ok", 0)
    assert "as it was" in a.sentence


def test_a_small_loss_within_the_margin_is_surely_fine(history: rg.History):
    same(history, [GOOD, TINY])

    a = only(rg.alerts(history, rg.ReleaseRule(measures=("RR",), margin=0.1)))

    assert a.state == "ok"
    assert "surely not lost more" in a.sentence


def test_a_loss_that_is_not_settled_is_inconclusive(history: rg.History):
    some = {q: 0.5 if q in ("q1", "q2", "q3", "q5") else v for q, v in GOOD.items()}
    same(history, [GOOD, some])

    found = rg.alerts(history, RELEASE)

    assert only(found).state == "inconclusive"
    assert (found.outcome, found.exit_code) == ("inconclusive", 3)


def test_a_rolled_back_release_has_recovered(history: rg.History):
    entries = same(history, [GOOD, BAD, GOOD])

    a = only(rg.alerts(history, RELEASE))

    assert a.state == "recovered"
    assert a.since.startswith(entries[2].at.strftime("%Y-%m-%d"))


def test_an_alert_knows_since_when(history: rg.History):
    worse = dict.fromkeys(Q, 0.5)
    entries = same(history, [GOOD, BAD, BAD, worse])

    a = only(rg.alerts(history, RELEASE))

    assert a.state == "alert"
    assert a.since.startswith(entries[1].at.strftime("%Y-%m-%d"))


def test_other_judgements_cannot_be_judged(history: rg.History):
    same(history, [GOOD])
    history.add(evaluated({**GOOD, "new": 1.0}), system="bm25", dataset="gold", at=week(1))

    found = rg.alerts(history, RELEASE)

    assert only(found).state == "inconclusive"
    assert "cannot be judged" in only(found).sentence
    (_, newest) = history.entries()
    assert f"rankgauge history acknowledge {newest.id} --reason" in only(found).sentence
    assert "2026-01-12" in only(found).sentence
    assert found.exit_code == 3


def test_an_acknowledged_release_starts_over(history: rg.History):
    _, newest = same(history, [GOOD, BAD])
    rg.acknowledge(history, newest.id, "cheaper", "Ana")

    assert only(rg.alerts(history, RELEASE)).state == "ok"
    same(history, [BAD, GOOD, BAD], start=2)
    a = only(rg.alerts(history, RELEASE))
    assert (a.state, a.against) == ("ok", newest.id)


def test_against_the_previous_state(history: rg.History):
    entries = same(history, [GOOD, BAD, TINY])

    a = only(rg.alerts(history, rg.ReleaseRule(measures=("RR",), against="previous")))

    assert a.against == entries[1].id
    assert a.change > 0


def test_what_a_test_may_spend_is_fixed_before_its_later_state_is_seen(history: rg.History):
    states = [{**GOOD, f"q{i}": 0.5} for i in (1, 2, 3, 5)]
    order = [k for i in range(4) for j in range(i + 1, 4) for k in (i, j)] + [2, 0, 3, 1, 0]
    same(history, [states[k] for k in order])
    levels: dict[tuple[int, int], set[float]] = {}
    for w in range(1, len(order)):
        a = only(rg.alerts(history, rg.ReleaseRule(measures=("RR",), against="previous"), until=week(w)))
        if order[w - 1] != order[w]:
            levels.setdefault((order[w - 1], order[w]), set()).add(a.limit)

    assert all(len(found) == 1 for found in levels.values())
    given = {pair: next(iter(found)) for pair, found in levels.items()}
    for j, arrival in ((1, (0, 1)), (2, (0, 2)), (3, (0, 3))):
        mine = {pair: level for pair, level in given.items() if max(pair) == j}
        assert mine.pop(arrival) == pytest.approx(spent(0.05, j) / 2)
        assert list(mine.values()) == pytest.approx([spent(0.05, j) / 2 / (2 * j - 1)] * len(mine))
        assert len(mine) <= 2 * j - 1
    assert sum(given.values()) <= 0.05


def test_equal_values_beside_equal_values_are_the_same_test(history: rg.History):
    same(history, [GOOD, BAD, GOOD, BAD, GOOD, BAD])
    rule = rg.ReleaseRule(measures=("RR",), margin=0.02, against="previous")

    found = [only(rg.alerts(history, rule, until=week(w))) for w in (1, 3, 5)]

    assert {(a.state, a.evidence, a.limit) for a in found} == {("alert", found[0].evidence, spent(0.05, 1) / 2)}


def test_beside_a_line_the_first_state_spends_its_share_as_well(history: rg.History):
    same(history, [GOOD, BAD, TINY])
    rule = rg.ReleaseRule(measures=("RR",), against=0.5)

    levels = [only(rg.alerts(history, rule, until=week(w))).limit for w in range(3)]

    assert levels == pytest.approx([spent(0.05, j) for j in (1, 2, 3)])


def test_values_that_were_pruned_are_the_state_that_they_were(history: rg.History):
    entries = same(history, [GOOD, TINY, TINY, TINY])
    history.tag(entries[0].id, "baseline")
    before = only(rg.alerts(history, RELEASE))

    history.prune("1w", now=week(3))

    after = only(rg.alerts(history, RELEASE))
    assert history[entries[1].id].is_pruned
    assert (after.since, after.limit, after.evidence, after.state) == (
        before.since,
        before.limit,
        before.evidence,
        before.state,
    )


def test_what_began_before_all_that_is_looked_at_has_no_since(history: rg.History):
    worse = [{**BAD, f"q{i}": 0.0} for i in range(0, 34)]
    same(history, [GOOD, *worse])

    a = only(rg.alerts(history, RELEASE))

    assert (a.state, a.since, a.rang) == ("alert", "", ())


def test_a_release_beside_a_line(history: rg.History):
    same(history, [GOOD])

    low = only(rg.alerts(history, rg.ReleaseRule(measures=("RR",), against=0.99)))
    fine = only(rg.alerts(history, rg.ReleaseRule(measures=("RR",), against=0.5)))

    values = np.array(list(GOOD.values()))
    assert (low.state, fine.state) == ("alert", "ok")
    assert low.evidence == pytest.approx(stats.ttest_1samp(values, 0.98, alternative="less").pvalue)


def test_slices_of_a_release_are_corrected_together(history: rg.History):
    where = {q: {"device": "phone" if i % 2 else "desk"} for i, q in enumerate(Q)}
    for w, values in enumerate([GOOD, BAD]):
        history.add(evaluated(values, slices=where), system="s", dataset="d", at=week(w))

    found = rg.alerts(history, rg.ReleaseRule(measures=("RR",), margin=0.02, slices=("device",)))

    by = {a.slice: a for a in found.items}
    assert set(by) == {"", "device=phone", "device=desk"}
    assert by["device=desk"].change == 0
    d = np.array([BAD[q] - GOOD[q] for q in Q])
    alone = stats.ttest_1samp(d + 0.02, 0, alternative="less").pvalue
    assert by[""].evidence >= alone
    assert by["device=phone"].state == "alert"


# health


def test_datasets_are_told_apart_where_there_are_several(history: rg.History):
    for dataset in ("gold", "silver"):
        same(history, [GOOD, BAD], dataset=dataset)
    found = rg.alerts(history, RELEASE)

    assert {a.dataset for a in found.items} == {"gold", "silver"}
    assert "silver" in str(found)
    assert "gold" not in str(rg.alerts(history, rg.ReleaseRule(measures=("RR",), dataset="gold")))


def test_health_looks_at_exact_facts(history: rg.History):
    qrels = {q: {"a": 1} for q in Q}
    history.add(rg.evaluate(qrels, {q: ["a"] for q in Q}, "RR"), system="s", dataset="d", at=week(0))
    history.add(rg.evaluate(qrels, {q: ["a", "x"] for q in Q[:36]}, "RR"), system="s", dataset="d", at=week(1))
    rule = rg.HealthRule(missing_queries=2, judged=0.9, unchanged=True, stale="8d", failures=0.1)

    found = rg.alerts(history, rule, at=week(2))
    by = {a.measure: a for a in found.items}

    assert {k: a.state for k, a in by.items()} == {
        "missing_queries": "alert",
        "failures": "unknown",
        "judged": "alert",
        "stale": "ok",
        "unchanged": "ok",
    }
    assert by["missing_queries"].value == 4
    assert by["stale"].value == pytest.approx(7)
    assert (found.outcome, found.exit_code) == ("broken", 2)
    assert rg.alerts(history, rg.HealthRule(stale="8d"), at=week(3)).exit_code == 2
    assert rg.alerts(history, rg.HealthRule(missing_queries=0.2), at=week(1)).exit_code == 0


def test_an_entry_that_is_dated_ahead_is_not_new(history: rg.History):
    rule = rg.HealthRule(stale="8d")
    history.add(evaluated(GOOD), system="s", dataset="d", at="2062-01-01")

    assert only(rg.alerts(history, rule, at=week(2))).state == "alert"
    history.add(evaluated(GOOD), system="s", dataset="d", at=week(0))
    a = only(rg.alerts(history, rule, at=week(2)))
    assert (a.state, a.value) == ("alert", pytest.approx(14))
    assert only(rg.alerts(history, rule, at=week(1))).state == "ok"


def test_a_line_as_far_out_as_floats_reach_rings(history: rg.History):
    same(history, [GOOD])

    assert only(rg.alerts(history, rg.ReleaseRule(measures=("RR",), against=1e308))).state == "alert"
    assert only(rg.alerts(history, rg.ReleaseRule(measures=("RR",), against=-1e308))).state == "ok"


def test_health_sees_that_something_else_is_measured(history: rg.History):
    same(history, [GOOD, {**GOOD, "more": 1.0}])

    a = only(rg.alerts(history, rg.HealthRule(unchanged=True)))

    assert a.state == "alert"
    assert "other queries, other judgements" in a.sentence


def test_failures_of_live_collection(history: rg.History):
    def ask(q: str) -> list[str]:
        if q == "bad":
            raise ValueError
        return ["a"]

    got = rg.collect({"q1": "good", "q2": "bad"}, ask)
    history.add(got.collected, system="live", dataset="d", at=week(0))

    a = only(rg.alerts(history, rg.HealthRule(failures=0.1)))

    assert (a.state, a.value) == ("alert", 0.5)


# all of it


def test_how_it_stood_on_a_day(history: rg.History):
    entries = fresh(history, [0.8] * 14 + [0.4] * 4, n=100)

    then = only(rg.alerts(history, STREAM, until=week(13)))

    assert then.state == "ok"
    assert then.entry == entries[13].id
    assert only(rg.alerts(history, STREAM)).state == "alert"
    rg.acknowledge(history, entries[-1].id, "as it is", at=week(20))
    assert only(rg.alerts(history, STREAM, until=week(17))).state == "alert"
    assert only(rg.alerts(history, STREAM, until=week(20))).state == "unknown"


def test_nothing_measured_is_broken_and_not_all_clear(history: rg.History):
    found = rg.alerts(history, [STREAM, RELEASE, rg.HealthRule(stale="1d")])

    assert [a.state for a in found.items] == ["no_data"] * 3
    assert found.exit_code == 2

    same(history, [GOOD])
    named = rg.alerts(history, rg.ReleaseRule(measures=("nDCG@10",)))
    assert only(named).state == "no_data"
    assert only(named).sentence == "nDCG@10 of bm25: no evaluation has it"


def test_no_rules_watch_nothing(history: rg.History):
    found = rg.alerts(history, [])

    assert found.exit_code == 0
    assert "nothing is watched" in str(found)


def test_the_same_history_gives_the_same_alerts(history: rg.History):
    fresh(history, [0.8] * 14 + [0.5] * 4)
    same(history, [GOOD, BAD])
    rules = [STREAM, RELEASE, rg.HealthRule(unchanged=True)]

    assert rg.alerts(history, rules).to_dict() == rg.alerts(history, rules).to_dict()


def test_alerts_come_back_in_both_languages(history: rg.History, tmp_path: Path):
    fresh(history, [0.8] * 14 + [0.4] * 4)
    same(history, [GOOD, BAD])
    found = rg.alerts(history, [STREAM, RELEASE, rg.HealthRule(unchanged=True)])
    found.to_json(tmp_path / "alerts.json")

    back = rg.load(tmp_path / "alerts.json")

    assert back.to_dict() == found.to_dict()
    for language in LANGUAGES:
        assert back.to_markdown(language=language) == found.to_markdown(language=language)
    assert "告警" in found.to_markdown(language="zh")
    assert found.to_frame().height == len(found.items)
    assert len({a.key for a in found.items}) == len(found.items)


def test_rules_read_as_a_project_file_writes_them():
    told = {
        "release": [{"measures": ["nDCG@10"], "margin": 0.01, "against": "previous"}],
        "stream": [{"measures": ["RR"], "periods": 20, "against": 0.5}],
        "health": [{"stale": "8d"}],
        "looks": 1000,
    }

    found = settings(rg.AlertRules, told, "rankgauge.toml")

    assert found.release[0].against == "previous"
    assert found.stream[0].against == 0.5
    assert [r.kind for r in found.rules] == ["release", "stream", "health"]


@pytest.mark.parametrize(
    ("told", "said"),
    [
        ({"stream": [{"measures": ["RR"], "periods": 3}]}, "periods` must be 8 or more, got 3"),
        ({"stream": [{"measures": ["RR"], "against": "previous"}]}, "against` must be baseline or a number"),
        ({"release": [{"measures": []}]}, "must name a measure"),
        ({"release": [{"measures": ["nDGC@10"]}]}, "Did you mean nDCG@10"),
        ({"release": [{"measures": ["RR"], "margin": -1.0}]}, "margin` must be 0 or more"),
        ({"health": [{}]}, "must look at something"),
        ({"health": [{"stale": "soon"}]}, "must be a time such as 36h"),
        ({"health": [{"judged": 3.0}]}, "must be a share between 0 and 1"),
        ({"stream": [{"measures": ["RR"], "against": float("nan")}]}, "against` must be baseline or a number"),
        ({"stream": [{"measures": ["RR"], "against": True}]}, "against` must be baseline or a number"),
        ({"health": [{"stale": "99999999999d"}]}, "must be a time such as 36h"),
        ({"release": [{"measures": ["RR"]}] * 2}, "release #2` watches RR as release #1 does"),
        ({"looks": 0}, "looks` must be 1 or more"),
    ],
)
def test_mistakes_in_rules_are_named(told: dict[str, Any], said: str):
    with pytest.raises(InputError) as e:
        settings(rg.AlertRules, told, "rankgauge.toml")

    assert said in str(e.value)


def test_mistakes_of_rules_in_python_are_named_too(history: rg.History):
    with pytest.raises(InputError, match=r"stream #1.periods` must be 8 or more"):
        rg.alerts(history, rg.StreamRule(measures=("RR",), periods=2))
    with pytest.raises(ParameterError, match="a rule must be"):
        rg.alerts(history, ["nDCG@10"])  # type: ignore[list-item]


def test_pruned_values_cannot_be_paired(history: rg.History):
    same(history, [GOOD, BAD])
    entries = history.entries()
    pruned = {e.id for e in entries[:1]}
    real = rg.History.entries
    assert entries[0].at == FIRST

    def gone(self: Any, **options: Any) -> list[Any]:
        from dataclasses import replace

        return [replace(e, is_pruned=e.id in pruned) for e in real(self, **options)]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(rg.History, "entries", gone)
        found = rg.alerts(history, RELEASE)
        trend = history.trend()

    assert only(found).state == "inconclusive"
    assert "were pruned" in only(found).sentence
    assert trend["RR"].newest.since_previous.n == 0
