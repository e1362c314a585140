"""A verdict in words: the one writer of every sentence that says which system is better.

A sentence has a long form, with all of its evidence, for a terminal and the head of a page; a short one for lists; and
one for several systems at once. Each says what the contrast says and nothing else, and claims each number it shows.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import isfinite, isnan

from rankgauge._claims import Claim, Statement, of_slice
from rankgauge._numbers import percent
from rankgauge._text import Text, check_language
from rankgauge.comparison.contrast import Contrast
from rankgauge.comparison.depths import by_ending, ending_of
from rankgauge.comparison.judging import could_be_undone, unjudged_tops
from rankgauge.comparison.record import Comparison
from rankgauge.evaluation.rankings.notes import noted, warnings_of
from rankgauge.evaluation.rankings.record import RankingEvaluation
from rankgauge.evaluation.rankings.slices import shown_slice
from rankgauge.evaluation.rankings.suspicion import errors_of
from rankgauge.evaluation.rankings.too_long import telling
from rankgauge.measures.predictions.base import RowMeasure
from rankgauge.reporting.grid import number, p_value, signed
from rankgauge.reporting.suspicions import alarm
from rankgauge.reporting.words import claimed, counted, phrase, together

__all__ = ["MOST_SLICES", "TONES", "sentences", "short", "tone_of", "verdict", "verdict_of_all", "verdict_of_system"]

TONES = {
    "better": "good",
    "worse": "bad",
    "equivalent": "same",
    "unchanged": "same",
    "inconclusive": "open",
    "untested": "open",
}
"""How a verdict sounds."""

MOST_SLICES = 12
"""Slices that are told one by one, those with the largest losses."""
_FAR = 10
_TOO_SMALL = Text(
    "a difference this small would take more than ten times as many to settle",
    "要判定这么小的差异，需要十倍以上的数据",
)
_NOTHING = Text("", "")
_AND = Text(" ", "")

_MEANING = {
    "coverage": (
        Text("more of what is relevant is found", "相关内容找得更全"),
        Text("less of what is relevant is found", "相关内容找得更少"),
    ),
    "hits": (
        Text("queries have a hit more often", "命中的查询占比更高"),
        Text("queries have a hit less often", "命中的查询占比更低"),
    ),
    "order": (
        Text("relevant results stand higher", "相关结果更靠前"),
        Text("relevant results stand lower", "相关结果更靠后"),
    ),
    "first": (
        Text("the first relevant result comes earlier", "第一个相关结果来得更早"),
        Text("the first relevant result comes later", "第一个相关结果来得更晚"),
    ),
    "purity": (
        Text("more of the places hold relevant results", "更多的位置是相关结果"),
        Text("fewer of the places hold relevant results", "更少的位置是相关结果"),
    ),
    "scores": (
        Text("positives and negatives are better separated", "正负样本区分得更好"),
        Text("positives and negatives are less separated", "正负样本区分得更差"),
    ),
    "probabilities": (
        Text("the probabilities are better", "概率更准"),
        Text("the probabilities are worse", "概率更不准"),
    ),
    "speed": (
        Text("answers come sooner", "返回更快"),
        Text("answers come later", "返回更慢"),
    ),
    "answers": (
        Text("fewer queries go without an answer", "没有结果返回的查询更少"),
        Text("more queries go without an answer", "没有结果返回的查询更多"),
    ),
    "catalogue": (
        Text("more of the catalogue is shown", "展示的目录物品更多"),
        Text("less of the catalogue is shown", "展示的目录物品更少"),
    ),
    "users": (
        Text("more users are shown something", "得到展示的用户更多"),
        Text("fewer users are shown something", "得到展示的用户更少"),
    ),
    "popular": (
        Text("what is shown leans less on popular items", "展示的物品更少依赖热门"),
        Text("what is shown leans more on popular items", "展示的物品更依赖热门"),
    ),
    "rare": (
        Text("what is shown is rarer", "展示的物品更少见"),
        Text("what is shown is less rare", "展示的物品更常见"),
    ),
    "unseen": (
        Text("more of what is shown is new to its user", "展示的物品中用户没接触过的更多"),
        Text("less of what is shown is new to its user", "展示的物品中用户没接触过的更少"),
    ),
    "discovery": (
        Text("readers find more that is relevant and rare", "用户能发现更多相关又少见的物品"),
        Text("readers find less that is relevant and rare", "用户能发现的相关又少见的物品更少"),
    ),
    "serendipity": (
        Text("more that is relevant stands higher than popularity would put it", "更多相关物品的位置高于按热度的排序"),
        Text("less that is relevant stands higher than popularity would put it", "更少相关物品的位置高于按热度的排序"),
    ),
    "even": (
        Text("places are spread more evenly over items", "展示位置在物品间分配得更均匀"),
        Text("places are spread less evenly over items", "展示位置在物品间分配得更不均匀"),
    ),
    "attention": (
        Text("attention is spread more evenly over items", "曝光在物品间分配得更均匀"),
        Text("attention is spread less evenly over items", "曝光在物品间分配得更不均匀"),
    ),
    "groups": (
        Text("groups of items are treated more equally", "各组物品得到的待遇更均等"),
        Text("groups of items are treated less equally", "各组物品得到的待遇更不均等"),
    ),
    "varied": (
        Text("the items of a list are more unlike each other", "同一列表中的物品差异更大"),
        Text("the items of a list are more alike", "同一列表中的物品更相似"),
    ),
    "personal": (
        Text("lists of different users are less alike", "不同用户的列表更不相同"),
        Text("lists of different users are more alike", "不同用户的列表更相似"),
    ),
    "categories": (
        Text("lists hold more of the categories", "列表涉及的类别更多"),
        Text("lists hold fewer of the categories", "列表涉及的类别更少"),
    ),
    "mix": (
        Text("the mix of categories is nearer to what users had before", "列表的类别构成更接近用户以往的构成"),
        Text("the mix of categories is further from what users had before", "列表的类别构成离用户以往的构成更远"),
    ),
    "length": (
        Text("fewer lists are too short", "过短的列表更少"),
        Text("more lists are too short", "过短的列表更多"),
    ),
    "repeats": (
        Text("fewer lists show an item twice", "重复展示物品的列表更少"),
        Text("more lists show an item twice", "重复展示物品的列表更多"),
    ),
    "known": (
        Text("fewer of the shown items are missing in the catalogue", "展示的物品不在目录中的更少"),
        Text("more of the shown items are missing in the catalogue", "展示的物品不在目录中的更多"),
    ),
    "": (Text("it is better", "有所改善"), Text("it is worse", "有所变差")),
}
"""What better and worse mean, by what a measure looks at."""


class _Said:
    """The numbers of a contrast as they stand in sentences."""

    def __init__(self, x: Contrast, c: Comparison, digits: int) -> None:
        self.x, self.c, self.digits = x, c, digits
        self.is_ranking = c.evaluations[c.baseline].kind == "rankings"
        self._names = (x.measure, x.system, x.baseline)
        self.is_of_run = c.evaluations[c.baseline].column(x.measure).measure.summary == "run"

    @property
    def verdict(self) -> list[Claim]:
        return [Claim("verdict", self.x.word, *self._names)]

    @property
    def n(self) -> Statement:
        noun = ("query", "个查询") if self.is_ranking else ("unit", "个独立单元")
        return claimed(counted(self.x.n, *noun), "n", self.x.n, *self._names)

    @property
    def difference(self) -> Statement:
        return claimed(signed(self.x.difference, self.digits), "difference", self.x.difference, *self._names)

    @property
    def means(self) -> tuple[str, str]:
        x = self.x
        return (
            claimed(number(x.mean_baseline, self.digits), "mean", x.mean_baseline, x.measure, x.baseline, x.system),
            claimed(number(x.mean, self.digits), "mean", x.mean, x.measure, x.system, x.baseline),
        )

    @property
    def interval(self) -> str:
        """`-0.1 … +0.2`; nothing where there is none."""
        low, high = self.x.interval
        if isnan(low) or isnan(high):
            return ""
        ends = (("difference low", low), ("difference high", high))
        return phrase("{} … {}", "{} … {}", *(claimed(signed(v, self.digits), w, v, *self._names) for w, v in ends))

    @property
    def p(self) -> str:
        """`, p 0.012 corrected for 3`; what it is about where that is not the difference; nothing without a test."""
        x, c = self.x, self.c
        if isnan(x.p_corrected):
            return _NOTHING
        p = claimed(p_value(x.p_corrected), "p", x.p_corrected, *self._names)
        if c.family > 1 and c.correction != "none":
            family = claimed(f"{c.family:,}", "family", c.family)
            p = phrase("{} corrected for {}", "{}（按 {} 次比较校正）", p, family)
        m = c.evaluations[c.baseline].column(x.measure).measure
        if not isinstance(m, RowMeasure) or m.ideal is None:
            return phrase(", p {}", "，p {}", p)
        one = claimed(f"{m.ideal:g}", "benchmark", m.ideal, *self._names)
        return phrase(", which is nearer to {}: p {}", "，哪一个更接近 {}：p {}", one, p)

    @property
    def margin(self) -> Statement:
        return claimed(f"{self.x.margin or 0:g}", "benchmark", self.x.margin or 0, *self._names)

    @property
    def evidence(self) -> Statement:
        interval = self.interval
        between = phrase(" ({})", "（{}）", interval) if interval else _NOTHING
        return phrase(
            "{} {} → {}, difference {}{}, {}{}",
            "{} {} → {}，差值 {}{}，{}{}",
            self.x.measure,
            *self.means,
            self.difference,
            between,
            self.n,
            self.p,
        )

    @property
    def more(self) -> str:
        """How many more would settle it; nothing where that cannot be said."""
        if not self.x.more:
            return _NOTHING
        noun = ("query", "个查询") if self.is_ranking else ("unit", "个独立单元")
        return claimed(Text(*_more(self.x.more, noun)), "more", self.x.more, *self._names)

    @property
    def is_far(self) -> bool:
        """Whether it would take more than ten times as many again: then it is not a matter of a few more."""
        return self.x.more is not None and self.x.more > _FAR * self.x.n

    @property
    def some_weigh_nothing(self) -> bool:
        """Whether queries of weight 0 are left out, which may have changed."""
        base = self.c.evaluations[self.c.baseline]
        weights = base.weights if isinstance(base, RankingEvaluation) else None
        return weights is not None and not weights.all()

    @property
    def untested(self) -> Text:
        """Why nothing was tested."""
        if self.is_ranking and self.x.n == 1:
            return Text("only one query counts", "只有一个查询计入")
        if self.is_ranking:
            return Text("one query counts for more than all others together", "一个查询所占的权重超过其余查询之和")
        return Text("nothing shows how far it is chance", "无从得知有多少出于偶然")

    @property
    def after_correction(self) -> str:
        """How many tests the smallest p-value has to stand among; nothing for one."""
        if self.x.slice or not self.x.level < self.c.alpha:
            return _NOTHING
        family = claimed(f"{self.c.family:,}", "family", self.c.family)
        return phrase(", after correction for {} tests", "（按 {} 次检验校正后）", family)

    @property
    def detectable(self) -> str:
        d = self.x.detectable
        return claimed(number(d, self.digits), "detectable", d, *self._names) if isfinite(d) and d > 0 else ""


def _more(n: int, noun: tuple[str, str]) -> tuple[str, str]:
    text = counted(n, *noun)
    number_, _, unit = text.en.partition(" ")
    return f"{number_} more {unit}", text.zh


def verdict(x: Contrast, c: Comparison, digits: int = 4) -> Statement:
    """One measure of one system, as a sentence that stands on its own."""
    return together(_AND, [*_judged(x, c, digits), *_ending([x], c)])


def _judged(x: Contrast, c: Comparison, digits: int) -> list[Statement]:
    """The verdict, and what would settle it."""
    said = _Said(x, c, digits)
    if isnan(x.difference):
        told = ("{} and {} cannot be compared: {} has no value here.", "{} 与 {} 无法比较：{} 在此没有数值。")
        return [phrase(*told, x.system, x.baseline, x.measure, claims=said.verdict)]
    if x.unchanged and said.some_weigh_nothing:
        told = (
            "No query that has weight changed: {} and {} have the same {} ({} for both).",
            "有权重的查询都没有变化：{} 与 {} 的 {} 相同（均为 {}）。",
        )
        return [phrase(*told, x.system, x.baseline, x.measure, said.means[1], claims=said.verdict)]
    if x.unchanged and said.is_of_run:
        told = (
            "Nothing changed: {} and {} have the same {} ({} for both).",
            "没有变化：{} 与 {} 的 {} 相同（均为 {}）。",
        )
        return [phrase(*told, x.system, x.baseline, x.measure, said.means[1], claims=said.verdict)]
    if x.unchanged:
        changed = (
            Text("No query changed", "没有查询发生变化") if said.is_ranking else Text("Nothing changed", "没有变化")
        )
        told = (
            f"{{}}: {{}} and {{}} have the same {{}} in {'' if x.n == 1 else 'each of '}{{}} ({{}} for both).",
            "{}：{} 与 {} 的 {} 在全部 {}中都相同（均为 {}）。",
        )
        return [phrase(*told, changed, x.system, x.baseline, x.measure, said.n, said.means[1], claims=said.verdict)]
    if x.verdict == "equivalent":
        told = ("{} and {} are equivalent within {}: {}.", "{} 与 {} 在 ±{} 以内等价：{}。")
        return [phrase(*told, x.system, x.baseline, said.margin, said.evidence, claims=said.verdict)]
    if x.word == "untested":
        told = (
            "Which of {} and {} is better was not tested ({}): {}.",
            "{} 与 {} 哪个更好未经检验（{}）：{}。",
        )
        return [phrase(*told, x.system, x.baseline, said.untested, said.evidence, claims=said.verdict)]
    told = {
        "better": ("{} is better than {}: {}.", "{} 优于 {}：{}。"),
        "worse": ("{} is worse than {}: {}.", "{} 差于 {}：{}。"),
        "inconclusive": ("It is not clear which of {} and {} is better: {}.", "无法判定 {} 与 {} 哪个更好：{}。"),
    }[x.verdict]
    first = phrase(*told, x.system, x.baseline, said.evidence, claims=said.verdict)
    return [first, *(_settling(said) if x.verdict == "inconclusive" else ())]


def _ending(found: Sequence[Contrast], c: Comparison) -> list[Statement]:
    """Where lists of one stop before measures do, that may be all there is to it, unless that one leads anyway."""
    led = {(x.measure, x.system): x.system if x.gain > 0 else x.baseline for x in found if not x.slice and x.gain}
    gaps = [g for g in c.depths if (g.measure, g.system) in led and led[g.measure, g.system] != g.shallow]
    return [phrase("{}.", "{}。", ending_of(alike)) for alike in by_ending(gaps)]


def _settling(said: _Said) -> list[Statement]:
    """What it would take: nothing where that is not known."""
    out = []
    if said.is_far:
        out.append(phrase("It is not a matter of a few more: {}.", "{}。", _TOO_SMALL))
    elif said.more:
        told = ("About {} would settle a difference of this size.", "再增加约 {}，才能判定这么大的差异。")
        out.append(phrase(*told, said.more))
    if said.detectable:
        these = ("These {} find differences from {} on{}.", "现有 {}的检出下限为 {}{}。")
        out.append(phrase(*these, said.n, said.detectable, said.after_correction))
    elif said.more:  # no difference that the measure can have is found often enough
        out.append(phrase("These {} find none, however large.", "现有 {}再大的差异也发现不了。", said.n))
    return out


def verdict_of_system(c: Comparison, system: str, digits: int = 4) -> Statement:
    """The first measure that says which is better as a sentence, then the measures that say something else: those that
    say the opposite, and those before it that leave it open. Where no measure tells, the first one is the sentence.

    A reader who stops after the first sentence must not take a system for better that is worse in another measure, nor
    for unchanged where only the first measure is.
    """
    lead, before = _lead(c, system)
    told = [x for x in c.contrasts if x.system == system and (x is lead or x.verdict in _CLEAR)]
    said = [*_judged(lead, c, digits), *_otherwise(lead, c, digits), *(_left_open(x, c, digits) for x in before)]
    return _as_it_stands(together(_AND, [*said, *_ending([*before, *told], c), *_undone(lead, c)]), c)


_CLEAR = ("better", "worse")


def _lead(c: Comparison, system: str) -> tuple[Contrast, list[Contrast]]:
    """The contrast that a headline is about, and those before it: the first measure that is better or worse, or else
    the first that changed, or else the first. What is shown makes no system better alone: random lists cover most."""
    measure_of = c.evaluations[c.baseline].column
    found = [c[m, system] for m in c.measures if not getattr(measure_of(m).measure, "is_of_items", False)]
    found = found or [c[m, system] for m in c.measures]
    there = telling([c.evaluations[name] for name in (c.baseline, system)], [x.measure for x in found])
    found = [x for x in found if x.measure in there]
    at = next((i for i, x in enumerate(found) if x.verdict in _CLEAR), None)
    if at is None:
        at = next((i for i, x in enumerate(found) if not x.unchanged and not isnan(x.difference)), 0)
    return found[at], found[:at]


def _left_open(x: Contrast, c: Comparison, digits: int) -> Statement:
    """A measure that does not say which is better, beside one that does."""
    said = _Said(x, c, digits)
    if isnan(x.difference):
        return phrase("{} has no value here.", "{} 在此没有数值。", x.measure, claims=said.verdict)
    if x.unchanged:
        told = ("{} is unchanged ({}).", "{} 没有变化（{}）。")
        return phrase(*told, x.measure, said.means[1], claims=said.verdict)
    if x.verdict == "equivalent":
        told = ("{} is equivalent within {} ({}).", "{} 在 ±{} 以内等价（{}）。")
        return phrase(*told, x.measure, said.margin, said.difference, claims=said.verdict)
    interval = said.interval
    between = phrase("; {}", "；{}", interval) if interval else _NOTHING
    told = {
        "untested": ("{} was not tested ({}{}).", "{} 未经检验（{}{}）。"),
        "inconclusive": ("In {} it is not clear ({}{}).", "{} 尚无法判定（{}{}）。"),
    }[x.word]
    return phrase(*told, x.measure, said.difference, between, claims=said.verdict)


def _undone(x: Contrast, c: Comparison) -> list[Statement]:
    """Where most of the top of a side is not judged, whether that could give another winner."""
    return [unjudged_tops(c, x)] if could_be_undone(c, x) else []


def _as_it_stands(said: Statement, c: Comparison) -> Statement:
    """Where the input is suspicious, a verdict is one about numbers only."""
    return phrase("As the numbers stand: {}", "仅就数字而言：{}", said) if errors_of(c.suspicions) else said


def _otherwise(lead: Contrast, c: Comparison, digits: int) -> list[Statement]:
    settled = {"better": [], "worse": []}  # type: dict[str, list[Statement]]
    for measure in c.measures:
        x = c[measure, lead.system]
        if x.verdict in settled and x.verdict != lead.verdict:
            said = _Said(x, c, digits)
            settled[x.verdict].append(phrase("{} ({})", "{}（{}）", measure, said.difference, claims=said.verdict))
    told = {"better": ("It is better in {}.", "{}更好。"), "worse": ("It is worse in {}.", "{}更差。")}
    return [phrase(*told[word], listed_with_claims(found)) for word, found in settled.items() if found]


def listed_with_claims(texts: Sequence[str]) -> Statement:
    """`one, two`, with what they claim."""
    return together(Text(", ", "，"), texts)


def tone_of(c: Comparison, system: str) -> str:
    """How the verdict of a system sounds: that of the measure it is about, unless another measure says the opposite,
    one before it is open, or what nobody judged could turn it.

    Where the input is suspicious there is no verdict.
    """
    if errors_of(c.suspicions):
        return "open"
    lead, before = _lead(c, system)
    verdicts = {c[m, system].verdict for m in c.measures}
    is_open = any(TONES[x.word] == "open" for x in before)
    if is_open or could_be_undone(c, lead):
        return "open"
    return "mixed" if set(_CLEAR) <= verdicts else TONES[lead.word]


def verdict_of_all(found: Sequence[Contrast], c: Comparison, digits: int = 4) -> Statement:
    """One measure of several systems, in one sentence: those that are better, worse, …, and over how many queries."""
    by: dict[str, list[Contrast]] = {}
    for x in found:
        by.setdefault(x.word, []).append(x)
    alike = len({x.n for x in found}) == 1

    def named(x: Contrast) -> Statement:
        said = _Said(x, c, digits)
        if isnan(x.difference):
            return phrase("{}", "{}", x.system, claims=said.verdict)
        over = _NOTHING if alike else phrase(", {}", "，{}", said.n)
        return phrase("{} ({}{})", "{}（{}{}）", x.system, said.difference, over, claims=said.verdict)

    words = {
        "better": Text(f"Better than {c.baseline}", f"优于 {c.baseline}"),
        "worse": Text(f"Worse than {c.baseline}", f"差于 {c.baseline}"),
        "equivalent": Text(f"Equivalent to {c.baseline}", f"与 {c.baseline} 等价"),
        "unchanged": Text(f"No change from {c.baseline}", f"与 {c.baseline} 相比没有变化"),
        "inconclusive": Text("Not clear", "无法判定"),
        "untested": Text("Not tested", "未检验"),
    }
    parts = [
        phrase("{}: {}.", "{}：{}。", text, listed_with_claims([named(x) for x in by[word]]))
        for word, text in words.items()
        if word in by
    ]
    measure = found[0].measure
    end = phrase("{}, {}.", "{}，{}。", measure, _Said(found[0], c, digits).n) if alike else f"{measure}."
    return _as_it_stands(together(_AND, [*parts, end]), c)


def short(x: Contrast, c: Comparison, digits: int = 3) -> Statement:
    """`R@100 from 0.620 to 0.700 (95% interval of the difference +0.052 … +0.108, 200 queries): more … is found.`"""
    said = _Said(x, c, digits)
    if isnan(x.difference):
        return phrase("{}: no value, not comparable.", "{}：没有数值，无法比较。", x.measure, claims=said.verdict)
    if x.unchanged:
        if said.some_weigh_nothing:
            weighty = ("{} stays {}: no query that has weight changed.", "{} 保持 {}：有权重的查询都没有变化。")
            return phrase(*weighty, x.measure, said.means[1], claims=said.verdict)
        if said.is_of_run:
            return phrase("{} stays {}.", "{} 保持 {}。", x.measure, said.means[1], claims=said.verdict)
        told = ("{} stays {}: none of {} changed.", "{} 保持 {}：全部 {}都没有变化。")
        return phrase(*told, x.measure, said.means[1], said.n, claims=said.verdict)
    interval: str = _NOTHING
    if said.interval:
        level = percent(c.confidence_level)
        told = ("{} interval of the difference {}, ", "差值的 {} 置信区间 {}，")
        interval = phrase(*told, level, said.interval)
    m = c.evaluations[c.baseline].column(x.measure).measure
    better, worse = _MEANING[m.side]
    meaning: str = {"better": better, "worse": worse}.get(x.verdict, "")
    if x.verdict == "equivalent":
        meaning = phrase("the same within {}", "差异在 {} 以内，可视为等价", said.margin)
    elif not meaning:
        settle = phrase("; about {} would settle it", "，约需再增加 {}", said.more) if said.more else _NOTHING
        if said.is_far:
            settle = phrase("; {}", "；{}", _TOO_SMALL)
        meaning = phrase("not a clear difference{}", "差异尚不明确{}", settle)
        if x.word == "untested":
            meaning = phrase("not tested, {}", "未检验，{}", said.untested)
        elif x.direction == 0:
            meaning = Text("it is not clear which is nearer to the ideal", "尚不明确哪一个更接近理想值")
    told = ("{} from {} to {} ({}{}): {}.", "{} 从 {} 变为 {}（{}{}）：{}。")
    first = phrase(*told, x.measure, *said.means, interval, said.n, meaning, claims=said.verdict)
    return together(_AND, [first, *_ending([x], c)])


def sentences(comparison: Comparison, language: str | None = None) -> list[str]:
    """One sentence for each measure and system, and for each of them in a slice, with interval and n; an unclear
    difference is called that.

    Where the input is suspicious, that comes first; what else there is to know of it (queries without results, results
    that repeat) comes last.

    "R@100 from 0.620 to 0.700 (95% interval of the difference +0.052 … +0.108, 200 queries): more of what is relevant
    is found."
    """
    language = check_language(language)
    said = [_about(x, comparison) for x in (*comparison.contrasts, *comparison.sliced[:MOST_SLICES])]
    said += _of_slices(comparison)
    said = [*map(alarm, errors_of(comparison.suspicions)), *said, *_of_input(comparison)]
    return [text.speaking(language) for text in said]


def _about(x: Contrast, c: Comparison) -> Statement:
    """A contrast in short, after the system and the slice that it is about, where that is not plain."""
    names = [*([x.system] if len(c.systems) > 1 else ()), *([shown_slice(x.slice)] if x.slice else ())]
    said = phrase("{}: {}", "{}：{}", together(Text(", ", "，"), names), short(x, c)) if names else short(x, c)
    return of_slice(said, x.slice) if x.slice else said


def _of_slices(c: Comparison) -> list[Statement]:
    """Which slices were told, and what their verdicts had to stand among."""
    n, tested = len(c.sliced), sum(not isnan(x.p_value) for x in c.sliced)
    out = []
    if n > MOST_SLICES:
        told = (
            "Of {} comparisons in slices these are the {} with the largest losses.",
            "切片中共有 {} 项比较，以上是损失最大的 {} 项。",
        )
        out.append(phrase(*told, f"{n:,}", MOST_SLICES))
    if tested > 1 and c.correction != "none":
        told = (
            "Verdicts in slices are corrected for {} tests ({}); intervals are not.",
            "切片的结论按 {} 次检验校正（{}）；置信区间未校正。",
        )
        out.append(phrase(*told, f"{tested:,}", c.correction))
    return out


def _of_input(comparison: Comparison) -> list[Statement]:
    """What has to be known of the lists that were compared."""
    return [
        phrase("{}: {}.", "{}：{}。", name, note)
        for name, ev in comparison.evaluations.items()
        if isinstance(ev, RankingEvaluation)
        for note in (*warnings_of(ev), *noted(ev, "not-judged"))
    ]
