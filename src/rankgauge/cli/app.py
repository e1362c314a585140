"""The group that holds the commands."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import Any

from rankgauge._version import __version__
from rankgauge.cli.careful import CarefulGroup, prepared
from rankgauge.cli.click_words import VERSION
from rankgauge.cli.contents import CONTENTS
from rankgauge.cli.languages import language_option
from rankgauge.cli.style import Command, Option, click

__all__ = ["COMMANDS", "app"]

COMMANDS = tuple(CONTENTS)
_WITHOUT_INPUT = frozenset({"demo", "scenarios", "explain", "measures", "completion", "ui"})


class _Commands(CarefulGroup):
    """Loads a command when it is asked for; the page that lists them has their first words at hand."""

    _is_listing = False

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        return Command(cmd_name, help=CONTENTS[cmd_name]) if self._is_listing else _loaded(cmd_name)

    def format_help(self, ctx: Any, formatter: Any) -> None:
        self._is_listing = True
        try:
            super().format_help(ctx, formatter)
        finally:
            self._is_listing = False


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
