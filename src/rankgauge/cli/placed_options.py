"""What commands that read judgements and runs share where both say where in documents they stand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from rankgauge._text import Text
from rankgauge.errors import ParameterError

__all__ = ["Sides", "judged_sides", "refuse_beside_records", "refuse_reading_of_spans"]


class Sides(NamedTuple):
    """Judgements and runs as the verbs take them."""

    qrels: Any
    runs: Any
    columns: dict[str, str] | None
    """Those that are still to be read by."""
    documents: Any
    """Texts that are still to be given: spans have theirs."""
    by: str | None
    """What the verbs are told, since it is decided already."""
    is_spans: bool


def judged_sides(
    qrels: Any,
    runs: Any,
    measures: Sequence[str] | None,
    *,
    documents: Any = None,
    columns: dict[str, str] | None = None,
    by: str | None = None,
    reach: float | None = None,
    not_found: str | None = None,
    chunks: Any = None,
) -> Sides:
    """The same, or spans and pieces of documents: as `--by` says, else as the files do."""
    from rankgauge.data.chunks import Chunks
    from rankgauge.data.columns import SharedColumns
    from rankgauge.data.placed import judged_where, pieces_by_ids
    from rankgauge.data.spans import SpanOptions, Spans
    from rankgauge.evaluation.rankings.conventions import convention
    from rankgauge.evaluation.rankings.naming import as_named, asks_for_spans

    told: dict[str, Any] = {"reach": reach, "not_found": not_found}
    options: SpanOptions = {k: v for k, v in told.items() if v is not None}  # type: ignore[assignment]
    if documents is not None:
        options["documents"] = documents
    needed = asks_for_spans(as_named(list(measures), convention(None))) if measures else ""
    shared = SharedColumns(columns) if columns else None
    if chunks is not None and by is None:  # whoever says where chunks are wants spans
        by = "spans"
    if shared is not None:
        options["columns"] = shared
    found, runs = judged_where(qrels, runs, by, needed=needed, chunks=chunks, **options)
    if not isinstance(found, Spans):
        typed = {**told, "chunks": chunks}
        refuse_reading_of_spans([name for name, value in typed.items() if value is not None])
        return Sides(qrels, runs, columns, documents, by if needed else "ids", False)

    def pieces(source: Any, name: str = "") -> Chunks:
        if isinstance(source, Chunks):  # of what holds both sides
            return source
        if chunks is None:
            return Chunks(source, documents=found.documents, columns=shared, name=name)
        return pieces_by_ids(source, chunks, found, shared, name)

    if isinstance(runs, Mapping):
        runs = {name: pieces(path, name) for name, path in runs.items()}
    elif runs is not None:
        runs = pieces(runs)
    if shared is not None:
        shared.refuse_unused()
    return Sides(found, runs, None, None, None, True)


def refuse_beside_records(names: Sequence[str]) -> None:
    """Raise for options that say how files are read, where stored results are."""
    for name in names:
        option = f"--{name.replace('_', '-')}"
        raise ParameterError(
            Text(
                f"{option} says how judgements and runs are read, and stored results are finished. Leave it out.",
                f"{option} 说明标注和结果文件如何读取，而已保存的结果不会再计算。请去掉。",
            )
        )


def refuse_reading_of_spans(names: Sequence[str]) -> None:
    """Raise for options that say nothing of ids."""
    for name in names:
        option = f"--{name.replace('_', '-')}"
        raise ParameterError(
            Text(
                f"{option} is for gold that is spans of documents, and judgements here are ids. Leave it out, or pass "
                "--by spans.",
                f"{option} 用于标准答案是文档片段时，而这里的标注是 id。请去掉，或传入 --by spans。",
            )
        )
