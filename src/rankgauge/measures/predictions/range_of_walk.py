"""How wide a walk gets by chance: the distribution behind the p-value of ECCE.

Where every probability is right, what was predicted and what happened drift apart along the scores as a walk of
independent steps, one per distinct score, each about normal with the variance of its rows. Many small steps are a
Brownian motion, whose range has a closed form. Few steps see less of it: a single one has no range but its own size.
"""

from __future__ import annotations

from math import erfc, sqrt

import numpy as np

from rankgauge.alignment import Array

__all__ = ["chance_of_range", "range_of_brownian_motion"]

_SMALL = 1 / 200  # a step with at most this part of the variance is small
_PARTS = 500
_DRAWS, _AT_ONCE = 20_000, 1_000
_TINY = 1e-6  # below it 20,000 draws say nothing


def chance_of_range(moved: float, variance: Array, is_one_step: Array) -> float:
    """Probability of a range like this or wider of a walk with these parts, one after the other.

    A part of equal scores is one step. Of any other only the sum is known here: it counts as very many steps. The
    answer is exact for one step, the closed form where all steps are small, and otherwise the share of 20,000 drawn
    walks, always the same ones; it is never above the closed form, which no walk of fewer steps can exceed.
    """
    moves = variance > 0
    variance, is_one_step = variance[moves], is_one_step[moves]
    total = float(variance.sum())
    if not total:
        return 0.0 if moved > 0 else 1.0
    r = moved / sqrt(total)
    if len(variance) == 1 and is_one_step[0]:
        return erfc(r / sqrt(2))
    most = range_of_brownian_motion(r)
    if most < _TINY or variance[is_one_step].max(initial=0.0) <= _SMALL * total:
        return most
    return min(_drawn(r, *_merged(variance / total, is_one_step)), most)


def _merged(variance: Array, is_one_step: Array) -> tuple[Array, Array]:
    """At most so many parts, with small steps taken together; large steps stay alone."""
    if len(variance) <= _PARTS:
        return variance, is_one_step
    middle = np.cumsum(variance) - variance / 2
    _, part, size = np.unique((middle * _PARTS).astype(np.int64), return_inverse=True, return_counts=True)
    many = np.bincount(part, ~is_one_step) > 0
    return np.bincount(part, variance), (size == 1) & ~many


def _drawn(r: float, variance: Array, is_one_step: Array) -> float:
    """The share of drawn walks whose range is r or wider, with the one that was seen."""
    generator = np.random.default_rng(0)
    inside = np.flatnonzero(~is_one_step)
    wider = 0
    for _ in range(_DRAWS // _AT_ONCE):
        step = generator.standard_normal((_AT_ONCE, len(variance))) * np.sqrt(variance)
        walk = np.cumsum(step, axis=1)
        high, low = walk.max(axis=1, initial=0.0), walk.min(axis=1, initial=0.0)
        if len(inside):  # between its ends a part is a Brownian bridge, whose extremes follow from the ends
            ends = 2 * walk[:, inside] - step[:, inside]
            for sign, extreme, keep in ((1, high, np.maximum), (-1, low, np.minimum)):
                beyond = 2 * variance[inside] * generator.standard_exponential(ends.shape)
                reach = (ends + sign * np.sqrt(step[:, inside] ** 2 + beyond)) / 2
                keep(extreme, (reach.max if sign > 0 else reach.min)(axis=1), out=extreme)
        wider += int(np.count_nonzero(high - low >= r * (1 - 1e-12)))
    return (wider + 1) / (_DRAWS + 1)


def range_of_brownian_motion(r: float) -> float:
    """P(range on [0, 1] > r): 4 Σ (-1)^(k-1) k erfc(k r / √2), from Feller's density."""
    if r < 0.5:  # beyond the reach of the series, and 1 to twelve digits
        return 1.0
    total: float = sum((-1.0) ** (k - 1) * k * erfc(k * r / sqrt(2)) for k in range(1, 30))
    return min(max(4 * total, 0.0), 1.0)
