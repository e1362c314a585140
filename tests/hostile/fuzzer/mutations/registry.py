"""A mutation: its name, what it can be done to, and a function that does it."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fuzzer.files import SUFFIX
from fuzzer.meanings import CLEAN, OPEN, SAME_OR_ERROR, Further, Given, Meaning, Meant, Open
from fuzzer.naive import read
from fuzzer.tables import Table

__all__ = ["MUTATIONS", "Mutation", "Place", "by_meaning", "mutates", "mutations_of", "written"]


@dataclass(frozen=True)
class Place:
    """Where a slot's file goes."""

    folder: Path
    stem: str


Mutate = Callable[[random.Random, Any, Place], Given]


@dataclass(frozen=True)
class Mutation:
    kind: str  # bytes, lines, fields, …: how failures are summed up
    name: str
    of: str  # what it is done to: "file" (a table on disk), "object" (a table in Python), "json", "toml"
    mutate: Mutate

    def __str__(self) -> str:
        return f"{self.kind}.{self.name}"


MUTATIONS: dict[str, Mutation] = {}


def mutates(of: str, kind: str) -> Callable[[Mutate], Mutate]:
    """Registers a function under its name."""

    def add(function: Mutate) -> Mutate:
        mutation = Mutation(kind, function.__name__.strip("_"), of, function)
        assert str(mutation) not in MUTATIONS, mutation
        MUTATIONS[str(mutation)] = mutation
        return function

    return add


def mutations_of(of: str) -> list[Mutation]:
    return [m for m in MUTATIONS.values() if m.of == of]


def by_meaning(table: Table, reading: Callable[[], Table]) -> Meaning:
    """What the naive reading of mutated content finds."""
    try:
        found = reading()
    except Open:
        return OPEN
    except Further:
        return CLEAN
    return SAME_OR_ERROR if _same(found, table) else Meant("meant", found)


def _same(a: Table, b: Table) -> bool:
    if a.is_lists:
        return a.nested() == b.nested()
    return [tuple(map(str, row)) for row in a.rows] == [tuple(map(str, row)) for row in b.rows]


def written(place: Place, form: str, data: bytes, table: Table, meaning: Meaning | None = None) -> Given:
    """A file with this content, which means what the naive reading of it finds, unless said."""
    path = place.folder / f"{place.stem}{SUFFIX[form]}"
    path.write_bytes(data)
    return Given(path, meaning or by_meaning(table, lambda: read(data, form, table.kind)))
