"""Which results moved between two runs of one query, and what did each move do to the measure?

    B - A  =  sum over items of (contribution in B - contribution in A)

For measures that add up over results (DCG, nDCG, P, R, RBP, …) the contribution of an item is what the list is worth
when it holds this item alone at its rank: for nDCG its discounted gain over the ideal DCG. For AP, RR, Hit and
ERR, whose terms depend on what stands above, it is the item's term of the sum: what the value grows by
when the list is read on to this item.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import inf, isnan, nan
from typing import TYPE_CHECKING, Any

import numpy as np

from rankgauge._rendered import Rendered
from rankgauge.alignment import Alignment, Array
from rankgauge.alignment.build import Aligned, align
from rankgauge.alignment.ties import condensed
from rankgauge.data import Qrels, Run
from rankgauge.data.mappings import id_text, numbers_of
from rankgauge.data.table import Table
from rankgauge.errors import ParameterError, UnknownName, suggest
from rankgauge.evaluation.evaluator import evaluate_alignment
from rankgauge.evaluation.policy import Policy
from rankgauge.measures import parse_ranking
from rankgauge.measures.base import Measure

if TYPE_CHECKING:
    import polars as pl

__all__ = ["MovedItem", "Movement", "movement"]

EPS = 1e-12
CELLS = 1_000_000  # judged items times lists that are computed at once

_IN_ORDER = frozenset({"AP", "RR", "Hit", "ERR"})
"""Sums whose terms depend only on what stands at a rank and above it."""


@dataclass(frozen=True)
class MovedItem:
    """One item in two rankings."""

    item_id: str
    grade: float | None
    """None: nobody judged it."""
    rank_a: int | None
    rank_b: int | None
    """None: the run does not show it."""
    in_a: float | None
    in_b: float | None
    """What the item adds to the measure's value; None where the measure is no such sum."""

    @property
    def moved(self) -> int | None:
        """Ranks that the item went up from A to B; None unless both show it."""
        return None if self.rank_a is None or self.rank_b is None else self.rank_a - self.rank_b

    @property
    def change(self) -> float | None:
        """What the item adds to B - A."""
        return None if self.in_a is None or self.in_b is None else self.in_b - self.in_a


@dataclass(frozen=True)
class Movement(Rendered):
    """What changed for one query from run A to run B, item by item; by rank in B, then in A."""

    query_id: str
    measure: str
    run_a: str
    run_b: str
    value_a: float
    value_b: float
    """The query's values, as `evaluate` has them; NaN where nothing relevant is judged."""
    depth: int
    ties: str
    items: tuple[MovedItem, ...]
    missed: int
    """Relevant items that neither run shows."""
    note: str = ""
    """Why there are no contributions, if there are none."""

    @property
    def difference(self) -> float:
        return self.value_b - self.value_a

    @property
    def has_contributions(self) -> bool:
        """Whether the items' changes are known; then they sum to the difference."""
        return not self.note

    def to_frame(self) -> pl.DataFrame:
        """A Polars frame, one row per item."""
        import polars as pl

        schema = {"item_id": pl.String, "grade": pl.Float64}
        schema |= dict.fromkeys(("rank_a", "rank_b", "moved"), pl.Int64)
        schema |= dict.fromkeys(("in_a", "in_b", "change"), pl.Float64)
        return pl.DataFrame(self.csv_rows(), schema=schema)

    def csv_rows(self) -> list[dict[str, Any]]:
        """The rows of `to_frame` as dicts."""
        return [
            {
                "item_id": x.item_id,
                "grade": x.grade,
                "rank_a": x.rank_a,
                "rank_b": x.rank_b,
                "moved": x.moved,
                "in_a": x.in_a,
                "in_b": x.in_b,
                "change": x.change,
            }
            for x in self.items
        ]


def movement(
    qrels: Any,
    a: Any,
    b: Any,
    query_id: Any,
    measure: str | Measure = "nDCG@10",
    *,
    depth: int = 10,
    ties: str = "doc_id",
) -> Movement:
    """Which results moved from run A to run B of one query, and what did that do to the measure?

    >>> found = movement({"q": {"x": 1}}, {"q": ["y", "x"]}, {"q": ["x", "z"]}, "q", "RR")
    >>> found.difference, [(i.item_id, i.rank_a, i.rank_b, i.change) for i in found.items]
    (0.5, [('x', 2, 1, 0.5), ('z', None, 2, 0.0), ('y', 1, None, 0.0)])

    One item for each result that either run shows among its first `depth`; besides, however deep they stand, relevant
    items that only one of them shows, and all items that add something to either value, so that the changes
    of the items always sum to the difference. Ranks are real ranks, also beyond `depth`.

    `ties` is `"doc_id"` or `"input"`: items need one order. A run without the query counts as an empty list.
    Measures that are no sum over results get no contributions, and `note` says so.
    """
    m = parse_ranking(measure)
    if isinstance(depth, bool) or not isinstance(depth, int) or depth < 1:
        raise ParameterError(f"movement: `depth` must be a positive integer, got {depth!r}.")
    if ties not in ("doc_id", "input"):
        raise ParameterError(
            f"movement: `ties` must be 'doc_id' or 'input', got {ties!r}: the other rules leave tied items without "
            "an order of their own."
        )
    judged, name = Qrels.of(qrels), id_text(query_id, "movement")
    lists = [_Side.of(judged, Run.of(run), name, m, ties) for run in (a, b)]
    return _joined(lists[0], lists[1], name, str(measure), depth, ties)


@dataclass(frozen=True, eq=False)
class _Side:
    """One run's list of the query: where each item stands and what it adds."""

    name: str
    value: float
    rank: dict[str, int]
    grade: dict[str, float]
    relevant: frozenset[str]
    added: dict[str, float] | None
    """By judged item; None where the measure is no sum over results."""
    why_not: str

    @classmethod
    def of(cls, qrels: Qrels, run: Run, query_id: str, m: Measure, ties: str) -> _Side:
        shown = Run(frame=_frame_of(run, query_id), name=run.name)
        judged_ids, aligned = _one_query(qrels, shown, query_id, ties)
        one = aligned.alignment
        value = float(evaluate_alignment(aligned, [(str(m), m)], Policy(ties=ties)).columns[0].values[0])
        m = m.bind(one)
        added, why_not = _contributions(m, one, value)
        ids = [judged_ids[i] for i in one.item.tolist()]
        relevant = one.relevant(getattr(m, "rel", None) or 1e-300)
        return cls(
            name=run.name,
            value=value,
            rank=_ranks(shown, query_id, ties),
            grade=dict(zip(ids, one.grade.tolist(), strict=True)),
            relevant=frozenset(x for x, is_relevant in zip(ids, relevant.tolist(), strict=True) if is_relevant),
            added=None if added is None else dict(zip(ids, added.tolist(), strict=True)),
            why_not=why_not,
        )


def _joined(a: _Side, b: _Side, query_id: str, measure: str, depth: int, ties: str) -> Movement:
    near = [x for side in (b, a) for x, rank in side.rank.items() if rank <= depth]
    one_sided = [x for x in b.relevant if (x in a.rank) != (x in b.rank)]
    adding = [x for side in (b, a) for x, added in (side.added or {}).items() if added]
    note = a.why_not or b.why_not

    def added(side: _Side, item: str) -> float | None:
        return None if note or side.added is None else side.added.get(item, 0.0)

    items = [
        MovedItem(x, a.grade.get(x), a.rank.get(x), b.rank.get(x), added(a, x), added(b, x))
        for x in {*near, *one_sided, *adding}
    ]
    items.sort(key=lambda x: (x.rank_b or inf, x.rank_a or inf))
    return Movement(
        query_id=query_id,
        measure=measure,
        run_a=a.name,
        run_b=b.name,
        value_a=a.value,
        value_b=b.value,
        depth=depth,
        ties=ties,
        items=tuple(items),
        missed=sum(x not in a.rank and x not in b.rank for x in b.relevant),
        note=note,
    )


# the part of the data that belongs to the query


def _frame_of(table: Table, query_id: str) -> pl.DataFrame:
    """The rows of one query; the rest of a large table is not converted."""
    import polars as pl

    if not table.is_mapping and table.text is None:
        return table.to_frame().filter(pl.col("query_id") == query_id)
    ids: list[str] = []
    values: Array = np.zeros(0)
    if table.is_mapping:
        rows = table.to_dict()
        key = query_id if query_id in rows else next((q for q in rows if id_text(q, table.name) == query_id), None)
        row = {} if key is None else rows[key]
        ids = [id_text(x, table.name) for x in row]
        values = numbers_of([row], {key: row}, table.name, table.value)
    elif table.text is not None and query_id in table.text.names:
        number = table.text.names.index(query_id)
        start = int(table.text.block[number])
        part = slice(start, start + int(table.text.lengths[number]))
        ids, values = table.text.ids(part), table.text.value[part]
    return pl.DataFrame(
        {"query_id": [query_id] * len(ids), "doc_id": ids, table.value: values},
        schema={"query_id": pl.String, "doc_id": pl.String, table.value: pl.Float64},
    )


def _one_query(qrels: Qrels, shown: Run, query_id: str, ties: str) -> tuple[Sequence[str], Aligned]:
    """The judged items of the query, in the order in which the alignment counts them, and the alignment."""
    frame = _frame_of(qrels, query_id)
    if frame.is_empty():
        near = suggest(query_id, qrels.query_ids)
        raise UnknownName(f"movement: no judgements for query {query_id!r} in {qrels.name!r}.{near}")
    # whether there are subtopics is a matter of all judgements
    judged = qrels if qrels.has_groups else Qrels(frame=frame, name=qrels.name)
    aligned = align(judged, shown, ties=ties)
    at = np.array([list(aligned.alignment.query_ids).index(query_id)])
    one = replace(aligned.alignment.of_queries(at), max_grade=_max_grade(qrels))
    ids = frame["doc_id"].unique(maintain_order=True).to_list()
    return ids, replace(aligned, alignment=one, missing=aligned.missing[at])


def _max_grade(qrels: Qrels) -> float:
    """Highest grade of all judgements, which some measures are scaled by."""
    if qrels.text is not None:
        grades: Array = qrels.text.value
    elif qrels.is_mapping:
        rows = qrels.to_dict()
        grades = numbers_of(rows.values(), rows, qrels.name, "grade")
    else:
        grades = qrels.to_frame()["grade"].to_numpy()
    return float(grades.max(initial=0.0))


def _ranks(shown: Run, query_id: str, ties: str) -> dict[str, int]:
    """Rank of each result, found as for judged items: by taking all of them as judged."""
    ids = shown.to_frame()["doc_id"].unique(maintain_order=True).to_list()
    if not ids:
        return {}
    everything = Qrels(mapping={query_id: dict.fromkeys(ids, 0)})
    ranked = align(everything, shown, ties=ties).alignment
    return {ids[i]: rank for i, rank in zip(ranked.item.tolist(), ranked.rank.tolist(), strict=True)}


# what each item adds


def _contributions(m: Measure, one: Alignment, value: float) -> tuple[Array | None, str]:
    """What each judged item adds to the value of one query; or None, and why."""
    if isnan(value):
        return None, f"{m} says nothing about this query: no relevant item is judged."
    in_order = type(m).__name__ in _IN_ORDER and getattr(m, "norm", None) != "hits"  # a later hit changes all terms
    if m.summary == "none" or not (m.additive or in_order):
        return None, f"{m} is not a sum over results."
    if m.judged_only:  # the list without unjudged results has the same items in the same order
        m, one = m.replace(judged_only=False), condensed(one)
    one = replace(one, groups=None, _cache={})
    n = int(one.shown.sum())
    if in_order:
        parts = np.diff(_values(m, one, np.arange(n + 1), up_to=True))
    else:
        parts = _values(m, one, np.arange(n), up_to=False)
    nothing = _values(m, one, np.zeros(1, dtype=np.int64), up_to=True)[0]
    if nothing or not abs(parts.sum() - value) <= EPS * max(1.0, abs(value)):
        return None, f"{m} is not a sum over results."
    return np.concatenate((parts, np.zeros(len(one.grade) - n))), ""


def _values(m: Measure, one: Alignment, lists: Array, *, up_to: bool) -> Array:
    """Values of lists that hold only the shown judged item number i, or only the first i of them."""
    out = np.full(len(lists), nan)
    step = max(1, CELLS // max(1, len(one.grade)))
    for start in range(0, len(lists), step):
        chunk = lists[start : start + step]
        wide = one.of_queries(np.zeros(len(chunk), dtype=np.int64))
        number = wide.by_query.spread(chunk)
        kept = wide.by_query.place < number if up_to else wide.by_query.place == number
        out[start : start + step] = m.values(wide.with_ranks(np.where(kept, wide.rank, 0)))
    return out
