"""Cascade model: users read downwards and leave with their first click.

    attractiveness α_{q,d} = first clicks / impressions at or above the first click

Craswell, Zoeter, Taylor & Ramsey (WSDM 2008). A session without a click was read to its end. The model knows no
second click: what is below the first one is not used for α, and further clicks there would be impossible. So that
such sessions can be compared at all, items below a click are clicked with one small rate, whatever they are,

    noise = clicks below the first / impressions below the first

which is 0 in the model as published and, without a prior, in a log without second clicks.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from rankgauge._show import show
from rankgauge._text import Text
from rankgauge.alignment import Array
from rankgauge.behavior.click_models.base import ClickModel, PairTable
from rankgauge.behavior.click_models.prior import Prior, beta_prior, describe
from rankgauge.behavior.click_models.sessions import Sessions
from rankgauge.errors import InputError

__all__ = ["Cascade"]


@dataclass(frozen=True, eq=False, kw_only=True)
class Cascade(ClickModel):
    """The first click ends the search."""

    name = "cascade"

    noise: float = 0.0
    """How likely an item below the first click is clicked."""
    below: float = 0.0
    """The impressions that rests on."""

    @classmethod
    def fit(cls, sessions: Any, *, prior: Prior = "item") -> Self:
        """Fitted by counting; `prior` as in `click_models.prior`. With one, `noise` has half a click and half a skip
        more."""
        s = Sessions.of(sessions)
        table = PairTable.of(s)
        weight = np.broadcast_to(s.weight[:, None], s.items.shape)
        clicked = s.last_click > 0
        first = np.where(clicked, np.argmax(s.clicks, axis=1), s.depth)
        rank = np.arange(s.depth)
        read = s.shown & (rank <= first[:, None])
        n = len(s.pairs)
        trials = np.bincount(s.pairs.code[read], weights=weight[read], minlength=n)
        hit = read & s.clicks
        clicks = np.bincount(s.pairs.code[hit], weights=weight[hit], minlength=n)
        after = s.shown & ~read
        below, extra = float(weight[after].sum()), float(weight[after & s.clicks].sum())
        half = 0.0 if prior is None else 0.5
        several = int(s.weight[s.clicks.sum(axis=1) > 1].sum())
        return cls(
            pairs=table,
            attractiveness=beta_prior(prior, clicks, trials, table.item, len(table.item_names)).rates(clicks, trials),
            noise=(extra + half) / (below + 2 * half) if below + half else 0.0,
            below=below,
            prior=describe(prior),
            n_sessions=s.n,
            depth=s.depth,
            notes=_notes(several, s.n),
        )

    def _start(self, n: int) -> Any:
        return np.zeros(n, dtype=bool)

    def _chance(self, state: Any, k: int, cells: Array) -> Array:
        return np.where(state, self.noise * (cells < self.pairs.nothing), self.attractiveness.table[cells])

    def _after(self, state: Any, k: int, cells: Array, clicks: Array) -> Any:
        return state | clicks

    def _marginal(self, cells: Array) -> Array:
        out = np.zeros(cells.shape)
        reads = np.ones(len(cells))
        for k in range(cells.shape[1]):
            hit = reads * self.attractiveness.table[cells[:, k]]
            out[:, k] = hit + (1 - reads) * self.noise * (cells[:, k] < self.pairs.nothing)
            reads = reads - hit
        return out

    def _positions(self) -> list[dict[str, Any]]:
        return [{"parameter": "noise", "value": self.noise, "trials": self.below}]

    @classmethod
    def _checked(cls, parameters: Mapping[str, Any]) -> dict[str, Any]:
        noise = float(parameters.get("noise", 0.0))
        if not 0 <= noise <= 1:
            raise InputError(
                Text(
                    f"cascade: `noise` must be between 0 and 1, got {show(noise)}.",
                    f"cascade：`noise` 必须介于 0 和 1 之间，实际为 {show(noise)}。",
                )
            )
        return {"noise": noise, "depth": 0}


def _notes(several: int, n: int) -> tuple[str, ...]:
    if not several:
        return ()
    return (
        Text(
            f"{several} of {n} sessions have more than one click; clicks below the first are noise to this model",
            f"{n} 个会话中有 {several} 个点击多于一次；对该模型而言，首次点击之后的点击都是噪声",
        ),
    )
