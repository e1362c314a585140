"""A gate → its decision: evaluate, pair with the baseline, check rule by rule."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from math import isnan
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, overload

import msgspec

from rankgauge._numbers import number
from rankgauge._piped import all_taken_in, as_given, is_there
from rankgauge._show import show
from rankgauge._text import Text, zh
from rankgauge._version import __version__
from rankgauge.alignment import Array
from rankgauge.collection.answering import refuse_shared_file
from rankgauge.collection.tokenizers import tokenizer_named
from rankgauge.comparison.comparable import refuse_incomparable
from rankgauge.comparison.depths import depth_gaps, notes_on_depths
from rankgauge.comparison.pairing import paired_on
from rankgauge.data._places import about, without, word_for
from rankgauge.data.activity import Activity, is_word, with_activity
from rankgauge.data.catalogue import Catalogue, catalogue_of
from rankgauge.data.chunks import Chunks
from rankgauge.data.columns import SharedColumns
from rankgauge.data.learned import first_time
from rankgauge.data.slices import query_attributes
from rankgauge.data.spans import Spans
from rankgauge.data.together import holds_both, refuse_separate, same_judgements
from rankgauge.diagnosis.standards import Benchmark
from rankgauge.errors import InputError, ParameterError, RankgaugeError, UnknownName, suggest
from rankgauge.evaluation.of_rankings import evaluate, refuse_unmeasurable
from rankgauge.evaluation.rankings.naming import as_named, asks_for_budget, asks_for_spans
from rankgauge.evaluation.rankings.record import RankingEvaluation
from rankgauge.evaluation.rankings.slices import slices_of
from rankgauge.gate.asking import (
    asked,
    gold_for,
    is_live,
    questions_for,
    refuse_without_retriever,
    refuse_without_spans,
    retriever_or,
)
from rankgauge.gate.check import Check
from rankgauge.gate.checks import at_least, at_most, loss_of, not_worse, part_of
from rankgauge.gate.config import Gate, SliceRules
from rankgauge.gate.result import GateResult
from rankgauge.gate.rules import Limits, each
from rankgauge.gate.standard import notes_on
from rankgauge.gate.stored import stored_evaluation
from rankgauge.measures.grammar import parse_ranking
from rankgauge.statistics.corrections import holm

if TYPE_CHECKING:
    from rankgauge.gate.prediction_config import PredictionGate
    from rankgauge.gate.predictions import PredictionGateResult

__all__ = ["decided", "measures_wanted", "refuse_other_baseline", "run_gate"]

_MOST_NAMED = 5


@overload
def run_gate(gate: PredictionGate) -> PredictionGateResult: ...
@overload
def run_gate(gate: Gate) -> GateResult: ...
def run_gate(gate: Gate | PredictionGate) -> GateResult | PredictionGateResult:
    """May this release go out, be it a run or (`PredictionGate`) a model of labels and scores?

    Every rule is checked at its own alpha. The release passes only when all rules pass, so the risk of letting a worse
    one out stays at alpha however many rules there are. A slice *fails* only when its p-value, corrected by Holm over
    all slices of the rule, is below alpha: with twenty slices of an unchanged system one would fail by chance.
    """
    from rankgauge.data import Qrels

    if not isinstance(gate, Gate):
        from rankgauge.gate.predictions import run_prediction_gate

        return run_prediction_gate(gate)
    if gate.columns:
        gate = msgspec.structs.replace(gate, columns=SharedColumns(gate.columns))
    sliced_by = None if gate.slices is None else gate.slices.file
    given = (gate.qrels, gate.run, gate.baseline, sliced_by, gate.train, gate.items)
    qrels, run, base, slices, train, items = all_taken_in(*given)
    run = retriever_or(gate, run)
    if run is None and not holds_both(qrels):
        raise InputError(
            Text(
                "gate: `run` is missing, and `qrels` holds judgements only. Name the run to decide on, such as "
                'run = "new.run", or a live retriever, such as retriever = "search:find".',
                'gate：缺少 `run`，而 `qrels` 只有标注。请指定要判定的 run，例如 run = "new.run"；'
                '或在线的检索器，例如 retriever = "search:find"。',
            )
        )
    wanted = [named for name in measures_wanted(gate) for named in as_named(name, gate.convention)]
    label = asks_for_spans(wanted)
    if label and gate.by is None:
        gate = msgspec.structs.replace(gate, by="spans")
    live = [x for x in (run, base) if is_live(x)]
    texts: dict[str, str] = {}
    if live:
        refuse_shared_file(gate.how, len(live))
        qrels, texts = questions_for(gate, qrels)
    else:
        refuse_without_retriever(gate)
        qrels, run, base = gold_for(gate, qrels, run, base, label)
    is_spans = isinstance(qrels, Spans)
    refuse_without_spans(gate, qrels)
    gate = _with_texts(gate, asks_for_budget(wanted) or is_spans)
    judged = qrels if live or isinstance(qrels, Spans) else Qrels.of(qrels, **_reading(gate))
    if live:
        _refuse_unmeasurable(gate, judged)
        run, base = (asked(gate, judged, texts, x) if is_live(x) else x for x in (run, base))
    elif run is not None and not isinstance(judged, Spans):
        instead = Text(
            "A gate decides on one of them: `rankgauge gate new.json --baseline old.json` in a shell, "
            "run_gate(Gate(qrels=new, baseline=old, …)) in Python.",
            "gate 只裁决其中一个：命令行用 `rankgauge gate new.json --baseline old.json`，"
            "Python 中用 run_gate(Gate(qrels=new, baseline=old, …))。",
        )
        refuse_separate(judged, qrels, run=run, instead=instead)
    known = catalogue_of(train, items, gate.columns or None)
    if known is not None and known.train is not None and not isinstance(judged, Spans):
        judged.begin = first_time(qrels, known.train, gate.columns or None)
    ev = _evaluated(gate, judged, qrels if run is None else run, known)
    if slices is not None:
        ev = _with_attributes(ev, slices)
    baseline = _baseline(gate, base, qrels, judged, ev)
    if isinstance(gate.columns, SharedColumns):
        gate.columns.refuse_unused()
    return decided(gate, ev, baseline)


def decided(gate: Gate, ev: RankingEvaluation, baseline: RankingEvaluation | None) -> GateResult:
    """The decision on an evaluation that is there, with its attributes; files of the gate are not read."""
    checks = [at_least(ev, m, limit, alpha=gate.alpha, certain=gate.certain) for m, limit in each(gate.asked)]
    if baseline is not None:
        checks += [not_worse(ev, baseline, m, margin, alpha=gate.alpha) for m, margin in each(gate.non_inferior)]
    checks += [at_most(ev, name, limit) for name, limit in each(gate.ceilings)]
    notes: list[str] = []
    if gate.slices is not None:
        checks += _sliced(gate, gate.slices, ev, baseline, notes)
    return GateResult(
        checks=checks,
        evaluation=ev,
        baseline=baseline,
        alpha=gate.alpha,
        allow_inconclusive=gate.allow_inconclusive,
        accept=gate.accept,
        notes=[
            *notes_on(gate.standard, gate.level, _in_force(gate), ev),
            *_without_rule(gate, ev),
            *ev.notes_on_slices,
            *notes,
            *_about(baseline, ev, gate),
        ],
    )


def _in_force(gate: Gate) -> list[Benchmark]:
    """What the standard asks for and no rule of the gate replaces."""
    return [b for b in gate.figures if b.measure in gate.asked and b.measure not in gate.floors]


# evaluations


def _reading(gate: Gate) -> dict[str, Any]:
    return {"columns": gate.columns} if gate.columns else {}


def measures_wanted(gate: Gate) -> list[str]:
    """The measures to compute: those asked for, then those of rules that are not among them under any name."""
    tables: list[Limits] = [gate.asked, gate.non_inferior]
    if gate.slices is not None:
        tables += [gate.slices.floors, gate.slices.non_inferior]
    known = {m for name in gate.measures for _, m in as_named(name, gate.convention)}
    out = list(gate.measures)
    for name in (name for table in tables for name in table):
        m = parse_ranking(name, gate.convention.parameters)
        if m not in known:
            known.add(m)
            out.append(name)
    return out or ["nDCG@10"]  # ceilings alone: the counts come with any measure


def _evaluated(gate: Gate, judged: Any, run: Any, known: Catalogue | None) -> RankingEvaluation:
    level = 1 - 2 * gate.alpha
    is_spans = isinstance(judged, Spans)
    if is_spans and isinstance(run, (str, PathLike)):
        run = Chunks(run, documents=gate.documents, name=Path(run).stem)
    told = gate.words if not is_spans else {k: v for k, v in gate.words.items() if v is not None}
    reading = {} if is_spans else _reading(gate)
    texts = {name: x for name in ("documents", "tokenizer") if (x := getattr(gate, name)) is not None}
    if is_spans and judged.documents is not None:
        texts.pop("documents", None)
    ev: RankingEvaluation = evaluate(
        judged, run, measures_wanted(gate), confidence_level=level, items=known, **told, **reading, **texts
    )
    return ev


def _refuse_unmeasurable(gate: Gate, judged: Any) -> None:
    """Raise before a retriever is asked, where its answers could not be measured."""
    words: Any = {k: v for k, v in gate.words.items() if k != "convention" and v is not None}
    texts: dict[str, Any] = {"documents": gate.documents, "tokenizer": gate.tokenizer}
    refuse_unmeasurable(judged, measures_wanted(gate), convention=gate.convention, words=words, **texts)


def _with_texts(gate: Gate, asking: str | bool) -> Gate:
    """The gate with what counts tokens as a function; raises where texts are given and no measure looks into them."""
    if not asking and (gate.documents is not None or gate.tokenizer is not None):
        name = "tokenizer" if gate.documents is None else "documents"
        raise ParameterError(
            Text(
                f"gate: `{name}` is for measures that look into documents: with a budget, R(budget=2000t), or of "
                "spans, SpanRecall@5. No rule is about one. Name such a measure, or leave it out.",
                f"gate：`{name}` 用于要看文档内容的指标：带预算的 R(budget=2000t)，或片段指标 SpanRecall@5。"
                "没有规则用到它们。请给出这样的指标，或去掉它。",
            )
        )
    if not isinstance(gate.tokenizer, str):
        return gate
    return msgspec.structs.replace(gate, tokenizer=tokenizer_named(gate.tokenizer))


def _baseline(gate: Gate, given: Any, qrels: Any, judged: Any, ev: RankingEvaluation) -> RankingEvaluation | None:
    if given is None:
        return None
    stored, where = (given if isinstance(given, RankingEvaluation) else None), Text("baseline", "基线")
    if isinstance(given, (str, PathLike)):
        stored, where = stored_evaluation(given), where + f" {show(as_given(given))}"
    if stored is None:
        try:
            if not isinstance(judged, Spans) and judged.sources and holds_both(given):
                judged = same_judgements({"run": qrels, "baseline": given}, gate.columns)
            return _evaluated(gate, judged, given, ev.catalogue)
        except InputError as e:
            raise InputError(Text(f"baseline: {e.text}", f"基线：{zh(e.text)}"), e.problems) from e
    tables = [gate.non_inferior, *([gate.slices.non_inferior] if gate.slices is not None else [])]
    refuse_other_baseline(ev, stored, [name for table in tables for name in table], where)
    return stored


def refuse_other_baseline(
    ev: RankingEvaluation, baseline: RankingEvaluation, measures: Sequence[str], where: str
) -> None:
    """Raise an error when the baseline was made from other queries, judgements, policies or measures."""
    try:
        refuse_incomparable({"baseline": baseline, "run": ev}, [ev.column(m).label for m in measures])
    except (InputError, UnknownName) as e:
        raise InputError(Text(f"{where}: {e.text}", f"{zh(where)}：{zh(e.text)}"), getattr(e, "problems", ())) from e


# slices


def _with_attributes(ev: RankingEvaluation, given: str | Path | Sequence[str | Path]) -> RankingEvaluation:
    several: list[str | Path] = [given] if isinstance(given, (str, Path)) else list(given)
    files = [as_given(x) for x in several if not is_word(x)]
    for x in several:
        if not is_word(x) and not is_there(x):
            file = show(as_given(x))
            raise InputError(Text(f"slices file {file} does not exist.", f"切片文件 {file} 不存在。"))
    made = with_activity(
        several if len(several) > 1 else several[0], None if ev.catalogue is None else ev.catalogue.train
    )
    activity = made if isinstance(made, Activity) else None
    try:
        attributes, notes = query_attributes(made, ev.query_ids)
    except RankgaugeError as e:
        general = about(word_for("slices"))
        if not files or not e.text.startswith(general):
            raise InputError(e.text) from e
        told, file = without(general, e.text), show(files[0])
        raise InputError(Text(f"slices file {file}: {told}", f"切片文件 {file}：{zh(told)}")) from e
    if activity is not None:
        notes = notes[1:]  # the evaluation says of itself how to read them
    return replace(ev, attributes=attributes, activity=activity, remarks=(*ev.remarks, *notes))


def _sliced(
    gate: Gate, rules: SliceRules, ev: RankingEvaluation, baseline: RankingEvaluation | None, notes: list[str]
) -> list[Check]:
    small: dict[str, int] = {}
    checks: list[Check] = []
    for measure, limit in each(rules.floors):
        parts = _large(ev, rules, measure, small)
        checks += [
            at_least(part, measure, limit, alpha=gate.alpha, certain=gate.certain, slice=name)
            for name, part in parts.items()
        ]
    if baseline is not None:
        for measure, margin in each(rules.non_inferior):
            parts = _large(ev, rules, measure, small)
            losses = [loss_of(p, baseline, measure, margin, alpha=gate.alpha, slice=name) for name, p in parts.items()]
            corrected = holm([loss.p_worse for loss in losses])
            checks += [loss.check(p, len(losses)) for loss, p in zip(losses, corrected, strict=True)]
    if small:
        shown = ", ".join(f"{name} ({n})" for name, n in list(small.items())[:_MOST_NAMED])
        n = len(small) - _MOST_NAMED
        more = Text(f" and {n} more", f" 等另外 {n} 个") if n > 0 else Text("", "")
        notes.append(
            Text(
                f"slices with fewer than {rules.min_queries} queries are not checked: {shown}{more}",
                f"不足 {rules.min_queries} 个查询的切片不检查：{shown}{more.zh}",
            )
        )
    return checks


def _large(
    ev: RankingEvaluation, rules: SliceRules, measure: str, small: dict[str, int]
) -> dict[str, RankingEvaluation]:
    """The slices with enough queries that count for the measure; the others go to `small`."""
    out = {}
    for name, mask in _slices(ev, rules):
        part = part_of(ev, mask)
        if part.n(measure) >= rules.min_queries:
            out[name] = part
        else:
            small[name] = part.n(measure)
    if not out:
        raise InputError(
            Text(
                f"slices {show(rules.file)}: no slice has {rules.min_queries} queries for {measure}, the largest has "
                f"{max(small.values(), default=0)}. Lower slices.min_queries.",
                f"切片 {show(rules.file)}：没有切片在 {measure} 上有 {rules.min_queries} 个查询，最大的有 "
                f"{max(small.values(), default=0)} 个。请调低 slices.min_queries。",
            )
        )
    return out


def _slices(ev: RankingEvaluation, rules: SliceRules) -> Iterator[tuple[str, Array]]:
    for attribute in rules.attributes:
        if attribute not in ev.attributes:
            there = ", ".join(ev.attributes) or Text("none", "无")
            raise InputError(
                Text(
                    f"slices {show(rules.file)}: no attribute {show(attribute)} to slice by."
                    f"{suggest(attribute, ev.attributes)} There are: {there}.",
                    f"切片 {show(rules.file)}：没有可用来切片的属性 {show(attribute)}。"
                    f"{zh(suggest(attribute, ev.attributes))}现有：{zh(there)}。",
                )
            )
    for attribute in rules.attributes or ev.attributes:
        for value, inside in slices_of(ev.attributes[attribute]):
            yield f"{attribute}={value}", inside


# notes


def _without_rule(gate: Gate, ev: RankingEvaluation) -> list[str]:
    """Measures that were asked for and that no rule of all queries is about."""
    ruled = {ev.column(name).label for name in (*gate.asked, *gate.non_inferior)}
    asked = {label for name in gate.measures for label, _ in as_named(name, gate.convention)}
    free = [c.label for c in ev.columns if c.label in asked - ruled and not isnan(ev[c.label])]
    said = ", ".join(f"{label} {number(ev[label])}" for label in free)
    return [Text(f"without a rule: {said}", f"没有规则的指标：{said}")] if free else []


def _about(baseline: RankingEvaluation | None, ev: RankingEvaluation, gate: Gate) -> list[str]:
    if baseline is None:
        return []
    out: list[str] = []
    if baseline.version != __version__:
        stored, this = baseline.version, __version__
        out.append(
            Text(
                f"the baseline was stored by rankgauge {stored}, this is {this}",
                f"基线由 rankgauge {stored} 保存，当前版本是 {this}",
            )
        )
    if baseline.judged is None and "judgements" not in baseline.fingerprint:
        out.append(
            Text("the stored baseline does not say which judgements it rests on", "保存的基线没有说明它基于哪些标注")
        )
    names = [baseline.run, ev.run] if baseline.run != ev.run else ["baseline", "run"]
    labels = [ev.column(name).label for name in gate.non_inferior]
    out += notes_on_depths(depth_gaps((names[0], baseline), (names[1], ev), labels))
    for name in gate.non_inferior:
        both = loss_of(ev, baseline, name, 0.0).units.n
        if not both == ev.n(name) == baseline.n(name):
            out.append(paired_on(name, both))
    return out
