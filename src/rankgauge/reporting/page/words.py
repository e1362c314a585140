"""Words that several screens use."""

from rankgauge._text import Text

__all__ = ["SEVERITIES", "SIGNS", "TONES", "VERDICTS"]

SEVERITIES = {
    "critical": Text("critical", "严重"),
    "warning": Text("warning", "警告"),
    "note": Text("note", "提示"),
}
VERDICTS = {
    "better": Text("better", "更好"),
    "worse": Text("worse", "更差"),
    "equivalent": Text("equivalent", "等价"),
    "inconclusive": Text("not clear", "无法判定"),
}
TONES = {"better": "good", "worse": "bad", "equivalent": "same", "inconclusive": "open"}
SIGNS = {"good": "▲", "bad": "▼", "same": "=", "open": "?"}
