"""`rankgauge bias`: how much is each position looked at?"""

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
    status,
    write_table,
)
from rankgauge.cli.output import Output, output_options
from rankgauge.cli.places import Target
from rankgauge.cli.style import click
from rankgauge.cli.terminal import say_of_log
from rankgauge.cli.types import Choice, Number
from rankgauge.errors import ParameterError

__all__ = ["command"]


@click.command(
    "bias",
    zh="估计列表中每个位置被看到的可能性，并据此校正相关性。\n\n需要同一物品在多个位置展示过，或有随"
    "机化的流量桶。如果日志无法把位置与相关性区分开（只有一个从不改变排名的排序器），会直接说明，"
    "而不是给出一个数字。",
    epilog=examples(
        "rankgauge bias log.parquet",
        "rankgauge bias log.csv --method em --relevance relevance.parquet",
        "rankgauge bias log.csv --method randomised",
        "rankgauge bias log.csv --models --html bias.html",
    ),
)
@click.argument("log", type=Input())
@click.option(
    "--method",
    type=Choice(["all_pairs", "adjacent", "em", "randomised", "naive"]),
    default="all_pairs",
    show_default=True,
    help=Text(
        "How propensities are found; naive is the click rate by rank and stands beside all others.",
        "浏览倾向的估计方法；naive 是各位置的点击率，总会与其他方法并列给出，供对照。",
    ),
)
@click.option(
    "--behaviour", default="click", show_default=True, help=Text("click, cart, purchase, …", "click、cart、purchase、…")
)
@click.option(
    "--by-query",
    is_flag=True,
    help=Text("Errors over queries instead of pairs of query and item.", "误差按查询计算，而不是按“查询-物品”对。"),
)
@click.option(
    "--min-support",
    type=Number(0),
    default=None,
    help=Text(
        "Impressions that two positions must share to be joined.", "两个位置至少要有这么多次共同的曝光，才能连接起来。"
    ),
)
@click.option(
    "--max-position",
    type=click.IntRange(1),
    default=None,
    help=Text("Leave out what stands deeper.", "更深的位置不计入。"),
)
@click.option(
    "--relevance",
    "target",
    type=Target(),
    default=None,
    help=Text(
        "Write raw and corrected relevance of each pair: .csv, .tsv, .jsonl, .parquet.",
        "写出每个“查询-物品”对校正前后的相关性：.csv、.tsv、.jsonl、.parquet。",
    ),
)
@click.option(
    "--models",
    is_flag=True,
    help=Text(
        "Compare click models (PBM, cascade, SDBN, DCM, UBM) on held-out sessions.",
        "在留出的会话上比较点击模型（PBM、cascade、SDBN、DCM、UBM）。",
    ),
)
@click.option(
    "--seed",
    type=click.IntRange(0),
    default=0,
    show_default=True,
    help=Text("Of the sessions held out by --models.", "--models 抽取留出会话所用的随机种子。"),
)
@confidence_option
@digits_option
@columns_option
@output_options("table", "json", "csv", "markdown", "html")
def command(
    log: Path,
    method: str,
    behaviour: str,
    by_query: bool,
    min_support: float | None,
    max_position: int | None,
    target: Path | None,
    models: bool,
    seed: int,
    confidence: float,
    digits: int,
    columns: str | None,
    out: Output,
) -> None:
    """Estimate how likely each position of a list is to be looked at, and correct relevance for it.

    Needs items that were shown at several positions, or a randomised bucket. Where the log cannot tell position from
    relevance (one ranker that never changes its mind), it says so instead of printing a number.
    """
    if target is not None and method == "naive":
        raise ParameterError(
            Text(
                "--relevance needs propensities to correct with, and click rates by rank are none.",
                "--relevance 需要用浏览倾向来校正，而各位置的点击率不是浏览倾向。",
            )
        )
    from rankgauge.behavior import Cleaning, Sessions, clean, compare_click_models, position_bias, read_log, relevance

    with status(Text(f"reading {log.name} …", f"正在读取 {log.name} …")):
        source = read_log(log, columns=column_map(columns))
        # what a click says about the items around it must not decide which impressions count
        cleaned = clean(source, Cleaning(examined="all"))
    say_of_log(cleaned)
    table = cleaned.impressions
    settings: dict[str, Any] = {"cluster": "query" if by_query else "pair", "max_position": max_position}
    if min_support is not None:
        settings["min_support"] = min_support
    with status(Text("estimating …", "正在估计 …")):
        found = position_bias(table, method, behaviour=behaviour, confidence_level=confidence, **settings)
        records: list[Any] = [found]
        if not found.is_naive:
            records.append(relevance(table, found, behaviour=behaviour, confidence_level=confidence))
        if models:
            records.append(compare_click_models(Sessions.of(table), rng=seed))
    if target is not None:
        write_table(records[1].frame, target, "--relevance")
    out.show(*(records[:1] if out.is_data else records), page=records, digits=digits)
