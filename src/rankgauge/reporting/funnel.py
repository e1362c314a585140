"""What a funnel says, as sections: the step that loses most in a sentence, the stages, the fates."""

from __future__ import annotations

from math import isnan

from rankgauge._claims import Statement
from rankgauge._numbers import short
from rankgauge._text import Text
from rankgauge.evaluation.funnel.record import CUT, NEVER, SHOWN, Funnel, FunnelStep
from rankgauge.reporting.grid import Cell, Grid, Section, number, share
from rankgauge.reporting.words import claimed, counted, interval_of, phrase

__all__ = ["headline", "sections_of_funnel"]


_FATES = {NEVER: Text(NEVER, "未检索到"), CUT: Text(CUT, "被 k 截断"), SHOWN: Text(SHOWN, "已展示")}


def sections_of_funnel(f: Funnel, digits: int = 4) -> list[Section]:
    return [Section(headline(f), tone="open"), _stages(f, digits), _fates(f, digits)]


def headline(f: Funnel) -> Statement:
    """The step that loses most, as a sentence that stands on its own."""
    step = f.worst
    if not f.n_relevant:
        said = (
            "Nothing can be lost: no item has a grade of {} or more.",
            "没有可丢失的：没有相关性等级不低于 {} 的条目。",
        )
        return phrase(*said, claimed(short(f.rel), "given", f.rel, "rel"))
    if step is None:
        if f.fit < 1:
            told = (
                "Nothing is lost that the first {} have room for: of {} they hold {}.",
                "前 {} 位能容纳的都没有丢失：{}中展示了 {}。",
            )
            fits = claimed(share(f.fit), "share", f.fit, f"room@{f.k}")
            return phrase(*told, _k(f), _relevant(f), fits)
        told = ("Nothing is lost: the first {} hold all of {}.", "没有丢失：前 {} 位包含全部 {}。")
        return phrase(*told, _k(f), _relevant(f))
    text = _where(f, step)
    if f.fit < 1 and step.avoidable is not None:
        told = (
            "{} Another {} of them have no room in the first {}, whatever the stages do.",
            "{}另有 {} 的相关条目在前 {} 位中无论如何都放不下。",
        )
        text = phrase(*told, text, claimed(share(1 - f.fit), "share", 1 - f.fit, f"no room@{f.k}"), _k(f))
    dearest = f.worst_ndcg
    if dearest is None or dearest is step:
        return text
    lost = phrase("{} → {}", "{} → {}", *_ndcg(f, dearest))
    if dearest is f.steps[-1]:
        said = ("{} The order of {} costs more nDCG@{}: {}.", "{}{} 的排序损失更多 nDCG@{}：{}。")
        return phrase(*said, text, f.stages[-1].name, f.k, lost)
    return phrase("{} {} costs more nDCG@{}: {}.", "{}{} 损失更多 nDCG@{}：{}。", text, dearest.name, f.k, lost)


def _where(f: Funnel, step: FunnelStep) -> Statement:
    lost = claimed(share(step.share), "lost", step.share, step.name)
    if step.avoidable_share is not None:
        lost = claimed(share(step.avoidable_share), "lost with room", step.avoidable_share, step.name)
    told = (
        "Most is lost at {1}: {2} of the relevant items (nDCG@{0} could be {3} before it, {4} after it).",
        "丢失最多的是 {1}：占相关条目的 {2}（nDCG@{0} 的上限在其之前为 {3}，之后为 {4}）。",
    )
    name = step.name
    if step is f.steps[-1]:
        told = (
            "Most is lost below rank {0} of {1}: {2} of the relevant items (nDCG@{0} could be {3}, and is {4}).",
            "丢失最多的是 {1} 第 {0} 位之后：占相关条目的 {2}（nDCG@{0} 本可达到 {3}，实际为 {4}）。",
        )
        name = f.stages[-1].name
    return phrase(*told, _k(f), name, lost, *_ndcg(f, step))


def _relevant(f: Funnel) -> Statement:
    return claimed(counted(f.n_relevant, "relevant item", "个相关条目"), "count", f.n_relevant, "relevant")


def _k(f: Funnel) -> Statement:
    return claimed(str(f.k), "cutoff", f.k, f"nDCG@{f.k}")


def _ndcg(f: Funnel, step: FunnelStep) -> list[Statement]:
    """What the nDCG could be before and after a step; after the last one, what it is."""
    measure = f"nDCG@{f.k}"
    names = ["", *(s.name for s in f.stages)]
    at = list(f.steps).index(step)
    before = claimed(number(step.ndcg_before, 3), "reachable", step.ndcg_before, measure, names[at])
    if step is f.steps[-1]:
        return [before, claimed(number(step.ndcg_after, 3), "mean", step.ndcg_after, measure, names[at])]
    return [before, claimed(number(step.ndcg_after, 3), "reachable", step.ndcg_after, measure, names[at + 1])]


def _stages(f: Funnel, digits: int) -> Section:
    header = [
        Text("stage", "阶段"),
        Text("results", "结果数"),
        Text("kept", "保留"),
        Text("recall", "召回率"),
        interval_of(f.confidence_level),
        Text("pooled", "合并召回率"),
        Text("retention", "留存率"),
        Text("pooled", "合并留存率"),
        f"nDCG@{f.k}",
        Text("at best", "上限"),
    ]
    rows = []
    for s in f.stages:
        interval = "" if isnan(s.recall_low) else f"{number(s.recall_low, digits)} … {number(s.recall_high, digits)}"
        rows.append(
            [
                Cell(s.name),
                Cell(number(s.size, 1)),
                Cell("" if s.kept is None else share(s.kept), quiet=True),
                Cell(number(s.recall, digits)),
                Cell(interval, quiet=True),
                Cell(number(s.recall_pooled, digits), quiet=True),
                Cell("" if s.retention is None else number(s.retention, digits)),
                Cell("" if s.retention_pooled is None else number(s.retention_pooled, digits), quiet=True),
                Cell(number(s.ndcg, digits)),
                Cell(number(s.ceiling, digits)),
            ]
        )
    notes: list[str] = [
        phrase(
            "{} with relevant items of {:,} judged; relevant: grade {:g} and above; k = {}; ties: {}",
            "{1:,} 个已标注查询中 {0}有相关条目；相关：相关性等级不低于 {2:g}；k = {3}；ties：{4}",
            counted(f.n_queries, "query", "个"),
            f.n_judged,
            f.rel,
            f.k,
            f.ties,
        ),
        phrase(
            "at best: nDCG@{} if everything after the stage were perfect; pooled: over the items of all queries",
            "上限：该阶段之后全部完美时的 nDCG@{}；合并：把所有查询的条目放在一起计算",
            f.k,
        ),
    ]
    if f.cut:
        cuts = ", ".join(f"{name} {n:,}" for name, n in f.cut.items())
        notes.append(Text(f"only the first results count: {cuts}", f"只计排在前面的结果：{cuts.replace(', ', '、')}"))
    grid = Grid(header, rows, spare=[7, 5, 2])
    return Section(Text("Stages", "各阶段"), grid, notes=[*notes, *f.notes], warnings=f.warnings)


def _fate(f: Funnel, step: FunnelStep) -> str:
    if step is f.steps[0]:
        return phrase("{} ({})", "{}（{}）", _FATES[NEVER], step.name)
    if step.fate in _FATES:
        return _FATES[step.fate]
    return Text(step.fate, f"在 {step.name} 被丢弃")


def _fates(f: Funnel, digits: int) -> Section:
    tight = f.fit < 1 and all(step.avoidable is not None for step in f.steps)
    rows = [
        [
            Cell(_fate(f, step)),
            Cell(f"{step.lost:,}", strong=step is f.worst),
            Cell(share(step.share), strong=step is f.worst),
            *([Cell(f"{step.lost - step.missed:,}", quiet=True)] if tight else []),
            Cell(share(step.remaining_share), quiet=True),
            Cell(number(step.ndcg_lost, digits), strong=step is f.worst_ndcg),
            Cell(number(step.ndcg_after, digits), quiet=True),
        ]
        for step in f.steps
    ]
    last = f.steps[-1]
    rows.append(
        [
            Cell(_FATES[SHOWN]),
            Cell(f"{last.remaining:,}"),
            Cell(share(last.remaining_share)),
            *([Cell("")] if tight else []),
            Cell(""),
            Cell(""),
            Cell(number(f.measured, digits), quiet=True),
        ]
    )
    left = Text("left", "剩余")
    lost = phrase("nDCG@{} lost", "nDCG@{} 损失", f.k)
    room = [Text("no room", "放不下")] if tight else []
    header = [Text("fate", "去向"), Text("items", "条目数"), Text("share", "占比"), *room, left, lost, left]
    said = ("the last step in nDCG@{} is what the order of {} loses", "nDCG@{} 的最后一步是 {} 的排序造成的损失")
    notes = [phrase(*said, f.k, f.stages[-1].name)]
    if f.fit < 1:
        said = (
            "the first {} have room for {} of the relevant items at most; no room: lost here, and lost anyway",
            "前 {} 位最多容纳 {} 的相关条目；放不下：在此丢失，但无论如何都展示不了",
        )
        notes.append(phrase(*said, f.k, share(f.fit)))
    return Section(phrase("What became of {}", "{}的去向", _relevant(f)), Grid(header, rows), notes=notes, folded=True)
