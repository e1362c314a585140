"""The lists of a funnel's stages, each beside the judgements, with judged items numbered alike in all of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from os import PathLike
from typing import Any, NamedTuple

import numpy as np

from rankgauge._claims import phrase
from rankgauge._piped import taken_in
from rankgauge._show import show
from rankgauge._text import Text
from rankgauge.alignment import Alignment, Array
from rankgauge.alignment.aligned import Aligned
from rankgauge.alignment.build import align
from rankgauge.alignment.ties import best_case, truncated, worst_case
from rankgauge.data import Qrels, Run
from rankgauge.data.odd_ids import odd_ids_of
from rankgauge.data.run_source import column_options
from rankgauge.data.table import stem
from rankgauge.data.together import refuse_separate, sides
from rankgauge.errors import InputError
from rankgauge.evaluation.funnel.arguments import Lists
from rankgauge.evaluation.rankings.notes import empty_lists, nan_scores, not_judged, removed_repeats
from rankgauge.evaluation.rankings.policy import Policy

__all__ = ["StageList", "judgements", "opened", "refuse_different_judgements", "stage_list"]


def judgements(qrels: Any, columns: Mapping[str, str] | None) -> Qrels:
    """The judgements, each item judged once."""
    judged = Qrels.of(qrels, **column_options(qrels, columns)).settled()
    if judged.is_mapping and judged.ids == "mixed":  # 7 and "7" become one item before items are numbered
        return judged.with_text_ids()
    return judged


@dataclass(frozen=True, eq=False)
class StageList:
    """One stage against the judgements; only queries with relevant items."""

    name: str
    alignment: Alignment
    rows: Array
    """Which judged items these are, of all queries."""
    missing: Array
    n_judged: int
    notes: Sequence[str]

    def in_order(self, values: Array) -> Array:
        """Values of the alignment's rows in the order of the judgements, which all stages share."""
        a = self.alignment
        out = np.empty_like(values)
        out[a.by_query.spread(a.offsets[:-1]) + a.item] = values
        return out


class Opened(NamedTuple):
    """Lists beside their judgements, and what they were read from."""

    judged: Qrels
    qrels: Any
    """The judgements as they were given."""
    lists: list[StageList]
    depths: dict[str, int]
    """How many results count, for each list that is cut."""
    files: list[str | PathLike[str]]


def opened(who: Lists, qrels: Any, given: Any, cut: Any, rules: Policy, columns: Mapping[str, str] | None) -> Opened:
    """Judgements and several lists, read, ranked and cut."""
    qrels, given = sides(qrels, given, who.caller, columns)
    if given is qrels:  # one list, with its judgements
        qrels = taken_in(qrels)
        given = {stem(qrels) if isinstance(qrels, (str, PathLike)) else "run": qrels}
    runs = who.named(given)
    depths = who.depths(cut, list(runs))
    qrels = taken_in(qrels)
    judged = judgements(qrels, columns)
    lists = [stage_list(judged, qrels, name, source, depths.get(name), rules, columns) for name, source in runs.items()]
    files = [x for x in (qrels, judged.path, *runs.values()) if isinstance(x, (str, PathLike))]
    return Opened(judged, qrels, lists, depths, files)


def stage_list(
    judged: Qrels,
    qrels: Any,
    name: str,
    source: Any,
    depth: int | None,
    rules: Policy,
    columns: Mapping[str, str] | None,
) -> StageList:
    """One stage, read, ranked and cut; `qrels` are the judgements as they were given."""
    run = Run.of(source, name=name, **column_options(source, columns))
    refuse_separate(judged, qrels, run, source)
    aligned = align(judged, run, ties=rules.tie_order, single=rules.is_single)
    a = aligned.alignment
    chosen = a.n_relevant(rules.level) > 0
    rows = a.by_query.rows_of(np.flatnonzero(chosen))
    n_judged = int(np.count_nonzero(a.by_query.lengths))
    a = a.of_queries(chosen)
    if rules.ties in ("best", "worst"):
        a = (best_case if rules.ties == "best" else worst_case)(a)
    if depth is not None:
        a = truncated(a, depth)
    notes = [phrase("{}: {}", "{}：{}", name, note) for note in (*run.notes, *_notes(name, aligned), *odd_ids_of(run))]
    return StageList(name, a, rows, aligned.missing[chosen], n_judged, notes)


def _notes(name: str, aligned: Aligned) -> Iterator[str]:
    """What became of empty lists, of repeats, of scores that are no numbers and of queries without judgements."""
    if n := int(np.count_nonzero((aligned.alignment.retrieved == 0) & ~aligned.missing)):
        yield empty_lists(n, name)
    if n := aligned.duplicates:
        yield removed_repeats(n, int(np.count_nonzero(aligned.repeats)), name)
    if n := aligned.nan_scores:
        yield nan_scores(n, name)
    if n := aligned.extra_queries:
        yield not_judged(n, name)


def refuse_different_judgements(lists: Sequence[StageList], caller: str) -> None:
    """Ids of several types can make one item of two in one stage and not in another."""
    first = lists[0]
    for other in lists[1:]:
        same = list(first.alignment.query_ids) == list(other.alignment.query_ids)
        if not same or not np.array_equal(first.rows, other.rows):
            raise InputError(
                Text(
                    f"{caller}: the judgements read differently beside {show(first.name)} and beside "
                    f"{show(other.name)}; ids must be of one type. Convert all ids to text.",
                    f"{caller}：标注在 {show(first.name)} 和 {show(other.name)} 旁读出的结果不同；id "
                    "必须是同一类型。请把所有 id 转为文本。",
                )
            )
