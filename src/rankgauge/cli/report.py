"""`rankgauge report`: a page from stored records."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from rankgauge._text import Text, composed, mapped
from rankgauge.cli.files import File, Given, files_by_name, record_of
from rankgauge.cli.languages import language_option
from rankgauge.cli.options import examples, measures_option, shown_options
from rankgauge.cli.output import Output, Page, page_options
from rankgauge.cli.places import Target, fresh
from rankgauge.cli.style import click
from rankgauge.cli.terminal import say
from rankgauge.cli.trend_options import trend_options
from rankgauge.errors import InputError, ParameterError

__all__ = ["command"]


@click.command(
    "report",
    zh="用 `--json` 保存的内容生成报告：评测、比较、漏斗和其他任何记录。\n\n排序的评测会相互比较，第"
    "一个是基线；查询各不相同的（如各周的评测）并列显示。结果列表、随 k 变化的曲线和标注的健康状"
    "况需要结果文件本身：`rankgauge compare … --html` 会显示它们。--trend 加上历史中随时间变化的数值，也可以单独使用。",
    epilog=examples(
        "rankgauge evaluate qrels.txt old.run --json > old.json",
        "rankgauge evaluate qrels.txt new.run --json > new.json",
        "rankgauge report old.json new.json -o report.html",
        "rankgauge report rag.json -o report.html",
        "rankgauge report comparison.json funnel.json -o report.html --language zh --open",
        "rankgauge report --trend history.db --project shop -m nDCG@10 -o trend.html",
    ),
)
@click.argument("files", nargs=-1, type=File(), metavar="[NAME=]RECORD.json…")
@click.option(
    "--trend",
    "store",
    default=None,
    metavar="STORE",
    help=Text(
        "Numbers over time from a history: a file, or postgresql://user@host/name.",
        "历史中随时间变化的数值：文件，或 postgresql://user@host/name。",
    ),
)
@trend_options
@measures_option(
    Text("With --trend: a measure to follow; may be repeated.", "与 --trend 同用：要跟踪的指标；可重复给出。"),
    "RANKINGS",
    "PREDICTIONS",
)
@click.option(
    "-o",
    "--output",
    type=Target(),
    default=None,
    help=Text(
        "Where the page goes. [default: report.html, where there is none yet]",
        "页面写到哪里。[默认：report.html，且该文件尚不存在]",
    ),
)
@click.option("--open", "opened", is_flag=True, help=Text("Open it in the browser.", "在浏览器中打开。"))
@shown_options
@page_options
@language_option()
def command(
    files: tuple[Given, ...],
    store: str | None,
    systems: tuple[str, ...],
    slices: tuple[str, ...],
    measures: tuple[str, ...],
    output: Path | None,
    opened: bool,
    train: Path | None,
    items: Path | None,
    about: Page,
    language: str,
    **chosen: str | None,
) -> None:
    """Make a report of what `--json` stored: evaluations, comparisons, funnels and any other record.

    Evaluations of rankings are compared, the first is the baseline; those of other queries each, such as weeks, are
    shown beside each other. Result lists, curves over k and the health of
    judgements need the runs themselves: `rankgauge compare … --html` shows them, and so does a report of files that
    hold what was retrieved beside what is relevant. --trend adds numbers over time from a history, or shows them alone.
    """
    given = {"systems": systems, "slices": slices, "measures": measures, **chosen}
    if store is None and (said := next((name for name, value in given.items() if value), "")):
        option = f"--{_OPTIONS.get(said, said)}"
        raise ParameterError(
            Text(
                f"{option} is for --trend, which is not given. Add --trend history.db, or leave {option} out.",
                f"{option} 与 --trend 同用，而这里没有 --trend。请加上 --trend history.db，或去掉 {option}。",
            )
        )
    if not files and store is None:
        raise ParameterError(
            Text(
                "a report needs records, or a history: give RECORD.json, or --trend history.db.",
                "报告需要记录或历史：请给出 RECORD.json，或 --trend history.db。",
            )
        )
    path = output or fresh(Path("report.html"))
    records = _records(files, {"train": train, "items": items}) if files else []
    if store is not None:
        records.append(_over_time(store, systems, slices, measures, chosen))
    Output(language=language).write_page(records, path, about)
    if opened:
        import webbrowser

        webbrowser.open(path.resolve().as_uri())


_OPTIONS = {"systems": "system", "measures": "measure"}


def _over_time(
    store: str, systems: Sequence[str], slices: Sequence[str], measures: Sequence[str], chosen: Mapping[str, Any]
) -> Any:
    """The series of a history that were asked for."""
    from rankgauge.cli.history import opened, refuse_unknown
    from rankgauge.history.trend import trend

    words = {name: value for name, value in chosen.items() if value is not None}
    with opened(store) as h:
        found = trend(h, system=systems or None, slices=slices, measures=list(measures) or None, **words)
        refuse_unknown(h, found, systems, measures, words.get("project"), words.get("dataset"))
    return found


def _records(files: tuple[Given, ...], shown: Mapping[str, Path | None]) -> list[Any]:
    """The stored records; evaluations of rankings as one comparison, where they are about the same queries."""
    from rankgauge.comparison import compare
    from rankgauge.data.together import holds_both
    from rankgauge.evaluation.loading import beside, load
    from rankgauge.evaluation.rankings.record import RankingEvaluation

    if holds_both(files[0].path):
        return [record_of(files, None, **shown)]
    if said := ", ".join(f"--{name}" for name, path in shown.items() if path is not None):
        raise ParameterError(
            composed(
                "{} is for lists that are evaluated, and these records are stored. Give it to rankgauge evaluate … "
                "--html, or leave it out.",
                "{} 用于要评测的列表，而这些是已保存的记录。请传给 rankgauge evaluate … --html，或去掉。",
                said,
            )
        )
    found = _named(files, [load(file.path) for file in files])
    asked = [
        _asked_as(found[name], c) for name, path in files_by_name(files).items() for c in beside(path, "collected")
    ]
    ranked = {name: r for name, r in found.items() if isinstance(r, RankingEvaluation)}
    if len(ranked) < 2:
        return [*found.values(), *asked]
    others = [r for r in found.values() if not isinstance(r, RankingEvaluation)]
    if any(r.kind == "comparison" for r in others):
        raise ParameterError(
            Text(
                "a page holds one comparison: pass stored evaluations or a stored comparison, not both.",
                "一个页面只能有一个比较：请给出已保存的评测，或一个已保存的比较，不要同时给出。",
            )
        )
    try:
        compared = compare(ranked)
    except InputError as e:  # weeks with other queries each, say: a page can show what cannot be compared
        say(composed("not compared: {}", "没有比较：{}", mapped(_first_line, e.text)))
        return [*found.values(), *asked]
    say(Text(f"comparing with {next(iter(ranked))}", f"以 {next(iter(ranked))} 为基线进行比较"))
    return [compared, *others, *asked]


def _first_line(text: str) -> str:
    return text.partition("\n")[0]


def _named(files: Sequence[Given], records: Sequence[Any]) -> dict[str, Any]:
    """Records by name; several evaluations are called as their files are, or as was said."""
    from rankgauge.evaluation.record import Evaluation

    found: dict[str, Any] = dict(zip(files_by_name(files), records, strict=True))
    if sum(isinstance(r, Evaluation) for r in records) < 2 and not any(file.name for file in files):
        return found
    return {name: _called(r, name) if isinstance(r, Evaluation) else r for name, r in found.items()}


def _asked_as(record: Any, collected: Any) -> Any:
    """How a retriever was asked, under the name that its evaluation has on the page."""
    return replace(collected, retriever=record.run) if record.kind == "rankings" else collected


def _called(evaluation: Any, name: str) -> Any:
    return replace(evaluation, **{"run" if evaluation.kind == "rankings" else "model": name})
