"""How much less is looked at position 5 than at position 1?

The propensity θ_k is the probability that position k is examined, relative to the first position (θ_1 = 1):

    naive        click rate at k over click rate at 1: relevance is mixed in, because rankers put good items first
    randomised   the same ratio in a bucket whose order was random: there, relevance is the same everywhere
    adjacent     items that moved between neighbours, 1 → 2 → 3 …            (`harvesting.py`)
    all_pairs    items that moved between any two positions                  (`harvesting.py`)
    em           the position-based model by maximum likelihood              (`pbm_em.py`)

The last three are refused where no items moved (`identifiability.py`), and leave out positions that cannot be joined
with the first: a missing link is no propensity of 0.

All assume P(click) = examination of the position × attractiveness of the item. Where users trust the top, or stop after
a click, it is an approximation; compare click models on held-out clicks.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import inf, nan
from typing import TYPE_CHECKING, Any

import numpy as np

from rankgauge._checks import one_of, whole
from rankgauge._claims import phrase
from rankgauge._numbers import grouped, number, short
from rankgauge._plain_data import plain_of, read_fields, read_value, stored_fields
from rankgauge._records import Record
from rankgauge._rendered import remembers_files
from rankgauge._text import Text
from rankgauge.alignment import Array
from rankgauge.behavior.bias.counts import Counts
from rankgauge.behavior.bias.harvesting import LogPropensity, adjacent, all_pairs
from rankgauge.behavior.bias.identifiability import (
    MIN_SUPPORT,
    Identifiability,
    identifiability,
    ranges,
    reference_note,
)
from rankgauge.behavior.bias.pbm_em import Fit, fit_pbm
from rankgauge.errors import InputError
from rankgauge.statistics.intervals import check_level, t_quantile

if TYPE_CHECKING:
    import polars as pl

__all__ = ["METHODS", "PositionBias", "position_bias"]

METHODS = ("all_pairs", "adjacent", "em", "randomised", "naive")
CLUSTERS = ("pair", "query")

_FEW = 30  # clicks below which the logarithm of a ratio is not normal enough
_NORMAL = 10_000_000  # degrees of freedom at which Student's t is the normal distribution


_BY_POSITION = ("propensity", "standard_error", "low", "high", "impressions", "clicks")


@dataclass(frozen=True, eq=False, kw_only=True)
class PositionBias(Record, kind="position_bias", schema=1):
    """Propensities of positions with their errors, and what they rest on. `position_bias` makes one."""

    method: str
    behaviour: str
    positions: tuple[int, ...]
    """Those whose bias is known; the first is the reference."""
    propensity: Array
    """θ of each, 1 at the first; above 1 where a lower position is looked at more."""
    standard_error: Array
    low: Array
    high: Array
    covariance: Array
    """Of log θ: of all positions together, 0 in the row of the first."""
    confidence_level: float
    impressions: Array
    clicks: Array
    is_naive: bool
    """Whether relevance is mixed in: click rates by rank, no more."""
    identifiability: Identifiability
    cluster: str
    """What is taken for independent: pair, query, or impression."""
    clusters: int
    """How many of them the errors rest on."""
    iterations: int | None = None
    converged: bool | None = None
    log_likelihood: float | None = None
    notes: tuple[str, ...] = ()

    @property
    def click_rate(self) -> Array:
        """Of each position, raw."""
        return np.asarray(self.clicks / self.impressions)

    @property
    def left_out(self) -> tuple[int, ...]:
        """Positions that were shown, but of which nothing can be said."""
        return tuple(p for p in self.identifiability.positions if p not in self.positions)

    def at(self, position: Any) -> Array:
        """θ at each of these positions; NaN where it is not known."""
        wanted = np.asarray(position)
        known = np.asarray(self.positions)
        where = np.minimum(np.searchsorted(known, wanted), len(known) - 1)
        return np.where(known[where] == wanted, self.propensity[where], nan)

    def csv_rows(self) -> list[dict[str, Any]]:
        """One dict per position."""
        columns = (self.propensity, self.standard_error, self.low, self.high, self.click_rate)
        names = ("propensity", "standard_error", "low", "high", "click_rate")
        return [
            {
                "method": self.method,
                "is_naive": self.is_naive,
                "position": p,
                **{name: float(values[i]) for name, values in zip(names, columns, strict=True)},
                "impressions": float(self.impressions[i]),
                "clicks": float(self.clicks[i]),
            }
            for i, p in enumerate(self.positions)
        ]

    def to_frame(self) -> pl.DataFrame:
        """One row per position."""
        import polars as pl

        return pl.DataFrame(self.csv_rows())

    def _plain(self) -> dict[str, Any]:
        rest = stored_fields(self, left_out={"version", *_BY_POSITION})
        return {**rest, "positions": plain_of(self.csv_rows()), "left_out": list(self.left_out)}

    @classmethod
    def _from_plain(cls, data: Any) -> PositionBias:
        rows = read_value(list[dict[str, Any]], data["positions"], "positions")
        arrays = {name: read_value(Array, [row[name] for row in rows], f"positions.{name}") for name in _BY_POSITION}
        positions = read_value(tuple[int, ...], [row["position"] for row in rows], "positions")
        return cls(**read_fields(cls, data, given={"positions": positions, **arrays}))


@remembers_files
def position_bias(
    source: Any,
    method: str = "all_pairs",
    *,
    behaviour: str = "click",
    cluster: str = "pair",
    min_support: float = MIN_SUPPORT,
    max_position: int | None = None,
    confidence_level: float = 0.95,
    max_iterations: int = 1_000,
) -> PositionBias:
    """How likely is each position to be looked at, relative to the first?

    `source` is an impression table or what else `Counts.of` takes. `method="randomised"` uses only the rows whose
    column `randomised` is true. `max_position` leaves out everything below.

    Intervals are exp(log θ ± t · error). The errors of all_pairs, adjacent and em come from the scores of pairs
    (query, item) as independent units, or of whole queries with `cluster="query"`: wider, and right also when the
    clicks of one query hang together; some 50 queries are needed for it. Those of randomised and naive treat
    impressions as independent draws, Var log(c/n) = 1/c - 1/n; where a position has fewer than 30 clicks, the exact
    limits of Clopper and Pearson for the share of its clicks among those of both positions.
    """
    method, cluster = one_of("method", method, METHODS), one_of("cluster", cluster, CLUSTERS)
    whole("max_iterations", max_iterations)
    whole("max_position", max_position, optional=True)
    check_level(confidence_level)
    counts = Counts.of(source, behaviour, randomised=True if method == "randomised" else None)
    if max_position is not None:
        counts = _above(counts, max_position)
    joined = identifiability(counts, min_support=min_support, adjacent=method == "adjacent")
    notes = list(reference_note(counts.positions))
    if counts.unexamined:
        notes.append(
            Text(f"{counts.unexamined:,} rows not examined are left out", f"略去未被看到的 {counts.unexamined:,} 行")
        )
    if method in ("naive", "randomised"):
        return _by_rates(counts, method, joined, confidence_level, notes)

    joined.refuse(method)
    if joined.left_out:
        notes.append(phrase("left out: {}", "略去：{}", joined.reason))
    used = counts.at(joined.identified)
    fit: Fit | None = None
    if method == "em":
        fit = fit_pbm(used, cluster, max_iterations=max_iterations)
        estimate = fit.estimate
        notes += _of_fit(fit)
    else:
        estimate = (adjacent if method == "adjacent" else all_pairs)(used, cluster)
    if estimate.clusters < 20:
        notes.append(_few_clusters(estimate.clusters, cluster))
    theta = np.exp(estimate.log)
    error, low, high = _limits(estimate, confidence_level)
    return PositionBias(
        method=method,
        behaviour=counts.behaviour,
        positions=joined.identified,
        propensity=theta,
        standard_error=theta * error,
        low=low,
        high=high,
        covariance=estimate.covariance,
        confidence_level=confidence_level,
        impressions=used.by_position(used.impressions),
        clicks=used.by_position(used.clicks),
        is_naive=False,
        identifiability=joined,
        cluster=cluster,
        clusters=estimate.clusters,
        iterations=fit.iterations if fit else None,
        converged=fit.converged if fit else None,
        log_likelihood=fit.log_likelihood if fit else None,
        notes=tuple(notes),
    )


def _above(counts: Counts, max_position: int) -> Counts:
    kept = counts.at(counts.positions[counts.positions <= max_position])
    if not kept.n_cells:
        raise InputError(
            Text(
                f"`max_position`={max_position} leaves nothing: the first position is {counts.positions[0]}.",
                f"`max_position`={max_position} 之内没有数据：第一个位置是 {counts.positions[0]}。",
            )
        )
    return kept


def _limits(estimate: LogPropensity, confidence_level: float) -> tuple[Array, Array, Array]:
    """Error of log θ, and the two ends for θ."""
    error = np.sqrt(np.maximum(np.diag(estimate.covariance), 0))
    error[error == 0] = nan  # nothing varied, which is no proof that nothing would
    error[0] = 0.0
    df = max(estimate.clusters - 1, 1)
    half = t_quantile((1 + confidence_level) / 2, df) * error
    return error, np.exp(estimate.log - half), np.exp(estimate.log + half)


def _few_clusters(n: int, cluster: str) -> Text:
    en, zh = ("queries", "查询") if cluster == "query" else ("pairs (query, item)", "查询–结果对")
    return Text(f"errors rest on {n} {en} only: intervals are too narrow", f"误差只基于 {n} 个{zh}：区间偏窄")


def _of_fit(fit: Fit) -> list[str]:
    notes: list[str] = []
    if not fit.converged:
        notes.append(
            Text(
                f"EM stopped after {fit.iterations:,} steps, {short(fit.distance, 2)} standard errors from the maximum",
                f"EM 在 {fit.iterations:,} 步后停止，距最大值 {short(fit.distance, 2)} 个标准误",
            )
        )
    if fit.from_all_pairs > 2:
        notes.append(
            Text(
                f"EM is up to {number(fit.from_all_pairs, 1)} standard errors away from all_pairs: with few "
                "impressions of"
                f" each item (the median is {grouped(fit.typical)}) EM is biased and all_pairs is not; with many, "
                "the model"
                " is wrong",
                f"EM 与 all_pairs 最多相差 {number(fit.from_all_pairs, 1)} 个标准误：每个结果展示很少时"
                f"（中位数 {grouped(fit.typical)} 次）EM 有偏而 all_pairs 没有；否则就是模型不成立",
            )
        )
    return notes


def _by_rates(
    counts: Counts, method: str, joined: Identifiability, confidence_level: float, notes: list[str]
) -> PositionBias:
    """Ratios of click rates by rank."""
    n, c = counts.by_position(counts.impressions), counts.by_position(counts.clicks)
    first = int(counts.positions[0])
    if not c[0]:
        raise InputError(
            Text(
                f"position bias ({method}) needs clicks at the first position, got none in"
                f" {grouped(n[0])} impressions at position {first}.",
                f"位置偏差（{method}）需要第一个位置上的点击，实际第 {first} 位的 {grouped(n[0])} 次曝光中没有点击。",
            )
        )
    theta = c / n / (c[0] / n[0])
    with np.errstate(divide="ignore"):
        spread = np.where(c > 0, 1 / c - 1 / n, nan)
        log = np.log(theta)
    covariance = np.full((len(n), len(n)), spread[0]) + np.diag(spread)
    covariance[:, np.isnan(spread)] = covariance[np.isnan(spread), :] = nan
    covariance[0, :] = covariance[:, 0] = 0.0
    error, low, high = _limits(LogPropensity(log, covariance, _NORMAL), confidence_level)
    few = np.minimum(c, c[0]) < _FEW
    few[0] = False
    low[few], high[few] = _exact(c[few], n[few], c[0], n[0], confidence_level)
    if few.any():
        at = ranges(counts.positions[few].tolist())
        notes.append(
            Text(f"fewer than {_FEW} clicks at position {at} or {first}: exact limits",
                 f"第 {at} 位或第 {first} 位点击不足 {_FEW} 次：采用精确区间")
        )  # fmt: skip
    if method == "naive":
        notes.insert(
            0,
            Text(
                "naive: click rates by rank mix the bias of positions with the relevance of what is shown there",
                "朴素估计：按位置的点击率把位置偏差与所展示结果的相关性混在一起",
            ),
        )
    return PositionBias(
        method=method,
        behaviour=counts.behaviour,
        positions=tuple(int(p) for p in counts.positions),
        propensity=theta,
        standard_error=np.where(theta > 0, theta * error, nan),
        low=low,
        high=high,
        covariance=covariance,
        confidence_level=confidence_level,
        impressions=n,
        clicks=c,
        is_naive=method == "naive",
        identifiability=joined,
        cluster="impression",
        clusters=int(n.sum()),
        notes=tuple(notes),
    )


def _exact(c: Array, n: Array, c_first: float, n_first: float, confidence_level: float) -> tuple[Array, Array]:
    """Limits of a ratio of two rates of rare events: of the clicks of both, c are binomial with odds θ n / n_first."""
    from scipy.special import betaincinv  # type: ignore[import-untyped]

    tail = (1 - confidence_level) / 2
    low = np.where(c > 0, betaincinv(np.maximum(c, 1e-12), c_first + 1, tail), 0.0)
    high = betaincinv(c + 1, c_first, 1 - tail)
    ratio = n_first / n
    with np.errstate(divide="ignore"):
        return low / (1 - low) * ratio, np.where(high < 1, high / (1 - high), inf) * ratio
