"""Sessions: from tables, dicts and arrays; merged, split."""

import numpy as np
import polars as pl
import pytest

from rankgauge.behavior.click_models.sessions import Sessions, codes_of_keys
from rankgauge.errors import InputError, ParameterError

ROWS = pl.DataFrame(
    {
        "request_id": ["r1", "r1", "r2", "r2", "r3", "r3", "r4"],
        "query_id": ["q", "q", "q", "q", "p", "p", "p"],
        "user_id": ["u", "u", "v", "v", "u", "u", "w"],
        "item_id": ["a", "b", "a", "b", "b", "c", "b"],
        "position": [1, 2, 1, 2, 1, 4, 2],
        "click": [False, True, False, True, False, False, True],
    }
)


def as_text(s: Sessions) -> list[tuple]:
    """Every session written out: query, (item, click) by position, how often."""
    return [
        (
            s.query_names[s.query[i]],
            tuple((s.item_names[d], bool(c)) if d >= 0 else None for d, c in zip(s.items[i], s.clicks[i], strict=True)),
            int(s.weight[i]),
        )
        for i in range(len(s))
    ]


EXPECTED = [
    ("p", (None, ("b", True), None, None), 1),
    ("p", (("b", False), None, None, ("c", False)), 1),
    ("q", (("a", False), ("b", True), None, None), 2),
]


def test_equal_sessions_merge_and_gaps_keep_positions():
    s = Sessions.of(ROWS)

    assert as_text(s) == EXPECTED
    assert (s.n, len(s), s.depth) == (4, 3, 4)
    assert s.lengths.tolist() == [2, 4, 2]
    assert s.last_click.tolist() == [2, 0, 2]


@pytest.mark.parametrize("form", ["lazy", "pandas", "rows", "shuffled", "integers"])
def test_every_form_of_the_table_is_the_same(form: str):
    source = {
        "lazy": ROWS.lazy,
        "pandas": ROWS.to_pandas,
        "rows": ROWS.to_dicts,
        "shuffled": lambda: ROWS.sample(fraction=1, shuffle=True, seed=3),
        "integers": lambda: ROWS.with_columns(pl.col("click").cast(int), pl.col("position").cast(float)),
    }[form]()

    assert as_text(Sessions.of(source)) == EXPECTED


def test_dicts_and_arrays_are_the_same():
    dicts = [
        {"query": "q", "items": ["a", "b"], "clicks": [0, 1], "weight": 2},
        {"query": "p", "items": ["b", None, None, "c"], "clicks": [0, 0, 0, 0]},
        {"query": "p", "items": [None, "b"], "clicks": [False, True]},
    ]
    arrays = {
        "query": ["q", "q", "p", "p"],
        "items": np.array([["a", "b", "", ""], ["a", "b", "", ""], ["b", "", "", "c"], ["", "b", "", ""]]),
        "clicks": np.array([[0, 1, 0, 0], [0, 1, 0, 0], [0, 0, 0, 0], [0, 1, 0, 0]]),
    }

    assert as_text(Sessions.of(dicts)) == EXPECTED
    assert as_text(Sessions.of(arrays)) == EXPECTED


def test_negative_numbers_are_no_items():
    s = Sessions.of({"query": [7], "items": np.array([[30, -1, 4]]), "clicks": np.array([[1, 0, 0]])})

    assert as_text(s) == [("7", (("30", True), None, ("4", False)), 1)]


def test_columns_give_other_names_and_depth_cuts():
    s = Sessions.of(ROWS.rename({"click": "cart"}), columns={"cart": "click"}, depth=1)

    assert as_text(s) == [("p", (("b", False),), 1), ("q", (("a", False),), 2)]


def test_users_keep_sessions_apart():
    assert len(Sessions.of(ROWS, users=True)) == 4


def test_not_merged_is_as_it_came():
    assert Sessions.of(ROWS, merge=False).weight.tolist() == [1, 1, 1, 1]


def changed(**columns: list) -> pl.DataFrame:
    return ROWS.with_columns(**{name: pl.Series(values, strict=False) for name, values in columns.items()})


@pytest.mark.parametrize(
    ("source", "message"),
    [
        (changed(position=[0, 1, 0, 1, 0, 3, 1]), "whole number from 1, got 0 .3 rows.*add 1"),
        (changed(position=[1.5, 2, 1, 2, 1, 4, 2]), "whole number from 1, got 1.5"),
        (changed(position=[float("nan"), 2, 1, 2, 1, 4, 2]), "whole number from 1, got nan"),
        (changed(position=[None, 2, 1, 2, 1, 4, 2]), "position must be there in every row, got 1 rows"),
        (changed(position=[-1, 2, 1, 2, 1, 4, 2]), "whole number from 1, got -1"),
        (changed(click=[2, 0, 0, 0, 0, 0, 0]), "true or false .or 1 and 0., got 2"),
        (changed(click=["yes"] * 7), "true or false .* String"),
        (changed(position=[1, 1, 1, 2, 1, 4, 2]), "one item, got two or more at 1 positions .*'r1', position 1"),
        (changed(query_id=["q", "x", "q", "q", "p", "p", "p"]), "one query_id, got several in 1 requests .*'r1'"),
        (ROWS.drop("click", "position"), "columns missing from sessions: 'position', 'click'"),
        (ROWS.head(0), "at least one impression, got none"),
        ([], "at least one session, got none"),
        (7, "impression table, dicts or arrays, got int"),
        ([{"query": "q", "items": ["a"], "clicks": [0, 1]}], "of one length; not so in session 1"),
        ([{"query": "q", "items": ["a"]}], "'query', 'items' and 'clicks'; not so in session 1"),
        ([{"query": "q", "items": [None], "clicks": [1]}], "a click must be on an item, got 1"),
        ([{"query": "q", "items": ["a"], "clicks": [0], "weight": 0}], "weight must be a whole number from 1"),
        ({"query": ["q"], "items": np.zeros((2, 1)), "clicks": np.zeros((2, 1))}, "query must be .n,., items"),
    ],
)
def test_what_cannot_be_read_is_refused(source, message: str):
    with pytest.raises(InputError, match=message):
        Sessions.of(source)


def test_lists_far_too_sparse_are_refused():
    rows = pl.DataFrame(
        {"request_id": range(2000), "query_id": 1, "item_id": 1, "position": [100_000] * 2000, "click": False}
    )

    with pytest.raises(InputError, match=r"got position 100000 where lists have 1.0 items on average. Pass depth=50"):
        Sessions.of(rows)


# splits


def many(n: int = 300) -> Sessions:
    rng = np.random.default_rng(1)
    return Sessions.of(
        {
            "query": rng.integers(12, size=n),
            "items": rng.integers(3, size=(n, 2)),
            "clicks": rng.random((n, 2)) < 0.3,
            "user": rng.integers(40, size=n),
        },
        users=True,
    )


@pytest.mark.parametrize("by", ["request", "query", "user"])
def test_both_parts_of_a_split_are_the_whole(by: str):
    s = many()
    fit, held = s.split(0.25, rng=4, by=by)
    both = Sessions.of(s)  # the same object
    total = {(*row[:2], s.user_names[u]): row[2] for row, u in zip(as_text(both), s.user, strict=True)}
    for part in (fit, held):
        for row, u in zip(as_text(part), part.user, strict=True):
            total[(*row[:2], s.user_names[u])] -= row[2]

    assert set(total.values()) == {0}
    if by == "request":
        assert held.n == 75
    else:
        group = {"query": lambda p: p.query, "user": lambda p: p.user}[by]
        assert not set(group(fit).tolist()) & set(group(held).tolist())
    if by == "query":
        assert len(set(held.query.tolist())) == 3


def test_a_split_depends_on_rng_alone():
    s = many()
    first, again, other = (s.split(0.3, rng=seed)[1] for seed in (1, 1, 2))

    assert as_text(first) == as_text(again) != as_text(other)


def test_splits_that_cannot_be_are_refused():
    one = Sessions.of([{"query": "q", "items": ["a"], "clicks": [0]}])

    with pytest.raises(InputError, match="at least 2 sessions"):
        one.split(0.5, rng=0)
    with pytest.raises(InputError, match="Pass users=True"):
        one.split(0.5, rng=0, by="user")
    with pytest.raises(ParameterError, match="between 0 and 1"):
        one.split(1.0, rng=0)
    with pytest.raises(ParameterError, match="`by` must be one of request, query, user"):
        one.split(0.5, rng=0, by="day")
    with pytest.raises(ParameterError, match="`depth` must be a positive integer"):
        Sessions.of([{"query": "q", "items": ["a"], "clicks": [0]}], depth=0)


def test_codes_by_table_and_by_sort_are_the_same():
    keys = np.random.default_rng(0).integers(1000, size=500)
    by_table, by_sort = codes_of_keys(keys, 1000), codes_of_keys(keys, 1 << 40)

    assert np.array_equal(by_table[0], by_sort[0])
    assert np.array_equal(by_table[1], by_sort[1])


def test_pairs_name_query_and_item():
    s = Sessions.of(ROWS)
    pairs = s.pairs

    assert [(s.query_names[q], s.item_names[d]) for q, d in zip(pairs.query, pairs.item, strict=True)] == [
        ("p", "b"), ("p", "c"), ("q", "a"), ("q", "b"),
    ]  # fmt: skip
    assert pairs.code.tolist() == [[-1, 0, -1, -1], [0, -1, -1, 1], [2, 3, -1, -1]]
