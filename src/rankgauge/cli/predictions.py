"""`rankgauge predictions`: labels and scores → numbers."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from rankgauge._text import Text
from rankgauge.cli.options import (
    SINGLE_COLUMNS,
    Place,
    class_options,
    classes_of,
    column_map,
    columns_option,
    confidence_option,
    digits_option,
    engine_options,
    examples,
    measures_option,
    reading_of,
    reading_options,
    start_engine,
    watched,
    write_table,
)
from rankgauge.cli.output import Output, output_options
from rankgauge.cli.places import Target
from rankgauge.cli.style import click
from rankgauge.cli.threshold_rules import threshold_rule
from rankgauge.cli.types import Choice, Number
from rankgauge.errors import ParameterError

__all__ = ["command"]


@click.command(
    "predictions",
    zh="评测标签与得分：排序、损失、校准，以及该怎么办。\n\nFILE 是每行带标签和得分的 CSV、TSV、"
    "JSONL、Parquet 或 Arrow，也可以是压缩文件。常见列名会自动识别（click、pctr、user_id、…）。置"
    "信区间把同一组的行当作一个单元。大于内存的 Parquet 文件和文件夹会分块读取。\n\n多个类别："
    "每行一个标签和一个预测类别（文本或整数），或每个类别一列概率 p_<类别>。结果包括准确率、精确率、召回率和 F1、"
    "各类别的数值，以及哪些类别被判成了哪些类别。",
    epilog=examples(
        "rankgauge predictions clicks.csv",
        "rankgauge predictions clicks.parquet -m AUC -m GAUC -m LogLoss --label click --score pctr --group uid",
        "rankgauge predictions clicks.csv --score old --score new",
        "rankgauge predictions clicks.csv --score new --reliability --slice device",
        "rankgauge predictions clicks.csv --score old --score new --slice device --every day",
        "rankgauge predictions test.csv --threshold F1",
        "rankgauge predictions test.csv --threshold 'precision>=0.9'",
        "rankgauge predictions clicks/2026-11/ --memory 2GiB",
        "rankgauge predictions topics.csv -m Accuracy -m f1_macro -m 'Recall(label=sports)'",
        "rankgauge predictions topics.csv --prediction old --prediction new --slice language",
    ),
)
@click.argument("file", type=Place())
@measures_option(
    Text(
        "A measure such as AUC or 'F1(threshold=0.3)'; may be repeated. `rankgauge measures` lists them.",
        "指标，如 AUC 或 'F1(threshold=0.3)'；可重复给出。`rankgauge measures` 列出全部指标。",
    ),
    "PREDICTIONS",
    "CLASSES",
)
@reading_options
@class_options
@click.option(
    "--reliability",
    is_flag=True,
    help=Text("Predicted against observed rates, bin by bin.", "逐箱对照预测概率与实际比率。"),
)
@click.option(
    "--bins",
    type=click.IntRange(1),
    default=15,
    show_default=True,
    help=Text("Bins of --reliability.", "--reliability 的分箱数。"),
)
@click.option(
    "--threshold",
    "by",
    default=None,
    metavar="RULE",
    help=Text(
        "Choose a threshold on one half and report it on the other: F1, F2, MCC, Youden, 'precision>=0.9', "
        "'recall>=0.8', share=0.1, cost=1:5 (of a false positive and a false negative).",
        "在一半数据上选阈值，在另一半上报告：F1、F2、MCC、Youden、'precision>=0.9'、'recall>=0.8'、"
        "share=0.1、cost=1:5（误报与漏报的代价）。",
    ),
)
@click.option(
    "--every",
    type=Choice(["hour", "day", "week", "month"]),
    default=None,
    help=Text(
        "With several scores: compare them in each period, corrected for looking at so many.",
        "给出多个得分时：逐时段比较，并按比较次数校正。",
    ),
)
@click.option(
    "--by-part",
    "by_part_file",
    type=Target(),
    default=None,
    help=Text(
        "Write the comparison by --slice and --every to a .json, .csv, .tsv, .jsonl or .parquet file.",
        "把按 --slice 和 --every 的比较写入 .json、.csv、.tsv、.jsonl 或 .parquet 文件。",
    ),
)
@confidence_option
@click.option(
    "--per-group",
    "per_group_file",
    type=Target(),
    default=None,
    help=Text(
        "Write the values of each group to a .csv, .tsv, .jsonl or .parquet file.",
        "把每个分组的值写入 .csv、.tsv、.jsonl 或 .parquet 文件。",
    ),
)
@click.option(
    "--per-class",
    "per_class_file",
    type=Target(),
    default=None,
    help=Text(
        "Of several classes: write precision, recall and F1 of each to a .csv, .tsv, .jsonl or .parquet file.",
        "多分类：把每个类别的精确率、召回率和 F1 写入 .csv、.tsv、.jsonl 或 .parquet 文件。",
    ),
)
@click.option(
    "--good-auc",
    type=Number(0.5, 1),
    default=0.7,
    show_default=True,
    help=Text(
        "AUC from which on the order counts as good; best that of the model in use.",
        "AUC 达到多少才算排序能力好；最好取线上模型的 AUC。",
    ),
)
@digits_option
@columns_option
@engine_options
@output_options("table", "json", "csv", "markdown", "latex", "html")
def command(
    file: str | Path,
    measures: tuple[str, ...],
    columns: str | None,
    reliability: bool,
    bins: int,
    by: str | None,
    every: str | None,
    by_part_file: Path | None,
    confidence: float,
    per_group_file: Path | None,
    per_class_file: Path | None,
    good_auc: float,
    digits: int,
    out: Output,
    engine: str,
    memory: str | None,
    master: str | None,
    **options: Any,
) -> None:
    """Evaluate labels and scores: order, loss, calibration, and what to do.

    FILE is CSV, TSV, JSONL, Parquet or Arrow with a label and a score in each row; also compressed. Usual names of
    columns are recognised (click, pctr, user_id, …). Intervals treat the rows of one group as one unit. Parquet files
    and folders larger than memory are read in pieces.

    Several classes: a label and a prediction in each row (text, or whole numbers), or a column p_<class> of
    probabilities for each class. They are told by accuracy, precision, recall and F1, by class, and by what is taken
    for what.
    """
    from rankgauge.data.predictions import asked_columns
    from rankgauge.evaluation.of_predictions import evaluate_predictions
    from rankgauge.evaluation.predictions.classes import ClassEvaluation, ClassEvaluations
    from rankgauge.evaluation.predictions.record import PredictionEvaluation, PredictionEvaluations

    named = column_map(columns)
    how = reading_of(options) | classes_of(options)
    singles = {role: how[role] for role in SINGLE_COLUMNS}
    asked = asked_columns(named, how["scores"], how["slices"], singles)
    start_engine(engine, master)
    with watched(file, "predictions", asked, engine, memory):
        result = evaluate_predictions(
            file,
            list(measures) or None,
            columns=named,
            engine=engine,
            memory=memory,
            confidence_level=confidence,
            **how,
        )
    if isinstance(result, (ClassEvaluation, ClassEvaluations)):
        _refuse_for_classes({"--reliability": reliability, "--threshold": by is not None})
    parts = _by_part(result, measures, how["slices"], every, by_part_file)
    if per_group_file is not None:
        write_table(result.per_group, per_group_file, "--per-group")
    if per_class_file is not None:
        write_table(_per_class(result), per_class_file, "--per-class")
    is_table = out.chosen == "csv"
    if is_table and (reliability or by is not None):
        _refuse_beside_csv("--reliability" if reliability else "--threshold")
    records: list[Any] = [result, *(() if is_table else parts)]
    if isinstance(result, PredictionEvaluation):
        members = [result]
    else:
        members = list(result.values()) if isinstance(result, PredictionEvaluations) else []
    for ev in members:
        if not measures and not out.is_data and _can_be_read(ev):
            from rankgauge.diagnosis import reading

            records.append(reading(ev, good_auc=good_auc, language=out.language))
        records += _asked_of(ev, bins if reliability else None, bool(how["slices"]) and not is_table, by)
    out.show(*records, page=[result, *parts], digits=digits)


def _asked_of(ev: Any, bins: int | None, by_segment: bool, rule: str | None) -> Iterator[Any]:
    """What was asked of each model besides its numbers: reliability in so many bins, segments, a threshold."""
    if bins is not None:
        from rankgauge.calibration import reliability

        yield reliability(ev, bins=bins)
    if by_segment and ev.policy.scale != "score":
        from rankgauge.calibration import worst_segments

        yield worst_segments(ev)
    if rule is not None:
        from rankgauge.evaluation.predictions.thresholds import choose_threshold

        yield choose_threshold(ev, **threshold_rule(rule))


def _refuse_beside_csv(option: str) -> None:
    raise ParameterError(
        Text(
            f"{option} is another table than the one that --csv writes. Use --json, which holds both, or leave one of "
            "them out.",
            f"{option} 是另一张表，--csv 只写一张。请改用 --json（两者都包含），或去掉其中一个。",
        )
    )


def _by_part(
    result: Any, measures: tuple[str, ...], slices: tuple[str, ...], every: str | None, file: Path | None
) -> list[Any]:
    """Several models by segment and period, where both are there."""
    from rankgauge.evaluation.predictions.record import PredictionEvaluations

    several = isinstance(result, PredictionEvaluations) and len(result) > 1
    if not several or not (slices or every):
        if every is not None or file is not None:
            raise ParameterError(
                Text(
                    "--every and --by-part compare several models by part: give --score twice, and --slice or --every. "
                    "For one model over days: rankgauge drift.",
                    "--every 与 --by-part 用于按部分比较多个模型：请给出两个 --score，以及 --slice 或 --every。"
                    "单个模型逐日查看：rankgauge drift。",
                )
            )
        return []
    from rankgauge.comparison.by_part import compare_by
    from rankgauge.comparison.parts import MOST_VALUES

    if not all(ev.sample is not None for ev in result.values()):
        if every is None and file is None:
            return []  # rows were read in pieces: the numbers of all stand
        raise ParameterError(
            Text(
                "--every and --by-part need the rows in memory. Pass engine='memory' where they fit.",
                "--every 与 --by-part 需要把数据读入内存。放得下时请用 engine='memory'。",
            )
        )
    of_rows = next(iter(result.values())).predictions.segments
    kept = [name for name in slices if of_rows[name].n <= MOST_VALUES]  # others are ids, and no segments
    if not kept and every is None:
        return []
    found = compare_by(result, list(measures) or None, slices=kept, every=every)
    if file is not None and file.name.endswith((".json", ".json.gz")):
        from rankgauge.cli.terminal import wrote

        found.to_json(file)
        wrote(file)
    elif file is not None:
        write_table(found.to_frame(), file, "--by-part")
    return [found]


def _refuse_for_classes(given: dict[str, bool]) -> None:
    """No option is dropped without a word."""
    said = [option for option, is_given in given.items() if is_given]
    if said:
        options = ", ".join(said)
        raise ParameterError(
            Text(
                f"{options}: for labels and scores of two classes, and these are several classes. Leave it out.",
                f"{options}：用于两个类别的标签与得分，而这里是多个类别。请去掉它。",
            )
        )


def _per_class(result: Any) -> Any:
    """The table of all classes, of several models one below the other."""
    from rankgauge.evaluation.predictions.classes import ClassEvaluation, ClassEvaluations

    if isinstance(result, ClassEvaluation):
        return result.per_class
    if not isinstance(result, ClassEvaluations):
        raise ParameterError(
            Text(
                "--per-class: for several classes, and these are labels and scores of two. Name the column of "
                "predicted classes by --prediction.",
                "--per-class：用于多个类别，而这里是两个类别的标签与得分。请用 --prediction 指明预测类别所在的列。",
            )
        )
    import polars as pl

    return pl.concat([ev.per_class.select(pl.lit(name).alias("model"), pl.all()) for name, ev in result.items()])


def _can_be_read(ev: Any) -> bool:
    """The reading needs both classes and probabilities, and a 0 or 1 for each row is a class."""
    from rankgauge.evaluation.predictions.asking import are_classes

    s = ev.sample
    return s is not None and not s.is_soft and s.scale != "score" and s.has_both_classes and not are_classes(s)
