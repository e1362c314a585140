"""`--store`: what a command makes is kept in a history as well."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import wraps
from pathlib import Path
from typing import Any, TypeVar

from rankgauge._show import show
from rankgauge._text import Text, composed
from rankgauge.cli.style import click
from rankgauge.cli.terminal import say
from rankgauge.errors import InputError, ParameterError

__all__ = ["STORE", "Storing", "label_map", "store_option", "storing_options"]

F = TypeVar("F", bound=Callable[..., Any])

STORE = "RANKGAUGE_STORE"
_LOOKED_AT = frozenset({"movement", "explanation"})
"""Kinds that show a part of another record, or nobody's data."""


@dataclass(frozen=True)
class Storing:
    """What was asked for by `storing_options`."""

    place: str | None = None
    about: dict[str, Any] = field(default_factory=dict)
    labels: dict[str, str] = field(default_factory=dict)

    def refuse_without(self) -> None:
        """An error before the work, where it is known already that nothing could be kept."""
        if self.place is None:
            if said := [_OPTIONS[name] for name in self.about] + ["--store-label"] * bool(self.labels):
                raise ParameterError(
                    Text(
                        f"{said[0]} says how a result is stored, and none is. Add --store history.db (or set {STORE}), "
                        f"or leave {said[0]} out.",
                        f"{said[0]} 说明结果如何存储，而这里没有存储。请加上 --store history.db（或设置 {STORE}），"
                        f"或去掉 {said[0]}。",
                    )
                )
            return
        from rankgauge.history.moments import time_of

        time_of(self.about.get("at"), "--store-at")
        if "://" not in self.place and not os.path.exists(self.place):
            folder = Path(self.place).absolute().parent
            if not folder.is_dir():
                raise InputError(
                    Text(
                        f"cannot store in {show(self.place)}: the folder {show(str(folder))} does not exist.",
                        f"无法存入 {show(self.place)}：文件夹 {show(str(folder))} 不存在。",
                    )
                )
            return  # made when there is something to keep
        from rankgauge.history import History

        History(self.place).close()

    def keep(self, records: Sequence[Any]) -> None:
        """Keeps what are records among these, each once, and says under which ids."""
        from rankgauge._records import Record

        if self.place is None:
            return
        found = [r for i, r in enumerate(records) if isinstance(r, Record) and not any(r is x for x in records[:i])]
        found = [r for r in found if r.kind not in _LOOKED_AT]
        if not found:
            return
        from rankgauge.history import History
        from rankgauge.history.moments import time_of

        about = {**self.about, "at": time_of(self.about.get("at"))}  # one moment for all
        with History(self.place) as h:
            ids = []
            for record in found:
                made: Any = h.add(record, **about, labels=self.labels)
                ids += [e.id for e in made] if isinstance(made, list) else [made.id]
            say(composed("stored as {} in {}", "已存为 {}，位于 {}", ", ".join(ids), h.place))


_OPTIONS = {"project": "--project", "system": "--system", "dataset": "--dataset", "at": "--store-at"}


def store_option(command: F) -> F:
    """`--store` alone, for those who read a history."""
    return click.option(
        "--store",
        default=None,
        envvar=STORE,
        metavar="FILE|URL",
        help=Text(
            f"The history: a file, postgresql://user@host/name, or the https:// address of a dashboard. [{STORE}]",
            f"历史存储：文件、postgresql://user@host/name，或看板的 https:// 地址。[{STORE}]",
        ),
    )(command)


def storing_options(command: F) -> F:
    """`--store` and what is kept with a result; the command gets them as `storing`."""

    @wraps(command)
    def with_store(*args: Any, store: str | None, store_label: tuple[str, ...], **rest: Any) -> Any:
        given = {name: rest.pop(f"store_{name}") for name in _OPTIONS}
        about = {name: value for name, value in given.items() if value is not None}
        storing = Storing(store or None, about, label_map("--store-label", store_label))
        storing.refuse_without()
        return command(*args, storing=storing, **rest)

    added: Any = with_store
    for option in (
        click.option(
            "--store",
            default=None,
            envvar=STORE,
            metavar="FILE|URL",
            help=Text(
                "Keep the result in a history as well: a file, postgresql://user@host/name, or the https:// address of "
                f"a dashboard. [{STORE}]",
                f"同时把结果存入历史：文件、postgresql://user@host/name，或看板的 https:// 地址。[{STORE}]",
            ),
        ),
        click.option(
            "--project",
            "store_project",
            default=None,
            metavar="NAME",
            help=Text("With --store: the project that it is of.", "与 --store 同用：所属项目。"),
        ),
        click.option(
            "--system",
            "store_system",
            default=None,
            metavar="NAME",
            help=Text(
                "With --store: what was measured. [default: the name of the run or model]",
                "与 --store 同用：测的是哪个系统。[默认：结果或模型的名称]",
            ),
        ),
        click.option(
            "--dataset",
            "store_dataset",
            default=None,
            metavar="NAME",
            help=Text(
                "With --store: what it was measured on. [default: the name of the judgements or rows]",
                "与 --store 同用：在哪个数据上测的。[默认：标注或数据的名称]",
            ),
        ),
        click.option(
            "--store-label",
            multiple=True,
            metavar="NAME=VALUE",
            help=Text(
                "With --store: a word to find it by; may be repeated. Branch, commit and author are read from git and "
                "CI.",
                "与 --store 同用：便于查找的标记；可重复给出。分支、提交和作者会从 git 和 CI 读取。",
            ),
        ),
        click.option(
            "--store-at",
            default=None,
            metavar="TIME",
            help=Text(
                "With --store: when it was measured, 2026-11-18 or 2026-11-18T09:30 in UTC. [default: now]",
                "与 --store 同用：测量时间，如 2026-11-18 或 2026-11-18T09:30（UTC）。[默认：现在]",
            ),
        ),
    )[::-1]:
        added = option(added)
    shown: F = added
    return shown


def label_map(option: str, words: Sequence[str]) -> dict[str, str]:
    """`name=value` words as labels."""
    out: dict[str, str] = {}
    for word in words:
        name, is_pair, value = word.partition("=")
        if not is_pair or not name.strip():
            raise ParameterError(
                Text(
                    f"{option} must look like branch=main, got {show(word)}.",
                    f"{option} 应写作 branch=main，实际为 {show(word)}。",
                )
            )
        if name.strip() in out:
            raise ParameterError(
                Text(
                    f"{option} {show(name.strip())} is given twice. Give it once.",
                    f"{option} {show(name.strip())} 给出了两次。只给一次。",
                )
            )
        out[name.strip()] = value.strip()
    return out
