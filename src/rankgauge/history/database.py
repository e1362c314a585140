"""One small face of two databases: a file of SQLite, or a server of PostgreSQL.

Statements are written once, in the SQL that both share, with `?` for values. What differs stands with each: how to
connect, the marks for values, the type of bytes, and what an error means. Connections belong to one thread of one
process; a transaction that writes takes its turn at the beginning, so that none fails half way because of another.
"""

from __future__ import annotations

import os
import re
import threading
import weakref
from collections.abc import Iterable, Sequence
from contextlib import AbstractContextManager, suppress
from pathlib import Path
from typing import Any, Protocol

from rankgauge._show import show
from rankgauge._text import Text
from rankgauge.errors import ParameterError

__all__ = ["PATIENCE", "Database", "PerThread", "Reader", "Row", "Writer", "opened", "statements", "without_password"]

PATIENCE = 60
"""Seconds to wait for others who write."""

Row = tuple[Any, ...]


class Reader(Protocol):
    """What a transaction that reads can do."""

    def rows(self, sql: str, values: Sequence[Any] = ()) -> list[Row]:
        """What a query finds."""


class Writer(Reader, Protocol):
    """What a transaction that writes can do."""

    def execute(self, sql: str, values: Sequence[Any] = ()) -> int:
        """Runs a statement; how many rows it changed."""

    def executemany(self, sql: str, rows: Iterable[Sequence[Any]]) -> None:
        """Runs it for each row."""


class Database(Protocol):
    """What a history asks of its database."""

    place: str
    """Where it is, as messages may say it: without passwords."""

    def rows(self, sql: str, values: Sequence[Any] = ()) -> list[Row]:
        """What a query finds."""

    def reading(self) -> AbstractContextManager[Reader]:
        """A transaction that sees one moment, whatever others write meanwhile."""

    def writing(self, *, alone: bool = False) -> AbstractContextManager[Writer]:
        """A transaction that writes: all of it, or nothing. `alone`: while nobody else writes."""

    def script(self, sql: str) -> list[str]:
        """The statements of a migration, as this database says them."""

    def has_schema(self) -> bool:
        """Whether anything of ours is there."""

    def copied(self, version: int) -> None:
        """Keeps a copy before a migration changes what is there, where that is for us to do."""

    def pieces(self, path: str, wanted: Sequence[tuple[str, int]]) -> list[bytes]:
        """Of the column at a path of each entry the eight bytes at an offset, without reading the others."""

    def damage(self) -> list[str]:
        """What the database itself finds wrong with what it keeps."""

    def size(self) -> int:
        """Bytes on disk."""

    def compact(self) -> None:
        """Gives the room of what was deleted back."""

    def close(self) -> None:
        """Ends all connections."""


def opened(place: str | os.PathLike[str], *, read_only: bool = False) -> Database:
    """The database at a path or an address."""
    text = os.fspath(place) if isinstance(place, (str, os.PathLike)) else ""
    if not isinstance(text, str) or not text:
        raise _no_place(place)
    if text.startswith(("postgresql://", "postgres://")):
        from rankgauge.history.postgres import Postgres

        return Postgres(text, read_only=read_only)
    if "://" in text:
        raise _no_place(place)
    from rankgauge.history.sqlite import Sqlite

    return Sqlite(Path(text), read_only=read_only)


def _no_place(place: object) -> ParameterError:
    place = without_password(place) if isinstance(place, str) else place
    return ParameterError(
        Text(
            "history: a store must be a file, or the address of a PostgreSQL server (postgresql://user@host/name), got "
            f"{show(place)}.",
            f"历史：存储必须是文件，或 PostgreSQL 服务器的地址（postgresql://user@host/name），实际为 {show(place)}。",
        )
    )


def without_password(place: str) -> str:
    """An address as messages show it: nothing of what may be secret, however it is written.

    >>> without_password("postgresql://me:secret@db.example:5432/shop?sslmode=require")
    'postgresql://me@db.example:5432/shop'
    >>> without_password("postgresql://me:s/e c%r@t@[::1/shop"), without_password("history.db")
    ('postgresql://me@[::1/shop', 'history.db')
    """
    scheme, is_address, rest = place.partition("://")
    if not is_address:
        return place
    who, at, host = rest.rpartition("@")
    user = re.split("[:/?#]", who)[0]
    return f"{scheme}://{user}{'@' if at and user else ''}{re.split('[?#]', host)[0]}"


def statements(sql: str) -> list[str]:
    """Those of a script, without its remarks. Our scripts have no semicolon within a text."""
    bare = "\n".join(line.split("--")[0] for line in sql.splitlines())
    return [s for part in bare.split(";") if (s := part.strip())]


class PerThread:
    """A connection for each thread, made anew in a forked child, ended when nobody has the history any more."""

    def __init__(self) -> None:
        self._local = threading.local()
        self._open: list[tuple[int, Any]] = []
        weakref.finalize(self, _end, self._open)

    def connection(self) -> Any:
        """That of this thread."""
        kept = getattr(self._local, "kept", None)
        if kept is None or kept[0] != os.getpid() or kept not in self._open:
            kept = self._local.kept = (os.getpid(), self.connected())
            self._open.append(kept)
        return kept[1]

    def connected(self) -> Any:
        """A new one."""
        raise NotImplementedError  # pragma: no cover - each has its own

    def forget(self) -> None:
        """Ends the connection of this thread."""
        kept = getattr(self._local, "kept", None)
        if kept is not None and kept in self._open:
            self._open.remove(kept)
            _end([kept])
        self._local.kept = None

    def close(self) -> None:
        _end(self._open)


def _end(connections: list[tuple[int, Any]]) -> None:
    """Closes what this process opened: a forked child leaves the connections of its parent alone."""
    while connections:
        process, connection = connections.pop()
        if process == os.getpid():
            with suppress(Exception):
                connection.close()
