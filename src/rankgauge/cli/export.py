"""`rankgauge export …`: the newest numbers of a store for Prometheus, and a dashboard of them for Grafana."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

from rankgauge._text import Text
from rankgauge.cli.careful import CarefulGroup
from rankgauge.cli.options import examples
from rankgauge.cli.output import write_text
from rankgauge.cli.places import Target
from rankgauge.cli.style import click

__all__ = ["command"]

F = TypeVar("F", bound=Callable[..., Any])

_PROMETHEUS = "rankgauge export prometheus history.db -o /var/lib/node_exporter/rankgauge.prom"
_GRAFANA = "rankgauge export grafana -o dashboard.json"


@click.group(
    "export",
    cls=CarefulGroup,
    zh="把历史中的最新数值导出给 Prometheus，以及配套的 Grafana 面板。",
    epilog=examples(_PROMETHEUS, _GRAFANA),
)
def command() -> None:
    """The newest numbers of a store for Prometheus, and a dashboard of them for Grafana."""


def _output(suffix: str) -> Callable[[F], F]:
    added: Callable[[F], F] = click.option(
        "-o",
        "--output",
        type=Target(),
        default=None,
        metavar="FILE",
        help=Text(
            f"Write to a file ({suffix}) instead of the terminal.",
            f"写入文件（{suffix}），而不是终端。",
        ),
    )
    return added


@command.command(
    "prometheus",
    zh="以 Prometheus 的文本格式导出每个系统最新的数值、区间、n、时间和状态。\n\nSTORE 是历史文件或 "
    "postgresql:// 地址。文件写完整后才出现，适合 node exporter 的 textfile 目录。单个查询的值从不导出。",
    epilog=examples(
        _PROMETHEUS,
        "rankgauge export prometheus history.db --project shop",
    ),
)
@click.argument("store", metavar="STORE")
@click.option("--project", default=None, metavar="NAME", help=Text("This project only.", "只导出这个项目。"))
@click.option(
    "--at",
    default=None,
    metavar="TIME",
    help=Text("The moment that ages are counted to. [default: now]", "计算“距今多久”所用的时刻。[默认：现在]"),
)
@_output(".prom")
def prometheus(store: str, project: str | None, at: str | None, output: Path | None) -> None:
    """The newest value, interval, n, time and state of every system, in the text format of Prometheus.

    STORE is the file of a history, or a postgresql:// address. The file appears when it is complete, as the textfile
    folder of the node exporter needs it. Values of single queries are never exported.
    """
    from rankgauge.history import History
    from rankgauge.project.prometheus import prometheus_text

    with History(store, read_only=True) as history:
        text = prometheus_text(history, project=project, at=at)
    write_text(text, output)


@command.command(
    "grafana",
    zh="写出可导入 Grafana 的面板（JSON），显示 `export prometheus` 导出的数值。",
    epilog=examples(_GRAFANA),
)
@_output(".json")
def grafana(output: Path | None) -> None:
    """A dashboard of what `export prometheus` writes, as JSON to import into Grafana."""
    from rankgauge.project.prometheus import grafana_dashboard

    write_text(grafana_dashboard(), output, "json")
