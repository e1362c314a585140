"""Do two runs go equally deep? Where one stops earlier, measures that read on are not judged alike.

A run of 100 results per query cannot find what another finds at rank 500, however good it is. A list counts as cut
short where it ends at the greatest length of its run while the other run goes on; lists that are short because little
was found end anywhere, and are none.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from math import nan

from rankgauge._claims import Statement, claimed, phrase, together
from rankgauge._numbers import grouped, number, share
from rankgauge._text import Text, joined
from rankgauge.alignment import Array
from rankgauge.comparison.pairing import paired
from rankgauge.evaluation.rankings.measuring import measured, shaped
from rankgauge.evaluation.rankings.record import RankingEvaluation
from rankgauge.statistics.clusters import t_interval_of
from rankgauge.statistics.intervals import Interval

__all__ = [
    "Alike",
    "DepthGap",
    "at_the_depth_of_both",
    "by_ending",
    "cut_alike",
    "depth_gaps",
    "ending",
    "ending_of",
    "notes_on_depths",
    "shorter_than_stored",
]

_UNKNOWN = Interval(nan, nan)
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
    interval: Interval = _UNKNOWN
    """Of their difference there, at the level of the comparison; NaN where it is not known."""

    @property
    def deep(self) -> str:
        """The other of the two."""
        return self.system if self.shallow == self.baseline else self.baseline


@dataclass(frozen=True)
class Alike:
    """Two systems whose lists are cut where those of the shallower one end."""

    baseline: RankingEvaluation
    system: RankingEvaluation
    shallow: str
    depth: int
    share: float
    deepest: int
    measures: Sequence[str]
    """Those that read further; only these are in the two evaluations."""


def depth_gaps(
    baseline: tuple[str, RankingEvaluation],
    system: tuple[str, RankingEvaluation],
    labels: Iterable[str],
    confidence_level: float = 0.95,
) -> list[DepthGap]:
    """The measures whose difference changes once both are cut where the shallower run ends; none without ranks."""
    cut = cut_alike(baseline, system, labels)
    out = []
    for label in () if cut is None else cut.measures:
        assert cut is not None
        whole, alike = paired(baseline[1], system[1], label), paired(cut.baseline, cut.system, label)
        if alike.n and alike.difference != whole.difference:
            names = (label, system[0], baseline[0], cut.shallow)
            between = t_interval_of(alike.difference, alike.error, alike.n, confidence_level)
            means = (alike.system, alike.baseline)
            out.append(DepthGap(*names, cut.depth, cut.share, cut.deepest, *means, between))
    return out


def cut_alike(
    baseline: tuple[str, RankingEvaluation], system: tuple[str, RankingEvaluation], labels: Iterable[str]
) -> Alike | None:
    """Both as if their lists ended alike, in the measures that read on; None where they do, and without ranks."""
    ends = [x for _, ev in (baseline, system) if (x := _lengths(ev)) is not None]
    if len(ends) < 2 or list(baseline[1].query_ids) != list(system[1].query_ids):
        return None
    deepest = [int(x.max(initial=0)) for x in ends]
    if deepest[0] == deepest[1]:
        return None
    short, long = (0, 1) if deepest[0] < deepest[1] else (1, 0)
    depth = deepest[short]
    asked = (ends[0] > 0) & (ends[1] > 0)
    cut = asked & (ends[short] == depth) & (ends[long] > depth)
    share = float(cut.sum() / max(int(asked.sum()), 1))
    if not depth or share < _LEAST_SHARE:
        return None
    pair = [baseline, system]
    affected = [label for label in labels if _reads_beyond(pair[long][1], label, depth)]
    pair[long] = pair[long][0], _cut(pair[long][1], affected, depth)
    return Alike(pair[0][1], pair[1][1], pair[short][0], depth, share, deepest[long], affected)


def ending(gaps: Sequence[DepthGap]) -> Statement:
    """Where the lists of one of two systems end, and which measures read on: for tables, verdicts and pages."""
    g = gaps[0]
    told = (
        "Lists of {} end at {} where those of {} go on: {} cannot be judged alike",
        "{} 的列表止于第 {} 位，而 {} 的列表更长：{} 不可同等比较",
    )
    names = joined(Text(", ", "，"), (x.measure for x in gaps))
    return phrase(*told, g.shallow, claimed(f"{g.depth:,}", "count", g.depth, "longest_list", g.shallow), g.deep, names)


def ending_of(gaps: Sequence[DepthGap]) -> Statement:
    """The same, and what becomes of the numbers where both are cut there."""
    told = ("{}. Both cut at {}: {}", "{}。都截至第 {} 位时：{}")
    g = gaps[0]
    depth = claimed(f"{g.depth:,}", "count", g.depth, "longest_list", g.shallow)
    return phrase(*told, ending(gaps), depth, together(", ", map(at_the_depth_of_both, gaps)))


def shorter_than_stored(
    baseline: tuple[str, RankingEvaluation], system: tuple[str, RankingEvaluation], label: str
) -> Statement | None:
    """Where the ranks of the baseline are not at hand: that its lists are longer on average than any of the system."""
    mine = _lengths(system[1])
    lists = baseline[1].counts["queries"] - baseline[1].counts["missing"]
    if mine is None or baseline[1].aligned is not None or not lists:
        return None
    longest, average = int(mine.max(initial=0)), baseline[1].counts["results"] / lists
    if not 0 < longest < average or not _reads_beyond(system[1], label, longest):
        return None
    told = (
        "lists of {} end at {}, those of {} have {} results on average, and {} reads on: they cannot be judged alike. "
        "Compare with the run of the baseline instead of what is stored of it",
        "{} 的列表止于第 {} 位，{} 的列表平均有 {} 条，而 {} 读得更深：不可同等比较。请直接与基线的结果文件比较，"
        "而不是与存储的评测比较",
    )
    end = claimed(f"{longest:,}", "count", longest, "longest_list", system[0])
    mean = claimed(grouped(average, 1), "count", average, "mean_results", baseline[0])
    return phrase(*told, system[0], end, baseline[0], mean, label)


def by_ending(gaps: Iterable[DepthGap]) -> list[list[DepthGap]]:
    """Measures together whose lists end alike."""
    out: dict[tuple[str, str, int], list[DepthGap]] = {}
    for gap in gaps:
        out.setdefault((gap.baseline, gap.system, gap.depth), []).append(gap)
    return list(out.values())


def notes_on_depths(gaps: Iterable[DepthGap]) -> Iterator[Statement]:
    """For each system where lists end, what that touches, and the numbers at the depth of both."""
    for found in by_ending(gaps):
        g = found[0]
        told = (
            "{}. That is so in {} of the queries; the longer lists go to {}. Both cut at {}: {}. Set depth to {} to "
            "compare "
            "them there.",
            "{}。{} 的查询如此，较长的列表到第 {} 位。都截至第 {} 位时：{}。把 depth 设为 {} 可在同一深度比较。",
        )
        part = claimed(share(g.share, 0), "share", g.share, "cut short", g.shallow, g.deep)
        deepest = claimed(f"{g.deepest:,}", "count", g.deepest, "longest_list", g.deep)
        yield phrase(
            *told,
            ending(found),
            part,
            deepest,
            f"{g.depth:,}",
            together(", ", map(at_the_depth_of_both, found)),
            g.depth,
        )


def at_the_depth_of_both(gap: DepthGap) -> Statement:
    """The numbers of both when lists are cut where the shorter ones end."""
    ends = ((gap.baseline, gap.mean_baseline), (gap.system, gap.mean))
    said = [claimed(number(v), "mean to depth", v, gap.measure, name, str(gap.depth)) for name, v in ends]
    return phrase("{} {} → {}", "{} {} → {}", gap.measure, *said)


def _lengths(ev: RankingEvaluation) -> Array | None:
    """How many results each list has under the policy; None where the ranks are not at hand."""
    return None if ev.aligned is None else shaped(ev.aligned.alignment, "doc_id", ev.policy).retrieved


def _reads_beyond(ev: RankingEvaluation, label: str, depth: int) -> bool:
    m = ev.column(label).measure
    k = m.cutoff
    return m.summary == "mean" and (k is None or k > depth)


def _cut(ev: RankingEvaluation, labels: Sequence[str], depth: int) -> RankingEvaluation:
    assert ev.aligned is not None
    wanted = [(c.label, c.measure) for c in map(ev.column, labels)]
    found = measured(ev.aligned, wanted, ev.policy.replace(depth=depth))
    return replace(ev, columns=[replace(c, counted=ev.column(c.label).counted) for c in found.columns])
