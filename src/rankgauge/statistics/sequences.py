"""An interval that may be looked at every day.

    ± s √( 2 (n ρ² + 1) / (n ρ)² · ln(√(n ρ² + 1) / α) ),   ρ = √( (-2 ln α + ln(-2 ln α + 1)) / N )

A 95% interval holds at one look planned beforehand; who stops at the first that leaves out 0 is wrong far more often.
This one holds at all looks together, for large n, and is narrowest near N units. Waudby-Smith, Arbour, Sinha, Kennedy &
Ramdas (Annals of Statistics 2024), asymptotic confidence sequence.
"""

from __future__ import annotations

from math import isnan, log, sqrt

from rankgauge._checks import number
from rankgauge.statistics.intervals import Interval, check_level

__all__ = ["confidence_sequence"]


def confidence_sequence(
    value: float, error: float, n: int, *, confidence_level: float = 0.95, tuned_for: int = 5000
) -> Interval:
    """Of an estimate with this standard error over n units; `n` of both arms together for a difference.

    `change = compare_ratios(c, t); confidence_sequence(change.difference, change.error, c.n + t.n)`. Not before some
    hundred units: it rests on the normal approximation.
    """
    check_level(confidence_level)
    number("tuned_for", tuned_for, at_least=1)
    for name, given in (("value", value), ("error", error), ("n", n)):
        if not (isinstance(given, float) and isnan(given)):
            number(name, given)
    if isnan(value) or isnan(error) or not n >= 2:
        return Interval(float("nan"), float("nan"))
    alpha = 1 - confidence_level
    rho2 = (-2 * log(alpha) + log(-2 * log(alpha) + 1)) / tuned_for
    spread = n * rho2 + 1
    half = error * sqrt(n) * sqrt(2 * spread / (n * n * rho2) * log(sqrt(spread) / alpha))
    return Interval(value - half, value + half)
