"""May these evaluations be compared at all? Same queries, same judgements, same policy, same measures, or an error."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rankgauge._show import show
from rankgauge._text import Text, joined, zh
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
                problems.append(
                    Text(
                        f"{label} is {mine} in {show(first)} and {theirs} in {show(name)}.",
                        f"{label} 在 {show(first)} 中是 {mine}，在 {show(name)} 中是 {theirs}。",
                    )
                )
    if problems:
        raise InputError.collect(Text("not comparable: ", "无法比较："), problems)


def refuse_disjoint(evaluations: Mapping[str, RankingEvaluation], labels: Sequence[str]) -> None:
    """Raise an error where nothing can be paired although both systems have something to show."""
    (first, base), *others = evaluations.items()
    for name, ev in others:
        if base.aligned is not None and ev.aligned is not None:
            answered = [_ids(x, ~x.aligned.missing) for x in (base, ev) if x.aligned is not None]
            _refuse(Text("no query has results in both", "没有查询在双方都有结果"), first, name, *answered)
        for label in labels:
            counted = [_ids(x, x.column(label).counted) for x in (base, ev)]
            _refuse(Text(f"no query counts in {label} of both", f"没有查询在双方都计入 {label}"), first, name, *counted)


def _ids(ev: RankingEvaluation, chosen: Array) -> list[str]:
    return [q for q, ok in zip(ev.query_ids, chosen.tolist(), strict=True) if ok]


def _refuse(what: str, first: str, name: str, a: list[str], b: list[str]) -> None:
    if not a or not b or not set(a).isdisjoint(b):
        return
    found = joined(
        Text(", ", "，"),
        (
            Text(
                f"{len(x):,} only in {show(owner)} ({_shown(x)})", f"{len(x):,} 个只在 {show(owner)} 中（{_shown(x)}）"
            )
            for owner, x in ((first, a), (name, b))
        ),
    )
    raise InputError(
        Text(
            f"compare() pairs by query, but {what}: {found}. Give both systems the same queries. Independent groups of "
            "queries need another call: rg.experiments.compare_ratios(rg.experiments.ratio(values_a), "
            "rg.experiments.ratio(values_b)), with the values of each group.",
            f"compare() 按查询配对，但{zh(what)}：{zh(found)}。请让两个系统使用相同的查询。"
            "相互独立的查询组要用另一个调用：rg.experiments.compare_ratios(rg.experiments.ratio(values_a), "
            "rg.experiments.ratio(values_b))，传入各组的数值。",
        )
    )


def _shown(ids: Sequence[str]) -> str:
    return ", ".join(ids[:3]) + ("…" if len(ids) > 3 else "")


def _queries(first: str, base: RankingEvaluation, name: str, ev: RankingEvaluation) -> list[str]:
    a, b = set(base.query_ids), set(ev.query_ids)
    out: list[str] = []
    for owner, extra, size in ((first, a - b, len(a)), (name, b - a, len(b))):
        if extra:
            out.append(
                Text(
                    f"{len(extra):,} of {size:,} queries are only in {show(owner)} ({_shown(sorted(extra))}).",
                    f"{size:,} 个查询中有 {len(extra):,} 个只在 {show(owner)} 中（{_shown(sorted(extra))}）。",
                )
            )
    return out


def _judgements(first: str, base: RankingEvaluation, name: str, ev: RankingEvaluation) -> list[str]:
    if base.judged is not None and base.judged is ev.judged:
        return []
    a, b = base.fingerprint.get("judgements"), ev.fingerprint.get("judgements")
    if a is None or b is None or a == b or set(base.query_ids) != set(ev.query_ids):
        return []
    return [
        Text(
            f"the judgements of {show(first)} and {show(name)} differ ({a} and {b}): one of them is stale. "
            "Evaluate both against the same judgements.",
            f"{show(first)} 与 {show(name)} 的标注不同（{a} 和 {b}）：其中一个已经过时。请用同一份标注评测两者。",
        )
    ]


def _policy(first: str, base: RankingEvaluation, name: str, ev: RankingEvaluation) -> list[str]:
    a, b = (
        {**base.policy.to_dict(), "convention": base.convention},
        {**ev.policy.to_dict(), "convention": ev.convention},
    )
    changed = [Text(f"{k}={a[k]} and {b[k]}", f"{k}={a[k]} 与 {b[k]}") for k in a if a[k] != b[k]]
    differ = joined(Text(", ", "，"), changed)
    return (
        [
            Text(
                f"{show(first)} and {show(name)} were evaluated under other policies: {differ}.",
                f"{show(first)} 与 {show(name)} 的评测策略不同：{zh(differ)}。",
            )
        ]
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
    return [
        Text(
            f"{len(changed):,} queries have other weights in {show(first)} than in {show(name)} ({_shown(changed)}).",
            f"有 {len(changed):,} 个查询在 {show(first)} 和 {show(name)} 中的权重不同（{_shown(changed)}）。",
        )
    ]
