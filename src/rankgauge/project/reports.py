"""The pages of a project: what came of it, and the evaluations of each dataset."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from os import PathLike
from pathlib import Path
from typing import Any

from rankgauge.gate.result import GateResult
from rankgauge.project.file import Project
from rankgauge.project.measuring import Measured
from rankgauge.project.record import ProjectRun
from rankgauge.reporting.page import report as page

__all__ = ["write_reports"]


def write_reports(
    p: Project,
    run: ProjectRun,
    found: Mapping[tuple[str, str], Measured],
    path: str | PathLike[str] | None = None,
) -> tuple[str, ...]:
    """Writes the page that was asked for; of several datasets each has a page of its own beside it."""
    if path is None:
        if p.tables.report is None:
            return ()
        path = p.at(p.tables.report)
    first = Path(path)
    datasets = list(dict.fromkeys(r.dataset for r in run.results))
    about: dict[str, Any] = {"language": p.tables.language, "title": p.name}
    written = []
    if len(datasets) == 1:
        return (page([run, *_records(found, datasets[0])], first, **about, **_texts(p, datasets[0])),)
    written.append(page(run, first, **about))
    there = {d for d, _ in found}
    names = _file_names(datasets)
    for dataset in (d for d in datasets if d in there):
        beside = first.with_name(f"{first.stem}-{names[dataset]}{first.suffix}")
        title = f"{p.name} · {dataset}"
        written.append(page(_records(found, dataset), beside, **{**about, "title": title}, **_texts(p, dataset)))
    return tuple(written)


def _records(found: Mapping[tuple[str, str], Measured], dataset: str) -> list[Any]:
    """The evaluations of a dataset; a system that is alone with its gate."""
    here = [one for (d, _), one in found.items() if d == dataset]
    gates = [one.decision for one in here if one.decision is not None]
    beside = [one.collected for one in here if one.collected is not None]
    if len(here) == 1 and isinstance(gates[0] if gates else None, GateResult):
        return [gates[0], *beside]
    together: list[Any] = [one.evaluation for one in here]
    if len(together) > 1:
        together = [_as_one(here)]
    return [*together, *gates[: 1 if len(here) == 1 else 0], *beside]


def _as_one(here: list[Measured]) -> Any:
    """Evaluations of several systems, which a page compares where they can be."""
    from rankgauge.evaluation.predictions.record import PredictionEvaluations
    from rankgauge.evaluation.rankings.record import RankingEvaluation, RankingEvaluations

    evaluations = [one.evaluation for one in here]
    if isinstance(evaluations[0], RankingEvaluation):
        return RankingEvaluations({ev.run: ev for ev in evaluations})
    return PredictionEvaluations({ev.model: ev for ev in evaluations})


def _texts(p: Project, dataset: str) -> dict[str, Any]:
    data = p.tables.datasets[dataset]
    out: dict[str, Any] = {}
    if p.tables.scenario is not None:
        out["scenario"] = p.tables.scenario
    if data.documents is not None:
        out["documents"] = p.at(data.documents)
    if data.questions is not None:
        out["queries"] = p.at(data.questions)
    return out


def _file_name(name: str) -> str:
    """A name that any file system takes."""
    return re.sub(r"[^\w.-]+", "_", name).strip("._") or "dataset"


def _file_names(datasets: Sequence[str]) -> dict[str, str]:
    """Of each dataset one of its own, also where files of the same name would not hold what tells them apart."""
    out: dict[str, str] = {}
    for dataset in datasets:
        name, n = _file_name(dataset), 1
        while name.casefold() in {x.casefold() for x in out.values()}:
            n += 1
            name = f"{_file_name(dataset)}-{n}"
        out[dataset] = name
    return out
