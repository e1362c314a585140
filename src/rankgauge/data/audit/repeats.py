"""Items that are listed or judged more than once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from rankgauge.data.audit.evidence import Evidence
from rankgauge.data.audit.registry import EXAMPLES, Found, are, check, item, items, of


@check(
    "duplicate-results",
    why="A result that counts twice raises precision and pushes others down; trec_eval refuses such a run.",
    try_="Keep the best place of each item. rankgauge counts the better one and drops the other.",
)
def _duplicate_results(e: Evidence) -> Iterator[Found]:
    for run in e.runs:
        rows = run.repeated()
        pairs = rows.select("query_id", "doc_id").unique(maintain_order=True)
        count = rows.height - pairs.height + max(run.dropped, len(run.repeats))
        if count:
            total = run.frame.height + (count if rows.is_empty() else 0)
            yield Found(
                run.name,
                count,
                f"{of(count, total, 'results')} {are(count)} in the same list already.",
                items(pairs) or _once(run.repeats),
            )


@check(
    "duplicate-judgements",
    why="An item that is judged twice counts twice, and two different grades leave open which one is meant.",
    try_="Keep one judgement of each item of a query.",
)
def _duplicate_judgements(e: Evidence) -> Iterator[Found]:
    import polars as pl

    keys = ["query_id", "doc_id", *(["iteration"] if e.qrels.headings else [])]
    rows = e.qrels.repeated(keys)
    by_item = rows.group_by(keys, maintain_order=True).agg(pl.col("grade").unique(maintain_order=True))
    clash = by_item.filter(pl.col("grade").list.len() > 1)
    count = rows.height - by_item.height + max(e.qrels.dropped, len(e.qrels.repeats))
    if not count:
        return
    verb = "judgement repeats" if count == 1 else "judgements repeat"
    what = f"{count:,} {verb} an item that is judged already"
    what += f"; {clash.height:,} of these items have different grades." if clash.height else "."
    examples = [
        f"{item(q, d)}: grades {' and '.join(f'{g:g}' for g in grades)}"
        for q, d, grades in clash.select("query_id", "doc_id", "grade").head(EXAMPLES).iter_rows()
    ]
    examples = examples or items(by_item) or _once(e.qrels.repeats)
    yield Found(e.qrels.name, count, what, examples, "error" if clash.height else "warning")


def _once(repeats: Sequence[tuple[Any, Any]]) -> list[str]:
    return [item(*pair) for pair in list(dict.fromkeys(repeats))[:EXAMPLES]]
