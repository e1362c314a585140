"""`rankgauge diagnose`: what is wrong, and what to do?"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from rankgauge._text import Text, composed
from rankgauge._unpacked import inner_suffix
from rankgauge._words import as_meant
from rankgauge.cli.files import File, Given, rankings, record_of_sides
from rankgauge.cli.options import (
    Input,
    class_options,
    classes_of,
    column_map,
    columns_option,
    documents_option,
    examples,
    measures_option,
    needs_run,
    policy_options,
    reading_of,
    reading_options,
    shown_options,
    slices_option,
    status,
    tokenizer_of,
    tokenizer_option,
)
from rankgauge.cli.output import Output, output_options
from rankgauge.cli.placed_options import judged_sides, refuse_beside_records
from rankgauge.cli.retriever_options import placed_options
from rankgauge.cli.style import click
from rankgauge.cli.terminal import say_of_input
from rankgauge.errors import ParameterError

__all__ = ["command"]


@click.command(
    "diagnose",
    zh="说明数字的含义：问题是什么，为什么重要，先检查什么，怎么办。\n\n单个文件是标签与得分、类别、"
    "同时含检索结果和相关文档的文件，或用 --json 保存的评测或比较；标注加一个结果文件会先评测；"
    "再给一个结果文件，还会诊断变化。",
    epilog=examples(
        "rankgauge diagnose qrels.txt run.txt",
        "rankgauge diagnose qrels.txt run.txt --scenario faq --language zh",
        "rankgauge diagnose qrels.txt old.run new.run --scenario product_search",
        "rankgauge diagnose qrels.txt old.run new.run --online ctr=0.031:0.0312",
        "rankgauge diagnose qrels.txt old.run new.run --online ctr=3100/100000:3120/100000 --online experiment.csv",
        "rankgauge diagnose clicks.csv --scenario ctr",
        "rankgauge diagnose clicks.csv --score new --group user_id --slice device",
        "rankgauge diagnose topics.csv --prediction new",
        "rankgauge diagnose rag.json --scenario document_qa",
        "rankgauge diagnose test.csv recs.csv --scenario feed --train train.csv --items items.csv",
        "rankgauge diagnose qrels.txt run.txt -m 'R(budget=2000t)' --documents corpus.jsonl",
        "rankgauge diagnose evaluation.json",
    ),
)
@click.argument("files", nargs=-1, required=True, type=File(), metavar="QRELS [NAME=]RUN [[NAME=]NEW]…")
@measures_option(Text("Measures; those of the scenario by default.", "指标；默认取场景推荐的指标。"))
@click.option(
    "--scenario",
    default=None,
    help=Text(
        "faq, document_qa, academic, …: `rankgauge scenarios` lists them.",
        "faq、document_qa、academic、…：`rankgauge scenarios` 列出全部场景。",
    ),
)
@click.option(
    "--standards",
    type=Input(),
    default=None,
    help=Text("A TOML file with your own figures.", "写有自己的标准的 TOML 文件。"),
)
@slices_option()
@click.option(
    "--most", type=click.IntRange(1), default=7, show_default=True, help=Text("Findings shown.", "最多显示多少条诊断。")
)
@click.option(
    "--accept",
    multiple=True,
    metavar="CODE",
    help=Text(
        "A suspicion about the input that may stand, such as worst-first where the order is right; may be repeated. "
        "Any other error of the input leaves nothing else to say.",
        "允许存在的输入疑点，如顺序没有错时的 worst-first；可重复给出。输入有其他错误时，不再给出别的诊断。",
    ),
)
@click.option(
    "--online",
    multiple=True,
    metavar="NAME=BEFORE:AFTER",
    help=Text(
        "What was seen online, for two runs: ctr=0.031:0.0312, a difference (ctr=+0.0002), counts of both arms "
        "(ctr=3100/100000:3120/100000), or a file: a table with metric, before and after, or a stored experiment.",
        "线上看到的变化（用于两个系统的比较）：ctr=0.031:0.0312、差值（ctr=+0.0002）、两组计数"
        "（ctr=3100/100000:3120/100000），或一个文件：带 metric、before、after 列的表格，或存为 JSON 的实验。",
    ),
)
@reading_options
@class_options
@policy_options
@shown_options
@documents_option
@placed_options
@tokenizer_option
@columns_option
@output_options("table", "json", "csv", "markdown", "html")
def command(
    files: tuple[Given, ...],
    measures: tuple[str, ...],
    scenario: str | None,
    standards: Path | None,
    slices: Path | str | list[Path | str] | None,
    accept: tuple[str, ...],
    online: tuple[str, ...],
    most: int,
    columns: str | None,
    out: Output,
    **options: Any,
) -> None:
    """Say what the numbers mean: what is wrong, why it matters, what to check first, what to do.

    One file holds labels and scores, or classes, what was retrieved beside what is relevant, or an evaluation or
    comparison that --json stored; judgements and a run are evaluated; with a second run the change, too.
    """
    from rankgauge.diagnosis import diagnose
    from rankgauge.diagnosis.standards import load_standards

    figures = load_standards(standards)
    seen = _online(online)
    told = reading_of(options) | classes_of(options)
    reading = {k: v for k, v in told.items() if v is not None and v != ()}
    options = {k: v for k, v in options.items() if v is not None}
    options["columns"] = column_map(columns)
    with status(Text("looking …", "正在诊断 …")):
        subject = _subject(files, list(measures), scenario, figures, slices, options, reading)
        if seen and subject.kind != "comparison":
            raise ParameterError(
                Text(
                    "--online is about a change: name the old run and the new one, or a stored comparison.",
                    "--online 针对的是改动：请给出旧系统和新系统，或一个存储的比较。",
                )
            )
        several = list(subject.values()) if subject.kind in ("predictions_by_name", "classes_by_name") else [subject]
        if len(several) > 1 and out.is_data:
            raise ParameterError(
                composed(
                    "a file holds the diagnosis of one model, got {}: {}. Name one with {}.",
                    "一个文件只存一个模型的诊断，实际有 {} 个：{}。请用 {} 指定一个。",
                    len(several),
                    ", ".join(subject),
                    "--score" if subject.kind == "predictions_by_name" else "--prediction",
                )
            )
        how: dict[str, Any] = {
            "scenario": scenario,
            "language": out.language,
            "standards": figures,
            "online": seen,
            "most": most,
            "accept": accept,
        }
        found = [diagnose(one, **how) for one in several]
    say_of_input(subject)
    out.show(*found, page=[subject, *found])


def _online(texts: tuple[str, ...]) -> dict[str, Any] | None:
    """What was seen online, by name; None where nobody said."""
    if not texts:
        return None
    from rankgauge.diagnosis.online import online_of_texts

    return {x.name: x for x in online_of_texts(texts)}


def _stored(path: Path) -> Any:
    """The stored record that a file holds; None where it holds something else, such as rows."""
    from collections.abc import Mapping

    from rankgauge._show import show
    from rankgauge.data.side import read_json
    from rankgauge.evaluation.loading import load

    data = read_json(path, f"input {show(path.name)}")
    return load(path) if isinstance(data, Mapping) and ("rankgauge" in data or "kind" in data) else None


def _refuse(reading: dict[str, Any], because: Text) -> None:
    """No word about labels and scores is dropped without a word."""
    if reading:
        typed = {"scores": "--score", "slices": "--slice", "prediction": "--prediction"}
        said = ", ".join(typed.get(name, f"--{name.replace('_', '-')}") for name in reading)
        raise ParameterError(
            composed(
                "{} is for labels and scores, and {}. Leave it out.", "{} 用于标签与得分，而{}。请去掉。", said, because
            )
        )


def _refuse_shown(options: dict[str, Any], because: Text) -> None:
    """What is known of users and items serves rankings that are evaluated here."""
    if said := ", ".join(
        f"--{name}" for name in ("train", "items", "documents", "tokenizer") if options.get(name) is not None
    ):
        raise ParameterError(
            composed(
                "{} is for rankings that are evaluated, and {}. Leave it out.",
                "{} 用于要评测的排序结果，而{}。请去掉。",
                said,
                because,
            )
        )


def _subject(
    files: tuple[Given, ...],
    asked: list[str],
    scenario: str | None,
    figures: Any,
    slices: Path | str | list[Path | str] | None,
    options: dict[str, Any],
    reading: dict[str, Any],
) -> Any:
    first = files[0].path
    if len(files) == 1 and inner_suffix(first) == ".json" and (found := _stored(first)) is not None:
        finished = Text("a stored record is finished", "已保存的记录不会再计算")
        _refuse(reading, finished)
        refuse_beside_records([name for name in ("by", "reach", "not_found", "chunks") if name in options])
        _refuse_shown(options, finished)
        return found
    from rankgauge.data.together import holds_both

    if len(files) == 1 and not holds_both(first):
        from rankgauge.evaluation.of_predictions import evaluate_predictions

        _refuse_shown(options, Text("this file holds labels and scores", "这个文件是标签与得分"))
        with needs_run("diagnose", first):
            return evaluate_predictions(first, asked or None, columns=options["columns"], **reading)
    _refuse(reading, Text("these files are rankings", "这些文件是排序结果"))
    of_scenario = None if scenario is None else figures.scenario(scenario).measures_with(options.get("train"))
    told = {name: options.pop(name, None) for name in ("documents", "columns", "by", "reach", "not_found", "chunks")}
    qrels, runs = rankings(files)
    sides = judged_sides(qrels, runs, asked, **told)
    options |= {"columns": sides.columns, "by": sides.by}
    if sides.documents is not None:
        options["documents"] = sides.documents
    if not sides.is_spans:
        _refuse_texts(asked, options)
    if "tokenizer" in options:
        options["tokenizer"] = tokenizer_of(options["tokenizer"])
    return record_of_sides(sides.qrels, sides.runs, asked or of_scenario or None, slices=slices, **options)


def _refuse_texts(asked: list[str], options: dict[str, Any]) -> None:
    """Texts are for measures that look into them."""
    said = next((f"--{name}" for name in ("documents", "tokenizer") if name in options), None)
    if said is not None and not any("budget" in as_meant(m).casefold() for m in asked):
        raise ParameterError(
            composed(
                "{} is for measures with a budget, and none is asked for. Add one, such as -m 'R(budget=2000t)', or "
                "leave it out.",
                "{} 用于带预算的指标，而这里没有。请加上，如 -m 'R(budget=2000t)'，或去掉它。",
                said,
            )
        )
