"""One word for a difference: better, worse, equivalent, inconclusive.

    equivalent      the interval of the difference lies inside ±margin: whatever is there does not matter
    better, worse   the corrected p-value is below alpha
    inconclusive    neither: the queries do not settle it

Without a margin nothing is ever equivalent: no number of queries proves a difference of exactly 0.
"""

from __future__ import annotations

from math import isnan

from rankgauge.statistics.intervals import Interval

__all__ = ["VERDICTS", "verdict_of"]

VERDICTS = ("better", "worse", "equivalent", "inconclusive")


def verdict_of(
    gain: float,
    p_corrected: float,
    equivalence: Interval,
    *,
    alpha: float,
    margin: float | None,
) -> str:
    """`gain` is above 0 where the measure calls the system better than the baseline.

    `equivalence` is the interval at level 1 - 2·alpha: two one-sided tests at alpha (Schuirmann 1987).
    """
    low, high = equivalence
    if margin is not None and not isnan(low) and -margin < low and high < margin:
        return "equivalent"
    if isnan(p_corrected) or p_corrected >= alpha or not gain or isnan(gain):
        return "inconclusive"
    return "better" if gain > 0 else "worse"
