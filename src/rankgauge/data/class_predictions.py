"""Classes: which of several each row is of, which a model called it, and how probable it held each.

label        cat    text or whole numbers
prediction   dog    the same; several columns are several models
p_cat, p_dog, p_fox     a column of probabilities for each class, or a matrix with `classes=`
weight, group, time and segments where there are any
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from rankgauge._numbers import counted, short
from rankgauge._piped import path_of, taken_in
from rankgauge._show import show, show_all
from rankgauge._text import Text, composed, joined, zh
from rankgauge.data._arrays import Array, Checks, Codes, from_series
from rankgauge.data._places import named, word_for
from rankgauge.data.columns import recognise
from rankgauge.data.frames import row
from rankgauge.data.predictions import left_out
from rankgauge.data.table import stem
from rankgauge.data.tabular import table_of
from rankgauge.errors import InputError, ParameterError

if TYPE_CHECKING:
    import polars as pl

__all__ = ["ClassPredictions", "may_be_classes", "read_classes"]

_NAME = "predictions"
_PREFIXES = ("p_", "prob_", "proba_", "probability_", "probabilities_", "p:", "概率_")
_NEAR = 1e-3  # how far the probabilities of a row may be from 1 together: columns are often rounded
_EXACT = 1e-6  # … without a note


@dataclass(frozen=True, eq=False, repr=False)
class ClassPredictions:
    """Rows of a class and what models said about it.

    >>> read_classes({"label": ["cat", "dog"], "prediction": ["cat", "cat"]})
    <ClassPredictions 'predictions': 2 rows, 2 classes, 1 model>
    """

    label: Array
    """The number of the class of each row."""
    classes: tuple[str, ...]
    called: dict[str, Array]
    """By model the numbers of predicted classes."""
    probabilities: dict[str, Array] = field(default_factory=dict)
    """By model, where there are any, the probability of each row and class."""
    weight: Array | None = None
    group: Codes | None = None
    segments: dict[str, Codes] = field(default_factory=dict)
    name: str = _NAME
    notes: tuple[str, ...] = ()
    zero_weight_rows: int = 0
    path: Path | None = None

    def __len__(self) -> int:
        return len(self.label)

    def __repr__(self) -> str:
        sizes = (
            counted(len(self), "row", "行"),
            f"{len(self.classes):,} class{'' if len(self.classes) == 1 else 'es'}",
            counted(len(self.called), "model", "个模型"),
        )
        return f"<ClassPredictions {self.name!r}: {', '.join(sizes)}>"

    def select(self, rows: Array) -> ClassPredictions:
        """These rows: a mask or indices."""
        return replace(
            self,
            label=self.label[rows],
            called={model: values[rows] for model, values in self.called.items()},
            probabilities={model: values[rows] for model, values in self.probabilities.items()},
            weight=None if self.weight is None else self.weight[rows],
            group=None if self.group is None else self.group.take(rows),
            segments={name: codes.take(rows) for name, codes in self.segments.items()},
        )


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
                matrix = _matrix(values)
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
        return _without_zero_weights(replace(_with_models(made, self.notes), notes=tuple(self.notes)))

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
            self._check_probabilities(model, values, classes)
        self.checks.finish()
        return found

    def _column(self, name: str) -> Array:
        from rankgauge.data._cast import Column

        values = Column(self.frame.get_column(name), "probability", self.where, row, self.notes, True)._floats()
        return np.asarray(values.fill_null(float("nan")).to_numpy(), dtype=np.float64)

    def _check_probabilities(self, model: str, values: Array, classes: Sequence[str]) -> None:
        what, problems = Text(f"probabilities {show(model)}", f"概率 {show(model)}"), self.checks.problems
        n, of_classes = self.frame.height, len(classes)
        if values.shape != (n, of_classes):
            got = f"{values.shape[0]:,} × {values.shape[1]:,}"
            problems.append(
                Text(
                    f"{what} must have a row for each of {n:,} rows and a column for each of {of_classes:,} classes, "
                    f"got {got}.",
                    f"{what.zh} 必须有 {n:,} 行、{of_classes:,} 列（每个类别一列），实际为 {got}。",
                )
            )
            return
        for bad, rule in (
            (np.isnan(values), Text("be numbers, none missing", "必须都是数字，不能缺失")),
            ((values < 0) | (values > 1), Text("be from 0 to 1", "必须在 0 到 1 之间")),
        ):
            if bad.any():
                rows, columns = np.nonzero(bad)
                at = joined(
                    Text(", ", "，"),
                    (
                        composed(
                            "{} for {} in {}", "{2}的 {1} 为 {0}", short(values[i, j]), show(classes[j]), row(int(i))
                        )
                        for i, j in zip(rows[:3], columns[:3], strict=True)
                    ),
                )
                more = ", …" if len(rows) > 3 else ""
                wrong_rows = counted(len(np.unique(rows)), "row", "行")
                problems.append(
                    Text(
                        f"{what} must {rule}, got {at}{more} ({wrong_rows}).",
                        f"{what.zh} {rule.zh}，实际{zh(at)}{more}（{wrong_rows.zh}）。",
                    )
                )
                return
        off = np.abs(values.sum(axis=1) - 1)
        if (wrong := np.flatnonzero(off > _NEAR)).size:
            at = joined(
                Text(", ", "，"),
                (composed("{} in {}", "{1}为 {0}", short(values[i].sum()), row(int(i))) for i in wrong[:3]),
            )
            more = ", …" if len(wrong) > 3 else ""
            problems.append(
                Text(
                    f"{what}: the classes of a row must sum to 1, got {at}{more} ({len(wrong):,} of {len(values):,} "
                    "rows). Is a class missing? Else divide each row by its sum.",
                    f"{what.zh}：每行各类别之和必须为 1，实际{zh(at)}{more}（{len(values):,} 行中有 "
                    f"{len(wrong):,} 行）。"
                    "是否缺少某个类别？否则请将每行除以其和。",
                )
            )
        elif (near := int(np.count_nonzero(off > _EXACT))) > 0:
            most = short(off.max(), 1)
            self.notes.append(
                Text(
                    f"{near:,} rows of probabilities sum to 1 only within {most}: taken as they are",
                    f"{near:,} 行概率之和与 1 相差不超过 {most}：按原值使用",
                )
            )

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


def _matrix(values: Any) -> Array | None:
    """Rows by classes as an array, where it is that."""
    if hasattr(values, "detach"):  # a tensor that may belong to a graph or to another device
        values = values.detach().cpu()
    first = values[0] if isinstance(values, (list, tuple)) and values else None
    if isinstance(first, (list, tuple, np.ndarray)) or getattr(values, "ndim", 1) == 2:
        try:
            made = np.asarray(values, dtype=np.float64)
        except (TypeError, ValueError):
            return None
        return made if made.ndim == 2 else None
    return None


def _are_numbers(names: pl.Series) -> bool:
    import polars as pl

    return names.cast(pl.Float64, strict=False).null_count() == names.null_count()


def _in_order(name: str) -> tuple[int, int, str]:
    """Whole numbers by size, then texts."""
    return (0, int(name), name) if re.fullmatch(r"-?\d{1,18}", name) else (1, 0, name)


def _numbers_of(values: pl.Series, classes: Sequence[str]) -> Array:
    import polars as pl

    return values.cast(pl.Enum(list(classes))).to_physical().to_numpy().astype(np.int64)


def _with_models(made: ClassPredictions, notes: list[str]) -> ClassPredictions:
    """Predicted classes of every model: those that were given, else the most probable ones."""
    given = made.probabilities
    if len(made.called) == len(given) == 1:  # the two columns of one model
        given = {next(iter(made.called)): next(iter(given.values()))}
    called = dict(made.called)
    for model, values in given.items():
        best = np.argmax(values, axis=1)
        if model in called:
            differing = int(np.count_nonzero(values[np.arange(len(best)), called[model]] < values.max(axis=1)))
            if differing:
                notes.append(
                    Text(
                        f"{model}: in {differing:,} of {len(best):,} rows the predicted class is not the most probable",
                        f"{model}：{len(best):,} 行中有 {differing:,} 行的预测类别不是概率最高的类别",
                    )
                )
            continue
        called[model] = best
        tied = int(np.count_nonzero((values == values.max(axis=1, keepdims=True)).sum(axis=1) > 1))
        if tied:
            notes.append(
                Text(
                    f"{model}: in {tied:,} of {len(best):,} rows several classes are most probable; the first of them "
                    "is the predicted one",
                    f"{model}：{len(best):,} 行中有 {tied:,} 行的最高概率并列；取其中第一个类别为预测类别",
                )
            )
    return replace(made, called=called, probabilities=given)


def _without_zero_weights(made: ClassPredictions) -> ClassPredictions:
    if made.weight is None or made.weight.min() > 0:
        return made
    kept = made.weight > 0
    n = len(made) - int(np.count_nonzero(kept))
    return replace(made.select(kept), zero_weight_rows=n, notes=(*made.notes, left_out(n)))
