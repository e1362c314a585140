"""What a system of a project is held against: an evaluation of the store, or a file."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from os import PathLike
from typing import Any

from rankgauge._records import Record
from rankgauge._show import show
from rankgauge._text import Text, zh
from rankgauge.errors import InputError, RankgaugeError, UnknownName
from rankgauge.history.entry import Entry
from rankgauge.history.history import History
from rankgauge.history.judging import baselines

__all__ = ["FIRST", "REGRESSION", "UNSETTLED", "Baseline", "baseline_of"]

FIRST = Text(
    "no baseline yet: rules against it count from the next run on", "还没有基线：与基线比较的规则从下次运行起生效"
)
REGRESSION, UNSETTLED = "regression", "unsettled"
"""The label `gate` of an evaluation that a rule against its baseline failed, or did not let pass."""
NO_BASELINE = (REGRESSION, UNSETTLED)
"""Labels of evaluations that are not the baseline of the next run: a loss that was not sure would be none there."""
_WORDS = ("previous", "acknowledged")
_PAGE = 100


@dataclass(frozen=True)
class Baseline:
    """The evaluation, what it is called, and whether the user chose exactly this one."""

    record: Any
    name: str
    is_chosen: bool


def baseline_of(
    said: str | None,
    history: History,
    project: str,
    system: str,
    dataset: str,
    kind: str,
    at: datetime,
    file: str | PathLike[str] | None = None,
) -> Baseline | None:
    """The baseline that a project asks for; None where the store has none yet.

    `previous` is the newest evaluation that the rules against its own baseline let pass, so that a loss does not become
    the baseline of the next run by being stored; an acknowledged one counts whatever its gate said. `acknowledged` is
    the one that somebody accepted last, or else tagged `baseline`, else the first.
    """
    if said is None:
        return None
    if said in _WORDS:
        entry = _previous(history, project, system, dataset, kind, at) if said == "previous" else None
        if said == "acknowledged":
            entry = _acknowledged(history, project, system, dataset, kind, at)
        return None if entry is None else Baseline(entry.record, entry.id, is_chosen=False)
    where, colon, name = said.partition(":")
    if colon and where in ("tag", "entry"):
        try:
            entry = history[name]
        except UnknownName as e:
            raise InputError(Text(f"baseline {show(said)}: {e.text}", f"基线 {show(said)}：{zh(e.text)}")) from e
        if entry.kind != kind:
            raise InputError(
                Text(
                    f"baseline {show(said)} must be an entry of kind {kind}, got {entry.kind}.",
                    f"基线 {show(said)} 必须是 {kind} 类型的记录，实际为 {entry.kind}。",
                )
            )
        return Baseline(entry.record, entry.id, is_chosen=True)
    return Baseline(_of_file(str(said if file is None else file), kind), said, is_chosen=True)


def _of_file(path: str, kind: str) -> Record:
    from rankgauge.evaluation.loading import load

    try:
        found: Any = load(path)
    except RankgaugeError as e:
        raise InputError(Text(f"baseline: {e.text}", f"基线：{zh(e.text)}")) from e
    if getattr(found, "kind", "") != kind:
        got = getattr(found, "kind", type(found).__name__)
        raise InputError(
            Text(
                f"baseline {show(path)} must be a stored evaluation of kind {kind}, got {got}.",
                f"基线 {show(path)} 必须是保存的 {kind} 评测，实际为 {got}。",
            )
        )
    record: Record = found
    return record


def _previous(history: History, project: str, system: str, dataset: str, kind: str, at: datetime) -> Entry | None:
    accepted = {e.entry for e in history.events(kind="baseline", project=project)}
    ours = _before(history, at, newest_first=True, project=project, system=system, dataset=dataset, kind=kind)
    return next((e for e in ours if e.labels.get("gate") not in NO_BASELINE or e.id in accepted), None)


def _acknowledged(history: History, project: str, system: str, dataset: str, kind: str, at: datetime) -> Entry | None:
    known = baselines(history, project).get((system, dataset))
    if known is not None and known[0].kind == kind and known[0].at < at:
        return known[0]
    return next(_before(history, at, project=project, system=system, dataset=dataset, kind=kind), None)


def _before(history: History, at: datetime, **about: Any) -> Iterator[Entry]:
    """Entries before this moment that have all their values, read page by page."""
    skip = 0
    while found := history.entries(until=at, limit=_PAGE, skip=skip, **about):
        yield from (e for e in found if e.at < at and not e.is_pruned)
        skip += len(found)
