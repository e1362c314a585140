"""Predictions: what happened in each row, and what a model had said about it.

label   click  0/1, True/False, -1/1, or a number between 0 and 1 (soft)
score   pctr   one number per row, higher is more likely; or several models on the same rows
weight, group, time and segments where there are any
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from os import PathLike
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Final

import numpy as np

from rankgauge._numbers import counted
from rankgauge._piped import path_of, taken_in
from rankgauge._renamed import renamed
from rankgauge._show import show
from rankgauge._text import Text, composed, in_language, zh
from rankgauge.data._arrays import Array, Checks, Codes, Given, as_given, from_series, one_column
from rankgauge.data._places import named, word_for
from rankgauge.data.columns import dates_of, fold, recognise, role_of
from rankgauge.data.frames import Position, canonical, row
from rankgauge.data.table import Table, refuse_other_index, stem
from rankgauge.errors import InputError, ParameterError

if TYPE_CHECKING:
    import polars as pl

__all__ = ["Codes", "Predictions", "asked_columns", "from_canonical", "left_out", "read_predictions"]

_KIND: Final = "predictions"


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Predictions:
    """Rows of label and score, as a click log or a test set of a classifier has them.

    >>> p = Predictions.of({"label": [1, 0, 0], "score": [0.8, 0.3, 0.1]}, name="clicks")
    >>> p
    <Predictions 'clicks': 3 rows, 1 positive, 1 score>
    >>> p.label
    array([ True, False, False])

    Several models on the same rows: `{"label": y, "score": {"old": a, "new": b}}`.
    """

    label: Array
    """bool; float64 between 0 and 1 where labels are soft."""
    scores: dict[str, Array]
    """The scores of each model, float64."""
    weight: Array | None = None
    """float64, all above zero."""
    group: Codes | None = None
    time: Array | None = None
    """int64, float64 or datetime64; orders the rows."""
    segments: dict[str, Codes] = field(default_factory=dict)
    name: str = _KIND
    notes: tuple[str, ...] = ()
    """What was recognised or repaired while reading."""
    zero_weight_rows: int = 0
    """Rows of weight 0, which were left out."""
    path: Path | None = field(default=None, repr=False)
    """The file that it was read from."""

    # making one

    @classmethod
    @renamed(segments="slices")
    def of(
        cls,
        obj: Any,
        *,
        columns: Mapping[str, str] | None = None,
        scores: Sequence[str] | str | None = None,
        slices: Sequence[str] | str | None = None,
        label: str | None = None,
        weight: str | None = None,
        group: str | None = None,
        time: str | None = None,
        positive: Any = None,
        name: str = "",
        format: str | None = None,
    ) -> Predictions:
        """Predictions from whatever holds them: themselves, a mapping of arrays, a path or several, a dataframe.

        Columns are found by their names. `columns={"click": "label", "pctr": "score"}` settles what the names
        leave open (`"ignore"` leaves a column out, `"time day-first"` or `"time month-first"` says how 01/02/2020 is
        read); `label=`, `weight=`, `group=` and `time=` name one column each,
        `scores=` those of several models, `slices=` those to slice by. `positive=` says which labels count as 1:
        a value (`"yes"`) or a comparison (`">=4"`).
        """
        singles = {"label": label, "weight": weight, "group": group, "time": time}
        asked = asked_columns(columns, scores, slices, singles)
        if isinstance(obj, cls):
            if asked or positive is not None or format is not None:
                raise ParameterError(
                    Text(
                        "columns were chosen when the Predictions were made; pass what they were made of.",
                        "列在创建 Predictions 时已经选定；请传入创建它所用的数据。",
                    )
                )
            return replace(obj, name=name) if name else obj
        obj = taken_in(obj)
        if isinstance(obj, (str, PathLike)):
            return _from_path(obj, format, asked, positive, name)
        if format is not None:
            raise ParameterError(
                Text(
                    f"format is for files, got a {type(obj).__name__} with format={show(format)}.",
                    f"format 只用于文件，实际传入的是 {type(obj).__name__} 和 format={show(format)}。",
                )
            )
        if isinstance(obj, np.ndarray) and obj.dtype.names:
            obj = {column: obj[column] for column in obj.dtype.names}
        if isinstance(obj, Mapping):
            return _from_mapping(obj, asked, positive, name)
        if isinstance(obj, (list, tuple)) and obj and all(isinstance(x, (str, PathLike)) for x in obj):
            return _from_files([path_of(x) for x in obj], asked, positive, name)
        if isinstance(obj, (Table, np.ndarray, list, tuple)):
            raise InputError(
                Text(
                    f"predictions must be a mapping of columns, a dataframe or a path, got a {type(obj).__name__}. "
                    'Pass {"label": y, "score": p}.',
                    f'预测必须是列的映射、DataFrame 或路径，实际为 {type(obj).__name__}。请传入 {{"label": y, '
                    f'"score": p}}。',
                )
            )
        return _from_frame(obj, asked, positive, name)

    # looking at it

    @property
    def score(self) -> Array:
        """The scores of the only model, or of the first."""
        return next(iter(self.scores.values()))

    @property
    def is_soft(self) -> bool:
        """Whether some labels lie between 0 and 1."""
        return self.label.dtype != bool

    def __len__(self) -> int:
        return len(self.label)

    def __repr__(self) -> str:
        n = int(np.count_nonzero(self.label))
        labels = Text("soft labels", "软标签") if self.is_soft else counted(n, "positive", "个正样本")
        rows, scores = counted(len(self), "row", "行"), counted(len(self.scores), "score", "个得分")
        told = ("<Predictions {!r}: {}, {}, {}>", "<Predictions {!r}：{}，{}，{}>")
        return str(in_language(composed(*told, self.name, rows, labels, scores)))

    def to_frame(self) -> pl.DataFrame:
        """A Polars frame: label, the scores by the names of their models, weight, group, time, segments."""
        import polars as pl

        frame: dict[str, Any] = {"label": self.label}
        more = {"weight": self.weight, "group": self.group, "time": self.time}
        taken = {"label", *more}
        for prefix, part in (("score", self.scores), ("segment", self.segments)):
            for name, values in part.items():
                frame[f"{prefix}:{name}" if name in taken else name] = values
                taken.add(name)
        frame |= {name: values for name, values in more.items() if values is not None}
        return pl.DataFrame({n: _names(v) if isinstance(v, Codes) else v for n, v in frame.items()})

    # others like it

    def select(self, rows: Any) -> Predictions:
        """The predictions of these rows: a mask, indices or a slice."""
        if not isinstance(rows, slice):
            rows = self._rows(np.asarray(rows))
        return replace(
            self,
            label=self.label[rows],
            scores={name: values[rows] for name, values in self.scores.items()},
            weight=None if self.weight is None else self.weight[rows],
            group=None if self.group is None else self.group.take(rows),
            time=None if self.time is None else self.time[rows],
            segments={name: codes.take(rows) for name, codes in self.segments.items()},
        )

    def with_scores(self, scores: Mapping[str, Any]) -> Predictions:
        """The same rows with other scores, `{"new": array}`."""
        if not scores:
            raise ParameterError(
                Text("with_scores() needs at least one score, got none.", "with_scores() 至少需要一个得分，实际没有。")
            )
        where = _where(self.name)
        columns = {str(name): one_column(values, str(name), where) for name, values in scores.items()}
        _same_length({"label": self.label, **columns}, where, self.zero_weight_rows)
        notes: list[str] = []
        checks = Checks(where, row, notes)
        given: dict[str, Given] = {n: as_given(v, "score", n, where, notes, asked=True) for n, v in columns.items()}
        checked = {name: checks.score(values, name) for name, values in given.items()}
        checks.finish()
        return replace(self, scores=checked, notes=(*self.notes, *notes))

    def _rows(self, rows: Array) -> Array:
        n = len(self)
        if rows.dtype == bool:
            if rows.shape != (n,):
                raise ParameterError(
                    Text(
                        f"select: a mask must have one value per row ({n:,}), got shape {rows.shape}.",
                        f"select：掩码必须每行一个值（{n:,} 个），实际形状为 {rows.shape}。",
                    )
                )
        elif not rows.size:
            return rows.reshape(-1).astype(np.intp)
        elif rows.dtype.kind not in "iu" or rows.ndim != 1:
            raise ParameterError(
                Text(
                    f"select: rows must be a mask or indices, got {rows.dtype} of shape {rows.shape}.",
                    f"select：rows 必须是掩码或下标，实际为形状 {rows.shape} 的 {rows.dtype}。",
                )
            )
        elif rows.min() < -n or rows.max() >= n:
            raise ParameterError(
                Text(
                    f"select: indices must be below {n:,}, got {rows.min()} to {rows.max()}.",
                    f"select：下标必须小于 {n:,}，实际为 {rows.min()} 到 {rows.max()}。",
                )
            )
        return rows


@renamed(segments="slices")
def read_predictions(
    path: str | PathLike[str] | IO[Any],
    *,
    format: str | None = None,
    columns: Mapping[str, str] | None = None,
    scores: Sequence[str] | str | None = None,
    slices: Sequence[str] | str | None = None,
    label: str | None = None,
    weight: str | None = None,
    group: str | None = None,
    time: str | None = None,
    positive: Any = None,
    name: str = "",
) -> Predictions:
    """Read labels and scores from a file: CSV/TSV, JSON records, JSONL, Parquet/Arrow; also compressed.

    `format=` when the content does not tell; the other options are those of `Predictions.of`.
    """
    path = taken_in(path)
    if not isinstance(path, (str, PathLike)):
        raise ParameterError(
            Text(
                f"read_predictions() takes a path or an open file, got {type(path).__name__}. Use Predictions.of(…).",
                f"read_predictions() 接受路径或打开的文件，实际为 {type(path).__name__}。请用 Predictions.of(…)。",
            )
        )
    return Predictions.of(
        path,
        format=format,
        columns=columns,
        scores=scores,
        slices=slices,
        label=label,
        weight=weight,
        group=group,
        time=time,
        positive=positive,
        name=name,
    )


# the ways in


def asked_columns(
    columns: Mapping[str, str] | None,
    scores: Sequence[str] | str | None,
    slices: Sequence[str] | str | None,
    singles: Mapping[str, str | None],
) -> dict[str, str]:
    """All that the caller said about columns, as one `{column: roles}`."""
    asked: dict[str, str] = {}

    def add(name: str, role: str) -> None:
        asked[name] = " ".join(dict.fromkeys([*asked.get(name, "").split(), *role.split()]))

    for role, names in (("score", scores), ("segment", slices)):
        for name in [names] if isinstance(names, str) else names or ():
            add(name, role)
    for role, single in singles.items():
        if single is not None and not isinstance(single, str):
            raise ParameterError(
                Text(
                    f"{role} must be the name of a column, got {type(single).__name__}.",
                    f"{role} 必须是列名，实际为 {type(single).__name__}。",
                )
            )
        if single is not None:
            add(single, role)
    for name, role in (columns or {}).items():
        add(name, role)
    return asked


def _from_path(
    path: str | PathLike[str], format: str | None, asked: dict[str, str], positive: Any, name: str
) -> Predictions:
    from rankgauge.data.formats import read

    path = path_of(path)
    loaded = read(path, _KIND, format=format, columns=asked)
    where = _where(path.name)
    rows = from_canonical(loaded.frame, where, loaded.position, positive, name or stem(path), loaded.notes)
    return replace(rows, path=path)


def _from_files(paths: Sequence[Path], asked: dict[str, str], positive: Any, name: str) -> Predictions:
    """Files as one table, such as one for each day."""
    from rankgauge.data.formats.folder import loaded_together

    where = _where(", ".join(path.name for path in paths[:3]) + (", …" if len(paths) > 3 else ""))
    loaded = loaded_together(paths, _KIND, asked, where)
    return from_canonical(loaded.frame, where, None, positive, name or stem(paths[0]), loaded.notes)


def _from_frame(obj: Any, asked: dict[str, str], positive: Any, name: str) -> Predictions:
    where = _where(name)
    frame, notes = canonical(_KIND, obj, asked, where)
    return from_canonical(frame, where, None, positive, name, notes)


def from_canonical(
    frame: pl.DataFrame, where: str, position: Position | None, positive: Any, name: str, notes: Sequence[str]
) -> Predictions:
    """From a frame whose columns are named by their roles, as `frames.canonical` makes it."""
    given: dict[tuple[str, str], Given] = {}
    for values in frame:
        role, _, column = values.name.partition(":")
        given[role, column] = from_series(values, role)
    return _checked(given, Checks(where, position or row, list(notes)), positive, name)


def _from_mapping(obj: Mapping[Any, Any], asked: dict[str, str], positive: Any, name: str) -> Predictions:
    where = _where(name)
    flat, asked = _flat(obj, asked, where)
    chosen = recognise(list(flat), _KIND, asked, where)
    used = dict.fromkeys(chosen.source.values())
    refuse_other_index({column: flat[column] for column in used}, where)
    columns = {column: one_column(flat[column], column, where) for column in used}
    _same_length(columns, where)
    notes = list(chosen.notes)
    given: dict[tuple[str, str], Given] = {}
    dates = dates_of(asked)[1]
    for role, column in chosen.source.items():
        said = column in asked or column == role
        values = as_given(columns[column], role, column, where, notes, asked=said, dates=dates.get(column))
        if values is not None:
            given[role.partition(":")[0], column] = values
    return _checked(given, Checks(where, row, notes), positive, name)


def _flat(obj: Mapping[Any, Any], asked: dict[str, str], where: str) -> tuple[dict[str, Any], dict[str, str]]:
    """`{"score": {"old": a, "new": b}}` as columns of their own; the same for segments."""
    flat: dict[str, Any] = {}
    asked = dict(asked)
    for key, value in obj.items():
        inner: Mapping[Any, Any] = {key: value}
        if isinstance(value, Mapping):
            role = "segment" if fold(key) in ("segment", "segments") else role_of(key, _KIND)
            role = asked.pop(str(key), role)
            if role not in ("score", "segment") or not value:
                raise InputError(
                    Text(
                        f"{where}, column {show(str(key))}: must be one value per row, got a mapping.",
                        f"{zh(where)} 的列 {show(str(key))}：每行必须是一个值，实际为映射。",
                    )
                )
            asked |= {str(k): f"{asked.get(str(k), '')} {role}" for k in value}
            inner = value
        for k, v in inner.items():
            if str(k) in flat:
                raise InputError(
                    Text(
                        f"{where}: names of columns, scores and segments must differ, got {show(str(k))} twice.",
                        f"{zh(where)}：列、得分和分段的名称必须互不相同，实际 {show(str(k))} 出现两次。",
                    )
                )
            flat[str(k)] = v
    return flat, asked


def _checked(given: Mapping[tuple[str, str], Given], checks: Checks, positive: Any, name: str) -> Predictions:
    """The record, once every column has passed."""
    if not len(next(iter(given.values()))):
        raise InputError(
            Text(
                f"{checks.where}: must have at least one row, got none.",
                f"{zh(checks.where)}：至少要有一行，实际没有。",
            )
        )
    found: dict[str, dict[str, Any]] = {}
    for (role, column), values in given.items():
        extra = (positive,) if role == "label" else ()
        found.setdefault(role, {})[column] = getattr(checks, role)(values, column, *extra)
    checks.finish()
    one = {role: next(iter(columns.values())) for role, columns in found.items() if role not in ("score", "segment")}
    made = Predictions(
        **one, scores=found["score"], segments=found.get("segment", {}), name=name or _KIND, notes=tuple(checks.notes)
    )
    return _without_zero_weights(made)


def _without_zero_weights(made: Predictions) -> Predictions:
    if made.weight is None or made.weight.min() > 0:
        return made
    kept = made.weight > 0
    n = len(made) - int(np.count_nonzero(kept))
    return replace(made.select(kept), zero_weight_rows=n, notes=(*made.notes, left_out(n)))


def left_out(n: int) -> Text:
    """The note on rows of weight 0."""
    return Text(f"left out {_count(n, 'row')} of weight 0", f"略去 {n:,} 行权重为 0 的数据")


def _same_length(columns: Mapping[str, Any], where: str, left_out: int = 0) -> None:
    if len({len(values) for values in columns.values()}) > 1:
        lengths = ", ".join(f"{show(name)} {len(values):,}" for name, values in columns.items())
        hint = (
            Text(f" {_count(left_out, 'row')} of weight 0 had been left out.", f"权重为 0 的 {left_out:,} 行已被略去。")
            if left_out
            else ""
        )
        raise InputError(
            Text(
                f"{where}: columns must have the same length, got {lengths}.{hint}",
                f"{zh(where)}：各列长度必须相同，实际为 {lengths}。{zh(hint)}",
            )
        )


def _names(codes: Codes) -> Any:
    """The name of the group of each row."""
    if isinstance(codes.names, range):
        return codes.codes
    return np.asarray(codes.names)[codes.codes]


def _where(name: str) -> str:
    return named(_KIND, name) if name and name != _KIND else word_for(_KIND)


def _count(n: int, noun: str) -> str:
    return f"{n:,} {noun}" + ("" if n == 1 else "s")
