"""May this model go out? Rules about labels and scores, from a TOML file or from flags, and the decision.

    [floors]        AUC = 0.75, LogLoss = 0.1     at least, or at most where lower is better
    [bounds]        COPC = [0.9, 1.1]             between, for what must be neither too high nor too low
    [non_inferior]  AUC = 0.002                   not worse than the baseline model on the same rows by more than this

Intervals count the rows of one group as one unit and have the level 1 - 2·alpha; the difference to the baseline is
paired. All rules must pass, so that several of them at alpha each do not raise the risk of letting a worse model out;
over slices a rule against the baseline fails only when its p-value, corrected by Holm, is below alpha.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from math import isnan
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import msgspec

from rankgauge._checks import is_number
from rankgauge._numbers import counted, short, signed
from rankgauge._numbers import number as written
from rankgauge._piped import Piped, as_given, path_of
from rankgauge._plain_data import fields_of as plain_fields_of
from rankgauge._plain_data import read_fields, read_value
from rankgauge._show import show
from rankgauge._text import Text, composed
from rankgauge._words import as_meant
from rankgauge.comparison.parts import segments
from rankgauge.data.settings import settings
from rankgauge.data.side import read_toml
from rankgauge.errors import InputError, ParameterError, RankgaugeError
from rankgauge.evaluation.loading import load_evaluation
from rankgauge.evaluation.of_predictions import evaluate_predictions
from rankgauge.evaluation.predictions.differences import difference
from rankgauge.evaluation.predictions.record import PredictionEvaluation, PredictionEvaluations, estimate
from rankgauge.gate.checks import Check, Outcome
from rankgauge.gate.result import Decision
from rankgauge.gate.rules import Limits, compared, each, margins_of
from rankgauge.measures.grammar import parse_prediction
from rankgauge.statistics.clusters import two_sided
from rankgauge.statistics.corrections import holm
from rankgauge.statistics.intervals import Interval

if TYPE_CHECKING:
    Source = Any  # in Python whatever `evaluate_predictions` takes
else:
    Source = str  # in a file a path

__all__ = ["PredictionGate", "PredictionGateResult", "PredictionSliceRules", "bounds_of", "run_prediction_gate"]

Bounds = dict[str, tuple[float, float]]
_ROUNDING = 1e-12
_SHOWN = 5


class PredictionSliceRules(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Rules that every large enough slice of rows must meet."""

    columns: tuple[str, ...]
    """Columns to slice by."""
    floors: Limits = {}
    bounds: Bounds = {}
    non_inferior: Limits = {}
    min_positives: int = 50
    """Slices with fewer positives or negatives are not checked, and named."""


class PredictionGate(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What must hold before a model goes out: `run_gate(PredictionGate.from_toml("gate.toml"))`."""

    predictions: Annotated[Source, msgspec.Meta(examples=["clicks.csv"])]
    score: str | None = None
    """The column of the model to decide on."""
    baseline: str | None = None
    """The column of the model in use on the same rows, or its evaluation stored as JSON."""
    label: str | None = None
    group: str | None = None
    weight: str | None = None
    time: str | None = None
    positive: str | int | float | bool | None = None
    scale: str | None = None
    negatives_kept: float | None = None
    measures: tuple[str, ...] = ()
    """Measures to show besides those of the rules."""
    alpha: float = 0.05
    """Risk of a wrong decision of one rule; intervals have the level 1 - 2·alpha."""
    certain: bool = False
    """Whether floors and bounds ask that the whole interval keeps to them, not only the value."""
    allow_inconclusive: bool = False
    floors: Limits = {}
    bounds: Bounds = {}
    non_inferior: Limits = {}
    slices: PredictionSliceRules | None = None
    columns: dict[str, str] = {}
    """Columns of the input under other names."""

    def __post_init__(self) -> None:
        for name in ("floors", "bounds", "non_inferior", "columns"):
            if not isinstance(given := getattr(self, name), Mapping):
                raise InputError(
                    Text(
                        f"gate: {name} must map names to values, got {show(given)}.",
                        f"门禁：{name} 必须把名称映射为值，实际为 {show(given)}。",
                    )
                )
        problems = _problems(self)
        if problems:
            raise InputError.collect(Text("gate: ", "门禁："), problems)

    @classmethod
    def from_toml(cls, path: str | PathLike[str], changes: Mapping[str, Any] | None = None) -> PredictionGate:
        """The gate of a file, whose paths are relative to its folder; `changes` are laid over it."""
        file = path_of(path)
        where = Text(f"gate file {show(str(as_given(file)))}", f"门禁文件 {show(str(as_given(file)))}")
        data = dict(read_toml(file, where))
        folder = Path() if isinstance(file, Piped) else file.parent
        if isinstance(data.get("predictions"), str) and data["predictions"] != "-":
            data["predictions"] = str(folder / data["predictions"])
        if isinstance(data.get("baseline"), str) and _is_stored(data["baseline"]):
            data["baseline"] = str(folder / data["baseline"])
        for key, value in (changes or {}).items():
            below = data.get(key)
            data[key] = {**below, **value} if isinstance(below, Mapping) and isinstance(value, Mapping) else value
        return settings(cls, data, where)

    @classmethod
    def from_flags(
        cls,
        *,
        floors: Iterable[str] = (),
        bounds: Iterable[str] = (),
        non_inferior: Iterable[str] = (),
        slice_floors: Iterable[str] = (),
        slice_bounds: Iterable[str] = (),
        slice_non_inferior: Iterable[str] = (),
        slices: Iterable[str] = (),
        min_positives: int | None = None,
        file: str | PathLike[str] | None = None,
        **fields: Any,
    ) -> PredictionGate:
        """A gate from rules as texts (`AUC>=0.75`, `COPC=0.9..1.1`, `LogLoss:0.001`) and other fields."""
        of_slices = {
            "columns": list(slices) or None,
            "floors": _floors_of(slice_floors) or None,
            "bounds": bounds_of(slice_bounds) or None,
            "non_inferior": margins_of(slice_non_inferior) or None,
            "min_positives": min_positives,
        }
        sliced = {k: v for k, v in of_slices.items() if v is not None}
        rules = {"floors": _floors_of(floors), "bounds": bounds_of(bounds), "non_inferior": margins_of(non_inferior)}
        given = {**fields, **{k: v for k, v in rules.items() if v}, **({"slices": sliced} if sliced else {})}
        given = {key: value for key, value in given.items() if value is not None}
        return cls.from_toml(file, given) if file is not None else settings(cls, given, "gate")

    def to_dict(self) -> dict[str, Any]:
        """The gate as plain values, without what is left at its default."""
        plain: dict[str, Any] = msgspec.to_builtins(self)
        return plain


def _is_stored(baseline: str) -> bool:
    return ".json" in Path(baseline).suffixes


def _floors_of(texts: Iterable[str]) -> Limits:
    out: dict[str, Any] = {}
    for text in texts:
        name, sign, limit = compared(text, "floor", "AUC>=0.75")
        direction = parse_prediction(name).direction
        if direction == 0:
            raise ParameterError(
                Text(
                    f"floor {show(text)}: {name} must be neither too high nor too low. Write --bounds {name}=0.9..1.1.",
                    f"下限 {show(text)}：{name} 既不能过高也不能过低。请写 --bounds {name}=0.9..1.1。",
                )
            )
        right = ">=" if direction > 0 else "<="
        if sign != right:
            raise ParameterError(
                Text(
                    f"floor {show(text)}: {name} is better when {'higher' if direction > 0 else 'lower'}. "
                    f"Write {name}{right}{limit}.",
                    f"下限 {show(text)}：{name} 越{'高' if direction > 0 else '低'}越好。请写 {name}{right}{limit}。",
                )
            )
        out[name] = _number(limit, text)
    return out


def bounds_of(texts: Iterable[str]) -> Bounds:
    """`COPC=0.9..1.1` → the least and the greatest value.

    >>> bounds_of(["COPC=0.9..1.1"])
    {'COPC': (0.9, 1.1)}
    """
    out = {}
    for text in texts:
        name, eq, ends = as_meant(text).partition("=")
        low, dots, high = ends.partition("..")
        if not (eq and dots and name.strip()):
            raise ParameterError(
                Text(
                    f"bounds must look like COPC=0.9..1.1, got {show(text)}.",
                    f"bounds 应写作 COPC=0.9..1.1，得到 {show(text)}。",
                )
            )
        out[name.strip()] = (_number(low.strip(), text), _number(high.strip(), text))
    return out


def _number(limit: str, text: str) -> float:
    try:
        return float(limit)
    except ValueError:
        raise ParameterError(
            Text(
                f"{show(text)}: the limit must be a number, got {show(limit)}.",
                f"{show(text)}：界限必须是数字，得到 {show(limit)}。",
            )
        ) from None


# what no gate can mean


def _problems(gate: PredictionGate) -> list[str]:
    out: list[str] = []
    if not (is_number(gate.alpha) and 0 < gate.alpha < 0.5):
        out.append(
            Text(
                f"`alpha` must be between 0 and 0.5, got {show(gate.alpha)}.",
                f"`alpha` 必须在 0 和 0.5 之间，得到 {show(gate.alpha)}。",
            )
        )
    tables = [("", gate)] + ([] if gate.slices is None else [("slices.", gate.slices)])
    if not any(rules.floors or rules.bounds or rules.non_inferior for _, rules in tables):
        out.append(
            Text(
                "there are no rules. Add floors, bounds or non_inferior.",
                "没有规则。请添加 floors、bounds 或 non_inferior。",
            )
        )
    for place, rules in tables:
        for name, limit in each(rules.floors):
            out += _limit(f"{place}floors", name, limit)
        for name, margin in each(rules.non_inferior):
            out += _limit(f"{place}non_inferior", name, margin, at_least=0)
        ends: Any
        for name, ends in rules.bounds.items():
            if not isinstance(ends, (list, tuple)) or len(ends) != 2:
                out.append(
                    Text(
                        f"{place}bounds: {name} must have two ends, such as [0.9, 1.1], got {show(ends)}.",
                        f"{place}bounds：{name} 必须有两端，例如 [0.9, 1.1]，得到 {show(ends)}。",
                    )
                )
                continue
            low, high = ends
            out += [*_limit(f"{place}bounds", name, low), *_limit(f"{place}bounds", name, high)]
            if is_number(low) and is_number(high) and not low <= high:
                out.append(
                    Text(
                        f"{place}bounds: {name} must have the lower end first, got {short(low)} and {short(high)}.",
                        f"{place}bounds：{name} 必须先写下界，得到 {short(low)} 与 {short(high)}。",
                    )
                )
    if any(rules.non_inferior for _, rules in tables) and gate.baseline is None:
        out.append(
            Text(
                "`non_inferior` needs a `baseline`: the column of the model in use, or its stored evaluation.",
                "`non_inferior` 需要 `baseline`：在用模型的列，或它保存的评测。",
            )
        )
    for name in gate.measures:
        out += _limit("measures", name, 0.0)
    return out


def _limit(table: str, name: str, limit: Any, at_least: float | None = None) -> list[str]:
    try:
        m = parse_prediction(name)
    except RankgaugeError as e:
        return [composed("{}: {}", "{}：{}", table, e.text)]
    out: list[str] = []
    if not is_number(limit) or (at_least is not None and limit < at_least):
        need = Text("a number", "数字") if at_least is None else Text("a number of 0 or more", "大于等于 0 的数字")
        out.append(
            Text(
                f"{table}: {name} must have {need.en}, got {show(limit)}.",
                f"{table}：{name} 必须是{need.zh}，得到 {show(limit)}。",
            )
        )
    if m.direction == 0 and not table.endswith(("bounds", "measures")):
        out.append(
            Text(
                f"{table}: {name} is best near {short(m.ideal)}, neither higher nor lower. Give it bounds.",
                f"{table}：{name} 越接近 {short(m.ideal)} 越好，不是越高或越低越好。请用 bounds。",
            )
        )
    return out


# the decision


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
            **plain_fields_of(self, left_out={"evaluation", "baseline", "version"}),
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
    wanted = _wanted(gate)
    model, baseline = _evaluated(gate, wanted)
    checks = _checked(gate, gate, model, baseline, "")
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


def _wanted(gate: PredictionGate) -> list[str]:
    tables: list[Any] = [gate.measures, gate.floors, gate.bounds, gate.non_inferior]
    if gate.slices is not None:
        tables += [gate.slices.floors, gate.slices.bounds, gate.slices.non_inferior]
    known: dict[Any, str] = {}
    for name in (name for table in tables for name in table):
        known.setdefault(parse_prediction(name), name)
    return list(known.values())


def _evaluated(gate: PredictionGate, wanted: list[str]) -> tuple[PredictionEvaluation, PredictionEvaluation | None]:
    stored: Any = None
    if gate.baseline is not None and _is_stored(gate.baseline):
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
                f"门禁：score 与 baseline 必须是不同的列，两次都得到 {show(columns[0])}。",
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
    gate: PredictionGate,
    rules: PredictionGate | PredictionSliceRules,
    model: PredictionEvaluation,
    baseline: PredictionEvaluation | None,
    slice: str,
) -> list[Check]:
    out = [_floor(model, name, limit, gate, slice) for name, limit in each(rules.floors)]
    out += [_bounds(model, name, low, high, gate, slice) for name, (low, high) in rules.bounds.items()]
    if baseline is not None and not slice:
        out += [_loss(model, baseline, name, margin, gate).check() for name, margin in each(rules.non_inferior)]
    return out


def _floor(ev: PredictionEvaluation, name: str, limit: float, gate: PredictionGate, slice: str) -> Check:
    c = ev.column(name)
    sign = c.measure.direction
    symbol = ">=" if sign > 0 else "<="
    interval = ev.interval(name)
    end = interval.low if sign > 0 else interval.high
    reached = sign * (c.value - limit) >= -_ROUNDING
    sure = sign * (end - limit) >= -_ROUNDING  # never for an undefined interval
    title = Text(f"{name} {symbol} {short(limit)}", f"{name} {symbol} {short(limit)}")
    return _made("floor", title, ev, name, limit, reached, sure, gate, slice, f"{symbol} {short(limit)}")


def _bounds(ev: PredictionEvaluation, name: str, low: float, high: float, gate: PredictionGate, slice: str) -> Check:
    c, interval = ev.column(name), ev.interval(name)
    inside = low - _ROUNDING <= c.value <= high + _ROUNDING
    sure = interval.low >= low - _ROUNDING and interval.high <= high + _ROUNDING
    title = Text(f"{name} between {short(low)} and {short(high)}", f"{name} 在 {short(low)} 与 {short(high)} 之间")
    nearest = low if abs(c.value - low) < abs(c.value - high) else high
    return _made("bounds", title, ev, name, nearest, inside, sure, gate, slice, f"{short(low)} … {short(high)}")


def _made(
    rule: str,
    title: Text,
    ev: PredictionEvaluation,
    name: str,
    limit: float,
    holds: bool,
    is_sure: bool,
    gate: PredictionGate,
    slice: str,
    asked: str,
) -> Check:
    c, interval = ev.column(name), ev.interval(name)
    if c.reason:
        message: str = composed("no value: {}", "没有数值：{}", c.reason)
        outcome: Outcome = "inconclusive"  # nothing speaks against it, and nothing for it
    else:
        outcome = "fail" if not holds else "pass" if is_sure or not gate.certain else "inconclusive"
        units = counted(c.n, "unit", "个单元")
        around = "" if isnan(interval.low) else f" ({written(interval.low)} … {written(interval.high)})"
        message = Text(
            f"{written(c.value)}{around} over {units.en}, asked {asked}",
            f"{units.zh}上为 {written(c.value)}{around}，要求 {asked}",
        )
        if outcome == "inconclusive":
            message = composed("{}; {}", "{}；{}", message, _NOT_SURE)
    return Check(rule, title, name, c.value, limit, outcome, message, interval, c.n, slice)


_NOT_SURE = Text("the value keeps to it, its interval does not, or there is none", "数值符合，但其区间不符合或没有区间")


@dataclass(frozen=True)
class _Loss:
    """The evidence on whether a model is worse than its baseline by more than a margin."""

    measure: str
    margin: float
    alpha: float
    sign: int
    values: tuple[float, float]
    gain: float
    error: float
    n: int
    interval: Interval
    """Of the difference, as the measure has it."""
    slice: str = ""

    @property
    def p_worse(self) -> float:
        """p-value of "worse by more than the margin", one-sided."""
        if isnan(self.error):
            return float("nan")
        beyond = self.gain + self.margin
        p = two_sided(beyond, self.error, self.n)
        return p / 2 if beyond < 0 else 1 - p / 2

    def check(self, p_worse: float | None = None) -> Check:
        p = self.p_worse if p_worse is None else p_worse
        low = self.interval.low if self.sign > 0 else -self.interval.high
        settled = self.error == 0 and self.gain >= -self.margin - _ROUNDING
        outcome: Outcome = "inconclusive"
        if settled or low > -self.margin:
            outcome = "pass"
        elif p < self.alpha:
            outcome = "fail"
        before, after = self.values
        around = "" if isnan(low) else f" ({signed(self.interval.low)} … {signed(self.interval.high)})"
        units = counted(self.n, "unit", "个单元")
        difference_ = self.sign * self.gain
        message: str = Text(
            f"{written(before)} to {written(after)}, difference {signed(difference_)}{around} over {units.en}, "
            f"a loss of {short(self.margin)} allowed",
            f"{written(before)} → {written(after)}，差值 {signed(difference_)}{around}，{units.zh}，"
            f"允许损失 {short(self.margin)}",
        )
        if outcome == "inconclusive":
            message = composed("{}; {}", "{}；{}", message, _OPEN)
        title = Text(
            f"{self.measure} not worse by more than {short(self.margin)}",
            f"{self.measure} {'下降' if self.sign > 0 else '上升'}不超过 {short(self.margin)}",
        )
        limit = -self.sign * self.margin + 0.0
        return Check(
            "non_inferior", title, self.measure, difference_, limit, outcome, message, self.interval, self.n, self.slice
        )


_OPEN = Text("these rows do not settle it", "这些数据不足以判定")


def _loss(
    model: PredictionEvaluation, baseline: PredictionEvaluation, name: str, margin: float, gate: PredictionGate
) -> _Loss:
    return _loss_of(model.column(name), baseline.column(name), model.model, baseline.model, name, margin, gate.alpha)


def _loss_of(
    mine: Any, theirs: Any, model: str, baseline: str, name: str, margin: float, alpha: float, slice: str = ""
) -> _Loss:
    d = difference(mine, theirs, model, baseline, 1 - 2 * alpha, 0, 0)
    sign = mine.measure.direction
    values = theirs.value, mine.value
    return _Loss(name, margin, alpha, sign, values, sign * d.value, d.error, d.n, d.interval, slice)


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
        if min(s.n_positives, s.n_negatives) < rules.min_positives:
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
        checks += _checked(gate, rules, part_of(model, rows), None, name)
    if baseline is not None:
        for measure, margin in each(rules.non_inferior):
            losses = []
            for name, rows in kept:
                mine, theirs = (part_of(ev, rows).column(measure) for ev in (model, baseline))
                names = model.model, baseline.model
                losses.append(_loss_of(mine, theirs, *names, measure, margin, gate.alpha, name))
            corrected = holm([loss.p_worse for loss in losses])
            checks += [loss.check(p) for loss, p in zip(losses, corrected, strict=True)]
    if small:
        shown = ", ".join(small[:_SHOWN]) + (", …" if len(small) > _SHOWN else "")
        notes.append(
            Text(
                f"slices with fewer than {rules.min_positives} positives or negatives are not checked: {shown}",
                f"正样本或负样本不足 {rules.min_positives} 个的切片不检查：{shown}",
            )
        )
    return checks
