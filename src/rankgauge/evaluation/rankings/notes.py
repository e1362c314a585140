"""What an evaluation has to say besides its numbers: counts in words, the ones that should stop a reader first.

Each sentence carries the counts that it states as claims. `RankingEvaluation.notes` has them all; tables, pages and
the gate print them.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import isnan
from typing import TYPE_CHECKING, Any

from rankgauge._claims import Claim, Statement

if TYPE_CHECKING:
    from rankgauge.evaluation.rankings.record import RankingEvaluation

__all__ = ["evaluated", "facts_of", "not_judged", "not_numbers", "repeats_of", "ties_matter", "warnings_of"]

_LISTED = 4  # measures that a sentence names
_MISSING = {"zero": ("counted as empty lists", "按空列表计"), "skip": ("left out", "不计入"), "error": ("", "")}
_NO_RELEVANT = {
    "skip": ("left out", "不计入"),
    "zero": ("counted as 0", "计为 0"),
    "one": ("counted as 1", "计为 1"),
    "nan": ("undefined", "无定义"),
}


def evaluated(ev: RankingEvaluation, *, with_judged: bool = True) -> Statement:
    """How many queries the numbers are about, and how much of what they show is judged."""
    c = ev.counts
    judged = ""
    claims = [Claim("count", c[name], name, ev.run) for name in ("evaluated", "queries")]
    if with_judged:
        key = next(k for k in c if k.startswith("judged@"))
        unknown = c[key] is None or isnan(c[key])
        judged = f" · {key} " + ("–" if unknown else f"{100 * c[key]:.1f}%")
        claims += [] if unknown else [Claim("share", c[key], key, ev.run)]
    queries = _count(c["queries"], "query", "queries")
    return Statement(
        f"{c['evaluated']:,} of {queries} evaluated{judged}",
        f"已评估 {c['evaluated']:,} / {c['queries']:,} 个查询{judged}",
        claims,
    )


def warnings_of(ev: RankingEvaluation) -> list[Statement]:
    """What should stop a reader: queries without results, repeated results, scores that are no numbers."""
    c, p = ev.counts, ev.policy
    out = []
    if n := c.get("missing"):
        en, zh = _MISSING[p.missing]
        queries = _count(n, "judged query", "judged queries")
        said = f"{queries} not in the run ({en}; missing={p.missing})"
        out.append(_said(ev, said, f"{n:,} 个已标注查询没有结果（{zh}；missing={p.missing}）", "missing"))
    if n := c.get("empty_lists"):
        said = f"{_count(n, 'list of the run is', 'lists of the run are')} empty"
        out.append(_said(ev, said, f"系统给出的列表有 {n:,} 个是空的", "empty_lists"))
    if c.get("duplicates"):
        out.append(repeats_of(ev))
    if c.get("nan_scores"):
        out.append(not_numbers(ev))
    return out


def not_numbers(ev: RankingEvaluation) -> Statement:
    """Scores that are NaN, and where such results stand."""
    n = ev.counts["nan_scores"]
    said = f"{_count(n, 'score', 'scores')} not a number; such results rank last"
    return _said(ev, said, f"{n:,} 个得分不是数字（NaN），这些结果排在最后", "nan_scores")


def repeats_of(ev: RankingEvaluation) -> Statement:
    """What became of results that show an item of their list again, and what that did to the ranks."""
    c, word = ev.counts, ev.policy.duplicates
    n, m = c["duplicates"], c.get("duplicate_queries", 0)  # evaluations stored by earlier versions have no number
    where = f" in {_count(m, 'query', 'queries')}" if m else ""
    where_zh = f"（{m:,} 个查询）" if m else ""
    counts = ("duplicates", "duplicate_queries") if m else ("duplicates",)
    results = _count(n, "repeated result", "repeated results")
    if word == "keep":
        return _said(
            ev,
            f"{results}{where} kept in place: later results stay below them, and a repeat earns nothing "
            "(duplicates=keep; first takes them out)",
            f"{n:,} 条重复结果{where_zh}保留原位：其后的结果名次不变，重复出现不再得分"
            "（duplicates=keep；first 会将其去除）",
            *counts,
        )
    return _said(
        ev,
        f"{results}{where} removed: later results moved up (duplicates={word}; keep leaves them in their places)",
        f"已去除 {n:,} 条重复结果{where_zh}：其后的结果名次上移（duplicates={word}；keep 则保留原位）",
        *counts,
    )


def facts_of(ev: RankingEvaluation) -> list[Statement]:
    """Plain facts: queries without relevant items, ties that matter, queries that nobody judged."""
    c, p = ev.counts, ev.policy
    out = []
    if by := c.get("without_relevant_by"):
        out += _without_relevant_by(ev, by)
    elif n := c["without_relevant"]:
        en, zh = _NO_RELEVANT[p.no_relevant]
        said = f"{_count(n, 'query', 'queries')} without a relevant item ({en}; no_relevant={p.no_relevant})"
        said_zh = f"{n:,} 个查询没有相关条目（{zh}；no_relevant={p.no_relevant}）"
        out.append(_said(ev, said, said_zh, "without_relevant"))
    widest = ev.widest_tie
    if (n := c["tied_queries"]) and widest is not None and ties_matter(widest.tie_width):
        width = f"{widest.tie_width:.4f}"
        said = (
            f"tied scores matter in {_count(n, 'query', 'queries')}, most for {widest.label}: "
            f"their order moves its mean by up to {width} (ties={p.ties})"
        )
        said_zh = f"并列得分影响 {n:,} 个查询，对 {widest.label} 影响最大：其均值最多变动 {width}（ties={p.ties}）"
        claims = [
            Claim("count", n, "tied_queries", ev.run),
            Claim("tie width", widest.tie_width, widest.label, ev.run),
        ]
        out.append(Statement(said, said_zh, claims))
    # a number that was not looked for is no reason to think that it is small
    unknown = [x.label for x in ev.columns if isnan(x.tie_width)] if p.ties != "expected" else []
    if unknown:
        labels = ", ".join(unknown)
        said = f"how far tied scores move {labels} is not known: too many orders (ties={p.ties})"
        out.append(Statement(said, f"并列得分对 {labels} 的影响未知：可能的顺序太多（ties={p.ties}）", []))
    return [*out, *not_judged(ev)]


def not_judged(ev: RankingEvaluation) -> list[Statement]:
    """Queries of the run that nobody judged, if there are any."""
    if not (n := ev.counts["not_judged"]):
        return []
    said = f"{_count(n, 'query', 'queries')} of the run without judgements, ignored"
    return [_said(ev, said, f"系统中有 {n:,} 个查询没有标注，已忽略", "not_judged")]


def _without_relevant_by(ev: RankingEvaluation, by: Mapping[str, int]) -> list[Statement]:
    """The same where measures ask for different things: a grade of 0.5 is a gain, and below a level of 1."""
    word = ev.policy.no_relevant
    en, zh = _NO_RELEVANT[word]
    out = []
    for n in dict.fromkeys(by.values()):
        labels = [label for label, m in by.items() if m == n]
        if n:
            listed = ", ".join(labels[:_LISTED]) + (", …" if len(labels) > _LISTED else "")
            queries = _count(n, "query", "queries")
            said = f"{queries} without anything that is relevant to {listed} ({en}; no_relevant={word})"
            said_zh = f"{n:,} 个查询没有对 {listed} 而言相关的条目（{zh}；no_relevant={word}）"
            claims = [Claim("count", n, "without_relevant_by", ev.run, label) for label in labels]
            out.append(Statement(said, said_zh, claims))
    return out


def ties_matter(width: float) -> bool:
    """Whether the order of tied results moves a mean by something that is seen in four digits."""
    return float(f"{width:.4f}") > 0


def _count(n: int, one: str, many: str) -> str:
    return f"{n:,} {one if n == 1 else many}"


def _said(ev: Any, en: str, zh: str, *counts: str) -> Statement:
    return Statement(en, zh, [Claim("count", ev.counts[name], name, ev.run) for name in counts])
