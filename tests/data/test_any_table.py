"""One way to open a table: every kind of table in every form, and one grammar for what is wrong with it."""

from __future__ import annotations

import bz2
import gzip
import io
import json
import lzma
import os
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import polars as pl
import pyarrow as pa
import pytest

import rankgauge as rg
from rankgauge._unpacked import limit_unpacked
from rankgauge.behavior import read_log
from rankgauge.data.document_texts import read_texts
from rankgauge.data.formats import REGISTRY
from rankgauge.data.interactions import Interactions
from rankgauge.data.slices import attribute_table, query_weights
from rankgauge.data.tabular import table_of
from rankgauge.errors import InputError, ParameterError

Rows = list[dict[str, str]]

READ: dict[str, Callable[[Any], Any]] = {
    "qrels": lambda source: rg.Qrels.of(source).to_dict(),
    "run": lambda source: rg.Run.of(source).to_dict(),
    "predictions": lambda source: rg.Predictions.of(source).to_frame().rows(),
    "interactions": lambda source: Interactions.of(source).to_frame().rows(),
    "log": lambda source: read_log(source).frame.select("query_id", "item_id", "position").collect().rows(),
    "slices": attribute_table,
    "weights": lambda source: query_weights(source, ["q1", "q2"]).tolist(),
    "texts": lambda source: {k: v.text for k, v in read_texts(source, ["q1", "q2", "q3"]).items()},
    "table": lambda source: table_of(source, "here").select("query_id", "lang").rows(),
}
ROWS: dict[str, Rows] = {
    "qrels": [{"query_id": "q1", "doc_id": "007", "grade": "2"}, {"query_id": "q2", "doc_id": "d", "grade": "0"}],
    "run": [{"query_id": "q1", "doc_id": "007", "score": "2.5"}, {"query_id": "q2", "doc_id": "d", "score": "0.5"}],
    "predictions": [{"label": "1", "score": "0.5"}, {"label": "0", "score": "0.25"}],
    "interactions": [
        {"user_id": "007", "item_id": "a", "rating": "2.5"},
        {"user_id": "7", "item_id": "b", "rating": "0.5"},
    ],
    "log": [
        {"request_id": "r", "query_id": "q1", "item_id": "007", "position": "1", "event": "click"},
        {"request_id": "r", "query_id": "q1", "item_id": "8", "position": "2", "event": "impression"},
    ],
    "slices": [{"query_id": "q1", "lang": "en"}, {"query_id": "q2", "lang": "zh"}],
    "weights": [{"query_id": "q1", "weight": "2.5"}, {"query_id": "q2", "weight": "0.5"}],
    "texts": [{"query_id": "q1", "text": "red shoes"}, {"query_id": "q2", "text": "boots"}],
    "table": [{"query_id": "q1", "lang": "en"}, {"query_id": "q2", "lang": "zh"}],
}
WANT: dict[str, Any] = {
    "qrels": {"q1": {"007": 2.0}, "q2": {"d": 0.0}},
    "run": {"q1": {"007": 2.5}, "q2": {"d": 0.5}},
    "predictions": [(True, 0.5), (False, 0.25)],
    "interactions": [("007", "a", 2.5), ("7", "b", 0.5)],
    "log": [("q1", "007", 1), ("q1", "8", 2)],
    "slices": {"q1": {"lang": "en"}, "q2": {"lang": "zh"}},
    "weights": [2.5, 0.5],
    "texts": {"q1": "red shoes", "q2": "boots"},
    "table": [("q1", "en"), ("q2", "zh")],
}
EVERY_KIND = pytest.mark.parametrize("kind", READ)


def text_of(rows: Rows, separator: str = ",") -> bytes:
    lines = [separator.join(rows[0]), *(separator.join(row.values()) for row in rows)]
    return ("\n".join(lines) + "\n").encode()


def zstd(data: bytes) -> bytes:
    return bytes(pa.compress(data, codec="zstd", asbytes=True))


def columnar(rows: Rows, how: str) -> bytes:
    buffer = io.BytesIO()
    getattr(pl.DataFrame(rows), how)(buffer)
    return buffer.getvalue()


def lines_of(rows: Rows) -> bytes:
    return "".join(json.dumps(row) + "\n" for row in rows).encode()


FORMS: dict[str, Callable[[Rows], bytes]] = {
    "t.csv": text_of,
    "semicolons.csv": lambda rows: text_of(rows, ";"),
    "t.tsv": lambda rows: text_of(rows, "\t"),
    "t.jsonl": lines_of,
    "t.json": lambda rows: json.dumps(rows, indent=1).encode(),
    "t.parquet": lambda rows: columnar(rows, "write_parquet"),
    "t.arrow": lambda rows: columnar(rows, "write_ipc"),
    "stream.arrow": lambda rows: columnar(rows, "write_ipc_stream"),
    "t.csv.gz": lambda rows: gzip.compress(text_of(rows)),
    "t.csv.bz2": lambda rows: bz2.compress(text_of(rows)),
    "t.tsv.xz": lambda rows: lzma.compress(text_of(rows, "\t")),
    "t.csv.zst": lambda rows: zstd(text_of(rows)),
    "t.jsonl.zst": lambda rows: zstd(lines_of(rows)),
    "t.jsonl.gz": lambda rows: gzip.compress(lines_of(rows)),
    "t.parquet.gz": lambda rows: gzip.compress(columnar(rows, "write_parquet")),
    "csv of.unknown": text_of,
    "lines of.unknown": lines_of,
    "no suffix": lambda rows: text_of(rows, "\t"),
    "not what it says.parquet": text_of,
    "mark.csv": lambda rows: b"\xef\xbb\xbf" + text_of(rows),
    "mark.jsonl": lambda rows: b"\xef\xbb\xbf" + lines_of(rows),
    "crlf.csv": lambda rows: text_of(rows).replace(b"\n", b"\r\n"),
    "comment.csv": lambda rows: b"# made on Monday\n\n" + text_of(rows),
}


@EVERY_KIND
@pytest.mark.parametrize("name", FORMS)
def test_every_kind_of_table_in_every_form(tmp_path: Path, kind: str, name: str) -> None:
    path = tmp_path / name
    path.write_bytes(FORMS[name](ROWS[kind]))

    assert READ[kind](path) == WANT[kind]


@EVERY_KIND
@pytest.mark.parametrize("name", ["{}.csv", "{}.csv.gz", "{}.jsonl", "{}.parquet", "part-{}"])
@pytest.mark.parametrize("pattern", ["", "*"])
def test_folders_and_patterns_are_one_table(tmp_path: Path, kind: str, name: str, pattern: str) -> None:
    how = FORMS.get(f"t{name[2:]}", text_of)
    for i, row in enumerate(ROWS[kind]):
        (tmp_path / name.format(i)).write_bytes(how([row]))
    (tmp_path / "_SUCCESS").touch()
    (tmp_path / "README.md").write_text("Made on Monday.\n")

    assert READ[kind](tmp_path / pattern) == WANT[kind]


@EVERY_KIND
@pytest.mark.parametrize("name", ["t.csv", "t.jsonl.gz", "t.parquet"])
def test_pipes_and_open_files(tmp_path: Path, kind: str, name: str) -> None:
    data = FORMS[name](ROWS[kind])
    pipe = tmp_path / name
    os.mkfifo(pipe)
    writer = threading.Thread(target=lambda: pipe.write_bytes(data))
    writer.start()

    assert READ[kind](pipe) == WANT[kind]
    writer.join()
    assert READ[kind](io.BytesIO(data)) == WANT[kind]


def test_open_files_of_text_keep_the_name_of_the_file(tmp_path: Path) -> None:
    path = tmp_path / "bm25.csv"
    path.write_text("query_id,doc_id,score\nq1,ü,0.5\n", encoding="utf-8")

    with path.open(encoding="utf-8") as file:
        run = rg.Run.of(file)

    assert (run.name, run.to_dict()) == ("bm25", {"q1": {"ü": 0.5}})


# what is wrong, in one grammar


@pytest.fixture
def small() -> Iterator[None]:
    limit_unpacked(2000)
    yield
    limit_unpacked(None)


@EVERY_KIND
@pytest.mark.parametrize("pack", [gzip.compress, zstd], ids=["gz", "zst"])
@pytest.mark.parametrize("suffix", [".csv", ".jsonl", ".unknown"])
def test_archives_unpack_to_no_more_than_allowed(
    tmp_path: Path, small: None, kind: str, pack: Callable[[bytes], bytes], suffix: str
) -> None:
    rows = ROWS[kind] + [dict.fromkeys(ROWS[kind][0], "x" * 5000)]  # in one long line
    path = tmp_path / f"t{suffix}.packed"
    path.write_bytes(pack(lines_of(rows) if suffix == ".jsonl" else text_of(rows)))

    with pytest.raises(InputError, match=rf"{kind} 't{suffix}.packed' must unpack to at most 2\.0 KiB"):
        READ[kind](path)


@EVERY_KIND
@pytest.mark.parametrize("mark", ["sep=;", '"sep=;"', "SEP=,"])
def test_the_line_that_tells_excel_the_separator_is_named(tmp_path: Path, kind: str, mark: str) -> None:
    path = tmp_path / "t.csv"
    path.write_bytes(mark.encode() + b"\r\n" + text_of(ROWS[kind], ";"))

    with pytest.raises(InputError, match=rf"{kind} 't\.csv', line 1: .*{mark}.* Delete this line\."):
        READ[kind](path)


@pytest.mark.parametrize(("kind", "column"), [("qrels", "grade"), ("run", "score"), ("weights", "weight")])
def test_decimal_commas_are_named(tmp_path: Path, kind: str, column: str) -> None:
    rows = [{**row, column: "0,53"} for row in ROWS[kind]]
    (tmp_path / "t.csv").write_bytes(text_of(rows, ";"))

    with pytest.raises(InputError, match=r"got '0,53'[^?]*Is the comma a decimal point\? Write 0\.53\."):
        READ[kind](tmp_path / "t.csv")
    (tmp_path / "t.csv").write_bytes(text_of(rows))
    with pytest.raises(InputError, match=r"line 2: expected . fields, found .: [^?]*Is a comma a decimal point\?"):
        READ[kind](tmp_path / "t.csv")


def test_decimal_commas_of_predictions_lines_and_logs_are_named(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("label;score\n1;0,53\n0;0,2\n")
    (tmp_path / "t.run").write_text("q1 Q0 d1 1 0,53 bm25\n")
    (tmp_path / "log.csv").write_text("user_id;item_id;click;propensity\nu;a;1;0,53\n")
    said = r"got '0,53'[^?]*Is the comma a decimal point\? Write 0\.53\."

    for read in (lambda: rg.Predictions.of(tmp_path / "t.csv"), lambda: rg.Run.of(tmp_path / "t.run")):
        with pytest.raises(InputError, match=said):
            read()
    with pytest.raises(InputError, match=r"log 'log', column 'propensity': propensity must hold numbers, " + said):
        read_log(tmp_path / "log.csv")


@pytest.mark.parametrize("kind", [kind for kind in READ if kind != "predictions"])
@pytest.mark.parametrize("quote", ["", '"'], ids=["plain", "quoted"])
def test_a_line_of_another_length_is_named(tmp_path: Path, kind: str, quote: str) -> None:
    path = tmp_path / "t.csv"
    first = next(iter(ROWS[kind][0].values())).encode()
    quoted = text_of(ROWS[kind]).replace(b"\n" + first, f"\n{quote}".encode() + first + quote.encode())
    path.write_bytes(quoted + b"q9,b,c,d,e,f,g\n")

    with pytest.raises(InputError, match=rf"{kind} 't\.csv', line 4: expected . fields, found 7: 'q9,b,c,d,e,f,g'"):
        READ[kind](path)


def test_a_record_of_a_folder_is_named_by_its_file_and_line(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text('{"query_id": "q1", "lang": "en"}\n')
    (tmp_path / "b.jsonl").write_text('{"query_id": "q2", "lang": "zh"}\n\n{"query_id": null, "lang": "zh"}\n')

    with pytest.raises(InputError, match=rf"slices '{tmp_path.name}', 'b\.jsonl', line 3: an id must be text"):
        attribute_table(tmp_path)
    with pytest.raises(InputError, match=rf"texts '{tmp_path.name}', 'a\.jsonl', line 1: expected a column that"):
        read_texts(tmp_path, ["q2"], columns={"query_id": "title"})


def test_records_with_lists_inside_are_tables_of_experiments(tmp_path: Path) -> None:
    (tmp_path / "t.jsonl").write_text('{"query_id": "q1", "lang": "en", "tags": ["a", "b"], "more": {"x": 1}}\n')

    assert table_of(tmp_path / "t.jsonl", "here").row(0) == ("q1", "en", ["a", "b"], {"x": 1})


@pytest.mark.parametrize("kind", ["predictions", "interactions", "log", "slices", "weights", "table"])
def test_lines_of_trec_and_letor_hold_only_judgements_and_runs(tmp_path: Path, kind: str) -> None:
    (tmp_path / "t.run").write_text("q1 Q0 d1 1 0.5 bm25\n")
    (tmp_path / "t.svm").write_text("2 qid:1 1:0.5\n")

    for name, form in (("t.run", "trec"), ("t.svm", "letor")):
        with pytest.raises(InputError, match=rf"{kind} '{name}' looks like {form}, which holds no {kind}\. Known"):
            READ[kind](tmp_path / name)
    with pytest.raises(ParameterError, match=r"format must be one of parquet.* for predictions, got 'trec'"):
        rg.read_predictions(tmp_path / "t.run", format="trec")


# a format that did not exist before

MODULE = '''
"""Pairs: `name=value` fields, one row per line, behind a first line that says PAIRS."""
import polars as pl

from rankgauge.data.formats.base import Columns, Format, register


def matches(source):
    return source.head.startswith(b"PAIRS")


def open_(source):
    rows = [dict(field.split("=") for field in line.split()) for line in source.text().splitlines()[1:]]
    return Columns(pl.DataFrame(rows), position=lambda row: f"line {row + 2}", is_text=True)


register(Format("pairs", (".pairs",), matches, open=open_, order=5))
'''


@pytest.fixture
def pairs() -> Iterator[None]:
    before = dict(REGISTRY)
    module = ModuleType("rankgauge.data.formats.pairs")
    exec(MODULE, module.__dict__)
    yield
    REGISTRY.clear()
    REGISTRY.update(before)


@EVERY_KIND
@pytest.mark.parametrize("name", ["t.pairs", "t.pairs.gz", "t", "folder"])
def test_a_new_format_is_one_module_and_serves_every_kind_of_table(
    tmp_path: Path, pairs: None, kind: str, name: str
) -> None:
    rows = [{k: v.replace(" ", "_") for k, v in row.items()} for row in ROWS[kind]]
    data = b"PAIRS\n" + "\n".join(" ".join(f"{k}={v}" for k, v in row.items()) for row in rows).encode()
    path = tmp_path / name
    if name == "folder":
        path.mkdir()
        (path / "a.pairs").write_bytes(data)
    else:
        path.write_bytes(gzip.compress(data) if name.endswith(".gz") else data)
    want = {"q1": "red_shoes", "q2": "boots"} if kind == "texts" else WANT[kind]

    assert READ[kind](path) == want


def test_a_new_format_has_lines_in_errors_and_stands_in_those_that_list_formats(tmp_path: Path, pairs: None) -> None:
    (tmp_path / "t.pairs").write_text("PAIRS\nquery_id=q doc_id=d score=1\nquery_id=q doc_id=e score=high\n")
    (tmp_path / "t.foo").write_text("nothing\n")

    with pytest.raises(InputError, match=r"run 't\.pairs', line 3: score must be a number, got 'high'"):
        rg.read_run(tmp_path / "t.pairs")
    with pytest.raises(InputError, match=r"Known formats: .*pairs, .*parquet"):
        rg.read_run(tmp_path / "t.foo")


def test_every_format_that_can_be_opened_holds_every_kind_unless_it_says_which() -> None:
    limited = {f.name: f.kinds for f in REGISTRY.values() if f.kinds}

    of_questions = ("qrels", "questions", "spans", "texts")
    assert limited == {
        "squad": of_questions,
        "cmrc": of_questions,
        "dureader": of_questions,
        "llamaindex": of_questions,
        "mteb": of_questions,
        "examples": ("questions", "spans"),
        "opensearch": ("qrels", "run"),
        "quepid": ("qrels",),
        "lists": ("qrels", "run", "interactions"),
        "beir": ("run", "qrels", "slices", "weights", "texts", "spans"),
        "letor": ("run", "qrels"),
        "trec": ("run", "qrels"),
    }
    assert [f.name for f in REGISTRY.values() if f.open is None] == ["opensearch", "quepid", "letor", "trec"]


@pytest.mark.parametrize("content", ["1", "null", '"text"', "true"])
def test_json_that_is_neither_an_object_nor_a_list_is_an_error(content: str, tmp_path: Path):
    (tmp_path / "t.json").write_text(content)

    with pytest.raises(InputError, match="must hold an object or a list of records, got"):
        attribute_table(tmp_path / "t.json")


@pytest.mark.parametrize(("records", "what"), [([], "holds no records"), ([1, 2], "record 1 must be an object, got 1")])
def test_a_list_that_holds_no_records_is_an_error(records: list[object], what: str):
    with pytest.raises(InputError, match=f"slices: {what}"):
        attribute_table(records)
