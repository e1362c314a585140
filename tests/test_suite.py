"""The suite itself: what `make test` leaves to `make test-all` is said at the end of it, and is run there."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
TESTS = """
import pytest

@pytest.mark.long("simulations")
@pytest.mark.parametrize("seed", range(3))
def test_often(seed): ...

@pytest.mark.slow
def test_slow(): ...

def test_quick(): ...
"""
INI = "[pytest]\naddopts = --strict-markers\nmarkers =\n    slow: slow\n    long(kind): long\n"


def ends_with(folder: Path, *words: str) -> str:
    """The end of what a run of three small kinds of tests prints, with the hooks of this suite."""
    tests = folder / "tests"
    tests.mkdir()
    shutil.copy(ROOT / "tests" / "conftest.py", tests)
    (tests / "test_it.py").write_text(TESTS)
    (folder / "pytest.ini").write_text(INI)
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:rankgauge", *words],
        cwd=folder,
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.parametrize("workers", ["0", "2"])
def test_what_was_left_out_is_said_by_kind(workers: str, tmp_path: Path):
    out = ends_with(tmp_path, "-n", workers, "-m", "not long")

    assert "left to make test-all" in out
    assert re.search(r"^ +3  simulations\n +3  tests that were not run$", out, re.MULTILINE)


def test_nothing_is_said_where_nothing_was_left_out(tmp_path: Path):
    out = ends_with(tmp_path, "-n", "0")

    assert "5 passed" in out
    assert "left to" not in out


def test_each_target_runs_its_part():
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    runs = dict(re.findall(r"^(test[a-z-]*):.*\n\t\$\(PYTEST\)(.*)$", makefile, re.MULTILINE))

    assert runs == {"test": ' -m "not long"', "test-all": "", "test-fast": ' -m "not slow and not long"'}


def test_every_long_test_says_what_it_is():
    marks = [
        line.strip()
        for path in (ROOT / "tests").rglob("test_*.py")
        for line in path.read_text(encoding="utf-8").splitlines()
        if "mark.long" in line and path != Path(__file__)
    ]

    assert marks
    assert [mark for mark in marks if 'mark.long("' not in mark] == []
