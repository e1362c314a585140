"""One small face of two databases: a file of SQLite, or a server of PostgreSQL.

Statements are written once, in the SQL that both share, with `?` for values. What differs stands here: how to connect,
the marks for values, the type of bytes, and what an error means. Connections belong to one thread of one process; a
transaction that writes takes its turn at the beginning, so that none fails half way because of another.
"""

from __future__ import annotations

import os
import sqlite3
import threading
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Protocol

from rankgauge._show import show
from rankgauge._text import Text, zh
from rankgauge.errors import InputError, MissingExtra, ParameterError

__all__ = ["Database", "Postgres", "Sqlite", "Writer", "opened"]

_PATIENCE = 60
"""Seconds to wait for others who write."""


class Writer(Protocol):
    """What a transaction can do."""

    def execute(self, sql: str, values: Sequence[Any] = ()) -> int:
        """Runs a statement; how many rows it changed."""

    def executemany(self, sql: str, rows: Iterable[Sequence[Any]]) -> None:
        """Runs it for each row."""

    def rows(self, sql: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        """What a query finds."""


class Database(Protocol):
    """What a history asks of its database."""

    place: str
    """Where it is, as messages may say it: without passwords."""

    def rows(self, sql: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        """What a query finds."""

    def writing(self) -> Any:
        """A transaction that writes: all of it, or nothing. A context that gives a `Writer`."""

    def script(self, sql: str) -> list[str]:
        """The statements of a migration, as this database says them."""

    def copied(self, version: int) -> None:
        """Keeps a copy before a migration changes what is there, where that is for us to do."""

    def size(self) -> int:
        """Bytes on disk."""

    def compact(self) -> None:
        """Gives the room of what was deleted back."""

    def close(self) -> None:
        """Ends the connection of this thread."""


def opened(place: str | os.PathLike[str], *, read_only: bool = False) -> Database:
    """The database at a path or an address."""
    text = os.fspath(place)
    if text.startswith(("postgresql://", "postgres://")):
        return Postgres(text, read_only=read_only)
    if "://" in text:
        raise ParameterError(
            Text(
                f"history: a store must be a file, or the address of a PostgreSQL server (postgresql://user@host/name), "
                f"got {show(text)}.",
                f"历史：存储必须是文件，或 PostgreSQL 服务器的地址（postgresql://user@host/name），实际为 {show(text)}。",
            )
        )
    return Sqlite(Path(text), read_only=read_only)


def _statements(sql: str) -> list[str]:
    """Those of a script, without its remarks. Our scripts have no semicolon within a text."""
    bare = "\n".join(line.split("--")[0] for line in sql.splitlines())
    return [s for part in bare.split(";") if (s := part.strip())]


class _PerThread:
    """A connection for each thread, made anew in a forked child."""

    def __init__(self) -> None:
        self._local = threading.local()

    def _connection(self) -> Any:
        kept = getattr(self._local, "kept", None)
        if kept is None or kept[0] != os.getpid():
            kept = self._local.kept = (os.getpid(), self._connect())
        return kept[1]

    def _connect(self) -> Any:
        raise NotImplementedError  # pragma: no cover

    def close(self) -> None:
        kept = getattr(self._local, "kept", None)
        self._local.kept = None
        if kept is not None and kept[0] == os.getpid():
            kept[1].close()


class Sqlite(_PerThread):
    """A file."""

    def __init__(self, path: Path, *, read_only: bool = False) -> None:
        super().__init__()
        self.path, self.read_only = path, read_only
        self.place = str(path)

    def _connect(self) -> sqlite3.Connection:
        with self._meaning():
            if not self.read_only:
                self._refuse_other_files()
            mode = "ro" if self.read_only else "rwc"
            c = sqlite3.connect(
                f"{self.path.resolve().as_uri()}?mode={mode}", uri=True, timeout=_PATIENCE, isolation_level=None
            )
            try:
                c.execute("PRAGMA foreign_keys = ON")
                if not self.read_only:
                    c.execute("PRAGMA journal_mode = WAL")
                    c.execute("PRAGMA synchronous = FULL")  # what was added is there after a power cut as well
            except BaseException:
                c.close()
                raise
            return c

    def _refuse_other_files(self) -> None:
        with suppress(FileNotFoundError), self.path.open("rb") as file:
            head = file.read(16)
            if head and head != b"SQLite format 3\0":
                raise self._no_store()

    def _no_store(self) -> InputError:
        return InputError(
            Text(
                f"history: {show(self.place)} is no store of rankgauge. Name another file; one that does not exist is "
                "made.",
                f"历史：{show(self.place)} 不是 rankgauge 的存储。请换一个文件；不存在的会新建。",
            )
        )

    def rows(self, sql: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        with self._meaning():
            found: list[tuple[Any, ...]] = self._connection().execute(sql, values).fetchall()
            return found

    @contextmanager
    def writing(self) -> Iterator[Writer]:
        with self._meaning():
            c = self._connection()
            c.execute("BEGIN IMMEDIATE")
            try:
                yield _SqliteWriter(c)
            except BaseException:
                with suppress(sqlite3.Error):
                    c.execute("ROLLBACK")
                raise
            c.execute("COMMIT")

    @contextmanager
    def _meaning(self) -> Iterator[None]:
        """What SQLite says, in our words."""
        try:
            yield
        except sqlite3.Error as e:
            name = str(getattr(e, "sqlite_errorname", ""))
            if name == "SQLITE_NOTADB":
                raise self._no_store() from e
            raise InputError(_why(name, self.place, str(e))) from e

    def script(self, sql: str) -> list[str]:
        return _statements(sql)

    def copied(self, version: int) -> None:
        target = self.path.with_name(f"{self.path.name}.schema-{version}")
        if not target.exists():
            with self._meaning():
                self._connection().execute("VACUUM INTO ?", (str(target),))

    def size(self) -> int:
        files = (self.path.with_name(self.path.name + end) for end in ("", "-wal"))
        return sum(f.stat().st_size for f in files if f.exists())

    def compact(self) -> None:
        with self._meaning():
            c = self._connection()
            c.execute("VACUUM")
            c.execute("PRAGMA wal_checkpoint(TRUNCATE)")


class _SqliteWriter:
    def __init__(self, c: sqlite3.Connection) -> None:
        self._c = c

    def execute(self, sql: str, values: Sequence[Any] = ()) -> int:
        return self._c.execute(sql, values).rowcount

    def executemany(self, sql: str, rows: Iterable[Sequence[Any]]) -> None:
        self._c.executemany(sql, rows)

    def rows(self, sql: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        found: list[tuple[Any, ...]] = self._c.execute(sql, values).fetchall()
        return found


_WHY = {
    "SQLITE_BUSY": Text(
        f"somebody else has been writing to it for {_PATIENCE} seconds. Try again.",
        f"其他进程已持续写入 {_PATIENCE} 秒。请再试一次。",
    ),
    "SQLITE_FULL": Text("the disk is full. Nothing was changed.", "磁盘已满。没有任何改动。"),
    "SQLITE_READONLY": Text("it may only be read.", "它是只读的。"),
    "SQLITE_CANTOPEN": Text(
        "it cannot be opened: the folder does not exist, or may not be written to.",
        "无法打开：文件夹不存在，或没有写入权限。",
    ),
    "SQLITE_CORRUPT": Text("the file is damaged. Restore it from a copy.", "文件已损坏。请用备份恢复。"),
    "SQLITE_IOERR": Text("the disk refused to read or write.", "磁盘读写出错。"),
}


def _why(code: str, place: str, said: str) -> Text:
    why = next((text for name, text in _WHY.items() if code.startswith(name)), Text(f"{said}.", f"{said}。"))
    return Text(f"history: {show(place)}: {why}", f"历史：{show(place)}：{zh(why)}")


class Postgres(_PerThread):
    """A server."""

    def __init__(self, url: str, *, read_only: bool = False) -> None:
        super().__init__()
        self.url, self.read_only = url, read_only
        self.place = _without_password(url)

    def _connect(self) -> Any:
        psycopg = _psycopg()
        with self._meaning():
            c = psycopg.connect(self.url, autocommit=True, connect_timeout=10)
            c.read_only = self.read_only
            return c

    def rows(self, sql: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        with self._meaning():
            found: list[tuple[Any, ...]] = self._connection().execute(_marked(sql), values).fetchall()
            return found

    @contextmanager
    def writing(self) -> Iterator[Writer]:
        with self._meaning():
            c = self._connection()
            with c.transaction():
                yield _PostgresWriter(c)

    @contextmanager
    def _meaning(self) -> Iterator[None]:
        psycopg = _psycopg()
        try:
            yield
        except psycopg.Error as e:
            self.close()
            said = " ".join(str(e).split()).rstrip(".")
            raise InputError(
                Text(f"history: {show(self.place)}: {said}.", f"历史：{show(self.place)}：{said}。")
            ) from e

    def script(self, sql: str) -> list[str]:
        return [s.replace(" BLOB", " BYTEA") for s in _statements(sql)]

    def copied(self, version: int) -> None:
        """A server has backups of its own."""

    def size(self) -> int:
        return int(self.rows("SELECT pg_database_size(current_database())")[0][0])

    def compact(self) -> None:
        with self._meaning():
            self._connection().execute("VACUUM")


class _PostgresWriter:
    def __init__(self, c: Any) -> None:
        self._c = c

    def execute(self, sql: str, values: Sequence[Any] = ()) -> int:
        return int(self._c.execute(_marked(sql), values).rowcount)

    def executemany(self, sql: str, rows: Iterable[Sequence[Any]]) -> None:
        with self._c.cursor() as cursor:
            cursor.executemany(_marked(sql), list(rows))

    def rows(self, sql: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        cursor = self._c.execute(_marked(sql), values)
        return list(cursor.fetchall())


def _marked(sql: str) -> str:
    return sql.replace("%", "%%").replace("?", "%s")


def _psycopg() -> Any:
    try:
        import psycopg
    except ImportError as e:
        raise MissingExtra(
            Text(
                'a history in PostgreSQL needs psycopg. Install it with: pip install "rankgauge[postgres]"',
                '存入 PostgreSQL 需要 psycopg。安装方法：pip install "rankgauge[postgres]"',
            )
        ) from e
    return psycopg


def _without_password(url: str) -> str:
    from urllib.parse import urlsplit, urlunsplit

    parts = urlsplit(url)
    host = parts.netloc.rpartition("@")
    user = host[0].partition(":")[0]
    return urlunsplit(parts._replace(netloc=f"{user}@{host[2]}" if user else host[2], query="", fragment=""))
