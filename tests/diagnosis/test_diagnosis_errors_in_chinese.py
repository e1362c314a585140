"""What cannot be diagnosed is said in Chinese as well as in English."""

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
    "scenario": (
        lambda at: rg.diagnose(ev(), scenario="docment_qa"),
        "unknown scenario 'docment_qa'. Did you mean document_qa? There are: …",
        "未知的场景 'docment_qa'。是否想输入 document_qa？现有：…",
    ),
    "diagnose what": (
        lambda at: rg.diagnose(5),
        "diagnose() needs an evaluation or a comparison, got int.",
        "diagnose() 需要评测或比较，实际为 int。",
    ),
    "standards": (
        lambda at: rg.diagnosis.load_standards(at.file("st.toml", "[bands]\nFoo = []\n[scenarios.x]\ntitle = 3\n")),
        "standards file 'st.toml': `bands.Foo` must be a list of bands, got []. 3 more like it:\n  `scenarios.x.title` "
        "must be a table, got 3.\n  `scenarios.x.description` is missing: must be a table.\n  `scenarios.x.measures` "
        "is missing: must be a list of measures.",
        "标准文件 'st.toml'：`bands.Foo` 必须是评级区间的列表，实际为 []。另有 3 处类似：\n  `scenarios.x.title` "
        "必须是表，实际为 3。\n  缺少 `scenarios.x.description`：必须是表。\n  缺少 `scenarios.x.measures`："
        "必须是指标的列表。",
    ),
}


@pytest.mark.parametrize(("call", "english", "chinese"), CASES.values(), ids=list(CASES))
def test_an_error_is_there_in_both_languages(tmp_path: Path, call: Any, english: str, chinese: str):
    says_in_both(call, Files(tmp_path), english, chinese)
