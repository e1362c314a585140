"""Tables as files of every format."""

from __future__ import annotations

import bz2
import csv
import gzip
import io
import json
import lzma
from pathlib import Path
from typing import Any

from .tables import Table

__all__ = ["BINARY", "LINES", "PACKINGS", "SUFFIX", "canonical_file", "encoded", "forms_of", "packed"]

SUFFIX = {
    "trec": ".txt",
    "trec-tabs": ".txt",
    "csv": ".csv",
    "tsv": ".tsv",
    "jsonl": ".jsonl",
    "jsonl-queries": ".jsonl",
    "json-records": ".json",
    "json-nested": ".json",
    "parquet": ".parquet",
    "arrow": ".arrow",
}
BINARY = {"parquet", "arrow"}
LINES = {"trec", "trec-tabs", "csv", "tsv", "jsonl", "jsonl-queries"}
"""Forms in which a line is a row."""

PACKINGS = ("gz", "bz2", "xz", "zst")


def forms_of(kind: str) -> list[str]:
    """The formats that a kind of table is read from."""
    if kind in ("run", "qrels"):
        return list(SUFFIX)
    if kind in ("documents", "texts", "slices"):
        return ["csv", "tsv", "jsonl", "parquet"]
    return ["csv", "tsv", "jsonl", "parquet", "arrow"] if kind == "predictions" else ["csv", "tsv", "jsonl", "parquet"]


def encoded(table: Table, form: str) -> bytes:
    """The table in a format."""
    if form in BINARY:
        return _columnar(table, form)
    return {
        "trec": lambda: _trec(table, " "),
        "trec-tabs": lambda: _trec(table, "\t"),
        "csv": lambda: _csv(table, ","),
        "tsv": lambda: _csv(table, "\t"),
        "jsonl": lambda: "".join(_json(r) + "\n" for r in table.records()),
        "jsonl-queries": lambda: _query_lines(table),
        "json-records": lambda: _json(table.records()),
        "json-nested": lambda: _json(table.nested()),
    }[form]().encode()


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def _trec(table: Table, separator: str) -> str:
    lines = []
    for rank, (query, doc, value) in enumerate(table.rows, 1):
        fields = [query, "Q0", doc, rank, value, "tag"] if table.kind == "run" else [query, 0, doc, _short(value)]
        lines.append(separator.join(map(str, fields)) + "\n")
    return "".join(lines)


def _short(value: Any) -> Any:
    return int(value) if isinstance(value, float) and value.is_integer() else value


def _csv(table: Table, separator: str) -> str:
    out = io.StringIO()
    writer = csv.writer(out, delimiter=separator, lineterminator="\n")
    writer.writerow(table.columns)
    writer.writerows(table.rows)
    return out.getvalue()


def _query_lines(table: Table) -> str:
    lines: list[dict[str, Any]] = []
    for query, docs in table.nested().items():
        if table.kind == "run":
            lines.append({"query_id": query, "results": [{"doc_id": d, "score": s} for d, s in docs.items()]})
        else:
            lines.append({"query_id": query, "relevant": docs})
    return "".join(_json(line) + "\n" for line in lines)


def _columnar(table: Table, form: str) -> bytes:
    import polars as pl

    out = io.BytesIO()
    frame = pl.DataFrame(table.series())
    if form == "parquet":
        frame.write_parquet(out)
    else:
        frame.write_ipc(out)
    return out.getvalue()


def packed(data: bytes, packing: str) -> bytes:
    """Compressed."""
    if packing == "zst":
        import pyarrow as pa

        out: bytes = pa.compress(data, codec="zstd", asbytes=True)
        return out
    return {"gz": gzip.compress, "bz2": bz2.compress, "xz": lzma.compress}[packing](data)


def canonical_file(table: Table, folder: Path, stem: str, form: str = "") -> Path:
    """The plainest file of a table: what mutated ones are compared with."""
    plain = all(c.isprintable() and not c.isspace() for row in table.rows for cell in row for c in str(cell))
    plain = plain and not any(str(row[0]).startswith("#") for row in table.rows)  # a comment, to TREC
    usual = ("trec" if plain else "jsonl") if table.is_lists else "csv"
    form = form or usual
    path = folder / f"{stem}{SUFFIX[form]}"
    path.write_bytes(encoded(table, form))
    return path
