"""Whatever a person reads has its Chinese twin: a census of everything that raises, warns, helps or says.

It reads the source: a message that is a plain string, or a name that was given one in the same function, is there in
English only.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

import pytest

from rankgauge._records import HOMES, class_of
from rankgauge._text import Text
from rankgauge.measures.base import RANKINGS
from rankgauge.measures.classes import CLASSES
from rankgauge.measures.predictions import PREDICTIONS
from rankgauge.measures.shown import SHOWN
from rankgauge.measures.spans import SPANS
from source import kinds_of, texts

ERRORS = {"RankgaugeError", "InputError", "ParameterError", "UnknownName", "MissingExtra", "RankgaugeWarning"}
SAYING = {"say", "status", "wrote", "fail", "warn", "UsageError", "BadParameter", "damaged", "collect", "refuse_fork"}
HELPING = {"option", "Option", "version_option"}

# in which files a plain string is right, and why
REASONS = {
    "cli/demo.py": "its `say` takes the words of both languages",
}


def plain(node: ast.AST | None, names: dict[str, list[ast.AST]]) -> bool:
    """Whether a message is there in English only."""
    if isinstance(node, ast.Constant):
        return isinstance(node.value, str) and any(c.isalpha() for c in node.value) and " " in node.value
    if isinstance(node, ast.JoinedStr):  # also without words of its own: a text in it has lost its other language
        return True
    if isinstance(node, ast.BinOp):
        return plain(node.left, names) or plain(node.right, names)
    if isinstance(node, ast.IfExp):
        return plain(node.body, names) or plain(node.orelse, names)
    if isinstance(node, ast.Name):
        return any(plain(value, {}) for value in names.get(node.id, ()))
    return False


def called(node: ast.Call) -> str:
    """The name of what is called."""
    func = node.func
    return func.id if isinstance(func, ast.Name) else func.attr if isinstance(func, ast.Attribute) else ""


def without_twin(text: str) -> Iterator[str]:
    """What is said in English only."""
    parts = kinds_of(text)
    for scope in (node for kind in (ast.Module, ast.FunctionDef, ast.AsyncFunctionDef) for node in parts.get(kind, ())):
        names = given(inside := list(own(scope)))
        for node in inside:
            if not isinstance(node, ast.Call):
                continue
            where, name = f"line {node.lineno}", called(node)
            if name in ERRORS | SAYING and any(plain(arg, names) for arg in messages(node, name)):
                yield f"{where}: {name}"
            if name in HELPING and any(plain(k.value, names) for k in node.keywords if k.arg == "help"):
                yield f"{where}: help of an option"
            if name == "command" and "epilog" in {k.arg for k in node.keywords} and not has_chinese(node):
                yield f"{where}: help of a command"


def messages(node: ast.Call, name: str) -> list[ast.expr]:
    """Those arguments of a call that are read by people."""
    if name == "damaged":  # where it is, and what is wrong there
        return node.args[1:]
    if name == "UsageError" or name in ERRORS:
        return node.args[:1]
    return node.args


def has_chinese(node: ast.Call) -> bool:
    return any(k.arg == "zh" for k in node.keywords)


def own(scope: ast.AST) -> Iterator[ast.AST]:
    """What stands in a function itself, not in those inside it."""
    for child in ast.iter_child_nodes(scope):
        if not isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef)):
            yield child
            yield from own(child)
        else:
            yield from child.decorator_list
            for decorator in child.decorator_list:
                yield from own(decorator)


def given(inside: list[ast.AST]) -> dict[str, list[ast.AST]]:
    """The names of a function, with what was given to them."""
    out: dict[str, list[ast.AST]] = {}
    for node in inside:
        targets = node.targets if isinstance(node, ast.Assign) else [node.target] if is_given(node) else []
        for target in targets:
            if isinstance(target, ast.Name) and getattr(node, "value", None) is not None:
                out.setdefault(target.id, []).append(node.value)  # type: ignore[attr-defined]
    return out


def is_given(node: ast.AST) -> bool:
    return isinstance(node, (ast.AnnAssign, ast.AugAssign, ast.NamedExpr))


def test_whatever_a_person_reads_has_its_chinese_twin():
    found = {name: hits for name, text in texts().items() if (hits := sorted(set(without_twin(text))))}

    assert {name: hits for name, hits in found.items() if name not in REASONS} == {}
    assert set(REASONS) <= set(found), "a reason for what is no longer said"


WORDS = re.compile(r"\b[a-z]+ [a-z]+ [a-z]{2,}\b")
REGISTRIES = (RANKINGS, PREDICTIONS, CLASSES, SHOWN, SPANS)


@pytest.mark.parametrize("name", ["title", "question", "family", "edges"])
def test_measures_are_described_in_both_languages(name: str):
    found = {cls.name: getattr(cls, name) for registry in REGISTRIES for cls in registry.measures.values()}

    assert [measure for measure, text in found.items() if text and not isinstance(text, Text)] == []


def test_formulas_and_what_other_tools_do_are_told_in_both_languages_where_they_have_words():
    told = {
        f"{cls.name}: {text}": text
        for registry in REGISTRIES
        for cls in registry.measures.values()
        for text in (cls.formula, *cls.same.values(), *cls.differs.values())
    }

    assert [name for name, text in told.items() if not isinstance(text, Text) and WORDS.search(text)] == []


def test_what_to_do_for_what_is_not_stored_is_said_in_both_languages():
    told = {f"{kind}: {name}": text for kind in HOMES for name, text in class_of(kind).not_stored.items()}

    assert [name for name, text in told.items() if not isinstance(text, Text)] == []


@pytest.mark.parametrize(
    "text",
    [
        "raise ParameterError(f'`k` must be positive, got {k}.')",
        "def f():\n    said = 'it is ' + word\n    raise InputError(said)",
        "raise InputError('no rows' if empty else Text('a', '甲'))",
        "raise InputError.collect(where, problems, 'Store it again.')",
        "say(f'wrote {path}')",
        "raise InputError(f'{where}: {e}')",
        "with status('reading …'): pass",
        "warn('it is old', DeprecationWarning)",
        "@click.option('--k', help='How many of them.')\ndef f(): pass",
        "@click.command('x', epilog=examples('rankgauge x'))\ndef f(): 'Do it.'",
        "raise damaged('a', 'expected pairs of them')",
    ],
)
def test_what_has_no_twin_is_seen(text: str):
    assert list(without_twin(text))


@pytest.mark.parametrize(
    "text",
    [
        "raise ParameterError(Text('bad one', '坏'))",
        "raise ParameterError(composed('{} is bad', '{} 不好', x))",
        "def f():\n    said = Text('a b', '甲')\n    raise InputError(said)",
        "say('  ' + note)",
        "@click.option('--k', help=Text('How many of them.', '多少'))\ndef f(): pass",
        "@click.command('x', zh='做', epilog=examples('rankgauge x'))\ndef f(): 'Do it.'",
    ],
)
def test_what_has_its_twin_is_let_pass(text: str):
    assert list(without_twin(text)) == []
