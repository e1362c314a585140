"""Retrieval sets of MTEB as folders: `corpus`, `queries` and judgements, each a file or a folder of files.

    corpus/test-00000-of-00001.parquet      id (or _id), title, text
    queries/test-00000-of-00001.parquet     id (or _id), text
    qrels/test-00000-of-00001.parquet       query-id, corpus-id, score; also as `default` or `data`

JSON Lines, CSV and Parquet alike. A document is relevant as a whole. Folders with `qrels/*.tsv` are read as BEIR's.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from rankgauge._show import show_all
from rankgauge._text import Text
from rankgauge.data.document_texts import read_all_texts
from rankgauge.data.formats.opening import Source, visible
from rankgauge.data.formats.question_sets import QuestionSet, of_whole_documents, question_format

__all__ = ["FORMAT", "matches"]

_JUDGED = ("qrels", "default", "data")
_SPLITS = ("test", "dev", "validation", "train")
_SUFFIXES = (".parquet", ".jsonl", ".json", ".csv", ".tsv", ".arrow")


def matches(source: Source) -> bool:
    """A folder with all three parts, which is not BEIR's."""
    if not source.path.is_dir() or any((source.path / "qrels").glob("*.tsv*")):
        return False
    found = (_part(source.path, "corpus"), _part(source.path, "queries"), _judged(source.path))
    return all(part is not None for part in found)


def made(source: Source) -> QuestionSet:
    from rankgauge.data.qrels import Qrels

    corpus, queries, judged = (_part(source.path, "corpus"), _part(source.path, "queries"), _judged(source.path))
    assert corpus is not None
    assert queries is not None
    assert judged is not None
    chosen, others = _split(judged)
    documents = {d: item.text or item.title for d, item in _texts(corpus)}
    asked = {q: item.text or item.title for q, item in _texts(queries)}
    grades = Qrels.of(chosen).to_dict()
    notes: tuple[str, ...] = ()
    if others:
        more = show_all([p.name for p in others])
        notes = (Text(f"read {chosen.name}; there are also {more}", f"读取 {chosen.name}；另有 {more}"),)
    return of_whole_documents(grades, asked, documents, notes)


def _texts(part: Path) -> Any:
    return read_all_texts(part).items()


def _part(folder: Path, name: str) -> Path | None:
    """The folder of a part, or its file."""
    if (folder / name).is_dir():
        return folder / name if _files(folder / name) else None
    return next((p for p in sorted(folder.glob(f"{name}.*")) if p.is_file()), None)


def _judged(folder: Path) -> Path | None:
    return next((found for name in _JUDGED if (found := _part(folder, name)) is not None), None)


def _files(folder: Path) -> list[Path]:
    return [p for p in visible(folder) if p.name.partition(".")[2] and f".{p.name.split('.')[1]}" in _SUFFIXES]


def _split(judged: Path) -> tuple[Path, list[Path]]:
    """The judgements of the test, else of another split; and those that are not read."""
    if judged.is_file():
        return judged, []
    files = _files(judged)
    chosen = next((p for split in _SPLITS for p in files if p.name.startswith(split)), files[0])
    return chosen, [p for p in files if p != chosen]


FORMAT = question_format("mteb", matches, made, order=29)
