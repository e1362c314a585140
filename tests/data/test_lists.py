"""`user item item item …`, one line for each user."""

from __future__ import annotations

from pathlib import Path

import pytest

import rankgauge as rg
from rankgauge.data.formats import detect
from rankgauge.data.formats.opening import open_source
from rankgauge.errors import InputError

LISTS = "0 7 8 9\n1 7\n2\n3 5 6 7 8 9\n"


def written(path: Path, text: str) -> Path:
    path.write_text(text)
    return path


@pytest.mark.parametrize("name", ["train.txt", "test.lists", "x"])
def test_lists_are_known_by_their_content(tmp_path: Path, name: str):
    path = written(tmp_path / name, LISTS)

    run = rg.Run(path)
    assert rg.Qrels(path).to_dict() == {
        "0": {"7": 1.0, "8": 1.0, "9": 1.0},
        "1": {"7": 1.0},
        "3": dict.fromkeys("56789", 1.0),
    }
    assert {q: list(row) for q, row in run.to_dict().items()} == {
        "0": ["7", "8", "9"],
        "1": ["7"],
        "3": [*"56789"],
        "2": [],
    }
    assert run.notes[0] == "read each line as a user or query and its items, best first"


def test_the_format_can_be_said(tmp_path: Path):
    path = written(tmp_path / "x.txt", "ann d1 d2\nbob d3 d1\n")

    assert rg.read_qrels(path, format="lists").to_dict() == {
        "ann": {"d1": 1.0, "d2": 1.0},
        "bob": {"d3": 1.0, "d1": 1.0},
    }
    assert list(rg.read_run(path, format="lists").to_dict()["bob"]) == ["d3", "d1"]


@pytest.mark.parametrize(
    "text",
    [
        "1 0 7 1\n2 0 8 1\n3 0 9 1\n",  # TREC qrels
        "1 0 7 1\n2 0 8 1\n3 0 9 1 5\n4 0 9 1\n",  # with a line that is too long
        "1 0 7 1\n1 0 8 0\n2 0 9 1 9 9\n3 0 9\n",  # a query twice
        "1 7 1\n2 8 1\n",
        "1 Q0 7 1 3.0 t\n2 Q0 8 1 3.0 t\n3 Q0 9 1 2.0\n",
    ],
)
def test_tables_are_not_taken_for_lists(tmp_path: Path, text: str):
    assert detect(open_source(written(tmp_path / "x.txt", text), "qrels"))[0].name != "lists"


def test_a_user_twice_is_an_error_of_a_run(tmp_path: Path):
    path = written(tmp_path / "x.lists", "1 7 8\n2 5\n1 9\n")

    with pytest.raises(InputError, match="line 3: query '1' has a list already, on line 1"):
        rg.Run(path)


def test_real_sequences_are_all_there(shared: Path):
    table = rg.Qrels(shared / "s3rec_toys" / "Toys_and_Games.txt.gz")

    assert (len(table.query_ids), len(table)) == (19412, 167597)
