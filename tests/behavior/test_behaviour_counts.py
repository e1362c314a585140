"""Counts by query, item and position."""

import numpy as np
import polars as pl
import pytest

from rankgauge.behavior.bias.counts import Counts, cell_pairs
from rankgauge.errors import InputError

TABLE = pl.DataFrame(
    {
        "query_id": ["b", "a", "a", "a", "b", "a"],
        "item_id": ["x", "y", "x", "x", "x", "x"],
        "position": [2, 2, 1, 1, 1, 3],
        "click": [True, False, True, False, True, False],
        "examined": [True, True, True, True, True, False],
        "randomised": [True, False, False, False, True, None],
    }
)


def cells(counts: Counts) -> list[tuple]:
    return counts.to_frame().rows()


def test_rows_become_cells():
    assert cells(Counts.of(TABLE)) == [
        ("a", "x", 1, 2.0, 1.0),
        ("a", "y", 2, 1.0, 0.0),
        ("b", "x", 1, 1.0, 1.0),
        ("b", "x", 2, 1.0, 1.0),
    ]


def test_codes():
    counts = Counts.of(TABLE)

    assert counts.pair.tolist() == [0, 1, 2, 2]
    assert counts.query.tolist() == [0, 0, 1]
    assert (counts.n_pairs, counts.n_queries, counts.n_positions, counts.n_cells) == (3, 2, 2, 4)
    assert counts.unexamined == 1


def test_clicks_on_what_was_not_examined_do_not_count():
    table = TABLE.with_columns(position=pl.lit(1), click=pl.lit(True), examined=pl.Series([True] * 3 + [False] * 3))

    assert cells(Counts.of(table)) == [("a", "x", 1, 1.0, 1.0), ("a", "y", 1, 1.0, 1.0), ("b", "x", 1, 1.0, 1.0)]


def test_what_was_not_examined_is_kept_on_request():
    counts = Counts.of(TABLE, examined_only=False)

    assert counts.unexamined == 0
    assert ("a", "x", 3, 1.0, 0.0) in cells(counts)


def test_only_randomised_rows():
    assert cells(Counts.of(TABLE, randomised=True)) == [("b", "x", 1, 1.0, 1.0), ("b", "x", 2, 1.0, 1.0)]
    assert Counts.of(TABLE, randomised=True).is_randomised
    assert Counts.of(TABLE, randomised=False).impressions.sum() == 3  # one of four was not examined


@pytest.mark.parametrize("form", [lambda t: t, lambda t: t.lazy(), lambda t: t.to_dict(as_series=False)])
def test_all_forms_are_the_same(form):
    assert cells(Counts.of(form(TABLE))) == cells(Counts.of(TABLE))


def test_counts_are_counts():
    counts = Counts.of(TABLE)

    assert Counts.of(counts) is counts


def test_other_behaviours_have_their_column():
    table = TABLE.with_columns(cart=~pl.col("click"))
    counts = Counts.of(table, "cart")

    assert counts.behaviour == "cart"
    assert counts.clicks.tolist() == [1.0, 1.0, 0.0, 0.0]


def test_order_of_rows_does_not_matter():
    draw = np.random.default_rng(3)
    table = pl.DataFrame(
        {
            "query_id": draw.integers(30, size=3000),
            "item_id": draw.integers(12, size=3000),
            "position": draw.integers(1, 6, size=3000),
            "click": draw.random(3000) < 0.3,
        }
    )

    first, second = Counts.of(table), Counts.of(table.sample(fraction=1, shuffle=True, seed=1))

    assert first.to_frame().equals(second.to_frame())
    assert (first.query == second.query).all()


def test_counted_rows_are_added_up():
    counts = Counts.from_arrays(["q", "q", "q"], [7, 7, 8], [1, 1, 2], [10, 5, 4.5], [1, 2, 0.5])

    assert cells(counts) == [("q", "7", 1, 15.0, 3.0), ("q", "8", 2, 4.5, 0.5)]


def test_cells_without_impressions_are_no_cells():
    assert Counts.from_arrays(["q", "q"], ["a", "b"], [1, 2], [3, 0], [1, 0]).n_cells == 1


def test_moved_keeps_pairs_of_several_positions():
    assert cells(Counts.of(TABLE).moved()) == [("b", "x", 1, 1.0, 1.0), ("b", "x", 2, 1.0, 1.0)]


def test_at_keeps_positions_and_all_pairs():
    part = Counts.of(TABLE).at([2])

    assert part.position.tolist() == [2, 2]
    assert part.n_pairs == 3


def test_cell_pairs_are_all_pairs_inside_groups():
    group = np.array([0, 0, 0, 2, 5, 5, 5, 5])
    found = {(int(i), int(j)) for a, b in cell_pairs(group) for i, j in zip(a, b, strict=True)}

    assert found == {(i, j) for i in range(8) for j in range(i + 1, 8) if group[i] == group[j]}


def test_first_position_zero_is_refused_with_advice():
    with pytest.raises(InputError, match=r"position must be a whole number from 1, got 0\. Add 1"):
        Counts.of(TABLE.with_columns(position=pl.col("position") - 1))


@pytest.mark.parametrize("wrong", [None, float("nan"), -1.0, 1.5, float("inf")])
def test_positions_that_are_none(wrong):
    position = pl.Series("position", [wrong, 2, 1, 1, 1, 3], dtype=pl.Float64)

    with pytest.raises(InputError, match="position must be a whole number from 1"):
        Counts.of(TABLE.with_columns(position))


def test_positions_as_text_are_refused():
    with pytest.raises(InputError, match="got a column of String"):
        Counts.of(TABLE.with_columns(pl.col("position").cast(pl.String)))


def test_whole_numbers_as_floats_are_positions():
    assert cells(Counts.of(TABLE.with_columns(pl.col("position").cast(pl.Float64)))) == cells(Counts.of(TABLE))


@pytest.mark.parametrize("wrong", [None, float("nan"), -0.5, 2.0])
def test_clicks_that_are_none(wrong):
    clicks = pl.Series("click", [wrong, 0, 1, 0, 1, 0], dtype=pl.Float64)

    with pytest.raises(InputError, match=r"click must be true or false.* 1 rows"):
        Counts.of(TABLE.with_columns(clicks))


def test_missing_ids_are_refused_with_all_other_problems():
    table = TABLE.with_columns(query_id=pl.lit(None, dtype=pl.String), position=pl.col("position") - 5)

    with pytest.raises(InputError) as caught:
        Counts.of(table)
    assert len(caught.value.problems) == 2


def test_missing_columns_are_named():
    with pytest.raises(InputError, match=r"missing from the impression table: 'click'.*Did you mean clicked"):
        Counts.of(TABLE.rename({"click": "clicked"}))


def test_empty_table():
    with pytest.raises(InputError, match="empty"):
        Counts.of(TABLE.head(0))


def test_nothing_examined():
    with pytest.raises(InputError, match="at least one examined impression, got none \\(6 rows"):
        Counts.of(TABLE.with_columns(examined=pl.lit(False)))


def test_something_else_is_refused():
    with pytest.raises(InputError, match="got list"):
        Counts.of([1, 2])


def test_columns_of_different_length():
    with pytest.raises(InputError, match="same length"):
        Counts.from_arrays(["q"], ["a"], [1, 2], [1], [0])


def test_counts_that_do_not_say_they_are_random():
    with pytest.raises(InputError, match="do not say so"):
        Counts.of(Counts.of(TABLE), randomised=True)
