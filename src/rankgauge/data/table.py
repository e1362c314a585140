"""What judgements and rankings have in common: numbers by query and item, in dicts, columns or a file.

A table keeps the form it came in. Dicts are looked up as they are, columns stay columns, the ids of a
clean TREC file stay in the file; another form is made only when something asks for it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, Self, TypedDict, Unpack

import numpy as np
from numpy.typing import NDArray

from rankgauge._forked import refuse_fork
from rankgauge._piped import as_given, path_of, taken_in
from rankgauge._show import show
from rankgauge._text import Text, composed, in_language, zh
from rankgauge._unpacked import unpacked_path
from rankgauge.data._places import named, word_for
from rankgauge.data.both_sides import BothSides, key_of, split
from rankgauge.data.mappings import Ids, Listed, id_kind, id_text, numbers_of, with_text_ids
from rankgauge.errors import InputError

if TYPE_CHECKING:
    import polars as pl

    from rankgauge.data.clean_trec import TrecText

__all__ = ["FileOptions", "ReadOptions", "Shape", "Table", "is_series", "is_sparse", "refuse_other_index", "stem"]


class ReadOptions(TypedDict, total=False):
    """How a table is read, where its content does not tell."""

    format: str | None
    columns: Mapping[str, str] | None
    """Names of the input to those of ours: `{"docno": "doc_id"}`."""
    groups: str | Path | None
    """The file with the rows per query that LightGBM keeps beside its data."""


class FileOptions(ReadOptions, total=False):
    """The keywords of `read_qrels` and `read_run`."""

    name: str


class Shape(NamedTuple):
    """Queries and items of a matrix, both numbered from 0."""

    queries: int
    items: int
    """All of them; of a matrix of ids, one more than the highest."""
    of_ids: bool = False


class Table:
    """Base of `Qrels` and `Run`."""

    kind: ClassVar[str]
    value: ClassVar[str]  # name of the number: grade or score

    def __init__(
        self,
        given: Any = None,
        *,
        mapping: Ids | None = None,
        frame: pl.DataFrame | None = None,
        text: TrecText | None = None,
        path: str | PathLike[str] | None = None,
        name: str = "",
        notes: tuple[str, ...] = (),
        dropped: Mapping[str, int] | None = None,
        repeated: Mapping[str, Listed] | None = None,
        empty: Sequence[str] = (),
        shape: Shape | None = None,
        **options: Any,
    ) -> None:
        if given is not None:  # what people have: a dict, a path, a frame, … ; the keywords are for readers
            self.__dict__.update(type(self).of(given, name=name, **options).__dict__)
            return
        if options:
            raise TypeError(f"{type(self).__name__}() got an unexpected keyword argument {show(next(iter(options)))}")
        if mapping is None and frame is None and text is None:
            raise InputError(
                Text(
                    f"{type(self).__name__}() needs what holds the {self.kind}: a dict, a path, a table, …",
                    f"{type(self).__name__}() 需要给出 {self.kind} 的数据：字典、路径、表格等",
                )
            )
        self._mapping = mapping
        has_numbers = frame is not None and all(frame.schema[ids].is_integer() for ids in ("query_id", "doc_id"))
        self._frame = None if has_numbers else frame
        self._numbered = frame if has_numbers else None
        self.text = text
        """The rows of a clean TREC file, whose ids were not taken out of it yet."""
        self._path = path
        self.name = name or self.kind
        self.notes = notes
        """What was recognised or repaired while reading."""
        self.dropped = dropped or {}
        """How many repeated items were dropped while reading, for each query that had some."""
        self.repeated = repeated or {}
        """For each query that had some, the whole list: its dict has each item once."""
        self.empty = tuple(empty)
        """Queries whose list is there and empty, which columns cannot say; a dict says it itself."""
        self.shape = shape
        """That of a matrix whose queries and items have no names of their own."""
        self.sources: frozenset[Any] = frozenset()
        """Of what holds judgements and run, both of them: what each of these came out of (`both_sides.key_of`)."""
        self.begin: Any = None
        """When the first interaction of a test happened, on the clock of what was learned from; None: nobody asked."""
        self._id_kind: str | None = None
        self._options: ReadOptions | None = None  # with which the general reader read the file

    # making one

    @classmethod
    def of(cls, obj: Any, *, name: str = "", **options: Unpack[ReadOptions]) -> Self:
        """A table from whatever holds one: itself, a dict, a path or open file, a dataframe, a Series, an array, a
        sparse matrix."""
        if isinstance(obj, cls):
            return obj.filled()
        if isinstance(obj, Mapping):
            return cls.from_dict(obj, name=name)
        obj = taken_in(obj)
        if isinstance(obj, (str, PathLike)):
            return cls.read(obj, name=name, **options)
        if (both := split(obj, name or cls.kind, columns=options.get("columns"))) is not None:
            return cls._from_sides(both, obj, name)
        if isinstance(obj, np.ndarray) or is_sparse(obj):
            return cls.from_matrix(obj, name=name)
        if is_series(obj):
            return cls.from_series(obj, name=name, **options)  # type: ignore[misc]  # a format is refused
        if isinstance(obj, Table):
            raise InputError(
                Text(
                    f"{cls.kind} expected, got a {type(obj).__name__} ({obj.name}). Are the arguments in order?",
                    f"应为 {cls.kind}，实际为 {type(obj).__name__}（{obj.name}）。参数顺序对吗？",
                )
            )
        return cls.from_frame(obj, name=name, **options)  # type: ignore[misc]

    @classmethod
    def from_dict(cls, obj: Mapping[Any, Any], *, name: str = "") -> Self:
        raise NotImplementedError  # pragma: no cover - each kind has its own shapes

    @classmethod
    def _from_sides(cls, both: BothSides, given: Any, name: str) -> Self:
        """One side of what holds both."""
        table = cls.from_dict(both.of(cls.kind), name=name)
        table.notes = both.notes + table.notes
        table.sources = frozenset([key_of(given)])
        return table

    @classmethod
    def from_matrix(cls, values: Any, *, name: str = "") -> Self:
        raise NotImplementedError  # pragma: no cover

    @classmethod
    def from_series(cls, series: Any, *, columns: Mapping[str, str] | None = None, name: str = "") -> Self:
        """From a pandas Series: numbers by query and item (an index of two levels), or a list or dict by query."""
        from rankgauge.data._pandas import frame_of_series, mapping_of_series

        if (mapping := mapping_of_series(series)) is not None:
            return cls.from_dict(mapping, name=name)
        return cls.from_frame(frame_of_series(series, cls.value, name or cls.kind), columns=columns, name=name)

    @classmethod
    def read(
        cls,
        path: str | PathLike[str],
        *,
        format: str | None = None,
        columns: Mapping[str, str] | None = None,
        groups: str | Path | None = None,
        name: str = "",
    ) -> Self:
        """Read a file or folder; the format is told by content and suffix unless given.

        `groups` is the file with the rows per query that LightGBM keeps beside its data.
        """
        path = taken_in(path)
        if format in (None, "trec") and not columns and groups is None:
            text = cls._open_text(path)
            if text is not None:
                return cls(text=text, path=path, name=name or stem(path))
        from rankgauge.data.formats import read

        options: ReadOptions = {"format": format, "columns": columns, "groups": groups}
        loaded = read(path, cls.kind, **options)  # type: ignore[arg-type]
        if loaded.sides is not None:
            own = stem(path) if cls.kind == "run" else path_of(path).name  # `rag`, evaluated on `rag.json`
            half = cls._from_sides(loaded.sides, path, name or own)
            half._path, half.notes = path, loaded.notes
            return half
        table = cls(frame=loaded.frame, path=path, name=name or stem(path), notes=loaded.notes, empty=loaded.empty)
        table._options = options
        table._loaded(loaded)
        return table.filled()

    @classmethod
    def _open_text(cls, path: str | PathLike[str]) -> TrecText | None:
        from rankgauge.data.clean_trec import open_text

        return open_text(path, cls.kind)  # type: ignore[arg-type]

    def _loaded(self, loaded: Any) -> None:
        """What a kind wants to keep of the file besides its rows."""

    @classmethod
    def from_frame(cls, frame: Any, *, columns: Mapping[str, str] | None = None, name: str = "") -> Self:
        """From pandas, Polars, PyArrow, DuckDB, or anything that speaks the Arrow stream."""
        from rankgauge.data import frames
        from rankgauge.data.listed import unlisted

        kind: Any = cls.kind
        where = name or cls.kind
        lists = unlisted(kind, frame, columns, where)
        if lists is None:
            table, notes = frames.canonical(kind, frame, columns, where=where, as_numbers=True)
            return cls(frame=table, name=name, notes=notes).filled()
        table, notes = frames.canonical(kind, lists.frame, lists.columns, where, lists.position, as_numbers=True)
        empty = lists.empty if kind == "run" else ()
        return cls(frame=table, name=name, notes=lists.notes + notes, empty=empty).filled()

    def filled(self) -> Self:
        """Itself. A table without a single query is an error, whatever it was made of: nothing can be said of it."""
        if self._mapping is not None:
            some = bool(self._mapping)
        elif self.text is not None:
            some = len(self.text.line) > 0
        else:
            some = bool(self.empty) or len(self) > 0
        if not some:
            called = word_for(self.kind) if self.name == self.kind else named(self.kind, self.name)
            raise InputError(
                Text(
                    f"{called}: must hold at least one query, got none.", f"{zh(called)}：至少要有一个查询，实际没有。"
                )
            )
        return self

    # the two forms

    @property
    def path(self) -> str | PathLike[str] | None:
        """The file that it was read from, or will be."""
        return self._path

    @property
    def _columns(self) -> pl.DataFrame | None:
        """The columns that are there, with ids as text or as whole numbers; None where the numbers are in dicts or in
        a file."""
        return self._numbered if self._frame is None else self._frame

    @property
    def is_mapping(self) -> bool:
        """Whether the numbers are in dicts."""
        return self._mapping is not None

    def to_frame(self) -> pl.DataFrame:
        """Columns `query_id, doc_id` and the number, as a Polars frame."""
        self._refuse_fork()
        if self._frame is None and self.text is not None:
            from rankgauge.data.formats import read

            assert self._path is not None
            self._frame = read(self._path, self.kind, format="trec").frame  # type: ignore[arg-type]
        if self._frame is None and self._numbered is not None:
            import polars as pl

            self._frame = self._numbered.with_columns(pl.col("query_id", "doc_id").cast(pl.String))
        if self._frame is None:
            import polars as pl

            assert self._mapping is not None
            rows = self._mapping
            lengths = [len(row) for row in rows.values()]
            queries = np.repeat(np.arange(len(rows)), lengths)
            self._frame = pl.DataFrame(
                {
                    "query_id": _texts((id_text(q, self.name) for q in rows), self.name)[queries],
                    "doc_id": _texts((id_text(d, self.name) for row in rows.values() for d in row), self.name),
                    self.value: numbers_of(rows.values(), rows, self.name, self.value),
                }
            )
        return self._frame

    @property
    def has_numbers(self) -> bool:
        """Whether ids came as columns of whole numbers, which are equal where their texts are."""
        return self._numbered is not None

    def with_numbers(self) -> pl.DataFrame:
        """The columns of `to_frame` with ids that are whole numbers still."""
        self._refuse_fork()
        assert self._numbered is not None
        return self._numbered

    def _refuse_fork(self) -> None:
        """Also where the frame is there: hardly anything can be asked of it."""
        refuse_fork(Text(f"{self.name} as columns", f"以列形式读取 {self.name} "))

    def to_dict(self) -> Ids:
        """`{query_id: {doc_id: number}}`."""
        if self._mapping is None:
            out: Ids = {}
            for q, ids, values in (
                self.to_frame().group_by("query_id", maintain_order=True).agg("doc_id", self.value).iter_rows()
            ):
                out[q] = dict(zip(ids, values, strict=True))
            self._mapping = out | {q: {} for q in self.empty}
            self._id_kind = "text"
        return self._mapping

    @property
    def ids(self) -> str:
        """Kind of the item ids in a dict: text, integer or mixed."""
        if self._id_kind is None:
            self._id_kind = id_kind(self.to_dict())
        return self._id_kind

    @property
    def where(self) -> str:
        """How errors call it: the file as it was given, where it came from one."""
        return named(self.kind, self.name if self._path is None else as_given(self._path))

    def lines_of(self, rows: Sequence[int]) -> list[str]:
        """Where some rows stand in the file, such as `line 7`; nothing where there are no lines to name.

        The file is read again: errors are rare, and numbers of lines would take room for every table.
        """
        if self._options is None or self._path is None:
            return []
        from rankgauge.data.formats import read

        position = read(self._path, self.kind, **self._options).position  # type: ignore[arg-type]
        return [] if position is None else [position(row) for row in rows]

    def with_text_ids(self) -> Self:
        """The same table with all ids as text."""
        same = type(self)(
            mapping=with_text_ids(self.to_dict(), self.name),
            name=self.name,
            notes=self.notes,
            dropped=self.dropped,
            repeated=self.repeated,
        )
        same.sources = self.sources
        return same

    def __len__(self) -> int:
        if self.text is not None:
            return len(self.text.line)
        if self._columns is not None:
            return self._columns.height
        assert self._mapping is not None
        return sum(map(len, self._mapping.values()))

    @property
    def duplicates(self) -> int:
        """Repeated items that were dropped while reading."""
        return sum(self.dropped.values())

    def dropped_of(self, query_ids: Sequence[str]) -> NDArray[np.int64]:
        """How many of them belong to each of these queries."""
        if not self.dropped:
            return np.zeros(len(query_ids), dtype=np.int64)
        return np.array([self.dropped.get(q, 0) for q in query_ids], dtype=np.int64)

    @property
    def empty_lists(self) -> Sequence[str]:
        """Queries that are there with nothing in their lists."""
        if self._mapping is None:
            return self.empty
        return [id_text(q, self.name) for q, row in self._mapping.items() if not row]

    @property
    def query_ids(self) -> list[str]:
        """Queries in the order of their first appearance."""
        if self._mapping is not None:
            return [id_text(q, self.name) for q in self._mapping]
        if self.text is not None:
            return list(self.text.names)
        assert self._columns is not None
        return [*self._columns["query_id"].unique(maintain_order=True).cast(str).to_list(), *self.empty]

    def items_of(self, query_ids: Iterable[str]) -> dict[str, list[str]]:
        """The items of some queries, as text; the rest of a large table is not looked at."""
        wanted = set(query_ids)
        if self._mapping is not None:
            rows = ((id_text(q, self.name), row) for q, row in self._mapping.items())
            return {q: [id_text(d, self.name) for d in row] for q, row in rows if q in wanted}
        if self.text is not None:
            ends = np.append(self.text.block, len(self.text.line)).tolist()
            numbered = [(i, q) for i, q in enumerate(self.text.names) if q in wanted]
            return {q: self.text.ids(slice(ends[i], ends[i + 1])) for i, q in numbered}
        frame = self.to_frame()
        some = frame.filter(frame["query_id"].is_in(list(wanted)))
        return dict(some.group_by("query_id", maintain_order=True).agg("doc_id").iter_rows())

    def write(self, path: str | PathLike[str], *, format: str | None = None) -> None:
        """Write a file; the format follows the suffix unless given."""
        from rankgauge.data.formats import write

        write(self.to_frame(), path, self.kind, format=format, **self._write_options())  # type: ignore[arg-type]

    def _write_options(self) -> dict[str, Any]:
        return {}

    def __repr__(self) -> str:
        told = ("<{} {!r}: {:,} queries, {:,} rows>", "<{} {!r}：{:,} 个查询，{:,} 行>")
        return str(in_language(composed(*told, type(self).__name__, self.name, len(self.query_ids), len(self))))


def is_series(obj: Any) -> bool:
    """A pandas Series. (Looks at the object, imports nothing.)"""
    return type(obj).__module__.partition(".")[0] == "pandas" and type(obj).__name__ == "Series"


def refuse_other_index(columns: Mapping[str, Any], where: str) -> None:
    """Raise an error for pandas Series whose rows are not called alike: by position they would be paired wrongly."""
    series = {name: values for name, values in columns.items() if is_series(values)}
    first = next(iter(series), "")
    for name, values in series.items():
        if not values.index.equals(series[first].index):
            raise InputError(
                Text(
                    f"{where}: {show(first)} and {show(name)} must have the same index, got two Series whose rows are "
                    "not "
                    "called alike. Pass a DataFrame, which pairs rows by index, or .to_numpy() of each, which pairs "
                    "them "
                    "by position.",
                    f"{zh(where)}：{show(first)} 和 {show(name)} 的索引必须相同，实际两个 Series 的行名不同。"
                    "请传入 DataFrame（按索引配对），或分别传入 .to_numpy()（按位置配对）。",
                )
            )


def is_sparse(obj: Any) -> bool:
    """A sparse matrix of SciPy. (Looks at the object, imports nothing.)"""
    return type(obj).__module__.startswith("scipy.sparse") and hasattr(obj, "tocoo")


def stem(path: str | PathLike[str]) -> str:
    """bm25 for runs/bm25.run.gz."""
    name = path.name if isinstance(path, Path) else Path(path).name
    return unpacked_path(Path(name)).stem or name


def _texts(ids: Iterable[str], where: str) -> pl.Series:
    import polars as pl

    try:
        return pl.Series(list(ids), dtype=pl.String)
    except UnicodeEncodeError as e:
        raise InputError(
            Text(
                f"{where}: an id must be a text of whole characters, got {show(e.object)}.",
                f"{zh(where)}：id 必须由完整的字符组成，实际为 {show(e.object)}。",
            )
        ) from e
