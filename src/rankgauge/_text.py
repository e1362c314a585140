"""One text in two languages.

A `Text` is its English words, so that everything that joins, stores or compares strings goes on as with any other; the
Chinese ones travel with it to whoever draws it in Chinese. What is composed of texts is composed once per language:

>>> n = 3
>>> Text(f"{n} queries left out", f"略去 {n} 个查询").of("zh")
'略去 3 个查询'
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from rankgauge._language import LANGUAGES, get_language
from rankgauge._show import show

__all__ = [
    "LANGUAGES",
    "Text",
    "check_language",
    "composed",
    "in_language",
    "joined",
    "mapped",
    "spaced",
    "spoken",
    "zh",
]


def check_language(language: str | None) -> str:
    """The language, if there is one of that name; for None the one that is spoken."""
    if language is None:
        return get_language()
    if language in LANGUAGES:
        return language
    from rankgauge.errors import ParameterError  # errors are made of texts

    known = ", ".join(LANGUAGES)
    raise ParameterError(
        Text(
            f"`language` must be one of {known}, got {show(language)}.",
            f"`language` 必须是 {known} 之一，实际为 {show(language)}。",
        )
    )


class Text(str):
    """The same words in English and Chinese; as a string, the English ones."""

    __slots__ = ("zh",)
    zh: str

    def __new__(cls, en: str, zh: str) -> Text:
        self = super().__new__(cls, en)
        self.zh = str(zh)
        return self

    def __getnewargs__(self) -> tuple[str, str]:  # type: ignore[override]
        return self.en, self.zh

    def __add__(self, other: str) -> Text:
        """What follows, in each language."""
        return self.saying(self.en + in_language(other, "en"), self.zh + in_language(other, "zh"))

    def __radd__(self, other: str) -> Text:
        return self.saying(other + self.en, other + self.zh)

    @property
    def en(self) -> str:
        return str.__str__(self)

    def of(self, language: str) -> str:
        """The words in one language.

        >>> Text(en="good", zh="良").of("zh")
        '良'
        """
        check_language(language)
        return self.zh if language == "zh" else self.en

    def speaking(self, language: str) -> Text:
        """The same, which as a string speaks this language.

        >>> str(Text(en="good", zh="良").speaking("zh"))
        '良'
        """
        words = self.of(language)
        return self if words == self.en else self.saying(words, words)

    def saying(self, en: str, zh: str) -> Text:
        """Other words for the same thing: what else a text carries stays with it."""
        return Text(en, zh)


def in_language(text: str, language: str | None = None) -> str:
    """The words of a text in a language, unless said the one that is spoken; what is no `Text` is the same in all."""
    return text.of(language or get_language()) if isinstance(text, Text) else text


def zh(text: str) -> str:
    """The Chinese words of what stands in a Chinese sentence; what is no `Text` is the same in all languages.

    >>> where = Text("line 3", "第 3 行")
    >>> Text(f"{where}: no id", f"{zh(where)}：没有 id").of("zh")
    '第 3 行：没有 id'
    """
    return text.zh if isinstance(text, Text) else text


def spaced(*parts: str) -> str:
    """Parts of a Chinese sentence, with a blank where Chinese meets something else.

    >>> spaced("得分", "必须为", "0"), spaced("score", "必须为", "空值")
    ('得分必须为 0', 'score 必须为空值')
    """
    out, *more = filter(None, parts)
    for part in more:
        sides = out[-1], part[0]
        is_one = all(map(_is_chinese, sides)) or any(c in _MARKS for c in sides)
        out += part if is_one else f" {part}"
    return out


_MARKS = frozenset("，。；：、？！（）“” ")


def _is_chinese(c: str) -> bool:
    return "\u4e00" <= c <= "\u9fff"


def spoken(text: str, language: str) -> str:
    """A text that as a string speaks this language; what is no `Text` is the same in all of them."""
    return text.speaking(language) if isinstance(text, Text) else text


def composed(en: str, zh: str, *values: Any) -> Text:
    """The same sentence in both languages around the same values; a value that is a text is said in its language.

    >>> composed("{} is {}", "{} 为{}", "nDCG", Text("good", "良")).of("zh")
    'nDCG 为良'
    """
    said = ([in_language(v, lang) if isinstance(v, str) else v for v in values] for lang in LANGUAGES)
    return Text(*(words.format(*v) for words, v in zip((en, zh), said, strict=True)))


def joined(separator: str, texts: Iterable[str]) -> str:
    """`separator.join(texts)` in each language.

    >>> joined(", ", [Text("one", "一"), "2"]).of("zh")
    '一, 2'
    """
    parts = list(texts)
    if not isinstance(separator, Text) and not any(isinstance(t, Text) for t in parts):
        return separator.join(parts)
    return Text(*(in_language(separator, lang).join(in_language(t, lang) for t in parts) for lang in LANGUAGES))


def mapped(change: Callable[[str], str], text: str) -> str:
    """The change made to the words of each language."""
    return text.saying(change(text.en), change(text.zh)) if isinstance(text, Text) else change(text)
