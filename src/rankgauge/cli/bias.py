"""`rankgauge bias`: how much is each position looked at?"""

from __future__ import annotations

from pathlib import Path
from typing import Any

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
    help="How propensities are found; naive is the click rate by rank and stands beside all others.",
)
@click.option("--behaviour", default="click", show_default=True, help="click, cart, purchase, …")
@click.option("--by-query", is_flag=True, help="Errors over queries instead of pairs of query and item.")
@click.option(
    "--min-support",
    type=Number(0),
    default=None,
    help="Impressions that two positions must share to be joined.",
)
@click.option("--max-position", type=click.IntRange(1), default=None, help="Leave out what stands deeper.")
@click.option(
    "--relevance",
    "target",
    type=Target(),
    default=None,
    help="Write raw and corrected relevance of each pair: .csv, .tsv, .jsonl, .parquet.",
)
@click.option(
    "--models", is_flag=True, help="Compare click models (PBM, cascade, SDBN, DCM, UBM) on held-out sessions."
)
@click.option(
    "--seed", type=click.IntRange(0), default=0, show_default=True, help="Of the sessions held out by --models."
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
        raise ParameterError("--relevance needs propensities to correct with, and click rates by rank are none.")
    from rankgauge.behavior import Cleaning, Sessions, clean, compare_click_models, position_bias, read_log, relevance

    with status(f"reading {log.name} …"):
        source = read_log(log, columns=column_map(columns))
        # what a click says about the items around it must not decide which impressions count
        cleaned = clean(source, Cleaning(examined="all"))
    say_of_log(cleaned)
    table = cleaned.impressions
    settings: dict[str, Any] = {"cluster": "query" if by_query else "pair", "max_position": max_position}
    if min_support is not None:
        settings["min_support"] = min_support
    with status("estimating …"):
        found = position_bias(table, method, behaviour=behaviour, confidence_level=confidence, **settings)
        records: list[Any] = [found]
        if not found.is_naive:
            records.append(relevance(table, found, behaviour=behaviour, confidence_level=confidence))
        if models:
            records.append(compare_click_models(Sessions.of(table), rng=seed))
    if target is not None:
        write_table(records[1].frame, target, "--relevance")
    out.show(*(records[:1] if out.is_data else records), page=records, digits=digits)
