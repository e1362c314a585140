"""One request as pages see it: who asks, in which language, with which words; and what a page answers."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, urlencode

from rankgauge._language import LANGUAGES, get_language, language_of
from rankgauge._show import show
from rankgauge._text import Text
from rankgauge.errors import ParameterError
from rankgauge.web.judged import Judged

if TYPE_CHECKING:
    from starlette.datastructures import FormData
    from starlette.requests import Request

    from rankgauge.history.history import History
    from rankgauge.history.rules import AlertRules
    from rankgauge.web.access import Access
    from rankgauge.web.jobs import Jobs
    from rankgauge.web.security import Limits

__all__ = [
    "THEMES",
    "Answer",
    "Away",
    "Page",
    "Part",
    "Site",
    "Visit",
    "language_for",
    "link",
    "theme_for",
]

THEMES = ("auto", "light", "dark")
_LONGEST = 2000
"""Characters of one word of an address or a form."""


@dataclass(frozen=True)
class Site:
    """What all requests share."""

    history: History
    access: Access
    limits: Limits
    jobs: Jobs
    read_only: bool = False
    rules: Mapping[str, AlertRules] = field(default_factory=dict)
    """What is watched, by project, where a project file was given."""
    judged: Judged = field(default_factory=Judged)


@dataclass(frozen=True)
class Page:
    """A template and what it shows."""

    template: str
    context: Mapping[str, Any] = field(default_factory=dict)
    title: str = ""
    status: int = 200
    screens: Sequence[Any] = ()
    """Of the report, after the template."""
    damaged: Sequence[str] = ()
    """What was left out of it, and why."""


@dataclass(frozen=True)
class Away:
    """On to another page of ours, after a change."""

    to: str


Answer = Page | Away


@dataclass(frozen=True)
class Visit:
    """A request."""

    request: Request
    site: Site
    language: str
    theme: str
    form: FormData | None = None

    @property
    def history(self) -> History:
        """What is looked at."""
        return self.site.history

    @property
    def who(self) -> str:
        """Whom a proxy named; else nobody."""
        return str(getattr(self.request.state, "who", "") or "")

    def asked(self, name: str, default: str = "") -> str:
        """A word of the form or of the address."""
        given = self.form.get(name) if self.form is not None else None
        value = given if isinstance(given, str) else self.request.query_params.get(name, default)
        return value[:_LONGEST].strip()

    def every(self, name: str) -> list[str]:
        """All words of that name, each once."""
        given = [v for v in self.form.getlist(name) if isinstance(v, str)] if self.form is not None else []
        return list(dict.fromkeys(v[:_LONGEST] for v in given or self.request.query_params.getlist(name) if v))

    def whole(self, name: str, default: int, most: int = 1_000_000) -> int:
        """A number from 1 on."""
        said = self.asked(name)
        if not said:
            return default
        if not (re.fullmatch("[0-9]{1,9}", said) and 1 <= int(said) <= most):
            raise ParameterError(
                Text(
                    f"`{name}` must be a whole number from 1 to {most:,}, got {show(said)}.",
                    f"`{name}` 必须是 1 到 {most:,} 的整数，实际为 {show(said)}。",
                )
            )
        return int(said)

    def here(self, **changed: Any) -> str:
        """The address of this page with other words; None leaves one out."""
        kept = [(k, v) for k, v in self.request.query_params.multi_items() if k not in changed and k != "token"]
        return link(self.request.url.path, [*kept, *((k, v) for k, v in changed.items() if v is not None)])

    def refuse_reading_only(self) -> None:
        """No change where changes are not allowed."""
        if self.site.read_only:
            raise ParameterError(
                Text(
                    "this dashboard is read-only: it was started with --read-only.",
                    "看板是只读的：启动时给出了 --read-only。",
                )
            )


def link(path: str, words: Iterable[tuple[str, Any]] | Mapping[str, Any] = (), **more: Any) -> str:
    """An address of ours, whatever is in its words.

    >>> link("/query", query="a&b", page=None), link("//elsewhere.example")
    ('/query?query=a%26b', '/elsewhere.example')
    """
    given = [*(words.items() if isinstance(words, Mapping) else words), *more.items()]
    asked = urlencode([(k, v) for k, v in given if v not in (None, "")], errors="replace")
    return "/" + quote(path.lstrip("/\\"), safe="/") + (f"?{asked}" if asked else "")


@dataclass(frozen=True)
class Part:
    """Some of a list: what is on this page of it."""

    items: Sequence[Any]
    number: int
    is_last: bool
    total: int | None = None
    """How many there are, where that was cheap to know."""


def language_for(request: Request) -> str:
    """As the address says, or the cookie, or the browser, or the process."""
    said = (request.query_params.get("language", ""), request.cookies.get("rankgauge-language", ""))
    for word in said:
        if word in LANGUAGES:
            return word
    for part in request.headers.get("accept-language", "").split(","):
        if (found := language_of(part.partition(";")[0])) is not None:
            return found
    return get_language()


def theme_for(request: Request) -> str:
    """As the address says, or the cookie; else as the browser likes it."""
    said = (request.query_params.get("theme", ""), request.cookies.get("rankgauge-theme", ""))
    return next((word for word in said if word in THEMES), THEMES[0])
