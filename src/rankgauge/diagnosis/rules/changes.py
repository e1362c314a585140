"""Did the change do what it should?"""

from __future__ import annotations

from rankgauge._claims import Claim, phrase, together
from rankgauge._text import Text
from rankgauge.comparison.contrast import Contrast
from rankgauge.diagnosis.figures import figure
from rankgauge.diagnosis.rules.base import Seen, Texts, rule
from rankgauge.diagnosis.subjects import Changed


@rule(
    "worse-than-baseline",
    "comparison",
    en=Texts(
        title="{system} is worse than {baseline} in {measures}",
        seen="{list}.",
        why="The difference is larger than chance explains, corrected for all comparisons made.",
        check="The queries that lost most, and whether the new results are judged as completely as the old.",
        do="Do not release it as it is. Look at one lost query with: rankgauge compare … --query {query}.",
    ),
    zh=Texts(
        title="{system} 的 {measures} 比 {baseline} 差",
        seen="{list}。",
        why="差异超出了偶然的范围，并已按全部比较做了校正。",
        check="看下降最多的查询，以及新结果的标注是否与旧结果同样完整。",
        do="不要就这样发布。用 rankgauge compare … --query {query} 细看一条下降的查询。",
    ),
)
def worse_than_baseline(s: Changed) -> Seen | None:
    worse = [c for c in s.contrasts if c.verdict == "worse"]
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
    _, lost = s.cmp.moved(worse[0].measure, s.system, 3)
    ids = lost["query_id"].to_list()
    numbers = {
        "system": s.system,
        "baseline": s.cmp.baseline,
        "measures": ", ".join(c.measure for c in worse),
        "list": together(Text("; ", "；"), said),
        "query": ids[0] if ids else "…",
    }
    holds = [s.claim("verdict", "worse", c.measure) for c in worse]
    return Seen("critical", numbers, ids, importance=max(abs(c.difference) for c in worse), holds=holds)


@rule(
    "not-settled",
    "comparison",
    en=Texts(
        title="Too few queries to say whether {system} is better in {measure}",
        seen="{measure} changed by {difference}{between} over {n} queries; {detectable}.",
        why="Neither a gain nor a loss of this size can be told from chance.",
        check="Whether a difference of this size would matter at all: if not, state a margin.",
        do="Add about {more} queries, or decide by cost: the numbers do not.",
    ),
    zh=Texts(
        title="查询太少，无法判断 {system} 的 {measure} 是否更好",
        seen="{measure} 变化 {difference}{between}，共 {n} 个查询；{detectable}。",
        why="这样大小的提升或下降，与偶然无法区分。",
        check="先想清楚这样大小的差异是否重要：如果不重要，设定一个等价界限。",
        do="再增加约 {more} 个查询，或按成本决定：数字给不出答案。",
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
        "n": s.figure("n", c.n, c.measure),
        "detectable": _detectable(s, c),
        "more": s.figure("more", c.more, c.measure),
    }
    return Seen("note", numbers, importance=0.3)


def _detectable(s: Changed, c: Contrast) -> str:
    """From which difference on these queries find one, where the measure can differ by so much."""
    low, high = s.after.ev.column(c.measure).measure.bounds
    if not c.detectable < high - low:
        return Text("so few find no difference, however large", "查询太少，再大的差异也发现不了")
    least = s.figure("detectable", c.detectable, c.measure)
    return phrase("these find differences from {} on", "这些查询能发现的最小差异约为 {}", least)
