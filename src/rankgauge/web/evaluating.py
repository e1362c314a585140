"""What was uploaded, evaluated: runs in a process of its own, started by `jobs.py`."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from rankgauge._language import speaking
from rankgauge._text import Text, mapped
from rankgauge._unpacked import limit_unpacked
from rankgauge.errors import RankgaugeError
from rankgauge.web.jobs import Progress, in_all

__all__ = ["evaluated"]

_MOST_UNPACKED = "1GiB"
"""A few kilobytes can hold terabytes."""


def evaluated(
    folder: Path,
    qrels: Path | None,
    runs: Mapping[str, Path],
    records: Mapping[str, Path],
    measures: Sequence[str],
    language: str,
) -> None:
    """Reads, evaluates, draws; whatever goes wrong is said to who waits."""
    progress = Progress(folder)
    limit_unpacked(_MOST_UNPACKED)
    with speaking(language):
        try:
            _work(progress, qrels, runs, records, measures, language)
        except RankgaugeError as e:
            names = {str(p): name for name, p in {**runs, **records}.items()} | ({str(qrels): "qrels"} if qrels else {})
            progress.fail(mapped(lambda words: _with_names(words, folder, names), e.text))
        except MemoryError:
            progress.fail(Text("there is not enough memory for it.", "内存不足。"))
        except Exception as e:
            kind = type(e).__name__
            progress.fail(Text(f"it failed unexpectedly: {kind}.", f"意外出错：{kind}。"))
            raise


def _with_names(text: str, folder: Path, names: Mapping[str, str]) -> str:
    """Messages name files as they are called by who sent them, and no place of this machine."""
    for path, name in names.items():
        text = text.replace(path, name)
        text = text.replace(os.path.basename(path), name)
    return text.replace(f"{folder}{os.sep}", "").replace(str(folder), "")


def _work(
    progress: Progress,
    qrels: Path | None,
    runs: Mapping[str, Path],
    records: Mapping[str, Path],
    measures: Sequence[str],
    language: str,
) -> None:
    from rankgauge.comparison import compare
    from rankgauge.data import Qrels, Run
    from rankgauge.evaluation import evaluate
    from rankgauge.evaluation.loading import load
    from rankgauge.reporting.page.writing import drawn

    progress.say(Text("reading", "读取"))
    found: Any
    kept: list[Any]
    if records:
        kept = [load(path) for path in records.values()]
        found = kept
    else:
        assert qrels is not None
        judged = Qrels.of(qrels)
        lists = {name: Run.of(path, name=name) for name, path in runs.items()}
        progress.say(Text("evaluating", "评测"))
        asked = list(measures) or None
        if len(lists) > 1:
            found = compare(judged, lists, asked)
            kept = list(found.evaluations.values())
        else:
            found = evaluate(judged, next(iter(lists.values())), asked)
            kept = [found]
    progress.say(Text("drawing the report", "绘制报告"))
    about = drawn(found, language=language)
    progress.finish(
        {
            "title": in_all(about.title),
            "screens": [{"id": s.id, "name": in_all(s.name), "html": str(s.html)} for s in about.screens],
            "records": [r.to_dict() for r in kept],
        }
    )
