"""`rankgauge completion`: names after the Tab key."""

from __future__ import annotations

from rankgauge.cli.options import examples
from rankgauge.cli.style import click
from rankgauge.cli.terminal import out
from rankgauge.cli.types import Choice

__all__ = ["command"]


@click.command(
    "completion",
    zh="打印一段脚本，让 shell 用 Tab 键补全命令、选项和指标。",
    epilog=examples(
        'eval "$(rankgauge completion bash)"',
        "rankgauge completion fish > ~/.config/fish/completions/rankgauge.fish",
    ),
)
@click.argument("shell", type=Choice(["bash", "zsh", "fish"]))
def command(shell: str) -> None:
    """Print a script that completes commands, options and measures in your shell."""
    from click.shell_completion import get_completion_class

    from rankgauge.cli.app import app

    kind = get_completion_class(shell)
    assert kind is not None
    out(kind(app, {}, "rankgauge", "_RANKGAUGE_COMPLETE").source() + "\n")
