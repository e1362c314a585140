"""The command line: each command parses its words, makes one library call, and shows the record."""

from __future__ import annotations

import contextlib
import gc
import os
import sys
from collections.abc import Sequence

__all__ = ["main"]


def main(argv: Sequence[str] | None = None) -> int:
    """Entry point of `rankgauge`. Exit codes: 0 done, 2 invalid input or usage, 130 interrupted."""
    import click

    from rankgauge.cli.app import app
    from rankgauge.errors import RankgaugeError

    try:
        words = list(sys.argv[1:] if argv is None else argv)
        code = app.main(words, "rankgauge", standalone_mode=False, obj=words)
        sys.stdout.flush()
        return code if isinstance(code, int) else 0
    except click.exceptions.Exit as e:
        return e.exit_code
    except click.ClickException as e:
        e.show()
        return e.exit_code
    except (click.Abort, KeyboardInterrupt):
        print("Interrupted.", file=sys.stderr)
        return 130
    except RankgaugeError as e:
        from rankgauge.cli.wording import in_options

        command = app.get_command(click.Context(app), words[0]) if words else None
        print(f"Error: {in_options(str(e), command)}", file=sys.stderr)
        return 2
    except BrokenPipeError:  # the reader of our output has gone away
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except OSError as e:
        print(f"Error: {e.strerror or e}: {e.filename}" if e.filename else f"Error: {e}", file=sys.stderr)
        return 2


def run() -> None:
    """`rankgauge` as a process: begins and ends as fast as it can."""
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # no command multiplies matrices, and threads take time to start
    gc.disable()  # a process that lives for a second need not look for cycles
    _keep_memory()
    code = main()
    if piped := sys.modules.get("rankgauge._piped"):
        piped.forget()
    sys.stdout.flush()
    sys.stderr.flush()
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
