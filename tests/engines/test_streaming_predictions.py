"""Predictions in pieces have the numbers of predictions in memory, and certain bounds where order matters."""

from __future__ import annotations

import io
import sys
from math import isnan
from typing import Any

import numpy as np
import polars as pl
import pytest

import rankgauge as rg
from rankgauge.alignment.score_bins import MANTISSA_BITS
from rankgauge.engines import predictions as engine
from rankgauge.errors import InputError, ParameterError
from rankgauge.evaluation.predictions.cluster_moments import ClusterMoments
from rankgauge.evaluation.predictions.piecewise import first, influences
from rankgauge.evaluation.predictions.row_totals import RowTotals
from rankgauge.evaluation.predictions.totals_plan import TotalsPlan
from rankgauge.measures.grammar import parse_prediction

approx = pytest.approx

SUMS = [
    *("LogLoss", "NE", "NE(base=0.1)", "RIG", "Brier", "COPC", "UNC", "UNC(loss=brier)"),
    *("Accuracy(threshold=0.2)", "Precision(threshold=0.2)", "Recall(threshold=0.2)", "F(threshold=0.2)"),
    *("F(threshold=0.2,beta=2)", "MCC(threshold=0.2)", "BalancedAccuracy(threshold=0.4)", "Specificity(threshold=0.4)"),
]
GROUPS = [
    *("GAUC", "GAUC(weight=uniform)", "GAUC(weight=positives)", "GAUC(weight=pairs,undefined=half)"),
    *("Recall(threshold=0.2,average=macro)", "Accuracy(threshold=0.2,average=macro)"),
]
WIDTHS = ["ECE(binning=uniform)", "MCE(binning=uniform,bins=10,min_count=5)"]
BETWEEN = ["AUC", "Gini", "PRAUC", "KS", "Gain(top=0.2)", "Lift"]
ALONG = ["ECE", "ECE(bins=4)", "MCE(min_count=20)", "ECCE"]
ALL = [*SUMS, *GROUPS, *WIDTHS, *BETWEEN, "CrossAUC", *ALONG]
ROUNDING = 1e-12


def table(n: int = 4000, *, ties: bool = True, seed: int = 0) -> pl.DataFrame:
    rng = np.random.default_rng(seed)
    p = rng.beta(1, 5, n)
    q = np.clip(p + rng.normal(0, 0.1, n), 0, 1)
    return pl.DataFrame(
        {
            "label": (rng.random(n) < p * 1.1).astype(int),
            "score": p.round(2) if ties else p,
            "other": q.round(2) if ties else q,
            "weight": rng.choice([0.0, 1.0, 2.5, 0.3], n),
            "user": [f"u{i}" for i in rng.integers(0, n // 8, n)],
        }
    )


@pytest.fixture(autouse=True)
def _small_pieces(monkeypatch):
    """Pieces of 300 rows and 7 buckets, so that a few thousand rows are many pieces."""
    monkeypatch.setattr(engine, "_MOST_ROWS", 300)
    monkeypatch.setattr(engine, "_buckets", lambda table, memory: 7)


def pieces(rows: pl.DataFrame, measures: Any = None, **options: Any) -> Any:
    return rg.evaluate_predictions(rows.lazy(), measures, engine="streaming", **options)


def memory(rows: pl.DataFrame, measures: Any = None, **options: Any) -> Any:
    return rg.evaluate_predictions(rows, measures, **options)


def assert_same(got: Any, expected: Any, *, error: float = 1e-9, beside: float = 1e-6) -> None:
    """Exact numbers are equal, others between their bounds; counts, policy and notes are those of memory."""
    assert got.counts.keys() == expected.counts.keys()
    for name, count in expected.counts.items():
        assert got.counts[name] == (count if count is None else approx(count, rel=ROUNDING)), name
    assert got.policy == expected.policy
    assert (*expected.notes, engine.IN_PIECES) == got.notes
    for c, e in zip(got.columns, expected.columns, strict=True):
        low, high = c.certain
        assert (c.label, c.reason, c.n) == (e.label, e.reason, e.n)
        if isnan(e.value):
            assert isnan(c.value)
            continue
        if low == high:
            assert c.value == approx(e.value, rel=ROUNDING, abs=ROUNDING), c.label
        else:
            assert low - ROUNDING <= e.value <= high + ROUNDING, c.label
            assert low <= c.value <= high
        assert c.error == approx(e.error, rel=error, nan_ok=True, abs=1e-15), c.label
        for name, value in e.beside.items():
            assert c.beside[name] == approx(value, rel=beside), (c.label, name)


# the same numbers

IGNORED = {"user": "ignore", "weight": "ignore", "other": "ignore"}


def ignoring(*kept: str) -> dict[str, str]:
    return {name: role for name, role in IGNORED.items() if name not in kept}


@pytest.mark.parametrize("kept", [(), ("weight",), ("user",), ("weight", "user")], ids=str)
def test_tied_scores_give_the_numbers_of_memory(kept):
    rows, options = table(), {"columns": {"score": "score"} | ignoring(*kept)}

    got, expected = pieces(rows, ALL, **options), memory(rows, ALL, **options)

    assert_same(got, expected)
    exact = {c.label for c in got.columns if c.certain.low == c.certain.high}
    assert {*SUMS, *WIDTHS} <= exact
    assert not isnan(got["GAUC"]) or "user" not in kept
    if "weight" not in kept:  # a bin is one score, and with whole weights nothing is open
        assert {*BETWEEN, *ALONG, *(["CrossAUC"] if "user" in kept else [])} <= exact


@pytest.mark.parametrize("kept", [(), ("weight",), ("user",), ("weight", "user")], ids=str)
def test_distinct_scores_lie_between_certain_bounds(kept):
    rows, options = table(ties=False), {"columns": {"score": "score"} | ignoring(*kept)}

    got, expected = pieces(rows, ALL, **options), memory(rows, ALL, **options)

    assert got["AUC"] == approx(expected["AUC"], abs=1e-5)
    assert_same(got.evaluate(*SUMS, *WIDTHS), expected.evaluate(*SUMS, *WIDTHS))
    assert_same(got, expected, error=1e-2, beside=1e-2)  # of PRAUC, Gain and the like
    assert got.column("AUC").error == approx(expected.column("AUC").error, rel=1e-4)
    if "user" in kept:
        assert_same(got.evaluate(*GROUPS), expected.evaluate(*GROUPS))


@pytest.mark.parametrize("group", [None, "user"])
def test_wide_bins_widen_the_interval_of_auc(monkeypatch, group):
    rows = table(ties=False).drop("weight", "other", *([] if group else ["user"]))
    monkeypatch.setattr(engine, "plan_of", lambda *a: TotalsPlan(has_groups=group is not None, mantissa_bits=4))
    got, expected = pieces(rows, ["AUC"]), memory(rows, ["AUC"])

    low, high = got.column("AUC").certain
    assert low < expected["AUC"] < high
    assert high - low > 1e-3
    assert got.column("AUC").error == approx(expected.column("AUC").error, rel=2e-2)
    assert got.interval("AUC").low < expected.interval("AUC").low
    assert got.interval("AUC").high > expected.interval("AUC").high
    half = (expected.interval("AUC").high - expected.interval("AUC").low) / 2
    assert got.interval("AUC").high == approx(high + half, rel=2e-3)


def test_wide_bins_widen_the_interval_of_a_difference(monkeypatch):
    rows = table(ties=False).drop("weight", "user")
    monkeypatch.setattr(engine, "plan_of", lambda *a: TotalsPlan(mantissa_bits=4))
    got = pieces(rows, ["AUC"], scores=["score", "other"])
    expected = memory(rows, ["AUC"], scores=["score", "other"]).difference("AUC", "other")
    half = sum((got[m].column("AUC").certain.high - got[m].column("AUC").certain.low) / 2 for m in ("score", "other"))

    found = got.difference("AUC", "other")

    assert half > 1e-3
    assert found.interval.high - found.value == approx(expected.interval.high - expected.value + half, rel=0.05)
    assert found.interval.low < expected.interval.low
    assert found.interval.high > expected.interval.high


def test_labels_of_minus_one_and_one():
    rows = table().with_columns(label=pl.col("label") * 2 - 1).drop("weight", "other")

    assert_same(pieces(rows, ALL), memory(rows, ALL))


@pytest.mark.parametrize("user", [True, False])
def test_soft_labels_have_losses_and_no_order(user):
    rows = table().drop("other", *([] if user else ["user"]))
    rows = rows.with_columns(label=pl.when(pl.int_range(4000) > 3990).then(0.25).otherwise(pl.col("label")))
    measures = [*ALL, "MCB"]

    got, expected = pieces(rows, measures), memory(rows, [*ALL, "Brier"])

    assert "are between" in got.undefined["AUC"]
    assert got.undefined["AUC"] == expected.undefined["AUC"]
    assert_same(got.evaluate(*ALL), expected.evaluate(*ALL))


def test_logits_and_kept_negatives():
    rows = table().drop("other").with_columns(score=pl.col("score") * 8 - 4)
    options = {"scale": "logit", "negatives_kept": 0.1}

    assert_same(pieces(rows, ALL, **options), memory(rows, ALL, **options))


def test_scores_outside_0_and_1_are_an_order():
    rows = table().drop("other").with_columns(score=pl.col("score") * 3 - 1)

    assert_same(pieces(rows), memory(rows))
    assert_same(pieces(rows, ALL), memory(rows, ALL))


def test_default_measures_are_those_of_memory():
    assert pieces(table().drop("other")).labels == memory(table().drop("other")).labels


@pytest.mark.parametrize("label", [0, 1])
def test_one_class_has_the_reasons_of_memory(label):
    rows = table(400).drop("other").with_columns(label=pl.lit(label))

    assert_same(pieces(rows, ALL), memory(rows, ALL))


def test_one_group_and_one_row():
    one_group = table(400).drop("other").with_columns(user=pl.lit("u"))
    one_row = pl.DataFrame({"label": [1], "score": [0.5]})

    assert_same(pieces(one_group, ALL), memory(one_group, ALL))
    assert_same(pieces(one_row, ALL), memory(one_row, ALL))


def test_perfect_order_has_no_interval():
    rows = pl.DataFrame({"label": [0, 1] * 50, "score": [0.25, 0.75] * 50, "user": ["a", "b", "b", "a"] * 25})
    got, expected = pieces(rows, ["AUC", "GAUC", "LogLoss"]), memory(rows, ["AUC", "GAUC", "LogLoss"])

    for name in ("AUC", "GAUC", "LogLoss"):
        assert got[name] == approx(expected[name])
        assert isnan(got.interval(name).low)


def test_what_needs_all_rows_says_so():
    got = pieces(table().drop("other"), ["MCB", "DSC", "AUC(max_fpr=0.1)"])

    assert set(got.undefined) == {"MCB", "DSC", "AUC(max_fpr=0.1)"}
    for reason in got.undefined.values():
        assert "needs all rows in memory" in reason
        assert "engine='memory'" in reason


# several models


def test_several_models_and_their_paired_differences():
    rows = table()
    exact = [*SUMS, *GROUPS]
    got = pieces(rows, [*exact, "AUC"], scores=["score", "other"])
    expected = memory(rows, [*exact, "AUC"], scores=["score", "other"])

    for model in ("score", "other"):
        assert_same(got[model], expected[model])
    for name in exact:
        a, b = got.difference(name, "other"), expected.difference(name, "other")
        assert a.value == approx(b.value, rel=1e-9, abs=1e-12), name
        assert a.interval == approx(b.interval, rel=1e-7, abs=1e-12), name
        assert (a.n, a.is_better) == (b.n, b.is_better) or name.startswith("UNC")
    a, b = got.difference("AUC", "other"), expected.difference("AUC", "other")
    assert a.interval == approx(b.interval, abs=1e-6)
    assert "other minus score" in str(got)


def test_difference_of_two_calls_is_refused():
    rows = table().drop("other")

    with pytest.raises(InputError, match="has no rows to compare"):
        pieces(rows, "AUC").difference(pieces(rows, "AUC"), "AUC")


# input


def test_parquet_folder_and_pattern_are_the_table(tmp_path):
    rows = table().drop("other")
    for i in range(4):
        rows[i * 1000 : (i + 1) * 1000].write_parquet(tmp_path / f"part-{i}.parquet")
    expected = pieces(rows, ALL).to_dict()

    for path in (tmp_path, str(tmp_path / "*.parquet")):
        got = rg.evaluate_predictions(path, ALL, engine="streaming", name="predictions").to_dict()
        for c, e in zip(got["measures"], expected["measures"], strict=True):
            assert c["value"] == e["value"]
            assert (c["standard_error"] or 0) == approx(e["standard_error"] or 0, rel=1e-12)
        assert {**got, "measures": 0, "notes": 0} == {**expected, "measures": 0, "notes": 0}


def test_folder_of_csv_files_is_the_table(tmp_path):
    rows = table(2000).drop("other")
    for i in range(2):
        rows[i * 1000 : (i + 1) * 1000].write_csv(tmp_path / f"part-{i}.csv")

    got = rg.evaluate_predictions(tmp_path, SUMS, engine="streaming")

    expected = memory(rows, SUMS)
    assert [got[name] for name in SUMS] == approx([expected[name] for name in SUMS], rel=ROUNDING)


def test_auto_reads_in_pieces_what_is_too_large(tmp_path, monkeypatch):
    rows = table()
    rows.write_parquet(tmp_path / "a.parquet")
    options = {"scores": "score", "columns": {"other": "ignore"}}

    small = rg.evaluate_predictions(tmp_path / "a.parquet", "AUC", **options)
    monkeypatch.setattr("rankgauge.evaluation.of_predictions.room_of", lambda memory: lambda: 100_000)
    large = rg.evaluate_predictions(tmp_path / "a.parquet", "AUC", **options)
    as_said = rg.evaluate_predictions(tmp_path / "a.parquet", "AUC", engine="memory", **options)

    assert small.sample is not None
    assert as_said.sample is not None
    assert large.sample is None
    assert engine.IN_PIECES in large.notes
    assert large["AUC"] == approx(small["AUC"], rel=ROUNDING)


@pytest.mark.parametrize(("room", "in_memory"), [(10**9, True), (200_000, False)])
def test_auto_reads_a_lazy_frame_until_it_is_too_large(monkeypatch, room, in_memory):
    opened = []
    rows = table().drop("other")
    lazy = rows.lazy().with_columns(pl.col("score").map_batches(lambda s: opened.append(len(s)) or s, pl.Float64))
    monkeypatch.setattr("rankgauge.evaluation.of_predictions.room_of", lambda memory: lambda: room)

    got = rg.evaluate_predictions(lazy, ALL)

    assert (got.sample is not None) == in_memory
    assert len(opened) >= 1
    expected = memory(rows, ALL)
    assert [got[name] for name in SUMS] == approx([expected[name] for name in SUMS], rel=ROUNDING)


@pytest.mark.parametrize("group", [True, False])
def test_nan_score_is_an_error_with_its_row(group):
    rows = table(1000).drop("other", *([] if group else ["user"]))
    rows = rows.with_columns(score=pl.when(pl.int_range(1000) == 700).then(float("nan")).otherwise(pl.col("score")))

    with pytest.raises(InputError, match=r"score must be a number, got nan or nothing in 1 of 300 rows \(row 701\)"):
        pieces(rows)


def test_no_rows_are_an_error(tmp_path):
    table().clear().write_parquet(tmp_path / "a.parquet")

    for how in ("memory", "streaming", "auto"):
        with pytest.raises(InputError, match="must have at least one row, got none"):
            rg.evaluate_predictions(tmp_path / "a.parquet", scores=["score"], engine=how)


def test_probabilities_that_are_none_are_an_error_as_in_memory():
    rows = table().drop("other").with_columns(score=pl.col("score") * 3)

    for options in ({"scale": "probability"}, {"negatives_kept": 0.5}):
        with pytest.raises(InputError) as expected:
            memory(rows, **options)
        with pytest.raises(InputError) as got:
            pieces(rows, **options)
        assert str(got.value) == str(expected.value)


def test_what_is_in_memory_cannot_be_streamed():
    with pytest.raises(ParameterError, match="engine='streaming' reads Parquet files"):
        rg.evaluate_predictions({"label": [0, 1], "score": [0.1, 0.2]}, engine="streaming")
    with pytest.raises(ParameterError, match="`engine` must be one of"):
        rg.evaluate_predictions({"label": [0, 1], "score": [0.1, 0.2]}, engine="streamed")


# the record


def test_record_says_bounds_in_both_languages_and_survives_json():
    got = pieces(table(ties=False).drop("other"), ["AUC", "PRAUC", "LogLoss"])
    low, high = got.column("AUC").certain

    assert got.column("AUC").beside == {"certified low": low, "certified high": high}
    assert got.column("LogLoss").beside == {}
    again = rg.Evaluation.from_dict(got.to_dict())
    assert again.interval("AUC") == approx(got.interval("AUC"))
    assert "certain to ±" in str(got)
    assert "prevalence" in str(got)
    assert "确定在 ±" in got.to_markdown(language="zh")
    assert "分块计算" in got.to_markdown(language="zh")


def test_rows_are_missed_with_a_reason():
    got = pieces(table().drop("other"), "AUC")

    with pytest.raises(InputError, match="read in pieces"):
        got.curve("roc")
    with pytest.raises(InputError, match="read in pieces"):
        got.evaluate("Brier")


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_progress_is_shown_on_a_terminal(capsys, monkeypatch):
    pieces(table().drop("other"), "AUC")
    assert capsys.readouterr().err == ""

    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    monkeypatch.setenv("TERM", "xterm")
    pieces(table().drop("other"), "AUC")
    assert "reading predictions" in terminal.getvalue()
    assert "evaluating predictions" in terminal.getvalue()


# moments


@pytest.mark.parametrize("grouped", [True, False])
def test_moments_of_parts_add_up(grouped):
    rng = np.random.default_rng(3)
    p = rng.random(500)
    y, group = rng.random(500) < p, rng.integers(0, 40, 500) if grouped else None
    t = RowTotals(TotalsPlan(has_groups=grouped, mantissa_bits=MANTISSA_BITS)).update(y, p)
    found = [first(m, parse_prediction(m), t) for m in ["AUC", "LogLoss", "GAUC"]]
    models = [influences(found, t)]
    whole = ClusterMoments(models).update(y, [p], None, group, 40)
    a, b = ClusterMoments(models), ClusterMoments(models)
    for part, rows in ((a, group < 20 if grouped else y), (b, group >= 20 if grouped else ~y)):
        part.update(y[rows], [p[rows]], None, group[rows] if grouped else None, 40)
    both = a + ClusterMoments.from_bytes(b.to_bytes(), models)

    assert (both.n, both.sums, both.tallies) == (whole.n, whole.sums, whole.tallies)
    assert both.products == approx(whole.products, rel=1e-12)
    with pytest.raises(ParameterError, match="as many lines"):
        whole + ClusterMoments([])
