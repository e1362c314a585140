"""`rankgauge history acknowledge`: a change is accepted, and becomes what later ones are held against."""

from __future__ import annotations

from rankgauge._text import Text
from rankgauge.cli.options import examples
from rankgauge.cli.storing import store_option
from rankgauge.cli.style import click
from rankgauge.cli.terminal import say

__all__ = ["acknowledge"]


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
    from rankgauge.cli.history import exists, opened
    from rankgauge.history.judging import acknowledge as accepted

    with opened(store, writes=exists(store)) as h:
        event = accepted(h, entry, reason, who, since=since)
        system = str(event.data["system"])
    say(Text(f"{system} is held against {event.entry} from now on", f"从现在起 {system} 以 {event.entry} 为基线"))
