"""Click, dressed up where somebody reads its words, and in the language that is spoken.

rich-click makes help pages pleasant and takes a while to import. A command that only does its work
gets along with plain Click, which it extends.

Options and commands say their help in both languages: `help=Text(en, zh)` of an option; `zh=` of a command, whose
English words are the docstring of its function. They are asked for when somebody reads them.
"""

from __future__ import annotations

import sys
from inspect import cleandoc
from typing import TYPE_CHECKING, Any

from rankgauge._text import Text, in_language
from rankgauge.cli.click_words import HELP, PLACES, TYPES, USAGE, translate

is_dressed = len(sys.argv) < 2 or bool({"-h", "--help"} & set(sys.argv))

if is_dressed:
    import rich_click as _click

    from rankgauge._wrapping import break_lines_of_chinese

    break_lines_of_chinese()
    _click.rich_click.USE_MARKDOWN = False
    _click.rich_click.MAX_WIDTH = 100
else:
    import click as _click  # type: ignore[no-redef]

translate(_click)

__all__ = ["Command", "Group", "Option", "click", "is_dressed"]


class _Worded:
    """Words in both languages, of which the reader sees one."""

    _words: dict[str, str | None]

    def _said(self, name: str) -> str | None:
        text = self.__dict__.setdefault("_words", {}).get(name)
        return None if text is None else cleandoc(in_language(text))

    def _told(self, name: str, text: str | None) -> None:
        self.__dict__.setdefault("_words", {})[name] = text

    @property
    def help(self) -> str | None:
        return self._said("help")

    @help.setter
    def help(self, text: str | None) -> None:
        self._told("help", text)

    @property
    def epilog(self) -> str | None:
        return self._said("epilog")

    @epilog.setter
    def epilog(self, text: str | None) -> None:
        self._told("epilog", text)


_OPTION: Any = _click.Option
_COMMAND: Any = _click.RichCommand if is_dressed else _click.Command
_GROUP: Any = _click.RichGroup if is_dressed else _click.Group


class Option(_Worded, _OPTION):  # type: ignore[misc]
    """An option whose help is there in both languages."""

    def __init__(self, *args: Any, help: str | None = None, **attrs: Any) -> None:
        super().__init__(*args, **attrs)
        self.help = help

    def make_metavar(self, *args: Any, **named: Any) -> str:
        """What it takes, such as TEXT; words of our own (FILE, NAME=ROLE) stay, since help speaks of them."""
        said: str = super().make_metavar(*args, **named)
        return said if self.metavar is not None else in_language(TYPES.get(said, said))


class Command(_Worded, _COMMAND):  # type: ignore[misc]
    """A command whose help is there in both languages: `zh` are the Chinese words."""

    def __init__(self, *args: Any, help: str | None = None, zh: str | None = None, **attrs: Any) -> None:
        super().__init__(*args, help=help, **attrs)
        if help is not None and zh is not None:
            self.help = Text(help, zh)

    def get_help_option(self, ctx: Any) -> Any:
        """Click's own, in the words of whoever asks."""
        made = super().get_help_option(ctx)
        if made is None or isinstance(made, Option):
            return made
        option = Option(
            [*made.opts], is_flag=True, is_eager=True, expose_value=False, callback=made.callback, help=HELP
        )
        self._help_option = option
        return option

    def format_usage(self, ctx: Any, formatter: Any) -> None:
        """rich-click has a word of its own here."""
        usage = " ".join(in_language(PLACES.get(piece, piece)) for piece in self.collect_usage_pieces(ctx))
        formatter.write_usage(ctx.command_path, usage, prefix=in_language(USAGE) or None)

    def get_short_help_str(self, limit: int = 45) -> str:
        """Its first sentence; Click looks for the spaces between words, which Chinese has not."""
        first, stop, _ = (self.help or "").partition("。")
        return first if stop else super().get_short_help_str(limit)


class _Group(Command, _GROUP):  # type: ignore[misc]
    """A group of commands, whose own help is there in both languages."""


class _Dressed:
    """Click, whose options and commands are these."""

    def __getattr__(self, name: str) -> Any:
        return getattr(_click, name)

    def option(self, *names: str, **attrs: Any) -> Any:
        return _click.option(*names, cls=attrs.pop("cls", Option), **attrs)

    def command(self, name: str, **attrs: Any) -> Any:
        return _click.command(name, cls=attrs.pop("cls", Command), **attrs)


if TYPE_CHECKING:
    import rich_click as click

    Group = click.RichGroup
else:
    click = _Dressed()
    Group = _Group
