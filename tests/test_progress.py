"""The bar over several runs: seen on a terminal, silent elsewhere, and no part of the result."""

from __future__ import annotations

import io
import sys

import rankgauge as rg

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
