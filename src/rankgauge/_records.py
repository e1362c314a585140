"""Records know themselves: what kind each is, how it is stored, and how it comes back.

A record says its kind and the number of its schema where its class is made, and is known by them from then on:

    class Funnel(Record, kind="funnel", schema=1): …

Writers, charts and screens are found by the kind, and so is the class of a stored record. A class without a kind of its
own is of the kind of its parent: it is shown, stored and read back as that. What a record holds is stored by its
fields (`_plain_data.py`); a record that other people read under other names says so in `stored_as` and `_also`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields
from functools import wraps
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, ParamSpec, Self, TypedDict, TypeVar, Unpack, cast

from rankgauge._plain_data import (
    chinese_of,
    damaged,
    in_english,
    odd_of,
    read_fields,
    stored_fields,
    with_chinese,
    with_odd,
    without_odd,
)
from rankgauge._rendered import Rendered, reach, refuse_sources
from rankgauge._show import LIMIT, cut, show
from rankgauge._text import Text, composed, zh
from rankgauge._version import __version__
from rankgauge.errors import InputError, RankgaugeError

if TYPE_CHECKING:
    import pandas as pd

    from rankgauge._rendered import (
        CompareOptions,
        Comparison,
        DiagnoseOptions,
        Findings,
        RateOptions,
        Ratings,
        ReportOptions,
    )

__all__ = ["HOMES", "Asked", "Record", "StoreOptions", "class_of", "fits_together", "kinds_of", "read_back"]

HOMES = {
    "ab_test": "experiments.ab_test",
    "agreement": "experiments.agreement",
    "alerts": "history.alerts",
    "answers": "evaluation.rankings.answers",
    "audit": "data.audit.record",
    "by_budget": "evaluation.rankings.by_budget",
    "by_call": "evaluation.rankings.by_call",
    "by_cutoff": "evaluation.rankings.by_cutoff",
    "by_item_group": "evaluation.rankings.by_item_group",
    "by_part": "comparison.by_part",
    "calibration": "calibration.judge",
    "channels": "evaluation.funnel.channels_record",
    "classes": "evaluation.predictions.classes",
    "classes_by_name": "evaluation.predictions.classes",
    "cleaned": "behavior.cleaning.clean",
    "click_models": "behavior.click_models.choosing",
    "collected": "data.collected",
    "comparison": "comparison.record",
    "confusion_matrix": "evaluation.predictions.per_class",
    "corrected": "behavior.bias.correction",
    "cuped": "experiments.cuped",
    "drift": "comparison.drift_record",
    "explanation": "measures.explanation",
    "findings": "diagnosis.finding",
    "funnel": "evaluation.funnel.record",
    "gaps": "evaluation.rankings.gaps",
    "gate": "gate.result",
    "identifiability": "behavior.bias.identifiability",
    "interleaving": "experiments.credit",
    "judgement_health": "evaluation.rankings.judgement_health",
    "judgements": "behavior.grading.record",
    "movement": "comparison.movement",
    "not_located": "evaluation.rankings.not_located",
    "off_policy": "behavior.counterfactual.record",
    "overlap": "comparison.overlap",
    "position_bias": "behavior.bias.position_bias",
    "prediction_gate": "gate.predictions",
    "predictions": "evaluation.predictions.record",
    "predictions_by_name": "evaluation.predictions.record",
    "rankings": "evaluation.rankings.record",
    "rankings_by_name": "evaluation.rankings.record",
    "project_run": "project.record",
    "ratings": "diagnosis.ratings",
    "ratio": "experiments.ratios",
    "ratio_change": "experiments.ratios",
    "reading": "diagnosis.order_and_probability",
    "reliability": "calibration.diagram",
    "sample_ratio": "experiments.sample_ratio",
    "score_histogram": "evaluation.predictions.score_histogram",
    "segments": "calibration.segments",
    "sensitivity": "behavior.grading.sensitivity",
    "split": "protocols.splitting",
    "sweep": "comparison.sweep",
    "tradeoff": "comparison.tradeoff",
    "threshold": "evaluation.predictions.thresholds",
    "trend": "history.trend",
    "unsampled": "evaluation.rankings.unsampled",
}
"""Where each kind is made, so that a stored one loads its own module and no other."""

_CLASSES: dict[str, type[Record]] = {}

P = ParamSpec("P")
R = TypeVar("R")


def class_of(kind: str) -> type[Record] | None:
    """The class of a kind; None where there is none."""
    if kind not in _CLASSES and kind in HOMES:
        reach(HOMES[kind], "__all__")  # the class makes itself known
    return _CLASSES.get(kind)


def kinds_of(record: object) -> Iterator[str]:
    """What a record is, the most special first: its kind, then those of its parents."""
    seen = dict.fromkeys(vars(cls).get("kind") for cls in type(record).__mro__)
    return (kind for kind in seen if isinstance(kind, str) and kind)


class StoreOptions(TypedDict, total=False):
    """What is stored of a record, where its kind leaves a choice: the keywords of its `to_dict`."""

    per_query: bool
    """Of an evaluation of rankings: the values of single queries as well."""
    losses: bool
    """Of a funnel: a row per lost item as well."""


class Record(Rendered):
    """A result that people look at, and that can be stored and read back."""

    kind: ClassVar[str] = ""
    schema: ClassVar[int] = 0
    stored_as: ClassVar[Mapping[str, str]] = {}
    """Fields that are stored under another key."""
    not_stored: ClassVar[Mapping[str, str]] = {}
    """Fields that are not stored, and what to do to have them."""
    is_input: ClassVar[bool] = False
    """Whether its table is input of rankgauge as well: then ids stay as they are for spreadsheets, too."""

    def __init_subclass__(
        cls,
        *,
        kind: str = "",
        schema: int = 0,
        stored_as: Mapping[str, str] | None = None,
        not_stored: Mapping[str, str] | None = None,
        is_input: bool = False,
        **options: Any,
    ) -> None:
        super().__init_subclass__(**options)
        if kind:
            cls.kind, cls.schema = kind, schema
            _CLASSES[kind] = cls
        cls.stored_as = {**cls.stored_as, **(stored_as or {})}
        cls.not_stored = {**cls.not_stored, **(not_stored or {})}
        cls.is_input = cls.is_input or is_input

    if not TYPE_CHECKING:  # type checkers know what there is

        def __getattr__(self, name: str) -> Any:
            if name in type(self).not_stored:
                raise InputError(
                    Text(
                        f"a stored record of kind {self.kind} has no `{name}`. {type(self).not_stored[name]}",
                        f"已保存的 {self.kind} 记录没有 `{name}`。{zh(type(self).not_stored[name])}",
                    )
                )
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")

    # storing

    def report(self, path: str | PathLike[str] | None = None, **options: Unpack[ReportOptions]) -> str:
        """What the record says as one HTML file that opens anywhere: `rg.report(record, path, …)`."""
        if path is not None:
            refuse_sources(self, path)
        written: str = reach("reporting.page", "report")(self, path, **options)
        return written

    def to_dict(self) -> dict[str, Any]:
        """Everything that is stored, as plain Python values, nothing rounded; `rg.load` and `from_dict` read it."""
        return self._stored(self._plain())

    def _columnar(self) -> dict[str, Any]:
        """The same, but long columns of numbers may be arrays, for those who keep them as they are."""
        return self.to_dict()

    def _plain(self) -> dict[str, Any]:
        """The fields as plain data, without what says which record it is."""
        return stored_fields(self, renamed=self.stored_as, left_out={*self.not_stored, "version"}) | self._also()

    def _also(self) -> dict[str, Any]:
        """What readers of the file find there besides the fields, or in their place."""
        return {}

    def _stored(self, told: dict[str, Any]) -> dict[str, Any]:
        """With what says which record it is, and beside it what JSON has no place for."""
        head = {"rankgauge": self._written_by, "kind": self.kind, "schema": self.schema}
        beside = {"not_finite": odd_of(told), "zh": chinese_of(told)}
        told = in_english(without_odd(told, beside["not_finite"]), beside["zh"])
        return {**head, **told, **{key: words for key, words in beside.items() if words}}

    @property
    def _written_by(self) -> str:
        return str(vars(self).get("version") or __version__)

    def to_json(self, path: str | PathLike[str] | None = None, **options: Unpack[StoreOptions]) -> str:
        """`to_dict` as JSON text; written to `path` as well when one is given."""
        import json

        told: Callable[..., dict[str, Any]] = self.to_dict  # each kind takes what it leaves a choice of
        text = json.dumps(told(**options), ensure_ascii=False, indent=1)
        if path is not None:
            refuse_sources(self, path)
            reach("data.formats.write", "write_text")(Path(path), text + "\n")
        return text

    # reading back

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """The record that `to_dict` described, of whatever kind it is; from a class of one kind, only that kind."""
        if not isinstance(data, Mapping):
            raise damaged("", Text(f"expected object, got {show(data)}", f"应为 object，实际为 {show(data)}"))
        kind = data.get("kind", cls.kind)
        found = class_of(kind) if isinstance(kind, str) else None
        if found is None or not (issubclass(found, cls) or issubclass(cls, found)):
            must: str = show(cls.kind) if cls.kind else Text(f"that of {cls.__name__}", f"{cls.__name__} 的 kind")
            raise InputError(
                composed(
                    "not what was stored: kind must be {}, got {}.",
                    "与保存的内容不符：kind 必须是 {}，实际为 {}。",
                    must,
                    show(kind),
                )
            )
        schema = _known_schema(found, data.get("schema", 0))
        try:
            record = found._from_plain(with_chinese(with_odd(data, data.get("not_finite")), data.get("zh")))
        except KeyError as e:
            raise damaged(
                "", Text(f"object missing required field {e.args[0]}", f"对象缺少必填字段 {e.args[0]}")
            ) from e
        except InputError as e:
            if schema == found.schema:
                raise
            older = Text(
                " If an older rankgauge wrote it, compute it again and store that.",
                "如果是旧版本的 rankgauge 写出的，请重新计算并保存。",
            )
            raise InputError(e.text + older) from e
        if isinstance(data.get("rankgauge"), str):
            vars(record)["version"] = data["rankgauge"]  # who wrote it, also of those without such a field
        vars(record)["was_stored"] = True
        return cast("Self", record)

    @classmethod
    def _from_plain(cls, data: Any) -> Self:
        """From the fields as plain data."""
        given = {**dict.fromkeys(cls.not_stored), "version": ""}
        return cls._made(**read_fields(cls, data, renamed=cls.stored_as, given=given))

    @classmethod
    def _made(cls, **values: Any) -> Self:
        """A record without what is not stored: who asks for that is told what to do."""
        known = {f.name for f in fields(cls)}  # type: ignore[arg-type]
        record = cls(**{name: v for name, v in values.items() if name in known})
        for name in cls.not_stored:
            vars(record).pop(name, None)
        return record


def _known_schema(cls: type[Record], schema: Any) -> int:
    """The number of a schema that this version can read."""
    if isinstance(schema, bool) or not isinstance(schema, int) or schema < 0:
        raise damaged(
            "schema",
            Text(f"expected the number of a schema, got {show(schema)}", f"应为 schema 的编号，实际为 {show(schema)}"),
        )
    if schema > cls.schema:
        raise InputError(
            Text(
                f"it was stored by a newer rankgauge: schema {schema} of {cls.kind}, and this version "
                f"({__version__}) knows up to {cls.schema}. Update rankgauge.",
                f"它由更新版本的 rankgauge 保存：{cls.kind} 的 schema 为 {schema}，而本版本（{__version__}）最"
                f"多支持 {cls.schema}。请升级 rankgauge。",
            )
        )
    return schema


def read_back(where: str, read: Callable[[Mapping[str, Any]], R], data: Mapping[str, Any]) -> R:
    """The record that `read` makes of stored data, or an error that says where it was stored."""
    try:
        return read(data)
    except RankgaugeError as e:
        raise InputError(composed("{}: {}", "{}：{}", where, e.text)) from e
    except (LookupError, TypeError, ValueError, AttributeError, ArithmeticError, RecursionError) as e:
        is_ours = not isinstance(e, (TypeError, AttributeError))  # Python's own words say nothing about the file
        en, own = (f": {cut(str(e), LIMIT)}", f"：{cut(str(e), LIMIT)}") if is_ours else ("", "")
        raise InputError(
            Text(
                f"{where} must be what `to_json()` or `rankgauge … --json` writes, but cannot be read back "
                f"({type(e).__name__}{en}). Store it again.",
                f"{zh(where)} 必须是 `to_json()` 或 `rankgauge … --json` 写出的内容，但无法读回（"
                f"{type(e).__name__}{own}）。请重新保存。",
            )
        ) from e


def fits_together(show_it: Callable[P, R]) -> Callable[P, R]:
    """For those who show a record: parts of a stored one that do not fit each other are an error of the input."""

    @wraps(show_it)
    def shown(*args: P.args, **options: P.kwargs) -> R:
        try:
            return show_it(*args, **options)
        except RankgaugeError:
            raise
        except (LookupError, TypeError, ValueError, AttributeError, ArithmeticError) as e:
            records = args[0] if args and isinstance(args[0], list) else args[:1]
            if not any(isinstance(x, Record) and vars(x).get("was_stored") for x in cast("Any", records)):
                raise
            raise InputError(
                Text(
                    f"a stored record cannot be shown: its parts do not fit each other ({type(e).__name__}: "
                    f"{cut(str(e), LIMIT)}). Compute it again and store that.",
                    f"已保存的记录无法显示：各部分互相不一致（{type(e).__name__}：{cut(str(e), LIMIT)}）。请重新计"
                    "算并保存。",
                )
            ) from e

    return shown


class Asked(Record):
    """A record that leads to a decision."""

    def diagnose(self, **options: Unpack[DiagnoseOptions]) -> Findings:
        """What the numbers say, what is wrong, and what to do first: `rg.diagnose(record, …)`."""
        found: Findings = reach("diagnosis", "diagnose")(self, **options)
        return found

    def ratings(self, scenario: str | None = None, **options: Unpack[RateOptions]) -> Ratings:
        """Each number in a word, with where the bands come from and what to do: `rg.rate(record, scenario=…)`."""
        found: Ratings = reach("diagnosis", "rate")(self, scenario=scenario, **options)
        return found

    def _compared(self, systems: Any, **options: Unpack[CompareOptions]) -> Comparison:
        made: Comparison = reach("comparison", "compare")(systems, **options)
        return made

    def _sentences(self, language: str | None) -> list[str]:
        said: list[str] = reach("reporting.verdicts", "sentences")(self, language)
        return said

    to_frame: Callable[..., Any]

    def to_pandas(self) -> pd.DataFrame:
        """`to_frame` as a pandas frame."""
        import pandas as pd

        return pd.DataFrame(self.to_frame().to_dict(as_series=False))
