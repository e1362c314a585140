"""Intervals for every day: the formula, and what looking again and again does."""

from __future__ import annotations

from math import isnan, log, sqrt

import numpy as np
import pytest

from rankgauge.errors import ParameterError
from rankgauge.statistics.intervals import t_quantile
from rankgauge.statistics.sequences import confidence_sequence

approx = pytest.approx


def test_half_width_equals_the_formula_written_out():
    n, s, alpha = 2000, 3.0, 0.05
    rho = sqrt((-2 * log(alpha) + log(-2 * log(alpha) + 1)) / 5000)
    half = s * sqrt(2 * (n * rho**2 + 1) / (n * rho) ** 2 * log(sqrt(n * rho**2 + 1) / alpha))

    low, high = confidence_sequence(1.0, s / sqrt(n), n)

    assert (low, high) == approx((1 - half, 1 + half))


def test_wider_than_one_look():
    low, high = confidence_sequence(0.0, 1.0, 5000)

    assert 1.3 < (high - low) / 2 / t_quantile(0.975, 4999) < 1.7


def test_looking_every_day_keeps_its_promise():
    """500 experiments without an effect, 40 looks each: at most 5% (+ 3 errors of .0097) ever leave out 0."""
    x = np.random.default_rng(1).normal(size=(500, 8000))
    looks = np.arange(200, 8001, 200)
    means = np.cumsum(x, axis=1)[:, looks - 1] / looks
    fixed = np.zeros(500, bool)
    always = np.zeros(500, bool)
    for k, n in enumerate(looks.tolist()):
        error = 1 / sqrt(n)
        low, high = confidence_sequence(0.0, error, n)
        always |= (means[:, k] < low) | (means[:, k] > high)
        fixed |= np.abs(means[:, k]) > 1.96 * error

    assert always.mean() <= 0.08
    assert fixed.mean() > 0.2  # what peeking at ordinary intervals does


def test_edges():
    assert isnan(confidence_sequence(float("nan"), 1.0, 100).low)
    assert isnan(confidence_sequence(0.0, 1.0, 1).low)
    with pytest.raises(ParameterError, match="`tuned_for` must be a number from 1 up"):
        confidence_sequence(0.0, 1.0, 100, tuned_for=0)


@pytest.mark.parametrize("odd", [{"value": 10**400}, {"error": 10**400}, {"n": 10**400}, {"n": "x"}])
def test_what_is_no_number_is_refused_by_name(odd: dict):
    with pytest.raises(ParameterError, match=f"`{next(iter(odd))}` must be a finite number"):
        confidence_sequence(**{"value": 0.1, "error": 0.01, "n": 100, **odd})
