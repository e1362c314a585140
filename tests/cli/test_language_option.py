"""`--language` is known before anything is parsed: usage, help and errors speak it, wherever it stands."""

from __future__ import annotations

import pytest

from command_line import rankgauge
from rankgauge.cli.languages import asked


@pytest.mark.parametrize(
    ("words", "language"),
    [
        ("", None),
        ("evaluate q r", None),
        ("evaluate q r --language zh", "zh"),
        ("--language zh evaluate q r", "zh"),
        ("evaluate --language=zh q r", "zh"),
        ("evaluate --language zh --language en", "en"),
        ("evaluate --language ｚｈ", "zh"),
        ("evaluate --language de", None),
        ("evaluate --language", None),
        ("evaluate -- --language zh", None),
    ],
)
def test_the_language_is_found_among_the_words(words: str, language: str | None):
    assert asked(words.split()) == language


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("power --hlp --language zh", "错误：没有选项 '--hlp'。"),
        ("--language zh power --hlp", "运行 'rankgauge power --help' 查看帮助。"),
        ("--language zh pwoer", "错误：没有命令 'pwoer'。"),
        ("--language zh gate q r --min R@5=1", "错误：没有选项 '--min'。是否想输入 '--floor'？"),
        ("explain --language zh", "错误：缺少参数 'MEASURE'。"),
        ("evaluate q.txt r.txt --digits -1 --language zh", "错误：'--digits' 的值无效：-1 不在范围 0<=x<=15 内。"),
        ("evaluate q.txt r.txt --digits --language zh", "错误：'--digits' 的值无效：'--language' 不是有效的数。"),
        ("evaluate q.txt r.txt --ties bset --language zh", "错误：'--ties' 的值无效：'bset' 不是 "),
        ("evaluate q.txt r.txt --json --csv --language zh", "错误：--json 与 --csv 相互矛盾，只能给出其中一个。"),
        ("evaluate q.txt r.txt --depth 3 --depth 4 --language zh", "错误：--depth 给了 2 次，请只给一次。"),
    ],
)
def test_what_click_says_is_said_in_chinese(words: str, said: str):
    assert said in rankgauge(*words.split(), code=2).stderr


def test_the_environment_is_asked_where_no_option_is_given():
    assert "错误：" in rankgauge("power", "--hlp", code=2, language="zh").stderr
    assert "Error: " in rankgauge("power", "--hlp", "--language", "en", code=2, language="zh").stderr


def test_one_command_after_the_other_speaks_its_own_language():
    """In one process; the words of options are not fixed when they are first read."""
    chinese, english = (rankgauge("power", "--help", language=x).stdout for x in ("zh", "en"))

    assert [word in chinese for word in ("用法：", "选项", "显示本帮助并退出。", "默认：")] == [True] * 4
    assert [word in english for word in ("Usage:", "Options", "Show this message and exit.", "default:")] == [True] * 4


def test_a_language_that_there_is_not_is_refused():
    assert "'de' is not one of 'en', 'zh'" in rankgauge("measures", "--language", "de", code=2).stderr


@pytest.mark.parametrize(
    ("words", "meant"),
    [
        ("gate q r --min R@5=1", "--floor"),
        ("gate q r --max unjudged=1", "--ceiling"),
        ("evaluate q r --metrics R@5", "--measure"),
        ("report q r --out x.html", "--output"),
    ],
)
def test_what_other_tools_call_an_option_leads_to_it(words: str, meant: str):
    assert f"No such option '{words.split()[3]}'. Did you mean '{meant}'?" in rankgauge(*words.split(), code=2).stderr
