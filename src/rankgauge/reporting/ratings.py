"""Ratings as sections: each number in a word with what to do, then the figures that it is held to."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from math import isnan

from rankgauge._claims import Claim, Statement
from rankgauge._numbers import short
from rankgauge._text import Text, joined
from rankgauge.diagnosis.rating import FULL, Rating
from rankgauge.diagnosis.ratings import AskedFigure, Rated, Ratings
from rankgauge.reporting.grid import Cell, Grid, Section, number, ranged
from rankgauge.reporting.suspicions import sections_of_suspicions
from rankgauge.reporting.words import MEASURE, VALUE, about, claimed, in_units, interval_of, phrase

__all__ = ["PLAIN_VALUE", "bands_from", "rated_in_words", "sections_of_ratings"]

_RATING = Text("rating", "评级")
_ADVICE = Text("what to do", "建议")
_RUN = Text("run", "系统")
_TONES = {"poor": "bad", "good": "good", "excellent": "good", "reversed": "bad"}
_ANSWERS = {
    "reached": Text("reached", "达到"),
    "missed": Text("missed", "未达到"),
    "open": Text("not settled", "无法判定"),
    "beyond": Text("out of reach", "无法达到"),
}
PLAIN_VALUE = Text(
    "The rating is that of the value itself; value / highest reachable is rated beside it where that gives another "
    "word.",
    "评级针对数值本身；若“数值 / 可达上限”落在另一档，则一并给出。",
)
_CAREFUL = Text(
    "A rating is a first look: what can be reached depends on k, on how many items are relevant and on the task.",
    "评级只是初步印象：能达到多少取决于 k、相关条目数和任务本身。",
)
_SETTLED = Text(
    "reached, missed: the whole interval is on that side of the figure; not settled: it is not, is not known, or a few "
    "queries all have the same value; out of reach: no list of these judgements could.",
    "达到、未达到：整个置信区间都在该数值的一侧；无法判定：区间跨过该数值、区间未知，或寥寥几个查询的数值都相同；"
    "无法达到：按这些标注，任何列表都达不到。",
)
_ALIKE = Text(
    "All queries have the same value, so the interval has no width and is no evidence by itself: what so many equal "
    "values leave open about other queries decides.",
    "所有查询的数值都相同，区间没有宽度，本身不能作为依据：以这么多相同的数值对其他查询留下的余地来判定。",
)


def _listed(texts: Iterable[str]) -> str:
    return joined(Text(", ", "、"), texts)


def sections_of_ratings(r: Ratings, digits: int = 4) -> list[Section]:
    wrong = {s.system for s in r.suspicions}
    sound = replace(r, rows=tuple(row for row in r.rows if row.system not in wrong)) if wrong else r
    said = sections_of_suspicions(r.suspicions)
    if wrong:
        said.append(Section(_not_rated(r)))
    return [*said, _ratings(sound, digits), *_figures(sound)] if sound.rows or not wrong else said


def _not_rated(r: Ratings) -> Statement:
    """Which systems have no rating because of their input."""
    by = {
        name: [s.code for s in r.suspicions if s.system == name]
        for name in dict.fromkeys(s.system for s in r.suspicions)
    }
    names = [phrase("{} ({})", "{}（{}）", name, ", ".join(codes)) for name, codes in by.items()]
    return phrase("Not rated, because the input is suspicious: {}", "输入可疑，不予评级：{}", _listed(names))


def rated_in_words(rating: Rating) -> Statement:
    """The band, that beside the ceiling, and those that the interval reaches: `good; interval fair … good`."""
    reach = rating.reach
    return rating.words if reach is None else phrase("{}; interval {}", "{}；区间{}", rating.words, reach)


def _ratings(r: Ratings, digits: int) -> Section:
    several = len(r.systems) > 1
    rows = [
        [
            *([Cell(row.system)] if several else []),
            Cell(in_units(row.measure, row.unit)),
            Cell(number(row.value, digits), strong=True),
            Cell(ranged(*row.interval, digits), quiet=True),
            Cell("–" if row.rating is None else rated_in_words(row.rating), tone=_tone(row.rating)),
            Cell(row.advice),
        ]
        for row in r.rows
    ]
    header = [*([_RUN] if several else []), MEASURE, VALUE, interval_of(r.confidence_level), _RATING, _ADVICE]
    texts = frozenset(i for i, name in enumerate(header) if name in (_RUN, MEASURE, _RATING, _ADVICE))
    name = phrase("{}", "{} ", r.systems[0]) if len(r.systems) == 1 else Text("Runs", "各系统")
    title = phrase("{} rated", "{}的评级", name)
    if r.scenario:
        title = phrase("{} rated as {} ({})", "{}的评级，场景：{}（{}）", name, r.scenario_title, r.scenario)
    rated = any(row.rating is not None for row in r.rows)
    notes = [
        *bands_from(row.rating for row in r.rows),
        *([PLAIN_VALUE] if rated else []),
        *_beyond(r),
        *_unrated(r),
        *r.notes,
        *_doubts(r),
        *_also(r),
    ]
    return Section(title, Grid(header, rows, texts), notes=[*notes, *([_CAREFUL] if rated else [])])


def _tone(rating: Rating | None) -> str:
    """Colours for words that stand; what other queries may change has none."""
    return "" if rating is None or not rating.is_settled or rating.is_held_down else _TONES.get(rating.band.name, "")


def bands_from(ratings: Iterable[Rating | None]) -> list[str]:
    """Where the bands come from, a sentence for each source."""
    by: dict[str, dict[str, None]] = {}
    for rating in ratings:
        if rating is not None:
            by.setdefault(rating.band.source, {})[rating.band.measure] = None
    return [phrase("Bands of {}: {}.", "{} 的分档出自{}。", _listed(names), source) for source, names in by.items()]


def _beyond(r: Ratings) -> list[str]:
    """What no list can reach; a ceiling that is not known is said, too."""
    out: list[str] = []
    for row in r.rows:
        if row.beyond:
            best = claimed(number(row.ceiling, 3), "ceiling", row.ceiling, row.measure, row.system)
            whose = phrase(" of {}", "{} 的 ", row.system) if len(r.systems) > 1 else ""
            told = (
                "{}{} cannot pass {} with these judgements; out of reach: {}.",
                "按这些标注，{1}{0} 最高为 {2}；达不到：{3}。",
            )
            out.append(phrase(*told, row.measure, whose, best, _listed(row.beyond)))
    unknown = [row.measure for row in r.rows if row.rating is not None and isnan(row.ceiling)]
    banded = [m for m in dict.fromkeys(unknown) if _has_ceiling(m)]
    if banded:
        told = (
            "What these judgements allow at most is not known of {}: the lists are not at hand.",
            "{} 的可达上限未知：手头没有结果列表。",
        )
        out.append(phrase(*told, _listed(banded)))
    return out


def _has_ceiling(measure: str) -> bool:
    from rankgauge.measures import parse

    return bool(getattr(parse(measure), "has_ceiling", False))


def _unrated(r: Ratings) -> list[str]:
    out: list[str] = []
    empty = list(dict.fromkeys(row.measure for row in r.rows if isnan(row.value)))
    without = [row.measure for row in r.rows if row.rating is None and not isnan(row.value) and not row.too_long]
    if empty:
        out.append(phrase("No value, so no rating: {}.", "没有数值，因此没有评级：{}。", _listed(empty)))
    if without and not r.of_users:  # then a note says why
        told = ("No bands are known of {}. Your own: `standards`.", "{} 没有公认的分档。可自行给出：`standards`。")
        out.append(phrase(*told, _listed(dict.fromkeys(without))))
    return out


def _doubts(r: Ratings) -> list[str]:
    """Why other queries may change a word, where the table does not show it."""
    by: dict[str, list[Rated]] = {}
    for row in r.rows:
        if row.rating is not None and not row.rating.is_settled and row.rating.reach is None:
            by.setdefault(row.rating.doubt, []).append(row)
    out: list[str] = []
    for rows in by.values():
        rating = rows[0].rating
        assert rating is not None
        out.append(about(_listed(dict.fromkeys(row.measure for row in rows)), rating.in_doubt))
    return out


def _also(r: Ratings) -> list[str]:
    if not r.not_evaluated:
        return []
    told = ("The scenario {} also looks at {}.", "“{}”场景还应看 {}。")
    return [phrase(*told, r.scenario_title, _listed(r.not_evaluated))]


# figures


def _figures(r: Ratings) -> list[Section]:
    """A column for each thing that asks: the benchmark of the scenario, the levels of production."""
    held = [row for row in r.rows if row.asked]
    if not held:
        return []
    asked_by = sorted((a for row in held for a in row.asked), key=lambda a: a.by != "benchmark")
    columns = {a.by: _heading(a) for a in asked_by}
    several = len(r.systems) > 1
    rows = []
    for row in held:
        asked = {a.by: a for a in row.asked}
        cells = [_answer(row, asked[by]) if by in asked else Cell("–") for by in columns]
        rows.append([*([Cell(row.system)] if several else []), Cell(row.measure), Cell(number(row.value)), *cells])
    header = [*([_RUN] if several else []), MEASURE, VALUE, *columns.values()]
    texts = frozenset(set(range(len(header))) - {1 + several})
    sources = dict.fromkeys(a.source for row in held for a in row.asked)
    notes = [phrase("Figures: {}.", "数值出自{}。", _listed(sources)), _SETTLED]
    alike = dict.fromkeys(row.measure for row in held if row.interval.low == row.interval.high)
    if alike:
        notes.append(about(_listed(alike), _ALIKE))
    return [Section(Text("Held to figures", "对照标准"), Grid(header, rows, texts), notes=notes)]


def _heading(a: AskedFigure) -> str:
    if a.by == "benchmark":
        return phrase("benchmark: {}", "场景基准：{}", a.title)
    return phrase("production: {}", "生产标准：{}", a.title)


def _answer(row: Rated, a: AskedFigure) -> Cell:
    figure = claimed(short(a.figure), "benchmark", a.figure, row.measure)
    tone = {"reached": "good", "missed": "bad"}.get(a.answer, "")
    return Cell(phrase("{} {}", "{} {}", figure, _ANSWERS[a.answer], claims=_claims(row, a)), tone=tone)


def _claims(row: Rated, a: AskedFigure) -> Iterable[Claim]:
    if a.answer == "missed":
        return [Claim("below", a.figure, row.measure, row.system)]
    if a.answer == "beyond" and row.ceiling < FULL:
        return [Claim("ceiling", row.ceiling, row.measure, row.system)]
    return []
