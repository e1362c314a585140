"""Questions in records of any origin: which field asks, which says what answers it, and in which form.

    {"question": "how to …", "gold": ["d1", "d2"]}                         ids
    {"user_input": "how to …", "reference_contexts": ["a passage", …]}     passages (ragas), to be located
    {"question": …, "references": [{"content": …, "start_index": 0, "end_index": 40}], "corpus_id": "d1"}
    {"qid": "q1", "query": …, "retrieval_gt": [["a", "b"], ["c"]]}         AutoRAG: each of the lists, any of its ids
    {"question": …, "context": …, "answers": {"text": […], "answer_start": […]}}       SQuAD, one row each

Names are compared without case, blanks and underscores. A list may be written as text, as JSON or as Python writes it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, NamedTuple

from rankgauge._show import show
from rankgauge._text import Text, zh
from rankgauge.data._places import about
from rankgauge.data.both_sides import SIDES
from rankgauge.data.columns import fold, role_of
from rankgauge.data.gold_objects import GoldObjects, is_object
from rankgauge.data.literal import NotLiteral, literal
from rankgauge.data.mappings import id_text
from rankgauge.errors import InputError

__all__ = [
    "ANSWERS",
    "EXPECTED",
    "GOLD",
    "QUESTIONS",
    "ROLES",
    "Fields",
    "UnknownId",
    "Wanted",
    "answers_of",
    "asked_in",
    "fields_of",
    "first_of",
    "needs_in",
    "refuse_unknown_ids",
    "strange",
    "unwritten",
]

QUESTIONS = (
    *("question", "query", "userinput", "questiontext", "querytext", "text", "input", "prompt", "searchtext"),
    *("问题", "查询", "查询词", "提问", "文本"),
)
_IDS = ("queryid", "qid", "questionid", "id", "查询id", "问题id")
GOLD = (
    *SIDES["qrels"],
    *("retrievalgt", "correctchunks", "goldids", "goldchunks", "goldchunkids", "goldtext", "goldtexts", "goldpassage"),
    *("goldpassages", "relevantchunks", "relevantcontexts", "positivereference", "positivereferences", "positivectxs"),
    *("references", "referencecontext", "evidence", "evidences", "quote", "quotes", "answertext", "passage", "snippet"),
    *("引文", "原文", "证据", "参考段落"),
)
"""Folded names of fields, the clearest first."""
_WEAK = ("answer", "answers", "context", "reference", "答案")
"""Names of what may be quoted from a document, and as often is not."""
EXPECTED = ("answer", "answers", "reference", "答案")
"""Those of an answer as a model should give it, which stands in no document unless somebody says so."""
ANSWERS = (
    *("answer", "answers", "reference", "expectedanswer", "referenceanswer", "expectedoutput", "referenceoutputs"),
    *("outputs", "output", "response", "答案", "回答"),
)
"""Names of what a model should say."""


class Fields(NamedTuple):
    """The fields of records that are questions."""

    question: str | None
    id: str | None
    gold: str | None
    document: str | None
    """Which document what answers it is from."""
    weak: str | None
    """What might be quoted, where nothing says so."""
    is_row_of_squad: bool = False


def fields_of(names: Sequence[str], columns: Mapping[str, str] | None = None) -> Fields:
    """Which of these is which; `columns` maps names to question, id, gold, doc_id and is taken first."""
    told = {ROLES.get(role, role): name for name, role in (columns or {}).items() if name in names}
    left = [n for n in names if n not in told.values()]
    question = told.get("question") or first_of(left, QUESTIONS)
    left = [n for n in left if n != question]
    own = told.get("id") or next((n for n in left if n == "_id"), None) or first_of(left, _IDS)
    gold = told.get("gold") or first_of(left, GOLD)
    document = told.get("doc_id") or next((n for n in left if n != gold and role_of(n, "spans") == "doc_id"), None)
    folded = {fold(n) for n in names}
    is_squad = gold is None and {"context", "answers"} <= folded
    return Fields(question, own, gold, document, first_of(left, _WEAK), is_squad)


ROLES = {"query": "question", "query_id": "id", "relevant": "gold", "text": "gold", "document": "doc_id"}
"""Other words for what a field of a question is."""


def first_of(names: Sequence[str], known: Sequence[str]) -> str | None:
    """The name that is known best."""
    by_fold = {fold(str(n)): str(n) for n in reversed(names)}
    return next((by_fold[word] for word in known if word in by_fold), None)


@dataclass(frozen=True)
class Wanted:
    """What a record says that a query needs: alternatives, any of which will do."""

    alternatives: tuple[Mapping[str, Any], ...]


def asked_in(
    records: Sequence[Mapping[str, Any]], fields: Fields, position: Callable[[int], str], where: str
) -> Iterator[tuple[int, str, str]]:
    """The number of each record, the id of its question and its text."""
    assert fields.question is not None
    texts: dict[str, str] = {}
    for i, record in enumerate(records):
        text = record.get(fields.question)
        if not isinstance(text, str) or not text.strip():
            raise _problem(
                where,
                position(i),
                f"{show(fields.question)} must be a text, got {show(text)}.",
                f"{show(fields.question)} 必须是文本，实际为 {show(text)}。",
            )
        own = None if fields.id is None else record.get(fields.id)
        key = text if own is None else id_text(own, Text("queries", "查询"))
        if texts.setdefault(key, text) != text:
            raise _problem(
                where,
                position(i),
                f"query {show(key)} must have one text, got {show(texts[key])} and {show(text)}.",
                f"查询 {show(key)} 只能有一个文本，实际有 {show(texts[key])} 和 {show(text)}。",
            )
        yield i, key, text


def answers_of(
    record: Mapping[str, Any],
    fields: Fields,
    documents: Container[str] | None,
    place: str,
    where: str,
    objects: GoldObjects,
) -> list[Wanted]:
    """What a record says that answers its question, as entries that `rg.Spans` reads."""
    name = fields.gold or fields.weak
    assert name is not None
    doc = None if fields.document is None else record.get(fields.document)
    known = None if doc is None or (documents is not None and str(doc) not in documents) else str(doc)
    out = []
    for alternatives in needs_in(record.get(name), name, place, where):
        entries = []
        for value in alternatives:
            entry = _entry(value, documents, objects)
            if not entry:
                raise strange(value, name, place, where)
            if isinstance(grade := entry.get("grade"), (int, float)) and grade <= 0:
                continue  # judged, and not needed
            if known is not None and "doc_id" not in entry:
                entry["doc_id"] = known
            entries.append(entry)
        out += [Wanted(tuple(entries))] if entries else []
    return out


class UnknownId(InputError):
    """What answers questions is ids of documents, and one of them is that of no document."""


def refuse_unknown_ids(
    records: Sequence[Mapping[str, Any]],
    fields: Fields,
    documents: Container[str],
    position: Callable[[int], str],
    where: str,
) -> None:
    """Raise where some of what answers is ids and some is not: a misspelt id is no text to be looked for."""
    name = fields.gold or fields.weak
    assert name is not None
    known: str | None = None
    others: list[Text] = []
    for i, record in enumerate(records):
        for value in (x for need in needs_in(record.get(name), name, position(i), where) for x in need):
            if isinstance(value, str) and value in documents:
                known = known or value
            elif isinstance(value, str):
                place = position(i)
                others.append(
                    Text(
                        f"{place}: {show(value)} is the id of no document.",
                        f"{zh(place)}：{show(value)} 不是任何文档的 id。",
                    )
                )
    if known is not None and others:
        raise UnknownId.collect(
            about(where),
            others,
            Text(
                f'Others are ids, such as {show(known)}. Write {{"text": …}} or {{"doc_id": …}} for each where texts '
                "and ids are meant to stand side by side.",
                f'其余的是 id，如 {show(known)}。如果文本和 id 是有意混用的，请分别写成 {{"text": …}} 或 '
                '{"doc_id": …}。',
            ),
        )


def needs_in(value: Any, name: str, place: str, where: str) -> Iterator[list[Any]]:
    """The needs in a field, each with its alternatives: ids, texts, or objects with these."""
    value = unwritten(value)
    if value is None or value in ("", []):
        return
    if isinstance(value, (str, int)) and not isinstance(value, bool):
        yield [value]
    elif isinstance(value, Mapping):
        if is_object(value):
            yield [value]
        elif all(isinstance(g, (int, float)) for g in value.values()):
            yield from ([{"doc_id": str(d), "grade": g}] for d, g in value.items())
        else:
            raise strange(value, name, place, where)
    elif isinstance(value, (list, tuple, set, frozenset)):
        for each in value:
            several = isinstance(each, (list, tuple)) and not _is_interval(each)
            chosen = [x for x in (each if several else [each]) if x not in (None, "")]
            if not all(_is_one(x) for x in chosen):
                raise strange(value, name, place, where)
            if chosen:
                yield chosen
    else:
        raise strange(value, name, place, where)


def unwritten(value: Any) -> Any:
    """A list or an object that a table holds as text, as JSON or Python writes it; anything else as it is."""
    if isinstance(value, str) and value.lstrip()[:1] in ("[", "{"):
        with suppress(ValueError):
            return json.loads(value)
        with suppress(NotLiteral):
            return literal(value)
    return value


def _is_one(value: Any) -> bool:
    is_id = isinstance(value, (str, int)) and not isinstance(value, bool)
    return is_id or isinstance(value, Mapping) or _is_interval(value)


def _is_interval(value: Any) -> bool:
    return (
        isinstance(value, (list, tuple))
        and len(value) in (3, 4)
        and all(isinstance(x, int) and not isinstance(x, bool) for x in value[1:3])
    )


def _entry(value: Any, documents: Container[str] | None, objects: GoldObjects) -> dict[str, Any]:
    """An id of a document, a text, or an object with these, as an entry."""
    if isinstance(value, Mapping):
        return objects.entry(value, documents)
    if _is_interval(value):
        return dict(zip(("doc_id", "start", "end", "grade"), value, strict=False))
    text = str(value)
    is_id = not isinstance(value, str) or (documents is not None and text in documents)
    return {"doc_id" if is_id else "text": text}


def strange(value: Any, name: str, place: str, where: str) -> InputError:
    """The error about gold that is nothing of what it may be."""
    return _problem(
        where,
        place,
        f"{show(name)} must be an id, a list of them, grades by id, or texts, got {show(value)}.",
        f"{show(name)} 必须是 id、id 列表、以 id 为键的等级，或文本，实际为 {show(value)}。",
    )


def _problem(where: str, place: str, en: str, chinese: str) -> InputError:
    return InputError(Text(f"{where}, {place}: {en}", f"{zh(where)} {zh(place)}：{chinese}"))
