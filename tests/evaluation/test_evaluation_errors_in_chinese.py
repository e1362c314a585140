"""What evaluations refuse is said in Chinese as well as in English."""

from __future__ import annotations

import json
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
    "negatives kept": (
        lambda at: rg.evaluate_predictions({"label": [0, 1], "score": [-3, 5.0]}, "LogLoss", negatives_kept=0.1),
        "predictions: `negatives_kept` corrects probabilities, and scores are from -3 to 5. Pass scale='logit' if they "
        "are log-odds.",
        "predictions：`negatives_kept` 用来校正概率，而得分从 -3 到 5。如果是对数几率，请传入 scale='logit'。",
    ),
    "curve": (
        lambda at: rg.evaluate_predictions({"label": [1, 1], "score": [0.1, 0.2]}, "LogLoss").curve("roc"),
        "predictions: a curve needs labels 0 and 1, both of them.",
        "predictions：曲线需要标签同时有 0 和 1。",
    ),
    "threshold rule": (
        lambda at: rg.choose_threshold({"label": Y, "score": S}, by="cost"),
        "choose_threshold: by='cost' needs cost_fp= and cost_fn=.",
        "choose_threshold：by='cost' 需要 cost_fp= 和 cost_fn=。",
    ),
    "threshold by": (
        lambda at: rg.choose_threshold({"label": Y, "score": S}, by="best"),
        "choose_threshold: `by` must be one of F, MCC, Youden, Accuracy, BalancedAccuracy, cost, precision, recall, "
        "share (or F1, F2 …), got 'best'.",
        "choose_threshold：`by` 必须是 F, MCC, Youden, Accuracy, BalancedAccuracy, cost, precision, recall, share "
        "之一（或 F1、F2 …），实际为 'best'。",
    ),
    "split": (
        lambda at: rg.choose_threshold({"label": Y, "score": S}, by="F1", split="time"),
        "split='time' needs a time for each row, got none. Pass time='…', or split='half'.",
        "split='time' 需要每行有时间，实际没有。请传入 time='…'，或 split='half'。",
    ),
    "policy word": (
        lambda at: ev(ties="bset"),
        "`ties` must be one of doc_id, input, best, worst, expected, got 'bset'. Did you mean best?",
        "`ties` 必须是 doc_id, input, best, worst, expected 之一，实际为 'bset'。是否想输入 best？",
    ),
    "policy": (
        lambda at: ev(policy="trec"),
        "evaluate: `policy` must be a Policy, such as that of an evaluation (ev.policy), got 'trec'. Pass Policy(…), "
        "or single words.",
        "evaluate：`policy` 必须是 Policy，例如某个评测的策略（ev.policy），实际为 'trec'。请传入 Policy(…)，"
        "或单个策略词。",
    ),
    "missing raise": (
        lambda at: rg.evaluate({**QRELS, "q3": {"a": 1}}, RUN, "P@1", missing="error"),
        "run: 1 of 3 judged queries have no results (q3). Pass missing='zero' or missing='skip'.",
        "run：3 个有标注的查询中有 1 个没有结果（q3）。请传入 missing='zero' 或 missing='skip'。",
    ),
    "duplicates": (
        lambda at: rg.evaluate(QRELS, {"q1": ["a", "a"], "q2": ["b"]}, "P@1", duplicates="error"),
        "run: 1 results repeat an item of the same list. Remove them, or pass duplicates='first'.",
        "run：有 1 条结果在同一列表中重复了某个文档。请去掉它们，或传入 duplicates='first'。",
    ),
    "convention": (
        lambda at: ev(convention="trek"),
        "unknown convention 'trek'. There are: …",
        "未知的约定 'trek'。现有：…",
    ),
    "weighted": (
        lambda at: ev(average="weighted"),
        "average='weighted' needs weights: pass weights={query_id: weight}.",
        "average='weighted' 需要权重：请传入 weights={query_id: weight}。",
    ),
    "interval": (
        lambda at: ev().interval("nDCG@10", method="boot"),
        "`method` must be 't' or 'bootstrap', got 'boot'.",
        "`method` 必须是 't' 或 'bootstrap'，实际为 'boot'。",
    ),
    "no measure": (
        lambda at: ev()["P@3"],
        "P@3 was not evaluated. There are: nDCG@10.",
        "没有评测 P@3。现有：nDCG@10。",
    ),
    "slices none": (
        lambda at: ev().by_slice() if hasattr(ev(), "by_slice") else ev().slices(),
        "no slices were given. Pass slices=… to evaluate().",
        "没有给出切片。请把 slices=… 传入 evaluate()。",
    ),
    "level": (
        lambda at: ev(confidence_level=2),
        "`confidence_level` must be between 0 and 1, got 2.",
        "`confidence_level` 必须介于 0 和 1 之间，实际为 2。",
    ),
    "load": (
        lambda at: rg.load(at.file("u.json", '{"a": 1}')),
        "stored record 'u.json' must hold an evaluation, a comparison, a funnel or another record, as its to_json() or "
        "`--json` writes it. Found: an object with 'a'. Store one with ev.to_json(path); runs and judgements are read "
        "by rg.read_run and rg.read_qrels.",
        "存储的记录 'u.json' 必须包含评测、比较、漏斗或其他记录，即 to_json() 或 `--json` 写出的内容。找到：含 'a' "
        "的对象。请用 ev.to_json(path) 存储；run 和标注用 rg.read_run 和 rg.read_qrels 读取。",
    ),
    "load text": (
        lambda at: rg.load(at.file("u2.json", '{"a": ')),
        "stored record 'u2.json' must hold an evaluation, a comparison, a funnel or another record, as its to_json() "
        "or `--json` writes it. Line 1: not valid JSON: Expecting value. Runs and judgements are read by rg.read_run "
        "and rg.read_qrels.",
        "存储的记录 'u2.json' 必须包含评测、比较、漏斗或其他记录，即 to_json() 或 `--json` 写出的内容。第 1 行："
        "不是有效的 JSON：此处应有值。run 和标注用 rg.read_run 和 rg.read_qrels 读取。",
    ),
    "load damaged": (
        lambda at: rg.load(at.file("u3.json", json.dumps({**json.loads(ev().to_json()), "measures": 3}))),
        "stored record 'u3.json': not what was stored: 'measures': expected array, got int. Store it again.",
        "存储的记录 'u3.json'：与保存的内容不符：'measures'：应为 array，实际为 int。请重新保存。",
    ),
    "by_cutoff": (
        lambda at: ev().by_cutoff("P@3"),
        "by_cutoff() takes measures without a cutoff, got P@3. Pass 'P' and cutoffs=[3].",
        "by_cutoff() 接受不带截断的指标，实际为 P@3。请传入 'P' 和 cutoffs=[3]。",
    ),
    "funnel stages": (
        lambda at: rg.funnel(QRELS, RUN),
        "funnel: `stages` must be a dict of runs by name, the first stage first, or a list of paths, got one run. Pass "
        '{"recall": run200, "final": run10}.',
        "funnel：`stages` 必须是以名称为键的 run 的 dict（第一阶段在前），或路径的列表，实际为一个 run。请传入 "
        '{"recall": run200, "final": run10}。',
    ),
    "funnel cut": (
        lambda at: rg.funnel(QRELS, {"recall": RUN}, cut={"rank": 5}),
        "funnel: `cut` names the stage 'rank', stages are recall.",
        "funnel：`cut` 中的阶段 'rank' 不存在，现有阶段为 recall。",
    ),
    "funnel ties": (
        lambda at: rg.funnel(QRELS, {"recall": RUN}, ties="expected"),
        "funnel: `ties` must be one of doc_id, input, best, worst, got 'expected'. An item has one fate, so it needs "
        "one rank.",
        "funnel：`ties` 必须是 doc_id, input, best, worst 之一，实际为 'expected'。一个条目只有一种去向，"
        "因此需要唯一的排名。",
    ),
    "streaming": (
        lambda at: ev(engine="streaming"),
        "engine='streaming' reads Parquet files, folders of files and lazily scanned Polars frames, got a dict as run. "
        "Pass engine='auto', or a lazy frame such as pl.scan_csv(…).",
        "engine='streaming' 读取 Parquet 文件、由文件组成的文件夹和惰性扫描的 Polars 表，而 run 是 dict。请传入 "
        "engine='auto'，或 pl.scan_csv(…) 这样的惰性表。",
    ),
    "engine": (
        lambda at: ev(engine="gpu"),
        "`engine` must be one of auto, memory, streaming, spark, got 'gpu'.",
        "`engine` 必须是 auto, memory, streaming, spark 之一，实际为 'gpu'。",
    ),
}


@pytest.mark.parametrize(("call", "english", "chinese"), CASES.values(), ids=list(CASES))
def test_an_error_is_there_in_both_languages(tmp_path: Path, call: Any, english: str, chinese: str):
    says_in_both(call, Files(tmp_path), english, chinese)
