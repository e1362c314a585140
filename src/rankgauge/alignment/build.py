"""From judgements and a run to an alignment, whatever form they come in, with the same result."""

from __future__ import annotations

from rankgauge.alignment.aligned import Aligned
from rankgauge.data import Qrels, Run

__all__ = ["Aligned", "align"]


def align(qrels: Qrels, run: Run, *, ties: str = "doc_id", single: bool = False, duplicates: str = "first") -> Aligned:
    """Rank the judged items of each query; `ties` is `"doc_id"` or `"input"`.

    `single=True` compares scores in single precision, as trec_eval 9 does. `duplicates="keep"` leaves results that
    show an item again in their places, anything else takes them out. Queries are those of the judgements, in
    their order.
    """
    if qrels.shape is not None and run.shape is not None:
        from rankgauge.data.matrices import refuse_misfit

        refuse_misfit(qrels.shape, run.shape, run.name)
    keep = duplicates == "keep"
    in_dicts = qrels.is_mapping and run.is_mapping and not (keep and run.repeated)  # a dict has each item once
    if qrels.has_numbers and run.has_numbers and not (in_dicts or qrels.has_groups):
        from rankgauge.alignment.from_numbers import align_numbers

        found = align_numbers(qrels, run, ties, single)
        if found is not None:
            return found
    qrels = qrels.settled()
    if qrels.text is not None and run.text is not None:
        from rankgauge.alignment.from_text import align_text

        found = align_text(qrels.text, run.text, ties, single)
        if found is not None:
            return found
    if in_dicts:
        from rankgauge.alignment.from_mappings import align_mappings

        if qrels.ids != run.ids or qrels.ids == "mixed":
            qrels, run = qrels.with_text_ids(), run.with_text_ids()
        return align_mappings(qrels, run, ties, single)
    from rankgauge.alignment.from_columns import align_columns

    return align_columns(qrels, run, ties, single, keep=keep)
