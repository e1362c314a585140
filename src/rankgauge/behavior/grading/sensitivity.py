"""Would another map of events to grades have named another winner?

Whether a cart is worth two clicks or ten is a choice. If systems change places under another choice that is as good,
their order says more about the choice than about the systems. So the evaluation is repeated under other maps,
thresholds and priors, from the same counts of the log.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import TYPE_CHECKING, Any, Unpack

from rankgauge._claims import phrase
from rankgauge._numbers import number
from rankgauge._plain_data import stored_fields
from rankgauge._records import Record
from rankgauge._rendered import remembers_files
from rankgauge._show import show
from rankgauge._text import Text, in_words, joined, zh
from rankgauge.behavior.grading.judging import graded, judgements
from rankgauge.behavior.grading.record import Judgements, Settings
from rankgauge.behavior.logs.columns import event_name
from rankgauge.errors import InputError, ParameterError, UnknownName, suggest
from rankgauge.evaluation.of_rankings import evaluate
from rankgauge.measures.grammar import as_list

if TYPE_CHECKING:
    import polars as pl

    from rankgauge.evaluation.of_rankings import EvaluateOptions

__all__ = ["MAIN", "Flip", "Sensitivity", "SensitivityRow", "default_alternatives", "sensitivity"]

MAIN = Text("main", "主方案")
_SETTINGS = ("events", "gains", "prior", "min_impressions", "aggregate", "scale", "threshold", "unclear")
_SAME = 1e-12  # differences below are none


@dataclass(frozen=True)
class SensitivityRow:
    """One system, one measure, one choice."""

    alternative: str
    measure: str
    system: str
    value: float
    rank: int
    """1 for the best system; those with the same value share a rank."""
    queries: int
    """Queries that the value rests on."""
    judged: int
    """Judgements under this choice."""


@dataclass(frozen=True)
class Flip:
    """Two systems that change places."""

    alternative: str
    measure: str
    better: str
    """The better one under the main choice."""
    worse: str
    main_difference: float
    difference: float
    """Under the alternative, so below 0."""

    def to_text(self) -> Text:
        """In words."""
        a, b, m, n = self.better, self.worse, self.measure, self.alternative
        was, now = self.main_difference, self.difference
        told = (
            "{0}: {1} is ahead of {2} by {3}, but behind by {4} under '{5}'",
            "{0}：{1} 领先 {2} {3}，但在“{5}”下落后 {4}",
        )
        return phrase(*told, m, a, b, number(was), number(-now), n)


@dataclass(frozen=True, eq=False, kw_only=True)
class Sensitivity(Record, kind="sensitivity", schema=1):
    """An evaluation under several choices. `sensitivity` makes them."""

    rows: Sequence[SensitivityRow]
    flips: Sequence[Flip]
    alternatives: Mapping[str, Settings]
    """The settings of each choice, the main one first."""
    systems: tuple[str, ...]
    measures: tuple[str, ...]
    notes: Sequence[str] = ()
    name: str = ""

    @property
    def is_stable(self) -> bool:
        """Whether no two systems change places."""
        return not self.flips

    @property
    def summary(self) -> Text:
        """Does the order of the systems hold?"""
        tried = len(self.alternatives) - 1
        if not self.flips:
            return Text(
                f"the order of the systems is the same under all {tried} alternatives",
                f"在全部 {tried} 种替代方案下系统的次序不变",
            )
        where = list(dict.fromkeys(f.alternative for f in self.flips))
        first = self.flips[0].to_text()
        listed = joined(Text(", ", "、"), (phrase("'{}'", "“{}”", w) for w in where))
        told = (
            "the order of systems flips under {} of {} alternatives ({}): {}",
            "{1} 种替代方案中有 {0} 种使系统次序翻转（{2}）：{3}",
        )
        return phrase(*told, len(where), tried, listed, first)

    def value(self, alternative: str, measure: str, system: str) -> float:
        """One number of the table."""
        asked = (r for r in self.rows if (r.measure, r.system) == (measure, system))
        found = next((r for r in asked if alternative in (r.alternative, zh(r.alternative))), None)
        if found is None:
            raise UnknownName(
                Text(
                    f"no value of {show(measure)} for {show(system)} under {show(alternative)}.",
                    f"在 {show(alternative)} 下没有 {show(system)} 的 {show(measure)}。",
                )
            )
        return found.value

    def csv_rows(self) -> list[dict[str, Any]]:
        """One dict per alternative, measure and system."""
        flipped = {(f.alternative, f.measure) for f in self.flips}
        return [
            {
                "alternative": r.alternative,
                "measure": r.measure,
                "system": r.system,
                "value": r.value,
                "rank": r.rank,
                "queries": r.queries,
                "judged": r.judged,
                "flips": (r.alternative, r.measure) in flipped,
            }
            for r in self.rows
        ]

    def to_frame(self) -> pl.DataFrame:
        """A Polars frame of `csv_rows`."""
        import polars as pl

        return pl.DataFrame(in_words(self.csv_rows()), schema_overrides={"value": pl.Float64})

    def _also(self) -> dict[str, Any]:
        flipped = [row["flips"] for row in self.csv_rows()]
        return {
            "rows": [{**stored_fields(r), "flips": flips} for r, flips in zip(self.rows, flipped, strict=True)],
            "flips": [{**stored_fields(f), "text": f.to_text()} for f in self.flips],
            "is_stable": self.is_stable,
            "summary": self.summary,
        }


def default_alternatives(settings: Settings, events: Sequence[str]) -> dict[str, dict[str, Any]]:
    """Other choices that are as good, as far as the log has the events for them."""
    found: dict[str, dict[str, Any]] = {}
    top = max(settings.events.values())
    there = [e for e in ("click", "cart", "purchase") if e in events]
    if "click" in there:
        found[Text("clicks only", "只看点击")] = {"events": {"click": top}, "gains": None}
    if "purchase" in there:
        found[Text("purchases only", "只看购买")] = {"events": {"purchase": top}, "gains": None}
    if len(there) > 1:
        usual = {"click": 1.0, "cart": 2.0, "purchase": 3.0}
        weighed = {"click": 0.1, "cart": 0.3, "purchase": 0.6}
        found["1/2/3"] = {"events": {e: usual[e] for e in there}, "gains": None}
        found["0.1/0.3/0.6"] = {"events": {e: usual[e] for e in there}, "gains": {e: weighed[e] for e in there}}
    found[Text("twice the impressions", "曝光门槛加倍")] = {"min_impressions": 2 * max(1, settings.min_impressions)}
    found[Text("no prior", "不用先验")] = {"prior": None}
    is_rate = settings.aggregate == "rate"
    other = Text("whole grades", "整数等级") if is_rate else Text("rates", "比率")
    found[other] = {"aggregate": "max" if is_rate else "rate"}
    return {name: change for name, change in found.items() if replace(settings, **change) != settings}


@remembers_files
def sensitivity(
    source: Any,
    runs: Mapping[str, Any],
    measures: Any = ("nDCG@10",),
    alternatives: Mapping[str, Mapping[str, Any]] | None = None,
    **options: Unpack[EvaluateOptions],
) -> Sensitivity:
    """Evaluate two or more runs under the judgements of a log, and under other ways to make them.

    `source` is what `judgements` made, or anything it takes. `alternatives` are changes to its settings by name:
    `{"carts count": {"events": {"click": 1, "cart": 5}}, "strict": {"min_impressions": 50}}`. By default: clicks only,
    purchases only, grades 1/2/3, gains 0.1/0.3/0.6, twice the impressions, no prior, and whole grades instead of rates
    (or the other way round). Further options go to `evaluate`.

    A system is behind another when its value is smaller; whether the difference is more than chance is a question for
    `compare`.
    """
    if not isinstance(runs, Mapping) or len(runs) < 2:
        raise ParameterError(
            Text(
                "`runs` must be two runs or more by name, got "
                f"{show(len(runs) if isinstance(runs, Mapping) else runs)}. "
                'Pass {"old": run_a, "new": run_b}.',
                "`runs` 必须是两个或更多以名称为键的 run，实际为 "
                f'{show(len(runs) if isinstance(runs, Mapping) else runs)}。请传入 {{"old": run_a, "new": '
                f"run_b}}。",
            )
        )
    main = source if isinstance(source, Judgements) else judgements(source)
    changes = default_alternatives(main.settings, main.pair_counts.events) if alternatives is None else alternatives
    wanted = as_list(measures)
    rows, notes = [], []
    settings: dict[str, Settings] = {MAIN: main.settings}
    for name, change in changes.items():
        settings[name] = _changed(main.settings, name, change)
    for name, choice in settings.items():
        try:
            judged = main if name == MAIN else graded(main.pair_counts, choice, name=main.name)
            if not len(judged):
                none = _nothing_judged(judged)
                if name == MAIN:
                    raise InputError(
                        Text(
                            f"sensitivity: {none}. Pass judgements made with unclear='keep'.",
                            f"sensitivity：{none.zh}。请传入用 unclear='keep' 得出的标注。",
                        )
                    )
                notes.append(phrase("'{}' left out: {}", "略去“{}”：{}", name, none))
                continue
            rows += _evaluated(name, judged, runs, wanted, options)
        except InputError as e:
            if name == MAIN:
                raise
            notes.append(phrase("'{}' left out: {}", "略去“{}”：{}", name, e.text))
    settings = {name: s for name, s in settings.items() if any(r.alternative == name for r in rows)}
    labels = tuple(dict.fromkeys(r.measure for r in rows))
    return Sensitivity(
        rows=rows,
        flips=_flips(rows, labels, list(runs)),
        alternatives=settings,
        systems=tuple(runs),
        measures=labels,
        notes=notes,
        name=main.name,
    )


def _nothing_judged(found: Judgements) -> Text:
    pairs = found.counts["pairs"]
    return Text(f"none of {pairs:,} pairs could be judged", f"{pairs:,} 个查询-物品对中没有一个能得到标注")


def _changed(settings: Settings, name: str, change: Mapping[str, Any]) -> Settings:
    if name == MAIN:
        raise ParameterError(
            Text(
                f"alternatives: {show(MAIN)} is the choice they are compared with; take another name.",
                f"alternatives：{show(MAIN)} 是用来对照的选择；请换一个名称。",
            )
        )
    unknown = [k for k in change if k not in _SETTINGS]
    if unknown:
        raise ParameterError(
            Text(
                f"alternatives: {show(name)} may change {', '.join(_SETTINGS)}, got {show(unknown[0])}."
                f"{suggest(unknown[0], _SETTINGS)}",
                f"alternatives：{show(name)} 可以改变 {', '.join(_SETTINGS)}，实际为 {show(unknown[0])}。"
                f"{zh(suggest(unknown[0], _SETTINGS))}",
            )
        )
    values = dict(change)
    for key in ("events", "gains"):
        if values.get(key) is not None:
            values[key] = {event_name(e): float(v) for e, v in values[key].items()}
    if "events" in values and "gains" not in values:
        values["gains"] = None
    return replace(settings, **values)


def _evaluated(
    name: str, judged: Judgements, runs: Mapping[str, Any], measures: Sequence[Any], options: Mapping[str, Any]
) -> list[SensitivityRow]:
    found = evaluate(judged.qrels, dict(runs), measures, progress=False, **options)
    rows: list[SensitivityRow] = []
    for label in next(iter(found.values())).labels:
        values = {system: ev[label] for system, ev in found.items()}
        for system, ev in found.items():
            ahead = sum(other > values[system] + _SAME for other in values.values())
            rows.append(SensitivityRow(name, label, system, values[system], 1 + ahead, ev.n(label), len(judged)))
    return rows


def _flips(rows: Sequence[SensitivityRow], measures: Sequence[str], systems: Sequence[str]) -> list[Flip]:
    """Pairs of systems whose difference has the other sign; no difference is no flip."""
    value = {(r.alternative, r.measure, r.system): r.value for r in rows}
    found: list[Flip] = []
    for name in dict.fromkeys(r.alternative for r in rows if r.alternative != MAIN):
        for m in measures:
            for a, b in combinations(systems, 2):
                was = value[MAIN, m, a] - value[MAIN, m, b]
                now = value[name, m, a] - value[name, m, b]
                better, worse, sign = (a, b, 1) if was > 0 else (b, a, -1)
                if abs(was) > _SAME and sign * now < -_SAME:
                    found.append(Flip(name, m, better, worse, sign * was, sign * now))
    return found
