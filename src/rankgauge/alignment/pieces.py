"""Rows piece by piece, handed on to measures, which do not know `data`."""

from rankgauge.data.pieces import in_pieces, in_queries

__all__ = ["in_pieces", "in_queries"]
