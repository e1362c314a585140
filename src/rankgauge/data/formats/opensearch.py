"""What the Search Relevance Workbench of OpenSearch keeps: judgement lists, and the results that its experiments saw.

    {"judgmentRatings": [{"query": "red dress", "ratings": [{"docId": "B07", "rating": "3.000"}, …]}, …]}
    {"searchText": "red dress", "documentIds": ["B07", …], …}

As it was imported or as the search of an index answers (`hits.hits[]._source`); several of the latter in a list, or one
on each line. A query is called by its text, as in the workbench. Ratings are texts there.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from rankgauge._show import show, show_all
from rankgauge._text import Text, zh
from rankgauge.data._places import in_record, within
from rankgauge.data.formats.base import Format, Loaded, Options, register
from rankgauge.data.formats.json import decode, is_lines
from rankgauge.data.formats.jsonl import records_of
from rankgauge.data.formats.lines import is_number
from rankgauge.data.formats.nested import from_records
from rankgauge.data.formats.opening import Source
from rankgauge.errors import InputError

__all__ = ["FORMAT", "matches", "read"]

_JUDGED, _SHOWN = "judgmentRatings", "documentIds"


def matches(source: Source) -> bool:
    """JSON with a key that nobody else has; lists of results also have the text of their query."""
    if source.path.is_dir() or source.head.lstrip()[:1] not in (b"{", b"["):
        return False
    if source.kind == "qrels":
        return f'"{_JUDGED}"'.encode() in source.head
    return f'"{_SHOWN}"'.encode() in source.head and b'"searchText"' in source.head


def read(source: Source, options: Options) -> Loaded:
    """The judgements of the one list that is there, or the results of one search configuration."""
    found = list(_documents(records_of(source)[0] if is_lines(source) else decode(source)))
    wanted = _JUDGED if source.kind == "qrels" else _SHOWN
    held = [d for d in found if isinstance(d.get(wanted), list)]
    if not held:
        raise source.error(Text(f"holds no {show(wanted)} that is a list.", f"中没有作为列表的 {show(wanted)}。"))
    records = _judged(source, held) if source.kind == "qrels" else _shown(source, held)
    return from_records(source, options, FORMAT.name, records, lambda i: in_record(i + 1))


def _documents(value: Any) -> Iterator[Mapping[str, Any]]:
    """Documents of an index, whatever they are wrapped in."""
    if isinstance(value, list):
        for one in value:
            yield from _documents(one)
    elif isinstance(value, Mapping):
        inner = value.get("hits", value.get("_source"))
        if isinstance(inner, (list, Mapping)):
            yield from _documents(inner)
        else:
            yield value


def _judged(source: Source, held: list[Mapping[str, Any]]) -> list[dict[str, Any]]:
    if len(held) > 1:
        names = show_all([str(d.get("name", d.get("id", "?"))) for d in held[:3]])
        raise source.error(
            Text(
                f"holds {len(held)} judgement lists ({names}). Keep one: their ratings may differ.",
                f"中有 {len(held)} 份标注（{zh(names)}）。请只保留一份：它们的评分可能不同。",
            )
        )
    problems: list[str] = []
    out = []
    for i, entry in enumerate(held[0][_JUDGED], 1):
        ratings = entry.get("ratings") if isinstance(entry, Mapping) else None
        if not isinstance(ratings, list):
            problems.append(
                Text(
                    f"record {i} of {_JUDGED}: must have a query and a list of ratings, got {show(entry)}.",
                    f"{_JUDGED} 的第 {i} 条记录：必须有 query 和 ratings 列表，实际为 {show(entry)}。",
                )
            )
            continue
        out.append({"query": entry.get("query"), "relevant": [_rated(r) for r in ratings]})
    if problems:
        raise InputError.collect(within(source.where), problems)
    return out


def _rated(rating: Any) -> Any:
    """A rating with its number, which is kept as text; what is none stays, for whoever checks it."""
    number = rating.get("rating") if isinstance(rating, Mapping) else None
    if isinstance(number, str) and is_number(number.strip()):
        number = float(number)
    return {"doc_id": rating.get("docId"), "grade": number} if isinstance(rating, Mapping) else rating


def _shown(source: Source, held: list[Mapping[str, Any]]) -> list[dict[str, Any]]:
    by = list(dict.fromkeys(str(d["searchConfigurationId"]) for d in held if d.get("searchConfigurationId")))
    if len(by) > 1:
        raise source.error(
            Text(
                f"holds results of {len(by)} search configurations ({show_all(by[:3])}). Keep those of one.",
                f"中有 {len(by)} 个搜索配置的结果（{zh(show_all(by[:3]))}）。请只保留其中一个的。",
            )
        )
    return [{"query": d.get("searchText"), "retrieved": d[_SHOWN]} for d in held]


FORMAT = Format("opensearch", (), matches, read, kinds=("qrels", "run"), order=4, is_particular=True)
register(FORMAT)
