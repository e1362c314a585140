"""What a file is: by content first, by suffix when the content leaves a choice."""

import gzip
import io
import pickle
import zipfile

import polars as pl
import pytest

import rankgauge as rg
from chinese_errors import refuse_english
from rankgauge.data.formats import REGISTRY, read
from rankgauge.data.formats.base import Format, Loaded
from rankgauge.errors import InputError, ParameterError

TREC_RUN = "q1 Q0 d1 1 0.5 t\n"
TREC_QRELS = "q1 0 d1 1\nq2 0 d1 0\n"
CSV = "query_id,doc_id,score\nq1,d1,0.5\n"


@pytest.mark.parametrize(
    ("name", "text", "kind", "format_"),
    [
        ("x", TREC_RUN, "run", "trec"),
        ("x.txt", TREC_RUN, "run", "trec"),
        ("run.v2.final", TREC_RUN, "run", "trec"),
        ("x.txt", TREC_QRELS, "qrels", "trec"),
        ("x.tsv", TREC_QRELS.replace(" ", "\t"), "qrels", "trec"),
        ("x.tsv", "q1\td1\t1\n", "qrels", "trec"),
        ("x.tsv", "query-id\tcorpus-id\tscore\nq1\td1\t1\n", "qrels", "tsv"),
        ("x.txt", CSV, "run", "csv"),
        ("x", CSV.replace(",", ";"), "run", "csv"),
        ("x.txt", '{"q1": {"d1": 1}}', "run", "json"),
        ("x.txt", '{"query_id": "q1", "doc_id": "d1", "score": 1}\n', "run", "jsonl"),
        ("x.json", '{"q1": "d1", "q2": "d2"}', "qrels", "json"),
        ("x.json", '[\n{"query_id": "q1", "doc_id": "d1", "score": 1}\n]', "run", "json"),
        ("x.txt", "1 qid:3 1:0.5 2:0\n", "qrels", "letor"),
        ("x", "# a comment\n\n" + TREC_RUN, "run", "trec"),
    ],
    ids=range(15),
)
def test_format_is_told_without_a_note(tmp_path, name, text, kind, format_):
    (tmp_path / name).write_text(text)
    got = read(tmp_path / name, kind)

    assert got.format == format_
    assert not any("suffix" in note for note in got.notes)


@pytest.mark.parametrize(
    ("name", "text", "format_"),
    [
        ("x.csv", TREC_RUN, "trec"),
        ("x.json", CSV, "csv"),
        ("x.parquet", CSV, "csv"),
        ("x.run", CSV, "csv"),
        ("x.run", CSV.replace(",", "\t"), "tsv"),
        ("x.csv", '{"q1": {"d1": 1}}', "json"),
        ("x.tsv", CSV, "csv"),
    ],
)
def test_content_wins_over_the_suffix_with_a_note(tmp_path, name, text, format_):
    (tmp_path / name).write_text(text)
    got = read(tmp_path / name, "run")

    assert got.format == format_
    suffix = name[1:]
    assert got.notes[0] == f"the suffix is {suffix} but the content is {format_}: read as that"


def test_suffix_decides_when_the_content_says_nothing(tmp_path):
    (tmp_path / "x.run").write_text("hello world\n")

    with pytest.raises(InputError, match=r"run 'x.run', line 1: expected 6 fields .* found 2: 'hello world'"):
        read(tmp_path / "x.run", "run")


def test_unknown_format_lists_the_known_ones_and_shows_the_first_line(tmp_path):
    (tmp_path / "x.foo").write_text("# c\nhello world\n")

    with pytest.raises(InputError, match=r"Known formats: .*parquet, .*trec. First line: 'hello world'"):
        read(tmp_path / "x.foo", "run")


def test_binary_file_is_refused(tmp_path):
    (tmp_path / "x.png").write_bytes(b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR")

    with pytest.raises(InputError, match="is a binary file of an unknown kind"):
        read(tmp_path / "x.png", "run")


def test_format_argument_wins_and_must_exist(tmp_path):
    (tmp_path / "x.csv").write_text(TREC_RUN)

    assert read(tmp_path / "x.csv", "run", format="trec").notes == ()
    with pytest.raises(ParameterError, match=r"format must be one of .*parquet.*got 'trek'. Did you mean trec\?"):
        read(tmp_path / "x.csv", "run", format="trek")


def test_columns_argument_with_a_trec_file_is_said_to_be_unused(tmp_path):
    (tmp_path / "x.run").write_text(TREC_RUN)

    note = read(tmp_path / "x.run", "run", columns={"a": "doc_id"}).notes[0]
    assert note == "TREC lines have no column names: `columns` was not used for run 'x.run'"


def test_registry_takes_a_new_format(tmp_path):
    (tmp_path / "x.toy").write_text("TOY q d 1")

    def read_toy(source, options):
        _, q, d, s = source.text().split()
        return Loaded(pl.DataFrame({"query_id": [q], "doc_id": [d], "score": [float(s)]}), "toy")

    toy = Format("toy", (".toy",), lambda source: source.head.startswith(b"TOY"), read_toy)

    assert read(tmp_path / "x.toy", "run", registry={"toy": toy, **REGISTRY}).frame.rows() == [("q", "d", 1.0)]


def test_every_format_has_its_own_name_and_suffixes_of_lower_case():
    for name, format_ in REGISTRY.items():
        assert format_.name == name
        assert all(s.startswith(".") and s == s.lower() for s in format_.suffixes)


def _gzip(data: bytes) -> bytes:
    return gzip.compress(data, mtime=0)  # the time would be part of the name of a case


def _zip(**files: str) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name, text in files.items():
            archive.writestr(name.replace("__", "/"), text)
    return out.getvalue()


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (_zip(a="q1 Q0 d1 1 1 t"), "is a zip archive. Unpack it and pass the file inside."),
        (_zip(a="x", b="y"), "is a zip archive"),
        (_zip(xl__workbook="x"), "is an Excel workbook. Save the sheet as CSV."),
        (_gzip(_gzip(b"q1 Q0 d1 1 1 t")), "is compressed twice (gzip, and gzip inside)."),
        (pickle.dumps({"q1": {"d1": 1}}, 4), "is a pickle, which is not read"),
        (b"SQLite format 3\x00...", "is a database of SQLite"),
    ],
)
def test_what_holds_tables_in_a_way_of_its_own_is_called_by_its_name(tmp_path, data, said):
    (tmp_path / "x").write_bytes(data)

    with pytest.raises(InputError) as caught:
        read(tmp_path / "x", "run")

    assert said in str(caught.value)
    refuse_english(caught.value.text.zh)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ((x for x in [("q", "d", 1)]), r"pass list\(…\)"),
        ({"q": (d for d in "ab")}, r"pass list\(…\)"),
        ([("q", "d", 1)], r"Rows of query, item and number are a dict: \{query: \{item: number\}\}"),
    ],
)
def test_objects_that_are_nearly_tables_are_told_how_to_pass_them(given, said):
    with pytest.raises(InputError, match=said):
        rg.evaluate({"q": ["d"]}, given, "RR")
