"""A live retriever in the place of a run: which questions it is asked, and what it gave."""

from __future__ import annotations

from os import PathLike
from typing import Any, cast

from rankgauge._text import Text
from rankgauge.collection import collect
from rankgauge.collection.answering import refuse_unasked
from rankgauge.collection.collecting import DEFAULT_K, CollectOptions
from rankgauge.collection.named import retriever_named
from rankgauge.collection.pieces import reader_for
from rankgauge.data import Qrels, Run
from rankgauge.data.chunks import Chunks
from rankgauge.data.placed import judged_where
from rankgauge.data.questions import judged_by
from rankgauge.data.spans import Spans
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


def gold_for(gate: Gate, qrels: Any, run: Any, baseline: Any, needed: str) -> Any:
    """What recorded runs are judged by: spans where gold and runs say where they stand, or where the gate says so."""
    lists = {"run": run}
    if baseline is not None and not isinstance(baseline, RankingEvaluation) and not _is_stored(baseline):
        lists["baseline"] = baseline
    options = {name: x for name in ("reach", "not_found", "documents") if (x := getattr(gate, name)) is not None}
    runs = None if run is None else lists
    return judged_where(qrels, runs, gate.by, needed=needed, columns=gate.columns or None, **options)


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
    if gate.chunks is not None:
        raise ParameterError(
            Text(
                "`chunks` says where the chunks are whose ids a live retriever gives, and a recorded run was given. "
                "Leave it out.",
                "`chunks` 用于说明检索器所返回的文本块 id 的位置，而这里给出的是已有的 run。请去掉。",
            )
        )


def refuse_without_spans(gate: Gate, *, made: bool) -> None:
    """Raise where something is said of spans, and none were made of the questions."""
    said = [name for name in ("reach", "not_found") if getattr(gate, name) is not None]
    if said and not made:
        raise ParameterError(
            Text(
                f"`{said[0]}` is for questions that quote what answers them, or say where it stands. These are judged "
                "by ids, or are spans already. Leave it out.",
                f"`{said[0]}` 用于引用了答案原文或给出了偏移的问题。这里按 id 评判，或已经是片段。请去掉。",
            )
        )
