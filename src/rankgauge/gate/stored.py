"""The baseline of a gate: a run, or the evaluation of one that was stored as JSON."""

from __future__ import annotations

from collections.abc import Mapping
from os import PathLike

from rankgauge._piped import Piped, as_given, path_of
from rankgauge._records import read_back
from rankgauge._show import show
from rankgauge._text import Text
from rankgauge._unpacked import inner_suffix
from rankgauge.data.side import read_json
from rankgauge.errors import InputError
from rankgauge.evaluation.loading import is_evaluation
from rankgauge.evaluation.rankings.record import RankingEvaluation
from rankgauge.evaluation.record import Evaluation

__all__ = ["stored_evaluation"]


def stored_evaluation(given: str | PathLike[str]) -> RankingEvaluation | None:
    """The evaluation that a JSON file holds, or None when it holds something else, such as a run."""
    file = path_of(given)
    if inner_suffix(file) != ".json" and not isinstance(file, Piped):
        return None
    path = as_given(file)
    where = Text(f"baseline {show(path)}", f"基线 {show(path)}")
    try:
        data = read_json(file, where)
    except InputError:
        return None  # the reader of runs says what is wrong
    if not isinstance(data, Mapping):
        return None
    if not is_evaluation(data):
        if data and all(isinstance(v, Mapping) and is_evaluation(v) for v in data.values()):
            raise InputError(
                Text(
                    f"baseline {show(path)} must hold one evaluation, got {len(data)}: {', '.join(data)}. "
                    "Store one run alone.",
                    f"基线 {show(path)} 必须包含一个评测，实际有 {len(data)} 个：{', '.join(data)}。请只存储一个 run。",
                )
            )
        return None
    found = read_back(where, Evaluation.from_dict, data)
    if not isinstance(found, RankingEvaluation):
        raise InputError(
            Text(
                f"baseline {show(path)} must be an evaluation of rankings, got one of {found.kind}.",
                f"基线 {show(path)} 必须是排序的评测，实际是 {found.kind} 的评测。",
            )
        )
    found.refuse_without_queries(where)
    return found
