"""Grades against the truth of simulated logs: as near as the raw rate. benchmarks/grades.py has the whole table."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import polars as pl
import pytest
from scipy.stats import spearmanr

from rankgauge.behavior import Cleaning, clean, judgements, position_bias, relevance, simulate_pbm

QUERIES, ITEMS = 120, 10


def log_of(seen: np.ndarray, clicks: np.ndarray) -> pl.DataFrame:
    """One row per impression."""
    pair = np.repeat(np.arange(len(seen)), seen)
    first = np.repeat(np.cumsum(seen) - seen, seen)
    return pl.DataFrame(
        {
            "request_id": np.arange(len(pair)),
            "query_id": pair // ITEMS,
            "item_id": pair % ITEMS,
            "click": np.arange(len(pair)) - first < clicks[pair],
        }
    )


def correlations(seen: np.ndarray, clicks: np.ndarray, truth: np.ndarray) -> tuple[float, float, int]:
    """Raw rate and grade against the truth, over judged pairs and on average inside queries; their number."""
    found = judgements(log_of(seen, clicks), {"click": 3}, min_impressions=1).evidence
    at = found["query_id"].cast(int).to_numpy() * ITEMS + found["item_id"].cast(int).to_numpy()
    assert found.filter(pl.col("click") == 0)["grade"].max() in (0, None)
    columns = [found[c].to_numpy() for c in ("rate", "grade")]
    raw, grade = (spearmanr(x, truth[at])[0] for x in columns)
    return float(raw), float(grade), len(at)


def drawn(kind: str, rng: np.random.Generator) -> np.ndarray:
    if kind == "queries differ":
        mean = rng.beta(2, 18, (QUERIES, 1))
        return rng.beta(15 * mean, 15 * (1 - mean), (QUERIES, ITEMS)).ravel()
    return rng.beta(1, 9, QUERIES * ITEMS)


@pytest.mark.long("simulations with a known truth")
@pytest.mark.parametrize("kind", ["items differ", "queries differ"])
@pytest.mark.parametrize("impressions", [20, 60, 300])
@pytest.mark.parametrize("even", [True, False])
def test_grades_are_as_near_to_the_truth_as_the_raw_rate(kind: str, impressions: int, even: bool):
    differences, judged = [], 0
    for seed in range(8):
        rng = np.random.default_rng([7, seed, impressions])
        truth = drawn(kind, rng)
        spread = 1 if even else rng.gamma(2, 0.5, truth.size)
        seen = np.full(truth.size, impressions) if even else np.maximum(rng.poisson(impressions * spread), 1)
        raw, grade, n = correlations(seen, rng.binomial(seen, truth), truth)
        differences.append(grade - raw)
        judged += n

    error = np.std(differences, ddof=1) / np.sqrt(8)
    assert judged > 400
    assert np.mean(differences) > -2 * error - 0.0005
    assert np.mean(differences) > -0.001


@pytest.mark.slow
def test_grades_are_as_near_to_the_truth_where_positions_bias_clicks():
    made = simulate_pbm(QUERIES, ITEMS, requests=20, rng=3)
    counts = made.counts
    seen, clicks = (counts.by_pair(x).astype(int) for x in (counts.impressions, counts.clicks))

    raw, grade, judged = correlations(seen, clicks, made.relevance_of(counts))

    assert judged > 800
    assert grade >= raw - 0.001


@pytest.mark.long("simulations with a known truth")
@pytest.mark.parametrize("impressions", [12, 60, 1000])
def test_random_clicks_are_no_evidence_however_many(impressions: int):
    for seed in range(4):
        rng = np.random.default_rng([8, seed, impressions])
        seen = np.full(QUERIES * ITEMS, impressions)

        got = judgements(log_of(seen, rng.binomial(seen, 0.02)), {"click": 3})

        assert len(got) == 0


@pytest.mark.slow
def test_retrotech_grades_of_half_of_the_sessions_follow_the_rates_of_the_other_half(shared: Path):
    """Nobody labelled these items, so one half is the truth of the other, once positions are corrected for."""
    for name in ("dryer", "transformers_dark_of_the_moon"):
        rows = pl.read_csv(shared / "retrotech_sessions" / f"{name}_sessions.gz")
        rows = rows.rename({"sess_id": "request_id", "query": "query_id", "clicked_doc_id": "item_id"})
        rows = rows.select("request_id", "query_id", "item_id", "clicked", position=pl.col("rank").cast(int) + 1)
        rows = rows.rename({"clicked": "click"}).with_columns(half=pl.col("request_id").rank("dense") % 2)
        ours, theirs = (rows.filter(pl.col("half") == h).drop("half") for h in (0, 1))
        table = clean(theirs, Cleaning(examined="all")).impressions
        wanted = relevance(table, position_bias(table)).frame.select("item_id", "snips")

        found = judgements(ours, {"click": 1}).evidence.join(wanted, on="item_id")

        assert found.height > 10
        raw, grade = (spearmanr(found[c], found["snips"])[0] for c in ("rate", "grade"))
        assert grade >= raw - 1e-12
        assert grade > 0.4
