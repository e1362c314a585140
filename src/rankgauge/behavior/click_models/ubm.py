"""User browsing model: how far a user looks depends on where they clicked last.

    P(click at k | last click above at j) = γ_{k,j} · α_{q,d}        j = 0 without a click above

Dupret & Piwowarski (SIGIR 2008), with γ by position and position of the click above. Fitted by EM on impressions and
clicks added up over (query, item, position, position of the click above); see `product`. γ is relative to the first
position. A pair (k, j) that was never seen has the mean γ of its position.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Self

import numpy as np

from rankgauge.alignment import Array
from rankgauge.behavior.click_models.base import ClickModel, PairTable
from rankgauge.behavior.click_models.positions import probabilities
from rankgauge.behavior.click_models.prior import Prior, describe
from rankgauge.behavior.click_models.product import Cells, check_iterations, fit_product, unlinked
from rankgauge.behavior.click_models.sessions import Sessions

__all__ = ["UBM"]


@dataclass(frozen=True, eq=False, kw_only=True)
class UBM(ClickModel):
    """Examination depends on the position and on the click above it."""

    name = "ubm"

    examination: Array = field(repr=False)
    """(depth, depth + 1) γ by position and position of the click above (0: none); NaN where that cannot be."""
    position_impressions: Array = field(repr=False)

    @classmethod
    def fit(cls, sessions: Any, *, prior: Prior = "item", max_iterations: int = 500, tolerance: float = 1e-8) -> Self:
        """Fitted by EM; `prior` as in `click_models.prior`.

        It ends when a round gains less than `tolerance` of the log-likelihood that one click rate for all would have.
        """
        check_iterations(max_iterations, tolerance)
        s = Sessions.of(sessions)
        table, width = PairTable.of(s), s.depth + 1
        cells = Cells.of(s, np.arange(s.depth) * width + click_above(s.clicks), s.depth * width)
        attractive, gamma, n, went = fit_product(cells, table, prior, max_iterations, tolerance)
        return cls(
            pairs=table,
            attractiveness=attractive,
            examination=_filled(gamma.reshape(s.depth, width), n.reshape(s.depth, width)),
            position_impressions=n.reshape(s.depth, width),
            prior=describe(prior),
            n_sessions=s.n,
            depth=s.depth,
            fitted=went,
            notes=(*unlinked(s), *went.notes),
        )

    def _gamma(self, k: int, above: Array) -> Array:
        """Below the depth of the fit, the last position with the same distance to the click."""
        deepest = len(self.examination) - 1
        if k > deepest:
            above = np.where(above > 0, np.maximum(above - (k - deepest), 1), 0)
        gamma: Array = self.examination[min(k, deepest), above]
        return gamma

    def _start(self, n: int) -> Any:
        return np.zeros(n, dtype=np.int64)

    def _chance(self, state: Any, k: int, cells: Array) -> Array:
        p: Array = np.minimum(self.attractiveness.table[cells] * self._gamma(k, state), 1.0)
        return p

    def _after(self, state: Any, k: int, cells: Array, clicks: Array) -> Any:
        return np.where(clicks, k + 1, state)

    def _marginal(self, cells: Array) -> Array:
        out = np.zeros(cells.shape)
        depth = cells.shape[1]
        above = np.zeros((depth + 1, len(cells)))  # how likely the last click is at each position
        above[0] = 1
        for k in range(depth):
            gamma = self._gamma(k, np.arange(k + 1))
            p = np.minimum(self.attractiveness.table[cells[:, k]] * gamma[:, None], 1.0)
            hit = above[: k + 1] * p
            out[:, k] = hit.sum(axis=0)
            above[: k + 1] -= hit
            above[k + 1] = out[:, k]
        return out

    def _positions(self) -> list[dict[str, Any]]:
        return [
            {
                "parameter": "examination",
                "position": k + 1,
                "previous_click": j,
                "value": float(self.examination[k, j]),
                "trials": float(self.position_impressions[k, j]),
            }
            for k in range(len(self.examination))
            for j in range(k + 1)
        ]

    @classmethod
    def _checked(cls, parameters: Mapping[str, Any]) -> dict[str, Any]:
        gamma = probabilities(cls.name, "examination", parameters, 2)
        return {"examination": gamma, "position_impressions": gamma * 0, "depth": len(gamma)}


def click_above(clicks: Array) -> Array:
    """(n, depth): the position of the nearest click above each place; 0 without one."""
    at = np.maximum.accumulate(clicks * np.arange(1, clicks.shape[1] + 1), axis=1)
    return np.concatenate([np.zeros((len(clicks), 1), dtype=at.dtype), at[:, :-1]], axis=1)


def _filled(gamma: Array, n: Array) -> Array:
    """What was never seen has the mean of its position; a position never shown that of all."""
    seen = n > 0
    total = float(np.sum(gamma[seen] * n[seen]) / n[seen].sum())
    by_rank = np.divide(np.where(seen, gamma * n, 0).sum(1), n.sum(1), out=np.full(len(n), total), where=n.sum(1) > 0)
    possible = np.arange(gamma.shape[1]) <= np.arange(len(gamma))[:, None]
    return np.where(seen, gamma, np.where(possible, by_rank[:, None], np.nan))
