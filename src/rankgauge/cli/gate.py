"""`rankgauge gate`: may this release go out?"""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rankgauge._show import show
from rankgauge.cli.languages import language_option
from rankgauge.cli.options import column_map, columns_option, digits_option, examples, policy_options, status
from rankgauge.cli.output import Output, show_sections
from rankgauge.cli.places import Target, is_taken, refuse_inputs
from rankgauge.cli.style import click
from rankgauge.cli.terminal import out, wrote
from rankgauge.cli.types import Number
from rankgauge.errors import ParameterError, RankgaugeError
from rankgauge.evaluation.policy_fields import fields_of
from rankgauge.evaluation.rankings.policy import Policy

if TYPE_CHECKING:
    from rankgauge.gate import Gate, GateResult

__all__ = ["command"]

_PATH = click.Path(path_type=Path)


@click.command(
    "gate",
    epilog=examples(
        "rankgauge gate gate.toml",
        "rankgauge gate gate.toml --run candidate.run --markdown summary.md --junit gate.xml",
        "rankgauge gate qrels.txt new.run --floor 'nDCG@10>=0.40' --ceiling 'missing_queries<=0'",
        "rankgauge gate qrels.txt new.run --standard production --level good",
        "rankgauge gate qrels.txt new.run --baseline old.run --non-inferior nDCG@10:0.01",
        "rankgauge gate qrels.txt new.run --baseline old.json --non-inferior nDCG@10:0.01 --allow-inconclusive",
    ),
)
@click.argument("files", nargs=-1, type=_PATH, metavar="[CONFIG.toml | QRELS RUN]")
@click.option("--qrels", type=_PATH, default=None, help="The judgements, instead of those of CONFIG.")
@click.option("--run", type=_PATH, default=None, help="The run to decide on, instead of that of CONFIG.")
@click.option(
    "--baseline", type=_PATH, default=None, help="A run, or an evaluation stored with `rankgauge evaluate --json`."
)
@click.option("-m", "--measure", "measures", multiple=True, help="A measure to show besides those of the rules.")
@click.option(
    "--standard",
    default=None,
    metavar="NAME",
    help="Floors from figures that are known: production (see --level), or the benchmarks of a scenario such as faq. A "
    "--floor about the same measure takes their place.",
)
@click.option(
    "--level",
    default=None,
    metavar="LEVEL",
    help="With --standard production: minimum, good or excellent. [default: minimum]",
)
@click.option("--standards", type=_PATH, default=None, help="A TOML file with your own figures, for --standard.")
@click.option("--floor", "floors", multiple=True, metavar="RULE", help="The mean must reach this: 'nDCG@10>=0.40'.")
@click.option(
    "--non-inferior",
    multiple=True,
    metavar="RULE",
    help="Not worse than the baseline by more than this, with confidence 1 - alpha: nDCG@10:0.01.",
)
@click.option(
    "--ceiling",
    "ceilings",
    multiple=True,
    metavar="RULE",
    help="A count or share of the input: 'missing_queries<=0', 'unjudged<=0.35', 'duplicates<=0', 'nan_scores<=0'.",
)
@click.option(
    "--slices",
    type=_PATH,
    default=None,
    help="Attributes of queries, for rules by slice: CSV, JSONL, Parquet with a query_id column.",
)
@click.option("--slice-floor", "slice_floors", multiple=True, metavar="RULE", help="A floor for each slice.")
@click.option("--slice-non-inferior", multiple=True, metavar="RULE", help="The same as --non-inferior for each slice.")
@click.option(
    "--min-queries", type=click.IntRange(1), default=None, help="Smaller slices are not checked. [default: 20]"
)
@click.option(
    "--alpha",
    type=Number(0, 0.5, min_open=True, max_open=True),
    default=None,
    help="Risk of a wrong decision of one rule. [default: 0.05]",
)
@click.option("--certain", is_flag=True, help="Floors must be reached by the whole interval, not only the mean.")
@click.option("--allow-inconclusive", is_flag=True, help="Exit code 0 when nothing failed but some is not settled.")
@click.option(
    "--accept",
    multiple=True,
    metavar="CODE",
    help="A suspicion about the input that may stand, such as worst-first; may be repeated. Any other error "
    "of the input makes the gate inconclusive.",
)
@policy_options
@columns_option
@click.option("--markdown", "markdown_file", type=Target(), default=None, help="Write the table to a Markdown file.")
@click.option("--junit", "junit_file", type=Target(), default=None, help="Write JUnit XML, for the test page of CI.")
@click.option("--json", "json_file", type=Target(), default=None, help="Write everything to a JSON file.")
@click.option(
    "--html", "html_file", type=Target(), default=None, help="Write a report: one HTML file that opens offline."
)
@language_option()
@click.option("--quiet", is_flag=True, help="Print the decision only.")
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
    as flags say the same.
    """
    try:
        _refuse_places(markdown_file, junit_file, json_file, html_file)
        gate = _gate(files, flags)
        try:
            refuse_inputs(_files(gate))
        except ParameterError:
            junit_file = None
            raise
        result = _decided(gate)
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


def _report(error: Exception, junit_file: Path | None) -> None:
    """So that the page of CI says why there is no decision."""
    if junit_file is None:
        return
    from rankgauge.reporting.gate import junit_of_error

    with contextlib.suppress(RankgaugeError):  # the first error is the one to see
        _write(junit_file, junit_of_error(str(error) or type(error).__name__))


def _gate(files: tuple[Path, ...], flags: dict[str, Any]) -> Gate:
    """The gate that files and flags describe."""
    from rankgauge.gate import Gate

    config, given = _placed(files, {name: flags[name] for name in ("qrels", "run", "baseline")})
    slices = {"file": _text(flags["slices"]), "min_queries": flags["min_queries"]}
    policy = {name: flags[name] for name in ("convention", *fields_of(Policy))}
    rules = ("floors", "non_inferior", "ceilings", "slice_floors", "slice_non_inferior")
    return Gate.from_flags(
        **{name: flags[name] for name in rules},
        file=config,
        qrels=_text(given["qrels"]),
        run=_text(given["run"]),
        baseline=_text(given["baseline"]),
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


def _files(gate: Gate) -> list[str]:
    """What the gate reads, whoever named it."""
    sliced_by = gate.slices.file if gate.slices is not None else None
    named = (gate.qrels, gate.run, gate.baseline, gate.standards, sliced_by)
    return [path for path in named if path is not None]


def _placed(files: tuple[Path, ...], given: dict[str, Path | None]) -> tuple[Path | None, dict[str, Path | None]]:
    """The config file, if there is one, and the paths by their role."""
    if len(files) == 1:
        return files[0], given
    if len(files) == 2 and given["qrels"] is None and given["run"] is None:
        return None, {**given, "qrels": files[0], "run": files[1]}
    if not files:
        return None, given
    raise ParameterError(
        f"gate takes one CONFIG.toml, or QRELS and RUN, got {len(files)} files: {', '.join(map(str, files))}."
    )


def _text(path: Path | None) -> str | None:
    return None if path is None else str(path)


def _decided(gate: Gate) -> GateResult:
    from rankgauge.gate import run_gate

    with status("checking …"):
        return run_gate(gate)


def _show(result: GateResult, quiet: bool, digits: int, language: str) -> None:
    if is_taken():
        return
    if quiet:
        out(f"{result.decision}\n")
    else:
        from rankgauge.reporting import sections

        show_sections(sections(result, digits=digits), language)


def _refuse_places(*paths: Path | None) -> None:
    """Files that cannot be written are an error before anything is decided."""
    for path in paths:
        if path is not None and not path.parent.is_dir():
            raise ParameterError(f"cannot write {show(str(path))}: the folder {show(str(path.parent))} does not exist.")


def _write_all(*wanted: tuple[Path | None, Callable[[], str]]) -> None:
    for path, text in wanted:
        if path is not None:
            _write(path, text())


def _write(path: Path, text: str) -> None:
    from rankgauge.data.formats.write import write_text

    write_text(path, text)
    wrote(path)
