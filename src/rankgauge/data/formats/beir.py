"""BEIR folders: `corpus.jsonl`, `queries.jsonl`, and judgements in `qrels/<split>.tsv`.

The judgements are tab separated with the header `query-id corpus-id score`, where score is the grade.
A folder gives its `test` split; name the file (`folder/qrels/dev.tsv`) for another.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import polars as pl

from rankgauge._piped import path_of
from rankgauge._show import show, show_all
from rankgauge._text import Text
from rankgauge.data._cast import Column, from_objects
from rankgauge.data.columns import fold
from rankgauge.data.formats import table
from rankgauge.data.formats.base import Format, Loaded, Options
from rankgauge.data.formats.jsonl import decode_lines
from rankgauge.data.formats.opening import Source, open_source
from rankgauge.errors import InputError

__all__ = ["FORMAT", "matches", "read", "read_queries"]

_SPLITS = ("test", "dev", "train")
_ID = ("id", "queryid", "qid")


def matches(source: Source) -> bool:
    """A folder that holds `qrels/` with a split, or the queries of one."""
    return source.path.is_dir() and (bool(_splits(source.path)) or (source.path / "queries.jsonl").is_file())


def read(source: Source, options: Options) -> Loaded:
    """The judgements of a folder: test, else dev, else train, else the only file there is."""
    if not source.path.is_dir():
        return table.TSV.read(source, options)
    if source.kind == "run":
        raise source.error("is a BEIR folder: it holds queries and qrels but no run.")
    splits = _splits(source.path)
    if not splits:
        raise source.error("is a BEIR folder without qrels/*.tsv.")
    chosen = next((s for s in _SPLITS if s in splits), None)
    if chosen is None and len(splits) > 1:
        raise source.error(f"has several qrels files ({', '.join(sorted(splits))}); name one of them.")
    chosen = chosen or next(iter(splits))
    inner = table.TSV.read(open_source(splits[chosen], "qrels"), options)
    others = sorted(set(splits) - {chosen})
    name, more = splits[chosen].name, ", ".join(others)
    note = Text(
        f"read qrels/{name}" + (f"; there are also {more}" if others else ""),
        f"读取 qrels/{name}" + (f"；另有 {more}" if others else ""),
    )
    return Loaded(inner.frame, FORMAT.name, (note, *inner.notes))


def read_queries(path: str | Path) -> pl.DataFrame:
    """Queries with what is known about them: `query_id`, `text`, then every further scalar field.

    Takes `queries.jsonl` or the folder around it. Fields inside `metadata` become columns of their own; lists
    and objects are left out. A field that a query does not have is null.
    """
    path = path_of(path)
    if path.is_dir():
        path = next((p for p in sorted(path.glob("queries.jsonl*"))), path / "queries.jsonl")
    source = open_source(path, "qrels")
    where = f"queries {show(path.name)}"
    records, lines = decode_lines(source, where)
    rows = [_flat(r) for r in records]
    names = list(dict.fromkeys(name for row in rows for name in row))
    id_name = next((n for n in names if fold(n) in _ID), None)
    if id_name is None:
        raise InputError(f"{where}: every line needs '_id'. Found: {show_all(names) or 'nothing'}.")
    column = from_objects(id_name, [row.get(id_name) for row in rows])
    ids = Column(column, "query_id", where, lambda row: f"line {lines(row)}", []).ids()
    if not ids.is_unique().all():
        twice = ids.filter(~ids.is_unique()).unique(maintain_order=True).to_list()
        raise InputError.collect(f"{where}: ", [f"query {show(q)} appears more than once." for q in twice])
    rest = [n for n in names if n not in (id_name, "query_id")]
    rest.sort(key=lambda n: n != "text")
    return pl.DataFrame([ids.alias("query_id"), *(from_objects(n, [row.get(n) for row in rows]) for n in rest)])


def _flat(record: dict[str, Any]) -> dict[str, Any]:
    metadata = record.get("metadata")
    fields = {**metadata, **record} if isinstance(metadata, dict) else record
    return {k: v for k, v in fields.items() if v is None or isinstance(v, str | int | float | bool)}


def _splits(folder: Path) -> dict[str, Path]:
    files = [p for p in (folder / "qrels").glob("*.tsv*") if p.is_file()]
    return {p.name.partition(".")[0]: p for p in sorted(files)}


FORMAT = Format("beir", (), matches, read, kinds=("run", "qrels"))
