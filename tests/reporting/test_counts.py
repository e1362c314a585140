"""Every count has a name in both languages, and one place reads the keys that are made of parts."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

import rankgauge as rg
from rankgauge._text import Text
from rankgauge.reporting.counts import NAMES, name_of, one_by_one
from rankgauge.reporting.page.gathering import gather
from rankgauge.reporting.page.screens.contract import screen

SOURCE = Path(rg.__file__).parent
QRELS = {"q1": {"a": 1, "b": 0.5}, "q2": {"c": 0.5}}
RANKED = rg.evaluate(QRELS, {"q1": ["a", "b"], "q2": ["c"]}, ["RR", "nDCG@5"])
SCORED = rg.evaluate_predictions({"label": [0, 1, 0, 1], "score": [0.1, 0.8, 0.3, 0.4], "user": [1, 1, 2, 2]})
COVERED = rg.evaluate(rg.Spans({"q": [("d", 0, 100)]}), {"q": [("d", 0, 10)]}, ["R@5"])
SEVERAL = rg.evaluate_predictions({"label": ["a", "b", "c"], "prediction": ["a", "b", "b"]})


def test_the_examples_have_counts_of_every_kind():
    """`nDCG` finds a gain in a grade of 0.5, `RR` nothing relevant: they are counted one by one."""
    assert RANKED.counts["without_relevant_by"] == {"RR": 1, "nDCG@5": 0}
    assert COVERED.counts["too_long_by"] == {"R@5": 1}
    there = {*RANKED.counts, *SCORED.counts, *SEVERAL.counts, *COVERED.counts}
    assert there - {"judged@5", "without_relevant_by", "too_long_by"} == set(NAMES)


@pytest.mark.parametrize("ev", [RANKED, SCORED, SEVERAL, COVERED], ids=["rankings", "predictions", "classes", "spans"])
def test_every_count_has_a_name_in_both_languages(ev: Any):
    names = {key: name_of(key) for key in one_by_one(ev.counts)}

    assert {key for key, name in names.items() if not isinstance(name, Text) or name.zh.isascii()} == set()
    assert len(set(names.values())) == len(names)


def test_what_is_counted_for_each_measure_has_a_row_for_each():
    assert one_by_one({"a": 1, "without_relevant_by": {"RR": 1, "AP": 0}}) == {
        "a": 1,
        "without_relevant_by:RR": 1,
        "without_relevant_by:AP": 0,
    }
    assert name_of("without_relevant_by:RR") == "without an item relevant to RR"


def test_the_page_shows_what_any_of_the_systems_counts():
    """Only the second evaluation has measures that do not agree."""
    alike = rg.evaluate(QRELS, {"q1": ["a"]}, ["RR"])
    story = gather([alike, RANKED], language="en", title=None)

    shown = screen(story)

    assert shown is not None
    rows = {str(row[0].text): [cell.text for cell in row[1:]] for row in shown["counts"].rows}
    assert rows["without an item relevant to RR"] == ["–", "1"]


def test_one_place_takes_the_key_of_judged_results_apart():
    taking = re.compile(r'(startswith|removeprefix)\("judged@"|f"judged@\{')
    found = {str(p.relative_to(SOURCE)) for p in SOURCE.rglob("*.py") if taking.search(p.read_text(encoding="utf-8"))}

    # an audit has no counts: it looks at the first results of a depth of its own
    assert found - {"data/audit/coverage.py", "data/audit/record.py"} == set()
