"""What an evaluation of labels and scores says, as sections: the numbers, what to read them with, what they rest on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from math import isnan
from typing import Any

from rankgauge._claims import Statement
from rankgauge._text import Text
from rankgauge.evaluation.predictions.differences import Difference
from rankgauge.evaluation.predictions.of_rows import CERTIFIED, Estimate, RowEvaluation, RowEvaluations
from rankgauge.evaluation.predictions.record import PredictionEvaluation, PredictionEvaluations
from rankgauge.evaluation.rankings.slices import shown_slice
from rankgauge.measures.predictions.base import Beside
from rankgauge.measures.predictions.sums import CLIP
from rankgauge.reporting.bars import interval_strips, value_bars
from rankgauge.reporting.grid import Cell, Grid, Section, number, p_value, ranged, share, signed
from rankgauge.reporting.words import (
    DIFFERENCE,
    MEASURE,
    ROWS,
    SLICE,
    VALUE,
    VERDICTS,
    about,
    claimed,
    counted,
    interval_of,
    listed,
    phrase,
)
from rankgauge.statistics.corrections import holm

__all__ = [
    "beside",
    "clipped_rows",
    "differences_of",
    "sections_of_predictions",
    "sections_of_predictions_by_name",
    "slices_of_rows",
    "table_of_models",
    "table_of_numbers",
]


_UNPAIRED = Text(
    "differences are not known: the evaluations were stored without what pairs their rows",
    "差异未知：保存这些评测时没有保存行与行配对所需的数据",
)


def sections_of_predictions(ev: PredictionEvaluation, digits: int = 4) -> list[Section]:
    notes, warnings = facts(ev)
    title = ev.data if ev.model == "score" else phrase("{} on {}", "{}，数据 {}", ev.model, ev.data)
    notes = [*notes, ev.policy.words]
    out = [Section(title, table_of_numbers(ev, digits), warnings=warnings, notes=notes)]
    if ev.has_slices:
        out.append(slices_of_rows(ev, digits))
    return out


def table_of_numbers(ev: RowEvaluation, digits: int) -> Grid:
    """A row for each measure: its value, how far it can be trusted, what to read it with."""
    rows = []
    for c in ev.columns:
        low, high = ev.interval(c.label)
        shown = str(c.measure) if str(c.measure) != c.label else ""
        rows.append(
            [
                Cell(c.label),
                Cell(number(c.value, digits), strong=True),
                Cell(ranged(low, high, digits), quiet=True),
                Cell(beside(c, digits), quiet=True),
                Cell(shown, quiet=True),
            ]
        )
    header = [MEASURE, VALUE, interval_of(ev.confidence_level), Text("read with", "参考"), Text("definition", "定义")]
    if not any(row[4].text for row in rows):
        header, rows = header[:4], [row[:4] for row in rows]
    bars = value_bars((c.value, c.measure.bounds) for c in ev.columns)
    return Grid(header, rows, frozenset({0, 3, 4}), bars)


def sections_of_predictions_by_name(evs: PredictionEvaluations, digits: int = 4) -> list[Section]:
    names = list(evs)
    first = evs[names[0]]
    said = [facts(ev) for ev in evs.values()]
    warnings = [about(name, w) for name, (_, ws) in zip(names, said, strict=True) for w in ws]
    title = phrase("{} models on {}", "{} 个模型，数据 {}", len(evs), first.data)
    notes = [*said[0][0], first.policy.words, *_reasons(evs)]
    return [Section(title, table_of_models(evs, digits), warnings=warnings, notes=notes), *differences_of(evs, digits)]


def _reasons(evs: RowEvaluations[Any]) -> list[str]:
    """Why there are no numbers where there are none; once where it is the same for all models."""
    out: list[str] = []
    for label in next(iter(evs.values())).labels:
        reasons = {name: ev.column(label).reason for name, ev in evs.items() if ev.column(label).reason}
        if len(reasons) == len(evs) and len({str(r) for r in reasons.values()}) == 1:
            out.append(about(label, next(iter(reasons.values()))))
        else:
            out += [about(phrase("{} of {}", "{1} 的 {0}", label, name), r) for name, r in reasons.items()]
    return out


def table_of_models(evs: RowEvaluations[Any], digits: int) -> Grid:
    """A row for each measure, a column for each model; strong is what is surely better than all others."""
    best = _surely_best(evs)
    rows = []
    for label in next(iter(evs.values())).labels:
        cells = (Cell(number(ev[label], digits), strong=best.get(label) == name) for name, ev in evs.items())
        rows.append([Cell(label), *cells])
    return Grid([MEASURE, *evs], rows)


def _surely_best(evs: RowEvaluations[Any]) -> dict[str, str]:
    """By measure the model that is better than each of the others, after correction for all of these comparisons."""
    if len(evs) < 2 or not all(c.can_be_paired for ev in evs.values() for c in ev.columns):
        return {}
    found: dict[str, tuple[str, list[Difference]]] = {}
    for label in next(iter(evs.values())).labels:
        known = [name for name, ev in evs.items() if not isnan(ev[label])]
        best = max(known, key=lambda name: evs[name].column(label).measure.goodness(evs[name][label]), default=None)
        if best is not None:
            others = [ev for name, ev in evs.items() if name != best]
            found[label] = best, [evs[best].difference(other, label, resamples=0) for other in others]
    p = iter(holm([d.p_better for _, ds in found.values() for d in ds]))
    sure: dict[str, str] = {}
    for label, (best, ds) in found.items():
        corrected = [next(p) for _ in ds]
        if all(x < 1 - d.confidence_level and d.is_better is True for x, d in zip(corrected, ds, strict=True)):
            sure[label] = best
    return sure


def differences_of(evs: RowEvaluations[Any], digits: int) -> list[Section]:
    """Every model but the first against the first."""
    first = next(iter(evs))
    differences = evs.differences
    if not differences and len(evs) > 1:
        return [Section("", notes=[_UNPAIRED])]
    level = evs[first].confidence_level
    raw = [d.p_better for found in differences.values() for d in found.values()]
    p, tests = iter(holm(raw)), sum(not isnan(x) for x in raw)
    out = []
    for model, found in differences.items():
        tested = {label: (d, next(p)) for label, d in found.items()}
        about = [evs[first].column(label).measure.about_p(label) for label, (_, x) in tested.items() if not isnan(x)]
        section = _differences(model, first, tested, tests, level, digits)
        out.append(replace(section, notes=[*section.notes, *(text for text in about if text is not None)]))
    return out


def _differences(
    model: str, baseline: str, found: Mapping[str, tuple[Difference, float]], tests: int, level: float, digits: int
) -> Section:
    """Corrected p-values decide, as in a comparison."""
    rows, ends = [], []
    for label, (d, p) in found.items():
        low, high = d.interval
        is_better = d.is_better if p < 1 - level else None
        verdict = VERDICTS[{True: "better", False: "worse", None: "" if isnan(low) else "not clear"}[is_better]]
        ends.append((low, d.value, high))
        rows.append(
            [
                Cell(label),
                Cell(signed(d.value, digits), strong=is_better is True),
                Cell(ranged(low, high, digits, sign=True), quiet=True),
                Cell("" if isnan(p) else p_value(p), quiet=True),
                Cell(verdict, strong=is_better is True),
            ]
        )
    n = next(iter(found.values()))[0].n
    p_name: str = "p" if tests < 2 else Text("corrected p", "校正后 p")
    header = [MEASURE, DIFFERENCE, interval_of(level), p_name, Text(f"{model} is", f"{model} 的结论")]
    told = ("paired on the same rows, {}{}", "在相同的行上配对，{}{}")
    family = phrase("; p-values corrected for {} tests (Holm)", "；p 值已对 {} 次检验校正（Holm）", tests)
    note = phrase(*told, counted(n, "independent unit", "个独立单元"), family if tests > 1 else "")
    return Section(
        phrase("{} minus {}", "{} 减 {}", model, baseline),
        Grid(header, rows, frozenset({0, 4}), interval_strips(ends)),
        notes=[note],
    )


def beside(c: Estimate, digits: int) -> str:
    """What to read a value with, in a few words."""
    if c.reason:
        return about(Text("undefined", "无定义"), c.reason)
    said = {name: value for name, value in c.beside.items() if name not in CERTIFIED}
    parts = []
    if (half := max(c.certain.high - c.value, c.value - c.certain.low)) > 0:
        parts.append(Text(f"certain to ±{half:.1g}", f"确定在 ±{half:.1g} 以内"))
    if (groups := c.measure.valid_groups(said)) is not None:
        valid, n, rows = groups
        kept = "" if rows is None else Text(f", {share(rows)} of rows", f"，占 {share(rows)} 的行")
        return phrase("{:,} of {:,} groups{}", "{1:,} 组中的 {0:,} 组{2}", valid, n, kept)
    for name, value in said.items():
        how = c.measure.read_with.get(name, Beside(name))  # stored ones may have other names
        parts.append(phrase("{} {}", "{} {}", how.text, _text(how.kind, value, digits)))
    return listed(parts)


def _text(kind: str, value: Any, digits: int) -> str:
    if kind == "p":
        return p_value(value)
    if kind == "share":
        return share(value)
    if kind == "text":
        return str(value)
    return f"{value:,}" if isinstance(value, int) else number(value, digits)


def facts(ev: PredictionEvaluation) -> tuple[list[str], list[str]]:
    """Counts in words: plain facts, and those that should stop a reader."""
    c = ev.counts

    def said(text: str, key: str, value: Any, what: str = "count") -> Statement:
        return claimed(text, what, value, key, ev.model)

    weight = said(f"{c['weight']:,.6g}", "weight", c["weight"])
    weighted = "" if c["weight"] == c["rows"] else phrase(", weight {}", "，权重 {}", weight)
    groups: str = ""
    if c["groups"]:
        groups = phrase(" · {}", " · {}", said(counted(c["groups"], "group", "组"), "groups", c["groups"]))
    rows = said(counted(c["rows"], "row", "行"), "rows", c["rows"])
    positive = said(share(c["prevalence"]), "positives", c["prevalence"], "share")
    notes: list[str] = [phrase("{}{} · {} positive{}", "{}{} · 正样本占 {}{}", rows, weighted, positive, groups)]
    warnings: list[str] = []
    if c["zero_weight_rows"]:
        light = counted(c["zero_weight_rows"], "row", "行")
        notes.append(phrase("{} of weight 0 left out", "略去 {}权重为 0 的数据", light))
    warnings += clipped_rows(ev)
    return [*notes, *ev.remarks], warnings


def clipped_rows(ev: RowEvaluation) -> list[str]:
    """The warning on probabilities that are certain and wrong."""
    for e in ev.columns:
        if (clipped := e.measure.clipped(e.beside)) is not None:
            n, part = clipped
            certain = claimed(counted(n, "probability", "个概率"), "count", n, "certain", ev.model)
            told = ("{} at {} or {}, clipped to {}: {} of the loss", "{}等于 {} 或 {}，已截断到 {}：占总损失的 {}")
            fixed = [claimed(f"{x:g}", "benchmark", x) for x in (0, 1, CLIP)]
            lost = claimed(share(part), "share", part, "certain loss", ev.model)
            return [phrase(*told, certain, *fixed, lost)]
    return []


def slices_of_rows(ev: RowEvaluation, digits: int) -> Section:
    """The numbers of each slice."""
    rows = [
        [
            Cell(row["slice"]),
            Cell(shown_slice(row["value"])),
            Cell(f"{row['rows']:,}", quiet=True),
            *(Cell(number(row[label], digits)) for label in ev.labels),
        ]
        for row in ev.slices.iter_rows(named=True)
    ]
    header = [SLICE, Text("value", "取值"), ROWS, *ev.labels]
    return Section(Text("by slice", "按切片"), Grid(header, rows, frozenset({0, 1})), folded=True)
