"""What measures and scenarios are, as `rankgauge explain`, `measures` and `scenarios` say it."""

from __future__ import annotations

from rankgauge._text import Text
from rankgauge.diagnosis.standards import load_standards
from rankgauge.measures.explanation import explain
from rankgauge.reporting.explanation import sections_of_explanation
from rankgauge.reporting.figures import charts_of
from rankgauge.reporting.figures.explanation import changes
from rankgauge.reporting.reference import sections_of_measures
from rankgauge.reporting.scenarios import sections_of_scenario, sections_of_scenarios
from rankgauge.web.visit import Page, Visit

__all__ = ["measure", "measures", "scenario", "scenarios"]


def measures(visit: Visit) -> Page:
    """All of them, or those that mention the words."""
    words = tuple(visit.asked("search").split())
    context = {"sections": sections_of_measures(words), "search": visit.asked("search")}
    return Page("measures.html", context, Text("Measures", "指标"))


def measure(visit: Visit) -> Page:
    """One of them."""
    found = explain(visit.asked("name"))
    chart = changes(found) if found.readings and charts_of("explanation") else None
    context = {"sections": sections_of_explanation(found), "chart": chart, "name": str(found.measure)}
    return Page("measure.html", context, str(found.measure))


def scenarios(visit: Visit) -> Page:
    """What to measure in which situation."""
    standards = load_standards(None)
    context = {"sections": sections_of_scenarios(standards), "names": list(standards.scenarios)}
    return Page("scenarios.html", context, Text("Scenarios", "场景"))


def scenario(visit: Visit) -> Page:
    """One of them, with its figures."""
    standards = load_standards(None)
    context = {
        "sections": sections_of_scenario(standards, visit.asked("name")),
        "names": list(standards.scenarios),
    }
    return Page("scenarios.html", context, visit.asked("name"))
