"""Groups of commands that refuse an option that is given twice, and commands as `app` and its groups prepare them."""

from __future__ import annotations

from typing import Any

from rankgauge._text import Text, in_language
from rankgauge.cli.places import guarded
from rankgauge.cli.style import Command, Group, click
from rankgauge.cli.unexpected import contained

__all__ = ["CarefulGroup", "prepared"]


class CarefulGroup(Group):
    """A group whose commands look at their words before they do anything."""

    command_class = Command

    def resolve_command(self, ctx: click.Context, args: list[str]) -> Any:
        name, command, rest = super().resolve_command(ctx, args)
        if command is not None:
            _refuse_twice(command, rest, ctx)
        return name, command, rest


def prepared(command: click.Command, *, reads: bool) -> click.Command:
    """The command with what all have: a limit for compressed input where it reads any, and a guarded end."""
    if isinstance(command, click.Group):
        for sub in command.commands.values():
            prepared(sub, reads=reads)
        return command
    if reads and "max_unpacked" not in {p.name for p in command.params}:
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
