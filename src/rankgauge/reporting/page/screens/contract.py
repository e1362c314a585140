"""What exactly was computed: definitions, policies, counts, fingerprints, versions, the command."""

from __future__ import annotations

from collections.abc import Mapping
from platform import python_version
from typing import Any

import numpy

from rankgauge._numbers import grouped, percent
from rankgauge._text import Text
from rankgauge._version import __version__
from rankgauge.evaluation.predictions.classes import ClassEvaluation
from rankgauge.reporting.comparison import method
from rankgauge.reporting.counts import name_of, one_by_one
from rankgauge.reporting.grid import Cell, Grid, number
from rankgauge.reporting.page.story import Story

__all__ = ["NAME", "screen"]

NAME = Text("Contract", "口径")
_AMOUNTS = ("positives", "weight")  # rows, or what they weigh


def screen(story: Story) -> dict[str, Any] | None:
    members = story.members
    first = next(iter(members.values())) if members else None
    c = story.comparison
    return {
        "measures": story.definitions,
        "policy": _policy(story, first),
        "convention": getattr(first, "convention", ""),
        "level": None if first is None else percent(first.confidence_level),
        "counts": _counts(members),
        "method": [] if c is None else method(c),
        "fingerprint": dict(story.fingerprint),
        "notes": [
            *story.notes,
            *dict.fromkeys(n for ev in members.values() for n in ev.remarks),
            *(c.notes if c else ()),
        ],
        "command": story.command,
        "versions": f"rankgauge {__version__} · Python {python_version()} · NumPy {numpy.__version__}",
    }


def _policy(story: Story, first: Any) -> dict[str, Any]:
    if isinstance(first, ClassEvaluation):  # words about labels 0 and 1 and their scores do not apply
        words: dict[str, Any] = {"scale": first.policy.scale} if first.policy.scale == "probability" else {}
        return words | {"clusters": first.policy.clusters or None, "weight": first.policy.weight or None}
    if first is not None:
        return {name: None if value == "" else value for name, value in first.policy.to_dict().items()}
    f = story.funnel
    if f is None:
        return {}
    cut = ", ".join(f"{name} {n:,}" for name, n in f.cut.items())
    return {"k": f.k, "rel": f.rel, "ties": f.ties, "cut": cut or None}


def _counts(members: Mapping[str, Any]) -> Grid | None:
    if not members:
        return None
    counts = {name: one_by_one(ev.counts) for name, ev in members.items()}
    rows = [
        [Cell(name_of(key)), *(Cell(_shown(key, of.get(key))) for of in counts.values())]
        for key in dict.fromkeys(key for of in counts.values() for key in of)
    ]
    return Grid([Text("count", "计数"), *members], rows)


def _shown(key: str, value: Any) -> str:
    if isinstance(value, float):
        if key in _AMOUNTS:
            return grouped(value, 0 if value.is_integer() else 2)
        return grouped(value) if value.is_integer() and abs(value) >= 2 else number(value)
    return "–" if value is None else f"{value:,}" if isinstance(value, int) else str(value)
