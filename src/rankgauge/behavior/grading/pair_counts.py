"""How often was an item examined for a query, and what followed how often?

The counts of a (query, item) pair over all requests, from which judgements follow under any map of events to grades.
What happened on an impression is kept as the set of its events, one bit each: `click` and `purchase` without `cart` is
a set of its own. So another map needs no second look at the log.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from rankgauge._text import Text, zh
from rankgauge.behavior.cleaning.clean import Cleaned, Cleaning, RuleCount, count_rules, each_part, nothing_left
from rankgauge.behavior.cleaning.dwell import DwellThresholds
from rankgauge.behavior.logs.log import Log, read_log
from rankgauge.data.choosing import is_spark
from rankgauge.errors import InputError, ParameterError

if TYPE_CHECKING:
    import polars as pl

    from rankgauge.behavior.cleaning.plan import Looks, Plan

__all__ = ["Counted", "PairCounts", "columns_of", "count_pairs", "counted_parts", "pair_counts_of", "plan_of"]

_PAIR = ["query_id", "item_id"]


@dataclass(frozen=True, eq=False, kw_only=True)
class PairCounts:
    """Counts by query and item. `count_pairs` makes them."""

    pairs: pl.DataFrame
    """pair (its number), query_id, item_id, impressions, examined; sorted by query and item."""
    followed: pl.DataFrame
    """pair, events (a set of bits), n: impressions of the pair on which just these events followed."""
    events: tuple[str, ...]
    """The event of each bit, the first of the lowest."""
    rules: Sequence[RuleCount]
    rows_in: int
    rows_out: int
    cleaning: Cleaning
    dwell: DwellThresholds | None
    notes: tuple[str, ...]
    name: str

    def count(self, event: str) -> pl.Series:
        """Of each pair, the impressions on which the event followed."""
        import polars as pl

        if event not in self.events:
            return pl.repeat(0, self.pairs.height, dtype=pl.Int64, eager=True).alias(event)
        bit = 1 << self.events.index(event)
        return self.summed(pl.when(pl.col("events") & bit > 0).then(1.0).otherwise(0.0)).cast(pl.Int64).alias(event)

    def summed(self, value: pl.Expr) -> pl.Series:
        """Of each pair, the sum of a value of the sets of events over its impressions."""
        import polars as pl

        found = self.followed.group_by("pair").agg((value * pl.col("n")).sum().alias("sum"))
        joined = self.pairs.select("pair").join(found, on="pair", how="left", maintain_order="left")
        return joined["sum"].cast(pl.Float64).fill_null(0.0)


def count_pairs(source: Any, events: Sequence[str], rules: Cleaning | None = None) -> PairCounts:
    """Count a log (or what `clean` made of it), one part of its requests after the other."""
    if isinstance(source, Cleaned):
        if rules is not None:
            raise ParameterError(
                Text(
                    "`cleaning` must be None for what is cleaned already. Pass the log to clean it anew.",
                    "已经清洗过的内容，`cleaning` 必须为 None。要重新清洗，请传入日志。",
                )
            )
        bits = _bits(events, source.behaviours)
        base, followed = _counted(source.impressions, bits)
        about: dict[str, Any] = {
            "rules": source.rules,
            "rows_in": source.rows_in,
            "rows_out": source.rows_out,
            "cleaning": source.cleaning,
            "dwell": source.dwell,
            "notes": tuple(source.notes),
            "name": source.name,
        }
        return _numbered(base, followed, bits, about)
    if is_spark(source):
        from rankgauge.behavior.grading.on_spark import count_pairs_on_spark

        return count_pairs_on_spark(source, events, rules)
    plan = plan_of(read_log(source), events, rules)
    return pair_counts_of(plan, events, counted_parts(plan, events))


class Counted(NamedTuple):
    """Counts of some requests; those of all are their sum."""

    base: pl.DataFrame
    """query_id, item_id, impressions, examined"""
    followed: pl.DataFrame
    """query_id, item_id, events, n"""
    rules: Counter[str]


def plan_of(log: Log, events: Sequence[str], rules: Cleaning | None, looks: Looks | None = None) -> Plan:
    """How a log is cleaned to be counted."""
    from rankgauge.behavior.cleaning.plan import planned

    wanted = [*(e for e in events if e in log.events), *(["refund"] if "refund" in log.events else [])]
    return planned(log, rules or Cleaning(), list(dict.fromkeys([*_acts(log.events), *wanted])), looks)


def columns_of(plan: Plan) -> list[str]:
    """What is counted of impressions."""
    return [*_PAIR, *plan.behaviours, "examined"]


def counted_parts(plan: Plan, events: Sequence[str]) -> Counted:
    """The counts of all rows of the log of the plan."""
    bits = _bits(events, plan.behaviours)
    parts: list[tuple[pl.DataFrame, pl.DataFrame]] = []
    counts: Counter[str] = Counter()
    for part, found in each_part(plan, columns_of(plan)):
        parts.append(_counted(part, bits))
        counts += found
        if len(parts) > 4:
            parts = [_merged(parts)]
    return Counted(*_merged(parts), counts)


def pair_counts_of(plan: Plan, events: Sequence[str], counted: Counted) -> PairCounts:
    """The counts of the whole log, with what there is to say about them."""
    if counted.base.is_empty():
        raise nothing_left(plan, counted.rules)
    about = {
        "rules": count_rules(plan, counted.rules),
        "rows_in": plan.log.rows,
        "rows_out": counted.rules["rows_out"],
        "cleaning": plan.rules,
        "dwell": plan.dwell,
        "notes": (*plan.log.notes, *plan.notes),
        "name": plan.log.name,
    }
    return _numbered(counted.base, counted.followed, _bits(events, plan.behaviours), about)


def _acts(events: Iterable[str]) -> list[str]:
    """Events that are evidence of a look at the item, whether or not they have a grade."""
    from rankgauge.behavior.logs.columns import BEHAVIOURS

    return [b for b in BEHAVIOURS if b in events]


def _bits(events: Sequence[str], behaviours: Sequence[str]) -> tuple[str, ...]:
    missing = [e for e in events if e not in behaviours]
    if len(missing) == len(events):
        there = ", ".join(behaviours) or Text("none", "无")
        raise InputError(
            Text(
                f"the log must have at least one of the events {', '.join(events)}, got: {there}. "
                "Pass events={…} with the names that it has, or map them in read_log(…, events={…}).",
                f"日志中至少要有 {', '.join(events)} 中的一个事件，实际为：{zh(there)}。请传入 events={{…}}，"
                f"写上日志中的名称，或在 read_log(…, events={{…}}) 中映射。",
            )
        )
    return tuple(dict.fromkeys([*(e for e in events if e in behaviours), *(b for b in behaviours)]))


def _counted(impressions: pl.DataFrame, bits: Sequence[str]) -> tuple[pl.DataFrame, pl.DataFrame]:
    import polars as pl

    base = impressions.group_by(_PAIR).agg(
        pl.len().cast(pl.Int64).alias("impressions"), pl.col("examined").sum().cast(pl.Int64)
    )
    events = pl.sum_horizontal(pl.col(e).cast(pl.UInt32) * (1 << i) for i, e in enumerate(bits)).alias("events")
    touched = impressions.filter(pl.any_horizontal(bits))
    followed = touched.group_by(*_PAIR, events).agg(pl.len().cast(pl.Int64).alias("n"))
    return base, followed


def _merged(parts: Sequence[tuple[pl.DataFrame, pl.DataFrame]]) -> tuple[pl.DataFrame, pl.DataFrame]:
    import polars as pl

    if len(parts) == 1:
        return parts[0]
    base = pl.concat([b for b, _ in parts]).group_by(_PAIR).agg(pl.col("impressions", "examined").sum())
    followed = pl.concat([f for _, f in parts]).group_by(*_PAIR, "events").agg(pl.col("n").sum())
    return base, followed


def _numbered(base: pl.DataFrame, followed: pl.DataFrame, bits: tuple[str, ...], about: dict[str, Any]) -> PairCounts:
    """Pairs by number, in an order that does not depend on that of the rows."""
    import polars as pl

    text = pl.col(_PAIR).cast(pl.String)
    pairs = base.with_columns(text).sort(_PAIR).with_row_index("pair")
    followed = followed.with_columns(text).join(pairs.select("pair", *_PAIR), on=_PAIR, how="left")
    followed = followed.select("pair", "events", "n").sort("pair", "events")
    return PairCounts(pairs=pairs, followed=followed, events=bits, **about)
