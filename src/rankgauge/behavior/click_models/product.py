"""Click = examined and attractive, the two independent: the EM that PBM and UBM share.

Both models say P(click) = α_{q,d} · θ_x, with x the position (PBM) or the position and that of the click above (UBM).
On counts n and clicks c of each cell (pair, x), one iteration takes the expected attractive and examined impressions,

    attractive = c + (n-c) · α(1-θ)/(1-αθ)        examined = c + (n-c) · θ(1-α)/(1-αθ)

and sets α and θ to their shares. Only products are in the clicks: all θ are given relative to the first position (UBM:
without a click above), which is 1; deeper ones may be above 1 where users look there more.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from rankgauge._checks import number, whole
from rankgauge._text import Text
from rankgauge.alignment import Array
from rankgauge.behavior.click_models.base import Iterations, PairTable, surprise
from rankgauge.behavior.click_models.prior import Beta, Prior, Rates, beta_prior
from rankgauge.behavior.click_models.sessions import Sessions, codes_of_keys

__all__ = ["Cells", "check_iterations", "fit_product", "product_em", "unlinked"]

_TINY = 1e-300
_FIRST = 20  # iterations that give the examination with which the prior is estimated


@dataclass(frozen=True, eq=False)
class Cells:
    """Impressions and clicks added up over (pair, x)."""

    pair: Array
    x: Array
    n: Array
    c: Array
    n_pairs: int
    n_x: int

    @classmethod
    def of(cls, sessions: Sessions, x: Array, n_x: int) -> Cells:
        """`x` is (n, depth)."""
        shown, pairs = sessions.shown, sessions.pairs
        weight = np.broadcast_to(sessions.weight[:, None], shown.shape)[shown]
        keys = pairs.code[shown] * n_x + x[shown]
        code, distinct = codes_of_keys(keys, len(pairs) * n_x)
        n = np.bincount(code, weights=weight, minlength=len(distinct))
        c = np.bincount(code, weights=weight * sessions.clicks[shown], minlength=len(distinct))
        return cls(distinct // n_x, distinct % n_x, n, c, len(pairs), n_x)

    def by_pair(self, values: Array) -> Array:
        return np.bincount(self.pair, weights=values, minlength=self.n_pairs)

    def by_x(self, values: Array) -> Array:
        return np.bincount(self.x, weights=values, minlength=self.n_x)


def check_iterations(max_iterations: int, tolerance: float) -> None:
    whole("max_iterations", max_iterations, caller="click model")
    number("tolerance", tolerance, at_least=0, caller="click model")


def fit_product(
    cells: Cells, table: PairTable, prior: Prior, max_iterations: int, tolerance: float
) -> tuple[Rates, Array, Array, Iterations]:
    """Attractiveness, examination by x, the expected impressions of each x, and how the iterations went.

    Starts at α = (c+1)/(n+2) of the pair and θ = (c+1)/(n+2) of x, times 0.9 and divided by the largest. With a
    prior, α has the Beta prior of its pair and θ one of half a success and half a failure; "item" and "global" are
    estimated from clicks over θ-weighted impressions after a few iterations, and stay fixed from then on.
    """
    n_pair, c_pair, n_x, c_x = cells.by_pair(cells.n), cells.by_pair(cells.c), cells.by_x(cells.n), cells.by_x(cells.c)
    alpha = (c_pair + 1) / (n_pair + 2)
    theta = (c_x + 1) / (n_x + 2)
    theta = 0.9 * theta / theta[n_x > 0].max()  # from exactly 1 no iteration ever leaves
    half = 0.0 if prior is None else 0.5
    beta = beta_prior(prior, c_pair, n_pair, table.item, len(table.item_names))
    if isinstance(prior, str):
        rough = float(np.clip(cells.c.sum() / (cells.n @ theta[cells.x]), 0.01, 0.99))
        weak = beta_prior((2 * rough, 2 - 2 * rough), c_pair, n_pair, table.item, len(table.item_names))
        alpha, theta, _ = product_em(cells, alpha, theta, weak, half, _FIRST, tolerance)
        largest = float(theta[n_x > 0].max())
        alpha, theta = np.minimum(alpha * largest / 0.9, 0.999), theta * 0.9 / largest
        seen = np.maximum(cells.by_pair(cells.n * theta[cells.x] / 0.9), c_pair)
        beta = beta_prior(prior, c_pair, seen, table.item, len(table.item_names))
    alpha, theta, went = product_em(cells, alpha, theta, beta, half, max_iterations, tolerance)
    alpha, theta, scale = _relative(alpha, theta, n_x)
    trials = cells.by_pair(cells.n * np.minimum(theta, 1)[cells.x])
    rates = Rates(alpha, beta.item * scale, beta.overall * scale, c_pair, trials)
    return rates, np.where(n_x > 0, theta, np.nan), n_x, went


def product_em(
    cells: Cells,
    alpha: Array,
    theta: Array,
    beta: Beta,
    half: float,
    max_iterations: int,
    tolerance: float,
    *,
    accelerate: bool = True,
) -> tuple[Array, Array, Iterations]:
    """EM, every third step extrapolated from the two before (SQUAREM) and kept only where the objective has not fallen.

    Varadhan & Roland (Scandinavian Journal of Statistics 2008), scheme S3. The fixed points are those of EM, with a
    fifth of the steps or fewer where clicks are rare. The trace has the values that were kept.
    """
    step = _Step(cells, beta, half)
    enough = tolerance * surprise(float(cells.c.sum()), float(cells.n.sum()))
    now = np.concatenate([alpha, theta])
    trace: list[float] = []
    steps = 0
    while True:
        before = trace[-1] if trace else None
        value, once = step(now)
        trace.append(value)
        done = before is not None and value - before <= enough
        if done or steps >= max_iterations:
            return now[: cells.n_pairs], now[cells.n_pairs :], Iterations(bool(done), steps, tuple(trace))
        steps += 1
        if not accelerate or steps + 2 > max_iterations:
            now = once
            continue
        middle, twice = step(once)
        steps += 1
        trace.append(middle)
        far = _extrapolated(now, once, twice)
        reached, onward = step(far)
        steps += 1
        if reached >= middle:
            trace.append(reached)
            now = onward
        else:
            now = twice


def _extrapolated(start: Array, once: Array, twice: Array) -> Array:
    first = once - start
    second = twice - once - first
    bend = float(np.sum(second**2))
    if not bend:
        return twice
    length = max(1.0, np.sqrt(float(np.sum(first**2)) / bend))
    far = start + 2 * length * first + length**2 * second
    return np.where((far > 0) & (far < 1), far, twice)


class _Step:
    """One EM iteration; cells are taken in pieces that stay in the processor's cache."""

    _PIECE = 1 << 15

    def __init__(self, cells: Cells, beta: Beta, half: float) -> None:
        self.cells, self.beta, self.half = cells, beta, half
        self.c_x, n_x = cells.by_x(cells.c), cells.by_x(cells.n)
        self.good = cells.by_pair(cells.c) + beta.strength * beta.mean
        self.bad = beta.strength * (1 - beta.mean)
        self.skipped = cells.n - cells.c
        self.seen = n_x > 0
        self.below_pair = cells.by_pair(cells.n) + beta.strength
        self.below_x = np.where(self.seen, n_x + 2 * half, 1)
        # cells are sorted by pair, and every pair has one
        self.starts = np.searchsorted(cells.pair, np.arange(cells.n_pairs + 1))
        cuts = np.searchsorted(self.starts, np.arange(0, len(cells.n), self._PIECE))
        self.cuts = np.unique(np.append(cuts, cells.n_pairs))

    def __call__(self, parameters: Array) -> tuple[float, Array]:
        """The objective at the parameters, and the parameters after one iteration."""
        cells, n_pairs = self.cells, self.cells.n_pairs
        alpha, theta = parameters[:n_pairs], parameters[n_pairs:]
        attractive, examined, value = np.empty(n_pairs), np.zeros(cells.n_x), 0.0
        for p0, p1 in zip(self.cuts[:-1], self.cuts[1:], strict=True):
            starts = self.starts[p0 : p1 + 1]
            here = slice(starts[0], starts[-1])
            x, skipped = cells.x[here], self.skipped[here]
            a, t = np.repeat(alpha[p0:p1], np.diff(starts)), theta.take(x)
            p = a * t
            q = np.maximum(1 - p, _TINY)  # 0 only where nothing was skipped
            value += float(np.sum(skipped * np.log(q)))  # no BLAS: its threads cost more than they save
            rest = skipped / q
            a -= p
            a *= rest
            t -= p
            t *= rest
            attractive[p0:p1] = np.add.reduceat(a, starts[:-1] - starts[0])
            examined += np.bincount(x, weights=t, minlength=cells.n_x)
        # clicks know α and θ apart, so that only the skipped impressions need a logarithm per cell
        value += float(np.sum(self.good * np.log(np.maximum(alpha, _TINY))))
        value += float(np.sum((self.c_x + self.half) * np.log(np.maximum(theta, _TINY)), where=self.seen))
        if self.half:
            value += self.half * float(np.sum(np.log1p(-theta[self.seen])))
        if self.beta.strength:
            value += float(np.sum(self.bad * np.log1p(-alpha)))
        alpha = (attractive + self.good) / self.below_pair
        theta = np.where(self.seen, (self.c_x + examined + self.half) / self.below_x, theta)
        return value, np.concatenate([alpha, theta])


def _relative(alpha: Array, theta: Array, n_x: Array) -> tuple[Array, Array, float]:
    """The same products with θ = 1 at the first x that was seen."""
    there = theta[n_x > 0]
    scale = float(there[0]) or float(there.max())
    return (alpha * scale, theta / scale, scale) if scale else (alpha, theta, 1.0)


def unlinked(sessions: Sessions) -> tuple[str, ...]:
    """A note where items did not move between positions: examination and attractiveness are then not told apart."""
    shown = sessions.shown
    depth = sessions.depth
    _, distinct = codes_of_keys(sessions.pairs.code[shown] * depth + np.nonzero(shown)[1], len(sessions.pairs) * depth)
    pair, rank = distinct // depth, distinct % depth
    together = pair[1:] == pair[:-1]  # neighbours are enough: they link all positions of a pair
    linked = np.eye(depth, dtype=bool)
    linked[rank[:-1][together], rank[1:][together]] = True
    linked |= linked.T
    for k in range(depth):
        linked |= np.outer(linked[:, k], linked[k])
    used = np.flatnonzero(shown.any(axis=0))
    apart = used[~linked[used[0], used]]
    if not len(apart):
        return ()
    some = ", ".join(str(k + 1) for k in apart[:5]) + (" …" if len(apart) > 5 else "")
    return (
        Text(
            f"no item joins position {used[0] + 1} with {some}: examination and attractiveness cannot be told apart",
            f"没有文档把第 {used[0] + 1} 位与第 {some} 位联系起来：这些位置的查看概率与吸引力无法区分",
        ),
    )
