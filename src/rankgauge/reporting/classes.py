"""What an evaluation of several classes says, as sections: the numbers, each class, what was taken for what."""

from __future__ import annotations

from math import isnan

import numpy as np

from rankgauge._claims import Statement
from rankgauge._numbers import grouped
from rankgauge._show import show, show_all
from rankgauge._text import Text
from rankgauge.evaluation.predictions.classes import ClassEvaluation, ClassEvaluations
from rankgauge.evaluation.predictions.per_class import ConfusionMatrix
from rankgauge.reporting.grid import Cell, Grid, Section, number, ranged, share
from rankgauge.reporting.predictions import (
    clipped_rows,
    differences_of,
    slices_of_rows,
    table_of_models,
    table_of_numbers,
)
from rankgauge.reporting.words import ROWS, about, claimed, counted, interval_of, phrase

__all__ = [
    "facts_of_classes",
    "sections_of_classes",
    "sections_of_classes_by_name",
    "sections_of_confusion_matrix",
    "weakest_class",
]

_MOST_CLASSES = 20  # rows of the table of classes
_MOST_CELLS = 12  # classes of a confusion matrix that is printed whole
_MOST_MISTAKES = 10
_FEW = 5  # rows of a class from which hardly any spread can be learned
_MUCH = 0.8  # where one class is so much of the rows, accuracy is mostly about it

_LABEL = Text("label", "标签")


def sections_of_classes(ev: ClassEvaluation, digits: int = 4) -> list[Section]:
    notes, warned = facts_of_classes(ev)
    title = phrase("{} on {}", "{}，数据 {}", ev.model, ev.data)
    out = [
        Section(
            title,
            table_of_numbers(ev, digits),
            warnings=[w for ws in warned.values() for w in ws],
            notes=[*notes, _words(ev)],
        ),
        _per_class(ev, digits),
        _confusion(ev.confusion()),
    ]
    if ev.has_slices:
        out.append(slices_of_rows(ev, digits))
    return out


def sections_of_classes_by_name(evs: ClassEvaluations, digits: int = 4) -> list[Section]:
    first = next(iter(evs.values()))
    said = {name: facts_of_classes(ev) for name, ev in evs.items()}
    warnings = [about(name, w) for name, (_, warned) in said.items() for ws in warned.values() for w in ws]
    title = phrase("{} models on {}", "{} 个模型，数据 {}", len(evs), first.data)
    notes = [*said[next(iter(evs))][0], _words(first)]
    return [Section(title, table_of_models(evs, digits), warnings=warnings, notes=notes), *differences_of(evs, digits)]


def sections_of_confusion_matrix(matrix: ConfusionMatrix) -> list[Section]:
    return [_confusion(matrix)]


def _words(ev: ClassEvaluation) -> str:
    """What intervals count as one unit."""
    weight = "weight=weight " if ev.policy.weight else ""
    if by := ev.policy.clusters:
        return Text(f"{weight}intervals by {by}", f"{weight}置信区间按 {by} 聚类计算")
    return Text(f"{weight}intervals by row", f"{weight}置信区间按行计算")


def facts_of_classes(ev: ClassEvaluation) -> tuple[list[str], dict[str, list[str]]]:
    """Counts in words: plain facts, and by code those that should stop a reader."""
    c = ev.counts
    rows = claimed(counted(c["rows"], "row", "行"), "count", c["rows"], "rows", ev.model)
    n = c["classes"]
    classes = claimed(Text(f"{n:,} class{'' if n == 1 else 'es'}", f"{n:,} 个类别"), "count", n, "classes", ev.model)
    weight = claimed(f"{c['weight']:,.6g}", "count", c["weight"], "weight", ev.model)
    weighted = "" if c["weight"] == c["rows"] else phrase(", weight {}", "，权重 {}", weight)
    groups: str = ""
    if c["groups"]:
        told = claimed(counted(c["groups"], "group", "组"), "count", c["groups"], "groups", ev.model)
        groups = phrase(" · {}", " · {}", told)
    notes: list[str] = [phrase("{}{} · {}{}", "{}{} · {}{}", rows, weighted, classes, groups)]
    if c["zero_weight_rows"]:
        light = counted(c["zero_weight_rows"], "row", "行")
        notes.append(phrase("{} of weight 0 left out", "略去 {}权重为 0 的数据", light))
    warned = {"frequent-class": _frequent(ev), "few-rows": _few(ev), "clipped": clipped_rows(ev)}
    return [*notes, *ev.remarks], warned


def _frequent(ev: ClassEvaluation) -> list[str]:
    """Where accuracy says little: always saying the most frequent class would do as well, or nearly."""
    if not any(e.measure.favours_frequent for e in ev.columns):  # type: ignore[attr-defined]
        return []
    each = ev.each
    frequent, of_rows = each.most_frequent
    name = show(frequent)
    most = claimed(share(of_rows, _decimals(of_rows)), "share", of_rows, "most frequent class", ev.model)
    if each.n_with_rows == 1:
        told = (
            "all rows are {}: accuracy is how often that was said, and nothing is known about other classes",
            "所有行都是 {}：准确率只是预测该类的比例，对其他类别一无所知",
        )
        return [phrase(*told, name)]
    balanced = claimed(number(each.balanced_accuracy), "mean", each.balanced_accuracy, "BalancedAccuracy", ev.model)
    chance = claimed(number(1 / each.n_with_rows), "share", 1 / each.n_with_rows, "one class", ev.model)
    told = ("balanced accuracy is {}, and always saying one class has {}", "平衡准确率为 {}，始终预测同一类别为 {}")
    beside = phrase(*told, balanced, chance)
    accuracy = claimed(share(each.accuracy, _decimals(each.accuracy)), "mean", each.accuracy, "Accuracy", ev.model)
    if each.is_no_better_than_one_class:
        misleads = of_rows >= _MUCH
        said = Text("accuracy misleads here", "准确率在这里有误导性") if misleads else Text("accuracy", "准确率")
        if each.accuracy == of_rows:
            told = ("{}: {} is what always saying {} has, too; {}", "{}：{} 与始终预测 {} 相同；{}")
            return [phrase(*told, said, accuracy, name, beside)]
        told = ("{}: {} is below the {} of always saying {}; {}", "{0}：{1} 低于始终预测 {3} 的 {2}；{4}")
        return [phrase(*told, said, accuracy, most, name, beside)]
    if of_rows >= _MUCH:
        told = (
            "accuracy says little here: always saying {} is right in {} of the rows; {}",
            "准确率在这里说明不了太多：始终预测 {} 就能判对 {} 的行；{}",
        )
        return [phrase(*told, name, most, beside)]
    return []


def _few(ev: ClassEvaluation) -> list[str]:
    """Where the mean over classes rests on a handful of rows, its interval cannot know how much they would vary."""
    few = ev.each.few(_FEW)
    if not few or not any(e.measure.is_by_class for e in ev.columns):  # type: ignore[attr-defined]
        return []
    n = len(few)
    named = claimed(Text(f"{n:,} class{'' if n == 1 else 'es'}", f"{n:,} 个类别"), "count", n, "few rows", ev.model)
    least = claimed(str(_FEW), "benchmark", _FEW)
    told = (
        "{} with fewer than {} rows ({}): intervals of means over classes may be too narrow",
        "{}的行数少于 {}（{}）：对类别取均值的指标，其置信区间可能过窄",
    )
    return [phrase(*told, named, least, show_all(few[:3]) + (", …" if n > 3 else ""))]


def weakest_class(ev: ClassEvaluation) -> Statement | None:
    """The class of which the least is found, the rarest of equal ones; None where there is no such class.

    Means over rows hide it where it is rare.
    """
    each = ev.each
    recall, precision = each.values("recall"), each.values("precision")
    known = [i for i in range(len(each.classes)) if each.truth[i] > 0]
    if len(known) < 2 or len({recall[i] for i in known}) == 1:
        return None
    i = min(known, key=lambda i: (recall[i], each.truth[i]))
    name = each.classes[i]
    row = ev.per_class.row(i, named=True)

    def said(text: str, what: str, value: float, measure: str) -> Statement:
        return claimed(text, what, value, f"{measure}(label={name})", ev.model)

    between: str = ""
    if row["recall_low"] is not None:
        ends = [said(number(row[f"recall_{e}"]), e, row[f"recall_{e}"], "Recall") for e in ("low", "high")]
        between = phrase(" ({} … {})", "（{} … {}）", *ends)
    rows = claimed(counted(each.rows[i], "row", "行"), "count", each.rows[i], f"rows of {name}", ev.model)
    found = said(number(recall[i]), "mean", float(recall[i]), "Recall")
    if isnan(precision[i]):
        told = (
            "least found of all classes: {} with recall {}{}, of {}; it is never predicted",
            "召回率最低的类别：{}，召回率 {}{}，共 {}；从未被预测",
        )
        return phrase(*told, show(name), found, between, rows)
    told = (
        "least found of all classes: {} with recall {}{}, of {}; its precision is {}",
        "召回率最低的类别：{}，召回率 {}{}，共 {}；其精确率为 {}",
    )
    right = said(number(precision[i]), "mean", float(precision[i]), "Precision")
    return phrase(*told, show(name), found, between, rows, right)


def _decimals(x: float) -> int:
    """As many as tell a share from 100%."""
    for digits in (1, 2, 3, 4, 5, 6, 7):
        if float(f"{100 * x:.{digits}f}") < 100:
            return digits
    return 1


def _per_class(ev: ClassEvaluation, digits: int) -> Section:
    frame = ev.per_class
    n = frame.height
    order = np.argsort(-np.asarray(ev.each.truth), kind="stable") if n > _MOST_CLASSES else np.arange(n)
    shown = order[:_MOST_CLASSES].tolist()
    rows = []
    for i in shown:
        r = frame.row(i, named=True)
        low, high = (float("nan") if x is None else x for x in (r["f1_low"], r["f1_high"]))
        rows.append(
            [
                Cell(r["class"]),
                Cell(_amount(r["rows"]), quiet=True),
                Cell(_amount(r["called"]), quiet=True),
                *(Cell(number(r[name], digits)) for name in ("precision", "recall", "f1")),
                Cell(ranged(low, high, digits), quiet=True),
            ]
        )
    header = [
        Text("class", "类别"),
        Text("weight", "权重") if ev.policy.weight else ROWS,
        Text("called so", "判为该类"),
        Text("precision", "精确率"),
        Text("recall", "召回率"),
        "F1",
        phrase("{} of F1", "F1 的 {}", interval_of(ev.confidence_level)),
    ]
    weakest = weakest_class(ev)
    notes: list[str] = [] if weakest is None else [weakest]
    if n > len(shown):
        notes += [
            phrase(
                "the {} classes with the most rows of {:,}; per_class has all",
                "{1:,} 个类别中行数最多的 {0} 个；per_class 给出全部",
                len(shown),
                n,
            )
        ]
    return Section(Text("by class", "按类别"), Grid(header, rows, frozenset({0})), notes=notes)


def _amount(x: float) -> str:
    return grouped(x) if float(x).is_integer() else grouped(x, 2)


def _confusion(matrix: ConfusionMatrix) -> Section:
    """The whole matrix of a few classes; of many the most frequent mistakes."""
    if len(matrix.classes) <= _MOST_CELLS:
        cells = matrix.matrix
        rows = [
            [Cell(name), *(Cell(_amount(x) if x else "·", strong=i == j) for j, x in enumerate(cells[i].tolist()))]
            for i, name in enumerate(matrix.classes)
        ]
        header = [Text("label ↓ prediction →", "标签 ↓ 预测 →"), *matrix.classes]
        return Section(Text("confusion matrix", "混淆矩阵"), Grid(header, rows))
    found = matrix.mistakes(_MOST_MISTAKES)
    title = Text("most frequent mistakes", "最常见的误判")
    if not found:
        return Section(title, notes=[Text("none: every row is called right", "没有：每一行都判对")])
    rows = [
        [Cell(r["label"]), Cell(r["prediction"]), Cell(_amount(r["weight"])), Cell(share(r["share_of_label"]))]
        for r in found
    ]
    header = [_LABEL, Text("prediction", "预测"), ROWS, Text("share of the label", "占该标签")]
    return Section(title, Grid(header, rows, frozenset({0, 1})))
