"""A history as a file that others read: JSONL with a record per line, or Parquet with columns as they are.

Both come back to the last bit, under the same ids. What is there already is left as it is.
"""

from __future__ import annotations

import io
import json
import lzma
import re
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from math import inf, isinf, isnan, nan
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

import numpy as np

from rankgauge._records import Record
from rankgauge._show import LIMIT, cut, show
from rankgauge._text import Text, zh
from rankgauge._unpacked import MAGIC, inner_suffix, unpacked
from rankgauge.errors import InputError, ParameterError, RankgaugeError, reason
from rankgauge.history.checking import differing
from rankgauge.history.database import Database
from rankgauge.history.entry import Entry, Event, Summary
from rankgauge.history.given import About, event_of, shown_lists
from rankgauge.history.moments import time_of, time_text
from rankgauge.history.packing import Numbers, pack, packed_text, unpack
from rankgauge.history.plain import event_told, lists_told
from rankgauge.history.summaries import state_of
from rankgauge.history.writing import key_of, write_entry, write_event

if TYPE_CHECKING:
    from rankgauge.history.history import History

__all__ = ["export", "read_export"]

_FORMAT = 1
_SUMMARY = ("measure", "definition", "attribute", "part", "value", "low", "high", "error", "n")
_ABOUT = ("project", "system", "version", "dataset", "kind", "schema", "state")


def export(history: History, path: Path, chosen: Mapping[str, Any]) -> int:
    """Writes entries and their events; how many entries."""
    form = _form(path)
    entries = history.entries(**chosen)
    ids, projects = {e.id for e in entries}, {e.project for e in entries}
    events = [e for e in history.events() if (e.entry in ids if e.entry else e.project in projects or not chosen)]
    if form == "parquet":
        _write_parquet(history, path, entries, events)
    else:
        from rankgauge.data.formats.write import atomic

        with atomic(path) as file:
            for line in _lines(history, entries, events):
                file.write(
                    (json.dumps(line, ensure_ascii=False, allow_nan=False) + "\n").encode("utf-8", "surrogatepass")
                )
    return len(entries)


def read_export(history: History, db: Database, path: Path) -> tuple[int, int]:
    """Adds what is in the file; how many entries are new, and how many were here."""
    new = known = 0
    for where, row in _read_parquet(path) if _form(path) == "parquet" else _read_lines(path):
        with _meant(where):
            what, told = row()
            if what == "event":
                _put_event(db, told)
            elif what == "entry":
                is_new = _put_entry(db, told)
                new, known = new + is_new, known + (not is_new)
    return new, known


@contextmanager
def _meant(where: str) -> Iterator[None]:
    """Whatever is wrong in one row is an error that says in which."""
    try:
        yield
    except RankgaugeError as e:
        raise e if e.text.startswith(where) else _damaged(where, e.text) from e
    except (LookupError, TypeError, ValueError, AttributeError, ArithmeticError, RecursionError) as e:
        raise _damaged(where, f"{type(e).__name__}: {e}") from e


def _form(path: Path) -> str:
    suffix = inner_suffix(path)
    if suffix in (".jsonl", ".ndjson"):
        return "jsonl"
    if suffix == ".parquet":
        return "parquet"
    raise ParameterError(
        Text(
            f"history: the file must end in .jsonl (also .jsonl.gz) or .parquet, got {show(path.name)}.",
            f"历史：文件后缀必须是 .jsonl（也可 .jsonl.gz）或 .parquet，实际为 {show(path.name)}。",
        )
    )


def _damaged(where: str, why: str) -> InputError:
    why = cut(why, LIMIT) if not isinstance(why, Text) else Text(why.en.rstrip("."), why.zh.rstrip("。"))
    return InputError(
        Text(
            f"{where} is not what `export` wrote ({why}). Export it again.",
            f"{zh(where)} 不是 `export` 写出的内容（{zh(why)}）。请重新导出。",
        )
    )


_Row = tuple[str, Callable[[], tuple[str, dict[str, Any]]]]
"""Where something stands, and what: entry or event, with its fields."""

# plain rows


def _entry_row(history: History, e: Entry) -> dict[str, Any]:
    return {
        "id": e.id,
        "at": time_text(e.at),
        **{name: getattr(e, name) for name in _ABOUT},
        "labels": dict(e.labels),
        "pruned": history._pruned_at(e.id) if e.is_pruned else "",
        "summaries": [[_said(getattr(s, name)) for name in _SUMMARY] for s in e.summaries],
        "lists": lists_told(history.lists(e.id)),
    }


def _event_row(e: Event) -> dict[str, Any]:
    return event_told(e) | {"at": time_text(e.at)}


def _said(x: Any) -> Any:
    """NaN is nothing; infinite numbers are words."""
    if not isinstance(x, float) or (not isnan(x) and not isinf(x)):
        return x
    return None if isnan(x) else "inf" if x > 0 else "-inf"


def _meant_by(x: Any) -> float:
    return nan if x is None else {"inf": inf, "-inf": -inf}[x] if isinstance(x, str) else float(x)


def _put_entry(db: Database, row: Mapping[str, Any]) -> bool:
    """What follows from the record is taken from it; numbers of a pruned one are believed, where nothing is left."""
    told, pruned = row["record"], row["pruned"]
    about = About.of(row["at"], **{name: row[name] for name in ("project", "system", "version", "dataset", "labels")})
    packed, record = pack(told), Record.from_dict(told)
    if (time_text(time_of(pruned)) if pruned else "") != pruned:
        raise ValueError(f"pruned: {show(pruned)}")
    if re.fullmatch("[0-9a-f]{16}", row["id"]) is None or (not pruned and key_of(packed, about) != row["id"]):
        raise _other()
    summaries = [
        Summary(m, definition, _meant_by(value), _meant_by(low), _meant_by(high), _meant_by(error), n, attribute, part)
        for m, definition, attribute, part, value, low, high, error, n in row["summaries"]
    ]
    if wrong := differing(summaries, record, told, is_pruned=bool(pruned)):
        raise InputError(wrong)
    lists, state = shown_lists(row["lists"]), state_of(record)
    with db.writing() as w:
        return write_entry(w, row["id"], about, told, packed, summaries, lists, state=state, pruned=pruned)


def _other() -> InputError:
    return InputError(Text("its content is not that of its id", "内容与 id 不符"))


def _put_event(db: Database, row: Mapping[str, Any]) -> None:
    made = event_of(row["kind"], **{name: row[name] for name in ("text", "entry", "project", "who", "at", "data")})
    if made.id != row["id"]:
        raise _other()
    with db.writing() as w:
        write_event(w, made)


# JSONL


def _lines(history: History, entries: Iterable[Entry], events: Iterable[Event]) -> Iterator[dict[str, Any]]:
    for e in entries:
        yield {"rankgauge_history": _FORMAT, "entry": {**_entry_row(history, e), "record": history.told(e.id)}}
    for event in events:
        yield {"rankgauge_history": _FORMAT, "event": _event_row(event)}


def _read_lines(path: Path) -> Iterator[_Row]:
    with _content(path) as file:
        for number, line in enumerate(file, 1):
            where = Text(f"{show(str(path))}, line {number:,}", f"{show(str(path))} 第 {number:,} 行")
            if line.strip():
                yield where, partial(_line, where, line)


def _line(where: str, line: bytes) -> tuple[str, dict[str, Any]]:
    told = json.loads(line.decode("utf-8", "surrogatepass"))
    _refuse_format(where, told["rankgauge_history"])
    what = "entry" if "entry" in told else "event"
    return what, told[what]


def _content(path: Path) -> IO[bytes]:
    """The bytes of a file, unpacked where it is compressed."""
    with _reading(path), path.open("rb") as file:
        head = file.read(8)
    compression = next((name for magic, name in MAGIC.items() if head.startswith(magic)), "")
    if not compression:
        return path.open("rb")
    try:
        return io.BytesIO(unpacked(path.read_bytes(), compression, show(str(path))))
    except (EOFError, OSError, zlib.error, lzma.LZMAError) as e:
        raise _damaged(show(str(path)), str(e)) from e


@contextmanager
def _reading(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as e:
        why = reason(e)
        raise InputError(
            Text(f"history: cannot read {show(str(path))}: {why.en}.", f"历史：无法读取 {show(str(path))}：{why.zh}。")
        ) from e


def _refuse_format(where: str, number: object) -> None:
    if number != _FORMAT:
        raise InputError(
            Text(
                f"{where} was written by a newer rankgauge (format {number}, and this version knows {_FORMAT}). Update "
                "rankgauge.",
                f"{zh(where)} 由更新版本的 rankgauge 写出（格式 {number}，本版本支持 {_FORMAT}）。请升级 rankgauge。",
            )
        )


# Parquet


def _write_parquet(history: History, path: Path, entries: Iterable[Entry], events: Iterable[Event]) -> None:
    """A row per entry, list of ids and event; columns of numbers as lists of numbers, which any tool can look into."""
    import polars as pl

    from rankgauge.data.formats.write import atomic

    rows: list[dict[str, Any]] = []
    used: dict[str, str] = {}
    for e in entries:
        packed = pack(history.told(e.id))
        used |= packed.id_lists
        row = _entry_row(history, e)
        rows.append(
            {
                "what": "entry",
                **{name: row[name] for name in ("id", "at", *_ABOUT, "pruned")},
                "labels": json.dumps(row["labels"], ensure_ascii=False),
                "summaries": [
                    dict(zip(_SUMMARY, (getattr(s, name) for name in _SUMMARY), strict=True)) for s in e.summaries
                ],
                "lists": json.dumps(row["lists"]),
                "body": packed.text,
                "numbers": [
                    {
                        "path": place,
                        "floats": np.frombuffer(x.data, x.type) if x.type == "<f8" else None,
                        "ints": np.frombuffer(x.data, x.type) if x.type != "<f8" else None,
                    }
                    for place, x in sorted(packed.numbers.items())
                ],
            }
        )
    rows += [{"what": "ids", "id": digest, "body": text} for digest, text in sorted(used.items())]
    for event in events:
        told = _event_row(event)
        rows.append({"what": "event", **told, "data": json.dumps(told["data"])})
    texts = ["what", "id", "at", "project", "system", "version", "dataset", "kind", "state", "pruned", "labels"]
    texts += ["lists", "body", "entry", "who", "text", "data"]
    numbers = pl.Struct({"path": pl.String, "floats": pl.List(pl.Float64), "ints": pl.List(pl.Int64)})
    summary = pl.Struct(
        {name: pl.Int64 if name == "n" else pl.Float64 if i >= 4 else pl.String for i, name in enumerate(_SUMMARY)}
    )
    schema: dict[str, Any] = {
        **dict.fromkeys(texts, pl.String),
        "schema": pl.Int64,
        "summaries": pl.List(summary),
        "numbers": pl.List(numbers),
        "rankgauge_history": pl.Int64,
    }
    frame = pl.DataFrame(
        [{**dict.fromkeys(schema), "rankgauge_history": _FORMAT, **row} for row in rows], schema=schema
    )
    with atomic(path) as file:
        frame.write_parquet(file)


def _read_parquet(path: Path) -> Iterator[_Row]:
    import polars as pl

    try:
        with _reading(path), path.open("rb") as file:
            frame = pl.read_parquet(file)
        ids = {row["id"]: row["body"] for row in frame.filter(what="ids").select("id", "body").to_dicts()}
    except (pl.exceptions.PolarsError, OSError) as e:
        raise _damaged(show(str(path)), str(e).partition("\n")[0]) from e
    for number, row in enumerate(frame.iter_rows(named=True), 1):
        where = Text(f"{show(str(path))}, row {number:,}", f"{show(str(path))} 第 {number:,} 行")
        yield where, partial(_row, where, row, ids)


def _row(where: str, row: dict[str, Any], ids: Mapping[str, str]) -> tuple[str, dict[str, Any]]:
    _refuse_format(where, row["rankgauge_history"])
    if row["what"] == "event":
        return "event", {**row, "data": json.loads(row["data"])}
    if row["what"] == "entry":
        return "entry", _unpacked(row, ids)
    return row["what"], row


def _unpacked(row: dict[str, Any], ids: Mapping[str, str]) -> dict[str, Any]:
    columns = {}
    for column in row["numbers"]:
        kind, values = ("<f8", column["floats"]) if column["ints"] is None else ("<i8", column["ints"])
        made = np.array(values, dtype=kind)
        columns[column["path"]] = Numbers(kind, len(made), made.tobytes())
    told = unpack(packed_text(row["body"]), columns.__getitem__, lambda digest: packed_text(ids[digest]))
    return {
        **row,
        "record": told,
        "labels": json.loads(row["labels"]),
        "lists": json.loads(row["lists"]),
        "summaries": [[s[name] for name in _SUMMARY] for s in row["summaries"]],
    }
