"""Team drafts: what holds for every pair of lists, fairness by enumeration, and the stored assignment."""

from __future__ import annotations

from collections import Counter

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rankgauge.data import Run
from rankgauge.errors import InputError, ParameterError
from rankgauge.experiments.interleaving import Interleaving, assignment_frame, interleave, team_draft

approx = pytest.approx
lists = st.lists(st.integers(0, 12), unique=True, max_size=10)
seeds = st.integers(0, 2**32)


def naive(a: list, b: list, length: int, coins: list[bool]) -> tuple[list, list[str]]:
    """Rounds of two picks; whether a round is whole is asked before its coin."""
    items: list = []
    teams: list[str] = []

    def left(side: list) -> list:
        return [i for i in side if i not in items]

    for coin in coins:
        x, y = left(a), left(b)
        if not x or not y or len(items) >= length:
            break
        whole = x[0] != y[0] or (len(x) > 1 and len(y) > 1)
        for team in ("AB" if coin else "BA")[: 2 if whole else 1]:
            items.append(left(a if team == "A" else b)[0])
            teams.append(team)
        if not whole:
            break
    for item in [*left(a), *left(b)]:
        items.append(item)
        teams.append("none")
    return items[:length], teams[:length]


@given(a=lists, b=lists, length=st.integers(1, 14), seed=seeds)
def test_equals_the_rounds_written_out(a, b, length, seed):
    coins = (np.random.default_rng(seed).random((length + 1) // 2) < 0.5).tolist()

    assert tuple(team_draft(a, b, length, seed)) == naive(a, b, length, coins)


@given(a=lists, b=lists, length=st.integers(1, 14), seed=seeds)
def test_each_item_once_and_teams_balanced(a, b, length, seed):
    items, teams = team_draft(a, b, length, seed)

    assert len(items) == len(teams) == min(length, len(set(a) | set(b)))
    assert len(set(items)) == len(items)
    assert set(items) <= set(a) | set(b)
    picks = [t for t in teams if t != "none"]
    assert teams[: len(picks)] == picks  # those of no team come last
    for k in range(len(picks) + 1):
        count = Counter(picks[:k])
        assert abs(count["A"] - count["B"]) <= k % 2  # equal after each pair
    for side, name in ((a, "A"), (b, "B")):  # a team's items are in the order of its ranking
        own = [side.index(i) for i, t in zip(items, teams, strict=True) if t == name]
        assert own == sorted(own)


@given(a=lists, b=lists, length=st.integers(1, 12), more=st.integers(0, 5), seed=seeds)
def test_a_longer_list_begins_with_the_shorter(a, b, length, more, seed):
    short, long = team_draft(a, b, length, seed), team_draft(a, b, length + more, seed)

    assert long.items[:length] == short.items
    assert long.teams[:length] == short.teams


@given(a=lists, b=lists, seed=seeds)
def test_a_common_beginning_is_kept(a, b, seed):
    items, _ = team_draft(a, b, 12, seed)
    common = 0
    while common < min(len(a), len(b)) and a[common] == b[common]:
        common += 1

    assert items[:common] == a[:common]


@given(a=lists, b=lists, length=st.integers(1, 6))
@settings(max_examples=60)
def test_no_place_favours_a_team_over_all_coins(a, b, length):
    """Every place belongs to A as often as to B: a click that depends on the place alone gives no preference."""
    rounds = (length + 1) // 2
    for place in range(length):
        count: Counter[str] = Counter()
        for bits in range(2**rounds):
            _, teams = naive(a, b, length, [bool(bits >> k & 1) for k in range(rounds)])
            if place < len(teams):
                count[teams[place]] += 1
        assert count["A"] == count["B"]


def test_same_seed_same_list_and_all_coins_come():
    a, b = list("abcdef"), list("fedcba")

    assert team_draft(a, b, 6, 7) == team_draft(a, b, 6, 7)
    first = Counter(team_draft(a, b, 6, seed).teams[0] for seed in range(400))
    assert first["A"] == approx(200, abs=3 * 10)


@given(st.dictionaries(st.sampled_from("pqrst"), st.tuples(lists, lists), min_size=1), seeds, st.integers(1, 8))
@settings(max_examples=40, deadline=None)
def test_many_lists_are_drafted_like_each_by_itself(queries, seed, length):
    queries = {q: (x, y) for q, (x, y) in queries.items() if x and y}
    if not queries:
        return
    runs = [{q: [str(i) for i in pair[side]] for q, pair in queries.items()} for side in (0, 1)]
    coins = np.random.default_rng(seed).random(((length + 1) // 2, len(queries))) < 0.5

    shown = interleave(*runs, length=length, rng=seed)

    for column, q in enumerate(sorted(queries)):
        assert tuple(shown[q]) == naive(runs[0][q], runs[1][q], length, coins[:, column].tolist())
    assert len(shown) == len(queries)


def test_scores_frames_and_runs_are_one():
    a = {"q1": {"x": 0.9, "y": 0.5, "z": 0.5}, "q2": {"x": 1.0}}
    b = {"q1": {"y": 3.0, "w": 2.0}, "q2": {"v": 1.0}}
    frames = [
        pl.DataFrame(
            [(q, d, s) for q, row in r.items() for d, s in row.items()], ["query_id", "doc_id", "score"], orient="row"
        )
        for r in (a, b)
    ]

    shown = interleave(a, b, rng=3)

    assert shown.frame.columns == ["query_id", "position", "item_id", "team"]
    assert shown.frame.equals(interleave(*frames, rng=3).frame)
    assert shown.frame.equals(interleave(Run.of(a, name="old"), Run.of(b, name="new"), rng=3).frame)
    assert shown.frame["position"].to_list() == [1, 2, 3, 4, 1, 2]
    assert shown["q1"].items[-1] in ("y", "z", "x")
    named = interleave(Run.of(a, name="old"), Run.of(b, name="new"))
    assert (named.a, named.b) == ("old", "new")
    assert (shown.a, shown.b) == ("A", "B")


def test_equal_scores_are_in_descending_order_of_ids():
    shown = interleave({"q": {"a": 1.0, "b": 1.0, "c": 1.0}}, {"q": {"a": 1.0, "b": 1.0, "c": 1.0}})

    assert shown["q"].items == ["c", "b", "a"]


@pytest.mark.parametrize("name", ["shown.csv", "shown.tsv", "shown.jsonl", "shown.parquet", "shown.csv.gz"])
def test_assignment_is_written_and_read(tmp_path, name):
    shown = interleave({"007": ["01", "2"], "8": ["3"]}, {"007": ["2", "1.0"], "8": ["4"]}, rng=5)

    shown.write(tmp_path / name)

    assert Interleaving.read(tmp_path / name).frame.equals(shown.frame)


def test_queries_of_one_run_only():
    a, b = {"q1": ["x"], "q2": ["x"]}, {"q1": ["y"], "q3": ["y"]}

    with pytest.raises(InputError, match=r'2 that are in one only\. Pass missing="intersect"'):
        interleave(a, b)
    shown = interleave(a, b, missing="intersect")
    assert len(shown) == 1
    assert "2 queries" in shown.notes[0]
    with pytest.raises(InputError, match="none in common"):
        interleave({"q1": ["x"]}, {"q2": ["x"]}, missing="intersect")


def test_bad_arguments():
    with pytest.raises(ParameterError, match="`length` must be a whole number from 1, got 0"):
        team_draft(["x"], ["y"], 0)
    with pytest.raises(InputError, match="b must hold each item once"):
        team_draft(["x"], ["y", "y"])
    with pytest.raises(InputError, match="must be a list of items"):
        team_draft("xy", ["y"])
    with pytest.raises(ParameterError, match="`missing` must be"):
        interleave({"q": ["x"]}, {"q": ["y"]}, missing="zero")
    with pytest.raises(ParameterError, match="`names` must be two names, got 1"):
        interleave({"q": ["x"]}, {"q": ["y"]}, names=["new"])
    assert team_draft([], []).items == []
    assert team_draft(["x"], []) == (["x"], ["none"])


def test_a_length_beyond_both_lists_is_all_of_them():
    assert team_draft(["x", "y"], ["y", "z"], length=10**12, rng=0) == team_draft(
        ["x", "y"], ["y", "z"], length=4, rng=0
    )


def test_interleaving_runs_to_any_length_is_all_of_them():
    runs = {"q": ["x", "y"]}, {"q": ["y", "z"]}

    assert interleave(*runs, length=10**30)["q"] == interleave(*runs, length=4)["q"]


def test_usual_names_of_an_assignment_are_recognised():
    lists = interleave({"q": ["x", "y"]}, {"q": ["y", "z"]}, length=3).to_frame()

    assert assignment_frame(lists.rename({"query_id": "qid", "item_id": "doc_id"})).equals(assignment_frame(lists))


def test_columns_of_an_assignment_are_known_in_any_case():
    plain = {"query_id": ["q", "q"], "position": [1, 2], "item_id": ["a", "b"], "team": ["A", "B"]}
    capitals = {name.upper(): values for name, values in plain.items()}

    assert assignment_frame(pl.DataFrame(capitals)).equals(assignment_frame(pl.DataFrame(plain)))


@pytest.mark.parametrize("missing", ["item_id", "query_id"])
def test_a_row_without_an_id_is_an_error(missing):
    """Of a line with `item__id` the item was nobody's, and its team lost a click."""
    rows = {"query_id": ["q", "q"], "item_id": ["a", "b"], "team": ["A", "B"]}

    with pytest.raises(InputError, match=f"column '{missing}': every row must have one, missing in 1 rows"):
        assignment_frame(pl.DataFrame({**rows, missing: ["a", None]}))


def test_a_position_beyond_all_lists_is_an_error():
    rows = {"query_id": ["q", "q"], "item_id": ["a", "b"], "team": ["A", "B"], "position": [1, 1e308]}

    with pytest.raises(InputError, match="row 2: position must be a whole number from 1 to 2,147,483,647, got 1e"):
        assignment_frame(rows)
