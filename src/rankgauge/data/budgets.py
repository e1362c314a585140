"""How much context may be read: a budget of tokens or characters, and what each text takes of it.

    Budget.of("2000t")      2,000 tokens
    Budget.of("4000c")      4,000 characters of Python strings

What a token is, a tokenizer says: a function of a text that gives their number or the tokens themselves, or an object
with `encode`, as encodings of tiktoken, tokenizers and transformers have it. Without one, words are counted that stand
in for tokens (`words_in`): nothing has to be installed, and Chinese costs what it holds.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, NamedTuple, Self

import numpy as np

from rankgauge._show import show
from rankgauge._text import Text
from rankgauge._typing import Array
from rankgauge._words import as_meant
from rankgauge.errors import InputError, ParameterError, RankgaugeError

if TYPE_CHECKING:
    from rankgauge.data.document_texts import Told

__all__ = ["Budget", "Prices", "TextsById", "counter_of", "told_of", "words_in"]

MOST = 1_000_000_000
"""The largest budget; without one the whole list is read."""
_SHAPE = re.compile(r"(?P<limit>[1-9]\d{0,9})\s*(?P<unit>t|tokens?|c|chars?|characters?|词元|字符)", re.ASCII)
_UNITS = {"t": "t", "c": "c", "词": "t", "字": "c"}


class Budget(NamedTuple):
    """So many tokens (`t`) or characters (`c`).

    >>> Budget.of("2000 tokens"), str(Budget.of("4000c"))
    (Budget(limit=2000, unit='t'), '4000c')
    """

    limit: int
    unit: str

    @classmethod
    def of(cls, value: Any) -> Self:
        """The budget that a text says; ValueError with what it must be where it says none."""
        if isinstance(value, cls):
            return value
        found = _SHAPE.fullmatch(as_meant(value).strip().casefold()) if isinstance(value, str) else None
        if found is None or int(found["limit"]) > MOST:
            raise ValueError(
                Text(
                    f"must be a number of tokens such as 2000t, or of characters such as 4000c, up to {MOST:,}",
                    f"必须是词元数（如 2000t）或字符数（如 4000c），不超过 {MOST:,}",
                )
            )
        return cls(int(found["limit"]), _UNITS[found["unit"][0]])

    def __str__(self) -> str:
        return f"{self.limit}{self.unit}"


# what a token is


class _Kinds(dict[int, str]):
    """What each character is to a count of words; looked up once."""

    def __missing__(self, code: int) -> str:
        category = unicodedata.category(chr(code))
        if any(low <= code <= high for low, high in _ALONE):
            kind = "1"
        elif category[0] in "LNM":
            kind = "w"
        else:
            kind = "1" if category[0] in "PS" else " "
        self[code] = kind
        return kind


_ALONE = (
    (0x3005, 0x3007),  # 々〆〇
    (0x3041, 0x3096),  # kana
    (0x309D, 0x309F),
    (0x30A1, 0x30FA),
    (0x30FC, 0x312F),  # with ー, and bopomofo
    (0x31A0, 0x31BF),
    (0x31F0, 0x31FF),
    (0x3400, 0x4DBF),  # han
    (0x4E00, 0x9FFF),
    (0xAC00, 0xD7A3),  # hangul
    (0xF900, 0xFAFF),
    (0xFF66, 0xFF9D),
    (0x1AFF0, 0x1B16F),  # kana of old
    (0x20000, 0x3FFFF),
)
"""Characters that are words of their own: those of Chinese, Japanese and Korean."""
_KINDS = _Kinds()
_RUNS = re.compile("w+")


def words_in(text: str) -> int:
    """Words and signs: each Chinese, Japanese or Korean character, each run of other letters and digits, and each
    other sign is one; blanks are none.

    >>> words_in("RAG 检索增强, in 2024!"), words_in("naïve co-op")
    (9, 4)
    """
    kinds = text.translate(_KINDS)
    return kinds.count("1") + sum(1 for _ in _RUNS.finditer(kinds))


def counter_of(tokenizer: Any) -> Callable[[str], int]:
    """A function that counts the tokens of a text.

    >>> counter_of(str.split)("three short words"), counter_of(len)("abcd"), counter_of(None)("三个字")
    (3, 4, 3)
    """
    if tokenizer is None:
        return words_in
    encode = getattr(tokenizer, "encode_ordinary", None) or getattr(tokenizer, "encode", None)
    if isinstance(tokenizer, (str, bytes)):
        encode = None
    if callable(encode) and not isinstance(tokenizer, type):
        plain = {"add_special_tokens": False} if _takes(encode, "add_special_tokens") else {}
        return lambda text: _number(_asked(partial(encode, **plain), text, tokenizer), tokenizer)
    if not callable(tokenizer):
        raise ParameterError(
            Text(
                "`tokenizer` must be a function of a text that gives the number of its tokens or the tokens, or have "
                f"such a method `encode`, got {show(tokenizer)}.",
                "`tokenizer` 必须是函数（由文本得到词元数或词元列表），或有这样的 `encode` 方法，"
                f"实际为 {show(tokenizer)}。",
            )
        )
    return lambda text: _number(_asked(tokenizer, text, tokenizer), tokenizer)


def _asked(count: Callable[[str], Any], text: str, tokenizer: Any) -> Any:
    """What a tokenizer says of a text; what it raises is told with its name."""
    try:
        return count(text)
    except RankgaugeError:
        raise
    except Exception as e:
        name = getattr(tokenizer, "__name__", type(tokenizer).__name__)
        raised = f"{type(e).__name__}: {e}" if str(e) else type(e).__name__
        raise InputError(
            Text(
                f"`tokenizer` {show(name)} must count the tokens of every text, and raised {raised} for "
                f"{show(text[:60])}. Mend it, or leave it out to count words and signs.",
                f"`tokenizer` {show(name)} 必须能对每段文本计数，而对 {show(text[:60])} 抛出了 {raised}。"
                "请修正，或去掉它（按词和符号计数）。",
            )
        ) from e


def _takes(function: Any, name: str) -> bool:
    import inspect

    try:
        return name in inspect.signature(function).parameters
    except (TypeError, ValueError):  # of C, without a signature
        return False


def _number(given: Any, tokenizer: Any) -> int:
    """How many tokens an answer of a tokenizer is."""
    if isinstance(given, (int, np.integer)) and given is not True and given is not False and 0 <= given <= MOST:
        return int(given)
    found = given.get("input_ids") if isinstance(given, Mapping) else getattr(given, "ids", given)
    if isinstance(found, np.ndarray) and found.ndim == 1 and found.dtype.kind in "iuUO":
        return len(found)
    if isinstance(found, Iterable) and not isinstance(found, (str, bytes, np.ndarray, Mapping)):
        tokens = list(found)
        if all(isinstance(token, (str, bytes, int, np.integer)) for token in tokens):
            return len(tokens)
    raise ParameterError(
        Text(
            f"`tokenizer` must give a whole number from 0 to {MOST:,}, or a list of tokens, got {show(given)} of "
            f"{show(tokenizer)}.",
            f"`tokenizer` 必须给出 0 到 {MOST:,} 的整数或词元列表，实际 {show(tokenizer)} 给出 {show(given)}。",
        )
    )


def told_of(tokenizer: Any) -> Text:
    """What the tokens of budgets are, for a reader of the numbers."""
    if tokenizer is None:
        return Text(
            "a token is a word or a sign, each Chinese, Japanese or Korean character one: `tokenizer` can count others",
            "一个词元是一个词或一个符号，中日韩文字每字一个；`tokenizer` 可换成其他计数",
        )
    name = getattr(tokenizer, "name", None) or getattr(tokenizer, "__qualname__", None)
    told = name if isinstance(name, str) and name.strip() else type(tokenizer).__name__
    return Text(f"tokens are those of {show(told)}", f"词元由 {show(told)} 计数")


# what texts cost


@dataclass(eq=False)
class Prices:
    """What each of some texts costs, in characters and in tokens; tokens are counted when they are first asked for."""

    lengths: Array
    """Characters of each text."""
    texts: Callable[[], Sequence[str]] | None = None
    """The texts; None where only their lengths are known."""
    tokenizer: Any = None

    def of(self, unit: str) -> Array:
        """The price of each text in a unit of a budget."""
        return self.lengths if unit == "c" else self._tokens

    @property
    def told(self) -> Text:
        """What tokens are, for a reader of the numbers."""
        return told_of(self.tokenizer)

    @cached_property
    def _tokens(self) -> Array:
        if self.texts is None:
            raise ParameterError(
                Text(
                    "tokens are counted in the texts of results, and these are not known. Pass documents=….",
                    "词元要在结果的文本中计数，而这里没有文本。请传入 documents=…。",
                )
            )
        return np.fromiter(map(counter_of(self.tokenizer), self.texts()), np.int64, len(self.lengths))


class TextsById:
    """Texts of documents by id, of which only those are read that are asked for."""

    def __init__(self, source: Any) -> None:
        self.source = source
        self._known: dict[str, str] = {}
        self._told: Told | None = None

    @classmethod
    def among(cls, source: Any) -> Self:
        """Texts of whatever holds them; those that are here already stay."""
        return source if isinstance(source, cls) else cls(source)

    @property
    def notes(self) -> tuple[str, ...]:
        """What there is to say of the texts that were read."""
        return () if self._told is None else self._told.notes

    def of(self, ids: Sequence[str]) -> list[str]:
        """The text of each id; an error names those that have none."""
        from rankgauge.data.document_texts import Told, read_texts

        self._told = self._told or Told()
        new = [x for x in ids if x not in self._known]
        self._known |= {x: item.text for x, item in read_texts(self.source, new, told=self._told).items()}
        if lacking := [x for x in ids if x not in self._known]:
            n, some = len(lacking), ", ".join(map(show, lacking[:3]))
            more = "…" if n > 3 else ""
            raise InputError(
                Text(
                    f"documents: must hold the text of every result, and {n:,} of {len(ids):,} are not there ({some}"
                    f"{more}). A budget cannot be told without them.",
                    f"documents：必须有每条结果的文本，而 {len(ids):,} 条中有 {n:,} 条没有（{some}{more}）。"
                    "没有文本就无法按预算截断。",
                )
            )
        return [self._known[x] for x in ids]
