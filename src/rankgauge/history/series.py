"""One number of one system over time, and where it stops being the same number."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from math import isfinite, isnan, sqrt
from typing import TYPE_CHECKING, Any

from rankgauge._text import Text
from rankgauge.errors import RankgaugeError
from rankgauge.history.entry import Entry, Summary
from rankgauge.measures.definition import Definition
from rankgauge.measures.grammar import parse_class, parse_prediction, parse_ranking
from rankgauge.statistics.intervals import normal_quantile

if TYPE_CHECKING:
    from rankgauge.history.history import History

__all__ = ["EVALUATIONS", "REASONS", "Look", "Series", "definition_of", "evaluations", "parted", "reasons_between"]

EVALUATIONS = ("rankings", "predictions", "classes", "collected")
DECISIONS = ("gate", "prediction_gate")
_LEVEL = 0.95

REASONS = {
    "queries": Text("other queries", "查询不同"),
    "judgements": Text("other judgements", "标注不同"),
    "policy": Text("another policy", "评测策略不同"),
    "definition": Text("another definition of the measure", "指标的定义不同"),
}
"""Why a number is not the same as the one before, and what that is called."""


@dataclass(frozen=True)
class Look:
    """One number at one time."""

    entry: Entry
    summary: Summary

    @property
    def at(self) -> datetime:
        return self.entry.at

    @property
    def value(self) -> float:
        return self.summary.value

    @property
    def error(self) -> float:
        """Its standard error, of the interval where nothing else is known; NaN where there is none."""
        s = self.summary
        if not isnan(s.error) or not (isfinite(s.low) and isfinite(s.high)):
            return s.error
        told = self.entry.contract.get("confidence_level", _LEVEL)
        level = float(told) if isinstance(told, (int, float)) and 0 < told < 1 else _LEVEL
        return (s.high - s.low) / (2 * normal_quantile((1 + level) / 2))


@dataclass(frozen=True)
class Series:
    """One number over time, the oldest first."""

    project: str
    system: str
    dataset: str
    measure: str
    attribute: str
    part: str
    looks: Sequence[Look]

    @property
    def definition(self) -> Definition | None:
        """What the measure is; None for one of your own that is not known here."""
        last = self.looks[-1]
        return definition_of(last.summary.definition, last.entry.kind)

    @property
    def direction(self) -> int:
        """1 where more is better, -1 where less is, 0 where there is a value to come near to: asked of the measure."""
        if self.looks[-1].entry.kind == "collected":  # times and failures
            return -1
        return 1 if self.definition is None else self.definition.direction

    @property
    def slice(self) -> str:
        return f"{self.attribute}={self.part}" if self.attribute else ""


def evaluations(
    history: History, *, project: str, systems: Sequence[str] = (), dataset: str | None = None, **options: Any
) -> list[Entry]:
    """Evaluations of a project in the order of time; those inside decisions of a gate where there are no others."""
    found = history.entries(project=project, dataset=dataset, kind=(*EVALUATIONS, *DECISIONS), **options)
    if systems:
        found = [e for e in found if e.system in systems]
    alone = {(e.system, e.dataset) for e in found if e.kind in EVALUATIONS}
    return [e for e in found if e.kind in EVALUATIONS or (e.system, e.dataset) not in alone]


def parted(
    entries: Iterable[Entry], measures: Sequence[str] | None = None, slices: Sequence[str] | None = ()
) -> list[Series]:
    """The series of these entries: by system and dataset, in all measures or some; of slices by these attributes, or
    by all (None)."""
    groups: dict[tuple[str, str, str], list[Entry]] = {}
    for e in entries:
        groups.setdefault((e.project, e.system, e.dataset), []).append(e)
    out: list[Series] = []
    for (project, system, dataset), mine in sorted(groups.items(), key=lambda item: item[0]):
        wanted = _all_of(mine) if measures is None else list(measures)
        places = list(
            dict.fromkeys(
                (s.attribute, s.part)
                for e in mine
                for s in e.summaries
                if not s.attribute or slices is None or s.attribute in slices
            )
        )
        places.sort(key=lambda place: place[0] != "")  # all queries first
        for measure in wanted:
            for attribute, part in places:
                looks = [Look(e, s) for e in mine if (s := e.summary(measure, attribute, part)) is not None]
                if looks:
                    out.append(Series(project, system, dataset, measure, attribute, part, looks))
    return out


def _all_of(entries: Iterable[Entry]) -> list[str]:
    """Measures by their newest names, one of each definition."""
    found: dict[str, str] = {}
    for e in entries:
        for s in e.summaries:
            if s.is_of_all:
                found[s.definition] = s.measure
    return list(dict.fromkeys(found.values()))


def definition_of(name: str, kind: str) -> Definition | None:
    """The measure that evaluations of this kind mean by a name; None where this version knows none."""
    parse: Any = {"predictions": parse_prediction, "prediction_gate": parse_prediction, "classes": parse_class}.get(
        kind, parse_ranking
    )
    try:
        found: Definition = parse(name)
    except RankgaugeError:
        return None
    return found


def reasons_between(before: Look, after: Look) -> list[str]:
    """Why two numbers are not about the same thing, in the words of `REASONS`; nothing where they are."""
    a, b = before.entry.contract, after.entry.contract
    x, y = a.get("fingerprint"), b.get("fingerprint")
    out = []
    if isinstance(x, dict) and isinstance(y, dict):
        known = [name for name in ("queries", "judgements") if name in x and name in y]
        out += [name for name in known if x[name] != y[name]]
    if any(a.get(name) != b.get(name) for name in ("policy", "convention") if name in a and name in b):
        out.append("policy")
    if before.summary.definition != after.summary.definition:
        out.append("definition")
    return out


def joint_error(errors: Sequence[float]) -> float:
    """Of a plain mean of numbers with these standard errors."""
    return sqrt(sum(e * e for e in errors)) / len(errors) if errors else float("nan")
