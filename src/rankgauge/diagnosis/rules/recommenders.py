"""What recommender teams miss: popularity beside it, what is shown at all, and to whom."""

from __future__ import annotations

from math import isnan
from typing import Any

from rankgauge._claims import Statement, claimed, phrase, together
from rankgauge._numbers import counted, share
from rankgauge._text import Text
from rankgauge.diagnosis.figures import NOTHING
from rankgauge.diagnosis.rules.base import Seen, Texts, rule
from rankgauge.diagnosis.subjects import Changed, Ranked
from rankgauge.diagnosis.sureness import sure
from rankgauge.evaluation.rankings.popular import BesidePopular, beside_popular, returning
from rankgauge.evaluation.rankings.showing import LOOKED_AT
from rankgauge.measures.base import Measure
from rankgauge.measures.shown.base import ShownMeasure

_HARDLY = 1.2
"""Times popularity below which the work on a model has bought little."""
_POPULAR, _ALIKE, _SEEN, _LESS = 0.3, 0.3, 0.01, 0.1
"""Below which share of unexpected items a list is one of popularity; below which personalisation everybody gets the
same; above which share seen items matter; which part of coverage or novelty is a loss."""


@rule(
    "level-alone",
    "ranking",
    of_everything=True,
    en=Texts(
        title="A level of a recommender says little by itself",
        seen="{measure} is {value}{between} for what {n} did.",
        why="What users did is a small part of what they would have liked, and how small depends on the catalogue and "
        "on the split: no band holds for such a number.",
        check="What the most popular items reach for the same users: rankgauge baseline.",
        do="Pass train=… (the interactions before): the most popular items, coverage, novelty and leaks are looked at "
        "then.",
    ),
    zh=Texts(
        title="推荐指标的绝对值本身说明不了什么",
        seen="{measure} 为 {value}{between}，测试的是 {n}的行为。",
        why="用户做过的只是他们会喜欢的一小部分，占多大比例取决于目录和划分方式：这类数字没有通用的分档。",
        check="看最热门的物品对同样的用户能达到多少：rankgauge baseline。",
        do="传入 train=…（此前的交互）：即可与最热门的物品对比，并检查覆盖率、新颖性和泄漏。",
    ),
)
def level_alone(s: Ranked) -> Seen | None:
    known = s.ev.catalogue
    label = _accuracy(s)
    if not s.of_users or s.is_compared or label is None or (known is not None and known.train is not None):
        return None
    if s.alignment is None:  # whether train was given is not stored
        return None
    n = s.ev.n(label)
    if isnan(s.value(label)) or not n:
        return None
    numbers = {
        "measure": label,
        "value": s.mean(label),
        "between": s.between(label),
        "n": claimed(counted(n, "user", "个用户"), "n", n, label, s.name),
    }
    return Seen("note", numbers, importance=0.25)


def _accuracy(s: Ranked) -> str | None:
    """The first measure of relevance that was asked for, of which more is better."""
    asked = zip(s.ev.measures, s.ev.labels, strict=True)
    return next(
        (
            label
            for m, label in asked
            if isinstance(m, Measure)
            and not isinstance(m, ShownMeasure)
            and m.relevance
            and m.summary == "mean"
            and m.direction > 0
        ),
        None,
    )


@rule(
    "near-popularity",
    "ranking",
    of_everything=True,
    en=Texts(
        title="{how} the most popular items",
        seen="{measure} is {value}, that of the most popular items new to each user {popular}: {ratio} times as much "
        "({low} … {high}, paired over {n} users).",
        why="A list of what is popular needs no model: what a model is worth is what it adds to that.",
        check="Whether lists reach the right users, and whether the model learned from these interactions (train).",
        do="Beat it before anything else: rankgauge baseline has item-knn and ease, which often do. Then see who "
        "gains: users with long histories should (--slices activity).",
    ),
    zh=Texts(
        title="{how}最热门的物品",
        seen="{measure} 为 {value}，给每个用户展示他没接触过的最热门物品为 {popular}：是其 {ratio} 倍"
        "（{low} … {high}，按 {n} 个用户配对）。",
        why="热门列表不需要模型：模型的价值在于比它多出来的部分。",
        check="确认列表与用户对应无误，模型用的是同一份训练数据（train）。",
        do="先超过它再谈其他：rankgauge baseline 的 item-knn 和 ease 往往就能做到。再看谁受益：历史多的用户应当受益"
        "（--slices activity）。",
    ),
)
def near_popularity(s: Ranked) -> Seen | None:
    found = _beside(s)
    if found is None or not _surely(s, found) < _HARDLY:
        return None
    worse = found.interval.high < 1
    numbers = {"how": _WORSE if worse else _BARELY, **_times(s, found)}
    return Seen("critical" if worse else "warning", numbers, importance=_HARDLY - found.ratio)


def times_popular(s: Ranked) -> Statement | None:
    """How many times the most popular items a recommender is worth, where that is known and no rule says it."""
    found = _beside(s)
    if found is None or s.is_sampled or isnan(found.interval.low) or _surely(s, found) < _HARDLY:
        return None
    numbers = _times(s, found)
    return phrase(
        "{} is {} times that of the most popular items new to each user ({} … {}, paired over {} users).",
        "{} 是“每个用户没接触过的最热门物品”的 {} 倍（{} … {}，按 {} 个用户配对）。",
        found.measure,
        *(numbers[name] for name in ("ratio", "low", "high", "n")),
    )


def _beside(s: Ranked) -> BesidePopular | None:
    """The first measure of relevance beside what the most popular items reach in it, where train is known."""
    label = _accuracy(s)
    if not s.of_users or label is None or s.alignment is None or s.column(label) is None:
        return None
    return beside_popular(s.ev, label)


def _times(s: Ranked, found: BesidePopular) -> dict[str, Any]:
    label = found.measure
    return {
        "measure": label,
        "value": s.mean(label, digits=4),
        "popular": s.figure("popular", found.popular, label, digits=4),
        "ratio": s.figure("times popular", found.ratio, label, digits=2),
        "low": s.figure("times popular low", found.interval.low, label, digits=2),
        "high": s.figure("times popular high", found.interval.high, label, digits=2),
        "n": s.figure("n", found.n, label),
    }


_WORSE = Text("Worse than", "不如")
_BARELY = Text("Hardly better than", "几乎没有超过")


def _surely(s: Ranked, found: BesidePopular) -> float:
    """The end of the interval of the quotient that a conclusion may rest on: where all users agree, it has no width."""
    column = s.column(found.measure)
    top = column.measure.bounds[1] / found.popular if found.popular and column is not None else float("nan")
    return sure(found.interval, found.n, s.ev.confidence_level, (0.0, top)).high


@rule(
    "popularity-list",
    "ranking",
    of_everything=True,
    en=Texts(
        title="The lists are little more than what is popular",
        seen="Of the first {k} items only {unexpected}{between} are not among the {k} most popular ones new to their "
        "user; the lists of {n} users together show {coverage} of the catalogue.",
        why="Users find these items without a recommender, and what is never shown is never chosen: the next model "
        "learns from that.",
        check="Which items are shown at all, and whether relevant ones of the tail are found (--item-groups).",
        do="Weigh popular items down in training (negative sampling by popularity) or when ranking, keep places for "
        "other items, and gate coverage: --floor 'Coverage@10>=…'.",
    ),
    zh=Texts(
        title="列表基本就是热门列表",
        seen="前 {k} 个物品中，不属于该用户没接触过的 {k} 个最热门物品的只有 {unexpected}{between}；"
        "{n} 个用户的列表合起来展示了目录的 {coverage}。",
        why="这些物品不靠推荐用户也能看到；从不展示的物品不会被选择，下一个模型又从中学习。",
        check="看究竟展示了哪些物品，长尾中的相关物品能否找到（--item-groups）。",
        do="在训练中（按热度负采样）或排序时降低热门物品的权重，为其他物品留出位置，并为覆盖率设门禁："
        "--floor 'Coverage@10>=…'。",
    ),
)
def popularity_list(s: Ranked) -> Seen | None:
    measure, coverage = f"Unexpectedness@{LOOKED_AT}", f"Coverage@{LOOKED_AT}"
    c = s.column(measure)
    if c is None or not s.surely_below(measure, _POPULAR) or isnan(s.value(coverage)):
        return None
    numbers = {
        "unexpected": s.mean(measure, share, 1),
        "between": _between_shares(s, measure),
        "k": s.figure("cutoff", LOOKED_AT, measure),
        "n": s.figure("n", c.n, measure),
        "coverage": s.mean(coverage, share, 1),
    }
    holds = [s.claim("below", _POPULAR, measure)]
    return Seen("warning", numbers, importance=1 - s.value(measure), holds=holds)


def _between_shares(s: Ranked, measure: str) -> Text:
    """The interval in brackets, as shares; nothing where it is not known."""
    low, high = s.interval(measure)
    if isnan(low) or isnan(high):
        return NOTHING
    ends = (s.figure(what, end, measure, share, 1) for what, end in (("low", low), ("high", high)))
    return phrase(" ({} … {})", "（{} … {}）", *ends)


@rule(
    "same-for-everybody",
    "ranking",
    of_everything=True,
    en=Texts(
        title="Everybody is shown nearly the same",
        seen="Personalisation@{k} is {value}{between}: it is 0 where all users have one list, and 1 where no two share "
        "an item.",
        why="A recommender that knows its users shows them different things; one list for all needs none.",
        check="Whether user features reach the model at all: an id that is not found, a default for everyone, a cache "
        "that is shared.",
        do="Compare the lists of a few users whose histories differ; then train and rank on what users did, and gate "
        "it: --floor 'Personalisation@10>=…'.",
    ),
    zh=Texts(
        title="所有人看到的几乎一样",
        seen="Personalisation@{k} 为 {value}{between}：所有用户同一个列表时为 0，任意两人没有共同物品时为 1。",
        why="了解用户的推荐会给不同的人不同的内容；所有人同一个列表则不需要推荐。",
        check="确认用户特征真的进入了模型：id 是否对不上、是否都用了默认值、缓存是否被共用。",
        do="对比几个历史不同的用户的列表；再按用户行为训练和排序，并设门禁：--floor 'Personalisation@10>=…'。",
    ),
)
def same_for_everybody(s: Ranked) -> Seen | None:
    measure = f"Personalisation@{LOOKED_AT}"
    if not s.surely_below(measure, _ALIKE) or s.surely_below(f"Unexpectedness@{LOOKED_AT}", _POPULAR):
        return None  # lists of what is popular are alike: that is said already
    numbers = {
        "k": s.figure("cutoff", LOOKED_AT, measure),
        "value": s.mean(measure),
        "between": s.between(measure),
    }
    return Seen("warning", numbers, importance=1 - s.value(measure), holds=[s.claim("below", _ALIKE, measure)])


@rule(
    "known-items-shown",
    "ranking",
    en=Texts(
        title="Places are spent on what users know",
        seen="{seen}{between} of the first {k} items are ones that their user had in train, and none of the {relevant} "
        "relevant items of the test is: these places cannot hit.",
        why="The number is lower than the model is, and a user who is shown what they bought loses trust.",
        check="Whether ids of users and items are the same in train and where lists are made.",
        do="Leave out what a user had before cutting the list: seen= of Run.from_scores does so.",
    ),
    zh=Texts(
        title="有的位置给了用户已经接触过的物品",
        seen="前 {k} 个物品中有 {seen}{between} 是该用户在训练集中已有的，而测试中的 {relevant} 个相关物品没有一个是："
        "这些位置不可能命中。",
        why="指标低于模型的真实水平；给用户看他买过的东西会失去信任。",
        check="确认训练数据与生成列表处的用户和物品 id 一致。",
        do="截断列表之前先去掉用户已有的物品：Run.from_scores 的 seen= 会这样做。",
    ),
)
def known_items_shown(s: Ranked) -> Seen | None:
    measure = f"SeenItems@{LOOKED_AT}"
    if not s.of_users or not s.surely_above(measure, _SEEN) or returning(s.ev) != 0 or s.alignment is None:
        return None
    numbers = {
        "seen": s.mean(measure, share, 1),
        "between": _between_shares(s, measure),
        "k": s.figure("cutoff", LOOKED_AT, measure),
        "relevant": s.figure("count", int(s.relevant_per_query.sum()), "relevant"),
    }
    holds = [s.claim("above", _SEEN, measure)]
    return Seen("warning", numbers, s.worst_queries(measure), importance=s.value(measure), holds=holds)


@rule(
    "accuracy-for-variety",
    "comparison",
    en=Texts(
        title="More accurate, and worse in what is shown: {others}",
        seen="{measure} changed by {gain}{between}; {losses}.",
        why="Accuracy that is bought with what is popular tires users and starves the rest of the catalogue; what is "
        "never shown is never chosen, and a test on the past rewards it.",
        check="Recall by item group (--item-groups): whether the gain is in the head alone.",
        do="Decide how much of the one the other is worth, and write it down as a gate: --non-inferior {first}:…. To "
        "have both, rerank with a penalty for popularity.",
    ),
    zh=Texts(
        title="更准了，但展示变差了：{others}",
        seen="{measure} 变化 {gain}{between}；{losses}。",
        why="靠热门物品换来的准确性会让用户厌倦，也让其余物品得不到曝光；从不展示的物品不会被选择，"
        "而用过去的数据测试恰好奖励这种做法。",
        check="按物品分组看召回（--item-groups）：提升是否只在头部。",
        do="先决定两者如何取舍，并写成门禁：--non-inferior {first}:…。想两者兼得，可在重排时对热度加惩罚。",
    ),
)
def accuracy_for_variety(s: Changed) -> Seen | None:
    better = s.more_accurate
    losses = [c.measure for c in s.contrasts if s.is_trade and c.verdict == "worse"] or _less_shown(s)
    if better is None or not losses:
        return None
    others = together(Text(", ", "，"), losses)
    said = [
        phrase(
            "{} changed by {}{}, from {} to {}",
            "{} 变化 {}{}，从 {} 到 {}",
            other,
            s.changed(other),
            s.between(other),
            s.before.mean(other),
            s.after.mean(other),
        )
        for other in losses
    ]
    numbers = {
        "measure": better.measure,
        "gain": s.changed(better.measure),
        "between": s.between(better.measure),
        "others": others,
        "losses": together(Text("; ", "；"), said),
        "first": losses[0],
    }
    lost = [s.claim("verdict", "worse", c.measure) for c in s.contrasts if c.measure in losses]
    before = abs(s.before.value(losses[0])) or 1.0
    holds = [s.claim("verdict", "better", better.measure), *lost]
    return Seen("warning", numbers, importance=abs(s.difference(losses[0])[0]) / before, holds=holds)


def _less_shown(s: Changed) -> list[str]:
    """What lost a tenth or more although nobody asked for it; of sampled candidates that is chance."""
    if s.is_sampled or any(c.verdict == "worse" for c in s.contrasts):
        return []
    looked = (f"Coverage@{LOOKED_AT}", f"MIUF@{LOOKED_AT}")
    return [m for m in looked if s.contrast(m) is None and s.surely_below(m, -_LESS * s.before.value(m))][:1]
