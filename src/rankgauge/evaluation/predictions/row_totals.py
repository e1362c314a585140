"""Everything that all rows together say about one model, in a state that adds up.

    totals = RowTotals(plan).update(label, score, weight)        a + b        a.to_bytes()

Sums are exact, so any split of the rows and any order of adding gives the same state, bit by bit. What depends on which
rows belong together (groups, and how far a number can be trusted) is `ClusterMoments`, made in a second pass that knows
these totals.
"""

from __future__ import annotations

from dataclasses import asdict
from functools import cached_property
from math import inf, nan
from typing import Any, Self

import numpy as np

from rankgauge._text import Text
from rankgauge.alignment.bins import Bins
from rankgauge.alignment.certified import CalibrationBins
from rankgauge.alignment.sample import Sample
from rankgauge.alignment.score_bins import ScoreBins
from rankgauge.alignment.segments import Array
from rankgauge.errors import ParameterError
from rankgauge.evaluation.predictions.packing import pack, unpack
from rankgauge.evaluation.predictions.totals_plan import TotalsPlan
from rankgauge.measures.predictions.base import Undefined
from rankgauge.measures.predictions.sums import TERMS, Terms, clipped_rows
from rankgauge.statistics.exact_sums import CHUNK, ExactSums, add_digits, exact_units, from_units

__all__ = ["RowTotals"]

_MAGIC = b"RGRT\x01"
_COUNTS = ("rows", "between", "outside", "clipped_rows")
_BESIDE = ("variance", "clipped_loss")  # of probabilities too, but no sum of a term over all rows
_PREDICTED, _SOFT, _VARIANCE = range(3)  # columns beside the weights of a bin
_EXTRA_DIGITS = 70  # of what is summed in bins, below those of the weight: an error of 2^-71 of a row's weight


class RowTotals:
    """Labels and scores of one model, added up.

    With scale="auto" scores are probabilities until one is outside [0, 1]; from then on nothing that needs
    probabilities is kept.

    >>> plan = TotalsPlan()
    >>> a = RowTotals(plan).update(np.array([True]), np.array([0.2]))
    >>> b = RowTotals(plan).update(np.array([False]), np.array([0.3]))
    >>> len(a + b), (a + b).prevalence
    (2, 0.5)
    """

    def __init__(self, plan: TotalsPlan) -> None:
        self.plan = plan
        self.counts = dict.fromkeys(_COUNTS, 0)
        self.low, self.high = inf, -inf
        self._cells = [name for t in plan.thresholds for name in _above(t)]
        self.units = dict.fromkeys([*TERMS, *_BESIDE, *self._cells], 0)
        self.bins = ScoreBins(plan.mantissa_bits, columns=3 if plan.along else 0)
        self.by_width = {n: ExactSums(0, np.zeros((1, 4, n), dtype=np.int64)) for n in plan.widths}
        self.weighted = False

    # taking in

    def update(self, label: Array, score: Array, weight: Array | None = None) -> Self:
        """Takes in rows: labels True/False or shares from 0 to 1, any score but NaN, weights above 0."""
        if not len(score):
            return self
        self.weighted = self.weighted or weight is not None
        self.counts["rows"] += len(score)
        low, high = float(score.min()) + 0.0, float(score.max()) + 0.0  # -0.0 is 0.0
        self.low, self.high = min(self.low, low), max(self.high, high)
        if not (low >= 0 and high <= 1):
            self.counts["outside"] += int(np.count_nonzero(~((score >= 0) & (score <= 1))))
        beside = np.zeros((self.bins.columns, len(score)))
        widths: dict[int, dict[int, Any]] = {n: {} for n in self.by_width}
        for start in range(0, len(score), CHUNK):
            part = slice(start, start + CHUNK)
            w = None if weight is None else weight[part]
            s = Sample(label[part], score[part], w, scale=self.scale, kept=self.plan.negatives_kept)
            self._add(s, beside[:, part], widths)
        self.bins.update(label == 1, score, weight, list(beside))
        for n, digits in widths.items():
            self.by_width[n] += ExactSums.of(digits, (4, n))
        self.settle()
        return self

    def _add(self, s: Sample, beside: Array, widths: dict[int, dict[int, Any]]) -> None:
        terms = Terms(s)
        for name, term in TERMS.items():
            if (s.is_soft or not term.soft_only) and not (term.of_probabilities and s.scale == "score"):
                self.units[name] += exact_units(terms.weighed(name))
        if s.is_soft:
            between = (s.label > 0) & (s.label < 1)
            self.counts["between"] += int(np.count_nonzero(between))
            if self.plan.along:
                beside[_SOFT] = _shortened(s.weigh(np.where(between, s.label, 0.0)), s.weight)
        else:
            for threshold in self.plan.thresholds:
                above = s.score >= threshold
                for name, label in zip(_above(threshold), (s.label, ~s.label), strict=True):
                    self.units[name] += exact_units(s.weigh(label & above))
        if s.scale == "score":
            return
        clipped = clipped_rows(s)
        if len(clipped):
            self.counts["clipped_rows"] += len(clipped)
            self.units["clipped_loss"] += exact_units(terms.weighed("loss")[clipped])
        if self.plan.along or widths:
            self._add_to_bins(s, terms, beside, widths)

    def _add_to_bins(self, s: Sample, terms: Terms, beside: Array, widths: dict[int, dict[int, Any]]) -> None:
        """What was predicted, along the scores."""
        squared_weight = None if s.weight is None else s.weight**2
        spread = s.probability * (1 - s.probability)
        spread = spread if squared_weight is None else spread * squared_weight
        self.units["variance"] += exact_units(spread)
        predicted, spread = _shortened(terms.weighed("predicted"), s.weight), _shortened(spread, squared_weight)
        if self.plan.along:
            beside[_PREDICTED] = predicted
            if s.weight is not None:
                beside[_VARIANCE] = spread
        for n, digits in widths.items():
            place = np.minimum((s.probability * n).astype(np.int64), n - 1)
            positive = _shortened(terms.weighed("positive"), s.weight)
            for row, values in enumerate((terms.weighed("weight"), positive, predicted, spread)):
                add_digits(digits, (4, n), row, place, values)

    def settle(self) -> None:
        """Forgets what needs hard labels or probabilities where some are not: a state must not depend on when that
        was found out."""
        if self.is_soft:
            self.units |= dict.fromkeys(self._cells, 0)
        if self.scale != "score":
            return
        self.units |= dict.fromkeys([*(name for name, t in TERMS.items() if t.of_probabilities), *_BESIDE], 0)
        self.counts["clipped_rows"] = 0
        for n in self.by_width:
            self.by_width[n] = ExactSums(0, np.zeros((1, 4, n), dtype=np.int64))
        if self.plan.along:
            self.bins.sums = self.bins.sums.without([2 + _PREDICTED, 2 + _VARIANCE])

    def __add__(self, other: RowTotals) -> RowTotals:
        if self.plan != other.plan:
            raise ParameterError(
                Text(
                    f"totals to add must have the same plan, got {self.plan} and {other.plan}.",
                    f"要相加的合计必须有相同的计划，实际为 {self.plan} 和 {other.plan}。",
                )
            )
        out = RowTotals(self.plan)
        out.weighted = self.weighted or other.weighted
        out.low, out.high = min(self.low, other.low), max(self.high, other.high)
        out.counts = {name: self.counts[name] + other.counts[name] for name in _COUNTS}
        out.units = {name: self.units[name] + other.units[name] for name in self.units}
        out.bins = self.bins + other.bins
        out.by_width = {n: self.by_width[n] + other.by_width[n] for n in self.by_width}
        out.settle()
        return out

    def __eq__(self, other: object) -> bool:
        return self.to_bytes() == other.to_bytes() if isinstance(other, RowTotals) else NotImplemented

    __hash__ = None  # type: ignore[assignment]

    # what decides whether a measure has a value: `Facts`

    def __len__(self) -> int:
        return self.counts["rows"]

    @property
    def scale(self) -> str:
        """What the scores are, as far as was seen."""
        if self.plan.scale in ("auto", "probability"):
            return "score" if self.counts["outside"] else "probability"
        return self.plan.scale

    @property
    def is_soft(self) -> bool:
        return self.between > 0

    @property
    def between(self) -> int:
        return self.counts["between"]

    @property
    def outside(self) -> int:
        return self.counts["outside"]

    @property
    def ends(self) -> tuple[float, float]:
        return self.low, self.high

    @property
    def has_groups(self) -> bool:
        return self.plan.has_groups

    @property
    def total(self) -> float:
        return self.sum("weight")

    @property
    def n_positives(self) -> float:
        return self.sum("positive")

    @property
    def n_negatives(self) -> float:
        return self.total - self.n_positives

    @property
    def prevalence(self) -> float:
        return self.n_positives / self.total if len(self) else nan

    @property
    def has_both_classes(self) -> bool:
        return 0 < self.n_positives < self.total

    # what measures are made from: `Totals`

    def sum(self, name: str) -> float:
        _planned(name in self.units)  # bytes of another version may lack one
        return from_units(self.units[name])

    def ratio(self, top: str, bottom: str) -> float:
        return self.units[top] / self.units[bottom]

    @property
    def n_clipped(self) -> int:
        return self.counts["clipped_rows"]

    def cells(self, threshold: float) -> Array:
        """From the sums at or above the threshold and those of all rows."""
        _planned(threshold in self.plan.thresholds)
        tp, fp = (self.sum(name) for name in _above(threshold))
        positive = self.sum("positive")
        return np.array([tp, fp, positive - tp, self.sum("weight") - positive - fp])

    @cached_property
    def calibration(self) -> CalibrationBins:
        """Along the scores: what was predicted and what happened."""
        _planned(self.plan.along)
        return CalibrationBins.of(self.bins, _PREDICTED, _SOFT, _VARIANCE)

    def of_equal_width(self, n: int) -> Bins:
        """So many bins of equal width, those that hold rows."""
        _planned(n in self.by_width)
        sums = self.by_width[n].floats()
        used = np.flatnonzero(sums[0])
        weight, positive, predicted, variance = sums[:, used]
        nothing = np.full(len(used), np.nan)
        return Bins(weight, predicted / weight, positive / weight, variance / weight**2, nothing, nothing)

    @cached_property
    def binned(self) -> Sample:
        """One row for the negatives of each bin and one for its positives, in this order, with their weight.

        Its influence values are those of rows whose score is known as far as their bin.
        """
        n = len(self.bins)
        weight = self.bins.sums.floats()[:2].reshape(-1)
        return Sample(np.repeat([False, True], n), np.tile(self.bins.least, 2), weight, scale="score")

    # bytes

    def to_bytes(self) -> bytes:
        """The state as bytes; equal states give equal bytes."""
        header = {
            "plan": asdict(self.plan),
            "counts": self.counts,
            "ends": [self.low.hex(), self.high.hex()],
            "units": {name: hex(value) for name, value in self.units.items()},
            "whole": self.bins.whole,
            "weighted": self.weighted,
            "lowest": [self.bins.sums.lowest, *(sums.lowest for sums in self.by_width.values())],
        }
        b = self.bins
        arrays = {"ids": b.ids, "least": b.least, "greatest": b.greatest, "digits": b.sums.digits}
        arrays |= {str(n): sums.digits for n, sums in self.by_width.items()}
        return pack(_MAGIC, header, arrays)

    @classmethod
    def from_bytes(cls, data: bytes) -> RowTotals:
        """The state that `to_bytes` wrote."""
        header, arrays = unpack(_MAGIC, data, "RowTotals")
        plan: dict[str, Any] = {n: tuple(v) if isinstance(v, list) else v for n, v in header["plan"].items()}
        out = cls(TotalsPlan(**plan))
        out.counts, out.weighted = header["counts"], header["weighted"]
        out.low, out.high = (float.fromhex(x) for x in header["ends"])
        out.units = {name: int(value, 16) for name, value in header["units"].items()}
        b = out.bins
        b.ids, b.least, b.greatest = arrays["ids"], arrays["least"], arrays["greatest"]
        lowest, *of_widths = header["lowest"]
        b.sums, b.whole = ExactSums(lowest, arrays["digits"]), header["whole"]
        out.by_width = {n: ExactSums(low, arrays[str(n)]) for n, low in zip(out.plan.widths, of_widths, strict=True)}
        return out


def _above(threshold: float) -> tuple[str, str]:
    """The names of the weight of positives and of negatives at or above a threshold."""
    return f"tp {threshold!r}", f"fp {threshold!r}"


def _planned(was: bool) -> None:
    if not was:
        raise Undefined(
            Text(
                "was not added up with these rows; name it when the state is made: PredictionState(measures=[…])",
                "累加这些行时没有为它求和；请在建立状态时写明：PredictionState(measures=[…])",
            )
        )


def _shortened(values: Array, weight: Array | None) -> Array:
    """Values without the digits that are far below those of their weight, which would make every sum longer."""
    if weight is None:
        unit: Any = 2.0**-_EXTRA_DIGITS
    else:
        unit = np.ldexp(1.0, (np.frexp(weight)[1] // 35) * 35 - _EXTRA_DIGITS)
    made: Array = np.rint(values / unit) * unit
    return made
