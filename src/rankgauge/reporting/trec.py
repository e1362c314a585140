"""Numbers in the lines that trec_eval prints, for scripts that read those."""

from __future__ import annotations

from rankgauge.evaluation.rankings.naming import in_trec_order
from rankgauge.evaluation.rankings.record import Column, RankingEvaluation

__all__ = ["trec_lines"]


def trec_lines(ev: RankingEvaluation, *, per_query: bool = False, summary: bool = True) -> str:
    """`name <tab> query <tab> value`, four decimals, as `trec_eval` (with `per_query`, `trec_eval -q`).

    The measures come in trec_eval's order, whatever the order in which they were asked for.
    """
    lines = []
    columns = [ev.column(label) for label in in_trec_order(c.label for c in ev.columns)]
    if per_query:
        for i in sorted(range(len(ev.query_ids)), key=lambda i: ev.query_ids[i].encode()):
            query = ev.query_ids[i]
            lines += [_line(c, query, c.values[i]) for c in columns if c.counted[i] and _has_query_lines(c)]
    if summary:
        lines.append(f"{'runid':<22}\tall\t{ev.tag or ev.run}")
        lines += [_line(c, "all", ev[c.label]) for c in columns if c.measure.summary != "none"]
    return "\n".join(lines) + "\n"


def _has_query_lines(c: Column) -> bool:
    return c.measure.summary not in ("geometric", "run") and c.measure.name != "NumQ"


def _line(c: Column, query: str, value: object) -> str:
    if isinstance(value, str):
        text = f"'{value}'"
    else:
        assert isinstance(value, (int, float))
        text = f"{value:.0f}" if c.measure.summary == "sum" else f"{value:6.4f}"
    return f"{c.label:<22}\t{query}\t{text}"
