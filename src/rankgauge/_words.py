"""Words that people type: names of measures, policies, scenarios, and the words of options.

A keyboard for Chinese or Japanese types `ｎＤＣＧ＠１０`, which means what it looks like, and so does a letter copied
from a formula (`𝐀𝐔𝐂`): `as_meant` writes both in plain letters. A small raised 2 is another matter: `R²` is not R2,
`@1²` is not @12, so it stays, and the name is unknown. Letters that only look alike (the Cyrillic С in `nDСG`) are
never replaced: `strangers` names them in the error, `looks_like` has what they look like, for the suggestion.
"""

from __future__ import annotations

import re
import unicodedata

from rankgauge._show import show
from rankgauge._text import Text

__all__ = ["DECIMAL_COMMA", "as_meant", "decimal_comma", "looks_like", "strangers"]

DECIMAL_COMMA = r"^\s*[+-]?\d*,\d+([eE][+-]?\d+)?\s*$"
"""A number as many countries write it, and Excel there."""

_SAME = ("<wide>", "<narrow>", "<noBreak>", "<font>")
"""Compatibility forms that differ in width or typeface only; NFKC would replace raised and lowered ones too."""
_SIGNS = str.maketrans({"≥": ">=", "⩾": ">=", "≤": "<=", "⩽": "<=", "−": "-", "‐": "-"})
_LIKE = str.maketrans(
    "АВЕЗІЈКМНОРСТУХЅԌԚԜаеіјкмнорсстухѕԁԛԝһɡΑΒΕΖΗΙΚΜΝΟΡΤΥΧνορτυχ",
    "ABE3IJKMHOPCTYXSGQWaeijkmhopcctyxsdqwhgABEZHIKMNOPTYXvoptux",
)
_MOST = 3


def as_meant(text: str) -> str:
    """The text in plain letters, digits and signs, where only width or typeface differ.

    >>> as_meant("ｎＤＣＧ＠１０＞＝０．４"), as_meant("R²")
    ('nDCG@10>=0.4', 'R²')
    """
    if text.isascii():
        return text
    plain = "".join(unicodedata.normalize("NFKC", c) if _is_form(c) else c for c in text)
    seen = "".join(c for c in plain if unicodedata.category(c) != "Cf")  # marks without width, pasted along
    return unicodedata.normalize("NFC", seen).translate(_SIGNS)


def _is_form(c: str) -> bool:
    return unicodedata.decomposition(c).startswith(_SAME)


def looks_like(text: str) -> str:
    """The Latin letters that a text looks like, for a suggestion; never to go on with."""
    return unicodedata.normalize("NFKC", as_meant(text)).translate(_LIKE)


def strangers(text: str) -> Text:
    """`"'С' is CYRILLIC CAPITAL LETTER ES, not a Latin letter."`, or nothing where nothing only looks like one."""
    odd = [c for c in dict.fromkeys(as_meant(text)) if not c.isascii() and looks_like(c).isascii()]
    if not odd:
        return Text("", "")
    named = [(show(c), unicodedata.name(c, "")) for c in odd[:_MOST]]
    more, are_letters = ", …" if len(odd) > _MOST else "", all(map(str.isalpha, odd))
    return Text(
        ", ".join(f"{c} is {name or 'without a name'}" for c, name in named)
        + f"{more}, not {'a Latin letter' if are_letters else 'a plain letter or digit'}.",
        "，".join(f"{c} 是 {name or '没有名称的字符'}" for c, name in named)
        + f"{more.replace(', ', '，')}，不是{'拉丁字母' if are_letters else '普通的字母或数字'}。",
    )


def decimal_comma(text: object) -> Text:
    """`" Is the comma a decimal point? Write 0.5."`, or nothing where the text is no such number.

    >>> str(decimal_comma("0,5")), str(decimal_comma("high"))
    (' Is the comma a decimal point? Write 0.5.', '')
    """
    if not isinstance(text, str) or re.match(DECIMAL_COMMA, text) is None:
        return Text("", "")
    written = text.strip().replace(",", ".")
    return Text(f" Is the comma a decimal point? Write {written}.", f"逗号是小数点吗？请写成 {written}。")
