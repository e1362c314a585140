"""Everything rankgauge raises on purpose.

    RankgaugeError                   catch this to catch them all
    ├── InputError      (ValueError)   data that cannot be read or trusted; lists every problem found
    ├── ParameterError  (ValueError)   an argument outside its range, a policy word that does not exist
    ├── UnknownName     (KeyError)     a measure, column, query or convention nobody has heard of
    └── MissingExtra    (ImportError)  an optional package that is not installed

    RankgaugeWarning    (UserWarning)  the answer stands, but read this before you rely on it

One shape for every message: what — must be — got — where — try. Values are shown by `rankgauge._show`, which keeps
them short. A message is there in both languages, and `str(error)` has the one that is spoken (`rg.set_language`):

    raise ParameterError(
        Text(f"`k` must be a positive integer, got {show(k)}.", f"`k` 必须是正整数，实际为 {show(k)}。")
    )

Messages around other texts, such as what `suggest` says or `error.text`, are put together in both with `composed`,
`joined` or `+` (`rankgauge._text`); an f-string would have the English words only.
"""

from __future__ import annotations

import errno
from collections.abc import Iterable, Sequence
from typing import Any

from rankgauge._show import cut
from rankgauge._text import Text, composed, in_language, joined, mapped
from rankgauge._words import looks_like, strangers

__all__ = [
    "InputError",
    "MissingExtra",
    "ParameterError",
    "RankgaugeError",
    "RankgaugeWarning",
    "UnknownName",
    "among",
    "reason",
    "suggest",
]


LONGEST = 4000
"""Characters of a message; of a longer one the middle is left out."""


class _Spoken:
    """What is raised says its message in the language that is spoken when somebody reads it."""

    args: tuple[Any, ...]

    @property
    def text(self) -> str:
        """The message, in both languages where it is a `Text`."""
        message = self.args[0] if len(self.args) == 1 else self.args or ""
        return message if isinstance(message, str) else str(message)

    def __str__(self) -> str:
        return str(in_language(self.text))


class RankgaugeError(_Spoken, Exception):
    """Base of all errors raised by rankgauge."""

    def __init__(self, message: object = "", *more: object) -> None:
        super().__init__(mapped(_short, message) if isinstance(message, str) else message, *more)


def _short(message: str) -> str:
    return cut(message, LONGEST)


class InputError(RankgaugeError, ValueError):
    """Input that cannot be read or trusted.

    `problems` holds every problem found, one sentence each; the message shows the first
    and says how many more there are.
    """

    def __init__(self, message: str, problems: Sequence[str] = ()) -> None:
        super().__init__(message)
        self.problems = tuple(problems) or (message,)

    @classmethod
    def collect(cls, where: str, problems: Sequence[str], try_: str = "") -> InputError:
        """One error for many problems of one kind: the first in full, then a count."""
        more = len(problems) - 1
        parts: list[str] = [where, problems[0]]
        if more:
            parts += [Text(f" {more} more like it:", f"另有 {more} 处类似：")]
            parts += [part for p in problems[1:4] for part in ("\n  ", p)]
            if more > 3:
                parts.append(Text(f"\n  … and {more - 3} more.", f"\n  … 还有 {more - 3} 处。"))
        if try_:
            parts += ["\n" if more else Text(" ", ""), try_]
        return cls(joined("", parts), problems)


class ParameterError(RankgaugeError, ValueError):
    """An argument that is not one of the allowed values."""


class UnknownName(RankgaugeError, KeyError):
    """A name that is not known here, with the nearest ones that are."""


class MissingExtra(RankgaugeError, ImportError):
    """An optional package that is needed for what was asked."""


class RankgaugeWarning(_Spoken, UserWarning):
    """The numbers stand, but the input has something to look at."""


def suggest(word: str, known: Iterable[str], *, n: int = 1, rest: str = "") -> Text:
    """`" Did you mean X?"`, or nothing when nothing is near; letters that only look like Latin ones are named.

    `rest` is what stands behind the word, such as the cutoff behind the name of a measure.
    """
    import difflib

    word, by_fold = str(word), {str(k).casefold(): str(k) for k in known}
    script = set("".join(by_fold.values()))  # names of users may be in any
    foreign = any(not c.isascii() and c not in script for c in word)
    meant = looks_like(word) if foreign else word
    near = [by_fold[k] + rest for k in difflib.get_close_matches(meant.casefold(), list(by_fold), n=n, cutoff=0.6)]
    if not near:
        return Text("", "")
    hint = Text(f" Did you mean {' or '.join(near)}?", f"是否想输入 {' 或 '.join(near)}？")
    return composed(" {}{}", "{}{}", odd, hint) if foreign and (odd := strangers(word)) else hint


def among(word: object, known: Iterable[str]) -> Text:
    """What follows the name of something that is not there: `" Did you mean X? There are: X, Y."`.

    Known names may be texts; `word` is one of them with a mistake in it.
    """
    there = list(known)
    en, zh = (mark.join(in_language(name, lang) for name in there) for mark, lang in ((", ", "en"), ("、", "zh")))
    return suggest(str(word), there) + Text(f" There are: {en or 'none'}.", f"现有：{zh or '无'}。")


_REASONS = {
    errno.ENOENT: "没有这个文件或文件夹",
    errno.EACCES: "没有权限",
    errno.EPERM: "不允许这样操作",
    errno.EEXIST: "文件已存在",
    errno.EISDIR: "这是文件夹，不是文件",
    errno.ENOTDIR: "这不是文件夹",
    errno.ENOTEMPTY: "文件夹不是空的",
    errno.ENOSPC: "磁盘空间不足",
    errno.EDQUOT: "超出磁盘配额",
    errno.EROFS: "文件系统是只读的",
    errno.EMFILE: "打开的文件太多",
    errno.ENAMETOOLONG: "文件名太长",
    errno.ELOOP: "符号链接层数太多",
    errno.EIO: "读写出错",
    errno.EPIPE: "管道已关闭",
    errno.EINVAL: "参数无效",
    errno.ETIMEDOUT: "超时",
    errno.EBUSY: "文件正被占用",
}
"""What the system says of files, which it says in English."""


def reason(error: OSError) -> Text:
    """Why the system refused, in both languages as far as it is known."""
    said = error.strerror or str(error)
    if isinstance(said, Text):  # our own
        return said
    return Text(said, _REASONS.get(error.errno or 0, said))
