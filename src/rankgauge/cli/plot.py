"""`rankgauge plot`: the charts of the report as files."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from rankgauge._numbers import counted
from rankgauge._show import show
from rankgauge._text import Text, composed
from rankgauge.cli.files import File, Given, record_of
from rankgauge.cli.languages import language_option
from rankgauge.cli.options import (
    Input,
    class_options,
    classes_of,
    column_map,
    columns_option,
    examples,
    measures_option,
    policy_options,
    reading_of,
    reading_options,
    shown_options,
    status,
)
from rankgauge.cli.places import Target, fresh
from rankgauge.cli.style import click
from rankgauge.cli.terminal import say_of_input, wrote
from rankgauge.cli.types import Number
from rankgauge.errors import ParameterError, UnknownName, among

__all__ = ["command"]


def _kinds(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:
    from rankgauge.reporting.figures import KINDS

    return [name for name in KINDS if name.startswith(incomplete)]


@click.command(
    "plot",
    zh="把报告中的一张图画成 SVG、PNG 或 PDF，用于论文或幻灯片；不需要浏览器。\n\nKIND 是以下之一："
    "measures、by_cutoff、judged、grades、contrasts、differences、scatter、slices、query、tradeoff（QRELS "
    "RUN… 或一条已保存的记录），roc、pr、position（标签与得分的文件），reliability、"
    "histogram、segments（这样的文件或一条已保存的记录），confusion（类别的文件，或标签与得分的文件加 --threshold），"
    "funnel、funnel_ndcg、channels、propensity、judged_grades、clipping、changes、drift、by_part、item_groups、"
    "by_budget、sweep、answers、answers_by_recall、by_call、trend（"
    "一条已保存的记录）。PNG 和 PDF 需要附加依赖 rankgauge[export]。",
    epilog=examples(
        "rankgauge plot differences qrels.txt old.run new.run -m nDCG@10 -o differences.pdf",
        "rankgauge plot by_cutoff qrels.txt bm25.run dense.run -m R -o recall.svg",
        "rankgauge plot tradeoff test.csv old.run new.run -m nDCG@10 -m Coverage@10 --items items.csv",
        "rankgauge plot query qrels.txt old.run new.run --query q12 -o q12.png",
        "rankgauge plot reliability clicks.csv --score old --score new -o reliability.png --language zh",
        "rankgauge plot confusion topics.csv -o confusion.png",
        "rankgauge plot confusion test.csv --threshold 0.3",
        "rankgauge plot funnel funnel.json -o funnel.pdf",
    ),
)
@click.argument("kind", shell_complete=_kinds)
@click.argument("files", nargs=-1, type=File(), metavar="[NAME=]FILE…")
@click.option(
    "-o",
    "--output",
    type=Target(),
    default=None,
    help=Text("KIND.svg unless said; or .png, .pdf.", "默认为 KIND.svg；也可以是 .png、.pdf。"),
)
@measures_option(
    Text("A measure; for by_cutoff a name without k, such as R.", "指标；by_cutoff 用不带 k 的名称，如 R。"),
    "RANKINGS",
    "SHOWN",
    "PREDICTIONS",
)
@click.option(
    "--system", default=None, help=Text("Of several systems the one that is drawn.", "有多个系统时画哪一个。")
)
@click.option("--query", "query_id", default=None, help=Text("For query: which one.", "用于 query：哪个查询。"))
@click.option(
    "--slices", type=Input(), default=None, help=Text("For slices: attributes of queries.", "用于 slices：查询的属性。")
)
@click.option(
    "--documents", type=Input(), default=None, help=Text("For query: texts of documents.", "用于 query：文档的文本。")
)
@click.option(
    "--pixels",
    type=Number(0.5, 10),
    default=2.0,
    show_default=True,
    help=Text("Pixels per unit of a PNG.", "PNG 中每单位的像素数。"),
)
@click.option(
    "--threshold",
    type=float,
    default=None,
    help=Text(
        "For confusion of labels and scores: the lowest score that is called positive.",
        "用于标签与得分的混淆矩阵：判为正的最低得分。",
    ),
)
@reading_options
@class_options
@policy_options
@shown_options
@columns_option
@language_option()
def command(
    kind: str,
    files: tuple[Given, ...],
    output: Path | None,
    measures: tuple[str, ...],
    system: str | None,
    query_id: str | None,
    documents: Path | None,
    threshold: float | None,
    pixels: float,
    language: str,
    **options: Any,
) -> None:
    """Draw one chart of the report as SVG, PNG or PDF, for a paper or slides; no browser is needed.

    KIND is one of measures, by_cutoff, judged, grades, contrasts, differences, scatter, slices, query, tradeoff (QRELS
    RUN… or a stored record), roc, pr, position (a file of labels and scores), reliability, histogram, segments (such a
    file, or a stored record), confusion (of classes, or of labels and scores with --threshold), funnel, funnel_ndcg,
    channels, propensity, judged_grades, clipping, changes, drift, by_part, item_groups, by_budget, sweep, answers,
    answers_by_recall, by_call, trend (a stored record). PNG and PDF need the extra rankgauge[export].
    """
    from rankgauge.reporting.figures import KINDS, plot

    if kind not in KINDS:
        raise UnknownName(Text(f"no chart {show(kind)}.", f"没有图表 {show(kind)}。") + among(kind, KINDS))
    if not files:
        wanted = _wanted(KINDS[kind].needs)
        raise ParameterError(composed("plot {} needs files: {}.", "plot {} 需要文件：{}。", kind, wanted))
    path = output or fresh(Path(f"{kind}.svg"))
    with status(Text(f"drawing {kind} …", f"正在绘制 {kind} …")):
        record = subject = _record(KINDS[kind].needs, kind, files, measures, options)
        chosen: dict[str, Any] = {}
        if kind == "query":
            record, chosen = _lists(record, query_id, system, documents)
        elif kind == "by_cutoff" and measures:
            chosen["measure"] = measures[0]
        elif kind in ("differences", "scatter", "slices"):
            chosen = {"system": system} if system else {}
        elif kind == "confusion":
            chosen = {k: v for k, v in {"model": system, "threshold": threshold}.items() if v is not None}
        plot(record, kind, path, language=language, pixels=pixels, **chosen)
    say_of_input(subject, counted=True)
    wrote(path)


def _wanted(needs: str) -> Text:
    from rankgauge.reporting.figures.plotting import SUBJECTS

    files = SUBJECTS[needs].files
    if files == "predictions":
        return Text("a file of labels and scores", "标签与得分的文件")
    if files == "classes":
        return Text("a file of classes, or of labels and scores", "类别的文件，或标签与得分的文件")
    if files == "rankings":
        return Text(
            "QRELS and runs, a file that holds both, or a stored record",
            "QRELS 和结果文件、同时含两者的文件，或一条已保存的记录",
        )
    return composed("{}, stored as JSON", "{}，以 JSON 保存", SUBJECTS[needs].says)


def _record(needs: str, kind: str, files: tuple[Given, ...], measures: tuple[str, ...], options: dict[str, Any]) -> Any:
    """What is drawn: read back where it was stored, computed otherwise."""
    from rankgauge._piped import Piped
    from rankgauge.data.together import holds_both
    from rankgauge.evaluation.loading import load
    from rankgauge.reporting.figures.plotting import SUBJECTS

    made_of = SUBJECTS[needs].files
    of_rows, of_rankings = made_of in ("predictions", "classes"), made_of == "rankings"
    columns = column_map(options.pop("columns"))
    said = reading_of(options) | classes_of(options)
    reading = {k: v for k, v in said.items() if v is not None and v != ()}
    options = {k: v for k, v in options.items() if v is not None}
    first = files[0].path
    may_be_stored = not of_rows and isinstance(first, Piped)
    is_both = of_rankings and holds_both(first)
    if len(files) == 1 and not is_both and (first.suffix == ".json" or not made_of or may_be_stored):
        _refuse(
            kind,
            [*reading, *options],
            Text("draws a stored record, which is finished", "画的是已保存的记录，不会再计算"),
        )
        return load(first)
    if of_rows:
        from rankgauge.evaluation.of_predictions import evaluate_predictions

        _refuse(kind, options, Text("draws labels and scores", "画的是标签与得分"))
        return evaluate_predictions(first, list(measures) or None, columns=columns, **reading)
    _refuse(kind, reading, _RANKINGS)
    if (len(files) < 2 and not is_both) or not made_of:
        raise ParameterError(
            composed(
                "plot {} needs {}, got {}.",
                "plot {} 需要{}，实际为 {}。",
                kind,
                _wanted(needs),
                counted(len(files), "file", "个文件"),
            )
        )
    if columns:
        options["columns"] = columns
    return record_of(files, list(measures) if measures and kind != "by_cutoff" else None, **options)


_RANKINGS = Text("draws rankings", "画的是排序结果")


def _refuse(kind: str, given: Iterable[str], draws: Text) -> None:
    """No word is dropped without a word."""
    names = {"scores": "score", "slices": "slice"} if draws is _RANKINGS else {}
    said = [f"--{names.get(name, name).replace('_', '-')}" for name in given]
    if said:
        raise ParameterError(
            composed(
                "plot {} {}: {} would change nothing. Leave it out.",
                "plot {} {}：{} 不起作用。请去掉。",
                kind,
                draws,
                ", ".join(said),
            )
        )


def _lists(record: Any, query_id: str | None, system: str | None, documents: Path | None) -> tuple[Any, dict[str, Any]]:
    """The lists of one query, and the titles of what is in them."""
    from rankgauge.comparison.record import Comparison
    from rankgauge.data.document_texts import read_texts

    if not isinstance(record, Comparison):
        raise ParameterError(
            Text(
                "plot query needs judgements and two runs: rankgauge plot query QRELS BASE NEW --query ID.",
                "plot query 需要标注和两个结果文件：rankgauge plot query QRELS BASE NEW --query ID。",
            )
        )
    if query_id is None:
        raise ParameterError(Text("plot query needs --query ID.", "plot query 需要 --query ID。"))
    found = record.query(query_id, system or (record.systems[0] if len(record.systems) > 1 else None))
    texts = {} if documents is None else read_texts(documents, [i.item_id for i in found.items])
    return found, {"titles": {k: v.title or v.text for k, v in texts.items()}}
