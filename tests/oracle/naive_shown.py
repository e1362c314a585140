"""The definitions of the measures of what is shown, written as their formulas read: loops over users and items."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from math import log, log2, nan, sqrt
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
    seconds: Mapping[str, float | None] = field(default_factory=dict)
    """How long each list was waited for; None where there was an error."""
    spent: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    """What users cost, by `cost`, `tokens` and `calls`, as far as it is told."""

    @property
    def ms(self) -> list[float]:
        return [1000 * s for u in self.shown if (s := self.seconds.get(u)) is not None]

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


def discounted(m: Any, x: Lists, u: str, ids: list[str], novelty: Callable[[str], float]) -> float:
    top = sum(novelty(i) / log2(r + 1) for r, i in enumerate(ids, 1) if i in x.relevant.get(u, ()))
    return top / sum(1 / log2(r + 1) for r in range(1, len(ids) + 1))


def per_relevant(of_list: Callable[[Any, Lists, str, list[str]], float]) -> Callable[[Any, Lists], float]:
    """The mean over lists of users who have something relevant."""
    return lambda m, x: mean([of_list(m, x, u, ids) for u, ids in x.top(m).items() if x.relevant.get(u)])


def together(x: Lists, i: str, j: str) -> float:
    """The cosine of the users who had two items."""
    a, b = ({u for u, ids in x.train.items() if item in ids} for item in (i, j))
    return len(a & b) / sqrt(len(a) * len(b)) if a and b else 0.0


def unlike_history(m: Any, x: Lists, u: str, ids: list[str]) -> float:
    had = set(x.train[u])
    right = x.relevant.get(u, ())
    return mean([1 - mean([together(x, i, j) for j in had]) if i in right else 0.0 for i in ids])


def any_serendipity(m: Any, x: Lists) -> float:
    if m.form == "popularity":
        return per_relevant(serendipity)(m, x)
    known = Lists({u: ids for u, ids in x.shown.items() if u in x.train}, x.train, x.items, x.relevant)
    return per_relevant(unlike_history)(m, known)


def serendipity(m: Any, x: Lists, u: str, ids: list[str]) -> float:
    n, events = len(x.items), x.events
    ranks = {c: r for r, c in enumerate(sorted(set(events.values()), reverse=True), 1)}

    def gain(r: int, i: str) -> float:
        popular = (n + 1 - ranks[events[i]]) / n if i in events else 0.0
        return max(0.0, (n + 1 - r) / n - popular) if i in x.relevant.get(u, ()) else 0.0

    return mean([gain(r, i) for r, i in enumerate(ids, 1)])


def labels(x: Lists, i: str) -> set[str]:
    return set(x.category[i].split("|")) if i in x.category else set()


def ild(m: Any, x: Lists) -> float:
    found = []
    for ids in x.top(m).values():
        pairs = list(combinations([labels(x, i) for i in ids if labels(x, i)], 2))
        if pairs:
            found.append(mean([1 - len(a & b) / len(a | b) for a, b in pairs]))
    return mean(found)


def category_recall(m: Any, x: Lists) -> float:
    every = {g for i in x.category for g in labels(x, i)}
    return mean([len({g for i in ids for g in labels(x, i)}) / len(every) for ids in x.top(m).values()])


def mix(x: Lists, ids: Sequence[str]) -> Counter[str]:
    out: Counter[str] = Counter()
    known = [i for i in ids if labels(x, i)]
    for i in known:
        for g in labels(x, i):
            out[g] += 1 / len(labels(x, i)) / len(known)  # type: ignore[assignment]
    return out


def category_kl(m: Any, x: Lists) -> float:
    found = []
    for u, ids in x.top(m).items():
        p, q = mix(x, sorted(set(x.train.get(u, ())))), mix(x, ids)
        if p and q:
            found.append(sum(p[g] * log(p[g] / ((1 - m.alpha) * q[g] + m.alpha * p[g])) for g in p))
    return mean(found)


def exposure_gap(m: Any, x: Lists) -> float:
    got: Counter[str] = Counter()
    target: Counter[str] = Counter()
    for ids in x.top(m).values():
        for r, i in enumerate(ids, 1):
            for g in labels(x, i):
                got[g] += 1 / log2(r + 1) / len(labels(x, i))  # type: ignore[assignment]
    wanted = Counter(i for u in x.top(m) for i in x.relevant.get(u, ()))
    for i in x.category:
        worth = {"catalogue": 1, "train": x.users[i], "relevance": wanted[i]}[m.against]
        for g in labels(x, i):
            target[g] += worth / len(labels(x, i))  # type: ignore[assignment]
    whole, due = sum(got.values()), sum(target.values())
    return sum(abs(got[g] / whole - target[g] / due) for g in target) / 2 if whole and due else nan


def rsp(m: Any, x: Lists) -> float:
    groups = sorted({g for i in x.category for g in labels(x, i)})
    shown, could = dict.fromkeys(groups, 0.0), dict.fromkeys(groups, 0.0)
    for u, ids in x.top(m).items():
        for g in groups:
            shown[g] += sum(1 / len(labels(x, i)) for i in ids if g in labels(x, i))
            free = (i for i in x.category if i not in x.train.get(u, ()) and g in labels(x, i))
            could[g] += sum(1 / len(labels(x, i)) for i in free)
    if not all(n > 1e-9 for n in could.values()) or not any(shown.values()):
        return nan
    return relative_spread([shown[g] / could[g] for g in groups])


def relative_spread(chance: Sequence[float]) -> float:
    middle = mean(chance)
    return sqrt(mean([(c - middle) ** 2 for c in chance])) / middle if middle else nan


def reo(m: Any, x: Lists) -> float:
    found = []
    for g in sorted({g for i in x.category for g in labels(x, i)}):
        wanted = [(u, i) for u in x.top(m) for i in x.relevant.get(u, ()) if g in labels(x, i)]
        whole = sum(1 / len(labels(x, i)) for _, i in wanted)
        if whole:
            found.append(sum(1 / len(labels(x, i)) for u, i in wanted if i in x.top(m)[u]) / whole)
    return relative_spread(found) if found else nan


def unexpectedness(m: Any, x: Lists, u: str, ids: list[str]) -> float:
    known = [i for i in x.users if i in x.items and i not in x.train.get(u, ())]
    popular = sorted(known, key=lambda i: (x.users[i], i), reverse=True)[: m.cutoff or len(ids)]
    return mean([float(i not in popular) for i in ids])


def lower_quantile(values: Sequence[float], p: float) -> float:
    """The first of the sorted values with enough of them at or before it."""
    ordered = sorted(values)
    return next((x for i, x in enumerate(ordered, 1) if 100 * i >= p * len(ordered)), nan)


NAIVE: dict[str, Callable[[Any, Lists], float]] = {
    "Latency": lambda m, x: mean(x.ms),
    "LatencyQuantile": lambda m, x: lower_quantile(x.ms, m.p),
    **{
        name: lambda m, x: mean([x.spent[m.name.lower()][u] for u in x.shown if u in x.spent[m.name.lower()]])
        for name in ("Cost", "Tokens", "Calls")
    },
    "Failures": lambda m, x: mean([float(x.seconds.get(u) is None) for u in x.shown]),
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
    "EPC": per_relevant(lambda m, x, u, ids: discounted(m, x, u, ids, lambda i: 1 - x.users[i] / len(x.train))),
    "EFD": per_relevant(
        lambda m, x, u, ids: discounted(m, x, u, ids, lambda i: -log2(max(x.users[i], 1) / sum(x.users.values())))
    ),
    "Serendipity": any_serendipity,
    "ILD": ild,
    "CategoryRecall": category_recall,
    "CategoryKL": category_kl,
    "ShortLists": lambda m, x: mean([float(len(ids) < m.k) for ids in x.shown.values()]),
    "RepeatedItems": per_list(lambda m, x, u, ids: float(len(set(ids)) < len(ids))),
    "UnknownItems": per_list(lambda m, x, u, ids: mean([float(i not in x.items) for i in ids])),
    "SeenItems": per_list(lambda m, x, u, ids: mean([float(i in x.train.get(u, ())) for i in ids])),
    "ExposureGap": exposure_gap,
    "RSP": rsp,
    "REO": reo,
    "Unexpectedness": per_list(unexpectedness),
}
