"""What Click says by itself, in Chinese.

Click asks `gettext` for its words, message by message, when it says them. A catalogue of gettext is chosen by the
locale of the process; ours is chosen by the language that is spoken, so this stands in the place of `gettext` in
Click's modules and hands on whatever it does not know.
"""

from __future__ import annotations

import io
import sys
from collections.abc import Callable
from gettext import gettext, ngettext
from typing import Any

from click.exceptions import ClickException, MissingParameter, NoSuchOption

from rankgauge._language import LANGUAGES, get_language
from rankgauge._text import Text

__all__ = ["HELP", "MESSAGES", "PLACES", "TYPES", "USAGE", "VERSION", "shown", "translate"]

HELP = Text("Show this message and exit.", "显示本帮助并退出。")
VERSION = Text("Show the version and exit.", "显示版本号并退出。")
USAGE = Text("", "用法：")
"""Where Click leaves the word to whoever draws the page."""
PLACES = {text.en: text for text in (Text("[OPTIONS]", "[选项]"), Text("COMMAND [ARGS]...", "命令 [参数]..."))}
TYPES = {
    text.en: text
    for text in (
        Text("TEXT", "文本"),
        Text("PATH", "路径"),
        Text("INTEGER", "整数"),
        Text("INTEGER RANGE", "整数"),
        Text("FLOAT", "数值"),
        Text("FLOAT RANGE", "数值"),
    )
}
"""What an option takes, as Click calls its types."""

MESSAGES = {
    text.en: text
    for text in (
        HELP,
        VERSION,
        Text("Usage:", "用法："),
        Text("Usage: ", "用法："),
        Text("Options", "选项"),
        Text("Commands", "命令"),
        Text("Arguments", "参数"),
        Text("Positional arguments", "位置参数"),
        Text("Aborted!", "已中止！"),
        Text("Error: {message}", "错误：{message}"),
        Text("Try '{command} {option}' for help.", "运行 '{command} {option}' 查看帮助。"),
        Text("Invalid value: {message}", "值无效：{message}"),
        Text("Invalid value for {param_hint}: {message}", "{param_hint} 的值无效：{message}"),
        Text("Missing argument", "缺少参数"),
        Text("Missing option", "缺少选项"),
        Text("Missing parameter", "缺少参数"),
        Text("Missing {param_type}", "缺少 {param_type}"),
        Text("Missing parameter: {param_name}", "缺少参数：{param_name}"),
        Text("Missing command.", "缺少命令。"),
        Text("No such option {name!r}.", "没有选项 {name!r}。"),
        Text("No such option: {name}", "没有选项 {name}。"),
        Text("No such command {name!r}.", "没有命令 {name!r}。"),
        Text("Did you mean {possibility}?", "是否想输入 {possibility}？"),
        Text("(Did you mean one of: {possibilities}?)", "是否想输入以下之一：{possibilities}？"),
        Text("(Possible options: {possibilities})", "（可能的选项：{possibilities}）"),
        Text("Got unexpected extra argument ({args})", "多出了参数（{args}）"),
        Text("Got unexpected extra arguments ({args})", "多出了参数（{args}）"),
        Text("Option {name!r} requires an argument.", "选项 {name!r} 需要一个值。"),
        Text("Option {name!r} requires {nargs} arguments.", "选项 {name!r} 需要 {nargs} 个值。"),
        Text("Option {name!r} does not take a value.", "选项 {name!r} 不接受值。"),
        Text("Argument {name!r} takes {nargs} values.", "参数 {name!r} 需要 {nargs} 个值。"),
        Text("Takes {nargs} values but 1 was given.", "需要 {nargs} 个值，只给了 1 个。"),
        Text("Takes {nargs} values but {len} were given.", "需要 {nargs} 个值，给了 {len} 个。"),
        Text("{value!r} is not {choice}.", "{value!r} 不是 {choice}。"),
        Text("{value!r} is not one of {choices}.", "{value!r} 不是 {choices} 之一。"),
        Text("Choose from:\n\t{choices}", "可选：\n\t{choices}"),
        Text("{value!r} is not a valid {number_type}.", "{value!r} 不是有效的数。"),
        Text("{value} is not in the range {range}.", "{value} 不在范围 {range} 内。"),
        Text("{name} {filename!r} does not exist.", "{name} {filename!r} 不存在。"),
        Text("{name} {filename!r} is a file.", "{name} {filename!r} 是文件。"),
        Text("{name} {filename!r} is a directory.", "{name} {filename!r} 是文件夹。"),
        Text("{name} {filename!r} is not readable.", "{name} {filename!r} 无法读取。"),
        Text("{name} {filename!r} is not writable.", "{name} {filename!r} 无法写入。"),
        Text("{name} {filename!r} is not executable.", "{name} {filename!r} 无法执行。"),
        Text("Could not open file {filename!r}: {message}", "无法打开文件 {filename!r}：{message}"),
        Text("unknown error", "未知错误"),
        Text("env var: {var}", "环境变量：{var}"),
        Text("default: {default}", "默认：{default}"),
        Text("required", "必填"),
        Text("(dynamic)", "（按情况而定）"),
    )
}
"""By their English words, which are the keys of gettext. Prompts and editors are left out: nobody meets them here."""

_RICH = {
    "OPTIONS_PANEL_TITLE": Text("Options", "选项"),
    "COMMANDS_PANEL_TITLE": Text("Commands", "命令"),
    "ARGUMENTS_PANEL_TITLE": Text("Arguments", "参数"),
    "ERRORS_PANEL_TITLE": Text("Error", "错误"),
    "DEFAULT_STRING": Text("[default: {}]", "[默认：{}]"),
    "ENVVAR_STRING": Text("[env var: {}]", "[环境变量：{}]"),
    "REQUIRED_LONG_STRING": Text("[required]", "[必填]"),
}


_CALLED_HERE = {
    "--floor": ("--min", "--minimum", "--at-least", "--require", "--assert", "--threshold"),
    "--ceiling": ("--max", "--maximum", "--at-most", "--limit"),
    "--measure": ("--metric", "--metrics", "--measures"),
    "--output": ("--out", "--save-to", "--to-file"),
    "--scenario": ("--task", "--use-case"),
    "--confidence": ("--ci", "--confidence-level"),
}
"""Options by what other tools call them; the letters have little in common, so Click would not find them."""


def shown(error: ClickException) -> str:
    """An error of Click with its usage, as it is said."""
    if isinstance(error, NoSuchOption) and error.ctx is not None:
        here = {name for option in error.ctx.command.params for name in option.opts}
        meant = [name for name, others in _CALLED_HERE.items() if error.option_name in others and name in here]
        if meant:
            setattr(error, "possibilities", meant)  # noqa: B010 - final to types; its maker keeps similar letters only
    said = io.StringIO()
    error.show(said)
    text = said.getvalue().rstrip("\n")
    if _is_english():
        return text
    if isinstance(error, MissingParameter):  # the only full stop that Click sets by itself
        text = text.replace("'.", "'。", 1)
    return text.replace("。 ", "。")  # Click puts a blank between sentences


def _one(message: str) -> str:
    return gettext(message) if _is_english() or message not in MESSAGES else MESSAGES[message].zh


def _many(one: str, several: str, n: int) -> str:
    message = one if n == 1 else several
    return ngettext(one, several, n) if _is_english() or message not in MESSAGES else MESSAGES[message].zh


def _is_english() -> bool:
    return get_language() == LANGUAGES[0]


_STANDS_FOR: dict[Callable[..., str], Callable[..., str]] = {gettext: _one, ngettext: _many}


def translate(click: Any) -> None:
    """Have Click ask here for its words; `click` is Click or rich-click, which has settings of its own."""
    for name in [n for n in sys.modules if n.partition(".")[0] in ("click", "rich_click")]:
        module = vars(sys.modules[name])
        for key in ("_", "gettext", "ngettext"):
            if (ours := _STANDS_FOR.get(module.get(key))) is not None:  # type: ignore[arg-type]
                module[key] = ours
    if not _is_english() and hasattr(click, "rich_click"):
        for key, text in _RICH.items():
            setattr(click.rich_click, key, text.zh.replace("[", r"\[") if "{" in text or "[" in text else text.zh)
