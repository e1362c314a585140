"""Whether gold and results say where in documents they stand, so that spans are compared and not ids of documents.

    gold: doc_id, start, end        results: doc_id, start, end        spans
    gold: quoted texts              results: doc_id, start, end        spans, where the documents are given
    both in one, each with doc_id, start, end                          spans
    gold: doc_id, start, end        results: doc_id                    ids: nothing is known of their places

What a measure means must not depend on which others are asked for, so that this is decided by the input, or by `by`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import islice
from os import PathLike
from typing import TYPE_CHECKING, Any, NamedTuple, Unpack

from rankgauge._checks import one_of
from rankgauge._piped import passes_by, path_of
from rankgauge._records import Record
from rankgauge._show import show, show_all
from rankgauge._text import Text
from rankgauge.data.both_sides import WHOLE_TEXTS, BothSides
from rankgauge.data.choosing import is_spark
from rankgauge.data.clean_trec import is_trec
from rankgauge.data.columns import fold, role_of
from rankgauge.data.frames import is_frame
from rankgauge.data.locating import Documents
from rankgauge.data.many_runs import several
from rankgauge.data.spans import SpanOptions, Spans
from rankgauge.data.table import Table, stem
from rankgauge.data.together import both_of, by_name
from rankgauge.errors import InputError, ParameterError, RankgaugeError

if TYPE_CHECKING:
    from rankgauge.data.chunks import Chunks

__all__ = ["by_ids_told", "judged_where", "pieces_by_columns", "pieces_by_ids", "say_where"]

_MOST = 200
"""Records that are looked at: those of a file are alike."""
_BY_SPANS = Text(
    "judged by spans: gold and results say where they stand in documents (by='ids' compares ids of documents)",
    "按片段评判：标准答案和结果都给出了在文档中的位置（by='ids' 则只比较文档 id）",
)
_OTHERWISE = Text("by='ids' to compare ids of documents.", "by='ids' 按文档 id 比较。")


def judged_where(
    qrels: Any,
    run: Any,
    by: str | None = None,
    *,
    needed: str = "",
    asks: Callable[[Any], bool] = lambda run: False,
    chunks: Any = None,
    **options: Unpack[SpanOptions],
) -> tuple[Any, Any]:
    """Judgements and runs as they are, or the judgements as spans: where `by` says so, a measure needs them, or both
    sides have places. What holds both sides is then taken apart, into spans and pieces.

    `needed` names that measure, `asks` says whether a run is a live retriever, whose results are read as the gold is,
    `chunks` where the chunks are whose ids such data hold; options are those of `rg.Spans`. What can be read once only
    is looked at here and read elsewhere, and must have been taken in.
    """
    by = None if by is None else one_of("by", by, ("spans", "ids"))
    if isinstance(qrels, Spans):
        if by == "ids":
            raise ParameterError(
                Text(
                    "by='ids' compares ids of documents, and gold is spans. Pass judgements of documents, or leave it "
                    "out.",
                    "by='ids' 比较的是文档 id，而标准答案是片段。请传入文档的标注，或去掉它。",
                )
            )
        return qrels, run
    if by == "ids" and needed:
        raise ParameterError(
            Text(
                f"{needed} is about spans of documents, and by='ids' compares ids. Leave one of them out.",
                f"{needed} 说的是文档中的片段，而 by='ids' 比较的是文档 id。请去掉其中一个。",
            )
        )
    documents, columns = options.get("documents"), options.get("columns")
    is_told = by == "spans" or bool(needed and by is None and documents is not None)
    if by == "ids":
        return qrels, run
    if run is None and (systems := _systems(qrels, columns)) is not None:
        if not is_told and not _all_placed(systems, documents):
            return qrels, None
        found, run = _apart(systems, chunks, options)
    elif is_told or _say_both(qrels, run, documents, columns, asks):
        from rankgauge.data.questions import spans_of

        found = spans_of(qrels, **options)
    else:
        return qrels, run
    if by is None and not needed:
        found.notes = (_BY_SPANS, *found.notes)
    return found, run


# both sides in one


class _System(NamedTuple):
    """What one system retrieved, with what is relevant."""

    name: str
    of: str
    """How its judgements are called."""
    both: BothSides


def _systems(qrels: Any, columns: Mapping[str, str] | None) -> dict[str, _System] | None:
    """What holds both sides, by name; one without a name is alone. None for anything else."""
    if isinstance(qrels, (Table, Record)) or is_spark(qrels):
        return None
    named = by_name(qrels)
    out: dict[str, _System] = {}
    for name, source in {"": qrels}.items() if named is None else named.items():
        both = both_of(source, columns)
        if both is None:
            return None
        path = path_of(source) if isinstance(source, (str, PathLike)) else None
        own = "run" if path is None else stem(path)
        out[name] = _System(name or own, "spans" if path is None else path.name, both)
    return out


def _all_placed(systems: Mapping[str, _System], documents: Any) -> bool:
    """Whether every system says on both sides where in documents things stand."""
    known = None if documents is None else Documents.of(documents)

    def is_placed(both: BothSides) -> bool:
        return _in_lists(both.relevant.values(), "spans", known) and _in_lists(both.retrieved.values(), "pieces", known)

    return _none_or_all({name: is_placed(x.both) for name, x in systems.items()})


def _apart(systems: Mapping[str, _System], chunks: Any, options: SpanOptions) -> tuple[Spans, Any]:
    """Spans and pieces; the spans of all systems must be the same."""
    from rankgauge.data.chunks import Chunks

    documents = options.get("documents")
    if documents is not None:
        options = {**options, "documents": Documents.of(documents)}
    rest: SpanOptions = {k: v for k, v in options.items() if k != "columns"}  # type: ignore[assignment]
    gold: Spans | None = None
    runs: dict[str, Chunks] = {}
    for name, system in systems.items():
        named: SpanOptions = {**rest, "name": system.of}
        spans = Spans(system.both.relevant, **named)
        if gold is None:
            gold, first = spans, system.name
            gold.notes = (*(n for n in system.both.notes if n is not WHOLE_TEXTS), *gold.notes)
        elif spans.fingerprint() != gold.fingerprint():
            raise InputError(_other_gold(first, gold, system.name, spans))
        runs[name] = Chunks(system.both.retrieved, chunks=chunks, documents=spans.documents, name=system.name)
    assert gold is not None
    return gold, runs[""] if set(runs) == {""} else runs


def _other_gold(first: str, a: Spans, second: str, b: Spans) -> Text:
    query = next(q for q in [*a.needs, *b.needs] if a.needs.get(q) != b.needs.get(q))
    return Text(
        f"{show(first)} and {show(second)} must hold the same gold: they differ in query {show(query)}.",
        f"{show(first)} 与 {show(second)} 的标准答案必须相同：查询 {show(query)} 不同。",
    )


@contextmanager
def by_ids_told(spans: Spans) -> Iterator[None]:
    """Errors about what spans cannot have say how ids are compared, where nobody asked for spans."""
    try:
        yield
    except ParameterError as e:
        if _BY_SPANS not in spans.notes:
            raise
        raise ParameterError(e.text + Text(" Or pass ", "或传入 ") + _OTHERWISE) from None


def pieces_by_ids(
    source: Any, chunks: Any, spans: Spans, columns: Mapping[str, str] | None = None, name: str = ""
) -> Chunks:
    """A run of any format that ranks ids of chunks, as pieces of documents; `chunks` says where these are."""
    from rankgauge.data.chunks import Chunks
    from rankgauge.data.run import Run

    if isinstance(source, Chunks):
        return source
    run = Run.of(source, name=name, columns=columns)
    return Chunks(run, chunks=chunks, documents=spans.documents, name=run.name)


def pieces_by_columns(run: Any, spans: Spans, columns: Mapping[str, str] | None) -> Any:
    """Runs as pieces of documents, where it had to be told which of their columns is which."""
    from rankgauge.data.chunks import Chunks

    if not columns:
        return run

    def read(source: Any, name: str = "") -> Any:
        if isinstance(source, (str, PathLike)) or is_frame(source):
            return Chunks(source, documents=spans.documents, columns=columns, name=name)
        return source

    runs = several(run)
    return read(run) if runs is None else {name: read(source, name) for name, source in runs.items()}


def _say_both(
    qrels: Any, run: Any, documents: Any, columns: Mapping[str, str] | None, asks: Callable[[Any], bool]
) -> bool:
    """Whether gold and all results say where they stand."""
    if run is None or run is qrels or isinstance(qrels, Table) or is_spark(qrels) or is_spark(run):
        return False
    if say_where(qrels, "spans", columns):
        return asks(run) or _all_say(run, columns, with_texts=documents is not None)
    if documents is None or not (asks(run) or _all_say(run, columns, with_texts=True)):
        return False
    return say_where(qrels, "spans", columns, Documents.of(documents))


def _all_say(run: Any, columns: Mapping[str, str] | None, *, with_texts: bool) -> bool:
    """Whether every system has places."""
    known: Any = {} if with_texts else None
    runs = several(run)
    if runs is None:
        return say_where(run, "pieces", columns, known)
    return _none_or_all({name: say_where(source, "pieces", columns, known) for name, source in runs.items()})


def _none_or_all(said: Mapping[str, bool]) -> bool:
    """Whether all systems have places; some of them are none to be compared."""
    if any(said.values()) and not all(said.values()):
        without = show_all([name for name, is_said in said.items() if not is_said][:5])
        raise InputError(
            Text(
                f"gold and some of the runs say where in documents they stand, others do not: {without}. Give start "
                "and end in all of them, or pass by='ids' to compare ids of documents.",
                f"标准答案和部分 run 给出了在文档中的位置，其余的没有：{without}。请在所有 run 中给出 start 和 end，"
                "或传入 by='ids' 按文档 id 比较。",
            )
        )
    return bool(said) and all(said.values())


def say_where(source: Any, kind: str, columns: Mapping[str, str] | None = None, documents: Any = None) -> bool:
    """Whether gold (`spans`) or results (`pieces`) say where in documents they stand; texts do where these are given.

    >>> say_where({"q": [("d1", 0, 40)]}, "spans"), say_where({"q": ["d1"]}, "spans")
    (True, False)
    """
    if isinstance(source, (str, PathLike)) and (passes_by(source) or is_trec(source)):
        return False  # whoever reads a pipe may not have it again; files of other formats take packages to be opened
    if isinstance(source, Mapping):
        return _in_lists(source.values(), kind, documents)

    from rankgauge.data.any_table import open_table, reading
    from rankgauge.data.chunks import Chunks
    from rankgauge.data.formats.base import Columns, Keyed, Records
    from rankgauge.data.formats.question_sets import QuestionSet
    from rankgauge.data.question_records import EXPECTED, fields_of

    if isinstance(source, (Spans, Chunks)):
        return True
    if isinstance(source, Table):
        return getattr(source, "pieces", None) is not None
    is_read = isinstance(source, (str, PathLike)) or is_frame(source)
    if not is_read and not (isinstance(source, (list, tuple)) and source and isinstance(source[0], Mapping)):
        return False
    try:
        content = open_table(source, kind, columns)
        if isinstance(content, QuestionSet):
            return _in_lists(content.rows.values(), kind, documents)
        if isinstance(content, Keyed):
            return _in_lists(content.rows.values(), kind, documents)
        if isinstance(content, Columns):
            names = content.names
            if _are_placed(_roles(names, kind, columns)):
                return True
            with reading(""):
                records = content.lazy().head(_MOST).collect().to_dicts()
        else:
            assert isinstance(content, Records)
            records = [dict(x) for _, x in islice(content.each(), _MOST) if isinstance(x, Mapping)]
            names = list(dict.fromkeys(str(n) for record in records for n in record))
    except (RankgaugeError, AssertionError):
        return False  # whoever reads it says what is wrong with it
    roles = _roles(names, kind, columns)
    if _are_placed(roles):
        return True
    fields = fields_of(names, columns)
    if kind == "spans" and fields.gold is not None:
        return any(_says(x, kind, documents) for x in _gold_in(records, fields.gold))
    are_expected = all(fold(n) in EXPECTED for n in names if role_of(n, kind) == "text")  # type: ignore[arg-type]
    return documents is not None and _is_text(roles) and not (kind == "spans" and are_expected)


def _gold_in(records: Sequence[Mapping[str, Any]], name: str) -> list[Any]:
    from rankgauge.data.question_records import needs_in

    try:
        return [x for r in records for need in needs_in(r.get(name), name, "", "") for x in need]
    except InputError:
        return []


def _in_lists(lists: Iterable[Any], kind: str, documents: Any) -> bool:
    """Whether entries of lists by query do."""
    some = [x for each in islice(lists, _MOST) if isinstance(each, (list, tuple)) for x in islice(each, _MOST)]
    return any(_says(x, kind, documents) for x in some)


def _says(value: Any, kind: str, documents: Any) -> bool:
    """Whether one thing that answers, or one result, says where it stands."""
    if isinstance(value, Mapping):
        roles = {role_of(str(k), kind) for k, v in value.items() if v is not None}  # type: ignore[arg-type]
        return _are_placed(roles) or (documents is not None and _is_text(roles) and "id" not in value)
    if isinstance(value, (list, tuple)):
        numbers = value[1:3]
        return len(value) in (3, 4) and all(isinstance(x, int) and not isinstance(x, bool) for x in numbers)
    return kind == "spans" and documents is not None and isinstance(value, str) and value not in documents


def _roles(names: Iterable[str], kind: str, columns: Mapping[str, str] | None) -> set[str | None]:
    return {(columns or {}).get(n) or role_of(n, kind) for n in names}  # type: ignore[arg-type]


def _are_placed(roles: set[str | None]) -> bool:
    return {"doc_id", "start"} <= roles and bool(roles & {"end", "text"})


def _is_text(roles: set[str | None]) -> bool:
    """Whether nothing but a text is compared."""
    return "text" in roles and not roles & {"doc_id", "chunk_id"}
