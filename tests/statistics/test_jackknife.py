"""The jackknife: against leaving out each unit by hand."""

from __future__ import annotations

import numpy as np
import pytest

from rankgauge.statistics.jackknife import jackknife_error


def test_error_of_a_mean_is_that_of_the_mean():
    values = np.array([1.0, 4.0, 2.5, 7.0])
    without = np.array([np.delete(values, i).mean() for i in range(4)])

    assert jackknife_error(values.mean(), without) == pytest.approx(values.std(ddof=1) / 2)


def test_error_of_a_ratio_is_that_of_what_leaving_out_does():
    x, y = np.array([1.0, 2.0, 3.0, 5.0, 8.0]), np.array([2.0, 2.0, 5.0, 4.0, 9.0])
    without = np.array([np.delete(y, i).sum() / np.delete(x, i).sum() for i in range(5)])

    # Efron (1982): (n-1)/n · Σ (vᵢ - mean v)²
    naive = np.sqrt(4 / 5 * ((without - without.mean()) ** 2).sum())

    assert jackknife_error(y.sum() / x.sum(), without) == pytest.approx(naive)
