"""Numbers in the lines that trec_eval prints, for scripts that read those."""

from __future__ import annotations

from rankgauge.evaluation.record import Column, Evaluation

__all__ = ["trec_lines"]

_SUMMARY_ONLY = ("geometric",)


def trec_lines(ev: Evaluation, *, per_query: bool = False, summary: bool = True) -> str:
    """`name <tab> query <tab> value`, four decimals, as `trec_eval` (with `per_query`, `trec_eval -q`)."""
    lines = []
    if per_query:
        for i, query in enumerate(ev.query_ids):
            for c in ev.columns:
                if c.counted[i] and c.measure.summary not in _SUMMARY_ONLY and c.measure.name != "NumQ":
                    lines.append(_line(c, query, c.values[i]))
    if summary:
        lines.append(f"{'runid':<22}\tall\t{ev.tag or ev.run}")
        lines += [_line(c, "all", ev[c.label]) for c in ev.columns if c.measure.summary != "none"]
    return "\n".join(lines) + "\n"


def _line(c: Column, query: str, value: object) -> str:
    if isinstance(value, str):
        text = f"'{value}'"
    else:
        assert isinstance(value, (int, float))
        text = f"{value:.0f}" if c.measure.summary == "sum" else f"{value:6.4f}"
    return f"{c.label:<22}\t{query}\t{text}"
