"""The group that holds the commands."""

from __future__ import annotations

from functools import cache
from importlib import import_module

from rankgauge._version import __version__
from rankgauge.cli.places import guarded
from rankgauge.cli.style import Group, click
from rankgauge.cli.unexpected import contained

__all__ = ["COMMANDS", "app"]

COMMANDS = (
    *("demo", "evaluate", "compare", "diagnose", "gate", "power", "funnel", "report", "plot"),
    *("judgements", "bias", "interleave"),
    *("predictions", "calibrate", "scenarios", "explain", "measures", "audit", "convert", "completion"),
)
"""Each is a module of this package with a `command`."""
_WITHOUT_INPUT = frozenset({"demo", "scenarios", "explain", "measures", "completion"})


class _Commands(Group):
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
    if name not in _WITHOUT_INPUT and "max_unpacked" not in {p.name for p in command.params}:
        from rankgauge.cli.options import unpacking_option

        command.params.append(unpacking_option())
    assert command.callback is not None
    command.callback = contained(guarded(command.callback))
    return command


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, message="rankgauge %(version)s")
def app() -> None:
    """How good is a ranking, is the new one better, and can the answer be trusted?

    Start with: rankgauge demo
    """
