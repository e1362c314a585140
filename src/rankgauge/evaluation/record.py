"""The result of an evaluation: numbers with their contract, intervals and counts.

What the records of rankings and of labels and scores have in common.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import isnan
from os import PathLike
from typing import TYPE_CHECKING, Any, Generic, Self, TypeVar, Unpack

from rankgauge._numbers import counted
from rankgauge._piped import as_given, path_of
from rankgauge._records import Asked, read_back
from rankgauge._rendered import reach
from rankgauge._show import show, show_all
from rankgauge._text import Text, as_spoken, composed, in_language, in_words, zh
from rankgauge.errors import InputError, ParameterError, UnknownName, among
from rankgauge.measures.definition import Definition
from rankgauge.statistics.intervals import Interval

if TYPE_CHECKING:
    import polars as pl

    from rankgauge._records import StoreOptions
    from rankgauge._rendered import CompareOptions, Comparison, PairOptions, Tradeoff
    from rankgauge.evaluation.predictions.of_rows import Estimate
    from rankgauge.evaluation.predictions.policy import PredictionPolicy
    from rankgauge.evaluation.rankings.policy import Policy
    from rankgauge.evaluation.rankings.record import Column
    from rankgauge.measures.base import Measure
    from rankgauge.measures.predictions.base import RowMeasure

__all__ = ["Evaluation", "Evaluations", "plain"]


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Evaluation(Asked):
    """Numbers with their contract: `ev["nDCG@10"]`, `ev["AUC"]`, under any spelling of the name.

    `ev.interval(name)` says how far a number can be trusted, `ev.counts` what went into it, `ev.policy` what was
    decided on the way. `rg.evaluate` and `rg.evaluate_predictions` make them.
    """

    columns: Sequence[Column | Estimate]
    policy: Policy | PredictionPolicy
    counts: Mapping[str, Any]
    confidence_level: float = 0.95
    remarks: Sequence[str] = ()
    """What was recognised or repaired in the input."""
    version: str = ""

    @property
    def notes(self) -> Sequence[str]:
        """What a reader must know besides the numbers, each said once."""
        return tuple(as_spoken(text) for text in dict.fromkeys(self.remarks))

    # what each kind says

    @property
    def _system(self) -> str:
        """The name of the run or of the model."""
        raise NotImplementedError  # pragma: no cover

    def _parse(self, name: Any) -> Definition:
        raise NotImplementedError  # pragma: no cover - each kind has its own measures

    def _total(self, column: Any) -> float:
        raise NotImplementedError  # pragma: no cover

    def n(self, name: Any) -> int:
        """How many independent units the number of this measure rests on."""
        raise NotImplementedError  # pragma: no cover

    def interval(self, name: Any, confidence_level: float | None = None) -> Interval:
        """Confidence interval of the number of this measure."""
        raise NotImplementedError  # pragma: no cover

    def csv_rows(self) -> list[dict[str, Any]]:
        """The rows of `to_frame` as dicts."""
        raise NotImplementedError  # pragma: no cover

    @property
    def _about(self) -> tuple[str, str]:
        """What the numbers are of, and how much of it: the name of the judgements or rows, and their count."""
        raise NotImplementedError  # pragma: no cover

    def __repr__(self) -> str:
        data, size = self._about
        measures = counted(len(self.columns), "measure", "个指标")
        told = ("<{} of {} on {}: {}, {}>", "<{} {}，数据 {}：{}，{}>")
        return str(in_language(composed(*told, type(self).__name__, show(self._system), show(data), measures, size)))

    # numbers

    @property
    def labels(self) -> list[str]:
        return [c.label for c in self.columns]

    @property
    def measures(self) -> list[Measure | RowMeasure]:
        return [c.measure for c in self.columns]

    def column(self, name: Any) -> Column | Estimate:
        """The column of a measure, under any of its names."""
        for c in self.columns:
            if name == c.label:
                return c
        wanted = self._parse(name)
        for c in self.columns:
            if wanted in (c.measure, self._parse(c.label)):
                return c
        raise UnknownName(Text(f"{name!s} was not evaluated.", f"没有评测 {name!s}。") + among(name, self.labels))

    def __getitem__(self, name: Any) -> float:
        return self._total(self.column(name))

    def __contains__(self, name: object) -> bool:
        try:
            self.column(name)
        except (UnknownName, ParameterError):
            return False
        return True

    def __iter__(self) -> Iterator[str]:
        return iter(self.labels)

    def __len__(self) -> int:
        return len(self.columns)

    def mean(self) -> dict[str, float]:
        """The number of each measure: its mean over queries, the sum of a count, its value over all rows."""
        return {c.label: self._total(c) for c in self.columns}

    def compare(self, other: Evaluation, **options: Unpack[CompareOptions]) -> Comparison:
        """Is the other one better than this one? `rg.compare` of the two, with this one as the baseline.

        >>> import rankgauge as rg
        >>> qrels = {f"q{i}": {"d": 1} for i in range(20)}
        >>> old = rg.evaluate(qrels, {q: ["x", "d"] for q in qrels}, "RR")
        >>> old.compare(rg.evaluate(qrels, {q: ["d"] for q in qrels}, "RR")).verdict("RR")
        'better'
        """
        if not isinstance(other, Evaluation):
            raise InputError(
                Text(
                    f"compare() needs another evaluation, got {type(other).__name__}. Evaluate it first, or call "
                    "rg.compare(qrels, {name: run, …}).",
                    f"compare() 需要另一个评测，实际为 {type(other).__name__}。请先评测它，或调用 "
                    f"rg.compare(qrels, {{name: run, …}})。",
                )
            )
        names = [self._system, other._system]
        if names[0] == names[1]:
            names = ["baseline", "other"]
        return self._compared(dict(zip(names, (self, other), strict=True)), **options)

    # tables and plain data

    def to_frame(self) -> pl.DataFrame:
        """One row per measure: label, canonical text, value, interval, and what the number rests on."""
        import polars as pl

        types = {"value": pl.Float64, "undefined": pl.String}
        rows = in_words(self.csv_rows())
        known = {name: types[name] for name in types if rows and name in rows[0]}
        return pl.DataFrame(rows, schema_overrides=known, orient="row")

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """An evaluation from what `to_dict` gave, of whatever kind it is; the first versions stored rankings only."""
        return super().from_dict({"kind": cls.kind or "rankings", **data})

    @classmethod
    def from_json(cls, path: str | PathLike[str]) -> Self:
        """Read an evaluation that `to_json` wrote."""
        from rankgauge.data.side import read_json

        file = path_of(path)
        where = Text(f"stored evaluation {show(as_given(file))}", f"存储的评测 {show(as_given(file))}")
        data = read_json(file, where, Text("an evaluation as JSON", "JSON 格式的评测"))
        if not isinstance(data, Mapping):
            raise InputError(
                Text(
                    f"{where} must hold an evaluation as JSON, got {show(data)}.",
                    f"{zh(where)} 必须包含 JSON 格式的评测，实际为 {show(data)}。",
                )
            )
        return read_back(where, cls.from_dict, data)


E = TypeVar("E", bound=Evaluation)


class Evaluations(Mapping[str, E], Asked, Generic[E]):
    """Evaluations of several runs against the same judgements, or of several models on the same rows, by name."""

    def __init__(self, members: Mapping[str, E]) -> None:
        self._members = dict(members)

    def __getitem__(self, name: str) -> E:
        try:
            return self._members[name]
        except KeyError:
            raise UnknownName(
                Text(f"no run {show(name)}.", f"没有 run {show(name)}。") + among(name, self._members)
            ) from None

    def __iter__(self) -> Iterator[str]:
        return iter(self._members)

    def __len__(self) -> int:
        return len(self._members)

    def __repr__(self) -> str:
        told = ("<{} of {}: {}>", "<{}，共 {} 个：{}>")
        return str(in_language(composed(*told, type(self).__name__, len(self), show_all(list(self)))))

    def tradeoff(self, *measures: Any, **options: Unpack[PairOptions]) -> Tradeoff:
        """Who is better in one measure only by being worse in another, and who is dominated: `rg.tradeoff(evs, …)`."""
        made: Tradeoff = reach("comparison.tradeoff", "tradeoff")(self, *measures, **options)
        return made

    def compare(self, **options: Unpack[CompareOptions]) -> Comparison:
        """Which of them is better? `rg.compare` of all, with the first as the baseline unless `baseline=` says."""
        return self._compared(self._members, **options)

    def mean(self) -> dict[str, dict[str, float]]:
        """The numbers of each run."""
        return {name: ev.mean() for name, ev in self.items()}

    def to_frame(self) -> pl.DataFrame:
        """One row per run, a column per measure."""
        import polars as pl

        return pl.DataFrame([{"run": name, **means} for name, means in self.mean().items()])

    def csv_rows(self) -> list[dict[str, Any]]:
        """One dict per run and measure."""
        return [{"run": name, **row} for name, ev in self.items() for row in ev.csv_rows()]

    def to_dict(self, **options: Unpack[StoreOptions]) -> dict[str, Any]:
        """Each run as its own `to_dict` gives it, by name."""
        tell: dict[str, Callable[..., dict[str, Any]]] = {name: ev.to_dict for name, ev in self.items()}
        return {name: told(**options) for name, told in tell.items()}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Evaluations from what `to_dict` gave."""
        return cls.of_stored({name: Evaluation.from_dict(ev) for name, ev in data.items()})  # type: ignore[misc]

    @classmethod
    def of_stored(cls, members: Mapping[str, E]) -> Self:
        """Evaluations that were stored together."""
        return cls(members)


def plain(value: Any) -> Any:
    """NaN has no place in JSON: None instead."""
    return None if isinstance(value, float) and isnan(value) else value
