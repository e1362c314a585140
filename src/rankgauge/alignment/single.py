"""One list by hand: for worked examples and for measures tried on a few grades."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from rankgauge.alignment.alignment import Alignment, Groups

__all__ = ["Grades", "one_list"]

Grades = float | tuple[float | None, ...] | None
"""A grade, the grades under several headings, or None for an item that nobody judged."""


def one_list(grades: Sequence[Grades], missed: Sequence[Grades] = ()) -> Alignment:
    """An alignment of one query from grades in rank order and the grades of items not shown.

    A tuple instead of a grade gives the grades of the item under each heading: subtopics or assessors.
    """
    judged = [(i, g) for i, g in enumerate(grades, 1) if g is not None] + [(0, g) for g in missed]
    marks = [g if isinstance(g, tuple) else (g,) for _, g in judged]
    grade = np.array([max(x for x in row if x is not None) for row in marks], dtype=np.float64)
    rank = np.array([i for i, _ in judged], dtype=np.int64)
    groups = None
    if any(isinstance(g, tuple) for _, g in judged):
        cells = [(row, code, x) for row, xs in enumerate(marks) for code, x in enumerate(xs) if x is not None]
        row, code, mark = map(np.array, zip(*cells, strict=True))
        groups = Groups(row, code, mark.astype(np.float64), n_codes=np.array([max(map(len, marks))]))
    return Alignment(
        query_ids=["q"],
        offsets=np.array([0, len(grade)]),
        grade=grade,
        rank=rank,
        tie_first=rank,
        tie_last=rank,
        retrieved=np.array([len(grades)]),
        item=np.arange(len(grade)),
        groups=groups,
        max_grade=float(grade.max(initial=0.0)),
    )
