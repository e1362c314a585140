"""Folders: everything in them is read, or named as left out."""

from pathlib import Path

import polars as pl
import pytest

import rankgauge as rg
from rankgauge.errors import InputError

RUN = pl.DataFrame(
    {"query_id": ["q1", "q1", "q2", "q2"], "doc_id": ["a", "b", "c", "d"], "similarity": [0.5, 0.4, 0.3, 0.2]}
)
QRELS = {"q1": {"b": 1}, "q2": {"d": 1}}
ENGINES = pytest.mark.parametrize("engine", ["memory", "streaming"])


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    RUN[:2].write_parquet(tmp_path / "part-0.parquet")
    return tmp_path


@ENGINES
@pytest.mark.parametrize("name", ["part-1.csv", "part-1.jsonl", "part-1"])
def test_other_tables_beside_parquet_are_read(folder: Path, engine: str, name: str):
    write = {".csv": RUN[2:].write_csv, ".jsonl": RUN[2:].write_ndjson, "": RUN[2:].write_csv}
    write[Path(name).suffix](folder / name)

    found = rg.evaluate(QRELS, folder, "RR", engine=engine)

    assert found["RR"] == 0.5
    assert "read 'similarity' as score" in found.remarks


@ENGINES
@pytest.mark.parametrize("pattern", ["", "*"])
def test_other_files_beside_parquet_are_named(folder: Path, engine: str, pattern: str):
    RUN[2:].write_parquet(folder / "part-1.parquet")
    (folder / "README.md").write_text("How this was made.\n")
    (folder / "_SUCCESS").touch()

    found = rg.evaluate(QRELS, folder / pattern, "RR", engine=engine)

    assert found["RR"] == 0.5
    assert [note for note in found.remarks if "left out" in note] == [
        "left out 1 file of the folder without a table: 'README.md'"
    ]


def test_a_damaged_part_is_an_error(folder: Path):
    (folder / "part-1.csv").write_text("nothing that could be a table\n")

    with pytest.raises(rg.errors.InputError, match=r"run 'part-1\.csv'"):
        rg.evaluate(QRELS, folder, "RR")


@ENGINES
def test_notes_of_parts_are_told_whatever_the_engine(tmp_path: Path, engine: str):
    RUN.write_csv(tmp_path / "a.csv")

    assert "read 'similarity' as score" in rg.evaluate(QRELS, tmp_path, "RR", engine=engine).remarks


@pytest.mark.parametrize(
    ("name", "first", "second"),
    [
        ("json", '{"q1": ["a", "b"]}', '{"q1": ["c"]}'),
        ("csv", "query_id,doc_id\nq1,a\nq1,b\n", "query_id,doc_id\nq1,c\n"),
        ("lists", "1 5 6\n", "1 7\n"),
    ],
)
def test_a_query_with_lists_in_two_files_and_no_scores_is_an_error(tmp_path, name, first, second):
    (tmp_path / f"x.{name}").write_text(first)
    (tmp_path / f"y.{name}").write_text(second)

    with pytest.raises(InputError, match=rf"query '.*1' is in 'x.{name}' and in 'y.{name}', and has no scores"):
        rg.evaluate({"q1": ["a"], "1": [5]}, tmp_path, "RR")
