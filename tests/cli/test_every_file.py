"""Every file that any command reads or writes: pipes are taken in, and no output goes onto an input.

The lists are those of the application, so that a new command, or a new option, is in them.
"""

from __future__ import annotations

import io
import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from cli.every_parameter import Typed, commands, read, typed, written
from rankgauge.cli import main
from rankgauge.cli.options import Input
from rankgauge.cli.places import Grown

pytestmark = pytest.mark.filterwarnings("ignore::PendingDeprecationWarning")  # of rich-click, about itself

DATA = b"query_id,doc_id,score\nq1,d1,1\n"

NOT_READ = {
    ("demo", "folder"): "a folder that is written",
    ("demo", "store"): "a store that is written",
    ("evaluate", "plugins"): "a program, which is run where it stands",
    ("measures", "plugins"): "a program, which is run where it stands",
}
BY_THE_GATE = {("gate", name) for name in ("files", "qrels", "standards", "slices")}
"""A gate takes in what its file names in the same way, when it runs: `READING` in test_pipes.py has them."""


def key(one: Typed) -> tuple[str, str]:
    return one.command, one.parameter.name or ""


READ = [one for one in read() if key(one) not in NOT_READ]


def test_there_are_files_of_every_command() -> None:
    """The walk finds them: all commands that read, and those of groups."""
    names = {one.command for one in READ}

    assert {"evaluate", "overlap", "rag", "collect", "sweep", "answers", "channels", "drift", "split"} <= names
    assert {"baseline", "online ab", "calibrate", "convert", "audit", "report", "plot"} <= names
    assert {name for name, _ in commands()} - names == {
        "demo",
        "online sample-ratio",
        "explain",
        "measures",
        "completion",
        "ui",
        *(f"history {name}" for name in ("list", "tag", "trend", "acknowledge", "prune", "verify", "export")),
        *("export prometheus", "export grafana"),
    }


@contextmanager
def stdin(data: bytes) -> Iterator[None]:
    """Standard input is a pipe with these bytes."""
    there, back = os.pipe()
    kept = os.dup(0)
    os.dup2(there, 0)
    os.close(there)

    def write() -> None:
        with open(back, "wb") as file:
            file.write(data)

    writer = threading.Thread(target=write)
    writer.start()
    try:
        yield
    finally:
        os.dup2(kept, 0)
        os.close(kept)
        writer.join()


def paths(value: Any) -> list[Path]:
    found = value if isinstance(value, (tuple, list)) else [value]
    return [path for v in found if isinstance(path := getattr(v, "path", v), Path)]


@pytest.mark.parametrize("one", [one for one in READ if key(one) not in BY_THE_GATE], ids=str)
def test_a_dash_is_taken_in_for_every_input(one: Typed, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert isinstance(one.parameter.type, Input), "a file that is read is an `Input`, which takes in pipes"
    monkeypatch.chdir(tmp_path)
    (tmp_path / "other").write_bytes(DATA)
    command = dict(commands())[one.command]
    words = typed(one.command, {one.parameter.name or "": "-"}, "other")[len(one.command.split()) :]

    with stdin(DATA):
        ctx = command.make_context(one.command, words, resilient_parsing=False)
        (path,) = [p for p in paths(ctx.params[one.parameter.name or ""]) if p.name != "other"]

        assert path.read_bytes() == DATA
        assert path.read_bytes() == DATA  # again: it is no pipe any more


ONTO = [
    (source, target)
    for source in READ
    for target in written()
    if source.command == target.command and not isinstance(target.parameter.type, Grown)
]


def test_there_is_an_output_for_nearly_every_input() -> None:
    assert len(ONTO) > 150
    nothing = {"watch", "history import"}  # what they write is a store, or is said in a file of the project
    assert {one.command for one in READ} - nothing == {source.command for source, _ in ONTO}


@pytest.mark.parametrize(("source", "target"), ONTO, ids=lambda one: str(one) if isinstance(one, Typed) else None)
def test_no_output_goes_onto_an_input(
    source: Typed, target: Typed, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.stdin", io.StringIO())
    for name in ("in.csv", "other"):
        (tmp_path / name).write_bytes(DATA)
    words = {source.parameter.name or "": "in.csv", target.parameter.name or "": "in.csv"}

    code = main(typed(source.command, words, "other"))

    assert code == 2
    assert "would overwrite the input" in capsys.readouterr().err
    assert {p.name: p.read_bytes() for p in tmp_path.iterdir()} == {"in.csv": DATA, "other": DATA}
