"""The ids of judged items, in the order in which alignments number them."""

from __future__ import annotations

from collections.abc import Callable

from rankgauge._typing import Array
from rankgauge.data import Qrels
from rankgauge.data.mappings import id_text

__all__ = ["item_names"]


def item_names(judged: Qrels, rows: Array) -> Callable[[], list[str]]:
    """The ids of some judged items, numbered as alignments number them; looked up when called."""

    def names() -> list[str]:
        if judged.text is not None:
            return judged.text.ids(rows)
        if judged.is_mapping:
            ids = [d for row in judged.to_dict().values() for d in row]
            return [id_text(ids[i]) for i in rows.tolist()]
        import polars as pl

        per_query = judged.to_frame().group_by("query_id", maintain_order=True)
        found: list[str] = (
            per_query.agg(pl.col("doc_id").unique(maintain_order=True)).explode("doc_id")["doc_id"].gather(rows)
        ).to_list()
        return found

    return names
