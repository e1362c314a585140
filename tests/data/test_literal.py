"""A dict as Python writes it, pasted into a file: the same as JSON, and nothing of it is run."""

from __future__ import annotations

import json
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import rankgauge as rg
from chinese_errors import refuse_english
from rankgauge.data.literal import LARGEST, NotLiteral, begins_otherwise, literal, looks_like_literal
from rankgauge.errors import InputError

QRELS = {"q1": {"d1": 1.0, "d3": 1.0}, "q2": {"d2": 2.0}}


def written(tmp_path: Path, text: str, name: str = "x.json") -> Path:
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.parametrize("name", ["x.json", "x.py", "x.txt", "x", "x.csv"])
@pytest.mark.parametrize(
    "text",
    [
        "{'q1': {'d1': 1, 'd3': 1}, 'q2': {'d2': 2}}",
        "qrels = {'q1': {'d1': 1, 'd3': True,}, 'q2': {'d2': 2},}",
        "# a book\n标注: dict[str, dict] = {  # grades\n    'q1': {'d1': 1, 'd3': 1},\n    'q2': {'d2': 2.0},\n}\n",
        '  {"q1": {"d1": 1, "d3": true}, "q2": {"d2": 2,}}',
        "{'q1': {'d1': np.int64(1), 'd3': numpy.float32(1.0)}, 'q2': {'d2': +2}}",
        "{\r\n'q1': {'d1': 1, 'd3': 1},\r\n'q2': {'d2': 2}}\r\n",
        "{'q1': (('d1', 1), ('d3', 1)), 'q2': [('d2', 2)]}",
    ],
)
def test_judgements_as_python_writes_them_are_read(tmp_path: Path, name: str, text: str):
    judged = rg.Qrels(written(tmp_path, text, name))

    assert judged.to_dict() == QRELS
    assert "not JSON but as Python writes it: read as that" in judged.notes


def test_a_set_is_relevant_items_but_no_ranking(tmp_path: Path):
    path = written(tmp_path, "{'q1': {'d1', 'd3'}, 'q2': {'d2'}}")

    assert rg.Qrels(path).to_dict() == {"q1": {"d1": 1.0, "d3": 1.0}, "q2": {"d2": 1.0}}
    with pytest.raises(InputError, match="query 'q1': must be a list or an object"):
        rg.Run(path).to_dict()


def test_pairs_of_a_handbook_are_both_sides(tmp_path: Path):
    path = written(
        tmp_path,
        "# 使用示例\nqueries = [\n    (['doc1', 'doc2', 'doc3'], ['doc1', 'doc4']),  # MRR = 1.0\n"
        "    (['doc2', 'doc3', 'doc1'], ['doc1', 'doc4']),  # MRR = 0.33\n"
        "    (['doc2', 'doc3', 'doc4'], {'doc1', 'doc5'}),  # MRR = 0.0\n]\n",
        "queries.py",
    )

    assert rg.evaluate(path, measures=["RR"])["RR"] == pytest.approx((1 + 1 / 3 + 0) / 3)


def test_two_names_are_the_two_sides(tmp_path: Path):
    one_query = written(tmp_path, "retrieved_docs = ['a', 'b', 'c', 'd', 'e']\nrelevant_docs = ['a', 'c', 'f', 'g']")
    by_query = written(tmp_path, "qrels = {'q1': {'d1': 1}, 'q2': {'d2': 1}}\nrun = {'q1': {'d9': 2.5, 'd1': 2}}", "b")

    assert rg.evaluate(one_query, measures=["P@5"])["P@5"] == pytest.approx(2 / 5)
    assert rg.evaluate(by_query, measures=["RR"])["RR"] == pytest.approx((1 / 2 + 0) / 2)


def test_lines_as_python_prints_them_are_records(tmp_path: Path):
    lines = "{'query_id': 'q1', 'doc_id': 'd1', 'grade': 1}\n\n{'query_id': 'q2', 'doc_id': 'd2', 'grade': 2}\n"

    assert rg.Qrels(written(tmp_path, lines, "x.jsonl")).to_dict() == {"q1": {"d1": 1.0}, "q2": {"d2": 2.0}}
    with pytest.raises(InputError, match="line 3: must hold texts, numbers, lists and dicts only, got nan"):
        rg.Qrels(written(tmp_path, lines.replace("2}", "nan}"), "x.jsonl"))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{'q1': {'d1': 1,\n 'd1': 2}}", "line 2: key 'd1' appears twice in one dict."),
        ("{1: {'d1': 1}, '1': {'d2': 2}}", "line 1: key '1' appears twice"),
        ("{'q1': ['d1'\n 'd2']}", "line 2: 'd1' and 'd2' stand side by side. Is there a comma missing?"),
        ("{'q1': ['d1', # one\n 'd2' # two\n 'd3']}", "line 3: 'd2' and 'd3' stand side by side."),
        ("{'q1': {'d1': nan}}", "got nan. Nothing can be ranked by it: leave it out."),
        ("{'q1': {'d1': one}}", "got one. Texts stand in quotes."),
        ("{'q1': {'d1': 1 + 1}}", "got 1 + 1. Nothing is computed: write the value."),
        ("{'q1': {'d1': __import__('os').getpid()}}", "got __import__('os').getpid()."),
        ("{'q1': array(['d1'])}", "Write what it holds"),
        ("{'q1': {**other}}", "got other."),
        ("x = {'q1': f'{d}'}", "Nothing is computed"),
        ("{('q1', 'd1'): 1}", "keys must be texts or whole numbers"),
        ("{True: {'d1': 1}}", "keys must be texts or whole numbers, got True."),
        ("q = {'q1': {'d1': 1}}\nprint(q)", "line 2: must be a value, or `name = value`, got 'print(q)'."),
        ("q = {'q1': {'d1': 1}}\nq = {'q1': {'d1': 2}}", "line 2: 'q' is given a value twice."),
        ("{'q1': {'d1': 1}", "'{' was never closed"),
        ("{'q1': [1 2]}", "Is there a comma missing?|Perhaps you forgot a comma"),
        ("{'q1': {'d1’: 1}}", "not a Python literal"),
        ("qrels = {“q1”: 1, 'a': 2}", "line 1: not a Python literal: “ is no quote of Python"),
        ("x = " + "[" * 300 + "'a'" + "]" * 300, "nested|too deep"),
        ("{'q1': {'d1': " + "9" * 5000 + "}}", "Exceeds the limit|too long"),
        ("{'q1': {'d1': 1e400}}", "line 1: a number is out of range."),
        ("# nothing\n(('a'))", "must hold"),
        ("{'q1': {'d1': 1}, 'q2': '" + "x" * LARGEST + "'}", "at most 2,000,000 letters, got 2,000,027"),
    ],
)
def test_what_is_no_literal_is_refused_with_its_line_in_both_languages(tmp_path: Path, text: str, said: str):
    with pytest.raises(InputError) as caught:
        rg.Qrels(written(tmp_path, text)).to_dict()

    assert any(words in str(caught.value) for words in said.split("|"))
    refuse_english(caught.value.text.zh.replace("name = value", ""))


@pytest.mark.parametrize(
    "text", ['{"q1": {"d1": 1}', '{"q1": {"d1": NaN}}', '{"q1": {"d1": 1} "q2": 2}', '{"q1": [1, 2}']
)
def test_json_with_a_mistake_is_still_called_json(tmp_path: Path, text: str):
    with pytest.raises(InputError, match="not valid JSON"):
        rg.Qrels(written(tmp_path, text))


@pytest.mark.parametrize(
    "head", [b"q1 0 d1 1", b"# made by\nq1 0 d1 1", b"a=b,c,d\n", b"(q1) 0 d1 1", b"", b"#", b"x == {"]
)
def test_lines_are_not_taken_for_literals(head: bytes):
    assert not begins_otherwise(head)


def test_apostrophes_inside_json_are_no_python():
    assert not looks_like_literal('{"q1": "it\'s, \'quoted\' (True)", "d": ["a"]}')


PLAIN: Any = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)


@given(value=PLAIN)
def test_any_value_that_json_can_hold_comes_back_as_json_gives_it(value: Any):
    assert literal(repr(value)) == json.loads(json.dumps(value))


@given(text=st.text(alphabet="{}[]()'\",:=#\n\\ xq1TrueNone.-*@", max_size=60))
def test_any_text_is_a_value_or_refused(text: str):
    with suppress(NotLiteral):  # and nothing else
        literal(text)
