"""From what people did to what is relevant: graded judgements, each with its evidence.

1. On one impression, the grade is that of the best event: click 1, cart 2, purchase 3 unless `events` says otherwise. A
   refund takes all of it back. The value is the grade as a share of the best one, or `gains` as a share of the largest
   (OTTO weighs clicks, carts and orders 0.1, 0.3, 0.6).
2. Over all examined impressions of a (query, item) pair, the rate is the mean value. A pair seen ten times says little,
   so its posterior mean under a prior from the log stands for it (`rankgauge.behavior.grading.posterior`).
3. A grade means evidence. What has none is not judged, and counted by the first reason that holds:

   too_little   the pair has fewer than `min_impressions` examined impressions
   no_event     nothing followed on any item of the query
   single_item  no other item of the query was seen often enough: there is nothing to compare it with
   alike        the items of the query differ by no more than chance (`rankgauge.behavior.grading.told_apart`)
   like_prior   the item cannot be told from the prior: its impressions weigh less than the prior (n < a + b), and the
                interval of its rate holds the mean of the prior

   An item that was seen often and is just average *is* judged: what is known of it is not the prior. With
   `unclear="keep"` only the first reason counts.
4. A pair on which nothing followed has grade 0, the lowest, whatever its prior says.
5. The grade of the others, by `aggregate`:

   rate   the posterior mean, scaled to 0 … the best grade. With `scale="log"` the best judged item of the log has the
          best grade, so that a grade means the same in all queries; with `query` the best judged item of each query,
          however poor it is; with `none` nothing is scaled. nDCG with linear gains is the same under all three.
   max    whole grades: the highest one that the pair reaches often enough. The posterior rate of "this grade or better"
          must be above the rate of the whole log (`threshold="mean"`), or reach a rate of your own.

Rates keep the order of their posterior means, which over the pairs of simulated logs, sparse and dense, follows the
truth as well as raw rates do or better (`benchmarks/grades.py`). Whole grades are coarser, and where much was seen they
say less than the raw rate. Requests are taken as independent of each other; those of the same person are not quite.

Clicks are biased by the position of what is clicked. These judgements are not corrected for that: compare them with
corrected ones.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from rankgauge._rendered import remembers_files
from rankgauge._show import show
from rankgauge._text import Text
from rankgauge._version import __version__
from rankgauge.alignment import Array
from rankgauge.behavior.cleaning.clean import Cleaning
from rankgauge.behavior.grading.pair_counts import PairCounts, count_pairs
from rankgauge.behavior.grading.posterior import Priors, Tallies, interval, posterior_mean, priors
from rankgauge.behavior.grading.record import Judgements, Settings
from rankgauge.behavior.grading.told_apart import differ, told_apart
from rankgauge.behavior.logs.columns import event_name
from rankgauge.data.tabular import named_numbers
from rankgauge.errors import InputError

__all__ = ["DEFAULT_EVENTS", "REASONS", "graded", "judgements"]

DEFAULT_EVENTS = {"click": 1.0, "cart": 2.0, "purchase": 3.0}

REASONS: dict[str, Callable[[Settings], Text]] = {
    "too_little": lambda made: Text(
        f"fewer than {max(1, made.min_impressions)} examined impressions",
        f"有效曝光不足 {max(1, made.min_impressions)} 次",
    ),
    "no_event": lambda _: Text("no event on any item of the query", "该查询的任何物品都没有事件"),
    "single_item": lambda _: Text(
        "no other item of the query was seen often enough to compare with", "该查询没有其他曝光足够多的物品可供比较"
    ),
    "alike": lambda _: Text(
        "the items of the query differ by no more than chance", "该查询的物品之间的差异不超过随机波动"
    ),
    "like_prior": lambda _: Text("the item cannot be told from the prior", "该物品与先验无法区分"),
}
"""Why a pair is not judged; the first that holds is counted."""


@remembers_files
def judgements(
    source: Any,
    events: Mapping[str, float] | None = None,
    *,
    gains: Mapping[str, float] | None = None,
    prior: Any = "query",
    min_impressions: int = 10,
    aggregate: str = "rate",
    scale: str = "log",
    threshold: str | float | Mapping[str, float] = "mean",
    unclear: str = "skip",
    confidence_level: float = 0.95,
    cleaning: Cleaning | None = None,
    name: str = "",
) -> Judgements:
    """Judgements from a log: whatever `read_log` reads, or what `clean` made of it.

    `events` maps events to grades (click 1, cart 2, purchase 3), `gains` to values instead: `{"click": 0.1,
    "cart": 0.3, "purchase": 0.6}`. `prior` is `query` (estimated from the log, with a mean for each query), `(a, b)`
    for all, or None for the raw rate. `min_impressions` counts examined ones. `aggregate`, `scale` and `threshold` are
    told above; a threshold may be one rate for all events, or one for each. `unclear="keep"` also grades what cannot be
    told from chance.

    `source` may be a Spark DataFrame: its rows are cleaned and counted on the cluster, and the counts of (query, item)
    pairs come to the driver, where they are graded.

    >>> import polars as pl
    >>> log = pl.DataFrame({"request_id": range(40), "query_id": ["q"] * 40, "item_id": ["a", "b"] * 20,
    ...                     "position": [1] * 40, "click": [True, False] * 10 + [False] * 20})
    >>> judgements(log, {"click": 1}, prior=(1, 1)).qrels.to_dict()
    {'q': {'a': 1.0, 'b': 0.0}}
    """
    settings = Settings(
        events=_by_event(DEFAULT_EVENTS if events is None else events, "events"),
        gains=None if gains is None else _by_event(gains, "gains"),
        prior=prior,
        min_impressions=min_impressions,
        aggregate=aggregate,
        scale=scale,
        threshold=threshold,
        unclear=unclear,
        confidence_level=confidence_level,
    )
    return graded(count_pairs(source, list(settings.events), cleaning), settings, name=name)


def _by_event(values: Any, what: str) -> dict[str, float]:
    return {event_name(event): value for event, value in named_numbers(values, what).items()}


def graded(counts: PairCounts, settings: Settings, *, name: str = "") -> Judgements:
    """Judgements from counts, under other settings as often as wanted."""
    import polars as pl

    usable = [e for e in settings.events if e in counts.events]
    if not usable:
        raise InputError(
            Text(
                f"the log must have at least one of the events {', '.join(settings.events)}, "
                f"got: {', '.join(counts.events)}. Pass events={{…}} with the names that it has.",
                f"日志中至少要有 {', '.join(settings.events)} 中的一个事件，实际为：{', '.join(counts.events)}。"
                f"请传入 events={{…}}，写上日志中的名称。",
            )
        )
    pairs = counts.pairs
    n = pairs["examined"].to_numpy().astype(float)
    query = pairs["query_id"].rle_id().to_numpy().astype(np.int64)
    tallies = _tallies(counts, settings.values, n, query)
    prior = priors(tallies, settings.prior)
    rate = posterior_mean(tallies, prior)
    low, high = interval(tallies, prior, settings.confidence_level)
    seen = n >= max(1, settings.min_impressions)
    if not seen.any():
        raise InputError(
            Text(
                f"judgements of {show(counts.name)}: no pair has {max(1, settings.min_impressions)} examined "
                "impressions, "
                f"the most is {int(n.max(initial=0))} (of {len(n):,} pairs). Pass a smaller `min_impressions`.",
                f"{show(counts.name)} 的标注：没有查询-物品对有 {max(1, settings.min_impressions)} "
                f"次有效曝光，最多为 {int(n.max(initial=0))} 次（共 {len(n):,} 对）。请传入更小的 "
                "`min_impressions`。",
            )
        )
    acted = np.bincount(query, tallies.total)[query] > 0
    why = np.where(seen, "", "too_little").astype(object)
    if settings.unclear == "skip":
        why = _unclear(counts, settings, tallies, prior, (low, high), seen, acted)
    judged = why == ""
    thresholds: dict[str, float] = {}
    if settings.aggregate == "rate":
        grade = _scaled(rate, settings, judged & (tallies.total > 0), query)
    else:
        grade, thresholds = _highest(counts, settings, n, query)
    with np.errstate(all="ignore"):
        raw = tallies.total / n
    evidence = pairs.select("query_id", "item_id", "impressions", "examined").with_columns(
        *(counts.count(e) for e in (*settings.events, *(["refund"] if "refund" in counts.events else []))),
        pl.Series("rate", raw),
        pl.Series("posterior", rate),
        pl.Series("low", low),
        pl.Series("high", high),
        pl.Series("grade", grade),
    )
    reasons = pl.Series("reason", why, dtype=pl.Enum(["", *REASONS]))
    unjudged = evidence.drop("grade").with_columns(reasons).filter(pl.Series(~judged))
    graded_queries = np.unique(query[judged & (grade > 0)])
    totals = {
        "rows_in": counts.rows_in,
        "rows_out": counts.rows_out,
        "impressions": int(pairs["impressions"].sum()),
        "examined": int(pairs["examined"].sum()),
        "pairs": pairs.height,
        "judged": int(judged.sum()),
        **{reason: int((why == reason).sum()) for reason in REASONS},
        "queries": int(query.max(initial=-1)) + 1,
        "queries_judged": len(np.unique(query[judged])),
        "queries_without_event": len(np.unique(query[~acted])),
        "queries_alike": len(np.unique(query[why == "alike"])),
        "queries_all_lowest": len(np.setdiff1d(query[judged], graded_queries)),
    }
    return Judgements(
        evidence=evidence.filter(pl.Series(judged)),
        unjudged=unjudged,
        settings=settings,
        prior=prior.log,
        thresholds=thresholds,
        rules=counts.rules,
        cleaning=counts.cleaning,
        dwell=counts.dwell,
        counts=totals,
        notes=(*counts.notes, *_told(counts, settings, totals, prior.is_chance)),
        name=name or counts.name,
        pair_counts=counts,
        version=__version__,
    )


def _of_sets(counts: PairCounts, values: Mapping[str, float]) -> dict[int, float]:
    """The value of each set of events: that of its best one, nothing after a refund."""
    found: dict[int, float] = {}
    for bits in counts.followed["events"].unique().to_list():
        there = [e for i, e in enumerate(counts.events) if bits >> i & 1]
        found[bits] = 0.0 if "refund" in there else max((values.get(e, 0.0) for e in there), default=0.0)
    return found


def _tallies(counts: PairCounts, values: Mapping[str, float], n: Array, query: Array) -> Tallies:
    """Counts and sums of values, as shares of the best one."""
    total, squares = _powers(counts, values, 2)
    return Tallies(n, total, squares, query)


def _powers(counts: PairCounts, values: Mapping[str, float], most: int) -> list[Array]:
    """Σ v, Σ v² … of each pair, values being shares of the best one."""
    import polars as pl

    best = max(values.values())
    shares = {bits: v / best for bits, v in _of_sets(counts, values).items()}
    value = pl.col("events").replace_strict(shares, return_dtype=pl.Float64) if shares else pl.lit(0.0)
    return [counts.summed(value**p).to_numpy() for p in range(1, most + 1)]


def _unclear(
    counts: PairCounts,
    settings: Settings,
    tallies: Tallies,
    prior: Priors,
    limits: tuple[Array, Array],
    seen: Array,
    acted: Array,
) -> Array:
    """Of each pair, the first reason why it is not judged, or nothing."""
    query, queries = tallies.query, int(tallies.query.max()) + 1
    powers = _powers(counts, settings.values, 4)
    among = told_apart(
        tallies.n[seen], (powers[0][seen], powers[1][seen], powers[2][seen], powers[3][seen]), query[seen], queries
    )
    alone = np.bincount(query[seen], minlength=queries)[query] == 1
    with np.errstate(invalid="ignore"):
        like_prior = (tallies.n < prior.strength) & (limits[0] <= prior.mean) & (prior.mean <= limits[1])
    checks = (~seen, ~acted, alone, ~differ(among, settings.confidence_level)[query], like_prior)
    return np.select(checks, [np.array(r, dtype=object) for r in REASONS], np.array("", dtype=object))


def _scaled(rate: Array, settings: Settings, graded: Array, query: Array) -> Array:
    top = max(settings.events.values())
    best: Array = np.ones(len(rate))
    if settings.scale != "none":
        group = query if settings.scale == "query" else np.zeros(len(rate), np.int64)
        most = np.zeros(int(group.max(initial=-1)) + 1)
        np.maximum.at(most, group[graded], rate[graded])
        best = most[group]
    with np.errstate(all="ignore"):
        return np.where(graded & (best > 0), top * (rate / best), 0.0)


def _highest(counts: PairCounts, settings: Settings, n: Array, query: Array) -> tuple[Array, dict[str, float]]:
    """The highest grade that is reached often enough, and the rates that were asked for."""
    grade = np.zeros(len(n))
    asked: dict[str, float] = {}
    for level in sorted(set(settings.events.values())):
        names = [e for e, g in settings.events.items() if g == level]
        reached = {e: 1.0 if g >= level else 0.0 for e, g in settings.events.items()}
        tallies = _tallies(counts, reached, n, query)
        rate = posterior_mean(tallies, priors(tallies, settings.prior))
        if settings.threshold == "mean":
            wanted = float(tallies.total.sum() / max(n.sum(), 1.0))
            clears = rate > wanted * (1 + 1e-12)
        else:
            given = settings.threshold
            wanted = min(float(given[e]) for e in names) if isinstance(given, Mapping) else float(given)
            clears = rate >= wanted
        asked |= dict.fromkeys(names, wanted)
        # A prior alone gives no grade: somebody has to have done it.
        grade = np.where(clears & (tallies.total > 0), level, grade)
    return grade, asked


def _told(counts: PairCounts, settings: Settings, totals: Mapping[str, int], is_chance: bool) -> list[str]:
    notes: list[str] = []
    missing = [e for e in settings.events if e not in counts.events]
    if missing:
        listed = ", ".join(missing)
        notes.append(Text(f"events that the log does not have: {listed}", f"日志中没有的事件：{listed}"))
    of = totals["pairs"]
    for reason, why in REASONS.items():
        if few := totals[reason]:
            text = why(settings)
            notes.append(
                Text(
                    f"{few:,} of {of:,} pairs not judged: {text.en}",
                    f"{of:,} 个查询-物品对中有 {few:,} 个不作标注：{text.zh}",
                )
            )
    if is_chance:
        notes.append(
            Text(
                "over the whole log, items of the same query differ by no more than chance: the prior has its full"
                " strength",
                "就整个日志而言，同一查询的物品之间的差异不超过随机波动：先验取最大强度",
            )
        )
    if lowest := totals["queries_all_lowest"]:
        notes.append(
            Text(
                f"{lowest:,} of {totals['queries_judged']:,} judged queries have no item above grade 0",
                f"{totals['queries_judged']:,} 个得到标注的查询中有 {lowest:,} 个没有等级高于 0 的物品",
            )
        )
    return notes
