"""How popular the shown items are: their mean popularity, and the share of popular and of rare ones.

An item belongs to the head when the items that are strictly more popular have less than the share `head` of all pairs
of user and item in the training data; all others of the catalogue are the tail. Items of equal popularity go together.
"""

from __future__ import annotations

from fractions import Fraction
from math import ceil
from typing import Any

import numpy as np

from rankgauge._text import Text
from rankgauge.alignment import Array
from rankgauge.alignment.shown import Shown
from rankgauge.measures.base import choice, cutoff, number
from rankgauge.measures.shown.base import SHORT_LISTS, OfLists, ShownCase, measure

_FAMILY = Text("Shown: popularity", "展示：热度")
_ABDOLLAHPOURI = "Abdollahpouri, Burke, Mobasher (2019), Managing popularity bias in recommender systems"
_TRAIN = {"u1": ["a", "b"], "u2": ["a", "c"], "u3": ["a", "b"]}


@measure(
    title=Text("Average recommendation popularity", "平均推荐热度"),
    family=_FAMILY,
    question=Text(
        "How often were the shown items interacted with before?",
        "展示的物品此前平均有多少次交互？",
    ),
    formula=Text(
        "ARP@k = mean over the first k of the number of training interactions of each item; then the mean over users",
        "ARP@k = 前 k 个物品的训练交互数的平均值，再对用户取均值",
    ),
    aliases=["avg_rec_popularity", "average_popularity", "mean_popularity", "平均热度"],
    spellings={"ARP_users": {"count": "users"}},
    edges=Text(
        "An item that training data do not have counts 0. A list shorter than k is divided by its length, "
        "users without "
        "a list are left out. Lower is called better, as a system that shows what is popular anyway is of little use; "
        "it says nothing of whether users like it.",
        "训练数据中没有的物品计为 0。列表不足 k 条时除以其长度，没有列表的用户不计入。约定越低越好，"
        "因为只推热门的系统价值不大；它不说明用户是否喜欢。",
    ),
    reference="Yin et al. (2012), Challenging the long tail recommendation",
    same={"RecTools": "AvgRecPopularity(k)", "RecBole": "AveragePopularity"},
    differs={
        "Elliot": Text("counts distinct users: ARP(count=users)@k", "统计不同用户数：ARP(count=users)@k"),
        "Evidently": Text(
            "leaves items out that train does not have, and with normalize_arp divides by the most popular item",
            "去掉训练集中没有的物品；normalize_arp 时还除以最热门物品的热度",
        ),
        "LensKit": Text(
            "MeanPopRank is the mean rank of popularity as a quantile", "MeanPopRank 是热度排名分位数的均值"
        ),
    },
    bounds=(0.0, np.inf),
    higher_is_better=False,
    needs=["train"],
    example=ShownCase(
        {"u1": ["a", "c"], "u2": ["b", "x"]}, "((3 + 1) / 2 + (2 + 0) / 2) / 2", train=_TRAIN, params={"k": 2}
    ),
    side="popular",
)
class ARP(OfLists):
    """Mean training popularity of the first k items.

    >>> ARP(k=2).of({"u1": ["a", "b"]}, train={"u1": ["a"], "u2": ["a", "b"]})
    1.5
    """

    k: int | None = cutoff()
    count: str = choice(
        "interactions",
        "users",
        doc=Text("popularity: all interactions, or users each counted once", "热度按交互次数，还是按不同用户数"),
    )

    def of_lists(self, s: Shown) -> Array:
        counts = s.catalogue.events if self.count == "interactions" else s.catalogue.users
        return s.mean_of_items(counts.astype(np.float64))


def head_share() -> Any:
    """`head`: the share of all training pairs that belongs to popular items."""
    return number(
        0.8,
        low=0,
        high=1,
        open_low=True,
        open_high=True,
        doc=Text(
            "share of training pairs that the most popular items, the head, have", "头部物品占训练用户–物品对的比例"
        ),
    )


def is_head(s: Shown, head: float) -> Array:
    """Items of the head, by number, as a mask."""
    users = s.catalogue.users
    distinct, of_item = np.unique(-users, return_inverse=True)  # the most popular first
    pairs = -distinct * np.bincount(of_item, minlength=len(distinct))
    before = np.cumsum(pairs) - pairs
    least = ceil(Fraction(repr(float(head))) * int(pairs.sum()))  # 0.07 × 100 is 7, and no float above it
    mask: Array = ((before < least) & (distinct < 0))[of_item]
    return mask


class _ByPopularity(OfLists):
    """Base of those that tell popular items from rare ones."""

    head: float

    def in_head(self, s: Shown) -> Array:
        """Places with a popular item of the catalogue."""
        mask: Array = s.known & is_head(s, self.head)[s.items]
        return mask

    def in_tail(self, s: Shown) -> Array:
        """Places with another item of the catalogue."""
        mask: Array = s.known & ~is_head(s, self.head)[s.items]
        return mask


_TAIL = Text(
    "Popularity is the number of users who had the item in train. Items of equal popularity are all in the head or all "
    "in the tail; items of the catalogue that nobody had are in the tail, items outside the catalogue in "
    "neither. ",
    "热度为训练集中拥有该物品的用户数。热度相同的物品同属头部或同属长尾；目录中无人交互过的物品属于长尾，"
    "目录以外的物品两者都不属于。",
)
_EDGES = _TAIL + SHORT_LISTS


@measure(
    title=Text("Average percentage of long-tail items", "长尾物品占比"),
    family=_FAMILY,
    question=Text("Which share of the first k items belongs to the long tail?", "前 k 个物品中有多大比例属于长尾？"),
    formula=Text(
        "APLT@k = tail items among the first k / items among the first k; tail = all but the most popular items that "
        "have the share head of training pairs",
        "APLT@k = 前 k 条中的长尾物品数 / 前 k 条物品数；长尾 = 除去占训练用户–物品对 head 比例的最热门物品",
    ),
    aliases=["TailShare", "tail_percentage", "long_tail_share", "长尾占比"],
    edges=_EDGES,
    reference=_ABDOLLAHPOURI,
    same={
        "Elliot": Text(
            "APLT, but for items of equal popularity at the border, which it takes in their order",
            "APLT；边界上热度相同的物品除外，它按其顺序划分",
        )
    },
    differs={
        "RecBole": Text(
            "TailPercentage has a tail of a share, or below a count, of items",
            "TailPercentage 的长尾按物品比例或次数划定",
        )
    },
    needs=["train"],
    example=ShownCase({"u1": ["a", "c"], "u2": ["b", "a"]}, "(1 / 2 + 0 / 2) / 2", train=_TRAIN, params={"k": 2}),
    side="popular",
)
class APLT(_ByPopularity):
    """Share of the first k items that belong to the long tail.

    >>> train = {"u1": ["a", "b"], "u2": ["a"], "u3": ["a"], "u4": ["a"]}
    >>> APLT(k=2).of({"u1": ["a", "b"]}, train=train)
    0.5
    """

    k: int | None = cutoff()
    head: float = head_share()

    def of_lists(self, s: Shown) -> Array:
        return s.mean(self.in_tail(s).astype(np.float64))


@measure(
    title=Text("Average count of long-tail items", "长尾物品数"),
    family=_FAMILY,
    question=Text("How many of the first k items belong to the long tail?", "前 k 个物品中有多少个属于长尾？"),
    formula=Text(
        "ACLT@k = tail items among the first k; the tail is that of APLT",
        "ACLT@k = 前 k 条中的长尾物品数；长尾的定义同 APLT",
    ),
    aliases=["TailCount", "average_coverage_of_long_tail"],
    edges=_TAIL
    + Text(
        "It is a count: a list shorter than k has what it has. Users without a list are left out.",
        "这是个数：列表不足 k 条时只计其中的物品。没有列表的用户不计入。",
    ),
    reference=_ABDOLLAHPOURI,
    same={"Elliot": Text("ACLT, but for items of equal popularity at the border", "ACLT；边界上热度相同的物品除外")},
    bounds=(0.0, np.inf),
    needs=["train"],
    example=ShownCase({"u1": ["a", "c"], "u2": ["b", "a"]}, "(1 + 0) / 2", train=_TRAIN, params={"k": 2}),
    side="popular",
)
class ACLT(_ByPopularity):
    """Number of the first k items that belong to the long tail."""

    k: int | None = cutoff()
    head: float = head_share()

    def of_lists(self, s: Shown) -> Array:
        return np.where(s.lengths > 0, s.by_list.sum(self.in_tail(s)), np.nan)


@measure(
    title=Text("Share of popular items", "头部物品占比"),
    family=_FAMILY,
    question=Text("Which share of the first k items is popular anyway?", "前 k 个物品中有多大比例本来就热门？"),
    formula=Text(
        "HeadShare@k = head items among the first k / items among the first k; head = the most popular items that have "
        "the share head of training pairs",
        "HeadShare@k = 前 k 条中的头部物品数 / 前 k 条物品数；头部 = 占训练用户–物品对 head 比例的最热门物品",
    ),
    aliases=["head_percentage", "short_head_share", "头部占比"],
    edges=_EDGES,
    reference=_ABDOLLAHPOURI,
    higher_is_better=False,
    needs=["train"],
    example=ShownCase({"u1": ["a", "c"], "u2": ["b", "a"]}, "(1 / 2 + 2 / 2) / 2", train=_TRAIN, params={"k": 2}),
    side="popular",
)
class HeadShare(_ByPopularity):
    """Share of the first k items that belong to the popular head."""

    k: int | None = cutoff()
    head: float = head_share()

    def of_lists(self, s: Shown) -> Array:
        return s.mean(self.in_head(s).astype(np.float64))
