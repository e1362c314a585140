"""Texts that must not break a page or run in it, and a page that is full of them."""

from __future__ import annotations

from typing import Any

import rankgauge as rg

SCRIPT = "<script>alert(1)</script>"
BREAKS = (
    SCRIPT,
    "</script><script>alert(2)</script>",
    '"><img src=x onerror=alert(3)>',
    "' onmouseover='alert(4)",
    "</title></svg></style><iframe src=javascript:alert(5)>",
    "{{ 7 * 7 }} {% raw %} {# no #}",
    "&lt;b&gt; &amp;amp; <b>bold</b>",
    "]]><!-- -->",
    "\u202egnp.exe\u202c \u2066\u200f right to left \u061c",
    "line\nbreak\ttab\x00null\x1bescape\u2028separator",
    "x" * 5000,
    "长" * 2000,
    "javascript:alert(6)",
    "#q-1",
    "🦜 emoji 👩‍👩‍👧",
)
ROOTS = {"script": 1, "style": 1, "img": 0, "iframe": 0, "b": 0, "object": 0, "embed": 0, "base": 0, "form": 0}
"""How many elements of each kind a page may have."""


def hostile_ids() -> list[str]:
    """Ids of queries and documents, no two alike."""
    return [f"{t}-{i}" if len(t) < 100 else t for i, t in enumerate(BREAKS)]


def hostile_comparison(old: str = f"old {SCRIPT}", new: str = f"new {BREAKS[2]}") -> rg.Comparison:
    """Two runs in opposite orders; names of systems and slices are hostile as well."""
    names = hostile_ids()
    qrels = {q: {d: i % 4 for i, d in enumerate(names)} for q in names}
    runs = {
        old: {q: {d: float(-i) for i, d in enumerate(names)} for q in names},
        new: {q: {d: float(i) for i, d in enumerate(names)} for q in names},
    }
    slices = {q: {BREAKS[3]: BREAKS[4] if i % 2 else SCRIPT} for i, q in enumerate(names)}
    return rg.compare(qrels, runs, ["nDCG@10", "AP"], slices=slices)


def hostile_page(found: rg.Comparison | None = None, title: str = BREAKS[4], **options: Any) -> str:
    names = hostile_ids()
    texts = {d: {"title": BREAKS[i % 5], "text": d} for i, d in enumerate(names)}
    return rg.report(
        found or hostile_comparison(), title=title, queries=texts, documents=texts, command=BREAKS[1], **options
    )
