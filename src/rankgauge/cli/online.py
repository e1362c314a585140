"""`rankgauge online …`: experiments with users, and what offline numbers are worth there."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

from rankgauge._piped import is_there
from rankgauge._show import show
from rankgauge._text import Text
from rankgauge.cli.careful import CarefulGroup
from rankgauge.cli.options import Input, confidence_option, digits_option, examples, number_map, status
from rankgauge.cli.output import Output, output_options
from rankgauge.cli.style import click
from rankgauge.cli.types import Choice, Number
from rankgauge.errors import ParameterError

__all__ = ["command"]

F = TypeVar("F", bound=Callable[..., Any])

_AB = "rankgauge online ab experiment.csv --numerator clicks --denominator impressions --unit user_id"
_CUPED = "rankgauge online cuped experiment.csv --numerator orders --before orders_before --unit user_id"
_SAMPLE = "rankgauge online sample-ratio control=50012 new=49213"
_POLICY = "rankgauge online off-policy explored.csv --reward click --user user_id"
_AGREEMENT = "rankgauge online agreement launches.csv"


@click.group(
    "online",
    cls=CarefulGroup,
    zh="用户参与的线上实验：A/B 实验、CUPED、样本比例、离线策略评估、离线与线上的一致性。",
    epilog=examples(_AB, _CUPED, _SAMPLE, _POLICY, _AGREEMENT),
)
def command() -> None:
    """Experiments with users: A/B tests, CUPED, sample ratio, off-policy estimates, offline against online."""


def _shown(sub: F) -> F:
    """What every command of the group has: digits, level, form."""
    added: F = output_options("table", "json", "csv", "markdown", "html")(confidence_option(digits_option(sub)))
    return added


def _arms(sub: F) -> F:
    """Columns of an experiment with arms."""
    for option in (
        click.option(
            "--arm",
            default="arm",
            show_default=True,
            help=Text("The column that says which arm a row is of.", "说明每行属于哪个组的列。"),
        ),
        click.option(
            "--control",
            default=None,
            help=Text(
                "The arm to compare with; control, baseline, old or A is found.",
                "作为对照的组；名为 control、baseline、old 或 A 的组会自动识别。",
            ),
        ),
        click.option(
            "--numerator",
            required=True,
            help=Text("The column above: clicks, orders, revenue.", "分子列：点击、订单、收入。"),
        ),
        click.option(
            "--denominator",
            default=None,
            help=Text(
                "The column below: impressions; else it is a mean per unit.", "分母列：曝光；不给则为每个单元的均值。"
            ),
        ),
        click.option(
            "--unit",
            default=None,
            help=Text("The column of what was randomised, such as user_id.", "随机分组的单元列，例如 user_id。"),
        ),
        click.option(
            "--expected",
            metavar="ARM=SHARE,…",
            default=None,
            help=Text("Shares of units; equal ones unless given.", "各组应占的比例；不给则各组相等。"),
        ),
        click.option(
            "--crossed",
            type=Choice(["error", "drop"]),
            default="error",
            show_default=True,
            help=Text(
                "Units in several arms: an error, or left out and counted.", "出现在多个组的单元：报错，或去掉并计数。"
            ),
        ),
        click.option(
            "--lower-is-better",
            is_flag=True,
            help=Text("As of bounces, complaints, latency.", "越低越好，例如跳出率、投诉、延迟。"),
        ),
    )[::-1]:
        sub = option(sub)
    return sub


@command.command(
    "ab",
    zh="将实验的每个实验组与对照组比较：CTR 等比率，或每个单元的均值。\n\n"
    "TABLE 每行有一个组：CSV、TSV、JSON、JSONL、Parquet。"
    "先按单元汇总，因为随机分配的是用户而不是点击；区间用 delta 方法。"
    "首先检查各组样本量是否符合预期：不符合时不下结论。",
    epilog=examples(
        _AB,
        "rankgauge online ab orders.parquet --arm variant --control A --numerator revenue --unit user_id",
        "rankgauge online ab experiment.csv --numerator clicks --expected control=0.9,new=0.1 --json -o ab.json",
    ),
)
@click.argument("table", type=Input())
@_arms
@_shown
def ab(table: Path, **options: Any) -> None:
    """Compare each treatment of an experiment with its control: ratios such as CTR, or means per unit.

    TABLE has an arm in each row: CSV, TSV, JSON, JSONL, Parquet. Rows of one unit are summed first, because users were
    randomised and not clicks; intervals are those of the delta method. Whether the arms have the units they should
    have is looked at first: where they do not, there is no conclusion.
    """
    _compared(table, options)


@command.command(
    "cuped",
    zh="降低噪声的比较：从差值中去掉各单元在实验前的行为（CUPED）。\n\n实验前的数据不能与分组有关。以调整后的差值为准；旁边给出原始差值，以及方差减少了多少。",
    epilog=examples(
        _CUPED,
        "rankgauge online cuped experiment.csv --numerator clicks --denominator impressions --before clicks_before "
        "--before-denominator impressions_before --unit user_id",
    ),
)
@click.argument("table", type=Input())
@_arms
@click.option(
    "--before",
    required=True,
    help=Text(
        "The numerator from before the experiment, 0 for those who were not there.",
        "实验开始前的分子，当时不在的单元为 0。",
    ),
)
@click.option(
    "--before-denominator", default=None, help=Text("The denominator from before the experiment.", "实验开始前的分母。")
)
@_shown
def cuped(table: Path, **options: Any) -> None:
    """The same with less noise: what units did before the experiment is taken out of the difference (CUPED).

    What was measured before must not depend on the arm. The adjusted difference decides; the one as measured, and how
    much of the variance is gone, stand beside it.
    """
    _compared(table, options)


def _compared(table: Path, options: dict[str, Any]) -> None:
    from rankgauge.experiments import ab_test

    out: Output = options.pop("out")
    digits, level = options.pop("digits"), options.pop("confidence")
    expected = number_map("--expected", options.pop("expected"))
    with status(Text(f"reading {table.name} …", f"正在读取 {table.name} …")):
        found = ab_test(table, **options, expected=expected, confidence_level=level)
    out.show(found, digits=digits)


@command.command(
    "sample-ratio",
    zh="检查实验各组的样本量是否符合预期。\n\n给出各组的单元数，或一个用来计数的表。不符合时，说明有单元丢失或分配出错，实验的其他结果都不可信。",
    epilog=examples(
        _SAMPLE,
        "rankgauge online sample-ratio control=90110 new=9890 --expected control=0.9,new=0.1",
        "rankgauge online sample-ratio experiment.csv --arm variant --unit user_id",
    ),
)
@click.argument("sizes", nargs=-1, required=True, metavar="TABLE | ARM=UNITS…")
@click.option(
    "--arm",
    default="arm",
    show_default=True,
    help=Text("Of TABLE: the column that says which arm a row is of.", "TABLE 中说明每行属于哪个组的列。"),
)
@click.option(
    "--unit",
    default=None,
    help=Text(
        "Of TABLE: the column of what was randomised, such as user_id.", "TABLE 中随机分组的单元列，例如 user_id。"
    ),
)
@click.option(
    "--expected",
    metavar="ARM=SHARE,…",
    default=None,
    help=Text("Shares of units; equal ones unless given.", "各组应占的比例；不给则各组相等。"),
)
@click.option(
    "--alpha",
    type=Number(0, 1, min_open=True, max_open=True),
    default=0.001,
    show_default=True,
    help=Text(
        "Chance of an alarm where nothing is wrong; low, because it is looked at often.",
        "一切正常时误报的概率；因为经常查看，所以取得较低。",
    ),
)
@digits_option
@output_options("table", "json", "csv", "markdown", "html")
def sample_ratio(
    sizes: tuple[str, ...], arm: str, unit: str | None, expected: str | None, alpha: float, digits: int, out: Output
) -> None:
    """Check whether the arms of an experiment have the units they should have.

    Give the units of each arm, or a table to count them in. Where it fails, units were lost or assigned wrongly, and
    nothing else about the experiment can be believed.
    """
    from rankgauge.experiments import arm_sizes
    from rankgauge.experiments import sample_ratio as checked

    if all("=" in part for part in sizes) and not is_there(sizes[0]):
        counts: dict[str, int] = {}
        for part in sizes:
            name, _, n = part.rpartition("=")
            if not name or not n.replace(",", "").replace("_", "").isdecimal():
                raise ParameterError(
                    Text(
                        f"units must look like control=50012, got {show(part)}.",
                        f"单元数应写作 control=50012，实际为 {show(part)}。",
                    )
                )
            if name in counts:
                raise ParameterError(
                    Text(f"arm {show(name)} is given twice. Give it once.", f"分组 {show(name)} 给出了两次。只给一次。")
                )
            counts[name] = int(n.replace(",", "").replace("_", ""))
    elif len(sizes) == 1:
        table = Input().convert(sizes[0], None, click.get_current_context())
        with status(Text(f"reading {sizes[0]} …", f"正在读取 {sizes[0]} …")):
            counts = arm_sizes(table, arm=arm, unit=unit)
    else:
        raise ParameterError(
            Text(
                f"sample-ratio takes one table, or ARM=UNITS for each arm, got {show(' '.join(sizes))}.",
                f"sample-ratio 接受一个表，或每组一个 ARM=UNITS，实际为 {show(' '.join(sizes))}。",
            )
        )
    out.show(checked(counts, number_map("--expected", expected), alpha=alpha), digits=digits)


@command.command(
    "off-policy",
    zh="从现有策略的日志估计另一种策略会得到多少回报：IPS、SNIPS、DR。\n\n日志必须记录展示每个条目的概率。目标策略会展示的内容在日志中太少时，拒绝给出估计。",
    epilog=examples(
        _POLICY,
        "rankgauge online off-policy log.parquet --target 0.25 --clip 10 --json -o estimate.json",
        "rankgauge online off-policy log.csv --action item --target best_item --user user_id",
        "rankgauge online off-policy lists.csv --request request_id --position position --target new_propensity",
    ),
)
@click.argument("table", type=Input())
@click.option(
    "--reward",
    default=None,
    help=Text("The column of rewards. [default: reward, else click]", "回报列。[默认：reward，否则 click]"),
)
@click.option(
    "--logged",
    default="propensity",
    show_default=True,
    help=Text("Probability with which the log's policy showed the item.", "日志策略展示该条目的概率。"),
)
@click.option(
    "--target",
    default="target_propensity",
    show_default=True,
    help=Text(
        "The column of the same under the target policy, or one number for all; with --action the item it would show.",
        "目标策略下的同一概率所在的列，或对所有行通用的一个数；与 --action 一起时为它会展示的条目。",
    ),
)
@click.option(
    "--action",
    default=None,
    help=Text(
        "The column of what was shown, for a target that shows one item.",
        "实际展示的条目列，用于只展示一个条目的目标策略。",
    ),
)
@click.option("--user", default=None, help=Text("The column of independent units.", "相互独立的单元列。"))
@click.option("--request", default=None, help=Text("Of lists: the column of requests.", "列表数据：请求列。"))
@click.option("--position", default=None, help=Text("Of lists: the column of positions.", "列表数据：位置列。"))
@click.option(
    "--model",
    default=None,
    help=Text("The column of a model's reward of what was shown, for DR.", "模型对已展示条目的回报预测列，用于 DR。"),
)
@click.option(
    "--target-model",
    default=None,
    help=Text("The column of its expected reward under the target policy.", "模型在目标策略下的期望回报列。"),
)
@click.option(
    "--clip",
    type=Number(0, min_open=True),
    default=None,
    help=Text("Cut weights at this; a sweep is shown anyway.", "权重截断值；无论如何都会展示不同截断值的结果。"),
)
@click.option(
    "--force",
    is_flag=True,
    help=Text("Show estimates that would be refused, with the warning.", "即使应当拒绝也给出估计，并附警告。"),
)
@click.option(
    "--name", default="target", show_default=True, help=Text("What the target policy is called.", "目标策略的名称。")
)
@_shown
def off_policy(table: Path, target: str, out: Output, digits: int, confidence: float, **options: Any) -> None:
    """Estimate what another policy would have earned, from the log of the one that was shown: IPS, SNIPS, DR.

    The log must say with which probability it showed what it showed. Where it holds too little of what the target
    policy would show, the estimate is refused.
    """
    from rankgauge.behavior import off_policy as estimated

    with status(Text(f"reading {table.name} …", f"正在读取 {table.name} …")):
        found = estimated(table, target=_number_or_column(target), confidence_level=confidence, **options)
    out.show(found, digits=digits)


def _number_or_column(text: str) -> str | float:
    try:
        return float(text)
    except ValueError:
        return text


@command.command(
    "agreement",
    zh="过去的实验，离线与线上对照：方向一致的比例、秩相关、斜率。\n\n"
    "TABLE 每行一个实验，包含两种差异，以及已知的标准误。",
    epilog=examples(
        _AGREEMENT,
        "rankgauge online agreement launches.csv --offline d_ndcg --online d_ctr --online-error se_ctr",
        "rankgauge online agreement launches.csv --json -o agreement.json",
    ),
)
@click.argument("table", type=Input())
@click.option(
    "--offline", default="offline", show_default=True, help=Text("The column of offline differences.", "离线差异列。")
)
@click.option(
    "--online", default="online", show_default=True, help=Text("The column of online differences.", "线上差异列。")
)
@click.option(
    "--offline-error",
    default=None,
    help=Text(
        "Their standard errors. [default: offline_error, where it is there]",
        "离线差异的标准误列。[默认：有 offline_error 列时使用它]",
    ),
)
@click.option(
    "--online-error",
    default=None,
    help=Text(
        "Their standard errors. [default: online_error, where it is there]",
        "线上差异的标准误列。[默认：有 online_error 列时使用它]",
    ),
)
@click.option(
    "--experiment", default="experiment", show_default=True, help=Text("The column of names.", "实验名称列。")
)
@_shown
def agreement(table: Path, out: Output, digits: int, confidence: float, **options: Any) -> None:
    """Past experiments, offline against online: how often the sign agreed, rank correlation, slope.

    TABLE has a row per experiment with both differences, and their standard errors where they are known.
    """
    from rankgauge.experiments import agreement as agreed

    with status(Text(f"reading {table.name} …", f"正在读取 {table.name} …")):
        found = agreed(table, confidence_level=confidence, **options)
    out.show(found, digits=digits)
