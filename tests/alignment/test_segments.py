"""Reductions over runs of rows against plain loops."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rankgauge.alignment import Segments

Rows = list[list[float]]

numbers = st.integers(-5, 5).map(float) | st.floats(-1e9, 1e9)
rows = st.lists(st.lists(numbers, max_size=6), max_size=8)
few = settings(max_examples=80, deadline=None)


def segments(data: Rows) -> tuple[Segments, np.ndarray[Any, Any]]:
    flat = np.array([x for row in data for x in row], dtype=np.float64)
    return Segments.of_lengths(np.array([len(row) for row in data], dtype=np.int64)), flat


def flat(data: Rows) -> list[float]:
    return [x for row in data for x in row]


@given(rows)
@few
def test_shape(data: Rows):
    s, values = segments(data)

    assert len(s) == len(data)
    assert s.lengths.tolist() == [len(row) for row in data]
    assert s.owner.tolist() == [i for i, row in enumerate(data) for _ in row]
    assert s.place.tolist() == [j for row in data for j in range(len(row))]
    assert s.offsets[-1] == len(values)


@given(rows)
@few
def test_sum_adds_in_row_order(data: Rows):
    """Exactly: one number after the other, so a query's sum never depends on its neighbours."""
    s, values = segments(data)
    expected = []
    for row in data:
        total = 0.0
        for x in row:
            total += x
        expected.append(total)

    assert s.sum(values).tolist() == expected


@given(rows)
@few
def test_count_and_any(data: Rows):
    s, values = segments(data)

    assert s.count(values > 0).tolist() == [sum(x > 0 for x in row) for row in data]
    assert s.any(values > 0).tolist() == [any(x > 0 for x in row) for row in data]


@given(rows, st.sampled_from([0.0, -1.0]))
@few
def test_max(data: Rows, empty: float):
    s, values = segments(data)

    assert s.max(values, empty).tolist() == [max(row, default=empty) for row in data]


@given(rows)
@few
def test_spread(data: Rows):
    s, _ = segments(data)

    assert s.spread(np.arange(len(data))).tolist() == [i for i, row in enumerate(data) for _ in row]


def running(row: list[float], step: Callable[[float, float], float]) -> list[float]:
    out: list[float] = []
    for x in row:
        out.append(x if not out else step(out[-1], x))
    return out


@pytest.mark.parametrize(
    ("operation", "step"),
    [
        (np.add, lambda a, b: a + b),
        (np.maximum, max),
        (np.multiply, lambda a, b: a * b),
    ],
)
@given(data=rows)
@few
def test_scan(operation: np.ufunc, step: Callable[[float, float], float], data: Rows):
    s, values = segments(data)
    values = np.clip(values, -1e3, 1e3)
    data = [[min(max(x, -1e3), 1e3) for x in row] for row in data]

    assert s.scan(values, operation).tolist() == flat([running(row, step) for row in data])


@given(rows)
@few
def test_sorted(data: Rows):
    s, values = segments(data)

    assert s.sorted(values).tolist() == flat([sorted(row) for row in data])
    assert s.sorted_down(values).tolist() == flat([sorted(row, reverse=True) for row in data])
    assert values.tolist() == flat(data)


@given(rows, st.data())
@few
def test_rows_of_some_queries(data: Rows, choose: st.DataObject):
    s, values = segments(data)
    queries = choose.draw(st.lists(st.integers(0, len(data) - 1), max_size=6)) if data else []

    found = s.rows_of(np.array(queries, dtype=np.int64))

    assert values[found].tolist() == flat([data[q] for q in queries])


def test_rows_of_one_length_are_one_matrix():
    s, values = segments([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])

    assert [m.tolist() for m in s.matrices()] == [[[0, 1], [2, 3], [4, 5]]]
    assert s.scan(values).tolist() == [1, 3, 3, 7, 5, 11]


def test_no_queries():
    s, values = segments([])

    assert len(s) == 0
    assert s.sum(values).tolist() == s.max(values).tolist() == s.sorted(values).tolist() == []


@given(rows, st.integers(0, 7))
@few
def test_the_first_rows_of_each_query(data: Rows, k: int):
    s, values = segments(data)

    kept, short = s.first(k)

    assert values[kept].tolist() == flat([row[:k] for row in data])
    assert short.lengths.tolist() == [len(row[:k]) for row in data]
    each = np.arange(len(data)) % (k + 1)
    assert values[s.first(each)[0]].tolist() == flat([row[: i % (k + 1)] for i, row in enumerate(data)])


@given(rows, st.data())
@few
def test_a_part_has_the_rows_and_owners_of_the_whole(data: Rows, draw: st.DataObject):
    s, values = segments(data)
    a, b = sorted(draw.draw(st.integers(0, len(data))) for _ in range(2))
    queries = slice(a, b)

    assert s.part(queries).lengths.tolist() == [len(row) for row in data[a:b]]
    assert values[s.rows(queries)].tolist() == flat(data[a:b])
    i, j = sorted(draw.draw(st.integers(0, len(values))) for _ in range(2))
    assert s.owners(slice(i, j)).tolist() == s.owner[i:j].tolist()
