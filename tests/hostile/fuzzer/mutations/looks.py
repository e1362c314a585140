"""The same table in another look: the numbers must not change."""

from __future__ import annotations

import csv
import io
import json
import os
import random

from fuzzer.files import LINES, PACKINGS, SUFFIX, encoded, forms_of, packed
from fuzzer.meanings import SAME, Given, Meaning, Meant
from fuzzer.tables import ALIASES, FURTHER, Table

from .registry import Place, mutates, written


def text_form(rng: random.Random, table: Table, *, lines: bool = False) -> str:
    """One of the formats that are text; or in which a line is a row."""
    usable = [f for f in forms_of(table.kind) if f in LINES or (not lines and f.startswith("json"))]
    return rng.choice(usable)


@mutates("file", "look")
def _form(rng: random.Random, table: Table, place: Place) -> Given:
    form = rng.choice(forms_of(table.kind))
    return written(place, form, encoded(table, form), table, SAME)


@mutates("file", "look")
def _crlf(rng: random.Random, table: Table, place: Place) -> Given:
    form = text_form(rng, table)
    return written(place, form, encoded(table, form).replace(b"\n", b"\r\n"), table, SAME)


@mutates("file", "look")
def _byte_order_mark(rng: random.Random, table: Table, place: Place) -> Given:
    form = text_form(rng, table)
    return written(place, form, b"\xef\xbb\xbf" + encoded(table, form), table, SAME)


@mutates("file", "look")
def _blank_lines(rng: random.Random, table: Table, place: Place) -> Given:
    form = text_form(rng, table, lines=True)
    lines = encoded(table, form).splitlines(keepends=True)
    for _ in range(rng.randint(1, 4)):
        lines.insert(rng.randint(1, len(lines)), b"\n")
    return written(place, form, b"".join(lines), table, SAME)


@mutates("file", "look")
def _no_last_line_end(rng: random.Random, table: Table, place: Place) -> Given:
    form = text_form(rng, table)
    return written(place, form, encoded(table, form).rstrip(b"\n"), table, SAME)


@mutates("file", "look")
def _blanks_at_the_end(rng: random.Random, table: Table, place: Place) -> Given:
    form = text_form(rng, table)
    return written(place, form, encoded(table, form) + b"\n" * rng.randint(1, 5), table, SAME)


@mutates("file", "look")
def _shuffled(rng: random.Random, table: Table, place: Place) -> Given:
    rows = list(table.rows)
    if table.kind not in ("predictions", "experiments"):  # listed, or split, in the order given
        rng.shuffle(rows)
    form = rng.choice(forms_of(table.kind))
    data = encoded(table.with_rows(rows), form)
    if form.startswith("trec"):  # each row with the rank that it has
        own = dict(zip(table.rows, encoded(table, form).splitlines(keepends=True), strict=True))
        data = b"".join(own[row] for row in rows)
    return written(place, form, data, table, SAME)


@mutates("file", "look")
def _comments(rng: random.Random, table: Table, place: Place) -> Given:
    if not table.is_lists:
        return _form(rng, table, place)
    lines = encoded(table, "trec").splitlines(keepends=True)
    for _ in range(rng.randint(1, 3)):
        lines.insert(rng.randint(0, len(lines)), "# 注释 q1 0 d01 3\n".encode())
    return written(place, "trec", b"".join(lines), table, SAME)


@mutates("file", "look")
def _wide_blanks(rng: random.Random, table: Table, place: Place) -> Given:
    if not table.is_lists:
        return _form(rng, table, place)
    data = encoded(table, "trec").replace(b" ", rng.choice([b"  ", b" \t", b"\t\t"]))
    return written(place, "trec", data.replace(b"\n", rng.choice([b" \n", b"\t\n", b"\n"])), table, SAME)


@mutates("file", "look")
def _columns_in_another_order(rng: random.Random, table: Table, place: Place) -> Given:
    if table.kind == "slices":  # slices are shown in the order of their columns
        return _form(rng, table, place)
    order = list(table.columns)
    rng.shuffle(order)
    return _with_header(rng, table, place, order, {})


@mutates("file", "look")
def _further_columns(rng: random.Random, table: Table, place: Place) -> Given:
    if table.kind == "slices":  # another attribute is another slice
        return _form(rng, table, place)
    order = list(table.columns)
    order.insert(rng.randint(0, len(order)), FURTHER)
    return _with_header(rng, table, place, order, {})


@mutates("file", "look")
def _other_names(rng: random.Random, table: Table, place: Place) -> Given:
    return _with_header(rng, table, place, list(table.columns), ALIASES.get(table.kind, {}))


@mutates("file", "look")
def _names_in_capitals(rng: random.Random, table: Table, place: Place) -> Given:
    names = {c: rng.choice([c.upper(), c.title(), c.replace("_", "-")]) for c in table.columns}
    if table.kind in ("log", "predictions", "classes", "slices"):  # a slice is called as its column is
        names = {c: n for c, n in names.items() if c not in ("device", "language", "intent", "prediction")}
    return _with_header(rng, table, place, list(table.columns), names)


@mutates("file", "look")
def _all_quoted(rng: random.Random, table: Table, place: Place) -> Given:
    out = io.StringIO()
    writer = csv.writer(out, quoting=csv.QUOTE_ALL, lineterminator="\n")
    writer.writerows([table.columns, *table.rows])
    return written(place, "csv", out.getvalue().encode(), table, SAME)


@mutates("file", "look")
def _other_spelling_of_numbers(rng: random.Random, table: Table, place: Place) -> Given:
    if table.kind not in ("run", "qrels", "predictions"):
        return _form(rng, table, place)
    spell = rng.choice([lambda x: f"{x:.6f}", lambda x: f"{x:.9e}", lambda x: f"{x:.4E}" if x == 0 else f"{x:.12E}"])
    at = 1 if table.kind == "predictions" else 2
    spelled = table.with_rows((*row[:at], spell(row[at]), *row[at + 1 :]) for row in table.rows)
    form = rng.choice([f for f in ("trec", "csv", "tsv") if f in forms_of(table.kind)])
    return written(place, form, encoded(spelled, form), table, SAME)


@mutates("file", "look")
def _compressed(rng: random.Random, table: Table, place: Place) -> Given:
    form, packing = text_form(rng, table), rng.choice(PACKINGS)
    data = encoded(table, form)
    if packing == "gz" and rng.random() < 0.3:  # members one after the other are one file
        half = len(data) // 2
        data = packed(data[:half], packing) + packed(data[half:], packing)
    else:
        data = packed(data, packing)
    suffix = SUFFIX[form] + rng.choice([f".{packing}", f".{packing}", ""])
    path = place.folder / f"{place.stem}{suffix}"
    path.write_bytes(data)
    return Given(path, SAME)


@mutates("file", "look")
def _another_suffix(rng: random.Random, table: Table, place: Place) -> Given:
    form = rng.choice(forms_of(table.kind))
    path = place.folder / f"{place.stem}{rng.choice(['.dat', '', '.run', '.unknown'])}"
    path.write_bytes(encoded(table, form))
    return Given(path, SAME)


@mutates("file", "look")
def _another_name(rng: random.Random, table: Table, place: Place) -> Given:
    form = rng.choice(forms_of(table.kind))
    folder = place.folder / rng.choice(["with blank", "文件夹", "a'b", "x;y", "#1"])
    folder.mkdir(exist_ok=True)
    path = folder / f"{place.stem}{SUFFIX[form]}"
    path.write_bytes(encoded(table, form))
    return Given(path, SAME)


@mutates("file", "look")
def _linked(rng: random.Random, table: Table, place: Place) -> Given:
    form = rng.choice(forms_of(table.kind))
    real = place.folder / f"real-{place.stem}"
    real.write_bytes(encoded(table, form))
    path = place.folder / f"{place.stem}{SUFFIX[form]}"
    os.symlink(real.name, path)
    return Given(path, SAME)


@mutates("file", "look")
def _json_over_lines(rng: random.Random, table: Table, place: Place) -> Given:
    if not table.is_lists:
        return _form(rng, table, place)
    content = rng.choice([table.nested(), table.records()])
    text = json.dumps(content, indent=rng.choice([0, 1, 4]), ensure_ascii=rng.random() < 0.5)
    form = "json-nested" if isinstance(content, dict) else "json-records"
    return written(place, form, text.encode(), table, SAME)


def _with_header(rng: random.Random, table: Table, place: Place, order: list[str], names: dict[str, str]) -> Given:
    form = rng.choice(["csv", "tsv", "jsonl"])
    records = [{names.get(c, c): record.get(c, "x") for c in order} for record in table.records()]
    if form == "jsonl":
        data = "".join(json.dumps(r, ensure_ascii=False) + "\n" for r in records)
    else:
        out = io.StringIO()
        writer = csv.writer(out, delimiter="," if form == "csv" else "\t", lineterminator="\n")
        writer.writerows([records[0], *(r.values() for r in records)])
        data = out.getvalue()
    return written(place, form, data.encode(), table, SAME)


# Forms that hold less, or are written for people


def _named_file(place: Place, suffix: str, text: str, meaning: Meaning) -> Given:
    path = place.folder / f"{place.stem}{suffix}"
    path.write_text(text, encoding="utf-8")
    return Given(path, meaning)


@mutates("file", "look")
def _python(rng: random.Random, table: Table, place: Place) -> Given:
    """A dict as Python prints it, under a name or not."""
    if not table.is_lists:
        return _form(rng, table, place)
    text = repr(table.nested())
    text = rng.choice([text, f"x = {text}\n", f"# pasted\nx: dict = {text[:-1]},}}\n", text.replace("}, ", "},\n    ")])
    return _named_file(place, rng.choice([".json", ".py", ".txt"]), text, SAME)


@mutates("file", "look")
def _queries_and_items_only(rng: random.Random, table: Table, place: Place) -> Given:
    """Judgements of two columns, or as `user item item …`: all of them are relevant."""
    if table.kind != "qrels":
        return _form(rng, table, place)
    meaning = Meant("meant", table.with_rows((q, d, 1) for q, d, _ in table.rows))
    nested = table.nested()
    if rng.random() < 0.5 and not any(c.isspace() for q, docs in nested.items() for c in "".join((q, *docs))):
        lines = "".join(" ".join((q, *docs)) + "\n" for q, docs in nested.items())
        return _named_file(place, ".lists", lines, meaning)
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n", delimiter=rng.choice(",\t"))
    writer.writerows([("query_id", "doc_id"), *((q, d) for q, d, _ in table.rows)])
    return _named_file(place, rng.choice([".csv", ".tsv"]), out.getvalue(), meaning)
