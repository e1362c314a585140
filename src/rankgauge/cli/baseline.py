"""`rankgauge baseline`: what a simple recommender answers."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from rankgauge._text import Text
from rankgauge.cli.options import Input, column_map, columns_option, examples, status
from rankgauge.cli.places import Target
from rankgauge.cli.style import click
from rankgauge.cli.terminal import say, wrote
from rankgauge.cli.types import Choice, Number

__all__ = ["command"]


@click.command(
    "baseline",
    zh="用简单的推荐方法生成列表，让数字有参照：例如“是热门推荐的 2.3 倍”。\n\nTRAIN 是训练集的交互，热度只按它统计。",
    epilog=examples(
        "rankgauge baseline train.csv --users test.csv -o popularity.run",
        "rankgauge baseline train.csv --users test.csv --kind item-knn -k 20 -o knn.run",
        "rankgauge evaluate test.csv popularity.run knn.run -m nDCG@10 --rel 4",
    ),
)
@click.argument("train", type=Input())
@click.option(
    "-o",
    "--output",
    type=Target(),
    required=True,
    help=Text("The run to write: .run, .csv, .parquet and so on.", "要写出的列表文件：.run、.csv、.parquet 等。"),
)
@click.option(
    "--kind",
    "kinds",
    type=Choice(["popularity", "recent", "item-knn", "ease"]),
    default="popularity",
    show_default=True,
    help=Text(
        "The items of most users (popularity), the same over the last days (recent), items like those a user knows "
        "(item-knn), or a linear model of items (ease).",
        "最多用户交互过的物品（popularity）、最近若干天的热门（recent）、与用户已知物品相似的物品（item-knn）或物品间的线性模型（ease）。",
    ),
)
@click.option(
    "-k", "k", type=click.IntRange(1), default=10, show_default=True, help=Text("Items per list.", "每个列表的物品数。")
)
@click.option(
    "--users",
    type=Input(),
    default=None,
    help=Text(
        "Interactions whose users get lists, such as the test; those of TRAIN unless given.",
        "为其中的用户生成列表，如测试集；不给出时为 TRAIN 中的用户。",
    ),
)
@click.option(
    "--seen", is_flag=True, help=Text("Also show what a user knows from TRAIN.", "也推荐用户在 TRAIN 中已有过的物品。")
)
@click.option(
    "--days",
    type=Number(0, None, min_open=True),
    default=None,
    help=Text("How far recent looks back, in days; 30 unless said.", "recent 统计最近多少天，默认 30。"),
)
@click.option(
    "--neighbours",
    type=click.IntRange(1),
    default=None,
    help=Text(
        "Items that item-knn takes for each item; 50 unless said.", "item-knn 为每个物品取的相似物品数，默认 50。"
    ),
)
@click.option(
    "--shrink",
    type=Number(0, None),
    default=None,
    help=Text("Added to the denominator of the cosine of item-knn.", "加在 item-knn 余弦分母上的数。"),
)
@click.option(
    "--l2",
    type=Number(0, None, min_open=True),
    default=None,
    help=Text("The penalty of ease; 250 unless said.", "ease 的正则系数，默认 250。"),
)
@click.option(
    "--min-rating",
    type=Number(),
    default=None,
    help=Text("Leave out interactions that are rated below it.", "略去评分低于该值的交互。"),
)
@click.option(
    "--memory",
    default=None,
    metavar="SIZE",
    help=Text(
        "How much ease may use, such as 2GiB; half of what is free unless said.",
        "ease 可用的内存，如 2GiB；默认为空闲内存的一半。",
    ),
)
@columns_option
def command(
    train: Path,
    output: Path,
    kinds: str,
    columns: str | None,
    **options: Any,
) -> None:
    """Recommend with a simple method, so that a number can be read: 2.3 times popularity.

    TRAIN are the interactions to learn from; popularity is counted over them alone.
    """
    from rankgauge.cli.wording import in_note
    from rankgauge.protocols import baseline

    with status(Text("making the lists …", "正在生成列表 …")):
        run = baseline(train, kinds, columns=column_map(columns), **options)
    run.write(output)
    wrote(
        output,
        Text(
            f": {run.name}, {len(run.query_ids):,} users, {len(run):,} rows",
            f"：{run.name}，{len(run.query_ids):,} 个用户，{len(run):,} 行",
        ),
    )
    ctx = click.get_current_context()
    assert ctx is not None
    for note in run.notes:
        say("  " + in_note(note, ctx.command))
