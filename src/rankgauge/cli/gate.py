"""`rankgauge gate`: may this release go out?"""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rankgauge._piped import keep, path_of
from rankgauge._show import show
from rankgauge._text import Text, composed
from rankgauge._unpacked import inner_suffix
from rankgauge.cli.files import Given, parted
from rankgauge.cli.languages import language_option
from rankgauge.cli.options import (
    column_map,
    columns_option,
    digits_option,
    examples,
    policy_options,
    reading_of,
    reading_options,
    status,
)
from rankgauge.cli.output import Output, show_sections
from rankgauge.cli.places import Target, is_taken, refuse_inputs
from rankgauge.cli.style import click
from rankgauge.cli.terminal import out, wrote
from rankgauge.cli.types import Number
from rankgauge.errors import InputError, ParameterError, RankgaugeError
from rankgauge.evaluation.policy_fields import fields_of
from rankgauge.evaluation.rankings.policy import Policy

if TYPE_CHECKING:
    from rankgauge.gate import Gate, GateResult

__all__ = ["command"]

_PATH = click.Path(path_type=Path)


@click.command(
    "gate",
    zh="决定一个结果能否发布：退出码 0 通过，1 不通过，2 输入无效，3 无定论。\n\nrankgauge 自身的错"
    "误是 70，绝不会当作裁决。\n\nCONFIG 是写有路径和规则的 TOML 文件；命令行选项会覆盖其中的内容。"
    "没有 CONFIG 时，用 QRELS、RUN 和写成选项的规则，效果相同；BOTH 是同时含检索结果和相关文档的文件。",
    epilog=examples(
        "rankgauge gate gate.toml",
        "rankgauge gate gate.toml --run candidate.run --markdown summary.md --junit gate.xml",
        "rankgauge gate qrels.txt new.run --floor 'nDCG@10>=0.40' --ceiling 'missing_queries<=0'",
        "rankgauge gate rag.json --floor 'Recall@5>=0.80' --floor 'MRR>=0.60'",
        "rankgauge gate qrels.txt new.run --standard production --level good",
        "rankgauge gate qrels.txt new.run --baseline old.run --non-inferior nDCG@10:0.01",
        "rankgauge gate qrels.txt new.run --baseline old.json --non-inferior nDCG@10:0.01 --allow-inconclusive",
        "rankgauge gate clicks.csv --score new --floor 'AUC>=0.75' --bounds COPC=0.9..1.1",
        "rankgauge gate clicks.csv --score new --baseline-score old --non-inferior AUC:0.002 --group user_id",
    ),
)
@click.argument("files", nargs=-1, type=_PATH, metavar="[CONFIG.toml | QRELS [NAME=]RUN | BOTH]")
@click.option(
    "--qrels",
    type=_PATH,
    default=None,
    help=Text("The judgements, instead of those of CONFIG.", "标注，代替 CONFIG 中的标注。"),
)
@click.option(
    "--run",
    metavar="[NAME=]FILE",
    default=None,
    help=Text("The run to decide on, instead of that of CONFIG.", "要裁决的结果文件，代替 CONFIG 中的结果文件。"),
)
@click.option(
    "--baseline",
    metavar="[NAME=]FILE",
    default=None,
    help=Text(
        "A run, or an evaluation stored with `rankgauge evaluate --json`.",
        "一个结果文件，或用 `rankgauge evaluate --json` 保存的评测。",
    ),
)
@click.option(
    "-m",
    "--measure",
    "measures",
    multiple=True,
    help=Text("A measure to show besides those of the rules.", "除规则涉及的指标外另外显示的指标。"),
)
@click.option(
    "--floor",
    "floors",
    multiple=True,
    metavar="RULE",
    help=Text("The mean must reach this: 'nDCG@10>=0.40'.", "均值必须达到的下限：'nDCG@10>=0.40'。"),
)
@click.option(
    "--standard",
    default=None,
    metavar="NAME",
    help=Text(
        "Floors from figures that are known: production (see --level), or the benchmarks of a scenario such as faq. A "
        "--floor about the same measure takes their place.",
        "用已知的基准作为下限：production（见 --level），或某个场景的基准，如 faq。对同一指标给出的 --floor 优先。",
    ),
)
@click.option(
    "--level",
    default=None,
    metavar="LEVEL",
    help=Text(
        "With --standard production: minimum, good or excellent. [default: minimum]",
        "与 --standard production 同用：minimum、good 或 excellent。[默认：minimum]",
    ),
)
@click.option(
    "--standards",
    type=_PATH,
    default=None,
    help=Text("A TOML file with your own figures, for --standard.", "写有自定义基准的 TOML 文件，供 --standard 使用。"),
)
@click.option(
    "--non-inferior",
    multiple=True,
    metavar="RULE",
    help=Text(
        "Not worse than the baseline by more than this, with confidence 1 - alpha: nDCG@10:0.01.",
        "以 1 - alpha 的置信度，比基线最多差这么多：nDCG@10:0.01。",
    ),
)
@click.option(
    "--ceiling",
    "ceilings",
    multiple=True,
    metavar="RULE",
    help=Text(
        "A count or share of the input: 'missing_queries<=0', 'unjudged<=0.35', 'duplicates<=0', 'nan_scores<=0'.",
        "输入的某项计数或占比：'missing_queries<=0'、'unjudged<=0.35'、'duplicates<=0'、'nan_scores<=0'。",
    ),
)
@click.option(
    "--slices",
    type=_PATH,
    default=None,
    help=Text(
        "Attributes of queries, for rules by slice: CSV, JSONL, Parquet with a query_id column.",
        "查询的属性，用于按切片的规则：带 query_id 列的 CSV、JSONL、Parquet。",
    ),
)
@click.option(
    "--slice-floor",
    "slice_floors",
    multiple=True,
    metavar="RULE",
    help=Text("A floor for each slice.", "每个切片的下限。"),
)
@click.option(
    "--slice-non-inferior",
    multiple=True,
    metavar="RULE",
    help=Text("The same as --non-inferior for each slice.", "与 --non-inferior 相同，但针对每个切片。"),
)
@click.option(
    "--min-queries",
    type=click.IntRange(1),
    default=None,
    help=Text("Smaller slices are not checked. [default: 20]", "更小的切片不检查。[默认：20]"),
)
@click.option(
    "--alpha",
    type=Number(0, 0.5, min_open=True, max_open=True),
    default=None,
    help=Text("Risk of a wrong decision of one rule. [default: 0.05]", "单条规则判断错误的风险。[默认：0.05]"),
)
@click.option(
    "--certain",
    is_flag=True,
    help=Text(
        "Floors must be reached by the whole interval, not only the mean.", "整个置信区间都要达到下限，而不只是均值。"
    ),
)
@click.option(
    "--allow-inconclusive",
    is_flag=True,
    help=Text(
        "Exit code 0 when nothing failed but some is not settled.", "没有规则失败、但有规则无定论时，退出码为 0。"
    ),
)
@click.option(
    "--accept",
    multiple=True,
    metavar="CODE",
    help=Text(
        "A suspicion about the input that may stand, such as worst-first; may be repeated. Any other error "
        "of the input makes the gate inconclusive.",
        "允许存在的输入疑点，如 worst-first；可重复给出。输入的其他任何错误都会使门禁无定论。",
    ),
)
@click.option(
    "--bounds",
    multiple=True,
    metavar="RULE",
    help=Text(
        "Of labels and scores: the value must lie between these: COPC=0.9..1.1.",
        "用于标签与得分：数值必须在此范围内：COPC=0.9..1.1。",
    ),
)
@click.option(
    "--slice-bounds",
    multiple=True,
    metavar="RULE",
    help=Text("The same as --bounds for each value of --slice.", "与 --bounds 相同，但针对 --slice 的每个值。"),
)
@click.option(
    "--baseline-score",
    default=None,
    help=Text(
        "Of labels and scores: the column of the model in use, for --non-inferior.",
        "用于标签与得分：在用模型的列，供 --non-inferior 使用。",
    ),
)
@click.option(
    "--min-positives",
    type=click.IntRange(1),
    default=None,
    help=Text(
        "Of labels and scores: slices with fewer positives or negatives are not checked. [default: 50]",
        "用于标签与得分：正样本或负样本更少的切片不检查。[默认：50]",
    ),
)
@reading_options
@policy_options
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
    **flags: Any,
) -> int:
    """Decide whether a run may go out: exit code 0 pass, 1 fail, 2 invalid input, 3 inconclusive.

    An error of rankgauge itself is 70, never a decision.

    CONFIG is a TOML file with the paths and the rules; flags are laid over it. Without one, QRELS and RUN and rules
    as flags say the same; BOTH is a file that holds what was retrieved beside what is relevant.

    A file of labels and scores with --score, or a CONFIG that names `predictions`, decides on a model: AUC, GAUC,
    LogLoss with --floor, COPC with --bounds, all against another model on the same rows with --baseline-score.
    """
    try:
        _refuse_places(markdown_file, junit_file, json_file, html_file)
        reading = {k: v for k, v in reading_of(flags).items() if v is not None and v != ()}
        gate: Any
        names: dict[str, str] = {}
        if _is_of_rows(files, flags, reading):
            gate = _gate_of_rows(files, flags, reading)
        else:
            _refuse_reading(flags, reading)
            gate, names = _gate(files, flags)
        try:
            refuse_inputs(_files(gate))
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
    return result.exit_code


_OF_ROWS = ("bounds", "slice_bounds", "baseline_score", "min_positives")


def _is_of_rows(files: tuple[Path, ...], flags: dict[str, Any], reading: dict[str, Any]) -> bool:
    """Whether this is about labels and scores: a table with their options, or a CONFIG that names such a table."""
    if len(files) != 1:
        return False
    path = files[0]  # not opened yet: a pipe is read once
    if inner_suffix(path) != ".toml":
        return bool(reading) or any(flags[name] for name in _OF_ROWS)
    from rankgauge.gate.file import gate_file

    return "predictions" in gate_file(path)[0]


def _gate_of_rows(files: tuple[Path, ...], flags: dict[str, Any], reading: dict[str, Any]) -> Any:
    from rankgauge.gate import PredictionGate

    alone = ("qrels", "run", "standard", "level", "standards", "slices", "min_queries", "ceilings", "accept")
    odd = [name for name in (*alone, "convention", *fields_of(Policy)) if flags[name] not in (None, (), "")]
    if odd:
        raise ParameterError(
            composed(
                "{} is for rankings, and this gate is about labels and scores. Leave it out.",
                "{} 用于排序结果，而这个门禁针对标签与得分。请去掉。",
                ", ".join(f"--{name.replace('_', '-').rstrip('s')}" for name in odd),
            )
        )
    scores = reading.pop("scores", None)
    if isinstance(scores, list):
        raise ParameterError(
            Text(
                "gate decides on one model: name one --score, and the model in use with --baseline-score.",
                "gate 只裁决一个模型：请只给一个 --score，在用模型用 --baseline-score 指定。",
            )
        )
    path = path_of(files[0])
    is_config = inner_suffix(path) == ".toml"
    return PredictionGate.from_flags(
        file=path if is_config else None,
        predictions=None if is_config else str(path),
        score=scores,
        baseline=flags["baseline_score"] or _text(flags["baseline"]),
        slices=reading.pop("slices", ()),
        floors=flags["floors"],
        bounds=flags["bounds"],
        non_inferior=flags["non_inferior"],
        slice_floors=flags["slice_floors"],
        slice_bounds=flags["slice_bounds"],
        slice_non_inferior=flags["slice_non_inferior"],
        min_positives=flags["min_positives"],
        measures=flags["measures"] or None,
        alpha=flags["alpha"],
        certain=flags["certain"] or None,
        allow_inconclusive=flags["allow_inconclusive"] or None,
        columns=column_map(flags["columns"]),
        **reading,
    )


def _refuse_reading(flags: dict[str, Any], reading: dict[str, Any]) -> None:
    """No word about labels and scores is dropped without a word."""
    typed = {"scores": "--score", "slices": "--slice"}
    said = [typed.get(name, f"--{name.replace('_', '-')}") for name in reading]
    said += [f"--{name.replace('_', '-')}" for name in _OF_ROWS if flags[name]]
    if said:
        raise ParameterError(
            composed(
                "{} is for a table of labels and scores, and this gate is about rankings. Leave it out.",
                "{} 用于标签与得分的表，而这个门禁针对排序结果。请去掉。",
                ", ".join(said),
            )
        )


def _report(error: Exception, junit_file: Path | None) -> None:
    """So that the page of CI says why there is no decision."""
    if junit_file is None:
        return
    from rankgauge.reporting.gate import junit_of_error

    with contextlib.suppress(RankgaugeError):  # the first error is the one to see
        _write(junit_file, junit_of_error(str(error) or type(error).__name__))


def _gate(files: tuple[Path, ...], flags: dict[str, Any]) -> tuple[Gate, dict[str, str]]:
    """The gate that files and flags describe, and what run and baseline are called where that was said."""
    from rankgauge.gate import Gate

    config, given = _placed(files, {name: flags[name] for name in ("qrels", "run", "baseline")})
    slices = {"file": _text(flags["slices"]), "min_queries": flags["min_queries"]}
    policy = {name: flags[name] for name in ("convention", *fields_of(Policy))}
    rules = ("floors", "non_inferior", "ceilings", "slice_floors", "slice_non_inferior")
    asked = dict(
        **{name: flags[name] for name in rules},
        file=config,
        **{role: file.path for role, file in given.items()},
        standard=flags["standard"],
        level=flags["level"],
        standards=_text(flags["standards"]),
        measures=flags["measures"] or None,
        alpha=flags["alpha"],
        certain=flags["certain"] or None,
        allow_inconclusive=flags["allow_inconclusive"] or None,
        accept=flags["accept"] or None,
        slices={k: v for k, v in slices.items() if v is not None},
        policy={k: v for k, v in policy.items() if v is not None},
        columns=column_map(flags["columns"]),
    )
    try:
        gate = Gate.from_flags(**asked)
    except InputError as e:
        if config is None or ".toml" in path_of(config).suffixes:
            raise
        told = ("{} gate takes one CONFIG.toml, or QRELS and RUN.", "{}gate 需要一个 CONFIG.toml，或者 QRELS 和 RUN。")
        raise InputError(composed(*told, e.text), e.problems) from e
    named = {role: file.name for role, file in given.items() if file.name}
    return gate, {"run" if role == "qrels" else role: name for role, name in named.items()}


def _called(result: GateResult, names: dict[str, str]) -> GateResult:
    """The same with evaluations under the names that were typed."""
    run, baseline = result.evaluation, result.baseline
    if "run" in names:
        run = replace(run, run=names["run"])
    if "baseline" in names and baseline is not None:
        baseline = replace(baseline, run=names["baseline"])
    return replace(result, evaluation=run, baseline=baseline)


def _files(gate: Any) -> list[str]:
    """What the gate reads, whoever named it."""
    if hasattr(gate, "predictions"):
        stored = gate.baseline if gate.baseline is not None and Path(gate.baseline).exists() else None
        return [path for path in (gate.predictions, stored) if path is not None]
    sliced_by = gate.slices.file if gate.slices is not None else None
    named = (gate.qrels, gate.run, gate.baseline, gate.standards, sliced_by)
    return [path for path in named if path is not None]


def _placed(files: tuple[Path, ...], options: dict[str, Any]) -> tuple[Path | None, dict[str, Given]]:
    """The config file, if there is one, and the other files by their role."""
    from rankgauge.data.together import holds_both

    given = {role: _given(word) for role, word in options.items() if word is not None}
    if not files:
        return None, given
    if len(files) == 1:
        only = _given(files[0])
        path = path_of(only.path)
        keep(path)  # the gate names its files by their paths
        is_both = "qrels" not in given and inner_suffix(path) != ".toml" and holds_both(path)
        return (None, {**given, "qrels": Given(str(path), only.name)}) if is_both else (path, given)
    if len(files) == 2 and not given.keys() & {"qrels", "run"}:
        return None, {**given, "qrels": Given(str(files[0])), "run": _given(files[1])}
    raise ParameterError(
        Text(
            f"gate takes one CONFIG.toml, or QRELS and RUN, got {len(files)} files: {', '.join(map(str, files))}.",
            f"gate 接受一个 CONFIG.toml，或 QRELS 和 RUN，实际为 {len(files)} 个文件：{', '.join(map(str, files))}。",
        )
    )


def _given(word: str | Path) -> Given:
    name, path = parted(str(word))
    return Given(path, name)


def _text(path: Path | None) -> str | None:
    return None if path is None else str(path)


def _decided(gate: Any) -> Any:
    from rankgauge.gate import run_gate

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
