"""Which column is what: known spellings, preferences, ambiguity, and errors that say what to pass."""

import polars as pl
import pytest

import rankgauge as rg
from chinese_errors import Files, says_in_both
from rankgauge.data.columns import recognise, role_of
from rankgauge.errors import InputError, ParameterError


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        (["query_id", "doc_id", "score"], ["query_id", "doc_id", "score"]),
        (["user_id", "item_id", "score"], ["user_id", "item_id", "score"]),
        (["qid", "docno", "sim"], ["qid", "docno", "sim"]),
        (["Query-ID", "Corpus ID", "SCORE"], ["Query-ID", "Corpus ID", "SCORE"]),
        (["score", "pid", "topic"], ["topic", "pid", "score"]),
        (["session", "product_id", "prediction"], ["session", "product_id", "prediction"]),
        (["用户", "商品", "得分"], ["用户", "商品", "得分"]),
    ],
)
def test_run_columns_are_recognised_in_any_spelling(names, expected):
    assert list(recognise(names, "run").source.values()) == expected


@pytest.mark.parametrize("grade", ["grade", "relevance", "rel", "rating", "label", "judgment", "judgement", "gain"])
def test_qrels_grade_has_many_names(grade):
    assert recognise(["qid", "docid", grade], "qrels").source["grade"] == grade


def test_beir_header_reads_score_as_the_grade():
    found = recognise(["query-id", "corpus-id", "score"], "qrels")

    assert found.source == {"query_id": "query-id", "doc_id": "corpus-id", "grade": "score"}
    assert found.notes == ("read 'corpus-id' as doc_id", "read 'score' as grade")


def test_qrels_with_grade_and_score_take_the_grade():
    assert recognise(["query_id", "doc_id", "score", "grade"], "qrels").source["grade"] == "grade"


def test_run_never_takes_a_label_for_the_score():
    with pytest.raises(InputError, match="columns missing from run: 'score'"):
        recognise(["query_id", "doc_id", "label"], "run")


def test_id_column_wins_over_the_text_of_the_query():
    assert recognise(["query", "qid", "docno", "score"], "run").source["query_id"] == "qid"


def test_canonical_name_wins_over_every_other_spelling():
    found = recognise(["docno", "doc_id", "qid", "query_id", "score"], "run")

    assert found.source == {"query_id": "query_id", "doc_id": "doc_id", "score": "score"}
    assert found.notes == ()


def test_two_equally_good_columns_are_an_error_that_names_both():
    with pytest.raises(InputError, match="'docid' and 'doc-id' could both be doc_id") as e:
        recognise(["qid", "docid", "doc-id", "score"], "run")
    assert 'columns={"docid": "doc_id"}' in str(e.value)

    with pytest.raises(InputError, match="'docid' and 'docno' could both be doc_id"):
        recognise(["qid", "docid", "docno", "rank", "score", "query"], "run")


def test_columns_argument_settles_an_ambiguity():
    found = recognise(["qid", "docid", "docno", "score"], "run", {"docno": "doc_id"})

    assert found.source["doc_id"] == "docno"
    assert found.notes == ("read 'qid' as query_id",)


def test_columns_argument_takes_user_and_item():
    found = recognise(["who", "what", "score"], "run", {"who": "user_id", "what": "item_id"})

    assert found.source == {"query_id": "who", "doc_id": "what", "score": "score"}


def test_missing_column_error_suggests_what_to_pass():
    with pytest.raises(InputError) as e:
        recognise(["qid", "docnum", "score"], "run")

    assert str(e.value) == (
        "columns missing from run: 'doc_id'. Found: 'qid', 'docnum', 'score'. Pass columns={\"docnum\": \"doc_id\"}."
    )


def test_missing_column_error_without_a_candidate_says_what_is_needed():
    with pytest.raises(
        InputError, match=r"columns missing from qrels 'x.csv': 'grade'.*Nothing there could be 'grade'"
    ):
        recognise(["qid", "docid"], "qrels", where="qrels 'x.csv'")


class _Values:
    """A table with these columns, for what an error proposes."""

    def __init__(self, **values):
        self.values = values

    def may_be_score(self, name):
        return self.is_number(name) and any(v % 1 for v in self.values[name])

    def is_number(self, name):
        return all(isinstance(v, float) for v in self.values[name])


@pytest.mark.parametrize(
    ("names", "kind", "said"),
    [
        ("qq=q name=d title=t val=0.3", "run", '{"qq": "query_id", "name": "doc_id", "val": "score"}'),
        ("a=q b=d text=t c=0.3", "run", '{"a": "query_id", "b": "doc_id", "c": "score"}'),
        ("query_id=q doc_id=d title=t stars=3.0", "qrels", '{"stars": "grade"}'),
        ("val=0.5 who=q what=d", "run", '{"who": "query_id", "what": "doc_id", "val": "score"}'),
        ("query_id=q doc_id=d n=7.0 bm25=0.5", "run", '{"bm25": "score"}'),
    ],
)
def test_a_column_that_is_proposed_for_numbers_holds_numbers(names, kind, said):
    values = dict(pair.split("=") for pair in names.split())
    looks = _Values(**{n: [float(v)] if v[0].isdigit() else [v] for n, v in values.items()})

    with pytest.raises(InputError) as caught:
        recognise(list(values), kind, looks=looks)

    assert f"Pass columns={said}." in str(caught.value)


def test_run_with_rank_and_no_score_is_ordered_by_rank():
    found = recognise(["qid", "docno", "position"], "run")

    assert "score" not in found.source
    assert found.notes[-1] == "no score column: ordered by 'position' (score = -rank)"


def test_columns_argument_the_wrong_way_round_is_explained():
    with pytest.raises(ParameterError, match=r'Pass columns=\{"docnum": "doc_id"\}'):
        recognise(["qid", "docnum", "score"], "run", {"doc_id": "docnum"})


def test_columns_argument_with_an_unknown_role_lists_the_roles():
    with pytest.raises(ParameterError, match=r"must map to one of query_id, doc_id, score.*Did you mean doc_id"):
        recognise(["qid", "docnum", "score"], "run", {"docnum": "docid"})


def test_columns_argument_with_an_unknown_name_suggests_the_nearest():
    with pytest.raises(InputError, match=r"`columns` names 'docnun'.*Did you mean docnum"):
        recognise(["qid", "docnum", "score"], "run", {"docnun": "doc_id"})


def test_columns_argument_with_one_role_twice_is_refused():
    with pytest.raises(ParameterError, match="'a' and 'b' both map to 'doc_id'"):
        recognise(["a", "b", "qid", "score"], "run", {"a": "doc_id", "b": "doc_id"})


def test_role_of_an_unknown_name_is_none():
    assert role_of("Query ID", "run") == "query_id"
    assert [role_of(name, "run") for name in ("查询", "段落", "打分")] == ["query_id", "doc_id", "score"]
    assert role_of("colour", "run") is None


# predictions


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        (["label", "score"], {"label": "label", "score": "score"}),
        (["y_true", "y_score"], {"label": "y_true", "score": "y_score"}),
        (["Is_Click", "pCTR"], {"label": "Is_Click", "score": "pCTR"}),
        (["click", "label", "p", "score"], {"label": "label", "score": "score"}),
        (
            ["点击", "预估点击率", "权重", "用户ID", "时间"],
            {"label": "点击", "score": "预估点击率", "weight": "权重", "group": "用户ID", "time": "时间"},
        ),
        (
            ["点击", "点击率预估", "权重", "用户ID", "时间"],
            {"label": "点击", "score": "点击率预估", "weight": "权重", "group": "用户ID", "time": "时间"},
        ),
        (
            ["标签", "打分", "uid", "ts", "w"],
            {"label": "标签", "score": "打分", "weight": "w", "group": "uid", "time": "ts"},
        ),
        (
            ["标签", "预测", "uid", "ts", "w"],
            {"label": "标签", "score": "预测", "weight": "w", "group": "uid", "time": "ts"},
        ),
    ],
)
def test_columns_of_predictions_are_recognised_in_any_spelling(names, expected):
    assert recognise(names, "predictions").source == expected


@pytest.mark.parametrize(
    ("names", "role", "best"),
    [
        (["request_id", "qid", "user", "uid", "group_id"], "group", "group_id"),
        (["request_id", "qid", "user", "uid"], "group", "uid"),
        (["session_id", "query_id"], "group", "query_id"),
        (["hour", "date", "ts"], "time", "ts"),
        (["hour", "date"], "time", "date"),
        (["w", "sample_weight"], "weight", "sample_weight"),
    ],
)
def test_what_predictions_can_do_without_takes_the_clearest_column(names, role, best):
    found = recognise(["label", "score", *names], "predictions")

    assert found.source[role] == best
    assert found.notes[-1].startswith(f"several columns could be the {role}: took {best!r}, not ")
    assert found.notes[-1].endswith(f"; `{role}` chooses another")


def test_two_scores_are_an_error_that_offers_both():
    with pytest.raises(InputError) as e:
        recognise(["label", "pctr", "pcvr"], "predictions")

    assert str(e.value) == (
        "predictions: columns 'pctr' and 'pcvr' could both be score. "
        'Pass columns={"pctr": "score"} or columns={"pcvr": "score"}, '
        'or scores=["pctr", "pcvr"] for several models.'
    )


def test_two_labels_are_an_error():
    with pytest.raises(InputError, match="'click' and 'conversion' could both be label"):
        recognise(["click", "conversion", "pcvr"], "predictions")


def test_columns_of_predictions_may_have_several_roles_or_none():
    asked = {"new": "score", "old": "score", "uid": "group segment", "day": "ignore"}
    found = recognise(["label", "old", "new", "uid", "day"], "predictions", asked)

    assert found.source == {
        "label": "label",
        "score:new": "new",
        "score:old": "old",
        "group": "uid",
        "segment:uid": "uid",
    }
    assert found.notes == ()


def test_user_and_query_are_groups_of_predictions():
    assert recognise(["label", "score", "who"], "predictions", {"who": "user_id"}).source["group"] == "who"


def test_missing_score_of_a_wide_log_is_not_guessed():
    with pytest.raises(InputError, match=r"Nothing there could be 'score'; pass columns=.*: \"score\"\} if it is"):
        recognise(["click", "hour", "site_id", "app_id", "C14"], "predictions")
    with pytest.raises(InputError, match=r'Pass columns=\{"my_score": "score"\}'):
        recognise(["click", "my_score", "site_id", "app_id", "C14"], "predictions")


def test_a_role_is_a_name(tmp_path):
    says_in_both(
        lambda at: rg.Interactions.of(pl.DataFrame({"u": [1], "i": [2]}), columns={"u": "user_id", "i": 7}),
        Files(tmp_path),
        "`columns`: 'i' must be mapped to the name of a role, got 7.",
        "`columns`：'i' 必须映射为角色的名称，实际为 7。",
    )
