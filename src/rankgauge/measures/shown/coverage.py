"""How much of the catalogue is shown to anybody, and to how many users anything is shown.

Coverage@k = distinct catalogue items in the first k of all lists / items of the catalogue
"""

from __future__ import annotations

import numpy as np

from rankgauge._text import Text
from rankgauge.alignment import Array
from rankgauge.alignment.shown import Shown
from rankgauge.measures.base import cutoff
from rankgauge.measures.shown.base import OfLists, OfRun, ShownCase, Whole, measure
from rankgauge.statistics.distinct import FAR, narrower

_FAMILY = Text("Shown: coverage", "展示：覆盖")


@measure(
    title=Text("Catalogue coverage", "目录覆盖率"),
    family=_FAMILY,
    question=Text(
        "Which share of the catalogue is shown to anybody at all?",
        "目录中有多大比例的物品曾展示给任何一个用户？",
    ),
    formula=Text(
        "Coverage@k = distinct catalogue items among the first k of all lists / items of the catalogue",
        "Coverage@k = 所有列表前 k 条中不同的目录物品数 / 目录物品总数",
    ),
    aliases=["catalog_coverage", "catalogue_coverage", "item_coverage", "aggregate_diversity", "覆盖率", "物品覆盖率"],
    edges=Text(
        "The catalogue are the items of items=, or those of train=. Shown items that are not in it do not count, so it "
        "never exceeds 1. It grows with the number of users: compare runs for the same users only. The "
        "interval says how "
        "far it would change with as many other users like these; for more users the value itself would be higher.",
        "目录取 items= 中的物品，没有时取 train= 中的物品。不在目录中的物品不计，因此不会超过 1。它随用户数增加而增大："
        "只能对同一批用户比较。置信区间说明换成同样多的类似用户时会有多大变化；用户更多时数值本身会更高。",
    ),
    reference="Ge et al. (2010), Beyond accuracy: evaluating recommender systems by coverage and serendipity",
    same={
        "RecTools": Text(
            "CatalogCoverage(k, normalize=True) with the same catalogue",
            "CatalogCoverage(k, normalize=True)，目录相同时",
        ),
        "RePlay": Text("Coverage, with the items of train as the catalogue", "Coverage，以训练集物品为目录"),
        "Evidently": Text(
            "the coverage of PopularityBias, with the items of train as the catalogue",
            "PopularityBias 的 coverage，以训练集物品为目录",
        ),
    },
    differs={
        "Recommenders": Text(
            "catalog_coverage counts items outside train, and can exceed 1",
            "catalog_coverage 计入训练集以外的物品，可能超过 1",
        ),
        "RecBole": Text("ItemCoverage counts the padding item in the catalogue", "ItemCoverage 的目录中包含填充物品"),
        "Elliot": Text("ItemCoverage is the number of distinct items", "ItemCoverage 是不同物品的个数"),
        "recmetrics": Text(
            "in percent, rounded; catalog_coverage draws a random sample of lists",
            "以百分比表示并取整；catalog_coverage 随机抽取列表",
        ),
    },
    needs=["catalogue"],
    example=ShownCase({"u1": ["a", "b"], "u2": ["a", "c"]}, "3 / 5", items=["a", "b", "c", "d", "e"], params={"k": 2}),
    side="catalogue",
)
class Coverage(OfRun):
    """Share of the catalogue that is among the first k of any list.

    >>> Coverage(k=1).of({"u1": ["a", "b"], "u2": ["a", "c"]}, items=["a", "b", "c", "d"])
    0.25
    """

    k: int | None = cutoff()

    of_nothing = 0.0

    def of_run(self, s: Shown) -> Whole:
        n, counts = s.catalogue.n_items, s.counts
        distinct = int(np.count_nonzero(counts[:n]))
        once = np.append(counts[:n] == 1, np.zeros(max(len(counts) - n, 0), dtype=bool))  # items of one list alone
        only_here = s.by_list.count(once[s.items]) if once.any() else np.zeros(s.n_lists, dtype=np.int64)
        by_times = np.bincount(counts[:n], minlength=FAR + 1)[1 : FAR + 1].tolist()
        variance = float(only_here.var() * (s.n_lists - 1))
        spread = narrower(by_times, int(s.lengths.sum()), variance)
        return Whole(distinct / n, (distinct - only_here) / n, spread)


@measure(
    title=Text("User coverage", "用户覆盖率"),
    family=_FAMILY,
    question=Text("To which share of users is anything shown?", "有多大比例的用户得到了展示？"),
    formula=Text(
        "UserCoverage = users with at least one shown item / all users of the test",
        "UserCoverage = 至少展示一个物品的用户数 / 测试用户总数",
    ),
    aliases=["covered_users", "user_coverage"],
    edges=Text(
        "Users are those of the test data. One without a list counts as 0, whatever missing= says.",
        "用户取测试数据中的用户。没有列表的用户计为 0，与 missing= 无关。",
    ),
    same={"RecTools": "CoveredUsers"},
    differs={"Elliot": Text("UserCoverage is the number of users", "UserCoverage 是用户数")},
    example=ShownCase({"u1": ["a", "b"], "u2": [], "u3": ["c"]}, "2 / 3"),
    side="users",
)
class UserCoverage(OfLists):
    """Share of users that are shown anything.

    >>> UserCoverage().of({"u1": ["a"], "u2": []})
    0.5
    """

    counts_all_users = True

    def of_lists(self, s: Shown) -> Array:
        return (s.lengths > 0).astype(np.float64)
