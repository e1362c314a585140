"""Real questions, documents and a BM25 retriever at three chunk sizes: the same spans judge all of them."""

from __future__ import annotations

import gzip
import json
import math
import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

import rankgauge as rg
from oracle.naive_budgets import fitting
from oracle.naive_budgets import words as counted
from oracle.naive_spans import NAIVE, Case

SIZES = (100, 200, 400)
WANTED = ["R@5", "nDCG@5", "SpanRecall@5", "SpanPrecision@5", "SpanIoU@5", "NeedRecall(reach=0.5)@5"]


def words(text: str) -> list[str]:
    """Words of Latin letters, and pairs of Chinese characters."""
    out = re.findall(r"[a-z0-9]+", text.lower())
    for part in re.findall(r"[\u4e00-\u9fff]+", re.sub(r"\s", "", text)):
        out += [part[i : i + 2] for i in range(max(1, len(part) - 1))]
    return out


def bm25(pieces: dict[str, str], queries: dict[str, str], k: int = 10) -> dict[str, list[str]]:
    """The first k pieces for each query (k1 = 0.9, b = 0.4)."""
    counts = {i: Counter(words(text)) for i, text in pieces.items()}
    length = {i: sum(c.values()) for i, c in counts.items()}
    mean = sum(length.values()) / len(length)
    having: dict[str, list[str]] = {}
    for i, c in counts.items():
        for word in c:
            having.setdefault(word, []).append(i)
    out = {}
    for q, text in queries.items():
        score: dict[str, float] = {}
        for word in set(words(text)):
            found = having.get(word, [])
            weight = math.log(1 + (len(pieces) - len(found) + 0.5) / (len(found) + 0.5))
            for i in found:
                tf = counts[i][word]
                score[i] = score.get(i, 0) + weight * tf / (tf + 0.9 * (0.6 + 0.4 * length[i] / mean))
        out[q] = sorted(score, key=lambda i: (-score[i], i))[:k]
    return out


def read(path: Path) -> Any:
    with gzip.open(path, "rt", encoding="utf-8") as file:
        return [json.loads(line) for line in file] if ".jsonl" in path.name else json.load(file)


def cmrc(shared: Path) -> tuple[dict, dict, Any]:
    docs, queries, gold = {}, {}, []
    for entry in read(shared / "cmrc2018_zh/cmrc2018_dev.json.gz")["data"][:150]:
        for p in entry["paragraphs"]:
            docs[p["id"]] = p["context"]
            for qa in p["qas"]:
                queries[qa["id"]] = qa["question"]
                gold += [
                    {"query_id": qa["id"], "text": a, "doc_id": p["id"], "need": "answer", "alternative": a}
                    for a in dict.fromkeys(x["text"] for x in qa["answers"])
                ]
    return docs, queries, gold


def domainrag(shared: Path) -> tuple[dict, dict, Any]:
    docs, queries, gold = {}, {}, []
    for i, entry in enumerate(read(shared / "domainrag_extractive_zh/basic_qa_retrieved_bm25.jsonl.gz")):
        queries[f"q{i}"] = entry["question"]
        for p in (*entry["positive_reference"], *entry["retrieved_psgs"]):
            docs.setdefault(p["contents"], f"p{len(docs)}")
        gold += [
            {"query_id": f"q{i}", "text": answer, "doc_id": docs[p["contents"]]}
            for p in entry["positive_reference"]
            for answer in entry["answers"][0]
        ]
    return {name: text for text, name in docs.items()}, queries, gold


def anthropic(shared: Path) -> tuple[dict, dict, Any]:
    pages: dict[str, str] = {}
    where = {}
    for chunk in read(shared / "anthropic_docs_rag/anthropic_docs.json.gz"):
        page = chunk["chunk_link"].partition("#")[0]
        start = len(pages.get(page, ""))
        pages[page] = pages.get(page, "") + chunk["text"] + "\n"
        where[chunk["chunk_link"]] = (page, start, start + len(chunk["text"]))
    entries = read(shared / "anthropic_docs_rag/docs_evaluation_dataset.json.gz")
    gold = {e["id"]: [where[link] for link in e["correct_chunks"]] for e in entries}
    return pages, {e["id"]: e["question"] for e in entries}, gold


def autorag(shared: Path) -> tuple[dict, dict, Any]:
    import polars as pl

    folder = shared / "autorag_sample"
    corpus = pl.read_parquet(folder / "corpus_data_sample.parquet", columns=["doc_id", "contents"])
    docs = dict(corpus.iter_rows())
    rows = list(pl.read_parquet(folder / "qa_data_sample.parquet").iter_rows(named=True))
    gold = [
        {"query_id": r["qid"], "doc_id": d, "start": 0, "end": len(docs[d]), "need": str(j), "alternative": d}
        for r in rows
        for j, any_of in enumerate(r["retrieval_gt"])
        for d in any_of
    ]
    return docs, {r["qid"]: r["query"] for r in rows}, gold


DATA = {"cmrc": cmrc, "domainrag": domainrag, "anthropic": anthropic, "autorag": autorag}


def chunked(docs: dict[str, str], size: int) -> dict[str, tuple[str, int, int]]:
    return {f"{d}#{i}": (d, i, min(i + size, len(t))) for d, t in docs.items() for i in range(0, len(t), size)}


@pytest.mark.slow
@pytest.mark.parametrize("name", DATA)
def test_three_chunk_sizes_of_real_documents_are_judged_by_one_truth(name: str, shared: Path):
    docs, queries, given = DATA[name](shared)
    spans = rg.Spans(given, documents=docs, not_found="skip")
    systems = {}
    for size in SIZES:
        table = chunked(docs, size)
        lists = bm25({c: docs[d][s:e] for c, (d, s, e) in table.items()}, queries)
        systems[str(size)] = rg.Chunks(lists, chunks=table, documents=docs)
    evs = rg.evaluate(spans, systems, [*WANTED, "SpanOmega", "Duplication@5"])

    naive = [q for q, needs in spans.needs.items() if needs][:8]
    for size, ev in evs.items():
        values = {m: dict(zip(ev.query_ids, ev.per_query[m].to_list(), strict=True)) for m in WANTED[2:]}
        for q in naive:
            x = Case([(n.grade, n.alternatives) for n in spans.needs[q]], systems[size].lists.get(q, ()))
            for m in WANTED[2:]:
                assert values[m][q] == pytest.approx(NAIVE[rg.parse(m).name](rg.parse(m), x), abs=1e-12)
        assert ev["Duplication@5"] == 0  # chunks do not overlap
    assert len({ev.fingerprint["judgements"] for ev in evs.values()}) == 1
    assert {x.measure for x in rg.compare(evs).contrasts} >= set(WANTED)
    recall, precision = ([ev[m] for ev in evs.values()] for m in ("SpanRecall@5", "SpanPrecision@5"))
    assert recall == sorted(recall)  # at equal k, larger chunks hold more
    assert name == "autorag" or precision == sorted(precision, reverse=True)  # there documents are gold as a whole
    within = rg.evaluate(spans, {size: chunks.within(400) for size, chunks in systems.items()}, ["SpanRecall", "R"])
    for size, ev in within.items():
        assert ev["SpanRecall"] <= evs[size]["SpanRecall@5"] + 1e-12 or int(size) * 5 < 400
    _check_budgets(spans, systems, docs, evs)


def _check_budgets(spans: Any, systems: dict[str, Any], docs: dict[str, str], evs: Any) -> None:
    """Within a budget of tokens numbers are those of lists that are cut by hand."""
    found = rg.sweep(spans, systems, budgets=["60t", "300t", "100000t"], permutations=200)
    for size, chunks in systems.items():
        for budget in (60, 300):
            cut = {}
            for q in spans.needs:
                pieces = chunks.lists.get(q, ())
                costs = [counted(docs[p.doc_id][p.start : p.end]) for p in pieces]
                cut[q] = [tuple(p) for p in pieces[: fitting(costs, budget)]]
            plain = rg.evaluate(spans, rg.Chunks(cut | {"?": [("?", 0, 1)]}), "SpanRecall")
            assert found["SpanRecall", f"{budget}t"][size].value == pytest.approx(plain["SpanRecall"])
        whole = rg.evaluate(spans, {size: chunks}, "SpanRecall")[size]["SpanRecall"]
        assert found["SpanRecall", "100000t"][size].value == pytest.approx(whole)
    assert set(found.to_frame()["standing"]) <= {"best", "beaten", "open"}
