"""Which series of a history: the options of those who show them."""

from __future__ import annotations

from typing import Any

from rankgauge._text import Text
from rankgauge.cli.style import click

__all__ = ["trend_options"]


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
            "--slices",
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
