"""What numbers mean and what to do next, in English and Chinese."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rankgauge._lazy import on_first_use

if TYPE_CHECKING:
    from rankgauge.diagnosis.diagnosing import diagnose
    from rankgauge.diagnosis.finding import Finding, Findings
    from rankgauge.diagnosis.order_and_probability import Evidence, Reading, reading
    from rankgauge.diagnosis.rating import Rating
    from rankgauge.diagnosis.ratings import AskedFigure, Rated, Ratings, rate
    from rankgauge.diagnosis.rules import Seen, Texts, rule
    from rankgauge.diagnosis.standards import Standards, load_standards
    from rankgauge.diagnosis.standards.records import Advice, Anchor, Band, Benchmark, Choice, ProductionLevel, Scenario

__all__ = [
    "Advice",
    "Anchor",
    "AskedFigure",
    "Band",
    "Benchmark",
    "Choice",
    "Evidence",
    "Finding",
    "Findings",
    "ProductionLevel",
    "Rated",
    "Rating",
    "Ratings",
    "Reading",
    "Scenario",
    "Seen",
    "Standards",
    "Texts",
    "diagnose",
    "load_standards",
    "rate",
    "reading",
    "rule",
]

_HOME = {
    "Advice": "standards.records",
    "Anchor": "standards.records",
    "AskedFigure": "ratings",
    "Band": "standards.records",
    "Benchmark": "standards.records",
    "Choice": "standards.records",
    "Evidence": "order_and_probability",
    "Finding": "finding",
    "Findings": "finding",
    "ProductionLevel": "standards.records",
    "Rated": "ratings",
    "Rating": "rating",
    "Ratings": "ratings",
    "Reading": "order_and_probability",
    "Scenario": "standards.records",
    "Seen": "rules",
    "Standards": "standards",
    "Texts": "rules",
    "diagnose": "diagnosing",
    "load_standards": "standards",
    "rate": "ratings",
    "reading": "order_and_probability",
    "rule": "rules",
}

__getattr__, __dir__ = on_first_use(__name__, _HOME, __all__)
