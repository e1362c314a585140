"""A store that was damaged: one clear error that names the entry, and everything else is still there."""

from __future__ import annotations

import json
import sqlite3
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

import rankgauge as rg
from history.test_history import SLICES, evaluated
from rankgauge.errors import InputError, RankgaugeError
from rankgauge.history.damage import left_out
from rankgauge.history.rules import HealthRule, ReleaseRule

COLUMNS = {
    "entry": ("labels", "contract", "body", "at", "kind", "queries", "schema", "state"),
    "numbers": ("data", "type", "n", "path"),
    "id_list": ("data",),
    "summary": ("value", "n", "measure", "low"),
    "head": ("data",),
    "event": ("data", "at"),
}
VALUES: list[Any] = ["x", b"\x00\x01", "{}", "[]", "null", "[1]", 12345, b"", "NaN", '{"fingerprint":{"queries":3}}']


@cache
def _sound() -> tuple[bytes, list[str]]:
    """A store as it is on disk, and the ids of its entries."""
    with TemporaryDirectory() as folder:
        ids = _added(Path(folder) / "h.db")
        return (Path(folder) / "h.db").read_bytes(), ids


def filled(path: Path) -> list[str]:
    content, ids = _sound()
    path.write_bytes(content)
    return ids


def _added(path: Path) -> list[str]:
    with rg.History(path) as h:
        ids = [
            h.add(evaluated(n, slices=SLICES), project="shop", system="a", dataset="d", at=f"2026-11-0{n}").id
            for n in (1, 2, 3)
        ]
        h.event("note", "seen", project="shop", entry=ids[0], at="2026-11-04", data={"a": 1})
        h.tag(ids[2], "good")
    return ids


def changed(path: Path, sql: str, values: tuple[Any, ...] = ()) -> None:
    with sqlite3.connect(path) as c:
        c.execute(sql, values)
    c.close()


def everything(h: rg.History, folder: Path) -> Any:
    """All that reads."""
    yield h.entries
    yield lambda: [e.record for e in h]
    yield lambda: h.trend(project="shop", slices=["device"])
    yield lambda: rg.alerts(
        h, [ReleaseRule(measures=("RR",)), HealthRule(missing_queries=0, unchanged=True)], project="shop"
    )
    yield lambda: h.export(folder / "x.jsonl")
    yield lambda: h.export(folder / "x.parquet")
    yield lambda: h.query_history("q01", "RR")
    yield h.events
    yield lambda: [h.lists(e.id) for e in h]
    yield lambda: h.prune("1d", dry_run=True)
    yield lambda: h["good"]


@pytest.mark.parametrize(("table", "column"), [(t, c) for t, columns in COLUMNS.items() for c in columns])
def test_whatever_is_in_a_column_nothing_but_clear_errors_come_of_it(table: str, column: str, tmp_path: Path):
    for i, value in enumerate(VALUES):
        path = tmp_path / f"{i}.db"
        filled(path)
        changed(path, f"UPDATE OR IGNORE {table} SET {column} = ?", (value,))
        with rg.History(path) as h:
            assert isinstance(h.verify(), list)
            with left_out():
                assert isinstance(h.entries(), list)
                assert isinstance(h.events(), list)
            for read in everything(h, tmp_path):
                try:
                    read()
                except RankgaugeError as e:
                    assert "should not happen" not in str(e)  # noqa: PT017


@pytest.mark.parametrize("table", ["id_list", "numbers", "summary", "list_use", "head", "label"])
def test_whatever_is_missing_nothing_but_clear_errors_come_of_it(table: str, tmp_path: Path):
    filled(tmp_path / "h.db")
    changed(tmp_path / "h.db", f"DELETE FROM {table}")
    with rg.History(tmp_path / "h.db") as h:
        assert isinstance(h.verify(), list)
        for read in everything(h, tmp_path):
            try:
                read()
            except RankgaugeError as e:
                assert "should not happen" not in str(e)  # noqa: PT017


def test_a_damaged_entry_is_named_and_the_others_are_there(tmp_path: Path):
    ids = filled(tmp_path / "h.db")
    changed(tmp_path / "h.db", "UPDATE entry SET labels = '{' WHERE id = ?", (ids[1],))
    with rg.History(tmp_path / "h.db") as h:
        with pytest.raises(InputError, match=rf"entry {ids[1]} is damaged: it cannot be read back .*history verify"):
            h.entries()
        with left_out() as passed:
            found = h.entries()
        with left_out(), pytest.raises(InputError, match=f"entry {ids[1]} is damaged"):
            h[ids[1]]

        assert [e.id for e in found] == [ids[0], ids[2]]
        assert list(passed) == [ids[1]]
        assert [f"entry {ids[1]} is damaged" in said for said in h.verify()] == [True]


def test_verify_lists_all_that_is_damaged_and_goes_on(tmp_path: Path):
    ids = filled(tmp_path / "h.db")
    changed(tmp_path / "h.db", "UPDATE entry SET labels = '{' WHERE id = ?", (ids[0],))
    changed(tmp_path / "h.db", "UPDATE summary SET value = 0.99 WHERE entry = ? AND measure = 'RR'", (ids[1],))
    changed(tmp_path / "h.db", "UPDATE label SET value = 'other' WHERE entry = ?", (ids[2],))
    changed(tmp_path / "h.db", "UPDATE head SET data = x'00' WHERE entry = ?", (ids[2],))
    changed(tmp_path / "h.db", "UPDATE event SET text = 'not seen' WHERE kind = 'note'")
    with rg.History(tmp_path / "h.db") as h:
        said = h.verify()

    about = {key: [s for s in said if key in s] for key in ids}
    assert [len(found) > 0 for found in about.values()] == [True] * 3
    assert "its numbers are not those of its record: RR" in about[ids[1]][0]
    assert any(s.startswith("the event ") and s.endswith("is not what was added.") for s in said)


def test_a_number_that_was_changed_is_found_in_what_was_pruned_too(tmp_path: Path):
    ids = filled(tmp_path / "h.db")
    with rg.History(tmp_path / "h.db") as h:
        h.prune("1d", now="2027-01-01")
        assert h.verify() == []
        changed(tmp_path / "h.db", "UPDATE summary SET value = 0.99 WHERE entry = ? AND attribute = ''", (ids[0],))

        assert len(h.verify()) == 1


@pytest.mark.parametrize("pruned", [False, True])
def test_an_export_with_another_number_is_refused(pruned: bool, tmp_path: Path):
    filled(tmp_path / "a.db")
    with rg.History(tmp_path / "a.db") as a, rg.History(tmp_path / "b.db") as b:
        if pruned:
            a.prune("1d", now="2027-01-01")
        a.export(tmp_path / "a.jsonl")
        lines = [json.loads(line) for line in (tmp_path / "a.jsonl").read_text().splitlines()]
        lines[0]["entry"]["summaries"][0][4] = 0.123
        (tmp_path / "a.jsonl").write_text("\n".join(map(json.dumps, lines)))

        with pytest.raises(InputError, match=r"line 1 .*its numbers are not those of its record: nDCG@10"):
            b.import_(tmp_path / "a.jsonl")
        assert len(b) == 0


@pytest.mark.parametrize("change", ["data", "labels", "no ids", "no format"])
def test_a_damaged_table_of_an_export_is_refused(change: str, tmp_path: Path):
    import polars as pl

    filled(tmp_path / "a.db")
    with rg.History(tmp_path / "a.db") as a, rg.History(tmp_path / "b.db") as b:
        a.export(tmp_path / "a.parquet")
        frame = pl.read_parquet(tmp_path / "a.parquet")
        if change in ("data", "labels"):
            frame = frame.with_columns(pl.lit("{").alias(change))
        elif change == "no ids":
            frame = frame.filter(pl.col("what") != "ids")
        else:
            frame = frame.drop("rankgauge_history")
        frame.write_parquet(tmp_path / "a.parquet")

        with pytest.raises(InputError, match=r"a\.parquet'.* is not what `export` wrote"):
            b.import_(tmp_path / "a.parquet")


def test_an_export_that_is_not_there(tmp_path: Path):
    with rg.History(tmp_path / "a.db") as h:
        for name in ("x.jsonl", "x.parquet"):
            with pytest.raises(InputError, match=f"cannot read '.*{name}'"):
                h.import_(tmp_path / name)


def test_an_id_is_that_of_its_entry_whatever_is_tagged_so(tmp_path: Path):
    ids = filled(tmp_path / "h.db")
    changed(tmp_path / "h.db", "UPDATE event SET text = ?, entry = ? WHERE kind = 'tag'", (ids[0], ids[1]))
    with rg.History(tmp_path / "h.db") as h:
        assert h[ids[0]].id == ids[0]


def test_a_tag_that_moved_on_keeps_nothing(tmp_path: Path):
    ids = filled(tmp_path / "h.db")
    with rg.History(tmp_path / "h.db") as h:
        h.tag(ids[1], "good")
        h.prune("1d", now="2027-01-01")

        # the first is what later ones are held against
        assert [h[key].is_pruned for key in ids] == [False, False, True]
