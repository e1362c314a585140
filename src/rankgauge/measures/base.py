"""What a measure is: a frozen value with a name, parameters, and a few lines over an alignment.

    @measure(title="Reciprocal rank", aliases=["MRR"], …)
    class RR(Measure):
        k: int | None = cutoff()
        rel: float = level()

        def per_query(self, a):
            return reciprocal(a.first_rank(a.relevant(self.rel) & a.within(self.k)))

Measures can be dict keys; `parse(str(m)) == m`; parameters at their defaults are not printed.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Self

import numpy as np

from rankgauge.alignment import Alignment, Array
from rankgauge.alignment.single import Grades, one_list
from rankgauge.alignment.ties import condensed, every_order, fractional
from rankgauge.errors import ParameterError, suggest
from rankgauge.measures.parameters import Param, choice, cutoff, gains, level, number, numbers, switch

__all__ = [
    "ALIASES",
    "REGISTRY",
    "Example",
    "Grades",
    "Measure",
    "Param",
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
]

REGISTRY: dict[str, type[Measure]] = {}
"""Every measure by its canonical name, in the order of definition."""

ALIASES: dict[str, tuple[str, dict[str, Any]]] = {}
"""Folded spelling → canonical name and the parameters that the spelling implies."""


def fold(name: str) -> str:
    """Spellings that differ by case, blanks, hyphens or underscores are one name."""
    return re.sub(r"[^a-z0-9]", "", name.replace("α", "alpha").casefold())


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


class Measure:
    """Base of all ranking measures."""

    # what the decorator fills in
    name: ClassVar[str] = ""
    title: ClassVar[str] = ""
    question: ClassVar[str] = ""
    formula: ClassVar[str] = ""
    edges: ClassVar[str] = ""
    reference: ClassVar[str] = ""
    family: ClassVar[str] = ""
    aliases: ClassVar[tuple[str, ...]] = ()
    same: ClassVar[Mapping[str, str]] = {}
    differs: ClassVar[Mapping[str, str]] = {}
    bounds: ClassVar[tuple[float, float]] = (0.0, 1.0)
    higher_is_better: ClassVar[bool] = True
    needs: ClassVar[frozenset[str]] = frozenset({"grade"})
    example: ClassVar[Example | None] = None

    summary: ClassVar[str] = "mean"
    """How queries become one number: mean, sum, geometric, or none (text)."""
    additive: ClassVar[bool] = False
    """Whether per_query over a fractional alignment is the exact expectation over tie orders."""
    relevance: ClassVar[bool] = True
    """Whether a query without relevant items leaves the measure undefined (policy no_relevant)."""

    params: ClassVar[dict[str, Param]] = {}

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        own = {n: Param(**{**v.__dict__, "name": n}) for n, v in vars(cls).items() if isinstance(v, Param)}
        inherited = dict(cls.params)
        shared = {n: p for n, p in inherited.items() if n == "judged_only"}
        inherited.pop("judged_only", None)
        cls.params = {**inherited, **own, **shared}
        for n, p in own.items():
            setattr(cls, n, p.default)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        values = dict(zip(self.params, args, strict=False))
        if len(args) > len(self.params):
            raise ParameterError(f"{self.name}: takes {len(self.params)} parameters, got {len(args)}.")
        for key, value in kwargs.items():
            values[self._param_name(key)] = value
        for key, p in self.params.items():
            value = values.get(key, p.default)
            if key in values or value is None:
                try:
                    value = p.read(value)
                except ValueError as e:
                    raise ParameterError(f"{self.name}: `{key}` {e}, got {value!r}.") from None
            self.__dict__[key] = value

    @classmethod
    def _param_name(cls, key: str) -> str:
        if key in cls.params:
            return key
        for name, p in cls.params.items():
            if key.casefold() in (name.casefold(), *p.aliases):
                return name
        known = ", ".join(cls.params)
        raise ParameterError(f"{cls.name}: unknown parameter {key!r}.{suggest(key, cls.params)} It takes: {known}.")

    def __setattr__(self, name: str, value: Any) -> None:
        raise AttributeError(f"{self!r} is a value; use {type(self).__name__}(…) or .replace({name}=…)")

    def replace(self, **changes: Any) -> Self:
        """The same measure with some parameters changed."""
        return type(self)(**{**self._values(), **changes})

    def _values(self) -> dict[str, Any]:
        return {n: getattr(self, n) for n in self.params}

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Measure) and type(self) is type(other) and self._values() == other._values()

    def __hash__(self) -> int:
        return hash((type(self), tuple(self._values().items())))

    def __str__(self) -> str:
        at, inside = "", []
        for n, p in self.params.items():
            value = getattr(self, n)
            if p.at and value is not None:
                at = f"@{p.show(value)}"
            elif value != p.default:
                inside.append(f"{n}={p.show(value)}")
        return self.name + (f"({', '.join(inside)})" if inside else "") + at

    __repr__ = __str__

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

    def expected(self, a: Alignment) -> Array:
        """Exact expectation over all orders of tied results; every query of `a` has some."""
        return self.per_query(fractional(a)) if self.additive else self.over_all_orders(a)

    def over_all_orders(self, a: Alignment) -> Array:
        """The expectation as the mean over every distinct order of tied results."""
        orders, owner = every_order(a, str(self))
        return np.bincount(owner, weights=self.per_query(orders)) / np.bincount(owner)

    @classmethod
    def suffix(cls, value: str) -> dict[str, Any] | None:
        """Parameters for what stands behind an underscore or dot (`P_5`); None: the value behind the @."""
        return None

    def bind(self, a: Alignment) -> Self:
        """The measure with parameters that depend on the judgements filled in."""
        return self

    # what callers use

    def values(self, a: Alignment, *, expected: bool = False) -> Array:
        """One value per query under the alignment's order, or expected over its ties."""
        if getattr(self, "judged_only", False):
            a = condensed(a)
        out = self.per_query(a)
        if expected and a.tied.any() and self.summary != "none":
            out[a.tied] = self.expected(a.of_queries(a.tied))
        return out

    def of(self, grades: Sequence[Grades], missed: Sequence[Grades] = ()) -> Any:
        """Value of one list, given as grades in rank order (None = not judged).

        `missed` are the grades of judged items that the list does not show. A tuple instead of a grade gives
        the item's grades under several headings, for measures over subtopics or groups of assessors.
        """
        a = one_list(grades, missed)
        value: Any = self.bind(a).values(a)[0]
        return value if isinstance(value, str) else float(value)

    judged_only: bool = False


Measure.params = {
    "judged_only": Param(
        **{**switch(False, "leave unjudged results out of the list first").__dict__, "name": "judged_only"}
    )
}


def divide(numerator: Array, denominator: Array) -> Array:
    """numerator / denominator, 0 where the denominator is 0."""
    top, bottom = np.asarray(numerator, dtype=np.float64), np.asarray(denominator, dtype=np.float64)
    out: Array = np.divide(top, bottom, out=np.zeros(np.broadcast(top, bottom).shape), where=bottom != 0)
    return out


# the registry


def measure(
    *,
    title: str,
    family: str,
    question: str,
    formula: str,
    aliases: Sequence[str] = (),
    spellings: Mapping[str, Mapping[str, Any]] = {},
    edges: str = "",
    reference: str = "",
    same: Mapping[str, str] = {},
    differs: Mapping[str, str] = {},
    bounds: tuple[float, float] = (0.0, 1.0),
    higher_is_better: bool = True,
    needs: Sequence[str] = ("grade",),
    example: Example | None = None,
    summary: str = "mean",
    additive: bool = False,
    relevance: bool = True,
) -> Callable[[type[Measure]], type[Measure]]:
    """Registers a measure: its names, what it says, and where else the same number is found.

    `aliases` are other names for it; `spellings` are names that imply parameters, such as
    {"ndcg_burges": {"gain": "exponential"}}. `same` and `differs` map a tool to how it calls the
    same number, or to why its number of that name is another one.
    """

    def register(cls: type[Measure]) -> type[Measure]:
        cls.name = cls.__name__
        record = {
            "title": title,
            "family": family,
            "question": question,
            "formula": formula,
            "edges": edges,
            "reference": reference,
            "same": dict(same),
            "differs": dict(differs),
            "bounds": bounds,
            "higher_is_better": higher_is_better,
            "needs": frozenset(needs),
            "example": example,
            "summary": summary,
            "additive": additive,
            "relevance": relevance,
            "aliases": (*aliases, *spellings),
        }
        for key, value in record.items():
            setattr(cls, key, value)
        REGISTRY[cls.name] = cls
        for alias in (cls.name, *aliases):
            _claim(alias, cls.name, {})
        for alias, params in spellings.items():
            _claim(alias, cls.name, dict(params))
        return cls

    return register


def _claim(alias: str, name: str, params: dict[str, Any]) -> None:
    key = fold(alias)
    taken = ALIASES.get(key)
    if taken and taken[0] != name:
        raise ParameterError(f"{name}: the name {alias!r} belongs to {taken[0]} already.")
    ALIASES[key] = (name, params)
