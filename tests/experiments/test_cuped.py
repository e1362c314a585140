"""CUPED: the variance that remains is 1 - ρ², and the difference stays what it is."""

from __future__ import annotations

from math import sqrt

import numpy as np
import pytest

from rankgauge.errors import InputError
from rankgauge.experiments.cuped import cuped, cuped_arm
from rankgauge.experiments.ratios import compare_ratios, ratio

approx = pytest.approx
RHO = 0.7


def pairs(rng: np.random.Generator, n: int, effect: float = 0.0) -> tuple[np.ndarray, np.ndarray]:
    """Now and before, correlated by RHO, each of variance 4."""
    before = rng.normal(10, 2, n)
    return 10 + RHO * (before - 10) + rng.normal(0, 2 * sqrt(1 - RHO**2), n) + effect, before


def clicks(rng: np.random.Generator, n: int, effect: float = 0.0):
    """numerator, before, denominator, before_denominator of users with a rate and an activity of their own."""
    rate, activity = rng.beta(4, 8, n), rng.gamma(4, 4, n)
    x, w = 1 + rng.poisson(activity), 1 + rng.poisson(activity)
    return rng.binomial(x, np.clip(rate + effect, 0, 1)), rng.binomial(w, rate), x, w


def test_reduction_is_the_squared_correlation():
    rng = np.random.default_rng(1)

    found = cuped(cuped_arm(*pairs(rng, 20_000)), cuped_arm(*pairs(rng, 20_000)))

    assert found.reduction == approx(RHO**2, abs=0.015)
    assert found.theta == approx(RHO, abs=0.015)
    assert (found.adjusted.error / found.raw.error) ** 2 == approx(1 - found.reduction)


def test_equals_the_sums_written_out():
    rng = np.random.default_rng(2)
    (yc, zc), (yt, zt) = pairs(rng, 40), pairs(rng, 70, 1.0)
    cov = [np.cov(y, z) / len(y) for y, z in ((yc, zc), (yt, zt))]
    theta = (cov[0][0, 1] + cov[1][0, 1]) / (cov[0][1, 1] + cov[1][1, 1])
    raw, before = yt.mean() - yc.mean(), zt.mean() - zc.mean()
    variance = sum(c[0, 0] + theta**2 * c[1, 1] - 2 * theta * c[0, 1] for c in cov)

    found = cuped(cuped_arm(yc, zc), cuped_arm(yt, zt))

    assert found.theta == approx(theta)
    assert found.raw.difference == approx(raw)
    assert found.before_difference == approx(before)
    assert found.adjusted.difference == approx(raw - theta * before)
    assert found.adjusted.error == approx(sqrt(variance))
    assert found.reduction == approx(1 - variance / (cov[0][0, 0] + cov[1][0, 0]))
    for other in (theta * 0.9, theta * 1.1):  # no other theta is better
        assert variance < sum(c[0, 0] + other**2 * c[1, 1] - 2 * other * c[0, 1] for c in cov)


def test_ratio_equals_linearised_users():
    """The delta method is the covariance of (y - R x)/x̄ and (z - P w)/w̄ over users."""
    rng = np.random.default_rng(3)
    arms = [clicks(rng, 60), clicks(rng, 80, 0.05)]
    cov = []
    for y, z, x, w in arms:
        one = (y - y.sum() / x.sum() * x) / x.mean()
        two = (z - z.sum() / w.sum() * w) / w.mean()
        cov.append(np.cov(one, two) / len(y))
    theta = (cov[0][0, 1] + cov[1][0, 1]) / (cov[0][1, 1] + cov[1][1, 1])
    (c, c0), (t, t0) = ((y.sum() / x.sum(), z.sum() / w.sum()) for y, z, x, w in arms)

    found = cuped(cuped_arm(*arms[0]), cuped_arm(*arms[1]))

    assert found.theta == approx(theta)
    assert found.adjusted.difference == approx((t - c) - theta * (t0 - c0))
    assert found.adjusted.error == approx(sqrt(sum(k[0, 0] + theta**2 * k[1, 1] - 2 * theta * k[0, 1] for k in cov)))
    raw = compare_ratios(ratio(arms[0][0], arms[0][2]), ratio(arms[1][0], arms[1][2]))
    assert (found.raw.difference, found.raw.error, found.raw.lift_error) == approx(
        (raw.difference, raw.error, raw.lift_error)
    )


@pytest.mark.long("simulations of error rates and coverage")
@pytest.mark.parametrize("kind", ["mean", "ratio"])
def test_unbiased_and_covering(kind: str):
    """600 experiments: mean within 3 standard errors of the effect, coverage 95% ± 3 binomial errors (.0089)."""
    rng = np.random.default_rng(4)
    effect = 0.3 if kind == "mean" else 0.03
    draw = pairs if kind == "mean" else clicks
    raw, adjusted, inside = [], [], 0
    for _ in range(600):
        found = cuped(cuped_arm(*draw(rng, 120)), cuped_arm(*draw(rng, 150, effect)))
        raw.append(found.raw.difference)
        adjusted.append(found.adjusted.difference)
        inside += found.adjusted.low <= effect <= found.adjusted.high
    assert np.mean(adjusted) == approx(effect, abs=3 * np.std(adjusted, ddof=1) / sqrt(600))
    assert inside / 600 == approx(0.95, abs=0.027)
    assert np.var(adjusted) < 0.75 * np.var(raw)
    if kind == "mean":
        assert np.var(adjusted) / np.var(raw) == approx(1 - RHO**2, abs=0.1)


def test_merged_arms_equal_the_whole():
    rng = np.random.default_rng(5)
    columns = clicks(rng, 90)
    other = cuped_arm(*clicks(rng, 50))

    parts = [cuped_arm(*(c[i::3] for c in columns)) for i in range(3)]

    assert parts[1] + parts[2] + parts[0] == cuped_arm(*columns)
    assert cuped(parts[0] + parts[1] + parts[2], other).to_dict() == cuped(cuped_arm(*columns), other).to_dict()


def test_a_constant_before_changes_nothing():
    rng = np.random.default_rng(6)
    (yc, _), (yt, _) = pairs(rng, 30), pairs(rng, 30)

    found = cuped(cuped_arm(yc, np.zeros(30)), cuped_arm(yt, np.zeros(30)))

    assert found.theta == 0
    assert found.adjusted.to_dict() == found.raw.to_dict()
    assert found.reduction == 0
    assert "nothing to adjust by" in found.notes[0]


def test_bad_arguments():
    with pytest.raises(InputError, match="a ratio needs both denominators"):
        cuped_arm([1], [1], [1])
    with pytest.raises(InputError, match="before_denominator must not be 0 in all units"):
        cuped_arm([1, 2], [0, 0], [3, 3], [0, 0])
    with pytest.raises(InputError, match="denominator must be 0 or above"):
        cuped_arm([1, 2], [0, 0], [3, -3], [1, 1])
    with pytest.raises(InputError, match="both arms must be ratios, or both means"):
        cuped(cuped_arm([1, 2], [1, 2]), cuped_arm([1, 2], [1, 2], [1, 1], [1, 1]))


def test_no_variance_before_is_said_in_words():
    same = cuped_arm(np.ones(5), np.array([1.0, 2, 3, 4, 5]))

    assert "there was no variance to take out" in str(cuped(same, same))
