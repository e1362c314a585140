"""`rankgauge funnel`: where does a pipeline lose its relevant items?"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from rankgauge._text import Text
from rankgauge.cli.files import File, Given, depths_of, named_lists
from rankgauge.cli.options import (
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
from rankgauge.evaluation.policy_fields import fields_of
from rankgauge.evaluation.rankings.policy import Policy

__all__ = ["command"]


_NO_LISTS = Text(
    "funnel needs the lists of its stages: rankgauge funnel QRELS recall=run200.txt final=run10.txt.",
    "funnel 需要各级的列表：rankgauge funnel QRELS recall=run200.txt final=run10.txt。",
)


@click.command(
    "funnel",
    zh="流水线在哪一级丢失了相关条目，每一级的代价是多少？\n\nQRELS 是标注；每个 RUN 是一级的列表，"
    "从第一级开始。不写 NAME= 时，以文件名作为这一级的名称。",
    epilog=examples(
        "rankgauge funnel qrels.txt recall=run200.txt coarse=run50.txt final=run10.txt",
        "rankgauge funnel qrels.txt recall.run rerank.run -k 20 --rel 2",
        "rankgauge funnel qrels.txt recall=all.run final=all.run --cut recall=200 --cut final=10",
        "rankgauge funnel qrels.txt recall.run final.run --losses lost.csv",
        "rankgauge funnel recall=top200.json final=top10.json",
    ),
)
@click.argument("files", nargs=-1, required=True, type=File(), metavar="QRELS [NAME=]RUN…")
@click.option(
    "-k",
    type=click.IntRange(1),
    default=10,
    show_default=True,
    help=Text("Results of the last stage shown.", "最后一级展示的结果数。"),
)
@policy_option("rel", fields_of(Policy)["rel"])
@click.option(
    "--cut",
    multiple=True,
    metavar="[NAME=]N",
    help=Text("Only the first N results of a stage, or of all, count.", "某一级（或所有各级）只计前 N 条结果。"),
)
@policy_option("ties", fields_of(Policy)["ties"], without=["expected"])
@confidence_option
@table_option(
    "--losses", Text("every relevant item that is not shown, with its fate", "每个未被展示的相关条目及其去向")
)
@digits_option
@columns_option
@output_options("table", "json", "csv", "markdown", "latex", "html")
def command(
    files: tuple[Given, ...],
    cut: tuple[str, ...],
    confidence: float,
    losses: Path | None,
    digits: int,
    columns: str | None,
    out: Output,
    **options: Any,
) -> None:
    """Where does a pipeline lose its relevant items, and what does each stage cost?

    QRELS are judgements; each RUN holds the list of one stage, the first stage first. Without a NAME= the stage is
    called like its file. Files that hold what was retrieved and what is relevant need no QRELS.
    """
    from rankgauge.evaluation.funnel.tracing import funnel

    qrels, stages = named_lists(files, _NO_LISTS)
    with status(Text("following the items …", "正在追踪各条目 …")):
        result = funnel(
            qrels,
            stages,
            cut=depths_of(cut, "--cut"),
            confidence_level=confidence,
            columns=column_map(columns),
            **options,
        )
    if losses is not None:
        write_table(result.losses, losses, "--losses")
    out.show(result, digits=digits)
