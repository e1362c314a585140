"""Is what people need in the list at all?"""

from __future__ import annotations

from math import isnan

import numpy as np

from rankgauge._claims import Claim, claimed, phrase, together
from rankgauge._numbers import counted, share
from rankgauge._text import Text
from rankgauge.alignment import Array
from rankgauge.alignment.covered import Covered
from rankgauge.diagnosis.figures import NOTHING, figure
from rankgauge.diagnosis.online import FLAT
from rankgauge.diagnosis.rules.base import Seen, Texts, rule
from rankgauge.diagnosis.subjects import Changed, Ranked


@rule(
    "recall-low-everywhere",
    "ranking",
    of_everything=True,
    en=Texts(
        title="Most relevant items are not in the list, however long it is",
        seen="Recall is {r10} at 10 and still {deep} in whole lists, which have {k} results at the median; {never} of "
        "{relevant} relevant items are not in the list of their query.",
        why="No later stage can bring back what was never retrieved.",
        check="First that judgements and run speak of the same ids: rankgauge audit compares them. Then the index: "
        "are the "
        "items in it?",
        do="Add another way to retrieve (words beside vectors, or the reverse), index what is missing, widen filters.",
    ),
    zh=Texts(
        title="不管列表多长，大部分相关内容都不在其中",
        seen="召回率在 10 处为 {r10}，整个列表（中位长度 {k} 条）也只有 {deep}；{relevant} 个相关项中有 {never} "
        "个不在所属查询的列表里。",
        why="从未召回的内容，后面的任何阶段都救不回来。",
        check="先确认标注和结果用的是同一套 id（rankgauge audit 会比对），再确认这些内容是否在索引中。",
        do="增加一路召回（向量之外加关键词，或反之），补全索引，放宽过滤条件。",
    ),
    of_spans={
        "title": Text(
            "Most of the text that is needed is not in the list, however long it is",
            "不管列表多长，所需原文的大部分都不在其中",
        ),
        "seen": Text(
            "Whole lists, which have {k} results at the median, hold {part} of the text that is needed (SpanRecall); "
            "of {relevant} needs {found} found, {partly} there in part and {nowhere} not at all.",
            "整个列表（中位长度 {k} 条）只含所需原文的 {part}（SpanRecall）；{relevant} 个信息点中，{found}已找到，"
            "{partly}只有一部分，{nowhere}完全没有。",
        ),
        "why": Text(
            "No later stage can bring back text that is not in the list.",
            "列表里没有的原文，后面的任何阶段都救不回来。",
        ),
        "check": Text(
            "Which of the two it is: text beside the pieces in the list is missing, or whole documents are. Of the "
            "latter, whether they are in the index.",
            "看是哪一种：缺的是列表中文本块前后的原文，还是整篇文档。若是后者，确认它们是否在索引中。",
        ),
        "do": Text(
            "Where needs are there in part, retrieve longer pieces, or those beside them; where nothing of them is, "
            "add another way to retrieve (words beside vectors, or the reverse).",
            "只有一部分的，检索更长的文本块，或把相邻的文本块一并取回；完全没有的，"
            "增加一路召回（向量之外加关键词，或反之）。",
        ),
    },
)
def recall_low_everywhere(s: Ranked) -> Seen | None:
    a, counts = s.alignment, s.column("SetR")
    if a is None or counts is None or s.depth < 10 or s.of_users:  # what users did next is a part of what they like
        return None
    half = 0.5 * s.ceiling(f"R@{s.depth}")  # a list of ten cannot hold a hundred
    relevant = a.relevant(s.level) & a.by_query.spread(counts.counted)
    n, never = int(relevant.sum()), int((relevant & ~a.shown).sum())
    if not s.surely_below("SetR", half) or never <= n / 2:
        return None
    if a.gains is not None and not s.surely_below("SpanRecall", 0.5):  # of spans, much of it may be there in part
        return None
    if a.covered is not None:
        return _text_missing(s, a.covered, counts.counted)
    empty = np.flatnonzero((a.count(relevant) > 0) & (a.count(relevant & a.shown) == 0))
    numbers = {
        "r10": s.mean("R@10"),
        "deep": s.mean("SetR"),
        "k": s.figure("count", s.depth, "median_results"),
        "never": s.figure("count", never, "relevant_not_shown"),
        "relevant": s.figure("count", n, "relevant"),
    }
    evidence = [s.ev.query_ids[i] for i in empty[:5]]
    low = s.claim("below", half, "SetR")
    return Seen("critical", numbers, evidence, importance=1 - s.value("SetR"), holds=[low])


def _text_missing(s: Ranked, c: Covered, counted_queries: Array) -> Seen:
    """Of spans: how much of the text is there, and what is there of each need."""
    mine = c.by_query.spread(counted_queries)
    known = {"found": c.reached(c.reach), "nowhere": ~np.isfinite(c.first(np.nextafter(0.0, 1.0)))}
    known["partly"] = ~known["found"] & ~known["nowhere"]
    numbers = {
        "part": s.mean("SpanRecall", share, 0),
        "k": s.figure("count", s.depth, "median_results"),
        "relevant": s.figure("count", int(mine.sum()), "needs"),
    }
    for name, mask in known.items():
        n = int((mask & mine).sum())
        is_are = " is" if n == 1 else " are"
        what = claimed(f"{n:,}", "count", n, f"needs_{name}", s.name)
        numbers[name] = phrase(f"{{}}{is_are}", "{} 个", what)
    low = s.claim("below", 0.5, "SpanRecall")
    severity = "critical" if int((known["nowhere"] & mine).sum()) * 2 > int(mine.sum()) else "warning"
    return Seen(severity, numbers, s.worst_queries("SpanRecall", 5), importance=1 - s.value("SpanRecall"), holds=[low])


@rule(
    "right-but-incomplete",
    "ranking",
    of_everything=True,
    en=Texts(
        title="What comes first is right, and much of the rest is missing",
        seen="{order} is {rr}{between}, yet {found} only {recall}{rbetween}{ceiling}.",
        why="Who needs one answer is served; who needs all of them (research, candidates for a later stage) is not.",
        check="What the missing items have in common: another wording, another language, rare items (--item-groups).",
        do="Retrieve more and in another way, and keep the order of the top: a second channel shows what it adds with "
        "rankgauge channels.",
    ),
    zh=Texts(
        title="排在前面的很准，但漏掉了不少",
        seen="{order} 为 {rr}{between}，而 {found} 只有 {recall}{rbetween}{ceiling}。",
        why="只需要一个答案的用户已经满足；需要找全的（调研、比较、为后续阶段提供候选）没有满足。",
        check="看漏掉的内容有什么共同点：换一种说法、另一种语言、冷门物品（--item-groups）。",
        do="保持头部排序不变，多召回、换一种方式召回：用 rankgauge channels 看增加一路能带来多少。",
    ),
)
def right_but_incomplete(s: Ranked) -> Seen | None:
    recalls = [
        (m.cutoff, label)
        for m, label in zip(s.ev.measures, s.ev.labels, strict=True)
        if m.name == "R" and (m.cutoff or 0) >= 10
    ]
    order = next((label for m, label in zip(s.ev.measures, s.ev.labels, strict=True) if m.name == "RR"), None)
    if not recalls or order is None:  # both sides are what was asked for
        return None
    found = max(recalls)[1]
    best = s.ceiling(found)
    low = 0.5 * (1.0 if isnan(best) else best)
    if not s.surely_above(order, 0.6) or not s.surely_below(found, low):
        return None
    held = best < 0.9995
    numbers = {
        "order": order,
        "found": found,
        "rr": s.mean(order),
        "between": s.between(order),
        "recall": s.mean(found),
        "rbetween": s.between(found),
        "ceiling": phrase(" of at most {}", "（最高可达 {}）", s.figure("ceiling", best, found)) if held else NOTHING,
    }
    holds = [s.claim("above", 0.6, order), s.claim("below", low, found)]
    return Seen("note", numbers, s.worst_queries(found), importance=s.value(order) - s.value(found), holds=holds)


_THERE = 0.7  # from such a recall on relevant items are there


@rule(
    "noisy-list",
    "ranking",
    of_everything=True,
    en=Texts(
        title="The relevant items are there, among many others",
        seen="R@10 is {recall}, P@10 {precision} of at most {ceiling}; R@{enough} is already {early}.",
        why="Readers, and language models that are given these results, must find the answer among noise and pay for "
        "it.",
        check="Whether the irrelevant results share a cause: near-duplicates, wrong language, old versions.",
        do="Show or pass on {shown} instead of 10, or cut where scores fall off: what follows adds little.",
    ),
    zh=Texts(
        title="相关内容都在，但夹杂了很多无关内容",
        seen="R@10 为 {recall}，而 P@10 只有 {precision}（最高可达 {ceiling}）；R@{enough} 就已达到 {early}。",
        why="用户（以及拿到这些结果的大模型）要在噪音里找答案，并为此付出成本。",
        check="看无关结果是否有共同原因：近似重复、语言不符、旧版本。",
        do="只展示（或只传给下游）前 {shown}而不是 10 条，或在得分明显下降处截断；其后的结果带来的很少。",
    ),
)
def noisy_list(s: Ranked) -> Seen | None:
    if s.alignment is None or s.depth < 10 or s.of_users:  # what users did not take yet is no noise
        return None
    some = s.relevant_per_query[s.relevant_per_query > 0]
    best = s.ceiling("P@10")
    if not len(some) or np.median(some) < 2 or isnan(best):
        return None  # one target leaves nine of ten places to what nobody judged: precision cannot say that it is noise
    if not s.surely_above("R@10", _THERE) or not s.surely_below("P@10", 0.4):
        return None
    recall = s.value("R@10")
    enough = next((n for n in (1, 2, 3, 5) if s.value(f"R@{n}") >= 0.95 * recall), None)
    if enough is None:
        return None
    numbers = {
        "recall": s.mean("R@10"),
        "precision": s.mean("P@10"),
        "ceiling": s.figure("ceiling", best, "P@10"),
        "enough": s.figure("count", enough, "enough of R@10"),
        "shown": claimed(counted(enough, "result", "条"), "count", enough, "enough of R@10", s.name),
        "early": s.mean(f"R@{enough}"),
    }
    holds = [s.claim("above", _THERE, "R@10"), s.claim("below", 0.4, "P@10")]
    found = s.column("R@10")
    examples = [] if found is None else s.worst_queries("P@10", among=found.values >= _THERE)
    return Seen("note", numbers, examples, importance=recall - s.value("P@10"), holds=holds)


@rule(
    "single-target",
    "ranking",
    en=Texts(
        title="One relevant item per query: Recall and Hit are the same number",
        seen="Every query with a relevant item ({n}) has exactly one, so R@k = Hit@k, and AP = RR.",
        why="Showing both as if they were two results says nothing twice.",
        check="Whether more than one item would in truth be right: single targets punish good alternatives.",
        do="Keep Hit@k and RR@k, drop Recall and AP; judge more items per query before using nDCG.",
    ),
    zh=Texts(
        title="每个查询只有一个相关项：Recall 与 Hit 是同一个数",
        seen="{n} 个有相关项的查询都只有一个相关项，因此 R@k = Hit@k，AP = RR。",
        why="把同一个数当成两个结果展示，没有增加任何信息。",
        check="想一想是否真的只有一个正确答案：单一目标会冤枉同样好的结果。",
        do="保留 Hit@k 和 RR@k，去掉 Recall 和 AP；要用 nDCG，先为每个查询标注更多内容。",
    ),
    of_users={
        "title": Text(
            "One item per user is held out: Recall and Hit are the same number",
            "每个用户只留出一个物品：Recall 与 Hit 是同一个数",
        ),
        "seen": Text(
            "Every user with a relevant item ({n}) has exactly one, so R@k = Hit@k, and AP = RR.",
            "{n} 个有相关物品的用户都只有一个，因此 R@k = Hit@k，AP = RR。",
        ),
        "check": Text(
            "Whether the next item is what lists should find: leaving one out asks for nothing else.",
            "想一想列表要找的是不是“下一个物品”：留一法只问这一点。",
        ),
        "do": Text(
            "Keep Hit@k and RR@k, drop Recall and AP; hold out more of each user (rankgauge split by time) where lists "
            "should serve several interests.",
            "保留 Hit@k 和 RR@k，去掉 Recall 和 AP；如果列表要覆盖多个兴趣，为每个用户多留出一些"
            "（rankgauge split 按时间划分）。",
        ),
    },
)
def single_target(s: Ranked) -> Seen | None:
    relevant = s.relevant_per_query[s.relevant_per_query > 0]
    names = {m.name for m in s.ev.measures}
    redundant = ("R" in names and "Hit" in names) or ("AP" in names and "RR" in names)
    if not len(relevant) or relevant.max() > 1 or not redundant:
        return None
    return Seen("note", {"n": s.figure("count", len(relevant), "with_relevant")}, importance=0.2)


@rule(
    "coverage-up-order-flat",
    "comparison",
    of_everything=True,
    en=Texts(
        title="More is found, and the top does not get better",
        seen="{measure} changed by {recall}{between}, nDCG@10 by {ndcg}{nbetween}.{judged}",
        why="Unless nobody has judged what was added, three causes are usual: the ranker scores it too low (features "
        "are missing, or it is unlike what it was trained on); the ranker is trained for another goal than is "
        "judged here (clicks, not relevance); its training data hold only what used to be shown, and where (exposure "
        "and position bias).",
        check="The share of judged results first: new results that nobody judged count as wrong. Then scores: features "
        "and scores of relevant items that were added, beside those that were there before. Goals: whether training "
        "labels and these judgements agree on the same pairs. Exposure: how many of the added items training data ever "
        "showed, and at which ranks (rankgauge bias).",
        do="Judge the new results at the top; then retrain the ranker with the new candidates, on the goal that is "
        "judged, with exposure corrected for (propensities, or a little random traffic).",
    ),
    zh=Texts(
        title="找到的更多了，但头部没有变好",
        seen="{measure} 变化 {recall}{between}，nDCG@10 变化 {ndcg}{nbetween}。{judged}",
        why="除了新结果没人标注之外，常见原因有三：排序模型给它们打分偏低（特征缺失，或与训练数据分布不一致）；"
        "排序目标与评测不一致（优化点击，评测的却是相关性）；"
        "训练数据有偏差，只包含过去曝光过的内容和位置（曝光偏差、位置偏差）。",
        check="先看已标注比例：没人标注的新结果会被当成错误。"
        "再逐一检查——打分：对比新增相关结果与原有相关结果的特征和得分；"
        "目标：同样的查询-结果对，训练标签与这里的标注是否一致；"
        "曝光：新增结果在训练数据中出现过多少、排在第几位（rankgauge bias）。",
        do="先标注头部的新结果；再用新的候选、按评测的目标重新训练排序模型，并校正曝光偏差（倾向得分，或少量随机流量）。",
    ),
    of_users={
        "why": Text(
            "Three causes are usual: the ranker scores what was added too low (features are missing, or it is unlike "
            "what it was trained on); it is trained for another goal than is tested here (clicks, not purchases); its "
            "training data, and this test, hold only what used to be shown (exposure bias).",
            "常见原因有三：排序模型给新增物品打分偏低（特征缺失，或与训练数据分布不一致）；"
            "排序目标与测试不一致（优化点击，测试的却是购买）；训练数据和这份测试都只包含过去曝光过的内容（曝光偏差）。",
        ),
        "check": Text(
            "Features and scores of relevant items that were added, beside those that were there before; whether "
            "training labels are the interactions that are tested; how many of the added items users were ever shown.",
            "对比新增相关物品与原有相关物品的特征和得分；训练标签是否就是这里测试的行为；"
            "新增物品中有多少曾向用户展示过。",
        ),
        "do": Text(
            "Retrain the ranker with the new candidates, on what is tested, with exposure corrected for (propensities, "
            "or a little random traffic).",
            "用新的候选、按测试的目标重新训练排序模型，并校正曝光偏差（倾向得分，或少量随机流量）。",
        ),
    },
)
def coverage_up_order_flat(s: Changed) -> Seen | None:
    k = s.deepest("R", beyond=10)
    if k is None:
        return None
    measure = f"R@{k}"
    (recall, _), (ndcg, interval) = s.difference(measure), s.difference("nDCG@10")
    if not s.surely_above(measure, 0.005) or isnan(interval.low) or not ndcg <= recall / 4:
        return None
    if s.moves("nDCG@10") is not False and ndcg > 0:
        return None
    numbers = {
        "measure": measure,
        "recall": s.changed(measure),
        "between": s.between(measure),
        "ndcg": s.changed("nDCG@10"),
        "nbetween": s.between("nDCG@10"),
        "judged": _judged_before_and_after(s),
    }
    return Seen("warning", numbers, importance=recall)


def _judged_before_and_after(s: Changed) -> str:
    """How much of the top somebody has judged; nothing for stored evaluations, which do not say."""
    if s.of_users or any(isnan(x.value("Judged@10")) for x in (s.before, s.after)):
        return NOTHING
    return phrase(
        " Of the first ten results {} are judged, {} before.",
        "前十条中已标注的比例为 {}，之前为 {}。",
        s.after.mean("Judged@10", share, 0),
        s.before.mean("Judged@10", share, 0),
    )


@rule(
    "offline-up-online-flat",
    "comparison",
    en=Texts(
        title="Better offline, {how} online",
        seen="{measure} changed by {difference}{between}; online {online}.{missed}",
        why="Offline judgements and online behaviour measure different things until shown otherwise.",
        check="From these data:{judged} of {moved} whose {measure} differs, {unjudged} differ only by "
        "unjudged results, {ties} only by ties. Not from these data: whether judgements follow the online goal "
        "(clicks or purchases), whether both arms had the same traffic (buckets, new users, other experiments), which "
        "rules, filters, stock or prices change the list after the ranker.",
        do="Log the list that was really shown and evaluate that one; compare slices with online traffic; judge what "
        "is new.",
    ),
    zh=Texts(
        title="离线变好，线上{how}",
        seen="{measure} 变化 {difference}{between}；线上 {online}。{missed}",
        why="在证明一致之前，离线标注和线上行为衡量的是两件事。",
        check="从这些数据能看到：{judged}{measure} 有变化的 {moved}中，{unjudged} 个只来自未标注结果，"
        "{ties} 个只来自并列。"
        "从这些数据看不到：标注是否与线上目标一致（点击还是购买），两组流量是否相同（分桶、冷启动、实验混合），"
        "排序之后的重排规则、过滤、库存、价格是否改变了列表。",
        do="记录真正展示的列表并对它评测；按线上流量对比各切片；标注新出现的结果。",
    ),
    of_users={
        "why": Text(
            "What users did before was chosen from what an older system showed; online they choose from the new lists.",
            "离线数据中的用户行为来自旧系统展示过的内容；线上用户面对的是新的列表。",
        ),
        "check": Text(
            "From these data: of {moved} whose {measure} differs, {ties} differ only by ties. Not from these data: "
            "whether users were ever shown what only the new lists hold, whether what is tested is the online goal "
            "(clicks or purchases), whether both arms had the same traffic (buckets, new users, other experiments), "
            "which rules, filters, stock or prices change the list after the ranker.",
            "从这些数据能看到：{measure} 有变化的 {moved}中，{ties} 个只来自并列。"
            "从这些数据看不到：只在新列表中的物品是否曾向用户展示过，测试的行为是否就是线上目标（点击还是购买），"
            "两组流量是否相同（分桶、冷启动、实验混合），排序之后的重排规则、过滤、库存、价格是否改变了列表。",
        ),
        "do": Text(
            "Log the list that was really shown and evaluate that one; compare slices with online traffic; show a "
            "little at random, so that the next test is not chosen by one system.",
            "记录真正展示的列表并对它评测；按线上流量对比各切片；留少量随机流量，使下一份测试不由某一个系统决定。",
        ),
    },
)
def offline_up_online_flat(s: Changed) -> Seen | None:
    if not s.online or any(x.is_up or isnan(x.difference) for x in s.online):
        return None
    # the first measure decides, and all that is said is about that one
    c = next((c for c in s.contrasts if s.after.ev.column(c.measure).measure.summary == "mean"), None)
    if c is None or c.verdict != "better":
        return None
    frame = s.cmp.differences(c.measure, s.system)
    moved = frame.filter(frame["difference"] != 0)
    numbers = {
        "measure": c.measure,
        "difference": s.changed(c.measure),
        "between": s.between(c.measure),
        "how": _HOW["down" if all(x.difference <= 0 for x in s.online) else "flat"],
        "online": together(Text(", ", "，"), [x.words for x in s.online]),
        "missed": _room(s),
        "judged": _judged_after(s),
        "moved": s.counted("differing", len(moved), c.measure),
        "unjudged": s.figure("differing only by unjudged", int(moved["only_unjudged"].sum()), c.measure),
        "ties": s.figure("differing only by ties", int(moved["only_ties"].sum()), c.measure),
    }
    holds = [s.claim("verdict", "better", c.measure)]
    return Seen("warning", numbers, importance=abs(c.difference), holds=holds)


_HOW = {
    "down": Text("not better", "没有变好"),
    "flat": Text("not clearly better", "没有明显变好"),
}


def _room(s: Changed) -> Text:
    """How far what was seen online can be trusted."""
    if any(x.interval.high > 0 for x in s.online):
        return _MISSED
    guessed = next((x for x in s.online if x.difference > 0 and isnan(x.interval.low)), None)
    if guessed is None:
        return NOTHING
    return phrase(
        " Without counts nothing says what chance does: a change below {} is taken for none.",
        "没有计数就无法判断偶然的影响：低于 {} 的变化视为没有变化。",
        figure(Claim("benchmark", FLAT, guessed.name), share, 0),
    )


_MISSED = Text(
    " The interval of the online change leaves room for a gain as well: more traffic may show one.",
    "线上变化的区间也容得下提升：流量更多时可能会显现。",
)


def _judged_after(s: Changed) -> str:
    if isnan(s.after.value("Judged@10")):
        return Text(" ", "")
    judged = s.after.mean("Judged@10", share, 0)
    return phrase(" {} of the first ten results are judged;", "前十条中 {} 已标注；", judged)
