"""Input that makes numbers wrong: nothing else that they seem to say is worth a finding."""

from __future__ import annotations

from rankgauge._claims import together
from rankgauge._text import Text, joined
from rankgauge.diagnosis.rules.base import Seen, Texts, rule
from rankgauge.diagnosis.subjects import Ranked
from rankgauge.evaluation.rankings.suspicion import errors_of

_FIRST = 1e9  # of all that is critical


@rule(
    "suspicious-input",
    "ranking",
    en=Texts(
        title="The input is suspicious: do not trust the numbers",
        seen="{what}",
        why="Numbers of damaged input say nothing about the system, neither good nor bad.",
        check="{try_}",
        do="Repair the input and evaluate again; whatever else these numbers seem to say waits until then.",
    ),
    zh=Texts(
        title="输入可疑：不要相信这些数值",
        seen="{what}",
        why="损坏的输入得出的数值说明不了系统的好坏。",
        check="{try_}",
        do="修复输入后重新评测；在此之前，这些数值看起来说明的其他问题都先放一放。",
    ),
)
def suspicious_input(s: Ranked) -> Seen | None:
    found = errors_of(s.ev.suspicions)
    if not found:
        return None
    space = Text(" ", "")
    said = {"what": together(space, [x.statement for x in found]), "try_": joined(space, [x.try_ for x in found])}
    return Seen("critical", said, [x.code for x in found], importance=_FIRST)
