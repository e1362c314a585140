"""`rankgauge ui` as a process: where it listens, what it says, how it ends."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

import rankgauge as rg
from command_line import rankgauge

pytest.importorskip("uvicorn", reason="uvicorn is not installed")
pytestmark = pytest.mark.slow


@contextmanager
def started(folder: Path, *words: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """The process, and the first line that it says."""
    typed = [sys.executable, "-m", "rankgauge", "ui", *words, "--port", "0"]
    clean = {k: v for k, v in os.environ.items() if k not in ("RANKGAUGE_TOKEN", "RANKGAUGE_STORE")}
    process = subprocess.Popen(typed, cwd=folder, stderr=subprocess.PIPE, text=True, env=clean)
    try:
        assert process.stderr is not None
        yield process, process.stderr.readline()
    finally:
        process.kill()
        process.wait()
        process.stderr.close()


def asked(address: str, **headers: str) -> tuple[int, str]:
    jar = urllib.request.HTTPCookieProcessor()
    try:
        with urllib.request.build_opener(jar).open(
            urllib.request.Request(address, headers=headers), timeout=60
        ) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as e:
        return e.code, e.read().decode()


def test_the_link_that_it_prints_logs_in(tmp_path: Path):
    with started(tmp_path) as (process, said):
        link = re.search(r"http://127\.0\.0\.1:\d+/\?token=[\w-]{32}$", said.strip())
        assert link is not None, said
        status, page = asked(link[0])
        assert status == 200
        assert "Nothing has been measured yet" in page
        assert asked(link[0].partition("?")[0])[0] == 401
        process.send_signal(signal.SIGINT)
        assert process.wait(30) == 0
    assert (tmp_path / "history.db").exists()


def test_asked_to_end_it_leaves_one_file(tmp_path: Path):
    rg.History(tmp_path / "history.db").close()
    with started(tmp_path, "history.db") as (process, said):
        assert asked(said.strip().partition(": ")[2])[0] == 200
        process.send_signal(signal.SIGTERM)

        assert process.wait(20) == 0
    assert [path.name for path in tmp_path.iterdir()] == ["history.db"]


@pytest.mark.parametrize("words", [("weeks.db",), ("weeks.db", "--read-only"), ("--read-only",)])
def test_a_name_that_was_mistyped_is_no_new_store(words: tuple[str, ...], tmp_path: Path):
    with started(tmp_path, *words) as (process, said):
        assert "there is no store" in said
        assert process.wait(30) == 2
    assert list(tmp_path.iterdir()) == []


def test_a_token_of_yours_is_not_printed(tmp_path: Path):
    rg.History(tmp_path / "h.db").close()
    with started(tmp_path, "h.db", "--token", "a-token-of-my-own-1", "--language", "zh") as (_, said):
        address = re.search(r"http://\S+", said)
        assert "h.db 的看板" in said
        assert address is not None
        assert "a-token" not in said
        assert asked(f"{address[0]}api/v1/store", authorization="Bearer a-token-of-my-own-1")[0] == 200


def test_a_project_file_says_which_store_and_which_rules(tmp_path: Path):
    (tmp_path / "q.txt").write_text("q1 0 a 1\n")
    (tmp_path / "r.run").write_text("q1 Q0 a 1 1.0 t\n")
    (tmp_path / "rankgauge.toml").write_text(
        'project = "shop"\nstore = "mine.db"\nmeasures = ["RR"]\n[datasets.d]\nqrels = "q.txt"\n'
        '[systems.s]\nrun = "r.run"\n[[alerts.health]]\nstale = "8d"\n'
    )
    with rg.History(tmp_path / "mine.db") as h:
        ev = rg.evaluate({"q1": {"a": 1}}, {"q1": ["a"]}, "RR")
        h.add(ev, project="shop", system="s", dataset="d", at="2020-01-01")
    with started(tmp_path) as (_, said):
        assert "mine.db" in said
        link = re.search(r"http://\S+", said)
        assert link is not None
        assert "last measured at 2020-01-01" in asked(link[0])[1]


def test_ports_that_are_taken_and_tokens_that_are_short(tmp_path: Path):
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        s.listen()
        taken = str(s.getsockname()[1])
        assert "cannot listen" in rankgauge("ui", "--port", taken, cwd=tmp_path, code=2).stderr
    assert "at least 16" in rankgauge("ui", "--token", "short", cwd=tmp_path, code=2).stderr
    assert "needs the address of the proxy" in rankgauge("ui", "--trust-header", "X-User", cwd=tmp_path, code=2).stderr
