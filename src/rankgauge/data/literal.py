"""What is written as Python writes it, in the place of JSON: `qrels = {'q1': {'d1': 1},}  # a comment`.

    {'q1': ['d1', 'd2']}                    single quotes, True, None, a comma at the end, comments
    [(['d1', 'd2'], ['d2']), …]             tuples and sets
    run = {…}                               under a name; several names are the keys of one object
    {'q1': {'d1': np.float64(0.9)}}         numbers as NumPy prints them

Only values are read, and nothing is run: a name, a call, a sum is an error with its line. What comes out is what JSON
would have given: keys are texts, a key that is there twice is an error, tuples are lists. Sets stay sets, for they have
no order.
"""

from __future__ import annotations

import ast
import io
import math
import re
import tokenize
from collections.abc import Iterator
from typing import Any

from rankgauge._show import show
from rankgauge._text import Text
from rankgauge.data._places import in_line
from rankgauge.data.parser_words import objection

__all__ = ["READ_AS_PYTHON", "NotLiteral", "begins_otherwise", "literal", "literal_lines", "looks_like_literal"]

LARGEST = 2_000_000
"""Letters of a text that is looked at: its syntax tree takes a hundred times as much memory."""

_LOOKED_AT = 1 << 16
_COMMENTS = r"(?:\s|#[^\n]*\n)*+"
_NAMED = re.compile(rf"{_COMMENTS}[^\W\d]\w*[ \t]*(?::[^=\n]{{1,80}})?=\s*+[\[{{(]")
_BARE = re.compile(rf"{_COMMENTS}(?:\(\s*[\[{{('\"]|(?<=\n)\s*+[\[{{])")
_PYTHON = re.compile(r"""[\[{(,:]\s*'|\b(?:True|False|None)\b|[\[{,:]\s*\(""")
_INDENT = re.compile(r"\A(\s*\n)?[ \t]+")
_SIDE_BY_SIDE = re.compile(r"""['"](?:\s|\\\n|#[^\n]*\n)*+[rRuU]?['"]""")
_STRING = re.compile(r'"(?:[^"\\\n]|\\.)*"')
_JSON_WORDS = {"true": True, "false": False, "null": None}
_NUMPY = re.compile(r"(?:u?int|float)\d*_?|bool_?|str_|longdouble")
_NUMPY_WORDS = {"True_": True, "False_": False}


READ_AS_PYTHON = Text("not JSON but as Python writes it: read as that", "不是 JSON，而是 Python 的写法：按 Python 读取")
"""The note on a file that holds a literal."""


class NotLiteral(ValueError):
    """Why a text is no literal, and on which line."""

    def __init__(self, line: int, why: Text) -> None:
        super().__init__(why)
        self.line, self.why = line, why

    @property
    def text(self) -> Text:
        place = in_line(self.line)
        return Text(f"{place}: {self.why}", f"{place.zh}：{self.why.zh}")

    def moved(self, lines: int) -> NotLiteral:
        """The same, that many lines below."""
        return NotLiteral(self.line + lines, self.why)


def begins_otherwise(head: bytes) -> bool:
    """Whether a file begins as a literal does and JSON does not: with `name = {`, a tuple or a comment."""
    text = head[:_LOOKED_AT].decode("utf-8", errors="replace")
    return bool(_NAMED.match(text) or (text.lstrip()[:1] in "#(" and _BARE.match(text)))


def looks_like_literal(text: str) -> bool:
    """Whether somebody wrote Python, rather than JSON with a mistake."""
    start = text[:_LOOKED_AT]
    return begins_otherwise(start.encode()) or bool(_PYTHON.search(_STRING.sub('""', start)))


def literal_lines(text: str) -> list[tuple[int, Any]]:
    """The number and the value of each line that is not blank."""
    _refuse_large(text)
    return [(n, literal(line, n)) for n, line in enumerate(text.split("\n"), 1) if line.strip()]


def literal(text: str, first: int = 1) -> Any:
    """The value of a literal, or of those under several names; raises `NotLiteral`.

    `first` is the number of its first line.
    """
    try:
        return _literal(text)
    except NotLiteral as e:
        raise e.moved(first - 1) from None


def _refuse_large(text: str) -> None:
    if len(text) > LARGEST:
        raise NotLiteral(
            1,
            Text(
                f"a Python literal must have at most {LARGEST:,} letters, got {len(text):,}. "
                "Write it as JSON: json.dump(x, file)",
                f"Python 字面量最多 {LARGEST:,} 个字符，实际有 {len(text):,} 个。请存为 JSON：json.dump(x, file)",
            ),
        )


def _literal(text: str) -> Any:
    _refuse_large(text)
    lines = text.split("\n")
    try:
        text = _INDENT.sub(r"\1", text)
        body = ast.parse(text).body
    except SyntaxError as e:
        at = min(e.lineno or 1, len(lines))
        raise NotLiteral(
            at,
            Text(
                f"not a Python literal: {_said(e)}: {show(lines[at - 1].strip()[:60])}.",
                f"不是 Python 字面量：{_said(e).zh}：{show(lines[at - 1].strip()[:60])}。",
            ),
        ) from None
    except (ValueError, MemoryError, RecursionError):
        raise NotLiteral(1, _TOO_DEEP) from None
    if _SIDE_BY_SIDE.search(text):
        _refuse_side_by_side(text)
    if not body:
        raise NotLiteral(1, Text("holds no value, only comments.", "没有值，只有注释。"))
    found: dict[str, Any] = {}
    for statement in body:
        name, node = _statement(statement, lines, is_only=len(body) == 1)
        if name in found:
            raise NotLiteral(
                statement.lineno,
                Text(f"{show(name)} is given a value twice.", f"{show(name)} 被赋值两次。"),
            )
        try:
            found[name] = _value(node)
        except RecursionError:
            raise NotLiteral(node.lineno, _TOO_DEEP) from None
    return next(iter(found.values())) if len(found) == 1 else found


_TOO_DEEP = Text(
    "lists or dicts inside one another are too deep, or a number is too long, to be read.",
    "列表或字典嵌套过深，或数字过长，无法读取。",
)


def _said(error: SyntaxError) -> Text:
    said = (error.msg or "invalid syntax").partition(" (detected")[0].partition(" on line")[0].rstrip(".")
    if odd := re.match(r"invalid character '([‘’“”＂＇])'", said):
        return Text(f"{odd[1]} is no quote of Python, write ' or \"", f"{odd[1]} 不是 Python 的引号，请写成 ' 或 \"")
    chinese = objection(said).zh
    return Text(said, "语法错误" if chinese == said else chinese)


def _refuse_side_by_side(text: str) -> None:
    """Python joins texts that stand side by side, so that a comma left out makes one id of two."""
    before: tokenize.TokenInfo | None = None
    for token in _tokens(text):
        if token.type == tokenize.STRING:
            if before is not None:
                raise NotLiteral(
                    token.start[0],
                    Text(
                        f"{_short(before)} and {_short(token)} stand side by side. Is there a comma missing?",
                        f"{_short(before)} 与 {_short(token)} 相邻。是不是少了逗号？",
                    ),
                )
            before = token
        else:
            before = None


def _tokens(text: str) -> Iterator[tokenize.TokenInfo]:
    layout = (tokenize.NL, tokenize.COMMENT, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT)
    return (t for t in tokenize.generate_tokens(io.StringIO(text).readline) if t.type not in layout)


def _short(token: tokenize.TokenInfo) -> str:
    return token.string if len(token.string) <= 40 else token.string[:39] + "…"


def _statement(statement: ast.stmt, lines: list[str], *, is_only: bool) -> tuple[str, ast.expr]:
    """The name and the value of `name = value`, or of a value alone."""
    if isinstance(statement, ast.Expr) and is_only:
        return "", statement.value
    if isinstance(statement, ast.Assign) and len(statement.targets) == 1:
        target: ast.expr = statement.targets[0]
        if isinstance(target, ast.Name):
            return target.id, statement.value
    if isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name) and statement.value is not None:
        return statement.target.id, statement.value
    shown = show(lines[statement.lineno - 1].strip()[:60])
    raise NotLiteral(
        statement.lineno,
        Text(
            f"must be a value, or `name = value`, got {shown}. Nothing is run: keep the data only.",
            f"必须是值，或 `name = value`，实际为 {shown}。这里不会运行代码：请只保留数据。",
        ),
    )


def _value(node: ast.expr) -> Any:
    if isinstance(node, ast.Constant) and (node.value is None or isinstance(node.value, (str, int, float))):
        if node.value == math.inf:  # digits that no float holds; JSON has none either
            raise NotLiteral(node.lineno, Text("a number is out of range.", "数字超出范围。"))
        return node.value
    if isinstance(node, (ast.List, ast.Tuple)):
        return [_value(x) for x in node.elts]
    if isinstance(node, ast.Set):
        return _set(node)
    if isinstance(node, ast.Dict):
        return _dict(node)
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, (ast.USub, ast.UAdd)):
        number = _value(node.operand)
        if isinstance(number, (int, float)) and not isinstance(number, bool):
            return -number if isinstance(node.op, ast.USub) else number
    if isinstance(node, ast.Name) and node.id in _JSON_WORDS:
        return _JSON_WORDS[node.id]
    if isinstance(node, ast.Attribute) and node.attr in _NUMPY_WORDS:
        return _NUMPY_WORDS[node.attr]
    if isinstance(node, ast.Call):
        return _call(node)
    raise _not_a_value(node)


def _call(node: ast.Call) -> Any:
    """A number as NumPy prints it, or the empty set; no other call is one of a value."""
    name = getattr(node.func, "attr", getattr(node.func, "id", ""))
    if name == "set" and not node.args and not node.keywords:
        return set()
    if _NUMPY.fullmatch(name) and len(node.args) == 1 and not node.keywords:
        value = _value(node.args[0])
        if isinstance(value, (int, float)) or (isinstance(value, str) and name.startswith("str")):
            return value
    raise _not_a_value(node)


def _not_a_value(node: ast.expr) -> NotLiteral:
    written = ast.unparse(node)
    shown = written if len(written) <= 60 else written[:59] + "…"
    if isinstance(node, ast.Name) and node.id.lower() in ("nan", "inf", "infinity"):
        why = Text("Nothing can be ranked by it: leave it out.", "无法据此排序：请去掉。")
    elif isinstance(node, ast.Name):
        why = Text("Texts stand in quotes.", "文本要加引号。")
    elif isinstance(node, ast.Call):
        why = Text(
            "Write what it holds, such as [1, 2] for array([1, 2]).", "请写出其内容，例如用 [1, 2] 代替 array([1, 2])。"
        )
    else:
        why = Text("Nothing is computed: write the value.", "这里不做计算：请直接写出值。")
    return NotLiteral(
        node.lineno,
        Text(
            f"must hold texts, numbers, lists and dicts only, got {shown}. {why}",
            f"只能有文本、数字、列表和字典，实际有 {shown}。{why.zh}",
        ),
    )


def _set(node: ast.Set) -> set[Any]:
    values = [_value(x) for x in node.elts]
    odd = next((x for x, v in zip(node.elts, values, strict=True) if not isinstance(v, (str, int, float))), None)
    if odd is not None:
        raise NotLiteral(odd.lineno, Text("a set must hold ids.", "集合中必须是 id。"))
    return set(values)


def _dict(node: ast.Dict) -> dict[str, Any]:
    out: dict[str, Any] = {}
    for key, value in zip(node.keys, node.values, strict=True):
        if key is None:
            raise _not_a_value(value)
        name = _value(key)
        if isinstance(name, bool) or not isinstance(name, (str, int)):
            raise NotLiteral(
                key.lineno,
                Text(
                    f"keys must be texts or whole numbers, got {show(name)}.",
                    f"键必须是文本或整数，实际为 {show(name)}。",
                ),
            )
        if str(name) in out:
            raise NotLiteral(
                key.lineno,
                Text(
                    f"key {show(str(name))} appears twice in one dict.",
                    f"键 {show(str(name))} 在同一个字典中出现两次。",
                ),
            )
        out[str(name)] = _value(value)
    return out
