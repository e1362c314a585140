"""The definitions of the measures of what is shown, written as their formulas read: loops over users and items."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from math import log2, nan, sqrt
from typing import Any

__all__ = ["NAIVE", "Lists"]


@dataclass(frozen=True)
class Lists:
    """What was shown to whom, what users had before, and which items there are."""

    shown: Mapping[str, Sequence[str]]
    train: Mapping[str, Sequence[str]]
    items: Sequence[str]
    relevant: Mapping[str, Sequence[str]] = field(default_factory=dict)
    category: Mapping[str, str] = field(default_factory=dict)

    def top(self, m: Any) -> dict[str, list[str]]:
        """Lists down to the cutoff, those with something in them."""
        k = m.cutoff
        return {u: list(ids[:k]) for u, ids in self.shown.items() if ids}

    @property
    def users(self) -> Counter[str]:
        return Counter(i for ids in self.train.values() for i in set(ids))

    @property
    def events(self) -> Counter[str]:
        return Counter(i for ids in self.train.values() for i in ids)


def mean(values: Sequence[float]) -> float:
    return sum(values) / len(values) if values else nan


def per_list(of_list: Callable[[Any, Lists, str, list[str]], float]) -> Callable[[Any, Lists], float]:
    return lambda m, x: mean([of_list(m, x, u, ids) for u, ids in x.top(m).items()])


def head(x: Lists, share: float) -> set[str]:
    users = x.users
    total = sum(users.values())
    return {i for i in users if sum(n for n in users.values() if n > users[i]) < share * total}


def coverage(m: Any, x: Lists) -> float:
    return len({i for ids in x.top(m).values() for i in ids} & set(x.items)) / len(x.items)


def gini(values: Sequence[float]) -> float:
    """The mean difference of all pairs, over twice the mean."""
    n, total = len(values), sum(values)
    return sum(abs(a - b) for a in values for b in values) / (2 * n * total) if total else nan


def item_gini(m: Any, x: Lists) -> float:
    counts = Counter(i for ids in x.top(m).values() for i in ids)
    return gini([counts[i] for i in x.items])


def exposure_gini(m: Any, x: Lists) -> float:
    got = dict.fromkeys(x.items, 0.0)
    for ids in x.top(m).values():
        for rank, i in enumerate(ids, 1):
            if i in got:
                got[i] += 1 / log2(rank + 1) if m.discount == "log2" else 0.85 ** (rank - 1)
    return gini(list(got.values()))


def entropy(m: Any, x: Lists) -> float:
    counts = Counter(i for ids in x.top(m).values() for i in ids)
    total = sum(counts.values())
    return -sum(n / total * log2(n / total) for n in counts.values()) if total else nan


def personalisation(m: Any, x: Lists) -> float:
    pairs = list(combinations(x.top(m).values(), 2))
    return 1 - mean([len({*a} & {*b}) / sqrt(len(a) * len(b)) for a, b in pairs]) if pairs else nan


NAIVE: dict[str, Callable[[Any, Lists], float]] = {
    "Coverage": coverage,
    "UserCoverage": lambda m, x: mean([float(bool(ids)) for ids in x.shown.values()]),
    "ARP": per_list(lambda m, x, u, ids: mean([(x.events if m.count == "interactions" else x.users)[i] for i in ids])),
    "APLT": per_list(lambda m, x, u, ids: mean([float(i in x.items and i not in head(x, m.head)) for i in ids])),
    "ACLT": per_list(lambda m, x, u, ids: sum(i in x.items and i not in head(x, m.head) for i in ids)),
    "HeadShare": per_list(lambda m, x, u, ids: mean([float(i in x.items and i in head(x, m.head)) for i in ids])),
    "MIUF": per_list(lambda m, x, u, ids: mean([-log2(max(x.users[i], 1) / len(x.train)) for i in ids])),
    "SelfInformation": per_list(
        lambda m, x, u, ids: mean([-log2(max(x.events[i], 1) / sum(x.events.values())) for i in ids])
    ),
    "Surprisal": per_list(
        lambda m, x, u, ids: mean(
            [log2(len(x.train) / max(x.users[i], 1)) / log2(len(x.train)) if len(x.train) > 1 else 0.0 for i in ids]
        )
    ),
    "Unseen": per_list(lambda m, x, u, ids: mean([float(i not in x.train.get(u, ())) for i in ids])),
    "ItemGini": item_gini,
    "ExposureGini": exposure_gini,
    "Entropy": entropy,
    "Personalisation": personalisation,
}
