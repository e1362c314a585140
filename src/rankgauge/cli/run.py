"""`rankgauge run`: everything in a project file, measured, kept, decided and reported."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from rankgauge._language import get_language
from rankgauge._text import Text, composed
from rankgauge.cli.options import Input, digits_option, examples
from rankgauge.cli.output import Output, output_options, write_text
from rankgauge.cli.places import refuse_inputs
from rankgauge.cli.style import click
from rankgauge.cli.terminal import say

__all__ = ["command"]


@click.command(
    "run",
    zh="运行项目文件：评测其中的一切，存入历史，按规则裁决，写报告，发消息。\n\n退出码 0 正常，1 有规则未通过或有告警，"
    "2 输入有误（哪怕只有一个系统），3 无法判定。\n\nFILE 是项目文件，默认 rankgauge.toml。"
    "一个系统有误时，其余照常评测。",
    epilog=examples(
        "rankgauge run --example > rankgauge.toml",
        "rankgauge run",
        "rankgauge run shop/rankgauge.toml --store history.db --html report.html",
        "rankgauge run --only bm25 --only dense --json -o run.json",
        "rankgauge run --at 2026-11-02T06:00 --quiet-channels",
    ),
)
@click.argument("file", type=Input(), default=Path("rankgauge.toml"), required=False)
@click.option(
    "--store",
    default=None,
    metavar="FILE|URL",
    help=Text(
        "Where evaluations are kept, in place of what the file says: a file, or postgresql://…",
        "评测存在哪里（代替文件中的设置）：文件，或 postgresql://…",
    ),
)
@click.option(
    "--only",
    multiple=True,
    metavar="SYSTEM",
    help=Text("Measure this system only; may be repeated.", "只评测这个系统；可重复给出。"),
)
@click.option(
    "--at",
    default=None,
    metavar="TIME",
    help=Text(
        "The time that entries are filed under, such as 2026-11-02T06:00 (UTC). [default: now]",
        "记录归入的时间，如 2026-11-02T06:00（UTC）。[默认：现在]",
    ),
)
@click.option(
    "--quiet-channels",
    is_flag=True,
    help=Text("Send no messages to the channels of the file.", "不向文件中的渠道发送消息。"),
)
@click.option(
    "--example",
    "is_example",
    is_flag=True,
    help=Text(
        "Print a commented project file to begin with, about the shop of `rankgauge demo --save shop`; run nothing.",
        "打印一个带注释的项目文件作为起点（针对 `rankgauge demo --save shop` 的商店），不运行。",
    ),
)
@digits_option
@output_options("table", "json", "csv", "markdown", "html", stored=False)
def command(
    file: Path,
    store: str | None,
    only: tuple[str, ...],
    at: str | None,
    quiet_channels: bool,
    is_example: bool,
    digits: int,
    out: Output,
) -> int:
    """Run a project file: measure everything in it, keep it, decide by its rules, report and tell.

    Exit code 0 fine, 1 a rule failed or an alert rings, 2 something is broken (be it one system of many), 3 not
    settled. FILE is the project file, rankgauge.toml unless said. Where one system is broken, the others are measured
    all the same.
    """
    from rankgauge.project.delivering import unready
    from rankgauge.project.file import example, inputs_of, read_project
    from rankgauge.project.running import run_project

    if is_example:
        write_text(example(out.language or get_language()), out.path)
        return 0
    project = read_project(file)
    refuse_inputs([file, *(Path(project.at(path)) for path in inputs_of(project.tables))])
    for why in () if quiet_channels else unready(project).values():
        say(why)  # now, while somebody may still be looking
    run = run_project(project, store=store, only=only or None, report=out.page, at=at, deliver=not quiet_channels)
    replace(out, page=None).show(run, digits=digits)
    if run.exit_code == 2:
        say(composed("Error: {}", "错误：{}", run.fault))
    return run.exit_code
