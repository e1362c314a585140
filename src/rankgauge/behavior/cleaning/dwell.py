"""Which clicks were accidents? Those that came back at once.

    threshold(segment) = min(max(q-quantile of the dwell times of its clicks, least), most)

A click is accidental when its dwell is below the threshold of its segment and nothing deeper (cart, purchase) followed
on the same impression. One cut for all pages is criticised for good reason (Kim, Hassan, White, Zitouni 2014): people
stay longer on an article than on a product, and longer at a desk than on a phone. So the threshold is taken from the
distribution of each segment, by default the 10% quantile. A quantile alone would always call a tenth of all clicks
accidents, so it is held between 2 s (nobody reads a page in less) and 10 s (a longer stay is no accident).

`web_search` is the usual rule for satisfied clicks, 30 s everywhere. A segment with few dwell times takes the threshold
of the whole log.

The last click of a session often has no dwell: the log ends before the user returns. Not known is not the same as
nought: such clicks are kept, and counted.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, Protocol

from rankgauge._checks import is_number, number, whole
from rankgauge._plain_data import read_value
from rankgauge._show import show, show_all
from rankgauge._text import Text, zh
from rankgauge.errors import InputError, ParameterError, suggest

if TYPE_CHECKING:
    import polars as pl

__all__ = ["PRESETS", "Clicks", "Dwell", "DwellThresholds", "FrameClicks", "dwell_rule", "dwell_thresholds"]


@dataclass(frozen=True)
class Dwell:
    """How the threshold of accidental clicks is found; `seconds` fixes it."""

    quantile: float = 0.1
    least: float = 2.0
    most: float = 10.0
    by: tuple[str, ...] | None = None
    """Columns whose values make the segments; None: the device and the segments that the log has."""
    min_clicks: int = 100
    """Clicks with a dwell that a segment needs for a threshold of its own."""
    seconds: float | None = None

    def __post_init__(self) -> None:
        number("quantile", self.quantile, at_least=0, at_most=1, caller="Dwell")
        number("seconds", self.seconds, at_least=0, optional=True, caller="Dwell")
        whole("min_clicks", self.min_clicks, at_least=0, caller="Dwell")
        if not (is_number(self.least) and is_number(self.most) and 0 <= self.least <= self.most):
            raise ParameterError(
                Text(
                    f"Dwell: must be 0 <= `least` <= `most`, got {show(self.least)} and {show(self.most)}.",
                    f"Dwell：必须满足 0 <= `least` <= `most`，实际为 {show(self.least)} 和 {show(self.most)}。",
                )
            )


PRESETS: dict[str, Dwell] = {"quantile": Dwell(), "web_search": Dwell(seconds=30.0)}


@dataclass(frozen=True)
class DwellThresholds:
    """The thresholds that were applied, in seconds."""

    rule: Dwell
    overall: float
    by: tuple[str, ...]
    segments: Mapping[tuple[str | None, ...], float]
    """Of the segments that have one of their own."""
    clicks: int
    """Clicks with a dwell."""

    def expression(self) -> pl.Expr:
        """The threshold of each row."""
        import polars as pl

        found = pl.lit(self.overall)
        for values, seconds in self.segments.items():
            here = pl.all_horizontal(
                pl.col(c).cast(pl.String).eq_missing(pl.lit(v, dtype=pl.String))
                for c, v in zip(self.by, values, strict=True)
            )
            found = pl.when(here).then(seconds).otherwise(found)
        return found

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain Python values."""
        return {
            "rule": asdict(self.rule),
            "overall": self.overall,
            "by": list(self.by),
            "segments": [
                {**dict(zip(self.by, values, strict=True)), "seconds": seconds}
                for values, seconds in self.segments.items()
            ],
            "clicks": self.clicks,
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> DwellThresholds:
        """From what `to_dict` gave."""
        by = read_value(tuple[str, ...], data["by"], "dwell.by")
        rows = read_value(list[dict[str, Any]], data["segments"], "dwell.segments")
        return cls(
            rule=read_value(Dwell, data["rule"], "dwell.rule"),
            overall=read_value(float, data["overall"], "dwell.overall"),
            by=by,
            segments={tuple(row[c] for c in by): read_value(float, row["seconds"]) for row in rows},
            clicks=read_value(int, data["clicks"], "dwell.clicks"),
        )


def dwell_rule(value: Any) -> Dwell | None:
    """A rule from a preset's name, a number of seconds, a rule, or None for none."""
    if value is None or value is False:
        return None
    if isinstance(value, Dwell):
        return value
    if isinstance(value, str):
        if value not in PRESETS:
            raise ParameterError(
                Text(
                    f"`dwell` must be one of {', '.join(PRESETS)}, got {show(value)}.{suggest(value, PRESETS)}",
                    f"`dwell` 必须是 {', '.join(PRESETS)} 之一，实际为 {show(value)}。{zh(suggest(value, PRESETS))}",
                )
            )
        return PRESETS[value]
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return Dwell(seconds=float(value))
    raise ParameterError(
        Text(
            f"`dwell` must be a preset, seconds, a Dwell or None, got {show(value)}.",
            f"`dwell` 必须是预设的名称、秒数、Dwell 或 None，实际为 {show(value)}。",
        )
    )


class Clicks(Protocol):
    """The clicks of a log with a dwell, wherever they lie."""

    @property
    def columns(self) -> Sequence[str]: ...

    def count(self) -> int: ...

    def quantiles(self, share: float, by: Sequence[str]) -> pl.DataFrame:
        """The columns of a segment as text, its quantile `q`, interpolated, and its clicks `n`; by nothing: one row."""
        ...


class FrameClicks:
    """Clicks in a frame with a column `dwell`; rows without a dwell say nothing."""

    def __init__(self, clicks: pl.LazyFrame) -> None:
        import polars as pl

        self.columns = clicks.collect_schema().names()
        self.known = clicks.filter(pl.col("dwell").is_not_null())

    def count(self) -> int:
        import polars as pl

        return int(self.known.select(pl.len()).collect(engine="streaming").item())

    def quantiles(self, share: float, by: Sequence[str]) -> pl.DataFrame:
        import polars as pl

        found = (pl.col("dwell").quantile(share, "linear").alias("q"), pl.len().alias("n"))
        grouped = self.known.group_by(pl.col(by).cast(pl.String)).agg(found) if by else self.known.select(found)
        return grouped.collect(engine="streaming")


def dwell_thresholds(clicks: Clicks | pl.LazyFrame, rule: Dwell, segments: Sequence[str] = ()) -> DwellThresholds:
    """The threshold of each segment."""
    import polars as pl

    if isinstance(clicks, pl.LazyFrame):
        clicks = FrameClicks(clicks)
    names = clicks.columns
    by = tuple(rule.by) if rule.by is not None else tuple(c for c in ("device", *segments) if c in names)
    missing = [c for c in by if c not in names]
    if missing:
        raise InputError(
            Text(
                f"dwell: columns missing from the log: {show_all(missing)}. "
                f"Found: {show_all(names)}."
                f' Pass columns={{"{missing[0]}": "segment"}} to read_log.',
                f"dwell：日志缺少列：{show_all(missing)}。找到：{show_all(names)}。请向 read_log 传入 "
                f'columns={{"{missing[0]}": "segment"}}。',
            )
        )
    if rule.seconds is not None:
        return DwellThresholds(rule, rule.seconds, (), {}, clicks.count())
    whole = clicks.quantiles(rule.quantile, ())
    n = int(whole["n"][0])
    overall = _held(whole["q"][0], rule) if n >= rule.min_clicks else rule.least
    own: dict[tuple[str | None, ...], float] = {}
    if by and n:
        found = clicks.quantiles(rule.quantile, by)
        enough = found.filter(pl.col("n") >= rule.min_clicks).sort(by).select(*by, "q")
        own = {tuple(row[:-1]): _held(row[-1], rule) for row in enough.iter_rows()}
    return DwellThresholds(rule, overall, by, own, n)


def _held(quantile: float, rule: Dwell) -> float:
    return min(max(float(quantile), rule.least), rule.most)
