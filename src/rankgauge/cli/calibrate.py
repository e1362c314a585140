"""`rankgauge calibrate`: fit calibrators, judge them on other rows, keep one, use one."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from rankgauge.cli.options import (
    Input,
    column_map,
    columns_option,
    digits_option,
    examples,
    reading_of,
    reading_options,
    status,
    write_table,
)
from rankgauge.cli.output import Output, output_options
from rankgauge.cli.places import Target
from rankgauge.cli.style import click
from rankgauge.cli.terminal import say, wrote

__all__ = ["command"]


@click.command(
    "calibrate",
    epilog=examples(
        "rankgauge calibrate clicks.csv --score pctr --time day",
        "rankgauge calibrate clicks.csv -k platt -k isotonic --split half",
        "rankgauge calibrate clicks.csv --save calibrator.json",
        "rankgauge calibrate today.csv --apply calibrator.json --to calibrated.csv",
    ),
)
@click.argument("file", type=Input())
@click.option(
    "-k",
    "--kind",
    "kinds",
    multiple=True,
    help="odds, temperature, platt, histogram, isotonic; may be repeated. All of them by default.",
)
@click.option(
    "--split",
    default="auto",
    show_default=True,
    help="Where calibrators are judged: time (later rows), half (other groups), a share such as 0.7 for fitting.",
)
@click.option("--seed", type=click.IntRange(0), default=0, show_default=True, help="Of a split that is drawn.")
@click.option(
    "--save",
    type=Target(),
    default=None,
    help="Write the recommended calibrator, fitted on all rows, to a .json file.",
)
@click.option(
    "--apply",
    "stored",
    type=Input(),
    default=None,
    help="Instead of fitting: use a stored calibrator on the scores of FILE.",
)
@click.option(
    "--to",
    type=Target(),
    default=None,
    help="With --apply: the .csv, .tsv, .jsonl or .parquet file for the rows with calibrated scores.",
)
@digits_option
@reading_options
@columns_option
@output_options("table", "csv", "markdown", "latex", "html")
def command(
    file: Path,
    kinds: tuple[str, ...],
    split: str,
    seed: int,
    save: Path | None,
    stored: Path | None,
    to: Path | None,
    digits: int,
    columns: str | None,
    out: Output,
    **options: Any,
) -> None:
    """Correct probabilities: fit calibrators on some rows, judge them on others, recommend one.

    With a time column the earlier half fits and the later half judges; otherwise groups are halved.
    """
    from rankgauge.calibration import calibrate, load_calibrator
    from rankgauge.errors import ParameterError

    reading = {**reading_of(options), "columns": column_map(columns)}
    if stored is not None:
        if to is None:
            raise ParameterError("--apply needs --to FILE for the calibrated rows.")
        _apply(load_calibrator(stored), file, to, reading)
        return
    with status(f"calibrating {file.name} …"):
        result = calibrate(file, list(kinds) or "all", split=_split(split), rng=seed, **reading)
    out.show(result, digits=digits)
    if save is not None:
        best = result.refit()
        if best is None:
            say(f"nothing saved to {save}: no calibrator is recommended.")
        else:
            best.save(save)
            wrote(save)


def _split(text: str) -> str | float:
    try:
        return float(text)
    except ValueError:
        return text


def _apply(calibrator: Any, file: Path, to: Path, options: dict[str, Any]) -> None:
    """The rows of a file with calibrated scores."""
    from rankgauge.data.predictions import read_predictions
    from rankgauge.evaluation.policy_fields import fields_of
    from rankgauge.evaluation.predictions.asking import sample_of
    from rankgauge.evaluation.predictions.policy import PredictionPolicy

    words = {name: options.pop(name) for name in fields_of(PredictionPolicy)}
    words["scale"] = None if words["scale"] == "auto" else words["scale"]  # what is applied to must be probabilities
    policy = PredictionPolicy.decided(PredictionPolicy(scale="probability"), **words)
    rows = read_predictions(file, **options)
    calibrated = {name: calibrator.apply(sample_of(rows, name, policy).probability) for name in rows.scores}
    write_table(rows.with_scores(calibrated).to_frame(), to, "--to")
