"""Labels and scores: order, probabilities, thresholds."""

from __future__ import annotations

from math import isnan
from typing import Any

from rankgauge._numbers import share, short
from rankgauge.diagnosis.order_and_probability import share_of_loss
from rankgauge.diagnosis.rules.base import Seen, Texts, rule
from rankgauge.diagnosis.subjects import Scored
from rankgauge.measures.grammar import parse_prediction


@rule(
    "calibrate",
    "predictions",
    en=Texts(
        title="The order is good, the probabilities are off",
        seen="AUC is {auc}{between}, and {mcb} of the log loss comes from wrong probabilities; COPC {copc}.",
        why="Bids, budgets and thresholds take the probability at its word.",
        check="Whether negatives were down-sampled in training, and whether that was corrected.",
        do="Calibrate: rankgauge calibrate judges calibrators on later rows. The order stays as it is.",
    ),
    zh=Texts(
        title="排序好，但概率不准",
        seen="AUC 为 {auc}{between}，对数损失中有 {mcb} 来自概率不准；COPC 为 {copc}。",
        why="出价、预算和阈值都直接使用概率值。",
        check="训练时是否对负样本降采样，是否做过修正。",
        do="做校准：rankgauge calibrate 会用较晚的样本检验校准方法，排序不变。",
    ),
)
def calibrate(s: Scored) -> Seen | None:
    return _case(s, "calibrate", "warning")


@rule(
    "rebuild",
    "predictions",
    en=Texts(
        title="The order is weak and the probabilities are off",
        seen="AUC is {auc}{between}, {mcb} of the log loss comes from wrong probabilities; COPC {copc}.",
        why="Calibration would make the numbers honest, and they would still say little.",
        check="Labels first: delays, wrong joins, leaked or constant features.",
        do="Improve features and training data; calibrate afterwards.",
    ),
    zh=Texts(
        title="排序弱，概率也不准",
        seen="AUC 为 {auc}{between}，对数损失中有 {mcb} 来自概率不准；COPC 为 {copc}。",
        why="校准能让数字诚实，但它们仍然说明不了多少。",
        check="先查标签：延迟、关联错误、特征泄漏或常数特征。",
        do="改进特征和训练数据，之后再校准。",
    ),
)
def rebuild(s: Scored) -> Seen | None:
    return _case(s, "rebuild", "critical")


@rule(
    "uninformative",
    "predictions",
    en=Texts(
        title="The order is weak: the probabilities say little beyond the base rate",
        seen="LogLoss is {loss}, always saying the base rate gives {unc}; AUC is {auc}{between}.",
        why="A loss that looks low may only mean that the base rate is easy to say.",
        check="NE, which divides the base rate out: it is {ne}.",
        do="Judge by NE and AUC, and look for features that separate.",
    ),
    zh=Texts(
        title="排序弱：概率几乎只反映了基准率",
        seen="LogLoss 为 {loss}，始终预测基准率则为 {unc}；AUC 为 {auc}{between}。",
        why="损失看起来低，可能只是因为基准率容易预测。",
        check="看除去基准率影响的 NE：为 {ne}。",
        do="用 NE 和 AUC 评判，寻找有区分力的特征。",
    ),
)
def uninformative(s: Scored) -> Seen | None:
    return _case(s, "uninformative", "warning")


def _case(s: Scored, case: str, severity: str) -> Seen | None:
    r = s.reading
    # an order without an interval is no evidence, and a reversed one is not weak: another rule says so
    if r is None or r.case != case or isnan(s.surely("AUC").low) or s.surely_below("AUC", 0.5):
        return None
    e = {x.name: x.value for x in r.evidence}
    numbers = {
        "auc": s.mean("AUC"),
        "between": s.between("AUC"),
        "mcb": s.figure("share", share_of_loss(s.value("MCB"), s.value("LogLoss")), "MCB / LogLoss", share, 1),
        "copc": s.mean("COPC", digits=2),
        "loss": s.mean("LogLoss", digits=4),
        "unc": s.mean("UNC", digits=4),
        "ne": s.mean("NE"),
    }
    holds = [s.claim("case", case)]
    evidence = [] if r.is_clear else [r.advice[-1]]  # the last one says why the order is not settled
    importance = float(e["MCB / UNC"]) + 0.2
    return Seen(severity if r.is_clear else "note", numbers, evidence, importance=importance, holds=holds)


@rule(
    "reversed-score",
    "predictions",
    en=Texts(
        title="Positives score lower than negatives",
        seen="AUC is {auc}{between}, surely below 0.5.",
        why="The score knows something and says the opposite.",
        check="The sign of the score, and which label is positive.",
        do="Turn it round; an AUC of {turned} is waiting.",
    ),
    zh=Texts(
        title="正样本得分反而更低",
        seen="AUC 为 {auc}{between}，显著低于 0.5。",
        why="得分里有信息，只是方向反了。",
        check="检查得分的符号，以及哪个标签是正样本。",
        do="反转方向，即可得到 {turned} 的 AUC。",
    ),
)
def reversed_score(s: Scored) -> Seen | None:
    if not s.surely_below("AUC", 0.5):
        return None
    auc = s.value("AUC")
    numbers = {"auc": s.mean("AUC"), "between": s.between("AUC"), "turned": s.figure("turned", 1 - auc, "AUC")}
    return Seen("critical", numbers, importance=0.5 - auc, holds=[s.claim("below", 0.5, "AUC")])


@rule(
    "not-probabilities",
    "predictions",
    en=Texts(
        title="The probabilities could not be checked: the scores are none",
        seen="This scenario needs probabilities for {measures}. Some scores are outside [0, 1], or all were called an "
        "order only (scale=score).",
        why="Bids, budgets and thresholds take the probability at its word, and nothing here says whether it is right.",
        check="Whether they are percentages, log-odds, or scores that only order rows.",
        do="Divide percentages by 100, or pass scale=logit for log-odds. Where only the order is used, nothing is "
        "missing.",
    ),
    zh=Texts(
        title="无法检查概率：得分不是概率",
        seen="该场景的 {measures} 需要概率，但有得分超出 [0, 1]，或得分已声明只用于排序（scale=score）。",
        why="出价、预算和阈值都直接使用概率值，而这里无从得知它是否准确。",
        check="得分是百分数、对数几率，还是只用于排序。",
        do="百分数请除以 100；对数几率请传入 scale=logit。如果只用排序，则没有遗漏。",
    ),
)
def not_probabilities(s: Scored) -> Seen | None:
    if s.scenario is None or s.ev.policy.scale != "score":
        return None
    wanted = [m for m in s.scenario.measures if "probabilities" in parse_prediction(m).needs]
    return Seen("warning", {"measures": ", ".join(wanted)}, importance=0.3) if wanted else None


@rule(
    "accuracy-of-imbalance",
    "predictions",
    en=Texts(
        title="Accuracy only mirrors how uneven the classes are",
        seen="Accuracy is {accuracy} at the threshold {threshold}; calling every row the larger class gives "
        "{majority}.",
        why="A model that always names the larger class looks as good.",
        check="Recall at the same threshold: it is {recall}.",
        do="Report PRAUC with the prevalence, or precision and recall at a threshold chosen for its cost.",
    ),
    zh=Texts(
        title="准确率只反映了两类样本有多不均衡",
        seen="阈值 {threshold} 处的准确率为 {accuracy}；全部判为多数类即可得到 {majority}。",
        why="总是判为多数类的模型看起来也一样好。",
        check="看同一阈值的召回率：为 {recall}。",
        do="报告 PRAUC 和正样本比例，或按成本选阈值后的精确率与召回率。",
    ),
)
def accuracy_of_imbalance(s: Scored) -> Seen | None:
    for c in s.ev.columns:
        if not mirrors_imbalance(c):
            continue
        majority, threshold = c.beside["majority class"], c.measure.threshold  # type: ignore[attr-defined]
        recall = f"Recall(threshold={threshold!r})"
        if isnan(s.value(recall)):
            continue
        numbers = {
            "accuracy": s.mean(c.label),
            "threshold": s.figure("given", threshold, "threshold", short, 6),
            "majority": s.figure("share", majority, "larger class"),
            "recall": s.mean(recall),
        }
        return Seen("warning", numbers, importance=majority - 0.5)
    return None


def mirrors_imbalance(c: Any) -> bool:
    """Whether a number is an accuracy that saying the larger class each time reaches, or nearly."""
    if c.measure.name != "Accuracy" or c.reason:
        return False
    majority = c.beside["majority class"]
    return bool(majority >= 0.8 and c.value <= majority + 0.2 * (1 - majority))


@rule(
    "orders-groups",
    "predictions",
    en=Texts(
        title="Much of the AUC orders groups, not the rows inside them",
        seen="AUC is {auc} over all rows and {within} among rows of the same group.",
        why="A list is shown to one user: only the order inside the group can be seen.",
        check="GAUC with the share of rows that it rests on.",
        do="Choose models by the AUC inside groups; features of the user alone cannot raise it.",
    ),
    zh=Texts(
        title="AUC 很大程度上是在区分各组，而不是组内的样本",
        seen="全部样本的 AUC 为 {auc}，同组样本之间为 {within}。",
        why="列表是给一个用户看的，能看到的只有组内排序。",
        check="看 GAUC 以及它覆盖的样本比例。",
        do="按组内 AUC 选模型；只有用户侧的特征无法提升它。",
    ),
)
def orders_groups(s: Scored) -> Seen | None:
    if (s.ev.counts["groups"] if s.sample is None else s.sample.group) is None:
        return None
    inside = "GAUC(weight=pairs)"
    auc, within = s.value("AUC"), s.value(inside)
    if not s.surely("AUC").low > 0.5:  # an order that may be chance orders nothing
        return None
    if not auc - within >= 0.05 or not s.surely_below(inside, s.surely("AUC").low):
        return None
    return Seen("warning", {"auc": s.mean("AUC"), "within": s.mean(inside)}, importance=auc - within)
