"""`rankgauge evaluate`: judgements and runs → numbers."""

from __future__ import annotations

from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path
from typing import Any

from rankgauge._text import Text
from rankgauge.cli.files import File, Given, alone, rankings
from rankgauge.cli.options import (
    Input,
    column_map,
    columns_option,
    confidence_option,
    digits_option,
    engine_options,
    examples,
    measures_option,
    policy_options,
    shown_options,
    slices_option,
    start_engine,
    tokenizer_of,
    tokenizer_option,
    watched,
    write_on_spark,
    write_table,
)
from rankgauge.cli.output import Output, Page, output_options, page_options_but_scenario, warn, with_slices, write_text
from rankgauge.cli.placed_options import judged_sides
from rankgauge.cli.places import Target
from rankgauge.cli.retriever_options import placed_options
from rankgauge.cli.style import click

__all__ = ["command"]


@click.command(
    "evaluate",
    zh="用标注评测一个或多个结果文件。\n\nQRELS 和 RUN 的格式不限：TREC、CSV、TSV、JSON、JSONL、"
    "Parquet、Arrow、BEIR 文件夹、LETOR，也可以是压缩文件；- 表示标准输入。每个查询都带有 "
    "'retrieved' 和 'relevant' 的文件（或 ragas 那样的记录）可同时充当两者，多个这样的文件就是多个系统。"
    "结果默认以文件名命名，也可写成 NAME=文件。大于内存的 Parquet 文件和文件夹会分"
    "块读取；使用 --engine spark 时，QRELS 和 RUN 也可以是 Spark 认识的表和地址。",
    epilog=examples(
        "rankgauge evaluate qrels.txt bm25.run",
        "rankgauge evaluate qrels.txt bm25.run dense.run -m nDCG@10 -m R@100",
        "rankgauge evaluate qrels.txt old=a/bm25.run new=b/bm25.run",
        "rankgauge evaluate rag.json -m Recall@5 -m MRR",
        "rankgauge evaluate qrels.txt run.txt -m 'R(budget=2000t)' -m 'nDCG(budget=4000c)' --documents corpus.jsonl",
        "rankgauge evaluate questions.jsonl pieces.jsonl -m R@5 -m SpanRecall@5 --documents docs.jsonl",
        "rankgauge evaluate qrels.tsv run.parquet -m nDCG@10 --slices queries.jsonl",
        "rankgauge evaluate qrels.txt run.txt --scenario document_qa",
        "rankgauge evaluate qrels.txt run.txt -m R@10 -m R@100 --item-groups item_counts.csv",
        "rankgauge evaluate test.csv recs.csv -m R@10 --train train.csv --item-groups popularity --slices activity",
        "rankgauge evaluate test.csv recs.csv -m nDCG@10 -m Coverage@10 -m MIUF@10 --train train.csv --items items.csv",
        "rankgauge evaluate test.csv sampled.csv -m Hit@10 -m nDCG@10 --catalogue-size 12000",
        "rankgauge evaluate qrels.txt run.txt -m nDCG@10 -m R@100 --rate --language zh",
        "rankgauge evaluate qrels.txt late.run --rate --accept worst-first",
        "rankgauge evaluate qrels.txt run.txt --html report.html --query-texts topics.tsv",
        "rankgauge evaluate qrels.txt run.txt --convention trec_eval -m all_trec -f trec -q",
        "rankgauge evaluate qrels.txt run.txt -m nDCG@10 --per-query values.csv --json",
        "rankgauge evaluate qrels.txt run.txt -m nDCG@10 --store history.db --project shop",
        "zcat run.gz | rankgauge evaluate qrels.txt -",
        "rankgauge evaluate qrels.parquet runs/today/ --memory 2GiB",
        "rankgauge evaluate qrels.parquet s3a://bucket/run --engine spark --master 'local[*]'",
    ),
)
@click.argument("qrels", type=File())
@click.argument("runs", nargs=-1, type=File(), metavar="[NAME=]RUN…")
@measures_option(
    Text(
        "A measure such as nDCG@10; may be repeated. `rankgauge measures` lists them.",
        "指标，如 nDCG@10；可重复给出。`rankgauge measures` 列出全部指标。",
    ),
    "RANKINGS",
    "SPANS",
    "SHOWN",
)
@policy_options
@shown_options
@slices_option(Text(", for a table by slice", "，用于按切片统计"))
@click.option(
    "--strict",
    is_flag=True,
    help=Text("Refuse input that the audit would warn about.", "凡是检查会警告的输入一律拒绝。"),
)
@click.option(
    "--item-groups",
    type=Input("popularity", "age", names=True),
    multiple=True,
    metavar="[popularity | age | NAME | FILE]",
    help=Text(
        "Recall and exposure by kind of item, and relevant items that nobody is shown. A file says what kind each item "
        "is (CSV, JSONL, Parquet with an item id; a column of counts such as clicks makes head, torso and tail). With "
        "--train: popularity, age; with --items: the name of an attribute; may be repeated.",
        "按物品类别看召回率和曝光占比，以及相关却无人看到的物品。文件给出各物品的类别（带物品 id 的 CSV、JSONL、"
        "Parquet；clicks 等次数列会分成头部、腰部、长尾）。有 --train 时可用 popularity、age；有 --items 时可用属性名；"
        "可重复给出。",
    ),
)
@click.option(
    "--catalogue-size",
    type=int,
    default=None,
    metavar="N",
    help=Text(
        "For lists of one target among sampled candidates: estimate the numbers of a ranking of all N items, with what "
        "the candidates cannot tell.",
        "用于一个目标加抽样候选的列表：估计对全部 N 个物品排序时的数值，并给出候选无法分辨的范围。",
    ),
)
@click.option(
    "--scenario",
    default=None,
    help=Text(
        "Rate the numbers as faq, document_qa, news, …: its measures unless -m names others, its benchmarks, its "
        "advice. `rankgauge scenarios` lists them.",
        "按 faq、document_qa、news、… 场景评级：取该场景的指标（除非用 -m 另外给出）、基准和建议。"
        "`rankgauge scenarios` 列出全部场景。",
    ),
)
@click.option(
    "--rate",
    "is_rated",
    is_flag=True,
    help=Text(
        "Rate the numbers: poor, fair, good, excellent, and what to do.", "给出评级：差、中、良、优，以及该怎么办。"
    ),
)
@click.option(
    "--standards",
    type=Input(),
    default=None,
    help=Text("Bands and figures of your own, as TOML, for the rating.", "评级用的自定义分档和基准，TOML 文件。"),
)
@click.option(
    "--accept",
    multiple=True,
    metavar="CODE",
    help=Text(
        "A suspicion about the input that may stand, such as worst-first; may be repeated. Runs with any other "
        "error are marked, and not rated.",
        "允许存在的输入疑点，如 worst-first；可重复给出。有其他错误的系统会被标出，且不评级。",
    ),
)
@confidence_option
@click.option(
    "--per-query",
    "per_query_file",
    type=Target(),
    default=None,
    help=Text(
        "Write the value of each query to a .csv, .tsv, .jsonl or .parquet file.",
        "把每个查询的值写入 .csv、.tsv、.jsonl 或 .parquet 文件。",
    ),
)
@click.option(
    "-q",
    "--queries",
    is_flag=True,
    help=Text(
        "With --format trec: a line for each query, as trec_eval -q.",
        "与 --format trec 同用：每个查询一行，与 trec_eval -q 相同。",
    ),
)
@digits_option
@click.option(
    "--load",
    "plugins",
    multiple=True,
    type=click.Path(path_type=Path),
    help=Text("A Python file that registers measures of your own.", "注册自定义指标的 Python 文件。"),
)
@placed_options
@tokenizer_option
@columns_option
@engine_options
@page_options_but_scenario
@output_options("table", "json", "csv", "markdown", "latex", "html", "trec")
def command(
    qrels: Given,
    runs: tuple[Given, ...],
    measures: tuple[str, ...],
    plugins: tuple[Path, ...],
    per_query_file: Path | None,
    queries: bool,
    columns: str | None,
    out: Output,
    about: Page,
    digits: int,
    confidence: float,
    engine: str,
    memory: str | None,
    master: str | None,
    item_groups: tuple[str | Path, ...],
    catalogue_size: int | None,
    scenario: str | None,
    is_rated: bool,
    standards: Path | None,
    accept: tuple[str, ...],
    tokenizer: str | None,
    by: str | None,
    reach: float | None,
    not_found: str | None,
    chunks: Path | None,
    **options: Any,
) -> None:
    """Evaluate one run or several against judgements.

    QRELS and RUN are files in any format: TREC, CSV, TSV, JSON, JSONL, Parquet, Arrow, BEIR folders,
    LETOR; also compressed; - is standard input. A file with 'retrieved' and 'relevant' for each query, or with
    records such as those of ragas, serves as both; several such files are several systems. A run is called as its
    file is, or as NAME= says.
    Parquet files and folders larger than memory are read in pieces; with --engine spark, QRELS and RUN may also be
    tables and addresses that Spark knows.
    """
    from rankgauge.data.columns import SharedColumns
    from rankgauge.errors import ParameterError
    from rankgauge.evaluation.of_rankings import evaluate
    from rankgauge.evaluation.rankings.naming import DEFAULT_MEASURES

    if queries and out.chosen != "trec":
        raise ParameterError(
            Text(
                "-q (--queries) is for the format of trec_eval. Add -f trec, or write the value of each query with "
                "--per-query FILE.",
                "-q（--queries）用于 trec_eval 的格式。请加上 -f trec，或用 --per-query FILE 写出每个查询的值。",
            )
        )
    if plugins:
        from rankgauge.measures.custom import load

        for plugin in plugins:
            load(plugin)
    rating = _rating(scenario, is_rated, standards)
    if rating is not None and out.chosen == "trec":
        raise ParameterError(
            Text(
                "trec_eval's lines have no place for ratings. Leave out --format trec, or --scenario and --rate.",
                "trec_eval 的行格式放不下评级。请去掉 --format trec，或去掉 --scenario 和 --rate。",
            )
        )
    if rating is not None and not measures and rating["scenario"] is not None:
        measures = tuple(rating["standards"].scenario(scenario).measures_with(options.get("train")))
    judged, systems = rankings([qrels, *runs])
    first = (runs or (qrels,))[0].path
    named = column_map(columns)
    of_spans = False
    if engine != "spark":
        told: dict[str, Any] = {"by": by, "reach": reach, "not_found": not_found, "chunks": chunks}
        judged, systems, named, _, by, of_spans = judged_sides(
            judged, systems, measures, documents=about.documents, columns=named, **told
        )
    if not of_spans:
        about.refuse_unread(out, measures)
    known = SharedColumns(named) if named else None
    start_engine(engine, master)
    is_watched = systems is not None and len(runs) == 1 and not of_spans
    with watched(first, "run", known, engine, memory) if is_watched else nullcontext():
        result = alone(
            evaluate(
                judged,
                systems,
                measures or DEFAULT_MEASURES,
                columns=named,
                confidence_level=confidence,
                engine=engine,
                memory=memory,
                documents=None if of_spans else about.texts_for(measures),
                tokenizer=tokenizer_of(tokenizer),
                by=by,
                **options,
            )
        )
    if accept:
        result = result.accepting(*accept)
    if per_query_file is not None and engine == "spark":
        write_on_spark(result, per_query_file)
    elif per_query_file is not None:
        write_table(result.per_query, per_query_file, "--per-query")
    if out.chosen == "trec":
        warn(result)
        if not out.is_silent:
            write_text(_trec(result, queries), out.path, "trec")
        out.keep(result)
    else:
        about = replace(about, scenario=scenario, documents=None if of_spans else about.documents)
        about = with_slices(about, options["slices"])
        beside = []
        if rating is not None:
            from rankgauge.diagnosis.ratings import rate

            beside.append(rate(result, **rating))
        if item_groups:
            beside.append(result.by_item_group(list(item_groups) if len(item_groups) > 1 else item_groups[0]))
        if catalogue_size is not None:
            beside.append(result.unsampled(catalogue_size))
        shown = [beside[0]] if beside and out.chosen == "csv" else [result, *beside]
        page = [result, *(record for record in beside if record.kind != "ratings")]  # ratings are on its cards
        out.show(*shown, page=page, about=about, digits=digits)


def _rating(scenario: str | None, is_rated: bool, standards: Path | None) -> dict[str, Any] | None:
    """How numbers are rated; None where nobody asked for it."""
    if scenario is None and not is_rated and standards is None:
        return None
    from rankgauge.diagnosis.standards import load_standards

    figures = load_standards(standards)
    return {"scenario": None if scenario is None else figures.scenario(scenario).name, "standards": figures}


def _trec(result: Any, queries: bool) -> str:
    from rankgauge.evaluation.rankings.record import RankingEvaluation
    from rankgauge.reporting.trec import trec_lines

    members = [result] if isinstance(result, RankingEvaluation) else result.values()
    return "".join(trec_lines(ev, per_query=queries) for ev in members)
