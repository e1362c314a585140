"""The parameters that measures are declared with: cutoffs, levels, numbers, words, gains.

Each knows its default, how text becomes a value, what is allowed, and how it is printed, so that no measure checks
any of that again.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from rankgauge._numbers import short
from rankgauge._text import Text
from rankgauge._words import as_meant
from rankgauge.alignment.costs import Budget

__all__ = ["Gain", "Param", "budgets", "choice", "cutoff", "gains", "level", "number", "numbers", "switch"]


MOST_RESULTS = 10_000_000
"""The largest cutoff; the whole list is looked at without one."""


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

    @property
    def required(self) -> bool:
        """Whether it must be given: its default is no value that it may have."""
        try:
            self.read(self.default)
        except ValueError:
            return True
        return False


def _must_be(what: Text) -> ValueError:
    return ValueError(Text(f"must be {what}", f"必须是{what.zh}"))


def _one_of(words: Sequence[str]) -> Text:
    return Text(f"one of {', '.join(words)}", f" {', '.join(words)} 之一")


_ABOVE_0 = Text("a number above 0", "大于 0 的数")


def _number(value: Any, what: Text) -> float:
    if isinstance(value, bool) or not isinstance(value, (int, float, str, np.number)):
        raise _must_be(what)
    try:
        x = float(value)
    except (ValueError, OverflowError):
        raise _must_be(what) from None
    if not math.isfinite(x):
        raise _must_be(what)
    return x


def _word(value: Any) -> str:
    return as_meant(str(value)).strip().casefold()


def _show_number(x: Any) -> str:
    """Shortest text that reads back as the same number."""
    if x is None:
        return "none"
    return str(int(x)) if float(x).is_integer() else repr(float(x))


def _none(value: Any) -> bool:
    return value is None or (isinstance(value, str) and _word(value) in ("none", "all", ""))


def cutoff(default: int | None = None, *, required: bool = False) -> Any:
    """`k` behind the @: a positive whole number, or nothing for the whole list."""
    what = Text("a positive integer", "正整数") if required else Text("a positive integer or None", "正整数或 None")

    def read(value: Any) -> int | None:
        if _none(value) and not required:
            return None
        if _none(value) or isinstance(value, bool):
            raise _must_be(what)
        x = _number(value, what)
        if x < 1 or not x.is_integer():
            raise _must_be(what)
        if x > MOST_RESULTS:
            raise ValueError(
                Text(
                    f"must be at most {MOST_RESULTS:,}; without it the whole list counts",
                    f"不能超过 {MOST_RESULTS:,}；不给出则看整个列表",
                )
            )
        return int(x)

    return Param(
        default,
        read,
        Text("how many results count", "只看前多少条结果")
        if required
        else Text("how many results count; the whole list without it", "只看前多少条结果；不给出则看整个列表"),
        at=True,
        aliases=("cutoff",),
        show=_show_number,
    )


def level(default: float = 1) -> Any:
    """`rel`: the lowest grade that counts as relevant."""

    def read(value: Any) -> float:
        x = _number(value, _ABOVE_0)
        if x <= 0:
            raise _must_be(_ABOVE_0)
        return int(x) if x.is_integer() else x

    return Param(
        default,
        read,
        Text("lowest grade that counts as relevant", "算作相关的最低等级"),
        aliases=("level", "l"),
        show=_show_number,
    )


def number(
    default: float | None,
    *,
    low: float = -math.inf,
    high: float = math.inf,
    open_low: bool = False,
    open_high: bool = False,
    doc: str = "",
    at: bool = False,
    whole: bool = False,
    aliases: tuple[str, ...] = (),
) -> Any:
    """A number inside bounds, a whole one if that is said; None only when it is the default."""
    what = _number_from(low, high, open_low=open_low, open_high=open_high, whole=whole)
    if default is None:
        what += Text(" or None", "或 None")

    def read(value: Any) -> float | None:
        if _none(value) and default is None:
            return None
        x = _number(value, what)
        if (
            x < low
            or x > high
            or (open_low and x == low)
            or (open_high and x == high)
            or (whole and not x.is_integer())
        ):
            raise _must_be(what)
        return int(x) if x.is_integer() else x

    return Param(default, read, doc, at=at, aliases=aliases, show=_show_number)


def _number_from(low: float, high: float, *, open_low: bool, open_high: bool, whole: bool) -> Text:
    """`a number above 0 up to 1`."""
    left = "" if low == -math.inf else f" {'above' if open_low else 'from'} {short(low)}"
    right = "" if high == math.inf else f" {'below' if open_high else 'up to'} {short(high)}"
    ends = []
    if low != -math.inf:
        ends.append(f"{'大于' if open_low else '不小于'} {short(low)}")
    if high != math.inf:
        ends.append(f"{'小于' if open_high else '不超过'} {short(high)}")
    return Text(
        f"a {'whole ' if whole else ''}number{left}{right}",
        f"{'、'.join(ends)}{' 的' if ends else ''}{'整数' if whole else '数'}",
    )


def choice(*words: str, doc: str = "", aliases: tuple[str, ...] = (), also: Mapping[str, str] = {}) -> Any:
    """One of a few words; the first is the default. `also` maps other spellings to them."""

    def read(value: Any) -> str:
        word = _word(value)
        word = also.get(word, word)
        if word not in words:
            raise _must_be(_one_of(words))
        return word

    return Param(words[0], read, doc, aliases=aliases)


def switch(default: bool, doc: str = "", aliases: tuple[str, ...] = ()) -> Any:
    """True or False."""

    def read(value: Any) -> bool:
        if isinstance(value, (bool, np.bool_)):
            return bool(value)
        word = _word(value)
        if word not in ("true", "false", "1", "0", "yes", "no"):
            raise _must_be(Text("True or False", "True 或 False"))
        return word in ("true", "1", "yes")

    return Param(default, read, doc, aliases=aliases, show=lambda v: "true" if v else "false")


def numbers(
    *default: float,
    low: float = -math.inf,
    high: float = math.inf,
    count: int | None = None,
    doc: str = "",
    at: bool = False,
) -> Any:
    """A few numbers inside bounds, written 1;2;3, of which there must be `count` if that is said."""

    def show(value: Any) -> str:
        return ";".join(map(_show_number, value))

    bounds = Text("", "")
    if not math.isinf(low):
        bounds = Text(f" from {short(low)} to {short(high)}", f"介于 {short(low)} 与 {short(high)} 之间的")
    what = Text(
        f"{'' if count is None else f'{count} '}numbers{bounds} such as {show(default)}",
        f"{'' if count is None else f' {count} 个'}{bounds.zh}数，如 {show(default)}",
    )

    def read(value: Any) -> tuple[float, ...]:
        if not isinstance(value, (str, Sequence)):
            raise _must_be(what)
        parts = re.split(r"[;,]", value) if isinstance(value, str) else list(value)
        out = tuple(_number(p, what) for p in parts)
        if not out or any(not low <= x <= high for x in out) or (count is not None and len(out) != count):
            raise _must_be(what)
        return out

    return Param(tuple(map(float, default)), read, doc, at=at, show=show)


def budgets() -> Any:
    """`budget`: how many tokens or characters of results are read, 2000t or 4000c; nothing for no budget."""

    def read(value: Any) -> Budget | None:
        return None if _none(value) else Budget.of(value)

    return Param(
        None,
        read,
        Text(
            "tokens (2000t) or characters (4000c) of context: the list ends before a result that no longer fits",
            "上下文的词元数（2000t）或字符数（4000c）：列表在第一条放不下的结果之前结束",
        ),
        show=lambda value: "none" if value is None else str(value),
    )


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
    what = Text(
        "linear, exponential, or a mapping such as {1: 3, 2: 9}",
        " linear、exponential，或 {1: 3, 2: 9} 这样的映射",
    )

    def read(value: Any) -> Gain:
        if isinstance(value, str) and _word(value) in words:
            return words[_word(value)]
        if isinstance(value, str):
            pairs = [re.split(r"[:=]", p) for p in value.strip("{} ").split(",") if p.strip()]
            if not pairs or any(len(p) != 2 for p in pairs):
                raise _must_be(what)
            value = {_number(g, what): _number(x, what) for g, x in pairs}
        if isinstance(value, tuple):
            value = dict(value)
        if not isinstance(value, Mapping):
            raise _must_be(what)
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
        Text(
            "what a grade is worth: the grade itself, 2^grade - 1, or a mapping",
            "等级对应的增益：等级本身、2^等级 - 1，或一个映射",
        ),
        aliases=("gains", "dcg"),
        show=show,
    )
