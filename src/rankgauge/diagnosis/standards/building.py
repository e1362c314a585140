"""From tables of standards that make sense to records."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from typing import Any

from rankgauge._text import Text, joined
from rankgauge.diagnosis.standards.records import (
    Advice,
    Anchor,
    Band,
    Benchmark,
    Choice,
    Cutoffs,
    ProductionLevel,
    Scenario,
    Standards,
)
from rankgauge.measures import parse

__all__ = ["standards_of"]

Table = Mapping[str, Any]


def standards_of(data: Table) -> Standards:
    """The standards in plain tables, which `checking.check` has looked at."""
    data = _with_titles(data, {key: Text(**words) for key, words in data["sources"].items()})
    return Standards(
        bands={name: _bands(name, rows) for name, rows in data["bands"].items()},
        scenarios={name: _scenario(name, table) for name, table in data["scenarios"].items()},
        production={
            name: ProductionLevel(name, Text(**table["title"]), _figures(table["figures"]))
            for name, table in data["production"].items()
        },
        anchors=tuple(
            Anchor(t["dataset"], Text(**t["title"]), tuple(t["scenarios"]), system, f.measure, f.value, f.source)
            for t in data["anchors"].values()
            for system, figures in t["systems"].items()
            for f in _figures(figures)
        ),
        choice=_choice(data["choice"]),
    )


def _with_titles(value: Any, sources: Mapping[str, Text]) -> Any:
    """The same tables, in which every source that is named by its key stands with its title."""
    if isinstance(value, list):
        return [_with_titles(x, sources) for x in value]
    if not isinstance(value, Mapping):
        return value
    return {
        key: joined(Text("; ", "；"), [sources.get(part, part) for part in x.split("; ")])
        if key in _SOURCED and isinstance(x, str)
        else _with_titles(x, sources)
        for key, x in value.items()
    }


_SOURCED = ("source", "measures_source")


def _bands(measure: str, rows: list[Table]) -> tuple[Band, ...]:
    """Each band ends where the next begins; whether a limit belongs to the one above it is said by its key."""
    starts = [(row.get("at_least", row.get("above")), "above" in row) for row in rows]
    return tuple(
        Band(
            measure=measure,
            name=row["name"],
            low=None if low is None else float(low),
            high=None if high is None else float(high),
            includes_low=not is_above,
            includes_high=high is None or ends_above,
            title=Text(**row["title"]) if "title" in row else Text(row["name"], row["name"]),
            advice=Text(**row["advice"]),
            source=row["source"],
        )
        for row, ((low, is_above), (high, ends_above)) in zip(rows, pairwise([*starts, (None, False)]), strict=True)
    )


def _scenario(name: str, t: Table) -> Scenario:
    return Scenario(
        name=name,
        title=Text(**t["title"]),
        description=Text(**t["description"]),
        measures=_measures(t["measures"]),
        measures_source=t.get("measures_source", "?"),
        single_target=t.get("single_target", False),
        order_and_probability=t.get("order_and_probability", False),
        cutoffs=tuple(
            Cutoffs(c["stage"], _measures(c["measures"]), tuple(c["k"]), c["source"]) for c in t.get("cutoffs", ())
        ),
        benchmarks=_figures(t.get("benchmarks", {})),
        held_to_production=t.get("held_to_production", False),
        advice=tuple(Advice(name, Text(x["en"], x["zh"]), x["source"]) for name, x in t.get("advice", {}).items()),
        also=tuple(t.get("also", ())),
        of_users=t.get("of_users", False),
        shown=_measures(t.get("shown", [])),
    )


def _figures(table: Table) -> tuple[Benchmark, ...]:
    return tuple(Benchmark(name, float(f["value"]), f["source"]) for name, f in table.items())


def _measures(names: list[str]) -> tuple[str, ...]:
    return tuple(str(parse(name)) for name in names)


def _choice(t: Table) -> Choice:
    return Choice(t["at_least"], t["at_most"], _measures(t["measures"]), Text(**t["advice"]), t["source"])
