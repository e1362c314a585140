"""Text in other encodings: read as what it is, or refused."""

from __future__ import annotations

import random
import unicodedata

from fuzzer.files import encoded
from fuzzer.meanings import SAME_OR_ERROR, Given
from fuzzer.tables import Table

from .looks import text_form
from .registry import Place, mutates, written

ENCODINGS = ("utf-16", "utf-16-le", "utf-16-be", "utf-32", "gb18030", "big5", "shift_jis", "utf-7", "cp037")


@mutates("file", "encodings")
def _encoding(rng: random.Random, table: Table, place: Place) -> Given:
    """Every letter is there, in bytes that are not UTF-8."""
    form = text_form(rng, table)
    encoding = rng.choice(ENCODINGS)
    data = encoded(table, form).decode().encode(encoding, errors="replace")
    if encoding in ("big5", "shift_jis", "utf-7"):  # plain letters are the same bytes as in UTF-8
        return written(place, form, data, table)
    return written(place, form, data, table, None if encoding == "gb18030" else SAME_OR_ERROR)


@mutates("file", "encodings")
def _mixed(rng: random.Random, table: Table, place: Place) -> Given:
    form = text_form(rng, table, lines=True)
    lines = encoded(table, form).splitlines(keepends=True)
    at = rng.randrange(len(lines))
    lines[at] = lines[at].decode().encode(rng.choice(["gb18030", "utf-16-le", "latin-1"]), errors="replace")
    return written(place, form, b"".join(lines), table)


@mutates("file", "encodings")
def _two_marks(rng: random.Random, table: Table, place: Place) -> Given:
    form = text_form(rng, table)
    return written(place, form, b"\xef\xbb\xbf" * 2 + encoded(table, form), table)


@mutates("file", "encodings")
def _decomposed(rng: random.Random, table: Table, place: Place) -> Given:
    """Ids in another Unicode form are other ids."""
    form = text_form(rng, table, lines=True)
    text = encoded(table, form).decode().replace("d01", "é01")
    return written(place, form, unicodedata.normalize(rng.choice(["NFC", "NFD"]), text).encode(), table)


@mutates("file", "encodings")
def _cut_letter(rng: random.Random, table: Table, place: Place) -> Given:
    form = text_form(rng, table)
    data = encoded(table, form)
    inside = [i for i, byte in enumerate(data) if 0x80 <= byte < 0xC0]
    if not inside:
        return written(place, form, data, table)
    at = rng.choice(inside)
    return written(place, form, data[:at] + data[at + 1 :], table)
