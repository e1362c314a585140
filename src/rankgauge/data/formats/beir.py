"""BEIR folders: `corpus.jsonl`, `queries.jsonl`, and judgements in `qrels/<split>.tsv`.

The judgements are tab separated with the header `query-id corpus-id score`, where score is the grade.
A folder gives its `test` split; name the file (`folder/qrels/dev.tsv`) for another. Its queries serve as slices, its
corpus as texts. As spans, what is judged relevant is needed as a whole.
"""

from __future__ import annotations

from pathlib import Path

from rankgauge._text import Text
from rankgauge.data.formats import table
from rankgauge.data.formats.base import Content, Format, Loaded, Options, register
from rankgauge.data.formats.opening import Source, open_source
from rankgauge.data.formats.question_sets import QuestionSet, of_whole_documents

__all__ = ["FORMAT", "file_of_part", "is_folder", "matches", "open_", "read"]

_SPLITS = ("test", "dev", "train")


def matches(source: Source) -> bool:
    """A folder that holds `qrels/` with a split, or the queries of one; where texts are asked for, a corpus."""
    if not source.path.is_dir():
        return False
    if source.kind == "texts":
        return file_of_part(source.path, "corpus") is not None
    return bool(_splits(source.path)) or (source.path / "queries.jsonl").is_file()


def read(source: Source, options: Options) -> Loaded:
    """The judgements of a folder: test, else dev, else train, else the only file there is."""
    if not source.path.is_dir():
        return table.TSV.loaded(source, options)
    if source.kind == "run":
        raise source.error(
            Text(
                "is a BEIR folder: it holds queries and qrels but no run.",
                "是 BEIR 文件夹：其中有查询和 qrels，但没有 run。",
            )
        )
    splits = _splits(source.path)
    if not splits:
        raise source.error(Text("is a BEIR folder without qrels/*.tsv.", "是没有 qrels/*.tsv 的 BEIR 文件夹。"))
    chosen = next((s for s in _SPLITS if s in splits), None)
    if chosen is None and len(splits) > 1:
        raise source.error(
            Text(
                f"has several qrels files ({', '.join(sorted(splits))}); name one of them.",
                f"中有多个 qrels 文件（{', '.join(sorted(splits))}）；请指定其中一个。",
            )
        )
    chosen = chosen or next(iter(splits))
    inner = table.TSV.loaded(open_source(splits[chosen], "qrels"), options)
    others = sorted(set(splits) - {chosen})
    name, more = splits[chosen].name, ", ".join(others)
    note = Text(
        f"read qrels/{name}" + (f"; there are also {more}" if others else ""),
        f"读取 qrels/{name}" + (f"；另有 {more}" if others else ""),
    )
    return Loaded(inner.frame, FORMAT.name, (note, *inner.notes))


def open_(source: Source) -> Content:
    """The queries of a folder; where texts are asked for, its corpus; as spans, all of it."""
    from rankgauge.data.formats import open_file

    if source.kind == "spans":
        return _whole(source)
    part = "corpus" if source.kind == "texts" else "queries"
    if (path := file_of_part(source.path, part)) is None:
        raise source.error(Text(f"is a BEIR folder without {part}.jsonl.", f"是没有 {part}.jsonl 的 BEIR 文件夹。"))
    return open_file(path, source.kind)


def _whole(source: Source) -> QuestionSet:
    """Queries with the documents that are relevant to them; without a corpus these are named only."""
    from rankgauge.data.document_texts import read_all_texts
    from rankgauge.data.qrels import Qrels

    judged = Qrels.of(source.path)
    corpus, queries = (file_of_part(source.path, part) for part in ("corpus", "queries"))
    texts = None if corpus is None else {d: item.text or item.title for d, item in read_all_texts(corpus).items()}
    asked = {} if queries is None else {q: item.text or item.title for q, item in read_all_texts(queries).items()}
    return of_whole_documents(judged.to_dict(), asked, texts, judged.notes)


def is_folder(path: Path) -> bool:
    """Whether this is a folder of BEIR with judgements."""
    return path.is_dir() and bool(_splits(path))


def file_of_part(folder: Path, part: str) -> Path | None:
    """The file with the corpus or the queries of a folder."""
    found = sorted(folder.glob(f"{part}.jsonl*")) or sorted(folder.glob(f"{part}.*"))
    return found[0] if found else None


def _splits(folder: Path) -> dict[str, Path]:
    files = [p for p in (folder / "qrels").glob("*.tsv*") if p.is_file()]
    return {p.name.partition(".")[0]: p for p in sorted(files)}


FORMAT = Format(
    "beir", (), matches, read, kinds=("run", "qrels", "slices", "weights", "texts", "spans"), open=open_, order=30
)
register(FORMAT)
