"""What numbers mean and what to do next, in English and Chinese."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rankgauge.diagnosis.diagnosing import diagnose
    from rankgauge.diagnosis.finding import Finding, Findings
    from rankgauge.diagnosis.order_and_probability import Reading, reading
    from rankgauge.diagnosis.rules import Seen, Texts, rule
    from rankgauge.diagnosis.standards import Standards, load_standards

__all__ = [
    "Finding",
    "Findings",
    "Reading",
    "Seen",
    "Standards",
    "Texts",
    "diagnose",
    "load_standards",
    "reading",
    "rule",
]

_HOME = {
    "Finding": "finding",
    "Findings": "finding",
    "Reading": "order_and_probability",
    "Seen": "rules",
    "Standards": "standards",
    "Texts": "rules",
    "diagnose": "diagnosing",
    "load_standards": "standards",
    "reading": "order_and_probability",
    "rule": "rules",
}


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOME[name]}"), name)
