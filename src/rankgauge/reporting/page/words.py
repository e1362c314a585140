"""How verdicts are marked."""

__all__ = ["SIGNS"]

SIGNS = {"good": "▲", "bad": "▼", "same": "=", "open": "?"}
