"""Tables of any kind in, and back to a file."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

from rankgauge.data.tabular import codes_of, named_numbers, need, numbers, positions, read_table, table_of, write_table
from rankgauge.errors import InputError, ParameterError


@pytest.mark.parametrize("name", ["t.csv", "t.tsv", "t.jsonl", "t.parquet", "t.csv.gz", "t.jsonl.gz"])
def test_ids_survive_a_file(tmp_path, name):
    frame = pl.DataFrame({"id": ["007", "1.0", "a,b"], "number": ["01", "2", "3"], "n": [1.5, 2.0, None]})

    write_table(frame, tmp_path / name)
    got = read_table(tmp_path / name)

    assert got["id"].to_list() == ["007", "1.0", "a,b"]
    assert got["number"].to_list() == ["01", "2", "3"]
    assert numbers(got, "n", "here").tolist() == pytest.approx([1.5, 2.0, np.nan], nan_ok=True)


def test_text_is_read_as_numbers_and_truth():
    frame = pl.DataFrame({"x": ["1", " 0.5 ", "", "NaN", None], "y": ["1", " 0 ", "true", "False", ""]})

    assert numbers(frame, "x", "here").tolist() == pytest.approx([1, 0.5, np.nan, np.nan, np.nan], nan_ok=True)
    assert numbers(frame, "y", "here").tolist() == pytest.approx([1, 0, 1, 0, np.nan], nan_ok=True)
    with pytest.raises(InputError, match=r"here, column 'x': must hold numbers, got 'one' in row 2 \(1 rows like it\)"):
        numbers(pl.DataFrame({"x": ["1", "one"]}), "x", "here")
    with pytest.raises(InputError, match="must hold numbers, got List"):
        numbers(pl.DataFrame({"x": [[1]]}), "x", "here")


def test_a_truth_value_among_other_numbers_is_none():
    with pytest.raises(InputError) as e:
        numbers(pl.DataFrame({"x": ["16", "6", "True", "1"]}), "x", "here")

    assert str(e.value) == (
        "here, column 'x': must hold numbers or truth values, got 'True' in row 3 beside 16. Write all as numbers, or "
        "all as true and false."
    )


def test_codes_are_numbers_from_zero():
    assert codes_of(pl.DataFrame({"u": ["b", "a", "b"]}), "u", "here").tolist() == [1, 0, 1]
    with pytest.raises(InputError, match=r"missing in 1 rows \(first: row 2\)"):
        codes_of(pl.DataFrame({"u": [1.0, float("nan")]}), "u", "here")


def test_bad_tables(tmp_path):
    with pytest.raises(InputError, match="must be a mapping of columns, a dataframe or a path, got a list"):
        table_of([1, 2], "here")
    with pytest.raises(InputError, match="lists of the same length, got 'a' 1, 'b' 2"):
        table_of({"a": [1], "b": [1, 2]}, "here")
    with pytest.raises(InputError, match=r"Did you mean click\? Found: 'click'"):
        need(pl.DataFrame({"click": [1]}), ["clik"], "here")
    (tmp_path / "t.xyz").write_text("a\n1\n")
    with pytest.raises(
        InputError, match=r"table 't\.xyz' has an unknown format\. Known .*csv, tsv\. First line: 'a'\.$"
    ):
        read_table(tmp_path / "t.xyz")
    (tmp_path / "t.csv").write_text("a,b\n1,2\n1,2,3\n")
    with pytest.raises(InputError, match=r"table 't\.csv', line 3: expected 2 fields, found 3: '1,2,3'"):
        read_table(tmp_path / "t.csv")
    with pytest.raises(ParameterError, match=r"must end in \.csv"):
        write_table(pl.DataFrame({"a": [1]}), tmp_path / "t.xyz")


def test_an_empty_text_is_no_id_and_a_list_neither():
    with pytest.raises(InputError, match=r"every row must have one, missing in 2 rows \(first: row 2\)"):
        codes_of(pl.DataFrame({"u": ["a", "", " "]}), "u", "here")
    with pytest.raises(InputError, match="here, column 'u': must hold text or numbers, got List"):
        codes_of(pl.DataFrame({"u": [["a"], ["b"]]}), "u", "here")


def test_columns_of_python_objects_are_refused_by_name():
    odd = pl.DataFrame({"x": pl.Series([object(), 1, "a"], dtype=pl.Object)})

    with pytest.raises(InputError, match="here, column 'x': must hold numbers or text, got 'object' among them"):
        table_of(odd, "here")


def test_ragged_lists_are_no_column():
    with pytest.raises(InputError, match="here"):
        numbers(table_of({"x": [[1], [1, 2]]}, "here"), "x", "here")


@pytest.mark.parametrize("given", ["click", 3, {"click": "one"}, {"click": []}, {"click": 10**400}])
def test_what_does_not_map_names_to_numbers_is_a_parameter_error(given):
    with pytest.raises(ParameterError, match="`events`"):
        named_numbers(given, "events")


def test_times_of_pandas_that_are_none_are_missing():
    pandas = pytest.importorskip("pandas")

    assert table_of({"x": [pandas.NaT] * 2}, "here")["x"].null_count() == 2


@pytest.mark.parametrize("wrong", [0, 1.5, float("nan"), 2.0**31, 1e308])
def test_positions_are_whole_numbers_of_lists_that_can_be(wrong):
    assert positions(pl.DataFrame({"p": ["1", "20"]}), "p", "here").tolist() == [1, 20]
    with pytest.raises(InputError, match="here, row 2: position must be a whole number from 1 to 2,147,483,647, got"):
        positions(pl.DataFrame({"p": [1.0, wrong]}), "p", "here")
