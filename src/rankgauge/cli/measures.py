"""`rankgauge measures`: the list of all measures."""

from __future__ import annotations

from pathlib import Path

import rich_click as click

from rankgauge.cli.options import examples, show_sections

__all__ = ["command"]


@click.command("measures", epilog=examples("rankgauge measures", "rankgauge measures precision"))
@click.argument("words", nargs=-1)
@click.option("--load", "plugins", multiple=True, type=click.Path(path_type=Path),
              help="A Python file that registers measures of your own.")  # fmt: skip
def command(words: tuple[str, ...], plugins: tuple[Path, ...]) -> None:
    """List the measures, or those whose name, alias or question has all the given words."""
    from rankgauge.errors import UnknownName
    from rankgauge.measures import REGISTRY
    from rankgauge.measures.custom import load
    from rankgauge.report.grid import Cell, Grid, Section

    for plugin in plugins:
        load(plugin)
    sections = []
    for family in dict.fromkeys(cls.family for cls in REGISTRY.values()):
        rows = []
        for name, cls in REGISTRY.items():
            text = " ".join((name, cls.title, cls.question, *cls.aliases)).casefold()
            if cls.family == family and all(w.casefold() in text for w in words):
                shown = name + ("@k" if any(p.at for p in cls.params.values()) else "")
                rows.append([Cell(shown, strong=True), Cell(cls.question), Cell(", ".join(cls.aliases[:4]), quiet=True)])
        if rows:
            sections.append(Section(family, Grid(["measure", "question", "also typed as"], rows, frozenset({0, 1, 2}))))
    if not sections:
        raise UnknownName(f"no measure has all of: {' '.join(words)}. `rankgauge measures` lists them all.")
    show_sections(sections)
