"""Where a ranking came from, so that its lists can be looked at again."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from rankgauge.data.collected import Collected
from rankgauge.data.run import Run
from rankgauge.data.spans import Spans
from rankgauge.data.table import Table

__all__ = ["PieceSource", "RunSource", "column_options"]


@dataclass(frozen=True, eq=False)
class RunSource:
    """A run as it was given: a path, a dict, a frame, a matrix, a `Run`.

    Nothing that was read from it is kept: a path stays a path, and `run()` reads it again.
    """

    given: Any = field(repr=False)
    columns: Mapping[str, str] | None = None
    """The names of its columns, where they had to be told."""
    name: str = ""
    documents: Any = field(default=None, repr=False)
    """Texts of its results, where they were given; and what counts their tokens."""
    tokenizer: Any = field(default=None, repr=False)

    @property
    def collected(self) -> Collected | None:
        """How it came about, where a live retriever was asked for it."""
        return self.given.collected if isinstance(self.given, Run) else None

    def run(self) -> Run:
        """The ranking, read again."""
        return Run.of(self.given, name=self.name, **column_options(self.given, self.columns))


@dataclass(frozen=True, eq=False)
class PieceSource(RunSource):
    """Retrieved pieces of documents (`rg.Chunks`), and the spans that they were judged by."""

    spans: Spans | None = field(default=None, repr=False)

    @property
    def collected(self) -> Collected | None:
        found: Collected | None = self.given.collected
        return found


def column_options(given: Any, columns: Mapping[str, str] | None) -> dict[str, Any]:
    """Column mappings concern files and frames only."""
    return {"columns": columns} if columns and not isinstance(given, (Mapping, np.ndarray, Table)) else {}
