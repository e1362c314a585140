"""Which texts stand in no document, and what comes nearest to them?

Gold that is quoted, and pieces that are retrieved as texts, are located in the documents (`data/locating.py`). What is
not found counts for nothing: a need that is left out, a piece that covers nothing. Whether that is a fault of the
quotation, of the documents or of `least` is told by the first of them, each with the part of a document that is most
like it:

    likeness = 1 - edits / characters of the text, both without blanks, case and width        Sellers (1980)
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from rankgauge._records import Record
from rankgauge._show import cut
from rankgauge._version import __version__
from rankgauge.data.chunks import Chunks
from rankgauge.data.locating import Documents
from rankgauge.data.run_source import PieceSource
from rankgauge.data.spans import Located, Spans
from rankgauge.evaluation.rankings.record import RankingEvaluation

__all__ = ["NotLocated", "TextNotLocated", "not_located"]

_SHOWN = 200  # characters of a text that are kept


@dataclass(frozen=True, kw_only=True)
class TextNotLocated:
    """A text that was found nowhere, and what is most like it."""

    of: str
    """`gold`, or the name of the run that retrieved it."""
    query_id: str
    text: str
    likeness: float = 0.0
    """Of the part below to the text: 1 is the same; 0 where nothing of it stands anywhere."""
    doc_id: str | None = None
    near: str = ""
    """The part of that document."""


@dataclass(frozen=True, eq=False, kw_only=True)
class NotLocated(Record, kind="not_located", schema=1):
    """Texts that stand in no document: the first of the gold, and of what each run retrieved."""

    texts: Sequence[TextNotLocated]
    counts: dict[str, tuple[int, int]]
    """By `gold` and names of runs: how many texts were not found, of how many that were looked for."""
    version: str = ""

    def csv_rows(self) -> list[dict[str, Any]]:
        """A row per text."""
        names = ("of", "query_id", "text", "likeness", "doc_id", "near")
        return [{name: getattr(text, name) for name in names} for text in self.texts]


def not_located(evaluations: Iterable[RankingEvaluation], most: int = 5) -> NotLocated | None:
    """The first texts of gold and runs that stand in no document, `most` of each; None where all were found.

    >>> from rankgauge.evaluation.of_rankings import evaluate
    >>> gold = Spans([{"query_id": "q", "text": "red shoes"}], documents={"d": "The red shoes."})
    >>> found = not_located([evaluate(gold, {"q": ["The red", "the blue ones"]}, "SpanRecall")])
    >>> found.counts, [(x.query_id, x.text, x.doc_id, round(x.likeness, 2)) for x in found.texts]
    ({'run': (1, 2)}, [('q', 'the blue ones', 'd', 0.45)])
    """
    counts: dict[str, tuple[int, int]] = {}
    texts: list[TextNotLocated] = []
    for ev in evaluations:
        source = ev.source
        if not isinstance(source, PieceSource) or source.spans is None:
            continue
        spans, chunks = source.spans, source.given
        for name, (missing, of) in {"gold": _of_gold(spans), ev.run: _of_pieces(chunks)}.items():
            if missing and name not in counts:
                counts[name] = len(missing), of
                texts += [_with_nearest(name, x, spans.documents) for x in missing[:most]]
    return NotLocated(texts=texts, counts=counts, version=__version__) if counts else None


def _of_gold(spans: Spans) -> tuple[list[Located], int]:
    return [x for x in spans.located if not x.places], len(spans.located)


def _of_pieces(chunks: Chunks) -> tuple[list[Located], int]:
    return list(chunks.not_located), chunks.n_sought


def _with_nearest(of: str, missing: Located, documents: Documents | None) -> TextNotLocated:
    text = cut(missing.text, _SHOWN)
    near = None if documents is None else documents.most_like(missing.text)
    if documents is None or near is None:
        return TextNotLocated(of=of, query_id=missing.query_id, text=text)
    part = documents.texts[near.doc_id][near.start : near.end]
    return TextNotLocated(
        of=of, query_id=missing.query_id, text=text, likeness=near.score, doc_id=near.doc_id, near=cut(part, _SHOWN)
    )
