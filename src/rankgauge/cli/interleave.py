"""`rankgauge interleave`: two rankings in one list, and which of them users prefer."""

from __future__ import annotations

from pathlib import Path

from rankgauge._text import Text
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
    zh="把两个排序合成一个列表（team draft），或根据用户对这种列表的行为作出裁决。\n\n给出 RUN_A 和 "
    "RUN_B：生成要展示的列表，并标明每条结果属于哪一方。给出 --assignment 和 --log：按用户计算哪"
    "一方更受偏好，附置信区间。",
    epilog=examples(
        "rankgauge interleave old.run new.run --length 10 --seed 7 -o lists.csv",
        "rankgauge interleave --assignment lists.csv --log clicks.parquet",
        "rankgauge interleave --assignment lists.csv --log events.jsonl --events click=1,purchase=5",
    ),
)
@click.argument("runs", nargs=-1, type=Input(), metavar="[RUN_A RUN_B]")
@click.option(
    "--length",
    type=click.IntRange(1),
    default=10,
    show_default=True,
    help=Text("Results in a list.", "每个列表的结果数。"),
)
@click.option(
    "--seed",
    type=click.IntRange(0),
    default=0,
    show_default=True,
    help=Text("Of the coins; the same seed gives the same lists.", "抛硬币所用的随机种子；种子相同，列表就相同。"),
)
@click.option(
    "-o",
    "--output",
    "target",
    type=Target(),
    default=None,
    help=Text(
        "Where the lists go: .csv, .tsv, .jsonl, .parquet. [default: interleaved.csv, where there is none yet]",
        "列表写到哪里：.csv、.tsv、.jsonl、.parquet。[默认：interleaved.csv，且该文件尚不存在]",
    ),
)
@click.option("--assignment", type=Input(), default=None, help=Text("The lists that were shown.", "已经展示的列表。"))
@click.option("--log", type=Input(), default=None, help=Text("What happened to them.", "用户对这些列表的行为日志。"))
@click.option(
    "--events",
    metavar="NAME=WEIGHT,…",
    default=None,
    help=Text("What gives credit. [default: click=1]", "哪些行为计分。[默认：click=1]"),
)
@click.option(
    "--intersect", is_flag=True, help=Text("Leave out queries that only one run has.", "略去只有一方有结果的查询。")
)
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
            raise ParameterError(
                Text(
                    "to decide, interleave needs --assignment and --log, and no runs.",
                    "要裁决时，interleave 需要 --assignment 和 --log，且不要给出结果文件。",
                )
            )
        if target is not None:
            raise ParameterError(
                Text(
                    "--output is for the lists; what was decided goes to --html or --json > file.",
                    "--output 用于写出列表；裁决结果请用 --html 或 --json > 文件。",
                )
            )
        with status(Text(f"reading {log.name} …", f"正在读取 {log.name} …")):
            cleaned = clean(read_log(log, columns=column_map(columns)), Cleaning(examined="all"))
            found = credit(cleaned.impressions, assignment, number_map("--events", events), confidence_level=confidence)
        say_of_log(cleaned)
        out.show(found, digits=digits)
        return
    if len(runs) != 2:
        raise ParameterError(
            Text(
                f"interleave needs two runs, or --assignment and --log, got {len(runs)} files.",
                f"interleave 需要两个结果文件，或 --assignment 和 --log，实际为 {len(runs)} 个文件。",
            )
        )
    if out.form is not None or out.page is not None:
        raise ParameterError(
            Text(
                "--format and --html show what was decided: pass --assignment and --log; lists go to -o.",
                "--format 和 --html 显示裁决结果：请加上 --assignment 和 --log；列表用 -o 写出。",
            )
        )
    path = target or fresh(Path("interleaved.csv"))
    lists = interleave(*runs, length=length, rng=seed, missing="intersect" if intersect else "error")
    lists.write(path)
    for note in lists.notes:
        say(note)
    wrote(
        path,
        Text(
            f": {len(lists):,} lists, A is {runs[0].name}, B is {runs[1].name}",
            f"：{len(lists):,} 个列表，A 是 {runs[0].name}，B 是 {runs[1].name}",
        ),
    )
