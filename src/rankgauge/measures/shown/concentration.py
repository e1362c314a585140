"""How unevenly the places of all lists are spread over items, and how alike the lists of different users are.

With c_(1) ≤ … ≤ c_(N) how often each item of the catalogue is shown, T = Σ c:

    ItemGini = Σ_j (2j - N - 1) c_(j) / (N T)
"""

from __future__ import annotations

from math import fsum

import numpy as np

from rankgauge._text import Text
from rankgauge.alignment import Array, Segments
from rankgauge.alignment.shown import Shown
from rankgauge.measures.base import choice, cutoff
from rankgauge.measures.shown.base import OfRun, ShownCase, Whole, measure

_FAMILY = Text("Shown: concentration", "展示：集中度")
_FEW_SIZES = 32  # different lengths of lists, of which all pairs are looked at


@measure(
    title=Text("Gini index of shown items", "物品基尼系数"),
    family=_FAMILY,
    question=Text(
        "How unevenly are places in lists spread over the items of the catalogue?",
        "列表的位置在目录物品之间分配得有多不均？",
    ),
    formula=Text(
        "ItemGini@k = Σ_j (2j - N - 1) c_(j) / (N Σ c); c_(1) ≤ … ≤ c_(N): how often each of N catalogue items "
        "is among "
        "the first k",
        "ItemGini@k = Σ_j (2j - N - 1) c_(j) / (N Σ c)；c_(1) ≤ … ≤ c_(N)：N 个目录物品各自出现在前 k 条中的次数",
    ),
    aliases=["Gini", "GiniIndex", "list_gini", "基尼指数", "基尼系数"],
    edges=Text(
        "0: all items of the catalogue equally often; near 1: a few items take all places. Items that are never shown "
        "count, those outside the catalogue do not. Undefined where no item of the catalogue is shown.",
        "0：目录中的物品出现次数相同；接近 1：少数物品占据全部位置。从未展示的物品计入，目录以外的不计。"
        "没有展示任何目录物品时无定义。",
    ),
    reference="Fleder, Hosanagar (2009), Blockbuster culture's next rise or fall",
    same={
        "RecBole": Text("GiniIndex, but for the padding item", "GiniIndex，填充物品除外"),
        "LensKit": "ListGini",
    },
    differs={
        "Elliot": Text(
            "Gini is 1 - the index, divided by N - 1: higher is better there",
            "Gini 为 1 - 基尼系数，除以 N - 1：越高越好",
        ),
        "Evidently": Text(
            "over the items that were recommended: what is never shown is left out, and it looks more even",
            "只看被推荐过的物品：从未展示的不计，显得更均匀",
        ),
    },
    higher_is_better=False,
    needs=["catalogue"],
    example=ShownCase(
        {"u1": ["a", "b"], "u2": ["a", "c"]},
        "(-3 * 0 + -1 * 1 + 1 * 1 + 3 * 2) / (4 * 4)",
        items=["a", "b", "c", "d"],
        params={"k": 2},
    ),
    side="even",
)
class ItemGini(OfRun):
    """Gini index of how often each item of the catalogue is shown.

    >>> ItemGini(k=1).of({"u1": ["a"], "u2": ["a"]}, items=["a", "b"])
    0.5
    """

    k: int | None = cutoff()

    def of_run(self, s: Shown) -> Whole:
        n = s.catalogue.n_items
        counts = s.counts[:n]
        ascending = np.sort(counts)
        total = int(counts.sum())
        moment = int((np.arange(1, n + 1) * ascending).sum())  # Σ j c_(j), a whole number
        # without a list, of items shown equally often those with the lowest places in the order lose one
        known = np.flatnonzero(s.known)
        owner, c = s.by_list.owner[known], counts[s.items[known]]
        order = np.lexsort((c, owner))
        same = np.concatenate(([0], np.cumsum((np.diff(owner[order]) != 0) | (np.diff(c[order]) != 0))))
        before = np.arange(len(order)) - np.searchsorted(same, same)  # of its list, shown as often as it
        lost = np.bincount(owner[order], weights=np.searchsorted(ascending, c[order]) + 1 + before, minlength=s.n_lists)
        rest = total - np.bincount(owner, minlength=s.n_lists)

        return Whole(float(_gini(moment, total, n)), _gini(moment - lost, rest, n))


def _gini(moment: Array | int, total: Array | int, n: int) -> Array:
    """From Σ j c_(j) and Σ c; NaN where nothing is shown."""
    top = 2.0 * np.asarray(moment) - (n + 1.0) * np.asarray(total)
    bottom = n * np.asarray(total, dtype=np.float64)
    found: Array = np.divide(top, bottom, out=np.full(np.shape(bottom), np.nan), where=bottom > 0)
    return found


@measure(
    title=Text("Gini index of exposure", "曝光基尼系数"),
    family=_FAMILY,
    question=Text(
        "How unevenly is attention spread over the items of the catalogue, where the top of a list gets more of it?",
        "考虑到列表靠前的位置更受关注，曝光在目录物品之间分配得有多不均？",
    ),
    formula=Text(
        "ExposureGini@k = Σ_j (2j - N - 1) x_(j) / (N Σ x); x: the sum of discounts of the ranks at which an item is "
        "shown, 1 / log2(rank + 1) or 0.85^(rank - 1)",
        "ExposureGini@k = Σ_j (2j - N - 1) x_(j) / (N Σ x)；x：物品各次展示按排名的折损之和，"
        "1 / log2(rank + 1) 或 0.85^(rank - 1)",
    ),
    aliases=["exposure_gini"],
    edges=Text(
        "0: all items of the catalogue get the same attention; near 1: a few get all of it. Items that are never shown "
        "count, those outside the catalogue do not. Undefined where no item of the catalogue is shown.",
        "0：目录中的物品得到的关注相同；接近 1：少数物品得到全部关注。从未展示的物品计入，目录以外的不计。"
        "没有展示任何目录物品时无定义。",
    ),
    reference="Diaz et al. (2020), Evaluating stochastic rankings with expected exposure",
    same={
        "LensKit": Text(
            "ExposureGini is ExposureGini(discount=geometric)@k up to single precision",
            "ExposureGini 即 ExposureGini(discount=geometric)@k，单精度误差以内",
        ),
    },
    higher_is_better=False,
    needs=["catalogue"],
    example=ShownCase(
        {"u1": ["a", "b"], "u2": ["a", "b"]},
        "(-1 * 2 / log2(3) + 1 * 2) / (2 * (2 / log2(3) + 2))",
        items=["a", "b"],
        params={"k": 2},
    ),
    side="attention",
)
class ExposureGini(OfRun):
    """Gini index of the attention that each item of the catalogue gets.

    >>> ExposureGini(k=1).of({"u1": ["a", "b"], "u2": ["a", "b"]}, items=["a", "b"])
    0.5
    """

    k: int | None = cutoff()
    discount: str = choice("log2", "geometric", doc=Text("how attention falls with the rank", "关注度随排名下降的方式"))

    def of_run(self, s: Shown) -> Whole:
        n, deepest = s.catalogue.n_items, int(s.lengths.max())
        rank = np.arange(1, deepest + 1)
        weight = 1 / np.log2(rank + 1) if self.discount == "log2" else 0.85 ** (rank - 1)
        # whole numbers first, so that the order of lists does not change a bit
        known = np.flatnonzero(s.known)
        places, of_place = np.unique(s.items[known] * deepest + s.by_list.place[known], return_inverse=True)
        times = np.bincount(of_place, minlength=len(places))
        exposure = np.bincount(places // deepest, weights=times * weight[places % deepest], minlength=n)
        total, apart = fsum(exposure), _Apart(exposure)
        own = weight[s.by_list.place[known]]
        lists = Segments.of_lengths(np.bincount(s.by_list.owner[known], minlength=s.n_lists))
        rest = total - lists.sum(own)
        left = apart.total - apart.lost(exposure[s.items[known]], own, lists)
        clear = rest > 1e-12 * total
        without = np.divide(left, n * rest, out=np.full(s.n_lists, np.nan), where=clear)
        return Whole(apart.total / (n * total) if total else float("nan"), without)


class _Apart:
    """How far numbers are from each other: Σ |x_i - x_j| over all pairs, and what is left when some get smaller."""

    def __init__(self, x: Array) -> None:
        self.ascending = np.sort(x)
        self.before = np.concatenate(([0.0], np.cumsum(self.ascending)))
        n = len(x)
        self.total = fsum((2 * np.arange(1, n + 1) - n - 1) * self.ascending)

    def from_all(self, v: Array) -> Array:
        """Σ_j |v - x_j| for each of some numbers."""
        below = np.searchsorted(self.ascending, v)
        n, sums = len(self.ascending), self.before
        found: Array = v * (2 * below - n) - 2 * sums[below] + sums[-1]
        return found

    def lost(self, x: Array, less: Array, lists: Segments) -> Array:
        """How much smaller the total is without each list, which takes `less` from the numbers x of its items."""
        reduced = x - less
        out = lists.sum(self.from_all(x) - self.from_all(reduced))
        # the numbers of one list change together: what they are from each other was counted from all
        for rows in lists.matrices():
            size = rows.shape[1]
            for part in np.array_split(rows, max(1, rows.size * size // _AT_ONCE)):
                if len(part):
                    a, b = x[part], reduced[part]
                    inside = (_pairs(a, a) + _pairs(b, b)) / 2 - _pairs(b, a)
                    out[lists.owner[part[:, 0]]] -= inside
        return out


_AT_ONCE = 4_000_000  # pairs inside lists that are looked at together


def _pairs(a: Array, b: Array) -> Array:
    """Σ |a_i - b_j| in each row."""
    found: Array = np.abs(a[:, :, None] - b[:, None, :]).sum(axis=(1, 2))
    return found


@measure(
    title=Text("Shannon entropy of shown items", "展示物品的香农熵"),
    family=_FAMILY,
    question=Text(
        "How many bits does it take to say which item stands at a place of any list?",
        "说出任意列表的某个位置上是哪个物品，需要多少比特？",
    ),
    formula=Text(
        "Entropy@k = -Σ_i p(i) log2 p(i); p(i): the share of all places among the first k that item i has",
        "Entropy@k = -Σ_i p(i) log2 p(i)；p(i)：物品 i 在所有列表前 k 个位置中所占的比例",
    ),
    aliases=["ShannonEntropy", "item_entropy", "distributional_coverage", "香农熵"],
    edges=Text(
        "0 where all places show one item, log2 of the number of items where all are shown equally often. "
        "Items outside "
        "the catalogue count; it needs none. With few users it is too low, and rises with their number.",
        "所有位置都是同一物品时为 0，所有物品展示次数相同时为物品数的 log2。目录以外的物品也计入；不需要目录。"
        "用户很少时偏低，随用户数增加而上升。",
    ),
    reference="Shani, Gunawardana (2011), Evaluating recommendation systems",
    same={
        "Recommenders": Text("distributional_coverage", "distributional_coverage"),
        "Elliot": Text("SEntropy, where all lists are equally long", "SEntropy，所有列表等长时"),
    },
    differs={
        Text("Elliot, lists of several lengths", "Elliot，列表长短不一时"): Text(
            "each list has the same weight, however short", "每个列表权重相同，无论多短"
        ),
        "RecBole": Text(
            "ShannonEntropy has natural logarithms and divides by the number of distinct items",
            "ShannonEntropy 用自然对数，并除以不同物品数",
        ),
        "LensKit": Text("Entropy is of the categories in one list", "Entropy 是单个列表中类别的熵"),
    },
    bounds=(0.0, np.inf),
    example=ShownCase(
        {"u1": ["a", "b"], "u2": ["a", "c"]}, "-(1 / 2 * log2(1 / 2) + 2 * 1 / 4 * log2(1 / 4))", params={"k": 2}
    ),
    side="even",
)
class Entropy(OfRun):
    """Shannon entropy in bits of the item at a place chosen by chance.

    >>> Entropy(k=1).of({"u1": ["a"], "u2": ["b"]})
    1.0
    """

    k: int | None = cutoff()

    def of_run(self, s: Shown) -> Whole:
        counts, total = s.counts, len(s.items)
        sizes, times = np.unique(counts[counts > 0], return_counts=True)
        whole = fsum(times * _xlog2(sizes))  # by size, so that numbers of items do not matter
        c = counts[s.items]
        lost = s.by_list.sum(_xlog2(c) - _xlog2(c - 1))
        return Whole(_entropy(whole, total), _entropies(whole - lost, total - s.lengths))


def _xlog2(x: Array) -> Array:
    """x log2 x, 0 for 0."""
    found: Array = x * np.log2(np.maximum(x, 1))
    return found


def _entropy(weighted: float, total: int) -> float:
    return max(0.0, float(np.log2(total)) - weighted / total)


def _entropies(weighted: Array, total: Array) -> Array:
    there = total > 0
    safe = np.where(there, total, 1)
    found: Array = np.where(there, np.maximum(np.log2(safe) - weighted / safe, 0.0), np.nan)
    return found


@measure(
    title=Text("Personalisation", "个性化程度"),
    family=_FAMILY,
    question=Text("How unlike are the lists of different users?", "不同用户的列表有多不相同？"),
    formula=Text(
        "Personalisation@k = 1 - mean over all pairs of users of |A ∩ B| / √(|A| |B|); A, B: the items among "
        "their first k",
        "Personalisation@k = 1 - 所有用户对的 |A ∩ B| / √(|A| |B|) 的平均值；A、B：两个用户前 k 条的物品",
    ),
    aliases=["personalization", "inter_list_diversity", "inter_user_diversity", "个性化"],
    edges=Text(
        "0: everybody is shown the same items; 1: no item is shown to two users. The order of items does not matter. "
        "Users without a list are left out; undefined for fewer than 2 users. Computed from counts of items, "
        "so that no "
        "table of users × users is needed, and exactly.",
        "0：所有用户看到相同的物品；1：没有物品展示给两个用户。与物品顺序无关。没有列表的用户不计入；"
        "少于 2 个用户时无定义。由物品计数精确算出，不需要用户 × 用户的表。",
    ),
    reference="Zhou et al. (2010), Solving the apparent diversity-accuracy dilemma of recommender systems",
    same={
        "recmetrics": Text("personalization, with a table of users × users", "personalization，使用用户 × 用户的表"),
        "Evidently": Text("Personalization, where every list has k items", "Personalization，每个列表都有 k 个物品时"),
    },
    differs={
        Text("Evidently, short lists", "Evidently，列表较短时"): Text("divides all overlaps by k", "所有重叠都除以 k")
    },
    example=ShownCase({"u1": ["a", "b"], "u2": ["a", "c"], "u3": ["d"]}, "1 - (1 / 2 + 0 + 0) / 3", params={"k": 2}),
    side="personal",
)
class Personalisation(OfRun):
    """One minus the mean overlap of the lists of two users.

    >>> Personalisation(k=2).of({"u1": ["a", "b"], "u2": ["a", "c"]})
    0.5
    """

    k: int | None = cutoff()

    def of_run(self, s: Shown) -> Whole:
        """With a(u) = 1 / √|u| and w(i) = Σ a(u) over lists with item i: Σ of all pairs = (Σ w² - n) / 2."""
        n = s.n_lists
        if n < 2:
            return Whole(float("nan"), np.full(n, np.nan))
        length = s.lengths
        sizes = np.unique(length)
        own = 1 / np.sqrt(length)
        of_length = s.by_list.spread(length)
        w, squares = np.zeros(s.catalogue.n_numbers), 0.0
        before: list[tuple[int, Array]] = []
        for size in sizes.tolist():  # whole numbers first: neither the order of lists nor of items changes a bit
            times = np.bincount(s.items[of_length == size], minlength=len(w))
            w += times / np.sqrt(size)
            if len(sizes) <= _FEW_SIZES:
                squares += int(times @ times) / size
                squares += sum(2 * int(times @ other) / np.sqrt(size * smaller) for smaller, other in before)
                before.append((size, times))
        if len(sizes) > _FEW_SIZES:
            squares = fsum(np.sort(w) ** 2)
        pairs = n * (n - 1)
        lost = 2 * own * s.by_list.sum(w[s.items]) - 1
        value = 1 - (squares - n) / pairs
        rest = (n - 1) * (n - 2)
        without = 1 - (squares - lost - (n - 1)) / rest if rest else np.full(n, np.nan)
        return Whole(min(max(value, 0.0), 1.0), without)
