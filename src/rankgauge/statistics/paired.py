"""Is the mean, or the typical, paired difference anything but 0? Classical tests, and all tests by word.

    p_values("wilcoxon", differences)                      # one p-value a column
    p_values("t", differences + 0.01, alternative="greater")   # worse by less than 0.01? (non-inferiority)

Smucker, Allan & Carterette (CIKM 2007): t, bootstrap and randomisation agree on retrieval data; the sign and the
Wilcoxon test ask another question and miss differences of the mean, or find some that are not there.
"""

from __future__ import annotations

import warnings
from math import comb, nan, sqrt
from types import MappingProxyType
from typing import Any, Protocol

import numpy as np

from rankgauge._show import show
from rankgauge._text import Text
from rankgauge._typing import Array
from rankgauge._words import as_meant
from rankgauge.errors import UnknownName, among
from rankgauge.statistics.clusters import two_sided
from rankgauge.statistics.flips import check_alternative, columns_of, randomisation
from rankgauge.statistics.resampling import bootstrap_p

__all__ = ["TESTS", "PairedTest", "check_test", "p_values", "paired_t", "sign_test", "wilcoxon"]

EQUAL = 10 * np.finfo(np.float64).eps  # a spread below this share of the size is rounding


def paired_t(differences: Array, *, alternative: str = "two-sided") -> Array:
    """Is the mean difference further from 0 than its standard error explains? One p-value a column.

        t = mean / (s/√n),  Student's t with n - 1 degrees of freedom

    Student (1908); the numbers of `scipy.stats.ttest_rel`. NaN for fewer than two queries and for differences that are
    all the same but not 0: the test measures their spread, and there is none (the randomisation test has an answer).
    All 0: p = 1.
    """
    check_alternative(alternative)
    d = columns_of(differences)
    n, m = d.shape
    if n < 2:
        return np.full(m, nan)
    means, spreads = d.mean(axis=0), d.std(axis=0, ddof=1)
    sizes = np.abs(d).max(axis=0)
    rows = np.stack([means, spreads, sizes], axis=1).tolist()
    return np.array([_t_p(mean, spread, size, n, alternative) for mean, spread, size in rows])


def _t_p(mean: float, spread: float, size: float, n: int, alternative: str) -> float:
    if not size:
        return 1.0
    if spread <= EQUAL * size:
        return nan
    p = two_sided(mean, spread / sqrt(n), n)
    if alternative == "two-sided":
        return p
    return p / 2 if (mean > 0) == (alternative == "greater") else 1 - p / 2


def wilcoxon(differences: Array, *, alternative: str = "two-sided") -> Array:
    """Do ranks of the sizes of positive and negative differences balance? One p-value a column.

    Wilcoxon (1945); queries without a difference are dropped. Computed by `scipy.stats.wilcoxon(zero_method="wilcox")`,
    which decides between the exact and the normal distribution. All 0: p = 1; no queries: NaN. It asks about the
    median of sums of pairs, not about the mean: many small losses outweigh a few large gains.
    """
    check_alternative(alternative)
    d = columns_of(differences)
    if not len(d):
        return np.full(d.shape[1], nan)
    from scipy.stats import wilcoxon as of_scipy  # type: ignore[import-untyped]

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # "sample size too small for normal approximation", by version
        return np.array(
            [
                float(of_scipy(x, zero_method="wilcox", alternative=alternative).pvalue) if x.any() else 1.0
                for x in np.ascontiguousarray(d.T)
            ]
        )


def sign_test(differences: Array, *, alternative: str = "two-sided") -> Array:
    """Is B better more often than worse? One p-value a column.

        two-sided  p = min(1, 2 P(X <= min(wins, losses))),  X ~ Binomial(wins + losses, 1/2)

    Arbuthnot (1710); queries without a difference are dropped; the numbers of `scipy.stats.binomtest`. All 0: p = 1;
    no queries: NaN. How large differences are plays no part.

    >>> sign_test(np.array([0.2, 0.1, 0.3, 0.4, -0.9, 0.0])).tolist()  # 2 (C(5,0) + C(5,1)) / 2^5
    [0.375]
    """
    check_alternative(alternative)
    d = columns_of(differences)
    n, m = d.shape
    if not n:
        return np.full(m, nan)
    wins, losses = np.count_nonzero(d > 0, axis=0).tolist(), np.count_nonzero(d < 0, axis=0).tolist()
    return np.array([_sign_p(w, l, alternative) for w, l in zip(wins, losses, strict=True)])


def _sign_p(wins: int, losses: int, alternative: str) -> float:
    n = wins + losses
    if alternative == "two-sided":
        return min(1.0, 2 * _fair_at_most(min(wins, losses), n))
    return _fair_at_most(losses if alternative == "greater" else wins, n)


def _fair_at_most(k: int, n: int) -> float:
    """P(X <= k) for X ~ Binomial(n, 1/2).

    Whole numbers while they are small. Beyond, terms relative to the largest, by their ratios, divided by the sum of
    all: no factorials, so nothing is lost for large n, and no imports.
    """
    if k >= n:
        return 1.0
    if n <= 100:
        return sum(comb(n, j) for j in range(k + 1)) / (1 << n)
    middle = n // 2
    below = np.cumprod(np.arange(middle, 0, -1) / np.arange(n - middle + 1, n + 1))[
        ::-1
    ]  # C(n,j)/C(n,middle), j < middle
    above = np.cumprod(np.arange(n - middle, 0, -1) / np.arange(middle + 1, n + 1))  # j > middle
    terms = np.concatenate([below, [1.0], above])
    return float(terms[: k + 1].sum() / terms.sum())


class PairedTest(Protocol):
    """Differences (n, m) to p-values (m,)."""

    def __call__(self, differences: Array, *, rng: Any, permutations: int, alternative: str) -> Array: ...


def _randomisation(differences: Array, *, rng: Any, permutations: int, alternative: str) -> Array:
    return randomisation(differences, permutations=permutations, rng=rng, alternative=alternative)


def _t(differences: Array, *, rng: Any, permutations: int, alternative: str) -> Array:
    return paired_t(differences, alternative=alternative)


def _wilcoxon(differences: Array, *, rng: Any, permutations: int, alternative: str) -> Array:
    return wilcoxon(differences, alternative=alternative)


def _sign(differences: Array, *, rng: Any, permutations: int, alternative: str) -> Array:
    return sign_test(differences, alternative=alternative)


def _bootstrap(differences: Array, *, rng: Any, permutations: int, alternative: str) -> Array:
    return bootstrap_p(differences, resamples=permutations, rng=rng, alternative=alternative)


_TESTS: dict[str, PairedTest] = {
    "randomisation": _randomisation,
    "t": _t,
    "wilcoxon": _wilcoxon,
    "sign": _sign,
    "bootstrap": _bootstrap,
}
TESTS = MappingProxyType(_TESTS)
"""The tests by word. All take the same arguments; those that draw nothing ignore `rng` and `permutations`."""


def check_test(test: str) -> str:
    """The name of a test in plain letters, if it is one."""
    word = as_meant(test) if isinstance(test, str) else test
    if word not in TESTS:
        raise UnknownName(Text(f"unknown test {show(test)}.", f"未知的检验 {show(test)}。") + among(test, TESTS))
    return word


def p_values(
    test: str, differences: Array, *, rng: Any = 0, permutations: int = 10_000, alternative: str = "two-sided"
) -> Array:
    """One p-value a column, by the test of that name.

    >>> p_values("sign", np.array([1.0, 2.0, 3.0])).tolist()
    [0.25]
    >>> p_values("wilcoxn", np.array([1.0]))
    Traceback (most recent call last):
    rankgauge.errors.UnknownName: unknown test 'wilcoxn'. Did you mean wilcoxon?
    """
    return TESTS[check_test(test)](differences, rng=rng, permutations=permutations, alternative=alternative)
