"""`rankgauge channels`: what does each way of retrieval add beyond the others?"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from rankgauge._text import Text
from rankgauge.cli.files import File, Given, depths_of, named_lists
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
from rankgauge.evaluation.policy_fields import fields_of
from rankgauge.evaluation.rankings.policy import Policy

__all__ = ["command"]


_NO_LISTS = Text(
    "channels needs the lists of the channels: rankgauge channels QRELS cf=cf.run ann=ann.run.",
    "channels 需要各路召回的列表：rankgauge channels QRELS cf=cf.run ann=ann.run。",
)


@click.command(
    "channels",
    zh="多路召回中，每一路单独能召回多少，又在其他各路之外带来多少？\n\nQRELS 是标注；每个 RUN 是一路召回的列表。"
    "不写 NAME= 时，以文件名作为这一路的名称。同时含有检索结果和相关文档的文件不需要 QRELS。",
    epilog=examples(
        "rankgauge channels qrels.txt cf=cf.run ann=ann.run hot=hot.run -k 100",
        "rankgauge channels qrels.txt cf.run ann.run -k cf.run=200 -k ann.run=100",
        "rankgauge channels qrels.txt cf=cf.run ann=ann.run --final final.run --shown 10",
        "rankgauge channels qrels.txt cf=cf.run ann=ann.run --items items.csv --language zh",
    ),
)
@click.argument("files", nargs=-1, required=True, type=File(), metavar="QRELS [NAME=]RUN…")
@click.option(
    "-k",
    "k",
    multiple=True,
    metavar="[NAME=]N",
    help=Text("Only the first N results of a channel, or of each, count.", "某一路（或每一路）只计前 N 条结果。"),
)
@click.option(
    "--final",
    type=Input(),
    default=None,
    metavar="RUN",
    help=Text(
        "The list at the end of the pipeline: how much of what it shows came through each channel?",
        "流水线最终的列表：其中展示的相关条目各来自哪一路？",
    ),
)
@click.option(
    "--shown",
    type=click.IntRange(1),
    default=10,
    show_default=True,
    help=Text("Results of --final that are shown.", "--final 中展示的结果数。"),
)
@policy_option("rel", fields_of(Policy)["rel"])
@policy_option("ties", fields_of(Policy)["ties"], without=["expected"])
@confidence_option
@table_option("--items", Text("every relevant item with the channels that have it", "每个相关条目以及召回它的各路"))
@digits_option
@columns_option
@output_options("table", "json", "csv", "markdown", "latex", "html")
def command(
    files: tuple[Given, ...],
    k: tuple[str, ...],
    confidence: float,
    items: Path | None,
    digits: int,
    columns: str | None,
    out: Output,
    **options: Any,
) -> None:
    """What does each recall channel find alone, and what does it add beyond the others?

    QRELS are judgements; each RUN holds the lists of one channel. Without a NAME= the channel is called like its file.
    Files that hold what was retrieved and what is relevant need no QRELS.
    """
    from rankgauge.evaluation.funnel.several_channels import channels

    qrels, runs = named_lists(files, _NO_LISTS)
    with status(Text("comparing the channels …", "正在比较各路召回 …")):
        found = channels(
            qrels,
            runs,
            k=depths_of(k, "-k"),
            confidence_level=confidence,
            columns=column_map(columns),
            **options,
        )
    if items is not None:
        write_table(found.items, items, "--items")
    out.show(found, digits=digits)
