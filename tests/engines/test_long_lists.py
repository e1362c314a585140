"""One list in pieces has the alignment of the whole list."""

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rankgauge.alignment.build import Aligned, align
from rankgauge.data import Qrels, Run
from rankgauge.engines.long_lists import align_long, count_around, look_up

SCORES = [0.0, -0.0, 1.0, 1.0 + 1e-9, 2.0, float("nan"), float("inf"), float("-inf")]
IDS = [f"d{i}" for i in range(25)] + ["文档", "é", "Z"]
lists = st.lists(st.tuples(st.sampled_from(IDS), st.sampled_from(SCORES)), min_size=1, max_size=60)
judged = st.lists(st.sampled_from(IDS), min_size=1, max_size=12, unique=True)


def arrays(found: Aligned) -> dict[str, list[float]]:
    names = ("offsets", "grade", "rank", "tie_first", "tie_last", "retrieved", "item")
    return {name: getattr(found.alignment, name).tolist() for name in names} | {
        "duplicates": [found.duplicates],
        "nan_scores": [found.nan_scores],
        "missing": found.missing.tolist(),
    }


@pytest.mark.parametrize("ties", ["doc_id", "input"])
@given(rows=lists, ids=judged, n=st.integers(1, 5), single=st.booleans(), headings=st.booleans())
@settings(max_examples=80)
def test_pieces_give_the_alignment_of_the_whole(ties: str, rows, ids, n: int, single: bool, headings: bool):
    run = pl.DataFrame({"query_id": ["q"] * len(rows), "doc_id": [d for d, _ in rows], "score": [s for _, s in rows]})
    frame = pl.DataFrame({"query_id": ["q"] * len(ids), "doc_id": ids, "grade": [float(len(d)) for d in ids]})
    if headings:
        frame = pl.concat([frame.with_columns(iteration=pl.lit("1")), frame[:3].with_columns(iteration=pl.lit("2"))])
    qrels = Qrels(frame=frame)
    by_item = run.with_row_index("place").with_columns(piece=pl.col("doc_id").hash(3) % n).partition_by("piece")

    whole = align(qrels, Run(frame=run), ties=ties, single=single)
    found = align_long(qrels, lambda: by_item, ties, single=single)

    assert arrays(found) == arrays(whole)
    if headings:
        for name in ("row", "code", "grade", "n_codes"):
            assert np.array_equal(getattr(found.alignment.groups, name), getattr(whole.alignment.groups, name))


def test_what_a_piece_says_about_a_judged_item():
    piece = pl.DataFrame({"doc_id": ["a", "b", "c", "d"], "score": [3.0, 2.0, 2.0, 1.0], "place": [0, 1, 2, 3]})
    looked = look_up(piece, pl.Series(["b", "x"]))
    around = count_around(piece, looked.found, "doc_id")

    assert looked.found.rows() == [("b", 2.0, 1)]
    assert (looked.results, looked.repeats, looked.nan_scores) == (4, 0, 0)
    assert around.drop("place").rows() == [("b", 1, 2, 1)]  # a above; b and c beside; c before b, for its id is larger
    assert count_around(piece, looked.found, "input")["before"].to_list() == [0]
