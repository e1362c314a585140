"""Can position bias be told from relevance in this log at all?

Clicks know only products: examination of the position times attractiveness of the item. The two come apart where the
same item was shown for the same query at two positions, because then only the position changed. Positions are the
nodes of a graph, and pairs (q, d) that were shown at both ends are its edges:

    support(k, k') = Σ over pairs min(n_k, n_k'),   n_k = impressions of the pair at k

Bias is known up to one factor inside each connected part, so relative to the first position it is known in the part of
the first position and nowhere else. One deterministic ranker moves nothing, and has no edge.

An edge counts when its support is large enough and its pairs were clicked at both ends: the second makes every
estimator finite. Agarwal et al. (WSDM 2019), "Estimating position bias without intrusive interventions", for the
pairs that moved.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from rankgauge._checks import number
from rankgauge._numbers import grouped
from rankgauge._records import Record
from rankgauge._rendered import remembers_files
from rankgauge._text import Text, zh
from rankgauge.alignment import Array
from rankgauge.behavior.bias.counts import Counts, cell_pairs
from rankgauge.errors import InputError

if TYPE_CHECKING:
    import polars as pl

__all__ = ["MIN_SUPPORT", "Edge", "Identifiability", "identifiability"]

MIN_SUPPORT = 100.0
"""Impressions at both ends of an edge below which it is taken for chance."""


@dataclass(frozen=True, kw_only=True)
class Edge:
    """Two positions and what was shown at both."""

    low: int
    high: int
    pairs: int
    """Pairs (query, item) shown at both."""
    support: float
    """Σ min(impressions at low, impressions at high)."""
    clicks_low: float
    """Clicks of those pairs at `low`."""
    clicks_high: float
    counts: bool
    """Whether it is strong enough to join its ends."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Identifiability(Record, kind="identifiability", schema=1):
    """Which positions can be compared with the first one, and why not the others."""

    positions: tuple[int, ...]
    components: tuple[tuple[int, ...], ...]
    """Positions joined with each other, the part of the first position first."""
    edges: tuple[Edge, ...]
    """Those with any support, from the top."""
    min_support: float
    is_identified: bool
    """Whether the first position is joined with any other."""
    reason: str

    @property
    def identified(self) -> tuple[int, ...]:
        """The first position and those joined with it."""
        return self.components[0]

    @property
    def left_out(self) -> tuple[int, ...]:
        """The positions of which nothing can be said."""
        known = set(self.identified)
        return tuple(p for p in self.positions if p not in known)

    @property
    def support(self) -> dict[tuple[int, int], float]:
        """Of each edge, by its two positions."""
        return {(e.low, e.high): e.support for e in self.edges}

    def refuse(self, method: str) -> None:
        """Raise where nothing can be estimated."""
        if not self.is_identified:
            raise InputError(
                Text(
                    f"position bias ({method}) needs items that were shown at several positions, got none that join"
                    f" position {self.positions[0]} to another: {self.reason}. Use a randomised bucket"
                    ' (method="randomised"), or logs of several rankers.',
                    f"位置偏差（{method}）需要在多个位置展示过的物品，实际没有把第 {self.positions[0]} "
                    f'位与其他位置连起来的物品：{zh(self.reason)}。请使用随机分桶（method="randomised"），'
                    "或多个排序器的日志。",
                )
            )

    def csv_rows(self) -> list[dict[str, Any]]:
        """One dict per edge."""
        return [asdict(e) for e in self.edges]

    def to_frame(self) -> pl.DataFrame:
        """One row per edge."""
        import polars as pl

        numbers = dict.fromkeys(("support", "clicks_low", "clicks_high"), pl.Float64)
        whole = dict.fromkeys(("low", "high", "pairs"), pl.Int64)
        types: dict[str, Any] = {**whole, **numbers, "counts": pl.Boolean}
        return pl.DataFrame(self.csv_rows(), schema=types)

    def _also(self) -> dict[str, Any]:
        return {"left_out": list(self.left_out)}


@remembers_files
def identifiability(source: Any, *, min_support: float = MIN_SUPPORT, adjacent: bool = False) -> Identifiability:
    """Which positions are joined by items that moved between them?

    `source` is what `Counts.of` takes. `adjacent=True` looks at neighbours (k, k + 1) only, as the chain of adjacent
    pairs does. The reference is position 1, or the first position that was shown.
    """
    number("min_support", min_support, at_least=0)
    counts = Counts.of(source)
    edges = _edges(counts, min_support, adjacent)
    positions = tuple(int(p) for p in counts.positions)
    components = _components(positions, edges)
    return Identifiability(
        positions=positions,
        components=components,
        edges=edges,
        min_support=float(min_support),
        is_identified=len(components[0]) > 1,
        reason=_reason(positions, components, edges, min_support),
    )


def _edges(counts: Counts, min_support: float, adjacent: bool) -> tuple[Edge, ...]:
    k = counts.n_positions
    pairs, support, low, high = (np.zeros(k * k) for _ in range(4))
    n, c, slot = counts.impressions, counts.clicks, counts.slot
    for a, b in cell_pairs(counts.pair):
        edge = slot[a] * k + slot[b]
        pairs += np.bincount(edge, minlength=k * k)
        support += np.bincount(edge, np.minimum(n[a], n[b]), k * k)
        low += np.bincount(edge, c[a], k * k)
        high += np.bincount(edge, c[b], k * k)
    at = counts.positions
    found = []
    for e in np.flatnonzero(pairs):
        first, second = int(at[e // k]), int(at[e % k])
        if adjacent and second != first + 1:
            continue
        found.append(
            Edge(
                low=first,
                high=second,
                pairs=int(pairs[e]),
                support=float(support[e]),
                clicks_low=float(low[e]),
                clicks_high=float(high[e]),
                counts=bool(support[e] >= min_support and low[e] > 0 and high[e] > 0),
            )
        )
    return tuple(found)


def _components(positions: tuple[int, ...], edges: tuple[Edge, ...]) -> tuple[tuple[int, ...], ...]:
    """Positions joined by edges that count, by union-find: there are few."""
    root = {p: p for p in positions}

    def top(p: int) -> int:
        while root[p] != p:
            root[p] = root[root[p]]
            p = root[p]
        return p

    for e in edges:
        if e.counts:
            a, b = top(e.low), top(e.high)
            root[max(a, b)] = min(a, b)
    parts: dict[int, list[int]] = {}
    for p in positions:
        parts.setdefault(top(p), []).append(p)
    return tuple(tuple(part) for part in parts.values())


def _reason(
    positions: tuple[int, ...], components: tuple[tuple[int, ...], ...], edges: tuple[Edge, ...], min_support: float
) -> Text:
    first = positions[0]
    if len(positions) == 1:
        return Text(f"everything was shown at position {first}", f"所有结果都只在第 {first} 位展示")
    if not edges:
        return Text(
            "no item was shown at two positions for the same query (one ranker that always gives the same order?)",
            "没有任何物品在同一查询下出现在两个位置（是否只有一个固定顺序的排序器？）",
        )
    out = [p for p in positions if p not in components[0]]
    if not out:
        return Text(
            f"items that moved join all {len(positions)} positions",
            f"换过位置的结果把全部 {len(positions)} 个位置连在一起",
        )
    near = [e for e in edges if (e.low in components[0]) != (e.high in components[0])]
    best = max((e.support for e in near), default=0.0)
    silent = [e for e in near if e.support >= min_support]  # enough impressions, but no clicks at one of the ends
    why = Text(
        f"the best link to them has {grouped(best)} impressions at both ends, {grouped(min_support)} are needed",
        f"与它们最好的连接在两端各有 {grouped(best)} 次展示，而至少需要 {grouped(min_support)} 次",
    )
    if silent:
        why = Text(
            "the items shown at both were never clicked at one of them", "两处都展示过的结果在其中一处从未被点击"
        )
    said = ranges(out)
    return Text(
        f"position{'s' if len(out) > 1 else ''} {said} cannot be joined with position {first}: {why.en}",
        f"第 {said} 位无法与第 {first} 位相连：{why.zh}",
    )


def ranges(positions: Any) -> str:
    """Positions for people: 4–10, 12.

    >>> ranges([4, 5, 6, 12])
    '4–6, 12'
    """
    runs: list[list[int]] = []
    for p in positions:
        if runs and p == runs[-1][1] + 1:
            runs[-1][1] = p
        else:
            runs.append([p, p])
    return ", ".join(f"{a}–{b}" if b > a else f"{a}" for a, b in runs)


def reference_note(positions: Array) -> tuple[str, ...]:
    """Said where nothing was shown at position 1."""
    first = int(positions[0])
    if first == 1:
        return ()
    return (
        Text(
            f"nothing was shown at position 1: propensities are relative to position {first}",
            f"第 1 位没有任何展示：倾向值以第 {first} 位为基准",
        ),
    )
