"""May these evaluations be compared at all? Same queries, same judgements, same policy, same measures, or an error."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rankgauge._show import show
from rankgauge.errors import InputError
from rankgauge.evaluation.ranking_record import RankingEvaluation

__all__ = ["refuse_incomparable"]


def refuse_incomparable(evaluations: Mapping[str, RankingEvaluation], labels: Sequence[str]) -> None:
    """Raise an error that names everything in which the evaluations differ."""
    (first, base), *others = evaluations.items()
    problems: list[str] = []
    for name, ev in others:
        problems += _queries(first, base, name, ev)
        problems += _judgements(first, base, name, ev)
        problems += _policy(first, base, name, ev)
        for label in labels:
            mine, theirs = str(base.column(label).measure), str(ev.column(label).measure)
            if mine != theirs:
                problems.append(f"{label} is {mine} in {show(first)} and {theirs} in {show(name)}.")
    if problems:
        raise InputError.collect("not comparable: ", problems)


def _queries(first: str, base: RankingEvaluation, name: str, ev: RankingEvaluation) -> list[str]:
    a, b = set(base.query_ids), set(ev.query_ids)
    out = []
    for owner, extra, size in ((first, a - b, len(a)), (name, b - a, len(b))):
        if extra:
            shown = ", ".join(sorted(extra)[:3]) + ("…" if len(extra) > 3 else "")
            out.append(f"{len(extra):,} of {size:,} queries are only in {show(owner)} ({shown}).")
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
