"""Each command in a process of its own: it answers, and does not wait for packages that it does not use."""

from __future__ import annotations

import os
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

from command_line import rankgauge
from rankgauge.cli.app import COMMANDS

HEAVY = {"polars", "scipy", "jinja2", "msgspec", "pandas", "pyarrow", "pyspark", "matplotlib", "duckdb"}
TABLES = {"polars", "msgspec"}  # tables of any format
ASKS = ("--retriever", "one_text.py:find")  # with a journal times are the same when it is asked again
RECORDS = ("shop/qrels.txt", "shop/bm25.run")

# what each command may load beside NumPy and click, on TREC text where it takes rankings
ALLOWED: dict[str, tuple[tuple[str, ...], set[str]]] = {
    "demo": ((), {"polars"}),
    "evaluate": (RECORDS, set()),
    "compare": ((*RECORDS, "shop/dense.run"), {"polars"}),
    "tradeoff": ((*RECORDS, "shop/dense.run", "-m", "RR", "-m", "P@5"), {"polars"}),
    "overlap": (("shop/bm25.run", "shop/dense.run"), set()),
    "diagnose": (RECORDS, set()),
    "gate": ((*RECORDS, "--floor", "nDCG@10>=0.01"), {"msgspec"}),
    "power": ((*RECORDS, "shop/dense.run"), set()),
    "funnel": ((*RECORDS, "shop/dense.run"), set()),
    "channels": ((*RECORDS, "shop/dense.run"), set()),
    "answers": ((*RECORDS, "--answers", "answers.csv"), TABLES),
    "run": (("bm25.toml", "--at", "2026-11-02", "--store", "run.db"), {"jinja2", "scipy", *TABLES}),
    "watch": (("bm25.toml", "--every", "1d", "--times", "1", "--store", "watch.db"), {"jinja2", "scipy", *TABLES}),
    "export": (("grafana",), TABLES),
    "ui": (("--help",), set()),  # else it serves until it is stopped
    "report": (("bm25.json", "-o", "page.html"), {"jinja2", *TABLES}),
    "history": (("list", "--store", "history.db"), set()),
    "plot": (("measures", *RECORDS, "-o", "chart.svg"), TABLES),
    "rag": (("asked.jsonl", *ASKS, "--documents", "docs.jsonl", "--journal", "answers.jsonl"), {"scipy", *TABLES}),
    "collect": (("asked.jsonl", *ASKS, "--journal", "lists.jsonl", "--run", "lists.csv"), {"scipy", *TABLES}),
    "sweep": (
        (*RECORDS, "shop/dense.run", "--documents", "shop/products.jsonl", "--budget", "200c"),
        {"scipy", *TABLES},
    ),
    "split": (("ratings.csv",), TABLES),
    "baseline": (("ratings.csv", "-o", "popular.csv"), TABLES),
    "judgements": (("shop/log.csv",), {"scipy", *TABLES}),
    "bias": (("shop/log.csv",), TABLES),
    "interleave": (("shop/bm25.run", "shop/dense.run"), TABLES),
    "online": (("ab", "shop/experiment.csv", "--numerator", "clicks"), {"scipy", *TABLES}),
    "predictions": (("shop/clicks.csv", "--score", "new"), TABLES),
    "drift": (("shop/clicks.csv", "--score", "new"), TABLES),
    "calibrate": (("shop/clicks.csv", "--score", "new"), TABLES),
    "scenarios": ((), set()),
    "explain": (("nDCG",), set()),
    "measures": ((), set()),
    "audit": (RECORDS, TABLES),
    "convert": (("shop/bm25.run", "bm25.csv"), TABLES),
    "completion": (("bash",), set()),
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    target = tmp_path_factory.mktemp("imports")
    rankgauge("demo", "--save", "shop", cwd=target)
    (target / "docs.jsonl").write_text('{"id": "d1", "text": "Shoes are washed cold."}\n', encoding="utf-8")
    (target / "asked.jsonl").write_text('{"question": "how?", "gold": "washed cold"}\n', encoding="utf-8")
    (target / "one_text.py").write_text("def find(query):\n    return ['are washed cold.']\n", encoding="utf-8")
    (target / "ratings.csv").write_text("user_id,item_id,time\nu,a,1\nu,b,2\nv,a,3\n", encoding="utf-8")
    project = '[datasets.shop]\nqrels = "shop/qrels.txt"\n[systems.bm25]\nrun = "shop/bm25.run"\n'
    (target / "bm25.toml").write_text(project, encoding="utf-8")
    (target / "answers.csv").write_text("query_id,correct\nq001,1\n", encoding="utf-8")
    rankgauge("evaluate", *RECORDS, "--store", "history.db", "--store-at", "2026-11-01", cwd=target)
    (target / "bm25.json").write_text(rankgauge("evaluate", *RECORDS, "--json", cwd=target).stdout, encoding="utf-8")
    return target


OFTEN = ("evaluate", "compare", "gate", "predictions")
"""Commands that are looked at with every change; the others are with every one that is handed in."""


class Seen(NamedTuple):
    """A command in a process of its own: what it answered, and which packages it loaded."""

    code: int
    out: str
    err: str
    packages: set[str]


@cache  # a command is looked at by several tests
def process(folder: Path, *words: str) -> Seen:
    done = subprocess.run(
        [sys.executable, "-X", "importtime", "-m", "rankgauge", *words],
        cwd=folder,
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
        env={**os.environ, "PYTHONIOENCODING": "utf-8", "COLUMNS": "100"},
    )
    lines = done.stderr.splitlines(keepends=True)
    imports = [line for line in lines if line.startswith("import time:")]
    said = "".join(line for line in lines if not line.startswith("import time:"))
    return Seen(
        done.returncode, done.stdout, said, {line.rpartition("|")[2].strip().partition(".")[0] for line in imports}
    )


def loaded(folder: Path, *words: str) -> set[str]:
    """The packages that a command loads, of those that take their time."""
    seen = process(folder, *words)
    assert seen.code in (0, 1, 3), seen.err  # a verdict is an answer too
    return seen.packages & {*HEAVY, "numpy", "click", "rich", "rich_click"}


def test_no_command_is_forgotten():
    assert set(ALLOWED) == set(COMMANDS)


@pytest.mark.parametrize("command", [c if c in OFTEN else pytest.param(c, marks=pytest.mark.slow) for c in ALLOWED])
def test_commands_load_what_they_use(command: str, folder: Path):
    words, allowed = ALLOWED[command]

    assert loaded(folder, command, *words) & HEAVY <= allowed


@pytest.mark.parametrize("form", [(), ("--csv",), ("--format", "trec"), ("--markdown",)], ids=" ".join)
def test_evaluating_text_needs_numpy_and_click(form: tuple[str, ...], folder: Path):
    assert loaded(folder, "evaluate", *RECORDS, "-m", "nDCG@10", *form) == {"numpy", "click"}


def test_several_runs_of_text_need_numpy_and_click(folder: Path):
    assert loaded(folder, "evaluate", *RECORDS, "shop/dense.run") == {"numpy", "click"}


def test_a_database_is_for_those_who_keep_something(folder: Path):
    assert "sqlite3" not in process(folder, "evaluate", *RECORDS).packages
    assert "sqlite3" in process(folder, *("history", "list", "--store", "history.db")).packages


def test_help_waits_for_no_numbers(folder: Path):
    assert "numpy" not in loaded(folder, "--help")


LINES = {
    **{command: (command, *words) for command, (words, _) in ALLOWED.items()},
    "an error": ("evaluate", "nowhere.txt", "shop/bm25.run"),
    "a regression": ("gate", *RECORDS, "--floor", "nDCG@10>=0.99"),
    "Chinese": ("explain", "nDCG", "--language", "zh"),
}


@pytest.mark.slow
@pytest.mark.parametrize("line", LINES)
def test_a_process_of_its_own_answers_as_commands_do_in_other_tests(line: str, folder: Path):
    """Everything else about commands is tested in the process of the tests."""
    seen = process(folder, *LINES[line])
    (folder / "interleaved.csv").unlink(missing_ok=True)  # a name that the command chose is not overwritten

    here = rankgauge(*LINES[line], cwd=folder, code=seen.code)

    if line == "ui":  # help is dressed up only where somebody asked for it in a shell
        assert "[STORE]" in here.stdout
        assert "[STORE]" in seen.out
    elif line == "watch":  # says when it ran
        assert here.stdout[20:] == seen.out[20:]
    elif "--journal" in LINES[line]:  # how long it took is another time, or read from the file
        assert here.stdout.splitlines()[0] == seen.out.splitlines()[0]
    else:
        assert (here.stdout, here.stderr) == (seen.out, seen.err)
    assert seen.out or seen.err
    assert seen.code == {"an error": 2, "a regression": 1}.get(line, 0)
