"""Fields: emptied, of another type, one too many, one too few."""

from __future__ import annotations

import csv
import io
import json
import random
from typing import Any

from fuzzer.files import encoded, forms_of
from fuzzer.meanings import Given
from fuzzer.tables import IDS, Table

from .registry import Place, mutates, written

TEXTS = (
    *("", " ", "nan", "NaN", "inf", "-inf", "1e999", "-1e999", "1e-400", "null", "None", "NA", "N/A", "-", "--", "?"),
    *("0x10", "1_000", "1,5", "1.5.2", "１", "٣", "½", "²", "1e5", "-0", "+1", ".5", "5.", "1e", "true", "True", "yes"),
    *("0.5 ", " 0.5", "0.5\t", "9" * 400, "1" + "0" * 30, "-1", "1e308", "5e-324", "12:30", "2024-01-01", "01/02/2020"),
    *(
        "=1+1",
        "@x",
        '"',
        '""',
        "'",
        "a\nb",
        "a\rb",
        "a,b",
        "a;b",
        "\x1b[2J",
        "\u200b",
        "\u3000",
        "e\u0301",
        "😀",
        "\ufeff",
    ),
    *("<script>", "../../etc/passwd", "x" * 3000),
)
VALUES: tuple[Any, ...] = (
    *(None, True, False, 0, -1, 1.5, 1e308, 5e-324, 10**30, -0.0, "", "x", "0.5", "nan", [], {}, [1], {"a": 1}, [[]]),
    *(["d01", "d02"], {"d01": 1}, "１", 2**63, 10**400),
)


@mutates("file", "fields")
def _strange_text(rng: random.Random, table: Table, place: Place) -> Given:
    """Another text in one field, or in a whole column."""
    form = rng.choice([f for f in ("trec", "trec-tabs", "csv", "tsv") if f in forms_of(table.kind)])
    text, column = rng.choice(TEXTS), rng.randrange(len(table.columns))
    rows = [list(row) for row in table.rows]
    for row in rng.sample(rows, rng.choice([1, 1, 2, len(rows)])):
        row[column] = text
    return written(place, form, encoded(table.with_rows(rows), form), table)


@mutates("file", "fields")
def _strange_value(rng: random.Random, table: Table, place: Place) -> Given:
    """Another JSON value in one field, or in a whole column."""
    form = rng.choice(
        [f for f in ("jsonl", "jsonl-queries", "json-records", "json-nested") if f in forms_of(table.kind)]
    )
    nested = form in ("jsonl-queries", "json-nested")
    value, column = rng.choice(VALUES), 2 if nested else rng.randrange(len(table.columns))
    rows = [list(row) for row in table.rows]
    for row in rng.sample(rows, rng.choice([1, 1, 2, len(rows)])):
        row[column] = value
    return written(place, form, encoded(table.with_rows(rows), form), table)


@mutates("file", "fields")
def _strange_entry(rng: random.Random, table: Table, place: Place) -> Given:
    """Another JSON value instead of a row, of a query, of everything."""
    if not table.is_lists:
        records: list[Any] = list(table.records())
        records[rng.randrange(len(records))] = rng.choice(VALUES)
        data = "".join(json.dumps(r, ensure_ascii=False) + "\n" for r in records)
        return written(place, "jsonl", data.encode(), table)
    nested: Any = table.nested()
    if rng.random() < 0.8:
        nested[rng.choice(list(nested))] = rng.choice(VALUES)
    else:
        nested = rng.choice(VALUES)
    return written(place, "json-nested", json.dumps(nested, ensure_ascii=False).encode(), table)


@mutates("file", "fields")
def _too_many_or_few(rng: random.Random, table: Table, place: Place) -> Given:
    form = rng.choice(["csv", "tsv"])
    rows = [list(table.columns), *(list(row) for row in table.rows)]
    for row in rng.sample(rows, rng.choice([1, 1, 2])):
        if rng.random() < 0.5:
            del row[rng.randrange(len(row))]
        else:
            row.insert(rng.randint(0, len(row)), rng.choice(["", "x", "0.5"]))
    out = io.StringIO()
    csv.writer(out, delimiter="," if form == "csv" else "\t", lineterminator="\n").writerows(rows)
    return written(place, form, out.getvalue().encode(), table)


@mutates("file", "fields")
def _lost_key(rng: random.Random, table: Table, place: Place) -> Given:
    records = table.records()
    for record in rng.sample(records, rng.choice([1, 1, len(records)])):
        del record[rng.choice(list(record))]
    data = "".join(json.dumps(r, ensure_ascii=False) + "\n" for r in records)
    return written(place, "jsonl", data.encode(), table)


@mutates("file", "fields")
def _swapped(rng: random.Random, table: Table, place: Place) -> Given:
    form = rng.choice(forms_of(table.kind))
    if form in ("parquet", "arrow"):
        form = "csv"
    rows = [list(row) for row in table.rows]
    i, j = rng.sample(range(len(table.columns)), 2)
    if "nested" in form or "queries" in form:
        i, j = 0, 1
    for row in rng.sample(rows, rng.choice([1, len(rows)])):
        row[i], row[j] = row[j], row[i]
    return written(place, form, encoded(table.with_rows(rows), form), table)


@mutates("file", "fields")
def _strange_header(rng: random.Random, table: Table, place: Place) -> Given:
    form = rng.choice(["csv", "tsv"])
    data = encoded(table, form)
    header, rest = data.split(b"\n", 1)
    separator = b"," if form == "csv" else b"\t"
    names = header.split(separator)
    names[rng.randrange(len(names))] = rng.choice(
        [b"", b" ", names[0], b"x", b"distance", b'"', b"\x1b[31m", "得分".encode(), b"1", b"score ", b"#query_id"]
    )
    return written(place, form, separator.join(names) + b"\n" + rest, table)


@mutates("file", "fields")
def _other_values(rng: random.Random, table: Table, place: Place) -> Given:
    """Valid rows that are others: what they mean is plain, and the answer must be theirs."""
    form = rng.choice(forms_of(table.kind))
    rows = [list(row) for row in table.rows]
    for row in rng.sample(rows, rng.randint(1, 4)):
        at = rng.randrange(len(row))
        if table.columns[at] in IDS | {"time"} or isinstance(row[at], str):
            row[at] = rng.choice(rows)[at]
        elif isinstance(row[at], int):
            row[at] = rng.choice([0, 1, 2]) if table.columns[at] != "label" else rng.choice([0, 1])
        else:
            row[at] = round(rng.random(), 3)
    if table.is_lists and len({(r[0], r[1]) for r in rows}) < len(rows) and "json" in form:
        form = "csv"  # an object cannot hold a key twice
    return written(place, form, encoded(table.with_rows(rows), form), table)
