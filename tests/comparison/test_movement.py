"""Which items moved between two runs, and what each move did to the measure."""

from math import fsum, isnan, log2, nan
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rankgauge as rg
from rankgauge.comparison.movement import movement
from rankgauge.errors import ParameterError, UnknownName

QRELS = {"q": {"x": 3, "y": 0, "z": 1, "w": 2}, "other": {"x": 4}}
A = {"q": ["u", "x", "y", "z"]}
B = {"q": ["x", "z", "w", "y"]}


def rows(found: Any) -> list[tuple[Any, ...]]:
    return [(i.item_id, i.grade, i.rank_a, i.rank_b, i.moved) for i in found.items]


def changes(found: Any) -> dict[str, Any]:
    return {i.item_id: i.change for i in found.items}


# what moved


def test_items_stand_by_rank_in_b_then_in_a():
    assert rows(movement(QRELS, A, B, "q")) == [
        ("x", 3.0, 2, 1, 1),
        ("z", 1.0, 4, 2, 2),
        ("w", 2.0, None, 3, None),
        ("y", 0.0, 3, 4, -1),
        ("u", None, 1, None, None),
    ]


def test_depth_counts_in_either_list_and_ranks_are_real():
    found = movement(
        {"q": {"n": 0}}, {"q": ["a", "b", "c", "n"]}, {"q": ["c", "n", "b", "a"]}, "q", "Judged@9", depth=1
    )

    assert rows(found) == [("c", None, 3, 1, 2), ("n", 0.0, 4, 2, 2), ("a", None, 1, 4, -3)]
    assert changes(found) == {"c": 0.0, "n": 0.0, "a": 0.0}


def test_relevant_item_that_only_one_run_shows_is_listed_however_deep():
    found = movement({"q": {"r": 1, "s": 1, "t": 1, "n": 0}}, {"q": [*"abcrsn"]}, {"q": [*"abcs"]}, "q", "P@2", depth=1)

    assert [i.item_id for i in found.items] == ["a", "r"]  # s is in both, n is not relevant, t in neither
    assert found.missed == 1


def test_deep_items_that_add_to_the_value_are_listed():
    found = movement({"q": {"s": 1}}, {"q": [*"abcs"]}, {"q": [*"abs"]}, "q", "AP", depth=1)

    assert changes(found) == {"a": 0.0, "s": pytest.approx(1 / 3 - 1 / 4)}


def test_ties_follow_the_rule():
    run = {"q": {"d1": 1.0, "d2": 1.0}}

    assert [i.item_id for i in movement({"q": ["d1"]}, run, run, "q").items] == ["d2", "d1"]
    assert [i.item_id for i in movement({"q": ["d1"]}, run, run, "q", ties="input").items] == ["d1", "d2"]


# what it did


def test_ndcg_contribution_is_discounted_gain_over_ideal():
    found = movement(QRELS, A, B, "q", "nDCG@3")
    ideal = 3 / log2(2) + 2 / log2(3) + 1 / log2(4)

    assert changes(found) == {
        "x": pytest.approx((3 / log2(2) - 3 / log2(3)) / ideal),
        "z": pytest.approx(1 / log2(3) / ideal),  # rank 4 in A is behind the cut
        "w": pytest.approx(2 / log2(4) / ideal),
        "y": 0.0,
        "u": 0.0,
    }


def test_ap_contribution_is_precision_at_the_item():
    found = movement(QRELS, A, B, "q", "AP")

    assert {i.item_id: (i.in_a, i.in_b) for i in found.items} == {
        "x": (pytest.approx(1 / 2 / 3), pytest.approx(1 / 1 / 3)),
        "z": (pytest.approx(2 / 4 / 3), pytest.approx(2 / 2 / 3)),
        "w": (0.0, pytest.approx(3 / 3 / 3)),
        "y": (0.0, 0.0),
        "u": (0.0, 0.0),
    }


def test_rr_belongs_to_the_first_relevant_result():
    found = movement(QRELS, {"q": ["u", "x", "z"]}, {"q": ["z", "x"]}, "q", "RR")

    assert changes(found) == {"z": 1.0, "x": -0.5, "u": 0.0}


def test_judged_only_measures_see_the_list_without_unjudged_results():
    found = movement(QRELS, A, B, "q", "P(judged_only=true)@1")

    assert (found.value_a, found.value_b) == (1.0, 1.0)
    assert set(changes(found).values()) == {0.0}


@pytest.mark.parametrize("name", ["bpref", "AP(norm=hits)", "nDCG(ideal=retrieved)@3", "Unjudged@3", "NumRel"])
def test_measures_that_are_no_sum_have_no_contributions(name: str):
    found = movement(QRELS, A, B, "q", name)

    assert found.note == f"{rg.parse(name)} is not a sum over results."
    assert not found.has_contributions
    assert set(changes(found).values()) == {None}
    assert found.value_b == rg.evaluate(QRELS, B, name).per_query.filter(query_id="q")[name].item()


def test_query_without_relevant_items_is_undefined():
    found = movement({"q": {"x": 0}}, {"q": ["x"]}, {"q": ["y"]}, "q")

    assert isnan(found.value_a)
    assert isnan(found.difference)
    assert found.note == "nDCG@10 says nothing about this query: no relevant item is judged."
    assert rows(found) == [("y", None, None, 1, None), ("x", 0.0, 1, None, None)]


def test_run_without_the_query_is_an_empty_list():
    found = movement(QRELS, {"other": ["x"]}, {"q": ["x"]}, "q", "R")

    assert (found.value_a, found.value_b, rows(found)) == (0.0, 1 / 3, [("x", 3.0, None, 1, None)])


def test_highest_grade_is_that_of_all_judgements():
    found = movement(QRELS, A, B, "q", "RBP(graded=max)")

    assert found.value_b == pytest.approx(0.2 * (3 / 4 + 0.8 * 1 / 4 + 0.64 * 2 / 4))


# the record


def test_frame_and_rows():
    found = movement(QRELS, A, {"q": []}, "q", depth=1)
    ideal = 3 / log2(2) + 2 / log2(3) + 1 / log2(4)
    x, z = 3 / log2(3) / ideal, 1 / log2(5) / ideal

    assert found.to_frame().rows() == [
        ("u", None, 1, None, None, 0.0, 0.0, 0.0),
        ("x", 3.0, 2, None, None, pytest.approx(x), 0.0, pytest.approx(-x)),
        ("z", 1.0, 4, None, None, pytest.approx(z), 0.0, pytest.approx(-z)),
    ]
    assert found.to_frame().columns == list(found.csv_rows()[0])
    assert found.to_csv().splitlines()[0] == "item_id,grade,rank_a,rank_b,moved,in_a,in_b,change"


def test_frame_without_items_keeps_its_columns():
    assert movement(QRELS, {"q": []}, {"other": ["x"]}, "q").to_frame().shape == (0, 8)


# any form of data


def test_frames_and_files_give_the_same(tmp_path: Path):
    qrels = {"q": {"d1": 2, "d2": 0, "d3": 1}, "7": {"d1": 3}}
    a = {"q": {"d1": 1.0, "d9": 2.0, "d3": 1.0}, "7": {"d1": 1.0}}
    b = {"q": {"d3": 3.0, "d1": 2.5}, "7": {"d1": 1.0}}
    want = movement(qrels, a, b, "q")
    frames = [
        pl.DataFrame(
            [(q, d, float(v)) for q, row in table.items() for d, v in row.items()],
            ["query_id", "doc_id", value],
            orient="row",
        )
        for table, value in ((qrels, "grade"), (a, "score"), (b, "score"))
    ]
    (tmp_path / "q.qrels").write_text("".join(f"{q} 0 {d} {g}\n" for q, row in qrels.items() for d, g in row.items()))
    for name, run in (("a", a), ("b", b)):
        lines = (f"{q} Q0 {d} 1 {s} {name}\n" for q, row in run.items() for d, s in row.items())
        (tmp_path / f"{name}.run").write_text("".join(lines))
    files = [str(tmp_path / "q.qrels"), str(tmp_path / "a.run"), str(tmp_path / "b.run")]

    assert rows(want) == [("d3", 1.0, 2, 1, 1), ("d1", 2.0, 3, 2, 1), ("d9", None, 1, None, None)]
    assert movement(*frames, "q").items == want.items
    assert movement(frames[0], a, files[2], "q").items == want.items
    found = movement(*files, "q")
    assert found.items == want.items
    assert (found.run_a, found.run_b) == ("a", "b")


def test_integer_ids_are_text():
    found = movement({1: {7: 1}}, {1: {8: 2.0, 7: 1.0}}, {"1": {"7": 1.0}}, 1, "RR")

    assert (found.query_id, found.difference) == ("1", 0.5)
    assert rows(found) == [("7", 1.0, 2, 1, 1), ("8", None, 1, None, None)]


def test_result_shown_twice_has_its_better_rank():
    run = pl.DataFrame({"query_id": ["q"] * 4, "doc_id": ["x", "u", "x", "z"], "score": [1.0, 3.0, 4.0, 2.0]})

    assert rows(movement(QRELS, run, {"q": []}, "q"))[:3] == [
        ("x", 3.0, 1, None, None),
        ("u", None, 2, None, None),
        ("z", 1.0, 3, None, None),
    ]


def test_judgements_by_subtopic():
    qrels = pl.DataFrame(
        {
            "query_id": ["p", "q", "q", "q"],
            "iteration": ["1", "1", "2", "1"],
            "doc_id": ["x", "x", "x", "y"],
            "grade": [1, 1, 2, 1],
        }
    )
    found = movement(qrels, {"q": ["x"]}, {"q": ["y", "x"]}, "q", "alpha_nDCG@5")

    want = [
        rg.evaluate(qrels, run, "alpha_nDCG@5").per_query.filter(query_id="q").row(0)[1]
        for run in ({"q": ["x"]}, {"q": ["y", "x"]})
    ]
    assert [found.value_a, found.value_b] == want
    assert rows(found) == [("y", 1.0, None, 1, None), ("x", 2.0, 1, 2, -1)]


# refused


def test_unknown_query_suggests_one():
    with pytest.raises(UnknownName, match=r"no judgements for query 'othre' in 'qrels'\. Did you mean other\?"):
        movement(QRELS, A, B, "othre")


@pytest.mark.parametrize("depth", [0, -1, 2.5, True])
def test_depth_must_be_positive(depth: Any):
    with pytest.raises(ParameterError, match="`depth` must be a positive integer"):
        movement(QRELS, A, B, "q", depth=depth)


def test_ties_need_an_order():
    with pytest.raises(ParameterError, match="`ties` must be 'doc_id' or 'input', got 'expected'"):
        movement(QRELS, A, B, "q", ties="expected")


# any data

SUMS = ["nDCG@3", "nDCG(gain=exponential)", "DCG@4", "P@3", "R@2", "RBP(p=0.5)", "AP", "AP@3", "AP(norm=min)@2", "RR@3"]
SUMS += ["Hit@2", "F@3", "Rprec", "ERR@4", "CG@2", "RBP(graded=max)", "nDCG(judged_only=true)@2", "Judged@2"]
ids = st.sampled_from([*"abcdefgh"])
lists = st.dictionaries(ids, st.sampled_from([0.0, 1.0, 2.0, 3.5]), max_size=8)


@settings(max_examples=60, deadline=None)
@given(
    st.dictionaries(ids, st.sampled_from([-1, 0, 1, 2, 3]), min_size=1),
    lists,
    lists,
    st.sampled_from(SUMS),
    st.sampled_from(["doc_id", "input"]),
    st.integers(1, 4),
)
def test_contributions_sum_to_the_difference_of_the_values(
    judged: dict[str, int], a: dict[str, float], b: dict[str, float], name: str, ties: str, depth: int
):
    qrels = {"p": {"a": 2}, "q": judged}
    found = movement(qrels, {"q": a}, {"q": b}, "q", name, depth=depth, ties=ties)

    want = [rg.evaluate(qrels, {"q": run}, name, ties=ties).per_query.filter(query_id="q").row(0)[1] for run in (a, b)]
    assert [found.value_a, found.value_b] == pytest.approx(
        [nan if v is None else v for v in want], abs=0, rel=0, nan_ok=True
    )
    if isnan(found.difference):
        assert not found.has_contributions
    else:
        assert found.has_contributions
        assert fsum(i.change or 0.0 for i in found.items) == pytest.approx(found.difference, abs=1e-12)
        assert fsum(i.in_b or 0.0 for i in found.items) == pytest.approx(found.value_b, abs=1e-12)
    for item in found.items:
        assert (item.rank_a is None) == (item.item_id not in a)
        assert (item.rank_b is None) == (item.item_id not in b)
        assert item.grade == judged.get(item.item_id)
    assert sum((i.rank_b or 99) <= depth for i in found.items) == min(depth, len(b))
