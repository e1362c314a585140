"""Users read downwards, click what attracts them, and after a click stop or go on: what SDBN and DCM share.

    P(click | examined) = α_{q,d}        P(stop | click) = s        P(stop | no click) = 0

s belongs to the clicked item (SDBN: its satisfaction) or to the position (DCM: 1 - λ_k). With b the probability that
the user is still reading, given the clicks so far,

    P(click at k | clicks above) = b·α        b ← 1 - s after a click,   b(1-α)/(1-bα) after none

The closed form takes the last click for the end of reading: everything at or above it was examined, nothing below
was, and the last click is where the user stopped. A session without a click was read to its end. That is quick and
usual, and it is not quite maximum likelihood: users who read on in vain are taken for satisfied, so α and s come out
too high, the more so the shorter the lists and the rarer the clicks. `estimator="em"` has the likelihood itself:
whether the last click stopped the user is not observed, and with Q = Π (1-α) over the items below it

    P(went on | nothing clicked below) = (1-s)·Q / (s + (1-s)·Q)
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from rankgauge._show import show
from rankgauge._text import Text
from rankgauge.alignment import Array
from rankgauge.behavior.click_models.base import ClickModel, Iterations, surprise
from rankgauge.behavior.click_models.prior import Beta, Rates
from rankgauge.behavior.click_models.sessions import Sessions
from rankgauge.errors import ParameterError

__all__ = ["SessionReading", "Stopping", "StoppingModel", "check_estimator", "stopping_em"]


class StoppingModel(ClickModel):
    """A model whose users may stop after a click."""

    @abstractmethod
    def _stop(self, k: int, cells: Array) -> Array:
        """P(stop | click at position k + 1)."""

    def _start(self, n: int) -> Any:
        return np.ones(n)

    def _chance(self, state: Any, k: int, cells: Array) -> Array:
        p: Array = state * self.attractiveness.table[cells]
        return p

    def _after(self, state: Any, k: int, cells: Array, clicks: Array) -> Any:
        alpha = self.attractiveness.table[cells]
        ends = 1 - state * alpha
        # a user who surely clicks and did not was not there
        went_on = np.divide(state * (1 - alpha), ends, out=np.zeros(len(alpha)), where=ends > 0)
        return np.where(clicks, 1 - self._stop(k, cells), went_on)

    def _marginal(self, cells: Array) -> Array:
        out = np.zeros(cells.shape)
        reads = np.ones(len(cells))
        for k in range(cells.shape[1]):
            p = out[:, k] = reads * self.attractiveness.table[cells[:, k]]
            reads = reads - p * self._stop(k, cells[:, k])
        return out


@dataclass(frozen=True, eq=False)
class SessionReading:
    """What was read under the assumption that the last click ended it; `stop` codes what the stopping belongs to."""

    pair_trials: Array
    pair_clicks: Array
    stop_trials: Array
    """Clicks, by what the stopping belongs to."""
    stops: Array
    """Last clicks."""
    last_stop: Array
    """(sessions with a click,) the code of the last click."""
    last_weight: Array
    tail_session: Array
    """Items below the last click: in which of those sessions, and which pair."""
    tail_pair: Array

    @classmethod
    def of(cls, s: Sessions, stop: Array, n_stops: int) -> SessionReading:
        """`stop` is (n, depth): what the stopping at each place belongs to."""
        rank = np.arange(1, s.depth + 1)
        weight = np.broadcast_to(s.weight[:, None], s.items.shape)
        clicked = s.last_click > 0
        read = s.shown & ((rank <= s.last_click[:, None]) | ~clicked[:, None])
        pair, n_pairs = s.pairs.code, len(s.pairs)
        rows = np.flatnonzero(clicked)
        last = stop[rows, s.last_click[rows] - 1]
        tail_row, tail_column = np.nonzero(s.shown & ~read)
        place = np.cumsum(clicked) - 1
        return cls(
            pair_trials=np.bincount(pair[read], weights=weight[read], minlength=n_pairs),
            pair_clicks=np.bincount(pair[s.clicks], weights=weight[s.clicks], minlength=n_pairs),
            stop_trials=np.bincount(stop[s.clicks], weights=weight[s.clicks], minlength=n_stops),
            stops=np.bincount(last, weights=s.weight[rows], minlength=n_stops),
            last_stop=last,
            last_weight=s.weight[rows],
            tail_session=place[tail_row],
            tail_pair=pair[tail_row, tail_column],
        )


def check_estimator(estimator: str) -> None:
    if estimator not in ("closed form", "em"):
        raise ParameterError(
            Text(
                f"click model: `estimator` must be 'closed form' or 'em', got {show(estimator)}.",
                f"点击模型：`estimator` 必须是 'closed form' 或 'em'，实际为 {show(estimator)}。",
            )
        )


@dataclass(frozen=True, eq=False)
class Stopping:
    """What EM found about stopping."""

    value: Array
    stops: Array
    """Expected numbers."""
    trials: Array
    """Clicks with something below them."""


def stopping_em(
    r: SessionReading,
    alpha: Beta,
    stop: Callable[[Array, Array], Array],
    log_stop: Callable[[Array, Array], float],
    max_iterations: int,
    tolerance: float,
) -> tuple[Rates, Stopping, Iterations]:
    """Attractiveness, stopping, and how it went; starts at the closed form.

    `stop` gives the probabilities from stops and trials, `log_stop` the log density of their prior. Nobody can tell
    whether a click on the last item of a list stopped the user: such clicks are no trials of stopping.
    """
    n_pairs, n_stops = len(r.pair_trials), len(r.stops)
    open_ = np.bincount(r.tail_session, minlength=len(r.last_stop)) > 0
    tail_session = (np.cumsum(open_) - 1)[r.tail_session]
    last_stop, last_weight, n_last = r.last_stop[open_], r.last_weight[open_], int(open_.sum())
    went_on = r.stop_trials - r.stops  # clicks that surely did not stop anyone
    trials = went_on + np.bincount(last_stop, weights=last_weight, minlength=n_stops)
    stops = trials - went_on
    rates, s = alpha.rates(r.pair_clicks, r.pair_trials), stop(stops, trials)
    skipped = r.pair_trials - r.pair_clicks
    enough = tolerance * surprise(float(r.pair_clicks.sum()), float(r.pair_trials.sum()))
    trace: list[float] = []
    while True:
        with np.errstate(divide="ignore"):
            log_skip = np.log1p(-rates.value)
        in_vain = np.exp(np.bincount(tail_session, weights=log_skip[r.tail_pair], minlength=n_last))
        at_last = s[last_stop]
        vain = (1 - at_last) * in_vain
        ended = at_last + vain
        value = _xlog(r.pair_clicks, rates.value) + _xlog(skipped, 1 - rates.value) + _xlog(went_on, 1 - s)
        value += _xlog(last_weight, ended)
        trace.append(value + alpha.log_density(rates.value) + log_stop(s, trials))
        done = len(trace) > 1 and trace[-1] - trace[-2] <= enough
        if done or len(trace) > max_iterations:
            return rates, Stopping(s, stops, trials), Iterations(done, len(trace) - 1, tuple(trace))
        share = np.divide(vain, ended, out=np.zeros(n_last), where=ended > 0)
        read_on = last_weight * share
        below = np.bincount(r.tail_pair, weights=read_on[tail_session], minlength=n_pairs)
        stops = np.bincount(last_stop, weights=last_weight - read_on, minlength=n_stops)
        rates, s = alpha.rates(r.pair_clicks, r.pair_trials + below), stop(stops, trials)


def _xlog(count: Array, value: Array) -> float:
    with np.errstate(divide="ignore"):
        return float(np.sum(count[count > 0] * np.log(value[count > 0])))
