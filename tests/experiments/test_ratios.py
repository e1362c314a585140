"""Ratios of sums over users: the delta method against rows written out, simulation, and shards."""

from __future__ import annotations

import json
from math import sqrt

import numpy as np
import pytest
from scipy import stats

from rankgauge.errors import InputError
from rankgauge.experiments.ratios import Ratio, compare_ratios, ratio
from rankgauge.statistics.clusters import standard_error

approx = pytest.approx


def users(rng: np.random.Generator, n: int, rate: float = 0.3) -> tuple[np.ndarray, np.ndarray]:
    """Clicks and impressions of each user; who sees more clicks less often."""
    shown = 1 + rng.poisson(rng.gamma(2, 3, n))
    own = np.clip(rng.beta(3, 3 / rate - 3, n) * np.where(shown > 6, 0.8, 1.2), 0, 1)
    return rng.binomial(shown, own), shown


def truth(rate: float = 0.3) -> float:
    y, x = users(np.random.default_rng(999), 2_000_000, rate)
    return float(y.sum() / x.sum())


def naive_variance(y, x) -> float:
    n, my, mx = len(y), sum(y) / len(y), sum(x) / len(x)
    yy = sum((a - my) ** 2 for a in y) / (n - 1)
    xx = sum((a - mx) ** 2 for a in x) / (n - 1)
    xy = sum((a - my) * (b - mx) for a, b in zip(y, x, strict=True)) / (n - 1)
    return (yy / mx**2 + xx * my**2 / mx**4 - 2 * xy * my / mx**3) / n


def test_variance_equals_the_formula_written_out():
    y, x = users(np.random.default_rng(1), 80)

    found = ratio(y, x)

    assert found.value == approx(y.sum() / x.sum())
    assert found.variance == approx(naive_variance(y.tolist(), x.tolist()))
    assert found.error == approx(standard_error((y - found.value * x) / x.sum()))  # the same by influence values
    half = stats.t.ppf(0.975, 79) * found.error
    assert found.interval == approx((found.value - half, found.value + half))


def test_rows_are_summed_by_unit_first():
    y, x = users(np.random.default_rng(2), 50)
    rng = np.random.default_rng(3)
    unit = np.repeat(np.arange(50), x)
    click = np.concatenate([np.arange(n) < k for k, n in zip(y, x, strict=True)])
    order = rng.permutation(len(unit))

    by_row = ratio(click[order], np.ones(len(unit)), [f"u{u}" for u in unit[order]])

    assert by_row.to_dict() == ratio(y, x).to_dict()
    assert ratio(click, np.ones(len(unit))).error != approx(by_row.error, rel=0.02)  # clicks are not independent


def test_without_denominator_it_is_the_mean():
    y, _ = users(np.random.default_rng(4), 60)

    found = ratio(y)

    assert found.value == approx(y.mean())
    assert found.error == approx(y.std(ddof=1) / sqrt(60))


@pytest.mark.long("simulations of error rates and coverage")
def test_intervals_cover_the_truth():
    """1,000 samples of 150 users, for ratio, difference and lift: 95% ± 3 binomial standard errors (.0069)."""
    rng = np.random.default_rng(5)
    r, s = truth(), truth(0.2)
    inside = np.zeros(3)
    for _ in range(1000):
        c, t = ratio(*users(rng, 150)), ratio(*users(rng, 150, 0.2))
        change = compare_ratios(c, t)
        inside += [
            c.interval.low <= r <= c.interval.high,
            change.low <= s - r <= change.high,
            change.lift_low <= s / r - 1 <= change.lift_high,
        ]
    assert inside / 1000 == approx(np.full(3, 0.95), abs=0.021)


def test_change_equals_the_formulas_written_out():
    rng = np.random.default_rng(6)
    (yc, xc), (yt, xt) = users(rng, 90), users(rng, 120, 0.2)
    c, t, vc, vt = yc.sum() / xc.sum(), yt.sum() / xt.sum(), naive_variance(yc, xc), naive_variance(yt, xt)
    df = int((vc + vt) ** 2 / (vc**2 / 89 + vt**2 / 119))

    found = compare_ratios(ratio(yc, xc), ratio(yt, xt))

    assert found.difference == approx(t - c)
    assert found.error == approx(sqrt(vc + vt))
    assert found.p_value == approx(2 * stats.t.sf(abs(t - c) / sqrt(vc + vt), df))
    assert found.lift == approx(t / c - 1)
    assert found.lift_error == approx(sqrt(vt / c**2 + vc * t**2 / c**4))
    assert found.lift_high == approx(found.lift + stats.t.ppf(0.975, df) * found.lift_error)


def test_means_are_compared_like_welch():
    rng = np.random.default_rng(7)
    a, b = rng.normal(5, 1, 40), rng.normal(5.3, 2, 60)

    found = compare_ratios(ratio(a), ratio(b))

    welch = stats.ttest_ind(b, a, equal_var=False)
    assert found.p_value == approx(welch.pvalue, rel=0.01)  # degrees of freedom are whole here
    assert found.difference == approx(b.mean() - a.mean())


def test_merged_states_equal_the_whole():
    y, x = users(np.random.default_rng(8), 90)

    parts = [ratio(y[i::3], x[i::3]) for i in range(3)]

    assert (parts[2] + parts[0] + parts[1]).moments == ratio(y, x).moments
    assert (parts[0] + parts[1] + parts[2]).to_dict() == ratio(y, x).to_dict()
    assert Ratio.from_dict(json.loads(parts[0].to_json())).to_dict() == parts[0].to_dict()


def test_control_near_zero_has_no_lift_to_read():
    y, x = np.array([1] + [0] * 99), np.full(100, 10)

    found = compare_ratios(ratio(y, x), ratio(y[::-1] * 3, x))

    assert any("too near to 0 for a lift" in note for note in found.notes)
    nothing = compare_ratios(ratio(y * 0, x), ratio(y, x))
    assert np.isnan(nothing.lift)
    assert nothing.to_dict()["lift"] is None
    assert compare_ratios(ratio(*users(np.random.default_rng(9), 200)), ratio(y, x)).notes == ()


def test_one_unit_has_no_interval():
    found = ratio([3], [10])

    assert found.value == approx(0.3)
    assert np.isnan(found.error)
    assert np.isnan(found.interval.low)


@pytest.mark.parametrize(("x", "got"), [([0, 0], "only zeros"), ([1, -1], "negative ones in 1 units")])
def test_bad_denominators(x, got):
    with pytest.raises(InputError, match=f"denominators must be 0 or above, and not all 0, got {got}"):
        ratio([1, 1], x)


def test_mean_and_ratio_are_not_compared():
    with pytest.raises(InputError, match="both arms must be ratios, or both means"):
        compare_ratios(ratio([1, 2]), ratio([1, 2], [3, 4]))


@pytest.mark.parametrize("odd", [range(3), (1,), [1], object()])
def test_a_unit_that_is_no_text_and_no_number_is_refused(odd):
    with pytest.raises(InputError, match="units must be texts or numbers"):
        ratio([1, 0], [2, 1], unit=[odd, "a"])
