"""Lines: lost, repeated, cut, joined, strange."""

from __future__ import annotations

import random

from fuzzer.files import encoded
from fuzzer.meanings import Given
from fuzzer.tables import Table

from .looks import text_form
from .registry import Place, mutates, written

STRANGE = (
    *(
        "garbage",
        "q1",
        "q1 0",
        "q1 0 d01",
        "q1 0 d01 1 2 3 4",
        "q1,d01",
        "q1,d01,0.5,extra",
        ",,,",
        "\t\t\t",
        "{}",
        "[]",
    ),
    *("[1, 2]", '"q1"', "null", "{", '{"query_id": "q1"}', "# comment", "#", "-", "=", "<html>", "x" * 5000, "\x00"),
    *("q1 Q0 d99 1 nan tag", "q1 Q0 d99 1 inf tag", "q1 0 d99 one", "q1 Q0 d99 1 0,5 tag", "q9 Q0 d99 1 1e999 tag"),
)


@mutates("file", "lines")
def _lost(rng: random.Random, table: Table, place: Place) -> Given:
    form, lines = _lines(rng, table)
    for _ in range(rng.choice([1, 1, 3])):
        del lines[rng.randrange(len(lines))]
    return written(place, form, b"".join(lines), table)


@mutates("file", "lines")
def _first_lost(rng: random.Random, table: Table, place: Place) -> Given:
    form, lines = _lines(rng, table)
    return written(place, form, b"".join(lines[1:]), table)


@mutates("file", "lines")
def _repeated(rng: random.Random, table: Table, place: Place) -> Given:
    form, lines = _lines(rng, table)
    lines.insert(rng.randrange(len(lines)), rng.choice(lines))
    return written(place, form, b"".join(lines), table)


@mutates("file", "lines")
def _cut_off(rng: random.Random, table: Table, place: Place) -> Given:
    form, lines = _lines(rng, table)
    at = rng.randrange(len(lines))
    lines[at] = lines[at][: rng.randrange(len(lines[at]))] + rng.choice([b"", b"\n"])
    return written(place, form, b"".join(lines), table)


@mutates("file", "lines")
def _joined(rng: random.Random, table: Table, place: Place) -> Given:
    form, lines = _lines(rng, table)
    at = rng.randrange(len(lines) - 1)
    lines[at] = lines[at].rstrip(b"\n") + rng.choice([b"", b" ", b"\r"])
    return written(place, form, b"".join(lines), table)


@mutates("file", "lines")
def _strange(rng: random.Random, table: Table, place: Place) -> Given:
    form, lines = _lines(rng, table)
    lines.insert(rng.randint(0, len(lines)), rng.choice(STRANGE).encode() + b"\n")
    return written(place, form, b"".join(lines), table)


@mutates("file", "lines")
def _twice_the_file(rng: random.Random, table: Table, place: Place) -> Given:
    form, lines = _lines(rng, table)
    return written(place, form, b"".join(lines) * 2, table)


@mutates("file", "lines")
def _of_another_form(rng: random.Random, table: Table, place: Place) -> Given:
    form, lines = _lines(rng, table)
    _, others = _lines(rng, table)
    lines.insert(rng.randint(0, len(lines)), rng.choice(others))
    return written(place, form, b"".join(lines), table)


def _lines(rng: random.Random, table: Table) -> tuple[str, list[bytes]]:
    form = text_form(rng, table, lines=True)
    return form, encoded(table, form).splitlines(keepends=True)
