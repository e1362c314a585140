"""`rankgauge gate`: may this release go out?"""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rankgauge._show import show
from rankgauge._text import Text, composed
from rankgauge.cli.gate_making import files_of, gate_of
from rankgauge.cli.gate_options import gate_options
from rankgauge.cli.languages import language_option
from rankgauge.cli.options import columns_option, digits_option, examples, status
from rankgauge.cli.output import Output, show_sections
from rankgauge.cli.places import Target, is_taken, refuse_inputs
from rankgauge.cli.storing import Storing, storing_options
from rankgauge.cli.style import click
from rankgauge.cli.terminal import out, say, wrote
from rankgauge.errors import ParameterError, RankgaugeError

if TYPE_CHECKING:
    from rankgauge.gate import GateResult

__all__ = ["command"]

_PATH = click.Path(path_type=Path)


@click.command(
    "gate",
    zh="决定一个结果能否发布：退出码 0 通过，1 不通过，2 输入无效，3 无定论。\n\nrankgauge 自身的错"
    "误是 70，绝不会当作裁决。\n\nCONFIG 是写有路径和规则的 TOML 文件；命令行选项会覆盖其中的内容。"
    "没有 CONFIG 时，用 QRELS、RUN 和写成选项的规则，效果相同；BOTH 是同时含检索结果和相关文档的文件。"
    "给出 --retriever 时，QRELS 是带答案的问题，向在线的检索器询问。",
    epilog=examples(
        "rankgauge gate gate.toml",
        "rankgauge gate gate.toml --run candidate.run --markdown summary.md --junit gate.xml",
        "rankgauge gate qrels.txt new.run --floor 'nDCG@10>=0.40' --ceiling 'missing_queries<=0'",
        "rankgauge gate gate.toml --store history.db --project shop",
        "rankgauge gate rag.json --floor 'Recall@5>=0.80' --floor 'MRR>=0.60'",
        "rankgauge gate qrels.txt new.run --standard production --level good",
        "rankgauge gate qrels.txt new.run --baseline old.run --non-inferior nDCG@10:0.01",
        "rankgauge gate qrels.txt new.run --baseline old.json --non-inferior nDCG@10:0.01 --allow-inconclusive",
        "rankgauge gate test.csv new.csv --floor 'Coverage@10>=0.2' --train train.csv --items items.csv",
        "rankgauge gate qrels.txt new.run --floor 'R(budget=2000t)>=0.6' --documents corpus.jsonl",
        "rankgauge gate questions.jsonl --retriever search:find --documents docs.jsonl -k 10 --floor 'R@5>=0.80' "
        "--floor 'latency.p95<=200' --ceiling 'failures<=0'",
        "rankgauge gate clicks.csv --score new --floor 'AUC>=0.75' --bounds COPC=0.9..1.1",
        "rankgauge gate clicks.csv --score new --baseline-score old --non-inferior AUC:0.002 --group user_id",
    ),
)
@click.argument("files", nargs=-1, type=_PATH, metavar="[CONFIG.toml | QRELS [NAME=]RUN | BOTH]")
@gate_options
@columns_option
@click.option(
    "--markdown",
    "markdown_file",
    type=Target(),
    default=None,
    help=Text("Write the table to a Markdown file.", "把表格写入 Markdown 文件。"),
)
@click.option(
    "--junit",
    "junit_file",
    type=Target(),
    default=None,
    help=Text("Write JUnit XML, for the test page of CI.", "写出 JUnit XML，供 CI 的测试页使用。"),
)
@click.option(
    "--json",
    "json_file",
    type=Target(),
    default=None,
    help=Text("Write everything to a JSON file.", "把全部内容写入 JSON 文件。"),
)
@click.option(
    "--html",
    "html_file",
    type=Target(),
    default=None,
    help=Text("Write a report: one HTML file that opens offline.", "写出报告：一个可离线打开的 HTML 文件。"),
)
@storing_options
@language_option()
@click.option("--quiet", is_flag=True, help=Text("Print the decision only.", "只打印裁决。"))
@digits_option
def command(
    files: tuple[Path, ...],
    markdown_file: Path | None,
    junit_file: Path | None,
    json_file: Path | None,
    html_file: Path | None,
    language: str,
    quiet: bool,
    digits: int,
    storing: Storing,
    **flags: Any,
) -> int:
    """Decide whether a run may go out: exit code 0 pass, 1 fail, 2 invalid input, 3 inconclusive.

    An error of rankgauge itself is 70, never a decision.

    CONFIG is a TOML file with the paths and the rules; flags are laid over it. Without one, QRELS and RUN and rules
    as flags say the same; BOTH is a file that holds what was retrieved beside what is relevant. With --retriever QRELS
    are questions with what answers them, and a live retriever is asked.

    A file of labels and scores with --score, or a CONFIG that names `predictions`, decides on a model: AUC, GAUC,
    LogLoss with --floor, COPC with --bounds, all against another model on the same rows with --baseline-score.
    """
    try:
        _refuse_places(markdown_file, junit_file, json_file, html_file)
        gate, names = gate_of(files, flags)
        try:
            refuse_inputs(files_of(gate))
        except ParameterError:
            junit_file = None
            raise
        result = _called(_decided(gate), names) if names else _decided(gate)
        _write_all(
            (markdown_file, lambda: result.to_markdown(digits=digits, language=language)),
            (junit_file, result.to_junit),
            (json_file, lambda: result.to_json() + "\n"),
        )
        if html_file is not None:
            Output(language=language).write_page([result], html_file)
        _show(result, quiet, digits, language)
    except Exception as e:
        _report(e, junit_file)
        raise
    is_kept = _keep(storing, result)
    return result.exit_code or (0 if is_kept else 2)


def _keep(storing: Storing, result: Any) -> bool:
    """Whether the decision is in the history, where that was asked for.

    A decision that could not be kept stays what it is: a failure is a failure, and only a pass becomes an error.
    """
    try:
        storing.keep([result])
    except RankgaugeError as e:
        said = ("Error: the decision was not stored: {}", "错误：裁决未能存储：{}")
        say(composed(*said, e.text))
        return False
    return True


def _report(error: Exception, junit_file: Path | None) -> None:
    """So that the page of CI says why there is no decision."""
    if junit_file is None:
        return
    from rankgauge.reporting.gate import junit_of_error

    with contextlib.suppress(RankgaugeError):  # the first error is the one to see
        _write(junit_file, junit_of_error(str(error) or type(error).__name__))


def _called(result: GateResult, names: dict[str, str]) -> GateResult:
    """The same with evaluations under the names that were typed."""
    run, baseline = result.evaluation, result.baseline
    if "run" in names:
        run = replace(run, run=names["run"])
    if "baseline" in names and baseline is not None:
        baseline = replace(baseline, run=names["baseline"])
    return replace(result, evaluation=run, baseline=baseline)


def _decided(gate: Any) -> Any:
    from rankgauge.gate import run_gate

    if getattr(gate, "retriever", None) is not None:  # which has a bar of its own
        return run_gate(gate)
    with status(Text("checking …", "正在检查 …")):
        return run_gate(gate)


def _show(result: Any, quiet: bool, digits: int, language: str) -> None:
    if is_taken():
        return
    if quiet:
        out(result.decision + "\n")
    else:
        from rankgauge.cli.wording import with_options
        from rankgauge.reporting import sections

        shown, ctx = sections(result, digits=digits), click.get_current_context(silent=True)
        show_sections(shown if ctx is None else with_options(shown, ctx.command), language)


def _refuse_places(*paths: Path | None) -> None:
    """Files that cannot be written are an error before anything is decided."""
    for path in paths:
        if path is not None and not path.parent.is_dir():
            raise ParameterError(
                Text(
                    f"cannot write {show(str(path))}: the folder {show(str(path.parent))} does not exist.",
                    f"无法写入 {show(str(path))}：文件夹 {show(str(path.parent))} 不存在。",
                )
            )


def _write_all(*wanted: tuple[Path | None, Callable[[], str]]) -> None:
    for path, text in wanted:
        if path is not None:
            _write(path, text())


def _write(path: Path, text: str) -> None:
    from rankgauge.data.formats.write import write_text

    write_text(path, text)
    wrote(path)
