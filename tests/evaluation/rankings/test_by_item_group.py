"""Recall by kind of item: against the definition written out, with groups in every form, at the edges."""

from __future__ import annotations

import json
import random
from math import isnan, log2, sqrt
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from scipy.stats import t as student

import rankgauge as rg
from chinese_errors import Files, says_in_both
from command_line import rankgauge
from rankgauge.errors import InputError, ParameterError, UnknownName
from rankgauge.evaluation.rankings.item_groups import _by_popularity
from rankgauge.reporting import render

QRELS = {"q1": ["hit", "rare"], "q2": ["hit", "odd"], "q3": ["odd"]}
RUN = {"q1": ["hit", "x", "rare"], "q2": ["odd", "hit"], "q3": ["y"]}
GROUPS = {"hit": "popular", "rare": "long tail", "odd": "long tail"}


def evaluated(measures: Any = ("R@1", "R@3"), **options: Any) -> Any:
    return rg.evaluate(QRELS, RUN, list(measures), **options)


def test_found_pairs_over_relevant_pairs_of_each_group():
    found = evaluated().by_item_group(GROUPS)

    assert [(r.group, r.k, r.items, r.relevant, r.queries, r.found, r.recall) for r in found.rows] == [
        ("long tail", 1, 2, 3, 3, 1, 1 / 3),
        ("long tail", 3, 2, 3, 3, 2, 2 / 3),
        ("popular", 1, 1, 2, 2, 1, 1 / 2),
        ("popular", 3, 1, 2, 2, 2, 1.0),
    ]
    assert found.overall["run"] == [2 / 5, 4 / 5]
    assert found["long tail", 3].found == 2


@pytest.mark.parametrize("seed", range(8))
def test_random_lists_equal_the_definition_and_the_interval_of_a_ratio(seed: int):
    rng = random.Random(seed)
    items = [f"d{i}" for i in range(9)]
    groups = {d: rng.choice("ABC") for d in items}
    qrels = {f"q{i}": rng.sample(items, rng.randint(1, 5)) for i in range(12)}
    run = {q: rng.sample(items, rng.randint(1, 9)) for q in qrels if rng.random() < 0.9}
    k = rng.randint(1, 6)

    found = rg.evaluate(qrels, run, "R@5").by_item_group(groups, [k])

    for row in found.rows:
        pairs = [(q, d in run.get(q, [])[:k]) for q, rel in qrels.items() for d in rel if groups[d] == row.group]
        assert (row.relevant, row.found) == (len(pairs), sum(hit for _, hit in pairs))
        value = row.found / row.relevant
        by = {q: [hit for p, hit in pairs if p == q] for q, _ in pairs}
        n, rest = len(by), [sum(x) - value * len(x) for x in by.values()]
        error = sqrt(n / (n - 1) * sum(d * d for d in rest)) / len(pairs) if n > 1 else 0.0
        if error == 0:
            assert isnan(row.interval.low)
        else:
            half = student.ppf(0.975, n - 1) * error
            assert tuple(row.interval) == pytest.approx((max(0, value - half), min(1, value + half)))


def test_counts_make_head_torso_and_tail():
    # 50 of 100 come first, then 30, then 10, 5, 5: shares before them are 0, 0.5, 0.8, 0.9
    counts = {"a": 50.0, "b": 30.0, "c": 10.0, "d": 5.0, "e": 5.0}

    assert _by_popularity("clicks", counts, (0.2, 0.8)) == {
        "a": "head",
        "b": "torso",
        "c": "tail",
        "d": "tail",
        "e": "tail",
    }


def test_items_with_the_same_count_are_in_the_same_group():
    assert set(_by_popularity("n", dict.fromkeys("abcdefgh", 1.0), (0.2, 0.8)).values()) == {"head"}


def test_numbers_of_a_dict_are_counts_and_groups_stand_in_order():
    found = evaluated(["R@3"]).by_item_group({"hit": 900, "odd": 500, "rare": 2, "x": 4000})

    assert found.groups == ["torso", "tail"]
    assert "长尾" in render(found, "text", "zh")
    assert any("the head has the first 20% of its total" in note for note in found.notes)


def test_files_frames_and_attributes(tmp_path: Path):
    frame = pl.DataFrame({"item_id": list(GROUPS), "kind": list(GROUPS.values()), "clicks": [90, 1, 9]})
    frame.write_csv(tmp_path / "items.csv")
    (tmp_path / "items.jsonl").write_text("".join(json.dumps(row) + "\n" for row in frame.to_dicts()))

    by_frame = evaluated().by_item_group(frame).to_frame()

    assert by_frame["attribute"].unique(maintain_order=True).to_list() == ["kind", "clicks"]
    for name in ("items.csv", "items.jsonl"):
        assert evaluated().by_item_group(tmp_path / name).to_frame().equals(by_frame)


def test_items_that_the_table_does_not_have_are_a_group_and_a_note():
    found = evaluated().by_item_group({"hit": "popular"})

    assert found.groups == ["popular", "(none)"]
    assert "（无记录）" in found._render("text", language="zh")
    assert "(none)" not in found._render("text", language="zh")
    assert any("2 relevant items without 'group'" in note for note in found.notes)


def test_left_out_queries_do_not_count():
    run = {"q1": ["hit"], "q2": ["hit"]}
    kept = rg.evaluate(QRELS, run, "R@3").by_item_group(GROUPS)["long tail"]
    left = rg.evaluate(QRELS, run, "R@3", missing="skip").by_item_group(GROUPS)["long tail"]

    assert (kept.relevant, left.relevant) == (3, 2)


def test_one_query_has_no_interval():
    row = rg.evaluate({"q": ["a", "b"]}, {"q": ["a"]}, "R@3").by_item_group({"a": "x", "b": "x"})["x"]

    assert (row.recall, isnan(row.interval.low)) == (0.5, True)


def test_several_runs_in_one_record(tmp_path: Path):
    evs = rg.evaluate(QRELS, {"old": RUN, "new": {q: ["odd"] for q in QRELS}}, "R@3")

    found = evs.by_item_group(GROUPS)

    assert found.systems == ["old", "new"]
    assert found.part("new").systems == ["new"]
    assert "new on qrels: recall by group of items" in str(found)


@pytest.mark.parametrize(
    ("groups", "options", "told"),
    [
        ({}, {}, "there are none"),
        ({"zzz": "a"}, {}, "none of the 3 relevant items has a value of 'group'"),
        ({"hit": -1}, {}, "must be a count of 0 or more"),
        ({"hit": 0}, {}, "must not be 0 for all items"),
        (GROUPS, {"cutoffs": [0]}, "`cutoffs` must be positive integers"),
        (GROUPS, {"cutoffs": []}, "no cutoffs given"),
        (GROUPS, {"shares": (0.8, 0.2)}, "`shares` must be two numbers"),
    ],
)
def test_what_cannot_be_grouped_is_an_error(groups: Any, options: dict[str, Any], told: str):
    with pytest.raises((InputError, ParameterError), match=told):
        evaluated().by_item_group(groups, **options)


def test_stored_evaluations_have_no_items(tmp_path: Path):
    evaluated().to_json(tmp_path / "ev.json")

    with pytest.raises(InputError, match="by_item_group: this evaluation was stored"):
        rg.load(tmp_path / "ev.json").by_item_group(GROUPS)
    with pytest.raises(UnknownName, match="no group 'new' at 1"):
        evaluated().by_item_group(GROUPS)["new"]


def test_the_command_shows_groups_and_stores_them_with_each_run(tmp_path: Path):
    (tmp_path / "qrels.txt").write_text("".join(f"{q} 0 {d} 1\n" for q, items in QRELS.items() for d in items))
    lines = [f"{q} Q0 {d} {i} {9 - i} t\n" for q, items in RUN.items() for i, d in enumerate(items, 1)]
    for name in ("a.run", "b.run"):
        (tmp_path / name).write_text("".join(lines))
    (tmp_path / "items.csv").write_text("item_id,kind\n" + "".join(f"{d},{g}\n" for d, g in GROUPS.items()))
    words = ("evaluate", "qrels.txt", "a.run", "-m", "R@3", "--item-groups", "items.csv")

    assert "a on qrels: recall by kind of items" in rankgauge(*words, cwd=tmp_path).stdout
    rankgauge(*words[:3], "b.run", *words[3:], "--rate", "-o", "out.json", cwd=tmp_path)
    stored = json.loads((tmp_path / "out.json").read_text())
    assert {name: (ev["ratings"]["kind"], len(ev["by_item_group"]["rows"])) for name, ev in stored.items()} == {
        "a": ("ratings", 2),
        "b": ("ratings", 2),
    }
    assert list(rg.load(tmp_path / "out.json")) == ["a", "b"]


def test_a_count_that_no_float_holds_is_an_error():
    with pytest.raises(InputError, match="d1"):
        rg.by_item_group(rg.evaluate({"q": {"d1": 1}}, {"q": ["d1"]}, "RR"), {"d1": 10**400, "d2": 1})


# what train and items= make


TRAIN = {"u1": ["a", "b"], "u2": ["a", "b"], "u3": ["a", "c"], "u4": ["a"], "u5": ["a"], "u6": ["d"]}
TEST = {"u1": ["c", "new"], "u2": ["d"], "u3": ["b"], "u7": ["a", "c"]}
RECS = {"u1": ["c", "d"], "u2": ["c", "x"], "u3": ["d", "b"], "u7": ["a", "b", "c"]}
ITEMS = {"a": "drama|comedy", "b": "drama", "c": "news", "d": "news|drama", "e": "comedy", "new": "comedy"}


def recommended(**options: Any) -> Any:
    return rg.evaluate(TEST, RECS, ["R@2"], train=TRAIN, items={i: {"genres": g} for i, g in ITEMS.items()}, **options)


def test_popularity_of_train_makes_groups_and_what_it_does_not_have_is_cold():
    # users who had each: a 5, b 2, c 1, d 1; of 9 pairs 0 are before a, 5 before b, 7 before c and d
    found = recommended().by_item_group("popularity", shares=(0.2, 0.7))

    assert [(r.group, r.in_catalogue, r.items, r.relevant, r.found, r.never_shown) for r in found.rows] == [
        ("head", 1, 1, 1, 1, 0),  # a for u7
        ("torso", 1, 1, 1, 1, 0),  # b for u3
        ("tail", 2, 2, 3, 1, 0),  # c for u1 and u7, d for u2: c is shown to u1 and u2, d to u1 and u3
        ("cold", 2, 1, 1, 0, 1),  # new for u1; e is wanted by nobody
    ]
    assert found.notes[0].startswith(
        "popularity, by users who had the item in train: 5 or more are the head (the first 20% of all pairs), 2 or "
        "more the torso, fewer the tail"
    )


def test_exposure_is_the_share_of_discounted_places_in_equal_parts():
    found = recommended().by_item_group("genres")

    first, second = 1.0, 1 / log2(3)
    whole = 4 * (first + second)
    drama = second / 2 + second / 2 * 0 + (first / 2 + second) + (first / 2 + second)  # d; none; d and b; a and b
    comedy = first / 2  # a
    news = (first + second / 2) + first + first / 2  # c and d; c; d
    none = second  # x
    assert found["drama"].exposure == pytest.approx(drama / whole)
    assert found["comedy"].exposure == pytest.approx(comedy / whole)
    assert found["news"].exposure == pytest.approx(news / whole)
    assert drama + comedy + news + none == pytest.approx(whole)
    assert (found["comedy"].relevant, found["comedy"].found) == (2, 1)  # new for u1, and a for u7 in both of its groups


def test_relevant_items_in_no_list_are_named_with_how_many_want_them():
    test = {f"u{i}": [*("p" if i < 3 else ""), *("q" if i < 5 else ""), "s"] for i in range(6)}
    ev = rg.evaluate(test, {u: ["s", "x", "p"] for u in test}, ["R@2"], items={"p": {"title": "Pi", "kind": "film"}})

    found = ev.by_item_group({"p": "film", "q": "film", "s": "song"}, [1, 2, 3])

    assert [(n.k, n.items, n.of, n.pairs, n.of_pairs) for n in found.never_shown] == [
        (1, 2, 3, 8, 14),
        (2, 2, 3, 8, 14),
        (3, 1, 3, 5, 14),
    ]
    assert [(w.item, w.queries, w.title) for w in found.never_shown[0].most_wanted] == [("q", 5, ""), ("p", 3, "Pi")]
    assert [r.never_shown for r in found.rows if r.group == "film"] == [2, 2, 1]
    assert "2 of 3 relevant items (66.7%) are in the first 2 of no list: 8 of 14 relevant pairs" in str(found)
    assert "3 个相关条目中有 2 个（66.7%）不在任何列表的前 2 条中" in found.to_markdown(language="zh")


@pytest.mark.parametrize("seed", range(8))
def test_random_recommendations_equal_the_definitions(seed: int):
    rng = random.Random(seed)
    items = [f"i{n}" for n in range(12)]
    users = [f"u{n}" for n in range(10)]
    train = [(rng.choice(users), rng.choice(items[:9]), rng.randint(1, 6)) for _ in range(30)]
    kinds = {i: rng.sample("ABC", rng.randint(0, 2)) for i in items[:10]}
    test = {u: rng.sample(items, rng.randint(1, 4)) for u in users}
    recs = {u: rng.sample([*items, "x"], rng.randint(1, 8)) for u in users if rng.random() < 0.9}
    k = rng.randint(1, 5)
    frame = pl.DataFrame(train, schema=["user_id", "item_id", "timestamp"], orient="row")

    ev = rg.evaluate(test, recs, "R@3", train=frame, items={i: {"kind": list(g)} for i, g in kinds.items()})
    found = ev.by_item_group(["popularity", "age", "kind"], [k])

    had = {i: {u for u, j, _ in train if j == i} for i in items}
    born = {i: min(t for _, j, t in train if j == i) for i in items if had[i]}
    shown = {i for row in recs.values() for i in row[:k]}

    def groups(attribute: str, item: str) -> list[str]:
        if attribute == "kind":
            return list(kinds.get(item, [])) or ["(none)"]
        if not had.get(item):
            return ["cold"]
        if attribute == "popularity":
            pairs = sum(map(len, had.values()))
            before = sum(len(h) for h in had.values() if len(h) > len(had[item])) / pairs
            return ["head" if before < 0.2 else "torso" if before < 0.8 else "tail"]
        later = sum(t > born[item] for t in born.values()) / len(born)
        return ["new" if later < 1 / 3 else "middle" if later < 2 / 3 else "old"]

    for row in found.rows:
        wanted = [(u, i) for u, rel in test.items() for i in rel if row.group in groups(row.attribute, i)]
        assert (row.relevant, row.found) == (len(wanted), sum(i in recs.get(u, [])[:k] for u, i in wanted))
        assert row.never_shown == len({i for _, i in wanted} - shown)
        by = {u: [(groups(row.attribute, i), 1 / log2(r + 2)) for r, i in enumerate(recs[u][:k])] for u in recs}
        mine = [sum(w * g.count(row.group) / len(g) for g, w in places) for places in by.values()]
        whole = [sum(w for _, w in places) for places in by.values()]
        share = sum(mine) / sum(whole)
        assert row.exposure == pytest.approx(share)
        rest = [m - share * w for m, w in zip(mine, whole, strict=True)]
        n = len(rest)
        error = sqrt(n / (n - 1) * sum(x * x for x in rest)) / sum(whole)
        if error > 1e-9:
            half = student.ppf(0.975, n - 1) * error
            assert tuple(row.exposure_interval) == pytest.approx((max(0, share - half), min(1, share + half)))


def test_without_groups_there_are_popularity_and_category():
    found = recommended().by_item_group()

    assert list(dict.fromkeys(r.attribute for r in found.rows)) == ["popularity", "genres"]


def test_every_way_in_gives_the_same_groups(tmp_path: Path):
    rows = [(u, i, -float(k)) for u, items in RECS.items() for k, i in enumerate(items)]
    frame = pl.DataFrame(rows, schema=["user_id", "item_id", "score"], orient="row")
    frame.write_parquet(tmp_path / "recs.parquet")
    expected = recommended().by_item_group().to_frame().drop("system")

    for run in (frame, frame.sample(fraction=1, shuffle=True, seed=3), frame.lazy(), tmp_path / "recs.parquet"):
        engine = "streaming" if isinstance(run, (pl.LazyFrame, Path)) else "auto"
        options = {"train": TRAIN, "items": {i: {"genres": g} for i, g in ITEMS.items()}, "engine": engine}
        found = rg.evaluate(TEST, run, ["R@2"], **options).by_item_group()
        assert found.to_frame().drop("system").equals(expected)


def test_what_cannot_be_made_is_an_error_that_says_what_is_needed():
    plain = evaluated()
    for word, needs in (("popularity", "train="), ("age", "train=")):
        with pytest.raises(ParameterError, match=needs):
            plain.by_item_group(word)
    with pytest.raises(ParameterError, match="train has none"):
        recommended().by_item_group("age")
    with pytest.raises(ParameterError, match="which groups of items"):
        plain.by_item_group()
    with pytest.raises(ParameterError, match="'colour' is not known"):
        recommended().by_item_group(["genres", "colour"])


def test_lists_that_are_not_at_hand_leave_exposure_out():
    found = recommended(unjudged="remove").by_item_group("popularity")

    assert all(isnan(r.exposure) and r.never_shown is None for r in found.rows)
    assert found.never_shown == ()
    assert any("without exposure" in note for note in found.notes)
    assert "exposure at" not in str(found)


def test_words_on_the_command_line(tmp_path: Path):
    for name, data in (("test", TEST), ("train", TRAIN), ("recs", RECS)):
        lines = "".join(f"{u},{i},{9 - k}\n" for u, items in data.items() for k, i in enumerate(items))
        (tmp_path / f"{name}.csv").write_text(f"user_id,item_id,{'score' if name == 'recs' else 'weight'}\n" + lines)
    (tmp_path / "items.csv").write_text("item_id,genres\n" + "".join(f"{i},{g}\n" for i, g in ITEMS.items()))
    files = [str(tmp_path / f"{name}.csv") for name in ("test", "recs")]
    known = ("--train", str(tmp_path / "train.csv"), "--items", str(tmp_path / "items.csv"))

    both = ("--item-groups", "popularity", "--item-groups", "genres")
    done = rankgauge("evaluate", *files, "-m", "R@2", "--rel", "1", *known, *both)

    assert "recs on test: recall by popularity of items" in done.stdout
    assert "recs on test: recall by genres of items" in done.stdout
    assert "exposure at 2" in done.stdout


@pytest.mark.parametrize("word", ["popularity", "age"])
def test_where_all_relevant_items_are_cold_that_is_their_group(word):
    train = pl.DataFrame({"user_id": ["u", "v"], "item_id": ["old", "older"], "time": [2, 1]})

    found = evaluated(train=train).by_item_group(word)

    assert found.groups == ["cold"]
    assert [(row.k, row.relevant, row.found) for row in found.rows] == [(1, 5, 2), (3, 5, 4)]
    told = (
        f"{word}: no relevant item is in train, where ids are such as 'old'; those of relevant items are such as 'hit'"
    )
    assert told in found.notes


def test_an_unknown_word_names_those_that_are_known(tmp_path):
    ev = evaluated(items={"hit": {"genre": "a"}, "rare": {"genre": "b"}})

    says_in_both(
        lambda at: ev.by_item_group("colour"),
        Files(tmp_path),
        "item groups: 'colour' is not known. There are: 'genre'.",
        "条目分组：没有 'colour'。已有：'genre'。",
    )
    with pytest.raises(InputError, match=r"'none\.csv' does not exist"):
        ev.by_item_group("none.csv")


@pytest.mark.parametrize(
    ("relevant", "said"),
    [
        (["x"], "the only relevant item has no value of"),
        (["x", "y"], "none of the 2 relevant items has a value of"),
    ],
)
def test_groups_of_other_items_are_refused(relevant, said):
    with pytest.raises(InputError, match=f"item groups: {said}.*Items are such as 'x', the table has 'k'"):
        rg.evaluate({"q": relevant}, {"q": ["x"]}, "R@1").by_item_group({"k": {"age": "old"}})
