"""Gold that is longer than what is read: what leads, what is rated, and what is said of it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import rankgauge as rg
from rankgauge.evaluation.rankings.too_long import TooLong, said_of_too_long, telling, too_long
from rankgauge.reporting.page.writing import report

MEASURES = ["R@2", "nDCG@2", "SpanRecall@2", "RR"]


def lists(length: int, n: int = 12) -> tuple[rg.Spans, dict[str, list[tuple[str, int, int]]]]:
    """Each query needs 100 characters; its first pieces are from there, one after the other, and each has a length."""
    gold = rg.Spans({f"q{i}": [(f"d{i}", 0, 100)] for i in range(n)})
    pieces = {
        f"q{i}": [(f"d{i}", a, min(a + length, 100 + i)) for a in range(0, 100, length)] + [("x", 0, length)]
        for i in range(n)
    }
    return gold, pieces


def naive(gold: rg.Spans, pieces, k: int) -> int:
    """Needs with more characters than the first k pieces together."""
    return sum(
        len({(d, x) for d, s, e in need.alternatives[0] for x in range(s, e)}) > sum(e - s for _, s, e in pieces[q][:k])
        for q, needs in gold.needs.items()
        for need in needs
    )


@pytest.mark.parametrize("length", [20, 40, 50, 60, 110])
def test_needs_that_are_too_long_are_counted_for_each_measure(length: int):
    gold, pieces = lists(length)
    ev = rg.evaluate(gold, pieces, MEASURES)

    found = {label: too_long(ev, label) for label in MEASURES}

    expected = naive(gold, pieces, 2)
    alone = naive(gold, pieces, 1)  # the best place of RR is the first
    assert found["R@2"] == found["nDCG@2"] == (TooLong(expected, 12) if expected else None)
    assert found["RR"] == (TooLong(alone, 12) if alone else None)
    assert found["SpanRecall@2"] is None


def test_a_measure_of_parts_leads_where_most_needs_are_too_long(tmp_path: Path):
    gold, pieces = lists(20)
    ev = rg.evaluate(gold, pieces, MEASURES)

    assert ev["R@2"] == 0
    assert telling([ev], ev.labels) == ["SpanRecall@2"]
    page = report(ev)
    assert "has SpanRecall@2 0.4000" in page
    assert "R@2, nDCG@2, RR say little here, and SpanRecall@2 leads: 12 of 12 needs are longer" in page
    assert "R@2、nDCG@2、RR 在此说明不了什么，以 SpanRecall@2 为主" in page
    ev.to_json(tmp_path / "ev.json")
    stored = rg.load(tmp_path / "ev.json")
    assert stored.counts["too_long_by"] == {"R@2": 12, "nDCG@2": 12, "RR": 12}
    assert said_of_too_long(stored, "SpanRecall@2") == said_of_too_long(ev, "SpanRecall@2")


def test_what_is_named_first_leads_where_needs_fit():
    gold, pieces = lists(50)
    ev = rg.evaluate(gold, pieces, MEASURES)

    assert telling([ev], ev.labels) == ["R@2", "nDCG@2", "SpanRecall@2"]  # no piece alone holds a need
    assert said_of_too_long(rg.evaluate(gold, pieces, ["R@2"])) is None
    assert telling([rg.evaluate(gold, lists(20)[1], ["R@2"])], ["R@2"]) == ["R@2"]  # nothing else was asked for


def test_measures_that_cannot_find_what_is_needed_are_in_no_band_and_held_to_no_figure():
    gold, pieces = lists(20)
    ev = rg.evaluate(gold, pieces, ["R@5", "nDCG@2", "R@2", "SpanRecall@2"])

    found = rg.rate(ev, scenario="document_qa")

    assert [row.measure for row in found if row.too_long] == ["nDCG@2", "R@2"]
    assert found["R@2"].rating is None
    assert found["R@2"].asked == ()
    assert found["R@5"].rating is not None  # five pieces of 20 hold 100
    assert "Not rated: nDCG@2, R@2 say little here: 12 of 12 needs are longer" in str(found)
    assert "No bands are known of SpanRecall@2." in str(found)
    # R@5 is 1; R@2 would be poor, and RR, which nobody asked for, below the minimum for production
    assert not {"weak-measure", "below-production-minimum"} & {*rg.diagnose(ev, scenario="document_qa").codes}


def test_a_comparison_is_headed_by_what_says_something_of_both():
    gold, short = lists(20)
    _, long = lists(40)
    cmp = rg.compare(gold, {"short": short, "long": long}, ["R@2", "nDCG@2", "SpanRecall@2"])

    assert "long is better than short: SpanRecall@2 0.4000 → 0.8000" in str(cmp)
    assert cmp["nDCG@2", "long"].verdict == "better"  # and still it does not lead
    assert "SpanRecall@2 0.4000 → 0.8000" in report(cmp)


def test_recall_of_spans_that_is_low_says_how_much_is_there():
    n = 20
    gold = rg.Spans({f"q{i}": [(f"d{i}", 0, 100), (f"e{i}", 0, 50)] for i in range(n)})
    others = [("x", 10 * j, 10 * j + 5) for j in range(12)]
    pieces = {f"q{i}": [(f"d{i}", 0, 40 + i), *([(f"e{i}", 0, 50)] if i == 3 else []), *others] for i in range(n)}
    ev = rg.evaluate(gold, pieces, ["R@5", "SpanRecall@5"])

    found = rg.diagnose(ev)["recall-low-everywhere"]

    part = np.mean([((40 + i) / 100 + (i == 3)) / 2 for i in range(n)])
    assert f"hold {part:.0%} of the text that is needed (SpanRecall)" in found.seen
    assert "of 40 needs 1 is found, 20 are there in part and 19 are not at all" in found.seen
    assert "40 个信息点中，1 个已找到，20 个只有一部分，19 个完全没有" in found.seen.zh
    assert "never retrieved" not in str(found)
    assert found.severity == "warning"  # most of what is needed is there in part
    assert found.evidence[0] == "q0 (0.20)"
