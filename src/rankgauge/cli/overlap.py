"""`rankgauge overlap`: how much do the lists of two versions differ?"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from rankgauge._text import Text
from rankgauge.cli.options import (
    Input,
    column_map,
    columns_option,
    confidence_option,
    digits_option,
    examples,
    policy_option,
    status,
    table_option,
    write_table,
)
from rankgauge.cli.output import Output, output_options
from rankgauge.cli.style import click
from rankgauge.cli.types import Number
from rankgauge.evaluation.policy_fields import fields_of
from rankgauge.evaluation.rankings.policy import Policy

__all__ = ["command"]


@click.command(
    "overlap",
    zh="两个版本的列表有多不同？不需要标注。\n\nOLD 和 NEW 是两个版本的结果。只比较两个版本都有列表的查询（用户），"
    "其余的只计数。",
    epilog=examples(
        "rankgauge overlap old.run new.run -k 10",
        "rankgauge overlap old.csv new.csv -k 20 --p 0.95 --queries changed.csv",
        "rankgauge overlap old.parquet new.parquet --html overlap.html --language zh",
    ),
)
@click.argument("old", type=Input())
@click.argument("new", type=Input())
@click.option(
    "-k",
    "k",
    type=click.IntRange(1),
    default=10,
    show_default=True,
    help=Text("How many results of a list are shown.", "每个列表展示多少条结果。"),
)
@click.option(
    "--p",
    type=Number(0, 1, min_open=True, max_open=True),
    default=0.9,
    show_default=True,
    help=Text("How likely the reader of RBO goes on to the next rank.", "RBO 的读者继续看下一条的概率。"),
)
@click.option(
    "--depth",
    type=click.IntRange(1),
    default=100,
    show_default=True,
    help=Text("Results that RBO looks at, at least as many as -k.", "RBO 查看的结果数，不少于 -k。"),
)
@click.option(
    "--most",
    type=click.IntRange(0),
    default=10,
    show_default=True,
    help=Text("Lists and items with the largest change that are named.", "列出变化最大的多少个列表和条目。"),
)
@policy_option("ties", fields_of(Policy)["ties"], without=["best", "worst", "expected"])
@confidence_option
@table_option("--queries", Text("the numbers of every query", "每个查询的数值"))
@digits_option
@columns_option
@output_options("table", "json", "csv", "markdown", "latex", "html")
def command(
    old: Path,
    new: Path,
    confidence: float,
    queries: Path | None,
    digits: int,
    columns: str | None,
    out: Output,
    **options: Any,
) -> None:
    """How much do the lists of two versions differ? No judgements are needed.

    OLD and NEW are the results of the two versions. Queries (users) that both have a list for are compared, the others
    are counted.
    """
    from rankgauge.comparison.overlap import overlap

    said = {name: value for name, value in options.items() if value is not None}
    with status(Text("comparing the lists …", "正在比较列表 …")):
        found = overlap(old, new, confidence_level=confidence, columns=column_map(columns), **said)
    if queries is not None:
        write_table(found.per_query, queries, "--queries")
    out.show(found, digits=digits)
