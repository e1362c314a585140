"""What is shown, along the four ways in: the same items in the same order, under the tie rule of the alignment."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rankgauge.alignment import shown as alignment_shown
from rankgauge.alignment.build import align
from rankgauge.alignment.from_columns import first_rows
from rankgauge.alignment.segments import Segments
from rankgauge.alignment.shown import Shown, joined, shown_of
from rankgauge.alignment.top import top_places
from rankgauge.data import Qrels, Run, pieces
from rankgauge.data.catalogue import Catalogue
from rankgauge.data.packed_ids import PackedIds

QRELS = {"q1": {"a": 2, "b": 0, "zz": 1}, "q2": {"c": 1}, "q3": {"a": 1}, "q4": {"x": 1}}
RUN = {
    "q1": {"d": 0.5, "a": 0.9, "zz": 0.5, "b": 0.5, "e": 0.1},
    "q2": {"c": 1.0},
    "q9": {"a": 1.0},
    "q4": {"b": float("nan"), "x": -3.0, "a": float("nan")},
}


def ids_of(s: Shown) -> list[list[str]]:
    by_number = {n: i for i, n in s.catalogue._number.items()}
    return [[by_number[n] for n in s.items[a:b]] for a, b in zip(s.offsets[:-1], s.offsets[1:], strict=True)]


def shown(qrels, run: Run, depth=None, ties="doc_id", single=False) -> Shown:
    judged = Qrels.of(qrels)
    aligned = align(judged, run, ties=ties, single=single)
    return shown_of(aligned, run, Catalogue.of(items=["a", "b", "c"]), depth=depth, ties=ties, single=single)


def test_lists_come_in_rank_order_with_grades_at_their_places():
    s = shown(QRELS, Run.of(RUN), depth=3)

    assert ids_of(s) == [["a", "zz", "d"], ["c"], [], ["x", "b", "a"]]  # of equal scores the greater id first
    assert np.array_equal(s.grade, [2, 1, np.nan, 1, 1, np.nan, np.nan], equal_nan=True)
    assert s.missing.tolist() == [False, False, True, False]
    assert s.retrieved.tolist() == [5, 1, 0, 3]
    assert s.best.tolist() == [2, 1, 1, 1]
    assert s.known.tolist() == [True, False, False, True, False, True, True]


def test_equal_scores_stay_as_they_came_where_that_is_the_rule():
    assert ids_of(shown(QRELS, Run.of(RUN), depth=3, ties="input"))[0] == ["a", "d", "zz"]


@st.composite
def tables(draw) -> tuple[dict, dict]:
    """Judgements and runs with many ties; ids with a common beginning, longer than a word."""
    ids = [f"a-long-beginning-{i}" for i in range(6)] + list("pqrs")
    of_list = st.dictionaries(st.sampled_from(ids), st.sampled_from([0.1, 0.5, 1.0]), min_size=1, max_size=8)
    users = [f"u{i}" for i in range(draw(st.integers(1, 4)))]
    qrels = {u: dict.fromkeys(draw(st.lists(st.sampled_from(ids), min_size=1, max_size=4)), 1) for u in users}
    return qrels, {u: draw(of_list) for u in draw(st.permutations(users))}


@given(tables(), st.sampled_from([None, 1, 2, 3]), st.sampled_from(["doc_id", "input"]), st.booleans())
@settings(max_examples=60, deadline=None)
def test_every_way_in_shows_the_same_and_judged_items_stand_at_their_ranks(
    tmp_path_factory, table, depth, ties, single
):
    qrels, run = table
    folder: Path = tmp_path_factory.mktemp("shown")
    Run.of(run).write(folder / "a.run")
    frame = Run.of(run).to_frame()
    ways = [Run.of(run), Run.of(frame), Run.of(folder / "a.run")]
    assert ways[2].text is not None
    found = [shown(qrels, way, depth, ties, single) for way in ways]

    order = {"doc_id": lambda row: sorted(row, key=lambda d: (row[d], d), reverse=True)}
    order["input"] = lambda row: sorted(row, key=lambda d: -row[d])
    expected = [order[ties](run.get(u, {}))[:depth] for u in qrels]
    assert [ids_of(s) for s in found] == [expected] * 3
    a = align(Qrels.of(qrels), ways[0], ties=ties, single=single).alignment
    for s in found:
        inside = a.rank[(a.rank > 0) & (a.rank <= s.lengths[a.by_query.owner])]
        assert np.count_nonzero(~np.isnan(s.grade)) == len(inside)  # each judged item at its rank, and no other


@given(
    st.lists(st.tuples(st.integers(0, 3), st.integers(-3, 12)), min_size=1, max_size=30, unique=True),
    st.sampled_from([1, 10**9, -(10**12)]),
    st.sampled_from([None, 1, 3]),
    st.sampled_from(["doc_id", "input"]),
    st.data(),
)
@settings(max_examples=60, deadline=None)
def test_ids_that_are_numbers_show_what_their_texts_show(pairs, apart, depth, ties, data):
    """Rows in any order, ids close together and far apart, users of whom nothing is judged, users without a list."""
    scores = [data.draw(st.sampled_from([0.1, 0.5, 1.0])) for _ in pairs]
    numbers = pl.DataFrame(
        {"query_id": [q for q, _ in pairs], "doc_id": [d * apart for _, d in pairs], "score": scores}
    )
    texts = numbers.with_columns(pl.col("query_id", "doc_id").cast(pl.String))
    judged = pl.DataFrame({"query_id": [1, 0, 7], "doc_id": [3 * apart, 5 * apart, 1], "grade": [1, 2, 1]})
    runs = [Run.of(numbers), Run.of(texts)]
    assert [run.has_numbers for run in runs] == [True, False]
    a, b = (shown(judged, run, depth, ties) for run in runs)

    assert ids_of(a) == ids_of(b)
    assert np.array_equal(a.grade, b.grade, equal_nan=True)


def test_a_repeated_result_is_shown_once_where_it_stands_best(tmp_path: Path):
    (tmp_path / "a.run").write_text("q1 Q0 a 1 3 t\nq1 Q0 b 2 2 t\nq1 Q0 a 3 1 t\nq1 Q0 c 4 0 t\n")
    rows = pl.DataFrame({"query_id": ["q1"] * 4, "doc_id": ["a", "b", "a", "c"], "score": [3.0, 2, 1, 0]})

    for run in (Run.of(tmp_path / "a.run"), Run.of(rows), Run.of({"q1": ["a", "b", "a", "c"]})):
        s = shown({"q1": {"c": 1}}, run, depth=3)
        assert ids_of(s) == [["a", "b", "c"]]
        assert s.grade[2] == 1
        assert s.repeats.tolist() == [1]


def test_integer_ids_are_their_texts():
    s = shown({"1": {"7": 1}}, Run.of({1: {7: 0.5, 8: 0.5, 10: 0.4}}), depth=2)

    assert ids_of(s) == [["8", "7"]]
    assert s.relevant().tolist() == [False, True]


def test_a_cut_is_the_beginning_of_each_list():
    s = shown(QRELS, Run.of(RUN))

    assert ids_of(s.within(1)) == [["a"], ["c"], [], ["x"]]
    assert s.within(5) is s
    assert s.within(2) is s.within(2)


def test_parts_put_together_are_the_whole():
    whole = shown(QRELS, Run.of(RUN))
    parts = [whole.of_queries(np.array([2, 0])), whole.of_queries(np.array([3, 1]))]

    again = joined(parts, np.argsort([2, 0, 3, 1]))
    assert ids_of(again) == ids_of(whole)
    for name in ("offsets", "grade", "missing", "retrieved", "best", "repeats"):
        assert np.array_equal(getattr(again, name), getattr(whole, name), equal_nan=True)


@pytest.mark.parametrize("places", [1, 2, 100])
def test_lists_side_by_side_are_those_of_the_whole(places, monkeypatch):
    monkeypatch.setattr(alignment_shown, "_PLACES", places)
    monkeypatch.setattr(pieces.in_queries, "__defaults__", (places,))
    whole = shown(QRELS, Run.of(RUN), depth=3)

    assert np.array_equal(whole.grade, [2, 1, np.nan, 1, 1, np.nan, np.nan], equal_nan=True)
    part = whole.part(slice(1, 4))
    assert (part.query_ids, ids_of(part)) == (["q2", "q3", "q4"], ids_of(whole)[1:])
    assert part.retrieved.tolist() == [1, 0, 3]
    values = np.arange(whole.catalogue.n_numbers) / 7
    assert np.array_equal(whole.mean_of_items(values), whole.mean(values[whole.items]), equal_nan=True)
    assert whole.in_parts(lambda some: some.lengths).tolist() == [3, 1, 0, 3]
    assert whole.part(slice(0, 0)).in_parts(lambda some: some.lengths).tolist() == []


@pytest.mark.parametrize("ties", ["doc_id", "input"])
def test_the_first_of_a_list_are_among_the_first_of_its_parts(ties):
    rng = np.random.default_rng(3)
    ids = [f"d{i}" for i in rng.permutation(60)]
    rows = pl.DataFrame({"query_id": ["q"] * 60, "doc_id": ids, "score": rng.integers(0, 4, 60).astype(float)})
    rows = rows.with_row_index("place")

    whole = first_rows(rows, 7, ties, False)
    kept = pl.concat([first_rows(rows[i::3], 7, ties, False) for i in range(3)]).sort("place")
    assert first_rows(kept, 7, ties, False)["doc_id"].to_list() == whole["doc_id"].to_list()


def test_no_results_have_no_places():
    places, lengths = top_places(np.zeros(0), Segments(np.zeros(3)), 5, lambda rows: PackedIds.of([]), "doc_id")

    assert places.tolist() == []
    assert lengths.tolist() == [0, 0]
