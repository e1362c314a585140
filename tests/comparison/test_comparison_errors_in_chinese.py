"""What cannot be compared is said in Chinese as well as in English."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import rankgauge as rg
from chinese_errors import Files, says_in_both

QRELS = {"q1": {"a": 1, "b": 0}, "q2": {"b": 2}}
RUN = {"q1": {"a": 1.0, "b": 0.5}, "q2": {"b": 1.0}}


def ev(*measures: Any, **options: Any) -> Any:
    return rg.evaluate(QRELS, RUN, *(measures or ("nDCG@10",)), **options)


CASES: dict[str, tuple[Any, str, str]] = {
    "one system": (
        lambda at: rg.compare(QRELS, {"a": RUN}, "P@1"),
        "compare() needs two systems or more, got 1: a.",
        "compare() 至少需要两个系统，实际为 1 个：a。",
    ),
    "baseline": (
        lambda at: rg.compare(QRELS, {"a": RUN, "b": RUN}, "P@1", baseline="c"),
        "`baseline` must be one of a, b, got 'c'.",
        "`baseline` 必须是 a, b 之一，实际为 'c'。",
    ),
    "other queries": (
        lambda at: rg.compare({"a": ev(), "b": rg.evaluate({"q1": {"a": 1}}, RUN, "nDCG@10")}),
        "not comparable: 1 of 2 queries are only in 'a' (q2).",
        "无法比较：2 个查询中有 1 个只在 'a' 中（q2）。",
    ),
    "margin": (
        lambda at: rg.compare(QRELS, {"a": RUN, "b": RUN}, "P@1", margin=-1),
        "`margin` must be a number above 0, or one for each measure, got -1.",
        "`margin` 必须是大于 0 的数，或每个指标一个，实际为 -1。",
    ),
    "test": (
        lambda at: rg.compare(QRELS, {"a": RUN, "b": RUN}, "P@1", test="tt"),
        "unknown test 'tt'. Did you mean t? There are: randomisation, t, wilcoxon, sign, bootstrap.",
        "未知的检验 'tt'。是否想输入 t？现有：randomisation、t、wilcoxon、sign、bootstrap。",
    ),
    "correction": (
        lambda at: rg.compare(QRELS, {"a": RUN, "b": RUN}, "P@1", correction="bonf"),
        "unknown correction 'bonf'. There are: holm, benjamini-hochberg, bonferroni, none.",
        "未知的多重比较校正 'bonf'。现有：holm、benjamini-hochberg、bonferroni、none。",
    ),
    "cmp name": (
        lambda at: rg.compare(QRELS, {"a": RUN, "b": RUN}, "P@1")["P@3"],
        "P@3 was not compared. Did you mean P@1? There are: P@1.",
        "没有比较 P@3。是否想输入 P@1？现有：P@1。",
    ),
    "paired sum": (
        lambda at: rg.compare(QRELS, {"a": RUN, "b": RUN}, "num_ret"),
        "the evaluations have no measure in common that can be compared.",
        "这些评测没有可以比较的共同指标。",
    ),
}


@pytest.mark.parametrize(("call", "english", "chinese"), CASES.values(), ids=list(CASES))
def test_an_error_is_there_in_both_languages(tmp_path: Path, call: Any, english: str, chinese: str):
    says_in_both(call, Files(tmp_path), english, chinese)
