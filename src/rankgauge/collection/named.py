"""A retriever by its name, as it is typed: `app.search:retriever`, `search.py:find`.

What the name stands for may be a retriever (a function `query → results`, or an object of the packages that are known),
or what makes one: a function without parameters, or a class that needs none.
"""

from __future__ import annotations

import inspect
import os
import sys
from collections.abc import Callable
from importlib import import_module
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Any

from rankgauge._show import cut, show
from rankgauge._text import Text, zh
from rankgauge.errors import InputError, ParameterError, suggest
from rankgauge.integrations.retrievers import recognised

__all__ = ["RETRIEVER", "file_of", "object_named", "retriever_named"]

RETRIEVER = Text("retriever", "检索器")
_NOT_LOADED = Text("could not be loaded", "无法加载")
_MARK = "__rankgauge_file__"
_WORDS = 300  # characters of an error of somebody's module that are shown


def retriever_named(word: str) -> Any:
    """The retriever that `module:object` stands for; a module may be a file, and is looked for in this folder first."""
    found = object_named(word, RETRIEVER)
    if _makes_one(found):
        found = _run(found, word, Text("could not be made", "无法创建"), RETRIEVER)
    if recognised(found) is None:
        raise InputError(
            Text(
                f"retriever {show(word)} must be a function query → results, an object that can be asked, or a "
                f"function without parameters that makes one; got {_said(found)}. Wrap it: def find(query): …",
                f"检索器 {show(word)} 必须是函数（query → 结果）、可以询问的对象，或不带参数、返回这样对象的函数；"
                f"实际为 {zh(_said(found))}。请包一层：def find(query): …",
            )
        )
    return found


def object_named(word: str, kind: Text) -> Any:
    """What `module:object` stands for; `kind` says in errors what it should be."""
    module, colon, path = word.rpartition(":")
    if not colon or not module or not path:
        raise ParameterError(
            Text(
                f"a {kind} must be named as module:object, got {show(word)}. Try search:find for find in search.py.",
                f"{kind.zh}必须写成 module:object 的形式，实际为 {show(word)}。"
                "例如 search.py 中的 find 写成 search:find。",
            )
        )
    found: Any = _module(module, word, kind)
    for name in path.split("."):
        if not hasattr(found, name):
            there = [n for n in dir(found) if not n.startswith("_")]
            raise InputError(
                Text(
                    f"{kind} {show(word)}: {show(module)} has no {show(name)}.{suggest(name, there)}",
                    f"{kind.zh} {show(word)}：{show(module)} 中没有 {show(name)}。{zh(suggest(name, there))}",
                )
            )
        found = getattr(found, name)
    return found


def file_of(word: str) -> list[Path]:
    """The file of the module that `module:object` names; nothing for what is built in."""
    file = getattr(_module(word.rpartition(":")[0], word, RETRIEVER), "__file__", None)
    return [] if file is None else [Path(file)]


def _module(name: str, word: str, kind: Text) -> ModuleType:
    file = Path(name if name.endswith(".py") else f"{name.replace('.', os.sep)}.py")
    here = os.getcwd()
    if here not in sys.path:
        sys.path.insert(0, here)  # what it imports lies beside it
    if file.is_file():
        if "." not in name or name.endswith(".py"):
            made: ModuleType = _run(lambda: _loaded(file), word, _NOT_LOADED, kind)
            return made
    elif name.endswith(".py"):
        raise InputError(
            Text(
                f"{kind} {show(word)}: the file {show(name)} does not exist.",
                f"{kind.zh} {show(word)}：文件 {show(name)} 不存在。",
            )
        )
    try:
        found: ModuleType = _run(lambda: import_module(name), word, _NOT_LOADED, kind)
        return found
    except _NotThere as e:
        if e.module is not None and (name == e.module or name.startswith(f"{e.module}.")):
            raise InputError(
                Text(
                    f"{kind} {show(word)}: there is no module {show(name)}. It is looked for in this folder, "
                    f"{show(here)}, and where Python looks; a file is named as {file.name}:object.",
                    f"{kind.zh} {show(word)}：没有模块 {show(name)}。已在当前文件夹 {show(here)} 和 Python 的搜索路径中"
                    f"查找；文件写成 {file.name}:object。",
                )
            ) from e
        raise


class _NotThere(InputError):
    """A module that is imported is not there."""

    module: str | None = None


def _loaded(file: Path) -> ModuleType:
    """A file as a module, run once as long as it is the same: another folder may have one of the same name."""
    path, state = file.resolve(), file.stat()
    mark = (str(path), state.st_mtime_ns, state.st_size)
    known = sys.modules.get(file.stem)
    if known is not None and getattr(known, _MARK, None) == mark:
        return known
    spec = spec_from_file_location(file.stem, path)
    assert spec is not None
    assert spec.loader is not None
    made = module_from_spec(spec)
    sys.modules[file.stem] = made
    spec.loader.exec_module(made)
    setattr(made, _MARK, mark)
    return made


def _makes_one(found: Any) -> bool:
    """Whether it is called to get the retriever: it can be called, and needs nothing."""
    if not callable(found):
        return False
    try:
        parameters = inspect.signature(found).parameters.values()
    except (TypeError, ValueError):  # built in
        return False
    of_any = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
    needed = [p for p in parameters if p.default is inspect.Parameter.empty and p.kind not in of_any]
    takes_query = any(p.kind is not inspect.Parameter.KEYWORD_ONLY and p.kind not in of_any for p in parameters)
    return not needed and (isinstance(found, type) or (not takes_query and inspect.isroutine(found)))


def _run(call: Callable[[], Any], word: str, what: Text, kind: Text) -> Any:
    """What somebody else's code gives; what it raises is an error of the input, with its first line."""
    try:
        return call()
    except InputError:
        raise
    except Exception as e:
        said = f"{type(e).__name__}: {cut(str(e), _WORDS)}".rstrip(": ")
        error = _NotThere if isinstance(e, ModuleNotFoundError) else InputError
        made = error(Text(f"{kind} {show(word)} {what}: {said}.", f"{kind.zh} {show(word)} {what.zh}：{said}。"))
        if isinstance(made, _NotThere):
            made.module = getattr(e, "name", None)
        raise made from e


def _said(found: Any) -> str:
    if isinstance(found, type):
        return Text(f"the class {found.__name__}, which needs arguments", f"类 {found.__name__}，创建它需要参数")
    return type(found).__name__
