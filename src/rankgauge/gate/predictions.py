"""May this model go out? Rules about labels and scores, and the decision.

    [floors]        AUC = 0.75, LogLoss = 0.1     at least, or at most where lower is better
    [bounds]        COPC = [0.9, 1.1]             between, for what must be neither too high nor too low
    [non_inferior]  AUC = 0.002                   not worse than the baseline model on the same rows by more than this

Intervals count the rows of one group as one unit and have the level 1 - 2·alpha; the difference to the baseline is
paired. All rules must pass, so that several of them at alpha each do not raise the risk of letting a worse model out;
over slices a rule against the baseline fails only when its p-value, corrected by Holm, is below alpha.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from math import isnan
from typing import Any

from rankgauge._numbers import number as written
from rankgauge._plain_data import read_fields, read_value, stored_fields
from rankgauge._show import show
from rankgauge._text import Text
from rankgauge.comparison.parts import segments
from rankgauge.errors import InputError
from rankgauge.evaluation.loading import load_evaluation
from rankgauge.evaluation.of_predictions import evaluate_predictions
from rankgauge.evaluation.predictions.record import PredictionEvaluation, PredictionEvaluations, estimate
from rankgauge.gate.check import Check
from rankgauge.gate.prediction_checks import between, good_enough, model_loss
from rankgauge.gate.prediction_config import PredictionGate, PredictionSliceRules, is_stored
from rankgauge.gate.result import Decision
from rankgauge.gate.rules import each
from rankgauge.measures.grammar import parse_prediction
from rankgauge.statistics.corrections import holm
from rankgauge.statistics.exact_sums import exact_sum

__all__ = ["PredictionGateResult", "decided_on_model", "prediction_measures_wanted", "run_prediction_gate"]

_SHOWN = 5


@dataclass(frozen=True, eq=False, kw_only=True)
class PredictionGateResult(Decision, kind="prediction_gate", schema=1):
    """May the model go out? `result.outcome` is pass, fail or inconclusive; `result.exit_code` is 0, 1 or 3."""

    evaluation: PredictionEvaluation = field(repr=False)
    baseline: PredictionEvaluation | None = field(default=None, repr=False)

    def _plain(self) -> dict[str, Any]:
        both = {"model": self.evaluation, **({} if self.baseline is None else {"baseline": self.baseline})}
        return {
            "outcome": self.outcome,
            "exit_code": self.exit_code,
            "decision": self.decision,
            **stored_fields(self, left_out={"evaluation", "baseline", "version"}),
            "evaluations": {name: ev.to_dict() for name, ev in both.items()},
        }

    @classmethod
    def _from_plain(cls, data: Any) -> PredictionGateResult:
        both = read_value(dict[str, dict[str, Any]], data["evaluations"], "evaluations")
        found = {
            name: PredictionEvaluation.from_dict({"rankgauge": data["rankgauge"], **x}) for name, x in both.items()
        }
        given = {"evaluation": found["model"], "baseline": found.get("baseline")}
        return cls(**read_fields(cls, data, given=given))


def run_prediction_gate(gate: PredictionGate) -> PredictionGateResult:
    """Every rule is checked at its own alpha; the model passes only when all rules pass."""
    model, baseline = _evaluated(gate, prediction_measures_wanted(gate))
    return decided_on_model(gate, model, baseline)


def decided_on_model(
    gate: PredictionGate, model: PredictionEvaluation, baseline: PredictionEvaluation | None
) -> PredictionGateResult:
    """The decision on an evaluation that is there; files of the gate are not read."""
    checks = _checked(gate, gate, model)
    if baseline is not None:
        losses = (model_loss(model, baseline, m, margin, alpha=gate.alpha) for m, margin in each(gate.non_inferior))
        checks += [loss.check() for loss in losses]
    notes: list[str] = []
    if gate.slices is not None:
        checks += _sliced(gate, gate.slices, model, baseline, notes)
    ruled = {name for table in (gate.floors, gate.bounds, gate.non_inferior) for name in table}
    free = [name for name in gate.measures if name not in ruled and not isnan(model[name])]
    if free:
        said = ", ".join(f"{name} {written(model[name])}" for name in free)
        notes.append(Text(f"without a rule: {said}", f"没有规则的指标：{said}"))
    return PredictionGateResult(
        checks=checks,
        evaluation=model,
        baseline=baseline,
        alpha=gate.alpha,
        allow_inconclusive=gate.allow_inconclusive,
        notes=notes,
    )


def prediction_measures_wanted(gate: PredictionGate) -> list[str]:
    tables: list[Any] = [gate.measures, gate.floors, gate.bounds, gate.non_inferior]
    if gate.slices is not None:
        tables += [gate.slices.floors, gate.slices.bounds, gate.slices.non_inferior]
    known: dict[Any, str] = {}
    for name in (name for table in tables for name in table):
        known.setdefault(parse_prediction(name), name)
    return list(known.values())


def _evaluated(gate: PredictionGate, wanted: list[str]) -> tuple[PredictionEvaluation, PredictionEvaluation | None]:
    stored: Any = None
    if gate.baseline is not None and is_stored(gate.baseline):
        stored = load_evaluation(gate.baseline)
        if not isinstance(stored, PredictionEvaluation):
            raise InputError(
                Text(
                    f"baseline {show(gate.baseline)} must be an evaluation of labels and scores of one model.",
                    f"基线 {show(gate.baseline)} 必须是单个模型的标签与得分的评测。",
                )
            )
    columns = [name for name in (gate.score, None if stored is not None else gate.baseline) if name]
    if gate.baseline is not None and stored is None and gate.score is None:
        raise InputError(
            Text(
                "gate: with a baseline column, `score` must name the column of the model to decide on.",
                "门禁：给出基线列时，`score` 必须指明要裁决的模型所在的列。",
            )
        )
    if len(set(columns)) < len(columns):
        raise InputError(
            Text(
                f"gate: score and baseline must be different columns, got {show(columns[0])} twice.",
                f"门禁：score 与 baseline 必须是不同的列，两次都为 {show(columns[0])}。",
            )
        )
    how = {name: getattr(gate, name) for name in ("label", "group", "weight", "time", "positive", "scale")}
    found: Any = evaluate_predictions(  # of classes too, whatever rules say
        gate.predictions,
        wanted,
        scores=columns if len(columns) > 1 else columns[0] if columns else None,
        slices=list(gate.slices.columns) if gate.slices is not None else None,
        columns=gate.columns or None,
        negatives_kept=gate.negatives_kept,
        confidence_level=1 - 2 * gate.alpha,
        engine="memory",
        **how,
    )
    if isinstance(found, PredictionEvaluations):
        if len(columns) < 2:
            raise InputError(
                Text(
                    f"gate: the rows have several scores ({', '.join(found)}). Name one with `score`.",
                    f"门禁：数据中有多个得分（{'、'.join(found)}）。请用 `score` 指定一个。",
                )
            )
        return found[columns[0]], found[columns[1]]
    if not isinstance(found, PredictionEvaluation):
        raise InputError(Text("gate: labels and scores of two classes are needed.", "门禁：需要两个类别的标签与得分。"))
    return found, stored


def _checked(
    gate: PredictionGate, rules: PredictionGate | PredictionSliceRules, model: PredictionEvaluation, slice: str = ""
) -> list[Check]:
    how: Any = {"certain": gate.certain, "slice": slice}
    return [
        *(good_enough(model, name, limit, **how) for name, limit in each(rules.floors)),
        *(between(model, name, *ends, **how) for name, ends in rules.bounds.items()),
    ]


def _sliced(
    gate: PredictionGate,
    rules: PredictionSliceRules,
    model: PredictionEvaluation,
    baseline: PredictionEvaluation | None,
    notes: list[str],
) -> list[Check]:
    assert model.predictions is not None
    assert model.sample is not None
    if baseline is not None and baseline.sample is None and rules.non_inferior:
        raise InputError(
            Text(
                "gate: rules by slice against the baseline need its scores on the same rows: name its column.",
                "门禁：按切片与基线比较需要基线在同一批样本上的得分：请指明它的列。",
            )
        )
    small: list[str] = []
    kept: list[tuple[str, Any]] = []
    for part in segments(model.predictions, rules.columns):
        s = model.sample.rows(part.rows)
        name = f"{part.column}={part.value}"
        positives = exact_sum(s.label * 1.0)  # rows, whatever they weigh
        if min(positives, len(s) - positives) < rules.min_positives:
            small.append(name)
        else:
            kept.append((name, part.rows))
    if not kept:
        raise InputError(
            Text(
                f"gate: no slice of {', '.join(rules.columns)} has {rules.min_positives} positives and negatives. "
                "Lower slices.min_positives.",
                f"门禁：{', '.join(rules.columns)} 没有一个切片有 {rules.min_positives} 个正样本和负样本。"
                "请降低 slices.min_positives。",
            )
        )

    def part_of(ev: PredictionEvaluation, rows: Any) -> PredictionEvaluation:
        assert ev.sample is not None
        sample = ev.sample.rows(rows)
        return replace(ev, columns=[estimate(c.label, c.measure, sample) for c in ev.columns], sample=sample)

    checks: list[Check] = []
    for name, rows in kept:
        checks += _checked(gate, rules, part_of(model, rows), name)
    if baseline is not None:
        for measure, margin in each(rules.non_inferior):
            losses = [
                model_loss(part_of(model, rows), part_of(baseline, rows), measure, margin, alpha=gate.alpha, slice=name)
                for name, rows in kept
            ]
            corrected = holm([loss.p_worse for loss in losses])
            checks += [loss.check(p, len(losses)) for loss, p in zip(losses, corrected, strict=True)]
    if small:
        shown = ", ".join(small[:_SHOWN]) + (", …" if len(small) > _SHOWN else "")
        notes.append(
            Text(
                f"slices with fewer than {rules.min_positives} positives or negatives are not checked: {shown}",
                f"正样本或负样本不足 {rules.min_positives} 个的切片不检查：{shown}",
            )
        )
    return checks
