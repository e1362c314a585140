"""One system on one dataset of a project: lists read or collected, evaluated, held to the rules."""

from __future__ import annotations

import sys
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Any

import msgspec

from rankgauge._text import Text, zh
from rankgauge.collection.named import retriever_named
from rankgauge.collection.tokenizers import tokenizer_named
from rankgauge.data.questions import judged_by, queries_of
from rankgauge.errors import InputError
from rankgauge.evaluation.of_predictions import evaluate_predictions
from rankgauge.evaluation.of_rankings import evaluate
from rankgauge.evaluation.predictions.record import PredictionEvaluation
from rankgauge.evaluation.rankings.conventions import convention as convention_named
from rankgauge.evaluation.rankings.naming import DEFAULT_MEASURES, as_named, asks_for_budget, asks_for_spans
from rankgauge.evaluation.rankings.record import RankingEvaluation
from rankgauge.gate.predictions import PredictionGateResult, decided_on_model, prediction_measures_wanted
from rankgauge.gate.result import GateResult
from rankgauge.gate.running import decided, measures_wanted, refuse_other_baseline
from rankgauge.history.history import History
from rankgauge.project.baselines import FIRST, Baseline, baseline_of
from rankgauge.project.file import Project, slices_of_rankings
from rankgauge.project.gating import prediction_gate, ranking_gate
from rankgauge.project.tables import GateRules

__all__ = ["Measured", "measured"]


@dataclass(frozen=True)
class Measured:
    """What there is of one system on one dataset."""

    evaluation: Any
    decision: GateResult | PredictionGateResult | None
    baseline: str = ""
    collected: Any = None
    note: str = ""
    """Why rules against the baseline were not checked."""
    is_open: bool = False
    """Whether that leaves the decision open."""


def measured(project: Project, dataset: str, system: str, history: History, at: datetime) -> Measured:
    """Evaluates and decides; raises what is wrong with the input."""
    rules = project.gate(dataset)
    kind = "predictions" if project.tables.datasets[dataset].is_of_rows else "rankings"
    base = None
    if rules is not None:
        said = rules.baseline
        file = None if said is None else project.at(said)
        base = baseline_of(said, history, project.name, system, dataset, kind, at, file)
    work = _rows if kind == "predictions" else _rankings
    return work(project, dataset, system, rules, base)


def _left_out(rules: GateRules | None, base: Baseline | None) -> tuple[str, bool]:
    """What is said of rules that need a baseline where there is none."""
    asks = rules is not None and (rules.non_inferior or (rules.slices is not None and rules.slices.non_inferior))
    return (FIRST, False) if asks and base is None else ("", False)


def _incomparable(error: InputError) -> str:
    first = error.text.partition("\n")[0] if not isinstance(error.text, Text) else error.text
    return Text(
        f"the baseline cannot be compared with: {first}",
        f"无法与基线比较：{zh(first)}",
    )


# rankings


def _rankings(project: Project, dataset: str, system: str, rules: GateRules | None, base: Baseline | None) -> Measured:
    t, data = project.tables, project.tables.datasets[dataset]
    measures = _measures(project, dataset)
    full = None if rules is None else ranking_gate(rules, t.policy, data, measures, has_baseline=True)
    wanted = list(measures) if full is None else measures_wanted(full)
    ev, collected = _evaluated(project, dataset, system, wanted)
    note, is_open = _left_out(rules, base)
    if base is not None and full is not None:
        sliced = {} if full.slices is None else full.slices.non_inferior
        try:
            refuse_other_baseline(ev, base.record, [*full.non_inferior, *sliced], Text("baseline", "基线"))
        except InputError as e:
            if base.is_chosen:
                raise
            base, note, is_open = None, _incomparable(e), True
    gate = None if rules is None else ranking_gate(rules, t.policy, data, measures, has_baseline=base is not None)
    result = None if gate is None else decided(gate, ev, None if base is None else base.record)
    return Measured(ev, result, "" if base is None else base.name, collected, note, is_open)


def _measures(project: Project, dataset: str) -> tuple[str, ...]:
    """As asked for, else those of the scenario, else the usual ones."""
    if found := project.measures(dataset):
        return found
    if project.tables.scenario is None:
        return tuple(DEFAULT_MEASURES)
    from rankgauge.diagnosis.standards import load_standards

    train = project.tables.datasets[dataset].train
    return tuple(load_standards().scenario(project.tables.scenario).measures_with(train))


def _evaluated(project: Project, dataset: str, name: str, wanted: list[str]) -> tuple[RankingEvaluation, Any]:
    from rankgauge.data.chunks import Chunks

    t, data, system = project.tables, project.tables.datasets[dataset], project.tables.systems[name]
    named = as_named(wanted, convention_named(t.policy.convention))
    of_spans = asks_for_spans(named)
    documents = None if data.documents is None else project.at(data.documents)
    columns = dict(data.columns) or None
    judged: Any = project.at(data.judged)
    if of_spans:
        judged = judged_by(judged, documents, columns=columns, by="spans")[0]
    collected, run = None, None
    if system.retriever is not None:
        run = _asked(project, dataset, name, documents if of_spans else None)
        collected = run.collected
    else:
        path = system.run[dataset] if isinstance(system.run, dict) else system.run
        assert path is not None
        run = project.at(path)
        if of_spans:
            run = Chunks(run, documents=documents, name=Path(path).stem)
    words = {k: v for k, v in msgspec.structs.asdict(t.policy).items() if v is not None}
    how: dict[str, Any] = {
        "slices": slices_of_rankings(project, data),
        "train": None if data.train is None else project.at(data.train),
        "items": None if data.items is None else project.at(data.items),
        "columns": None if of_spans else columns,
    }
    if asks_for_budget(named):
        how["documents"] = documents
        how["tokenizer"] = None if data.tokenizer is None else tokenizer_named(data.tokenizer)
    given = {k: v for k, v in how.items() if v is not None}
    ev: RankingEvaluation = evaluate(
        judged, run, wanted, confidence_level=t.confidence_level, progress=False, **words, **given
    )
    return replace(ev, run=name, qrels=dataset), collected


def _asked(project: Project, dataset: str, name: str, documents: str | None) -> Any:
    """The lists of a live retriever; one that answers nothing at all is broken."""
    from rankgauge.collection.collecting import collect

    data, system = project.tables.datasets[dataset], project.tables.systems[name]
    assert system.retriever is not None
    texts = queries_of(project.at(data.questions or data.judged), dict(data.columns) or None)
    found = retriever_named(_placed(system.retriever, project.folder))
    run = collect(texts, found, system.k, name=name, progress=False, documents=documents, **system.asking)
    c = run.collected
    assert c is not None
    if c.failures and c.failures == len(c.query_ids):
        first = next(e for e in (*c.errors, "timeout") if e)
        raise InputError(
            Text(
                f"the retriever answered none of {len(c.query_ids):,} queries: {first}",
                f"检索器对 {len(c.query_ids):,} 个查询都没有回答：{first}",
            )
        )
    return run


def _placed(word: str, folder: Path) -> str:
    """`module:object` with the module that lies beside the project file, where there is one."""
    module, _, path = word.rpartition(":")
    file = folder / (module if module.endswith(".py") else f"{module.replace('.', '/')}.py")
    if not file.is_file():
        return word
    beside = str(folder.resolve())
    if beside not in sys.path:
        sys.path.insert(0, beside)  # what it imports lies beside it
    return f"{file.resolve()}:{path}"


# labels and scores


def _rows(project: Project, dataset: str, name: str, rules: GateRules | None, base: Baseline | None) -> Measured:
    t, data, system = project.tables, project.tables.datasets[dataset], project.tables.systems[name]
    assert data.predictions is not None
    assert system.score is not None
    measures = project.measures(dataset)
    full = None if rules is None else prediction_gate(rules, data, system.score, measures, has_baseline=True)
    wanted = list(measures) if full is None else prediction_measures_wanted(full)
    sliced = list(data.slices or ()) if not isinstance(data.slices, str) else []
    if full is not None and full.slices is not None:
        sliced = list(dict.fromkeys([*sliced, *full.slices.columns]))
    names = ("label", "group", "weight", "time", "positive", "scale", "negatives_kept")
    how = {k: v for k in names if (v := getattr(data, k)) is not None}
    found: Any = evaluate_predictions(
        project.at(data.predictions),
        wanted or None,
        scores=system.score,
        slices=sliced or None,
        columns=dict(data.columns) or None,
        confidence_level=t.confidence_level,
        engine="memory",
        **how,
    )
    if not isinstance(found, PredictionEvaluation):
        raise InputError(
            Text("labels and scores of two classes are needed.", "需要两个类别的标签与得分。")
        )  # pragma: no cover - a score alone is always of two
    ev = replace(found, model=name, data=dataset)
    note, is_open = _left_out(rules, base)
    result = None
    if rules is not None:
        try:
            result = _decided(project, dataset, system.score, rules, ev, base)
        except InputError as e:
            if base is None or base.is_chosen:
                raise
            base, note, is_open = None, _incomparable(e), True
            result = _decided(project, dataset, system.score, rules, ev, None)
    return Measured(ev, result, "" if base is None else base.name, None, note, is_open)


def _decided(
    project: Project, dataset: str, score: str, rules: GateRules, ev: PredictionEvaluation, base: Baseline | None
) -> PredictionGateResult | None:
    data, measures = project.tables.datasets[dataset], project.measures(dataset)
    gate = prediction_gate(rules, data, score, measures, has_baseline=base is not None)
    if gate is None:
        return None
    at_level = replace(ev, confidence_level=1 - 2 * gate.alpha)  # intervals of the rules, as of any gate
    return decided_on_model(gate, at_level, None if base is None else base.record)
