"""Mutated input for every command and public function: an error, the right number, or a remark; never a traceback.

`make fuzz` runs many more cases; `make fuzz CASE=n` runs one again.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from itertools import count, islice
from pathlib import Path
from typing import Any

import pytest
from fuzzer.cases import Case, draw
from fuzzer.checks import same_numbers
from fuzzer.known import known
from fuzzer.meanings import CLEAN, OPEN, SAME, SAME_OR_ERROR, Open
from fuzzer.mutations import MUTATIONS, mutations_of
from fuzzer.mutations.registry import by_meaning
from fuzzer.naive import read, table_of_records
from fuzzer.plants import PLANTS
from fuzzer.pool import Pool
from fuzzer.seeds import SEEDS
from fuzzer.seeds.seed import read_result
from fuzzer.tables import data_set

import rankgauge as rg

CASES = 2000
SHARDS = 8

pytestmark = pytest.mark.skipif("sys.platform != 'linux'", reason="limits of memory are set the way Linux has it")


@pytest.fixture(scope="module")
def pool() -> Iterator[Pool]:
    with Pool(2) as workers:
        yield workers


@pytest.mark.parametrize("shard", [0, *(pytest.param(i, marks=pytest.mark.slow) for i in range(1, SHARDS))])
def test_mutated_input_is_an_error_or_the_right_number(pool: Pool, shard: int):
    size = CASES // SHARDS

    reports = list(pool.run(range(shard * size, (shard + 1) * size)))

    assert len(reports) == size
    failures = [
        f"make fuzz CASE={r['case']}  # {r['seed']}, {r['mutation']}: {r['failure'][:600]}"
        for r in reports
        if r["failure"] and not known(r)
    ]
    assert not failures, "\n".join(failures)


# Nobody is forgotten


def test_every_command_has_a_seed():
    import click

    from rankgauge.cli.app import app

    known = set(app.list_commands(click.Context(app))) - {"ui"}  # serves until it is stopped
    assert {seed.of for seed in SEEDS.values() if seed.words} == known


MADE_BY_THE_PACKAGE = {
    *(
        "Alignment",
        "Audit",
        "ByCutoff",
        "Calibration",
        "Comparison",
        "Contrast",
        "Evaluation",
        "Evaluations",
        "Finding",
    ),
    *("Entry", "Event", "ListedItem", "QueryValue", "Summary"),
    *("Findings", "Funnel", "GateResult", "JudgementHealth", "Movement", "PredictionEvaluation", "PredictionPolicy"),
    *("RankingEvaluation", "Reading", "Record", "Reliability", "Sample", "ScoreHistogram", "Threshold"),
    "ThresholdSweep",
    *("Check", "Claim", "Column", "Confusion", "CutoffPoint", "Difference", "Estimate", "Explanation", "Figure"),
    *("FunnelStage", "FunnelStep", "Interval", "PredictionEvaluations", "RankingEvaluations", "Standards"),
    *("SparkEvaluation", "SparkEvaluations", "Statement", "Suspicion", "Text", "Winner", "WorstSegments"),
    *("ClassEvaluation", "ClassEvaluations", "ConfusionMatrix"),
    *(
        "Calibrator",
        "ClassMeasure",
        "Measure",
        "PredictionMeasure",
    ),  # to be extended, and made by `fit_calibrator` and `parse`
    "PredictionGateResult",
    *("ByItemGroup", "Channel", "Channels", "ItemGroup", "NeverShown", "Rating", "Ratings", "WantedItem"),
    *("ByPart", "Collected", "Drift", "DriftPoint", "DriftSeries", "PartChange"),
    *("Split", "SplitPart"),
    *("Alert", "Alerts", "Trend", "TrendChange", "TrendPoint", "TrendSeries", "TrendStep"),
    *("AlertRules", "HealthRule", "ReleaseRule", "StreamRule"),  # checked by `alerts`
    *("Delivery", "ProjectRun", "RunNumber", "SystemRun"),
    *("AnswerLevel", "AnswerShare", "Answers", "ByCall", "Call", "CallStep"),
    *("BudgetSweep", "ByBudget", "SweepPoint", "Tradeoff", "TradeoffPoint", "Unsampled", "UnsampledValue"),
    *("ChangedItem", "ChangedList", "Gap", "Gaps", "OverlapNumber", "RunOverlap", "UserGroup"),
    *("Convention", "EvaluateOptions", "GatePolicy", "PolicyWords", "PredictionWords"),  # checked by who takes them
}
"""Records that users receive; they give nothing to them."""


def test_every_public_name_that_takes_input_has_a_seed():
    takes = {
        name
        for name in rg.__all__
        if callable(getattr(rg, name)) and name not in MADE_BY_THE_PACKAGE and not inspect.ismodule(getattr(rg, name))
    }
    of_behavior = {f"behavior.{n}" for n in rg.behavior.__all__ if inspect.isfunction(getattr(rg.behavior, n))}

    seeded = {seed.of for seed in SEEDS.values() if not seed.words}

    assert seeded == takes | of_behavior | {"measures"}


def test_every_seed_is_drawn_and_every_mutation():
    drawn = [draw(n)[0] for n in range(CASES)]

    assert {case.seed.name for case in drawn} == set(SEEDS)
    assert {case.mutation for case in drawn} - {""} == set(MUTATIONS)


def test_a_number_is_always_the_same_case():
    assert draw(123)[0] == draw(123)[0]
    assert draw(123)[1].random() == draw(123)[1].random()


def test_every_kind_of_input_has_looks_that_mean_the_same_and_damage():
    for of in ("file", "folder", "object", "json", "toml", "matrix"):
        assert len(mutations_of(of)) >= 4

    assert len({SAME, SAME_OR_ERROR, OPEN, CLEAN}) == 4


# The fuzzer finds what is planted


def first_cases(wanted: Callable[[Case], bool], n: int = 4) -> list[int]:
    return list(islice((number for number in count() if wanted(draw(number)[0])), n))


@pytest.fixture(scope="module")
def of_csv() -> list[int]:
    return first_cases(lambda c: c.mutation == "look.all_quoted" and "-m R@5" in c.seed.name)


@pytest.fixture(scope="module")
def of_funnel() -> list[int]:
    return first_cases(lambda c: c.seed.of == "funnel" and bool(c.seed.words) and c.mutation.startswith("look"))


FOUND = {
    "first_row_lost": "another number",
    "reader_raises": "exit code 70: Error: ZeroDivisionError",
    "command_raises": "exit code 70: Error: ZeroDivisionError",
    "warns": "a Python warning: planted",
    "prints": "on the streams of the process: planted",
    "hangs": "took too long",
    "spins": "took too long",
    "eats_memory": "MemoryError",
    "dies": "the process ended with 9",
}


@pytest.mark.parametrize("fault", [name for name in PLANTS if name not in ("hangs", "spins")])
def test_planted_fault_is_found(pool: Pool, fault: str, of_csv: list[int], of_funnel: list[int]):
    numbers = (of_funnel if fault == "command_raises" else of_csv)[:2]

    reports = list(pool.run(numbers, fault))

    assert [FOUND[fault] in r["failure"] for r in reports] == [True, True], reports
    assert {r["case"] for r in reports} == set(numbers)
    assert all(r["seed"] in SEEDS for r in reports)


@pytest.mark.slow
@pytest.mark.parametrize("fault", ["hangs", "spins"])
def test_planted_endless_case_is_found(fault: str, of_csv: list[int]):
    with Pool(1, FUZZ_SECONDS="1") as pool:
        reports = list(pool.run(of_csv[:1], fault))

    assert FOUND[fault] in reports[0]["failure"]
    assert "plants.py" in reports[0]["failure"]  # the stack says where


def test_without_a_fault_the_same_cases_pass(pool: Pool, of_csv: list[int], of_funnel: list[int]):
    assert [r["failure"] for r in pool.run([*of_csv, *of_funnel])] == [""] * 8


# What is compared


def test_numbers_of_queries_are_held_against_each_other_by_query():
    found = {"query_ids": ["b", "a"], "lengths": [5, 4], "per_query": {"RR": [0.5, 1.0]}}
    turned = {"query_ids": ["a", "b"], "lengths": [4, 5], "per_query": {"RR": [1.0, 0.5]}}
    wrong = {**turned, "lengths": [5, 4]}

    assert same_numbers(found, turned) == ""
    assert same_numbers(found, wrong) == "/lengths/a: 4.0 instead of 5.0"


def test_rows_that_are_written_as_they_came_are_the_same_rows(tmp_path: Path):
    plain, other, wrong = (tmp_path / name for name in ("plain.csv", "other.csv", "wrong.csv"))
    plain.write_text("user_id,item_id,rating\nu,i,0.0\nu,j,0.5\n")
    other.write_text("userId,ITEM-ID,rating,zz_remark\nu,i,-0.0,x\nu,j,.50 ,x\n")
    wrong.write_text("userId,ITEM-ID,rating,zz_remark\nu,i,-1.0,x\n")

    assert read_result(other) == read_result(plain)
    assert read_result(wrong) != read_result(plain)


def test_another_attribute_makes_other_slices_and_a_further_column_nothing():
    run = data_set(0)["run"]
    more = [{**record, "x": "y"} for record in run.records()]
    slices = data_set(0)["slices"]

    assert by_meaning(run, lambda: table_of_records(more, "run")) == SAME_OR_ERROR
    assert by_meaning(slices, lambda: table_of_records(slices.records(), "slices")) == SAME_OR_ERROR
    assert by_meaning(slices, lambda: table_of_records([{**r, "x": "y"} for r in slices.records()], "slices")) == CLEAN


@pytest.mark.parametrize(("key", "text"), [(7.0, "7"), (-0.0, "0"), ("7.0", "7.0")])
def test_a_whole_float_is_the_id_that_pandas_made_it_of(key: Any, text: str):
    assert table_of_records([{"query_id": key, "doc_id": "d", "score": 1}], "run").rows == ((text, "d", 1.0),)


def test_a_carriage_return_between_other_line_ends_means_nothing_plain():
    assert read(b"query_id,doc_id,grade\rq,d,1\r", "csv", "qrels").rows == (("q", "d", 1.0),)
    with pytest.raises(Open):
        read(b"query_id,doc_id,grade\nq,d,1\rq,e,1\n", "csv", "qrels")


def test_a_quote_that_is_doubled_in_quotes_is_a_quote_and_any_other_means_nothing_plain():
    assert read(b'query_id,doc_id,grade\nq,"""d""",1\n', "csv", "qrels").rows == (("q", '"d"', 1.0),)
    with pytest.raises(Open):
        read(b'query_id,doc_id,grade\nq,d"e,1\n', "csv", "qrels")


def test_a_count_is_of_truth_values_where_all_of_it_is():
    head = b"user_id,arm,clicks,shown,before\n"

    assert read(head + b"u,a,True,3,4\nv,b,false,3,4\n", "csv", "arms").series()["clicks"] == [1.0, 0.0]
    with pytest.raises(Open):
        read(head + b"u,a,True,3,4\nv,b,2,3,4\n", "csv", "arms")
