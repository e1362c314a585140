"""What no gate can mean is said in Chinese as well as in English."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import rankgauge as rg
from chinese_errors import Files, says_in_both

CASES: dict[str, tuple[Any, str, str]] = {
    "gate toml": (
        lambda at: rg.Gate.from_toml(at.file("g1.toml", "floors = 3\nflors = 1\n")),
        "gate file 'g1.toml': unknown key `flors`. Did you mean floors? Known: …",
        "门禁文件 'g1.toml'：未知的键 `flors`。是否想输入 floors？已知的键：…",
    ),
    "gate syntax": (
        lambda at: rg.Gate.from_toml(at.file("g2.toml", "[floors\n")),
        "gate file 'g2.toml' is not valid TOML: Expected ']' at the end of a table declaration (at line 1, column 8).",
        "门禁文件 'g2.toml' 不是有效的 TOML：表的声明末尾应有 ']'（第 1 行第 8 列）。",
    ),
    "gate empty": (
        lambda at: rg.Gate.from_toml(at.file("g3.toml", "alpha = 0.7\n")),
        "gate file 'g3.toml': `qrels` is missing. Add a line such as qrels = \"qrels.txt\".",
        "门禁文件 'g3.toml'：缺少 `qrels`。请加上一行，例如 qrels = \"qrels.txt\"。",
    ),
    "gate floors": (
        lambda at: rg.Gate(qrels="q.txt", run="r.run", floors={"nDCG@10": 1.5, "nDGC": 0.5}, ceilings={"mising": 0}),
        "gate: ceilings: 'mising' must be one of missing_queries, unjudged, duplicates, nan_scores, failures. 2 more "
        "like it:\n  floors: nDCG@10 is between 0 and 1, so the limit must be as well, got 1.5.\n  floors: "
        "unknown measure 'nDGC'. Did you mean nDCG? `rankgauge measures` lists them all.",
        "门禁：ceilings：'mising' 必须是 missing_queries, unjudged, duplicates, nan_scores, failures 之一。"
        "另有 2 处类似：\n  floors：nDCG@10 的取值介于 0 和 1 之间，限值也必须如此，实际为 1.5。\n  floors："
        "未知的指标 'nDGC'。是否想输入 nDCG？`rankgauge measures` 列出全部指标。",
    ),
    "gate margin": (
        lambda at: rg.Gate(qrels="q.txt", run="r.run", non_inferior={"nDCG@10": 5}),
        "gate: non_inferior: nDCG@10 cannot lose more than 1, so the margin must be smaller, got 5. Is it a "
        "percentage? Write 0.01 for 1%. 1 more like it:\n  `non_inferior` needs a `baseline`: a run, or an evaluation "
        "stored as JSON.",
        "门禁：non_inferior：nDCG@10 的损失不可能超过 1，允许的损失必须更小，实际为 5。是百分比吗？1% 请写成 0.01。"
        "另有 1 处类似：\n  `non_inferior` 需要 `baseline`：一个 run，或存为 JSON 的评测。",
    ),
    "gate policy": (
        lambda at: rg.Gate(qrels="q.txt", run="r.run", floors={"nDCG@10": 0.5}, policy={"average": "weighted"}),
        "gate: policy: `average` must be macro or micro, got 'weighted': a gate has no weights.",
        "门禁：policy：`average` 必须是 macro 或 micro，实际为 'weighted'：门禁没有权重。",
    ),
    "model gate": (
        lambda at: rg.PredictionGate(predictions="c.csv", floors={"COPC": 0.9, "AUC": 75}, bounds={"COPC": (1.1, 0.9)}),
        "gate: floors: COPC is best near 1, neither higher nor lower. Give it bounds. 2 more like it:\n  floors: AUC "
        "is between 0 and 1, so the limit must be as well, got 75.\n  bounds: COPC must have the lower end first, got "
        "1.1 and 0.9.",
        "门禁：floors：COPC 越接近 1 越好，不是越高或越低越好。请用 bounds。另有 2 处类似：\n  floors：AUC "
        "的取值介于 0 和 1 之间，限值也必须如此，实际为 75。\n  bounds：COPC 必须先写下界，实际为 1.1 与 0.9。",
    ),
    "gate missing file": (
        lambda at: rg.Gate.from_toml(at / "no.toml"),
        "gate file 'no.toml' cannot be read: No such file or directory.",
        "门禁文件 'no.toml' 无法读取：没有这个文件或文件夹。",
    ),
}


@pytest.mark.parametrize(("call", "english", "chinese"), CASES.values(), ids=list(CASES))
def test_an_error_is_there_in_both_languages(tmp_path: Path, call: Any, english: str, chinese: str):
    says_in_both(call, Files(tmp_path), english, chinese)
