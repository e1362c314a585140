"""Which questions were answered right, as somebody judged: from a mapping, a frame or a file.

    {"q1": True, "q2": 0}                                             whether right, by query
    {"id": "q1", "question": "…", "answer": "…", "correct": true}     records, frames and files of them

Values are true or false, 0 or 1, words for them, or grades with the lowest one that is right. None, NaN and empty
text say that nobody judged.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from math import isfinite, isnan
from numbers import Real
from typing import Any

import numpy as np

from rankgauge._piped import taken_in
from rankgauge._show import show, show_all
from rankgauge._text import Text, zh
from rankgauge._words import as_meant
from rankgauge.data._places import NOTHING
from rankgauge.data.columns import fold
from rankgauge.data.slices import attribute_table
from rankgauge.errors import InputError, ParameterError

__all__ = ["OF_ANSWERS", "JudgedAnswers", "judged_answers"]

OF_ANSWERS = ("correct", "question", "answer")
"""What columns of such a table can be said to be, beside the id of the query."""

_CORRECT = (
    *("correct", "iscorrect", "answercorrect", "answeriscorrect", "correctness", "answercorrectness", "right"),
    *("isright", "passed", "pass", "是否正确", "正确", "答案正确", "答对"),
)
_QUESTIONS = ("question", "query", "userinput", "questiontext", "querytext", "input", "问题", "查询", "提问")
_ANSWERS = ("answer", "response", "output", "generatedanswer", "answertext", "答案", "回答")
"""Folded names of columns, the clearest first."""
_WORDS = {
    **dict.fromkeys(("true", "yes", "y", "t", "correct", "right", "pass", "passed", "是", "对", "正确"), 1.0),
    **dict.fromkeys(("false", "no", "n", "f", "incorrect", "wrong", "fail", "failed", "否", "错", "错误"), 0.0),
}
_UNKNOWN = ("", "nan", "none", "null", "na", "n/a")


@dataclass(frozen=True)
class JudgedAnswers:
    """Answers by query."""

    correct: Mapping[str, bool]
    unknown: Sequence[str] = ()
    """Queries whose answer nobody judged."""
    questions: Mapping[str, str] = field(default_factory=dict)
    """What was asked, where the table says it."""
    texts: Mapping[str, str] = field(default_factory=dict)
    """What was answered, where the table says it."""
    notes: Sequence[str] = ()
    """What opening the table told."""


def judged_answers(
    source: Any, threshold: float | None = None, columns: Mapping[str, str] | None = None
) -> JudgedAnswers:
    """Which answers are right. `columns={"verdict": "correct"}` says what a column holds.

    >>> judged_answers({"q1": True, "q2": 0, "q3": None}).correct
    {'q1': True, 'q2': False}
    >>> judged_answers({"q1": 4, "q2": 2}, threshold=3).correct
    {'q1': True, 'q2': False}
    """
    notes: list[str] = []
    table = _table(taken_in(source), columns or {}, notes)
    names = list(dict.fromkeys(name for row in table.values() for name in row))
    roles = {role: name for name, role in (columns or {}).items() if name in names}
    column = roles.get("correct") or _first(names, _CORRECT)
    if column is None:
        if len(names) != 1:
            raise InputError(
                Text(
                    "answers: a column that says which are right must be there, such as 'correct'. Found beside the "
                    f"ids: {show_all(names) or NOTHING}. Pass columns={{'…': 'correct'}}.",
                    f"答案：必须有说明是否答对的列，如 'correct'。id 之外找到的是：{zh(show_all(names) or NOTHING)}。"
                    "请传入 columns={'…': 'correct'}。",
                )
            )
        column = names[0]
    grades = {q: _grade(row.get(column), q) for q, row in table.items()}
    known = {q: g for q, g in grades.items() if g is not None}
    if threshold is None and (odd := next((q for q, g in known.items() if g not in (0, 1)), None)) is not None:
        raise ParameterError(
            Text(
                f"answers: must be true or false (1 or 0), got {show(table[odd].get(column))} for {show(odd)}. Pass "
                "threshold=… to say from which grade on an answer is right.",
                f"答案：必须为 true 或 false（1 或 0），实际 {show(odd)} 为 {show(table[odd].get(column))}。请传入 "
                "threshold=…，说明从多少分起算答对。",
            )
        )
    least = 1.0 if threshold is None else threshold
    return JudgedAnswers(
        correct={q: g >= least for q, g in known.items()},
        unknown=[q for q, g in grades.items() if g is None],
        questions=_texts(table, roles.get("question") or _first(names, _QUESTIONS)),
        texts=_texts(table, roles.get("answer") or _first(names, _ANSWERS)),
        notes=notes,
    )


def _table(source: Any, columns: Mapping[str, str], notes: list[str]) -> dict[str, dict[str, Any]]:
    key = next((name for name, role in columns.items() if role == "query_id"), None)
    table = attribute_table(source, "answers", notes, key)
    if not table:
        raise InputError(Text("answers: must hold at least one, got none.", "答案：至少要有一个，实际没有。"))
    return table


def _first(names: Sequence[str], known: Sequence[str]) -> str | None:
    by_fold = {fold(name): name for name in reversed(names)}
    return next((by_fold[word] for word in known if word in by_fold), None)


def _texts(table: Mapping[str, Mapping[str, Any]], name: str | None) -> dict[str, str]:
    if name is None:
        return {}
    return {q: text for q, row in table.items() if isinstance(text := row.get(name), str) and text}


def _grade(value: Any, query: str) -> float | None:
    """A grade as a number; None where nobody judged."""
    if value is None:
        return None
    if isinstance(value, (bool, np.bool_)):
        return float(value)
    number: float | None = None
    if isinstance(value, Real):
        number = float(value)
        if isnan(number):
            return None
    if isinstance(value, str):
        word = as_meant(value).strip().casefold()
        if word in _UNKNOWN:
            return None
        if word in _WORDS:
            return _WORDS[word]
        with suppress(ValueError):
            number = float(word)
    if number is not None and isfinite(number):
        return number
    raise InputError(
        Text(
            f"answers: must be true or false, or a number, got {show(value)} for {show(query)}.",
            f"答案：必须为 true、false 或数字，实际 {show(query)} 为 {show(value)}。",
        )
    )
