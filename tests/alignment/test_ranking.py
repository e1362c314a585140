"""Ranks found by counting, against lists that are really sorted."""

from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from rankgauge.alignment import Alignment, ranking
from rankgauge.alignment.build import align
from rankgauge.alignment.from_text import align_text
from rankgauge.alignment.ranking import rank_judged
from rankgauge.alignment.segments import Segments
from rankgauge.data import Qrels, Run
from rankgauge.data.clean_trec import open_text
from rankgauge.data.packed_ids import PackedIds

IDS = [f"d{i}" for i in range(12)]
Table = dict[str, dict[str, float]]

scores = st.sampled_from([-1.0, 0.0, 0.5, 0.5, 1.0, float("inf"), float("-inf")]) | st.floats(-9, 9)
runs = st.dictionaries(
    st.sampled_from(["q1", "q2", "q3"]), st.dictionaries(st.sampled_from(IDS), scores, min_size=1), min_size=1
)
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


long = ["same-beginning-a", "same-beginning-ab", "same-beginning-b", "z" * 40, "é", "中", "😀", "a\nb", "a", "a\0"]
tied_runs = st.dictionaries(
    st.sampled_from(["q1", "q2", "q3"]),
    st.dictionaries(st.sampled_from(long + IDS), st.sampled_from([0.0, -0.0, 0.5, 1.0]), min_size=1),
    min_size=1,
)
tied_qrels = st.dictionaries(
    st.sampled_from(["q1", "q2", "q3"]),
    st.dictionaries(st.sampled_from(long + IDS), st.integers(0, 3), min_size=1),
    min_size=1,
)


@pytest.mark.parametrize("rows", [1, 1 << 15])
@pytest.mark.parametrize("is_sorted", [True, False])
@pytest.mark.parametrize("ties", ["doc_id", "input"])
@given(judged=tied_qrels, shown=tied_runs)
@settings(max_examples=20, deadline=None)
def test_ranks_inside_blocks_of_unusual_ids(ties: str, is_sorted: bool, rows: int, judged: Table, shown: Table):
    if is_sorted:
        shown = {q: dict(sorted(docs.items(), key=lambda x: -x[1])) for q, docs in shown.items()}
    frames = Qrels.from_frame(Qrels.of(judged).to_frame()), Run.from_frame(Run.of(shown).to_frame())

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ranking, "_ROWS", rows)  # blocks compared in several pieces
        for q, r in ((Qrels.of(judged), Run.of(shown)), frames):
            assert by_item(align(q, r, ties=ties).alignment, judged) == sorted_ranks(judged, shown, ties)


@pytest.mark.parametrize("ties", ["doc_id", "input"])
@given(judged=tied_qrels, shown=tied_runs)
@settings(max_examples=20, deadline=None)
def test_ranks_inside_blocks_of_text_files(ties: str, judged: Table, shown: Table):
    def plain(table: Table) -> Table:  # ids that a line can hold
        rows = {q: {d: v for d, v in docs.items() if not set(d) & {"\n", "\0"}} for q, docs in table.items()}
        return {q: docs for q, docs in rows.items() if docs}

    judged, shown = plain(judged), plain(shown)
    assume(judged and shown)
    with TemporaryDirectory() as folder:
        files = Path(folder, "qrels"), Path(folder, "run")
        lines = [f"{q} 0 {d} {g}\n" for q, docs in judged.items() for d, g in docs.items()]
        files[0].write_text("".join(lines), encoding="utf-8")
        lines = [f"{q} Q0 {d} 1 {s:.1f} tag\n" for q, docs in shown.items() for d, s in docs.items()]
        files[1].write_text("".join(lines), encoding="utf-8")
        texts = open_text(files[0], "qrels"), open_text(files[1], "run")
        assert texts[0] is not None
        assert texts[1] is not None
        aligned = align_text(*texts, ties, False)

    assert aligned is not None
    assert by_item(aligned.alignment, judged) == sorted_ranks(judged, shown, ties)


@pytest.mark.parametrize("is_sorted", [True, False])
@given(judged=tied_qrels, shown=tied_runs)
@few
def test_only_ids_inside_blocks_with_a_judged_item_are_looked_at(is_sorted: bool, judged: Table, shown: Table):
    if is_sorted:
        shown = {q: dict(sorted(docs.items(), key=lambda x: -x[1])) for q, docs in shown.items()}
    results = [(q, d, s) for q, docs in shown.items() for d, s in docs.items()]
    lists = Segments.of_lengths(np.array([len(docs) for docs in shown.values()]))
    found = [i for i, (q, d, _) in enumerate(results) if d in judged.get(q, {})]
    asked: list[int] = []

    def ids_of(positions: np.ndarray) -> PackedIds:
        asked.extend(positions.tolist())
        return PackedIds.of(results[i][1] for i in positions)

    scores = np.array([s for *_, s in results])
    of_list = np.array([list(shown).index(results[i][0]) for i in found], dtype=np.int64)
    names = [results[i][1] for i in found]
    rank_judged(
        scores, lists, of_list, scores[found], lambda rows: PackedIds.of(names[i] for i in rows), ids_of, "doc_id"
    )

    assert sorted(asked) == [
        i
        for i, (q, d, s) in enumerate(results)
        if any(s == t and e in judged.get(q, {}) for e, t in shown[q].items())
        and sum(s == t for t in shown[q].values()) > 1
    ]


def test_integers_and_text_in_one_tie_block_order_as_text():
    judged, shown = {"q": {"b": 1, 10: 1, 9: 1}}, {"q": {"a": 1.0, 10: 1.0, "b": 1.0, 9: 1.0, 30: 1.0}}

    a = align(Qrels.of(judged), Run.of(shown)).alignment  # b, a, 9, 30, 10

    assert {("b", 10, 9)[i]: int(r) for i, r in zip(a.item, a.rank, strict=True)} == {"b": 1, 9: 3, 10: 5}


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
