"""How far the number of distinct things in many lists would change with other lists like these.

The jackknife asks what one list alone brings. Leaving a list out loses what only it has, but another one in its place
would bring some of that back, and the more often, the more evenly things are spread; so the jackknife says too much
(Efron and Stein 1981): 99.5% to 100% of its intervals hold the truth where 95% should. With f_r the number of things in
exactly r lists, the variance of a number of distinct things that come independently is

    f₁ - f₂ + f₃ - f₄ + …        of which the jackknife has f₁ alone

(what as many lists again would bring: Good and Toulmin 1956), smoothed as by Efron and Thisted (1976), since far terms
are mere noise. Lists of a given length have less room for chance: where one thing is, another is not. With
a = f₁ / places,

    narrower² = (R - a) / (1 - a)        R = (f₁ - f₂ + f₃ - …) / f₁, towards 1 where little is known of it

By this the spread of the jackknife is multiplied, which keeps what it knows of lists that bring many things together.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt

__all__ = ["FAR", "narrower"]

_SMOOTHED = (1.0, -0.8125, 0.5, -0.1875, 0.03125)
"""Signs of the sum times P(Binomial(5, 1/2) >= r); that of f₁ is not smoothed."""
FAR = len(_SMOOTHED)
"""The r of the last term."""
_UNSURE = 4.0
"""Independent things that R is held towards 1 by."""
_LEAST = 0.1


def narrower(in_exactly: Sequence[int], places: int, variance: float) -> float:
    """By how much the spread of the jackknife is to be multiplied.

    `in_exactly` are the things in exactly 1, 2, … `FAR` lists, `places` the lengths of all lists, and `variance` what
    the jackknife says.

    >>> narrower([0, 3, 1, 0, 0], 9, 0.0), round(narrower([70, 40, 12, 4, 1], 200, 45.0), 2)
    (1.0, 0.66)
    """
    once = in_exactly[0]
    if not 0 < once < places:
        return 1.0
    alone = once / places
    together = max(1.0, variance / (once * (1 - alone)))  # how many things come at once
    unsure = _UNSURE * together
    again = max(0.0, sum(w * f for w, f in zip(_SMOOTHED, in_exactly, strict=True)))
    ratio = min(1.0, (again + unsure) / (once + unsure))
    return sqrt(min(1.0, max(_LEAST, (ratio - alone) / (1 - alone))))
