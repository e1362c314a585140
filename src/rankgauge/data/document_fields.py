"""Which field of a record is its id, which its title, which its text?

Names are compared without case, blanks, hyphens and underscores, and known spellings are tried from the clearest to the
weakest. For the id two equally good names are an error, never a guess.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import isnan
from typing import Any

from rankgauge._show import show, show_all
from rankgauge._text import Text, joined, zh
from rankgauge.data._places import NOTHING
from rankgauge.data.columns import fold, role_of
from rankgauge.errors import InputError, ParameterError, suggest

__all__ = ["Fields", "ItemText", "has_known_names", "item_text", "text_fields"]

# From the clearest to the weakest, already folded.
_TITLES, _TEXTS = (
    tuple(words.split())
    for words in (
        "title name producttitle productname itemtitle itemname documenttitle headline subject 标题 名称 商品名称 "
        "商品标题",
        "text contents content body querytext documenttext passagetext query question passage document segment "
        "description productdescription itemdescription abstract snippet summary 文本 内容 正文 查询 查询词 问题 描述",
    )
)
_CLEAR_ENDS = ("id", "no", "number", "sku", "asin")  # of the clear names among those that `columns.py` knows
_WEAK = 3  # `query` and `document` may be ids, and may be texts
_ROLES = {"id": "id", "doc_id": "id", "item_id": "id", "query_id": "id", "title": "title", "text": "text"}


@dataclass(frozen=True, slots=True)
class ItemText:
    """What a query or document says; empty where it has no such part."""

    title: str
    text: str


@dataclass(frozen=True, slots=True)
class Fields:
    """Names of the fields that are read."""

    id: str
    title: str | None
    text: str | None

    @property
    def used(self) -> list[str]:
        return [name for name in (self.id, self.title, self.text) if name is not None]

    def item(self, record: Mapping[str, Any]) -> ItemText:
        """The title and text of a record."""
        title, text = (words(record.get(name)) if name is not None else "" for name in (self.title, self.text))
        return ItemText(title, text)


def text_fields(names: Sequence[str], columns: Mapping[str, str] | None, where: str) -> Fields:
    """The id, title and text among these names; `columns` maps names to those words and is taken first."""
    asked = _asked(names, columns or {}, where)
    left = [n for n in names if n not in asked.values()]
    title, text = (asked.get(role) or _first(left, known) for role, known in (("title", _TITLES), ("text", _TEXTS)))
    left = [n for n in left if n not in (title, text)]
    id_ = asked.get("id") or _id(left, where)
    if id_ is not None and title is text is None and len(names) == 2:
        text = next(n for n in names if n != id_)  # what else could the other one be
    if id_ is None or title is text is None:
        missing = (
            Text("an id (such as '_id', 'doc_id', 'query_id')", "id（如 '_id'、'doc_id'、'query_id'）")
            if id_ is None
            else Text("a text (such as 'text', 'title')", "文本（如 'text'、'title'）")
        )
        found = show_all(names[:12]) or NOTHING
        role = "id" if id_ is None else "text"
        raise InputError(
            Text(
                f"{where}: expected a column that is {missing}. Found: {found}. Name that column '{role}'. "
                f'Or pass columns={{"name": "{role}"}}.',
                f"{zh(where)}：缺少表示{zh(missing)}的列。找到：{zh(found)}。请把该列改名为 '{role}'。"
                f'或传入 columns={{"name": "{role}"}}。',
            )
        )
    return Fields(id_, title, text)


def has_known_names(names: Sequence[str]) -> bool:
    """Whether these are names of columns, not values: a clear name of an id, or names of an id and of a text."""
    folded = {fold(n) for n in names}
    is_text = bool(folded & {*_TITLES, *_TEXTS})
    if is_text and "" in names:  # the index of a frame, which has no name where it is written
        return True
    return any(_level(n) < _WEAK or (_level(n) == _WEAK and is_text and len(folded) > 1) for n in names)


def item_text(value: Any, where: str) -> ItemText:
    """What a mapping holds for an id: the text itself, or a record with title and text."""
    if not isinstance(value, Mapping):
        return ItemText("", words(value))
    names = [str(k) for k in value]
    title, text = _first(names, _TITLES), _first(names, _TEXTS)
    if title is text is None:
        found = show_all(names[:12]) or NOTHING
        raise InputError(
            Text(
                f"{where}: expected a text, or an object with 'title' or 'text'. Found: {found}.",
                f"{zh(where)}：应为文本，或含 'title' 或 'text' 的对象。找到：{zh(found)}。",
            )
        )
    return ItemText(*("" if name is None else words(value[name]) for name in (title, text)))


def words(value: Any) -> str:
    """A value as text: nothing for None and NaN, lists line by line."""
    if isinstance(value, str):
        return value
    if value is None or (isinstance(value, float) and isnan(value)):
        return ""
    if isinstance(value, (list, tuple)):
        return "\n".join(map(words, value))
    return str(value)


def _level(name: str) -> int:
    """How clearly a name is that of an id: 0 is the clearest, 4 says that it is none."""
    if name == "_id":  # BEIR
        return 0
    if role_of(name, "run") in ("query_id", "doc_id"):
        return 1 if fold(name).endswith(_CLEAR_ENDS) else _WEAK
    return 2 if fold(name) == "id" else 4


def _id(names: Sequence[str], where: str) -> str | None:
    level = min(map(_level, names), default=4)
    found = [n for n in names if _level(n) == level]
    if level == 4:
        return None
    if len(found) > 1:
        listed = joined(Text(" and ", " 和 "), map(show, found))
        raise InputError(
            Text(
                f'{where}: columns {listed} could both be the id. Pass columns={{"{found[0]}": "id"}}.',
                f'{zh(where)}：列 {zh(listed)} 都可能是 id。请传入 columns={{"{found[0]}": "id"}}。',
            )
        )
    return found[0]


def _first(names: Sequence[str], known: Sequence[str]) -> str | None:
    by_fold = {fold(n): n for n in reversed(names)}
    return next((by_fold[word] for word in known if word in by_fold), None)


def _asked(names: Sequence[str], columns: Mapping[str, str], where: str) -> dict[str, str]:
    out: dict[str, str] = {}
    for name, word in columns.items():
        if word not in _ROLES:
            raise ParameterError(
                Text(
                    f"`columns`: {show(name)} must map to id, title or text, got {show(word)}.",
                    f"`columns`：{show(name)} 必须映射为 id、title 或 text，实际为 {show(word)}。",
                )
            )
        if name not in names:
            found = show_all(names)
            raise InputError(
                Text(
                    f"{where}: `columns` names {show(name)}, found: {found}.{suggest(name, names)}",
                    f"{zh(where)}：`columns` 中的 {show(name)} 找不到，找到的是：{zh(found)}。"
                    f"{zh(suggest(name, names))}",
                )
            )
        if _ROLES[word] in out:
            raise ParameterError(
                Text(
                    f"`columns`: {show(out[_ROLES[word]])} and {show(name)} both map to {show(word)}; name one.",
                    f"`columns`：{show(out[_ROLES[word]])} 和 {show(name)} 都映射为 {show(word)}；请只保留一个。",
                )
            )
        out[_ROLES[word]] = name
    return out
