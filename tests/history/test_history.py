"""What is added is there: every kind of record, on both databases, found by what it is of."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from datetime import UTC, date, datetime, timedelta, timezone
from math import isnan, sqrt
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import rankgauge as rg
from rankgauge.errors import InputError, ParameterError, UnknownName
from rankgauge.history.heads import matter
from rankgauge.history.packing import pack
from rankgauge.history.surroundings import surroundings

sys.path.insert(0, str(Path(__file__).parents[1] / "records"))
from test_records import EXAMPLES

QUERIES = [f"q{i:02}" for i in range(40)]
QRELS = {q: {"a": 2, "b": 1} for q in QUERIES}
SLICES = {q: {"device": "phone" if i % 4 else "desk"} for i, q in enumerate(QUERIES)}


def run(late: int = 0) -> dict[str, list[str]]:
    """The first `late` queries have what is relevant one place later."""
    return {q: ["x", "a", "b"] if i < late else ["a", "b", "x"] for i, q in enumerate(QUERIES)}


def evaluated(late: int = 0, **options: Any) -> Any:
    return rg.evaluate(QRELS, run(late), ["nDCG@10", "RR"], **options)


# every kind of record


@pytest.mark.parametrize("name", EXAMPLES)
def test_every_kind_of_record_comes_back_as_it_was(name: str, tmp_path: Path):
    live = EXAMPLES[name]()
    several = isinstance(live, Mapping) and not hasattr(live, "columns")
    with rg.History(tmp_path / "history.db") as h:
        made = h.add(live, project="all")
        entries, records = (made, list(live.values())) if several else ([made], [live])

        assert len(h) == len(records) == len(entries)
        for entry, one in zip(entries, records, strict=True):
            assert (entry.kind, entry.schema) == (one.kind, one.schema)
            assert h.told(entry.id) == json.loads(json.dumps(one.to_dict()))
            assert type(entry.record) is type(one)
            assert entry.record.to_dict() == one.to_dict()


@pytest.mark.parametrize("name", ["evaluation", "evaluations", "gate", "comparison", "prediction evaluation", "funnel"])
def test_records_come_back_from_both_databases(name: str, history: rg.History):
    live = EXAMPLES[name]()
    made = history.add(live)
    entries, records = (made, list(live.values())) if isinstance(made, list) else ([made], [live])

    assert [e.record.to_dict() for e in entries] == [r.to_dict() for r in records]


@pytest.mark.parametrize("name", EXAMPLES)
def test_columns_as_arrays_are_kept_as_lists_of_them_would_be(name: str):
    live = EXAMPLES[name]()
    for one in live.values() if isinstance(live, Mapping) and not hasattr(live, "columns") else [live]:
        assert pack(one._columnar()) == pack(one.to_dict())


def test_something_that_is_no_record_is_refused(history: rg.History):
    with pytest.raises(ParameterError, match=r"a record must be what evaluate, compare, gate .* got 3"):
        history.add(3)  # type: ignore[call-overload]


# once


def test_the_same_at_the_same_time_is_one_entry(history: rg.History):
    ev = evaluated()
    about = {"project": "shop", "system": "bm25", "at": "2026-11-01", "branch": "main"}

    first = history.add(ev, **about)

    assert history.add(evaluated(), **about) == first
    assert len(history) == 1


@pytest.mark.parametrize(
    "other",
    [{"at": "2026-11-02"}, {"system": "new"}, {"project": "p"}, {"dataset": "d"}, {"version": "2"}, {"colour": "red"}],
)
def test_equal_values_of_something_else_are_another_entry(other: dict[str, str], history: rg.History):
    ev = evaluated()
    history.add(ev, at="2026-11-01")

    history.add(ev, **{"at": "2026-11-01", **other})

    assert len(history) == 2


def test_a_store_is_there_when_it_is_opened_again(place: str):
    with rg.History(place) as h:
        first = h.add(evaluated(3), at="2026-11-01")

    with rg.History(place) as again:
        assert again[first.id].record.to_dict() == evaluated(3).to_dict()
        assert [e.id for e in again] == [first.id]


# what an entry says


def test_an_entry_says_what_it_is_of(history: rg.History):
    entry = history.add(
        evaluated(4), project="shop", system="bm25", version="1.2", at="2026-11-01T10:00:00+02:00", team="search"
    )

    assert (entry.project, entry.system, entry.version, entry.dataset) == ("shop", "bm25", "1.2", "qrels")
    assert entry.at == datetime(2026, 11, 1, 8, tzinfo=UTC)
    assert entry.labels["team"] == "search"
    assert entry.contract["fingerprint"] == evaluated(4).fingerprint
    assert entry.contract["policy"] == evaluated(4).policy.to_dict()
    assert (entry.state, entry.is_pruned) == ("", False)


def test_names_are_those_of_the_run_and_the_judgements_unless_said(history: rg.History):
    ev = rg.evaluate(rg.Qrels.of(QRELS, name="july"), rg.Run.of(run(), name="bm25"), "RR")

    entry = history.add(ev)

    assert (entry.project, entry.system, entry.dataset) == ("default", "bm25", "july")


def test_numbers_are_kept_beside_the_record(history: rg.History):
    entry = history.add(evaluated(10, slices=SLICES))
    ev, values = evaluated(10, slices=SLICES), [0.5] * 10 + [1.0] * 30
    mean = sum(values) / 40
    error = sqrt(sum((v - mean) ** 2 for v in values) / 39 / 40)

    found = entry.summary("MRR")

    assert found is not None
    assert (found.measure, found.value, found.n) == ("RR", mean, 40)
    assert (found.low, found.high) == ev.interval("RR")
    assert found.error == pytest.approx(error, rel=1e-12)
    desk = [v for v, d in zip(values, SLICES.values(), strict=True) if d["device"] == "desk"]
    part = entry.summary("RR", "device", "desk")
    assert part is not None
    assert (part.value, part.n) == (pytest.approx(sum(desk) / len(desk), rel=1e-12), len(desk))
    assert part.low < part.value < part.high
    assert entry.summary("P@7") is None
    assert entry.summary("no such measure") is None


def test_a_number_that_is_none_is_none_in_the_store(history: rg.History):
    entry = history.add(rg.evaluate({"q": ["a"]}, {"q": ["a"]}, "RR"))

    found = entry.summary("RR")

    assert found is not None
    assert found.value == 1.0
    assert isnan(found.low)
    assert isnan(found.error)
    assert not found.has_interval


def test_numbers_of_models_and_decisions(history: rg.History):
    model, decision = EXAMPLES["prediction evaluation"](), EXAMPLES["gate"]()

    kept, decided = history.add(model), history.add(decision)

    auc = kept.summary("AUC")
    assert auc is not None
    assert (auc.value, auc.low, auc.high) == (model["AUC"], *model.interval("AUC"))
    assert auc.error == model.column("AUC").error
    part = kept.summary("AUC", "device", "phone")
    assert part is not None
    assert part.value == model.slices.filter(value="phone")["AUC"][0]
    assert decided.state == decision.outcome
    rr = decided.summary("RR")
    assert rr is not None
    assert rr.value == decision.evaluation["RR"]


def test_latency_and_failures_of_a_live_retriever(history: rg.History):
    def find(query: str) -> list[str]:
        if query == "two":
            raise ValueError("down")
        return ["a"]

    asked = rg.collect({"q1": "one", "q2": "two", "q3": "three", "q4": "four"}, find, retries=0).collected

    entry = history.add(asked)

    failures, median = entry.summary("failures"), entry.summary("latency p50")
    assert failures is not None
    assert (failures.value, failures.n) == (0.25, 4)
    assert median is not None
    assert median.value == 1000 * asked.latency(50)[0]


def test_several_systems_are_an_entry_each(history: rg.History):
    both = rg.evaluate(QRELS, {"old": run(9), "new": run(1)}, ["RR"])

    old, new = history.add(both, project="shop", at="2026-11-01")

    assert (old.system, new.system) == ("old", "new")
    assert old.at == new.at
    assert old.record.to_dict() == both["old"].to_dict()
    with pytest.raises(ParameterError, match=r"`system` names one system, and there are 2 \(old, new\)"):
        history.add(both, system="x")


# finding


def many(history: rg.History) -> None:
    for week in range(6):
        for system in ("a", "b"):
            history.add(
                evaluated(week),
                project="shop" if week else "trial",
                system=system,
                dataset="july" if week < 3 else "august",
                version=str(week),
                at=datetime(2026, 7, 1, tzinfo=UTC) + timedelta(weeks=week),
                branch="main" if week % 2 else "dev",
            )


FOUND: list[tuple[dict[str, Any], int]] = [
    ({}, 12),
    ({"project": "shop"}, 10),
    ({"project": "shop", "system": "a"}, 5),
    ({"dataset": "july"}, 6),
    ({"version": "2"}, 2),
    ({"kind": "rankings"}, 12),
    ({"kind": ["gate", "funnel"]}, 0),
    ({"kind": []}, 0),
    ({"since": "2026-07-15"}, 8),
    ({"until": "2026-07-15"}, 6),
    ({"until": date(2026, 7, 15)}, 6),
    ({"until": "2026-07-14T23:59"}, 4),
    ({"since": "2026-07-08", "until": "2026-07-08"}, 2),
    ({"since": datetime(2026, 7, 8, 1, tzinfo=timezone(timedelta(hours=2)))}, 10),
    ({"labels": {"branch": "main"}}, 6),
    ({"labels": {"branch": "main"}, "system": "b", "dataset": "august"}, 2),
    ({"labels": {"branch": "nowhere"}}, 0),
    ({"project": "ß"}, 0),
]


def test_entries_are_found_by_what_they_are_of(history: rg.History):
    many(history)

    for words, n in FOUND:
        found = history.entries(**words)

        assert len(found) == n == history.count(**words), words
        assert [(e.at, e.id) for e in found] == sorted((e.at, e.id) for e in found), words
        assert [e.id for e in history.entries(**words, newest_first=True)] == [e.id for e in found][::-1], words


def test_pages_of_entries(history: rg.History):
    many(history)
    everything = [e.id for e in history.entries()]

    pages = [[e.id for e in history.entries(limit=5, skip=start)] for start in (0, 5, 10, 15)]

    assert [len(p) for p in pages] == [5, 5, 2, 0]
    assert [key for page in pages for key in page] == everything
    assert [e.id for e in history.entries(skip=10)] == everything[10:]


def test_what_there_is(history: rg.History):
    assert (history.projects(), history.systems(), len(history), list(history)) == ([], [], 0, [])
    many(history)

    assert history.projects() == ["shop", "trial"]
    assert history.systems() == ["a", "b"]
    assert history.systems("nowhere") == []
    assert history.size() > 1000
    assert "12 entries" in repr(history)


def test_an_entry_is_found_by_its_id_and_the_beginning_of_it(history: rg.History):
    entry = history.add(evaluated())

    assert history[entry.id] == history[entry.id[:5]] == entry
    assert entry.id in history
    assert "nothing" not in history
    for key in ("nothing", "", "g", "x'; DROP TABLE entry; --", "\0", "\ud800", None, 3):
        with pytest.raises(UnknownName, match="there is no entry"):
            history[key]  # type: ignore[index]


def test_the_beginning_of_several_ids_is_refused(history: rg.History):
    for week in range(40):  # one of sixteen digits begins more than one of them
        history.add(evaluated(), at=datetime(2026, 1, 1, tzinfo=UTC) + timedelta(weeks=week))

    several = next(d for d in "0123456789abcdef" if sum(e.id.startswith(d) for e in history) > 1)
    with pytest.raises(UnknownName, match=f"'{several}' is the beginning of several ids"):
        history[several]


def test_a_tag_is_a_name_that_moves(history: rg.History):
    one, two = history.add(evaluated(), at="2026-11-01"), history.add(evaluated(), at="2026-11-02")

    history.tag(one.id, "released", who="Ada")
    assert history["released"] == one
    history.tag(two.id, "released")

    assert history["released"] == two
    assert history.tags() == {"released": two.id}
    assert [e.text for e in history.events(kind="tag", entry=one.id)] == ["released"]
    with pytest.raises(ParameterError, match="a tag must be a name that does not look like an id, got 'abcd'"):
        history.tag(one.id, "abcd")
    with pytest.raises(UnknownName, match=r"there is no entry 'relaesed'\. Did you mean released\?"):
        history["relaesed"]


# times


@pytest.mark.parametrize("at", ["yesterday", 20261101, "2026-13-01", ["2026-11-01"], pd.NaT])
def test_a_time_that_is_none_is_refused(at: Any, history: rg.History):
    with pytest.raises(ParameterError, match="`at` must be a time such as 2026-11-18"):
        history.add(evaluated(), at=at)


def test_times_before_the_year_1000_sort(history: rg.History):
    history.add(evaluated(), at="2026-11-01")
    history.add(evaluated(), at="0987-11-01")

    assert [e.at.year for e in history] == [987, 2026]


# events


def test_events_stand_beside_the_records(history: rg.History):
    entry = history.add(evaluated(), project="shop")

    note = history.event("note", "new index", project="shop", who="Ada", at="2026-11-01", data={"n": [1, 2.5, None]})
    history.event("baseline", "accepted", entry=entry.id, project="shop", at="2026-11-02")
    history.event("note", "elsewhere", at="2026-11-03")

    assert history.events()[0] == note
    assert (note.text, note.who, note.data) == ("new index", "Ada", {"n": [1, 2.5, None]})
    assert [e.text for e in history.events(project="shop")] == ["new index", "accepted"]
    assert [e.text for e in history.events(kind="note", newest_first=True, limit=1)] == ["elsewhere"]
    assert [e.text for e in history.events(entry=entry.id)] == ["accepted"]
    assert [e.text for e in history.events(kind=("note", "baseline"), since="2026-11-02")] == ["accepted", "elsewhere"]
    assert entry.record.to_dict() == evaluated().to_dict()


def test_the_same_event_is_written_once(history: rg.History):
    for _ in range(2):
        history.event("note", "twice", at="2026-11-01")

    assert len(history.events()) == 1


# single queries


def test_values_of_an_evaluation_without_reading_the_rest(history: rg.History):
    entry = history.add(evaluated(2))
    few = history.add(rg.evaluate({"q": ["a"], "r": ["b"]}, {"q": ["a"], "r": ["x", "b"]}, "RR"))

    assert history.values(entry.id, "mrr").tolist() == [0.5] * 2 + [1.0] * 38
    assert history.query_ids(entry.id) == QUERIES
    assert (history.query_ids(few.id), history.values(few.id, "RR").tolist()) == (["q", "r"], [1.0, 0.5])
    with pytest.raises(UnknownName, match=r"has no P@3\. .*nDCG@10, RR"):
        history.values(entry.id, "P@3")
    with pytest.raises(InputError, match="has no values of single queries"):
        history.values(history.add(EXAMPLES["prediction evaluation"]()).id, "AUC")


def test_the_history_of_a_query(history: rg.History):
    for week, late in enumerate([0, 5, 0]):
        history.add(evaluated(late), project="shop", system="a", at=f"2026-11-{week + 1:02}")
    history.add(evaluated(), project="other", at="2026-11-09")
    history.add(rg.evaluate({"z": ["a"]}, {"z": ["a"]}, "RR"), project="shop", system="a", at="2026-11-10")

    found = history.query_history("q03", "MRR", project="shop", system="a")

    assert [(x.entry.at.day, x.value) for x in found] == [(1, 1.0), (2, 0.5), (3, 1.0)]
    assert [x.item for x in found[1].results] == ["x", "a", "b"]
    assert [x.grade for x in found[1].results] == [None, 2.0, 1.0]
    assert [x.value for x in history.query_history("z", "RR", project="shop")] == [1.0]
    assert history.query_history("nobody", "RR") == []
    assert len(history.query_history("q03", "RR")) == 4


def test_a_query_that_does_not_count_has_no_number(history: rg.History):
    judged = {**QRELS, "q00": {"a": 0}}
    history.add(rg.evaluate(judged, run(), "RR", no_relevant="skip"))

    (found,) = history.query_history("q00", "RR")

    assert isnan(found.value)


def test_lists_that_are_worth_keeping():
    ids = [f"q{i}" for i in range(10)]
    values = np.array([0.5, 0.1, np.nan, 0.9, 0.2, 0.3, 0.4, 0.6, 0.7, 0.8])
    before = {"q0": 0.4, "q3": 0.1, "q9": 0.8, "q7": np.nan, "gone": 0.0}

    assert matter(ids, values, {}, [], 3) == ["q1", "q4", "q5"]  # the lowest
    assert matter(ids, values, before, ["q8", "gone"], 4) == ["q3", "q0", "q8", "q1"]
    assert matter(ids, values, before, [], 2) == ["q3", "q1"]
    assert set(matter(ids, values, before, [], 99)) == set(ids)


def test_lists_are_kept_where_the_run_is_at_hand(history: rg.History):
    live = history.add(evaluated(2), at="2026-11-01")
    stored = history.add(rg.Evaluation.from_dict(evaluated(2).to_dict()), at="2026-11-02")

    kept = history.lists(live.id)

    assert set(kept) == set(QUERIES)
    assert [(x.item, x.grade) for x in kept["q01"]] == [("x", None), ("a", 2.0), ("b", 1.0)]
    assert history.lists(stored.id) == {}
    assert history.lists(history.add(evaluated(2), at="2026-11-03", lists=False).id) == {}


# names of all sorts

HOSTILE = ["雪 ' \" ; --", "a\0b", "\ud800", "%s ? $1", "\n", "$numbers", "x" * 5000]


@pytest.mark.parametrize("name", HOSTILE, ids=ascii)
def test_ids_and_names_of_all_sorts(name: str, history: rg.History):
    part = name.replace("\ud800", "?")  # no frame holds half a character
    ids = [f"{part}{i}" for i in range(20)]
    slices = {q: {part: f"{part}{i % 2}"} for i, q in enumerate(ids)}
    ev = rg.evaluate({q: {"a": 1} for q in ids}, {q: ["x", "a"] for q in ids}, ["RR"], slices=slices)

    entry = history.add(ev, project=name, system=name, dataset=name, version=name, note=name)

    assert entry.record.to_dict() == ev.to_dict()
    assert [e.id for e in history.entries(project=name, system=name, labels={"note": name})] == [entry.id]
    assert [x.value for x in history.query_history(ids[3], "RR", project=name)] == [0.5]
    assert len(entry.summaries) == 3
    assert history.event("note", name, project=name, who=name) == history.events(project=name)[0]


def test_lists_of_ids_that_look_alike_are_kept_apart(history: rg.History):
    def of(ids: list[str]) -> Any:
        return rg.evaluate({q: ["a"] for q in ids}, {q: ["a"] for q in ids}, "RR")

    one = of(["a\nb", *(f"q{i}" for i in range(20)), "c"])
    two = of(["a", "b", *(f"q{i}" for i in range(19)), "q19\nc"])

    first, second = history.add(one), history.add(two)

    assert first.record.to_dict() == one.to_dict()
    assert second.record.to_dict() == two.to_dict()


# where


def test_labels_are_read_from_ci(monkeypatch: pytest.MonkeyPatch):
    github = {"GITHUB_ACTIONS": "true", "GITHUB_SHA": "abc", "GITHUB_REF_NAME": "main", "GITHUB_ACTOR": "ada"}
    gitlab = {"GITLAB_CI": "true", "CI_COMMIT_SHA": "def", "CI_COMMIT_REF_NAME": "dev", "CI_PIPELINE_ID": "7"}

    assert surroundings(github) == {"commit": "abc", "branch": "main", "author": "ada", "environment": "ci"}
    assert surroundings(gitlab) == {"commit": "def", "branch": "dev", "job": "7", "environment": "ci"}


def test_labels_are_read_from_git(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    import subprocess

    monkeypatch.chdir(tmp_path)
    assert surroundings({}) == {}
    for words in (
        ["init", "-q", "-b", "trunk"],
        ["-c", "user.name=Ada", "-c", "user.email=a@b", "commit", "-q", "--allow-empty", "-m", "first"],
    ):
        subprocess.run(["git", *words], check=True, cwd=tmp_path)
    surroundings_of = surroundings({})

    assert surroundings_of.keys() == {"commit", "branch", "author"}
    assert (surroundings_of["branch"], surroundings_of["author"]) == ("trunk", "Ada")
