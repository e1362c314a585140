"""How active users were before, as slices of an evaluation: `slices="activity"` beside `train=`.

    cold     not in train
    warm     in train
    heavy    in train with so many interactions that at least three quarters of its users have fewer

The word may say where these begin, as measures have their parameters: `activity(warm=5)` are warm from 5 interactions
on and cold below, `activity(heavy=0.9)` are heavy where at least 90% of the users of train have fewer,
`activity(heavy=50)` from 50 interactions on.

An interaction is a row of train. The counts come from train alone, so that a user is in the same slice whoever is
tested beside; users with equal counts are together.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import ceil
from typing import TYPE_CHECKING, Any

from rankgauge._numbers import short
from rankgauge._show import show
from rankgauge._text import Text, zh
from rankgauge._words import as_meant
from rankgauge.errors import ParameterError

if TYPE_CHECKING:
    from rankgauge.data.interactions import Interactions

__all__ = ["ACTIVITY", "COLD", "HEAVY", "WARM", "Activity", "Begins", "is_word", "with_activity"]

ACTIVITY = "activity"
COLD, WARM, HEAVY = "cold", "warm", "heavy"


_WORD = re.compile(rf"{ACTIVITY}(?:\((.*)\))?", re.DOTALL)


def is_word(slices: Any) -> bool:
    """Whether it is the word; a file of that name is written ./activity, or is a `Path`."""
    return isinstance(slices, str) and _WORD.fullmatch(as_meant(slices)) is not None


@dataclass(frozen=True)
class Begins:
    """Where warm and heavy users begin.

    >>> Begins.of("activity(warm=5, heavy=0.9)")
    Begins(warm=5, heavy=0.9)
    """

    warm: int = 1
    """Interactions."""
    heavy: float = 0.75
    """The share of users who have fewer; or, from 2 on, interactions."""

    @classmethod
    def of(cls, word: str) -> Begins:
        """What the word says, checked."""
        found = _WORD.fullmatch(as_meant(word))
        given = {}
        for part in filter(None, (x.strip() for x in ((found and found.group(1)) or "").split(","))):
            name, _, value = (x.strip() for x in part.partition("="))
            if name not in ("warm", "heavy"):
                raise _wrong(word, Text(f"has no {show(name)}", f"没有 {show(name)}"))
            given[name] = _read(name, value, word)
        begins = cls(**given)
        if begins.heavy >= 2 and begins.heavy <= begins.warm:
            raise _wrong(
                word,
                Text(
                    f"has heavy users from {begins.heavy} interactions on, and warm ones from {begins.warm}: heavy "
                    "must be more",
                    f"的 heavy 从 {begins.heavy} 次交互起，warm 从 {begins.warm} 次起：heavy 必须更多",
                ),
            )
        return begins

    @property
    def is_share(self) -> bool:
        return self.heavy < 1


def _read(name: str, value: str, word: str) -> Any:
    try:
        number = float(value)
    except ValueError:
        number = float("nan")
    if number.is_integer() and number >= (1 if name == "warm" else 2):
        return int(number)
    if name == "heavy" and 0 < number < 1:
        return number
    must = (
        Text("a whole number of interactions from 1 on", "不小于 1 的整数（交互次数）")
        if name == "warm"
        else Text(
            "a share of users between 0 and 1, or a whole number of interactions from 2 on",
            " 0 到 1 之间的用户占比，或不小于 2 的整数（交互次数）",
        )
    )
    raise _wrong(
        word,
        Text(f"must have {name} as {must}, got {show(value)}", f"的 {name} 必须是{zh(must)}，实际为 {show(value)}"),
    )


def _wrong(word: str, why: Text) -> ParameterError:
    return ParameterError(
        Text(
            f"slices: {show(word)} {why}. Write such as activity(warm=5, heavy=0.9).",
            f"slices：{show(word)} {zh(why)}。写法如 activity(warm=5, heavy=0.9)。",
        )
    )


@dataclass(frozen=True, eq=False)
class Activity:
    """The slices of users by what they did in train, and the table of other attributes beside it.

    >>> from rankgauge.data.interactions import Interactions
    >>> train = Interactions.of({"ann": ["a", "b", "c"], "bob": ["a"], "cai": ["b"], "dee": ["a", "b"]})
    >>> Activity(train).of(["ann", "dee", "eve"])
    ['heavy', 'warm', 'cold']
    """

    train: Interactions
    beside: Any = None
    begins: Begins = Begins()

    @cached_property
    def counts(self) -> Any:
        """Interactions of each user of train, by code."""
        import numpy as np

        return np.bincount(self.train.users, minlength=self.train.n_users)

    @cached_property
    def heavy_from(self) -> int | None:
        """The number of interactions from which on a user is heavy; None where too many have the most."""
        import numpy as np

        if not self.begins.is_share:
            return int(self.begins.heavy)
        there = self.counts[self.counts > 0]
        counts, users = np.unique(there, return_counts=True)
        fewer = np.cumsum(users) - users
        share = Fraction(repr(self.begins.heavy))  # as it was written: 0.55 of 20 users are 11
        enough = counts[(fewer >= ceil(share * len(there))) & (counts > self.begins.warm)]
        return int(enough[0]) if len(enough) else None

    def of(self, users: Sequence[str]) -> list[str]:
        """The slice of each user."""
        import numpy as np

        code = np.asarray(self.train.user_codes(users), dtype=np.int64)
        n = np.where(code < 0, 0, self.counts[np.maximum(code, 0)])
        least = self.heavy_from
        return [
            COLD if x < self.begins.warm else HEAVY if least is not None and x >= least else WARM for x in n.tolist()
        ]

    @property
    def note(self) -> str:
        """The slices in words, with the counts that part them."""
        least, users, first = self.heavy_from, int((self.counts > 0).sum()), self.begins.warm
        cold = "is not in train" if first == 1 else f"has fewer than {first:,} interactions in train"
        cold_zh = "不在训练集中" if first == 1 else f"训练集中少于 {first:,} 次交互"
        percent = f"{short(100 * self.begins.heavy)}%"
        share, share_zh = ("three quarters", "四分之三") if self.begins.heavy == 0.75 else (percent, f" {percent} ")
        if least is None:
            warm = "is in it" if first == 1 else f"{first:,} or more"
            warm_zh = "其中" if first == 1 else f"有 {first:,} 次及以上"
            why = f"as no user has more interactions than {share} of the users of train ({users:,})"
            why_zh = f"没有用户的交互次数多于训练集 {users:,} 个用户的{share_zh}"
            if self.counts.max(initial=0) <= first:
                why, why_zh = f"as no user has more than {first:,}", f"没有用户的交互次数多于 {first:,}"
            return Text(
                f"{ACTIVITY}: {COLD} {cold}, {WARM} {warm}; nobody is {HEAVY}, {why}",
                f"{ACTIVITY}：{COLD} 为{cold_zh}的用户，{WARM} 为{warm_zh}的用户；{why_zh}，因此没有 {HEAVY}",
            )
        warm, warm_zh = _times(first, least - 1)
        told, told_zh = "", ""
        if self.begins.is_share:
            told = f" (at least {share} of the {users:,} users of train have fewer)"
            told_zh = f"（训练集 {users:,} 个用户中至少{share_zh}少于此数）"
        return Text(
            f"{ACTIVITY}: {COLD} {cold}, {WARM} has {warm}{' in it' if first == 1 else ''}, {HEAVY} {least:,} or "
            f"more{told}",
            f"{ACTIVITY}：{COLD} 为{cold_zh}的用户，{WARM} 为其中有 {warm_zh} 次交互的用户，{HEAVY} 为 {least:,} "
            f"次及以上的用户{told_zh}",
        )


def _times(first: int, last: int) -> tuple[str, str]:
    """From so many interactions to so many."""
    if first >= last:
        return f"{first:,} interaction{'' if first == 1 else 's'}", f"{first:,}"
    return f"{first:,} to {last:,} interactions", f"{first:,} 至 {last:,}"


def with_activity(slices: Any, train: Interactions | None) -> Any:
    """What slices stand for: the word `activity`, alone or in a list beside a table, is made of train."""
    several = list(slices) if isinstance(slices, (list, tuple)) else [slices]
    words = [x for x in several if is_word(x)]
    if not words:
        return slices
    begins = Begins.of(words[0])
    if len(words) > 1:
        raise ParameterError(
            Text(
                f"slices: {show(words[0])} and {show(words[1])} part the same users; name one.",
                f"slices：{show(words[0])} 和 {show(words[1])} 划分的是同一批用户；请只保留一个。",
            )
        )
    if train is None:
        raise ParameterError(
            Text(
                "slices='activity' are made of what users did before: pass train=… (interactions). A file of that name "
                "is written ./activity.",
                "slices='activity' 由用户此前的交互得出：请传入 train=…。名为 activity 的文件请写作 ./activity。",
            )
        )
    tables = [x for x in several if not is_word(x)]
    return Activity(train, None if not tables else tables[0] if len(tables) == 1 else tables, begins)
