"""Whether standards make sense: from merged tables to records, or one error that names every problem."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import isfinite
from typing import Any

from rankgauge._numbers import short
from rankgauge._show import show
from rankgauge.diagnosis.standards.records import (
    LANGUAGES,
    STAGES,
    Anchor,
    Band,
    Benchmark,
    Choice,
    Cutoffs,
    ProductionLevel,
    Scenario,
    Standards,
    Text,
)
from rankgauge.errors import InputError, RankgaugeError, suggest
from rankgauge.measures import parse

__all__ = ["standards_of"]

_ANY = object()


def standards_of(data: Mapping[str, Any], where: str) -> Standards:
    """The standards in plain tables; `where` begins the error when there is something wrong."""
    problems: list[str] = []
    top = _Table(data, "", problems)
    top.only("bands", "scenarios", "anchors", "production", "choice")
    scenarios = {name: _scenario(name, table) for name, table in top.tables("scenarios")}
    found = Standards(
        bands=_bands(top.table("bands")),
        scenarios=scenarios,
        production={name: _level(name, table) for name, table in top.tables("production")},
        anchors=tuple(a for name, table in top.tables("anchors") for a in _anchor(table, scenarios)),
        choice=_choice(top.table("choice")),
    )
    if not problems:
        problems += _falling(found.production)
    if problems:
        raise InputError.collect(f"{where}: ", problems)
    return found


def _dotted(path: str, key: str) -> str:
    """The name of a table as TOML writes it."""
    bare = key if key.isascii() and key.replace("_", "").replace("-", "").isalnum() else f'"{key}"'
    return f"{path}.{bare}" if path else bare


class _Table:
    """A TOML table that writes down what is wrong with it. Wrong values read as something harmless."""

    def __init__(self, data: Any, path: str, problems: list[str]) -> None:
        self.path, self.problems = path, problems
        self.data: Mapping[str, Any] = data

    def wrong(self, key: str, text: str) -> None:
        self.problems.append(f"[{self.path}] `{key}` {text}" if self.path else f"`{key}` {text}")

    def only(self, *known: str) -> None:
        for key in self.data:
            if key not in known:
                self.wrong(key, f"is not a known key.{suggest(key, known)} Known: {', '.join(known)}.")

    def get(self, key: str, need: str, kind: Any, harmless: Any) -> Any:
        value = self.data.get(key, _ANY)
        if value is _ANY:
            self.wrong(key, f"is missing: must be {need}.")
            return harmless
        if not isinstance(value, kind) or (isinstance(value, bool) and kind is not bool):
            self.wrong(key, f"must be {need}, got {show(value)}.")
            return harmless
        return value

    def text(self, key: str) -> str:
        value: str = self.get(key, "a text", str, "?")
        if not value.strip():
            self.wrong(key, "must be a text, got an empty one.")
        return value

    def flag(self, key: str) -> bool:
        value: bool = self.get(key, "true or false", bool, False)
        return value

    def whole(self, key: str) -> int:
        value: int = self.get(key, "a whole number of 1 or more", int, 1)
        if value < 1:
            self.wrong(key, f"must be a whole number of 1 or more, got {value}.")
        return value

    def table(self, key: str) -> _Table:
        value = self.get(key, "a table", Mapping, None)
        return _Table(
            {} if value is None else value, _dotted(self.path, key), self.problems if value is not None else []
        )

    def tables(self, key: str) -> Iterator[tuple[str, _Table]]:
        below = self.table(key)
        for name in below.data:
            yield name, below.table(name)

    def items(self, key: str, need: str) -> list[_Table]:
        """The tables of a list of tables."""
        out = []
        path = _dotted(self.path, key)
        for i, value in enumerate(self.get(key, need, list, []), start=1):
            if isinstance(value, Mapping):
                out.append(_Table(value, f"{path} #{i}", self.problems))
            else:
                self.wrong(key, f"must be {need}, got {show(value)} as number {i}.")
        return out

    def both(self, key: str) -> Text:
        """The words in both languages."""
        words = self.table(key)
        words.only(*LANGUAGES)
        return Text(**{language: words.text(language) for language in LANGUAGES})

    def measures(self, key: str, *, with_cutoff: bool = False) -> tuple[str, ...]:
        need = "a list of measures"
        given: list[Any] = self.get(key, need, list, ["RR"])
        if not given:
            self.wrong(key, f"must be {need}, got an empty one.")
        out = []
        for text in given:
            if not isinstance(text, str):
                self.wrong(key, f"must be {need}, got {show(text)} among them.")
                continue
            m = self.measure(key, text)
            if m is not None:
                out.append(str(m))
                if with_cutoff and (getattr(m, "k", 0) is not None):
                    self.wrong(key, f"must name measures that take @k, without it, got {show(text)}.")
        return tuple(out)

    def measure(self, key: str, text: str) -> Any:
        try:
            return parse(text)
        except RankgaugeError as e:
            self.wrong(key, f"must name measures: {e}")
            return None

    def value(self, key: str, m: Any) -> float:
        """A number that the measure can have."""
        value: float = self.get(key, "a number", (int, float), 0.0)
        if m is not None:
            low, high = m.bounds
            if not isfinite(value) or not low <= value <= high:
                self.wrong(key, f"must be a value of {m}, between {short(low)} and {short(high)}, got {show(value)}.")
        return float(value)

    def figures(self, key: str) -> tuple[Benchmark, ...]:
        below = self.table(key)
        out = []
        for name in below.data:
            m = below.measure(name, name)
            figure = below.table(name)
            figure.only("value", "source")
            out.append(Benchmark(name, figure.value("value", m), figure.text("source")))
        return tuple(out)


def _bands(sets: _Table) -> dict[str, tuple[Band, ...]]:
    out = {}
    for name in sets.data:
        m = sets.measure(name, name)
        rows = sets.items(name, f'a list of bands, [[{sets.path}."{name}"]]')
        limits = [_limit(row, m, first=i == 0) for i, row in enumerate(rows)]
        for row, before, here in zip(rows[1:], limits, limits[1:], strict=False):
            if before is not None and here is not None and here <= before:
                key = "above" if here[1] else "at_least"
                row.wrong(
                    key, f"must be higher than the limit of the band before, {short(before[0])}, got {short(here[0])}."
                )
        names = [row.text("name") for row in rows]
        for i, row in enumerate(rows):
            if names[i] in names[:i]:
                row.wrong("name", f"must be another one than those before, got {show(names[i])} again.")
        if sets.data[name] == []:
            sets.wrong(name, "must have one band or more, got none.")
        ends = [*limits[1:], None][: len(rows)]
        out[name] = tuple(
            _band(name, word, row, low, high) for word, row, low, high in zip(names, rows, limits, ends, strict=True)
        )
    return out


def _limit(row: _Table, m: Any, *, first: bool) -> tuple[float, bool] | None:
    """Where a band begins, and whether just behind that value. Sorts as the bands do."""
    row.only("name", "title", "at_least", "above", "advice", "source")
    given = [key for key in ("at_least", "above") if key in row.data]
    if first:
        if given:
            row.wrong(given[0], "must not be there: the first band begins at the lowest value.")
        return None
    if len(given) != 1:
        row.wrong("at_least", "or `above` must say where the band begins, got " + ("both." if given else "neither."))
        return None
    return row.value(given[0], m), given[0] == "above"


def _band(
    measure: str, name: str, row: _Table, low: tuple[float, bool] | None, high: tuple[float, bool] | None
) -> Band:
    return Band(
        measure=measure,
        name=name,
        low=None if low is None else low[0],
        high=None if high is None else high[0],
        includes_low=low is None or not low[1],
        includes_high=high is None or high[1],
        title=row.both("title") if "title" in row.data else Text(name, name),
        advice=row.both("advice"),
        source=row.text("source"),
    )


def _scenario(name: str, t: _Table) -> Scenario:
    t.only(
        "title",
        "description",
        "measures",
        "measures_source",
        "single_target",
        "order_and_probability",
        "cutoffs",
        "benchmarks",
    )
    return Scenario(
        name=name,
        title=t.both("title"),
        description=t.both("description"),
        measures=t.measures("measures"),
        measures_source=t.text("measures_source") if "measures" in t.data else "?",
        single_target=t.flag("single_target") if "single_target" in t.data else False,
        order_and_probability=t.flag("order_and_probability") if "order_and_probability" in t.data else False,
        cutoffs=tuple(_cutoffs(row) for row in t.items("cutoffs", "a list of tables")) if "cutoffs" in t.data else (),
        benchmarks=t.figures("benchmarks") if "benchmarks" in t.data else (),
    )


def _cutoffs(t: _Table) -> Cutoffs:
    t.only("stage", "measures", "k", "source")
    stage = t.text("stage")
    if "stage" in t.data and stage not in STAGES:
        t.wrong("stage", f"must be one of {', '.join(STAGES)}, got {show(stage)}.{suggest(stage, STAGES)}")
    need = "a list of whole numbers of 1 or more that ascend"
    k: list[Any] = t.get("k", need, list, [1])
    whole = all(isinstance(x, int) and not isinstance(x, bool) and x >= 1 for x in k)
    if not k or not whole or k != sorted(set(k)):
        t.wrong("k", f"must be {need}, got {show(k)}.")
    return Cutoffs(stage, t.measures("measures", with_cutoff=True), tuple(k), t.text("source"))


def _anchor(t: _Table, scenarios: Mapping[str, Scenario]) -> list[Anchor]:
    t.only("dataset", "title", "scenarios", "source", "systems")
    dataset, title = t.text("dataset"), t.both("title")
    names: list[Any] = t.get("scenarios", "a list of scenarios", list, [])
    for name in names:
        if not isinstance(name, str) or name not in scenarios:
            hint = suggest(str(name), scenarios)
            t.wrong("scenarios", f"must name scenarios, got {show(name)}.{hint} Known: {', '.join(scenarios)}.")
    systems = t.table("systems")
    return [
        Anchor(dataset, title, tuple(map(str, names)), system, figure.measure, figure.value, figure.source)
        for system in systems.data
        for figure in systems.figures(system)
    ]


def _level(name: str, t: _Table) -> ProductionLevel:
    t.only("title", "figures")
    return ProductionLevel(name, t.both("title"), t.figures("figures"))


def _falling(levels: Mapping[str, ProductionLevel]) -> list[str]:
    """Figures that ask less of a higher level than of the one before it."""
    out = []
    seen: dict[str, tuple[str, float]] = {}
    for level in levels.values():
        for figure in level.figures:
            before = seen.get(figure.measure)
            if before is not None and parse(figure.measure).is_better(before[1], figure.value):
                out.append(
                    f"[production.{level.name}.figures] `{figure.measure}` must not ask less than {show(before[0])} "
                    f"does, {short(before[1])}, got {short(figure.value)}."
                )
            seen[figure.measure] = level.name, figure.value
    return out


def _choice(t: _Table) -> Choice:
    t.only("at_least", "at_most", "measures", "advice", "source")
    low, high = t.whole("at_least"), t.whole("at_most")
    if "at_most" in t.data and high < low:
        t.wrong("at_most", f"must be `at_least` ({low}) or more, got {high}.")
    return Choice(low, high, t.measures("measures"), t.both("advice"), t.text("source"))
