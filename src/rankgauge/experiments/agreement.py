"""How far have offline numbers told what happened online?

From a table of past experiments, one row each: the offline difference, the online difference, and their standard
errors where they are known.

    sign agreement   share of experiments in which both moved the same way, with Wilson's interval
    Kendall's τ_b, Spearman's ρ   whether larger offline differences came with larger online ones
    Deming's slope   online change per unit of offline change, with noise in both:
                     [s_yy - δ s_xx + √((s_yy - δ s_xx)² + 4 δ s_xy²)] / (2 s_xy)
                     δ = mean SE²(online) / mean SE²(offline)

Without the errors of offline differences these count as exact and the slope is that of least squares, which is too
small in size where they are not. The interval of the slope is a jackknife's (Linnet 1993).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from math import isnan, nan, sqrt
from typing import TYPE_CHECKING, Any

import numpy as np

from rankgauge._numbers import share, short
from rankgauge._numbers import signed as with_sign
from rankgauge._plain_data import read_columns
from rankgauge._records import Record
from rankgauge._show import show
from rankgauge._text import Text
from rankgauge.alignment import Array
from rankgauge.data.tabular import need, numbers, refuse_rows, table_of
from rankgauge.errors import InputError
from rankgauge.evaluation.record import plain
from rankgauge.statistics.clusters import t_interval_of
from rankgauge.statistics.intervals import Interval, check_level, t_quantile
from rankgauge.statistics.jackknife import jackknife_error
from rankgauge.statistics.shares import wilson

if TYPE_CHECKING:
    import polars as pl

__all__ = ["Agreement", "agreement"]

_SMALL = 20
_WHERE = "agreement"
_LARGEST = 1e100  # of larger ones there is no variance


@dataclass(frozen=True, eq=False, kw_only=True)
class Agreement(Record, kind="agreement", schema=1):
    """Offline against online differences of past experiments."""

    offline: str
    online: str
    n: int
    signed: int
    """Experiments in which neither difference is 0."""
    agreeing: int
    sign_agreement: float
    sign_low: float
    sign_high: float
    settled: int
    """Experiments whose online interval leaves out 0."""
    settled_agreeing: int
    kendall: float
    kendall_p: float
    spearman: float
    spearman_p: float
    slope: float
    slope_low: float
    slope_high: float
    slope_method: str
    """deming, or least squares where offline differences count as exact."""
    confidence_level: float
    verdict: str
    notes: tuple[str, ...] = ()
    experiments: pl.DataFrame = field(repr=False)
    """experiment, offline, online, their errors, agrees."""

    def csv_rows(self) -> list[dict[str, Any]]:
        """One dict per experiment."""
        return [{k: plain(v) for k, v in row.items()} for row in self.experiments.to_dicts()]

    def to_frame(self) -> pl.DataFrame:
        """One row per experiment."""
        return self.experiments

    @classmethod
    def _from_plain(cls, data: Any) -> Agreement:
        import polars as pl

        numbers = ("offline", "offline_error", "online", "online_error")
        hints = {"experiment": str | None, **dict.fromkeys(numbers, float | None), "agrees": bool | None}
        types: dict[str, Any] = {"experiment": pl.String, **dict.fromkeys(numbers, pl.Float64), "agrees": pl.Boolean}
        frame = pl.DataFrame(read_columns(hints, data["experiments"], "experiments"), schema=types)
        return super()._from_plain({**data, "experiments": frame})


def agreement(
    table: Any,
    *,
    offline: str = "offline",
    online: str = "online",
    offline_error: str | None = None,
    online_error: str | None = None,
    experiment: str = "experiment",
    confidence_level: float = 0.95,
) -> Agreement:
    """Sign agreement, rank correlation and slope of past experiments.

    `table` is a mapping of columns, a dataframe or a file. The columns `offline_error` and `online_error` are taken
    where they are there under these names. For several offline measures, call it with each of their columns.
    """
    import polars as pl

    check_level(confidence_level)
    frame = table_of(table, _WHERE)
    need(
        frame,
        [offline, online, *(c for c in (offline_error, online_error) if c)],
        _WHERE,
        Text("offline= and online=", "offline= 和 online="),
    )
    if frame.height < 2:
        raise InputError(
            Text(
                f"{_WHERE}: at least two experiments are needed, got {frame.height}.",
                f"{_WHERE}：至少需要两个实验，实际为 {frame.height} 个。",
            )
        )
    if experiment in frame.columns and ((kind := frame[experiment].dtype).is_nested() or kind == pl.Binary):
        raise InputError(
            Text(
                f"{_WHERE}, column {show(experiment)}: must hold text or numbers, got {kind}.",
                f"{_WHERE} 的列 {show(experiment)}：必须是文本或数字，实际为 {kind}。",
            )
        )
    x, y = (_finite(frame, c) for c in (offline, online))
    errors = [_errors(frame, c, d) for c, d in ((offline_error, "offline_error"), (online_error, "online_error"))]
    return _record(frame, (offline, online), x, y, errors[0], errors[1], experiment, confidence_level)


def _finite(frame: pl.DataFrame, name: str) -> Array:
    values = numbers(frame, name, _WHERE)
    odd = ~(np.abs(values) <= _LARGEST)  # NaN as well
    refuse_rows(
        odd,
        values,
        name,
        Text(f"a finite number, at most {short(_LARGEST)} in size", f"是绝对值不超过 {short(_LARGEST)} 的有限数字"),
        _WHERE,
    )
    return values


def _errors(frame: pl.DataFrame, name: str | None, default: str) -> Array | None:
    name = name or (default if default in frame.columns else None)
    if name is None:
        return None
    values = _finite(frame, name)
    refuse_rows(values < 0, values, name, Text("a standard error, 0 or above", "是不小于 0 的标准误"), _WHERE)
    return values


def _record(
    frame: pl.DataFrame,
    names: tuple[str, str],
    x: Array,
    y: Array,
    error_x: Array | None,
    error_y: Array | None,
    experiment: str,
    level: float,
) -> Agreement:
    import polars as pl
    from scipy.stats import kendalltau, spearmanr  # type: ignore[import-untyped]

    n = len(x)
    has_sign = (x != 0) & (y != 0)
    agrees = has_sign & (np.sign(x) == np.sign(y))
    signed, agreeing = int(has_sign.sum()), int(agrees.sum())
    z = t_quantile((1 + level) / 2, 10**9)
    found = wilson(agreeing / signed if signed else nan, signed, z)
    settled = has_sign & (np.abs(y) > z * error_y) if error_y is not None else np.zeros(n, dtype=bool)
    varies = bool(np.ptp(x) > 0 and np.ptp(y) > 0)
    tau, rho = (kendalltau(x, y), spearmanr(x, y)) if varies else (None, None)
    delta = _delta(error_x, error_y)
    slope = _slope(x, y, delta)
    of_slope = _interval_of_slope(x, y, delta, slope, level)
    ids = frame[experiment].cast(pl.String) if experiment in frame.columns else pl.Series(map(str, range(1, n + 1)))
    missing = pl.Series([None] * n, dtype=pl.Float64)
    return Agreement(
        offline=names[0],
        online=names[1],
        n=n,
        signed=signed,
        agreeing=agreeing,
        sign_agreement=agreeing / signed if signed else float("nan"),
        sign_low=found.low,
        sign_high=found.high,
        settled=int(settled.sum()),
        settled_agreeing=int((settled & agrees).sum()),
        kendall=float(tau.statistic) if tau else float("nan"),
        kendall_p=float(tau.pvalue) if tau else float("nan"),
        spearman=float(rho.statistic) if rho else float("nan"),
        spearman_p=float(rho.pvalue) if rho else float("nan"),
        slope=slope,
        slope_low=of_slope.low,
        slope_high=of_slope.high,
        slope_method="least squares" if delta is None else "deming",
        confidence_level=level,
        verdict=_verdict(agreeing, signed, found, float(tau.statistic) if tau else float("nan")),
        notes=tuple(_notes(n, signed, delta, error_y, varies)),
        experiments=pl.DataFrame(
            {
                "experiment": ids,
                "offline": x,
                "offline_error": missing if error_x is None else error_x,
                "online": y,
                "online_error": missing if error_y is None else error_y,
                "agrees": pl.Series(agrees).set(pl.Series(~has_sign), None),
            }
        ),
    )


def _delta(error_x: Array | None, error_y: Array | None) -> float | None:
    """Noise of y over noise of x; None where x counts as exact."""
    if error_x is None or error_y is None or not error_x.any():
        return None
    return float(np.mean(error_y**2) / np.mean(error_x**2))


def _slope(x: Array, y: Array, delta: float | None) -> float:
    dx, dy = x - x.mean(), y - y.mean()
    xx, yy, xy = float(dx @ dx), float(dy @ dy), float(dx @ dy)
    if not xx:
        return float("nan")
    if delta is None:
        return xy / xx
    if not xy:
        return 0.0 if yy <= delta * xx else float("nan")
    d = yy - delta * xx
    root = sqrt(d * d + 4 * delta * xy * xy)
    # the same number in two ways; each loses digits where the other does not
    return (d + root) / (2 * xy) if d >= 0 else 2 * delta * xy / (root - d)


def _interval_of_slope(x: Array, y: Array, delta: float | None, slope: float, level: float) -> Interval:
    n = len(x)
    if n < 3 or isnan(slope):
        return Interval(float("nan"), float("nan"))
    without = np.array([_slope(np.delete(x, i), np.delete(y, i), delta) for i in range(n)])
    return t_interval_of(slope, jackknife_error(slope, without), n - 1, level)


def _verdict(agreeing: int, signed: int, found: Interval, tau: float) -> Text:
    if not signed:
        return Text(
            "No experiment moved both numbers: nothing can be said.", "没有任何实验同时改变两个指标：无法判断。"
        )
    figures = [f"{agreeing}/{signed} [{share(found.low, 0)}, {share(found.high, 0)}]"]
    figures += [] if isnan(tau) else [f"τ = {with_sign(tau, 2)}"]
    if found.low > 0.5:
        en, zh = "Offline differences tell the direction of online ones", "离线差异能预测线上方向"
    elif found.high < 0.5:
        en, zh = "Offline differences point the wrong way", "离线差异与线上方向相反"
    else:
        en, zh = (
            "It is not shown that offline differences tell the direction of online ones",
            "尚不能说明离线差异可以预测线上方向",
        )
    return Text(f"{en}: same sign in {', '.join(figures)}.", f"{zh}：同号 {'，'.join(figures)}。")


def _notes(n: int, signed: int, delta: float | None, error_y: Array | None, varies: bool) -> list[str]:
    found: list[str] = []
    if n < _SMALL:
        found.append(
            Text(
                f"{n} experiments are few: read the intervals, not the numbers",
                f"只有 {n} 个实验，数量偏少：请看区间，不要只看数值",
            )
        )
    if signed < n:
        found.append(
            Text(
                f"{n - signed} experiments with a difference of 0 have no sign",
                f"{n - signed} 个实验的差异为 0，没有方向",
            )
        )
    if not varies:
        found.append(Text("no correlation: one of the two columns does not vary", "无相关系数：其中一列没有变化"))
    if delta is None:
        found.append(
            Text(
                "offline differences count as exact: the slope is that of least squares, too small in size if they are "
                "noisy. Give offline_error and online_error.",
                "离线差异视为无误差：斜率为最小二乘，若有噪声则偏小。可提供 offline_error 与 online_error。",
            )
        )
    if error_y is None:
        found.append(
            Text(
                "no online errors: which experiments were settled is not known", "没有线上误差：无法判断哪些实验有定论"
            )
        )
    found.append(
        Text(
            "experiments that were launched because of their offline numbers are not a sample of all",
            "因离线结果好才上线的实验并非随机样本",
        )
    )
    return found
