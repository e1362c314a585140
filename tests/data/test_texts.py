"""Titles and texts by id, from whatever holds them."""

import bz2
import gzip
import json
import lzma
import subprocess
import sys
from pathlib import Path
from typing import Any

import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import rankgauge as rg
from chinese_errors import Files, says_in_both
from rankgauge._language import speaking
from rankgauge.data.document_texts import ItemText, read_texts
from rankgauge.errors import InputError, ParameterError

RECORDS = [
    {"_id": "d1", "title": "Shoes", "text": 'Red, "light".', "metadata": {"url": "x"}},
    {"_id": "d2", "title": "", "text": "Boots"},
    {"_id": "7", "title": "Seven", "text": "sept"},
]
WANT = {"7": ItemText("Seven", "sept"), "d1": ItemText("Shoes", 'Red, "light".')}
IDS = [7, "d1", "nowhere"]


def written(path: Path, records: Any = RECORDS) -> Path:
    path.write_text("".join(json.dumps(r) + "\n" for r in records), encoding="utf-8")
    return path


# in memory


def test_mapping_of_texts_and_records():
    source = {
        "d1": "red",
        7: {"name": "Seven", "body": "sept"},
        "8": {"contents": "huit"},
        "9": None,
        "q": {"query": "?"},
    }

    assert read_texts(source, ["d1", 7, "8", "9", "q", "x"]) == {
        "d1": ItemText("", "red"),
        "7": ItemText("Seven", "sept"),
        "8": ItemText("", "huit"),
        "9": ItemText("", ""),
        "q": ItemText("", "?"),
    }


@pytest.mark.parametrize("key", [7, 7.0, "7"])
def test_numbers_are_found_as_text(key: Any):
    assert read_texts({key: "sept"}, ["7"]) == {"7": ItemText("", "sept")}
    assert read_texts([{"id": key, "text": "sept"}], [7.0]) == {"7": ItemText("", "sept")}
    assert read_texts(pl.DataFrame({"id": [key], "text": ["sept"]}), [7]) == {"7": ItemText("", "sept")}


def test_leading_zeros_are_kept():
    assert read_texts({7: "sept"}, ["007"]) == {}


def test_list_of_records_and_the_order_of_the_ids():
    found = read_texts(RECORDS, IDS)

    assert found == WANT
    assert list(found) == ["7", "d1"]


def test_documents_that_are_there_twice_are_counted_where_they_are_read_by(tmp_path: Path):
    rows = [{"id": i, "text": t} for i, t in (("a", "one"), ("b", "two"), ("a", "one"), ("a", "one"))]
    tsv, csv = tmp_path / "t.tsv", tmp_path / "t.csv"
    tsv.write_text("".join(f"{r['id']}\t{r['text']}\n" for r in rows))
    csv.write_text("id,text\n" + "".join(f"{r['id']},{r['text']}\n" for r in rows))
    said = "1 document is there more than once, with the same text ('a'): it counts once"

    for source in (rows, pl.DataFrame(rows), written(tmp_path / "t.jsonl", rows), tsv, csv):
        assert said in rg.Spans({"q": ["one"]}, documents=source).notes
        assert said in rg.Chunks({"q": ["one"]}, documents=source).notes
        priced = rg.evaluate({"q": ["a"]}, {"q": ["b", "a"]}, "R(budget=9t)", documents=source)
        assert said in priced.remarks
        both = rg.evaluate(rg.Spans({"q": ["one"]}, documents=source), {"q": ["one"]}, "R@1", documents=source)
        assert both.remarks.count(said) == 1
    twice = [*rows, {"id": "b", "text": "two"}]
    with speaking("zh"):
        found = rg.Spans({"q": ["one"]}, documents=twice).notes
        assert "2 个文档重复出现且文本相同（'a', 'b'）：各计一次" in map(str, found)


@pytest.mark.parametrize("ending", ["jsonl", "csv", "tsv"])
def test_a_budget_takes_no_id_with_two_texts(tmp_path: Path, ending: str):
    rows = [("a", "one"), ("b", "two"), ("a", "another")]
    lines = {
        "jsonl": "".join(json.dumps({"id": i, "text": t}) + "\n" for i, t in rows),
        "csv": "id,text\n" + "".join(f"{i},{t}\n" for i, t in rows),
        "tsv": "".join(f"{i}\t{t}\n" for i, t in rows),
    }
    (tmp_path / f"t.{ending}").write_text(lines[ending])

    with pytest.raises(InputError, match="'a' was there before, with another text"):
        rg.evaluate({"q": ["a"]}, {"q": ["a"]}, "R(budget=9t)", documents=tmp_path / f"t.{ending}")


def test_a_column_without_a_name_is_told_of(tmp_path: Path):
    """The index of a frame is written without a name."""
    docs, qrels, slices = (tmp_path / f"{name}.csv" for name in ("docs", "qrels", "slices"))
    docs.write_text(",doc_id,text\n0,d1,red shoes\n1,d2,warm boots\n")
    qrels.write_text(",query_id,doc_id,grade\n0,q,d1,1\n")
    slices.write_text(",query_id,kind\n0,q,new\n1,q,new\n")

    def said(place: str) -> str:
        return f"{place}.csv': a column has no name and is not read (numbers of rows that a frame wrote?)"

    runs = {"a": {"q": ["d1"]}, "b": {"q": ["d2", "d1"]}}
    swept = rg.sweep(qrels, runs, budgets=["10c"], documents=docs)
    ev = rg.evaluate(qrels, runs["a"], "R(budget=9t)", documents=docs, slices=slices)

    assert said("qrels 'qrels") in str(swept)
    assert said("texts 'docs") in str(swept)
    for place in ("qrels 'qrels", "texts 'docs", "slices 'slices"):
        assert said(place) in ev.remarks, place
    assert list(ev.attributes) == ["kind"]
    docs.write_text(",text\nd1,red shoes\nd2,warm boots\n")
    says_in_both(
        lambda _: rg.Spans({"q": ["shoes"]}, documents=docs),
        Files(tmp_path),
        "texts 'docs.csv': expected a column that is an id (such as '_id', 'doc_id', 'query_id'). Found: '', 'text'. "
        'Name that column \'id\'. Or pass columns={"name": "id"}.',
        "文本 'docs.csv'：缺少表示id（如 '_id'、'doc_id'、'query_id'）的列。找到：'', 'text'。请把该列改名为 'id'。"
        '或传入 columns={"name": "id"}。',
    )


def test_an_empty_id_names_its_row(tmp_path: Path):
    docs = tmp_path / "docs.csv"
    docs.write_text("doc_id,text\nd1,red\n,blue\n")

    says_in_both(
        lambda _: rg.Spans({"q": ["red"]}, documents=docs),
        Files(tmp_path),
        "texts 'docs.csv', row 2: the id ('doc_id') is empty.",
        "文本 'docs.csv' 第 2 行：id（'doc_id'）为空。",
    )


def test_first_of_two_records_counts(tmp_path: Path):
    rows = [{"id": "a", "text": "1"}, {"id": "a", "text": "2"}, {"id": "b", "text": "3"}]
    tsv = tmp_path / "t.tsv"
    tsv.write_text("a\t1\na\t2\nb\t3\n")

    for source in (rows, pl.DataFrame(rows), written(tmp_path / "t.jsonl", rows), tsv):
        assert read_texts(source, ["a", "b"]) == {"a": ItemText("", "1"), "b": ItemText("", "3")}


def test_frames():
    frame = pl.DataFrame(
        {"doc_id": ["d1", "7"], "title": ["Shoes", "Seven"], "text": ['Red, "light".', "sept"], "n": [1, 2]}
    )

    assert read_texts(frame, IDS) == WANT
    assert read_texts(frame.lazy(), IDS) == WANT
    assert read_texts(frame.to_pandas(), IDS) == WANT
    assert read_texts(frame.to_arrow(), IDS) == WANT


def test_pandas_ids_that_met_a_missing_value():
    frame = pd.DataFrame({"qid": [7, None, 8.5], "query": ["sept", "rien", "?"]})

    assert read_texts(frame, [7, 8]) == {"7": ItemText("", "sept")}


# files


@pytest.mark.parametrize("suffix", [".jsonl", ".json", ".txt", ""])
def test_json_lines(tmp_path: Path, suffix: str):
    assert read_texts(written(tmp_path / f"corpus{suffix}"), IDS) == WANT


@pytest.mark.parametrize("compress", [gzip.compress, bz2.compress, lzma.compress])
@pytest.mark.parametrize("name", ["c.jsonl", "c.tsv", "c.csv", "c.json"])
def test_compressed(tmp_path: Path, compress: Any, name: str):
    plain = {
        "c.jsonl": "".join(json.dumps(r) + "\n" for r in RECORDS),
        "c.json": json.dumps({r["_id"]: r for r in RECORDS}, indent=1),
        "c.tsv": 'doc_id\ttitle\ttext\n7\tSeven\tsept\nd1\tShoes\tRed, "light".\n',
        "c.csv": 'doc_id,title,text\n7,Seven,sept\nd1,Shoes,"Red, ""light""."\n',
    }[name]
    path = tmp_path / f"{name}.x"
    path.write_bytes(compress(plain.encode()))

    assert read_texts(path, IDS) == WANT


@pytest.mark.parametrize("name", ["c.jsonl", "c.csv"])
def test_zstandard(tmp_path: Path, name: str):
    plain = written(tmp_path / "c.jsonl")
    (tmp_path / "c.csv").write_text('doc_id,title,text\n7,Seven,sept\nd1,Shoes,"Red, ""light""."\n')
    try:
        subprocess.run(["zstd", "-q", tmp_path / name], check=True)
    except FileNotFoundError:
        pytest.skip("no zstd")

    assert plain.exists()
    assert read_texts(tmp_path / f"{name}.zst", IDS) == WANT


def test_json_objects_and_lists(tmp_path: Path):
    path = tmp_path / "t.json"
    for content in (RECORDS, {r["_id"]: r for r in RECORDS}):
        for indent in (None, 1):
            path.write_text(json.dumps(content, indent=indent))
            assert read_texts(path, IDS) == WANT
    path.write_text(json.dumps({"q1": "one", "q2": "two"}))
    assert read_texts(path, ["q2"]) == {"q2": ItemText("", "two")}


def test_a_single_record_on_one_line(tmp_path: Path):
    assert read_texts(written(tmp_path / "q.json", [{"_id": "q", "text": "?"}]), ["q"]) == {"q": ItemText("", "?")}


def test_beir_folder_stands_for_its_corpus_or_queries(tmp_path: Path):
    written(tmp_path / "corpus.jsonl")
    written(tmp_path / "queries.jsonl", [{"_id": "d1", "text": "a query"}])

    assert read_texts(tmp_path, IDS) == WANT
    assert read_texts(str(tmp_path), IDS, part="queries") == {"d1": ItemText("", "a query")}


def test_ms_marco_lines_without_header_and_with_lone_quotes(tmp_path: Path):
    path = tmp_path / "collection.tsv"
    path.write_text('0\tThe 5" disk\n7\t"Quoted" start\r\n08\tother\n', encoding="utf-8")

    assert read_texts(path, ["0", 7, 8]) == {"0": ItemText("", 'The 5" disk'), "7": ItemText("", '"Quoted" start')}


def test_byte_order_mark_is_no_part_of_the_first_id(tmp_path: Path):
    path = tmp_path / "queries.tsv"
    path.write_bytes("\ufeff7\tsept\n".encode())

    assert read_texts(path, [7]) == {"7": ItemText("", "sept")}


def test_tsv_with_header_in_any_order(tmp_path: Path):
    path = tmp_path / "queries.tsv"
    path.write_bytes("\ufeffquery\tquery_id\n查询一\tq1\nquery_id\tquery\n".encode())

    assert read_texts(path, ["q1", "query", "query_id"]) == {
        "q1": ItemText("", "查询一"),
        "query": ItemText("", "query_id"),
    }


def test_tsv_whose_fields_are_wrapped_in_quotes(tmp_path: Path):
    path = tmp_path / "q.tsv"
    path.write_text('"qid"\t"text"\n"q1"\t"tab\tinside"\n')

    assert read_texts(path, ["q1"]) == {"q1": ItemText("", "tab\tinside")}


@pytest.mark.parametrize(
    "content", ["q1,one\nq2,two\n", "qid,whatever\nq1,one\nq2,two\n", "id;text;n\nq1;one;1\nq2;two;2\n"]
)
def test_csv_with_and_without_header(tmp_path: Path, content: str):
    path = tmp_path / "q.csv"
    path.write_text(content)

    assert read_texts(path, ["q2", "qid"]) == {"q2": ItemText("", "two")}


def test_csv_text_over_several_lines(tmp_path: Path):
    path = tmp_path / "c.csv"
    path.write_text('id,title,text\nd1,T,"one\ntwo, three"\nd2,U,x\n')

    assert read_texts(path, ["d1", "d2"]) == {"d1": ItemText("T", "one\ntwo, three"), "d2": ItemText("U", "x")}


def test_long_documents(tmp_path: Path):
    path = tmp_path / "c.csv"
    path.write_text(f"id,text\nd1,{'x' * 300_000}\n")

    assert len(read_texts(path, ["d1"])["d1"].text) == 300_000


def test_parquet_and_arrow_files_and_folders(tmp_path: Path):
    frame = pl.DataFrame({"_id": ["d1", "7"], "title": ["Shoes", "Seven"], "text": ['Red, "light".', "sept"]})
    frame.write_parquet(tmp_path / "c.parquet")
    frame.write_ipc(tmp_path / "c.arrow")
    (tmp_path / "parts").mkdir()
    for i in range(2):
        frame[i : i + 1].write_parquet(tmp_path / "parts" / f"{i}.parquet")

    for name in ("c.parquet", "c.arrow", "parts"):
        assert read_texts(tmp_path / name, IDS) == WANT


def test_columns_say_what_is_what(tmp_path: Path):
    path = tmp_path / "docs.tsv"
    path.write_text("D1\thttp://x\tA title\tA body\n")

    columns = {"column_1": "id", "column_3": "title", "column_4": "text"}
    assert read_texts(path, ["D1"], columns=columns) == {"D1": ItemText("A title", "A body")}
    with pytest.raises(ParameterError, match="'column_3' must map to id, title or text, got 'headline'"):
        read_texts(path, ["D1"], columns={"column_3": "headline"})


def test_lines_with_other_names_than_the_first(tmp_path: Path):
    path = written(tmp_path / "c.jsonl", [{"_id": "a", "text": "1"}, {"docno": "b", "contents": "2"}])

    assert read_texts(path, ["b"]) == {"b": ItemText("", "2")}


def test_no_ids_need_no_source():
    assert read_texts("nowhere.jsonl", []) == {}


def test_reading_stops_when_everything_is_found(tmp_path: Path):
    path = tmp_path / "c.jsonl"
    path.write_text('{"_id": "a", "text": "1"}\n{"_id": "b", "text": "2"}\nbroken\n')

    assert read_texts(path, ["b", "a"]) == {"b": ItemText("", "2"), "a": ItemText("", "1")}


def test_memory_does_not_grow_with_the_file(tmp_path: Path):
    path = tmp_path / "big.jsonl.gz"
    with gzip.open(path, "wt", compresslevel=1) as file:
        for i in range(60_000):
            file.write(json.dumps({"_id": f"d{i}", "text": "x" * 2000}) + "\n")
    script = (
        "import resource, sys; from rankgauge.data.document_texts import read_texts; read_texts({'a': 'b'}, ['a'])\n"
        "import polars, msgspec; before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss\n"
        f"assert len(read_texts({str(path)!r}, ['d5', 'd59999', 'none'])) == 2\n"
        "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)

    assert int(done.stdout) < 30_000  # KB; the file holds 120 MB


# refused


def test_unknown_columns_say_what_was_found():
    with pytest.raises(InputError, match=r"a column that is an id .*Found: 'foo', 'text'\. Name that column 'id'"):
        read_texts(pl.DataFrame({"foo": ["a"], "text": ["b"]}), ["a"])
    with pytest.raises(InputError, match=r"expected a column that is a text .*Found: 'doc_id', 'a', 'b'\."):
        read_texts(pl.DataFrame({"doc_id": ["x"], "a": ["b"], "b": ["c"]}), ["x"])


def test_two_ids_are_no_guess():
    with pytest.raises(InputError, match=r"'query_id' and 'product_id' could both be the id\. Pass columns="):
        read_texts(pl.DataFrame({"query_id": ["1"], "product_id": ["2"], "query": ["x"]}), ["1"])


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ('{"_id": "a", "text": "1"}\n{"_id": "b"\n', r"texts 'c.jsonl', line 2: not valid JSON"),
        ('{"_id": "a", "text": "1"}\n["b"]\n', r"texts 'c.jsonl', line 2: (expected|not valid)"),
        ('{"_id": null, "text": "1"}\n', r"line 1: an id must be text or an integer, got None"),
        ("", "texts 'c.jsonl' is empty"),
    ],
)
def test_broken_lines_are_named(tmp_path: Path, content: str, message: str):
    path = tmp_path / "c.jsonl"
    path.write_text(content)

    with pytest.raises(InputError, match=message):
        read_texts(path, ["zzz"])


def test_columns_without_header_that_cannot_be_told(tmp_path: Path):
    path = tmp_path / "c.tsv"
    path.write_text("1\ta\tb\n")

    with pytest.raises(InputError, match=r"line 1: expected two columns .* Found 3 columns: .*Add a header or pass"):
        read_texts(path, ["1"])


def test_line_of_another_length(tmp_path: Path):
    path = tmp_path / "c.tsv"
    path.write_text("1\ta\n2\tb\tc\n")

    with pytest.raises(InputError, match="line 2: expected 2 columns, found 3"):
        read_texts(path, ["2"])


def test_missing_file_and_folder_without_texts(tmp_path: Path):
    written(tmp_path / "corpus.txt", RECORDS)
    with pytest.raises(InputError, match=r"texts 'corpsu.txt' does not exist: .*Did you mean corpus.txt\?"):
        read_texts(tmp_path / "corpsu.txt", ["a"])
    (tmp_path / "empty").mkdir()
    with pytest.raises(InputError, match=r"texts 'empty' is a folder without files that could be read"):
        read_texts(tmp_path / "empty", ["a"])


def test_mapping_value_without_text():
    with pytest.raises(InputError, match=r"texts, 'a': expected a text, or an object .*Found: 'price'\."):
        read_texts({"a": {"price": 3}}, ["a"])


def test_cut_off_archive(tmp_path: Path):
    path = tmp_path / "c.jsonl.gz"
    path.write_bytes(gzip.compress(b'{"_id": "a", "text": "1"}\n' * 1000)[:60])

    with pytest.raises(InputError, match="damaged or cut-off gzip data"):
        read_texts(path, ["b"])


def test_a_name_twice_is_an_error_in_a_frame_as_in_a_file():
    frame = pd.DataFrame([["d1", "red", "blue"]], columns=["doc_id", "text", "text"])

    for source in (frame, pa.Table.from_arrays([pa.array(["d1"])] * 3, names=["doc_id", "text", "text"])):
        with pytest.raises(InputError, match="texts: column names must differ, got 'text' for columns 2 and 3"):
            read_texts(source, ["d1"])


@pytest.mark.parametrize("odd", [(1,), [1], b"d1", object()])
def test_an_id_that_is_no_text_is_an_error_that_names_the_column(odd: Any):
    frame = pd.DataFrame({"doc_id": ["d1", odd], "title": ["One", "Two"]}, dtype=object)

    with pytest.raises(InputError, match="texts, column 'doc_id': an id must be text or a whole number, got a column"):
        read_texts(frame, ["d1"])
