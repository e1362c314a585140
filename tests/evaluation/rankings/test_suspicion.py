"""What the audit knows reaches the number: suspicions about the input go with every evaluation."""

from __future__ import annotations

import inspect
import json
import subprocess
import sys

import numpy as np
import polars as pl
import pytest

import rankgauge as rg
from command_line import rankgauge
from rankgauge._claims import Claim, claims_of
from rankgauge.data.audit.registry import CHECKS
from rankgauge.data.spelling import respelled, spelling_key
from rankgauge.errors import InputError
from rankgauge.evaluation.rankings.suspicion import EVIDENCE, SUSPICIONS, Suspicion, errors_of
from rankgauge.evaluation.record import Evaluation
from rankgauge.gate.checks import not_worse
from rankgauge.gate.result import GateResult
from rankgauge.reporting import render

QUERIES = [f"q{i}" for i in range(20)]


def qrels(queries=QUERIES):
    return {q: {f"d{j}": int(j < 3) for j in range(8)} for q in queries}


def good(queries=QUERIES):
    return {q: {f"d{j}": 30.0 - j for j in range(30)} for q in queries}


def worst_first():
    return {q: {d: -s for d, s in row.items()} for q, row in good().items()}


def codes(ev, severity=None):
    return [s.code for s in ev.suspicions if severity in (None, s.severity)]


def as_frame(table, value):
    rows = [(q, d, float(v)) for q, row in table.items() for d, v in row.items()]
    return pl.DataFrame(rows, schema=["query_id", "doc_id", value], orient="row")


def as_files(folder, judged, run):
    (folder / "qrels.txt").write_text("".join(f"{q} 0 {d} {g}\n" for q, row in judged.items() for d, g in row.items()))
    lines = [f"{q} Q0 {d} 1 {s:.4f} tag\n" for q, row in run.items() for d, s in row.items()]
    (folder / "run.txt").write_text("".join(lines))
    return folder / "qrels.txt", folder / "run.txt"


def as_parquet(folder, judged, run):
    as_frame(run, "score").write_parquet(folder / "run.parquet")
    return judged, folder / "run.parquet"


FORMS = {
    "dicts": lambda folder, judged, run: ((judged, run), {}),
    "frames": lambda folder, judged, run: ((as_frame(judged, "grade"), as_frame(run, "score")), {}),
    "TREC files": lambda folder, judged, run: (as_files(folder, judged, run), {}),
    "in pieces": lambda folder, judged, run: (as_parquet(folder, judged, run), {"engine": "streaming"}),
}


def padded(row):
    return {f"{int(d[1:]):03}": s for d, s in row.items()}


def bare(row):
    return {d[1:]: g for d, g in row.items()}


# what is found, in every form of the input


@pytest.mark.parametrize("form", FORMS)
def test_a_run_stored_worst_first_is_an_error_of_the_evaluation(form, tmp_path):
    given, options = FORMS[form](tmp_path, qrels(), worst_first())
    ev = rg.evaluate(*given, "nDCG@10", **options)

    assert codes(ev, "error") == ["worst-first"]
    assert "20 of 20" in ev.notes[0]
    assert ev.suspicions[0].numbers["against"] == 20


@pytest.mark.parametrize("form", FORMS)
def test_a_healthy_run_is_not_suspected(form, tmp_path):
    given, options = FORMS[form](tmp_path, qrels(), good())
    ev = rg.evaluate(*given, "nDCG@10", **options)

    assert ev.suspicions == ()
    assert not set(EVIDENCE) & set(ev.counts)


@pytest.mark.parametrize("form", FORMS)
def test_ids_that_match_only_after_padding_are_an_error(form, tmp_path):
    judged = {q: bare(row) for q, row in qrels().items()}
    given, options = FORMS[form](tmp_path, judged, {q: padded(row) for q, row in good().items()})
    ev = rg.evaluate(*given, "nDCG@10", **options)

    assert codes(ev, "error") == ["id-mismatch"]
    assert "dropping leading zeros ('0' / '000')" in ev.notes[0]
    assert "20 of 20 queries" in ev.notes[0]


@pytest.mark.parametrize("form", FORMS)
def test_query_ids_in_another_case_are_an_error(form, tmp_path):
    given, options = FORMS[form](tmp_path, qrels(), {q.upper(): row for q, row in good().items()})
    ev = rg.evaluate(*given, "nDCG@10", **options)

    assert set(codes(ev, "error")) == {"id-mismatch", "missing-queries"}
    assert "queries match the run only after changing case ('q0' / 'Q0')" in ev.notes[0]


def test_a_run_too_large_to_look_into_says_that_spelling_was_not_looked_at(tmp_path, monkeypatch):
    from rankgauge.engines import streaming

    class Large(streaming.Streamed):
        def __init__(self, measured, aligned, is_small, *more):
            super().__init__(measured, aligned, False, *more)

    monkeypatch.setattr(streaming, "Streamed", Large)
    judged = {q: bare(row) for q, row in qrels().items()}
    given = as_parquet(tmp_path, judged, {q: padded(row) for q, row in good().items()})
    ev = rg.evaluate(*given, "nDCG@10", engine="streaming")

    assert codes(ev) == ["judged-ids-never-retrieved"]
    assert any("nothing judged was found for 20 of 20 queries" in note for note in ev.notes)


def test_a_system_that_finds_nothing_is_no_mismatch_but_marked():
    run = {q: {f"x{j}": 1.0 / (j + 1) for j in range(10)} for q in QUERIES}
    ev = rg.evaluate(qrels(), run, "nDCG@10")

    assert [(s.code, s.severity, s.numbers) for s in ev.suspicions] == [
        ("judged-ids-never-retrieved", "error", {"lists": 20})
    ]
    assert "none of the 20 lists holds anything that is judged" in str(ev)
    assert codes(rg.evaluate(qrels(), run | {"q0": {"d7": 1.0}}, "nDCG@10")) == []  # found, and judged worthless
    assert str(ev).index("[judged-ids-never-retrieved]") < str(ev).index("nDCG@10 ")


@pytest.mark.parametrize("suffix", ["#creating-test-cases", "_3", "-chunk-2", "::2", "/2"])
@pytest.mark.parametrize("swapped", [False, True])
def test_chunks_of_judged_documents_are_an_error_that_says_what_to_do(suffix, swapped):
    names = [f"https://docs.example/guide/{w}-tool" for w in ("eval", "trace", "prompt", "score")]
    documents = {f"q{i}": {names[i % 4]: 1} for i in range(12)}
    chunks = {q: [f"x{suffix}", *(d + suffix for d in row)] for q, row in documents.items()}
    judged = {q: dict.fromkeys(row[1:], 1) for q, row in chunks.items()} if swapped else documents
    run = {q: ["x", *row] for q, row in documents.items()} if swapped else chunks

    (found,) = rg.evaluate(judged, run, "nDCG@10").suspicions

    assert (found.code, found.severity) == ("id-mismatch", "error")
    assert f"only after dropping suffixes of chunks such as '{suffix}'" in str(found)
    assert f"去掉片段编号，即形如 '{suffix}' 的后缀" in found.statement.zh
    assert "duplicates='keep'" in found.try_
    (audited,) = rg.audit(judged, run)["id-mismatch"]
    assert audited.severity == "error"
    assert f"such as '{suffix}'" in str(audited.what)
    assert Suspicion.from_dict(found.to_dict()) == found


@pytest.mark.slow
@pytest.mark.parametrize("form", ["{}", "d{}", "doc_{}", "a/{}", "{0}-{1}", "{0}_{1}", "s{0}#{1}"])
def test_random_ids_are_not_taken_for_chunks(form):
    rng = np.random.default_rng(1)
    wrong = 0
    for _ in range(100):
        ids = [form.format(*rng.integers(10_000, size=2)) for _ in range(220)]
        judged = {f"q{i}": {ids[i]: 1, ids[i + 1]: 1} for i in range(10)}
        run = {f"q{i}": ids[20 + 20 * i : 40 + 20 * i] for i in range(10)}
        wrong += "id-mismatch" in codes(rg.evaluate(judged, run, "nDCG@10"))
    assert wrong == 0


def test_one_query_is_spoken_of_in_the_singular():
    said = [
        rg.evaluate({"q": {"a": 1}}, {"q": ["b"]}, "RR"),
        rg.evaluate({"q": {"a": 1}}, {"p": ["b"]}, "RR"),
        rg.evaluate({"q": {"a": 0}}, {"q": ["a"]}, "RR"),
    ]

    assert [str(s).partition(":")[2].partition(",")[0] for ev in said for s in ev.suspicions] == [
        " there is 1 list",
        " there is 1 judged query",
        " there is 1 judged query",
    ]
    assert str(rg.evaluate({"q": {"a": 1}}, {"old": {"q": ["a"]}}, "RR")).startswith("1 run on qrels")


def test_a_gate_decides_nothing_where_no_judged_id_is_found(tmp_path):
    run = {q: {f"x{j}": 1.0 / (j + 1) for j in range(10)} for q in QUERIES}
    judged, shown = as_files(tmp_path, qrels(), run)

    result = rg.run_gate(rg.Gate(qrels=str(judged), run=str(shown), floors={"nDCG@10": 0.1}))

    assert result.outcome == "inconclusive"


def test_a_handful_of_lists_upside_down_is_a_warning():
    lists = ["x1", "x2", "x3", "x4", "x5", "x6", "x7", "x8", "d", "x9"]
    ev = rg.evaluate({f"q{i}": {"d": 1} for i in range(4)}, {f"q{i}": lists for i in range(4)}, "RR")

    assert [(s.code, s.severity) for s in ev.suspicions] == [("worst-first", "warning")]


def test_constant_scores_are_not_called_worst_first():
    ev = rg.evaluate(qrels(), {q: dict.fromkeys(row, 1.0) for q, row in good().items()}, "nDCG@10")

    assert "worst-first" not in codes(ev)


def test_no_judged_query_in_the_run_is_an_error():
    assert codes(rg.evaluate(qrels(), {"x": {"d1": 1.0}}, "nDCG@10"), "error") == ["missing-queries"]


def test_numbers_of_a_run_without_most_queries_are_those_of_empty_lists():
    judged = {f"q{i}": {"a": 1, "b": 0} for i in range(50)}
    whole = {q: ["b", "a"] for q in judged}
    one, half = {"q0": ["a"]}, {q: ["a"] for q in list(judged)[:25]}

    (found,) = rg.evaluate(judged, one, "RR").suspicions
    assert (found.code, found.severity, found.numbers) == ("missing-queries", "error", {"missing": 49, "queries": 50})
    assert codes(rg.evaluate(judged, half, "RR"), "error") == []
    assert codes(rg.evaluate(judged, one, "RR", missing="skip"), "error") == []  # they were left out on purpose
    cmp = rg.compare(judged, {"whole": whole, "one": one}, "RR")
    said = "Do not trust the numbers of one: 49 of the 50 judged queries are not in the run"
    assert str(cmp).startswith(said)
    assert render(cmp, "markdown").lstrip("#* !\n").startswith(said)
    assert rg.sentences(cmp)[0].startswith(said)
    assert "As the numbers stand: one is worse" in str(cmp)
    assert said in rg.report(cmp)


def test_where_no_query_meets_an_id_of_each_side_is_shown():
    (found,) = rg.evaluate({"q1": ["a"], "q2": ["a"]}, {"how to …": ["a"]}, "RR").suspicions

    assert found.code == "missing-queries"
    assert "'q1' is judged, 'how to …' is in the run." in found.statement.en
    assert "标注中如 'q1'，结果中如 'how to …'。" in found.statement.zh
    assert Suspicion.from_dict(found.to_dict()) == found
    (found,) = rg.evaluate({"q1": ["a"], "q2": ["a"], "q3": ["a"]}, {"q1": ["a"], "x": ["a"]}, "RR").suspicions
    assert "is judged" not in found.statement.en  # some meet


@pytest.mark.parametrize(("failing", "severity"), [(0, None), (3, "warning"), (10, "error"), (20, "error")])
def test_failures_of_a_live_retriever_are_a_suspicion(failing, severity):
    judged = {f"question {i}": ["a"] for i in range(20)} | {"question 20": ["a"]}

    def find(query):
        if int(query.split()[1]) <= failing:
            raise ConnectionError("no database")
        return ["a"]

    ev = rg.evaluate(judged, find, "R@5")
    found = [s for s in ev.suspicions if s.code == "failed-calls"]
    assert [s.severity for s in found] == ([severity] if severity else [])
    for s in found:
        assert s.numbers == {"failed": failing + 1, "queries": 21}
        assert f"{failing + 1} of 21 queries got no answer from the retriever" in s.statement.en
        assert "failed-calls" not in [
            x.code for x in ev.accepting("failed-calls").suspicions if x.severity != "accepted"
        ]


def test_failures_are_a_suspicion_where_gold_is_spans():
    documents = {"d": "one two three four"}
    spans = rg.Spans({"which one": [("d", 0, 3)]}, documents=documents)

    ev = rg.evaluate(spans, lambda query: 1 / 0, "SpanRecall@5")
    assert codes(ev, "error") == ["failed-calls"]


def test_the_gate_decides_nothing_over_a_baseline_without_most_queries():
    judged = {f"q{i}": {"a": 1, "b": 0} for i in range(50)}
    new, old = (rg.evaluate(judged, run, "RR") for run in ({q: ["b", "a"] for q in judged}, {"q0": ["a"]}))

    result = GateResult(checks=[not_worse(new, old, "RR", 0.01)], evaluation=new, baseline=old)
    assert (result.checks[0].outcome, result.outcome, result.exit_code) == ("pass", "inconclusive", 3)


def test_a_stored_suspicion_of_an_earlier_version_is_read():
    old = {"code": "missing-queries", "severity": "error", "system": "run", "numbers": {"queries": 3}}

    assert str(Suspicion.from_dict(old)).startswith("run: 3 of the 3 judged queries are not in the run")


def test_judgements_without_anything_relevant_are_an_error():
    judged = {q: dict.fromkeys(row, 0) for q, row in qrels().items()}

    assert codes(rg.evaluate(judged, good(), "P@10"), "error") == ["no-relevant"]


@pytest.mark.parametrize("measure", ["nDCG(gain=exponential)@10", "ERR@10"])
def test_grades_of_a_hundred_with_exponential_gain_are_a_warning(measure):
    judged = {q: {"d0": 100, "d1": 60, "d2": 0} for q in QUERIES}
    ev = rg.evaluate(judged, good(), ["P@10", measure])

    assert [(s.code, s.severity, s.numbers["n"]) for s in ev.suspicions] == [("huge-grades", "warning", 20)]
    # the oracle: swapping 60 for 0 changes nothing that can be seen
    other = rg.evaluate({q: {"d0": 100, "d1": 0, "d2": 60} for q in QUERIES}, good(), [measure])
    assert ev[measure] == pytest.approx(other[measure], abs=1e-9)


def test_grades_of_a_hundred_with_linear_gain_are_fine():
    assert codes(rg.evaluate({q: {"d0": 100, "d1": 60} for q in QUERIES}, good(), "nDCG@10")) == []


def users(n, length, own=True):
    """For each user one target, at another rank of the list each time."""
    lists = {f"u{i}": [f"{f'u{i}-' if own else ''}{(j + i) % length}" for j in range(length)] for i in range(n)}
    return {u: {row[7 * i % length]: 1} for i, (u, row) in enumerate(lists.items())}, lists


def test_lists_of_one_length_that_all_hold_their_target_are_called_sampled():
    ev = rg.evaluate(*users(30, 20), "Hit@10")

    assert [(s.code, s.severity) for s in ev.suspicions] == [("sampled-candidates", "warning")]
    deep = sum(7 * i % 20 + 1 > 10 for i in range(30))
    assert ev.suspicions[0].numbers == {"lists": 30, "length": 20, "deep": deep}


def test_the_whole_catalogue_is_not_called_sampled():
    assert codes(rg.evaluate(*users(30, 20, own=False), "Hit@10")) == []


def test_lists_that_were_cut_lose_some_targets_and_are_not_called_sampled():
    judged, lists = users(30, 20)

    assert codes(rg.evaluate(judged, {u: row[:19] for u, row in lists.items()}, "Hit@10")) == []


def test_targets_at_the_top_only_are_what_a_good_system_gives():
    lists = {f"u{i}": [f"u{i}-{j}" for j in range(20)] for i in range(30)}
    judged = {u: {row[i % 3]: 1} for i, (u, row) in enumerate(lists.items())}

    assert codes(rg.evaluate(judged, lists, "Hit@10")) == []


def test_ties_that_move_a_measure_by_more_than_its_interval_are_a_warning():
    judged = {q: {"d0": 1} for q in QUERIES}
    ev = rg.evaluate(judged, {q: dict.fromkeys((f"d{j}" for j in range(10)), 1.0) for q in QUERIES}, "RR")
    width, interval = ev.suspicions[0].numbers["width"], ev.suspicions[0].numbers["interval"]

    assert codes(ev, "warning") == ["tied-scores"]
    assert width == pytest.approx(1 - 1 / 10)  # first or last of ten
    low, high = ev.interval("RR")
    assert interval == high - low < width


def test_advice_on_ties_holds_beside_measures_of_what_is_shown():
    """Those refuse ties='expected'."""
    judged, run = (
        {q: {"d0": 1} for q in QUERIES},
        {q: dict.fromkeys((f"d{j}" for j in range(10)), 1.0) for q in QUERIES},
    )
    measures, items = ["RR", "Coverage@5", "Gini@5"], [f"d{j}" for j in range(10)]
    (found,) = rg.evaluate(judged, run, measures, items=items).suspicions

    assert found.try_.en == (
        "Keep more digits of the scores, or report ties='expected', which depends on no order. It cannot be had "
        "together with Coverage@5, which needs one order: ask for that by itself."
    )
    assert found.try_.zh.endswith("它不能与 Coverage@5 同时使用（后者需要一个确定的顺序）：请另外单独评测 Coverage@5。")
    with pytest.raises(rg.errors.ParameterError, match="expected"):
        rg.evaluate(judged, run, measures, items=items, ties="expected")
    assert rg.evaluate(judged, run, "RR", ties="expected")["RR"] > 0
    assert "Coverage" not in rg.evaluate(judged, run, "RR").suspicions[0].try_.en


def test_ties_within_the_interval_are_no_suspicion():
    run = {q: {f"d{j}": 30.0 - max(j, 1) for j in range(30)} for q in QUERIES}  # the first two tie
    run |= {q: {f"x{j}": 1.0 for j in range(5)} for q in QUERIES[:10]}

    assert "tied-scores" not in codes(rg.evaluate(qrels(), run, "RR"))


# the record


def test_notes_begin_with_statements_that_claim_the_suspicion():
    ev = rg.evaluate(qrels(), {"bad": worst_first()}, "nDCG@10")["bad"]

    assert claims_of(ev.notes[0])[0] == Claim("suspicion", "worst-first", system="bad")
    assert ev.notes[0].startswith("bad: ")
    assert ev.notes[0].zh.startswith("bad：")


def test_suspicions_are_stored_and_come_back():
    ev = rg.evaluate(qrels(), worst_first(), "nDCG@10")
    again = Evaluation.from_dict(json.loads(json.dumps(ev.to_dict())))

    assert again.suspicions == ev.suspicions
    assert [note.zh for note in again.notes] == [note.zh for note in ev.notes]
    assert ev.to_dict()["suspicions"][0]["code"] == "worst-first"


def test_an_evaluation_stored_before_there_were_suspicions_can_be_read():
    data = rg.evaluate(qrels(), good(), "nDCG@10").to_dict()
    del data["suspicions"]

    assert Evaluation.from_dict(data).suspicions == ()


def test_a_suspicion_that_this_version_does_not_know_is_left_out():
    assert Suspicion.from_dict({"code": "new", "severity": "error", "numbers": {}, "system": ""}) is None


@pytest.mark.parametrize("code", SUSPICIONS)
def test_every_suspicion_says_what_to_do_in_both_languages(code):
    said = SUSPICIONS[code]

    assert said.en.endswith(".")
    assert said.zh.endswith("。")
    assert said.try_.en.endswith(".")
    assert said.try_.zh.endswith("。")


@pytest.mark.parametrize(
    ("code", "numbers", "said"),
    [
        (
            "test-in-train",
            {"known": 1, "pairs": 5, "learned": 1, "hits": 1},
            "1 of the 5 relevant items of the test is in",
        ),
        (
            "test-in-train",
            {"known": 2, "pairs": 5, "learned": 0, "hits": 3},
            "2 of the 5 relevant items of the test are",
        ),
        (
            "test-in-train",
            {"known": 1, "pairs": 1, "learned": 0, "hits": 0},
            "there is 1 relevant item in the test, and",
        ),
        ("seen-items-shown", {"seen": 1, "places": 8}, "1 of the 8 first results is in"),
        ("seen-items-shown", {"seen": 1, "places": 8}, "in the test: it takes the place of another. ["),
        ("seen-items-shown", {"seen": 2, "places": 8}, "in the test: they take the places of others. ["),
        ("seen-items-shown", {"seen": 1, "places": 1}, "there is 1 first result, and it is in the training data of"),
        ("future-in-train", {"later": 1, "rows": 9}, "nobody could know it then"),
        ("unknown-items", {"places": 1, "items": 9}, "there is 1 first result, and it is not in the catalogue of 9"),
        ("missing-queries", {"missing": 1, "queries": 2}, "1 of the 2 judged queries is not in the run"),
        ("huge-grades", {"measure": "nDCG", "n": 1}, "and 1 grade is 100 or more"),
    ],
)
def test_words_go_with_their_numbers(code, numbers, said):
    assert said in Suspicion(code, "warning", numbers).statement.en


# comparisons, gates, findings, forms


def test_a_comparison_begins_with_the_suspicion_and_keeps_its_verdict():
    cmp = rg.compare(qrels(), {"bad": worst_first(), "good": good()}, "nDCG@10")

    assert [(s.code, s.system) for s in cmp.suspicions] == [("worst-first", "bad")]
    assert str(cmp).startswith("Do not trust the numbers of bad: ")
    assert cmp.verdict("nDCG@10", "good") == "better"
    assert cmp.to_dict()["suspicions"][0]["system"] == "bad"


def test_one_suspicious_seed_makes_the_mean_of_the_seeds_suspicious():
    cmp = rg.compare(qrels(), {"old": good(), "new": [good(), worst_first()]}, "nDCG@10")

    assert [(s.code, s.system) for s in cmp.suspicions] == [("worst-first", "new")]


@pytest.mark.parametrize("form", ["to_text", "to_markdown", "to_latex"])
def test_each_form_says_it_before_the_numbers(form):
    ev = rg.evaluate(qrels(), worst_first(), "nDCG@10")
    text = getattr(ev, form)() if hasattr(ev, form) else str(ev)

    assert text.index("Do not trust the numbers") < text.index("nDCG@10")


def test_several_runs_are_headed_by_the_one_that_is_suspicious():
    evs = rg.evaluate(qrels(), {"good": good(), "bad": worst_first()}, "nDCG@10")

    assert str(evs).startswith("Do not trust the numbers of bad: ")
    assert str(evs).count("[worst-first]") == 1


def test_the_first_screen_of_the_page_begins_with_it():
    page = rg.report(rg.compare(qrels(), {"bad": worst_first(), "good": good()}, "nDCG@10"))
    headline = page[page.index("<h1") :]

    assert headline[: headline.index("</h1>")].count("Do not trust the numbers of bad") == 1


def test_a_diagnosis_gives_no_advice_that_rests_on_wrong_numbers():
    found = rg.diagnose(rg.evaluate(qrels(), worst_first(), ["nDCG@10", "R@10", "R@20"]))

    assert found.codes == ["suspicious-input"]
    assert found["suspicious-input"].severity == "critical"
    assert "worst-first" in found["suspicious-input"].seen
    assert "取负" in found["suspicious-input"].in_language("zh").check


@pytest.mark.parametrize("order", [("bad", "good"), ("good", "bad")])
def test_a_diagnosis_of_a_change_with_a_suspicious_side_says_only_that(order):
    runs = {"bad": worst_first(), "good": good()}
    found = rg.diagnose(rg.compare(qrels(), {name: runs[name] for name in order}, "nDCG@10"))

    assert found.codes[0] == "suspicious-input"
    assert found.codes.count("suspicious-input") == 1


# spelling


@pytest.mark.parametrize(("a", "b"), [("7", "007"), ("doc-7", "DOC-007"), (" 7", "7"), ("7.0", "7"), ("７", "7")])
def test_ids_that_differ_in_spelling_have_one_key(a, b):
    assert spelling_key(a) == spelling_key(b)
    assert respelled([a], ["x", b]) == (a, b)


@pytest.mark.parametrize(("a", "b"), [("7", "70"), ("0", "00x"), ("a7", "b7"), ("7", "7")])
def test_ids_that_differ_otherwise_are_no_pair(a, b):
    assert respelled([a], [b]) is None


# the census


ELSEWHERE = {
    "mixed-ids": "ids are compared as text, so that 7 and '7' are one",
    "text-scores": "evaluate refuses them",
    "duplicate-judgements": "evaluate refuses judgements that contradict each other",
}
"""Errors of the audit that need no suspicion, and why."""


def test_every_error_of_the_audit_goes_with_the_number_or_cannot_reach_it():
    errors = {code for code, check in CHECKS.items() if '"error"' in inspect.getsource(check.find)}

    of_train = {"test-in-train", "popularity-with-test", "users-without-training", "unknown-items"}
    assert errors == {"worst-first", "id-mismatch", "missing-queries", "no-relevant"} | of_train | set(ELSEWHERE)
    assert of_train <= set(SUSPICIONS)
    # files do not say what failed, and an audit reads no pieces of documents
    assert set(SUSPICIONS) - {"failed-calls", "unknown-documents"} <= set(CHECKS)
    assert not set(SUSPICIONS) & set(ELSEWHERE)


def test_mixed_ids_cannot_make_a_number_wrong():
    run = {q: {int(d[1:]) if i % 2 else d[1:]: s for i, (d, s) in enumerate(row.items())} for q, row in good().items()}
    judged = {q: bare(row) for q, row in qrels().items()}

    assert rg.evaluate(judged, run, "nDCG@10")["nDCG@10"] == rg.evaluate(qrels(), good(), "nDCG@10")["nDCG@10"]


def test_scores_that_are_text_are_refused():
    with pytest.raises(InputError):
        rg.evaluate(qrels(), {q: dict.fromkeys(row, "high") for q, row in good().items()}, "nDCG@10")


def test_judgements_that_contradict_each_other_are_refused():
    judged = pl.concat([as_frame(qrels(), "grade"), as_frame({"q0": {"d0": 0}}, "grade")])
    with pytest.raises(InputError):
        rg.evaluate(judged, good(), "nDCG@10")


def test_looking_at_clean_trec_text_loads_no_polars(tmp_path):
    paths = as_files(tmp_path, qrels(), good())
    program = f"import sys, rankgauge as rg; rg.evaluate({str(paths[0])!r}, {str(paths[1])!r}, 'nDCG@10').suspicions\n"
    program += "print([m for m in ('polars', 'rankgauge.data.audit', 'scipy') if m in sys.modules])"
    shown = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout

    assert "rankgauge.data.audit" not in shown


def test_the_evidence_of_parts_adds_up():
    both = rg.evaluate(qrels(), worst_first(), "nDCG@10").aligned.alignment
    from rankgauge.evaluation.rankings.suspicion import evidence

    parts = [evidence(both.of_queries(np.arange(a, b))) for a, b in ((0, 7), (7, 20))]
    assert {name: sum(part[name] for part in parts) for name in EVIDENCE} == evidence(both)


def popular(rng, users=200, catalogue=300):
    """Three items for each user, some of them for nearly everybody."""
    chance = 1 / np.arange(1, catalogue + 1) ** 1.2
    wanted = (np.unique(rng.choice(catalogue, 3, p=chance / chance.sum())) for _ in range(users))
    return {f"u{i}": {f"i{j}": 1 for j in items.tolist()} for i, items in enumerate(wanted)}


@pytest.mark.slow
def test_one_list_for_all_users_is_one_observation():
    rng = np.random.default_rng(0)
    errors = warnings = 0
    for _ in range(60):
        judged = popular(rng)
        one = [f"i{j}" for j in rng.permutation(300)[:50].tolist()]  # what is popular is at the end by chance
        ev = rg.evaluate(judged, dict.fromkeys(judged, one), "nDCG@10")
        sure = [p for p in rg.audit(judged, dict.fromkeys(judged, one))["worst-first"] if p.severity == "error"]
        errors += "worst-first" in codes(ev, "error") or bool(sure)
        warnings += "worst-first" in codes(ev, "warning")

    assert errors == 0
    assert warnings > 3  # each an error where lists were counted one by one


@pytest.mark.parametrize("segments", [1, 40])
def test_many_lists_upside_down_are_sure_though_users_share_them(segments):
    rng = np.random.default_rng(1)
    judged = popular(rng)
    items = [f"i{j}" for j in range(300)]
    run = {}
    for n, (user, wanted) in enumerate(judged.items()):
        liked = list(judged[f"u{n % segments}"])  # the list of the first of the segment, best last
        run[user] = [*(x for x in items[:40] if x not in liked), *liked] if segments > 1 else items[:40][::-1]
        judged[user] = {**wanted, **(dict.fromkeys(liked, 1) if segments > 1 else {})}

    severity = "error" if segments > 1 else "warning"
    assert codes(rg.evaluate(judged, run, "nDCG@10"), severity) == ["worst-first"]
    assert [p.severity for p in rg.audit(judged, run)["worst-first"]] == [severity]


# ids that one side writes with a prefix


@pytest.mark.parametrize("prefix", ["doc", "doc-", "shop/items#", "MARCO_D", "文档"])
@pytest.mark.parametrize("side", ["judgements", "run"])
def test_ids_with_a_prefix_on_one_side_are_an_error(prefix, side):
    judged = {f"q{i}": {str(100 * i + j): 1 for j in range(3)} for i in range(20)}
    run = {f"q{i}": {str(100 * i + j): 9.0 - j for j in range(9)} for i in range(20)}
    with_prefix = {
        q: {f"{prefix}{d}": v for d, v in row.items()} for q, row in (judged if side != "run" else run).items()
    }
    given = (with_prefix, run) if side != "run" else (judged, with_prefix)

    ev = rg.evaluate(*given, "nDCG@10")

    pair = (f"{prefix}0", "0") if side != "run" else ("0", f"{prefix}0")
    assert codes(ev) == ["id-mismatch"]
    assert f"match the run only after dropping the prefix {prefix!r} ({pair[0]!r} / {pair[1]!r})" in ev.notes[0]
    assert [p.severity for p in rg.audit(*given)["id-mismatch"]] == ["error"]
    said = f"60 of 60 judged ids would match the run only after dropping the prefix {prefix!r}."
    assert rg.audit(*given)["id-mismatch"][0].what == said


def test_query_ids_with_a_prefix_are_an_error():
    judged, run = ({f"{prefix}{i}": {"d": 1.0} for i in range(20)} for prefix in ("q", ""))

    ev = rg.evaluate(judged, run, "RR")

    assert set(codes(ev, "error")) == {"id-mismatch", "missing-queries"}
    assert "queries match the run only after dropping the prefix 'q' ('q0' / '0')" in ev.notes[0]
    (found,) = rg.audit(judged, run)["id-mismatch"]
    assert found.what == "20 of 20 judged queries would match the run only after dropping the prefix 'q'."


@pytest.mark.parametrize(
    ("judged", "shown"),
    [
        (lambda i: f"{i + 1}7", lambda i: "7"),  # 17 is not 7
        (lambda i: f"s{i}-3", lambda i: "3"),  # another prefix in each list
        (lambda i: f"news{i}", lambda i: f"blog{i}"),
        (lambda i: f"hotdog{i}", lambda i: f"dog{i}"),
    ],
)
def test_ids_that_end_alike_are_no_mismatch(judged, shown):
    queries = range(20)
    given = {f"q{i}": {judged(i): 1} for i in queries}, {f"q{i}": {shown(i): 1.0, f"x{i}y": 0.5} for i in queries}

    assert "id-mismatch" not in codes(rg.evaluate(*given, "RR"))
    assert rg.audit(*given)["id-mismatch"] == ()


# lists without scores, and what the user accepts

LATE = {
    f"q{i}": {"retrieved": [*(f"x{j}" for j in range(9 + i % 4)), f"t{i}", "y", "z"], "relevant": [f"t{i}"]}
    for i in range(30)
}


def test_lists_without_scores_are_spoken_of_as_lists(tmp_path):
    """Targets stand third from the end of every list; nobody gave a score or a distance."""
    (found,) = [s for s in rg.evaluate(LATE, measures=["RR"]).suspicions if s.code == "worst-first"]

    assert found.try_.en.startswith("Are the lists in reversed order? They must begin with the best result: ")
    assert "where there are scores" in found.try_.en
    assert found.try_.zh.startswith("列表的顺序是不是反了？列表应当从最好的结果开始")
    audited = str(rg.audit(LATE))
    assert "first 'x0', last 'z'" in audited  # no score that nobody gave
    assert "lists must begin with the best result" in audited


def test_an_evaluation_and_its_ratings_say_it_once_and_how_to_go_on(tmp_path):
    (tmp_path / "late.json").write_text(json.dumps(LATE), encoding="utf-8")
    shown = rankgauge("evaluate", "late.json", "-m", "MRR", "--rate", cwd=tmp_path).stdout

    assert shown.count("Do not trust the numbers of late") == 1
    assert "--accept worst-first of evaluate, diagnose and gate; the argument accept in Python" in shown
    assert shown.endswith("Not rated, because the input is suspicious: late (worst-first)\n")
    quiet = rankgauge("evaluate", "late.json", "-m", "MRR", "--rate", "-f", "csv", cwd=tmp_path)
    assert quiet.stderr.count("relevant results lie at the end") == 1


def test_what_is_accepted_is_said_and_rated(tmp_path):
    (tmp_path / "late.json").write_text(json.dumps(LATE), encoding="utf-8")
    words = ("evaluate", "late.json", "-m", "MRR", "--rate", "--accept")
    shown = rankgauge(*words, "worst-first", cwd=tmp_path).stdout

    assert shown.startswith("late on late.json")
    assert "! accepted: late: relevant results lie at the end of the lists (30 of 30)" in shown
    assert "late rated" in shown
    assert "poor" in shown
    assert "Not rated" not in shown
    assert "Did you mean worst-first" in rankgauge(*words, "worstfirst", cwd=tmp_path, code=2).stderr


def test_what_is_accepted_is_stored_and_stops_no_page():
    ev = rg.evaluate(LATE, measures=["RR"]).accepting("worst-first")
    again = type(ev).from_dict(ev.to_dict())

    assert [s.severity for s in again.suspicions if s.code == "worst-first"] == ["accepted"]
    assert "Do not trust" not in rg.report(ev)
    several = rg.evaluate(
        {q: {x["relevant"][0]: 1} for q, x in LATE.items()}, {"a": {q: x["retrieved"] for q, x in LATE.items()}}, "RR"
    )
    assert not errors_of(several.accepting("worst-first").suspicions)


def test_a_catalogue_that_knows_nothing_that_is_shown_is_an_error():
    """Coverage was 0, and a gate on it passed."""
    test, run = {"u": ["a"], "v": ["b"]}, {"u": ["a", "b"], "v": ["b"]}
    ev = rg.evaluate(test, run, ["Coverage@2"], items=["A", "B"])

    assert [(s.code, s.severity) for s in ev.suspicions] == [("unknown-items", "error")]
    assert "none of the 3 first results is in the catalogue of 2" in str(ev).splitlines()[0]
    assert rg.evaluate(test, run, ["Coverage@2"], items=["A", "b"]).suspicions == ()
