"""Rows in pieces are refused and told about as the whole table is."""

import re

import numpy as np
import polars as pl
import pytest

from rankgauge.data.prediction_parts import PredictionParts
from rankgauge.data.predictions import from_canonical
from rankgauge.errors import InputError, ParameterError


def pieces(columns: dict, size: int = 2, positive=None) -> PredictionParts:
    parts = PredictionParts("predictions 'x'", positive)
    frame = pl.DataFrame(columns)
    for start in range(0, frame.height, size):
        parts.take(frame[start : start + size])
    return parts


def whole(columns: dict, positive=None):
    return from_canonical(pl.DataFrame(columns), "predictions 'x'", None, positive, "x", ())


TABLES = [
    {"label:y": [1, 0, 0, 1], "score:s": [0.1, 0.2, 0.3, 0.4]},
    {"label:y": [1, 1, -1, 1, -1], "score:s": [0.1, 0.2, 0.3, 0.4, 5.0]},
    {"label:y": [1.0, 0.0, 0.3, 0.4, 1.0], "score:s": [0.1] * 5},
    {"label:y": [1, 0, 1, 0], "score:s": [0.1] * 4, "weight:w": [0.0, 0.0, 2.0, 1.0]},
]


@pytest.mark.parametrize("columns", TABLES)
def test_notes_and_rows_are_those_of_the_whole_table(columns):
    expected = whole(columns)
    parts = PredictionParts("predictions 'x'")
    taken = [parts.take(pl.DataFrame(columns)[i : i + 2]) for i in range(0, 5, 2)]

    assert parts.finish() == expected.notes
    assert np.concatenate([t.label for t in taken]).tolist() == expected.label.tolist()
    assert np.concatenate([t.scores["s"] for t in taken]).tolist() == expected.score.tolist()
    assert parts.zero_weight_rows == expected.zero_weight_rows


@pytest.mark.parametrize(
    "columns",
    [
        {"label:y": [1, 0, 0, 1], "score:s": [0.1, 0.2, float("nan"), 0.4]},
        {"label:y": [1, 0, 2, 1], "score:s": [0.1, 0.2, 0.3, 0.4]},
        {"label:y": [1, None, 0, 1], "score:s": [0.1, 0.2, 0.3, 0.4]},
        {"label:y": [1, 0, 0, 1], "score:s": [0.1] * 4, "weight:w": [1.0, 1.0, 1.0, -1.0]},
        {"label:y": [1, 0, 0, 1], "score:s": [0.1] * 4, "group:u": ["a", "b", None, "d"]},
    ],
    ids=["nan score", "label 2", "no label", "negative weight", "no group"],
)
def test_a_bad_row_is_the_same_error_with_its_place(columns):
    with pytest.raises(InputError) as expected:
        whole(columns)
    with pytest.raises(InputError) as got:
        pieces(columns, size=3)

    def without_counts(e) -> str:
        return re.sub(r"of \d rows", "of the rows", str(e.value))

    assert without_counts(got) == without_counts(expected)


def test_no_rows_at_all_is_an_error():
    with pytest.raises(InputError, match="must have at least one row"):
        pieces({"label:y": [], "score:s": []}).finish()


def test_weights_may_be_zero_in_a_piece_but_not_in_all():
    columns = {"label:y": [1, 0], "score:s": [0.1, 0.2], "weight:w": [0.0, 0.0]}

    with pytest.raises(InputError, match="weight must be positive in some rows, got 0 in all 2"):
        pieces(columns).finish()


def test_zero_in_one_piece_and_minus_one_in_another_is_an_error():
    with pytest.raises(InputError, match="0 and 1 or -1 and 1 throughout"):
        pieces({"label:y": [1, 0, -1, 1], "score:s": [0.1] * 4})


def test_positive_may_be_missing_from_a_piece_but_not_from_all():
    columns = {"label:y": ["yes", "no", "no", "perhaps"], "score:s": [0.1] * 4}

    assert pieces(columns, positive="yes").finish() == ()
    with pytest.raises(InputError, match="must be 'yse' in some rows"):
        pieces(columns, positive="yse").finish()


def test_segments_are_refused():
    with pytest.raises(ParameterError, match="slices are made in memory"):
        pieces({"label:y": [1], "score:s": [0.1], "segment:device": ["phone"]})


def test_groups_of_two_types_are_refused():
    parts = PredictionParts("predictions 'x'")
    parts.take(pl.DataFrame({"label:y": [1], "score:s": [0.1], "group:u": [7]}))

    with pytest.raises(InputError, match="group 'u' must be of one type in all parts, got Int64 and String"):
        parts.take(pl.DataFrame({"label:y": [1], "score:s": [0.1], "group:u": ["7"]}))
