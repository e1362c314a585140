"""Tables for spreadsheets: nothing in them is run, numbers stay numbers, slices are there."""

from __future__ import annotations

import csv
from dataclasses import dataclass
from io import StringIO
from typing import Any

import pytest

import rankgauge as rg
from rankgauge.reporting import Section, render
from rankgauge.reporting.grid import Grid
from rankgauge.reporting.plain_text import plain

QRELS = {"q1": {"a": 1}, "q2": {"b": 1}, "q3": {"c": 1}}
RUN = {"q1": ["a"], "q2": ["x", "b"], "q3": ["x", "y", "z", "c"]}
SLICES = {"q1": {"kind": "head"}, "q2": {"kind": "tail"}, "q3": {"kind": "tail"}}


@dataclass
class Record:
    rows: list[dict[str, Any]]

    def csv_rows(self) -> list[dict[str, Any]]:
        return self.rows


class Judgements(Record):
    """As the record of that name: its table is read back."""

    is_input = True


def read(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(StringIO(text)))


@pytest.mark.parametrize("cell", ["=1+1", "+cmd|' /C calc'!A0", "-2+3", "@SUM(A1)", "\tx", "=A1,\n", "-"])
def test_a_cell_that_a_spreadsheet_would_run_becomes_text(cell: str):
    (row,) = read(render(Record([{"run": cell, "value": 0.5}]), "csv"))

    assert row == {"run": f"'{cell}", "value": "0.5"}


@pytest.mark.parametrize("cell", [-0.5, -3, "-0.5", "+1e-3", "-inf", "a=b", "nDCG@10", "", None, "1+1", " =1"])
def test_numbers_and_other_texts_stay_as_they_are(cell: object):
    (row,) = read(render(Record([{"run": "x", "value": cell}]), "csv"))

    assert row["value"] == ("" if cell is None else str(cell))


def test_a_carriage_return_ends_no_row():
    assert read(render(Record([{"run": "\r=1", "value": "a\rb"}]), "csv")) == [{"run": " =1", "value": "a b"}]


def test_a_heading_is_a_cell_like_others():
    (row,) = read(render(Record([{"=1+1": 1}]), "csv"))

    assert row == {"'=1+1": "1"}


def test_every_row_brings_its_columns():
    rows = read(render(Record([{"run": "x"}, {"run": "y", "between": 1}, {"run": "z"}]), "csv"))

    assert [row["between"] for row in rows] == ["", "1", ""]


def test_judgements_are_read_back_and_keep_their_ids():
    (row,) = read(render(Judgements([{"query_id": "=1+1", "item_id": "-x"}]), "csv"))

    assert row == {"query_id": "=1+1", "item_id": "-x"}


def test_slices_follow_the_numbers_of_all_queries():
    ev = rg.evaluate(QRELS, RUN, ["RR", "Hit@1"], slices=SLICES)

    rows = read(ev.to_csv())

    assert list(rows[0]) == ["measure", "definition", "value", "low", "high", "n", "tie_width", "slice", "slice_value"]
    assert [(r["measure"], r["slice"], r["slice_value"], r["n"], float(r["value"])) for r in rows] == [
        ("RR", "", "", "3", pytest.approx((1 + 1 / 2 + 1 / 4) / 3)),
        ("Hit@1", "", "", "3", pytest.approx(1 / 3)),
        ("RR", "kind", "head", "1", 1.0),
        ("Hit@1", "kind", "head", "1", 1.0),
        ("RR", "kind", "tail", "2", (1 / 2 + 1 / 4) / 2),
        ("Hit@1", "kind", "tail", "2", 0.0),
    ]


def test_slices_of_several_runs_name_their_run():
    evs = rg.evaluate(QRELS, {"one": RUN, "two": {"q1": ["a"]}}, "RR", slices=SLICES)

    rows = read(evs.to_csv())

    assert [(r["run"], r["slice_value"], float(r["value"])) for r in rows if r["slice"]] == [
        ("one", "head", 1.0),
        ("one", "tail", 0.375),
        ("two", "head", 1.0),
        ("two", "tail", 0.0),
    ]


def test_without_slices_there_are_no_columns_for_them():
    assert "slice" not in read(rg.evaluate(QRELS, RUN, "RR").to_csv())[0]


def test_headings_of_tables_command_no_terminal():
    assert "\x1b" not in plain([Section(grid=Grid(["\x1b[2Jname"], []))])
