"""Which queries get a place on the page, and their result lists.

A page must stay light: of many queries those that moved most (or did worst) are kept, and the page says so.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from math import isnan
from typing import Any

from rankgauge.comparison.movement import Movement, movements
from rankgauge.data.document_texts import ItemText, read_texts
from rankgauge.reporting.page.story import DEPTH, Listed, Moved, Story, Valued, fixed

__all__ = ["MOST_LISTS", "MOST_ROWS", "with_queries"]

MOST_ROWS = 1_000
"""Queries in the table."""
MOST_LISTS = 200
"""Queries whose lists are shown."""
_ROOM = 600_000  # bytes that all lists together may take
_BYTES_OF_LIST, _BYTES_OF_RESULT, _BYTES_OF_TITLE = 600, 220, 2  # of a drawing; a title stands there twice
_TITLE = 90
_MOST_MOVED = 5


def with_queries(story: Story, documents: Any, queries: Any) -> Story:
    """The story with its queries."""
    rows = _values(story)
    kept = rows[:MOST_ROWS]
    texts = _texts(queries, [q for q, _ in kept])
    moved = {} if story.comparison is None else {s: _moved(story, s) for s in story.comparison.systems}
    lists, titles = _lists(story, [q for q, _ in rows], moved, documents, queries)
    return replace(
        story,
        values=tuple(Valued(q, _short(_words(texts[q])) if q in texts else "", values) for q, values in kept),
        n_values=len(rows),
        moved=fixed(moved),
        lists=lists,
        titles=fixed(titles),
        anchors=fixed({x.query: x.anchor for x in lists}),
    )


def _values(story: Story) -> list[tuple[str, tuple[float, ...]]]:
    """For each query its headline values, by run, the most telling query first: moved most, or lowest."""
    if not story.query_measure:
        return []
    columns = [ev.column(story.query_measure) for ev in story.rankings.values()]
    found = [
        {q: float(v) for q, v, counts in zip(ev.query_ids, c.values, c.counted, strict=True) if counts}
        for ev, c in zip(story.rankings.values(), columns, strict=True)
    ]  # by query: evaluations that were made apart have their own
    rows = [(q, tuple(of[q] for of in found)) for q in found[0] if all(q in of for of in found)]
    if story.comparison is not None:
        at = list(story.rankings).index(story.comparison.baseline)
        rows.sort(key=lambda r: -max((abs(v - r[1][at]) for v in r[1] if not isnan(v)), default=0.0))
    else:
        goodness = columns[0].measure.goodness
        rows.sort(key=lambda r: goodness(r[1][0]))
    return rows


def _moved(story: Story, system: str) -> tuple[Moved, ...]:
    """The queries that gained most, then those that lost most."""
    c = story.comparison
    assert c is not None
    if not story.query_measure:
        return ()
    return tuple(
        Moved(
            row["query_id"],
            row[c.baseline],
            row[system],
            row["difference"],
            gained,
            row["only_ties"],
            row["only_unjudged"],
        )
        for gained, frame in zip((True, False), c.moved(story.query_measure, system, _MOST_MOVED), strict=True)
        for row in frame.iter_rows(named=True)
    )


# result lists


def _lists(
    story: Story, order: Sequence[str], moved: Mapping[str, Sequence[Moved]], documents: Any, queries: Any
) -> tuple[tuple[Listed, ...], dict[str, str]]:
    """The queries that matter most with their lists, as many as there is room for, and the titles of their items."""
    if not story.query_measure or not _at_hand(story):
        return (), {}
    linked = [x.query for found in moved.values() for x in found]  # so they come first
    ids = list(dict.fromkeys([*linked, *order]))[:MOST_LISTS]
    found = [_movements(story, system, ids) for system in story.systems]
    items = {i.item_id for ms in found for m in ms for i in m.items}
    known = next(iter(story.rankings.values())).catalogue
    named = {} if known is None else known.titles(items)
    named |= {name: _words(text) for name, text in _texts(documents, items).items()}
    titles = {name: _short(words) for name, words in named.items()}
    asked = {name: _words(text) for name, text in _texts(queries, ids).items()}
    out: list[Listed] = []
    used = 0
    for n, query in enumerate(ids):
        shown = tuple(ms[n] for ms in found)
        used += sum(_size(m, titles) for m in shown)
        if used > _ROOM and n >= DEPTH:
            break
        out.append(Listed(query, f"q-{n + 1}", asked.get(query, ""), shown))
    return tuple(out), titles


def _at_hand(story: Story) -> bool:
    """Whether the runs are."""
    c = story.comparison
    if c is not None:
        return c.sources is not None and not c.seeds
    return len(story.rankings) == 1 and all(ev.source is not None and ev.judged for ev in story.rankings.values())


def _movements(story: Story, system: str, ids: Sequence[str]) -> list[Movement]:
    if story.comparison is not None:
        return story.comparison.queries(ids, system, story.query_measure, DEPTH)
    ev, label = story.rankings[system], story.query_measure
    assert ev.source is not None
    assert ev.judged is not None
    m = ev.column(label).measure
    texts = {"documents": ev.source.documents, "tokenizer": ev.source.tokenizer}
    found = movements(ev.judged, None, ev.source.run(), ids, m, depth=DEPTH, policy=ev.policy, **texts)
    return [replace(x, measure=label, run_b=system) for x in found]


def _size(m: Movement, titles: Mapping[str, str]) -> int:
    """About how many bytes the drawing of a list will have."""
    sides = [i for i in m.items for rank in (i.rank_a, i.rank_b) if rank is not None and rank <= DEPTH]
    words = sum(len(titles.get(i.item_id, i.item_id).encode("utf-8", "replace")) for i in sides)
    return _BYTES_OF_LIST + _BYTES_OF_RESULT * len(sides) + _BYTES_OF_TITLE * words


# texts


def _texts(source: Any, ids: Iterable[str]) -> Mapping[str, ItemText]:
    """What queries or documents say, where a source was given."""
    return {} if source is None else read_texts(source, list(ids))


def _words(text: ItemText) -> str:
    return text.title or text.text


def _short(words: str) -> str:
    return words if len(words) <= _TITLE else words[:_TITLE].rstrip() + "…"
