"""`rankgauge sweep`: which chunk size, or which system, is best at which budget of context?"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from rankgauge._text import Text
from rankgauge.cli.files import File, Given, files_by_name
from rankgauge.cli.options import (
    Input,
    column_map,
    columns_option,
    confidence_option,
    digits_option,
    examples,
    measures_option,
    policy_options,
    status,
    testing_options,
    tokenizer_of,
    tokenizer_option,
)
from rankgauge.cli.output import Output, output_options
from rankgauge.cli.style import click
from rankgauge.errors import ParameterError

__all__ = ["command"]


@click.command(
    "sweep",
    zh="在多大的上下文预算内，哪种切分（或哪个系统）最好，哪些分不出高下？\n\nQRELS 是标注，RUN 是两个或更多结果文件。"
    "标注是文档片段时（指标为 SpanRecall 等），结果是文本块：doc_id、start、end。",
    epilog=examples(
        "rankgauge sweep qrels.txt small=a.run large=b.run --documents corpus.jsonl --budget 500t --budget 2000t",
        "rankgauge sweep gold.jsonl 200=small.csv 800=large.csv -m SpanRecall --documents docs.jsonl --budget 1000c",
        "rankgauge sweep qrels.txt a.run b.run --documents corpus.jsonl --tokenizer cl100k_base --json > sweep.json",
    ),
)
@click.argument("files", nargs=-1, required=True, type=File(), metavar="QRELS [NAME=]RUN [NAME=]RUN…")
@measures_option(
    Text(
        "A measure without a budget such as R, nDCG or SpanRecall; may be repeated. Recall unless given.",
        "不带预算的指标，如 R、nDCG 或 SpanRecall；可重复给出。默认为召回率。",
    ),
    "RANKINGS",
    "SPANS",
)
@click.option(
    "--budget",
    "budgets",
    multiple=True,
    metavar="2000t",
    help=Text(
        "Tokens (2000t) or characters (4000c) of context; may be repeated. Unless given 1, 2, 5, 10 … characters, from "
        "the shortest first result to the longest list.",
        "上下文的词元数（2000t）或字符数（4000c）；可重复给出。默认取 1、2、5、10 … 字符，"
        "从最短的首条结果到最长的列表。",
    ),
)
@click.option(
    "--documents",
    type=Input(),
    required=True,
    help=Text(
        "Texts of results by id: JSONL, CSV, Parquet, a folder of BEIR. Budgets are counted in them.",
        "结果的文本（按 id 给出）：JSONL、CSV、Parquet、BEIR 文件夹。预算按它们计数。",
    ),
)
@tokenizer_option
@testing_options(
    Text("Of p-values over all pairs, measures and budgets.", "对所有系统对、指标和预算的 p 值作多重比较校正的方法。")
)
@policy_options
@confidence_option
@digits_option
@columns_option
@output_options("table", "json", "csv", "markdown", "latex", "html")
def command(
    files: tuple[Given, ...],
    measures: tuple[str, ...],
    budgets: tuple[str, ...],
    documents: Path,
    tokenizer: str | None,
    seed: int,
    confidence: float,
    columns: str | None,
    digits: int,
    out: Output,
    **options: Any,
) -> None:
    """Which chunk size, or which system, is best at which budget of context, and which cannot be told apart?

    QRELS are judgements, RUN two runs or more. Where gold is spans of documents (a measure such as SpanRecall), runs
    are pieces: doc_id, start, end. All pairs are tested within each budget, and corrected together.
    """
    from rankgauge.comparison.sweep import sweep
    from rankgauge.data.chunks import Chunks
    from rankgauge.data.questions import judged_by
    from rankgauge.evaluation.rankings.conventions import convention
    from rankgauge.evaluation.rankings.naming import as_named, asks_for_spans

    gold, *others = files
    if len(others) < 2:
        raise ParameterError(
            Text(
                f"sweep needs judgements and two runs or more, got {len(files)} files. Try rankgauge sweep QRELS "
                "small=a.run large=b.run.",
                f"sweep 需要标注和两个或更多结果文件，实际为 {len(files)} 个文件。例如 rankgauge sweep QRELS "
                "small=a.run large=b.run。",
            )
        )
    judged: Any = gold.path
    runs: dict[str, Any] = files_by_name(others)
    options = {k: v for k, v in options.items() if v is not None}
    mapped = column_map(columns)
    with status(Text("sweeping …", "正在比较 …")):
        if measures and asks_for_spans(as_named(list(measures), convention(None))):
            judged = judged_by(judged, documents, columns=mapped, by="spans")[0]
            runs = {name: Chunks(path, documents=documents, name=name) for name, path in runs.items()}
        elif mapped:
            options["columns"] = mapped
        if judged is gold.path:
            options["documents"] = documents
        found = sweep(
            judged,
            runs,
            list(measures) or None,
            budgets=list(budgets) or None,
            tokenizer=tokenizer_of(tokenizer),
            rng=seed,
            confidence_level=confidence,
            **options,
        )
    out.show(found, digits=digits)
