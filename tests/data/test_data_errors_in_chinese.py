"""What cannot be read is said in Chinese as well as in English, places and advice included."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import rankgauge as rg
from chinese_errors import Files, says_in_both

QRELS = {"q1": {"a": 1, "b": 0}, "q2": {"b": 2}}
RUN = {"q1": {"a": 1.0, "b": 0.5}, "q2": {"b": 1.0}}


def ev(*measures: Any, **options: Any) -> Any:
    return rg.evaluate(QRELS, RUN, *(measures or ("nDCG@10",)), **options)


CASES: dict[str, tuple[Any, str, str]] = {
    "missing file": (
        lambda at: rg.read_run(at / "nothing.run"),
        "run 'nothing.run' does not exist: nothing.run.",
        "run 'nothing.run' 不存在：nothing.run。",
    ),
    "trec score": (
        lambda at: rg.read_run(at.file("a.run", "q1 Q0 d1 1 x? t\nq1 Q0 d2 2 0,5 t\n")),
        "run 'a.run', line 1: score must be a number, got 'x?'. 1 more like it:\n  line 2: score must be a number, got "
        "'0,5'. Is the comma a decimal point? Write 0.5.",
        "run 'a.run' 第 1 行：得分必须是数字，实际为 'x?'。另有 1 处类似：\n  第 2 行：得分必须是数字，实际为 '0,5'。"
        "逗号是小数点吗？请写成 0.5。",
    ),
    "trec fields": (
        lambda at: rg.read_run(at.file("b.run", "q1 Q0 d1 1 2.0 t\nq1 Q0 d 2 2 0.5 t\n")),
        "run 'b.run', line 2: expected 6 fields (query Q0 doc rank score tag), found 7: 'q1 Q0 d 2 2 0.5 t'. Is there "
        "a blank in an id?",
        "run 'b.run' 第 2 行：应为 6 个字段（query Q0 doc rank score tag），实际有 7 个：'q1 Q0 d 2 2 0.5 t'。id "
        "中是不是有空格？",
    ),
    "swapped": (
        lambda at: rg.read_run(at.file("c.run", "q1 0 d1 1\nq1 0 d2 2\n")),
        "run 'c.run', line 1: expected 6 fields (query Q0 doc rank score tag), found 4: 'q1 0 d1 1'. 1 more like it:\n "
        " line 2: expected 6 fields (query Q0 doc rank score tag), found 4: 'q1 0 d2 2'.\nIt looks like qrels: are run "
        "and qrels swapped?",
        "run 'c.run' 第 1 行：应为 6 个字段（query Q0 doc rank score tag），实际有 4 个：'q1 0 d1 1'。另有 1 处类似："
        "\n  第 2 行：应为 6 个字段（query Q0 doc rank score tag），实际有 4 个：'q1 0 d2 2'。\n它看起来是 qrels：run "
        "和 qrels 是不是写反了？",
    ),
    "no columns": (
        lambda at: rg.read_run(at.file("d.csv", "a,b,c\nq1,d1,0.5\n")),
        "columns missing from run 'd.csv': 'query_id', 'doc_id', 'score'. Found: 'a', 'b', 'c'. Pass columns={\"a\": "
        '"query_id", "b": "doc_id", "c": "score"}.',
        "run 'd.csv' 缺少列：'query_id', 'doc_id', 'score'。找到：'a', 'b', 'c'。请传入 columns={\"a\": \"query_id\", "
        '"b": "doc_id", "c": "score"}。',
    ),
    "columns unknown": (
        lambda at: rg.read_run(at.file("d2.csv", "query_id,doc_id,score\nq1,d1,0.5\n"), columns={"dokno": "doc_id"}),
        "run 'd2.csv': `columns` names 'dokno', found: 'query_id', 'doc_id', 'score'.",
        "run 'd2.csv'：`columns` 中的 'dokno' 找不到，找到的是：'query_id', 'doc_id', 'score'。",
    ),
    "columns role": (
        lambda at: rg.read_run(at.file("d3.csv", "query_id,doc_id,score\nq1,d1,0.5\n"), columns={"score": "points"}),
        "`columns`: 'score' must map to one of query_id, doc_id, score, distance, rank, tag, got 'points'.",
        "`columns`：'score' 必须映射为 query_id, doc_id, score, distance, rank, tag 之一，实际为 'points'。",
    ),
    "csv nan": (
        lambda at: rg.read_run(at.file("e.csv", "query_id,doc_id,score\nq1,d1,high\nq1,d2,low\n")),
        "run 'e.csv', line 2: score must be a number, got 'high'. 1 more like it:\n  line 3: score must be a number, "
        "got 'low'.",
        "run 'e.csv' 第 2 行：得分必须是数字，实际为 'high'。另有 1 处类似：\n  第 3 行：得分必须是数字，实际为 'low'。"
        "",
    ),
    "csv counts": (
        lambda at: rg.read_run(at.file("g.csv", "query_id,doc_id,score\nq1,d1,0,5\n")),
        "run 'g.csv', line 2: expected 3 fields, found 4: 'q1,d1,0,5'. Is a comma a decimal point? Write 0.5 for 0,5.",
        "run 'g.csv' 第 2 行：应有 3 个字段，实际有 4 个：'q1,d1,0,5'。逗号是小数点吗？请把 0,5 写成 0.5。",
    ),
    "csv quote": (
        lambda at: rg.read_run(at.file("h.csv", 'query_id,doc_id,score\nq1,"d"1,0.5\n')),
        "run 'h.csv', line 2: text behind a closing quote: 'q1,\"d\"1,0.5'. Inside a quoted field a quote is written "
        'twice ("5"" nail"); or write the table with tabs, as .tsv.',
        'run \'h.csv\' 第 2 行：右引号之后还有文字：\'q1,"d"1,0.5\'。带引号的字段内，引号要写两次（"5"" nail"）；'
        "或者用制表符分隔，存为 .tsv。",
    ),
    "utf8": (
        lambda at: rg.read_run(at.file("i.run", b"q1 Q0 d1 1 2.0 t\n" + b"q2 Q0 \xe9 1 2 t\n")),
        "run 'i.run', line 2: text must be UTF-8, got 0xe9 at byte 7 of the line. Convert it, for example: iconv -f "
        "GB18030 -t UTF-8 in > out",
        "run 'i.run' 第 2 行：文本必须是 UTF-8，实际在该行第 7 个字节处为 0xe9。请转换编码，例如：iconv -f GB18030 -t "
        "UTF-8 in > out",
    ),
    "empty": (lambda at: rg.read_run(at.file("j.run", "")), "run 'j.run' is empty.", "run 'j.run' 是空文件。"),
    "json": (
        lambda at: rg.read_run(at.file("k.json", '{"q1": {"d1": 1.0,},, "q2": 1}')),
        "run 'k.json', line 1: not valid JSON: trailing comma in object.",
        "run 'k.json' 第 1 行：不是有效的 JSON：对象末尾多了一个逗号。",
    ),
    "jsonl": (
        lambda at: rg.read_run(at.file("l.jsonl", '{"query_id": "q1", "doc_id": "d", "score": 1}\nnope\n')),
        "run 'l.jsonl', line 2: not valid JSON: invalid character: 'nope'.",
        "run 'l.jsonl' 第 2 行：不是有效的 JSON：有无效的字符：'nope'。",
    ),
    "json twice": (
        lambda at: rg.read_run(at.file("m.json", '{"q1": {"d1": 1.0, "d1": 2.0}}')),
        "run 'm.json': key 'd1' appears twice in one object.",
        "run 'm.json'：键 'd1' 在同一个对象中出现两次。",
    ),
    "nested": (
        lambda at: rg.read_run(at.file("n.json", '{"q1": {"d1": "high"}, "q2": 5}')),
        "run 'n.json', query 'q1', doc 'd1': score must be a number, got 'high'. 1 more like it:\n  query 'q2': must "
        "be a list or an object, got 5.",
        "run 'n.json' 查询 'q1'，文档 'd1'：得分必须是数字，实际为 'high'。另有 1 处类似：\n  查询 'q2'："
        "必须是列表或对象，实际为 5。",
    ),
    "letor": (
        lambda at: rg.read_run(at.file("o.svm", "2 qid:1 1:0.5 2:1\n1 qid:1 1:0.1 2:0\n")),
        "run 'o.svm' is a LETOR file: it holds grades and features but no scores of a system. Pass the scores as a "
        "NumPy array, or as a table with the columns query_id, doc_id, score.",
        "run 'o.svm' 是 LETOR 文件：其中有等级和特征，但没有系统的得分。请传入 NumPy 数组形式的得分，或含 "
        "query_id、doc_id、score 列的表。",
    ),
    "folder": (
        lambda at: (at.file("sub/readme.md", "x"), rg.read_run(at / "sub"))[1],
        "run 'sub' is a folder without a table. Found: 'readme.md'.",
        "run 'sub' 是没有表的文件夹。找到：'readme.md'。",
    ),
    "binary": (
        lambda at: rg.read_run(at.file("p.bin", b"\x89PNG\x00\x00abc")),
        "run 'p.bin' is a binary file of an unknown kind. Known formats: …",
        "run 'p.bin' 是未知类型的二进制文件。已知格式：…",
    ),
    "format word": (
        lambda at: rg.read_run(at.file("q.run", "q1 Q0 d1 1 2.0 t\n"), format="trek"),
        "format must be one of opensearch, lists, parquet…",
        "format 必须是 opensearch, lists, parquet…",
    ),
    "qrels clash": (
        lambda at: rg.evaluate(rg.read_qrels(at.file("r.qrels", "q1 0 d1 1\nq1 0 d1 2\n")), {"q1": ["d1"]}, "P@1"),
        "qrels 'r.qrels': query 'q1', 'd1' has grades 1 and 2 (line 1 and line 2). Keep one judgement of each item.",
        "qrels 'r.qrels'：查询 'q1' 的 'd1' 有多个等级：1、2（第 1 行和第 2 行）。每个文档请只保留一条标注。",
    ),
    "dict value": (
        lambda at: rg.evaluate({"q1": {"a": "yes"}}, RUN, "P@1"),
        "qrels: query 'q1', 'a': grade must be a number, got 'yes'.",
        "qrels：查询 'q1' 的 'a'：相关性等级必须是数字，实际为 'yes'。",
    ),
    "dict kind": (
        lambda at: rg.evaluate({"q1": 3.5}, RUN, "P@1"),
        "qrels: query 'q1' must hold a dict of grades, a list of relevant ids or one id, got float.",
        "qrels：查询 'q1' 必须是等级的 dict、相关 id 的列表或一个 id，实际为 float。",
    ),
    "twins": (
        lambda at: rg.evaluate({"q1": {1: 1, "1": 2}}, RUN, "P@1"),
        "qrels: items of query 'q1' must have different ids, got 1 and '1', which are the same as text. Write ids in "
        "one way.",
        "qrels：查询 'q1' 的文档的 id 必须互不相同，实际有 1 和 '1'，它们作为文本是相同的。请统一 id 的写法。",
    ),
    "matrix": (
        lambda at: rg.Run.from_matrix(np.zeros((2, 2, 2))),
        "run: a matrix must have two dimensions [n_queries, n_items], got shape (2, 2, 2).",
        "run：矩阵必须是二维的 [n_queries, n_items]，实际形状为 (2, 2, 2)。",
    ),
    "matrix as": (
        lambda at: rg.Run.from_matrix(np.zeros((2, 2)), as_="numbers"),
        "run: `as_` must be 'scores', 'ids' or None, got 'numbers'.",
        "run：`as_` 必须是 'scores'、'ids' 或 None，实际为 'numbers'。",
    ),
    "frame type": (
        lambda at: rg.Run.of(pl.DataFrame({"query_id": ["q1"], "doc_id": ["d"], "score": [None]})),
        "run, row 1: score must be a number, got nothing.",
        "run 第 1 行：得分必须是数字，实际为空值。",
    ),
    "series": (
        lambda at: rg.Run.of(5),
        "cannot read builtins.int as a table. Pass a pandas, Polars, PyArrow or DuckDB table, or anything with "
        "__arrow_c_stream__.",
        "无法把 builtins.int 作为表读取。请传入 pandas、Polars、PyArrow 或 DuckDB 的表，或任何有 __arrow_c_stream__ "
        "的对象。",
    ),
    "weights": (
        lambda at: ev(weights={"q1": 1.0}, average="weighted"),
        "weights: 1 of 2 queries have none (q2…).",
        "权重：2 个查询中有 1 个没有权重（q2…）。",
    ),
    "weights bad": (
        lambda at: ev(weights={"q1": -1.0, "q2": 1}, average="weighted"),
        "weights: must be finite, not negative, and not all 0.",
        "权重：必须有限、非负，且不全为 0。",
    ),
    "slices": (
        lambda at: ev(slices={"x": "en"}),
        "slices: none of the 2 queries is in the slice table. Queries are such as 'q1', the table has 'x'.",
        "切片：2 个查询都不在切片表中。查询形如 'q1'，表中为 'x'。",
    ),
    "slices id": (
        lambda at: ev(slices=at.file("s1.jsonl", '{"query_id": 1.5, "lang": "en"}\n')),
        "slices 's1.jsonl', line 1: an id must be text or an integer, got 1.5 (float).",
        "切片 's1.jsonl' 第 1 行：id 必须是文本或整数，实际为 1.5（float）。",
    ),
    "slices twice": (
        lambda at: ev(slices=at.file("s2.csv", "query_id,lang\nq1,en\nq1,de\nq2,en\n")),
        "slices 's2.csv': query 'q1' must have one lang, got 'en' and 'de'. Keep one row per query.",
        "切片 's2.csv'：查询 'q1' 只能有一个 lang，实际为 'en' 和 'de'。每个查询请只保留一行。",
    ),
    "time units": (
        lambda at: rg.evaluate_predictions(
            {"label": [0, 1], "score": [0.1, 0.2], "time": [1600000000, 1600000000000]}, "AUC"
        ),
        "predictions: time must be in one unit, got seconds and milliseconds since 1970. Bring them to one, or pass "
        'columns={"time": "ignore"}.',
        '预测：时间必须使用同一单位，实际是自 1970 年起的秒和毫秒。请统一单位，或传入 columns={"time": "ignore"}。',
    ),
    "decompress": (
        lambda at: rg.read_run(at.file("z.run.gz", b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03abc")),
        "run 'z.run.gz' cannot be decompressed: damaged or cut-off gzip data (Compressed file ended before the "
        "end-of-stream marker was reached).",
        "run 'z.run.gz' 无法解压：gzip 数据已损坏或不完整（在结束标记之前就结束了）。",
    ),
    "cut parquet": (
        lambda at: rg.evaluate(at.file("w.parquet", b"PAR1 and nothing more"), RUN, "P@1"),
        "qrels 'w.parquet' cannot be read: parquet: File out of specification: The file must end with PAR1 or PARE.",
        "qrels 'w.parquet' 无法读取：Parquet 文件不完整或已损坏。",
    ),
    "log line": (
        lambda at: rg.behavior.read_log(
            at.file("lg.jsonl", '{"query_id": "q", "item_id": "a", "click": 1}\n{"query_id": \n')
        ),
        "log 'lg.jsonl' cannot be read as jsonl: Syntax at character 11 (':').",
        "日志 'lg.jsonl' 无法读取（按 jsonl 格式）：第 11 个字符处有语法错误。",
    ),
    "write suffix": (
        lambda at: rg.Run.of(RUN).write(at / "x.foo"),
        "cannot tell the format of 'x.foo' from its suffix. Pass format=: one of …",
        "无法从后缀判断 'x.foo' 的格式。请传入 format=：…",
    ),
    "write json nan": (
        lambda at: rg.Run.of({"q1": {"a": float("inf")}}).write(at / "x.jsonl"),
        "JSON has no inf: 1 scores are not finite. Write .csv or .parquet instead.",
        "JSON 中没有 inf：有 1 个得分不是有限的数字。请改写为 .csv 或 .parquet。",
    ),
    "two same runs": (
        lambda at: rg.evaluate(QRELS, [at.file("s.run", "q1 Q0 a 1 2.0 t\n"), at / "s.run"], "P@1"),
        "the same file is given as two runs: 's.run'. Name another run for one of them.",
        "同一个文件被当作两个 run：'s.run'。请把其中一个换成别的 run。",
    ),
    "empty run": (
        lambda at: rg.evaluate(QRELS, {}, "P@1"),
        "run: must hold at least one query, got none.",
        "run：至少要有一个查询，实际没有。",
    ),
    "audit": (
        lambda at: rg.audit(QRELS, {"q1": {"a": float("nan")}}).raise_if_found(),
        "the audit found 2 problems in the input:\n  warning nan-scores (run): 1 of 1 scores is NaN. (query 'q1', 'a') "
        "Find out where they come from. rankgauge ranks them last.\n  warning missing-queries (run): 1 of 2 judged "
        "queries is not in the run. (query 'q2') Run the missing queries, or choose with missing='zero', 'skip' or "
        "'error'.",
        "输入检查发现 2 个问题：\n  警告 nan-scores（run）：1 个得分中有 1 个是 NaN。（查询 'q1'，'a'）查明来源。"
        "rankgauge 把它们排在最后。\n  警告 missing-queries（run）：2 个已标注查询中有 1 个没有结果。（查询 "
        "'q2'）补跑缺少的查询，或用 missing='zero'、'skip'、'error' 选择处理方式。",
    ),
    "labels": (
        lambda at: rg.evaluate_predictions({"label": [0, 1, 7], "score": [0.1, 0.2, 0.3]}, "AUC"),
        "predictions: label must be 0 or 1 (or True/False, -1/1, or a number between 0 and 1), got 7 in 1 of 3 rows "
        '(row 3). Say which are positive, for example positive=7 or positive=">=7".',
        "预测：标签必须是 0 或 1（或 True/False、-1/1，或 0 与 1 之间的数字），3 行中有 1 行实际为 7（第 3 行）。"
        '请说明哪些是正样本，例如 positive=7 或 positive=">=7"。',
    ),
    "labels missing": (
        lambda at: rg.evaluate_predictions({"label": [0, 1, np.nan], "score": [0.1, np.nan, 0.3]}, "AUC"),
        "predictions: label must not be missing, got nan or nothing in 1 of 3 rows (row 3). 1 more like it:\n  score "
        "must be a number, got nan or nothing in 1 of 3 rows (row 2).",
        "预测：标签不能缺失，3 行中有 1 行实际为 nan 或空值（第 3 行）。另有 1 处类似：\n  得分必须是数字，3 行中有 1 "
        "行实际为 nan 或空值（第 2 行）。",
    ),
    "positive": (
        lambda at: rg.evaluate_predictions({"label": ["a", "b", "b"], "score": [0.1, 0.2, 0.3]}, "AUC", positive="c"),
        "predictions: label must be 'c' in some rows (positive=), got 'a', 'b'.",
        "预测：标签中必须有一些行为 'c'（positive=），实际为 'a', 'b'。",
    ),
    "lengths": (
        lambda at: rg.evaluate_predictions({"label": [0, 1], "score": [0.1, 0.2, 0.3]}, "AUC"),
        "predictions: columns must have the same length, got 'label' 2, 'score' 3.",
        "预测：各列长度必须相同，实际为 'label' 2, 'score' 3。",
    ),
    "2d": (
        lambda at: rg.evaluate_predictions({"label": [0, 1], "score": np.zeros((2, 2))}, "AUC"),
        "predictions, column 'score': must be one value per row, got an array of shape (2, 2). Pass the column of the "
        "positive class: p[:, 1].",
        "预测 的列 'score'：每行必须是一个值，实际为形状为 (2, 2) 的数组。请传入正类那一列：p[:, 1]。",
    ),
    "pred columns": (
        lambda at: rg.evaluate_predictions(at.file("t.csv", "clicked,pp\n1,0.5\n0,0.2\n"), "AUC"),
        "columns missing from predictions 't.csv': 'score'. Found: 'clicked', 'pp'. Pass columns={\"pp\": \"score\"}.",
        "预测 't.csv' 缺少列：'score'。找到：'clicked', 'pp'。请传入 columns={\"pp\": \"score\"}。",
    ),
    "weights 0": (
        lambda at: rg.evaluate_predictions({"label": [0, 1], "score": [0.1, 0.2], "weight": [0, 0]}, "AUC"),
        "predictions: weight must be positive in some rows, got 0 in all 2.",
        "预测：权重至少在部分行中必须为正，实际 2 行全为 0。",
    ),
}


@pytest.mark.parametrize(("call", "english", "chinese"), CASES.values(), ids=list(CASES))
def test_an_error_is_there_in_both_languages(tmp_path: Path, call: Any, english: str, chinese: str):
    says_in_both(call, Files(tmp_path), english, chinese)
