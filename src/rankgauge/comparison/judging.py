"""Could judging more undo a verdict? The one writer of that, for headlines and findings."""

from __future__ import annotations

from rankgauge._claims import Statement, claimed, phrase, together
from rankgauge._numbers import share
from rankgauge._text import Text
from rankgauge.comparison.contrast import Contrast
from rankgauge.comparison.record import Comparison
from rankgauge.evaluation.counts import depth_of, judged_key
from rankgauge.evaluation.rankings.record import RankingEvaluation

__all__ = ["could_be_undone", "unjudged_tops"]


_MOST = 0.5


def could_be_undone(c: Comparison, x: Contrast) -> bool:
    """Whether most of the first results of a side are not judged, and judging them could change who wins.

    Not where only right answers were written down: then what is not judged is wrong by design.
    """
    sides = [c.evaluations[name] for name in (x.baseline, x.system)]
    rankings = [ev for ev in sides if isinstance(ev, RankingEvaluation)]
    if x.verdict not in ("better", "worse") or not rankings or rankings[0].has_only_positives is not False:
        return False
    judged = [ev.counts.get(judged_key(ev.counts)) for ev in rankings]
    if not any(part is not None and 1 - part > _MOST for part in judged):
        return False  # asked first: looking at every list takes its time
    winner = c.winner(x.measure, x.system)
    return winner is not None and winner.could_change


def unjudged_tops(c: Comparison, x: Contrast) -> Statement:
    """How much of the top of both sides nobody judged, and that it could decide."""
    sides = {name: ev for name in (x.system, x.baseline) if isinstance(ev := c.evaluations[name], RankingEvaluation)}
    key = judged_key(next(iter(sides.values())).counts)
    shares = {name: 1 - part for name, ev in sides.items() if (part := ev.counts.get(key)) is not None}
    said = [
        phrase("{} of {}", "{1} {0}", claimed(share(part, 0), "share", part, f"un{key}", name), name)
        for name, part in shares.items()
    ]
    told = (
        "Of the first {} results nobody judged {}: judging them could change who wins.",
        "前 {} 条结果中未标注的比例：{}；补标后可能改变胜负。",
    )
    depth = depth_of(key)
    return phrase(*told, claimed(str(depth), "cutoff", depth, f"un{key}"), together(_LIST, said))


_LIST = Text(", ", "，")
