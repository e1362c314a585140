"""How an evaluation treats what measures leave open: ties, missing queries, unjudged results, averages.

Policies are words, kept in one record that is printed with every result. This is the one place that has them: a new one
is a field of `Policy`, and a key of `PolicyWords` for those who check types. A word about queries comes with what it
did to them, as notes say it. Arguments of `evaluate`, `compare` and the pytest fixture, options of commands, keys of a
gate's file and docs/policies.md follow.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Self, TypedDict, Unpack

from rankgauge._show import show
from rankgauge._text import Text
from rankgauge.errors import ParameterError
from rankgauge.evaluation.policy_fields import (
    Worded,
    fields_of,
    number_above,
    whole_number,
    word_for,
    words,
    words_by_measure,
)

__all__ = ["CHOICES", "DEEPEST_RANK", "Policy", "PolicyWords"]

DEEPEST_RANK = 2**31 - 1
"""The deepest rank that a list can have."""


class PolicyWords(TypedDict, total=False):
    """The words of a policy as keywords; None leaves a word as the policy or the convention has it."""

    ties: str | None
    missing: str | None
    no_relevant: str | Mapping[str, str] | None
    unjudged: str | None
    duplicates: str | None
    average: str | None
    depth: int | None
    rel: float | None
    scores: str | None


@dataclass(frozen=True)
class Policy(Worded):
    """One choice for each policy, a depth at which lists are cut, and the relevance level.

    `evaluate(qrels, run, policy=ev.policy)` treats another run in the same way; words beside it change it one by one.

    >>> print(Policy(ties="input").replace(missing="skip"))
    ties=input missing=skip no_relevant=skip unjudged=irrelevant duplicates=first average=macro
    """

    ties: str = words(
        Text("results with equal scores", "得分相同的结果"),
        doc_id=Text(
            "equal scores in descending order of ids, as trec_eval does", "并列时按 id 降序，与 trec_eval 相同"
        ),
        input=Text("equal scores in the order given", "并列时按给出的顺序"),
        best=Text(
            "equal scores in the most favourable order, for each query and measure",
            "并列时取对每个查询、每个指标最有利的顺序",
        ),
        worst=Text(
            "equal scores in the least favourable order, for each query and measure",
            "并列时取对每个查询、每个指标最不利的顺序",
        ),
        expected=Text("the exact expectation over all orders of equal scores", "对并列结果所有排列的精确期望"),
    )
    missing: str = words(
        Text("judged queries without results", "没有结果的已标注查询"),
        zero=(
            Text("a query without results counts as an empty list", "没有结果的查询按空列表计"),
            Text("counted as empty lists", "按空列表计"),
        ),
        skip=(
            Text("a query without results is left out, and counted", "没有结果的查询不计入，但会计数"),
            Text("left out", "不计入"),
        ),
        error=(
            Text("a query without results is an error", "没有结果的查询是错误"),
            Text("an error", "报错"),
        ),
    )
    no_relevant: str = words(
        Text("queries without relevant items", "没有相关条目的查询"),
        by_measure=True,
        skip=(
            Text("a query without relevant items is left out, and counted", "没有相关条目的查询不计入，但会计数"),
            Text("left out", "不计入"),
        ),
        zero=(
            Text("a query without relevant items counts as 0", "没有相关条目的查询按 0 计"),
            Text("counted as 0", "计为 0"),
        ),
        one=(
            Text("a query without relevant items counts as 1", "没有相关条目的查询按 1 计"),
            Text("counted as 1", "计为 1"),
        ),
        nan=(
            Text("a query without relevant items makes the mean undefined", "没有相关条目的查询使均值无定义"),
            Text("undefined", "无定义"),
        ),
    )
    unjudged: str = words(
        Text("results that nobody judged", "未标注的结果"),
        irrelevant=Text("unjudged results keep their ranks and gain nothing", "未标注的结果保留排名，不得分"),
        remove=Text(
            "unjudged results are taken out of the list, after it is cut at depth",
            "从列表中去掉未标注的结果（先按 depth 截断）",
        ),
    )
    duplicates: str = words(
        Text("items that a list shows twice", "列表中重复出现的条目"),
        first=Text(
            "an item counts where it is shown first, its repeats are taken out and later results move up",
            "条目在首次出现处计分，重复被去除，其后的结果上移",
        ),
        keep=Text(
            "repeats stay in their places and earn nothing; an item counts where it is shown first",
            "重复保留原位、不得分；条目在首次出现处计分",
        ),
        error=Text("an item shown twice is an error", "条目重复出现是错误"),
    )
    average: str = words(
        Text("queries as one number", "查询如何合为一个数"),
        beside={"weighted": Text("weights", "权重")},
        macro=Text("mean over queries", "对查询取平均"),
        micro=Text(
            "pooled numerators over pooled denominators, where a measure has them",
            "分子之和除以分母之和（指标有分子分母时）",
        ),
        weighted=Text("mean over queries by their weights", "按查询权重平均"),
    )
    depth: int | None = whole_number(
        Text("Ignore results beyond this rank (trec_eval -M).", "忽略这一排名之后的结果（trec_eval -M）。"),
        at_most=DEEPEST_RANK,
    )
    rel: float | None = number_above(
        0,
        Text(
            "Lowest relevant grade of measures that do not say their own (trec_eval -l).",
            "没有自行规定的指标所用的最低相关性等级（trec_eval -l）。",
        ),
    )
    scores: str = words(
        Text("precision in which scores are compared", "比较得分时的精度"),
        is_told=False,
        double=Text("scores are compared as they are", "按原值比较得分"),
        single=Text(
            "scores are compared in single precision, as trec_eval 9 does", "按单精度比较得分，与 trec_eval 9 相同"
        ),
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        told = (words_by_measure(self.no_relevant) or {}).values()
        if self.average == "micro" and (odd := next((word for word in told if word in ("one", "nan")), None)):
            raise ParameterError(
                Text(
                    "average='micro' adds up counts, and a query without relevant items cannot be "
                    f"{show(odd)} there. Pass no_relevant='skip' or 'zero', or average='macro'.",
                    f"average='micro' 汇总的是计数，没有相关条目的查询在其中不能是 {show(odd)}。"
                    "请使用 no_relevant='skip' 或 'zero'，或 average='macro'。",
                )
            )

    def no_relevant_for(self, measure: str) -> str:
        """What a query without relevant items is to a measure, by the measure's name.

        >>> Policy(no_relevant="Hit=zero").no_relevant_for("Hit"), Policy(no_relevant="Hit=zero").no_relevant_for("R")
        ('zero', 'skip')
        """
        return word_for(self.no_relevant, measure)

    @property
    def tie_order(self) -> str:
        """How lists are ranked before anything is made of their ties: `"input"` as given, else `"doc_id"`."""
        return "input" if self.ties == "input" else "doc_id"

    @property
    def level(self) -> float:
        """The lowest relevant grade where a measure does not say its own."""
        return 1 if self.rel is None else self.rel

    @property
    def is_single(self) -> bool:
        """Whether scores are compared in single precision."""
        return self.scores == "single"

    def replace(self, **changes: Unpack[PolicyWords]) -> Self:
        """The same policy with the given words; None leaves a word as it is."""
        return self._with(changes)

    def __str__(self) -> str:
        return self.told


CHOICES: Mapping[str, Mapping[str, Text]] = {name: f.choices for name, f in fields_of(Policy).items() if f.choices}
"""For each policy its words, the default first, and what each one means."""
