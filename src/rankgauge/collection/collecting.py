"""Queries + a live retriever → a run with timings: every query asked, every answer kept, every failure counted."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import replace
from itertools import pairwise
from os import PathLike
from pathlib import Path
from typing import Any, TypedDict

from rankgauge._checks import number, whole
from rankgauge._progress import rows_bar
from rankgauge._show import show
from rankgauge._text import Text
from rankgauge._version import __version__
from rankgauge.collection.asking import ask_all
from rankgauge.collection.attempts import Answer, Plan
from rankgauge.collection.journal import Journal
from rankgauge.collection.pieces import PieceReader
from rankgauge.collection.results import IdOf
from rankgauge.data.collected import FAILED, SPENT, Collected
from rankgauge.data.locating import Documents
from rankgauge.data.questions import queries_of
from rankgauge.data.run import Run
from rankgauge.data.spans import Spans
from rankgauge.errors import ParameterError
from rankgauge.integrations.retrievers import Query, Retriever, origin_of, recognised

__all__ = ["DEFAULT_K", "CollectOptions", "collect"]

DEFAULT_K = 20
ASKING = Text("asking", "正在询问")


class AskOptions(TypedDict, total=False):
    """How a retriever is asked: the keywords of `collect` but for the documents."""

    id: IdOf
    concurrency: int
    timeout: float | None
    retries: int
    warm_up: int
    rate: float | None
    resume: str | PathLike[str] | None
    progress: bool | None


class CollectOptions(AskOptions, total=False):
    """The keywords of `collect`, for whoever passes them on."""

    documents: Any


def collect(
    queries: Any,
    retriever: Any,
    k: int = DEFAULT_K,
    *,
    id: IdOf = None,
    concurrency: int = 1,
    timeout: float | None = None,
    retries: int = 0,
    warm_up: int = 0,
    rate: float | None = None,
    resume: str | PathLike[str] | None = None,
    progress: bool | None = None,
    documents: Any = None,
    name: str = "",
) -> Run:
    """What does the retriever find for these queries, and how long does it take?

    `queries` are texts, texts by id, questions with what is relevant to them, a table or file of these, a BEIR folder.
    `retriever` is a function `query → results` (ids, `(id, score)` pairs, documents, a dict), synchronous or not, or a
    retriever of LangChain, LlamaIndex, Haystack, PyTerrier, Pyserini, a model with its corpus, a client of
    Elasticsearch or OpenSearch; docs/retrievers.md has them all.

    >>> run = collect(["red shoes", "boots"], lambda query: ["d1", "d2"] if "red" in query else [])
    >>> run.to_dict()
    {'red shoes': {'d1': 2.0, 'd2': 1.0}, 'boots': {}}
    >>> run.collected.outcomes
    ('ok', 'empty')

    The first `k` results count, in the order in which they come. `id` says where the id of a document is: a key of its
    metadata, `"text"`, or a function. Up to `concurrency` queries are asked at a time, in threads or as tasks of an
    event loop; a call may take `timeout` seconds, is tried `retries` times more where it fails, and starts at most
    `rate` times per second. `warm_up` queries are asked before anything counts.

    Failures and time-outs are empty lists, and `run.collected` counts them: it has start, seconds, attempts and outcome
    of every query. `resume` names a file to which each answer is added when it is there; called again with it, only
    what is missing is asked; with `retries`, what failed as well.

    With `documents` (texts by id) results are pieces of them: document and offsets, or text to be located; `rg.Spans`
    bring theirs. The run then goes where `rg.Chunks` goes; docs/rag.md tells of it.
    """
    found = retriever_of(retriever, name)
    if documents is None and isinstance(queries, Spans):  # what is retrieved is held against their documents
        documents = PieceReader(queries.documents)
    plan = Plan(
        k=whole("k", k),
        concurrency=whole("concurrency", concurrency, at_most=10_000),
        timeout=number("timeout", timeout, above=0, optional=True),
        retries=whole("retries", retries, at_least=0),
        rate=number("rate", rate, above=0, optional=True),
        id=_id_of(id),
        pieces=_pieces_of(documents),
    )
    whole("warm_up", warm_up, at_least=0)
    texts = queries_of(queries)
    begun = time.time()
    journal = None
    if resume is not None:
        where = getattr(id, "__name__", "function") if callable(id) else id
        journal = Journal(
            Path(resume), found.name, plan.k, where, begun, pieces=plan.pieces is not None, source=origin_of(retriever)
        )
    answers = {} if journal is None else journal.known(texts)
    if plan.retries:  # failures that the file has are asked again, as those of this session are
        answers = {q: a for q, a in answers.items() if a.outcome not in FAILED}
    left = [Query(q, text) for q, text in texts.items() if q not in answers]
    if left:
        with (
            rows_bar(found.name, len(left), progress) as advance,
            nullcontext(_nothing) if journal is None else journal.writing() as write,
        ):
            ask_all(found, left[:warm_up], plan, _nothing)

            def taken(answer: Answer) -> None:
                write(answer)
                answers[answer.query.id] = answer
                advance(ASKING, 1)

            ask_all(found, left, plan, taken)
    sessions = tuple(dict.fromkeys((*(() if journal is None else journal.sessions), begun)))
    return run_of([answers[q] for q in texts], found.name, plan, sessions, name)


def _nothing(answer: Answer) -> None:
    """What is done with answers that go to no file, or do not count."""


def _id_of(id: IdOf) -> IdOf:
    if id is None or isinstance(id, str) or callable(id):
        return id
    raise ParameterError(
        Text(
            f"`id` must be a key of metadata, 'text', a function or None, got {show(id)}.",
            f"`id` 必须是元数据的键、'text'、函数或 None，实际为 {show(id)}。",
        )
    )


def _pieces_of(documents: Any) -> PieceReader | None:
    """Who reads results as pieces of these documents; a reader of pieces may know of none."""
    if documents is None or isinstance(documents, PieceReader):
        return documents
    return PieceReader(Documents.of(documents))


def retriever_of(given: Any, name: str = "") -> Retriever:
    """The retriever that was given, under this name; an error says what can be one."""
    found = recognised(given)
    if found is None:
        raise ParameterError(
            Text(
                "a retriever must be a function query → results, a retriever of LangChain, LlamaIndex, Haystack, "
                "PyTerrier or Pyserini, `(model, corpus)`, or `(client, index)` of Elasticsearch or OpenSearch, got "
                f"{type(given).__name__}. Pass a function that asks it: `lambda query: …`",
                "检索器必须是函数（`query → 结果`），LangChain、LlamaIndex、Haystack、PyTerrier 或 Pyserini 的检索器，"
                f"`(model, corpus)`，或 Elasticsearch、OpenSearch 的 `(client, index)`，实际为 {type(given).__name__}。"
                "请传入调用它的函数：`lambda query: …`",
            )
        )
    return replace(found, name=name) if name else found


def run_of(answers: Sequence[Answer], name: str, plan: Plan, sessions: tuple[float, ...], called: str = "") -> Run:
    """The lists of all queries, with how they came about."""
    lists = {a.query.id: _scored(a) for a in answers}
    run = Run.from_dict(lists, name=called or name)
    if plan.pieces is not None:
        run.pieces = {a.query.id: [part.entry for part in a.list.parts or ()] for a in answers}
    stages = dict.fromkeys(stage for a in answers for stage in a.list.stages)
    spent = [what for what in SPENT if any(what in a.list.spent for a in answers)]
    odd: Counter[str] = Counter()
    for a in answers:
        odd.update(a.list.odd)
    run.collected = Collected(
        retriever=name,
        k=plan.k,
        concurrency=plan.concurrency,
        query_ids=tuple(a.query.id for a in answers),
        outcomes=tuple(a.outcome for a in answers),
        starts=tuple(a.start for a in answers),
        seconds=tuple(a.seconds for a in answers),
        attempts=tuple(a.attempts for a in answers),
        pauses=tuple(a.paused for a in answers) if any(a.paused for a in answers) else (),
        errors=tuple(a.error for a in answers),
        results=tuple(len(a.list.ids) for a in answers),
        repeated=sum(run.dropped.values()),
        odd=dict(odd),
        stages={stage: tuple(a.list.stages.get(stage, float("nan")) for a in answers) for stage in stages},
        spent={what: tuple(a.list.spent.get(what, float("nan")) for a in answers) for what in spent},
        calls=tuple(tuple(a.list.calls or ()) for a in answers) if any(a.list.calls for a in answers) else (),
        sessions=sessions,
        version=__version__,
    )
    run.notes = (*run.notes, *run.collected.remarks)
    return run


def _scored(a: Answer) -> Any:
    """Scores by id, or pairs where an item repeats; places stand for scores that do not tell the order of results."""
    ids, n, scores = a.list.ids, len(a.list.ids), a.list.scores
    if scores is None or any(above <= below for above, below in pairwise(scores)):
        scores = [float(n - i) for i in range(n)]
    pairs = list(zip(ids, scores, strict=True))
    found = dict(pairs)
    return found if len(found) == n else pairs
