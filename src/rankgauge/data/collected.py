"""How a run came about that was asked of a live retriever: when each query was asked, how long it took, what failed.

It stands beside the run (`Run.collected`) and knows nothing of lists: queries, times, outcomes and counts.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from math import nan
from typing import TYPE_CHECKING, Any

import numpy as np

from rankgauge._checks import number
from rankgauge._records import Record
from rankgauge._show import cut
from rankgauge._text import Text, joined, zh
from rankgauge._typing import Array
from rankgauge.statistics.intervals import Interval, check_level, t_interval
from rankgauge.statistics.quantiles import quantile, quantile_interval

if TYPE_CHECKING:
    import polars as pl

__all__ = ["FAILED", "ODD", "OUTCOMES", "SPENT", "Call", "Collected"]

OUTCOMES: Mapping[str, Text] = {
    "ok": Text("answered", "有结果"),
    "empty": Text("answered with an empty list", "结果为空"),
    "timeout": Text("timed out", "超时"),
    "error": Text("failed", "出错"),
}
"""What can become of a query."""
FAILED = ("timeout", "error")
"""Outcomes without an answer; the list of such a query is empty."""

SPENT: Mapping[str, Text] = {"cost": Text("cost", "费用"), "tokens": Text("tokens", "token 数")}
"""What a query may have used up, where the retriever says it."""

_LEVELS = (50, 95, 99)
_KINDS = 5  # of errors that a remark names
_NUMBER = re.compile(r"-?\d+(?:\.\d+)?")
_WORDS = 160  # characters of an error that it shows

ODD: Mapping[str, tuple[tuple[str, str, str], Text]] = {
    "nothing": (
        ("query was", "queries were", "个查询"),
        Text("answered with None, which is taken for an empty list", "返回 None，按空列表计"),
    ),
    "without_id": (
        ("result has", "results have", "个结果"),
        Text(
            "no id; they keep their places and are relevant to nothing. Say where ids are: rg.collect(…, id=…), "
            "rg.evaluate(…, collect={'id': …}), --id on the command line",
            "没有 id；它们保留原位，且与任何标注都不相关。请说明 id 在哪里："
            "rg.collect(…, id=…)、rg.evaluate(…, collect={'id': …})，命令行用 --id",
        ),
    ),
    "by_text": (
        ("document has", "documents have", "个文档"),
        Text(
            "no id and go by their whole text, which judgements must hold word for word. Say where "
            "ids are: rg.collect(…, id=…), rg.evaluate(…, collect={'id': …}), --id on the command line",
            "没有 id，以全文为 id，标注中的文本必须逐字相同。请说明 id 在哪里："
            "rg.collect(…, id=…)、rg.evaluate(…, collect={'id': …})，命令行用 --id",
        ),
    ),
    "without_place": (
        ("result says", "results say", "个结果"),
        Text(
            "nothing of where they stand or what they hold; they keep their places and cover nothing",
            "既没有位置也没有文本；它们保留排名，不覆盖任何内容",
        ),
    ),
    "outside": (
        ("result is", "results are", "个结果"),
        Text(
            "an interval that is empty or ends behind the end of its document; they keep their places and cover "
            "nothing",
            "的区间为空，或超出了所在文档的末尾；它们保留排名，不覆盖任何内容",
        ),
    ),
    "other_text": (
        ("result has", "results have", "个结果"),
        Text(
            "a text that is not what the document has at their offsets: the text was located instead",
            "的文本与文档中该偏移处不符：改为按文本定位",
        ),
    ),
    "not_finite": (
        ("list has", "lists have", "个列表"),
        Text(
            "scores that are no numbers (NaN, infinite): the order of results counts",
            "得分中有 NaN 或无穷大：以返回顺序为准",
        ),
    ),
    "partly_scored": (
        ("list has", "lists have", "个列表"),
        Text("scores for some results only: the order of results counts", "只有部分结果带得分：以返回顺序为准"),
    ),
    "unsorted": (
        ("list is", "lists are", "个列表"),
        Text("not in order of scores: the order of results counts", "未按得分从高到低排列：以返回顺序为准"),
    ),
    "partial": (
        ("list is", "lists are", "个列表"),
        Text(
            "what the search engine had found when it ran out of time, or without a part of the index that failed",
            "不完整：搜索引擎超时，或部分索引分片出错",
        ),
    ),
    "longer": (
        ("list was", "lists were", "个列表"),
        Text("longer than k and cut there", "长于 k，已截断"),
    ),
}
"""What may be odd about what a retriever gives, as it is said; a count of each is kept."""


@dataclass(frozen=True, kw_only=True)
class Call:
    """One of several calls that a retriever made for a question."""

    query: str = ""
    """What it searched for, where it says it."""
    ids: tuple[str, ...] = ()
    pieces: tuple[dict[str, Any], ...] = ()
    """Which part of which document each result is, where gold is spans."""
    seconds: float | None = None
    cost: float | None = None
    tokens: float | None = None


@dataclass(frozen=True, eq=False, kw_only=True)
class Collected(Record, kind="collected", schema=1):
    """How each query was asked of a retriever. `rg.collect` makes it; it is `run.collected`."""

    retriever: str
    k: int
    """Results that were asked for."""
    concurrency: int
    query_ids: tuple[str, ...]
    outcomes: tuple[str, ...]
    """One of `ok`, `empty`, `timeout`, `error` for each query."""
    starts: tuple[float, ...]
    """When each query was first asked, in seconds since 1970."""
    seconds: tuple[float, ...]
    """How long the calls of each query took, all attempts together."""
    attempts: tuple[int, ...]
    pauses: tuple[float, ...] = ()
    """Seconds between the attempts of each query, which count in no latency; nothing where none was asked again."""
    errors: tuple[str, ...]
    """For each query what its last attempt failed of, `ValueError: …`; empty where it was answered."""
    results: tuple[int, ...]
    """How many results each list has."""
    repeated: int = 0
    """Results that show an item of their list again."""
    odd: Mapping[str, int] = field(default_factory=dict)
    """What was odd about what the retriever gave, by the words of `ODD`."""
    stages: Mapping[str, tuple[float, ...]] = field(default_factory=dict)
    """Seconds of each stage for each query, where the retriever says them; NaN where it does not."""
    spent: Mapping[str, tuple[float, ...]] = field(default_factory=dict)
    """`cost` and `tokens` of each query, where the retriever says them; NaN where it does not."""
    calls: tuple[tuple[Call, ...], ...] = ()
    """The calls of each query, where the retriever makes several and says which; nothing where none does."""
    sessions: tuple[float, ...] = ()
    """When the collection was begun and taken up again, in seconds since 1970; the last is that of this call."""
    version: str = ""

    # numbers

    @property
    def failures(self) -> int:
        """Queries without an answer: time-outs and errors."""
        return sum(o in FAILED for o in self.outcomes)

    @cached_property
    def timed(self) -> Array:
        """Seconds of the queries whose time counts: those that were answered or waited for in vain."""
        return np.array([s for s, o in zip(self.seconds, self.outcomes, strict=True) if o != "error"], dtype=np.float64)

    @property
    def mean(self) -> float:
        """Mean seconds of a query; NaN where none counts."""
        return float(self.timed.mean()) if len(self.timed) else float("nan")

    def latency(self, p: float, confidence_level: float = 0.95) -> tuple[float, Interval]:
        """Seconds within which p percent of queries were answered, and an interval by order statistics."""
        number("p", p, above=0, below=100)
        found = quantile_interval(self.timed, p / 100, confidence_level)
        return quantile(self.timed, p / 100), found if np.isnan(found.low) else found.clipped(0, float("inf"))

    @property
    def elapsed(self) -> float:
        """Seconds during which queries were asked; pauses between sessions do not count."""
        begun = np.array(self.sessions or (float("-inf"),))
        session = np.maximum(np.searchsorted(begun, self.starts, side="right"), 1)
        starts = np.array(self.starts)
        ends = starts + self.seconds + (self.pauses or 0.0)
        return sum(float(ends[session == s].max() - starts[session == s].min()) for s in np.unique(session))

    @property
    def read(self) -> int:
        """Answers that were not asked for now: the file of earlier sessions has them, with their times."""
        return len(self.query_ids) - int(self._is_new.sum())

    @property
    def _is_new(self) -> Array:
        return np.array(self.starts) >= (self.sessions[-1] if len(self.sessions) > 1 else float("-inf"))

    @property
    def throughput(self) -> float:
        """Queries per second while they were asked, of those that were asked now; NaN where none was."""
        is_new = self._is_new
        if not is_new.any():
            return float("nan")
        starts = np.array(self.starts)
        ends = starts + self.seconds + (self.pauses or 0.0)
        elapsed = float(ends[is_new].max() - starts[is_new].min())
        return int(is_new.sum()) / elapsed if elapsed else float("nan")

    def summary(self, confidence_level: float = 0.95) -> list[dict[str, Any]]:
        """Mean and percentiles in milliseconds with their intervals, of all and of each stage that is told."""
        check_level(confidence_level)
        rows = []
        told = {name: np.array([s for s in each if not np.isnan(s)]) for name, each in self.stages.items()}
        for stage, seconds in {"": self.timed, **told}.items():
            ms = 1000 * seconds
            mean = float(ms.mean()) if len(ms) else float("nan")
            ends = t_interval(ms, confidence_level)
            rows.append(_row(stage, "mean", mean, ends, len(ms)))
            for p in _LEVELS:
                ends = quantile_interval(ms, p / 100, confidence_level)
                rows.append(_row(stage, f"p{p}", quantile(ms, p / 100), ends, len(ms)))
        return rows

    def times_of(self, query_ids: Sequence[str]) -> tuple[Array, Array]:
        """For each of these queries the seconds that count, and 1 where it failed; NaN where that is not known."""
        place = {q: i for i, q in enumerate(self.query_ids)}
        at = [place.get(q) for q in query_ids]
        seconds = [nan if i is None or self.outcomes[i] == "error" else self.seconds[i] for i in at]
        failed = [nan if i is None else float(self.outcomes[i] in FAILED) for i in at]
        return np.array(seconds, dtype=np.float64), np.array(failed, dtype=np.float64)

    def spent_of(self, query_ids: Sequence[str]) -> dict[str, Array]:
        """For each of these queries its cost, its tokens and how many calls it took; NaN where that is not known."""
        place = {q: i for i, q in enumerate(self.query_ids)}
        told = dict(self.spent)
        if self.calls:
            known = zip(self.calls, self.outcomes, strict=True)
            told["calls"] = tuple(nan if outcome in FAILED else float(len(made)) for made, outcome in known)
        at = [place.get(q) for q in query_ids]
        return {what: np.array([nan if i is None else each[i] for i in at]) for what, each in told.items()}

    def total(self, what: str) -> float:
        """The `cost` or the `tokens` of all queries that say it; NaN where none does."""
        known = [v for v in self.spent.get(what, ()) if not np.isnan(v)]
        return float(np.sum(known)) if known else nan

    @property
    def failures_by_kind(self) -> Counter[str]:
        """How many queries failed of what: the first line of each error, and time-outs."""
        failed = [
            OUTCOMES["timeout"] if o == "timeout" else _short(e)
            for o, e in zip(self.outcomes, self.errors, strict=True)
            if o in FAILED
        ]
        first: dict[str, str] = {}  # what differs in numbers only is one kind, and its first error stands for it
        return Counter(first.setdefault(_NUMBER.sub("#", said), said) for said in failed)

    # tables

    def csv_rows(self) -> list[dict[str, Any]]:
        """The rows of `to_frame` as dicts."""
        names = ("query_ids", "outcomes", "starts", "seconds", "attempts", "results", "errors")
        called = ("query_id", "outcome", "start", "seconds", "attempts", "results", "error")
        counts = {"calls": [len(made) for made in self.calls]} if self.calls else {}
        columns = [*(getattr(self, n) for n in names), *self.stages.values(), *self.spent.values(), *counts.values()]
        return [
            dict(zip((*called, *self.stages, *self.spent, *counts), row, strict=True))
            for row in zip(*columns, strict=True)
        ]

    def to_frame(self) -> pl.DataFrame:
        """A Polars frame, one row per query: outcome, start, seconds, attempts, results, error, seconds of stages."""
        import polars as pl

        return pl.DataFrame(self.csv_rows())

    # words

    @property
    def remarks(self) -> tuple[Text, ...]:
        """What a reader of the numbers must know: failures by kind, and what was odd, one remark each."""
        out = [] if self.failed is None else [self.failed]
        if n := self.read:
            of = len(self.query_ids)
            were = "answer was" if of == 1 else "answers were"
            out.append(
                Text(
                    f"{n:,} of {of:,} {were} read from the file of earlier sessions, with times, and not asked now",
                    f"{of:,} 个查询中有 {n:,} 个的结果和耗时读自此前会话的记录文件，这次没有询问",
                )
            )
        if again := sum(a > 1 for a in self.attempts):
            queries = "query was" if again == 1 else "queries were"
            out.append(Text(f"{again:,} {queries} asked more than once", f"{again:,} 个查询被询问了不止一次"))
        for word, ((one, many, some), said) in ODD.items():
            if n := self.odd.get(word, 0):
                out.append(Text(f"{n:,} {one if n == 1 else many} {said.en}", f"{n:,} {some}{said.zh}"))
        return tuple(out)

    @property
    def failed(self) -> Text | None:
        """How many queries got no answer, and of what; None where all did."""
        n, of = self.failures, len(self.query_ids)
        if not n:
            return None
        kinds = self.failures_by_kind.most_common()
        told: list[str] = [Text(f"{m:,} {kind}", f"{m:,} 个 {zh(kind)}") for kind, m in kinds[:_KINDS]]
        if len(kinds) > _KINDS:
            told.append(Text(f"and {len(kinds) - _KINDS:,} other kinds", f"另有 {len(kinds) - _KINDS:,} 种"))
        said = joined(Text(", ", "；"), told)
        return Text(
            f"{n:,} of {of:,} queries got no answer from {self.retriever} and count as empty lists: {said}",
            f"{self.retriever} 对 {of:,} 个查询中的 {n:,} 个没有给出结果，按空列表计：{zh(said)}",
        )


def _row(stage: str, what: str, value: float, ends: Interval, n: int) -> dict[str, Any]:
    low, high = (max(end, 0.0) for end in ends) if not np.isnan(ends.low) else ends
    return {"stage": stage, "latency": what, "ms": value, "low": low, "high": high, "n": n}


def _short(error: str) -> str:
    return cut(error.partition("\n")[0], _WORDS)
