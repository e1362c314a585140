"""Bytes: flipped, lost, put in, cut off."""

from __future__ import annotations

import random
from dataclasses import replace

from fuzzer.files import encoded, forms_of
from fuzzer.meanings import CLEAN, OPEN, Given, Meaning
from fuzzer.tables import Table

from .registry import Place, mutates, written


def _spoilt(rng: random.Random, table: Table, place: Place, how: str) -> Given:
    form = rng.choice(forms_of(table.kind))
    data = spoil(rng, encoded(table, form), how)
    given = written(place, form, data, table)
    return replace(given, meaning=cut_meaning(data, form, how) or OPEN) if given.meaning == OPEN else given


def cut_meaning(data: bytes, form: str, how: str) -> Meaning | None:
    """Of a table that is cut off behind its last separator, nobody can tell that there was more."""
    if how != "cut" or form not in ("csv", "tsv") or b"\n" not in data:
        return None
    separator = b"," if form == "csv" else b"\t"
    first, *_, last = data.split(b"\n")
    return CLEAN if last.count(separator) in (0, first.count(separator)) and b'"' not in last else None


def spoil(rng: random.Random, data: bytes, how: str) -> bytes:
    """The bytes with one thing done to them, at a random place."""
    at = rng.randrange(len(data))
    length = rng.choice([1, 1, 2, 5, 40])
    if how == "flip":
        return data[:at] + bytes([data[at] ^ (1 << rng.randrange(8))]) + data[at + 1 :]
    if how == "drop":
        return data[:at] + data[at + length :]
    if how == "insert":
        return data[:at] + rng.choice(INSERTS) + data[at:]
    if how == "repeat":
        return data[: at + length] + data[at : at + length] + data[at + length :]
    if how == "cut":
        return data[:at]
    if how == "zero":
        return data[:at] + b"\0" * min(length, len(data) - at) + data[at + length :]
    if how == "noise":
        return data[:at] + rng.randbytes(min(length, len(data) - at)) + data[at + length :]
    raise AssertionError(how)


INSERTS = (
    *(b"\0", b"\xff", b"\xef\xbb\xbf", b"\x1b[31m", b"\r", b"\n", b"\t", b" ", b'"', b"'", b",", b";", b"#", b"\\"),
    *("\u00a0".encode(), "\u3000".encode(), "\u200b".encode(), "\u202e".encode(), "\x85".encode(), "\u2028".encode()),
    *(b"\xed\xa0\x80", b"-", b"+", b"e9", b"0", b"_", b"{", b"}", b"[", b"]", b":", b"=1+1", b"null", b"NaN", b"\x0b"),
)


@mutates("file", "bytes")
def _flip(rng: random.Random, table: Table, place: Place) -> Given:
    return _spoilt(rng, table, place, "flip")


@mutates("file", "bytes")
def _drop(rng: random.Random, table: Table, place: Place) -> Given:
    return _spoilt(rng, table, place, "drop")


@mutates("file", "bytes")
def _insert(rng: random.Random, table: Table, place: Place) -> Given:
    return _spoilt(rng, table, place, "insert")


@mutates("file", "bytes")
def _repeat(rng: random.Random, table: Table, place: Place) -> Given:
    return _spoilt(rng, table, place, "repeat")


@mutates("file", "bytes")
def _cut(rng: random.Random, table: Table, place: Place) -> Given:
    return _spoilt(rng, table, place, "cut")


@mutates("file", "bytes")
def _zero(rng: random.Random, table: Table, place: Place) -> Given:
    return _spoilt(rng, table, place, "zero")


@mutates("file", "bytes")
def _noise(rng: random.Random, table: Table, place: Place) -> Given:
    return _spoilt(rng, table, place, "noise")


@mutates("file", "bytes")
def _nothing_but(rng: random.Random, table: Table, place: Place) -> Given:
    form = rng.choice(forms_of(table.kind))
    only = rng.choice(
        [b"", b"\n", b" ", b"\0", b"{}", b"[]", b"null", b"PAR1", b"\x1f\x8b", b"{", b'"', b"\xef\xbb\xbf"]
    )
    return written(place, form, only * rng.choice([1, 1, 3]), table)
