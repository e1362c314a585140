"""Lists of items, one user or query on each line: `user item item item …`, as LightGCN and others keep them.

As judgements all items of a line are relevant, as a run the first one is best, as interactions they are in the order in
which they happened. The content tells it where ids are whole numbers, every user has one line and lines differ in
length as those of tables do not; elsewhere `format="lists"` says it. Interactions have no such option, and hardly
another form of numbers with blanks between them: there it is enough that lines differ, or that each is a pair.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import polars as pl

from rankgauge._text import Text
from rankgauge.data._places import in_line
from rankgauge.data.formats.base import Columns, Format, Loaded, Options, register
from rankgauge.data.formats.lines import significant_lines
from rankgauge.data.formats.nested import Rows
from rankgauge.data.formats.opening import Source

__all__ = ["FORMAT", "matches", "read"]

_LOOKED_AT = 200
_FEWEST = 3


def matches(source: Source) -> bool:
    """Surely such lists: a table has as many fields on most of its lines, and names a query more than once."""
    if source.suffix in FORMAT.suffixes:
        return True
    if source.path.is_dir() or not source.head.lstrip()[:1].isdigit():
        return False
    lines = [line.split() for line in source.first_lines(_LOOKED_AT)]
    if len(lines) < _FEWEST or not all(field.isdecimal() for fields in lines for field in fields):
        return False
    lengths = Counter(map(len, lines))
    if source.kind == "interactions":
        return max(lengths) > 1 and (len(lengths) > 1 or 2 in lengths)
    return len({fields[0] for fields in lines}) == len(lines) and 2 * max(lengths.values()) <= len(lines)


def read(source: Source, options: Options) -> Loaded:
    """Every line as the list of its first field."""
    found, rows = significant_lines(source), Rows(source)
    first: dict[str, Text] = {}
    for number, line in zip(found.number.to_list(), found.text.to_list(), strict=True):
        place = in_line(number)
        user, *items = line.split(" ")
        if (before := first.setdefault(user, place)) is not place:
            rows.repeat(user, before, place)
        rows.add(user, items, place)
    loaded = rows.loaded(FORMAT.name)
    order = ("best first", "最好的在前") if source.kind == "run" else ("all relevant", "均为相关")
    note = Text(
        f"read each line as a user or query and its items, {order[0]}",
        f"把每行读作一个用户（或查询）及其物品，{order[1]}",
    )
    return replace(loaded, notes=(note, *found.notes, *loaded.notes))


def open_(source: Source) -> Columns:
    """A row for each item of each line."""
    found = significant_lines(source)
    fields = found.text.str.split(" ")
    frame = pl.DataFrame({"user_id": fields.list.first(), "item_id": fields.list.slice(1), "line": found.number})
    frame = frame.explode("item_id").drop_nulls("item_id")
    if frame.is_empty():
        raise source.error(
            Text("holds no items: every line must be a user and items.", "中没有物品：每行必须是用户及其物品。")
        )
    note = Text("read each line as a user and its items, the first one first", "把每行读作一个用户及其物品，按先后顺序")
    line = frame["line"]
    return Columns(
        frame.drop("line"), (note, *found.notes), lambda row: in_line(line[row]), is_text=True, has_header=False
    )


KINDS = ("qrels", "run", "interactions")
FORMAT = Format("lists", (".lists",), matches, read, kinds=KINDS, open=open_, order=8, is_particular=True)
register(FORMAT)
