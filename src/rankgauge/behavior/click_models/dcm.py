"""Dependent click model: after a click at position k, users read on with probability λ_k.

    attractiveness α_{q,d} = clicks / impressions at or above the last click
    continuation   λ_k     = 1 - last clicks at k / clicks at k

Guo, Liu & Wang (WSDM 2009), whose estimates maximise a lower bound of the likelihood. A session without a click
counts as read to its end; a click on the last item of a list is always a last click. What the closed form leaves out,
and the exact fit by EM, is told in `stopping`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Self

import numpy as np

from rankgauge.alignment import Array
from rankgauge.behavior.click_models.base import Iterations, PairTable
from rankgauge.behavior.click_models.positions import by_position, probabilities, with_halves
from rankgauge.behavior.click_models.prior import Prior, beta_prior, describe
from rankgauge.behavior.click_models.product import check_iterations
from rankgauge.behavior.click_models.sessions import Sessions
from rankgauge.behavior.click_models.stopping import (
    SessionReading,
    Stopping,
    StoppingModel,
    check_estimator,
    stopping_em,
)

__all__ = ["DCM"]


@dataclass(frozen=True, eq=False, kw_only=True)
class DCM(StoppingModel):
    """Users read on after a click as often as its position says."""

    name = "dcm"

    continuation: Array = field(repr=False)
    """(depth,) λ: how likely a user reads on after a click at each position."""
    position_clicks: Array = field(repr=False)
    """(depth,) the clicks that rests on."""

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
        """Fitted by counting, or by `estimator="em"`; `prior` as in `click_models.prior`.

        With a prior, λ has half a success and half a failure more. A position without clicks has the λ of all.
        """
        check_estimator(estimator)
        check_iterations(max_iterations, tolerance)
        s = Sessions.of(sessions)
        table = PairTable.of(s)
        read = SessionReading.of(s, np.broadcast_to(np.arange(s.depth), s.items.shape), s.depth)
        alpha = beta_prior(prior, read.pair_clicks, read.pair_trials, table.item, len(table.item_names))
        half = 0.0 if prior is None else 0.5
        attractive, went = alpha.rates(read.pair_clicks, read.pair_trials), Iterations()
        found = Stopping(with_halves(read.stops, read.stop_trials, half), read.stops, read.stop_trials)
        if estimator == "em":
            attractive, found, went = stopping_em(
                read,
                alpha,
                lambda stops, trials: with_halves(stops, trials, half),
                lambda p, n: half * float(np.sum(np.log(p[n > 0]) + np.log1p(-p[n > 0]))) if half else 0.0,
                max_iterations,
                tolerance,
            )
        return cls(
            pairs=table,
            attractiveness=attractive,
            continuation=1 - found.value,
            position_clicks=found.trials,
            prior=describe(prior),
            n_sessions=s.n,
            depth=s.depth,
            fitted=went,
            notes=went.notes,
        )

    def _stop(self, k: int, cells: Array) -> Array:
        return np.full(len(cells), 1 - self.continuation[min(k, len(self.continuation) - 1)])

    def _positions(self) -> list[dict[str, Any]]:
        return by_position("continuation", self.continuation, self.position_clicks)

    @classmethod
    def _checked(cls, parameters: Mapping[str, Any]) -> dict[str, Any]:
        continuation = probabilities(cls.name, "continuation", parameters)
        return {"continuation": continuation, "position_clicks": continuation * 0, "depth": len(continuation)}
