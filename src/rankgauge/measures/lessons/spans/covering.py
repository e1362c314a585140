"""What the context holds of what is needed, and what else."""

from __future__ import annotations

from rankgauge._text import Text
from rankgauge.measures.lessons import Lesson

_ANY_CHUNKING = Text(
    "Judges every chunking by the same truth: the gold is text, not ids of chunks.",
    "用同一份标准衡量各种切分：标准是原文，不是文本块 id。",
)
_LARGE_CHUNKS = Text(
    "At equal k larger chunks nearly always win, since they hold more text: compare chunkings by cost as well.",
    "在相同的 k 下，文本块越大几乎总是越好，因为文字更多：比较切分方式时还要看成本。",
)
_WRITTEN_GOLD = Text(
    "Only the gold that was written down counts: another passage that answers as well counts as ballast.",
    "只认写下来的标准原文：同样能回答问题的其他段落会被算作无用内容。",
)

SpanRecall = Lesson(
    strengths=[
        _ANY_CHUNKING,
        Text(
            "Half of a passage counts as half, so small changes of a chunker show.",
            "覆盖一半计一半，切分的细小变化也看得出来。",
        ),
    ],
    limits=[
        _LARGE_CHUNKS,
        Text(
            "Half an answer may be no answer: NeedRecall asks for all of it.",
            "半个答案可能不算答案：NeedRecall 要求完整。",
        ),
    ],
    use=Text("To choose a chunk size or a retriever for RAG.", "为 RAG 选择文本块大小或检索器时。"),
    avoid=Text("As the only number where context is expensive.", "上下文成本高时，不要只看这一个数。"),
    instead={
        "NeedRecall@k": Text("when only whole passages are of use", "只有完整的段落才有用时"),
        "SpanPrecision@k": Text("to see how much else is sent", "要看还发送了多少别的内容时"),
    },
)

SpanPrecision = Lesson(
    strengths=[
        _ANY_CHUNKING,
        Text(
            "Shows what recall hides: how much ballast a model has to read.",
            "显示召回率看不到的：模型要读多少无用内容。",
        ),
    ],
    limits=[
        _WRITTEN_GOLD,
        Text(
            "Its size depends on the gold: short answers make it small for every system.",
            "数值大小取决于标准原文：答案短时，任何系统都低。",
        ),
    ],
    use=Text(
        "Beside SpanRecall, to weigh what is found against what it costs.", "与 SpanRecall 一起，权衡收获与成本。"
    ),
    avoid=Text("Alone: one perfect sentence has precision 1.", "不要单独使用：只取一句正确的话精确率就是 1。"),
    instead={
        "SpanF@k": Text("when one number must do", "只能用一个数时"),
        "SpanOmega": Text("to see how much of it is due to the chunks", "要看其中有多少是切分造成的时"),
    },
)

SpanIoU = Lesson(
    strengths=[
        Text(
            "One number for too much and too little: both what is missing and what is superfluous lower it.",
            "过多和过少合为一个数：缺少的和多余的都会降低它。",
        )
    ],
    limits=[
        _WRITTEN_GOLD,
        Text("Small in practice, since a context is mostly ballast.", "实际数值很小，因为上下文大多不是标准原文。"),
    ],
    use=Text("To compare chunkings as chunking studies do.", "像切分研究那样比较切分方式时。"),
    avoid=Text("Where missing an answer costs more than reading a page.", "漏掉答案的代价大于多读一页时。"),
    instead={"SpanRecall@k": Text("when missing text is what hurts", "漏掉内容才是问题时")},
)

SpanF = Lesson(
    strengths=[
        Text("One number, with the weight of recall in plain sight: beta.", "一个数，召回率的权重（beta）一目了然。")
    ],
    limits=[
        _WRITTEN_GOLD,
        Text(
            "Needs count by grade in its recall and by length in its precision.",
            "其中召回率按信息点的等级计，精确率按长度计。",
        ),
    ],
    use=Text("When systems must be put in one order.", "必须给系统排出一个顺序时。"),
    avoid=Text("When it matters which of the two was lost.", "需要知道损失的是哪一项时。"),
    instead={
        "SpanRecall@k": Text("to see what is found", "要看找到了什么时"),
        "SpanPrecision@k": Text("to see what is superfluous", "要看多了什么时"),
    },
)

NeedRecall = Lesson(
    strengths=[
        _ANY_CHUNKING,
        Text(
            "Asks what a reader asks: is the whole answer there, from one piece or several?",
            "问的正是读者关心的：完整的答案在不在，不论来自一个还是几个文本块？",
        ),
    ],
    limits=[
        _LARGE_CHUNKS,
        Text(
            "A chunk that ends one character early has nothing: reach=0.9 forgives it.",
            "文本块少一个字符就算没有：reach=0.9 可以容忍。",
        ),
    ],
    use=Text("For questions whose answers are passages, and several of them.", "问题的答案是若干段落时。"),
    avoid=Text("Where gold is marked roughly.", "标准原文标注粗略时。"),
    instead={"SpanRecall@k": Text("when parts of a passage help as well", "部分段落也有帮助时")},
)

SpanPfull = Lesson(
    strengths=[
        Text(
            "Needs no k: it reads exactly as far as it takes to have everything.",
            "不需要 k：恰好读到内容齐全为止。",
        )
    ],
    limits=[
        Text("0 for every list that lacks something, however little.", "只要缺一点就是 0。"),
        _WRITTEN_GOLD,
    ],
    use=Text("To ask what complete answers cost.", "想知道完整答案的成本时。"),
    avoid=Text("Where lists are short and rarely hold everything.", "列表短、很少齐全时。"),
    instead={"SpanPrecision@k": Text("at a k of your own", "自己给定 k 时")},
)

SpanOmega = Lesson(
    strengths=[
        Text(
            "Is of the chunks alone: what no retriever can do better.",
            "只说文本块本身：任何检索器都无法更好。",
        )
    ],
    limits=[
        Text("Says nothing of whether the chunks are found.", "不说明文本块能否被找到。"),
        _WRITTEN_GOLD,
    ],
    use=Text("To part the fault of the chunker from that of the retriever.", "区分是切分的问题还是检索的问题时。"),
    avoid=Text("To compare retrievers.", "不要用来比较检索器。"),
    instead={"SpanPrecision@k": Text("for what was really retrieved", "看实际检索到的内容时")},
)

Duplication = Lesson(
    strengths=[
        Text(
            "Shows what overlapping chunks and merged lists cost: text that a model reads twice.",
            "显示重叠切分与多路合并的代价：模型重复阅读的文字。",
        )
    ],
    limits=[
        Text(
            "Sees the same characters of a document only; the same words elsewhere are new.",
            "只看同一文档的相同字符；别处的相同文字算新内容。",
        ),
        Text("Low duplication says nothing of whether the text is needed.", "重复率低不代表内容有用。"),
    ],
    use=Text("To choose an overlap between chunks.", "选择文本块重叠长度时。"),
    avoid=Text("As a goal of its own.", "不要单独作为目标。"),
    instead={"SpanPrecision@k": Text("when ballast of every kind counts", "各种无用内容都要计入时")},
)
