"""The command line: each command parses its words, makes one library call, and shows the record."""

from __future__ import annotations

import contextlib
import gc
import os
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from rankgauge._text import Text, composed, in_language

if TYPE_CHECKING:
    import click

__all__ = ["main"]


def main(argv: Sequence[str] | None = None) -> int:
    """Entry point of `rankgauge`.

    Exit codes: 0 done, 2 invalid input or usage, 70 an unforeseen error, 130 interrupted; a gate decides by 1 and 3.
    """
    from rankgauge._language import speaking
    from rankgauge.cli.languages import asked

    words = list(sys.argv[1:] if argv is None else argv)
    with speaking(asked(words)):
        return _ended(words)


def _ended(words: list[str]) -> int:
    """The exit code, however the command ended."""
    try:
        return _main(words)
    except KeyboardInterrupt:
        with contextlib.suppress(OSError):
            print(in_language(Text("Interrupted.", "已中断。")), file=sys.stderr)
        return 130
    except BaseException as e:  # the panics of Polars are no Exceptions
        with contextlib.suppress(BaseException):  # where memory has run out, this may fail as well
            from rankgauge.cli.unexpected import report_unexpected

            report_unexpected(e, words)
        return 70


def _main(words: list[str]) -> int:
    import click

    from rankgauge.cli.app import app
    from rankgauge.cli.click_words import shown
    from rankgauge.cli.terminal import fit_streams, say
    from rankgauge.errors import RankgaugeError, reason

    fit_streams()
    try:
        code = app.main(words, "rankgauge", standalone_mode=False, obj=words)
        return code if isinstance(code, int) else 0
    except (click.exceptions.Exit, SystemExit) as e:  # click exits by itself after completing words
        code = e.exit_code if isinstance(e, click.exceptions.Exit) else e.code
        return code if isinstance(code, int) else 0
    except click.ClickException as e:
        say(shown(e))
        return e.exit_code
    except click.Abort:
        raise KeyboardInterrupt from None
    except RankgaugeError as e:
        from rankgauge.cli.advice import in_options

        say(composed("Error: {}", "错误：{}", in_options(e.text, _meant(app, words))))
        return 2
    except OSError as e:
        if e.filename:
            say(composed("Error: {}: {}", "错误：{}：{}", reason(e), e.filename))
        else:
            say(composed("Error: {}.", "错误：{}。", reason(e)))
        return 2


def _meant(group: click.Group, words: list[str]) -> click.Command | None:
    """The command that was typed, also one of a group inside."""
    import click

    ctx = click.Context(group)
    known = set(group.list_commands(ctx))
    at = next((i for i, word in enumerate(words) if word in known), None)
    command = None if at is None else group.get_command(ctx, words[at])
    if at is None or not isinstance(command, click.Group):
        return command
    return _meant(command, words[at + 1 :]) or command


def run() -> None:
    """`rankgauge` as a process: begins and ends as fast as it can."""
    from rankgauge.cli.terminal import drain, open_streams

    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # no command multiplies matrices, and threads take time to start
    gc.disable()  # a process that lives for a second need not look for cycles
    _keep_memory()
    open_streams()
    code = main()
    if piped := sys.modules.get("rankgauge._piped"):
        piped.forget()
    code = drain(code)
    # Tearing down a few hundred megabytes of tables takes longer than printing the answer did.
    os._exit(code)


def _keep_memory() -> None:
    """Has glibc keep freed memory for the next array: asking the system for the same pages again takes its time."""
    if sys.platform != "linux":
        return
    import ctypes

    with contextlib.suppress(OSError, AttributeError):  # another C library
        libc = ctypes.CDLL(None)
        libc.mallopt(-3, 1 << 25)  # M_MMAP_THRESHOLD
        libc.mallopt(-1, 1 << 30)  # M_TRIM_THRESHOLD
