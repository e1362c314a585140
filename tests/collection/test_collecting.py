"""A retriever is asked: every query has an outcome, every failure is counted, and an interruption costs nothing."""

from __future__ import annotations

import asyncio
import json
import math
import os
import signal
import subprocess
import sys
import threading
import time
from functools import partial
from pathlib import Path

import pytest

import rankgauge as rg
from chinese_errors import refuse_english
from rankgauge._text import zh
from rankgauge.errors import InputError, ParameterError, RankgaugeError

QUERIES = {f"q{i}": f"question {i}" for i in range(9)}


def said_in_both(error: RankgaugeError, english: str, chinese: str) -> None:
    assert english in error.text
    assert chinese in zh(error.text)
    refuse_english(zh(error.text))


def number(query: str) -> int:
    return int(query.rsplit(maxsplit=1)[-1])


def answer(query: str) -> list[str]:
    return [f"d{number(query)}", "d0"]


async def answer_later(query: str) -> list[str]:
    await asyncio.sleep(0.001)
    return answer(query)


async def stream(query: str):
    for doc in answer(query):
        yield doc


def gives_coroutine(query: str):
    return answer_later(query)


def gives_stream(query: str):
    return stream(query)


LISTS = {q: {f"d{i}": 2.0, "d0": 1.0} for i, q in enumerate(QUERIES)} | {"q0": {"d0": 2.0}}


@pytest.mark.parametrize("concurrency", [1, 4])
@pytest.mark.parametrize(
    "retriever",
    [
        answer,
        answer_later,
        gives_coroutine,
        lambda q: iter(answer(q)),
        stream,
        gives_stream,
    ],
    ids=["function", "coroutine", "gives a coroutine", "generator", "async generator", "gives an async generator"],
)
def test_every_kind_of_function_gives_the_same_lists(retriever, concurrency):
    run = rg.collect(QUERIES, retriever, concurrency=concurrency)

    assert run.to_dict() == LISTS
    assert run.query_ids == list(QUERIES)
    assert run.collected.outcomes == ("ok",) * 9
    assert run.collected.repeated == 1


def test_an_object_with_an_asynchronous_call():
    class Asks:
        async def __call__(self, query: str) -> list[str]:
            return answer(query)

    assert rg.collect(QUERIES, Asks()).to_dict() == LISTS
    assert rg.collect(QUERIES, Asks()).name == "Asks"


def test_inside_a_running_event_loop():
    async def notebook() -> rg.Run:
        return rg.collect(QUERIES, answer_later, concurrency=3)

    assert asyncio.run(notebook()).to_dict() == LISTS


def test_a_function_is_told_k_where_it_wants_to_know():
    told = []

    def asks(query: str, top_k: int = 5) -> list[str]:
        told.append(top_k)
        return [str(i) for i in range(top_k)]

    run = rg.collect(["a"], asks, k=3)

    assert told == [3]
    assert run.collected.results == (3,)
    assert rg.collect(["a"], partial(asks, top_k=2), k=3).collected.results == (2,)
    assert rg.collect(["a"], lambda query, k=4, /: ["d"] * k, k=3).collected.failures == 0


# failures


def third_fails(query: str) -> list[str]:
    if number(query) % 3 == 2:
        raise ConnectionError("no route")
    return answer(query)


async def third_fails_later(query: str) -> list[str]:
    return third_fails(query)


@pytest.mark.parametrize("concurrency", [1, 3])
@pytest.mark.parametrize("retriever", [third_fails, third_fails_later])
def test_failures_are_empty_lists_and_counted(retriever, concurrency):
    run = rg.collect(QUERIES, retriever, concurrency=concurrency)
    c = run.collected

    assert c.outcomes == ("ok", "ok", "error") * 3
    assert c.errors[2] == "ConnectionError: no route"
    assert [q for q, row in run.to_dict().items() if not row] == ["q2", "q5", "q8"]
    assert c.failures == 3
    name = retriever.__name__
    assert run.notes[0] == (
        f"3 of 9 queries got no answer from {name} and count as empty lists: 3 ConnectionError: no route"
    )
    assert len(c.timed) == 6  # how long it takes to fail says nothing of how long it takes to answer


def test_another_attempt_helps_a_retriever_that_fails_now_and_then(monkeypatch):
    monkeypatch.setattr("rankgauge.collection.attempts._FIRST_PAUSE", 0.0)
    seen: dict[str, int] = {}

    def fails_once(query: str) -> list[str]:
        seen[query] = seen.get(query, 0) + 1
        if number(query) % 3 == 2 and seen[query] == 1:
            raise ConnectionError
        return answer(query)

    c = rg.collect(QUERIES, fails_once, retries=1).collected

    assert c.outcomes == ("ok",) * 9
    assert c.attempts == (1, 1, 2) * 3
    assert "3 queries were asked more than once" in c.remarks


@pytest.mark.parametrize("retriever", [third_fails, third_fails_later])
def test_attempts_end(monkeypatch, retriever):
    monkeypatch.setattr("rankgauge.collection.attempts._FIRST_PAUSE", 0.0)

    assert rg.collect(QUERIES, retriever, retries=2).collected.attempts == (1, 1, 3) * 3


@pytest.mark.parametrize("concurrency", [1, 3])
def test_a_call_that_hangs_is_left_behind(concurrency):
    free = threading.Event()

    def hangs(query: str) -> list[str]:
        if number(query) in (1, 4):
            free.wait(60)
        return answer(query)

    begun = time.perf_counter()
    c = rg.collect(QUERIES, hangs, timeout=1, concurrency=concurrency).collected  # others have time on a busy machine
    free.set()

    assert time.perf_counter() - begun < 30
    assert [i for i, o in enumerate(c.outcomes) if o == "timeout"] == [1, 4]
    assert all(1 <= c.seconds[i] < 15 for i in (1, 4))
    assert len(c.timed) == 9
    assert c.remarks[0].endswith("2 timed out")


def test_a_task_that_hangs_is_cancelled():
    async def hangs(query: str) -> list[str]:
        if number(query) == 1:
            await asyncio.sleep(20)
        return answer(query)

    assert rg.collect(QUERIES, hangs, timeout=0.1, concurrency=2).collected.outcomes.count("timeout") == 1


def test_a_time_out_of_the_retriever_itself_is_one():
    class ReadTimeout(Exception):
        pass

    def asks(query: str) -> list[str]:
        raise ReadTimeout("10 s")

    assert rg.collect(["a"], asks).collected.outcomes == ("timeout",)


def test_what_cannot_be_read_is_a_failure_of_its_query():
    c = rg.collect(QUERIES, lambda q: "one text" if number(q) == 0 else answer(q)).collected

    assert c.outcomes[0] == "error"
    assert "must return a list" in c.errors[0]


def test_an_interrupt_goes_through():
    def asks(query: str) -> list[str]:
        raise KeyboardInterrupt

    for concurrency in (1, 2):
        with pytest.raises(KeyboardInterrupt):
            rg.collect(QUERIES, asks, concurrency=concurrency)


ODD = {
    0: ["a", "b", "a"],
    1: None,
    2: [("a", 0.1), ("b", 0.9)],
    3: [("a", 0.9), ("b", float("nan"))],
    4: ["a", None],
    5: [("a", 1.0), ("b", None)],
    6: [],
    7: [str(i) for i in range(30)],
    8: [{"text": "a passage"}],
}


def test_odd_lists_lose_nothing_and_each_oddity_is_said_once():
    run = rg.collect(QUERIES, lambda q: ODD[number(q)])
    c = run.collected

    assert c.outcomes == ("ok", "empty", "ok", "ok", "ok", "ok", "empty", "ok", "ok")
    assert c.results == (3, 0, 2, 2, 2, 2, 0, 20, 1)
    assert c.odd == dict.fromkeys(c.odd, 1)
    assert set(c.odd) == {"nothing", "unsorted", "not_finite", "without_id", "partly_scored", "longer", "by_text"}
    assert len(c.remarks) == 7
    assert c.repeated == 1
    assert {q: list(row) for q, row in run.to_dict().items() if q in ("q2", "q3", "q5")} == {
        q: ["a", "b"] for q in ("q2", "q3", "q5")
    }
    for remark in c.remarks:
        assert remark.zh != remark.en


# pace and warm-up


def test_results_of_equal_score_keep_their_order(tmp_path):
    def tied(query):
        return [("a", 1.0), ("c", 0.5), ("b", 0.5), ("d", 0.5)]

    journal = tmp_path / "journal.jsonl"
    for retriever in (tied, tied):  # asked, then read back
        run = rg.collect(["q"], retriever, resume=journal)
        assert run.to_dict() == {"q": {"a": 4.0, "c": 3.0, "b": 2.0, "d": 1.0}}
        for i, item in enumerate("acbd", 1):
            assert rg.evaluate({"q": [item]}, run, ["RR"])["RR"] == 1 / i
            assert rg.evaluate({"q": [item]}, retriever, ["RR"])["RR"] == 1 / i
    assert rg.collect(["q"], lambda query: [("a", 0.9), ("b", 0.5)]).to_dict() == {"q": {"a": 0.9, "b": 0.5}}


def test_calls_start_no_faster_than_the_rate():
    begun = time.perf_counter()
    rg.collect(QUERIES, answer, rate=100, concurrency=4)

    assert time.perf_counter() - begun >= 8 / 100


def test_warming_up_is_not_counted():
    asked = []

    def asks(query: str) -> list[str]:
        asked.append(query)
        return answer(query)

    run = rg.collect(QUERIES, asks, warm_up=2)

    assert asked == ["question 0", "question 1", *QUERIES.values()]
    assert len(run.collected.seconds) == 9


# times


def test_numbers_of_times():
    starts = (100.0, 101.0, 500.0)
    c = rg.Collected(
        retriever="r",
        k=10,
        concurrency=1,
        query_ids=("a", "b", "c"),
        outcomes=("ok", "timeout", "error"),
        starts=starts,
        seconds=(1.0, 2.0, 7.0),
        attempts=(1, 1, 1),
        errors=("", "", "ValueError"),
        results=(3, 0, 0),
        sessions=(99.0, 499.0),
    )

    assert c.mean == (1 + 2) / 2
    assert c.latency(50)[0] == 1.0
    assert c.latency(99)[0] == 2.0
    assert c.elapsed == (103 - 100) + (507 - 500)
    assert c.throughput == 1 / 7  # of what was asked now
    assert c.read == 2
    assert c.failures == 2


def test_seconds_are_those_of_the_calls():
    def slow(query: str) -> list[str]:
        time.sleep(0.02)
        return answer(query)

    c = rg.collect(QUERIES, slow, concurrency=3).collected

    assert all(0.02 <= s < 0.5 for s in c.seconds)
    assert abs(c.starts[0] - time.time()) < 30
    assert c.elapsed >= 0.06


# taking up


def same(a: rg.Run, b: rg.Run) -> None:
    assert a.to_dict() == b.to_dict()
    assert a.collected.outcomes == b.collected.outcomes
    assert a.collected.odd == b.collected.odd
    assert a.collected.attempts == b.collected.attempts
    assert a.collected.errors == b.collected.errors
    assert [n for n in a.notes if "earlier sessions" not in n] == list(b.notes)


def odd(query: str):
    if number(query) == 7:
        raise ConnectionError("no route")
    return ODD[number(query)]


def test_a_collection_cut_anywhere_and_taken_up_is_the_same_as_one(tmp_path):
    file = tmp_path / "answers.jsonl"
    whole = rg.collect(QUERIES, odd, resume=file)
    content = file.read_bytes()
    lines = content.count(b"\n")
    assert lines == 10

    for cut in range(0, len(content), 37):
        file.write_bytes(content[:cut])
        kept = content[:cut].count(b"\n") - 1
        again = rg.collect(QUERIES, odd, resume=file)
        same(again, whole)
        if kept > 0:
            assert again.collected.seconds[:kept] == whole.collected.seconds[:kept]
        assert len([x for x in file.read_text().splitlines() if json.loads(x).get("id")]) == 9


def test_what_is_there_is_not_asked_again(tmp_path):
    file = tmp_path / "answers.jsonl"
    rg.collect({"q0": QUERIES["q0"]}, answer, resume=file)
    asked = []

    def answer_(query: str) -> list[str]:
        asked.append(query)
        return answer(query)

    answer_.__name__ = answer_.__qualname__ = "answer"
    run = rg.collect(QUERIES, answer_, resume=file)

    assert asked == list(QUERIES.values())[1:]
    assert run.to_dict() == LISTS
    rg.collect(QUERIES, answer_, resume=file)
    assert len(asked) == 8


KILLED = """
import sys, time
import rankgauge as rg

def slow(query):
    time.sleep(0.01)
    if query.endswith("3"):
        raise ValueError("three")
    return [query[-1], "d"]

rg.collect({str(i): f"question {i}" for i in range(60)}, slow, concurrency=3, resume=sys.argv[1])
"""


@pytest.mark.skipif(os.name != "posix", reason="kills a process")
def test_a_process_that_is_killed_leaves_a_file_that_can_be_taken_up(tmp_path: Path):
    file, script = tmp_path / "answers.jsonl", tmp_path / "ask.py"
    script.write_text(KILLED)
    for _ in range(2):
        process = subprocess.Popen([sys.executable, str(script), str(file)])
        while not (file.exists() and file.read_bytes().count(b"\n") > 5):
            assert process.poll() is None or process.returncode == 0
            time.sleep(0.005)
        time.sleep(0.03)
        process.send_signal(signal.SIGKILL)
        process.wait()
    done = subprocess.run([sys.executable, str(script), str(file)], check=True)
    assert done.returncode == 0
    asked = [json.loads(line)["id"] for line in file.read_text().splitlines() if '"rankgauge"' not in line]
    assert sorted(asked, key=int) == [str(i) for i in range(60)]  # each once


@pytest.mark.parametrize(("k", "id", "said"), [(5, None, "k=20"), (20, "source", "id=None")])
def test_a_file_is_of_one_way_of_asking(tmp_path, k, id, said):
    file = tmp_path / "answers.jsonl"
    rg.collect(QUERIES, answer, resume=file)
    with pytest.raises(ParameterError) as e:
        rg.collect(QUERIES, answer, k, id=id, resume=file)
    said_in_both(e.value, f"was collected with {said}, and cannot be taken up", "不能用")


def test_what_is_wrong_is_said_before_anything_is_asked(tmp_path):
    asked = []

    def find(query: str) -> list[str]:
        asked.append(query)
        return ["a"]

    gold, two = {"q": ["a"]}, {"x": find, "y": find}
    spans = rg.Spans([{"question": "q", "gold": ["a b"]}], documents={"d": "a b c"})
    wrong = [
        (lambda: rg.compare(gold, two, "RR", test="nosuch"), "unknown test 'nosuch'", "未知的检验"),
        (lambda: rg.compare(gold, two, "RR", correction="nosuch"), "unknown correction", "未知的多重比较校正"),
        (lambda: rg.compare(gold, two, "nDCGG@5"), "Did you mean nDCG@5?", "nDCG@5"),
        (lambda: rg.compare(spans, two, "bpref"), "bpref cannot be computed with spans", "不能用片段计算"),
        (lambda: rg.evaluate(gold, find, "R(budget=5t)"), "documents", "documents"),
        (lambda: rg.compare(gold, two, "R(budget=5t)"), "documents", "documents"),
        (lambda: rg.evaluate(gold, find, "RR", collect={"concurency": 2}), "Did you mean concurrency?", "concurrency"),
        (lambda: rg.evaluate(gold, find, "RR", collect=3), "must be a dict of options", "选项组成的 dict"),
        (lambda: rg.collect({"q": "a\ud800"}, find, resume=tmp_path / "a.jsonl"), "half a character", "半个字符"),
    ]
    for call, said, chinese in wrong:
        with pytest.raises(RankgaugeError) as e:
            call()
        said_in_both(e.value, said, chinese)
    assert not asked
    assert not list(tmp_path.iterdir())


def test_a_file_is_of_one_definition(tmp_path):
    def made(results):
        def find(query: str) -> list[str]:
            return results

        return find

    class Other:
        def find(self, query: str) -> list[str]:
            return ["b"]

    file = tmp_path / "answers.jsonl"
    first = rg.collect(["x", "y"], made(["a"]), resume=file)
    assert first.collected.read == 0
    again = rg.collect(["x", "y", "z"], made(["a"]), resume=file)
    assert again.collected.read == 2
    (said,) = again.notes
    assert said.startswith("2 of 3 answers were read from the file of earlier sessions")
    assert zh(said).startswith("3 个查询中有 2 个的结果和耗时读自")
    whole = rg.collect(["x", "y", "z"], made(["a"]), resume=file).collected
    assert whole.read == 3
    assert math.isnan(whole.throughput)
    assert "per second" not in str(whole)
    with pytest.raises(ParameterError) as e:
        rg.collect(["x", "y"], Other().find, resume=file)
    said_in_both(e.value, "is asked now. Name another file; or remove this one", "请换一个文件名；或删除该文件")

    one = lambda query: ["a"]  # noqa: E731
    two = lambda query: ["b"]  # noqa: E731
    rg.collect(["x"], one, resume=tmp_path / "lambda.jsonl")
    rg.collect(["x"], one, resume=tmp_path / "lambda.jsonl")
    with pytest.raises(ParameterError, match=r"holds the answers of 'lambda-\w+'"):
        rg.collect(["x"], two, resume=tmp_path / "lambda.jsonl")


def test_a_file_is_of_one_retriever(tmp_path):
    rg.collect(QUERIES, answer, resume=tmp_path / "a.jsonl")
    with pytest.raises(ParameterError, match="retriever='answer'"):
        rg.collect(QUERIES, third_fails, resume=tmp_path / "a.jsonl")


def test_a_query_that_means_something_else_now_is_refused(tmp_path):
    rg.collect(QUERIES, answer, resume=tmp_path / "a.jsonl")
    with pytest.raises(InputError) as e:
        rg.collect({"q0": "another question 0"}, answer, resume=tmp_path / "a.jsonl")
    said_in_both(e.value, "query 'q0' must be the one that was asked, 'question 0'", "必须是当时所问的")


@pytest.mark.parametrize("content", ["q1 Q0 d1 1\n", '{"a": 1}\n', "no lines", '{"rankgauge": "0"}\n'])
def test_other_files_are_not_written_to(tmp_path, content):
    file = tmp_path / "qrels.txt"
    file.write_text(content)
    with pytest.raises(InputError) as e:
        rg.collect(QUERIES, answer, resume=file)
    said_in_both(e.value, "line 1: must be what rg.collect(resume=…) wrote", "必须是 rg.collect")
    assert file.read_text() == content


# what is asked, and who


@pytest.mark.parametrize(
    "queries",
    [
        ["red shoes", "boots"],
        {"red shoes": ["d1"], "boots": {"d2": 1}},
        [{"question": "red shoes", "gold": ["d1"]}, {"question": "boots", "gold": []}],
        rg.Qrels({"red shoes": ["d1"], "boots": ["d2"]}),
    ],
)
def test_queries_that_go_by_their_words(queries):
    asked = []
    run = rg.collect(queries, lambda q: asked.append(q) or ["d1"])

    assert asked == run.query_ids == ["red shoes", "boots"]


@pytest.mark.parametrize(
    "queries",
    [
        {"1": "red shoes", "2": "boots"},
        {1: {"text": "red shoes"}, 2: {"text": "boots"}},
        [{"_id": "1", "text": "red shoes"}, {"_id": "2", "text": "boots"}],
        [{"id": 1, "question": "red shoes"}, {"id": 2, "question": "boots"}],
    ],
)
def test_queries_with_ids(queries):
    asked = []
    run = rg.collect(queries, lambda q: asked.append(q) or ["d1"])

    assert asked == ["red shoes", "boots"]
    assert run.query_ids == ["1", "2"]


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("q.jsonl", '{"_id": "1", "text": "red shoes"}\n{"_id": "2", "text": "boots"}\n'),
        ("q.json", '{"1": "red shoes", "2": "boots"}'),
        ("q.csv", "query_id,query\n1,red shoes\n2,boots\n"),
        ("q.tsv", "1\tred shoes\n2\tboots\n"),
    ],
)
def test_queries_of_files(tmp_path, name, content):
    (tmp_path / name).write_text(content)
    asked = []
    run = rg.collect(tmp_path / name, lambda q: asked.append(q) or ["d1"])

    assert (run.query_ids, asked) == (["1", "2"], ["red shoes", "boots"])


@pytest.mark.parametrize("queries", [[], {}, {"a": " "}, ["a", "a"], [{"answer": "x"}]])
def test_queries_that_cannot_be_asked(queries):
    with pytest.raises(InputError):
        rg.collect(queries, answer)


@pytest.mark.parametrize("retriever", [None, "bm25.run", 7, {"q": ["d"]}, [1, 2]])
def test_what_cannot_be_asked_is_refused(retriever):
    with pytest.raises(ParameterError) as e:
        rg.collect(QUERIES, retriever)
    said_in_both(e.value, "a retriever must be a function query → results", "检索器必须是函数")


@pytest.mark.parametrize(
    "options",
    [{"k": 0}, {"concurrency": 0}, {"timeout": 0}, {"retries": -1}, {"rate": 0}, {"warm_up": -1}, {"id": 7}],
)
def test_options_out_of_range_are_refused(options):
    with pytest.raises(ParameterError):
        rg.collect(QUERIES, answer, **options)


def test_the_record_is_shown_stored_and_read_back(tmp_path):
    c = rg.collect(QUERIES, lambda q: {"documents": odd(q), "stages": {"search": 0.25}}).collected
    c.to_json(tmp_path / "c.json")
    again = rg.load(tmp_path / "c.json")

    assert again.seconds == c.seconds
    assert again.stages["search"][0] == c.stages["search"][0] == 0.25
    assert [*map(math.isnan, again.stages["search"])] == [*map(math.isnan, c.stages["search"])]
    assert again.remarks == c.remarks
    assert "1 of 9 queries got no answer" in str(c)
    assert c.to_frame().height == 9


class Invoked:
    def invoke(self, query):
        return ["d1"]


class InvokedLater:
    async def ainvoke(self, query):
        return ["d1"]


class Searching:
    def search(self, query, top_k):
        return ["d1", "d2"][:top_k]


class Retrieving:
    def retrieve(self, query):
        return ["d1"]


@pytest.mark.parametrize("kind", [Invoked, InvokedLater, Searching, Retrieving])
def test_an_object_with_a_method_of_a_query_is_asked(kind):
    ev = rg.evaluate({"red shoes": ["d1"], "boots": ["d2"]}, kind(), "R@1", k=1)

    assert (ev.run, ev["R@1"]) == (kind.__name__, 0.5)


def test_spans_bring_their_documents():
    spans = rg.Spans({"which one": [("d", 0, 3)]}, documents={"d": "one two three"})

    assert rg.collect(spans, lambda query: ["two three"]).pieces == {"which one": [{"text": "two three"}]}
    assert rg.collect(spans, lambda query: [("d", 0, 3)]).collected.failures == 0


def test_errors_that_differ_in_numbers_are_of_one_kind():
    def find(query):
        raise ValueError(f"row {len(query)} of 1.5e3 is gone")

    said = rg.collect(["a", "bb", "ccc"], find).collected.remarks[0].en
    assert said.endswith(": 3 ValueError: row 1 of 1.5e3 is gone")


def test_failures_of_earlier_sessions_are_asked_again_with_retries(tmp_path):
    file, asked, is_up = tmp_path / "answers.jsonl", [], []

    def flaky(query: str) -> list[str]:
        asked.append(query)
        if number(query) % 3 == 0 and not is_up:
            raise ConnectionError("no route")
        return [f"d{number(query)}"]

    first = rg.collect(QUERIES, flaky, resume=file)
    failed = [q for q, o in zip(first.collected.query_ids, first.collected.outcomes, strict=True) if o == "error"]
    assert failed
    asked.clear()
    assert rg.collect(QUERIES, flaky, resume=file).collected.failures == len(failed)
    assert not asked  # as long as nobody says that what failed is to be tried again

    is_up.append(True)
    again = rg.collect(QUERIES, flaky, resume=file, retries=1)

    assert asked == [QUERIES[q] for q in failed]
    assert again.collected.failures == 0
    asked.clear()
    assert rg.collect(QUERIES, flaky, resume=file, retries=1).to_dict() == again.to_dict()
    assert not asked  # answers stay


def test_a_damaged_line_can_be_taken_out_of_the_file(tmp_path):
    file = tmp_path / "answers.jsonl"
    rg.collect(QUERIES, answer, resume=file)
    lines = file.read_text().splitlines(keepends=True)
    file.write_text("".join([*lines[:2], lines[2][:20] + "\n", *lines[3:]]))

    with pytest.raises(InputError) as e:
        rg.collect(QUERIES, answer, resume=file)
    said_in_both(
        e.value, "line 3: must be what rg.collect(resume=…) wrote, and is not. Delete this line", "请删除这一行"
    )
    file.write_text("".join([*lines[:2], *lines[3:]]))
    again = rg.collect(QUERIES, answer, resume=file)
    assert again.collected.outcomes == ("ok",) * len(QUERIES)
    assert len(file.read_text().splitlines()) == len(lines) + 1  # a session more, and the answer that was lacking
