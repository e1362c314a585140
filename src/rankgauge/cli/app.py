"""The group that holds the commands."""

from __future__ import annotations

from functools import cache
from importlib import import_module

from rankgauge._version import __version__
from rankgauge.cli.careful import CarefulGroup, prepared
from rankgauge.cli.click_words import VERSION
from rankgauge.cli.languages import language_option
from rankgauge.cli.style import Option, click

__all__ = ["COMMANDS", "app"]

COMMANDS = (
    *("demo", "evaluate", "compare", "overlap", "diagnose", "gate", "power", "funnel", "channels", "answers"),
    *("report", "plot"),
    *("history", "run", "watch", "ui", "export"),
    *("rag", "collect", "sweep"),
    *("split", "baseline"),
    *("judgements", "bias", "interleave", "online"),
    *("predictions", "drift", "calibrate", "scenarios", "explain", "measures", "audit", "convert", "completion"),
)
"""Each is a module of this package with a `command`."""
_WITHOUT_INPUT = frozenset({"demo", "scenarios", "explain", "measures", "completion", "ui"})


class _Commands(CarefulGroup):
    """Loads a command when it is asked for."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        return _loaded(cmd_name)


@cache
def _loaded(name: str) -> click.Command:
    command: click.Command = import_module(f"rankgauge.cli.{name}").command
    return prepared(command, reads=name not in _WITHOUT_INPUT)


@click.group(
    cls=_Commands,
    context_settings={"help_option_names": ["-h", "--help"]},
    zh="排序质量如何，新版是否更好，结论是否可信？\n\n从这里开始：rankgauge demo",
)
@click.version_option(__version__, message="rankgauge %(version)s", help=VERSION, cls=Option)
@language_option(expose_value=False)
def app() -> None:
    """How good is a ranking, is the new one better, and can the answer be trusted?

    Start with: rankgauge demo
    """
