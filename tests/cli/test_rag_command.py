"""`rankgauge rag` and `rankgauge collect`: questions, documents and live retrievers on the command line."""

from __future__ import annotations

import json
import re
from pathlib import Path

import polars as pl
import pytest

import rankgauge as rg
from command_line import rankgauge

DOCS = {
    "shoes": "Running shoes are washed by hand in cold water. Never tumble dry them: heat loosens the glue.",
    "boots": "Leather boots need wax twice a year. Wipe off salt at once, it leaves rings.",
}
ASKED = {
    "How are running shoes washed?": "washed by hand in cold water",
    "May I tumble dry running shoes?": "Never tumble dry them",
    "How often do leather boots need wax?": "wax twice a year",
    "What to do with salt?": "Wipe off salt at once",
}
SEARCH = """
import json

DOCS = {d["id"]: d["text"] for d in map(json.loads, open("docs.jsonl", encoding="utf-8"))}


def retriever(size):
    pieces = [(d, i, min(i + size, len(t))) for d, t in DOCS.items() for i in range(0, len(t), size)]

    def ask(query, k):
        shared = lambda p: len(set(query.lower().split()) & set(DOCS[p[0]][p[1] : p[2]].lower().split()))
        return sorted(pieces, key=shared, reverse=True)[:k]

    return ask


small, large = retriever(30), retriever(60)


def ids(query):
    return [f"{d}#{s}" for d, s, e in small(query, 9)]


def whole(query):
    return ["shoes", "boots"] if "shoes" in query else ["boots"]


def flaky(query):
    if "salt" in query:
        raise ConnectionError("no route")
    return small(query, 9)


def half(query):
    if "shoes" in query:
        raise OSError("gone")
    return small(query, 9)
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    def write(name: str, records: list[dict]) -> None:
        (tmp_path / name).write_text("".join(json.dumps(r) + "\n" for r in records), encoding="utf-8")

    write("docs.jsonl", [{"id": d, "text": t} for d, t in DOCS.items()])
    write("questions.jsonl", [{"question": q, "gold": [t]} for q, t in ASKED.items()])
    write("ids.jsonl", [{"question": q, "gold": ["shoes" if "shoes" in q else "boots"]} for q in ASKED])
    (tmp_path / "search.py").write_text(SEARCH, encoding="utf-8")
    rows = [(f"{d}#{i}", d, i, min(i + 30, len(t))) for d, t in DOCS.items() for i in range(0, len(t), 30)]
    pl.DataFrame(rows, schema=["chunk_id", "doc_id", "start", "end"], orient="row").write_csv(tmp_path / "chunks.csv")
    return tmp_path


def asked(folder: Path, *words: str, code: int = 0, language: str | None = None) -> str:
    done = rankgauge("rag", *words, cwd=folder, code=code, language=language)
    return done.stdout if code == 0 else done.stderr


def python(folder: Path, size: int, *measures: str) -> dict[str, float]:
    """The same numbers by the library, of pieces that are made here."""
    gold = rg.Spans([{"question": q, "gold": [t]} for q, t in ASKED.items()], documents=DOCS)
    pieces = [(d, i, min(i + size, len(t))) for d, t in DOCS.items() for i in range(0, len(t), size)]

    def shared(query: str, p: tuple[str, int, int]) -> int:
        return len(set(query.lower().split()) & set(DOCS[p[0]][p[1] : p[2]].lower().split()))

    lists = {q: sorted(pieces, key=lambda p: shared(q, p), reverse=True)[:20] for q in ASKED}
    return dict(rg.evaluate(gold, rg.Chunks(lists), list(measures)).mean())


def values(stored: dict) -> dict[str, float]:
    return {m["measure"]: m["value"] for m in stored["measures"]}


DOCUMENTS = ("--documents", "docs.jsonl")


def test_gold_that_is_text_is_judged_by_spans(folder: Path):
    wanted = ("R@5", "nDCG@5", "SpanRecall@5", "SpanPrecision@5")

    said = asked(folder, "questions.jsonl", "--retriever", "search:small", *DOCUMENTS)
    stored = json.loads(asked(folder, "questions.jsonl", "--retriever", "search:small", *DOCUMENTS, "--json"))

    assert values(stored) == python(folder, 30, *wanted)
    assert set(stored) >= {"ratings", "findings", "collected"}
    for part in (
        "small on questions",
        "rated as Document question answering",
        "Diagnosis of small",
        "was asked 4 queries",
    ):
        assert part in said
    assert "answered" in said


def test_everything_is_said_in_chinese(folder: Path):
    said = asked(folder, "questions.jsonl", "--retriever", "search:small", *DOCUMENTS, language="zh")

    for part in ("small，标注 questions", "的评级，场景：文档问答", "的诊断", "询问了 4 个查询", "查询的结局"):
        assert part in said


def test_several_retrievers_are_compared_by_the_same_spans(folder: Path):
    words = ("questions.jsonl", "--retriever", "old=search:small", "--retriever", "new=search:large", *DOCUMENTS)
    stored = json.loads(asked(folder, *words, "-m", "SpanRecall@2", "--json"))

    contrast = stored["contrasts"][0]
    expected = python(folder, 60, "SpanRecall@2")["SpanRecall@2"] - python(folder, 30, "SpanRecall@2")["SpanRecall@2"]
    assert contrast["difference"] == pytest.approx(expected)
    assert [c["retriever"] for c in stored["collected"]] == ["old", "new"]


def test_ids_are_judged_by_ids_or_as_whole_documents(folder: Path):
    by_ids = asked(folder, "ids.jsonl", "--retriever", "search:whole", *DOCUMENTS, "-m", "R@1", "--most", "0")
    by_spans = asked(
        folder,
        "ids.jsonl",
        "--retriever",
        "search:whole",
        *DOCUMENTS,
        "--by",
        "spans",
        "-m",
        "SpanRecall@1",
        "--most",
        "0",
    )

    assert "R@1      1.0000" in by_ids
    assert "ties=doc_id" in by_ids
    assert "SpanRecall@1  1.0000" in by_spans


def test_a_beir_folder_has_its_documents(folder: Path):
    beir = folder / "beir"
    (beir / "qrels").mkdir(parents=True)
    (beir / "corpus.jsonl").write_bytes((folder / "docs.jsonl").read_bytes())
    asks = {f"q{i}": q for i, q in enumerate(ASKED)}
    rows = "".join(json.dumps({"_id": i, "text": q}) + "\n" for i, q in asks.items())
    (beir / "queries.jsonl").write_text(rows, encoding="utf-8")
    judged = [f"{i}\t{'shoes' if 'shoes' in q else 'boots'}\t1\n" for i, q in asks.items()]
    (beir / "qrels" / "test.tsv").write_text("query-id\tcorpus-id\tscore\n" + "".join(judged), encoding="utf-8")

    ids = json.loads(asked(folder, "beir", "--retriever", "search:whole", "-m", "R@1", "-m", "R(budget=1c)", "--json"))
    spans = json.loads(asked(folder, "beir", "--retriever", "search:whole", "--by", "spans", "-m", "R@1", "--json"))

    for said, expected in ((ids, {"R@1": 1.0, "R(budget=1c)": 0.0}), (spans, {"R@1": 1.0})):
        of = next(r for r in (said if isinstance(said, list) else [said]) if "per_query" in r)
        assert {m: sum(of["per_query"][m]) / 4 for m in expected} == expected
    assert "needs the texts" not in asked(
        folder, "ids.jsonl", "--retriever", "search:whole", "-m", "R(budget=99t)", "--documents", "docs.jsonl"
    )


def test_ids_of_chunks_need_a_table_of_them(folder: Path):
    words = ("questions.jsonl", "--retriever", "search:ids", *DOCUMENTS, "-m", "SpanRecall@5", "--most", "0")

    stored = json.loads(asked(folder, *words, "--chunks", "chunks.csv", "--json"))
    refused = asked(folder, *words, code=2)

    assert values(stored) == python(folder, 30, "SpanRecall@5")
    assert "no result of 'ids' stands in the documents of the spans" in refused


def test_failures_are_shown_and_count(folder: Path):
    said = asked(folder, "questions.jsonl", "--retriever", "search:flaky", *DOCUMENTS, "-m", "failures", "--most", "0")

    assert "failures  0.2500" in said
    assert "1 of 4 queries got no answer from flaky" in said
    assert "ConnectionError: no route" in said


def test_the_report_says_what_failed_and_how_long_it_took(folder: Path):
    """Half of the queries fail of one retriever, none of the other; a stored record gives the same screen."""
    words = ("--retriever", "half=search:half", "--retriever", "small=search:small", *DOCUMENTS, "-m", "R@5")
    asked(folder, "questions.jsonl", *words, "--html", "page.html", "--json", "-o", "stored.json")
    rankgauge("report", "stored.json", "-o", "again.html", cwd=folder)

    for name in ("page.html", "again.html"):
        page = (folder / name).read_text(encoding="utf-8")
        undo = page[page.index("What could undo it") :]
        first = undo[undo.index("<li>") : undo.index("</li>")]
        assert "2 of 4 queries got no answer from half" in first
        assert "4 个查询中的 2 个没有给出结果" in first
        assert 'class="neg"' in first  # half of them
        screen = page[page.index('id="asked"') :]
        screen = screen[: screen.index("</section>")]
        rows = [re.findall(r"<td[^>]*>(.*?)</td>", row) for row in re.findall(r"<tr>(.*?)</tr>", screen, re.DOTALL)]
        shown = {re.sub(r'<span lang="zh">.*?</span>|<[^>]+>', "", row[0]): row[1:] for row in rows if row}
        assert shown["answered"] == ["2 (50.0%)", "4 (100.0%)"]
        assert shown["failed"] == ["2 (50.0%)", "0 (0.0%)"]
        assert shown["OSError: gone"] == ["2", "0"]
        assert shown["queries"] == ["4", "4"]
        assert all(len(shown[row]) == 2 for row in ("mean", "p50", "p95", "p99", "queries per second"))
        assert "Latency in milliseconds" in screen
        assert "延迟（毫秒）" in screen


def test_a_journal_is_taken_up(folder: Path):
    words = ("questions.jsonl", "--retriever", "search:small", *DOCUMENTS, "--journal", "a.jsonl", "--json")
    first = json.loads(asked(folder, *words))
    lines = (folder / "a.jsonl").read_text(encoding="utf-8").splitlines(keepends=True)
    (folder / "a.jsonl").write_text("".join(lines[:3]), encoding="utf-8")
    again = json.loads(asked(folder, *words))

    assert len(lines) == 5  # a line for the session, and one for each query
    assert again["collected"]["seconds"][:2] == first["collected"]["seconds"][:2]  # recorded times are kept
    told = ("collected", "notes", "remarks", "zh")  # how many were read
    assert {k: v for k, v in again.items() if k not in told} == {k: v for k, v in first.items() if k not in told}
    assert again["remarks"] == [
        "2 of 4 answers were read from the file of earlier sessions, with times, and not asked now"
    ]


def test_each_of_several_retrievers_has_its_journal(folder: Path):
    words = ("--retriever", "a=search:small", "--retriever", "b=search:large", "--journal", "j.jsonl")
    asked(folder, "questions.jsonl", *words, *DOCUMENTS, "--most", "0")

    assert (folder / "j-a.jsonl").exists()
    assert (folder / "j-b.jsonl").exists()


def test_a_journal_does_not_answer_for_another_module(folder: Path):
    (folder / "other.py").write_text((folder / "search.py").read_text())
    words = ("questions.jsonl", *DOCUMENTS, "--journal", "j.jsonl", "--retriever")
    asked(folder, *words, "search:small")
    said = asked(folder, *words, "other:small", code=2)
    assert "is asked now. Name another file; or remove this one" in said
    assert "answers were read from the file of earlier sessions" in asked(folder, *words, "search:small")


@pytest.mark.parametrize("measure", ["nDCGG@5", "bpref"])
def test_measures_are_looked_at_before_anything_is_asked(folder: Path, measure: str):
    words = ("questions.jsonl", *DOCUMENTS, "--retriever", "search:small", "--journal", "j.jsonl", "-m", measure)
    assert measure[:4] in asked(folder, *words, code=2)
    assert not (folder / "j.jsonl").exists()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("search:small", "--html", "search.py"), "--html 'search.py' would overwrite the input"),
        (("search:small", "--journal", "j.jsonl", "--html", "j.jsonl"), "--journal and --html are the same file"),
        (
            ("a=search:small", "--retriever", "b=search:large", "--journal", "j.jsonl", "--html", "j-b.jsonl"),
            "--html and --journal are the same file",
        ),
    ],
    ids=str,
)
def test_a_report_is_written_over_nothing_that_is_used(folder: Path, words: tuple[str, ...], said: str):
    source = (folder / "search.py").read_text()
    assert said in asked(folder, "questions.jsonl", *DOCUMENTS, "--retriever", *words, code=2)
    assert (folder / "search.py").read_text() == source
    assert not list(folder.glob("j*.jsonl"))


def test_the_report_shows_questions(folder: Path):
    asked(
        folder, "questions.jsonl", "--retriever", "search:small", *DOCUMENTS, "--html", "page.html", "--title", "Care"
    )

    page = (folder / "page.html").read_text(encoding="utf-8")
    assert "How are running shoes washed?" in page
    assert "Care" in page


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--retriever", "search"), "must be named as module:object, got 'search'"),
        (("--retriever", "search:smal", *DOCUMENTS), "Did you mean small?"),
        (("--retriever", "=search:small", *DOCUMENTS), "must look like new=search:find"),
        (("--retriever", "search:small") * 2, "two retrievers are called 'small'"),
        (("--retriever", "search:small"), "Pass --documents; or --id text"),
        (("--retriever", "search:small", "--scenario", "nothing", *DOCUMENTS), "unknown scenario 'nothing'"),
        ((*DOCUMENTS,), "Missing option '--retriever'"),
    ],
)  # fmt: skip
def test_what_cannot_be_asked_is_said(folder: Path, words: tuple[str, ...], said: str):
    assert said in asked(folder, "questions.jsonl", *words, code=2)


def test_a_text_that_is_nowhere_is_named_or_left_out(folder: Path):
    with (folder / "questions.jsonl").open("a", encoding="utf-8") as file:
        file.write(json.dumps({"question": "What is love?", "gold": ["Baby don't hurt me, no more of that"]}) + "\n")

    words = ("questions.jsonl", "--retriever", "search:small", *DOCUMENTS, "-m", "R@5", "--most", "0")
    assert "query 'What is love?', entry 1" in asked(folder, *words, code=2)
    assert "Pass --not-found skip" in asked(folder, *words, code=2)
    assert "1 of 5 texts were not found and are left out" in asked(folder, *words, "--not-found", "skip")


def test_lists_and_times_are_written(folder: Path):
    done = rankgauge(
        *("collect", "ids.jsonl", "--retriever", "search:whole", "-k", "1", "--run", "w.csv", "--timings", "t.csv"),
        cwd=folder,
    )

    found = {q: list(row) for q, row in rg.read_run(folder / "w.csv").to_dict().items()}
    assert found == {q: ["shoes" if "shoes" in q else "boots"] for q in ASKED}
    assert pl.read_csv(folder / "t.csv")["outcome"].to_list() == ["ok"] * 4
    assert "whole was asked 4 queries" in done.stdout


def test_pieces_are_written_as_chunks_reads_them(folder: Path):
    words = ("collect", "questions.jsonl", "--retriever", "search:small", *DOCUMENTS)
    rankgauge(*words, "--run", "pieces.parquet", cwd=folder)
    gold = rg.Spans(folder / "questions.jsonl", documents=folder / "docs.jsonl")

    ev = rg.evaluate(gold, rg.Chunks(folder / "pieces.parquet"), ["SpanRecall@5"])

    assert dict(ev.mean()) == python(folder, 30, "SpanRecall@5")
    refused = rankgauge(*words, "--retriever", "search:large", "--run", "x.csv", cwd=folder, code=2)
    assert "one file holds the lists of one retriever" in refused.stderr


def test_collected_pieces_are_judged_by_spans(folder: Path):
    """What is written for later gives the numbers that `rag` gives at once."""
    asked = ("questions.jsonl", "--retriever", "search:large", *DOCUMENTS)
    rankgauge("collect", *asked, "-k", "3", "--run", "large.jsonl", cwd=folder)
    words = ("evaluate", "questions.jsonl", "large.jsonl", "-m", "R@3", "-m", "SpanRecall@3", *DOCUMENTS)
    found = rankgauge(*words, "--html", "r.html", cwd=folder).stdout
    measures = ("-m", "R@3", "-m", "SpanRecall@3")
    at_once = rankgauge("rag", *asked, "-k", "3", *measures, cwd=folder).stdout

    assert found.startswith("large on questions")
    rows = [line.split() for line in found.splitlines() if line.startswith(("R@3 ", "SpanRecall@3 "))]
    assert len(rows) == 2
    assert all(" ".join(row[:2]) in re.sub(" +", " ", at_once) for row in rows)
    alone = rankgauge("evaluate", "questions.jsonl", "large.jsonl", "-m", "R@3", *DOCUMENTS, cwd=folder).stdout
    assert next(line for line in alone.splitlines() if line.startswith("R@3 ")).split() == rows[0]


@pytest.mark.parametrize("form", ["json", "jsonl", "parquet"])
def test_one_file_of_questions_has_one_kind_of_ids(tmp_path, form):
    (tmp_path / "search.py").write_text("def find(query):\n    return ['d1', 'd2']\n")
    asked = [{"id": "q1", "question": "how?", "gold": ["d2"]}, {"id": "q2", "question": "where?", "gold": ["d9", "d1"]}]
    if form == "parquet":
        pl.DataFrame(asked).write_parquet(tmp_path / "g.parquet")
    else:
        lines = [json.dumps(asked)] if form == "json" else map(json.dumps, asked)
        (tmp_path / f"g.{form}").write_text("\n".join(lines))

    rankgauge("collect", f"g.{form}", "--retriever", "search:find", "--run", "r.jsonl", cwd=tmp_path)
    assert rg.read_run(tmp_path / "r.jsonl").query_ids == rg.read_qrels(tmp_path / f"g.{form}").query_ids
    found = rankgauge("evaluate", f"g.{form}", "r.jsonl", "-m", "R@5", cwd=tmp_path)
    assert "R@5      0.7500" in found.stdout
    by_words = rg.read_qrels(tmp_path / f"g.{form}", columns={"question": "query_id"}).query_ids
    assert list(by_words) == ["how?", "where?"]


def test_what_is_needed_is_longer_than_the_first_pieces_and_recall_of_text_leads(folder: Path):
    """Whole documents of more than 75 characters, and five pieces of 15: R@5 is 0 whatever is found."""
    gold = [{"question": q, "gold": [DOCS["shoes" if "shoes" in q else "boots"]]} for q in ASKED]
    (folder / "whole.jsonl").write_text("".join(json.dumps(r) + "\n" for r in gold), encoding="utf-8")
    (folder / "tiny.py").write_text("from search import retriever\n\ntiny = retriever(15)\n", encoding="utf-8")
    words = ("rag", "whole.jsonl", "--retriever", "tiny:tiny", "--documents", "docs.jsonl")

    said = rankgauge(*words, "--html", "page.html", cwd=folder).stdout
    usual = rankgauge("rag", "questions.jsonl", *words[2:], cwd=folder).stdout
    named = rankgauge(*words, "-m", "R@5", "-m", "SpanRecall@5", cwd=folder).stdout

    def order(text: str) -> list[str]:
        return re.findall(r"^(\S+@5) ", text.partition("rated as")[0], re.MULTILINE)

    assert order(said) == ["SpanRecall@5", "SpanPrecision@5", "R@5", "nDCG@5"]
    assert "Not rated: R@5, nDCG@5 say little here: 4 of 4 needs are longer" in said
    assert order(usual)[0] == "R@5"
    assert order(named) == ["R@5", "SpanRecall@5"]  # as they were asked for
    page = (folder / "page.html").read_text(encoding="utf-8")
    assert "tiny has SpanRecall@5" in page
    assert "R@5, nDCG@5 say little here, and SpanRecall@5 leads" in page
