"""Retrievers that search several times for a question, and say what it costs: read, kept, measured."""

from __future__ import annotations

import json
import random
from math import isnan
from pathlib import Path
from statistics import fmean, stdev
from types import SimpleNamespace
from typing import Any

import pytest
from scipy.stats import t as student

import rankgauge as rg
from chinese_errors import Files, says_in_both
from command_line import rankgauge
from rankgauge.collection.results import listed
from rankgauge.data.collected import Call
from rankgauge.errors import InputError

GOLD = {"one": ["a", "b"], "two": ["b", "c"], "three": ["z"], "four": ["a"]}
CALLS: dict[str, list[dict[str, Any]]] = {
    "one": [
        {"query": "one?", "documents": ["a", "x"], "tokens": 100},
        {"query": "b", "documents": ["x", "b"], "tokens": 50},
    ],
    "two": [
        {"query": "two", "documents": ["x"], "tokens": 10},
        {"query": "c", "documents": [("c", 0.9)], "tokens": 30},
    ],
    "three": [{"query": "three", "documents": None, "tokens": 5}],
}


def agent(query: str) -> Any:
    if query == "four":
        raise ConnectionError("no route")
    return {"calls": CALLS[query], "cost": 0.5}


# what it gives


def test_the_union_of_all_calls_counts_in_the_order_of_first_sight():
    found = listed({"calls": CALLS["one"]}, 10)

    assert found.ids == ["a", "x", "b"]
    assert found.calls == [
        Call(query="one?", ids=("a", "x"), tokens=100.0),
        Call(query="b", ids=("x", "b"), tokens=50.0),
    ]
    assert found.spent == {"tokens": 150.0}


def test_a_final_list_beside_the_calls_is_the_list():
    found = listed({"calls": CALLS["one"], "documents": ["b", "a"], "tokens": 999}, 10)

    assert (found.ids, found.spent, len(found.calls or ())) == (["b", "a"], {"tokens": 999.0}, 2)


def test_each_call_is_cut_at_k_and_the_union_is_not():
    found = listed({"calls": [["a", "b", "c"], ["d", "e"]]}, 2)

    assert found.ids == ["a", "b", "d", "e"]
    assert [c.ids for c in found.calls or ()] == [("a", "b"), ("d", "e")]
    assert found.odd == {"longer": 1}


def test_objects_usage_and_seconds_are_read():
    call = SimpleNamespace(query="q", documents=["a"], usage=SimpleNamespace(total_tokens=7), seconds=0.25)

    found = listed(SimpleNamespace(calls=[call], usage={"cost": 0.1}), 5)

    assert found.calls == [Call(query="q", ids=("a",), tokens=7.0, seconds=0.25)]
    assert found.spent == {"tokens": 7.0, "cost": 0.1}


@pytest.mark.parametrize("odd", [-1, float("nan"), float("inf"), "7", True, None])
def test_what_is_no_amount_is_not_told(odd: Any):
    assert listed({"documents": ["a"], "cost": odd, "tokens": odd}, 5).spent == {}


def test_tokens_of_some_calls_only_are_no_sum():
    assert listed({"calls": [{"documents": ["a"], "tokens": 3}, ["b"]]}, 5).spent == {}


def test_no_call_at_all_is_an_empty_list():
    found = listed({"calls": []}, 5)

    assert (found.ids, found.calls) == ([], [])


def test_scores_by_id_where_an_item_is_called_calls_stay_scores():
    assert listed({"calls": 0.9, "b": 0.3}, 5).ids == ["calls", "b"]


# what is kept


def test_calls_and_costs_are_taken_up_again_and_stored(tmp_path: Path):
    journal = tmp_path / "asked.jsonl"
    whole = rg.collect(GOLD, agent, name="agent").collected
    rg.collect(["one", "two"], agent, resume=journal, name="agent")
    resumed = rg.collect(GOLD, agent, resume=journal, name="agent").collected
    again = rg.collect(GOLD, agent, resume=journal, name="agent").collected
    assert whole is not None
    assert resumed is not None
    assert again is not None

    assert whole.calls == resumed.calls == again.calls
    assert [len(made) for made in whole.calls] == [2, 2, 1, 0]
    assert whole.spent["tokens"][:3] == resumed.spent["tokens"][:3] == again.spent["tokens"][:3] == (150, 40, 5)
    assert isnan(whole.spent["cost"][3])
    assert whole.total("cost") == 1.5
    back = rg.Collected.from_dict(json.loads(json.dumps(again.to_dict())))
    assert (back.calls, str(back)) == (again.calls, str(again))
    assert whole.to_frame()["calls"].to_list() == [2, 2, 1, 0]


def test_what_says_nothing_has_nothing():
    c = rg.collect(["q"], lambda q: ["a"]).collected
    assert c is not None

    assert (c.spent, c.calls, c.to_dict().get("calls")) == ({}, (), [])
    assert isnan(c.total("cost"))


# measures


def test_cost_tokens_and_calls_are_measures():
    ev = rg.evaluate(GOLD, agent, ["R@10", "cost", "tokens", "Calls", "failures"])

    assert ev["R@10"] == (1 + 0.5 + 0 + 0) / 4
    assert (ev["cost"], ev["tokens"], ev["calls"]) == (0.5, pytest.approx((150 + 40 + 5) / 3), pytest.approx(5 / 3))
    assert ev.n("cost") == 3
    assert ev["failures"] == 0.25


def test_two_agents_are_compared_by_what_they_cost():
    asked = {f"q{i}": ["a"] for i in range(30)}

    found = rg.compare(
        asked,
        {
            "cheap": lambda q: {"documents": ["a"], "cost": 1 + (hash(q) % 7) / 10},
            "dear": lambda q: {"documents": ["a"], "cost": 2 + (hash(q) % 5) / 10},
        },
        ["RR", "cost"],
    )

    assert found.verdict("cost", "dear") == "worse"


@pytest.mark.parametrize(
    ("measure", "en", "zh"),
    [
        (
            "cost",
            'Cost needs what each query cost, which a live retriever must say: let it return {"documents": […], '
            '"cost": …}.',
            'Cost 需要每个查询的费用，须由现场询问的检索器给出：请让它返回 {"documents": […], "cost": …}。',
        ),
        (
            "Calls",
            'Calls needs the calls of each query, which a live retriever must say: let it return {"calls": […]}.',
            'Calls 需要每个查询的调用，须由现场询问的检索器给出：请让它返回 {"calls": […]}。',
        ),
    ],
)
def test_what_is_not_told_cannot_be_measured(measure: str, en: str, zh: str, tmp_path: Path):
    says_in_both(lambda at: rg.evaluate(GOLD, lambda q: ["a"], measure), Files(tmp_path), en, zh)


# call by call


def test_each_call_adds_what_those_before_it_did_not_find():
    found = rg.evaluate(GOLD, agent, "R@10").by_call()

    first, second = found.steps
    assert (first.queries, second.queries, found.n) == (3, 2, 4)
    assert (first.recall, second.recall) == ((0.5 + 0 + 0 + 0) / 4, (1 + 0.5 + 0 + 0) / 4)
    assert second.added == (0.5 + 0.5) / 4
    assert (first.first, second.first, found.hits) == (1, 1, 2)
    assert (first.hit, second.hit) == (1 / 4, 2 / 4)
    assert (first.new, second.new) == ((2 + 1 + 0) / 3, (1 + 1) / 2)
    assert (first.tokens, second.tokens) == ((100 + 10 + 5) / 3, (150 + 40 + 5) / 3)
    assert (found.calls_to_hit, found.tokens_to_hit) == (1.5, (100 + 40) / 2)
    assert found.calls == (2 + 2 + 1 + 0) / 4


def test_numbers_are_those_of_the_naive_definition():
    rng = random.Random(5)
    gold = {f"question {i}": rng.sample("abcdef", rng.randint(1, 3)) for i in range(40)}
    made = {q: [rng.sample("abcdefghij", rng.randint(0, 3)) for _ in range(rng.randint(1, 4))] for q in gold}

    found = rg.evaluate(gold, lambda q: {"calls": made[q]}, "RR").by_call()

    for s in found.steps:
        after, before = (
            [len(set(gold[q]) & {d for call in made[q][:j] for d in call}) / len(gold[q]) for q in gold]
            for j in (s.call, s.call - 1)
        )
        added = [a - b for a, b in zip(after, before, strict=True)]
        half = student.ppf(0.975, 39) * stdev(added) / 40**0.5
        assert (s.recall, s.added) == (pytest.approx(fmean(after)), pytest.approx(fmean(added)))
        assert s.added_interval == pytest.approx((max(fmean(added) - half, 0), fmean(added) + half))
        assert s.first == sum(a > 0 and b == 0 for a, b in zip(after, before, strict=True))
    assert isnan(found.tokens_to_hit)
    assert found.recall == pytest.approx(rg.evaluate(gold, lambda q: {"calls": made[q]}, "R")["R"])


def test_an_agent_that_finds_nothing_has_no_first_hit():
    found = rg.evaluate({"q": ["a"]}, lambda q: {"calls": [["x"], ["y"]]}, "RR").by_call()

    assert [s.recall for s in found.steps] == [0, 0]
    assert isnan(found.calls_to_hit)
    for language in ("en", "zh"):
        assert "nan" not in found.to_markdown(language=language)


def test_it_is_stored_drawn_and_shown(tmp_path: Path):
    ev = rg.evaluate(GOLD, agent, "R@10")
    found = ev.by_call()

    found.to_json(tmp_path / "calls.json")

    assert str(rg.load(tmp_path / "calls.json")) == str(found)
    assert "what each call adds" in str(found)
    assert "What each call adds" in rg.report([ev, found])


@pytest.mark.parametrize("run", [{"one": ["a"]}, lambda q: ["a"]], ids=["a recorded run", "one list"])
def test_without_calls_there_is_nothing_to_follow(run: Any, tmp_path: Path):
    says_in_both(
        lambda at: rg.evaluate({"one": ["a"]}, run, "RR").by_call(),
        Files(tmp_path),
        'by_call: the calls of each query must be there, which a live retriever says that returns {"calls": […]}. '
        "Evaluate it, or the run that rg.collect() gives.",
        'by_call：必须有每个查询的各次调用，由返回 {"calls": […]} 的检索器给出。请评测该检索器，'
        "或 rg.collect() 给出的 run。",
    )


# call by call, on spans

DOCS = {"d": "abcdefghij" * 3, "e": "klmnopqrst" * 2}
SPANS = {"one": [("d", 0, 10), ("e", 0, 10)], "two": [("d", 5, 15)], "three": [("e", 3, 6)]}
OF_SPANS = {
    "one": [
        {"documents": [("d", 0, 5), ("d", 3, 10)], "tokens": 10},  # overlapping: the first need, wholly
        {"documents": [("d", 0, 10), ("e", 0, 5)], "tokens": 20},  # the first is there again; half of the other
    ],
    "two": [
        {"documents": [("e", 0, 5)], "tokens": 5},  # nothing
        {"documents": [("d", 0, 10)], "tokens": 7},  # one half
        {"documents": [("d", 0, 20)], "tokens": 1},  # the rest
    ],
}


def of_spans(query: str) -> Any:
    if query == "three":
        raise ConnectionError("no route")
    return {"calls": OF_SPANS[query]}


def asked_of_spans(retriever: Any = of_spans, **options: Any) -> Any:
    gold = rg.Spans(SPANS, documents=DOCS, **options)
    return rg.evaluate(gold, retriever, ["SpanRecall", "R"], queries={q: q for q in SPANS})


def test_a_call_adds_the_gold_that_no_piece_before_it_covers():
    ev = asked_of_spans()

    found = ev.by_call()

    assert [s.recall for s in found.steps] == pytest.approx([0.5 / 3, (0.75 + 0.5) / 3, (0.75 + 1) / 3])
    assert [s.added for s in found.steps] == pytest.approx([0.5 / 3, (0.25 + 0.5) / 3, 0.5 / 3])
    assert [s.first for s in found.steps] == [1, 0, 1]  # half of a need is no hit
    assert [s.hit for s in found.steps] == [1 / 3, 1 / 3, 2 / 3]
    assert [s.new for s in found.steps] == [1.5, 1.5, 1.0]
    assert (found.calls_to_hit, found.tokens_to_hit, found.hits) == ((1 + 3) / 2, (10 + 13) / 2, 2)
    assert (found.by, found.reach, found.n) == ("spans", 1, 3)
    assert found.recall == pytest.approx(ev["SpanRecall"])  # the union of all calls is the list


def test_with_a_lower_reach_half_of_a_need_is_a_hit():
    found = asked_of_spans(reach=0.5).by_call()

    assert [s.first for s in found.steps] == [1, 1, 0]
    assert "at least 50.0% of something needed is there" in str(found)
    assert "至少 50.0%" in found.to_markdown(language="zh")


def test_calls_on_spans_are_those_of_sets_of_characters():
    rng = random.Random(11)

    def piece(longest: int) -> tuple[str, int, int]:
        start = rng.randint(0, 50)
        return rng.choice("de"), start, start + rng.randint(1, longest)

    gold = {f"question {i}": [piece(9) for _ in range(rng.randint(1, 3))] for i in range(40)}
    made = {q: [[piece(25) for _ in range(rng.randint(0, 3))] for _ in range(rng.randint(1, 4))] for q in gold}
    ev = rg.evaluate(rg.Spans(gold), lambda q: {"calls": made[q]}, "SpanRecall", queries={q: q for q in gold})

    found = ev.by_call()

    def shares(q: str, j: int) -> list[float]:
        context = {(d, i) for call in made[q][:j] for d, s, e in call for i in range(s, e)}
        needs = [{(d, i) for i in range(s, e)} for d, s, e in gold[q]]
        return [len(need & context) / len(need) for need in needs]

    for s in found.steps:
        assert s.recall == pytest.approx(fmean(fmean(shares(q, s.call)) for q in gold))
        assert s.first == sum(max(shares(q, s.call)) == 1 > max(shares(q, s.call - 1)) for q in gold)
        assert s.added >= 0


def test_calls_that_give_ids_of_chunks_are_followed_by_the_table_of_chunks():
    table = [{"chunk_id": f"{d}{i}", "doc_id": d, "start": i, "end": i + 5} for d in DOCS for i in range(0, 20, 5)]
    run = rg.collect({"two": "two"}, lambda q: {"calls": [["d0", "e0"], ["d5"], ["d10"]]})
    gold = rg.Spans({"two": SPANS["two"]}, documents=DOCS)

    found = rg.evaluate(gold, rg.Chunks(run, chunks=table, documents=DOCS), "SpanRecall").by_call()

    assert [s.recall for s in found.steps] == [0, 0.5, 1]


def test_calls_on_spans_are_taken_up_again_stored_and_shown(tmp_path: Path):
    journal = tmp_path / "asked.jsonl"
    gold = rg.Spans(SPANS, documents=DOCS)
    asked = {q: q for q in SPANS}
    rg.collect({"one": "one"}, of_spans, resume=journal, documents=DOCS, name="agent")
    run = rg.collect(asked, of_spans, resume=journal, documents=DOCS, name="agent")
    found = rg.evaluate(gold, run, "SpanRecall").by_call()

    assert [s.recall for s in found.steps] == [s.recall for s in asked_of_spans().by_call().steps]
    found.to_json(tmp_path / "calls.json")
    assert str(rg.load(tmp_path / "calls.json")) == str(found)
    assert "a hit: something needed is there as a whole" in str(found)
    assert run.collected is not None
    back = rg.Collected.from_dict(json.loads(json.dumps(run.collected.to_dict())))
    assert back.calls == run.collected.calls


def test_recorded_pieces_have_no_calls():
    ev = rg.evaluate(rg.Spans({"q": [("d", 0, 9)]}), {"q": [("d", 0, 9)]}, ["SpanRecall@5"])

    with pytest.raises(InputError, match="the calls of each query must be there"):
        ev.by_call()


def test_a_command_shows_what_each_call_adds(tmp_path: Path):
    (tmp_path / "search.py").write_text(
        "def agent(query):\n    return {'calls': [[('d', 0, 5)], [('d', 3, 10)]]}\n\n"
        "def plain(query):\n    return [('d', 0, 5)]\n",
        encoding="utf-8",
    )
    (tmp_path / "docs.jsonl").write_text(json.dumps({"id": "d", "text": DOCS["d"]}), encoding="utf-8")
    gold = {"id": "q", "question": "what is it", "doc_id": "d", "start": 0, "end": 10}
    (tmp_path / "asked.jsonl").write_text(json.dumps(gold), encoding="utf-8")
    words = ("rag", "asked.jsonl", "--documents", "docs.jsonl", "--most", "0", "--retriever")

    agent = rankgauge(*words, "search:agent", "--html", "page.html", cwd=tmp_path).stdout
    stored = json.loads(rankgauge(*words, "search:agent", "--json", cwd=tmp_path).stdout)
    plain = rankgauge(*words, "search:plain", cwd=tmp_path).stdout

    assert "agent on asked: what each call adds" in agent
    assert "What each call adds" in (tmp_path / "page.html").read_text(encoding="utf-8")
    assert [s["recall"] for s in stored["by_call"]["steps"]] == [0.5, 1]
    assert "each call" not in plain
