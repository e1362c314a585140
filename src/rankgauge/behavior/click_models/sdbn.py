"""Simplified dynamic Bayesian network: users read downwards until an item they clicked satisfies them.

    attractiveness α_{q,d} = clicks / impressions at or above the last click
    satisfaction   σ_{q,d} = last clicks / clicks
    relevance              = α · σ

Chapelle & Zhang (WWW 2009), section 4 with γ = 1. A session without a click counts as read to its end. What the closed
form leaves out, and the exact fit by EM, is told in `stopping`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Self

from rankgauge.alignment import Array
from rankgauge.behavior.click_models.base import Iterations, PairTable
from rankgauge.behavior.click_models.prior import Prior, Rates, beta_prior, describe
from rankgauge.behavior.click_models.product import check_iterations
from rankgauge.behavior.click_models.sessions import Sessions
from rankgauge.behavior.click_models.stopping import SessionReading, StoppingModel, check_estimator, stopping_em

__all__ = ["SDBN"]


@dataclass(frozen=True, eq=False, kw_only=True)
class SDBN(StoppingModel):
    """Attractive items are clicked, satisfying ones end the search."""

    name = "sdbn"

    satisfaction: Rates = field(repr=False)
    """How likely a click on the item ends the search, per (query, item)."""

    @classmethod
    def fit(
        cls,
        sessions: Any,
        *,
        prior: Prior = "item",
        estimator: str = "closed form",
        max_iterations: int = 500,
        tolerance: float = 1e-8,
    ) -> Self:
        """Fitted by counting, or by `estimator="em"`; `prior` as in `click_models.prior`, for both kinds of rates."""
        check_estimator(estimator)
        check_iterations(max_iterations, tolerance)
        s = Sessions.of(sessions)
        table, pairs = PairTable.of(s), s.pairs
        read = SessionReading.of(s, pairs.code, len(pairs))
        alpha = beta_prior(prior, read.pair_clicks, read.pair_trials, table.item, len(table.item_names))
        sigma = beta_prior(prior, read.stops, read.stop_trials, table.item, len(table.item_names))
        attractive, went = alpha.rates(read.pair_clicks, read.pair_trials), Iterations()
        satisfied = sigma.rates(read.stops, read.stop_trials)
        if estimator == "em":
            attractive, found, went = stopping_em(
                read,
                alpha,
                lambda stops, trials: sigma.rates(stops, trials).value,
                lambda value, _: sigma.log_density(value),
                max_iterations,
                tolerance,
            )
            satisfied = sigma.rates(found.stops, found.trials)
        return cls(
            pairs=table,
            attractiveness=attractive,
            satisfaction=satisfied,
            prior=describe(prior),
            n_sessions=s.n,
            depth=s.depth,
            fitted=went,
            notes=went.notes,
        )

    def _stop(self, k: int, cells: Array) -> Array:
        return self.satisfaction.table[cells]

    def _positions(self) -> list[dict[str, Any]]:
        return []

    def _pair_rates(self) -> dict[str, Rates]:
        return {"attractiveness": self.attractiveness, "satisfaction": self.satisfaction}

    def _relevance(self) -> Array:
        return self.attractiveness.value * self.satisfaction.value

    @classmethod
    def _pair_names(cls) -> tuple[str, ...]:
        return ("attractiveness", "satisfaction")

    @classmethod
    def _checked(cls, parameters: Mapping[str, Any]) -> dict[str, Any]:
        return {"depth": 0, **parameters}
