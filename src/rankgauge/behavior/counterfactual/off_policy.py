"""What would another ranking have earned, from the log of the one that was shown?

    w = π_target(shown) / π_logged(shown)

    IPS     mean(w r)                          unbiased; wild where weights are
    SNIPS   Σ w r / Σ w                        bias of order 1/n, far steadier
    DM      mean(q̄)                            as right as the reward model, no more
    DR      mean(q̄ + w (r - q))                unbiased where the weights or the model are right

r is the reward, q the model's reward of what was shown, q̄ its expected reward under the target policy. In lists
(`request=` and `position=`) weights belong to an item at a position, and the value of a list is the sum over positions:
the item-position model, in which a reward depends on the item and its position and on nothing else in the list.

Horvitz & Thompson (1952); Swaminathan & Joachims (NIPS 2015) for SNIPS; Dudík, Langford & Li (ICML 2011) for DR;
Li, Abbasi-Yadkori, Kveton, Muthukrishnan, Vinay & Wen (KDD 2018) for lists. Intervals come from influence values summed
by user; those of SNIPS carry the noise of its normaliser, w (r - v) / Σ w.
"""

from __future__ import annotations

from collections.abc import Callable
from math import isfinite, isnan
from typing import TYPE_CHECKING, Any

import numpy as np

from rankgauge._checks import number
from rankgauge._numbers import grouped, share, short
from rankgauge._numbers import number as written
from rankgauge._rendered import remembers_files
from rankgauge._show import show
from rankgauge._text import Text, joined
from rankgauge.alignment import Array
from rankgauge.behavior.counterfactual.record import ClipStep, OffPolicy, PolicyEstimate, PositionWeights
from rankgauge.behavior.counterfactual.slates import Linear, Log, direct, doubly_robust, ips, logging_mean, snips
from rankgauge.data.tabular import codes_of, need, numbers, positions, refuse_rows, table_of
from rankgauge.errors import InputError, ParameterError
from rankgauge.statistics.clusters import standard_error, t_interval_of
from rankgauge.statistics.intervals import Interval, check_level

if TYPE_CHECKING:
    import polars as pl

__all__ = ["CLIPS", "LEAST_ROWS", "LEAST_SHARE", "off_policy"]

CLIPS = (1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0, float("inf"))
LEAST_ROWS = 30
"""Below this effective sample there is no estimate."""
LEAST_SHARE = 0.01
"""Nor below this share of the rows."""

_LARGEST = 1e100  # squares of larger ones are beyond what a number can be
_FEW = 100  # rewards below which an interval by influence values is rough
_WHERE = "off_policy"
_SHARE = Text("between 0 and 1", "介于 0 和 1 之间")

Target = str | float | Callable[["pl.DataFrame"], Any]


@remembers_files
def off_policy(
    rows: Any,
    *,
    reward: str | None = None,
    logged: str = "propensity",
    target: Target = "target_propensity",
    action: str | None = None,
    user: str | None = None,
    request: str | None = None,
    position: str | None = None,
    model: str | None = None,
    target_model: str | None = None,
    clip: float | None = None,
    confidence_level: float = 0.95,
    force: bool = False,
    name: str = "target",
) -> OffPolicy:
    """Value of a target policy from the log of another: IPS, SNIPS and, with a reward model, DR.

    `rows` is a mapping of arrays, a dataframe or a path, one row per item shown. `reward` is a column (`reward`, else
    `click`), `logged` that of the probability with which the log's policy showed the item. `target` is the column of
    the probability under the target policy, or one number for all rows, or a function of the frame that gives them.
    With `action`, `target` is the column of the one item that the target policy would show, to be matched with the
    column `action`.

    `request` and `position` together say that rows are places of lists; values are then per request. `user` is the
    column of independent units; without it they are the requests, or the rows. `model` and `target_model` are the
    columns of q and q̄. `clip` cuts weights; the sweep over cuts is there anyway.

    Refused where the effective sample (Σw)²/Σw² is below 30 or below 1% of the rows, and where the log says that
    something was shown with probability 0 or does not say with which: `force=True` goes on and keeps the warning.

    >>> log = {"click": [1, 0] * 30, "propensity": [0.5] * 60, "target_propensity": [0.75, 0.25] * 30}
    >>> off_policy(log)["SNIPS"].value
    0.75
    """
    check_level(confidence_level)
    number("clip", clip, above=0, optional=True)
    if (request is None) != (position is None):
        raise ParameterError(
            Text(
                "lists need both `request` and `position`, got one of them. Pass both, or neither.",
                "列表需要同时有 `request` 和 `position`，实际只有一个。请都传入，或都不传入。",
            )
        )
    if (model is None) != (target_model is None):
        raise ParameterError(
            Text(
                "DR needs both `model` (q of what was shown) and `target_model` (q̄), got one of them.",
                "DR 需要同时有 `model`（已展示内容的 q）和 `target_model`（q̄），实际只有一个。",
            )
        )
    frame = table_of(rows, _WHERE)
    reward = reward or ("reward" if "reward" in frame.columns else "click")
    columns = [reward, logged, *(c for c in (action, user, request, position, model, target_model) if c)]
    need(frame, columns, _WHERE, "reward=, logged=, target=, user=, …")
    if not frame.height:
        raise InputError(
            Text(f"{_WHERE}: must have at least one row, got none.", f"{_WHERE}：至少要有一行，实际没有。")
        )

    weight, unsupported = _weights(numbers(frame, logged, _WHERE), _target(frame, target, action))
    if int(unsupported.sum()) == frame.height:
        raise InputError(
            Text(
                f"{_WHERE}: no row has a usable {show(logged)}: all {frame.height:,} are 0 or missing.",
                f"{_WHERE}：没有一行的 {show(logged)} 可用：全部 {frame.height:,} 行为 0 或缺失。",
            )
        )
    warnings = _support(unsupported, logged, force)
    kept = ~unsupported
    finite = {c: _finite(numbers(frame, c, _WHERE), c) for c in (reward, model, target_model) if c}
    log = Log.of(
        finite[reward][kept],
        weight[kept],
        request=codes_of(frame, request, _WHERE)[kept] if request else None,
        position=positions(frame, position, _WHERE)[kept] if position else None,
        user=codes_of(frame, user, _WHERE)[kept] if user else None,
        q=finite[model][kept] if model else None,
        expected=finite[target_model][kept] if target_model else None,
    )
    warnings += _hopeless(log, force)
    return _record(log, int(unsupported.sum()), clip, confidence_level, force, name, reward, warnings)


# reading


def _target(frame: pl.DataFrame, target: Target, action: str | None) -> Array:
    import polars as pl

    if action is not None:
        if not isinstance(target, str):
            raise ParameterError(
                Text(
                    f"with `action`, `target` must be a column of items, got {type(target).__name__}.",
                    f"给出 `action` 时，`target` 必须是物品列，实际为 {type(target).__name__}。",
                )
            )
        need(frame, [target], _WHERE, "target=")
        same = frame[action].cast(pl.String) == frame[target].cast(pl.String)
        return same.fill_null(False).cast(pl.Float64).to_numpy()
    if callable(target):
        values = np.asarray(target(frame), dtype=np.float64)
        if values.shape != (frame.height,):
            raise InputError(
                Text(
                    f"{_WHERE}: the function given as target must return one probability per row ({frame.height:,}), "
                    f"got shape {values.shape}.",
                    f"{_WHERE}：作为 target 传入的函数必须每行返回一个概率（{frame.height:,} 个），实际形状为 "
                    f"{values.shape}。",
                )
            )
    elif isinstance(target, str):
        need(frame, [target], _WHERE, "target=")
        values = numbers(frame, target, _WHERE)
    else:
        values = np.full(frame.height, float(target))
    refuse_rows(~((values >= 0) & (values <= 1)), values, Text("target propensity", "目标倾向得分"), _SHARE, _WHERE)
    return values


def _weights(logged: Array, target: Array) -> tuple[Array, Array]:
    name = Text("logged propensity", "日志中的倾向得分")
    refuse_rows((logged < 0) | (logged > 1), logged, name, _SHARE, _WHERE)
    known = logged > 0  # not so for NaN
    with np.errstate(over="ignore"):
        weight = np.divide(target, logged, out=np.zeros(len(target)), where=known)
    must = Text("large enough to be divided by", "足够大，可以作除数")
    refuse_rows(weight > _LARGEST, logged, name, must, _WHERE)
    return weight, ~known & (target > 0)


def _finite(values: Array, name: str) -> Array:
    refuse_rows(~np.isfinite(values), values, name, Text("a finite number", "是有限的数字"), _WHERE)
    must = Text("a number that can be squared and added up", "是可以求平方并相加的数")
    refuse_rows(np.abs(values) > _LARGEST, values, name, must, _WHERE)
    return values


# refusing


def _support(unsupported: Array, logged: str, force: bool) -> list[str]:
    n, rows = int(unsupported.sum()), len(unsupported)
    if not n:
        return []
    first = int(np.argmax(unsupported)) + 1
    if not force:
        raise InputError(
            Text(
                f"{_WHERE}: support is missing: {n:,} of {rows:,} rows show what the target policy would show, "
                f"but {show(logged)} is 0 or missing there (first: row {first:,}), so they have no weight. "
                "Log the propensity of everything that is shown, explore with a floor (epsilon of each item), "
                "or pass force=True to leave these rows out and keep the warning.",
                f"{_WHERE}：缺少支持：{rows:,} 行中有 {n:,} 行展示了目标策略会展示的内容，但那里的 "
                f"{show(logged)} 为 0 或缺失（首先是第 {first:,} 行），因此没有权重。"
                "请记录所有展示内容的倾向得分，以一定下限探索（每个物品 epsilon），或传入 force=True "
                "略去这些行并保留警告。",
            )
        )
    return [
        Text(
            f"support is missing in {n:,} of {rows:,} rows ({logged} is 0 or missing): they were left out, and the "
            "estimates speak for the rest only",
            f"{rows:,} 行中有 {n:,} 行缺少支撑（{logged} 为 0 或缺失）：已略去，估计只代表其余部分",
        )
    ]


def _hopeless(log: Log, force: bool) -> list[str]:
    ess, rows = log.effective, log.rows
    if ess >= LEAST_ROWS and ess >= LEAST_SHARE * rows:
        return []
    figures = Text(
        f"the effective sample is {grouped(ess, 1)} of {rows:,} rows ({share(ess / rows, 2)}), the largest weight "
        "holds "
        f"{share(log.largest)} of all",
        f"有效样本为 {rows:,} 行中的 {grouped(ess, 1)}（{share(ess / rows, 2)}），最大的权重占全部的 "
        f"{share(log.largest)}",
    )
    why = Text(
        "The target policy is too far from the logged one for this log: collect more rows, log with more "
        "exploration, compare a target nearer to it",
        "目标策略与记录日志的策略相差太远：请收集更多行，记录时增加探索，换一个更接近的目标策略",
    )
    if rows < LEAST_ROWS:  # whatever the policies are
        why = Text("The log has too few rows: collect more", "日志的行数太少：请收集更多行")
    if not force:
        raise InputError(
            Text(
                f"{_WHERE}: {figures}. At least {LEAST_ROWS} and {share(LEAST_SHARE, 0)} of the rows are needed for an "
                f"estimate. {why.en}, or pass force=True to see the numbers with this warning.",
                f"{_WHERE}：{figures.zh}。估计至少需要 {LEAST_ROWS} 行，且占 {share(LEAST_SHARE, 0)}。"
                f"{why.zh}，或传入 force=True 在此警告下查看数值。",
            )
        )
    return [
        Text(
            f"{figures}: the estimates should not be relied on",
            f"有效样本量为 {grouped(ess, 1)}（共 {rows:,} 行，{share(ess / rows, 2)}），最大权重占 "
            f"{share(log.largest)}：估计不可依赖",
        )
    ]


# estimating


def _record(
    log: Log,
    unsupported: int,
    clip: float | None,
    level: float,
    force: bool,
    name: str,
    reward: str,
    warnings: list[str],
) -> OffPolicy:
    raw = logging_mean(log)
    cut = log if clip is None else log.clipped(clip)
    made = {"IPS": ips(cut), "SNIPS": snips(cut)}
    if log.q is not None:
        made |= {"DM": direct(cut), "DR": doubly_robust(cut)}
    estimates = tuple(_estimate(label, one, log, level) for label, one in made.items())
    against = tuple(_estimate(label, one - raw, log, level) for label, one in made.items())
    mean_weight = _estimate("mean weight", log.mean_weight(), log, level)
    sweep = tuple(_step(log, c, level) for c in CLIPS)
    return OffPolicy(
        name=name,
        reward=reward,
        rows=log.rows,
        requests=log.requests,
        users=log.users,
        is_clustered=log.is_clustered,
        is_slate=log.is_slate,
        rewarded=int(np.count_nonzero(log.reward)),
        logging=_estimate("logging policy", raw, log, level),
        estimates=estimates,
        against_logging=against,
        effective=log.effective,
        effective_share=log.effective / log.rows,
        effective_rewards=log.effective_rewards,
        largest_share=log.largest,
        mean_weight=mean_weight,
        unsupported=unsupported,
        clip=clip,
        mass_clipped=log.mass_clipped(float("inf") if clip is None else clip),
        sweep=sweep,
        positions=_positions_of(log, level) if log.is_slate else (),
        confidence_level=level,
        is_forced=force and bool(warnings),
        warnings=(*warnings, *_warnings(log, mean_weight, estimates)),
        notes=_notes(log, clip),
    )


def _estimate(label: str, one: Linear, log: Log, level: float) -> PolicyEstimate:
    error = float("nan") if isnan(one.value) else standard_error(one.by_user(log))
    # no spread at all (not one click, say) means that nothing is known about it, not that the value is certain
    known = error > 1e-12 * max(abs(one.value), 1e-300)
    interval = t_interval_of(one.value, error, log.users, level) if known else Interval(float("nan"), float("nan"))
    return PolicyEstimate(label, one.value, interval.low, interval.high, error)


def _step(log: Log, clip: float, level: float) -> ClipStep:
    cut = log.clipped(clip)
    one, plain = _estimate("SNIPS", snips(cut), log, level), _estimate("IPS", ips(cut), log, level)
    return ClipStep(
        clip=clip,
        ips=plain.value,
        ips_low=plain.low,
        ips_high=plain.high,
        snips=one.value,
        snips_low=one.low,
        snips_high=one.high,
        effective=cut.effective,
        mass_clipped=log.mass_clipped(clip),
    )


def _positions_of(log: Log, level: float) -> tuple[PositionWeights, ...]:
    found = []
    for k in range(log.n_positions):
        part = log.at(k)
        one, raw = _estimate("", snips(part), part, level), logging_mean(part).value
        found.append(
            PositionWeights(
                position=int(log.positions[k]),
                rows=part.rows,
                logging=raw,
                value=one.value,
                low=one.low,
                high=one.high,
                effective=part.effective,
                mean_weight=part.mean_weight().value,
            )
        )
    return tuple(found)


def _warnings(log: Log, mean: PolicyEstimate, estimates: tuple[PolicyEstimate, ...]) -> list[str]:
    found: list[str] = []
    n = int(np.count_nonzero(log.reward * (log.weight > 0)))
    worth = log.effective_rewards
    if n < _FEW or worth < LEAST_ROWS:
        found.append(
            Text(
                f"{'only ' if n < log.rows else ''}{n:,} of {log.rows:,} rows {'has' if n == 1 else 'have'} a reward "
                f"and a weight, worth {written(worth, 0)} of equal weight: "
                "intervals are rough, and too low where rows of large weight have not been rewarded yet",
                f"{log.rows:,} 行中{'只' if n < log.rows else ''}有 {n:,} 行既有回报又有权重，"
                f"相当于 {written(worth, 0)} 个等权回报："
                "区间较粗略，权重大的行尚无回报时还会偏低",
            )
        )
    flat = [e.name for e in estimates if isnan(e.low)]
    if flat:
        names = joined(", ", flat)
        found.append(
            Text(
                f"no interval for {names}: rewards do not vary, or there is one user only",
                f"{names} 没有区间：回报没有变化，或只有一个用户",
            )
        )
    if isfinite(mean.low) and not mean.low <= 1 <= mean.high:
        found.append(
            Text(
                f"weights average {written(mean.value, 3)} [{written(mean.low, 3)}, {written(mean.high, 3)}] where "
                "right ones average 1: "
                + (
                    "part of what the target policy shows is never shown in the log, or propensities are wrong"
                    if mean.value < 1
                    else "propensities are wrong"
                ),
                f"权重均值为 {written(mean.value, 3)} [{written(mean.low, 3)}, {written(mean.high, 3)}]，正确时应为 1："
                + ("目标策略展示的部分内容从未出现在日志中，或倾向得分有误" if mean.value < 1 else "倾向得分有误"),
            )
        )
    weak = [int(log.positions[k]) for k in range(log.n_positions) if log.is_slate and log.at(k).effective < LEAST_ROWS]
    if weak:
        at = ", ".join(map(str, weak))
        found.append(
            Text(
                f"the effective sample is below {LEAST_ROWS} at position {at}",
                f"位置 {at} 的有效样本量低于 {LEAST_ROWS}",
            )
        )
    return found


def _notes(log: Log, clip: float | None) -> tuple[str, ...]:
    found: list[str] = []
    if not log.is_clustered:
        unit = Text("requests", "请求") if log.is_slate else Text("rows", "行")
        found.append(
            Text(
                f"no user was named: {unit} count as independent, which makes intervals too narrow where users return",
                f"未指定用户列：把{unit.zh}视为独立，用户多次出现时区间会偏窄",
            )
        )
    if log.q is not None:
        found.append(
            Text(
                "the interval of DM does not know how wrong the reward model is",
                "DM 的区间不反映回报模型本身的误差",
            )
        )
    if clip is not None:
        found.append(
            Text(
                f"weights above {short(clip)} were cut: {share(log.mass_clipped(clip))} of their sum",
                f"大于 {short(clip)} 的权重已截断：占权重总和的 {share(log.mass_clipped(clip))}",
            )
        )
    return tuple(found)
