"""`rankgauge judgements`: from a log of behaviour to graded judgements."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from rankgauge._output import is_stream
from rankgauge._show import show
from rankgauge.cli.options import (
    Input,
    column_map,
    columns_option,
    digits_option,
    examples,
    number_map,
    status,
    write_table,
)
from rankgauge.cli.output import Output, output_options
from rankgauge.cli.places import Target
from rankgauge.cli.style import click
from rankgauge.cli.terminal import wrote
from rankgauge.cli.types import Choice
from rankgauge.errors import ParameterError

__all__ = ["command"]

_PATH = click.Path(path_type=Path)
_TREC = (".txt", ".qrels", ".trec")
_TABLES = (".csv", ".tsv", ".jsonl", ".parquet")
_UNITS = {"s": 1.0, "m": 60.0, "h": 3600.0, "d": 86400.0}


@click.command(
    "judgements",
    epilog=examples(
        "rankgauge judgements log.parquet -o qrels.txt",
        "rankgauge judgements log.csv --events click=1,cart=2,purchase=3 --maturity 7d -o evidence.parquet",
        "rankgauge judgements log.jsonl --gains click=0.1,cart=0.3,purchase=0.6 --html audit.html",
        "rankgauge judgements log.parquet --correct all_pairs -o qrels.txt",
        "rankgauge judgements log.parquet --try-on old.run --try-on new.run -m nDCG@10",
    ),
)
@click.argument("log", type=Input())
@click.option(
    "--events",
    metavar="NAME=GRADE,…",
    default=None,
    help="What counts and which grade it gives. [default: click=1,cart=2,purchase=3]",
)
@click.option(
    "--gains", metavar="NAME=VALUE,…", default=None, help="Values instead of grades: click=0.1,cart=0.3,purchase=0.6."
)
@click.option(
    "--aggregate",
    type=Choice(["rate", "max"]),
    default="rate",
    show_default=True,
    help="rate: the posterior mean scaled to the grades; max: the highest grade reached often enough.",
)
@click.option(
    "--min-impressions",
    type=click.IntRange(0),
    default=10,
    show_default=True,
    help="Examined ones that a judgement needs.",
)
@click.option(
    "--scale",
    type=Choice(["log", "query", "none"]),
    default="log",
    show_default=True,
    help="Which best item has the best grade: that of the log, or that of each query, however poor; none: no scale.",
)
@click.option(
    "--unclear",
    type=Choice(["skip", "keep"]),
    default="skip",
    show_default=True,
    help="Items that cannot be told from the prior or from each other: not judged, or graded all the same.",
)
@click.option("--no-prior", is_flag=True, help="Raw rates instead of posterior means.")
@click.option(
    "--examined",
    type=Choice(["auto", "viewed", "last_click+1", "all"]),
    default="auto",
    show_default=True,
    help="Which items of a list were seen; the others are unknown, not irrelevant.",
)
@click.option(
    "--dwell",
    default="quantile",
    show_default=True,
    metavar="RULE",
    help="Accidental clicks: quantile, web_search, seconds, or none.",
)
@click.option(
    "--maturity",
    default=None,
    metavar="TIME",
    help="Leave out impressions younger than this at the end of the log: 7d, 12h.",
)
@click.option(
    "--bots",
    type=click.IntRange(1),
    default=1000,
    show_default=True,
    help="Rows of one user on one day that nobody makes by hand.",
)
@click.option(
    "--correct",
    type=Choice(["all_pairs", "adjacent", "em", "randomised"]),
    default=None,
    help="Correct for position bias, estimated this way; raw and corrected are shown side by side.",
)
@click.option(
    "-o",
    "--output",
    "target",
    type=Target(),
    default=None,
    help="Write judgements: .txt, .qrels or - (TREC), .csv or .parquet with the evidence.",
)
@click.option(
    "--try-on",
    "runs",
    type=Input(),
    multiple=True,
    help="Runs whose order is tried under other choices; twice or more.",
)
@click.option("-m", "--measure", "measures", multiple=True, help="With --try-on: measures. [default: nDCG@10]")
@digits_option
@columns_option
@output_options("table", "json", "csv", "markdown", "html", to_file=False)
def command(
    log: Path,
    events: str | None,
    gains: str | None,
    target: Path | None,
    runs: tuple[Path, ...],
    measures: tuple[str, ...],
    correct: str | None,
    digits: int,
    columns: str | None,
    out: Output,
    no_prior: bool,
    examined: str,
    dwell: str,
    maturity: str | None,
    bots: int,
    **options: Any,
) -> None:
    """Make judgements from a log of clicks, carts and purchases, with a counter for everything left out.

    LOG has a row per impression or per event: CSV, TSV, JSONL, Parquet, a folder of them, or OpenSearch UBI. Usual
    names of columns are recognised.
    """
    from rankgauge.behavior import Cleaning, judgements, read_log, sensitivity
    from rankgauge.data.many_runs import several

    rules = Cleaning(examined=examined, dwell=_dwell(dwell), maturity=_seconds(maturity), bots=bots)
    with status(f"reading {log.name} …"):
        source = read_log(log, columns=column_map(columns))
        found = judgements(
            source,
            number_map("--events", events),
            gains=number_map("--gains", gains),
            cleaning=rules,
            name=source.name,
            prior=None if no_prior else "query",
            **options,
        )
    found.refuse_nothing()
    records: list[Any] = [found]
    qrels = None
    if correct is not None:
        with status("correcting for position …"):
            corrected, qrels = _corrected(source, rules, correct, options["min_impressions"], options["unclear"])
        records += [corrected.bias, corrected]
    if runs:
        if len(runs) < 2:
            raise ParameterError("--try-on needs two runs or more: the question is whether their order holds.")
        with status("trying other choices …"):
            records.append(sensitivity(found, several(list(runs)) or {}, list(measures) or ["nDCG@10"]))
    if target is not None:
        _write(target, found, qrels, records)
    out.show(*(records[:1] if out.is_data else records), page=records, digits=digits)


def _corrected(source: Any, rules: Any, method: str, min_impressions: int, unclear: str) -> tuple[Any, Any]:
    """Relevance without the bias of positions. Clicks must not decide what was seen: all shown items count."""
    from dataclasses import replace

    from rankgauge.behavior import clean, position_bias, qrels_of, relevance

    seen = rules.examined if rules.examined == "viewed" else "all"
    table = clean(source, replace(rules, examined=seen)).impressions
    found = relevance(table, position_bias(table, method))
    return found, qrels_of(found, min_impressions=min_impressions, unclear=unclear)


def _write(path: Path, found: Any, qrels: Any, records: list[Any]) -> None:
    if qrels is None:
        found.write(path)
        wrote(path)
    elif path.suffix in _TREC or (not path.suffix and is_stream(path)):
        qrels.write(path, format="trec")
        wrote(path)
    elif path.suffix in _TABLES:
        ids = {"left_on": ["query_id", "item_id"], "right_on": ["query_id", "doc_id"]}
        write_table(records[2].frame.join(qrels.to_frame(), **ids), path, "--output")
    else:
        raise ParameterError(f"--output must end in {', '.join(_TREC + _TABLES)}, got {show(path.name)}.")


def _dwell(text: str) -> str | float | None:
    if text == "none":
        return None
    try:
        return float(text)
    except ValueError:
        return text


def _seconds(text: str | None) -> float | None:
    """`7d` → seconds."""
    if text is None:
        return None
    try:
        return float(text[:-1]) * _UNITS[text[-1]] if text[-1:] in _UNITS else float(text)
    except ValueError:
        raise ParameterError(f"--maturity must look like 7d, 12h, 30m or seconds, got {show(text)}.") from None
