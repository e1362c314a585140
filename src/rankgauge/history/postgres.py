"""A history on a server of PostgreSQL, through psycopg."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from rankgauge._show import show
from rankgauge._text import Text
from rankgauge.errors import InputError, MissingExtra, ParameterError
from rankgauge.history.database import PerThread, Reader, Row, Writer, statements, without_password

__all__ = ["Postgres"]

_LOCK = 0x72616E6B  # a number of ours among the locks of the database
_AT_ONCE = 500


class Postgres(PerThread):
    """A server."""

    def __init__(self, url: str, *, read_only: bool = False) -> None:
        super().__init__()
        self.url, self.read_only = url, read_only
        self.place = without_password(url)

    def connected(self) -> Any:
        psycopg = _psycopg()
        try:
            psycopg.conninfo.conninfo_to_dict(self.url)
        except psycopg.Error:  # its words repeat what was written, password and all
            place = show(self.place)
            raise ParameterError(
                Text(
                    "history: the address of a PostgreSQL server must look like postgresql://user:password@host/name, "
                    f"with %XX for what is special in it, got {place} (the password is not shown).",
                    "历史：PostgreSQL 服务器的地址应写作 postgresql://user:password@host/name，其中的特殊字符写作 "
                    f"%XX，实际为 {place}（不显示密码）。",
                )
            ) from None
        with self._meaning():
            c = psycopg.connect(self.url, autocommit=True, connect_timeout=10)
            if self.read_only:
                c.execute("SET default_transaction_read_only = on")
            return c

    def rows(self, sql: str, values: Sequence[Any] = ()) -> list[Row]:
        with self._meaning():
            return _Transaction(self.connection()).rows(sql, values)

    @contextmanager
    def reading(self) -> Iterator[Reader]:
        with self._transaction() as t:
            t.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
            yield t

    @contextmanager
    def writing(self, *, alone: bool = False) -> Iterator[Writer]:
        with self._transaction() as t:
            # many write side by side; who deletes, or changes tables, waits until none does
            t.rows(f"SELECT pg_advisory_xact_lock{'' if alone else '_shared'}(?)", (_LOCK,))
            yield t

    @contextmanager
    def _transaction(self) -> Iterator[_Transaction]:
        with self._meaning():
            c = self.connection()
            with c.transaction():
                yield _Transaction(c)

    @contextmanager
    def _meaning(self) -> Iterator[None]:
        psycopg = _psycopg()
        try:
            yield
        except psycopg.Error as e:
            self.forget()  # it may be what failed: the next call makes a new one
            said = " ".join(str(e).split()).rstrip(".")
            raise InputError(
                Text(f"history: {show(self.place)}: {said}.", f"历史：{show(self.place)}：{said}。")
            ) from e

    def script(self, sql: str) -> list[str]:
        made = [s.replace(" BLOB", " BYTEA") for s in statements(sql)]
        # numbers do not shrink, and a piece of a column that is kept as it is can be read alone
        outside = "ALTER TABLE numbers ALTER COLUMN data SET STORAGE EXTERNAL"
        return [*made, *([outside] if any("CREATE TABLE numbers" in s for s in made) else [])]

    def has_schema(self) -> bool:
        return self.rows("SELECT to_regclass('rankgauge_schema') IS NOT NULL")[0][0] is True

    def copied(self, version: int) -> None:
        """A server has backups of its own."""

    def pieces(self, path: str, wanted: Sequence[tuple[str, int]]) -> list[bytes]:
        found: dict[str, bytes] = {}
        for start in range(0, len(wanted), _AT_ONCE):
            some = wanted[start : start + _AT_ONCE]
            asked = ", ".join(["(?, ?)"] * len(some))
            found |= {
                entry: bytes(data)
                for entry, data in self.rows(
                    "SELECT numbers.entry, substr(data, asked.start, 8) FROM numbers JOIN "
                    f"(VALUES {asked}) AS asked (entry, start) ON numbers.entry = asked.entry WHERE path = ?",
                    [*(x for entry, offset in some for x in (entry, offset + 1)), path],
                )
            }
        return [found.get(entry, b"") for entry, _ in wanted]

    def damage(self) -> list[str]:
        """A server looks after its own pages."""
        return []

    def size(self) -> int:
        return int(self.rows("SELECT pg_database_size(current_database())")[0][0])

    def compact(self) -> None:
        with self._meaning():
            self.connection().execute("VACUUM")


class _Transaction:
    def __init__(self, c: Any) -> None:
        self._c = c

    def rows(self, sql: str, values: Sequence[Any] = ()) -> list[Row]:
        return list(self._c.execute(_marked(sql), values).fetchall())

    def execute(self, sql: str, values: Sequence[Any] = ()) -> int:
        return int(self._c.execute(_marked(sql), values).rowcount)

    def executemany(self, sql: str, rows: Iterable[Sequence[Any]]) -> None:
        if many := list(rows):
            with self._c.cursor() as cursor:
                cursor.executemany(_marked(sql), many)


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
