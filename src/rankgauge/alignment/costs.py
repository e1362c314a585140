"""What the results of each list cost, place by place: where a budget ends."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from rankgauge.alignment.segments import Array, Segments
from rankgauge.data.budgets import Budget, Prices

__all__ = ["Budget", "Costs", "Prices"]


@dataclass(frozen=True, eq=False)
class Costs:
    """For each place of each list the number of the text that stands there, and what texts cost.

    Places are ranks: a list that shows a text twice pays for it twice.
    """

    offsets: Array
    """Places `offsets[i]:offsets[i+1]` are the list of query i."""
    text: Array
    prices: Prices
    _ends: dict[Budget, Array] = field(default_factory=dict, repr=False)

    @classmethod
    def of_lengths(cls, offsets: Array, lengths: Array) -> Costs:
        """Where only the number of characters at each place is known."""
        return cls(offsets, np.arange(len(lengths)), Prices(lengths))

    @cached_property
    def by_list(self) -> Segments:
        return Segments(self.offsets)

    def ends(self, budget: Budget) -> Array:
        """How many results of each list are read: the longest beginning that costs no more than the budget."""
        if budget not in self._ends:
            spent = self.by_list.scan(self.prices.of(budget.unit)[self.text])
            self._ends[budget] = self.by_list.count(spent <= budget.limit)
        return self._ends[budget]

    def range(self, unit: str) -> tuple[int, int]:
        """What the cheapest first result and the most expensive list cost; both at least 1."""
        price = self.prices.of(unit)[self.text]
        if not len(price):
            return 1, 1
        first = self.offsets[:-1][self.by_list.lengths > 0]
        return max(int(price[first].min()), 1), max(int(self.by_list.sum(price).max()), 1)

    def spent(self, budget: Budget) -> Array:
        """What those cost."""
        price, end = self.prices.of(budget.unit)[self.text], self.by_list.spread(self.ends(budget))
        total: Array = self.by_list.sum(np.where(self.by_list.place < end, price, 0)).astype(np.int64)
        return total

    def exhausted(self, budget: Budget, depth: int | None = None) -> Array:
        """Which lists end before the budget, with room for another result of their own mean cost.

        Empty ones are none of them, nor are those that reach `depth`: they end where they were told to.
        """
        n, total = self.by_list.lengths, self.by_list.sum(self.prices.of(budget.unit)[self.text])
        found: Array = (n > 0) & (total * (n + 1) <= budget.limit * n)
        return found if depth is None else found & (n < depth)

    def unfit(self, budget: Budget) -> Array:
        """Which lists have a first result that is longer than the budget, so that nothing of them is read."""
        found: Array = (self.by_list.lengths > 0) & (self.ends(budget) == 0)
        return found

    def of_queries(self, numbers: Array) -> Costs:
        """The lists of some queries, by number."""
        offsets = Segments.of_lengths(self.by_list.lengths[numbers]).offsets
        return replace(self, offsets=offsets, text=self.text[self.by_list.rows_of(numbers)], _ends={})
