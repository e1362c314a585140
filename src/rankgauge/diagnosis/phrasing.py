"""A comparison as sentences for a report: what changed, by how much, how sure, and what that means."""

from __future__ import annotations

from math import isnan

from rankgauge._show import show
from rankgauge.comparison.contrast import Contrast
from rankgauge.comparison.record import Comparison
from rankgauge.errors import ParameterError

__all__ = ["sentences"]

_SIDES = {
    "R": "coverage",
    "Hit": "coverage",
    "nDCG": "order",
    "RR": "first",
    "AP": "order",
    "P": "purity",
    "AUC": "scores",
    "LogLoss": "probabilities",
}
_MEANING = {
    "en": {
        "coverage": ("more of what is relevant is found", "less of what is relevant is found"),
        "order": ("relevant results stand higher", "relevant results stand lower"),
        "first": ("the first relevant result comes earlier", "the first relevant result comes later"),
        "purity": ("fewer irrelevant results are shown", "more irrelevant results are shown"),
        "scores": ("positives and negatives are better separated", "positives and negatives are less separated"),
        "probabilities": ("the probabilities are better", "the probabilities are worse"),
        "": ("it is better", "it is worse"),
    },
    "zh": {
        "coverage": ("相关内容找得更全", "相关内容找得更少"),
        "order": ("相关结果更靠前", "相关结果更靠后"),
        "first": ("第一个相关结果来得更早", "第一个相关结果来得更晚"),
        "purity": ("无关结果更少", "无关结果更多"),
        "scores": ("正负样本区分得更好", "正负样本区分得更差"),
        "probabilities": ("概率更准", "概率更不准"),
        "": ("有所改善", "有所变差"),
    },
}


def sentences(comparison: Comparison, language: str = "en") -> list[str]:
    """One sentence for each measure and system, with interval and n; an unclear difference is called that.

    "R@100 from 0.620 to 0.700 (+0.052 … +0.108, 200 queries): more of what is relevant is found."
    """
    if language not in _MEANING:
        raise ParameterError(f"`language` must be one of {', '.join(_MEANING)}, got {show(language)}.")
    several = len(comparison.systems) > 1
    return [(f"{c.system}: " if several else "") + _sentence(c, comparison, language) for c in comparison.contrasts]


def _sentence(c: Contrast, comparison: Comparison, language: str) -> str:
    m = comparison.evaluations[comparison.baseline].column(c.measure).measure
    better, worse = _MEANING[language][_SIDES.get(m.name, "")]
    low, high = c.interval
    interval = "" if isnan(low) else f"{low:+.3f} … {high:+.3f}, "
    if language == "zh":
        said = {
            "better": better,
            "worse": worse,
            "equivalent": f"差异在 {c.margin or 0:g} 以内，可视为等价",
            "inconclusive": "差异尚不明确" + (f"，约需再增加 {c.more:,} 个查询" if c.more else ""),
        }[c.verdict]
        unit = "个查询" if comparison.evaluations[comparison.baseline].kind == "rankings" else "个单位"
        return f"{c.measure} 从 {c.mean_baseline:.3f} 变为 {c.mean:.3f}（{interval}{c.n:,} {unit}）：{said}。"
    said = {
        "better": better,
        "worse": worse,
        "equivalent": f"the same within {c.margin or 0:g}",
        "inconclusive": "not a clear difference" + (f"; about {c.more:,} more would settle it" if c.more else ""),
    }[c.verdict]
    unit = "queries" if comparison.evaluations[comparison.baseline].kind == "rankings" else "units"
    return f"{c.measure} from {c.mean_baseline:.3f} to {c.mean:.3f} ({interval}{c.n:,} {unit}): {said}."
