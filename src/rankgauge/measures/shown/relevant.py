"""What is new and right at once: novelty of relevant items only, and of those that popularity would not have shown.

With d(r) = 1 / log2(r + 1):   EPC@k = Σ_r rel(r) d(r) nov(i_r) / Σ_r d(r)
"""

from __future__ import annotations

from typing import Any

import numpy as np

from rankgauge._text import Text
from rankgauge.alignment import Array
from rankgauge.alignment.shown import Catalogue, Shown
from rankgauge.errors import ParameterError
from rankgauge.measures.base import choice, cutoff, divide, level
from rankgauge.measures.definition import Variant
from rankgauge.measures.shown.base import OfLists, ShownCase, measure

_FAMILY = Text("Shown: novelty of what is relevant", "展示：相关物品的新颖性")
_TRAIN = {"u1": ["a", "b"], "u2": ["a"], "u3": ["a"], "u4": ["a"]}
_UNLIKE = Text(
    "How much of what is relevant is unlike what the user had before?", "相关物品中，有多少与用户此前的物品不相似？"
)
_VARGAS = "Vargas, Castells (2011), Rank and relevance in novelty and diversity metrics for recommender systems"


class _Discounted(OfLists):
    """Base of those that weigh relevant places by their ranks."""

    relevance = True
    rel: float

    def novelty(self, s: Shown) -> Array:
        """How new the item at each place is."""
        raise NotImplementedError  # pragma: no cover - every measure has its own

    def of_lists(self, s: Shown) -> Array:
        discount = 1 / np.log2(s.rank + 1)
        found = divide(s.by_list.sum(s.relevant(self.rel) * discount * self.novelty(s)), s.by_list.sum(discount))
        return np.where(s.lengths > 0, found, np.nan)


@measure(
    title=Text("Expected popularity complement", "期望热度补"),
    family=_FAMILY,
    question=Text(
        "How much does a reader find who looks for relevant items that few users had?",
        "用户想找到少有人接触过的相关物品，能找到多少？",
    ),
    formula=Text(
        "EPC@k = Σ rel(r) d(r) (1 - users(i_r) / U) / Σ d(r), d(r) = 1 / log2(r + 1), over the first k",
        "EPC@k = Σ rel(r) d(r) (1 - users(i_r) / U) / Σ d(r)，d(r) = 1 / log2(r + 1)，对前 k 条求和",
    ),
    aliases=["expected_popularity_complement"],
    edges=Text(
        "An item that nobody had in train has novelty 1. What nobody judged is not relevant. Users without "
        "relevant items "
        "follow no_relevant=, users without a list are left out.",
        "训练集中无人拥有的物品新颖度为 1。没有标注的物品视为不相关。没有相关物品的用户按 no_relevant= 处理，"
        "没有列表的用户不计入。",
    ),
    reference=_VARGAS,
    same={"Elliot": Text("EPC with relevance from a threshold", "EPC，按阈值确定相关")},
    needs=["train", "grade"],
    example=ShownCase(
        {"u1": ["a", "b"]},
        "(0 * (1 - 4 / 4) + 1 / log2(3) * (1 - 1 / 4)) / (1 + 1 / log2(3))",
        train=_TRAIN,
        relevant={"u1": ["b"]},
        params={"k": 2},
    ),
    relevance=True,
    side="discovery",
)
class EPC(_Discounted):
    """Discounted novelty of the relevant items, 1 minus the share of users who had them.

    >>> EPC(k=1).of({"u1": ["b"]}, train={"u1": ["a", "b"], "u2": ["a"]}, relevant={"u1": ["b"]})
    0.5
    """

    k: int | None = cutoff()
    rel: float = level()

    def novelty(self, s: Shown) -> Array:
        assert s.catalogue.train is not None
        found: Array = 1 - s.catalogue.users[s.items] / s.catalogue.train.n_users
        return found


@measure(
    title=Text("Expected free discovery", "期望自由发现"),
    family=_FAMILY,
    question=Text(
        "How many bits of surprise does a reader get from the relevant items?",
        "用户从相关物品中得到多少比特的惊喜？",
    ),
    formula=Text(
        "EFD@k = Σ rel(r) d(r) (-log2(users(i_r) / N)) / Σ d(r), d(r) = 1 / log2(r + 1); N: pairs of user and "
        "item in train",
        "EFD@k = Σ rel(r) d(r) (-log2(users(i_r) / N)) / Σ d(r)，d(r) = 1 / log2(r + 1)；N：训练集中用户–物品对的总数",
    ),
    aliases=["expected_free_discovery"],
    edges=Text(
        "An item that nobody had in train counts as if one user had. Otherwise as EPC.",
        "训练集中无人拥有的物品按有一个用户拥有计，其余同 EPC。",
    ),
    reference=_VARGAS,
    same={
        "Elliot": Text(
            "EFD, where the rarest item of train has one user, as which it takes others",
            "EFD；训练集中最稀有的物品只有一个用户时（其他物品它按最稀有的计）",
        )
    },
    bounds=(0.0, np.inf),
    needs=["train", "grade"],
    example=ShownCase(
        {"u1": ["a", "b"]},
        "(0 + 1 / log2(3) * -log2(1 / 5)) / (1 + 1 / log2(3))",
        train=_TRAIN,
        relevant={"u1": ["b"]},
        params={"k": 2},
    ),
    relevance=True,
    side="discovery",
)
class EFD(_Discounted):
    """Discounted self-information of the relevant items.

    >>> EFD(k=1).of({"u1": ["b"]}, train={"u1": ["a", "b"]}, relevant={"u1": ["b"]})
    1.0
    """

    k: int | None = cutoff()
    rel: float = level()

    def novelty(self, s: Shown) -> Array:
        assert s.catalogue.train is not None
        pairs = len(s.catalogue.train.pairs)
        found: Array = np.log2(pairs) - np.log2(np.maximum(s.catalogue.users[s.items], 1))
        return found


@measure(
    title=Text("Serendipity", "意外发现"),
    family=_FAMILY,
    question=Text(
        "How much of what is relevant would popularity alone not have placed so high?",
        "相关物品中，有多少是单靠热度不会排得这么靠前的？",
    ),
    formula=Text(
        "Serendipity@k = mean over the first k of rel(r) max(0, p(r) - p(pop(i))); p(x) = (N + 1 - x) / N, N: "
        "items of the "
        "catalogue, pop(i): dense rank of the item by training interactions: equal counts share a rank, and the next "
        "count has the next rank",
        "Serendipity@k = 前 k 条的 rel(r) max(0, p(r) - p(pop(i))) 的平均值；p(x) = (N + 1 - x) / N，N：目录物品数，"
        "pop(i)：物品按训练交互数的稠密排名：次数相同排名相同，下一个次数排名加一",
    ),
    aliases=["serendipity_rectools"],
    edges=Text(
        "An item without interactions has p = 0. A list shorter than k is divided by its length. Users without "
        "relevant items follow no_relevant=, users without a list are left out; form=cosine and form=cooccurrence also "
        "leave out users whom train does not have, and count an item without a vector, or that nobody had, as unlike "
        "all others (cosine 0). Vectors with negative numbers can make form=cosine exceed 1.",
        "没有交互的物品 p = 0。列表不足 k 条时除以其长度。没有相关物品的用户按 no_relevant= 处理，"
        "没有列表的用户不计入；form=cosine 和 form=cooccurrence 还不计入训练集中没有的用户，"
        "没有向量或无人拥有的物品视为与其他物品都不相似（余弦为 0）。向量含负数时 form=cosine 可能超过 1。",
    ),
    same={
        "RecTools": Text("Serendipity(k), with no_relevant=zero", "Serendipity(k)，no_relevant=zero 时"),
        "Recommenders": Text(
            "serendipity with relevance, by item features or by co-occurrence, and no_relevant=zero: "
            "Serendipity(form=cosine)@k, Serendipity(form=cooccurrence)@k",
            "带相关性的 serendipity，按物品特征或共现，no_relevant=zero 时：Serendipity(form=cosine)@k、"
            "Serendipity(form=cooccurrence)@k",
        ),
    },
    differs={
        "Evidently": Text(
            "one minus a sum of similarities that is not divided by the hits: it can be negative",
            "1 减去相似度之和，且没有除以命中数：可能为负",
        ),
    },
    needs=["train", "catalogue", "grade"],
    example=ShownCase(
        {"u1": ["b", "a"]},
        "(1 * max(0, 4 / 4 - 3 / 4) + 1 * max(0, 3 / 4 - 4 / 4)) / 2",
        train=_TRAIN,
        items=["a", "b", "c", "d"],
        relevant={"u1": ["a", "b"]},
        params={"k": 2},
    ),
    variants={
        "form=cosine": Variant(
            Text(
                "Serendipity(form=cosine)@k = mean over the first k of rel(r) (1 - mean over the items j that the user "
                "had in train of cos(x_i, x_j)); x: vectors of items=",
                "Serendipity(form=cosine)@k = 前 k 条的 rel(r) (1 - 与用户训练集中各物品 j 的 cos(x_i, x_j) 的平均值) "
                "的平均值；x：items= 的向量",
            ),
            ShownCase(
                {"u1": ["b", "c"]},
                "(1 * (1 - 3 / 5) + 0) / 2",
                train={"u1": ["a"]},
                items={"a": [1.0, 0.0], "b": [3.0, 4.0], "c": [0.0, 1.0]},
                relevant={"u1": ["b"]},
                params={"k": 2, "form": "cosine"},
            ),
            _UNLIKE,
        ),
        "form=cooccurrence": Variant(
            Text(
                "Serendipity(form=cooccurrence)@k = mean over the first k of rel(r) (1 - mean over the items j that "
                "the user had in train of n(i, j) / √(n(i) n(j))); n: users of train who had the items",
                "Serendipity(form=cooccurrence)@k = 前 k 条的 rel(r) (1 - 与用户训练集中各物品 j 的 "
                "n(i, j) / √(n(i) n(j)) 的平均值) 的平均值；n：训练集中拥有这些物品的用户数",
            ),
            ShownCase(
                {"u3": ["b", "x"]},
                "(1 * (1 - 1 / sqrt(3 * 1)) + 1 * (1 - 0)) / 2",
                train={"u1": ["a", "b"], "u2": ["a"], "u3": ["a"]},
                relevant={"u3": ["b", "x"]},
                params={"k": 2, "form": "cooccurrence"},
            ),
            _UNLIKE,
        ),
    },
    relevance=True,
    side="serendipity",
)
class Serendipity(OfLists):
    """Relevant items that stand higher than their popularity would have them.

    >>> m = Serendipity(k=1)
    >>> m.of({"u": ["b"]}, train={"u": ["a", "a", "b"]}, items=["a", "b"], relevant={"u": ["b"]})
    0.5
    """

    k: int | None = cutoff()
    rel: float = level()

    form: str = choice(
        "popularity",
        "cosine",
        "cooccurrence",
        doc=Text(
            "what is unexpected: what is not popular, what is unlike the user's history by vectors, or by who had it",
            "何为意外：不热门的物品，按向量与用户历史不相似的物品，或按共现不相似的物品",
        ),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if self.form == "cosine":
            self.__dict__["bounds"] = (0.0, 2.0)  # vectors may point away from each other

    def check(self, catalogue: Catalogue) -> None:
        if self.form == "cosine" and catalogue.vectors is None:
            raise ParameterError(
                Text(
                    f"{self}: form=cosine needs a vector for each item. Give the catalogue a column of lists of floats"
                    ", or pass items=(ids, matrix) in Python; form=cooccurrence needs train= alone.",
                    f"{self}：form=cosine 需要每个物品的向量。请在物品表中提供浮点数列表的列，或在 Python 中传入 "
                    "items=(ids, matrix)；form=cooccurrence 只需要 train=。",
                )
            )

    def of_lists(self, s: Shown) -> Array:
        if self.form != "popularity":
            return self._unlike_history(s)
        n, events = s.catalogue.n_items, s.catalogue.events
        distinct = np.unique(events[events > 0])[::-1]  # the most popular first
        place = len(distinct) - np.searchsorted(distinct[::-1], events, side="left")
        for_anybody = np.where(events > 0, (n + 1 - place) / n, 0.0)

        def of_part(part: Shown) -> Array:
            right = np.flatnonzero(part.relevant(self.rel))
            rank = part.by_list.place[right] + 1
            for_user = (n + 1 - rank) / n
            return part.mean(np.maximum(for_user - for_anybody[part.items[right]], 0.0), right)

        return s.in_parts(of_part)

    def _unlike_history(self, s: Shown) -> Array:
        """The mean over places of relevance times one minus the mean cosine to what the user had."""
        lengths, _ = s.catalogue.history_of(s.query_ids)
        gain = np.zeros(len(s.items))
        right = np.flatnonzero(s.relevant(self.rel) & (lengths[s.by_list.owner] > 0))
        by = "vectors" if self.form == "cosine" else "users"
        gain[right] = 1 - s.catalogue.likeness(by, s.query_ids, s.by_list.owner[right], s.items[right])
        return np.where(lengths > 0, s.mean(gain), np.nan)
