"""What the demo shop sells and the words people use for it, in English and Chinese: `vocabulary.toml`, read."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any, NamedTuple

Words = tuple[str, str]


class Category(NamedTuple):
    """One kind of product. The number of a problem is the index of the feature that solves it."""

    noun: Words
    department: str
    audiences: tuple[Words, ...]
    finishes: tuple[Words, ...]
    features: tuple[Words, ...]
    problems: tuple[tuple[str, str, int], ...]
    sibling: str  # what a shopper would take instead
    complement: str  # what goes with it


def _pairs(found: list[list[str]]) -> tuple[Words, ...]:
    return tuple((english, chinese) for english, chinese in found)


def _category(of: dict[str, Any]) -> Category:
    features = _pairs(of["features"])
    solving = {english: i for i, (english, _) in enumerate(features)}
    return Category(
        **{
            **of,
            "noun": tuple(of["noun"]),
            "audiences": _pairs([_DATA["audiences"][name] for name in of["audiences"]]),
            "finishes": _pairs([_DATA["finishes"][name] for name in of["finishes"]]),
            "features": features,
            "problems": tuple((p["en"], p["zh"], solving[p["solved_by"]]) for p in of["problems"]),
        }
    )


_DATA = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
ADULTS = _pairs([_DATA["audiences"]["women"], _DATA["audiences"]["men"]])
BRANDS = {department: _pairs(names) for department, names in _DATA["brands"].items()}
CATEGORIES = {name: _category(of) for name, of in _DATA["categories"].items()}
NOT_SOLD = tuple((q["text"], q["language"], q["intent"], q["shelf"]) for q in _DATA["not_sold"])
