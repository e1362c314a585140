"""What is wrong with an experiment is said in Chinese as well as in English."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import rankgauge as rg
from chinese_errors import Files, says_in_both

QRELS = {"q1": {"a": 1, "b": 0}, "q2": {"b": 2}}
RUN = {"q1": {"a": 1.0, "b": 0.5}, "q2": {"b": 1.0}}


CASES: dict[str, tuple[Any, str, str]] = {
    "sample ratio": (
        lambda at: rg.experiments.sample_ratio({"a": 1}),
        "sample_ratio: at least two arms are needed, got 1.",
        "sample_ratio：至少需要两组，实际为 1 组。",
    ),
    "sample ratio 2": (
        lambda at: rg.experiments.sample_ratio({"a": 1.5, "b": 2}),
        "sample_ratio: counts must be whole numbers, not all 0, got a: 1.5.",
        "sample_ratio：各组的数量必须是整数，且不全为 0，实际为 a: 1.5。",
    ),
    "ratio": (
        lambda at: rg.experiments.ratio([1, 2], [-1, 2]),
        "ratio: denominators must be 0 or above, and not all 0, got negative ones in 1 units.",
        "ratio：分母必须不小于 0，且不全为 0，实际有 1 个单元为负。",
    ),
    "ratio len": (
        lambda at: rg.experiments.ratio([1, 2], [1]),
        "ratio: all columns must be lists of the same length, got numerator 2, denominator 1.",
        "ratio：各列必须是同样长度的列表，实际为 numerator 2, denominator 1。",
    ),
    "team draft": (
        lambda at: rg.experiments.team_draft("abc", ["b"]),
        "team_draft: a must be a list of items, best first, got the text 'abc'.",
        "team_draft：a 必须是物品的列表，最好的在前，实际是文本 'abc'。",
    ),
    "interleave": (
        lambda at: rg.experiments.interleave(RUN, {"q9": ["a"]}),
        "interleave: the runs must share queries, got none in common.",
        "interleave：两个 run 必须有共同的查询，实际没有。",
    ),
    "credit": (
        lambda at: rg.experiments.credit({"request_id": ["r"], "item_id": ["a"]}),
        "credit: columns missing: 'click'. Found: 'request_id', 'item_id'. Name them by renaming them, or events=.",
        "credit：缺少列：'click'。找到：'request_id', 'item_id'。请用改列名的方式或 events= 指定。",
    ),
    "agreement": (
        lambda at: rg.experiments.agreement({"offline": [1.0], "online": [2.0]}),
        "agreement: at least two experiments are needed, got 1.",
        "agreement：至少需要两个实验，实际为 1 个。",
    ),
}


@pytest.mark.parametrize(("call", "english", "chinese"), CASES.values(), ids=list(CASES))
def test_an_error_is_there_in_both_languages(tmp_path: Path, call: Any, english: str, chinese: str):
    says_in_both(call, Files(tmp_path), english, chinese)
