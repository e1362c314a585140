"""`rankgauge explain`: what a measure says and means."""

from __future__ import annotations

from rankgauge.cli.options import examples
from rankgauge.cli.output import Output, output_options
from rankgauge.cli.style import click

__all__ = ["command"]


@click.command(
    "explain",
    zh="讲解一个指标：它回答什么问题、公式、参数、边界情况、算例，以及哪些工具的结果与之一致。",
    epilog=examples(
        "rankgauge explain nDCG@10",
        "rankgauge explain 'AP(norm=hits)@6'",
        "rankgauge explain 召回率@5 --language zh",
        "rankgauge explain AUC --html auc.html",
        "rankgauge explain MRR@10 -o mrr.svg",
    ),
)
@click.argument("measure")
@output_options("table", "markdown", "html", "svg", stored=False)
def command(measure: str, out: Output) -> None:
    """Explain a measure: what it answers, when to take it and when not, what small changes of a list do to it.

    Also its formula, parameters, edges, a worked example, and which tools agree. HTML and SVG have the picture.
    """
    from rankgauge.measures.explanation import explain

    out.show(explain(measure))
