"""Spans that come with their questions: sets of questions, whatever holds them, as entries of `rg.Spans`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from rankgauge._text import Text, zh
from rankgauge.data.columns import fold, role_of
from rankgauge.data.gold_objects import GoldObjects
from rankgauge.data.lacking_fields import are_of_questions, lacking, refuse_columns
from rankgauge.data.question_records import (
    EXPECTED,
    QUESTIONS,
    Fields,
    answers_of,
    asked_in,
    fields_of,
    first_of,
    refuse_unknown_ids,
    unwritten,
)
from rankgauge.errors import InputError

if TYPE_CHECKING:
    import polars as pl

    from rankgauge.data.formats.base import Content
    from rankgauge.data.formats.question_sets import QuestionSet
    from rankgauge.data.locating import Documents

__all__ = ["question_set", "texts_beside"]


def question_set(
    content: Content, columns: Mapping[str, str] | None = None, documents: Documents | None = None
) -> QuestionSet | None:
    """The questions of a table with what answers each; None where its rows are spans themselves."""
    from rankgauge.data.formats.base import Columns, Records
    from rankgauge.data.formats.examples import Examples
    from rankgauge.data.formats.question_sets import QuestionSet

    if isinstance(content, QuestionSet):
        return content if documents is None else _in(documents, content)
    if not isinstance(content, (Columns, Records)):
        return None
    if isinstance(content, Records):
        pairs = [(place, record) for place, record in content.each() if isinstance(record, Mapping)]
        names = list(dict.fromkeys(str(n) for _, record in pairs for n in record))
    else:
        names, pairs = content.names, []
    if are_of_questions(columns):
        refuse_columns(names, columns, content.where)
    fields = fields_of(names, columns)
    if fields.question is None:
        fields = fields._replace(question=fields.id)
    has_rows = any(role_of(n, "spans") == "start" for n in names)
    if isinstance(content, Examples) and not (has_rows or fields.gold or fields.is_row_of_squad):
        raise lacking(fields, names, [record for _, record in pairs], content.where, told=columns)
    if not (has_rows or fields.gold or fields.is_row_of_squad) and _is_expected(names, fields, columns):
        some = [record for _, record in pairs] or list(content.read().head(50).to_dicts())
        raise lacking(fields, names, some, content.where, told=columns)
    if has_rows or fields.question is None or not (fields.gold or fields.is_row_of_squad):
        return None
    position: Callable[[int], str]
    records: list[Mapping[str, Any]]
    if isinstance(content, Columns):
        from rankgauge.data.frames import row

        records, position = list(content.read().to_dicts()), content.position or row
    else:
        records, position = [record for _, record in pairs], lambda i: pairs[i][0]()
    if fields.is_row_of_squad:
        return _of_squad(records, fields, position, content.where)
    return _of_records(records, fields, position, content.where, documents)


def _is_expected(names: Sequence[str], fields: Fields, columns: Mapping[str, str] | None) -> bool:
    """Whether nothing but the answer that a model should give could be looked for in documents: it is no gold."""
    texts = [n for n in names if n != fields.question and role_of(n, "spans") == "text"]
    told = set((columns or {}).values()) & {"text", "gold", "relevant"}
    return bool(texts) and not told and all(fold(n) in EXPECTED for n in texts)


def _of_records(
    records: Sequence[Mapping[str, Any]],
    fields: Fields,
    position: Callable[[int], str],
    where: str,
    documents: Documents | None,
) -> QuestionSet:
    from rankgauge.data.formats.question_sets import QuestionSet

    queries: dict[str, str] = {}
    rows: dict[str, list[Mapping[str, Any]]] = {}
    if documents is not None:
        refuse_unknown_ids(records, fields, documents, position, where)
    objects = GoldObjects()
    for i, key, text in asked_in(records, fields, position, where):
        queries[key] = text
        entries = rows.setdefault(key, [])
        for wanted in answers_of(records[i], fields, documents, position(i), where, objects):
            if len(wanted.alternatives) == 1:
                entries += [e for e in wanted.alternatives if e not in entries]
            else:
                need = f"{len(entries) + 1}"
                entries += [{**e, "need": need, "alternative": str(a)} for a, e in enumerate(wanted.alternatives, 1)]
    return QuestionSet(rows, queries, notes=objects.notes)


def _of_squad(
    records: Sequence[Mapping[str, Any]], fields: Fields, position: Callable[[int], str], where: str
) -> QuestionSet:
    """Rows of SQuAD as tables have them: a question, its paragraph, and answers with their offsets."""
    from rankgauge.data.formats.squad import Paragraphs

    def error(text: str) -> InputError:
        return InputError(Text(f"{where}, {text}", f"{zh(where)} {zh(text)}"))

    out = Paragraphs(error)
    names = list(dict.fromkeys(str(n) for record in records for n in record))
    context, answers = (first_of(names, (name,)) for name in ("context", "answers"))
    assert context is not None
    assert answers is not None
    for i, key, text in asked_in(records, fields, position, where):
        record, place = records[i], position(i)
        doc = out.document(record.get(context), None if fields.document is None else record[fields.document], place)
        query = out.question(key, text, place)
        for answer, start in _answers(unwritten(record.get(answers))):
            out.answer(query, doc, answer, start, place)
    return out.made()


def _answers(given: Any) -> list[tuple[Any, Any]]:
    """Texts and offsets, as columns or one after the other."""
    if isinstance(given, Mapping):
        texts = list(given.get("text") or ())
        starts = list(given.get("answer_start") or ())
        return list(zip(texts, [*starts, *[None] * (len(texts) - len(starts))], strict=False))
    listed = given if isinstance(given, (list, tuple)) else () if given is None else (given,)
    return [(a.get("text"), a.get("answer_start")) if isinstance(a, Mapping) else (a, None) for a in listed]


def _in(documents: Documents, found: QuestionSet) -> QuestionSet:
    """The same for other documents: what does not stand there as it did is looked for by its text."""
    from rankgauge.data.formats.question_sets import QuestionSet

    own = found.documents or {}
    n = others = 0

    def moved(entry: Mapping[str, Any]) -> Mapping[str, Any]:
        nonlocal n, others
        doc = entry["doc_id"]
        if doc not in own:
            return entry
        n += 1
        start, end = entry.get("start"), entry.get("end")
        text = entry["text"] if start is None else own[doc][start:end]
        kept = {k: v for k, v in entry.items() if k not in ("doc_id", "start", "end")} | {"text": text}
        if doc not in documents:
            return kept
        if start is not None:
            if documents.texts[doc][start:end] == text:
                return entry
            others += 1
        # two sets of documents may have an id in common by chance: p1, p2, … are those of paragraphs without one
        return {**kept, "doc_id": doc} if documents.locate(text, doc) else kept

    rows = {q: [moved(e) for e in entries] for q, entries in found.rows.items()}
    notes = list(found.notes)
    if others:
        notes.append(
            Text(
                f"{others:,} of {n:,} answers do not stand at their offsets in the documents: they are located by "
                "their text",
                f"{n:,} 个答案中有 {others:,} 个在给出的文档中不在原来的偏移处：按文本定位",
            )
        )
    return QuestionSet(rows, found.queries, None, tuple(notes))


def texts_beside(given: pl.DataFrame, rows: pl.DataFrame) -> dict[str, str]:
    """What is asked, where a table of spans has a column of it beside the ids."""
    name = first_of([n for n in given.columns if role_of(n, "spans") != "text"], QUESTIONS)
    if name is None or "query_id" not in rows.columns:
        return {}
    asked = zip(rows.get_column("query_id").to_list(), given.get_column(name).to_list(), strict=True)
    return {str(q): text for q, text in asked if q is not None and isinstance(text, str)}
