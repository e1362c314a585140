"""The sets of questions that LlamaIndex makes for tuning embeddings (`EmbeddingQAFinetuneDataset.save_json`).

    {"queries": {id: text}, "corpus": {node id: text}, "relevant_docs": {id: [node id, …]}}

A node is a document, relevant as a whole.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from rankgauge._show import show
from rankgauge._text import Text
from rankgauge.data.formats.json import decode
from rankgauge.data.formats.opening import Source
from rankgauge.data.formats.question_sets import QuestionSet, question_format
from rankgauge.errors import InputError

__all__ = ["FORMAT", "matches"]

_BEGIN = re.compile(rb'\s*\{\s*"(queries|corpus|relevant_docs|mode)"\s*:')
_PARTS = ("queries", "corpus", "relevant_docs")


def matches(source: Source) -> bool:
    """An object of these three parts, whichever of them is the first."""
    return _BEGIN.match(source.head) is not None and all(f'"{part}"'.encode() in source.data() for part in _PARTS)


def made(source: Source) -> QuestionSet:
    value = decode(source)
    parts = {name: value.get(name) for name in _PARTS}
    if odd := next((name for name, part in parts.items() if not isinstance(part, Mapping)), None):
        raise source.error(
            Text(
                f"{show(odd)} must be an object, got {show(parts[odd])}.",
                f"{show(odd)} 必须是对象，实际为 {show(parts[odd])}。",
            )
        )
    queries, corpus, relevant = parts.values()
    problems: list[str] = []
    for name, texts in (("queries", queries), ("corpus", corpus)):
        problems += [
            Text(
                f"{name} {show(key)}: must be a text, got {show(text)}.",
                f"{name} {show(key)}：必须是文本，实际为 {show(text)}。",
            )
            for key, text in texts.items()
            if not isinstance(text, str)
        ]
    rows: dict[str, list[dict[str, Any]]] = {q: [] for q in queries}
    for q, nodes in relevant.items():
        for node in nodes if isinstance(nodes, list) else [nodes]:
            if q not in queries or node not in corpus:
                what = ("query", q) if q not in queries else ("node", node)
                problems.append(
                    Text(
                        f"relevant_docs {show(q)}: {what[0]} {show(what[1])} is not in the file.",
                        f"relevant_docs {show(q)}：{what[0]} {show(what[1])} 不在文件中。",
                    )
                )
            elif isinstance(corpus[node], str) and corpus[node]:
                rows[q].append({"doc_id": node, "start": 0, "end": len(corpus[node])})
    if problems:
        raise InputError.collect(source.where, problems)
    return QuestionSet(rows, queries, corpus)


FORMAT = question_format("llamaindex", matches, made, order=4)
