"""Folders of parts: all of it is read, or what was left out is named."""

from __future__ import annotations

import random
from pathlib import Path

from fuzzer.files import SUFFIX, encoded
from fuzzer.meanings import LEFT_OUT, OPEN, SAME, SAME_OR_ERROR, Given
from fuzzer.naive import read
from fuzzer.tables import Table

from .raw import spoil
from .registry import Place, by_meaning, mutates

FOLDERS = ("run", "qrels", "predictions", "log")
"""What is read from folders; other tables are single files."""


def _parts(rng: random.Random, table: Table, place: Place, form: str, *, by_query: bool = True) -> list[Path]:
    """Rows in two to four files; those of a query stay together where lists are read in pieces."""
    folder = place.folder / place.stem
    folder.mkdir()
    n = rng.randint(2, 4)
    keys = list(dict.fromkeys(row[0] for row in table.rows))
    parts = []
    for i in range(n):
        if table.is_lists and by_query:
            rows = [row for row in table.rows if keys.index(row[0]) % n == i]
        else:
            size = -(-len(table.rows) // n)
            rows = list(table.rows[i * size : (i + 1) * size])
        if rows:
            part = folder / f"{place.stem}-{i}{SUFFIX[form]}"
            part.write_bytes(encoded(table.with_rows(rows), form))
            parts.append(part)
    return parts


def _form(rng: random.Random, table: Table) -> str:
    return rng.choice(["csv", "parquet", "jsonl", *(["trec"] if table.is_lists else [])])


@mutates("folder", "folders")
def _parts_of_one_table(rng: random.Random, table: Table, place: Place) -> Given:
    return Given(_parts(rng, table, place, _form(rng, table))[0].parent, SAME)


@mutates("folder", "folders")
def _pattern(rng: random.Random, table: Table, place: Place) -> Given:
    form = _form(rng, table)
    folder = _parts(rng, table, place, form)[0].parent
    return Given(folder / f"{place.stem}*{SUFFIX[form]}", SAME if table.kind != "log" else SAME_OR_ERROR)


@mutates("folder", "folders")
def _hidden_files_beside(rng: random.Random, table: Table, place: Place) -> Given:
    folder = _parts(rng, table, place, _form(rng, table))[0].parent
    (folder / rng.choice(["_SUCCESS", ".part-0.crc", "_metadata", ".hidden.csv"])).write_bytes(
        rng.choice([b"", b"junk"])
    )
    return Given(folder, SAME)


@mutates("folder", "folders")
def _empty_folder(rng: random.Random, table: Table, place: Place) -> Given:
    folder = place.folder / place.stem
    folder.mkdir()
    if rng.random() < 0.5:
        (folder / "inner").mkdir()
    return Given(folder, OPEN)


@mutates("folder", "folders")
def _another_file_beside(rng: random.Random, table: Table, place: Place) -> Given:
    """A file of another form in the folder is read, refused or named."""
    form = _form(rng, table)
    folder = _parts(rng, table, place, form)[0].parent
    other = rng.choice([f for f in ("csv", "parquet", "jsonl") if f != form])
    more = table.with_rows([("q1", "d77", *row[2:]) if table.is_lists else row for row in table.rows[:3]])
    content = rng.choice([encoded(more, other), b"read me\n", b"", b"\0\1\2"])
    suffix = (
        SUFFIX[other] if content not in (b"read me\n", b"", b"\0\1\2") else rng.choice([".txt", ".md", SUFFIX[form]])
    )
    (folder / f"zz{suffix}").write_bytes(content)
    return Given(folder, LEFT_OUT)


@mutates("folder", "folders")
def _spoilt_part(rng: random.Random, table: Table, place: Place) -> Given:
    form = _form(rng, table)
    parts = _parts(rng, table, place, form)
    part = rng.choice(parts)
    part.write_bytes(spoil(rng, part.read_bytes(), rng.choice(["flip", "drop", "insert", "cut", "zero"])))

    def reading() -> Table:
        found = [read(p.read_bytes(), form, table.kind) for p in parts]
        rows = [row for t in found for row in t.rows]
        return read(encoded(table.with_rows(rows), "csv"), "csv", table.kind)

    return Given(part.parent, by_meaning(table, reading))


@mutates("folder", "folders")
def _lost_part(rng: random.Random, table: Table, place: Place) -> Given:
    parts = _parts(rng, table, place, form := _form(rng, table))
    if len(parts) > 1:
        rng.choice(parts).unlink()
    left = [p for p in parts if p.exists()]

    def reading() -> Table:
        return table.with_rows(row for p in left for row in read(p.read_bytes(), form, table.kind).rows)

    return Given(left[0].parent, by_meaning(table, reading))


@mutates("folder", "folders")
def _part_below(rng: random.Random, table: Table, place: Place) -> Given:
    parts = _parts(rng, table, place, _form(rng, table))
    below = parts[0].parent / "day=1"
    below.mkdir()
    rng.choice(parts).rename(below / f"part-9{parts[0].suffix}")
    return Given(parts[0].parent, SAME_OR_ERROR)
