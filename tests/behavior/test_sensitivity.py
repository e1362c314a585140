"""Other choices, other winners: said when it is so, and only then."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import polars as pl
import pytest

import rankgauge as rg
from rankgauge.behavior.grading.judging import judgements
from rankgauge.behavior.grading.sensitivity import MAIN, sensitivity
from rankgauge.errors import InputError, ParameterError, UnknownName


def shop() -> pl.DataFrame:
    """`bait` is clicked often and never bought, `gem` is clicked seldom and bought each time."""

    def item(query: str, name: str, clicks: int, buys: int) -> pl.DataFrame:
        at = np.arange(50)
        flags = {"click": at < clicks, "purchase": at < buys}
        return pl.DataFrame({"query_id": [query] * 50, "item_id": [name] * 50, **flags})

    items = [(q, *x) for q in ("q1", "q2") for x in [("bait", 30, 0), ("gem", 6, 6), ("dull", 1, 0)]]
    return pl.concat([item(*x) for x in items]).with_row_index("request_id")


BAIT = {q: {"bait": 3.0, "gem": 2.0, "dull": 1.0} for q in ("q1", "q2")}
GEM = {q: {"gem": 3.0, "bait": 2.0, "dull": 1.0} for q in ("q1", "q2")}
WORST = {q: {"dull": 3.0, "gem": 2.0, "bait": 1.0} for q in ("q1", "q2")}
RUNS = {"bait first": BAIT, "gem first": GEM}


def test_a_flip_is_found_and_said():
    main = judgements(shop(), {"click": 1, "purchase": 3}, prior=None)

    got = sensitivity(main, RUNS, "nDCG@3")

    assert got.value(MAIN, "nDCG@3", "bait first") > got.value(MAIN, "nDCG@3", "gem first")
    flips = {f.alternative for f in got.flips}
    assert "purchases only" in flips
    assert "clicks only" not in flips
    assert not got.is_stable
    assert got.summary.startswith("the order of systems flips under ")
    assert "'purchases only'" in got.summary
    assert "翻转" in got.summary.of("zh")
    flip = next(f for f in got.flips if f.alternative == "purchases only")
    assert (flip.better, flip.worse) == ("bait first", "gem first")
    assert flip.main_difference > 0 > flip.difference


def test_the_numbers_are_those_of_evaluate():
    main = judgements(shop(), {"click": 1, "purchase": 3})

    got = sensitivity(main, RUNS, ["nDCG@3", "RR"], {"purchases": {"events": {"purchase": 3}}})

    judged = {MAIN: main, "purchases": judgements(shop(), {"purchase": 3})}
    for name, j in judged.items():
        for m in ("nDCG@3", "RR"):
            for system, run in RUNS.items():
                assert got.value(name, m, system) == pytest.approx(rg.evaluate(j.qrels, run, m)[m], abs=1e-12)
    assert len(got.rows) == 2 * 2 * 2


def test_the_same_order_everywhere_is_said_too():
    main = judgements(shop(), {"click": 1, "purchase": 3})

    got = sensitivity(main, {"good": GEM, "bad": WORST}, "nDCG@3")

    assert got.is_stable
    assert got.summary == f"the order of the systems is the same under all {len(got.alternatives) - 1} alternatives"
    assert [r.rank for r in got.rows if r.alternative == MAIN] == [1, 2]


def test_systems_with_equal_values_do_not_flip():
    got = sensitivity(judgements(shop()), {"a": GEM, "b": GEM, "c": WORST}, "nDCG@3")

    assert got.is_stable
    assert [r.rank for r in got.rows if r.alternative == MAIN] == [1, 1, 3]


def test_no_difference_under_an_alternative_is_no_flip():
    main = judgements(shop(), {"click": 1, "purchase": 3}, prior=None)
    dull = {q: {"gem": 3.0, "dull": 2.0, "bait": 1.0} for q in ("q1", "q2")}

    got = sensitivity(main, {"bait": GEM, "dull": dull}, "nDCG@3", {"sold": {"events": {"purchase": 1}}})

    assert got.value(MAIN, "nDCG@3", "bait") > got.value(MAIN, "nDCG@3", "dull")
    assert got.value("sold", "nDCG@3", "bait") == got.value("sold", "nDCG@3", "dull")
    assert got.is_stable
    with pytest.raises(UnknownName, match="no value of 'P@3' for 'bait' under 'sold'"):
        got.value("sold", "P@3", "bait")


def test_default_alternatives_fit_the_log():
    names = list(sensitivity(judgements(shop()), RUNS).alternatives)

    assert names == [
        *(MAIN, "clicks only", "purchases only", "1/2/3", "0.1/0.3/0.6"),
        *("twice the impressions", "no prior", "whole grades"),
    ]
    clicks = sensitivity(judgements(shop().drop("purchase"), {"click": 1}), RUNS)
    assert list(clicks.alternatives) == [MAIN, "twice the impressions", "no prior", "whole grades"]
    assert not clicks.notes


def test_a_choice_that_leaves_nothing_is_left_out_and_said():
    got = sensitivity(
        judgements(shop()), RUNS, alternatives={"strict": {"min_impressions": 51}, "none": {"prior": None}}
    )

    assert list(got.alternatives) == [MAIN, "none"]
    assert got.notes[0].startswith("'strict' left out: ")
    assert got.notes[0].of("zh").startswith("略去“strict”")


def test_a_choice_under_which_nothing_can_be_told_apart_is_left_out_and_said():
    none_sold = shop().with_columns(purchase=pl.col("request_id") == 0)
    main = judgements(none_sold, {"click": 1, "purchase": 3})

    got = sensitivity(main, RUNS, alternatives={"sold": {"events": {"purchase": 3}}, "none": {"prior": None}})

    assert list(got.alternatives) == [MAIN, "none"]
    assert got.notes == ["'sold' left out: none of 6 pairs could be judged"]
    assert "没有一个能得到标注" in got.notes[0].of("zh")
    with pytest.raises(InputError, match="sensitivity: none of 6 pairs could be judged"):
        sensitivity(judgements(none_sold, {"purchase": 3}), RUNS)


def test_a_log_is_judged_on_the_way():
    assert sensitivity(shop(), RUNS).value(MAIN, "nDCG@10", "gem first") > 0


def test_the_record_is_plain_data():
    got = sensitivity(judgements(shop(), {"click": 1, "purchase": 3}, prior=None), RUNS)

    data = json.loads(json.dumps(got.to_dict()))
    assert len(data["rows"]) == got.to_frame().height == len(got.rows)
    assert data["flips"][0]["text"] == str(got.flips[0].to_text())
    flagged = got.to_frame().filter("flips")["alternative"].unique().to_list()
    assert set(flagged) == {f.alternative for f in got.flips}


@pytest.mark.parametrize(
    ("runs", "alternatives", "message"),
    [
        ({"one": BAIT}, None, "`runs` must be two runs or more by name, got 1"),
        (RUNS, {"x": {"priors": None}}, "'x' may change events, .*got 'priors'. Did you mean prior"),
        (RUNS, {MAIN: {}}, "'main' is the choice they are compared with"),
        (RUNS, {"x": {"aggregate": "sum"}}, "`aggregate` must be one of rate, max"),
    ],
)
def test_what_cannot_be(runs: dict, alternatives: dict | None, message: str):
    with pytest.raises(ParameterError, match=message):
        sensitivity(judgements(shop()), runs, alternatives=alternatives)


def test_the_main_choice_must_work():
    with pytest.raises(InputError, match="no pair has 10 examined impressions"):
        sensitivity(shop().head(5), RUNS)


def test_retrotech_two_orders(shared: Path):
    main = judgements(shared / "retrotech_sessions" / "dryer_sessions.gz", {"click": 1})
    items = main.evidence.sort("posterior", descending=True)["item_id"].to_list()
    runs = {"best first": {"dryer": items}, "worst first": {"dryer": items[::-1]}}

    got = sensitivity(
        main, {k: {q: dict(zip(v, range(20, 0, -1), strict=True)) for q, v in r.items()} for k, r in runs.items()}
    )

    assert got.value(MAIN, "nDCG@10", "best first") == pytest.approx(1.0)
    assert got.is_stable
