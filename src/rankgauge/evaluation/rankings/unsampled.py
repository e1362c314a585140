"""What would the numbers be if all items were ranked, and not a target among some sampled ones?

A list of a target and n sampled others says how the target ranks among those. What it says of the rank among all items,
and what it cannot say, is in `statistics/sampled_ranks.py`. Whatever measure depends on the rank of the target alone is
estimated: its value at each rank is asked of the measure.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from math import sqrt
from typing import TYPE_CHECKING, Any

import numpy as np

from rankgauge._checks import whole
from rankgauge._plain_data import damaged
from rankgauge._records import Record
from rankgauge._show import show
from rankgauge._text import Text, in_words
from rankgauge._version import __version__
from rankgauge.alignment import Alignment, Array
from rankgauge.alignment.aligned import Aligned
from rankgauge.errors import InputError, ParameterError, UnknownName, among
from rankgauge.evaluation.rankings.by_cutoff import aligned_of, level_of
from rankgauge.evaluation.rankings.ceiling import evaluated_like
from rankgauge.evaluation.rankings.measuring import shaped
from rankgauge.evaluation.rankings.record import RankingEvaluation, RankingEvaluations
from rankgauge.statistics.intervals import Interval
from rankgauge.statistics.sampled_ranks import SampledRanks

if TYPE_CHECKING:
    import polars as pl

__all__ = ["Unsampled", "UnsampledValue", "unsampled"]

_MOST_ITEMS = 10**15  # beyond, float64 does not hold every rank


@dataclass(frozen=True, kw_only=True)
class UnsampledValue:
    """One measure of one system, estimated for a ranking of all items."""

    system: str
    measure: str
    sampled: float
    """The number among the sampled candidates."""
    value: float
    """The estimate for all items."""
    error: float
    """Its standard error over users, without what the candidates cannot tell."""
    interval: Interval
    """Holds whatever the ranks among all items are; NaN for fewer than two users."""
    users: int
    candidates: int
    """Items of each list, the target among them."""

    @property
    def is_told(self) -> bool:
        """Whether the interval is above 0: candidates that are not all items tell nothing but its upper end where it is
        not."""
        return self.interval.low > 0


@dataclass(frozen=True, eq=False, kw_only=True)
class Unsampled(Record, kind="unsampled", schema=1):
    """Numbers among sampled candidates, brought to a ranking of all items: `found["Hit@10"].value`, `.interval`.

    `ev.unsampled(n_items)` and `rg.unsampled` make them.
    """

    rows: Sequence[UnsampledValue]
    """System after system, measures as they were asked for."""
    n_items: int
    """Items that a full ranking has."""
    qrels: str
    confidence_level: float = 0.95
    left_out: Sequence[str] = ()
    """Measures that are more than a matter of the rank of one target."""
    version: str = ""

    @property
    def systems(self) -> list[str]:
        return list(dict.fromkeys(row.system for row in self.rows))

    @property
    def measures(self) -> list[str]:
        return list(dict.fromkeys(row.measure for row in self.rows))

    def __getitem__(self, key: str | tuple[str, str]) -> UnsampledValue:
        """A measure of the first system, or of the one that is named: `found["Hit@10"]`, `found["mf", "Hit@10"]`."""
        system, measure = key if isinstance(key, tuple) else (self.systems[0], key)
        for row in self.rows:
            if (row.system, row.measure) == (system, measure):
                return row
        raise UnknownName(
            Text(
                f"no estimate of {show(measure)} of {show(system)}.", f"没有 {show(system)} 的 {show(measure)} 的估计。"
            )
            + among(measure, self.measures)
        )

    def csv_rows(self) -> list[dict[str, Any]]:
        """The rows of `to_frame` as dicts."""
        out = []
        for row in self.rows:
            plain = {k: v for k, v in asdict(row).items() if k != "interval"}
            out.append({**plain, "low": row.interval.low, "high": row.interval.high, "n_items": self.n_items})
        return out

    def to_frame(self) -> pl.DataFrame:
        """A Polars frame, one row per system and measure."""
        import polars as pl

        return pl.DataFrame(in_words(self.csv_rows()), infer_schema_length=None)

    @classmethod
    def _from_plain(cls, data: Any) -> Unsampled:
        found = super()._from_plain(data)
        if not found.rows or any(row.candidates > found.n_items or row.users < 1 for row in found.rows):
            raise damaged(
                "rows", Text("expected users and candidates of that many items", "应为这么多物品中的候选和用户")
            )
        return found


def unsampled(ev: RankingEvaluation | RankingEvaluations, n_items: int) -> Unsampled:
    """What would these numbers be if each target were ranked among all items?

    For lists of one target and sampled candidates, as many for every user, drawn at random from the items that a full
    ranking would have; `n_items` is how many those are, the target among them. The interval assumes nothing of the
    ranks and is wide where the candidates cannot tell: first among 100 of 10,000 is any of the first hundred or so. The
    value is one of many that fit; `docs/recommenders.md` says which. Where the candidates are all items nothing is
    estimated: the number and its interval are those of the evaluation.

    >>> from rankgauge.evaluation.of_rankings import evaluate
    >>> lists = {f"u{u}": [f"c{u}-{i}" for i in range(20)] for u in range(60)}
    >>> test = {user: {row[0 if u % 3 else 7]: 1} for u, (user, row) in enumerate(lists.items())}
    >>> row = unsampled(evaluate(test, lists, "Hit@20"), 200)["Hit@20"]
    >>> row.sampled, row.interval.low < row.value < row.interval.high < 1
    (1.0, True)
    """
    members = dict(ev) if isinstance(ev, RankingEvaluations) else {getattr(ev, "run", ""): ev}
    rows: list[UnsampledValue] = []
    left_out: list[str] = []
    for system, one in members.items():
        ranks, grades, length = _targets(one)
        size = whole("n_items", n_items, at_least=length, at_most=_MOST_ITEMS, caller="unsampled")
        plain = [c for c in one.columns if c.measure.summary == "mean" and c.measure.needs <= {"grade"}]
        alike = [c for c in plain if c.measure.budget is None]
        counts = np.bincount(ranks - 1, minlength=length)
        made: dict[int | None, SampledRanks] = {}
        for c in alike:
            k = c.measure.cutoff if c.measure.cutoff is not None and c.measure.cutoff < size else None
            if k not in made:  # ranks to look at are a matter of the measure alone, not of those beside it
                made[k] = SampledRanks(counts, size, [] if k is None else [k])
            seen = made[k]
            least, most = (_by_rank(one, c.label, seen.ranks, grade, size) for grade in (grades.min(), grades.max()))
            if not np.array_equal(least, most) or np.isnan(least).any():
                continue
            all_drawn = length == size  # nothing is left to estimate
            rows.append(
                UnsampledValue(
                    system=system,
                    measure=c.label,
                    sampled=one[c.label],
                    value=one[c.label] if all_drawn else seen.value(least),
                    error=_plain_error(c.values[c.counted]) if all_drawn else seen.error(least),
                    interval=one.interval(c.label) if all_drawn else seen.interval(least, one.confidence_level),
                    users=seen.users,
                    candidates=length,
                )
            )
        left_out += [x for x in one.labels if (system, x) not in {(row.system, row.measure) for row in rows}]
    first = next(iter(members.values()))
    if not rows:
        raise ParameterError(
            Text(
                f"unsampled() estimates measures that depend on the rank of the target alone, such as Hit@10, nDCG@10 "
                f"and RR; got {', '.join(first.labels)}.",
                "unsampled() 只能估计仅取决于目标排名的指标，如 Hit@10、nDCG@10 和 RR；实际为 "
                f"{'、'.join(first.labels)}。",
            )
        )
    return Unsampled(
        rows=tuple(rows),
        n_items=int(n_items),
        qrels=first.qrels,
        confidence_level=first.confidence_level,
        left_out=tuple(dict.fromkeys(left_out)),
        version=__version__,
    )


def _plain_error(values: Array) -> float:
    """The standard error of a mean."""
    return float(values.std(ddof=1)) / sqrt(len(values)) if len(values) > 1 else float("nan")


def _targets(ev: RankingEvaluation) -> tuple[Array, Array, int]:
    """The rank and the grade of the target of each user, and the length of all lists; an error where there is no such
    thing."""
    raw = aligned_of(ev, "unsampled").alignment
    if ev.policy.average != "macro" or ev.policy.depth is not None or ev.policy.unjudged == "remove":
        raise ParameterError(
            Text(
                "unsampled() needs whole lists and the mean over users. Evaluate without average, depth and unjudged.",
                "unsampled() 需要完整的列表和对用户的平均。请去掉 average、depth 和 unjudged 后重新评测。",
            )
        )
    a = shaped(raw, "doc_id" if ev.policy.ties == "expected" else ev.policy.ties, ev.policy)
    target = a.relevant(level_of(ev))
    per_user = a.count(target)
    lengths = np.unique(a.retrieved)
    problem = None
    if (per_user != 1).any():
        i = int(np.flatnonzero(per_user != 1)[0])
        name, n = show(a.query_ids[i]), int(per_user[i])
        problem = (
            f"one relevant item for each user, got {n} for {name}",
            f"每个用户恰有一个相关物品，{name} 有 {n} 个",
        )
    elif not a.shown[target].all():
        name = show(a.query_ids[int(a.by_query.owner[target & ~a.shown][0])])
        problem = (
            f"the target in every list, got a list without it for {name}",
            f"每个列表都含有目标，{name} 的列表没有",
        )
    elif len(lengths) > 1:
        problem = (
            f"lists of one length, got {lengths[0]:,} to {lengths[-1]:,} results",
            f"所有列表长度相同，实际为 {lengths[0]:,} 到 {lengths[-1]:,} 条",
        )
    elif lengths[0] < 2:
        problem = ("candidates beside the target, got none", "目标之外的候选，实际没有")
    if problem is not None:
        raise InputError(
            Text(
                f"unsampled: lists of sampled candidates must have {problem[0]}.",
                f"unsampled：抽样候选的列表必须满足：{problem[1]}。",
            )
        )
    return a.rank[target], a.grade[target], int(lengths[0])


def _by_rank(ev: RankingEvaluation, label: str, ranks: Array, grade: float, n_items: int) -> Array:
    """The value of a measure where the only judged item stands at each of these ranks, of `n_items`."""
    n = len(ranks)
    alone = Alignment(
        query_ids=[str(rank) for rank in ranks.tolist()],
        offsets=np.arange(n + 1),
        grade=np.full(n, grade, dtype=np.float64),
        rank=ranks,
        tie_first=ranks,
        tie_last=ranks,
        retrieved=np.full(n, n_items),
        item=np.zeros(n, dtype=np.int64),
        max_grade=float(grade),
    )
    none = np.zeros(n, dtype=np.int64)
    aligned = Aligned(alone, missing=none > 0, extra_queries=0, repeats=none, nan_scores=0)
    like = replace(ev, weights=None)
    return evaluated_like(like, aligned, [(label, ev.column(label).measure)]).columns[0].values
