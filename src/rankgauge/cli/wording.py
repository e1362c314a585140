"""What the library says to Python, said to the command line.

    Pass missing='zero' or missing='skip'.   →   Pass --missing zero or --missing skip.
    Pass columns={"stars": "grade"}.         →   Pass --columns stars=grade.
    `columns` names 'dokno', found …         →   --columns names 'dokno', found …
    请传入 missing='zero' 或 missing='skip'。  →   请传入 --missing zero 或 --missing skip。

Messages name arguments in two ways: `name=value` in what they advise, and the name in backticks. Both become options
of the command that was typed. Advice that this command has no option for is left out: of several alternatives the
others stay, and a sentence without any goes. Values that a user gave are in quotes and stay as they are. Notes beside
numbers (`in_note`) get options in the same way and lose nothing.

How advice is worded differs by language (`_ENGLISH`, `_CHINESE`): English passes an argument, Chinese 传入 one
(or 省略, 去掉, 指定 it), and says 或 between alternatives.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import click

from rankgauge._text import Text, mapped

if TYPE_CHECKING:
    from rankgauge.reporting.grid import Section

__all__ = ["in_note", "in_options", "option_names", "with_options"]

_END = r"[\s.,;:)，。；：）、]"
_VALUE = rf"""'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|\{{[^{{}}]*\}}|\[[^\[\]]*\]|…|True|-?\d+(?:\.\d+)?|(?={_END}|$)"""
_SCAN = re.compile(  # only ASCII letters make words: Chinese has none between words
    rf"(?P<keyword>(?<![\w.])(?<!\w\()(?P<name>[a-z][a-z_]*)=(?P<value>{_VALUE}))"
    r"|(?<!\w)(?P<quoted>'(?:[^'\\]|\\.)*'(?!\w)|\"(?:[^\"\\]|\\.)*\")"
    r"|`(?P<tick>[a-z][a-z_]*)`",
    re.ASCII,
)
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

_OTHER_NAMES = {"confidence_level": "confidence", "rng": "seed", "format": "source_format", "kind": "kinds"}
"""Arguments whose options are called otherwise."""
_OF_ROWS = {"scores": "models", "slices": "segments"}
"""Those of labels and scores (`reading_options`), where rankings have none of that name."""
_NOT_HERE = frozenset({"name"})
"""Arguments that share their name with an option that means something else."""
_OF_TEXTS = frozenset({"id", "title", "text"})  # roles in files of texts, which no option maps
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

    marked = _SCAN.sub(mark, text)  # messages are too short to hold more than there are marks
    of_measure, of_file = _parameters(english), english.startswith(_OF_FILES)

    def said(mark: str) -> str | None:
        """The words for a mark; None where there is no such option."""
        m = found[ord(mark) - _FIRST]
        if m["name"] in of_measure or m["tick"] in of_measure:
            return m[0]
        if m["keyword"]:
            return _keyword(m["name"], m["value"], options)
        if m["tick"] and not of_file and (option := _option(m["tick"], options)) is not None:
            return _long(option)
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


def in_note(text: str, command: click.Command) -> str:
    """A note with options for the arguments that it names; facts such as depth=10 stay."""
    if "`" not in text and "=" not in text:
        return text
    options = option_names(command)

    def said(m: re.Match[str]) -> str:
        if m["tick"] and (option := _option(m["tick"], options)) is not None:
            return _long(option)
        if m["keyword"] and m["value"][:1] in ("", "'", '"', "{", "["):
            return _keyword(m["name"], m["value"], options) or m[0]
        return m[0]

    return mapped(lambda words: _SCAN.sub(said, words), text)


def with_options(sections: Iterable[Section], command: click.Command) -> list[Section]:
    """Sections whose sentences name options."""

    def worded(texts: Sequence[str]) -> list[str]:
        return [in_note(text, command) for text in texts]

    out = []
    for s in sections:
        grid = s.grid and replace(
            s.grid, rows=[[replace(c, text=in_note(c.text, command)) for c in row] for row in s.grid.rows]
        )
        out.append(replace(s, grid=grid, notes=worded(s.notes), warnings=worded(s.warnings)))
    return out


def option_names(command: click.Command) -> dict[str, click.Option]:
    """The options of a command by the name of what they set, and by their own."""
    options = [p for p in command.params if isinstance(p, click.Option)]
    by_own = {_long(p).removeprefix("--").replace("-", "_"): p for p in options}
    return {**by_own, **{p.name: p for p in options if p.name and p.name != "form"}}


def _long(option: click.Option) -> str:
    return next((o for o in option.opts if o.startswith("--")), option.opts[0])


def _option(name: str, options: Mapping[str, click.Option]) -> click.Option | None:
    if name in _NOT_HERE:
        return None
    return options.get(_OTHER_NAMES.get(name, name)) or options.get(_OF_ROWS.get(name, ""))


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


def _keyword(name: str, written: str, options: Mapping[str, click.Option]) -> str | None:
    """`--missing zero` for missing='zero'; None where the command cannot say it."""
    value = _value(written)
    option = _option(name, options)
    if option is None:
        flag = options.get(str(value).replace("-", "_")) if isinstance(value, str) else None
        return _long(flag) if flag is not None and flag.is_flag else None
    long = _long(option)
    if value in ("", "…"):
        return long if value == "" or option.is_flag else f"{long} …"
    if option.is_flag:
        return long if value is True else None
    values: Sequence[Any] = [value]
    if isinstance(value, Mapping):
        if _OF_TEXTS & set(value.values()):
            return None
        values = [",".join(f"{k}={v}" for k, v in value.items())]
    elif isinstance(value, (list, tuple)):
        values = value
    if isinstance(option.type, click.Choice) and not all(v in option.type.choices for v in values):
        return None
    return " ".join(f"{long} {v if v == '…' else shlex.quote(str(v))}" for v in values)


def _value(written: str) -> Any:
    """The value that was written, as far as it can be read; the text itself for a sketch such as {…}."""
    if not written:
        return ""
    import ast  # read by every command that shows a table, needed by few

    try:
        return ast.literal_eval(written.replace(", …", ""))
    except (ValueError, SyntaxError):
        return "…"


def _parameters(text: str) -> Mapping[str, Any]:
    """Those of the measure that a message is about: the `rel` of P(rel=2)@10 is no option."""
    head = text.partition(":")[0]
    if not head.isidentifier():
        return {}
    from rankgauge.measures.base import RANKINGS
    from rankgauge.measures.classes import CLASSES
    from rankgauge.measures.predictions import PREDICTIONS

    measures = (kind.measures.get(head) for kind in (RANKINGS, PREDICTIONS, CLASSES))
    return {name: p for m in measures if m is not None for name, p in m.params.items()}
