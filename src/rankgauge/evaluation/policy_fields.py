"""What a policy can be told: a word out of a few, or a number; checked in one way and described wherever it is typed.

A word may be said for single measures too (`by_measure`): `{"R": "skip", "Hit": "zero"}`, or as text `R=skip,Hit=zero`.
What is not named keeps the word of the policy that it is laid over; `other` names it. A policy keeps one canonical
text of it, the word of all others first (`skip,Hit=zero`), so it is stored, compared and printed like any word.

A policy is a frozen dataclass whose fields are made here. Whoever lets a policy be chosen (arguments, options of
commands, keys of a gate's file, the page of policies) asks `fields_of` instead of keeping a list.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields, replace
from types import MappingProxyType
from typing import Any, Self

from rankgauge._checks import number, one_of, whole
from rankgauge._numbers import short
from rankgauge._show import show
from rankgauge._text import Text, in_language, zh
from rankgauge._words import as_meant
from rankgauge.errors import ParameterError, suggest

__all__ = [
    "OTHER",
    "PolicyField",
    "Worded",
    "check_policy",
    "fields_of",
    "number_above",
    "refuse_other_keywords",
    "whole_number",
    "word_for",
    "words",
    "words_as_text",
    "words_by_measure",
]

_KEY = "policy field"
OTHER = "other"
"""Where words are said by measure: all measures that are not named."""


@dataclass(frozen=True)
class PolicyField:
    """One thing that a policy decides."""

    about: Text
    """What is decided."""
    default: Any = None
    choices: Mapping[str, Text] = field(default_factory=dict)
    """For words: what each means, the default first."""
    became: Mapping[str, Text] = field(default_factory=dict)
    """For words about queries: what each makes of them, in the few words that results are printed with."""
    beside: Mapping[str, str] = field(default_factory=dict)
    """Words that need an argument beside them, which commands and files do not have, and its name."""
    is_told: bool = False
    """Whether results print it also where it is the default."""
    kind: type[Any] = str
    """Of the value: str, int or float."""
    above: float = 0
    at_most: float | None = None
    by_measure: bool = False
    """Whether single measures may have a word of their own."""

    @property
    def typed(self) -> dict[str, Text]:
        """The words that commands and files can choose."""
        return {word: what for word, what in self.choices.items() if word not in self.beside}

    def read(self, name: str, value: Any, below: Any = None) -> Any:
        """The value in plain letters and types, or an error that says what it must be.

        `below` is the value that it is laid over, for words that are said of some measures only.
        """
        if self.by_measure and not (isinstance(value, str) and as_meant(value).strip() in self.choices):
            return self._read_by_measure(name, value, self.default if below is None else below)
        if self.kind is str:
            return one_of(name, value, self.choices)
        if self.kind is int:
            return whole(name, value, at_most=self.at_most, optional=True)  # type: ignore[arg-type]
        found = number(name, value, above=self.above, at_most=self.at_most, optional=True)
        return found if found is None or isinstance(found, int) else float(found)

    def _read_by_measure(self, name: str, value: Any, below: str) -> str:
        """`{"Hit": "zero"}` or `Hit=zero` laid over what holds without it, in one spelling."""
        asked = words_by_measure(value, name)
        if asked is None or not asked:
            one_of(name, value, self.choices)
            raise AssertionError(value)  # pragma: no cover - one_of has raised
        told: dict[str, Any] = {}
        for who, what in asked.items():
            _said_once(name, told, _measure_asking(name, who), what)
        if OTHER not in asked:  # a word for all others starts anew: what was said of single measures before is gone
            told = {**(words_by_measure(below) or {}), **told}
        read = {who: one_of(name, what, self.choices) for who, what in told.items()}
        rest = read.pop(OTHER, self.default)
        return ",".join([rest, *(f"{who}={what}" for who, what in sorted(read.items()) if what != rest)])


def words(
    about: Text,
    *,
    beside: Mapping[str, str] | None = None,
    is_told: bool = True,
    by_measure: bool = False,
    **choices: Text | tuple[Text, Text],
) -> Any:
    """A field that takes one of a few words, the default first; each with what it means, or also with what it did."""
    default = next(iter(choices))
    means = {word: told if isinstance(told, Text) else told[0] for word, told in choices.items()}
    became = {word: told[1] for word, told in choices.items() if not isinstance(told, Text)}
    if became and len(became) < len(choices):  # found out on import, not when such a result is printed
        raise TypeError(f"each of {', '.join(choices)} must say what it did, or none.")
    made = PolicyField(about, default, means, became, beside or {}, is_told, by_measure=by_measure)
    return field(default=default, metadata={_KEY: made})


def words_by_measure(value: Any, name: str = "no_relevant") -> dict[str, Any] | None:
    """The words of single measures as a mapping, that of all others under `other`; None for what is no such thing.

    `name` is that of the field, for errors.

    >>> words_by_measure("skip,Hit=zero"), words_by_measure({"R": "skip"})
    ({'other': 'skip', 'Hit': 'zero'}, {'R': 'skip'})
    """
    if isinstance(value, Mapping):
        return dict(value)
    if not isinstance(value, str):
        return None
    out: dict[str, Any] = {}
    for part in re.split(r"[,，;；\s]+", as_meant(value).strip()):
        who, eq, what = part.partition("=")
        if eq and not (who and what):
            return None
        if part:
            _said_once(name, out, who if eq else OTHER, what if eq else part)
    return out


def _said_once(name: str, told: dict[str, Any], who: str, what: Any) -> None:
    """Raise where another word was said of the same measures before: which is meant cannot be told."""
    if told.setdefault(who, what) != what:
        of = Text("all measures", "所有指标") if who == OTHER else show(who)
        raise ParameterError(
            Text(
                f"`{name}`: {of} must have one word, got {show(told[who])} and {show(what)}.",
                f"`{name}`：{zh(of)} 只能有一个词，实际有 {show(told[who])} 和 {show(what)}。",
            )
        )


def words_as_text(*values: Any) -> str:
    """Words by measure as an option takes them, later ones laid over earlier ones.

    >>> words_as_text("zero", {"R": "skip"})
    'zero,R=skip'
    """
    told: dict[str, Any] = {}
    for value in values:
        said = words_by_measure(value) or {OTHER: value}
        told = said if OTHER in said else {**told, **said}
    return ",".join(str(what) if who == OTHER else f"{who}={what}" for who, what in told.items())


def word_for(told: str, measure: str) -> str:
    """The word that holds for a measure, of the text that a policy keeps."""
    rest, *own = told.split(",")
    return dict(part.split("=", 1) for part in own).get(measure, rest)


def _measure_asking(name: str, who: Any) -> str:
    """The name of a measure that the word can be about, in its own spelling."""
    if who == OTHER:
        return OTHER
    from rankgauge.measures.grammar import parse_ranking  # a policy of plain words needs no measures

    found = parse_ranking(who)
    if found != type(found)():
        raise ParameterError(
            Text(
                f"`{name}` is said of measures by name, such as {found.name}, got {show(who)}: it holds for all "
                "cutoffs and parameters.",
                f"`{name}` 按指标名称设定，例如 {found.name}，实际为 {show(who)}：它对所有截断位置和参数都有效。",
            )
        )
    if not found.relevance:
        raise ParameterError(
            Text(
                f"`{name}` says nothing about {found.name}, which needs no relevant items.",
                f"`{name}` 与 {found.name} 无关：它不需要相关条目。",
            )
        )
    return found.name


def whole_number(about: Text, *, at_most: int) -> Any:
    """A field that takes a whole number from 1 on, or None."""
    return field(default=None, metadata={_KEY: PolicyField(about, kind=int, at_most=at_most)})


def number_above(above: float, about: Text, *, at_most: float | None = None) -> Any:
    """A field that takes a number above a bound, or None."""
    return field(default=None, metadata={_KEY: PolicyField(about, kind=float, above=above, at_most=at_most)})


def fields_of(policy: type[Any]) -> Mapping[str, PolicyField]:
    """What a policy of this class decides, by name; facts that it merely records are not among them."""
    return MappingProxyType({f.name: f.metadata[_KEY] for f in fields(policy) if _KEY in f.metadata})


class Worded:
    """Base of policies: every field is checked when one is made."""

    def __post_init__(self) -> None:
        for name, f in fields_of(type(self)).items():
            object.__setattr__(self, name, f.read(name, getattr(self, name)))

    def _with(self, changes: Mapping[str, Any]) -> Self:
        """The same policy with the given words; None leaves a word as it is."""
        known = fields_of(type(self))
        for name in changes:
            if name not in known:
                raise ParameterError(
                    Text(
                        f"unknown policy {show(name)}.{suggest(name, known)}",
                        f"未知的策略 {show(name)}。{zh(suggest(name, known))}",
                    )
                )
        told = {k: known[k].read(k, v, getattr(self, k)) for k, v in changes.items() if v is not None}
        return replace(self, **told)  # type: ignore[type-var]

    @property
    def told(self) -> str:
        """The words that results print: those that always matter, and those that were chosen."""
        decided = ((name, f, getattr(self, name)) for name, f in fields_of(type(self)).items())
        return " ".join(f"{name}={_plain(value)}" for name, f, value in decided if f.is_told or value != f.default)

    def to_dict(self) -> dict[str, Any]:
        """The policy as plain values, by name."""
        return {f.name: getattr(self, f.name) for f in fields(self)}  # type: ignore[arg-type]


def _plain(value: Any) -> str:
    return short(value) if isinstance(value, float) else str(value)


def refuse_other_keywords(call: Callable[..., Any], given: Mapping[str, Any], policy: type[Any]) -> None:
    """Raise what Python raises for an unknown argument where a function takes the words of a policy as keywords."""
    unknown = [name for name in given if name not in fields_of(policy)]
    if unknown:
        from inspect import signature

        known = [*(p.name for p in signature(call).parameters.values() if p.kind is not p.VAR_KEYWORD)]
        near = suggest(unknown[0], [*known, *fields_of(policy)])
        said = Text(
            f"{call.__name__}() got an unexpected keyword argument {show(unknown[0])}.{near}",
            f"{call.__name__}() 没有名为 {show(unknown[0])} 的参数。{zh(near)}",
        )
        raise TypeError(in_language(said))


def check_policy(policy: Any, wanted: type[Any], caller: str) -> None:
    """Refuse what is no policy of this class."""
    if policy is None or isinstance(policy, wanted):
        return
    name = wanted.__name__
    raise ParameterError(
        Text(
            f"{caller}: `policy` must be a {name}, such as that of an evaluation (ev.policy), got {show(policy)}. "
            f"Pass {name}(…), or single words.",
            f"{caller}：`policy` 必须是 {name}，例如某个评测的策略（ev.policy），实际为 {show(policy)}。请传入 "
            f"{name}(…)，或单个策略词。",
        )
    )
