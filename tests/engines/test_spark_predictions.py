"""Labels and scores on Spark have the numbers of those read in pieces here, to the last bit where sums are exact."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl
import pytest

import rankgauge as rg
from rankgauge.engines.spark import prediction_worker as worker
from rankgauge.engines.spark import predictions as engine
from rankgauge.errors import InputError, ParameterError
from rankgauge.evaluation.predictions.totals_plan import TotalsPlan

approx = pytest.approx

MEASURES = [
    *("AUC", "PRAUC", "KS", "Lift", "LogLoss", "NE", "Brier", "COPC", "UNC", "F(threshold=0.2)", "MCC(threshold=0.2)"),
    *("ECE", "ECE(binning=uniform)", "MCE(min_count=20)", "ECCE", "GAUC", "GAUC(weight=pairs)", "CrossAUC"),
    *("Recall(threshold=0.2,average=macro)", "MCB"),
]


def table(n: int = 2500, seed: int = 0) -> pl.DataFrame:
    rng = np.random.default_rng(seed)
    p = rng.beta(1, 5, n)
    return pl.DataFrame(
        {
            "label": (rng.random(n) < p * 1.1).astype(int),
            "score": np.where(rng.random(n) < 0.5, p, p.round(2)),
            "other": np.clip(p + rng.normal(0, 0.1, n), 0, 1),
            "weight": rng.choice([0.0, 1.0, 2.5, 0.3], n),
            "user": [f"u{i}" for i in rng.integers(0, n // 8, n)],
        }
    )


def on_spark(spark: Any, rows: pl.DataFrame, parts: int = 5) -> Any:
    schema = ", ".join(f"{c} {'string' if c == 'user' else 'long' if c == 'label' else 'double'}" for c in rows.columns)
    return spark.createDataFrame(rows.rows(), schema).repartition(parts)


def pieces(rows: pl.DataFrame, measures: Any = None, **options: Any) -> Any:
    return rg.evaluate_predictions(rows.lazy(), measures, engine="streaming", **options)


def assert_same(got: Any, expected: Any) -> None:
    assert (got.policy, got.notes) == (expected.policy, expected.notes)
    assert got.counts == expected.counts
    for c, e in zip(got.columns, expected.columns, strict=True):
        assert (c.label, c.reason, c.n, c.beside) == (e.label, e.reason, e.n, e.beside)
        assert c.value == e.value or c.reason, c.label
        assert c.error == approx(e.error, rel=1e-12, nan_ok=True), c.label


@pytest.mark.parametrize("left_out", [["other"], ["other", "user", "weight"]], ids=["groups", "rows"])
def test_numbers_are_those_of_pieces_to_the_last_bit(spark, left_out, monkeypatch):
    monkeypatch.setattr(engine, "_ROWS", 300)  # many partitions of groups
    rows = table().drop(left_out)

    assert_same(rg.evaluate_predictions(on_spark(spark, rows), MEASURES), pieces(rows, MEASURES))


def test_several_models_of_a_parquet_folder_and_their_difference(spark, tmp_path):
    rows = table().drop("weight")
    for i in range(3):
        rows[i * 900 : (i + 1) * 900].write_parquet(tmp_path / f"part-{i}.parquet")
    options = {"scores": ["score", "other"], "group": "user"}

    got = rg.evaluate_predictions(tmp_path, ["AUC", "LogLoss", "GAUC"], engine="spark", name="x", **options)

    expected = pieces(rows, ["AUC", "LogLoss", "GAUC"], name="x", **options)
    for model in ("score", "other"):
        assert_same(got[model], expected[model])
    for name in ("AUC", "LogLoss", "GAUC"):
        a, b = got.difference(name, "other"), expected.difference(name, "other")
        assert a.value == b.value
        assert a.interval == approx(b.interval, rel=1e-9)


def test_a_group_with_half_of_the_rows(spark):
    rows = (
        table()
        .drop("other", "weight")
        .with_columns(user=pl.when(pl.int_range(2500) % 2 == 0).then(pl.lit("u0")).otherwise(pl.col("user")))
    )

    assert_same(rg.evaluate_predictions(on_spark(spark, rows), ["GAUC", "AUC"]), pieces(rows, ["GAUC", "AUC"]))


def test_soft_labels_in_one_partition_only(spark):
    rows = (
        table(800)
        .drop("other", "user")
        .with_columns(label=pl.when(pl.int_range(800) == 799).then(0.25).otherwise(pl.col("label")))
    )
    frame = spark.createDataFrame(rows.rows(), "label double, score double, weight double")

    assert_same(
        rg.evaluate_predictions(frame.coalesce(3), ["AUC", "LogLoss", "ECE"]), pieces(rows, ["AUC", "LogLoss", "ECE"])
    )


def test_logits_are_read_as_said(spark):
    rows = table(800).drop("other", "user").with_columns(score=pl.col("score") * 8 - 4)
    options = {"scale": "logit", "negatives_kept": 0.2}

    assert_same(rg.evaluate_predictions(on_spark(spark, rows), **options), pieces(rows, **options))


def test_what_lies_here_can_be_evaluated_there(spark):
    rows = table(400).drop("other")
    got = rg.evaluate_predictions(
        rows.to_dict(as_series=False), ["AUC", "LogLoss", "GAUC"], engine="spark", group="user"
    )
    expected = rg.evaluate_predictions(rows, ["AUC", "LogLoss", "GAUC"], group="user")

    assert got["LogLoss"] == expected["LogLoss"]
    assert got["GAUC"] == expected["GAUC"]
    assert got["AUC"] == approx(expected["AUC"], abs=1e-4)
    assert got.counts == expected.counts


def test_states_are_added_in_a_tree(spark, monkeypatch):
    monkeypatch.setattr(engine, "_ADDED_AT_ONCE", 3)
    monkeypatch.setattr(engine, "_ON_DRIVER", 1)
    rows = table(400).drop("other", "user", "weight")

    assert_same(rg.evaluate_predictions(on_spark(spark, rows, 8)), pieces(rows))


def test_a_bad_row_is_an_error_that_says_where(spark):
    frame = spark.createDataFrame([(1, 0.5), (0, float("nan"))], "label int, score double").coalesce(1)

    with pytest.raises(InputError, match=r"score must be a number, got nan or nothing in 1 of 2 rows \(row 2 of part"):
        rg.evaluate_predictions(frame)


def test_no_rows_and_segments_are_refused(spark):
    frame = spark.createDataFrame([], "label int, score double, device string")

    with pytest.raises(InputError, match="must have at least one row"):
        rg.evaluate_predictions(frame)
    with pytest.raises(ParameterError, match="slices are made in memory"):
        rg.evaluate_predictions(frame, slices="device")


# what executors do, without Spark


def test_groups_are_never_cut():
    group = pl.Series("group:u", sorted(np.random.default_rng(1).integers(0, 40, 500).tolist()))
    frames = [group.to_frame()[i : i + 7] for i in range(0, 500, 7)]

    found = list(worker._whole_groups(iter(frames)))

    assert pl.concat(found)["group:u"].to_list() == group.to_list()
    assert sum(frame["group:u"].n_unique() for frame in found) == group.n_unique()
    assert len(found) > 10


def test_zero_on_one_machine_and_minus_one_on_another_is_an_error():
    work = worker.Work("predictions", {}, None, TotalsPlan())
    total = worker.State.of(work)
    for labels in ([1, 0], [1, -1]):
        part = worker.State.of(work)
        part.parts.take(pl.DataFrame({"label:y": labels, "score:s": [0.5, 0.4]}))
        part.parts.finish()
        total.add(part.to_bytes())

    with pytest.raises(InputError, match="0 and 1 or -1 and 1 throughout"):
        total.parts.finish()


def test_an_error_travels_as_data():
    pytest.importorskip("pyarrow")

    def fails() -> bytes:
        raise InputError("a bad row")

    row = worker._row(fails)

    assert row.column(0)[0].as_py() is None
    with pytest.raises(InputError, match="a bad row"):
        worker.raise_if_failed(row.column(1)[0].as_py())
