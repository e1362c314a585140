"""Options that several commands share."""

from __future__ import annotations

import sys
from collections.abc import Callable, Container, Iterator, Mapping
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from rankgauge._memory import room_of
from rankgauge._show import neutral, show
from rankgauge.cli.style import click, is_dressed
from rankgauge.cli.terminal import wrote
from rankgauge.cli.types import Choice, Number
from rankgauge.data.choosing import ENGINES, batches_to_read
from rankgauge.errors import ParameterError
from rankgauge.evaluation.policy_fields import PolicyField, fields_of
from rankgauge.evaluation.rankings.policy import Policy

if TYPE_CHECKING:
    from rankgauge.data.columns import Kind

__all__ = [
    "SINGLE_COLUMNS",
    "Input",
    "Place",
    "column_map",
    "columns_option",
    "confidence_option",
    "digits_option",
    "engine_options",
    "examples",
    "number_map",
    "policy_option",
    "policy_options",
    "reading_of",
    "reading_options",
    "start_engine",
    "status",
    "unpacking_option",
    "watched",
    "write_on_spark",
    "write_table",
]

F = TypeVar("F", bound=Callable[..., Any])


def examples(*lines: str) -> str:
    """The epilog of a command: lines that can be typed as they are."""
    if is_dressed:  # rich-click joins lines unless an empty one is between them, which it leaves out
        return "\n\n".join(("Examples:", *(f"\b  {line}" for line in lines)))
    return "\b\nExamples:\n" + "\n".join(f"  {line}" for line in lines)


def reading_options(command: F) -> F:
    """How labels and scores are found in a table, and what they are."""
    from rankgauge.evaluation.predictions.policy import PredictionPolicy

    for option in (
        click.option("--label", default=None, help="The column of labels."),
        click.option(
            "--score",
            "models",  # `scores` is a policy of rankings
            multiple=True,
            help="The column of scores; several are several models.",
        ),
        click.option("--group", default=None, help="The column whose rows belong together, such as user_id."),
        click.option("--weight", default=None, help="The column of weights."),
        click.option("--time", default=None, help="The column that orders rows in time."),
        click.option("--slice", "--segment", "segments", multiple=True, help="A column to slice by; may be repeated."),
        click.option("--positive", default=None, help="Labels that count as positive: yes, 2, '>=4'."),
        *(policy_option(name, f) for name, f in fields_of(PredictionPolicy).items()),
    )[::-1]:
        command = option(command)
    return command


def reading_of(options: dict[str, Any]) -> dict[str, Any]:
    """What `reading_options` were told, taken out of the options: keywords of `evaluate_predictions`."""
    from rankgauge.evaluation.predictions.policy import PredictionPolicy

    names = list(options.pop("models"))
    found = {role: options.pop(role) for role in (*SINGLE_COLUMNS, "positive", *fields_of(PredictionPolicy))}
    scores = names[0] if len(names) == 1 else names or None  # one by its name, several as a list
    return {**found, "scores": scores, "slices": options.pop("segments")}


SINGLE_COLUMNS = ("label", "weight", "group", "time")


def policy_option(name: str, f: PolicyField, *, without: Container[str] = ()) -> Callable[[F], F]:
    """The option of one policy field; `without` are words that the command cannot follow."""
    typed = {word: what for word, what in f.typed.items() if word not in without}
    meaning = "; ".join(f"{word}: {what}" for word, what in typed.items())
    kinds: dict[type[Any], Any] = {
        str: Choice(list(typed)),
        int: click.IntRange(min=1),
        float: Number(f.above, f.at_most, min_open=True),
    }
    option = f"--{name.replace('_', '-')}"
    if f.by_measure:
        return click.option(
            option,
            multiple=True,
            default=None,
            metavar="WORD|MEASURE=WORD",
            callback=lambda ctx, param, given: ",".join(given or ()) or None,
            help=f"{meaning}. For single measures: R=skip; may be repeated.",
        )
    return click.option(option, type=kinds[f.kind], default=None, help=f"{meaning}." if typed else f.about)


def policy_options(command: F) -> F:
    """What measures leave open: the policy words, depth and relevance level, and the named conventions."""
    convention = click.option(
        "--convention",
        default=None,
        help="Compute as another tool does: trec_eval, trec_eval-9, pytrec_eval, ir_measures, ranx, … "
        "[default: rankgauge]",
    )
    for option in (convention, *(policy_option(name, f) for name, f in fields_of(Policy).items()))[::-1]:
        command = option(command)
    return command


class Input(click.Path):
    """A file or folder to read; standard input (`-`), a pipe or a FIFO is taken in at once."""

    def __init__(self) -> None:
        super().__init__(path_type=Path)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if isinstance(value, Path) or (ctx is not None and ctx.resilient_parsing):  # a default; completing words
            return value
        from rankgauge._piped import refuse_twice, taken_in

        if value == "./-":  # the way to name a file that is called so; a Path would forget the folder
            return Path.cwd() / "-"
        if ctx is not None:
            refuse_twice(value, ctx.find_object(list) or ())
        found = taken_in(value)
        return found if isinstance(found, Path) else super().convert(value, param, ctx)


class Place(Input):
    """An input; or an address such as s3a://bucket/run, which only Spark can open."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        return value if "://" in str(value) else super().convert(value, param, ctx)


def unpacking_option() -> click.Option:
    """How far compressed input may unpack; `app` gives it to every command that reads."""
    return click.Option(
        ["--max-unpacked"],
        metavar="SIZE",
        expose_value=False,
        is_eager=True,
        callback=_limit_unpacked,
        envvar="RANKGAUGE_MAX_UNPACKED",
        show_envvar=True,
        help="What a compressed input may unpack to in memory, such as 20GiB; unless said, 200 times its size, "
        "at least 1 GiB, at most half of the free memory.",
    )


def _limit_unpacked(ctx: click.Context, param: click.Parameter, value: str | None) -> None:
    if value is not None:
        from rankgauge._unpacked import limit_unpacked

        limit_unpacked(value)
        ctx.call_on_close(lambda: limit_unpacked(None))  # of this command, not of the next one in this process


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
    large = engine != "spark" and batches_to_read(file, kind, columns, "", engine, room_of(memory)) is not None
    with nullcontext() if large else status(f"evaluating {Path(file).name} …"):
        yield


def write_on_spark(result: Any, path: Path) -> None:
    """Values that lie on Spark, written by Spark."""
    if not hasattr(result, "write"):
        raise ParameterError("--per-query: with --engine spark, name one run; each writes a folder of its own.")
    if path.suffix != ".parquet":
        raise ParameterError(f"--per-query: with --engine spark it must end in .parquet, got {show(path.name)}.")
    result.write(path)
    wrote(path)


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
        from rich.text import Text

        return Console(stderr=True).status(Text(neutral(text)))
    return nullcontext()


def write_table(frame: Any, path: Path, option: str) -> None:
    """A table of values; the file appears only when it is complete."""
    from rankgauge.data.formats.write import write_frame

    write_frame(frame, path, option)
    wrote(path)


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
