"""Advice of the library, said to the command line: what a message tells to pass becomes options.

    Pass missing='zero' or missing='skip'.   →   Pass --missing zero or --missing skip.
    Pass columns={"stars": "grade"}.         →   Pass --columns stars=grade.
    `columns` names 'dokno', found …         →   --columns names 'dokno', found …
    请传入 missing='zero' 或 missing='skip'。  →   请传入 --missing zero 或 --missing skip。

Advice that this command has no option for is left out: of several alternatives the others stay, and a sentence
without any goes. Values that a user gave are in quotes and stay as they are. Only errors are taken apart so, and the
patterns that it takes are not waited for by commands that work.

How advice is worded differs by language (`_ENGLISH`, `_CHINESE`): English passes an argument, Chinese 传入 one
(or 省略, 去掉, 指定 it), and says 或 between alternatives.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rankgauge._text import Text
from rankgauge.cli.wording import NAMED, keyword_as_option, long_name, option_names, option_of

if TYPE_CHECKING:
    import click

__all__ = ["in_options"]

_FIRST = 0xE000  # characters of private use stand for what was found, while sentences are taken apart
_MARKS = "\ue000-\uf8ff"
_MARK = re.compile(f"[{_MARKS}]")
_PYTHON = re.compile(
    r"\bpl\.|\bread_log\(|\bNumPy\b|\bdict\b|\b[Dd]ata[Ff]rame|\blazy frame|^\{|字典|惰性", re.ASCII
)  # nothing that can be typed in a shell


@dataclass(frozen=True)
class _Grammar:
    """How a language advises an argument."""

    sentence: re.Pattern[str]
    """Between two sentences, or parts that stand or go by themselves."""
    stops: str
    """What ends one."""
    advice: re.Pattern[str]
    """Whether a sentence advises anything."""
    alternative: re.Pattern[str]
    """Between two ways to do it; what is found is in a group."""
    verb: re.Pattern[str]
    """The passing of an argument, at the beginning of a way to do it."""
    passing: str
    """That verb."""
    between: str
    """What stands between two ways that are left."""
    callee: re.Pattern[str]
    """The call that an argument is for."""
    nothing: re.Pattern[str]
    """`or None`: nobody types None, an option is left out."""
    stop: str
    """How a message ends whose last part is gone."""


_ENGLISH = _Grammar(
    sentence=re.compile(r"(?<=[.;:])(?=\s)"),
    stops=".;:",
    advice=re.compile(r"\b[Pp]ass\b|\b[Ll]eave\b|\bSay which\b"),
    alternative=re.compile(f"(,? or (?!more|less)|, (?=pass )|, (?=[{_MARKS}]))"),
    verb=re.compile(r"(?:[Oo]r )?[Pp]ass "),
    passing="pass ",
    between=" or ",
    callee=re.compile(r" to (?:read_log|\w+\(\))(?=[.,; ]|$)"),
    nothing=re.compile(r" or None(?=, got )"),
    stop=".",
)
_CHINESE = _Grammar(
    sentence=re.compile(r"(?<=[。；：！？])|(?<=[.;:])(?=\s)"),
    stops="。；：.;:",
    advice=re.compile("传入|省略|去掉|指定|改用"),
    alternative=re.compile(f"(，?\\s*(?:或者|或)\\s*(?!更|以上|以下|多个)|，\\s*(?=请?传入)|[，、]\\s*(?=[{_MARKS}]))"),
    verb=re.compile(r"(?:或者?)?(?:也可(?:以)?)?请?传入\s*"),
    passing="请传入 ",
    between=" 或 ",
    callee=re.compile(r"(?:向|给|为|在)\s*(?:read_log|\w+\(\))\s*(?:中)?\s*(?=传入)", re.ASCII),
    nothing=re.compile(r"\s*或 None(?=，实际)"),
    stop="。",
)

_OF_FILES = ("gate file", "standards file")  # messages about keys of a file, which are written there as they are said
_COMMANDS = {
    "evaluate_predictions": "rankgauge predictions",
    "choose_threshold": "rankgauge predictions --threshold",
    "audit": "rankgauge audit",
    **{name: f"rankgauge {name}" for name in ("evaluate", "compare", "diagnose", "funnel", "calibrate", "explain")},
}
_CALL = re.compile(r"(?:\b(?:rg|run)\.)?\b(" + "|".join(_COMMANDS) + r")\([^()]*\)", re.ASCII)

_ASKED = re.compile(r"^choose_threshold[:：]\s*(?=--)", re.ASCII)  # the option that follows says who speaks


def in_options(text: str, command: click.Command | None) -> str:
    """The message with the options of this command instead of arguments."""
    if command is None or not isinstance(text, Text):
        return text if command is None else _in_options(text, text, command, _ENGLISH)
    return text.saying(
        _in_options(text.en, text.en, command, _ENGLISH), _in_options(text.zh, text.en, command, _CHINESE)
    )


def _in_options(text: str, english: str, command: click.Command, grammar: _Grammar) -> str:
    """The words of one language; what they are about is told by the English ones."""
    if _MARK.search(text):
        return text
    text = grammar.nothing.sub("", text)
    options = option_names(command)
    found: list[re.Match[str]] = []

    def mark(m: re.Match[str]) -> str:
        found.append(m)
        return chr(_FIRST + len(found) - 1)

    marked = NAMED.sub(mark, text)  # messages are too short to hold more than there are marks
    of_measure, of_file = _parameters(english), english.startswith(_OF_FILES)

    def said(mark: str) -> str | None:
        """The words for a mark; None where there is no such option."""
        m = found[ord(mark) - _FIRST]
        if m["name"] in of_measure or m["tick"] in of_measure:
            return m[0]
        if m["keyword"]:
            return keyword_as_option(m["name"], m["value"], options)
        if m["tick"] and not of_file and (option := option_of(m["tick"], options)) is not None:
            return long_name(option)
        return m[0]

    def restored(part: str) -> str:
        return _MARK.sub(lambda m: said(m[0]) or found[ord(m[0]) - _FIRST][0], part)

    joined, is_gone = "", False
    for sentence in grammar.sentence.split(marked):
        s = _sentence(sentence, said, restored, grammar)
        if is_gone and joined.endswith("."):  # what followed a sentence that is gone begins one of its own
            at = len(s) - len(s.lstrip())
            s = s[:at] + s[at : at + 1].upper() + s[at + 1 :]
        joined += s
        is_gone = not s.strip() and bool(sentence.strip())
    joined = _ASKED.sub("", joined.strip())
    joined = _CALL.sub(lambda m: m[1] if m[1] == command.name else f"`{_COMMANDS[m[1]]}`", joined)
    return joined[:-1] + grammar.stop if joined.endswith(tuple(":;,：；，")) else joined


def _sentence(marked: str, said: Callable[[str], str | None], restored: Callable[[str], str], grammar: _Grammar) -> str:
    """One sentence; nothing where it advises only what cannot be done."""
    if not grammar.advice.search(marked):
        return restored(marked)

    def can_be_typed(part: str) -> bool:
        return all(said(m) is not None for m in _MARK.findall(part)) and not _PYTHON.search(part)

    if can_be_typed(marked):
        return _without_callee(marked, said, restored, grammar)
    lead, end = marked[: len(marked) - len(marked.lstrip())], marked[len(marked.rstrip(grammar.stops)) :]
    parts = grammar.alternative.split(marked.strip().rstrip(grammar.stops))
    kept: list[tuple[bool, str]] = []
    passing = False
    for part in parts[::2]:
        verb = grammar.verb.match(part)
        passing = passing or verb is not None
        body = part[verb.end() :] if verb else part
        if can_be_typed(body):
            kept.append((passing, restored(body)))
    if not kept:
        return ""
    words: list[str] = []
    for i, (is_passed, body) in enumerate(kept):
        verb_needed = is_passed and not any(p for p, _ in kept[:i])
        words.append(f"{grammar.passing}{body}" if verb_needed else body)
    sentence = grammar.between.join(words)
    return lead + sentence[:1].upper() + sentence[1:] + end


def _without_callee(
    marked: str, said: Callable[[str], str | None], restored: Callable[[str], str], grammar: _Grammar
) -> str:
    """`Pass slices=… to evaluate().` is for whoever typed another call; here it is the same command."""
    keywords = any((said(m) or "").startswith("--") for m in _MARK.findall(marked))
    return restored(grammar.callee.sub("", marked) if keywords else marked)


def _parameters(text: str) -> Mapping[str, Any]:
    """Those of the measure that a message is about: the `rel` of P(rel=2)@10 is no option."""
    head = text.partition(":")[0]
    if not head.isidentifier():
        return {}
    from rankgauge.measures.base import RANKINGS
    from rankgauge.measures.classes import CLASSES
    from rankgauge.measures.predictions import PREDICTIONS
    from rankgauge.measures.shown import SHOWN
    from rankgauge.measures.spans import SPANS

    measures = (kind.measures.get(head) for kind in (RANKINGS, SHOWN, SPANS, PREDICTIONS, CLASSES))
    return {name: p for m in measures if m is not None for name, p in m.params.items()}
