"""How new the shown items are: to everybody, by how few users had them; and to the user who is shown them.

MIUF@k = mean over the first k of -log2(users of the item / users)
"""

from __future__ import annotations

import numpy as np

from rankgauge._text import Text
from rankgauge.alignment import Array
from rankgauge.alignment.shown import Shown
from rankgauge.measures.base import cutoff
from rankgauge.measures.shown.base import SHORT_LISTS, OfLists, ShownCase, measure

_FAMILY = Text("Shown: novelty", "展示：新颖性")
_TRAIN = {"u1": ["a", "b"], "u2": ["a"], "u3": ["a"], "u4": ["a"]}
_LISTS = {"u1": ["a", "b"], "u2": ["b", "x"]}
_COLD = Text(
    "An item that nobody had in train counts as if one user had had it.",
    "训练集中无人拥有的物品按有一个用户拥有计。",
)


def _edges(*parts: Text) -> Text:
    return Text(" ".join(p.en for p in parts), "".join(p.zh for p in parts))


def rarity(s: Shown) -> Array:
    """-log2 of the share of users who had the item at each place before; of an item that nobody had, as if one had."""
    assert s.catalogue.train is not None
    of_items: Array = np.log2(s.catalogue.train.n_users) - np.log2(np.maximum(s.catalogue.users, 1))
    return of_items


@measure(
    title=Text("Mean inverse user frequency", "平均逆用户频率"),
    family=_FAMILY,
    question=Text("How few users had the shown items before?", "展示的物品此前只有多少用户接触过，有多冷门？"),
    formula=Text(
        "MIUF@k = mean over the first k of -log2(users(i) / U); users(i): users who had item i in train, U: "
        "users of train",
        "MIUF@k = 前 k 个物品的 -log2(users(i) / U) 的平均值；users(i)：训练集中拥有物品 i 的用户数，U：训练集用户数",
    ),
    aliases=["novelty", "mean_inv_user_freq", "inverse_user_frequency", "新颖度", "新颖性"],
    edges=_edges(_COLD, SHORT_LISTS),
    reference="Zhou et al. (2010), Solving the apparent diversity-accuracy dilemma of recommender systems",
    same={"RecTools": "MeanInvUserFreq(k)"},
    differs={
        "Evidently": Text("Novelty leaves out items that train does not have", "Novelty 去掉训练集中没有的物品"),
        "RePlay": Text(
            "Novelty is the share of items that are new to the user: Unseen@k",
            "Novelty 是对用户而言全新的物品占比：Unseen@k",
        ),
        "Recommenders": Text(
            "novelty counts interactions, not users: see SelfInformation",
            "novelty 统计交互次数而非用户数：见 SelfInformation",
        ),
    },
    bounds=(0.0, np.inf),
    needs=["train"],
    example=ShownCase(_LISTS, "((0 + 2) / 2 + (2 + 2) / 2) / 2", train=_TRAIN, params={"k": 2}),
    side="rare",
)
class MIUF(OfLists):
    """Mean of -log2 of the share of users who had the item before.

    >>> MIUF(k=2).of({"u1": ["a", "b"]}, train={"u1": ["a"], "u2": ["a", "b"]})
    0.5
    """

    k: int | None = cutoff()

    def of_lists(self, s: Shown) -> Array:
        return s.mean_of_items(rarity(s))


@measure(
    title=Text("Self-information", "自信息"),
    family=_FAMILY,
    question=Text(
        "How unlikely is it to meet the shown items among all interactions?",
        "在全部交互中碰到所展示物品的可能性有多小？",
    ),
    formula=Text(
        "SelfInformation@k = mean over the first k of -log2(n(i) / N); n(i): training interactions of item i, "
        "N: all of them",
        "SelfInformation@k = 前 k 个物品的 -log2(n(i) / N) 的平均值；n(i)：物品 i 的训练交互数，N：训练交互总数",
    ),
    aliases=["self_information", "mean_self_information"],
    edges=_edges(
        Text("An item without interactions counts as if it had one.", "没有交互的物品按有一次交互计。"), SHORT_LISTS
    ),
    reference="Castells, Hurley, Vargas (2015), Novelty and diversity in recommender systems",
    differs={
        "Recommenders": Text(
            "novelty is the mean over all places of all lists, and drops items that train does not have",
            "novelty 对所有列表的所有位置取平均，并去掉训练集中没有的物品",
        ),
    },
    bounds=(0.0, np.inf),
    needs=["train"],
    example=ShownCase({"u1": ["a", "b"]}, "(-log2(4 / 5) - log2(1 / 5)) / 2", train=_TRAIN, params={"k": 2}),
    side="rare",
)
class SelfInformation(OfLists):
    """Mean of -log2 of the share of interactions that the item had.

    >>> SelfInformation(k=1).of({"u1": ["b"]}, train={"u1": ["a", "b"], "u2": ["a", "c"]})
    2.0
    """

    k: int | None = cutoff()

    def of_lists(self, s: Shown) -> Array:
        assert s.catalogue.train is not None
        events = np.maximum(s.catalogue.events, 1)
        return s.mean_of_items(np.log2(len(s.catalogue.train)) - np.log2(events))


@measure(
    title=Text("Surprisal", "惊奇度"),
    family=_FAMILY,
    question=Text(
        "How rare are the shown items, on a scale from what everybody had to what one user had?",
        "展示的物品有多稀有（从人人都有到只有一个用户有）？",
    ),
    formula=Text(
        "Surprisal@k = mean over the first k of log2(U / users(i)) / log2(U)",
        "Surprisal@k = 前 k 个物品的 log2(U / users(i)) / log2(U) 的平均值",
    ),
    aliases=["normalised_surprisal", "normalized_surprisal"],
    edges=_edges(_COLD, Text("It is 0 where train has one user.", "训练集只有 1 个用户时为 0。"), SHORT_LISTS),
    same={"RePlay": Text("Surprisal, where every list has k items", "Surprisal，每个列表都有 k 个物品时")},
    differs={
        Text("RePlay, short lists", "RePlay，列表较短时"): Text("divides by k", "除以 k"),
        "RS": Text("surprisal is not scaled", "surprisal 没有缩放"),
    },
    needs=["train"],
    example=ShownCase(_LISTS, "((0 / 2 + 2 / 2) / 2 + (2 / 2 + 2 / 2) / 2) / 2", train=_TRAIN, params={"k": 2}),
    side="rare",
)
class Surprisal(OfLists):
    """MIUF divided by the most that it can be.

    >>> Surprisal(k=2).of({"u1": ["a", "b"]}, train={"u1": ["a"], "u2": ["a", "b"]})
    0.5
    """

    k: int | None = cutoff()

    def of_lists(self, s: Shown) -> Array:
        assert s.catalogue.train is not None
        most = np.log2(s.catalogue.train.n_users)
        return s.mean_of_items(rarity(s) / most if most else np.zeros(s.catalogue.n_numbers))


@measure(
    title=Text("Share of items new to the user", "未接触物品占比"),
    family=_FAMILY,
    question=Text("Which share of the shown items is new to the user?", "展示的物品中有多大比例是该用户没有接触过的？"),
    formula=Text(
        "Unseen@k = items among the first k that the user did not have in train / items among the first k",
        "Unseen@k = 前 k 条中该用户在训练集里没有的物品数 / 前 k 条物品数",
    ),
    aliases=["not_in_history", "user_novelty", "unseen_share"],
    edges=_edges(
        Text("For a user whom train does not have everything is new.", "训练集中没有的用户，一切都是新的。"),
        SHORT_LISTS,
    ),
    same={"RePlay": Text("Novelty, where lists and train are of the same users", "Novelty，列表与训练集的用户相同时")},
    differs={
        Text("RePlay, users without a list", "RePlay，没有列表的用户"): Text(
            "count as 1 where train has them, and users whom train does not have are left out",
            "训练集中有的按 1 计；训练集中没有的用户不计入",
        )
    },
    needs=["train"],
    example=ShownCase(_LISTS, "((0 / 2) + (2 / 2)) / 2", train=_TRAIN, params={"k": 2}),
    side="unseen",
)
class Unseen(OfLists):
    """Share of the first k items that the user did not have before.

    >>> Unseen(k=2).of({"u1": ["a", "x"]}, train={"u1": ["a"]})
    0.5
    """

    k: int | None = cutoff()

    def of_lists(self, s: Shown) -> Array:
        return s.mean((~s.seen).astype(np.float64))


@measure(
    title=Text("Unexpectedness", "意外度"),
    family=_FAMILY,
    question=Text(
        "Which share of the shown items would a list of the most popular ones not have held?",
        "展示的物品中有多大比例不在热门列表里？",
    ),
    formula=Text(
        "Unexpectedness@k = items among the first k that are not among the k most popular items new to the "
        "user / items "
        "among the first k; popular are items of the catalogue by how many users had them in train",
        "Unexpectedness@k = 前 k 条中不属于“该用户未接触过的 k 个最热门物品”的物品数 / 前 k 条物品数；"
        "热门物品取自目录，热度为训练集中拥有该物品的用户数",
    ),
    aliases=["unexpected_share"],
    edges=_edges(
        Text(
            "Items that nobody had in train, or that are not in the catalogue, are never expected. Of equally popular "
            "items those with the greater id come first, as in rankings. Without a cutoff as many "
            "popular items are expected as the list has.",
            "训练集中无人拥有或不在目录中的物品总是意外的。"
            "热度相同的物品按 id 由大到小，与排序相同。没有截断时，预期的热门物品数等于列表长度。",
        ),
        SHORT_LISTS,
    ),
    reference="Ge et al. (2010), Beyond accuracy: evaluating recommender systems by coverage and serendipity",
    same={
        "RePlay": Text(
            "Unexpectedness with lists of the most popular unseen items as the baseline, where every list has k items",
            "Unexpectedness，以未接触的最热门物品为基线列表，且每个列表都有 k 个物品时",
        )
    },
    needs=["train"],
    example=ShownCase(
        {"u1": ["c", "x"], "u2": ["c", "b"]},
        "(1 / 2 + 0 / 2) / 2",
        train={"u1": ["a", "b"], "u2": ["a"], "u3": ["a", "b", "c"]},
        params={"k": 2},
    ),
    side="popular",
)
class Unexpectedness(OfLists):
    """Share of the first k items that the most popular ones new to the user do not hold.

    >>> Unexpectedness(k=1).of({"u1": ["c"], "u2": ["b"]}, train={"u1": ["a", "b"], "u2": ["a"], "u3": ["a", "b", "c"]})
    0.0
    """

    k: int | None = cutoff()

    def of_lists(self, s: Shown) -> Array:
        rank = s.catalogue.popular_ranks(s.query_ids, s.by_list.owner, s.items)
        expected = (rank > 0) & (rank <= (self.k or s.by_list.spread(s.lengths)))
        return s.mean((~expected).astype(np.float64))
