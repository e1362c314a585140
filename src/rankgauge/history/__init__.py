"""Evaluations over time: kept, found again, drawn as trends, watched."""

from __future__ import annotations

from rankgauge.history.entry import Entry, Event, ListedItem, QueryValue, Summary
from rankgauge.history.history import History
from rankgauge.history.pruning import Pruned

__all__ = ["Entry", "Event", "History", "ListedItem", "Pruned", "QueryValue", "Summary"]
