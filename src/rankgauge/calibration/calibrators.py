"""Which map makes predictions probable: one or two numbers on the log-odds scale, or steps of any shape.

    platt        a·logit(p) + b              shape and level; a few hundred positives are enough
    temperature  a·logit(p)                  too sure or not sure enough, level untouched
    odds         logit(p) + b                level only: down-sampled negatives, drifted base rate
    isotonic     any rising curve            thousands of positives; makes ties
    histogram    one value per bin           needs no assumption at all; makes many ties

The first three keep the order of p, hence AUC: two p are told apart as long as they differ by more than about
1e-15 of their odds and the results are not both rounded to the same float64.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import log
from typing import Any

import numpy as np

from rankgauge._checks import number, whole
from rankgauge._show import show
from rankgauge._text import Text
from rankgauge.alignment import Array
from rankgauge.alignment.isotonic import isotonic
from rankgauge.calibration.base import Calibrator, FittedOn, ascending, calibrator
from rankgauge.calibration.solve import newton, shift, shifted, sigmoid
from rankgauge.calibration.sums import Sums, logit, probabilities
from rankgauge.errors import InputError, ParameterError

__all__ = ["Histogram", "Isotonic", "OddsShift", "Platt", "Temperature"]


@calibrator
@dataclass(frozen=True)
class Platt(Calibrator):
    """Which straight line on the log-odds scale fits the labels best?

        p' = sigmoid(a·logit(p) + b),  a and b of least log loss

    Platt (1999) fitted raw margins; on probabilities the log-odds take their place, so that a = 1, b = 0 changes
    nothing. a < 1 says the predictions were too sure; a < 0 says they point the wrong way, and `keeps_order` is
    then False.
    """

    a: float
    b: float

    name = "platt"

    def __post_init__(self) -> None:
        number("a", self.a, caller=Platt.name)
        number("b", self.b, caller=Platt.name)

    @classmethod
    def fit(cls, label: Any, p: Any, weight: Any = None, *, bayesian: bool = True) -> Platt:
        """Newton's method on the log loss.

        With `bayesian`, as Platt has it, labels 1 and 0 become (P+1)/(P+2) and 1/(N+2) with P positives and N
        negatives: the fit then exists even when p separates the classes. Of rows with weights P and N are what the
        weights leave, (Σw)² / Σw² of each class: the scale of weights changes nothing. Without it, a fit on separated
        classes is refused.
        """
        return cls.of_sums(Sums.of(label, p, weight), bayesian=bayesian)

    @classmethod
    def of_sums(cls, sums: Sums, *, bayesian: bool = True) -> Platt:
        """The same, of rows that are known by their sums."""
        sums.need_both_classes("platt", Text("nothing tells the slope", "无从得知斜率"))
        x = logit(sums.p)
        if x[0] == x[-1]:
            raise InputError(
                Text(
                    "platt: `p` must take at least two values to tell slope from level, got one. Fit 'odds'.",
                    "platt：`p` 至少要有两个不同的值才能区分斜率和水平，实际只有一个。请拟合 'odds'。",
                )
            )
        if bayesian:
            pos, neg = sums.left
            target = sums.positive * ((pos + 1) / (pos + 2)) + sums.negative / (neg + 2)
        else:
            _refuse_separated(x, sums)
            target = sums.positive
        # centred and scaled, the two columns do not disturb each other
        total = sums.weight.sum()
        centre = float(sums.weight @ x / total)
        scale = float(np.sqrt(sums.weight @ (x - centre) ** 2 / total))
        slope, level = newton(np.stack([(x - centre) / scale, np.ones_like(x)]), sums.weight, target)
        a = slope / scale
        return cls(a, level - a * centre, fitted_on=FittedOn.sums(sums))

    def apply(self, p: Any) -> Array:
        return sigmoid(self.a * logit(probabilities(p)) + self.b)

    @property
    def keeps_order(self) -> bool:
        return self.a > 0


@calibrator
@dataclass(frozen=True)
class Temperature(Calibrator):
    """Are the predictions too sure, or not sure enough?

        p' = sigmoid(a·logit(p)),  a = 1/T > 0 of least log loss

    Guo et al. (2017). p = 0.5 stays where it is, so at a click rate of 2% a wrong level bends the answer: use
    "platt" or "odds" there.
    """

    a: float

    name = "temperature"

    def __post_init__(self) -> None:
        number("a", self.a, caller=Temperature.name)
        if self.a <= 0:
            raise ParameterError(
                Text(
                    f"temperature: `a` must be above 0, got {show(self.a)}.",
                    f"temperature：`a` 必须大于 0，实际为 {show(self.a)}。",
                )
            )

    @classmethod
    def fit(cls, label: Any, p: Any, weight: Any = None) -> Temperature:
        """Newton's method on the log loss; refused where no finite a > 0 is best."""
        sums = Sums.of(label, p, weight)
        sums.need_both_classes("temperature", Text("nothing tells how sure to be", "无从得知应有多肯定"))
        x = logit(sums.p)
        if float((sums.weight / 2 - sums.positive) @ x) >= 0:
            raise InputError(
                Text(
                    "temperature: `p` must be on the right side of 0.5 more often than not; here every a > 0 is worse "
                    "than p' = 0.5 for all. Fit 'platt', which moves the level as well.",
                    "temperature：`p` 多数时候必须在 0.5 的正确一侧；而这里任何 a > 0 都不如一律取 p' = 0.5。"
                    "请拟合 'platt'，它还会移动水平。",
                )
            )
        if not (sums.negative[x > 0].any() or sums.positive[x < 0].any()):
            raise InputError(
                Text(
                    "temperature: some labels must disagree with p at 0.5, got none: being surer is always better. "
                    "Fit 'platt', which holds back.",
                    "temperature：必须有一些标签在 0.5 处与 p 不一致，实际没有：越肯定总是越好。请拟合 "
                    "'platt'，它会有所保留。",
                )
            )
        scale = float(np.sqrt(sums.weight @ x**2 / sums.weight.sum()))
        (slope,) = newton(x[None] / scale, sums.weight, sums.positive)
        return cls(slope / scale, fitted_on=FittedOn.sums(sums))

    def apply(self, p: Any) -> Array:
        return sigmoid(self.a * logit(probabilities(p)))

    @property
    def keeps_order(self) -> bool:
        return True


@calibrator
@dataclass(frozen=True)
class OddsShift(Calibrator):
    """By which factor are all odds too high?

        p' = sigmoid(logit(p) + b),  b such that Σ w p' = Σ w y

    The right correction when only the base rate moved, or when negatives were down-sampled by a known share
    (`for_downsampling`).
    """

    b: float

    name = "odds"

    def __post_init__(self) -> None:
        number("b", self.b, caller=OddsShift.name)

    @classmethod
    def fit(cls, label: Any, p: Any, weight: Any = None) -> OddsShift:
        """The one shift after which as many positives are predicted as there are."""
        sums = Sums.of(label, p, weight)
        sums.need_both_classes(
            "odds", Text("no finite shift predicts a base rate of 0 or 1", "有限的平移无法预测 0 或 1 的基准率")
        )
        return cls(shift(sums), fitted_on=FittedOn.sums(sums))

    @classmethod
    def for_downsampling(cls, kept: float) -> OddsShift:
        """Undo training on all positives and a share `kept` of the negatives: q = p / (p + (1-p)/kept).

        He et al. (2014).

        >>> float(OddsShift.for_downsampling(0.01).apply(0.5).round(5))
        0.0099
        """
        if isinstance(kept, bool) or not isinstance(kept, int | float) or not 0 < kept <= 1:
            raise ParameterError(
                Text(
                    f"`kept` must be the share of negatives kept, above 0 and up to 1, got {show(kept)}.",
                    f"`kept` 必须是保留的负样本的比例，大于 0 且不超过 1，实际为 {show(kept)}。",
                )
            )
        return cls(log(kept))

    def apply(self, p: Any) -> Array:
        return shifted(probabilities(p), self.b)

    @property
    def keeps_order(self) -> bool:
        return True


@calibrator
@dataclass(frozen=True)
class Isotonic(Calibrator):
    """Which rising curve fits the labels best?

    Pool adjacent violators (Ayer et al. 1955) on labels averaged over equal p. On the p it was fitted on, the
    curve is the step function of the CORP decomposition (Dimitriadis, Gneiting & Jordan 2021); between two
    neighbouring steps it is a straight line, and beyond the ends it stays level. The first and last step may be
    exactly 0 and 1, which one surprise makes costly in log loss; ties made by the steps can move AUC.
    """

    thresholds: tuple[float, ...]  # the first and last p of each step
    values: tuple[float, ...]

    name = "isotonic"

    def __post_init__(self) -> None:
        ascending(Isotonic, "thresholds", self.thresholds, strictly=True)
        ascending(Isotonic, "values", self.values, strictly=False)
        if not self.values or len(self.thresholds) != len(self.values):
            got = f"{len(self.thresholds)} and {len(self.values)}"
            raise ParameterError(
                Text(
                    f"isotonic: `thresholds` and `values` must be of one length above 0, got {got}.",
                    f"isotonic：`thresholds` 和 `values` 的长度必须相同且大于 0，实际为 {len(self.thresholds)} "
                    f"和 {len(self.values)}。",
                )
            )

    @classmethod
    def fit(cls, label: Any, p: Any, weight: Any = None) -> Isotonic:
        """The rising step function of least squared error, which is also that of least log loss."""
        sums = Sums.of(label, p, weight)
        sums.need_both_classes("isotonic", Text("it would say so for every row", "它对每一行都会给出同样的值"))
        start, _ = isotonic(sums.positive, sums.weight)
        # means from sums: neighbours that are equal on paper are equal here too, and become one step
        value = np.add.reduceat(sums.positive, start) / np.add.reduceat(sums.weight, start)
        value = np.maximum.accumulate(value)
        new = np.concatenate(([True], value[1:] > value[:-1]))
        first, value = start[new], value[new]
        last = np.append(first[1:], len(sums.p)) - 1
        ends = np.stack([first, last], axis=1).ravel()
        keep = np.concatenate(([True], ends[1:] != ends[:-1]))  # a step of one point has one end
        return cls(
            tuple(sums.p[ends[keep]].tolist()),
            tuple(np.repeat(value, 2)[keep].tolist()),
            fitted_on=FittedOn.sums(sums),
        )

    def apply(self, p: Any) -> Array:
        line = np.interp(probabilities(p), self.thresholds, self.values)
        return np.asarray(np.clip(line, self.values[0], self.values[-1]))

    @property
    def keeps_order(self) -> bool:
        return False


@calibrator
@dataclass(frozen=True)
class Histogram(Calibrator):
    """How often were predictions like this one right?

    Bins of equal weight along p, each answering with its mean label (Zadrozny & Elkan 2001), pulled towards the
    base rate of the sample as by `smoothing` extra rows. One extra row keeps every bin off 0 and 1; half a
    positive and half a negative would do so too, but would lift a bin with 5 clicks in 1000 rows by a tenth.
    Weights leave (Σw)² / Σw² rows of a bin to hold the extra ones against, whatever their scale.
    """

    edges: tuple[float, ...]  # where the second bin begins, the third …
    values: tuple[float, ...]

    name = "histogram"

    def __post_init__(self) -> None:
        ascending(Histogram, "edges", self.edges, strictly=True)
        if not isinstance(self.values, tuple) or len(self.values) != len(self.edges) + 1:
            raise ParameterError(
                Text(
                    "histogram: `values` must be a tuple with one value more than there are `edges`.",
                    "histogram：`values` 必须是元组，且比 `edges` 多一个值。",
                )
            )
        for value in self.values:
            ascending(Histogram, "values", (value,), strictly=False)

    @classmethod
    def fit(cls, label: Any, p: Any, weight: Any = None, *, bins: int = 15, smoothing: float = 1.0) -> Histogram:
        """Cut at quantiles of p by weight, never inside a tie: many ties make fewer bins."""
        whole("bins", bins, caller="histogram")
        number("smoothing", smoothing, at_least=0, caller="histogram")
        sums = Sums.of(label, p, weight)
        sums.need_both_classes("histogram", Text("it would say so for every row", "它对每一行都会给出同样的值"))
        below = np.cumsum(sums.weight)
        middle = (below - sums.weight / 2) / below[-1]
        # whole bin numbers by comparison: rounding of middle·bins could move a row over a cut
        bin_ = np.searchsorted(np.arange(1, bins) / bins, middle, side="right")
        start = np.flatnonzero(np.concatenate(([True], bin_[1:] != bin_[:-1])))
        positive, total = np.add.reduceat(sums.positive, start), np.add.reduceat(sums.weight, start)
        # what one row of the bin weighs: 1 where all weigh the same
        extra = smoothing * np.add.reduceat(sums.squares, start) / total
        value = (positive + extra * sums.base_rate) / (total + extra)
        low, high = sums.p[start[1:] - 1], sums.p[start[1:]]
        half = low + (high - low) / 2
        edges = np.where(half > low, half, high)  # neighbours among floats have no middle
        return cls(tuple(edges.tolist()), tuple(value.tolist()), fitted_on=FittedOn.sums(sums))

    def apply(self, p: Any) -> Array:
        bin_ = np.searchsorted(np.array(self.edges), probabilities(p), side="right")
        return np.asarray(np.array(self.values)[bin_])

    @property
    def keeps_order(self) -> bool:
        return False


def _refuse_separated(x: Array, sums: Sums) -> None:
    ones, zeros = x[sums.positive > 0], x[sums.negative > 0]
    if zeros[-1] <= ones[0] or ones[-1] <= zeros[0]:
        raise InputError(
            Text(
                "platt: without `bayesian` the classes must overlap in p, got classes that one p separates: a steeper "
                "line is always better. Pass bayesian=True.",
                "platt：没有 `bayesian` 时，两个类别的 p 必须有重叠，实际用一个 p 就能分开：越陡总是越好。"
                "请传入 bayesian=True。",
            )
        )
