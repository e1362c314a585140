"""How long a live retriever takes, and how often it gives no answer.

latency.p95 = the time within which 95% of queries are answered, in milliseconds
"""

from __future__ import annotations

from math import inf

from rankgauge._text import Text
from rankgauge.alignment import Array
from rankgauge.alignment.shown import Shown
from rankgauge.errors import ParameterError
from rankgauge.measures.base import number
from rankgauge.measures.shown.base import OfLists, OfQuantile, ShownCase, ShownMeasure, measure, untimed

_FAMILY = Text("Asked: time and failures", "询问：耗时与失败")
_MS = Text("ms", "毫秒")
_PERCENT = Text("percent of queries", "查询的百分比")
_LISTS = {"q1": ["a"], "q2": ["b"], "q3": ["a"], "q4": []}
_SECONDS = {"q1": 0.010, "q2": 0.040, "q3": 0.020, "q4": None}
_WHAT_COUNTS = Text(
    "The time of a query is that of all its calls together. One that timed out counts with the time it was waited for, "
    "which it takes at least; one that ended in an error is left out and counts in Failures.",
    "一个查询的耗时是其全部调用之和。超时的查询按已等待的时间计（实际至少这么久）；出错的查询不计入，而计入 Failures。",
)


def _times(m: ShownMeasure, s: Shown) -> tuple[Array, Array]:
    """Seconds of each list, and 1 where there was no answer."""
    if s.seconds is None or s.failed is None:
        raise ParameterError(untimed([m], s))
    return s.seconds, s.failed


@measure(
    title=Text("Mean latency", "平均延迟"),
    family=_FAMILY,
    question=Text("How many milliseconds does a query take on average?", "一个查询平均需要多少毫秒？"),
    formula=Text("Latency = Σ seconds · 1000 / queries that count", "Latency = Σ 秒数 · 1000 / 计入的查询数"),
    aliases=["latency.mean", "mean_latency", "latency_ms", "response_time", "延迟", "响应时间"],
    edges=_WHAT_COUNTS,
    bounds=(0.0, inf),
    higher_is_better=False,
    needs=["timings"],
    example=ShownCase(_LISTS, "(10 + 40 + 20) / 3", seconds=_SECONDS),
    side="speed",
)
class Latency(OfLists):
    """Mean time of a query, in milliseconds.

    >>> Latency().of({"q1": ["a"], "q2": []}, seconds={"q1": 0.25, "q2": 0.75})
    500.0
    """

    counts_all_users = True
    of_spans = True
    unit = _MS
    is_latency = True

    def of_lists(self, s: Shown) -> Array:
        return 1000 * _times(self, s)[0]


@measure(
    title=Text("Latency percentile", "延迟分位数"),
    family=_FAMILY,
    question=Text("Within how many milliseconds are p percent of queries answered?", "p% 的查询在多少毫秒内得到返回？"),
    formula=Text(
        "LatencyQuantile(p) = the smallest latency that at least p percent of queries do not exceed",
        "LatencyQuantile(p) = 至少 p% 的查询不超过的最小延迟",
    ),
    spellings={f"latency.p{p}": {"p": p} for p in (50, 75, 90, 95, 99)}
    | {"median_latency": {"p": 50}, "延迟中位数": {"p": 50}},
    edges=Text(
        f"{_WHAT_COUNTS.en} It is a time that was seen, nothing between two of them. The interval is that of order "
        "statistics; where there are too few queries to reach beyond the percentile (fewer than 72 for p95, fewer than "
        "368 for p99, at 95%), its upper end is not known.",
        f"{_WHAT_COUNTS.zh}取值是实际观测到的延迟，不做插值。置信区间来自次序统计量；查询太少、够不到该分位数之外时"
        "（95% 下，p95 少于 72 个，p99 少于 368 个），上端未知。",
    ),
    reference="David & Nagaraja (2003), Order statistics, 7.1; Woodruff (1952)",
    same={
        "NumPy": Text("percentile(…, method='inverted_cdf')", "percentile(…, method='inverted_cdf')"),
    },
    differs={"NumPy": Text("percentile interpolates by default", "percentile 默认做线性插值")},
    bounds=(0.0, inf),
    higher_is_better=False,
    needs=["timings"],
    example=ShownCase(_LISTS, "20", seconds=_SECONDS, params={"p": 50}),
    side="speed",
)
class LatencyQuantile(OfQuantile):
    """Time within which p percent of queries are answered, in milliseconds.

    >>> LatencyQuantile(p=50).of({"q1": ["a"], "q2": [], "q3": []}, seconds={"q1": 0.25, "q2": 0.75, "q3": 0.5})
    500.0
    """

    p: float = number(
        95, low=0, high=100, open_low=True, open_high=True, doc=Text("percent of queries", "查询的百分比")
    )

    counts_all_users = True
    of_spans = True
    unit = _MS
    is_latency = True

    @property
    def quantile(self) -> float:
        return self.p / 100

    def of_lists(self, s: Shown) -> Array:
        return 1000 * _times(self, s)[0]


@measure(
    title=Text("Failures", "失败率"),
    family=_FAMILY,
    question=Text("Which share of queries gets no answer?", "有多大比例的查询没有得到返回？"),
    formula=Text(
        "Failures = queries whose last call timed out or raised an error / queries",
        "Failures = 最后一次调用超时或出错的查询数 / 查询数",
    ),
    aliases=["failure_rate", "error_rate"],
    edges=Text(
        "An empty list is an answer. A query that is answered after another attempt is none of them. The interval is "
        "Wilson's, so that no failure in n queries leaves up to about 4 / n possible.",
        "返回空列表不算失败。重试后得到返回的查询不算失败。置信区间用 Wilson 方法："
        "n 个查询无一失败时，失败率仍可能高达约 4 / n。",
    ),
    higher_is_better=False,
    needs=["timings"],
    example=ShownCase(_LISTS, "1 / 4", seconds=_SECONDS),
    side="answers",
)
class Failures(OfLists):
    """Share of queries without an answer.

    >>> Failures().of({"q1": ["a"], "q2": []}, seconds={"q1": 0.25, "q2": None})
    0.5
    """

    counts_all_users = True
    of_spans = True

    @property
    def is_share(self) -> bool:
        return True

    def of_lists(self, s: Shown) -> Array:
        return _times(self, s)[1]
