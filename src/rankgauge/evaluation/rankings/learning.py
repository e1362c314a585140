"""What a recommender learned from, beside every number that is given `train`: has it seen the answers, or the future?

The looks are those of the audit (`data/learned.py`); what is an error or a warning there is a suspicion here, and what
is a note there is a remark. Lists are looked at as deep as `Shown` has them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from rankgauge._claims import Statement, claimed, phrase
from rankgauge.alignment import Array
from rankgauge.alignment.shown import Shown
from rankgauge.data import Qrels
from rankgauge.data.id_codes import counted
from rankgauge.data.interactions import Interactions
from rankgauge.data.learned import SeenShown, followed_by_part, is_learned
from rankgauge.evaluation.rankings.suspicion import Severity, Suspicion

if TYPE_CHECKING:
    import polars as pl

__all__ = ["Learned"]


@dataclass(frozen=True, eq=False)
class Learned:
    """What was learned from, and the test: one for all runs."""

    train: Interactions
    test: Qrels
    level: float
    """The lowest relevant grade."""
    begin: Any = None
    """When the test begins, on the clock of train; None where that is not known."""

    @cached_property
    def _rows(self) -> pl.DataFrame:
        """The judgements; ids that are numbers stay numbers."""
        return self.test.with_numbers() if self.test.has_numbers else self.test.to_frame()

    @cached_property
    def _relevant(self) -> pl.DataFrame:
        pairs, grades = self._rows.select("query_id", "doc_id"), self._rows["grade"]
        lowest: Any = grades.min()
        if lowest is None or not (lowest >= self.level and lowest > 0):
            pairs = pairs.filter((grades >= self.level) & (grades > 0))
        return pairs.unique(maintain_order=True) if self.test.has_groups else pairs

    @cached_property
    def _known(self) -> tuple[int, Array]:
        """How many relevant pairs train has, and how often each item, by code, is in one of the others."""
        return self._held_against(self._relevant)

    def _held_against(self, pairs: pl.DataFrame) -> tuple[int, Array]:
        codes, n = self.train.codes_of(pairs["query_id"], pairs["doc_id"]), self.train.n_items
        items = np.empty(pairs.height, dtype=np.int32)

        def kept(part: slice) -> tuple[Array, Array]:
            users, items[part] = codes(part)
            return users, items[part]

        here = np.flatnonzero(self.train.has_each(pairs.height, kept))
        return len(here), counted(items, n) - counted(items[here], n)

    @cached_property
    def _asked(self) -> list[Array]:
        """How often each item of the test is asked for by users who do not know it: what is relevant, and all of it."""
        relevant, pairs = self._known[1], self._rows
        if pairs.height == self._relevant.height:
            return [relevant]
        pairs = pairs.unique(["query_id", "doc_id"]) if self.test.has_groups else pairs
        return [relevant, self._held_against(pairs)[1]]

    @cached_property
    def _strangers(self) -> tuple[int, int]:
        """Users of the test that train does not have, and all of them."""
        users = self._rows["query_id"]
        if users.dtype.is_integer() and len(users):  # the rows of a user are often together
            rows = users.to_numpy()
            users = users.gather(np.append(0, np.flatnonzero(rows[1:] != rows[:-1]) + 1))
        users = users.unique()
        return int(np.count_nonzero(self.train.user_codes(users) < 0)), len(users)

    @cached_property
    def _of_test(self) -> tuple[Suspicion, ...]:
        """What train and test show, whatever the lists are."""
        out = []
        strangers, users = self._strangers
        if users and strangers == users:
            out.append(Suspicion("users-without-training", "error", {"queries": users}))
        times = self.train.times
        if times is not None and self.begin is not None and (later := int(np.count_nonzero(times > self.begin))):
            out.append(Suspicion("future-in-train", "warning", {"later": later, "rows": len(times)}))
        return tuple(out)

    def suspicions(self, shown: Shown) -> tuple[Suspicion, ...]:
        """What makes the numbers of these lists wrong or doubtful."""
        out = []
        hit, seen = shown.relevant(self.level), np.flatnonzero(shown.seen)
        learned, tested = np.count_nonzero(hit[seen]), np.count_nonzero(~np.isnan(shown.grade[seen]))
        there = SeenShown(int(np.count_nonzero(hit)), int(learned), len(seen), int(tested))
        pairs, known = self._relevant.height, self._known[0]
        if known:
            severity: Severity = "error" if is_learned(known, pairs) or there.raises(self.train) else "warning"
            numbers = {"known": known, "pairs": pairs, "learned": there.learned, "hits": there.hits}
            out.append(Suspicion("test-in-train", severity, numbers))
        out += self._of_test
        codes, places = shown.catalogue.train_codes, len(shown.items)

        def part(at: int, end: int) -> tuple[Array, Array]:
            of = shown.by_list.owners(slice(at, end))
            return codes[shown.items[at:end]], of[1:] == of[:-1]

        order = followed_by_part(self.train, self._asked, places, part)
        if order is not None:
            out.append(Suspicion("popularity-with-test", "error", order._asdict()))
        if n := there.seen - there.learned:
            out.append(Suspicion("seen-items-shown", "warning", {"seen": n, "places": places}))
        return tuple(out)

    def remarks(self, system: str) -> Sequence[Statement]:
        """What is worth knowing and makes no number doubtful."""
        out = []
        strangers, users = self._strangers
        if 0 < strangers < users:
            told = (
                "not in train: {} of the {} users of the test; their values say how strangers are served",
                "测试集的 {1} 个用户中有 {0} 个不在训练集中：其数值反映的是对新用户的效果",
            )
            some = claimed(f"{strangers:,}", "count", strangers, "users_without_training", system)
            out.append(phrase(*told, some, claimed(f"{users:,}", "count", users, "queries", system)))
        if again := self.train.n_repeated:
            rows = len(self.train)
            told = (
                "repeated in train (same user, same item): {} of {} interactions",
                "{1} 条训练交互中有 {0} 条与之前的重复（同一用户、同一物品）",
            )
            some = claimed(f"{again:,}", "count", again, "repeated_interactions", system)
            out.append(phrase(*told, some, claimed(f"{rows:,}", "count", rows, "training_interactions", system)))
        return out
