"""Does the score order rows inside a group: the items of a user, the results of a query?

    GAUC = Σ_u v_u AUC_u / Σ_u v_u          AUC = L · within + (1 - L) · cross

v_u is the weight of group u, L the share of all pairs that lie inside one group. Zhu et al. (2017) weigh by
impressions; at least nine definitions share the name.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from rankgauge._text import Text
from rankgauge.alignment.bracket import Bracket
from rankgauge.alignment.sample import Sample
from rankgauge.alignment.segments import Array
from rankgauge.measures.definition import Variant
from rankgauge.measures.parameters import choice
from rankgauge.measures.predictions._cells import GROUPS
from rankgauge.measures.predictions.auc import won_by_row
from rankgauge.measures.predictions.base import (
    Beside,
    Case,
    GroupSums,
    PredictionMeasure,
    Undefined,
    Whole,
    measure,
)
from rankgauge.statistics.exact_sums import exact_sum

_FAMILY = Text("Order of scores inside groups", "分组内得分的顺序")
_NEEDS = ("hard", "classes", "groups")
_EXAMPLE = {"label": [1, 0, 0, 1, 0, 1], "score": [0.9, 0.2, 0.4, 0.1, 0.3, 0.5], "group": [0, 0, 0, 1, 1, 2]}


def _variant(formula: Text, arithmetic: str, **params: str) -> Variant:
    return Variant(formula, Case(**_EXAMPLE, sum=arithmetic, params=params))  # type: ignore[arg-type]


@measure(
    title=Text("Group AUC", "分组 AUC"),
    family=_FAMILY,
    question=Text(
        "How often does a positive score higher than a negative of the same group?",
        "同一分组内，正样本得分高于负样本的比例是多少？",
    ),
    formula=Text(
        "GAUC = Σ_u v_u AUC_u / Σ_u v_u;  v_u = rows (impressions), 1 (uniform), positives, or "
        "positives·negatives (pairs) of group u",
        "GAUC = Σ_u v_u AUC_u / Σ_u v_u；v_u = 分组 u 的行数（impressions）、1（uniform）、"
        "正样本数（positives）或正样本数·负样本数（pairs）",
    ),
    needs=_NEEDS,
    aliases=["Group_AUC", "gauc_score", "session_auc"],
    spellings={
        "uAUC": {"weight": "uniform"},
        "avgAUC": {"weight": "uniform"},
        "wuAUC": {"weight": "impressions"},
        "Within_AUC": {"weight": "pairs"},
    },
    edges=Text(
        "A group with one class has no AUC: skipped and counted, or with undefined=half counted as 0.5. No group with "
        "both classes: undefined. Always read it with the share of rows that it rests on.",
        "只有一个类别的分组没有 AUC：跳过并计数，或用 undefined=half 按 0.5 计。没有同时包含两个类别的分组：无定义。"
        "解读时务必同时看它所依据的行占多少比例。",
    ),
    reference="Zhu et al., Optimized Cost per Click in Taobao Display Advertising, KDD (2017)",
    same={
        "FuxiCTR": Text("gAUC; avgAUC is weight=uniform", "gAUC；avgAUC 即 weight=uniform"),
        "EasyRec": Text(
            "gauc is weight=uniform, also reduction mean_by_sample_num and mean_by_positive_num",
            "gauc 即 weight=uniform，另有 reduction 为 mean_by_sample_num 和 mean_by_positive_num",
        ),
        "Paddle": Text("wuauc; uauc is weight=uniform", "wuauc；uauc 即 weight=uniform"),
    },
    differs={
        "RecBole": Text("weighs by positives: GAUC(weight=positives)", "按正样本数加权：GAUC(weight=positives)"),
        Text("torchrec (grouped AUC)", "torchrec（分组 AUC）"): Text(
            "one-class groups count as 0.5 (undefined=half), ties by the order of rows",
            "只有一个类别的分组计 0.5（undefined=half），并列按行的顺序",
        ),
        "XDL": Text(
            "ties by the order of rows; the first and last group of every batch are lost",
            "并列按行的顺序；每个批次首尾两个分组会丢失",
        ),
    },
    read_with=GROUPS | {"rows kept": Beside(Text("rows kept", "保留行数"), "share")},
    example=Case(**_EXAMPLE, sum="(3*1 + 2*0) / (3 + 2)"),  # type: ignore[arg-type]
    variants={
        "weight=uniform": _variant(
            Text(
                "GAUC = mean of AUC_u over the groups u with both classes",
                "GAUC = 同时有两个类别的各分组 u 的 AUC_u 的均值",
            ),
            "(1 + 0) / 2",
            weight="uniform",
        ),
        "weight=positives": _variant(
            Text(
                "GAUC = Σ_u v_u AUC_u / Σ_u v_u;  v_u = positives of group u",
                "GAUC = Σ_u v_u AUC_u / Σ_u v_u；v_u = 分组 u 的正样本数",
            ),
            "(1*1 + 1*0) / (1 + 1)",
            weight="positives",
        ),
        "weight=pairs": _variant(
            Text(
                "GAUC = Σ_u v_u AUC_u / Σ_u v_u;  v_u = positives·negatives of group u",
                "GAUC = Σ_u v_u AUC_u / Σ_u v_u；v_u = 分组 u 的正样本数·负样本数",
            ),
            "(2*1 + 1*0) / (2 + 1)",
            weight="pairs",
        ),
    },
)
class GAUC(PredictionMeasure):
    """Mean AUC of groups.

    >>> GAUC().of([1, 0, 1, 0], [.9, .2, .1, .3], group=[0, 0, 1, 1])
    0.5
    """

    weight: str = choice(
        "impressions",
        "uniform",
        "positives",
        "pairs",
        doc=Text(
            "what a group counts: its rows, one, its positives, its pairs",
            "分组的权重：行数、1、正样本数、正负对数",
        ),
        also={"rows": "impressions", "1": "uniform", "clicks": "positives"},
    )
    undefined: str = choice(
        "skip",
        "half",
        doc=Text(
            "groups with one class: left out, or counted as 0.5",
            "只有一个类别的分组：略去，或按 0.5 计",
        ),
        also={"0.5": "half"},
    )

    @property
    def is_grouped(self) -> bool:
        return True

    def of_groups(self, s: Sample) -> tuple[Array, Array]:
        p = s.pairs
        v = {
            "impressions": p.positives + p.negatives,
            "uniform": (p.rows > 0).astype(np.float64),
            "positives": p.positives,
            "pairs": p.pairs,
        }[self.weight]
        if self.undefined == "skip":
            return np.where(p.both, v, 0.0), np.where(p.both, p.auc, 0.0)
        return v, np.where(p.both, p.auc, 0.5)

    def nowhere(self, n_groups: int) -> Undefined:
        return Undefined(
            Text(f"none of the {n_groups:,} groups has both classes", f"{n_groups:,} 个组中没有一个同时有两类样本")
        )

    def beside(self, s: Sample) -> dict[str, Any]:
        p = s.pairs
        return self._read_with(int((p.rows > 0).sum()), int(p.both.sum()), int(p.rows[p.both].sum()), len(s))

    def beside_groups(self, g: GroupSums) -> dict[str, Any]:
        return self._read_with(g.n, g.both, g.rows_of_both, len(g.totals))

    def _read_with(self, n: int, both: int, rows_of_both: int, rows: int) -> dict[str, Any]:
        kept = rows_of_both / rows if self.undefined == "skip" else 1.0
        return {"groups": n, "valid groups": both, "rows kept": kept}


@measure(
    title=Text("AUC across groups", "跨组 AUC"),
    family=_FAMILY,
    question=Text(
        "How often does a positive score higher than a negative of another group?",
        "正样本得分高于其他分组负样本的比例是多少？",
    ),
    formula=Text(
        "CrossAUC = (U - Σ_u U_u) / (P·N - Σ_u P_u·N_u);  U = pairs won, U_u those inside group u.  AUC = L · "
        "GAUC(weight=pairs) + (1 - L) · CrossAUC,  L = Σ_u P_u·N_u / (P·N)",
        "CrossAUC = (U - Σ_u U_u) / (P·N - Σ_u P_u·N_u)；U = 顺序正确的样本对数，U_u 为分组 u 内的对数。AUC = L "
        "· GAUC(weight=pairs) + (1 - L) · CrossAUC，L = Σ_u P_u·N_u / (P·N)",
    ),
    needs=_NEEDS,
    aliases=["Between_AUC"],
    edges=Text(
        "All pairs inside one group: undefined. A gain here and none in GAUC orders users, not the items of a user.",
        "所有正负对都在同一分组内：无定义。这里提升而 GAUC 不变，说明排的是用户，而不是同一用户的条目。",
    ),
    read_with={"share of pairs": Beside(Text("share of pairs", "占全部样本对"), "share")},
    example=Case(**_EXAMPLE, sum="(6 - 2) / (9 - 3)"),  # type: ignore[arg-type]
)
class CrossAUC(PredictionMeasure):
    """AUC of the pairs whose two rows are in different groups.

    >>> round(CrossAUC().of([1, 0, 1, 0], [.9, .2, .1, .3], group=[0, 0, 1, 1]), 4)
    0.5
    """

    is_across = True

    @property
    def is_grouped(self) -> bool:
        return True

    def of_group_sums(self, g: GroupSums) -> tuple[Bracket, float, dict[str, Any]]:
        every = g.totals.n_positives * g.totals.n_negatives
        below = every - g.pairs
        if g.n < 2 or not below:
            raise _one_group()
        across = g.totals.bins.auc().stretched(every / below, -g.won / below)
        return across, below, {"share of pairs": below / every}

    def lines(self, s: Sample, whole: Whole) -> list[Array]:
        p, filled = s.pairs, s.filled
        made = p.positives * whole.n_negatives + p.negatives * whole.n_positives - 2 * p.pairs
        return [s.by_cluster(s.weigh(whole.won(s))) - 2 * p.won[filled], made[filled]]

    def _pairs(self, s: Sample) -> float:
        if np.count_nonzero(s.filled) < 2:
            raise _one_group()
        return s.n_positives * s.n_negatives - exact_sum(s.pairs.pairs)

    def value(self, s: Sample) -> float:
        return (s.sweep.pairs_won - exact_sum(s.pairs.won)) / self._pairs(s)

    def clusters(self, s: Sample) -> Array:
        won, made = self.lines(s, _Here(s))
        rows: Array = (won - self.value(s) * made) / self._pairs(s)
        return rows

    def beside(self, s: Sample) -> dict[str, Any]:
        return {"share of pairs": self._pairs(s) / (s.n_positives * s.n_negatives)}


class _Here:
    """All rows are here."""

    def __init__(self, s: Sample) -> None:
        self.n_positives, self.n_negatives = s.n_positives, s.n_negatives

    def won(self, s: Sample) -> Array:
        return won_by_row(s)


def _one_group() -> Undefined:
    return Undefined(Text("all pairs are inside one group", "所有样本对都在同一组内"))
