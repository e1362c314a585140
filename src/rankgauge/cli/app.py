"""The group that holds the commands."""

from __future__ import annotations

from rankgauge._version import __version__
from rankgauge.cli import audit, completion, convert, demo, evaluate, explain, measures
from rankgauge.cli.style import click

__all__ = ["app"]


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, message="rankgauge %(version)s")
def app() -> None:
    """How good is a ranking, is the new one better, and can the answer be trusted?

    Start with: rankgauge demo
    """


for _command in (
    demo.command,
    evaluate.command,
    explain.command,
    measures.command,
    audit.command,
    convert.command,
    completion.command,
):
    app.add_command(_command)
