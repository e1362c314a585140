"""What each recall channel adds: against the definition written out, at the edges, and as people see it."""

from __future__ import annotations

import random
from pathlib import Path
from statistics import fmean
from typing import Any

import pytest

import rankgauge as rg
from command_line import rankgauge
from rankgauge.errors import InputError, ParameterError, UnknownName
from rankgauge.reporting import render

QRELS = {"q1": ["a", "b", "c", "d"], "q2": ["e"]}
CF = {"q1": ["a", "b", "x"], "q2": ["y", "e"]}
ANN = {"q1": ["b", "c"], "q2": ["z"]}


def test_what_each_finds_alone_and_beyond_the_others():
    found = rg.channels(QRELS, {"cf": CF, "ann": ANN})

    assert found.recall == (3 / 4 + 1) / 2
    assert [(c.recall, c.without, c.adds, c.only, c.only_queries) for c in found.channels] == [
        ((1 / 2 + 1) / 2, 1 / 4, (1 / 4 + 1) / 2, 2, 1),
        (1 / 4, (1 / 2 + 1) / 2, (1 / 4 + 0) / 2, 1, 0),
    ]
    assert list(found.by_count) == [1, 3, 1]  # d by none; a, c, e by one; b by both
    (overlap,) = found.overlaps
    assert (overlap.both, overlap.of_first, overlap.of_second, overlap.jaccard) == (1, 1 / 3, 1 / 2, 1 / 4)
    assert [(a.name, a.added, a.recall) for a in found.order] == [("cf", 0.75, 0.75), ("ann", 0.125, 0.875)]


@pytest.mark.parametrize("what", ["channels", "funnel"])
def test_ids_that_look_like_others_are_told(what: str):
    odd = "has blanks around, or marks that nobody sees, such as"

    found = getattr(rg, what)({**QRELS, "q2\u200b": ["\u3000"]}, {"cf": {**CF, "q2": [" e"]}, "ann": ANN})

    assert [note for note in found.notes if odd in note] == [
        f"1 query id {odd} 'q2\\u200b'",
        f"1 document id {odd} '\\u3000'",
        f"cf: 1 document id {odd} ' e'",
    ]


def naive(qrels: dict[str, list[str]], runs: dict[str, dict[str, list[str]]], k: int) -> dict[str, Any]:
    def recall(names: list[str]) -> list[float]:
        return [
            len(set(rel) & {d for n in names for d in runs[n].get(q, [])[:k]}) / len(rel) for q, rel in qrels.items()
        ]

    names = list(runs)
    everything = recall(names)
    return {
        "all": fmean(everything),
        **{n: fmean(recall([n])) for n in names},
        **{f"adds {n}": fmean(everything) - fmean(recall([m for m in names if m != n])) for n in names},
    }


@pytest.mark.parametrize("seed", range(12))
def test_random_channels_equal_the_definition(seed: int):
    rng = random.Random(seed)
    items = [f"d{i}" for i in range(12)]
    qrels = {f"q{i}": rng.sample(items, rng.randint(1, 5)) for i in range(rng.randint(1, 9))}
    runs = {
        name: {q: rng.sample(items, rng.randint(0, 9)) for q in qrels if rng.random() < 0.9}
        for name in ("cf", "ann", "hot")[: rng.randint(1, 3)]
    }
    k = rng.randint(1, 8)
    if not any(any(lists.values()) for lists in runs.values()):
        return

    found = rg.channels(qrels, runs, k=k)

    expected = naive(qrels, runs, k)
    got = {"all": found.recall, **{c.name: c.recall for c in found.channels}}
    assert got | {f"adds {c.name}": c.adds for c in found.channels} == pytest.approx(expected)


def test_greedy_order_ends_at_the_recall_of_all():
    found = rg.channels(QRELS, {"a": ANN, "b": CF, "c": {"q1": ["d"]}})

    assert found.order[-1].recall == found.recall
    assert sum(a.added for a in found.order) == pytest.approx(found.recall)
    assert [a.added for a in found.order] == sorted((a.added for a in found.order), reverse=True)


def test_a_channel_that_adds_nothing_is_named():
    found = rg.channels(QRELS, {"cf": CF, "copy": {"q1": ["a"]}, "ann": ANN})

    assert [c.name for c in found.idle] == ["copy"]
    assert "Nothing relevant would be missing without copy" in str(found)
    assert "去掉 copy 不会漏掉任何相关条目" in render(found, "text", "zh")


def test_the_same_lists_twice_could_do_without_either():
    found = rg.channels(QRELS, {"a": CF, "b": CF})

    assert [c.adds for c in found.channels] == [0, 0]
    assert "Any one of them could be left out." in str(found)
    assert found.overlaps[0].jaccard == 1


def test_equal_gains_name_no_winner():
    found = rg.channels({"q": ["a", "b"]}, {"x": {"q": ["a"]}, "y": {"q": ["b"]}})

    assert "As much would be lost without any one of x, y: 0.500 of recall." in str(found)


def test_one_channel_is_itself():
    found = rg.channels(QRELS, {"cf": CF})

    assert (found.recall, found["cf"].adds, found["cf"].without) == (0.75, 0.75, 0)
    assert str(found).startswith("cf reaches a recall of 0.750.")


def test_the_end_of_the_funnel_says_what_came_through_which_channel():
    final = {"q1": ["c", "x", "b", "a", "d"], "q2": ["e"]}

    found = rg.channels(QRELS, {"cf": CF, "ann": ANN}, final=final, shown=3)

    assert [(c.shown, c.only_shown) for c in found.channels] == [(2, 1), (2, 1)]  # b, e and c, b
    assert found.n_shown == 3
    assert not any("no channel has" in w for w in found.warnings)
    leaking = rg.channels(QRELS, {"cf": CF, "ann": ANN}, final=final, shown=5)
    assert any("1 relevant item that no channel has" in w for w in leaking.warnings)


def test_nothing_relevant_is_said():
    found = rg.channels({"q": {"a": 0}}, {"cf": {"q": ["a"]}})

    assert str(found).startswith("Nothing can be found: no judged item is relevant.")


def test_k_by_channel_and_levels_of_relevance():
    found = rg.channels({"q": {"a": 1, "b": 2}}, {"cf": {"q": ["a", "b"]}, "ann": {"q": ["b"]}}, k={"cf": 1}, rel=2)

    assert (found.n_relevant, found["cf"].relevant, found["ann"].relevant) == (1, 0, 1)
    assert "only the first results count: cf 1" in str(found)


def test_items_say_which_channels_have_them():
    frame = rg.channels(QRELS, {"cf": CF, "ann": ANN}).items

    assert frame.rows() == [
        ("q1", "a", 1.0, True, False, 1),
        ("q1", "b", 1.0, True, True, 2),
        ("q1", "c", 1.0, False, True, 1),
        ("q1", "d", 1.0, False, False, 0),
        ("q2", "e", 1.0, True, False, 1),
    ]


def test_stored_channels_have_no_items(tmp_path: Path):
    rg.channels(QRELS, {"cf": CF, "ann": ANN}).to_json(tmp_path / "c.json")

    back = rg.load(tmp_path / "c.json")

    assert back["cf"].only == 2
    with pytest.raises(InputError, match="stored channels have no single items"):
        back.items  # noqa: B018
    with pytest.raises(UnknownName, match="no channel 'hot'"):
        back["hot"]


@pytest.mark.parametrize(
    ("given", "options", "told"),
    [
        ({}, {}, "channels: `channels` must be a dict of runs by name, or a list of paths, got nothing"),
        ({"cf": CF}, {"k": 0}, "channels: `k` must be a positive integer, got 0 for channel 'cf'"),
        ({"cf": CF}, {"k": {"cg": 1}}, "channels: `k` names the channel 'cg', channels are cf"),
        ({"cf": CF}, {"ties": "expected"}, "channels: `ties` must be one of"),
        ({"cf": CF}, {"shown": 0}, "`shown` must be"),
    ],
)
def test_what_is_no_channel_is_an_error(given: Any, options: dict[str, Any], told: str):
    with pytest.raises(ParameterError, match=told):
        rg.channels(QRELS, given, **options)


def test_the_chart_has_a_step_for_each_channel():
    svg = rg.plot(rg.channels(QRELS, {"cf": CF, "ann": ANN})).svg

    assert "What each channel adds to the recall of those before it" in svg
    assert "+0.750" in svg
    assert "+0.125" in svg


def test_the_command(tmp_path: Path):
    (tmp_path / "qrels.txt").write_text("".join(f"{q} 0 {d} 1\n" for q, items in QRELS.items() for d in items))
    for name, run in (("cf", CF), ("ann", ANN)):
        lines = [f"{q} Q0 {d} {i} {9 - i} t\n" for q, items in run.items() for i, d in enumerate(items, 1)]
        (tmp_path / f"{name}.run").write_text("".join(lines))

    words = ("channels", "qrels.txt", "cf=cf.run", "ann.run", "-k", "100", "--items", "items.csv")
    out = rankgauge(*words, "--final", "cf.run", cwd=tmp_path).stdout

    assert out.startswith("Together 2 channels reach a recall of 0.875. Most would be lost without cf: 0.625 of recall")
    assert "in first 10" in out
    assert (tmp_path / "items.csv").read_text().startswith("query_id,item,grade,cf,ann,channels")
    assert "2 路召回合计召回率为 0.875" in rankgauge(*words[:4], "--language", "zh", cwd=tmp_path).stdout
    assert "-k must look like 100 or recall=200" in rankgauge(*words[:4], "-k", "x", cwd=tmp_path, code=2).stderr


def test_empty_lists_of_a_channel_are_told() -> None:
    found = rg.channels({"q": ["a"], "r": ["b"]}, {"cf": {"q": ["a"], "r": []}, "ann": {"q": ["a"], "r": ["b"]}})

    assert found.notes == ["cf: 1 list of the run is empty"]
