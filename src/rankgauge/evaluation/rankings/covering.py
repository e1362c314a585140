"""Evaluations of gold that is spans: what the policy may say there, and what a measure must know."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from rankgauge._show import show
from rankgauge._text import Text, zh
from rankgauge.alignment import Alignment
from rankgauge.alignment.aligned import Aligned
from rankgauge.alignment.covered import covered_of
from rankgauge.alignment.shown import untold
from rankgauge.data.budgets import counter_of
from rankgauge.data.catalogue import Catalogue
from rankgauge.data.chunks import Chunks
from rankgauge.data.locating import Documents
from rankgauge.data.run_source import PieceSource
from rankgauge.data.spans import Spans
from rankgauge.errors import InputError, ParameterError
from rankgauge.evaluation.rankings.conventions import Convention
from rankgauge.evaluation.rankings.costing import costed, on_tokens
from rankgauge.evaluation.rankings.fingerprint import of_queries
from rankgauge.evaluation.rankings.measuring import Measured, measured
from rankgauge.evaluation.rankings.naming import Named
from rankgauge.evaluation.rankings.policy import Policy, PolicyWords
from rankgauge.evaluation.rankings.record import RankingEvaluation
from rankgauge.evaluation.rankings.recording import RecordOptions, evaluation_of
from rankgauge.evaluation.rankings.showing import Showing
from rankgauge.evaluation.rankings.suspicion import Suspicion, suspicions_of_calls, suspicions_of_pieces
from rankgauge.evaluation.rankings.too_long import needs_too_long, too_long_by
from rankgauge.measures.shown.base import ShownMeasure, untimed
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
    documents: Documents | None = None
    """Texts of documents, where neither spans nor pieces have them."""
    tokenizer: Any = None

    @classmethod
    def of(
        cls,
        spans: Spans,
        wanted: Sequence[Named],
        rules: Policy,
        said: Policy | None,
        words: PolicyWords,
        conv: Convention,
        documents: Documents | None = None,
        tokenizer: Any = None,
    ) -> Covering:
        """Raises where the policy asks for what spans do not have, or a measure has no meaning there."""
        counter_of(tokenizer)  # an error that says what it must be
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
        return cls(spans, wanted, rules.replace(**_ORDER), documents, tokenizer)  # type: ignore[arg-type]

    def evaluated(self, source: Any, name: str, about: RecordOptions) -> RankingEvaluation:
        """The record of one system."""
        documents = self.documents if self.spans.documents is None else self.spans.documents
        chunks = Chunks.of(source, documents=documents, name=name)
        self._refuse_unknown(chunks)
        self._refuse_nowhere(chunks)
        aligned = costed(covered_of(self.spans, chunks), chunks, documents, self.tokenizer)
        ev = evaluation_of(self._measured(aligned, chunks), self.policy, **about)
        fingerprint: Mapping[str, str] = {
            "queries": of_queries(ev.query_ids),
            "judgements": self.spans.fingerprint(),
        }
        return replace(
            ev,
            run=name or chunks.name,
            qrels=self.spans.name,
            aligned=aligned,
            source=PieceSource(chunks, name=name, documents=documents, tokenizer=self.tokenizer, spans=self.spans),
            counts={**ev.counts, **too_long_by(aligned.alignment, dict(self.wanted))},
            stored_fingerprint=fingerprint,
            suspected=(*suspicions_of_calls(chunks.collected), *_unknown(chunks), *ev.suspected),
            remarks=(
                *dict.fromkeys((*self.spans.notes, *chunks.notes)),  # they may have the same documents
                *on_tokens(self.wanted, self.tokenizer),
                *self._too_low(),
                *self._too_long(aligned.alignment),
                *ev.remarks,
            ),
        )

    def _measured(self, aligned: Aligned, chunks: Chunks) -> Measured:
        """What was measured of the spans, and of the time that a live retriever took."""
        showing = Showing(self.wanted, Catalogue(0), self.policy)
        timed = [m for _, m in self.wanted if isinstance(m, ShownMeasure)]
        found = measured(aligned, showing.others, self.policy)
        if not timed:
            return found
        shown = untold(aligned, chunks.collected)
        if without := untimed(timed, shown):
            raise ParameterError(without)
        return showing.added(found, shown)

    def _refuse_nowhere(self, chunks: Chunks) -> None:
        """Raise where a live retriever gave texts or offsets and not one of them is a piece of the documents."""
        pieces = [piece for each in chunks.lists.values() for piece in each if piece.cost]
        if chunks.collected is None or not pieces or any(piece.doc_id is not None for piece in pieces):
            return
        raise InputError(
            Text(
                f"no result of {show(chunks.collected.retriever)} stands in the documents of the spans. It must give "
                "document, start and end of each piece, or its text. If it gives ids of chunks, pass chunks=…, a table "
                "of chunk_id, doc_id, start, end; in Python to rg.Chunks, with what rg.collect gives.",
                f"{show(chunks.collected.retriever)} 的结果没有一个出现在片段所在的文档中。检索器必须给出每个文本块的"
                "文档、起点和终点，或其文本。若给出的是文本块 id，请传入 chunks=…，表中有 chunk_id、doc_id、start、"
                "end；Python 中连同 rg.collect 的结果一起交给 rg.Chunks。",
            )
        )

    def _too_low(self) -> list[Text]:
        """What is said where needs have grades that are not relevant to a measure: `rel` is 1 unless said."""
        label = next((label for label, m in self.wanted if getattr(m, "rel", None) == 1), None)
        grades = [need.grade for needs in self.spans.needs.values() for need in needs]
        low = sum(grade < 1 for grade in grades)
        if label is None or not low:
            return []
        have = "has a grade below 1 and is" if low == 1 else "have a grade below 1 and are"
        return [
            Text(
                f"{low:,} of {len(grades):,} needs {have} not relevant to {label}, which counts grades from 1 up; "
                "measures of spans such as NeedRecall and SpanRecall count every need",
                f"{len(grades):,} 个信息点中有 {low:,} 个等级低于 1，对 {label} 不算相关（它只计等级不低于 1 的）；"
                "NeedRecall、SpanRecall 等片段指标计入每个信息点",
            )
        ]

    def _too_long(self, a: Alignment) -> list[Text]:
        """What is said where needs cannot be found, for the first pieces together are shorter than they are."""
        of_parts = (SpanMeasure, ShownMeasure)  # and measures of gain: a part of a need counts there
        asked = [(label, m) for label, m in self.wanted if not isinstance(m, of_parts) and not m.by_gain]
        cut = [(m.cutoff, label, m) for label, m in asked if m.cutoff is not None]
        if not cut:
            return []
        k, label, m = max(cut, key=lambda x: x[:2])
        found = needs_too_long(a, m)
        if found is None:
            return []
        are = "need is" if found.of == 1 else "needs are"
        return [
            Text(
                f"{found.n:,} of {found.of:,} {are} longer than the first {k:,} pieces together, so that {label} "
                f"cannot find them: look at SpanRecall@{k}, or ask for less with `reach`",
                f"{found.of:,} 个信息点中有 {found.n:,} 个比前 {k:,} 个文本块加起来还长，{label} 不可能找到它们："
                f"请看 SpanRecall@{k}，或用 `reach` 降低要求",
            )
        ]

    def _refuse_unknown(self, chunks: Chunks) -> None:
        """Raise where a measure asks for all chunks, and only those that were retrieved are known."""
        asking = [label for label, m in self.wanted if isinstance(m, SpanMeasure) and m.by_inventory]
        if asking and chunks.inventory is None:
            raise ParameterError(
                Text(
                    f"{asking[0]} needs all chunks, retrieved or not. Pass chunks=…, a table of them (rg.Chunks takes "
                    "it).",
                    f"{asking[0]} 需要全部文本块，不论是否检索到。请传入 chunks=…，即文本块表（由 rg.Chunks 读取）。",
                )
            )


def _unknown(chunks: Chunks) -> list[Suspicion]:
    """Pieces of documents that nobody gave, where these are many."""
    example = next(iter(chunks.unknown), "")
    return suspicions_of_pieces(sum(chunks.unknown.values()), sum(map(len, chunks.lists.values())), example)
