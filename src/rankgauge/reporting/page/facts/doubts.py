"""What could undo an answer about rankings: too few queries, depths, judgements, ties, repairs of the input."""

from __future__ import annotations

from collections.abc import Mapping
from math import isnan

from rankgauge._claims import Claim, Statement, claimed, of_system, phrase, together
from rankgauge._numbers import counted, number, share, signed
from rankgauge._text import Text
from rankgauge.comparison.depths import by_ending, ending
from rankgauge.evaluation.counts import depth_of, judged_key
from rankgauge.evaluation.rankings.notes import noted, tied_scores, ties_matter
from rankgauge.evaluation.rankings.record import RankingEvaluation
from rankgauge.evaluation.rankings.suspicion import errors_of
from rankgauge.evaluation.rankings.too_long import said_of_too_long
from rankgauge.reporting.page.fact import Fact, doubt_or_fine
from rankgauge.reporting.page.facts.of_models import doubts_of_classes, doubts_of_funnel, doubts_of_models, is_settled
from rankgauge.reporting.page.story import Story
from rankgauge.reporting.words import about, listed

__all__ = ["doubts_of"]

_FEW_QUERIES = 25
_MANY_UNJUDGED = 0.2
_HALF = 0.5
"""Share of failed calls from which on the numbers say more of failures than of lists."""
_UNEVEN = 0.1
"""Difference of unjudged shares from which on the judgements favour some systems."""
_SEEN = 0.0001
"""The least that four digits show."""
_LIST = Text(", ", "，")


def doubts_of(story: Story) -> list[Fact]:
    if story.rankings:
        stops = errors_of(story.suspicions, story.accepted)
        warned = [doubt_or_fine(False, s.code, s.statement) for s in story.suspicions if s not in stops]
        unsure = [] if story.gate is None else [doubt_or_fine(False, "not-certain", t) for t in story.gate.doubts]
        judged = [*_queries(story), *_depths(story), *_unjudged(story), *_ties(story), *_repairs(story)]
        return [*_failures(story), *warned, *_too_long(story), *unsure, *judged]
    if story.models:
        return doubts_of_models(story)
    if story.classes:
        return doubts_of_classes(story)
    return [] if story.funnel is None else doubts_of_funnel(story.funnel)


def _noted(story: Story, code: str, *, ok: bool) -> list[Fact]:
    """What the counts of runs say of something, in the words of their tables; runs that say the same say it once."""
    said: dict[str, dict[str, Statement]] = {}
    for name, ev in story.rankings.items():
        for text in noted(ev, code):
            said.setdefault(text, {})[name] = of_system(text, name)
    return [doubt_or_fine(ok, code, _of_all(texts)) for texts in said.values()]


def _of_all(texts: Mapping[str, Statement]) -> Statement:
    """One text of several runs, with what it claims of each."""
    first, *others = texts.values()
    return about(listed(texts), Statement(first.en, first.zh, [c for t in (first, *others) for c in t.claims]))


def _failures(story: Story) -> list[Fact]:
    """Calls of retrievers that gave nothing: the numbers are those of failures as much as of what was found."""
    told = {name: (c.failed, c.failures / len(c.query_ids)) for name, c in story.asked.items() if c.failures}
    return [Fact("doubt", "failures", text, "bad" if part >= _HALF else "same") for text, part in told.values() if text]


def _too_long(story: Story) -> list[Fact]:
    """Why a measure leads that was not named first: of the others most cannot say anything here."""
    by: dict[Text, list[str]] = {}
    for name, ev in story.rankings.items():
        if (said := said_of_too_long(ev, story.measure)) is not None:
            by.setdefault(said, []).append(name)
    return [doubt_or_fine(False, "too-long", about(listed(names), said)) for said, names in by.items()]


def _queries(story: Story) -> list[Fact]:
    label, leader = story.measure, story.rankings[story.leader]
    n, total = leader.n(label), leader.counts["queries"]
    few = n < _FEW_QUERIES and not is_settled(story)
    told = (
        "{} of {} count in {}" + (": few for a firm answer" if few else ""),
        "{1}中有 {0} 个计入 {2}" + ("：偏少，结论不牢" if few else ""),
    )
    judged = claimed(counted(total, "judged query", "个有标注的查询"), "count", total, "queries", story.leader)
    text = phrase(*told, claimed(f"{n:,}", "n", n, label, story.leader), judged, label)
    out = [doubt_or_fine(not few, "queries", text)]
    missing = _noted(story, "missing-queries", ok=False)
    if not missing:
        none = [Claim("count", 0, "missing", name) for name in story.rankings]
        every = Statement("Every judged query is in every run", "所有有标注的查询在各结果中都有", none)
        missing = [doubt_or_fine(True, "missing-queries", every)]
    out += [*missing, *_noted(story, "not-judged", ok=True)]
    # what is judged is the same for all
    empty = noted(leader, "no-relevant")
    return [*out, *(doubt_or_fine(True, "no-relevant", of_system(text, story.leader)) for text in empty)]


def _depths(story: Story) -> list[Fact]:
    """Lists of one system that end where those of another go on; the notes of the comparison have the numbers."""
    gaps = () if story.comparison is None else story.comparison.depths
    return [doubt_or_fine(False, "depth", ending(found)) for found in by_ending(gaps)]


_RIGHT = Text(
    "Only relevant items are judged; all others count as not relevant", "只标注了相关条目，其余一律按不相关计"
)
_SPANS = Text(
    "Gold is parts of documents; all other text counts as not needed", "标准答案是文档中的片段，其余文字一律按不需要计"
)
_USERS_DID = Text(
    "Judgements are what users did; every other item counts as wrong", "标注是用户的行为；其余物品一律按错误计"
)


def _unjudged(story: Story) -> list[Fact]:
    leader = story.rankings[story.leader]
    if _is_of_spans(leader):
        return [doubt_or_fine(True, "unjudged-share", _SPANS)]
    if story.only_positives:
        # then all other results are unjudged by design, which casts no doubt
        right = _USERS_DID if leader.of_users else _RIGHT
        return [doubt_or_fine(True, "unjudged-share", right)]
    key = judged_key(leader.counts)
    depth = depth_of(key)
    shares = {n: 1 - ev.counts[key] for n, ev in story.rankings.items() if ev.counts.get(key) is not None}
    out = []
    if shares:
        said = together(
            _LIST,
            [phrase("{} {}", "{} {}", n, claimed(share(v), "share", v, f"un{key}", n)) for n, v in shares.items()],
        )
        uneven = max(shares.values()) - min(shares.values()) > _UNEVEN
        told = (
            "Unjudged among the first {}: {}" + (": not judged alike" if uneven else ""),
            "前 {} 位中未标注的比例：{}" + ("：各系统标注程度不一" if uneven else ""),
        )
        ok = max(shares.values()) <= _MANY_UNJUDGED and not uneven
        text = phrase(*told, claimed(str(depth), "cutoff", depth, f"un{key}"), said)
        out.append(doubt_or_fine(ok, "unjudged-share", text))
    return [*out, *_if_judged(story)]


def _is_of_spans(ev: RankingEvaluation) -> bool:
    """Whether gold is spans, where no result is unjudged; stored evaluations have their counts only."""
    return ev.counts[judged_key(ev.counts)] is None if ev.aligned is None else ev.aligned.is_of_spans


def _if_judged(story: Story) -> list[Fact]:
    """Whether judging everything could change who wins."""
    c, winner = story.comparison, story.winner
    if c is None or winner is None or isnan(winner.low):
        return []
    names = (story.measure, story.leader, c.baseline)
    ends = (("if judged low", winner.low), ("if judged high", winner.high))
    bounds = phrase("{} … {}", "{} … {}", *(claimed(signed(v, 3), what, v, *names) for what, v in ends))
    told = (
        f"Judging them {'could' if winner.could_change else 'cannot'} change who wins (difference {{}})",
        f"补标后{'可能' if winner.could_change else '不会'}改变胜负（差异 {{}}）",
    )
    return [doubt_or_fine(not winner.could_change, "if-judged", phrase(*told, bounds))]


def _ties(story: Story) -> list[Fact]:
    """How far the order of equal scores moves the headline, where it moves it most."""
    label, leader = story.measure, story.rankings[story.leader]
    if leader.policy.ties == "expected" or leader.policy.average != "macro":
        return []  # no order matters, or by other amounts
    if _is_of_spans(leader):
        return []  # scores of pieces are not kept, and what another order of equal ones would do is not known
    widths = {n: ev.column(label).tie_width for n, ev in story.rankings.items() if label in ev and ev.n(label)}
    known = {n: width for n, width in widths.items() if not isnan(width)}
    if not known or (len(known) < len(widths) and not ties_matter(max(known.values()))):
        return []
    widest = max(known, key=lambda n: known[n])
    if not ties_matter(known[widest]):
        claims = [Claim("tie width", width, label, name) for name, width in known.items()]
        told = ("The order of tied scores does not matter for {}", "并列得分的顺序不影响 {}")
        least: tuple[str, ...] = ()
        if known[widest]:
            told = ("The order of tied scores moves {} by less than {}", "并列得分的顺序对 {} 的影响小于 {}")
            least = (claimed(number(_SEEN), "benchmark", _SEEN, label),)
        return [doubt_or_fine(True, "ties-matter", phrase(*told, label, *least, claims=claims))]
    c = story.comparison
    half = (leader.interval(label).high - leader.interval(label).low) / 2
    limit = half if c is None else abs(c[label, story.leader].difference)
    doubted = any(s.code == "tied-scores" for s in story.suspicions)
    ok = not isnan(limit) and known[widest] < limit / 2 and not doubted
    text = of_system(tied_scores(story.rankings[widest], label), widest)
    return [doubt_or_fine(ok, "ties-matter", about(widest, text))]


def _repairs(story: Story) -> list[Fact]:
    return [f for code in ("duplicates", "nan-scores", "unfit", "exhausted") for f in _noted(story, code, ok=False)]
