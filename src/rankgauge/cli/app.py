"""The group that holds the commands."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import Any

from rankgauge._text import Text, in_language
from rankgauge._version import __version__
from rankgauge.cli.click_words import VERSION
from rankgauge.cli.languages import language_option
from rankgauge.cli.places import guarded
from rankgauge.cli.style import Group, Option, click
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

    def resolve_command(self, ctx: click.Context, args: list[str]) -> Any:
        name, command, rest = super().resolve_command(ctx, args)
        if command is not None:
            _refuse_twice(command, rest, ctx)
        return name, command, rest


@cache
def _loaded(name: str) -> click.Command:
    command: click.Command = import_module(f"rankgauge.cli.{name}").command
    if name not in _WITHOUT_INPUT and "max_unpacked" not in {p.name for p in command.params}:
        from rankgauge.cli.options import unpacking_option

        command.params.append(unpacking_option())
    assert command.callback is not None
    command.callback = contained(guarded(command.callback))
    return command


def _refuse_twice(command: click.Command, words: list[str], parent: click.Context) -> None:
    """Click takes the last of an option that is given twice, and of --json and --csv, without a word."""
    ctx = click.Context(command, parent=parent, info_name=command.name)
    try:
        given, _, order = command.make_parser(ctx).parse_args(list(words))
    except click.UsageError:  # said with the usage by whoever parses them next
        return
    by_name: dict[str, list[click.Option]] = {}
    for param in order:
        if isinstance(param, click.Option) and param.name and not param.multiple and not param.count:
            by_name.setdefault(param.name, []).append(param)
    for name, options in by_name.items():
        said = [max(o.opts, key=len) for o in options]
        if all(o.is_flag and o.flag_value in (given[name], True) for o in options) or len(options) == 1:
            continue
        if len(set(said)) > 1:
            both = list(dict.fromkeys(said))
            contradiction = Text(
                f"{' and '.join(both)} contradict each other. Give one of them.",
                f"{' 与 '.join(both)} 相互矛盾，只能给出其中一个。",
            )
            raise click.UsageError(in_language(contradiction), ctx)
        twice = Text(
            f"{said[0]} is given {len(said)} times. Give it once.", f"{said[0]} 给了 {len(said)} 次，请只给一次。"
        )
        raise click.UsageError(in_language(twice), ctx)


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
