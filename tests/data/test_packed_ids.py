"""Ids compared as bytes, against the same ids compared as text."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from rankgauge.data.packed_ids import PackedIds

# prefixes of each other, long common beginnings, characters of one to four bytes, zeros, line ends, lone surrogates
ids = st.text(st.sampled_from("ab0\0\n é中😀\ud800"), max_size=20) | st.sampled_from(["document-1", "document-12"])
few = settings(max_examples=100, deadline=None)


@given(st.lists(ids, min_size=1), st.randoms(use_true_random=False))
@few
def test_pairs_compare_as_text_does(texts: list[str], rng):
    others = rng.sample(texts, len(texts))
    rows = np.arange(len(texts))

    before, same = PackedIds.of(texts).compared(rows, PackedIds.of(others), rows)

    assert before.tolist() == [a < b for a, b in zip(texts, others, strict=True)]
    assert same.tolist() == [a == b for a, b in zip(texts, others, strict=True)]


@given(st.lists(st.tuples(st.integers(0, 2), ids), min_size=1))
@few
def test_order_within_groups_is_that_of_sorted_text(rows: list[tuple[int, str]]):
    order = PackedIds.of(x for _, x in rows).order_within(np.array([group for group, _ in rows]))

    assert [rows[i] for i in order] == sorted(rows)


def test_lines_are_ids_unless_an_id_has_a_line_end():
    found = PackedIds.of_lines([b"b\nlonger-than-a-word\n", b"\n", b"a\n"], 4)

    assert found is not None
    assert found.order_within(np.zeros(4)).tolist() == [2, 3, 0, 1]
    assert PackedIds.of_lines([b"b\nwith\nline end\n"], 2) is None
