"""Queries drawn again: intervals like SciPy's, p-values that are never 0."""

from __future__ import annotations

import os
import subprocess
import sys

import numpy as np
import pytest
from scipy import stats

from rankgauge.errors import ParameterError
from rankgauge.statistics import resampling
from rankgauge.statistics.resampling import bootstrap, bootstrap_p


def skewed(n: int = 60, m: int = 1) -> np.ndarray:
    return np.random.default_rng(7).exponential(1, (n, m)) - 0.8


@pytest.mark.parametrize(("method", "scipy"), [("percentile", "percentile"), ("bca", "BCa")])
@pytest.mark.parametrize("level", [0.8, 0.95])
def test_interval_is_scipy_within_chance(method: str, scipy: str, level: float):
    d = skewed()
    low, high = bootstrap(d, resamples=20_000, rng=1, confidence_level=level, method=method)
    expected = stats.bootstrap(
        (d[:, 0],), np.mean, n_resamples=20_000, random_state=2, confidence_level=level, method=scipy
    ).confidence_interval

    within = 0.12 * d.std() / np.sqrt(len(d))  # four times what two quantiles of 20,000 differ by
    assert [low[0], high[0]] == pytest.approx([expected.low, expected.high], abs=within)


def test_bca_moves_towards_the_long_tail():
    d = skewed(20)
    plain, moved = bootstrap(d), bootstrap(d, method="bca")

    assert moved[0] > plain[0]
    assert moved[1] > plain[1]


def test_bca_of_symmetric_differences_is_percentile():
    half = skewed(40)
    d = np.concatenate([half, -half])

    assert np.ravel(bootstrap(d, method="bca")) == pytest.approx(
        np.ravel(bootstrap(d)), abs=0.1 * d.std() / np.sqrt(80)
    )


def test_acceleration_is_the_jackknife_of_scipy():
    """The same resampled means give the same levels."""
    d = skewed(25)
    drawn = d.mean() + resampling._resampled(d - d.mean(), 5000, np.random.default_rng(0))[:, 0]
    left_out = np.array([np.delete(d[:, 0], i).mean() for i in range(25)])
    u = left_out.mean() - left_out
    a = (u**3).sum() / (6 * (u**2).sum() ** 1.5)
    z0 = stats.norm.ppf((drawn < d.mean()).mean())
    z = z0 + stats.norm.ppf([0.025, 0.975])
    expected = np.quantile(drawn, stats.norm.cdf(z0 + z / (1 - a * z)))

    assert np.ravel(bootstrap(d, resamples=5000, rng=0, method="bca")) == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize("method", ["percentile", "bca"])
def test_interval_covers_the_truth_as_often_as_said(method: str):
    d = np.random.default_rng(3).normal(0.1, 1, (80, 400))
    low, high = bootstrap(d, resamples=999, method=method)

    assert 0.91 < np.mean((low <= 0.1) & (high >= 0.1)) < 0.975


@pytest.mark.parametrize("method", ["percentile", "bca"])
def test_all_the_same_is_a_point(method: str):
    low, high = bootstrap(np.column_stack([np.full(9, 0.1), np.zeros(9), np.arange(9)]), method=method)

    assert low[:2].tolist() == high[:2].tolist() == [0.1, 0.0]
    assert low[2] < 4 < high[2]


def test_fewer_than_two_queries():
    assert np.isnan(bootstrap(np.ones((1, 2)))).all()
    assert np.isnan(bootstrap_p(np.ones((1, 2)))).all()


def test_few_resamples_on_one_side_only():
    d = np.array([0.0, 0.0, 1.0])
    low, high = bootstrap(d, resamples=1, method="bca")

    assert low <= high


def test_seed_decides_and_chunks_do_not(monkeypatch: pytest.MonkeyPatch):
    d = skewed(37, 3)
    interval, p = bootstrap(d, resamples=500, rng=5, method="bca"), bootstrap_p(d, resamples=500, rng=5)
    other = bootstrap(d, resamples=500, rng=6, method="bca")
    for budget in (1, 8 * 37 * 3, 8 * 37 * 499):
        monkeypatch.setattr(resampling, "BUDGET", budget)
        assert (np.array(bootstrap(d, resamples=500, rng=5, method="bca")) == np.array(interval)).all()
        assert bootstrap_p(d, resamples=500, rng=5).tolist() == p.tolist()
    assert (np.array(interval) != np.array(other)).all()


def test_column_does_not_depend_on_others():
    d = skewed(30, 4)

    assert bootstrap_p(d).tolist() == [bootstrap_p(d[:, j])[0] for j in range(4)]


def test_p_against_a_naive_loop():
    d = skewed(15)[:, 0] + 0.1
    g = np.random.default_rng(9)
    means = np.array([(d - d.mean())[g.integers(15, size=15)].mean() for _ in range(800)])

    got = {side: bootstrap_p(d, resamples=800, rng=9, alternative=side)[0] for side in ("two-sided", "greater", "less")}
    assert got == pytest.approx(
        {
            "two-sided": (1 + (abs(means) >= abs(d.mean())).sum()) / 801,
            "greater": (1 + (means >= d.mean()).sum()) / 801,
            "less": (1 + (means <= d.mean()).sum()) / 801,
        }
    )


def test_p_is_never_zero():
    assert bootstrap_p(np.ones(20), resamples=99).tolist() == [1 / 100]
    assert bootstrap_p(np.zeros(20), resamples=99).tolist() == [1]


def test_false_positives_with_many_queries():
    d = np.random.default_rng(4).normal(0, 1, (100, 2000))

    assert 0.03 < np.mean(bootstrap_p(d, resamples=999) < 0.05) < 0.07


def test_wrong_arguments():
    with pytest.raises(
        ParameterError, match=r"`method` must be one of percentile, bca, got 'bcaa'\. Did you mean bca\?"
    ):
        bootstrap(np.ones(3), method="bcaa")
    with pytest.raises(ParameterError, match="`confidence_level` must be between 0 and 1, got 95"):
        bootstrap(np.ones(3), confidence_level=95)
    with pytest.raises(ParameterError, match=r"`resamples` must be a positive integer, got 1\.5"):
        bootstrap_p(np.ones(3), resamples=1.5)  # type: ignore[arg-type]


@pytest.mark.parametrize("size", [1e-320, 1e-9, 1.0, 1e200])
def test_grid_keeps_the_digits_that_count(size: float):
    d = size * skewed(200)
    grid = resampling._on_a_grid(d)

    assert np.abs(grid - d).max() <= 200 * np.abs(d).max() * 2.0**-51
    assert grid[::-1].sum() == grid.sum() == np.cumsum(grid)[-1]


def test_interval_is_the_same_on_any_number_of_threads():
    code = (
        "import numpy as np\n"
        "from rankgauge.statistics.resampling import bootstrap\n"
        "d = np.random.default_rng(0).normal(0, 1, (1000, 30))\n"
        "print(np.array(bootstrap(d, resamples=2000)).tolist())"
    )
    said = {
        subprocess.run(
            [sys.executable, "-c", code],
            env={**os.environ, "OPENBLAS_NUM_THREADS": threads},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for threads in ("1", "2")
    }

    assert len(said) == 1
