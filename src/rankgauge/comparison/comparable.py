"""May these evaluations be compared at all? Same queries, same judgements, same policy, same measures, or an error."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rankgauge._show import show
from rankgauge.alignment import Array
from rankgauge.errors import InputError
from rankgauge.evaluation.rankings.record import RankingEvaluation

__all__ = ["refuse_disjoint", "refuse_incomparable"]


def refuse_incomparable(evaluations: Mapping[str, RankingEvaluation], labels: Sequence[str]) -> None:
    """Raise an error that names everything in which the evaluations differ."""
    for name, ev in evaluations.items():
        ev.refuse_without_queries(show(name))
    (first, base), *others = evaluations.items()
    problems: list[str] = []
    for name, ev in others:
        problems += _queries(first, base, name, ev)
        problems += _judgements(first, base, name, ev)
        problems += _policy(first, base, name, ev)
        problems += _weights(first, base, name, ev)
        for label in labels:
            mine, theirs = str(base.column(label).measure), str(ev.column(label).measure)
            if mine != theirs:
                problems.append(f"{label} is {mine} in {show(first)} and {theirs} in {show(name)}.")
    if problems:
        raise InputError.collect("not comparable: ", problems)


def refuse_disjoint(evaluations: Mapping[str, RankingEvaluation], labels: Sequence[str]) -> None:
    """Raise an error where nothing can be paired although both systems have something to show."""
    (first, base), *others = evaluations.items()
    for name, ev in others:
        if base.aligned is not None and ev.aligned is not None:
            answered = [_ids(x, ~x.aligned.missing) for x in (base, ev) if x.aligned is not None]
            _refuse("no query has results in both", first, name, *answered)
        for label in labels:
            counted = [_ids(x, x.column(label).counted) for x in (base, ev)]
            _refuse(f"no query counts in {label} of both", first, name, *counted)


def _ids(ev: RankingEvaluation, chosen: Array) -> list[str]:
    return [q for q, ok in zip(ev.query_ids, chosen.tolist(), strict=True) if ok]


def _refuse(what: str, first: str, name: str, a: list[str], b: list[str]) -> None:
    if not a or not b or not set(a).isdisjoint(b):
        return
    found = ", ".join(f"{len(x):,} only in {show(owner)} ({_shown(x)})" for owner, x in ((first, a), (name, b)))
    raise InputError(
        f"compare() pairs by query, but {what}: {found}. Give both systems the same queries. Independent groups of "
        "queries need another call: rg.experiments.compare_ratios(rg.experiments.ratio(values_a), "
        "rg.experiments.ratio(values_b)), with the values of each group."
    )


def _shown(ids: Sequence[str]) -> str:
    return ", ".join(ids[:3]) + ("…" if len(ids) > 3 else "")


def _queries(first: str, base: RankingEvaluation, name: str, ev: RankingEvaluation) -> list[str]:
    a, b = set(base.query_ids), set(ev.query_ids)
    out = []
    for owner, extra, size in ((first, a - b, len(a)), (name, b - a, len(b))):
        if extra:
            out.append(f"{len(extra):,} of {size:,} queries are only in {show(owner)} ({_shown(sorted(extra))}).")
    return out


def _judgements(first: str, base: RankingEvaluation, name: str, ev: RankingEvaluation) -> list[str]:
    if base.judged is not None and base.judged is ev.judged:
        return []
    a, b = base.fingerprint.get("judgements"), ev.fingerprint.get("judgements")
    if a is None or b is None or a == b or set(base.query_ids) != set(ev.query_ids):
        return []
    return [
        f"the judgements of {show(first)} and {show(name)} differ ({a} and {b}): one of them is stale. "
        "Evaluate both against the same judgements."
    ]


def _policy(first: str, base: RankingEvaluation, name: str, ev: RankingEvaluation) -> list[str]:
    a, b = (
        {**base.policy.to_dict(), "convention": base.convention},
        {**ev.policy.to_dict(), "convention": ev.convention},
    )
    changed = [f"{k}={a[k]} and {b[k]}" for k in a if a[k] != b[k]]
    return (
        [f"{show(first)} and {show(name)} were evaluated under other policies: {', '.join(changed)}."]
        if changed
        else []
    )


def _weights(first: str, base: RankingEvaluation, name: str, ev: RankingEvaluation) -> list[str]:
    if base.policy.average != "weighted" or base.weights is None or ev.weights is None:
        return []
    theirs = dict(zip(ev.query_ids, ev.weights.tolist(), strict=True))
    changed = [q for q, w in zip(base.query_ids, base.weights.tolist(), strict=True) if theirs.get(q, w) != w]
    if not changed:
        return []
    return [f"{len(changed):,} queries have other weights in {show(first)} than in {show(name)} ({_shown(changed)})."]
