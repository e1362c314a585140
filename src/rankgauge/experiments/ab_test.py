"""An A/B test as people have it, one table with an arm in each row: is the treatment better, and can it be believed?

    rows → sums by unit → a ratio per arm (`ratios.py`) → each treatment against the control
    units per arm → the sample ratio (`sample_ratio.py`), which is looked at first
    what units did before → the same difference with less noise (`cuped.py`), where those columns are named

Several treatments are several chances to be lucky: with k of them intervals have the level 1 - alpha/k and p-values are
multiplied by k (Bonferroni), so an interval without 0 and a verdict say the same.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import isnan
from typing import TYPE_CHECKING, Any

import numpy as np

from rankgauge._checks import one_of
from rankgauge._numbers import counted, p_value, percent, share
from rankgauge._numbers import number as written
from rankgauge._records import Record
from rankgauge._show import show, show_all
from rankgauge._text import Text, joined, zh
from rankgauge._words import as_meant
from rankgauge.alignment import Array
from rankgauge.data.tabular import codes_of, need, numbers, table_of
from rankgauge.errors import InputError, ParameterError, among
from rankgauge.evaluation.record import plain
from rankgauge.experiments.cuped import Cuped, cuped, cuped_arm
from rankgauge.experiments.ratios import RatioChange, compare_ratios, ratio
from rankgauge.experiments.sample_ratio import SampleRatio, sample_ratio
from rankgauge.statistics.intervals import check_level

if TYPE_CHECKING:
    import polars as pl

__all__ = ["ABTest", "Arm", "ArmChange", "ab_test", "arm_sizes"]

_WHERE = "ab_test"
_CONTROLS = ("control", "baseline", "base", "old", "a", "0", "false", "对照", "对照组", "基线")
_CROSSED = {
    "error": Text("a unit in several arms is an error", "出现在多个组的单元是错误"),
    "drop": Text("a unit in several arms is left out, and counted", "出现在多个组的单元不计入，但会计数"),
}


@dataclass(frozen=True)
class Arm:
    """One arm: its ratio, or its mean per unit, and what it rests on."""

    name: str
    value: float
    low: float
    high: float
    units: int
    numerator: float
    denominator: float
    """The sum below; the number of units where it is a mean."""


@dataclass(frozen=True)
class ArmChange:
    """One treatment against the control."""

    arm: str
    change: RatioChange
    """As measured."""
    cuped: Cuped | None
    """With what was known before, where it was given: then this decides."""
    p_corrected: float
    word: str
    """better, worse or not clear."""

    @property
    def decides(self) -> RatioChange:
        """The change that the verdict rests on."""
        return self.change if self.cuped is None else self.cuped.adjusted


@dataclass(frozen=True, eq=False, kw_only=True)
class ABTest(Record, kind="ab_test", schema=1):
    """Arms of an experiment, each treatment against the control; `found.sample.is_fine` comes first."""

    metric: str
    """What is compared: `clicks / impressions`, or `mean clicks`."""
    unit: str
    """The column of units; empty where each row is one."""
    control: str
    arms: tuple[Arm, ...]
    changes: tuple[ArmChange, ...]
    sample: SampleRatio
    higher_is_better: bool
    crossed: int
    """Units that were in several arms and left out."""
    confidence_level: float
    """Of all intervals of changes together; those of arms have it each."""
    verdict: str
    notes: tuple[str, ...] = ()

    def __getitem__(self, arm: str) -> ArmChange:
        for c in self.changes:
            if c.arm == arm:
                return c
        raise ParameterError(
            Text(f"no treatment {show(arm)}.", f"没有实验组 {show(arm)}。") + among(arm, [c.arm for c in self.changes])
        )

    def csv_rows(self) -> list[dict[str, Any]]:
        """One dict per arm, with the change to the control."""
        rows = []
        by = {c.arm: c for c in self.changes}
        for a in self.arms:
            c = by.get(a.name)
            d = None if c is None else c.decides
            rows.append(
                {
                    "arm": a.name,
                    "value": plain(a.value),
                    "low": plain(a.low),
                    "high": plain(a.high),
                    "units": a.units,
                    "numerator": plain(a.numerator),
                    "denominator": plain(a.denominator),
                    "difference": None if d is None else plain(d.difference),
                    "difference_low": None if d is None else plain(d.low),
                    "difference_high": None if d is None else plain(d.high),
                    "lift": None if d is None else plain(d.lift),
                    "p_corrected": None if c is None else plain(c.p_corrected),
                    "verdict": None if c is None else c.word,
                }
            )
        return rows

    def to_frame(self) -> pl.DataFrame:
        """One row per arm."""
        import polars as pl

        return pl.DataFrame(self.csv_rows(), infer_schema_length=None)


def ab_test(
    table: Any,
    *,
    numerator: str,
    denominator: str | None = None,
    unit: str | None = None,
    arm: str = "arm",
    control: str | None = None,
    expected: Mapping[str, float] | None = None,
    before: str | None = None,
    before_denominator: str | None = None,
    crossed: str = "error",
    lower_is_better: bool = False,
    confidence_level: float = 0.95,
) -> ABTest:
    """Each treatment against the control: Σ numerator / Σ denominator, over units.

    `table` is a mapping of columns, a dataframe or a file with an arm in each row. Rows of one `unit` (a user) are
    summed first; without `unit` each row is one. Without `denominator` it is the mean of the numerator per unit.
    `control` is the arm to compare with; one that is called control, baseline, old or A is found. `expected` are
    shares of units by arm, equal ones unless given. `before` (and `before_denominator`) are columns with the same from
    before the experiment: then CUPED takes that noise out, and the adjusted change decides.

    >>> rows = {"arm": ["A", "A", "A", "B", "B", "B"], "clicks": [1, 2, 3, 2, 3, 4], "shown": [10, 10, 10, 10, 10, 10]}
    >>> round(ab_test(rows, numerator="clicks", denominator="shown")["B"].change.difference, 3)
    0.1
    """
    check_level(confidence_level)
    one_of("crossed", crossed, _CROSSED)
    if before is None and before_denominator is not None:
        raise ParameterError(
            Text("`before_denominator` needs `before` as well.", "`before_denominator` 需要同时给出 `before`。")
        )
    if before is not None and (denominator is None) != (before_denominator is None):
        raise ParameterError(
            Text(
                "a ratio needs both `denominator` and `before_denominator`, got one of them. Pass both, or neither "
                "for a mean.",
                "比率需要同时给出 `denominator` 与 `before_denominator`，只得到其中一个。"
                "请同时给出，或都不给（按均值）。",
            )
        )
    frame = table_of(table, _WHERE)
    asked = [c for c in (arm, numerator, denominator, unit, before, before_denominator) if c is not None]
    need(frame, asked, _WHERE, "arm=, numerator=, denominator=, unit=, …")
    if not frame.height:
        raise InputError(Text(f"{_WHERE}: must have at least one row, got none.", f"{_WHERE}：至少需要一行数据。"))
    names, codes = _arms(frame, arm)
    units = np.arange(frame.height) if unit is None else codes_of(frame, unit, _WHERE)
    kept, n_crossed = _uncrossed(codes, units, crossed, unit)
    chosen = _control(names, control)
    columns = {c: numbers(frame, c, _WHERE) for c in (numerator, denominator, before, before_denominator) if c}
    of_arm = {name: np.flatnonzero(kept & (codes == i)) for i, name in enumerate(names)}
    for name, rows in of_arm.items():
        if not len(rows):
            raise InputError(
                Text(
                    f"{_WHERE}: no unit of arm {show(name)} is left: all are in several arms.",
                    f"{_WHERE}：{show(name)} 组没有剩余单元：全部出现在多个组。",
                )
            )
    return _record(
        {name: {c: v[rows] for c, v in columns.items()} | {"": units[rows]} for name, rows in of_arm.items()},
        (numerator, denominator, before, before_denominator),
        unit=unit or "",
        control=chosen,
        was_found=control is None,
        expected=expected,
        n_crossed=n_crossed,
        sign=-1 if lower_is_better else 1,
        level=confidence_level,
    )


def arm_sizes(table: Any, *, arm: str = "arm", unit: str | None = None) -> dict[str, int]:
    """Units in each arm of a table, for `sample_ratio`; without `unit` each row is one. A unit in several arms is an
    error: no arm can count it.

    >>> arm_sizes({"arm": ["A", "B", "B"], "user": [1, 2, 2]}, unit="user")
    {'A': 1, 'B': 1}
    """
    frame = table_of(table, "arm_sizes")
    need(frame, [arm, *([] if unit is None else [unit])], "arm_sizes", Text("arm= and unit=", "arm= 和 unit="))
    if not frame.height:
        raise InputError(Text("arm_sizes: must have at least one row, got none.", "arm_sizes：至少需要一行数据。"))
    names, codes = _arms(frame, arm)
    units = np.arange(frame.height) if unit is None else codes_of(frame, unit, "arm_sizes")
    if n := _uncrossed(codes, units, "drop", unit)[1]:
        raise InputError(
            Text(
                f"arm_sizes: a unit must be in one arm, {n:,} of {len(np.unique(units)):,} values of {show(unit)} are "
                "in several: no arm can count them. Find out why, and leave them out.",
                f"arm_sizes：一个单元只能属于一个组，{show(unit)} 的 {len(np.unique(units)):,} 个值中有 {n:,} 个"
                "出现在多个组，任何一组都不能计入。请查明原因，并去掉它们。",
            )
        )
    return {name: len(np.unique(units[codes == i])) for i, name in enumerate(names)}


# reading


def _arms(frame: pl.DataFrame, arm: str) -> tuple[list[str], Array]:
    import polars as pl

    codes = codes_of(frame, arm, _WHERE)
    texts = frame[arm].cast(pl.String).to_list()
    first = np.unique(codes, return_index=True)[1]
    names = [str(texts[i]) for i in first.tolist()]
    if arm in names and (again := [i for i, row in enumerate(frame.rows()) if list(map(str, row)) == frame.columns]):
        raise InputError(
            Text(
                f"{_WHERE}: row {again[0] + 1:,} repeats the names of the columns. Were files put together? "
                "Leave it out.",
                f"{_WHERE}：第 {again[0] + 1:,} 行重复了列名。是否把多个文件拼在一起？请去掉该行。",
            )
        )
    if len(names) < 2:
        raise InputError(
            Text(
                f"{_WHERE}: at least two arms are needed, column {show(arm)} holds only {show_all(names)}.",
                f"{_WHERE}：至少需要两个组，列 {show(arm)} 只有 {show_all(names)}。",
            )
        )
    if len(names) > _MOST_ARMS:
        raise InputError(
            Text(
                f"{_WHERE}: column {show(arm)} holds {len(names):,} values ({show_all(names[:3])}, …), at most "
                f"{_MOST_ARMS} arms can be compared. Is it a column of ids?",
                f"{_WHERE}：列 {show(arm)} 有 {len(names):,} 个值（{show_all(names[:3])} …），"
                f"最多比较 {_MOST_ARMS} 个组。它是否是 id 列？",
            )
        )
    return names, codes


_MOST_ARMS = 50


def _uncrossed(codes: Array, units: Array, crossed: str, unit: str | None) -> tuple[Array, int]:
    """Rows of units that were in one arm only, and how many units were in several."""
    pairs = np.unique(np.stack([units, codes], axis=1), axis=0)
    seen, n = np.unique(pairs[:, 0], return_counts=True)
    several = seen[n > 1]
    if len(several) and crossed == "error":
        raise InputError(
            Text(
                f"{_WHERE}: a unit must be in one arm, {len(several):,} of {len(seen):,} values of {show(unit)} are in "
                "several: what they did belongs to no arm. Pass crossed='drop' to leave them out, and find out why.",
                f"{_WHERE}：一个单元只能属于一个组，{show(unit)} 的 {len(seen):,} 个值中有 {len(several):,} 个"
                "出现在多个组，其行为不属于任何一组。可用 crossed='drop' 去掉它们，并查明原因。",
            )
        )
    return ~np.isin(units, several), len(several)


def _control(names: list[str], control: str | None) -> str:
    if control is not None:
        if control not in names:
            raise InputError(
                Text(
                    f"{_WHERE}: no arm {show(control)} to compare with.",
                    f"{_WHERE}：没有可比较的组 {show(control)}。",
                )
                + among(control, names)
            )
        return control
    found = [name for known in _CONTROLS for name in names if as_meant(name).strip().casefold() == known]
    if not found:
        raise ParameterError(
            Text(
                f"{_WHERE}: which of the arms {show_all(names)} is the control is not known. "
                f"Pass control={show(names[0])}.",
                f"{_WHERE}：无法判断 {show_all(names)} 中哪个是对照组。请使用 control={show(names[0])}。",
            )
        )
    return found[0]


# comparing


def _record(
    rows: Mapping[str, Mapping[str, Array]],
    columns: tuple[str, str | None, str | None, str | None],
    *,
    unit: str,
    control: str,
    was_found: bool,
    expected: Mapping[str, float] | None,
    n_crossed: int,
    sign: int,
    level: float,
) -> ABTest:
    top, below, before, before_below = columns
    treatments = [name for name in rows if name != control]
    corrected_level = 1 - (1 - level) / len(treatments)

    def of(name: str, column: str | None) -> Array | None:
        return None if column is None else rows[name][column]

    ratios = {name: ratio(of(name, top), of(name, below), rows[name][""], confidence_level=level) for name in rows}
    arms = [
        Arm(
            name,
            r.value,
            *r.interval,
            r.n,
            float(r.moments.sums[0]),
            float(r.moments.sums[1]) if below else float(r.n),
        )
        for name in (control, *treatments)
        for r in (ratios[name],)
    ]
    changes = []
    for name in treatments:
        raw = compare_ratios(ratios[control], ratios[name], confidence_level=corrected_level)
        adjusted = None
        if before is not None:
            made = [
                cuped_arm(of(x, top), of(x, before), of(x, below), of(x, before_below), rows[x][""])
                for x in (control, name)
            ]
            adjusted = cuped(*made, confidence_level=corrected_level)
        decides = raw if adjusted is None else adjusted.adjusted
        p = float("nan")
        if decides.error > 0:  # else there is no spread to learn from
            p = min(1.0, decides.p_value * len(treatments))
        better = "better" if sign * decides.difference > 0 else "worse"
        changes.append(ArmChange(name, raw, adjusted, p, better if p < 1 - level else "not clear"))
    sizes = {a.name: a.units for a in arms}
    sample = sample_ratio(sizes, expected)
    metric = Text(f"{top} / {below}", f"{top} / {below}") if below else Text(f"mean {top}", f"{top} 均值")
    return ABTest(
        metric=metric,
        unit=unit,
        control=control,
        arms=tuple(arms),
        changes=tuple(changes),
        sample=sample,
        higher_is_better=sign > 0,
        crossed=n_crossed,
        confidence_level=level,
        verdict=_verdict(metric, control, changes, sample),
        notes=tuple(_notes(unit, control, was_found, n_crossed, changes, level)),
    )


_WORDS = {
    "better": Text("is better than", "优于"),
    "worse": Text("is worse than", "差于"),
}


def _verdict(metric: Text, control: str, changes: list[ArmChange], sample: SampleRatio) -> str:
    if not sample.is_fine:
        return Text(
            "No conclusion: the arms do not have the units they should have. Find out why before reading the numbers.",
            "不能下结论：各组的样本量不符合预期。请先查明原因，再看数字。",
        )
    return joined(" ", [_said(metric, control, c) for c in changes])


def _said(metric: Text, control: str, c: ArmChange) -> Text:
    d = c.decides
    if isnan(c.p_corrected):
        return Text(
            f"{c.arm} and {control} cannot be compared on {metric.en}: there is no spread to learn from.",
            f"{c.arm} 与 {control} 无法比较 {metric.zh}：数据没有变化，无法估计误差。",
        )
    lift = "" if isnan(d.lift) or d.notes else f"{'+' if d.lift >= 0 else '-'}{share(abs(d.lift))}"
    means = f"{written(d.control)} → {written(d.treatment)}"
    parts = [means if c.cuped is None else Text(f"{means} (CUPED)", f"{means}（CUPED）"), lift]
    figures = joined(Text(", ", "，"), [*filter(None, parts), f"p {p_value(c.p_corrected)}"])
    if c.word == "not clear":
        return Text(
            f"{c.arm} is not clearly different from {control} on {metric.en}: {figures}.",
            f"{c.arm} 与 {control} 在 {metric.zh} 上没有明确差异：{zh(figures)}。",
        )
    word = _WORDS[c.word]
    return Text(
        f"{c.arm} {word.en} {control} on {metric.en}: {figures}.",
        f"{c.arm} 在 {metric.zh} 上{word.zh} {control}：{zh(figures)}。",
    )


def _notes(
    unit: str, control: str, was_found: bool, n_crossed: int, changes: list[ArmChange], level: float
) -> list[str]:
    out: list[str] = []
    if was_found and as_meant(control).strip().casefold() != _CONTROLS[0]:
        out.append(Text(f"read {show(control)} as the control", f"把 {show(control)} 读作对照组"))
    if not unit:
        out.append(
            Text(
                "no unit was named: rows count as independent, which makes intervals too narrow where users return",
                "未指定单元列：把每行视为独立，用户多次出现时区间会偏窄",
            )
        )
    if n_crossed:
        units = counted(n_crossed, "unit", "个单元")
        out.append(Text(f"{units.en} in several arms left out", f"略去出现在多个组的 {units.zh}"))
    if len(changes) > 1:
        out.append(
            Text(
                f"corrected for {len(changes)} comparisons (Bonferroni): the intervals of changes have the level "
                f"{percent(level)} together",
                f"已按 {len(changes)} 次比较校正（Bonferroni）：所有变化的区间合起来的置信水平为 {percent(level)}",
            )
        )
    for c in changes:
        out += [note for note in (*c.decides.notes, *(c.cuped.notes if c.cuped else ())) if note not in out]
    return out
