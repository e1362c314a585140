"""CSV and TSV: headers, quotes, ids as text, tables without a header, and line numbers in errors."""

import gzip

import polars as pl
import pytest

from rankgauge.data.formats import read
from rankgauge.errors import InputError


def load(tmp_path, text, kind="run", name="x.csv", **options):
    path = tmp_path / name
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return read(path, kind, **options)


def failure(tmp_path, text, kind="run", name="x.csv", **options):
    with pytest.raises(InputError) as e:
        load(tmp_path, text, kind, name, **options)
    return str(e.value)


ROWS = [("问1", "007", 2.5), ("问1", "文档 2", 1.0)]


@pytest.mark.parametrize(
    ("text", "name", "format_"),
    [
        ("query_id,doc_id,score\n问1,007,2.5\n问1,文档 2,1\n", "x.csv", "csv"),
        ("query_id\tdoc_id\tscore\n问1\t007\t2.5\n问1\t文档 2\t1\n", "x.tsv", "tsv"),
        ("query_id;doc_id;score\n问1;007;2.5\n问1;文档 2;1\n", "x.csv", "csv"),
        ('"query_id","doc_id","score"\r\n"问1","007","2.5"\r\n"问1","文档 2","1"\r\n', "x.csv", "csv"),
        ("query_id, doc_id, score\n问1, 007, 2.5\n问1, 文档 2, 1\n", "x.csv", "csv"),
        ("\ufeffquery_id,doc_id,score\n问1,007,2.5\n\n问1,文档 2,1", "x.csv", "csv"),
        ("# exported\n\nquery_id,doc_id,score\n问1,007,2.5\n问1,文档 2,1\n", "x.csv", "csv"),
        ("query_id,doc_id,score\r问1,007,2.5\r问1,文档 2,1\r", "x.csv", "csv"),
        ("query_id,doc_id,score\n问1,007,2.5\n问1,文档 2,1\n", "x.txt", "csv"),
        ("score,extra,doc_id,query_id\n2.5,,007,问1\n1,a,文档 2,问1\n", "x", "csv"),
    ],
    ids=range(10),
)
def test_table_with_a_header_keeps_ids_as_text(tmp_path, text, name, format_):
    got = load(tmp_path, text, name=name)

    assert got.frame.rows() == ROWS
    assert got.format == format_
    assert got.notes == ()


def test_quoted_fields_may_hold_the_separator_and_line_breaks(tmp_path):
    text = 'query,docid,title,rating\n"a, b",1,"two\nlines ""x""",3\nc,2,,0\n'

    assert load(tmp_path, text, "qrels").frame.rows() == [("a, b", "1", 3.0), ("c", "2", 0.0)]


def test_lone_quotes_in_a_tsv_are_characters(tmp_path):
    text = 'query\tdocid\trating\n5" disk\td1\t1\n"half\td2\t2\nplain\td3\t3\n'

    assert load(tmp_path, text, "qrels", "x.tsv").frame["query_id"].to_list() == ['5" disk', '"half', "plain"]


def test_columns_argument_reads_a_header_nobody_knows(tmp_path):
    text = "frage\tantwort\tpunkte\nq\td\t3\n"
    columns = {"frage": "query_id", "antwort": "doc_id", "punkte": "grade"}

    assert load(tmp_path, text, "qrels", "x.tsv", columns=columns).frame.rows() == [("q", "d", 3.0)]


def test_tag_column_becomes_the_tag(tmp_path):
    got = load(tmp_path, "qid,docid,score,tag\nq,d,1,bm25\n")

    assert got.frame.columns == ["query_id", "doc_id", "score"]
    assert got.tag == "bm25"


def test_table_by_rank_has_negative_ranks_as_scores(tmp_path):
    got = load(tmp_path, "query_id,doc_id,rank\nq,a,1\nq,b,2\n")

    assert got.frame["score"].to_list() == [-1.0, -2.0]


# Without a header -------------------------------------------------------------------------------------------


def test_headerless_qrels_of_three_or_four_columns_can_be_told(tmp_path):
    three = load(tmp_path, "q1,d1,2\nq1,d2,0\n", "qrels")
    four = load(tmp_path, "q1,0,d1,2\nq1,0,d2,0\n", "qrels")

    assert three.frame.rows() == [("q1", "d1", 2.0), ("q1", "d2", 0.0)]
    assert three.notes[0] == "no header: read as query_id, doc_id, grade"
    assert four.frame.select("query_id", "doc_id", "grade").rows() == three.frame.rows()


def test_headerless_tsv_with_blanks_in_the_query_is_a_table(tmp_path):
    got = load(tmp_path, "red shoes\td1\t2\nhat\td2\t0\n", "qrels", "x.tsv")

    assert got.frame.rows() == [("red shoes", "d1", 2.0), ("hat", "d2", 0.0)]


def test_headerless_run_with_fractions_has_scores_and_with_counting_has_ranks(tmp_path):
    assert load(tmp_path, "q,a,0.5\nq,b,0.25\n").frame["score"].to_list() == [0.5, 0.25]
    for text, name in [("q,a,1\nq,b,2\np,a,1\n", "x.csv"), ("q\ta\t1\nq\tb\t2\np\ta\t1\n", "x.tsv")]:
        assert load(tmp_path, text, name=name).frame["score"].to_list() == [-1.0, -2.0, -1.0]


def test_headerless_run_that_cannot_be_told_asks_for_a_header(tmp_path):
    message = failure(tmp_path, "q,a,30\nq,b,20\n")

    assert "line 1: no header, and the columns cannot be told from the values: 'q,a,30'" in message
    assert 'pass columns={"column_1": "query_id", "column_2": "doc_id", "column_3": "score"}' in message


def test_headerless_run_is_read_with_the_columns_argument(tmp_path):
    columns = {"column_1": "query_id", "column_2": "doc_id", "column_3": "score"}

    assert load(tmp_path, "q,a,30\nq,b,20\n", columns=columns).frame.rows() == [
        ("q", "a", 30.0),
        ("q", "b", 20.0),
    ]


# Errors -----------------------------------------------------------------------------------------------------


def test_bad_score_names_its_line_behind_quoted_line_breaks_and_blank_lines(tmp_path):
    text = 'query_id,doc_id,score,text\nq,a,1,"two\nlines"\n\nq,b,nan?,x\n'

    assert failure(tmp_path, text) == "run 'x.csv', line 5: score must be a number, got 'nan?'."


def test_missing_value_names_its_line(tmp_path):
    assert failure(tmp_path, "# c\nquery_id,doc_id,score\nq,a,1\nq,,2\n") == (
        "run 'x.csv', line 4: doc_id must not be missing, got nothing."
    )
    assert "line 2: score must be a number, got nothing" in failure(tmp_path, "query_id,doc_id,score\nq,a,\n")


def test_short_and_long_lines_are_named(tmp_path):
    assert failure(tmp_path, "query_id,doc_id,score,t\nq,a,1,x\nq,b,2\n") == (
        "run 'x.csv', line 3: expected 4 fields, found 3: 'q,b,2'."
    )
    assert failure(tmp_path, "query_id,doc_id,score\nq,a,1\nq,b,2,x\n") == (
        "run 'x.csv', line 3: expected 3 fields, found 4: 'q,b,2,x'."
    )


def test_quote_that_is_not_closed_is_an_error(tmp_path):
    text = 'query_id,doc_id,score\nq,"a,1\nq,b,2\nq,"c,3\n'

    assert "run 'x.csv'" in failure(tmp_path, text)


def test_repeated_names_missing_columns_and_no_rows_are_errors(tmp_path):
    assert "column names must differ, got 'score'" in failure(tmp_path, "query_id,score,score\nq,1,2\n")
    assert "columns missing from run 'x.csv': 'doc_id'" in failure(tmp_path, "query_id,colour,score\nq,1,2\n")
    assert failure(tmp_path, "query_id,doc_id,score\n") == "run 'x.csv' has a header but no rows."
    assert "at least two columns" in failure(tmp_path, "a\n1\n", format="csv")
    assert "'a,b' could be a header or a row" in failure(tmp_path, "a,b\n1,2\n", format="csv")


def test_text_that_is_not_utf8_names_the_line(tmp_path):
    text = b"query_id,doc_id,score\n" + "问题,d,1\n".encode("gb18030")

    assert "line 2: text must be UTF-8" in failure(tmp_path, text)


# Real files -------------------------------------------------------------------------------------------------


def test_chorus_ratings_read_as_qrels(shared):
    got = read(shared / "chorus_product_ratings/Broad_Query_Set_rated.csv.gz", "qrels")

    assert got.frame.height == 3668
    assert got.frame["query_id"].n_unique() == 135
    counts = dict(got.frame["grade"].value_counts().iter_rows())
    assert counts == {0.0: 1853, 1.0: 238, 2.0: 105, 3.0: 1472}
    assert got.format == "quepid"
    assert got.notes == ()


def test_chorus_individual_ratings_need_the_name_of_the_rating(shared):
    path = shared / "chorus_product_ratings/Broad_Query_Set_individual_ratings.csv.gz"
    got = read(path, "qrels", columns={"final_rating": "grade"})
    expected = pl.read_csv(gzip.decompress(path.read_bytes()), infer_schema=False)

    assert got.frame["doc_id"].to_list() == expected["docid"].to_list()
    with pytest.raises(InputError, match=r"columns missing from qrels .*: 'grade'.*Pass columns="):
        read(path, "qrels")


def test_movielens_ratings_read_as_qrels(shared):
    got = read(shared / "ml_latest_small/ratings.csv.gz", "qrels")

    assert got.frame.height == 100_004
    assert got.frame["query_id"].n_unique() == 671


# Queries and items only -------------------------------------------------------------------------------------

BARE = ["query_id,doc_id", "user_id,item_id", "qid\tdocno", "查询;文档"]


@pytest.mark.parametrize("header", [*BARE, ""])
@pytest.mark.parametrize("suffix", ["csv", "tsv", "txt"])
def test_judgements_of_two_columns_are_all_relevant_and_a_note_says_so(tmp_path, header, suffix):
    separator = next((s for s in "\t;" if s in header), ",")
    rows = [("q1", "d1"), ("q2", "d2"), ("q1", "d3")]
    lines = [*([header] if header else ()), *(separator.join(r) for r in rows)]
    (tmp_path / f"x.{suffix}").write_text("\n".join(lines))

    got = read(tmp_path / f"x.{suffix}", "qrels")

    assert got.frame.rows() == [(q, d, 1.0) for q, d in rows]
    assert "no grade column: every row is a relevant item (grade 1)" in got.notes
    assert ("no header: read as query_id, doc_id" in got.notes) is (not header)


@pytest.mark.parametrize("text", ["query_id,doc_id\nq2,b\nq2,a\nq1,c\n", "q2\td2\nq2\td1\nq1\td9\n"])
def test_a_run_of_two_columns_is_ranked_by_its_rows_and_a_note_says_so(tmp_path, text):
    (tmp_path / "x.csv").write_text(text)

    got = read(tmp_path / "x.csv", "run")

    assert got.frame["score"].to_list() == [2.0, 1.0, 1.0]
    assert got.frame["query_id"].to_list() == ["q2", "q2", "q1"]
    assert "no score column: the rows of each query are its ranking, best first" in got.notes


def test_rows_of_a_query_apart_from_each_other_have_no_order(tmp_path):
    (tmp_path / "x.csv").write_text("query_id,doc_id\nq1,a\nq2,a\n\nq1,b\n")

    with pytest.raises(InputError, match=r"line 5: query 'q1' was there before \(line 2\), with others in between"):
        read(tmp_path / "x.csv", "run")


def test_frames_and_records_of_two_columns_are_read_alike(tmp_path):
    import rankgauge as rg

    frame = pl.DataFrame({"query_id": ["q1", "q1"], "doc_id": ["b", "a"]})
    (tmp_path / "x.json").write_text(frame.write_json())
    frame.write_parquet(tmp_path / "x.parquet")

    for judged in (
        frame,
        frame.to_pandas(),
        frame.to_arrow(),
        frame.lazy(),
        tmp_path / "x.json",
        tmp_path / "x.parquet",
    ):
        assert rg.evaluate(judged, {"q1": ["x", "a"]}, ["R@2"])["R@2"] == 1 / 2
    for run in (frame, frame.to_pandas(), frame.to_arrow(), tmp_path / "x.json"):
        assert rg.evaluate({"q1": ["a"]}, run, ["RR"])["RR"] == 1 / 2
    for run in (frame.lazy(), tmp_path / "x.parquet"):  # may be read in pieces, whose rows have no places
        with pytest.raises(InputError, match=r"columns missing from run.*'score'"):
            rg.evaluate({"q1": ["a"]}, run, ["RR"])


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            "frage,dokument\nq1,d1\nq2,d2\n",
            "'frage,dokument' could be a header or a row. Add a header: query_id,doc_id.",
        ),
        ("q1,d1\n", "could be a header or a row"),
        ("d1,0.5\nd2,0.4\n", "no header, and the columns cannot be told"),
        ("query_id,grade\nq1,1\n", "columns missing from qrels 'x.csv': 'doc_id'"),
        (
            "user_id,item_id,event\nu,i,view\n",
            "be 'grade'. If every row is a relevant item, keep only the columns of queries and items.",
        ),
        ("query_id,doc_id,title\nq,d,A\n", "Nothing there could be 'grade'."),
    ],
)
def test_what_two_columns_are_is_never_guessed(tmp_path, text, said):
    (tmp_path / "x.csv").write_text(text)

    with pytest.raises(InputError) as caught:
        read(tmp_path / "x.csv", "qrels")

    assert said in str(caught.value)


def test_a_trec_line_with_a_comma_in_an_id_is_no_table_of_two_columns(tmp_path):
    (tmp_path / "x").write_text("q1 Q0 a,b 1 0.5 t\nq1 Q0 c,d 2 0.4 t\n")

    assert read(tmp_path / "x", "run").frame["doc_id"].to_list() == ["a,b", "c,d"]
