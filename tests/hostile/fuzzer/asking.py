"""A retriever that always answers alike, for seeds that ask one, and the documents that its pieces are of."""

from __future__ import annotations

__all__ = ["DOCUMENTS", "find"]

DOCUMENTS = {
    d: f"Of {d} it is said: 答案 number {d} stands here."
    for d in (*(f"d{i:02d}" for i in range(10)), "商品-1", "0042", "x_y")
}


def find(query: str, k: int) -> list[str]:
    """Texts of documents, from one on that the query chooses."""
    texts = list(DOCUMENTS.values())
    first = len(query) % len(texts)
    return [*texts[first:], *texts[:first]][:k]
