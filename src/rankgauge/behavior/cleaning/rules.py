"""The rules of cleaning, on one part of a log."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias

from rankgauge.behavior.cleaning.parts import HASHES
from rankgauge.behavior.cleaning.plan import Plan

if TYPE_CHECKING:
    import polars as pl

__all__ = ["Part", "cleaned_part"]

_ORDER = ("request_id", "query_id", "user_id", "item_id", "position")
_LATER = ("time", "dwell", "device", "viewed", "propensity", "ranker", "randomised")
_MICRO = 1_000_000

Part: TypeAlias = "tuple[pl.DataFrame, Counter[str]]"


def cleaned_part(plan: Plan, rows: pl.DataFrame, columns: Sequence[str] | None = None) -> Part:
    """The impressions of rows that hold whole requests, and the counters of the rules."""
    left = _Rows(plan, rows, names_requests=columns is None or "request_id" in columns)
    left.drop_bots()
    left.cut_sessions()
    left.drop_incomplete()
    left.code_pairs()
    table = left.of_events() if plan.is_events else left.of_impressions()
    table = _without_immature(plan, table, left.counts)
    left.counts["rows_out"] += int(table["_rows"].sum())
    table = _examined(plan, table, left.counts)
    names = [c for c in _named(plan) if columns is None or c in columns]
    table = table.select(names)
    if columns is None:  # the order of a hash table is nobody's
        table = table.sort([c for c in ("request_id", "position", "item_id") if c in names], nulls_last=True)
    return table, left.counts


def _named(plan: Plan) -> list[str]:
    """The columns of an impression table, in their order."""
    there = plan.columns | {"request_id"}
    first = [c for c in _ORDER if c in there]
    later = [c for c in dict.fromkeys((*_LATER, *plan.log.segments)) if c in there]
    return [*first, *plan.behaviours, *later, "examined"]


@dataclass
class _Rows:
    """The rows that are left, and what each rule took."""

    plan: Plan
    rows: pl.DataFrame
    names_requests: bool
    counts: Counter[str] = field(default_factory=Counter)

    @property
    def request(self) -> list[str]:
        """The columns that make a request: its id, or what stands for it where the id is not wanted."""
        if "_session" in self.rows.columns:
            return [*self.user, "_session", "query_id"]
        return [c for c in ("request_id", *HASHES) if c in self.rows.columns]

    @property
    def user(self) -> list[str]:
        hashes = [c for c in HASHES if c in self.rows.columns]
        return hashes or ["user_id"]

    def count(self, rule: str, rows: int, of: int) -> None:
        self.counts[rule] += rows
        self.counts[f"{rule}:of"] += of

    def drop(self, rule: str, which: pl.Expr) -> None:
        before = self.rows.height
        self.rows = self.rows.filter(~which.fill_null(False))
        self.count(rule, before - self.rows.height, before)

    # whole rows

    def drop_bots(self) -> None:
        import polars as pl

        if self.plan.bots is None:
            return
        self.drop("bots", pl.col("_bot"))
        self.rows = self.rows.drop("_bot")

    def cut_sessions(self) -> None:
        """Requests from the events of a user: one per query and stretch of time without a long pause."""
        import polars as pl

        if self.plan.key != "user_id":
            return
        if "time" in self.rows.columns:
            rows = self.rows.sort(*self.user, "time", nulls_last=True)
            pause = (pl.col("time") - pl.col("time").shift()).dt.total_microseconds()
            is_same = pl.all_horizontal(pl.col(c) == pl.col(c).shift() for c in self.user)
            is_new = is_same & (pause > self.plan.rules.session_gap * _MICRO)
            rows = rows.with_columns(is_new.fill_null(False).alias("_new"))
            number = pl.col("_new").cum_sum().over(self.user)
            self.count("session_cut", int(rows["_new"].sum()), rows.height)
        else:
            rows, number = self.rows, pl.lit(0)
            self.count("session_cut", 0, rows.height)
        if not self.names_requests:
            self.rows = rows.with_columns(number.alias("_session"))
            return
        request = pl.concat_str([pl.col("user_id"), number, pl.col("query_id")], separator="|")
        self.rows = rows.with_columns(request.alias("request_id"))

    def drop_incomplete(self) -> None:
        import polars as pl

        no_query = pl.col("query_id").is_null()
        if self.plan.is_events:
            known = ["impression", *self.plan.behaviours]
            names = self.rows["event"].dtype.categories.to_list()  # type: ignore[attr-defined]
            self.drop("other_events", ~pl.col("event").is_in([e for e in known if e in names]).fill_null(False))
            if self.plan.rules.no_impression:  # a click finds its query through its impression
                no_query &= pl.col("event") == "impression"
        self.drop("incomplete", pl.any_horizontal(pl.col(c).is_null() for c in ("item_id", *self.request)) | no_query)

    # pairs of request and item

    def code_pairs(self) -> None:
        """Whole numbers for requests and pairs, and the rows sorted by them: numbers sort much quicker than ids."""
        import polars as pl

        rows = self.rows
        for names, code in ((self.request, "_request"), (["item_id"], "_item")):
            rows = rows.join(rows.select(names).unique().with_row_index(code), on=names, how="left")
        pair = pl.col("_request").cast(pl.UInt64) * max(1, rows["item_id"].n_unique()) + pl.col("_item")
        rows = rows.with_columns(pair.alias("_pair")).drop("_item")
        order = [c for c in ("_pair", "event", "time", "position") if c in rows.columns]
        self.rows = rows.sort(order, nulls_last=True)

    def drop_repetitions(self) -> None:
        """Copies, then what is shown again, then further clicks on the same impression."""
        import polars as pl

        columns = self.rows.columns
        same = pl.col("_pair") == pl.col("_pair").shift()
        if "event" in columns:
            same &= pl.col("event") == pl.col("event").shift()
        if self.plan.applies("duplicates"):
            copy = pl.lit(True)
            if "position" in columns:
                copy = pl.col("position").eq_missing(pl.col("position").shift())
            if "time" in columns:
                apart = (pl.col("time") - pl.col("time").shift()).dt.total_microseconds()
                unknown = pl.col("time").is_null() & pl.col("time").shift().is_null()
                copy = (apart <= (self.plan.rules.duplicates or 0.0) * _MICRO).fill_null(False) | (unknown & copy)
            self.drop("duplicates", same & copy)
        if self.plan.applies("shown_again"):
            shown = pl.col("event") == "impression" if "event" in columns else pl.lit(True)
            self.drop("shown_again", same & shown)
        if self.plan.applies("repeated"):
            self.drop("repeated", same)

    def drop_without_position(self) -> None:
        import polars as pl

        if self.plan.applies("no_position"):
            shown = pl.col("event") == "impression" if self.plan.is_events else pl.lit(True)
            self.drop("no_position", shown & pl.col("position").is_null())

    # impression tables

    def of_events(self) -> pl.DataFrame:
        """One row per impression, with what followed on it."""
        import polars as pl

        self.drop_repetitions()
        self.drop_without_position()
        is_shown = pl.col("event") == "impression"
        shown = self.rows.filter(is_shown).with_columns(pl.lit(1).alias("_rows"))
        acts = self.rows.filter(~is_shown)
        on_shown = acts.join(shown.select("_pair"), on="_pair", how="semi")
        if self.plan.rules.no_impression:
            self.count("no_impression", acts.height - on_shown.height, self.rows.height)
            acts = on_shown
        else:
            lone = acts.join(shown.select("_pair"), on="_pair", how="anti")
            lone = lone.sort([c for c in ("_pair", "time", "position") if c in lone.columns], nulls_last=True)
            made = lone.unique("_pair", keep="first", maintain_order=True).with_columns(pl.lit(0).alias("_rows"))
            shown = pl.concat([shown, made])
        acts = acts.with_columns(self._accidents(acts).alias("_accident"))
        wide = acts.group_by("_pair").agg(*self._followed(acts.columns), (~pl.col("_accident")).sum().alias("_acts"))
        dropped = [c for c in ("event", "dwell") if c in shown.columns]
        table = shown.drop(dropped).join(wide, on="_pair", how="left")
        flags = pl.col("_touched", *self.plan.behaviours).fill_null(False)
        return table.with_columns(flags, pl.col("_rows") + pl.col("_acts").fill_null(0)).drop("_acts")

    def _followed(self, columns: Sequence[str]) -> list[pl.Expr]:
        import polars as pl

        names = self.rows["event"].dtype.categories.to_list()  # type: ignore[attr-defined]
        real = ~pl.col("_accident")

        def happened(behaviour: str) -> pl.Expr:
            return (pl.col("event") == behaviour) & real if behaviour in names else pl.lit(False)

        found = [happened(b).any().alias(b) for b in self.plan.behaviours]
        if "dwell" in columns:
            clicks = pl.col("dwell").filter(happened("click"))
            found.append(clicks.first() if self.plan.rules.first_only else clicks.max())
        return [*found, pl.lit(True).first().alias("_touched")]

    def _accidents(self, acts: pl.DataFrame) -> pl.Series:
        """Clicks that came back at once, with nothing deeper after them."""
        import polars as pl

        if self.plan.dwell is None:
            return pl.repeat(False, acts.height, dtype=pl.Boolean, eager=True)
        click = pl.col("event") == "click"
        shallow = [e for e in ("click", "refund") if e in self.plan.behaviours]
        deeper = acts.filter(~pl.col("event").is_in(shallow))["_pair"].unique()
        short = click & (pl.col("dwell") < self.plan.dwell.expression()) & ~pl.col("_pair").is_in(deeper.implode())
        found = acts.select(short.fill_null(False)).to_series()
        clicks = acts.select(click.sum()).item()
        self.count("accidental", int(found.sum()), clicks)
        self.count("censored", acts.select((click & pl.col("dwell").is_null()).sum()).item(), clicks)
        return found

    def of_impressions(self) -> pl.DataFrame:
        """The rows as they are, one per impression."""
        import polars as pl

        flags = [b for b in self.plan.behaviours if b in self.rows.columns]
        rows = self.rows
        if self.plan.key is not None and rows["_pair"].is_duplicated().any():
            # What one copy of an impression saw happened to the impression.
            together = [pl.col(f).any() for f in flags]
            if "dwell" in rows.columns and "click" in flags:
                together.append(pl.col("dwell").filter("click").max())
            merged = rows.group_by("_pair").agg(together)
            kept = [c for c in rows.columns if c == "_pair" or c not in merged.columns]
            rows = rows.select(kept).join(merged, on="_pair", how="left", maintain_order="left")
        self.rows = rows
        if self.plan.key is not None:
            self.drop_repetitions()
        self.drop_without_position()
        missing = [pl.lit(False).alias(b) for b in self.plan.behaviours if b not in flags]
        table = self.rows.with_columns(*missing, pl.lit(1).alias("_rows"))
        table = table.with_columns(pl.any_horizontal(self.plan.behaviours or [pl.lit(False)]).alias("_touched"))
        if self.plan.dwell is None:
            return table
        deeper = [b for b in self.plan.behaviours if b not in ("click", "refund")]
        short = pl.col("click") & (pl.col("dwell") < self.plan.dwell.expression())
        if deeper:
            short &= ~pl.any_horizontal(deeper)
        short = short.fill_null(False)
        clicks = int(table["click"].sum())
        self.count("accidental", table.select(short.sum()).item(), clicks)
        self.count("censored", table.select((pl.col("click") & pl.col("dwell").is_null()).sum()).item(), clicks)
        return table.with_columns((pl.col("click") & ~short).alias("click"))


def _without_immature(plan: Plan, table: pl.DataFrame, counts: Counter[str]) -> pl.DataFrame:
    import polars as pl

    if plan.mature is None:
        return table
    kept = table.filter((pl.col("time") <= plan.mature).fill_null(True))
    before = int(table["_rows"].sum())
    counts["immature"] += before - int(kept["_rows"].sum())
    counts["immature:of"] += before
    return kept


def _examined(plan: Plan, table: pl.DataFrame, counts: Counter[str]) -> pl.DataFrame:
    import polars as pl

    touched = pl.col("_touched")
    if plan.examined == "all":
        return table.with_columns(pl.lit(True).alias("examined"))
    if plan.examined == "viewed":
        seen = touched | pl.col("viewed").fill_null(False)
    else:
        last = table.filter(touched).group_by("_request").agg(pl.col("position").max().fill_null(0).alias("_last"))
        table = table.join(last, on="_request", how="left")
        untouched = pl.lit(True) if plan.rules.abandoned == "all" else pl.col("position") == 1
        within = pl.when(pl.col("_last").is_null()).then(untouched).otherwise(pl.col("position") <= pl.col("_last") + 1)
        seen = touched | within.fill_null(False)
    table = table.with_columns(seen.alias("examined"))
    counts["unseen"] += int((~table["examined"]).sum())
    counts["unseen:of"] += table.height
    return table
