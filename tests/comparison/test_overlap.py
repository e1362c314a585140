"""Two versions side by side: numbers against the definitions, forms of input, what is told and what is refused."""

from __future__ import annotations

import json
import math
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rankgauge as rg
from chinese_errors import Files, says_in_both
from command_line import rankgauge
from rankgauge.comparison.overlap import NUMBERS

OLD = {"u1": ["a", "b", "c"], "u2": ["a", "d"], "u3": ["e", "f"], "u4": ["a"], "u5": []}
NEW = {"u1": ["a", "b", "c"], "u2": ["d", "a"], "u3": ["g", "h", "i"], "u5": ["a"], "u6": ["a"]}


def rbo_by_definition(a: list[str], b: list[str], p: float, depth: int) -> float:
    """Equation 32 of Webber, Moffat, Zobel (2010), as it is written."""
    short, long = sorted((a[:depth], b[:depth]), key=len)
    s, n = len(short), len(long)

    def common(d: int) -> int:
        return len({*short[:d]} & {*long[:d]})

    first = sum(common(d) / d * p**d for d in range(1, n + 1))
    second = sum(common(s) * (d - s) / (s * d) * p**d for d in range(s + 1, n + 1))
    return (1 - p) / p * (first + second) + ((common(n) - common(s)) / n + common(s) / s) * p**n


def exposure_by_definition(old: dict, new: dict, k: int) -> float:
    items = {i for lists in (old, new) for ids in lists.values() for i in ids}
    shown = [{i: sum(i in ids[:k] for ids in lists.values()) for i in items} for lists in (old, new)]
    places = sum(len(ids[:k]) for lists in (old, new) for ids in lists.values())
    return sum(abs(shown[1][i] - shown[0][i]) for i in items) / places


two_versions = st.lists(
    st.tuples(*[st.lists(st.sampled_from("abcdefgh"), min_size=1, max_size=6, unique=True)] * 2), min_size=1, max_size=6
)


@given(lists=two_versions, k=st.integers(1, 6), p=st.sampled_from([0.3, 0.9, 0.98]), depth=st.integers(1, 8))
@settings(max_examples=40, deadline=None)
def test_numbers_are_those_of_the_definitions(lists, k, p, depth):
    old, new = ({f"u{i}": pair[side] for i, pair in enumerate(lists)} for side in (0, 1))
    found = rg.overlap(old, new, k, p=p, depth=depth)
    rows = {q: [] for q in NUMBERS}
    for q, a in old.items():
        first, second = a[:k], new[q][:k]
        same = {*first} & {*second}
        rows["overlap"].append(len(same) / max(len(first), len(second)))
        rows["rbo"].append(rbo_by_definition(a, new[q], p, max(depth, k)))
        rows["new"].append(len(second) - len(same))
        rows["gone"].append(len(first) - len(same))
        rows["changed"].append(float(first != second))
        rows["first"].append(float(first[0] != second[0]))
    for name in NUMBERS[:-1]:
        assert found[name].value == pytest.approx(np.mean(rows[name]), abs=1e-12), name
        assert found.per_query[name].to_list() == pytest.approx(rows[name], abs=1e-12), name
    assert found["exposure"].value == pytest.approx(exposure_by_definition(old, new, k))
    assert (found.gained, found.lost) == tuple(
        len({i for ids in x.values() for i in ids[:k]} - {i for ids in y.values() for i in ids[:k]})
        for x, y in ((new, old), (old, new))
    )


@given(lists=two_versions.filter(lambda x: len(x) > 2))
@settings(max_examples=20, deadline=None)
def test_the_interval_of_exposure_rests_on_what_it_is_without_each_list(lists):
    old, new = ({f"u{i}": pair[side] for i, pair in enumerate(lists)} for side in (0, 1))
    n = len(lists)
    left = [
        exposure_by_definition(
            {q: x for q, x in old.items() if q != f"u{i}"}, {q: x for q, x in new.items() if q != f"u{i}"}, 3
        )
        for i in range(n)
    ]
    error = math.sqrt((n - 1) / n * sum((x - np.mean(left)) ** 2 for x in left))
    found = rg.overlap(old, new, 3)["exposure"]
    t = {3: 4.302652729911275, 4: 3.182446305284263, 5: 2.7764451051977987, 6: 2.570581835636314}[n]

    assert found.interval.low == pytest.approx(max(0, found.value - t * error), abs=1e-9)
    assert found.interval.high == pytest.approx(min(1, found.value + t * error), abs=1e-9)


def test_rbo_of_a_reader_who_hardly_ever_goes_on_is_about_the_first_result():
    found = rg.overlap({"q": ["a", "b"], "r": ["a", "b"]}, {"q": ["a", "c"], "r": ["b", "a"]}, 2, p=5e-324)

    assert found["rbo"].value == (1 + 0) / 2


def test_rbo_of_the_lists_of_an_example_by_hand():
    # common items of the first 1, 2, 3: 0, 1, 2 of two lists of three
    found = rg.overlap({"q": ["a", "b", "c"]}, {"q": ["b", "d", "c"]}, 3, p=0.5)["rbo"].value

    assert found == pytest.approx((0 / 1 * 0.5 + 1 / 2 * 0.25 + 2 / 3 * 0.125) * (0.5 / 0.5) + 2 / 3 * 0.125)


@pytest.mark.parametrize(
    ("a", "b", "value"),
    [("abcdefg", "bacfgde", 0.8456895), ("abc", "bdcae", 0.734445), ("ab", "xyzab", 0.280665)],
)
def test_rbo_is_that_of_the_package_rbo(a, b, value):
    """`RankingSimilarity(a, b).rbo_ext(p=0.9)` of rbo 0.1.3, for lists of the same and of different lengths."""
    assert rg.overlap({"q": list(a)}, {"q": list(b)})["rbo"].value == pytest.approx(value, abs=1e-12)


def test_only_lists_of_both_versions_are_compared_and_the_others_are_counted():
    found = rg.overlap(OLD, NEW, 2)

    assert (found.n, found.only_old, found.only_new) == (3, 1, 2)
    assert found.per_query["query_id"].to_list() == ["u1", "u2", "u3"]
    assert found["overlap"].value == pytest.approx((1 + 1 + 0) / 3)
    assert found["changed"].value == pytest.approx(2 / 3)
    assert [x.query_id for x in found.most_changed] == ["u3", "u2"]
    assert [(x.item_id, x.old, x.new) for x in found.risen] == [("g", 0, 1), ("h", 0, 1)]
    assert [x.item_id for x in found.fallen] == ["e", "f"]
    text = str(found)
    assert "1 query with a list in old and none in new: left out" in text
    assert "old and new have 66.7% of the first 2 in common, on average over 3 lists; 66.7% of lists changed" in text


def test_equal_versions_have_not_changed():
    found = rg.overlap(OLD, OLD, 10)

    assert [found[name].value for name in NUMBERS] == [1, 1, 0, 0, 0, 0, 0]
    assert found["rbo"].interval == (1, 1)
    assert not found.most_changed
    assert str(found).startswith("new shows what old shows: the first 10 of all 4 lists are the same")


def test_a_list_that_only_grew_has_changed_although_it_agrees_as_far_as_it_goes():
    found = rg.overlap({"q": ["a"]}, {"q": ["a", "b"]}, 2)

    assert (found["rbo"].value, found["overlap"].value, found["changed"].value) == (1, 1 / 2, 1)
    assert [(x.query_id, x.new, x.gone) for x in found.most_changed] == [("q", 1, 0)]


def test_what_was_noticed_of_the_input_is_told():
    new = {"u1": {"a": 2.0, "b": float("nan")}}

    for run in (new, rg.Run.of(new).to_frame()):
        assert rg.overlap(OLD, run).notes == [
            "old: 1 list of the run is empty",
            "new: 1 score not a number; such results rank last",
        ]


def test_empty_lists_repeats_and_odd_ids_are_told(tmp_path):
    old = {"u1": ["a"], "u2": ["b"]}
    again = [
        "new: 1 repeated result in 1 query removed: later results moved up",
        "new: 1 document id has blanks around, or marks that nobody sees, such as 'c\\u200b'",
    ]
    file = tmp_path / "new.txt"
    file.write_text("u1 Q0 a 1 3 new\nu1 Q0 a 2 2 new\nu1 Q0 c\u200b 3 1 new\n", encoding="utf-8")

    assert rg.overlap(old, {"u1": ["a", "a", "c\u200b"]}).notes == again
    assert rg.overlap(old, rg.Run.of(file).to_frame()).notes == again
    assert rg.overlap(old, file).notes == again
    for mark in "\u00ad\u2028\u2029":
        (note,) = rg.overlap(old, {"u1": ["a", f"c{mark}d"]}).notes
        assert note.startswith("new: 1 document id has blanks around, or marks that nobody sees")
    assert rg.overlap(old, {"u1": ["a"], "u2": []}).notes == ["new: 1 list of the run is empty"]
    file.write_text("u1 Q0 a 1 3 new\nu1 Q0 c 3 1 new\n", encoding="utf-8")
    assert rg.overlap(old, file).notes == []


def test_equal_scores_stand_alike_in_both_versions():
    old, new = {"q": {"a": 1.0, "b": 1.0}}, {"q": {"b": 1.0, "a": 1.0}}

    assert rg.overlap(old, new, 1)["changed"].value == 0
    assert rg.overlap(old, new, 1, ties="input")["changed"].value == 1


@pytest.mark.parametrize("form", ["csv", "txt", "parquet", "frame", "run"])
def test_every_form_gives_the_same_numbers(tmp_path: Path, form: str):
    rng = np.random.default_rng(5)
    old, new = (
        {
            f"u{u}": {f"i{i}": float(s) for i, s in zip(rng.permutation(30)[:12], rng.integers(0, 6, 12), strict=True)}
            for u in range(20)
        }
        for _ in range(2)
    )
    expected = rg.overlap(old, new, 5)
    given = [rg.Run.of(x) for x in (old, new)]
    if form == "frame":
        given = [x.to_frame() for x in given]
    elif form != "run":
        paths = [tmp_path / f"{name}.{form}" for name in ("old", "new")]
        for x, path in zip(given, paths, strict=True):
            x.write(path)
        given = paths
    found = rg.overlap(*given, 5)

    assert [x.value for x in found.numbers] == pytest.approx([x.value for x in expected.numbers])
    assert found.most_changed == expected.most_changed
    assert (found.risen, found.fallen) == (expected.risen, expected.fallen)


def test_it_is_stored_without_single_lists(tmp_path: Path):
    found = rg.overlap(OLD, NEW, 2)
    found.to_json(tmp_path / "overlap.json")
    again = rg.load(tmp_path / "overlap.json")

    assert again.to_dict() == found.to_dict()
    assert str(again) == str(found)
    with pytest.raises(rg.errors.InputError, match="Run overlap"):
        again.per_query  # noqa: B018


@pytest.mark.parametrize(
    ("old", "new", "how", "english", "chinese"),
    [
        (
            {"a": ["x"]},
            {"b": ["x"]},
            {},
            "overlap: the versions must have lists for some of the same queries, got none: the old one has 'a', "
            "the new one 'b'.",
            "overlap：两个版本必须有共同的查询，实际没有：旧版有 'a'，新版有 'b'。",
        ),
        (
            {"a": ["x"]},
            {"a": []},
            {},
            "overlap: both versions must have at least one list, got a run without any.",
            "overlap：两个版本都至少要有一个列表，实际有一个 run 没有列表。",
        ),
        (
            OLD,
            NEW,
            {"k": 0},
            "overlap: `k` must be a positive integer, got 0.",
            "overlap：`k` 必须是正整数，实际为 0。",
        ),
        (
            OLD,
            NEW,
            {"ties": "expected"},
            "overlap: `ties` must be one of doc_id, input, got 'expected'.",
            "overlap：`ties` 必须是 doc_id, input 之一，实际为 'expected'。",
        ),
    ],
)
def test_what_cannot_be_compared_is_said_in_both_languages(tmp_path, old, new, how, english, chinese):
    says_in_both(lambda at: rg.overlap(old, new, **how), Files(tmp_path), english, chinese)


def test_an_unknown_number_is_named():
    with pytest.raises(rg.errors.UnknownName, match="Did you mean rbo"):
        rg.overlap(OLD, NEW)["rbl"]


def test_the_command_compares_files_and_writes_every_query(tmp_path: Path):
    for name, lists in (("old", OLD), ("new", NEW)):
        rg.Run.of({u: ids for u, ids in lists.items() if ids}).write(tmp_path / f"{name}.csv")

    done = rankgauge("overlap", "old.csv", "new.csv", "-k", "2", "--json", "--queries", "q.csv", cwd=tmp_path)
    stored = json.loads(done.stdout)
    assert (stored["kind"], stored["n"], stored["k"]) == ("overlap", 3, 2)
    assert pl.read_csv(tmp_path / "q.csv")["query_id"].to_list() == ["u1", "u2", "u3"]
    shown = rankgauge("overlap", "old.csv", "new.csv", "-k", "2", "--language", "zh", cwd=tmp_path).stdout
    assert "前 2 条中相同条目的占比" in shown
