"""Which results moved between two runs of one query, and what did each move do to the measure?

    B - A  =  sum over items of (contribution in B - contribution in A)

What an item contributes is said in `contributions.py`. Each run is read and aligned once for all queries that are
looked at.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import inf, nan
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from rankgauge._checks import whole
from rankgauge._forked import refuse_fork
from rankgauge._records import Record
from rankgauge._show import show
from rankgauge._text import Text, zh
from rankgauge.alignment import Aligned, Array
from rankgauge.alignment.build import align
from rankgauge.alignment.segments import Segments
from rankgauge.comparison.contributions import contributions
from rankgauge.data import Qrels, Run
from rankgauge.data.mappings import id_text, numbers_of
from rankgauge.data.run_source import RunSource
from rankgauge.data.table import Table
from rankgauge.errors import ParameterError, UnknownName, suggest
from rankgauge.evaluation.rankings.costing import Costing
from rankgauge.evaluation.rankings.measuring import shaped, under
from rankgauge.evaluation.rankings.policy import DEEPEST_RANK, Policy
from rankgauge.evaluation.rankings.recording import evaluate_alignment
from rankgauge.measures import parse_ranking
from rankgauge.measures.base import Measure

if TYPE_CHECKING:
    import polars as pl

__all__ = ["MovedItem", "Movement", "movement", "movements"]

T = TypeVar("T", bound=Table)

_ORDERS = ("doc_id", "input")


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
class Movement(Record, kind="movement", schema=1):
    """What changed for one query from run A to run B, item by item; by rank in B, then in A.

    One list looked at alone is B: then `run_a` is empty and `value_a` is NaN.
    """

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
        """Whether it is known what items add; then their changes sum to the difference."""
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
    ties: str | None = None,
    policy: Policy | None = None,
    documents: Any = None,
    tokenizer: Any = None,
) -> Movement:
    """Which results moved from run A to run B of one query, and what did that do to the measure?

    >>> found = movement({"q": {"x": 1}}, {"q": ["y", "x"]}, {"q": ["x", "z"]}, "q", "RR")
    >>> found.difference, [(i.item_id, i.rank_a, i.rank_b, i.change) for i in found.items]
    (0.5, [('x', 2, 1, 0.5), ('z', None, 2, 0.0), ('y', 1, None, 0.0)])

    One item for each result that either run shows among its first `depth`; besides, however deep they stand, relevant
    items that only one of them shows, and all items that add something to either value, so that the changes
    of the items always sum to the difference. Ranks are real ranks, also beyond `depth`.

    A `policy` says all that `evaluate` was told; items whose ties it leaves open stand by doc_id. `ties` beside it is
    `"doc_id"` or `"input"`: items need one order. A run without the query counts as an empty list.
    Measures that are no sum over results get no contributions, and `note` says so. One with a budget needs
    `documents`, as `evaluate` does.
    """
    about: dict[str, Any] = {"ties": ties, "policy": policy, "documents": documents, "tokenizer": tokenizer}
    return movements(qrels, a, b, [query_id], measure, depth=depth, **about)[0]


def movements(
    qrels: Any,
    a: Any,
    b: Any,
    query_ids: Iterable[Any],
    measure: str | Measure = "nDCG@10",
    *,
    depth: int = 10,
    ties: str | None = None,
    policy: Policy | None = None,
    documents: Any = None,
    tokenizer: Any = None,
) -> list[Movement]:
    """What `movement` says of each of these queries; each run is read once. `a=None` looks at the lists of B alone."""
    m = parse_ranking(measure)
    depth = whole("depth", depth, at_most=DEEPEST_RANK, caller="movement")
    if ties is not None and ties not in _ORDERS:
        raise ParameterError(
            Text(
                f"movement: `ties` must be 'doc_id' or 'input', got {show(ties)}: the other rules leave tied items "
                "without "
                "an order of their own.",
                f"movement：`ties` 必须是 'doc_id' 或 'input'，实际为 {show(ties)}：其他规则不给并列的文档排出先后。",
            )
        )
    if isinstance(query_ids, (str, bytes)):
        raise ParameterError(
            Text(
                f"movements: `query_ids` must be a list of ids, got {show(query_ids)}. Pass [{show(query_ids)}].",
                f"movements：`query_ids` 必须是 id 的列表，实际为 {show(query_ids)}。请传入 [{show(query_ids)}]。",
            )
        )
    wanted = [id_text(q, "movement") for q in query_ids]
    if not wanted:
        return []
    # what a run without a query means for the mean is no matter here: its list is empty
    rules = (policy or Policy()).replace(ties=ties, missing="zero")
    judged = _JudgedItems.of(Qrels.of(qrels), wanted)
    costing = Costing.asked([(str(m), m)], rules, documents, tokenizer) if m.budget is not None else None
    sides = [_sides(judged, run, m, rules, costing) for run in (a, b)]
    return [_joined(sides[0][q], sides[1][q], q, str(measure), depth, rules.tie_order) for q in wanted]


@dataclass(frozen=True, eq=False)
class _Side:
    """One run's list of a query: where each item stands and what it adds."""

    name: str = ""
    value: float = nan
    rank: Mapping[str, int] = field(default_factory=dict)
    grade: Mapping[str, float] = field(default_factory=dict)
    relevant: frozenset[str] = frozenset()
    added: Mapping[str, float] | None = None
    """By judged item, where it is not 0; None where the measure is no sum over results, and without a run."""
    why_not: str = ""


def _joined(a: _Side, b: _Side, query_id: str, measure: str, depth: int, ties: str) -> Movement:
    near = [x for side in (b, a) for x, rank in side.rank.items() if rank <= depth]
    one_sided = [x for x in b.relevant if (x in a.rank) != (x in b.rank)]
    adding = [x for side in (b, a) for x in side.added or ()]
    note = a.why_not or b.why_not

    def added(side: _Side, item: str) -> float | None:
        return None if note or side.added is None else side.added.get(item, 0.0)

    items = [
        MovedItem(x, b.grade.get(x), a.rank.get(x), b.rank.get(x), added(a, x), added(b, x))
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


# the parts of the data that belong to the queries


@dataclass(frozen=True, eq=False)
class _JudgedItems:
    """The judgements of the wanted queries."""

    qrels: Qrels
    queries: list[str]
    ids: Mapping[str, list[str]]
    """The judged items of each query, in the order in which the alignment counts them."""
    max_grade: float

    @classmethod
    def of(cls, qrels: Qrels, wanted: Iterable[str]) -> _JudgedItems:
        queries = list(dict.fromkeys(wanted))
        part = _part(qrels, queries)
        ids = _ids(part)
        for q in queries:
            if q not in ids:
                near = suggest(q, qrels.query_ids)
                raise UnknownName(
                    Text(
                        f"movement: no judgements for query {show(q)} in {show(qrels.name)}.{near}",
                        f"movement：{show(qrels.name)} 中没有查询 {show(q)} 的标注。{zh(near)}",
                    )
                )
        # whether there are subtopics is a matter of all judgements
        return cls(qrels if qrels.has_groups else part, queries, ids, _max_grade(qrels))


def _sides(
    judged: _JudgedItems, given: Any, m: Measure, policy: Policy, costing: Costing | None
) -> Mapping[str, _Side]:
    """The lists of one run for all wanted queries."""
    if given is None:
        return dict.fromkeys(judged.queries, _Side())
    run = _run(given, judged.queries)
    aligned = align(judged.qrels, run, ties=policy.tie_order, single=policy.is_single, duplicates=policy.duplicates)
    if costing is not None:
        aligned = costing.with_costs(aligned, run)
    number = {q: i for i, q in enumerate(aligned.alignment.query_ids)}
    at = np.array([number[q] for q in judged.queries], dtype=np.int64)
    raw = replace(aligned.alignment.of_queries(at), max_grade=judged.max_grade)
    ours = replace(aligned, alignment=raw, missing=aligned.missing[at], repeats=aligned.repeats[at])
    m, values, added = _values(ours, m, policy)
    relevant = raw.relevant(getattr(m, "rel", None) or 1e-300).tolist()
    grade, item, ranks = raw.grade.tolist(), raw.item.tolist(), _ranks(run, policy)
    sides = {}
    for i, q in enumerate(judged.queries):
        ids, rows = judged.ids[q], range(int(raw.offsets[i]), int(raw.offsets[i + 1]))
        parts, why_not = added[i]
        sides[q] = _Side(
            name=run.name,
            value=values[i],
            rank=ranks.get(q, {}),
            grade={ids[item[row]]: grade[row] for row in rows},
            relevant=frozenset(ids[item[row]] for row in rows if relevant[row]),
            added=None if parts is None else {ids[x]: part for x, part in parts.items()},
            why_not=why_not,
        )
    return sides


def _values(
    aligned: Aligned, m: Measure, policy: Policy
) -> tuple[Measure, list[float], list[tuple[dict[int, float] | None, str]]]:
    """The measure with its parameters, its value of each list, and what judged items add to it, or why nobody knows."""
    raw = aligned.alignment
    if "shown" in m.needs:
        why = Text(
            f"{m} is about the items that are shown: relevant results have no share of it.",
            f"{m} 看的是展示的物品：相关结果在其中没有份额。",
        )
        return m, [nan] * raw.n_queries, [(None, why)] * raw.n_queries
    column = evaluate_alignment(aligned, [(str(m), m)], policy).columns[0]
    m = column.measure
    lists, expected = shaped(raw, policy.ties, policy, m), policy.ties == "expected"
    added = contributions(under(m, policy) if expected else m, lists, column.values, expected=expected)
    return m, [nan] * raw.n_queries if m.summary == "none" else column.values.tolist(), added


def _run(given: Any, queries: Sequence[str]) -> Run:
    """The wanted lists of a run; those of a dict are taken out before lists of ids are made into scores."""
    if isinstance(given, RunSource):
        given = given.given if isinstance(given.given, Mapping) else given.run()
    if isinstance(given, Mapping) and given:
        wanted = set(queries)
        given = {q: row for q, row in given.items() if id_text(q, "run") in wanted}
        if not given:  # a run of other queries is one
            return Run(mapping={})
    return _part(Run.of(given), queries)


def _part(table: T, queries: Sequence[str]) -> T:
    """The rows of some queries; the rest of a large table is not converted."""
    import polars as pl

    wanted = set(queries)
    kept: dict[str, Any]
    if table.is_mapping:
        rows = {id_text(q, table.name): row for q, row in table.to_dict().items()}
        kept = {"mapping": {q: row for q, row in rows.items() if q in wanted}}
    elif table.text is None:
        kept = {"frame": table.to_frame().filter(pl.col("query_id").is_in(list(queries)))}
    else:
        refuse_fork(Text("the list of a single query", "单个查询的列表"))
        text = table.text
        numbers = np.array([i for i, name in enumerate(text.names) if name in wanted], dtype=np.int64)
        lists = Segments.of_lengths(text.lengths)
        found = lists.rows_of(numbers)
        owner = np.repeat(np.arange(len(numbers)), lists.lengths[numbers])
        columns = {
            "query_id": pl.Series([text.names[i] for i in numbers.tolist()], dtype=pl.String).gather(owner),
            "doc_id": pl.Series(text.ids(found), dtype=pl.String),
            table.value: pl.Series(text.value[found], dtype=pl.Float64),
        }
        kept = {"frame": pl.DataFrame(columns)}
    return type(table)(**kept, name=table.name, dropped=table.dropped, repeated=table.repeated)


def _ids(table: Table) -> dict[str, list[str]]:
    """The items of each query, each once, in the order of the rows."""
    if table.is_mapping:
        return {q: [id_text(x, table.name) for x in row] for q, row in table.to_dict().items()}
    frame = table.to_frame().unique(["query_id", "doc_id"], keep="first", maintain_order=True)
    return dict(frame.group_by("query_id", maintain_order=True).agg("doc_id").iter_rows())


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


def _ranks(run: Run, policy: Policy) -> dict[str, dict[str, int]]:
    """For each query the rank of each result, found as for judged items: by taking all of them as judged."""
    ids = _ids(run)
    if run.is_mapping:
        everything = Qrels(mapping={q: dict.fromkeys(row, 0) for q, row in run.to_dict().items()})
    else:
        import polars as pl

        frame = run.to_frame().unique(["query_id", "doc_id"], keep="first", maintain_order=True)
        if frame.is_empty():
            return {}
        everything = Qrels(frame=frame.select("query_id", "doc_id", grade=pl.lit(0.0)))
    ranked = align(
        everything, run, ties=policy.tie_order, single=policy.is_single, duplicates=policy.duplicates
    ).alignment
    item, rank, offsets = ranked.item.tolist(), ranked.rank.tolist(), ranked.offsets.tolist()
    return {
        q: {ids[q][item[row]]: rank[row] for row in range(offsets[i], offsets[i + 1])}
        for i, q in enumerate(ranked.query_ids)
    }
