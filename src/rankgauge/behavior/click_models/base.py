"""What click models have in common: likelihood, perplexity, prediction, simulation.

A click model says how likely a click is at each position, given the list and the clicks above. Everything here follows
from that one answer, and from the same answer without knowing the clicks:

    log-likelihood            Σ log P(c_k | c_1 … c_{k-1})
    perplexity at k           2^(-1/N_k Σ log2 P(c_k)),  N_k the sessions that have an item at position k
    conditional perplexity    the same with P(c_k | c_1 … c_{k-1})

1 is a model that knows every click beforehand, 2 a coin. Each position divides by the sessions that reach it:
dividing by all sessions would call short lists well predicted. The overall value is the mean over positions, as in
Dupret & Piwowarski (SIGIR 2008) and Chuklin, Markov & de Rijke, Click Models for Web Search (2015); `pooled` is over
impressions.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import inf, log, nan
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np

from rankgauge._rng import random_generator
from rankgauge._show import show
from rankgauge._text import Text
from rankgauge.alignment import Array
from rankgauge.behavior.click_models.prior import Rates
from rankgauge.behavior.click_models.sessions import Sessions
from rankgauge.errors import InputError

if TYPE_CHECKING:
    import polars as pl

__all__ = ["ClickModel", "Iterations", "PairTable", "Perplexity", "surprise"]


@dataclass(frozen=True, eq=False)
class Perplexity:
    """How surprised a model is by clicks, in the size of a fair die: 1 is not at all, 2 is a coin."""

    overall: float
    """The mean over positions."""
    by_rank: Array
    """(depth,); NaN where no session has an item."""
    sessions: Array
    """(depth,): the sessions that have an item at each position."""
    pooled: float
    """Over all impressions alike, whatever their position."""


@dataclass(frozen=True)
class Iterations:
    """How a fit went; a closed form has none and is always there."""

    converged: bool = True
    iterations: int = 0
    trace: tuple[float, ...] = ()
    """Log-likelihood (with the log density of the prior, if any) before the first and after each iteration."""

    @property
    def notes(self) -> tuple[str, ...]:
        """A word where it was not finished."""
        if self.converged:
            return ()
        return (
            Text(
                f"stopped after {self.iterations} iterations before it converged: raise max_iterations",
                f"迭代 {self.iterations} 次后仍未收敛就停止了：请增大 max_iterations",
            ),
        )


@dataclass(frozen=True, eq=False)
class PairTable:
    """The (query, item) pairs a model knows, sorted by query, then item."""

    query_names: Array
    item_names: Array
    query: Array
    item: Array
    impressions: Array
    clicks: Array

    @classmethod
    def of(cls, sessions: Sessions) -> PairTable:
        pairs, n = sessions.pairs, len(sessions.pairs)
        weight = np.broadcast_to(sessions.weight[:, None], sessions.items.shape)
        shown, clicked = sessions.shown, sessions.clicks
        impressions = np.bincount(pairs.code[shown], weights=weight[shown], minlength=n)
        clicks = np.bincount(pairs.code[clicked], weights=weight[clicked], minlength=n)
        return cls(sessions.query_names, sessions.item_names, pairs.query, pairs.item, impressions, clicks)

    def __len__(self) -> int:
        return len(self.query)

    def cells(self, sessions: Sessions) -> Array:
        """(n, depth): where each item of the lists stands in `Rates.table`."""
        pairs, n_items, n = sessions.pairs, len(self.item_names), len(self)
        query = _found(self.query_names, sessions.query_names)[pairs.query]
        item = _found(self.item_names, sessions.item_names)[pairs.item]
        keys, wanted = self.query * n_items + self.item, query * n_items + item
        at = np.minimum(np.searchsorted(keys, wanted), n - 1)
        known = (query >= 0) & (item >= 0) & (keys[at] == wanted)
        cell = np.where(known, at, np.where(item >= 0, n + item, n + n_items))
        return np.append(cell, n + n_items + 1)[pairs.code]  # -1, no item, reads the last

    @property
    def nothing(self) -> int:
        """The cell of no item."""
        return len(self) + len(self.item_names) + 1


def _found(known: Array, names: Array) -> Array:
    """The place of each name among those known; -1 for others."""
    if known is names:
        return np.arange(len(names))
    at = np.minimum(np.searchsorted(known, names), len(known) - 1)
    return np.where(known[at] == names, at, -1)


@dataclass(frozen=True, eq=False, kw_only=True)
class ClickModel(ABC):
    """A fitted click model; `fit_click_model` makes them."""

    name: ClassVar[str] = ""

    pairs: PairTable = field(repr=False)
    attractiveness: Rates = field(repr=False)
    """How likely an examined item is clicked, per (query, item)."""
    prior: str
    n_sessions: int
    depth: int
    """The deepest position of the sessions it was fitted on; below, the parameters of that position hold on."""
    fitted: Iterations = Iterations()
    notes: tuple[str, ...] = ()

    @property
    def converged(self) -> bool:
        return self.fitted.converged

    @property
    def iterations(self) -> int:
        return self.fitted.iterations

    # what each model says

    @abstractmethod
    def _start(self, n: int) -> Any:
        """What is known about n users before the first position."""

    @abstractmethod
    def _chance(self, state: Any, k: int, cells: Array) -> Array:
        """P(click at position k + 1), given what is known."""

    @abstractmethod
    def _after(self, state: Any, k: int, cells: Array, clicks: Array) -> Any:
        """What is known after the clicks at position k + 1 were seen."""

    @abstractmethod
    def _marginal(self, cells: Array) -> Array:
        """P(click) at each position, clicks above unknown."""

    @abstractmethod
    def _positions(self) -> list[dict[str, Any]]:
        """Rows of `parameters` that belong to positions."""

    def _pair_rates(self) -> dict[str, Rates]:
        return {"attractiveness": self.attractiveness}

    # likelihood

    def conditional(self, sessions: Any) -> Array:
        """(n, depth) P(click at k | clicks above k); 0 where there is no item."""
        s = Sessions.of(sessions)
        return self._walk(self.pairs.cells(s), s.clicks)[0]

    def predict(self, sessions: Any) -> Array:
        """(n, depth) P(click at k) for these lists, whatever was clicked; 0 where there is no item."""
        return self._marginal(self.pairs.cells(Sessions.of(sessions)))

    def log_likelihoods(self, sessions: Any) -> Array:
        """(n,) of each distinct session, in nats; -inf where the model calls it impossible."""
        s = Sessions.of(sessions)
        logs: Array = _logs(self.conditional(s), s).sum(axis=1)
        return logs

    def log_likelihood(self, sessions: Any) -> float:
        """Of all sessions, in nats."""
        s = Sessions.of(sessions)
        return float(self.log_likelihoods(s) @ s.weight)

    def perplexity(self, sessions: Any) -> Perplexity:
        """Of clicks at each position, clicks above unknown."""
        s = Sessions.of(sessions)
        return _perplexity(_logs(self.predict(s), s), s)

    def conditional_perplexity(self, sessions: Any) -> Perplexity:
        """Of clicks at each position, given the clicks above it."""
        s = Sessions.of(sessions)
        return _perplexity(_logs(self.conditional(s), s), s)

    # simulation

    def simulate(self, lists: Any, n: int | None, rng: Any) -> Sessions:
        """Sessions of users who behave as the model says.

        `lists` are sessions (their clicks are not looked at), or dicts with a query and its items. n sessions are drawn
        among them, in proportion to their weights; None draws each as often as it was seen.
        """
        s = _lists(lists)
        draw = random_generator(rng)
        counts = s.weight if n is None else draw.multinomial(n, s.weight / s.weight.sum())
        rows = np.repeat(np.arange(len(s)), counts)
        clicks = self._walk(self.pairs.cells(s)[rows], draw.random((len(rows), s.depth)))[1]
        drawn = replace(s._rows(rows, np.ones(len(rows), dtype=np.int64)), clicks=clicks)
        return drawn.merged()

    def _walk(self, cells: Array, seen: Array) -> tuple[Array, Array]:
        """Chances and clicks from the top down; `seen` are clicks, or uniform numbers to draw them with."""
        chances, clicks = np.zeros(cells.shape), np.zeros(cells.shape, dtype=bool)
        state = self._start(len(cells))
        for k in range(cells.shape[1]):
            p = chances[:, k] = self._chance(state, k, cells[:, k])
            clicks[:, k] = seen[:, k] if seen.dtype == bool else seen[:, k] < p
            state = self._after(state, k, cells[:, k], clicks[:, k])
        return chances, clicks

    # tables

    def _relevance(self) -> Array:
        return self.attractiveness.value

    def relevance(self) -> pl.DataFrame:
        """One row per (query, item): its relevance, what it is made of, and the evidence.

        `impressions` and `clicks` are those of the log; `evidence` is the number of (expected) impressions that the
        attractiveness rests on.
        """
        import polars as pl

        p = self.pairs
        return pl.DataFrame(
            {
                "query_id": p.query_names[p.query].astype(str),
                "item_id": p.item_names[p.item].astype(str),
                "relevance": self._relevance(),
                **{name: rates.value for name, rates in self._pair_rates().items()},
                "impressions": p.impressions.astype(np.int64),
                "clicks": p.clicks.astype(np.int64),
                "evidence": self.attractiveness.trials,
            }
        )

    @property
    def parameters(self) -> pl.DataFrame:
        """One row per parameter: its name, what it belongs to, its value, and the trials it rests on."""
        import polars as pl

        p = self.pairs
        schema: dict[str, Any] = {"parameter": pl.String, "query_id": pl.String, "item_id": pl.String}
        schema |= {"position": pl.Int64, "previous_click": pl.Int64, "value": pl.Float64, "trials": pl.Float64}
        of_pairs = [
            pl.DataFrame(
                {
                    "parameter": [name] * len(p),
                    "query_id": p.query_names[p.query].astype(str),
                    "item_id": p.item_names[p.item].astype(str),
                    "value": rates.value,
                    "trials": rates.trials,
                }
            )
            for name, rates in self._pair_rates().items()
        ]
        of_positions = pl.DataFrame(self._positions(), schema=schema)
        return pl.concat([of_positions, *of_pairs], how="diagonal").select(list(schema))

    @classmethod
    def given(cls, pairs: Any, **parameters: Any) -> Self:
        """A model with these parameters, to simulate from.

        `pairs` is a table or a mapping of columns: query_id, item_id and attractiveness (SDBN: satisfaction as well).
        """
        import polars as pl

        frame = pl.DataFrame(pairs).with_columns(pl.col("query_id", "item_id").cast(pl.String))
        frame = frame.sort("query_id", "item_id")
        queries, items = (frame[name].unique().sort() for name in ("query_id", "item_id"))
        q = queries.search_sorted(frame["query_id"]).to_numpy().astype(np.int64)
        d = items.search_sorted(frame["item_id"]).to_numpy().astype(np.int64)
        zero = np.zeros(len(frame))
        names = (queries.to_numpy().astype(object), items.to_numpy().astype(object))

        def rates(name: str) -> Rates:
            if name not in frame.columns:
                raise InputError(
                    Text(
                        f"{cls.name}: pairs must have a column {show(name)}, got {', '.join(frame.columns)}.",
                        f"{cls.name}：查询-物品对的表必须有列 {show(name)}，实际为 {', '.join(frame.columns)}。",
                    )
                )
            value = frame[name].cast(pl.Float64).to_numpy()
            if not ((value >= 0) & (value <= 1)).all():
                raise InputError(
                    Text(f"{cls.name}: {name} must be between 0 and 1.", f"{cls.name}：{name} 必须介于 0 和 1 之间。")
                )
            mean = float(value.mean())
            return Rates(value, np.full(len(items), mean), mean, zero, zero)

        made: dict[str, Any] = {name: rates(name) for name in cls._pair_names()}
        table = PairTable(*names, q, d, zero, zero)
        return cls(pairs=table, prior="given", n_sessions=0, **made, **cls._checked(parameters))

    @classmethod
    def _pair_names(cls) -> tuple[str, ...]:
        return ("attractiveness",)

    @classmethod
    @abstractmethod
    def _checked(cls, parameters: Mapping[str, Any]) -> dict[str, Any]:
        """Parameters of positions as arrays, and the depth."""


def surprise(clicks: float, trials: float) -> float:
    """Minus the log-likelihood of clicks with one rate for all, and at least 1: what gains of a fit are measured by.

    The log-likelihood of the fit itself would not do: with the prior of many pairs in it, it can be of any size.
    """
    return 1.0 - sum(n * log(n / trials) for n in (clicks, trials - clicks) if n > 0)


def _logs(p: Array, s: Sessions) -> Array:
    """(n, depth) log-likelihood of each click or its absence; 0 where there is no item."""
    with np.errstate(divide="ignore"):
        return np.where(s.shown, np.where(s.clicks, np.log(p), np.log1p(-p)), 0.0)


def _perplexity(logs: Array, s: Sessions) -> Perplexity:
    reach = s.weight @ s.shown
    totals = s.weight @ logs
    with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
        by_rank = np.exp(-totals / reach)  # 2^(-mean log2) = e^(-mean ln)
        pooled = float(np.exp(-totals.sum() / reach.sum()))
    there = by_rank[reach > 0]
    overall = float(there.mean()) if len(there) else nan
    return Perplexity(overall if overall < inf else inf, by_rank, reach, pooled)


def _lists(lists: Any) -> Sessions:
    if isinstance(lists, Sessions):
        return lists
    if isinstance(lists, Mapping):
        lists = [lists]
    if not isinstance(lists, Sequence) or not all(
        isinstance(d, Mapping) and {"query", "items"} <= d.keys() for d in lists
    ):
        raise InputError(
            Text(
                'simulate: lists must be sessions, or dicts like {"query": "q", "items": ["a", "b"]}.',
                'simulate：列表必须是会话，或 {"query": "q", "items": ["a", "b"]} 这样的 dict。',
            )
        )
    return Sessions.of([{"weight": 1, **d, "clicks": [0] * len(d["items"])} for d in lists])
