"""Which answers are right: every form of a table, every way to say so, and what cannot be one."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest

from chinese_errors import Files, says_in_both
from rankgauge.data.answers import judged_answers
from rankgauge.errors import InputError

ROWS = [
    {"id": "q1", "question": "who?", "answer": "me", "correct": True},
    {"id": "q2", "question": "why?", "answer": "so", "correct": False},
]


def test_records_frames_and_files_say_the_same(tmp_path: Path):
    lines, table = tmp_path / "answers.jsonl", tmp_path / "answers.csv"
    lines.write_text("\n".join(map(json.dumps, ROWS)), encoding="utf-8")
    pl.DataFrame(ROWS).write_csv(table)

    for source in (ROWS, pd.DataFrame(ROWS), pl.DataFrame(ROWS), lines, table, str(lines)):
        found = judged_answers(source)
        assert found.correct == {"q1": True, "q2": False}
        assert found.questions == {"q1": "who?", "q2": "why?"}
        assert found.texts == {"q1": "me", "q2": "so"}


@pytest.mark.parametrize(
    "source",
    [
        {"q1": True, "q2": False},
        {"q1": 1, "q2": 0.0},
        {"q1": np.True_, "q2": np.int64(0)},
        {"q1": "yes", "q2": "No"},
        {"q1": "正确", "q2": "错误"},
        {"q1": " TRUE ", "q2": "0"},
        {"q1": {"verdict": True}, "q2": {"verdict": False}},
        pd.Series({"q1": True, "q2": False}),
    ],
    ids=str,
)
def test_every_way_to_say_it(source: Any):
    assert judged_answers(source).correct == {"q1": True, "q2": False}


def test_nobody_judged_is_not_wrong():
    found = judged_answers({"q1": None, "q2": float("nan"), "q3": "", "q4": "n/a", "q5": True})

    assert (found.correct, list(found.unknown)) == ({"q5": True}, ["q1", "q2", "q3", "q4"])


def test_a_grade_is_right_from_the_threshold_on():
    assert judged_answers({"q1": 0.5, "q2": 0.49, "q3": "0.9"}, 0.5).correct == {"q1": True, "q2": False, "q3": True}
    assert judged_answers({"q1": 1, "q2": 0}, 0).correct == {"q1": True, "q2": True}


def test_columns_say_which_is_which():
    rows = [{"id": "x", "number": "q1", "verdict": True, "why": "…"}]

    found = judged_answers(rows, columns={"number": "query_id", "verdict": "correct", "why": "answer"})

    assert (found.correct, found.texts) == ({"q1": True}, {"q1": "…"})


@pytest.mark.parametrize(
    ("source", "en", "zh"),
    [
        (
            {"q1": 0.7},
            "answers: must be true or false (1 or 0), got 0.7 for 'q1'. Pass threshold=… to say from which grade on an "
            "answer is right.",
            "答案：必须为 true 或 false（1 或 0），实际 'q1' 为 0.7。请传入 threshold=…，说明从多少分起算答对。",
        ),
        (
            {"q1": "perhaps"},
            "answers: must be true or false, or a number, got 'perhaps' for 'q1'.",
            "答案：必须为 true、false 或数字，实际 'q1' 为 'perhaps'。",
        ),
        (
            {"q1": True, "q2": float("inf")},
            "answers: must be true or false, or a number, got inf for 'q2'.",
            "答案：必须为 true、false 或数字，实际 'q2' 为 inf。",
        ),
        (
            {"q1": "-inf"},
            "answers: must be true or false, or a number, got '-inf' for 'q1'.",
            "答案：必须为 true、false 或数字，实际 'q1' 为 '-inf'。",
        ),
        (
            [{"id": "q1", "a": 1, "b": 0}],
            "answers: a column that says which are right must be there, such as 'correct'. Found beside the ids: 'a', "
            "'b'. Pass columns={'…': 'correct'}.",
            "答案：必须有说明是否答对的列，如 'correct'。id 之外找到的是：'a', 'b'。请传入 columns={'…': 'correct'}。",
        ),
        ({}, "answers: must hold at least one, got none.", "答案：至少要有一个，实际没有。"),
    ],
)
def test_what_cannot_be_one_is_named(source: Any, en: str, zh: str, tmp_path: Path):
    says_in_both(lambda at: judged_answers(source), Files(tmp_path), en, zh)


def test_two_verdicts_on_one_answer_are_refused():
    with pytest.raises(InputError, match="must have one correct, got True and False"):
        judged_answers([{"id": "q1", "correct": True}, {"id": "q1", "correct": False}])
