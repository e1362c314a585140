"""What records of behaviour say, once each."""

from __future__ import annotations

import polars as pl
from shown_records import record

from rankgauge import behavior as rb
from rankgauge._text import in_language
from rankgauge.reporting import render, sections


def pairs(*clicks: int) -> rb.Corrected:
    """Items d0, d1, … with 50 impressions at each of two positions and so many clicks at both."""
    rows = [
        {"query_id": "q", "item_id": f"d{i}", "position": p, "impressions": 50, "clicks": c}
        for i, c in enumerate(clicks)
        for p in (1, 2)
    ]
    frame = pl.DataFrame(rows)
    return rb.relevance(frame, rb.position_bias(frame))


def test_what_is_left_out_is_said_once_as_a_warning():
    (said,) = sections(record("position bias of a part"))
    told = [t for t in (*said.warnings, *said.notes) if "cannot be joined" in t]

    assert len(told) == 1
    assert told == list(said.warnings)
    assert "无法" in in_language(told[0], "zh")


def test_few_pairs_are_all_the_pairs():
    few, many = (sections(pairs(*[5] * n))[0] for n in (10, 11))

    assert len(few.grid.rows) == len(many.grid.rows) == 10
    assert "the 10 pairs with most clicks" in many.notes
    assert "the 10 pairs with most clicks" not in few.notes


def test_pairs_with_equal_clicks_are_in_the_order_of_their_ids():
    (said,) = sections(pairs(5, 9, 5, 9, 5))

    assert [row[1].text for row in said.grid.rows] == ["d1", "d3", "d0", "d2", "d4"]


def test_choices_that_flip_the_order_have_their_names_in_the_language():
    text = render(record("sensitivity that flips"), "text", "zh")

    assert text.startswith("7 种替代方案中有 3 种使系统次序翻转（“只看购买”、“0.1/0.3/0.6”、“整数等级”）：")
    assert "purchases only" not in text
    assert "purchases only" in render(record("sensitivity that flips"), "text")
