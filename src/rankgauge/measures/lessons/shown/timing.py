"""How long a retriever takes, and how often it gives no answer."""

from __future__ import annotations

from rankgauge._text import Text
from rankgauge.measures.lessons import Lesson

_HERE = Text(
    "A time is one of this machine, this load and this concurrency: compare systems asked in the same way only.",
    "耗时取决于机器、负载和并发数：只能比较以同样方式询问的系统。",
)

Latency = Lesson(
    strengths=[
        Text(
            "Adds up: times the number of queries it is the work of the machine.",
            "可以相加：乘以查询数就是机器的总工作量。",
        ),
        Text(
            "Has a value for each query, so that two systems are paired query by query.",
            "每个查询都有值，因此两个系统可以逐查询配对。",
        ),
    ],
    limits=[
        Text(
            "A few slow queries move it, and nobody waits for the mean.",
            "少数慢查询就能拉高它，而没有人感受到的是平均值。",
        ),
        _HERE,
    ],
    use=Text("For cost and capacity, beside a percentile.", "估算成本和容量时，并与分位数一起看。"),
    avoid=Text("As the only number of speed.", "不要作为唯一的速度指标。"),
    instead={"latency.p95": Text("for what users wait", "关心用户等待多久时")},
)

LatencyQuantile = Lesson(
    strengths=[
        Text(
            "Says what users wait: p percent of queries are answered by then.",
            "反映用户的等待：p% 的查询在此之前得到返回。",
        ),
        Text(
            "Its interval needs no shape of the distribution, only that queries are drawn alike.",
            "置信区间不依赖分布形状，只要求各查询来自相同的分布。",
        ),
    ],
    limits=[
        Text(
            "Needs many queries: of 100 queries only one lies above p99.",
            "需要大量查询：100 个查询中只有一个高于 p99。",
        ),
        _HERE,
    ],
    use=Text(
        "For service levels and gates: p95 with a few hundred queries, p99 with thousands.",
        "用于服务水平和门禁：几百个查询看 p95，几千个才看 p99。",
    ),
    avoid=Text(
        "With so few queries that its upper end is not known (p95: fewer than 72).",
        "查询太少、上端未知时（p95 少于 72 个）。",
    ),
    instead={"Latency": Text("for cost and capacity", "估算成本和容量时")},
)

Failures = Lesson(
    strengths=[
        Text(
            "Finds out whether low quality is only absence: a query without an answer has an empty list.",
            "分清质量低是否只因没有返回：没有返回的查询列表为空。",
        ),
    ],
    limits=[
        Text("An empty or a wrong answer is no failure to it.", "空结果或错误的结果不算失败。"),
    ],
    use=Text("Beside every number of a live retriever.", "现场评测检索器时每次都应附上。"),
    avoid=Text("As a measure of quality.", "不要当作质量指标。"),
    instead={"Hit@k": Text("for queries that are answered with something relevant", "想知道有多少查询得到相关结果时")},
)
