"""What of a log can be trusted, and what was left out of it?

The rules, in the order in which they work. Each has a counter, and nothing else leaves a row out:

    bots            all rows of a user on a day with more than so many
    session_cut     (only where the log has no requests) a new session after so long without an event of the user
    other_events    rows of events that nobody asked for: searches, filters, page exits
    incomplete      rows without item, request or query
    duplicates      the same event on the same item of the same request again within seconds; exact copies without time
    shown_again     the same item again in the same request: the first counts
    repeated        the second and later click (cart, purchase) on the same impression
    no_position     impressions without a position, or with one that is no whole number from 1 on
    no_impression   clicks on what was not shown
    accidental      clicks whose dwell is below the threshold of their segment (`rankgauge.behavior.cleaning.dwell`)
    censored        clicks without a dwell: kept, counted
    immature        impressions too young for what may still follow
    unseen          impressions below the last examined position: kept, but unknown (`examined` is false), not negative

    rows in = rows out + the rows of all rules that leave out

Examined is what was clicked, and: what the log says was viewed; or, where it does not say, everything down to one below
the last click. A list without a click counts as examined to its end, as in the cascade and SDBN models: leaving it out
would let every item low in a list look as good as its clicks. `abandoned="first"` counts its first item only.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any

from rankgauge._checks import is_number
from rankgauge._records import Record
from rankgauge._rendered import remembers_files
from rankgauge._show import show
from rankgauge._text import Text, in_words, zh
from rankgauge.behavior.cleaning.dwell import Dwell, DwellThresholds, dwell_rule
from rankgauge.behavior.cleaning.wording import RULES, described
from rankgauge.behavior.logs.log import read_log
from rankgauge.data.any_table import reading
from rankgauge.errors import InputError, ParameterError, UnknownName, among

if TYPE_CHECKING:
    import polars as pl

__all__ = ["Cleaned", "Cleaning", "RuleCount", "clean", "count_rules", "each_part", "nothing_left"]

EXAMINED = ("auto", "viewed", "last_click+1", "all")


@dataclass(frozen=True)
class Cleaning:
    """The rules; None or False switches one off. Times are in seconds."""

    duplicates: float | None = 2.0
    """Seconds within which the same event is the same event."""
    first_only: bool = True
    """Whether only the first click (cart, …) on an impression counts, with its dwell; if not, the longest dwell."""
    no_impression: bool = True
    """Whether clicks on what was not shown are left out; if not, each makes an impression of its own."""
    no_position: bool = True
    bots: int | None = 1_000
    """Rows of one user on one day that nobody makes by hand."""
    session_gap: float = 1_800.0
    dwell: str | float | Dwell | None = "quantile"
    """A preset (`quantile`, `web_search`), seconds, or a `Dwell`."""
    maturity: float | None = None
    """How old an impression must be at the end of the log."""
    examined: str = "auto"
    """`viewed`, `last_click+1`, `all`; `auto` takes the first that the log allows."""
    abandoned: str = "all"
    """What was examined of a list without a click, where the last click decides: `all` or `first`."""

    def __post_init__(self) -> None:
        for name in ("duplicates", "session_gap", "maturity"):
            value = getattr(self, name)
            if value is not None and not (is_number(value) and value >= 0):
                raise ParameterError(
                    Text(
                        f"Cleaning: `{name}` must be seconds from 0 on or None, got {show(value)}.",
                        f"Cleaning：`{name}` 必须是不小于 0 的秒数或 None，实际为 {show(value)}。",
                    )
                )
        if self.bots is not None and not (is_number(self.bots) and self.bots >= 1):
            raise ParameterError(
                Text(
                    f"Cleaning: `bots` must be a count of rows from 1 on or None, got {show(self.bots)}.",
                    f"Cleaning：`bots` 必须是不小于 1 的行数或 None，实际为 {show(self.bots)}。",
                )
            )
        if self.examined not in EXAMINED:
            raise ParameterError(
                Text(
                    f"Cleaning: `examined` must be one of {', '.join(EXAMINED)}, got {show(self.examined)}.",
                    f"Cleaning：`examined` 必须是 {', '.join(EXAMINED)} 之一，实际为 {show(self.examined)}。",
                )
            )
        if self.abandoned not in ("all", "first"):
            raise ParameterError(
                Text(
                    f"Cleaning: `abandoned` must be 'all' or 'first', got {show(self.abandoned)}.",
                    f"Cleaning：`abandoned` 必须是 'all' 或 'first'，实际为 {show(self.abandoned)}。",
                )
            )
        dwell_rule(self.dwell)

    def to_dict(self) -> dict[str, Any]:
        """The rules as plain Python values."""
        return asdict(self)


@dataclass(frozen=True)
class RuleCount:
    """What one rule did."""

    rule: str
    what: str
    rows: int
    of: int
    """Rows that the rule looked at."""
    lost: bool
    """Whether the rows were left out; if not, they were only marked."""

    @property
    def share(self) -> float:
        return self.rows / self.of if self.of else 0.0

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain Python values."""
        return {
            "rule": self.rule,
            "what": self.what,
            "rows": self.rows,
            "of": self.of,
            "share": self.share,
            "lost": self.lost,
        }


@dataclass(frozen=True, eq=False, kw_only=True)
class Cleaned(
    Record,
    kind="cleaned",
    schema=1,
    stored_as={"n_impressions": "impressions"},
    not_stored={"impressions": Text("Clean the log again.", "请重新清洗日志。")},
):
    """The impressions that can be trusted, and a counter per rule. `clean` makes them."""

    impressions: pl.DataFrame = field(repr=False)
    """One row per impression: request_id, query_id, item_id, position, a Boolean column per behaviour, examined, …"""
    n_impressions: int
    rules: Sequence[RuleCount]
    rows_in: int
    rows_out: int
    """Rows of the log that are in the table: its impressions, and the events on them where those have rows."""
    behaviours: tuple[str, ...]
    cleaning: Cleaning
    dwell: DwellThresholds | None
    notes: Sequence[str] = ()
    name: str = ""

    def __getitem__(self, rule: str) -> RuleCount:
        found = next((r for r in self.rules if r.rule == rule), None)
        if found is None:
            names = [r.rule for r in self.rules]
            raise UnknownName(Text(f"no rule {show(rule)}.", f"没有规则 {show(rule)}。") + among(rule, names))
        return found

    def csv_rows(self) -> list[dict[str, Any]]:
        """One dict per rule."""
        return [r.to_dict() for r in self.rules]

    def to_frame(self) -> pl.DataFrame:
        """A Polars frame, one row per rule."""
        import polars as pl

        schema = {"rule": pl.String, "what": pl.String, "rows": pl.Int64, "of": pl.Int64}
        return pl.DataFrame(in_words(self.csv_rows()), schema={**schema, "share": pl.Float64, "lost": pl.Boolean})


@remembers_files
def clean(log: Any, rules: Cleaning | None = None, *, behaviours: Sequence[str] | None = None) -> Cleaned:
    """The impression table of a log (or of whatever `read_log` reads), and what was left out of it by which rule.

    `behaviours` are the events that become columns of the table: click, cart, purchase and refund as far as they are
    there, unless given.

    The table is in memory as a whole. For a log that is too large for that, `judgements` works on one part of it after
    the other.
    """
    import polars as pl

    from rankgauge.behavior.cleaning.plan import planned

    plan = planned(read_log(log), rules or Cleaning(), behaviours)
    parts: list[pl.DataFrame] = []
    counts: Counter[str] = Counter()
    for part, found in each_part(plan):
        parts.append(part)
        counts += found
    return Cleaned(
        impressions=(made := pl.concat(parts)),
        n_impressions=made.height,
        rules=count_rules(plan, counts),
        rows_in=plan.log.rows,
        rows_out=counts["rows_out"],
        behaviours=plan.behaviours,
        cleaning=plan.rules,
        dwell=plan.dwell,
        notes=(*plan.log.notes, *plan.notes),
        name=plan.log.name,
    )


def each_part(plan: Any, columns: Sequence[str] | None = None) -> Iterator[tuple[pl.DataFrame, Counter[str]]]:
    """The impressions of one part of the requests after the other, with the counters of its rows.

    `columns` are those that the caller needs of the impressions; all by default.
    """
    from rankgauge.behavior.cleaning.parts import each_rows
    from rankgauge.behavior.cleaning.rules import cleaned_part

    with reading(f"log {show(plan.log.name)}"):
        yield from (cleaned_part(plan, rows, columns) for rows in each_rows(plan, columns))


def count_rules(plan: Any, counts: Mapping[str, int]) -> tuple[RuleCount, ...]:
    """The counters of all rules that were applied, in their order."""
    return tuple(
        RuleCount(rule, described(rule, plan), counts[rule], counts[f"{rule}:of"], lost=plan.leaves_out(rule))
        for rule in RULES
        if plan.applies(rule)
    )


def nothing_left(plan: Any, counts: Mapping[str, int]) -> InputError:
    """Why no impression is left."""
    most = max((r for r in count_rules(plan, counts) if r.lost), key=lambda r: r.rows, default=None)
    why = (
        Text(
            f" Most rows were left out by the rule {most.rule} ({most.rows:,} of {most.of:,}).",
            f"去掉行数最多的规则是 {most.rule}（{most.of:,} 行中的 {most.rows:,} 行）。",
        )
        if most
        else ""
    )
    return InputError(
        Text(
            f"log {show(plan.log.name)}: no impression is left of {plan.log.rows:,} rows.{why} "
            "Look at clean(log).rules, and switch the rule off with Cleaning(…) if it is wrong here.",
            f"日志 {show(plan.log.name)}：{plan.log.rows:,} 行清洗后没有剩下任何曝光。{zh(why)}请查看 "
            "clean(log).rules；如果某条规则不适用于这里，请用 Cleaning(…) 关闭它。",
        )
    )
