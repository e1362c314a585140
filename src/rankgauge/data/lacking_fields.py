"""What a table of questions lacks, and which of its columns may have been meant.

Questions are asked, and what answers them is gold. Where names do not tell which is which, `columns=` does; an error
proposes columns by what they hold: questions are texts of several words, gold is ids, texts or lists of them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rankgauge._show import LIMIT, cut, show, show_all
from rankgauge._text import Text, joined, zh
from rankgauge.data._places import NOTHING
from rankgauge.data.columns import fold
from rankgauge.data.question_records import ANSWERS, ROLES, Fields, first_of
from rankgauge.errors import InputError, ParameterError, suggest

__all__ = ["are_of_questions", "has_words", "lacking", "refuse_columns"]

_MOST = 50  # records that are looked at
_PROPOSED = 3  # columns
_OWN = ("question", "id", "gold", "doc_id")
_TOLD = frozenset({"question", "query", "gold", "relevant"})
_QUESTION = Text(
    "the question (such as 'question', 'query', 'user_input')", "问题（如 'question'、'query'、'user_input'）"
)
_GOLD = Text(
    "what is relevant to it (such as 'gold', 'relevant', 'reference_contexts')",
    "相关内容（如 'gold'、'relevant'、'reference_contexts'）",
)
_NO_GOLD = frozenset({"title", "url", "source", "score", "rank", "difficulty", "category", "type", "split", "language"})
"""Folded names of what stands beside questions and answers none."""


def are_of_questions(columns: Mapping[str, str] | None) -> bool:
    """Whether what columns are said to be makes a table one of questions."""
    return bool(_TOLD & set((columns or {}).values()))


def refuse_columns(names: Sequence[str], columns: Mapping[str, str] | None, where: str) -> None:
    """Raise where `columns` names what is not there, or calls it what questions do not have."""
    for name, role in (columns or {}).items():
        if ROLES.get(role, role) not in _OWN:
            raise ParameterError(
                Text(
                    f"`columns`: {show(name)} must map to one of {', '.join(_OWN)}, got {show(role)}.",
                    f"`columns`：{show(name)} 必须映射为 {', '.join(_OWN)} 之一，实际为 {show(role)}。",
                )
                + suggest(role, _OWN)
            )
        if name not in names:
            found = show_all(names[:12]) or NOTHING
            raise InputError(
                Text(
                    f"{where}: `columns` names {show(name)}, found: {found}.{suggest(name, names)}",
                    f"{zh(where)}：`columns` 中的 {show(name)} 找不到，找到的是：{zh(found)}。"
                    f"{zh(suggest(name, names))}",
                )
            )


def lacking(
    fields: Fields,
    names: Sequence[str],
    records: Sequence[Mapping[str, Any]],
    where: str,
    *,
    told: Mapping[str, str] | None = None,
    with_gold: bool = True,
) -> InputError:
    """The error about records that do not ask, or do not say what answers; `told` is what was said of columns."""
    has_question, lacks_gold = fields.question is not None, with_gold and fields.gold is None
    needed = [] if has_question else [_QUESTION]
    needed += [_GOLD] if lacks_gold else []
    what = joined(Text(", and one with ", "，以及"), needed)
    found = show_all(names[:12]) or NOTHING
    text = Text(
        f"{where}: records must have a field with {what}. Found: {found}.",
        f"{zh(where)}：记录中必须有{zh(what)}字段。找到：{zh(found)}。",
    )
    answers = first_of([n for n in names if n != fields.question], ANSWERS)
    left = [n for n in names if n not in (fields.question, fields.id, fields.gold, fields.document, answers)]
    asking = [] if has_question else [n for n in left if _holds(records, n, has_words)]
    if not has_question and lacks_gold:
        chosen = asking[0] if len(asking) == 1 or _are_first(asking, left) else None
        gold = [n for n in left if n != chosen and _may_be_gold(records, n)]
        if chosen is not None and len(gold) == 1:
            both = {chosen: "question", gold[0]: "gold"}
        else:
            both = {_NAME: "question", _OTHER: "gold"}
        said = _said({**(told or {}), **both})
        return InputError(text + Text(f" Pass {said} to say which they are.", f"请传入 {zh(said)} 指明是哪两个。"))
    fit = [n for n in left if _may_be_gold(records, n)] if has_question else asking
    if has_question and answers is not None and not fit:
        said = _said({**(told or {}), answers: "gold"})
        return InputError(
            text
            + Text(
                f" {show(answers)} is an answer, which says nothing of what should be retrieved. Add a column of the "
                f"ids or the texts that should be, such as 'gold'; or pass {said}, if it is quoted from documents word "
                "for word.",
                f"{show(answers)} 是答案，不能说明应检索到什么。请加上应检索到的文档 id 或原文一列，如 'gold'；"
                f"如果它是从文档中逐字引用的，请传入 {said}。",
            )
        )
    role = "gold" if has_question else "question"
    ways = [_said({**(told or {}), n: role}) for n in (fit if 0 < len(fit) <= _PROPOSED else [_NAME])]
    return InputError(text + _pass(ways))


def has_words(text: str) -> bool:
    """Whether a text says something: several words, or Chinese."""
    return any(c.isspace() for c in text.strip()) or not text.isascii()


_NAME, _OTHER = Text("name of the column", "列名"), Text("name of another", "另一列名")


def _said(columns: Mapping[str, str]) -> Text:
    """`columns={…}` as it would be written."""

    def quoted(name: str) -> str:
        return '"' + cut(str(name), LIMIT).replace("\\", "\\\\").replace('"', '\\"') + '"'

    en = ", ".join(f"{quoted(n)}: {quoted(role)}" for n, role in columns.items())
    chinese = ", ".join(f"{quoted(zh(n))}: {quoted(role)}" for n, role in columns.items())
    return Text(f"columns={{{en}}}", f"columns={{{chinese}}}")


def _pass(ways: Sequence[Text]) -> Text:
    said = joined(Text(" or ", " 或 "), ways)
    return Text(f" Pass {said} to say which it is.", f"请传入 {zh(said)} 指明是哪一个。")


def _are_first(names: Sequence[str], left: Sequence[str]) -> bool:
    return bool(names) and names[0] == left[0]


def _values(records: Sequence[Mapping[str, Any]], name: str) -> list[Any]:
    return [v for r in records[:_MOST] if (v := r.get(name)) is not None]


def _holds(records: Sequence[Mapping[str, Any]], name: str, what: Any) -> bool:
    """Whether a column has texts, most of which are such."""
    values = _values(records, name)
    return bool(values) and 2 * sum(isinstance(v, str) and what(v) for v in values) > len(values)


def _may_be_gold(records: Sequence[Mapping[str, Any]], name: str) -> bool:
    values = _values(records, name)
    return bool(values) and fold(name) not in _NO_GOLD and all(isinstance(v, (str, list, tuple)) for v in values)
