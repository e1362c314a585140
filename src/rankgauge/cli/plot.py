"""`rankgauge plot`: the charts of the report as files."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from rankgauge._show import show
from rankgauge.cli.languages import language_option
from rankgauge.cli.options import (
    Input,
    column_map,
    columns_option,
    examples,
    policy_options,
    reading_of,
    reading_options,
    status,
)
from rankgauge.cli.places import Target, fresh
from rankgauge.cli.style import click
from rankgauge.cli.terminal import say_of_input, wrote
from rankgauge.cli.types import Number
from rankgauge.errors import ParameterError, UnknownName, suggest

__all__ = ["command"]


def _kinds(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:
    from rankgauge.reporting.figures import KINDS

    return [name for name in KINDS if name.startswith(incomplete)]


@click.command(
    "plot",
    epilog=examples(
        "rankgauge plot differences qrels.txt old.run new.run -m nDCG@10 -o differences.pdf",
        "rankgauge plot by_cutoff qrels.txt bm25.run dense.run -m R -o recall.svg",
        "rankgauge plot query qrels.txt old.run new.run --query q12 -o q12.png",
        "rankgauge plot reliability clicks.csv --score old --score new -o reliability.png --language zh",
        "rankgauge plot funnel funnel.json -o funnel.pdf",
    ),
)
@click.argument("kind", shell_complete=_kinds)
@click.argument("files", nargs=-1, type=Input(), metavar="FILE…")
@click.option("-o", "--output", type=Target(), default=None, help="KIND.svg unless said; or .png, .pdf.")
@click.option(
    "-m", "--measure", "measures", multiple=True, help="A measure; for by_cutoff a name without k, such as R."
)
@click.option("--system", default=None, help="Of several systems the one that is drawn.")
@click.option("--query", "query_id", default=None, help="For query: which one.")
@click.option("--slices", type=Input(), default=None, help="For slices: attributes of queries.")
@click.option("--documents", type=Input(), default=None, help="For query: texts of documents.")
@click.option("--pixels", type=Number(0.5, 10), default=2.0, show_default=True, help="Pixels per unit of a PNG.")
@reading_options
@policy_options
@columns_option
@language_option()
def command(
    kind: str,
    files: tuple[Path, ...],
    output: Path | None,
    measures: tuple[str, ...],
    system: str | None,
    query_id: str | None,
    documents: Path | None,
    pixels: float,
    language: str,
    **options: Any,
) -> None:
    """Draw one chart of the report as SVG, PNG or PDF, for a paper or slides; no browser is needed.

    KIND is one of measures, by_cutoff, judged, grades, contrasts, differences, scatter, slices, query (QRELS RUN… or a
    stored record), roc, pr, reliability, histogram, position, segments (a file of labels and scores), funnel,
    funnel_ndcg, propensity, judged_grades, clipping (a stored record). PNG and PDF need the extra rankgauge[export].
    """
    from rankgauge.reporting.figures import KINDS, plot

    if kind not in KINDS:
        raise UnknownName(f"no chart {show(kind)}.{suggest(kind, list(KINDS))} There are: {', '.join(KINDS)}.")
    if not files:
        raise ParameterError(f"plot {kind} needs files: {_wanted(KINDS[kind].needs)}.")
    path = output or fresh(Path(f"{kind}.svg"))
    with status(f"drawing {kind} …"):
        record = subject = _record(KINDS[kind].needs, kind, files, measures, options)
        chosen: dict[str, Any] = {}
        if kind == "query":
            record, chosen = _lists(record, query_id, system, documents)
        elif kind == "by_cutoff" and measures:
            chosen["measure"] = measures[0]
        elif kind in ("differences", "scatter", "slices"):
            chosen = {"system": system} if system else {}
        plot(record, kind, path, language=language, pixels=pixels, **chosen)
    say_of_input(subject, counted=True)
    wrote(path)


_OF_RANKINGS = ("rankings", "comparison", "ranked comparison", "slices", "movement")


def _wanted(needs: str) -> str:
    from rankgauge.reporting.figures.plotting import SUBJECTS

    if needs == "predictions":
        return "a file of labels and scores"
    return "QRELS and runs, or a stored record" if needs in _OF_RANKINGS else f"{SUBJECTS[needs].says}, stored as JSON"


def _record(needs: str, kind: str, files: tuple[Path, ...], measures: tuple[str, ...], options: dict[str, Any]) -> Any:
    """What is drawn: read back where it was stored, computed otherwise."""
    from rankgauge._piped import Piped
    from rankgauge.comparison import compare
    from rankgauge.evaluation.loading import load

    columns = column_map(options.pop("columns"))
    reading = {k: v for k, v in reading_of(options).items() if v is not None and v != ()}
    options = {k: v for k, v in options.items() if v is not None}
    may_be_stored = needs != "predictions" and isinstance(files[0], Piped)
    of_files = needs == "predictions" or needs in _OF_RANKINGS
    if len(files) == 1 and (files[0].suffix == ".json" or not of_files or may_be_stored):
        _refuse(kind, [*reading, *options], "draws a stored record, which is finished")
        return load(files[0])
    if needs == "predictions":
        from rankgauge.evaluation.of_predictions import evaluate_predictions

        _refuse(kind, options, "draws labels and scores")
        return evaluate_predictions(files[0], list(measures) or None, columns=columns, **reading)
    _refuse(kind, reading, "draws rankings")
    if len(files) < 2 or not of_files:
        raise ParameterError(f"plot {kind} needs {_wanted(needs)}, got {len(files)} file{'s'[: len(files) - 1]}.")
    from rankgauge.evaluation.of_rankings import evaluate
    from rankgauge.evaluation.rankings.naming import DEFAULT_MEASURES

    if columns:
        options["columns"] = columns
    wanted: Any = list(measures) if measures and kind != "by_cutoff" else DEFAULT_MEASURES
    if len(files) == 2:
        return evaluate(files[0], files[1], wanted, **options)
    return compare(files[0], list(files[1:]), wanted, **options)


def _refuse(kind: str, given: Iterable[str], draws: str) -> None:
    """No word is dropped without a word."""
    names = {"scores": "score", "slices": "slice"} if draws == "draws rankings" else {}
    said = [f"--{names.get(name, name).replace('_', '-')}" for name in given]
    if said:
        raise ParameterError(f"plot {kind} {draws}: {', '.join(said)} would change nothing. Leave it out.")


def _lists(record: Any, query_id: str | None, system: str | None, documents: Path | None) -> tuple[Any, dict[str, Any]]:
    """The lists of one query, and the titles of what is in them."""
    from rankgauge.comparison.record import Comparison
    from rankgauge.data.document_texts import read_texts

    if not isinstance(record, Comparison):
        raise ParameterError(
            "plot query needs judgements and two runs: rankgauge plot query QRELS BASE NEW --query ID."
        )
    if query_id is None:
        raise ParameterError("plot query needs --query ID.")
    found = record.query(query_id, system or (record.systems[0] if len(record.systems) > 1 else None))
    texts = {} if documents is None else read_texts(documents, [i.item_id for i in found.items])
    return found, {"titles": {k: v.title or v.text for k, v in texts.items()}}
