"""Several classes are found in mappings, frames and files, or refused with the rows that are wrong."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pytest

import rankgauge as rg
from rankgauge.data.class_reading import may_be_classes, read_classes
from rankgauge.errors import InputError, ParameterError

LABEL, CALLED = ["cat", "dog", "fox", "cat"], ["cat", "cat", "fox", "dog"]
P = np.array([[0.7, 0.2, 0.1], [0.5, 0.4, 0.1], [0.1, 0.2, 0.7], [0.3, 0.6, 0.1]])
BY_CLASS = {f"p_{name}": P[:, i] for i, name in enumerate(("cat", "dog", "fox"))}


# the forms


def test_labels_and_predictions_of_text():
    got = read_classes({"label": LABEL, "prediction": CALLED})

    assert got.classes == ("cat", "dog", "fox")
    assert got.label.tolist() == [0, 1, 2, 0]
    assert got.called["prediction"].tolist() == [0, 0, 2, 1]
    assert repr(got) == "<ClassPredictions 'predictions': 4 rows, 3 classes, 1 model>"


@pytest.mark.parametrize(
    "form",
    [
        pytest.param(dict, id="mapping"),
        pytest.param(pl.DataFrame, id="polars"),
        pytest.param(pd.DataFrame, id="pandas"),
        pytest.param(lambda d: pl.DataFrame(d).to_arrow(), id="arrow"),
        pytest.param(lambda d: pl.DataFrame(d).lazy(), id="lazy"),
        pytest.param(lambda d: pl.DataFrame(d).with_columns(pl.col("label").cast(pl.Categorical)), id="categories"),
    ],
)
def test_every_form_of_a_table_reads_the_same(form):
    got = read_classes(form({"label": LABEL, **BY_CLASS}))

    assert got.classes == ("cat", "dog", "fox")
    assert np.array_equal(got.probabilities["p"], P)
    assert got.called["p"].tolist() == [0, 0, 2, 1]


@pytest.mark.parametrize("suffix", ["csv", "tsv", "parquet", "jsonl"])
def test_files_of_every_format(tmp_path: Path, suffix: str):
    frame, path = pl.DataFrame({"label": LABEL, "prediction": CALLED, "user_id": ["a", "b", "b", "c"]}), tmp_path / "t"
    path = path.with_suffix(f".{suffix}")
    if suffix == "parquet":
        frame.write_parquet(path)
    elif suffix == "jsonl":
        frame.write_ndjson(path)
    else:
        frame.write_csv(path, separator="," if suffix == "csv" else "\t")

    got = read_classes(path)

    assert (got.name, got.path) == ("t", path)
    assert got.called["prediction"].tolist() == [0, 0, 2, 1]
    assert got.group.column == "user_id"
    assert "read 'user_id' as group" in got.notes


def test_a_matrix_with_the_names_of_its_columns():
    got = read_classes({"label": LABEL, "score": P}, classes=["cat", "dog", "fox"])

    assert np.array_equal(got.probabilities["score"], P)
    assert got.notes == ()


def test_a_matrix_of_whole_numbers_needs_no_names_and_says_so():
    got = read_classes({"label": [0, 2, 2, 1], "score": P.tolist()})

    assert got.classes == ("0", "1", "2")
    assert "columns of the matrix read as classes 0 to 2" in got.notes[0]


def test_columns_are_brought_into_the_order_of_classes():
    got = read_classes({"label": LABEL, **BY_CLASS}, classes=["fox", "dog", "cat"])

    assert np.array_equal(got.probabilities["p"], P[:, ::-1])


def test_prediction_and_probabilities_are_two_columns_of_one_model():
    got = read_classes({"label": LABEL, "prediction": CALLED, **BY_CLASS})

    assert list(got.called) == list(got.probabilities) == ["prediction"]
    assert not any("not the most probable" in note for note in got.notes)
    other = read_classes({"label": LABEL, "prediction": ["fox"] * 4, **BY_CLASS})
    assert "prediction: in 3 of 4 rows the predicted class is not the most probable" in other.notes


def test_several_models_by_prefix_by_column_and_by_name():
    twice = {f"{model}_{name}": P[:, i] for model in ("old", "new") for i, name in enumerate(("cat", "dog", "fox"))}

    by_prefix = read_classes({"label": LABEL, **twice}, probabilities=["old_", "new_"])
    by_column = read_classes({"label": LABEL, "a": CALLED, "b": LABEL}, {"a": "prediction", "b": "prediction"})
    by_name = read_classes({"label": LABEL, "prediction": {"a": CALLED, "b": LABEL}})

    assert list(by_prefix.probabilities) == ["old", "new"]
    assert list(by_column.called) == list(by_name.called) == ["a", "b"]


@pytest.mark.parametrize(
    ("values", "classes"),
    [
        ([0, 10, 9, 2], ("0", "2", "9", "10")),
        ([1.0, 2.0, 3.0, 10.0], ("1", "2", "3", "10")),
        (["1.0", "2.0", "10.0", "2"], ("1", "2", "10")),
        (["01", "1", "2", "2"], ("01", "1", "2")),
        ([True, False, True, True], ("False", "True")),
        (["a, b", "(c)", "d=e", "line\nbreak"], ("(c)", "a, b", "d=e", "line\nbreak")),
        (["猫", "🐶", "ﬁ", "é"], ("é", "猫", "ﬁ", "🐶")),
        (["", " x ", "x", "y"], None),
    ],
)
def test_names_of_classes_are_what_labels_are_called(values, classes):
    if classes is None:
        with pytest.raises(InputError, match=r"label must not be missing.*row 1"):
            read_classes({"label": values, "prediction": values})
        return

    assert read_classes({"label": values, "prediction": values}).classes == tuple(classes)


def test_rows_of_weight_0_are_left_out_and_counted():
    got = read_classes({"label": LABEL, "prediction": CALLED, "weight": [1, 0, 2, 3]})

    assert len(got) == 3
    assert got.zero_weight_rows == 1
    assert got.classes == ("cat", "dog", "fox")


def test_tied_probabilities_take_the_first_class_and_say_so():
    got = read_classes({"label": ["a", "b"], "p_a": [0.5, 0.1], "p_b": [0.5, 0.9]})

    assert got.called["p"].tolist() == [0, 1]
    assert "p: in 1 of 2 rows several classes are most probable; the first of them is the predicted one" in got.notes


def test_rounded_probabilities_are_taken_with_a_note():
    got = read_classes({"label": ["a", "b"], "p_a": [0.3333, 0.5], "p_b": [0.6666, 0.5]})

    assert "1 rows of probabilities sum to 1 only within 0.0001: taken as they are" in got.notes


# what is refused


@pytest.mark.parametrize(
    ("rows", "options", "message"),
    [
        ({"label": ["a", "b"], "p_a": [0.5, 0.5], "p_b": [0.5, 0.2]}, {}, r"must sum to 1, got 0\.7 in row 2 \(1 of 2"),
        ({"label": ["a", "b"], "p_a": [0.5, np.nan], "p_b": [0.5, 1]}, {}, r"none missing, got nan for 'a' in row 2"),
        ({"label": ["a", "b"], "p_a": [0.5, 1.5], "p_b": [0.5, -0.5]}, {}, r"from 0 to 1, got 1\.5 for 'a' in row 2"),
        ({"label": ["a", "c"], "p_a": [0.5, 0.5], "p_b": [0.5, 0.5]}, {}, r"got 'c' in 1 of 2 rows.*no column 'p_c'"),
        ({"label": ["a", None], "prediction": ["a", "a"]}, {}, r"label must not be missing, got nothing in 1 of 2"),
        ({"label": ["a", "b"], "prediction": ["a", None]}, {}, r"prediction must not be missing.*row 2"),
        ({"label": [1.5, 2], "prediction": [1, 2]}, {}, r"row 1: label 1\.5: a label must be text or a whole number"),
        ({"label": ["a", "b"], "p": np.eye(2)}, {}, r"needs the names of its 2 columns\. Pass classes="),
        ({"label": ["a", "b"], "p": np.eye(2)}, {"classes": ["a", "c"]}, r"one of the classes \('a', 'c'\), got 'b'"),
        ({"label": ["a", "b"], "p": np.eye(2)}, {"classes": list("abc")}, r"2 rows and a column for each of 3 classes"),
        ({"label": ["a"], "x": [1]}, {}, r"columns missing.*'prediction', or 'p_<class>' for each class"),
        ({"label": ["a"], "prediction": ["a"]}, {"probabilities": "q_"}, r"no column begins with 'q_'"),
        ({"label": ["a"], "p_a": [1], "p_b": [0]}, {"classes": list("abc")}, r"'p' has no probability of 'c'"),
        ({"label": ["a"], "p_a": [1], "p_b": [0]}, {"classes": ["a"]}, r"'p' has a probability of 'b', which is no"),
        ({"label": [], "prediction": []}, {}, r"at least one row, got none"),
        ({"label": ["a", "b"], "prediction": ["a"]}, {}, r"same length"),
        ({"label": ["a"], "prediction": ["a"], "weight": [-1]}, {}, r"weight must be a finite number and not negative"),
    ],
)
def test_what_is_wrong_is_said_with_the_first_rows(rows, options, message):
    with pytest.raises(InputError, match=message) as found:
        read_classes(rows, **options)
    assert any("\u4e00" <= c <= "\u9fff" for c in found.value.text.zh)


@pytest.mark.parametrize("classes", ["abc", [], ["a", "a"], [0.5], [None], 3])
def test_names_of_classes_are_checked(classes):
    with pytest.raises(ParameterError, match="`classes` must"):
        read_classes({"label": ["a"], "prediction": ["a"]}, classes=classes)


# when rows are classes without being called so


@pytest.mark.parametrize(
    "rows",
    [
        {"label": LABEL, "prediction": CALLED},
        {"label": [0, 1, 2], "prediction": [0, 2, 2]},
        {"label": [0, 1, 2], "y_pred": [0.0, 2.0, 2.0]},
        {"label": LABEL, **BY_CLASS},
        {"label": [0, 1], "p_0": [0.5, 0.5], "p_1": [0.5, 0.5]},
        {"label": [0, 1, 2, 2], "score": P},
        {"label": ["yes", "no"], "prediction": ["no", "yes"]},
    ],
)
def test_rows_that_are_plainly_classes(rows):
    assert may_be_classes(rows, {}) is not None
    assert isinstance(rg.evaluate_predictions(rows), rg.ClassEvaluation)


@pytest.mark.parametrize(
    "rows",
    [
        {"label": ["yes", "no"], "score": [0.3, 0.4]},  # which is positive?
        {"label": [0, 1, 2], "score": [0.3, 0.4, 0.5]},  # grades and scores
        {"label": [0, 1, 2], "prediction": [0.3, 0.4, 0.5]},
        {"label": ["yes", "no"], "prediction": [1, 0]},  # nothing is called as a label is
        {"label": [0, 1], "p_old": [0.5, 0.5], "p_new": [0.5, 0.5]},  # two models, not two classes
        {"label": [0, 1], "score": [[0.5, 0.5], [0.1, 0.9]]},  # both columns of a binary model
    ],
)
def test_rows_that_are_not_are_an_error_as_before(rows):
    assert may_be_classes(rows, {}) is None
    with pytest.raises(InputError):
        rg.evaluate_predictions(rows)


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        (
            {"label": [0, 1, 2], "prediction": [0, 1, None]},
            "prediction must not be missing, got nothing in 1 of 3 rows",
        ),
        (
            {"label": ["a", "b"], "p_a": [0.7, None], "p_b": [0.3, 0.6], "p_c": [0.0, 0.1]},
            "must be numbers, none missing",
        ),
        ({"label": ["a", "d"], "p_a": [0.7, 0.1], "p_b": [0.3, 0.9]}, "There is no column 'p_d'"),
        ({"label": ["a", "b"], "p_a": [0.7, 0.1], "p_b": [0.3, 0.1], "p_c": [0.0, 0.1]}, "must sum to 1, got 0.3"),
    ],
)
def test_what_is_wrong_with_rows_that_plainly_are_classes_is_told(rows, said):
    with pytest.raises(InputError, match=said):
        rg.evaluate_predictions(rows)


@pytest.mark.parametrize(
    "rows",
    [
        {"label": [0, 1, 1], "prediction": [0, 1, 0]},
        {"label": [0, 1, 1], "score": [0.2, 0.9, 0.4], "p_0": [0.8, 0.1, 0.6], "p_1": [0.2, 0.9, 0.4]},
        {"label": [-1, 1, 1], "pred": [0, 1, 1]},
    ],
)
def test_labels_and_scores_stay_labels_and_scores(rows):
    assert isinstance(rg.evaluate_predictions(rows, ["AUC"]), rg.PredictionEvaluation)


def test_two_classes_can_be_called_classes():
    rows = {"label": [0, 1, 1, 0], "prediction": [0, 1, 0, 0]}

    by_column = rg.evaluate_predictions(rows, ["Accuracy"], prediction="prediction")
    by_names = rg.evaluate_predictions(rows, ["Accuracy"], classes=[0, 1])

    assert by_column["Accuracy"] == by_names["Accuracy"] == 0.75
