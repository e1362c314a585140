"""Two models by segment and by day: where is the new one better, where worse?

Every part is paired on its own rows, and every interval has the level 1 - α/K over the K parts, measures and models
that are compared (Bonferroni): where the models do not differ, the chance that any part is called better or worse is at
most α. Of a measure with an ideal value (COPC) better means nearer to it, which may be open where the difference itself
is not. Parts with fewer than `fewest` positives, negatives or units are shown and not judged.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import isnan, nan
from typing import TYPE_CHECKING, Any, Unpack

from rankgauge._checks import one_of, whole
from rankgauge._numbers import percent
from rankgauge._records import Record
from rankgauge._show import show
from rankgauge._text import Text, as_spoken, joined
from rankgauge._version import __version__
from rankgauge.alignment.sample import Sample
from rankgauge.comparison.parts import EVERY, FEWEST, Part, is_enough, periods, rough, segments, weighed
from rankgauge.errors import InputError, ParameterError, suggest
from rankgauge.evaluation.of_predictions import evaluate_predictions
from rankgauge.evaluation.predictions.asking import OfPredictions
from rankgauge.evaluation.predictions.differences import difference
from rankgauge.evaluation.predictions.record import PredictionEvaluation, PredictionEvaluations, estimate
from rankgauge.evaluation.predictions.splits import RowOptions
from rankgauge.evaluation.record import plain
from rankgauge.measures.grammar import as_list
from rankgauge.statistics.intervals import check_alpha

if TYPE_CHECKING:
    import polars as pl

__all__ = ["ByPart", "PartChange", "compare_by"]

DEFAULT = ("AUC", "LogLoss", "COPC")
_ROUNDING = 1e-12


@dataclass(frozen=True)
class PartChange:
    """One model against the baseline, in one part, by one measure."""

    column: str
    """The segment column, or the length of periods."""
    part: str
    measure: str
    model: str
    rows: int
    positives: float
    units: int
    baseline_value: float
    value: float
    difference: float
    low: float
    high: float
    """Of the difference, at the corrected level."""
    p_corrected: float
    word: str
    """better, worse, not clear, few (not judged), or undefined."""


@dataclass(frozen=True, eq=False, kw_only=True)
class ByPart(Record, kind="by_part", schema=1):
    """Models against a baseline in every part; `found.of("better")` are the parts with that word."""

    changes: tuple[PartChange, ...]
    baseline: str
    models: tuple[str, ...]
    measures: tuple[str, ...]
    columns: tuple[str, ...]
    every: str
    """The length of periods; empty where there are none."""
    data: str
    alpha: float
    tests: int
    fewest: int
    sentences: tuple[str, ...]
    """What each model and measure come to, models first."""
    notes: tuple[str, ...] = ()
    version: str = ""

    @property
    def verdict(self) -> str:
        """What all of them come to."""
        return joined(" ", self.sentences)

    def of(self, word: str) -> list[PartChange]:
        """The changes with this word."""
        return [c for c in self.changes if c.word == word]

    def csv_rows(self) -> list[dict[str, Any]]:
        """One dict per part, measure and model."""
        return [{k: plain(v) for k, v in vars(c).items()} for c in self.changes]

    def to_frame(self) -> pl.DataFrame:
        """One row per part, measure and model."""
        import polars as pl

        return pl.DataFrame(self.csv_rows(), infer_schema_length=None)


def compare_by(
    predictions: Any,
    measures: OfPredictions | Sequence[OfPredictions] | None = None,
    *,
    slices: Sequence[str] | str | None = None,
    every: str | None = None,
    baseline: str | None = None,
    alpha: float = 0.05,
    fewest: int = FEWEST,
    **reading: Unpack[RowOptions],
) -> ByPart:
    """Where is one model better than another: for which device, on which day?

    `slices` names segment columns, `every` (hour, day, week, month) asks for periods; one of them is needed. The first
    model is the baseline unless said. `predictions` is whatever `evaluate_predictions` takes (`scores=["old", "new"]`),
    or evaluations of several models with their rows; the other keywords are its.

    >>> rows = {"label": [0, 1] * 100, "a": [0.5] * 200, "b": [0.1, 0.9] * 100, "device": ["x"] * 100 + ["y"] * 100}
    >>> found = compare_by(rows, "LogLoss", slices="device", scores=["a", "b"], label="label")
    >>> [(c.part, c.word) for c in found.changes]
    [('x', 'better'), ('y', 'better')]
    """
    check_alpha(alpha)
    whole("fewest", fewest, at_least=2)
    columns = [slices] if isinstance(slices, str) else list(slices or ())
    if every is not None:
        one_of("every", every, EVERY)
    if not columns and every is None:
        raise ParameterError(
            Text(
                "compare_by needs parts. Pass slices=['device'], every='day', or both.",
                "compare_by 需要划分方式。请传入 slices=['device']、every='day'，或两者。",
            )
        )
    models = _models(predictions, columns, reading)
    base = _baseline(baseline, models)
    first = models[base]
    rows, whole_sample = first.predictions, first.sample
    assert rows is not None
    assert whole_sample is not None
    wanted = _wanted(measures, first)
    parts = [*segments(rows, columns), *([] if every is None else periods(rows, every))]
    enough = {id(p): is_enough(whole_sample.rows(p.rows), fewest) for p in parts}
    others = [name for name in models if name != base]
    tests = sum(enough.values()) * len(wanted) * len(others)
    level = 1 - alpha / max(tests, 1)
    changes = tuple(
        _change(p, label, name, models, base, level, alpha, tests, enough[id(p)])
        for p in parts
        for label in wanted
        for name in others
    )
    return ByPart(
        changes=changes,
        baseline=base,
        models=tuple(others),
        measures=tuple(wanted),
        columns=tuple(columns),
        every=every or "",
        data=rows.name,
        alpha=alpha,
        tests=tests,
        fewest=fewest,
        sentences=tuple(map(as_spoken, _sentences(changes, others, wanted, base))),
        notes=(*rows.notes, *_notes(parts, enough, alpha, tests, fewest, whole_sample)),
        version=__version__,
    )


def _models(predictions: Any, columns: list[str], reading: Any) -> dict[str, PredictionEvaluation]:
    if isinstance(predictions, PredictionEvaluations):
        if reading:
            raise ParameterError(
                Text(
                    f"compare_by: evaluations have been read already, got {', '.join(reading)}. "
                    "Pass the predictions instead.",
                    f"compare_by：评测结果已经读取完毕，实际为 {', '.join(reading)}。请传入预测数据。",
                )
            )
        found = dict(predictions)
    else:
        made = evaluate_predictions(predictions, ["COPC"], slices=columns or None, engine="memory", **reading)
        if not isinstance(made, (PredictionEvaluation, PredictionEvaluations)):
            raise InputError(
                Text(
                    "compare_by needs labels and scores of two classes, got several classes.",
                    "compare_by 需要两个类别的标签与得分，实际为多个类别。",
                )
            )
        found = dict(made) if isinstance(made, PredictionEvaluations) else {made.model: made}
    if len(found) < 2:
        raise InputError(
            Text(
                f"compare_by needs two models or more on the same rows, got {len(found)}: {', '.join(found)}. "
                "Pass scores=['old', 'new'].",
                f"compare_by 需要同一批样本上的两个或更多模型，实际为 {len(found)} 个：{', '.join(found)}。"
                "请传入 scores=['old', 'new']。",
            )
        )
    for name, ev in found.items():
        if ev.sample is None or ev.predictions is None:
            raise InputError(
                Text(
                    f"compare_by: {show(name)} was stored, or read in pieces, and has no rows. Pass the predictions.",
                    f"compare_by：{show(name)} 是已保存的或分块读取的，没有样本。请传入预测数据。",
                )
            )
    return found


def _baseline(name: str | None, models: dict[str, PredictionEvaluation]) -> str:
    if name is None:
        return next(iter(models))
    if name not in models:
        raise ParameterError(
            Text(
                f"`baseline` must be one of {', '.join(models)}, got {show(name)}.{suggest(name, list(models))}",
                f"`baseline` 必须是 {'、'.join(models)} 之一，实际为 {show(name)}。",
            )
        )
    return name


def _wanted(measures: Any, ev: PredictionEvaluation) -> list[str]:
    assert ev.sample is not None
    if measures is None:
        return [*DEFAULT] if ev.sample.scale != "score" else ["AUC"]
    return [str(m) for m in as_list(measures)]


def _change(
    p: Part,
    label: str,
    name: str,
    models: dict[str, PredictionEvaluation],
    base: str,
    level: float,
    alpha: float,
    tests: int,
    is_judged: bool,
) -> PartChange:
    parts = []
    for model in (name, base):
        ev = models[model]
        assert ev.sample is not None
        parts.append(estimate(label, ev._parse(label), ev.sample.rows(p.rows)))
    mine, theirs = parts
    d = difference(mine, theirs, name, base, level, 0, 0)
    word, p_corrected = "not clear", nan
    if isnan(d.value):
        word = "undefined"
    elif not is_judged:
        word = "few"
    elif isnan(d.error):
        word = "undefined"  # no standard error, as of ECE
    elif d.error > 0 or abs(d.value) > _ROUNDING:  # where all units changed by the same, nothing is left to chance
        p_corrected = min(1.0, d.p_better * tests) if not isnan(d.p_better) else nan
        word = {True: "better", False: "worse", None: "not clear"}[d.is_better]
    low, high = d.interval if is_judged else (nan, nan)
    sample = mine.sample
    assert sample is not None
    return PartChange(
        p.column,
        p.value,
        label,
        name,
        len(p.rows),
        sample.n_positives,
        mine.n,
        theirs.value,
        mine.value,
        d.value,
        low,
        high,
        p_corrected,
        word,
    )


# words


def _sentences(changes: Sequence[PartChange], models: Sequence[str], measures: Sequence[str], base: str) -> list[str]:
    said: list[str] = []
    for name in models:
        for label in measures:
            mine = [c for c in changes if c.model == name and c.measure == label]
            judged = [c for c in mine if c.word in ("better", "worse", "not clear")]
            better, worse = ([c.part for c in judged if c.word == word] for word in ("better", "worse"))
            if not judged:
                said.append(
                    Text(
                        f"{label}: no part has enough rows to compare {name} with {base}.",
                        f"{label}：没有任何部分的数据足以比较 {name} 与 {base}。",
                    )
                )
                continue
            en = f"{label}: {name} is surely better than {base} in {len(better):,} of {len(judged):,} parts"
            zh = f"{label}：{name} 在 {len(judged):,} 个部分中有 {len(better):,} 个确定优于 {base}"
            en += f", surely worse in {len(worse):,}" + (f" ({_listed(worse)})." if worse else ".")
            zh += f"，{len(worse):,} 个确定更差" + (f"（{_listed(worse, '、')}）。" if worse else "。")
            said.append(Text(en, zh))
    return said


def _listed(names: Sequence[str], comma: str = ", ") -> str:
    return comma.join([*names[:4], *(["…"] if len(names) > 4 else [])])


def _notes(
    parts: Sequence[Part], enough: dict[int, bool], alpha: float, tests: int, fewest: int, rows: Sample
) -> list[str]:
    out: list[str] = [
        Text(
            f"surely: where models do not differ, the chance that any part is called better or worse is at most "
            f"{percent(alpha)} ({tests:,} comparisons, Bonferroni)",
            f"“确定”的含义：如果模型没有差别，任何部分被误判为更好或更差的概率不超过 {percent(alpha)}"
            f"（共 {tests:,} 次比较，Bonferroni 校正）",
        )
    ]
    few, weights = sum(not enough[id(p)] for p in parts), weighed(rows)
    if few:
        out.append(
            Text(
                f"{few:,} of {len(parts):,} parts {'has' if few == 1 else 'have'} fewer than {fewest} positives, "
                f"negatives or units{weights.en}: shown, not judged",
                f"{len(parts):,} 个部分中有 {few:,} 个的正样本、负样本或单元不足 {fewest} 个{weights.zh}："
                "只展示，不判断",
            )
        )
    if fewest < FEWEST:
        out.append(rough(fewest))
    if not rows.has_groups:
        out.append(
            Text(
                "no group was named: rows count as independent, which makes intervals too narrow where users return",
                "未指定分组列：把每行视为独立，用户多次出现时区间会偏窄",
            )
        )
    return out
