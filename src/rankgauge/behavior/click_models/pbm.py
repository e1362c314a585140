"""Position-based model: a click needs an examined position and an attractive item.

    P(click) = θ_k · α_{q,d}

Richardson, Dominowska & Ragno (WWW 2007); Craswell et al. (WSDM 2008). Fitted by EM on impressions and clicks added
up over (query, item, position); see `product`. θ is relative to the first position. Where items did not move between
positions, θ and α are not told apart: a note says so, and clicks are predicted all the same.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Self

import numpy as np

from rankgauge.alignment import Array
from rankgauge.behavior.click_models.base import ClickModel, PairTable
from rankgauge.behavior.click_models.positions import by_position, probabilities
from rankgauge.behavior.click_models.prior import Prior, describe
from rankgauge.behavior.click_models.product import Cells, check_iterations, fit_product, unlinked
from rankgauge.behavior.click_models.sessions import Sessions

__all__ = ["PBM"]


@dataclass(frozen=True, eq=False, kw_only=True)
class PBM(ClickModel):
    """Positions are examined, items attract, independently."""

    name = "pbm"

    examination: Array = field(repr=False)
    """(depth,) θ, relative to the first position; of the nearest position above where none was shown."""
    position_impressions: Array = field(repr=False)

    @classmethod
    def fit(cls, sessions: Any, *, prior: Prior = "item", max_iterations: int = 500, tolerance: float = 1e-8) -> Self:
        """Fitted by EM; `prior` as in `click_models.prior`.

        It ends when a round gains less than `tolerance` of the log-likelihood that one click rate for all would have.
        """
        check_iterations(max_iterations, tolerance)
        s = Sessions.of(sessions)
        table = PairTable.of(s)
        cells = Cells.of(s, np.broadcast_to(np.arange(s.depth), s.items.shape), s.depth)
        attractive, theta, n, went = fit_product(cells, table, prior, max_iterations, tolerance)
        known = np.maximum.accumulate(np.where(n > 0, np.arange(s.depth), -1))
        known = np.where(known < 0, np.flatnonzero(n > 0)[0], known)
        return cls(
            pairs=table,
            attractiveness=attractive,
            examination=theta[known],
            position_impressions=n,
            prior=describe(prior),
            n_sessions=s.n,
            depth=s.depth,
            fitted=went,
            notes=(*unlinked(s), *went.notes),
        )

    def _start(self, n: int) -> Any:
        return None

    def _chance(self, state: Any, k: int, cells: Array) -> Array:
        theta = self.examination[min(k, len(self.examination) - 1)]
        p: Array = np.minimum(self.attractiveness.table[cells] * theta, 1.0)
        return p

    def _after(self, state: Any, k: int, cells: Array, clicks: Array) -> Any:
        return None

    def _marginal(self, cells: Array) -> Array:
        return self._walk(cells, np.zeros(cells.shape, dtype=bool))[0]

    def _positions(self) -> list[dict[str, Any]]:
        return by_position("examination", self.examination, self.position_impressions)

    @classmethod
    def _checked(cls, parameters: Mapping[str, Any]) -> dict[str, Any]:
        theta = probabilities(cls.name, "examination", parameters)
        return {"examination": theta, "position_impressions": theta * 0, "depth": len(theta)}
