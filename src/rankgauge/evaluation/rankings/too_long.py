"""Gold that is longer than what is read: which measures cannot say much of it?

A need is found when it is covered wholly (as far as `reach` asks). Where it is longer than the first k pieces together,
no order of such pieces finds it, and R@k is 0 however good the retriever is; the ideal list of nDCG@k, each document in
one piece, is as far away. With s_j the characters of need j in its shortest alternative, and room_k those of the first
k pieces of its query,

    too long for k:   reach · s_j > room_k > 0

Measures that count what is covered in part (`SpanRecall`) say something all the same: where most needs are too long
they lead, and the others are neither rated nor held to figures, which presume that a result can answer.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from rankgauge._text import Text, joined, zh
from rankgauge.alignment import Alignment
from rankgauge.evaluation.rankings.record import RankingEvaluation
from rankgauge.measures.base import Measure

__all__ = [
    "NEEDS",
    "TOO_LONG_BY",
    "TooLong",
    "needs_too_long",
    "said_of_too_long",
    "telling",
    "too_long",
    "too_long_by",
]

TOO_LONG_BY = "too_long_by"
"""The key of counts: needs that are too long, for each measure."""
NEEDS = "needs"
"""The key of counts: all of them."""


@dataclass(frozen=True)
class TooLong:
    """Needs that are longer than what a measure reads."""

    n: int
    of: int

    @property
    def is_most(self) -> bool:
        return 2 * self.n > self.of


def too_long(ev: Any, label: str) -> TooLong | None:
    """How many needs are too long for a measure; None where none is, where gold is no spans, and where parts count."""
    if not isinstance(ev, RankingEvaluation) or label not in ev:
        return None
    if ev.aligned is None:
        n, of = ev.counts.get(TOO_LONG_BY, {}).get(label, 0), ev.counts.get(NEEDS, 0)
        return TooLong(n, of) if n and of else None
    return needs_too_long(ev.aligned.alignment, ev.column(label).measure)


def too_long_by(a: Alignment, measures: Mapping[str, Measure]) -> dict[str, Any]:
    """What counts say of it, for measures by label; nothing where no need is too long."""
    found = {label: x.n for label, m in measures.items() if (x := needs_too_long(a, m)) is not None}
    return {NEEDS: len(a.covered.grade), TOO_LONG_BY: found} if found and a.covered is not None else {}


def needs_too_long(a: Alignment, m: Measure) -> TooLong | None:
    """How many needs of an alignment are too long for a measure; None where none is, and where parts count."""
    c = a.covered
    if c is None or not m.by_whole_needs:
        return None
    k: Any = m.best_place if m.cutoff is None else m.cutoff
    if m.budget is not None and a.costs is not None:
        ends = a.costs.ends(m.budget)
        k = ends if k is None else np.minimum(ends, k)
    room = c.by_query.spread(c.spent(k))
    n = int(np.count_nonzero((c.size * getattr(m, "reach", c.reach) > room) & (room > 0)))
    return TooLong(n, len(c.size)) if n else None


def telling(evs: Sequence[Any], labels: Sequence[str]) -> list[str]:
    """The measures that say something of every system; all of them where none does. The first of them leads."""

    def says_little(label: str) -> bool:
        return any((x := too_long(ev, label)) is not None and x.is_most for ev in evs)

    return [label for label in labels if not says_little(label)] or list(labels)


def said_of_too_long(ev: Any, lead: str = "") -> Text | None:
    """Why measures of an evaluation say little, and which one leads; None where all say something."""
    if not isinstance(ev, RankingEvaluation):
        return None
    by = {label: x for label in ev.labels if (x := too_long(ev, label)) is not None and x.is_most}
    if not by:
        return None
    names = joined(Text(", ", "、"), list(by))
    low, high = (f(x.n for x in by.values()) for f in (min, max))
    of = next(iter(by.values())).of
    n = f"{low:,}" if low == high else f"{low:,} … {high:,}"
    are, needs = ("is", "need") if of == 1 else ("are", "needs")
    say = "says" if len(by) == 1 else "say"
    lead = "" if lead in by else lead
    instead = Text(f", and {lead} leads", f"，以 {lead} 为主") if lead else Text("", "")
    return Text(
        f"{names} {say} little here{instead}: {n} of {of:,} {needs} {are} longer than all the pieces that "
        f"{'it reads' if len(by) == 1 else 'they read'}, so that no order of such pieces can hold them whole",
        f"{zh(names)} 在此说明不了什么{instead.zh}：{of:,} 个信息点中有 {n} 个比这些指标所读的文本块加起来还长，"
        "这样的文本块怎么排也装不下完整的信息点",
    )
