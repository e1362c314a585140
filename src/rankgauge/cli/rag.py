"""`rankgauge rag`: questions, documents and a live retriever → how good is what a model gets to read?"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from rankgauge._show import show
from rankgauge._text import Text
from rankgauge.cli.options import (
    Input,
    column_map,
    columns_option,
    confidence_option,
    digits_option,
    examples,
    measures_option,
    tokenizer_of,
    tokenizer_option,
)
from rankgauge.cli.output import Output, Page, output_options
from rankgauge.cli.retriever_options import asked_for, asking_options, collected, judging_options, retrievers_of
from rankgauge.cli.style import click
from rankgauge.errors import ParameterError

__all__ = ["command"]

_OF_SPANS = ("SpanRecall@{k}", "SpanPrecision@{k}")
"""What is asked beside the measures of a scenario where gold is spans."""


@click.command(
    "rag",
    zh="检索器为模型找来的内容有多好？给出两个或更多时作比较。\n\n向检索器询问，按片段或 id 评判，给出评级、延迟、"
    "失败情况和下一步建议。\n\nQUESTIONS 是带标准答案的问题：每行一个问题的 JSONL、CSV（答案可以是文档 id、"
    "原文或偏移），ragas、LangSmith、Phoenix、Langfuse、LlamaIndex 的数据集，SQuAD、CMRC、DRCD、DuReader，BEIR 和 MTEB "
    "文件夹。",
    epilog=examples(
        "rankgauge rag questions.jsonl --retriever search:find --documents docs.jsonl",
        "rankgauge rag questions.jsonl --retriever search:find --documents docs.jsonl --html report.html",
        "rankgauge rag cmrc2018_dev.json --retriever small=search:small --retriever large=search:large --language zh",
        "rankgauge rag questions.csv --retriever app.search:retriever -k 10 -m R@5 -m SpanPrecision@5 -m latency.p95",
        "rankgauge rag questions.jsonl --retriever search:find --documents docs.jsonl --chunks chunks.csv",
        "rankgauge rag questions.jsonl --retriever search:find --journal answers.jsonl --concurrency 8 --timeout 5",
        "rankgauge rag beir/fiqa --retriever search:find --json > rag.json",
    ),
)
@click.argument("questions", type=Input())
@asking_options
@judging_options
@measures_option(
    Text(
        "A measure such as R@5 or SpanPrecision@5; may be repeated. Those of the scenario unless given.",
        "指标，如 R@5 或 SpanPrecision@5；可重复给出。不给出时取场景的指标。",
    ),
    "RANKINGS",
    "SPANS",
    "SHOWN",
)
@click.option(
    "--scenario",
    default="document_qa",
    show_default=True,
    help=Text(
        "Whose measures, benchmarks and advice are taken: `rankgauge scenarios` lists them.",
        "取哪个场景的指标、基准和建议：`rankgauge scenarios` 列出全部场景。",
    ),
)
@click.option(
    "--standards",
    type=Input(),
    default=None,
    help=Text("Bands and figures of your own, as TOML.", "自定义的分档和基准，TOML 文件。"),
)
@click.option(
    "--most",
    type=click.IntRange(0),
    default=3,
    show_default=True,
    help=Text("Findings shown.", "最多显示多少条诊断。"),
)
@click.option("--title", default=None, help=Text("Title of the report.", "报告的标题。"))
@tokenizer_option
@confidence_option
@digits_option
@columns_option
@output_options("table", "json", "csv", "markdown", "html")
def command(
    questions: Path,
    retrievers: tuple[str, ...],
    k: int,
    documents: Path | None,
    query_texts: Path | None,
    journal: Path | None,
    chunks: Path | None,
    by: str | None,
    reach: float,
    not_found: str,
    measures: tuple[str, ...],
    scenario: str,
    standards: Path | None,
    most: int,
    title: str | None,
    tokenizer: str | None,
    confidence: float,
    digits: int,
    columns: str | None,
    out: Output,
    **options: Any,
) -> None:
    """How good is what a retriever finds for a model to read? Two or more are compared.

    It is asked, and judged by spans of documents or by ids: quality with intervals and ratings, latency, failures,
    and what to do next. QUESTIONS come with what answers them: JSONL or CSV with a question on each line (and ids,
    quoted text or offsets), datasets of ragas, LangSmith, Phoenix, Langfuse or LlamaIndex, SQuAD, CMRC, DRCD, DuReader,
    folders of BEIR and MTEB.
    """
    from rankgauge.collection.pieces import reader_for
    from rankgauge.data.chunks import Chunks
    from rankgauge.data.document_texts import has_corpus
    from rankgauge.data.questions import judged_by
    from rankgauge.data.spans import Spans
    from rankgauge.diagnosis.standards import load_standards
    from rankgauge.evaluation.of_rankings import refuse_unmeasurable

    figures = load_standards(standards)
    chosen = figures.scenario(scenario)
    found = retrievers_of(retrievers)
    gold, texts = judged_by(
        questions, documents, query_texts, column_map(columns), by=by, reach=reach, not_found=not_found
    )
    is_spans = isinstance(gold, Spans)
    shown = documents or (questions if has_corpus(questions) else None)
    if documents is None and not is_spans and options["id"] != "text":
        _refuse_texts(gold)
    inside = reader_for(gold) if chunks is None else None
    asked = list(measures) or _measures(chosen.measures_with(None), is_spans)
    about = Page(title, None if is_spans else shown, texts, chosen.name)
    counted: dict[str, Any] = {"documents": about.texts_for(asked)}
    if tokenizer is not None:
        counted["tokenizer"] = tokenizer_of(tokenizer)
    refuse_unmeasurable(gold, asked, **counted)
    runs = collected(texts, found, k, journal, documents=inside, **asked_for(options))
    lists: Mapping[str, Any] = runs
    if chunks is not None:
        lists = {name: Chunks(run, chunks=chunks, documents=documents, name=name) for name, run in runs.items()}
    subject = _subject(gold, lists, asked, confidence, **counted)
    if not measures and (others := _led_by_parts(subject, asked)) != asked:
        subject = _subject(gold, lists, others, confidence, **counted)
    beside = _beside(subject, chosen.name, figures, most, out.language)
    times = [run.collected for run in runs.values()]
    more = [*_not_located(subject), *_by_call(subject)]
    out.show(subject, *beside, *more, *times, page=[subject, *more, *times], about=about, digits=digits)


def _refuse_texts(judged: Any) -> None:
    """Raise where what should be ids are texts, which only documents can say something about."""
    ids = [d for grades in judged.to_dict().values() for d in grades]
    if ids and all(any(c.isspace() for c in str(d).strip()) for d in ids):
        raise ParameterError(
            Text(
                f"what answers the questions is text, such as {show(ids[0])}, and must be located. Pass --documents; "
                "or --id text, if results are to be compared with it as whole texts.",
                f"问题的答案是文本，如 {show(ids[0])}，需要在文档中定位。请传入 --documents；"
                "若要把结果作为完整文本与之比较，请传入 --id text。",
            )
        )


def _measures(usual: list[str], is_spans: bool) -> list[str]:
    """Those of the scenario; where gold is spans, what of the context is needed stands for relevant results."""
    if not is_spans:
        return usual
    depths = [m.partition("@")[2] for m in usual if "@" in m]
    kept = [m for m in usual if not m.startswith("P@")]
    return [*kept, *(m.format(k=depths[0] if depths else 5) for m in _OF_SPANS)]


def _led_by_parts(subject: Any, asked: list[str]) -> list[str]:
    """The measures of the scenario; where most of what is needed is longer than what some of them read, those that say
    how much of it is there come first."""
    from rankgauge.evaluation.rankings.too_long import telling

    first = telling(_evaluations(subject), asked)
    return [*first, *(m for m in asked if m not in first)]


def _evaluations(subject: Any) -> list[Any]:
    """Those of a comparison, or the only one."""
    return list(getattr(subject, "evaluations", {"": subject}).values())


def _not_located(subject: Any) -> list[Any]:
    """What was quoted or retrieved as text and stands in no document."""
    from rankgauge.evaluation.rankings.not_located import not_located

    found = not_located(_evaluations(subject))
    return [] if found is None else [found]


def _by_call(subject: Any) -> list[Any]:
    """What each call adds, of retrievers that search several times for a question."""
    from rankgauge.evaluation.rankings.by_call import makes_calls

    return [ev.by_call() for ev in _evaluations(subject) if makes_calls(ev)]


def _subject(gold: Any, lists: Mapping[str, Any], measures: list[str], confidence: float, **counted: Any) -> Any:
    """One retriever evaluated, several compared with the first."""
    if len(lists) > 1:
        from rankgauge.comparison import compare

        return compare(gold, dict(lists), measures, confidence_level=confidence, **counted)
    from rankgauge.evaluation.of_rankings import evaluate

    (run,) = lists.values()
    return evaluate(gold, run, measures, confidence_level=confidence, **counted)


def _beside(subject: Any, scenario: str, figures: Any, most: int, language: str | None) -> list[Any]:
    """How good the numbers are, and what to do next."""
    from rankgauge.diagnosis import diagnose
    from rankgauge.diagnosis.ratings import rate

    out: list[Any] = [rate(subject, scenario=scenario, standards=figures)]
    if most:
        out.append(diagnose(subject, scenario=scenario, standards=figures, language=language, most=most))
    return out
