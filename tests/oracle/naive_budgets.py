"""Budgets by their definition: results are read one by one, and the first that no longer fits ends the list."""

from __future__ import annotations

import unicodedata

_ALONE = (
    *("CJK UNIFIED", "CJK COMPATIBILITY IDEOGRAPH", "IDEOGRAPHIC", "HANGUL SYLLABLE"),
    *("HIRAGANA", "KATAKANA", "HALFWIDTH KATAKANA", "HENTAIGANA", "BOPOMOFO"),
)


def fitting(costs, limit):
    """How many of the first results are read."""
    for n in range(len(costs), -1, -1):
        if sum(costs[:n]) <= limit:
            return n
    raise AssertionError  # nothing costs nothing


def words(text):
    """Words and signs, character by character."""
    n, inside = 0, False
    for c in text:
        name, category = unicodedata.name(c, ""), unicodedata.category(c)[0]
        alone = (category in "LN" and name.startswith(_ALONE)) or 0x20000 <= ord(c) <= 0x3FFFF
        if alone or category in "PS":
            n, inside = n + 1, False
        elif category in "LNM":
            n, inside = n + (not inside), True
        else:
            inside = False
    return n
