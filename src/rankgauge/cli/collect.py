"""`rankgauge collect`: what a live retriever answers, as a file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from rankgauge._text import Text
from rankgauge.cli.options import Input, column_map, columns_option, examples, write_table
from rankgauge.cli.output import Output, output_options
from rankgauge.cli.places import Target
from rankgauge.cli.retriever_options import asked_for, asking_options, collected, retrievers_of
from rankgauge.cli.style import click
from rankgauge.cli.terminal import wrote
from rankgauge.errors import ParameterError

__all__ = ["command", "pieces_frame"]


@click.command(
    "collect",
    zh="向检索器询问，把结果列表写成文件，并给出延迟和失败情况。\n\nQUESTIONS 是问题：每行一个问题的 JSONL、CSV，"
    "BEIR 文件夹，SQuAD、LlamaIndex 等问题集。给出 --documents 时写出文本块（文档、起点、终点），供 rg.Chunks 使用。",
    epilog=examples(
        "rankgauge collect questions.jsonl --retriever search:find --run bm25.csv",
        "rankgauge collect queries.tsv --retriever app.search:retriever -k 100 --run new.parquet --timings times.csv",
        "rankgauge collect questions.jsonl --retriever search:find --documents docs.jsonl --run pieces.jsonl",
        "rankgauge collect questions.jsonl --retriever search:find --journal answers.jsonl --concurrency 8 --timeout 5 "
        "--run new.csv",
    ),
)
@click.argument("questions", type=Input())
@asking_options
@click.option(
    "--run",
    "target",
    type=Target(),
    required=True,
    metavar="FILE",
    help=Text(
        "The lists to write: .run, .csv, .jsonl, .parquet and so on; pieces of documents as .csv, .tsv, .jsonl or "
        ".parquet.",
        "要写出的结果列表：.run、.csv、.jsonl、.parquet 等；文本块写成 .csv、.tsv、.jsonl 或 .parquet。",
    ),
)
@click.option(
    "--timings",
    type=Target(),
    default=None,
    metavar="FILE",
    help=Text(
        "Write start, seconds, attempts and outcome of each query to a .csv, .tsv, .jsonl or .parquet file.",
        "把每个查询的开始时间、耗时、尝试次数和结局写入 .csv、.tsv、.jsonl 或 .parquet 文件。",
    ),
)
@columns_option
@output_options("table", "json", "csv", "markdown", "html")
def command(
    questions: Path,
    retrievers: tuple[str, ...],
    k: int,
    documents: Path | None,
    query_texts: Path | None,
    journal: Path | None,
    target: Path,
    timings: Path | None,
    columns: str | None,
    out: Output,
    **options: Any,
) -> None:
    """Ask a retriever, write what it answers as a file, and say how long it took and what failed.

    QUESTIONS are JSONL or CSV with a question on each line, a BEIR folder, or a set such as SQuAD or LlamaIndex have
    them. With --documents, pieces are written (document, start, end), as rg.Chunks reads them.
    """
    from rankgauge.data.formats import refuse_unwritable
    from rankgauge.data.formats.write import table_suffix
    from rankgauge.data.questions import queries_of

    if len(retrievers) > 1:
        raise ParameterError(
            Text(
                "one file holds the lists of one retriever. Give one --retriever, or compare several: rankgauge rag.",
                "一个文件只存一个检索器的结果。请只给一个 --retriever；要比较多个检索器，请用 rankgauge rag。",
            )
        )
    found = retrievers_of(retrievers)
    texts = queries_of(questions if query_texts is None else query_texts, column_map(columns))
    if documents is None:  # what could not be written is said before anything is asked
        refuse_unwritable(list(texts), target, "run")
    else:
        table_suffix(target, "--run")
    if timings is not None:
        table_suffix(timings, "--timings")
    (run,) = collected(texts, found, k, journal, documents=documents, **asked_for(options)).values()
    if run.pieces is None:
        run.write(target)
        wrote(target)
    else:
        write_table(pieces_frame(run), target, "--run")
    assert run.collected is not None
    if timings is not None:
        write_table(run.collected.to_frame(), timings, "--timings")
    out.show(run.collected)


def pieces_frame(run: Any) -> Any:
    """A row for each piece, best first."""
    import polars as pl

    types = {"query_id": pl.String, "rank": pl.Int64, "doc_id": pl.String, "start": pl.Int64, "end": pl.Int64}
    rows = [
        {"query_id": q, "rank": rank, **{name: piece.get(name) for name in ("doc_id", "start", "end", "text")}}
        for q, pieces in run.pieces.items()
        for rank, piece in enumerate(pieces, 1)
    ]
    return pl.DataFrame(rows, schema={**types, "text": pl.String})
