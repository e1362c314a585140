"""Twelve weeks of the shop's search, evaluated every Monday: what a history of evaluations has to tell apart.

- Most weeks little happens: the index is rebuilt, and the scores of some lists tremble.
- In week 5 an experiment with another analyser shakes every list: half of the queries gain, half lose. It is noise.
- In week 8 the guideline changes: complements are not relevant any more. Every number jumps, and no system changed.
- In week 11 the synonyms for Chinese are lost: what was first for Chinese queries sinks. That is a drop.

``hybrid`` goes through all of it; ``bm25`` is left alone, and only its judgements change.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from rankgauge.demo.shop import Shop

__all__ = ["BROKEN", "NOISY", "N_WEEKS", "RULED", "Week", "weeks"]

N_WEEKS = 12
NOISY, RULED, BROKEN = 5, 8, 11
"""The weeks, counted from 1, of the noise, the new guideline and the drop."""
FIRST = datetime(2026, 8, 31, 6, tzinfo=UTC)
TREMBLE = 0.06  # of the width of a list, in the lists that a rebuilt index touches
TOUCHED = 0.1  # so many of them
FIRST_RANKS = 10  # of a shaken list
SUNK = 2  # results that lose their place

Scores = dict[str, dict[str, float]]


@dataclass(frozen=True, slots=True)
class Week:
    """What is evaluated on one Monday."""

    number: int
    at: datetime
    version: str
    qrels: dict[str, dict[str, int]]
    runs: dict[str, Scores]
    note: str = ""
    """What the team wrote down, if anything."""


def weeks(seed: int = 7, data: Shop | None = None) -> list[Week]:
    """The twelve weeks of a shop, from one seed.

    >>> found = weeks(seed=7)
    >>> len(found), found[0].at.isoformat(), sorted(found[0].runs)
    (12, '2026-08-31T06:00:00+00:00', ['bm25', 'hybrid'])
    """
    from random import Random

    from rankgauge.demo.shop import shop

    made = shop(seed) if data is None else data
    draw = Random(seed + 12).random
    chinese = {q for q, about in made.queries.items() if about["language"] == "zh"}
    strict = {q: {d: grade if grade > 1 else 0 for d, grade in grades.items()} for q, grades in made.qrels.items()}
    out = []
    for number in range(1, N_WEEKS + 1):
        hybrid = {q: _trembled(draw, scores) for q, scores in made.runs["hybrid"].items()}
        if number == NOISY:
            hybrid = {q: _shaken(draw, scores, made.qrels[q]) for q, scores in hybrid.items()}
        if number >= BROKEN:
            hybrid = {q: _sunk(scores) if q in chinese else scores for q, scores in hybrid.items()}
        out.append(
            Week(
                number,
                FIRST + timedelta(weeks=number - 1),
                f"2.{number}",
                strict if number >= RULED else made.qrels,
                {"bm25": made.runs["bm25"], "hybrid": hybrid},
                "new guideline: complements are not relevant" if number == RULED else "",
            )
        )
    return out


def _trembled(draw: Callable[[], float], scores: dict[str, float]) -> dict[str, float]:
    """Some lists with each score a little higher or lower."""
    if draw() >= TOUCHED or not scores:
        return scores
    span = max(scores.values()) - min(scores.values())
    return _ordered({d: round(score + TREMBLE * span * (draw() - 0.5), 6) for d, score in scores.items()})


def _shaken(draw: Callable[[], float], scores: dict[str, float], grades: dict[str, int]) -> dict[str, float]:
    """One of two neighbours among the first results changes places with the other: up the better one, or down."""
    listed = list(scores)[:FIRST_RANKS]
    gains = draw() < 0.5
    for above, below in pairwise(listed):
        better = grades.get(below, 0) - grades.get(above, 0)
        if better > 0 if gains else better < 0:
            return _ordered({**scores, above: scores[below], below: scores[above]})
    return scores


def _sunk(scores: dict[str, float]) -> dict[str, float]:
    """The first results below all others."""
    first = list(scores)[:SUNK]
    lowest = min(scores.values(), default=0.0)
    return _ordered({d: lowest - 0.01 * (1 + first.index(d)) if d in first else s for d, s in scores.items()})


def _ordered(scores: dict[str, float]) -> dict[str, float]:
    return dict(sorted(scores.items(), key=lambda item: (-item[1], item[0])))
