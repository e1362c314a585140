"""Stores to test with: a new file, and a new database on a server that is started once."""

from __future__ import annotations

import os
import pwd
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import Any

import pytest

import rankgauge as rg

_PROGRAMS = sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda p: int(p.parent.name.partition(".")[0]))
_NUMBER = count()


@pytest.fixture(scope="session")
def server() -> Iterator[str]:
    """The address of a PostgreSQL server of our own, without the name of a database."""
    pytest.importorskip("psycopg", reason="psycopg is not installed")
    if not _PROGRAMS:
        pytest.skip("there is no PostgreSQL server in /usr/lib/postgresql (Debian: apt install postgresql)")
    programs = _PROGRAMS[-1]
    folder = Path(tempfile.mkdtemp(prefix="rankgauge-postgres-", dir="/tmp"))
    who = _not_root(folder)
    port = _free_port()
    try:
        _run([programs / "initdb", "-D", folder / "data", "-A", "trust", "-U", "me", "-E", "UTF8", "--no-sync"], who)
        options = f"-c port={port} -c listen_addresses=127.0.0.1 -c unix_socket_directories={folder} -c fsync=off"
        _run([programs / "pg_ctl", "start", "-w", "-D", folder / "data", "-l", folder / "log", "-o", options], who)
        try:
            yield f"postgresql://me@127.0.0.1:{port}"
        finally:
            _run([programs / "pg_ctl", "stop", "-m", "immediate", "-D", folder / "data"], who)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _not_root(folder: Path) -> dict[str, Any]:
    """Who runs the server: it refuses to be run by root."""
    if os.geteuid() != 0:
        return {}
    known = {p.pw_name: p for p in pwd.getpwall()}
    user = known.get("postgres") or known["nobody"]
    os.chown(folder, user.pw_uid, user.pw_gid)
    return {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": []}


def _run(words: list[Any], who: dict[str, Any]) -> None:
    """Without pipes: the server would keep them open."""
    with tempfile.TemporaryFile() as said:
        done = subprocess.run(
            [str(w) for w in words], stdout=said, stderr=said, stdin=subprocess.DEVNULL, cwd="/", check=False, **who
        )
        said.seek(0)
        assert done.returncode == 0, said.read().decode(errors="replace")


def _free_port() -> int:
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        port: int = s.getsockname()[1]
        return port


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.slow)])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Where a store can be made: one body of tests for both databases."""
    if request.param == "sqlite":
        return str(tmp_path / "history.db")
    return new_database(request.getfixturevalue("server"))


def new_database(server: str) -> str:
    import psycopg

    name = f"h{os.getpid()}_{next(_NUMBER)}"
    with psycopg.connect(f"{server}/postgres", autocommit=True) as c:
        c.execute(f"CREATE DATABASE {name} TEMPLATE template0".encode())
    return f"{server}/{name}"


@pytest.fixture
def history(place: str) -> Iterator[rg.History]:
    with rg.History(place) as h:
        yield h
