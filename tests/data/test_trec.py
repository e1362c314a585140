"""TREC files: clean ones fast, messy ones exactly, malformed ones never."""

import gzip
import math
import re
import struct
import tempfile
from itertools import pairwise
from pathlib import Path

import polars as pl
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

import rankgauge as rg
from rankgauge.data.formats import read, trec
from rankgauge.data.formats.base import Options
from rankgauge.data.formats.opening import open_source
from rankgauge.errors import InputError

RUN = "q1 Q0 d1 1 2.5 bm25\nq1 Q0 d2 2 1.5 bm25\n问2 Q0 文档#7 1 -3 bm25\n"
ROWS = [("q1", "d1", 2.5), ("q1", "d2", 1.5), ("问2", "文档#7", -3.0)]


def rows(tmp_path, text, kind="run", name="x.run"):
    path = tmp_path / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    got = read(path, kind, format="trec")
    return got.frame.select(pl.col("query_id", "doc_id", "score" if kind == "run" else "grade")).rows()


def failure(tmp_path, text, kind="run", name="bm25.run"):
    with pytest.raises(InputError) as e:
        rows(tmp_path, text, kind, name)
    return str(e.value)


# What is read -----------------------------------------------------------------------------------------------


def test_clean_run_keeps_ids_scores_ranks_and_tag(tmp_path):
    path = tmp_path / "a.run"
    path.write_text(RUN, encoding="utf-8")

    got = read(path, "run")

    assert got.frame.schema == {
        "query_id": pl.String,
        "doc_id": pl.String,
        "score": pl.Float64,
        "rank": pl.Int64,
    }
    assert got.frame.select("query_id", "doc_id", "score").rows() == ROWS
    assert got.frame["rank"].to_list() == [1, 2, 1]
    assert (got.format, got.tag, got.notes) == ("trec", "bm25", ())


@pytest.mark.parametrize(
    "change",
    [
        lambda t: t.replace(" ", "\t"),
        lambda t: t.replace(" ", "  "),
        lambda t: t.replace(" ", " \t "),
        lambda t: t.replace(" Q0 ", "\tQ0  "),
        lambda t: t.replace("\n", "\r\n"),
        lambda t: t.replace("\n", "\r"),
        lambda t: t.replace("\n", " \n"),
        lambda t: t.replace("\n", "\n\n"),
        lambda t: "\n \n" + t,
        lambda t: "\ufeff" + t,
        lambda t: "\ufeff# comment\r\n" + t,
        lambda t: "# Q0 x 1 1.0 looks like a line\n" + t,
        lambda t: t + "# Q0 d9 1 1.0 tag\n",
        lambda t: t.rstrip("\n"),
        lambda t: " " + t,
        lambda t: t.replace("bm25\n", "bm25 more junk\n"),
        lambda t: t.replace(" bm25", "", 1),
        lambda t: t.replace(" bm25", ""),
        lambda t: t.replace(" 1 ", " 1.0 "),
    ],
    ids=range(19),
)
def test_messy_run_gives_the_same_rows(tmp_path, change):
    assert rows(tmp_path, change(RUN)) == ROWS


def test_ids_stay_text(tmp_path):
    assert rows(tmp_path, '007 0 d"x 1\n7 0 "y" 2\n007 0 a,b 3\n', "qrels") == [
        ("007", 'd"x', 1.0),
        ("7", '"y"', 2.0),
        ("007", "a,b", 3.0),
    ]


def test_grades_may_be_fractional_and_negative(tmp_path):
    assert [g for *_, g in rows(tmp_path, "q 0 a 1.5\nq 0 b -2\nq 0 c 1e-1\n", "qrels")] == [1.5, -2.0, 0.1]


def test_three_field_qrels_are_read_and_said(tmp_path):
    path = tmp_path / "a.qrels"
    path.write_text("q1 d1 2\nq1 d2 0\n")

    got = read(path, "qrels")

    assert got.frame.rows() == [("q1", "d1", 2.0), ("q1", "d2", 0.0)]
    assert got.notes == ("three fields per line: read as query, doc, grade",)


@pytest.mark.parametrize("lead", ["", "# c\n"], ids=["fast", "tolerant"])
@pytest.mark.parametrize("text", ["nan", "NaN", "inf", "-inf", "1e-5", "+3", ".5", "5.", "1E5", "-0.0", "1e400"])
def test_scores_that_are_numbers_parse_like_python(tmp_path, text, lead):
    [(_, _, got)] = rows(tmp_path, f"{lead}q Q0 d 1 {text} t\n")

    expected = float(text)
    assert math.isnan(got) if math.isnan(expected) else struct.pack("d", got) == struct.pack("d", expected)


def test_comments_and_several_tags_are_noted(tmp_path):
    path = tmp_path / "a.run"
    path.write_text("# made by hand\nq Q0 a 1 2 one\nq Q0 b 2 1 two\n")

    got = read(path, "run")

    assert got.notes == ("skipped 1 comment line", "several run tags; using the first, 'one'")
    assert got.tag == "one"


@pytest.mark.parametrize("name", ["a.run.gz", "a.run.bz2", "a.run.xz", "a.run.zst", "a.run"])
def test_compressed_runs_are_recognised_by_content(tmp_path, name):
    import bz2
    import lzma

    import pyarrow as pa

    pack = {
        "gz": gzip.compress,
        "bz2": bz2.compress,
        "xz": lzma.compress,
        "zst": lambda b: pa.compress(b, codec="zstd", asbytes=True),
        "run": gzip.compress,  # the suffix does not say so
    }[name.rpartition(".")[2]]

    assert rows(tmp_path, pack(RUN.encode()), name=name) == ROWS
    assert rows(tmp_path, pack(RUN.replace(" ", "  ").encode()), name=name) == ROWS


# What is refused --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("bad", ["abc", "nan?", "1_000", "0x1", "1,5", "１", "1.2.3", "--1"])
def test_score_that_is_no_number_names_the_line(tmp_path, bad):
    text = RUN + "\n# comment\n" + f"q3 Q0 d1 1 {bad} t\n"

    hint = " Is the comma a decimal point? Write 1.5." if bad == "1,5" else ""
    assert failure(tmp_path, text) == f"run 'bm25.run', line 6: score must be a number, got {bad!r}.{hint}"


def test_many_bad_scores_are_counted(tmp_path):
    lines = [f"q Q0 d{i} {i} {'x' if i % 2 else i} t" for i in range(1, 11)]

    message = failure(tmp_path, "\n".join(lines))

    assert message.startswith("run 'bm25.run', line 1: score must be a number, got 'x'. 4 more like it:\n  line 3:")


def test_wrong_number_of_fields_names_the_line_and_shows_it(tmp_path):
    assert failure(tmp_path, RUN.replace("问2 Q0 文档#7 1 -3 bm25", "q1\td1  0.5")) == (
        "run 'bm25.run', line 3: expected 6 fields (query Q0 doc rank score tag), found 3: 'q1 d1 0.5'."
    )
    assert failure(tmp_path, "q 0 d 1\nq 0 d 1 9\n", "qrels", "a.qrels") == (
        "qrels 'a.qrels', line 2: expected 4 fields (query iteration doc grade), found 5: 'q 0 d 1 9'. "
        "Is there a blank in an id?"
    )


@pytest.mark.parametrize("grade", ["x", "nan", "inf", "1_0"])
def test_grade_that_is_no_finite_number_is_refused(tmp_path, grade):
    message = failure(tmp_path, f"q 0 d 1\nq 0 e {grade}\n", "qrels", "a.qrels")

    assert message == f"qrels 'a.qrels', line 2: grade must be a finite number, got {grade!r}."


def test_score_in_the_place_of_the_rank_is_refused(tmp_path):
    assert "line 1: rank must be a whole number, got '0.93'" in failure(tmp_path, "q Q0 d 0.93 1 t\n")


def test_swapped_files_are_recognised(tmp_path):
    assert "are run and qrels swapped?" in failure(tmp_path, "q 0 d 1\nq 0 e 0\n")
    assert "are run and qrels swapped?" in failure(tmp_path, RUN, "qrels")


def test_text_that_is_not_utf8_names_line_and_byte(tmp_path):
    text = RUN.encode() + "问3".encode("gbk") + b" Q0 d 1 1 t\n"

    assert re.match(r"run 'bm25.run', line 4: text must be UTF-8, got 0xce at byte 1", failure(tmp_path, text))


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "run 'bm25.run' is empty."),
        (b" \n\n", "run 'bm25.run' holds nothing but blanks."),
        (b"# only\n# comments\n", "run 'bm25.run' holds no data lines"),
        (b"q Q0 d\x00 1 1 t\n", "run 'bm25.run', line 1: a zero byte"),
        ("q Q0 d 1 1 t\n".encode("utf-16"), "run 'bm25.run' is UTF-16 text; save it as UTF-8."),
        (gzip.compress(RUN.encode() * 500, mtime=0)[:-20], "cannot be decompressed: damaged or cut-off gzip"),
        (gzip.compress(b"", mtime=0), "run 'bm25.run' is empty."),
    ],
    ids=range(7),
)
def test_file_that_is_no_text_of_a_run_is_refused(tmp_path, data, message):
    assert message in failure(tmp_path, data)


def test_missing_file_and_folder_are_refused(tmp_path):
    (tmp_path / "bm25.run").write_text(RUN, encoding="utf-8")
    (tmp_path / "empty").mkdir()

    with pytest.raises(InputError, match=r"run 'bm52.run' does not exist: .*Did you mean bm25.run\?"):
        read(tmp_path / "bm52.run", "run")
    with pytest.raises(InputError, match="is a folder without files that could be read"):
        read(tmp_path / "empty", "run")


@pytest.mark.parametrize("typed", ["qrels.run", "zzz.run", "b.run", "dense.tsv"])
def test_a_file_that_is_only_called_alike_behind_its_dot_is_not_proposed(tmp_path, typed):
    for name in ("bm25.run", "rel.run", "run.run", "notes.tsv"):
        (tmp_path / name).write_text("q1 Q0 d1 1 1 t\n")

    with pytest.raises(InputError) as caught:
        read(tmp_path / typed, "run")

    assert "Did you mean" not in str(caught.value)


# The fast reader against a plain one ------------------------------------------------------------------------

BLANKS = " \t\r\f\v"
RANK = re.compile(r"[+-]?\d+(\.0*)?", re.ASCII)
NUMBER = re.compile(r"[+-]?((\d+\.?\d*|\.\d+)(e[+-]?\d+)?|inf|infinity|nan)", re.IGNORECASE | re.ASCII)


def plain_reader(data: bytes, kind: str):
    """The definition, line by line: rows, or None when any line is malformed."""
    try:
        text = data.decode().lstrip("\ufeff").replace("\n\ufeff", "\n")  # files put behind one another
    except UnicodeDecodeError:
        return None
    if "\x00" in text:
        return None
    if "\n" not in text:
        text = text.replace("\r", "\n")
    if re.search("\r[^\r\n]", text):
        return None
    found, width = [], None
    for line in text.split("\n"):
        line = line.strip(BLANKS)
        if not line or line.startswith("#"):
            continue
        f = re.split(f"[{BLANKS}]+", line)
        if kind == "run":
            if len(f) < 5 or not NUMBER.fullmatch(f[4]) or not RANK.fullmatch(f[3]):
                return None
            if len(f) > 6 and NUMBER.fullmatch(f[5]):  # a blank in an id has moved the score to where the tag should be
                return None
            if any(RANK.fullmatch(rank) and NUMBER.fullmatch(score) for rank, score in pairwise(f[8:11])):
                return None  # what follows is another line, with its query or without
            found.append((f[0], f[2], float(f[4])))
        else:
            width = width or (3 if len(f) == 3 else 4)
            if len(f) != width or not NUMBER.fullmatch(f[-1]) or not math.isfinite(float(f[-1])):
                return None
            found.append((f[0], f[-2], float(f[-1])))
    return found or None


def key(table):
    return [(q, d, struct.pack("d", v)) for q, d, v in table]


TOKEN = st.sampled_from(["q1", "007", "问", 'd"x', "d#4", '"', "a'b", "x,y", "-", "0", "\u00a0", "é", "\u2028"])
STRAYS = '|  |\t| \t|#|"|,|x| x|\x00|\ufeff|\x0b|\x0c|\x1f| Q0 | 1 |nan| # |\r|\r\n|\n|\n\n|\n \n|\n#|# c\n'
PIECES = st.sampled_from(STRAYS.split("|"))


@st.composite
def mutated_files(draw):
    kind = draw(st.sampled_from(["run", "qrels"]))
    sep = draw(st.sampled_from([" ", "\t"]))
    with_tag = draw(st.sampled_from([True, True, False]))
    lines = []
    for i in range(draw(st.integers(1, 6))):
        q, d = draw(TOKEN), draw(TOKEN)
        value = draw(st.sampled_from(["1", "0.5", "-2", "1e-5", "3.25"]))
        fields = [q, "Q0", d, str(i + 1), value, *(["t"] if with_tag else [])] if kind == "run" else [q, "0", d, value]
        lines.append(sep.join(fields))
    end = draw(st.sampled_from(["\n", "\n", "\r\n"]))
    text = end.join(lines) + draw(st.sampled_from([end, end, ""]))
    for _ in range(draw(st.integers(0, 3))):
        at = draw(st.integers(0, len(text)))
        drop = draw(st.sampled_from([0, 0, 0, 1, 3, 8]))
        text = text[:at] + draw(PIECES) + text[at + drop :]
    return kind, text.encode()


@settings(max_examples=600, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@example(("run", b"\x0bq1 Q0 d1 1 0.5 t\r\nq1 Q0 d2 2 0.4 t\n"))  # a stray byte in the place of a missing return
@example(("qrels", b"q1 0 d\x1f1 1\r\nq1 0 d2 0\n"))
@given(mutated_files())
def test_mutated_file_reads_as_the_plain_reader_does(file):
    kind, data = file
    expected = plain_reader(data, kind)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "x"
        path.write_bytes(data)
        value = "score" if kind == "run" else "grade"
        try:
            source = open_source(path, kind)
            frame = trec.read(source, Options()).frame
        except InputError:
            assert expected is None
            return
        assert expected is not None
        assert key(frame.select("query_id", "doc_id", value).rows()) == key(expected)
        fast = trec._fast(source)
        assert fast is None or key(fast.select("query_id", "doc_id", value).rows()) == key(expected)


def test_clean_file_takes_the_fast_way_and_a_messy_one_does_not(tmp_path):
    path = tmp_path / "a.run"
    for text, is_fast in [
        (RUN, True),
        (RUN.replace(" ", "\t"), True),
        (RUN.rstrip(), True),
        (RUN.replace("\n", "\r\n"), True),
        (RUN.replace("\n", "\r\n").rstrip(), True),
        (RUN.replace("d1", "d\r1").replace("bm25\n", "bm25\r\n", 2), False),
        (RUN.replace(" Q0", "  Q0", 1), False),
        (RUN + "# Q0 d 1 1 t\n", False),
    ]:
        path.write_text(text, encoding="utf-8")
        assert (trec._fast(open_source(path, "run")) is not None) == is_fast


# Real files -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "queries", "count"),
    [
        ("trec_eval_test/qrels.test.gz", 3, 3681),
        ("trec_eval_test/qrels.test.with-comments.gz", 3, 3681),
        ("trec_eval_test/qrels.rel_level.gz", None, None),
        ("trec_eval_test/qrels.123.gz", 3, 10362),
        ("trec_eval_test/qrels.comments.123.gz", 3, 10362),
        ("trec_eval_test/qrels.comment.test.gz", 31, 5890),
        ("trec_eval_test/qrels-302.test", 1, None),
        ("ir_measures_compat/compat.qrels", 2, 311),
        ("ir_measures_compat/cwl.qrels", None, None),
        ("web2014_diversity/qrels.web.251-300.txt.gz", 50, 14432),
        ("web2014_diversity/qrels.web.251-300.ndeval.txt.gz", None, 43840),
        ("qrels_misc/qrels.dl19-passage.txt.gz", 43, 9260),
        ("qrels_misc/qrels.msmarco-passage.dev-subset.txt.gz", 6980, 7437),
        ("qrels_misc/qrels.miracl-v1.0-zh-dev.tsv.gz", 393, 3928),
        ("cranfield/cranqrel.trec.txt", 225, 1837),
        ("vaswani_npl/qrels", 93, 2083),
    ],
)
def test_real_qrels_read_as_the_plain_reader_does(shared, name, queries, count):
    path = shared / name
    raw = path.read_bytes()
    data = gzip.decompress(raw) if name.endswith(".gz") else raw

    got = read(path, "qrels")

    assert got.format == "trec"
    assert got.frame.select("query_id", "doc_id", "grade").rows() == plain_reader(data, "qrels")
    assert queries in (None, got.frame["query_id"].n_unique())
    assert count in (None, got.frame.height)


@pytest.mark.parametrize(
    ("name", "count", "tag"),
    [
        ("trec_eval_test/results.test.gz", 1500, "STANDARD"),
        ("trec_eval_test/results.comment.test.gz", 30100, "comment.test"),
        ("trec_eval_test/results.trunc", None, "STANDARD"),
        ("trec_eval_test/results-302.test", None, "STANDARD"),
        ("trec_eval_test/prefs.results.test", None, "STANDARD"),
        ("ir_measures_compat/compat.run.gz", 1927, "run"),
        ("ir_measures_compat/cwl.run", None, "R1"),
        ("web2014_diversity/test.wt14.run.gz", 5000, "run"),
        ("dl_hard_passage/bm25+rm3+t5(zs).run.gz", 50000, None),
    ],
)
def test_real_runs_read_as_the_plain_reader_does(shared, name, count, tag):
    path = shared / name
    raw = path.read_bytes()
    data = gzip.decompress(raw) if name.endswith(".gz") else raw

    got = read(path, "run")

    assert got.format == "trec"
    assert got.frame.select("query_id", "doc_id", "score").rows() == plain_reader(data, "run")
    assert count in (None, got.frame.height)
    assert tag in (None, got.tag)


def test_preference_judgements_are_refused_as_qrels(shared):
    with pytest.raises(InputError, match=r"line 1: expected 4 fields \(query iteration doc grade\), found 5"):
        read(shared / "trec_eval_test/prefs.test", "qrels", format="trec")
    with pytest.raises(InputError, match=r"has an unknown format. Known formats: .* First line: '1.EC.AB"):
        read(shared / "trec_eval_test/prefs.test", "qrels")


@pytest.mark.parametrize("line", ["q1 Q0 my 7 1 3.5 tag", "q1 Q0 my 7 8 1 3.5 tag", "q1 Q0 my doc 1 3.5 tag"])
def test_an_id_with_a_blank_is_an_error(tmp_path, line):
    (tmp_path / "a.run").write_text(f"q1 Q0 d0 1 4.5 tag\n{line}\n")

    with pytest.raises(InputError, match=r"line 2: expected 6 fields .* Is there a blank in an id\?"):
        rg.read_run(tmp_path / "a.run")


@pytest.mark.parametrize("between", ["", " ", "\t"])
def test_two_lines_in_one_are_an_error(tmp_path, between):
    (tmp_path / "a.run").write_bytes(f"q1 Q0 d0 1 4.5 t\nq1 Q0 d1 2 3.5 t{between}q1 Q0 d2 3 2.5 t\n".encode())

    with pytest.raises(InputError, match=r"line 2: expected 6 fields .* Is there a line end missing\?"):
        rg.read_run(tmp_path / "a.run")


def test_words_behind_the_tag_are_told(tmp_path):
    (tmp_path / "a.run").write_text("q1 Q0 d0 1 4.5 bm25\nq1 Q0 d1 2 3.5 bm25 k1=0.9 b=0.4\n")

    found = rg.read_run(tmp_path / "a.run")

    assert found.to_dict() == {"q1": {"d0": 4.5, "d1": 3.5}}
    assert found.notes == ("1 line has more than six fields (line 2): what follows the sixth was not used",)


@pytest.mark.parametrize(
    ("name", "text", "lines"),
    [
        ("qrels.txt", "q1 0 d1 1\nq1 0 d2 1\nq1 0 d1 2\n", "line 1 and line 3"),
        ("qrels.trec", "# judged in May\nq1 0 d1 1\n\nq1 0 d1 2\n", "line 2 and line 4"),
        ("qrels.csv", "query_id,doc_id,grade\nq1,d1,1\nq1,d1,1\nq1,d1,2\n", "line 2 and line 4"),
        (
            "qrels.jsonl",
            '{"query_id":"q1","doc_id":"d1","grade":1}\n\n{"query_id":"q1","doc_id":"d1","grade":2}\n',
            "line 1 and line 3",
        ),
    ],
)
def test_a_contradiction_names_the_file_as_given_and_the_lines(tmp_path, monkeypatch, name, text, lines):
    (tmp_path / "judged").mkdir()
    (tmp_path / "judged" / name).write_text(text)
    monkeypatch.chdir(tmp_path)

    with pytest.raises(InputError) as caught:
        rg.evaluate(f"judged/{name}", {"q1": ["d1"]}, "RR")

    expected = f"qrels 'judged/{name}': query 'q1', 'd1' has grades 1 and 2 ({lines}). Keep one judgement of each item."
    assert str(caught.value) == expected


@pytest.mark.parametrize("many", [1, 40_000])
def test_byte_order_marks_of_files_put_behind_one_another_are_no_part_of_ids(tmp_path, many):
    bom = b"\xef\xbb\xbf"
    rest = b"".join(b"x%d Q0 d1 1 1 t\n" % i for i in range(many))
    (tmp_path / "run.txt").write_bytes(bom + bom + b"q1 Q0 d1 1 1 t\n" + rest + bom + b"q2 Q0 d3 1 1 t\n")
    (tmp_path / "later.txt").write_bytes(b"q1 Q0 d1 1 1 t\n" + rest + bom + b"q2 Q0 d3 1 1 t\n")
    qrels = {"q1": {"d1": 1}, "q2": {"d3": 2}}

    assert rg.evaluate(qrels, tmp_path / "run.txt", "P@1")["P@1"] == 1
    assert rg.evaluate(qrels, tmp_path / "later.txt", "P@1")["P@1"] == 1


def test_a_carriage_return_inside_a_line_is_an_error_that_names_it(tmp_path):
    """What followed it was taken for words behind the sixth field."""
    (tmp_path / "run.txt").write_bytes(b"q0 Q0 d0 1 1 t\nq1 Q0 d0 1 1 t\rq1 Q0 d1 2 5 t\nq2 Q0 d3 1 1 t\n")

    with pytest.raises(InputError, match="line 2: a carriage return must stand at the end of a line"):
        rg.read_run(tmp_path / "run.txt").to_frame()


def test_lines_without_a_tag_among_others_are_told(tmp_path):
    (tmp_path / "a.run").write_text("q1 Q0 d0 1 4.5 t\nq1 Q0 d1 2 3\nq1 Q0 d2 3 2.5 t\n")

    found = rg.read_run(tmp_path / "a.run")

    assert found.to_dict() == {"q1": {"d0": 4.5, "d1": 3.0, "d2": 2.5}}
    assert "1 line has no tag, unlike the others (line 2): is the end cut off?" in found.notes


@pytest.mark.parametrize("kind", ["run", "qrels"])
def test_two_fields_with_a_blank_between_them_are_told_how_to_be_written(tmp_path, kind):
    (tmp_path / "x.txt").write_text("q1 d1\nq1 d2\n")

    with pytest.raises(InputError, match="Queries and items only need tabs or commas and a header: query_id,doc_id"):
        read(tmp_path / "x.txt", kind)
