"""Whether groups of items get their part of what is shown: exposure against a target, equal chances, equal recall.

An item of several groups counts in equal parts for each of them; items without a group are left out.
"""

from __future__ import annotations

import numpy as np

from rankgauge._text import Text
from rankgauge.alignment import Array, Segments
from rankgauge.alignment.shown import Catalogue, Shown
from rankgauge.errors import ParameterError
from rankgauge.measures.base import choice, cutoff, level
from rankgauge.measures.definition import Variant
from rankgauge.measures.shown.base import OfRun, ShownCase, Whole, measure
from rankgauge.measures.shown.variety import attribute

_FAMILY = Text("Shown: fairness to groups of items", "展示：物品分组的公平性")
_KINDS = {"a": "big", "b": "big", "c": "small", "d": "small"}
_AT_ONCE = 4_000_000  # numbers that are held at once


class _Groups:
    """The groups of the items of a catalogue; an item of several counts in equal parts for each."""

    def __init__(self, catalogue: Catalogue, by: str | None) -> None:
        labels = catalogue.labels(by)
        self.n = len(labels.names)
        self._code, self._each = labels.code, Segments(labels.offsets)
        self._part = 1 / np.maximum(self._each.spread(self._each.lengths), 1)

    def of_items(self, amount: Array) -> Array:
        """The sum over each group of an amount of every item."""
        return np.bincount(self._code, weights=self._part * self._each.spread(amount), minlength=self.n)

    def of_lists(self, owner: Array, items: Array, amount: Array, n_lists: int) -> Array:
        """The same for each list: (lists, groups), of items that belong to lists."""
        rows, each = self._each.rows_of(items), self._each.lengths[items]
        at = np.repeat(owner, each) * self.n + self._code[rows]
        sums = np.bincount(at, weights=self._part[rows] * np.repeat(amount, each), minlength=n_lists * self.n)
        return sums.reshape(n_lists, self.n)


class _OfGroups(OfRun):
    """Base of those that hold the places of each group of items against pairs of users and items."""

    by: str | None

    def check(self, catalogue: Catalogue) -> None:
        catalogue.attribute(self.by)

    def weight(self, depth: int) -> Array:
        """What a place counts, by its rank from 1."""
        return np.ones(depth)

    def places(self, s: Shown) -> Array:
        """Places that count, of those with an item of the catalogue, as a mask."""
        return s.known

    def pairs(self, s: Shown) -> tuple[Array, Array]:
        """Pairs that places are held against: numbers of users, numbers of items; none where nobody asks."""
        return np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64)

    def of_sums(self, s: Shown, sums: Array, pairs: Array, lists: int) -> Array:
        """The value for each row of sums over the groups: of places, and of pairs, of so many lists."""
        raise NotImplementedError  # pragma: no cover - every measure has its own

    def of_run(self, s: Shown) -> Whole:
        groups, depth = _Groups(s.catalogue, self.by), int(s.lengths.max())
        weight = self.weight(depth)
        n_items = s.catalogue.n_items
        rows = np.flatnonzero(self.places(s))
        user, item = self.pairs(s)
        user, item = user[item < n_items], item[item < n_items]
        # whole numbers first, so that the order of lists does not change a bit
        place, of_place = np.unique(s.items[rows] * depth + s.by_list.place[rows], return_inverse=True)
        times = np.bincount(of_place, minlength=len(place)) * weight[place % depth]
        total = groups.of_items(np.bincount(place // depth, weights=times, minlength=n_items))
        every = groups.of_items(np.bincount(item, minlength=n_items))
        value = float(self.of_sums(s, total[None, :], every[None, :], s.n_lists)[0])
        without = np.empty(s.n_lists)
        step = max(1, _AT_ONCE // max(groups.n, 1))
        for a in range(0, s.n_lists, step):
            b = min(a + step, s.n_lists)
            mine = rows[slice(*np.searchsorted(rows, s.offsets[[a, b]]))]
            of_mine = slice(*np.searchsorted(user, [a, b]))
            took = groups.of_lists(s.by_list.owner[mine] - a, s.items[mine], weight[s.by_list.place[mine]], b - a)
            own = groups.of_lists(user[of_mine] - a, item[of_mine], np.ones(len(user[of_mine])), b - a)
            without[a:b] = self.of_sums(s, total - took, every - own, s.n_lists - 1)
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
        "places that group g has, target(g): its share of catalogue items",
        "ExposureGap@k = 1/2 Σ_g |exposure(g) - target(g)|；exposure(g)：分组 g 在所有位置折损 1 / log2(rank + "
        "1) 中的占比，"
        "target(g)：它在目录物品中的占比",
    ),
    aliases=["exposure_disparity", "group_exposure", "exposure_fairness"],
    edges=Text(
        "0: every group has its part; near 1: all attention goes to groups that should have none. Items outside the "
        "catalogue or without a group are left out. Undefined where no others are shown. Against relevance, users "
        "without a list are left out, and it is undefined where no item with a group is relevant to the others.",
        "0：每个分组都得到应有的份额；接近 1：曝光全部给了本不应得到的分组。目录以外或没有分组的物品不计。"
        "没有展示其他物品时无定义。与相关性相比时，没有列表的用户不计入，没有相关的分组物品时无定义。",
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
    variants={
        "against=train": Variant(
            Text(
                "ExposureGap(against=train)@k = 1/2 Σ_g |exposure(g) - target(g)|; exposure(g): share of the discounts "
                "1 / log2(rank + 1) of all places that group g has, target(g): its share of the pairs of user and item "
                "in train",
                "ExposureGap(against=train)@k = 1/2 Σ_g |exposure(g) - target(g)|；exposure(g)：分组 g 在所有位置折损 "
                "1 / log2(rank + 1) 中的占比，target(g)：它在训练用户–物品对中的占比",
            ),
            ShownCase(
                {"u1": ["c", "d"]},
                "1 / 2 * (abs(0 - 3 / 4) + abs(1 - 1 / 4))",
                train={"u1": ["a", "b"], "u2": ["a", "c"]},
                items=_KINDS,
                params={"k": 2, "against": "train"},
            ),
        ),
        "against=relevance": Variant(
            Text(
                "ExposureGap(against=relevance)@k = 1/2 Σ_g |exposure(g) - target(g)|; exposure(g): share of the "
                "discounts 1 / log2(rank + 1) of all places that group g has, target(g): its share of the pairs of a "
                "user with a list and an item that is relevant to the user, shown or not",
                "ExposureGap(against=relevance)@k = 1/2 Σ_g |exposure(g) - target(g)|；exposure(g)：分组 g 在所有位置"
                "折损 1 / log2(rank + 1) 中的占比，target(g)：它在有列表的用户与其相关物品（无论是否展示）的对中的占比",
            ),
            ShownCase(
                {"u1": ["a"], "u2": ["b"]},
                "1 / 2 * (abs(1 - 1 / 3) + abs(0 - 2 / 3))",
                items=_KINDS,
                relevant={"u1": ["a", "c"], "u2": ["d"]},
                params={"k": 1, "against": "relevance"},
            ),
            Text(
                "Which share of attention would have to move for every group of items to get as much of it as users "
                "want of the group?",
                "要让每个物品分组得到的曝光与用户对它的需求相称，需要转移多大比例的曝光？",
            ),
        ),
    },
    side="groups",
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
        "relevance",
        doc=Text(
            "target: shares of catalogue items, of training pairs, or of what is relevant to users",
            "目标：目录物品的占比、训练用户–物品对的占比，或与用户相关的物品的占比",
        ),
    )
    rel: float = level()

    @property
    def looks_at_relevant(self) -> bool:
        return self.against == "relevance"

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

    def pairs(self, s: Shown) -> tuple[Array, Array]:
        return wanted_pairs(s, self.rel) if self.looks_at_relevant else super().pairs(s)

    def of_sums(self, s: Shown, sums: Array, pairs: Array, lists: int) -> Array:
        target = pairs
        if not self.looks_at_relevant:
            n = s.catalogue.n_items
            own = s.catalogue.users[:n].astype(np.float64) if self.against == "train" else np.ones(n)
            target = _Groups(s.catalogue, self.by).of_items(own)[None, :]
        found: Array = np.abs(_shares(sums) - _shares(target)).sum(axis=1) / 2
        return found


def wanted_pairs(s: Shown, rel: float) -> tuple[Array, Array]:
    """Pairs of a user and an item that is relevant to the user, by number."""
    assert s.wanted is not None
    return s.wanted.at(rel)


def _shares(sums: Array) -> Array:
    """The share that each group has in its row; NaN where there is nothing to share."""
    whole = sums.sum(axis=1, keepdims=True)
    found: Array = np.divide(sums, whole, out=np.full(sums.shape, np.nan), where=whole > 1e-9)
    return found


class _Chances(_OfGroups):
    """Base of those that compare the chances of groups: places over pairs."""

    def chances(self, s: Shown, sums: Array, pairs: Array, lists: int) -> Array:
        """The chance of each group, NaN for one that has none."""
        raise NotImplementedError  # pragma: no cover - every measure has its own

    def of_sums(self, s: Shown, sums: Array, pairs: Array, lists: int) -> Array:
        chance = self.chances(s, sums, pairs, lists)
        there = ~np.isnan(chance)
        n = there.sum(axis=1)
        value = np.where(there, chance, 0.0)
        mean = value.sum(axis=1) / np.maximum(n, 1)
        spread = np.sqrt((np.where(there, value - mean[:, None], 0.0) ** 2).sum(axis=1) / np.maximum(n, 1))
        found: Array = np.divide(spread, mean, out=np.full(len(sums), np.nan), where=mean > 1e-15)
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
    side="groups",
)
class RSP(_Chances):
    """Relative spread over groups of the chance that an item is shown.

    >>> RSP(k=1).of({"u": ["a"]}, items={"a": "big", "b": "small"})
    1.0
    """

    k: int | None = cutoff()
    by: str | None = attribute()

    def pairs(self, s: Shown) -> tuple[Array, Array]:
        """What users had before, which could not be shown."""
        if s.catalogue.train is None:
            return super().pairs(s)
        lengths, items = s.catalogue.history_of(s.query_ids)
        return Segments.of_lengths(lengths).owner, items

    def chances(self, s: Shown, sums: Array, pairs: Array, lists: int) -> Array:
        could = lists * _Groups(s.catalogue, self.by).of_items(np.ones(s.catalogue.n_items)) - pairs
        full = (could > 1e-9).all(axis=1, keepdims=True)
        found: Array = np.divide(sums, could, out=np.full(sums.shape, np.nan), where=full)
        return found


@measure(
    title=Text("Ranking-based equal opportunity", "排序机会均等"),
    family=_FAMILY,
    question=Text(
        "How unequal are the chances of relevant items of different groups to be shown to those who want them?",
        "不同分组的相关物品展示给需要它们的用户的机会有多不均等？",
    ),
    formula=Text(
        "REO@k = std_g(P(g)) / mean_g(P(g)); P(g): relevant items of group g among the first k / pairs of a user with "
        "a list and an item of the group that is relevant to the user; an item of several groups counts in equal "
        "parts for each",
        "REO@k = std_g(P(g)) / mean_g(P(g))；P(g)：前 k 条中分组 g 的相关物品数 / 有列表的用户与该分组中其相关物品的"
        "对数；属于多个分组的物品平均分给各个分组",
    ),
    aliases=["ranking_based_equal_opportunity", "equal_opportunity"],
    edges=Text(
        "0: of each group the same share of what is relevant is shown. P(g) is the recall of the group over all pairs. "
        "A group of which nothing is relevant to anybody has no chance and is left out; undefined where nothing "
        "relevant is shown. Items outside the catalogue or without a group, and users without a list, are left out.",
        "0：各分组的相关物品得到展示的比例相同。P(g) 即该分组在所有用户–物品对上的召回率。没有相关物品的分组不计入；"
        "没有展示任何相关物品时无定义。目录以外或没有分组的物品、没有列表的用户不计入。",
    ),
    reference="Zhu, Wang, Caverlee (2020), Measuring and mitigating item under-recommendation bias",
    same={
        "Elliot": Text(
            "REO, where items have one group each, every group has relevant items and no test pair is in train",
            "REO，每个物品只有一个分组、每个分组都有相关物品且测试对不在训练集中时",
        )
    },
    bounds=(0.0, np.inf),
    higher_is_better=False,
    needs=["attributes", "grade"],
    example=ShownCase(
        {"u1": ["a", "c"], "u2": ["a", "b"]},
        "sqrt(((2 / 2 - 3 / 4) ** 2 + (1 / 2 - 3 / 4) ** 2) / 2) / (3 / 4)",
        items=_KINDS,
        relevant={"u1": ["a", "c"], "u2": ["b", "d"]},
        params={"k": 2},
    ),
    side="groups",
)
class REO(_Chances):
    """Relative spread over groups of the share of relevant items that is shown.

    >>> REO(k=1).of({"u": ["a"]}, items={"a": "big", "b": "small"}, relevant={"u": ["a", "b"]})
    1.0
    """

    k: int | None = cutoff()
    by: str | None = attribute()
    rel: float = level()

    @property
    def looks_at_relevant(self) -> bool:
        return True

    def places(self, s: Shown) -> Array:
        mask: Array = s.known & s.relevant(self.rel)
        return mask

    def pairs(self, s: Shown) -> tuple[Array, Array]:
        return wanted_pairs(s, self.rel)

    def chances(self, s: Shown, sums: Array, pairs: Array, lists: int) -> Array:
        found: Array = np.divide(sums, pairs, out=np.full(sums.shape, np.nan), where=pairs > 1e-9)
        return found
