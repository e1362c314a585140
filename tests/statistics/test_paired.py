"""The numbers of SciPy, and what is said where there are none."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest
from scipy import stats

from rankgauge.errors import ParameterError, UnknownName
from rankgauge.statistics.paired import TESTS, p_values, paired_t, sign_test, wilcoxon

SIDES = ["two-sided", "greater", "less"]


def differences(n: int, seed: int, shift: float = 0.2) -> np.ndarray:
    """Five columns: normal, many ties, zeros, losses, one far tail."""
    g = np.random.default_rng(seed)
    d = g.normal(shift, 1, (n, 5))
    d[:, 1] = np.round(d[:, 1])
    d[: n // 3, 2] = 0
    d[:, 3] -= 3 * shift
    d[0, 4] = 30
    return d


@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize("n", [2, 3, 10, 51, 400, 5000])
def test_t_is_scipy(n: int, side: str):
    d = differences(n, n)[:, [0, 2, 3, 4] if n == 2 else slice(None)]  # two rounded ones are the same
    a = np.random.default_rng(1).random(d.shape)

    assert paired_t(d, alternative=side) == pytest.approx(stats.ttest_1samp(d, 0, alternative=side).pvalue, rel=1e-9)
    assert paired_t((a + d) - a, alternative=side) == pytest.approx(
        stats.ttest_rel(a + d, a, alternative=side).pvalue, rel=1e-9
    )


def test_t_small_p_keeps_its_digits():
    d = np.random.default_rng(0).normal(1, 0.3, 300)
    expected = stats.ttest_1samp(d, 0).pvalue

    assert expected < 1e-100
    assert paired_t(d) == pytest.approx(expected, rel=1e-9, abs=0)
    assert paired_t(d, alternative="greater") == pytest.approx(expected / 2, rel=1e-9, abs=0)
    assert paired_t(d, alternative="less") == pytest.approx(1)


@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize("n", [6, 20, 120])
def test_wilcoxon_is_scipy(n: int, side: str):
    d = differences(n, n)
    expected = [stats.wilcoxon(x, zero_method="wilcox", alternative=side).pvalue for x in d.T]

    assert wilcoxon(d, alternative=side).tolist() == expected


@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize("n", [1, 2, 7, 100, 101, 150, 3001])
def test_sign_is_scipy(n: int, side: str):
    d = differences(n, n)
    expected = [
        stats.binomtest(int((x > 0).sum()), int((x != 0).sum()), alternative=side).pvalue if x.any() else 1.0
        for x in d.T
    ]

    assert sign_test(d, alternative=side) == pytest.approx(np.array(expected), rel=1e-9, abs=0)


def test_sign_far_tail():
    d = np.ones(2000)
    d[:300] = -1

    assert sign_test(d) == pytest.approx(stats.binomtest(300, 2000).pvalue, rel=1e-9, abs=0)
    assert 0 < sign_test(d)[0] < 1e-200


def test_sign_by_hand():
    wins_and_losses = np.array([1, 1, 1, 1, 1, 1, 1, 1, -1, -1, 0, 0])

    # (C(10,0) + C(10,1) + C(10,2)) / 2^10 = 56 / 1024 on one side
    assert sign_test(wins_and_losses).tolist() == [112 / 1024]
    assert sign_test(wins_and_losses, alternative="greater").tolist() == [56 / 1024]
    assert sign_test(wins_and_losses, alternative="less") == pytest.approx((1024 - 11) / 1024)
    assert sign_test(np.array([1, -1])).tolist() == [1]


@pytest.mark.parametrize("test", TESTS)
@pytest.mark.parametrize("side", SIDES)
def test_all_zero_is_one(test: str, side: str):
    assert p_values(test, np.zeros((20, 2)), alternative=side).tolist() == [1, 1]


@pytest.mark.parametrize("test", TESTS)
def test_no_queries_is_nan(test: str):
    assert np.isnan(p_values(test, np.zeros((0, 3)))).tolist() == [True] * 3


@pytest.mark.parametrize(
    ("test", "one"), [("randomisation", 1.0), ("t", np.nan), ("wilcoxon", 1.0), ("sign", 1.0), ("bootstrap", np.nan)]
)
def test_one_query(test: str, one: float):
    assert p_values(test, np.array([0.3])) == pytest.approx(one, nan_ok=True)


@pytest.mark.parametrize(
    ("test", "same"),
    [("randomisation", 2 / 2**8), ("t", np.nan), ("wilcoxon", None), ("sign", 2 / 2**8), ("bootstrap", 1 / 10_001)],
)
def test_all_the_same(test: str, same: float | None):
    d = np.full(8, 0.1)
    expected = stats.wilcoxon(d).pvalue if same is None else same

    assert p_values(test, d) == pytest.approx(expected, nan_ok=True)


def test_t_same_up_to_rounding_has_no_spread():
    a = np.random.default_rng(0).random(50)

    assert np.isnan(paired_t((a + 0.5) - a))


@pytest.mark.parametrize("test", TESTS)
def test_one_dimension_is_one_column(test: str):
    d = differences(30, 1)

    assert p_values(test, d).shape == (5,)
    assert p_values(test, d[:, 0]) == pytest.approx(p_values(test, d)[:1])


@pytest.mark.parametrize("test", TESTS)
def test_seed_decides(test: str):
    d = differences(30, 2)

    assert p_values(test, d, rng=4).tolist() == p_values(test, d, rng=4).tolist()


@pytest.mark.parametrize("test", ["randomisation", "t", "bootstrap"])
def test_tests_of_the_mean_agree(test: str):
    d = np.random.default_rng(8).normal(0.02, 0.1, 200)

    assert p_values(test, d) == pytest.approx(paired_t(d), abs=0.01)


@pytest.mark.parametrize("test", TESTS)
def test_unknown_alternative(test: str):
    with pytest.raises(ParameterError, match="`alternative` must be one of two-sided, greater, less, got 'both'"):
        p_values(test, np.ones(5), alternative="both")


def test_unknown_test():
    with pytest.raises(
        UnknownName, match=r"unknown test 'wilcoxen'\. Did you mean wilcoxon\? There are: randomisation, t"
    ):
        p_values("wilcoxen", np.ones(5))


def test_scipy_is_loaded_for_wilcoxon_only():
    code = (
        "import sys, numpy as np\n"
        "from rankgauge.statistics.paired import TESTS, p_values\n"
        "import rankgauge.statistics.power as power, rankgauge.statistics.tukey as tukey\n"
        "[p_values(t, np.arange(-3.0, 9), permutations=99) for t in TESTS if t != 'wilcoxon']\n"
        "power.needed(0.1, 1); tukey.randomised_tukey(np.eye(3), permutations=9)\n"
        "print('scipy' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert done.stdout.strip() == "False"
