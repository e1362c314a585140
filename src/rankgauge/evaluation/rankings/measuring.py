"""The measures of some queries, and how the measures of several parts make those of the whole.

A query's value never depends on which other queries are evaluated beside it, so parts of a run can be measured
one after the other or on different machines: values are put together, counts add up.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np

from rankgauge._show import show
from rankgauge._text import Text
from rankgauge.alignment import Alignment, Array
from rankgauge.alignment.aligned import Aligned
from rankgauge.alignment.ties import arranged, condensed, fractional, truncated
from rankgauge.data.pieces import in_queries
from rankgauge.errors import InputError, ParameterError
from rankgauge.evaluation.counts import LONGEST, added_up, judged_at
from rankgauge.evaluation.rankings.naming import Named
from rankgauge.evaluation.rankings.policy import Policy
from rankgauge.evaluation.rankings.record import Column
from rankgauge.evaluation.rankings.suspicion import EVIDENCE, evidence
from rankgauge.measures._tie_orders import ALL, AT_HAND, expectation, extremes, is_taken_apart
from rankgauge.measures.base import Measure, divide

__all__ = [
    "Measured",
    "counts_of",
    "depth_of",
    "joined",
    "levelled",
    "measured",
    "refuse",
    "refuse_nothing",
    "shaped",
    "under",
]

M = TypeVar("M", bound=Measure)


@dataclass(frozen=True, eq=False)
class Measured:
    """Values of some queries, and what was counted on the way."""

    query_ids: Sequence[str]
    columns: Sequence[Column]
    missing: Array
    """Queries without a result list, as a mask."""
    tally: Mapping[str, int]
    """Counts that add up over parts."""
    lengths: Array
    """How many results each list has, as far as the policy lets it go."""


def measured(aligned: Aligned, wanted: Sequence[Named], policy: Policy) -> Measured:
    """The measures of one alignment under one policy."""
    raw = aligned.alignment
    plain = raw.groups is None and raw.repeats is None and raw.gains is None and not any(m.custom for _, m in wanted)
    if not plain or len(raw.grade) <= _PIECE or raw.tied.any():  # how many orders are tried is decided for all queries
        return _measured(aligned, wanted, policy)
    try:
        parts = in_queries(lambda some: _measured(aligned.part(some), wanted, policy), raw.by_query.lengths, _PIECE)
    except InputError:  # which speaks of what it saw
        return _measured(aligned, wanted, policy)
    return joined(parts)


_PIECE = 1 << 16  # judged items that are measured together: what belongs to them stays in the cache


def _measured(aligned: Aligned, wanted: Sequence[Named], policy: Policy) -> Measured:
    raw = aligned.alignment
    included = ~aligned.missing if policy.missing == "skip" else np.ones(raw.n_queries, dtype=bool)
    a = shaped(raw, "doc_id" if policy.ties == "expected" else policy.ties, policy)
    tied = None
    if raw.tied.any():  # elsewhere every order is the best and the worst
        tied = _Tied(raw.tied, shaped(raw if raw.tied.all() else raw.of_queries(raw.tied), "expected", policy))
    found = [_column(label, m, a, tied, included, policy) for label, m in wanted]
    columns = [c for c, _ in found]
    level = 1 if policy.rel is None else policy.rel
    tally = _tally(aligned, columns, included, [~defined for c, defined in found if c.measure.relevance], level)
    tally |= _exhausted(raw, columns, policy)
    tally[LONGEST] = int(a.retrieved.max(initial=0))
    return Measured(list(a.query_ids), columns, aligned.missing, tally, a.retrieved)


def joined(parts: Sequence[Measured], order: Array | None = None) -> Measured:
    """Several parts as one, with their queries in this order, or one part after the other."""
    columns = []

    def in_order(pieces: Sequence[Array]) -> Array:
        whole: Array = np.concatenate(pieces)
        return whole if order is None else whole[order]

    for same in zip(*(part.columns for part in parts), strict=True):
        tied = any(c.best is not None for c in same)

        def whole(name: str, same: tuple[Column, ...] = same, tied: bool = tied) -> Array | None:
            pieces = [getattr(c, name) for c in same]
            if name in ("best", "worst") and tied:  # without ties every order is the best and the worst
                pieces = [c.values if p is None else p for c, p in zip(same, pieces, strict=True)]
            return None if any(p is None for p in pieces) else in_order(pieces)

        arrays = [whole(name) for name in ("values", "counted", "numerator", "denominator", "best", "worst")]
        columns.append(Column(same[0].label, same[0].measure, *arrays))  # type: ignore[arg-type]
    ids = [q for part in parts for q in part.query_ids]
    return Measured(
        ids if order is None else [ids[i] for i in order.tolist()],
        columns,
        in_order([part.missing for part in parts]),
        added_up(part.tally for part in parts),
        in_order([part.lengths for part in parts]),
    )


def refuse_nothing(tally: Mapping[str, int], qrels: str, run: str) -> None:
    """Raise where there is nothing to evaluate: neither a judged query nor any query of the run at all."""
    if not tally["queries"]:
        raise InputError(
            Text(
                f"qrels {show(qrels)}: must hold at least one query, got none.",
                f"qrels {show(qrels)}：至少要有一个查询，实际没有。",
            )
        )
    if tally["missing"] == tally["queries"] and not tally["not_judged"]:
        raise InputError(
            Text(
                f"run {show(run)}: must hold at least one query, got none.",
                f"run {show(run)}：至少要有一个查询，实际没有。",
            )
        )


def refuse(policy: Policy, tally: Mapping[str, int], missing_ids: Sequence[str]) -> None:
    """Raise what the policy calls an error."""
    if policy.duplicates == "error" and (n := tally["duplicates"]):
        raise InputError(
            Text(
                f"run: {n:,} results repeat an item of the same list. Remove them, or pass duplicates='first'.",
                f"run：有 {n:,} 条结果在同一列表中重复了某个文档。请去掉它们，或传入 duplicates='first'。",
            )
        )
    if policy.missing == "error" and (n := tally["missing"]):
        raise InputError(
            Text(
                f"run: {n:,} of {tally['queries']:,} judged queries have no results "
                f"({', '.join(missing_ids[:3])}{'…' if n > 3 else ''}). Pass missing='zero' or missing='skip'.",
                f"run：{tally['queries']:,} 个有标注的查询中有 {n:,} "
                f"个没有结果（{', '.join(missing_ids[:3])}{'…' if n > 3 else ''}）。请传入 missing='zero' 或 "
                "missing='skip'。",
            )
        )


def shaped(a: Alignment, ties: str, policy: Policy, m: Measure | None = None) -> Alignment:
    """The alignment under a tie rule, without what the policy leaves out.

    Lists are cut before their unjudged results are taken out, as by trec_eval -M and -J. With ties="expected" tie
    blocks stay whole where the depth cuts into them, and keep what is not judged: which of it is left depends on the
    order, and measures see to it (`under`). The best and the worst order are those of a measure, or by grade.
    """
    cut, removes = policy.depth is not None, policy.unjudged == "remove"
    if removes and not cut:
        a = condensed(a)
    if policy.depth is not None:
        a = truncated(a, policy.depth, blocks=ties in ("best", "worst", "expected"))
    if ties in ("best", "worst"):
        merit = None if m is None else m.merit(a)
        a = arranged(a, a.grade if merit is None else merit, worst=ties == "worst")[0]
    return condensed(a) if removes and cut and ties != "expected" else a


def levelled(m: M, policy: Policy) -> M:
    """The measure at the relevance level of the policy, unless it says its own."""
    is_open = policy.rel is not None and "rel" in m.params and m.rel == m.params["rel"].default == 1  # type: ignore[attr-defined]
    return m.replace(rel=policy.rel) if is_open else m


def under(m: Measure, policy: Policy) -> Measure:
    """The measure that does to a list with whole tie blocks what the policy does to one in order."""
    removes = policy.unjudged == "remove" and policy.depth is not None
    return m.replace(judged_only=True) if removes else m


@dataclass(frozen=True, eq=False)
class _Tied:
    """Queries with tied results, and their lists with whole tie blocks."""

    queries: Array
    """As a mask of all queries."""
    lists: Alignment


def _column(
    label: str, m: Measure, a: Alignment, tied: _Tied | None, included: Array, policy: Policy
) -> tuple[Column, Array]:
    """The values of a measure, and the queries of which it says something."""
    m = levelled(m, policy)
    a = m.reading(a)
    m = m.bind(a)
    defined, values = m.says(a), m.values(a)
    counted = included.copy()
    if m.summary == "none":
        return Column(label, m, values, counted), defined
    word = policy.no_relevant_for(m.name)
    answer = {"zero": 0.0, "one": 1.0, "nan": np.nan, "skip": np.nan}[word]
    values = np.where(defined, values, answer)
    if m.budget is not None:  # another order of tied results would end elsewhere: there is one
        tied = None
    ends = None if tied is None else _ends(under(m, policy), values, tied, answer, policy)
    if tied is not None and policy.ties in ("best", "worst", "expected"):
        if policy.ties == "expected":
            values[tied.queries] = expectation(under(m, policy), tied.lists, answer)
        elif ends is not None:
            values = ends[0 if policy.ties == "best" else 1].copy()
    if word == "skip":
        counted &= defined if tied is None else defined | ~np.isnan(values)  # some order may be enough
    numerator = denominator = None
    if policy.average == "micro" and m.has_ratio:
        numerator, denominator = _ratio(m, a, tied, values, policy)
    best = worst = None
    if ends is not None and m.summary in ("mean", "geometric"):
        best, worst = ends
    return Column(label, m, values, counted, numerator, denominator, best, worst), defined


def _ends(m: Measure, values: Array, tied: _Tied, answer: float, policy: Policy) -> tuple[Array, Array] | None:
    """The best and the worst value of each query, as far as they are wanted."""
    asked = policy.ties in ("best", "worst")
    if not asked and m.summary not in ("mean", "geometric"):
        return None
    low, high = extremes(m, tied.lists, answer, ALL if asked else AT_HAND)
    best, worst = values.copy(), values.copy()
    best[tied.queries], worst[tied.queries] = (high, low) if m.direction > 0 else (low, high)
    return best, worst


def _ratio(asked: Measure, a: Alignment, tied: _Tied | None, values: Array, policy: Policy) -> tuple[Array, Array]:
    """Numerator and denominator of each query, to be pooled."""
    m = under(asked, policy)

    def of(a: Alignment) -> tuple[Array, Array]:
        return m.ratio(condensed(a) if m.judged_only else a)

    numerator, denominator = of(a)
    if tied is None or policy.ties not in ("best", "worst", "expected"):
        return numerator, denominator
    if is_taken_apart(m, tied.lists):
        raise ParameterError(
            Text(
                f"{asked}: average='micro' pools what each query is divided by, and with ties={show(policy.ties)} and "
                "a "
                "cut inside tied results that depends on their order. Pass average='macro', or ties='doc_id' or "
                "'input'.",
                f"{asked}：average='micro' 要合并各查询的分母，而在 ties={show(policy.ties)} "
                "且截断落在并列结果中时，分母取决于它们的顺序。请传入 average='macro'，或 ties='doc_id' 或 "
                "'input'。",
            )
        )
    lists = tied.lists
    if policy.ties == "expected":
        lists = fractional(lists) if m.additive else lists
    else:
        merit = m.merit(lists)
        lists = arranged(lists, lists.grade if merit is None else merit, worst=policy.ties == "worst")[0]
    numerator, denominator = numerator.astype(np.float64), denominator.copy()
    numerator[tied.queries], denominator[tied.queries] = of(lists)
    # where copies of an item stand in its tie block, the value knows better
    off = np.abs(divide(numerator, denominator) - values) > 1e-12
    numerator[off] = (values * denominator)[off]
    return numerator, denominator


def depth_of(measures: Sequence[Measure]) -> int:
    """The k of judged@k: that of the first measure of judged results that has one."""
    return next((m.cutoff for m in measures if m.cutoff is not None and "shown" not in m.needs), 10)


def _tally(
    aligned: Aligned, columns: Sequence[Column], included: Array, without: Sequence[Array], level: float
) -> dict[str, int]:
    """`without`: for each measure that asks for something relevant, the queries that have nothing."""
    raw, k = aligned.alignment, depth_of([c.measure for c in columns])
    places = raw.places
    tied = np.zeros(raw.n_queries, dtype=bool)
    for c in columns:
        tied |= c.tie_queries
    return {
        "queries": raw.n_queries,
        "evaluated": int(included.sum()),
        "missing": int(aligned.missing.sum()),
        "empty_lists": int(np.count_nonzero((raw.retrieved == 0) & ~aligned.missing)),
        **_without_relevant(raw, [c.label for c in columns if c.measure.relevance], without),
        **{
            f"{_LEFT_OUT}{c.label}": int(np.count_nonzero(included & ~c.counted))
            for c in columns
            if c.measure.relevance
        },
        "not_judged": aligned.extra_queries,
        "results": int(raw.retrieved.sum()),
        "judgements": raw.n_judged,
        "relevant": int(np.count_nonzero(raw.relevant(level))),
        "duplicates": aligned.duplicates,
        "duplicate_queries": int(np.count_nonzero(aligned.repeats)),
        "nan_scores": aligned.nan_scores,
        "tied_queries": int(tied.sum()),
        "top": 0 if raw.gains is not None else int(np.minimum(raw.retrieved, k).sum()),  # spans leave nothing unjudged
        "top_judged": int(np.count_nonzero(places.shown & (places.rank <= k))),
        **evidence(raw),
    }


_BY = "without_relevant:"
_LEFT_OUT = "left_out:"
_EXHAUSTED = "exhausted:"
_UNFIT = "unfit:"


def _exhausted(a: Alignment, columns: Sequence[Column], policy: Policy) -> dict[str, int]:
    """For each measure with a budget the lists that end before it, though there is room, and those that do not begin:
    not even the first result fits."""
    out = {}
    for c in columns:
        if a.costs is not None and c.measure.budget is not None:
            depths = [k for k in (policy.depth, c.measure.cutoff) if k is not None]
            out[f"{_EXHAUSTED}{c.label}"] = int(a.costs.exhausted(c.measure.budget, min(depths, default=None)).sum())
            out[f"{_UNFIT}{c.label}"] = int(a.costs.unfit(c.measure.budget).sum())
    return out


def _without_relevant(a: Alignment, labels: Sequence[str], without: Sequence[Array]) -> dict[str, int]:
    """Queries that have nothing relevant: for each measure that asks, as it asks, and for all of them.

    Gains ask for a gain above 0, other measures for a grade of `rel`.
    """
    by = {f"{_BY}{label}": int(mask.sum()) for label, mask in zip(labels, without, strict=True)}
    nothing = np.logical_and.reduce(without) if without else a.n_relevant() == 0
    return {"without_relevant": int(nothing.sum()), **by}


def counts_of(tally: Mapping[str, int], measures: Sequence[Measure], policy: Policy) -> dict[str, Any]:
    """What went into the numbers, and what did not."""
    kept = {name: n for name, n in tally.items() if name not in EVIDENCE and name != LONGEST}
    parts = (_BY, _LEFT_OUT, _EXHAUSTED, _UNFIT)
    counts: dict[str, Any] = {name: n for name, n in kept.items() if not name.startswith(parts)}
    by, left_out, exhausted, unfit = (
        {name.removeprefix(key): n for name, n in kept.items() if name.startswith(key)} for key in parts
    )
    if any(exhausted.values()):
        counts["exhausted_by"] = exhausted
    if any(unfit.values()):
        counts["unfit_by"] = unfit
    if set(by.values()) - {counts["without_relevant"]}:  # measures do not agree
        counts["without_relevant_by"] = by
    if len({policy.no_relevant_for(m.name) for m in measures if m.relevance}) > 1:  # nor does the policy for them
        counts["left_out_by"] = left_out
    top, top_judged = counts.pop("top"), counts.pop("top_judged")
    counts[judged_at(depth_of(measures))] = top_judged / top if top else None
    return counts
