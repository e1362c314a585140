"""Labels of real logs: the reading, the edges they bring, and scikit-learn's numbers on them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import polars as pl
import pytest
from sklearn.metrics import average_precision_score, log_loss, roc_auc_score

import rankgauge as rg


def rates(log: pl.DataFrame, column: str) -> pl.DataFrame:
    """The click rate of each value among the other rows, drawn towards the rate of all: a simple, honest score."""
    mean = log["click"].mean()
    others = (pl.col("click").sum().over(column) - pl.col("click") + 5 * mean) / (pl.len().over(column) - 1 + 5)
    return log.with_columns(others.alias("pctr"))


@pytest.fixture(scope="module")
def avazu(shared: Path) -> pl.DataFrame:
    return rates(pl.read_csv(shared / "avazu_rx" / "tr.rx.csv.gz"), "site_id")


def test_avazu_log_against_scikit_learn(avazu: pl.DataFrame):
    ev = rg.evaluate_predictions(avazu, ["AUC", "PRAUC", "LogLoss"], group="app_id")

    y, p = avazu["click"].to_numpy(), avazu["pctr"].to_numpy()
    assert len(y) == 2994
    assert ev["AUC"] == pytest.approx(roc_auc_score(y, p), abs=1e-12)
    assert ev["PRAUC"] == pytest.approx(average_precision_score(y, p), abs=1e-12)
    assert ev["LogLoss"] == pytest.approx(log_loss(y, p), abs=1e-12)


def test_avazu_groups_without_both_classes_are_counted(avazu: pl.DataFrame):
    ev = rg.evaluate_predictions(avazu, ["GAUC"], group="app_id")

    beside = ev.column("GAUC").beside
    sizes = avazu.group_by("app_id").agg(pl.col("click").n_unique().alias("classes"), pl.len())
    both = sizes.filter(pl.col("classes") == 2)
    assert (beside["groups"], beside["valid groups"]) == (len(sizes), len(both))
    assert beside["rows kept"] == pytest.approx(both["len"].sum() / len(avazu))


def test_avazu_down_sampled_negatives_are_corrected(avazu: pl.DataFrame):
    kept = 0.2
    p = avazu["pctr"].to_numpy()
    trained = p / (p + kept * (1 - p))  # what a model sees that was trained on a fifth of the negatives
    rows = {"label": avazu["click"].to_numpy(), "score": trained}

    raw = rg.evaluate_predictions(rows, ["COPC", "AUC", "LogLoss"])
    corrected = rg.evaluate_predictions(rows, ["COPC", "AUC", "LogLoss"], negatives_kept=kept)
    honest = rg.evaluate_predictions({**rows, "score": p}, ["COPC", "AUC", "LogLoss"])

    assert raw["COPC"] < 0.5
    assert corrected["COPC"] == pytest.approx(honest["COPC"], abs=1e-12)
    assert corrected["LogLoss"] == pytest.approx(honest["LogLoss"], abs=1e-12)
    assert corrected["AUC"] == raw["AUC"]


def test_higgs_sample_with_weights(shared: Path):
    folder = shared / "lightgbm_binary"
    table = np.loadtxt(folder / "binary.test.gz")
    label, feature = table[:, 0], table[:, 26]
    weight = np.loadtxt(folder / "binary.test.weight")

    ev = rg.evaluate_predictions({"label": label, "score": feature, "weight": weight}, ["AUC", "LogLoss"])

    assert len(label) == 500
    assert ev["AUC"] == pytest.approx(roc_auc_score(label, feature, sample_weight=weight), abs=1e-12)
    assert ev.undefined["LogLoss"].startswith("needs probabilities")  # a feature is not one


def test_ratings_need_a_line_between_good_and_bad(shared: Path):
    file = shared / "deepctr_samples" / "movielens_sample.txt"
    ratings = pl.read_csv(file).with_columns(score=1 / (1 + pl.col("movie_id")))

    with pytest.raises(rg.errors.InputError, match="positive="):
        rg.evaluate_predictions(ratings, ["AUC"], label="rating", group="user_id", scores="score")
    ev = rg.evaluate_predictions(ratings, ["AUC"], label="rating", group="user_id", scores="score", positive=">=4")
    assert ev.counts["positives"] == (ratings["rating"] >= 4).sum()


def test_criteo_sample_is_too_small_to_be_sure(shared: Path):
    rows = pl.read_csv(shared / "deepctr_samples" / "criteo_sample.txt").select(
        "label", score=pl.col("I13").fill_null(0)
    )

    ev = rg.evaluate_predictions(rows, ["AUC"])

    low, high = ev.interval("AUC")
    assert ev.counts["rows"] == 200
    assert high - low > 0.1
