"""Judgements under headings (subtopics of a query, groups of assessors) as an alignment of their own.

A measure over subtopics is a measure of each subtopic, brought together; so the rows are laid out with one
"query" for each heading, and everything that works on an alignment works on a subtopic.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import numpy as np

from rankgauge._text import Text, zh
from rankgauge.alignment import Alignment, Array, Repeats, Segments
from rankgauge.errors import InputError

__all__ = ["by_heading", "n_headings", "profiles", "served", "total"]


def by_heading(a: Alignment, measure: object, heading: str) -> tuple[Alignment, Array]:
    """An alignment with a query for each heading of each query, and the query that each belongs to."""
    groups = a.groups
    if groups is None:
        raise InputError(
            Text(
                f"{measure}: needs judgements by {heading}, and these have none. Write the {heading} into the "
                f"iteration column of the qrels (the second one), a line for each {heading} an item was judged "
                f"under.",
                f"{measure}：需要按{zh(heading)}的标注，而这里没有。请把{zh(heading)}写入 qrels 的 iteration "
                f"列（第二列），物品在每个{zh(heading)}下的标注各写一行。",
            )
        )
    order = np.lexsort((groups.row, groups.code))
    row = groups.row[order]
    of_query = np.repeat(np.arange(a.n_queries), groups.n_codes)
    lengths = np.bincount(groups.code, minlength=len(of_query))
    split = replace(
        a,
        query_ids=[a.query_ids[int(i)] for i in of_query],
        offsets=Segments.of_lengths(lengths).offsets,
        grade=groups.grade[order],
        rank=a.rank[row],
        tie_first=a.tie_first[row],
        tie_last=a.tie_last[row],
        retrieved=a.retrieved[of_query],
        item=a.item[row],
        groups=None,
        repeats=None if a.repeats is None else _repeats(a.repeats, row, groups.code[order]),
        _cache={},
    )
    return split, of_query


def _repeats(repeats: Repeats, row: Array, code: Array) -> Repeats | None:
    """What repeats an item repeats it under each of its headings; `row` and `code` are those of the headings' rows."""
    by_row = np.argsort(row, kind="stable")
    first, last = (np.searchsorted(row[by_row], repeats.row, side) for side in ("left", "right"))
    times = Segments.of_lengths(last - first)
    mine = by_row[np.repeat(first, times.lengths) + times.place]
    again = [np.repeat(x, times.lengths) for x in (repeats.rank, repeats.tie_first, repeats.tie_last)]
    return Repeats.ordered(code[mine], mine, *again)


def total(a: Alignment, of_query: Array, values: Array) -> Array:
    """Sum over the headings of each query."""
    return np.bincount(of_query, weights=values, minlength=a.n_queries)


def profiles(a: Alignment, marks: Array, *, kept: bool = False) -> Array:
    """A number for each item that items with the same marks under the same headings share; NaN without a mark but 0.

    `marks` has one number for each judgement of `a.groups`. With `kept` a 0 is a mark like any other, and items of
    different grades differ.
    """
    groups = a.groups
    assert groups is not None
    codes = np.full(len(a.grade), np.nan)
    chosen = np.arange(len(marks)) if kept else np.flatnonzero(marks)
    order = chosen[np.lexsort((groups.code[chosen], groups.row[chosen]))]
    row, code, mark = groups.row[order], groups.code[order].tolist(), marks[order].tolist()
    bounds = np.append(np.flatnonzero(np.diff(row, prepend=-1)), len(row)).tolist()
    numbers: dict[object, int] = {}
    for start, end in pairwise(bounds):
        grade = float(a.grade[row[start]]) if kept else 0.0
        same = (grade, *code[start:end], *mark[start:end])
        codes[row[start]] = numbers.setdefault(same, len(numbers))
    return codes


def served(a: Alignment, rel: float) -> Array:
    """Items by the headings under which they are relevant; NaN under none."""
    return np.full(len(a.grade), np.nan) if a.groups is None else profiles(a, a.groups.relevant(rel))


def n_headings(a: Alignment, rel: float) -> Array:
    """Under how many headings each item is relevant."""
    if a.groups is None:
        return np.zeros(len(a.grade))
    return np.bincount(a.groups.row, weights=a.groups.relevant(rel), minlength=len(a.grade))
