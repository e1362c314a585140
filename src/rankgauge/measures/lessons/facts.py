"""Sentences that hold for many measures, each stated once.

`tests/measures/test_lessons.py` has a check for each, and computes it for every measure that says it.
"""

from __future__ import annotations

from rankgauge._text import Text

# rankings: order

TOP_HEAVY = Text(
    "The top counts most: ranks 1 and 2 changing places costs more than ranks 9 and 10 changing places.",
    "越靠前越重要：第 1、2 位互换的损失大于第 9、10 位互换。",
)
ORDER_BLIND = Text(
    "Blind to order inside the cutoff: a relevant result counts the same at rank 1 and at rank k.",
    "不看截断以内的顺序：相关结果排第 1 位和排第 k 位一样计。",
)
ORDER_BLIND_WHOLE = Text(
    "Blind to order: only what the list holds counts, not where.",
    "不看顺序：只看列表里有什么，不看排在哪里。",
)
FIRST_ONLY = Text(
    "Blind to everything after the first relevant result: a second and third good answer change nothing.",
    "首个相关结果之后一概不看：第二、第三个好答案都不影响数值。",
)
LENGTH_HELPS = Text(
    "A longer list never lowers it, so compare systems only at the same k.",
    "列表加长不会使它下降，因此只能在相同的 k 下比较系统。",
)

# rankings: grades

GRADED = Text(
    "Sees grades: a better result counts more than one that is just relevant.",
    "看相关性等级：更好的结果比勉强相关的结果贡献更大。",
)
GRADE_BLIND = Text(
    "Blind to grades: a perfect answer and one that is just relevant count the same.",
    "不看相关性等级：完美答案与勉强相关的答案一样计。",
)
GAINS_DECIDE = Text(
    "The gains are a choice: gain=exponential gives the best grades far more weight, and another number.",
    "增益是人为选择：gain=exponential 会大幅提高最高等级的权重，得到另一个数值。",
)

# rankings: what is missing, what is not judged

MISSES_COUNT = Text(
    "Relevant items that the list misses lower it.",
    "漏掉相关条目会使它下降。",
)
MISSES_UNSEEN = Text(
    "Does not see what is missing: relevant items that the list does not show cost nothing.",
    "看不到遗漏：列表没有展示的相关条目不扣分。",
)
UNJUDGED_AS_WRONG = Text(
    "Results that nobody judged count as not relevant, so it is hard on a system that finds new items: read it "
    "with Judged@k.",
    "没有标注的结果按不相关计，对能找到新条目的系统偏严：请与 Judged@k 一起看。",
)
UNJUDGED_LEFT_OUT = Text(
    "Results that nobody judged change nothing, so it bears incomplete judgements.",
    "没有标注的结果不影响数值，因此能容忍标注不完整。",
)
NEEDS_NONRELEVANT = Text(
    "Needs items that were judged not relevant; judgements made of clicks or gold answers often have none.",
    "需要有标注为不相关的条目；由点击或标准答案得到的标注往往没有。",
)
NEEDS_SUBTOPICS = Text(
    "Needs judgements by subtopic, which are costly to make.",
    "需要按子主题标注，标注成本高。",
)
NOVELTY = Text(
    "A result that serves a need again counts less than one that serves it first.",
    "重复满足同一需求的结果，贡献小于首次满足的结果。",
)

# rankings: scale

REACHES_ONE = Text(
    "A perfect list has 1 whatever is judged, so that queries can be averaged and compared.",
    "无论标注如何，完美列表都是 1，因此可以在查询之间取平均和比较。",
)
CEILING = Text(
    "A perfect list can stay below 1: what a query can reach depends on how much is relevant to it.",
    "完美列表也可能低于 1：一个查询能达到多少取决于它有多少相关条目。",
)
UNBOUNDED = Text(
    "Has no upper bound: numbers compare only on the same judgements, and queries with many relevant items rule "
    "the mean.",
    "没有上限：只能在同一份标注上比较，且相关条目多的查询主导均值。",
)
YES_OR_NO = Text(
    "Only 0 or 1 for a query, so that small improvements do not show and many queries are needed.",
    "单个查询只有 0 或 1，小的改进看不出来，需要较多查询。",
)
GEOMETRIC = Text(
    "A query that goes from bad to fair moves it more than one that goes from good to better by as much.",
    "差的查询略有起色，比好的查询提高同样多，对它的影响更大。",
)
NO_MEAN_OF_QUERIES = Text(
    "One number for the whole set, without a value for a single query of its own.",
    "整个查询集只有一个数，单个查询没有自己的值。",
)
DESCRIBES = Text(
    "Says how much there is, not how good it is.",
    "只说明有多少，不说明好不好。",
)

# labels and scores: order and probabilities

ORDER_ONLY = Text(
    "Only the order of the scores counts, so that logits, probabilities and any increasing function of them give "
    "the same number.",
    "只看得分的先后，因此 logit、概率或其任意递增变换都得到同一个数。",
)
PROBABILITY_BLIND = Text(
    "Does not see whether probabilities are right: halve them all, and it stays.",
    "看不出概率是否正确：把所有概率减半，数值不变。",
)
SEES_PROBABILITIES = Text(
    "Sees whether probabilities are right: halve them all, and it changes.",
    "能看出概率是否正确：把所有概率减半，数值会变。",
)
ORDER_UNSEEN = Text(
    "Does not see the order: a model that gives every row the same, right rate is perfect here.",
    "看不到排序：对每一行都给出同一个正确基准率的模型，在这里就是完美的。",
)
PAIRS_ALIKE = Text(
    "Every pair counts the same: a mistake at the bottom of the list costs as much as one at the top.",
    "每一对样本同等看待：列表底部的错误与顶部的错误损失相同。",
)
TOP_SCORES = Text(
    "Mistakes among the highest scores cost more than those among the lowest.",
    "高分段的错误比低分段的错误损失更大。",
)
HALF_AT_RANDOM = Text(
    "A score that says nothing has 0.5, whatever the share of positives.",
    "毫无信息的得分为 0.5，与正样本占比无关。",
)
NOTHING_AT_RANDOM = Text(
    "A score that says nothing has 0, whatever the share of positives.",
    "毫无信息的得分为 0，与正样本占比无关。",
)
PREVALENCE_AT_RANDOM = Text(
    "A score that says nothing has the share of positives as its value, not 0.5.",
    "毫无信息的得分，其数值就是正样本占比，而不是 0.5。",
)
BASE_RATE_FREE = Text(
    "Does not depend on the share of positives: every negative ten times over leaves it as it is.",
    "与正样本占比无关：把每个负样本重复十遍，数值不变。",
)
BASE_RATE = Text(
    "Moves with the share of positives: sampled negatives give another number.",
    "随正样本占比变化：负采样后是另一个数。",
)

# labels and scores: a threshold, groups, noise

ONE_THRESHOLD = Text(
    "Speaks of one threshold: another one has another number.",
    "只针对一个阈值：换一个阈值就是另一个数。",
)
TRUE_NEGATIVES_UNSEEN = Text(
    "Negatives that are rightly left alone do not count.",
    "正确判为负的样本不计入。",
)
NEEDS_GROUPS = Text(
    "Needs a group for each row, such as the user, and both classes in a group.",
    "每一行都需要分组（例如用户），且组内要有正负两类样本。",
)
NOISE = Text(
    "Noise alone makes it positive: right probabilities do not give 0 on a finite sample.",
    "仅噪声就会使它为正：样本有限时，概率完全正确也不会是 0。",
)
NEEDS_PROBABILITIES = Text(
    "Needs probabilities: scores on any other scale have to be made into some first.",
    "需要概率：其他刻度的得分要先转换成概率。",
)
