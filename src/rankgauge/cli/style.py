"""Click, dressed up where somebody reads its words.

rich-click makes help pages pleasant and takes a while to import. A command that only does its work
gets along with plain Click, which it extends.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

is_dressed = len(sys.argv) < 2 or bool({"-h", "--help"} & set(sys.argv))

if TYPE_CHECKING or is_dressed:
    import rich_click as click

    click.rich_click.USE_MARKDOWN = False
    click.rich_click.MAX_WIDTH = 100
    Group = click.RichGroup
else:
    import click

    Group = click.Group

__all__ = ["Group", "click", "is_dressed"]
