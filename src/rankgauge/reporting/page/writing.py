"""From a story to a page."""

from __future__ import annotations

import base64
import hashlib
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import lru_cache
from importlib import import_module
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypedDict

from rankgauge._records import fits_together
from rankgauge._rendered import refuse_sources
from rankgauge._text import LANGUAGES, Text, check_language, in_language
from rankgauge._version import __version__
from rankgauge.comparison.of_both import as_record
from rankgauge.reporting.charts.style import DARK, LIGHT, RULES, variables
from rankgauge.reporting.charts.svg import Chart
from rankgauge.reporting.grid import one_line
from rankgauge.reporting.page.gathering import gather
from rankgauge.reporting.page.story import Story

if TYPE_CHECKING:
    from jinja2 import Environment

__all__ = [
    "SCREENS",
    "Drawn",
    "ReportOptions",
    "Screen",
    "drawn",
    "environment",
    "page_of",
    "report",
    "script",
    "style",
]

SCREENS = (
    "verdict",
    "result",
    "trend",
    "differences",
    "queries",
    "by_cutoff",
    "by_budget",
    "slices",
    "asked",
    "answers",
    "tradeoff",
    "items",
    "funnel",
    "judgements",
    "scores",
    "classes",
    "contract",
)
"""In the order of the page; each has a module in `screens/` and a template."""


@dataclass(frozen=True)
class Screen:
    """A part of the page, drawn."""

    id: str
    name: str
    html: Any


class ReportOptions(TypedDict, total=False):
    """The keywords of `report`, for whoever passes them on."""

    language: str | None
    title: str | None
    documents: Any
    queries: Any
    scenario: str | None
    command: str
    train: Any
    items: Any


@dataclass(frozen=True)
class Drawn:
    """The screens of a page without the page: for whoever has one of its own."""

    title: str
    screens: tuple[Screen, ...]


@fits_together
def report(
    record: Any,
    path: str | PathLike[str] | None = None,
    *,
    language: str | None = None,
    title: str | None = None,
    documents: Any = None,
    queries: Any = None,
    scenario: str | None = None,
    command: str = "",
    train: Any = None,
    items: Any = None,
) -> str:
    """Write what a record says to one HTML file that opens anywhere, and return its path (or the page without one).

    `record` is an evaluation, several of them, a comparison, a funnel, or any other record; a list puts several on one
    page. What holds lists and their judgements is evaluated, or compared, first. The page speaks English and Chinese;
    `language` is the one it opens in. `documents` and `queries` are texts to show beside ids: a mapping, a frame or a
    file (corpus.jsonl, topics.tsv, …). `scenario` brings the benchmarks that findings are measured by. `command` is
    printed as the way to make the page again. `train` and `items` are those of `evaluate`, for what is evaluated here.

    >>> import rankgauge as rg
    >>> page = report(rg.evaluate({"q": {"d": 1}}, {"q": ["d"]}, "nDCG@10"), title="Shop")
    >>> page.startswith("<!doctype html>"), "<title" in page
    (True, True)
    """
    language = check_language(language)
    record = as_record(record, train=train, items=items)
    if path is not None:
        for one in record if isinstance(record, list) else [record]:
            refuse_sources(one, path)
    story = gather(
        record,
        language=language,
        title=title,
        documents=documents,
        queries=queries,
        scenario=scenario,
        command=command,
    )
    page = page_of(story)
    if path is None:
        return page
    from rankgauge.data.formats.write import atomic

    with atomic(Path(path)) as partial:
        partial.write(page.encode("utf-8", "replace"))
    return str(path)


def drawn(record: Any, *, language: str | None = None, **options: Any) -> Drawn:
    """What a record says, as the screens of the report; options are those of `report`.

    Whoever puts them on a page serves `style` and `script` beside them.
    """
    chosen = check_language(language)
    said: dict[str, Any] = {"title": None, **options}
    story = gather(as_record(record), language=chosen, **said)
    return Drawn(story.title, tuple(_screens(story)))


def _screens(story: Story) -> list[Screen]:
    env = environment()
    draw = _Drawing(story.language)
    shared = {"figure": draw.figure, "drawn": _safe, "language": story.language}
    screens = []
    for name in SCREENS:
        module = import_module(f"rankgauge.reporting.page.screens.{name}")
        context = module.screen(story)
        if context is not None:
            html = env.get_template(f"{name}.html").render(**shared, **context)
            screens.append(Screen(name.replace("_", "-"), module.NAME, _safe(html)))
    return screens


def page_of(story: Story) -> str:
    """The story, drawn: nothing is computed any more."""
    page: str = (
        environment()
        .get_template("page.html")
        .render(
            title=story.title,
            language=story.language,
            screens=_screens(story),
            version=__version__,
            made=f"{datetime.now(UTC):%Y-%m-%d %H:%M} UTC",
            style=_safe(style()),
            script=_safe(script()),
            script_hash=base64.b64encode(hashlib.sha256(script().encode()).digest()).decode(),
        )
    )
    return page


def style() -> str:
    """How pages and charts look, in the light and in the dark."""
    dark = f"color-scheme:dark;{variables(DARK)}"
    return (
        f":root{{color-scheme:light;{variables(LIGHT)}}}html[data-theme=dark]{{{dark}}}"
        f"@media screen and (prefers-color-scheme:dark){{html:not([data-theme=light]){{{dark}}}}}"
        f"{_asset('page.css')}{RULES}"
    )


def script() -> str:
    """What a page does: languages, themes, tables that are sorted and searched, one query at a time."""
    return _asset("page.js")


def _safe(html: str) -> Any:
    """Markup that was made here."""
    from markupsafe import Markup

    return Markup(html)


@lru_cache(maxsize=4)
def _asset(name: str) -> str:
    return (Path(__file__).parent / "templates" / name).read_text(encoding="utf-8")


class _Drawing:
    """Charts in the page: numbered, so that each is labelled by its caption."""

    def __init__(self, language: str) -> None:
        self.language, self.n = language, 0

    def figure(self, chart: Chart, size: str = "") -> Any:
        self.n += 1
        label = f"figure-{self.n}"
        svg = chart.svg(tips=self.language, labelled_by=label)
        words = f'{both(chart.title)}<span class="sr">. {both(chart.summary)}</span>'
        return _safe(
            f'<figure><figcaption id="{label}">{words}</figcaption><div class="plot {size}">{svg}</div></figure>'
        )


def both(en: Any, zh: str | None = None) -> Any:
    """A text in all languages; the page shows one. Texts without a translation are the same in all."""
    from markupsafe import Markup, escape

    text = en if zh is None else Text(str(en), zh)
    if not isinstance(text, Text) or text.en == text.zh:
        return escape(one_line(str(text)))
    said = (f'<span lang="{lang}">{escape(one_line(in_language(text, lang)))}</span>' for lang in LANGUAGES)
    return Markup("".join(said))


def _finalize(value: Any) -> Any:
    """Whatever a template prints: texts in all languages, strings without control characters."""
    if isinstance(value, str) and not hasattr(value, "__html__"):
        return both(value)
    return value


@lru_cache(maxsize=1)
def environment() -> Environment:
    """Templates that escape every text, and print both languages of those that have them."""
    from jinja2 import Environment, PackageLoader, StrictUndefined

    from rankgauge.reporting.findings import WORDS
    from rankgauge.reporting.grid import number, p_value, share

    env = Environment(
        loader=PackageLoader("rankgauge.reporting.page"),
        autoescape=True,
        finalize=_finalize,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    env.globals.update(both=both, finding_words=WORDS)
    env.filters.update(words=in_language, number=number, share=share, p_value=p_value)
    return env
