"""One entry into the tables: all rows of it, in the transaction of whoever calls."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from math import isnan
from typing import Any

from rankgauge.history.database import Writer
from rankgauge.history.entry import Event, Summary
from rankgauge.history.given import DIGITS, About
from rankgauge.history.heads import packed_head
from rankgauge.history.moments import time_text
from rankgauge.history.packing import Packed, digest_of, packed_text, storable
from rankgauge.history.summaries import contract_of

__all__ = ["ENTRY", "MANY", "NAMES", "key_of", "write_body", "write_entry", "write_event"]

NAMES = ("at", "project", "system", "version", "dataset")
ENTRY = "id, at, project, system, version, dataset, kind, schema, state, labels, contract, pruned, queries"
MANY = 500
"""Ids in one statement."""


def key_of(packed: Packed, about: About) -> str:
    """The id of an entry: of its content, its time and what it is of, so that the same is one entry."""
    return digest_of(packed.digest, about.labels_text, *(getattr(about, name) for name in NAMES))[:DIGITS]


def write_entry(
    w: Writer,
    key: str,
    about: About,
    told: Mapping[str, Any],
    packed: Packed,
    summaries: Sequence[Summary],
    heads: Mapping[str, Sequence[Sequence[Any]]],
    *,
    state: str,
    pruned: str = "",
) -> bool:
    """Writes an entry; False where it is there already."""
    contract = json.dumps(contract_of(told), sort_keys=True)
    row = [key, *(getattr(about, name) for name in NAMES), told["kind"], told["schema"], state]
    row += [about.labels_text, contract, pruned]
    if not w.execute(
        f"INSERT INTO entry ({ENTRY}, body) VALUES ({', '.join('?' * 14)}) ON CONFLICT DO NOTHING",
        (*row, packed.queries, packed_text(packed.text)),
    ):
        return False
    _write_columns(w, key, packed)
    w.executemany(
        "INSERT INTO label (entry, name, value) VALUES (?, ?, ?)",
        [(key, name, value) for name, value in about.labels.items()],
    )
    w.executemany(
        "INSERT INTO summary (entry, place, measure, definition, attribute, part, value, low, high, error, n) "
        "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
        [_summary_row(key, place, s) for place, s in enumerate(summaries)],
    )
    w.executemany(
        "INSERT INTO head (entry, query, data) VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
        [(key, storable(q), packed_head(head)) for q, head in heads.items()],
    )
    return True


def write_event(w: Writer, e: Event) -> None:
    """Writes an event; the same is written once."""
    w.execute(
        "INSERT INTO event (id, at, project, entry, kind, who, text, data) VALUES (?, ?, ?, ?, ?, ?, ?, ?) "
        "ON CONFLICT DO NOTHING",
        (e.id, time_text(e.at), e.project, e.entry, e.kind, e.who, e.text, json.dumps(dict(e.data), sort_keys=True)),
    )


def write_body(w: Writer, key: str, packed: Packed, pruned: str) -> None:
    """What is left of an entry in the place of what it was."""
    for table in ("numbers", "head", "list_use"):
        w.execute(f"DELETE FROM {table} WHERE entry = ?", (key,))
    w.execute(
        "UPDATE entry SET body = ?, queries = ?, pruned = ? WHERE id = ?",
        (packed_text(packed.text), packed.queries, pruned, key),
    )
    _write_columns(w, key, packed)


def _write_columns(w: Writer, key: str, packed: Packed) -> None:
    digests = sorted(packed.id_lists)  # in one order, so that two who write never wait for each other
    known: set[str] = set()
    for start in range(0, len(digests), MANY):
        some = digests[start : start + MANY]
        asked = f"SELECT digest FROM id_list WHERE digest IN ({', '.join('?' * len(some))})"
        known |= {row[0] for row in w.rows(asked, some)}
    new = {d: packed.id_lists[d] for d in digests if d not in known}
    w.executemany(
        "INSERT INTO id_list (digest, n, data) VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
        [(d, len(json.loads(text)), packed_text(text)) for d, text in new.items()],
    )
    w.executemany("INSERT INTO list_use (entry, digest) VALUES (?, ?)", [(key, d) for d in digests])
    w.executemany(
        "INSERT INTO numbers (entry, path, type, n, data) VALUES (?, ?, ?, ?, ?)",
        [(key, path, x.type, x.n, x.data) for path, x in packed.numbers.items()],
    )


def _summary_row(key: str, place: int, s: Summary) -> tuple[Any, ...]:
    texts = (storable(x) for x in (s.measure, s.definition, s.attribute, s.part))
    four = (None if isnan(x) else float(x) for x in (s.value, s.low, s.high, s.error))
    return (key, place, *texts, *four, s.n)
