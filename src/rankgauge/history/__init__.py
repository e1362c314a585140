"""Evaluations over time: kept, found again, drawn as trends, watched."""

from __future__ import annotations

from rankgauge.history.entry import Entry, Event, ListedItem, QueryValue, Summary
from rankgauge.history.history import History

__all__ = ["Entry", "Event", "History", "ListedItem", "QueryValue", "Summary"]
