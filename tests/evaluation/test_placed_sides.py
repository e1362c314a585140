"""What R@1 means does not depend on what else is asked, nor on which verb is: where both sides say where they stand,
spans are compared."""

from __future__ import annotations

import json
import os
from pathlib import Path
from threading import Thread

import polars as pl
import pytest

import rankgauge as rg
from chinese_errors import Files, says_in_both
from command_line import rankgauge
from rankgauge.data.placed import say_where
from rankgauge.errors import InputError, ParameterError
from rankgauge.gate import Gate, run_gate

N = 20
TEXT = "The red shoes are washed cold. Boots need wax twice a year."
QUOTE = "Boots need wax"
START = TEXT.index(QUOTE)
DOCS = {f"d{i}": f"{i}: {TEXT}" for i in range(N)}
PLACES = {f"q{i}": (f"d{i}", len(f"{i}: ") + START, len(f"{i}: ") + START + len(QUOTE)) for i in range(N)}


def _lines(rows: list[dict[str, object]]) -> str:
    return "".join(json.dumps(row) + "\n" for row in rows)


def _pieces(found: int) -> list[dict[str, object]]:
    """The right document always first; the right part of it for the first `found` queries."""
    out: list[dict[str, object]] = []
    for i, (q, (doc, start, end)) in enumerate(PLACES.items()):
        out.append({"query_id": q, "rank": 1, "doc_id": doc, "start": start, "end": end})
        if i >= found:
            out[-1] |= {"start": 0, "end": 8}
    return out


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    asked = [{"id": q, "question": f"what of {q}?"} for q in PLACES]
    placed = [{**x, "gold": [dict(zip(("doc_id", "start", "end"), PLACES[str(x["id"])], strict=True))]} for x in asked]
    quoted = [{**x, "gold": [f"{i}: {TEXT}"[PLACES[f"q{i}"][1] :][: len(QUOTE) + 20]]} for i, x in enumerate(asked)]
    (tmp_path / "placed.jsonl").write_text(_lines(placed), encoding="utf-8")
    (tmp_path / "quoted.jsonl").write_text(_lines(quoted), encoding="utf-8")
    (tmp_path / "half.jsonl").write_text(_lines(_pieces(N // 2)), encoding="utf-8")
    (tmp_path / "all.jsonl").write_text(_lines(_pieces(N)), encoding="utf-8")
    rows = [f"{q} Q0 {place[0]} 1 1 whole" for q, place in PLACES.items()]
    (tmp_path / "ids.run").write_text("\n".join(rows) + "\n", encoding="utf-8")
    docs = [{"id": d, "text": t} for d, t in DOCS.items()]
    (tmp_path / "docs.jsonl").write_text(_lines(docs), encoding="utf-8")
    graded = ["query_id,correct", *(f"q{i},{i < N // 2}" for i in range(N))]
    (tmp_path / "graded.csv").write_text("\n".join(graded) + "\n", encoding="utf-8")
    return tmp_path


def _value(folder: Path, *words: str) -> float:
    shown = json.loads(rankgauge("evaluate", *words, "--json", cwd=folder).stdout)
    return float(next(m["value"] for m in shown["measures"] if m["measure"] == "R@1"))


def test_recall_is_the_same_whatever_else_is_asked(folder: Path):
    alone = _value(folder, "placed.jsonl", "half.jsonl", "-m", "R@1")
    beside = _value(
        folder, "placed.jsonl", "half.jsonl", "-m", "R@1", "-m", "SpanRecall@1", "--documents", "docs.jsonl"
    )

    assert alone == beside == 0.5
    assert _value(folder, "placed.jsonl", "half.jsonl", "-m", "R@1", "--by", "ids") == 1
    assert _value(folder, "placed.jsonl", "ids.run", "-m", "R@1") == 1  # nothing says where these results stand


def test_every_verb_of_python_judges_alike(folder: Path):
    gold, half, every = (str(folder / name) for name in ("placed.jsonl", "half.jsonl", "all.jsonl"))

    ev = rg.evaluate(gold, half, "R@1")
    compared = rg.compare(gold, {"half": half, "every": every}, "R@1")
    swept = rg.sweep(gold, {"half": half, "every": every}, budgets=["100c"])
    gate = run_gate(Gate(qrels=gold, run=half, floors={"R@1": 0.9}))

    assert ev["R@1"] == compared.evaluations["half"]["R@1"] == gate.evaluation["R@1"] == 0.5
    assert (gate.exit_code, run_gate(Gate(qrels=gold, run=half, by="ids", floors={"R@1": 0.9})).exit_code) == (1, 0)
    assert swept["SpanRecall", "100c"]["half"].value == 0.5
    assert rg.evaluate(gold, half, "R@1", by="ids")["R@1"] == 1
    assert rg.compare(gold, {"half": half, "every": every}, "R@1", by="ids").evaluations["half"]["R@1"] == 1
    assert "judged by spans: gold and results say where they stand" in str(ev)


def test_quoted_gold_is_located_where_documents_are_given(folder: Path):
    words = ("quoted.jsonl", "half.jsonl", "all.jsonl", "--documents", "docs.jsonl")

    swept = json.loads(rankgauge("sweep", *words, "--budget", "400c", "--json", cwd=folder).stdout)
    compared = json.loads(rankgauge("compare", *words, "-m", "SpanRecall@1", "--json", cwd=folder).stdout)

    assert {p["measure"] for p in swept["points"]} == {"SpanRecall"}
    assert min(p["value"] for p in swept["points"]) > 0
    assert set(compared["evaluations"]) == {"half", "all"}


def test_answers_and_diagnoses_are_of_spans(folder: Path):
    told = ("placed.jsonl", "half.jsonl", "--answers", "graded.csv", "-k", "1")

    by_spans = rankgauge("answers", *told, cwd=folder).stdout
    by_ids = rankgauge("answers", *told, "--by", "ids", cwd=folder).stdout
    quoted = rankgauge("answers", "quoted.jsonl", *told[1:], "--documents", "docs.jsonl", cwd=folder).stdout
    found = rankgauge("diagnose", "placed.jsonl", "half.jsonl", "-m", "R@1", cwd=folder)

    assert "retrieved for 50.0%" in by_spans
    assert "retrieved for 100.0%" in by_ids
    assert "whole passage of gold" in quoted
    assert "R@1 is 0.5" in found.stdout
    assert "--by ids compares ids of documents" in found.stderr


def test_what_spans_cannot_have_names_the_way_out(folder: Path):
    gold, half = str(folder / "placed.jsonl"), str(folder / "half.jsonl")

    with pytest.raises(ParameterError, match="Or pass by='ids' to compare ids of documents"):
        rg.evaluate(gold, half, "R@1", ties="expected")
    with pytest.raises(ParameterError, match="Or pass by='ids'"):
        rg.evaluate(gold, half, "R@1", strict=True)
    with pytest.raises(InputError, match=r"others do not: 'ids'.*by='ids'"):
        rg.evaluate(gold, {"half": half, "ids": str(folder / "ids.run")}, "R@1")
    with pytest.raises(ParameterError, match="SpanRecall@1 is about spans of documents, and by='ids'"):
        rg.evaluate(gold, half, "SpanRecall@1", by="ids")
    with pytest.raises(ParameterError, match="gold is spans"):
        rg.evaluate(rg.Spans({"q": [("d", 0, 4)]}), {"q": [("d", 0, 4)]}, by="ids")
    with pytest.raises(ParameterError, match="`by` must be"):
        rg.evaluate(gold, half, "R@1", by="words")
    refused = rankgauge("evaluate", "placed.jsonl", "ids.run", "-m", "R@1", "--reach", "0.5", cwd=folder, code=2)
    assert "--reach is for gold that is spans of documents" in refused.stderr
    late = rankgauge("compare", "--evaluations", "a.json", "b.json", "--reach", "0.5", cwd=folder, code=2)
    assert "--reach" in late.stderr


@pytest.mark.parametrize(
    ("source", "kind", "documents", "expected"),
    [
        ({"q": [("d", 0, 4)]}, "spans", None, True),
        ({"q": ["d"]}, "spans", None, False),
        ({"q": {"start": 1, "end": 2}}, "spans", None, False),  # documents of these names
        ({"q": [{"doc_id": "d", "start": 0, "end": 4}]}, "pieces", None, True),
        ([{"question": "what?", "gold": ["some words"]}], "spans", {}, True),
        ([{"question": "what?", "gold": ["d"]}], "spans", {"d": ""}, False),
        ([{"question": "what?", "gold": ["some words"]}], "spans", None, False),
        (pl.DataFrame({"query_id": ["q"], "doc_id": ["d"], "start": [0], "end": [4]}), "pieces", None, True),
        (pl.DataFrame({"query_id": ["q"], "doc_id": ["d"], "grade": [1]}), "spans", {}, False),
        (pl.DataFrame({"query_id": ["q"], "doc_id": ["d"], "text": ["…"], "score": [1.0]}), "pieces", {}, False),
        (pl.DataFrame({"query_id": ["q"], "text": ["…"], "score": [1.0]}), "pieces", {}, True),
        ("nothing.jsonl", "spans", None, False),
        (None, "pieces", None, False),
    ],
)
def test_who_says_where(source: object, kind: str, documents: object, expected: bool):
    assert say_where(source, kind, None, documents) is expected


def test_columns_are_told_for_both_sides():
    gold = pl.DataFrame({"query_id": ["q"], "page": ["d"], "start": [0], "end": [10]})
    run = pl.DataFrame({"query_id": ["q", "q"], "page": ["d", "d"], "start": [50, 0], "end": [60, 20], "score": [2, 1]})

    told = {"page": "doc_id"}

    assert rg.evaluate(gold, run, ["R@1", "R@2"], columns=told).mean() == {"R@1": 0, "R@2": 1}
    assert rg.compare(gold, {"a": run, "b": run}, "R@1", columns=told).evaluations["a"]["R@1"] == 0


def test_comparisons_say_what_one_evaluation_says():
    docs = {"d": "0123456789" * 20}
    gold = rg.Spans([{"query_id": f"q{i}", "text": "0123456789" * 3} for i in range(9)], documents=docs)
    pieces = {f"q{i}": [{"doc_id": "d", "start": 0, "end": 10}, {"text": "nowhere at all, and long"}] for i in range(9)}
    lists = {"a": rg.Chunks(pieces, documents=docs), "b": rg.Chunks(pieces, documents=docs)}
    measures = ["R@1", "R(budget=4000c)"]

    alone = rg.evaluate(gold, lists["a"], measures)
    compared = rg.compare(gold, lists, measures)

    assert len(alone.remarks) > 2
    assert any("longer than the first 1 pieces together" in note for note in alone.remarks)
    for said in (*alone.remarks, "end before the budget of"):
        assert said in str(compared), said


def test_a_file_that_could_not_hold_the_queries_is_refused_before_anything_is_asked(tmp_path: Path):
    (tmp_path / "asked.jsonl").write_text('{"question": "how to wash shoes?", "gold": ["d1"]}\n', encoding="utf-8")
    (tmp_path / "search.py").write_text(
        "def find(query):\n    open('asked', 'w').close()\n    return ['d1']\n", encoding="utf-8"
    )
    words = ("collect", "asked.jsonl", "--retriever", "search:find")

    refused = rankgauge(*words, "--run", "lists.run", cwd=tmp_path, code=2).stderr
    rankgauge(*words, "--run", "lists.csv", "--timings", "times.run", cwd=tmp_path, code=2)
    (tmp_path / "docs.jsonl").write_text('{"id": "d1", "text": "x"}\n', encoding="utf-8")
    rankgauge(*words, "--run", "lists.run", "--documents", "docs.jsonl", cwd=tmp_path, code=2)

    assert "cannot hold ids with white space" in refused
    assert not (tmp_path / "asked").exists()
    rankgauge(*words, "--run", "lists.csv", cwd=tmp_path)
    assert (tmp_path / "asked").exists()


def test_pieces_of_unknown_documents_are_counted_and_many_are_suspicious():
    gold = rg.Spans({f"q{i}": [("d1", 0, 8)] for i in range(20)}, documents={"d1": TEXT})

    def found(wrong: int) -> rg.RankingEvaluation:
        lists = {f"q{i}": [("D1" if i < wrong else "d1", 0, 8)] for i in range(20)}
        return rg.evaluate(gold, rg.Chunks(lists, documents={"d1": TEXT}), "R@1")

    levels = {
        n: [(s.code, s.severity) for s in found(n).suspicions if s.code == "unknown-documents"]
        for n in (0, 1, 9, 10, 20)
    }
    assert levels[0] == []
    assert levels[1] == levels[9] == [("unknown-documents", "warning")]
    assert levels[10] == levels[20] == [("unknown-documents", "error")]
    assert "9 of 20 pieces are of documents that are not among those given, such as 'D1'" in str(found(9))


@pytest.mark.parametrize("name", ["answer", "reference", "答案"])
def test_an_expected_answer_is_no_gold(tmp_path: Path, name: str):
    file, docs = tmp_path / "asked.jsonl", tmp_path / "docs.jsonl"
    answers = {"what of boots?": "Boots need wax twice a year", "what of shoes?": "The red shoes are washed cold"}
    file.write_text(_lines([{"question": q, name: a} for q, a in answers.items()]), encoding="utf-8")
    docs.write_text(_lines([{"id": "d", "text": TEXT}]), encoding="utf-8")
    (tmp_path / "search.py").write_text("def find(query):\n    return [('d', 0, 59)]\n", encoding="utf-8")
    words = ("rag", "asked.jsonl", "--retriever", "search:find", "-m", "R@1", "--documents", "docs.jsonl")

    refused = rankgauge(*words, cwd=tmp_path, code=2).stderr
    without = rankgauge(*words[:-2], cwd=tmp_path, code=2).stderr

    assert refused.partition(".")[0] == without.partition(".")[0]
    with pytest.raises(InputError):
        rg.Spans(str(file), documents=str(docs))
    assert rg.Spans(str(file), documents=str(docs), columns={name: "gold"}).n_needs == 2


def test_documents_with_two_texts_for_an_id_are_refused(tmp_path: Path):
    for ending, rows in {
        "jsonl": _lines([{"id": "d", "text": "one"}, {"id": "e", "text": "two"}, {"id": "d", "text": "three"}]),
        "csv": "id,text\nd,one\ne,two\nd,three\n",
    }.items():
        file = tmp_path / f"docs.{ending}"
        file.write_text(rows, encoding="utf-8")
        with pytest.raises(InputError, match="'d' was there before, with another text"):
            rg.Spans({"q": ["one"]}, documents=str(file))
        file.write_text(rows.replace("three", "one"), encoding="utf-8")
        assert rg.Spans({"q": ["one"]}, documents=str(file)).n_needs == 1
    (tmp_path / "titles.csv").write_text("id,title\nd,one\n", encoding="utf-8")
    with pytest.raises(InputError, match="must have texts, in which others are looked for, got 1 without any"):
        rg.Spans({"q": ["one"]}, documents=str(tmp_path / "titles.csv"))


def test_many_failures_leave_a_gate_open():
    asked = {f"question {i}": ["d"] for i in range(20)}

    def failing(least: int):
        def find(query: str) -> list[str]:
            if int(query.split()[1]) < least:
                raise ConnectionError("no route")
            return ["d"]

        return find

    decided = {n: run_gate(Gate(qrels=asked, run=failing(n), floors={"R@5": 0.3})) for n in (3, 4, 6)}

    assert {n: g.exit_code for n, g in decided.items()} == {3: 0, 4: 3, 6: 3}
    assert "count failures as empty lists are what is wanted" in str(decided[6])
    assert run_gate(Gate(qrels=asked, run=failing(6), floors={"R@5": 0.3}, accept=["failed-calls"])).exit_code == 0


def test_a_tokenizer_that_raises_is_named():
    def broken(text: str) -> int:
        raise ZeroDivisionError("no words")

    with pytest.raises(InputError, match=r"`tokenizer` 'broken' must count .* raised ZeroDivisionError: no words"):
        rg.evaluate({"q": ["d"]}, {"q": ["d"]}, "R(budget=9t)", documents={"d": "x"}, tokenizer=broken)


def test_cards_say_what_latency_is_counted_in():
    ev = rg.evaluate({"a question": ["d"], "another": ["d"]}, lambda q: ["d"], ["latency.p95", "R@5"])

    assert "latency.p95 (ms)</" in rg.report(ev)


def test_questions_are_read_under_one_name_by_all(tmp_path: Path):
    """`rag` and `collect` knew `correct_chunks`, and those who are given a run did not."""
    asked = [{"id": f"q{i}", "question": f"what of {i}?", "correct_chunks": [f"c{i}", "c0"]} for i in range(1, 9)]
    (tmp_path / "asked.json").write_text(json.dumps(asked), encoding="utf-8")
    (tmp_path / "a.run").write_text("".join(f"q{i} Q0 c{i} 1 1 a\n" for i in range(1, 9)), encoding="utf-8")

    assert _value(tmp_path, "asked.json", "a.run", "-m", "R@1") == 0.5
    assert rg.evaluate(asked, str(tmp_path / "a.run"), "R@1")["R@1"] == 0.5
    rankgauge("gate", "asked.json", "a.run", "--floor", "R@1>=0.5", cwd=tmp_path)
    with pytest.raises(InputError, match="cannot read"):
        rg.Qrels.of([{"id": "q", "words": "x", "other": "y"}])


def test_runs_of_chunk_ids_are_judged_by_a_table_of_chunks(folder: Path):
    rows = [
        "chunk_id,doc_id,start,end",
        *(f"c{i},{doc},{start},{end}" for i, (doc, start, end) in enumerate(PLACES.values())),
    ]
    (folder / "chunks.csv").write_text("\n".join(rows) + "\n", encoding="utf-8")
    lines = [f"q{i} Q0 c{i if i < N // 2 else 0} 1 1 a" for i in range(N)]
    (folder / "chunks.run").write_text("\n".join(lines) + "\n", encoding="utf-8")

    assert _value(folder, "placed.jsonl", "chunks.run", "-m", "R@1", "--chunks", "chunks.csv") == 0.5
    refused = rankgauge(
        "evaluate", "placed.jsonl", "ids.run", "--by", "ids", "--chunks", "chunks.csv", cwd=folder, code=2
    )
    assert "--chunks is for gold that is spans of documents" in refused.stderr


def test_a_gate_takes_runs_of_chunk_ids(folder: Path):
    chunks = {f"c{i}": place for i, place in enumerate(PLACES.values())}
    run = {f"q{i}": [f"c{i if i < N // 2 else 0}"] for i in range(N)}
    told = {"qrels": str(folder / "placed.jsonl"), "chunks": chunks, "floors": {"R@1": 0.9}}

    decided = run_gate(Gate(run=run, baseline={q: ["c0"] for q in run}, non_inferior={"R@1": 0.1}, **told))

    assert decided.evaluation["R@1"] == 0.5
    assert decided.baseline is not None
    assert decided.baseline["R@1"] == 1 / N
    assert [check.outcome for check in decided.checks] == ["fail", "pass"]


def _both(found: int) -> list[dict[str, object]]:
    """Records with both sides: the right document first, the right part of it for the first `found` queries."""
    results = {str(x["query_id"]): {n: x[n] for n in ("doc_id", "start", "end")} for x in _pieces(found)}
    gold = {q: dict(zip(("doc_id", "start", "end"), place, strict=True)) for q, place in PLACES.items()}
    return [{"id": q, "retrieved": [results[q]], "relevant": [gold[q]]} for q in PLACES]


def test_data_with_both_sides_is_judged_by_spans(folder: Path):
    half, every = folder / "half.json", folder / "every.json"
    half.write_text(json.dumps(_both(N // 2)), encoding="utf-8")
    every.write_text(json.dumps(_both(N)), encoding="utf-8")

    ev = rg.evaluate(str(half), measures=["R@1"])
    compared = rg.compare({"half": _both(N // 2), "every": str(every)}, measures="R@1")
    gate = run_gate(Gate(qrels=str(half), baseline=str(every), floors={"R@1": 0.9}, non_inferior={"R@1": 0.9}))

    assert (ev["R@1"], ev.run, ev.qrels) == (0.5, "half", "half.json")
    assert "judged by spans" in str(ev)
    assert rg.evaluate(_both(3), measures="SpanRecall@1")["SpanRecall@1"] < 1
    assert rg.evaluate(str(half), measures="R@1", by="ids")["R@1"] == 1
    assert [e["R@1"] for e in compared.evaluations.values()] == [0.5, 1]
    assert (gate.evaluation["R@1"], gate.evaluation.run, gate.baseline.run) == (0.5, "half", "every")  # type: ignore[union-attr]
    assert _value(folder, "half.json", "-m", "R@1") == 0.5
    assert _value(folder, "half.json", "-m", "R@1", "--by", "ids") == 1
    sides = ("compare", "half.json", "every.json", "-m", "R@1")
    assert "R@1 0.5000 → 1.0000" in rankgauge(*sides, cwd=folder).stdout
    assert "No query changed" in rankgauge(*sides, "--by", "ids", cwd=folder).stdout
    told = ("half.json", "--answers", "graded.csv", "-k", "1")
    assert "retrieved for 50.0%" in rankgauge("answers", *told, cwd=folder).stdout
    assert "retrieved for 100.0%" in rankgauge("answers", *told, "--by", "ids", cwd=folder).stdout


def test_lists_of_one_record_are_no_columns():
    """A place as a list, of a single query, was taken for a column of ids."""
    one = [{"id": "q", "retrieved": [["d1", 0, 10]], "relevant": [["d1", 5, 12]]}]

    assert rg.evaluate(one, measures="SpanRecall@1")["SpanRecall@1"] == 5 / 7
    assert rg.evaluate([([("d1", 0, 10)], [("d1", 5, 12)])], measures="SpanRecall@1")["SpanRecall@1"] == 5 / 7


def test_systems_with_other_gold_are_refused():
    other = [{**x, "relevant": [{"doc_id": "d1", "start": 0, "end": 5}]} for x in _both(3)]

    says_in_both(
        lambda _: rg.compare({"a": _both(3), "b": other}, measures="R@1"),
        Files(Path()),
        "'a' and 'b' must hold the same gold: they differ in query 'q0'.",
        "'a' 与 'b' 的标准答案必须相同：查询 'q0' 不同。",
    )


def test_pipes_are_looked_into_in_python(folder: Path):
    pipes = {name: folder / f"{name}.pipe" for name in ("gold", "half", "all")}
    for pipe in pipes.values():
        os.mkfifo(pipe)

    def feeding(name: str) -> Thread:
        source = folder / {"gold": "placed.jsonl"}.get(name, f"{name}.jsonl")
        thread = Thread(target=lambda: pipes[name].write_bytes(source.read_bytes()), daemon=True)
        thread.start()
        return thread

    threads = [feeding("gold"), feeding("half")]
    assert rg.evaluate(str(pipes["gold"]), str(pipes["half"]), "R@1")["R@1"] == 0.5
    threads += [feeding("half"), feeding("all")]
    runs = {"half": str(pipes["half"]), "all": str(pipes["all"])}
    assert [e["R@1"] for e in rg.evaluate(str(folder / "placed.jsonl"), runs, "R@1").values()] == [0.5, 1]
    threads += [feeding("half"), feeding("all"), feeding("gold")]
    compared = rg.compare(str(pipes["gold"]), runs, "R@1")
    assert [e["R@1"] for e in compared.evaluations.values()] == [0.5, 1]
    threads += [feeding("half"), feeding("all")]
    assert rg.sweep(str(folder / "placed.jsonl"), runs, budgets=["100c"])["SpanRecall", "100c"]["all"].value == 1
    for thread in threads:
        thread.join(5)
        assert not thread.is_alive()


def test_errors_of_commands_name_options(folder: Path):
    lost_gold = {"a b?": "purple elephants tango here", "c?": "x y"}
    rows = [{"question": q, "gold": [text]} for q, text in lost_gold.items()]
    (folder / "lost.jsonl").write_text(_lines(rows), encoding="utf-8")

    def said(*words: str) -> str:
        return " ".join(rankgauge(*words, cwd=folder, code=2).stderr.split())

    lost = said("evaluate", "lost.jsonl", "half.jsonl", "-m", "R@1", "--documents", "docs.jsonl")
    without = said("evaluate", "quoted.jsonl", "half.jsonl", "-m", "SpanRecall@1")
    tokens = said("evaluate", "placed.jsonl", "half.jsonl", "-m", "R(budget=9t)")
    strict = said("evaluate", "placed.jsonl", "half.jsonl", "-m", "R@1", "--strict")

    assert lost.endswith("Pass --not-found skip to leave such needs out.")
    assert without.endswith("then pass --documents …, the texts by id.")
    assert "Pass --documents …, the texts by id." in tokens
    assert "pass --by ids to compare ids of documents" in strict.casefold()
    for text in (lost, tokens, strict):
        assert "rg." not in text
        assert "`" not in text
