"""Items that are listed or judged more than once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from rankgauge._numbers import short
from rankgauge._text import Text
from rankgauge.data.audit.evidence import Evidence
from rankgauge.data.audit.registry import EXAMPLES, Found, among, are, check, item, items, of


@check(
    "duplicate-results",
    why=Text(
        "A result that counts twice raises precision and pushes others down; trec_eval refuses such a run.",
        "重复计入的结果会抬高精确率并挤占其他结果；trec_eval 拒绝这样的结果文件。",
    ),
    try_=Text(
        "Keep the best place of each item. rankgauge counts the better one and drops the other, or leaves it in its "
        "place with duplicates='keep'.",
        "每个条目只保留最好的位置。rankgauge 取较好的一次，去掉另一次；duplicates='keep' 则让它留在原位。",
    ),
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
                Text(
                    f"{of(count, total, 'results')} {are(count)} in the same list already.",
                    f"{among(count, total, '条结果')}在同一列表中已经出现过。",
                ),
                items(pairs) or _once(run.repeats),
            )


@check(
    "duplicate-judgements",
    why=Text(
        "An item that is judged twice counts twice, and two different grades leave open which one is meant.",
        "标注两次的条目会计入两次；两次等级不同时，无从知道以哪个为准。",
    ),
    try_=Text(
        "Keep one judgement of each item of a query.",
        "每个查询的每个条目只保留一条标注。",
    ),
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
    n = clash.height
    what = Text(
        f"{count:,} {verb} an item that is judged already"
        + (f"; {n:,} of these items have different grades." if n else "."),
        f"{count:,} 条标注重复标注了同一条目" + (f"；其中 {n:,} 个条目的等级不同。" if n else "。"),
    )
    rows = clash.select("query_id", "doc_id", "grade").head(EXAMPLES)
    examples = [_grades(item(q, d), [short(g) for g in grades]) for q, d, grades in rows.iter_rows()]
    examples = examples or items(by_item) or _once(e.qrels.repeats)
    yield Found(e.qrels.name, count, what, examples, "error" if clash.height else "warning")


def _grades(where: Text, grades: Sequence[str]) -> Text:
    return Text(f"{where}: grades {' and '.join(grades)}", f"{where.zh}：等级 {' 与 '.join(grades)}")


def _once(repeats: Sequence[tuple[Any, Any]]) -> list[Text]:
    return [item(*pair) for pair in list(dict.fromkeys(repeats))[:EXAMPLES]]
