"""Is what people need in the list at all?"""

from __future__ import annotations

from math import isnan

import numpy as np

from rankgauge.diagnosis.rules.base import Seen, Texts, rule
from rankgauge.diagnosis.subjects import Changed, Ranked


@rule(
    "recall-low-everywhere",
    "ranking",
    en=Texts(
        title="Most relevant items are not in the list, however long it is",
        seen="Recall is {r10} at 10 and still {deep} at {k}; {never} of {relevant} relevant items are not in the "
        "list of their query.",
        why="No later stage can bring back what was never retrieved.",
        check="First that judgements and run speak of the same ids: rankgauge audit compares them. Then the index: "
        "are the "
        "items in it?",
        do="Add another way to retrieve (words beside vectors, or the reverse), index what is missing, widen filters.",
    ),
    zh=Texts(
        title="不管列表多长，大部分相关内容都不在其中",
        seen="召回率在 10 处为 {r10}，在 {k} 处仍只有 {deep}；{relevant} 个相关项中有 {never} 个不在所属查询的列表里。",
        why="从未召回的内容，后面的任何阶段都救不回来。",
        check="先确认标注和结果用的是同一套 id（rankgauge audit 会比对），再确认这些内容是否在索引中。",
        do="增加一路召回（向量之外加关键词，或反之），补全索引，放宽过滤条件。",
    ),
)
def recall_low_everywhere(s: Ranked) -> Seen | None:
    a = s.alignment
    if a is None or s.depth < 10:
        return None
    k = s.depth
    deep = s.value(f"R@{k}")
    if isnan(deep) or s.interval(f"R@{k}").high >= 0.5 * s.attainable(f"R@{k}"):
        return None
    relevant = a.relevant(1)
    never = int((relevant & ~a.shown).sum())
    empty = np.flatnonzero((s.relevant_per_query > 0) & (a.count(relevant & a.shown) == 0))
    numbers = {
        "r10": f"{s.value('R@10'):.3f}",
        "deep": f"{deep:.3f}",
        "k": k,
        "never": f"{never:,}",
        "relevant": f"{int(relevant.sum()):,}",
    }
    return Seen("critical", numbers, [s.ev.query_ids[i] for i in empty[:5]], importance=1 - deep)


@rule(
    "noisy-list",
    "ranking",
    en=Texts(
        title="The relevant items are there, among many others",
        seen="Recall@{k} is {recall}, precision@{k} {precision}; the first {enough} results already hold {part} of "
        "what the "
        "{k} hold.",
        why="Readers, and language models that are given these results, must find the answer among noise and pay for "
        "it.",
        check="Whether the irrelevant results share a cause: near-duplicates, wrong language, old versions.",
        do="Show or pass on {enough} results instead of {k}, or cut where scores fall off: fewer serve better here.",
    ),
    zh=Texts(
        title="相关内容都在，但夹杂了很多无关内容",
        seen="召回率@{k} 为 {recall}，而精确率@{k} 只有 {precision}；前 {enough} 条已包含前 {k} 条中 {part} "
        "的相关内容。",
        why="用户（以及拿到这些结果的大模型）要在噪音里找答案，并为此付出成本。",
        check="看无关结果是否有共同原因：近似重复、语言不符、旧版本。",
        do="只展示（或只传给下游）前 {enough} 条而不是 {k} 条，或在分数明显下降处截断；这里少给一些反而更好。",
    ),
)
def noisy_list(s: Ranked) -> Seen | None:
    k = 10
    if s.alignment is None or s.depth < k:
        return None
    some = s.relevant_per_query[s.relevant_per_query > 0]
    feeds_a_model = s.scenario is not None and s.scenario.name in ("faq", "document_qa", "enterprise")
    if not len(some) or (np.median(some) < 2 and not feeds_a_model):
        return None  # one target among alternatives that nobody judged: a list of ten is no noise for a reader
    recall, precision = s.value(f"R@{k}"), s.value(f"P@{k}")
    if isnan(recall) or s.interval(f"R@{k}").low < 0.7 or s.interval(f"P@{k}").high >= 0.4:
        return None
    enough = next((n for n in (1, 2, 3, 5) if s.value(f"R@{n}") >= 0.95 * recall), None)
    if enough is None:
        return None
    numbers = {
        "k": k,
        "recall": f"{recall:.3f}",
        "precision": f"{precision:.3f}",
        "enough": enough,
        "part": f"{100 * s.value(f'R@{enough}') / recall:.0f}%",
    }
    return Seen("note", numbers, s.worst_queries(f"P@{k}"), importance=recall - precision)


@rule(
    "single-target",
    "ranking",
    en=Texts(
        title="One relevant item per query: Recall and Hit are the same number",
        seen="Each of the {n} queries has exactly one relevant item, so R@k = Hit@k, and AP = RR.",
        why="Showing both as if they were two results says nothing twice.",
        check="Whether more than one item would in truth be right: single targets punish good alternatives.",
        do="Keep Hit@k and RR@k, drop Recall and AP; judge more items per query before using nDCG.",
    ),
    zh=Texts(
        title="每个查询只有一个相关项：Recall 与 Hit 是同一个数",
        seen="{n} 个查询都只有一个相关项，因此 R@k = Hit@k，AP = RR。",
        why="把同一个数当成两个结果展示，没有增加任何信息。",
        check="想一想是否真的只有一个正确答案：单一目标会冤枉同样好的结果。",
        do="保留 Hit@k 和 RR@k，去掉 Recall 和 AP；要用 nDCG，先为每个查询标注更多内容。",
    ),
)
def single_target(s: Ranked) -> Seen | None:
    relevant = s.relevant_per_query[s.relevant_per_query > 0]
    names = {m.name for m in s.ev.measures}
    redundant = ("R" in names and "Hit" in names) or ("AP" in names and "RR" in names)
    if not len(relevant) or relevant.max() > 1 or not redundant:
        return None
    return Seen("note", {"n": f"{len(relevant):,}"}, importance=0.2)


@rule(
    "coverage-up-order-flat",
    "comparison",
    en=Texts(
        title="More is found, and the top does not get better",
        seen="R@{k} changed by {recall} ({low} … {high}), nDCG@10 by {ndcg} ({nlow} … {nhigh}). "
        "Of the first ten results {judged_new} are judged, {judged_old} before.",
        why="What was added is scored too low to be seen, or it is seen and nobody has judged it.",
        check="The share of judged results first: new results that nobody judged count as wrong.",
        do="Judge the new results at the top; then retrain the ranker with the new candidates, whose features it has "
        "not "
        "seen.",
    ),
    zh=Texts(
        title="找到的更多了，但头部没有变好",
        seen="R@{k} 变化 {recall}（{low} … {high}），nDCG@10 变化 {ndcg}（{nlow} … {nhigh}）。"
        "前十条中已标注的比例为 {judged_new}，之前为 {judged_old}。",
        why="新补充的内容要么打分偏低看不到，要么看到了却没人标注。",
        check="先看已标注比例：没人标注的新结果会被当成错误。",
        do="先标注头部的新结果；再用新的候选重新训练排序模型，它没见过这些特征。",
    ),
)
def coverage_up_order_flat(s: Changed) -> Seen | None:
    k = min(max(s.before.depth, s.after.depth), 100)
    if k <= 10:
        return None
    (recall, interval), (ndcg, n) = s.difference(f"R@{k}"), s.difference("nDCG@10")
    if isnan(recall) or isnan(ndcg) or interval.low <= 0.005 or n.low > 0 or ndcg > recall / 4:
        return None
    judged = [x.value("Judged@10") for x in (s.before, s.after)]
    numbers = {
        "k": k,
        "recall": f"{recall:+.3f}",
        "low": f"{interval.low:+.3f}",
        "high": f"{interval.high:+.3f}",
        "ndcg": f"{ndcg:+.3f}",
        "nlow": f"{n.low:+.3f}",
        "nhigh": f"{n.high:+.3f}",
        "judged_old": f"{100 * judged[0]:.0f}%",
        "judged_new": f"{100 * judged[1]:.0f}%",
    }
    return Seen("warning", numbers, importance=recall)


@rule(
    "offline-up-online-flat",
    "comparison",
    en=Texts(
        title="Better offline, the same online",
        seen="nDCG@10 changed by {ndcg} ({low} … {high}); online {online}.",
        why="Offline judgements and online behaviour measure different things until shown otherwise.",
        check="From these data: {judged}% of the first ten results are judged; {unjudged} of the differences come "
        "only from "
        "unjudged results, {ties} only from ties. Not from these data: whether judgements follow the online goal "
        "(clicks or purchases), whether both arms had the same traffic, which rules reorder results after the ranker.",
        do="Log the list that was really shown and evaluate that one; compare slices with online traffic; judge what "
        "is new.",
    ),
    zh=Texts(
        title="离线变好，线上没变",
        seen="nDCG@10 变化 {ndcg}（{low} … {high}）；线上 {online}。",
        why="在证明一致之前，离线标注和线上行为衡量的是两件事。",
        check="从这些数据能看到：前十条中 {judged}% 已标注；{unjudged} 个差异只来自未标注结果，{ties} 个只来自同分。"
        "从这些数据看不到：标注是否与线上目标一致（点击还是购买），两组流量是否相同，排序之后还有哪些规则改变了列表。",
        do="记录真正展示的列表并对它评测；按线上流量对比各分群；标注新出现的结果。",
    ),
)
def offline_up_online_flat(s: Changed) -> Seen | None:
    if not s.online or any(v > 0 for v in s.online.values()):
        return None
    ndcg, interval = s.difference("nDCG@10")
    if isnan(ndcg) or interval.low <= 0:
        return None
    measure = next(
        (m for m in s.cmp.measures if s.cmp.evaluations[s.cmp.baseline].column(m).measure.summary == "mean"), ""
    )
    frame = s.cmp.differences(measure, s.system)
    moved = frame.filter(frame["difference"] != 0)
    numbers = {
        "ndcg": f"{ndcg:+.3f}",
        "low": f"{interval.low:+.3f}",
        "high": f"{interval.high:+.3f}",
        "online": ", ".join(f"{k} {v:+g}" for k, v in s.online.items()),
        "judged": f"{100 * s.after.value('Judged@10'):.0f}",
        "unjudged": int(moved["only_unjudged"].sum()),
        "ties": int(moved["only_ties"].sum()),
    }
    return Seen("warning", numbers, importance=ndcg)
