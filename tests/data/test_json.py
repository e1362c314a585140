"""JSON and JSON Lines: every layout, and nothing malformed becomes a number."""

import json

import pytest

import rankgauge as rg
from rankgauge.data.formats import read
from rankgauge.errors import InputError


def load(tmp_path, content, kind, name="x.json", **options):
    path = tmp_path / name
    path.write_text(content if isinstance(content, str) else json.dumps(content, ensure_ascii=False), encoding="utf-8")
    return read(path, kind, **options)


def failure(tmp_path, content, kind, name="x.json"):
    with pytest.raises(InputError) as e:
        load(tmp_path, content, kind, name)
    return str(e.value)


# JSON -------------------------------------------------------------------------------------------------------


def test_object_of_objects_holds_scores_or_grades(tmp_path):
    content = {"问1": {"文档1": 2, "d2": 0.5}, "q2": {"007": -1}}
    rows = [("问1", "文档1", 2.0), ("问1", "d2", 0.5), ("q2", "007", -1.0)]

    run, qrels = load(tmp_path, content, "run"), load(tmp_path, content, "qrels")

    assert run.frame.columns == ["query_id", "doc_id", "score"]
    assert qrels.frame.columns == ["query_id", "doc_id", "grade"]
    assert run.frame.rows() == qrels.frame.rows() == rows


def test_object_of_lists_is_a_ranking_or_a_set_of_relevant_items(tmp_path):
    content = {"q1": ["a", "b", 3], "q2": []}

    run, qrels = load(tmp_path, content, "run"), load(tmp_path, content, "qrels")

    assert run.frame.rows() == [("q1", "a", 3.0), ("q1", "b", 2.0), ("q1", "3", 1.0)]
    assert qrels.frame["grade"].to_list() == [1.0, 1.0, 1.0]
    assert (run.empty, run.notes) == (("q2",), ())
    assert qrels.notes == ("queries without any item, so without a row: 1 ('q2')",)


def test_single_target_is_one_relevant_item_and_no_run(tmp_path):
    assert load(tmp_path, {"q1": "d1", "q2": 7}, "qrels").frame.rows() == [
        ("q1", "d1", 1.0),
        ("q2", "7", 1.0),
    ]
    assert "query 'q1': must be a list or an object, got 'd1'" in failure(tmp_path, {"q1": "d1"}, "run")


def test_one_file_serves_as_run_and_as_qrels(tmp_path):
    content = {
        "q1": {"retrieved": ["a", "b"], "relevant": {"b": 3}},
        "q2": {"retrieved": [{"doc_id": "c", "score": 0.5}], "relevant": ["c"]},
        "q3": {"retrieved": [["d", 0.25]], "relevant": "d"},
    }

    assert load(tmp_path, content, "run").frame.rows() == [
        ("q1", "a", 2.0),
        ("q1", "b", 1.0),
        ("q2", "c", 0.5),
        ("q3", "d", 0.25),
    ]
    assert load(tmp_path, content, "qrels").frame.rows() == [
        ("q1", "b", 3.0),
        ("q2", "c", 1.0),
        ("q3", "d", 1.0),
    ]


def test_half_that_is_missing_is_an_error(tmp_path):
    content = {"q1": {"retrieved": ["a"]}, "q2": {"retrieved": ["b"], "relevant": ["b"]}}

    assert failure(tmp_path, content, "qrels") == "qrels 'x.json', query 'q1': has no relevant items ('relevant')."


def test_document_named_like_a_half_is_a_document(tmp_path):
    assert load(tmp_path, {"q": {"results": 2, "d": 1}}, "run").frame["doc_id"].to_list() == ["results", "d"]


def test_list_of_records_reads_like_a_table(tmp_path):
    content = [{"qid": 1, "docno": "001", "sim": 0.5, "text": "…"}, {"qid": 2, "docno": "b", "sim": 1}]
    got = load(tmp_path, content, "run")

    assert got.frame.rows() == [("1", "001", 0.5), ("2", "b", 1.0)]
    assert got.notes == ("read 'qid' as query_id", "read 'docno' as doc_id", "read 'sim' as score")


def test_results_with_ids_ranks_or_nothing_but_order(tmp_path):
    content = {
        "q1": {"results": [{"id": "a", "score": 1}, {"id": "b", "score": 2}]},
        "q2": {"results": [{"doc_id": "a", "rank": 2}, {"doc_id": "b", "rank": 1}]},
        "q3": {"results": [{"docno": "a"}, {"docno": "b"}]},
    }

    assert load(tmp_path, content, "run").frame["score"].to_list() == [1.0, 2.0, -2.0, -1.0, 2.0, 1.0]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ({"q1": {"d1": None}}, "query 'q1', doc 'd1': grade must be a number, got None."),
        ({"q1": {"d1": "2"}}, "query 'q1', doc 'd1': grade must be a number, got '2'."),
        ({"q1": {"d1": [1]}}, "query 'q1', doc 'd1': grade must be a number, got [1]."),
        ({"q1": None}, "query 'q1': must be a list or an object, or one id, got None."),
        ({"q1": True}, "query 'q1': must be a list or an object, or one id, got True."),
        ({"q1": ["a", None]}, "query 'q1': doc_id must be text or a whole number, got None."),
        ({"q1": ["a", 1.5]}, "query 'q1': doc_id must be text or a whole number, got 1.5."),
        ({"q1": ["a", ""]}, "query 'q1': doc_id must be text or a whole number, got ''."),
        (
            {"q1": ["a", {"doc_id": "b"}]},
            "query 'q1': doc_id must be text or a whole number, got {'doc_id': 'b'}.",
        ),
        ({"q1": [["a", 1], ["b"]]}, "query 'q1': items must be pairs of id and number, got ['b']."),
        ({"": ["a"]}, "query '': query_id must be text or a whole number, got ''."),
        ({"q1": []}, "holds no items."),
        ([], "holds no records."),
        ([1], "record 1: must be an object, got 1."),
        (
            [{"query_id": "q", "doc_id": "d", "grade": 1}, {"query_id": "q", "doc_id": "e"}],
            "record 2: grade must be",
        ),
    ],
    ids=range(15),
)
def test_malformed_content_is_named_and_never_zero(tmp_path, content, message):
    assert message in failure(tmp_path, content, "qrels")


def test_boolean_grades_count_and_boolean_scores_do_not(tmp_path):
    assert load(tmp_path, {"q": {"a": True, "b": False}}, "qrels").frame["grade"].to_list() == [1.0, 0.0]
    assert "score must be a number, got True" in failure(tmp_path, {"q": {"a": True}}, "run")


def test_broken_json_names_its_line(tmp_path):
    assert failure(tmp_path, '{\n "q1": {"a": 1},\n "q2": {"a": }\n}', "run").startswith(
        "run 'x.json', line 3: not valid JSON: "
    )


def test_key_that_appears_twice_is_an_error(tmp_path):
    assert "key 'q1' appears twice in one object" in failure(tmp_path, '{"q1": {"a": 1}, "q1": {"b": 1}}', "run")
    assert "key 'a' appears twice in one object" in failure(tmp_path, '{"q1": {"a" : 1, "a": 2}}', "run")
    assert load(tmp_path, '{"q1": {"a\\":b" : 1, "c": 2}}', "run").frame["doc_id"].to_list() == ['a":b', "c"]
    good = '{"query_id": "q", "doc_id": "d", "score": 1}\n'
    text = good + good.replace("}", ', "score": 2}')
    assert "line 2: key 'score' appears twice" in failure(tmp_path, text, "run", "x.jsonl")


def test_all_problems_are_reported_at_once(tmp_path):
    with pytest.raises(InputError) as e:
        load(tmp_path, {"q1": {"a": None, "b": "x"}, "q2": 1.5}, "qrels")

    assert len(e.value.problems) == 3


# JSON Lines -------------------------------------------------------------------------------------------------


def lines(*records):
    return "\n".join(json.dumps(r, ensure_ascii=False) for r in records) + "\n"


def test_one_record_per_line(tmp_path):
    text = lines({"query_id": "问", "doc_id": "007", "score": 0.5}, {"query_id": "问", "doc_id": 8, "score": 1})
    got = load(tmp_path, text, "run", "x.jsonl")

    assert got.frame.rows() == [("问", "007", 0.5), ("问", "8", 1.0)]
    assert got.format == "jsonl"


def test_one_query_per_line(tmp_path):
    text = lines(
        {"query_id": "q1", "query": "text", "retrieved": ["a", "b"], "relevant": {"b": 2}},
        {"query_id": 2, "query": "text", "retrieved": ["c"], "relevant": ["c"]},
    )

    assert load(tmp_path, text, "run", "x.jsonl").frame.rows() == [
        ("q1", "a", 2.0),
        ("q1", "b", 1.0),
        ("2", "c", 1.0),
    ]
    assert load(tmp_path, text, "qrels", "x.jsonl").frame.rows() == [("q1", "b", 2.0), ("2", "c", 1.0)]


def test_results_with_scores_per_line(tmp_path):
    text = lines({"qid": "q1", "results": [{"doc_id": "a", "score": 0.5}, {"doc_id": "b", "score": 0.75}]})

    assert load(tmp_path, text, "run", "x.jsonl").frame.rows() == [("q1", "a", 0.5), ("q1", "b", 0.75)]


def test_json_lines_in_a_json_file_are_recognised(tmp_path):
    text = lines({"query_id": "a", "doc_id": "b", "score": 1}, {"query_id": "a", "doc_id": "c", "score": 0})
    got = load(tmp_path, text, "run", "x.json")

    assert (got.format, got.frame.height) == ("jsonl", 2)
    assert got.notes == ("the suffix is .json but the content is jsonl: read as that",)


def test_json_object_in_a_jsonl_file_is_recognised(tmp_path):
    got = load(tmp_path, '{\n"q1": {"a": 1}\n}\n', "run", "x.jsonl")

    assert (got.format, got.frame.rows()) == ("json", [("q1", "a", 1.0)])


def test_broken_lines_are_named_with_blank_lines_counted(tmp_path):
    good = {"query_id": "a", "doc_id": "b", "score": 1}
    text = lines(good) + "\n" + '{"query_id": "a", \n' + lines(good) + "oops\n"

    message = failure(tmp_path, text, "run", "x.jsonl")

    assert message.startswith("run 'x.jsonl', line 3: not valid JSON")
    assert "line 5" in message


def test_missing_or_bad_values_name_the_line(tmp_path):
    good = {"query_id": "a", "doc_id": "b", "score": 1}

    assert "line 3: score must be a number, got 'nan?'" in failure(
        tmp_path, lines(good) + "\n" + lines({**good, "score": "nan?"}), "run", "x.jsonl"
    )
    assert "line 2: doc_id must not be missing" in failure(
        tmp_path, lines(good, {"query_id": "a", "score": 1}), "run", "x.jsonl"
    )
    assert "line 2: must be an object, got [1]" in failure(tmp_path, lines(good) + "[1]\n", "run", "x.jsonl")
    assert "doc_id must be text or whole numbers" in failure(
        tmp_path, lines(good, {**good, "doc_id": ["b"]}), "run", "x.jsonl"
    )


def test_real_question_file_says_which_columns_it_lacks(shared):
    with pytest.raises(InputError, match=r"columns missing from qrels"):
        read(shared / "domainrag_extractive_zh/basic_qa.jsonl.gz", "qrels")


def test_a_query_with_two_lists_is_an_error(tmp_path):
    records = [{"query_id": q, "results": ["d1"]} for q in ("q1", 2, "2")]
    (tmp_path / "run.jsonl").write_text("\n".join(map(json.dumps, records)))

    with pytest.raises(InputError, match="line 3: query '2' has a list already, on line 2"):
        rg.read_run(tmp_path / "run.jsonl")


def test_judgements_of_a_query_in_two_records_are_taken_together_and_told(tmp_path):
    records = [{"query_id": "q1", "relevant": [d]} for d in ("d1", "d2")]
    (tmp_path / "qrels.jsonl").write_text("\n".join(map(json.dumps, records)))

    found = rg.read_qrels(tmp_path / "qrels.jsonl")

    assert found.to_dict() == {"q1": {"d1": 1, "d2": 1}}
    assert found.notes == ("1 query is in several records, taken together ('q1')",)


@pytest.mark.parametrize("between", ["", " ", "\r", "\t"])
def test_two_objects_on_one_line_are_an_error_that_names_it(tmp_path, between):
    line = '{"query_id": "q1", "results": [{"doc_id": "a}{", "score": 1}]}'
    content = line + "\n\n" + line.replace("q1", "q2") + between + line.replace("q1", "q3") + "\n"

    assert "line 3: not valid JSON" in failure(tmp_path, content, "run", "x.jsonl")
    assert load(tmp_path, line + "\n" + line.replace("q1", "q2") + "\n", "run", "x.jsonl").frame.height == 2


def test_json_that_is_not_utf8_is_an_input_error(tmp_path):
    path = tmp_path / "x.json"
    path.write_bytes(b'{"q\xe7": {"a": 1}}')

    with pytest.raises(InputError, match="must be UTF-8"):
        read(path, "qrels")


def test_whole_number_beyond_all_floats_is_an_input_error(tmp_path):
    assert "holds a grade beyond what a float64 can hold" in failure(tmp_path, {"q": {"a": 10**400}}, "qrels")
