"""`rankgauge history trend` and `rankgauge history acknowledge`: numbers over time, and changes that are accepted."""

from __future__ import annotations

from typing import Any

from rankgauge._text import Text
from rankgauge.cli.options import digits_option, examples, measures_option
from rankgauge.cli.output import Output, Page, output_options, page_options
from rankgauge.cli.storing import store_option
from rankgauge.cli.style import click
from rankgauge.cli.terminal import say

__all__ = ["acknowledge", "trend", "trend_options"]


def trend_options(command: Any) -> Any:
    """Which series; the command gets `systems` and `slices`, and the others as words of `rg.trend`."""
    for option in (
        click.option("--project", default=None, metavar="NAME", help=Text("Of this project.", "该项目。")),
        click.option(
            "--system",
            "systems",
            multiple=True,
            metavar="NAME",
            help=Text("Of this system; may be repeated.", "该系统；可重复给出。"),
        ),
        click.option("--dataset", default=None, metavar="NAME", help=Text("Measured on this.", "在该数据上测得。")),
        click.option(
            "--slice",
            "slices",
            multiple=True,
            metavar="ATTRIBUTE",
            help=Text("Slices by this attribute as well; may be repeated.", "另按该属性的切片；可重复给出。"),
        ),
        click.option("--since", default=None, metavar="TIME", help=Text("From this moment on.", "该时刻及以后。")),
        click.option(
            "--until",
            default=None,
            metavar="TIME",
            help=Text("Up to this moment; a day with all its hours.", "该时刻及以前；日期包含当天。"),
        ),
        click.option(
            "--baseline",
            default=None,
            metavar="ENTRY",
            help=Text(
                "What points are held against: an id or a tag. [default: acknowledged, tagged baseline, or the first]",
                "各点与之对照的记录：id 或标签。[默认：已确认的基线、带 baseline 标签的记录或第一个点]",
            ),
        ),
    )[::-1]:
        command = option(command)
    return command


@click.command(
    "trend",
    zh="指标随时间的变化：每个点带区间，与上一点和基线在共同的查询上配对比较；查询、标注、策略或指标定义变化处断开，"
    "绝不相连；并标出台阶。\n\n只有一个序列时列出各点。--html 画图。",
    epilog=examples(
        "rankgauge history trend --store history.db --project shop -m nDCG@10",
        "rankgauge history trend --store history.db --system bm25 --slice device --since 2026-10-01",
        "rankgauge history trend --store history.db --html trend.html",
    ),
)
@trend_options
@measures_option(
    Text("A measure to follow; may be repeated. [default: all]", "要跟踪的指标；可重复给出。[默认：全部]"),
    "RANKINGS",
    "PREDICTIONS",
)
@store_option
@digits_option
@page_options
@output_options("table", "json", "csv", "markdown", "html", stored=False)
def trend(
    measures: tuple[str, ...],
    systems: tuple[str, ...],
    slices: tuple[str, ...],
    store: str | None,
    digits: int,
    about: Page,
    out: Output,
    **chosen: str | None,
) -> None:
    """Numbers over time: each with its interval, and what changed since the point before and since the baseline.

    Changes are paired over the queries that both count. Where queries, judgements, policy or the definition of a
    measure changed the line breaks, and is never joined; steps are marked. A single series lists its points; --html
    draws them.
    """
    from rankgauge.cli.history import opened
    from rankgauge.history.trend import trend as made

    words = {name: value for name, value in chosen.items() if value is not None}
    with opened(store) as h:
        found = made(h, system=systems or None, slices=slices, measures=list(measures) or None, **words)  # type: ignore[arg-type]
    out.show(found, page=[found], about=about, digits=digits)


@click.command(
    "acknowledge",
    zh="接受一个变化：从此以后，该系统以这条记录为基线。\n\nENTRY 是 id、id 的开头或标签。",
    epilog=examples(
        'rankgauge history acknowledge 3f2a --reason "fewer adverts since May" --who Ana --store history.db',
    ),
)
@click.argument("entry", metavar="ENTRY")
@click.option("--reason", required=True, help=Text("Why the change is accepted.", "为何接受这个变化。"))
@click.option("--who", default="", metavar="NAME", help=Text("Who accepts it.", "由谁接受。"))
@click.option(
    "--since",
    default=None,
    metavar="TIME",
    help=Text(
        "When the new state began: streams take their new baseline from there on. [default: the time of the entry]",
        "新状态何时开始：stream 规则从那时起取新的基线。[默认：该记录的时间]",
    ),
)
@store_option
def acknowledge(entry: str, reason: str, who: str, since: str | None, store: str | None) -> None:
    """Accept a change: from now on its system is held against this entry.

    ENTRY is an id, the beginning of one, or a tag.
    """
    from rankgauge.cli.history import opened
    from rankgauge.history.judging import acknowledge as accepted

    with opened(store, writes=True) as h:
        event = accepted(h, entry, reason, who, since=since)
        system = str(event.data["system"])
    say(Text(f"{system} is held against {event.entry} from now on", f"从现在起 {system} 以 {event.entry} 为基线"))
