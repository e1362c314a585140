"""Ranks found by counting, against lists that are really sorted."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rankgauge.alignment import Alignment
from rankgauge.alignment.build import align
from rankgauge.data import Qrels, Run

IDS = [f"d{i}" for i in range(12)]
Table = dict[str, dict[str, float]]

scores = st.sampled_from([-1.0, 0.0, 0.5, 0.5, 1.0, float("inf"), float("-inf")]) | st.floats(-9, 9)
runs = st.dictionaries(st.sampled_from(["q1", "q2", "q3"]), st.dictionaries(st.sampled_from(IDS), scores, min_size=1))
qrels = st.dictionaries(
    st.sampled_from(["q1", "q2", "q3"]),
    st.dictionaries(st.sampled_from(IDS), st.integers(-1, 3), min_size=1),
    min_size=1,
)
few = settings(max_examples=60, deadline=None)


def by_item(a: Alignment, judged: Table) -> dict[tuple[str, str], tuple[float, int, int, int]]:
    """(query, item) -> grade, rank, first and last rank of its block."""
    out = {}
    for i, query in enumerate(a.query_ids):
        items = list(judged[query])
        for row in range(a.offsets[i], a.offsets[i + 1]):
            fields = (a.grade[row], a.rank[row], a.tie_first[row], a.tie_last[row])
            out[query, items[a.item[row]]] = tuple(map(int, fields))
    return out


def sorted_ranks(judged: Table, shown: Table, ties: str) -> dict[tuple[str, str], tuple[float, int, int, int]]:
    out = {}
    for query, grades in judged.items():
        results = shown.get(query, {})
        order = sorted(results, reverse=True) if ties == "doc_id" else list(results)
        order.sort(key=lambda doc: -results[doc])
        for doc, grade in grades.items():
            if doc not in results:
                out[query, doc] = (grade, 0, 0, 0)
                continue
            above = sum(s > results[doc] for s in results.values())
            equal = sum(s == results[doc] for s in results.values())
            out[query, doc] = (grade, order.index(doc) + 1, above + 1, above + equal)
    return out


@pytest.mark.parametrize("ties", ["doc_id", "input"])
@given(judged=qrels, shown=runs)
@few
def test_ranks_from_dicts(ties: str, judged: Table, shown: Table):
    aligned = align(Qrels.of(judged), Run.of(shown), ties=ties)

    assert by_item(aligned.alignment, judged) == sorted_ranks(judged, shown, ties)
    assert aligned.missing.tolist() == [q not in shown for q in judged]
    assert aligned.alignment.retrieved.tolist() == [len(shown.get(q, {})) for q in judged]
    assert aligned.extra_queries == len(shown.keys() - judged.keys())


@pytest.mark.parametrize("ties", ["doc_id", "input"])
@given(judged=qrels, shown=runs)
@few
def test_ranks_from_columns(ties: str, judged: Table, shown: Table):
    q, r = Qrels.of(judged), Run.of(shown)
    frames = Qrels.from_frame(q.to_frame()), Run.from_frame(r.to_frame())

    for left, right in (frames, (Qrels.of(judged), frames[1]), (frames[0], Run.of(shown))):
        aligned = align(left, right, ties=ties)
        assert by_item(aligned.alignment, judged) == sorted_ranks(judged, shown, ties)
        assert aligned.missing.tolist() == [query not in shown for query in judged]


@given(judged=qrels, shown=runs)
@few
def test_rows_are_in_rank_order_with_items_not_shown_last(judged: Table, shown: Table):
    a = align(Qrels.of(judged), Run.of(shown)).alignment

    for i in range(a.n_queries):
        ranks = a.rank[a.offsets[i] : a.offsets[i + 1]].tolist()
        assert ranks == sorted(ranks, key=lambda rank: rank or 10**9)


@given(judged=qrels, shown=runs)
@few
def test_single_precision(judged: Table, shown: Table):
    """Scores a billionth apart are equal in 32 bits."""
    near = {q: {d: 0.1 + i * 1e-9 for i, d in enumerate(docs)} for q, docs in shown.items()}
    rounded = {q: {d: float(np.float32(s)) for d, s in docs.items()} for q, docs in near.items()}

    single = align(Qrels.of(judged), Run.of(near), single=True).alignment

    assert by_item(single, judged) == sorted_ranks(judged, rounded, "doc_id")


def test_scores_that_are_no_number_come_last_and_are_counted():
    judged, nan = {"q": {"a": 1, "b": 1, "c": 1}}, float("nan")

    run = Run.of({"q": {"a": nan, "b": 1.0, "c": nan}})
    for form in (run, Run.from_frame(Run.of({"q": {"a": nan, "b": 1.0, "c": nan}}).to_frame())):
        aligned = align(Qrels.of(judged), form)
        assert aligned.nan_scores == 2
        assert by_item(aligned.alignment, judged) == {
            ("q", "a"): (1, 3, 2, 3),
            ("q", "b"): (1, 1, 1, 1),
            ("q", "c"): (1, 2, 2, 3),
        }


def test_repeated_results_keep_the_better_place():
    frame = Run.of({"q": {"a": 0.5, "b": 0.7}}).to_frame()
    doubled = Run.from_frame(frame.vstack(Run.of({"q": {"a": 0.9}}).to_frame()))

    aligned = align(Qrels.of({"q": {"a": 1, "b": 1}}), doubled)

    assert aligned.duplicates == 1
    assert aligned.alignment.retrieved.tolist() == [2]
    assert by_item(aligned.alignment, {"q": {"a": 1, "b": 1}}) == {("q", "a"): (1, 1, 1, 1), ("q", "b"): (1, 2, 2, 2)}


def test_max_grade_is_that_of_all_judgements():
    a = align(Qrels.of({"q": {"a": 1}, "p": {"b": 4}}), Run.of({"q": ["a"]})).alignment

    assert a.max_grade == 4
    assert a.of_queries(np.array([0])).max_grade == 4
