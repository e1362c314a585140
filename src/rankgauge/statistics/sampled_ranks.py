"""From ranks among sampled candidates to ranks among all items.

A target of rank R among N items has, among n of the N - 1 others drawn at random without replacement, the rank
r = 1 + Hypergeometric(N - 1, R - 1, n). With p the shares of targets at each rank R, the ranks that are seen are shares
q = p A of that, and a mean over users of f(R) is θ = Σ p(R) f(R). Many p give the same q: rank 1 among the candidates
stands for ranks 1 to about N / n.

    interval   every θ of some p that is nearly as likely as the likeliest: 2 (ℓ* - ℓ(p)) <= t². Nothing is assumed of
               p, so it is as wide as what the candidates do not tell, and what the users do not
    value      that of the p which expectation maximisation reaches from Jeffreys' prior of a share, (R - 1) / (N - 1),
               when it is as likely as the likeliest but for 1 of 2 (ℓ* - ℓ): what the data do not tell is left as it
               was (Jin, Li et al. 2021 estimate p so, from a uniform start)
    error      of the value, from leaving out each user (jackknife)

Krichene and Rendle (2020) show that no function of r is right for all R, which is why no unbiased value exists.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from math import sqrt

import numpy as np

from rankgauge._typing import Array
from rankgauge.statistics.intervals import Interval, t_quantile

__all__ = ["SampledRanks"]

_STEP = 0.125  # between ranks that are looked at, in units of how far the seen rank scatters
_CELL = 0.5  # width of cells of seen ranks, in the same units
_FEW = 200  # items, all of whose ranks are looked at
_MOST_STEPS = 5_000  # of expectation maximisation
_TINY = 1e-300


class SampledRanks:
    """Ranks of targets among sampled candidates: `counts[r - 1]` users have the rank r.

    `cutoffs` are ranks at which the functions to be estimated jump.

    >>> import numpy as np
    >>> seen = SampledRanks(np.array([40, 10, 10, 0, 0, 40]), 100, [10])     # 5 of 99 others were drawn
    >>> hit = (seen.ranks <= 10).astype(float)
    >>> low, high = seen.interval(hit, 0.95)
    >>> low < seen.value(hit) < high
    True
    """

    def __init__(self, counts: Array, n_items: int, cutoffs: Iterable[int] = ()) -> None:
        n = len(counts) - 1
        cells = _cells(n)
        self.users = int(counts.sum())
        self.ranks = _ranks(n, n_items, cutoffs)
        self._seen = np.add.reduceat(counts.astype(np.float64), cells)
        self._chance = np.maximum(np.add.reduceat(_chances(self.ranks, n, n_items), cells, axis=1), _TINY)
        angle = np.arcsin(np.sqrt((self.ranks - 1) / max(n_items - 1, 1)))
        width = np.diff(np.concatenate((angle[:1], (angle[1:] + angle[:-1]) / 2, angle[-1:])))
        self._prior = width / width.sum() if width.sum() else np.ones(1)

    @property
    def _shares(self) -> Array:
        return self._seen / self.users

    def value(self, f: Array) -> float:
        """The mean of f over all targets, where `f` has its value at each of `ranks`."""
        return float(self._estimate[:, 0] @ f)

    def error(self, f: Array) -> float:
        """The standard error of the value, over users like these."""
        if self.users < 2:
            return float("nan")
        without = f @ self._estimate[:, 1:]
        times = self._seen[self._seen > 0]
        middle = float(times @ without) / self.users
        return sqrt((self.users - 1) / self.users * float(times @ (without - middle) ** 2))

    def interval(self, f: Array, confidence_level: float) -> Interval:
        """All values that the ranks do not contradict at this level, whatever the ranks among all items are."""
        if self.users < 2:
            return Interval(float("nan"), float("nan"))
        room = t_quantile((1 + confidence_level) / 2, self.users - 1) ** 2 / 2 / self.users
        low, high = (sign * self._furthest(sign * f, room) for sign in (-1, 1))
        value = self.value(f)  # at a low level, a little less likely than what the interval holds
        return Interval(min(low, value), max(high, value))

    # which shares of targets at each rank fit

    @cached_property
    def _best(self) -> float:
        """The highest likelihood, as a mean over users."""
        return self._likeliest(np.zeros(len(self.ranks)), 0.0)[1]

    @cached_property
    def _estimate(self) -> Array:
        """The shares of targets at each rank: of all users, and beside it without one user of each cell there is."""
        some = np.flatnonzero(self._seen) if self.users > 1 else np.zeros(0, dtype=np.int64)
        seen = np.repeat(self._shares[:, None], 1 + len(some), axis=1)
        seen[some, 1 + np.arange(len(some))] -= 1 / self.users
        seen /= seen.sum(axis=0)
        p = np.repeat(self._prior[:, None], seen.shape[1], axis=1)
        for _ in range(_MOST_STEPS):
            q = self._chance.T @ p
            if 2 * self.users * (self._best - _mean_log(self._shares, q[:, 0])) <= 1:
                break
            p *= self._chance @ (seen / q)
        return p

    def _furthest(self, f: Array, room: float) -> float:
        """The highest mean of f whose likelihood is within `room` of the best.

        By duality: for any weight t, ℓ + t · mean of f is at most D(t), so that the mean is at most
        (D(t) - ℓ* + room) / t. The least of these bounds is where the likelihood is just at the edge. Each of them
        holds, however near to the highest the search came, as D(t) is taken with what it may lack.
        """
        least, span = float(f.min()), float(np.ptp(f))
        if not span:
            return least
        slope = (f - least) / span
        below = above = 0.0
        weight = bound = 1.0
        for _ in range(40):
            p, likelihood, lacking = self._likeliest(slope, weight)
            left = room - (self._best - likelihood)
            slack = (left + lacking * (1 + weight)) / weight
            bound = min(bound, float(p @ slope) + slack)
            if abs(left) < 0.05 * room or (left >= 0 and slack < 1e-5):
                break
            below, above = (weight, above) if left > 0 else (below, weight)
            if below and above:
                weight = sqrt(below * above)
            else:
                weight *= min(max(sqrt(room / max(room - left, _TINY)), 0.02), 20.0)
        return least + span * bound

    def _likeliest(self, slope: Array, weight: float) -> tuple[Array, float, float]:
        """Shares that maximise (likelihood + weight · slope · shares) / (1 + weight), their likelihood, and by how much
        that maximum may be above theirs: a primal-dual interior-point method.

        Shares are many, cells few: the system to solve has the size of the cells (Woodbury's identity). Where rounding
        ends the search early, what the maximum may lack is larger, and what rests on it is wider.
        """
        chance, seen, slope = self._chance, self._shares / (1 + weight), slope * (weight / (1 + weight))
        n, m = chance.shape
        p = np.full(n, 1 / n)
        gradient = chance @ (seen / (p @ chance)) + slope
        level = 1.1 * float(gradient.max()) + 0.1
        s = level - gradient
        found, lacking = p, float(gradient.max() - p @ gradient)
        with np.errstate(all="ignore"):
            for _ in range(100):
                q = p @ chance
                off = gradient - level + s
                gap, missing = float(p @ s), 1 - float(p.sum())
                d, k, target = p / s, chance * (np.sqrt(seen) / q), 0.1 * gap / n
                inner = k.T @ (d[:, None] * k)
                inner.flat[:: m + 1] += 1
                y = d[:, None] * np.stack((off + target / p - s, np.ones(n)), axis=1)
                try:
                    x = y - d[:, None] * (k @ np.linalg.solve(inner, k.T @ y))
                except np.linalg.LinAlgError:
                    break
                change = (float(x[:, 0].sum()) - missing) / float(x[:, 1].sum())
                dp = x[:, 0] - change * x[:, 1]
                ds = target / p - s - dp / d
                step = min(1.0, 0.995 / max(_TINY, float((-dp / p).max()), float((-ds / s).max())))
                p, s, level = p + step * dp, s + step * ds, level + step * change
                gradient = chance @ (seen / (p @ chance)) + slope
                if not (np.isfinite(gradient).all() and np.isfinite(s).all()):
                    break
                whole = p / p.sum()
                ascent = chance @ (seen / (whole @ chance)) + slope
                more = float(ascent.max() - whole @ ascent)  # concave: no shares are above by more
                if more < lacking:
                    found, lacking = whole, max(more, 0.0)
                if lacking < 1e-9:
                    break
        return found, _mean_log(self._shares, found @ chance), lacking


def _mean_log(seen: Array, q: Array) -> float:
    there = seen > 0
    return float(seen[there] @ np.log(q[there]))


def _cells(n: int) -> Array:
    """Where cells of the n + 1 seen ranks begin: the seen rank scatters by about its root, so that nothing is lost."""
    starts = [0]
    while (more := starts[-1] + max(1, int(_CELL * sqrt(starts[-1])))) <= n:
        starts.append(more)
    return np.array(starts)


def _ranks(n: int, n_items: int, cutoffs: Iterable[int]) -> Array:
    """The ranks among all items that are looked at: so close that the seen rank hardly tells them apart."""
    if n_items <= _FEW:
        return np.arange(1, n_items + 1)
    angles = np.arange(0, np.pi / 2, _STEP / sqrt(n))
    some = 1 + ((n_items - 1) * np.sin(angles) ** 2 + 0.5).astype(np.int64)
    jumps = [rank for k in cutoffs for rank in (k, k + 1)]
    every: Array = np.unique(np.concatenate((np.arange(1, 11), some, [n_items], jumps)))
    return every[every <= n_items].astype(np.int64)


def _chances(ranks: Array, n: int, n_items: int) -> Array:
    """The chance of each seen rank (columns) for each rank among all items (rows)."""
    drawn = np.arange(n + 1)

    def choose(a: Array) -> Array:
        """The logarithm of a over each number drawn, factor by factor; a row for each of `a`."""
        factors = np.maximum(a[:, None] - drawn[:-1], 1) / (drawn[:-1] + 1)
        found: Array = np.concatenate((np.zeros((len(a), 1)), np.log(factors).cumsum(axis=1)), axis=1)
        return found

    before, behind = ranks - 1, n_items - ranks
    can = (drawn <= before[:, None]) & (n - drawn <= behind[:, None])
    log = choose(before) + choose(behind)[:, ::-1] - choose(np.array([n_items - 1]))[:, -1:]
    return np.where(can, np.exp(np.minimum(log, 0.0)), 0.0)
