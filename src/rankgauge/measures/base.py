"""What a measure is: a frozen value with a name, parameters, and a few lines over an alignment.

    @measure(title="Reciprocal rank", aliases=["MRR"], …)
    class RR(Measure):
        k: int | None = cutoff()
        rel: float = level()

        def per_query(self, a):
            return reciprocal(a.first_rank(a.relevant(self.rel) & a.within(self.k)))

The name, the parameters and their text are those of every `Definition`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, Self, TypedDict, Unpack

import numpy as np

from rankgauge._checks import one_of
from rankgauge._text import Text
from rankgauge.alignment import Alignment, Array
from rankgauge.alignment.costs import Budget
from rankgauge.alignment.single import Grades, one_list
from rankgauge.alignment.ties import affordable, condensed, fractional, truncated
from rankgauge.errors import ParameterError
from rankgauge.measures._headings import profiles
from rankgauge.measures._tie_orders import expectation, lattice_mean, order_mean
from rankgauge.measures.definition import Definition, RecordWords, Registry, SpokenWords, Variant, fold
from rankgauge.measures.parameters import Param, budgets, choice, cutoff, gains, level, number, numbers, switch

__all__ = [
    "ALIASES",
    "BUDGET",
    "BY_FOUND",
    "RANKINGS",
    "REGISTRY",
    "SEVERAL_AT_ONCE",
    "Example",
    "Grades",
    "Measure",
    "OwnWords",
    "Param",
    "Variant",
    "choice",
    "cutoff",
    "divide",
    "fold",
    "gains",
    "level",
    "measure",
    "number",
    "numbers",
    "switch",
    "without_costs",
]

BY_FOUND = Text("it divides by what was found", "它以检索到的结果为分母")
"""Why the judgement of another result can move a measure either way."""

SEVERAL_AT_ONCE = Text(
    "norm=min asks how many items k results can hold, and a piece can meet several needs at once",
    "norm=min 问的是 k 条结果最多能含多少条目，而一个文本块可以同时满足多个信息点",
)
"""Why spans have no norm=min."""


# the record


@dataclass(frozen=True)
class Example:
    """A list small enough to check by hand.

    `shown` are grades in rank order (None = not judged), `missed` the grades of judged items that the
    list does not show, `sum` the arithmetic as a Python expression.
    """

    shown: Sequence[Grades]
    sum: str
    missed: Sequence[Grades] = ()
    params: Mapping[str, Any] = field(default_factory=dict)
    why: str = ""
    """In words, where the arithmetic is a mere number."""


WHEN_JUDGED = ("never hurts", "count", "ideal")
"""What an unjudged result can do that turns out relevant."""


class Measure(Definition):
    """Base of all ranking measures."""

    needs: ClassVar[frozenset[str]] = frozenset({"grade"})
    example: ClassVar[Example | None] = None
    additive: ClassVar[bool] = False
    """Whether per_query over a fractional alignment is the exact expectation over tie orders."""
    monotone: ClassVar[bool] = False
    """Whether the value never falls when an item changes places with one of a lower grade above it.

    Results without a judgement stand between grades above 0 and others.
    """
    stepwise: ClassVar[bool] = False
    """Whether reading a list on by one result changes `steps` by what that result, its rank and the multiset of results
    above it decide, whatever their order."""
    binary: ClassVar[bool] = False
    """Whether only `rel` tells items apart: those that are not relevant are like unjudged ones."""
    of_places: ClassVar[bool] = False
    """Whether it asks of each place if it was judged, not what was found there for the first time."""
    breadth: ClassVar[int] = 1
    """Judged items that a list has at least the cost of."""
    custom: ClassVar[bool] = False
    """Whether a user made it."""
    relevance: ClassVar[bool] = True
    """Whether a query without relevant items leaves the measure undefined (policy no_relevant)."""
    trailing: ClassVar[tuple[str, ...]] = ("judged_only", "budget")

    when_judged: ClassVar[str] = ""
    """What an unjudged result does that turns out relevant: `"never hurts"` where it raises the value of a list that
    shows it and that of no other; `"count"` and `"ideal"` where numerator and denominator both grow, the latter by one,
    or with an ideal list; nothing where it is not known."""
    in_order: ClassVar[bool] = False
    """Whether the value is a sum whose terms depend only on what stands at a rank and above it."""
    shown_costs: ClassVar[bool] = False
    """Whether a result that is not relevant lowers the value: the best list may be a short one."""
    reaches_one: ClassVar[bool] = False
    """Whether a perfect list has 1, whatever is judged."""
    of_spans: ClassVar[bool] = False
    """Whether it has a meaning where gold is spans of documents, and each result newly covers some of it."""
    by_whole_needs: ClassVar[bool] = True
    """Whether gold that is a span counts only where it is found, and not for the parts of it that are covered."""
    best_place: ClassVar[int | None] = None
    """The place at which one result makes the value the best, whatever is below; None where there is no such place."""
    same_with_one: ClassVar[str] = ""
    """The measure that it is the same number as where a query has one relevant item."""

    @property
    def by_gain(self) -> bool:
        """Whether it asks how much each result adds, and not which results are relevant."""
        return False

    def reading(self, a: Alignment) -> Alignment:
        """The rows that it reads: within its budget; of spans, what places add, or where needs are found."""
        if self.budget is not None:
            if a.costs is None:
                raise ParameterError(without_costs(str(self)))
            a = affordable(a, self.budget)
        return a if a.gains is None or not self.by_gain else a.gains

    def beyond_spans(self) -> str | None:
        """Why it cannot be asked where gold is spans; None where it can."""
        if self.custom or not self.of_spans:
            return Text("it is not defined for gold that is spans of documents", "它对片段形式的标准答案没有定义")
        if self.judged_only:
            return Text("with spans there are no unjudged results to leave out", "片段标注没有可去掉的未标注结果")
        return None

    # what each measure says

    def per_query(self, a: Alignment) -> Array:
        """One value per query, all queries at once."""
        numerator, denominator = self.ratio(a)
        return divide(numerator, denominator)

    def ratio(self, a: Alignment) -> tuple[Array, Array]:
        """Numerator and denominator per query, where the measure is such a ratio: pooled for micro averages."""
        raise NotImplementedError

    @property
    def has_ratio(self) -> bool:
        return type(self).ratio is not Measure.ratio

    def defined(self, a: Alignment) -> Array:
        """Queries for which the measure says something: by default those with a relevant item."""
        if not self.relevance:
            return np.ones(a.n_queries, dtype=bool)
        return a.n_relevant(getattr(self, "rel", None) or 1e-300) > 0

    # what ties do to it

    def expected(self, a: Alignment) -> Array:
        """Exact expectation over all orders of tied results; every query of `a` has some."""
        if self.additive:
            return self.per_query(fractional(a))
        return lattice_mean(self, a) if self.stepwise else order_mean(self, a)

    def merit(self, a: Alignment) -> Array | None:
        """How good it is to meet each item early, where the orders by merit have the least and the greatest value.

        Unjudged results have merit 0. None: it depends on what else is met.
        """
        return a.grade if self.monotone else None

    def kinds(self, a: Alignment) -> Array:
        """What each item is to this measure: equal numbers are alike, NaN is like an unjudged result."""
        if self.binary:
            return np.where(a.relevant(self.rel), 1.0, np.nan)  # type: ignore[attr-defined]
        return self.items(a)

    def items(self, a: Alignment) -> Array:
        """What tells each judged item from others and from unjudged results, as numbers."""
        if a.groups is not None and (self.custom or self.needs & {"groups", "subtopics"}):
            return profiles(a, a.groups.grade, kept=True)
        return a.grade

    def looks_at(self, a: Alignment, *, ends: bool = False) -> int | None:
        """The rank of a cut whose whole set of results the value depends on; None where there is no such cut.

        With `ends` only the least and the greatest value are asked for: None also where merit finds them all the same.
        """
        return None

    def steps(self, a: Alignment) -> Array:
        """What changes step by step where a measure is stepwise: the numerator of a ratio, or the value."""
        return self.ratio(a)[0] if self.has_ratio else self.per_query(a)

    def of_steps(self, a: Alignment, steps: Array) -> Array:
        """The value of such a sum; what it is divided by is the same in every order."""
        return divide(steps, self.ratio(a)[1]) if self.has_ratio else steps

    def bind(self, a: Alignment) -> Self:
        """The measure with parameters that depend on the judgements filled in."""
        return self

    def unbounded(self) -> str | None:
        """Why it is not known how far judging more results could move the value; None where it is."""
        if self.budget is not None:
            return Text("lists end where the budget does", "列表在预算用完处结束")
        if not self.when_judged:
            return Text("it is not known how a new relevant result moves it", "新增的相关结果会如何影响它是未知的")
        return (
            Text("it leaves unjudged results out of the list", "它把未标注的结果从列表中去掉")
            if self.judged_only
            else None
        )

    def parts(self, a: Alignment) -> tuple[Array, Array]:
        """Numerator and denominator, also of a measure of which these are not pooled."""
        return self.ratio(a)

    @property
    def adds_in_order(self) -> bool:
        """Whether what a result adds depends on nothing below it."""
        return self.in_order

    @property
    def exponential(self) -> bool:
        """Whether gains double with each grade, so that a few huge grades decide everything."""
        return getattr(self, "gain", None) == "exponential"

    # the best that a list can reach

    @property
    def has_level(self) -> bool:
        """Whether a grade makes items relevant; in nDCG, `rel` is None unless gains are cut by it."""
        return "rel" in self.params and self.params["rel"].default == 1

    @property
    def has_ceiling(self) -> bool:
        """Whether a list in order of grades is the best there is."""
        by_grade = self.needs <= {"grade", "nonrelevant"} and self.budget is None  # what others cost is not known
        return self.summary in ("mean", "geometric") and by_grade and self.direction > 0 and not self.shown_costs

    @property
    def perfect_from(self) -> float | None:
        """The lowest grade that a perfect list shows; None: it shows everything judged."""
        return self.rel if self.has_level and "nonrelevant" not in self.needs else None  # type: ignore[attr-defined]

    def most_with(self, n_relevant: Array | float) -> Array | float:
        """What no list goes beyond where so many items are relevant: for each of the numbers, or one for all of them.

        Also of spans, of which one result may hold several. NaN where it is not known.
        """
        return 1.0 if self.reaches_one else float("nan")

    # what callers use

    def values(self, a: Alignment, *, expected: bool = False) -> Array:
        """One value per query under the alignment's order, or expected over its ties."""
        a = whole = self.reading(a)
        if expected and a.depth is not None:
            a = truncated(a, a.depth)  # tie blocks may go beyond it
        out = self.per_query(condensed(a) if self.judged_only else a)
        if expected and self.summary != "none" and whole.tied.any():
            out[whole.tied] = expectation(self, whole.of_queries(whole.tied))
        return out

    def says(self, a: Alignment) -> Array:
        """Queries for which the measure says something about the list that it looks at, as a mask."""
        a = self.reading(a)
        return self.defined(condensed(a) if self.judged_only else a)

    def of(self, grades: Sequence[Grades], missed: Sequence[Grades] = ()) -> float | str:
        """Value of one list, given as grades in rank order (None = not judged).

        `missed` are the grades of judged items that the list does not show. A tuple instead of a grade gives
        the item's grades under several headings, for measures over subtopics or groups of assessors.
        """
        a = one_list(grades, missed)
        value: Any = self.bind(a).values(a)[0]
        return value if isinstance(value, str) else float(value)

    judged_only: bool = False
    budget: Budget | None = None


def without_costs(measure: str) -> Text:
    """What to do where a measure has a budget and nobody knows what results cost."""
    return Text(
        f"{measure} needs the texts of results, to know how long they are. Pass documents=… (texts by id).",
        f"{measure} 需要结果的文本才能知道长度。请传入 documents=…（按 id 给出文本）。",
    )


_ONLY_JUDGED = switch(False, Text("leave unjudged results out of the list first", "先从列表中去掉未标注结果"))
BUDGET = replace(budgets(), name="budget")
Measure.params = {"judged_only": replace(_ONLY_JUDGED, name="judged_only"), "budget": BUDGET}


def divide(numerator: Array, denominator: Array) -> Array:
    """numerator / denominator, 0 where the denominator is 0."""
    top, bottom = np.asarray(numerator, dtype=np.float64), np.asarray(denominator, dtype=np.float64)
    out: Array = np.divide(top, bottom, out=np.zeros(np.broadcast(top, bottom).shape), where=bottom != 0)
    return out


# the registry


class OfRankings(TypedDict, total=False):
    """What only the record of a measure of rankings may say; `Measure` says what each word means."""

    example: Example | None
    summary: str
    additive: bool
    monotone: bool
    stepwise: bool
    binary: bool
    relevance: bool
    when_judged: str
    in_order: bool
    shown_costs: bool
    reaches_one: bool
    same_with_one: str
    of_spans: bool


class RankingWords(RecordWords, OfRankings, total=False):
    """What the record of a measure of rankings may say."""


class OwnWords(SpokenWords, OfRankings, total=False):
    """The same of a measure that a user makes of a function, which says most of it by itself."""

    title: str
    family: str
    question: str
    formula: str


RANKINGS: Registry[Measure] = Registry(Text("rankings", "排序"), Measure, RankingWords)
REGISTRY = RANKINGS.measures
"""Every measure of rankings by its canonical name, in the order of definition."""
ALIASES = RANKINGS.aliases
"""Folded spelling → canonical name and the parameters that the spelling implies."""


def measure(**record: Unpack[RankingWords]) -> Callable[[type[Measure]], type[Measure]]:
    """Registers a measure: its names, what it says, and where else the same number is found."""
    if when := record.get("when_judged"):
        one_of("when_judged", when, WHEN_JUDGED, caller=record["title"])
    return RANKINGS.registering({**record, "stepwise": record.get("stepwise") or record.get("additive", False)})
