"""What `rankgauge --help` lists: each command with the first words of its own help, so that none has to be loaded."""

from __future__ import annotations

from rankgauge._text import Text

__all__ = ["CONTENTS"]

CONTENTS = {
    "demo": Text(
        "Evaluate and compare three product-search systems on a small bundled shop, offline; say what to try next.",
        "在自带的小商店数据上离线评测并比较三个商品搜索系统，并给出接下来可以尝试的命令。",
    ),
    "evaluate": Text("Evaluate one run or several against judgements.", "用标注评测一个或多个结果文件。"),
    "compare": Text(
        "Is a new system better than the baseline? The verdict first, then the numbers, then what moved.",
        "新系统是否优于基线？先给结论，再给数字，最后是哪些查询发生了变化。",
    ),
    "tradeoff": Text(
        "Which systems are worth choosing between, and which are dominated by another?",
        "哪些系统值得取舍，哪些被其他系统支配？",
    ),
    "overlap": Text(
        "How much do the lists of two versions differ? No judgements are needed.",
        "两个版本的列表有多不同？不需要标注。",
    ),
    "diagnose": Text(
        "Say what the numbers mean: what is wrong, why it matters, what to check first, what to do.",
        "说明数字的含义：问题是什么，为什么重要，先检查什么，怎么办。",
    ),
    "gate": Text(
        "Decide whether a run may go out: exit code 0 pass, 1 fail, 2 invalid input, 3 inconclusive.",
        "决定一个结果能否发布：退出码 0 通过，1 不通过，2 输入无效，3 无定论。",
    ),
    "power": Text(
        "Plan a comparison: queries needed for a difference, or the difference that queries can find.",
        "规划一次比较：检出某个差异需要多少查询，或这些查询能检出多大的差异。",
    ),
    "funnel": Text(
        "Where does a pipeline lose its relevant items, and what does each stage cost?",
        "流水线在哪一级丢失了相关条目，每一级的代价是多少？",
    ),
    "channels": Text(
        "What does each recall channel find alone, and what does it add beyond the others?",
        "多路召回中，每一路单独能召回多少，又在其他各路之外带来多少？",
    ),
    "answers": Text(
        "Are wrong answers the fault of retrieval or of generation?", "答错是因为没有检索到，还是检索到了却没有答对？"
    ),
    "report": Text(
        "Make a report of what `--json` stored: evaluations, comparisons, funnels and any other record.",
        "用 `--json` 保存的内容生成报告：评测、比较、漏斗和其他任何记录。",
    ),
    "plot": Text(
        "Draw one chart of the report as SVG, PNG or PDF, for a paper or slides; no browser is needed.",
        "把报告中的一张图画成 SVG、PNG 或 PDF，用于论文或幻灯片；不需要浏览器。",
    ),
    "history": Text(
        "What was kept with --store: listed, looked at, compared, followed, tagged, pruned, exported and imported.",
        "用 --store 存下的结果：列出、查看、比较、看趋势、打标签、清理、导出和导入。",
    ),
    "run": Text(
        "Run a project file: measure everything in it, keep it, decide by its rules, report and tell.",
        "运行项目文件：评测其中的一切，存入历史，按规则裁决，写报告，发消息。",
    ),
    "watch": Text(
        "Run a project file on a schedule in one process, until SIGTERM or Ctrl-C: for those without cron.",
        "在一个进程里按计划反复运行项目文件，直到 SIGTERM 或 Ctrl-C：没有 cron 的地方用它。",
    ),
    "ui": Text(
        "Look at a history in the browser: overview, trends, comparisons, queries, alerts; upload files for a report.",
        "在浏览器中查看历史：概览、趋势、比较、查询、告警；也可上传标注与结果并得到报告。",
    ),
    "export": Text(
        "The newest numbers of a store for Prometheus, and a dashboard of them for Grafana.",
        "把历史中的最新数值导出给 Prometheus，以及配套的 Grafana 面板。",
    ),
    "rag": Text(
        "How good is what a retriever finds for a model to read? Two or more are compared.",
        "检索器为模型找来的内容有多好？给出两个或更多时作比较。",
    ),
    "collect": Text(
        "Ask a retriever, write what it answers as a file, and say how long it took and what failed.",
        "向检索器询问，把结果列表写成文件，并给出延迟和失败情况。",
    ),
    "sweep": Text(
        "Which chunk size, or which system, is best at which budget of context, and which cannot be told apart?",
        "在多大的上下文预算内，哪种切分（或哪个系统）最好，哪些分不出高下？",
    ),
    "split": Text(
        "Split interactions into what a model may learn from and what it is asked afterwards.",
        "把交互划分为训练集和测试集，并说明这样划分对结论意味着什么。",
    ),
    "baseline": Text(
        "Recommend with a simple method, so that a number can be read: 2.3 times popularity.",
        "用简单的推荐方法生成列表，让数字有参照：例如“是热门推荐的 2.3 倍”。",
    ),
    "judgements": Text(
        "Make judgements from a log of clicks, carts and purchases, with a counter for everything left out.",
        "从点击、加购、购买日志生成标注，凡是剔除的都有计数。",
    ),
    "bias": Text(
        "Estimate how likely each position of a list is to be looked at, and correct relevance for it.",
        "估计列表中每个位置被看到的可能性，并据此校正相关性。",
    ),
    "interleave": Text(
        "Draft one list from two rankings (team draft), or decide from what users did with such lists.",
        "把两个排序合成一个列表（team draft），或根据用户对这种列表的行为作出裁决。",
    ),
    "online": Text(
        "Experiments with users: A/B tests, CUPED, sample ratio, off-policy estimates, offline against online.",
        "用户参与的线上实验：A/B 实验、CUPED、样本比例、离线策略评估、离线与线上的一致性。",
    ),
    "predictions": Text(
        "Evaluate labels and scores: order, loss, calibration, and what to do.",
        "评测标签与得分：排序、损失、校准，以及该怎么办。",
    ),
    "drift": Text(
        "Look at the measures of a model day by day, and name the first day that is surely off.",
        "逐日查看模型的指标，并指出第一个确定偏离的日子。",
    ),
    "calibrate": Text(
        "Correct probabilities: fit calibrators on some rows, judge them on others, recommend one.",
        "校正概率：在一部分行上拟合校准方法，在另一部分行上评判，并推荐其中一个。",
    ),
    "scenarios": Text(
        "List the scenarios with their recommended measures, or show one with benchmarks, bands and sources.",
        "列出各场景及其推荐指标；给出名称时，显示该场景的基准、评级和出处。",
    ),
    "explain": Text(
        "Explain a measure: what it answers, when to take it and when not, what small changes of a list do to it.",
        "讲解一个指标：它回答什么问题、公式、参数、边界情况、算例，以及哪些工具的结果与之一致。",
    ),
    "measures": Text(
        "List the measures, or those whose names, question or family have all the given words, English or Chinese.",
        "列出指标；给出词语时，只列出名称、别名或问题中包含全部词语的指标。",
    ),
    "audit": Text(
        "Look for trouble in judgements and runs: duplicates, id mismatches, NaN scores, worst-first lists, holes …",
        "检查标注和结果中的问题：重复、id 对不上、NaN 得分、倒序的列表、缺失 …",
    ),
    "convert": Text(
        "Convert runs and judgements between TREC, CSV, TSV, JSON, JSONL, Parquet, Arrow, BEIR and LETOR files.",
        "在 TREC、CSV、TSV、JSON、JSONL、Parquet、Arrow、BEIR 和 LETOR 文件之间转换结果与标注。",
    ),
    "completion": Text(
        "Print a script that completes commands, options and measures in your shell.",
        "打印一段脚本，让 shell 用 Tab 键补全命令、选项和指标。",
    ),
}
"""Each is a module of this package with a `command`."""
