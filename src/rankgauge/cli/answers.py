"""`rankgauge answers`: are wrong answers the fault of retrieval or of generation?"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from rankgauge._text import Text
from rankgauge.cli.files import File, Given, alone, rankings
from rankgauge.cli.options import (
    Input,
    column_map,
    columns_option,
    confidence_option,
    examples,
    policy_option,
    status,
    write_table,
)
from rankgauge.cli.output import Output, output_options
from rankgauge.cli.placed_options import judged_sides
from rankgauge.cli.places import Target
from rankgauge.cli.retriever_options import placed_options
from rankgauge.cli.style import click
from rankgauge.cli.types import Number
from rankgauge.errors import ParameterError
from rankgauge.evaluation.policy_fields import fields_of
from rankgauge.evaluation.rankings.policy import Policy

__all__ = ["command"]

_UNREAD = Text(
    "--documents is for gold and results that are parts of documents (quoted text, or start and end), and these are "
    "ids. Leave it out, or pass --by spans.",
    "--documents 用于标准答案和结果是文档片段（原文，或 start 和 end）的情形，而这里是 id。请去掉，或传入 --by spans。",
)


@click.command(
    "answers",
    zh="答错是因为没有检索到，还是检索到了却没有答对？\n\nQRELS 是标注，RUN 是生成答案所用的检索结果；--answers "
    "说明每个查询的答案是否正确（由他人判断，本工具不判断文本）。同时含有检索结果和相关文档的文件不需要 QRELS。",
    epilog=examples(
        "rankgauge answers qrels.txt context.run --answers answers.jsonl -k 5",
        "rankgauge answers qrels.txt context.run --answers graded.csv --threshold 0.5",
        "rankgauge answers qrels.txt context.run --answers answers.jsonl --retrieved R@5 --at-least 1",
        "rankgauge answers questions.jsonl pieces.jsonl --answers graded.csv --documents docs.jsonl -k 5",
        "rankgauge answers rag.jsonl --answers rag.jsonl --queries cells.csv --language zh",
    ),
)
@click.argument("files", nargs=-1, required=True, type=File(), metavar="QRELS RUN")
@click.option(
    "--answers",
    "correct",
    type=Input(),
    required=True,
    metavar="FILE",
    help=Text(
        "Which answers are right: a table with query_id and correct (true or false, or a grade).",
        "哪些答案正确：带 query_id 和 correct（true、false 或得分）的表。",
    ),
)
@click.option(
    "-k",
    "k",
    type=click.IntRange(1),
    default=None,
    help=Text(
        "How many results the generator was given; all of them unless said.", "生成时给出了前多少条结果；默认全部。"
    ),
)
@click.option(
    "--retrieved",
    default=None,
    metavar="MEASURE",
    help=Text("What says that gold was retrieved [default: Hit].", "用哪个指标判断是否检索到 [默认：Hit]。"),
)
@click.option(
    "--at-least",
    type=Number(),
    default=None,
    help=Text(
        "Its lowest value that says so; anything above 0 unless said. Alone, where gold is spans: the share of its "
        "text.",
        "该指标至少为多少；默认大于 0 即可。标准答案是片段且未给出 --retrieved 时：检索到的原文比例。",
    ),
)
@click.option(
    "--threshold",
    type=Number(),
    default=None,
    help=Text("The lowest grade of a right answer.", "得分不低于多少算答对。"),
)
@click.option(
    "--examples",
    "most",
    type=click.IntRange(0),
    default=5,
    show_default=True,
    help=Text("Queries of each cell that are named.", "每类列出多少个查询。"),
)
@click.option(
    "--documents",
    type=Input(),
    default=None,
    help=Text(
        "Documents as texts by id (JSONL, CSV, Parquet, a folder of BEIR), for gold that is quoted: it is located in "
        "them.",
        "文档的文本（按 id 给出：JSONL、CSV、Parquet、BEIR 文件夹），用于标准答案是原文的情形：在其中定位。",
    ),
)
@placed_options
@policy_option("rel", fields_of(Policy)["rel"])
@confidence_option
@click.option(
    "--queries",
    type=Target(),
    default=None,
    help=Text(
        "Write the cell of every query: .csv, .tsv, .jsonl or .parquet.",
        "写出每个查询属于哪一类：.csv、.tsv、.jsonl 或 .parquet。",
    ),
)
@columns_option
@output_options("table", "json", "csv", "markdown", "latex", "html")
def command(
    files: tuple[Given, ...],
    correct: Any,
    most: int,
    documents: Path | None,
    by: str | None,
    reach: float | None,
    not_found: str | None,
    chunks: Path | None,
    rel: float | None,
    confidence: float,
    queries: Path | None,
    columns: str | None,
    out: Output,
    **options: Any,
) -> None:
    """Are wrong answers the fault of retrieval or of generation?

    QRELS are judgements, RUN is what answers were made from; --answers says which answers are right, as somebody judged
    them: no text is judged here. A file that holds what was retrieved and what is relevant needs no QRELS.
    """
    from rankgauge.data.answers import OF_ANSWERS
    from rankgauge.evaluation.of_rankings import evaluate
    from rankgauge.evaluation.rankings.answers import answers
    from rankgauge.evaluation.rankings.record import RankingEvaluation

    qrels, run = rankings(files)
    named = column_map(columns)
    with status(Text("relating answers to gold …", "正在对照答案与检索 …")):
        mine = {name: role for name, role in (named or {}).items() if role not in OF_ANSWERS} or None
        retrieved = [options["retrieved"]] if options["retrieved"] else []
        told: dict[str, Any] = {"by": by, "reach": reach, "not_found": not_found, "chunks": chunks}
        sides = judged_sides(qrels, run, retrieved, documents=documents, columns=mine, **told)
        if documents is not None and not sides.is_spans:
            raise ParameterError(_UNREAD)
        qrels, run, mine, by = sides.qrels, sides.runs, dict(sides.columns or {}) or None, sides.by
        ev = alone(evaluate(qrels, run, rel=rel, confidence_level=confidence, columns=mine, by=by))
        if not isinstance(ev, RankingEvaluation):
            raise ParameterError(
                Text(
                    f"answers are made from one run, got {len(ev)}. Give one RUN.",
                    f"答案出自一个 run，实际给出了 {len(ev)} 个。请只给出一个 RUN。",
                )
            )
        found = answers(ev, correct, columns=named, **options)
    if queries is not None:
        write_table(found.per_query, queries, "--queries")
    out.show(found, page=[ev, found], examples=most)
