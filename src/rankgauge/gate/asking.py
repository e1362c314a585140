"""A live retriever in the place of a run: which questions it is asked, and what it gave."""

from __future__ import annotations

from os import PathLike
from typing import Any, cast

from rankgauge._piped import path_of
from rankgauge._text import Text
from rankgauge.collection import collect
from rankgauge.collection.answering import refuse_unasked
from rankgauge.collection.collecting import DEFAULT_K, CollectOptions
from rankgauge.collection.named import retriever_named
from rankgauge.collection.pieces import reader_for
from rankgauge.data import Qrels, Run
from rankgauge.data.chunks import Chunks
from rankgauge.data.placed import judged_where, pieces_by_columns, pieces_by_ids
from rankgauge.data.questions import judged_by
from rankgauge.data.spans import Spans
from rankgauge.data.table import stem
from rankgauge.data.together import holds_both
from rankgauge.errors import ParameterError
from rankgauge.evaluation.rankings.record import RankingEvaluation
from rankgauge.gate.config import Gate
from rankgauge.gate.stored import stored_evaluation
from rankgauge.integrations.retrievers import recognised

__all__ = [
    "asked",
    "gold_for",
    "is_live",
    "questions_for",
    "refuse_without_retriever",
    "refuse_without_spans",
    "retriever_or",
]


def is_live(run: Any) -> bool:
    """Whether it is asked for its lists, and has none yet."""
    return recognised(run) is not None


def retriever_or(gate: Gate, run: Any) -> Any:
    """The retriever that the gate names, else the run as it was given."""
    return run if gate.retriever is None else retriever_named(gate.retriever)


def questions_for(gate: Gate, qrels: Any) -> tuple[Qrels | Spans, dict[str, str]]:
    """What answers each question, and what is asked: spans where the questions quote it or say where it stands."""
    options = {name: x for name in ("reach", "not_found") if (x := getattr(gate, name)) is not None}
    return judged_by(qrels, gate.documents, gate.queries, gate.columns or None, by=gate.by, **options)


def gold_for(gate: Gate, qrels: Any, run: Any, baseline: Any, needed: str) -> tuple[Any, Any, Any]:
    """What recorded runs are judged by, the run and the baseline: spans and pieces where gold and runs say where they
    stand, or where the gate says so."""
    is_listed = baseline is not None and not isinstance(baseline, RankingEvaluation) and not _is_stored(baseline)
    options = {name: x for name in ("reach", "not_found", "documents") if (x := getattr(gate, name)) is not None}
    by = "spans" if gate.by is None and gate.chunks is not None else gate.by
    columns = gate.columns or None
    if run is None:
        both = {"run": qrels, "baseline": baseline} if is_listed and holds_both(baseline) else qrels
        how: dict[str, Any] = {"needed": needed, "columns": columns, "chunks": gate.chunks, **options}
        found, pieces = judged_where(both, None, by, **how)
        if not isinstance(found, Spans):
            return qrels, run, baseline
        if isinstance(pieces, Chunks):
            return found, pieces, _as_pieces(gate, baseline, found) if is_listed else baseline
        for name, source in (("run", qrels), ("baseline", baseline)):
            if isinstance(source, (str, PathLike)):
                pieces[name].name = stem(path_of(source))
        return found, pieces["run"], pieces["baseline"]
    lists = {"run": run, "baseline": baseline} if is_listed else {"run": run}
    found, _ = judged_where(qrels, lists, by, needed=needed, columns=columns, **options)
    if isinstance(found, Spans):
        run = _as_pieces(gate, run, found)
        baseline = _as_pieces(gate, baseline, found) if is_listed else baseline
    return found, run, baseline


def _as_pieces(gate: Gate, run: Any, spans: Spans) -> Any:
    """A recorded run as pieces of documents, where it has to be told what it holds."""
    if gate.chunks is None:
        return pieces_by_columns(run, spans, gate.columns or None)
    return pieces_by_ids(run, gate.chunks, spans, gate.columns or None)


def _is_stored(baseline: Any) -> bool:
    """Whether this is an evaluation that was stored, which has no lists to be read."""
    return isinstance(baseline, (str, PathLike)) and stored_evaluation(baseline) is not None


def asked(gate: Gate, gold: Qrels | Spans, texts: dict[str, str], retriever: Any, name: str = "") -> Run | Chunks:
    """What the retriever finds for every question, with times and failures."""
    how = dict(gate.how)
    inside = reader_for(gold) if gate.chunks is None else None
    run = collect(texts, retriever, gate.k or DEFAULT_K, name=name, **{"documents": inside, **how})
    if gate.chunks is None:
        return run
    return Chunks(run, chunks=gate.chunks, documents=gate.documents, name=run.name)


def refuse_without_retriever(gate: Gate) -> None:
    """Raise where something is said of asking, and nothing is asked."""
    refuse_unasked(gate.k, gate.queries, cast("CollectOptions", gate.how) or None)


def refuse_without_spans(gate: Gate, gold: Any) -> None:
    """Raise where something is said of spans, and none were made of the questions."""
    if gate.chunks is not None and not isinstance(gold, Spans):
        raise ParameterError(
            Text(
                "`chunks` says where in documents chunks are, and these are judged by ids. Leave it out, or take "
                "by='spans'.",
                "`chunks` 用于说明文本块在文档中的位置，而这里按 id 评判。请去掉，或使用 by='spans'。",
            )
        )
    made = isinstance(gold, Spans) and not isinstance(gate.qrels, Spans)
    said = [name for name in ("reach", "not_found") if getattr(gate, name) is not None]
    if said and not made:
        raise ParameterError(
            Text(
                f"`{said[0]}` is for questions that quote what answers them, or say where it stands. These are judged "
                "by ids, or are spans already. Leave it out.",
                f"`{said[0]}` 用于引用了答案原文或给出了偏移的问题。这里按 id 评判，或已经是片段。请去掉。",
            )
        )
