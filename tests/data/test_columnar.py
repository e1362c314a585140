"""Parquet and Arrow files, folders of Parquet files, damaged ones."""

import gzip
import io

import polars as pl
import pyarrow as pa
import pyarrow.feather
import pytest

from rankgauge.data.formats import read
from rankgauge.errors import InputError

FRAME = pl.DataFrame({"qid": ["问1", "007"], "docno": [2**63 - 1, 5], "score": [1, 2], "vector": [[1.0], [2.0]]})
ROWS = [("问1", "9223372036854775807", 1.0), ("007", "5", 2.0)]


def test_parquet_file_is_read_with_exact_ids(tmp_path):
    FRAME.write_parquet(tmp_path / "x.parquet")

    got = read(tmp_path / "x.parquet", "run")

    assert got.frame.rows() == ROWS
    assert (got.format, got.notes) == ("parquet", ("read 'qid' as query_id", "read 'docno' as doc_id"))


def test_parquet_is_recognised_without_its_suffix_and_compressed(tmp_path):
    buffer = io.BytesIO()
    FRAME.write_parquet(buffer)
    (tmp_path / "x.data").write_bytes(buffer.getvalue())
    (tmp_path / "x.csv").write_bytes(gzip.compress(buffer.getvalue()))

    assert read(tmp_path / "x.data", "run").frame.rows() == ROWS
    got = read(tmp_path / "x.csv", "run")
    assert got.frame.rows() == ROWS
    assert got.notes[0] == "the suffix is .csv but the content is parquet: read as that"


def test_folder_of_parquet_files_is_one_run(tmp_path):
    FRAME.head(1).write_parquet(tmp_path / "part-[1].parquet")
    FRAME.tail(1).write_parquet(tmp_path / "part-[2].parquet")

    assert read(tmp_path, "run").frame.rows() == ROWS


@pytest.mark.parametrize("name", ["x.arrow", "x.feather", "x.bin"])
def test_arrow_file_feather_file_and_stream_are_read(tmp_path, name):
    path = tmp_path / name
    if name == "x.arrow":
        FRAME.write_ipc(path)
    elif name == "x.feather":
        pyarrow.feather.write_feather(pa.table({"query_id": ["问1"], "doc_id": ["a"], "grade": [2]}), path)
        assert read(path, "qrels").frame.rows() == [("问1", "a", 2.0)]
        return
    else:
        FRAME.write_ipc_stream(path)

    got = read(path, "run")

    assert got.frame.rows() == ROWS
    assert got.format == "arrow"


def test_damaged_parquet_is_an_input_error(tmp_path):
    FRAME.write_parquet(tmp_path / "x.parquet")
    whole = (tmp_path / "x.parquet").read_bytes()
    (tmp_path / "x.parquet").write_bytes(whole[:-30])

    with pytest.raises(InputError, match=r"run 'x.parquet' cannot be read as parquet"):
        read(tmp_path / "x.parquet", "run")


def test_real_parquet_without_our_columns_says_so(shared):
    with pytest.raises(InputError, match=r"columns missing from qrels 'qa_data_sample.parquet'"):
        read(shared / "autorag_sample/qa_data_sample.parquet", "qrels")
