"""Labels + scores → numbers: the whole path, in one call."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Unpack, overload

from rankgauge._memory import room_of
from rankgauge._piped import taken_in
from rankgauge._renamed import renamed
from rankgauge.data.batches import Batches
from rankgauge.data.choosing import batches_to_read, check_engine, is_on_spark
from rankgauge.data.class_predictions import ClassPredictions
from rankgauge.data.class_reading import may_be_classes, read_classes
from rankgauge.data.predictions import Predictions, asked_columns
from rankgauge.errors import InputError
from rankgauge.evaluation.of_classes import are_classes, evaluation_of_classes, in_memory
from rankgauge.evaluation.policy_fields import check_policy, refuse_other_keywords
from rankgauge.evaluation.predictions.asking import OfPredictions
from rankgauge.evaluation.predictions.classes import ClassEvaluation, ClassEvaluations
from rankgauge.evaluation.predictions.evaluating import evaluate_rows
from rankgauge.evaluation.predictions.policy import PredictionPolicy, PredictionWords
from rankgauge.evaluation.predictions.record import PredictionEvaluation, PredictionEvaluations
from rankgauge.statistics.intervals import check_level

__all__ = ["evaluate_predictions"]


class PredictionOptions(PredictionWords, total=False):
    """The keywords of `evaluate_predictions`, but for the scores."""

    policy: PredictionPolicy | None
    confidence_level: float
    columns: Mapping[str, str] | None
    slices: Sequence[str] | str | None
    label: str | None
    weight: str | None
    group: str | None
    time: str | None
    positive: Any
    name: str
    engine: str
    memory: str | int | None
    progress: bool | None


class _OfSeveral(PredictionOptions, total=False):
    """The keywords for several classes as well."""

    scores: Sequence[str] | str | None


@overload
def evaluate_predictions(
    predictions: Any,
    measures: OfPredictions | Iterable[OfPredictions] | None = None,
    *,
    prediction: list[str] | tuple[str, ...],
    probabilities: Sequence[str] | str | None = None,
    classes: Sequence[Any] | None = None,
    **options: Unpack[_OfSeveral],
) -> ClassEvaluations: ...
@overload
def evaluate_predictions(
    predictions: Any,
    measures: OfPredictions | Iterable[OfPredictions] | None = None,
    *,
    probabilities: list[str] | tuple[str, ...],
    classes: Sequence[Any] | None = None,
    **options: Unpack[_OfSeveral],
) -> ClassEvaluations: ...
@overload
def evaluate_predictions(
    predictions: Any,
    measures: OfPredictions | Iterable[OfPredictions] | None = None,
    *,
    prediction: str,
    probabilities: str | None = None,
    classes: Sequence[Any] | None = None,
    **options: Unpack[_OfSeveral],
) -> ClassEvaluation: ...
@overload
def evaluate_predictions(
    predictions: Any,
    measures: OfPredictions | Iterable[OfPredictions] | None = None,
    *,
    probabilities: str,
    classes: Sequence[Any] | None = None,
    **options: Unpack[_OfSeveral],
) -> ClassEvaluation: ...
@overload
def evaluate_predictions(
    predictions: Any,
    measures: OfPredictions | Iterable[OfPredictions] | None = None,
    *,
    classes: Sequence[Any],
    **options: Unpack[_OfSeveral],
) -> ClassEvaluation | ClassEvaluations: ...
@overload
def evaluate_predictions(
    predictions: ClassPredictions,
    measures: OfPredictions | Iterable[OfPredictions] | None = None,
    *,
    confidence_level: float = 0.95,
) -> ClassEvaluation | ClassEvaluations: ...
@overload
def evaluate_predictions(
    predictions: Any,
    measures: OfPredictions | Iterable[OfPredictions] | None = None,
    *,
    scores: list[str] | tuple[str, ...],
    **options: Unpack[PredictionOptions],
) -> PredictionEvaluations: ...
@overload
def evaluate_predictions(
    predictions: Predictions,
    measures: OfPredictions | Iterable[OfPredictions] | None = None,
    **options: Unpack[PredictionOptions],
) -> PredictionEvaluation | PredictionEvaluations: ...
@overload
def evaluate_predictions(
    predictions: Any,
    measures: OfPredictions | Iterable[OfPredictions] | None = None,
    *,
    scores: str | None = None,
    **options: Unpack[PredictionOptions],
) -> PredictionEvaluation: ...
@renamed(segments="slices")
def evaluate_predictions(
    predictions: Any,
    measures: OfPredictions | Iterable[OfPredictions] | None = None,
    *,
    policy: PredictionPolicy | None = None,
    confidence_level: float = 0.95,
    columns: Mapping[str, str] | None = None,
    scores: Sequence[str] | str | None = None,
    prediction: Sequence[str] | str | None = None,
    probabilities: Sequence[str] | str | None = None,
    classes: Sequence[Any] | None = None,
    slices: Sequence[str] | str | None = None,
    label: str | None = None,
    weight: str | None = None,
    group: str | None = None,
    time: str | None = None,
    positive: Any = None,
    name: str = "",
    engine: str = "auto",
    memory: str | int | None = None,
    progress: bool | None = None,
    **words: Unpack[PredictionWords],
) -> PredictionEvaluation | PredictionEvaluations | ClassEvaluation | ClassEvaluations:
    """How good are these scores: do they order rows well, and can they be taken as probabilities?

    `predictions` may be a mapping of arrays (`{"label": y, "score": p, "group": user}`), any dataframe, a path, or
    `Predictions`. One score gives a `PredictionEvaluation`; a list (`scores=["old", "new"]`), or several scores in the
    rows, give `PredictionEvaluations`, whose `difference("AUC", "new")` is paired.

    >>> ev = evaluate_predictions({"label": [0, 0, 1, 1], "score": [.1, .4, .35, .8]}, ["AUC", "LogLoss"])
    >>> ev["roc_auc"], round(ev["log_loss"], 4)
    (0.75, 0.4723)

    `scale` says what the scores are: probability, logit, score (an order only); auto takes them for probabilities if
    they all are in [0, 1]. `negatives_kept` corrects probabilities of a model trained on down-sampled negatives:
    p / (p + (1-p) / kept). `policy=ev.policy` takes both words of another evaluation; one beside it wins. `columns`
    maps names of the input to roles; `label`, `weight`, `group`, `time` are short forms of it, `slices` names columns
    to slice by, `positive` says which labels count ("yes", ">=4"). Intervals treat the rows of one group as one unit.

    Several classes give a `ClassEvaluation` (or `ClassEvaluations`): rows of a label and a prediction, both text or
    both whole numbers, or a column `p_<class>` of probabilities for each class, or a matrix with `classes=` naming its
    columns. `prediction` names the column of predicted classes (several are several models), `probabilities` the
    beginning of the names of the columns of each model; each of the three says that these are classes, also of labels 0
    and 1. They are evaluated in memory.

    >>> ev = evaluate_predictions({"label": ["cat", "dog", "fox"], "prediction": ["cat", "dog", "dog"]}, "f1_macro")
    >>> round(ev["f1_macro"], 4)
    0.5556

    `engine` says where: `"auto"` computes in memory what fits into `memory` (`"2GiB"`, or half of what is free) and
    reads larger Parquet files, folders and lazily scanned frames in pieces; `"streaming"` always reads those in
    pieces, `"memory"` never does; `"spark"` computes on a Spark session. Sums over rows or groups (LogLoss, NE, Brier,
    COPC, GAUC, thresholds …) are the same everywhere. What depends on the order of all rows (AUC, PRAUC, KS, ECE, ECCE)
    comes from pieces as the middle of certain bounds, which `beside` tells and the interval includes.
    `progress` shows a bar over the rows that are read in pieces; by default when standard error is a terminal.
    """
    engine = check_engine(engine)
    check_level(confidence_level)
    refuse_other_keywords(evaluate_predictions, words, PredictionPolicy)
    check_policy(policy, PredictionPolicy, "evaluate_predictions")
    rules = PredictionPolicy.decided(policy, **words)
    asked = asked_columns(columns, scores, slices, {"label": label, "weight": weight, "group": group, "time": time})
    predictions = taken_in(predictions)
    if are_classes(predictions, asked, [prediction, probabilities, classes]):
        several = in_memory(predictions, engine, memory)
        if not isinstance(several, ClassPredictions):
            called = dict.fromkeys([prediction] if isinstance(prediction, str) else prediction or (), "prediction")
            several = read_classes(
                several, {**asked, **called}, probabilities=probabilities, classes=classes, name=name
            )
        lists = [scores, prediction, probabilities]
        return evaluation_of_classes(several, measures, rules, confidence_level, positive, lists)
    if engine == "spark" or (engine == "auto" and is_on_spark(predictions)):
        from rankgauge.engines.spark.predictions import evaluate_on_spark

        found = evaluate_on_spark(
            predictions, measures, asked, rules, positive=positive, name=name, confidence_level=confidence_level
        )
        return _as_asked(found, scores)
    room = room_of(memory)
    try:
        pieces = batches_to_read(predictions, "predictions", asked, name, engine, room)
        rows = Predictions.of(predictions, columns=asked, positive=positive, name=name) if pieces is None else None
    except InputError:  # no labels and scores: several classes, where they plainly are that
        found_classes = may_be_classes(predictions, asked, name) if engine != "streaming" else None
        if found_classes is None:
            raise
        return evaluation_of_classes(found_classes, measures, rules, confidence_level, positive, [scores])
    if pieces is not None:
        from rankgauge.engines.predictions import evaluate_in_pieces, read_ahead

        table = read_ahead(pieces, positive, room()) if engine == "auto" else pieces
        if isinstance(table, Batches):
            found = evaluate_in_pieces(
                table,
                measures,
                rules,
                positive=positive,
                memory=room(),
                progress=progress,
                confidence_level=confidence_level,
            )
            return _as_asked(found, scores)
        rows = table
    assert rows is not None
    return _as_asked(evaluate_rows(rows, measures, rules, confidence_level), scores)


def _as_asked(
    found: PredictionEvaluation | PredictionEvaluations, scores: Sequence[str] | str | None
) -> PredictionEvaluation | PredictionEvaluations:
    """Whoever asks for a list gets several, also where it names one."""
    if scores is None or isinstance(scores, str) or isinstance(found, PredictionEvaluations):
        return found
    return PredictionEvaluations({found.model: found})
