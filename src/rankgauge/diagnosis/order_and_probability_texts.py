"""The words of the reading of order and probability, in English and Chinese."""

from __future__ import annotations

__all__ = ["ADVICE", "CASES", "SAYINGS"]

CASES = {
    "en": {
        "ideal": "The order is good and the probabilities are right.",
        "calibrate": "The order is good, the probabilities are off: calibrate.",
        "uninformative": "The probabilities are right on average but say little: the order is weak.",
        "rebuild": "The order is weak and the probabilities are off.",
    },
    "zh": {
        "ideal": "排序能力好，概率也准确。",
        "calibrate": "排序能力好，但概率不准：需要校准。",
        "uninformative": "概率平均而言是准的，但信息量低：排序能力弱。",
        "rebuild": "排序能力弱，概率也不准。",
    },
}
"""What holds, in one sentence."""

SAYINGS = {
    "en": {
        "AUC": "how often a positive scores above a negative",
        "within": "the same among rows of one group",
        "DSC": "uncertainty that the order removes",
        "MCB": "loss that wrong probabilities add, beside UNC: what calibration can save",
        "COPC": "observed over predicted positives; 1 is right on average",
        "ECCE": "chance of such an error if the probabilities were right",
        "LogLoss": "always saying the base rate would give {unc}",
        "NE": "LogLoss over that; below 1 the model helps",
    },
    "zh": {
        "AUC": "正样本得分高于负样本的概率",
        "within": "同一组内的 AUC",
        "DSC": "排序消除的不确定性",
        "MCB": "概率不准增加的损失与 UNC 之比，即校准可以节省的部分",
        "COPC": "实际正样本数 / 预测正样本数，1 表示平均无偏",
        "ECCE": "若概率准确，出现这样误差的可能性",
        "LogLoss": "始终预测基准率时为 {unc}",
        "NE": "LogLoss 与上述值之比，小于 1 说明模型有用",
    },
}
"""What each number says."""

ADVICE = {
    "en": {
        "keep": "Keep the scores as they are; watch COPC by day.",
        "order": "AUC is below {good_auc}: look at features, labels and training data first. Calibration cannot "
        "improve the order.",
        "reversed": "AUC is below 0.5 for sure: check the sign of the score and which label is positive.",
        "chance": "AUC cannot be told from 0.5: this score does not separate positives from negatives on these rows.",
        "all zero": "All probabilities are 0, and {rate} of the rows are positive: check that this column holds what "
        "the model says.",
        "too low": "Predictions are {factor} times too low on average. If negatives were down-sampled in training, "
        "check that this was not corrected twice; otherwise shift the odds.",
        "too high": "Predictions are {factor} times too high on average. If negatives were down-sampled in training, "
        "correct for it (negatives_kept=); otherwise shift the odds.",
        "too sharp": "Predictions are too extreme (slope {slope} on the logit): high ones too high, low ones too low. "
        "Platt or temperature scaling flattens them.",
        "too flat": "Predictions are too timid (slope {slope} on the logit): high ones too low, low ones too high. "
        "Platt or temperature scaling sharpens them.",
        "calibrate": "Calibration could save up to {of_loss} of the log loss without touching the order: "
        "rankgauge calibrate fits on earlier rows and judges on later ones.",
        "immaterial": "There is a real error in the probabilities, but it costs only {mcb} of the uncertainty: "
        "calibrate if bids or budgets use them.",
        "base rate": "A low LogLoss is no merit here: it is about that of always saying the base rate (see NE).",
        "between groups": "Much of the AUC orders groups, not the rows inside them: {auc} overall, {within} inside. "
        "For a ranking shown to one user, the second number counts.",
        "unclear": "AUC's interval contains {good_auc}: with these rows the order is neither good nor weak for sure.",
        "unknown": "AUC has no interval: with these rows the order is neither good nor weak for sure.",
    },
    "zh": {
        "keep": "分数可以直接使用；建议按天监控 COPC。",
        "order": "AUC 低于 {good_auc}：先检查特征、标签和训练数据。校准不能改善排序。",
        "reversed": "AUC 显著低于 0.5：检查分数的符号，以及哪个标签是正样本。",
        "chance": "AUC 与 0.5 无法区分：在这些样本上，该分数不能区分正负样本。",
        "all zero": "所有概率都是 0，而 {rate} 的样本是正样本：请检查该列是否就是模型的输出。",
        "too low": "预测值平均偏低 {factor} 倍。如果训练时对负样本做了降采样，检查是否重复修正；否则平移对数几率。",
        "too high": "预测值平均偏高 {factor} 倍。如果训练时对负样本做了降采样，"
        "请修正（negatives_kept=）；否则平移对数几率。",
        "too sharp": "预测过于极端（logit 斜率 {slope}）：高的偏高，低的偏低。用 Platt 或温度缩放收缩。",
        "too flat": "预测过于保守（logit 斜率 {slope}）：高的偏低，低的偏高。用 Platt 或温度缩放拉开。",
        "calibrate": "校准最多可减少 {of_loss} 的对数损失，且不改变排序："
        "rankgauge calibrate 用较早的样本拟合，用较晚的样本检验。",
        "immaterial": "概率确有误差，但只占不确定性的 {mcb}：如果出价或预算依赖概率，再做校准。",
        "base rate": "这里 LogLoss 低并不说明模型好：它与始终预测基准率差不多（见 NE）。",
        "between groups": "AUC 的很大一部分来自组间排序，而不是组内：整体 {auc}，组内 {within}。"
        "对单个用户的排序，应看后者。",
        "unclear": "AUC 的置信区间包含 {good_auc}：这些样本还不足以断定排序好坏。",
        "unknown": "AUC 没有置信区间：这些样本还不足以断定排序好坏。",
    },
}
"""What to do."""
