"""Compressed files that are damaged, cut, or packed in unusual ways."""

from __future__ import annotations

import io
import random
import tarfile
import zipfile
from dataclasses import replace

from fuzzer.files import PACKINGS, SUFFIX, encoded, packed
from fuzzer.meanings import OPEN, SAME_OR_ERROR, Given, Meaning
from fuzzer.naive import read, unpacked
from fuzzer.tables import Table

from .looks import text_form
from .raw import cut_meaning, spoil
from .registry import Place, by_meaning, mutates


@mutates("file", "archives")
def _spoilt(rng: random.Random, table: Table, place: Place) -> Given:
    form, packing = text_form(rng, table), rng.choice(PACKINGS)
    how = rng.choice(["flip", "drop", "insert", "cut", "zero", "noise"])
    return _archive(place, form, packing, spoil(rng, packed(encoded(table, form), packing), how), table)


@mutates("file", "archives")
def _cut_short(rng: random.Random, table: Table, place: Place) -> Given:
    form, packing = text_form(rng, table), rng.choice(PACKINGS)
    data = packed(encoded(table, form), packing)
    return _archive(place, form, packing, data[: -rng.choice([1, 4, 8, 20])], table)


@mutates("file", "archives")
def _more_behind(rng: random.Random, table: Table, place: Place) -> Given:
    form, packing = text_form(rng, table), rng.choice(PACKINGS)
    data = packed(encoded(table, form), packing) + rng.choice([b"\0" * 8, b"garbage", b"\n"])
    return _archive(place, form, packing, data, table, SAME_OR_ERROR)


@mutates("file", "archives")
def _packed_twice(rng: random.Random, table: Table, place: Place) -> Given:
    form = text_form(rng, table)
    inner, outer = rng.choice(PACKINGS), rng.choice(PACKINGS)
    data = packed(packed(encoded(table, form), inner), outer)
    return _archive(place, form, outer, data, table, SAME_OR_ERROR)


@mutates("file", "archives")
def _nothing_inside(rng: random.Random, table: Table, place: Place) -> Given:
    form, packing = text_form(rng, table), rng.choice(PACKINGS)
    return _archive(place, form, packing, packed(rng.choice([b"", b"\n\n", b" "]), packing), table, OPEN)


@mutates("file", "archives")
def _spoilt_inside(rng: random.Random, table: Table, place: Place) -> Given:
    form, packing = text_form(rng, table), rng.choice(PACKINGS)
    how = rng.choice(["flip", "drop", "insert", "cut"])
    data = spoil(rng, encoded(table, form), how)
    given = _archive(place, form, packing, packed(data, packing), table)
    return replace(given, meaning=cut_meaning(data, form, how) or OPEN) if given.meaning == OPEN else given


@mutates("file", "archives")
def _container(rng: random.Random, table: Table, place: Place) -> Given:
    """A zip or tar archive is no table; whoever reads it reads what is in it."""
    form = text_form(rng, table)
    data, name, out = encoded(table, form), f"{place.stem}{SUFFIX[form]}", io.BytesIO()
    kind = rng.choice(["zip", "tar", "tar.gz"])
    if kind == "zip":
        with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr(name, data)
    else:
        with tarfile.open(fileobj=out, mode="w:gz" if kind == "tar.gz" else "w") as tar:
            entry = tarfile.TarInfo(name)
            entry.size = len(data)
            tar.addfile(entry, io.BytesIO(data))
    path = place.folder / f"{place.stem}.{kind}"
    path.write_bytes(out.getvalue())
    return Given(path, SAME_OR_ERROR)


def _archive(place: Place, form: str, packing: str, data: bytes, table: Table, meaning: Meaning | None = None) -> Given:
    path = place.folder / f"{place.stem}{SUFFIX[form]}.{packing}"
    path.write_bytes(data)
    return Given(path, meaning or by_meaning(table, lambda: read(unpacked(data, packing), form, table.kind)))
