"""One text in two languages: a string for everyone, Chinese for who asks."""

import copy
import json
import pickle

import pytest

from rankgauge._text import Text, in_language, joined, mapped
from rankgauge.errors import ParameterError

GOOD = Text("good", "良")


def test_as_a_string_it_is_english():
    assert GOOD == "good"
    assert f"{GOOD}!" == "good!"
    assert json.dumps([GOOD]) == '["good"]'
    assert {GOOD: 1}["good"] == 1


def test_each_language_has_its_words():
    assert (GOOD.en, GOOD.zh, GOOD.of("en"), GOOD.of("zh")) == ("good", "良", "good", "良")
    assert (in_language(GOOD, "zh"), in_language("nDCG", "zh")) == ("良", "nDCG")


def test_unknown_language():
    with pytest.raises(ParameterError, match="`language` must be one of en, zh, got 'de'"):
        GOOD.of("de")


@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy, lambda t: pickle.loads(pickle.dumps(t))])
def test_copies_keep_both(copied):
    assert (copied(GOOD).en, copied(GOOD).zh) == ("good", "良")


def test_joined_in_each_language():
    both = joined(Text("; ", "；"), [GOOD, "nDCG", Text("bad", "差")])

    assert (in_language(both, "en"), in_language(both, "zh")) == ("good; nDCG; bad", "良；nDCG；差")
    assert type(joined(", ", ["a", "b"])) is str


def test_a_change_is_made_to_both():
    changed = mapped(str.upper, Text("a", "b"))

    assert (changed, in_language(changed, "zh")) == ("A", "B")
    assert mapped(str.upper, "a") == "A"
