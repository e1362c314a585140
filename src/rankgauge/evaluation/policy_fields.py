"""What a policy can be told: a word out of a few, or a number; checked in one way and described wherever it is typed.

A policy is a frozen dataclass whose fields are made here. Whoever lets a policy be chosen (arguments, options of
commands, keys of a gate's file, the page of policies) asks `fields_of` instead of keeping a list.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields, replace
from types import MappingProxyType
from typing import Any, Self

from rankgauge._checks import number, one_of, whole
from rankgauge._numbers import short
from rankgauge._show import show
from rankgauge._text import Text
from rankgauge.errors import ParameterError, suggest

__all__ = [
    "PolicyField",
    "Worded",
    "check_policy",
    "fields_of",
    "number_above",
    "refuse_other_keywords",
    "whole_number",
    "words",
]

_KEY = "policy field"


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

    @property
    def typed(self) -> dict[str, Text]:
        """The words that commands and files can choose."""
        return {word: what for word, what in self.choices.items() if word not in self.beside}

    def read(self, name: str, value: Any) -> Any:
        """The value in plain letters and types, or an error that says what it must be."""
        if self.kind is str:
            return one_of(name, value, self.choices)
        if self.kind is int:
            return whole(name, value, at_most=self.at_most, optional=True)  # type: ignore[arg-type]
        found = number(name, value, above=self.above, at_most=self.at_most, optional=True)
        return found if found is None or isinstance(found, int) else float(found)


def words(
    about: Text,
    *,
    beside: Mapping[str, str] | None = None,
    is_told: bool = True,
    **choices: Text | tuple[Text, Text],
) -> Any:
    """A field that takes one of a few words, the default first; each with what it means, or also with what it did."""
    default = next(iter(choices))
    means = {word: told if isinstance(told, Text) else told[0] for word, told in choices.items()}
    became = {word: told[1] for word, told in choices.items() if not isinstance(told, Text)}
    if became and len(became) < len(choices):  # found out on import, not when such a result is printed
        raise TypeError(f"each of {', '.join(choices)} must say what it did, or none.")
    made = PolicyField(about, default, means, became, beside or {}, is_told)
    return field(default=default, metadata={_KEY: made})


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
                raise ParameterError(f"unknown policy {show(name)}.{suggest(name, known)}")
        return replace(self, **{k: v for k, v in changes.items() if v is not None})  # type: ignore[type-var]

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
        raise TypeError(f"{call.__name__}() got an unexpected keyword argument {show(unknown[0])}.{near}")


def check_policy(policy: Any, wanted: type[Any], caller: str) -> None:
    """Refuse what is no policy of this class."""
    if policy is None or isinstance(policy, wanted):
        return
    name = wanted.__name__
    raise ParameterError(
        f"{caller}: `policy` must be a {name}, such as that of an evaluation (ev.policy), got {show(policy)}. "
        f"Pass {name}(…), or single words."
    )
