"""Where is the log loss smallest, and which shift of the odds meets the base rate?"""

from __future__ import annotations

from math import log

import numpy as np

from rankgauge.alignment import Array
from rankgauge.calibration.sums import CLIP, Sums, logit

__all__ = ["newton", "shift", "shifted", "sigmoid"]


def sigmoid(z: Array) -> Array:
    """1 / (1 + exp(-z)), in the form whose every step rises with z, rounding included."""
    with np.errstate(over="ignore", under="ignore"):
        return np.asarray(1 / (1 + np.exp(-z)))


def shifted(p: Array, b: float) -> Array:
    """sigmoid(logit(p) + b) without logarithms, which would cost digits; every step is monotone when rounded."""
    p = np.clip(p, CLIP, 1 - CLIP)
    with np.errstate(over="ignore", under="ignore", divide="ignore"):
        return np.asarray(1 / (1 + (1 - p) / p / np.exp(b)))


def shift(sums: Sums) -> float:
    """The root of Σ w p'(b) = Σ w y: Newton's method, halving the bracket whenever it does not pay."""
    x, wanted = logit(sums.p), float(sums.positive.sum())
    centre = log(wanted) - log(float(sums.negative.sum()))
    low, high = centre - float(x[-1]) - 1e-9, centre - float(x[0]) + 1e-9  # all p' below the base rate, all above
    b, before = min(max(0.0, low), high), np.inf
    best, least = b, np.inf
    for _ in range(200):
        p = shifted(sums.p, b)
        gap = float(sums.weight @ p) - wanted
        if abs(gap) < least:
            best, least = b, abs(gap)
        slope = float(sums.weight @ (p * (1 - p)))
        step = gap / slope if slope > 0 else np.inf
        if abs(step) <= 1e-15 * max(1.0, abs(b)):
            break
        low, high = (low, b) if gap > 0 else (b, high)
        pays = abs(gap) <= before / 2 and low < b - step < high
        before, b = abs(gap), b - step if pays else (low + high) / 2
        if not low < b < high:  # no float left between
            break
    return best


def newton(columns: Array, weight: Array, target: Array) -> list[float]:
    """Coefficients of least log loss Σ target·ln(1+e^-z) + (weight-target)·ln(1+e^z), z = coefficients · columns.

    The loss is convex; a step is halved until it pays, so far-off starts and near-flat stretches do no harm.
    """
    theta = np.zeros(len(columns))
    loss = _loss(theta @ columns, weight, target)
    for _ in range(200):
        p = sigmoid(theta @ columns)
        gradient = columns @ (weight * p - target)
        curved = (columns * (weight * p * (1 - p))) @ columns.T
        curved += np.eye(len(theta)) * (1e-14 * np.trace(curved) + np.finfo(float).tiny)
        step = np.linalg.solve(curved, gradient)
        gain = float(gradient @ step)  # twice what the step promises to take off the loss
        size = 1.0
        while size > 1e-10:
            nearer = _loss((theta - size * step) @ columns, weight, target)
            if nearer <= loss - 1e-4 * size * gain + 1e-13 * loss:
                break
            size /= 2
        theta, loss = theta - size * step, nearer
        if gain <= 1e-16 * loss:
            break  # the error squares with each step: this one was the last that could be felt
    return [float(value) for value in theta]


def _loss(z: Array, weight: Array, target: Array) -> float:
    near = np.log1p(np.exp(-np.abs(z)))
    return float((weight * near + target * np.maximum(-z, 0) + (weight - target) * np.maximum(z, 0)).sum())
