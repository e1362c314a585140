"""Reading and writing files: which format is it, and who reads it?

The suffix says what a file claims to be, the content says what it is. Where they disagree the content wins
and a note says so. A format is one module of this folder that registers a `Format`; what it can open serves every kind
of table.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from importlib import import_module
from io import BytesIO
from pathlib import Path
from pkgutil import iter_modules
from typing import Any

from rankgauge._piped import path_of
from rankgauge._show import show
from rankgauge._text import Text, spaced, zh
from rankgauge._unpacked import MAGIC, inner_suffix
from rankgauge.data._places import word_for
from rankgauge.data.columns import Kind
from rankgauge.data.formats.base import RANKED, REGISTRY, Content, Format, Loaded, Options, register
from rankgauge.data.formats.json import is_one_line
from rankgauge.data.formats.opening import Source, open_source
from rankgauge.data.formats.write import atomic
from rankgauge.data.frames import Position, canonical
from rankgauge.errors import InputError, ParameterError, suggest

__all__ = [
    "REGISTRY",
    "Content",
    "Format",
    "Loaded",
    "detect",
    "open_file",
    "plain_content",
    "read",
    "readable_content",
    "refuse_unwritable",
    "register",
    "write",
]

for _module in iter_modules(__path__):  # those that define formats register them
    import_module(f"rankgauge.data.formats.{_module.name}")


def read(
    path: str | Path,
    kind: Kind,
    *,
    format: str | None = None,
    columns: Mapping[str, str] | None = None,
    groups: str | Path | None = None,
    registry: Mapping[str, Format] = REGISTRY,
) -> Loaded:
    """Read a run, qrels or predictions from a file or folder.

    `columns` maps names of the input to `query_id`, `doc_id`, `score`, `grade` and so on; `groups` is the file with the
    rows per query that LightGBM keeps beside its data.
    """
    source = open_source(path, kind)
    source.names = frozenset(columns or ())
    notes: tuple[str, ...] = ()
    if format is not None:
        fitting = {name: f for name, f in registry.items() if f.holds(kind)}
        chosen = _named(format, fitting if format not in registry else registry)
        if not chosen.holds(kind):
            fit = ", ".join(fitting)
            raise ParameterError(
                Text(
                    f"format must be one of {fit} for {kind}, got {show(format)}, which holds no {kind}.",
                    f"{spaced(zh(word_for(kind)), '的')} format 必须是 {fit} 之一，实际为 {show(format)}，"
                    f"{spaced('它不能存放', zh(word_for(kind)))}。",
                )
            )
    else:
        chosen, notes = detect(source, registry)
    loaded = chosen.loaded(source, Options(columns, None if groups is None else path_of(groups)))
    return replace(loaded, notes=notes + source.notes + loaded.notes)


def open_file(path: str | Path, kind: str, names: Mapping[str, str] | None = None) -> Content:
    """Open a file or folder as a table of any kind; `names` are columns that the caller mentioned."""
    source = open_source(path, kind)
    source.names = frozenset(names or ())
    chosen, notes = detect(source)
    content = chosen.opened(source)
    content.notes = notes + source.notes + content.notes
    return content


def plain_content(path: str | Path) -> tuple[Any, Position | None]:
    """What a file holds as Python has it, if it could be judgements and run in one, and how its records are called."""
    try:
        return readable_content(path, "run")
    except InputError:  # whoever reads it says what is wrong, and what it should have been
        return None, None


def readable_content(path: str | Path, kind: Kind) -> tuple[Any, Position | None]:
    """The same, where nobody else reads it: a file that is empty or damaged is an error."""
    source = open_source(path, kind)
    chosen, _ = detect(source)
    return (None, None) if chosen.plain is None else chosen.plain(source)


def write(
    frame: Any,
    path: str | Path,
    kind: Kind,
    *,
    format: str | None = None,
    tag: str = "rankgauge",
    registry: Mapping[str, Format] = REGISTRY,
) -> None:
    """Write a run or qrels; the suffix picks the format, `.gz`, `.bz2` or `.xz` after it compresses.

    The file appears under its name only when it is complete.
    """
    path = Path(path)
    chosen = _named(format, registry) if format is not None else _writer(path, registry)
    if chosen.write is None:
        raise ParameterError(
            Text(
                f"cannot write {chosen.name}. Formats that can be written: {_writers(registry)}.",
                f"无法写出 {chosen.name}。可以写出的格式：{_writers(registry)}。",
            )
        )
    table, _ = canonical(kind, frame)
    with atomic(path) as file:
        chosen.write(table, file, kind, tag)


def refuse_unwritable(query_ids: Sequence[str], path: str | Path, kind: Kind) -> None:
    """Raise where a file of this suffix could not hold these queries, before anything is done for it."""
    import polars as pl

    chosen = _writer(Path(path), REGISTRY)
    assert chosen.write is not None
    number = "score" if kind == "run" else "grade"
    rows = pl.DataFrame({"query_id": list(query_ids), "doc_id": ["d"] * len(query_ids), number: [1.0] * len(query_ids)})
    table, _ = canonical(kind, rows)
    chosen.write(table, BytesIO(), kind, "rankgauge")


def detect(source: Source, registry: Mapping[str, Format] = REGISTRY) -> tuple[Format, tuple[str, ...]]:
    """The format of a file or folder, and a note when its suffix says something else."""
    if (strange := _other_kind(source)) is not None:
        raise source.error(strange)
    suffix = source.suffix
    others = [f for f in registry.values() if not f.holds(source.kind)]
    registry = {name: f for name, f in registry.items() if f not in others}
    claimed = [f for f in registry.values() if suffix in f.suffixes]
    particular = (f for f in registry.values() if f.is_particular and f not in claimed)
    for f in (*particular, *claimed):
        if f.matches(source):
            return f, ()
    found = next((f for f in registry.values() if f not in claimed and f.matches(source)), None)
    if found is not None:
        note = Text(
            f"the suffix is {suffix} but the content is {found.name}: read as that",
            f"后缀是 {suffix}，但内容是 {found.name}：按内容读取",
        )
        is_as_said = suffix == ".json" and is_one_line(source)  # lines of JSON, if there is one, are JSON as well
        return found, (note,) if claimed and suffix != ".txt" and not is_as_said else ()
    if b"\x00" in source.head:
        raise source.error(
            Text(
                f"is a binary file of an unknown kind. {_known(registry)}",
                f"是未知类型的二进制文件。{zh(_known(registry))}",
            )
        )
    if (other := next((f for f in others if f.matches(source)), None)) is not None:
        raise source.error(
            Text(
                f"looks like {other.name}, which holds no {source.kind}. {_known(registry)}{_say(source, _OR_PASS)}",
                f"看起来是 {other.name}，{spaced('它不能存放', zh(word_for(source.kind)))}。"
                f"{zh(_known(registry))}{zh(_say(source, _OR_PASS))}",
            )
        )
    if claimed:
        return claimed[0], ()  # its reader says what is wrong, with line numbers
    if source.path.is_dir():
        raise source.error(
            Text(
                f"is a folder without files that could be read. {_known(registry)}",
                f"是文件夹，其中没有可读取的文件。{zh(_known(registry))}",
            )
        )
    first = (source.first_lines(1) or [""])[0]
    raise source.error(
        Text(
            f"has an unknown format. {_known(registry)} First line: {show(first[:80])}.{_say(source)}",
            f"的格式未知。{zh(_known(registry))}第一行：{show(first[:80])}。{zh(_say(source))}",
        )
    )


def _other_kind(source: Source) -> Text | None:
    """What a file is that holds tables in a way of its own, and what to do with it."""
    if (again := next((name for magic, name in MAGIC.items() if source.head.startswith(magic)), None)) is not None:
        return Text(
            f"is compressed twice ({source.compression}, and {again} inside). Unpack it once.",
            f"被压缩了两次（{source.compression}，里面还有 {again}）。请先解压一次。",
        )
    if source.head.startswith(b"PK\x03\x04") and b"xl/" in source.head[:_WORKBOOK]:
        return Text("is an Excel workbook. Save the sheet as CSV.", "是 Excel 工作簿。请把工作表另存为 CSV。")
    return next((what for magic, what in _STRANGERS.items() if source.head.startswith(magic)), None)


_WORKBOOK = 1 << 14  # bytes that name the parts of a workbook
_ARCHIVE = Text("Unpack it and pass the file inside.", "请先解包，再传入其中的文件。")
_STRANGERS = {
    b"PK\x03\x04": Text(f"is a zip archive. {_ARCHIVE}", f"是 zip 压缩包。{_ARCHIVE.zh}"),
    b"Rar!": Text(f"is a RAR archive. {_ARCHIVE}", f"是 RAR 压缩包。{_ARCHIVE.zh}"),
    b"7z\xbc\xaf": Text(f"is a 7z archive. {_ARCHIVE}", f"是 7z 压缩包。{_ARCHIVE.zh}"),
    b"\xd0\xcf\x11\xe0": Text(
        "is an old Excel workbook. Save the sheet as CSV.", "是旧版 Excel 工作簿。请把工作表另存为 CSV。"
    ),
    b"SQLite format 3\x00": Text(
        "is a database of SQLite. Write the table as CSV or Parquet.", "是 SQLite 数据库。请把表写为 CSV 或 Parquet。"
    ),
    b"\x93NUMPY": Text(
        "is an array of NumPy. Pass np.load(file), or write it as a table.",
        "是 NumPy 数组。请传入 np.load(file)，或写为表。",
    ),
    b"\x80\x04\x95": Text(
        "is a pickle, which is not read: it could run code. Write the table as CSV, JSON or Parquet.",
        "是 pickle 文件，因为可能运行代码而不予读取。请把表写为 CSV、JSON 或 Parquet。",
    ),
}


def _named(name: str, registry: Mapping[str, Format]) -> Format:
    if name not in registry:
        raise ParameterError(
            Text(
                f"format must be one of {', '.join(registry)}, got {show(name)}.{suggest(name, registry)}",
                f"format 必须是 {', '.join(registry)} 之一，实际为 {show(name)}。{zh(suggest(name, registry))}",
            )
        )
    return registry[name]


_PASS = Text(" Pass", "请传入")
_OR_PASS = Text(" Or pass", "或传入")


def _writer(path: Path, registry: Mapping[str, Format]) -> Format:
    suffix = inner_suffix(path)
    for f in registry.values():
        if suffix in f.suffixes and f.write is not None:
            return f
    raise ParameterError(
        Text(
            f"cannot tell the format of {show(path.name)} from its suffix. Pass format=: one of {_writers(registry)}.",
            f"无法从后缀判断 {show(path.name)} 的格式。请传入 format=：{_writers(registry)} 之一。",
        )
    )


def _writers(registry: Mapping[str, Format]) -> str:
    return ", ".join(f"{f.name} ({' '.join(f.suffixes)})" for f in registry.values() if f.write is not None)


def _say(source: Source, words: Text = _PASS) -> str:
    """The advice to say the format, to those who can."""
    return Text(f"{words} format=.", f"{words.zh} format=。") if source.kind in RANKED else ""


def _known(registry: Mapping[str, Format]) -> str:
    return Text(f"Known formats: {', '.join(registry)}.", f"已知格式：{', '.join(registry)}。")
