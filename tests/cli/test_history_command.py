"""`--store` on every command that makes a record, and `rankgauge history`."""

from __future__ import annotations

import json
import os
import re
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
import pytest

import rankgauge as rg
from command_line import rankgauge
from rankgauge.cli.app import app
from rankgauge.errors import InputError

QUERIES = [f"q{i:02}" for i in range(30)]


@pytest.fixture(autouse=True)
def _nothing_around(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [n for n in os.environ if n.startswith(("GITHUB_", "CI", "GITLAB_", "GIT_", "RANKGAUGE_STORE"))]:
        monkeypatch.delenv(name)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "qrels.txt").write_text("".join(f"{q} 0 a 2\n{q} 0 b 1\n" for q in QUERIES))
    for name, late in (("old", 8), ("new", 0)):
        lists = {q: ["x", "a", "b"] if i < late else ["a", "b", "x"] for i, q in enumerate(QUERIES)}
        lines = [f"{q} Q0 {d} {r} {9 - r} t\n" for q, docs in lists.items() for r, d in enumerate(docs, 1)]
        (tmp_path / f"{name}.run").write_text("".join(lines))
    return tmp_path


def store(folder: Path, run: str, at: str, *words: str) -> str:
    """Evaluates and keeps; the id."""
    done = rankgauge(
        *("evaluate", "qrels.txt", f"{run}.run", "-m", "nDCG@10", "-m", "RR", "--store", "h.db"),
        *("--project", "shop", "--system", "search", "--store-at", at, *words),
        cwd=folder,
    )
    found = re.search("^stored as ([0-9a-f]{16}) in h.db$", done.stderr, re.MULTILINE)
    assert found, done.stderr
    return found[1]


# --store

WITHOUT_RECORDS = {
    "demo": "shows what there is",
    "power": "answers a question about the future",
    "report": "shows what is stored",
    "plot": "draws",
    "history": "reads what is stored",
    "baseline": "writes a run",
    "scenarios": "lists",
    "explain": "explains",
    "measures": "lists",
    "convert": "writes a file",
    "completion": "is for shells",
    "run": "stores what the project file says",
    "watch": "stores what the project file says",
    "ui": "shows what is stored",
    "export": "writes what is stored",
}


def leaves() -> Iterator[tuple[str, click.Command]]:
    ctx = click.Context(app)
    for name in app.list_commands(ctx):
        found: Any = app.get_command(ctx, name)
        yield from (
            ((name, sub) for sub in found.commands.values()) if isinstance(found, click.Group) else [(name, found)]
        )


def test_every_command_that_makes_a_record_can_keep_it():
    words = {"store", "store_project", "store_system", "store_dataset", "store_label", "store_at"}
    has = {name for name, c in leaves() if words <= {p.name for p in c.params}}

    assert {name for name, _ in leaves()} - has == set(WITHOUT_RECORDS) - {"run", "watch"} | ({"run", "watch"} - has)
    assert not has & (set(WITHOUT_RECORDS) - {"run", "watch"})


def test_what_is_kept_is_what_is_shown(folder: Path):
    key = store(folder, "old", "2026-11-01", "--dataset", "july", "--store-label", "branch=main")

    with rg.History(folder / "h.db") as h:
        entry = h[key]
        assert (entry.project, entry.system, entry.dataset, entry.labels) == (
            "shop",
            "search",
            "july",
            {"branch": "main"},
        )
        assert entry.at.isoformat() == "2026-11-01T00:00:00+00:00"
        shown = rankgauge("evaluate", "qrels.txt", "old.run", "-m", "nDCG@10", "-m", "RR", "--json", cwd=folder).stdout
        assert entry.record.to_dict() == json.loads(shown)
        assert len(h.lists(key)) == 30


@pytest.mark.parametrize(
    ("words", "kinds"),
    [
        ("evaluate qrels.txt old.run new.run -m RR", ["rankings", "rankings"]),
        ("evaluate qrels.txt old.run -m RR -f trec", ["rankings"]),
        ("evaluate qrels.txt old.run -m RR --rate", ["rankings", "ratings"]),
        ("compare qrels.txt old.run new.run -m RR --permutations 100", ["comparison"]),
        ("compare qrels.txt old.run new.run -m RR --permutations 100 --sentences", ["comparison"]),
        ("compare qrels.txt old.run new.run -m RR --permutations 100 --query q01", ["comparison"]),
        ("gate qrels.txt new.run --floor RR>=0.5", ["gate"]),
        ("diagnose qrels.txt old.run", ["findings", "rankings"]),
        ("audit qrels.txt old.run", ["audit"]),
        ("overlap old.run new.run", ["overlap"]),
        ("tradeoff qrels.txt old.run new.run -m RR -m P@1 --permutations 100", ["tradeoff"]),
        ("online sample-ratio a=500 b=510", ["sample_ratio"]),
    ],
)
def test_records_of_many_commands(words: str, kinds: list[str], folder: Path, monkeypatch: pytest.MonkeyPatch):
    plain = rankgauge(*words.split(), cwd=folder)
    monkeypatch.setenv("RANKGAUGE_STORE", "h.db")

    done = rankgauge(*words.split(), cwd=folder)

    assert done.stdout == plain.stdout
    with rg.History(folder / "h.db") as h:
        assert sorted(e.kind for e in h) == kinds
        assert f"stored as {', '.join(e.id for e in h)} in h.db" in done.stderr or len(kinds) > 1


def test_a_place_where_nothing_can_be_kept_is_an_error_before_the_work(folder: Path):
    (folder / "text.db").write_text("not a store")
    for place, why in (
        ("no/h.db", "the folder '.*no' does not exist"),
        ("text.db", "'text.db' is no store of rankgauge"),
        ("mysql://x", "a store must be a file, or the address"),
    ):
        done = rankgauge("evaluate", "qrels.txt", "old.run", "--store", place, cwd=folder, code=2)
        assert re.search(why, done.stderr), done.stderr
        assert done.stdout == ""
    assert (folder / "text.db").read_text() == "not a store"


def test_words_about_a_store_without_one_are_refused(folder: Path):
    for words in (["--project", "x"], ["--store-label", "a=b"], ["--store-at", "2026-11-01"], ["--system", "x"]):
        done = rankgauge("evaluate", "qrels.txt", "old.run", *words, cwd=folder, code=2)
        assert f"{words[0]} says how a result is stored, and none is. Add --store history.db" in done.stderr
    for words in (["--store-label", "a"], ["--store-label", "=b"], ["--store-at", "soon"]):
        rankgauge("evaluate", "qrels.txt", "old.run", "--store", "h.db", *words, cwd=folder, code=2)
    assert not (folder / "h.db").exists()


def failing(*_: Any, **__: Any) -> None:
    raise InputError("the disk is full.")


def test_a_result_that_cannot_be_kept_is_shown_all_the_same(folder: Path, monkeypatch: pytest.MonkeyPatch):
    plain = rankgauge("evaluate", "qrels.txt", "old.run", "-m", "RR", cwd=folder)
    monkeypatch.setattr("rankgauge.history.History.add", failing)

    done = rankgauge("evaluate", "qrels.txt", "old.run", "-m", "RR", "--store", "h.db", cwd=folder, code=2)

    assert done.stdout == plain.stdout
    assert "Error: the disk is full." in done.stderr


@pytest.mark.parametrize(("floor", "code", "kept"), [("0.1", 2, 0), ("0.99", 1, 1), ("0.85", 3, 3)])
def test_a_decision_that_cannot_be_kept_stays_what_it_is(
    floor: str, code: int, kept: int, folder: Path, monkeypatch: pytest.MonkeyPatch
):
    words = ("gate", "qrels.txt", "old.run", "--floor", f"RR>={floor}", "--certain", "--store", "h.db")
    assert "stored as" in rankgauge(*words, cwd=folder, code=kept).stderr
    monkeypatch.setattr("rankgauge.history.History.add", failing)

    done = rankgauge(*words, cwd=folder, code=code)

    assert "Error: the decision was not stored: the disk is full." in done.stderr
    assert done.stdout


# rankgauge history


def test_a_list_of_what_there_is(folder: Path):
    ids = [store(folder, run, f"2026-11-0{i}") for i, run in enumerate(("old", "new", "old"), 1)]
    rankgauge("history", "tag", ids[1][:6], "released", "--store", "h.db", cwd=folder)

    shown = rankgauge("history", "list", "--store", "h.db", cwd=folder).stdout
    lines = [line for line in shown.splitlines() if re.match("[0-9a-f]{8} ", line)]

    assert shown.startswith("3 entries\n")
    assert [line[:8] for line in lines] == [key[:8] for key in reversed(ids)]
    assert re.search(r"2026-11-02 00:00 +shop +search +qrels +rankings +released +1\.0000", lines[1])
    paged = rankgauge("history", "list", "--store", "h.db", "-n", "2", "--page", "2", "--csv", cwd=folder).stdout
    assert [line.split(",")[0] for line in paged.splitlines()] == ["id", ids[0], ids[0]]
    second = rankgauge("history", "list", "--store", "h.db", "-n", "2", "--page", "2", cwd=folder).stdout
    assert "entries 3 to 3 of 3" in second
    none = rankgauge("history", "list", "--store", "h.db", "--project", "nowhere", cwd=folder).stdout
    assert "there are no entries that are all of this" in none
    beyond = rankgauge("history", "list", "--store", "h.db", "--page", "9", cwd=folder).stdout
    assert "there are 3 entries, and no such page" in beyond
    rows = json.loads(rankgauge("history", "list", "--store", "h.db", "-m", "mrr", "--json", cwd=folder).stdout)
    assert [(r["id"], r["measure"], r["n"]) for r in rows] == [(key, "RR", 30) for key in reversed(ids)]


def test_one_entry(folder: Path):
    key = store(folder, "old", "2026-11-01", "--store-label", "team=a")

    shown = rankgauge("history", "show", key[:5], "--store", "h.db", cwd=folder).stdout
    stored = rankgauge("history", "show", key[:5], "--store", "h.db", "--json", "-o", "ev.json", cwd=folder)

    assert f"id          {key}" in shown
    assert "team=a" in shown
    assert "nDCG@10" in shown
    assert rg.load(folder / "ev.json")["RR"] == pytest.approx((8 * 0.5 + 22) / 30, rel=1e-12)  # type: ignore[index]
    assert "wrote ev.json" in stored.stderr
    done = rankgauge("history", "show", "zz", "--store", "h.db", cwd=folder, code=2)
    assert "there is no entry 'zz'" in done.stderr


def test_one_query_over_time(folder: Path):
    for i, run in enumerate(("old", "new"), 1):
        last = store(folder, run, f"2026-11-0{i}")

    shown = rankgauge("history", "show", last, "--store", "h.db", "--query", "q01", "-m", "RR", cwd=folder).stdout

    assert "RR of query q01" in shown
    assert re.search(r"2026-11-01 00:00 +search +x, a \(2\), b \(1\) +0\.5000", shown)
    assert re.search(r"2026-11-02 00:00 +search +a \(2\), b \(1\), x +1\.0000", shown)
    none = rankgauge("history", "show", last, "--store", "h.db", "--query", "zz", cwd=folder).stdout
    assert "no entry has a value of it" in none


def test_comparing_entries_is_comparing_evaluations(folder: Path):
    a, b = store(folder, "old", "2026-11-01"), store(folder, "new", "2026-11-08")

    got = json.loads(rankgauge("history", "compare", a, b, "--store", "h.db", "--json", cwd=folder).stdout)
    with rg.History(folder / "h.db") as h:
        names = ("search 2026-11-01", "search 2026-11-08")
        expected = rg.compare(dict(zip(names, (h[a].record, h[b].record), strict=True)))  # type: ignore[arg-type]

    assert got == json.loads(expected.to_json())
    shown = rankgauge("history", "compare", a, b, "--store", "h.db", cwd=folder).stdout
    assert shown.startswith("search 2026-11-08 is better than search 2026-11-01: nDCG@10")


def test_entries_that_cannot_be_compared_say_why(folder: Path):
    a = store(folder, "old", "2026-11-01")
    (folder / "qrels.txt").write_text("".join(f"{q} 0 b 2\n" for q in QUERIES))
    b = store(folder, "old", "2026-11-02")
    gate = rankgauge("audit", "qrels.txt", "old.run", "--store", "h.db", cwd=folder).stderr.split()[2]
    for other, why in (
        (b, "the judgements of .* differ"),
        (a, "both are .* Name two entries"),
        (gate, "is of kind audit: only evaluations can be compared"),
    ):
        done = rankgauge("history", "compare", a, other, "--store", "h.db", cwd=folder, code=2)
        assert re.search(why, done.stderr), done.stderr
    rankgauge("history", "prune", "--values", "1d", "--store", "h.db", "--yes", cwd=folder)
    done = rankgauge("history", "compare", a, b, "--store", "h.db", cwd=folder, code=2)
    assert "values of single queries were pruned" in done.stderr


def test_a_trend(folder: Path):
    for i, run in enumerate(("old", "new"), 1):
        store(folder, run, f"2026-11-0{i}")

    shown = json.loads(rankgauge("history", "trend", "--store", "h.db", "-m", "RR", "--json", cwd=folder).stdout)

    assert shown["kind"] == "trend"
    assert "RR of search" in rankgauge("history", "trend", "--store", "h.db", "-m", "RR", cwd=folder).stdout


def test_pruning_says_what_it_would_do_first(folder: Path):
    key = store(folder, "old", "2020-01-01")

    would = rankgauge("history", "prune", "--values", "90d", "--store", "h.db", cwd=folder)
    with rg.History(folder / "h.db") as h:
        assert not h[key].is_pruned
    done = rankgauge("history", "prune", "--values", "90d", "--store", "h.db", "--yes", cwd=folder)

    assert "what would be pruned" in would.stdout
    assert "nothing was changed. Add --yes to do it." in would.stderr
    assert done.stdout.startswith("pruned\n")
    with rg.History(folder / "h.db") as h:
        assert h[key].is_pruned
    assert "--values 90d keeps" in rankgauge("history", "prune", "--store", "h.db", cwd=folder, code=2).stderr
    assert (
        "an age must be" in rankgauge("history", "prune", "--values", "9", "--store", "h.db", cwd=folder, code=2).stderr
    )


@pytest.mark.parametrize("file", ["all.jsonl.gz", "all.parquet"])
def test_from_one_place_to_another(file: str, folder: Path):
    key = store(folder, "old", "2026-11-01")

    assert f"wrote {file} with 1 entry" in rankgauge("history", "export", file, "--store", "h.db", cwd=folder).stderr
    first = rankgauge("history", "import", file, "--store", "copy.db", cwd=folder).stderr
    again = rankgauge("history", "import", file, "--store", "copy.db", cwd=folder).stderr

    assert first == "1 entry added to copy.db, 0 entries there already\n"
    assert again == "0 entries added to copy.db, 1 entry there already\n"
    with rg.History(folder / "copy.db") as h:
        assert [e.id for e in h] == [key]
    assert rankgauge("history", "verify", "--store", "copy.db", cwd=folder).stderr == "1 entry: all as added\n"


def test_damage_is_an_exit_code(folder: Path):
    store(folder, "old", "2026-11-01")
    with sqlite3.connect(folder / "h.db") as c:
        c.execute("UPDATE entry SET system = 'other'")
    c.close()

    assert "is not what was added" in rankgauge("history", "verify", "--store", "h.db", cwd=folder, code=1).stderr


@pytest.mark.parametrize(
    "words", ["list", "show x", "compare a b", "tag x y", "prune --values 1d", "export x.jsonl", "verify", "trend"]
)
def test_a_history_that_is_not_there_is_not_made(words: str, folder: Path):
    done = rankgauge("history", *words.split(), "--store", "no.db", cwd=folder, code=2)
    nowhere = rankgauge("history", *words.split(), cwd=folder, code=2)

    assert "there is no store 'no.db'" in done.stderr
    assert "which history? Give --store history.db, or set RANKGAUGE_STORE." in nowhere.stderr
    assert not (folder / "no.db").exists()
