"""Evaluations of gold that is spans: what the policy may say there, and what a measure must know."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from rankgauge._show import show
from rankgauge._text import Text, zh
from rankgauge.alignment.covered import aligned_of, covered_of
from rankgauge.data.chunks import Chunks
from rankgauge.data.spans import Spans
from rankgauge.errors import ParameterError
from rankgauge.evaluation.rankings.conventions import Convention
from rankgauge.evaluation.rankings.fingerprint import of_queries
from rankgauge.evaluation.rankings.naming import Named
from rankgauge.evaluation.rankings.policy import Policy, PolicyWords
from rankgauge.evaluation.rankings.record import RankingEvaluation
from rankgauge.evaluation.rankings.recording import RecordOptions, evaluate_alignment
from rankgauge.measures.spans.base import SpanMeasure

__all__ = ["Covering"]

_ORDER = {"ties": "input", "unjudged": "irrelevant", "duplicates": "keep", "scores": "double"}
"""What holds of spans whatever is said: grades depend on the order, so there is one."""
_WHY = {
    "ties": Text(
        "what a piece adds depends on the pieces above it, so results of equal score are taken in the order given",
        "一个文本块新增多少取决于排在它前面的文本块，因此得分相同的结果按给出的顺序",
    ),
    "unjudged": Text(
        "no piece is unjudged: the spans say what each holds", "没有未标注的文本块：片段说明了每个块含有什么"
    ),
    "duplicates": Text(
        "a piece that is there twice keeps both places: it is paid for twice and adds nothing",
        "重复的文本块保留各自的位置：付两次成本，不新增内容",
    ),
    "scores": Text("pieces are in an order, and their scores are not looked at again", "文本块已有顺序，不再看得分"),
}


@dataclass(frozen=True, eq=False)
class Covering:
    """What was asked of spans, and under which policy."""

    spans: Spans
    wanted: Sequence[Named]
    policy: Policy

    @classmethod
    def of(
        cls,
        spans: Spans,
        wanted: Sequence[Named],
        rules: Policy,
        said: Policy | None,
        words: PolicyWords,
        conv: Convention,
    ) -> Covering:
        """Raises where the policy asks for what spans do not have, or a measure has no meaning there."""
        if conv.name != "rankgauge":
            raise ParameterError(
                Text(
                    f"convention={show(conv.name)} says how another tool reads judged documents, and spans are none. "
                    "Leave it out.",
                    f"convention={show(conv.name)} 说的是其他工具如何处理已标注的文档，而片段不是。请去掉它。",
                )
            )
        for word, value in _ORDER.items():
            told = words.get(word) or (None if said is None else getattr(said, word))
            if told not in (None, value):
                raise ParameterError(
                    Text(
                        f"{word}={show(told)} cannot be had with spans: {_WHY[word]}. Leave it out, or pass "
                        f"{word}={show(value)}.",
                        f"片段标注不能用 {word}={show(told)}：{_WHY[word].zh}。请去掉，或传入 {word}={show(value)}。",
                    )
                )
        for label, m in wanted:
            if why := m.beyond_spans():
                raise ParameterError(
                    Text(
                        f"{label} cannot be computed with spans: {why}. Try nDCG, R, RR, AP or SpanRecall.",
                        f"{label} 不能用片段计算：{zh(why)}。请试试 nDCG、R、RR、AP 或 SpanRecall。",
                    )
                )
        return cls(spans, wanted, rules.replace(**_ORDER))  # type: ignore[arg-type]

    def evaluated(self, source: Any, name: str, about: RecordOptions) -> RankingEvaluation:
        """The record of one system."""
        chunks = Chunks.of(source, documents=self.spans.documents, name=name)
        self._refuse_unknown(chunks)
        aligned = aligned_of(covered_of(self.spans, chunks))
        ev = evaluate_alignment(aligned, self.wanted, self.policy, **about)
        fingerprint: Mapping[str, str] = {
            "queries": of_queries(ev.query_ids),
            "judgements": self.spans.fingerprint(),
        }
        return replace(
            ev,
            run=name or chunks.name,
            qrels=self.spans.name,
            aligned=aligned,
            stored_fingerprint=fingerprint,
            remarks=(*self.spans.notes, *chunks.notes, *ev.remarks),
        )

    def _refuse_unknown(self, chunks: Chunks) -> None:
        """Raise where a measure asks for all chunks, and only those that were retrieved are known."""
        asking = [label for label, m in self.wanted if isinstance(m, SpanMeasure) and m.by_inventory]
        if asking and chunks.inventory is None:
            raise ParameterError(
                Text(
                    f"{asking[0]} needs all chunks, retrieved or not. Pass rg.Chunks(run, chunks=table).",
                    f"{asking[0]} 需要全部文本块，不论是否检索到。请传入 rg.Chunks(run, chunks=table)。",
                )
            )
