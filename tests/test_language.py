"""One setting says which language is spoken, and everything that speaks asks it."""

from __future__ import annotations

import copy
import pickle
import threading
import warnings

import pytest

import rankgauge as rg
from command_line import rankgauge
from rankgauge._checks import number, one_of, whole
from rankgauge._language import VARIABLE, speaking
from rankgauge._text import Text, composed
from rankgauge.errors import (
    LONGEST,
    InputError,
    MissingExtra,
    ParameterError,
    RankgaugeError,
    RankgaugeWarning,
    UnknownName,
    among,
    reason,
    suggest,
)

BAD = Text("bad", "坏")
QRELS, RUN = {"q1": {"a": 1}, "q2": {"b": 1}}, {"q1": ["a", "b"], "q2": ["a", "b"]}


@pytest.fixture(autouse=True)
def _english_again(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.delenv(VARIABLE, raising=False)
    rg.set_language(None)
    yield
    rg.set_language(None)


def test_english_unless_something_else_is_said():
    assert rg.get_language() == "en"


def test_the_environment_says_it(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv(VARIABLE, "zh")
    assert rg.get_language() == "zh"


LOCALES = ["zh_CN", "zh-CN", "zh_CN.UTF-8", "zh-Hans", "zh_Hans_CN", "zh_TW.Big5", "ZH", " zh ", "zh_CN.UTF-8@pinyin"]


@pytest.mark.parametrize("written", LOCALES)
def test_languages_may_be_written_as_locales_are(monkeypatch: pytest.MonkeyPatch, written: str):
    monkeypatch.setenv(VARIABLE, written)
    assert rg.get_language() == "zh"
    assert "错误" in rankgauge("evaluate", "zzz", language=written, code=2).stderr
    monkeypatch.delenv(VARIABLE)
    assert "错误" in rankgauge("--language", written, "evaluate", "zzz", code=2).stderr

    rg.set_language(written)
    assert rg.get_language() == "zh"
    assert BAD.of(written) == "坏"
    with speaking("en_US.UTF-8"):
        assert rg.get_language() == "en"


@pytest.mark.parametrize("written", ["fr", "zhcn", "e", "zh CN", "C.UTF-8", "zh_", "-"])
def test_other_languages_are_refused_in_both_with_the_list(monkeypatch: pytest.MonkeyPatch, written: str):
    with pytest.raises(ParameterError, match="`language` must be one of en, zh, got"):
        rg.set_language(written)
    assert "is not one of 'en', 'zh'" in rankgauge("measures", language=written, code=2).stderr

    monkeypatch.setenv(VARIABLE, written)  # no reason to fail in the middle of a message
    with pytest.warns(RankgaugeWarning, match=f"{VARIABLE} must be one of en, zh, got '{written}'"):
        assert rg.get_language() == "en"
    assert rg.get_language() == "en"  # said once


def test_what_is_set_wins_over_the_environment_and_what_is_spoken_here_over_both(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv(VARIABLE, "zh")
    rg.set_language("en")
    assert rg.get_language() == "en"

    with speaking("zh"), speaking(None):
        assert rg.get_language() == "zh"
    assert rg.get_language() == "en"

    rg.set_language(None)
    assert rg.get_language() == "zh"


def test_threads_speak_what_was_set():
    rg.set_language("zh")
    heard: list[str] = []
    thread = threading.Thread(target=lambda: heard.append(rg.get_language()))
    thread.start()
    thread.join()

    assert heard == ["zh"]


def test_a_language_that_there_is_not():
    with pytest.raises(ParameterError, match="`language` must be one of en, zh, got 'de'"):
        rg.set_language("de")
    with pytest.raises(ParameterError, match="got 'de'"), speaking("de"):
        pass


@pytest.mark.parametrize("kind", [RankgaugeError, InputError, ParameterError, UnknownName, MissingExtra])
def test_errors_are_read_in_the_language_that_is_spoken(kind: type[RankgaugeError]):
    error = kind(BAD)

    assert (str(error), error.text, error.args) == ("bad", "bad", ("bad",))
    with speaking("zh"):
        assert str(error) == "坏"
        assert f"{error}" == "坏"


@pytest.mark.parametrize("copied", [lambda e: pickle.loads(pickle.dumps(e)), copy.copy, copy.deepcopy])
def test_errors_that_travel_keep_both_languages(copied):
    error = copied(InputError.collect("run: ", [BAD, BAD], Text("fix it", "请修正")))

    assert error.problems[0].zh == "坏"
    with speaking("zh"):
        assert str(error) == "run: 坏另有 1 处类似：\n  坏\n请修正"


def test_many_problems_are_counted_in_both():
    error = InputError.collect(Text("run: ", "排序结果："), [Text(f"line {i}.", f"第 {i} 行。") for i in range(9)])

    assert str(error) == "run: line 0. 8 more like it:\n  line 1.\n  line 2.\n  line 3.\n  … and 5 more."
    with speaking("zh"):
        assert (
            str(error) == "排序结果：第 0 行。另有 8 处类似：\n  第 1 行。\n  第 2 行。\n  第 3 行。\n  … 还有 5 处。"
        )


def test_a_long_message_is_cut_in_both():
    error = ParameterError(Text("x" * 9_000, "长" * 9_000))

    assert isinstance(error.text, Text)
    assert (len(error.text.en), len(error.text.zh)) == (LONGEST, LONGEST)


def test_what_is_no_text_is_said_as_ever():
    assert str(RankgaugeError("plain")) == "plain"
    assert str(RankgaugeError()) == ""
    assert str(RankgaugeError("a", 1)) == "('a', 1)"
    assert str(UnknownName("it's")) == "it's"  # a KeyError would show its repr


def test_warnings_are_read_in_the_language_that_is_spoken():
    with speaking("zh"), warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        warnings.warn(BAD, RankgaugeWarning, stacklevel=1)

        assert str(seen[0].message) == "坏"


def test_suggestions_are_made_in_both():
    hint = suggest("nDGC", ["nDCG"], rest="@10")

    assert (hint.en, hint.zh) == (" Did you mean nDCG@10?", "是否想输入 nDCG@10？")
    assert suggest("xyz", ["nDCG"]).zh == ""


def test_letters_that_look_alike_are_named_in_both():
    assert suggest("nDСG", ["nDCG"]).zh == "'С' 是 CYRILLIC CAPITAL LETTER ES，不是拉丁字母。是否想输入 nDCG？"


def test_what_is_not_there_is_followed_by_what_is_in_both_languages():
    known = [Text("platt", "platt（普拉特）"), "odds"]

    hint = among("plat", known)

    assert hint.en == " Did you mean platt? There are: platt, odds."
    assert hint.zh == "是否想输入 platt？现有：platt（普拉特）、odds。"
    assert among("x", []).en == " There are: none."
    assert among("x", []).zh == "现有：无。"


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: number("a", 2, above=0, below=1), "`a` 必须介于 0 和 1 之间，实际为 2。"),
        (lambda: number("a", 2, above=0, at_most=1), "`a` 必须大于 0 且不超过 1，实际为 2。"),
        (lambda: number("a", -1, at_least=0, optional=True), "`a` 必须是不小于 0 的数或 None，实际为 -1。"),
        (lambda: number("a", 0, above=0), "`a` 必须是大于 0 的数，实际为 0。"),
        (lambda: number("a", "x"), "`a` 必须是有限的数，实际为 'x'。"),
        (lambda: whole("k", 0, caller="nDCG"), "nDCG：`k` 必须是正整数，实际为 0。"),
        (lambda: whole("k", 1, at_least=2), "`k` 必须是不小于 2 的整数，实际为 1。"),
        (lambda: whole("k", 9, at_most=5), "`k` 必须不超过 5，实际为 9。"),
        (lambda: one_of("ties", "bset", ["best"]), "`ties` 必须是 best 之一，实际为 'bset'。是否想输入 best？"),
    ],
)
def test_arguments_are_refused_in_chinese(call, said: str):
    with pytest.raises(ParameterError) as caught:
        call()
    with speaking("zh"):
        assert str(caught.value) == said


def test_what_the_system_says_of_files_is_said_in_both(tmp_path):
    with pytest.raises(OSError, match="No such file") as caught:
        (tmp_path / "nothing").read_text(encoding="utf-8")

    assert (reason(caught.value).en, reason(caught.value).zh) == ("No such file or directory", "没有这个文件或文件夹")
    assert reason(OSError("odd")).zh == "odd"


def test_sentences_around_texts_are_put_together_in_both():
    assert composed("{1} is {0}", "{1} 很{0}", BAD, "it").zh == "it 很坏"
    assert (BAD + "!").zh == "坏!"
    assert ("! " + BAD).zh == "! 坏"
    assert (BAD + Text(" and worse", "，更坏")).zh == "坏，更坏"


def test_records_and_what_is_made_of_them_follow_the_setting():
    ev = rg.evaluate(QRELS, RUN, "RR@10")
    english = str(ev)
    rg.set_language("zh")

    assert str(ev) != english
    assert "个查询" in str(ev)
    assert "个查询" in ev.to_markdown()
    assert 'lang="zh"' in ev._repr_html_()
    assert 'lang="zh"' in rg.plot(ev).svg
    assert '<html lang="zh"' in rg.report(ev)
    assert "诊断" in str(rg.diagnose(ev))
    assert "它回答什么" in str(rg.explain("RR@10")) or "首个" in str(rg.explain("RR@10"))


def test_a_language_that_is_asked_for_wins_over_the_setting():
    ev = rg.evaluate(QRELS, RUN, "RR@10")
    english = ev.to_markdown()
    rg.set_language("zh")

    assert ev.to_markdown(language="en") == english


def test_what_is_stored_does_not_depend_on_what_is_spoken():
    ev = rg.evaluate(QRELS, RUN, "RR@10")
    stored = ev.to_json()
    rg.set_language("zh")

    assert ev.to_json() == stored


def test_lines_of_chinese_are_broken_between_characters_and_names_stay_whole():
    from io import StringIO

    from rich.console import Console

    from rankgauge._wrapping import break_lines_of_chinese

    break_lines_of_chinese()
    console = Console(width=20, file=StringIO())
    console.print("按其他工具的方式计算：trec_eval、pytrec_eval（见说明）。")
    lines = console.file.getvalue().splitlines()

    assert [line for line in lines if line.strip()[:1] in "，。；：、）"] == []
    assert sum("trec_eval" in line for line in lines) == 2
    console.print("a sentence of words")
    assert "a sentence of words" in console.file.getvalue()
