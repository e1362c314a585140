"""Judgements from a log on Spark: the counts, rules and notes of one machine, whatever the log has."""

from __future__ import annotations

import datetime
from collections.abc import Callable
from typing import Any

import numpy as np
import polars as pl
import pytest
from polars.testing import assert_frame_equal

import rankgauge as rg
from rankgauge.behavior.cleaning.dwell import Dwell, dwell_thresholds
from rankgauge.behavior.cleaning.on_spark import SparkClicks
from rankgauge.behavior.grading import on_spark
from rankgauge.behavior.logs.log import read_log
from rankgauge.behavior.logs.on_spark import log_on_spark
from rankgauge.engines.spark.tables import to_spark
from rankgauge.errors import InputError

Cleaning = rg.behavior.Cleaning
START = datetime.datetime(2026, 1, 1, 22)


@pytest.fixture
def on_parts(spark: Any, monkeypatch: pytest.MonkeyPatch) -> Callable[[pl.DataFrame], Any]:
    """A log on Spark: its rows in three parts in no order, cleaned in partitions of 300 or so."""
    monkeypatch.setattr(on_spark, "_ROWS", 300)
    return lambda log: to_spark(log.sample(fraction=1, shuffle=True, seed=1), spark).repartition(3)


def events_log(n: int = 250, seed: int = 0) -> pl.DataFrame:
    """Lists of some users, what they did, and dirt: copies, gaps, further clicks, clicks on nothing, a busy user."""
    rng = np.random.default_rng(seed)
    rows: list[tuple[Any, ...]] = []
    for request in range(n):
        user = "bot" if request % 25 == 0 else f"u{rng.integers(30)}"
        about = (f"r{request}", user, f"q{rng.integers(4)}", ("phone", "desk", None)[rng.integers(3)])
        start = float(rng.uniform(0, 20_000))
        for position, item in enumerate(rng.permutation(8)[:5]):
            shown: int | None = None if rng.random() < 0.02 else position
            if rng.random() < 0.97:
                rows.append((*about, f"i{item}", shown, "impression", start + rng.random(), None))
            for event, share in (
                ("click", 0.4),
                ("Add-To-Cart", 0.15),
                ("order", 0.1),
                ("refund", 0.03),
                ("hover", 0.1),
            ):
                if rng.random() < share:
                    dwell = float(rng.exponential(9)) if event == "click" and rng.random() < 0.8 else None
                    rows.append((*about, f"i{item}", shown, event, start + 5 + 60 * rng.random(), dwell))
    again = [rows[i] for i in rng.choice(len(rows), 60)]
    rows += again[:40] + [(*row[:-2], row[-2] + 90, row[-1]) for row in again[40:]]
    names = ["request_id", "user_id", "query_id", "device", "item_id", "position", "event", "second", "dwell"]
    log = pl.DataFrame(rows, names, orient="row", infer_schema_length=None)
    time = pl.lit(START) + pl.duration(microseconds=(pl.col("second") * 1e6).cast(pl.Int64))
    gap = pl.Series(rng.random(log.height) < 0.02)
    return log.select(
        pl.when(~gap).then("request_id").alias("request_id"),
        *("user_id", "query_id", "device", "item_id", "position", "event", "dwell"),
        time.cast(pl.Datetime("us")).alias("time"),
    )


def impressions_log(n: int = 1200, seed: int = 0) -> pl.DataFrame:
    """One row per impression, with a column per behaviour, as text; sessions in place of requests; ids are numbers."""
    rng = np.random.default_rng(seed)
    click = rng.random(n) < 0.4
    return pl.DataFrame(
        {
            "session": rng.integers(0, 150, n),
            "query_id": rng.integers(0, 3, n),
            "sku": rng.integers(0, 6, n),
            "position": rng.integers(1, 9, n).astype(str),
            "clicked": np.where(click, "yes", np.where(rng.random(n) < 0.5, "no", "0")),
            "purchase": click & (rng.random(n) < 0.3),
            "refund": click & (rng.random(n) < 0.05),
            "viewed": np.where(rng.random(n) < 0.7, 1.0, 0.0),
            "dwell_ms": np.where(rng.random(n) < 0.8, rng.exponential(9_000, n), -1.0),
            "timestamp": 1_790_000_000_000 + rng.permutation(n) * 60_000,
        }
    )


def words(texts: Any) -> list[tuple[str, str]]:
    return [(str(t), t.of("zh")) for t in texts]


def assert_same(ours: rg.behavior.Judgements, memory: rg.behavior.Judgements) -> None:
    assert_frame_equal(ours.evidence, memory.evidence, check_exact=True)
    assert ours.rules == memory.rules
    assert words(r.what for r in ours.rules) == words(r.what for r in memory.rules)
    assert ours.counts == memory.counts
    assert ours.dwell == memory.dwell
    assert words(ours.notes) == words(memory.notes)
    assert ours.to_dict() == memory.to_dict()
    assert ours.pair_counts is not None
    assert memory.pair_counts is not None
    assert ours.pair_counts.events == memory.pair_counts.events
    assert_frame_equal(ours.pair_counts.pairs, memory.pair_counts.pairs)
    assert_frame_equal(ours.pair_counts.followed, memory.pair_counts.followed)


RULES = {
    "as they are": Cleaning(bots=50, dwell=Dwell(min_clicks=40)),
    "others": Cleaning(first_only=False, no_impression=False, maturity=3_600.0, dwell="web_search", abandoned="first"),
}


@pytest.mark.spark
@pytest.mark.parametrize(
    ("key", "rules"), [("request_id", "as they are"), ("user_id", "as they are"), ("user_id", "others")]
)
def test_events_on_spark_are_judged_as_here(on_parts: Any, key: str, rules: str):
    log = events_log() if key == "request_id" else events_log().drop("request_id")
    asked = {"click": 1, "cart": 2, "purchase": 3, "hover": 0.5}

    got = rg.behavior.judgements(on_parts(log), asked, min_impressions=3, cleaning=RULES[rules])

    want = rg.behavior.judgements(log, asked, min_impressions=3, cleaning=RULES[rules])
    at_work = {r.rule for r in want.rules if r.rows}
    assert at_work >= {"duplicates", "no_position", "accidental", "censored", "unseen"}
    assert at_work >= ({"bots", "repeated", "no_impression"} if rules == "as they are" else {"immature"})
    assert_same(got, want)


@pytest.mark.spark
def test_impressions_on_spark_are_judged_as_here(on_parts: Any):
    log = impressions_log()
    rules = Cleaning(dwell=Dwell(min_clicks=20, by=("viewed", "query_id")))

    got = rg.behavior.judgements(on_parts(log), min_impressions=3, cleaning=rules)

    want = rg.behavior.judgements(log, min_impressions=3, cleaning=rules)
    assert want.dwell is not None
    assert len(want.dwell.segments) == 6
    assert_same(got, want)


@pytest.mark.spark
def test_rows_on_spark_that_stand_alone_are_judged_as_here(on_parts: Any):
    log = impressions_log().select("query_id", "sku", "clicked")

    assert_same(rg.behavior.judgements(on_parts(log)), rg.behavior.judgements(log))


@pytest.mark.spark
def test_quantiles_of_dwell_on_spark_are_those_of_polars_to_the_last_bit(spark: Any):
    rng = np.random.default_rng(3)
    dwell = rng.choice(rng.exponential(7, 150), 1000)
    log = pl.DataFrame(
        {"query_id": "q", "item_id": "a", "click": True, "dwell": dwell, "device": rng.integers(0, 40, 1000)}
    )
    rules = [Dwell(quantile=q, least=0, most=99, min_clicks=1) for q in (1 / 3, 1.0)]

    with log_on_spark(to_spark(log, spark)) as (read, rows):
        got = [dwell_thresholds(SparkClicks(read, rows, None), rule) for rule in rules]

    assert got == [dwell_thresholds(read_log(log).frame, rule) for rule in rules]
    assert len(got[0].segments) == 40


@pytest.mark.spark
def test_a_log_on_spark_that_cannot_be_judged_says_why(spark: Any):
    log = pl.DataFrame({"query_id": ["q"], "item_id": ["a"], "position": [None], "request_id": ["r"], "click": [1]})
    empty, ubi = log.clear(), pl.DataFrame({"action_name": ["click"], "query_id": ["q"], "event_attributes": ["{}"]})

    with pytest.raises(InputError, match=r"no impression is left of 1 rows.*no_position \(1 of 1\)"):
        rg.behavior.judgements(to_spark(log.cast({"position": pl.Int32}), spark))
    with pytest.raises(InputError, match="has no rows"):
        rg.behavior.judgements(to_spark(empty.cast({"position": pl.Int32}), spark))
    with pytest.raises(InputError, match="UBI"):
        rg.behavior.judgements(to_spark(ubi, spark))
    with pytest.raises(InputError, match="columns missing from log 'log': 'item_id'"):
        rg.behavior.judgements(to_spark(log.drop("item_id", "position"), spark))
