"""Whether groups of items get their part of what is shown: exposure against a target, and equal chances.

An item of several groups counts in equal parts for each of them; items without a group are left out.
"""

from __future__ import annotations

import numpy as np

from rankgauge._text import Text
from rankgauge.alignment import Array, Segments
from rankgauge.alignment.shown import Catalogue, Shown
from rankgauge.errors import ParameterError
from rankgauge.measures.base import choice, cutoff
from rankgauge.measures.shown.base import OfRun, ShownCase, Whole, measure
from rankgauge.measures.shown.variety import attribute

_FAMILY = Text("Shown: fairness to groups of items", "展示：物品分组的公平性")
_KINDS = {"a": "big", "b": "big", "c": "small", "d": "small"}
_AT_ONCE = 4_000_000  # numbers that are held at once


def parts_of(catalogue: Catalogue, by: str | None) -> tuple[Array, Segments, Array]:
    """For each item of the catalogue the groups it belongs to, and in which parts: codes, segments by item, parts."""
    labels = catalogue.labels(by)
    each = Segments(labels.offsets)
    return labels.code, each, 1 / np.maximum(each.spread(each.lengths), 1)


class _OfGroups(OfRun):
    """Base of those that add up something for each group of items."""

    by: str | None

    def check(self, catalogue: Catalogue) -> None:
        catalogue.attribute(self.by)

    def weight(self, depth: int) -> Array:
        """What a place counts, by its rank from 1."""
        return np.ones(depth)

    def of_sums(self, s: Shown, sums: Array, others: Array) -> Array:
        """The value for each row of sums by group; `others` are those of what could have been shown."""
        raise NotImplementedError  # pragma: no cover - every measure has its own

    def possible(self, s: Shown) -> Array:
        """What could have been shown to each user, by group: (lists, groups); nothing where nobody asks."""
        return np.zeros((s.n_lists, len(s.catalogue.labels(self.by).names)))

    def had(self, s: Shown) -> Array:
        """To how many of the users each item of the catalogue could not be shown."""
        return np.zeros(s.catalogue.n_items, dtype=np.int64)

    def of_run(self, s: Shown) -> Whole:
        code, each, part = parts_of(s.catalogue, self.by)
        n, depth = len(s.catalogue.labels(self.by).names), int(s.lengths.max())
        weight = self.weight(depth)
        known = np.flatnonzero(s.known)
        # whole numbers first, so that the order of lists does not change a bit
        places, of_place = np.unique(s.items[known] * depth + s.by_list.place[known], return_inverse=True)
        times = np.bincount(of_place, minlength=len(places)) * weight[places % depth]
        exposure = np.bincount(places // depth, weights=times, minlength=s.catalogue.n_items)
        total = np.bincount(code, weights=part * each.spread(exposure), minlength=n)
        step = max(1, _AT_ONCE // max(n, 1))
        parts = [(a, min(a + step, s.n_lists)) for a in range(0, s.n_lists, step)]
        had = self.had(s)
        every = np.bincount(code, weights=part * each.spread(s.n_lists - had), minlength=n)
        value = float(self.of_sums(s, total[None, :], every[None, :])[0])
        without = np.empty(s.n_lists)
        for a, b in parts:
            mine = known[slice(*np.searchsorted(known, s.offsets[[a, b]]))]
            own = Segments.of_lengths(each.lengths[s.items[mine]])
            rows = own.place + own.spread(each.offsets[:-1][s.items[mine]])
            owner = own.spread(s.by_list.owner[mine]) - a
            took = np.bincount(
                owner * n + code[rows],
                weights=part[rows] * own.spread(weight[s.by_list.place[mine]]),
                minlength=(b - a) * n,
            ).reshape(b - a, n)
            without[a:b] = self.of_sums(s, total - took, every - self.possible(s.of_queries(np.arange(a, b))))
        return Whole(value, without)


@measure(
    title=Text("Exposure gap of groups", "分组曝光差距"),
    family=_FAMILY,
    question=Text(
        "Which share of attention would have to move for every group of items to get its part?",
        "要让每个物品分组得到应有的份额，需要转移多大比例的曝光？",
    ),
    formula=Text(
        "ExposureGap@k = 1/2 Σ_g |exposure(g) - target(g)|; exposure(g): share of the discounts 1 / log2(rank "
        "+ 1) of all "
        "places that group g has, target(g): its share of catalogue items, or of training pairs (against=train)",
        "ExposureGap@k = 1/2 Σ_g |exposure(g) - target(g)|；exposure(g)：分组 g 在所有位置折损 1 / log2(rank + "
        "1) 中的占比，"
        "target(g)：它在目录物品（或训练用户–物品对，against=train）中的占比",
    ),
    aliases=["exposure_disparity", "group_exposure", "exposure_fairness"],
    edges=Text(
        "0: every group has its part; near 1: all attention goes to groups that should have none. Items outside the "
        "catalogue or without a group are left out. Undefined where no others are shown.",
        "0：每个分组都得到应有的份额；接近 1：曝光全部给了本不应得到的分组。目录以外或没有分组的物品不计。"
        "没有展示其他物品时无定义。",
    ),
    reference="Singh, Joachims (2018), Fairness of exposure in rankings",
    higher_is_better=False,
    needs=["attributes"],
    example=ShownCase(
        {"u1": ["a", "c"]},
        "1 / 2 * (abs(1 / (1 + 1 / log2(3)) - 1 / 2) + abs(1 / log2(3) / (1 + 1 / log2(3)) - 1 / 2))",
        items=_KINDS,
        params={"k": 2},
    ),
    side="even",
)
class ExposureGap(_OfGroups):
    """How far the attention that groups of items get is from their target shares.

    >>> ExposureGap(k=1).of({"u": ["a"]}, items={"a": "big", "b": "small"})
    0.5
    """

    k: int | None = cutoff()
    by: str | None = attribute()
    against: str = choice(
        "catalogue",
        "train",
        doc=Text(
            "target: shares of catalogue items, or of training pairs", "目标：目录物品的占比，或训练用户–物品对的占比"
        ),
    )

    def check(self, catalogue: Catalogue) -> None:
        super().check(catalogue)
        if self.against == "train" and catalogue.train is None:
            raise ParameterError(
                Text(
                    f"{self}: against=train needs what users had before: pass train=… (interactions).",
                    f"{self}：against=train 需要用户此前的交互：请传入 train=…。",
                )
            )

    def weight(self, depth: int) -> Array:
        found: Array = 1 / np.log2(np.arange(1, depth + 1) + 1)
        return found

    def of_sums(self, s: Shown, sums: Array, others: Array) -> Array:
        code, each, part = parts_of(s.catalogue, self.by)
        n = s.catalogue.n_items
        own = s.catalogue.users[:n].astype(np.float64) if self.against == "train" else np.ones(n)
        target = np.bincount(code, weights=part * each.spread(own), minlength=sums.shape[1])
        whole = sums.sum(axis=1, keepdims=True)
        if not target.sum() > 0:
            return np.full(len(sums), np.nan)
        shares = np.divide(sums, whole, out=np.full(sums.shape, np.nan), where=whole > 1e-12)
        found: Array = np.abs(shares - target / target.sum()).sum(axis=1) / 2
        return found


@measure(
    title=Text("Ranking-based statistical parity", "排序统计均等"),
    family=_FAMILY,
    question=Text(
        "How unequal are the chances of items of different groups to be shown?",
        "不同分组的物品得到展示的机会有多不均等？",
    ),
    formula=Text(
        "RSP@k = std_g(P(g)) / mean_g(P(g)); P(g): places among the first k with items of group g / pairs of a "
        "user with a list and an item of the group that the user did not have in train; an item of several groups "
        "counts in equal parts for each",
        "RSP@k = std_g(P(g)) / mean_g(P(g))；P(g)：前 k 条中分组 g 的位置数 / 有列表的用户与该分组中其训练集里没有的"
        "物品的对数；属于多个分组的物品平均分给各个分组",
    ),
    aliases=["ranking_based_statistical_parity"],
    edges=Text(
        "0: the same chance for every group. Without train= every pair of a user and an item could have been shown. "
        "Undefined where none of the shown items has a group, and where a group has nothing left to show; a group of "
        "which nothing is shown has chance 0. Items outside the catalogue or without a group, and users without a "
        "list, are left out.",
        "0：各分组机会相同。没有 train= 时，用户与物品的每一对都可能展示。展示的物品都没有分组，"
        "或某个分组已无可展示的物品时无定义；某个分组没有得到展示时，其机会为 0。目录以外或没有分组的物品、"
        "没有列表的用户不计入。",
    ),
    reference="Zhu, Wang, Caverlee (2020), Measuring and mitigating item under-recommendation bias",
    same={"Elliot": Text("RSP, where items have one group each", "RSP，每个物品只有一个分组时")},
    bounds=(0.0, np.inf),
    higher_is_better=False,
    needs=["attributes"],
    example=ShownCase(
        {"u1": ["a", "c"], "u2": ["a", "b"]},
        "sqrt(((3 / 4 - 1 / 2) ** 2 + (1 / 4 - 1 / 2) ** 2) / 2) / (1 / 2)",
        items=_KINDS,
        params={"k": 2},
    ),
    side="even",
)
class RSP(_OfGroups):
    """Relative spread over groups of the chance that an item is shown.

    >>> RSP(k=1).of({"u": ["a"]}, items={"a": "big", "b": "small"})
    1.0
    """

    k: int | None = cutoff()
    by: str | None = attribute()

    def possible(self, s: Shown) -> Array:
        code, each, part = parts_of(s.catalogue, self.by)
        n = len(s.catalogue.labels(self.by).names)
        found = np.tile(np.bincount(code, weights=part, minlength=n), (s.n_lists, 1))
        if s.catalogue.train is not None:
            lengths, items = s.catalogue.history_of(s.query_ids)
            owner = Segments.of_lengths(lengths).owner
            known = np.flatnonzero(items < s.catalogue.n_items)
            own = Segments.of_lengths(each.lengths[items[known]])
            rows = own.place + own.spread(each.offsets[:-1][items[known]])
            found -= np.bincount(
                own.spread(owner[known]) * n + code[rows], weights=part[rows], minlength=found.size
            ).reshape(found.shape)
        return found

    def had(self, s: Shown) -> Array:
        if s.catalogue.train is None:
            return super().had(s)
        _, items = s.catalogue.history_of(s.query_ids)
        return np.bincount(items[items < s.catalogue.n_items], minlength=s.catalogue.n_items)

    def of_sums(self, s: Shown, sums: Array, others: Array) -> Array:
        chance = np.divide(sums, others, out=np.full(sums.shape, np.nan), where=others > 1e-9)
        mean = chance.mean(axis=1)
        found: Array = np.divide(chance.std(axis=1), mean, out=np.full(len(sums), np.nan), where=mean > 1e-15)
        return found
