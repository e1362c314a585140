"""The words of the demo are data: a file that can be read without Python, and whose references hold."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

from rankgauge.demo import vocabulary

DATA = tomllib.loads(Path(vocabulary.__file__).with_suffix(".toml").read_text(encoding="utf-8"))
CHINESE = re.compile(r"[\u4e00-\u9fff]")


def test_the_program_has_no_word_of_the_shop():
    program = Path(vocabulary.__file__).read_text(encoding="utf-8")

    assert not CHINESE.search(program)
    assert {name for name in DATA["categories"] if f'"{name}"' in program} == set()


@pytest.mark.parametrize("name", DATA["categories"])
def test_what_a_category_names_exists(name: str):
    of = DATA["categories"][name]

    assert of["department"] in DATA["brands"]
    assert set(of["audiences"]) <= set(DATA["audiences"])
    assert set(of["finishes"]) <= set(DATA["finishes"])
    assert {of["sibling"], of["complement"]} <= set(DATA["categories"])
    assert {problem["solved_by"] for problem in of["problems"]} <= {english for english, _ in of["features"]}


def test_a_problem_knows_the_number_of_the_feature_that_solves_it():
    running = vocabulary.CATEGORIES["running"]

    assert running.problems[0] == ("running shoes for flat feet", "适合扁平足的跑鞋", 0)
    assert running.features[0] == ("Arch Support", "足弓支撑")


def test_what_is_not_sold_is_searched_on_a_shelf():
    assert {query["shelf"] for query in DATA["not_sold"]} <= set(DATA["categories"])
