"""How labels and scores were read: what the scores are, what was corrected, which rows belong together.

A new word is a field of `PredictionPolicy`, and a key of `PredictionWords` for those who check types: arguments of
`evaluate_predictions` and its relatives, options of commands and docs/policies.md follow.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Self, TypedDict, Unpack

from rankgauge._text import Text
from rankgauge.errors import ParameterError
from rankgauge.evaluation.policy_fields import Worded, fields_of, number_above, words

__all__ = ["PredictionPolicy", "PredictionWords"]


class PredictionWords(TypedDict, total=False):
    """The words of a policy for labels and scores as keywords; None leaves one as the policy has it."""

    scale: str | None
    negatives_kept: float | None


@dataclass(frozen=True)
class PredictionPolicy(Worded):
    """The contract of numbers over labels and scores: words, and the columns that the rows turned out to have.

    `evaluate_predictions(rows, policy=ev.policy)` takes the words; columns are found in the rows at hand.
    """

    scale: str = words(
        Text("what the scores are", "得分是什么"),
        auto=Text(
            "probabilities if all scores are in [0, 1], otherwise only an order",
            "所有得分都在 [0, 1] 内则视为概率，否则只看顺序",
        ),
        probability=Text("scores are probabilities; one outside [0, 1] is an error", "得分是概率；超出 [0, 1] 是错误"),
        logit=Text("scores are log-odds: p = 1 / (1 + e^-score)", "得分是对数几率：p = 1 / (1 + e^-score)"),
        score=Text("scores order rows and say nothing else", "得分只表示顺序"),
    )
    negatives_kept: float | None = number_above(
        0,
        Text(
            "Share of negatives kept in training: probabilities are corrected for it.",
            "训练时保留的负样本比例：据此修正概率。",
        ),
        at_most=1,
    )
    clusters: str = ""
    """The column whose rows belong together; without one each row stands for itself."""
    weight: str = ""
    """The column of weights, if there is one."""

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.scale == "score" and self.negatives_kept is not None:
            raise ParameterError(
                Text(
                    "`negatives_kept` corrects probabilities; with scale='score' there are none.",
                    "`negatives_kept` 用来校正概率；scale='score' 时没有概率。",
                )
            )

    @classmethod
    def decided(cls, policy: Self | None = None, **changes: Unpack[PredictionWords]) -> Self:
        """The words of a call: those that are given, else those of the policy; without what it recorded of columns."""
        known = {name: getattr(policy, name) for name in fields_of(cls)} if policy is not None else {}
        return cls(**known)._with(changes)

    def of_rows(self, scale: str, clusters: str, weight: str) -> Self:
        """The same once the rows were seen: what their scores are, and which columns they have."""
        return replace(self, scale=scale, clusters=clusters, weight=weight)

    @property
    def words(self) -> Text:
        """As it stands under a table."""
        said = f"{self.told} weight={self.weight}" if self.weight else self.told
        by = Text("intervals by row", "置信区间按行计算")
        if self.clusters:
            by = Text(f"intervals by {self.clusters}", f"置信区间按 {self.clusters} 聚类计算")
        return Text(f"{said} {by.en}", f"{said} {by.zh}")

    def __str__(self) -> str:
        return self.words.en
