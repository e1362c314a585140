"""Records that can show themselves without knowing how: the drawing is done by `rankgauge.reporting`.

Records sit above the report in the layers, so they reach it by name, on use, through this one door.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from os import PathLike
from pathlib import Path
from typing import Any

__all__ = ["Rendered", "Storable"]


class Rendered:
    """Mixin for records that people look at."""

    def _render(self, form: str, **options: Any) -> str:
        text: str = import_module("rankgauge.reporting").render(self, form, **options)
        return text

    def __str__(self) -> str:
        return self._render("text").rstrip("\n")

    def to_markdown(self, **options: Any) -> str:
        """A Markdown table, for a pull request or a wiki."""
        return self._render("markdown", **options)

    def to_latex(self, **options: Any) -> str:
        """A LaTeX table with booktabs rules, for a paper."""
        return self._render("latex", **options)

    def to_html(self, **options: Any) -> str:
        """An HTML fragment; notebooks show it by themselves."""
        return self._render("html", **options)

    def to_csv(self, **options: Any) -> str:
        """Comma-separated values, unrounded."""
        return self._render("csv", **options)

    def _repr_html_(self) -> str:
        return self.to_html()


class Storable(Rendered):
    """Mixin for records that are also plain data."""

    to_dict: Callable[..., dict[str, Any]]
    """Everything as plain Python values, nothing rounded; each record has its own."""

    def to_json(self, path: str | PathLike[str] | None = None, **options: Any) -> str:
        """`to_dict` as JSON text; written to `path` as well when one is given."""
        import json

        text = json.dumps(self.to_dict(**options), ensure_ascii=False, indent=1)
        if path is not None:
            import_module("rankgauge.data.formats.write").write_text(Path(path), text + "\n")
        return text
