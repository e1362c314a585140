"""`rankgauge sweep`: which chunk size, or which system, is best at which budget of context?"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from rankgauge._show import show
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
from rankgauge.cli.placed_options import judged_sides, refuse_reading_of_spans
from rankgauge.cli.retriever_options import collected, retrievers_of, sweep_asking_options, taken_out
from rankgauge.cli.style import click
from rankgauge.errors import ParameterError

__all__ = ["command"]


@click.command(
    "sweep",
    zh="在多大的上下文预算内，哪种切分（或哪个系统）最好，哪些分不出高下？\n\nQRELS 是标注，RUN 是两个或更多结果文件。"
    "标注是文档片段时（指标为 SpanRecall 等），结果是文本块：doc_id、start、end。也可以用 --retriever 询问在线检索器，"
    "此时 QRELS 是带答案的问题。",
    epilog=examples(
        "rankgauge sweep qrels.txt small=a.run large=b.run --documents corpus.jsonl --budget 500t --budget 2000t",
        "rankgauge sweep gold.jsonl 200=small.csv 800=large.csv -m SpanRecall --documents docs.jsonl --budget 1000c",
        "rankgauge sweep questions.jsonl --retriever small=search:small --retriever large=search:large --documents "
        "docs.jsonl -k 50 --budget 500t --budget 2000t",
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
@sweep_asking_options
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
    are pieces: doc_id, start, end. Live retrievers are asked with --retriever; QRELS are then questions with what
    answers them, and quoted gold is spans. All pairs are tested within each budget, and corrected together.
    """
    from rankgauge.comparison.sweep import sweep
    from rankgauge.data.chunks import Chunks
    from rankgauge.data.questions import judged_by
    from rankgauge.data.spans import Spans
    from rankgauge.evaluation.rankings.conventions import convention
    from rankgauge.evaluation.rankings.naming import as_named, asks_for_spans

    gold, *others = files
    asked = taken_out(options)
    if len(others) + len(asked.get("retrievers", ())) < 2:
        raise ParameterError(
            Text(
                f"sweep needs judgements and two runs or more, got {len(files)} files. Try rankgauge sweep QRELS "
                "small=a.run large=b.run, or --retriever twice.",
                f"sweep 需要标注和两个或更多结果文件，实际为 {len(files)} 个文件。例如 rankgauge sweep QRELS "
                "small=a.run large=b.run，或给出两次 --retriever。",
            )
        )
    judged: Any = gold.path
    runs: dict[str, Any] = files_by_name(others) if others else {}
    options = {k: v for k, v in options.items() if v is not None}
    mapped = column_map(columns)
    is_of_spans = bool(measures and asks_for_spans(as_named(list(measures), convention(None))))
    told = {name: asked.pop(name) for name in ("reach", "not_found") if name in asked}
    by = asked.pop("by", None) or ("spans" if is_of_spans else None)
    live: dict[str, Any] = {}
    chunks = None if "retrievers" in asked else asked.pop("chunks", None)
    if "retrievers" in asked:
        judged, texts = judged_by(judged, documents, asked.pop("query_texts", None), mapped, by=by, **told)
        live = _asked(judged, texts, documents, **asked)
        refuse_reading_of_spans([] if isinstance(judged, Spans) else list(told))
    _refuse_unused([] if live else list(asked))
    with status(Text("sweeping …", "正在比较 …")):
        if not live:
            sides = judged_sides(
                judged, runs, measures, documents=documents, columns=mapped, by=by, chunks=chunks, **told
            )
            judged, runs, mapped, options["by"] = sides.qrels, sides.runs, sides.columns, sides.by
        elif isinstance(judged, Spans):
            runs = {name: Chunks(path, documents=documents, name=name) for name, path in runs.items()}
        if mapped:
            options["columns"] = mapped
        if not isinstance(judged, Spans):
            options["documents"] = documents
        _refuse_twice(runs, live)
        runs |= live
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


def _asked(
    gold: Any,
    texts: Mapping[str, str],
    documents: Path,
    retrievers: tuple[str, ...],
    k: int = 20,
    journal: Path | None = None,
    chunks: Path | None = None,
    **how: Any,
) -> dict[str, Any]:
    """What live retrievers find, by their names."""
    from rankgauge.collection.pieces import reader_for
    from rankgauge.data.chunks import Chunks

    inside = reader_for(gold) if chunks is None else None
    runs = collected(texts, retrievers_of(retrievers), k, journal, documents=inside, **how)
    if chunks is None:
        return runs
    return {name: Chunks(run, chunks=chunks, documents=documents, name=name) for name, run in runs.items()}


def _refuse_unused(of_asking: list[str]) -> None:
    """Raise for options that say nothing here."""
    for name in of_asking:
        option = "-k" if name == "k" else f"--{name.replace('_', '-')}"
        raise ParameterError(
            Text(
                f"{option} says how a live retriever is asked, and there is none. Leave it out, or add --retriever.",
                f"{option} 用于询问在线检索器，而这里没有。请去掉，或加上 --retriever。",
            )
        )


def _refuse_twice(runs: Mapping[str, Any], live: Mapping[str, Any]) -> None:
    if both := [name for name in runs if name in live]:
        raise ParameterError(
            Text(
                f"a run and a retriever are both called {show(both[0])}. Name them: new=search:find.",
                f"有一个结果文件和一个检索器都叫 {show(both[0])}。请分别命名：new=search:find。",
            )
        )
