"""Where a result goes: to the terminal or a file, in a form and a language, and onto a page."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from rankgauge._output import STANDARD_OUTPUT, is_stream
from rankgauge._show import show
from rankgauge._text import Text, composed, joined
from rankgauge._words import as_meant
from rankgauge.cli.languages import language_option
from rankgauge.cli.options import Input
from rankgauge.cli.places import Target, is_taken
from rankgauge.cli.storing import Storing, storing_options
from rankgauge.cli.style import click
from rankgauge.cli.terminal import out, out_drawn, say, wrote
from rankgauge.cli.types import Choice
from rankgauge.errors import ParameterError

if TYPE_CHECKING:
    from rankgauge.reporting.grid import Section

__all__ = [
    "Output",
    "Page",
    "output_options",
    "page_options",
    "page_options_but_scenario",
    "show_sections",
    "typed",
    "warn",
    "with_slices",
    "write_text",
]

F = TypeVar("F", bound=Callable[..., Any])

_SUFFIXES = {
    ".json": "json",
    ".csv": "csv",
    ".md": "markdown",
    ".tex": "latex",
    ".html": "html",
    ".txt": "table",
    ".svg": "svg",
}


def _suffix(path: Path) -> str:
    """What says the format: large or small letters, before the suffix of a compressed file; nothing for streams."""
    if is_stream(path):
        return ""
    from rankgauge._unpacked import inner_suffix

    return inner_suffix(path)


def _refuse_suffix(path: Path, forms: Sequence[str]) -> None:
    """No file that says by its name that it is something else."""
    known = [suffix for suffix, form in _SUFFIXES.items() if form in forms]
    if (suffix := _suffix(path)) and suffix not in known:
        raise ParameterError(
            Text(
                f"--output must end in {', '.join(known)} (or .gz, .bz2, .xz after it), got {show(path.name)}. "
                "Or say the format with --format.",
                f"--output 的后缀必须是 {', '.join(known)} 之一（之后可再加 .gz、.bz2、.xz），实际为 "
                f"{show(path.name)}。也可用 --format 指定格式。",
            )
        )


@dataclass(frozen=True)
class Output:
    """What was asked for by the options of `output_options`."""

    form: str | None = None
    path: Path | None = None
    page: Path | None = None
    language: str | None = None
    is_silent: bool = False
    """Something else goes to standard output, and this nowhere else."""
    storing: Storing = field(default_factory=Storing)
    """Where the records are kept besides."""

    @property
    def chosen(self) -> str:
        """The form: as asked, or by the suffix of the file."""
        if self.form is None and self.path is not None:
            return _SUFFIXES.get(_suffix(self.path), "table")
        return self.form or "table"

    @property
    def is_data(self) -> bool:
        """Whether the whole record is wanted, for another program."""
        return self.chosen in ("json", "csv")

    def show(self, *records: Any, page: Sequence[Any] | None = None, about: Page | None = None, **options: Any) -> None:
        """Records one after the other; `page` are those for the page, where it has others.

        They are kept when they have been shown: where that fails, nothing is lost but the copy.
        """
        self._show(records, page, about, options)
        self.keep(*(page or ()), *records)

    def keep(self, *records: Any) -> None:
        """Keeps records in the history that was asked for, if one was."""
        self.storing.keep(records)

    def _show(
        self, records: Sequence[Any], page: Sequence[Any] | None, about: Page | None, options: dict[str, Any]
    ) -> None:
        if self.is_data or self.path is not None or self.is_silent:
            warn(*records)
        if self.page is not None:
            self.write_page(list(page or records), self.page, about)
        if self.is_silent:
            return
        if self.chosen == "svg":
            write_text(self._svg(records[0]), self.path or STANDARD_OUTPUT)
        elif self.chosen == "html":
            write_text(
                self._html(list(page or records), about), self.path or STANDARD_OUTPUT
            )  # it says that it is UTF-8
        elif self.chosen == "table" and self.path is None:
            show_sections(self._sections(records, options), self.language)
        else:
            write_text(self._text(records, options), self.path or self._stream(records), self.chosen)

    def _sections(self, records: Sequence[Any], options: dict[str, Any]) -> list[Section]:
        from rankgauge.cli.wording import with_options
        from rankgauge.reporting import sections
        from rankgauge.reporting.grid import unrepeated

        found = [s for record in records for s in sections(record, self.chosen, **options)]
        ctx = click.get_current_context(silent=True)
        return unrepeated(found if ctx is None else with_options(found, ctx.command))

    def _text(self, records: Sequence[Any], options: dict[str, Any]) -> str:
        from rankgauge.reporting import forms, render

        if self.chosen == "json":
            return _json(records)
        form = "text" if self.chosen == "table" else self.chosen
        if form == "csv":
            return render(_Series(records) if _are_alike(records) else records[0], form, self.language)
        return forms()[form](self._sections(records, options), self.language)

    def _stream(self, records: Sequence[Any]) -> Path | None:
        """Standard output as a file, for tables that are read back: every byte as it is."""
        from rankgauge.reporting import is_read_back

        return STANDARD_OUTPUT if self.chosen == "csv" and is_read_back(records[0]) else None

    def _svg(self, record: Any) -> str:
        """The picture of a record that has one."""
        from rankgauge.reporting.figures import plot

        return plot(record, language=self.language).svg

    def _html(self, records: list[Any], about: Page | None) -> str:
        from rankgauge.reporting.page import report

        return report(records, language=self.language, command=typed(), **(about or Page()).options)

    def write_page(self, records: list[Any], path: Path, about: Page | None = None) -> None:
        """The report, as one file."""
        from rankgauge.reporting.page import report

        report(records, path, language=self.language, command=typed(), **(about or Page()).options)
        wrote(path)


def _json(records: Sequence[Any]) -> str:
    """The first record, which `rg.load` reads back; what belongs to it stands in it under its kind, or a list of it.

    Records of one kind, none of which belongs to another, are a list.
    """
    first, *beside = records
    if _are_alike(records):
        import json

        return json.dumps([json.loads(r.to_json()) for r in records], ensure_ascii=False, indent=1) + "\n"
    text: str = first.to_json()
    if not beside:
        return text + "\n"
    import json

    stored = json.loads(text)
    names = list(stored) if isinstance(first, Mapping) else []
    by_kind: dict[str, list[Any]] = {}
    for record in beside:
        if names and hasattr(record, "part"):  # of several by name: each has its own
            for name in names:
                stored[name][record.kind] = json.loads(record.part(name).to_json())
        else:
            by_kind.setdefault(record.kind, []).append(json.loads(record.to_json()))  # NaN is null there
    stored |= {kind: found[0] if len(found) == 1 else found for kind, found in by_kind.items()}
    return json.dumps(stored, ensure_ascii=False, indent=1) + "\n"


@dataclass(frozen=True)
class _Series:
    """Records of one kind, one after the other in one table."""

    records: Sequence[Any]

    def csv_rows(self) -> list[dict[str, Any]]:
        return [row for record in self.records for row in record.csv_rows()]


def _are_alike(records: Sequence[Any]) -> bool:
    """Several records of one kind, as the folds of a split."""
    return len(records) > 1 and len({getattr(r, "kind", None) for r in records}) == 1


@dataclass(frozen=True)
class Page:
    """What was asked for by `page_options`."""

    title: str | None = None
    documents: Path | None = None
    queries: Any = None
    """A file of texts by id, or the texts."""
    scenario: str | None = None

    @property
    def options(self) -> dict[str, Any]:
        return {k: v for k, v in vars(self).items() if v is not None}

    def texts_for(self, measures: Sequence[str]) -> Path | None:
        """The documents, where a measure has a budget, which counts in their texts, or is about spans, which lie in
        them. Others know them on the page only."""
        needed = any("budget" in m or "span" in m for m in (as_meant(m).casefold() for m in measures))
        return self.documents if needed else None

    def refuse_without(self, out: Output) -> None:
        """Raise an error where something is asked of a report, and there is none."""
        asked_for = [name for name in self.options if name != "documents"]
        if asked_for and out.page is None and out.chosen != "html":
            asked = "--" + asked_for[0].replace("queries", "query-texts")
            raise ParameterError(
                Text(
                    f"{asked} is for the report, and none is written. Add --html report.html, or leave {asked} out.",
                    f"{asked} 用于报告，而这里没有写出报告。请加上 --html report.html，或去掉 {asked}。",
                )
            )

    def refuse_unread(self, out: Output, measures: Sequence[str] = ()) -> None:
        """Raise an error where documents are given and nothing looks into them."""
        if self.documents is None or self.texts_for(measures) is not None or out.page is not None:
            return
        if out.chosen != "html":
            raise ParameterError(
                Text(
                    "--documents is for the report, for measures with a budget such as 'R(budget=2000t)', and for gold "
                    "and results that are parts of documents (quoted text, or start and end). There is none of these. "
                    "Add --html report.html or such a measure, or leave --documents out.",
                    "--documents 用于报告、带预算的指标（如 'R(budget=2000t)'），以及标准答案和结果是文档片段（原文，"
                    "或 start 和 end）的情形。这里都没有。请加上 --html report.html 或这样的指标，或去掉 --documents。",
                )
            )


def output_options(*forms: str, to_file: bool = True, stored: bool = True) -> Callable[[F], F]:
    """`--format` and its short forms, `--output`, `--html`, `--store` and `--language`; the command gets them as `out`.

    Without `to_file`, `--output` is left to the command: it has something better to write there. Without `stored` it
    makes no record that could be kept.
    """

    def add(command: F) -> F:
        @wraps(command)
        def with_output(*args: Any, form: str | None, html: Path | None, language: str, **rest: Any) -> Any:
            path = rest.pop("output") if to_file else None
            is_silent = path is None and is_taken("output" if to_file else "")
            if path == STANDARD_OUTPUT:
                path = None
            if path is not None and form is None:
                _refuse_suffix(path, (*forms, "markdown") if rest.get("markdown") else forms)
            out = Output(form, path, html, language, is_silent, rest.pop("storing", None) or Storing())
            if isinstance(about := rest.get("about"), Page):
                about.refuse_without(out)
                if "by" not in rest:  # else it depends on what the files hold
                    about.refuse_unread(out, rest.get("measures", ()))
            return command(*args, out=out, **rest)

        added: Any = language_option()(storing_options(with_output) if stored else with_output)
        added = click.option(
            "--html",
            type=Target(),
            default=None,
            metavar="FILE",
            help=Text(
                "Write a report as well: one HTML file that opens offline.",
                "另外写出报告：一个可离线打开的 HTML 文件。",
            ),
        )(added)
        if to_file:
            added = click.option(
                "-o",
                "--output",
                type=Target(),
                default=None,
                help=composed(
                    "Write to a file instead of the terminal; its suffix picks the format ({}; also .gz). "
                    "- is standard output.",
                    "写入文件而不是终端；格式由后缀决定（{}；也可 .gz）。- 表示标准输出。",
                    joined(Text(", ", "、"), [s for s, f in _SUFFIXES.items() if f in forms]),
                ),
            )(added)
        for form in reversed([f for f in forms if f not in ("table", "trec", "html")]):
            # of the same type: Click reads what --format was given with each option of its name
            short = click.option(
                f"--{form}",
                "form",
                flag_value=form,
                type=Choice(forms),
                help=Text(f"The same as --format {form}.", f"等同于 --format {form}。"),
            )
            added = short(added)
        shown: F = click.option(
            "-f",
            "--format",
            "form",
            type=Choice(forms),
            default=None,
            help=Text("How the result is shown.", "结果的显示格式。"),
        )(added)
        return shown

    return add


def page_options(command: F) -> F:
    """What a report shows beside ids; the command gets it as `about`."""
    return _page_options(command, with_scenario=True)


def page_options_but_scenario(command: F) -> F:
    """The same for a command that has a use of its own for a scenario."""
    return _page_options(command, with_scenario=False)


def _page_options(command: F, *, with_scenario: bool) -> F:
    @wraps(command)
    def with_page(*args: Any, title: str | None, documents: Path | None, query_texts: Path | None, **rest: Any) -> Any:
        scenario = rest.pop("scenario") if with_scenario else None
        return command(*args, about=Page(title, documents, query_texts, scenario), **rest)

    added: Any = with_page
    scenario = click.option(
        "--scenario",
        default=None,
        help=Text(
            "Findings of the report by the benchmarks of a scenario: see `scenarios`.",
            "按某个场景的标准给出报告中的诊断：见 `scenarios`。",
        ),
    )
    for option in (
        click.option("--title", default=None, help=Text("Title of the report.", "报告的标题。")),
        click.option(
            "--documents",
            type=Input(),
            default=None,
            help=Text(
                "Texts of documents for the report, and for measures with a budget such as 'R(budget=2000t)' or of "
                "spans (SpanRecall@5 of evaluate): corpus.jsonl, CSV, TSV, Parquet with an id and a title or text.",
                "文档的文本，用于报告、'R(budget=2000t)' 这类按预算截断的指标和片段指标（evaluate 的 SpanRecall@5）："
                "corpus.jsonl、CSV、TSV、Parquet，带 id 以及 title 或 text。",
            ),
        ),
        click.option(
            "--query-texts",
            type=Input(),
            default=None,
            help=Text(
                "Texts of queries for the report: queries.jsonl, topics.tsv, …",
                "报告中查询的文本：queries.jsonl、topics.tsv、…",
            ),
        ),
        *([scenario] if with_scenario else []),
    )[::-1]:
        added = option(added)
    shown: F = added
    return shown


def with_slices(about: Page, slices: Path | str | Sequence[Path | str] | None) -> Page:
    """A file of query attributes often has their texts as well; a word that is made of others has none."""
    from rankgauge.data.document_texts import read_texts
    from rankgauge.errors import InputError

    file = next((s for s in (slices if isinstance(slices, list) else [slices]) if isinstance(s, Path)), None)
    if about.queries is not None or file is None:
        return about
    try:
        read_texts(file, ["?"])
    except InputError:
        return about
    return replace(about, queries=file)


def typed() -> str:
    """The command as it was typed."""
    ctx = click.get_current_context(silent=True)
    return "" if ctx is None else shlex.join(["rankgauge", *(ctx.find_object(list) or ())])


def show_sections(sections: Sequence[Section], language: str | None = None) -> None:
    """On a terminal with colours, in a pipe as plain text."""
    from rankgauge.reporting.plain_text import plain, print_sections

    if sys.stdout.isatty():
        from rich.console import Console

        console = Console(highlight=False)
        with console.capture() as drawn:
            print_sections(sections, console, language)
        out_drawn(drawn.get())
    else:
        out(plain(sections, language))


def warn(*records: Any) -> None:
    """What makes numbers wrong, on standard error: where the result goes to a file or to another program."""
    from rankgauge.evaluation.rankings.suspicion import errors_of

    found = [s for record in records for s in errors_of(getattr(record, "suspicions", ()))]
    for s in {(s.code, s.system): s for s in found}.values():
        say(composed("! {} {}", "! {}{}", s.statement, s.try_))


def write_text(text: str, output: Path | None, form: str = "text") -> None:
    """To the terminal or a file, which appears only when it is complete."""
    if output is None:
        out(text, form)
        return
    from rankgauge.data.formats.write import write_text as to_file

    to_file(output, text)
    wrote(output)
