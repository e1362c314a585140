"""The audit: every problem is found where it was planted, and nowhere else."""

import copy
import csv
import io
import json
import re
import subprocess
import sys

import numpy as np
import polars as pl
import pytest

import rankgauge as rg
from command_line import rankgauge
from rankgauge._text import zh
from rankgauge.data.audit import Audit, audit
from rankgauge.data.audit.registry import CHECKS
from rankgauge.errors import InputError, ParameterError, UnknownName

QUERIES = [f"q{i}" for i in range(1, 7)]
NAN = float("nan")


def qrels():
    """Six queries, each with two relevant and ten other judged items."""
    return {q: {f"{q}-d{i}": {1: 2, 2: 1}.get(i, 0) for i in range(1, 13)} for q in QUERIES}


def run(**changes):
    """The judged items in a good order."""
    return {q: {f"{q}-d{i}": 13.0 - i for i in range(1, 13)} for q in QUERIES} | changes


def frame(table, value="score", rank=False):
    rows = [
        {"query_id": q, "doc_id": d, value: float(v)} | ({"rank": i} if rank else {})
        for q, row in table.items()
        for i, (d, v) in enumerate(row.items(), 1)
    ]
    return pl.DataFrame(rows)


def with_(table, query, doc, value):
    table[query][doc] = value
    return table


def each(table, change):
    """The table with every list changed."""
    return {q: change(q, row) for q, row in table.items()}


def negated():
    return each(run(), lambda q, row: {d: -s for d, s in row.items()})


def swapped_ranks():
    return frame(run(), rank=True).with_columns(
        rank=pl.when((pl.col("query_id") == "q2") & (pl.col("rank") <= 2))
        .then(3 - pl.col("rank"))
        .otherwise(pl.col("rank"))
    )


def numbered(prefix):
    """Judgements and a run of which one writes its ids differently."""
    judged = {q: {f"{prefix(q, i)}": g for i, g in enumerate(row.values(), 1)} for q, row in qrels().items()}
    shown = {q: {f"{q}-{i}": 13.0 - i for i in range(1, 13)} for q in QUERIES}
    return judged, shown


def sampled(catalogue=False):
    """Twelve users with one target each among twelve candidates, their own or all the same."""
    users = [f"u{i}" for i in range(1, 13)]
    shown = {u: [f"{'' if catalogue else u}-{(i + j) % 12}" for j in range(12)] for i, u in enumerate(users)}
    return {u: {row[i]: 1} for i, (u, row) in enumerate(shown.items())}, shown


def positives():
    return {q: [f"{q}-d1", f"{q}-d2"] for q in QUERIES}


def learned(**more):
    """Two items that each user knows, none of them judged; and what else was learned from."""
    rows = [(q, f"{q}-old{i}", 1, 100 + i) for q in QUERIES for i in (1, 2)]
    return {"train": [*rows, *more.get("rows", ())]}


def popular(leak):
    """Lists by popularity over train, or over train and test, where the test likes what is rare in train; and train."""
    train = {f"{name}{u}": [f"i{j}" for j in range(u)] for name in "uw" for u in range(1, 10)}
    test = {u: ["i9"] for u in train}
    train |= {f"v{v}": [f"i{j}" for j in range(v)] for v in range(1, 11)}
    counts = {f"i{j}": float(sum(f"i{j}" in mine for mine in train.values())) for j in range(10)}
    counts["i9"] += len(test) * leak
    shown = {u: {i: s for i, s in counts.items() if i not in train[u]} for u in test}
    return test, shown, {"train": train}


def interactions(times):
    """A test of interactions with times."""
    rows = [(q, f"{q}-d{i}", t) for q, t in zip(QUERIES, times, strict=False) for i in (1, 2)]
    return pl.DataFrame(rows, schema=["user_id", "item_id", "time"], orient="row")


# code → (judgements, run), and what else there is; where it is, how often, a part of the first example
PLANTED = {
    "duplicate-results": (
        lambda: (qrels(), pl.concat([frame(run()), frame({"q2": {"q2-d1": 3, "q2-d2": 2}})])),
        ("run", 2, "query 'q2', 'q2-d1'"),
    ),
    "duplicate-judgements": (
        lambda: (pl.concat([frame(qrels(), "grade"), frame({"q3": {"q3-d1": 2}}, "grade")]), run()),
        ("qrels", 1, "query 'q3', 'q3-d1'"),
    ),
    "nan-scores": (lambda: (qrels(), with_(run(), "q1", "q1-d12", NAN)), ("run", 1, "query 'q1', 'q1-d12'")),
    "infinite-scores": (
        lambda: (qrels(), with_(with_(run(), "q1", "q1-d12", -np.inf), "q2", "q2-d1", np.inf)),
        ("run", 2, "query 'q1', 'q1-d12'"),
    ),
    "text-scores": (
        lambda: (qrels(), with_(run(), "q4", "q4-d1", "12.5")),
        ("run", 1, "query 'q4', 'q4-d1': '12.5'"),
    ),
    "negative-grades": (
        lambda: (with_(qrels(), "q5", "q5-d9", -2), run()),
        ("qrels", 1, "query 'q5', 'q5-d9'"),
    ),
    "fractional-grades": (
        lambda: (with_(with_(qrels(), "q5", "q5-d9", 0.5), "q5", "q5-d1", 1.5), run()),
        ("qrels", 2, "query 'q5', 'q5-d1'"),
    ),
    "huge-grades": (lambda: (with_(qrels(), "q5", "q5-d9", 100), run()), ("qrels", 1, "query 'q5', 'q5-d9'")),
    "single-grade": (lambda: (positives(), run()), ("qrels", 12, None)),
    "no-relevant": (
        lambda: (qrels() | {"q6": dict.fromkeys(qrels()["q6"], 0)}, run()),
        ("qrels", 1, "query 'q6'"),
    ),
    "mixed-ids": (lambda: (qrels(), with_(run(), "q1", 77, 0.5)), ("run", 1, "item id 77")),
    "id-mismatch": (
        lambda: numbered(lambda q, i: f"{q.upper()}-{i}"),
        ("run", 72, "'Q1-1' and 'q1-1'"),
    ),
    "judged-ids-never-retrieved": (
        lambda: (qrels() | {"q1": {"gone": 1, "q1-d1": 2, "q1-d2": 0, "lost": 1}}, run()),
        ("qrels", 2, "query 'q1', 'gone'"),
    ),
    "unknown-items": (
        lambda: (qrels(), run(), {"items": [d for row in run().values() for d in row if d != "q4-d2"]}),
        ("run", 1, "query 'q4', 'q4-d2'"),
    ),
    "self-retrieval": (
        lambda: (qrels(), each(run(), lambda q, row: {q: 99.0} | row)),
        ("run", 6, "query 'q1'"),
    ),
    "worst-first": (
        lambda: (qrels(), negated()),
        ("run", 6, "query 'q1': first 'q1-d1' -12, last 'q1-d12' -1"),
    ),
    "rank-score-conflict": (
        lambda: (qrels(), swapped_ranks()),
        ("run", 1, "query 'q2', 'q2-d1': rank 2 scores 12, rank 1 only 11"),
    ),
    "constant-scores": (
        lambda: (qrels(), run(q3=dict.fromkeys(run()["q3"], 1.0))),
        ("run", 1, "query 'q3'"),
    ),
    "tied-scores": (
        lambda: (qrels(), each(run(), lambda q, row: {d: s // 2 for d, s in row.items()})),
        ("run", 60, "query 'q1', 'q1-d2': 5"),
    ),
    "missing-queries": (
        lambda: (qrels(), {q: row for q, row in run().items() if q not in ("q2", "q5")}),
        ("run", 2, "query 'q2'"),
    ),
    "unjudged-queries": (lambda: (qrels(), run(q7={"x": 1.0})), ("run", 1, "query 'q7'")),
    "empty-lists": (lambda: (qrels(), run(q4={})), ("run", 1, "query 'q4'")),
    "unjudged-share": (
        lambda: (qrels(), run(q1={f"new{i}": 20.0 - i for i in range(10)})),
        ("run", 10, "query 'q1', 'new0'"),
    ),
    "sampled-candidates": (sampled, ("run", 12, None)),
    "test-in-train": (
        lambda: (qrels(), run(), learned(rows=[("q3", "q3-d1", 1, 1), ("q3", "q4-d1", 1, 1), ("q3", "q3-d9", 1, 1)])),
        ("qrels", 1, "user 'q3', 'q3-d1'"),
    ),
    "future-in-train": (
        lambda: (interactions([200, 150, 300]), run(), learned(rows=[("q1", "x", 1, 151), ("q9", "y", 1, 150)])),
        ("train", 1, "user 'q1', 'x'"),
    ),
    "seen-items-shown": (
        lambda: (qrels(), run(q2={"q2-old1": 20.0, "q1-old1": 19.0} | run()["q2"]), learned()),
        ("run", 1, "user 'q2', 'q2-old1'"),
    ),
    "users-without-training": (
        lambda: (qrels() | {"q7": {"x": 1}}, run(q7={"x": 1.0}), learned()),
        ("qrels", 1, "user 'q7'"),
    ),
    "repeated-interactions": (
        lambda: (qrels(), run(), learned(rows=[("q1", "q1-old1", 5, 999)])),
        ("train", 1, "user 'q1', 'q1-old1'"),
    ),
    "popularity-with-test": (lambda: popular(leak=True), ("run", 16, None)),
    "extreme-lengths": (
        lambda: (qrels(), run(q6={f"q6-d{i}": 500.0 - i for i in range(1, 201)})),
        ("run", 1, "query 'q6': 200 results"),
    ),
}

# code → judgements and a run that come close, and are healthy as far as this problem goes
HEALTHY = {
    "duplicate-results": lambda: (qrels(), frame(run(q1={"q2-d1": 1.0} | run()["q1"]))),
    "duplicate-judgements": lambda: (
        frame(qrels(), "grade")
        .with_columns(iteration=pl.lit("1"))
        .vstack(frame(qrels(), "grade").with_columns(iteration=pl.lit("2"))),
        run(),
    ),
    "nan-scores": lambda: (qrels(), with_(run(), "q1", "q1-d12", -1e300)),
    "infinite-scores": lambda: (qrels(), with_(run(), "q1", "q1-d1", 1e300)),
    "text-scores": lambda: (qrels(), with_(run(), "q4", "q4-d1", np.float32(12.5))),
    "negative-grades": lambda: (with_(qrels(), "q5", "q5-d9", -0.0), run()),
    "fractional-grades": lambda: (with_(qrels(), "q5", "q5-d1", 3.0), run()),
    "single-grade": lambda: (with_(positives_as_grades(), "q1", "q1-d3", 0), run()),
    "no-relevant": lambda: (qrels(), run()),
    "mixed-ids": lambda: (each(qrels(), _integers), each(run(), _integers)),
    "id-mismatch": lambda: (
        with_(qrels(), "q1", "Q1-D1", 0),
        with_(with_(run(), "q1", "Q1-D1", 0.5), "q1", "new", 0.1),
    ),
    "judged-ids-never-retrieved": lambda: (with_(qrels(), "q1", "never", 0), run()),
    "unknown-items": lambda: (qrels(), run(), {"items": ["q9-d9", *(d for row in run().values() for d in row)]}),
    "self-retrieval": lambda: (with_(qrels(), "q1", "q1", 0), each(run(), lambda q, row: row | {"q1": 0.5})),
    # stored from the last to the first, with the relevant results at the top all the same
    "worst-first": lambda: (qrels(), each(run(), lambda q, row: dict(reversed(row.items())))),
    "rank-score-conflict": lambda: (qrels(), frame(each(run(), _tie_on_top), rank=True)),
    "constant-scores": lambda: (qrels(), run(q3={"q3-d1": 1.0})),
    "tied-scores": lambda: (qrels(), with_(run(), "q1", "q1-d2", 12.0)),
    "missing-queries": lambda: (qrels(), run(q2={})),
    "unjudged-queries": lambda: (qrels() | {"q7": {}}, run(q7={"x": 1.0})),
    "empty-lists": lambda: (qrels(), run(q4={"q4-d1": 1.0})),
    "unjudged-share": lambda: (qrels(), with_(run(), "q1", "new", 20.0)),
    "huge-grades": lambda: (with_(qrels(), "q5", "q5-d9", 99), run()),
    "sampled-candidates": lambda: sampled(catalogue=True),
    "test-in-train": lambda: (qrels(), run(), learned(rows=[("q3", "q4-d1", 1, 1)])),
    "future-in-train": lambda: (interactions([200, 150, 300]), run(), learned(rows=[("q9", "y", 1, 150)])),
    "seen-items-shown": lambda: (qrels(), run(q2={"q1-old1": 19.0} | run()["q2"]), learned()),
    "users-without-training": lambda: (qrels(), run(), learned()),
    "repeated-interactions": lambda: (qrels(), run(), learned(rows=[("q1", "q2-old1", 5, 999)])),
    "popularity-with-test": lambda: popular(leak=False),
    "extreme-lengths": lambda: (qrels(), run(q6={f"q6-d{i}": 50.0 - i for i in range(1, 50)})),
}


def positives_as_grades():
    return {q: dict.fromkeys(ids, 1) for q, ids in positives().items()}


def _integers(q, row):
    return {100 * int(q[1:]) + i: v for i, v in enumerate(row.values())}


def _tie_on_top(q, row):
    first, second, *_ = row
    return row | {first: row[second]}


def audited(make):
    judged, shown, *more = make()
    return audit(judged, shown, **(more[0] if more else {}))


def codes(found):
    return [p.code for p in found.findings]


def test_census_every_check_has_a_planted_fault_and_a_healthy_twin():
    assert set(PLANTED) == set(CHECKS) == set(HEALTHY)
    assert all(re.fullmatch(r"[a-z]+(-[a-z]+)+", code) for code in CHECKS)
    assert all(c.why.endswith(".") and c.try_.endswith(".") for c in CHECKS.values())


@pytest.mark.parametrize("code", CHECKS)
def test_planted_fault_is_found_with_count_and_example(code):
    make, (where, count, example) = PLANTED[code]
    [p] = audited(make)[code]

    assert (p.where, p.count) == (where, count)
    assert p.what.endswith(".")
    if example:
        assert p.examples[0] == example
        assert len(p.examples) <= 5


@pytest.mark.parametrize("code", CHECKS)
def test_healthy_twin_has_no_such_finding(code):
    assert audited(HEALTHY[code])[code] == ()


def test_healthy_input_has_no_finding_at_all():
    for shown in (run(), frame(run()), frame(run(), rank=True)):
        assert codes(audit(qrels(), shown)) == []


# severities that depend on how much


@pytest.mark.parametrize(
    ("code", "judged", "shown", "severity"),
    [
        ("missing-queries", qrels(), {"x": {"d": 1.0}}, "error"),
        ("missing-queries", qrels(), dict(list(run().items())[:-2]), "warning"),
        ("missing-queries", {f"q{i}": {"d": 1} for i in range(50)}, {"q0": {"d": 1.0}}, "error"),
        ("no-relevant", {"q1": {"d": 0}}, {"q1": {"d": 1.0}}, "error"),
        ("no-relevant", {"q1": {"d": 0}, "q2": {"d": 0}, "q3": {"d": 1}}, {"q1": {"d": 1.0}}, "warning"),
        ("empty-lists", qrels(), run(q1={}), "warning"),
        ("constant-scores", qrels(), each(run(), lambda q, row: dict.fromkeys(row, 1.0)), "warning"),
        ("constant-scores", qrels(), run(q1=dict.fromkeys(run()["q1"], 1.0)), "note"),
        ("unjudged-share", qrels(), each(run(), lambda q, r: {f"x{d}": s for d, s in r.items()}), "warning"),
        ("unjudged-share", positives(), run(), "note"),  # precision, not coverage
        ("judged-ids-never-retrieved", positives(), each(run(), lambda q, r: {"x": 1.0}), "warning"),
        ("judged-ids-never-retrieved", qrels() | {"q1": {"gone": 1, "q1-d1": 2}}, run(), "note"),
        ("id-mismatch", *numbered(lambda q, i: f"{q.upper()}-{i}"), "error"),
        ("id-mismatch", *numbered(lambda q, i: f"{q.upper() if i < 3 else q}-{i}"), "warning"),
        ("tied-scores", qrels(), each(run(), lambda q, row: {d: s // 2 for d, s in row.items()}), "note"),
        ("tied-scores", qrels(), each(run(), lambda q, row: dict.fromkeys(row, 1.0) | {f"{q}-d12": 0.0}), "warning"),
        ("worst-first", qrels(), negated(), "error"),
        ("worst-first", {"q1": {"x": 1}}, each(run(), lambda q, r: dict(reversed(r.items()))), "warning"),
        (
            "duplicate-judgements",
            frame({"q1": {"d": 1}}, "grade").vstack(frame({"q1": {"d": 2}}, "grade")),
            {"q1": {"d": 1.0}},
            "error",
        ),
    ],
)  # fmt: skip
def test_severity(code, judged, shown, severity):
    assert [p.severity for p in audit(judged, shown)[code]] == [severity]


def test_a_few_relevant_items_beyond_short_lists_are_no_fault():
    judged = {"q1": {f"d{i}": 1 for i in range(100)}}
    shown = {"q1": {f"d{i}": 1.0 / (i + 1) for i in range(10)}}

    assert audit(judged, shown)["judged-ids-never-retrieved"][0].severity == "note"


def test_a_recommender_that_shows_everybody_the_same_items_is_no_fault():
    judged = {f"u{i}": [f"i{i}"] for i in range(200)}
    shown = {f"u{i}": [f"i{j}" for j in range(10)] for i in range(200)}

    assert audit(judged, shown)["judged-ids-never-retrieved"][0].severity == "note"


def test_nobody_could_have_judged_what_users_did_not_do(tmp_path):
    rows = [f"{q},{d},{5 if g else 0}" for q, row in qrels().items() for d, g in row.items()]
    (tmp_path / "test.csv").write_text("\n".join(["user_id,item_id,rating", *rows]))
    shown = each(run(), lambda q, row: {f"x{d}": s for d, s in row.items()})

    assert [p.severity for p in audit(qrels(), shown)["unjudged-share"]] == ["warning"]
    assert audit(qrels(), shown, **learned())["unjudged-share"] == ()
    assert audit(tmp_path / "test.csv", shown)["unjudged-share"] == ()  # the names of columns say what they are


def test_the_lowest_relevant_grade_may_be_said():
    judged = {"q1": {"a": 5, "b": 3.5, "c": 2.5, "d": 0}, "q2": {"a": 3, "b": 0}}
    shown = {"q1": ["a", "b"], "q2": ["a", "b"]}

    plain, high = audit(judged, shown), audit(judged, shown, rel=4)

    assert [p.count for p in high["no-relevant"]] == [1]
    assert plain["no-relevant"] == ()
    assert [p.facts["relevant_per_query"]["max"] for p in (plain, high)] == [3, 1]
    [p] = high["fractional-grades"]
    assert p.what == "2 of 6 grades are not whole numbers; 2 lie between 0 and 4, below the lowest relevant grade."
    with pytest.raises(ParameterError, match="`rel` must be a number above 0, got 0"):
        audit(judged, shown, rel=0)


def test_lists_of_another_catalogue_are_an_error_and_strict_evaluation_refuses_them():
    assert [p.severity for p in audit(qrels(), run(), items=["x"])["unknown-items"]] == ["error"]
    assert rg.evaluate(qrels(), run(), "nDCG@10", items=[d for r in run().values() for d in r], strict=True)["nDCG@10"]
    with pytest.raises(InputError, match="72 of 72 results are not in the catalogue"):
        rg.evaluate(qrels(), run(), "nDCG@10", items=["x"], strict=True)


def test_the_command_takes_the_catalogue_and_the_lowest_relevant_grade(tmp_path):
    (tmp_path / "test.csv").write_text("user_id,item_id,rating\nu1,a,5\nu2,b,3\n")
    (tmp_path / "recs.csv").write_text("user_id,item_id,score\nu1,a,2\nu1,c,1\nu2,a,2\nu2,b,1\n")
    (tmp_path / "items.csv").write_text("item_id,genre\na,x\nb,y\n")

    done = rankgauge("audit", "test.csv", "recs.csv", "--items", "items.csv", "--rel", "4", "--json", cwd=tmp_path)

    found = {p["code"]: (p["count"], p["what"]) for p in json.loads(done.stdout)["findings"]}
    assert found["unknown-items"] == (1, "1 of 4 results is not in the catalogue.")
    assert found["no-relevant"] == (1, "1 of 2 judged queries has no relevant item.")
    assert "unjudged-share" not in found


# the forms in which a problem comes


def test_duplicates_in_lists_and_pairs_are_named():
    lists = audit({"q1": ["a", "a", "b"]}, {"q1": ["a", "b", "a", "a"]})
    pairs = audit({"q1": ["a"]}, {"q1": [("a", 0.9), ("b", 0.8), ("a", 0.1)]})
    both = audit({"q1": {"retrieved": ["a", "b", "b"], "relevant": ["a", "a", "a"]}})

    assert [(p.count, p.examples) for p in lists["duplicate-results"]] == [(2, ("query 'q1', 'a'",))]
    assert [(p.count, p.examples) for p in lists["duplicate-judgements"]] == [(1, ("query 'q1', 'a'",))]
    assert [(p.count, p.examples) for p in pairs["duplicate-results"]] == [(1, ("query 'q1', 'a'",))]
    assert [(p.count, p.examples) for p in both["duplicate-results"]] == [(1, ("query 'q1', 'b'",))]
    assert [p.count for p in both["duplicate-judgements"]] == [2]


def test_duplicates_dropped_by_a_run_are_counted():
    found = audit({"q1": ["a"]}, rg.Run.of({"q1": ["a", "b", "a"]}))

    assert [(p.count, p.what) for p in found["duplicate-results"]] == [
        (1, "1 of 3 results is in the same list already.")
    ]


def test_judgements_listed_twice_in_a_file_are_counted(tmp_path):
    (tmp_path / "x.qrels").write_text("q1 0 a 1\nq1 0 b 0\nq1 0 a 1\n")

    assert [p.count for p in audit(tmp_path / "x.qrels")["duplicate-judgements"]] == [1]


def test_text_column_that_was_converted_is_a_note():
    shown = frame(run()).with_columns(pl.col("score").cast(pl.String))
    [p] = audit(qrels(), shown)["text-scores"]

    assert (p.severity, p.count) == ("note", 72)


def test_what_is_no_number_at_all_is_named():
    shown = with_(with_(run(), "q1", "q1-d1", None), "q1", "q1-d2", "high")
    found = audit(with_(qrels(), "q2", "q2-d1", "2"), shown)

    assert [(p.where, p.count) for p in found["text-scores"]] == [("run", 2), ("qrels", 1)]
    assert found["text-scores"][0].examples == ("query 'q1', 'q1-d1': None", "query 'q1', 'q1-d2': 'high'")
    assert found["nan-scores"] == ()


@pytest.mark.parametrize(
    ("judged", "shown", "how"),
    [
        (" d1", "d1", "trimming blanks"),
        ("Doc1", "doc1", "changing case"),
        ("007", "7", "dropping leading zeros"),
        ("d7", "d007", "dropping leading zeros"),
        ("12.0", "12", "removing '.0'"),
        ("12", "12.0", "removing '.0'"),
        ("e\u0301t\u00e9", "\u00e9t\u00e9", "Unicode normalisation"),
        (" D007.0", "d7", "several changes together"),
    ],
)
def test_id_mismatch_says_what_would_match(judged, shown, how):
    [p] = audit({"q1": {judged: 1}}, {"q1": {shown: 1.0}})["id-mismatch"]

    assert p.what == f"1 of 1 judged ids would match the run only after {how}."


def test_id_mismatch_concerns_queries_as_well():
    [p] = audit({"01": {"d": 1}, "02": {"d": 1}}, {"1": {"d": 1.0}, "2": {"d": 1.0}})["id-mismatch"]

    assert p.what == "2 of 2 judged queries would match the run only after dropping leading zeros."
    assert p.examples == ("'01' and '1'", "'02' and '2'")


def test_integer_and_text_ids_are_the_same_ids():
    found = audit({1: {7: 1, 8: 0}}, {"1": {"7": 0.9, "8": 0.1}})

    assert found["id-mismatch"] == found["mixed-ids"] == found["missing-queries"] == ()


def test_mixed_ids_are_found_behind_the_first_of_a_list():
    found = audit({"q1": {"a": 1, 7: 1, ("b",): 0}}, {"q1": {"a": 1.0}, 2: {"a": 1.0}})

    assert [(p.where, p.severity, p.count) for p in found["mixed-ids"]] == [
        ("qrels", "error", 2),
        ("run", "error", 1),
    ]


def test_worst_first_by_rank_is_not_said_twice():
    found = audit(qrels(), frame(negated(), rank=True))

    assert [p.severity for p in found["worst-first"]] == ["error"]
    assert found["rank-score-conflict"] == ()


def test_ranks_that_are_upside_down_while_scores_are_right_conflict():
    shown = frame(run(), rank=True).with_columns(rank=13 - pl.col("rank"))
    found = audit(qrels(), shown)

    assert found["worst-first"] == ()
    assert [p.count for p in found["rank-score-conflict"]] == [6]


def test_all_lists_cut_at_five_are_noted():
    shown = each(run(), lambda q, row: dict(list(row.items())[:5]))
    [p] = audit(qrels(), shown)["extreme-lengths"]

    assert p.what == "All 6 lists have exactly 5 results."


def test_empty_lists_of_a_json_file_are_counted(tmp_path):
    (tmp_path / "run.json").write_text(json.dumps(run(q2={}, q3={})))
    [p] = audit(qrels(), tmp_path / "run.json")["empty-lists"]

    assert (p.count, p.examples) == (2, ("query 'q2'", "query 'q3'"))


def test_interleaved_rows_are_brought_together():
    mixed = frame(run(), rank=True).sort("rank", "query_id")

    assert codes(audit(qrels(), mixed)) == []
    assert audit(qrels(), mixed).facts["runs"]["run"]["queries"] == 6


@pytest.mark.parametrize(("judged", "shown"), [({}, {}), ({}, {"q": ["a"]}), ({"q": ["a"]}, {})])
def test_empty_input_is_refused(judged, shown):
    with pytest.raises(InputError, match="must hold at least one query, got none"):
        audit(judged, shown)


# facts


def test_facts_are_counts_of_the_input():
    facts = audit(qrels(), {"good": run(), "new": run(q1={f"new{i}": 20.0 - i for i in range(20)})}).facts

    assert facts["queries_judged"] == 6
    assert facts["judgements"] == 72
    assert facts["grades"] == {0: 60, 1: 6, 2: 6}
    assert facts["relevant_per_query"] == {"min": 2, "median": 2.0, "max": 2}
    assert facts["runs"]["good"] == {
        "queries": 6,
        "results": 72,
        "results_per_query": {"min": 12, "median": 12.0, "max": 12},
        "judged@10": 1.0,
    }
    assert facts["runs"]["new"]["judged@10"] == 50 / 60


def test_queries_with_an_empty_list_count_once():
    found = audit(qrels() | {"q7": {}}, run(q6={}, q8={}))

    assert (found.facts["queries_judged"], found.facts["runs"]["run"]["queries"]) == (7, 7)
    assert found["unjudged-queries"][0].what == "1 of 7 queries of the run is not judged."
    assert found["missing-queries"][0].what == "1 of 7 judged queries is not in the run."
    assert found["empty-lists"][0].what == "2 of 7 lists are empty."


@pytest.mark.parametrize("digits", [0, 1])
def test_judged_share_is_that_of_an_evaluation(digits):
    rng = np.random.default_rng(3)
    docs = [f"d{i}" for i in range(60)]
    judged = {f"q{i}": {d: int(rng.integers(3)) for d in rng.choice(docs, 20, replace=False)} for i in range(9)}
    shown = {f"q{i}": {d: round(rng.normal(), digits) for d in rng.permutation(docs)[: 5 + 5 * i]} for i in range(9)}

    got = audit(judged, shown).facts["runs"]["run"]["judged@10"]

    assert got == rg.evaluate(judged, shown, ["nDCG@10"]).counts["judged@10"]


# arguments


def test_arguments_come_back_as_they_went_in():
    judged, shown = qrels(), with_(run(), "q1", 7, "0.5")
    before = copy.deepcopy((judged, shown))
    table = rg.Run.of(run())
    columns = frame(run(), rank=True)
    copied = columns.clone()

    audit(judged, shown)
    audit(rg.Qrels.of(judged), table, columns)

    assert (judged, shown) == before
    assert table._frame is None
    assert table.to_dict() == run()
    assert columns.equals(copied)


def test_runs_may_be_several_by_name_or_in_a_list():
    by_name = audit(qrels(), {"a": run(), "b": run(q1={})})
    listed = audit(qrels(), [run(), run(q1={})])
    separate = audit(qrels(), rg.Run.of(run(), name="a"), run(q1={}))

    assert (by_name.runs, [p.where for p in by_name["empty-lists"]]) == (("a", "b"), ["b"])
    assert (listed.runs, [p.where for p in listed["empty-lists"]]) == (("run 1", "run 2"), ["run 2"])
    assert (separate.runs, [p.where for p in separate["empty-lists"]]) == (("a", "run"), ["run"])


def test_a_query_with_an_empty_list_does_not_make_a_run_a_dict_of_runs():
    assert audit(qrels(), {"q1": {}} | run(q1={})).runs == ("run",)


def test_a_dict_of_runs_and_lists_is_refused():
    with pytest.raises(InputError, match="must hold a run for each name"):
        audit(qrels(), {"a": run(), "q1": {"d": 1.0}})


def test_judgements_alone_can_be_audited():
    found = audit(with_(qrels(), "q1", "q1-d1", -1))

    assert (codes(found), found.runs) == (["negative-grades"], ())


def test_columns_are_mapped_in_frames_only():
    shown = frame(run()).rename({"doc_id": "thing"})

    assert codes(audit(qrels(), shown, columns={"thing": "doc_id"})) == []


def test_matrices_are_audited():
    labels = np.array([[1, 0, 0], [0, 1, 0]], dtype=float)
    scores = np.array([[0.9, 0.2, np.inf], [0.1, 0.8, 0.3]])

    assert "infinite-scores" in codes(audit(labels, scores))


# the record


def test_findings_are_sorted_by_severity_then_count():
    shown = with_(with_(run(q2={}, q7={"x": 1.0}), "q1", "q1-d12", NAN), "q1", "q1-d11", NAN)
    found = audit(with_(qrels(), "q1", "q1-d1", "2"), shown)
    order = [(["error", "warning", "note"].index(p.severity), -p.count) for p in found.findings]

    assert order == sorted(order)
    assert len({severity for severity, _ in order}) == 3


def test_ok_means_no_error_and_no_warning():
    assert audit(with_(qrels(), "q1", "q1-d9", -1), run()).ok
    assert not audit(qrels(), with_(run(), "q1", "q1-d12", NAN)).ok


def test_raise_if_found_lists_everything_but_notes():
    shown = with_(run(q7={"x": 1.0}), "q1", "q1-d12", NAN)
    del shown["q2"]

    with pytest.raises(InputError) as e:
        audit(qrels(), shown).raise_if_found()

    assert str(e.value).startswith("the audit found 2 problems in the input:")
    assert "warning nan-scores (run): 1 of 61 scores is NaN. (query 'q1', 'q1-d12')" in str(e.value)
    assert "missing-queries" in str(e.value)
    assert "unjudged-queries" not in str(e.value)
    assert len(e.value.problems) == 2


def test_raise_if_found_is_silent_when_ok():
    audit(qrels(), run()).raise_if_found()


def test_unknown_code_suggests():
    with pytest.raises(UnknownName, match="Did you mean nan-scores"):
        audit(qrels(), run())["nan-score"]


def test_to_dict_is_json(tmp_path):
    text = audit(qrels(), with_(run(), "q1", "q1-d12", NAN)).to_json(tmp_path / "audit.json")
    got = json.loads((tmp_path / "audit.json").read_text(encoding="utf-8"))

    assert got == json.loads(text)

    assert got["ok"] is False
    assert got["findings"][0]["code"] == "nan-scores"
    assert got["findings"][0]["try"]


def test_strict_evaluation_raises_everything_found():
    shown = with_(run(), "q1", "q1-d12", NAN)
    del shown["q2"]

    with pytest.raises(InputError) as e:
        rg.evaluate(qrels(), shown, ["nDCG@10"], strict=True)

    assert "nan-scores" in str(e.value)
    assert "missing-queries" in str(e.value)
    assert rg.evaluate(qrels(), run(), ["nDCG@10"], strict=True)["nDCG@10"] == 1.0


# what people see


NASTY = "<script>alert(1)</script>|*x*"


def nasty():
    return audit(qrels(), {NASTY: with_(run(), "q1", NASTY, NAN)})


def test_every_form_renders_and_escapes():
    found = nasty()

    assert "nan-scores" in str(found)
    assert "<script>" not in found.to_html()
    assert "&lt;script&gt;" in found.to_html()
    assert "<script>" not in found.to_markdown()
    assert r"\|\*x\*" in found.to_markdown()
    assert r"\begin{tabular}" in found.to_latex()
    assert found._repr_html_() == found.to_html()


def test_csv_has_a_row_per_finding():
    found = nasty()
    rows = list(csv.DictReader(io.StringIO(found.to_csv())))

    assert [r["code"] for r in rows] == codes(found)
    assert rows[0]["where"] == NASTY
    assert [r["what"] for r in csv.DictReader(io.StringIO(audit(qrels(), run()).to_csv()))] == ["No problems found."]


def test_text_has_facts_findings_and_what_to_do():
    text = str(audit(qrels(), with_(run(), "q1", "q1-d12", NAN)))

    assert "queries judged" in text
    assert re.search(r"warning\s+nan-scores\s+run\s+1\s+1 of 72 scores is NaN\.", text)
    assert "For example: query 'q1', 'q1-d12'." in text
    assert "Try: Find out where they come from." in text


def test_healthy_text_says_so_and_notes_are_no_problems():
    assert str(audit(qrels(), run())).endswith("No problems found.")
    assert "No problems found." in str(audit(with_(qrels(), "q1", "q1-d9", -1), run()))


def test_long_ids_are_shortened_in_examples():
    [p] = audit(qrels(), with_(run(), "q1", "x" * 500, NAN))["nan-scores"]

    assert len(p.examples[0]) < 100


def test_repr_counts_by_severity():
    assert repr(audit(qrels(), with_(run(), "q1", "q1-d12", NAN))) == "<Audit: errors 0, warnings 1, notes 0>"


def test_importing_the_audit_loads_no_polars():
    code = "import sys, rankgauge.data.audit; sys.exit('polars' in sys.modules)"

    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


# real data: healthy runs give no warning, and what is doubtful is named


def serious(folder, judged, *runs):
    found = audit(folder / judged, *(folder / r for r in runs))
    assert isinstance(found, Audit)
    return {(p.code, p.where) for p in found.serious}


@pytest.mark.parametrize(
    ("judged", "shown"),
    [
        ("qrels.test.gz", "results.test.gz"),
        ("qrels.rel_level.gz", "results.test.gz"),
        ("qrels.123.gz", "results.test.gz"),
        ("qrels-302.test", "results-302.test"),
        ("qrels.comment.test.gz", "results.comment.test.gz"),
    ],
)
def test_trec_eval_runs_are_healthy(shared, judged, shown):
    assert serious(shared / "trec_eval_test", judged, shown) == set()


def test_truncated_trec_eval_run_misses_a_query(shared):
    got = serious(shared / "trec_eval_test", "qrels.test.gz", "results.trunc")

    assert got == {("missing-queries", "results")}


def test_web_2014_run_is_healthy_and_negative_grades_are_noted(shared):
    folder = shared / "web2014_diversity"
    found = audit(folder / "qrels.web.251-300.txt.gz", folder / "test.wt14.run.gz")

    assert found.ok
    assert [(p.severity, p.count) for p in found["negative-grades"]] == [("note", 556)]
    assert serious(folder, "qrels.web.251-300.ndeval.txt.gz", "test.wt14.run.gz") == set()


@pytest.mark.parametrize("judged", ["entity_ndcg.qrels.gz", "entity_binary.qrels.gz"])
def test_codec_runs_are_healthy(shared, judged):
    folder = shared / "codec_entity"
    runs = sorted(p.name for p in folder.glob("*.run.gz"))

    assert len(runs) == 6
    assert serious(folder, judged, *runs) == set()
    assert set().union(*(serious(folder, judged, r) for r in runs)) == set()


def test_cast_runs_are_healthy(shared):
    folder = shared / "cast2021_docs"
    runs = sorted(p.name for p in folder.glob("*.run.gz"))

    assert serious(folder, "trec-cast-qrels-docs.2021.qrel.gz", *runs) == set()


def test_dl_hard_runs_are_half_judged(shared):
    """Half of the queries were judged for few systems only: judged@10 is 0.49 to 0.52."""
    folder = shared / "dl_hard_passage"
    runs = sorted(p.name for p in folder.glob("*.run.gz"))
    got = serious(folder, "dl_hard-passage.qrels.gz", *runs)

    assert got == {("unjudged-share", r) for r in ("bm25", "bm25+rm3", "bm25+t5(zs)", "bm25+rm3+t5(zs)")}


def test_how_the_input_was_read_goes_with_the_findings(tmp_path):
    (tmp_path / "qrels.txt").write_text("# judged in May\nq1 0 d1 1\n")

    found = rg.audit(tmp_path / "qrels.txt")

    assert found.to_dict()["notes"] == ["skipped 1 comment line"]
    assert "skipped 1 comment line" in str(found)


def test_a_score_beyond_all_floats_is_no_number():
    found = rg.audit({"q": {"a": 1}}, {"q": {"a": 10**400, "b": 1.0}})

    assert not found.ok


def test_advice_about_unjudged_results_knows_judgements_that_list_only_what_is_relevant():
    run = {"q1": ["a", "x", "y"], "q2": ["z", "b", "w"]}

    listed = {p.code: p for p in rg.audit({"q1": {"a": 1}, "q2": {"b": 1}}, run).findings}
    judged = {p.code: p for p in rg.audit({"q1": {"a": 1, "v": 0}, "q2": {"b": 1, "v": 0}}, run).findings}

    assert "remove" not in listed["unjudged-share"].try_
    assert "remove" not in zh(listed["unjudged-share"].try_)
    assert "unjudged='remove'" in judged["unjudged-share"].try_


def test_answers_of_train_among_the_hits_are_an_error():
    """Each query has results at every place; those of five queries that are relevant were learned from."""
    judged, lists = {q: [f"{q}-d1", f"{q}-x", f"{q}-y"] for q in QUERIES}, run()
    rows = [(q, f"{q}-d1", 1, 1) for q in QUERIES[:5]]
    told = {p.code: p for p in audit(judged, {"mine": lists}, **learned(rows=rows)).serious}

    assert told["test-in-train"].severity == "error"
    assert told["test-in-train"].what.endswith("So are 5 of 6 hits of mine.")
    assert "seen-items-shown" not in told  # they are hits
    few = audit(judged, {"mine": lists}, **learned(rows=rows[:4]))
    assert {p.code: p.severity for p in few.serious}["test-in-train"] == "warning"
