"""The best non-decreasing fit to values in a given order: pool adjacent violators.

Ayer et al. (1955). Blocks whose means fall are pooled, all falling runs at once; a few passes over ever fewer
blocks do nearly all the work, and a stack finishes the rare sequence that would need many.
"""

from __future__ import annotations

import numpy as np

from rankgauge.alignment.segments import Array

__all__ = ["isotonic"]

_WORTH_A_PASS = 0.95  # a pass must leave at most this share of the blocks, or the stack is quicker


def isotonic(total: Array, weight: Array) -> tuple[Array, Array]:
    """Blocks of the isotonic regression of `total / weight`: where each starts, and its mean.

    >>> isotonic(np.array([1.0, 0.0, 1.0]), np.ones(3))
    (array([0, 2]), array([0.5, 1. ]))
    """
    start = np.arange(len(total))
    t, w = np.asarray(total, dtype=np.float64), np.asarray(weight, dtype=np.float64)
    while True:
        mean = t / w
        first = np.flatnonzero(np.append(True, mean[1:] > mean[:-1]))  # equal means are one block, too
        if len(first) == len(mean):
            return start, mean
        start, t, w = start[first], np.add.reduceat(t, first), np.add.reduceat(w, first)
        if len(first) > _WORTH_A_PASS * len(mean):
            return _with_a_stack(start, t, w)


def _with_a_stack(start: Array, total: Array, weight: Array) -> tuple[Array, Array]:
    blocks: list[list[float]] = []
    for s, t, w in zip(start.tolist(), total.tolist(), weight.tolist(), strict=True):
        blocks.append([s, t, w])
        while len(blocks) > 1 and blocks[-2][1] * blocks[-1][2] >= blocks[-1][1] * blocks[-2][2]:
            _, t, w = blocks.pop()
            blocks[-1][1] += t
            blocks[-1][2] += w
    found = np.array(blocks)
    return found[:, 0].astype(np.int64), found[:, 1] / found[:, 2]
