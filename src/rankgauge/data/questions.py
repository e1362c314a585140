"""What is asked of a retriever: the texts of queries by id, and questions with what is relevant to them.

["how to …", "where is …"]                                   texts, which are the ids as well
{"q1": "how to …"}                                           texts by id
{"how to …": ["d1", "d2"], "where is …": "d7"}               questions with what is relevant
[{"question": "how to …", "gold": ["d1"]}]                   records, frames and files of them; `id` may be there
a BEIR folder                                                queries and judgements
judgements, and beside them the texts of their queries       `queries=`
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from contextlib import suppress
from os import PathLike
from typing import Any

from rankgauge._piped import path_of, taken_in
from rankgauge._show import show, show_all
from rankgauge._text import Text
from rankgauge.data.any_table import open_table
from rankgauge.data.both_sides import SIDES
from rankgauge.data.columns import fold
from rankgauge.data.document_texts import read_texts
from rankgauge.data.frames import is_frame
from rankgauge.data.mappings import id_text
from rankgauge.data.qrels import Qrels
from rankgauge.data.run_source import column_options
from rankgauge.data.table import Table
from rankgauge.errors import InputError

__all__ = ["queries_of", "questions_of"]

_QUESTIONS = (
    *("question", "query", "userinput", "questiontext", "querytext", "text", "input", "prompt", "searchtext"),
    *("问题", "查询", "查询词", "提问", "文本"),
)
_IDS = ("queryid", "qid", "questionid", "id", "查询id", "问题id")
"""Folded names of fields, the clearest first."""


def queries_of(source: Any) -> dict[str, str]:
    """The text of each query by its id, in the order in which they are to be asked.

    >>> queries_of(["red shoes", "boots"]), queries_of({"q1": "red shoes"}), queries_of({"red shoes": ["d1", "d2"]})
    ({'red shoes': 'red shoes', 'boots': 'boots'}, {'q1': 'red shoes'}, {'red shoes': 'red shoes'})
    """
    source = taken_in(source)
    if isinstance(source, Table):
        return {q: q for q in source.query_ids}
    if isinstance(source, Mapping):
        found = {_id(key): _text_of(key, value) for key, value in source.items()}
    elif _is_list_of_texts(source):
        found = _by_text(source)
    else:
        found = _of_records(_records(_part(source)))[0]
    return _some(found)


def questions_of(
    source: Any, queries: Any = None, columns: Mapping[str, str] | None = None
) -> tuple[Qrels, dict[str, str]]:
    """Judgements, and the text of each judged query; `queries` has the texts where the judgements do not."""
    source = taken_in(source)
    texts: dict[str, str] | None = None
    if isinstance(source, (list, tuple)) or _is_file_of_records(source):
        texts, gold = _of_records(_records(source), with_gold=True)
        judged = Qrels.of(gold, name=path_of(source).stem if isinstance(source, (str, PathLike)) else "questions")
    else:
        judged = Qrels.of(source, **column_options(source, columns))
    ids = judged.query_ids
    if queries is None and texts is None and isinstance(source, (str, PathLike)) and path_of(source).is_dir():
        queries = source
    if queries is not None:
        texts = {q: t.text or t.title for q, t in read_texts(queries, ids, part="queries").items()}
    elif texts is None:
        texts = _own_words(source, ids)
    lacking = [q for q in ids if not texts.get(q, "").strip()]
    if lacking:
        raise InputError(
            Text(
                f"every judged query must have a text to be asked, got none for {len(lacking):,} of {len(ids):,}: "
                f"{show_all(lacking[:5])}. Pass queries={{id: text}}, or a file of them.",
                f"每个有标注的查询都必须有可供询问的文本，{len(ids):,} 个中有 {len(lacking):,} 个没有："
                f"{show_all(lacking[:5])}。请传入 queries={{id: 文本}}，或这样的文件。",
            )
        )
    return judged, {q: texts[q] for q in ids}


def _own_words(source: Any, ids: Sequence[str]) -> dict[str, str]:
    """Queries that go by their words; ids of a file that look like mere ids are none."""
    if isinstance(source, Mapping):
        return {_id(key): _text_of(key, value) for key, value in source.items()}
    if not isinstance(source, Table) and not any(_has_words(q) for q in ids):
        return {}
    return {q: q for q in ids}


def _has_words(query: str) -> bool:
    return any(c.isspace() for c in query.strip()) or not query.isascii()


# dicts and lists


def _id(key: Any) -> str:
    return id_text(key, Text("queries", "查询"))


def _text_of(key: Any, value: Any) -> str:
    """What a dict says of a query: its text, a record with its text, or what is relevant to the key."""
    if isinstance(value, str):
        return value
    if isinstance(value, Mapping) and (name := _first(list(value), _QUESTIONS)) and isinstance(value[name], str):
        return str(value[name])
    return _id(key)


def _is_list_of_texts(source: Any) -> bool:
    return isinstance(source, (list, tuple)) and bool(source) and all(isinstance(x, str) for x in source)


def _by_text(texts: Sequence[str]) -> dict[str, str]:
    found = {t: t for t in texts}
    if len(found) < len(texts):
        twice = [t for t in found if texts.count(t) > 1]
        raise InputError(
            Text(
                f"every query must be there once, got {show_all(twice[:5])} more often. Give each an id of its own: "
                "{id: text}.",
                f"每个查询只能出现一次，{show_all(twice[:5])} 出现了多次。请分别给出 id：{{id: 文本}}。",
            )
        )
    return found


def _some(found: dict[str, str]) -> dict[str, str]:
    if not found:
        raise InputError(Text("queries: must hold at least one, got none.", "查询：至少要有一个，实际没有。"))
    if empty := [q for q, text in found.items() if not text.strip()]:
        raise InputError(
            Text(
                f"queries: each must have a text, got none for {show_all(empty[:5])}.",
                f"查询：每个都必须有文本，{show_all(empty[:5])} 没有。",
            )
        )
    return found


# records


def _part(source: Any) -> Any:
    """The queries of a BEIR folder; everything else as it is."""
    if isinstance(source, (str, PathLike)) and path_of(source).is_dir():
        from rankgauge.data.formats.beir import file_of_part

        return file_of_part(path_of(source), "queries") or source
    return source


def _is_file_of_records(source: Any) -> bool:
    """Whether a file has questions with what is relevant to each, and not judgements row by row."""
    if is_frame(source):
        names = open_table(source, "texts").lazy().collect_schema().names()
        return _sided(names) is not None
    if not isinstance(source, (str, PathLike)) or not path_of(source).is_file():
        return False
    if path_of(source).suffix.lower() not in (".jsonl", ".ndjson", ".json", ".csv", ".tsv", ".parquet"):
        return False
    try:
        found = _records(source)
    except InputError:
        return False  # judgements are read, and refused, elsewhere
    return bool(found) and _sided([str(n) for n in found[0]]) is not None


def _sided(names: Sequence[str]) -> str | None:
    """The field of what is relevant, beside a question; None where there are not both."""
    return _first(names, SIDES["qrels"]) if _first(names, _QUESTIONS) else None


def _records(source: Any) -> list[Mapping[str, Any]]:
    from rankgauge.data.formats.base import Columns, Keyed, Records

    if isinstance(source, (list, tuple)) and all(isinstance(x, Mapping) for x in source):
        return list(source)
    content = open_table(source, "texts")
    if isinstance(content, Keyed):
        return [
            {"id": key, **(row if isinstance(row, Mapping) else {"text": row})} for key, row in content.rows.items()
        ]
    assert isinstance(content, (Columns, Records))
    if isinstance(content, Records):
        found: list[Mapping[str, Any]] = [record for _, record in content.each() if isinstance(record, Mapping)]
    else:
        found = list(content.read().to_dicts())
    if not content.has_header and len(content.names) == 2:  # id and text, as MS MARCO has them
        return [dict(zip(("id", "text"), record.values(), strict=True)) for record in found]
    return found


def _of_records(
    records: Sequence[Mapping[str, Any]], *, with_gold: bool = False
) -> tuple[dict[str, str], dict[str, dict[Any, Any]]]:
    """Texts by id, and what is relevant; a question in several records has all that they say."""
    names = list(dict.fromkeys(str(n) for r in records for n in r))
    asked, gold = _first(names, _QUESTIONS), _first(names, SIDES["qrels"])
    if asked is None or (with_gold and gold is None):
        what = Text("the question", "问题") if asked is None else Text("what is relevant to it", "相关文档")
        words = "'question', 'query'" if asked is None else "'relevant', 'gold', 'reference_context_ids'"
        raise InputError(
            Text(
                f"questions: records must have a field with {what} (such as {words}). Found: {show_all(names[:12])}.",
                f"问题集：记录中必须有{what.zh}字段（如 {words}）。找到：{show_all(names[:12])}。",
            )
        )
    own = next((n for n in names if n == "_id"), None) or _first([n for n in names if n != asked], _IDS)
    texts: dict[str, str] = {}
    relevant: dict[str, dict[Any, Any]] = {}
    for i, record in enumerate(records, 1):
        text = record.get(asked)
        if not isinstance(text, str) or not text.strip():
            raise InputError(
                Text(
                    f"questions, record {i:,}: {show(asked)} must be a text, got {show(text)}.",
                    f"问题集第 {i:,} 条记录：{show(asked)} 必须是文本，实际为 {show(text)}。",
                )
            )
        key = text if own is None or record.get(own) is None else _id(record[own])
        if texts.setdefault(key, text) != text:
            raise InputError(
                Text(
                    f"questions, record {i:,}: query {show(key)} must have one text, got {show(texts[key])} and "
                    f"{show(text)}.",
                    f"问题集第 {i:,} 条记录：查询 {show(key)} 只能有一个文本，实际有 {show(texts[key])} 和 "
                    f"{show(text)}。",
                )
            )
        if gold is not None:
            relevant.setdefault(key, {}).update(_gold(record.get(gold), i, gold) if with_gold else {})
    return texts, relevant


def _gold(value: Any, i: int, name: str) -> dict[Any, Any]:
    """What a record says is relevant: one id, several, or grades by id; a list may be written as text."""
    if isinstance(value, str) and value.lstrip()[:1] in ("[", "{"):
        with suppress(ValueError):  # an id, or a passage, that begins so
            value = json.loads(value)
    if value is None or value == "":
        return {}
    if isinstance(value, (str, int)) and not isinstance(value, bool):
        return {value: 1}
    try:
        return Qrels.of({"q": value}).to_dict()["q"]
    except InputError as e:
        raise InputError(
            Text(
                f"questions, record {i:,}: {show(name)} must be an id, a list of them or grades by id, got "
                f"{show(value)}.",
                f"问题集第 {i:,} 条记录：{show(name)} 必须是 id、id 列表或以 id 为键的等级，实际为 {show(value)}。",
            )
        ) from e


def _first(names: Sequence[str], known: Sequence[str]) -> str | None:
    by_fold = {fold(str(n)): str(n) for n in reversed(names)}
    return next((by_fold[word] for word in known if word in by_fold), None)
