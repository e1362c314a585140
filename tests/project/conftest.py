"""The folder of a small project."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from small_project import HALF, QUERIES, run_text


@pytest.fixture(autouse=True)
def no_git(monkeypatch: pytest.MonkeyPatch) -> None:
    """Labels of an entry do not depend on where the tests run."""

    def nothing(*_: object, **__: object) -> None:
        raise subprocess.SubprocessError

    monkeypatch.setattr("rankgauge.history.surroundings.subprocess.run", nothing)
    for name in ("RANKGAUGE_STORE", "http_proxy", "HTTP_PROXY", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "qrels.txt").write_text("".join(f"{q} 0 a 1\n" for q in QUERIES))
    (tmp_path / "search.run").write_text(run_text(HALF))
    rows = ((i % 2, 0.2 + 0.6 * (i % 2) + i / 1000, ("phone", "desk")[i % 3 == 0]) for i in range(160))
    (tmp_path / "clicks.csv").write_text("click,new,device\n" + "".join(f"{y},{p:.3f},{d}\n" for y, p, d in rows))
    return tmp_path


@pytest.fixture
def written(folder: Path) -> Callable[[str], Path]:
    """A project file with this text."""

    def write(text: str) -> Path:
        path = folder / "rankgauge.toml"
        path.write_text(text, encoding="utf-8")
        return path

    return write
