"""What is said in two languages is a `Text`, whoever says it: no tables by language, no asking which one it is."""

from __future__ import annotations

import ast
from collections.abc import Iterator

import pytest

from rankgauge._text import LANGUAGES
from source import kinds_of, texts

REASONS = {
    "_text.py": "the one place that knows which words belong to which language",
    "behavior/logs/columns.py": "what columns of logs are called in the files of others",
    "demo/weeks.py": "the languages of the queries of the shop, which are data",
    "project/channels/feishu.py": "what the service calls its languages",
    "project/file.py": "which of two files is the example",
    "demo/shop.py": "the languages of the queries and products of the shop, which are data",
}


def constants(node: ast.AST) -> set[object]:
    return {x.value for x in ast.walk(node) if isinstance(x, ast.Constant)}


def forms(text: str) -> Iterator[str]:
    """Other ways to say something in two languages."""
    parts = kinds_of(text)
    for node in (node for kind in (ast.Compare, ast.Dict, ast.Match, ast.match_case) for node in parts.get(kind, ())):
        where = f"line {getattr(node, 'lineno', 0)}"
        if isinstance(node, ast.Compare) and constants(node) & set(LANGUAGES):
            yield f"{where}: asks which language it is"
        elif isinstance(node, ast.Dict) and set(LANGUAGES) <= {
            k.value for k in node.keys if isinstance(k, ast.Constant)
        }:
            yield f"{where}: a table by language"
        elif isinstance(node, (ast.Match, ast.match_case)) and constants(getattr(node, "pattern", node)) & set(
            LANGUAGES
        ):
            yield f"{where}: chooses by language"
        elif is_pair(node):
            yield f"{where}: a pair of words"


def is_chinese(node: ast.AST) -> bool:
    return any("\u4e00" <= c <= "\u9fff" for x in constants(node) if isinstance(x, str) for c in x)


def is_pair(node: ast.AST) -> bool:
    """Words beside their translation in a table, such as `"zero": ("left out", "不计入")`.

    Templates of `phrase` have braces.
    """
    if not isinstance(node, ast.Dict):
        return False
    pairs = [v for v in node.values if isinstance(v, (ast.Tuple, ast.List)) and len(v.elts) == 2]
    worded = [v for v in pairs if is_chinese(v.elts[1]) and not is_chinese(v.elts[0])]
    return any("{" not in "".join(str(c) for c in constants(v)) and not isinstance(v.elts[0], ast.Call) for v in worded)


def test_everything_is_said_as_a_text():
    found = {name: hits for name, text in texts().items() if (hits := list(forms(text)))}

    assert {name: hits for name, hits in found.items() if name not in REASONS} == {}
    assert set(REASONS) <= set(found), "a reason for what is no longer done"


@pytest.mark.parametrize(
    "text",
    [
        "x = a if language == 'zh' else b",
        "x = a if language != 'en' else b",
        "x = language in ('zh', 'cn')",
        "WORDS = {'en': 'good', 'zh': '良'}",
        "WORDS = {'skip': ('left out', '不计入')}",
        "match language:\n    case 'zh':\n        pass",
    ],
)
def test_another_form_is_seen(text: str):
    assert list(forms(text))


@pytest.mark.parametrize(
    "text", ["x = Text('good', '良').of('zh')", "for language in LANGUAGES: pass", "told = {'a': ('{} won', '{} 胜')}"]
)
def test_texts_are_let_pass(text: str):
    assert list(forms(text)) == []
