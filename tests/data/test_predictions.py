"""Labels and scores: every way in gives the same rows, and what is wrong is said with its rows."""

import array
import datetime as dt
import gzip
import json
import subprocess
import sys

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rankgauge.data import Predictions, Qrels, Run, read_predictions
from rankgauge.errors import InputError, ParameterError
from rankgauge.evaluation.predictions.state import PredictionState

ROWS = {
    "label": [1, 0, 0, 1, 0],
    "score": [0.9, 0.25, 0.5, 0.125, 0.0],
    "weight": [1.0, 2.0, 1.0, 0.5, 1.0],
    "group": ["u2", "u1", "u2", "u3", "u1"],
    "time": [5, 4, 3, 2, 1],
    "device": ["phone", "tablet", "phone", "phone", "tablet"],
}
Y = np.array(ROWS["label"])
S = np.array(ROWS["score"])


def of(label=Y, score=S, /, **more):
    options = {k: more.pop(k) for k in ("positive", "columns", "slices", "scores", "name") if k in more}
    return Predictions.of({"label": label, "score": score, **more}, **options)


def names(codes):
    return [codes.name_of(c) for c in codes.codes]


# one table, many ways in


def as_csv(folder, separator=",", name="x.csv"):
    pl.DataFrame(ROWS).write_csv(folder / name, separator=separator)
    return folder / name


def as_jsonl(folder):
    pl.DataFrame(ROWS).write_ndjson(folder / "x.jsonl")
    return folder / "x.jsonl"


def as_json(folder):
    (folder / "x.json").write_text(json.dumps(pl.DataFrame(ROWS).to_dicts()))
    return folder / "x.json"


def as_parquet(folder):
    pl.DataFrame(ROWS).write_parquet(folder / "x.parquet")
    return folder / "x.parquet"


def as_arrow(folder):
    pl.DataFrame(ROWS).write_ipc(folder / "x.arrow")
    return folder / "x.arrow"


def as_gzip(folder):
    (folder / "x.csv.gz").write_bytes(gzip.compress(as_csv(folder).read_bytes()))
    return folder / "x.csv.gz"


WAYS = {
    "lists": lambda _: ROWS,
    "arrays": lambda _: {k: np.array(v) for k, v in ROWS.items()},
    "pandas series": lambda _: {k: pd.Series(v) for k, v in ROWS.items()},
    "polars series": lambda _: {k: pl.Series(v) for k, v in ROWS.items()},
    "pandas": lambda _: pd.DataFrame(ROWS),
    "pandas index": lambda _: pd.DataFrame(ROWS).set_index("group"),
    "pandas category": lambda _: pd.DataFrame(ROWS).astype({"group": "category", "device": "category"}),
    "pandas nullable": lambda _: pd.DataFrame(ROWS).astype({"label": "Int64", "score": "Float64"}),
    "polars": lambda _: pl.DataFrame(ROWS),
    "polars lazy": lambda _: pl.LazyFrame(ROWS),
    "pyarrow": lambda _: pa.table(ROWS),
    "structured": lambda _: pd.DataFrame(ROWS).astype({"group": object}).to_records(index=False),
    "csv": as_csv,
    "tsv": lambda folder: as_csv(folder, "\t", "x.tsv"),
    "semicolons": lambda folder: as_csv(folder, ";"),
    "gzip": as_gzip,
    "jsonl": as_jsonl,
    "json": as_json,
    "parquet": as_parquet,
    "arrow": as_arrow,
}


@pytest.mark.parametrize("way", WAYS)
def test_every_way_in_gives_the_same(way, tmp_path):
    got = Predictions.of(WAYS[way](tmp_path), slices=["device"])

    assert got.label.dtype == bool
    assert got.label.tolist() == [True, False, False, True, False]
    assert list(got.scores) == ["score"]
    assert got.score.dtype == got.weight.dtype == np.float64
    assert got.score.tolist() == ROWS["score"]
    assert got.weight.tolist() == ROWS["weight"]
    assert got.group.column == "group"
    assert names(got.group) == ROWS["group"]
    assert got.group.codes.max() < got.group.n == 3
    assert got.time.dtype == np.int64
    assert got.time.tolist() == ROWS["time"]
    assert names(got.segments["device"]) == ROWS["device"]
    assert got.notes == ()
    assert len(got) == 5
    assert not got.is_soft


@pytest.mark.parametrize("way", ["csv", "jsonl", "parquet"])
def test_read_predictions_takes_the_name_of_the_file(way, tmp_path):
    got = read_predictions(WAYS[way](tmp_path), columns={"device": "ignore"})

    assert repr(got) == "<Predictions 'x': 5 rows, 2 positives, 1 score>"
    assert read_predictions(str(WAYS[way](tmp_path)), name="clicks").name == "clicks"


def test_frame_and_back():
    first = Predictions.of(ROWS, slices=["device", "group"])
    frame = first.to_frame()

    assert frame.columns == ["label", "score", "device", "segment:group", "weight", "group", "time"]
    again = Predictions.of(frame, slices=["device", "segment:group"])
    assert (
        again.to_frame()
        .drop("segment:group", "segment:segment:group", strict=False)
        .equals(frame.drop("segment:group"))
    )
    assert of(group=[7, 8, 7, 8, 9]).to_frame()["group"].to_list() == [7, 8, 7, 8, 9]
    assert of(group=[7, 8, 7, 8, 900]).to_frame()["group"].to_list() == [7, 8, 7, 8, 900]


# nothing is copied or changed


def test_arrays_that_are_fine_are_used_as_they_are():
    label, score, weight, group, time = Y == 1, S.copy(), np.ones(5), np.array([3, 1, 4, 1, 5]), np.arange(5)
    got = of(label, score, weight=weight, group=group, time=time)

    assert got.label is label
    assert got.score is score
    assert got.weight is weight
    assert got.group.codes is group
    assert got.time is time


def test_inputs_come_back_as_they_went_in():
    data = {k: np.array(v) for k, v in ROWS.items()}
    data |= {"label": np.array([-1, 1, 1, -1, 1]), "weight": np.array([0.0, 1, 2, 3, 4])}
    for values in data.values():
        values.flags.writeable = False
    keep = {k: v.copy() for k, v in data.items()}
    columns = {"device": "segment"}

    Predictions.of(data, columns=columns)

    assert columns == {"device": "segment"}
    assert list(data) == list(keep)
    assert all((data[k] == keep[k]).all() for k in data)


def test_predictions_are_themselves():
    p = of()

    assert Predictions.of(p) is p
    assert Predictions.of(p, name="b").name == "b"
    with pytest.raises(ParameterError, match="chosen when the Predictions were made"):
        Predictions.of(p, label="x")
    with pytest.raises(AttributeError):
        p.label = Y


def test_mapping_of_arrays_needs_numpy_only():
    code = """
import sys, numpy as np
from rankgauge.data import Predictions
n = 1000
p = Predictions.of({"label": np.arange(n) % 2, "score": np.linspace(0, 1, n, dtype="f4"), "group": np.arange(n),
                    "time": np.arange(n), "weight": np.arange(n)})
p.select(p.label).with_scores({"b": np.zeros(500)})
print(p, *(m for m in ("polars", "pandas", "pyarrow", "msgspec") if m in sys.modules))
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert done.stdout.strip() == "<Predictions 'predictions': 999 rows, 500 positives, 1 score>"


# labels


@pytest.mark.parametrize(
    "label",
    [
        [True, False, False, True, False],
        [1.0, 0.0, 0.0, 1.0, 0.0],
        ["1", "0", "0", "1", "0"],
        ["True", "false", "FALSE", "true", "0"],
        [True, 0, 0.0, 1, False],
        (1, 0, 0, 1, 0),
        array.array("b", [1, 0, 0, 1, 0]),
        Y.astype(np.uint8),
        Y.astype(np.float32),
        Y.astype(">i4"),
        pd.array([1, 0, 0, 1, 0], dtype="Int8"),
        (v for v in [1, 0, 0, 1, 0]),
    ],
    ids=range(12),
)
def test_labels_of_many_types_become_bool(label):
    got = of(label)

    assert got.label.dtype == bool
    assert got.label.tolist() == [True, False, False, True, False]


class Tensor:
    """Like a tensor that belongs to a graph: only a detached copy shows its numbers."""

    def __init__(self, values, free=False):
        self.values, self.free = values, free

    def detach(self):
        return Tensor(self.values, free=True)

    def cpu(self):
        return self

    def __len__(self):
        return len(self.values)

    def __array__(self, dtype=None, copy=None):
        assert self.free
        return np.asarray(self.values, dtype=dtype)


def test_tensors_are_detached():
    assert of(Tensor(Y), Tensor(S)).score.tolist() == ROWS["score"]


@pytest.mark.parametrize("label", [[-1, 1, 1, -1, 1], np.array([-1.0, 1, 1, -1, 1]), ["-1", "1", "1", "-1", "1"]])
def test_labels_of_minus_one_and_one(label):
    got = of(label)

    assert got.label.tolist() == [False, True, True, False, True]
    assert "labels -1/1: -1 read as 0" in got.notes


def test_minus_one_beside_zero_is_refused():
    with pytest.raises(InputError, match=r"got -1 in 1 of 5 rows \(row 2\)"):
        of([0, -1, 1, 0, 1])


def test_soft_labels_stay_numbers():
    got = of(np.array([0, 0.25, 1, 0.5, 0], dtype=np.float32))

    assert got.is_soft
    assert got.label.dtype == np.float64
    assert got.label.tolist() == [0, 0.25, 1, 0.5, 0]
    assert got.notes == ("soft labels: 2 of 5 strictly between 0 and 1",)
    assert repr(got) == "<Predictions 'predictions': 5 rows, soft labels, 1 score>"


def test_other_numbers_are_refused_with_rows_and_a_way_out():
    with pytest.raises(InputError) as e:
        of([1, 5, 3, 4, 0])

    assert str(e.value) == (
        "predictions: label must be 0 or 1 (or True/False, -1/1, or a number between 0 and 1), "
        "got 3, 4, 5 in 3 of 5 rows (row 2, row 3, row 4). "
        'Say which are positive, for example positive=5 or positive=">=5".'
    )
    with pytest.raises(InputError, match=r"got 2 in 2 of 5 rows.*positive=2\.$"):
        of([1, 2, 1, 1, 2])


def test_words_are_refused_with_rows_and_a_way_out():
    with pytest.raises(InputError) as e:
        of(["yes", "no", "no", "no", "yes"], name="clicks")

    assert str(e.value) == (
        "predictions 'clicks': label must be 0 or 1 (or True/False, -1/1, or a number between 0 and 1), "
        "got 'no', 'yes' in 5 of 5 rows (row 1, row 2, row 3, …). Say which are positive, for example positive='yes'."
    )


@pytest.mark.parametrize(
    ("label", "positive", "expected"),
    [
        (["yes", "no", " yes ", "no", "no"], "yes", [0, 2]),
        (["yes", "no", "maybe", "no", "no"], "!=no", [0, 2]),
        ([">50K", "<=50K", "<=50K", ">50K", "<=50K"], ">50K", [0, 3]),
        ([">50K", "<=50K", "<=50K", ">50K", "<=50K"], "<=50K", [1, 2, 4]),
        ([1, 2, 1, 2, 2], 2, [1, 3, 4]),
        ([1, 2, 1, 2, 2], "2", [1, 3, 4]),
        (["1", "2", "1", "2", "2"], 2, [1, 3, 4]),
        ([5, 4, 3, 2, 1], ">=4", [0, 1]),
        ([5, 4, 3, 2, 1], " > 3 ", [0, 1]),
        ([5, 4, 3, 2, 1], "<=2", [3, 4]),
        ([5, 4, 3, 2, 1], "<2", [4]),
        ([5, 0, 3, 0, 1], "!=0", [0, 2, 4]),
        ([0.5, 0.2, 0.9, 0.1, 0.7], ">=0.5", [0, 2, 4]),
        ([True, False, True, True, True], False, [1]),
        ([0, 0, 0, 0, 0], 1, []),
        (["no"] * 5, "yes", []),
    ],
)
def test_positive_says_which_labels_count(label, positive, expected):
    got = of(label, positive=positive)

    assert got.label.dtype == bool
    assert np.flatnonzero(got.label).tolist() == expected


def test_positive_that_does_not_occur():
    with pytest.raises(
        InputError, match=r"label must be 'Yes' in some rows \(positive=\), got 'no', 'yes'.*mean yes\?"
    ):
        of(["yes", "no", "no", "no", "yes"], positive="Yes")
    with pytest.raises(InputError, match=r"label must be 7 in some rows \(positive=\), got 0, 1, 2"):
        of([0, 1, 2, 1, 0], positive=7)


def test_positive_that_does_not_fit_the_labels():
    with pytest.raises(ParameterError, match=r"positive must be a number or a comparison.*\(0, 1\), got 'yes'"):
        of(positive="yes")
    with pytest.raises(ParameterError, match=r"positive must be a number or a comparison.*\(0, 1\), got 1000"):
        of(positive=10**400)
    with pytest.raises(InputError, match=r"label must be numbers for positive='>=4', got 'a', 'b' in 5 of 5"):
        of(["a", "b", "a", "b", "a"], positive=">=4")


@pytest.mark.parametrize(
    ("label", "positive"),
    [
        ([1, None, 0, 1, np.nan], None),
        (np.array([1, np.nan, 0, 1, np.nan]), None),
        (np.array([1, np.nan, 0, 1, np.nan]), 1),
        (["yes", None, "no", "no", None], "yes"),
        (["1", "", "0", "0", " "], None),
        ([True, None, False, True, None], None),
        (pd.array([1, None, 0, 1, None], dtype="Int64"), None),
        (pl.Series([1, None, 0, 1, None]), None),
        (np.ma.array([1, 0, 0, 1, 1], mask=[0, 1, 0, 0, 1]), None),
    ],
)
def test_missing_labels_are_refused_with_their_rows(label, positive):
    with pytest.raises(InputError, match=r"label must not be missing, got .* in 2 of 5 rows \(row 2, row 5\)"):
        of(label, positive=positive)


def test_label_of_another_type_is_refused():
    with pytest.raises(InputError, match="column 'label': label must be numbers, True/False or text, got a column"):
        of(np.array(["2024-01-01"] * 5, dtype="datetime64[D]"))


# scores


@pytest.mark.parametrize(
    "score",
    [S.astype(np.float32), [0, 1, 2, 3, 4], np.array([True, False, True, True, False]), ["1", "2", "3", "4", "5"]],
)
def test_scores_become_float64(score):
    got = of(Y, score)

    assert got.score.dtype == np.float64
    assert got.score.tolist() == [float(s) for s in score]


def test_scores_may_be_infinite_and_outside_of_zero_and_one():
    assert of(Y, [np.inf, -np.inf, 3, -7, 0]).score.tolist() == [np.inf, -np.inf, 3, -7, 0]


@pytest.mark.parametrize("score", [[1, np.nan, 2, 3, np.nan], [1, None, 2, 3, None], pl.Series([1, None, 2, 3, None])])
def test_missing_scores_are_refused_with_their_rows(score):
    with pytest.raises(InputError) as e:
        of(Y, score)

    assert str(e.value) == "predictions: score must be a number, got nan or nothing in 2 of 5 rows (row 2, row 5)."


def test_scores_that_are_words_are_refused_with_their_rows():
    with pytest.raises(InputError, match="row 3: score must be a number, got 'x'"):
        of(Y, ["1", "2", "x", "3", "4"])


def test_both_columns_of_predict_proba():
    with pytest.raises(InputError, match=r"must be one value per row, got an array of shape \(5, 2\).*p\[:, 1\]"):
        of(Y, np.zeros((5, 2)))
    with pytest.raises(InputError, match="column 'score': must be one value per row, got 'pctr'"):
        of(Y, "pctr")
    with pytest.raises(InputError, match="rows of different length"):
        of(Y, [[1], [1, 2], [1], [1], [1]])
    with pytest.raises(InputError, match="column 'score': score must be numbers, got a column of type"):
        of(Y, np.zeros(5, dtype=complex))


def test_several_models():
    nested = Predictions.of({"label": Y, "score": {"old": S, "new": 1 - S}})
    flat = Predictions.of(pl.DataFrame({"label": Y, "new": 1 - S, "old": S}), scores=["old", "new"])
    mapped = Predictions.of({"label": Y, "old": S, "new": 1 - S}, columns={"old": "score", "new": "score"})

    for p in (nested, flat, mapped):
        assert list(p.scores) == ["old", "new"]
        assert (p.score == S).all()
        assert (p.scores["new"] == 1 - S).all()
    assert repr(nested) == "<Predictions 'predictions': 5 rows, 2 positives, 2 scores>"


def test_one_score_keeps_its_name():
    assert list(Predictions.of({"click": Y, "pctr": S}).scores) == ["pctr"]
    assert list(Predictions.of({"click": Y, "C17": S}, scores="C17").scores) == ["C17"]


def test_problems_of_all_models_are_told():
    with pytest.raises(InputError) as e:
        Predictions.of({"label": Y, "score": {"old": [*S[:4], np.nan], "new": [np.nan, *S[1:]]}})

    assert e.value.problems == (
        "score 'old' must be a number, got nan or nothing in 1 of 5 rows (row 5).",
        "score 'new' must be a number, got nan or nothing in 1 of 5 rows (row 1).",
    )


@pytest.mark.parametrize(
    ("data", "match"),
    [
        ({"label": Y, "score": {"label": S}}, "must differ, got 'label' twice"),
        ({"label": {"a": Y}, "score": S}, "column 'label': must be one value per row, got a mapping"),
        ({"label": Y, "score": {}}, "column 'score': must be one value per row, got a mapping"),
    ],
)
def test_nested_columns_that_make_no_sense(data, match):
    with pytest.raises(InputError, match=match):
        Predictions.of(data)


# weights


def test_rows_of_weight_zero_are_left_out_and_counted():
    got = Predictions.of({**ROWS, "weight": [0, 1, 2, 0, 1]}, slices=["device"])

    assert got.zero_weight_rows == 2
    assert got.notes == ("left out 2 rows of weight 0",)
    assert got.label.tolist() == [False, False, False]
    assert got.score.tolist() == [0.25, 0.5, 0.0]
    assert got.weight.tolist() == [1, 2, 1]
    assert names(got.group) == ["u1", "u2", "u1"]
    assert got.time.tolist() == [4, 3, 1]
    assert names(got.segments["device"]) == ["tablet", "phone", "tablet"]


@pytest.mark.parametrize("bad", [-1, np.nan, np.inf, -np.inf, None])
def test_weights_must_be_finite_and_not_negative(bad):
    with pytest.raises(
        InputError, match=r"weight must be a finite number and not negative, got .* in 1 of 5 rows \(row 4"
    ):
        of(weight=[1, 0, 2, bad, 1])


def test_weights_must_not_all_be_zero():
    with pytest.raises(InputError, match="weight must be positive in some rows, got 0 in all 5"):
        of(weight=[0] * 5)


# groups and segments


def test_small_integers_are_codes_already():
    got = of(group=np.array([19, 0, 3, 0, 3], dtype=np.int16)).group

    assert got.codes.dtype == np.int16
    assert got.names == range(20)
    assert got.name_of(got.codes[0]) == "19"


@pytest.mark.parametrize(
    ("group", "dtype"), [([20, 0, 3, 0, 3], np.int32), ([-1, 0, 3, 0, 3], np.int64), ([2**63, 0, 3, 0, 3], np.uint64)]
)
def test_other_integers_get_compact_codes(group, dtype):
    got = of(group=np.array(group, dtype=dtype)).group

    assert got.n == 3
    assert sorted(set(got.codes.tolist())) == [0, 1, 2]
    assert names(got) == [str(g) for g in group]


@pytest.mark.parametrize(
    ("group", "expected"),
    [
        ([1.0, 2.0, 1.0, 7.0, 2.0], ["1", "2", "1", "7", "2"]),
        (np.array([1, 2, 1, 7, 2], dtype=np.uint64), ["1", "2", "1", "7", "2"]),
        ([True, False, True, True, True], ["True", "False", "True", "True", "True"]),
        (["007", "7", "甲", "7", " "], ["007", "7", "甲", "7", " "]),
        (np.array([b"a", b"b", b"a", b"b", b"c"]), ["a", "b", "a", "b", "c"]),
        (["a", 1, "a", 1, 2], ["a", "1", "a", "1", "2"]),
    ],
)
def test_groups_of_many_types(group, expected):
    got = of(group=group).group

    assert names(got) == expected
    assert np.bincount(got.codes, minlength=got.n).sum() == 5


@given(st.lists(st.integers(-(2**63), 2**63 - 1) | st.integers(0, 50), min_size=1, max_size=30))
def test_integer_groups_keep_their_names(group):
    n = len(group)
    got = Predictions.of({"label": [0] * n, "score": [0.0] * n, "group": np.array(group, dtype=np.int64)}).group

    assert names(got) == [str(g) for g in group]
    assert got.codes.min() >= 0
    assert got.codes.max() < got.n <= max(4 * n, len(set(group)))


def test_group_must_not_be_missing_or_a_measurement():
    with pytest.raises(InputError) as e:
        of(uid=["a", None, "b", None, "c"])
    assert str(e.value) == (
        "predictions: group 'uid' must not be missing, got nothing in 2 of 5 rows (row 2, row 4). "
        'Fill them, or pass columns={"uid": "ignore"}.'
    )
    with pytest.raises(InputError, match=r"in 1 of 5 rows \(row 3\)"):  # as an empty field of a file
        of(uid=["a", "b", "", "a", "c"])
    assert of(uid=["a", None, "b", None, "c"], columns={"uid": "ignore"}).group is None
    with pytest.raises(InputError, match=r"in 1 of 5 rows \(row 2\)"):
        of(group=[1.0, np.nan, 2, 3, 4])
    with pytest.raises(InputError, match=r"row 1: group 1.5: a group must be text or a whole number"):
        of(group=[1.5, 2, 3, 4, 5])
    with pytest.raises(InputError, match=r"column 'group': group must be text or whole numbers, got a column of type"):
        Predictions.of(pl.DataFrame({"label": Y, "score": S, "group": [[1]] * 5}))


def test_missing_segments_are_a_segment():
    got = of(device=["a", None, "b", None, "a"], slices="device")

    assert names(got.segments["device"]) == ["a", "(missing)", "b", "(missing)", "a"]
    assert got.notes == ("segment 'device': 2 of 5 rows are missing, read as '(missing)'",)
    nested = Predictions.of({"label": Y, "score": S, "segments": {"hour": [1, 2, 1, 2, 3]}})
    assert names(nested.segments["hour"]) == ["1", "2", "1", "2", "3"]


def test_segment_may_be_the_group_as_well():
    got = of(user_id=["a", "b", "a", "b", "c"], slices=["user_id"])

    assert got.group.column == "user_id"
    assert names(got.group) == names(got.segments["user_id"])


# times


@pytest.mark.parametrize(
    ("time", "kind"),
    [
        (np.arange(5, dtype=np.uint8), "i8"),
        ([1.5, 2, 3, 4, 5], "f8"),
        (np.arange(5).astype("datetime64[D]"), "M8[D]"),
        ([dt.datetime(2024, 1, d) for d in range(1, 6)], "M8[us]"),
        ([dt.date(2024, 1, d) for d in range(1, 6)], "M8[D]"),
        (["14102100", "14102101", "14102102", "14102103", "14102104"], "i8"),
        ([f"2024-01-0{d}" for d in range(1, 6)], "M8[us]"),
        ([f"2024-01-01T0{d}:00:00+08:00" for d in range(1, 6)], "M8[us]"),
        (pd.date_range("2024-01-01", periods=5, tz="Asia/Shanghai"), "M8[us]"),
    ],
    ids=range(9),
)
def test_times_of_many_types_order_the_rows(time, kind):
    got = of(ts=time).time

    assert got.dtype == np.dtype(kind)
    assert np.argsort(got).tolist() == [0, 1, 2, 3, 4]


@pytest.mark.parametrize(
    "time", [[1, None, 3, 4, 5], [1, np.nan, 3, 4, 5], np.array(["2024", "NaT", "2024", "2024", "2024"], dtype="M8[D]")]
)
def test_missing_times_are_refused(time):
    with pytest.raises(InputError, match=r"time 'ts' must not be missing, got .* in 1 of 5 rows \(row 2\)"):
        of(ts=time)


@pytest.mark.parametrize("make", [dict, pl.DataFrame], ids=["mapping", "frame"])
@pytest.mark.parametrize(
    ("name", "time"),
    [("hour", [0, 23, 11, 0, 5]), ("day", [1, 7, 2, 3, 1]), ("day", [31.0, 1, 2, 3, 4]), ("date", [0, 366, 1, 2, 3])],
)
def test_hours_of_the_day_and_days_of_the_month_are_no_times(make, name, time):
    rows = {"label": Y, "score": S, name: np.array(time)}
    got = Predictions.of(make(rows))

    assert got.time is None
    assert len(got.notes) == 1
    assert got.notes[0].startswith(f"left out '{name}': numbers from {min(time):g} to {max(time):g} are no dates")
    assert Predictions.of(make(rows), time=name).time.tolist() == time


@pytest.mark.parametrize("make", [dict, pl.DataFrame], ids=["mapping", "frame"])
@pytest.mark.parametrize(
    ("name", "time"),
    [
        ("hour", [14102100, 14102123, 14102200, 14102201, 14103023]),
        ("day", [20240501, 20240502, 20240503, 20240504, 20240505]),
        ("date", [19844, 19845, 19846, 19847, 19848]),  # days since 1970
        ("ts", [1, 2, 3, 4, 5]),  # the name leaves no doubt
    ],
)
def test_numbers_that_are_dates_are_times(make, name, time):
    got = Predictions.of(make({"label": Y, "score": S, name: np.array(time)}))

    assert got.time.tolist() == time
    assert got.notes == (f"read '{name}' as time",)


def test_a_date_is_taken_before_the_hour_of_the_day():
    dates = np.array(["2024-05-01"] * 5, dtype="datetime64[D]")

    got = of(hour=np.arange(5), dt=dates)

    assert got.time.tolist() == dates.tolist()


def test_words_are_no_times():
    got = of(day=["Mon", "Tue", "Mon", "Tue", "Wed"])

    assert got.time is None
    assert "read 'day' as time" not in got.notes
    assert got.notes[-1] == (
        "left out 'day': time must be numbers, dates or times, got 5 of 5 that are none, such as 'Mon' (row 1)"
    )
    with pytest.raises(InputError, match="column 'day': time must be numbers, dates or times"):
        of(day=["Mon", "Tue", "Mon", "Tue", "Wed"], columns={"day": "time"})


# shape and choice of columns


def test_lengths_must_agree():
    with pytest.raises(InputError) as e:
        of(Y, S[:3], group=[1, 2], unused=[1])

    assert str(e.value) == "predictions: columns must have the same length, got 'label' 5, 'score' 3, 'group' 2."


@pytest.mark.parametrize("empty", [{"label": [], "score": []}, pl.DataFrame({"label": [], "score": []})])
def test_nothing_is_refused(empty):
    with pytest.raises(InputError, match="predictions: must have at least one row, got none"):
        Predictions.of(empty)


@pytest.mark.parametrize("thing", [[1, 2], (Y, S), np.zeros((5, 2)), Run.of({"q": ["d"]}), Qrels.of({"q": ["d"]})])
def test_things_that_are_no_predictions(thing):
    with pytest.raises(InputError, match=r'got a \w+. Pass \{"label": y, "score": p\}'):
        Predictions.of(thing)


def test_read_predictions_takes_paths_only():
    with pytest.raises(ParameterError, match=r"takes a path or an open file, got dict. Use Predictions.of"):
        read_predictions(ROWS)
    with pytest.raises(ParameterError, match="format is for files"):
        Predictions.of(ROWS, format="csv")


@pytest.mark.parametrize("make", [dict, pl.DataFrame, pd.DataFrame])
def test_short_forms_name_columns(make):
    data = make({"a": Y, "b": S, "c": ROWS["weight"], "d": ROWS["group"], "e": ROWS["time"], "label": S, "score": Y})
    got = Predictions.of(data, label="a", scores="b", weight="c", group="d", time="e")

    assert got.label.tolist() == [True, False, False, True, False]
    assert got.score.tolist() == ROWS["score"]
    assert got.weight.tolist() == ROWS["weight"]
    assert (names(got.group), got.group.column) == (ROWS["group"], "d")
    assert got.time.tolist() == ROWS["time"]
    assert got.notes == ()


def test_arrays_are_no_names_of_columns():
    with pytest.raises(ParameterError, match="group must be the name of a column, got list"):
        Predictions.of(ROWS, group=[1, 2, 3, 4, 5])


def test_several_possible_groups_take_the_clearest_and_say_so():
    got = of(session_id=[1, 2, 3, 4, 5], uid=[1, 2, 1, 2, 1])

    assert got.group.column == "uid"
    assert got.notes == (
        "read 'uid' as group",
        "several columns could be the group: took 'uid', not 'session_id'; `group` chooses another",
    )


# selecting


def test_select_by_mask_indices_and_slice():
    p = Predictions.of(ROWS, slices=["device"], name="x")
    wanted = p.to_frame()[[0, 3]]

    for rows in (p.label, [0, 3], np.array([0, 3]), slice(0, 4, 3), [-5, 3]):
        got = p.select(rows)
        assert got.to_frame().equals(wanted)
        assert got.name == "x"
    assert len(p.select([])) == 0
    assert p.select([3, 0]).score.tolist() == [0.125, 0.9]


@pytest.mark.parametrize("rows", [[True, False], [5], [-6], [0.5], [[0, 1]]])
def test_select_refuses_what_is_no_row(rows):
    with pytest.raises(ParameterError, match="select: "):
        of().select(rows)


def test_other_scores_on_the_same_rows():
    p = Predictions.of({**ROWS, "weight": [0, 1, 1, 1, 1]})
    got = p.with_scores({"a": [1, 2, 3, 4], "b": np.zeros(4)})

    assert list(got.scores) == ["a", "b"]
    assert got.label is p.label
    assert p.score.tolist() == ROWS["score"][1:]
    with pytest.raises(InputError, match=r"got 'label' 4, 'a' 5\. 1 row of weight 0 had been left out"):
        p.with_scores({"a": S})
    with pytest.raises(InputError, match="score 'a' must be a number"):
        p.with_scores({"a": [1, 2, 3, np.nan]})
    with pytest.raises(ParameterError, match="at least one score"):
        p.with_scores({})


# files


def write(folder, text, name="x.csv"):
    (folder / name).write_text(text, encoding="utf-8")
    return folder / name


@pytest.mark.parametrize(
    ("text", "order"),
    [("1,0.5\n0,0.25\n", "label, score"), ("0.5,1\n0.25,0\n", "score, label"), ("1\t0.5\n0\t0.25\n", "label, score")],
)
def test_two_columns_without_a_header_are_told_by_their_values(tmp_path, text, order):
    got = read_predictions(write(tmp_path, text))

    assert got.label.tolist() == [True, False]
    assert got.score.tolist() == [0.5, 0.25]
    assert f"no header: read as {order}" in got.notes


@pytest.mark.parametrize("text", ["1,0\n0,1\n", "0.5,0.3\n0.1,0.2\n", "1,0.5,3\n0,0.25,4\n", "1,0.5\n0,\n"])
def test_other_columns_without_a_header_cannot_be_told(tmp_path, text):
    with pytest.raises(InputError, match=r'Add a header or pass columns=\{"column_1": "label", "column_2": "score"\}'):
        read_predictions(write(tmp_path, text))
    if not text.endswith(",\n"):
        got = read_predictions(write(tmp_path, text), columns={"column_1": "label", "column_2": "score"})
        assert len(got) == 2


def test_one_column_is_no_table(tmp_path):
    with pytest.raises(InputError, match="line 1: expected at least two columns"):
        read_predictions(write(tmp_path, "label\n1\n"))


def test_problems_of_a_file_are_told_with_lines(tmp_path):
    text = "# from the logs\nclicked;pctr;uid\n1;0.5;007\n\n0;;008\n;0.3;\n"
    with pytest.raises(InputError) as e:
        read_predictions(write(tmp_path, text))

    assert e.value.problems == (
        "label 'clicked' must not be missing, got nan or nothing in 1 of 3 rows (line 6).",
        "score 'pctr' must be a number, got nan or nothing in 1 of 3 rows (line 5).",
        "group 'uid' must not be missing, got nothing in 1 of 3 rows (line 6). "
        'Fill them, or pass columns={"uid": "ignore"}.',
    )
    assert str(e.value).startswith("predictions 'x.csv': label 'clicked' must not be missing")


def test_words_in_several_columns_are_told_together(tmp_path):
    with pytest.raises(InputError) as e:
        read_predictions(write(tmp_path, "label,score,weight\n1,a,1\n0,1,b\n"))

    assert e.value.problems == (
        "line 2: score must be a number, got 'a'.",
        "line 3: weight must be a number, got 'b'.",
    )


def test_jsonl_problems_are_told_with_lines(tmp_path):
    text = '{"label": 1, "score": 0.5, "tags": ["x"]}\n\n{"label": 0, "score": null}\n{"score": 1}\n'
    with pytest.raises(InputError) as e:
        read_predictions(write(tmp_path, text, "x.jsonl"))

    assert [p[-9:] for p in e.value.problems] == ["(line 4).", "(line 3)."]


def test_jsonl_of_one_line_and_mixed_labels(tmp_path):
    assert len(read_predictions(write(tmp_path, '{"label": 1, "score": 0.5}', "x.jsonl"))) == 1
    text = '{"label": true, "score": 1}\n{"label": 0, "score": 0.5}\n{"label": 1.0, "score": 0}\n'
    assert read_predictions(write(tmp_path, text, "x.txt")).label.tolist() == [True, False, True]


def test_json_must_be_records(tmp_path):
    with pytest.raises(InputError, match="must hold a list of records"):
        read_predictions(write(tmp_path, '{"label": [1], "score": [0.5]}', "x.json"))


@pytest.mark.parametrize(
    ("name", "text", "format_"),
    [
        ("x.txt", "1 qid:3 1:0.5 2:0\n", "letor"),
        ("x.letor", "1 qid:3 1:0.5 2:0\n", "letor"),
        ("x.run", "q1 Q0 d1 1 0.5 t\n", "trec"),
        ("x.csv", "q1 0 d1 1\n", "trec"),
    ],
)
def test_rankings_are_no_predictions(tmp_path, name, text, format_):
    with pytest.raises(InputError, match=f"looks like {format_}, which holds no predictions. Known formats: parquet"):
        read_predictions(write(tmp_path, text, name))
    with pytest.raises(ParameterError, match=f"for predictions, got '{format_}', which holds no predictions"):
        read_predictions(write(tmp_path, text, name), format=format_)


def test_beir_folder_holds_no_predictions(tmp_path):
    (tmp_path / "qrels").mkdir()
    write(tmp_path / "qrels", "query-id\tcorpus-id\tscore\nq\td\t1\n", "test.tsv")
    with pytest.raises(InputError, match="looks like beir, which holds no predictions"):
        read_predictions(tmp_path)


def test_table_with_unknown_names_says_what_to_pass(tmp_path):
    path = write(tmp_path, "a\tb\n1\t0.5\n0\t0.75\n", "x.tsv")
    with pytest.raises(InputError, match=r'columns missing from .*\{"a": "label", "b": "score"\}'):
        read_predictions(path)
    assert read_predictions(path, columns={"a": "label", "b": "score"}).score.tolist() == [0.5, 0.75]


def test_quote_that_is_not_closed(tmp_path):
    with pytest.raises(InputError, match="holds a line break"):
        read_predictions(write(tmp_path, 'label,group,score\n1,"a,1\n0,b",0.5\n'))


# real logs


def test_avazu(shared):
    path = shared / "avazu_rx" / "tr.rx.csv.gz"
    got = read_predictions(path, scores=["C17"], slices=["device_type", "banner_pos"], group="device_id")

    assert repr(got) == "<Predictions 'tr.rx': 2,994 rows, 522 positives, 1 score>"
    assert got.notes == ("read 'click' as label", "read 'hour' as time")
    assert got.time[0] == 14102100
    assert list(got.segments["device_type"].names) == ["0", "1", "4", "5"]
    assert names(got.group)[0] == "a99f214a"
    with pytest.raises(InputError, match=r"columns missing from .*: 'score'.*Nothing there could be 'score'"):
        read_predictions(path)


def test_criteo(shared):
    path = shared / "deepctr_samples" / "criteo_sample.txt"

    assert repr(read_predictions(path, scores="I2")) == "<Predictions 'criteo_sample': 200 rows, 49 positives, 1 score>"
    with pytest.raises(
        InputError, match=r"score 'I3' must be a number, got nan or nothing in 34 of 200 rows \(line 14,"
    ):
        read_predictions(path, scores="I3")


def test_movielens_ratings(shared):
    path = shared / "deepctr_samples" / "movielens_sample.txt"
    got = read_predictions(path, label="rating", scores="age", positive=">=4", slices="gender")

    ratings = pl.read_csv(path)["rating"]
    assert int(got.label.sum()) == (ratings >= 4).sum()
    assert got.group.column == "user_id"
    assert got.segments["gender"].names == ["F", "M"]


def test_census_income(shared):
    path = shared / "deepctr_samples" / "census-income.sample.gz"
    got = read_predictions(path, columns={"column_43": "label", "column_2": "score"}, positive="50000+.")

    with gzip.open(path, "rt") as file:
        assert int(got.label.sum()) == sum("50000+." in line for line in file)


def test_what_is_missing_among_texts_of_a_list_is_missing():
    rows = {"label": [1, 0, 1], "score": [0.9, 0.2, 0.7], "user_id": ["a", float("nan"), "b"]}

    with pytest.raises(InputError, match=r"group 'user_id' must not be missing, got nothing in 1 of 3 rows \(row 2\)"):
        Predictions.of(rows)


def test_series_whose_rows_are_not_called_alike_are_refused():
    label, score = pd.Series([1, 0, 1]), pd.Series([0.9, 0.2, 0.7])
    shuffled = score.sample(frac=1, random_state=1)  # the same scores of the same rows, in another order

    with pytest.raises(InputError, match=r"'label' and 'score' must have the same index.*Pass a DataFrame"):
        Predictions.of({"label": label, "score": shuffled})
    with pytest.raises(InputError, match="'label' and 'new' must have the same index"):
        Predictions.of({"label": label, "score": {"old": score, "new": shuffled}})
    by_index = Predictions.of(pd.DataFrame({"label": label, "score": shuffled}))
    assert by_index.scores["score"].tolist() == score.tolist()
    by_position = Predictions.of({"label": label, "score": shuffled.to_numpy()})
    assert by_position.scores["score"].tolist() == shuffled.tolist() != score.tolist()


def test_series_of_other_rows_are_refused_by_a_state():
    label, score = pd.Series([1, 0, 1]), pd.Series([0.9, 0.2, 0.7], index=[2, 1, 0])

    with pytest.raises(InputError, match="'label' and 'score' must have the same index"):
        PredictionState().update(label, score)
