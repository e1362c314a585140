"""`rankgauge convert`: from one format to another."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from rankgauge._show import show
from rankgauge._text import Text, composed, mapped
from rankgauge.cli.options import Input, column_map, columns_option, examples
from rankgauge.cli.places import Target
from rankgauge.cli.style import click
from rankgauge.cli.terminal import say, wrote
from rankgauge.cli.types import Choice
from rankgauge.errors import ParameterError

if TYPE_CHECKING:
    from rankgauge.data.table import Table

__all__ = ["command"]


@click.command(
    "convert",
    zh="在 TREC、CSV、TSV、JSON、JSONL、Parquet、Arrow、BEIR 和 LETOR 文件之间转换结果与标注。\n\n"
    "TARGET 为 - 时写到标准输出，格式由 --to 指定。",
    epilog=examples(
        "rankgauge convert bm25.run bm25.parquet",
        "rankgauge convert qrels.csv qrels.txt --kind qrels --to trec",
        "rankgauge convert beir_folder qrels.txt --kind qrels",
        "rankgauge convert rag.json rag.qrels",
    ),
)
@click.argument("source", type=Input())
@click.argument("target", type=Target())
@click.option(
    "--kind",
    type=Choice(["run", "qrels"]),
    default=None,
    help=Text("What the source holds; told by its columns when not given.", "源文件的内容；不给出时由列名判断。"),
)
@click.option(
    "--from",
    "source_format",
    default=None,
    help=Text("Format of the source, when its content does not tell.", "源文件的格式，用于内容看不出格式的情况。"),
)
@click.option(
    "--to",
    "target_format",
    default=None,
    help=Text("Format of the target, when its suffix does not tell.", "目标文件的格式，用于后缀看不出格式的情况。"),
)
@click.option("--tag", default=None, help=Text("Run tag written to a TREC run.", "写入 TREC 结果文件的 run tag。"))
@columns_option
@click.pass_context
def command(
    ctx: click.Context,
    source: Path,
    target: Path,
    kind: str | None,
    source_format: str | None,
    target_format: str | None,
    tag: str | None,
    columns: str | None,
) -> None:
    """Convert runs and judgements between TREC, CSV, TSV, JSON, JSONL, Parquet, Arrow, BEIR and LETOR files.

    A TARGET of - is standard output, in the format that --to names.
    """
    options = {"format": source_format, "columns": column_map(columns)}
    table = _read(source, kind or _kind_of(source, target), options)
    if tag is not None and table.kind == "run":
        table.tag = tag  # type: ignore[attr-defined]
    try:
        table.write(target, format=target_format)
    except ParameterError as e:
        raise ParameterError(mapped(_of_target, e.text)) from None
    wrote(
        target,
        Text(
            f": {table.kind}, {len(table.query_ids):,} queries, {len(table):,} rows",
            f"：{table.kind}，{len(table.query_ids):,} 个查询，{len(table):,} 行",
        ),
    )
    for note in table.notes:
        from rankgauge.cli.wording import in_note  # patterns that help pages need not wait for

        say("  " + in_note(note, ctx.command))


def _kind_of(source: Path, target: Path) -> str | None:
    """Of a source that holds both sides the one that the target is called after."""
    from rankgauge.data.together import holds_both

    if not holds_both(source):
        return None
    parts = target.name.lower().replace("-", ".").replace("_", ".").split(".")
    said = [kind for kind, words in _NAMED.items() if words.intersection(parts)]
    if len(said) == 1:
        return said[0]
    raise ParameterError(
        Text(
            f"{show(source.name)} holds judgements and a run, and {show(str(target))} does not say which is meant. Add "
            "--kind qrels or --kind run, or call the target x.qrels or x.run.",
            f"{show(source.name)} 同时含有标注和 run，而从 {show(str(target))} 看不出要哪一个。请加上 --kind qrels 或 "
            "--kind run，或把目标命名为 x.qrels 或 x.run。",
        )
    )


_NAMED = {"qrels": frozenset({"qrels", "qrel", "judgements", "judgments"}), "run": frozenset({"run", "runs"})}
"""Parts of file names that say what is in them."""


def _of_target(words: str) -> str:
    """The format of a file that is written, where messages say it of any."""
    return words.replace("`format`", "--to").replace("format=", "--to").replace("format must", "--to must")


def _read(source: Path, kind: str | None, options: dict[str, Any]) -> Table:
    """The source as what it is: a run when it reads as one, else judgements."""
    from rankgauge.data import Qrels, Run
    from rankgauge.errors import InputError

    if kind == "qrels":
        return Qrels.read(source, **options)
    try:
        return Run.read(source, **options)
    except InputError as not_a_run:
        if kind == "run":
            raise
        try:
            return Qrels.read(source, **options)
        except InputError as not_qrels:
            raise InputError(
                composed(
                    "{}\nNor does it read as judgements: {}",
                    "{}\n也不能作为标注读取：{}",
                    not_a_run.text,
                    not_qrels.text,
                )
            ) from None
