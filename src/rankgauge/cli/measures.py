"""`rankgauge measures`: the list of all measures."""

from __future__ import annotations

from pathlib import Path

from rankgauge._text import Text
from rankgauge.cli.options import examples
from rankgauge.cli.output import Output, output_options, write_text
from rankgauge.cli.style import click

__all__ = ["command"]


@click.command(
    "measures",
    zh="列出指标；给出词语时，只列出名称、别名或问题中包含全部词语的指标。",
    epilog=examples(
        "rankgauge measures",
        "rankgauge measures first relevant",
        "rankgauge measures 召回 --language zh",
        "rankgauge measures --markdown > measures.md",
    ),
)
@click.argument("words", nargs=-1)
@click.option(
    "--markdown", is_flag=True, help=Text("A page with everything about every measure.", "一页写尽所有指标的全部说明。")
)
@click.option(
    "--load",
    "plugins",
    multiple=True,
    type=click.Path(path_type=Path),
    help=Text("A Python file that registers measures of your own.", "注册自定义指标的 Python 文件。"),
)
@output_options("table", "html", stored=False)
def command(words: tuple[str, ...], markdown: bool, plugins: tuple[Path, ...], out: Output) -> None:
    """List the measures, or those whose names, question or family have all the given words, English or Chinese."""
    from rankgauge.errors import UnknownName
    from rankgauge.measures.custom import load
    from rankgauge.reporting import Sheet
    from rankgauge.reporting.reference import measures_page, sections_of_measures

    for plugin in plugins:
        load(plugin)
    if markdown:
        write_text(measures_page(out.language), out.path)
        return
    sections = sections_of_measures(words)
    if not sections:
        raise UnknownName(
            Text(
                f"no measure has all of: {' '.join(words)}. `rankgauge measures` lists them all.",
                f"没有指标同时包含：{' '.join(words)}。`rankgauge measures` 列出全部指标。",
            )
        )
    out.show(Sheet(sections))
