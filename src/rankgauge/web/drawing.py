"""From a page to HTML: our templates, the parts of the report, the charts; no style and no script within the markup."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from importlib import resources
from typing import TYPE_CHECKING, Any

from rankgauge._text import Text, in_language
from rankgauge._version import __version__
from rankgauge.reporting.charts.svg import Chart
from rankgauge.reporting.page.writing import environment, script, style
from rankgauge.web.visit import THEMES, Page, Visit, link

if TYPE_CHECKING:
    from jinja2 import Environment

__all__ = ["NAVIGATION", "Asset", "assets", "drawn", "picture", "served"]

NAVIGATION = (
    ("/", Text("Overview", "概览")),
    ("/trend", Text("Trend", "趋势")),
    ("/entries", Text("Entries", "记录")),
    ("/queries", Text("Queries", "查询")),
    ("/alerts", Text("Alerts", "告警")),
    ("/upload", Text("Upload", "上传")),
    ("/measures", Text("Measures", "指标")),
    ("/settings", Text("Settings", "设置")),
)
_WIDTH = re.compile(r' style="--w:([0-9.]+)px"')
_STEP, _WIDEST = 20, 2400


def served(html: str) -> Any:
    """Markup of the report as a page may have it whose style is in files: how wide a chart is becomes an attribute."""
    from markupsafe import Markup

    return Markup(_WIDTH.sub(lambda m: f' data-w="{_rounded(float(m[1]))}"', html))


def _rounded(width: float) -> int:
    return min(_WIDEST, max(_STEP, _STEP * -int(-width // _STEP)))


def _widths() -> str:
    return "".join(f'svg[data-w="{w}"]{{--w:{w}px}}' for w in range(_STEP, _WIDEST + 1, _STEP))


def picture(chart: Chart, language: str) -> Any:
    """A chart in one language, named by its title."""
    return served(chart.svg(language, tips=language))


@dataclass(frozen=True)
class Asset:
    """A file that pages load."""

    name: str
    type: str
    text: str

    @property
    def digest(self) -> str:
        """Changes with the file, so that browsers may keep it."""
        return sha256(self.text.encode()).hexdigest()[:16]

    @property
    def address(self) -> str:
        return link(f"/static/{self.name}", v=self.digest)


@lru_cache(maxsize=1)
def assets() -> dict[str, Asset]:
    """All of them, by name."""
    folder = resources.files("rankgauge.web") / "static"
    made = [
        Asset("report.css", "text/css", style() + _widths()),
        Asset("report.js", "text/javascript", script()),
        Asset("dashboard.css", "text/css", (folder / "dashboard.css").read_text(encoding="utf-8")),
        Asset("dashboard.js", "text/javascript", (folder / "dashboard.js").read_text(encoding="utf-8")),
    ]
    return {asset.name: asset for asset in made}


@lru_cache(maxsize=1)
def _templates() -> Environment:
    from jinja2 import ChoiceLoader, PackageLoader, PrefixLoader

    report = PrefixLoader({"report": PackageLoader("rankgauge.reporting.page")})
    return environment().overlay(loader=ChoiceLoader([PackageLoader("rankgauge.web"), report]))


def drawn(page: Page, visit: Visit) -> str:
    """The whole page."""

    def say(en: str, zh: str) -> str:
        """Words for an attribute, which has one language."""
        return in_language(Text(en, zh), visit.language)

    html: str = (
        _templates()
        .get_template(page.template)
        .render(
            **page.context,
            page_title=page.title,
            screens=page.screens,
            damaged=page.damaged,
            visit=visit,
            language=visit.language,
            theme=visit.theme,
            themes=THEMES,
            link=link,
            say=say,
            navigation=NAVIGATION,
            assets=assets(),
            read_only=visit.site.read_only,
            version=__version__,
            picture=lambda chart: picture(chart, visit.language),
        )
    )
    return html
