"""Where does a pipeline lose its relevant items: at retrieval, at a stage that cuts, or in the last order?

A recommender or a search engine passes candidates from stage to stage, Top200 → Top50 → Top10. Each relevant item is
followed through the lists. With L_s the list of stage s and R the relevant items of a query:

    recall of s         |R ∩ L_s| / |R|
    retention of s      |R ∩ L_(s-1) ∩ L_s| / |R ∩ L_(s-1)|
    ceiling of s        nDCG@k of the judged items of L_s in descending order of gain; ideal = all judged items

The ceiling is what a perfect rest of the pipeline would reach, so ceilings of successive stages differ by what the
later stage costs at least, and that of the last stage exceeds the measured nDCG@k by what its order costs.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from math import fsum
from os import PathLike
from typing import Any

import numpy as np

from rankgauge._checks import whole
from rankgauge._claims import Claim, claimed, phrase
from rankgauge._numbers import counted
from rankgauge._numbers import number as written
from rankgauge._text import Text, joined
from rankgauge._version import __version__
from rankgauge.alignment import Alignment, Array
from rankgauge.alignment.segments import Segments
from rankgauge.data import Qrels
from rankgauge.data.columns import shares_columns
from rankgauge.data.judged_ids import item_names
from rankgauge.data.odd_ids import odd_ids_of
from rankgauge.evaluation.funnel.arguments import STAGES
from rankgauge.evaluation.funnel.lists import (
    StageList,
    opened,
    refuse_different_judgements,
)
from rankgauge.evaluation.funnel.record import CUT, NEVER, SHOWN, Funnel, FunnelStage, FunnelStep, Traced
from rankgauge.evaluation.rankings.policy import DEEPEST_RANK, Policy
from rankgauge.measures.dcg import log2_discount, nDCG
from rankgauge.statistics.intervals import Interval, check_level, t_interval

__all__ = ["Funnel", "FunnelStage", "FunnelStep", "funnel"]

_NAN = float("nan")


@shares_columns
def funnel(
    qrels: Any,
    stages: Any = None,
    *,
    k: int = 10,
    rel: float | None = None,
    cut: int | Mapping[str, int] | None = None,
    ties: str | None = None,
    policy: Policy | None = None,
    confidence_level: float = 0.95,
    columns: Mapping[str, str] | None = None,
) -> Funnel:
    """At which stage of a pipeline are relevant items lost?

    `stages` is a dict of runs by name, the first stage first, or a list of paths; runs and judgements may be
    anything that `evaluate` takes, and stages that hold their judgements go alone: `funnel({"recall": records, …})`.
    `k` is how many results of the last stage are shown, `rel` the lowest relevant grade (1 unless said).
    `policy=ev.policy` takes `ties`, `rel` and `scores` of an evaluation, words beside it win.
    `cut` takes only the first results of the stages' lists, of all or by name: `cut={"recall": 200}`.

    >>> f = funnel({"q1": ["a", "b", "c", "d"]}, {"recall": {"q1": ["a", "x", "b", "c"]}, "final": {"q1": ["x", "a"]}})
    >>> f["recall"].recall, f["final"].retention, f.worst_step
    (0.75, 0.3333333333333333, 'final')
    >>> dict(f.fates)
    {'never retrieved': 1, 'dropped at final': 2, 'cut by k': 0, 'shown': 1}

    All numbers are over the queries with relevant items; one that a stage does not have counts as an empty list.
    An item that is missing in the middle and comes back later is lost where it was seen for the last time. nDCG
    counts all grades, also those below `rel`. Only judged items are looked at, so leaks are counted among them.
    """
    whole("k", k, at_most=DEEPEST_RANK, caller="funnel")
    rules = STAGES.rules(policy, rel, ties)
    check_level(confidence_level)
    found = opened(STAGES, qrels, stages, cut, rules, columns)
    refuse_different_judgements(found.lists, STAGES.caller)
    followed = _Followed(found.lists, found.judged, k, rules.level, confidence_level)
    followed.files = found.files
    return followed.record(cut=found.depths, ties=rules.ties)


# the numbers


class _Followed:
    """The judged items of all stages side by side: rank[s, j] is that of item j at stage s, 0 = not there."""

    def __init__(self, lists: Sequence[StageList], judged: Qrels, k: int, rel: float, confidence_level: float) -> None:
        self.lists, self.judged, self.k, self.rel, self.level = lists, judged, int(k), rel, confidence_level
        first = lists[0]
        self.by_query: Segments = first.alignment.by_query
        self.grade = first.in_order(first.alignment.grade)
        self.rank = np.stack([x.in_order(x.alignment.rank) for x in lists])
        self.there = self.rank > 0
        self.relevant = first.in_order(first.alignment.relevant(rel))
        self.n_relevant = int(self.relevant.sum())
        self.files: list[str | PathLike[str]] = []

    def record(self, *, cut: Mapping[str, int], ties: str) -> Funnel:
        stages = self.stages()
        per_query = self.by_query.count(self.relevant)
        traced = self.traced()
        labels = [NEVER, *(f"dropped at {s.name}" for s in stages[1:]), CUT, SHOWN]
        counts = np.bincount(traced.fate, minlength=len(labels)).tolist()
        return Funnel(
            stages=stages,
            steps=self.steps(stages, labels, counts, self.avoidable(traced, len(labels) - 1)),
            fates=dict(zip(labels, counts, strict=True)),
            k=self.k,
            rel=self.rel,
            cut=cut,
            ties=ties,
            query_ids=list(self.lists[0].alignment.query_ids),
            n_judged=self.lists[0].n_judged,
            n_relevant=self.n_relevant,
            fit=_ratio(int(np.minimum(per_query, self.k).sum()), self.n_relevant),
            confidence_level=self.level,
            qrels=self.judged.name,
            warnings=_warnings(stages, len(per_query)),
            notes=[
                *self.judged.notes,
                *odd_ids_of(self.judged),
                *(note for x in self.lists for note in x.notes),
                *self.oddities(stages),
            ],
            version=__version__,
            traced=traced,
        )

    def stages(self) -> tuple[FunnelStage, ...]:
        out: list[FunnelStage] = []
        for i in range(len(self.lists)):
            out.append(self.stage(i, out[-1] if out else None))
        return tuple(out)

    def stage(self, i: int, before: FunnelStage | None) -> FunnelStage:
        x = self.lists[i]
        a = x.alignment
        held = self.by_query.count(self.relevant & self.there[i])
        shares = held / np.maximum(self.by_query.count(self.relevant), 1)
        low, high = self.interval(shares)
        candidates, relevant = int(a.retrieved.sum()), int(held.sum())
        leaked = self.there[i] & ~self.there[i - 1] if before else np.zeros(len(self.grade), dtype=bool)
        retention, pooled = self.retention(i) if before else (None, None)
        ndcg, ceiling = _quality(a, self.k)
        return FunnelStage(
            name=x.name,
            size=_mean(a.retrieved[~x.missing]),
            candidates=candidates,
            kept=_ratio(candidates, before.candidates) if before else None,
            relevant=relevant,
            recall=_mean(shares),
            recall_low=low,
            recall_high=high,
            recall_pooled=_ratio(relevant, self.n_relevant),
            retention=retention,
            retention_pooled=pooled,
            leaks=int(leaked.sum()),
            relevant_leaks=int((leaked & self.relevant).sum()),
            missing=int(x.missing.sum()),
            ndcg=ndcg,
            ceiling=ceiling,
        )

    def interval(self, values: Array) -> Interval:
        found = t_interval(values, self.level)
        return found if len(values) < 2 else found.clipped(0.0, 1.0)

    def retention(self, i: int) -> tuple[float, float]:
        """Over queries, and pooled."""
        had = self.relevant & self.there[i - 1]
        before, after = self.by_query.count(had), self.by_query.count(had & self.there[i])
        some = before > 0
        return _mean(after[some] / before[some]), _ratio(int(after.sum()), int(before.sum()))

    def traced(self) -> Traced:
        rows = np.flatnonzero(self.relevant)
        there, n = self.there[:, rows], len(self.lists)
        last = np.where(there.any(axis=0), n - 1 - there[::-1].argmax(axis=0), -1)
        rank = np.where(last >= 0, self.rank[last, rows], 0)
        # fates in order: never, dropped at the 2nd … nth stage, cut by k, shown
        fate = np.where((last == n - 1) & (rank <= self.k), n + 1, last + 1)
        return Traced(
            query=self.by_query.owner[rows],
            grade=self.grade[rows],
            fate=fate,
            last=last,
            rank=rank,
            names=item_names(self.judged, self.lists[0].rows[rows]),
            files=self.files,
        )

    def avoidable(self, traced: Traced, steps: int) -> list[int]:
        """What each step loses of the relevant items that the first k have room for."""
        n = len(self.by_query)
        left = [np.bincount(traced.query[traced.fate >= i], minlength=n) for i in range(steps + 1)]
        fits = [int(np.minimum(x, self.k).sum()) for x in left]
        return [before - after for before, after in pairwise(fits)]

    def steps(
        self, stages: Sequence[FunnelStage], fates: Sequence[str], counts: Sequence[int], avoidable: Sequence[int]
    ) -> tuple[FunnelStep, ...]:
        best = 1.0 if self.n_relevant else _NAN
        reached = [best, *(s.ceiling for s in stages), stages[-1].ndcg]
        names = [*(s.name for s in stages), f"top {self.k}"]
        left = self.n_relevant
        out = []
        rows = zip(names, fates, counts, avoidable, pairwise(reached), strict=False)
        for name, fate, lost, saved, (before, after) in rows:
            left -= lost
            out.append(
                FunnelStep(
                    name=name,
                    fate=fate,
                    lost=lost,
                    share=_ratio(lost, self.n_relevant),
                    remaining=left,
                    remaining_share=_ratio(left, self.n_relevant),
                    ndcg_before=before,
                    ndcg_after=after,
                    ndcg_lost=before - after,
                    avoidable=saved,
                    avoidable_share=_ratio(saved, self.n_relevant),
                )
            )
        return tuple(out)

    def oddities(self, stages: Sequence[FunnelStage]) -> list[str]:
        """Stages that do not look like a funnel: longer than the one before, or the same."""
        out: list[str] = []
        for i, (before, after) in enumerate(pairwise(stages)):
            if after.size > before.size:
                out.append(
                    Text(
                        f"{after.name} has longer lists than {before.name} ({written(after.size, 1)} and "
                        f"{written(before.size, 1)} results on average): are the stages in order?",
                        f"{after.name} 的列表比 {before.name} 更长（平均 {written(after.size, 1)} 与 "
                        f"{written(before.size, 1)} 条）：各阶段的顺序对吗？",
                    )
                )
            a, b = (self.lists[j].alignment.retrieved for j in (i, i + 1))
            if self.there[i].any() and np.array_equal(a, b) and np.array_equal(self.rank[i], self.rank[i + 1]):
                out.append(
                    Text(
                        f"{before.name} and {after.name} hold the same judged items at the same ranks",
                        f"{before.name} 与 {after.name} 的已标注条目及其排名完全相同",
                    )
                )
        return out


def _quality(a: Alignment, k: int) -> tuple[float, float]:
    """Mean nDCG@k of the list as it is, and of its judged items in the best order."""
    m = nDCG(k=k)
    dcg, ideal = m.ratio(a)
    held = np.where(a.shown, m.gains(a), 0.0)
    best = a.sum(a.best(held, k) * log2_discount(a.by_query.place + 1.0))
    return _mean(dcg / ideal), _mean(best / ideal)


def _warnings(stages: Sequence[FunnelStage], n_queries: int) -> list[str]:
    out: list[str] = []
    for before, after in pairwise(stages):
        if after.leaks:
            told = (
                "{0} shows judged items that {1} did not have: {2} ({3} relevant). It is no part of {1}, so losses are "
                "not what they seem",
                "{0} 展示了 {1} 中没有的已标注条目：{2} 个（其中相关 {3} 个）。它不是 {1} 的子集，"
                "因此损失并不如表面所示",
            )
            counts = (("leaks", after.leaks), ("relevant_leaks", after.relevant_leaks))
            said = [claimed(f"{n:,}", "count", n, what, after.name, before.name) for what, n in counts]
            out.append(phrase(*told, after.name, before.name, *said))
    for missing in sorted({s.missing for s in stages} - {0}):
        names = [s.name for s in stages if s.missing == missing]
        told = (
            f"{{}} {'lacks' if len(names) == 1 else 'each lack'} {{}} of {{}} with relevant items "
            "(counted as empty lists)",
            f"{{2}}有相关条目，其中 {{0}} {'' if len(names) == 1 else '各'}缺少 {{1}} 个（按空列表计）",
        )
        lacking = [Claim("count", missing, "missing_with_relevant", name) for name in names]
        queries = claimed(counted(n_queries, "query", "个查询"), "count", n_queries, "with_relevant")
        out.append(phrase(*told, joined(Text(", ", "、"), names), f"{missing:,}", queries, claims=lacking))
    return out


def _mean(values: Array) -> float:
    return fsum(values) / len(values) if len(values) else _NAN


def _ratio(part: int, whole: int) -> float:
    return part / whole if whole else _NAN
