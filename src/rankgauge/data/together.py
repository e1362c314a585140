"""Judgements and runs that are given together: the door through which every verb takes what holds both sides.

`sides` gives judgements and runs, each on its own, of objects as of files, or says why it cannot; `same_judgements` is
the door of several systems, `refuse_separate` tells one source from two. `both_sides.py` knows the forms.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rankgauge._piped import as_given, path_of, taken_in
from rankgauge._show import show, show_all
from rankgauge._text import Text, zh
from rankgauge.data._places import named
from rankgauge.data.both_sides import (
    INPUT,
    ITEMS,
    SIDES,
    BothSides,
    Position,
    answers_told,
    fields_of,
    has_both_names,
    is_sided,
    is_system,
    only_side,
    split,
)
from rankgauge.data.columns import role_of
from rankgauge.data.frames import column_names, is_frame
from rankgauge.data.literal import begins_otherwise
from rankgauge.errors import InputError, ParameterError, RankgaugeError

if TYPE_CHECKING:
    from rankgauge.data.qrels import Qrels
    from rankgauge.data.table import Table

__all__ = [
    "both_of",
    "by_name",
    "holds_both",
    "refuse_absent",
    "refuse_one_side",
    "refuse_separate",
    "same_judgements",
    "sides",
]

_LOOKED_AT = 4096  # bytes that tell what a file could be


def holds_both(obj: Any) -> bool:
    """Whether an object or a file holds both sides."""
    return both_of(obj) is not None


def both_of(obj: Any, columns: Mapping[str, str] | None = None) -> BothSides | None:
    """Both sides of an object or a file; None where it does not hold them."""
    found, where, position = _content(obj)
    return split(found, where, columns=columns, position=position)


def _content(obj: Any) -> tuple[Any, str, Position | None]:
    """What an object or a file holds, how errors call it, and how they call its records."""
    obj = taken_in(obj)
    if not isinstance(obj, (str, PathLike)):
        return obj, INPUT, None
    path = path_of(obj)
    where = Text(f"input {show(path.name)}", f"输入 {show(path.name)}")
    if not _may_hold_both(path):
        return None, where, None
    from rankgauge.data.formats import plain_content

    found, position = plain_content(path)
    return found, where, position


def _may_hold_both(path: Path) -> bool:
    """Whether a file could be JSON or have columns of lists; told by its beginning, for most files are plain text."""
    from rankgauge._unpacked import first_bytes

    if not path.is_file():
        return False
    head = first_bytes(path, _LOOKED_AT).lstrip(b"\xef\xbb\xbf \t\r\n")
    if head.startswith((b"{", b"[", b"(", b"PAR1", b"ARROW1")) or begins_otherwise(head):
        return True
    first = head.partition(b"\n")[0].decode("utf-8", errors="replace")
    return has_both_names(name.strip(' "\r') for name in re.split("[,;\t]", first))


def by_name(obj: Any) -> dict[str, Any] | None:
    """Several that hold both sides, by name: `{"old": records, "new": other_records}`, or a list; None for others."""
    if isinstance(obj, Mapping) and obj:
        if not _may_be_system(next(iter(obj.values()))) or not all(map(_may_be_system, obj.values())):
            return None
        members = {str(name): taken_in(value) for name, value in obj.items()}
        return members if _all_hold_both(list(members.values())) else None
    if isinstance(obj, (list, tuple)) and obj and _all_hold_both(obj):
        from rankgauge.data.many_runs import several

        return several(list(obj))
    return None


def _may_be_system(value: Any) -> bool:
    """Whether the value of a dict could be all that a system retrieved, and not the one target of a query."""
    return os.path.exists(value) if isinstance(value, str) else not isinstance(value, (int, float))


def _all_hold_both(members: Sequence[Any]) -> bool:
    """Whether each holds both sides; some that do and some that do not are no form at all."""
    entries = [m for m in members if isinstance(m, Mapping) and is_sided(m) and not is_system(m)]
    if entries or not holds_both(members[0]):
        return False
    if (odd := next((m for m in members if not holds_both(m)), None)) is not None:
        got = show(as_given(odd)) if isinstance(odd, (str, PathLike)) else type(odd).__name__
        raise InputError(
            Text(
                f"all systems must hold what was retrieved and what is relevant, or none, got {got} among those that "
                "do. Pass judgements and runs, or such records for each.",
                f"要么每个系统都同时给出检索结果和相关文档，要么都不给，但其中有 {got}。请传入标注和 run，"
                "或为每个系统都传入这样的记录。",
            )
        )
    return True


# the doors


def sides(qrels: Any, run: Any, caller: str, columns: Mapping[str, str] | None = None) -> tuple[Any, Any]:
    """Judgements and runs, each on its own, from what a verb was given: both, or what holds both."""
    if run is not None:
        return qrels, run
    qrels = taken_in(qrels)
    if (systems := by_name(qrels)) is not None:
        return same_judgements(systems, columns), systems
    if not holds_both(qrels):
        refuse_absent(qrels)
        _refuse_folder(qrels)
        _refuse_unreadable(qrels)
        refuse_one_side(qrels)
        _refuse_rows(qrels)
        raise ParameterError(
            Text(
                f"{caller}() needs judgements and a run. Only what has 'retrieved' and 'relevant' for each query, or "
                f"records such as those of ragas, holds both.{_found(qrels)}",
                f"{caller}() 需要标注和 run。只有每个查询同时给出 'retrieved' 和 'relevant' 的数据，"
                f"或 ragas 那样的记录，才同时包含两者。{zh(_found(qrels))}",
            )
        )
    return qrels, qrels


def refuse_absent(obj: Any) -> None:
    """Raise where a file is not there, before anybody wonders what it holds."""
    if isinstance(obj, (str, PathLike)) and not path_of(obj).exists():
        from rankgauge.data.formats.opening import open_source

        open_source(path_of(obj), "input")


def _refuse_unreadable(obj: Any) -> None:
    """Raise where a file is empty or damaged: what it holds is not known, and nobody else will read it."""
    if isinstance(obj, (str, PathLike)) and path_of(obj).is_file():
        from rankgauge.data.formats import readable_content

        readable_content(path_of(obj), "qrels")


def refuse_one_side(obj: Any) -> None:
    """Raise where there is one side of each query, under its name, and nowhere the other."""
    found, where, _ = _content(obj)
    there = only_side(found)
    if there is None:
        return
    if there.answer is not None:
        raise InputError(answers_told(where, there.name, there.answer))
    other = next(k for k in SIDES if k != there.kind)
    meant = Text("", "")
    if there.misspelt is not None:
        field, name = there.misspelt
        meant = Text(f" Is {show(field)} meant to be {show(name)}?", f"{show(field)} 是否应为 {show(name)}？")
    raise InputError(
        Text(
            f"{where} has {ITEMS[there.kind]} items ({show(there.name)}) but no {ITEMS[other]} ones.{meant} Pass "
            "judgements and a run, or both sides of each query.",
            f"{zh(where)} 只有{ITEMS[there.kind].zh}（{show(there.name)}），没有{ITEMS[other].zh}。{meant.zh}"
            "请分别传入标注和 run，或为每个查询给出两侧。",
        )
    )


def _refuse_folder(obj: Any) -> None:
    """Raise where each file of a folder, or of a pattern, holds both sides: they are systems, and need their names."""
    if not isinstance(obj, (str, PathLike)) or path_of(obj).is_file():
        return
    from rankgauge.data.formats.folder import files_of

    path = path_of(obj)
    both = [file for file in files_of(path) if holds_both(file)]
    if both:
        some = show_all([f.name for f in both[:3]]) + (", …" if len(both) > 3 else "")
        n = len(both)
        raise InputError(
            Text(
                f"input {show(path.name)} has {n:,} file{'s' if n > 1 else ''} with judgements and results of their "
                f"own ({some}). Pass each by its name, as one system or several: name=FILE on the command line, "
                '{"name": path} in Python.',
                f"输入 {show(path.name)} 中有 {n:,} 个文件本身就含有标注和结果（{some}）。请逐个传入，"
                '作为一个或多个系统：命令行用 名称=文件，Python 用 {"名称": 路径}。',
            )
        )


def _refuse_rows(obj: Any) -> None:
    """Raise where rows have labels and scores: of no ranking, or of one that can be given for both sides."""
    names = _columns(obj)
    roles = {role: n for n in reversed(names) if (role := role_of(n, "predictions")) in ("label", "score")}
    if len(roles) < 2:
        return
    where = _content(obj)[1]
    has = f"{show(roles['label'])}, {show(roles['score'])}"
    if {"query_id", "doc_id"} <= {role_of(n, "run") for n in names}:
        raise ParameterError(
            Text(
                f"{where} has a label and a score in each row ({has}). Pass it twice, as judgements and as run.",
                f"{zh(where)} 的每一行都有标签和得分（{has}）。请把它传入两次，分别作为标注和 run。",
            )
        )
    raise ParameterError(
        Text(
            f"{where} has labels and scores ({has}) and no rankings of queries. Use rg.evaluate_predictions().",
            f"{zh(where)} 是标签和得分（{has}），没有查询的排序。请使用 rg.evaluate_predictions()。",
        )
    )


def _columns(obj: Any) -> list[str]:
    """The names of the columns of a table, or of the fields of its records."""
    if isinstance(obj, (str, PathLike)):
        from rankgauge.data.any_table import open_table

        try:
            return list(open_table(obj, "table").lazy().collect_schema().names())
        except RankgaugeError:
            return []
    found = column_names(obj) if is_frame(obj) else None
    if found is not None:
        return found
    if isinstance(obj, Mapping):
        return fields_of(obj)
    return [str(n) for n in obj[0]] if isinstance(obj, (list, tuple)) and obj and isinstance(obj[0], Mapping) else []


def _found(obj: Any) -> Text:
    """What there is in the place of the sides, for records and tables."""
    names = _columns(obj)
    if not names or len(names) > _MOST_SHOWN:
        return Text("", "")
    return Text(f" Found: {show_all(names)}.", f"找到：{zh(show_all(names))}。")


_MOST_SHOWN = 20  # names of fields; more are the queries of a dict


def same_judgements(systems: Mapping[str, Any], columns: Mapping[str, str] | None) -> Qrels:
    """The judgements that all systems hold; an error names the first query where they differ."""
    from rankgauge.data.qrels import Qrels
    from rankgauge.data.run_source import column_options

    tables = {name: Qrels.of(s, **column_options(s, columns)) for name, s in systems.items()}
    (first, judged), *others = tables.items()
    mine = judged.with_text_ids().to_dict()
    for name, table in others:
        theirs = table.with_text_ids().to_dict()
        for query in [*mine, *theirs]:
            a, b = mine.get(query), theirs.get(query)
            if a != b:
                raise InputError(_different(query, first, a, name, b))
    judged.sources = frozenset(key for table in tables.values() for key in table.sources)
    return judged


def _different(query: str, first: str, a: Any, second: str, b: Any) -> Text:
    names = f"{show(first)} and {show(second)}", f"{show(first)} 与 {show(second)}"
    if a is None or b is None:
        there = first if b is None else second
        return Text(
            f"{names[0]} must hold the same judgements: query {show(query)} is only in {show(there)}.",
            f"{names[1]} 的标注必须相同：查询 {show(query)} 只出现在 {show(there)} 中。",
        )
    item = next(d for d in [*a, *b] if a.get(d) != b.get(d))
    both = ((show(first), a.get(item)), (show(second), b.get(item)))
    got = " and ".join(f"{'nothing' if grade is None else show(grade)} in {n}" for n, grade in both)
    zh = "，".join(f"在 {n} 中{'没有' if grade is None else f'为 {show(grade)}'}" for n, grade in both)
    return Text(
        f"{names[0]} must hold the same judgements: they differ in query {show(query)}, where {show(item)} has {got}.",
        f"{names[1]} 的标注必须相同：查询 {show(query)} 不同，其中 {show(item)} {zh}。",
    )


def refuse_separate(
    judged: Table, qrels: Any, ranking: Table | None = None, run: Any = None, *, instead: Text | None = None
) -> None:
    """Raise where one input holds both sides and the other comes from elsewhere: nobody knows which is meant.

    `qrels` and `run` are what the caller gave: who passes a `Qrels` or a `Run` has taken a side already. `instead` is
    what to write where `run` holds both sides as well.
    """
    from rankgauge.data.table import Table

    if ranking is not None and ranking.sources:
        if not ranking.sources <= judged.sources and not isinstance(run, Table):
            raise ParameterError(_two("run", run, "rg.Run", Text("judgements", "标注")))
    elif judged.sources and not isinstance(qrels, Table):
        if instead is not None and holds_both(run):
            raise ParameterError(
                Text(
                    f"both inputs hold judgements and a run: they are two systems. {instead}",
                    f"两个输入都同时含有标注和 run：它们是两个系统。{zh(instead)}",
                )
            )
        raise ParameterError(_two("qrels", qrels, "rg.Qrels", Text("a run", " run")))


def _two(kind: str, given: Any, takes: str, holds: Text) -> Text:
    called = named(kind, as_given(given)) if isinstance(given, (str, PathLike)) else kind
    return Text(
        f"{called} holds {holds} of its own, and others were given. Pass it alone, or only this side of it: "
        f"{takes}(…) in Python, `rankgauge convert --kind {kind}` in a shell.",
        f"{zh(called)} 本身就含有{zh(holds)}，而另外又给出了一份。请单独传入它，或只取它的这一侧："
        f"Python 中用 {takes}(…)，命令行用 `rankgauge convert --kind {kind}`。",
    )
