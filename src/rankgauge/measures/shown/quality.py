"""Whether lists are what they should be: long enough, without repeats, of known items, without what users had."""

from __future__ import annotations

import numpy as np

from rankgauge._text import Text
from rankgauge.alignment import Array
from rankgauge.alignment.shown import Shown
from rankgauge.measures.base import cutoff
from rankgauge.measures.shown.base import SHORT_LISTS, OfLists, ShownCase, measure

_FAMILY = Text("Shown: quality of lists", "展示：列表质量")


@measure(
    title=Text("Share of short lists", "过短列表占比"),
    family=_FAMILY,
    question=Text("To which share of users are fewer than k items shown?", "有多大比例的用户得到的物品不足 k 个？"),
    formula=Text(
        "ShortLists@k = users with fewer than k shown items / all users of the test",
        "ShortLists@k = 展示物品不足 k 个的用户数 / 测试用户总数",
    ),
    aliases=["insufficient_lists"],
    edges=Text(
        "A user without a list counts as one with a short list; repeated items count once.",
        "没有列表的用户按列表过短计；重复的物品只计一次。",
    ),
    same={
        "RecTools": Text(
            "1 - SufficientReco(k), where every user has a list", "1 - SufficientReco(k)，每个用户都有列表时"
        )
    },
    higher_is_better=False,
    example=ShownCase({"u1": ["a", "b"], "u2": ["a"], "u3": []}, "2 / 3", params={"k": 2}),
    side="length",
)
class ShortLists(OfLists):
    """Share of users whose list has fewer than k items.

    >>> ShortLists(k=2).of({"u1": ["a"], "u2": ["a", "b"]})
    0.5
    """

    k: int = cutoff(10, required=True)

    counts_all_users = True

    def of_lists(self, s: Shown) -> Array:
        return (s.lengths < self.k).astype(np.float64)


@measure(
    title=Text("Share of lists with repeated items", "含重复物品的列表占比"),
    family=_FAMILY,
    question=Text("Which share of lists shows an item twice?", "有多大比例的列表重复展示了某个物品？"),
    formula=Text(
        "RepeatedItems = lists that show an item again / lists", "RepeatedItems = 有物品重复的列表数 / 列表数"
    ),
    aliases=["repeated_reco"],
    edges=Text(
        "The whole list is looked at, as it was given. All other measures of what is shown count an item once.",
        "查看整个列表的原样。其他展示类指标对重复的物品只计一次。",
    ),
    same={"RecTools": Text("1 - UnrepeatedReco, where lists end at k", "1 - UnrepeatedReco，列表到 k 为止时")},
    higher_is_better=False,
    example=ShownCase({"u1": ["a", "b"], "u2": ["a"]}, "0 / 2"),
    side="repeats",
)
class RepeatedItems(OfLists):
    """Share of lists that show an item more than once."""

    def of_lists(self, s: Shown) -> Array:
        return np.where(s.lengths > 0, s.repeats > 0, np.nan)


@measure(
    title=Text("Share of unknown items", "未知物品占比"),
    family=_FAMILY,
    question=Text("Which share of the shown items is not in the catalogue?", "展示的物品中有多大比例不在目录中？"),
    formula=Text(
        "UnknownItems@k = items among the first k that the catalogue does not have / items among the first k",
        "UnknownItems@k = 前 k 条中目录没有的物品数 / 前 k 条物品数",
    ),
    aliases=["unknown_share"],
    edges=SHORT_LISTS,
    higher_is_better=False,
    needs=["catalogue"],
    example=ShownCase({"u1": ["a", "x"], "u2": ["b", "a"]}, "(1 / 2 + 0 / 2) / 2", items=["a", "b"], params={"k": 2}),
    side="known",
)
class UnknownItems(OfLists):
    """Share of the first k items that are not in the catalogue.

    >>> UnknownItems(k=2).of({"u": ["a", "x"]}, items=["a"])
    0.5
    """

    k: int | None = cutoff()

    def of_lists(self, s: Shown) -> Array:
        return s.mean((~s.known).astype(np.float64))


@measure(
    title=Text("Share of items that the user had before", "已接触物品占比"),
    family=_FAMILY,
    question=Text(
        "Which share of the shown items did the user have before?", "展示的物品中有多大比例是该用户此前已有的？"
    ),
    formula=Text(
        "SeenItems@k = items among the first k that the user had in train / items among the first k = 1 - Unseen@k",
        "SeenItems@k = 前 k 条中该用户在训练集里已有的物品数 / 前 k 条物品数 = 1 - Unseen@k",
    ),
    aliases=["seen_share", "already_seen"],
    edges=SHORT_LISTS,
    higher_is_better=False,
    needs=["train"],
    example=ShownCase(
        {"u1": ["a", "b"], "u2": ["b", "x"]},
        "(2 / 2 + 0 / 2) / 2",
        train={"u1": ["a", "b"], "u2": ["a"]},
        params={"k": 2},
    ),
    side="unseen",
)
class SeenItems(OfLists):
    """Share of the first k items that the user had before.

    >>> SeenItems(k=2).of({"u1": ["a", "x"]}, train={"u1": ["a"]})
    0.5
    """

    k: int | None = cutoff()

    def of_lists(self, s: Shown) -> Array:
        return s.mean(s.seen.astype(np.float64))
