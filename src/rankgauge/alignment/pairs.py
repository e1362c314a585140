"""Pairs of a positive and a negative inside each group: what group AUC is made of.

Only groups with a positive matter, so the others leave first. The rows that stay are sorted by one packed
64-bit key (group, score, label): group and label whole, of the score as many bits as fit. Two scores that
differ only in the bits that did not fit would look tied; where a tie of both classes is found it is checked,
and groups in which the key was too short are counted again by whole scores.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from rankgauge.alignment.segments import Array

__all__ = ["GroupPairs", "group_pairs"]


class GroupPairs(NamedTuple):
    """For each group: its rows, the weight of its positives and negatives, and the pairs won."""

    rows: Array
    positives: Array
    negatives: Array
    won: Array
    """Pairs in which the positive scores higher; ties count half."""

    @property
    def pairs(self) -> Array:
        made: Array = self.positives * self.negatives
        return made

    @property
    def both(self) -> Array:
        """Groups that hold both classes, as a mask."""
        mask: Array = (self.positives > 0) & (self.negatives > 0)
        return mask

    @property
    def auc(self) -> Array:
        """AUC of each group; NaN where one class is missing."""
        made: Array = np.divide(self.won, self.pairs, out=np.full(len(self.won), np.nan), where=self.both)
        return made


def group_pairs(label: Array, score: Array, group: Array, n_groups: int, weight: Array | None = None) -> GroupPairs:
    """Count the pairs of every group. `group` holds codes from 0 to n_groups - 1."""
    rows = np.bincount(group, minlength=n_groups)
    if weight is None:
        positives = np.bincount(group[np.flatnonzero(label)], minlength=n_groups)
        negatives = rows - positives
    else:
        light = np.argsort(weight, kind="stable")  # in one order, whatever that of the rows: sums are rounded
        y, g, w = label[light], group[light], weight[light]
        positives = np.bincount(g[y], weights=w[y], minlength=n_groups)
        negatives = np.bincount(g[~y], weights=w[~y], minlength=n_groups)
    both = (positives > 0) & (negatives > 0)
    kept = np.flatnonzero(both[group])
    g, s, y = group[kept], score[kept], label[kept]
    if not len(kept):
        won = np.zeros(n_groups)
    elif weight is None:
        won = _packed(y, s, g, positives, negatives, both)
    else:
        won = _by_sorting(y, s, g, n_groups, weight[kept])
    return GroupPairs(rows, positives.astype(np.float64), negatives.astype(np.float64), won)


def _packed(label: Array, score: Array, group: Array, positives: Array, negatives: Array, both: Array) -> Array:
    n_groups = len(positives)
    bits = _from_zero(ordered_bits(score))
    group_bits = max(int(n_groups - 1).bit_length(), 1)
    dropped = max(0, int(bits.max()).bit_length() + group_bits + 1 - 64)
    bits >>= np.uint64(dropped)
    bits <<= np.uint64(1)
    bits |= label
    bits |= group.astype(np.uint64) << np.uint64(64 - group_bits)
    key = bits
    key.sort()

    def owner(at: Array) -> Array:
        """The groups of keys."""
        return (key[at] >> np.uint64(64 - group_bits)).astype(np.int64)

    at = np.flatnonzero(key & np.uint64(1))
    earlier = np.cumsum(np.where(both, negatives, 0))  # negatives up to the end of each group
    own_negatives = at - np.arange(len(at)) - (earlier - np.where(both, negatives, 0))[owner(at)]
    won: Array = np.bincount(owner(at), weights=own_negatives, minlength=n_groups)
    # of equal scores the negatives come first: a step from one class to the other is a tie, counted as won
    tied = np.flatnonzero((key[1:] ^ key[:-1]) == 1)
    if len(tied) and dropped and not _one_to_one(score, dropped):
        unsure = np.zeros(n_groups, dtype=bool)
        unsure[owner(tied)] = True
        again = np.flatnonzero(unsure[group])
        won = np.where(unsure, _by_sorting(label[again], score[again], group[again], n_groups, None), won)
        tied = tied[~unsure[owner(tied)]]
    if len(tied):  # take half of each back
        n_negatives = tied + 1 - np.searchsorted(key, key[tied], "left")
        n_positives = np.searchsorted(key, key[tied + 1], "right") - tied - 1
        won = won - np.bincount(owner(tied), weights=n_negatives * n_positives, minlength=n_groups) / 2
    return won


def ordered_bits(score: Array) -> Array:
    """Whole numbers in the order of the scores; 0.0 and -0.0 are one number."""
    bits: Array = (score + 0.0).view(np.uint64)  # a copy: -0.0 + 0.0 is 0.0
    negative = bits >> np.uint64(63) != 0
    top = np.uint64(1 << 63)
    if negative.any():
        return np.where(negative, ~bits, bits | top)
    bits |= top
    return bits


def _from_zero(bits: Array) -> Array:
    """The same numbers, the least of them 0: fewer bits to keep."""
    least = bits.min()
    made: Array = np.subtract(bits, least, out=bits)
    return made


def _one_to_one(score: Array, dropped: int) -> bool:
    """Whether no two different scores become equal without their last bits."""
    bits = _from_zero(ordered_bits(score))
    bits.sort()
    differ = bits[1:] != bits[:-1]
    bits >>= np.uint64(dropped)
    return bool((differ == (bits[1:] != bits[:-1])).all())


def _by_sorting(label: Array, score: Array, group: Array, n_groups: int, weight: Array | None) -> Array:
    """The same count with whole rows sorted by group and score: slower, for weights and for long scores."""
    keys = (score, group) if weight is None else (label, weight, score, group)
    order = np.lexsort(keys)
    y, s, g = label[order], score[order], group[order]
    w = np.ones(len(y)) if weight is None else weight[order]
    new_group = np.append(True, g[1:] != g[:-1])
    block = np.flatnonzero(new_group | np.append(True, s[1:] != s[:-1]))  # equal scores of one group
    pos = np.add.reduceat(np.where(y, w, 0.0), block)
    neg = np.add.reduceat(np.where(y, 0.0, w), block)
    owner = g[block]
    first = np.flatnonzero(np.append(True, owner[1:] != owner[:-1]))
    length = np.diff(np.append(first, len(owner)))
    step = neg.copy()
    step[first[1:]] -= np.add.reduceat(neg, first)[:-1]  # each group starts near 0: no digits lost to earlier groups
    running = np.cumsum(step)
    below = running - neg - np.repeat(running[first] - neg[first], length)
    return np.bincount(owner, weights=pos * (below + neg / 2), minlength=n_groups)
