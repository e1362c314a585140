"""Retrievers of other packages, the real ones, each in an environment of its own: `make test-integrations`."""

from __future__ import annotations

import os

os.environ.setdefault("HAYSTACK_TELEMETRY_ENABLED", "False")

TEXTS = {"d1": "red shoes for running", "d2": "warm boots for winter", "d3": "a hat made of red wool"}
GOLD = {"red shoes": ["d1"], "warm boots": ["d2"], "red wool hat": ["d3"]}


def ranked(query: str) -> list[tuple[str, float]]:
    """Documents by how many words they share with the query, those with none left out."""
    asked = set(query.split())
    found = [(d, float(len(asked & set(text.split())))) for d, text in TEXTS.items()]
    return sorted((x for x in found if x[1]), key=lambda x: -x[1])


PAGES = {
    "guide": "Running shoes are washed by hand in cold water. Never tumble dry them: heat loosens the glue. "
    "\N{SNOWFLAKE} Leather boots need wax twice a year.\r\nWipe off salt at once, it leaves rings.",
    "faq": "Returns are free for thirty days. 退货三十天内免费。 The refund is paid within five days.",
}
ANSWERS = {
    "How are running shoes washed?": "washed by hand in cold water",
    "How often do leather boots need wax?": "Leather boots need wax twice a year.",
    "How long are returns free?": "Returns are free for thirty days.",
}


def nearest(query: str, texts: list[str]) -> list[int]:
    """Places of texts by how many words they share with the query."""
    asked = set(query.lower().strip("?").split())
    return sorted(range(len(texts)), key=lambda i: -len(asked & set(texts[i].lower().strip(".").split())))
