"""How good is good? Bands, benchmarks and production figures by scenario, each with its source.

The figures are configuration: TOML files beside this module, which a file of the user's own can change.
"""

from rankgauge.diagnosis.standards.loading import load_standards
from rankgauge.diagnosis.standards.records import (
    LANGUAGES,
    Advice,
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

__all__ = [
    "LANGUAGES",
    "Advice",
    "Anchor",
    "Band",
    "Benchmark",
    "Choice",
    "Cutoffs",
    "ProductionLevel",
    "Scenario",
    "Standards",
    "Text",
    "load_standards",
]
