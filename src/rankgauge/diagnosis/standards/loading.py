"""From TOML files to standards: the shipped ones first, then a file of the user's own laid over them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from os import PathLike
from pathlib import Path
from typing import Any

from rankgauge._piped import as_given, path_of
from rankgauge._show import show
from rankgauge._text import Text
from rankgauge.data._places import about
from rankgauge.data.side import read_toml
from rankgauge.diagnosis.standards.building import standards_of
from rankgauge.diagnosis.standards.records import Standards
from rankgauge.errors import InputError, RankgaugeError

__all__ = ["load_standards"]

_SHIPPED = ("sources.toml", "bands.toml", "scenarios.toml", "anchors.toml", "production.toml")

Table = dict[str, Any]


def load_standards(path: str | PathLike[str] | None = None) -> Standards:
    """The shipped standards, changed by the TOML file at `path` where it says something else.

    Tables are merged key by key, lists (the bands of a measure, recommended measures, cutoffs) are replaced as a
    whole. A figure may be a number alone; without a `source` its source is the name of the file:

        [scenarios.faq.benchmarks]
        MRR = 0.9

    >>> load_standards().scenario("faq").measures
    ('RR', 'Hit@3', 'P@3')
    """
    if path is None:
        return _shipped()
    from rankgauge.diagnosis.standards.checking import check

    path = path_of(path)
    where = _file(as_given(path))
    changes = _prepared(_read(path), path.name, where)
    tables = _merged(_shipped_tables(), changes)
    check(tables, where)
    return standards_of(tables)


@lru_cache(maxsize=1)
def _shipped() -> Standards:
    """Read once: a page rates every card. That they make sense is seen by the tests."""
    return standards_of(_shipped_tables())


def _shipped_tables() -> Table:
    data: Table = {}
    for name in _SHIPPED:
        file = Path(__file__).with_name(name)
        data = _merged(data, _prepared(_read(file), None, _file(name)))
    return data


def _file(name: str | PathLike[str]) -> Text:
    return Text(f"standards file {show(name)}", f"标准文件 {show(name)}")


def _read(path: Path) -> Table:
    return read_toml(path, _file(as_given(path)))


def _merged(data: Mapping[str, Any], changes: Mapping[str, Any]) -> Table:
    """Tables are merged, everything else is replaced."""
    out = dict(data)
    for key, value in changes.items():
        below = out.get(key)
        out[key] = _merged(below, value) if isinstance(value, Mapping) and isinstance(below, Mapping) else value
    return out


# One spelling per measure and a source on every figure, before files are merged. What has the wrong shape stays as it
# is: the check that follows names it.


def _prepared(data: Table, source: str | None, where: str) -> Table:
    problems: list[str] = []

    def measures(table: Any, path: str) -> Any:
        return _spelled(table, path, problems)

    def scenario(value: Table, path: str) -> Table:
        out = dict(value)
        if "measures" in out:
            _sourced(out, source, "measures_source")
        if isinstance(out.get("cutoffs"), list):
            out["cutoffs"] = [_sourced(dict(c), source) if isinstance(c, dict) else c for c in out["cutoffs"]]
        if "benchmarks" in out:
            out["benchmarks"] = _figures(measures(out["benchmarks"], f"{path}.benchmarks"), source)
        if isinstance(out.get("advice"), dict):
            told = measures(out["advice"], f"{path}.advice")
            out["advice"] = {k: _sourced(dict(v), source) if isinstance(v, dict) else v for k, v in told.items()}
        return out

    def anchor(value: Table, path: str) -> Table:
        out = dict(value)
        own = out.pop("source", source)
        if "systems" in out:
            out["systems"] = _each(
                out["systems"], f"{path}.systems", lambda table, at: _figures(measures(table, at), own)
            )
        return out

    def level(value: Table, path: str) -> Table:
        return {k: _figures(measures(v, f"{path}.{k}"), source) if k == "figures" else v for k, v in value.items()}

    out = dict(data)
    if isinstance(out.get("bands"), dict):
        out["bands"] = {
            key: [_sourced(dict(b), source) if isinstance(b, dict) else b for b in value]
            if isinstance(value, list)
            else value
            for key, value in measures(out["bands"], "bands").items()
        }
    for key, prepare in (("scenarios", scenario), ("anchors", anchor), ("production", level)):
        if key in out:
            out[key] = _each(out[key], key, prepare)
    if isinstance(out.get("choice"), dict) and {"at_least", "at_most", "measures"} & set(out["choice"]):
        out["choice"] = _sourced(dict(out["choice"]), source)
    if problems:
        raise InputError.collect(about(where), problems)
    return out


def _each(table: Any, path: str, prepare: Callable[[Table, str], Any]) -> Any:
    if not isinstance(table, dict):
        return table
    return {k: prepare(v, f"{path}.{k}") if isinstance(v, dict) else v for k, v in table.items()}


def _spelled(table: Any, path: str, problems: list[str]) -> Any:
    """The table with every measure under its canonical name."""
    from rankgauge.measures import parse

    if not isinstance(table, dict):
        return table
    out: Table = {}
    typed: dict[str, str] = {}
    for key, value in table.items():
        try:
            name = str(parse(key))
        except RankgaugeError:
            name = key
        if name in out:
            problems.append(
                Text(
                    f"`{path}.{typed[name]}` and `{key}` are the same measure, {name}. Keep one of them.",
                    f"`{path}.{typed[name]}` 和 `{key}` 是同一个指标 {name}。请只保留一个。",
                )
            )
        out[name], typed[name] = value, key
    return out


def _figures(table: Any, source: Any) -> Any:
    """The table with every figure as `{value, source}`."""
    if not isinstance(table, dict):
        return table
    return {k: _sourced(dict(v) if isinstance(v, dict) else {"value": v}, source) for k, v in table.items()}


def _sourced(table: Table, source: Any, key: str = "source") -> Table:
    if source is not None:
        table.setdefault(key, source)
    return table
