"""What a live retriever uses up for a query: money, tokens, calls.

Cost = mean over queries of what each cost
"""

from __future__ import annotations

from math import inf

from rankgauge._text import Text
from rankgauge.alignment import Array
from rankgauge.alignment.shown import Shown
from rankgauge.errors import ParameterError
from rankgauge.measures.shown.base import OfLists, ShownCase, ShownMeasure, measure, untimed

_FAMILY = Text("Asked: time and failures", "询问：耗时与失败")
_LISTS = {"q1": ["a"], "q2": ["b"], "q3": ["a"]}
_WHAT_COUNTS = Text(
    "It is what the retriever says of a query; where it says it of each of several calls only, their sum. A query of "
    "which it says nothing is left out, as are those that failed: what those cost is not known.",
    "取自检索器对每个查询给出的值；若只对多次调用分别给出，则为其总和。没有给出的查询不计入，失败的查询也不计入："
    "其花费未知。",
)


def _spent(m: ShownMeasure, s: Shown, what: str) -> Array:
    if what not in s.spent:
        raise ParameterError(untimed([m], s))
    return s.spent[what]


@measure(
    title=Text("Cost per query", "每查询费用"),
    family=_FAMILY,
    question=Text("What does a query cost on average?", "一个查询平均花费多少？"),
    formula=Text("Cost = Σ cost / queries that say it", "Cost = Σ 费用 / 给出费用的查询数"),
    aliases=["cost.mean", "mean_cost", "费用"],
    edges=Text(
        f"{_WHAT_COUNTS.en} The unit is the retriever's; `run.collected.total('cost')` is the sum.",
        f"{_WHAT_COUNTS.zh}单位由检索器决定；`run.collected.total('cost')` 为总和。",
    ),
    bounds=(0.0, inf),
    higher_is_better=False,
    needs=["cost"],
    example=ShownCase(_LISTS, "(0.25 + 0.5) / 2", spent={"cost": {"q1": 0.25, "q3": 0.5}}),
    side="speed",
)
class Cost(OfLists):
    """Mean cost of a query, in the unit of the retriever.

    >>> Cost().of({"q1": ["a"], "q2": []}, spent={"cost": {"q1": 0.25, "q2": 0.75}})
    0.5
    """

    counts_all_users = True
    of_spans = True

    def of_lists(self, s: Shown) -> Array:
        return _spent(self, s, "cost")


@measure(
    title=Text("Tokens per query", "每查询 token 数"),
    family=_FAMILY,
    question=Text("How many tokens does a query take on average?", "一个查询平均消耗多少 token？"),
    formula=Text("Tokens = Σ tokens / queries that say it", "Tokens = Σ token 数 / 给出 token 数的查询数"),
    aliases=["tokens.mean", "mean_tokens"],
    edges=_WHAT_COUNTS,
    bounds=(0.0, inf),
    higher_is_better=False,
    needs=["tokens"],
    example=ShownCase(_LISTS, "(300 + 500 + 100) / 3", spent={"tokens": {"q1": 300, "q2": 500, "q3": 100}}),
    side="speed",
)
class Tokens(OfLists):
    """Mean number of tokens of a query.

    >>> Tokens().of({"q1": ["a"], "q2": []}, spent={"tokens": {"q1": 250, "q2": 750}})
    500.0
    """

    counts_all_users = True
    of_spans = True

    def of_lists(self, s: Shown) -> Array:
        return _spent(self, s, "tokens")


@measure(
    title=Text("Calls per query", "每查询调用次数"),
    family=_FAMILY,
    question=Text("How often does the retriever search for a question?", "检索器为一个问题检索多少次？"),
    formula=Text("Calls = Σ calls / queries that did not fail", "Calls = Σ 调用次数 / 没有失败的查询数"),
    aliases=["calls.mean", "mean_calls", "调用次数"],
    edges=Text(
        "Calls are those that the retriever names. Queries that failed are left out.",
        "调用次数由检索器给出。失败的查询不计入。",
    ),
    bounds=(0.0, inf),
    higher_is_better=False,
    needs=["calls"],
    example=ShownCase(_LISTS, "(1 + 3 + 2) / 3", spent={"calls": {"q1": 1, "q2": 3, "q3": 2}}),
    side="speed",
)
class Calls(OfLists):
    """Mean number of calls for a question.

    >>> Calls().of({"q1": ["a"], "q2": []}, spent={"calls": {"q1": 1, "q2": 4}})
    2.5
    """

    counts_all_users = True
    of_spans = True

    def of_lists(self, s: Shown) -> Array:
        return _spent(self, s, "calls")
