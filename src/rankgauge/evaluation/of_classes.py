"""Which rows hold several classes, and what they come to: the part of `evaluate_predictions` that is theirs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from os import PathLike
from typing import Any

from rankgauge._memory import room_of
from rankgauge._piped import path_of
from rankgauge._show import show
from rankgauge._text import Text
from rankgauge.data.choosing import is_on_spark
from rankgauge.data.class_predictions import ClassPredictions
from rankgauge.errors import ParameterError
from rankgauge.evaluation.predictions.classes import ClassEvaluation, ClassEvaluations, evaluate_classes
from rankgauge.evaluation.predictions.policy import PredictionPolicy

__all__ = ["are_classes", "evaluation_of_classes", "in_memory"]


def are_classes(predictions: Any, asked: Mapping[str, str], words: Sequence[Any]) -> bool:
    """Whether it is said that these are classes: by a word, or by the role of a column."""
    maps = any("prediction" in roles.split() for roles in asked.values())
    return isinstance(predictions, ClassPredictions) or any(word is not None for word in words) or maps


_GROWTH = 8  # columns of texts and probabilities take about so many times their size on disk


def _unpacked_size(predictions: Any) -> int:
    """About how many bytes a file or folder will take; what is in memory is there already."""
    if not isinstance(predictions, (str, PathLike)):
        return 0
    path = path_of(predictions)
    files = [path] if path.is_file() else [f for f in path.rglob("*") if f.is_file()] if path.is_dir() else []
    return _GROWTH * sum(f.stat().st_size for f in files)


def in_memory(predictions: Any, engine: str, memory: str | int | None) -> Any:
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


def evaluation_of_classes(
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
