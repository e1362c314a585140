"""Which end of the lists is best? Told by where the relevant results stand, from counts that add up over queries.

A list that is stored worst first shows its best results last. For each list the gain of its relevant results is
counted from the front and from the end, and the tilt compares the two:

    front = Σ g / r,   end = Σ g / (L + 1 - r),   tilt = (end - front) / (end + front)

with the gain g and the rank r of each relevant result in a list of L (tied results share the middle of their ranks).
The tilt is -1 where everything is at the front and 1 where everything is at the end; turning the list around changes
its sign and nothing else. Results that nobody judged need not be looked at. Where relevant results fill more than a
quarter of a list, most of `end + front` is there in any order, and the largest tilt that these gains could have takes
its place.

For a system that knows nothing, a list and its reverse are equally likely. Then, whatever the lists are like, the sum
of tilts over the root of the sum of their squares exceeds t with probability at most exp(-t²/2) (Hoeffding's bound for
random signs), in practice with that of a normal variable. Weak systems tilt to the front, if a little; so what is asked
for is significance and an effect that no weak system has. Lists that are the same for many users are right or wrong
together, and count as one (`Direction.of_distinct`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from math import sqrt
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

__all__ = ["SAMPLE", "Direction", "direction_of", "n_distinct"]

Array = NDArray[Any]

_UNIT = 1 << 20  # tilts are added as whole numbers, so that neither the split nor the order of adding changes a bit
_LARGE = 1e100  # gains that would not add up
_DENSE = 0.25  # share of a list that relevant results fill, from which on the largest tilt is worked out
_SHORTEST = 3
_EFFECT = 0.2  # mean tilt: relevant results two (many in a list) to three times (one) as dense at the end as in front
_Z = 4.0  # three in 100,000
_LEAST_LISTS = 3
_FEW_LISTS = 30
_FEW = {3: 0.93, 4: 0.87, 5: 0.82, 6: 0.78, 7: 0.75, 8: 0.72, 9: 0.69}
"""Mean tilt of so few lists that one in 1,000 runs reaches whose lists are as good as random, each all good or all bad
(the tilt of one relevant result at a random rank is uniform, that of such lists is wider)."""


class Direction(NamedTuple):
    """What the lists say together; directions of parts of the queries add up."""

    lists: int = 0
    """Lists that say something: at least three results, relevant ones among them, not the same from both ends."""
    against: int = 0
    """Those whose relevant results are nearer to the end."""
    tilts: int = 0
    squares: int = 0
    dense: int = 0
    """Those that relevant results nearly fill, or that are very short: their tilt is often 1 or -1 by chance."""

    def of_distinct(self, lists: float) -> Direction:
        """What as many lists would say that are not the same: one list for all users is one observation."""
        share = min(1.0, lists / self.lists) if self.lists else 1.0
        return self if share == 1 else Direction(*(int(share * n) for n in self))

    @property
    def tilt(self) -> float:
        """The mean tilt: -1 best first, 1 worst first."""
        return self.tilts / _UNIT / self.lists if self.lists else 0.0

    @property
    def is_best_first(self) -> bool:
        """Whether there is no doubt that lists are the right way round."""
        return self.tilts < -2 * sqrt(self.squares)

    @property
    def may_be_worst_first(self) -> bool:
        """Whether a handful of lists look upside down, but are too few to be sure: one in 50 random runs does."""
        n = self.lists
        few = _LEAST_LISTS <= n < _FEW_LISTS and not self.dense
        return few and self.tilt >= 1.2 / sqrt(n) and not self.is_worst_first

    @property
    def is_worst_first(self) -> bool:
        """Whether lists are upside down: more than chance and more than a weak system explains."""
        n = self.lists
        if n < _LEAST_LISTS:
            return False
        if n < _FEW_LISTS and not self.dense and self.tilt >= _FEW.get(n, 2.1 / sqrt(n)):
            return True
        return self.tilt >= _EFFECT and self.tilts >= _Z * sqrt(self.squares)  # which takes 16 lists at least


SAMPLE = 200
"""Lists that are compared with each other where they seem to be stored worst first."""


def n_distinct(lists: Iterable[tuple[Iterable[str], Mapping[str, int]]], n: int) -> float:
    """How many different lists n of them are worth, by a sample of them: what each holds, and where it is judged.

    With the chance c that two of them are the same: n / (1 + (n - 1) c), as for clusters whose members agree. Lists are
    the same where they hold the same items and no judged item has two places. One query many times over (its judgements
    are the same as well) is an example of somebody's, and its lists count.
    """
    alike: dict[frozenset[str], list[Mapping[str, int]]] = {}
    for items, places in lists:
        alike.setdefault(frozenset(items), []).append(places)
    m = sum(map(len, alike.values()))
    same = sum(len(places) * (len(places) - 1) for places in alike.values() if _is_one_list(places))
    return n / (1 + (n - 1) * same / (m * (m - 1))) if same else float(n)


def _is_one_list(places: Sequence[Mapping[str, int]]) -> bool:
    known: dict[str, int] = {}
    agree = all(known.setdefault(x, place) == place for each in places for x, place in each.items())
    return agree and any(each != places[0] for each in places)


def direction_of(owner: Array, first: Array, last: Array, gain: Array, lengths: Array) -> Direction:
    """The direction of some lists.

    One row for each relevant result that is shown: the number of its list, the ranks it shares with equal scores (both
    its rank without a tie), its gain (above 0). `lengths` are those of all lists.
    """
    n = len(lengths)
    if (highest := float(gain.max(initial=0.0, where=np.isfinite(gain)))) > _LARGE:  # a power of two changes no tilt
        gain = np.ldexp(gain, -int(np.frexp(highest)[1]))
    r = (first + last) / 2
    from_end = lengths[owner] + 1 - r
    front = np.bincount(owner, weights=gain / r, minlength=n)
    end = np.bincount(owner, weights=gain / from_end, minlength=n)
    whole = front + end
    counts = np.bincount(owner, minlength=n)
    dense = np.flatnonzero((counts > _DENSE * lengths) & (lengths >= _SHORTEST))
    if len(dense):
        whole[dense] = np.minimum(whole[dense], _largest(dense, owner, gain, lengths))
    says = (lengths >= _SHORTEST) & (whole > 0) & np.isfinite(whole)
    difference = np.subtract(end, front, out=np.zeros(n), where=says)  # an infinite gain stands at both ends
    says &= np.abs(difference) > 1e-9 * whole  # the same from both ends but for rounding
    units = np.rint(difference[says] / whole[says] * _UNIT).astype(np.int64)
    return Direction(
        lists=int(np.count_nonzero(says)),
        against=int(np.count_nonzero(units > 0)),
        tilts=int(units.sum()),
        squares=int((units * units).sum()),
        dense=int(np.count_nonzero(says[dense])),
    )


def _largest(lists: Array, owner: Array, gain: Array, lengths: Array) -> Array:
    """`end - front` of some lists with the highest gains last."""
    number = np.full(len(lengths), -1)
    number[lists] = np.arange(len(lists))
    rows = np.flatnonzero(number[owner] >= 0)
    mine, gains = number[owner[rows]], gain[rows]
    order = np.lexsort((-gains, mine))
    mine, gains = mine[order], gains[order]
    starts = np.searchsorted(mine, np.arange(len(lists)))
    place = np.arange(len(mine)) - starts[mine] + 1.0
    tilt = gains * (1 / place - 1 / (lengths[lists][mine] + 1 - place))
    return np.bincount(mine, weights=tilt, minlength=len(lists))
