"""Chinese sentences have Chinese marks, and no blanks beside them: in the source, and on every Chinese page."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from source import SOURCE, kinds_of

ROOT = SOURCE.parents[1]
PAGES = [ROOT / "README.zh-CN.md", ROOT / "docs/glossary.md", *sorted((ROOT / "docs/zh").glob("*.md"))]

C = "\u4e00-\u9fff"
CHINESE = re.compile(f"[{C}]")
VALUE = "\u24e7"  # what an f-string or a template puts in

WRONG = {
    "a half-width mark after Chinese": re.compile(
        rf"[{C}）”》][,;!?](?=\s|$|[{C}（“《{VALUE}])|[{C}）”》]:(?=\s|[{C}“])"
    ),
    "a half-width full stop": re.compile(rf"[{C}）”》]\.(?=\s|$)"),
    "a half-width mark before Chinese": re.compile(rf"{VALUE}[,;] ?(?=[{C}“《])"),
    "a blank before a mark": re.compile(r"\S[ \t]+[，。；：、！？）”》]"),
    "a blank after a mark": re.compile(r"[，。；：、！？（“《][ \t]+(?=[^\s|])"),
    "half-width brackets": re.compile(rf"[{C}]\([{C}]"),
    "two marks": re.compile(r"[，。；：、][，。；：、]"),
}


def mistakes(text: str) -> list[str]:
    text = re.sub(r"\{[^。，]*\}", VALUE, text)  # how a dict is written, such as {查询: {文档: 数值}}
    return [
        f"{what}: {text[max(0, m.start() - 12) : m.end() + 12]}" for what, p in WRONG.items() for m in p.finditer(text)
    ]


def is_chinese(text: str) -> bool:
    """Rather than a pattern, or an English sentence that has a Chinese name in it."""
    return "(?" not in text and len(CHINESE.findall(text)) > len(re.findall(r"[A-Za-z]{2,} ", text))


def sentences() -> Iterator[tuple[str, str]]:
    """Every Chinese text of the source: where, and its words; values are one letter."""
    for path in sorted(SOURCE.rglob("*")):
        name = path.relative_to(SOURCE).as_posix()
        if path.suffix not in (".py", ".toml", ".html", ".js"):
            continue
        text = path.read_text(encoding="utf-8")
        found = _of_python(text) if path.suffix == ".py" else enumerate(text.splitlines(), 1)
        yield from ((f"{name}:{line}", words) for line, words in found if is_chinese(words))


def _of_python(text: str) -> Iterator[tuple[int, str]]:
    parts = kinds_of(text)
    joined = parts.get(ast.JoinedStr, [])
    inside = {id(part) for node in joined for part in node.values}
    inside |= {id(node.value) for node in parts.get(ast.Expr, ())}  # docstrings quote
    for node in joined:
        yield node.lineno, "".join(_part(part) for part in node.values)
    for node in parts.get(ast.Constant, ()):
        if isinstance(node.value, str) and id(node) not in inside:
            yield node.lineno, re.sub(r"\{[\w:,.+%]*\}", VALUE, node.value)


def _part(node: ast.expr) -> str:
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else VALUE


def prose(page: Path) -> Iterator[tuple[int, str]]:
    """The lines of a page without code and formulas; what commands print is of the source, and looked at there."""
    text = re.sub("(?ms)^```.*?^```$", lambda block: "\n" * block[0].count("\n"), page.read_text(encoding="utf-8"))
    for n, line in enumerate(text.splitlines(), 1):
        if not line.startswith("    "):  # a formula
            yield n, re.sub(r"`[^`]*`", VALUE, line)


def test_chinese_texts_have_chinese_marks():
    texts = list(sentences())

    assert len(texts) > 3000
    assert [f"{where}: {found}" for where, words in texts for found in mistakes(words)] == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_chinese_pages_have_chinese_marks(page: Path):
    wrong = [f"{n}: {found}" for n, line in prose(page) if CHINESE.search(line) for found in mistakes(line)]

    assert wrong == []


@pytest.mark.parametrize(
    "text",
    [
        "偏离 1 。",
        "没有结果, 请检查",
        "结果:没有",
        "没有结果.",
        "（ 空）",
        "结果， 没有",
        "结果(没有)",
        "没有。。",
        f"{VALUE}, 没有",
    ],
)
def test_a_wrong_mark_is_seen(text: str):
    assert mistakes(text)


@pytest.mark.parametrize(
    "text",
    [
        "偏离 1。",
        "标注 (label)",
        "| 多少？ | 是 |",
        "p(真实类别)",
        "max(N, 列表长度)",
        "k=10：前 10 条",
        "[多分类](#多分类)",
        "R@5, P@5",
    ],
)
def test_good_marks_are_let_pass(text: str):
    assert mistakes(text) == []
