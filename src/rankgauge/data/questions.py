"""What is asked of a retriever: the texts of queries by id, and questions with what is relevant to them.

["how to …", "where is …"]                                   texts, which are the ids as well
{"q1": "how to …"}                                           texts by id
{"how to …": ["d1", "d2"], "where is …": "d7"}               questions with what is relevant
[{"question": "how to …", "gold": ["d1"]}]                   records, frames and files of them; `id` may be there
a BEIR folder                                                queries and judgements
judgements, and beside them the texts of their queries       `queries=`
spans, which may have come with their questions              `rg.Spans`
sets of questions in files of their own shape                SQuAD, LlamaIndex, …: docs/rag.md has them
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from os import PathLike
from typing import Any, NamedTuple, Unpack

from rankgauge._piped import path_of, taken_in
from rankgauge._show import show_all
from rankgauge._text import Text
from rankgauge.data._places import in_record, word_for
from rankgauge.data.any_table import open_table
from rankgauge.data.both_sides import SIDES
from rankgauge.data.columns import fold, role_of
from rankgauge.data.document_texts import read_texts
from rankgauge.data.frames import Position, is_frame
from rankgauge.data.gold_objects import GoldObjects
from rankgauge.data.lacking_fields import are_of_questions, has_words, lacking, refuse_columns
from rankgauge.data.locating import Documents
from rankgauge.data.mappings import id_text
from rankgauge.data.offset_rows import offset_rows
from rankgauge.data.qrels import Qrels
from rankgauge.data.question_records import QUESTIONS, UnknownId, asked_in, fields_of, first_of, needs_in, strange
from rankgauge.data.run_source import column_options
from rankgauge.data.spans import SpanOptions, Spans
from rankgauge.data.table import Table, stem
from rankgauge.errors import InputError, ParameterError

__all__ = ["gold_of", "judged_by", "queries_of", "questions_of", "spans_of"]


def queries_of(source: Any, columns: Mapping[str, str] | None = None) -> dict[str, str]:
    """The text of each query by its id, in the order in which they are to be asked.

    `columns` says which field of records is the question, and which its id.

    >>> queries_of(["red shoes", "boots"]), queries_of({"q1": "red shoes"}), queries_of({"red shoes": ["d1", "d2"]})
    ({'red shoes': 'red shoes', 'boots': 'boots'}, {'q1': 'red shoes'}, {'red shoes': 'red shoes'})
    """
    source = taken_in(source)
    if isinstance(source, Spans):
        return {q: source.queries.get(q, q) for q in source.query_ids}
    if isinstance(source, Table):
        return {q: q for q in source.query_ids}
    if isinstance(source, Mapping):
        found = {_id(key): _text_of(key, value) for key, value in source.items()}
    elif _is_list_of_texts(source):
        found = _by_text(source)
    else:
        found = _of_records(_records(_part(source), columns), columns)[0]
    return _some(found)


def judged_by(
    source: Any,
    documents: Any = None,
    queries: Any = None,
    columns: Mapping[str, str] | None = None,
    *,
    by: str | None = None,
    **options: Any,
) -> tuple[Qrels | Spans, dict[str, str]]:
    """What answers each question, and its text: spans where the source quotes it or says where it stands, else ids.

    `by` is `"spans"` or `"ids"` where that is to be decided otherwise; options are those of `rg.Spans`.
    """
    source = taken_in(source)
    if isinstance(source, Spans):
        return _of_spans(source, queries)
    found = None
    if by == "spans" or (by is None and not _is_folder_of_beir(source)):
        known = None if documents is None else Documents.of(documents)
        try:
            found = offset_rows(source, "spans", columns, known)
        except UnknownId:
            raise
        except (InputError, ParameterError) as e:
            if by == "spans":
                raise _unasked(source, columns) or e from None
            if not isinstance(e, InputError) and not are_of_questions(columns):
                raise
        has_texts = known is not None or (found is not None and found.documents is not None)
        telling = {"start", "text"} if has_texts else {"start"}  # a text is found in documents only
        if found is not None and (by == "spans" or telling & set(found.frame.columns)):
            spans = Spans(source, documents=known, columns=columns, name=_name_of(source), **options)
            return _of_spans(spans, queries)
    return questions_of(source, queries, columns)


def spans_of(source: Any, **options: Unpack[SpanOptions]) -> Spans:
    """What answers each query as spans, whether or not anything says what is asked; options are those of `rg.Spans`."""
    source, columns = taken_in(source), options.get("columns")
    documents = options.get("documents")
    known = None if documents is None else Documents.of(documents)
    try:
        offset_rows(source, "spans", columns, known)
    except UnknownId:
        raise
    except (InputError, ParameterError) as e:
        raise _unasked(source, columns) or e from None
    named: SpanOptions = {"name": _name_of(source), **options, "documents": known}
    return Spans(source, **named)


def _is_folder_of_beir(source: Any) -> bool:
    """Whether ids are judged by what the source is, so that its corpus need not be read."""
    if not isinstance(source, (str, PathLike)):
        return False
    from rankgauge.data.formats.beir import is_folder

    return is_folder(path_of(source))


def _of_spans(spans: Spans, queries: Any) -> tuple[Spans, dict[str, str]]:
    """Spans with what is asked: as they came, or as they are told."""
    texts = {q: spans.queries[q] for q in spans.query_ids if q in spans.queries}
    if queries is not None:
        texts = {q: t.text or t.title for q, t in read_texts(queries, spans.query_ids, part="queries").items()}
    elif not texts:
        texts = _own_words(spans, spans.query_ids)
    return spans, _asked(texts, spans.query_ids)


def _name_of(source: Any) -> str:
    return stem(path_of(source)) if isinstance(source, (str, PathLike)) else "questions"


def questions_of(
    source: Any, queries: Any = None, columns: Mapping[str, str] | None = None
) -> tuple[Qrels | Spans, dict[str, str]]:
    """Judgements, and the text of each judged query; `queries` has the texts where the judgements do not."""
    source = taken_in(source)
    if isinstance(source, Spans):
        return _of_spans(source, queries)
    texts: dict[str, str] | None = None
    if isinstance(source, (list, tuple)) or _is_file_of_records(source, columns):
        objects = GoldObjects()
        texts, gold = _of_records(_records(source, columns), columns, objects)
        judged = Qrels.of(gold, name=_name_of(source))
        judged.notes += objects.notes
    else:
        try:
            judged = Qrels.of(source, **column_options(source, columns))
        except (InputError, ParameterError) as e:
            raise _unasked(source, columns) or e from None
    ids = judged.query_ids
    if queries is None and texts is None and isinstance(source, (str, PathLike)) and path_of(source).is_dir():
        texts = queries_of(source)
    if queries is not None:
        texts = {q: t.text or t.title for q, t in read_texts(queries, ids, part="queries").items()}
    elif texts is None:
        texts = _own_words(source, ids)
    try:
        return judged, _asked(texts, ids)
    except InputError as e:
        raise _unasked(source, columns, of_gold=True) or e from None


def gold_of(source: Any, columns: Mapping[str, str] | None = None) -> Qrels | None:
    """What is relevant, of questions whose records have it under a name such as `correct_chunks`, which no other table
    of judgements has; None of everything else."""
    if not isinstance(source, (list, tuple)) and not _is_file_of_records(source, columns):
        return None
    try:
        found = _records(source, columns)
    except (InputError, ParameterError):
        return None
    fields = fields_of(found.names, columns)
    if fields.question is None or fields.gold is None or fold(fields.gold) in SIDES["qrels"]:
        return None
    objects = GoldObjects()
    judged = Qrels.of(_of_records(found, columns, objects)[1], name=_name_of(source))
    judged.notes += objects.notes
    return judged


def _asked(texts: Mapping[str, str], ids: Sequence[str]) -> dict[str, str]:
    """The text of each of these queries; an error says which have none."""
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
    return {q: texts[q] for q in ids}


def _own_words(source: Any, ids: Sequence[str]) -> dict[str, str]:
    """Queries that go by their words; ids of a file that look like mere ids are none."""
    if isinstance(source, Mapping):
        return {_id(key): _text_of(key, value) for key, value in source.items()}
    if not isinstance(source, Table) and not any(has_words(q) for q in ids):
        return {}
    return {q: q for q in ids}


# dicts and lists


def _id(key: Any) -> str:
    return id_text(key, Text("queries", "查询"))


def _text_of(key: Any, value: Any) -> str:
    """What a dict says of a query: its text, a record with its text, or what is relevant to the key."""
    if isinstance(value, str):
        return value
    if isinstance(value, Mapping) and (name := first_of(list(value), QUESTIONS)) and isinstance(value[name], str):
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


class _Read(NamedTuple):
    """Records of whatever holds them, and how each is called."""

    records: list[Mapping[str, Any]]
    position: Position
    where: str = word_for("questions")
    has_names: bool = True
    """Whether fields have names of their own."""

    @property
    def names(self) -> list[str]:
        return list(dict.fromkeys(str(n) for r in self.records for n in r))


def _is_file_of_records(source: Any, columns: Mapping[str, str] | None) -> bool:
    """Whether a file has questions with what is relevant to each, and not judgements row by row."""
    if is_frame(source):
        return _is_asked(open_table(source, "questions").lazy().collect_schema().names(), columns)
    if not isinstance(source, (str, PathLike)) or not path_of(source).is_file():
        return False
    try:
        found = _records(source, columns)
    except InputError:
        return False  # judgements are read, and refused, elsewhere
    return bool(found.records) and _is_asked([str(n) for n in found.records[0]], columns)


def _is_asked(names: Sequence[str], columns: Mapping[str, str] | None) -> bool:
    """Whether there is a field of what is relevant, beside a question."""
    fields = fields_of(names, columns)
    return fields.question is not None and fields.gold is not None


def _unasked(
    source: Any, columns: Mapping[str, str] | None, *, of_gold: bool = False
) -> InputError | ParameterError | None:
    """What a table lacks to be one of questions; None where it has no names, or those of judgements or spans.

    With `of_gold` only what answers may be lacking.
    """
    if not is_frame(source) and not (isinstance(source, (str, PathLike)) and path_of(source).is_file()):
        return None
    try:
        found = _with_names(_records(source, columns))
        if not found.has_names or not found.records:
            return None
        names = found.names
        if are_of_questions(columns):
            refuse_columns(names, columns, found.where)
    except (InputError, ParameterError) as e:
        return e if are_of_questions(columns) else None
    fields = fields_of(names, columns)
    roles = {role_of(n, "spans") for n in names}
    if "start" in roles or (fields.document is not None and roles & {"query_id"}):
        return None
    if (fields.question is not None and fields.gold is not None) or (of_gold and fields.question is None):
        return None
    told = columns if are_of_questions(columns) else None
    return lacking(fields, names, found.records, found.where, told=told)


def _with_names(read: _Read) -> _Read:
    """The same where the first of two columns without known names says what they are: single words above texts."""
    first, *rest = [[str(v) for v in record.values()] for record in read.records[:50]] or [[]]
    if read.has_names or not rest or any(map(has_words, first)) or not any(has_words(v) for r in rest for v in r):
        return read
    if any(not v.replace("_", "").isalpha() for v in first) or len(set(first)) < len(first):
        return read
    below = [dict(zip(first, record.values(), strict=True)) for record in read.records[1:]]
    return read._replace(records=list[Mapping[str, Any]](below), has_names=True)


def _records(source: Any, columns: Mapping[str, str] | None = None) -> _Read:
    """The records of whatever holds them."""
    from rankgauge.data.formats.base import Columns, Keyed, Records
    from rankgauge.data.formats.question_sets import QuestionSet

    def numbered(i: int) -> str:
        return in_record(i + 1)

    if isinstance(source, (list, tuple)) and all(isinstance(x, Mapping) for x in source):
        return _Read(list(source), numbered)
    content = open_table(source, "questions", columns)
    where = content.where
    if isinstance(content, QuestionSet):
        asked = [
            {"id": q, "question": text, "gold": list(dict.fromkeys(e["doc_id"] for e in content.rows[q]))}
            for q, text in content.queries.items()
        ]
        return _Read(list[Mapping[str, Any]](asked), numbered, where)
    if isinstance(content, Keyed):
        rows = content.rows.items()
        keyed = [{"id": key, **(row if isinstance(row, Mapping) else {"text": row})} for key, row in rows]
        return _Read(list[Mapping[str, Any]](keyed), numbered, where, has_names=False)
    assert isinstance(content, (Columns, Records))
    position: Position
    found: list[Mapping[str, Any]]
    if isinstance(content, Records):
        each = [(place, record) for place, record in content.each() if isinstance(record, Mapping)]
        found, position = [record for _, record in each], lambda i: each[i][0]()
    else:
        found, position = list(content.read().to_dicts()), content.position or numbered
    if not content.has_header and len(content.names) == 2:  # id and text, as MS MARCO has them
        found = [dict(zip(("id", "text"), record.values(), strict=True)) for record in found]
    return _Read(found, position, where, has_names=content.has_header)


def _of_records(
    read: _Read, columns: Mapping[str, str] | None = None, objects: GoldObjects | None = None
) -> tuple[dict[str, str], dict[str, dict[Any, Any]]]:
    """Texts by id, and what is relevant; a question in several records has all that they say.

    `objects` reads what is relevant, where that is asked for.
    """
    with_gold = objects is not None
    names = read.names
    if are_of_questions(columns):
        refuse_columns(names, columns, read.where)
    fields = fields_of(names, columns)
    if fields.question is None or (with_gold and fields.gold is None):
        raise lacking(fields, names, read.records, read.where, told=columns, with_gold=with_gold)
    texts: dict[str, str] = {}
    relevant: dict[str, dict[Any, Any]] = {}
    for i, key, text in asked_in(read.records, fields, read.position, read.where):
        texts[key] = text
        if objects is not None and fields.gold is not None:
            value, place = read.records[i].get(fields.gold), read.position(i)
            found = _graded(needs_in(value, fields.gold, place, read.where), objects)
            if None in found:
                raise strange(value, fields.gold, place, read.where)
            relevant.setdefault(key, {}).update(found)
    return texts, relevant


def _graded(needs: Iterable[Sequence[Any]], objects: GoldObjects) -> dict[Any, float]:
    """Ids with their grades; any of several alternatives is relevant. None stands for what has no id."""
    out: dict[Any, float] = {}
    for x in (x for alternatives in needs for x in alternatives):
        if isinstance(x, Mapping):
            name, grade = objects.graded(x) or (None, None)
        else:
            name, grade = x[0] if isinstance(x, (list, tuple)) else x, None
        out[name] = 1 if grade is None else grade
    return out
