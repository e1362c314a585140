"""Gates that ask a live retriever: the texts of questions, latency, failures, cost; in Python, TOML and a shell."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from statistics import fmean

import pytest

import rankgauge as rg
from command_line import rankgauge
from rankgauge._language import speaking
from rankgauge.errors import InputError, ParameterError, RankgaugeError
from rankgauge.gate import Gate, run_gate

RECORDS = [{"id": f"q{i}", "question": f"red shoes {i}", "gold": [f"d{i}"]} for i in range(20)]
DOCS = {f"doc{i}": f"Before it. The answer to shoes {i} is here. Behind it." for i in range(20)}
QUOTED = [
    {"id": f"q{i}", "question": f"red shoes {i}", "gold": f"The answer to shoes {i} is here.", "doc_id": f"doc{i}"}
    for i in range(20)
]
MODULE = """
def _number(query):
    assert " " in query, query  # the id has none
    return int(query.split()[-1])


def find(query):  # right at the first place, but for every fourth
    n = _number(query)
    return [f"d{n}", "x"] if n % 4 else ["x", f"d{n}"]


def failing(query):
    if _number(query) == 7:
        raise RuntimeError("down")
    return find(query)


def costly(query):
    return {"ids": find(query), "cost": 0.02}


def whole(query):  # a piece that is the answer, and one that is not
    n = _number(query)
    return [(f"doc{n}", 11, 11 + len(f"The answer to shoes {n} is here.")), (f"doc{n}", 0, 10)]


def half(query):
    n = _number(query)
    return [(f"doc{n}", 11, 27)]


def by_chunk(query):
    return [f"c{_number(query)}"]
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "search.py").write_text(MODULE, encoding="utf-8")
    _lines(tmp_path / "q.jsonl", RECORDS)
    _lines(tmp_path / "quoted.jsonl", QUOTED)
    _lines(tmp_path / "docs.jsonl", [{"id": d, "text": t} for d, t in DOCS.items()])
    chunks = [
        {"chunk_id": f"c{i}", "doc_id": f"doc{i}", "start": 11, "end": 11 + len(QUOTED[i]["gold"])} for i in range(20)
    ]
    _lines(tmp_path / "chunks.jsonl", chunks)
    return tmp_path


def _refused(call: Callable[[], object], kind: type[RankgaugeError], english: str, chinese: str) -> None:
    with pytest.raises(kind) as caught:
        call()
    for language, expected in (("en", english), ("zh", chinese)):
        with speaking(language):
            assert expected in str(caught.value)


def _lines(path: Path, records: list[dict]) -> None:
    path.write_text("".join(json.dumps(r) + "\n" for r in records), encoding="utf-8")


# in Python


@pytest.mark.parametrize("form", ["file", "records", "frame", "judgements and queries"])
def test_a_retriever_is_asked_the_texts_of_questions_as_evaluate_asks_them(form: str, folder: Path):
    import polars as pl

    sources = {"file": folder / "q.jsonl", "records": RECORDS, "frame": pl.DataFrame(RECORDS)}
    judgements = {r["id"]: dict.fromkeys(r["gold"], 1) for r in RECORDS}
    texts = {r["id"]: r["question"] for r in RECORDS} if form not in sources else None
    asked: list[str] = []

    def find(query: str) -> list[str]:
        asked.append(query)
        return ["d1", "d2"]

    source = sources.get(form, judgements)
    found = run_gate(Gate(qrels=source, run=find, queries=texts, floors={"R@1": 0.01}))

    assert asked == [r["question"] for r in RECORDS]
    assert (
        found.evaluation.to_dict()["per_query"]
        == rg.evaluate(source, find, ["R@1"], queries=texts).to_dict()["per_query"]
    )


def test_what_is_said_of_asking_reaches_the_retriever():
    depths = []

    class Searcher:
        def invoke(self, query: str) -> list[dict]:
            return [{"id": "no", "metadata": {"key": f"d{query.rsplit(maxsplit=1)[-1]}"}}] * 3

    def search(query: str, k: int) -> list[str]:
        depths.append(k)
        return ["d1"]

    run_gate(Gate(qrels=RECORDS, run=search, k=7, floors={"R@1": 0.01}))
    by_key = run_gate(Gate(qrels=RECORDS, run=Searcher(), collect={"id": "key", "concurrency": 2}, floors={"R@1": 0.9}))

    assert set(depths) == {7}
    assert by_key.evaluation["R@1"] == 1


def test_a_retriever_may_be_the_baseline():
    gate = Gate(
        qrels=RECORDS,
        run=lambda query: ["x", f"d{query.split()[-1]}"],
        baseline=lambda query: [f"d{query.split()[-1]}"],
        non_inferior={"RR": 0.1},
    )

    found = run_gate(gate)

    assert found.exit_code == 1
    assert found.baseline is not None
    assert (found.evaluation["RR"], found.baseline["RR"]) == (0.5, 1.0)
    with pytest.raises(ParameterError, match="`resume` names one file"):
        run_gate(Gate(**{**_fields(gate), "collect": {"resume": "answers.jsonl"}}))


def _fields(gate: Gate) -> dict:
    return {name: getattr(gate, name) for name in ("qrels", "run", "baseline", "non_inferior")}


def test_quoted_gold_is_judged_by_spans_as_rag_does():
    def half(query: str) -> list[tuple[str, int, int]]:
        n = int(query.rsplit(maxsplit=1)[-1])
        return [(f"doc{n}", 11, 11 + 17)]

    fields = {"qrels": QUOTED, "run": half, "documents": DOCS}
    whole = run_gate(Gate(**fields, floors={"R@1": 0.9, "SpanRecall@1": 0.5}))
    half_is_enough = run_gate(Gate(**fields, reach=0.5, floors={"R@1": 0.9}))

    assert whole.evaluation["R@1"] == 0
    assert whole.evaluation["SpanRecall@1"] == pytest.approx(fmean(17 / len(r["gold"]) for r in QUOTED))
    assert half_is_enough.evaluation["R@1"] == 1


def test_what_cannot_be_meant_of_a_retriever_is_refused_before_it_is_asked():
    def never(query: str) -> list[str]:
        raise AssertionError("asked")

    _refused(
        lambda: Gate(qrels="q.jsonl", run="x.run", retriever="search:find", floors={"R@1": 0.1}),
        InputError,
        "a gate decides on a `run` or on a live `retriever`, got both",
        "门禁裁决一个 `run` 或一个在线的 `retriever`，实际两者都给出了",
    )
    _refused(
        lambda: Gate(qrels=RECORDS, run=never, by="words", floors={"R@1": 0.1}),
        InputError,
        "`by` must be spans or ids, got 'words'",
        "`by` 必须是 spans 或 ids，实际为 'words'",
    )
    _refused(
        lambda: Gate(qrels=RECORDS, run=never, reach=2, floors={"R@1": 0.1}),
        InputError,
        "`reach` must be a share above 0 and up to 1, got 2",
        "`reach` 必须是大于 0、不超过 1 的比例，实际为 2",
    )
    _refused(
        lambda: Gate(qrels=RECORDS, run=never, k=0, floors={"R@1": 0.1}),
        InputError,
        "`k` must be 1 or more, got 0",
        "`k` 必须不小于 1，实际为 0",
    )
    with pytest.raises(InputError, match="Did you mean timeout"):
        Gate(qrels=RECORDS, run=never, collect={"time_out": 3}, floors={"R@1": 0.1})
    _refused(
        lambda: run_gate(Gate(qrels=RECORDS, run=never, reach=0.5, floors={"R@1": 0.1})),
        ParameterError,
        "`reach` is for questions that quote what answers them",
        "`reach` 用于引用了答案原文或给出了偏移的问题",
    )
    judged, lists = {"q1": {"a": 1}}, {"q1": ["a"]}
    _refused(
        lambda: run_gate(Gate(qrels=judged, run=lists, chunks=[], by="ids", floors={"R@1": 0.1})),
        ParameterError,
        "`chunks` says where in documents chunks are, and these are judged by ids",
        "`chunks` 用于说明文本块在文档中的位置，而这里按 id 评判",
    )
    with pytest.raises(ParameterError, match="k= say how a retriever is asked"):
        run_gate(Gate(qrels=judged, run=lists, k=3, floors={"R@1": 0.1}))
    with pytest.raises(ParameterError, match="needs the texts of results"):
        run_gate(Gate(qrels=RECORDS, run=never, floors={"R(budget=9t)": 0.1}))
    _refused(
        lambda: run_gate(Gate(qrels=judged, run=lists, ceilings={"failures": 0})),
        InputError,
        "failures are those of a live retriever, and run is a recorded run",
        "failures 是在线检索器的失败数，而 run 是已有的 run",
    )


# failures, latency, cost


@pytest.mark.parametrize(("limit", "value", "code"), [(0, 1, 1), (1, 1, 0), (0.05, 0.05, 0), (0.04, 0.05, 1)])
def test_failures_are_limited_as_a_count_or_a_share(limit: float, value: float, code: int):
    def failing(query: str) -> list[str]:
        if query == "red shoes 7":
            raise RuntimeError("down")
        return ["x", f"d{query.rsplit(maxsplit=1)[-1]}"]

    found = run_gate(Gate(qrels=RECORDS, run=failing, ceilings={"failures": limit}))

    (check,) = found.checks
    assert (check.value, check.n, found.exit_code) == (value, 20, code)
    assert "1 of 20 queries got no answer" in check.message


def test_latency_and_cost_have_limits():
    def costly(query: str) -> dict:
        return {"ids": [f"d{query.rsplit(maxsplit=1)[-1]}", "x"], "cost": 0.02}

    dear = run_gate(Gate(qrels=RECORDS, run=costly, floors={"cost": 0.01, "latency.p95": 10_000}))

    assert [(c.measure, c.outcome) for c in dear.checks] == [("cost", "fail"), ("latency.p95", "pass")]
    assert dear.evaluation["cost"] == pytest.approx(0.02)


# files and options


def test_a_file_and_options_say_the_same(folder: Path):
    (folder / "gate.toml").write_text(
        'qrels = "q.jsonl"\nretriever = "search:failing"\nk = 5\n[collect]\nconcurrency = 4\nretries = 1\n'
        'resume = "answers.jsonl"\n[floors]\n"R@1" = 0.6\n[ceilings]\nfailures = 0\n',
        encoding="utf-8",
    )
    words = ("--retriever", "search:failing", "-k", "5", "--concurrency", "4", "--retries", "1")

    of_file = rankgauge("gate", "gate.toml", cwd=folder, code=1).stdout
    typed = rankgauge("gate", "q.jsonl", *words, "--floor", "R@1>=0.6", "--ceiling", "failures<=0", cwd=folder, code=1)
    again = rankgauge("gate", "gate.toml", "--retriever", "search:failing", "--ceiling", "failures<=1", cwd=folder)

    assert of_file == typed.stdout
    assert "pass     R@1 >= 0.6     0.7000" in of_file  # 5 of 20 are second, and one failed
    assert "failures <= 0: 1 of 20 queries got no answer" in of_file
    # 20 answers under their head; the failure was asked again, under a head of its own
    assert len((folder / "answers.jsonl").read_text(encoding="utf-8").splitlines()) == 23
    assert "19 of 20 answers were read from the file of earlier sessions" in again.stdout


def test_a_gate_of_spans_on_the_command_line(folder: Path):
    words = ("gate", "quoted.jsonl", "--documents", "docs.jsonl", "--retriever")

    whole = rankgauge(*words, "new=search:whole", "--floor", "R@1>=0.9", cwd=folder).stdout
    half = rankgauge(*words, "search:half", "--floor", "R@1>=0.9", "--reach", "0.5", cwd=folder).stdout
    typed = ("search:by_chunk", "--chunks", "chunks.jsonl", "--floor", "SpanPrecision@1>=0.9")
    of_ids = rankgauge(*words, *typed, cwd=folder).stdout

    assert "R@1 >= 0.9  1.0000" in whole
    assert "new on quoted" in whole
    assert "R@1 >= 0.9  1.0000" in half
    assert "SpanPrecision@1 >= 0.9  1.0000" in of_ids


def test_what_rag_stored_is_a_baseline(folder: Path):
    stored = rankgauge("rag", "q.jsonl", "--retriever", "search:find", "-m", "R@1", "--json", cwd=folder).stdout
    (folder / "base.json").write_text(stored, encoding="utf-8")

    found = rankgauge(
        *("gate", "q.jsonl", "--retriever", "search:failing", "--baseline", "base.json", "--non-inferior", "R@1:0.2"),
        cwd=folder,
    ).stdout

    assert "-0.0500" in found  # one of twenty failed
    assert "failing on q against find" in found


def test_gates_of_retrievers_say_what_is_wrong_in_options(folder: Path):
    both = rankgauge(
        *("gate", "q.jsonl", "--retriever", "search:find", "--run", "x.run", "--floor", "R@1>=0.1"), cwd=folder, code=2
    )
    unnamed = rankgauge("gate", "q.jsonl", "--retriever", "=search:find", "--floor", "R@1>=0.1", cwd=folder, code=2)
    reach = rankgauge(
        *("gate", "q.jsonl", "--retriever", "search:find", "--floor", "R@1>=0.1", "--reach", "0.5"), cwd=folder, code=2
    )
    over = rankgauge(
        *("gate", "q.jsonl", "--retriever", "search:find", "--floor", "R@1>=0.1", "--json", "search.py"),
        cwd=folder,
        code=2,
    )

    assert "decides on a --run or on a live --retriever, got both" in both.stderr
    assert "must look like new=search:find" in unnamed.stderr
    assert "--reach is for questions that quote" in reach.stderr
    assert (folder / "search.py").read_text(encoding="utf-8") == MODULE, over.stderr


def test_spans_without_documents_are_judged_by_rag_and_by_a_gate(folder: Path):
    offsets = [
        {"id": f"q{i}", "question": f"red shoes {i}", "doc_id": f"doc{i}", "start": 11, "end": 27} for i in range(20)
    ]
    _lines(folder / "offsets.jsonl", offsets)

    rag = rankgauge("rag", "offsets.jsonl", "--retriever", "search:half", "-m", "R@1", "--most", "0", cwd=folder).stdout
    gate = rankgauge("gate", "offsets.jsonl", "--retriever", "search:half", "--floor", "R@1>=0.9", cwd=folder).stdout

    assert "R@1      1.0000" in rag
    assert "R@1 >= 0.9  1.0000" in gate
