"""What casts doubt on numbers, where nobody can miss it: above them."""

from __future__ import annotations

from collections.abc import Iterable

from rankgauge._claims import Statement
from rankgauge._text import Text
from rankgauge.evaluation.rankings.suspicion import Suspicion, errors_of
from rankgauge.reporting.grid import Section
from rankgauge.reporting.words import about, phrase

__all__ = ["alarm", "alarms_and_doubts", "doubts", "sections_of_suspicions"]

_TRY = Text("Try", "建议")


def alarm(s: Suspicion) -> Statement:
    """An error of the input as a headline."""
    return s.said_as("Do not trust the numbers of {system}: {what}", "不要相信 {system} 的数值：{what}")


def sections_of_suspicions(suspicions: Iterable[Suspicion]) -> list[Section]:
    """A section for each error of the input, to stand before everything else."""
    return [
        Section(title=alarm(s), tone="bad", notes=[about(_TRY, s.try_)], legend=[alarm(s)])
        for s in errors_of(suspicions)
    ]


def alarms_and_doubts(suspicions: Iterable[Suspicion]) -> list[Text]:
    """All of it as lines, the errors first."""
    found = list(suspicions)
    return [*map(alarm, errors_of(found)), *doubts(found)]


def doubts(suspicions: Iterable[Suspicion], accepted: Iterable[str] = ()) -> list[Text]:
    """What was accepted, and what makes numbers doubtful but not wrong, each with what to do."""
    found, codes = list(suspicions), set(accepted)
    stands = [s for s in found if s.severity == "accepted" or (s.severity == "error" and s.code in codes)]
    warned = [s for s in found if s.severity == "warning"]
    return [
        *(phrase("accepted: {}", "已接受：{}", s.statement) for s in stands),
        *(phrase("{} {}: {}", "{} {}：{}", s.statement, _TRY, s.try_) for s in warned),
    ]
