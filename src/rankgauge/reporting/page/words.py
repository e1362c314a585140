"""How verdicts are marked."""

__all__ = ["SIGNS", "TONES"]

TONES = {"better": "good", "worse": "bad", "equivalent": "same", "inconclusive": "open"}
SIGNS = {"good": "▲", "bad": "▼", "same": "=", "open": "?"}
