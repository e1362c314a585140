"""Rows of label and score for the tests of measures, as a sample and as the naive oracle sees them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from hypothesis import strategies as st

from oracle.naive_predictions import NAIVE, Rows
from rankgauge.alignment.sample import Sample
from rankgauge.measures.grammar import parse_prediction
from rankgauge.measures.predictions.base import PredictionMeasure, Undefined

EPS = 1e-12

CELLS = ("Accuracy", "Precision", "Recall", "Specificity", "FPR", "FNR", "F", "BalancedAccuracy", "MCC")
ORDER = (
    "AUC",
    "AUC(max_fpr=0.3)",
    "AUC(area=raw, max_fpr=0.5)",
    "Gini",
    "KS",
    "PRAUC",
    "Gain(top=0.3)",
    "Lift(top=0.25)",
)
WEIGHTINGS = ("impressions", "uniform", "positives", "pairs")
GROUPED = (*(f"GAUC(weight={w}, undefined={u})" for w in WEIGHTINGS for u in ("skip", "half")), "CrossAUC")
PROBABILITY = (
    *("LogLoss", "NE", "NE(base=0.2)", "RIG", "RIG(base=0.2)", "Brier", "COPC"),
    *("ECE", "ECE(bins=3)", "ECE(bins=4, binning=uniform)"),
    *("MCE(bins=3, min_count=2)", "MCE(bins=5, binning=uniform, min_count=1)", "ECCE"),
    *(f"{part}(loss={loss})" for part in ("MCB", "DSC", "UNC") for loss in ("log", "brier")),
)
MICRO = (*(f"{name}(threshold=0.4)" for name in CELLS), "F(beta=2, threshold=0.4)")
MACRO = tuple(f"{name}(threshold=0.4, average=macro)" for name in CELLS)

VARIANTS: list[PredictionMeasure] = [
    parse_prediction(text) for text in (*ORDER, *GROUPED, *PROBABILITY, *MICRO, *MACRO)
]
"""Every measure, with the parameters that change what is computed."""


def sample(
    label: Sequence[float],
    score: Sequence[float],
    weight: Sequence[float] | None = None,
    group: Sequence[int] | None = None,
    **more: Any,
) -> Sample:
    """A sample of plain lists. Probabilities where all scores can be."""
    y, s = np.asarray(label, dtype=np.float64), np.asarray(score, dtype=np.float64)
    return Sample(
        y.astype(bool) if set(y.tolist()) <= {0.0, 1.0} else y,
        s,
        None if weight is None else np.asarray(weight, dtype=np.float64),
        None if group is None else np.asarray(group, dtype=np.int64),
        0 if group is None else max(group) + 1,
        **{"scale": "probability" if ((s >= 0) & (s <= 1)).all() else "score", **more},
    )


def sample_of(rows: Rows) -> Sample:
    return sample(rows.label, rows.score, rows.weight, rows.group)


def value(m: PredictionMeasure | str, s: Sample) -> float:
    """The value, NaN where it is undefined."""
    m = parse_prediction(m)
    try:
        m.check(s)
        return m.value(s)
    except Undefined:
        return math.nan


def naive(m: PredictionMeasure, rows: Rows) -> float:
    """The definition with the parameters of the measure."""
    return NAIVE[m.name](rows, **{name: getattr(m, name) for name in m.params})


def close(got: float, want: float, eps: float = EPS) -> bool:
    if math.isnan(got) or math.isnan(want):
        return math.isnan(got) and math.isnan(want)
    return abs(got - want) <= eps * max(1.0, abs(want))


# random rows

GRID = (0.0, 0.1, 0.25, 0.3, 0.4, 0.5, 0.7, 0.9, 1.0)  # few values: many ties
PROBABILITIES = st.sampled_from(GRID) | st.floats(1e-9, 1 - 1e-9)
NUMBERS = st.sampled_from([-1e300, -3.0, -0.0, 0.0, 0.4, 2.0, 1e300]) | st.floats(-1e9, 1e9)
QUARTERS = st.integers(1, 16).map(lambda k: k / 4)  # weights whose sums are exact
HARD = st.sampled_from([0.0, 1.0])
SOFT = st.sampled_from([0.0, 0.25, 0.5, 1.0])


@st.composite
def rows(
    draw: st.DrawFn,
    label: st.SearchStrategy[float] = HARD,
    score: st.SearchStrategy[float] = PROBABILITIES,
    weight: st.SearchStrategy[float] = QUARTERS,
    most: int = 12,
) -> Rows:
    """Rows of any kind: ties, one class, with and without weights and groups."""
    n = draw(st.integers(1, most))

    def column(values: st.SearchStrategy[Any]) -> list[Any]:
        return draw(st.lists(values, min_size=n, max_size=n))

    return Rows(
        column(label),
        column(score),
        column(weight) if draw(st.booleans()) else None,
        column(st.integers(0, 3)) if draw(st.booleans()) else None,
    )


def random_rows(seed: int, n: int = 300, *, weighted: bool = True, groups: int = 12, digits: int = 2) -> Rows:
    """Rows of a model that knows something; rounded scores tie. Weights have many digits."""
    rng = np.random.default_rng(seed)
    s = np.clip(np.round(rng.beta(1.5, 3, n), digits), 0.001, 0.999)
    y = (rng.random(n) < s).astype(float)
    w = (rng.random(n) * 3 + 0.01).tolist() if weighted else None
    return Rows(y.tolist(), s.tolist(), w, rng.integers(0, groups, n).tolist())
