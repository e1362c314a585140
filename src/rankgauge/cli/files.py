"""Files as they are typed, `FILE` or `name=FILE`: judgements and runs, or files that hold both."""

from __future__ import annotations

import glob
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rankgauge._piped import is_there
from rankgauge._show import show
from rankgauge._text import Text
from rankgauge.cli.options import Place
from rankgauge.cli.style import click
from rankgauge.errors import ParameterError

__all__ = [
    "File",
    "Given",
    "alone",
    "depths_of",
    "files_by_name",
    "named_lists",
    "parted",
    "rankings",
    "record_of",
    "record_of_sides",
]


@dataclass(frozen=True)
class Given:
    """One file, and the name that was given to it."""

    path: Any
    name: str = ""


class File(Place):
    """A file, folder, pipe or address, with or without a name; a file of that very name is that file."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if isinstance(value, Given):  # a default
            return value
        name, path = parted(str(value))
        return Given(super().convert(path, param, ctx), name)


def parted(word: str) -> tuple[str, str]:
    """The name and the file of `name=FILE`; no name where it has none, or where that is what the file is called."""
    name, eq, path = word.partition("=")
    if eq and not (name and path) and not is_there(word):
        raise ParameterError(
            Text(
                f"a file with a name must look like new=bm25.run, got {show(word)}.",
                f"带名称的文件必须写成 new=bm25.run 的形式，实际为 {show(word)}。",
            )
        )
    is_name = eq and not any(c in name for c in "/\\:*?")
    if not is_name or is_there(word) or (any(c in word for c in "*?") and glob.glob(word)):
        return "", word
    return name, path


def files_by_name(files: Sequence[Given]) -> dict[str, Any]:
    """Runs by the names that were given to them, or those of their files."""
    said = [file.name for file in files if file.name]
    if twice := next((name for name in said if said.count(name) > 1), None):
        raise ParameterError(
            Text(
                f"two runs are called {show(twice)}. Name one of them otherwise.",
                f"有两个 run 都叫 {show(twice)}。请换一个名称。",
            )
        )
    from rankgauge.data.run_names import names_of

    names = iter(names_of([file.path for file in files if not file.name], said))
    return {file.name or next(names): file.path for file in files}


def rankings(files: Sequence[Given]) -> tuple[Any, Any]:
    """Judgements and runs, as the verbs take them: runs by name, or one without; None where files hold both sides."""
    from rankgauge.data.together import holds_both, refuse_absent

    first, *others = files
    if holds_both(first.path):
        for other in others:
            refuse_absent(other.path)
            if not holds_both(other.path):
                raise ParameterError(_mixed(show(str(first.path)), show(str(other.path))))
        return (files_by_name(files) if others or first.name else first.path), None
    if first.name:
        got = f"{first.name}={first.path}"
        raise ParameterError(
            Text(
                f"judgements come first and have no name, got {show(got)}. Only a file that also holds what was "
                "retrieved can stand there with one.",
                f"标注要放在最前面，不带名称，实际为 {show(got)}。只有同时含有检索结果的文件才能在此处带名称。",
            )
        )
    if len(others) == 1 and not others[0].name:
        return first.path, others[0].path
    return first.path, (files_by_name(others) if others else None)


def named_lists(files: Sequence[Given], missing: Text) -> tuple[Any, Any]:
    """The same where every list has a name, also a single one; without any, what is missing is an error."""
    from rankgauge.data.together import holds_both

    qrels, lists = rankings(files)
    if lists is None and len(files) == 1 and not holds_both(qrels):
        raise ParameterError(missing)
    return qrels, files_by_name(files[1:]) if lists is not None and not isinstance(lists, dict) else lists


def _mixed(both: str, other: str) -> Text:
    return Text(
        f"{both} holds what was retrieved beside what is relevant, {other} does not. Give the first alone, or take its "
        "judgements out of it: rankgauge convert rag.json rag.qrels.",
        f"{both} 同时含有检索结果和相关文档，而 {other} 没有。请单独给出前者，或先取出其中的标注："
        "rankgauge convert rag.json rag.qrels。",
    )


def record_of(files: Sequence[Given], measures: Any, **options: Any) -> Any:
    """One run evaluated, several compared with the first."""
    return record_of_sides(*rankings(files), measures, **options)


def record_of_sides(qrels: Any, runs: Any, measures: Any, **options: Any) -> Any:
    """The same of judgements and runs that are known; what holds both sides stands for judgements."""
    systems = qrels if runs is None else runs
    if isinstance(systems, dict) and len(systems) > 1:
        from rankgauge.comparison import compare

        return compare(qrels, runs, measures, **options)
    from rankgauge.evaluation.of_rankings import evaluate

    return alone(evaluate(qrels, runs, measures, **options))


def alone(result: Any) -> Any:
    """The evaluation of one run that has a name, as if it had none."""
    return next(iter(result.values())) if isinstance(result, Mapping) and len(result) == 1 else result


def depths_of(words: Sequence[str], option: str) -> int | dict[str, int] | None:
    """`100`, or `recall=200` and `final=10`, as an option was given them."""
    if not words:
        return None
    pairs = [(name, n) for name, _, n in (word.rpartition("=") for word in words)]
    if any(not (n.isdecimal() and n.isascii()) for _, n in pairs) or (len(pairs) > 1 and not all(x for x, _ in pairs)):
        raise ParameterError(
            Text(
                f"{option} must look like 100 or recall=200, got {show(' '.join(words))}.",
                f"{option} 必须写成 100 或 recall=200 的形式，实际为 {show(' '.join(words))}。",
            )
        )
    return int(pairs[0][1]) if not pairs[0][0] else {name: int(n) for name, n in pairs}
