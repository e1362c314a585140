"""What the library says to Python, said to the command line.

Messages name arguments in two ways: `name=value` in what they advise, and the name in backticks. Both become options
of the command that was typed. Notes beside numbers (`in_note`) lose nothing by it; advice in errors (`advice.py`) that
a command has no option for is left out.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from rankgauge._text import mapped

if TYPE_CHECKING:
    from rankgauge.reporting.grid import Section

__all__ = ["NAMED", "in_note", "keyword_as_option", "long_name", "option_names", "option_of", "with_options"]

_END = r"[\s.,;:)，。；：）、]"
_VALUE = rf"""'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|\{{[^{{}}]*\}}|\[[^\[\]]*\]|…|True|-?\d+(?:\.\d+)?|(?={_END}|$)"""
NAMED = re.compile(  # only ASCII letters make words: Chinese has none between words
    rf"(?P<keyword>(?<![\w.])(?<!\w\()(?P<name>[a-z][a-z_]*)=(?P<value>{_VALUE}))"
    r"|(?<!\w)(?P<quoted>'(?:[^'\\]|\\.)*'(?!\w)|\"(?:[^\"\\]|\\.)*\")"
    r"|`(?P<tick>[a-z][a-z_]*)`",
    re.ASCII,
)
_OTHER_NAMES = {
    "confidence_level": "confidence",
    "rng": "seed",
    "n_items": "catalogue_size",
    "format": "source_format",
    "kind": "kinds",
}
"""Arguments whose options are called otherwise."""
_OF_ROWS = {"scores": "models", "slices": "segments"}
"""Those of labels and scores (`reading_options`), where rankings have none of that name."""
_NOT_HERE = frozenset({"name"})
"""Arguments that share their name with an option that means something else."""
_OF_TEXTS = frozenset({"id", "title", "text"})  # roles in files of texts, which no option maps


def in_note(text: str, command: click.Command) -> str:
    """A note with options for the arguments that it names; facts such as depth=10 stay."""
    if "`" not in text and "=" not in text:
        return text
    options = option_names(command)

    def said(m: re.Match[str]) -> str:
        if m["tick"] and (option := option_of(m["tick"], options)) is not None:
            return long_name(option)
        if m["keyword"] and m["value"][:1] in ("", "'", '"', "{", "["):
            return keyword_as_option(m["name"], m["value"], options) or m[0]
        return m[0]

    return mapped(lambda words: NAMED.sub(said, words), text)


def with_options(sections: Iterable[Section], command: click.Command) -> list[Section]:
    """Sections whose sentences name options."""

    def worded(texts: Sequence[str]) -> list[str]:
        return [in_note(text, command) for text in texts]

    out = []
    for s in sections:
        grid = s.grid and replace(
            s.grid, rows=[[replace(c, text=in_note(c.text, command)) for c in row] for row in s.grid.rows]
        )
        out.append(replace(s, grid=grid, notes=worded(s.notes), warnings=worded(s.warnings)))
    return out


def option_names(command: click.Command) -> dict[str, click.Option]:
    """The options of a command by the name of what they set, and by their own."""
    options = [p for p in command.params if isinstance(p, click.Option)]
    by_own = {long_name(p).removeprefix("--").replace("-", "_"): p for p in options}
    return {**by_own, **{p.name: p for p in options if p.name and p.name != "form"}}


def long_name(option: click.Option) -> str:
    return next((o for o in option.opts if o.startswith("--")), option.opts[0])


def option_of(name: str, options: Mapping[str, click.Option]) -> click.Option | None:
    if name in _NOT_HERE:
        return None
    return options.get(_OTHER_NAMES.get(name, name)) or options.get(_OF_ROWS.get(name, ""))


def keyword_as_option(name: str, written: str, options: Mapping[str, click.Option]) -> str | None:
    """`--missing zero` for missing='zero'; None where the command cannot say it."""
    value = _value(written)
    option = option_of(name, options)
    if option is None:
        flag = options.get(str(value).replace("-", "_")) if isinstance(value, str) else None
        return long_name(flag) if flag is not None and flag.is_flag else None
    long = long_name(option)
    if value in ("", "…"):
        return long if value == "" or option.is_flag else f"{long} …"
    if option.is_flag:
        return long if value is True else None
    values: Sequence[Any] = [value]
    if isinstance(value, Mapping):
        if _OF_TEXTS & set(value.values()):
            return None
        values = [",".join(f"{k}={v}" for k, v in value.items())]
    elif isinstance(value, (list, tuple)):
        values = value
    if isinstance(option.type, click.Choice) and not all(v in option.type.choices for v in values):
        return None
    return " ".join(f"{long} {v if v == '…' else shlex.quote(str(v))}" for v in values)


def _value(written: str) -> Any:
    """The value that was written, as far as it can be read; the text itself for a sketch such as {…}."""
    if not written:
        return ""
    import ast  # read by every command that shows a table, needed by few

    try:
        return ast.literal_eval(written.replace(", …", ""))
    except (ValueError, SyntaxError):
        return "…"
