"""The options of `rankgauge gate`, and which of them are for gates of one kind only."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeVar

from rankgauge._text import Text
from rankgauge.cli.options import (
    documents_option,
    help_on_slices,
    measures_option,
    policy_options,
    reading_options,
    shown_options,
    tokenizer_option,
)
from rankgauge.cli.retriever_options import gate_asking_options
from rankgauge.cli.style import click
from rankgauge.cli.types import Number

__all__ = ["RANKINGS", "ROWS", "gate_options", "typed"]

F = TypeVar("F", bound=Callable[..., Any])

RANKINGS: dict[str, str] = {}
"""The options for gates of rankings alone: by parameter, what is typed."""
ROWS: dict[str, str] = {}
"""Those for gates of labels and scores alone."""

_PATH = click.Path(path_type=Path)


def typed(flags: Mapping[str, Any], alone: dict[str, str]) -> list[str]:
    """What was typed of the options of one kind."""
    return [option for name, option in reversed(alone.items()) if is_said(flags[name])]  # the last is declared first


def is_said(value: Any) -> bool:
    """Whether an option was given."""
    return value is not None and value is not False and value != ()


def _alone(kind: dict[str, str], declare: Callable[[F], F]) -> Callable[[F], F]:
    """The same options, which are for gates of one kind."""

    def declared(command: F) -> F:
        before = len(getattr(command, "__click_params__", ()))
        made = declare(command)
        for param in made.__click_params__[before:]:  # type: ignore[attr-defined]
            kind[param.name] = next((x for x in param.opts if x.startswith("--")), param.opts[0])
        return made

    return declared


def _of_rankings(*names: str, **options: Any) -> Callable[[F], F]:
    return _alone(RANKINGS, click.option(*names, **options))


def _of_rows(*names: str, **options: Any) -> Callable[[F], F]:
    return _alone(ROWS, click.option(*names, **options))


_OPTIONS: tuple[Callable[[Any], Any], ...] = (
    _of_rankings(
        "--qrels",
        type=_PATH,
        default=None,
        help=Text("The judgements, instead of those of CONFIG.", "标注，代替 CONFIG 中的标注。"),
    ),
    _of_rankings(
        "--run",
        metavar="[NAME=]FILE",
        default=None,
        help=Text("The run to decide on, instead of that of CONFIG.", "要裁决的结果文件，代替 CONFIG 中的结果文件。"),
    ),
    click.option(
        "--baseline",
        metavar="[NAME=]FILE",
        default=None,
        help=Text(
            "A run, or an evaluation stored with `rankgauge evaluate --json`.",
            "一个结果文件，或用 `rankgauge evaluate --json` 保存的评测。",
        ),
    ),
    measures_option(
        Text("A measure to show besides those of the rules.", "除规则涉及的指标外另外显示的指标。"),
        "RANKINGS",
        "PREDICTIONS",
    ),
    click.option(
        "--floor",
        "floors",
        multiple=True,
        metavar="RULE",
        help=Text("The mean must reach this: 'nDCG@10>=0.40'.", "均值必须达到的下限：'nDCG@10>=0.40'。"),
    ),
    _of_rankings(
        "--standard",
        default=None,
        metavar="NAME",
        help=Text(
            "Floors from figures that are known: production (see --level), or the benchmarks of a scenario such as "
            "faq. A --floor about the same measure takes their place.",
            "用已知的基准作为下限：production（见 --level），或某个场景的基准，如 faq。对同一指标给出的 --floor 优先。",
        ),
    ),
    _of_rankings(
        "--level",
        default=None,
        metavar="LEVEL",
        help=Text(
            "With --standard production: minimum, good or excellent. [default: minimum]",
            "与 --standard production 同用：minimum、good 或 excellent。[默认：minimum]",
        ),
    ),
    _of_rankings(
        "--standards",
        type=_PATH,
        default=None,
        help=Text(
            "A TOML file with your own figures, for --standard.", "写有自定义基准的 TOML 文件，供 --standard 使用。"
        ),
    ),
    click.option(
        "--non-inferior",
        multiple=True,
        metavar="RULE",
        help=Text(
            "Not worse than the baseline by more than this, with confidence 1 - alpha: nDCG@10:0.01.",
            "以 1 - alpha 的置信度，比基线最多差这么多：nDCG@10:0.01。",
        ),
    ),
    _of_rankings(
        "--ceiling",
        "ceilings",
        multiple=True,
        metavar="RULE",
        help=Text(
            "A count or share of the input: 'missing_queries<=0', 'unjudged<=0.35', 'duplicates<=0', 'nan_scores<=0'; "
            "of a live retriever 'failures<=0'.",
            "输入的某项计数或占比：'missing_queries<=0'、'unjudged<=0.35'、'duplicates<=0'、'nan_scores<=0'；"
            "在线检索器还有 'failures<=0'。",
        ),
    ),
    _alone(RANKINGS, gate_asking_options),
    _alone(RANKINGS, shown_options),
    _alone(RANKINGS, documents_option),
    _alone(RANKINGS, tokenizer_option),
    _of_rankings(
        "--slices",
        type=_PATH,
        multiple=True,
        metavar="[activity | FILE]",
        help=help_on_slices(Text(", for rules by slice", "，用于按切片的规则")),
    ),
    click.option(
        "--slice-floor",
        "slice_floors",
        multiple=True,
        metavar="RULE",
        help=Text("A floor for each slice.", "每个切片的下限。"),
    ),
    click.option(
        "--slice-non-inferior",
        multiple=True,
        metavar="RULE",
        help=Text("The same as --non-inferior for each slice.", "与 --non-inferior 相同，但针对每个切片。"),
    ),
    _of_rankings(
        "--min-queries",
        type=click.IntRange(1),
        default=None,
        help=Text("Smaller slices are not checked. [default: 20]", "更小的切片不检查。[默认：20]"),
    ),
    click.option(
        "--alpha",
        type=Number(0, 0.5, min_open=True, max_open=True),
        default=None,
        help=Text("Risk of a wrong decision of one rule. [default: 0.05]", "单条规则判断错误的风险。[默认：0.05]"),
    ),
    click.option(
        "--certain",
        is_flag=True,
        help=Text(
            "Floors must be reached by the whole interval, not only the mean.",
            "整个置信区间都要达到下限，而不只是均值。",
        ),
    ),
    click.option(
        "--allow-inconclusive",
        is_flag=True,
        help=Text(
            "Exit code 0 when nothing failed but some is not settled.", "没有规则失败、但有规则无定论时，退出码为 0。"
        ),
    ),
    _of_rankings(
        "--accept",
        multiple=True,
        metavar="CODE",
        help=Text(
            "A suspicion about the input that may stand, such as worst-first; may be repeated. Any other error "
            "of the input makes the gate inconclusive.",
            "允许存在的输入疑点，如 worst-first；可重复给出。输入的其他任何错误都会使门禁无定论。",
        ),
    ),
    _of_rows(
        "--bounds",
        multiple=True,
        metavar="RULE",
        help=Text(
            "Of labels and scores: the value must lie between these: COPC=0.9..1.1.",
            "用于标签与得分：数值必须在此范围内：COPC=0.9..1.1。",
        ),
    ),
    _of_rows(
        "--slice-bounds",
        multiple=True,
        metavar="RULE",
        help=Text("The same as --bounds for each value of --slice.", "与 --bounds 相同，但针对 --slice 的每个值。"),
    ),
    _of_rows(
        "--baseline-score",
        default=None,
        help=Text(
            "Of labels and scores: the column of the model in use, for --non-inferior.",
            "用于标签与得分：在用模型的列，供 --non-inferior 使用。",
        ),
    ),
    _of_rows(
        "--min-positives",
        type=click.IntRange(1),
        default=None,
        help=Text(
            "Of labels and scores: slices with fewer positives or negatives are not checked. [default: 50]",
            "用于标签与得分：正样本或负样本更少的切片不检查。[默认：50]",
        ),
    ),
    _alone(ROWS, reading_options),
    _alone(RANKINGS, policy_options),
)


def gate_options(command: F) -> F:
    """All of them, in the order in which help shows them."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command
