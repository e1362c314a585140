"""BEIR folders: judgements by split, queries with their metadata."""

import json

import pytest

from rankgauge.data.formats import read
from rankgauge.data.slices import attribute_table, query_attributes
from rankgauge.errors import InputError

HEADER = "query-id\tcorpus-id\tscore\n"


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "qrels").mkdir()
    (tmp_path / "qrels" / "test.tsv").write_text(HEADER + "问1\t007\t2\n问1\td2\t0\n", encoding="utf-8")
    (tmp_path / "qrels" / "dev.tsv").write_text(HEADER + "q9\td9\t1\n")
    queries = [
        {"_id": "问1", "text": "天气", "metadata": {"topic": "weather", "length": 2, "tags": ["a"]}},
        {"_id": 2, "text": "rain", "metadata": {}},
    ]
    lines = "\n".join(json.dumps(q, ensure_ascii=False) for q in queries)
    (tmp_path / "queries.jsonl").write_text(lines, encoding="utf-8")
    return tmp_path


def test_folder_gives_its_test_split_and_names_the_others(folder):
    got = read(folder, "qrels")

    assert got.frame.rows() == [("问1", "007", 2.0), ("问1", "d2", 0.0)]
    assert got.format == "beir"
    assert got.notes[0] == "read qrels/test.tsv; there are also dev"


def test_file_of_another_split_is_read_by_its_path(folder):
    got = read(folder / "qrels" / "dev.tsv", "qrels")

    assert got.frame.rows() == [("q9", "d9", 1.0)]
    assert got.format == "tsv"


def test_folder_without_a_test_split_falls_back_and_an_unclear_one_is_refused(folder):
    (folder / "qrels" / "test.tsv").unlink()
    assert read(folder, "qrels").frame.rows() == [("q9", "d9", 1.0)]

    (folder / "qrels" / "dev.tsv").rename(folder / "qrels" / "a.tsv")
    (folder / "qrels" / "b.tsv").write_text(HEADER + "q\td\t1\n")
    with pytest.raises(InputError, match=r"several qrels files \(a, b\); name one"):
        read(folder, "qrels")


def test_folder_is_no_run_and_may_lack_qrels(folder):
    with pytest.raises(InputError, match=r"holds queries and qrels but no run"):
        read(folder, "run")
    for file in (folder / "qrels").iterdir():
        file.unlink()
    with pytest.raises(InputError, match=r"BEIR folder without qrels/\*.tsv"):
        read(folder, "qrels")


def test_queries_have_text_and_scalar_metadata(folder):
    for path in (folder, folder / "queries.jsonl"):
        got = attribute_table(path)

        assert got == {"问1": {"topic": "weather", "length": 2, "text": "天气"}, "2": {"text": "rain"}}


def test_queries_with_repeated_or_missing_ids_are_refused(folder):
    path = folder / "queries.jsonl"
    path.write_text('{"_id": "a", "text": "x"}\n{"_id": "a", "text": "y"}\n')
    with pytest.raises(InputError, match=r"query 'a' must have one text, got 'x' and 'y'"):
        attribute_table(path)

    path.write_text('{"_id": "a", "text": "x"}\n\n{"text": "y"}\n')
    with pytest.raises(InputError, match=r"slices 'queries.jsonl', line 3: an id must be text or an integer, got None"):
        attribute_table(path)

    path.write_text('{"text": "x"}\n{"text": "y"}\n')
    with pytest.raises(InputError, match=r"column 'query_id' is missing. Found: 'text'"):
        attribute_table(path)


def test_real_questions_without_ids_are_no_slices_of_queries_with_ids(shared):
    with pytest.raises(InputError, match=r"none of the 1 queries is in the slice table.*'q1', the table has '"):
        query_attributes(shared / "domainrag_extractive_zh/basic_qa.jsonl.gz", ["q1"])
