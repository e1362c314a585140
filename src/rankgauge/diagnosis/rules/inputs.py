"""Facts about the input that decide how far a number can be trusted: in the words that stand beside the numbers."""

from __future__ import annotations

import numpy as np

from rankgauge._numbers import share
from rankgauge._text import Text
from rankgauge.diagnosis.rules.base import Seen, Texts, rule
from rankgauge.diagnosis.subjects import Ranked
from rankgauge.evaluation.counts import depth_of, judged_key
from rankgauge.evaluation.rankings import notes
from rankgauge.measures.shown.base import ShownMeasure

_RUN_AGAIN = Text("Run them again.", "重新运行这些查询")
_SERVE = Text(
    "Give them a list too: who has no history can get the most popular items (rankgauge baseline).",
    "也给这些用户出列表：没有历史的用户可以推荐最热门的物品（rankgauge baseline）",
)


@rule(
    "missing-queries",
    "ranking",
    en=Texts(
        title="Queries without results",
        seen="{missing_queries}.",
        why="As empty lists they lower every mean; left out they hide failures. Tools differ in which of the two "
        "they do.",
        check="Whether the system failed on them, was never asked, or uses other ids.",
        do="{again} Until then say which way they were counted.",
    ),
    zh=Texts(
        title="有的查询没有结果",
        seen="{missing_queries}。",
        why="当作空列表会拉低所有均值，忽略则掩盖失败；不同工具的做法不同。",
        check="确认是系统失败、没有运行，还是 id 不一致。",
        do="{again}；在此之前说明它们是怎样计入的。",
    ),
)
def missing_queries(s: Ranked) -> Seen | None:
    missing = s.counts["missing"]
    if not missing:
        return None
    part = missing / s.n
    mask = None if s.ev.aligned is None else s.ev.aligned.missing
    evidence = [] if mask is None else [s.ev.query_ids[i] for i in np.flatnonzero(mask)[:5]]
    said = {"missing_queries": notes.missing_queries(s.ev), "again": _SERVE if s.of_users else _RUN_AGAIN}
    return Seen("critical" if part > 0.05 else "warning", said, evidence, importance=part)


@rule(
    "empty-lists",
    "ranking",
    en=Texts(
        title="Queries that were asked and found nothing",
        seen="{empty_lists}.",
        why="An empty list counts 0 in every mean: a failed call or too strict a filter looks like bad ranking.",
        check="Whether the search failed or timed out for them, a filter left nothing, or nothing matches their words.",
        do="Mend the call or relax the filter; where nothing matches, add a way to find something (fewer words, "
        "vectors).",
    ),
    zh=Texts(
        title="有的查询运行了但没有返回结果",
        seen="{empty_lists}。",
        why="空列表在所有均值中都计 0：调用失败或过滤过严，看起来就像排序不好。",
        check="确认是检索失败或超时、被过滤掉了，还是词面上没有匹配。",
        do="修复调用或放宽过滤；确实没有匹配时，增加兜底的召回方式（减少查询词、向量召回）。",
    ),
)
def empty_lists(s: Ranked) -> Seen | None:
    empty = s.counts.get("empty_lists", 0)  # earlier versions did not count them
    if not empty:
        return None
    ids: list[str] = []
    if s.ev.aligned is not None:
        a = s.ev.aligned
        ids = [s.ev.query_ids[i] for i in np.flatnonzero((a.alignment.retrieved == 0) & ~a.missing)[:5]]
    part = empty / s.n
    said = {"empty_lists": notes.empty_lists(empty, s.name)}
    return Seen("critical" if part > 0.05 else "warning", said, ids, importance=part)


@rule(
    "no-relevant",
    "ranking",
    en=Texts(
        title="Queries for which nothing relevant is judged",
        seen="{queries_without_relevant}.",
        why="No system can succeed on them; counted as 0 they lower the mean, left out they change what it is a mean "
        "of.",
        check="Whether the answer does not exist, or was not found when judging.",
        do="Judge them again, or keep them as a test of saying nothing; leave them out of ranking measures.",
    ),
    zh=Texts(
        title="有的查询没有任何相关标注",
        seen="{queries_without_relevant}。",
        why="任何系统都不可能在上面得分；计 0 会拉低均值，忽略则改变均值的含义。",
        check="确认是答案本来不存在，还是标注时没有找到。",
        do="重新标注，或用来测试系统能否不答；排序指标中应排除。",
    ),
)
def no_relevant(s: Ranked) -> Seen | None:
    if s.of_users:  # who liked nothing of the test says nothing of the lists, and nobody can judge it again
        return None
    if s.ev.aligned is None and s.level == 1:
        without, empty = np.zeros(0, dtype=np.int64), s.counts["without_relevant"]
    elif s.alignment is not None:
        without = np.flatnonzero(s.relevant_per_query == 0)
        empty = len(without)
    else:
        return None  # stored counts are of items with any grade above 0
    if not empty or empty / s.n < 0.02:
        return None
    ids = [s.ev.query_ids[i] for i in without[:5]]
    said = {"queries_without_relevant": notes.without_relevant(s.ev, empty)}
    return Seen("warning" if empty / s.n > 0.1 else "note", said, ids, importance=empty / s.n)


_WRONG = Text("they count as wrong", "它们被当成错误")
_REMOVED = Text("they were taken out of the lists", "它们已从列表中去掉")


@rule(
    "unjudged-share",
    "ranking",
    en=Texts(
        title="Too much of the top is not judged",
        seen="{unjudged} of the first {k} results have no judgement; {counted}.",
        why="A system that finds what nobody looked at is measured by the rest, and set back against one whose results "
        "were judged.",
        check="The lists of a few queries: are the unjudged results really wrong?",
        do="Judge the top {k} of this run, or show the number beside unjudged='{other}'; compare only systems judged "
        "alike.",
    ),
    zh=Texts(
        title="前排结果中未标注比例过高",
        seen="前 {k} 条结果中有 {unjudged} 没有标注，{counted}。",
        why="系统找到了没人看过的内容，却只按其余部分衡量；与结果已被标注的系统相比会吃亏。",
        check="抽几个查询看看：未标注的结果真的不对吗？",
        do="标注这次结果的前 {k} 条，或同时给出 unjudged='{other}' 的数字；只比较标注程度相同的系统。",
    ),
)
def unjudged_share(s: Ranked) -> Seen | None:
    # where only right answers are written down, all others are unjudged by design: the share is 1 - P@k once more
    if s.has_only_positives is not False:
        return None
    key = judged_key(s.counts)
    judged = s.counts.get(key)
    if judged is None or judged >= 0.8:
        return None
    k, removed = depth_of(key), s.ev.policy.unjudged == "remove"
    numbers = {
        "unjudged": s.figure("share", 1 - judged, f"unjudged@{k}", share, 0),
        "k": s.figure("cutoff", k, key),
        "counted": _REMOVED if removed else _WRONG,
        "other": "irrelevant" if removed else "remove",
    }
    severity = "critical" if judged < 0.5 else "warning"
    if s.relevant_part is not None and s.relevant_part >= 0.8:
        severity = "note"  # mostly right answers were written down
    return Seen(severity, numbers, importance=1 - judged)


_ALONE = Text(
    " (with measures of relevance alone: those of what is shown need one order)",
    "（只能与相关性指标一起用：展示类指标需要一个确定的顺序）",
)


@rule(
    "ties-matter",
    "ranking",
    en=Texts(
        title="Equal scores decide part of the result",
        seen="{tied_scores}.",
        why="Another tool, or the same one tomorrow, may break ties the other way and report another number.",
        check="Where ties come from: rounded scores, a constant for missing features, truncated floats.",
        do="Write scores with more digits, or report ties='expected', which depends on no order{alone}.",
    ),
    zh=Texts(
        title="并列结果的先后影响了数字",
        seen="{tied_scores}。",
        why="换一个工具，或者明天再跑一次，并列的处理可能不同，数字也就不同。",
        check="弄清并列从哪里来：得分取整、缺失特征给了常数、浮点截断。",
        do="输出更多位小数，或使用 ties='expected'，它与先后无关{alone}。",
    ),
)
def ties_matter(s: Ranked) -> Seen | None:
    widest = s.ev.widest_tie
    if widest is None or not widest.tie_width >= 0.01:
        return None
    tied: list[int] = np.flatnonzero(widest.tie_queries)[:5].tolist() if s.ev.has_queries else []
    ids = [s.ev.query_ids[i] for i in tied]
    refuses = any(isinstance(m, ShownMeasure) for m in s.ev.measures)
    said = {"tied_scores": notes.tied_scores(s.ev, widest.label), "alone": _ALONE if refuses else ""}
    return Seen("warning", said, ids, importance=widest.tie_width)


@rule(
    "duplicates",
    "ranking",
    en=Texts(
        title="Items are shown more than once",
        seen="{repeated_results}.",
        why="Repeats take places from other results, and tools that do not drop them count a hit twice.",
        check="Whether chunks, variants or several sources share one id.",
        do="Merge them before ranking.",
    ),
    zh=Texts(
        title="同一内容重复出现",
        seen="{repeated_results}。",
        why="重复占用了别的结果的位置；不去重的工具会把一次命中算两次。",
        check="看是否多个片段、变体或来源共用了一个 id。",
        do="排序之前先合并。",
    ),
)
def duplicates(s: Ranked) -> Seen | None:
    n = s.counts["duplicates"]
    if not n:
        return None
    keeps = s.ev.policy.duplicates == "keep"
    part = n / max(s.counts["results"] + (0 if keeps else n), 1)  # kept ones are among the results
    return Seen("warning" if part > 0.01 else "note", {"repeated_results": notes.repeats(s.ev)}, importance=part)
