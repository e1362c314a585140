"""A store over the years: old values go, files go from one place to another, old schemas become new ones."""

from __future__ import annotations

import gzip
import json
import sqlite3
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import rankgauge as rg
from history.test_history import EXAMPLES, QRELS, SLICES, evaluated, run
from rankgauge.errors import InputError, ParameterError
from rankgauge.history.database import opened
from rankgauge.history.pruning import age_of
from rankgauge.history.schema import migrated, steps

NOW = "2026-12-01"
FIXTURES = Path(__file__).parent / "fixtures"


def filled(h: rg.History) -> dict[str, rg.Entry]:
    """Entries of several kinds, from January on."""
    return {
        "old": h.add(evaluated(3, slices=SLICES), project="shop", system="a", at="2026-01-01"),
        "released": h.add(evaluated(2), project="shop", system="a", at="2026-02-01"),
        "model": h.add(EXAMPLES["prediction evaluation"](), project="shop", at="2026-03-01"),
        "compared": h.add(EXAMPLES["comparison"](), project="shop", at="2026-03-02"),
        "gate": h.add(EXAMPLES["gate"](), project="shop", at="2026-03-03"),
        "elsewhere": h.add(evaluated(1), project="other", at="2026-01-05"),
        "new": h.add(evaluated(0), project="shop", system="a", at="2026-11-30"),
    }


def everything(h: rg.History) -> list[Any]:
    return [
        [(repr(e), h.told(e.id), h.lists(e.id)) for e in h],
        [(e.id, e.at, e.text, e.data) for e in h.events()],
        h.tags(),
    ]


# retention


@pytest.mark.parametrize("age", ["90", "d", "-1d", "1.5y", "", None, 90, "90 days"])
def test_an_age_that_is_none_is_refused(age: Any):
    with pytest.raises(ParameterError, match="an age must be a number of days, weeks, months"):
        age_of(age)


def test_values_go_and_numbers_stay(history: rg.History):
    made = filled(history)
    history.tag(made["released"].id, "baseline")
    numbers = {e.id: (e.summaries, e.contract, e.labels) for e in history}
    before = everything(history)

    would = history.prune("90d", now=NOW, dry_run=True)
    assert everything(history) == before
    done = history.prune("90d", now=NOW)

    assert (would.values, would.entries, would.kept, would.is_done) == (3, 0, 1, False)
    assert (done.values, done.entries, done.kept, done.is_done) == (3, 0, 1, True)
    assert {name for name, e in made.items() if history[e.id].is_pruned} == {"old", "model", "elsewhere"}
    assert {e.id: (e.summaries, e.contract, e.labels) for e in history} == numbers
    for name, entry in made.items():
        shown = history.record(entry.id)
        assert str(shown), name
    old: Any = history.record(made["old"].id)
    assert old["RR"] == evaluated(3)["RR"]
    assert old.slices.equals(evaluated(3, slices=SLICES).slices)
    assert history.lists(made["old"].id) == {}
    assert history.record(made["new"].id).to_dict() == evaluated(0).to_dict()
    assert [x.entry.id for x in history.query_history("q03", "RR", project="shop", system="a")] == [
        made["released"].id,
        made["new"].id,
    ]
    with pytest.raises(InputError, match="has no values of single queries"):
        history.values(made["old"].id, "RR")
    assert history.prune("90d", now=NOW).values == 0
    assert history.verify() == []


def test_whole_entries_go_where_that_is_asked_for(history: rg.History):
    made = filled(history)
    history.event("baseline", "accepted", entry=made["old"].id, project="shop")

    done = history.prune(entries="30w", project="shop", now=NOW)

    assert (done.values, done.entries, done.kept) == (0, 4, 1)
    assert {e.id for e in history} == {made[name].id for name in ("old", "elsewhere", "new")}
    assert history.record(made["old"].id).to_dict() == evaluated(3, slices=SLICES).to_dict()
    assert history.verify() == []


def test_the_first_evaluation_stays_whole_where_it_is_what_later_ones_are_held_against(history: rg.History):
    first, _, more, _, last = (
        history.add(rg.evaluate(QRELS, run(i), measures), system="a", at=f"2026-0{i + 1}-01")
        for i, measures in enumerate([["RR"], ["RR"], ["RR", "P@1"], ["RR", "P@1"], ["RR", "P@1"]])
    )
    alone = history.add(evaluated(1), system="alone", at="2026-01-01")
    rule = rg.ReleaseRule(measures=["RR"], systems=["a"])
    (before,) = rg.alerts(history, rule, at="2026-06-01").items

    done = history.prune("60d", now="2026-06-01")

    assert (done.values, done.kept) == (3, 2)
    assert {e.id for e in history if not e.is_pruned} == {first.id, more.id, last.id}
    assert alone.id in {e.id for e in history if e.is_pruned}
    (after,) = rg.alerts(history, rule, at="2026-06-01").items
    assert (after.sentence, after.against) == (before.sentence, first.id)

    rg.acknowledge(history, last, "meant so", at=NOW)
    again = history.prune("90d", entries="90d", now=NOW)

    assert (again.entries, again.kept) == (5, 1)


def test_lists_of_ids_that_nobody_has_any_more_go(tmp_path: Path):
    with rg.History(tmp_path / "h.db") as h:
        h.add(evaluated(), at="2026-01-01")
        h.add(rg.evaluate({f"z{i}": ["a"] for i in range(30)}, {"z0": ["a"]}, "RR"), system="b", at="2026-11-30")
        h.prune("90d", now=NOW)

        assert h._db.rows("SELECT count(*) FROM id_list") == [(1,)]
        assert len(h.query_ids(h.entries()[-1].id)) == 30


def test_prune_needs_to_know_what(history: rg.History):
    with pytest.raises(ParameterError, match=r"prune\(\) needs to know how long to keep what"):
        history.prune()


# from one place to another


@pytest.mark.parametrize("name", ["all.jsonl", "all.jsonl.gz", "all.parquet"])
def test_what_is_exported_comes_back_to_the_last_bit(name: str, history: rg.History, tmp_path: Path):
    made = filled(history)
    history.tag(made["new"].id, "released")
    history.event("note", "雪", project="shop", entry=made["old"].id, data={"x": [1, None]})
    history.prune("200d", project="other", now=NOW)
    file = tmp_path / name

    assert history.export(file) == 7
    with rg.History(tmp_path / "other.db") as other:
        assert other.import_(file) == (7, 0)
        assert everything(other) == everything(history)
        assert other.import_(file) == (0, 7)
        assert other.verify() == []
        again = tmp_path / f"again-{name}"
        other.export(again)
    assert again.read_bytes() == file.read_bytes() or name.endswith("parquet")


def test_some_are_exported(history: rg.History, tmp_path: Path):
    made = filled(history)
    history.event("note", "one", project="shop", entry=made["new"].id)
    history.event("note", "two", project="other")

    assert history.export(tmp_path / "some.jsonl", project="shop", since="2026-11-01") == 1

    lines = [json.loads(line) for line in (tmp_path / "some.jsonl").read_text().splitlines()]
    assert [line["entry"]["id"] for line in lines if "entry" in line] == [made["new"].id]
    assert [line["event"]["text"] for line in lines if "event" in line] == ["one"]


def test_numbers_of_an_export_can_be_looked_into(history: rg.History, tmp_path: Path):
    history.add(evaluated(2), at="2026-11-01")
    history.export(tmp_path / "h.parquet")

    frame = pl.read_parquet(tmp_path / "h.parquet").filter(what="entry")

    values = frame.explode("numbers").unnest("numbers").filter(pl.col("path") == "per_query/RR")["floats"][0]
    assert values.to_list() == [0.5] * 2 + [1.0] * 38
    assert frame.explode("summaries").unnest("summaries")["measure"].to_list() == ["nDCG@10", "RR"]


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (lambda line: line.replace("0.5", "0.75"), "its content is not that of its id"),
        (lambda line: line[:-10], "is not what `export` wrote"),
        (lambda line: line.replace('"rankgauge_history": 1', '"rankgauge_history": 2'), "written by a newer rankgauge"),
        (lambda line: "[1]\n", "is not what `export` wrote"),
        (lambda line: line.replace('"summaries"', '"x"'), "is not what `export` wrote"),
    ],
)
def test_what_was_changed_is_refused(change: Any, why: str, tmp_path: Path):
    with rg.History(tmp_path / "a.db") as a, rg.History(tmp_path / "b.db") as b:
        a.add(evaluated(2), at="2026-11-01")
        a.export(tmp_path / "a.jsonl")
        (tmp_path / "a.jsonl").write_text(change((tmp_path / "a.jsonl").read_text()))

        with pytest.raises(InputError, match=f"a.jsonl', line 1 .*{why}"):
            b.import_(tmp_path / "a.jsonl")
        assert len(b) == 0


def test_files_of_other_sorts_are_refused(tmp_path: Path):
    (tmp_path / "x.jsonl.gz").write_bytes(gzip.compress(b"x" * 1000)[:-5])
    (tmp_path / "x.parquet").write_bytes(b"no")
    with rg.History(tmp_path / "a.db") as h:
        for name in ("x.jsonl.gz", "x.parquet"):
            with pytest.raises(InputError, match="is not what `export` wrote"):
                h.import_(tmp_path / name)
        with pytest.raises(ParameterError, match=r"must end in \.jsonl .* or \.parquet, got 'x\.csv'"):
            h.export(tmp_path / "x.csv")


# is it whole?


@pytest.mark.parametrize(
    ("sql", "said"),
    [
        ("UPDATE numbers SET data = zeroblob(length(data)) WHERE path = 'per_query/RR'", "is not what was added"),
        ("DELETE FROM numbers WHERE path = 'per_query/RR'", "a part of it is missing"),
        ("UPDATE entry SET body = x'00'", "is damaged: it cannot be read back"),
        ("UPDATE entry SET system = 'b'", "is not what was added"),
        ("UPDATE id_list SET data = x'00'", "the list of ids"),
    ],
)
def test_damage_is_found(sql: str, said: str, tmp_path: Path):
    with rg.History(tmp_path / "h.db") as h:
        h.add(evaluated(2), system="a", at="2026-11-01")
        assert h.verify() == []
        with sqlite3.connect(tmp_path / "h.db") as c:
            c.execute(sql)
        c.close()

        assert said in " ".join(h.verify())


@pytest.mark.parametrize("content", [b"qrels 0 a 1\n", b"SQLite format 3\0" + b"x" * 5000])
def test_a_file_of_another_sort_is_left_alone(content: bytes, tmp_path: Path):
    path = tmp_path / "other"
    path.write_bytes(content)

    with pytest.raises(InputError, match=r"is no store of rankgauge\. Name another file"):
        rg.History(path)
    assert path.read_bytes() == content


def test_somebody_elses_database_is_left_alone(tmp_path: Path):
    with sqlite3.connect(tmp_path / "other.db") as c:
        c.execute("CREATE TABLE bookmarks (url TEXT)")
    c.close()

    with pytest.raises(InputError, match="is no store of rankgauge"):
        rg.History(tmp_path / "other.db")


@pytest.mark.parametrize("place", ["", "http//x", "mysql://x/y", None, 3])
def test_places_that_are_none(place: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises((ParameterError, InputError), match=r"a store must be a file, or the address|cannot be opened"):
        rg.History(place)


def test_what_may_only_be_read_is_not_made_and_not_changed(place: str):
    with pytest.raises(InputError):
        rg.History(place, read_only=True)
    with rg.History(place) as h:
        entry = h.add(evaluated())

    with rg.History(place, read_only=True) as h:
        assert h[entry.id].record.to_dict() == evaluated().to_dict()
        with pytest.raises(InputError, match=r"only be read|read-only"):
            h.event("note", "x")


def test_a_server_that_is_not_there_says_so_without_the_password():
    pytest.importorskip("psycopg")
    with pytest.raises(InputError, match=r"postgresql://me@127\.0\.0\.1:1/x'.*") as caught:
        rg.History("postgresql://me:secret@127.0.0.1:1/x")
    assert "secret" not in str(caught.value)


# schemas

STEP = """
ALTER TABLE entry ADD COLUMN mood TEXT NOT NULL DEFAULT 'calm'; -- as a later version might
CREATE TABLE mood (name TEXT PRIMARY KEY);
"""


def test_a_store_of_an_older_schema_becomes_one_of_the_newest(place: str):
    with rg.History(place) as h:
        entry = h.add(evaluated(2), at="2026-11-01")

    db = opened(place)
    assert migrated(db, known={**steps(), max(steps()) + 1: STEP}) == max(steps()) + 1

    assert db.rows("SELECT id, mood FROM entry") == [(entry.id, "calm")]
    assert [row[0] for row in db.rows("SELECT version FROM rankgauge_schema ORDER BY version")] == [*steps(), 2]
    db.close()
    if "://" not in place:  # the file as it was
        copy = Path(f"{place}.schema-1")
        with rg.History(copy) as before:
            assert before[entry.id].record.to_dict() == evaluated(2).to_dict()
    with pytest.raises(InputError, match=r"newer rankgauge \(schema 2, and this version knows up to 1\)"):
        rg.History(place)


def test_a_step_that_fails_changes_nothing(place: str):
    with rg.History(place) as h:
        entry = h.add(evaluated(2), at="2026-11-01")
    db = opened(place)

    with pytest.raises(InputError):
        migrated(db, known={**steps(), 2: STEP + "INSERT INTO nowhere VALUES (1);"})
    db.close()

    with rg.History(place) as h:
        assert h[entry.id].record.to_dict() == evaluated(2).to_dict()
        assert h.verify() == []


@pytest.mark.parametrize("path", sorted(FIXTURES.glob("schema-*.db")), ids=lambda p: p.stem)
def test_stores_of_every_older_schema_are_read(path: Path, tmp_path: Path):
    copy = tmp_path / path.name
    copy.write_bytes(path.read_bytes())

    with rg.History(copy) as h:
        assert [(e.kind, e.system, e.labels["branch"]) for e in h] == [
            ("rankings", "a", "main"),
            ("rankings", "a", "main"),
            ("gate", "new", "main"),
        ]
        first = h.entries(kind="rankings")[0]
        assert first.record["RR"] == rg.evaluate(QRELS, run(3), "RR")["RR"]  # type: ignore[index]
        assert [x.value for x in h.query_history("q01", "RR")] == [0.5, 1.0]
        assert h["released"] == h.entries(kind="rankings")[1]
        assert h.verify() == []


def test_there_is_a_store_of_every_schema():
    assert {p.stem for p in FIXTURES.glob("schema-*.db")} == {f"schema-{n}" for n in steps()}
