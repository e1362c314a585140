"""`rankgauge scenarios`: what to measure in which situation, and what a good value is."""

from __future__ import annotations

from pathlib import Path

from rankgauge.cli.options import examples, show_sections
from rankgauge.cli.style import click

__all__ = ["command"]


@click.command(
    "scenarios",
    epilog=examples(
        "rankgauge scenarios",
        "rankgauge scenarios faq",
        "rankgauge scenarios document_qa --language zh",
        "rankgauge scenarios faq --standards ours.toml",
    ),
)
@click.argument("name", required=False)
@click.option(
    "--language", type=click.Choice(["en", "zh"]), default="en", show_default=True, help="Language of the texts."
)
@click.option(
    "--standards",
    "path",
    type=click.Path(path_type=Path),
    default=None,
    help="A TOML file that changes bands, scenarios or figures.",
)
def command(name: str | None, language: str, path: Path | None) -> None:
    """List the scenarios with their recommended measures, or show one with benchmarks, bands and sources."""
    from rankgauge.diagnosis.standards import load_standards
    from rankgauge.report.scenarios import sections_of_scenario, sections_of_scenarios

    standards = load_standards(path)
    if name is None:
        show_sections(sections_of_scenarios(standards, language))
    else:
        show_sections(sections_of_scenario(standards, name, language))
