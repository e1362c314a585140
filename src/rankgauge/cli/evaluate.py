"""`rankgauge evaluate`: judgements and runs → numbers."""

from __future__ import annotations

from contextlib import nullcontext
from pathlib import Path
from typing import Any

from rankgauge.cli.options import (
    Input,
    Place,
    column_map,
    columns_option,
    confidence_option,
    digits_option,
    engine_options,
    examples,
    policy_options,
    start_engine,
    watched,
    write_on_spark,
    write_table,
)
from rankgauge.cli.output import Output, Page, output_options, page_options, warn, with_slices, write_text
from rankgauge.cli.places import Target
from rankgauge.cli.style import click

__all__ = ["command"]


def _names(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:
    from rankgauge.measures import REGISTRY

    return [n for n in REGISTRY if n.casefold().startswith(incomplete.casefold())]


@click.command(
    "evaluate",
    epilog=examples(
        "rankgauge evaluate qrels.txt bm25.run",
        "rankgauge evaluate qrels.txt bm25.run dense.run -m nDCG@10 -m R@100",
        "rankgauge evaluate qrels.tsv run.parquet -m nDCG@10 --slices queries.jsonl",
        "rankgauge evaluate qrels.txt run.txt --html report.html --query-texts topics.tsv",
        "rankgauge evaluate qrels.txt run.txt --convention trec_eval -m all_trec -f trec -q",
        "rankgauge evaluate qrels.txt run.txt -m nDCG@10 --per-query values.csv --json",
        "zcat run.gz | rankgauge evaluate qrels.txt -",
        "rankgauge evaluate qrels.parquet runs/today/ --memory 2GiB",
        "rankgauge evaluate qrels.parquet s3a://bucket/run --engine spark --master 'local[*]'",
    ),
)
@click.argument("qrels", type=Place())
@click.argument("runs", nargs=-1, type=Place(), metavar="RUN…")
@click.option(
    "-m",
    "--measure",
    "measures",
    multiple=True,
    shell_complete=_names,
    help="A measure such as nDCG@10; may be repeated. `rankgauge measures` lists them.",
)
@policy_options
@click.option(
    "--slices",
    type=Input(),
    default=None,
    help="Attributes of queries, for a table by slice: CSV, JSONL, Parquet with a query_id column.",
)
@click.option("--strict", is_flag=True, help="Refuse input that the audit would warn about.")
@confidence_option
@click.option(
    "--per-query",
    "per_query_file",
    type=Target(),
    default=None,
    help="Write the value of each query to a .csv, .tsv, .jsonl or .parquet file.",
)
@click.option("-q", "--queries", is_flag=True, help="With --format trec: a line for each query, as trec_eval -q.")
@digits_option
@click.option(
    "--load",
    "plugins",
    multiple=True,
    type=click.Path(path_type=Path),
    help="A Python file that registers measures of your own.",
)
@columns_option
@engine_options
@page_options
@output_options("table", "json", "csv", "markdown", "latex", "html", "trec")
def command(
    qrels: str | Path,
    runs: tuple[str | Path, ...],
    measures: tuple[str, ...],
    plugins: tuple[Path, ...],
    per_query_file: Path | None,
    queries: bool,
    columns: str | None,
    out: Output,
    about: Page,
    digits: int,
    confidence: float,
    engine: str,
    memory: str | None,
    master: str | None,
    **options: Any,
) -> None:
    """Evaluate one run or several against judgements.

    QRELS and RUN are files in any format: TREC, CSV, TSV, JSON, JSONL, Parquet, Arrow, BEIR folders,
    LETOR; also compressed; - is standard input. A JSON file with 'retrieved' and 'relevant' for each query serves
    as both.
    Parquet files and folders larger than memory are read in pieces; with --engine spark, QRELS and RUN may also be
    tables and addresses that Spark knows.
    """
    from rankgauge.data.columns import SharedColumns
    from rankgauge.errors import ParameterError
    from rankgauge.evaluation.of_rankings import evaluate
    from rankgauge.evaluation.rankings.naming import DEFAULT_MEASURES

    if queries and out.chosen != "trec":
        raise ParameterError(
            "-q (--queries) is for the format of trec_eval. Add -f trec, or write the value of each query with "
            "--per-query FILE."
        )
    if plugins:
        from rankgauge.measures.custom import load

        for plugin in plugins:
            load(plugin)
    paths = list(runs or [qrels])
    named = column_map(columns)
    known = SharedColumns(named) if named else None
    start_engine(engine, master)
    with watched(paths[0], "run", known, engine, memory) if len(paths) == 1 else nullcontext():
        result = evaluate(
            qrels,
            paths[0] if len(paths) == 1 else paths,
            measures or DEFAULT_MEASURES,
            columns=named,
            confidence_level=confidence,
            engine=engine,
            memory=memory,
            **options,
        )
    if per_query_file is not None and engine == "spark":
        write_on_spark(result, per_query_file)
    elif per_query_file is not None:
        write_table(result.per_query, per_query_file, "--per-query")
    if out.chosen == "trec":
        warn(result)
        if not out.is_silent:
            write_text(_trec(result, queries), out.path, "trec")
    else:
        out.show(result, about=with_slices(about, options["slices"]), digits=digits)


def _trec(result: Any, queries: bool) -> str:
    from rankgauge.evaluation.rankings.record import RankingEvaluation
    from rankgauge.reporting.trec import trec_lines

    members = [result] if isinstance(result, RankingEvaluation) else result.values()
    return "".join(trec_lines(ev, per_query=queries) for ev in members)
