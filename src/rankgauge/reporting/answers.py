"""Answers beside what was retrieved for them, as sections: cells, who is at fault, what retrieval does, examples."""

from __future__ import annotations

from dataclasses import dataclass
from math import isnan

from rankgauge._claims import Claim, Statement
from rankgauge._numbers import short, signed
from rankgauge._show import cut
from rankgauge._text import Text
from rankgauge.evaluation.rankings.answers import (
    NEARLY,
    AnswerLevel,
    Answers,
    AnswerShare,
    said_of_missed,
    said_of_retrieved,
)
from rankgauge.reporting.grid import Cell, Grid, Section, ranged, share
from rankgauge.reporting.suspicions import doubts, sections_of_suspicions
from rankgauge.reporting.words import claimed, counted, interval_of, phrase, together

__all__ = ["LEVEL_NAMES", "Words", "headline", "ranged_shares", "sections_of_answers", "words_of"]

LEVEL_NAMES = {
    "none": Text("none", "无"),
    "below half": Text("below half", "不足一半"),
    "half or more": Text("half or more", "一半以上"),
    "all": Text("all", "全部"),
}
_MOST = 5
_WIDE = 70  # characters of a question or an answer


@dataclass(frozen=True, kw_only=True)
class Words:
    """How answers with and without what counts as retrieved are spoken of."""

    cells: dict[str, str]
    """The name of each cell."""
    retrieved: str
    """Names a column: what counts as retrieved was."""
    missed: str
    was: str
    """… for so many."""
    where: str
    """Where … so many are right."""
    had: str
    """So many wrong answers …"""
    lacked: str
    wrong: dict[str, str]
    """Wrong answers of the cell, as what others are counted among."""


_ANY = Words(
    cells={
        "fine": Text("right, gold retrieved", "答对，检索到相关内容"),
        "lucky": Text("right without gold (lucky)", "答对，但未检索到（侥幸）"),
        "generation": Text("wrong despite gold (generation at fault)", "检索到却答错（生成问题）"),
        "retrieval": Text("wrong without gold (retrieval at fault)", "未检索到，答错（检索问题）"),
    },
    retrieved=Text("gold retrieved", "检索到"),
    missed=Text("gold not retrieved", "未检索到"),
    was=Text("gold was retrieved", "检索到了相关内容"),
    where=Text("gold is retrieved", "检索到"),
    had=Text("had their gold", "已检索到相关内容"),
    lacked=Text("had no gold retrieved", "没有检索到相关内容"),
    wrong={
        "generation": Text("wrong answers with gold", "检索到却答错的答案"),
        "retrieval": Text("wrong answers without gold", "未检索到而答错的答案"),
    },
)
_ALL = Words(
    cells={
        "fine": Text("right, all gold retrieved", "答对，检索到全部相关内容"),
        "lucky": Text("right without all of the gold", "答对，但未检索到全部相关内容"),
        "generation": Text("wrong despite all of the gold (generation at fault)", "检索到全部却答错（生成问题）"),
        "retrieval": Text("wrong without all of the gold (retrieval at fault)", "未检索到全部，答错（检索问题）"),
    },
    retrieved=Text("all gold retrieved", "检索到全部"),
    missed=Text("not all gold retrieved", "未检索到全部"),
    was=Text("all of the gold was retrieved", "检索到了全部相关内容"),
    where=Text("all of the gold is retrieved", "检索到全部"),
    had=Text("had all of their gold", "已检索到全部相关内容"),
    lacked=Text("had not all of their gold retrieved", "没有检索到全部相关内容"),
    wrong={
        "generation": Text("wrong answers with all of their gold", "检索到全部却答错的答案"),
        "retrieval": Text("wrong answers without all of their gold", "未检索到全部而答错的答案"),
    },
)


_WHOLE = Words(
    cells={
        "fine": Text("right, a whole passage of gold retrieved", "答对，完整检索到至少一处原文"),
        "lucky": Text("right without a whole passage (lucky)", "答对，但没有完整检索到（侥幸）"),
        "generation": Text("wrong despite a whole passage (generation at fault)", "完整检索到却答错（生成问题）"),
        "retrieval": Text("wrong without a whole passage (retrieval at fault)", "没有完整检索到，答错（检索问题）"),
    },
    retrieved=Text("a whole passage retrieved", "完整检索到"),
    missed=Text("no whole passage retrieved", "没有完整检索到"),
    was=Text("a whole passage of gold was retrieved", "完整检索到至少一处原文"),
    where=Text("a whole passage is retrieved", "完整检索到"),
    had=Text("had a whole passage of their gold", "已完整检索到至少一处原文"),
    lacked=Text("had no whole passage of their gold retrieved", "没有完整检索到任何一处原文"),
    wrong={
        "generation": Text("wrong answers with a whole passage", "完整检索到却答错的答案"),
        "retrieval": Text("wrong answers without a whole passage", "没有完整检索到而答错的答案"),
    },
)
"""Of spans: parts of a passage are no gold there."""


def _measured(found: Answers) -> Words:
    met, missed = said_of_retrieved(found), said_of_missed(found)

    return Words(
        cells={
            "fine": phrase("right, {}", "答对，{}", met),
            "lucky": phrase("right with {}", "答对，但 {}", missed),
            "generation": phrase("wrong despite {} (generation at fault)", "{}却答错（生成问题）", met),
            "retrieval": phrase("wrong with {} (retrieval at fault)", "{}，答错（检索问题）", missed),
        },
        retrieved=met,
        missed=missed,
        was=phrase("{} holds", "满足 {}", met),
        where=phrase("{} holds", "{} ", met),
        had=phrase("had {}", "的 {}", met),
        lacked=phrase("had {}", "的 {}", missed),
        wrong={
            "generation": phrase("wrong answers with {}", "{}却答错的答案", met),
            "retrieval": phrase("wrong answers with {}", "{}而答错的答案", missed),
        },
    )


def words_of(found: Answers) -> Words:
    """The words for what counts as retrieved here, none of which says more than was seen."""
    return {"any": _ANY, "whole": _WHOLE, "all": _ALL}.get(found.asks_for) or _measured(found)


def sections_of_answers(found: Answers, digits: int = 1, examples: int = _MOST) -> list[Section]:
    tone = {"retrieval": "bad", "generation": "bad", "none": "good"}.get(found.fault, "open")
    out = [
        *sections_of_suspicions(found.suspicions),
        Section(headline(found), tone=tone),
        _cells(found, digits),
        _by_retrieval(found, digits),
    ]
    if found.levels:
        out.append(_levels(found, digits))
    return [*out, *([_examples(found, examples)] if examples else [])]


# sentences


def headline(found: Answers) -> Statement:
    """How many answers are right, where the wrong ones come from, and what retrieval does to them."""
    right = _claimed_share(found, found.accuracy, "answers right")
    gold = _claimed_share(found, found.retrieved, "answers retrieved")
    n = claimed(counted(found.n, "answer", "个答案"), "count", found.n, "answers", found.run)
    told = ("Of {} {} are right; {} for {}.", "{0}中 {1} 正确；{3} {2}。")
    first = phrase(*told, n, right, words_of(found).was, gold)
    return together(Text(" ", ""), [first, _fault(found), *_partly(found), *_nearly(found), _lift(found)])


def _claimed_share(found: Answers, x: AnswerShare, what: str) -> Statement:
    return claimed(share(x.value), "share", x.value, what, found.run)


def _between(found: Answers, x: AnswerShare, what: str) -> Statement:
    """The limits of a share, claimed."""
    ends = (("share low", x.interval.low), ("share high", x.interval.high))
    return phrase("{} … {}", "{} … {}", *(claimed(share(v), word, v, what, found.run) for word, v in ends))


def _fault(found: Answers) -> Statement:
    wrong = found.wrong_without_gold
    verdict = [Claim("fault", found.fault, "", found.run)]
    words = words_of(found)
    if found.fault == "none":
        return phrase("No answer is wrong.", "没有答错的。", claims=verdict)
    n = claimed(counted(wrong.of, "wrong answer", "个错误答案"), "count", wrong.of, "answers wrong", found.run)
    if found.fault == "generation":
        with_gold = AnswerShare(
            n=wrong.of - wrong.n,
            of=wrong.of,
            value=1 - wrong.value,
            interval=type(wrong.interval)(1 - wrong.interval.high, 1 - wrong.interval.low),
        )
        what = "wrong with gold"
        told = ("Of {} {} {} ({}): improve generation first.", "{}中 {} {}（{}）：应先改进生成。")
        part, had = with_gold, words.had
    else:
        told = ("Of {} {} {} ({}): improve retrieval first.", "{}中 {} {}（{}）：应先改进检索。")
        part, had, what = wrong, words.lacked, "wrong without gold"
    if found.fault == "unclear":
        told = (
            "Of {} {} {} ({}): whether retrieval or generation is more often at fault cannot be told.",
            "{}中 {} {}（{}）：检索与生成哪个问题更多，尚无法判断。",
        )
    return phrase(*told, n, _claimed_share(found, part, what), had, _between(found, part, what), claims=verdict)


def _partly(found: Answers) -> list[Statement]:
    """How many wrong answers had part of their gold: neither cell says so by itself."""
    told = (
        "Of {} {} {} had part of their gold retrieved, and not all of it.",
        "{} 个{}中，{} 个只检索到一部分相关内容。",
    )
    return [
        phrase(
            *told,
            claimed(f"{found[cell].n:,}", "count", found[cell].n, f"{cell} at fault", found.run),
            words,
            claimed(f"{n:,}", "count", n, f"{cell} at fault partly", found.run),
        )
        for cell, words in words_of(found).wrong.items()
        if (n := found.partly(cell))
    ]


def _nearly(found: Answers) -> list[Statement]:
    """How many lack a little only, and how the limit is moved: it decides about them."""
    if not found.nearly:
        return []
    n, of = found.nearly, found.retrieved.of - found.retrieved.n
    told = (
        "Of {} without what counts as retrieved {} nearly all of their gold ({} {} or more): the limit decides about "
        "{}, and `at_least` moves it.",
        "{}未达到“检索到”的标准，其中 {}已检索到几乎全部原文（{} 不低于 {}）：如何划线决定了它们的归属，"
        "可用 `at_least` 调整。",
    )
    return [
        phrase(
            *told,
            claimed(counted(of, "answer", "个答案"), "count", of, "answers not retrieved", found.run),
            phrase("{} has" if n == 1 else "{} have", "{} 个", claimed(f"{n:,}", "count", n, "nearly", found.run)),
            found.recall_measure,
            claimed(short(NEARLY), "given", NEARLY, "nearly"),
            Text("it" if n == 1 else "them", ""),
        )
    ]


def _lift(found: Answers) -> Statement:
    with_it, without = found.if_retrieved, found.if_not
    if not with_it.of or not without.of:
        told = (
            ("For all of them {}: what retrieval does to answers cannot be seen.", "全部{}：无从看出检索对答案的作用。")
            if with_it.of
            else (
                "For none of them {}: what retrieval does to answers cannot be seen.",
                "没有一个{}：无从看出检索对答案的作用。",
            )
        )
        return phrase(*told, words_of(found).was)
    low, high = found.lift_interval
    numbers = (
        words_of(found).where,
        _claimed_share(found, with_it, "right if retrieved"),
        _claimed_share(found, without, "right if not"),
        *(
            claimed(signed(100 * v, 1), word, 100 * v, "", found.run)
            for word, v in (("lift", found.lift), ("lift low", low), ("lift high", high))
        ),
    )
    told = (
        "Where {} {} are right, where not {}: a difference of {} points ({} … {}).",
        "{}时 {} 正确，否则 {}：相差 {} 个百分点（{} … {}）。",
    )
    if low <= 0 <= high:
        told = (
            "Where {} {} are right, where not {}: a difference of {} points ({} … {}), which may be chance.",
            "{}时 {} 正确，否则 {}：相差 {} 个百分点（{} … {}），可能出于偶然。",
        )
    return phrase(*told, *numbers)


# tables


def ranged_shares(x: AnswerShare, digits: int = 1) -> str:
    """The limits of a share in percent."""
    low, high = x.interval
    return "" if isnan(low) else f"{share(low, digits)} … {share(high, digits)}"


def _cells(found: Answers, digits: int) -> Section:
    header: list[str] = [
        Text("answers", "答案"),
        Text("queries", "查询数"),
        Text("share", "占比"),
        interval_of(found.confidence_level),
    ]
    tones = {"retrieval": "bad", "generation": "bad", "fine": "good", "lucky": ""}
    rows = [
        [
            Cell(name, tone=tones[cell]),
            Cell(f"{x.n:,}"),
            Cell(share(x.value, digits)),
            Cell(ranged_shares(x, digits), quiet=True),
        ]
        for cell, name in words_of(found).cells.items()
        if (x := found[cell])
    ]
    rel = said_of_retrieved(found)
    notes: list[str] = [
        phrase("counts as retrieved: {}; limits of shares are exact", "算作检索到：{}；占比的置信区间是精确的", rel),
        *([_threshold(found.threshold)] if found.threshold is not None else []),
        *found.notes,
    ]
    return Section(
        phrase("{} on {}: answers and gold", "{}，{}：答案与检索", found.run, found.qrels),
        Grid(header, rows),
        notes=notes,
        warnings=doubts(found.suspicions),
    )


def _threshold(least: float) -> Text:
    limit = short(least)
    return Text(f"an answer is right from a grade of {limit} on", f"得分不低于 {limit} 算答对")


def _shares(name: str, x: AnswerShare, digits: int) -> list[Cell]:
    return [
        Cell(name),
        Cell(f"{x.of:,}", quiet=True),
        Cell(share(x.value, digits)),
        Cell(ranged_shares(x, digits), quiet=True),
    ]


def _by_retrieval(found: Answers, digits: int) -> Section:
    words = words_of(found)
    header: list[str] = [
        Text("what was retrieved", "检索结果"),
        Text("queries", "查询数"),
        Text("right", "答对率"),
        interval_of(found.confidence_level),
    ]
    rows = [
        _shares(words.retrieved, found.if_retrieved, digits),
        _shares(words.missed, found.if_not, digits),
    ]
    low, high = found.lift_interval
    if not isnan(low):
        ends = ranged(100 * low, 100 * high, digits, sign=True)
        rows.append(
            [
                Cell(Text("difference, in points", "差值（百分点）")),
                Cell(""),
                Cell(signed(100 * found.lift, digits), strong=not low <= 0 <= high),
                Cell(ends, quiet=True),
            ]
        )
    note = Text(
        "queries whose gold is not found may be harder in themselves: the difference is not all the work of retrieval",
        "没有检索到的查询本身可能更难：差值并不全是检索的作用",
    )
    return Section(Text("Right answers by what was retrieved", "不同检索结果下的答对率"), Grid(header, rows), [note])


def _levels(found: Answers, digits: int) -> Section:
    header: list[str] = [
        phrase("{}: share of gold", "{}：检索到的比例", found.recall_measure),
        Text("queries", "查询数"),
        Text("right", "答对率"),
        interval_of(found.confidence_level),
    ]

    def row(x: AnswerLevel) -> list[Cell]:
        return _shares(LEVEL_NAMES[x.level], x.right, digits)

    return Section(Text("Right answers by recall", "不同召回率下的答对率"), Grid(header, [*map(row, found.levels)]))


def _examples(found: Answers, most: int) -> Section:
    has_words = bool(found.questions or found.texts)
    header: list[str] = [Text("answers", "答案"), Text("query", "查询")]
    header += [name for name, told in _columns(found) if told]
    rows = [
        [
            Cell(words_of(found).cells[cell] if i == 0 else ""),
            Cell(cut(query, _WIDE)),
            *(Cell(cut(told.get(query, ""), _WIDE), quiet=True) for _, told in _columns(found) if told),
        ]
        for cell in ("retrieval", "generation", "lucky", "fine")
        for i, query in enumerate(found.examples(cell, most))
    ]
    text = frozenset(range(len(header)))
    return Section(Text("Examples", "示例"), Grid(header, rows, text), folded=not has_words and found.n > 4 * most)


def _columns(found: Answers) -> tuple[tuple[str, dict[str, str]], ...]:
    return (
        (Text("question", "问题"), dict(found.questions)),
        (Text("answer", "回答"), dict(found.texts)),
    )
