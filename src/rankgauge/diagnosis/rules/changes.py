"""Did the change do what it should?"""

from __future__ import annotations

from collections.abc import Sequence
from math import isnan
from typing import Any

from rankgauge._claims import Claim, phrase, together
from rankgauge._text import Text
from rankgauge.comparison.contrast import Contrast
from rankgauge.comparison.depths import DepthGap, at_the_depth_of_both, ending
from rankgauge.comparison.judging import could_be_undone, unjudged_tops
from rankgauge.diagnosis.figures import NOTHING, figure
from rankgauge.diagnosis.rules.base import Seen, Texts, rule
from rankgauge.diagnosis.subjects import Changed
from rankgauge.measures.spans.base import SpanMeasure


@rule(
    "worse-than-baseline",
    "comparison",
    en=Texts(
        title="{system} is worse than {baseline} in {measures}",
        seen="{list}.{unjudged}",
        why="The difference is larger than chance explains, corrected for all comparisons made.",
        check="The queries that lost most, and whether the new results are judged as completely as the old.",
        do="{first}{look}",
    ),
    zh=Texts(
        title="{system} 的 {measures} 比 {baseline} 差",
        seen="{list}。{unjudged}",
        why="差异超出了偶然的范围，并已按全部比较做了校正。",
        check="看下降最多的查询，以及新结果的标注是否与旧结果同样完整。",
        do="{first}{look}",
    ),
    of_users={
        "check": Text(
            "The users that lost most, and whose lists these interactions come from: what one system showed could be "
            "chosen, what only the other one shows could not.",
            "看下降最多的用户，以及这些行为来自谁的列表：一个系统展示过的才可能被选择，只有另一个系统展示的则不可能。",
        )
    },
    of_spans={
        "check": Text(
            "The queries that lost most, and whether pieces have become longer or shorter.",
            "看下降最多的查询，以及文本块是否变长或变短。",
        )
    },
)
def worse_than_baseline(s: Changed) -> Seen | None:
    by_depth = {gap.measure for gap in _losses_of_depth(s)}
    worse = [c for c in s.contrasts if c.verdict == "worse" and c.measure not in by_depth]
    if s.is_trade:  # accuracy-for-variety says it
        return None
    if worse and all(could_be_undone(s.cmp, c) for c in worse):  # nothing is decided yet
        undone = phrase(" {}", "{}", unjudged_tops(s.cmp, worse[0]))
        return _worse(s, worse, "warning", unjudged=undone, first=_JUDGE_FIRST)
    if worse and all(_is_text_around(s, c.measure) for c in worse) and _finds_more(s):
        return _worse(s, worse, "note", unjudged=NOTHING, first=_MORE_TEXT)
    return _worse(s, worse, "critical", unjudged=NOTHING, first=_DO_NOT_RELEASE)


def _is_text_around(s: Changed, measure: str) -> bool:
    """Whether it says how little text stands around the gold: larger pieces lose in it whatever they find."""
    m = s.after.ev.column(measure).measure
    return isinstance(m, SpanMeasure) and m.side == "purity"


def _finds_more(s: Changed) -> bool:
    """Whether surely more of the gold is retrieved, or sooner."""
    better = [s.after.ev.column(c.measure).measure for c in s.contrasts if c.verdict == "better"]
    return any(m.side == "coverage" or m.by_gain for m in better)


_DO_NOT_RELEASE = Text("Do not release it as it is.", "不要就这样发布。")
_MORE_TEXT = Text(
    "More of the gold is retrieved, or sooner, with more text around it, as larger pieces do: decide at an equal "
    "budget of context (rg.sweep), not by precision.",
    "检索到的相关内容更多或更靠前，周围的文本也更多，较大的切分就是如此："
    "应在相同的上下文预算下决定（rg.sweep），而不是看精确率。",
)
_JUDGE_FIRST = Text(
    "Judge the first results of both before you decide: do not release it until then.",
    "先标注两者排在前面的结果，再作决定；在此之前不要发布。",
)


def _worse(s: Changed, worse: Sequence[Contrast], severity: str, **more: Any) -> Seen | None:
    """What was lost, and in which queries most."""
    if not worse:
        return None
    said = [
        phrase(
            "{} {} → {}{}",
            "{} {} → {}{}",
            c.measure,
            figure(Claim("mean", c.mean_baseline, c.measure, c.baseline, c.system)),
            figure(Claim("mean", c.mean, c.measure, c.system, c.baseline)),
            s.between(c.measure),
        )
        for c in worse
    ]
    of_queries = [c.measure for c in worse if c.measure in s.cmp.query_measures and not s.is_of_shown(c.measure)][:1]
    ids = [q for measure in of_queries for q in s.cmp.moved(measure, s.system, 3)[1]["query_id"]]
    numbers = {
        "system": s.system,
        "baseline": s.cmp.baseline,
        "measures": ", ".join(c.measure for c in worse),
        "list": together(Text("; ", "；"), said),
        "look": _look(s, of_queries[0], ids[0]) if ids else NOTHING,
        **more,
    }
    holds = [s.claim("verdict", "worse", c.measure) for c in worse]
    return Seen(severity, numbers, ids, importance=max(abs(c.difference) for c in worse), holds=holds)


def _look(s: Changed, measure: str, query: str) -> Text:
    """How to see a query that lost, in the measure in which it did."""
    if not all(ev.can_be_read_again for ev in (s.before.ev, s.after.ev)):
        return Text(f" Look at a lost query first: {query}.", f"先细看一条下降的查询：{query}。")
    command = f"rankgauge compare … -m {measure} --query {query}"
    return Text(f" Look at one lost query with: {command}.", f"用 {command} 细看一条下降的查询。")


@rule(
    "lists-end-early",
    "comparison",
    en=Texts(
        title="{system} loses in {measures}, where its lists end first",
        seen="{list}. {ending}. Both cut at {depth}: {alike}.",
        why="A list of ten cannot hold what another shows at rank fifty: the depth may decide here, not the order.",
        check="How many results the next stage, or the reader, really takes.",
        do="Compare both at depth={depth} and decide by that; or give {system} as many results, if they are needed.",
    ),
    zh=Texts(
        title="{system} 的 {measures} 下降，但它的列表先结束",
        seen="{list}。{ending}。都截至第 {depth} 位时：{alike}。",
        why="十条的列表装不下别人排在第五十位的内容：这里起作用的可能是深度，而不是排序。",
        check="确认下一阶段（或用户）实际取多少条。",
        do="用 depth={depth} 在同一深度比较并据此决定；如果确实需要更多结果，让 {system} 返回同样多。",
    ),
)
def lists_end_early(s: Changed) -> Seen | None:
    gaps = _losses_of_depth(s)
    if not gaps:
        return None
    worse = [c for c in s.contrasts if c.measure in {gap.measure for gap in gaps}]
    return _worse(
        s,
        worse,
        "warning",
        ending=ending(gaps),
        depth=s.after.figure("count", gaps[0].depth, "longest_list"),
        alike=together(", ", map(at_the_depth_of_both, gaps)),
    )


def _losses_of_depth(s: Changed) -> list[DepthGap]:
    """Measures in which a system is worse only because its lists end first: not surely so where both are cut alike."""
    lost = {c.measure for c in s.contrasts if c.verdict == "worse"}
    return [
        gap
        for gap in s.cmp.depths
        if (gap.system, gap.shallow) == (s.system, s.system) and gap.measure in lost and not _is_worse_alike(s, gap)
    ]


def _is_worse_alike(s: Changed, gap: DepthGap) -> bool:
    """Whether a system is surely worse where lists end alike; where that is not known, whether it seems so."""
    way = s.after.ev.column(gap.measure).measure.direction
    low, high = gap.interval
    if isnan(low) or low == high:
        return way * (gap.mean - gap.mean_baseline) < 0
    return high < 0 if way > 0 else low > 0


@rule(
    "not-settled",
    "comparison",
    en=Texts(
        title="Too few queries to say whether {system} is better in {measure}",
        seen="{measure} changed by {difference}{between} over {n}; {detectable}.",
        why="Neither a gain nor a loss of this size can be told from chance.",
        check="Whether a difference of this size would matter at all: if not, state a margin.",
        do="Add about {more}, or decide by cost: the numbers do not.",
    ),
    zh=Texts(
        title="查询太少，无法判断 {system} 的 {measure} 是否更好",
        seen="{measure} 变化 {difference}{between}，共 {n}；{detectable}。",
        why="这样大小的提升或下降，与偶然无法区分。",
        check="先想清楚这样大小的差异是否重要：如果不重要，设定一个等价界限。",
        do="再增加约 {more}，或按成本决定：数字给不出答案。",
    ),
)
def not_settled(s: Changed) -> Seen | None:
    c = next(iter(s.contrasts), None)
    if c is None or c.verdict != "inconclusive" or not c.more or c.more < c.n / 4:
        return None
    if any(
        x.verdict == "worse" for x in s.contrasts
    ):  # then there is an answer, and more queries are not the next step
        return None
    numbers = {
        "system": s.system,
        "measure": c.measure,
        "difference": s.changed(c.measure),
        "between": s.between(c.measure),
        "n": s.counted("n", c.n, c.measure),
        "detectable": _detectable(s, c),
        "more": s.counted("more", c.more, c.measure),
    }
    return Seen("note", numbers, importance=0.3)


def _detectable(s: Changed, c: Contrast) -> str:
    """From which difference on these queries find one, where the measure can differ by so much."""
    low, high = s.after.ev.column(c.measure).measure.bounds
    if not c.detectable < high - low:
        return Text("so few find no difference, however large", "查询太少，再大的差异也发现不了")
    least = s.figure("detectable", c.detectable, c.measure)
    return phrase("these find differences from {} on", "这些查询能发现的最小差异约为 {}", least)
