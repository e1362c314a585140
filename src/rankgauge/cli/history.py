"""`rankgauge history …`: what was kept with `--store`, found again, compared, looked after."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from rankgauge._numbers import counted
from rankgauge._show import show
from rankgauge._text import Text, composed, spaced
from rankgauge.cli.acknowledging import acknowledge
from rankgauge.cli.careful import CarefulGroup
from rankgauge.cli.options import Input, digits_option, examples, measures_option, status
from rankgauge.cli.output import Output, Page, output_options, page_options
from rankgauge.cli.places import Target
from rankgauge.cli.storing import STORE, label_map, store_option
from rankgauge.cli.style import click
from rankgauge.cli.terminal import say, wrote
from rankgauge.cli.trend_options import trend_options
from rankgauge.errors import InputError, ParameterError, UnknownName, among

if TYPE_CHECKING:
    from rankgauge.history import Entry, History
    from rankgauge.history.trend import Trend

__all__ = ["command"]

F = TypeVar("F", bound=Callable[..., Any])

_LIST = "rankgauge history list --store history.db --project shop"
_SHOW = "rankgauge history show 3f2a --store history.db"
_COMPARE = "rankgauge history compare released 3f2a --store history.db"
_TREND = "rankgauge history trend --store history.db --project shop -m nDCG@10"
_TAG = "rankgauge history tag 3f2a released --store history.db"
_PRUNE = "rankgauge history prune --store history.db --values 90d"
_EXPORT = "rankgauge history export history.jsonl.gz --store history.db"
_IMPORT = "rankgauge history import history.jsonl.gz --store other.db"


@click.group(
    "history",
    cls=CarefulGroup,
    zh="用 --store 存下的结果：列出、查看、比较、看趋势、打标签、清理、导出和导入。",
    epilog=examples(_LIST, _SHOW, _COMPARE, _TREND, _TAG, _PRUNE, _EXPORT, _IMPORT),
)
def command() -> None:
    """What was kept with --store: listed, looked at, compared, followed, tagged, pruned, exported and imported."""


def opened(store: str | None, *, writes: bool = False) -> History:
    """The history that a command is about; only `import` makes one that is not there."""
    from rankgauge.history import History

    if not store:
        raise ParameterError(
            Text(
                f"which history? Give --store history.db, or set {STORE}.",
                f"要用哪个历史存储？请给出 --store history.db，或设置 {STORE}。",
            )
        )
    if "://" in store:
        return History(store)
    is_there = os.path.exists(store)
    return History(store, read_only=not writes and (not is_there or not os.access(store, os.W_OK)))


def _chosen(sub: F) -> F:
    """Which entries; the command gets them as `chosen`, words of `History.entries`."""
    from functools import wraps

    @wraps(sub)
    def with_chosen(*args: Any, label: tuple[str, ...], **rest: Any) -> Any:
        names = ("project", "system", "dataset", "version", "kind", "since", "until")
        chosen = {name: value for name in names if (value := rest.pop(name)) is not None}
        if labels := label_map("--label", label):
            chosen["labels"] = labels
        return sub(*args, chosen=chosen, **rest)

    added: Any = with_chosen
    for name, said in (
        ("project", Text("Entries of this project.", "该项目的记录。")),
        ("system", Text("Entries of this system.", "该系统的记录。")),
        ("dataset", Text("Entries that were measured on this.", "在该数据上测得的记录。")),
        ("version", Text("Entries of this version.", "该版本的记录。")),
        (
            "kind",
            Text("Entries of this kind: rankings, gate, predictions, …", "该种类的记录：rankings、gate、predictions……"),
        ),
        ("since", Text("Entries from this moment on: 2026-11-18.", "该时刻及以后的记录：2026-11-18。")),
        ("until", Text("Entries up to this moment; a day with all its hours.", "该时刻及以前的记录；日期包含当天。")),
    )[::-1]:
        metavar = "TIME" if name in ("since", "until") else "NAME"
        added = click.option(f"--{name}", default=None, metavar=metavar, help=said)(added)
    shown: F = click.option(
        "--label",
        multiple=True,
        metavar="NAME=VALUE",
        help=Text(
            "Entries with this label, such as branch=main; may be repeated.",
            "带有该标记（如 branch=main）的记录；可重复给出。",
        ),
    )(added)
    return shown


@command.command(
    "list",
    zh="列出记录：时间、项目、系统、数据、种类、首要指标及其区间、状态、标签。最新的在前。",
    epilog=examples(
        _LIST,
        "rankgauge history list --store history.db --system bm25 --since 2026-10-01 -m nDCG@10 -m R@100",
        "rankgauge history list --store history.db --label branch=main --page 2",
        "rankgauge history list --store history.db --csv -o numbers.csv",
    ),
)
@_chosen
@measures_option(
    Text(
        "A measure to show; may be repeated. [default: the first ones]", "要显示的指标；可重复给出。[默认：靠前的指标]"
    ),
    "RANKINGS",
    "PREDICTIONS",
)
@click.option(
    "-n",
    "limit",
    type=click.IntRange(1),
    default=20,
    show_default=True,
    help=Text("Entries on a page.", "每页的记录数。"),
)
@click.option("--page", type=click.IntRange(1), default=1, show_default=True, help=Text("Which page.", "第几页。"))
@click.option("--oldest-first", is_flag=True, help=Text("From the oldest to the newest.", "从最旧到最新。"))
@store_option
@digits_option
@output_options("table", "json", "csv", "markdown", "html", stored=False)
def list_(
    store: str | None,
    chosen: dict[str, Any],
    measures: tuple[str, ...],
    limit: int,
    page: int,
    oldest_first: bool,
    digits: int,
    out: Output,
) -> None:
    """List entries: time, project, system, dataset, kind, the first measures with their intervals, state, tags.

    The newest come first.
    """
    from rankgauge.reporting.history import listed_entries

    with opened(store) as h:
        of, skip = h.count(**chosen), (page - 1) * limit
        found = h.entries(**chosen, newest_first=not oldest_first, limit=limit, skip=skip)
        out.show(listed_entries(found, of=of, skipped=skip, tags=h.tags(), measures=measures, digits=digits))


@command.command(
    "show",
    zh="查看一条记录。\n\nENTRY 是 id、id 的开头或标签。--json 给出记录本身，`rg.load` 和 `rankgauge report` 都能读取。"
    "使用 --query 时，显示一个查询在该系统历次记录中的值和靠前的结果。",
    epilog=examples(
        _SHOW,
        "rankgauge history show released --store history.db --json -o released.json",
        "rankgauge history show 3f2a --store history.db --query q017 -m nDCG@10",
    ),
)
@click.argument("entry", metavar="ENTRY")
@click.option(
    "--query",
    default=None,
    metavar="ID",
    help=Text(
        "One query in all entries of this project, system and dataset.",
        "一个查询在该项目、系统和数据的所有记录中的情况。",
    ),
)
@measures_option(Text("With --query: the measure. [default: the first]", "与 --query 同用：指标。[默认：第一个]"))
@store_option
@digits_option
@page_options
@output_options("table", "json", "csv", "markdown", "html", stored=False)
def show_(
    entry: str,
    query: str | None,
    measures: tuple[str, ...],
    store: str | None,
    digits: int,
    about: Page,
    out: Output,
) -> None:
    """Look at one entry.

    ENTRY is an id, the beginning of one, or a tag. --json gives the record itself, which `rg.load` and
    `rankgauge report` read. With --query, the value and the first results of one query in all entries of the system.
    """
    from rankgauge.reporting import Sheet
    from rankgauge.reporting.history import Listed, sections_of_entry, sections_of_query

    with opened(store) as h:
        found = h[entry]
        if query is not None:
            measure = measures[0] if measures else _first_measure(found)
            past = h.query_history(query, measure, project=found.project, system=found.system, dataset=found.dataset)
            rows = [
                {
                    "id": x.entry.id,
                    "at": x.entry.at.isoformat(),
                    "system": x.entry.system,
                    "query_id": query,
                    "measure": measure,
                    "value": x.value,
                    "results": " ".join(r.item for r in x.results),
                }
                for x in past
            ]
            out.show(Listed(sections_of_query(query, measure, past, digits), rows))
            return
        tags = [tag for tag, key in h.tags().items() if key == found.id]
        record = h.record(found.id)
        if out.is_data:
            out.show(record)
            return
        notes = [
            composed("{} {}", "{} {}", e.at.strftime("%Y-%m-%d"), e.text) for e in h.events(kind="note", entry=found.id)
        ]
        out.show(Sheet(sections_of_entry(found, tags, notes)), record, page=[record], about=about)


def _first_measure(entry: Entry) -> str:
    first = next((s.measure for s in entry.summaries if s.is_of_all), None)
    if first is None:
        raise InputError(
            Text(
                f"{entry.id} is of kind {entry.kind}, which has no values of single queries.",
                f"{entry.id} 的种类是 {entry.kind}，没有单个查询的数值。",
            )
        )
    return first


@command.command(
    "compare",
    zh="比较两条记录：先给出结论，与对两个评测使用 `rankgauge compare` 相同。\n\n"
    "A 是基线，B 是新的。两者必须是相同查询、相同标注和相同策略下的评测；否则说明为何不能比较。",
    epilog=examples(_COMPARE, "rankgauge history compare 3f2a 9c01 --store history.db --html report.html"),
)
@click.argument("a", metavar="A")
@click.argument("b", metavar="B")
@measures_option(
    Text("A measure to compare; may be repeated. [default: all]", "要比较的指标；可重复给出。[默认：全部]")
)
@click.option(
    "--moved",
    type=click.IntRange(0),
    default=3,
    show_default=True,
    help=Text("Queries shown that moved most.", "显示多少个变化最大的查询。"),
)
@store_option
@digits_option
@page_options
@output_options("table", "json", "csv", "markdown", "latex", "html", stored=False)
def compare_(
    a: str,
    b: str,
    measures: tuple[str, ...],
    moved: int,
    store: str | None,
    digits: int,
    about: Page,
    out: Output,
) -> None:
    """Compare two entries: the verdict first, as `rankgauge compare` gives it of the two evaluations.

    A is the baseline and B the new one. Both must be evaluations of the same queries, judgements and policy; where they
    are not, it says why they cannot be compared.
    """
    from rankgauge.comparison import compare

    with opened(store) as h, status(Text("comparing …", "正在比较 …")):
        one, two = h[a], h[b]
        names = _names(one, two)
        both = {name: _evaluation(h, e) for name, e in zip(names, (one, two), strict=True)}
        result = compare(both, None, list(measures) or None)
    if out.is_data:
        out.show(result, about=about)
    else:
        out.show(result, about=about, digits=digits, moved=moved)


def _names(one: Entry, two: Entry) -> tuple[str, str]:
    """What tells them apart: the systems, the versions, the days, or the ids."""
    for name in (
        lambda e: e.system,
        lambda e: f"{e.system} {e.version}".strip(),
        lambda e: f"{e.system} {e.at:%Y-%m-%d}".strip(),
        lambda e: e.id,
    ):
        if name(one) and name(one) != name(two) and name(two):
            return name(one), name(two)
    raise ParameterError(Text(f"both are {one.id}. Name two entries.", f"两者都是 {one.id}。请给出两条不同的记录。"))


def _evaluation(h: History, entry: Entry) -> Any:
    from rankgauge.evaluation.record import Evaluation

    if entry.is_pruned:
        raise InputError(
            Text(
                f"{entry.id} cannot be compared query by query: values of single queries were pruned. Its numbers are "
                "in `rankgauge history list`.",
                f"{entry.id} 无法按查询比较：单个查询的数值已清理。其指标见 `rankgauge history list`。",
            )
        )
    record: Any = h.record(entry.id)
    found = getattr(record, "evaluation", record)
    if not isinstance(found, Evaluation):
        raise InputError(
            Text(
                f"{entry.id} is of kind {entry.kind}: only evaluations can be compared.",
                f"{entry.id} 的种类是 {entry.kind}：只有评测可以比较。",
            )
        )
    return found


@command.command(
    "trend",
    zh="各指标如何随时间变化：每个点及其区间，与前一次和基线的配对差值，以及变化点。\n\n"
    "查询、标注或策略改变之处断开，不会悄悄连成一条线。",
    epilog=examples(
        _TREND,
        "rankgauge history trend --store history.db --system bm25 --slices language --baseline released",
        "rankgauge history trend --store history.db --project shop --json -o trend.json",
    ),
)
@trend_options
@measures_option(
    Text("A measure; may be repeated. [default: all]", "指标；可重复给出。[默认：全部]"), "RANKINGS", "PREDICTIONS"
)
@store_option
@digits_option
@output_options("table", "json", "csv", "markdown", "html", stored=False)
def trend_(
    systems: tuple[str, ...],
    slices: tuple[str, ...],
    measures: tuple[str, ...],
    store: str | None,
    digits: int,
    out: Output,
    **chosen: Any,
) -> None:
    """How the numbers have moved: each point with its interval, paired with the one before and with a baseline, steps.

    Where queries, judgements or the policy changed there is a break, and no line across it.
    """
    from rankgauge.history.trend import trend

    with opened(store) as h, status(Text("reading …", "正在读取 …")):
        found = trend(h, system=systems or None, slices=slices, measures=list(measures) or None, **chosen)
        refuse_unknown(h, found, systems, measures, chosen["project"], chosen["dataset"])
    out.show(found, digits=digits)


def refuse_unknown(
    h: History, found: Trend, systems: Sequence[str], measures: Sequence[str], project: str | None, dataset: str | None
) -> None:
    """Raises where a name was given that nothing in the history has: nobody is told of an empty line instead."""
    if (
        found.series
        and {*systems} <= {s.system for s in found.series}
        and {*measures} <= {s.measure for s in found.series}
    ):
        return
    entries = h.entries(project=project)
    told: list[tuple[Text, Sequence[str], list[str]]] = [
        (Text("project", "项目"), [] if project is None else [project], h.projects()),
        (Text("system", "系统"), systems, h.systems(project)),
        (Text("dataset", "数据集"), [] if dataset is None else [dataset], sorted({e.dataset for e in entries})),
    ]
    for what, named, known in told:
        for name in named:
            if name not in known:
                raise UnknownName(
                    composed(
                        "history: there is no {} {}.{}", "历史：没有{} {}。{}", what, show(name), among(name, known)
                    )
                )
    for name in measures:
        if all(e.summary(name) is None for e in entries):
            measured = list(dict.fromkeys(s.measure for e in entries for s in e.summaries if s.is_of_all))
            raise UnknownName(
                composed("history: nothing has {}.{}", "历史：没有记录含有 {}。{}", show(name), among(name, measured))
            )


@command.command(
    "tag",
    zh="给一条记录起名，之后可以用这个名称找到它。\n\n同名的新标签取代旧的。有标签的记录在清理时完整保留。",
    epilog=examples(_TAG, "rankgauge history list --store history.db"),
)
@click.argument("entry", metavar="ENTRY")
@click.argument("name", metavar="NAME")
@click.option("--who", default="", help=Text("Who says so.", "由谁标注。"))
@store_option
def tag_(entry: str, name: str, who: str, store: str | None) -> None:
    """Give an entry a name to find it by.

    A later tag of the same name takes its place. What has a tag stays whole when the history is pruned.
    """
    with opened(store, writes=exists(store)) as h:
        found = h.tag(entry, name, who=who)
        say(composed("{} is {} now", "{} 现在是 {}", show(name), found.id))


def exists(store: str | None) -> bool:
    """Whether there is anything to write to: a history that is not there is not made in passing."""
    return bool(store) and ("://" in str(store) or os.path.exists(str(store)))


@command.command(
    "prune",
    zh="清理旧内容：单个查询的数值保留一段时间，均值永久保留。\n\n"
    "先显示会清理什么；加上 --yes 才会执行。有标签的记录和基线完整保留。时长写作 90d、12w、6m（每月 30 天）、2y。",
    epilog=examples(
        _PRUNE,
        "rankgauge history prune --store history.db --values 90d --yes",
        "rankgauge history prune --store history.db --values 12w --entries 2y --project shop --yes",
    ),
)
@click.option(
    "--values",
    default=None,
    metavar="AGE",
    help=Text(
        "How long values of single queries, and lists, are kept: 90d. Means stay for ever.",
        "单个查询的数值和列表保留多久：90d。均值永久保留。",
    ),
)
@click.option(
    "--entries",
    default=None,
    metavar="AGE",
    help=Text("How long entries are kept at all. [default: for ever]", "记录本身保留多久。[默认：永久]"),
)
@click.option("--project", default=None, metavar="NAME", help=Text("Of this project only.", "只清理该项目。"))
@click.option("--yes", is_flag=True, help=Text("Do it.", "执行清理。"))
@store_option
@output_options("table", "markdown", stored=False)
def prune_(
    values: str | None, entries: str | None, project: str | None, yes: bool, store: str | None, out: Output
) -> None:
    """Forget what is old: values of single queries after a while, means never.

    Shows what would go; --yes does it. What has a tag, and baselines, stay whole. An age is 90d, 12w, 6m (of 30 days)
    or 2y.
    """
    from rankgauge.reporting import Sheet
    from rankgauge.reporting.history import sections_of_pruned

    if values is None and entries is None:
        raise ParameterError(
            Text(
                "prune needs to know how long to keep what: --values 90d keeps values of single queries for 90 days "
                "and means for ever.",
                "prune 需要知道保留多久：--values 90d 把单个查询的数值保留 90 天，均值永久保留。",
            )
        )
    with opened(store, writes=exists(store)) as h:
        done = h.prune(values, entries, project=project, dry_run=not yes)
        out.show(Sheet(sections_of_pruned(done)))
        if not yes and (done.values or done.entries):
            say(Text("nothing was changed. Add --yes to do it.", "没有任何改动。加上 --yes 执行。"))


@command.command(
    "export",
    zh="把记录及其备注写入 .jsonl（也可 .gz）或 .parquet 文件，`history import` 可逐位读回。",
    epilog=examples(
        _EXPORT, "rankgauge history export shop.parquet --store history.db --project shop --since 2026-01-01"
    ),
)
@click.argument("file", type=Target(), metavar="FILE")
@_chosen
@store_option
def export_(file: Path, chosen: dict[str, Any], store: str | None) -> None:
    """Write entries with their notes to a .jsonl (also .gz) or .parquet file, which `history import` reads back.

    To the last bit, under the same ids.
    """
    with opened(store) as h:
        n = h.export(file, **chosen)
    wrote(file, spaced(Text(" with ", "，"), counted(n, "entry", "条记录")))


@command.command(
    "import",
    zh="读入 `history export` 写出的文件。已有的记录保持不变。",
    epilog=examples(_IMPORT),
)
@click.argument("file", type=Input(), metavar="FILE")
@store_option
def import_(file: Path, store: str | None) -> None:
    """Read what `history export` wrote. Entries that are there already stay as they are."""
    with opened(store, writes=True) as h:
        new, known = h.import_(file)
        say(
            composed(
                "{} added to {}, {} there already",
                "已向 {1} 加入 {0}，{2} 原已存在",
                counted(new, "entry", "条记录"),
                h.place,
                counted(known, "entry", "条记录"),
            )
        )


@command.command(
    "verify",
    zh="检查存储中的每条记录是否与存入时相同：退出码 0 完好，1 有损坏。",
    epilog=examples("rankgauge history verify --store history.db"),
)
@store_option
def verify_(store: str | None) -> int:
    """Check that every record in the store is as it was added: exit code 0 where it is, 1 where something is wrong."""
    with opened(store) as h, status(Text("checking …", "正在检查 …")):
        problems, n = h.verify(), len(h)
    for problem in problems:
        say(problem)
    if not problems:
        say(composed("{}: all as added", "{}：均与存入时相同", counted(n, "entry", "条记录")))
    return 1 if problems else 0


command.add_command(acknowledge)
