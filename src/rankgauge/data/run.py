"""A ranking: which items a system showed for each query, and with which scores."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from os import PathLike
from typing import IO, TYPE_CHECKING, Any, ClassVar, Literal, Self, Unpack

import numpy as np

from rankgauge._piped import taken_in
from rankgauge._text import Text
from rankgauge.data.both_sides import key_of, one_side
from rankgauge.data.mappings import id_text, numbers_of, rankings, said_of_forms
from rankgauge.data.table import Table
from rankgauge.errors import ParameterError

if TYPE_CHECKING:
    import polars as pl

    from rankgauge.data.collected import Collected
    from rankgauge.data.table import FileOptions

__all__ = ["Run", "read_run"]


class Run(Table):
    """A ranking, `query → item → score`; higher scores come first.

    >>> Run({"q1": {"d1": 0.9, "d2": 0.3}}).to_dict()
    {'q1': {'d1': 0.9, 'd2': 0.3}}
    >>> Run({"q1": ["d1", "d2"]}).to_dict()     # a list is a ranking, best first
    {'q1': {'d1': 2, 'd2': 1}}
    """

    kind: ClassVar[str] = "run"
    value: ClassVar[str] = "score"
    _tag: str | None = None
    collected: Collected | None = None
    """How it came about, where `rg.collect` asked a retriever for it."""
    pieces: Mapping[str, Sequence[Mapping[str, Any]]] | None = None
    """Which parts of documents its results are, where they were asked for as such; `rg.Chunks` reads them."""

    @property
    def tag(self) -> str | None:
        """The run tag of a TREC file: what its last line says, as in trec_eval."""
        if self._tag is None and self.text is not None:
            return self.text.last_field()
        return self._tag

    @tag.setter
    def tag(self, value: str | None) -> None:
        self._tag = value

    @classmethod
    def from_dict(cls, obj: Mapping[Any, Any], *, name: str = "") -> Self:
        """From a dict of scores, or of lists of ids in rank order (best first)."""
        plain, told, is_half = one_side(obj, cls.kind, name or cls.kind)
        mapping, repeated = rankings(plain, name or cls.kind)
        by_text = {id_text(q): row for q, row in mapping.items()} if repeated else {}
        dropped = {q: len(ids) - len(by_text[q]) for q, (ids, _) in repeated.items()}
        notes = told + said_of_forms(cls.kind, plain.values())
        table = cls(mapping=mapping, name=name, notes=notes, dropped=dropped, repeated=repeated).filled()
        table.sources = frozenset([key_of(obj)] if is_half else ())
        return table

    def results(self) -> pl.DataFrame:
        """The columns of `to_frame` with every result as it was given; a dict of lists may repeat items."""
        if not self.repeated:
            return self.to_frame()
        import polars as pl

        rows = {id_text(q, self.name): row for q, row in self.to_dict().items()}
        lists = {q: self.repeated.get(q, ([*row], [*row.values()])) for q, row in rows.items()}
        numbers = {q: dict(enumerate(scores)) for q, (_, scores) in lists.items()}
        owner = np.repeat(np.arange(len(lists)), [len(ids) for ids, _ in lists.values()])
        return pl.DataFrame(
            {
                "query_id": pl.Series([*lists], dtype=pl.String)[owner],
                "doc_id": pl.Series([id_text(d, self.name) for ids, _ in lists.values() for d in ids], dtype=pl.String),
                "score": numbers_of(numbers.values(), numbers, self.name, self.value),
            }
        )

    @classmethod
    def from_matrix(
        cls,
        values: Any,
        *,
        query_ids: Sequence[Any] | None = None,
        doc_ids: Sequence[Any] | None = None,
        as_: Literal["scores", "ids"] | None = None,
        name: str = "",
    ) -> Self:
        """From scores[n_queries, n_items] or from top-k ids[n_queries, k], best first; `as_` says which.

        Without it, floats and sparse matrices are scores, text is ids, and integers are ids where they can be (no row
        has one twice), which a note says; else they are refused. In a matrix of scores NaN means not retrieved, in a
        sparse one what is not stored; in a matrix of ids negative integers are padding.
        Without ids, queries and items are numbered from 0, as in `Qrels.from_matrix`.

        >>> Run.from_matrix(np.array([[30, 70]]), as_="scores").to_dict()
        {'0': {'0': 30.0, '1': 70.0}}
        >>> Run.from_matrix(np.array([[1, 0]]), as_="ids").to_dict()
        {'0': {'1': 2.0, '0': 1.0}}
        """
        from rankgauge.data.matrices import run_of_matrix

        found = run_of_matrix(values, as_, query_ids, doc_ids, name or cls.kind)
        return cls(frame=found.frame, name=name, notes=found.notes, empty=found.empty, shape=found.shape).filled()

    @classmethod
    def from_scores(
        cls,
        scores: Any,
        k: int,
        *,
        seen: Any = None,
        query_ids: Sequence[Any] | None = None,
        doc_ids: Sequence[Any] | None = None,
        name: str = "",
    ) -> Self:
        """The first `k` of scores[n_users, n_items] for each user: a ranking of the whole catalogue, without a sort.

        What a user has `seen` is left out: interactions such as the training data, or a matrix of users × items whose
        entries that are not 0 were seen. NaN, and what a sparse matrix does not store, was not retrieved. Where scores
        are equal at the k-th place, the ids that evaluations rank first stay, so that measures up to `k` are those of
        the whole ranking. Scores are looked at in blocks: a memory-mapped matrix need not fit into memory.

        >>> Run.from_scores(np.array([[0.1, 0.9, 0.5]]), 2, seen=np.array([[0, 1, 0]])).to_dict()
        {'0': {'2': 0.5, '0': 0.1}}
        """
        from rankgauge.data.top_k import lists_of_scores

        frame, users = lists_of_scores(scores, k, seen, query_ids, doc_ids, name or cls.kind)
        return cls._of_lists(frame, users, name)

    @classmethod
    def from_factors(
        cls,
        user_factors: Any,
        item_factors: Any,
        k: int,
        *,
        item_bias: Any = None,
        seen: Any = None,
        query_ids: Sequence[Any] | None = None,
        doc_ids: Sequence[Any] | None = None,
        name: str = "",
    ) -> Self:
        """The first `k` for each user where scores are products of factors[n_users, d] and factors[n_items, d], such as
        those of matrix factorisation or of two towers. Scores are made in blocks of users; else as `from_scores`.

        >>> Run.from_factors([[1.0, 0.0]], [[0.5, 2.0], [0.7, 0.0]], 1).to_dict()
        {'0': {'1': 0.7}}
        """
        from rankgauge.data.top_k import lists_of_factors

        found = lists_of_factors(user_factors, item_factors, k, seen, query_ids, doc_ids, item_bias, name or cls.kind)
        return cls._of_lists(*found, name)

    @classmethod
    def _of_lists(cls, frame: pl.DataFrame, users: pl.Series, name: str) -> Self:
        """Lists of users, some of which may be empty."""
        without = users.filter(~users.is_in(frame["query_id"].unique().implode()))
        return cls(frame=frame, name=name, empty=tuple(without.to_list())).filled()

    def _loaded(self, loaded: Any) -> None:
        self._tag = loaded.tag

    def _write_options(self) -> dict[str, Any]:
        return {"tag": self.tag or self.name}


def read_run(path: str | PathLike[str] | IO[Any], **options: Unpack[FileOptions]) -> Run:
    """Read a ranking from a file or an open one: TREC, CSV/TSV, JSON, JSONL, Parquet/Arrow; also compressed.

    Options: `format=` when the content does not tell, `columns={"docno": "doc_id"}` to map columns.
    """
    path = taken_in(path)
    if not isinstance(path, (str, PathLike)):
        raise ParameterError(
            Text(
                f"read_run() takes a path or an open file, got {type(path).__name__}. Use Run.of(…).",
                f"read_run() 接受路径或打开的文件，实际为 {type(path).__name__}。请用 Run.of(…)。",
            )
        )
    return Run.read(path, **options)
