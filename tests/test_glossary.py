"""One word for one thing: what is said in Chinese uses the words of docs/glossary.md."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from source import SOURCE, every, kinds_of

GLOSSARY = SOURCE.parents[1] / "docs" / "glossary.md"
CHINESE = re.compile("[\u4e00-\u9fff]")

# names and words in which a word of the third column is something else
NAMES = {
    "分数": ("F1 分数", "布里尔分数", "Brier 分数", "部分数", "百分数", "分数线"),
    "同分": ("不同分组", "不同分", "相同分"),
    "评估": ("离线策略评估", "策略评估"),
    "倾向分": ("倾向分布",),
    "标定": ("指标定义",),
    "正例": ("真正例", "假正例"),  # cells of a confusion matrix
}
# words that are looked for in the files of other people, or that people type
TYPED = {
    "data/columns.py": "what columns are called in files of others",
    "behavior/logs/columns.py": "what columns of logs are called in files of others",
}


@cache
def banned() -> dict[str, str]:
    """The words that are not used, each with the one that is."""
    out = {}
    for line in GLOSSARY.read_text(encoding="utf-8").splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if line.startswith("| ") and len(cells) == 4 and CHINESE.search(cells[1]) and cells[0] != "English":
            out |= {word: cells[1] for word in cells[2].split("、") if word}
    return out


# what people read in Chinese beside the source; docs/zh/measures.md is made of it, and lists what people may type
PAGES = [SOURCE.parents[1] / "README.zh-CN.md", *sorted((SOURCE.parents[1] / "docs/zh").glob("[!m]*.md"))]


@cache  # not when the file is loaded: every worker loads it, and one runs it
def said() -> list[tuple[str, int, str]]:
    """Every Chinese text of the source: where, and its words."""
    return list(_said())


def _said() -> Iterator[tuple[str, int, str]]:
    for path in sorted(SOURCE.rglob("*")):
        name = path.relative_to(SOURCE).as_posix()
        if name in TYPED or path.suffix not in (".py", ".toml", ".html", ".js"):
            continue
        text = path.read_text(encoding="utf-8")
        if path.suffix != ".py":
            yield from ((name, n, line) for n, line in enumerate(text.splitlines(), 1) if CHINESE.search(line))
            continue
        if not CHINESE.search(text):
            continue
        parts = kinds_of(text)
        aliases = _aliases(parts.get(ast.keyword, []))
        for node in parts.get(ast.Constant, ()):
            if isinstance(node.value, str) and id(node) not in aliases and CHINESE.search(node.value):
                yield name, node.lineno, node.value


def _aliases(keywords: list[ast.keyword]) -> set[int]:
    """Names of measures that people may type: every word that is in use."""
    return {
        id(part) for node in keywords if node.arg in ("aliases", "names", "zh_aliases") for part in ast.walk(node.value)
    }


def mistakes(text: str) -> list[str]:
    """Words of the third column in a text."""
    plain = re.sub("《[^》]*》", "", text)  # titles of documents are as they are
    found = []
    for word, instead in banned().items():
        rest = plain
        for name in NAMES.get(word, ()):
            rest = rest.replace(name, "")
        if word in rest:
            found.append(f"{word} (say {instead})")
    return found


def test_the_glossary_has_words():
    assert len(banned()) > 40
    assert banned()["同分"] == "并列"
    assert len(said()) > 1000


def test_what_is_said_in_chinese_uses_the_words_of_the_glossary():
    words = banned()  # once: there are thousands of texts
    suspects = [(where, line, text) for where, line, text in said() if any(word in text for word in words)]

    assert [f"{where}:{line}: {found}" for where, line, text in suspects if (found := mistakes(text))] == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_chinese_pages_use_the_words_of_the_glossary(page: Path):
    words = banned()
    prose = re.sub("(?ms)^```.*?^```$", lambda block: "\n" * block[0].count("\n"), page.read_text(encoding="utf-8"))
    lines = prose.splitlines()
    suspects = [(n, line) for n, line in enumerate(lines, 1) if any(word in line for word in words)]

    assert [f"{page.name}:{n}: {found}" for n, line in suspects if (found := mistakes(line))] == []


@pytest.mark.parametrize("text", ["同分结果", "得到 3 条判断", "正例占比", "得分与分数"])
def test_a_word_that_is_not_used_is_seen(text: str):
    assert mistakes(text)


@pytest.mark.parametrize("text", ["《检索质量评估指标》", "F1 分数", "不同分组的行", "并列结果"])
def test_names_and_titles_are_let_pass(text: str):
    assert mistakes(text) == []


def pairs() -> Iterator[tuple[str, int, str, str]]:
    """Texts whose words of both languages stand side by side in the source."""
    for name, node in every(ast.Call):
        is_call = isinstance(node.func, ast.Name) and len(node.args) >= 2
        if is_call and node.func.id in ("Text", "Statement", "phrase", "composed"):
            en, zh = (_words(arg) for arg in node.args[:2])
            if en and zh:
                yield name, node.lineno, en, zh


def _words(node: ast.AST) -> str:
    return "".join(x.value for x in ast.walk(node) if isinstance(x, ast.Constant) and isinstance(x.value, str))


def test_ratings_are_not_grades():
    """评级 is what a number is called; (相关性)等级 is what a judgement gave to an item."""
    wrong = [
        f"{where}:{line}: {zh}"
        for where, line, en, zh in pairs()
        if ("评级" in zh and not re.search(r"(?i)\brat(e|ing)|band|\bword\b", en))
        or ("等级" in zh and not re.search(r"(?i)grade|relevan|\brel\b|level", en))
    ]

    assert wrong == []
