"""How relevant is an item, once it no longer matters where it was shown?

With c clicks in n impressions of a pair (q, d) at each position and the propensities θ of positions, five numbers
side by side; the raw one is always there:

    raw      Σ c / Σ n                       click rate: high for whatever was shown on top
    ips      Σ (c / θ) / Σ n                 unbiased; a click far down weighs much, so it varies much
    snips    Σ c / Σ θ n                     clicks over examinations: the recommended one, best for deep positions
    clipped  Σ c min(1/θ, M) / Σ n           biased down by what is clipped, which is shown
    coec     Σ c / Σ n · (click rate at k)   clicks over expected clicks, for compatibility: 1 is average, and the click
                                             rate of a rank holds relevance too, so that a good ranker is punished

Joachims, Swaminathan & Schnabel (WSDM 2017) for ips; Swaminathan & Joachims (NIPS 2015) for self-normalising; Zhang &
Jones (WWW 2007) for coec. snips is also the estimate of the position-based model for given θ when clicks are rare.

Intervals are score intervals, which hold for few and for no clicks. Each number is X with E[X] = γ B and, clicks
being binomial, Var[X] = γ V1 - γ² V2; the limits solve (X - γ B)² = z² (γ V1 - γ² V2) for γ. With θ = 1 that is
Wilson's interval. For ips, snips and clipped the error of θ itself is added on the log scale, square and add.
Relevance is on the scale of clicks at the first position; by chance an estimate can exceed 1, and is not cut.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from math import nan
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from rankgauge._checks import number, one_of
from rankgauge._numbers import grouped, short
from rankgauge._plain_data import plain_of, read_columns, read_fields, read_value, stored_fields
from rankgauge._records import Record
from rankgauge._show import show
from rankgauge._text import Text
from rankgauge.alignment import Array
from rankgauge.behavior.bias.counts import Counts
from rankgauge.behavior.bias.identifiability import ranges
from rankgauge.behavior.bias.position_bias import PositionBias
from rankgauge.behavior.grading.told_apart import clicks_told_apart, differ
from rankgauge.data.qrels import Qrels
from rankgauge.errors import InputError, ParameterError, UnknownName, among
from rankgauge.statistics.intervals import check_level, t_quantile

if TYPE_CHECKING:
    import polars as pl

__all__ = ["CORRECTIONS", "SCALES", "Corrected", "qrels_of", "relevance"]

CORRECTIONS = ("raw", "ips", "snips", "clipped", "coec")
SCALES = ("best", "absolute", "quantile")

_ENDS = {"values": "", "low": "_low", "high": "_high"}
_NORMAL = 10_000_000  # degrees of freedom at which Student's t is the normal distribution


@dataclass(frozen=True, eq=False, kw_only=True)
class Corrected(
    Record,
    kind="corrected",
    schema=1,
    is_input=True,
    not_stored={"counts": Text("Correct the log again for judgements of it.", "要得到标注，请重新校正日志。")},
):
    """Relevance of each pair, raw and corrected beside each other. `relevance` makes one."""

    counts: Counts = field(repr=False)
    bias: PositionBias
    values: Mapping[str, Array]
    """By method, one number per pair; NaN where a pair was shown only where the bias is not known."""
    low: Mapping[str, Array]
    high: Mapping[str, Array]
    impressions: Array
    clicks: Array
    impressions_used: Array
    """Those at positions whose bias is known: what ips, snips and clipped rest on."""
    examinations: Array
    """Σ θ n: as many impressions at the first position would tell as much."""
    clip: float
    """M: the largest weight of a click in `clipped`."""
    mass_clipped: float
    """Share of the weight of all clicks that clipping took away."""
    clicks_clipped: float
    """Share of the clicks whose weight was clipped."""
    confidence_level: float
    behaviour: str = "click"
    """What is counted as a click."""
    notes: tuple[str, ...] = ()

    @property
    def methods(self) -> tuple[str, ...]:
        return tuple(self.values)

    def __getitem__(self, method: str) -> Array:
        try:
            return self.values[method]
        except KeyError:
            raise UnknownName(
                Text(f"no relevance by {show(method)}.", f"没有用 {show(method)} 得到的相关性。")
                + among(method, self.methods)
            ) from None

    @cached_property
    def frame(self) -> pl.DataFrame:
        """One row per pair: ids, impressions, clicks, and for each method its value, low and high end."""
        import polars as pl

        columns: dict[str, Array] = {
            "impressions": self.impressions,
            "clicks": self.clicks,
            "impressions_used": self.impressions_used,
            "examinations": self.examinations,
        }
        for name, values in self.values.items():
            columns |= {name: values, f"{name}_low": self.low[name], f"{name}_high": self.high[name]}
        return self.counts.names.hstack(pl.DataFrame(columns).fill_nan(None).get_columns())

    def to_frame(self) -> pl.DataFrame:
        """`frame`."""
        return self.frame

    def csv_rows(self) -> list[dict[str, Any]]:
        """The rows of `frame` as dicts."""
        return self.frame.to_dicts()

    def _plain(self) -> dict[str, Any]:
        by_pair = ("values", "low", "high", "impressions", "clicks", "impressions_used", "examinations")
        rest = stored_fields(self, left_out={"counts", "version", *by_pair})
        return {"methods": list(self.methods), "pairs": plain_of(self.csv_rows()), **rest}

    @classmethod
    def _from_plain(cls, data: Any) -> Corrected:
        import polars as pl

        methods = read_value(tuple[str, ...], data["methods"], "methods")
        counted = ("impressions", "clicks", "impressions_used", "examinations")
        numbers = [*counted, *(f"{m}{end}" for m in methods for end in _ENDS.values())]
        hints = {
            "query_id": str,
            "item_id": str,
            **dict.fromkeys(numbers, float | None),
            **dict.fromkeys(counted, float),
        }
        types: dict[str, Any] = {"query_id": pl.String, "item_id": pl.String, **dict.fromkeys(numbers, pl.Float64)}
        frame = pl.DataFrame(read_columns(hints, data["pairs"], "pairs"), schema=types)
        arrays = {name: frame[name].fill_null(nan).to_numpy() for name in numbers}
        by_method = {key: {m: arrays[f"{m}{end}"] for m in methods} for key, end in _ENDS.items()}
        given: dict[str, Any] = {**by_method, **{name: arrays[name] for name in counted}, "counts": None, "version": ""}
        made = cls._made(**read_fields(cls, data, given=given))
        vars(made)["frame"] = frame
        return made


def relevance(
    source: Any,
    bias: PositionBias,
    methods: Sequence[str] = CORRECTIONS,
    *,
    clip: float = 10.0,
    behaviour: str = "click",
    confidence_level: float = 0.95,
) -> Corrected:
    """Relevance of every pair (query, item) of a log, raw and corrected for the bias of positions.

    `source` is what `Counts.of` takes. raw is given whether asked for or not. Impressions at positions without a
    propensity count for raw and coec only, and a note says how many there are.
    """
    unknown = [m for m in methods if m not in CORRECTIONS]
    if unknown or isinstance(methods, str):
        got = methods if isinstance(methods, str) else unknown[0]
        raise ParameterError(
            Text(
                f"`methods` must be some of {', '.join(CORRECTIONS)}, got {show(got)}.",
                f"`methods` 必须取自 {', '.join(CORRECTIONS)}，实际为 {show(got)}。",
            )
        )
    number("clip", clip, at_least=1)
    check_level(confidence_level)
    counts = Counts.of(source, behaviour)
    theta = bias.at(counts.position)
    known = np.nan_to_num(theta) > 0
    if not known.any():
        raise InputError(
            Text(
                f"corrections need impressions at positions with a propensity ({ranges(bias.positions)}),"
                f" got positions {ranges(counts.positions.tolist())}.",
                f"校正需要有倾向值的位置上的曝光（{ranges(bias.positions)}），实际的位置为 "
                f"{ranges(counts.positions.tolist())}。",
            )
        )
    theta = np.where(known, theta, nan)
    n, c = np.where(known, counts.impressions, 0.0), np.where(known, counts.clicks, 0.0)
    weight = np.where(known, 1 / theta, 0.0)
    capped = np.minimum(weight, clip)
    world = _World(counts, bias, np.where(known, theta, 0.0), n, c, t_quantile((1 + confidence_level) / 2, _NORMAL))

    asked = [m for m in CORRECTIONS if m in methods or m == "raw"]
    found = {m: world.of(m, capped if m == "clipped" else weight) for m in asked}
    mass = float(c @ weight)
    return Corrected(
        counts=counts,
        bias=bias,
        values={m: f.value for m, f in found.items()},
        low={m: f.low for m, f in found.items()},
        high={m: f.high for m, f in found.items()},
        impressions=counts.by_pair(counts.impressions),
        clicks=counts.by_pair(counts.clicks),
        impressions_used=counts.by_pair(n),
        examinations=counts.by_pair(world.theta * n),
        clip=float(clip),
        mass_clipped=1 - float(c @ capped) / mass if mass else 0.0,
        clicks_clipped=float(c[weight > clip].sum() / c.sum()) if c.sum() else 0.0,
        confidence_level=confidence_level,
        behaviour=counts.behaviour,
        notes=_notes(counts, bias, known, asked),
    )


class _Found(NamedTuple):
    value: Array
    low: Array
    high: Array


class _World(NamedTuple):
    """What all corrections share: cells with θ (0 where it is not known, with no impressions)."""

    counts: Counts
    bias: PositionBias
    theta: Array
    n: Array
    c: Array
    z: float

    def of(self, method: str, weight: Array) -> _Found:
        counts, by_pair = self.counts, self.counts.by_pair
        if method in ("raw", "coec"):
            n, c = counts.impressions, counts.clicks
            rate = counts.by_position(c) / counts.by_position(n)
            expected = np.ones_like(n) if method == "raw" else rate[counts.slot]
            return self._over(by_pair(c), by_pair(expected * n), by_pair(expected**2 * n))
        if method == "snips":
            seen = self.theta * self.n
            found = self._over(by_pair(self.c), by_pair(seen), by_pair(self.theta * seen))
            return self._with_error_of_theta(found, seen)
        total = by_pair(self.n)
        total = np.where(total > 0, total, nan)
        chance = self.theta * weight  # 1 where the weight is not clipped
        found = self._scored(
            by_pair(self.c * weight) / total,
            by_pair(self.n * chance) / total,
            by_pair(self.n * chance * weight) / total**2,
            by_pair(self.n * chance**2) / total**2,
        )
        moves = np.isclose(chance, 1)  # a clipped weight does not depend on θ
        return self._with_error_of_theta(found, self.c * weight * moves, self.c * weight)

    def _over(self, clicks: Array, expected: Array, squares: Array) -> _Found:
        """Clicks over something that says how many to expect."""
        expected = np.where(expected > 0, expected, nan)
        return self._scored(clicks / expected, np.ones_like(clicks), 1 / expected, squares / expected**2)

    def _scored(self, x: Array, b: Array, v1: Array, v2: Array) -> _Found:
        z2 = self.z**2
        square, linear = b**2 + z2 * v2, 2 * x * b + z2 * v1
        root = np.sqrt(np.maximum(linear**2 - 4 * square * x**2, 0))
        low, high = (linear - root) / (2 * square), (linear + root) / (2 * square)
        return _Found(x, np.where(x > 0, np.minimum(b * np.maximum(low, 0), x), x), np.maximum(b * high, x))

    def _with_error_of_theta(self, found: _Found, share: Array, whole: Array | None = None) -> _Found:
        """d log X = -Σ s_k d log θ_k, s_k the part of position k in X; its variance is s' V s."""
        counts = self.counts
        total = counts.by_pair(share if whole is None else whole)
        part = share / np.where(total > 0, total, 1)[counts.pair]
        known = np.flatnonzero(np.isfinite(np.diag(self.bias.covariance)))
        at = np.searchsorted(np.asarray(self.bias.positions)[known], counts.position)
        size, vectors = np.linalg.eigh(self.bias.covariance[np.ix_(known, known)])
        variance = np.zeros(counts.n_pairs)
        used = self.n > 0
        for value, vector in zip(size, vectors.T, strict=True):
            if value > 0:
                along = np.where(used, vector[np.minimum(at, len(known) - 1)], 0.0)
                variance += value * counts.by_pair(part * along) ** 2
        extra = self.z**2 * variance
        x = found.value
        with np.errstate(divide="ignore", invalid="ignore"):
            low = x * np.exp(-np.sqrt(np.log(x / found.low) ** 2 + extra))
            high = x * np.exp(np.sqrt(np.log(found.high / x) ** 2 + extra))
        none = x == 0
        return _Found(x, np.where(none, found.low, low), np.where(none, found.high * np.exp(np.sqrt(extra)), high))


def _notes(counts: Counts, bias: PositionBias, known: Array, asked: Sequence[str]) -> tuple[str, ...]:
    notes: list[str] = []
    if bias.is_naive:
        notes.append(
            Text(
                "corrected by naive propensities: click rates by rank, in which relevance is mixed",
                "用朴素倾向值校正：按位置的点击率，其中混有相关性",
            )
        )
    if not known.all():
        lost, whole = float(counts.impressions[~known].sum()), float(counts.impressions.sum())
        at = ranges(np.unique(counts.position[~known]).tolist())
        notes.append(
            Text(
                f"{grouped(lost)} of {grouped(whole)} impressions are at positions without a propensity ({at}):"
                " only raw and coec count them",
                f"{grouped(whole)} 次展示中有 {grouped(lost)} 次位于没有倾向值的位置（{at}）：只有 raw 与 coec 计入",
            )
        )
    if bias.behaviour != counts.behaviour:
        notes.append(
            Text(
                f"propensities were estimated from {bias.behaviour}, and correct {counts.behaviour}",
                f"倾向值由 {bias.behaviour} 估计，用于校正 {counts.behaviour}",
            )
        )
    if "coec" in asked:
        notes.append(
            Text(
                "coec is for compatibility: the click rate of a rank holds relevance too, a good ranker is punished",
                "COEC 仅为兼容而给出：各位置的点击率里也含有相关性，好的排序器会因此吃亏",
            )
        )
    return tuple(notes)


def qrels_of(
    corrected: Corrected,
    method: str = "snips",
    *,
    levels: Sequence[float] = (0.2, 0.5, 0.8),
    scale: str = "best",
    min_impressions: float = 10,
    unclear: str = "skip",
    name: str = "",
) -> Qrels:
    """Judgements from relevance: the grade is the number of `levels` that the relevance reaches.

        best       levels are shares of the best judged item of the query: 0.5 is half as attractive as the best
        absolute   levels are relevance itself: 0.1 is clicked by one in ten who look
        quantile   levels are quantiles of the relevance of all judged pairs

    "best" is the default because the attractiveness of whole queries differs for reasons that are not relevance (people
    who only look around click less); it gives the best item of every query the highest grade, however poor it is. Use
    "absolute" where that is wrong. Relevance of 0 is grade 0 on every scale.

    A grade means evidence. Pairs with fewer than `min_impressions`, or without relevance, are not judged. Neither are
    those of queries whose items differ by no more than chance (`rankgauge.behavior.grading.told_apart`; the error of
    the propensities is not in this test), nor pairs whose interval reaches from the lowest grade to the highest: they
    could have any. Notes of the qrels say how many of each; `unclear="keep"` grades them all the same.
    """
    scale, unclear = one_of("scale", scale, SCALES), one_of("unclear", unclear, ("skip", "keep"))
    number("min_impressions", min_impressions, at_least=0)
    try:
        cuts = np.asarray(levels)
    except (TypeError, ValueError, OverflowError):
        cuts = np.empty((0, 0))
    are_numbers = cuts.ndim == 1 and len(cuts) > 0 and cuts.dtype.kind in "iuf"
    if not (are_numbers and np.isfinite(cuts).all() and (np.diff(cuts) > 0).all() and cuts[0] > 0):
        raise ParameterError(
            Text(
                f"`levels` must be rising numbers above 0, got {show(levels)}.",
                f"`levels` 必须是大于 0 且递增的数，实际为 {show(levels)}。",
            )
        )
    if scale in ("best", "quantile") and cuts[-1] > 1:
        raise ParameterError(
            Text(
                f"`levels` of scale {show(scale)} must be at most 1, got {show(levels)}.",
                f"scale 为 {show(scale)} 时 `levels` 不能超过 1，实际为 {show(levels)}。",
            )
        )
    values = corrected[method]
    seen = corrected.impressions if method in ("raw", "coec") else corrected.impressions_used
    judged = np.isfinite(values) & (seen >= min_impressions)
    if not judged.any():
        raise InputError(
            Text(
                f"judgements need pairs with {short(min_impressions)} impressions, got none among {len(values):,} pairs"
                f" (the most is {grouped(seen.max())}). Lower `min_impressions`.",
                f"标注需要有 {short(min_impressions)} 次曝光的查询-物品对，实际 {len(values):,} "
                f"对中没有（最多为 {grouped(seen.max())} 次）。请调低 `min_impressions`。",
            )
        )
    few = int((~judged).sum())
    alike = judged & ~_differ(corrected, method, judged) if unclear == "skip" else np.zeros(len(values), dtype=bool)
    judged = judged & ~alike
    units, cuts = _units(corrected, values, judged, scale, cuts)
    grade = _reached(values / units, cuts)
    wide = np.zeros(len(values), dtype=bool)
    if unclear == "skip":
        low, high = corrected.low[method] / units, corrected.high[method] / units
        wide = judged & (_reached(low, cuts) == 0) & (_reached(high, cuts) == len(cuts))
    judged = judged & ~wide
    if not judged.any():
        raise InputError(
            Text(
                f"qrels_of: none of the {len(values):,} pairs can be judged: {few:,} were seen too seldom, "
                f"{int(alike.sum()):,} differ by no more than chance, {int(wide.sum()):,} could have any grade. "
                "Pass unclear='keep' to grade them all the same.",
                f"qrels_of：{len(values):,} 个查询-物品对都无法标注：{few:,} 对曝光太少，{int(alike.sum()):,} "
                f"对的差异不超过随机波动，{int(wide.sum()):,} 对可能是任何等级。要照样给出等级，请传入 "
                "unclear='keep'。",
            )
        )

    import polars as pl

    frame = corrected.counts.names.filter(pl.Series(judged)).rename({"item_id": "doc_id"})
    grades = pl.Series("grade", grade[judged])
    qrels = Qrels.from_frame(frame.with_columns(grades), name=name or corrected.counts.behaviour)
    notes: list[str] = [
        Text(
            f"grades from {method} relevance, scale {scale}, levels {', '.join(short(v) for v in levels)}",
            f"等级来自 {method} 相关性，尺度 {scale}，分界 {', '.join(short(v) for v in levels)}",
        )
    ]
    least = short(min_impressions)
    for out, why in (
        (few, Text(f"fewer than {least} impressions", f"展示不足 {least} 次")),
        (
            int(alike.sum()),
            Text(
                "the items of the query differ by no more than chance, or there is only one",
                "该查询的物品之间的差异不超过随机波动，或只有一个物品",
            ),
        ),
        (
            int(wide.sum()),
            Text("the interval reaches from the lowest grade to the highest", "区间从最低等级一直到最高等级"),
        ),
    ):
        if out:
            notes.append(
                Text(
                    f"{out:,} of {len(values):,} pairs not judged: {why.en}",
                    f"{len(values):,} 个查询–结果对中有 {out:,} 个未评判：{why.zh}",
                )
            )
    qrels.notes = (*qrels.notes, *notes)
    return qrels


def _differ(corrected: Corrected, method: str, judged: Array) -> Array:
    """Of each pair, whether the judged items of its query differ by more than chance."""
    counts = corrected.counts
    clicks, expected = corrected.clicks, corrected.impressions
    if method == "coec":
        rate = counts.by_position(counts.clicks) / counts.by_position(counts.impressions)
        expected = counts.by_pair(rate[counts.slot] * counts.impressions)
    elif method != "raw":
        at_known = np.nan_to_num(corrected.bias.at(counts.position)) > 0
        clicks, expected = counts.by_pair(np.where(at_known, counts.clicks, 0.0)), corrected.examinations
    used = judged & (expected > 0)
    p = clicks_told_apart(clicks[used], expected[used], counts.query[used], counts.n_queries)
    found: Array = differ(p, corrected.confidence_level)[counts.query]
    return found


def _units(corrected: Corrected, values: Array, judged: Array, scale: str, cuts: Array) -> tuple[Array, Array]:
    """What relevance is a share of, for each pair, and the levels."""
    one: Array = np.ones(len(values))
    if scale == "best":
        best = np.zeros(corrected.counts.n_queries)
        np.maximum.at(best, corrected.counts.query[judged], values[judged])
        return np.where(best > 0, best, 1)[corrected.counts.query], cuts
    return one, np.quantile(values[judged], cuts) if scale == "quantile" and judged.any() else cuts


def _reached(x: Array, cuts: Array) -> Array:
    found: Array = np.where(x > 0, np.searchsorted(cuts, x, side="right"), 0)
    return found
