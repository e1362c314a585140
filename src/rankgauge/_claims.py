"""What a sentence claims, as data, so that it can be checked.

A sentence is a number too. Whatever the product says of a result (a verdict, a finding, a headline, a note) is a
`Statement`: a text in two languages that carries its claims, each one thing that is so or not. Tests compute every
claim naively from the input and compare; `CLAIMS` is the whole vocabulary, and each word of it has its checker there.

>>> said = Statement("new has nDCG@10 0.5.", "new 的 nDCG@10 为 0.5。", [Claim("mean", 0.5, "nDCG@10", "new")])
>>> said.claims[0].value
0.5
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any, Self

from rankgauge._show import show
from rankgauge._text import Text, composed, in_language, joined
from rankgauge.errors import ParameterError

__all__ = ["CLAIMS", "Claim", "Statement", "claimed", "claims_of", "of_slice", "of_system", "phrase", "together"]

CLAIMS = {
    "mean": "the mean of `measure` of `system` is `value`, over the queries that `against` counts too where given",
    "mean to depth": "that mean is `value` where lists are cut at `against` results",
    "low": "the interval of that mean begins at `value`",
    "high": "the interval of that mean ends at `value`",
    "n": "`value` queries (or units) count in `measure` of `system`, and of `against` where given",
    "difference": "`measure` of `system` minus that of `against`, paired, is `value`",
    "difference low": "the interval of that difference begins at `value`",
    "difference high": "the interval of that difference ends at `value`",
    "verdict": "`system` is `value` (better, worse, equivalent, inconclusive, unchanged, untested) beside `against` in "
    "`measure`",
    "verdict of pairs": "the same, where all pairs of systems are tested and corrected together",
    "standing": "`system` is `value` (dominated, undominated, open) among all systems in the measures `measure`, which "
    "stand with commas between them",
    "dominates": "`system` is surely not worse than `against` in any of the measures `measure`, and better in one",
    "seems to dominate": "the values alone have `system` nowhere worse than `against` in these, and better in one",
    "family of pairs": "`value` tests were made of all pairs of systems in all measures",
    "family": "`value` comparisons were made together",
    "if judged low": "no grades of what is not judged could bring that difference below `value`",
    "if judged high": "no grades of what is not judged could bring that difference above `value`",
    "ceiling": "no ranking of these judgements could have a mean of `measure` above `value`",
    "reachable": "no order of what the stage `system` holds could have a mean of `measure` above `value`; without one, "
    "of all judged items",
    "recall of channels": "`value` is the mean share of a query's relevant items that all channels together hold",
    "adds": "`value` is the recall of all channels minus that of all but `system`",
    "adds low": "the interval of what `system` adds begins at `value`",
    "adds high": "the interval of what `system` adds ends at `value`",
    "lost": "`value` is the share of the relevant items that the step `measure` of a funnel loses",
    "lost with room": "`value` is the share of the relevant items that the step `measure` of a funnel loses though the "
    "first k had room for them",
    "band": "the mean of `measure` of `system` lies in the band called `value`",
    "band beside ceiling": "that mean over its ceiling lies in the band called `value`",
    "lowest band": "the interval of that mean begins in the band called `value`",
    "highest band": "the interval of that mean ends in the band called `value`",
    "share of ceiling": "`value` is `against` (a figure) times the ceiling of `measure`",
    "popular": "lists of the most popular items that are new to each user would have a mean of `measure` of `value`, "
    "over the users that `system` counts",
    "times popular": "the mean of `measure` of `system` is `value` times that",
    "times popular low": "the interval of that quotient, paired by user, begins at `value`",
    "times popular high": "the interval of that quotient ends at `value`",
    "pooled": "`measure` of `system`, pooled over the items of all queries, is `value`",
    "below": "`measure` of `system` is surely below `value`: its whole interval is",
    "above": "`measure` of `system` is surely above `value`: its whole interval is",
    "mean in slice": "the mean of `measure` of `system` over the queries with `against` (attribute=value) is `value`",
    "mean outside slice": "the same over all other queries",
    "n in slice": "`value` queries with `against` count in `measure` of `system`",
    "tie width": "the order of tied results can move the mean of `measure` of `system` by `value`",
    "median first rank": "of first relevant results of `system` within `measure` ranks half are at `value` or before",
    "differing": "`value` queries have another `measure` in `system` than in `against`",
    "differing only by unjudged": "so many of them show the same judged items in the same order in both",
    "differing only by ties": "so many of them would not differ in that direction under another order of tied results",
    "cutoff": "`measure` looks at the first `value` results",
    "first rank beyond": "`value` is the first rank that `measure` does not look at",
    "turned": "`measure` of `system` would be `value` if its scores were turned round",
    "case": "order and probability of `system` are `value` (ideal, calibrate, uninformative, rebuild, unclear)",
    "detectable": "the smallest difference that queries of `measure`, `system`, `against` find 4 times in 5, corrected",
    "more": "so many more queries would settle the difference of `system` and `against` in `measure`",
    "p": "a p-value: `value` or below it, after correction",
    "given": "`value` was given by the user under the name `measure`",
    "benchmark": "a figure that a standard or a rule asks for: not computed from the input",
    "count": "`value` is the number that `measure` names, of `system` (and of `against` where given)",
    "share": "`value` is the share that `measure` names, of `system`",
    "share low": "the exact interval of the share that `measure` names, of `system`, begins at `value`",
    "share high": "that interval ends at `value`",
    "lift": "`value` is the share of right answers where gold was retrieved, minus that where it was not, of "
    "`system`, in points of percent",
    "lift low": "the interval of that difference begins at `value`",
    "lift high": "the interval of that difference ends at `value`",
    "fault": "more than half of the wrong answers of `system` surely lack what counts as retrieved (`value` is "
    "retrieval) or surely have it (generation), neither is sure (unclear), or no answer is wrong (none)",
    "outcome": "the gate says `value` (pass, fail, inconclusive)",
    "checks": "`value` rules of the gate came to `measure` (pass, fail, inconclusive; empty: all rules; not certain: "
    "pass by a value whose interval does not reach the limit)",
    "alerts": "`value` of what is watched is in the state `measure`; all of it where that is empty",
    "alert outcome": "all that is watched comes to `value` (pass, fail, broken, inconclusive)",
    "stored value": "`measure` of the entry `system` of a history is `value`",
    "stored low": "the interval of that number begins at `value`",
    "stored high": "the interval of that number ends at `value`",
    "stored n": "so many queries (or units) count in it",
    "stored change": "`measure` of the entry `system` minus that of the entry `against`, over the queries that both "
    "count, is `value`; or minus `against` where that is a number",
    "stored change low": "the interval of that change begins at `value`",
    "stored change high": "the interval of that change ends at `value`",
    "stored common": "so many queries count in both",
    "mean of entries": "the plain mean of `measure` over the entries `system`, which stand with commas between them",
    "change of entries": "that mean minus the one over the entries `against`, or minus `against` where it is a number",
    "change of entries low": "the 95% interval of that change begins at `value`",
    "change of entries high": "the 95% interval of that change ends at `value`",
    "wider": "the entries `system` lie `value` times as far apart in `measure` as their standard errors say, which is "
    "no chance (5%)",
    "allowed": "`value` is half the median standard error of `measure` of the entries `system`, taken so much wider, "
    "and more where they are fewer than 12",
    "entries": "`value` entries are named in `system`",
    "at": "the entry `system` was measured at `value`",
    "points": "a series has `value` points; those that begin after a break where `measure` is break, and so with step",
    "suspicion": "the input check `value` holds for `system`",
    "evidence": "the input check `against` has seen `value` under the name `measure` in `system`",
}
"""What can be claimed, and what each word means."""


@dataclass(frozen=True, slots=True)
class Claim:
    """One thing that is so or not."""

    what: str
    value: Any
    measure: str = ""
    system: str = ""
    against: str = ""
    level: float | None = None
    """Of an interval, where it is not that of the record."""
    slice: str = ""
    """The slice of queries that it is about, as attribute=value; empty for all."""

    def __post_init__(self) -> None:
        if self.what not in CLAIMS:
            raise ParameterError(
                Text(
                    f"a claim must be one of {', '.join(CLAIMS)}, got {show(self.what)}.",
                    f"论断必须是 {', '.join(CLAIMS)} 之一，实际为 {show(self.what)}。",
                )
            )


class Statement(Text):
    """A text with what it claims."""

    __slots__ = ("claims",)
    claims: tuple[Claim, ...]

    def __new__(cls, en: str, zh: str, claims: Iterable[Claim] = ()) -> Self:
        self = super().__new__(cls, en, zh)
        self.claims = tuple(claims)
        return self

    def __getnewargs__(self) -> tuple[str, str, tuple[Claim, ...]]:  # type: ignore[override]
        return self.en, self.zh, self.claims

    def __add__(self, other: str) -> Statement:
        said = together("", [self, other])
        return self.saying(said.en, said.zh, said.claims)

    def __radd__(self, other: str) -> Statement:
        said = together("", [other, self])
        return self.saying(said.en, said.zh, said.claims)


def claims_of(text: object) -> tuple[Claim, ...]:
    """What a text claims; nothing where it is no statement."""
    return text.claims if isinstance(text, Statement) else ()


def phrase(en: str, zh: str, *values: Any, claims: Iterable[Claim] = ()) -> Statement:
    """The same sentence in both languages around the same values; a value that is a text is said in its language.

    What the values claim, the sentence claims, and what else is said of it.

    >>> phrase("{} of {} queries", "{1} 个查询中的 {0} 个", 1, 3).of("zh")
    '3 个查询中的 1 个'
    """
    said = composed(en, zh, *values)
    carried = [claim for v in values for claim in claims_of(v)]
    return Statement(said.en, said.zh, [*claims, *carried])


def claimed(text: str, what: str, value: Any, *about: Any, **more: Any) -> Statement:
    """A number or a word with what it claims (see `Claim`), ready to stand in a sentence.

    >>> said = phrase("{} has {}", "{} 有 {}", "new", claimed("0.5", "mean", 0.5, "RR", "new"))
    >>> said, said.claims[0].value
    ('new has 0.5', 0.5)
    """
    return Statement(in_language(text, "en"), in_language(text, "zh"), [Claim(what, value, *about, **more)])


def of_system(text: Statement, name: str) -> Statement:
    """The same said of a system under the name that it has here: two runs of one name are told apart by a page."""
    return Statement(text.en, text.zh, [replace(claim, system=name) for claim in text.claims])


def of_slice(text: Statement, name: str) -> Statement:
    """The same said of the queries of a slice (attribute=value)."""
    return Statement(text.en, text.zh, [replace(claim, slice=name) for claim in text.claims])


def together(separator: str, texts: Iterable[str]) -> Statement:
    """Sentences one after the other, with all that they claim."""
    parts = list(texts)
    said = joined(separator, parts)
    claims = [claim for t in parts for claim in claims_of(t)]
    return Statement(in_language(said, "en"), in_language(said, "zh"), claims)
