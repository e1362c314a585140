"""Numbers of sampled candidates beside what they are for all items, as sections."""

from __future__ import annotations

from rankgauge._claims import claimed
from rankgauge._text import Text
from rankgauge.evaluation.rankings.unsampled import Unsampled
from rankgauge.reporting.grid import Cell, Grid, Section, number, ranged
from rankgauge.reporting.words import interval_of, phrase

__all__ = ["sections_of_unsampled"]


def sections_of_unsampled(found: Unsampled, digits: int = 4) -> list[Section]:
    several = len(found.systems) > 1
    header: list[str] = [
        *([Text("run", "系统")] if several else []),
        Text("measure", "指标"),
        Text("sampled", "抽样"),
        Text("all items", "全部物品"),
        interval_of(found.confidence_level),
        Text("standard error", "标准误"),
        Text("users", "用户数"),
    ]
    rows = [
        [
            *([Cell(row.system)] if several else []),
            Cell(row.measure),
            Cell(number(row.sampled, digits), quiet=True),
            Cell(number(row.value, digits)),
            Cell(ranged(*row.interval, digits)),
            Cell(number(row.error, digits), quiet=True),
            Cell(f"{row.users:,}", quiet=True),
        ]
        for row in found.rows
    ]
    items = claimed(f"{found.n_items:,}", "given", found.n_items, "n_items")
    estimated = [row for row in found.rows if row.candidates < found.n_items]
    notes: list[str] = []
    if estimated:
        first = estimated[0]
        notes.append(
            phrase(
                "each target ranked among {} candidates; estimated is its rank among {} items, if the others were "
                "drawn at random",
                "每个目标在 {} 个候选中排序；在其余候选为随机抽取的前提下，估计它在 {} 个物品中的排名",
                claimed(f"{first.candidates:,}", "count", first.candidates, "candidates", first.system),
                items,
            )
        )
    if len(estimated) < len(found.rows):
        whole = dict.fromkeys(row.system for row in found.rows if row.candidates == found.n_items)
        notes.append(
            phrase(
                "{}: the candidates are all items, nothing is estimated",
                "{}：候选就是全部物品，没有任何估计",
                Text(", ".join(whole), "、".join(whole)),
            )
        )
    if any(row.users > 1 for row in estimated):
        notes.append(
            Text(
                "the interval holds whatever the ranks are; the value is one that fits, and its standard error leaves "
                "out what the candidates cannot tell",
                "无论排名如何分布，置信区间都成立；数值只是与数据相符的一个，其标准误不含候选无法分辨的部分",
            )
        )
    if any(row.users == 1 for row in estimated):
        notes.append(
            Text(
                "one user has no interval: the value is one that fits, and how far off it is cannot be told",
                "只有一个用户时没有置信区间：数值只是与数据相符的一个，无法判断偏差多大",
            )
        )
    untold = [
        f"{row.system} {row.measure}" if several else row.measure
        for row in estimated
        if row.users > 1 and not row.is_told
    ]
    if untold:
        notes.append(
            phrase(
                "cannot be told from so few candidates, but for the upper end: {}",
                "候选太少，除上限外无法判断：{}",
                Text(", ".join(untold), "、".join(untold)),
            )
        )
    if found.left_out:
        notes.append(
            phrase(
                "left out, as more than the rank of one target: {}",
                "未估计（不只取决于一个目标的排名）：{}",
                Text(", ".join(found.left_out), "、".join(found.left_out)),
            )
        )
    names = Text(", ".join(found.systems), "、".join(found.systems))
    title = phrase(
        "{} on {}: as if all {} items were ranked", "{}，标注 {}：对全部 {} 个物品排序时", names, found.qrels, items
    )
    return [Section(title, Grid(header, rows), notes=notes)]
