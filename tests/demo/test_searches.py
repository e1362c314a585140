"""The log of searches: its dirt is what it says, its bytes never change, and judgements from it find the truth."""

from __future__ import annotations

import csv
import hashlib
from collections import Counter
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from scipy.stats import spearmanr

from rankgauge import behavior as rb
from rankgauge.demo import save_searches, searches, shop
from rankgauge.demo.searches import ATTENTION, COLUMNS, N_REQUESTS

SHOP = shop(seed=7)
ROWS = [dict(zip(COLUMNS, row, strict=True)) for row in searches(7, SHOP)]


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return save_searches(searches(7, SHOP), tmp_path_factory.mktemp("searches") / "new")


def test_saved_bytes_of_seed_7_never_change(log: Path):
    assert log.name == "log.csv"
    assert (
        hashlib.sha256(log.read_bytes()).hexdigest()
        == "d4f0e6ead39323168f7798328ab29f3346d655ead05ee779cc9759e4a575158c"
    )


def test_another_seed_is_another_log():
    assert searches(seed=8)[:100] != searches(7, SHOP)[:100]


def test_columns_and_events(log: Path):
    with log.open(encoding="utf-8", newline="") as file:
        header, *rows = csv.reader(file)

    assert tuple(header) == COLUMNS
    assert {len(r) for r in rows} == {len(COLUMNS)}
    assert {r["event"] for r in ROWS} == {"impression", "click", "cart", "purchase", "refund"}
    assert {r["ranker"] for r in ROWS} == {*SHOP.runs, ""}  # clicks on nothing have none
    assert len({r["request_id"] for r in ROWS if r["event"] == "impression"}) <= N_REQUESTS


def test_lists_are_those_of_the_rankers():
    shown: dict[tuple[str, str, str], list[str]] = {}
    for r in ROWS:
        if r["event"] == "impression":
            shown.setdefault((r["request_id"], r["ranker"], r["query_id"]), []).append(r["item_id"])

    for (_, ranker, query), items in shown.items():
        assert items == list(SHOP.runs[ranker][query])[: len(ATTENTION)]


def test_the_dirt_is_as_told():
    copies = sum(n - 1 for n in Counter(tuple(r.values()) for r in ROWS).values())
    clicks = [r for r in ROWS if r["event"] == "click"]
    shown = {(r["request_id"], r["item_id"]) for r in ROWS if r["event"] == "impression"}
    impressions = [r for r in ROWS if r["event"] == "impression"]
    bot = [r for r in ROWS if r["user_id"] == "u0000"]

    assert copies / len(clicks) == pytest.approx(0.02, abs=0.005)  # sent twice
    assert sum((r["request_id"], r["item_id"]) not in shown for r in clicks) == 40
    assert sum(r["position"] == "" for r in impressions) / len(impressions) == pytest.approx(0.003, abs=0.001)
    assert len({r["request_id"] for r in bot}) / N_REQUESTS == pytest.approx(0.02, abs=0.005)
    assert {r["item_id"] for r in bot if r["event"] == "impression"} == {
        r["item_id"] for r in bot if r["event"] == "click"
    }
    assert sum(r["dwell"] == "" for r in clicks) / len(clicks) == pytest.approx(0.25, abs=0.02)
    assert 0 < sum(r["dwell"] != "" and r["dwell"] < 2 for r in clicks) < 0.1 * len(clicks)  # a finger that slips


def test_cleaning_finds_the_dirt(log: Path):
    found = rb.clean(log)
    copies = sum(n - 1 for n in Counter(tuple(r.values()) for r in ROWS if r["user_id"] != "u0000").values())
    lost = [r for r in ROWS if r["event"] == "impression" and r["position"] == ""]

    assert 1000 < found["bots"].rows <= sum(r["user_id"] == "u0000" for r in ROWS)
    # the bot is caught on its busy day only: what it does on the other is counted with the rest
    assert copies <= found["duplicates"].rows <= copies + 5
    assert found["no_impression"].rows >= 40
    assert len(lost) - 5 <= found["no_position"].rows <= len(lost)
    assert found["accidental"].rows > 0
    assert found.rows_in == len(ROWS) == found.rows_out + sum(r.rows for r in found.rules if r.lost)


# the truth


def judged_by(frame: pl.DataFrame, *columns: str) -> list[tuple[Any, ...]]:
    """Values of the pairs that the shop has judged, with their grades last."""
    grades = {(q, d): g for q, found in SHOP.qrels.items() for d, g in found.items()}
    return [
        (*(row[c] for c in columns), grades[row["query_id"], row["item_id"]])
        for row in frame.iter_rows(named=True)
        if (row["query_id"], row["item_id"]) in grades
    ]


def test_grades_from_the_log_agree_with_the_judges(log: Path):
    pairs = judged_by(rb.judgements(log).evidence, "grade")

    assert len(pairs) > 500
    assert spearmanr(*zip(*pairs, strict=True)).statistic > 0.5  # 0.69


def test_correction_brings_relevance_nearer_to_the_judges(log: Path):
    table = rb.clean(log, rb.Cleaning(examined="all")).impressions
    bias = rb.position_bias(table)
    found = rb.relevance(table, bias)
    pairs = judged_by(found.frame.filter(pl.col("impressions") >= 10), "raw", "snips")
    raw, snips, grade = zip(*pairs, strict=True)

    within = [low <= true <= high for low, true, high in zip(bias.low, ATTENTION, bias.high, strict=True)]
    assert sum(within) >= 7
    assert len(pairs) > 900
    assert spearmanr(snips, grade).statistic > spearmanr(raw, grade).statistic + 0.01  # 0.790 and 0.768
