"""What a gate asks of a model of labels and scores: rows, columns and rules, from a TOML file or from flags."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypedDict, Unpack

import msgspec

from rankgauge._numbers import short
from rankgauge._show import show
from rankgauge._text import Text, composed, zh
from rankgauge._words import as_meant
from rankgauge.data.settings import settings
from rankgauge.errors import InputError, RankgaugeError
from rankgauge.gate.file import gate_file, laid_over, without_empty
from rankgauge.gate.limits import (
    empty_lists,
    odd_alpha,
    odd_least,
    odd_limit,
    out_of_reach,
    refuse_no_tables,
    values_of,
)
from rankgauge.gate.rules import Bounds, Limits, bounds_of, each, floors_of, margins_of
from rankgauge.measures.grammar import parse_prediction
from rankgauge.measures.predictions.base import PredictionMeasure

if TYPE_CHECKING:
    Source = Any  # in Python whatever `evaluate_predictions` takes
else:
    Source = str  # in a file a path

__all__ = ["PredictionGate", "PredictionGateFields", "PredictionSliceRules", "is_stored"]


class PredictionSliceRules(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Rules that every large enough slice of rows must meet."""

    columns: tuple[str, ...]
    """Columns to slice by."""
    floors: Limits = {}
    bounds: Bounds = {}
    non_inferior: Limits = {}
    min_positives: int = 50
    """Slices with fewer positives or negatives are not checked, and named."""


class PredictionGateFields(TypedDict, total=False):
    """The fields of a gate of models but for its rules, for those who make one of flags."""

    predictions: Any
    score: str | None
    baseline: str | None
    label: str | None
    group: str | None
    weight: str | None
    time: str | None
    positive: str | int | float | bool | None
    scale: str | None
    negatives_kept: float | None
    measures: Sequence[str]
    alpha: float
    certain: bool
    allow_inconclusive: bool
    columns: Mapping[str, str] | None


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
        refuse_no_tables({name: getattr(self, name) for name in ("floors", "bounds", "non_inferior", "columns")})
        problems = _problems(self)
        if problems:
            raise InputError.collect(Text("gate: ", "门禁："), problems)

    @classmethod
    def from_toml(cls, path: str | PathLike[str], changes: Mapping[str, Any] | None = None) -> PredictionGate:
        """The gate of a file, whose paths are relative to its folder; `changes` are laid over it."""
        data, folder, where = gate_file(path)
        return settings(cls, laid_over(_placed(data, folder), changes or {}, _meaning), where)

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
        **fields: Unpack[PredictionGateFields],
    ) -> PredictionGate:
        """A gate from rules as texts (`AUC>=0.75`, `COPC=0.9..1.1`, `LogLoss:0.001`) and other fields.

        Laid over the gate of `file` when one is given: rules for the same measure replace those of the file.

        >>> PredictionGate.from_flags(predictions="clicks.csv", floors=["AUC>=0.75"]).floors
        {'AUC': 0.75}
        """
        of_slices = {
            "columns": list(slices) or None,
            **_rules_of(slice_floors, slice_bounds, slice_non_inferior),
            "min_positives": min_positives,
        }
        given = {**fields, **_rules_of(floors, bounds, non_inferior), "slices": without_empty(of_slices)}
        given = without_empty(given)
        return cls.from_toml(file, given) if file is not None else settings(cls, given, Text("gate", "门禁"))

    def to_dict(self) -> dict[str, Any]:
        """The gate as plain values, without what is left at its default."""
        plain: dict[str, Any] = msgspec.to_builtins(self)
        return plain


def _rules_of(floors: Iterable[str], bounds: Iterable[str], non_inferior: Iterable[str]) -> dict[str, Any]:
    return {
        "floors": floors_of(floors, parse_prediction, "AUC>=0.75"),
        "bounds": bounds_of(bounds),
        "non_inferior": margins_of(non_inferior, "AUC:0.002"),
    }


def is_stored(baseline: str) -> bool:
    """Whether a baseline is a stored evaluation, not a column."""
    return ".json" in Path(baseline).suffixes


def _placed(data: Mapping[str, Any], folder: Path) -> dict[str, Any]:
    """The same with paths as seen from the current folder."""
    out = dict(data)
    rows, baseline = out.get("predictions"), out.get("baseline")
    if isinstance(rows, str) and rows != "-":
        out["predictions"] = str(folder / rows)
    if isinstance(baseline, str) and is_stored(baseline):
        out["baseline"] = str(folder / baseline)
    return out


def _meaning(name: str) -> Any:
    """What a rule is about: the measure, or the name where it is none."""
    try:
        return parse_prediction(name)
    except RankgaugeError:
        return as_meant(name)


# what no gate can mean


def _problems(gate: PredictionGate) -> list[str]:
    out = odd_alpha(gate.alpha)
    tables: list[tuple[str, PredictionGate | PredictionSliceRules]] = [("", gate)]
    if gate.slices is not None:
        tables.append(("slices.", gate.slices))
        out += odd_least("slices.min_positives", gate.slices.min_positives)
        if not _has_rules(gate.slices):
            out.append(
                Text(
                    "`slices` has no rules. Add slices.floors, slices.bounds or slices.non_inferior.",
                    "`slices` 没有规则。请加上 slices.floors、slices.bounds 或 slices.non_inferior。",
                )
            )
    if not any(_has_rules(rules) for _, rules in tables):
        out.append(
            Text(
                "there are no rules. Add `floors`, `bounds` or `non_inferior`.",
                "没有规则。请加上 `floors`、`bounds` 或 `non_inferior`。",
            )
        )
    for place, rules in tables:
        for table, limits in ((f"{place}floors", rules.floors), (f"{place}non_inferior", rules.non_inferior)):
            out += [p for name, limit in each(limits) for p in _limit(table, name, limit)]
            out += empty_lists(table, limits)
        out += [p for name, ends in rules.bounds.items() for p in _bounds(f"{place}bounds", name, ends)]
    if any(rules.non_inferior for _, rules in tables) and gate.baseline is None:
        out.append(
            Text(
                "`non_inferior` needs a `baseline`: the column of the model in use, or its stored evaluation.",
                "`non_inferior` 需要 `baseline`：在用模型的列，或它保存的评测。",
            )
        )
    return out + [p for name in gate.measures for p in _measure("measures", name)[1]]


def _has_rules(rules: PredictionGate | PredictionSliceRules) -> bool:
    return bool(rules.floors or rules.bounds or rules.non_inferior)


def _measure(table: str, name: str) -> tuple[PredictionMeasure | None, list[str]]:
    try:
        return parse_prediction(name), []
    except RankgaugeError as e:
        return None, [composed("{}: {}", "{}：{}", table, e.text)]


def _limit(table: str, name: str, limit: Any) -> list[str]:
    m, out = _measure(table, name)
    out += odd_limit(table, name, limit)
    if m is None:
        return out
    if m.direction:
        return out + out_of_reach(table, name, m, limit)
    out.append(
        Text(
            f"{table}: {name} is best near {short(m.ideal)}, neither higher nor lower. Give it bounds.",
            f"{table}：{name} 越接近 {short(m.ideal)} 越好，不是越高或越低越好。请用 bounds。",
        )
    )
    return out


def _bounds(table: str, name: str, ends: Any) -> list[str]:
    m, out = _measure(table, name)
    if not isinstance(ends, (list, tuple)) or len(ends) != 2:
        return [
            *out,
            Text(
                f"{table}: {name} must have two ends, such as [0.9, 1.1], got {show(ends)}.",
                f"{table}：{name} 必须有两端，例如 [0.9, 1.1]，实际为 {show(ends)}。",
            ),
        ]
    low, high = ends
    odd = [p for end in ends for p in odd_limit(table, name, end)]
    if odd or m is None:
        return out + odd
    if not low <= high:
        out.append(
            Text(
                f"{table}: {name} must have the lower end first, got {short(low)} and {short(high)}.",
                f"{table}：{name} 必须先写下界，实际为 {short(low)} 与 {short(high)}。",
            )
        )
    elif high < m.bounds[0] or low > m.bounds[1]:
        values = values_of(m)
        out.append(
            Text(
                f"{table}: {name} is {values}, never between {short(low)} and {short(high)}.",
                f"{table}：{name} 的取值{zh(values)}，不可能在 {short(low)} 与 {short(high)} 之间。",
            )
        )
    return out
