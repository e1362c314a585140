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
