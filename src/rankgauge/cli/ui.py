"""`rankgauge ui`: a history in the browser."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from rankgauge._text import Text, composed
from rankgauge.cli.languages import language_option
from rankgauge.cli.options import examples
from rankgauge.cli.style import click
from rankgauge.cli.terminal import say

if TYPE_CHECKING:
    from rankgauge.history.rules import AlertRules

__all__ = ["command"]


@click.command(
    "ui",
    zh="在浏览器中查看历史：概览、趋势、比较、查询、告警；也可上传标注与结果并得到报告。\n\nSTORE 是文件"
    "（默认 history.db）、PostgreSQL 服务器的地址，或项目文件：查看其存储，并按其规则判定；不给出时，若有 "
    "rankgauge.toml 则用它。\n\n只监听本机，并打"
    "印带令牌的登录链接。要让其他机器访问，必须给出令牌，或可信的代理。",
    epilog=examples(
        "rankgauge ui",
        "rankgauge ui history.db --open",
        "rankgauge ui rankgauge.toml",
        "rankgauge ui postgresql://rank@db/quality --read-only",
        "RANKGAUGE_TOKEN=$(cat token) rankgauge ui history.db --host 0.0.0.0 --port 8080",
        "rankgauge ui history.db --host 10.0.0.7 --trust-header X-Forwarded-User --proxy 10.0.0.5 --name q.example",
    ),
)
@click.argument("store", required=False, envvar="RANKGAUGE_STORE", metavar="[STORE]")
@click.option(
    "--host",
    default="127.0.0.1",
    show_default=True,
    help=Text(
        "Where to listen; elsewhere than on this machine only with a token or a proxy.",
        "监听地址；不限于本机时必须给出令牌或代理。",
    ),
)
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=8765,
    show_default=True,
    help=Text("0 takes a free one.", "0 表示选用空闲端口。"),
)
@click.option(
    "--token",
    default=None,
    envvar="RANKGAUGE_TOKEN",
    show_envvar=True,
    help=Text(
        "What lets people and programs in. [default: a random one, printed as a link]",
        "访问令牌。[默认：随机生成并打印为链接]",
    ),
)
@click.option(
    "--trust-header",
    default="",
    metavar="NAME",
    help=Text(
        "A header in which a proxy names its user; with --proxy.", "代理用来说明用户的请求头；与 --proxy 一起使用。"
    ),
)
@click.option(
    "--proxy",
    "proxies",
    multiple=True,
    metavar="ADDRESS",
    help=Text("The address of a proxy that is believed.", "可信代理的地址。"),
)
@click.option(
    "--name",
    "names",
    multiple=True,
    metavar="HOST",
    help=Text(
        "A name by which browsers may call the server, such as quality.example.",
        "浏览器访问时可用的主机名，如 quality.example。",
    ),
)
@click.option("--read-only", is_flag=True, help=Text("Nothing can be changed or uploaded.", "不允许修改或上传。"))
@click.option("--open", "opened", is_flag=True, help=Text("Open it in the browser.", "在浏览器中打开。"))
@language_option()
def command(
    store: str | None,
    host: str,
    port: int,
    token: str | None,
    trust_header: str,
    proxies: tuple[str, ...],
    names: tuple[str, ...],
    read_only: bool,
    opened: bool,
    language: str,
) -> None:
    """Look at a history in the browser: overview, trends, comparisons, queries, alerts; upload files for a report.

    STORE is a file (history.db unless said), the address of a PostgreSQL server, or a project file, whose store is
    shown and whose rules are judged; rankgauge.toml is taken where it is there and nothing is said.

    It listens on this machine only and prints a link with a token. Others reach it only with a token of yours or
    through a proxy that you name.
    """
    from rankgauge.web.access import access_for
    from rankgauge.web.serving import login_link, missing, serve

    access = access_for(host, token=token, trust_header=trust_header, proxies=proxies, names=names)
    try:
        from rankgauge.web.app import app
    except ImportError as e:
        raise missing() from e
    from rankgauge.history import History

    place, rules = _watched(store)
    is_there = "://" in place or Path(place).exists()
    # a name that was mistyped is no new store; the one that is there unless said is made for what is uploaded
    history = History(place, read_only=read_only or (not is_there and place == store))
    made = app(history, access=access, read_only=read_only, rules=rules)

    def ready(address: str) -> None:
        there = login_link(address, access) if token is None else address
        say(composed("The dashboard of {}: {}", "{} 的看板：{}", history.place, there))
        say(Text("Stop it with Ctrl-C.", "按 Ctrl-C 停止。"))
        if opened:
            import webbrowser

            webbrowser.open(login_link(address, access))

    serve(made, host, port, ready=ready)
    history.close()


def _watched(store: str | None) -> tuple[str, dict[str, AlertRules]]:
    """The store, and what is watched in it by a project file."""
    from rankgauge.project.file import FILE, read_project, rules_by_kind

    if store is None and Path(FILE).is_file():
        store = FILE
    if store is None or not store.endswith(".toml"):
        return store or "history.db", {}
    project = read_project(store)
    rules = {} if project.tables.alerts is None else {project.name: rules_by_kind(project.tables)}
    return project.store, rules
