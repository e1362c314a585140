"""The interval of a share of queries: against the inequality that defines it, and how often it holds the truth."""

from __future__ import annotations

import math

import numpy as np
import pytest

from rankgauge.statistics.shares import wilson, wilson_of

Z = 1.959963984540054


def seen(ones: int, n: int) -> np.ndarray:
    return np.array([1.0] * ones + [0.0] * (n - ones))


@pytest.mark.parametrize(("ones", "n"), [(0, 1), (1, 1), (0, 100), (3, 100), (50, 100), (97, 100), (100, 100), (2, 7)])
def test_ends_are_the_shares_from_which_what_was_seen_is_z_errors_away(ones, n):
    def is_near(share: float) -> bool:
        return abs(ones / n - share) <= Z * math.sqrt(share * (1 - share) / n) + 1e-9

    low, high = wilson_of(seen(ones, n))
    grid = [x for x in np.linspace(0, 1, 20_001).tolist() if is_near(x)]

    assert (low, high) == pytest.approx((min(grid), max(grid)), abs=1e-4)
    assert 0 <= low <= ones / n <= high <= 1


@pytest.mark.parametrize("n", [100, 200, 500])
@pytest.mark.parametrize("share", [0.01, 0.02, 0.05, 0.1, 0.3, 0.5])
def test_it_holds_the_share_nearly_as_often_as_it_says(n, share):
    """Summed up over all that may be seen: 92% at the least."""
    inside = 0.0
    for ones in range(n + 1):
        low, high = wilson_of(seen(ones, n))
        if low <= share <= high:
            inside += math.comb(n, ones) * share**ones * (1 - share) ** (n - ones)

    assert 0.92 <= inside <= 0.99


def test_nothing_has_no_interval():
    assert math.isnan(wilson_of(np.zeros(0)).low)
    assert math.isnan(wilson(math.nan, 0, Z).low)
    assert math.isnan(wilson(0.5, 4, math.nan).low)


@pytest.mark.parametrize(("rate", "n"), [(0.2, 10.0), (0.37, 4.25), (0.0, 0.5), (1.0, 7.5), (0.999, 1e6)])
def test_units_need_not_be_whole_and_the_rate_is_never_outside(rate, n):
    """The ends solve n (p - π)² = z² π (1 - π), a quadratic in π."""
    low, high = wilson(rate, n, Z)
    roots = np.roots([n + Z * Z, -(2 * n * rate + Z * Z), n * rate * rate]).real

    assert (low, high) == pytest.approx((min(roots), max(roots)), abs=1e-7)
    assert 0 <= low <= rate <= high <= 1
