"""What makes a threshold the best one: the rules by which it can be chosen."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import partial
from math import inf, isfinite, nan
from typing import Any

import numpy as np

from rankgauge._checks import is_number
from rankgauge._numbers import short
from rankgauge._show import show
from rankgauge._text import Text, zh
from rankgauge._words import as_meant
from rankgauge.alignment import Array
from rankgauge.alignment.sample import Sample
from rankgauge.errors import ParameterError, suggest
from rankgauge.measures.predictions._cells import OfCells
from rankgauge.measures.predictions.base import mean_influence
from rankgauge.measures.predictions.confusion import MCC, Accuracy, BalancedAccuracy, F, Precision, Recall

__all__ = ["Rule", "rule_of"]

_BY = ("F", "MCC", "Youden", "Accuracy", "BalancedAccuracy", "cost", "precision", "recall", "share")
_ALSO = {"j": "Youden", "ks": "Youden", "bacc": "BalancedAccuracy", "acc": "Accuracy", "top": "share"}
_F = re.compile(r"f[_-]?(\d+(?:\.\d+)?)", re.IGNORECASE)


@dataclass(frozen=True)
class Rule:
    """What makes a threshold the best one."""

    by: str
    """F, MCC, Youden, Accuracy, BalancedAccuracy, cost, precision, recall or share."""
    beta: float = 1.0
    cost_fp: float = 1.0
    cost_fn: float = 1.0
    at_least: float | None = None
    share: float | None = None

    @property
    def measure(self) -> str:
        """The name of the number that is made best."""
        return {
            "F": f"F{short(self.beta)}",
            "cost": "cost per row",
            "precision": "Recall",
            "recall": "Precision",
            "share": "share called positive",
        }.get(self.by, self.by)

    @property
    def text(self) -> str:
        """What the threshold was chosen for, in words."""
        if self.by in ("precision", "recall"):
            return Text(
                f"the highest {self.measure} with {self.by} >= {short(self.at_least)}",
                f"{self.by} >= {short(self.at_least)} 时 {self.measure} 最高",
            )
        if self.by == "cost":
            return Text(
                f"the least cost ({short(self.cost_fp)} per false positive, {short(self.cost_fn)} per false negative)",
                f"代价最小（每个误报 {short(self.cost_fp)}，每个漏报 {short(self.cost_fn)}）",
            )
        if self.by == "share":
            return Text(
                f"at most {short(self.share)} of the rows called positive", f"判为正的行不超过 {short(self.share)}"
            )
        return Text(f"the highest {self.measure}", f"{self.measure} 最高")

    @property
    def may_call_nothing(self) -> bool:
        """Whether a threshold above every score is an answer."""
        return self.by in ("Accuracy", "cost")

    def value(self, cells: Array) -> Array:
        """The number for each column of (tp, fp, fn, tn)."""
        tp, fp, fn, _ = cells
        if self.by == "cost":
            made: Array = (self.cost_fp * fp + self.cost_fn * fn) / cells.sum(axis=0)
        elif self.by == "share":
            made = (tp + fp) / cells.sum(axis=0)
        elif self.by == "Youden":
            made = 2 * BalancedAccuracy(threshold=0).of_cells(cells) - 1
        else:
            made = self.cells_measure(0.0).of_cells(cells)
        return made

    def cells_measure(self, threshold: float) -> OfCells:
        """The measure of the confusion matrix behind the number."""
        kinds: dict[str, Any] = {
            "F": partial(F, beta=self.beta),
            "MCC": MCC,
            "Youden": BalancedAccuracy,
            "Accuracy": Accuracy,
            "BalancedAccuracy": BalancedAccuracy,
            "precision": Recall,
            "recall": Precision,
        }
        made: OfCells = kinds[self.by](threshold=threshold)
        return made

    def preference(self, cells: Array) -> Array:
        """The higher the better, -inf where a threshold will not do.

        Numbers that grow together with the value, but without its rounding: thresholds that are equally good on paper
        must be so here.
        """
        tp, fp, fn, tn = cells
        if self.by in ("Youden", "BalancedAccuracy"):
            return np.asarray(tp * (fp + tn) - fp * (tp + fn))
        if self.by == "Accuracy":
            return np.asarray(tp - fp)
        if self.by == "cost":
            return -np.asarray(self.cost_fp * fp + self.cost_fn * fn)
        if self.by == "share":
            return np.where(self.value(cells) <= _a_little_more(self.share), tp + fp, -inf)
        value = self.value(cells)
        if self.by in ("precision", "recall"):
            value = np.where(self.floored(cells) >= self.at_least, tp if self.by == "precision" else value, -inf)
        return np.where(np.isnan(value), -inf, value)

    def floored(self, cells: Array) -> Array:
        """Of precision and recall, the one that must not fall below `at_least`."""
        kind = Precision if self.by == "precision" else Recall
        return kind(threshold=0).of_cells(cells)

    def clusters(self, s: Sample, threshold: float) -> Array | None:
        """The influence of each unit on the value at this threshold."""
        above = s.score >= threshold
        if self.by == "cost":
            costs = np.where(above, self.cost_fp * ~s.label, self.cost_fn * s.label)
            return s.by_cluster(mean_influence(s, costs))
        if self.by == "share":
            return s.by_cluster(mean_influence(s, above))
        if not isfinite(threshold):
            return s.by_cluster(mean_influence(s, ~s.label))  # Accuracy of calling nothing positive
        found = self.cells_measure(threshold).clusters(s)
        return found if found is None or self.by != "Youden" else 2 * found

    def left(self, s: Sample, threshold: float) -> float:
        """What weights leave of the units that the value rests on."""
        of_rows = self.by in ("cost", "share") or not isfinite(threshold)
        return s.left if of_rows else self.cells_measure(threshold).left(s)

    def bounds(self) -> tuple[float, float]:
        low = {"MCC": -1.0, "Youden": -1.0}.get(self.by, 0.0)
        return low, inf if self.by == "cost" else 1.0


def rule_of(
    by: str, beta: float, cost_fp: float | None, cost_fn: float | None, at_least: float | None, share: float | None
) -> Rule:
    """The rule that these words ask for, or an error that says what is missing or does not belong together."""
    name, beta = _name(by, beta)
    given = {"cost_fp": cost_fp, "cost_fn": cost_fn, "at_least": at_least, "share": share}
    wanted = {"cost": ("cost_fp", "cost_fn"), "precision": ("at_least",), "recall": ("at_least",), "share": ("share",)}
    needed = wanted.get(name, ())
    for key, value in given.items():
        if value is None and key in needed:
            raise ParameterError(
                Text(
                    f"choose_threshold: by={show(by)} needs {' and '.join(f'{k}=' for k in needed)}.",
                    f"choose_threshold：by={show(by)} 需要 {' 和 '.join(f'{k}=' for k in needed)}。",
                )
            )
        if value is not None and key not in needed:
            users = [word for word, keys in wanted.items() if key in keys]
            raise ParameterError(
                Text(
                    f"choose_threshold: `{key}` is for by={' or '.join(map(show, users))}, got by={show(by)}.",
                    f"choose_threshold：`{key}` 用于 by={' 或 '.join(map(show, users))}，实际为 by={show(by)}。",
                )
            )
    for key in ("at_least", "share"):
        _check(key, given[key], lambda v: 0 < v <= 1, Text("above 0 and up to 1", "大于 0 且不超过 1"))
    for key in ("cost_fp", "cost_fn"):
        _check(key, given[key], lambda v: v >= 0 and isfinite(v), Text("a number from 0 up", "是不小于 0 的数"))
    if name == "cost" and not (cost_fp or cost_fn):
        raise ParameterError(
            Text(
                "choose_threshold: one of `cost_fp` and `cost_fn` must be above 0, got 0 and 0.",
                "choose_threshold：`cost_fp` 和 `cost_fn` 中必须有一个大于 0，实际都为 0。",
            )
        )
    return Rule(name, beta, cost_fp or 0.0, cost_fn or 0.0, at_least, share)


def _name(by: str, beta: float) -> tuple[str, float]:
    _check("beta", beta, lambda v: v > 0 and isfinite(v), Text("a number above 0", "是大于 0 的数"))
    if isinstance(by, str):
        by = as_meant(by)
        said = _F.fullmatch(by)
        if said and float(said[1]) > 0:
            if beta not in (1, float(said[1])):
                raise ParameterError(
                    Text(
                        f"choose_threshold: by={show(by)} says beta already, got beta={show(beta)} as well.",
                        f"choose_threshold：by={show(by)} 已说明 beta，实际又传入了 beta={show(beta)}。",
                    )
                )
            return "F", float(said[1])
        folded = {name.casefold(): name for name in _BY} | _ALSO
        found = folded.get(re.sub(r"[_\s-]", "", by).casefold())
        if found is not None:
            if beta != 1 and found != "F":
                raise ParameterError(
                    Text(
                        f"choose_threshold: `beta` is for by='F', got by={show(by)}.",
                        f"choose_threshold：`beta` 用于 by='F'，实际为 by={show(by)}。",
                    )
                )
            return found, float(beta)
    hint = suggest(str(by), _BY)
    raise ParameterError(
        Text(
            f"choose_threshold: `by` must be one of {', '.join(_BY)} (or F1, F2 …), got {show(by)}.{hint}",
            f"choose_threshold：`by` 必须是 {', '.join(_BY)} 之一（或 F1、F2 …），实际为 {show(by)}。{zh(hint)}",
        )
    )


def _check(name: str, value: Any, fits: Any, must_be: Text) -> None:
    if value is None:
        return
    if not is_number(value) or not fits(value):
        raise ParameterError(
            Text(
                f"choose_threshold: `{name}` must be {must_be}, got {show(value)}.",
                f"choose_threshold：`{name}` 必须{must_be.zh}，实际为 {show(value)}。",
            )
        )


def _a_little_more(share: float | None) -> float:
    """0.3 · 10 rows is a little less than 3 in floating point."""
    return nan if share is None else share * (1 + 1e-12)
