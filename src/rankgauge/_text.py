"""One text in two languages.

A `Text` is its English words, so that everything that joins, stores or compares strings goes on as with any other; the
Chinese ones travel with it. Who shows it (`print`, `str`, an f-string, a list in a notebook) sees the language that is
spoken; inside rankgauge the same lines have the English words, since they make the English half of a sentence. What is
composed of texts is composed once per language:

>>> n = 3
>>> Text(f"{n} queries left out", f"略去 {n} 个查询").of("zh")
'略去 3 个查询'
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Self, TypeVar

from rankgauge._language import LANGUAGES, get_language, language_of
from rankgauge._show import show

__all__ = [
    "LANGUAGES",
    "Text",
    "as_spoken",
    "check_language",
    "composed",
    "in_language",
    "in_words",
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
    if isinstance(language, str) and (meant := language_of(language)) is not None:
        return meant
    from rankgauge.errors import ParameterError  # errors are made of texts

    known = ", ".join(LANGUAGES)
    raise ParameterError(
        Text(
            f"`language` must be one of {known}, got {show(language)}.",
            f"`language` 必须是 {known} 之一，实际为 {show(language)}。",
        )
    )


class Text(str):
    """The same words in English and Chinese.

    What it looks like (`str`, `format`, `repr`) is the language that is spoken (`rg.set_language`). What it holds as a
    string, for equality, hashes, `join`, files and JSON, are the English words, unless it was handed out `as_spoken`.
    """

    __slots__ = ("en", "held", "is_only", "zh")
    en: str
    zh: str
    held: str
    """The language that it is as a string."""
    is_only: bool
    """Whether it is shown in that language whatever is spoken."""

    def __new__(cls, en: str, zh: str) -> Self:
        self = super().__new__(cls, in_language(en, "en"))
        self.en, self.zh = str.__str__(self), str(in_language(zh, "zh"))
        self.held, self.is_only = LANGUAGES[0], False
        return self

    def __getnewargs__(self) -> tuple[Any, ...]:
        return self.en, self.zh

    def __reduce__(self) -> tuple[Any, ...]:
        return _held, (type(self), self.held, self.is_only, *self.__getnewargs__())

    def __str__(self) -> str:
        return self._words(_is_inside())

    def __format__(self, spec: str) -> str:
        return str.__format__(self._words(_is_inside()), spec)

    def __repr__(self) -> str:
        return repr(self._words(_is_inside()))

    def _words(self, is_inside: bool) -> str:
        if self.is_only:
            return str.__str__(self)
        return self.en if is_inside else self.of(get_language())

    def __add__(self, other: str) -> Text:
        """What follows, in each language."""
        return self.saying(self.en + in_language(other, "en"), self.zh + in_language(other, "zh"))

    def __radd__(self, other: str) -> Text:
        return self.saying(other + self.en, other + self.zh)

    def of(self, language: str) -> str:
        """The words in one language.

        >>> Text(en="good", zh="良").of("zh")
        '良'
        """
        return self.zh if check_language(language) == "zh" else self.en

    def speaking(self, language: str) -> Self:
        """The same, which as a string is this language, whatever is set.

        >>> Text(en="good", zh="良").speaking("zh") == "良"
        True
        """
        return _held(type(self), language, True, *self.__getnewargs__())

    def saying(self, en: str, zh: str, *carried: Any) -> Self:
        """Other words for the same thing: what else a text carries stays with it, unless it is given."""
        more = carried or self.__getnewargs__()[2:]
        return _held(type(self), self.held, self.is_only, en, zh, *more)


T = TypeVar("T", bound=Text)


def _held(cls: type[T], language: str, is_only: bool, *args: Any) -> T:
    """A text of this class, made of these arguments, that as a string is one language."""
    self = both = cls(*args)
    if language != both.held:
        self = str.__new__(cls, both.of(language))
        for name in (slot for base in cls.__mro__ for slot in getattr(base, "__slots__", ())):
            setattr(self, name, getattr(both, name))
    self.held, self.is_only = check_language(language), is_only
    return self


S = TypeVar("S", bound=str)


def as_spoken(text: S) -> S:
    """A text as it is handed out: as a string it is the language that is spoken now; others are what they are.

    Who joins, writes or compares it has that language, too. Keys and words that programs ask for stay English.
    """
    if not isinstance(text, Text) or text.is_only or text.held == get_language():
        return text
    return _held(type(text), get_language(), False, *text.__getnewargs__())


def _is_inside() -> bool:
    """Whether who asks for the words of a text is a line of rankgauge, which composes; others show it.

    Frames are looked at because an f-string says nothing else of where it stands: see decision 7.
    """
    name = sys._getframe(2).f_globals.get("__name__", "")
    return isinstance(name, str) and name.partition(".")[0] == "rankgauge"


def in_language(text: str, language: str | None = None) -> str:
    """The words of a text in a language, unless said the one that is spoken; what is no `Text` is the same in all."""
    if not isinstance(text, Text):
        return text
    return str.__str__(text) if language is None and text.is_only else text.of(language or get_language())


def in_words(rows: Iterable[Mapping[str, Any]], language: str | None = None) -> list[dict[str, Any]]:
    """Rows of a table for people: cells that are texts are plain strings in a language, unless said the one spoken.

    >>> in_words([{"n": 3, "rating": Text("good", "良")}], "zh")
    [{'n': 3, 'rating': '良'}]
    """
    return [{k: in_language(v, language) if isinstance(v, Text) else v for k, v in row.items()} for row in rows]


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


def spoken(text: str, language: str | None) -> str:
    """A text that as a string speaks this language; for None `as_spoken`; what is no `Text` is the same in all."""
    if language is None:
        return as_spoken(text)
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
