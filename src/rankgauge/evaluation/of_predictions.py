"""Labels + scores → numbers: the whole path, in one call."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from os import PathLike
from typing import Any, Unpack, overload

from rankgauge._memory import room_of
from rankgauge._piped import path_of, taken_in
from rankgauge._renamed import renamed
from rankgauge._show import show
from rankgauge._text import Text
from rankgauge._version import __version__
from rankgauge.data.batches import Batches
from rankgauge.data.choosing import batches_to_read, check_engine, is_on_spark
from rankgauge.data.class_predictions import ClassPredictions
from rankgauge.data.class_reading import may_be_classes, read_classes
from rankgauge.data.predictions import Predictions, asked_columns
from rankgauge.errors import InputError, ParameterError
from rankgauge.evaluation.policy_fields import check_policy, refuse_other_keywords
from rankgauge.evaluation.predictions.asking import OfPredictions, are_only_calls, sample_of, wanted_measures
from rankgauge.evaluation.predictions.classes import ClassEvaluation, ClassEvaluations, evaluate_classes
from rankgauge.evaluation.predictions.of_rows import heavy_rows
from rankgauge.evaluation.predictions.policy import PredictionPolicy, PredictionWords
from rankgauge.evaluation.predictions.record import PredictionEvaluation, PredictionEvaluations, counts_of, estimate
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
    if (
        isinstance(predictions, ClassPredictions)
        or _is_said([prediction, probabilities, classes])
        or _maps_classes(asked)
    ):
        several = _in_memory(predictions, engine, memory)
        if not isinstance(several, ClassPredictions):
            called = dict.fromkeys([prediction] if isinstance(prediction, str) else prediction or (), "prediction")
            several = read_classes(
                several, {**asked, **called}, probabilities=probabilities, classes=classes, name=name
            )
        return _of_classes(several, measures, rules, confidence_level, positive, [scores, prediction, probabilities])
    if engine == "spark" or (engine == "auto" and is_on_spark(predictions)):
        from rankgauge.engines.spark.predictions import evaluate_on_spark

        found = evaluate_on_spark(
            predictions, measures, asked, rules, positive=positive, name=name, confidence_level=confidence_level
        )
        return _as_asked(found, scores)
    room = room_of(memory)
    try:
        pieces = batches_to_read(predictions, "predictions", asked, name, engine, room)
        whole = None if pieces is not None else Predictions.of(predictions, columns=asked, positive=positive, name=name)
    except InputError:  # no labels and scores: several classes, where they plainly are that
        found_classes = may_be_classes(predictions, asked, name) if engine != "streaming" else None
        if found_classes is None:
            raise
        return _of_classes(found_classes, measures, rules, confidence_level, positive, [scores])
    if pieces is None:
        assert whole is not None
        rows = whole
    else:
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

    def one(model: str) -> PredictionEvaluation:
        sample = sample_of(rows, model, rules)
        called = len(rows.scores) == 1 and are_only_calls(sample)  # of several models all have the same measures
        wanted = wanted_measures(measures, sample, are_calls=called)
        return PredictionEvaluation(
            columns=[estimate(label, m, sample) for label, m in wanted],
            policy=rules.of_rows(
                sample.scale,
                rows.group.column if rows.group is not None else "",
                "weight" if rows.weight is not None else "",
            ),
            counts=counts_of(sample, None if sample.group is None else int(sample.filled.sum()), rows.zero_weight_rows),
            confidence_level=confidence_level,
            remarks=(
                *rows.notes,
                *([_calls(model)] if called else []),
                *heavy_rows(sample.n_units, sample.left, sample.has_groups),
            ),
            version=__version__,
            model=model,
            data=rows.name,
            predictions=rows,
            sample=sample,
        )

    if len(rows.scores) == 1:
        return _as_asked(one(next(iter(rows.scores))), scores)
    return PredictionEvaluations({model: one(model) for model in rows.scores})


def _calls(column: str) -> Text:
    """What is said of scores that are classes."""
    asked = f"prediction={show(column)}"
    return Text(
        "all scores are 0 or 1: calls, which every threshold above 0 and up to 1 leaves as they are; "
        f"{asked} evaluates them as classes",
        f"所有得分都是 0 或 1，即已经判定的类别：大于 0、不超过 1 的任何阈值都得到同样的判定；{asked} 可按类别评测",
    )


def _maps_classes(asked: Mapping[str, str]) -> bool:
    """Whether `columns` says which column holds predicted classes."""
    return any("prediction" in roles.split() for roles in asked.values())


def _is_said(words: Sequence[Any]) -> bool:
    return any(word is not None for word in words)


_GROWTH = 8  # columns of texts and probabilities take about so many times their size on disk


def _unpacked_size(predictions: Any) -> int:
    """About how many bytes a file or folder will take; what is in memory is there already."""
    if not isinstance(predictions, (str, PathLike)):
        return 0
    path = path_of(predictions)
    files = [path] if path.is_file() else [f for f in path.rglob("*") if f.is_file()] if path.is_dir() else []
    return _GROWTH * sum(f.stat().st_size for f in files)


def _in_memory(predictions: Any, engine: str, memory: str | int | None) -> Any:
    """The rows of classes, which no other engine evaluates."""
    fits = True
    if engine not in ("spark", "streaming") and not is_on_spark(predictions):
        fits = engine == "memory" or _unpacked_size(predictions) <= room_of(memory)()
        if fits:
            return predictions
    got = Text(f"got engine={show(engine)}", f"实际为 engine={show(engine)}")
    if not fits:
        got = Text("got a table that does not fit into memory=", "而这张表超出了 memory=")
    raise ParameterError(
        Text(
            f"several classes are evaluated in memory, {got}. Pass engine='memory', a larger memory=, or evaluate "
            "a sample of the rows.",
            f"多分类评测需要在内存中进行，{got.zh}。请传入 engine='memory' 或更大的 memory=，或对抽样的行求值。",
        )
    )


def _of_classes(
    rows: ClassPredictions,
    measures: Any,
    rules: PredictionPolicy,
    confidence_level: float,
    positive: Any,
    lists: Sequence[Any],
) -> ClassEvaluation | ClassEvaluations:
    if positive is not None or rules != PredictionPolicy.decided():
        word = "positive" if positive is not None else "scale" if rules.scale != "auto" else "negatives_kept"
        of_one = Text("", "")
        if str(positive) in rows.classes:  # what was meant can be said
            named = f"'Recall(label={positive})'"
            of_one = Text(f"; {named} is the recall of that class", f"；该类别的召回率写作 {named}")
        raise ParameterError(
            Text(
                f"`{word}` is about labels and scores of two classes, and these are {len(rows.classes):,} classes. "
                f"Leave it out{of_one.en}.",
                f"`{word}` 用于两个类别的标签与得分，而这里有 {len(rows.classes):,} 个类别。请去掉它{of_one.zh}。",
            )
        )
    found = evaluate_classes(rows, measures, rules, confidence_level)
    is_list = any(names is not None and not isinstance(names, str) for names in lists)
    return ClassEvaluations({found.model: found}) if is_list and isinstance(found, ClassEvaluation) else found


def _as_asked(
    found: PredictionEvaluation | PredictionEvaluations, scores: Sequence[str] | str | None
) -> PredictionEvaluation | PredictionEvaluations:
    """Whoever asks for a list gets several, also where it names one."""
    if scores is None or isinstance(scores, str) or isinstance(found, PredictionEvaluations):
        return found
    return PredictionEvaluations({found.model: found})
