"""A story is complete and fixed before anything is drawn: screens do not compute."""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator, Mapping
from dataclasses import FrozenInstanceError, fields, is_dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import pytest

import rankgauge as rg
from rankgauge.comparison.record import Comparison
from rankgauge.errors import RankgaugeError
from rankgauge.evaluation.predictions.record import PredictionEvaluation
from rankgauge.gate.checks import at_least, not_worse
from rankgauge.gate.result import GateResult
from rankgauge.reporting.page.fact import Fact
from rankgauge.reporting.page.gathering import gather
from rankgauge.reporting.page.story import Story
from rankgauge.reporting.page.writing import SCREENS, page_of
from source import parsed

REPORTING = Path(rg.__file__).parent / "reporting"
QRELS = {f"q{i}": {"a": 2, "b": 1, "c": 0, f"d{i}": 1} for i in range(30)}
OLD = {q: ["c", "x", "a", "b"] for q in QRELS}
NEW = {q: ["a", "c", "b", "y", f"d{i}"] if i % 3 else ["x", "c", "a"] for i, q in enumerate(QRELS)}
SLICES = {q: {"kind": "odd" if int(q[1:]) % 2 else "even"} for q in QRELS}
ROWS = {
    "label": [0, 1, 1, 0] * 30,
    "score": [float(x) for x in np.linspace(0.05, 0.95, 120)],
    "country": ["de", "cn"] * 60,
}


def failing(query: str, k: int) -> list[str]:
    """A retriever that cannot always be reached."""
    if query.endswith("1"):
        raise ConnectionError("no route")
    return ["a", "b"][:k]


def gated() -> GateResult:
    old, new = rg.evaluate(QRELS, {"old": OLD, "new": NEW}, ["nDCG@10", "RR"]).values()
    return GateResult(checks=[at_least(new, "RR", 0.9), not_worse(new, old, "RR", 0)], evaluation=new, baseline=old)


def over_weeks() -> list[Any]:
    ev = rg.evaluate(QRELS, NEW, ["nDCG@10"])
    with TemporaryDirectory() as folder, rg.History(Path(folder) / "history.db") as history:
        for day in ("2026-11-01", "2026-11-08"):
            history.add(ev, at=day)
        return [ev, rg.trend(history)]


RECORDS = {
    "comparison": lambda: rg.compare(QRELS, {"old": OLD, "new": NEW}, ["nDCG@10", "RR"], slices=SLICES),
    "recommended": lambda: rg.compare(
        QRELS,
        {"old": OLD, "new": NEW},
        ["nDCG@10", "Coverage@10"],
        train={q: ["a", "b"] if i % 2 else ["c", "z"] for i, q in enumerate(QRELS)},
    ),
    "budgeted": lambda: rg.compare(
        QRELS,
        {"old": OLD, "new": NEW},
        ["R(budget=20t)"],
        documents={d: "word " * (1 + len(d)) for d in ["a", "b", "c", "x", "y", *(f"d{i}" for i in range(30))]},
    ),
    "evaluation": lambda: rg.evaluate(QRELS, NEW, ["nDCG@10"], slices=SLICES),
    "evaluations": lambda: rg.evaluate(QRELS, {"old": OLD, "new": NEW}, ["nDCG@10"]),
    "predictions": lambda: rg.evaluate_predictions(ROWS, slices=["country"]),
    "funnel": lambda: rg.funnel(QRELS, {"first": OLD, "second": NEW}, k=3),
    "answered": lambda: [
        ev := rg.evaluate(QRELS, NEW, ["nDCG@10"]),
        ev.answers({q: i % 4 > 0 for i, q in enumerate(QRELS)}),
    ],
    "asked": lambda: rg.evaluate(QRELS, rg.collect({q: q for q in QRELS}, failing, 3), ["nDCG@10"]),
    "gate": gated,
    "over weeks": over_weeks,
    "classes": lambda: rg.evaluate_predictions(
        {"label": ["a", "b", "c"] * 20, "old": ["a", "b", "b"] * 20, "new": ["a", "c", "c"] * 20},
        prediction=["old", "new"],
    ),
}
SHOWN = {
    "comparison": {"verdict", "differences", "queries", "by_cutoff", "slices", "judgements", "contract"},
    "recommended": {"verdict", "differences", "queries", "by_cutoff", "tradeoff", "items", "judgements", "contract"},
    "budgeted": {"verdict", "differences", "queries", "by_cutoff", "by_budget", "judgements", "contract"},
    "predictions": {"verdict", "scores", "contract"},
    "classes": {"verdict", "classes", "contract"},
    "funnel": {"verdict", "funnel", "contract"},
    "answered": {"verdict", "queries", "by_cutoff", "answers", "judgements", "contract"},
    "asked": {"verdict", "queries", "by_cutoff", "asked", "judgements", "contract"},
    "over weeks": {"verdict", "queries", "by_cutoff", "trend", "judgements", "contract"},
    "gate": {"verdict", "result", "differences", "queries", "by_cutoff", "judgements", "contract"},
}
COMPUTING = (
    "comparison.comparing.compare",
    "comparison.tradeoff.tradeoff",
    "comparison.movement.movements",
    "diagnosis.diagnosing.diagnose",
    "diagnosis.order_and_probability.reading",
    "diagnosis.rating.rating_of",
    "evaluation.of_rankings.evaluate",
    "evaluation.rankings.answers.answers",
    "evaluation.rankings.by_budget.by_budget",
    "evaluation.rankings.by_budget.by_same_budgets",
    "evaluation.rankings.by_cutoff.by_cutoff",
    "evaluation.rankings.by_item_group.by_item_group",
    "evaluation.rankings.ceiling.ceilings",
    "evaluation.rankings.judgement_health.judgement_health",
    "evaluation.predictions.score_histogram.score_histogram",
    "evaluation.predictions.thresholds.choose_threshold",
    "calibration.diagram.reliability",
    "calibration.judge.calibrate",
    "calibration.segments.worst_segments",
    "data.document_texts.read_texts",
    "measures.explanation.explain",
    "reporting.figures.curves.curves_of",
    "reporting.figures.curves.place_of",
)
"""Where verbs live."""


ASKING = {
    Comparison: ("winner", "moved", "queries", "query"),
    PredictionEvaluation: ("evaluate", "curve", "confusion", "difference"),
}
"""Methods that ask something new; what a record works out of itself when first read (`interval`) is its own."""


def story_of(name: str) -> Story:
    return gather(RECORDS[name](), language="en", title=None, scenario="faq" if name == "evaluation" else None)


def drawn(story: Story) -> str:
    """The page without the minute in which it was made."""
    return re.sub(r"\d{4}-\d\d-\d\d \d\d:\d\d UTC", "now", page_of(story))


def forbid_computing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every verb raises, under whatever name a module knows it."""

    def refused(*args: Any, **options: Any) -> Any:
        raise AssertionError("a screen computes")

    for place in COMPUTING:
        home, _, name = place.rpartition(".")
        getattr(rg, name, None)  # loaded now: a name first used below would keep the one that raises
        verb = getattr(sys.modules[f"rankgauge.{home}"], name)
        for module in [m for n, m in list(sys.modules.items()) if n.startswith("rankgauge") and m is not None]:
            for known, value in list(vars(module).items()):
                if value is verb:
                    monkeypatch.setattr(module, known, refused)
    for record, methods in ASKING.items():
        for method in methods:
            monkeypatch.setattr(record, method, refused)


@pytest.mark.parametrize("name", RECORDS)
def test_every_screen_is_drawn_without_computing(name: str, monkeypatch: pytest.MonkeyPatch):
    story = story_of(name)
    expected = drawn(story)

    forbid_computing(monkeypatch)

    assert drawn(story) == expected
    with pytest.raises(AssertionError, match="a screen computes"):
        gather(RECORDS["evaluations"](), language="en", title=None)


def test_the_records_above_bring_all_screens():
    seen: set[str] = set()
    for name, screens in SHOWN.items():
        page = page_of(story_of(name))
        shown = {screen for screen in SCREENS if f'<section id="{screen.replace("_", "-")}"' in page}
        assert shown == screens, name
        seen |= shown

    assert seen == set(SCREENS)


# nothing is changed any more

LISTS = (list, dict, set)


def parts(value: Any, where: str) -> Iterator[tuple[str, Any]]:
    """Everything that a story itself is made of; records are their own."""
    yield where, value
    if isinstance(value, tuple):
        for i, x in enumerate(value):
            yield from parts(x, f"{where}[{i}]")
    elif isinstance(value, Mapping):
        for key, x in value.items():
            yield from parts(x, f"{where}[{key!r}]")
    elif is_dataclass(value) and type(value).__module__.startswith("rankgauge.reporting.page"):
        for f in fields(value):
            yield from parts(getattr(value, f.name), f"{where}.{f.name}")


@pytest.mark.parametrize("name", RECORDS)
def test_a_story_cannot_be_changed(name: str):
    story = story_of(name)

    assert [where for where, value in parts(story, "story") if type(value) in LISTS] == []
    with pytest.raises(FrozenInstanceError):
        story.title = "another"  # type: ignore[misc]
    with pytest.raises(TypeError):
        story.anchors["q1"] = "elsewhere"  # type: ignore[index]


def test_facts_have_codes_and_are_the_only_source_of_the_head():
    story = story_of("comparison")

    assert all(isinstance(f, Fact) and f.code for f in story.facts)
    assert story.facts[0].text in page_of(story)


# who may compute

ROOMS = ("engines", "evaluation", "comparison", "experiments", "behavior", "calibration", "diagnosis", "gate")
"""Their functions compute; their classes are records."""


def imported(path: Path) -> Iterator[tuple[str, str]]:
    for node in ast.walk(parsed(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom):
            yield from ((node.module or "", alias.name) for alias in node.names)
        elif isinstance(node, ast.Import):
            yield from ((alias.name, "") for alias in node.names)


def verbs_of(path: Path) -> list[str]:
    """What a module imports from rooms that compute and is no record."""
    rooms = tuple(f"rankgauge.{room}" for room in ROOMS)
    return [
        f"{module}.{name}" for module, name in imported(path) if module.startswith(rooms) and not name[:1].isupper()
    ]


@pytest.mark.parametrize("folder", ["page/screens", "charts"])
def test_what_draws_imports_records_and_no_verbs(folder: str):
    found = {path.name: verbs_of(path) for path in sorted((REPORTING / folder).glob("*.py"))}

    assert len(found) > 3
    assert {name: verbs for name, verbs in found.items() if verbs} == {}


def test_only_gathering_computes_for_the_page():
    """Others may filter and word what records hold: `errors_of`, `noted`, …"""
    gathering = REPORTING / "page" / "gathering"
    computing = {place.rpartition(".")[2] for place in COMPUTING}
    others = [p for p in (REPORTING / "page").rglob("*.py") if not p.is_relative_to(gathering)]

    assert {p.name: v for p in others if (v := {x.rpartition(".")[2] for x in verbs_of(p)} & computing)} == {}
    assert any(verbs_of(p) for p in gathering.glob("*.py"))


# gaps


def test_rows_that_cannot_answer_a_question_leave_a_gap_and_a_page():
    """Five rows have no threshold that could be reported on other rows."""
    ev = rg.evaluate_predictions({"label": [1, 1, 0, 1, 1, 1, 1], "score": [0.9, 0.8, 0.2, 0.7, 0.6, 0.9, 0.8]}, "AUC")

    with pytest.raises(RankgaugeError):
        rg.choose_threshold(ev, "F1")
    assert '<section id="scores"' in rg.report(ev)


# records that were made apart


def stored(record: Any, folder: Path) -> Any:
    record.to_json(folder / f"{record.kind}.json")
    return rg.load(folder / f"{record.kind}.json")


@pytest.mark.parametrize("measure", ["RR", "P@5"])
@pytest.mark.parametrize("baseline", [False, True], ids=["alone", "with a baseline"])
@pytest.mark.parametrize("is_stored", [False, True], ids=["in memory", "stored"])
def test_a_gate_and_a_comparison_share_a_page_in_either_order(
    measure: str, baseline: bool, is_stored: bool, tmp_path: Path
):
    old, new = rg.evaluate(QRELS, {"old": OLD, "new": NEW}, ["RR"]).values()
    rules = [at_least(new, "RR", 0.9), *([not_worse(new, old, "RR", 0)] if baseline else [])]
    records = [
        GateResult(checks=rules, evaluation=new, baseline=old if baseline else None),
        rg.compare(QRELS, {"old": OLD, "other": OLD, "new": NEW}, [measure]),
    ]
    if is_stored:
        records = [stored(record, tmp_path) for record in records]

    stories = [gather(order, language="en", title=None) for order in (records, records[::-1])]

    for story in stories:
        assert list(story.rankings) == ["old", "other", "new"]
        assert (story.leader, story.measure) == ("new", measure)
        assert story.comparison is records[1]
        assert {"verdict", "result", "differences"} <= set(re.findall(r'<section id="([^"]+)"', page_of(story)))
    assert drawn(stories[0]) == drawn(stories[1])


def test_the_rule_about_one_baseline_explains_no_comparison_with_another():
    old, new = rg.evaluate(QRELS, {"old": OLD, "new": NEW}, ["RR"]).values()
    gate = GateResult(checks=[not_worse(new, old, "RR", 0.9)], evaluation=new, baseline=old)
    worse = rg.compare(QRELS, {"best": {q: ["a"] for q in QRELS}, "new": NEW}, ["RR"])

    said = [f.text for f in gather([gate, worse], language="en", title=None).facts if f.kind == "verdict"]

    assert len(said) == 1
    assert "best" in said[0]
    assert "The rule" not in said[0]


@pytest.mark.parametrize("is_stored", [False, True], ids=["in memory", "stored"])
def test_an_evaluation_with_other_measures_stands_beside_the_comparison(is_stored: bool, tmp_path: Path):
    records = [rg.evaluate(QRELS, OLD, ["R@5"]), rg.compare(QRELS, {"old": OLD, "new": NEW}, ["RR"])]
    if is_stored:
        records = [stored(record, tmp_path) for record in records]

    story = gather(records, language="en", title=None)
    page = page_of(story)

    assert list(story.rankings) == ["old", "new"]
    assert story.others == (records[0],)
    assert f"{records[0]['R@5']:.4f}" in page


def test_evaluations_without_a_common_measure_stand_beside_each_other():
    first, second = rg.evaluate(QRELS, OLD, ["R@5"]), rg.evaluate(QRELS, NEW, ["RR"])

    story = gather([first, second], language="en", title=None)
    page = page_of(story)

    assert story.title.endswith(": 2 evaluations")
    assert (story.measure, list(story.rankings), story.others) == ("R@5", ["run"], (second,))
    assert f"{second['RR']:.4f}" in page


def test_evaluations_with_one_measure_in_common_are_told_by_it():
    story = gather([rg.evaluate(QRELS, OLD, ["R@5", "RR"]), rg.evaluate(QRELS, NEW, ["RR"])], language="en", title=None)

    assert (story.measure, len(story.rankings), story.others) == ("RR", 2, ())


def test_evaluations_of_other_queries_are_matched_by_query():
    some = dict(list(QRELS.items())[10:20])
    found = [rg.evaluate(QRELS, NEW, ["RR"]), rg.evaluate(some, OLD, ["RR"])]

    story = gather(found, language="en", title=None)

    each = [ev.column("RR").values for ev in found]
    at = [
        {q: float(v) for q, v in zip(ev.query_ids, values, strict=True)} for ev, values in zip(found, each, strict=True)
    ]
    assert {x.query: x.values for x in story.values} == {q: (at[0][q], at[1][q]) for q in some}
