"""What parsers of JSON and TOML object to is said in Chinese."""

from __future__ import annotations

import json
import tomllib

import msgspec
import pytest

from chinese_errors import refuse_english
from rankgauge.data.formats.json import reason_of
from rankgauge.data.parser_words import objection

JSON = [
    "",
    "{",
    "[1,",
    '{"a" 1}',
    '{"a": 1,}',
    "[1,]",
    "{1: 2}",
    '{"a": 1} x',
    "nope",
    "[1 2]",
    '"a',
    '"\\x"',
    '"\\u12"',
    "01",
    '"\\ud800"',
    '{"a": 1 "b"}',
    '{"a": "\t"}',
]
TOML = [
    "a",
    "a = ",
    "a = [1",
    "a = {b = 1",
    "[a",
    "[[a]",
    "a = 1 b",
    "a = 1\na = 2",
    "[a]\n[a]",
    "a = {b = 1, b = 2}",
    'a = "x',
    "a = 2020-13-40",
    "= 1",
    'a = "\\x"',
    'a = "\\uD800"',
    "a = \x01",
    "a.b = 1\n[a]",
    'a = """x',
    "? = 1",
]


@pytest.mark.parametrize("text", JSON)
def test_what_json_is_not(text: str):
    said = []
    for decode in (msgspec.json.decode, json.loads):
        try:
            decode(text)
        except msgspec.DecodeError as e:
            said.append(reason_of(e).zh)
        except json.JSONDecodeError as e:
            said.append(objection(e.msg).zh)

    assert said
    for words in said:
        refuse_english(words)


@pytest.mark.parametrize("text", TOML)
def test_what_toml_is_not(text: str):
    with pytest.raises(tomllib.TOMLDecodeError) as caught:
        tomllib.loads(text)

    said = objection(str(caught.value))
    assert said.en == str(caught.value)
    refuse_english(said.zh)


def test_places_are_said_and_unknown_words_stay():
    assert objection("Unclosed array (at end of document)").zh == "数组没有结束（文件末尾）"
    assert objection("Invalid value (at line 3, column 5)").zh == "值无效（第 3 行第 5 列）"
    assert objection("something new").zh == "something new"
