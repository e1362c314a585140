"""Tables that hold classes: which columns are of what, and what is in them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from rankgauge._piped import path_of, taken_in
from rankgauge._show import show, show_all
from rankgauge._text import Text, zh
from rankgauge.data._arrays import Array, Checks, from_series
from rankgauge.data._places import named, word_for
from rankgauge.data.class_predictions import ClassPredictions
from rankgauge.data.class_probabilities import check_probabilities, matrix_of, with_models
from rankgauge.data.columns import recognise
from rankgauge.data.frames import row
from rankgauge.data.table import stem
from rankgauge.data.tabular import table_of
from rankgauge.errors import InputError, ParameterError

if TYPE_CHECKING:
    import polars as pl

__all__ = ["may_be_classes", "read_classes"]

_NAME = "predictions"
_PREFIXES = ("p_", "prob_", "proba_", "probability_", "probabilities_", "p:", "概率_")


def read_classes(
    obj: Any,
    asked: Mapping[str, str] | None = None,
    *,
    probabilities: Sequence[str] | str | None = None,
    classes: Sequence[Any] | None = None,
    name: str = "",
) -> ClassPredictions:
    """Classes from whatever holds them: a mapping of arrays, a dataframe, a path.

    `asked` maps columns to roles, `prediction` among them. `probabilities` are the beginnings of the names of columns
    of probabilities, one for each model; `classes` are the names of all classes, in the order in which a matrix has
    them.
    """
    return _Reading(obj, asked or {}, probabilities, _names_of(classes), name).read()


def may_be_classes(obj: Any, asked: Mapping[str, str], name: str = "") -> ClassPredictions | None:
    """Classes, where rows that are no labels and scores are plainly that; None where they are not.

    What is wrong with rows that plainly are classes is an error of its own: a column 'score' is not what they lack.
    """
    try:
        found = _Reading(obj, asked, None, None, name)
        is_plain = found.is_plain
    except (InputError, ParameterError):
        return None
    return found.read() if is_plain else None


def _names_of(classes: Sequence[Any] | None) -> list[str] | None:
    """The names of classes as labels are called."""
    if classes is None:
        return None
    if isinstance(classes, (str, bytes)) or not hasattr(classes, "__iter__"):
        raise ParameterError(
            Text(
                f"`classes` must be a list of the names of all classes, got {show(classes)}.",
                f"`classes` 必须是所有类别名称的列表，实际为 {show(classes)}。",
            )
        )
    names = [_name_of(value) for value in classes]
    repeated = [n for n in dict.fromkeys(names) if names.count(n) > 1] if len(set(names)) < len(names) else []
    if repeated or not names:
        got = f"{show(repeated[0])} twice" if repeated else "none"
        repeat = f"{show(repeated[0])} 重复" if repeated else "空列表"
        raise ParameterError(
            Text(
                f"`classes` must name each class once, got {got}.",
                f"`classes` 必须给出每个类别恰好一次，实际：{repeat}。",
            )
        )
    return names


def _name_of(value: Any) -> str:
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if not isinstance(value, (str, int)) or not str(value).strip():
        raise ParameterError(
            Text(
                f"`classes` must hold texts or whole numbers, got {show(value)}.",
                f"`classes` 必须是文本或整数，实际为 {show(value)}。",
            )
        )
    return str(value).strip()


class _Reading:
    """A table on its way to classes."""

    def __init__(
        self,
        obj: Any,
        asked: Mapping[str, str],
        probabilities: Sequence[str] | str | None,
        classes: list[str] | None,
        name: str,
    ) -> None:
        self.given = classes
        self.notes: list[str] = []
        self.path: Path | None = None
        obj = taken_in(obj)
        if isinstance(obj, (str, PathLike)):
            self.path = path_of(obj)
            self.name = name or stem(self.path)
            self.where: str = named(_NAME, self.path.name)
        else:
            self.name = name or _NAME
            self.where = named(_NAME, name) if name and name != _NAME else word_for(_NAME)
        self.matrices: dict[str, Array] = {}
        if isinstance(obj, np.ndarray) and obj.dtype.names:
            obj = {column: obj[column] for column in obj.dtype.names}
        if isinstance(obj, Mapping):
            obj, asked = self._without_matrices(obj, dict(asked))
        self.frame: pl.DataFrame = table_of(obj, self.where)
        prefixes = [probabilities] if isinstance(probabilities, str) else list(probabilities or ())
        self.by_prefix = self._by_prefix(prefixes, asked)
        self.source = self._recognised(asked)
        self.checks = Checks(self.where, row, self.notes)

    # finding columns

    def _without_matrices(self, obj: Mapping[Any, Any], asked: dict[str, str]) -> tuple[dict[str, Any], dict[str, str]]:
        """The columns by themselves; matrices of probabilities are kept by model."""
        flat: dict[str, Any] = {}
        for key, value in obj.items():
            members = {str(k): v for k, v in value.items()} if isinstance(value, Mapping) else {str(key): value}
            role = asked.pop(str(key), "prediction") if isinstance(value, Mapping) else ""
            for model, values in members.items():
                matrix = matrix_of(values)
                if matrix is not None:
                    self.matrices[model] = matrix
                    asked.pop(model, None)
                    continue
                flat[model] = values
                if role:
                    asked[model] = role if str(key) not in ("segment", "segments") else "segment"
        return flat, asked

    def _by_prefix(self, prefixes: Sequence[str], asked: Mapping[str, str]) -> dict[str, dict[str, str]]:
        """By model, for each class the column of its probability."""
        names = [n for n in self.frame.columns if n not in asked]
        found: dict[str, dict[str, str]] = {}
        for prefix in prefixes:
            columns = {n[len(prefix) :]: n for n in names if n.startswith(prefix) and len(n) > len(prefix)}
            if not columns:
                raise InputError(
                    Text(
                        f"{self.where}: no column begins with {show(prefix)}. Found: {show_all(self.frame.columns)}.",
                        f"{zh(self.where)}：没有以 {show(prefix)} 开头的列。现有：{show_all(self.frame.columns)}。",
                    )
                )
            found[prefix.rstrip("_:.- ") or prefix] = columns
        if found or self.matrices:
            return found
        for prefix in _PREFIXES:
            columns = {n[len(prefix) :]: n for n in names if n.casefold().startswith(prefix) and len(n) > len(prefix)}
            if len(columns) > 1:
                return {prefix.rstrip("_:"): columns}
        return {}

    def _recognised(self, asked: Mapping[str, str]) -> dict[str, str]:
        taken = {column for columns in self.by_prefix.values() for column in columns.values()}
        names = [n for n in self.frame.columns if n not in taken]
        chosen = recognise(names, "classes", asked, self.where)
        self.notes += chosen.notes
        self.asked = asked
        return chosen.source

    @property
    def predicted(self) -> dict[str, str]:
        """By model the column of predicted classes."""
        return {c: c for role, c in self.source.items() if role.partition(":")[0] == "prediction"}

    @property
    def is_plain(self) -> bool:
        """Whether nobody would take it for anything else: names of classes on both sides, or a column for each."""
        label = self._names("label", self.source["label"])
        names = set(label.drop_nulls().unique())
        if self.by_prefix:
            return not any(names.isdisjoint(columns) for columns in self.by_prefix.values())
        if self.matrices:
            return _are_numbers(label) and all(m.shape[1] > 2 for m in self.matrices.values())
        for column in self.predicted:
            called = self._names("prediction", column)
            both_text = not _are_numbers(label) and not _are_numbers(called)
            if not both_text and names.isdisjoint(called.drop_nulls().unique()):
                return False
        return bool(self.predicted)

    # reading them

    def _names(self, role: str, column: str) -> pl.Series:
        from rankgauge.data._cast import Column

        return Column(self.frame.get_column(column), role, self.where, row, self.notes, True).classes()

    def read(self) -> ClassPredictions:
        if not (self.predicted or self.by_prefix or self.matrices):
            found = show_all(self.frame.columns)
            raise InputError(
                Text(
                    f"columns missing from {self.where}: 'prediction', or 'p_<class>' for each class. Found: {found}. "
                    'Pass prediction="name of the column".',
                    f"{zh(self.where)} 缺少列：'prediction'，或每个类别一列 'p_<类别>'。现有：{found}。"
                    '请传入 prediction="列名"。',
                )
            )
        if not self.frame.height:
            raise InputError(
                Text(
                    f"{self.where}: must have at least one row, got none.",
                    f"{zh(self.where)}：至少需要一行，现在没有行。",
                )
            )
        label = self._names("label", self.source["label"])
        called = {column: self._names("prediction", column) for column in self.predicted}
        columns = [(_what("label", self.source["label"]), label)]
        columns += [(_what("prediction", c), values) for c, values in called.items()]
        for what, values in columns:
            if values.null_count():
                self.checks.complain(what, _PRESENT, values.is_null().to_numpy(), values)
        self.checks.finish()
        classes = self._classes(label, called)
        for what, values in columns:
            self._must_be_known(what, values, classes)
        self.checks.finish()
        numbers = {n: _numbers_of(values, classes) for n, values in {"": label, **called}.items()}
        given = self._probabilities(classes)
        made = ClassPredictions(
            label=numbers.pop(""),
            classes=tuple(classes),
            called=numbers,
            probabilities=given,
            name=self.name,
            path=self.path,
            **self._others(),
        )
        return replace(with_models(made, self.notes), notes=tuple(self.notes)).without_zero_weights()

    def _classes(self, label: pl.Series, called: Mapping[str, pl.Series]) -> list[str]:
        """The names of all classes: those that were given, those of columns, or those that occur."""
        if self.given is not None:
            return self.given
        if self.by_prefix:
            return list(next(iter(self.by_prefix.values())))
        occurring = sorted({name for values in (label, *called.values()) for name in values.unique()}, key=_in_order)
        if not self.matrices:
            return occurring
        n = next(iter(self.matrices.values())).shape[1]
        if all(re.fullmatch(r"\d+", name) and int(name) < n for name in occurring):
            self.notes.append(
                Text(
                    f"columns of the matrix read as classes 0 to {n - 1}; `classes` names them otherwise",
                    f"矩阵各列按类别 0 到 {n - 1} 读取；可用 `classes` 指定",
                )
            )
            return [str(i) for i in range(n)]
        raise InputError(
            Text(
                f"{self.where}: a matrix of probabilities needs the names of its {n:,} columns. "
                f"Pass classes=[…] in their order; labels are {show_all(occurring[:6])}.",
                f"{zh(self.where)}：概率矩阵需要指明 {n:,} 列各是哪个类别。请按列的顺序传入 classes=[…]；"
                f"标签有 {show_all(occurring[:6])}。",
            )
        )

    def _must_be_known(self, what: str, values: pl.Series, classes: Sequence[str]) -> None:
        known = set(classes)
        strange = [name for name in values.unique() if name not in known]
        if not strange:
            return
        bad = values.is_in(strange).to_numpy()
        if self.by_prefix and self.given is None:
            first = next(iter(next(iter(self.by_prefix.values())).values()))
            prefix = first[: len(first) - len(classes[0])]
            column = show(prefix + strange[0])
            try_ = Text(
                f"There is no column {column}; are names of classes and columns written alike?",
                f"没有列 {column}；类别名与列名的写法是否一致？",
            )
        else:
            try_ = Text("Add it to classes=, or leave those rows out.", "请把它加入 classes=，或去掉这些行。")
        shown = show_all(list(classes[:6])) + (", …" if len(classes) > 6 else "")
        rule = Text(f"be one of the classes ({shown})", f"必须是已知类别之一（{shown}）")
        self.checks.complain(what, rule, bad, values, try_)

    def _probabilities(self, classes: Sequence[str]) -> dict[str, Array]:
        found = dict(self.matrices)
        for model, columns in self.by_prefix.items():
            missing = [c for c in classes if c not in columns]
            extra = [c for c in columns if c not in set(classes)]
            if missing or extra:
                problem = (
                    Text(f"has no probability of {show_all(missing[:3])}", f"没有类别 {show_all(missing[:3])} 的概率")
                    if missing
                    else Text(
                        f"has a probability of {show_all(extra[:3])}, which is no class",
                        f"有 {show_all(extra[:3])} 的概率，但没有这个类别",
                    )
                )
                raise InputError(
                    Text(
                        f"{self.where}: {show(model)} {problem.en}. Every class needs one column, and no other may "
                        "begin like them.",
                        f"{zh(self.where)}：{show(model)} {problem.zh}。每个类别需要一列，且不能有其他同前缀的列。",
                    )
                )
            found[model] = np.column_stack([self._column(columns[c]) for c in classes])
        for model, values in found.items():
            check_probabilities(model, values, classes, self.frame.height, self.checks)
        self.checks.finish()
        return found

    def _column(self, name: str) -> Array:
        from rankgauge.data._cast import Column

        values = Column(self.frame.get_column(name), "probability", self.where, row, self.notes, True)._floats()
        return np.asarray(values.fill_null(float("nan")).to_numpy(), dtype=np.float64)

    def _others(self) -> dict[str, Any]:
        """Weights, groups and segments, as those of labels and scores are read; times are checked, not kept."""
        from rankgauge.data._cast import Column

        out: dict[str, Any] = {"segments": {}}
        for role, name in self.source.items():
            kind = role.partition(":")[0]
            if kind in ("label", "prediction", "time"):
                continue
            column = Column(self.frame.get_column(name), role, self.where, row, self.notes, True)
            values = column.of_predictions(asked=True)
            assert values is not None
            read = getattr(self.checks, kind)(from_series(values, kind), name)
            if kind == "segment":
                out["segments"][name] = read
            else:
                out[kind] = read
        self.checks.finish()
        return out


_PRESENT = Text("not be missing", "不能缺失")


def _what(role: str, column: str) -> str:
    return word_for(role) if column == role else named(role, column)


def _are_numbers(names: pl.Series) -> bool:
    import polars as pl

    return names.cast(pl.Float64, strict=False).null_count() == names.null_count()


def _in_order(name: str) -> tuple[int, int, str]:
    """Whole numbers by size, then texts."""
    return (0, int(name), name) if re.fullmatch(r"-?\d{1,18}", name) else (1, 0, name)


def _numbers_of(values: pl.Series, classes: Sequence[str]) -> Array:
    import polars as pl

    return values.cast(pl.Enum(list(classes))).to_physical().to_numpy().astype(np.int64)
