"""A tokenizer by its name, as it is typed.

    search:count            a function of a text, or an object with `encode`; looked for in this folder first
    path/tokenizer.json     a file of the package tokenizers, read from this disk
    cl100k_base             an encoding of tiktoken

Nothing is downloaded here: tiktoken takes its encodings from where it keeps them.
"""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import Any

from rankgauge._show import cut, show
from rankgauge._text import Text
from rankgauge.collection.named import object_named
from rankgauge.data.budgets import counter_of
from rankgauge.errors import InputError, MissingExtra

__all__ = ["tokenizer_named"]

_KIND = Text("tokenizer", "分词器")
_WORDS = 300  # characters of an error of somebody else's package that are shown


def tokenizer_named(word: str) -> Any:
    """What counts tokens: a function, or an object that encodes texts."""
    if word.casefold().endswith(".json"):
        found = _of_file(Path(word))
    elif ":" in word:
        found = object_named(word, _KIND)
    else:
        found = _encoding(word)
    counter_of(found)  # an error that says what it must be
    return found


def _of_file(path: Path) -> Any:
    if not path.is_file():
        raise InputError(
            Text(f"tokenizer {show(str(path))}: the file does not exist.", f"分词器 {show(str(path))}：文件不存在。")
        )
    package = _package("tokenizers", str(path))
    try:
        return package.Tokenizer.from_file(str(path))
    except Exception as e:
        raise InputError(
            Text(
                f"tokenizer {show(str(path))} could not be read: {cut(str(e), _WORDS)}.",
                f"分词器 {show(str(path))} 无法读取：{cut(str(e), _WORDS)}。",
            )
        ) from e


def _encoding(word: str) -> Any:
    package = _package("tiktoken", word)
    try:
        return package.get_encoding(word)
    except Exception as e:
        raise InputError(
            Text(
                f"tokenizer {show(word)}: tiktoken has no such encoding at hand ({cut(str(e), _WORDS)}). A function is "
                "named as module:callable, a file as tokenizer.json.",
                f"分词器 {show(word)}：tiktoken 没有这个编码（{cut(str(e), _WORDS)}）。函数写成 module:callable，"
                "文件写成 tokenizer.json。",
            )
        ) from e


def _package(name: str, word: str) -> Any:
    try:
        return import_module(name)
    except ImportError as e:
        raise MissingExtra(
            Text(
                f"tokenizer {show(word)} needs {name}, which is not installed. Install it with: pip install {name}. A "
                "function of your own is named as module:callable.",
                f"分词器 {show(word)} 需要 {name}，而它没有安装。请运行：pip install {name}。"
                "自己的函数写成 module:callable。",
            )
        ) from e
