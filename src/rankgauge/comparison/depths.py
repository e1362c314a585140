"""Do two runs go equally deep? Where one stops earlier, measures that read on are not judged alike.

A run of 100 results per query cannot find what another finds at rank 500, however good it is. A list counts as cut
short where it ends at the greatest length of its run while the other run goes on; lists that are short because little
was found end anywhere, and are none.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from rankgauge._text import Text
from rankgauge.alignment import Array
from rankgauge.comparison.pairing import paired
from rankgauge.evaluation.rankings.measuring import measured, shaped
from rankgauge.evaluation.rankings.record import RankingEvaluation

__all__ = ["DepthGap", "depth_gaps", "notes_on_depths"]

_LEAST_SHARE = 0.1  # of the queries: fewer lists that happen to be as long as the longest are no cut


@dataclass(frozen=True)
class DepthGap:
    """A measure that reads further than the lists of one of two systems go."""

    measure: str
    system: str
    baseline: str
    shallow: str
    """Which of the two ends first."""
    depth: int
    """Where its lists end: to this rank both can be judged alike."""
    share: float
    """Of the queries: its list ends there, and that of the other goes on."""
    deepest: int
    """How far the other goes on at most."""
    mean: float
    mean_baseline: float
    """The numbers of both when lists are cut at that depth."""


def depth_gaps(
    baseline: tuple[str, RankingEvaluation], system: tuple[str, RankingEvaluation], labels: Iterable[str]
) -> list[DepthGap]:
    """The measures whose difference changes once both are cut where the shallower run ends; none without ranks."""
    ends = [x for _, ev in (baseline, system) if (x := _lengths(ev)) is not None]
    if len(ends) < 2 or list(baseline[1].query_ids) != list(system[1].query_ids):
        return []
    deepest = [int(x.max(initial=0)) for x in ends]
    if deepest[0] == deepest[1]:
        return []
    short, long = (0, 1) if deepest[0] < deepest[1] else (1, 0)
    depth = deepest[short]
    asked = (ends[0] > 0) & (ends[1] > 0)
    cut = asked & (ends[short] == depth) & (ends[long] > depth)
    share = float(cut.sum() / max(int(asked.sum()), 1))
    if not depth or share < _LEAST_SHARE:
        return []
    pair = [baseline, system]
    affected = [label for label in labels if _reads_beyond(pair[long][1], label, depth)]
    pair[long] = pair[long][0], _cut(pair[long][1], affected, depth)
    out = []
    for label in affected:
        whole, alike = paired(baseline[1], system[1], label), paired(pair[0][1], pair[1][1], label)
        if alike.n and alike.difference != whole.difference:
            names = (label, system[0], baseline[0], pair[short][0])
            out.append(DepthGap(*names, depth, share, deepest[long], alike.system, alike.baseline))
    return out


def notes_on_depths(gaps: Sequence[DepthGap]) -> Iterator[Text]:
    """One sentence for each system: where lists end, what that touches, and the numbers at the depth of both."""
    by_pair: dict[tuple[str, str], list[DepthGap]] = {}
    for gap in gaps:
        by_pair.setdefault((gap.baseline, gap.system), []).append(gap)
    for (baseline, system), found in by_pair.items():
        g = found[0]
        other = system if g.shallow == baseline else baseline
        numbers = ", ".join(f"{x.measure} {x.mean_baseline:.4f} → {x.mean:.4f}" for x in found)
        names = ", ".join(x.measure for x in found)
        share = f"{g.share:.0%}"
        yield Text(
            f"depths differ: lists of {g.shallow} end at {g.depth:,} in {share} of the queries, where those of {other} "
            f"go on (up to {g.deepest:,}), so {names} cannot be judged alike. Both cut at {g.depth:,}: {numbers}. "
            f"Set depth to {g.depth} to compare them there.",
            f"深度不同：{share} 的查询中 {g.shallow} 的列表止于第 {g.depth:,} 位，而 {other} 的列表更长"
            f"（最多 {g.deepest:,} 条），因此 {names} 不可同等比较。都截至第 {g.depth:,} 位时：{numbers}。"
            f"把 depth 设为 {g.depth} 可在同一深度比较。",
        )


def _lengths(ev: RankingEvaluation) -> Array | None:
    """How many results each list has under the policy; None where the ranks are not at hand."""
    return None if ev.aligned is None else shaped(ev.aligned.alignment, "doc_id", ev.policy).retrieved


def _reads_beyond(ev: RankingEvaluation, label: str, depth: int) -> bool:
    m = ev.column(label).measure
    k = getattr(m, "k", None)
    return m.summary == "mean" and (k is None or k > depth)


def _cut(ev: RankingEvaluation, labels: Sequence[str], depth: int) -> RankingEvaluation:
    assert ev.aligned is not None
    wanted = [(c.label, c.measure) for c in map(ev.column, labels)]
    found = measured(ev.aligned, wanted, ev.policy.replace(depth=depth))
    return replace(ev, columns=[replace(c, counted=ev.column(c.label).counted) for c in found.columns])
