"""How unlike the items of one list are: by their categories, or by vectors.

ILD@k = mean distance of all pairs of items among the first k
"""

from __future__ import annotations

from typing import Any

import numpy as np

from rankgauge._text import Text
from rankgauge.alignment import Array, Segments
from rankgauge.alignment.shown import Catalogue, Shown
from rankgauge.errors import ParameterError
from rankgauge.measures.base import cutoff, divide, number
from rankgauge.measures.parameters import Param
from rankgauge.measures.shown.base import OfLists, ShownCase, measure
from rankgauge.measures.shown.distances import DEFAULT, OF_ROWS, Own, distance

_FAMILY = Text("Shown: variety", "展示：多样性")
_KINDS = {"a": "film", "b": "film|news", "c": "news", "d": "song"}
_AT_ONCE = 4_000_000  # numbers that are held at once


def attribute() -> Any:
    """`by`: which attribute of items is meant."""

    def read(value: Any) -> str | None:
        if value is None or value == "":
            return None
        if any(sign in str(value) for sign in "(),=@"):
            raise ValueError(
                Text("must be the name of an attribute without ( ) , = @", "必须是不含 ( ) , = @ 的属性名")
            )
        return str(value)

    doc = Text(
        "attribute of items; without it the one called category, genre or the like, or the only one",
        "物品的属性；不给时取 category、genre 等，或唯一的属性",
    )
    return Param(None, read, doc, aliases=("attribute", "categories"), show=str)


@measure(
    title=Text("Intra-list diversity", "列表内多样性"),
    family=_FAMILY,
    question=Text("How unlike are the items of one list?", "同一个列表中的物品彼此有多不同？"),
    formula=Text(
        "ILD@k = mean over all pairs among the first k of their distance; jaccard: 1 - |A ∩ B| / |A ∪ B| of "
        "their labels, "
        "cosine: 1 - cos of their vectors, euclidean, hamming: features that differ, or a function of your own",
        "ILD@k = 前 k 条中所有物品对的距离的平均值；jaccard：标签的 1 - |A ∩ B| / |A ∪ B|，cosine：向量的 1 - cos，"
        "euclidean，hamming：不同特征的个数，或自定义的函数",
    ),
    aliases=["intra_list_diversity", "diversity", "intra_list_distance", "多样性"],
    edges=Text(
        "Items of which nothing is known (no label, no vector, a vector of zeros with cosine) are left out of "
        "the pairs. A "
        "list with fewer than 2 known items has no pair and is left out.",
        "没有标签、没有向量（余弦时还包括零向量）的物品不参与配对。已知物品少于 2 个的列表没有物品对，不计入。",
    ),
    reference="Ziegler et al. (2005), Improving recommendation lists through topic diversification",
    same={
        "Recommenders": Text(
            "diversity from item features, as ILD(distance=cosine)@k",
            "基于物品特征的 diversity，即 ILD(distance=cosine)@k",
        ),
        "RecTools": Text(
            "IntraListDiversity with the Hamming distance is ILD(distance=hamming)@k, but for lists of one item",
            "Hamming 距离的 IntraListDiversity 即 ILD(distance=hamming)@k，单个物品的列表除外",
        ),
    },
    differs={
        Text("RecTools, lists of one item", "RecTools，单个物品的列表"): Text("count as 0", "计为 0"),
        "RePlay": Text(
            "CategoricalDiversity is the number of categories over k", "CategoricalDiversity 是类别数除以 k"
        ),
        "Evidently": Text(
            "divides the sum of distances by the length of the list: it grows with k",
            "用距离之和除以列表长度：随 k 增大",
        ),
    },
    bounds=(0.0, np.inf),
    needs=["features"],
    example=ShownCase({"u1": ["a", "b", "d"]}, "((1 - 1 / 2) + 1 + 1) / 3", items=_KINDS, params={"k": 3}),
    side="varied",
)
class ILD(OfLists):
    """Mean distance of the items of a list from each other.

    >>> ILD(k=2).of({"u": ["a", "b"]}, items={"a": "film", "b": "news"})
    1.0
    >>> ILD(k=2).of({"u": ["a", "b"]}, items={"a": [1.0, 0.0], "b": [2.0, 0.0]})
    0.0
    >>> def gap(a, b):
    ...     return abs(a - b)
    >>> ILD(by="price", distance=gap, k=2).of({"u": ["a", "b"]}, items={"a": {"price": 3}, "b": {"price": 8}})
    5.0
    """

    k: int | None = cutoff()
    by: str | None = attribute()
    distance: str = distance(
        Text(
            "jaccard of labels, or cosine, euclidean or hamming of vectors; by default jaccard, or cosine where items "
            "have vectors; in Python also a function of two items (their vectors, or their values of `by`)",
            "标签用 jaccard，向量用 cosine、euclidean 或 hamming；默认 jaccard，物品有向量时为 cosine；"
            "在 Python 中也可以是两个物品（向量，或 `by` 属性的值）的函数",
        )
    )

    def used(self, c: Catalogue) -> str:
        """The distance that is meant."""
        if self.distance != DEFAULT:
            return self.distance
        return "jaccard" if c.vectors is None or self.by is not None else "cosine"

    def check(self, catalogue: Catalogue) -> None:
        distance = self.used(catalogue)
        is_own = distance not in OF_ROWS
        if distance == "jaccard" or (is_own and (self.by is not None or catalogue.vectors is None)):
            catalogue.attribute(self.by)
        elif catalogue.vectors is None and not is_own:
            raise ParameterError(
                Text(
                    f"{self}: distance={distance} needs a vector for each item. Give the catalogue a column "
                    "of lists of floats, or pass items=(ids, matrix) in Python.",
                    f"{self}：distance={distance} 需要每个物品的向量。请在物品表中提供浮点数列表的列，"
                    "或在 Python 中传入 items=(ids, matrix)。",
                )
            )

    def of_lists(self, s: Shown) -> Array:
        distance = self.used(s.catalogue)
        own = None if distance in OF_ROWS else Own(s.catalogue, distance, self.by, str(self))
        features = _Features(s.catalogue, distance, self.by) if own is None else own
        there = s.known.copy()
        there[there] = features.known(s.items[there])
        items, owner = s.items[there], s.by_list.owner[there]
        lists = Segments.of_lengths(np.bincount(owner, minlength=s.n_lists))
        out = np.full(s.n_lists, np.nan)
        for rows in lists.matrices():
            k = rows.shape[1]
            if k < 2:
                continue
            room = k * (features.width * (k if distance == "hamming" else 1) + k)
            for part in np.array_split(rows, max(1, len(rows) * room // _AT_ONCE)):
                if len(part):
                    out[lists.owner[part[:, 0]]] = features.means(items[part])
        return out


class _Features:
    """What items are like, as rows of numbers."""

    def __init__(self, catalogue: Catalogue, distance: str, by: str | None) -> None:
        self.labels = catalogue.labels(by) if distance == "jaccard" else None
        self.vectors = catalogue.vectors
        self.distance = distance
        self.width = len(self.labels.names) if self.labels is not None else self.vectors.shape[1]

    def known(self, items: Array) -> Array:
        """Which of the items have any features."""
        if self.labels is not None:
            mask: Array = np.diff(self.labels.offsets)[items] > 0
            return mask
        if self.distance != "cosine":
            return np.ones(len(items), dtype=bool)
        squares = self.vectors.multiply(self.vectors) if hasattr(self.vectors, "multiply") else self.vectors**2
        return np.asarray(squares.sum(axis=1)).ravel()[items] > 0

    def means(self, items: Array) -> Array:
        """The mean distance of the pairs in each row of items (lists, items)."""
        k = items.shape[1]
        d = OF_ROWS[self.distance](self._of(items.ravel()).reshape(len(items), k, -1))
        d[:, np.arange(k), np.arange(k)] = 0.0
        found: Array = d.sum(axis=(1, 2)) / (k * (k - 1))
        return found

    def _of(self, items: Array) -> Array:
        """A row for each of the items."""
        if self.labels is None:
            rows = self.vectors[items]
            return np.asarray(rows.toarray() if hasattr(rows, "toarray") else rows, dtype=np.float64)
        out, each = np.zeros((len(items), self.width)), Segments(self.labels.offsets)
        row = np.repeat(np.arange(len(items)), each.lengths[items])
        out[row, self.labels.code[each.rows_of(items)]] = 1.0
        return out


def spread_of(catalogue: Catalogue, by: str | None, items: Array, lists: Segments) -> Array:
    """How each list is spread over labels, (lists, labels): an item counts 1, in equal parts for each of its labels.

    Items outside the catalogue and items without a label count nothing; a list without others has zeros.
    """
    labels = catalogue.labels(by)
    known = np.flatnonzero(items < catalogue.n_items)
    of_item = Segments(labels.offsets)
    each, code = of_item.lengths[items[known]], labels.code[of_item.rows_of(items[known])]
    owner = np.repeat(lists.owner[known], each)
    counts = np.bincount(
        owner * len(labels.names) + code,
        weights=1 / np.repeat(each, each),
        minlength=len(lists) * len(labels.names),
    ).reshape(len(lists), -1)
    return divide(counts, counts.sum(axis=1, keepdims=True))


class _ByCategory(OfLists):
    """Base of those that look at categories."""

    by: str | None

    def check(self, catalogue: Catalogue) -> None:
        catalogue.attribute(self.by)

    def of_some(self, s: Shown) -> Array:
        """The values of lists few enough to have a row of all categories each."""
        raise NotImplementedError  # pragma: no cover - every measure has its own

    def of_lists(self, s: Shown) -> Array:
        step = max(1, _AT_ONCE // len(s.catalogue.labels(self.by).names))
        starts = range(0, s.n_lists, step)
        return np.concatenate(
            [self.of_some(s.of_queries(np.arange(a, min(a + step, s.n_lists)))) for a in starts] or [np.zeros(0)]
        )


@measure(
    title=Text("Category recall", "类别召回率"),
    family=_FAMILY,
    question=Text("Which share of all categories is met in one list?", "一个列表覆盖了全部类别中的多大比例？"),
    formula=Text(
        "CategoryRecall@k = distinct categories among the first k / categories of the catalogue",
        "CategoryRecall@k = 前 k 条中不同的类别数 / 目录中的类别数",
    ),
    aliases=["category_coverage", "genre_coverage", "topic_coverage", "类别覆盖率"],
    edges=Text(
        "An item of several categories counts for each. Items without a category count for none; users without "
        "a list are "
        "left out.",
        "一个物品有多个类别时每个都计。没有类别的物品不计；没有列表的用户不计入。",
    ),
    reference="Zhai, Cohen, Lafferty (2003), Beyond independent relevance",
    differs={
        "Elliot": Text("SRecall counts categories of relevant items only", "SRecall 只计相关物品的类别"),
        "RePlay": Text("CategoricalDiversity divides by k", "CategoricalDiversity 除以 k"),
    },
    needs=["attributes"],
    example=ShownCase({"u1": ["a", "b"], "u2": ["d"]}, "(2 / 3 + 1 / 3) / 2", items=_KINDS, params={"k": 2}),
    side="categories",
)
class CategoryRecall(_ByCategory):
    """Share of all categories that a list shows.

    >>> CategoryRecall(k=1).of({"u": ["a", "b"]}, items={"a": "film", "b": "news"})
    0.5
    """

    k: int | None = cutoff()
    by: str | None = attribute()

    def of_some(self, s: Shown) -> Array:
        met = spread_of(s.catalogue, self.by, s.items, s.by_list) > 0
        return np.where(s.lengths > 0, met.mean(axis=1), np.nan)


@measure(
    title=Text("Category calibration", "类别校准"),
    family=_FAMILY,
    question=Text(
        "How far is the mix of categories in a list from the mix that the user had before?",
        "列表的类别构成与用户历史的类别构成相差多远？",
    ),
    formula=Text(
        "CategoryKL@k = Σ_g p(g) ln(p(g) / q̃(g)), q̃ = (1 - alpha) q + alpha p; p: shares of categories in "
        "what the user had, each item once however often, q: in the first k, an item counting in equal parts for its "
        "categories",
        "CategoryKL@k = Σ_g p(g) ln(p(g) / q̃(g))，q̃ = (1 - alpha) q + alpha p；p：用户历史的类别占比（同一物品无论"
        "交互几次只计一次），q：前 k 条的类别占比，一个物品平均分给它的各个类别",
    ),
    aliases=["calibration_kl", "steck_calibration", "genre_calibration", "category_calibration", "类别校准度"],
    edges=Text(
        "0: the same mix; at most -ln(alpha), where nothing of what the user had is shown. Users without a history or "
        "without a list, of whose items no category is known, are left out.",
        "0：构成相同；完全没有展示用户历史中的类别时最大，为 -ln(alpha)。历史或列表中没有已知类别的用户不计入。",
    ),
    reference="Steck (2018), Calibrated recommendations",
    bounds=(0.0, np.inf),
    higher_is_better=False,
    needs=["train", "attributes"],
    example=ShownCase(
        {"u1": ["a", "d"]},
        "1 / 2 * log(1 / 2 / (0.99 * 1 / 2 + 0.01 * 1 / 2)) + 1 / 2 * log(1 / 2 / (0.99 * 0 + 0.01 * 1 / 2))",
        train={"u1": ["a", "c"]},
        items=_KINDS,
        params={"k": 2},
    ),
    side="mix",
)
class CategoryKL(_ByCategory):
    """Kullback-Leibler divergence of the categories of a list from those of the user's history.

    >>> CategoryKL(k=1).of({"u": ["a"]}, train={"u": ["b"]}, items={"a": "film", "b": "film"})
    0.0
    """

    k: int | None = cutoff()
    by: str | None = attribute()
    alpha: float = number(
        0.01,
        low=0,
        high=1,
        open_low=True,
        open_high=True,
        doc=Text(
            "how much of the history is mixed into the list, so that no share is 0",
            "平滑系数：把历史占比混入列表占比，使其不为 0",
        ),
    )

    def of_some(self, s: Shown) -> Array:
        lengths, items = s.catalogue.history_of(s.query_ids)
        p = spread_of(s.catalogue, self.by, items, Segments.of_lengths(lengths))
        q = spread_of(s.catalogue, self.by, s.items, s.by_list)
        mixed = (1 - self.alpha) * q + self.alpha * p
        terms = np.where(p > 0, p * np.log(divide(np.where(p > 0, p, 1.0), np.where(p > 0, mixed, 1.0))), 0.0)
        there = (p.sum(axis=1) > 0) & (q.sum(axis=1) > 0)
        return np.where(there, np.maximum(terms.sum(axis=1), 0.0), np.nan)
