"""TREC lines out: bit-exact scores, ranks from 1, whole grades without a decimal point."""

from __future__ import annotations

from typing import BinaryIO

import polars as pl

from rankgauge._show import show
from rankgauge._text import Text
from rankgauge.data.columns import Kind
from rankgauge.data.formats.lines import BLANK
from rankgauge.errors import InputError

__all__ = ["write"]


def write(frame: pl.DataFrame, file: BinaryIO, kind: Kind, tag: str) -> None:
    """Write canonical columns. Scores keep every bit; ids that hold white space cannot be written."""
    for name in ("query_id", "doc_id"):
        column = frame.get_column(name)
        bad = column.str.contains(BLANK) | (column == "")
        if name == "query_id":
            bad = bad | column.str.starts_with("#")
        if bad.any():
            texts = [f"{name} {show(v)}." for v in column.filter(bad).unique(maintain_order=True).to_list()]
            raise InputError.collect(
                Text(
                    "TREC lines cannot hold ids with white space (or queries that start with '#'): ",
                    "TREC 的行中，id 不能含空白字符（查询也不能以 '#' 开头）：",
                ),
                texts,
                Text("Write .csv, .jsonl or .parquet instead.", "请改写为 .csv、.jsonl 或 .parquet。"),
            )
    out = _run_lines(frame, tag) if kind == "run" else _qrels_lines(frame)
    out.write_csv(file, include_header=False, separator=" ", quote_style="never")


def _run_lines(frame: pl.DataFrame, tag: str) -> pl.DataFrame:
    if not tag or any(c.isspace() for c in tag):
        raise InputError(
            Text(
                f"the tag of a TREC run must be one word, got {show(tag)}.",
                f"TREC run 的 tag 必须是一个词，实际为 {show(tag)}。",
            )
        )
    ordered = (
        frame.with_row_index("row")
        .with_columns(first=pl.col("row").min().over("query_id"))
        .sort("first", pl.col("score").is_nan(), -pl.col("score"), maintain_order=True)
    )
    return ordered.select(
        "query_id",
        pl.lit("Q0").alias("q0"),
        "doc_id",
        pl.int_range(1, pl.len() + 1).over("query_id").alias("rank"),
        "score",
        pl.lit(tag).alias("tag"),
    )


def _qrels_lines(frame: pl.DataFrame) -> pl.DataFrame:
    grade = pl.col("grade")
    if frame.get_column("grade").round(0).equals(frame.get_column("grade")):
        grade = grade.cast(pl.Int64)
    else:  # shortest text that reads back to the same number; whole grades without `.0`
        grade = grade.cast(pl.String).str.replace(r"\.0$", "")
    has = "iteration" in frame.columns
    iteration = pl.col("iteration").fill_null("0") if has else pl.lit("0").alias("iteration")
    return frame.select("query_id", iteration, "doc_id", grade)
