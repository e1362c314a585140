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

import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Self

import numpy as np

from rankgauge.alignment import Alignment, Array, Groups
from rankgauge.alignment.ties import condensed, every_order, fractional
from rankgauge.errors import ParameterError, suggest

__all__ = [
    "ALIASES",
    "REGISTRY",
    "Example",
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


# parameters


@dataclass(frozen=True)
class Param:
    """One parameter of a measure: its default, how text becomes a value, what is allowed."""

    default: Any
    read: Callable[[Any], Any]  # raises ValueError with what it must be
    doc: str = ""
    at: bool = False  # written behind the @
    aliases: tuple[str, ...] = ()
    show: Callable[[Any], str] = str

    name: str = ""  # filled in by the class


def _number(value: Any, what: str) -> float:
    if isinstance(value, bool) or not isinstance(value, (int, float, str, np.number)):
        raise ValueError(f"must be {what}")
    try:
        x = float(value)
    except ValueError:
        raise ValueError(f"must be {what}") from None
    if not math.isfinite(x):
        raise ValueError(f"must be {what}")
    return x


def _show_number(x: Any) -> str:
    """Shortest text that reads back as the same number."""
    if x is None:
        return "none"
    return str(int(x)) if float(x).is_integer() else repr(float(x))


def _none(value: Any) -> bool:
    return value is None or (isinstance(value, str) and value.casefold() in ("none", "all", ""))


def cutoff(default: int | None = None, *, required: bool = False) -> Any:
    """`k` behind the @: a positive whole number, or nothing for the whole list."""
    what = "a positive integer" if required else "a positive integer or None"

    def read(value: Any) -> int | None:
        if _none(value) and not required:
            return None
        if _none(value) or isinstance(value, bool):
            raise ValueError(f"must be {what}")
        x = _number(value, what)
        if x < 1 or not x.is_integer():
            raise ValueError(f"must be {what}")
        return int(x)

    return Param(
        default,
        read,
        "how many results count; the whole list without it",
        at=True,
        aliases=("cutoff",),
        show=_show_number,
    )


def level(default: float = 1) -> Any:
    """`rel`: the lowest grade that counts as relevant."""

    def read(value: Any) -> float:
        x = _number(value, "a number above 0")
        if x <= 0:
            raise ValueError("must be a number above 0")
        return int(x) if x.is_integer() else x

    return Param(default, read, "lowest grade that counts as relevant", aliases=("level", "l"), show=_show_number)


def number(
    default: float | None,
    *,
    low: float = -math.inf,
    high: float = math.inf,
    open_low: bool = False,
    open_high: bool = False,
    doc: str = "",
    at: bool = False,
    aliases: tuple[str, ...] = (),
) -> Any:
    """A number inside bounds; None only when it is the default."""
    left = "" if low == -math.inf else f" {'above' if open_low else 'from'} {low:g}"
    right = "" if high == math.inf else f" {'below' if open_high else 'up to'} {high:g}"
    what = f"a number{left}{right}" + (" or None" if default is None else "")

    def read(value: Any) -> float | None:
        if _none(value) and default is None:
            return None
        x = _number(value, what)
        if x < low or x > high or (open_low and x == low) or (open_high and x == high):
            raise ValueError(f"must be {what}")
        return int(x) if x.is_integer() else x

    return Param(default, read, doc, at=at, aliases=aliases, show=_show_number)


def choice(*words: str, doc: str = "", aliases: tuple[str, ...] = (), also: Mapping[str, str] = {}) -> Any:
    """One of a few words; the first is the default. `also` maps other spellings to them."""

    def read(value: Any) -> str:
        word = str(value).casefold()
        word = also.get(word, word)
        if word not in words:
            raise ValueError(f"must be one of {', '.join(words)}")
        return word

    return Param(words[0], read, doc, aliases=aliases)


def switch(default: bool, doc: str = "", aliases: tuple[str, ...] = ()) -> Any:
    """True or False."""

    def read(value: Any) -> bool:
        if isinstance(value, (bool, np.bool_)):
            return bool(value)
        word = str(value).casefold()
        if word not in ("true", "false", "1", "0", "yes", "no"):
            raise ValueError("must be True or False")
        return word in ("true", "1", "yes")

    return Param(default, read, doc, aliases=aliases, show=lambda v: "true" if v else "false")


def numbers(*default: float, doc: str = "", at: bool = False) -> Any:
    """A few numbers, written 1;2;3."""

    def read(value: Any) -> tuple[float, ...]:
        parts = re.split(r"[;,]", value) if isinstance(value, str) else list(value)
        what = "numbers such as " + ";".join(map(_show_number, default))
        return tuple(_number(p, what) for p in parts)

    return Param(tuple(map(float, default)), read, doc, at=at, show=lambda v: ";".join(map(_show_number, v)))


Gain = str | tuple[tuple[float, float], ...]


def gains() -> Any:
    """`gain`: linear, exponential, or a mapping from grades to gains written {1: 3, 2: 9}."""
    words = {
        "linear": "linear",
        "log2": "linear",
        "exponential": "exponential",
        "exp": "exponential",
        "exp-log2": "exponential",
        "burges": "exponential",
    }
    what = "linear, exponential, or a mapping such as {1: 3, 2: 9}"

    def read(value: Any) -> Gain:
        if isinstance(value, str) and value.casefold() in words:
            return words[value.casefold()]
        if isinstance(value, str):
            pairs = [re.split(r"[:=]", p) for p in value.strip("{} ").split(",") if p.strip()]
            if not pairs or any(len(p) != 2 for p in pairs):
                raise ValueError(f"must be {what}")
            value = {_number(g, what): _number(x, what) for g, x in pairs}
        if isinstance(value, tuple):
            value = dict(value)
        if not isinstance(value, Mapping):
            raise ValueError(f"must be {what}")
        if not value:
            return "linear"
        return tuple(sorted((_number(g, what), _number(x, what)) for g, x in value.items()))

    def show(value: Gain) -> str:
        if isinstance(value, str):
            return value
        return "{" + ", ".join(f"{_show_number(g)}: {_show_number(x)}" for g, x in value) + "}"

    return Param(
        "linear",
        read,
        "what a grade is worth: the grade itself, 2^grade - 1, or a mapping",
        aliases=("gains", "dcg"),
        show=show,
    )


# the record

Grades = float | tuple[float | None, ...] | None
"""A grade, the grades under several headings, or None for an item that nobody judged."""


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
        if self.additive:
            return self.per_query(fractional(a))
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


def one_list(grades: Sequence[Grades], missed: Sequence[Grades] = ()) -> Alignment:
    """An alignment of one query from grades in rank order and the grades of items not shown.

    A tuple instead of a grade gives the grades of the item under each heading: subtopics or assessors.
    """
    judged = [(i, g) for i, g in enumerate(grades, 1) if g is not None] + [(0, g) for g in missed]
    marks = [g if isinstance(g, tuple) else (g,) for _, g in judged]
    grade = np.array([max(x for x in row if x is not None) for row in marks], dtype=np.float64)
    rank = np.array([i for i, _ in judged], dtype=np.int64)
    groups = None
    if any(isinstance(g, tuple) for _, g in judged):
        cells = [(row, code, x) for row, xs in enumerate(marks) for code, x in enumerate(xs) if x is not None]
        row, code, mark = map(np.array, zip(*cells, strict=True))
        groups = Groups(row, code, mark.astype(np.float64), n_codes=np.array([max(map(len, marks))]))
    return Alignment(
        query_ids=["q"],
        offsets=np.array([0, len(grade)]),
        grade=grade,
        rank=rank,
        tie_first=rank,
        tie_last=rank,
        retrieved=np.array([len(grades)]),
        item=np.arange(len(grade)),
        groups=groups,
        max_grade=float(grade.max(initial=0.0)),
    )


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
