"""Would recalibration help, and which kind? Fitted on some rows, judged on others.

Every calibrator improves the rows it was fitted on. Here each is fitted on the earlier rows (or on some of the groups)
and judged on the rest, where the difference in log loss is paired and clustered by group.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from math import isnan, nan
from typing import TYPE_CHECKING, Any, Unpack

from rankgauge._numbers import short
from rankgauge._records import Record
from rankgauge._renamed import renamed
from rankgauge._show import show
from rankgauge._text import Text
from rankgauge._words import as_meant
from rankgauge.alignment import Array
from rankgauge.alignment.sample import Sample
from rankgauge.calibration.base import CALIBRATORS, Calibrator, FitOptions, fit_calibrator
from rankgauge.calibration.calibrators import Histogram, Isotonic, OddsShift, Platt, Temperature
from rankgauge.data.predictions import Predictions
from rankgauge.errors import InputError, ParameterError, UnknownName, among
from rankgauge.evaluation.of_predictions import evaluate_predictions
from rankgauge.evaluation.predictions.differences import Difference
from rankgauge.evaluation.predictions.record import PredictionEvaluation, PredictionEvaluations
from rankgauge.evaluation.predictions.splits import InputOptions, Split, check_split, one_model, split_rows
from rankgauge.measures.predictions.base import PredictionMeasure
from rankgauge.measures.predictions.calibration import ECE
from rankgauge.statistics.clusters import standard_error
from rankgauge.statistics.intervals import check_level

if TYPE_CHECKING:
    import polars as pl

__all__ = ["AS_GIVEN", "Calibration", "Judged", "calibrate"]

AS_GIVEN = "as given"
_SIMPLEST = [kind.name for kind in (OddsShift, Temperature, Platt, Histogram, Isotonic)]


@dataclass(frozen=True)
class Judged:
    """Probabilities on the judged rows: as given, or after one calibrator."""

    kind: str
    """`as given`, or the name of the calibrator."""
    calibrator: Calibrator | None
    """Fitted on the other rows; None for the scores as given."""
    log_loss: float
    mcb: float
    ece: float
    noise_floor: float
    """The ECE that right probabilities would show."""
    copc: float
    auc: float
    """NaN where labels are soft or of one class."""
    log_loss_change: Difference | None
    """After minus before, paired and clustered by group: below 0 is better. None for the scores as given."""
    auc_change: Difference | None
    """The same for AUC; not 0 where ties were made."""

    @property
    def is_better(self) -> bool | None:
        """True or False where the interval of the change leaves out 0, None where it does not."""
        return None if self.log_loss_change is None else self.log_loss_change.is_better


@dataclass(frozen=True, eq=False, kw_only=True)
class Calibration(
    Record,
    kind="calibration",
    schema=1,
    not_stored={
        "sample": Text("Calibrate the predictions again to fit on all rows.", "要在所有行上拟合，请重新校准预测。")
    },
):
    """Calibrators, each fitted on one part of the rows and judged on the other, and the one to use."""

    before: Judged
    after: tuple[Judged, ...]
    """In the order from the simplest to the most flexible."""
    recommended: str | None
    """The kind to use; None: keep the scores as they are."""
    reason: str
    failed: Mapping[str, str]
    """Kinds that could not be fitted, and why."""
    split: Split
    rows_fitted: int
    rows_judged: int
    confidence_level: float
    bins: int
    model: str = "score"
    data: str = "predictions"
    notes: tuple[str, ...] = ()
    sample: Sample = field(repr=False)
    """All rows, fitted and judged."""

    @property
    def calibrators(self) -> dict[str, Calibrator]:
        """The judged calibrators by kind."""
        return {j.kind: j.calibrator for j in self.after if j.calibrator is not None}

    @property
    def best(self) -> Calibrator | None:
        """The recommended calibrator, the one that was judged; None where the scores should stay."""
        return None if self.recommended is None else self.calibrators[self.recommended]

    def refit(self, kind: str | None = None) -> Calibrator | None:
        """The recommended calibrator (or this kind) fitted on all rows, for use on rows to come.

        It has seen more than the one that was judged, and has not been judged itself.
        """
        chosen = self.recommended if kind is None else kind
        if chosen is None:
            return None
        return _fitted(chosen, self.sample, self.bins)

    def __getitem__(self, kind: str) -> Judged:
        for judged in (self.before, *self.after):
            if judged.kind == kind:
                return judged
        known = [AS_GIVEN, *self.calibrators]
        raise UnknownName(Text(f"{show(kind)} was not judged.", f"没有评判 {show(kind)}。") + among(kind, known))

    def to_frame(self) -> pl.DataFrame:
        """A Polars frame: the scores as given, then one row per calibrator."""
        import polars as pl

        kinds = {"is_better": pl.Boolean, "recommended": pl.Boolean}
        rows = self.csv_rows()
        return pl.DataFrame(rows, schema={k: kinds.get(k, pl.String if k == "kind" else pl.Float64) for k in rows[0]})

    def csv_rows(self) -> list[dict[str, Any]]:
        """The rows of `to_frame` as dicts."""
        return [_row(j, j.kind == (self.recommended or AS_GIVEN)) for j in (self.before, *self.after)]


def _row(j: Judged, recommended: bool) -> dict[str, Any]:
    loss, auc = j.log_loss_change, j.auc_change
    return {
        "kind": j.kind,
        "log_loss": j.log_loss,
        "log_loss_change": loss and loss.value,
        "change_low": loss and loss.interval.low,
        "change_high": loss and loss.interval.high,
        "p_value": loss and loss.p_value,
        "is_better": j.is_better,
        "mcb": j.mcb,
        "ece": j.ece,
        "noise_floor": j.noise_floor,
        "copc": j.copc,
        "auc": j.auc,
        "auc_change": auc and auc.value,
        "recommended": recommended,
    }


@renamed(segments="slices")
def calibrate(
    predictions: Any,
    kind: str | Iterable[str] = "platt",
    *,
    split: str | float = "auto",
    rng: Any = 0,
    bins: int = 15,
    model: str | None = None,
    confidence_level: float = 0.95,
    **reading: Unpack[InputOptions],
) -> Calibration:
    """Would recalibration make these probabilities better, and which kind is best?

    `kind` is platt, temperature, odds, isotonic, histogram, a list of them, or "all". Each is fitted on one part of
    the rows and judged on the other: with times the earlier half fits and the later judges, otherwise half of the
    groups (rows without groups), drawn by `rng`; `split` as in `split_rows`. `bins` are those of the histogram and of
    ECE. `predictions` may be an evaluation; its scores must be probabilities, or log-odds with scale="logit".

    Recommended is the kind of least log loss on the judged rows among those surely better than the scores as given
    (the interval of the paired difference leaves out 0); a simpler kind (odds < temperature < platt < histogram <
    isotonic) that is also surely better is preferred when its loss is within one standard error of the difference
    between the two. None is recommended where no kind is surely better. A kind that cannot be fitted is listed with
    its reason, and raises where it is the only one.

    `.best` is the calibrator that was judged, `.refit()` the same kind fitted on all rows. Calibrators take
    probabilities: log-odds must be converted before `apply`.

    >>> import numpy as np
    >>> p = np.linspace(0.02, 0.98, 4000)
    >>> y = np.random.default_rng(0).random(4000) < p / (p + 2 * (1 - p))  # odds twice too high
    >>> calibrate({"label": y, "score": p}, "odds").recommended
    'odds'
    """
    kinds = _kinds(kind)
    split = check_split(split)
    check_level(confidence_level)
    ece = ECE(bins=bins)
    one = one_model(predictions, model, reading, "calibrate")
    one.need_probabilities("calibrate")
    sample = _probabilities(one.sample)
    parted = split_rows(one.rows, split, rng)
    fitted, failed = _fit_each(kinds, sample.rows(parted.fit), ece.bins)
    judged = _judge_each(one.rows.select(parted.judge), sample.score[parted.judge], fitted, ece, confidence_level)
    before, after = judged[AS_GIVEN], {name: judged[name] for name in fitted}
    changes = {name: ev.difference(before, "LogLoss") for name, ev in after.items()}
    recommended, reason = _recommend(after, changes)
    return Calibration(
        before=_judged(before, None, None),
        after=tuple(_judged(ev, fitted[name], before) for name, ev in after.items()),
        recommended=recommended,
        reason=reason,
        failed=failed,
        split=parted,
        rows_fitted=len(parted.fit),
        rows_judged=len(parted.judge),
        confidence_level=confidence_level,
        bins=ece.bins,
        model=one.model,
        data=one.rows.name,
        notes=(*one.rows.notes, *_notes(one.sample)),
        sample=sample,
    )


def _kinds(kind: str | Iterable[str]) -> list[str]:
    names = [as_meant(name) if isinstance(name, str) else name for name in ([kind] if isinstance(kind, str) else kind)]
    if names == ["all"]:
        names = list(CALIBRATORS)
    for name in names:
        if name not in CALIBRATORS:
            raise UnknownName(
                Text(f"unknown calibrator {show(name)}.", f"未知的校准方法 {show(name)}。")
                + among(name, [*CALIBRATORS, "all"])
            )
    if not names:
        raise ParameterError(
            Text(
                f"calibrate: `kind` must name a calibrator or more, got none of {', '.join(CALIBRATORS)}.",
                f"calibrate：`kind` 必须从 {', '.join(CALIBRATORS)} 中至少指定一种校准方法，实际没有。",
            )
        )
    return sorted(set(names), key=lambda name: (_SIMPLEST.index(name) if name in _SIMPLEST else len(_SIMPLEST), name))


def _probabilities(s: Sample) -> Sample:
    """The same rows with what the scores say as probabilities."""
    return Sample(s.label, s.probability, s.weight, s.group, s.n_groups)


def _notes(s: Sample) -> list[str]:
    notes: list[str] = []
    if s.scale == "logit":
        notes.append(
            Text(
                "scores were log-odds: calibrators take 1 / (1 + exp(-score))",
                "得分是对数几率：校准方法的输入是 1 / (1 + exp(-score))",
            )
        )
    if s.kept is not None:
        notes.append(
            Text(
                f"probabilities were corrected for negatives_kept={short(s.kept)} before calibration",
                f"校准前已按 negatives_kept={short(s.kept)} 修正概率",
            )
        )
    return notes


# fitting


def _fitted(kind: str, s: Sample, bins: int) -> Calibrator:
    options: FitOptions = {"bins": bins} if kind == Histogram.name else {}
    return fit_calibrator(kind, s.label, s.score, s.weight, **options)


def _fit_each(kinds: list[str], s: Sample, bins: int) -> tuple[dict[str, Calibrator], dict[str, str]]:
    fitted: dict[str, Calibrator] = {}
    failed: dict[str, str] = {}
    for kind in kinds:
        try:
            fitted[kind] = _fitted(kind, s, bins)
        except InputError as e:
            failed[kind] = e.text
    if not fitted:
        raise InputError.collect(Text("calibrate: ", "calibrate："), list(failed.values()))
    return fitted, failed


# judging


def _judge_each(
    rows: Predictions, p: Array, fitted: Mapping[str, Calibrator], ece: ECE, level: float
) -> dict[str, PredictionEvaluation]:
    scores = {AS_GIVEN: p, **{kind: c.apply(p) for kind, c in fitted.items()}}
    measures: list[str | PredictionMeasure] = ["LogLoss", "MCB", ece, "COPC", "AUC"]
    made = evaluate_predictions(rows.with_scores(scores), measures, scale="probability", confidence_level=level)
    return dict(made) if isinstance(made, PredictionEvaluations) else {made.model: made}


def _judged(ev: PredictionEvaluation, calibrator: Calibrator | None, before: PredictionEvaluation | None) -> Judged:
    ece = ev.columns[2]
    has_auc = not isnan(ev["AUC"])
    return Judged(
        kind=ev.model,
        calibrator=calibrator,
        log_loss=ev["LogLoss"],
        mcb=ev["MCB"],
        ece=ece.value,
        noise_floor=ece.beside.get("noise floor", nan),
        copc=ev["COPC"],
        auc=ev["AUC"],
        log_loss_change=None if before is None else ev.difference(before, "LogLoss"),
        auc_change=ev.difference(before, "AUC") if before is not None and has_auc else None,
    )


_KEEP = Text(
    "keep the scores as they are: no calibrator is surely better on the judged rows",
    "保留原有得分：没有哪种校准方法在检验用的行上确定更好",
)


def _recommend(after: Mapping[str, PredictionEvaluation], changes: Mapping[str, Difference]) -> tuple[str | None, str]:
    """The least loss that is surely better, or a simpler kind that is as good; `after` has the simplest first."""
    sure = [kind for kind, change in changes.items() if change.is_better]
    if not sure:
        return None, _KEEP
    least = min(sure, key=lambda kind: after[kind]["LogLoss"])
    for kind in sure:
        if kind == least:
            return kind, Text(
                f"{kind} has the least log loss on the judged rows and is surely better",
                f"{kind} 在检验用的行上 LogLoss 最低，且确定更好",
            )
        if _behind(after[kind], after[least]) <= 1:
            return kind, Text(
                f"{kind} is surely better, simpler than {least} and within one standard error of it",
                f"{kind} 确定更好，比 {least} 更简单，且与其相差不到一个标准误",
            )
    raise AssertionError  # pragma: no cover - `least` is one of `sure`


def _behind(simple: PredictionEvaluation, best: PredictionEvaluation) -> float:
    """How many standard errors of the paired difference the simpler one loses."""
    a, b = simple.column("LogLoss"), best.column("LogLoss")
    assert a.clusters is not None
    assert b.clusters is not None  # the loss has them in memory
    error = standard_error(a.clusters - b.clusters, min(a.left, b.left))
    lost = a.value - b.value
    return 0.0 if lost <= 0 else lost / error if error > 0 else float("inf")
