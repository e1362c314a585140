"""Every form in which people keep judgements and rankings, and what is said about others."""

import json
from math import log2, nan
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest

import rankgauge as rg
from rankgauge.errors import InputError, ParameterError, UnknownName

approx = pytest.approx

# one example in all forms: grades 2, 0, 1 for a, b, c; shown: b, a
NDCG = (0 + 2 / log2(3)) / (2 + 1 / log2(3))
NDCG_BINARY = (0 + 1 / log2(3)) / (1 + 1 / log2(3))

GRADED = {
    "dict": {"q": {"a": 2, "b": 0, "c": 1}},
    "floats": {"q": {"a": 2.0, "b": 0.0, "c": 1.0}},
    "NumPy numbers": {"q": {"a": np.int64(2), "b": np.uint8(0), "c": np.float32(1)}},
    "pairs": {"q": [("a", 2), ("b", 0), ("c", 1)]},
    "Qrels": rg.Qrels.of({"q": {"a": 2, "b": 0, "c": 1}}),
    "Polars": pl.DataFrame({"query_id": ["q"] * 3, "doc_id": ["a", "b", "c"], "grade": [2, 0, 1]}),
    "pandas": pd.DataFrame({"qid": ["q"] * 3, "docno": ["a", "b", "c"], "label": [2, 0, 1]}),
    "one side": {"q": {"relevant": {"a": 2, "b": 0, "c": 1}}},
}
BINARY = {
    "list": {"q": ["a", "c"]},
    "tuple": {"q": ("a", "c")},
    "set": {"q": {"a", "c"}},
    "booleans": {"q": {"a": True, "c": True, "b": False}},
}
SHOWN = {
    "scores": {"q": {"b": 0.9, "a": 0.5}},
    "scores out of order": {"q": {"a": 0.5, "b": 0.9}},
    "integers": {"q": {"a": 5, "b": 9}},
    "NumPy scores": {"q": {"a": np.float32(0.5), "b": np.float64(0.9)}},
    "list": {"q": ["b", "a"]},
    "tuple": {"q": ("b", "a")},
    "array": {"q": np.array(["b", "a"])},
    "pairs": {"q": [("a", 0.5), ("b", 0.9)]},
    "lists of two": {"q": [["a", 0.5], ["b", 0.9]]},
    "Run": rg.Run.of({"q": ["b", "a"]}),
    "Polars": pl.DataFrame({"query_id": ["q", "q"], "doc_id": ["a", "b"], "score": [0.5, 0.9]}),
    "pandas by rank": pd.DataFrame({"qid": ["q", "q"], "docno": ["a", "b"], "rank": [2, 1]}),
    "users and items": pd.DataFrame({"user_id": ["q", "q"], "item_id": ["a", "b"], "prediction": [0.5, 0.9]}),
    "one side": {"q": {"retrieved": ["b", "a"]}},
}


@pytest.mark.parametrize("shown", SHOWN)
@pytest.mark.parametrize("judged", GRADED)
def test_graded_judgements_and_rankings_in_any_form(judged: str, shown: str):
    assert rg.evaluate(GRADED[judged], SHOWN[shown], "nDCG")["nDCG"] == approx(NDCG)


@pytest.mark.parametrize("shown", SHOWN)
@pytest.mark.parametrize("judged", BINARY)
def test_relevant_ids_and_rankings_in_any_form(judged: str, shown: str):
    assert rg.evaluate(BINARY[judged], SHOWN[shown], "nDCG")["nDCG"] == approx(NDCG_BINARY)


def test_both_sides_in_one_dict_need_no_run():
    both = {
        "q1": {"retrieved": ["a", "b"], "relevant": ["b", "c"]},
        "q2": {"retrieved": {"a": 0.1, "b": 0.9}, "relevant": {"a": 2}},
    }

    ev = rg.evaluate(both, measures=["RR", "R@2"])

    assert ev.per_query.rows() == [("q1", 1 / 2, 1 / 2), ("q2", 1 / 2, 1)]


def test_single_target_for_each_query():
    """A test item per user, as recommenders have it; text is one id, not a list of letters."""
    ev = rg.evaluate({"u1": "item9", "u2": 7}, {"u1": ["item1", "item9"], "u2": [7, 8]}, "RR")

    assert ev["RR"] == (1 / 2 + 1 / 1) / 2


def test_default_measures():
    assert rg.evaluate(GRADED["dict"], SHOWN["list"]).labels == ["nDCG@10", "AP", "RR@10", "P@10", "R@100"]


def test_measures_as_text_or_values_or_both():
    ev = rg.evaluate(GRADED["dict"], SHOWN["list"], [rg.parse("RR"), "P@2", "P@2"])

    assert ev.labels == ["RR", "P@2"]
    assert rg.evaluate(GRADED["dict"], SHOWN["list"], rg.parse("RR@1")).labels == ["RR@1"]


# ids


@pytest.mark.parametrize("judged", [1234567890123456789, "1234567890123456789"])
@pytest.mark.parametrize("form", [dict, "frame"])
def test_64_bit_ids_are_exact(judged: Any, form: Any):
    """As floats these two would be one number."""
    near, same = 1234567890123456790, 1234567890123456789
    qrels, run = {"q": {judged: 1}}, {"q": {near: 2.0, same: 1.0}}
    if form == "frame":
        qrels = pl.DataFrame({"query_id": ["q"], "doc_id": [judged], "grade": [1]})
        run = pl.DataFrame({"query_id": ["q", "q"], "doc_id": [near, same], "score": [2.0, 1.0]})

    assert rg.evaluate(qrels, run, "RR")["RR"] == 1 / 2


@pytest.mark.parametrize("query", [1, "1", np.int64(1), np.uint8(1)])
@pytest.mark.parametrize("doc", [7, "7", np.int32(7)])
def test_integers_and_their_digits_are_the_same_id(query: Any, doc: Any):
    ev = rg.evaluate({1: {7: 1}}, {query: {"8": 2.0, doc: 1.0}}, "RR")

    assert ev["RR"] == 1 / 2
    assert rg.evaluate({query: {doc: 1}}, {"1": {"7": 1.0}}, "RR")["RR"] == 1


def test_whole_floats_are_integers():
    """What pandas makes of a column of integers with a gap."""
    run = pd.DataFrame({"query_id": [1.0, 1.0], "doc_id": [7.0, 8.0], "score": [1.0, 2.0]})

    assert rg.evaluate({1: {7: 1}}, run, "RR")["RR"] == 1 / 2


def test_leading_zeros_are_part_of_an_id():
    assert rg.evaluate({"q": {"007": 1}}, {"q": {"7": 2.0, "007": 1.0}}, "RR")["RR"] == 1 / 2


def test_chinese_ids():
    ev = rg.evaluate({"如何请假": ["员工手册", "假期规定"]}, {"如何请假": ["公司简介", "员工手册"]}, ["RR", "R@2"])

    assert ev.per_query.rows() == [("如何请假", 1 / 2, 1 / 2)]


@pytest.mark.parametrize("bad", [True, 1.5, None, ("a",)])
def test_ids_of_another_kind_are_refused(bad: Any):
    with pytest.raises(InputError, match="an id must be text or an integer"):
        rg.evaluate({"q": {bad: 1}}, {"q": {"a": 1.0}}, "RR")


def test_two_ids_that_are_the_same_text_are_refused():
    with pytest.raises(InputError, match="items of query 'q' must have different ids, got 7 and '7', which are"):
        rg.evaluate({"q": {7: 1, "7": 0}}, {"q": {"7": 1.0}}, "RR")


@pytest.mark.parametrize(
    ("qrels", "run"),
    [
        ({"1": ["a"]}, {1: ["a"], "1": ["b"]}),
        ({1: ["a"]}, {1: {"a": 0.9}, "1": {"b": 0.3}}),
        ({1: {"a": 1}, "1": {"b": 1}}, {"1": ["a"]}),
        ({1: ["a"], "1": "b"}, {1: ["a"]}),
    ],
)
def test_two_queries_that_are_the_same_text_are_refused(qrels: Any, run: Any):
    with pytest.raises(InputError, match="queries must have different ids, got 1 and '1', which are the same as text"):
        rg.evaluate(qrels, run, "RR")


@pytest.mark.parametrize("row", [[7, "7"], ["3", 7, "7", "5"], [("3", 0.9), (7, 0.5), ("7", 0.4)]])
def test_two_results_of_a_list_that_are_the_same_text_are_refused(row: Any):
    with pytest.raises(InputError, match=r"results of query 'q' must have different ids, got .* the same as text"):
        rg.evaluate({"q": {"7": 1}}, {"q": row}, "RR")


def test_text_and_integers_that_differ_stand_side_by_side():
    assert rg.evaluate({"q": {"7": 1}}, {"q": ["3", 7]}, "RR")["RR"] == 1 / 2


@pytest.mark.parametrize("option", ["weights", "slices"])
def test_two_queries_of_options_that_are_the_same_text_are_refused(option: str):
    with pytest.raises(InputError, match=f"{option}: queries must have different ids, got 1 and '1'"):
        rg.evaluate({"1": ["a"]}, {"1": ["a"]}, "RR", **{option: {1: 1, "1": 2}})


def test_query_in_two_slices_of_one_attribute_is_refused():
    slices = pl.DataFrame({"query_id": ["q", "q", "p"], "lang": ["de", "en", "de"], "kind": ["x", "x", "y"]})

    with pytest.raises(InputError, match="slices: query 'q' must have one lang, got 'de' and 'en'"):
        rg.evaluate({"q": ["a"], "p": ["a"]}, {"q": ["a"], "p": ["a"]}, "RR", slices=slices)


def test_query_that_is_named_twice_in_the_same_slice_is_one():
    slices = pl.DataFrame({"query_id": ["q", "q"], "lang": ["de", "de"]})

    assert rg.evaluate({"q": ["a"]}, {"q": ["a"]}, "RR", slices=slices).slices["n"].to_list() == [1]


# pandas Series


def test_series_of_numbers_by_query_and_item():
    index = pd.MultiIndex.from_tuples([("q", "b"), ("q", "a")])
    run, qrels = pd.Series([0.9, 0.1], index=index), pd.Series([0, 1], index=index, name="stars")

    assert rg.evaluate({"q": ["a"]}, run, "RR")["RR"] == 1 / 2
    assert rg.evaluate(qrels, run, "RR")["RR"] == 1 / 2
    assert rg.evaluate(qrels, {"x": run, "y": run * -1}, "RR")["y"]["RR"] == 1


def test_series_of_lists_and_series_as_lists():
    assert rg.evaluate({"q": ["a"]}, pd.Series({"q": ["b", "a"]}), "RR")["RR"] == 1 / 2
    assert rg.evaluate({"q": ["a"]}, {"q": pd.Series({"b": 0.9, "a": 0.1})}, "RR")["RR"] == 1 / 2
    assert rg.evaluate({"q": ["a"]}, {"q": pd.Series(["b", "a"])}, "RR")["RR"] == 1 / 2
    assert rg.evaluate({"q": pd.Series({"a": 1, "b": 0})}, {"q": pl.Series(["b", "a"])}, "RR")["RR"] == 1 / 2


def test_series_of_weights_and_slices_are_by_query_and_not_by_place():
    qrels, run = {"q": ["a"], "p": ["a"]}, {"q": ["a"], "p": ["b", "a"]}
    weights, slices = pd.Series({"p": 3.0, "q": 1.0}), pd.Series({"p": "en", "q": "de"})

    ev = rg.evaluate(qrels, run, "RR", weights=weights, slices=slices)

    assert ev["RR"] == (1 * 1 + 3 * 1 / 2) / 4
    assert dict(ev.slices.select("value", "RR").iter_rows()) == {"de": 1, "en": 1 / 2}
    assert rg.evaluate(qrels, run, "RR", weights=pd.Series([1.0, 3.0]))["RR"] == ev["RR"]  # in the order of queries


def test_column_by_itself_is_no_table():
    for column in (pl.Series([1, 2]), pd.Series([1, 2])):
        with pytest.raises(InputError, match="a table must have columns, got a Series"):
            rg.evaluate_predictions(column)


def test_complex_scores_are_refused():
    frame = pd.DataFrame({"query_id": ["q"], "doc_id": ["a"], "score": [1j]})

    for run in (frame, {"q": {"a": 1j}}):
        with pytest.raises(InputError, match="score must be"):
            rg.evaluate({"q": ["a"]}, run, "RR")


def test_series_of_numbers_without_ids_is_refused():
    with pytest.raises(InputError, match="got a Series of numbers without an index of ids"):
        rg.evaluate({"q": ["a"]}, {"q": pd.Series([0.9, 0.1])}, "RR")
    with pytest.raises(InputError, match="a Series must have an index of two levels, query and item, got 1"):
        rg.evaluate({"q": ["a"]}, pd.Series([0.9, 0.1]), "RR")


# distances


def distances(name: str) -> pl.DataFrame:
    return pl.DataFrame({"query_id": ["q", "q"], "doc_id": ["near", "far"], name: [0.1, 0.9]})


@pytest.mark.parametrize("lazy", [False, True])
def test_distance_is_read_smallest_first_and_said(lazy: bool):
    frame = distances("distance").lazy() if lazy else distances("distance")
    ev = rg.evaluate({"q": ["near"]}, frame, "RR")

    assert ev["RR"] == 1
    assert "no score column: ordered by 'distance' (score = -distance)" in ev.remarks


def test_advice_for_a_column_of_distances_works_and_does_not_invert():
    with pytest.raises(InputError, match=r'Pass columns=\{"l2_dist": "distance"\}'):
        rg.evaluate({"q": ["near"]}, distances("l2_dist"), "RR")
    assert rg.evaluate({"q": ["near"]}, distances("l2_dist"), "RR", columns={"l2_dist": "distance"})["RR"] == 1


def test_score_wins_over_distance_unless_asked():
    frame = distances("distance").with_columns(score=pl.col("distance"))

    assert rg.evaluate({"q": ["near"]}, frame, "RR")["RR"] == 1 / 2
    assert rg.evaluate({"q": ["near"]}, frame, "RR", columns={"distance": "distance"})["RR"] == 1
    with pytest.raises(ParameterError, match="name one, results have one order"):
        rg.evaluate({"q": ["near"]}, frame, "RR", columns={"distance": "distance", "score": "score"})


def test_distances_of_a_json_file(tmp_path: Path):
    (tmp_path / "run.json").write_text(
        '{"q": [{"doc_id": "far", "distance": 0.9}, {"doc_id": "near", "distance": 0.1}]}'
    )

    assert rg.evaluate({"q": ["near"]}, tmp_path / "run.json", "RR")["RR"] == 1


# matrices


def test_score_and_label_matrices():
    labels = np.array([[1, 0, 2], [0, 0, 1]])
    scores = np.array([[0.1, 0.2, 0.3], [0.3, 0.2, 0.1]])

    ev = rg.evaluate(labels, scores, ["RR", "nDCG"])

    assert ev.per_query["query_id"].to_list() == ["0", "1"]
    assert ev.per_query["RR"].to_list() == [1, 1 / 3]
    assert ev.per_query["nDCG"].to_list() == [
        approx((2 + 1 / log2(4)) / (2 + 1 / log2(3))),
        approx(1 / log2(4)),
    ]


def test_nan_means_not_judged_and_not_retrieved():
    labels = np.array([[1.0, nan, 0.0]])
    scores = np.array([[nan, 0.9, 0.1]])

    ev = rg.evaluate(labels, scores, ["R", "NumRet", "Judged@2"])

    assert ev.mean() == {"R": 0, "NumRet": 2, "Judged@2": 1 / 2}


def test_top_k_matrix_with_padding():
    ids = np.array([[2, 0, -1], [1, -1, -1]])

    ev = rg.evaluate({0: [0], 1: [2]}, ids, ["RR", "NumRet"])

    assert ev.per_query.rows() == [("0", 1 / 2, 2), ("1", 0, 1)]


def test_top_k_matrix_of_text():
    assert rg.evaluate({"0": ["b"], "1": ["c"]}, np.array([["a", "b"], ["c", "a"]]), "RR")["RR"] == (1 / 2 + 1) / 2


def test_matrices_with_names():
    qrels = rg.Qrels.from_matrix([[1, 0]], query_ids=["u7"], doc_ids=["i1", "i2"])
    run = rg.Run.from_matrix(np.array([[0.2, 0.8]]), query_ids=["u7"], doc_ids=["i1", "i2"])

    assert rg.evaluate(qrels, run, "RR").per_query.rows() == [("u7", 1 / 2)]


def test_matrix_of_another_shape_is_refused():
    with pytest.raises(InputError, match=r"two dimensions \[n_queries, n_items\], got shape \(3,\)"):
        rg.evaluate(np.array([1, 0, 1]), np.array([[0.1, 0.2, 0.3]]), "RR")


# several runs


def trec_run(path: Path, *docs: str) -> Path:
    path.write_text("".join(f"q Q0 {doc} {i} {-i} {path.stem}\n" for i, doc in enumerate(docs, start=1)))
    return path


def test_dict_of_runs():
    evs = rg.evaluate({"q": ["a"]}, {"first": {"q": ["a"]}, "second": {"q": {"b": 2.0, "a": 1.0}}}, ["RR", "P@2"])

    assert isinstance(evs, rg.Evaluations)
    assert evs.mean() == {"first": {"RR": 1, "P@2": 1 / 2}, "second": {"RR": 1 / 2, "P@2": 1 / 2}}
    assert evs["second"].run == "second"
    assert list(evs) == ["first", "second"]
    assert evs.to_frame().rows() == [("first", 1, 1 / 2), ("second", 1 / 2, 1 / 2)]
    with pytest.raises(UnknownName, match=r"no run 'secnd'. Did you mean second\?"):
        evs["secnd"]


def test_dict_of_runs_in_different_forms(tmp_path: Path):
    runs = {
        "dict": {"q": ["b", "a"]},
        "frame": pl.DataFrame({"query_id": ["q", "q"], "doc_id": ["a", "b"], "score": [1.0, 2.0]}),
        "file": trec_run(tmp_path / "x.run", "b", "a"),
        "run": rg.Run.of({"q": ["b", "a"]}),
        "both sides": {"q": {"retrieved": ["b", "a"]}},
    }
    both_sides = runs.pop("both sides")

    assert {m["RR"] for m in rg.evaluate({"q": ["a"]}, runs, "RR").mean().values()} == {1 / 2}
    assert rg.evaluate({"q": ["a"]}, both_sides, "RR")["RR"] == 1 / 2


def test_list_of_paths(tmp_path: Path):
    paths = [trec_run(tmp_path / "bm25.run", "a"), str(trec_run(tmp_path / "dense.run", "b", "a"))]

    evs = rg.evaluate({"q": ["a"]}, paths, "RR")

    assert evs.mean() == {"bm25": {"RR": 1}, "dense": {"RR": 1 / 2}}


def test_two_runs_of_one_name_are_told_apart_by_their_folders(tmp_path: Path):
    for folder in ("old", "new"):
        (tmp_path / folder).mkdir()
    paths = [trec_run(tmp_path / folder / "bm25.run", "a") for folder in ("old", "new")]

    assert list(rg.evaluate({"q": ["a"]}, paths, "RR")) == ["old/bm25", "new/bm25"]
    with pytest.raises(InputError, match="the same file is given as two runs"):
        rg.evaluate({"q": ["a"]}, [paths[0], paths[0]], "RR")


# what cannot be used


def test_arguments_in_the_wrong_order():
    qrels, run = rg.Qrels.of({"q": {"a": 1}}), rg.Run.of({"q": {"a": 1.0}})

    with pytest.raises(InputError, match=r"qrels expected, got a Run \(run\)\. Are the arguments in order\?"):
        rg.evaluate(run, qrels, "RR")


def test_files_in_the_wrong_order(tmp_path: Path):
    (tmp_path / "qrels.txt").write_text("q 0 a 1\n")

    with pytest.raises(InputError, match=r"swapped\?"):
        rg.evaluate(trec_run(tmp_path / "x.run", "a", "b"), tmp_path / "qrels.txt", "RR")


@pytest.mark.parametrize(("score", "shown"), [("0.9", "'0.9'"), (None, "None"), ([1], r"\[1\]")])
def test_score_that_is_no_number_is_named(score: Any, shown: str):
    with pytest.raises(InputError, match=rf"^run: query 'q1', 'doc7': score must be a number, got {shown}\."):
        rg.evaluate({"q1": ["doc7"]}, {"q1": {"a": 1.0, "doc7": score}}, "RR")


@pytest.mark.parametrize("grade", ["2", None])
def test_grade_that_is_no_number_is_named(grade: Any):
    with pytest.raises(InputError, match=rf"^qrels: query 'q1', 'doc7': grade must be a number, got {grade!r}\."):
        rg.evaluate({"q1": {"doc7": grade}}, {"q1": ["doc7"]}, "RR")


@pytest.mark.parametrize("grade", [nan, float("inf")])
def test_grade_must_be_finite(grade: float):
    frame = pl.DataFrame({"query_id": ["q1"], "doc_id": ["doc7"], "grade": [grade]})

    for qrels in ({"q1": {"doc7": grade}}, frame):
        with pytest.raises(InputError, match="grade must be a finite number"):
            rg.evaluate(qrels, {"q1": ["doc7"]}, "RR")


def test_all_bad_scores_are_listed():
    with pytest.raises(InputError) as error:
        rg.evaluate({"q": ["a"]}, {"q": {"a": None, "b": 1.0, "c": "x"}}, "RR")

    assert error.value.problems == (
        "query 'q', 'a': score must be a number, got None.",
        "query 'q', 'c': score must be a number, got 'x'.",
    )


@pytest.mark.parametrize("run", [{"q": 5}, {"q": {"a"}}, {"q": "a"}])
def test_result_list_of_another_kind(run: Any):
    with pytest.raises(InputError, match="query 'q' must hold a dict of scores or a list of ids"):
        rg.evaluate({"q": ["a"]}, run, "RR")


@pytest.mark.parametrize("relevant", [b"0.5", bytearray(b"d1"), memoryview(b"d1")])
def test_bytes_are_no_relevant_ids(relevant: Any):
    with pytest.raises(InputError, match="query 'q' must hold a dict of grades, a list of relevant ids or one id"):
        rg.evaluate({"q": relevant}, {"q": ["a"]}, "RR")


def test_run_is_missing():
    with pytest.raises(ParameterError, match=r"evaluate\(\) needs judgements and a run"):
        rg.evaluate({"q": ["a"]}, measures="RR")


def test_one_side_of_both_is_missing():
    with pytest.raises(InputError, match=r"has retrieved items \('retrieved'\) but no relevant ones"):
        rg.evaluate({"q": {"retrieved": ["a"]}}, measures="RR")
    with pytest.raises(InputError, match=r"has relevant items \('relevant'\) but no retrieved ones"):
        rg.evaluate({"q": {"relevant": ["a"]}}, measures="RR")


def test_file_that_does_not_exist(tmp_path: Path):
    with pytest.raises(InputError, match=r"run 'nothing\.run' does not exist"):
        rg.evaluate({"q": ["a"]}, tmp_path / "nothing.run", "RR")


def test_object_nobody_can_read():
    with pytest.raises(InputError, match=r"cannot read .*object.* as a table"):
        rg.evaluate({"q": ["a"]}, object(), "RR")


def test_no_measures():
    with pytest.raises(ParameterError, match="no measures given"):
        rg.evaluate({"q": ["a"]}, {"q": ["a"]}, [])


def test_unknown_measure():
    with pytest.raises(UnknownName, match=r"unknown measure 'nDGC@10'\. Did you mean nDCG@10\?"):
        rg.evaluate({"q": ["a"]}, {"q": ["a"]}, ["nDGC@10"])


def test_columns_are_mapped_for_both_sides():
    qrels = pl.DataFrame({"frage": ["q"], "doc_id": ["a"], "grade": [1]})
    run = pl.DataFrame({"frage": ["q", "q"], "doc_id": ["a", "b"], "score": [1.0, 2.0]})

    assert rg.evaluate(qrels, run, "RR", columns={"frage": "query_id"})["RR"] == 1 / 2


# nothing


@pytest.mark.parametrize(
    "run", [{"0": {}}, {"0": []}, {"0": (), "p": ["a"]}, np.array([[np.nan]])], ids=["dict", "list", "tuple", "matrix"]
)
def test_empty_list_is_worth_0(run: Any):
    ev = rg.evaluate({"0": ["a"]}, run, ["RR", "nDCG@10", "NumRet"])

    assert ev.mean() == {"RR": 0, "nDCG@10": 0, "NumRet": 0}
    assert ev.counts["evaluated"] == 1
    assert ev.counts["judged@10"] is None


def test_query_with_no_judgements_is_counted_as_one_without_relevant_items():
    ev = rg.evaluate({"q": {}, "p": ["a"]}, {"q": ["a"], "p": ["a"]}, "RR")

    assert (ev["RR"], ev.n("RR"), ev.counts["without_relevant"]) == (1, 1, 1)


@pytest.mark.parametrize("odd", [[1], {"a": 1}, {1}, np.array([1.0])])
def test_an_id_that_is_a_list_or_an_array_is_one_error(odd: Any):
    for given in ({"q": ["d1", odd]}, {"q": [("d1", 1), (odd, 2)]}):
        with pytest.raises(InputError, match="query 'q': an id must be text or a whole number, got"):
            rg.Run.of(given)
        with pytest.raises(InputError, match="query 'q': an id must be text or a whole number, got"):
            rg.Qrels.of(given)


@pytest.mark.parametrize("odd", ["d22", ("d2", 1, 2), 7])
def test_what_is_no_pair_among_pairs_is_one_error(odd: Any):
    with pytest.raises(InputError, match="query 'q' must hold pairs of id and number, got"):
        rg.Run.of({"q": [("d1", 1.0), odd]})
    with pytest.raises(InputError, match="query 'q' must hold pairs of id and number, got"):
        rg.Qrels.of({"q": [("d1", 1.0), odd]})


@pytest.mark.parametrize("odd", [np.array(1.5), np.eye(2)])
def test_an_array_that_is_no_list_is_an_error_that_names_the_query(odd: Any):
    with pytest.raises(InputError, match="query 'q' must hold a dict of grades, a list of relevant ids or one id"):
        rg.Qrels.of({"q": odd})


@pytest.mark.parametrize("make", [rg.Qrels, rg.Run])
def test_queries_in_two_forms_are_told(make, tmp_path):
    mixed = {"q1": {"a": 2, "b": 1}, "q2": ["a"], "q3": {"a": 1}, "q4": []}
    (tmp_path / "mixed.json").write_text(json.dumps(mixed))
    kind = make.kind
    said = f"queries of the {kind} are given in two forms: 2 with a number for each id, 1 with ids only"

    assert make.of(mixed).notes == (said,)
    assert make.of({**mixed, "q2": np.array(["a"])}).notes == (said,)
    if make is rg.Qrels:
        assert make.of({**mixed, "q2": range(3)}).notes == make.of({**mixed, "q2": {"a": 1}.keys()}).notes == (said,)
    assert said in make.of(tmp_path / "mixed.json").notes
    assert make.of({"q1": ["a"], "q2": ["b"]}).notes == make.of({"q1": {"a": 1}, "q2": {}}).notes == ()


@pytest.mark.parametrize("make", [rg.Qrels, rg.Run])
def test_an_empty_id_is_refused(make):
    with pytest.raises(InputError, match="query 'q2' must hold ids that are not empty, got ''"):
        make.of({"q1": {"a": 1}, "q2": {"": 1}})
    with pytest.raises(InputError, match="query 'q2' must hold ids that are not empty, got ''"):
        make.of({"q1": ["a"], "q2": ["a", ""]})
    with pytest.raises(InputError, match="the id of a query must not be empty, got ''"):
        make.of({"": {"a": 1}})
