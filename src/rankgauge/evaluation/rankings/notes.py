"""What an evaluation has to say besides its numbers: counts in words, each by one writer.

Each sentence carries the counts that it states as claims. Tables, pages, findings, comparisons and the gate say these
words and no others; the codes are those of findings about the same. `RankingEvaluation.notes` has them all.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import isclose, isnan
from typing import TYPE_CHECKING, Any

from rankgauge._claims import Claim, Statement, claimed, phrase
from rankgauge._numbers import counted, is_seen, number, share
from rankgauge._text import Text, joined
from rankgauge.evaluation.counts import LONGEST, judged_key
from rankgauge.evaluation.policy_fields import fields_of

if TYPE_CHECKING:
    from rankgauge.evaluation.rankings.record import RankingEvaluation

__all__ = [
    "NOTES",
    "averaged",
    "counts_said",
    "empty_lists",
    "evaluated",
    "missing_queries",
    "nan_scores",
    "not_judged",
    "noted",
    "removed_repeats",
    "repeats",
    "tied_scores",
    "ties_matter",
    "warnings_of",
    "without_relevant",
]

_LIST = Text(", ", "、")
_LISTED = 4  # measures that a sentence names


def noted(ev: RankingEvaluation, code: str) -> list[Statement]:
    """What the counts have to say about one thing; nothing where there is nothing to say."""
    return NOTES[code](ev)


def warnings_of(ev: RankingEvaluation) -> list[Statement]:
    """What should stop a reader: queries without results, repeated results, scores that are no numbers."""
    return [text for code in _WARNINGS for text in noted(ev, code)]


def counts_said(ev: RankingEvaluation) -> list[Statement]:
    """Plain facts: queries without relevant items, ties that matter, queries that nobody judged."""
    return [text for code in NOTES if code not in _WARNINGS for text in noted(ev, code)]


def said_together(said: Mapping[str, Sequence[str]]) -> list[str]:
    """What holds for all systems once, the rest with the names of the systems that it holds for."""
    lines: dict[str, list[str]] = {}
    for name, texts in said.items():
        for text in texts:
            lines.setdefault(text, []).append(name)
    return [
        text if len(names) == len(said) else phrase("{}: {}", "{}：{}", ", ".join(names), text)
        for text, names in lines.items()
    ]


def evaluated(ev: RankingEvaluation, *, with_judged: bool = True) -> Statement:
    """How many queries the numbers are about, and how much of what they show is judged."""
    c = ev.counts
    judged: str = ""
    if with_judged:
        key = judged_key(c)
        unknown = c[key] is None or isnan(c[key])
        part = "–" if unknown else claimed(share(c[key]), "share", c[key], key, ev.run)
        judged = phrase(" · {} {}", " · {} {}", key, part)
    queries = claimed(counted(c["queries"], "query", "个查询"), "count", c["queries"], "queries", ev.run)
    means = [str(m) for m in ev.measures if m.summary == "mean"]
    counting = {ev.n(m) for m in means} if ev.policy.average == "macro" else set()
    if len(counting) != 1:  # where measures differ, their columns say it
        told = ("{} of {} evaluated{}", "共 {1}，评测了 {0} 个{2}")
        return phrase(*told, _number(ev, "evaluated"), queries, judged)
    n = counting.pop()
    told = ("{} of {} in the means{}", "共 {1}，{0} 个计入均值{2}")
    return phrase(*told, claimed(f"{n:,}", "n", n, means[0], ev.run), queries, judged)


# what should stop a reader


def missing_queries(ev: RankingEvaluation) -> Statement:
    """How many judged queries the run does not answer, none included, and what became of them."""
    told = (
        f"{{}} of {{}} {_are(ev.counts['missing'])} not in the run ({{}}; missing={{}})",
        "{1}中有 {0} 个没有结果（{2}；missing={3}）",
    )
    word = ev.policy.missing
    return phrase(*told, _number(ev, "missing"), _judged_queries(ev), _missing_became(ev), word)


def empty_lists(n: int, system: str) -> Statement:
    """How many lists of the run have nothing in them."""
    lists = claimed(counted(n, "list", "个列表"), "count", n, "empty_lists", system)
    return phrase(f"{{}} of the run {_are(n)} empty", "系统给出的 {}是空的", lists)


def nan_scores(n: int, system: str) -> Statement:
    """Scores that are NaN, and where such results stand."""
    scores = claimed(counted(n, "score", "个得分"), "count", n, "nan_scores", system)
    return phrase("{} not a number; such results rank last", "{}不是数字（NaN），这些结果排在最后", scores)


def repeats(ev: RankingEvaluation) -> Statement:
    """What became of results that show an item of their list again, and what that did to the ranks."""
    c, word = ev.counts, ev.policy.duplicates
    n, m = c["duplicates"], c.get("duplicate_queries", 0)  # evaluations stored by earlier versions have no number
    if word == "keep":
        told = (
            "{} kept in place: later results stay below them, and a repeat earns nothing "
            "(duplicates=keep; first takes them out)",
            "{}保留原位：其后的结果排名不变，重复出现不再得分（duplicates=keep；first 会将其去除）",
        )
        return phrase(*told, _repeated(n, m, ev.run))
    told = ("{} (duplicates={}; keep leaves them in their places)", "{}（duplicates={}；keep 则保留原位）")
    return phrase(*told, removed_repeats(n, m, ev.run), word)


def removed_repeats(n: int, queries: int, system: str) -> Statement:
    """Results that were taken out of lists that show them twice, and what that did to the ranks."""
    told = ("{} removed: later results moved up", "已去除 {}：其后的结果排名上移")
    return phrase(*told, _repeated(n, queries, system))


def _repeated(n: int, m: int, system: str) -> Statement:
    results = claimed(counted(n, "repeated result", "条重复结果"), "count", n, "duplicates", system)
    queries = claimed(counted(m, "query", "个查询"), "count", m, "duplicate_queries", system)
    return phrase("{}{}", "{}{}", results, phrase(" in {}", "（{}）", queries) if m else "")


# plain facts


def without_relevant(ev: RankingEvaluation, n: int, labels: Mapping[str, int] | None = None) -> Statement:
    """Queries that have nothing relevant, for all measures or for those that are named with this number."""
    c = ev.counts
    total = claimed(counted(c["queries"], "query", "个查询"), "count", c["queries"], "queries", ev.run)
    asking = [x.label for x in ev.columns if x.measure.relevance] if labels is None else []
    asking += [label for label, m in (labels or {}).items() if m == n]
    told = ("({}; no_relevant={})", "（{}；no_relevant={}）")
    rule = phrase(*told, _became_by_measure(ev, asking), ev.policy.no_relevant)
    if labels is None:
        empty = claimed(f"{n:,}", "count", n, "without_relevant", ev.run)
        told = (f"{{}} of {{}} {_have(n)} no relevant item {{}}", "{1}中有 {0} 个没有相关条目{2}")
        return phrase(*told, empty, total, rule)
    listed = _listed(asking)
    claims = [Claim("count", n, "without_relevant_by", ev.run, label) for label in asking]
    told = (
        f"{{:,}} of {{}} {_have(n)} nothing that is relevant to {{}} {{}}",
        "{1}中有 {0:,} 个没有对 {2} 而言相关的条目{3}",
    )
    return phrase(*told, n, total, listed, rule, claims=claims)


def _without_relevant(ev: RankingEvaluation) -> list[Statement]:
    """Where measures ask for different things, each number: a grade of 0.5 is a gain, and below a level of 1."""
    by = ev.counts.get("without_relevant_by")
    if by:
        return [without_relevant(ev, n, by) for n in dict.fromkeys(by.values()) if n]
    n = ev.counts["without_relevant"]
    return [without_relevant(ev, n)] if n else []


def tied_scores(ev: RankingEvaluation, label: str) -> Statement:
    """In how many queries the order of equal scores matters, and how far it can move the mean of a measure."""
    n, width = ev.counts["tied_queries"], ev.column(label).tie_width
    queries = claimed(counted(n, "query", "个查询"), "count", n, "tied_queries", ev.run)
    told = (
        f"{{}} {_have(n)} tied scores that matter to a measure; their order moves the mean of {{}} by up to {{}} "
        "(ties={})",
        "{}中并列得分的先后会影响某个指标；{} 的均值因此最多变动 {}（ties={}）",
    )
    return phrase(*told, queries, label, claimed(number(width), "tie width", width, label, ev.run), ev.policy.ties)


def _ties(ev: RankingEvaluation) -> list[Statement]:
    widest = ev.widest_tie
    seen = ev.counts["tied_queries"] and widest is not None and ties_matter(widest.tie_width)
    return [tied_scores(ev, widest.label)] if seen and widest is not None else []


def _unknown_ties(ev: RankingEvaluation) -> list[Statement]:
    """A number that was not looked for is no reason to think that it is small."""
    ties = ev.policy.ties
    unknown = [x.label for x in ev.columns if isnan(x.tie_width)] if ties != "expected" else []
    told = (
        "how far tied scores move {} is not known: too many orders (ties={})",
        "并列得分对 {} 的影响未知：可能的顺序太多（ties={}）",
    )
    return [phrase(*told, joined(_LIST, unknown), ties)] if unknown else []


def averaged(ev: RankingEvaluation, labels: Sequence[str] | None = None) -> list[Statement]:
    """Which measures a pooling average pools, where it does not pool all of them."""
    measures = {c.label: c.measure for c in ev.columns if c.measure.summary == "mean"}
    asked = {label: m for label, m in measures.items() if labels is None or label in labels}
    means = [label for label, m in asked.items() if not m.has_ratio]
    if ev.policy.average != "micro" or not means:
        return []
    pooled = [label for label in asked if label not in means]
    mean = "is the mean over queries" if len(means) == 1 else "are means over queries"
    told = (
        f"average=micro pools {{}}; {{}} {mean}, with nothing to pool",
        "average=micro 汇总了 {}；{} 没有可汇总的分子与分母，取各查询的均值",
    )
    if not pooled:
        told = (f"average=micro pools nothing here: {{1}} {mean}", "average=micro 在此无可汇总：{1} 取各查询的均值")
    return [phrase(*told, joined(_LIST, pooled), joined(_LIST, means))]


def _beyond_lists(ev: RankingEvaluation) -> list[Statement]:
    """Cutoffs that no list reaches: what stands there is no matter of k, but of how much was fetched."""
    beyond = [c.label for c in ev.columns if ev.fetched_before(c.label) is not None]
    if not beyond or ev.longest is None:
        return []
    told = (
        f"no list has more than {{}}: {{}} {'sees' if len(beyond) == 1 else 'see'} no further",
        "列表最多 {}：{} 看不到更后面",
    )
    results = claimed(counted(ev.longest, "result", "条结果"), "count", ev.longest, LONGEST, ev.run)
    return [phrase(*told, results, _listed(beyond))]


def _exhausted(ev: RankingEvaluation) -> list[Statement]:
    """Budgets that lists do not fill: what stands there is no matter of the budget, but of how much was fetched."""
    by = ev.counts.get("exhausted_by", {})
    out = []
    for n in dict.fromkeys(by.values()):
        labels = [label for label, m in by.items() if m == n]
        if not n:
            continue
        claims = [Claim("count", n, "exhausted_by", ev.run, label) for label in labels]
        told = (
            f"{{:,}} of {{}} {'has a list that ends' if n == 1 else 'have lists that end'} before the budget of {{}}, "
            "with room for another result of mean length: more budget finds nothing more there",
            "{1}中有 {0:,} 个的列表在 {2} 的预算用完前就结束，还放得下一条平均长度的结果：再大的预算也不会找到更多",
        )
        out.append(phrase(*told, n, _judged_queries(ev), _listed(labels), claims=claims))
    return out


def _unfit(ev: RankingEvaluation) -> list[Statement]:
    """Budgets into which not even the first result of a list fits: nothing of it is read, whatever it is."""
    by = ev.counts.get("unfit_by", {})
    out = []
    for n in dict.fromkeys(by.values()):
        if not n:
            continue
        labels = [label for label, m in by.items() if m == n]
        claims = [Claim("count", n, "unfit_by", ev.run, label) for label in labels]
        told = (
            f"{{:,}} of {{}} {'has a list' if n == 1 else 'have lists'} of which not even the first result fits into "
            "the budget of {}: nothing is read there",
            "{1}中有 {0:,} 个的列表连第一条结果都放不进 {2} 的预算：那里什么也没有读到",
        )
        out.append(phrase(*told, n, _judged_queries(ev), _listed(labels), claims=claims))
    return out


def _single_target(ev: RankingEvaluation) -> list[Statement]:
    """Two measures that are asked for and cannot differ."""
    counts, level = ev.counts, 1 if ev.policy.rel is None else ev.policy.rel
    found: dict[int, list[str]] = {}
    pairs = ((x, y) for x in ev.columns for y in ev.columns if y.measure.name == x.measure.same_with_one)
    for mine, twin in pairs:
        a, b = (tuple(getattr(x.measure, name) for name in ("k", "rel", "judged_only", "budget")) for x in (mine, twin))
        n = counts["queries"] - counts.get("without_relevant_by", {}).get(mine.label, counts["without_relevant"])
        alike = ev.n(mine.label) == ev.n(twin.label) and isclose(ev[mine.label], ev[twin.label], rel_tol=1e-12)
        if a == b and a[1] == level and n and n == counts.get("relevant") and alike:
            found.setdefault(n, []).append(f"{mine.label} = {twin.label}")
    out = []
    for n, names in found.items():
        each = "item each" if n > 1 else "item"
        told = (
            f"{{}} with exactly one relevant {each}: {{}}, one number under two names",
            "{}各只有一个相关条目：{}，是同一个数" if n > 1 else "{}只有一个相关条目：{}，是同一个数",
        )
        queries = claimed(counted(n, "query", "个查询"), "count", n, "with_relevant", ev.run)
        out.append(phrase(*told, queries, _listed(names)))
    return out


def not_judged(n: int, system: str) -> Statement:
    """Queries of the run that nobody judged."""
    queries = claimed(counted(n, "query", "个查询"), "count", n, "not_judged", system)
    return phrase("{} of the run without judgements, ignored", "结果中有 {}没有标注，已忽略", queries)


def ties_matter(width: float) -> bool:
    """Whether the order of tied results moves a mean by something that is seen in four digits."""
    return is_seen(width)


NOTES: dict[str, Callable[[RankingEvaluation], list[Statement]]] = {
    "missing-queries": lambda ev: [missing_queries(ev)] if ev.counts.get("missing") else [],
    "empty-lists": lambda ev: [empty_lists(n, ev.run)] if (n := ev.counts.get("empty_lists")) else [],
    "duplicates": lambda ev: [repeats(ev)] if ev.counts.get("duplicates") else [],
    "nan-scores": lambda ev: [nan_scores(n, ev.run)] if (n := ev.counts.get("nan_scores")) else [],
    "no-relevant": _without_relevant,
    "averaged": averaged,
    "beyond-lists": _beyond_lists,
    "exhausted": _exhausted,
    "unfit": _unfit,
    "single-target": _single_target,
    "ties-matter": _ties,
    "ties-unknown": _unknown_ties,
    "not-judged": lambda ev: [not_judged(n, ev.run)] if (n := ev.counts["not_judged"]) else [],
}
"""Who writes about what, in the order in which it is read."""
_WARNINGS = ("missing-queries", "empty-lists", "duplicates", "nan-scores", "unfit")


# words


def _became(ev: RankingEvaluation, name: str, word: str = "") -> str:
    """What the policy made of such queries."""
    word = word or getattr(ev.policy, name)
    if name == "no_relevant" and ev.policy.average == "micro" and word == "zero":
        return Text("pooled with the others", "与其他查询一起汇总")  # nothing over nothing adds nothing
    return fields_of(type(ev.policy))[name].became[word]


def _missing_became(ev: RankingEvaluation) -> str:
    """What became of queries without results: measures of what is shown leave them out or count them anyway."""
    by: dict[bool | None, list[str]] = {}  # None: the policy decides
    for c in ev.columns:
        counts = getattr(c.measure, "counts_all_users", None)
        if c.measure.summary != "run":
            by.setdefault(counts, []).append(c.label)
    left, counted_in = by.get(False, []), by.get(True, [])
    is_skip = ev.policy.missing == "skip"
    told: list[str] = [_became(ev, "missing")] if None in by or not by or (counted_in and not is_skip) else []
    if left and not (is_skip and told):
        told.append(phrase("left out of {}", "不计入 {}", _listed(left)))
    if counted_in and is_skip:
        told.append(phrase("counted in {}", "计入 {}", _listed(counted_in)))
    return joined(Text(", ", "，"), told)


def _became_by_measure(ev: RankingEvaluation, asking: Sequence[str]) -> str:
    """What the policy made of queries without relevant items, for each measure where it is not the same for all."""
    words: dict[str, list[str]] = {}
    for label in asking:
        words.setdefault(ev.policy.no_relevant_for(ev.column(label).measure.name), []).append(label)
    if len(words) < 2:
        return _became(ev, "no_relevant", next(iter(words), ev.policy.no_relevant_for("")))
    told = [(_became(ev, "no_relevant", word), _listed(labels)) for word, labels in words.items()]
    return joined(Text("; ", "；"), [phrase("{1}: {0}", "{1} {0}", became, labels) for became, labels in told])


def _listed(labels: Sequence[str]) -> str:
    return joined(_LIST, [*labels[:_LISTED], *(["…"] if len(labels) > _LISTED else [])])


def _number(ev: Any, key: str) -> Statement:
    return claimed(f"{ev.counts[key]:,}", "count", ev.counts[key], key, ev.run)


def _judged_queries(ev: Any) -> Statement:
    n = ev.counts["queries"]
    return claimed(counted(n, "judged query", "个已标注查询"), "count", n, "queries", ev.run)


def _are(n: int) -> str:
    return "is" if n == 1 else "are"


def _have(n: int) -> str:
    return "has" if n == 1 else "have"
