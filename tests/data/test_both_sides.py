"""What holds both sides of a query: every form is the same judgements and the same run, and what is wrong is said."""

from __future__ import annotations

import io
import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rankgauge as rg
from chinese_errors import refuse_english
from rankgauge.data.both_sides import split
from rankgauge.data.together import by_name, holds_both
from rankgauge.errors import InputError, ParameterError, RankgaugeError
from rankgauge.gate import Gate, run_gate

RETRIEVED = {"1": ["d9", "d1", "d3"], "2": ["b", "a"], "3": []}
RELEVANT = {"1": {"d1": 2, "d3": 1}, "2": {"a": 1}, "3": {"z": 1}}
LISTS = {q: list(grades) for q, grades in RELEVANT.items()}
BINARY = {q: dict.fromkeys(items, 1) for q, items in LISTS.items()}


@dataclass
class Sample:
    """As ragas keeps one: what is not there is None."""

    user_input: str
    retrieved_contexts: list[str] | None = None
    reference_contexts: list[str] | None = None
    retrieved_context_ids: list[str] | None = None
    reference_context_ids: list[str] | None = None
    response: str = "an answer"


@dataclass(slots=True)
class Slotted:
    retrieved: list[str]
    relevant: list[str]


@dataclass
class Dataset:
    samples: list[Any] = field(default_factory=list)


class HuggingFace:
    """As `datasets.Dataset` has it."""

    def __init__(self, rows: list[dict[str, Any]]) -> None:
        self.rows = rows

    @property
    def column_names(self) -> list[str]:
        return list(self.rows[0])

    def to_list(self) -> list[dict[str, Any]]:
        return self.rows


def records(retrieved: str, relevant: str, query: str | None = "query_id") -> list[dict[str, Any]]:
    named = [{query: q} if query else {} for q in RETRIEVED]
    return [{**n, retrieved: RETRIEVED[q], relevant: LISTS[q]} for n, q in zip(named, RETRIEVED, strict=True)]


FORMS: dict[str, Any] = {
    "queries by id": {q: {"retrieved": RETRIEVED[q], "relevant": LISTS[q]} for q in RETRIEVED},
    "other words": {q: {"results": RETRIEVED[q], "gold": LISTS[q]} for q in RETRIEVED},
    "Chinese words": {q: {"检索结果": RETRIEVED[q], "相关文档": LISTS[q]} for q in RETRIEVED},
    "pairs": [(RETRIEVED[q], LISTS[q]) for q in RETRIEVED],
    "pairs of lists": [[RETRIEVED[q], LISTS[q]] for q in RETRIEVED],
    "pairs with grades": [(RETRIEVED[q], BINARY[q]) for q in RETRIEVED],
    "pairs with sets": [(RETRIEVED[q], set(LISTS[q])) for q in RETRIEVED],
    "records": records("retrieved", "relevant"),
    "records with texts of queries": records("retrieved_ids", "reference_ids", "user_input"),
    "records without ids": records("retrieved_ids", "reference_ids", None),
    "records of ragas": records("retrieved_context_ids", "reference_context_ids", "user_input"),
    "records with passages": records("retrieved_contexts", "reference_contexts", "user_input"),
    "records of LlamaIndex": records("retrieved_ids", "expected_ids", "query"),
    "ids beside passages": [
        {**r, "retrieved_contexts": ["some", "passage"], "reference_contexts": ["other"]}
        for r in records("retrieved_context_ids", "reference_context_ids", "user_input")
    ],
    "items as records": {
        q: {
            "retrieved": [{"doc_id": d, "score": 10 - i} for i, d in enumerate(RETRIEVED[q])],
            "relevant": [{"doc_id": d, "grade": 1} for d in LISTS[q]],
        }
        for q in RETRIEVED
    },
    "columns": {"retrieved_ids": list(RETRIEVED.values()), "reference_ids": list(LISTS.values())},
    "sides by query": {"run": RETRIEVED, "qrels": LISTS},
}
OBJECTS: dict[str, Any] = {
    "samples": [
        Sample(q, retrieved_context_ids=RETRIEVED[q], reference_context_ids=LISTS[q], retrieved_contexts=["x"])
        for q in RETRIEVED
    ],
    "slotted": [Slotted(RETRIEVED[q], LISTS[q]) for q in RETRIEVED],
    "arrays": {q: {"retrieved": np.array(RETRIEVED[q]), "relevant": LISTS[q]} for q in RETRIEVED},
    "Polars": pl.DataFrame(records("retrieved", "relevant")),
    "pandas": pd.DataFrame(records("retrieved", "relevant")),
}
OBJECTS["dataset"] = Dataset(OBJECTS["samples"])
OBJECTS["dataset of Hugging Face"] = HuggingFace(records("retrieved_ids", "reference_ids", "user_input"))


@pytest.mark.parametrize("name", [*FORMS, *OBJECTS])
def test_every_form_is_the_same_judgements_and_the_same_run(name: str):
    form = {**FORMS, **OBJECTS}[name]

    assert holds_both(form)
    assert {str(q): dict(row) for q, row in rg.Qrels(form).to_dict().items()} == BINARY
    assert {str(q): list(row) for q, row in rg.Run(form).to_dict().items()} == RETRIEVED


@pytest.mark.parametrize("name", FORMS)
def test_every_form_can_be_a_json_file(tmp_path: Path, name: str):
    path = tmp_path / "rag.json"
    path.write_text(json.dumps(FORMS[name], default=list))

    assert holds_both(path)
    assert rg.Qrels(path).to_dict() == BINARY
    assert {q: list(row) for q, row in rg.Run(path).to_dict().items()} == RETRIEVED


@pytest.mark.parametrize("name", [name for name, form in FORMS.items() if isinstance(form, list)])
@pytest.mark.parametrize("suffix", ["jsonl", "jsonl.gz", "txt"])
def test_records_and_pairs_can_be_lines(tmp_path: Path, name: str, suffix: str):
    import gzip

    path = tmp_path / f"rag.{suffix}"
    data = "".join(json.dumps(record, default=list) + "\n" for record in FORMS[name]).encode()
    path.write_bytes(gzip.compress(data) if suffix.endswith("gz") else data)

    assert rg.Qrels(path).to_dict() == BINARY
    assert {q: list(row) for q, row in rg.Run(path).to_dict().items()} == RETRIEVED


@pytest.mark.parametrize("suffix", ["parquet", "arrow"])
def test_columns_of_lists_can_be_a_parquet_or_arrow_file(tmp_path: Path, suffix: str):
    path = tmp_path / f"rag.{suffix}"
    frame = pl.DataFrame(records("retrieved_ids", "reference_ids"))
    (frame.write_parquet if suffix == "parquet" else frame.write_ipc)(path)

    assert holds_both(path)
    assert rg.evaluate(path, measures="RR").mean() == rg.evaluate(FORMS["records"], measures="RR").mean()


@pytest.mark.parametrize(
    "given",
    [
        [(["d9", "d1"], "d1"), (["d2"], "d2")],
        [(["9", "1"], 1), ([2], "2")],
        {"a": {"retrieved": ["d9", "d1"], "target_id": "d1"}, "b": {"retrieved": ["d2"], "target_id": "d2"}},
        [{"query": "a", "results": [9, 1], "target_id": 1}, {"query": "b", "results": [2], "target_id": 2}],
    ],
    ids=["pairs", "pairs of numbers", "queries", "records of numbers"],
)
def test_the_one_target_of_a_query_needs_no_list(given: Any, tmp_path: Path):
    (tmp_path / "targets.json").write_text(json.dumps(given))

    for source in (given, tmp_path / "targets.json"):
        assert rg.evaluate(source, measures=["RR", "Hit@1"]).mean() == {"RR": 0.75, "Hit@1": 0.5}


def test_true_is_no_target():
    with pytest.raises(rg.errors.RankgaugeError, match="needs judgements and a run"):
        rg.evaluate([(["d1"], True)], measures="RR")


def test_one_record_is_one_query():
    ev = rg.evaluate({"retrieved": ["d9", "d1"], "relevant": ["d1"]}, measures="RR")

    assert ev.mean() == {"RR": 0.5}
    assert ev.query_ids == ["1"]


def test_an_open_file_is_read_once_for_both_sides():
    ev = rg.evaluate(io.StringIO(json.dumps(FORMS["pairs"])), measures="RR")

    assert ev["RR"] == pytest.approx((1 / 2 + 1 / 2 + 0) / 3)


def test_queries_without_ids_are_numbered_and_a_note_says_so():
    ev = rg.evaluate(FORMS["pairs"], measures="RR")

    assert ev.query_ids == ["1", "2", "3"]
    assert any("queries have no id and are called 1, 2, …" in note for note in ev.notes)


def test_passages_are_compared_as_they_are_and_a_note_says_so():
    said = rg.evaluate([{"retrieved_contexts": ["a b", "c"], "reference_contexts": ["a  b"]}], measures="RR")

    assert said["RR"] == 0
    assert any("passages are compared as whole texts" in note for note in said.notes)


def test_nothing_relevant_is_the_same_in_every_form(tmp_path: Path):
    form = {"q1": {"retrieved": ["a"], "relevant": ["a"]}, "q2": {"retrieved": ["b"], "relevant": []}}
    (tmp_path / "x.json").write_text(json.dumps(form))

    for source in (form, tmp_path / "x.json"):
        assert rg.evaluate(source, measures="RR").mean() == {"RR": 1.0}
        assert rg.evaluate(source, measures="RR", no_relevant="zero").mean() == {"RR": 0.5}


@pytest.mark.parametrize(
    "given",
    [
        {"q1": {"d1": 2, "d2": 0}},
        {"q1": ["d1", "d2"]},
        {"q1": [("d1", 0.9)]},
        {"q1": {"retrieved": ["a"]}},
        {"retrieved": {"d1": 1}, "relevant": {"d2": 1}, "q3": {"d1": 1}},  # queries of these names
        {"qrels": {"q1": {"d1": 1}}, "run": {"q1": ["d1"]}, "run_2": {"q1": ["d2"]}},  # which run?
        {"run": {"q1": ["d1"]}, "target": {"q1": ["d1"]}},  # two runs
        [{"query_id": "q", "doc_id": "d", "score": 1.0}],
        [{"query_id": "q", "results": ["d"]}],
        [],
        {},
        "q",
        None,
        7,
        np.eye(2),
        pl.DataFrame({"query_id": ["q"], "doc_id": ["d"], "score": [1.0]}),
        ["a.run", "b.run"],
        [["d1", "d2"], ["d2", "d3"]],
        rg.evaluate({"q": ["a"]}, {"q": ["a"]}, "RR"),
        [rg.evaluate({"q": ["a"]}, {"q": ["a"]}, "RR")],
    ],
    ids=lambda x: type(x).__name__,
)
def test_other_things_are_left_alone(given: Any):
    assert split(given) is None


def test_a_stored_evaluation_is_not_taken_for_data(tmp_path: Path):
    path = tmp_path / "ev.json"
    path.write_text(rg.evaluate(FORMS["pairs"], measures="RR").to_json())

    assert not holds_both(path)


# what is wrong


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (
            {"q1": {"retrieved": ["a"], "relevant": ["a"]}, "q2": {"retrieved": ["b"]}},
            r"query 'q2': has no relevant items \('relevant'\)\.",
        ),
        (
            [{"id": 1, "retrieved": ["a"], "relevant": ["a"]}, {"id": 2, "relevant": ["b"]}],
            r"record 2: has no retrieved items \('retrieved'\)\.",
        ),
        (
            [{"retrieved_ids": ["a"], "reference_ids": ["a"]}, {"retrieved_contexts": ["t"], "reference_ids": ["b"]}],
            r"record 2: has no retrieved items \('retrieved_ids'\), but 'retrieved_contexts'\.",
        ),
        (
            {"retrieved_contexts": [["a"], ["b"]], "reference_contexts": [["a"]]},
            r"must be lists of the same length, got 'retrieved_contexts' 2, 'reference_contexts' 1\.",
        ),
        (
            [{"user_input": "x", "retrieved": ["a"], "relevant": ["a"]}] * 2,
            r"record 2: query 'x' was there before \(record 1\)",
        ),
        (
            [{"user_input": "x", "retrieved": ["a"], "relevant": ["a"]}, {"retrieved": ["a"], "relevant": ["a"]}],
            r"record 2: 'user_input' must be text or a whole number, got None",
        ),
        ([(["a"], ["a"]), ["b"]], r"record 2: must have retrieved and relevant items as the others, got \['b'\]\."),
        (
            [{"retrieved_context_ids": ["a"], "reference_contexts": ["a text"]}],
            r"'retrieved_context_ids' and 'reference_contexts' cannot be compared, one holds passages and",
        ),
        (
            [{"retrieved": ["a"], "relevant": ["a"]}, {"retrieved": "b", "relevant": ["a"]}],
            r"record 2: 'retrieved' must be a list, got 'b'",
        ),
        ({"q1": {"retrieved": {"a", "b"}, "relevant": ["a"]}}, r"query 'q1' must hold a dict of scores or a list"),
        (
            {"q1": {"retrieved": ["a"], "relevant": [None]}},
            r"an id must be text or (an integer|a whole number), got None",
        ),
    ],
)
def test_what_is_wrong_is_said_with_its_place(tmp_path: Path, given: Any, message: str):
    with pytest.raises(InputError, match=message):
        rg.evaluate(given, measures="RR")
    if not isinstance(next(iter(given.values()), {}) if isinstance(given, dict) else None, dict):
        return
    path = tmp_path / "x.json"
    try:
        path.write_text(json.dumps(given))
    except TypeError:
        return
    with pytest.raises(InputError, match=message):
        rg.evaluate(path, measures="RR")


OLD_RAGAS = [{"question": "How?", "contexts": ["c1", "c2"], "ground_truths": ["an answer"], "answer": "x"}]
ANSWERS = r"holds answers, which do not say which passages of '\w+' are relevant. Add \"reference_contexts\""


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (OLD_RAGAS, r"'ground_truths' " + ANSWERS),
        ([{"question": "How?", "contexts": ["c1"], "ground_truth": "an answer"}], r"'ground_truth' " + ANSWERS),
        ([{"user_input": "How?", "retrieved_contexts": ["c1"], "reference": "an answer"}], r"'reference' " + ANSWERS),
        ({"q1": {"retrieved": ["a"], "relevent": ["a"]}}, r"Is 'relevent' meant to be 'relevant'\?"),
        ({"q1": {"retreived": ["a"], "relevant": ["a"]}}, r"Is 'retreived' meant to be 'retrieved'\?"),
        ([{"label": 1, "score": 0.5}], r"has labels and scores \('label', 'score'\).*Use rg.evaluate_predictions\(\)"),
        (pl.DataFrame({"qid": ["q"], "docid": ["d"], "label": [1], "score": [0.5]}), "Pass it twice"),
        ([{"question": "How?", "answer": "So."}], r"holds both. Found: 'question', 'answer'\."),
    ],
)
@pytest.mark.parametrize("as_file", [False, True])
def test_what_lacks_a_side_is_told_what_was_found_and_what_to_do(
    tmp_path: Path, given: Any, message: str, as_file: bool
):
    if as_file:
        path = tmp_path / "rag.json"
        path.write_text(given.write_json() if isinstance(given, pl.DataFrame) else json.dumps(given))
        given = path

    with pytest.raises(rg.errors.RankgaugeError, match=message) as caught:
        rg.evaluate(given)

    refuse_english(caught.value.text.zh)


def test_contexts_and_reference_contexts_are_passages():
    ev = rg.evaluate([{"question": "How?", "contexts": ["a b", "c"], "reference_contexts": ["c"]}], measures="RR")

    assert ev["RR"] == 1 / 2
    assert any("passages are compared as whole texts" in note for note in ev.notes)


@pytest.mark.parametrize("suffix", ["csv", "tsv"])
def test_lists_in_the_fields_of_a_table_are_both_sides(tmp_path: Path, suffix: str):
    frame = pd.DataFrame(records("retrieved_ids", "reference_ids"))
    frame.to_csv(path := tmp_path / f"rag.{suffix}", index=False, sep="," if suffix == "csv" else "\t")

    assert holds_both(path)
    assert rg.Qrels(path).to_dict() == BINARY
    assert {q: list(row) for q, row in rg.Run(path).to_dict().items()} == RETRIEVED


def test_the_one_target_may_stand_beside_lists_in_a_table(tmp_path: Path):
    path = tmp_path / "rag.csv"
    path.write_text("query,retrieved_ids,target_id\nx,\"['a', 'b']\",b\ny,\"['a']\",a\n")

    assert rg.evaluate(path, measures="RR").mean() == {"RR": (1 / 2 + 1) / 2}


def test_fields_of_a_table_that_are_no_lists_are_named(tmp_path: Path):
    path = tmp_path / "rag.csv"
    path.write_text("id,retrieved,relevant\n1,\"['a' 'b']\",\"['b']\"\n")

    with pytest.raises(InputError, match=r"line 2: 'retrieved' must be a list, got .*'a' and 'b' stand side by side"):
        rg.evaluate(path)


@pytest.mark.parametrize("given", ["rag", "rag/*.json"])
def test_a_folder_of_both_sides_is_told_how_to_pass_them(tmp_path: Path, given: str):
    (tmp_path / "rag").mkdir()
    for name in "ab":
        (tmp_path / "rag" / f"{name}.json").write_text(json.dumps(FORMS["records"]))

    with pytest.raises(InputError, match=r"has 2 files with judgements and results of their own \('a.json'"):
        rg.evaluate(tmp_path / given)
    with pytest.raises(InputError, match=r"'a.json' holds judgements and results, and belongs to no other file"):
        rg.evaluate({"q1": ["d1"]}, tmp_path / given)


def test_a_line_of_a_file_is_named(tmp_path: Path):
    path = tmp_path / "x.jsonl"
    path.write_text('{"retrieved": ["a"], "relevant": ["a"]}\n\n{"retrieved": ["a"]}\n')

    with pytest.raises(InputError, match=r"'x\.jsonl', line 3: has no relevant items"):
        rg.evaluate(path, measures="RR")


BOTH = FORMS["queries by id"]


@pytest.mark.parametrize(
    ("qrels", "run", "message"),
    [
        (BOTH, {"1": ["d1"]}, "qrels holds a run of its own, and others were given"),
        ({"1": ["d1"]}, BOTH, "run holds judgements of its own, and others were given"),
        (BOTH, dict(BOTH), "of its own, and others were given"),
        (FORMS["pairs"], {"1": ["d1"]}, "qrels holds a run of its own"),
    ],
)
def test_both_sides_beside_a_separate_one_are_refused(qrels: Any, run: Any, message: str):
    calls = [
        lambda: rg.evaluate(qrels, run, "RR"),
        lambda: rg.compare(qrels, {"a": run, "b": run}, "RR"),
        lambda: rg.funnel(qrels, {"a": run}),
        lambda: rg.audit(qrels, run),
    ]
    for call in calls:
        with pytest.raises(ParameterError, match=message):
            call()


def test_one_side_can_be_taken_by_hand():
    assert rg.evaluate(rg.Qrels(BOTH), {"1": ["d1"]}, "RR").mean() == {"RR": pytest.approx(1 / 3)}
    assert rg.evaluate({"1": ["d3"]}, rg.Run(BOTH), "RR").mean() == {"RR": pytest.approx(1 / 3)}
    assert rg.evaluate(rg.Qrels(BOTH), rg.Run(BOTH), "RR").mean() == rg.evaluate(BOTH, measures="RR").mean()
    assert rg.evaluate(BOTH, BOTH, "RR").mean() == rg.evaluate(BOTH, measures="RR").mean()


def test_constructors_take_what_people_have(tmp_path: Path):
    (tmp_path / "bm25.run").write_text("q Q0 d 1 1.0 t\n")

    assert rg.Run({"q": {"d": 1.0}}, name="bm25").name == "bm25"
    assert rg.Run(tmp_path / "bm25.run").name == "bm25"
    assert rg.Qrels({"q": "d"}).to_dict() == {"q": {"d": 1}}
    assert rg.Qrels(
        pl.DataFrame({"q": ["q"], "d": ["d"], "g": [2]}), columns={"d": "doc_id", "g": "grade"}
    ).to_dict() == {"q": {"d": 2.0}}
    with pytest.raises(RankgaugeError, match=r"Run\(\) needs what holds the run"):
        rg.Run()
    with pytest.raises(TypeError, match="unexpected keyword argument 'colour'"):
        rg.Run(mapping={}, colour="red")


def test_a_file_that_is_not_there_is_named(tmp_path: Path):
    (tmp_path / "rag.json").write_text(json.dumps(BOTH))

    with pytest.raises(InputError, match=r"input 'rga\.json' does not exist.*Did you mean rag\.json\?"):
        rg.evaluate(tmp_path / "rga.json", measures="RR")


# any data, in any form


ids = st.sampled_from([f"d{i}" for i in range(8)])
queries = st.lists(
    st.tuples(st.lists(ids, max_size=6, unique=True), st.dictionaries(ids, st.integers(0, 3), min_size=1, max_size=4)),
    min_size=1,
    max_size=5,
)


def naive_rr(retrieved: list[str], relevant: dict[str, int]) -> float:
    return next((1 / rank for rank, d in enumerate(retrieved, 1) if relevant.get(d, 0) >= 1), 0.0)


@settings(max_examples=60)
@given(queries, st.sampled_from(["by query", "pairs", "records", "columns"]), st.booleans())
def test_any_data_in_any_form_has_the_naive_number(data: Any, form: str, as_file: bool):
    sides = ("retrieved_ids", "reference_ids")
    made: Any = {
        "by query": {f"q{i}": {"retrieved": r, "relevant": g} for i, (r, g) in enumerate(data)},
        "pairs": [(r, g) for r, g in data],
        "records": [dict(zip(sides, (r, list(g.items())), strict=True)) for r, g in data],
        "columns": dict(zip(sides, ([r for r, _ in data], [list(g.items()) for _, g in data]), strict=True)),
    }[form]
    counted = [naive_rr(r, g) for r, g in data if any(n >= 1 for n in g.values())]
    if as_file:
        made = io.StringIO(json.dumps(made))

    ev = rg.evaluate(made, measures="RR")

    assert ev.counts["evaluated"] == len(data)
    if counted:
        assert ev["RR"] == pytest.approx(sum(counted) / len(counted), abs=1e-12)


# several systems


def changed(query: str, **sides: Any) -> dict[str, Any]:
    return {**BOTH, query: {**BOTH[query], **sides}}


def test_several_systems_with_the_same_judgements_are_compared(tmp_path: Path):
    new = changed("1", retrieved=["d1", "d3"])
    paths = {}
    for name, form in {"old": BOTH, "new": new}.items():
        paths[name] = tmp_path / f"{name}.json"
        paths[name].write_text(json.dumps(form))
    runs = {"old": RETRIEVED, "new": {**RETRIEVED, "1": ["d1", "d3"]}}
    expected = rg.compare(BINARY, runs, "RR").to_frame()

    given = [{"old": BOTH, "new": new}, paths, list(paths.values()), {"old": paths["old"], "new": new}]
    for systems in given:
        assert rg.compare(systems, measures="RR").to_frame().equals(expected)
        assert rg.evaluate(systems, measures="RR").mean() == rg.evaluate(BINARY, runs, "RR").mean()


@pytest.mark.parametrize(
    ("new", "message"),
    [
        (changed("2", relevant=["a", "b"]), "differ in query '2', where 'b' has nothing in 'old' and 1 in 'new'"),
        (changed("1", relevant={"d1": 3, "d3": 1}), "differ in query '1', where 'd1' has 1 in 'old' and 3 in 'new'"),
        ({q: v for q, v in BOTH.items() if q != "2"}, "query '2' is only in 'old'"),
        ({**BOTH, "9": BOTH["1"]}, "query '9' is only in 'new'"),
    ],
)
def test_systems_with_other_judgements_are_refused_and_the_first_query_is_named(new: Any, message: str):
    for call in (rg.compare, rg.evaluate, rg.funnel, rg.audit):
        with pytest.raises(InputError, match=message):
            call({"old": BOTH, "new": new})


def test_both_sides_among_runs_are_refused():
    with pytest.raises(InputError, match="all systems must hold what was retrieved and what is relevant, or none"):
        rg.compare({"old": BOTH, "new": RETRIEVED}, measures="RR")


def test_targets_are_not_taken_for_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "d1").write_text(json.dumps(BOTH))

    assert by_name({"q1": "-", "q2": "/dev/stdin"}) is None  # nobody waits for what comes through a pipe
    assert rg.audit({"q1": "d1", "q2": "d2"}).facts["judgements"] == 2


def test_one_system_cannot_be_compared():
    with pytest.raises(InputError, match="needs two systems or more, got one with its judgements"):
        rg.compare(BOTH, measures="RR")


@pytest.mark.parametrize(
    ("content", "said"), [('{"q1": {"retrieved": ["a"', "not valid JSON: Input data was truncated"), ("", "is empty")]
)
def test_a_file_alone_that_cannot_be_read_is_told_so(tmp_path: Path, content: str, said: str) -> None:
    (tmp_path / "rag.json").write_text(content)

    with pytest.raises(rg.errors.InputError, match=said):
        rg.evaluate(tmp_path / "rag.json")


def test_two_systems_with_their_judgements_are_told_how_they_are_compared(tmp_path):
    with pytest.raises(ParameterError, match=r'they are two systems\. Pass them by name: rg\.compare\(\{"old"'):
        rg.compare(BOTH, dict(BOTH))
    for name in ("old", "new"):
        (tmp_path / f"{name}.json").write_text(json.dumps(BOTH))
    with pytest.raises(ParameterError, match=r"rankgauge gate new\.json --baseline old\.json"):
        run_gate(Gate(qrels=str(tmp_path / "old.json"), run=str(tmp_path / "new.json"), floors={"RR": 0.1}))


@pytest.mark.parametrize(
    "obj",
    [
        {"q1": {"retreived": ["a"], "relevent": ["a"]}},
        {"retreived": [["a"]], "relevent": [["a"]]},
        {"retreived": {"q1": ["a"]}, "relevent": {"q1": ["a"]}},
        [{"retreived": ["a"], "relevent": ["a"]}],
    ],
)
def test_names_that_are_no_sides_are_listed(obj: Any):
    with pytest.raises(ParameterError, match=r"holds both\. Found: 'retreived', 'relevent'\."):
        rg.evaluate(obj)


@pytest.mark.parametrize("obj", [{"q1": {"a": 1}}, {"q1": ["a"]}, {"q1": {"a": 0.5}, "q2": {}}])
def test_queries_and_items_are_not_listed_as_names_of_sides(obj: Any):
    with pytest.raises(ParameterError) as e:
        rg.evaluate(obj)

    assert "Found" not in str(e.value)


@pytest.mark.parametrize("name", ["queries", "query_ids", "qids", "Questions"])
def test_columns_of_both_sides_take_their_queries_from_a_name_in_the_plural(name: str):
    ev = rg.evaluate({name: ["x", "y"], "retrieved": [["a"], ["b"]], "relevant": [["a"], ["c"]]}, measures="RR")

    assert ev.query_ids == ["x", "y"]
    assert not any("no id" in note for note in ev.notes)


def test_lists_within_a_record_are_no_ids():
    ev = rg.evaluate([{"queries": ["x", "y"], "retrieved": ["a"], "relevant": ["a"]}], measures="RR")

    assert ev.query_ids == ["1"]


@pytest.mark.parametrize(
    "value",
    [
        {"retrieved": {"q1": ["a"]}, "relevant": {"q1": ["a"]}},
        {"queries": ["x"], "retrieved": [["a"]], "relevant": [["a"]]},
        {"qid": "x", "retrieved": ["a"], "relevant": ["a"]},
    ],
)
def test_one_value_of_json_on_one_line_is_json(value: Any, tmp_path):
    (tmp_path / "x.json").write_text(json.dumps(value))
    ev = rg.evaluate(tmp_path / "x.json", measures="RR")

    assert ev["RR"] == 1
    assert not any("suffix" in note for note in ev.notes)
