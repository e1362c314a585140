"""Writing: what is read back is bit for bit what was written, and files are complete or absent."""

import gzip
import struct
import tempfile
from pathlib import Path

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rankgauge.data.formats import read, write
from rankgauge.data.formats.write import atomic
from rankgauge.errors import InputError, MissingExtra, ParameterError

RUN = pl.DataFrame(
    {
        "query_id": ["b", "a", "b", "a"],
        "doc_id": ["文档", "d1", "d3", "d2"],
        "score": [0.1 + 0.2, 1.0, 5.0, 2.0],
    }
)
QRELS = pl.DataFrame({"query_id": ["问", "问"], "doc_id": ["007", 'd"x'], "grade": [2.0, -1.0]})


def test_trec_run_is_sorted_by_score_inside_the_order_of_queries(tmp_path):
    write(RUN, tmp_path / "x.run", "run", tag="mine")

    assert (tmp_path / "x.run").read_text(encoding="utf-8").splitlines() == [
        "b Q0 d3 1 5.0 mine",
        "b Q0 文档 2 0.30000000000000004 mine",
        "a Q0 d2 1 2.0 mine",
        "a Q0 d1 2 1.0 mine",
    ]


def test_equal_scores_keep_their_order_and_nan_goes_last(tmp_path):
    frame = pl.DataFrame({"query_id": ["q"] * 4, "doc_id": list("nabc"), "score": [float("nan"), 1.0, 1.0, 2.0]})
    write(frame, tmp_path / "x.run", "run")

    assert read(tmp_path / "x.run", "run").frame["doc_id"].to_list() == ["c", "a", "b", "n"]


def test_trec_qrels_write_whole_grades_without_a_point(tmp_path):
    write(QRELS, tmp_path / "x.qrels", "qrels")
    assert (tmp_path / "x.qrels").read_text(encoding="utf-8") == '问 0 007 2\n问 0 d"x -1\n'

    write(QRELS.with_columns(grade=pl.Series([2.0, 0.1 + 0.2])), tmp_path / "x.qrels", "qrels")
    assert (tmp_path / "x.qrels").read_text(encoding="utf-8") == '问 0 007 2\n问 0 d"x 0.30000000000000004\n'


def test_iteration_of_qrels_survives(tmp_path):
    write(QRELS.with_columns(iteration=pl.Series(["3", None])), tmp_path / "x.qrels", "qrels")

    assert read(tmp_path / "x.qrels", "qrels").frame["iteration"].to_list() == ["3", "0"]


NAMES = [
    "x.csv",
    "x.tsv",
    "x.jsonl",
    "x.parquet",
    "x.arrow",
    "x.csv.gz",
    "x.jsonl.xz",
    "x.tsv.bz2",
    "x.parquet.gz",
]


@pytest.mark.parametrize("name", NAMES)
def test_other_formats_give_back_what_was_written(tmp_path, name):
    tricky = RUN.with_columns(doc_id=pl.Series(["a b", 'q"uote', "逗,号", "007"]))
    write(tricky, tmp_path / name, "run")
    write(QRELS, tmp_path / f"q{name}", "qrels")

    assert read(tmp_path / name, "run").frame.rows() == tricky.rows()
    assert read(tmp_path / f"q{name}", "qrels").frame.rows() == QRELS.rows()


@pytest.mark.parametrize("name", ["x.run", "x.run.gz", "x.txt"])
def test_trec_qrels_give_back_what_was_written(tmp_path, name):
    write(QRELS, tmp_path / name, "qrels")

    assert read(tmp_path / name, "qrels").frame.select(QRELS.columns).rows() == QRELS.rows()


IDS = st.text(st.characters(codec="utf-8", exclude_categories=["Cc", "Cs", "Zs", "Zl", "Zp"]), min_size=1, max_size=6)


@settings(max_examples=150, deadline=None)
@given(
    st.lists(st.tuples(IDS, IDS, st.floats(allow_nan=False)), min_size=1, max_size=8),
    st.sampled_from(["x.run", "x.csv", "x.tsv", "x.parquet"]),
)
def test_round_trip_is_bit_exact(rows, name):
    if name == "x.run":
        rows = [(q.lstrip("#") or "q", d, s) for q, d, s in rows]
    frame = pl.DataFrame(rows, schema={"query_id": pl.String, "doc_id": pl.String, "score": pl.Float64}, orient="row")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / name
        write(frame, path, "run")
        got = read(path, "run", format={"x.run": "trec"}.get(name, name[2:])).frame
    bits = sorted((q, d, struct.pack("d", s)) for q, d, s in got.select(frame.columns).iter_rows())
    assert bits == sorted((q, d, struct.pack("d", s)) for q, d, s in rows)


@pytest.mark.parametrize("bad", ["two words", "tab\there", ""])
def test_trec_refuses_ids_that_its_lines_cannot_hold(tmp_path, bad):
    frame = RUN.with_columns(doc_id=pl.Series(["a", bad, "c", "d"]))

    with pytest.raises(InputError, match=r"doc_id"):
        write(frame, tmp_path / "x.run", "run")
    assert list(tmp_path.iterdir()) == []


def test_trec_refuses_a_query_that_reads_as_a_comment_and_a_tag_of_two_words(tmp_path):
    with pytest.raises(InputError, match=r"cannot hold ids.*query_id '#1'.*Write .csv"):
        write(RUN.with_columns(query_id=pl.lit("#1")), tmp_path / "x.run", "run")
    with pytest.raises(InputError, match=r"must be one word, got 'my run'"):
        write(RUN, tmp_path / "x.run", "run", tag="my run")


def test_json_lines_refuse_what_json_cannot_hold(tmp_path):
    with pytest.raises(InputError, match=r"JSON has no nan"):
        write(RUN.with_columns(score=pl.lit(float("nan"))), tmp_path / "x.jsonl", "run")


def test_failed_write_leaves_the_old_file_and_nothing_else(tmp_path):
    path = tmp_path / "x.run"
    path.write_text("old")

    def interrupted():
        with atomic(path) as file:
            file.write(b"half")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert path.read_text() == "old"
    assert [p.name for p in tmp_path.iterdir()] == ["x.run"]


def test_compressed_output_is_the_same_every_time(tmp_path):
    write(RUN, tmp_path / "a.run.gz", "run")
    write(RUN, tmp_path / "b.run.gz", "run")

    assert (tmp_path / "a.run.gz").read_bytes() == (tmp_path / "b.run.gz").read_bytes()
    assert gzip.decompress((tmp_path / "a.run.gz").read_bytes()).startswith(b"b Q0 d3 1 5.0 rankgauge\n")


def test_unknown_suffix_or_format_lists_what_can_be_written(tmp_path):
    with pytest.raises(ParameterError, match=r"cannot tell the format of 'x.foo'.*trec \(.run"):
        write(RUN, tmp_path / "x.foo", "run")
    with pytest.raises(ParameterError, match=r"cannot write letor. Formats that can be written: parquet"):
        write(RUN, tmp_path / "x.foo", "run", format="letor")
    write(RUN, tmp_path / "x.foo", "run", format="trec")
    assert read(tmp_path / "x.foo", "run").frame.height == 4


def test_folder_that_does_not_exist_is_an_input_error(tmp_path):
    with pytest.raises(InputError, match=r"cannot write .*: the folder .*nowhere. does not exist"):
        write(RUN, tmp_path / "nowhere" / "x.run", "run")


def test_zst_is_written_where_python_can(tmp_path):
    try:
        write(RUN, tmp_path / "x.run.zst", "run")
    except MissingExtra as e:
        assert "writing .zst needs Python 3.14" in str(e)  # noqa: PT017
        assert list(tmp_path.iterdir()) == []
    else:
        assert read(tmp_path / "x.run.zst", "run").frame.height == 4


def test_pandas_frame_with_other_names_is_written(tmp_path):
    import pandas as pd

    write(pd.DataFrame({"qid": [1], "docno": ["d"], "sim": [0.5]}), tmp_path / "x.run", "run")

    assert (tmp_path / "x.run").read_text() == "1 Q0 d 1 0.5 rankgauge\n"
