"""Input that makes numbers wrong: nothing else that they seem to say is worth a finding."""

from __future__ import annotations

from rankgauge._claims import claims_of
from rankgauge._text import Text, in_language, joined
from rankgauge.diagnosis.rules.base import Seen, Texts, rule
from rankgauge.diagnosis.subjects import Ranked
from rankgauge.evaluation.suspicion import errors_of

_FIRST = 1e9  # before every other finding


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
        seen="{what_zh}",
        why="损坏的输入得出的数值说明不了系统的好坏。",
        check="{try_zh}",
        do="修复输入后重新评估；在此之前，这些数值看起来说明的其他问题都先放一放。",
    ),
)
def suspicious_input(s: Ranked) -> Seen | None:
    found = errors_of(s.ev.suspicions)
    if not found:
        return None
    both = Text(" ", "")
    what, try_ = joined(both, [x.statement for x in found]), joined(both, [x.try_ for x in found])
    words = {"what": what, "try_": try_}
    numbers = {key: in_language(text, "en") for key, text in words.items()}
    numbers |= {key.rstrip("_") + "_zh": in_language(text, "zh") for key, text in words.items()}
    holds = [claim for x in found for claim in claims_of(x.statement)]
    return Seen("critical", numbers, [x.code for x in found], importance=_FIRST, holds=holds)
