"""How things stand by the rules of a project: judged once for each state of the history, not for each who looks."""

from __future__ import annotations

import threading
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from rankgauge.history.judging import alerts

if TYPE_CHECKING:
    from rankgauge.history.alerts import Alerts
    from rankgauge.history.history import History
    from rankgauge.history.rules import AlertRules

__all__ = ["Judged"]

_FRESH = 300
"""Seconds after which what is stale may have become so."""


class Judged:
    """Alerts by project, kept until the history has something new."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._kept: dict[str, tuple[object, Alerts, datetime]] = {}

    def of(self, history: History, project: str, rules: AlertRules) -> tuple[Alerts, datetime]:
        """How everything that these rules watch stands, and when it was judged."""
        now = datetime.now(UTC)
        last = history.events(project=project, kind=("baseline", "tag"), newest_first=True, limit=1)
        newest = history.entries(project=project, newest_first=True, limit=1)
        state = (history.count(project=project), [e.id for e in newest], [e.id for e in last])
        with self._lock:
            kept = self._kept.get(project)
            if kept is None or kept[0] != state or (now - kept[2]).total_seconds() > _FRESH:
                kept = self._kept[project] = (state, alerts(history, rules, project=project, at=now), now)
        return kept[1], kept[2]
