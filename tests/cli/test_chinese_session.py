"""A session in Chinese: every command, its help and an error of it, without a sentence of English.

Ids, names of measures, options, code and titles of papers are what they are in any language.
"""

from __future__ import annotations

import re
from pathlib import Path

import click
import pytest

from command_line import rankgauge
from rankgauge.cli.app import COMMANDS, app
from rankgauge.demo import ratings
from rankgauge.project.file import example

pytestmark = pytest.mark.filterwarnings("ignore:.*rich-click:PendingDeprecationWarning")

QRELS, BM25, DENSE = "shop/qrels.txt", "shop/bm25.run", "shop/dense.run"

ASKS = ("--retriever", "one_text.py:find")

WORDS: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    # what is done, and what goes wrong
    "demo": ((), ("--html", "nowhere/demo.html")),
    "evaluate": ((QRELS, BM25, DENSE, "--slices", "shop/queries.jsonl"), (QRELS, "nowhere.run")),
    "compare": ((QRELS, BM25, DENSE), (QRELS, BM25)),
    "diagnose": ((QRELS, DENSE, "--scenario", "ranking"), (QRELS, DENSE, "--scenario", "rankin")),
    "gate": ((QRELS, DENSE, "--floor", "nDCG@10>=0.01"), (QRELS, DENSE, "--floor", "nDCG@10=0.4")),
    "power": ((QRELS, BM25, DENSE, "--difference", "0.01"), ("--sd", "0.2")),
    "funnel": ((QRELS, f"recall={BM25}", f"final={DENSE}"), (QRELS, f"a={BM25}", f"a={DENSE}")),
    "channels": ((QRELS, BM25, DENSE), (QRELS, "nowhere.run")),
    "answers": (
        (QRELS, BM25, "--answers", "answers.csv"),
        (QRELS, BM25, "--answers", "answers.csv", "--retrieved", "NumRel"),
    ),
    "run": (("--store", "h.db", "--only", "bm25"), ("--only", "bm26")),
    "watch": (("--every", "1d", "--times", "1", "--store", "h.db"), ("--every", "daily")),
    "export": (("grafana", "-o", "board.json"), ("prometheus", "nowhere.db")),
    "ui": (("--help",), ("history.db", "--host", "0.0.0.0")),  # else it serves until it is stopped
    "report": (("bm25.json", "dense.json", "-o", "page.html"), ("shop/qrels.txt",)),
    "plot": (("measures", QRELS, DENSE, "-o", "chart.svg"), ("measrues", QRELS, DENSE)),
    "rag": (("asked.jsonl", *ASKS, "--documents", "docs.jsonl"), ("asked.jsonl", *ASKS)),
    "collect": (("asked.jsonl", *ASKS, "--run", "lists.csv"), ("asked.jsonl", *ASKS, "--run", "lists.xyz")),
    "sweep": (
        (QRELS, BM25, DENSE, "--documents", "shop/products.jsonl", "--budget", "200c"),
        (QRELS, BM25, "--documents", "shop/products.jsonl"),
    ),
    "split": (
        ("ratings.csv", "--by", "last", "--train", "train.csv", "--test", "test.csv"),
        ("ratings.csv", "--by", "last", "--share", "0.3"),
    ),
    "baseline": (("ratings.csv", "--kind", "recent", "-o", "recent.run"), ("ratings.csv", "-o", "recent.xyz")),
    "judgements": (("shop/log.csv", "-o", "clicked.qrels"), ("shop/log.csv", "--events", "click=x")),
    "bias": (("shop/log.csv",), ("shop/log.csv", "--method", "naive", "--relevance", "r.csv")),
    "interleave": ((BM25, DENSE, "--intersect", "-o", "lists.csv"), (BM25,)),
    "online": (
        ("ab", "shop/experiment.csv", "--numerator", "clicks", "--denominator", "impressions", "--unit", "user_id"),
        ("ab", "shop/experiment.csv", "--numerator", "clcks", "--unit", "user_id"),
    ),
    "predictions": (("shop/clicks.csv", "--score", "old", "--score", "new"), ("shop/clicks.csv", "--score", "nwe")),
    "drift": (("shop/clicks.csv", "--score", "new"), ("shop/clicks.csv", "--score", "new", "--time", "dya")),
    "calibrate": (("shop/clicks.csv", "--score", "new"), ("shop/clicks.csv", "--score", "new", "--apply", "bm25.json")),
    "history": (("list", "--store", "history.db"), ("show", "nosuch", "--store", "history.db")),
    "scenarios": (("document_qa",), ("document_q",)),
    "explain": (("MRR@10",), ("nDGC@10",)),
    "measures": ((), ("nosuchword",)),
    "tradeoff": ((QRELS, BM25, DENSE, "-m", "RR", "-m", "P@5"), (QRELS, BM25, "-m", "RR")),
    "overlap": ((BM25, DENSE), (BM25, "nosuch.run")),
    "audit": ((QRELS, "shop/hybrid.run"), (QRELS, "shop")),
    "convert": ((BM25, "bm25.csv"), (BM25, "bm25.xyz")),
    "completion": (("bash",), ("tcsh",)),
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    target = tmp_path_factory.mktemp("chinese")
    rankgauge("demo", "--save", "shop", cwd=target)
    rows = zip(*ratings().values(), strict=True)
    lines = ["user_id,item_id,rating,timestamp", *(",".join(map(str, row)) for row in rows)]
    (target / "ratings.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    (target / "answers.csv").write_text("query_id,correct\nq001,1\n", encoding="utf-8")
    (target / "docs.jsonl").write_text('{"id": "d1", "text": "鞋子用冷水手洗。"}\n', encoding="utf-8")
    (target / "asked.jsonl").write_text('{"question": "怎么洗？", "gold": "用冷水 手洗"}\n', encoding="utf-8")
    (target / "one_text.py").write_text("def find(query):\n    return ['冷水手洗。']\n", encoding="utf-8")
    rankgauge("evaluate", QRELS, BM25, "--store", "history.db", "--store-at", "2026-11-01", cwd=target)
    (target / "rankgauge.toml").write_text(example("zh"), encoding="utf-8")
    for name in ("bm25", "dense"):
        rankgauge("evaluate", QRELS, f"shop/{name}.run", "-o", f"{name}.json", cwd=target)
    return target


_CODE = re.compile(
    r"`[^`]*`"  # code
    r"|'[^'\n]*'|\"[^\"\n]*\"|“[^”\n]*”"  # values, and titles in English quotes
    r"|(?<!\w)--?[a-z][\w-]*"  # options
    r"|\S*(?:[/\\_@=+\d]|\.\w)\S*"  # paths, assignments, names with a digit or an underline
)
_SENTENCE = re.compile(r"\b[A-Za-z]+(?: [a-z]+){2,}\b")


def english(text: str) -> list[str]:
    """Three words of English one after the other, or more, outside of code."""
    found = []
    for line in text.splitlines():
        if re.match(r"\s*(rankgauge|zcat|eval) ", line) or line.strip().startswith(("文献", "用法")):
            continue  # commands, usage and titles of papers are no sentences
        found += [m[0] for m in _SENTENCE.finditer(_CODE.sub("，", line))]
    return found


def test_no_command_is_forgotten():
    assert set(WORDS) == set(COMMANDS)


@pytest.mark.parametrize("command", WORDS)
def test_what_a_command_says_is_chinese(command: str, folder: Path):
    words, _ = WORDS[command]

    done = rankgauge(command, *words, cwd=folder, language="zh")

    if command != "completion":  # a script
        assert english(done.stdout + done.stderr) == []
    assert re.search("[\u4e00-\u9fff]", done.stdout + done.stderr) or command == "completion"


@pytest.mark.parametrize("command", WORDS)
def test_errors_are_chinese(command: str, folder: Path):
    _, words = WORDS[command]

    said = rankgauge(command, *words, cwd=folder, language="zh", code=2).stderr

    assert "错误：" in said
    assert english(said) == []


def subcommands() -> list[tuple[str, ...]]:
    out: list[tuple[str, ...]] = [()]
    for name in COMMANDS:
        found = app.get_command(click.Context(app), name)
        out.append((name,))
        out += [(name, inner) for inner in getattr(found, "commands", ())]
    return out


@pytest.mark.parametrize("words", subcommands(), ids=" ".join)
def test_help_is_chinese(words: tuple[str, ...], folder: Path):
    said = rankgauge(*words, "--help", cwd=folder, language="zh").stdout

    assert "用法：" in said
    assert english(said) == []


@pytest.mark.parametrize(
    "text",
    [
        "Pass it again.",
        "前 10 条：results are judged",
        "wrote the file",
        "错误：interleave: both runs must hold the same",
    ],
)
def test_a_sentence_of_english_is_seen(text: str):
    assert english(text)


@pytest.mark.parametrize(
    "text",
    [
        "nDCG@10 0.5928",
        "请传入 --missing zero 或 --missing skip。",
        "R@5, P@5, nDCG@5",
        "ties=doc_id missing=zero",
        "AUC LogLoss",
    ],
)
def test_code_and_names_are_let_pass(text: str):
    assert english(text) == []
