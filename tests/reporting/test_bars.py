"""Pictures of characters: bars of values, intervals around zero, and what a terminal has room for."""

from __future__ import annotations

import io
import re
from math import nan

import pytest
from rich.console import Console
from shown_records import record

from rankgauge._text import Text
from rankgauge.reporting import sections
from rankgauge.reporting.bars import BAR, STRIP, interval_strips, value_bar, value_bars
from rankgauge.reporting.grid import Cell, Grid, Section
from rankgauge.reporting.plain_text import plain, print_sections, width


def shown(made: list[Section], columns: int, language: str = "en") -> str:
    console = Console(width=columns, force_terminal=True, file=io.StringIO(), highlight=False)
    print_sections(made, console, language)
    return re.sub(r"\x1b\[[0-9;]*m", "", console.file.getvalue())  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("x", "bar"),
    [(0, ""), (1, "█" * 10), (0.55, "█████▌"), (0.01, "▏"), (0.5125, "█████▏"), (nan, ""), (1.2, "█" * 10), (-1, "")],
)
def test_a_value_is_as_long_as_it_is_large(x: float, bar: str):
    assert value_bar(x) == bar.ljust(BAR)


def test_only_measures_from_0_to_1_have_bars():
    assert value_bars([(0.5, (0, 1)), (0.5, (0, float("inf")))]) == ["█████     ", ""]
    assert value_bars([(0.5, (0, float("inf")))]) == ()


def test_all_intervals_of_a_table_share_their_scale():
    wide, narrow, left = interval_strips([(-0.1, 0.0, 0.1), (0.05, 0.06, 0.08), (-0.1, -0.09, -0.08)])

    assert wide == "──────────●──────────"
    assert narrow == "          │    ─●──  "
    assert left == "─●─       │          "
    assert {len(s) for s in (wide, narrow, left)} == {STRIP}


def test_zero_stands_where_the_interval_crosses_it():
    assert interval_strips([(-0.5, 0.5, 1.0)]) == ["     ─────│────●─────"]


def test_an_estimate_without_interval_is_a_point_and_nothing_is_nothing():
    assert interval_strips([(nan, 1.0, nan), (nan, nan, nan)]) == ["          │         ●", "          │          "]
    assert interval_strips([(0.0, 0.0, 0.0)]) == ()


def test_a_lower_value_lies_left_even_where_lower_is_better():
    [_, table, *_] = sections(record("comparison of models"))
    auc, loss = table.grid.pictures  # type: ignore[union-attr]

    assert auc.index("●") < STRIP // 2 < loss.index("●")


def test_pictures_are_for_terminals_only():
    made = sections(record("comparison"))

    assert "●" in shown(made, 140)
    assert "●" not in plain(made)


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize(
    "name", ["comparison", "comparison of models", "funnel", "prediction evaluations", "evaluation"]
)
def test_tables_fit_a_hundred_columns_without_a_cut_number(name: str, language: str):
    text = shown(sections(record(name)), 100, language)

    assert max(width(line) for line in text.splitlines()) <= 100
    assert not re.search(r"\d…", text)


def test_a_narrow_terminal_leaves_out_spare_columns_and_says_so():
    header = [Text("measure", "指标"), "mean", Text("effect", "效应量"), "p"]
    grid = Grid(header, [[Cell("RR"), Cell("0.5000"), Cell("1.25"), Cell("0.040")]], spare=[2], pictures=["●●●●●●"])
    made = [Section("t", grid)]

    assert "1.25" in shown(made, 60)
    assert "●" in shown(made, 60)
    assert "not shown" not in shown(made, 60)
    narrow = shown(made, 26)
    assert "1.25" not in narrow
    assert "0.040" in narrow
    assert "not shown, the terminal is too narrow: effect" in " ".join(narrow.split())
    assert "终端太窄，未显示：效应量" in "".join(shown(made, 26, "zh").split())


def test_long_names_over_numbers_are_cut_where_there_is_no_room():
    name = "a-very-long-name-of-a-system"
    grid = Grid(["measure", name, name], [[Cell("RR"), Cell("0.5000"), Cell("0.6000")]])

    narrow = shown([Section("t", grid)], 40)
    assert "a-very-…" in narrow
    assert "0.6000" in narrow
    assert name in shown([Section("t", grid)], 100)


def test_verdicts_stand_in_a_frame_of_their_colour():
    tones = [s.tone for s in sections(record("comparison"))[:3]]

    assert tones == ["good", "good", "open"]
    assert sections(record("comparison of models"))[0].tone == "bad"
    assert sections(record("gate"))[0].tone == "bad"
    assert sections(record("funnel"))[0].tone == "open"
    assert shown(sections(record("gate")), 100).startswith("╭")
