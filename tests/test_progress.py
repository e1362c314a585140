"""The bar over several runs: seen on a terminal, silent elsewhere, and no part of the result."""

from __future__ import annotations

import io
import sys

import rankgauge as rg
from rankgauge._language import speaking

QRELS = {"q1": {"d1": 1}}
RUNS = {"b": {"q1": ["d2", "d1"]}, "[red]a": {"q1": ["d1"]}}


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_progress_shows_each_run_on_a_terminal_and_changes_nothing(monkeypatch, capsys) -> None:
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    monkeypatch.setenv("TERM", "xterm")

    shown = rg.evaluate(QRELS, RUNS, "RR")

    assert shown.mean() == rg.evaluate(QRELS, RUNS, "RR", progress=False).mean()
    assert "evaluating [red]a" in terminal.getvalue()
    assert capsys.readouterr().out == ""


def test_progress_is_quiet_when_standard_error_is_no_terminal(capsys) -> None:
    rg.evaluate(QRELS, RUNS, "RR")

    assert capsys.readouterr().err == ""


def test_a_bar_says_how_many_queries_were_asked_and_is_no_part_of_the_run(monkeypatch, capsys) -> None:
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    monkeypatch.setenv("TERM", "xterm")
    asked = {f"q{i}": f"question {i}" for i in range(3)}

    shown = rg.collect(asked, lambda query: ["d1"], name="[red]find")
    by_words = terminal.getvalue()
    rg.collect(asked, lambda query: ["d1"], progress=False)

    assert "asking [red]find" in by_words
    assert "3/3" in by_words
    assert terminal.getvalue() == by_words  # progress=False adds nothing
    assert shown.to_dict() == {q: {"d1": 1.0} for q in asked}
    assert capsys.readouterr().out == ""


def test_the_bar_counts_only_what_is_asked_now_and_speaks_chinese(monkeypatch, tmp_path) -> None:
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    monkeypatch.setenv("TERM", "xterm")
    rg.collect(["one"], _find, resume=tmp_path / "answers.jsonl", progress=False)

    with speaking("zh"):
        rg.collect(["one", "two", "three"], _find, resume=tmp_path / "answers.jsonl", concurrency=2)

    assert "正在询问 _find" in terminal.getvalue()
    assert "2/2" in terminal.getvalue()


def _find(query: str) -> list[str]:
    return ["d1"]


def test_nothing_is_written_while_asking_where_nobody_looks(capsys) -> None:
    rg.collect(["one", "two"], _find)

    assert capsys.readouterr().err == ""
