"""HTTP as uvicorn speaks it, which waits for headers only so long.

uvicorn counts the time between requests, `security.py` that of bodies. A connection that says nothing, or half of its
headers, would stay open for ever, and enough of them would keep everybody else out.
"""

from __future__ import annotations

import asyncio

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

__all__ = ["HEADERS_WITHIN", "Listener"]

HEADERS_WITHIN = 15.0
"""Seconds from the connection, or from the first byte of a later request, to the end of its headers."""


class Listener(H11Protocol):
    """One connection."""

    _waiting: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        super().connection_made(transport)  # type: ignore[arg-type]
        self._wait()

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if self.conn.their_state is h11.IDLE and self.conn.trailing_data[0]:
            self._wait()
        else:
            self._stop_waiting()

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_waiting()
        super().connection_lost(exc)

    def _wait(self) -> None:
        """From now on, unless that is so already: bytes that trickle in win no time."""
        if self._waiting is None:
            self._waiting = self.loop.call_later(HEADERS_WITHIN, self._give_up)

    def _stop_waiting(self) -> None:
        if self._waiting is not None:
            self._waiting.cancel()
            self._waiting = None

    def _give_up(self) -> None:
        self._waiting = None
        if not self.transport.is_closing():
            self.transport.close()
