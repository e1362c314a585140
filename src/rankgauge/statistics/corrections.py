"""Which of many p-values still stand, knowing that many were looked at?

    corrected(p_values, "holm")

Of twenty comparisons of equal systems, one comes out below 0.05. NaN is passed through and does not count.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import isnan, nan
from types import MappingProxyType

from rankgauge._show import show
from rankgauge._text import Text
from rankgauge._words import as_meant
from rankgauge.errors import UnknownName, among

__all__ = ["CORRECTIONS", "benjamini_hochberg", "bonferroni", "check_correction", "corrected", "first_level", "holm"]


def holm(p_values: Sequence[float]) -> list[float]:
    """p-values corrected for their number, so that one error among all is as rare as asked.

        p'_(i) = max_{j <= i} min(1, (m - j + 1) p_(j)), p_(1) <= … <= p_(m)

    Holm (1979), valid under any dependence, and never above Bonferroni's. NaN stays NaN and does not count.

    >>> holm([0.01, 0.04, 0.03])
    [0.03, 0.06, 0.06]
    """
    known = _in_order(p_values)
    made, least = [nan] * len(p_values), 0.0
    for rank, i in enumerate(known):
        least = max(least, min(1.0, (len(known) - rank) * float(p_values[i])))
        made[i] = least
    return made


def benjamini_hochberg(p_values: Sequence[float]) -> list[float]:
    """p-values corrected so that of what is called a difference, only the asked share is none (on average).

        p'_(i) = min_{j >= i} min(1, m p_(j) / j), p_(1) <= … <= p_(m)

    Benjamini & Hochberg (1995), for independent or positively dependent tests: to sift many, not to decide on one.
    The numbers of `scipy.stats.false_discovery_control`. NaN stays NaN and does not count.

    >>> benjamini_hochberg([0.01, 0.5, 0.03, 0.02])
    [0.04, 0.5, 0.04, 0.04]
    """
    known = _in_order(p_values)
    made, most = [nan] * len(p_values), 1.0
    for rank in range(len(known), 0, -1):
        i = known[rank - 1]
        most = min(most, float(p_values[i]) * len(known) / rank)
        made[i] = most
    return made


def bonferroni(p_values: Sequence[float]) -> list[float]:
    """p-values times their number, at most 1: simple, and `holm` finds more at the same risk.

    Bonferroni (1936), Dunn (1961). NaN stays NaN and does not count.

    >>> bonferroni([0.01, 0.04, float("nan")])
    [0.02, 0.08, nan]
    """
    m = len(_in_order(p_values))
    return [nan if isnan(p) else min(1.0, m * float(p)) for p in p_values]


def uncorrected(p_values: Sequence[float]) -> list[float]:
    """p-values as they are: for one comparison named before looking."""
    return [float(p) for p in p_values]


CORRECTIONS: MappingProxyType[str, Callable[[Sequence[float]], list[float]]] = MappingProxyType(
    {"holm": holm, "benjamini-hochberg": benjamini_hochberg, "bonferroni": bonferroni, "none": uncorrected}
)
"""The corrections by word."""

ALIASES = {"bh": "benjamini-hochberg", "fdr": "benjamini-hochberg"}


def corrected(p_values: Sequence[float], correction: str = "holm") -> list[float]:
    """p-values by the correction of that name; "bh" and "fdr" are Benjamini & Hochberg.

    >>> corrected([0.01, 0.04], "bonferroni")
    [0.02, 0.08]
    >>> corrected([0.01, 0.04], "homl")
    Traceback (most recent call last):
    rankgauge.errors.UnknownName: unknown correction 'homl'. Did you mean holm?
    """
    return CORRECTIONS[check_correction(correction)](p_values)


def first_level(alpha: float, n_tests: int, correction: str = "holm") -> float:
    """How small the smallest of n p-values must be to stand at alpha, whatever the others are: alpha / n.

    The first step of Holm, Bonferroni and, where no other p-value is small, of Benjamini & Hochberg: what a difference
    has to reach that can count on no other one. Without a correction, and for one test, alpha.

    >>> first_level(0.05, 5), first_level(0.05, 5, "none")
    (0.01, 0.05)
    """
    return alpha if check_correction(correction) == "none" else alpha / max(n_tests, 1)


def check_correction(correction: str) -> str:
    """The name of a correction, if it is one."""
    word = as_meant(correction) if isinstance(correction, str) else correction
    name = ALIASES.get(word, word)
    if name not in CORRECTIONS:
        raise UnknownName(
            Text(f"unknown correction {show(correction)}.", f"未知的多重比较校正 {show(correction)}。")
            + among(correction, CORRECTIONS)
        )
    return name


def _in_order(p_values: Sequence[float]) -> list[int]:
    """Where the known p-values are, smallest first."""
    return sorted((i for i, p in enumerate(p_values) if not isnan(p)), key=lambda i: p_values[i])
