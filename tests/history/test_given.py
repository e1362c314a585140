"""What must not be in a history is refused by whichever way it comes: Python, the interface, an export."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import rankgauge as rg
from chinese_errors import Files, says_in_both
from history.test_history import EXAMPLES, evaluated
from rankgauge.errors import InputError, ParameterError, RankgaugeError
from rankgauge.history.given import About, event_of, listed, shown_lists
from rankgauge.history.history import History

EVENTS: dict[str, dict[str, Any]] = {
    "NaN": {"data": {"x": float("nan")}},
    "endless": {"data": {"x": [float("inf")]}},
    "larger than any": {"data": {"x": 10**400}},
    "no JSON": {"data": {"x": object()}},
    "keys that are none": {"data": {1: 2}},
    "too deep": {"data": json.loads('{"a":' * 60 + "1" + "}" * 60)},
    "no object": {"data": [1]},
    "no kind": {"kind": "zebra"},
    "kind of another type": {"kind": ["note"]},
    "no time": {"at": "garbage"},
    "no text": {"text": 5},
    "nobody": {"who": None},
    "a baseline since no time": {"kind": "baseline", "data": {"since": "soon"}},
    "a baseline since no text": {"kind": "baseline", "data": {"since": 5}},
    "an entry that is not there": {"kind": "tag", "text": "good", "entry": "nothing"},
    "a tag of nothing": {"kind": "tag", "text": "good"},
    "a tag like an id": {"kind": "tag", "text": "abcdef12", "entry": "ENTRY"},
    "a tag like an id in capitals": {"kind": "tag", "text": "ABCDEF12", "entry": "ENTRY"},
    "a tag without a name": {"kind": "tag", "text": " ", "entry": "ENTRY"},
}


def given(name: str, entry: str) -> dict[str, Any]:
    return {"kind": "note", **{k: entry if v == "ENTRY" else v for k, v in EVENTS[name].items()}}


@pytest.mark.parametrize("name", EVENTS)
def test_events_that_could_not_be_told_again_are_refused(name: str, history: rg.History):
    entry = history.add(evaluated(), at="2026-11-01")
    words = given(name, entry.id)

    with pytest.raises(RankgaugeError):
        history.event(words.pop("kind"), **words)

    assert history.events() == []
    assert history[entry.id] == entry


@pytest.mark.parametrize("name", EVENTS)
def test_an_export_brings_no_other_events(name: str, tmp_path: Path):
    with rg.History(tmp_path / "a.db") as a, rg.History(tmp_path / "b.db") as b:
        entry = a.add(evaluated(), at="2026-11-01")
        if name == "an entry that is not there":  # it may have been pruned where the event comes from
            return
        a.event("note", "fine", at="2026-11-01")
        a.export(tmp_path / "a.jsonl")
        lines = (tmp_path / "a.jsonl").read_text().splitlines()
        told = json.loads(lines[1])
        words = given(name, entry.id)
        told["event"] |= {k: v for k, v in words.items() if not (k == "data" and "object" in repr(v))}
        if name == "no JSON":
            told["event"]["id"] = "0" * 16
        (tmp_path / "a.jsonl").write_text("\n".join([lines[0], json.dumps(told)]) + "\n")

        with pytest.raises(InputError, match=r"a\.jsonl', line 2 is not what `export` wrote"):
            b.import_(tmp_path / "a.jsonl")
        assert b.events() == []


def test_what_no_database_holds_is_spelled_out(history: rg.History):
    entry = history.add(evaluated(), project="p\x00", labels={"a\ud800": "\ud800"}, at="2026-11-01")
    event = history.event("note", "\ud800", data={"\ud800": ["x\x00"]}, at="2026-11-01")

    assert (history[entry.id].project, entry.labels["a\\ud800"]) == (r"p\x00", r"\ud800")
    assert history.events() == [event]
    assert (event.text, event.data) == (r"\ud800", {r"\ud800": [r"x\x00"]})


def test_an_event_is_of_the_entry_however_that_was_named(history: rg.History):
    entry = history.add(evaluated(), at="2026-11-01")
    history.tag(entry.id, "good")

    made = history.event("note", "seen", entry="good", at="2026-11-02")

    assert (made.entry, history.events(kind="note", entry=entry.id)) == (entry.id, [made])


@pytest.mark.parametrize("words", [{"limit": -1}, {"limit": 1.5}, {"skip": -1}, {"limit": True}, {"limit": 2**80}])
def test_numbers_of_entries_that_are_none_are_refused(words: dict[str, Any], history: rg.History):
    with pytest.raises(ParameterError, match=r"`(limit|skip)` must be"):
        history.entries(**words)
    with pytest.raises(ParameterError, match=r"`(limit|skip)` must be"):
        history.events(**words)


def test_labels_may_be_called_anything(history: rg.History):
    names = ("system", "lists", "record", "self", "at", "labels", "surroundings", "project")

    entry = history.add(evaluated(), labels=dict.fromkeys(names, "x"), at="2026-11-01")

    assert {entry.labels[name] for name in names} == {"x"}
    assert (entry.project, entry.system) == ("default", evaluated()._system)
    assert history.entries(labels={"system": "x"}) == [entry]


def test_surroundings_can_be_left_out(history: rg.History, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("GITHUB_REF_NAME", "main")
    monkeypatch.setenv("GITHUB_SHA", "c0ffee")
    monkeypatch.delenv("GITHUB_HEAD_REF", raising=False)

    assert history.add(evaluated(), at="2026-11-01").labels["branch"] == "main"
    assert history.add(evaluated(), at="2026-11-01", surroundings=False).labels == {}


def test_pairs_of_systems_and_what_they_were_measured_on(history: rg.History):
    for system, dataset in (("b", "july"), ("a", "july"), ("a", "june"), ("a", "july")):
        history.add(evaluated(), project="shop", system=system, dataset=dataset)

    assert history.measured("shop") == [("a", "july"), ("a", "june"), ("b", "july")]
    assert history.measured("nowhere") == []


def test_neighbours_are_of_the_same_dataset(history: rg.History):
    add = {"project": "shop", "system": "a"}
    first = history.add(evaluated(1), **add, dataset="july", at="2026-11-01")
    history.add(evaluated(2), **add, dataset="june", at="2026-11-02")
    twins = [history.add(evaluated(n), **add, dataset="july", at="2026-11-03") for n in (3, 4)]
    one, two = sorted(twins, key=lambda e: e.id)

    assert history.neighbours(first.id) == (None, one)
    assert history.neighbours(one.id) == (first, two)
    assert history.neighbours(two.id) == (one, None)


def test_words_of_what_is_refused(tmp_path: Path):
    at = Files(tmp_path)
    for call, english, chinese in (
        (
            lambda _: event_of("zebra"),
            "history: `kind` must be one of note, tag, baseline, alert, acknowledged, delivered, run, got 'zebra'.",
            "历史：`kind` 必须是 note、tag、baseline、alert、acknowledged、delivered、run 之一，实际为 'zebra'。",
        ),
        (
            lambda _: event_of("note", data={"x": float("nan")}),
            "history: `data` must be what JSON can hold (finite numbers, texts, lists, objects), got nan.",
            "历史：`data` 必须是 JSON 可表示的内容，实际为 nan。",
        ),
        (
            lambda _: About.of(None, labels=["a"]),
            "history: `labels` must be names with their values, got ['a'].",
            "历史：`labels` 必须是名称与取值的对应，实际为 ['a']。",
        ),
        (
            lambda _: shown_lists({"q": 5}),
            'history: `heads` must be lists of [item, grade or null] by query, as {"q1": [["a", 2], ["b", null]]}, '
            "got 5.",
            '历史：`heads` 必须是按查询给出的列表，每个结果带等级或 null，如 {"q1": [["a", 2], ["b", null]]}，'
            "实际为 5。",
        ),
    ):
        says_in_both(call, at, english, chinese)


@pytest.mark.parametrize(
    "items",
    [5, "abc", {"a": 1}, [["a"]], [[1, 2]], [["a", "x"]], [["a", float("nan")]], [["a", 10**400]], [["a", True]]],
)
def test_lists_that_are_none_are_refused(items: Any):
    with pytest.raises(ParameterError, match="`heads` must be lists"):
        listed(items)


# passwords are not repeated


@pytest.mark.parametrize(
    "place",
    [
        "http://u:SECRET@h",
        "http://h/?token=SECRET",
        "http://[::1",
        "http://h:x",
        "https://u:SE CRET@[::1",
        "postgresql://u:SECRET@[::1/x",
        "postgresql://u:SECRET PW@h:5/x",
        "postgresql://u:SECRET%PW@h:5/x",
        "postgresql://u:SEC/RET@h:5/x",
        "postgresql://h:5/x?password=SECRET%PW",
        "mysql://u:SECRET@h/x",
    ],
)
def test_addresses_that_are_none_say_so_without_their_passwords(place: str):
    with pytest.raises(RankgaugeError) as caught:
        History(place)

    said = str(caught.value)
    assert "SEC" not in said
    assert "CRET" not in said
    assert "history: " in said


def test_a_pipe_is_no_store_and_nobody_waits_for_it(tmp_path: Path):
    import os

    os.mkfifo(tmp_path / "pipe")

    with pytest.raises(InputError, match="is no store of rankgauge"):
        rg.History(tmp_path / "pipe")


def test_every_kind_of_record_is_whole_after_it_was_kept(tmp_path: Path):
    with rg.History(tmp_path / "h.db") as h:
        for make in EXAMPLES.values():
            h.add(make())

        assert h.verify() == []


def test_an_id_with_half_of_a_character_is_named(tmp_path: Path):
    ev = rg.evaluate({"q\ud800": {"a": 1}}, {"q\ud800": ["a"]}, "RR")
    with rg.History(tmp_path / "h.db") as h:
        says_in_both(
            lambda _: h.add(ev),
            Files(tmp_path),
            "qrels: an id must be a text of whole characters, got 'q\\ud800'.",
            "qrels：id 必须由完整的字符组成，实际为 'q\\ud800'。",
        )
