"""A project file, `rankgauge.toml`: what is measured on what, by which measures, held to which rules, told to whom.

    project = "shop"
    store = "history.db"
    measures = ["nDCG@10", "R@100"]

    [datasets.july]
    qrels = "qrels.txt"

    [systems.bm25]
    run = "bm25.run"

    [gate]
    baseline = "previous"
    [gate.non_inferior]
    "nDCG@10" = 0.01

Paths are relative to the folder of the file. Secrets are none of its contents: they come from the environment, and the
file says from which variable.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib import resources
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal
from urllib.parse import urlsplit

import msgspec

from rankgauge._piped import Piped, as_given, path_of
from rankgauge._show import show
from rankgauge._text import Text, zh
from rankgauge.data._places import about
from rankgauge.data.activity import is_word
from rankgauge.data.settings import dotted, settings
from rankgauge.data.side import read_toml
from rankgauge.errors import InputError, ParameterError, RankgaugeError, among
from rankgauge.gate.config import GatePolicy
from rankgauge.history.rules import AlertRules, HealthRule
from rankgauge.project.gating import kinds_that_know, prediction_gate, ranking_gate
from rankgauge.project.schedule import schedule_of
from rankgauge.project.tables import CHANNELS, Channel, Dataset, GateRules, Problem, System, is_variable

if TYPE_CHECKING:
    Policies = Any
else:
    Policies = GatePolicy

__all__ = [
    "FILE",
    "Project",
    "ProjectTables",
    "example",
    "inputs_of",
    "read_project",
    "rules_by_kind",
    "slices_of_rankings",
]

FILE = "rankgauge.toml"
_DEFAULT_STORE = "history.db"
_STORE = "RANKGAUGE_STORE"
_UNDELIVERED = "undelivered.jsonl"
_TAKEN = frozenset({"system", "project", "dataset", "version", "at", "lists", "record", "gate"})
"""What entries of a store say of themselves, and no label may."""


class ProjectTables(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What the file says."""

    project: str = "default"
    """What its entries are filed under in the store."""
    store: str | None = None
    """A file, or the address of a server without its password; `RANKGAUGE_STORE` unless said, else history.db."""
    datasets: dict[str, Dataset]
    systems: dict[str, System]
    measures: tuple[str, ...] = ()
    scenario: str | None = None
    policy: Policies = GatePolicy()
    confidence_level: float = 0.95
    gate: GateRules | None = None
    alerts: AlertRules | None = None
    channels: dict[str, Channel] = {}
    undelivered: str = _UNDELIVERED
    """Where messages are kept that no channel took."""
    dashboard: str | None = None
    """The address of `rankgauge ui`, for links in messages."""
    report: str | None = None
    schedule: str | None = None
    """For `rankgauge watch`: 1d, 6h, or a time such as 06:00."""
    language: Literal["en", "zh"] | None = None
    """Of messages and of the report."""
    labels: dict[str, str] = {}

    def mistakes(self) -> Iterator[Problem]:
        yield from _of_names(self)
        yield from _of_systems(self)
        yield from _of_measures(self)
        yield from _of_gates(self)
        yield from _of_addresses(self)
        yield from _of_targets(self)
        if not 0 < self.confidence_level < 1:
            yield "confidence_level", Text("must be between 0 and 1, such as 0.95.", "必须在 0 与 1 之间，例如 0.95。")
        if self.schedule is not None:
            try:
                schedule_of(self.schedule)
            except ParameterError as e:
                yield "schedule", _colon(e.text)
        if self.scenario is not None:
            yield from _of_scenario(self)
        for at, labels in (
            ("labels", self.labels),
            *((dotted("systems", name, "labels"), s.labels) for name, s in self.systems.items()),
        ):
            if taken := sorted(_TAKEN & set(labels)):
                said = ", ".join(taken)
                yield at, Text(f"must not be called {said}: these are said elsewhere.", f"不能叫 {said}：另有用处。")


@dataclass(frozen=True)
class Project:
    """A project, read from its file. `rg.run_project` runs it."""

    tables: ProjectTables
    folder: Path
    where: Text
    """What messages call the file."""

    @property
    def name(self) -> str:
        return self.tables.project

    @property
    def store(self) -> str:
        """Where the history is: as the file says, else as the environment does, else beside the file."""
        if self.tables.store is not None:
            return self.tables.store if "://" in self.tables.store else str(self.folder / self.tables.store)
        return os.environ.get(_STORE) or str(self.folder / _DEFAULT_STORE)

    def at(self, path: str) -> str:
        """A path of the file as seen from the current folder."""
        return str(self.folder / path)

    def pairs(self) -> list[tuple[str, str]]:
        """Datasets and the systems that are measured on them."""
        return [
            (d, s) for d in self.tables.datasets for s, system in self.tables.systems.items() if _fits(self, d, system)
        ]

    def measures(self, dataset: str) -> tuple[str, ...]:
        """What is measured there: as the dataset says, else what the project says and is of its kind."""
        data = self.tables.datasets[dataset]
        return measures_of(self.tables, data)

    def gate(self, dataset: str) -> GateRules | None:
        """The rules that hold there."""
        own = self.tables.datasets[dataset].gate
        return self.tables.gate if own is None else own


def read_project(path: str | PathLike[str] = FILE) -> Project:
    """The project of a file; every mistake in it at once."""
    file = path_of(path)
    given = show(str(as_given(file)))
    where = Text(f"project file {given}", f"项目文件 {given}")
    data = read_toml(file, where)
    refuse_secrets(data, where)
    return Project(settings(ProjectTables, _prepared(data, _folder(file)), where), _folder(file), where)


def example(language: str) -> str:
    """A commented project file to begin with, about the shop of `rankgauge demo --save shop`."""
    name = "example.zh.toml" if language == "zh" else "example.toml"
    return (resources.files("rankgauge.project") / name).read_text(encoding="utf-8")


def _folder(file: Any) -> Path:
    return Path() if isinstance(file, Piped) else Path(file).parent


def _prepared(data: Mapping[str, Any], folder: Path) -> dict[str, Any]:
    """A channel that is called as a kind is of that kind; figures of a standard are read where the file lies."""
    out = dict(data)
    if isinstance(channels := data.get("channels"), Mapping):
        out["channels"] = {
            name: {"kind": name, **table} if isinstance(table, Mapping) and name in CHANNELS else table
            for name, table in channels.items()
        }
    out = _with_standards(out, folder)
    if isinstance(datasets := data.get("datasets"), Mapping):
        out["datasets"] = {
            name: _with_standards(table, folder) if isinstance(table, Mapping) else table
            for name, table in datasets.items()
        }
    return out


def _with_standards(table: Mapping[str, Any], folder: Path) -> dict[str, Any]:
    gate = table.get("gate")
    if not isinstance(gate, Mapping) or not isinstance(gate.get("standards"), str):
        return dict(table)
    return {**table, "gate": {**gate, "standards": str(folder / gate["standards"])}}


# secrets


_SECRET = ("url", "webhook", "password", "secret", "token", "access_token", "key", "api_key", "user")


def refuse_secrets(data: Mapping[str, Any], where: str) -> None:
    """Raises an error where a secret stands in the file, without saying it."""
    problems = [*_secrets_of_channels(data.get("channels")), *_secrets_of_addresses(data)]
    if problems:
        raise InputError.collect(about(where), problems)


def _secrets_of_channels(channels: Any) -> Iterator[Text]:
    if not isinstance(channels, Mapping):
        return
    for name, table in channels.items():
        for key, value in table.items() if isinstance(table, Mapping) else ():
            at = dotted("channels", str(name), str(key))
            if key in _SECRET:
                like = f'{key}_env = "{name.upper()}_{key.upper()}"' if is_variable(name) else f'{key}_env = "NAME"'
                yield Text(
                    f"`{at}` must not stand in a file that others can read: it is a secret. Put it into an environment "
                    f"variable and name that: {like}.",
                    f"`{at}` 不能写在别人看得到的文件里：它是机密。请放进环境变量，并写变量名：{like}。",
                )
            elif str(key).endswith("_env") and not is_variable(value):
                yield Text(
                    f"`{at}` must be the name of an environment variable, such as SLACK_URL; what it holds does not "
                    "belong into the file.",
                    f"`{at}` 必须是环境变量的名称，例如 SLACK_URL；变量的内容不能写在文件里。",
                )


def _secrets_of_addresses(data: Mapping[str, Any]) -> Iterator[Text]:
    for key in ("store", "dashboard"):
        value = data.get(key)
        if not isinstance(value, str) or "://" not in value:
            continue
        if _has_password(value):
            instead = (
                Text("set RANKGAUGE_STORE to the whole address", "把完整地址放进 RANKGAUGE_STORE")
                if key == "store"
                else Text("leave the user and the password out", "去掉用户名和密码")
            )
            yield Text(
                f"`{key}` must not have a password in it: a file is read by others. Instead, {instead}.",
                f"`{key}` 中不能有密码：文件会被别人看到。请{instead.zh}。",
            )


def _has_password(address: str) -> bool:
    try:
        parts = urlsplit(address)
        return bool(parts.password) or "password=" in parts.query.lower() or "token=" in parts.query.lower()
    except ValueError:
        return True  # whatever it is, it is not shown


# what no project can mean


def _of_names(t: ProjectTables) -> Iterator[Problem]:
    for key in ("datasets", "systems"):
        if not getattr(t, key):
            yield key, Text("must have one table or more.", "至少要有一个表。")
    for key in ("datasets", "systems", "channels"):
        for name in getattr(t, key):
            if not name or not name.isprintable():
                yield dotted(key, name), Text("must have a name that can be printed.", "名称必须可以打印。")
    if not t.project or not t.project.isprintable():
        yield "project", Text("must be a name that can be printed.", "必须是可以打印的名称。")


def _of_systems(t: ProjectTables) -> Iterator[Problem]:
    for name, system in t.systems.items():
        named = {"datasets": system.datasets, "run": tuple(system.run) if isinstance(system.run, Mapping) else ()}
        for key, datasets in named.items():
            for d in datasets:
                at = dotted("systems", name, key)
                if d not in t.datasets:
                    hint = among(d, t.datasets)
                    yield at, Text(f"names no dataset {show(d)}.{hint}", f"中的数据集 {show(d)} 不存在。{hint.zh}")
                elif t.datasets[d].is_of_rows != system.is_of_rows:
                    yield at, _OF_OTHER_KIND
        if not any(fits(t, d, system) for d in t.datasets) and not any(named.values()):
            yield (
                dotted("systems", name),
                Text(
                    "fits no dataset: a `score` needs one with `predictions`, a `run` or a `retriever` one with "
                    "`qrels` or `questions`.",
                    "没有适用的数据集：`score` 需要带 `predictions` 的，`run` 或 `retriever` 需要带 `qrels` 或 "
                    "`questions` 的。",
                ),
            )


_OF_OTHER_KIND = Text(
    "names a dataset of another kind: a `score` is measured on `predictions`, lists on `qrels` or `questions`.",
    "中的数据集类型不符：`score` 用 `predictions` 评测，结果列表用 `qrels` 或 `questions` 评测。",
)


def fits(t: ProjectTables, dataset: str, system: System) -> bool:
    """Whether a system is measured on a dataset."""
    if system.datasets and dataset not in system.datasets:
        return False
    if isinstance(system.run, Mapping) and dataset not in system.run:
        return False
    return t.datasets[dataset].is_of_rows == system.is_of_rows


def _fits(p: Project, dataset: str, system: System) -> bool:
    return fits(p.tables, dataset, system)


def measures_of(t: ProjectTables, data: Dataset) -> tuple[str, ...]:
    kind = "predictions" if data.is_of_rows else "rankings"
    return data.measures or tuple(m for m in t.measures if kind in kinds_that_know(m))


def _of_measures(t: ProjectTables) -> Iterator[Problem]:
    there = {"predictions" if d.is_of_rows else "rankings" for d in t.datasets.values()}
    for m in t.measures:
        known = kinds_that_know(m)
        if not known:
            yield "measures", _unknown(m)
        elif not known & there:
            yield (
                "measures",
                Text(
                    f"has {show(m)}, which no dataset here can be measured by: it is a measure of {', '.join(known)}.",
                    f"中的 {show(m)} 不适用于这里的任何数据集：它是 {', '.join(known)} 的指标。",
                ),
            )
    for name, d in t.datasets.items():
        for m in d.measures:
            kind = "predictions" if d.is_of_rows else "rankings"
            if kind not in kinds_that_know(m):
                yield dotted("datasets", name, "measures"), _unknown(m, kind)


def _unknown(measure: str, kind: str = "rankings") -> Text:
    from rankgauge.measures.grammar import parse_prediction, parse_ranking

    try:
        (parse_ranking if kind == "rankings" else parse_prediction)(measure)
    except RankgaugeError as e:
        return _colon(e.text)
    return Text("", "")  # pragma: no cover - somebody knows it


def _colon(text: str) -> Text:
    """After the key of what is wrong."""
    return Text(f"is not right: {text}", f"有误：{zh(text)}")


def _of_gates(t: ProjectTables) -> Iterator[Problem]:
    """Rules that no gate could have, each said once."""
    seen: set[str] = set()
    for name, data in t.datasets.items():
        rules = t.gate if data.gate is None else data.gate
        if rules is None:
            continue
        at = "gate" if data.gate is None else dotted("datasets", name, "gate")
        try:
            if data.is_of_rows:
                prediction_gate(rules, data, "score", measures_of(t, data), has_baseline=True)
            else:
                ranking_gate(rules, t.policy, data, measures_of(t, data), has_baseline=True)
        except InputError as e:
            for problem in e.problems:
                if problem not in seen:
                    seen.add(problem)
                    yield at, _colon(problem)
    yield from _of_rules_for_nobody(t)


def _of_rules_for_nobody(t: ProjectTables) -> Iterator[Problem]:
    everywhere = {"predictions" if d.is_of_rows else "rankings" for d in t.datasets.values()}
    places = [("gate", t.gate, everywhere)]
    places += [
        (dotted("datasets", name, "gate"), d.gate, {"predictions" if d.is_of_rows else "rankings"})
        for name, d in t.datasets.items()
    ]
    for at, rules, there in places:
        if rules is None:
            continue
        tables: dict[str, Mapping[str, Any]] = {
            "floors": rules.floors,
            "bounds": rules.bounds,
            "non_inferior": rules.non_inferior,
        }
        if rules.slices is not None:
            tables |= {f"slices.{k}": getattr(rules.slices, k) for k in ("floors", "bounds", "non_inferior")}
        for table, limits in tables.items():
            for m in limits:
                known = kinds_that_know(m)
                if not known:
                    yield f"{at}.{table}", _unknown(m)
                elif not known & there:
                    yield (
                        f"{at}.{table}",
                        Text(
                            f"has a rule about {show(m)}, a measure of {', '.join(known)}, and no dataset here is of "
                            "these.",
                            f"中有关于 {show(m)} 的规则，它是 {', '.join(known)} 的指标，而这里没有这样的数据集。",
                        ),
                    )


def _of_addresses(t: ProjectTables) -> Iterator[Problem]:
    if t.dashboard is not None and urlsplit(t.dashboard).scheme not in ("http", "https"):
        yield (
            "dashboard",
            Text(
                "must be the address of a web page, such as https://quality.example.org.",
                "必须是网页地址，例如 https://quality.example.org。",
            ),
        )


def _of_targets(t: ProjectTables) -> Iterator[Problem]:
    """What is written must not be what is read, nor what something else writes."""
    read = {os.path.normpath(path): path for path in inputs_of(t)}
    store = t.store or _DEFAULT_STORE
    written = {"store": None if "://" in store else store, "report": t.report, "undelivered": t.undelivered}
    written |= {dotted("channels", name, "path"): c.path for name, c in t.channels.items()}
    by_whom: dict[str, str] = {}
    for key, path in written.items():
        if path is None:
            continue
        other = by_whom.setdefault(os.path.normpath(path), key)
        if other != key and {key, other} & {"store", "report"}:  # lines of several can stand in one file
            yield (
                key,
                Text(
                    f"is the file {show(path)} that `{other}` writes. Name another one.",
                    f"与 `{other}` 写的是同一个文件 {show(path)}。请换一个文件名。",
                ),
            )
        if os.path.normpath(path) in read:
            yield (
                key,
                Text(
                    f"would overwrite the input {show(path)}. Name another file.",
                    f"会覆盖输入 {show(path)}。请换一个文件名。",
                ),
            )


def inputs_of(t: ProjectTables) -> list[str]:
    """The files that a project reads, as it names them."""
    names = ("qrels", "questions", "documents", "predictions", "train", "items")
    found: list[Any] = [getattr(d, name) for d in t.datasets.values() for name in names]
    found += [d.slices for d in t.datasets.values() if isinstance(d.slices, str) and not is_word(d.slices)]
    for s in t.systems.values():
        found += s.run.values() if isinstance(s.run, Mapping) else [s.run]
    return [path for path in found if isinstance(path, str)]


def _of_scenario(t: ProjectTables) -> Iterator[Problem]:
    from rankgauge.diagnosis.standards import load_standards

    try:
        load_standards().scenario(t.scenario or "")
    except RankgaugeError as e:
        yield "scenario", _colon(e.text)


def rules_by_kind(t: ProjectTables) -> AlertRules:
    """The alert rules, each about the systems that it can be asked of, where it names none.

    In a project of lists and of models nobody misses nDCG of a model, nor the queries that it has none of.
    """
    assert t.alerts is not None
    mine = {
        kind: tuple(name for name, s in t.systems.items() if s.is_of_rows == (kind == "predictions"))
        for kind in ("rankings", "predictions")
    }

    def placed(rule: Any) -> Any:
        kinds = [known for m in rule.measures if (known := kinds_that_know(m))]
        if rule.systems or len(kinds) < len(rule.measures):  # said, or a measure of neither, such as a latency
            return rule
        names = tuple(name for kind, some in mine.items() if any(kind in known for known in kinds) for name in some)
        return msgspec.structs.replace(rule, systems=names)

    def parted(rule: HealthRule) -> list[HealthRule]:
        if rule.systems:
            return [rule]
        of_rows = msgspec.structs.replace(
            rule, systems=mine["predictions"], missing_queries=None, judged=None, failures=None
        )
        return [msgspec.structs.replace(rule, systems=mine["rankings"]), *([of_rows] if of_rows.checks else [])]

    a = t.alerts
    if not all(mine.values()):
        return a
    health = tuple(x for rule in a.health for x in parted(rule))
    return msgspec.structs.replace(
        a, release=tuple(map(placed, a.release)), stream=tuple(map(placed, a.stream)), health=health
    )


def slices_of_rankings(project: Project, data: Dataset) -> str | None:
    """The file of attributes, or the word that stands for one."""
    if not isinstance(data.slices, str):
        return None
    return data.slices if is_word(data.slices) else project.at(data.slices)
