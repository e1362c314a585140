"""What every measure is, of rankings as of labels and scores: a frozen value with a name and parameters.

Measures can be dict keys; `parse(str(m)) == m`; parameters at their defaults are not printed.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Generic, Required, Self, TypedDict, TypeVar

from rankgauge._show import show
from rankgauge._text import LANGUAGES, Text, in_language, zh
from rankgauge._typing import Array
from rankgauge._words import as_meant, strangers
from rankgauge.errors import ParameterError, among, suggest
from rankgauge.measures.parameters import Param

__all__ = ["Definition", "RecordWords", "Registry", "SpokenWords", "Variant", "fold"]


def fold(name: str) -> str:
    """Spellings that differ by case, blanks, hyphens, underscores or dots are one name; any other sign is part of it.

    >>> fold("Hit Rate"), fold("ｎDCG"), fold("nDСG") == fold("nDCG")  # the last with a Cyrillic С
    ('hitrate', 'ndcg', False)
    """
    return _SEPARATORS.sub("", as_meant(name).replace("α", "alpha").lower())


_SEPARATORS = re.compile(r"[\s\-_.'’\u2010-\u2015]+")  # Somers' D


V = TypeVar("V", float, Array)


@dataclass(frozen=True)
class Variant:
    """What a record says of a measure whose parameters are not the defaults."""

    formula: str
    example: Any
    """Worked with these parameters, of the kind that the measure's own example has."""
    question: str = ""
    """Where it is another one."""


def behind_at(measure: Any, k: object) -> str:
    """The parameter that stands behind the @ of a measure, or of a class of them; k is what was written there."""
    at: str | None = next((n for n, p in measure.params.items() if p.at), None)
    if at is None:
        raise ParameterError(
            Text(f"{measure}: takes no cutoff, got @{show(k)}.", f"{measure}：没有截断参数，实际给了 @{show(k)}。")
        )
    return at


class _Class(type):
    """A class of measures stands for the measure with its defaults: `nDCG @ 10` is `nDCG() @ 10`."""

    def __matmul__(cls, k: Any) -> Any:
        return cls(**{behind_at(cls, k): k})

    def __str__(cls) -> str:
        return getattr(cls, "name", "") or super().__str__()  # what it is called where it was given as a class


class Definition(metaclass=_Class):
    """Base of all measures: what the record says, and how parameters become a value."""

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
    spellings: ClassVar[Mapping[str, Mapping[str, Any]]] = {}
    """Those of the aliases that imply parameters, and which."""
    variants: ClassVar[Mapping[str, Variant]] = {}
    """What is told of other parameters than the defaults, by their text: `norm=min`."""
    bounds: ClassVar[tuple[float, float]] = (0.0, 1.0)
    higher_is_better: ClassVar[bool] = True
    needs: ClassVar[frozenset[str]] = frozenset()
    summary: ClassVar[str] = "mean"
    """How parts become one number: mean, sum, geometric, none (text), or pooled (all rows at once)."""
    unit: ClassVar[str] = ""
    """What its numbers are counted in, such as ms; empty where they are shares or have no unit."""
    read_with: ClassVar[Mapping[str, Any]] = {}
    """The numbers that a value is read with, by the names that `beside` gives them."""
    side: ClassVar[str] = ""
    """What a better value means, for sentences: coverage, order, first, purity, scores, probabilities."""

    params: ClassVar[dict[str, Param]] = {}
    trailing: ClassVar[tuple[str, ...]] = ()
    """Parameters that every measure of a kind has: they come after its own."""

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        own = {n: Param(**{**v.__dict__, "name": n}) for n, v in vars(cls).items() if isinstance(v, Param)}
        inherited = dict(cls.params)
        shared = {n: inherited.pop(n) for n in cls.trailing if n in inherited}
        cls.params = {**inherited, **own, **shared}
        for n, p in own.items():
            setattr(cls, n, p.default)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        values = dict(zip(self.params, args, strict=False))
        if len(args) > len(self.params):
            raise ParameterError(
                Text(
                    f"{self.name}: takes {len(self.params)} parameters, got {len(args)}.",
                    f"{self.name}：有 {len(self.params)} 个参数，实际给了 {len(args)} 个。",
                )
            )
        for key, value in kwargs.items():
            values[self._param_name(key)] = value
        for key, p in self.params.items():
            value = values.get(key, p.default)
            if key in values or value is None:
                try:
                    value = p.read(value)
                except ValueError as e:
                    odd = strangers(value) if isinstance(value, str) else ""
                    must: str = e.args[0] if e.args and isinstance(e.args[0], Text) else str(e)
                    raise ParameterError(
                        Text(
                            f"{self.name}: `{key}` {must}, got {show(value)}. {odd}".rstrip(),
                            f"{self.name}：`{key}` {zh(must)}，实际为 {show(value)}。{zh(odd)}",
                        )
                    ) from None
            self.__dict__[key] = value

    @classmethod
    def _param_name(cls, key: str) -> str:
        key = as_meant(key)
        if key in cls.params:
            return key
        for name, p in cls.params.items():
            if key.casefold() in (name.casefold(), *p.aliases):
                return name
        known = ", ".join(cls.params) or Text("none", "无")
        raise ParameterError(
            Text(
                f"{cls.name}: unknown parameter {show(key)}.{suggest(key, cls.params)} It takes: {known}.",
                f"{cls.name}：未知的参数 {show(key)}。{zh(suggest(key, cls.params))}它的参数：{zh(known)}。",
            )
        )

    def __setattr__(self, name: str, value: Any) -> None:
        raise AttributeError(
            Text(
                f"{show(self)} is a value; use {type(self).__name__}(…) or .replace({name}=…)",
                f"{show(self)} 是一个值；请用 {type(self).__name__}(…) 或 .replace({name}=…)",
            )
        )

    def __matmul__(self, k: Any) -> Self:
        """The measure at a cutoff: `nDCG @ 10`, `P(rel=2) @ 5`."""
        return self.replace(**{behind_at(self, k): k})

    @property
    def has_cutoff(self) -> bool:
        """Whether it can be told how many results count."""
        return "k" in self.params

    @property
    def cutoff(self) -> int | None:
        """How many results count, the k of nDCG@k; None where all do, and where that cannot be told."""
        found: int | None = self.__dict__.get("k")
        return found

    @property
    def is_share(self) -> bool:
        """Whether the number of a run is the share of queries of which something is so or not."""
        return False

    @property
    def quantile(self) -> float | None:
        """Which quantile of what queries have the number of a run is, from 0 to 1; None where it is none."""
        return None

    def replace(self, **changes: Any) -> Self:
        """The same measure with some parameters changed."""
        return type(self)(**{**self._values(), **changes})

    def _values(self) -> dict[str, Any]:
        return {n: getattr(self, n) for n in self.params}

    def changed(self) -> dict[str, Any]:
        """The parameters that are not at their defaults and make it another number, apart from the cutoff.

        One that must be given, as a threshold, has no default to differ from.
        """
        return {
            n: getattr(self, n)
            for n, p in self.params.items()
            if not p.at and getattr(self, n) != p.default and not p.required
        }

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Definition) and type(self) is type(other) and self._values() == other._values()

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

    # what better means

    @property
    def direction(self) -> int:
        """1 where a higher value is better, -1 where a lower one is, 0 where there is a value to come near to."""
        return 1 if self.higher_is_better else -1

    def goodness(self, values: V) -> V:
        """A number or an array of them on a scale on which more is always better."""
        return self.direction * values

    def improvement(self, after: V, before: V) -> V:
        """How much better `after` is than `before`: above 0 where it is better, below where it is worse."""
        return self.goodness(after) - self.goodness(before)

    def is_better(self, a: float, b: float) -> bool:
        """Whether a is a better value than b; what is not a number is not better than anything."""
        return bool(self.goodness(a) > self.goodness(b))

    @classmethod
    def mentions(cls, words: Sequence[str], *, family: bool = False) -> bool:
        """Whether its names, title and question (and `family`), in either language, hold all the words; those that
        are the name of its family mean all of it."""
        asked = as_meant(" ".join(words)).casefold()
        if asked in (as_meant(in_language(cls.family, language)).casefold() for language in LANGUAGES):
            return True
        said = (cls.name, *cls.aliases, cls.title, cls.question, *([cls.family] if family else []))
        texts = [in_language(text, language) for text in said for language in LANGUAGES]
        whole = as_meant(" ".join(texts)).casefold()
        return all(as_meant(word).casefold() in whole for word in words)

    @classmethod
    def suffix(cls, value: str) -> dict[str, Any] | None:
        """Parameters for what stands behind an underscore or dot (`P_5`); None: the value behind the @."""
        return None


class SpokenWords(TypedDict, total=False):
    """What a record may leave out.

    `aliases` are other names for it; `spellings` are names that imply parameters, such as
    {"ndcg_burges": {"gain": "exponential"}}. `same` and `differs` map a tool to how it calls the same number, or to why
    its number of that name is another one; where they name parameters, as "P(divisor=retrieved)@k" at the end, it is
    the number of those. `variants` has formula and example of parameters other than the defaults, by their text:
    {"norm=min": Variant(…)}.
    """

    aliases: Sequence[str]
    spellings: Mapping[str, Mapping[str, Any]]
    edges: str
    reference: str
    same: Mapping[str, str]
    differs: Mapping[str, str]
    bounds: tuple[float, float]
    higher_is_better: bool
    needs: Iterable[str]
    variants: Mapping[str, Variant]
    side: str


class RecordWords(SpokenWords, total=False):
    """What a record may say of any measure; what it leaves out is what the base of its kind says."""

    title: Required[str]
    family: Required[str]
    question: Required[str]
    formula: Required[str]


M = TypeVar("M", bound=Definition)


@dataclass
class Registry(Generic[M]):
    """The measures of one kind by name, and every spelling that leads to one of them."""

    what: str
    """What they measure, for error messages."""
    base: type[M]
    """The class of which they all are; it says what holds where a record says nothing."""
    words: type
    """What a record may say, as a `TypedDict`."""
    prefix: str = ""
    """What stands before a name that no other kind of measure has, where another may have the same."""
    measures: dict[str, type[M]] = field(default_factory=dict)
    """By canonical name, in the order of definition."""
    aliases: dict[str, tuple[str, dict[str, Any]]] = field(default_factory=dict)
    """Folded spelling → canonical name and the parameters that the spelling implies."""

    def registering(self, said: Mapping[str, Any]) -> Callable[[type[M]], type[M]]:
        """The decorator of a class that has this record."""
        known = self.words.__annotations__
        for word in said:
            if word not in known:
                raise TypeError(
                    Text(
                        f"measure() got an unexpected keyword argument {show(word)}.",
                        f"measure() 没有参数 {show(word)}。",
                    )
                    + among(word, known)
                )
        return lambda cls: self._add(cls, said)

    def _add(self, cls: type[M], said: Mapping[str, Any]) -> type[M]:
        """Give a class its name and record, and claim its spellings; the Chinese title is one of them."""
        aliases, spellings = said.get("aliases", ()), said.get("spellings", {})
        if isinstance(aliases, str) or not all(isinstance(alias, str) for alias in aliases):
            raise ParameterError(
                Text(
                    f"{cls.__name__}: `aliases` must be a list of names, got {show(aliases)}.",
                    f"{cls.__name__}：`aliases` 必须是名称的列表，实际为 {show(aliases)}。",
                )
            )
        told = {word: getattr(self.base, word) for word in self.words.__annotations__} | dict(said)
        told["needs"] = frozenset(told["needs"])
        if "read_with" in told:
            told["read_with"] = {**cls.read_with, **said.get("read_with", {})}
        cls.name = cls.__name__
        for word, value in told.items():
            setattr(cls, word, dict(value) if isinstance(value, Mapping) else value)
        aliases = [*aliases, *([self.prefix + cls.name] if self.prefix else [])]
        if isinstance(cls.title, Text):
            aliases.append(cls.title.zh)
        cls.aliases = (*aliases, *spellings)
        cls.spellings = {alias: dict(params) for alias, params in spellings.items()}
        self.measures[cls.name] = cls
        for alias in (cls.name, *aliases):
            self._claim(alias, cls.name, {})
        for alias, params in spellings.items():
            self._claim(alias, cls.name, dict(params))
        return cls

    def _claim(self, alias: str, name: str, params: dict[str, Any]) -> None:
        key = fold(alias)
        taken = self.aliases.get(key)
        if taken and taken[0] != name:
            raise ParameterError(
                Text(
                    f"{name}: the name {show(alias)} belongs to {taken[0]} already.",
                    f"{name}：名称 {show(alias)} 已属于 {taken[0]}。",
                )
            )
        self.aliases[key] = (name, params)

    def families(self, first: Sequence[str] = (), last: Sequence[str] = ()) -> dict[str, list[type[M]]]:
        """The measures by family: some first, some last, the others between them by name."""
        names = {cls.family: cls.family for cls in self.measures.values()}
        middle = sorted(n for n in names if n not in (*first, *last))
        ordered = [names[n] for n in (*first, *middle, *last) if n in names]  # in both languages
        return {n: [cls for cls in self.measures.values() if cls.family == n] for n in ordered}
