"""The fixture `rankgauge_retriever` in a project of its own; the example of docs/rag.md is among its tests."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]

SEARCH = """
import json
from pathlib import Path

DOCS = {d["id"]: d["text"] for d in map(json.loads, Path(__file__).with_name("docs.jsonl").open(encoding="utf-8"))}
PIECES = [(d, i, min(i + 60, len(text))) for d, text in DOCS.items() for i in range(0, len(text), 60)]


def find(query, k):
    asked = set(query.lower().split())
    def shared(piece):
        d, start, end = piece
        return len(asked & set(DOCS[d][start:end].lower().split()))
    return sorted(PIECES, key=shared, reverse=True)[:k]


def nothing(query):
    return []


def fails(query):
    raise ConnectionError("no route")
"""
DOCS = """{"id": "shoes", "text": "Running shoes are washed by hand in cold water. Never tumble dry them at all."}
{"id": "boots", "text": "Leather boots need wax twice a year. Wipe off salt at once."}
"""
QUESTIONS = """{"question": "how are running shoes washed by hand", "gold": ["washed by hand in cold water"]}
{"question": "how often do leather boots need wax", "gold": ["need wax twice a year"]}
"""
PROJECT = """
import search


def ask(rankgauge_retriever, what):
    return rankgauge_retriever(what, "questions.jsonl", documents="docs.jsonl", k=10)


def test_good(rankgauge_retriever):
    asked = ask(rankgauge_retriever, search.find)
    assert asked.evaluate("R@5", "SpanRecall@5")["R@5"] == 1.0
    asked.assert_at_least("R@5", 0.9)
    asked.assert_at_most("latency.p95", 10_000)
    asked.assert_answered()
    accepted = ["judged-ids-never-retrieved"]
    asked.assert_not_worse(search.nothing, "SpanRecall@5", margin=0.05, accept=accepted, allow_inconclusive=True)


def test_too_low(rankgauge_retriever):
    ask(rankgauge_retriever, "search:find").assert_at_least("SpanPrecision@5", 0.9)


def test_too_slow(rankgauge_retriever):
    ask(rankgauge_retriever, search.find).assert_at_most("latency.p95", 0.000001)


def test_backwards(rankgauge_retriever):
    ask(rankgauge_retriever, search.find).assert_at_least("latency.p95", 300)


def test_unanswered(rankgauge_retriever):
    ask(rankgauge_retriever, search.fails).assert_answered()


def test_worse(rankgauge_retriever):
    new = ask(rankgauge_retriever, search.nothing)
    new.assert_not_worse("search:find", "R@5", margin=0.05, accept=["judged-ids-never-retrieved"])
"""


@pytest.fixture(scope="module")
def outcomes(tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("project")
    page = (ROOT / "docs/rag.md").read_text(encoding="utf-8")
    (example,) = re.findall(r"^```py\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    files = {"search.py": SEARCH, "docs.jsonl": DOCS, "questions.jsonl": QUESTIONS, "test_it.py": PROJECT}
    for name, content in {**files, "test_documented.py": example}.items():
        (folder / name).write_text(content, encoding="utf-8")
    words = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-p", "no:randomly", "-rA", "-q", "--rootdir=."]
    done = subprocess.run(words, cwd=folder, capture_output=True, text=True, encoding="utf-8", check=False)
    return done.stdout + done.stderr


@pytest.mark.parametrize("name", ["test_it.py::test_good", "test_documented.py::test_what_the_model_gets_to_read"])
def test_what_is_good_passes(outcomes: str, name: str):
    assert f"PASSED {name}" in outcomes, outcomes


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("test_too_low", "find: SpanPrecision@5 >= 0.9 does not hold"),
        ("test_too_slow", "find: latency.p95 <= 1e-06 ms does not hold"),
        ("test_too_slow", r"E +p95 [0-9.]+ ms .*of 2 queries, asked <= 1e-06 ms"),
        ("test_too_slow", "worst queries: "),
        ("test_backwards", r"assert_at_least: lower latency.p95 is better. Use assert_at_most."),
        ("test_unanswered", "2 of 2 queries got no answer from fails"),
        ("test_worse", "nothing: R@5"),
    ],
)
def test_what_is_not_fails_and_says_why(outcomes: str, name: str, said: str):
    assert f"FAILED test_it.py::{name}" in outcomes, outcomes
    assert re.search(said, outcomes), outcomes
