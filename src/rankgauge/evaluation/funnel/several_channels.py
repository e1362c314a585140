"""What does each way of retrieval add: alone, and beyond the others?

Candidates come from several channels (collaborative filtering, vectors, words, what is popular) and are merged. With
L_c the list of channel c and R the relevant items of a query:

    recall of c       |R ∩ L_c| / |R|
    recall of all     |R ∩ ∪ L_c| / |R|
    c adds            recall of all − recall of all but c               what would be lost without it
    only in c         |R ∩ L_c − ∪ other lists|

Means are over the queries with relevant items; what a channel adds is a paired difference with an interval of its own.
Only judged items are looked at: results that nobody judged overlap, or not, unseen.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from math import fsum
from os import PathLike
from typing import Any

import numpy as np

from rankgauge._checks import whole
from rankgauge._claims import claimed, phrase
from rankgauge._numbers import counted
from rankgauge._piped import taken_in
from rankgauge._text import Text
from rankgauge._version import __version__
from rankgauge.alignment import Array
from rankgauge.data import Qrels
from rankgauge.data.columns import shares_columns
from rankgauge.data.judged_ids import item_names
from rankgauge.data.odd_ids import odd_ids_of
from rankgauge.evaluation.funnel.arguments import CHANNELS
from rankgauge.evaluation.funnel.channels_record import Addition, Channel, Channels, FoundItems, Overlap
from rankgauge.evaluation.funnel.lists import (
    StageList,
    opened,
    refuse_different_judgements,
    stage_list,
)
from rankgauge.evaluation.rankings.policy import DEEPEST_RANK, Policy
from rankgauge.statistics.intervals import Interval, check_level, t_interval

__all__ = ["channels"]

_FINAL = "final"


@shares_columns
def channels(
    qrels: Any,
    channels: Any = None,
    *,
    k: int | Mapping[str, int] | None = None,
    final: Any = None,
    shown: int = 10,
    rel: float | None = None,
    ties: str | None = None,
    policy: Policy | None = None,
    confidence_level: float = 0.95,
    columns: Mapping[str, str] | None = None,
) -> Channels:
    """What does each recall channel find, and what does it add beyond the others?

    `channels` is a dict of runs by name, or a list of paths; runs and judgements may be anything that `evaluate` takes.
    `k` takes only the first results of each, of all or by name: `k={"cf": 200, "ann": 100}`. `final` is the list that
    comes out at the end of the pipeline: then each channel also tells how many relevant items among its first `shown`
    it had, and alone. `rel`, `ties` and `policy` are those of `rg.funnel`.

    >>> found = channels({"q": ["a", "b", "c", "d"]}, {"cf": {"q": ["a", "b", "x"]}, "ann": {"q": ["b", "y", "c"]}})
    >>> found.recall, [(c.name, c.recall, c.only, c.adds) for c in found.channels]
    (0.75, [('cf', 0.5, 1, 0.25), ('ann', 0.5, 1, 0.25)])
    """
    whole("shown", shown, at_most=DEEPEST_RANK, caller="channels")
    rules = CHANNELS.rules(policy, rel, ties)
    check_level(confidence_level)
    read = opened(CHANNELS, qrels, channels, k, rules, columns)
    last, files = None, read.files
    if final is not None:
        final = taken_in(final)
        last = stage_list(read.judged, read.qrels, _FINAL, final, shown, rules, columns)
        files = [*files, *([final] if isinstance(final, (str, PathLike)) else [])]
    refuse_different_judgements([*read.lists, *([] if last is None else [last])], CHANNELS.caller)
    sides = _Sides(read.lists, last, read.judged, rules.level, confidence_level)
    return sides.record(read.depths, rules.ties, shown, files)


class _Sides:
    """The relevant items of all channels side by side: there[c, j] says whether channel c has item j."""

    def __init__(
        self, lists: Sequence[StageList], last: StageList | None, judged: Qrels, rel: float, level: float
    ) -> None:
        self.lists, self.last, self.judged, self.rel, self.level = lists, last, judged, rel, level
        a = lists[0].alignment
        self.by_query = a.by_query
        self.relevant = lists[0].in_order(a.relevant(rel))
        self.grade = lists[0].in_order(a.grade)
        self.there = np.stack([self.held(x) for x in lists])
        self.shown = None if last is None else self.held(last)
        self.per_query = self.by_query.count(self.relevant)
        self.n_relevant = int(self.relevant.sum())

    def held(self, x: StageList) -> Array:
        """Relevant items in the lists."""
        found: Array = (x.in_order(x.alignment.rank) > 0) & self.relevant
        return found

    def recalls(self, held: Array) -> Array:
        """The recall of each query."""
        out: Array = self.by_query.count(held) / np.maximum(self.per_query, 1)
        return out

    def interval(self, values: Array, low: float = 0.0) -> Interval:
        found = t_interval(values, self.level)
        return found if len(values) < 2 else found.clipped(low, 1.0)

    def without(self, c: int) -> Array:
        return np.asarray(np.delete(self.there, c, axis=0).any(axis=0))

    def record(
        self, depths: Mapping[str, int], ties: str, shown: int, files: Sequence[str | PathLike[str]]
    ) -> Channels:
        everything = np.asarray(self.there.any(axis=0))
        recalls = self.recalls(everything)
        low, high = self.interval(recalls)
        rows = np.flatnonzero(self.relevant)
        counts = np.bincount(self.there[:, rows].sum(axis=0), minlength=len(self.lists) + 1)
        return Channels(
            channels=tuple(self.channel(c, recalls) for c in range(len(self.lists))),
            overlaps=tuple(self.overlap(a, b) for a, b in combinations(range(len(self.lists)), 2)),
            order=self.order(),
            recall=_mean(recalls),
            recall_low=low,
            recall_high=high,
            recall_pooled=_ratio(int(everything.sum()), self.n_relevant),
            by_count=tuple(counts.tolist()),
            rel=self.rel,
            cut=depths,
            ties=ties,
            query_ids=list(self.lists[0].alignment.query_ids),
            n_judged=self.lists[0].n_judged,
            n_relevant=self.n_relevant,
            shown=0 if self.shown is None else shown,
            n_shown=0 if self.shown is None else int(self.shown.sum()),
            confidence_level=self.level,
            qrels=self.judged.name,
            warnings=self.warnings(everything),
            notes=[*self.judged.notes, *odd_ids_of(self.judged), *(note for x in self.lists for note in x.notes)],
            version=__version__,
            found=FoundItems(
                query=self.by_query.owner[rows],
                grade=self.grade[rows],
                there=self.there[:, rows],
                names=item_names(self.judged, self.lists[0].rows[rows]),
                files=files,
            ),
        )

    def channel(self, c: int, all_recalls: Array) -> Channel:
        x, held, others = self.lists[c], self.there[c], self.without(c)
        alone, rest = self.recalls(held), self.recalls(others)
        low, high = self.interval(alone)
        adds_low, adds_high = self.interval(all_recalls - rest)
        only = held & ~others
        saved = (self.by_query.count(held) > 0) & (self.by_query.count(others) == 0)
        return Channel(
            name=x.name,
            size=_mean(x.alignment.retrieved[~x.missing]),
            relevant=int(held.sum()),
            recall=_mean(alone),
            recall_low=low,
            recall_high=high,
            recall_pooled=_ratio(int(held.sum()), self.n_relevant),
            only=int(only.sum()),
            only_queries=int(saved.sum()),
            without=_mean(rest),
            adds=_mean(all_recalls - rest),
            adds_low=adds_low,
            adds_high=adds_high,
            missing=int(x.missing.sum()),
            shown=None if self.shown is None else int((held & self.shown).sum()),
            only_shown=None if self.shown is None else int((only & self.shown).sum()),
        )

    def overlap(self, a: int, b: int) -> Overlap:
        first, second = self.there[a], self.there[b]
        both, either = int((first & second).sum()), int((first | second).sum())
        return Overlap(
            first=self.lists[a].name,
            second=self.lists[b].name,
            both=both,
            of_first=_ratio(both, int(first.sum())),
            of_second=_ratio(both, int(second.sum())),
            jaccard=_ratio(both, either),
        )

    def order(self) -> tuple[Addition, ...]:
        """At each step the channel that raises the mean recall most, the first of equals."""
        left, held, reached = list(range(len(self.lists))), np.zeros(len(self.relevant), dtype=bool), 0.0
        out: list[Addition] = []
        while left:
            values = {c: _mean(self.recalls(held | self.there[c])) for c in left}
            best = max(left, key=lambda c: (values[c], -c))
            out.append(Addition(name=self.lists[best].name, recall=values[best], added=values[best] - reached))
            held, reached = held | self.there[best], values[best]
            left.remove(best)
        return tuple(out)

    def warnings(self, everything: Array) -> list[str]:
        out: list[str] = []
        for x in self.lists:
            if n := int(x.missing.sum()):
                told = (
                    "{} lacks {} of {} with relevant items (counted as empty lists)",
                    "{2}有相关条目，其中 {0} 缺少 {1} 个（按空列表计）",
                )
                lacking = claimed(f"{n:,}", "count", n, "missing_with_relevant", x.name)
                total = len(self.per_query)
                queries = claimed(counted(total, "query", "个查询"), "count", total, "with_relevant")
                out.append(phrase(*told, x.name, lacking, queries))
        leaked = 0 if self.shown is None else int((self.shown & ~everything).sum())
        if leaked:
            words = counted(leaked, "relevant item", "个相关条目")
            out.append(
                Text(
                    f"the final list shows {words.en} that no channel has: it does not come from these channels alone",
                    f"最终列表中有 {words.zh}不在任何召回通道里：它并非只来自这些通道",
                )
            )
        return out


def _mean(values: Array) -> float:
    return fsum(values) / len(values) if len(values) else float("nan")


def _ratio(part: int, whole: int) -> float:
    return part / whole if whole else float("nan")
