"""`rankgauge interleave`: two rankings in one list, and which of them users prefer."""

from __future__ import annotations

from pathlib import Path

from rankgauge.cli.options import (
    Input,
    column_map,
    columns_option,
    confidence_option,
    digits_option,
    examples,
    number_map,
    status,
)
from rankgauge.cli.output import Output, output_options
from rankgauge.cli.places import Target, fresh
from rankgauge.cli.style import click
from rankgauge.cli.terminal import say, say_of_log, wrote
from rankgauge.errors import ParameterError

__all__ = ["command"]

_PATH = click.Path(path_type=Path)


@click.command(
    "interleave",
    epilog=examples(
        "rankgauge interleave old.run new.run --length 10 --seed 7 -o lists.csv",
        "rankgauge interleave --assignment lists.csv --log clicks.parquet",
        "rankgauge interleave --assignment lists.csv --log events.jsonl --events click=1,purchase=5",
    ),
)
@click.argument("runs", nargs=-1, type=Input(), metavar="[RUN_A RUN_B]")
@click.option("--length", type=click.IntRange(1), default=10, show_default=True, help="Results in a list.")
@click.option(
    "--seed",
    type=click.IntRange(0),
    default=0,
    show_default=True,
    help="Of the coins; the same seed gives the same lists.",
)
@click.option(
    "-o",
    "--output",
    "target",
    type=Target(),
    default=None,
    help="Where the lists go: .csv, .tsv, .jsonl, .parquet. [default: interleaved.csv, where there is none yet]",
)
@click.option("--assignment", type=Input(), default=None, help="The lists that were shown.")
@click.option("--log", type=Input(), default=None, help="What happened to them.")
@click.option("--events", metavar="NAME=WEIGHT,…", default=None, help="What gives credit. [default: click=1]")
@click.option("--intersect", is_flag=True, help="Leave out queries that only one run has.")
@confidence_option
@digits_option
@columns_option
@output_options("table", "json", "csv", "markdown", "html", to_file=False)
def command(
    runs: tuple[Path, ...],
    length: int,
    seed: int,
    target: Path | None,
    assignment: Path | None,
    log: Path | None,
    events: str | None,
    intersect: bool,
    confidence: float,
    digits: int,
    columns: str | None,
    out: Output,
) -> None:
    """Draft one list from two rankings (team draft), or decide from what users did with such lists.

    With RUN_A and RUN_B: the lists to show, with the team of every result. With --assignment and --log: who is
    preferred, over users, with an interval.
    """
    from rankgauge.behavior import Cleaning, clean, credit, interleave, read_log

    if assignment is not None or log is not None:
        if assignment is None or log is None or runs:
            raise ParameterError("to decide, interleave needs --assignment and --log, and no runs.")
        if target is not None:
            raise ParameterError("--output is for the lists; what was decided goes to --html or --json > file.")
        with status(f"reading {log.name} …"):
            cleaned = clean(read_log(log, columns=column_map(columns)), Cleaning(examined="all"))
            found = credit(cleaned.impressions, assignment, number_map("--events", events), confidence_level=confidence)
        say_of_log(cleaned)
        out.show(found, digits=digits)
        return
    if len(runs) != 2:
        raise ParameterError(f"interleave needs two runs, or --assignment and --log, got {len(runs)} files.")
    if out.form is not None or out.page is not None:
        raise ParameterError("--format and --html show what was decided: pass --assignment and --log; lists go to -o.")
    path = target or fresh(Path("interleaved.csv"))
    lists = interleave(*runs, length=length, rng=seed, missing="intersect" if intersect else "error")
    lists.write(path)
    for note in lists.notes:
        say(note)
    wrote(path, f": {len(lists):,} lists, A is {runs[0].name}, B is {runs[1].name}")
