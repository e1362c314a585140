"""Ratings as Quepid exports them: CSV, or the JSON of ratings and of whole cases.

    query,docid,rating                                                a query without ratings is a line with its text
    {"queries": [{"query": "laptop", "ratings": {"1229": 3}}, …]}     `query_text` where a case was exported

A query is called by its text. What was not rated is not judged, and a note counts it; nothing becomes 0.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping
from math import isfinite
from typing import Any

import polars as pl

from rankgauge._show import show, show_all
from rankgauge._text import Text, zh
from rankgauge.data._places import in_line, in_record, within
from rankgauge.data.formats.base import Format, Loaded, Options, register
from rankgauge.data.formats.json import decode
from rankgauge.data.formats.lines import is_number
from rankgauge.data.formats.opening import Source
from rankgauge.errors import InputError

__all__ = ["FORMAT", "matches", "read"]

_HEADER = ("query", "docid", "rating")


def matches(source: Source) -> bool:
    """The header of its CSV, or JSON with queries and their ratings."""
    if source.path.is_dir() or source.names:  # whoever says what columns are reads a plain table
        return False
    if source.head.lstrip()[:1] == b"{":
        return b'"queries"' in source.head and b'"ratings"' in source.head
    first = (source.first_lines(1) or [""])[0]
    return tuple(name.strip().strip('"').lower() for name in first.split(",")) == _HEADER


def read(source: Source, options: Options) -> Loaded:
    """The ratings that there are."""
    rows: list[tuple[str, str, float]] = []
    bare: dict[str, None] = {}  # queries without a rating so far
    unrated, problems = 0, []
    for place, query, doc, rating in _json(source) if source.head.lstrip()[:1] == b"{" else _csv(source):
        if not isinstance(query, str) or not query.strip():
            problems.append(
                Text(
                    f"{place}: a query must be a text, got {show(query)}.",
                    f"{zh(place)}：query 必须是文本，实际为 {show(query)}。",
                )
            )
        elif doc is None:
            bare.setdefault(query)
        elif rating is None or rating == "":
            bare.setdefault(query)
            unrated += 1
        elif isinstance(rating, bool) or not is_number(str(rating).strip()):
            problems.append(
                Text(
                    f"{place}: rating must be a number, got {show(rating)}.",
                    f"{zh(place)}：rating 必须是数字，实际为 {show(rating)}。",
                )
            )
        elif not isfinite(grade := float(str(rating))):  # by its digits: a whole number may be beyond all floats
            problems.append(
                Text(
                    f"{place}: rating must be a finite number, got {show(rating)}.",
                    f"{zh(place)}：rating 必须是有限的数字，实际为 {show(rating)}。",
                )
            )
        else:
            rows.append((query, str(doc), grade))
    if problems:
        raise InputError.collect(within(source.where), problems)
    if not rows:
        raise source.error(Text("holds no ratings.", "中没有任何评分。"))
    frame = pl.DataFrame(rows, schema={"query_id": pl.String, "doc_id": pl.String, "grade": pl.Float64}, orient="row")
    rated = {query for query, _, _ in rows}
    return Loaded(frame, FORMAT.name, tuple(_notes([q for q in bare if q not in rated], unrated)))


def _csv(source: Source) -> Iterator[tuple[str, Any, Any, Any]]:
    lines = csv.reader(io.StringIO(source.text(), newline=""), strict=True)
    try:
        next(lines)
        for fields in lines:
            place = in_line(lines.line_num)
            if not any(field.strip() for field in fields):
                continue
            if len(fields) > len(_HEADER):
                raise source.error(
                    Text(
                        f"{place}: expected query, docid and rating, found {len(fields)} fields.",
                        f"{place.zh}：应有 query、docid、rating 三个字段，实际有 {len(fields)} 个。",
                    )
                )
            query, doc, rating = (*fields, "", "")[:3]
            yield place, query, doc.strip() or None, rating.strip()
    except csv.Error as e:
        place = in_line(lines.line_num)
        raise source.error(Text(f"{place}: not valid CSV: {e}.", f"{place.zh}：不是有效的 CSV：{e}。")) from e


def _json(source: Source) -> Iterator[tuple[str, Any, Any, Any]]:
    value = decode(source)
    queries = value.get("queries") if isinstance(value, Mapping) else None
    if not isinstance(queries, list):
        raise source.error(Text("must have a list of 'queries'.", "必须有 'queries' 列表。"))
    for i, entry in enumerate(queries, 1):
        place = in_record(i)
        if not isinstance(entry, Mapping):
            raise InputError(within(source.where) + Text(f"{place}: must be an object.", f"{place.zh}：必须是对象。"))
        query = entry.get("query", entry.get("query_text"))
        ratings = entry.get("ratings") or {}
        yield place, query, None, None
        try:
            yield from ((place, query, doc, rating) for doc, rating in _pairs(ratings))
        except (AttributeError, TypeError):
            said = Text(
                f"{place}: ratings must be documents with their ratings, got {show(ratings)}.",
                f"{place.zh}：ratings 必须是文档及其评分，实际为 {show(ratings)}。",
            )
            raise InputError(within(source.where) + said) from None


def _pairs(ratings: Any) -> Iterator[tuple[Any, Any]]:
    """Documents and their ratings; older exports have a list of both."""
    pairs = ratings.items() if isinstance(ratings, Mapping) else ((r.get("doc_id"), r.get("rating")) for r in ratings)
    for doc, rating in pairs:
        if doc is None:
            raise TypeError("a rating of nothing")
        yield doc, rating


def _notes(bare: list[str], unrated: int) -> Iterator[Text]:
    if bare:
        n, some = len(bare), show_all(bare[:3]) + (", …" if len(bare) > 3 else "")
        yield Text(
            f"queries without any rating, so without a row: {n:,} ({some})",
            f"{n:,} 个查询没有任何评分，因而没有对应的行（{zh(some)}）",
        )
    if unrated:
        yield Text(
            f"documents without a rating, which are not judged: {unrated:,}", f"{unrated:,} 个文档没有评分，视为未标注"
        )


FORMAT = Format("quepid", (), matches, read, kinds=("qrels",), order=6, is_particular=True)
register(FORMAT)
