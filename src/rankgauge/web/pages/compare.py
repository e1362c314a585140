"""Any two entries, compared: the verdict first, as in the report."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from rankgauge._text import Text
from rankgauge.comparison import compare
from rankgauge.errors import InputError, ParameterError, RankgaugeError
from rankgauge.history.entry import Entry
from rankgauge.reporting.page.writing import drawn
from rankgauge.web.drawing import served
from rankgauge.web.pages.series import when
from rankgauge.web.visit import Page, Visit

__all__ = ["compared"]


def compared(visit: Visit) -> Page:
    """`a` is the baseline, `b` what is held against it."""
    picked = visit.every("entry")
    keys = [visit.asked("a"), visit.asked("b")]
    if not any(keys) and picked:
        if len(picked) != 2:
            raise ParameterError(
                Text(f"choose two entries to compare, got {len(picked)}.", f"请选择两条记录，实际为 {len(picked)} 条。")
            )
        keys = picked
    if not all(keys):
        return Page("compare.html", {"entries": None, "note": "", "keys": keys}, Text("Compare", "比较"))
    a, b = (visit.history[key] for key in keys)
    if picked and b.at < a.at:
        a, b = b, a  # from a list: the older one is the baseline
    if a == b:
        raise ParameterError(Text(f"both are {a.id}. Name two entries.", f"两者都是 {a.id}。请给出两条不同的记录。"))
    records, note = _records(a, b)
    about = drawn(records, language=visit.language)
    screens = [(s.id, s.name, served(str(s.html))) for s in about.screens]
    context = {"entries": ((a, when(a)), (b, when(b))), "note": note, "keys": [a.id, b.id]}
    return Page("compare.html", context, about.title, screens=screens)


def _records(a: Entry, b: Entry) -> tuple[list[Any], str]:
    """Their comparison; where they cannot be compared both of them, and why."""
    names = _names(a, b)
    before, after = (_called(e, name) for e, name in zip((a, b), names, strict=True))
    if before is None or after is None:
        raise InputError(
            Text(
                f"evaluations can be compared, and these are {a.kind} and {b.kind}.",
                f"只能比较评测，而这两条是 {a.kind} 和 {b.kind}。",
            )
        )
    try:
        return [compare({names[0]: before, names[1]: after})], ""
    except RankgaugeError as e:
        return [before, after], e.text


def _names(a: Entry, b: Entry) -> tuple[str, str]:
    if a.system != b.system:
        return a.system, b.system
    pairs = [(a.version, b.version), (f"{a.at:%Y-%m-%d}", f"{b.at:%Y-%m-%d}"), (when(a), when(b)), (a.id, b.id)]
    more = next((x, y) for x, y in pairs if x != y)
    return f"{a.system} {more[0]}".strip(), f"{b.system} {more[1]}".strip()


def _called(entry: Entry, name: str) -> Any:
    """The evaluation of an entry under another name; a decision is about one."""
    record: Any = entry.record
    record = getattr(record, "evaluation", record)
    field = {"rankings": "run", "predictions": "model", "classes": "model"}.get(getattr(record, "kind", ""))
    return None if field is None else replace(record, **{field: name})
