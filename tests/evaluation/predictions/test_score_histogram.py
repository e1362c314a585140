"""Where the scores of positives and negatives lie."""

from __future__ import annotations

import json
from math import fsum, inf, isnan, log10
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rankgauge as rg
from rankgauge.errors import InputError, ParameterError

approx = pytest.approx


def histogram(label: Any, score: Any, bins: int = 40, weight: Any = None, **options: Any) -> rg.ScoreHistogram:
    rows = {"label": label, "score": score} | ({} if weight is None else {"weight": weight})
    return rg.score_histogram(rg.evaluate_predictions(rows, "AUC", **options), bins)


def test_probabilities_lie_on_an_axis_from_0_to_1():
    found = histogram([0, 0, 0, 1, 1], [0.0, 0.24, 0.25, 0.9, 1.0], bins=4)

    assert (found.axis, found.values, found.notes) == ("linear", "probability", ())
    assert [(b.low, b.high) for b in found.bins] == [(0, 0.25), (0.25, 0.5), (0.5, 0.75), (0.75, 1)]
    assert [(b.rows, b.positive, b.negative) for b in found.bins] == [(2, 0, 2), (1, 0, 1), (0, 0, 0), (2, 2, 0)]
    assert (found.positive, found.negative, found.rows) == (2, 3, 5)


def test_small_probabilities_lie_on_a_log_axis():
    found = histogram([0, 0, 1, 1], [0.0001, 0.002, 0.03, 0.1], bins=3)

    assert found.axis == "log"
    assert [b.low for b in found.bins] == approx([0.0001, 0.001, 0.01])
    assert (found.bins[0].low, found.bins[-1].high) == (0.0001, 0.1)  # exactly: no score is beyond the axis
    assert [(b.positive, b.negative) for b in found.bins] == [(0, 1), (0, 1), (2, 0)]
    assert found.notes == ()


@pytest.mark.parametrize(("above", "axis"), [(9, "log"), (10, "linear"), (11, "linear")])
def test_log_axis_when_more_than_nine_tenths_are_below_a_fifth(above: int, axis: str):
    score = [0.01 + i / 1000 for i in range(100 - above)] + [0.2] * above

    assert histogram([0, 1] * 50, score).axis == axis


def test_shares_below_a_fifth_are_those_of_weight():
    score = [0.01, 0.02, 0.9]

    assert histogram([0, 1, 0], score, weight=[50, 50, 1]).axis == "log"
    assert histogram([0, 1, 0], score, weight=[1, 1, 1]).axis == "linear"


def test_zeros_on_a_log_axis_are_in_the_first_bin_and_a_note_says_so():
    found = histogram([0, 0, 1, 1], [0.0, 0.0, 0.001, 0.1], bins=2)

    assert found.axis == "log"
    assert [(b.low, b.positive, b.negative) for b in found.bins] == [(0.001, 1, 2), (approx(0.01), 1, 0)]
    [note] = found.notes
    assert note.startswith("the first bin also holds 2 scores of 0")
    assert note.of("zh").startswith("第一个区间另含 2 个为 0 的得分")


def test_a_log_axis_spans_eight_decades_at_most():
    found = histogram([0, 1, 0], [1e-300, 0.001, 0.1], bins=4)

    assert found.bins[0].low == approx(0.1 * 1e-8)
    assert (found.bins[0].negative, found.bins[-1].rows) == (1, 2)
    assert found.notes == ("the first bin also holds 1 score below 1e-09",)


@pytest.mark.parametrize("score", [[0.0, 0.0], [0.01, 0.01], [0.0, 0.01]])
def test_one_small_probability_has_no_log_axis(score: list[float]):
    found = histogram([0, 1], score)

    assert (found.axis, found.bins[0].low, found.bins[-1].high) == ("linear", 0, 1)
    assert found.bins[0].rows == 2


def test_scores_that_are_no_probabilities_lie_between_the_lowest_and_the_highest():
    found = histogram([0, 0, 1, 1], [-1.0, 0.5, 2.0, 3.0], bins=2, scale="score")

    assert (found.axis, found.values) == ("linear", "score")
    assert [(b.low, b.high, b.rows) for b in found.bins] == [(-1, 1, 2), (1, 3, 2)]


def test_one_score_is_in_the_middle():
    found = histogram([0, 1], [7.0, 7.0], bins=3, scale="score")

    assert [b.rows for b in found.bins] == [0, 2, 0]
    assert found.bins[0].low < 7 < found.bins[-1].high


def test_infinite_scores_are_in_the_outer_bins():
    found = histogram([0, 0, 1, 1], [-inf, 1.0, 3.0, inf], bins=2, scale="score")

    assert [(b.low, b.high, b.rows) for b in found.bins] == [(1, 2, 2), (2, 3, 2)]
    assert found.notes == ("the outer bins also hold 2 scores of plus or minus infinity",)


def test_scores_over_the_whole_range_of_numbers():
    found = histogram([0, 1, 1], [-1.7e308, 0.0, 1.7e308], bins=2, scale="score")

    assert [b.rows for b in found.bins] == [1, 2]


def test_logits_are_shown_as_probabilities():
    """1 / (1 + e) is 0.27."""
    found = histogram([0, 1], [-1.0, 1.0], bins=4, scale="logit")

    assert (found.values, found.bins[0].low, found.bins[-1].high) == ("probability", 0, 1)
    assert [b.rows for b in found.bins] == [0, 1, 1, 0]


def test_soft_labels_are_shared_between_the_classes():
    found = histogram([0.25, 1.0, 0.0], [0.1, 0.6, 0.7], bins=2, weight=[2.0, 1.0, 3.0])

    assert [(b.positive, b.negative) for b in found.bins] == [(2 * 0.25, 2 * 0.75), (1, 3)]
    assert (found.positive, found.negative) == (1.5, 4.5)


# the definition written out

ROW = st.tuples(
    st.one_of(st.sampled_from([0.0, 1.0]), st.floats(0, 1)),  # label
    st.one_of(st.sampled_from([0.0, 1e-4, 0.5, 1.0]), st.floats(0, 1), st.floats(1e-6, 0.1)),  # score
    st.floats(0.01, 100),  # weight
)


@given(st.lists(ROW, min_size=1, max_size=40), st.integers(1, 12))
@settings(max_examples=150, deadline=None)
def test_every_row_is_in_its_bin_and_the_sums_are_the_totals(rows: list[tuple[float, ...]], bins: int):
    label, score, weight = (list(x) for x in zip(*rows, strict=True))
    found = histogram(label, score, bins, weight)

    positive, negative, count = [0.0] * bins, [0.0] * bins, [0] * bins
    for y, p, w in rows:
        last = [i for i, b in enumerate(found.bins) if b.low <= p]  # the last bin that begins at or below the score
        i = last[-1] if last else 0
        positive[i] += w * y
        negative[i] += w * (1 - y)
        count[i] += 1
    assert [b.rows for b in found.bins] == count
    assert [b.positive for b in found.bins] == approx(positive)
    assert [b.negative for b in found.bins] == approx(negative)
    assert fsum(b.positive for b in found.bins) == found.positive  # to the last bit
    assert fsum(b.negative for b in found.bins) == found.negative
    assert found.positive + found.negative == approx(sum(weight))
    assert found.rows == len(rows)


@given(st.lists(st.floats(1e-7, 0.19), min_size=2, max_size=30, unique=True), st.integers(1, 40))
@settings(max_examples=60, deadline=None)
def test_bins_are_equally_wide_on_the_log_axis(score: list[float], bins: int):
    found = histogram([0, 1] + [0] * (len(score) - 2), score, bins)

    width = (log10(max(score)) - log10(min(score))) / bins
    assert found.axis == "log"
    assert (found.bins[0].low, found.bins[-1].high) == (min(score), max(score))  # to the last bit
    assert [log10(b.high / b.low) for b in found.bins] == approx([width] * bins, abs=1e-9)


def test_avazu_click_log(shared: Path):
    log = pl.read_csv(shared / "avazu_rx" / "tr.rx.csv.gz")
    score = log.select((pl.col("click").sum().over("site_id") + 1) / (pl.len().over("site_id") + 2)).to_series()
    found = histogram(log["click"].to_list(), score.to_list(), bins=20)

    y, p = log["click"].to_numpy(), score.to_numpy()
    assert [b.positive for b in found.bins] == np.histogram(p[y == 1], bins=20, range=(0, 1))[0].tolist()
    assert [b.negative for b in found.bins] == np.histogram(p[y == 0], bins=20, range=(0, 1))[0].tolist()
    assert (found.positive, found.negative) == (y.sum(), len(y) - y.sum())


# plain data and errors


def test_frame_csv_and_json():
    found = histogram([0, 0, 1, 1], [0.1, 0.2, 0.3, 0.9], bins=2)

    frame, stored = found.to_frame(), json.loads(found.to_json())

    assert frame.columns == ["low", "high", "rows", "positive", "negative", "positive_share", "negative_share"]
    assert frame["positive_share"].to_list() == [0.5, 0.5]
    assert frame["negative_share"].to_list() == [1, 0]
    assert found.to_csv().splitlines()[1] == "0.0,0.5,3,1.0,2.0,0.5,1.0"
    assert (stored["kind"], stored["axis"], stored["positive"], stored["notes"]) == ("score_histogram", "linear", 2, [])
    assert stored["bins"][1]["rows"] == 1


def test_a_class_without_rows_has_no_shares():
    found = histogram([0, 0], [0.3, 0.9], bins=2)

    assert found.positive == 0
    assert all(isnan(row["positive_share"]) for row in found.csv_rows())
    assert json.loads(found.to_json())["bins"][0]["positive_share"] is None


def test_stored_evaluations_have_no_rows():
    ev = rg.evaluate_predictions({"label": [0, 1], "score": [0.1, 0.9]}, "AUC")

    with pytest.raises(InputError, match="score_histogram: this evaluation was stored and has no rows"):
        rg.score_histogram(rg.Evaluation.from_dict(ev.to_dict()))


@pytest.mark.parametrize("bins", [0, 1.5, True])
def test_bins_are_a_positive_integer(bins: Any):
    with pytest.raises(ParameterError, match="`bins` must be a positive integer"):
        histogram([0, 1], [0.1, 0.9], bins)


def test_several_models_are_not_one():
    rows = {"label": [0, 1], "a": [0.1, 0.9], "b": [0.2, 0.8]}

    with pytest.raises(ParameterError, match="needs the evaluation of one model, got PredictionEvaluations"):
        rg.score_histogram(rg.evaluate_predictions(rows, "AUC", label="label", scores=["a", "b"]))
