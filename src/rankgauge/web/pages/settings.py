"""Where this dashboard looks, and what it lets people do."""

from __future__ import annotations

from rankgauge._numbers import size_of
from rankgauge._text import Text
from rankgauge._version import __version__
from rankgauge.web.visit import Page, Visit

__all__ = ["settings"]


def settings(visit: Visit) -> Page:
    """Nothing secret: neither the token nor a password of a store."""
    history, site = visit.history, visit.site
    facts = [
        (Text("store", "存储"), history.place),
        (Text("entries", "记录数"), f"{len(history):,}"),
        (Text("size", "大小"), size_of(history.size())),
        (Text("projects", "项目"), ", ".join(history.projects()) or "–"),
        (
            Text("changes", "写入"),
            Text("not allowed (--read-only)", "不允许（--read-only）")
            if site.read_only
            else Text("notes, tags, acknowledgements, uploads", "备注、标签、确认、上传"),
        ),
        (Text("largest upload", "上传上限"), size_of(site.limits.upload)),
        (Text("version", "版本"), __version__),
    ]
    return Page("settings.html", {"facts": facts, "who": visit.who}, Text("Settings", "设置"))
