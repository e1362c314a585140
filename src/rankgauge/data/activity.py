"""How active users were before, as slices of an evaluation: `slices="activity"` beside `train=`.

    cold     not in train
    warm     in train
    heavy    in train with so many interactions that at least three quarters of its users have fewer

An interaction is a row of train. The counts come from train alone, so that a user is in the same slice whoever is
tested beside; users with equal counts are together.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from rankgauge._text import Text
from rankgauge.errors import ParameterError

if TYPE_CHECKING:
    from rankgauge.data.interactions import Interactions

__all__ = ["ACTIVITY", "COLD", "HEAVY", "WARM", "Activity", "is_word", "with_activity"]

ACTIVITY = "activity"
COLD, WARM, HEAVY = "cold", "warm", "heavy"


def is_word(slices: Any) -> bool:
    """Whether it is the word; a file of that name is written ./activity, or is a `Path`."""
    return isinstance(slices, str) and slices == ACTIVITY


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

    @cached_property
    def counts(self) -> Any:
        """Interactions of each user of train, by code."""
        import numpy as np

        return np.bincount(self.train.users, minlength=self.train.n_users)

    @cached_property
    def heavy_from(self) -> int | None:
        """The number of interactions from which on a user is heavy; None where too many have the most."""
        import numpy as np

        there = self.counts[self.counts > 0]
        counts, users = np.unique(there, return_counts=True)
        fewer = np.cumsum(users) - users
        enough = counts[4 * fewer >= 3 * len(there)]
        return int(enough[0]) if len(enough) else None

    def of(self, users: Sequence[str]) -> list[str]:
        """The slice of each user."""
        import numpy as np

        code = np.asarray(self.train.user_codes(users), dtype=np.int64)
        n = np.where(code < 0, 0, self.counts[np.maximum(code, 0)])
        least = self.heavy_from
        return [COLD if x == 0 else HEAVY if least is not None and x >= least else WARM for x in n.tolist()]

    @property
    def note(self) -> str:
        """The slices in words, with the counts that part them."""
        least, users = self.heavy_from, int((self.counts > 0).sum())
        if least is None:
            return Text(
                f"{ACTIVITY}: {COLD} is not in train, {WARM} is in it; nobody is {HEAVY}, as no user has more "
                f"interactions than three quarters of the users of train ({users:,})",
                f"{ACTIVITY}：{COLD} 为不在训练集中的用户，{WARM} 为其中的用户；没有用户的交互次数多于训练集 "
                f"{users:,} 个用户的四分之三，因此没有 {HEAVY}",
            )
        warm = "1 interaction" if least == 2 else f"1 to {least - 1:,} interactions"
        warm_zh = "1" if least == 2 else f"1 至 {least - 1:,}"
        return Text(
            f"{ACTIVITY}: {COLD} is not in train, {WARM} has {warm} in it, {HEAVY} {least:,} or more (at "
            f"least three quarters of the {users:,} users of train have fewer)",
            f"{ACTIVITY}：{COLD} 为不在训练集中的用户，{WARM} 为其中有 {warm_zh} 次交互的用户，{HEAVY} 为 {least:,} "
            f"次及以上的用户（训练集 {users:,} 个用户中至少四分之三少于此数）",
        )


def with_activity(slices: Any, train: Interactions | None) -> Any:
    """What slices stand for: the word `activity`, alone or in a list beside a table, is made of train."""
    alone = is_word(slices)
    beside = isinstance(slices, (list, tuple)) and len(slices) == 2 and any(map(is_word, slices))
    if not (alone or beside):
        return slices
    if train is None:
        raise ParameterError(
            Text(
                "slices='activity' are made of what users did before: pass train=… (interactions).",
                "slices='activity' 由用户此前的交互得出：请传入 train=…。",
            )
        )
    return Activity(train, None if alone else next((s for s in slices if not is_word(s)), None))
