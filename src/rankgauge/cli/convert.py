"""`rankgauge convert`: from one format to another."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from rankgauge.cli.options import Input, column_map, columns_option, examples
from rankgauge.cli.places import Target
from rankgauge.cli.style import click
from rankgauge.cli.terminal import say, wrote
from rankgauge.cli.types import Choice
from rankgauge.cli.wording import in_note
from rankgauge.errors import ParameterError

if TYPE_CHECKING:
    from rankgauge.data.table import Table

__all__ = ["command"]


@click.command(
    "convert",
    epilog=examples(
        "rankgauge convert bm25.run bm25.parquet",
        "rankgauge convert qrels.csv qrels.txt --kind qrels --to trec",
        "rankgauge convert beir_folder qrels.txt --kind qrels",
    ),
)
@click.argument("source", type=Input())
@click.argument("target", type=Target())
@click.option(
    "--kind",
    type=Choice(["run", "qrels"]),
    default=None,
    help="What the source holds; told by its columns when not given.",
)
@click.option("--from", "source_format", default=None, help="Format of the source, when its content does not tell.")
@click.option("--to", "target_format", default=None, help="Format of the target, when its suffix does not tell.")
@click.option("--tag", default=None, help="Run tag written to a TREC run.")
@columns_option
@click.pass_context
def command(
    ctx: click.Context,
    source: Path,
    target: Path,
    kind: str | None,
    source_format: str | None,
    target_format: str | None,
    tag: str | None,
    columns: str | None,
) -> None:
    """Convert runs and judgements between TREC, CSV, TSV, JSON, JSONL, Parquet, Arrow, BEIR and LETOR files.

    A TARGET of - is standard output, in the format that --to names.
    """
    options = {"format": source_format, "columns": column_map(columns)}
    table = _read(source, kind, options)
    if tag is not None and table.kind == "run":
        table.tag = tag  # type: ignore[attr-defined]
    try:
        table.write(target, format=target_format)
    except ParameterError as e:
        raise ParameterError(str(e).replace("format=", "--to").replace("format must", "--to must")) from None
    wrote(target, f": {table.kind}, {len(table.query_ids):,} queries, {len(table):,} rows")
    for note in table.notes:
        say(f"  {in_note(note, ctx.command)}")


def _read(source: Path, kind: str | None, options: dict[str, Any]) -> Table:
    """The source as what it is: a run when it reads as one, else judgements."""
    from rankgauge.data import Qrels, Run
    from rankgauge.errors import InputError

    if kind == "qrels":
        return Qrels.read(source, **options)
    try:
        return Run.read(source, **options)
    except InputError as not_a_run:
        if kind == "run":
            raise
        try:
            return Qrels.read(source, **options)
        except InputError as not_qrels:
            raise InputError(f"{not_a_run}\nNor does it read as judgements: {not_qrels}") from None
