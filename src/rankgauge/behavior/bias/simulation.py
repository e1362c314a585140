"""Logs whose truth is known: clicks made by the position-based model, for tests and for learning.

    P(click) = θ_k γ_qd

Several rankers order the same items by their relevance plus noise of their own, so that items move between positions;
with one ranker, nothing moves. Only what is clicked is random beyond the order: no trust, no abandonment, no drift.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from rankgauge._checks import number, whole
from rankgauge._rng import random_generator
from rankgauge._show import show
from rankgauge._text import Text
from rankgauge.alignment import Array
from rankgauge.behavior.bias.counts import Counts
from rankgauge.errors import ParameterError

if TYPE_CHECKING:
    import polars as pl

__all__ = ["RECIPROCAL", "Simulation", "simulate_pbm", "simulate_pbm_log"]

RECIPROCAL = tuple(1 / k for k in range(1, 11))
"""θ_k = 1/k of ten positions."""
_LARGEST = 10**8  # some gigabytes


@dataclass(frozen=True, eq=False, kw_only=True)
class Simulation:
    """Counts or a table of impressions, and what they were made of."""

    counts: Counts
    table: pl.DataFrame | None
    """One row per impression, where one was asked for."""
    propensity: Array
    """θ of each position."""
    relevance: Array
    """γ[query, item]."""

    def relevance_of(self, counts: Counts) -> Array:
        """γ of each pair of counts of this simulation."""
        names = counts.names
        query = names["query_id"].str.slice(1).cast(int).to_numpy()
        item = names["item_id"].str.slice(1).cast(int).to_numpy()
        return np.asarray(self.relevance[query, item])


def simulate_pbm(
    n_queries: int = 200,
    n_items: int = 20,
    propensities: Sequence[float] | Array = RECIPROCAL,
    *,
    noise: Sequence[float] = (0.1, 0.2, 0.4),
    requests: Any = 100,
    relevance: tuple[float, float] = (1.0, 3.0),
    rng: Any = None,
) -> Simulation:
    """Counts of a position-based user, without making the single impressions.

    `noise` has one number per ranker: the standard deviation of what it adds to γ before sorting (0: the perfect
    ranker). `requests` is how often each ranker answers each query: a number, or an array (n_queries, n_rankers). γ
    is drawn from Beta(*relevance). Items below the last position are never shown. Queries are named q0, q1 …, items
    d0, d1 ….
    """
    draw = random_generator(rng)
    theta, gamma, orders = _world(n_queries, n_items, propensities, noise, relevance, draw)
    k = len(theta)
    shown = _requests(requests, (n_queries, len(noise)))
    query = np.broadcast_to(np.arange(n_queries)[:, None, None], orders.shape)
    n = np.broadcast_to(shown[:, :, None], orders.shape)
    clicks = draw.binomial(n, theta * gamma[query, orders])
    position = np.broadcast_to(np.arange(1, k + 1), orders.shape)
    counts = _named(query.ravel(), orders.ravel(), position.ravel(), n.ravel(), clicks.ravel())
    return Simulation(counts=counts, table=None, propensity=theta, relevance=gamma)


def simulate_pbm_log(
    n_requests: int = 10_000,
    n_queries: int = 20,
    n_items: int = 20,
    propensities: Sequence[float] | Array = RECIPROCAL,
    *,
    noise: Sequence[float] = (0.1, 0.2, 0.4),
    randomised: float = 0.0,
    relevance: tuple[float, float] = (1.0, 3.0),
    rng: Any = None,
) -> Simulation:
    """The same as a table with one row per impression.

    Its columns are request_id, query_id, item_id, position, click, ranker and randomised. A share `randomised` of the
    requests gets its results from all items of the query in random order.
    """
    number("randomised", randomised, at_least=0, at_most=1)
    whole("n_requests", n_requests, at_most=_LARGEST)
    import polars as pl

    draw = random_generator(rng)
    theta, gamma, orders = _world(n_queries, n_items, propensities, noise, relevance, draw)
    k = len(theta)
    query = draw.integers(n_queries, size=n_requests)
    ranker = draw.integers(len(noise), size=n_requests)
    is_random = draw.random(n_requests) < randomised
    items = orders[query, ranker]
    shuffled = np.argsort(draw.random((int(is_random.sum()), n_items)), axis=1)
    items[is_random] = shuffled[:, :k]
    click = draw.random(items.shape) < theta * gamma[query[:, None], items]
    table = pl.DataFrame(
        {
            "request_id": np.repeat(np.arange(n_requests), k),
            "query_id": np.repeat(query, k),
            "item_id": items.ravel(),
            "position": np.tile(np.arange(1, k + 1), n_requests),
            "click": click.ravel(),
            "ranker": np.repeat(np.where(is_random, -1, ranker), k),
            "randomised": np.repeat(is_random, k),
        }
    ).with_columns(
        pl.format("r{}", "request_id").alias("request_id"),
        pl.format("q{}", "query_id").alias("query_id"),
        pl.format("d{}", "item_id").alias("item_id"),
        pl.when(pl.col("ranker") < 0).then(pl.lit("random")).otherwise(pl.format("ranker{}", "ranker")).alias("ranker"),
    )
    return Simulation(counts=Counts.of(table), table=table, propensity=theta, relevance=gamma)


def _world(
    n_queries: int,
    n_items: int,
    propensities: Sequence[float] | Array,
    noise: Sequence[float],
    relevance: tuple[float, float],
    draw: np.random.Generator,
) -> tuple[Array, Array, Array]:
    """θ, γ[query, item] and the items[query, ranker, position] that are shown."""
    n_queries, n_items = whole("n_queries", n_queries, at_least=0), whole("n_items", n_items, at_least=0)
    theta = _numbers(propensities)
    if theta.ndim != 1 or not len(theta) or not ((theta > 0) & (theta <= 1)).all():
        raise ParameterError(
            Text(
                f"`propensities` must be numbers above 0 and at most 1, got {show(propensities)}.",
                f"`propensities` 必须是大于 0 且不超过 1 的数，实际为 {show(propensities)}。",
            )
        )
    if n_items < len(theta) or n_queries < 1 or not len(noise):
        raise ParameterError(
            Text(
                f"a simulation needs a query, a ranker and an item for each of {len(theta)} positions,"
                f" got {n_queries} queries, {len(noise)} rankers, {n_items} items.",
                f"模拟需要至少一个查询、一个排序器，以及每个位置（共 {len(theta)} 个）一个物品，实际为 "
                f"{n_queries} 个查询、{len(noise)} 个排序器、{n_items} 个物品。",
            )
        )
    if (size := n_queries * n_items * len(noise)) > _LARGEST:
        raise ParameterError(
            Text(
                f"a simulation may have at most {_LARGEST:,} items over all queries and rankers, got {size:,}.",
                f"模拟中所有查询和排序器的物品总数不能超过 {_LARGEST:,}，实际为 {size:,}。",
            )
        )
    gamma = draw.beta(*relevance, size=(n_queries, n_items))
    scores = gamma[:, None, :] + np.asarray(noise)[:, None] * draw.normal(size=(n_queries, len(noise), n_items))
    return theta, gamma, np.argsort(-scores, axis=2)[:, :, : len(theta)].copy()


def _numbers(values: Any) -> Array:
    """A list of numbers; what is none is seen by whoever asks for its size."""
    try:
        return np.asarray(values, dtype=float)
    except (ValueError, OverflowError):
        return np.empty((0, 0))


def _requests(requests: Any, shape: tuple[int, int]) -> Array:
    """How often each ranker answers each query."""
    try:
        shown = np.broadcast_to(np.asarray(requests, dtype=np.int64), shape)
    except (ValueError, OverflowError):
        shown = np.array([-1])
    if (shown < 0).any():
        raise ParameterError(
            Text(
                f"`requests` must be a whole number from 0, or an array of {shape[0]} × {shape[1]} of them, "
                f"got {show(requests)}.",
                f"`requests` 必须是不小于 0 的整数，或 {shape[0]} × {shape[1]} 的整数数组，实际为 {show(requests)}。",
            )
        )
    return shown


def _named(query: Array, item: Array, position: Array, impressions: Array, clicks: Array) -> Counts:
    import polars as pl

    keys = ["query_id", "item_id", "position"]
    columns = (query, item, position, impressions, clicks)
    rows = pl.DataFrame(dict(zip([*keys, "impressions", "clicks"], columns, strict=True)))
    rows = rows.group_by(keys).agg(pl.sum("impressions"), pl.sum("clicks")).filter(pl.col("impressions") > 0)
    return Counts.of(
        rows.with_columns(pl.format("q{}", "query_id").alias("query_id"), pl.format("d{}", "item_id").alias("item_id"))
    )
