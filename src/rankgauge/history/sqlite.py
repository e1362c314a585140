"""A history in one file: SQLite, with a journal beside it that readers and one writer share (WAL)."""

from __future__ import annotations

import sqlite3
import stat
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from rankgauge._show import show
from rankgauge._text import Text, zh
from rankgauge.errors import InputError
from rankgauge.history.database import PATIENCE, PerThread, Reader, Row, Writer, statements

__all__ = ["Sqlite"]

_HEADER = b"SQLite format 3\0"
_PAGE = 8192
"""Bytes of a page: a column of 10,000 numbers is on ten, and a single number is found by passing those before it."""


class Sqlite(PerThread):
    """A file."""

    def __init__(self, path: Path, *, read_only: bool = False) -> None:
        super().__init__()
        self.path, self.read_only = path.absolute(), read_only
        self.place = str(path)

    def connected(self) -> sqlite3.Connection:
        with self._meaning():
            self._refuse_other_files()
            mode = "ro" if self.read_only else "rwc"
            c = sqlite3.connect(
                f"{self.path.as_uri()}?mode={mode}",
                uri=True,
                timeout=PATIENCE,
                isolation_level=None,
                check_same_thread=False,  # whoever closes the history closes the connections of all its threads
            )
            try:
                c.execute("PRAGMA foreign_keys = ON")
                if not self.read_only:
                    c.execute(f"PRAGMA page_size = {_PAGE}")  # of a new file
                    _patiently(c, "PRAGMA journal_mode = WAL")
                    c.execute("PRAGMA synchronous = FULL")  # what was added is there after a power cut as well
            except BaseException:
                c.close()
                raise
            return c

    def _refuse_other_files(self) -> None:
        try:
            if not stat.S_ISREG(mode := self.path.stat().st_mode) and not stat.S_ISDIR(mode):
                raise self._no_store()  # a pipe: who opens it waits for ever
            with self.path.open("rb") as file:
                head = file.read(len(_HEADER))
        except FileNotFoundError:
            if self.read_only:
                raise InputError(
                    Text(
                        f"history: there is no store {show(self.place)}. `rankgauge … --store FILE` makes one.",
                        f"历史：没有存储 {show(self.place)}。`rankgauge … --store FILE` 会新建。",
                    )
                ) from None
            return
        except OSError:
            return  # SQLite says what it is
        if head and head != _HEADER:
            raise self._no_store()

    def _no_store(self) -> InputError:
        return InputError(
            Text(
                f"history: {show(self.place)} is no store of rankgauge. Name another file; one that does not exist is "
                "made.",
                f"历史：{show(self.place)} 不是 rankgauge 的存储。请换一个文件；不存在的会新建。",
            )
        )

    def rows(self, sql: str, values: Sequence[Any] = ()) -> list[Row]:
        with self._meaning():
            return _Transaction(self.connection()).rows(sql, values)

    @contextmanager
    def reading(self) -> Iterator[Reader]:
        with self._transaction("BEGIN") as t:
            yield t

    @contextmanager
    def writing(self, *, alone: bool = False) -> Iterator[Writer]:
        with self._transaction("BEGIN IMMEDIATE") as t:  # one writes at a time
            yield t

    @contextmanager
    def _transaction(self, begin: str) -> Iterator[_Transaction]:
        with self._meaning():
            c = self.connection()
            c.execute(begin)
            try:
                yield _Transaction(c)
                c.execute("COMMIT")
            except BaseException:
                with suppress(sqlite3.Error):
                    c.execute("ROLLBACK")
                raise

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
        except UnicodeDecodeError as e:  # what it says of a table that it cannot read
            raise InputError(_why("SQLITE_CORRUPT", self.place, "")) from e

    def script(self, sql: str) -> list[str]:
        return statements(sql)

    def has_schema(self) -> bool:
        tables = {row[0] for row in self.rows("SELECT name FROM sqlite_master WHERE type = 'table'")}
        if tables and "rankgauge_schema" not in tables:
            raise self._no_store()  # somebody else's file
        return bool(tables)

    def copied(self, version: int) -> None:
        target = self.path.with_name(f"{self.path.name}.schema-{version}")
        if not target.exists():
            with self._meaning():
                self.connection().execute("VACUUM INTO ?", (str(target),))

    def pieces(self, path: str, wanted: Sequence[tuple[str, int]]) -> list[bytes]:
        with self.reading() as r:
            found: dict[str, int] = dict(r.rows("SELECT entry, rowid FROM numbers WHERE path = ?", (path,)))
            out, c = [], self.connection()
            for entry, offset in wanted:
                if entry not in found:
                    out.append(b"")
                    continue
                # a blob is opened where it lies: the pages behind the number are not read
                with c.blobopen("numbers", "data", found[entry], readonly=True) as blob:
                    blob.seek(min(offset, len(blob)))
                    out.append(blob.read(8) or b"-")  # a column that ends before: no number, and not nothing
            return out

    def damage(self) -> list[str]:
        found = [str(row[0]) for row in self.rows("PRAGMA integrity_check")]
        return [] if found == ["ok"] else found

    def size(self) -> int:
        files = (self.path.with_name(self.path.name + end) for end in ("", "-wal"))
        return sum(f.stat().st_size for f in files if f.exists())

    def compact(self) -> None:
        with self._meaning():
            c = self.connection()
            c.execute("VACUUM")
            c.execute("PRAGMA wal_checkpoint(TRUNCATE)")


class _Transaction:
    def __init__(self, c: sqlite3.Connection) -> None:
        self._c = c

    def rows(self, sql: str, values: Sequence[Any] = ()) -> list[Row]:
        found: list[Row] = self._c.execute(sql, values).fetchall()
        return found

    def execute(self, sql: str, values: Sequence[Any] = ()) -> int:
        return self._c.execute(sql, values).rowcount

    def executemany(self, sql: str, rows: Iterable[Sequence[Any]]) -> None:
        self._c.executemany(sql, rows)


def _patiently(c: sqlite3.Connection, sql: str) -> None:
    """For statements that do not wait on their own: the first who open a new file all want to say what it is."""
    until = time.monotonic() + PATIENCE
    while True:
        try:
            c.execute(sql)
            return
        except sqlite3.OperationalError as e:
            if not e.sqlite_errorname.startswith("SQLITE_BUSY") or time.monotonic() > until:
                raise
            time.sleep(0.01)


_WHY = {
    "SQLITE_BUSY": Text(
        f"somebody else has been writing to it for {PATIENCE} seconds. Try again.",
        f"其他进程已持续写入 {PATIENCE} 秒。请再试一次。",
    ),
    "SQLITE_FULL": Text(
        "the disk is full. What was being written is not in it; what was there before is.",
        "磁盘已满。正在写入的内容没有存入，之前的内容都在。",
    ),
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
