"""`rankgauge judgements`: from a log of behaviour to graded judgements."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from rankgauge._output import is_stream
from rankgauge._show import show
from rankgauge._text import Text
from rankgauge.cli.options import (
    Input,
    column_map,
    columns_option,
    digits_option,
    examples,
    measures_option,
    number_map,
    status,
    write_table,
)
from rankgauge.cli.output import Output, output_options
from rankgauge.cli.places import Target
from rankgauge.cli.style import click
from rankgauge.cli.terminal import wrote
from rankgauge.cli.types import Choice
from rankgauge.errors import ParameterError

__all__ = ["command"]

_PATH = click.Path(path_type=Path)
_TREC = (".txt", ".qrels", ".trec")
_TABLES = (".csv", ".tsv", ".jsonl", ".parquet")
_UNITS = {"s": 1.0, "m": 60.0, "h": 3600.0, "d": 86400.0}


@click.command(
    "judgements",
    zh="从点击、加购、购买日志生成标注，凡是剔除的都有计数。\n\nLOG 每行是一次曝光或一次事件：CSV、"
    "TSV、JSONL、Parquet、这些文件的文件夹，或 OpenSearch UBI。常见列名会自动识别。",
    epilog=examples(
        "rankgauge judgements log.parquet -o qrels.txt",
        "rankgauge judgements log.csv --events click=1,cart=2,purchase=3 --maturity 7d -o evidence.parquet",
        "rankgauge judgements log.jsonl --gains click=0.1,cart=0.3,purchase=0.6 --html audit.html",
        "rankgauge judgements log.parquet --correct all_pairs -o qrels.txt",
        "rankgauge judgements log.parquet --try-on old.run --try-on new.run -m nDCG@10",
    ),
)
@click.argument("log", type=Input())
@click.option(
    "--events",
    metavar="NAME=GRADE,…",
    default=None,
    help=Text(
        "What counts and which grade it gives. [default: click=1,cart=2,purchase=3]",
        "哪些行为计入，各给什么相关性等级。[默认：click=1,cart=2,purchase=3]",
    ),
)
@click.option(
    "--gains",
    metavar="NAME=VALUE,…",
    default=None,
    help=Text(
        "Values instead of grades: click=0.1,cart=0.3,purchase=0.6.",
        "用数值代替相关性等级：click=0.1,cart=0.3,purchase=0.6。",
    ),
)
@click.option(
    "--aggregate",
    type=Choice(["rate", "max"]),
    default="rate",
    show_default=True,
    help=Text(
        "rate: the posterior mean scaled to the grades; max: the highest grade reached often enough.",
        "rate：后验均值，按相关性等级缩放；max：达到次数足够多的最高相关性等级。",
    ),
)
@click.option(
    "--min-impressions",
    type=click.IntRange(0),
    default=10,
    show_default=True,
    help=Text("Examined ones that a judgement needs.", "一条标注至少需要的有效曝光数。"),
)
@click.option(
    "--scale",
    type=Choice(["log", "query", "none"]),
    default="log",
    show_default=True,
    help=Text(
        "Which best item has the best grade: that of the log, or that of each query, however poor; none: no scale.",
        "最高相关性等级给谁：log 是整个日志中最好的物品，query 是每个查询中最好的物品（不论多差）；none：不缩放。",
    ),
)
@click.option(
    "--unclear",
    type=Choice(["skip", "keep"]),
    default="skip",
    show_default=True,
    help=Text(
        "Items that cannot be told from the prior or from each other: not judged, or graded all the same.",
        "与先验或彼此之间无法区分的物品：skip 不标注，keep 照样给出相关性等级。",
    ),
)
@click.option(
    "--no-prior", is_flag=True, help=Text("Raw rates instead of posterior means.", "用原始比率代替后验均值。")
)
@click.option(
    "--examined",
    type=Choice(["auto", "viewed", "last_click+1", "all"]),
    default="auto",
    show_default=True,
    help=Text(
        "Which items of a list were seen; the others are unknown, not irrelevant.",
        "列表中哪些物品被看到；其余的是未知，而不是不相关。",
    ),
)
@click.option(
    "--dwell",
    default="quantile",
    show_default=True,
    metavar="RULE",
    help=Text(
        "Accidental clicks: quantile, web_search, seconds, or none.",
        "误点击的判断：quantile、web_search、秒数，或 none。",
    ),
)
@click.option(
    "--maturity",
    default=None,
    metavar="TIME",
    help=Text(
        "Leave out impressions younger than this at the end of the log: 7d, 12h.",
        "略去日志末尾距今不足这么久的曝光：7d、12h。",
    ),
)
@click.option(
    "--bots",
    type=click.IntRange(1),
    default=1000,
    show_default=True,
    help=Text("Rows of one user on one day that nobody makes by hand.", "同一用户一天内的行数达到多少就视为机器行为。"),
)
@click.option(
    "--correct",
    type=Choice(["all_pairs", "adjacent", "em", "randomised"]),
    default=None,
    help=Text(
        "Correct for position bias, estimated this way; raw and corrected are shown side by side.",
        "用这种方法估计并校正位置偏差；校正前后并排显示。",
    ),
)
@click.option(
    "-o",
    "--output",
    "target",
    type=Target(),
    default=None,
    help=Text(
        "Write judgements: .txt, .qrels or - (TREC), .csv or .parquet with the evidence.",
        "写出标注：.txt、.qrels 或 -（TREC），.csv 或 .parquet 带证据。",
    ),
)
@click.option(
    "--try-on",
    "runs",
    type=Input(),
    multiple=True,
    help=Text(
        "Runs whose order is tried under other choices; twice or more.",
        "在其他选择下检验其排名的结果文件；给出两次或更多。",
    ),
)
@measures_option(Text("With --try-on: measures. [default: nDCG@10]", "与 --try-on 同用：指标。[默认：nDCG@10]"))
@digits_option
@columns_option
@output_options("table", "json", "csv", "markdown", "html", to_file=False)
def command(
    log: Path,
    events: str | None,
    gains: str | None,
    target: Path | None,
    runs: tuple[Path, ...],
    measures: tuple[str, ...],
    correct: str | None,
    digits: int,
    columns: str | None,
    out: Output,
    no_prior: bool,
    examined: str,
    dwell: str,
    maturity: str | None,
    bots: int,
    **options: Any,
) -> None:
    """Make judgements from a log of clicks, carts and purchases, with a counter for everything left out.

    LOG has a row per impression or per event: CSV, TSV, JSONL, Parquet, a folder of them, or OpenSearch UBI. Usual
    names of columns are recognised.
    """
    from rankgauge.behavior import Cleaning, judgements, read_log, sensitivity
    from rankgauge.data.many_runs import several

    rules = Cleaning(examined=examined, dwell=_dwell(dwell), maturity=_seconds(maturity), bots=bots)
    with status(Text(f"reading {log.name} …", f"正在读取 {log.name} …")):
        source = read_log(log, columns=column_map(columns))
        found = judgements(
            source,
            number_map("--events", events),
            gains=number_map("--gains", gains),
            cleaning=rules,
            name=source.name,
            prior=None if no_prior else "query",
            **options,
        )
    found.refuse_nothing()
    records: list[Any] = [found]
    qrels = None
    if correct is not None:
        with status(Text("correcting for position …", "正在校正位置偏差 …")):
            corrected, qrels = _corrected(source, rules, correct, options["min_impressions"], options["unclear"])
        records += [corrected.bias, corrected]
    if runs:
        if len(runs) < 2:
            raise ParameterError(
                Text(
                    "--try-on needs two runs or more: the question is whether their order holds.",
                    "--try-on 需要两个或更多结果文件：问题在于它们的排名是否稳定。",
                )
            )
        with status(Text("trying other choices …", "正在尝试其他选择 …")):
            records.append(sensitivity(found, several(list(runs)) or {}, list(measures) or ["nDCG@10"]))
    if target is not None:
        _write(target, found, qrels, records)
    out.show(*(records[:1] if out.is_data else records), page=records, digits=digits)


def _corrected(source: Any, rules: Any, method: str, min_impressions: int, unclear: str) -> tuple[Any, Any]:
    """Relevance without the bias of positions. Clicks must not decide what was seen: all shown items count."""
    from dataclasses import replace

    from rankgauge.behavior import clean, position_bias, qrels_of, relevance

    seen = rules.examined if rules.examined == "viewed" else "all"
    table = clean(source, replace(rules, examined=seen)).impressions
    found = relevance(table, position_bias(table, method))
    return found, qrels_of(found, min_impressions=min_impressions, unclear=unclear)


def _write(path: Path, found: Any, qrels: Any, records: list[Any]) -> None:
    if qrels is None:
        found.write(path)
        wrote(path)
    elif path.suffix in _TREC or (not path.suffix and is_stream(path)):
        qrels.write(path, format="trec")
        wrote(path)
    elif path.suffix in _TABLES:
        ids = {"left_on": ["query_id", "item_id"], "right_on": ["query_id", "doc_id"]}
        write_table(records[2].frame.join(qrels.to_frame(), **ids), path, "--output")
    else:
        raise ParameterError(
            Text(
                f"--output must end in {', '.join(_TREC + _TABLES)}, got {show(path.name)}.",
                f"--output 的后缀必须是 {', '.join(_TREC + _TABLES)} 之一，实际为 {show(path.name)}。",
            )
        )


def _dwell(text: str) -> str | float | None:
    if text == "none":
        return None
    try:
        return float(text)
    except ValueError:
        return text


def _seconds(text: str | None) -> float | None:
    """`7d` → seconds."""
    if text is None:
        return None
    try:
        return float(text[:-1]) * _UNITS[text[-1]] if text[-1:] in _UNITS else float(text)
    except ValueError:
        raise ParameterError(
            Text(
                f"--maturity must look like 7d, 12h, 30m or seconds, got {show(text)}.",
                f"--maturity 必须写成 7d、12h、30m 或秒数，实际为 {show(text)}。",
            )
        ) from None
