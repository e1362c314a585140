"""Judgements: which items are relevant to which query, and how much."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import islice
from os import PathLike
from typing import IO, TYPE_CHECKING, Any, ClassVar, Self, Unpack

import numpy as np

from rankgauge._numbers import short
from rankgauge._piped import taken_in
from rankgauge._show import show
from rankgauge._text import Text, joined, zh
from rankgauge.data._places import about
from rankgauge.data.both_sides import key_of, one_side
from rankgauge.data.mappings import judgements, said_of_forms
from rankgauge.data.table import Table
from rankgauge.errors import InputError, ParameterError

if TYPE_CHECKING:
    import polars as pl

    from rankgauge.data.clean_trec import TrecText
    from rankgauge.data.table import FileOptions, ReadOptions

__all__ = ["Qrels", "read_qrels"]

_NAMED = 4  # contradictions whose lines are looked up: an error shows no more
MOST_MISSING = 0.5  # share of judged queries without results beyond which numbers are those of empty lists
HUGE = 100  # grade from which on gains of 2^grade leave nothing but the highest grade


class Qrels(Table):
    """Judgements, `query → item → grade`.

    >>> Qrels({"q1": {"d1": 2, "d2": 0}}).to_dict()
    {'q1': {'d1': 2, 'd2': 0}}
    >>> Qrels({"q1": ["d1", "d2"], "q2": "d7"}).to_dict()
    {'q1': {'d1': 1, 'd2': 1}, 'q2': {'d7': 1}}
    """

    kind: ClassVar[str] = "qrels"
    value: ClassVar[str] = "grade"

    def __init__(self, given: Any = None, *, grouped: bool | None = None, **options: Any) -> None:
        if given is None:
            self._grouped = grouped  # a part of the judgements may have one heading where the whole has several
        super().__init__(given, **options)

    @classmethod
    def of(cls, obj: Any, *, name: str = "", **options: Unpack[ReadOptions]) -> Self:
        """Judgements from whatever holds them; also from questions under names that only those who ask them know."""
        try:
            return super().of(obj, name=name, **options)
        except (InputError, ParameterError):
            from rankgauge.data.questions import gold_of

            found = gold_of(obj, options.get("columns"))
            if found is None:
                raise
            return cls(found, name=name) if name else cls(found)

    @classmethod
    def from_dict(cls, obj: Mapping[Any, Any], *, name: str = "") -> Self:
        """From a dict of grades, of lists of relevant ids, or of one target id per query."""
        plain, notes, is_half = one_side(obj, cls.kind, name or cls.kind)
        found = judgements(plain, name or cls.kind)
        table = cls(mapping=found, name=name, notes=notes + said_of_forms(cls.kind, plain.values())).filled()
        table.sources = frozenset([key_of(obj)] if is_half else ())
        return table

    @classmethod
    def from_matrix(
        cls,
        values: Any,
        *,
        query_ids: Sequence[Any] | None = None,
        doc_ids: Sequence[Any] | None = None,
        name: str = "",
    ) -> Self:
        """From labels[n_queries, n_items]; NaN means not judged, and so does what a sparse matrix does not store.

        Without ids, queries and items are numbered from 0, as in `Run.from_matrix`.
        """
        from rankgauge.data.matrices import matrix_frame

        found = matrix_frame(values, "grade", query_ids, doc_ids, name or cls.kind)
        return cls(frame=found.frame, name=name, notes=found.notes, shape=found.shape).filled()

    @classmethod
    def _open_text(cls, path: str | PathLike[str]) -> TrecText | None:
        text = super()._open_text(path)
        if text is not None:
            keys = text.keys(slice(None), np.repeat(np.arange(len(text.names)), text.lengths))
            keys.sort()
            if (keys[1:] == keys[:-1]).any():  # judged twice: settled() has to look
                return None
        return text

    def settled(self) -> Qrels:
        """The same judgements, each item judged once: repetitions dropped, contradictions refused."""
        if self._columns is None:  # dicts and clean files cannot repeat themselves
            return self
        import polars as pl

        frame = self.to_frame()
        keys = ["query_id", "doc_id", *(["iteration"] if self.has_groups else [])]
        if frame.select(keys).hash_rows().n_unique() == frame.height:  # distinct hashes: distinct rows
            return self
        repeated = frame.with_row_index("row").filter(pl.struct(keys).is_duplicated())
        once = repeated.unique([*keys, "grade"], keep="first", maintain_order=True)
        clash = once.group_by(keys, maintain_order=True).agg("grade", "row").filter(pl.col("grade").list.len() > 1)
        if not clash.is_empty():
            raise self._contradiction(clash)
        kept = frame.unique(keys, keep="first", maintain_order=True)
        dropped = dict(frame.filter(~pl.struct(keys).is_first_distinct()).group_by("query_id").len().iter_rows())
        return Qrels(frame=kept, name=self.name, notes=self.notes, dropped=dropped, grouped=self._grouped)

    def _contradiction(self, clash: pl.DataFrame) -> InputError:
        """Items with several grades, each with its grades and the rows where they stand."""
        found = list(clash.select("query_id", "doc_id", "grade", "row").iter_rows())
        lines = iter(self.lines_of([row for _, _, _, rows in found[:_NAMED] for row in rows]))
        problems = []
        for q, d, grades, rows in found:
            places = list(islice(lines, len(rows)))
            both = joined(Text(" and ", "和"), places)
            at: str = Text(f" ({both})", f"（{zh(both)}）") if places else ""
            problems.append(
                Text(
                    f"query {show(q)}, {show(d)} has grades {' and '.join(short(g) for g in grades)}{at}.",
                    f"查询 {show(q)} 的 {show(d)} 有多个等级：{'、'.join(short(g) for g in grades)}{zh(at)}。",
                )
            )
        return InputError.collect(
            about(self.where), problems, Text("Keep one judgement of each item.", "每个文档请只保留一条标注。")
        )

    @property
    def has_groups(self) -> bool:
        """Whether an item is judged under several headings (the `iteration` column): subtopics, assessors."""
        frame = self._columns
        if frame is None or "iteration" not in frame.columns:
            return False
        if self._grouped is None:
            self._grouped = frame["iteration"].n_unique() > 1
        return self._grouped


def read_qrels(path: str | PathLike[str] | IO[Any], **options: Unpack[FileOptions]) -> Qrels:
    """Read judgements from a file or an open one: TREC, CSV/TSV, JSON, JSONL, Parquet/Arrow, BEIR, LETOR, OpenSearch,
    Quepid, lists; also compressed.

    Options: `format=` when the content does not tell, `columns={"docno": "doc_id"}` to map columns.
    """
    path = taken_in(path)
    if not isinstance(path, (str, PathLike)):
        raise ParameterError(
            Text(
                f"read_qrels() takes a path or an open file, got {type(path).__name__}. Use Qrels.of(…).",
                f"read_qrels() 接受路径或打开的文件，实际为 {type(path).__name__}。请用 Qrels.of(…)。",
            )
        )
    return Qrels.read(path, **options)
