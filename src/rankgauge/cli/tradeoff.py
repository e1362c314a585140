"""`rankgauge tradeoff`: which systems are worth choosing between, where none is best in everything?"""

from __future__ import annotations

from typing import Any

from rankgauge._text import Text
from rankgauge.cli.files import File, Given, files_by_name, rankings
from rankgauge.cli.options import (
    column_map,
    columns_option,
    confidence_option,
    digits_option,
    documents_option,
    examples,
    measures_option,
    policy_options,
    shown_options,
    status,
    testing_options,
    tokenizer_of,
    tokenizer_option,
)
from rankgauge.cli.output import Output, output_options
from rankgauge.cli.placed_options import refuse_beside_records
from rankgauge.cli.style import click
from rankgauge.errors import ParameterError

__all__ = ["command"]


@click.command(
    "tradeoff",
    zh="哪些系统值得取舍，哪些被其他系统支配？\n\nQRELS 是标注，RUN 是两个或更多结果文件。若另一系统在某个指标上更好，"
    "且在所有指标上都不差，则该系统被支配。",
    epilog=examples(
        "rankgauge tradeoff qrels.txt bm25.run dense.run hybrid.run -m nDCG@10 -m R@100",
        "rankgauge tradeoff test.csv knn.csv ease.csv -m nDCG@10 -m Coverage@10 --train train.csv --items items.csv",
        "rankgauge tradeoff test.csv old=a.csv new=b.csv -m R@10 -m MIUF@10 --train train.csv --margin 0.01",
        "rankgauge tradeoff --evaluations knn.json ease.json --html tradeoff.html",
    ),
)
@click.argument("files", nargs=-1, required=True, type=File(), metavar="QRELS [NAME=]RUN [NAME=]RUN…")
@measures_option(
    Text(
        "A measure such as nDCG@10 or Coverage@10; two or more. Of stored evaluations, all that can be compared unless "
        "given.",
        "指标，如 nDCG@10、Coverage@10，两个或更多。对已保存的评测，默认取所有可比较的指标。",
    ),
    "RANKINGS",
    "SHOWN",
)
@click.option(
    "--evaluations",
    is_flag=True,
    help=Text("All FILES are stored evaluations (evaluate --json).", "所有文件都是已保存的评测（evaluate --json）。"),
)
@testing_options(
    Text("Of p-values over all pairs of systems and measures.", "对所有系统对和指标的 p 值作多重比较校正的方法。")
)
@policy_options
@shown_options
@documents_option
@tokenizer_option
@confidence_option
@digits_option
@columns_option
@output_options("table", "json", "csv", "markdown", "latex", "html")
def command(
    files: tuple[Given, ...],
    measures: tuple[str, ...],
    evaluations: bool,
    test: str,
    correction: str,
    alpha: float,
    margin: float | None,
    permutations: int,
    seed: int,
    tokenizer: str | None,
    confidence: float,
    columns: str | None,
    digits: int,
    out: Output,
    **options: Any,
) -> None:
    """Which systems are worth choosing between, and which are dominated by another?

    QRELS are judgements, RUN two runs or more. A system is dominated where another one is better in one of the
    measures and not worse in any.
    """
    from rankgauge.comparison.tradeoff import tradeoff

    said = {name: value for name, value in options.items() if value is not None}
    with status(Text("comparing …", "正在比较 …")):
        if evaluations:
            of_reading = {"columns": columns, "tokenizer": tokenizer}
            refuse_beside_records([*said, *(name for name, value in of_reading.items() if value is not None)])
            from rankgauge.evaluation.loading import load_evaluation

            found: Any = {name: load_evaluation(path) for name, path in files_by_name(files).items()}
            confidence = next(iter(found.values())).confidence_level
        else:
            from rankgauge.evaluation.of_rankings import evaluate
            from rankgauge.evaluation.rankings.naming import DEFAULT_MEASURES

            qrels, runs = rankings(files)
            if not isinstance(systems := qrels if runs is None else runs, dict) or len(systems) < 2:
                raise ParameterError(_too_few(len(files)))
            found = evaluate(
                qrels,
                runs,
                list(measures) or DEFAULT_MEASURES,
                columns=column_map(columns),
                confidence_level=confidence,
                tokenizer=tokenizer_of(tokenizer),
                **said,
            )
        how: dict[str, Any] = {"test": test, "correction": correction, "alpha": alpha, "margin": margin}
        result = tradeoff(found, *measures, permutations=permutations, rng=seed, confidence_level=confidence, **how)
    out.show(result, digits=digits)


def _too_few(n: int) -> Text:
    return Text(
        f"tradeoff needs judgements and two runs or more: rankgauge tradeoff QRELS RUN RUN. Got {n} "
        f"file{'s' if n > 1 else ''}.",
        f"tradeoff 需要标注和两个或更多结果文件：rankgauge tradeoff QRELS RUN RUN。实际只有 {n} 个文件。",
    )
