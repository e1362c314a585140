"""`rankgauge audit`: what is wrong with the input, before any number is quoted."""

from __future__ import annotations

from pathlib import Path

from rankgauge._text import Text
from rankgauge.cli.files import File, Given, rankings
from rankgauge.cli.options import Input, column_map, columns_option, examples, policy_option
from rankgauge.cli.output import Output, output_options
from rankgauge.cli.style import click
from rankgauge.cli.terminal import say
from rankgauge.evaluation.policy_fields import fields_of
from rankgauge.evaluation.rankings.policy import Policy

__all__ = ["command"]


@click.command(
    "audit",
    zh="检查标注和结果中的问题：重复、id 对不上、NaN 得分、倒序的列表、缺失 …",
    epilog=examples(
        "rankgauge audit qrels.txt bm25.run dense.run",
        "rankgauge audit qrels.txt",
        "rankgauge audit rag.json",
        "rankgauge audit test.csv recs.run --train train.csv --items items.csv",
        "rankgauge audit ratings.csv recs.run --train train.csv --rel 4",
        "rankgauge audit qrels.txt run.txt --strict && echo clean",
    ),
)
@click.argument("qrels", type=File())
@click.argument("runs", nargs=-1, type=File(), metavar="[[NAME=]RUN…]")
@click.option(
    "--strict",
    is_flag=True,
    help=Text("Exit with code 2 when there is anything to warn about.", "只要有值得警告的问题，就以退出码 2 结束。"),
)
@click.option(
    "--train",
    type=Input(),
    default=None,
    help=Text(
        "The interactions that a recommender learned from: has it seen the answers, or the future?",
        "推荐系统训练用的交互：它是否见过答案，或学到了未来？",
    ),
)
@click.option(
    "--items",
    type=Input(),
    default=None,
    help=Text(
        "The catalogue, a table with item_id: is anything shown that is not in it?",
        "物品目录，带 item_id 的表：是否展示了目录中没有的物品？",
    ),
)
@policy_option("rel", fields_of(Policy)["rel"])
@columns_option
@output_options("table", "json", "csv", "markdown", "html")
@click.pass_context
def command(
    ctx: click.Context,
    qrels: Given,
    runs: tuple[Given, ...],
    strict: bool,
    train: Path | None,
    items: Path | None,
    rel: float | None,
    columns: str | None,
    out: Output,
) -> None:
    """Look for trouble in judgements and runs: duplicates, id mismatches, NaN scores, worst-first lists, holes …"""
    from rankgauge.data.audit import audit

    judged, systems = rankings([qrels, *runs])
    runs_of = () if systems is None else (systems,)
    found = audit(judged, *runs_of, train=train, items=items, rel=rel, columns=column_map(columns))
    out.show(found)
    if strict and not found.ok:
        n = len(found.serious)
        say(
            Text(
                f"the audit found {n:,} {'problem' if n == 1 else 'problems'} (--strict)",
                f"检查发现 {n:,} 个问题（--strict）",
            )
        )
        ctx.exit(2)
