"""Whether files say where in documents they stand is a question that no file makes fail."""

from pathlib import Path

import polars as pl
import pytest

import rankgauge as rg
from rankgauge.data.placed import say_where


def damaged(folder: Path) -> Path:
    """A table whose rows cannot be read, though its names can."""
    path = folder / "qrels.parquet"
    rows = {"query_id": [f"q{i}" for i in range(50)], "doc_id": ["d"] * 50, "grade": [1] * 50}
    pl.DataFrame(rows).write_parquet(path, compression="uncompressed")
    content = bytearray(path.read_bytes())
    content[4:60] = bytes(56)  # the begin of the first column
    path.write_bytes(content)
    return path


def test_of_a_damaged_table_whoever_reads_it_says_what_is_wrong(tmp_path: Path) -> None:
    path = damaged(tmp_path)
    with pytest.raises(pl.exceptions.PolarsError):
        pl.scan_parquet(path).head(200).collect()

    assert say_where(path, "spans") is False
    with pytest.raises(rg.errors.InputError, match="cannot be read"):
        rg.evaluate(path, {"q1": {"d": 1.0}}, ["RR"])
