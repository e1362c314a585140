"""What the counts of evaluations are called in tables."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from rankgauge._claims import phrase
from rankgauge._text import Text
from rankgauge.evaluation.counts import depth_of, is_judged_share
from rankgauge.evaluation.rankings.record import RankingEvaluation
from rankgauge.evaluation.rankings.slices import slices_of

__all__ = ["NAMES", "name_of", "one_by_one", "sizes", "sizes_of_slices"]

NAMES: Mapping[str, Text] = {
    "queries": Text("judged queries", "有标注的查询"),
    "evaluated": Text("evaluated", "计入"),
    "missing": Text("not in the run", "结果中缺失"),
    "empty_lists": Text("empty lists", "空列表"),
    "without_relevant": Text("without a relevant item", "没有相关结果"),
    "not_judged": Text("queries without judgements, ignored", "无标注的查询（忽略）"),
    "results": Text("results", "结果条数"),
    "judgements": Text("judgements", "标注条数"),
    "relevant": Text("of them relevant", "其中相关"),
    "tied_queries": Text("queries where ties matter", "受并列影响的查询"),
    "duplicates": Text("repeated results", "重复结果"),
    "duplicate_queries": Text("queries with repeated results", "有重复结果的查询"),
    "nan_scores": Text("scores that are no numbers", "非数字得分"),
    "needs": Text("needs", "信息点数"),
    "rows": Text("rows", "行数"),
    "classes": Text("classes", "类别数"),
    "positives": Text("positives", "正样本数"),
    "prevalence": Text("share of positives", "正样本比例"),
    "weight": Text("weight", "权重合计"),
    "groups": Text("groups", "分组数"),
    "zero_weight_rows": Text("rows of weight 0, left out", "权重为 0 的行（略去）"),
    "soft_labels": Text("labels between 0 and 1", "介于 0 与 1 之间的标签"),
}
"""A row of a table for each; `judged@k` and what ends in `_by` have one for each k and measure."""


def one_by_one(counts: Mapping[str, Any]) -> dict[str, Any]:
    """Counts that can each stand in a cell: what is counted for each measure has a key of its own."""
    out: dict[str, Any] = {}
    for key, value in counts.items():
        if isinstance(value, Mapping):
            out |= {f"{key}:{label}": n for label, n in value.items()}
        else:
            out[key] = value
    return out


def name_of(key: str) -> str:
    """What a key of `one_by_one` counts."""
    if is_judged_share(key):
        k = depth_of(key)
        return Text(f"judged among the first {k}, share", f"前 {k} 位已标注比例")
    what, _, label = key.partition(":")
    if what == "without_relevant_by":
        return phrase("without an item relevant to {}", "没有对 {} 而言相关的结果", label)
    if what == "left_out_by":
        return phrase("left out of {}", "未计入 {} 的查询", label)
    if what == "too_long_by":
        return phrase("needs longer than all that {} reads", "比 {} 所读内容还长的信息点", label)
    if what == "unfit_by":
        return phrase("lists whose first result does not fit into {}", "首条结果放不进 {} 的列表", label)
    if what == "exhausted_by":
        return phrase("lists with room left in {}", "{} 的预算未用完的列表", label)
    return NAMES.get(key, key)  # those that stored evaluations brought along


def sizes(ns: Collection[int]) -> str:
    """What several numbers rest on: one count, or the least and the most where they differ.

    >>> sizes([495, 495]), sizes([495, 512])
    ('495', '495 … 512')
    """
    low, high = min(ns), max(ns)
    return f"{low:,}" if low == high else f"{low:,} … {high:,}"


def sizes_of_slices(ev: RankingEvaluation, labels: Sequence[str]) -> list[list[int]]:
    """For each row of `ev.slices` how many queries count for each measure; where only the most is known, that."""
    if not ev.has_queries or not len(ev.query_ids):
        return [[n] * len(labels) for n in ev.slices["n"].to_list()]
    masks = [mask for values in ev.attributes.values() for _, mask in slices_of(values)]
    return [[int((ev.column(label).counted & mask).sum()) for label in labels] for mask in masks]
