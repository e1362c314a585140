"""Quotes out of place in CSV files: which line, and what to do."""

from pathlib import Path

import pytest

import rankgauge as rg
from rankgauge.behavior import read_log
from rankgauge.data.formats.quotes import stray_quotes
from rankgauge.errors import InputError

HEAD = "query_id,doc_id,score\n"
CASES = {
    "not closed": ('q1,d1,0.5\nq1,"d2,0.4\nq1,d3,0.3\n', 3, "a quote that is not closed"),
    "inside an id": ('q1,d1,0.5\nq1,5" nail,0.4\nq1,d3,0.3\n', 3, "a quote in the middle of a field"),
    "in two lines": ('q1,5" nail,0.5\nq1,6" nail,0.4\nq1,d3,0.3\n', 2, "a quote in the middle of a field"),
    "behind the score": ('q1,d1,0.5\nq1,d2,0.4"\n', 3, "a quote in the middle of a field"),
    "text behind it": ('q1,"d1"x,0.5\nq1,d2,0.4\n', 2, "text behind a closing quote"),
    "dropped by others": ('q1,"d1"x"",0.5\nq1,d2,0.4\n', 2, "text behind a closing quote"),
    "behind a line break": ('q1,"a ""b""",0.5\n\nq1,"d2" ,0.4\n', 4, "text behind a closing quote"),
}


@pytest.mark.parametrize(("text", "line", "what"), CASES.values(), ids=CASES.keys())
def test_the_line_of_a_stray_quote_is_named(tmp_path: Path, text: str, line: int, what: str):
    (tmp_path / "run.csv").write_text(HEAD + text)

    with pytest.raises(InputError) as caught:
        rg.read_run(tmp_path / "run.csv")

    assert str(caught.value).startswith(f"run 'run.csv', line {line}: {what}: 'q1,")
    assert "Inside a quoted field a quote is written twice" in str(caught.value)


def test_quotes_that_are_right_are_read(tmp_path: Path):
    (tmp_path / "run.csv").write_text(HEAD + 'q1,"5"" nail",0.5\n"q,1","d,2",0.4\nq1,d"3"x,0.3\n')

    assert rg.read_run(tmp_path / "run.csv").to_frame()["doc_id"].to_list() == ['5" nail', "d,2", 'd"3"x']


def test_quoted_line_breaks_are_counted():
    assert [(q.line, q.is_kept) for q in stray_quotes('a,"b\nc"\n1,"x"y\n2,3\n4,z"z\n', ",")] == [(3, False), (5, True)]


@pytest.mark.parametrize("read", [rg.read_run, lambda path: read_log(path).frame.collect()], ids=["at once", "scanned"])
def test_a_carriage_return_inside_a_line_is_an_error_that_names_it(tmp_path: Path, read):
    """`u1\\r2` was a user of its own."""
    path = tmp_path / "run.csv"
    path.write_bytes(b"query_id,doc_id,score,position\r\nq1,d1,0.5,1\r\nq1,d\r2,0.4,2\r\n")

    with pytest.raises(InputError, match="line 3: a carriage return must stand at the end of a line"):
        read(path)


def test_a_carriage_return_in_a_quoted_field_is_a_part_of_it(tmp_path: Path):
    (tmp_path / "run.csv").write_bytes(b'query_id,doc_id,score\nq1,d1,0.5\nq1,"d\r2",0.4\n')

    assert rg.read_run(tmp_path / "run.csv").to_frame()["doc_id"].to_list() == ["d1", "d\r2"]
