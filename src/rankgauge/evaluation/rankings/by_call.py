"""What does each further call of a retriever find that searches several times for a question?

A retriever that makes several calls for a question gives a list for each (`run.collected.calls`). With G the gold of a
query and Cᵢ the results of its i-th call,

    recall after j calls = |G ∩ (C₁ ∪ … ∪ Cⱼ)| / |G|        what the j-th call adds = that, less recall after j - 1

means over all queries with gold; a query that stops earlier keeps what it has, and one that failed has nothing. What a
call adds is never below 0, so that its interval is about how much, not whether.

Where gold is spans, G are the characters of its needs and Cᵢ those of the pieces of a call: recall is `SpanRecall` of
all pieces so far (Σ grade · covered share / Σ grade), so that what a call finds again adds nothing. The first hit is
the call by which a need is found: covered up to the share that the spans ask for (`reach`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import isfinite, isnan, nan
from typing import TYPE_CHECKING, Any

import numpy as np

from rankgauge._plain_data import damaged
from rankgauge._records import Record
from rankgauge._text import Text
from rankgauge._version import __version__
from rankgauge.alignment import Array
from rankgauge.alignment.covered import covered_of
from rankgauge.data.chunks import Chunks
from rankgauge.data.collected import Call
from rankgauge.data.mappings import id_text
from rankgauge.data.run import Run
from rankgauge.data.run_source import PieceSource
from rankgauge.data.spans import Spans
from rankgauge.errors import InputError, ParameterError
from rankgauge.evaluation.rankings.by_cutoff import level_of
from rankgauge.evaluation.rankings.record import RankingEvaluation
from rankgauge.statistics.intervals import Interval, t_interval
from rankgauge.statistics.shares import clopper_pearson

if TYPE_CHECKING:
    import polars as pl

__all__ = ["ByCall", "CallStep", "by_call", "makes_calls"]


@dataclass(frozen=True, kw_only=True)
class CallStep:
    """The calls up to one."""

    call: int
    queries: int
    """Queries for which this call was made."""
    recall: float
    """Of the results of all calls up to this one."""
    recall_interval: Interval
    added: float
    """What this call adds to it."""
    added_interval: Interval
    hit: float
    """The share of queries with something relevant by now."""
    hit_interval: Interval
    first: int
    """Queries whose first relevant result comes with this call."""
    new: float
    """Mean number of results that no call before it had, over the queries for which it was made."""
    tokens: float
    """Mean tokens of all calls up to this one; NaN where they are not told."""


@dataclass(frozen=True, eq=False, kw_only=True)
class ByCall(Record, kind="by_call", schema=1):
    """What each call of a retriever adds: `found.steps[1].added`, `found.calls_to_hit`. `ev.by_call()` makes it."""

    steps: Sequence[CallStep]
    run: str
    qrels: str
    n: int
    """Queries with gold."""
    calls: float
    """Mean number of calls of a query."""
    hits: int
    """Queries for which some call finds something relevant: those that the two numbers below are of."""
    calls_to_hit: float
    """Mean number of calls up to the first relevant result; NaN where there is none."""
    calls_to_hit_interval: Interval
    tokens_to_hit: float
    """Mean tokens up to and with that call; NaN where they are not told."""
    tokens_to_hit_interval: Interval
    rel: float = 1
    by: str = "ids"
    """`ids` of documents, or `spans` of them."""
    reach: float = 1
    """Of spans: the share of a need that must be covered for it to be found."""
    confidence_level: float = 0.95
    notes: Sequence[str] = ()
    version: str = ""

    @property
    def recall(self) -> float:
        """Of the results of all calls together."""
        return self.steps[-1].recall

    def csv_rows(self) -> list[dict[str, Any]]:
        """The rows of `to_frame` as dicts."""
        return [
            {
                "call": s.call,
                "queries": s.queries,
                "recall": s.recall,
                "recall_low": s.recall_interval.low,
                "recall_high": s.recall_interval.high,
                "added": s.added,
                "added_low": s.added_interval.low,
                "added_high": s.added_interval.high,
                "hit": s.hit,
                "first": s.first,
                "new": s.new,
                "tokens": s.tokens,
            }
            for s in self.steps
        ]

    def to_frame(self) -> pl.DataFrame:
        """A Polars frame, one row per call."""
        import polars as pl

        return pl.DataFrame(self.csv_rows())

    @classmethod
    def _from_plain(cls, data: Any) -> ByCall:
        found = super()._from_plain(data)
        if [s.call for s in found.steps] != list(range(1, len(found.steps) + 1)) or not found.steps:
            raise damaged("steps", Text("expected one for each call", "每次调用应各有一个"))
        return found


def by_call(ev: RankingEvaluation) -> ByCall:
    """What does each further call find, and how many does it take to the first hit?

    `ev` is the evaluation of a retriever that was asked and says which calls it made: `{"calls": [{"query": "…",
    "documents": […], "tokens": 310}, …]}`.

    >>> from rankgauge.evaluation.of_rankings import evaluate
    >>> def agent(query):
    ...     return {"calls": [{"query": query, "documents": ["a", "x"]}, {"query": "more", "documents": ["x", "b"]}]}
    >>> found = by_call(evaluate({"one": ["a", "b"], "two": ["b", "c"]}, agent, "R@10"))
    >>> [(s.recall, s.added, s.first) for s in found.steps], found.calls_to_hit
    ([(0.25, 0.25, 1), (0.75, 0.5, 1)], 1.5)
    """
    if not isinstance(ev, RankingEvaluation):
        raise ParameterError(
            Text(
                f"by_call() needs the evaluation of one ranking, got {type(ev).__name__}.",
                f"by_call() 需要单个排序的评测，实际为 {type(ev).__name__}。",
            )
        )
    collected = None if ev.source is None else ev.source.collected
    spans = ev.source.spans if isinstance(ev.source, PieceSource) else None
    if collected is None or not collected.calls or (ev.judged is None and spans is None):
        raise InputError(
            Text(
                "by_call: the calls of each query must be there, which a live retriever says that returns "
                '{"calls": […]}. Evaluate it, or the run that rg.collect() gives.',
                'by_call：必须有每个查询的各次调用，由返回 {"calls": […]} 的检索器给出。请评测该检索器，'
                "或 rg.collect() 给出的 run。",
            )
        )
    made = dict(zip(collected.query_ids, collected.calls, strict=True))
    level = 1.0
    if spans is not None:
        followed = _along_spans(spans, ev.source.given, {q: made.get(q, ()) for q in ev.query_ids})  # type: ignore[union-attr]
    else:
        level, followed = level_of(ev), _along_ids(ev, made)
    if not followed:
        raise InputError(Text("by_call: no query has anything relevant.", "by_call：没有任何查询有相关条目。"))
    depth = max(1, *(len(x.recalls) for x in followed))
    recalls = np.array([[0.0, *x.recalls, *[x.last] * (depth - len(x.recalls))] for x in followed])
    level_of_interval = ev.confidence_level
    steps = [_step(j, followed, recalls, level_of_interval) for j in range(1, depth + 1)]
    to_hit = np.array([x.first for x in followed if x.first], dtype=np.float64)
    tokens = np.array([x.tokens_to_hit for x in followed if x.first])
    return ByCall(
        steps=steps,
        run=ev.run,
        qrels=ev.qrels,
        n=len(followed),
        calls=float(np.mean([len(x.recalls) for x in followed])),
        hits=len(to_hit),
        calls_to_hit=_mean(to_hit),
        calls_to_hit_interval=_interval(to_hit, level_of_interval, (1, depth)),
        tokens_to_hit=_mean(tokens),
        tokens_to_hit_interval=_interval(tokens, level_of_interval, (0, float("inf"))),
        rel=level,
        by="ids" if spans is None else "spans",
        reach=1.0 if spans is None else spans.reach,
        confidence_level=level_of_interval,
        notes=list(dict.fromkeys(ev.remarks)),
        version=__version__,
    )


def makes_calls(ev: RankingEvaluation) -> bool:
    """Whether a retriever was asked that searches several times for a question, and something is relevant."""
    collected = None if ev.source is None else ev.source.collected
    if collected is None or not any(len(made) > 1 for made in collected.calls):
        return False
    if isinstance(ev.source, PieceSource) and ev.source.spans is not None:
        return any(ev.source.spans.needs.values())
    level = level_of(ev)
    return ev.judged is not None and any(g >= level for row in ev.judged.to_dict().values() for g in row.values())


@dataclass(frozen=True)
class _Followed:
    """One query, call by call."""

    recalls: list[float]
    new: list[int]
    tokens: list[float]
    """Of all calls so far; NaN from the first on that does not tell."""
    first: int
    """The call with the first relevant result; 0 where there is none."""

    @property
    def last(self) -> float:
        return self.recalls[-1] if self.recalls else 0.0

    @property
    def tokens_to_hit(self) -> float:
        return self.tokens[self.first - 1]


def _along_ids(ev: RankingEvaluation, made: Mapping[str, Sequence[Call]]) -> list[_Followed]:
    """Queries with relevant items, by the ids of what their calls found."""
    assert ev.judged is not None
    level = level_of(ev)
    gold = {
        id_text(q): {id_text(d) for d, grade in row.items() if grade >= level} for q, row in ev.judged.to_dict().items()
    }
    out = []
    for query in (q for q in ev.query_ids if gold.get(q)):
        seen: set[str] = set()
        recalls = []
        for call in made.get(query, ()):
            seen |= set(call.ids)
            recalls.append(len(gold[query] & seen) / len(gold[query]))
        first = next((j for j, recall in enumerate(recalls, 1) if recall), 0)
        out.append(_Followed(recalls, *_used(made.get(query, ())), first))
    return out


def _along_spans(spans: Spans, chunks: Chunks, made: Mapping[str, Sequence[Call]]) -> list[_Followed]:
    """Queries with needs, by what the pieces of their calls cover: one list of all calls, in their order."""
    together = Run.from_dict({query: {} for query in made}, name=chunks.name)
    together.pieces = {q: [entry for call in calls for entry in _entries(call, chunks)] for q, calls in made.items()}
    covered = covered_of(spans, Chunks(together, documents=spans.documents))
    first = covered.first(spans.reach)
    out = []
    for i in np.flatnonzero(covered.has_needs).tolist():
        calls = made.get(covered.query_ids[i], ())
        found = covered.found[covered.offsets[i] : covered.offsets[i + 1]]
        ends = np.cumsum([len(_entries(call, chunks)) for call in calls], dtype=np.int64)
        recalls = [float(found[end - 1] / covered.total[i]) if end else 0.0 for end in ends]
        hit = float(first[covered.needs[i] : covered.needs[i + 1]].min())
        at = int(np.searchsorted(ends, hit)) + 1 if isfinite(hit) else 0
        out.append(_Followed(recalls, *_used(calls), at))
    return out


def _entries(call: Call, chunks: Chunks) -> Sequence[Any]:
    """The pieces of a call, as `Chunks` reads them; ids of chunks where a table says which these are."""
    if call.pieces or not chunks.by_id:
        return call.pieces
    known = [chunks.by_id[name] for name in call.ids]
    return [{"text": ""} if piece.doc_id is None else piece._asdict() for piece in known]


def _used(calls: Sequence[Call]) -> tuple[list[int], list[float]]:
    """For each call how many results no call before it had, and the tokens of all so far."""
    seen: set[str] = set()
    new, tokens = [], []
    used = 0.0
    for call in calls:
        new.append(len(set(call.ids) - seen))
        seen |= set(call.ids)
        used += nan if call.tokens is None else call.tokens
        tokens.append(used)
    return new, tokens


def _step(j: int, followed: Sequence[_Followed], recalls: Array, level: float) -> CallStep:
    there = [x for x in followed if len(x.recalls) >= j]
    hits = sum(0 < x.first <= j for x in followed)
    added = recalls[:, j] - recalls[:, j - 1]
    used = [x.tokens[min(j, len(x.tokens)) - 1] for x in followed if x.tokens]
    return CallStep(
        call=j,
        queries=len(there),
        recall=_mean(recalls[:, j]),
        recall_interval=_interval(recalls[:, j], level, (0, 1)),
        added=_mean(added),
        added_interval=_interval(added, level, (0, 1)),
        hit=hits / len(followed),
        hit_interval=clopper_pearson(hits, len(followed), level),
        first=sum(x.first == j for x in followed),
        new=_mean(np.array([x.new[j - 1] for x in there], dtype=np.float64)),
        tokens=_mean(np.array(used, dtype=np.float64)),
    )


def _mean(values: Array) -> float:
    return float(values.mean()) if len(values) else nan


def _interval(values: Array, level: float, bounds: tuple[float, float]) -> Interval:
    found = Interval(nan, nan) if np.isnan(values).any() else t_interval(values, level)
    return found if isnan(found.low) else found.clipped(*bounds)
