"""Where a command writes: never over what it reads, nor twice to the same place."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import wraps
from pathlib import Path
from typing import Any

from rankgauge._output import STANDARD_OUTPUT, refuse_overwriting, regular
from rankgauge._show import show
from rankgauge._text import Text, in_language
from rankgauge.cli.style import click
from rankgauge.errors import ParameterError

__all__ = ["Grown", "Target", "fresh", "guarded", "is_taken", "refuse_inputs", "refuse_numbered"]


class Target(click.ParamType):  # type: ignore[type-arg,unused-ignore]
    """A file to write; `-` is standard output."""

    name = "path"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Path:
        if not str(value):
            self.fail(
                in_language(
                    Text(
                        "must be the name of a file, or - for standard output, got ''.",
                        "必须是文件名，或用 - 表示标准输出，实际为 ''。",
                    )
                ),
                param,
                ctx,
            )
        return Path(value)

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> Any:
        return click.Path().shell_complete(ctx, param, incomplete)


class Grown(Target):
    """A file that is added to: none of the other outputs, and what it holds is kept."""


def guarded(callback: Callable[..., Any]) -> Callable[..., Any]:
    """A command that looks at its files before it does anything."""

    @wraps(callback)
    def checked(*args: Any, **options: Any) -> Any:
        ctx = _context()
        _refuse_clashes(list(_targets(ctx)))
        refuse_inputs(_inputs(ctx))
        return callback(*args, **options)

    return checked


def refuse_numbered(numbered: Mapping[str, Sequence[Path]]) -> None:
    """The same for options (by their parameters) that stand for several files each, as those of folds."""
    ctx = _context()
    options = {p.name: _said(p) for p in _outputs(ctx)}
    targets = [(options[name], path) for name, paths in numbered.items() for path in paths]
    _refuse_clashes([*(t for t in _targets(ctx) if t[0] not in dict(targets)), *targets])
    for option, path in targets:
        if option not in _grown(ctx):
            refuse_overwriting(path, _inputs(ctx), option=option)


def _refuse_clashes(targets: Sequence[tuple[str, Path]]) -> None:
    """No two outputs are the same file."""
    for i, (name, path) in enumerate(targets):
        for other, there in targets[:i]:
            if _is_same(path, there):
                raise ParameterError(
                    Text(
                        f"{other} and {name} are the same file: {show(str(path))}. Name another.",
                        f"{other} 与 {name} 是同一个文件：{show(str(path))}。请换一个名字。",
                    )
                )


def refuse_inputs(inputs: Iterable[str | Path]) -> None:
    """No output of the command is one of these files, by whatever name; nor lies in one of these folders already."""
    ctx = _context()
    targets = [(name, path) for name, path in _targets(ctx) if name not in _grown(ctx)]
    for path in inputs if targets else ():
        for name, target in targets:
            refuse_overwriting(target, [path], option=name)


def fresh(path: Path, option: str = "-o") -> Path:
    """A name that the command chose itself: what is there already stays."""
    if os.path.lexists(path):
        raise ParameterError(
            Text(
                f"{show(str(path))} exists. Name the file to write: {option} {path} replaces it.",
                f"{show(str(path))} 已存在。请指明要写的文件：{option} {path} 会覆盖它。",
            )
        )
    return path


def is_taken(*but: str) -> bool:
    """Whether standard output belongs to one of the outputs, other than these parameters."""
    ctx = click.get_current_context(silent=True)
    if ctx is None:
        return False
    return any(ctx.params.get(p.name or "") == STANDARD_OUTPUT for p in _outputs(ctx) if p.name not in but)


def _context() -> click.Context:
    ctx = click.get_current_context()
    assert ctx is not None
    return ctx


def _outputs(ctx: click.Context) -> list[click.Parameter]:
    return [p for p in ctx.command.params if isinstance(p.type, Target)]


def _grown(ctx: click.Context) -> list[str]:
    return [_said(p) for p in _outputs(ctx) if isinstance(p.type, Grown)]


def _targets(ctx: click.Context) -> Iterator[tuple[str, Path]]:
    for p in _outputs(ctx):
        path = ctx.params.get(p.name or "")
        if path is not None:
            yield _said(p), path


def _said(p: click.Parameter) -> str:
    return next((o for o in p.opts if o.startswith("--")), p.human_readable_name)


def _inputs(ctx: click.Context) -> Iterator[Path]:
    outputs = _outputs(ctx)
    for p in ctx.command.params:
        value = ctx.params.get(p.name or "")
        if p not in outputs:
            given = (getattr(v, "path", v) for v in (value if isinstance(value, (tuple, list)) else (value,)))
            yield from (v for v in given if isinstance(v, Path))


def _is_same(a: Path, b: Path) -> bool:
    if STANDARD_OUTPUT in (a, b):
        return a == b
    there, here = regular(a), regular(b)
    if there is not None and here is not None:
        return os.path.samestat(there, here)
    return os.path.realpath(a) == os.path.realpath(b) and not os.path.exists(a)
