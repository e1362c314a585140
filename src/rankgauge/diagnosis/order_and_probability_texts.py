"""The words of the reading of order and probability, in English and Chinese."""

from __future__ import annotations

from rankgauge._text import Text

__all__ = ["ADVICE", "CASES", "SAYINGS"]

CASES = {
    ("good", "right"): Text(
        "The order is good and the probabilities are right.",
        "排序能力好，概率也准确。",
    ),
    ("good", "off"): Text(
        "The order is good, the probabilities are off: calibrate.",
        "排序能力好，但概率不准：需要校准。",
    ),
    ("good", "open"): Text(
        "The order is good; too few rows to tell whether the probabilities are right.",
        "排序能力好；样本太少，无法判断概率是否准确。",
    ),
    ("weak", "right"): Text(
        "The probabilities are right on average but say little: the order is weak.",
        "概率平均而言是准的，但信息量低：排序能力弱。",
    ),
    ("weak", "off"): Text(
        "The order is weak and the probabilities are off.",
        "排序能力弱，概率也不准。",
    ),
    ("weak", "open"): Text(
        "The order is weak; too few rows to tell whether the probabilities are right.",
        "排序能力弱；样本太少，无法判断概率是否准确。",
    ),
    ("open", "right"): Text(
        "The probabilities are right on average; too few rows to tell whether the order is good.",
        "概率平均而言是准的；样本太少，无法判断排序能力好坏。",
    ),
    ("open", "off"): Text(
        "The probabilities are off; too few rows to tell whether the order is good.",
        "概率不准；样本太少，无法判断排序能力好坏。",
    ),
    ("open", "open"): Text(
        "Too few rows to tell whether the order is good and whether the probabilities are right.",
        "样本太少，无法判断排序能力好坏，也无法判断概率是否准确。",
    ),
}
"""What holds, in one sentence: of the order, and of the probabilities."""

SAYINGS = {
    "AUC": Text(
        "how often a positive scores above a negative",
        "正样本得分高于负样本的概率",
    ),
    "within": Text(
        "the same among rows of one group",
        "同一组内的 AUC",
    ),
    "DSC": Text(
        "uncertainty that the order removes",
        "排序消除的不确定性",
    ),
    "MCB": Text(
        "loss that wrong probabilities add, beside UNC: what calibration can save",
        "概率不准增加的损失与 UNC 之比，即校准可以节省的部分",
    ),
    "COPC": Text(
        "observed over predicted positives; 1 is right on average",
        "实际正样本数 / 预测正样本数，1 表示平均无偏",
    ),
    "ECCE": Text(
        "chance of such an error if the probabilities were right",
        "若概率准确，出现这样误差的可能性",
    ),
    "LogLoss": Text(
        "always saying the base rate would give {unc}",
        "始终预测基准率时为 {unc}",
    ),
    "NE": Text(
        "LogLoss over that; below 1 the model helps",
        "LogLoss 与上述值之比，小于 1 说明模型有用",
    ),
}
"""What each number says."""

ADVICE = {
    "keep": Text(
        "Keep the scores as they are; watch COPC by day.",
        "得分可以直接使用；建议按天监控 COPC。",
    ),
    "order": Text(
        "AUC is below {good_auc}: look at features, labels and training data first. Calibration "
        "cannot improve the order.",
        "AUC 低于 {good_auc}：先检查特征、标签和训练数据。校准不能改善排序。",
    ),
    "reversed": Text(
        "AUC is below 0.5 for sure: check the sign of the score and which label is positive.",
        "AUC 显著低于 0.5：检查得分的符号，以及哪个标签是正样本。",
    ),
    "perhaps reversed": Text(
        "AUC is {auc}, below 0.5, though not for sure: the score may be reversed. Check its sign and which label is "
        "positive.",
        "AUC 为 {auc}，低于 0.5（尚不能确定）：得分可能反了。检查得分的符号，以及哪个标签是正样本。",
    ),
    "chance": Text(
        "AUC cannot be told from 0.5: this score does not separate positives from negatives on these rows.",
        "AUC 与 0.5 无法区分：在这些样本上，该得分不能区分正负样本。",
    ),
    "all zero": Text(
        "All probabilities are 0, and {rate} of the rows are positive: check that this column "
        "holds what the model says.",
        "所有概率都是 0，而 {rate} 的样本是正样本：请检查该列是否就是模型的输出。",
    ),
    "worse than the base rate": Text(
        "NE is {ne}, above 1: on these rows, always saying the base rate ({rate}) does better.",
        "NE 为 {ne}，大于 1：在这些样本上，始终预测基准率（{rate}）效果更好。",
    ),
    "too low": Text(
        "Predictions are {factor} times too low on average. If negatives were down-sampled "
        "in training, check that this was not corrected twice; otherwise shift the odds.",
        "实际值平均是预测值的 {factor} 倍。如果训练时对负样本做了降采样，检查是否重复修正；否则平移对数几率。",
    ),
    "too high": Text(
        "Predictions are {factor} times too high on average. If negatives were down-sampled "
        "in training, correct for it (negatives_kept=); otherwise shift the odds.",
        "预测值平均是实际值的 {factor} 倍。如果训练时对负样本做了降采样，请修正（negatives_kept=）；否则平移对数几率。",
    ),
    "too sharp": Text(
        "Predictions are too extreme (slope {slope} on the logit): high ones too high, low "
        "ones too low. Platt or temperature scaling flattens them.",
        "预测过于极端（logit 斜率 {slope}）：高的偏高，低的偏低。用 Platt 或温度缩放收缩。",
    ),
    "too flat": Text(
        "Predictions are too timid (slope {slope} on the logit): high ones too low, low "
        "ones too high. Platt or temperature scaling sharpens them.",
        "预测过于保守（logit 斜率 {slope}）：高的偏低，低的偏高。用 Platt 或温度缩放拉开。",
    ),
    "calibrate": Text(
        "Calibration could save up to {of_loss} of the log loss without touching the order: "
        "rankgauge calibrate fits on earlier rows and judges on later ones.",
        "校准最多可减少 {of_loss} 的对数损失，且不改变排序：rankgauge calibrate 用较早的样本拟合，用较晚的样本检验。",
    ),
    "perhaps calibrate": Text(
        "Calibration might save up to {of_loss} of the log loss, or nothing: with these rows that cannot be told from "
        "chance.",
        "校准也许最多可减少 {of_loss} 的对数损失，也可能毫无作用：这些样本无法把它与随机波动区分开。",
    ),
    "immaterial": Text(
        "There is a real error in the probabilities, but it costs only {mcb} of the uncertainty: "
        "calibrate if bids or budgets use them.",
        "概率确有误差，但只占不确定性的 {mcb}：如果出价或预算依赖概率，再做校准。",
    ),
    "base rate": Text(
        "A low LogLoss is no merit here: it is about that of always saying the base rate (see NE).",
        "这里 LogLoss 低并不说明模型好：它与始终预测基准率差不多（见 NE）。",
    ),
    "between groups": Text(
        "Much of the AUC orders groups, not the rows inside them: {auc} overall, {within} "
        "inside. For a ranking shown to one user, the second number counts.",
        "AUC 的很大一部分来自组间排序，而不是组内：整体 {auc}，组内 {within}。对单个用户的排序，应看后者。",
    ),
    "open": Text(
        "With these rows AUC can be told neither from 0.5 nor from {good_auc}: get more rows before judging the order.",
        "这些样本既不能把 AUC 与 0.5 区分开，也不能与 {good_auc} 区分开：判断排序好坏需要更多样本。",
    ),
    "unclear": Text(
        "AUC's interval contains {good_auc}: with these rows the order is neither good nor weak for sure.",
        "AUC 的置信区间包含 {good_auc}：这些样本还不足以断定排序好坏。",
    ),
    "unknown": Text(
        "AUC has no interval: with these rows the order is neither good nor weak for sure.",
        "AUC 没有置信区间：这些样本还不足以断定排序好坏。",
    ),
}
"""What to do."""
