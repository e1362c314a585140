"""`rankgauge scenarios`: what to measure in which situation, and what a good value is."""

from __future__ import annotations

from pathlib import Path

from rankgauge._text import Text
from rankgauge.cli.options import Input, examples
from rankgauge.cli.output import Output, output_options
from rankgauge.cli.style import click

__all__ = ["command"]


@click.command(
    "scenarios",
    zh="列出各场景及其推荐指标；给出名称时，显示该场景的基准、评级和出处。",
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
    help=Text("A TOML file that changes bands, scenarios or figures.", "修改评级、场景或标准的 TOML 文件。"),
)
@output_options("table", "markdown", "html", stored=False)
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
