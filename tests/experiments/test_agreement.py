"""Offline against online: scipy's numbers, a slope with known truth, and what is said about few experiments."""

from __future__ import annotations

from math import sqrt

import numpy as np
import polars as pl
import pytest
from scipy import stats

from rankgauge.errors import InputError
from rankgauge.experiments.agreement import agreement

approx = pytest.approx


def past(rng: np.random.Generator, n: int, slope: float = 2.0, noise: float = 0.01) -> dict[str, np.ndarray]:
    """True offline differences of spread .02, each seen with noise, online ones `slope` times as large."""
    true = rng.normal(0.005, 0.02, n)
    return {
        "offline": true + rng.normal(0, noise, n),
        "offline_error": np.full(n, noise),
        "online": slope * true + rng.normal(0, 0.015, n),
        "online_error": np.full(n, 0.015),
    }


def test_numbers_are_those_of_scipy():
    table = past(np.random.default_rng(1), 30)
    x, y = table["offline"], table["online"]
    agreeing = int((np.sign(x) == np.sign(y)).sum())

    found = agreement(table)

    wilson = stats.binomtest(agreeing, 30).proportion_ci(method="wilson")
    assert (found.agreeing, found.signed) == (agreeing, 30)
    assert (found.sign_low, found.sign_high) == approx((wilson.low, wilson.high), rel=1e-6)
    assert (found.kendall, found.kendall_p) == approx(tuple(stats.kendalltau(x, y)))
    assert (found.spearman, found.spearman_p) == approx(tuple(stats.spearmanr(x, y)))
    settled = np.abs(y) > stats.norm.ppf(0.975) * 0.015
    assert found.settled == settled.sum()
    assert found.settled_agreeing == (settled & (np.sign(x) == np.sign(y))).sum()


def test_least_squares_is_that_of_scipy():
    table = past(np.random.default_rng(2), 25)
    del table["offline_error"]

    found = agreement(table)

    assert found.slope_method == "least squares"
    assert found.slope == approx(stats.linregress(table["offline"], table["online"]).slope)
    assert any("offline differences count as exact" in note for note in found.notes)


def test_deming_minimises_the_weighted_distance():
    """Over lines y = a + b x: Σ (y - a - b x)² / (δ + b²) is smallest at Deming's slope."""
    table = past(np.random.default_rng(3), 25)
    x, y, delta = table["offline"], table["online"], 0.015**2 / 0.01**2

    def distance(b: float) -> float:
        rest = (y - y.mean()) - b * (x - x.mean())
        return float((rest**2).sum() / (delta + b * b))

    slopes = np.linspace(-10, 10, 200_001)
    best = slopes[np.argmin([distance(b) for b in slopes[::20]]) * 20]

    found = agreement(table)

    assert found.slope_method == "deming"
    assert found.slope == approx(best, abs=0.002)
    assert distance(found.slope) <= min(distance(found.slope - 1e-4), distance(found.slope + 1e-4))


def test_deming_of_swapped_axes_is_the_inverse():
    table = past(np.random.default_rng(4), 20, slope=-1.5)
    swapped = {
        "offline": table["online"],
        "offline_error": table["online_error"],
        "online": table["offline"],
        "online_error": table["offline_error"],
    }

    assert agreement(swapped).slope == approx(1 / agreement(table).slope)
    assert agreement(table).slope < 0


@pytest.mark.slow
def test_slope_is_right_where_least_squares_is_too_small():
    """300 tables of 40: the mean within 3 standard errors plus the small-sample bias (2%), coverage near 95%."""
    rng = np.random.default_rng(5)
    deming, plain, inside = [], [], 0
    for _ in range(300):
        table = past(rng, 40)
        found = agreement(table)
        deming.append(found.slope)
        plain.append(agreement({k: table[k] for k in ("offline", "online")}).slope)
        inside += found.slope_low <= 2 <= found.slope_high

    assert np.mean(deming) == approx(2, abs=3 * np.std(deming, ddof=1) / sqrt(300) + 0.04)
    assert np.mean(plain) == approx(2 * 0.02**2 / (0.02**2 + 0.01**2), abs=0.05)  # the classical attenuation
    assert inside / 300 == approx(0.95, abs=0.045)


def test_few_experiments_are_told():
    found = agreement({"offline": [0.01, 0.02, -0.01], "online": [0.1, 0.3, 0.1], "experiment": ["e1", "e2", "e3"]})

    assert found.n == 3
    assert found.verdict.startswith("It is not shown that offline differences tell the direction")
    assert "2/3" in found.verdict
    assert "尚不能说明" in found.verdict.zh
    assert any("3 experiments are few" in note for note in found.notes)
    assert found.to_frame()["agrees"].to_list() == [True, True, False]
    assert found.to_frame()["experiment"].to_list() == ["e1", "e2", "e3"]
    assert found.settled == 0


@pytest.mark.parametrize(
    ("sign", "words"), [(1, "Offline differences tell the direction"), (-1, "Offline differences point the wrong way")]
)
def test_many_experiments_have_a_verdict(sign: int, words: str):
    x = np.linspace(-1, 1, 24)

    found = agreement({"offline": x, "online": sign * x})

    assert found.verdict.startswith(words)
    assert found.kendall == approx(sign)
    assert found.slope == approx(sign)
    assert not any("few" in note for note in found.notes)


def test_differences_of_zero_have_no_sign():
    found = agreement({"offline": [0.0, 1.0, -1.0], "online": [1.0, 2.0, 0.0]})

    assert (found.signed, found.agreeing, found.sign_agreement) == (1, 1, 1.0)
    assert found.to_frame()["agrees"].to_list() == [None, True, None]
    assert any("2 experiments with a difference of 0" in note for note in found.notes)


def test_columns_that_do_not_vary():
    found = agreement({"offline": [1.0, 1.0, 1.0], "online": [1.0, 2.0, 3.0]})

    assert np.isnan(found.kendall)
    assert np.isnan(found.slope)
    assert found.to_dict()["slope"] is None
    assert any("does not vary" in note for note in found.notes)
    assert "no sign" not in agreement({"offline": [0, 0], "online": [0, 0]}).verdict
    assert agreement({"offline": [0, 0], "online": [0, 0]}).verdict.startswith("No experiment moved both")


def test_order_and_file_change_nothing(tmp_path):
    frame = pl.DataFrame(past(np.random.default_rng(6), 15))
    frame.write_csv(tmp_path / "past.csv")

    one, two = agreement(frame), agreement(frame.reverse())

    assert (two.kendall, two.slope, two.slope_low) == approx((one.kendall, one.slope, one.slope_low))
    assert agreement(tmp_path / "past.csv").slope == one.slope


def test_bad_tables():
    with pytest.raises(InputError, match="at least two experiments are needed, got 1"):
        agreement({"offline": [1.0], "online": [1.0]})
    with pytest.raises(InputError, match="columns missing: 'online'"):
        agreement({"offline": [1.0, 2.0], "live": [1.0, 1.0]})
    with pytest.raises(InputError, match="row 2: offline must be a finite number"):
        agreement({"offline": [1.0, None], "online": [1.0, 1.0]})
    with pytest.raises(InputError, match="row 1: online_error must be a standard error"):
        agreement({"offline": [1.0, 2.0], "online": [1.0, 1.0], "online_error": [-1, 1]})


@pytest.mark.parametrize("odd", [["a"], b"a"])
def test_experiments_that_are_no_texts_are_refused(odd):
    table = pl.DataFrame({"experiment": [odd] * 3, "offline": [1.0, 2.0, 3.0], "online": [1.0, 2.0, 4.0]})

    with pytest.raises(InputError, match="column 'experiment': must hold text or numbers, got"):
        agreement(table)


@pytest.mark.parametrize("huge", [1e308, -1e308, 1e101, float("inf"), float("nan")])
def test_numbers_without_a_variance_are_refused(huge: float):
    with pytest.raises(InputError, match=r"row 2: offline must be a finite number, at most 1e\+100 in size, got"):
        agreement({"offline": [0.1, huge, 0.2], "online": [0.1, 0.2, 0.3]})
