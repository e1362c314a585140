"""All commands with their parameters, for the tests that leave none out."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import click

from rankgauge.cli.app import app
from rankgauge.cli.options import Input
from rankgauge.cli.places import Target

__all__ = ["Typed", "commands", "read", "typed", "written"]


class Typed(NamedTuple):
    """One parameter of one command."""

    command: str
    parameter: click.Parameter

    def __str__(self) -> str:
        return f"{self.command}: {self.parameter.human_readable_name}"


def commands(group: Any = app, before: str = "") -> Iterator[tuple[str, click.Command]]:
    """Every command by what is typed for it, those of groups as well."""
    ctx = click.Context(group)
    for name in group.list_commands(ctx):
        command = group.get_command(ctx, name)
        if hasattr(command, "list_commands"):
            yield from commands(command, f"{before}{name} ")
        else:
            yield before + name, command


def read() -> list[Typed]:
    """Parameters that name what is read."""
    is_read = (Input, click.Path)
    return [Typed(name, p) for name, c in commands() for p in c.params if isinstance(p.type, is_read)]


def written() -> list[Typed]:
    """Parameters that name what is written."""
    return [Typed(name, p) for name, c in commands() for p in c.params if isinstance(p.type, Target)]


def typed(command: str, words: dict[str, str], filler: str) -> list[str]:
    """A command as it is typed with these words for these parameters, and something for all that must be there."""
    found = dict(commands())[command]
    arguments: list[str] = []
    options: list[str] = []
    for p in found.params:
        is_argument = isinstance(p, click.Argument)
        given = words.get(p.name or "")
        if given is None and not p.required:
            continue
        if given is None:
            choices = getattr(p.type, "choices", None)
            given = str(next(iter(choices))) if choices else filler
        if is_argument:
            arguments.append(given)
        else:
            options += [next((o for o in p.opts if o.startswith("--")), p.opts[0]), given]
    return [*command.split(), *arguments, *options]
