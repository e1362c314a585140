"""Which queries get a place on the page, and their result lists.

A page must stay light: of many queries those that moved most (or did worst) are kept, and the page says so.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import isnan
from typing import Any

from rankgauge.comparison.movement import Movement, movements
from rankgauge.reporting.figures.comparison import lists as lists_figure
from rankgauge.reporting.page.story import Story

__all__ = ["MOST_LISTS", "MOST_ROWS", "QueryLists", "anchor_of", "chosen", "lists_of", "values_of"]

MOST_ROWS = 1_000
"""Queries in the table."""
MOST_LISTS = 200
"""Queries whose lists are shown."""
DEPTH = 10
_ROOM = 600_000  # bytes that all lists together may take
_TITLE = 90


@dataclass(frozen=True)
class QueryLists:
    """One query: what it asks, and what each system shows for it."""

    query: str
    anchor: str
    text: str
    charts: Sequence[tuple[str, str]]
    """By system, drawn."""


def values_of(story: Story) -> list[tuple[str, list[float]]]:
    """For each query its headline values, by run, the most telling query first: moved most, or lowest."""
    label = story.measure
    columns = [ev.column(label) for ev in story.rankings.values()]
    first = next(iter(story.rankings.values()))
    counted = columns[0].counted
    for c in columns[1:]:
        counted = counted & c.counted
    rows = [(q, [float(c.values[i]) for c in columns]) for i, q in enumerate(first.query_ids) if counted[i]]
    if story.comparison is not None:
        at = list(story.rankings).index(story.comparison.baseline)
        rows.sort(key=lambda r: -max((abs(v - r[1][at]) for v in r[1] if not isnan(v)), default=0.0))
    else:
        goodness = columns[0].measure.goodness
        rows.sort(key=lambda r: goodness(r[1][0]))
    return rows


def chosen(story: Story) -> dict[str, str]:
    """The queries whose lists are shown, with their anchors."""
    if not story.can_show_lists:
        return {}
    if story.anchors is None:
        order = [q for q, _ in values_of(story)]
        if story.comparison is not None:  # the gains and losses of every system are linked, so they come first
            c = story.comparison
            linked = [q for s in c.systems for frame in c.moved(c.measures[0], s, 5) for q in frame["query_id"]]
            order = list(dict.fromkeys([*linked, *order]))
        story.anchors = {q: f"q-{i}" for i, q in enumerate(order[:MOST_LISTS], 1)}
        _draw(story)
    return story.anchors


def anchor_of(story: Story, query: str) -> str:
    return chosen(story).get(query, "")


def lists_of(story: Story) -> list[QueryLists]:
    """The chosen queries with their lists, as many as fit."""
    chosen(story)
    return story.lists


def _draw(story: Story) -> None:
    """Draws until the room is used up; queries that got no place lose their anchor."""
    assert story.anchors is not None
    ids = list(story.anchors)
    found = {system: _movements(story, system, ids) for system in _systems(story)}
    items = {i.item_id for ms in found.values() for m in ms for i in m.items}
    titles = {k: _short(v) for k, v in story.texts_of(story.documents, items).items()}
    asked = {k: v.title or v.text for k, v in story.texts_of(story.queries, ids).items()}
    top = max((i.grade or 0.0 for ms in found.values() for m in ms for i in m.items), default=1.0)
    used = 0
    for n, query in enumerate(ids):
        charts = [
            (system, lists_figure(ms[n], titles, top, DEPTH).svg(tips=story.language)) for system, ms in found.items()
        ]
        used += sum(len(svg.encode()) for _, svg in charts)
        if used > _ROOM and n >= DEPTH:
            story.anchors = {q: story.anchors[q] for q in ids[:n]}
            return
        story.lists.append(QueryLists(query, story.anchors[query], asked.get(query, ""), charts))


def _systems(story: Story) -> list[str]:
    if story.comparison is None:
        return [story.leader]
    return [story.leader, *(s for s in story.comparison.systems if s != story.leader)]


def _movements(story: Story, system: str, ids: Sequence[str]) -> list[Movement]:
    if story.comparison is not None:
        return story.comparison.queries(ids, system, story.measure, DEPTH)
    ev, label = story.rankings[system], story.measure
    assert ev.source is not None
    m = ev.column(label).measure
    found = movements(ev.judged, None, ev.source.run(), ids, m, depth=DEPTH, policy=ev.policy)
    return [replace(x, measure=label, run_b=system) for x in found]


def _short(text: Any) -> str:
    words: str = text.title or text.text
    return words if len(words) <= _TITLE else words[:_TITLE].rstrip() + "…"


def texts_of_queries(story: Story, ids: Sequence[str]) -> Mapping[str, str]:
    """What queries ask, where a source was given."""
    return {k: _short(v) for k, v in story.texts_of(story.queries, ids).items()}
