"""What readers stumbled over, each once: numbers of one, levels, depths, weights, borders of bands."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import rankgauge as rg
from rankgauge._claims import claims_of
from rankgauge.evaluation.rankings.suspicion import not_looked_at
from rankgauge.gate.checks import not_worse
from rankgauge.gate.result import GateResult
from rankgauge.reporting import render, sections
from rankgauge.reporting.figures.comparison import differences, scatter
from rankgauge.reporting.page.gathering import gather
from rankgauge.reporting.page.screens.verdict import screen

QUERIES = [f"q{i:02}" for i in range(40)]
QRELS = {q: {"a": 1} for q in QUERIES}


def at(rank: int, depth: int = 10) -> list[str]:
    return [*(f"x{i}" for i in range(rank - 1)), "a", *(f"y{i}" for i in range(depth - rank))][:depth]


def first_screen(record: Any, **options: Any) -> dict[str, Any]:
    shown = screen(gather(record, language="en", title=None, **options))
    assert shown is not None
    return shown


def test_one_query_is_no_queries():
    cmp = rg.compare({"q": {"a": 1}}, {"old": {"q": ["x", "a"]}, "new": {"q": ["a"]}}, "RR")
    charts = [differences(cmp), scatter(cmp)]
    printed = [render(cmp, "text"), *(c.summary for c in charts), *(c.svg() for c in charts)]

    assert [text for text in printed if "1 queries" in text] == []
    assert "1 better, 0 the same, 0 worse of 1 query" in printed[0]
    result = GateResult(
        checks=[not_worse(cmp.evaluations["new"], cmp.evaluations["old"], "RR", 0)], evaluation=cmp.evaluations["new"]
    )
    assert "1 of 1 check" in result.decision
    assert "checks" not in result.decision


def test_cards_say_the_level_of_their_intervals():
    old, new = rg.evaluate(
        QRELS,
        {"old": dict.fromkeys(QUERIES, at(1)), "new": {q: at(1 + i % 3) for i, q in enumerate(QUERIES)}},
        "RR",
        confidence_level=0.9,
    ).values()

    shown = first_screen(GateResult(checks=[not_worse(new, old, "RR", 0)], evaluation=new, baseline=old))

    assert [card.interval.endswith("(90%)") for card in shown["cards"]] == [True]


def test_a_shorter_list_is_not_called_worse_where_only_its_depth_decides():
    """Half of the answers stand at rank 30, which lists of ten cannot show; the first ten are the same."""
    old = {q: at(1 if i % 2 else 30, 50) for i, q in enumerate(QUERIES)}
    new = {q: x[:10] for q, x in old.items()}
    cmp = rg.compare(QRELS, {"old": old, "new": new}, ["R@50"])

    found = rg.diagnose(cmp)

    assert cmp.verdict("R@50") == "worse"
    assert "worse-than-baseline" not in found
    assert "Both cut at 10: R@50 0.5000 → 0.5000." in found["lists-end-early"].seen
    assert "do not release" not in str(found).lower()


def test_a_shorter_list_that_is_worse_at_its_own_depth_is_called_worse():
    old = {q: at(2 if i % 2 else 30, 50) for i, q in enumerate(QUERIES)}
    new = {q: at(9, 10) if i == 0 else [f"x{i}" for i in range(10)] for i, q in enumerate(QUERIES)}

    found = rg.diagnose(rg.compare(QRELS, {"old": old, "new": new}, ["R@50"]))

    assert "worse-than-baseline" in found
    assert "lists-end-early" not in found


def test_a_figure_beyond_the_end_of_all_lists_says_where_they_end():
    ev = rg.evaluate(QRELS, {q: at(1 if i % 2 else 30, 50)[:3] for i, q in enumerate(QUERIES)}, ["RR", "R@5"])

    seen = rg.diagnose(ev, scenario="faq")["below-production-minimum"].seen

    assert "R@5 0.500 (0.338 … 0.662) < 0.7 (its lists end at 3)" in seen
    assert "列表止于第 3 位" in seen.zh


def test_the_typical_rank_is_weighed_as_the_means_are():
    """Three of four queries have their answer at rank 8, and the fourth, at rank 4, has most of the weight."""
    run = {q: at(4 if i % 4 == 0 else 8, 40) for i, q in enumerate(QUERIES)}
    weights = {q: 100.0 if i % 4 == 0 else 1.0 for i, q in enumerate(QUERIES)}

    plain = rg.diagnose(rg.evaluate(QRELS, run, ["RR@20"]))["found-but-late"]
    weighed = rg.diagnose(rg.evaluate(QRELS, run, ["RR@20"], average="weighted", weights=weights))["found-but-late"]

    assert "typically at rank 8" in plain.seen
    assert "typically at rank 4" in weighed.seen


def test_an_interval_without_width_reaches_into_no_other_band():
    """All queries have P@2 0.5, where a band begins: others may change the word, but not this interval."""
    ev = rg.evaluate({q: {"a": 1, "b": 1} for q in QUERIES}, dict.fromkeys(QUERIES, at(2)), ["P@2"])

    seen = rg.diagnose(ev, rules=["weak-measure"])["weak-measure"].seen

    assert "(0.500 … 0.500)" in seen
    assert "reaches into another band" not in seen
    assert "All queries have the same value" in seen


def test_json_has_the_notes_that_are_printed_and_the_remarks_they_end_with(tmp_path: Any):
    ev = rg.evaluate({**QRELS, "lost": {"a": 1}}, dict.fromkeys(QUERIES, at(2)), ["RR"], slices={"q00": {"kind": "x"}})

    stored = json.loads(json.dumps(ev.to_dict()))

    assert stored["notes"] == list(ev.notes)
    assert any("judged queries is not in the run" in note for note in stored["notes"])
    assert stored["remarks"] == list(ev.remarks) != []
    assert rg.Evaluation.from_dict(stored).notes == ev.notes
    older = {**{k: v for k, v in stored.items() if k != "remarks"}, "notes": stored["remarks"]}
    assert rg.Evaluation.from_dict(older).notes == ev.notes


def test_notes_on_depths_funnels_and_ids_claim_their_numbers():
    old = {q: at(1 if i % 2 else 30, 50) for i, q in enumerate(QUERIES)}
    cmp = rg.compare(QRELS, {"old": old, "new": {q: x[:10] for q, x in old.items()}}, ["R@50"])
    (depth,) = cmp.notes
    (unseen,) = not_looked_at({"blind_lists": 9, "missing": 1, "queries": 10}, "run")
    head = sections(rg.funnel(QRELS, {"first": old, "second": cmp.evaluations["new"].source.run()}, k=10))[0].title

    assert {c.what for c in claims_of(depth)} == {"count", "share", "mean to depth"}
    assert [(c.value, c.measure, c.system) for c in claims_of(unseen)] == [
        (10, "nothing_found", "run"),
        (10, "queries", "run"),
    ]
    assert {c.what for c in claims_of(head)} == {"cutoff", "lost with room", "reachable"}


@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_funnel_without_anything_relevant_has_a_page(language: str):
    page = rg.report(rg.funnel({"q": {"a": 0}}, {"first": {"q": ["a"]}}, k=3), language=language)

    assert "– of the relevant items" not in page


def test_a_report_is_not_written_over_what_its_record_was_read_from(tmp_path: Path):
    (tmp_path / "qrels.txt").write_text("q 0 d 1\n")
    (tmp_path / "mine.run").write_text("q Q0 d 1 0.5 t\n")
    ev = rg.evaluate(tmp_path / "qrels.txt", tmp_path / "mine.run", "RR")

    with pytest.raises(rg.errors.ParameterError, match="would overwrite the input"):
        rg.report(ev, tmp_path / "mine.run")
    assert (tmp_path / "mine.run").read_text() == "q Q0 d 1 0.5 t\n"
