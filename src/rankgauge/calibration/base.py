"""What is a calibrator: a few numbers that turn predictions into better probabilities, and a file to keep them in."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field, fields
from itertools import pairwise
from os import PathLike
from pathlib import Path
from typing import Any, ClassVar, Self, TypedDict, TypeVar, Unpack

from rankgauge._checks import is_number, number
from rankgauge._output import is_stream
from rankgauge._piped import as_given, path_of
from rankgauge._show import show
from rankgauge._text import Text, zh
from rankgauge._version import __version__
from rankgauge.alignment import Array
from rankgauge.calibration.sums import Sums
from rankgauge.errors import InputError, ParameterError, UnknownName, among

__all__ = ["CALIBRATORS", "Calibrator", "FitOptions", "FittedOn", "calibrator", "fit_calibrator", "load_calibrator"]

CALIBRATORS: dict[str, type[Calibrator]] = {}


C = TypeVar("C", bound="type[Calibrator]")


@dataclass(frozen=True)
class FittedOn:
    """What a calibrator has seen: rows, their weight, the weight of the positives."""

    rows: int
    weight: float
    positives: float

    @classmethod
    def sums(cls, sums: Sums) -> FittedOn:
        return cls(sums.rows, float(sums.weight.sum()) * sums.scale, float(sums.positive.sum()) * sums.scale)


@dataclass(frozen=True)
class Calibrator(ABC):
    """A map from predicted to better probabilities.

    `fit` learns it from labels, `apply` uses it, `save` keeps it. Two calibrators are equal when their
    parameters are, whatever they were fitted on.
    """

    name: ClassVar[str]

    fitted_on: FittedOn | None = field(default=None, kw_only=True, compare=False, repr=False)

    @classmethod
    @abstractmethod
    def fit(cls, label: Any, p: Any, weight: Any = None) -> Self:
        """Learn from labels (0/1, or shares between), predicted probabilities and weights, one of each per row."""

    @abstractmethod
    def apply(self, p: Any) -> Array:
        """The calibrated probabilities of `p`, float64 in the same shape."""

    @property
    @abstractmethod
    def keeps_order(self) -> bool:
        """Whether a higher p stays higher, so that AUC and every ranking stay as they are."""

    def to_dict(self) -> dict[str, Any]:
        """Kind, parameters and what it was fitted on, as plain values."""
        parameters = {name: _plain(getattr(self, name)) for name in _parameters(type(self))}
        facts = {} if self.fitted_on is None else {"fitted_on": asdict(self.fitted_on)}
        return {"kind": self.name, "parameters": parameters, **facts}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Calibrator:
        """The calibrator that `to_dict` described; from a class of one kind, only that kind."""
        if not isinstance(data, Mapping) or not isinstance(data.get("kind"), str):
            raise InputError(
                Text(
                    "a calibrator must be an object with a `kind`, `parameters` and perhaps `fitted_on`.",
                    "校准方法必须是含 `kind`、`parameters`，可能还有 `fitted_on` 的对象。",
                )
            )
        try:
            kind = _kind(data["kind"])
        except UnknownName as e:
            raise InputError(e.text) from e
        if not issubclass(kind, cls):
            raise InputError(
                Text(
                    f"{cls.__name__} must be read from a calibrator of kind {show(cls.name)}, got {show(kind.name)}.",
                    f"{cls.__name__} 必须由 {show(cls.name)} 类型的校准方法读出，实际为 {show(kind.name)}。",
                )
            )
        given, wanted = data.get("parameters"), _parameters(kind)
        if not isinstance(given, Mapping) or set(given) != set(wanted):
            got = sorted(given) if isinstance(given, Mapping) else given
            raise InputError(
                Text(
                    f"`parameters` of {show(kind.name)} must be {', '.join(wanted)}, got {show(got)}.",
                    f"{show(kind.name)} 的 `parameters` 必须是 {', '.join(wanted)}，实际为 {show(got)}。",
                )
            )
        values = {name: tuple(value) if isinstance(value, list) else value for name, value in given.items()}
        try:
            return kind(**values, fitted_on=_facts(data.get("fitted_on")))
        except ParameterError as e:
            raise InputError(e.text) from e

    def save(self, path: str | PathLike[str]) -> None:
        """Write a readable JSON file that `load_calibrator` gives back bit for bit.

        The file gets its name when it is complete; one that was there before stays until then.
        """
        import json

        from rankgauge.data.formats.write import atomic

        path = Path(path)
        if path.suffix.lower() != ".json" and not is_stream(path):
            raise ParameterError(
                Text(
                    f"`path` of a calibrator must end in .json, got {show(str(path))}.",
                    f"校准方法的 `path` 必须以 .json 结尾，实际为 {show(str(path))}。",
                )
            )
        text = json.dumps({"rankgauge": __version__, **self.to_dict()}, indent=1, allow_nan=False)
        with atomic(path) as file:
            file.write(f"{text}\n".encode())


def calibrator(kind: C) -> C:
    """Make a class known by its name."""
    CALIBRATORS[kind.name] = kind
    return kind


class FitOptions(TypedDict, total=False):
    """What some of the calibrators can be told; `fit` of each says what it takes."""

    bayesian: bool
    bins: int
    smoothing: float


def fit_calibrator(kind: str, label: Any, p: Any, weight: Any = None, **options: Unpack[FitOptions]) -> Calibrator:
    """Fit the calibrator of this name: platt, temperature, odds, isotonic or histogram.

    `options` are those of its `fit`, as `bins=20` for a histogram.

    >>> fit_calibrator("odds", [1, 0, 0, 0], [0.5, 0.5, 0.5, 0.5]).apply([0.5])
    array([0.25])
    """
    fit: Callable[..., Calibrator] = _kind(kind).fit
    return fit(label, p, weight, **options)


def load_calibrator(path: str | PathLike[str]) -> Calibrator:
    """Read a calibrator that `save` wrote."""
    from rankgauge.data.side import read_json

    path = path_of(path)
    where = Text(f"calibrator {show(as_given(path))}", f"校准方法 {show(as_given(path))}")
    data = read_json(path, where, Text("JSON as `save` writes it", "`save` 写出的 JSON"))
    if not isinstance(data, dict) or "rankgauge" not in data:
        raise InputError(
            Text(
                f"{where}: must be a file that `save` wrote; the `rankgauge` version is missing.",
                f"{zh(where)}：必须是 `save` 写出的文件；缺少 `rankgauge` 版本。",
            )
        )
    try:
        return Calibrator.from_dict(data)
    except InputError as e:
        version = data["rankgauge"]
        raise InputError(
            Text(
                f"{where}, written by rankgauge {version}: {e.text}",
                f"{where.zh}（由 rankgauge {version} 写出）：{zh(e.text)}",
            )
        ) from e


def ascending(kind: type[Calibrator], name: str, values: Any, *, strictly: bool) -> None:
    """Refuse a parameter that is not a tuple of probabilities, each at least the one before."""
    if not isinstance(values, tuple):
        raise ParameterError(
            Text(
                f"{kind.name}: `{name}` must be a tuple of numbers, got {show(values)}.",
                f"{kind.name}：`{name}` 必须是数字的元组，实际为 {show(values)}。",
            )
        )
    for value in values:
        number(name, value, at_least=0, at_most=1, caller=kind.name)
    for before, after in pairwise(values):
        if after < before or (strictly and after == before):
            raise ParameterError(
                Text(
                    f"{kind.name}: `{name}` must go up, got {show(after)} after {show(before)}.",
                    f"{kind.name}：`{name}` 必须递增，实际 {show(before)} 之后是 {show(after)}。",
                )
            )


def _kind(name: str) -> type[Calibrator]:
    try:
        return CALIBRATORS[name]
    except KeyError:
        raise UnknownName(
            Text(f"unknown calibrator {show(name)}.", f"未知的校准方法 {show(name)}。") + among(name, CALIBRATORS)
        ) from None


def _parameters(kind: type[Calibrator]) -> list[str]:
    return [f.name for f in fields(kind) if f.name != "fitted_on"]


def _plain(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value


def _facts(data: Any) -> FittedOn | None:
    if data is None:
        return None
    wanted = [f.name for f in fields(FittedOn)]
    if not isinstance(data, Mapping) or set(data) != set(wanted) or not all(map(is_number, data.values())):
        raise InputError(
            Text(
                f"`fitted_on` must hold the numbers {', '.join(wanted)}, got {show(data)}.",
                f"`fitted_on` 必须包含数字 {', '.join(wanted)}，实际为 {show(data)}。",
            )
        )
    return FittedOn(**data)
