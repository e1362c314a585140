"""`rankgauge scenarios`: what to measure in which situation, and what a good value is."""

from __future__ import annotations

from pathlib import Path

from rankgauge.cli.options import Input, examples
from rankgauge.cli.output import Output, output_options
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
    "--standards",
    "path",
    type=Input(),
    default=None,
    help="A TOML file that changes bands, scenarios or figures.",
)
@output_options("table", "markdown", "html")
def command(name: str | None, path: Path | None, out: Output) -> None:
    """List the scenarios with their recommended measures, or show one with benchmarks, bands and sources."""
    from rankgauge.diagnosis.standards import load_standards
    from rankgauge.reporting import Sheet
    from rankgauge.reporting.scenarios import sections_of_scenario, sections_of_scenarios

    standards = load_standards(path)
    if name is None:
        out.show(Sheet(sections_of_scenarios(standards)))
    else:
        out.show(Sheet(sections_of_scenario(standards, name)))
