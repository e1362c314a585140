"""One text in two languages: a string for everyone, Chinese for who asks."""

import copy
import json
import pickle
from collections.abc import Callable
from typing import Any

import polars as pl
import pytest

import rankgauge as rg
from rankgauge._claims import Claim, Statement
from rankgauge._language import speaking
from rankgauge._text import Text, composed, in_language, in_words, joined, mapped
from rankgauge.errors import ParameterError

GOOD = Text("good", "良")


def test_as_a_string_it_is_english():
    assert GOOD == "good"
    assert f"{GOOD}!" == "good!"
    assert json.dumps([GOOD]) == '["good"]'
    assert {GOOD: 1}["good"] == 1


SHOWN: dict[str, Callable[[Any], str]] = {
    "str": str,
    "f-string": lambda t: f"{t}",
    "f-string with a width": lambda t: f"{t:>3}".strip(),
    "format": "{}".format,
    "percent": lambda t: "%s" % t,  # noqa: UP031
    "repr": lambda t: repr(t)[1:-1],
    "a list": lambda t: str([t])[2:-2],
    "join of strings": lambda t: "".join(map(str, [t])),
}


@pytest.mark.parametrize("how", SHOWN)
def test_what_people_see_is_the_language_that_is_spoken(how: str):
    assert SHOWN[how](GOOD) == "good"
    with speaking("zh"):
        assert SHOWN[how](GOOD) == "良"
        assert type(SHOWN[how](GOOD)) is str


def test_print_and_pandas_show_the_language_that_is_spoken(capsys: pytest.CaptureFixture[str]):
    import pandas as pd

    with speaking("zh"):
        print(GOOD)
        print(pd.Series([GOOD], dtype=object).to_string(index=False))

    assert capsys.readouterr().out == "良\n良\n"


HELD: dict[str, Callable[[Any], Any]] = {
    "equality": lambda t: t == "good" and t != "良",
    "hash": lambda t: hash(t) == hash("good"),
    "key": lambda t: {"good": True}[t],
    "join": lambda t: "".join([t]) == "good",
    "json": lambda t: json.dumps(t) == '"good"',
    "polars": lambda t: pl.Series([t]).to_list() == ["good"],
    "in": lambda t: "oo" in t,
    "methods": lambda t: t.upper() == "GOOD",
}


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("how", HELD)
def test_what_programs_see_is_english_in_any_language(how: str, language: str):
    with speaking(language):
        assert HELD[how](GOOD)


def test_lines_of_rankgauge_compose_english_sentences_of_it():
    where = Text("line 3", "第 3 行")
    line = 'made = Text(f"{where}: {str(where)}", where.zh)'
    inside = {"__name__": "rankgauge.data.reading", "Text": Text, "where": where}
    beside = {"__name__": "rankgauge_of_others", "Text": Text, "where": where}
    with speaking("zh"):
        exec(line, inside)
        exec(line, beside)

    assert inside["made"].en == "line 3: line 3"
    assert beside["made"].en == "第 3 行: 第 3 行"


def test_a_text_of_texts_takes_the_words_of_each_language():
    assert (Text(GOOD, GOOD).en, Text(GOOD, GOOD).zh) == ("good", "良")


CHINESE = Statement("good", "良", [Claim("band", "good")]).speaking("zh")


@pytest.mark.parametrize("language", ["en", "zh"])
def test_what_speaks_one_language_does_so_whatever_is_spoken(language: str):
    with speaking(language):
        assert (CHINESE == "良", str(CHINESE), f"{CHINESE}", "".join([CHINESE])) == (True, "良", "良", "良")
        assert in_language(CHINESE) == "良"
    assert (CHINESE.en, CHINESE.zh, in_language(CHINESE, "en")) == ("good", "良", "good")
    assert composed("{}.", "{}。", CHINESE).en == "good."


def test_what_is_made_of_it_speaks_that_language_too():
    assert CHINESE + "！" == "良！"
    assert "很" + CHINESE == "很良"
    assert mapped(lambda words: words * 2, CHINESE) == "良良"
    assert CHINESE.speaking("en") == "good"
    assert (CHINESE + "！").claims == CHINESE.claims


@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy, lambda t: pickle.loads(pickle.dumps(t))])
def test_copies_of_it_do_too(copied):
    assert (copied(CHINESE), copied(CHINESE).en, copied(CHINESE).claims) == ("良", "good", CHINESE.claims)


def test_cells_of_a_table_are_plain_strings_of_one_language():
    rows = in_words([{"n": 1, "rating": GOOD}], "zh")

    assert (rows, type(rows[0]["rating"])) == ([{"n": 1, "rating": "良"}], str)


# what users hold in their hands

QRELS = {f"q{i}": {"a": 1, "b": 1} for i in range(20)}
RUN = {q: ["x", "a", "y"] for q in list(QRELS)[1:]}


def test_notes_ratings_and_findings_are_read_in_the_language_that_is_spoken():
    ev = rg.evaluate(QRELS, RUN, ["RR@10", "R@5"])
    found, rated = rg.diagnose(ev), ev.ratings()
    english = [str(ev.notes[0]), str(found.all[0].title), str(rated["RR@10"].advice)]
    with speaking("zh"):
        chinese = [str(ev.notes[0]), str(found.all[0].title), str(rated["RR@10"].advice)]
        assert rated.to_frame()["advice"].to_list()[0] == chinese[2]
        assert found.to_frame()["title"].to_list()[0] == chinese[1]
        assert rated.to_csv().splitlines()[1].count(chinese[2]) == 1
        assert "诊断" in str(found)

    assert all(text.isascii() for text in english)
    assert not any(text.isascii() for text in chinese)
    assert "Diagnosis" in str(found)


def test_what_is_handed_out_is_the_language_that_is_spoken_as_a_string_too():
    ev = rg.evaluate(QRELS, RUN, ["RR@10", "R@5"])
    with speaking("zh"):
        found, rated = rg.diagnose(ev), ev.ratings()
        for text in (ev.notes[0], found.all[0].title, rated["RR@10"].advice, rated["RR@10"].rating.words):
            assert text == text.zh == "".join([text]) == json.loads(json.dumps(text))
        assert found.to_dict()["findings"][0]["title"].isascii()
        chinese = found.all[0].title
    assert str(chinese) == chinese.en  # what is shown is what is spoken when it is shown
    assert ev.notes[0].isascii()


def test_findings_asked_for_in_one_language_hold_both():
    found = rg.diagnose(rg.evaluate(QRELS, RUN, "RR@10"), language="zh")
    again = type(found).from_dict(json.loads(found.to_json()))

    for one in (found, again):
        assert one.language == "zh"
        assert "诊断" in str(one)
        assert "Diagnosis" in one._render("text", language="en")
        assert one.all[0].title == one.all[0].title.zh
        assert one.all[0].title.en.isascii()


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
