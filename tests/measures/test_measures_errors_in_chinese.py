"""What a measure cannot be is said in Chinese as well as in English."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import rankgauge as rg
from chinese_errors import Files, says_in_both

QRELS = {"q1": {"a": 1, "b": 0}, "q2": {"b": 2}}
RUN = {"q1": {"a": 1.0, "b": 0.5}, "q2": {"b": 1.0}}


def ev(*measures: Any, **options: Any) -> Any:
    return rg.evaluate(QRELS, RUN, *(measures or ("nDCG@10",)), **options)


Y, S = np.array([0, 1, 0, 1]), np.array([0.1, 0.8, 0.4, 0.3])


CASES: dict[str, tuple[Any, str, str]] = {
    "unknown measure": (
        lambda at: ev("nDGC@10"),
        "unknown measure 'nDGC@10'. Did you mean nDCG@10? `rankgauge measures` lists them all.",
        "未知的指标 'nDGC@10'。是否想输入 nDCG@10？`rankgauge measures` 列出全部指标。",
    ),
    "two measures": (
        lambda at: ev("nDCG@10, R@5"),
        "'nDCG@10, R@5' names 2 measures; each is named by itself: ['nDCG@10', 'R@5'] in Python, -m nDCG@10 -m R@5 on "
        "the command line.",
        "'nDCG@10, R@5' 包含 2 个指标；请分别写出：在 Python 中写 ['nDCG@10', 'R@5']，在命令行中写 -m nDCG@10 -m R@5。",
    ),
    "k": (
        lambda at: ev("nDCG@-1"),
        "nDCG: `k` must be a positive integer or None, got '-1'.",
        "nDCG：`k` 必须是正整数或 None，实际为 '-1'。",
    ),
    "param": (
        lambda at: ev("P(foo=2)@5"),
        "P: unknown parameter 'foo'. It takes: k, rel, divisor, judged_only, budget.",
        "P：未知的参数 'foo'。它的参数：k, rel, divisor, judged_only, budget。",
    ),
    "param value": (
        lambda at: ev("RBP(p=2)"),
        "RBP: `p` must be a number above 0 below 1, got '2'.",
        "RBP：`p` 必须是大于 0、小于 1 的数，实际为 '2'。",
    ),
    "gain": (
        lambda at: ev("nDCG(gain=foo)"),
        "nDCG: `gain` must be linear, exponential, or a mapping such as {1: 3, 2: 9}, got 'foo'.",
        "nDCG：`gain` 必须是 linear、exponential，或 {1: 3, 2: 9} 这样的映射，实际为 'foo'。",
    ),
    "pred measure": (
        lambda at: ev("AUC"),
        "'AUC' is a measure of labels and scores, not of rankings: use evaluate_predictions().",
        "'AUC' 是标签与得分的指标，不是排序的：请用 evaluate_predictions()。",
    ),
    "accuracy in Chinese": (
        lambda at: ev("准确率@10"),
        "unknown measure '准确率@10': 准确率 is accuracy, a measure of labels and scores. For the share of relevant "
        "results, 精确率, use P@10.",
        "未知的指标 '准确率@10'：准确率（accuracy）是标签与得分的指标。相关结果的比例（精确率）请用 P@10。",
    ),
    "no cutoff": (
        lambda at: ev("bpref@5"),
        "'bpref@5': bpref takes nothing behind '@'.",
        "'bpref@5'：bpref 的 '@' 之后不能有内容。",
    ),
    "name=value": (
        lambda at: ev("P(5)@5"),
        "'P(5)@5': a parameter must be written name=value, got '5'.",
        "'P(5)@5'：参数必须写成 name=value，实际为 '5'。",
    ),
    "not text": (
        lambda at: ev(5),
        "a measure must be a text such as 'nDCG@10' or a Measure, got 5.",
        "指标必须是 'nDCG@10' 这样的文本，或 Measure，实际为 5。",
    ),
    "threshold said": (
        lambda at: rg.evaluate_predictions({"label": Y, "score": S}, "Precision"),
        "Precision: `threshold` must be said, as in threshold=0.3 (choose_threshold() finds one), got None.",
        "Precision：`threshold` 必须给出，如 threshold=0.3（可用 choose_threshold() 选取），实际为 None。",
    ),
    "subtopics": (
        lambda at: ev("alphanDCG@5"),
        "alpha_nDCG@5: needs judgements by subtopic, and these have none. Write the subtopic into the iteration column "
        "of the qrels (the second one), a line for each subtopic an item was judged under.",
        "alpha_nDCG@5：需要按子主题的标注，而这里没有。请把子主题写入 qrels 的 iteration 列（第二列），"
        "物品在每个子主题下的标注各写一行。",
    ),
    "err max": (
        lambda at: ev("ERR(max=1)@5"),
        "ERR: `max` must not be below the highest grade of the judgements (2), got 1.",
        "ERR：`max` 不能低于标注中的最高等级（2），实际为 1。",
    ),
}


@pytest.mark.parametrize(("call", "english", "chinese"), CASES.values(), ids=list(CASES))
def test_an_error_is_there_in_both_languages(tmp_path: Path, call: Any, english: str, chinese: str):
    says_in_both(call, Files(tmp_path), english, chinese)
