"""The fixture `rankgauge` in a project of its own, run by a pytest of its own."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

PROJECT = """
import pytest

QRELS = {f"q{i}": {"a": 1} for i in range(12)}
GOOD = {q: ["a", "b"] for q in QRELS}
BAD = {q: ["b", "a"] for q in QRELS}
MIXED = {q: ["a", "b"] if i % 3 else ["b", "a"] for i, q in enumerate(QRELS)}


def test_evaluate_and_compare_pass_through(rankgauge):
    assert rankgauge.evaluate(QRELS, BAD, ["RR"])["RR"] == 0.5
    assert rankgauge.compare(QRELS, {"bad": BAD, "good": GOOD}, "RR").verdict("RR") == "better"


def test_good_enough(rankgauge):
    check = rankgauge.assert_at_least(rankgauge.evaluate(QRELS, GOOD, ["RR"]), "RR", 0.9)
    assert check.value == 1.0
    rankgauge.assert_not_worse(QRELS, BAD, GOOD, "RR", margin=0.01)
    rankgauge.assert_not_worse(QRELS, rankgauge.evaluate(QRELS, BAD, ["RR"]), GOOD, "RR", margin=0.01, alpha=0.01)


def test_allowed(rankgauge):
    rankgauge.assert_not_worse(QRELS, GOOD, MIXED, "RR", margin=0.2, allow_inconclusive=True)


LATE = {q: [*"bcdefgh", "a"] for q in QRELS}


def test_accepted(rankgauge):
    ev = rankgauge.evaluate(QRELS, LATE, ["RR"])
    rankgauge.assert_at_least(ev, "RR", 0.1, accept=["worst-first"])
    rankgauge.assert_not_worse(QRELS, LATE, GOOD, "RR", margin=0.01, accept=["worst-first"])


def test_suspicious(rankgauge):
    rankgauge.assert_at_least(rankgauge.evaluate(QRELS, LATE, ["RR"]), "RR", 0.1)


def test_suspicious_baseline(rankgauge):
    rankgauge.assert_not_worse(QRELS, LATE, GOOD, "RR", margin=0.01, allow_inconclusive=True)


def test_too_low(rankgauge):
    rankgauge.assert_at_least(rankgauge.evaluate(QRELS, BAD, ["RR"]), "RR", 0.9)


def test_worse(rankgauge):
    rankgauge.assert_not_worse(QRELS, GOOD, BAD, "RR", margin=0.01)


def test_not_settled(rankgauge):
    rankgauge.assert_not_worse(QRELS, GOOD, MIXED, "RR", margin=0.2)


def test_other_policy(rankgauge):
    old = rankgauge.evaluate(QRELS, GOOD, ["RR"], ties="best")
    rankgauge.assert_not_worse(QRELS, old, GOOD, "RR", margin=0.2)


def test_gate_passes(rankgauge, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)  # the file is found beside the project
    assert rankgauge.assert_gate("pass.toml").exit_code == 0


def test_gate_fails(rankgauge):
    rankgauge.assert_gate("fail.toml")
"""


@pytest.fixture(scope="module")
def outcome(tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("project")
    (folder / "pytest.ini").write_text("[pytest]\nfilterwarnings = error\n")
    (folder / "test_search.py").write_text(PROJECT)
    (folder / "qrels.txt").write_text("q1 0 a 1\nq2 0 a 1\n")
    (folder / "new.run").write_text("q1 Q0 a 1 2 t\nq2 Q0 b 1 2 t\nq2 Q0 a 2 1 t\n")
    for name, floor in (("pass", 0.7), ("fail", 0.8)):
        (folder / f"{name}.toml").write_text(f'qrels = "qrels.txt"\nrun = "new.run"\n[floors]\nRR = {floor}\n')
    return _pytest(folder, "-v").stdout


def _pytest(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """The plugin is named, so that it need not be installed for this; pytest ignores it when it is there already."""
    active = _is_installed()
    plugin = () if active else ("-p", "rankgauge.integrations.pytest_plugin")
    return subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-p", "no:randomly", *plugin, *words],
        cwd=folder,
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )


def _is_installed() -> bool:
    from importlib.metadata import entry_points

    return any(e.value == "rankgauge.integrations.pytest_plugin" for e in entry_points(group="pytest11"))


@pytest.mark.parametrize(
    "name", ["evaluate_and_compare_pass_through", "good_enough", "allowed", "accepted", "gate_passes"]
)
def test_what_holds_passes(outcome: str, name: str) -> None:
    assert f"test_search.py::test_{name} PASSED" in outcome


@pytest.mark.parametrize(
    ("name", "lines"),
    [
        (
            "too_low",
            ["RR >= 0.9 does not hold", "mean 0.5000 (90% interval 0.5000 … 0.5000) of 12 queries", "q0 0.5000"],
        ),
        ("worse", ["RR not worse by more than 0.01 does not hold", "difference -0.5000", "largest losses: q0 -0.5000"]),
        ("not_settled", ["RR not worse by more than 0.2 is not settled", "more queries like these would settle it"]),
        ("suspicious", ["the input is suspicious: run: relevant results lie at the end of the lists (12 of 12)"]),
        ("suspicious_baseline", ["the input is suspicious: run: relevant results"]),
        ("other_policy", ["assert_not_worse: not comparable", "ties=best and doc_id"]),
        ("gate_fails", ["FAIL: 1 of 1 check failed (RR >= ", "worst: q2 0.5000"]),
    ],
)
def test_what_does_not_hold_fails_with_its_numbers(outcome: str, name: str, lines: list[str]) -> None:
    assert f"test_search.py::test_{name} FAILED" in outcome
    for line in lines:
        assert line in outcome


def test_helpers_hide_their_own_lines(outcome: str) -> None:
    assert "def assert_at_least" not in outcome


def test_the_fixture_is_listed_with_what_it_does(tmp_path: Path) -> None:
    (tmp_path / "test_empty.py").write_text("")

    out = _pytest(tmp_path, "--fixtures").stdout

    assert "rankgauge [session scope]" in out
    assert "Evaluate and compare rankings, and assert on the result." in out


def test_the_plugin_alone_loads_nothing_heavy() -> None:
    heavy = ("numpy", "polars", "scipy", "msgspec", "click")
    code = f"import sys, rankgauge.integrations.pytest_plugin; print([m for m in {heavy!r} if m in sys.modules])"

    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "[]\n"


def test_failures_command_no_terminal():
    from rankgauge.integrations.pytest_plugin import RankingAssertions

    check = RankingAssertions()
    ev = check.evaluate({"\x1b[2Jq": {"a": 1}}, {"\x1b[2Jq": ["b", "a"]}, ["RR"])

    with pytest.raises(AssertionError, match=r"\\u001b\[2Jq") as failed:
        check.assert_at_least(ev, "RR", 0.9)

    assert "\x1b" not in str(failed.value)
