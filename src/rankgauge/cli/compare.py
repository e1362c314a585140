"""`rankgauge compare`: is the new one better?"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from rankgauge.cli.options import Input, column_map, columns_option, digits_option, examples, policy_options, status
from rankgauge.cli.output import Output, Page, output_options, page_options, with_slices
from rankgauge.cli.style import click
from rankgauge.cli.types import Choice, Number

__all__ = ["command"]


@click.command(
    "compare",
    epilog=examples(
        "rankgauge compare qrels.txt old.run new.run",
        "rankgauge compare qrels.txt old.run new.run -m nDCG@10 -m R@100 --margin 0.01",
        "rankgauge compare qrels.txt bm25.run dense.run hybrid.run --all-pairs --slices queries.jsonl",
        "rankgauge compare qrels.txt old.run new.run --query q12",
        "rankgauge compare qrels.txt old.run new.run --html report.html --documents corpus.jsonl",
        "rankgauge compare --evaluations old.json new.json",
    ),
)
@click.argument("files", nargs=-1, required=True, type=Input(), metavar="QRELS BASE NEW…")
@click.option(
    "-m",
    "--measure",
    "measures",
    multiple=True,
    help="A measure such as nDCG@10; may be repeated. The first one is the headline.",
)
@click.option(
    "--evaluations", is_flag=True, help="All FILES are stored evaluations (evaluate --json), the first the baseline."
)
@click.option(
    "--test",
    type=Choice(["randomisation", "t", "wilcoxon", "sign", "bootstrap"]),
    default="randomisation",
    show_default=True,
    help="How differences are tested.",
)
@click.option(
    "--correction",
    type=Choice(["holm", "bh", "bonferroni", "none"]),
    default="holm",
    show_default=True,
    help="Of p-values over all measures and systems.",
)
@click.option("--alpha", type=Number(0, 0.5, min_open=True, max_open=True), default=0.05, show_default=True)
@click.option(
    "--margin",
    type=Number(0, min_open=True),
    default=None,
    help="A difference that does not matter: inside it systems are equivalent.",
)
@click.option("--all-pairs", is_flag=True, help="p-values of all pairs of systems (randomised Tukey test).")
@click.option("--permutations", type=click.IntRange(100), default=10_000, show_default=True)
@click.option("--seed", type=click.IntRange(0), default=0, show_default=True, help="Of the permutations.")
@click.option("--query", "query_id", default=None, help="The two result lists of one query side by side.")
@click.option("--depth-shown", type=click.IntRange(1), default=10, show_default=True, help="Results shown by --query.")
@click.option("--lists", is_flag=True, help="The result lists of the queries that moved most, side by side.")
@click.option("--moved", type=click.IntRange(0), default=3, show_default=True, help="Queries shown that moved most.")
@click.option(
    "--slices",
    type=Input(),
    default=None,
    help="Attributes of queries, for differences by slice: CSV, JSONL, Parquet with a query_id column.",
)
@digits_option
@policy_options
@columns_option
@page_options
@output_options("table", "json", "csv", "markdown", "latex", "html")
def command(
    files: tuple[Path, ...],
    measures: tuple[str, ...],
    evaluations: bool,
    all_pairs: bool,
    seed: int,
    query_id: str | None,
    depth_shown: int,
    lists: bool,
    moved: int,
    columns: str | None,
    digits: int,
    out: Output,
    about: Page,
    **options: Any,
) -> None:
    """Is a new system better than the baseline? The verdict first, then the numbers, then what moved.

    QRELS are judgements, BASE the run to beat, NEW one run or several, in any format.
    """
    from rankgauge.comparison import compare
    from rankgauge.errors import ParameterError

    options = {k: v for k, v in options.items() if v is not None}
    options |= {"pairs": "all" if all_pairs else "baseline", "rng": seed}
    with status("comparing …"):
        if evaluations:
            result = compare(list(files), None, list(measures) or None, **options)
        else:
            if len(files) < 3:
                raise ParameterError("compare needs judgements and two runs: rankgauge compare QRELS BASE NEW.")
            if mapped := column_map(columns):
                options["columns"] = mapped
            result = compare(files[0], list(files[1:]), list(measures) or None, **options)
    about = with_slices(about, options.get("slices"))
    if out.is_data:
        out.show(result, about=about)
        return
    if query_id is not None:
        side_by_side = [result.query(query_id, system, depth=depth_shown) for system in result.systems]
        out.show(*side_by_side, page=[result], about=about, digits=digits)
        return
    if not lists:
        out.show(result, about=about, digits=digits, moved=moved)
        return
    first = result.measures[0]
    found = [
        result.query(q, system, first, depth=depth_shown)
        for system in result.systems
        for frame in result.moved(first, system, moved)
        for q in frame["query_id"]
    ]
    out.show(result, *found, page=[result], about=about, digits=digits)
