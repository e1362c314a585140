"""Kinds of tables, as far as a file must know which of them is expected of it.

Formats ask how many columns there are at least, whether a first line names columns, whether a JSON object on a line of
its own is a row. What columns mean is known to those who read the kind.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, cast

from rankgauge.data.both_sides import SIDES, has_both_names
from rankgauge.data.columns import Kind, fold, may_be, role_of
from rankgauge.data.document_fields import has_known_names, text_fields
from rankgauge.errors import InputError

__all__ = ["Expected", "expected"]


def _any_names(names: Sequence[str]) -> bool:
    return True


def _is_no_table(name: str) -> bool:
    return False


def _any_record(record: Mapping[str, Any]) -> bool:
    return True


def _no_record(record: Mapping[str, Any]) -> bool:
    return False


@dataclass(frozen=True, slots=True)
class Expected:
    """What is expected of a file of this kind."""

    least: int = 2
    """Columns that there are at least."""
    separators: str = "\t,;|"
    has_names: Callable[[Sequence[str]], bool] = _any_names
    """Whether these fields of a first line are names of columns, not values."""
    is_record: Callable[[Mapping[str, Any]], bool] = _any_record
    """Whether an object is one row, rather than one with a row for each of its keys."""
    is_keyed: bool = False
    """Whether a mapping is a row for each of its keys, rather than a list for each column."""
    is_scanned: bool = False
    """Whether files may be larger than memory, so that they are read when rows are asked for."""
    is_one: Callable[[Mapping[str, Any]], bool] = _no_record
    """Whether an object over several lines is one row; rarer, for there keys of their own are usual."""
    stands_alone: Callable[[str], bool] = _is_no_table
    """Whether a column of this name is a table without any beside it."""


def expected(kind: str) -> Expected:
    """What is expected of a kind of table."""
    return _KINDS[kind]


def _known_names(names: Sequence[str], kind: Kind) -> bool:
    """Names that are known: one in a line without numbers, else two."""
    from rankgauge.data.formats.lines import is_number

    known = {role for n in names if (role := may_be(n, kind)) is not None}
    return len(known) >= (1 if not any(map(is_number, names)) else 2)


def _is_ranked(record: Mapping[str, Any], kind: Kind) -> bool:
    """One row, or one query with its items inside."""
    if has_both_names(record):
        return True
    has_query = any(may_be(k, kind) == "query_id" for k in record)
    return has_query and any(may_be(k, kind) == "doc_id" or fold(k) in SIDES[kind] for k in record)


def _is_flat(record: Mapping[str, Any]) -> bool:
    return not any(isinstance(v, list | dict) for v in record.values())


def _names(name: str, role: str) -> bool:
    """Whether it is a name of ids; `book` and `game` are so as well, but in an object they rather are ids."""
    return role_of(name, "run") == role or (may_be(name, "run") == role and fold(name).endswith(_ENDS))


_ENDS = ("id", "idx", "asin", "isbn")


def _is_about_a_query(record: Mapping[str, Any]) -> bool:
    return any(fold(k) == "id" or _names(k, "query_id") for k in record)


def _names_items(name: str) -> bool:
    return fold(name) == "id" or _names(name, "doc_id")


def _is_about_an_item(record: Mapping[str, Any]) -> bool:
    return any(map(_names_items, record))


def _is_interaction(record: Mapping[str, Any]) -> bool:
    found = {role_of(k, "interactions") for k in record}
    return {"user_id", "item_id"} <= found and _is_flat(record)


def _is_text(record: Mapping[str, Any]) -> bool:
    try:
        text_fields(list(record), None, "")
    except InputError:
        return False
    return True


def _ranked(kind: str) -> Expected:
    of = cast("Kind", kind)
    return Expected(2, "\t,;", partial(_known_names, kind=of), partial(_is_ranked, kind=of))


def _names_questions(names: Sequence[str]) -> bool:
    """Names of texts, or of a question or what answers it."""
    from rankgauge.data.question_records import GOLD, QUESTIONS

    return has_known_names(names) or any(fold(n) in (*QUESTIONS, *GOLD) for n in names)


def _is_question(record: Mapping[str, Any]) -> bool:
    """One question with what belongs to it, not an object with a question for each key."""
    from rankgauge.data.question_records import fields_of

    return fields_of([str(name) for name in record]).question is not None


def _is_one_question(record: Mapping[str, Any]) -> bool:
    """One question with what answers it or with its id, by names that an object with a question for each key lacks."""
    from rankgauge.data.question_records import fields_of

    fields = fields_of([str(name) for name in record])
    asked = fields.question or fields.id
    if asked is None or not isinstance(record[asked], (str, int)) or isinstance(record[asked], bool):
        return False
    return fields.gold is not None or fields.is_row_of_squad or (fields.question is not None and fields.id is not None)


def _is_answered(record: Mapping[str, Any]) -> bool:
    """The same, of judgements: what is relevant must be there."""
    from rankgauge.data.question_records import fields_of

    fields = fields_of([str(name) for name in record])
    return _is_one_question(record) and (fields.gold is not None or fields.is_row_of_squad)


def _is_span(record: Mapping[str, Any]) -> bool:
    """One row, or one question with what answers it."""
    from rankgauge.data.question_records import fields_of

    fields = fields_of([str(name) for name in record])
    asked = fields.question or fields.id
    is_answered = fields.gold is not None or fields.is_row_of_squad
    return _is_flat(record) or (is_answered and asked is not None and isinstance(record[asked], str))


_WITH_OFFSETS: tuple[Kind, ...] = ("pieces", "chunks")

_KINDS: dict[str, Expected] = {
    "run": _ranked("run"),
    "qrels": replace(_ranked("qrels"), is_one=_is_answered),
    "predictions": Expected(2, "\t,;", partial(_known_names, kind="predictions"), _is_flat),
    "interactions": Expected(2, "\t,;|", partial(_known_names, kind="interactions"), _is_interaction, is_keyed=True),
    "log": Expected(is_scanned=True),
    "texts": Expected(2, "\t,;", has_known_names, _is_text, is_keyed=True, is_scanned=True),
    "questions": Expected(2, "\t,;", _names_questions, _is_question, is_keyed=True, is_one=_is_one_question),
    "slices": Expected(is_record=_is_about_a_query, is_keyed=True),
    "weights": Expected(is_record=_is_about_a_query, is_keyed=True),
    "answers": Expected(is_record=_is_about_a_query, is_keyed=True),
    "item groups": Expected(is_record=_is_about_an_item, is_keyed=True),
    "items": Expected(is_record=_is_about_an_item, is_keyed=True, stands_alone=_names_items),
    **{kind: Expected(2, "\t,;", partial(_known_names, kind=kind), _is_flat, is_keyed=True) for kind in _WITH_OFFSETS},
    "spans": Expected(2, "\t,;", partial(_known_names, kind="spans"), _is_span, is_keyed=True, is_one=_is_one_question),
    "table": Expected(),
}
