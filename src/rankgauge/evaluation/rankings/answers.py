"""Were wrong answers wrong because nothing was retrieved, or in spite of what was?

Answers are judged by somebody else; here they meet what was retrieved for them:

                      gold retrieved       gold not retrieved
    answer right      fine                 lucky
    answer wrong      generation           retrieval             at fault

Gold is retrieved where a measure of the query says so: anything relevant among the results (Hit > 0) unless said. The
*lift* is the share of right answers where gold was retrieved, minus that where it was not. Queries without gold are
not part of it, and neither are queries without an answer. Where gold is spans a need counts as retrieved once it is
covered wholly (as far as their `reach` asks), and how many lack a little only is said: the limit decides about these,
and `at_least` moves it. Every query counts once, whatever its weight. Limits of
shares are exact, so that a few answers do not decide what to improve (`statistics/shares.py`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from math import isnan, nan
from typing import TYPE_CHECKING, Any, TypedDict

from rankgauge._checks import number, whole
from rankgauge._claims import claimed, phrase
from rankgauge._numbers import counted, short
from rankgauge._plain_data import damaged
from rankgauge._records import Record
from rankgauge._show import show
from rankgauge._text import Text
from rankgauge._version import __version__
from rankgauge.data.answers import JudgedAnswers, judged_answers
from rankgauge.errors import InputError, ParameterError, UnknownName, among
from rankgauge.evaluation.rankings.by_cutoff import level_of
from rankgauge.evaluation.rankings.ceiling import evaluated_like
from rankgauge.evaluation.rankings.conventions import convention
from rankgauge.evaluation.rankings.notes import counts_said, warnings_of
from rankgauge.evaluation.rankings.record import Column, RankingEvaluation
from rankgauge.evaluation.rankings.suspicion import Suspicion
from rankgauge.measures.base import Measure
from rankgauge.measures.grammar import parse_ranking
from rankgauge.measures.spans.base import SpanMeasure
from rankgauge.statistics.intervals import Interval
from rankgauge.statistics.shares import clopper_pearson, difference_of_shares

if TYPE_CHECKING:
    import polars as pl

__all__ = [
    "CELLS",
    "NEARLY",
    "AnswerLevel",
    "AnswerOptions",
    "AnswerShare",
    "Answers",
    "answers",
    "said_of_missed",
    "said_of_retrieved",
]

CELLS = {(True, True): "fine", (True, False): "lucky", (False, True): "generation", (False, False): "retrieval"}
"""Right or not, retrieved or not: the cell."""

NEARLY = 0.9
"""The share of the text of gold from which on nearly all of it is there."""

_LEVELS = ("none", "below half", "half or more", "all")


@dataclass(frozen=True, kw_only=True)
class AnswerShare:
    """So many of so many answers."""

    n: int
    of: int
    value: float
    """n / of; NaN of none."""
    interval: Interval


@dataclass(frozen=True, kw_only=True)
class AnswerLevel:
    """The answers to queries of which so much gold was retrieved."""

    level: str
    """none, below half, half or more, all: of the gold."""
    right: AnswerShare


@dataclass(frozen=True, eq=False, kw_only=True)
class Answers(Record, kind="answers", schema=1):
    """Answers that are right or not, beside what was retrieved for them.

    `found["retrieval"]` has the share of answers that are wrong without gold (`generation`, `lucky`, `fine` are the
    other cells), `found.lift` what retrieval does to answers, `found.fault` which of the two is to be improved first,
    `found.examples("retrieval")` some queries. `rg.answers` and `ev.answers` make it.
    """

    run: str
    qrels: str
    measure: str
    """What says whether gold was retrieved."""
    at_least: float | None = None
    """The lowest value of it that says so; None: any above 0."""
    recall_measure: str = ""
    """By which the levels are made; empty where the evaluation does not have it."""
    query_ids: Sequence[str] = field(repr=False)
    """Queries with gold and with an answer that was judged."""
    correct: Sequence[bool] = field(repr=False)
    values: Sequence[float] = field(repr=False)
    """Of the measure, for each query."""
    recalls: Sequence[float] = field(repr=False, default=())
    reach: float | None = None
    """Of gold that is spans: the share of a need that must be covered for it to be found. None for other gold."""
    questions: Mapping[str, str] = field(repr=False, default_factory=dict)
    """What was asked, by query, where it is known."""
    texts: Mapping[str, str] = field(repr=False, default_factory=dict)
    """What was answered, by query, where it is known."""
    threshold: float | None = None
    """The lowest grade of an answer that is right; None where answers are right or wrong."""
    confidence_level: float = 0.95
    notes: Sequence[str] = ()
    """What was left out, and what was recognised or repaired in the input."""
    suspicions: Sequence[Suspicion] = ()
    """What casts doubt on what was retrieved."""
    version: str = ""

    # the cells

    @cached_property
    def cells(self) -> tuple[str, ...]:
        """The cell of each query."""
        return tuple(CELLS[right, self.is_retrieved(v)] for right, v in zip(self.correct, self.values, strict=True))

    def is_retrieved(self, value: float) -> bool:
        """Whether this value of the measure says that gold was retrieved."""
        return bool(value > 0 if self.at_least is None else value >= self.at_least)

    @property
    def asks_for(self) -> str:
        """What retrieved comes to: any of the gold, a whole need of it, all of it, or only what the measure says."""
        if self.reach is not None and self.at_least is None and parse_ranking(self.measure).name == "Hit":
            return "whole" if self.reach == 1 else "measure"
        if self.at_least is not None:
            return "all" if self.measure == self.recall_measure and self.at_least == 1 else "measure"
        met = [self.is_retrieved(v) for v in self.values]
        return "any" if not self.recalls or met == [recall > 0 for recall in self.recalls] else "measure"

    def partly(self, cell: str) -> int:
        """How many queries of a cell had part of their gold retrieved, and not all of it."""
        return sum(mine == cell and 0 < r < 1 for mine, r in zip(self.cells, self.recalls, strict=bool(self.recalls)))

    @property
    def nearly(self) -> int:
        """Queries whose gold does not count as retrieved, though nearly all of its text was; 0 of gold by ids."""
        if not self.recall_measure.startswith("SpanRecall"):
            return 0
        pairs = zip(self.values, self.recalls, strict=bool(self.recalls))
        return sum(not self.is_retrieved(v) and r >= NEARLY for v, r in pairs)

    def __getitem__(self, cell: str) -> AnswerShare:
        """The share of a cell among all answers: `found["retrieval"]`."""
        if cell not in CELLS.values():
            raise UnknownName(Text(f"no cell {show(cell)}.", f"没有 {show(cell)}。") + among(cell, CELLS.values()))
        return self._share([cell])

    def _n(self, cells: Sequence[str]) -> int:
        return sum(map(self.cells.count, cells))

    def _share(self, cells: Sequence[str], among: Sequence[str] = tuple(CELLS.values())) -> AnswerShare:
        n, of = self._n(cells), self._n(among)
        ends = clopper_pearson(n, of, self.confidence_level)
        return AnswerShare(n=n, of=of, value=n / of if of else nan, interval=ends)

    @property
    def n(self) -> int:
        return len(self.query_ids)

    @property
    def accuracy(self) -> AnswerShare:
        """Right answers."""
        return self._share(["fine", "lucky"])

    @property
    def retrieved(self) -> AnswerShare:
        """Answers whose gold was retrieved."""
        return self._share(["fine", "generation"])

    @property
    def if_retrieved(self) -> AnswerShare:
        """Right answers among those whose gold was retrieved."""
        return self._share(["fine"], ["fine", "generation"])

    @property
    def if_not(self) -> AnswerShare:
        """Right answers among those whose gold was not retrieved."""
        return self._share(["lucky"], ["lucky", "retrieval"])

    @property
    def wrong_without_gold(self) -> AnswerShare:
        """Wrong answers whose gold was not retrieved (not as much as was asked for), among the wrong ones."""
        return self._share(["retrieval"], ["retrieval", "generation"])

    @property
    def lift(self) -> float:
        """The share of right answers where gold was retrieved, minus that where it was not; NaN without one of them."""
        return self.if_retrieved.value - self.if_not.value

    @property
    def lift_interval(self) -> Interval:
        """Of that difference, by the exact limits of both shares."""
        a, b = self.if_retrieved, self.if_not
        return difference_of_shares(a.n, a.of, b.n, b.of, self.confidence_level)

    @property
    def fault(self) -> str:
        """What most wrong answers surely come from: retrieval or generation; unclear, or none where none is wrong."""
        wrong = self.wrong_without_gold
        if not wrong.of:
            return "none"
        return "retrieval" if wrong.interval.low > 0.5 else "generation" if wrong.interval.high < 0.5 else "unclear"

    @property
    def levels(self) -> list[AnswerLevel]:
        """Right answers by how much of the gold was retrieved; levels without a query are left out."""
        of_query = [_level(recall) for recall in self.recalls]
        out = []
        for level in _LEVELS:
            right = [ok for ok, mine in zip(self.correct, of_query, strict=bool(self.recalls)) if mine == level]
            n, of = sum(right), len(right)
            if of:
                ends = clopper_pearson(n, of, self.confidence_level)
                out.append(AnswerLevel(level=level, right=AnswerShare(n=n, of=of, value=n / of, interval=ends)))
        return out

    def examples(self, cell: str, most: int = 5) -> list[str]:
        """Some queries of a cell, in the order of the evaluation."""
        whole("most", most, at_least=0, caller="examples")
        of = self[cell].n
        return [q for q, mine in zip(self.query_ids, self.cells, strict=True) if mine == cell][: min(most, of)]

    # tables

    def csv_rows(self) -> list[dict[str, Any]]:
        """The rows of `to_frame` as dicts."""
        rows = []
        for (right, found), cell in CELLS.items():
            x = self[cell]
            row = {"cell": cell, "correct": right, "retrieved": found, "n": x.n, "share": x.value}
            rows.append(row | {"low": x.interval.low, "high": x.interval.high})
        return rows

    def to_frame(self) -> pl.DataFrame:
        """A Polars frame, one row per cell."""
        import polars as pl

        return pl.DataFrame(self.csv_rows())

    @cached_property
    def per_query(self) -> pl.DataFrame:
        """A Polars frame, one row per query: right or not, the measure, recall, and the cell."""
        import polars as pl

        columns: dict[str, Any] = {
            "query_id": pl.Series(list(self.query_ids), dtype=pl.String),
            "correct": pl.Series(list(self.correct), dtype=pl.Boolean),
            self.measure: pl.Series(list(self.values), dtype=pl.Float64),
        }
        if self.recalls:
            columns[self.recall_measure] = pl.Series(list(self.recalls), dtype=pl.Float64)
        for name, told in (("question", self.questions), ("answer", self.texts)):
            if told:
                columns[name] = pl.Series([told.get(q) for q in self.query_ids], dtype=pl.String)
        return pl.DataFrame({**columns, "cell": pl.Series(list(self.cells), dtype=pl.String)})

    def _also(self) -> dict[str, Any]:
        """The numbers, for whoever reads the file."""
        from rankgauge._plain_data import plain_of

        low, high = self.lift_interval
        return {
            "cells": plain_of(self.csv_rows()),
            "fault": self.fault,
            "lift": plain_of({"value": self.lift, "low": low, "high": high}),
            "levels": plain_of(self.levels),
        }

    @classmethod
    def _from_plain(cls, data: Any) -> Answers:
        found = super()._from_plain(data)
        found = replace(found, suspicions=[s for s in found.suspicions if s is not None])  # those that are known here
        if not found.query_ids:
            raise damaged("query_ids", Text("expected array of length >= 1", "应为长度至少为 1 的 array"))
        for name in ("correct", "values", *(["recalls"] if found.recalls else [])):
            if len(getattr(found, name)) != len(found.query_ids):
                raise damaged(name, Text("expected one for each query", "每个查询应各有一个"))
        return found


def _level(recall: float) -> str:
    if recall <= 0:
        return "none"
    return "all" if recall >= 1 else "half or more" if recall >= 0.5 else "below half"


class AnswerOptions(TypedDict, total=False):
    """The keywords of `answers`, for whoever passes them on."""

    k: int | None
    at_least: float | None
    threshold: float | None
    columns: Mapping[str, str] | None


def answers(
    ev: RankingEvaluation,
    correct: Any,
    retrieved: str | Measure | None = None,
    *,
    k: int | None = None,
    at_least: float | None = None,
    threshold: float | None = None,
    columns: Mapping[str, str] | None = None,
) -> Answers:
    """Are wrong answers the fault of retrieval or of generation, and what does retrieval do to answers?

    `ev` is the evaluation of what the answers were made from, `correct` says by query whether each answer is right: a
    dict `{query: True}`, a frame, or a file with a column such as `correct`. Grades need `threshold`, the lowest one
    that is right; `columns={"verdict": "correct"}` says which column it is.

    Gold counts as retrieved where anything relevant is among the results of a list, or among the first `k` of them: as
    many as the generator was given. `retrieved` names another measure, and `at_least` its lowest value that will do:
    `retrieved="R@5", at_least=1` asks for all of the gold. Where gold is spans, anything relevant is a need that is
    covered wholly; `at_least=0.9` alone asks for 90% of the text of the gold (SpanRecall).

    >>> from rankgauge.evaluation.of_rankings import evaluate
    >>> ev = evaluate({"q1": ["a"], "q2": ["b"], "q3": ["c"]}, {"q1": ["a"], "q2": ["x"], "q3": ["y", "c"]}, "nDCG@10")
    >>> found = answers(ev, {"q1": True, "q2": False, "q3": False})
    >>> found["retrieval"].n, found["generation"].n, found.examples("fine")
    (1, 1, ['q1'])
    """
    if not isinstance(ev, RankingEvaluation):
        raise ParameterError(
            Text(
                f"answers() needs the evaluation of one ranking, got {type(ev).__name__}.",
                f"answers() 需要单个排序的评测，实际为 {type(ev).__name__}。",
            )
        )
    whole("k", k, optional=True, caller="answers")
    number("at_least", at_least, optional=True, caller="answers")
    number("threshold", threshold, optional=True, caller="answers")
    made, found, recall, seen = _measured(ev, retrieved, k, at_least)
    judged = judged_answers(correct, threshold, columns)
    has_gold = {q: i for i, q in enumerate(ev.query_ids) if found.counted[i] and not isnan(found.values[i])}
    shared = [q for q in ev.query_ids if q in has_gold and q in judged.correct]
    if not shared:
        raise InputError(_nothing_shared(ev, has_gold, judged))
    rows = [has_gold[q] for q in shared]
    told = {name: {q: text[q] for q in shared if q in text} for name, text in _told(judged).items()}
    return Answers(
        run=ev.run,
        qrels=ev.qrels,
        measure=found.label,
        at_least=at_least,
        recall_measure="" if recall is None else recall.label,
        query_ids=shared,
        correct=[judged.correct[q] for q in shared],
        values=[float(found.values[i]) for i in rows],
        recalls=() if recall is None else [float(recall.values[i]) for i in rows],
        reach=_reach(ev),
        threshold=threshold,
        confidence_level=ev.confidence_level,
        notes=list(
            dict.fromkeys(
                (
                    *_notes(ev, has_gold, judged),
                    *_unjudged(made, rows, seen),
                    *judged.notes,
                    *_of_input(made),
                    *ev.remarks,
                )
            )
        ),
        suspicions=ev.suspicions,
        version=__version__,
        **told,
    )


def _told(judged: JudgedAnswers) -> dict[str, Mapping[str, str]]:
    return {"questions": judged.questions, "texts": judged.texts}


def _measured(
    ev: RankingEvaluation, retrieved: str | Measure | None, k: int | None, at_least: float | None
) -> tuple[RankingEvaluation, Column, Column | None, Column | None]:
    """The evaluation, its column that says what was retrieved, recall as deep, and how much of what was looked at
    somebody judged; None where these are not at hand."""
    if retrieved is not None and k is not None:
        raise ParameterError(
            Text(
                f"answers: k is for Hit@k, and {retrieved!s} says itself how deep it looks. Leave one of them out.",
                f"answers：k 用于 Hit@k，而 {retrieved!s} 自己说明了截断位置。请去掉其中之一。",
            )
        )
    ev.refuse_without_queries("answers")
    level = level_of(ev)
    parameters = convention(ev.convention).parameters
    spans = _is_of_spans(ev)
    usual = "SpanRecall" if spans and at_least is not None else "Hit"
    wanted = parse_ranking(usual if retrieved is None else retrieved, parameters)
    if retrieved is None:
        wanted = wanted.replace(k=k) if usual == "SpanRecall" else wanted.replace(k=k, rel=level)
    if wanted.summary not in ("mean", "geometric") or wanted.direction != 1:
        raise ParameterError(
            Text(
                f"answers: {retrieved!s} has no number of each query that says how much was retrieved. Name a measure "
                "such as Hit@10 or R@10.",
                f"answers：{retrieved!s} 没有能说明每个查询检索到多少的数值。请给出 Hit@10 或 R@10 这样的指标。",
            )
        )
    deep = {"k": wanted.cutoff, "budget": getattr(wanted, "budget", None)}
    deep = {name: v for name, v in deep.items() if v is not None}
    if spans:
        recall = parse_ranking("SpanRecall", parameters).replace(**deep)
    else:
        recall = parse_ranking("R", parameters).replace(rel=level, **deep)
    if ev.aligned is None:
        label = str(wanted) if retrieved is None else retrieved
        return ev, ev.column(label), next((c for c in ev.columns if c.measure == recall), None), None
    named = [(str(m), m) for m in dict.fromkeys((wanted, recall))]
    # what has no gold cannot be retrieved, whatever such queries count as elsewhere
    like = replace(ev, policy=replace(ev.policy, no_relevant="skip", average="macro"), weights=None)
    made = evaluated_like(like, ev.aligned, named)
    judged = parse_ranking("Judged").replace(**deep)  # apart: counts of an evaluation are about its measures
    has_judged = not spans and ev.policy.unjudged != "remove"
    seen = evaluated_like(like, ev.aligned, [(str(judged), judged)]).columns[0] if has_judged else None
    return made, made.columns[0], made.columns[-1], seen


def _is_of_spans(ev: RankingEvaluation) -> bool:
    """Whether gold is spans; of stored evaluations, whether a measure of them is there."""
    if ev.aligned is not None:
        return ev.aligned.is_of_spans
    return any(isinstance(c.measure, SpanMeasure) for c in ev.columns)


def _reach(ev: RankingEvaluation) -> float | None:
    covered = None if ev.aligned is None else ev.aligned.alignment.covered
    return None if covered is None else covered.reach


def _nothing_shared(ev: RankingEvaluation, has_gold: Mapping[str, int], judged: JudgedAnswers) -> Text:
    theirs = next(iter((*judged.correct, *judged.unknown)), "")
    if judged.correct and not has_gold.keys():
        return Text(
            f"answers: no query of {ev.qrels} has anything relevant, so that nothing can be retrieved.",
            f"答案：{ev.qrels} 中没有任何查询有相关条目，无从检索。",
        )
    if not judged.correct:
        return Text(
            "answers: none was judged; all values are empty.",
            "答案：没有一个被判断过，取值全部为空。",
        )
    mine = next(iter(has_gold), ev.query_ids[0])
    return Text(
        f"answers: none of the {len(has_gold):,} queries with gold has an answer that was judged. Queries are such as "
        f"{show(mine)}, answers are to {show(theirs)}.",
        f"答案：{len(has_gold):,} 个有相关条目的查询都没有判断过的答案。查询形如 {show(mine)}，"
        f"答案针对 {show(theirs)}。",
    )


def _notes(ev: RankingEvaluation, has_gold: Mapping[str, int], judged: JudgedAnswers) -> list[str]:
    """What was left out, each with its count."""
    known, asked = {*judged.correct, *judged.unknown}, set(ev.query_ids)
    left_out = {
        "answers missing": (
            sum(q not in known for q in has_gold),
            Text("without an answer left out", "没有答案，不计入"),
        ),
        "answers not judged": (
            sum(q in has_gold for q in judged.unknown),
            Text("whose answer nobody judged left out", "的答案未经判断，不计入"),
        ),
        "answers without gold": (
            sum(q in asked and q not in has_gold for q in judged.correct),
            Text("with an answer and without gold left out", "有答案而没有相关条目，不计入"),
        ),
        "answers to others": (
            sum(q not in asked for q in known),
            Text("with an answer that the evaluation does not have left out", "有答案而不在评测中，不计入"),
        ),
    }
    return [
        phrase("{} {}", "{}{}", claimed(counted(n, "query", "个查询"), "count", n, what, ev.run), said)
        for what, (n, said) in left_out.items()
        if n
    ]


def _unjudged(ev: RankingEvaluation, rows: Sequence[int], seen: Column | None) -> list[str]:
    """How many queries show results that nobody judged, which could be gold that nobody knows of."""
    n = 0 if seen is None else sum(bool(seen.counted[i] and seen.values[i] < 1) for i in rows)
    if not n:
        return []
    told = (
        "{} of {} show results that nobody judged, which count as not relevant",
        "{1}中有 {0} 个含有未标注的结果，按不相关计",
    )
    queries = claimed(counted(len(rows), "query", "个查询"), "count", len(rows), "answers", ev.run)
    return [phrase(*told, claimed(f"{n:,}", "count", n, "answers unjudged", ev.run), queries)]


def _of_input(ev: RankingEvaluation) -> tuple[str, ...]:
    """What an evaluation says of its input, in counts."""
    return (*warnings_of(ev), *counts_said(ev))


def said_of_retrieved(found: Answers) -> str:
    """What retrieved means here."""
    if found.at_least is None:
        return Text(f"{found.measure} above 0", f"{found.measure} 大于 0")
    return phrase("{} at least {}", "{} 不低于 {}", found.measure, _limit(found.at_least))


def said_of_missed(found: Answers) -> str:
    """What not retrieved means here."""
    if found.at_least is None:
        return Text(f"{found.measure} 0", f"{found.measure} 为 0")
    return phrase("{} below {}", "{} 低于 {}", found.measure, _limit(found.at_least))


def _limit(least: float) -> str:
    return claimed(short(least), "given", least, "at_least")
