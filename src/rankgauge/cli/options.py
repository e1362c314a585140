"""Options that several commands share."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from rankgauge._show import show
from rankgauge.cli.style import click
from rankgauge.cli.types import Choice, Number
from rankgauge.engines.choosing import ENGINES, in_pieces
from rankgauge.engines.memory import room_of
from rankgauge.errors import ParameterError
from rankgauge.evaluation.policy import CHOICES

if TYPE_CHECKING:
    from rankgauge.data.columns import Kind

__all__ = [
    "Place",
    "column_map",
    "columns_option",
    "confidence_option",
    "digits_option",
    "engine_options",
    "examples",
    "number_map",
    "policy_options",
    "reading_options",
    "start_engine",
    "status",
    "watched",
    "write_on_spark",
    "write_table",
]

F = TypeVar("F", bound=Callable[..., Any])


def examples(*lines: str) -> str:
    """The epilog of a command: lines that can be typed as they are."""
    return "\b\nExamples:\n" + "\n".join(f"  {line}" for line in lines)


def reading_options(command: F) -> F:
    """How labels and scores are found in a table."""
    for option in (
        click.option("--label", default=None, help="The column of labels."),
        click.option(
            "--score",
            "scores",
            multiple=True,
            help="The column of scores; several are several models.",
        ),
        click.option("--group", default=None, help="The column whose rows belong together, such as user_id."),
        click.option("--weight", default=None, help="The column of weights."),
        click.option("--time", default=None, help="The column that orders rows in time."),
        click.option("--segment", "segments", multiple=True, help="A column to slice by; may be repeated."),
        click.option("--positive", default=None, help="Labels that count as positive: yes, 2, '>=4'."),
        click.option(
            "--scale",
            type=Choice(["auto", "probability", "logit", "score"]),
            default="auto",
            show_default=True,
            help="What the scores are.",
        ),
    )[::-1]:
        command = option(command)
    return command


def _policy(name: str) -> Callable[[F], F]:
    words = CHOICES[name]
    meaning = "; ".join(f"{word}: {what}" for word, what in words.items())
    return click.option(f"--{name.replace('_', '-')}", type=Choice(list(words)), default=None, help=f"{meaning}.")


def policy_options(command: F) -> F:
    """What measures leave open: the policy words, depth and relevance level, and the named conventions."""
    for option in (
        click.option(
            "--convention",
            default="rankgauge",
            show_default=True,
            help="Compute as another tool does: trec_eval, trec_eval-9, pytrec_eval, ir_measures, ranx, …",
        ),
        _policy("ties"),
        _policy("missing"),
        _policy("no_relevant"),
        _policy("unjudged"),
        _policy("duplicates"),
        click.option(
            "--average",
            type=Choice(["macro", "micro"]),
            default=None,
            help="macro: mean over queries; micro: pooled numerators over pooled denominators.",
        ),
        click.option(
            "--depth",
            type=click.IntRange(min=1),
            default=None,
            help="Ignore results beyond this rank (trec_eval -M).",
        ),
        click.option(
            "--rel", type=Number(0, min_open=True), default=None, help="Lowest relevant grade (trec_eval -l)."
        ),
    )[::-1]:
        command = option(command)
    return command


class Place(click.ParamType):  # type: ignore[type-arg,unused-ignore]
    """A file or folder; or an address such as s3a://bucket/run, which only Spark can open."""

    name = "path"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str | Path:
        return value if isinstance(value, Path) or "://" in str(value) else Path(value)

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> Any:
        return click.Path().shell_complete(ctx, param, incomplete)


def engine_options(command: F) -> F:
    """Where the numbers are computed; they are the same everywhere."""
    for option in (
        click.option(
            "--engine",
            type=Choice(list(ENGINES)),
            default="auto",
            show_default=True,
            help="; ".join(f"{word}: {what}" for word, what in ENGINES.items()) + ".",
        ),
        click.option(
            "--memory",
            metavar="SIZE",
            default=None,
            help="What may be held in memory, such as 2GiB; half of what is free unless said.",
        ),
        click.option(
            "--master",
            metavar="URL",
            default=None,
            help="With --engine spark: local[*], spark://host:7077, or sc://host:15002 for Spark Connect.",
        ),
    )[::-1]:
        command = option(command)
    return command


@contextmanager
def watched(
    file: str | Path, kind: Kind, columns: Mapping[str, str] | None, engine: str, memory: str | None
) -> Iterator[None]:
    """A spinner while someone watches; what is read in pieces has a bar of its own."""
    large = engine != "spark" and in_pieces(file, kind, columns, "", engine, room_of(memory)) is not None
    with nullcontext() if large else status(f"evaluating {Path(file).name} …"):
        yield


def write_on_spark(result: Any, path: Path) -> None:
    """Values that lie on Spark, written by Spark."""
    if not hasattr(result, "write"):
        raise ParameterError("--per-query: with --engine spark, name one run; each writes a folder of its own.")
    if path.suffix != ".parquet":
        raise ParameterError(f"--per-query: with --engine spark it must end in .parquet, got {show(path.name)}.")
    result.write(path)
    print(f"wrote {path}", file=sys.stderr)


def start_engine(engine: str, master: str | None) -> None:
    """The Spark session that the call will use."""
    if engine == "spark":
        from rankgauge.engines.spark.session import session

        session(master)
    elif master is not None:
        raise ParameterError("--master says where Spark runs: pass --engine spark with it.")


def digits_option(command: F) -> F:
    return click.option("--digits", type=click.IntRange(0, 15), default=4, show_default=True, help="Decimals shown.")(
        command
    )


def confidence_option(command: F) -> F:
    return click.option(
        "--confidence",
        type=Number(0, 1, min_open=True, max_open=True),
        default=0.95,
        show_default=True,
        help="Level of the intervals.",
    )(command)


def columns_option(command: F) -> F:
    return click.option(
        "--columns",
        metavar="NAME=ROLE,…",
        default=None,
        help="Names of columns and their roles: docno=doc_id,sim=score or click=label. Usual names are known.",
    )(command)


def column_map(text: str | None) -> dict[str, str] | None:
    """`docno=doc_id,sim=score` → a dict."""
    if not text:
        return None
    out = {}
    for part in text.split(","):
        name, eq, role = part.partition("=")
        if not eq or not name or not role:
            raise ParameterError(f"--columns must look like docno=doc_id,sim=score, got {show(part)}.")
        out[name.strip()] = role.strip()
    return out


def status(text: str) -> Any:
    """A spinner while someone watches."""
    if sys.stderr.isatty():
        from rich.console import Console

        return Console(stderr=True).status(text)
    return nullcontext()


def write_table(frame: Any, path: Path, option: str) -> None:
    """A table of values; the file appears only when it is complete."""
    from rankgauge.data.formats.write import write_frame

    write_frame(frame, path, option)
    print(f"wrote {path}", file=sys.stderr)


def number_map(option: str, text: str | None) -> dict[str, float] | None:
    """`click=1,cart=2` → a dict."""
    if text is None:
        return None
    out = {}
    for part in text.split(","):
        name, _, value = part.partition("=")
        try:
            out[name.strip()] = float(value if name.strip() else "")
        except ValueError:
            raise ParameterError(f"{option} must look like click=1,cart=2, got {show(part)}.") from None
    return out
