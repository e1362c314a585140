"""`rankgauge split`: what a model may learn from, and what it is asked afterwards."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from rankgauge._output import STANDARD_OUTPUT
from rankgauge._text import Text
from rankgauge.cli.options import (
    Input,
    column_map,
    columns_option,
    digits_option,
    examples,
    status,
    table_option,
    write_table,
)
from rankgauge.cli.output import Output, output_options
from rankgauge.cli.places import Target, refuse_numbered
from rankgauge.cli.style import click
from rankgauge.cli.types import Choice, Number
from rankgauge.errors import ParameterError

__all__ = ["command"]

_RULE = Choice(["keep", "drop"])


@click.command(
    "split",
    zh="把交互划分为训练集和测试集，并说明这样划分对结论意味着什么。\n\n"
    "INTERACTIONS 是用户与物品的交互：含 user_id、item_id（或 userId、movieId 等常见列名）的表，或每行为"
    "“用户 物品 物品 …”的文本。不写 --train 和 --test 时，只显示划分结果。",
    epilog=examples(
        "rankgauge split ratings.csv --train train.csv --test test.csv",
        "rankgauge split ratings.csv --at 2016-01-01 --cold-users drop --train train.csv --test test.csv",
        "rankgauge split ratings.csv --by last -n 1 --train train.parquet --test test.parquet",
        "rankgauge split ratings.csv --by user --folds 5 --train train.csv --test test.csv",
    ),
)
@click.argument("interactions", type=Input())
@click.option(
    "--by",
    type=Choice(["time", "last", "user", "random"]),
    default="time",
    show_default=True,
    help=Text(
        "What is tested: what happened from a moment on (time), the last interactions of each user (last), some users "
        "(user), or some interactions (random).",
        "测试什么：某一时刻及之后的交互（time）、每个用户最后的交互（last）、一部分用户（user）或随机的一部分交互（random）。",
    ),
)
@click.option(
    "--share",
    type=Number(0, 1, min_open=True, max_open=True),
    default=None,
    help=Text("The share that is tested; 0.2 unless said.", "测试所占的比例，默认 0.2。"),
)
@click.option(
    "--at",
    default=None,
    metavar="TIME",
    help=Text(
        "The moment from which on interactions are tested: 2016-01-01, or a number like the times.",
        "从这一时刻起的交互用于测试：如 2016-01-01，或与时间列相同的数字。",
    ),
)
@click.option(
    "-n",
    "n",
    type=click.IntRange(1),
    default=None,
    help=Text("Interactions of each user that are tested.", "每个用户用于测试的交互数。"),
)
@click.option(
    "--folds",
    "k",
    type=click.IntRange(2),
    default=None,
    help=Text(
        "Split so many times; files are numbered: train-1.csv, train-2.csv, …",
        "划分多次（k 折）；文件名带编号：train-1.csv、train-2.csv……",
    ),
)
@click.option(
    "--cold-users",
    type=_RULE,
    default="keep",
    show_default=True,
    help=Text("Test rows of users that are not in train.", "用户不在训练集中的测试交互。"),
)
@click.option(
    "--cold-items",
    type=_RULE,
    default="keep",
    show_default=True,
    help=Text("Test rows of items that are not in train.", "物品不在训练集中的测试交互。"),
)
@click.option(
    "--seen",
    type=_RULE,
    default="keep",
    show_default=True,
    help=Text("Test rows whose user has had the item in train.", "用户在训练集中已有过该物品的测试交互。"),
)
@click.option(
    "--min-rating",
    type=Number(),
    default=None,
    help=Text("Leave out interactions that are rated below it.", "略去评分低于该值的交互。"),
)
@click.option(
    "--seed", type=click.IntRange(0), default=0, show_default=True, help=Text("Of the draw.", "抽取的随机种子。")
)
@table_option("--train", Text("what to learn from", "训练集"))
@click.option(
    "--test",
    type=Target(),
    default=None,
    help=Text("Write what is tested, in the same forms.", "写出测试集，格式同上。"),
)
@columns_option
@digits_option
@output_options("table", "json", "csv", "markdown")
def command(
    interactions: Path,
    by: str,
    share: float | None,
    at: str | None,
    k: int | None,
    seed: int,
    train: Path | None,
    test: Path | None,
    columns: str | None,
    digits: int,
    out: Output,
    **options: Any,
) -> None:
    """Split interactions into what a model may learn from and what it is asked afterwards.

    INTERACTIONS are those of users with items: a table with user_id and item_id (userId, movieId and other usual
    names), or lines of `user item item …`. Without --train and --test the split is only shown.
    """
    from rankgauge.protocols import folds as several
    from rankgauge.protocols import split

    options |= {"columns": column_map(columns), "rng": seed}
    if k is not None:
        _refuse_standard_output(train=train, test=test)
    with status(Text("splitting the interactions …", "正在划分交互 …")):
        if k is None:
            made = [split(interactions, by, share=share, at=at, **options)]
        else:
            if share is not None or at is not None:
                raise ParameterError(
                    Text(
                        "--share and --at are for one split, not for --folds.",
                        "--share 和 --at 只用于一次划分，不能与 --folds 同用。",
                    )
                )
            made = list(several(interactions, k, by, **options))
    targets = {
        name: [path] if k is None else [_numbered(path, i + 1) for i in range(len(made))]
        for name, path in (("train", train), ("test", test))
        if path is not None
    }
    if k is not None:  # how many there can be is known only now
        refuse_numbered(targets)
    for i, one in enumerate(made):
        for name, paths in targets.items():
            write_table(_frame(getattr(one, name)), paths[i], f"--{name}")
    out.show(*made, digits=digits)


def _refuse_standard_output(**paths: Path | None) -> None:
    for name, path in paths.items():
        if path == STANDARD_OUTPUT:
            raise ParameterError(
                Text(
                    f"--{name} must name a file where there are --folds: each fold has one of its own. Try --{name} "
                    f"{name}.csv.",
                    f"使用 --folds 时 --{name} 必须是文件名：每一折各写一个文件。请试试 --{name} {name}.csv。",
                )
            )


def _numbered(path: Path, fold: int) -> Path:
    """train-1.csv.gz for train.csv.gz."""
    stem, dot, rest = path.name.partition(".")
    return path.with_name(f"{stem}-{fold}{dot}{rest}")


def _frame(part: Any) -> Any:
    """Columns, also of what was no table."""
    import polars as pl

    from rankgauge.data.interactions import Interactions

    return part if isinstance(part, pl.DataFrame) else Interactions.of(part).to_frame()
