"""From which score on should a row be called positive?

Every distinct score is a threshold, and one sweep gives the four cells at each of them, so the best one is exact. The
value at the best threshold is too good on the rows it was chosen on; it is reported on others.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import inf, isfinite, isnan, nan
from typing import TYPE_CHECKING, Any, Unpack

import numpy as np

from rankgauge._numbers import short
from rankgauge._records import Record
from rankgauge._renamed import renamed
from rankgauge._show import show
from rankgauge._text import Text
from rankgauge.alignment import Array
from rankgauge.alignment.sample import Sample
from rankgauge.alignment.sweep import Confusion
from rankgauge.errors import InputError, ParameterError
from rankgauge.evaluation.predictions.splits import InputOptions, OneModel, Split, check_split, one_model, split_rows
from rankgauge.evaluation.predictions.threshold_rules import Rule, rule_of
from rankgauge.measures.predictions.confusion import Accuracy, F, Precision, Recall
from rankgauge.statistics.clusters import standard_error, t_interval_of
from rankgauge.statistics.intervals import Interval, check_level

if TYPE_CHECKING:
    import polars as pl

__all__ = ["Threshold", "choose_threshold"]

_SAME_ROWS = Text(
    "chosen and reported on the same rows: the value is too good for new rows",
    "选取与报告用的是相同的行：对新数据来说，这个数值偏高",
)
_ONE_UNIT = Text("no interval: all reported rows are of one group", "没有区间：报告用的行都属于同一组")


@dataclass(frozen=True, eq=False, kw_only=True)
class Threshold(Record, kind="threshold", schema=1):
    """A threshold, what it was chosen for, and what it does to rows that had no say in it."""

    threshold: float
    """Rows at or above it are called positive; inf: none."""
    by: str
    measure: str
    """The name of the number that was made best: F1, Recall (at a precision), cost per row …"""
    rule: str
    """What it was chosen for, in words: the highest Recall with precision >= 0.9."""
    beta: float
    at_least: float | None
    value_chosen: float
    """On the rows it was chosen on."""
    value: float
    """On the rows it is reported on; NaN where undefined."""
    interval: Interval
    """Of `value`, clustered by group, the threshold held where it is."""
    confidence_level: float
    confusion: Confusion
    """tp, fp, fn, tn on the reported rows (their weight)."""
    precision: float
    recall: float
    f: float
    """F with `beta`."""
    accuracy: float
    majority: float
    """The accuracy of calling every row the larger class."""
    share: float
    """Of the reported rows, called positive."""
    rows_chosen: int
    rows: int
    split: Split
    model: str = "score"
    data: str = "predictions"
    notes: tuple[str, ...] = ()

    @property
    def same_rows(self) -> bool:
        """Whether it is reported on the rows it was chosen on, and looks better than it is."""
        return self.split.kind == "none"

    def __float__(self) -> float:
        return self.threshold

    def to_frame(self) -> pl.DataFrame:
        """A Polars frame of one row."""
        import polars as pl

        return pl.DataFrame(self.csv_rows())

    def csv_rows(self) -> list[dict[str, Any]]:
        """The row of `to_frame` as a dict."""
        return [
            {
                "model": self.model,
                "by": self.by,
                "measure": self.measure,
                "threshold": self.threshold,
                "value_chosen": self.value_chosen,
                "value": self.value,
                "low": self.interval.low,
                "high": self.interval.high,
                **self.confusion._asdict(),
                "precision": self.precision,
                "recall": self.recall,
                f"f{short(self.beta)}": self.f,
                "accuracy": self.accuracy,
                "majority": self.majority,
                "share": self.share,
                "rows_chosen": self.rows_chosen,
                "rows": self.rows,
                "split": self.split.kind,
            }
        ]


@renamed(segments="slices")
def choose_threshold(
    predictions: Any,
    by: str = "F1",
    *,
    beta: float = 1,
    cost_fp: float | None = None,
    cost_fn: float | None = None,
    at_least: float | None = None,
    share: float | None = None,
    split: str | float | None = "auto",
    validation: Any = None,
    rng: Any = 0,
    model: str | None = None,
    confidence_level: float = 0.95,
    **reading: Unpack[InputOptions],
) -> Threshold:
    """From which score on should a row be called positive?

        F (F1, F2, F0.5, or beta=)    highest F
        MCC, Youden, Accuracy, BalancedAccuracy
        cost                          least cost_fp · FP + cost_fn · FN
        precision                     highest recall with precision >= at_least
        recall                        highest precision with recall >= at_least
        share                         as many as possible, but at most this share of the rows

    All distinct scores are tried. Of equally good thresholds the highest is taken: it calls the fewest rows positive.
    The threshold is on the scale of the scores as given, whatever `negatives_kept` and `scale` say about them.
    For accuracy and cost, calling no row positive (threshold inf) is tried as well. Equal scores are on one side.
    A floor that no threshold reaches is refused, with the best that can be reached.

    The threshold is chosen on some rows and reported on others: `split` as in `split_rows`, or on the rows of
    `validation` and reported on all of `predictions`. `split=None` uses the same rows for both and says so.
    `predictions` may also be an evaluation.

    >>> found = choose_threshold({"label": [0, 0, 1, 1], "score": [.1, .4, .35, .8]}, "F1", split=None)
    >>> found.threshold, found.value
    (0.35, 0.8)
    """
    rule = rule_of(by, beta, cost_fp, cost_fn, at_least, share)
    check_level(confidence_level)
    if split is not None:
        check_split(split)
    all_rows = one_model(predictions, model, reading, "choose_threshold")
    chosen_on, reported_on, parted = _parts(all_rows, split, validation, rng, model, reading)
    for part in (chosen_on, reported_on):
        _need_labels(part)
    threshold, value = _best(rule, chosen_on.sample)
    return _reported(rule, threshold, value, chosen_on, reported_on, parted, confidence_level)


# on which rows


def _parts(
    rows: OneModel, split: str | float | None, validation: Any, rng: Any, model: str | None, reading: InputOptions
) -> tuple[OneModel, OneModel, Split]:
    every = np.arange(len(rows.sample))
    if validation is not None:
        if split not in ("auto", None):
            raise ParameterError(
                Text(
                    f"choose_threshold: pass `validation` or `split`, got both (split={show(split)}).",
                    f"choose_threshold：`validation` 和 `split` 只能传入一个，实际两个都有（split={show(split)}）。",
                )
            )
        other = one_model(
            validation, model, reading, Text("choose_threshold, validation", "choose_threshold 的 validation")
        )
        return other, rows, Split(np.arange(len(other.sample)), every, "validation")
    if split is None:
        return rows, rows, Split(every, every, "none")
    parted = split_rows(rows.rows, split, rng)
    return rows.select(parted.fit), rows.select(parted.judge), parted


def _need_labels(part: OneModel) -> None:
    s = part.sample
    if s.is_soft:
        between = int(np.count_nonzero((s.label > 0) & (s.label < 1)))
        raise InputError(
            Text(
                f"choose_threshold: labels must be 0 and 1, got {between:,} of {len(s):,} between.",
                f"choose_threshold：标签必须是 0 和 1，实际 {len(s):,} 个中有 {between:,} 个介于其间。",
            )
        )
    if not s.has_both_classes:
        raise InputError(
            Text(
                f"choose_threshold: the rows to choose and to report on must hold both classes, all {len(s):,} labels "
                "of "
                f"one part are {int(s.n_positives > 0)}. Pass more rows, or another split.",
                f"choose_threshold：用于选择和用于报告的行都必须同时有两个类别，实际一部分的 {len(s):,} "
                f"个标签全为 {int(s.n_positives > 0)}。请传入更多的行，或换一种划分。",
            )
        )


# the choice


def _best(rule: Rule, s: Sample) -> tuple[float, float]:
    """The best threshold, the highest where several are, and its value."""
    sweep = s.sweep
    thresholds, tp, fp = sweep.thresholds, sweep.tp, sweep.fp
    if rule.may_call_nothing:
        thresholds, tp, fp = np.append(inf, thresholds), np.append(0.0, tp), np.append(0.0, fp)
    cells = np.stack([tp, fp, sweep.n_positives - tp, sweep.n_negatives - fp])
    preference = rule.preference(cells)
    at = int(np.argmax(preference))
    if preference[at] == -inf:
        raise _unreachable(rule, cells)
    return float(thresholds[at]), float(rule.value(cells[:, at]))


def _unreachable(rule: Rule, cells: Array) -> InputError:
    if rule.by == "share":
        least = float(rule.value(cells).min())
        return InputError(
            Text(
                f"choose_threshold: the highest score alone is {short(least, 4)} of the rows, more than "
                f"share={short(rule.share)}. "
                f"Pass share={short(least, 4)} or more; equal scores cannot be parted.",
                f"choose_threshold：仅最高得分就占了 {short(least, 4)} 的行，超过 share={short(rule.share)}。"
                f"请传入 share={short(least, 4)} 或更大；相同的得分无法分开。",
            )
        )
    if rule.by == "MCC":
        return InputError(
            Text(
                "choose_threshold: all scores are the same, so that MCC is undefined at every threshold.",
                "choose_threshold：所有得分都相同，MCC 在任何阈值下都没有定义。",
            )
        )
    most = float(np.nanmax(rule.floored(cells)))
    return InputError(
        Text(
            f"choose_threshold: no threshold reaches a {rule.by} of {short(rule.at_least)}; the best is "
            f"{short(most, 4)}. "
            "Ask for less.",
            f"choose_threshold：没有阈值能使 {rule.by} 达到 {short(rule.at_least)}；最好为 {short(most, 4)}。"
            "请降低要求。",
        )
    )


def _reported(
    rule: Rule, threshold: float, value_chosen: float, chosen: OneModel, on: OneModel, split: Split, level: float
) -> Threshold:
    s = on.sample
    confusion = s.sweep.confusion(threshold)
    cells = np.array(confusion)
    value = float(rule.value(cells))
    clusters = None if isnan(value) else rule.clusters(s, threshold)
    found = Interval(nan, nan)
    if clusters is not None:
        left = rule.left(s, threshold)
        found = t_interval_of(value, standard_error(clusters, left), left, level)
        found = found if isnan(found.low) else found.clipped(*rule.bounds())
    prevalence = s.prevalence
    return Threshold(
        threshold=threshold,
        by=rule.by,
        measure=rule.measure,
        rule=rule.text,
        beta=rule.beta,
        at_least=rule.at_least,
        value_chosen=value_chosen,
        value=value,
        interval=found,
        confidence_level=level,
        confusion=confusion,
        precision=float(Precision(threshold=0).of_cells(cells)),
        recall=float(Recall(threshold=0).of_cells(cells)),
        f=float(F(threshold=0, beta=rule.beta).of_cells(cells)),
        accuracy=float(Accuracy(threshold=0).of_cells(cells)),
        majority=max(prevalence, 1 - prevalence),
        share=float((confusion.tp + confusion.fp) / s.total),
        rows_chosen=len(chosen.sample),
        rows=len(s),
        split=split,
        model=on.model,
        data=on.rows.name,
        notes=_notes(rule, threshold, cells, split, is_one=clusters is not None and len(clusters) < 2),
    )


def _notes(rule: Rule, threshold: float, cells: Array, split: Split, *, is_one: bool) -> tuple[str, ...]:
    notes: list[str] = [_SAME_ROWS] if split.kind == "none" else []
    if is_one:
        notes.append(_ONE_UNIT)
    if not isfinite(threshold):
        notes.append(Text("calling no row positive is best", "最好不把任何行判为正"))
    if rule.at_least is not None and not float(rule.floored(cells)) >= rule.at_least:
        got = float(rule.floored(cells))
        notes.append(
            Text(
                f"{rule.by} is {short(got, 4)} on the reported rows, below the {short(rule.at_least)} that was asked "
                "for",
                f"在报告用的行上 {rule.by} 为 {short(got, 4)}，低于要求的 {short(rule.at_least)}",
            )
        )
    return tuple(notes)
