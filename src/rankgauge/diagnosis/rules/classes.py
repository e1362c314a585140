"""Several classes: which are missed, which are taken for each other, and on how little that rests."""

from __future__ import annotations

from collections.abc import Sequence

from rankgauge._numbers import share
from rankgauge._show import show
from rankgauge._text import Text, joined
from rankgauge.diagnosis.rules.base import Seen, Texts, rule
from rankgauge.diagnosis.subjects import Classed

_FEW = 10  # rows of a class below which one row more or less moves its recall by a tenth
_MANY_MISTAKES = 0.2  # of the rows of a class that are taken for one other class
_LEAST = 5  # rows that are taken for another class: fewer may be chance
_SHOWN = 5


@rule(
    "one-class-predicted",
    "classes",
    en=Texts(
        title="Every row is called {name}",
        seen="All {rows} rows are called {name}; {share} of the {of} is of that class, and nothing of {others} others "
        "is found.",
        why="Accuracy is then the share of that class and says nothing about the model.",
        check="Whether the predictions belong to these rows, and what turned scores into classes: an argmax over the "
        "wrong axis and a threshold that nothing reaches look like this.",
        do="Train with weights of classes or balanced samples, and judge by balanced accuracy and recall by class.",
    ),
    zh=Texts(
        title="所有行都被判为 {name}",
        seen="全部 {rows} 行都被判为 {name}，按{of}算属于该类的占 {share}；另外 {others} 个类别一行都没有找到。",
        why="此时准确率就是该类的占比，说明不了模型的好坏。",
        check="预测是否对应这些行，以及得分如何变成类别：argmax 取错了轴、阈值高得没有得分能达到，都会出现这种情况。",
        do="训练时使用类别权重或均衡采样，并用平衡准确率和各类别的召回率评判。",
    ),
)
def one_class_predicted(s: Classed) -> Seen | None:
    if not s.calls_one_class:
        return None
    i = next(i for i, called in enumerate(s.each.called) if called > 0)
    there = [x for x in s.each.truth if x > 0]
    of_class = s.each.truth[i] / sum(there)
    others = len(there) - (s.each.truth[i] > 0)
    numbers = {
        "name": show(s.each.classes[i]),
        "rows": s.figure("count", s.ev.counts["rows"], "rows"),
        "share": s.figure("share", of_class, f"rows of {s.each.classes[i]}", share, 1),
        "others": s.figure("count", others, "classes never found"),
        "of": s.amount,
    }
    return Seen("critical", numbers, importance=1 - of_class)


@rule(
    "no-better-than-one-class",
    "classes",
    en=Texts(
        title="Always saying {name} would be right as often",
        seen="Accuracy is {accuracy}, and always saying {name} has {share}; balanced accuracy is {balanced}.",
        why="The classes are so uneven that accuracy mirrors them.",
        check="Recall by class: the classes with few rows decide whether the model is of use.",
        do="Judge by balanced accuracy, macro F1 or the recall of the classes that matter.",
    ),
    zh=Texts(
        title="始终预测 {name} 的准确率不低于这个模型",
        seen="准确率为 {accuracy}，始终预测 {name} 为 {share}；平衡准确率为 {balanced}。",
        why="类别太不均衡，准确率只反映了这一点。",
        check="看各类别的召回率：行数少的类别决定模型有没有用。",
        do="用平衡准确率、macro F1 或关键类别的召回率评判。",
    ),
)
def no_better_than_one_class(s: Classed) -> Seen | None:
    each = s.each
    if s.calls_one_class or each.n_with_rows < 2 or not each.is_no_better_than_one_class:
        return None
    name, of_rows = each.most_frequent
    numbers = {
        "name": show(name),
        "accuracy": s.figure("mean", each.accuracy, "Accuracy"),
        "share": s.figure("share", of_rows, f"rows of {name}"),
        "balanced": s.figure("mean", each.balanced_accuracy, "BalancedAccuracy"),
    }
    return Seen("warning", numbers, importance=of_rows)


@rule(
    "class-never-found",
    "classes",
    en=Texts(
        title="{n} never found: {names}",
        seen="No row of these classes is called rightly: {names}.",
        why="Users of such a class get a wrong answer each time, and a mean over rows hides it.",
        check="Whether the model knows the class: its name in training, labels and predictions may differ in case or "
        "spelling.",
        do="Add examples of the class, or leave it out of what the model is asked and say so.",
    ),
    zh=Texts(
        title="{n}从未判对：{names}",
        seen="这些类别没有一行判对：{names}。",
        why="遇到这些类别的用户每次都得到错误的答案，而按行平均会掩盖这一点。",
        check="模型是否认识该类别：训练数据、标签和预测中的类别名可能大小写或拼写不同。",
        do="补充该类别的样本，或不再让模型判断它，并加以说明。",
    ),
)
def class_never_found(s: Classed) -> Seen | None:
    each = s.each
    if s.calls_one_class:
        return None
    missed = [i for i, n in enumerate(each.rows) if n >= _FEW and each.truth[i] > 0 and not each.right[i]]
    if not missed:
        return None
    n = len(missed)
    many = Text(f"{n:,} class{'' if n == 1 else 'es'}", f"{n:,} 个类别")
    numbers = {"n": s.said(many, "count", n, "classes never found"), "names": _named([each.classes[i] for i in missed])}
    evidence = [
        Text(f"{show(each.classes[i])}: {each.rows[i]:,} rows", f"{show(each.classes[i])}：{each.rows[i]:,} 行")
        for i in missed[:_SHOWN]
    ]
    return Seen("warning", numbers, evidence, importance=sum(each.truth[i] for i in missed) / sum(each.truth))


@rule(
    "confused-classes",
    "classes",
    en=Texts(
        title="{label} is taken for {prediction}",
        seen="{label} is called {prediction} in {share} of its {of} ({rows} rows).",
        why="One pair that is taken for each other often explains most mistakes.",
        check="Rows of the pair by eye: whether people can tell the two apart, and whether labels follow one rule.",
        do="Where people cannot, join the classes or sharpen their definitions; where they can, add examples of the "
        "pair. rankgauge plot draws the confusion matrix.",
    ),
    zh=Texts(
        title="{label} 被判成 {prediction}",
        seen="{label} 按{of}算有 {share} 被判为 {prediction}（{rows} 行）。",
        why="一对容易混淆的类别往往能解释大部分误判。",
        check="人工查看这一对类别的行：人能否分清两者，标注是否遵循同一规则。",
        do="人也分不清的，合并类别或把定义写清楚；人能分清的，补充这一对的样本。rankgauge plot 可画出混淆矩阵。",
    ),
)
def confused_classes(s: Classed) -> Seen | None:
    if s.calls_one_class:
        return None
    found = [r for r in s.mistakes if r["rows"] >= _LEAST and r["share_of_label"] >= _MANY_MISTAKES]
    if not found:
        return None
    first = found[0]
    label, prediction = first["label"], first["prediction"]
    numbers = {
        "label": show(label),
        "prediction": show(prediction),
        "share": s.figure("share", first["share_of_label"], f"{label} called {prediction}", share, 1),
        "rows": s.figure("count", first["rows"], f"{label} called {prediction}"),
        "of": s.amount,
    }
    evidence = [
        Text(
            f"{show(r['label'])} called {show(r['prediction'])}: {share(r['share_of_label'], 1)}, {r['rows']:,} rows",
            f"{show(r['label'])} 判为 {show(r['prediction'])}：{share(r['share_of_label'], 1)}，{r['rows']:,} 行",
        )
        for r in found[:_SHOWN]
    ]
    return Seen("warning", numbers, evidence, importance=first["weight"] / sum(s.each.truth))


@rule(
    "rare-classes",
    "classes",
    en=Texts(
        title="{n} with few rows: {names}",
        seen="These classes have fewer than {few} rows each: {names}.",
        why="One row more or less moves the recall of such a class by a tenth or more, and means over classes with it.",
        check="Whether their rows are labelled rightly: one wrong label decides.",
        do="Collect more rows of them before concluding anything about them; report them apart until then.",
    ),
    zh=Texts(
        title="{n}行数很少：{names}",
        seen="这些类别各不足 {few} 行：{names}。",
        why="多一行少一行，这类类别的召回率就变动十分之一以上，对类别取均值的指标也随之变动。",
        check="这些行的标注是否正确：一个错误的标签就能改变结论。",
        do="先收集更多这些类别的行再下结论；在此之前单独报告。",
    ),
)
def rare_classes(s: Classed) -> Seen | None:
    rare = s.each.few(_FEW)
    if not rare:
        return None
    n = len(rare)
    many = Text(f"{n:,} class{'' if n == 1 else 'es'}", f"{n:,} 个类别")
    numbers = {
        "n": s.said(many, "count", n, "classes with few rows"),
        "names": _named(rare),
        "few": s.figure("benchmark", _FEW, "rows of a class"),
    }
    return Seen("note", numbers, importance=n / len(s.each.classes))


def _named(classes: Sequence[str]) -> str:
    """Some classes by name; of many the first."""
    shown = joined(Text(", ", "、"), [show(name) for name in classes[:_SHOWN]])
    return (
        shown if len(classes) <= _SHOWN else Text(f"{shown}, …", f"{shown.zh if isinstance(shown, Text) else shown}、…")
    )
