"""`rankgauge calibrate`: fit calibrators, judge them on other rows, keep one, use one."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from rankgauge._text import Text
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
    zh="校正概率：在一部分行上拟合校准方法，在另一部分行上评判，并推荐其中一个。\n\n有时间列时，用较"
    "早的一半拟合、较晚的一半评判；否则按分组对半划分。",
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
    help=Text(
        "odds, temperature, platt, histogram, isotonic; may be repeated. All of them by default.",
        "odds、temperature、platt、histogram、isotonic；可重复给出，默认全部。",
    ),
)
@click.option(
    "--split",
    default="auto",
    show_default=True,
    help=Text(
        "Where calibrators are judged: time (later rows), half (other groups), a share such as 0.7 for fitting.",
        "在哪些行上评判校准方法：time（较晚的行）、half（其他分组），或用于拟合的比例，如 0.7。",
    ),
)
@click.option(
    "--seed",
    type=click.IntRange(0),
    default=0,
    show_default=True,
    help=Text("Of a split that is drawn.", "随机划分的种子。"),
)
@click.option(
    "--save",
    type=Target(),
    default=None,
    help=Text(
        "Write the recommended calibrator, fitted on all rows, to a .json file.",
        "把推荐的校准方法用全部行拟合后写入 .json 文件。",
    ),
)
@click.option(
    "--apply",
    "stored",
    type=Input(),
    default=None,
    help=Text(
        "Instead of fitting: use a stored calibrator on the scores of FILE.",
        "不拟合，而是把已保存的校准方法用于 FILE 中的得分。",
    ),
)
@click.option(
    "--to",
    type=Target(),
    default=None,
    help=Text(
        "With --apply: the .csv, .tsv, .jsonl or .parquet file for the rows with calibrated scores.",
        "与 --apply 同用：写出校准后各行的 .csv、.tsv、.jsonl 或 .parquet 文件。",
    ),
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
            raise ParameterError(
                Text(
                    "--apply needs --to FILE for the calibrated rows.",
                    "--apply 需要用 --to FILE 指定校准后的行写到哪里。",
                )
            )
        _apply(load_calibrator(stored), file, to, reading)
        return
    with status(Text(f"calibrating {file.name} …", f"正在校准 {file.name} …")):
        result = calibrate(file, list(kinds) or "all", split=_split(split), rng=seed, **reading)
    out.show(result, digits=digits)
    if save is not None:
        best = result.refit()
        if best is None:
            say(
                Text(
                    f"nothing saved to {save}: no calibrator is recommended.",
                    f"没有写入 {save}：没有值得推荐的校准方法。",
                )
            )
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
