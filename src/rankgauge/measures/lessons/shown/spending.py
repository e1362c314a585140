"""What a retriever uses up for a query."""

from __future__ import annotations

from rankgauge._text import Text
from rankgauge.measures.lessons import Lesson

_SAID = Text("It is as true as what the retriever says of itself.", "其可靠程度取决于检索器自己给出的值。")
_PAIRED = Text(
    "Has a value for each query, so that two systems are paired query by query.",
    "每个查询都有值，因此两个系统可以逐查询配对。",
)

Cost = Lesson(
    strengths=[Text("Adds up: times the number of queries it is the bill.", "可以相加：乘以查询数就是账单。"), _PAIRED],
    limits=[_SAID, Text("Prices change, and lists do not.", "价格会变，列表不会。")],
    use=Text("Beside quality, where systems differ in what they cost.", "各系统费用不同时，与质量一起看。"),
    avoid=Text("Between retrievers that count in different units.", "不要比较计价单位不同的检索器。"),
    instead={"Tokens": Text("for what does not change with prices", "想排除价格变动时")},
)

Tokens = Lesson(
    strengths=[
        Text("Says what a context or an agent uses, whatever the price.", "反映实际用量，与价格无关。"),
        _PAIRED,
    ],
    limits=[
        _SAID,
        Text("Tokenizers differ: what one counts is not what another does.", "各分词器不同，数值不可互换。"),
    ],
    use=Text("For agents and long contexts, beside recall.", "评测智能体和长上下文时，与召回率一起看。"),
    avoid=Text("Between systems with different tokenizers.", "不要比较分词器不同的系统。"),
    instead={"Cost": Text("for what is paid", "关心实际支出时")},
)

Calls = Lesson(
    strengths=[
        Text("Shows at once whether an agent searches once or ten times.", "一眼看出检索一次还是十次。"),
        _PAIRED,
    ],
    limits=[
        _SAID,
        Text(
            "Says nothing of what the calls found: ev.by_call() does.", "不说明各次调用找到了什么：请用 ev.by_call()。"
        ),
    ],
    use=Text("For retrievers that search several times for a question.", "用于对一个问题多次检索的系统。"),
    avoid=Text("As a measure of quality.", "不要当作质量指标。"),
    instead={"Latency": Text("for what users wait", "关心用户等待多久时")},
)
