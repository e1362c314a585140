"""What a matrix means: scores or ids, and whether it fits the judgements."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp

import rankgauge as rg
from rankgauge._text import in_language
from rankgauge.errors import InputError, ParameterError

LABELS = np.array([[1, 0, 2], [0, 0, 1]])
SCORES = np.array([[10, 20, 30], [30, 20, 10]])


def test_integer_scores_are_read_as_scores_when_said():
    run = rg.Run.from_matrix(SCORES, as_="scores")

    assert run.to_dict() == {"0": {"0": 10, "1": 20, "2": 30}, "1": {"0": 30, "1": 20, "2": 10}}
    assert run.notes == ()
    assert rg.evaluate(LABELS, run, "RR")["RR"] == (1 + 1 / 3) / 2


def test_integer_scores_that_are_no_ids_of_these_items_are_refused():
    with pytest.raises(InputError, match=r"of the judgements, 2 × 3, got ids up to 30 for 2 queries.*as_='scores'"):
        rg.evaluate(LABELS, SCORES, "RR")


def test_integers_that_repeat_in_a_row_are_no_ids():
    with pytest.raises(
        InputError, match=r"ids, each once in a row, got 5 more than once in row 2\. Say which they are"
    ):
        rg.Run.from_matrix(np.array([[1, 2], [5, 5]]))


def test_what_was_assumed_of_integers_is_said_in_both_languages():
    ev = rg.evaluate(LABELS, np.array([[2, 0], [2, 1]]), "RR")

    assert ev["RR"] == 1
    [note] = [n for n in ev.remarks if "matrix" in n]
    assert note == "a matrix of integers read as ids, best first; as_='scores' reads scores"
    assert "整数矩阵读作 id" in in_language(note, "zh")
    assert rg.Run.from_matrix(np.array([[2, 0]]), as_="ids").notes == ()


def test_ids_said_to_be_ids_may_repeat():
    run = rg.Run.from_matrix(np.array([[0, 0, 1]]), as_="ids")

    assert rg.evaluate({"0": {"1": 1}}, run, "RR", duplicates="keep")["RR"] == 1 / 3


@pytest.mark.parametrize("shape", [(2, 2), (3, 3), (2, 4)])
def test_scores_of_other_queries_or_items_are_refused(shape: tuple[int, int]):
    with pytest.raises(InputError, match=r"2 × 3, got \d × \d. Pass query_ids= and doc_ids="):
        rg.evaluate(LABELS, np.ones(shape), "RR")


def test_ids_of_fewer_queries_are_refused():
    with pytest.raises(InputError, match="got ids up to 2 for 1 queries"):
        rg.evaluate(LABELS, np.array([[0, 2]]), "RR")


def test_named_rows_and_columns_need_not_fit():
    run = rg.Run.from_matrix(np.array([[0.9, 0.1]]), query_ids=["1"], doc_ids=["2", "9"])

    assert rg.evaluate(LABELS, run, "RR")["RR"] == (0 + 1) / 2


@pytest.mark.parametrize(("values", "as_"), [(np.array([[True, False]]), None), (np.array([[0.5, 1.0]]), "ids")])
def test_what_can_be_neither_is_refused(values: Any, as_: Any):
    with pytest.raises(InputError, match="a matrix must hold"):
        rg.Run.from_matrix(values, as_=as_)


def test_as_must_be_one_of_its_words():
    with pytest.raises(ParameterError, match="`as_` must be 'scores', 'ids' or None, got 'score'"):
        rg.Run.from_matrix(SCORES, as_="score")  # type: ignore[arg-type]


def test_whole_floats_may_be_ids_with_nan_as_padding():
    assert rg.Run.from_matrix(np.array([[3.0, np.nan]]), as_="ids").to_dict() == {"0": {"3": 2}}


@pytest.mark.parametrize("read", [rg.Run.from_matrix, rg.Qrels.from_matrix])
def test_complex_numbers_are_refused(read: Any):
    with pytest.raises(InputError, match="got complex128"):
        read(np.array([[1j, 2.0]]))


def test_ids_of_rows_must_differ():
    with pytest.raises(InputError, match="query_ids must differ, got '7' more than once"):
        rg.Run.from_matrix(np.ones((2, 1)), query_ids=[7, "7"])


def test_masked_scores_were_not_retrieved():
    masked = np.ma.masked_array([[1.0, 5.0]], mask=[[False, True]])

    assert rg.Run.from_matrix(masked).to_dict() == {"0": {"0": 1}}
    assert rg.Qrels.from_matrix(np.ma.masked_array([[1, 1]], mask=[[0, 1]])).to_dict() == {"0": {"0": 1}}


def test_row_without_a_score_is_an_empty_list_and_not_missing():
    ev = rg.evaluate(LABELS, np.array([[0.1, 0.2, 0.3], [np.nan] * 3]), "RR", missing="skip")

    assert (ev["RR"], ev.n("RR"), ev.counts["missing"]) == ((1 + 0) / 2, 2, 0)


@pytest.mark.parametrize("kind", [sp.csr_matrix, sp.coo_matrix, sp.csc_array, sp.lil_matrix])
def test_sparse_matrices_hold_what_they_store(kind: Any):
    """What is not stored was not retrieved; a stored 0 is a score of 0."""
    dense = np.array([[0.2, 0.0, 0.9], [0.0, 0.4, 0.0]])
    stored = sp.coo_matrix(([0.2, 0.9, 0.4, 0.0], ([0, 0, 1, 1], [0, 2, 1, 2])), shape=(2, 3))

    assert rg.Run.of(kind(dense)).to_dict() == {"0": {"0": 0.2, "2": 0.9}, "1": {"1": 0.4}}
    assert rg.Run.of(stored).to_dict()["1"] == {"1": 0.4, "2": 0.0}
    assert rg.evaluate(kind(LABELS), kind(dense), "RR")["RR"] == (1 + 0) / 2
    assert rg.Qrels.of(kind(LABELS)).to_dict() == {"0": {"0": 1, "2": 2}, "1": {"2": 1}}


def test_sparse_matrices_say_what_absence_means():
    ev = rg.evaluate(sp.csr_matrix(LABELS), sp.csr_matrix(SCORES), "RR")

    assert "a sparse matrix: what it does not store is not judged" in ev.remarks
    assert "a sparse matrix: what it does not store was not retrieved" in ev.remarks


def test_sparse_ids_are_refused():
    with pytest.raises(InputError, match="a sparse matrix holds scores"):
        rg.Run.from_matrix(sp.csr_matrix(SCORES), as_="ids")


def test_dict_of_sparse_matrices_is_several_runs():
    found = rg.evaluate(LABELS, {"a": sp.csr_matrix(SCORES), "b": SCORES / 1.0}, "RR")

    assert found["a"]["RR"] == found["b"]["RR"] == (1 + 1 / 3) / 2


# numbers that are too large


def test_grades_beyond_exponential_gains_are_refused_without_a_warning():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for measure in ("nDCG(gain=exponential)@10", "DCG(gain=exponential)", "CG(gain=exponential)@5"):
            with pytest.raises(
                InputError, match=r"grades must be at most 1,000 where gains are 2\^grade - 1, got 1024"
            ):
                rg.evaluate({"q": {"a": 1024, "b": 1}}, {"q": ["b", "a"]}, measure)


def test_gains_that_do_not_add_up_are_refused():
    with pytest.raises(InputError, match="gains must be at most"):
        rg.evaluate({"q": {"a": 1e308, "b": 1e308, "c": 1e308}}, {"q": ["b", "a"]}, "nDCG@10")


def test_highest_grade_that_is_allowed_gives_the_number():
    """2^1000 - 1 for each: a at rank 2 of the list and both in the ideal one."""
    ev = rg.evaluate({"q": {"a": 1000, "b": 1000}}, {"q": ["x", "a"]}, "nDCG(gain=exponential)@10")

    assert ev["nDCG(gain=exponential)@10"] == pytest.approx((1 / np.log2(3)) / (1 + 1 / np.log2(3)))


def test_err_of_any_grade_is_the_ratio():
    """max 1100: b satisfies with 2^-1099 at most, a with 1 - 2^-1100, at rank 2."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        ev = rg.evaluate({"q": {"a": 1100, "b": 1}}, {"q": ["b", "a"]}, "ERR@10")

    assert ev["ERR@10"] == pytest.approx(1 / 2)


@pytest.mark.parametrize("convention", ["trec_eval-9", "pytrec_eval"])
def test_scores_beyond_single_precision_are_tied_and_warn_nobody(convention: str, tmp_path: Any):
    """trec_eval 9 keeps scores in a C float: both are infinite there, and the higher id comes first."""
    (tmp_path / "run.txt").write_text("q Q0 b 1 1e301 x\nq Q0 a 2 1e300 x\nq Q0 c 3 1 x\n")
    (tmp_path / "qrels.txt").write_text("q 0 a 1\n")
    qrels, run = {"q": {"a": 1}}, {"q": {"b": 1e301, "a": 1e300, "c": 1.0}}
    frame = rg.Run.of(run).to_frame()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = [
            rg.evaluate(q, r, "recip_rank", convention=convention)["recip_rank"]
            for q, r in ((qrels, run), (qrels, frame), (tmp_path / "qrels.txt", tmp_path / "run.txt"))
        ]
        other = rg.evaluate({"q": {"b": 1}}, {"q": {"b": 1e300, "a": 1e301}}, "recip_rank", convention=convention)

    assert found == [1 / 2] * 3  # b before a, both infinite
    assert other["recip_rank"] == 1


@pytest.mark.parametrize("kind", [np.uint8, np.uint16, np.uint32, np.uint64, np.int8])
def test_ids_of_every_whole_type_are_read(kind: Any):
    assert rg.Run.from_matrix(np.array([[2, 0], [1, 2]], dtype=kind)).shape == (2, 3, True)
    assert rg.Run.from_matrix(np.zeros((2, 0), dtype=kind)).shape == (2, 0, True)


@pytest.mark.parametrize("value", [np.inf, -np.inf])
def test_infinite_grade_of_a_matrix_is_refused(value: float):
    labels = np.array([[1.0, 0.0], [0.0, value]])

    with pytest.raises(InputError, match=r"a grade must be a finite number, got -?inf \(row 2, column 2\)"):
        rg.Qrels.from_matrix(labels)
    with pytest.raises(InputError, match=r"a grade must be a finite number, got -?inf \(row 2, column 2\)"):
        rg.Qrels.from_matrix(sp.csr_matrix(labels))


def test_infinite_score_is_a_place():
    scores = np.array([[1.0, np.inf, 3.0], [1.0, -np.inf, 3.0]])

    found = rg.evaluate(np.array([[0, 1, 0], [0, 1, 0]]), scores, "RR")

    assert found["RR"] == (1 / 1 + 1 / 3) / 2
