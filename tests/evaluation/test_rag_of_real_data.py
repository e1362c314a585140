"""Real questions through `rankgauge rag` and `sweep`: BM25 over chunks of three sizes, judged by the same spans, within
budgets, with the report, in both languages."""

from __future__ import annotations

import contextlib
import gzip
import json
from collections.abc import Callable
from pathlib import Path
from statistics import fmean
from typing import Any

import pytest

import rankgauge as rg
from command_line import rankgauge
from oracle.naive_budgets import fitting
from oracle.naive_budgets import words as counted
from oracle.naive_spans import NAIVE, Case

SEARCH = '''
import re

import logging

import bm25s

logging.getLogger("bm25s").setLevel(logging.WARNING)

from rankgauge.data.locating import Documents

DOCS = {source}


def words(text):
    """Words of Latin letters, and pairs of Chinese characters."""
    out = re.findall("[a-z0-9]+", text.lower())
    for part in re.findall("[\\u4e00-\\u9fff]+", re.sub(r"\\s", "", text)):
        out += [part[i : i + 2] for i in range(max(1, len(part) - 1))]
    return out or ["?"]


def retriever(size):
    pieces = [(d, i, min(i + size, len(t))) for d, t in DOCS.items() for i in range(0, len(t), size)]
    index = bm25s.BM25(k1=0.9, b=0.4)
    index.index([words(DOCS[d][start:end]) for d, start, end in pieces], show_progress=False)

    def find(query, k):
        found, scores = index.retrieve([words(query)], k=min(k, len(pieces)), show_progress=False)
        return [(*pieces[i], float(s)) for i, s in zip(found[0], scores[0])]

    return find


small, middle, large = (retriever(size) for size in (100, 200, 400))
'''
SIZES = {"small": 100, "middle": 200, "large": 400}


def read(path: Path) -> Any:
    with gzip.open(path, "rt", encoding="utf-8") as file:
        return [json.loads(line) for line in file] if ".jsonl" in path.name else json.load(file)


def written(path: Path, records: list[Any]) -> None:
    path.write_text("".join(json.dumps(r, ensure_ascii=False) + "\n" for r in records), encoding="utf-8")


def cmrc(shared: Path, folder: Path, most: int | None) -> list[str]:
    """The file as it is, or its first entries; it brings its documents."""
    content = read(shared / "cmrc2018_zh/cmrc2018_dev.json.gz")
    content["data"] = content["data"][:most]
    (folder / "cmrc.json").write_text(json.dumps(content, ensure_ascii=False), encoding="utf-8")
    return ["cmrc.json"]


def domainrag(shared: Path, folder: Path, most: int | None) -> list[str]:
    """Records with their passages inside; the documents are all passages that two retrievers found."""
    entries = read(shared / "domainrag_extractive_zh/basic_qa_retrieved_bm25.jsonl.gz")
    texts = dict.fromkeys(p["contents"] for e in entries for p in (*e["positive_reference"], *e["retrieved_psgs"]))
    written(folder / "docs.jsonl", [{"id": f"p{i}", "text": text} for i, text in enumerate(texts)])
    written(folder / "asked.jsonl", [{k: e[k] for k in ("question", "positive_reference")} for e in entries[:most]])
    return ["asked.jsonl", "--documents", "docs.jsonl"]


def anthropic(shared: Path, folder: Path, most: int | None) -> list[str]:
    """Chunks of pages, put together again: gold is where they stand."""
    pages: dict[str, str] = {}
    where = {}
    for chunk in read(shared / "anthropic_docs_rag/anthropic_docs.json.gz"):
        page = chunk["chunk_link"].partition("#")[0]
        start = len(pages.get(page, ""))
        pages[page] = pages.get(page, "") + chunk["text"] + "\n"
        where[chunk["chunk_link"]] = [page, start, start + len(chunk["text"])]
    written(folder / "docs.jsonl", [{"id": d, "text": text} for d, text in pages.items()])
    entries = read(shared / "anthropic_docs_rag/docs_evaluation_dataset.json.gz")[:most]
    asked = [
        {"id": e["id"], "question": e["question"], "gold": [where[c] for c in e["correct_chunks"]]} for e in entries
    ]
    written(folder / "asked.jsonl", asked)
    return ["asked.jsonl", "--documents", "docs.jsonl"]


def autorag(shared: Path, folder: Path, most: int | None) -> list[str]:
    """Its two files as they are."""
    data = shared / "autorag_sample"
    return [
        str(data / "qa_data_sample.parquet"),
        "--documents",
        str(data / "corpus_data_sample.parquet"),
        "--by",
        "spans",
    ]


DATA: dict[str, Callable[[Path, Path, int | None], list[str]]] = {
    "cmrc": cmrc,
    "domainrag": domainrag,
    "anthropic": anthropic,
    "autorag": autorag,
}
WANTED = ("R@5", "nDCG@5", "SpanRecall@5", "SpanPrecision@5")


def documents_of(words: list[str]) -> str:
    """How the retrievers get the documents: the same as the command."""
    source = words[words.index("--documents") + 1] if "--documents" in words else words[0]
    return f"Documents.of({source!r}).texts"


def asked(shared: Path, folder: Path, name: str, most: int | None, *more: str, language: str = "en") -> Any:
    words = DATA[name](shared, folder, most)
    (folder / "search_real.py").write_text(SEARCH.replace("{source}", documents_of(words)), encoding="utf-8")
    retrievers = [w for size in SIZES for w in ("--retriever", f"{size}=search_real:{size}")]
    return rankgauge("rag", *words, *retrievers, "--not-found", "skip", *more, cwd=folder, language=language)


def check(shared: Path, folder: Path, name: str, most: int | None) -> dict[str, dict[str, float]]:
    stored = json.loads(asked(shared, folder, name, most, "--json", "--html", "en.html").stdout)
    said = asked(shared, folder, name, most, "--html", "zh.html", "--language", "zh").stdout

    evaluations = stored["evaluations"]
    found = {run: {m["measure"]: m["value"] for m in ev["measures"]} for run, ev in evaluations.items()}
    assert list(found) == list(SIZES)
    assert [c["retriever"] for c in stored["collected"]] == list(SIZES)
    assert all(set(c["outcomes"]) == {"ok"} for c in stored["collected"])
    recall, precision = ([found[run][m] for run in SIZES] for m in ("SpanRecall@5", "SpanPrecision@5"))
    assert recall == sorted(recall)  # at equal k larger chunks hold more
    assert name != "cmrc" or precision == sorted(precision, reverse=True)  # answers of a few words
    assert "middle 对比 small" in said
    for page in ("en.html", "zh.html"):
        text = (folder / page).read_text(encoding="utf-8")
        assert "SpanPrecision@5" in text
        assert "unjudged results" not in text
        screen = text.partition('<section id="by-budget">')[2].partition("</section>")[0]
        assert "<svg" in screen  # the curve of recall over the room of a context
        assert all(words in screen for words in (*SIZES, "SpanRecall", SCREEN[page]))
    naive(folder, DATA[name](shared, folder, most), evaluations)
    swept(shared, folder, name, most)
    return found


BUDGETS = (100, 400, 1600)
SCREEN = {"en.html": "How much context is enough?", "zh.html": "多少上下文才够？"}


def swept(shared: Path, folder: Path, name: str, most: int | None) -> Any:
    """Which chunk size at which budget: the same retrievers, asked for more, and lists that are cut by hand beside."""
    words = DATA[name](shared, folder, most)
    if "--documents" not in words:
        words += ["--documents", words[0]]
    asked_for = [w for size in SIZES for w in ("--retriever", f"{size}=search_real:{size}")]
    asked_for += [w for budget in BUDGETS for w in ("--budget", f"{budget}t")]
    typed = ("sweep", *words, *asked_for, "-k", "40", "--not-found", "skip", "--permutations", "500")
    stored = json.loads(rankgauge(*typed, "--json", cwd=folder).stdout)
    said = rankgauge(*typed, "--html", "sweep.html", cwd=folder, language="zh").stdout
    value = {(p["system"], p["budget"]): p["value"] for p in stored["points"]}

    assert stored["kind"] == "sweep"
    for size in SIZES:
        curve = [value[size, f"{budget}t"] for budget in BUDGETS]
        assert curve == sorted(curve)  # more room never holds less
    assert "召回率" in said or "SpanRecall" in said
    assert "SpanRecall" in (folder / "sweep.html").read_text(encoding="utf-8")
    _cut_by_hand(folder, words, value)
    return stored


def _cut_by_hand(folder: Path, words: list[str], value: Any) -> None:
    """Recall within a budget, of lists that a count of words ends."""
    from rankgauge.collection.named import retriever_named
    from rankgauge.data.questions import judged_by

    with contextlib.chdir(folder):
        spans, texts = judged_by(words[0], words[words.index("--documents") + 1], by="spans", not_found="skip")
        assert isinstance(spans, rg.Spans)
        assert spans.documents is not None
        whole = spans.documents.texts
        for size in SIZES:
            ask = retriever_named(f"search_real:{size}")
            lists = {q: [x[:3] for x in ask(texts[q], 40)] for q, needs in spans.needs.items() if needs}
            costs = {q: [counted(whole[d][s:e]) for d, s, e in each] for q, each in lists.items()}
            for budget in BUDGETS[:2]:
                recalls = []
                for q, each in lists.items():
                    case = Case([(n.grade, n.alternatives) for n in spans.needs[q]], each[: fitting(costs[q], budget)])
                    recalls.append(NAIVE["SpanRecall"](rg.parse("SpanRecall"), case))
                assert value[size, f"{budget}t"] == pytest.approx(fmean(recalls))


def naive(folder: Path, words: list[str], evaluations: Any) -> None:
    """Values of a few queries from sets of characters, of what the retrievers give when they are asked here."""
    from rankgauge.collection.named import retriever_named
    from rankgauge.data.questions import judged_by

    with contextlib.chdir(folder):
        documents = words[words.index("--documents") + 1] if "--documents" in words else None
        spans, texts = judged_by(words[0], documents, by="spans", not_found="skip")
        assert isinstance(spans, rg.Spans)
        for run in SIZES:
            ask = retriever_named(f"search_real:{run}")
            ev = evaluations[run]
            for q in [q for q, needs in spans.needs.items() if needs][:5]:
                pieces = rg.Chunks({q: [x[:3] for x in ask(texts[q], 20)]}).lists[q]
                case = Case([(n.grade, n.alternatives) for n in spans.needs[q]], pieces)
                for m in WANTED[2:]:
                    value = ev["per_query"][m][ev["query_ids"].index(q)]
                    assert value == pytest.approx(NAIVE[rg.parse(m).name](rg.parse(m), case), abs=1e-12)


@pytest.mark.slow
@pytest.mark.parametrize("name", DATA)
def test_three_chunk_sizes_are_asked_judged_and_reported(name: str, shared: Path, tmp_path: Path):
    pytest.importorskip("bm25s")
    check(shared, tmp_path, name, 30)


@pytest.mark.long("real data sets as a whole")
@pytest.mark.parametrize("name", DATA)
def test_the_same_of_all_questions(name: str, shared: Path, tmp_path: Path):
    pytest.importorskip("bm25s")
    check(shared, tmp_path, name, None)
