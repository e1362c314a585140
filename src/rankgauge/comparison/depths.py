"""Do two runs go equally deep? Where one stops earlier, measures that read on are not judged alike.

A run of 100 results per query cannot find what another finds at rank 500, however good it is. A list counts as cut
short where it ends at the greatest length of its run while the other run goes on; lists that are short because little
was found end anywhere, and are none.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from math import isnan, nan

from rankgauge._claims import Statement, claimed, phrase, together
from rankgauge._numbers import grouped, number, share
from rankgauge._text import Text, joined
from rankgauge.comparison.pairing import paired
from rankgauge.evaluation.rankings.measuring import measured
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
    """The numbers of both when lists are cut at that depth; NaN where ranks are not at hand, as in a stored record."""
    interval: Interval = _UNKNOWN
    """Of their difference there, at the level of the comparison; NaN where it is not known."""

    @property
    def is_known(self) -> bool:
        """Whether the numbers at that depth are."""
        return not isnan(self.mean)

    @property
    def deep(self) -> str:
        """The other of the two."""
        return self.system if self.shallow == self.baseline else self.baseline


@dataclass(frozen=True)
class _Ends:
    """Where the lists of two systems end."""

    short: int
    """Which of the two ends first: 0 or 1."""
    depth: int
    share: float
    deepest: int


@dataclass(frozen=True)
class Alike:
    """Two systems whose lists are cut where those of the shallower one end."""

    baseline: RankingEvaluation
    system: RankingEvaluation
    measures: Sequence[str]
    """Those that read further; only these are in the two evaluations."""


def depth_gaps(
    baseline: tuple[str, RankingEvaluation],
    system: tuple[str, RankingEvaluation],
    labels: Iterable[str],
    confidence_level: float = 0.95,
) -> list[DepthGap]:
    """The measures whose difference changes once both are cut where the shallower run ends.

    Where the ranks of the deeper run are not at hand, as in a stored record, those that read further.
    """
    ends = _ends(baseline[1], system[1])
    if ends is None:
        return []
    asked = list(labels)
    names = system[0], baseline[0], (baseline, system)[ends.short][0]
    where = ends.depth, ends.share, ends.deepest
    cut = cut_alike(baseline, system, asked)
    if cut is None:
        deep = (system, baseline)[ends.short][1]
        return [DepthGap(m, *names, *where, nan, nan) for m in asked if _reads_beyond(deep, m, ends.depth)]
    out = []
    for label in cut.measures:
        whole, alike = paired(baseline[1], system[1], label), paired(cut.baseline, cut.system, label)
        if alike.n and alike.difference != whole.difference:
            between = t_interval_of(alike.difference, alike.error, alike.n, confidence_level)
            out.append(DepthGap(label, *names, *where, alike.system, alike.baseline, between))
    return out


def _ends(baseline: RankingEvaluation, system: RankingEvaluation) -> _Ends | None:
    """Where lists of one are cut short beside those of the other; None where they are not, or that is not known."""
    ends = [ev.lengths for ev in (baseline, system) if ev.lengths is not None]
    if len(ends) < 2 or list(baseline.query_ids) != list(system.query_ids):
        return None
    deepest = [int(x.max(initial=0)) for x in ends]
    if deepest[0] == deepest[1]:
        return None
    short, long = (0, 1) if deepest[0] < deepest[1] else (1, 0)
    depth = deepest[short]
    asked = (ends[0] > 0) & (ends[1] > 0)
    cut = asked & (ends[short] == depth) & (ends[long] > depth)
    share = float(cut.sum() / max(int(asked.sum()), 1))
    return _Ends(short, depth, share, deepest[long]) if depth and share >= _LEAST_SHARE else None


def cut_alike(
    baseline: tuple[str, RankingEvaluation], system: tuple[str, RankingEvaluation], labels: Iterable[str]
) -> Alike | None:
    """Both as if their lists ended alike, in the measures that read on; None where they do, and without ranks."""
    ends = _ends(baseline[1], system[1])
    pair = [baseline[1], system[1]]
    if ends is None or pair[1 - ends.short].aligned is None:
        return None
    deep = pair[1 - ends.short]
    affected = [label for label in labels if _reads_beyond(deep, label, ends.depth)]
    pair[1 - ends.short] = _cut(deep, affected, ends.depth)
    return Alike(pair[0], pair[1], affected)


def ending(gaps: Sequence[DepthGap]) -> Statement:
    """Where the lists of one of two systems end, and which measures read on: for tables, verdicts and pages."""
    g = gaps[0]
    can, zh_can = ("cannot", "不可") if g.is_known else ("may not", "未必可")
    told = (
        f"Lists of {{}} end at {{}} where those of {{}} go on: {{}} {can} be judged alike",
        f"{{}} 的列表止于第 {{}} 位，而 {{}} 的列表更长：{{}} {zh_can}同等比较",
    )
    names = joined(Text(", ", "，"), (x.measure for x in gaps))
    return phrase(*told, g.shallow, claimed(f"{g.depth:,}", "count", g.depth, "longest_list", g.shallow), g.deep, names)


def ending_of(gaps: Sequence[DepthGap]) -> Statement:
    """The same, and what becomes of the numbers where both are cut there."""
    told = ("{}. Both cut at {}: {}", "{}。都截至第 {} 位时：{}")
    g = gaps[0]
    if not g.is_known:
        return ending(gaps)
    depth = claimed(f"{g.depth:,}", "count", g.depth, "longest_list", g.shallow)
    return phrase(*told, ending(gaps), depth, together(", ", map(at_the_depth_of_both, gaps)))


def shorter_than_stored(
    baseline: tuple[str, RankingEvaluation], system: tuple[str, RankingEvaluation], label: str
) -> Statement | None:
    """Where the ranks of the baseline are not at hand: that its lists are longer on average than any of the system."""
    mine = system[1].lengths
    if baseline[1].aligned is None and (gaps := depth_gaps(baseline, system, [label])):
        if gaps[0].shallow != system[0]:
            return None
        told = ("{}. {}", "{}。{}")
        return phrase(*told, ending(gaps), _WITH_THE_RUN)
    lists = baseline[1].counts["queries"] - baseline[1].counts["missing"]
    if mine is None or baseline[1].aligned is not None or not lists:
        return None
    longest, average = int(mine.max(initial=0)), baseline[1].counts["results"] / lists
    if not 0 < longest < average or not _reads_beyond(system[1], label, longest):
        return None
    told = (
        "lists of {} end at {}, those of {} have {} results on average, and {} reads on: they cannot be judged alike. "
        "{}",
        "{} 的列表止于第 {} 位，{} 的列表平均有 {} 条，而 {} 读得更深：不可同等比较。{}",
    )
    end = claimed(f"{longest:,}", "count", longest, "longest_list", system[0])
    mean = claimed(grouped(average, 1), "count", average, "mean_results", baseline[0])
    return phrase(*told, system[0], end, baseline[0], mean, label, _WITH_THE_RUN)


_WITH_THE_RUN = Text(
    "Compare with the run of the baseline instead of what is stored of it",
    "请直接与基线的结果文件比较，而不是与存储的评测比较",
)


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
        part = claimed(share(g.share, 0), "share", g.share, "cut short", g.shallow, g.deep)
        deepest = claimed(f"{g.deepest:,}", "count", g.deepest, "longest_list", g.deep)
        told = (
            "{}. That is so in {} of the queries; the longer lists go to {}.",
            "{}。{} 的查询如此，较长的列表到第 {} 位。",
        )
        said = phrase(*told, ending(found), part, deepest)
        if g.is_known:
            told = (
                "{} Both cut at {}: {}. Set depth to {} to compare them there.",
                "{}都截至第 {} 位时：{}。把 depth 设为 {} 可在同一深度比较。",
            )
            alike = together(", ", map(at_the_depth_of_both, found))
            yield phrase(*told, said, f"{g.depth:,}", alike, g.depth)
        else:
            told = (
                "{} What is stored has no ranks: evaluate the runs with depth {} to compare them there.",
                "{}存储的评测没有排名：请把 depth 设为 {} 重新评测，以便在同一深度比较。",
            )
            yield phrase(*told, said, g.depth)


def at_the_depth_of_both(gap: DepthGap) -> Statement:
    """The numbers of both when lists are cut where the shorter ones end."""
    if not gap.is_known:
        return phrase("{} not known without ranks", "{} 没有排名，无从得知", gap.measure)
    ends = ((gap.baseline, gap.mean_baseline), (gap.system, gap.mean))
    said = [claimed(number(v), "mean to depth", v, gap.measure, name, str(gap.depth)) for name, v in ends]
    return phrase("{} {} → {}", "{} {} → {}", gap.measure, *said)


def _reads_beyond(ev: RankingEvaluation, label: str, depth: int) -> bool:
    m = ev.column(label).measure
    k = m.cutoff
    return m.summary == "mean" and "shown" not in m.needs and (k is None or k > depth)


def _cut(ev: RankingEvaluation, labels: Sequence[str], depth: int) -> RankingEvaluation:
    assert ev.aligned is not None
    wanted = [(c.label, c.measure) for c in map(ev.column, labels)]
    found = measured(ev.aligned, wanted, ev.policy.replace(depth=depth))
    return replace(ev, columns=[replace(c, counted=ev.column(c.label).counted) for c in found.columns])
