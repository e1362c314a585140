"""`rankgauge compare`: is the new one better?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from rankgauge._show import show_all
from rankgauge._text import Text
from rankgauge.cli.files import File, Given, files_by_name, rankings
from rankgauge.cli.options import (
    column_map,
    columns_option,
    digits_option,
    examples,
    measures_option,
    policy_options,
    shown_options,
    slices_option,
    status,
    testing_options,
    tokenizer_of,
    tokenizer_option,
)
from rankgauge.cli.output import Output, Page, output_options, page_options, with_slices
from rankgauge.cli.placed_options import judged_sides, refuse_beside_records
from rankgauge.cli.retriever_options import placed_options
from rankgauge.cli.style import click

__all__ = ["command"]


@click.command(
    "compare",
    zh="新系统是否优于基线？先给结论，再给数字，最后是哪些查询发生了变化。\n\nQRELS 是标注，BASE 是"
    "要超越的结果文件，NEW 是一个或多个结果文件，格式不限。",
    epilog=examples(
        "rankgauge compare qrels.txt old.run new.run",
        "rankgauge compare qrels.txt old.run new.run -m nDCG@10 -m R@100 --margin 0.01",
        "rankgauge compare qrels.txt bm25.run dense.run hybrid.run --all-pairs --slices queries.jsonl",
        "rankgauge compare qrels.txt old.run new.run --query q12",
        "rankgauge compare qrels.txt old.run new.run -m R@100 -m nDCG@10 --sentences --language zh",
        "rankgauge compare qrels.txt old.run new.run --html report.html --documents corpus.jsonl",
        "rankgauge compare questions.jsonl small.jsonl large.jsonl -m SpanRecall@5 --documents docs.jsonl",
        "rankgauge compare old=rag-v1.json new=rag-v2.json",
        "rankgauge compare --evaluations old.json new.json",
    ),
)
@click.argument("files", nargs=-1, required=True, type=File(), metavar="QRELS [NAME=]BASE [NAME=]NEW…")
@measures_option(
    Text(
        "A measure such as nDCG@10; may be repeated. The first one is the headline.",
        "指标，如 nDCG@10；可重复给出，第一个用于标题结论。",
    ),
    "RANKINGS",
    "SPANS",
    "SHOWN",
)
@click.option(
    "--evaluations",
    is_flag=True,
    help=Text(
        "All FILES are stored evaluations (evaluate --json), the first the baseline.",
        "所有文件都是已保存的评测（evaluate --json），第一个是基线。",
    ),
)
@testing_options(Text("Of p-values over all measures and systems.", "对所有指标和系统的 p 值作多重比较校正的方法。"))
@click.option(
    "--all-pairs",
    is_flag=True,
    help=Text(
        "p-values of all pairs of systems (randomised Tukey test).",
        "给出所有系统两两之间的 p 值（随机化 Tukey 检验）。",
    ),
)
@click.option(
    "--query",
    "query_id",
    default=None,
    help=Text("The two result lists of one query side by side.", "并排显示某个查询的两个结果列表。"),
)
@click.option(
    "--depth-shown",
    type=click.IntRange(1),
    default=10,
    show_default=True,
    help=Text("Results shown by --query.", "--query 显示的结果条数。"),
)
@click.option(
    "--lists",
    is_flag=True,
    help=Text("The result lists of the queries that moved most, side by side.", "并排显示变化最大的查询的结果列表。"),
)
@click.option(
    "--sentences",
    "as_sentences",
    is_flag=True,
    help=Text(
        "A sentence for each measure, ready for a report: from where to where, with the interval of the difference.",
        "每个指标一句话，可直接用于汇报：从多少变为多少，以及差值的置信区间。",
    ),
)
@click.option(
    "--moved",
    type=click.IntRange(0),
    default=3,
    show_default=True,
    help=Text("Queries shown that moved most.", "显示多少个变化最大的查询。"),
)
@slices_option(Text(", for differences by slice", "，用于按切片比较"))
@digits_option
@policy_options
@shown_options
@placed_options
@tokenizer_option
@columns_option
@page_options
@output_options("table", "json", "csv", "markdown", "latex", "html")
def command(
    files: tuple[Given, ...],
    measures: tuple[str, ...],
    evaluations: bool,
    all_pairs: bool,
    seed: int,
    query_id: str | None,
    depth_shown: int,
    lists: bool,
    as_sentences: bool,
    moved: int,
    columns: str | None,
    digits: int,
    out: Output,
    about: Page,
    **options: Any,
) -> None:
    """Is a new system better than the baseline? The verdict first, then the numbers, then what moved.

    QRELS are judgements, BASE the run to beat, NEW one run or several, in any format. Files that hold what was
    retrieved and what is relevant need no QRELS: their judgements must be the same.
    """
    from rankgauge.comparison import compare
    from rankgauge.data.together import holds_both
    from rankgauge.errors import ParameterError

    options = {k: v for k, v in options.items() if v is not None}
    if "tokenizer" in options:
        options["tokenizer"] = tokenizer_of(options["tokenizer"])
    options |= {"pairs": "all" if all_pairs else "baseline", "rng": seed}
    told = {name: options.pop(name, None) for name in ("by", "reach", "not_found", "chunks")}
    with status(Text("comparing …", "正在比较 …")):
        if evaluations:
            refuse_beside_records([name for name, value in told.items() if value is not None])
            result = compare(files_by_name(files), None, list(measures) or None, **options)
        else:
            qrels, runs = rankings(files)
            if not isinstance(qrels if runs is None else runs, dict):
                raise ParameterError(_too_few(files, has_both=runs is None and holds_both(qrels)))
            mapped = column_map(columns)
            sides = judged_sides(qrels, runs, measures, documents=about.documents, columns=mapped, **told)
            qrels, runs, mapped, options["by"] = sides.qrels, sides.runs, sides.columns, sides.by
            if not sides.is_spans:
                about.refuse_unread(out, measures)
                if texts := about.texts_for(measures):
                    options["documents"] = texts
            else:
                about = replace(about, documents=None)
            if mapped:
                options["columns"] = mapped
            result = compare(
                qrels, runs, list(measures) or _of_scenario(about.scenario, options.get("train")), **options
            )
    about = with_slices(about, options.get("slices"))
    if out.is_data:
        out.show(result, about=about)
        return
    if as_sentences:
        from rankgauge.reporting import Sheet
        from rankgauge.reporting.grid import Section
        from rankgauge.reporting.verdicts import sentences

        out.show(Sheet([Section(notes=sentences(result))]), page=[result], about=about)
        return
    if query_id is not None:
        side_by_side = [result.query(query_id, system, depth=depth_shown) for system in result.systems]
        out.show(*side_by_side, page=[result], about=about, digits=digits)
        return
    if not lists:
        out.show(result, about=about, digits=digits, moved=moved)
        return
    first = result.query_measures[:1]
    found = [
        result.query(q, system, measure, depth=depth_shown)
        for measure in first
        for system in result.systems
        for frame in result.moved(measure, system, moved)
        for q in frame["query_id"]
    ]
    out.show(result, *found, page=[result], about=about, digits=digits)


def _of_scenario(scenario: str | None, train: Any) -> list[str] | None:
    """The measures of a scenario, as `evaluate` and `diagnose` take them."""
    if scenario is None:
        return None
    from rankgauge.diagnosis.standards import load_standards

    return load_standards().scenario(scenario).measures_with(train)


def _too_few(files: Sequence[Given], *, has_both: bool) -> Text:
    """What is missing beside the files that were given."""
    given = show_all([str(file.path) for file in files])
    if has_both:
        return Text(
            f"compare needs two systems, got one ({given}). Give the file of the other one as well: rankgauge compare "
            "BASE NEW.",
            f"compare 需要两个系统，实际只有一个（{given}）。请再给出另一个系统的文件：rankgauge compare BASE NEW。",
        )
    n = len(files)
    return Text(
        f"compare needs judgements and two runs: rankgauge compare QRELS BASE NEW. Got {n} file{'s' if n > 1 else ''}: "
        f"{given}.",
        f"compare 需要标注和两个结果文件：rankgauge compare QRELS BASE NEW。实际只有 {n} 个文件：{given}。",
    )
