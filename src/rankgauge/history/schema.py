"""The tables of a history, and how those of an older version become those of this one: numbered steps, forward only."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import resources

from rankgauge._show import show
from rankgauge._text import Text
from rankgauge.errors import InputError
from rankgauge.history.database import Database
from rankgauge.history.moments import time_of, time_text

__all__ = ["migrated", "steps"]

_TABLE = "CREATE TABLE IF NOT EXISTS rankgauge_schema (version INTEGER PRIMARY KEY, at TEXT NOT NULL)"


def migrated(db: Database, *, read_only: bool = False, known: Mapping[int, str] | None = None) -> int:
    """Brings a store to the newest schema, one numbered step after the other; the version it has now.

    All steps are one transaction: a store is of the old schema or of the new one. A file is copied first.
    """
    known = steps() if known is None else known
    newest = max(known)
    version = _version(db)
    if version > newest:
        raise InputError(
            Text(
                f"history: {show(db.place)} was written by a newer rankgauge (schema {version}, and this version knows "
                f"up to {newest}). Update rankgauge.",
                f"历史：{show(db.place)} 由更新版本的 rankgauge 写入（schema {version}，本版本最多支持 {newest}）。"
                "请升级 rankgauge。",
            )
        )
    if version == newest:
        return version
    if read_only:
        raise InputError(
            Text(
                f"history: {show(db.place)} has the schema {version} of an older rankgauge (or none), and may only be "
                "read. Open it once for writing.",
                f"历史：{show(db.place)} 是旧版本 rankgauge 的 schema {version}（或没有），而现在只读。"
                "请先以可写方式打开一次。",
            )
        )
    if version:
        db.copied(version)
    with db.writing(alone=True) as w:
        w.execute(_TABLE)
        done = w.rows("SELECT max(version) FROM rankgauge_schema")[0][0] or 0  # another process may have been quicker
        for number in range(done + 1, newest + 1):
            for statement in db.script(known[number]):
                w.execute(statement)
            w.execute("INSERT INTO rankgauge_schema (version, at) VALUES (?, ?)", (number, time_text(time_of(None))))
    return newest


def _version(db: Database) -> int:
    return int(db.rows("SELECT max(version) FROM rankgauge_schema")[0][0] or 0) if db.has_schema() else 0


def steps() -> dict[int, str]:
    """The scripts of this version by number."""
    folder = resources.files("rankgauge.history") / "migrations"
    return {int(f.name[:4]): f.read_text(encoding="utf-8") for f in folder.iterdir() if f.name.endswith(".sql")}
