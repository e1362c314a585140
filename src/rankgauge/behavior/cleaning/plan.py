"""What cleaning must know of a whole log before it works on its parts.

Everything but bots, dwell and age concerns one request at a time (one user, where requests have to be cut first). So a
log is cleaned in parts: all rows of a request are in the same one, and only one part is in memory.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from rankgauge._show import show
from rankgauge._text import Text
from rankgauge.behavior.cleaning.dwell import Clicks, DwellThresholds, FrameClicks, dwell_rule, dwell_thresholds
from rankgauge.behavior.logs.columns import BEHAVIOURS
from rankgauge.behavior.logs.log import Log
from rankgauge.data._places import named
from rankgauge.data.any_table import reading
from rankgauge.errors import InputError, ParameterError, among

if TYPE_CHECKING:
    import polars as pl

    from rankgauge.behavior.cleaning.clean import Cleaning

__all__ = ["FrameLooks", "Looks", "Plan", "clicks_of", "planned"]


@dataclass(frozen=True, eq=False)
class Plan:
    """One log and its rules, with the few numbers that need all of its rows."""

    log: Log
    rules: Cleaning
    columns: frozenset[str]
    behaviours: tuple[str, ...]
    examined: str
    notes: tuple[str, ...]
    bots: pl.DataFrame | None
    """user_id and day of those that make more rows than people do."""
    dwell: DwellThresholds | None
    mature: Any
    """The last time at which an impression is old enough; None when age does not matter."""

    @property
    def key(self) -> str | None:
        """What keeps rows together: the request, else the user; None where each row stands alone."""
        return next((c for c in ("request_id", "user_id") if c in self.columns), None)

    @property
    def is_events(self) -> bool:
        return self.log.kind == "events"

    def applies(self, rule: str) -> bool:
        """Whether the rule is switched on and the log has what it needs."""
        rules, columns = self.rules, self.columns
        needs = {
            "bots": self.bots is not None,
            "session_cut": self.key == "user_id",
            "other_events": self.is_events,
            "duplicates": rules.duplicates is not None and self.key is not None,
            "shown_again": self.key is not None,
            "repeated": self.is_events and rules.first_only,
            "no_position": rules.no_position and "position" in columns,
            "no_impression": self.is_events and rules.no_impression,
            "accidental": self.dwell is not None,
            "censored": self.dwell is not None,
            "immature": self.mature is not None,
            "unseen": self.examined != "all",
        }
        return needs.get(rule, True)

    def leaves_out(self, rule: str) -> bool:
        """Whether the rows that a rule counts are gone: a click in a column of an impression has no row to lose."""
        return rule not in ("session_cut", "censored", "unseen") and (rule != "accidental" or self.is_events)


class Looks(Protocol):
    """What the rules ask of all rows of a log, wherever they lie."""

    def busy_days(self, most: int) -> pl.DataFrame:
        """user_id and _day of those with more rows."""
        ...

    def clicks(self, bots: pl.DataFrame | None) -> Clicks:
        """The clicks that are not of bots."""
        ...

    def last_time(self) -> Any:
        """When the log ends; None where it has no times."""
        ...


def planned(log: Log, rules: Cleaning, behaviours: Sequence[str] | None = None, looks: Looks | None = None) -> Plan:
    """Look at the log once, as far as the rules need it; `looks` where its rows are not in its frame."""
    looks = looks or FrameLooks(log)
    columns = frozenset(log.columns)
    wanted = _behaviours(log, behaviours)
    notes: list[str] = []
    if log.kind == "events" and "impression" not in log.events and rules.no_impression:
        raise InputError(
            Text(
                f"log {show(log.name)} must have impressions, got events {', '.join(log.events)} only: what was shown "
                "and "
                "not clicked is not known. Map their name with events={…}, or count each click as shown with "
                "Cleaning(no_impression=False).",
                f"日志 {show(log.name)} 必须有曝光，实际只有事件 {', '.join(log.events)}："
                f"不知道哪些展示了却没有被点击。请用 events={{…}} 映射曝光事件的名称，或用 "
                "Cleaning(no_impression=False) 把每次点击都算作展示过。",
            )
        )
    examined = _examined(log, rules, columns, notes)
    has_time = "time" in columns
    if rules.bots is not None and not {"user_id", "time"} <= columns:
        missing = "user_id" if "user_id" not in columns else "time"
        notes.append(Text(f"no {missing}: bots cannot be told", f"没有 {missing}：无法识别机器流量"))
    if not {"request_id", "user_id"} & columns:
        notes.append(
            Text(
                "neither request nor user: each row is a list of its own, repetitions cannot be told",
                "没有请求与用户：每行自成一个列表，无法识别重复",
            )
        )
    elif "request_id" not in columns and not has_time:
        notes.append(
            Text(
                "neither request nor time: a user and a query are one request",
                "没有请求与时间：同一用户的同一查询视为一次请求",
            )
        )
    if rules.maturity is not None and not has_time:
        raise InputError(
            Text(
                f"log {show(log.name)}: `maturity` needs a time column. Found: {', '.join(sorted(columns))}.",
                f"日志 {show(log.name)}：`maturity` 需要时间列。找到：{', '.join(sorted(columns))}。",
            )
        )
    with reading(named("log", log.name)):
        bots = looks.busy_days(rules.bots) if rules.bots is not None and {"user_id", "time"} <= columns else None
    return Plan(
        log=log,
        rules=rules,
        columns=columns,
        behaviours=wanted,
        examined=examined,
        notes=tuple(notes),
        bots=bots,
        dwell=_dwell(log, rules, columns, wanted, looks, bots),
        mature=_mature(log, rules, looks),
    )


def _behaviours(log: Log, asked: Sequence[str] | None) -> tuple[str, ...]:
    there = [e for e in log.events if e != "impression"]
    if asked is None:
        return tuple(b for b in BEHAVIOURS if b in there)
    unknown = [b for b in asked if b not in there and b not in BEHAVIOURS]
    if unknown:
        raise ParameterError(
            Text(
                f"log {show(log.name)} has no event {show(unknown[0])}.",
                f"日志 {show(log.name)} 没有事件 {show(unknown[0])}。",
            )
            + among(unknown[0], there)
        )
    return tuple(dict.fromkeys(asked))


def _examined(log: Log, rules: Cleaning, columns: frozenset[str], notes: list[str]) -> str:
    has_lists = bool({"request_id", "user_id"} & columns) and "position" in columns
    if rules.examined == "viewed" and "viewed" not in columns:
        raise InputError(
            Text(
                f"log {show(log.name)}: examined='viewed' needs a column `viewed`. Found: "
                f"{', '.join(sorted(columns))}. "
                "Try examined='last_click+1'.",
                f"日志 {show(log.name)}：examined='viewed' 需要 `viewed` 列。找到："
                f"{', '.join(sorted(columns))}。请试试 examined='last_click+1'。",
            )
        )
    if rules.examined == "last_click+1" and not has_lists:
        raise InputError(
            Text(
                f"log {show(log.name)}: examined='last_click+1' needs positions and requests. "
                f"Found: {', '.join(sorted(columns))}. Try examined='all'.",
                f"日志 {show(log.name)}：examined='last_click+1' 需要位置和请求。找到："
                f"{', '.join(sorted(columns))}。请试试 examined='all'。",
            )
        )
    if rules.examined != "auto":
        return rules.examined
    if "viewed" in columns:
        return "viewed"
    if has_lists:
        return "last_click+1"
    notes.append(
        Text("no lists with positions: every impression counts as examined", "没有带位置的列表：每次曝光都视为已查看")
    )
    return "all"


def _dwell(
    log: Log,
    rules: Cleaning,
    columns: frozenset[str],
    behaviours: Sequence[str],
    looks: Looks,
    bots: pl.DataFrame | None,
) -> DwellThresholds | None:
    rule = dwell_rule(rules.dwell)
    if rule is None or "dwell" not in columns or "click" not in behaviours:
        return None
    return dwell_thresholds(looks.clicks(bots), rule, log.segments)


def _mature(log: Log, rules: Cleaning, looks: Looks) -> Any:
    import datetime

    if rules.maturity is None:
        return None
    last = looks.last_time()
    if last is None:
        raise InputError(
            Text(
                f"log {show(log.name)}: `maturity` needs times, got none in {log.rows:,} rows.",
                f"日志 {show(log.name)}：`maturity` 需要时间，实际 {log.rows:,} 行都没有。",
            )
        )
    return last - datetime.timedelta(seconds=rules.maturity)


@dataclass(frozen=True, eq=False)
class FrameLooks:
    """Looks at the frame of a log."""

    log: Log

    def busy_days(self, most: int) -> pl.DataFrame:
        import polars as pl

        return (
            self.log.frame.filter(pl.col("user_id").is_not_null())
            .group_by("user_id", pl.col("time").dt.date().alias("_day"))
            .len()
            .filter(pl.col("len") > most)
            .select("user_id", "_day")
            .collect(engine="streaming")
        )

    def clicks(self, bots: pl.DataFrame | None) -> Clicks:
        return FrameClicks(clicks_of(self.log, bots))

    def last_time(self) -> Any:
        import polars as pl

        return self.log.frame.select(pl.col("time").max()).collect(engine="streaming").item()


def clicks_of(log: Log, bots: pl.DataFrame | None) -> pl.LazyFrame:
    """Rows of clicks, but for those of bots."""
    import polars as pl

    clicks = log.frame.filter(pl.col("event") == "click" if log.kind == "events" else pl.col("click"))
    if bots is None or bots.is_empty():
        return clicks
    clicks = clicks.with_columns(pl.col("time").dt.date().alias("_day"))
    return clicks.join(bots.lazy(), on=["user_id", "_day"], how="anti", nulls_equal=True)
