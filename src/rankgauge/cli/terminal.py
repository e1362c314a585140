"""What the command line says, and to whom: standard output for results, standard error for everything else.

Whatever is said here commands no terminal (names and ids are other people's texts), fits the encoding of the stream,
and does not mind a reader that has gone away: the exit code is that of the result.
"""

from __future__ import annotations

import codecs
import contextlib
import io
import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rankgauge._output import STANDARD_OUTPUT
from rankgauge._show import neutral
from rankgauge._text import composed, in_language
from rankgauge.errors import reason

if TYPE_CHECKING:
    from rankgauge.behavior.cleaning.clean import Cleaned

__all__ = ["drain", "fit_streams", "open_streams", "out", "out_drawn", "say", "say_of_input", "say_of_log", "wrote"]


def out(text: str, form: str = "text") -> None:
    """To standard output, as it is but for what a terminal would obey; data (json, csv, trec) is not spelled otherwise.

    JSON is read back as UTF-8, also where it was redirected to a file in another encoding: ASCII is both.
    """
    text = neutral(in_language(text))
    if form == "json" and _encoding(sys.stdout) != "utf-8":
        text = text.encode("ascii", _ESCAPES).decode("ascii")
    sys.stdout.write(text if form in ("json", "csv", "trec") else _spelled(text, sys.stdout))


def out_drawn(text: str) -> None:
    """To standard output: a text that was made here, with colours."""
    sys.stdout.write(_spelled(text, sys.stdout))


def say(text: str) -> None:
    """A line on standard error; where that is full, nobody can be told."""
    with contextlib.suppress(OSError):
        sys.stderr.write(_spelled(neutral(f"{in_language(text)}\n"), sys.stderr))
        sys.stderr.flush()  # some commands go on for days, and their log is read meanwhile


def wrote(path: Path, more: str = "") -> None:
    """Which file was written; whoever reads standard output knows."""
    if path != STANDARD_OUTPUT:
        say(composed("wrote {}{}", "已写入 {}{}", path, more))


def say_of_input(record: Any, *, counted: bool = False) -> None:
    """How what was evaluated was read, where that which is shown of it has no room for remarks.

    `counted`: and what is to be known of it, such as queries that nobody judged, where nothing else says it.
    """
    several = getattr(record, "evaluations", record)
    parts = several if isinstance(several, Mapping) else {"": record}
    said = dict.fromkeys(note for part in parts.values() for note in getattr(part, "remarks", ()))
    if counted:
        said |= dict.fromkeys(
            composed("{}: {}", "{}：{}", name, note) if name else note
            for name, part in parts.items()
            for note in _of(part)
        )
    from rankgauge.cli.wording import in_note

    command = _command()
    for note in said:
        say(note if command is None else in_note(note, command))


def _command() -> Any:
    """What was typed, where anything was."""
    import click

    found = click.get_current_context(silent=True)
    return None if found is None else found.command


def _of(part: Any) -> list[str]:
    """What an evaluation of rankings has to say of its input: suspicions, and counts in words."""
    from rankgauge.evaluation.rankings.notes import counts_said, warnings_of
    from rankgauge.evaluation.rankings.record import RankingEvaluation

    if not isinstance(part, RankingEvaluation):
        return []
    return [*(s.said_as("{what}", "{what}") for s in part.suspicions), *warnings_of(part), *counts_said(part)]


def say_of_log(cleaned: Cleaned) -> None:
    """How a log was read, and which of its rows count for nothing: records of what it says have no room for that."""
    for note in cleaned.notes:
        say(note)
    for rule in cleaned.rules:
        if rule.lost and rule.rows:
            say(
                composed(
                    "left out {:,} of {:,} rows: {}", "{1:,} 行中剔除 {0:,} 行：{2}", rule.rows, rule.of, rule.what
                )
            )


# encodings

_PLAIN = {
    "–": "-",
    "—": "-",
    "−": "-",
    "…": "...",
    "∞": "inf",
    "×": "x",
    "·": "*",
    "±": "+/-",
    "≥": ">=",
    "≤": "<=",
    "≠": "!=",
    "≈": "~",
    "→": "->",
    "←": "<-",
    "’": "'",
    "‘": "'",
    "“": '"',
    "”": '"',
    **dict(zip("▁▂▃▄▅▆▇█", "_.:-=+*#", strict=True)),  # lines over time, and full bars
}
"""How a typewriter spells what tables use."""


def _spelled(text: str, stream: Any) -> str:
    """The signs of tables in ASCII, where the stream has no better; what else it has not is escaped when written."""
    if text.isascii():
        return text
    encoding = _encoding(stream)
    try:
        text.encode(encoding)
        return text
    except UnicodeEncodeError:
        return "".join(c if _has(encoding, c) else _PLAIN.get(c, c) for c in text)


def _encoding(stream: Any) -> str:
    return codecs.lookup(getattr(stream, "encoding", None) or "utf-8").name


def _has(encoding: str, character: str) -> bool:
    try:
        character.encode(encoding)
        return True
    except UnicodeEncodeError:
        return False


def _escaped(error: UnicodeError) -> tuple[str, int]:
    """`\\u4e2d`, in two halves beyond U+FFFF, as JSON has it."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    units = error.object[error.start : error.end].encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{units[i]:02x}{units[i + 1]:02x}" for i in range(0, len(units), 2)), error.end


_ESCAPES = "rankgauge-escapes"
codecs.register_error(_ESCAPES, _escaped)


def fit_streams() -> None:
    """A character that a stream cannot encode is escaped, instead of ending the process."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors=_ESCAPES)


# a process of its own


class _Unread(io.FileIO):
    """A stream whose reader may go away."""

    def write(self, data: Any, /) -> int:
        try:
            return super().write(data)
        except BrokenPipeError:
            return len(memoryview(data).cast("B"))


def open_streams() -> None:
    """Standard streams that are closed become empty ones: the next file that is opened must not take their place."""
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDONLY if number == 0 else os.O_WRONLY)  # the lowest number that is free
    sys.stdin = sys.stdin or open(0, encoding="utf-8", closefd=False)  # noqa: SIM115
    sys.stdout = _unread(sys.stdout, 1)
    sys.stderr = _unread(sys.stderr, 2)


def _unread(stream: Any, number: int) -> Any:
    buffer = getattr(stream, "buffer", None)
    if stream is not None and type(getattr(buffer, "raw", buffer)) is not io.FileIO:  # a console, or somebody's own
        return stream
    return io.TextIOWrapper(
        io.BufferedWriter(_Unread(number, "w", closefd=False)),
        encoding=getattr(stream, "encoding", "utf-8"),
        line_buffering=getattr(stream, "line_buffering", False),
        write_through=getattr(stream, "write_through", False),
    )


def drain(code: int) -> int:
    """Everything written, and the exit code: an error where it cannot be."""
    try:
        sys.stdout.flush()
    except OSError as e:
        if code == 0:
            say(composed("Error: cannot write standard output: {}.", "错误：无法写入标准输出：{}。", reason(e)))
        code = code or 2
    with contextlib.suppress(OSError):
        sys.stderr.flush()
    return code
