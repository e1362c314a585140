"""What a command loads: a short call must not wait for packages that it does not use."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from test_commands import rankgauge

from rankgauge.cli.app import COMMANDS

HEAVY = {"polars", "scipy", "jinja2", "msgspec", "pandas", "pyarrow", "pyspark", "matplotlib", "duckdb"}
TABLES = {"polars", "msgspec"}  # tables of any format
RECORDS = ("shop/qrels.txt", "shop/bm25.run")

# what each command may load beside NumPy and click, on TREC text where it takes rankings
ALLOWED: dict[str, tuple[tuple[str, ...], set[str]]] = {
    "demo": ((), {"polars"}),
    "evaluate": (RECORDS, set()),
    "compare": ((*RECORDS, "shop/dense.run"), {"polars"}),
    "diagnose": (RECORDS, set()),
    "gate": ((*RECORDS, "--floor", "nDCG@10>=0.01"), {"msgspec"}),
    "power": ((*RECORDS, "shop/dense.run"), set()),
    "funnel": ((*RECORDS, "shop/dense.run"), set()),
    "report": (("bm25.json", "-o", "page.html"), {"jinja2", *TABLES}),
    "plot": (("measures", *RECORDS, "-o", "chart.svg"), TABLES),
    "judgements": (("shop/log.csv",), {"scipy", *TABLES}),
    "bias": (("shop/log.csv",), TABLES),
    "interleave": (("shop/bm25.run", "shop/dense.run"), TABLES),
    "predictions": (("shop/clicks.csv", "--score", "new"), TABLES),
    "calibrate": (("shop/clicks.csv", "--score", "new"), TABLES),
    "scenarios": ((), set()),
    "explain": (("nDCG",), set()),
    "measures": ((), set()),
    "audit": (RECORDS, TABLES),
    "convert": (("shop/bm25.run", "bm25.csv"), TABLES),
    "completion": (("bash",), set()),
}

ASK = """
import sys
from rankgauge.cli import main
code = main(sys.argv[1:])
print(*sorted({name.partition(".")[0] for name in sys.modules}), file=sys.stderr)
sys.exit(code)
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    target = tmp_path_factory.mktemp("imports")
    rankgauge("demo", "--save", "shop", cwd=target)
    (target / "bm25.json").write_text(rankgauge("evaluate", *RECORDS, "--json", cwd=target).stdout, encoding="utf-8")
    return target


def loaded(folder: Path, *words: str) -> set[str]:
    """The packages that a fresh Python has after the command, of those that take their time."""
    done = subprocess.run([sys.executable, "-c", ASK, *words], check=False, cwd=folder, capture_output=True, text=True)
    assert done.returncode in (0, 1, 3), done.stderr  # a verdict is an answer too
    return set(done.stderr.splitlines()[-1].split()) & {*HEAVY, "numpy", "click", "rich", "rich_click"}


def test_no_command_is_forgotten():
    assert set(ALLOWED) == set(COMMANDS)


@pytest.mark.parametrize("command", ALLOWED)
def test_commands_load_what_they_use(command: str, folder: Path):
    words, allowed = ALLOWED[command]

    assert loaded(folder, command, *words) & HEAVY <= allowed


@pytest.mark.parametrize("form", [(), ("--csv",), ("--format", "trec"), ("--markdown",)], ids=" ".join)
def test_evaluating_text_needs_numpy_and_click(form: tuple[str, ...], folder: Path):
    assert loaded(folder, "evaluate", *RECORDS, "-m", "nDCG@10", *form) == {"numpy", "click"}


def test_several_runs_of_text_need_numpy_and_click(folder: Path):
    assert loaded(folder, "evaluate", *RECORDS, "shop/dense.run") == {"numpy", "click"}


def test_help_waits_for_no_numbers(folder: Path):
    done = subprocess.run(
        [sys.executable, "-c", ASK, "--help"], cwd=folder, capture_output=True, text=True, encoding="utf-8", check=False
    )

    assert done.returncode == 0
    assert "numpy" not in done.stderr.split()
