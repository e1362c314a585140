"""Ids that are whole numbers, held against the same ids as text: nothing may differ, not in the last bit."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rankgauge.alignment.aligned import Aligned
from rankgauge.alignment.build import align
from rankgauge.data import Qrels, Run, pieces
from rankgauge.evaluation import evaluate
from rankgauge.evaluation.rankings import measuring

SPREADS = {
    "small": lambda x: x,
    "negative": lambda x: x - 4,
    "far apart": lambda x: x * 2**59 - 2**62,
    "from end to end": lambda x: x - 2**63 if x < 4 else 2**63 - 9 + x,
}
ids = st.integers(0, 8)
scores = st.one_of(st.integers(0, 3).map(float), st.floats(), st.just(float("nan")))
rows = st.lists(st.tuples(ids, ids, scores), min_size=1, max_size=60)


def as_text(frame: pl.DataFrame) -> pl.DataFrame:
    return frame.with_columns(pl.col("query_id", "doc_id").cast(pl.String))


def tables(judged: list, shown: list, spread: str) -> tuple[pl.DataFrame, pl.DataFrame]:
    move = SPREADS[spread]

    def frame(rows: list, value: str) -> pl.DataFrame:
        q, d, x = zip(*rows, strict=True)
        numbers = {"query_id": [move(i) for i in q], "doc_id": [move(i) for i in d]}
        return pl.DataFrame({**{k: pl.Series(v, dtype=pl.Int64) for k, v in numbers.items()}, value: pl.Series(x)})

    once = {(q, d): (q, d, float(d % 3)) for q, d, _ in judged}  # no item has two grades
    return frame([once[q, d] for q, d, _ in judged], "grade"), frame(shown, "score")


def plain(aligned: Aligned) -> dict[str, Any]:
    """All that an alignment says, as values that can be compared."""
    both = {**vars(aligned), **{f.name: getattr(aligned.alignment, f.name) for f in fields(aligned.alignment)}}
    del both["alignment"], both["_cache"]
    return {k: (v.dtype, v.tolist()) if isinstance(v, np.ndarray) else v for k, v in both.items() if k != "repeats"}


@pytest.mark.slow
@pytest.mark.parametrize("size", [1, 20, 1 << 17])
@pytest.mark.parametrize("spread", SPREADS)
@settings(max_examples=60, deadline=None)
@given(
    judged=rows,
    shown=rows,
    ties=st.sampled_from(["doc_id", "input"]),
    single=st.booleans(),
    duplicates=st.sampled_from(["first", "keep"]),
    grouped=st.booleans(),
    once=st.booleans(),
)
def test_numbers_align_as_their_texts_do(spread, size, judged, shown, ties, single, duplicates, grouped, once):
    qrels, run = tables(judged, shown, spread)
    if once:
        qrels, run = (x.unique(["query_id", "doc_id"], keep="first", maintain_order=True) for x in (qrels, run))
    if grouped:
        qrels, run = (x.sort("query_id", maintain_order=True) for x in (qrels, run))
    words = {"ties": ties, "single": single, "duplicates": duplicates}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pieces.in_queries, "__defaults__", (size,))
        a, b = Qrels.from_frame(qrels), Run.from_frame(run)
        assert (a.has_numbers, b.has_numbers) == (True, True)
        got = align(a, b, **words)

    assert plain(got) == plain(align(Qrels.from_frame(as_text(qrels)), Run.from_frame(as_text(run)), **words))


def test_numbers_without_repeats_never_become_text(monkeypatch):
    qrels, run = Qrels.from_frame(judged_frame()), Run.from_frame(shown_frame())
    monkeypatch.setattr(Qrels, "to_frame", None)
    monkeypatch.setattr(Run, "to_frame", None)

    assert align(qrels, run).alignment.rank.tolist() == [1, 3, 2, 0]


def judged_frame() -> pl.DataFrame:
    return pl.DataFrame({"query_id": [7, 7, 5, 5], "doc_id": [1, 2, 1, 9], "grade": [1.0, 0.0, 2.0, 1.0]})


def shown_frame() -> pl.DataFrame:
    return pl.DataFrame({"query_id": [5, 7, 5, 7, 7], "doc_id": [3, 1, 1, 10, 2], "score": [4.0, 3, 2, 1, 0]})


def test_ids_are_ordered_as_text_inside_a_tie_block():
    qrels = pl.DataFrame({"query_id": [1], "doc_id": [9], "grade": [1.0]})
    run = pl.DataFrame({"query_id": [1, 1], "doc_id": [10, 9], "score": [0.5, 0.5]})

    assert align(Qrels.from_frame(qrels), Run.from_frame(run)).alignment.rank.tolist() == [1]  # "9" > "10"


@pytest.mark.parametrize(
    ("dtype", "value"), [(pl.Int8, -3), (pl.UInt32, 4_000_000_000), (pl.UInt64, 2**64 - 1), (pl.Float64, 12.0)]
)
def test_ids_of_any_width_are_their_digits(dtype, value):
    frame = pl.DataFrame({"query_id": pl.Series([value], dtype=dtype), "doc_id": ["x"], "grade": [1.0]})
    both = frame.with_columns(doc_id=pl.Series([value], dtype=dtype))

    for table in (frame, both):
        assert Qrels.from_frame(table).query_ids == [str(int(value))]
        assert Qrels.from_frame(table).to_frame()["query_id"].to_list() == [str(int(value))]


def test_one_side_of_numbers_meets_one_of_text():
    values = [
        evaluate(qrels, run, "nDCG")["nDCG"]
        for qrels in (judged_frame(), as_text(judged_frame()))
        for run in (shown_frame(), as_text(shown_frame()))
    ]

    assert len(set(values)) == 1


@settings(max_examples=40, deadline=None)
@given(judged=rows, shown=rows)
def test_measures_of_pieces_are_those_of_the_whole(judged, shown):
    qrels, run = tables(judged, shown, "small")
    wanted = ["nDCG@3", "AP", "RR", "P@5", "ERR", "GMAP", "Judged@2"]
    whole = evaluate(qrels, run, wanted)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(measuring, "_PIECE", 2)
        parts = evaluate(qrels, run, wanted)

    assert (parts.counts, list(parts.query_ids)) == (whole.counts, list(whole.query_ids))
    for a, b in zip(parts.columns, whole.columns, strict=True):
        for name in ("values", "counted", "best", "worst"):
            x, y = (None if v is None else v.tobytes() for v in (getattr(a, name), getattr(b, name)))
            assert x == y, (a.label, name)


def test_an_error_of_one_piece_is_that_of_the_whole(monkeypatch):
    qrels = pl.DataFrame({"query_id": [1, 2, 3], "doc_id": [1, 1, 1], "grade": [2000.0, 1, 3000]})
    run = pl.DataFrame({"query_id": [1, 2, 3], "doc_id": [1, 1, 1], "score": [1.0, 1, 1]})
    said = []
    for size in (1 << 16, 1):
        monkeypatch.setattr(measuring, "_PIECE", size)
        with pytest.raises(ValueError, match="grades must be at most") as error:
            evaluate(qrels, run, "nDCG(gain=exponential)")
        said.append(str(error.value))

    assert said[0] == said[1]
