"""Of the rows with p near 0.02, are 2% positive? Predicted and observed rates, bin by bin, with intervals."""

from __future__ import annotations

from dataclasses import dataclass
from math import isnan, nan
from typing import TYPE_CHECKING, Any, Unpack

import numpy as np

from rankgauge._records import Record
from rankgauge._renamed import renamed
from rankgauge.alignment import Array
from rankgauge.alignment.bins import Bins
from rankgauge.alignment.sample import Sample
from rankgauge.calibration.pairs import squared_cluster_sums
from rankgauge.evaluation.predictions.of_rows import of_one_group
from rankgauge.evaluation.predictions.record import estimate
from rankgauge.evaluation.predictions.splits import InputOptions, one_model
from rankgauge.measures.predictions.calibration import COPC, ECCE, ECE
from rankgauge.statistics.clusters import t_interval_of
from rankgauge.statistics.intervals import Interval, check_level, t_quantile
from rankgauge.statistics.shares import wilson

if TYPE_CHECKING:
    import polars as pl

__all__ = ["Reliability", "ReliabilityBin", "reliability"]

_NORMAL = 10**9  # degrees of freedom at which Student's t is the normal distribution


@dataclass(frozen=True)
class ReliabilityBin:
    """Rows with probabilities near each other: what was predicted, and what happened."""

    low: float
    """The least probability in the bin."""
    high: float
    """The greatest."""
    rows: int
    weight: float
    groups: int | None
    """How many groups have rows here; None without groups."""
    predicted: float
    observed: float
    interval: Interval
    """Of the observed rate."""

    @property
    def gap(self) -> float:
        """observed - predicted: above 0 the model says too little here."""
        return self.observed - self.predicted

    @property
    def ok(self) -> bool | None:
        """Whether the predicted rate is inside the interval; None where there is none (a single group)."""
        low, high = self.interval
        return None if isnan(low) else low <= self.predicted <= high


@dataclass(frozen=True, eq=False, kw_only=True)
class Reliability(Record, kind="reliability", schema=1):
    """The reliability diagram as numbers: one entry per bin, and totals."""

    bins: tuple[ReliabilityBin, ...]
    """Those that hold rows, the lowest probabilities first."""
    asked: int
    """How many bins were asked for."""
    binning: str
    """mass (as many rows in each) or uniform (of equal width)."""
    rows: int
    weight: float
    groups: int | None
    predicted: float
    observed: float
    ece: float
    noise_floor: float
    """The ECE that right probabilities would show on as many rows."""
    copc: float
    """NaN where all probabilities are 0."""
    copc_interval: Interval
    ecce: float
    ecce_p: float
    confidence_level: float
    model: str = "score"
    data: str = "predictions"
    notes: tuple[str, ...] = ()

    @property
    def off(self) -> tuple[ReliabilityBin, ...]:
        """The bins whose predicted rate is outside the interval of the observed one.

        Of right probabilities one in twenty is, at a confidence level of 0.95.
        """
        return tuple(b for b in self.bins if b.ok is False)

    def to_frame(self) -> pl.DataFrame:
        """A Polars frame, one row per bin."""
        import polars as pl

        return pl.DataFrame(self.csv_rows(), schema_overrides={"ok": pl.Boolean, "groups": pl.Int64})

    def csv_rows(self) -> list[dict[str, Any]]:
        """The rows of `to_frame` as dicts."""
        return [
            {
                "low": b.low,
                "high": b.high,
                "rows": b.rows,
                "weight": b.weight,
                "groups": b.groups,
                "predicted": b.predicted,
                "observed": b.observed,
                "gap": b.gap,
                "interval_low": b.interval.low,
                "interval_high": b.interval.high,
                "ok": b.ok,
            }
            for b in self.bins
        ]


@renamed(segments="slices")
def reliability(
    predictions: Any,
    bins: int = 15,
    binning: str = "mass",
    model: str | None = None,
    confidence_level: float = 0.95,
    **reading: Unpack[InputOptions],
) -> Reliability:
    """Do probabilities mean what they say, region by region?

    `predictions` may be an evaluation or whatever `evaluate_predictions` takes, with the same options. Bins hold
    the same number of rows (`binning="mass"`) or have the same width (`"uniform"`); rows with equal scores stay in one.

    The interval of an observed rate r is Wilson's (1927) with n_e rows and quantile q:

        (r + q²/2n_e ± q √(r(1-r)/n_e + q²/4n_e²)) / (1 + q²/n_e)

    Without groups n_e = (Σw)² / Σw², the number of rows where all weights are the same, and q is that of the normal
    distribution. With G groups in the bin, n_e = r(1-r) / v with v = G/(G-1) Σ_g (Σ w (y - r))² / (Σw)², the variance
    with rows of one group taken together, and q is that of Student's t with G - 1 degrees of freedom. Where v says
    nothing (all labels of the bin are the same) each group counts as one row. A single group has no interval.

    >>> found = reliability({"label": [0, 0, 1, 1], "score": [.1, .2, .6, .9]}, bins=2)
    >>> [(b.rows, b.predicted, b.observed) for b in found.bins]
    [(2, 0.15000000000000002, 0.0), (2, 0.75, 1.0)]
    """
    check_level(confidence_level)
    ece = ECE(bins=bins, binning=binning)
    one = one_model(predictions, model, reading, "reliability")
    one.need_probabilities("reliability")
    s = one.sample
    copc, ecce = estimate("COPC", COPC(), s), estimate("ECCE", ECCE(), s)
    return Reliability(
        bins=_entries(s, ece.table(s), confidence_level),
        asked=ece.bins,
        binning=ece.binning,
        rows=len(s),
        weight=s.total,
        groups=None if s.group is None else int(s.filled.sum()),
        predicted=s.sum(s.probability) / s.total,
        observed=s.prevalence,
        ece=ece.value(s),
        noise_floor=ece.beside(s)["noise floor"],
        copc=copc.value,
        copc_interval=t_interval_of(copc.value, copc.error, copc.left, confidence_level),
        ecce=ecce.value,
        ecce_p=ecce.beside["p"],
        confidence_level=confidence_level,
        model=one.model,
        data=one.rows.name,
        notes=(*one.rows.notes, *of_one_group(s.n_units, s.has_groups)),
    )


def _entries(s: Sample, table: Bins, level: float) -> tuple[ReliabilityBin, ...]:
    place = _bin_of_row(s, table)
    n = len(table.weight)
    rows = np.bincount(place, minlength=n)
    size, quantile, groups = _effective(s, table, place, level)
    return tuple(
        ReliabilityBin(
            float(table.low[i]),
            float(table.high[i]),
            int(rows[i]),
            float(table.weight[i]),
            None if groups is None else int(groups[i]),
            float(table.predicted[i]),
            float(table.observed[i]),
            wilson(float(table.observed[i]), float(size[i]), quantile[i]),
        )
        for i in range(n)
    )


def _bin_of_row(s: Sample, table: Bins) -> Array:
    """Bins are runs of blocks of equal scores: where each ends follows from the weight up to there."""
    upto = np.cumsum(s.blocks.weight)
    last = np.searchsorted(upto, np.cumsum(table.weight) - 1e-11 * upto[-1])
    last[-1] = len(upto) - 1
    made: Array = np.searchsorted(last, s.block_of_row)
    return made


def _effective(s: Sample, table: Bins, place: Array, level: float) -> tuple[Array, list[float], Array | None]:
    """How many independent rows each bin is worth, the quantile for it, and its groups."""
    n, top = len(table.weight), (1 + level) / 2
    w = np.ones(len(s)) if s.weight is None else s.weight
    by_rows = table.weight**2 / np.bincount(place, weights=w**2, minlength=n)
    if s.group is None:
        return by_rows, [t_quantile(top, _NORMAL)] * n, None
    sums, groups = squared_cluster_sums(place, n, s.group, s.n_groups, w * (s.label - table.observed[place]))
    with np.errstate(divide="ignore", invalid="ignore"):
        variance = sums * groups / (groups - 1) / table.weight**2
        by_groups = table.observed * (1 - table.observed) / variance
    one_label = (np.bincount(place, s.label > 0, n) == 0) | (np.bincount(place, s.label < 1, n) == 0)
    size = np.where(one_label, np.minimum(by_rows, groups), np.where(np.isfinite(by_groups), by_groups, by_rows))
    quantile = [t_quantile(top, g - 1) if g > 1 else nan for g in groups.tolist()]
    return size, quantile, groups
