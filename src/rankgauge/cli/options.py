"""Options that several commands share, and how records are shown."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from rankgauge.cli.style import click
from rankgauge.errors import ParameterError
from rankgauge.evaluation.policy import CHOICES

if TYPE_CHECKING:
    from rankgauge.report.grid import Section

__all__ = [
    "column_map",
    "columns_option",
    "confidence_option",
    "digits_option",
    "examples",
    "format_options",
    "policy_options",
    "reading_options",
    "show",
    "show_all",
    "show_sections",
    "status",
    "write_table",
    "write_text",
]

F = TypeVar("F", bound=Callable[..., Any])


def examples(*lines: str) -> str:
    """The epilog of a command: lines that can be typed as they are."""
    return "\b\nExamples:\n" + "\n".join(f"  {line}" for line in lines)


def reading_options(command: F) -> F:
    """How labels and scores are found in a table."""
    for option in (
        click.option("--label", default=None, help="The column of labels."),
        click.option(
            "--score",
            "scores",
            multiple=True,
            help="The column of scores; several are several models.",
        ),
        click.option("--group", default=None, help="The column whose rows belong together, such as user_id."),
        click.option("--weight", default=None, help="The column of weights."),
        click.option("--time", default=None, help="The column that orders rows in time."),
        click.option("--segment", "segments", multiple=True, help="A column to slice by; may be repeated."),
        click.option("--positive", default=None, help="Labels that count as positive: yes, 2, '>=4'."),
        click.option(
            "--scale",
            type=click.Choice(["auto", "probability", "logit", "score"]),
            default="auto",
            show_default=True,
            help="What the scores are.",
        ),
    )[::-1]:
        command = option(command)
    return command


def _policy(name: str) -> Callable[[F], F]:
    words = CHOICES[name]
    meaning = "; ".join(f"{word}: {what}" for word, what in words.items())
    return click.option(f"--{name.replace('_', '-')}", type=click.Choice(list(words)), default=None, help=f"{meaning}.")


def policy_options(command: F) -> F:
    """What measures leave open: the policy words, depth and relevance level, and the named conventions."""
    for option in (
        click.option(
            "--convention",
            default="rankgauge",
            show_default=True,
            help="Compute as another tool does: trec_eval, trec_eval-9, pytrec_eval, ir_measures, ranx, …",
        ),
        _policy("ties"),
        _policy("missing"),
        _policy("no_relevant"),
        _policy("unjudged"),
        _policy("duplicates"),
        click.option(
            "--average",
            type=click.Choice(["macro", "micro"]),
            default=None,
            help="macro: mean over queries; micro: pooled numerators over pooled denominators.",
        ),
        click.option(
            "--depth",
            type=click.IntRange(min=1),
            default=None,
            help="Ignore results beyond this rank (trec_eval -M).",
        ),
        click.option("--rel", type=float, default=None, help="Lowest relevant grade (trec_eval -l)."),
    )[::-1]:
        command = option(command)
    return command


def digits_option(command: F) -> F:
    return click.option("--digits", type=click.IntRange(0, 15), default=4, show_default=True, help="Decimals shown.")(
        command
    )


def confidence_option(command: F) -> F:
    return click.option(
        "--confidence",
        type=click.FloatRange(0, 1, min_open=True, max_open=True),
        default=0.95,
        show_default=True,
        help="Level of the intervals.",
    )(command)


def columns_option(command: F) -> F:
    return click.option(
        "--columns",
        metavar="NAME=ROLE,…",
        default=None,
        help="Names of columns and their roles: docno=doc_id,sim=score or click=label. Usual names are known.",
    )(command)


def column_map(text: str | None) -> dict[str, str] | None:
    """`docno=doc_id,sim=score` → a dict."""
    if not text:
        return None
    out = {}
    for part in text.split(","):
        name, eq, role = part.partition("=")
        if not eq or not name or not role:
            raise ParameterError(f"--columns must look like docno=doc_id,sim=score, got {part!r}.")
        out[name.strip()] = role.strip()
    return out


def format_options(*forms: str) -> Callable[[F], F]:
    """`--format` and its short forms `--json`, `--csv` …, and `--output`."""

    def add(command: F) -> F:
        command = click.option(
            "-o",
            "--output",
            type=click.Path(path_type=Path),
            default=None,
            help="Write to a file instead of the terminal; its suffix picks the format.",
        )(command)
        for form in reversed([f for f in forms if f not in ("table", "trec")]):
            command = click.option(f"--{form}", "form", flag_value=form, help=f"The same as --format {form}.")(command)
        return click.option(
            "-f", "--format", "form", type=click.Choice(forms), default=None, help="How the result is shown."
        )(command)

    return add


_SUFFIXES = {
    ".json": "json",
    ".csv": "csv",
    ".md": "markdown",
    ".tex": "latex",
    ".html": "html",
    ".txt": "table",
}


def show(record: Any, form: str | None, output: Path | None, **options: Any) -> None:
    """A record on the terminal or in a file."""
    if form is None and output is not None:
        form = _SUFFIXES.get(output.suffix, "table")
    form = form or "table"
    if form == "table" and output is None:
        from rankgauge.report import sections

        show_sections(sections(record, **options))
        return
    if form == "json":
        text = record.to_json() + "\n"
    elif form == "html":
        text = _page(record.to_html(**options))
    else:
        from rankgauge.report import render

        text = render(record, "text" if form == "table" else form, **options)
    write_text(text, output)


def show_all(records: Sequence[Any], form: str | None, output: Path | None, **options: Any) -> None:
    """Several records one after the other, as one text."""
    from rankgauge.report import sections

    found: list[Section] = []
    for record in records:
        said = {note for section in found for note in section.notes}
        shown = sections(record, **options)
        found += [replace(s, notes=[note for note in s.notes if note not in said]) for s in shown]
    if form is None and output is not None:
        form = _SUFFIXES.get(output.suffix, "table")
    if form in (None, "table"):
        if output is None:
            show_sections(found)
            return
        from rankgauge.report.text import plain

        text = plain(found)
    else:
        from rankgauge.report import markup

        text = {"markdown": markup.markdown, "latex": markup.latex, "html": markup.html}[str(form)](found)
        text = _page(text) if form == "html" else text
    write_text(text, output)


def show_sections(sections: Sequence[Section]) -> None:
    """On a terminal with colours, in a pipe as plain text."""
    from rankgauge.report.text import plain, print_sections

    if sys.stdout.isatty():
        from rich.console import Console

        print_sections(sections, Console(highlight=False))
    else:
        sys.stdout.write(plain(sections))


def write_text(text: str, output: Path | None) -> None:
    if output is None:
        sys.stdout.write(text)
    else:
        output.write_text(text, encoding="utf-8")
        print(f"wrote {output}", file=sys.stderr)


def status(text: str) -> Any:
    """A spinner while someone watches."""
    if sys.stderr.isatty():
        from rich.console import Console

        return Console(stderr=True).status(text)
    return nullcontext()


def write_table(frame: Any, path: Path, option: str) -> None:
    """A table of values; the file appears only when it is complete."""
    from rankgauge.data.formats.write import atomic

    writers = {
        ".csv": frame.write_csv,
        ".tsv": lambda p: frame.write_csv(p, separator="\t"),
        ".jsonl": frame.write_ndjson,
        ".parquet": frame.write_parquet,
    }
    if path.suffix not in writers:
        raise ParameterError(f"{option} must end in {', '.join(writers)}, got {path.name!r}.")
    with atomic(path) as partial:
        writers[path.suffix](partial)
    print(f"wrote {path}", file=sys.stderr)


def _page(fragment: str) -> str:
    return (
        '<!doctype html><html><head><meta charset="utf-8"><title>rankgauge</title>'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        "<style>:root{color-scheme:light dark}body{font:16px/1.5 system-ui,sans-serif;max-width:60em;"
        "margin:2em auto;padding:0 1em}table{border-collapse:collapse}thead{border-bottom:1px solid}"
        f"</style></head><body>{fragment}</body></html>\n"
    )
