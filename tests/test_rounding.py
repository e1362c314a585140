"""Numbers are rounded where they are shown: by `_numbers.py`, in `reporting/` and in `cli/`, and nowhere else."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import Any

import pytest

from source import kinds_of, texts

Parts = dict[type[ast.AST], list[Any]]
SHOWING = ("_numbers.py", "reporting/", "cli/")
"""Who may round."""
REASONS = {
    "demo/shop.py": "scores of systems that write two or six digits",
    "demo/weeks.py": "scores of a system that writes six digits",
    "demo/searches.py": "seconds of a log that writes one digit",
    "evaluation/rankings/naming.py": "names that trec_eval prints: iprec_at_recall_0.10",
    "data/direction.py": "tilts of lists in whole units, which add up in any order",
    "evaluation/predictions/row_totals.py": "values onto a grid, so that sums of them are exact",
    "statistics/resampling.py": "differences onto a grid, so that sums of them are exact",
    "behavior/click_models/sessions.py": "a share of sessions as a number of them",
}
"""Others that round, and why that is no rounding of a result."""

_SPEC = re.compile(r"[^{}]*?[+, ]?(\.\d+)?[eEfFgG%]|[^{}]*\.(\d+|\{[^{}]*\})[a-zA-Z%]?")
_TEMPLATE = re.compile(r"(?<!\{)\{\w*:([^{}]*)\}|%[-+ #0]*\d*\.\d+[a-zA-Z]")


def spec_of(node: ast.FormattedValue) -> str:
    """What stands behind the colon, parts in braces as such."""
    if not isinstance(node.format_spec, ast.JoinedStr):
        return ""
    return "".join(v.value if isinstance(v, ast.Constant) else "{}" for v in node.format_spec.values)


def rounds(spec: str) -> bool:
    """Whether a format leaves digits out: `.3f`, `g`, `+.1%`; not `,`, `d`, `>8`, times such as `%Y`, or `is|are`."""
    return "|" not in spec and "%" not in spec[:-1] and _SPEC.fullmatch(spec) is not None


def asked(parts: Parts) -> set[ast.AST]:
    """What stands inside a comparison: whether a number is whole is a question, its answer no rounded number."""
    compared = [
        *parts.get(ast.Compare, ()),
        *(n for n in parts.get(ast.Call, ()) if isinstance(n.func, ast.Attribute) and n.func.attr == "equals"),
    ]
    return {x for node in compared for x in ast.walk(node)}


def documentation(parts: Parts) -> set[ast.AST]:
    return {node.value for node in parts.get(ast.Expr, ()) if isinstance(node.value, ast.Constant)}


def roundings(text: str) -> Iterator[str]:
    parts = kinds_of(text)
    questions, documents = asked(parts), documentation(parts)
    for node in (node for kind in (ast.Call, ast.FormattedValue, ast.Constant) for node in parts.get(kind, ())):
        where = f"line {getattr(node, 'lineno', 0)}"
        if isinstance(node, ast.Call) and node not in questions:
            called = node.func
            name = getattr(called, "id", getattr(called, "attr", ""))
            if name in ("round", "rint"):
                yield f"{where}: {name}()"
            if name == "format" and len(node.args) > 1 and isinstance(called, ast.Name):
                yield f"{where}: format() with a spec"
        elif isinstance(node, ast.FormattedValue) and rounds(spec_of(node)):
            yield f"{where}: :{spec_of(node)}"
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and node not in documents:
            for m in _TEMPLATE.finditer(node.value):
                if m[1] is None or rounds(m[1]):
                    yield f"{where}: {m[0]}"


def test_only_those_who_show_numbers_round_them():
    found = {
        name: hits for name, text in texts().items() if not name.startswith(SHOWING) and (hits := list(roundings(text)))
    }

    assert {name: hits for name, hits in found.items() if name not in REASONS} == {}
    assert set(REASONS) <= set(found), "a reason for what is no longer done"


@pytest.mark.parametrize(
    "text",
    [
        "round(x, 3)",
        "np.round(x)",
        "frame['x'].round(2)",
        "f'{x:.3f}'",
        "f'{x:g}'",
        "f'{x:+.1%}'",
        "f'{x:,.0f}'",
        "f'{x:.{digits}f}'",
        "'{:.4f}'.format(x)",
        "said = '{width:.4f} wide'",
        "'%.2f' % x",
        "format(x, spec)",
    ],
)
def test_a_rounding_is_seen(text: str):
    assert list(roundings(text))


@pytest.mark.parametrize(
    "text",
    [
        "f'{n:,}'",
        "f'{n:d}'",
        "f'{name:>8}'",
        "f'{now:%Y-%m-%d}'",
        "x == x.round(0)",
        "'{} of {}'",
        "f'{x}'",
        "f'{i:04x}'",
    ],
)
def test_what_is_no_rounding_is_let_pass(text: str):
    assert list(roundings(text)) == []
