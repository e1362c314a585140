"""What a measure of spans is: a few lines over `Covered`, one value per query.

It is asked where gold is `rg.Spans`: `rg.evaluate(spans, chunks, "SpanRecall@5")`. Means, intervals, slices and paired
tests are those of any measure.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Unpack

import numpy as np

from rankgauge._text import Text
from rankgauge.alignment import Alignment, Array
from rankgauge.alignment.covered import Chunks, Covered, Spans, aligned_of, covered_of
from rankgauge.errors import ParameterError
from rankgauge.measures.base import BUDGET, Measure, divide
from rankgauge.measures.definition import RecordWords, Registry

__all__ = ["SPANS", "SpanCase", "SpanMeasure", "SpanRatio", "measure"]

Place = tuple[str, int, int]


@dataclass(frozen=True)
class SpanCase:
    """A list small enough to check by hand: needs, retrieved pieces, and the arithmetic as a Python expression."""

    needs: Sequence[Place]
    pieces: Sequence[Place]
    sum: str
    chunks: Sequence[Place] | None = None
    """All chunks there are, where the number needs them."""
    params: Mapping[str, Any] = field(default_factory=dict)

    def rows(self) -> list[dict[str, Any]]:
        """What is needed, and what was retrieved, place by place."""
        rows = [{"what": Text("need", "信息点"), "where": _told(x)} for x in self.needs]
        rows += [{"what": Text(f"rank {i}", f"第 {i} 位"), "where": _told(x)} for i, x in enumerate(self.pieces, 1)]
        if self.chunks is not None:
            rows += [{"what": Text("chunk", "文本块"), "where": _told(x)} for x in self.chunks]
        return rows


def _told(place: Place) -> str:
    return f"{place[0]} [{place[1]}, {place[2]})"


class SpanMeasure(Measure):
    """Base of the measures of spans."""

    needs: ClassVar[frozenset[str]] = frozenset({"spans"})
    example: ClassVar[SpanCase | None] = None  # type: ignore[assignment]
    trailing: ClassVar[tuple[str, ...]] = ("budget",)
    of_spans = True
    by_whole_needs = False
    judged_only = False
    by_inventory: ClassVar[bool] = False
    """Whether it asks for all chunks there are."""

    def cover(self, a: Alignment) -> Covered:
        """What an alignment knows of spans."""
        if a.covered is None:
            raise ParameterError(
                Text(
                    f"{self} is about spans of documents, and gold here is ids. It must say where it stands (doc_id, "
                    "start, end: rg.Spans in Python), or quote what answers: then pass documents=…, the texts by id.",
                    f"{self} 说的是文档中的片段，而这里的标准答案是 id。标准答案必须给出位置（doc_id、start、end；"
                    "Python 中为 rg.Spans），或引用原文：此时请传入 documents=…，即按 id 给出的文本。",
                )
            )
        return a.covered

    def per_query(self, a: Alignment) -> Array:
        return self.of_cover(self.cover(a))

    def of_cover(self, c: Covered) -> Array:
        """One value per query."""
        raise NotImplementedError  # pragma: no cover - every measure has its own

    def defined(self, a: Alignment) -> Array:
        return self.cover(a).has_needs if self.relevance else np.ones(a.n_queries, dtype=bool)

    def unbounded(self) -> str | None:
        return Text("it is about spans, of which none is left unjudged", "它看的是片段，其中没有未标注的")

    def of(self, gold: Any, pieces: Any, chunks: Any = None) -> float:  # type: ignore[override]
        """The mean over the queries that it says something of; `chunks` are all there are, by id."""
        c = covered_of(Spans.of(gold), Chunks.of(pieces) if chunks is None else Chunks(pieces, chunks=chunks))
        values = self.values(aligned_of(c).alignment)[c.has_needs if self.relevance else slice(None)]
        return float(values.mean()) if len(values) else float("nan")


class SpanRatio(SpanMeasure):
    """Base of those that are a ratio in each query: pooled for micro averages."""

    def ratio_of(self, c: Covered) -> tuple[Array, Array]:
        """Numerator and denominator per query."""
        raise NotImplementedError  # pragma: no cover - every measure has its own

    def ratio(self, a: Alignment) -> tuple[Array, Array]:
        return self.ratio_of(self.cover(a))

    def of_cover(self, c: Covered) -> Array:
        return divide(*self.ratio_of(c))


SpanMeasure.params = SpanRatio.params = {"budget": BUDGET}  # nothing else is left out of lists


# the registry


class SpanWords(RecordWords, total=False):
    """What the record of a measure of spans may say."""

    example: SpanCase | None
    relevance: bool


SPANS: Registry[SpanMeasure] = Registry(Text("spans", "片段"), SpanMeasure, SpanWords)
"""Every measure of spans."""


def measure(**record: Unpack[SpanWords]) -> Callable[[type[SpanMeasure]], type[SpanMeasure]]:
    """Registers a measure of spans; the words are those of ranking measures."""
    record["needs"] = {"spans", *record.get("needs", ())}
    return SPANS.registering(record)
