"""The suite itself: what `make test` leaves to others is said at the end of it, and is run there."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
TESTS = """
import os
import pytest
from hypothesis import given, settings, strategies as st

tried = []

@given(st.integers())
@settings(max_examples=60)
def test_property(n): tried.append(n)

@pytest.mark.long("simulations")
@pytest.mark.parametrize("seed", range(3))
def test_often(seed): ...

@pytest.mark.long("simulations", ci=True)
def test_in_ci(): ...

@pytest.mark.slow
def test_slow(): ...

@pytest.mark.spark
def test_on_spark(): ...

def test_as_many_examples_were_tried(): assert len(tried) == int(os.environ["TRIED"])
"""
INI = "[pytest]\naddopts = --strict-markers\nmarkers =\n    slow: slow\n    spark: Spark\n    long(kind, ci): long\n"


def printed(folder: Path, *words: str, tried: int) -> str:
    """What a run of a few small tests prints, with the hooks of this suite; its property tries so many examples."""
    tests = folder / "tests"
    tests.mkdir()
    shutil.copy(ROOT / "tests" / "conftest.py", tests)
    (tests / "test_it.py").write_text(TESTS)
    (folder / "pytest.ini").write_text(INI)
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:randomly", *words],
        cwd=folder,
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
        env={**os.environ, "TRIED": str(tried)},
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_what_was_left_out_is_said_by_kind(tmp_path: Path):
    out = printed(tmp_path, "-n", "2", "-m", targets()["test"], tried=12)  # a fifth of 60

    assert "2 passed" in out
    assert left(out) == [
        ("1", "test-all: properties that tried one of 5 of their examples, 10 at least"),
        ("3", "test-all: simulations"),
        ("1", "test-ci: on Spark"),
        ("1", "test-ci: simulations"),
        ("1", "test-ci: slow tests of tests"),
    ]


def test_nothing_is_said_where_nothing_was_left_out(tmp_path: Path):
    out = printed(tmp_path, "-n", "0", tried=60)

    assert "8 passed" in out
    assert "left to" not in out


def targets() -> dict[str, str]:
    """Which tests each target of the Makefile asks for."""
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    return dict(re.findall(r'^(test[a-z-]*):.*\n\t\$\(PYTEST\)(?: -m "(.*)")?$', makefile, re.MULTILINE))


def left(out: str) -> list[tuple[str, str]]:
    return re.findall(r"^ +(\d+)  (.*)$", out.partition("left to make test-ci and make test-all")[2], re.MULTILINE)


def test_the_targets():
    assert list(targets()) == ["test", "test-ci", "test-all"]
    assert targets()["test-all"] == ""


def test_what_test_leaves_and_is_not_long_is_run_by_test_ci(tmp_path: Path):
    out = printed(tmp_path, "-n", "0", "-m", targets()["test-ci"], tried=0)

    assert "3 passed, 5 deselected" in out  # slow, Spark, long in CI; the two of `make test` and three long ones
    assert left(out) == [("3", "test-all: simulations")]


def test_every_long_test_says_what_it_is():
    marks = [
        line.strip()
        for path in (ROOT / "tests").rglob("test_*.py")
        for line in path.read_text(encoding="utf-8").splitlines()
        if "mark.long" in line and path != Path(__file__)
    ]

    assert marks
    assert [mark for mark in marks if 'mark.long("' not in mark] == []
