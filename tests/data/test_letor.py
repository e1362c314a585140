"""LETOR and SVMlight files as judgements, with qid or with group sizes beside them."""

import gzip

import pytest

from rankgauge.data.formats import read
from rankgauge.errors import InputError


def load(tmp_path, text, name="x.txt", kind="qrels", **options):
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    return read(path, kind, **options)


@pytest.mark.parametrize(
    "comment", ["#docid = GX-文 inc = 1 prob = 0.5", "# docid = GX-文", "#docid=GX-文", "# GX-文", "#GX-文"]
)
def test_document_comes_from_the_comment(tmp_path, comment):
    got = load(tmp_path, f"2 qid:10 1:0.5 2:0.1 {comment}\n0 qid:10 1:0 2:1e-3 #docid = other\n")

    assert got.frame.rows() == [("10", "GX-文", 2.0), ("10", "other", 0.0)]
    assert (got.format, got.notes) == ("letor", ())


def test_documents_without_a_name_are_numbered_inside_the_query(tmp_path):
    got = load(tmp_path, "2 qid:a 1:0.5\n0 qid:b 1:1\n1.5 qid:a 1:1\n")

    assert got.frame.rows() == [("a", "1", 2.0), ("b", "1", 0.0), ("a", "2", 1.5)]
    assert got.notes == ("no document ids: documents are numbered 1, 2, … inside each query",)


def test_groups_beside_the_file_make_the_queries(tmp_path):
    text = "2 1:0.5\n0 1:1\n1 3:1\n"
    (tmp_path / "rank.train.query").write_text("1\n2\n")
    got = load(tmp_path, text, "rank.train")

    assert got.frame.rows() == [("1", "1", 2.0), ("2", "1", 0.0), ("2", "2", 1.0)]

    (tmp_path / "sizes").write_text("3\n")
    assert load(tmp_path, text, "rank.train", groups=tmp_path / "sizes").frame["query_id"].to_list() == ["1"] * 3


def test_groups_that_are_missing_or_do_not_add_up_are_refused(tmp_path):
    text = "2 1:0.5\n0 1:1\n"
    with pytest.raises(InputError, match=r"has no qid, .*'a.query' or '.group'\)\. Pass groups="):
        load(tmp_path, text, "a")

    (tmp_path / "a.group").write_text("3\n")
    with pytest.raises(InputError, match=r"has 2 rows, but the groups in 'a.group' sum to 3"):
        load(tmp_path, text, "a")

    (tmp_path / "a.group").write_text("1\nx\n")
    with pytest.raises(InputError, match=r"groups 'a.group', line 2: expected the rows of one query, got 'x'"):
        load(tmp_path, text, "a")


@pytest.mark.parametrize("bad", ["x qid:1 1:0", "1 qid:1 1:0 nonsense", "1 1:0.5", "1"])
def test_malformed_line_is_named(tmp_path, bad):
    with pytest.raises(InputError, match=r"qrels 'x.txt', line 3: expected"):
        load(tmp_path, f"2 qid:1 1:0.5\n\n{bad}\n1 qid:1 1:1\n")


def test_file_has_no_scores_for_a_run(tmp_path):
    with pytest.raises(InputError, match=r"holds grades and features but no scores.*NumPy"):
        load(tmp_path, "2 qid:1 1:0.5\n", kind="run")


@pytest.mark.parametrize(
    ("name", "rows", "groups", "grades"),
    [
        ("rank.train.gz", 3005, 201, {0: 645, 1: 1211, 2: 858, 3: 222, 4: 69}),
        ("rank.test.gz", 768, 50, {0: 206, 1: 256, 2: 252, 3: 44, 4: 10}),
    ],
)
def test_real_lightgbm_data_reads_with_its_groups(shared, name, rows, groups, grades):
    path = shared / "lightgbm_lambdarank" / name
    got = read(path, "qrels")

    assert got.frame.height == rows
    assert got.frame["query_id"].n_unique() == groups
    assert dict(got.frame["grade"].value_counts().iter_rows()) == grades
    first = [float(line.split()[0]) for line in gzip.decompress(path.read_bytes()).decode().splitlines()]
    assert got.frame["grade"].to_list() == first
