"""What runs are called that were given without names: as their files are, as far as that tells them apart.

runs/bm25.run.gz, runs/dense.run.gz     bm25, dense
old/bm25.run, new/bm25.run              the tags inside, where they differ; else old/bm25, new/bm25
input.uwmtBSMax.gz, input.ETHme1.gz     the tags inside; else uwmtBSMax, ETHme1
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import takewhile
from os import PathLike
from pathlib import Path
from typing import Any

from rankgauge._piped import Piped
from rankgauge._show import LIMIT, cut, show
from rankgauge._text import Text
from rankgauge._unpacked import first_bytes, unpacked_path
from rankgauge.data.run import Run
from rankgauge.data.table import stem
from rankgauge.errors import InputError

__all__ = ["names_of"]

_LOOKED_AT = 4096  # bytes that hold a line of a run
_FORMATS = frozenset(
    [
        *("run", "trec", "txt", "res", "out", "csv", "tsv", "tab"),
        *("json", "jsonl", "ndjson", "parquet", "pq", "arrow", "feather", "ipc"),
    ]
)
"""Ends of file names that say how a file is written, not who wrote it."""


def names_of(runs: Sequence[Any], taken: Sequence[str] = ()) -> list[str]:
    """A name for each run, all different from each other and from those that are taken."""
    names = [_own(run, i) for i, run in enumerate(runs, 1)]
    for name in dict.fromkeys(n for n in names if names.count(n) > 1 or n in taken):
        at = [i for i, n in enumerate(names) if n == name]
        if not all(isinstance(runs[i], (str, PathLike)) for i in at):
            continue
        _refuse_same_file([runs[i] for i in at])
        others = {*taken, *(n for i, n in enumerate(names) if i not in at)}
        for found in _ways([_path(runs[i]) for i in at], name):
            if len(set(found)) == len(found) and not others.intersection(found):
                for i, new in zip(at, found, strict=True):
                    names[i] = new
                break
    if len(set(names)) < len(names) or set(taken).intersection(names):
        some = cut(", ".join(names), LIMIT)
        raise InputError(
            Text(
                f"two runs have the same name: {some}. Pass a dict of runs by name; in a shell, write name=FILE.",
                f"有两个 run 同名：{some}。请传入以名称为键的 dict；在命令行中写 名称=文件。",
            )
        )
    return names


def _own(run: Any, number: int) -> str:
    """What a run is called, before it is read."""
    if isinstance(run, (str, PathLike)):
        return stem(run)
    return run.name if isinstance(run, Run) else f"run {number}"


def _path(run: str | PathLike[str]) -> Path:
    return Path(run.given) if isinstance(run, Piped) else Path(run)


def _ways(files: Sequence[Path], name: str) -> Iterator[list[str]]:
    """Names for files that are called alike, the best first."""
    tags = [_tag(file) for file in files]
    if all(tags):
        yield tags
    between = _differing([unpacked_path(file).name.split(".") for file in files])
    if not _FORMATS.intersection(name.lower() for name in between):
        yield between
    folders = [file.resolve().parts[1:-1] for file in files]
    for depth in range(1, max(map(len, folders), default=0) + 1):
        yield ["/".join((*parts[-depth:], name)) for parts in folders]


def _tag(file: Path) -> str:
    """The name of the system in a line of a TREC run; nothing where there is no such line."""
    lines = first_bytes(file, _LOOKED_AT).decode("utf-8", "replace").splitlines()
    fields = next((f for line in lines if (f := line.split()) and not line.startswith("#")), [])
    return fields[5] if len(fields) == 6 and fields[3].isdecimal() else ""


def _differing(parts: Sequence[Sequence[str]]) -> list[str]:
    """What is between the parts that all have in front and at the end: `bm25` of input.bm25, beside input.dense."""
    first = len(list(takewhile(lambda x: len(set(x)) == 1, zip(*parts, strict=False))))
    last = len(list(takewhile(lambda x: len(set(x)) == 1, zip(*(p[first:][::-1] for p in parts), strict=False))))
    return [".".join(p[first : len(p) - last]) or ".".join(p) for p in parts]


def _refuse_same_file(runs: Sequence[Any]) -> None:
    """Raise an error where one file is there twice, under the same path or another."""
    seen: dict[Path, Any] = {}
    for run in runs:
        place = Path(run).resolve()
        if place in seen:
            both = dict.fromkeys(map(str, (seen[place], run)))
            twice, zh = (word.join(map(show, both)) for word in (" and ", " 与 "))
            raise InputError(
                Text(
                    f"the same file is given as two runs: {twice}. Name another run for one of them.",
                    f"同一个文件被当作两个 run：{zh}。请把其中一个换成别的 run。",
                )
            )
        seen[place] = run
