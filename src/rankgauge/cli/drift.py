"""`rankgauge drift`: measures of a model over days, and the first day that is surely off."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from rankgauge._text import Text
from rankgauge.cli.options import (
    Input,
    column_map,
    columns_option,
    digits_option,
    examples,
    measures_option,
    number_map,
    reading_of,
    reading_options,
    status,
)
from rankgauge.cli.output import Output, output_options
from rankgauge.cli.style import click
from rankgauge.cli.types import Choice, Number
from rankgauge.errors import ParameterError

__all__ = ["command"]


@click.command(
    "drift",
    zh="逐日查看模型的指标，并指出第一个确定偏离的日子。\n\nFILE 每行有标签、得分和时间。COPC 与 1 比较，其他指标与最初"
    "四分之一的时段比较。“确定”的含义：如果没有任何偏离，任何指标的任何一天被误报的概率不超过 --alpha。",
    epilog=examples(
        "rankgauge drift clicks.csv --score new",
        "rankgauge drift clicks.parquet --score pctr --group uid -m COPC -m AUC --tolerance COPC=0.05,AUC=0.005",
        "rankgauge drift clicks.csv --score new --every week --reference 2 --html drift.html",
        "rankgauge drift clicks.csv --score new --looks daily --target AUC=0.78,LogLoss=0.09",
        "rankgauge drift clicks.csv --score new -o drift.json",
    ),
)
@click.argument("file", type=Input())
@measures_option(
    Text("A measure; may be repeated. [default: COPC, AUC, LogLoss]", "指标；可重复给出。[默认：COPC、AUC、LogLoss]"),
    "PREDICTIONS",
)
@click.option(
    "--every",
    type=Choice(["hour", "day", "week", "month"]),
    default="day",
    show_default=True,
    help=Text("How long a period is.", "时段的长度。"),
)
@click.option(
    "--reference",
    type=click.IntRange(1),
    default=None,
    help=Text(
        "The first so many periods are what later ones are held against. [default: a quarter of them; one with --looks "
        "daily]",
        "以最初多少个时段作为参照。[默认：四分之一；--looks daily 时为一个]",
    ),
)
@click.option(
    "--target",
    metavar="MEASURE=VALUE,…",
    default=None,
    help=Text("Values to hold measures against, instead of the first periods.", "用给定的值代替最初时段作为对照。"),
)
@click.option(
    "--against",
    type=Choice(["auto", "reference"]),
    default="auto",
    show_default=True,
    help=Text(
        "auto: the ideal value where there is one (COPC: 1), else the first periods; reference: always these.",
        "auto：有理想值时与它比较（COPC 为 1），否则与最初时段比较；reference：总是与最初时段比较。",
    ),
)
@click.option(
    "--tolerance",
    metavar="MEASURE=VALUE,…",
    default=None,
    help=Text("How far off does not matter: COPC=0.05,AUC=0.005.", "多大的偏离不算数：COPC=0.05,AUC=0.005。"),
)
@click.option(
    "--looks",
    type=Choice(["once", "daily"]),
    default="once",
    show_default=True,
    help=Text(
        "once: all periods are looked at together; daily: you look again with every period, for as long as you like.",
        "once：一次看完所有时段；daily：每个新时段都会再看，持续多久都可以。",
    ),
)
@click.option(
    "--alpha",
    type=Number(0, 0.5, min_open=True, max_open=True),
    default=0.05,
    show_default=True,
    help=Text("Chance of any false alarm.", "出现任何误报的概率。"),
)
@click.option(
    "--fewest",
    type=click.IntRange(2),
    default=50,
    show_default=True,
    help=Text(
        "Periods with fewer positives, negatives or units are shown and not judged.",
        "正样本、负样本或单元少于这个数的时段只展示，不判断。",
    ),
)
@reading_options
@digits_option
@columns_option
@output_options("table", "json", "csv", "markdown", "html")
def command(
    file: Path,
    measures: tuple[str, ...],
    reference: int | None,
    target: str | None,
    tolerance: str | None,
    digits: int,
    columns: str | None,
    out: Output,
    **options: Any,
) -> None:
    """Look at the measures of a model day by day, and name the first day that is surely off.

    FILE has a label, a score and a time in each row. COPC is held against 1, other measures against the first quarter
    of the periods. Surely means: where nothing is off, the chance that any day of any measure is called so is at most
    --alpha.
    """
    from rankgauge.comparison.drift import drift

    if reference is not None and target is not None:
        raise ParameterError(
            Text(
                "--reference and --target contradict each other. Give one of them.",
                "--reference 与 --target 相互矛盾，只能给出其中一个。",
            )
        )
    how = {k: v for k, v in reading_of(options).items() if v is not None and v != ()}
    if isinstance(how.get("scores"), list):
        raise ParameterError(
            Text(
                "drift looks at one model: name one --score. Two models by day: rankgauge predictions … --every day.",
                "drift 只看一个模型：请只给一个 --score。逐日比较两个模型：rankgauge predictions … --every day。",
            )
        )
    with status(Text(f"reading {file.name} …", f"正在读取 {file.name} …")):
        found = drift(
            file,
            list(measures) or None,
            reference=number_map("--target", target) if target is not None else reference,
            tolerance=number_map("--tolerance", tolerance),
            columns=column_map(columns),
            **options,
            **how,
        )
    out.show(found, digits=digits)
