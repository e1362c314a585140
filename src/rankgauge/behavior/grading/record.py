"""Judgements with their evidence, and the settings that made them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from functools import cached_property
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import numpy as np

from rankgauge._checks import is_number, number, one_of, whole
from rankgauge._numbers import short
from rankgauge._output import is_stream
from rankgauge._plain_data import is_count, read_value, stored_fields
from rankgauge._records import Record
from rankgauge._rendered import refuse_sources
from rankgauge._show import show
from rankgauge._text import Text, joined, zh
from rankgauge.behavior.cleaning.clean import Cleaning, RuleCount
from rankgauge.behavior.cleaning.dwell import DwellThresholds
from rankgauge.behavior.grading.pair_counts import PairCounts
from rankgauge.behavior.grading.posterior import check_prior
from rankgauge.data.qrels import Qrels
from rankgauge.errors import InputError, ParameterError

if TYPE_CHECKING:
    import polars as pl

__all__ = ["EvidenceSummary", "Judgements", "Settings", "SureItem"]

_WORDS = {"aggregate": ("rate", "max"), "scale": ("log", "query", "none"), "unclear": ("skip", "keep")}
_WRITERS = {".txt": "trec", ".qrels": "trec", ".trec": "trec", ".parquet": "parquet", ".csv": "csv"}


@dataclass(frozen=True)
class Settings:
    """What turns counts into judgements; see `rankgauge.behavior.grading.judging`."""

    events: Mapping[str, float]
    gains: Mapping[str, float] | None = None
    prior: Any = "query"
    min_impressions: int = 10
    aggregate: str = "rate"
    scale: str = "log"
    threshold: str | float | Mapping[str, float] = "mean"
    unclear: str = "skip"
    confidence_level: float = 0.95

    def __post_init__(self) -> None:
        _check_map("events", self.events)
        if self.gains is not None:
            _check_map("gains", self.gains)
            if set(self.gains) != set(self.events):
                raise ParameterError(
                    Text(
                        f"`gains` must name the same events as `events`: {', '.join(self.events)}; "
                        f"got {', '.join(self.gains)}.",
                        f"`gains` 中的事件必须与 `events` 相同：{', '.join(self.events)}；实际为 "
                        f"{', '.join(self.gains)}。",
                    )
                )
        check_prior(self.prior)
        whole("min_impressions", self.min_impressions, at_least=0, at_most=2**53)  # impressions are counted as floats
        for name, words in _WORDS.items():
            object.__setattr__(self, name, one_of(name, getattr(self, name), words))
        number("confidence_level", self.confidence_level, above=0, below=1)
        self._check_threshold()

    def _check_threshold(self) -> None:
        given = self.threshold
        if given == "mean":
            return
        if isinstance(given, Mapping):
            missing = [e for e in self.events if e not in given]
            if missing:
                raise ParameterError(
                    Text(
                        f"`threshold` must have a rate for each event, got none for {show(missing[0])}.",
                        f"`threshold` 必须为每个事件给出比率，实际缺少 {show(missing[0])}。",
                    )
                )
        rates: list[Any] = list(given.values()) if isinstance(given, Mapping) else [given]
        if not all(is_number(r) and 0 <= r <= 1 for r in rates):
            raise ParameterError(
                Text(
                    f"`threshold` must be 'mean', a rate from 0 to 1, or one for each event, got {show(given)}.",
                    f"`threshold` 必须是 'mean'、0 到 1 之间的比率，或每个事件一个，实际为 {show(given)}。",
                )
            )

    @property
    def values(self) -> Mapping[str, float]:
        """What an event is worth on one impression."""
        return self.events if self.gains is None else self.gains

    def to_dict(self) -> dict[str, Any]:
        """The settings as plain Python values."""
        threshold = self.threshold
        return {
            "events": dict(self.events),
            "gains": None if self.gains is None else dict(self.gains),
            "prior": list(self.prior) if isinstance(self.prior, (tuple, list)) else self.prior,
            "min_impressions": self.min_impressions,
            "aggregate": self.aggregate,
            "scale": self.scale,
            "threshold": dict(threshold) if isinstance(threshold, Mapping) else threshold,
            "unclear": self.unclear,
            "confidence_level": self.confidence_level,
        }


def _check_map(name: str, values: Mapping[str, float]) -> None:
    if not values:
        raise ParameterError(
            Text(f"`{name}` must name at least one event, got none.", f"`{name}` 必须至少指定一个事件，实际没有。")
        )
    for event, value in values.items():
        if event in ("impression", "refund"):
            raise ParameterError(
                Text(
                    f"`{name}` must map what follows on an impression, got {show(event)}.",
                    f"`{name}` 中必须是曝光之后的行为，实际为 {show(event)}。",
                )
            )
        if not is_number(value) or value <= 0:
            raise ParameterError(
                Text(
                    f"`{name}`: {show(event)} must be a positive number, got {show(value)}.",
                    f"`{name}`：{show(event)} 必须是正数，实际为 {show(value)}。",
                )
            )


@dataclass(frozen=True, kw_only=True)
class SureItem:
    """One judgement of which there is much evidence."""

    query_id: str
    item_id: str
    impressions: int
    rate: float
    posterior: float
    low: float
    high: float
    grade: float


@dataclass(frozen=True, kw_only=True)
class EvidenceSummary:
    """What is shown of the evidence, and is all that is stored of it: it may have as many rows as a log has pairs."""

    judgements: Annotated[int, is_count]
    queries: Annotated[int, is_count]
    grades: Sequence[tuple[str, int]]
    """How many judgements have which grade; grades that are no whole numbers in fifths of the range, 0 apart."""
    surest: Sequence[SureItem]
    """The best items whose interval begins highest."""

    @classmethod
    def of(cls, evidence: pl.DataFrame) -> EvidenceSummary:
        order = ["low", "query_id", "item_id"]
        top = evidence.sort(order, descending=[True, False, False], nulls_last=True).head(_MOST_PAIRS)
        return cls(
            judgements=evidence.height,
            queries=evidence["query_id"].n_unique() if evidence.height else 0,
            grades=_grade_counts(evidence),
            surest=[SureItem(**row) for row in top.select(f.name for f in fields(SureItem)).to_dicts()],
        )


_MOST_PAIRS = 10


def _grade_counts(evidence: pl.DataFrame) -> list[tuple[str, int]]:
    grades = evidence["grade"].to_numpy() if evidence.height else np.zeros(0)
    if len(grades) and not (grades == np.round(grades)).all():
        edges = np.linspace(0, float(grades.max()), 6)
        n, _ = np.histogram(grades[grades > 0], edges)
        binned = [(f"{short(a, 2)} … {short(b, 2)}", int(k)) for a, b, k in zip(edges[:-1], edges[1:], n, strict=True)]
        return [("0", int((grades == 0).sum())), *binned]
    found, n = np.unique(grades, return_counts=True)
    return [(short(g), int(k)) for g, k in zip(found, n, strict=True)]


@dataclass(frozen=True, eq=False, kw_only=True)
class Judgements(
    Record,
    kind="judgements",
    schema=1,
    is_input=True,
    not_stored=dict.fromkeys(
        ("evidence", "unjudged", "pair_counts"),
        Text(
            "Judge the log again; judgements with their evidence are kept by write('judgements.parquet').",
            "请重新由日志得出标注；标注及其依据可用 write('judgements.parquet') 保存。",
        ),
    ),
):
    """Judgements from behaviour, with the evidence for each. `judgements` makes them.

    `.qrels` goes into `rg.evaluate`; `.evidence` has one row per judgement, `.unjudged` one per pair that has none,
    with the reason; `.rules` says what cleaning left out.
    """

    evidence: pl.DataFrame = field(repr=False)
    """query_id, item_id, impressions, examined, a count per event, rate, posterior, low, high, grade."""
    unjudged: pl.DataFrame = field(repr=False)
    """The same of pairs that are not judged, with the reason instead of the grade."""
    settings: Settings
    prior: tuple[float, float] | None
    """Beta prior of the whole log: for all pairs when it was given, else its strength and the mean of all queries."""
    thresholds: Mapping[str, float]
    """Rates that a grade has to reach; empty unless `aggregate="max"`."""
    rules: Sequence[RuleCount]
    cleaning: Cleaning
    dwell: DwellThresholds | None
    counts: Mapping[str, int]
    notes: Sequence[str] = ()
    name: str = ""
    pair_counts: PairCounts = field(repr=False)
    """What they were made from: other settings need no second look at the log."""
    version: str = ""

    @cached_property
    def summary(self) -> EvidenceSummary:
        """What is shown of the evidence."""
        return EvidenceSummary.of(self.evidence)

    @cached_property
    def qrels(self) -> Qrels:
        """The judgements as `evaluate` takes them; where nothing is judged, an error that says why."""
        self.refuse_nothing()
        frame = self.evidence.select("query_id", "grade", doc_id="item_id").select("query_id", "doc_id", "grade")
        return Qrels(frame=frame, name=self.name, notes=tuple(self.notes))

    def __len__(self) -> int:
        return self.summary.judgements

    def refuse_nothing(self) -> None:
        """An error where no pair has a judgement, with all reasons, the most frequent first."""
        if len(self):
            return
        from rankgauge.behavior.grading.judging import REASONS

        counts = sorted(((self.counts[reason], reason) for reason in REASONS), reverse=True)
        listed = joined(
            Text("; ", "；"),
            (
                Text(
                    f"{n:,} because of {why} ({REASONS[why](self.settings)})",
                    f"{n:,} 对因为 {why}（{REASONS[why](self.settings).zh}）",
                )
                for n, why in counts
                if n
            ),
        )
        raise InputError(
            Text(
                f"judgements of {show(self.name)}: at least one pair must be judged, got none of "
                f"{self.counts['pairs']:,}: "
                f"{listed}. Pass more of the log, a smaller `min_impressions`, or unclear='keep' to grade what cannot "
                "be "
                "told from chance.",
                f"{show(self.name)} 的标注：至少要有一对得到标注，实际 {self.counts['pairs']:,} 对都没有："
                f"{zh(listed)}。请传入更多日志，更小的 `min_impressions`，或 unclear='keep' "
                "以便给无法与随机波动区分的对也给出等级。",
            )
        )

    def to_frame(self) -> pl.DataFrame:
        """The evidence, one row per judgement."""
        return self.evidence

    def csv_rows(self) -> list[dict[str, Any]]:
        """The rows of `to_frame` as dicts."""
        return self.evidence.to_dicts()

    def _also(self) -> dict[str, Any]:
        return {"summary": stored_fields(self.summary)}

    @classmethod
    def _from_plain(cls, data: Any) -> Judgements:
        made = super()._from_plain(data)
        vars(made)["summary"] = read_value(EvidenceSummary, data["summary"], "summary")
        return made

    def write(self, path: str | PathLike[str]) -> None:
        """Write `.qrels` or `.txt` (TREC lines: the grades alone), `.parquet` or `.csv` (with all the evidence).

        `read_qrels` reads each of them back. Streams get TREC lines.
        """
        from rankgauge.data.formats.write import atomic

        self.refuse_nothing()
        path = Path(path)
        refuse_sources(self, path)
        form = _WRITERS.get(path.suffix.lower()) or ("trec" if is_stream(path) else None)
        if form is None:
            raise ParameterError(
                Text(
                    f"cannot tell the format of {show(path.name)} from its suffix. Known: {', '.join(_WRITERS)}.",
                    f"无法从后缀判断 {show(path.name)} 的格式。已知的有：{', '.join(_WRITERS)}。",
                )
            )
        if form == "trec":
            self.qrels.write(path, format="trec")
            return
        with atomic(path) as file:
            if form == "csv":
                self.evidence.write_csv(file)
            else:
                self.evidence.write_parquet(file)
