"""`rankgauge power`: how many queries does it take?"""

from __future__ import annotations

from rankgauge._text import Text
from rankgauge.cli.files import File, Given, rankings
from rankgauge.cli.options import examples
from rankgauge.cli.output import Output, output_options
from rankgauge.cli.style import click
from rankgauge.cli.terminal import say_of_input
from rankgauge.cli.types import Number

__all__ = ["command"]


@click.command(
    "power",
    zh="规划一次比较：检出某个差异需要多少查询，或这些查询能检出多大的差异。\n\n逐查询差异的标准差可"
    "以直接给出，也可以从两个结果文件得到。",
    epilog=examples(
        "rankgauge power --sd 0.2 --difference 0.02",
        "rankgauge power --sd 0.2 --queries 500",
        "rankgauge power qrels.txt old.run new.run -m nDCG@10 --difference 0.01",
    ),
)
@click.argument("files", nargs=-1, type=File(), metavar="[QRELS BASE NEW]")
@click.option(
    "-m",
    "--measure",
    default="nDCG@10",
    show_default=True,
    help=Text("With files: whose differences.", "给出文件时：用哪个指标的差异。"),
)
@click.option(
    "--sd",
    type=Number(0, min_open=True),
    default=None,
    help=Text("Standard deviation of differences.", "差异的标准差。"),
)
@click.option(
    "--difference", type=Number(0, min_open=True), default=None, help=Text("The difference to find.", "要检出的差异。")
)
@click.option(
    "--queries", type=click.IntRange(2), default=None, help=Text("How many queries there are.", "有多少个查询。")
)
@click.option("--alpha", type=Number(0, 0.5, min_open=True, max_open=True), default=0.05, show_default=True)
@click.option("--power", "wanted", type=Number(0, 1, min_open=True, max_open=True), default=0.8, show_default=True)
@output_options("table", "markdown", "html")
def command(
    files: tuple[Given, ...],
    measure: str,
    sd: float | None,
    difference: float | None,
    queries: int | None,
    alpha: float,
    wanted: float,
    out: Output,
) -> None:
    """Plan a comparison: queries needed for a difference, or the difference that queries can find.

    The standard deviation of per-query differences is given, or taken from two runs.
    """
    from rankgauge.errors import ParameterError
    from rankgauge.reporting import Sheet
    from rankgauge.reporting.grid import Cell, Grid, Section
    from rankgauge.statistics.power import detectable, needed, power_of

    seen = None
    if files:
        qrels, runs = rankings(files)
        systems = qrels if runs is None else runs
        if not isinstance(systems, dict) or len(systems) != 2:
            raise ParameterError(
                Text(
                    "power needs judgements and two runs, or --sd: rankgauge power QRELS BASE NEW.",
                    "power 需要标注和两个结果文件，或 --sd：rankgauge power QRELS BASE NEW。",
                )
            )
        from rankgauge.comparison import compare
        from rankgauge.comparison.contrast import paired_spread

        compared = compare(qrels, runs, [measure], permutations=100)
        say_of_input(compared, counted=True)
        contrast = compared[measure]
        seen = contrast
        if contrast.unchanged or contrast.n < 2:
            raise ParameterError(
                Text(
                    "power needs the spread of differences, but "
                    f"{'no query changed' if contrast.unchanged else 'only one query counts'} in {measure}. Pass --sd.",
                    f"power 需要差异的离散程度，但 {measure} "
                    f"{'没有任何查询发生变化' if contrast.unchanged else '只有一个查询计入'}。请给出 --sd。",
                )
            )
        sd = paired_spread(contrast)
        queries = queries or contrast.n
    if sd is None:
        raise ParameterError(
            Text(
                "power needs --sd, the standard deviation of per-query differences, or two runs.",
                "power 需要 --sd（逐查询差异的标准差），或两个结果文件。",
            )
        )
    if difference is None and queries is None:
        raise ParameterError(Text("power needs --difference or --queries.", "power 需要 --difference 或 --queries。"))
    said: dict[str, str] = {
        Text("standard deviation of differences", "差异的标准差"): f"{sd:.4f}",
        Text("alpha, power", "显著性水平，功效"): f"{alpha:g}, {wanted:g}",
    }
    if seen is not None:
        said[Text("difference seen", "实测差异")] = Text(
            f"{seen.difference:+.4f} over {seen.n:,} queries", f"{seen.difference:+.4f}，{seen.n:,} 个查询"
        )
    if difference is not None:
        found = Text(f"queries needed to find {difference:g}", f"检出 {difference:g} 所需的查询数")
        said[found] = f"{needed(difference, sd, alpha, wanted):,}"
    if queries is not None:
        found = Text(f"difference that {queries:,} queries find", f"{queries:,} 个查询能检出的差异")
        said[found] = f"{detectable(queries, sd, alpha, wanted):.4f}"
    if difference is not None and queries is not None:
        found = Text(f"power of {queries:,} queries for {difference:g}", f"{queries:,} 个查询对 {difference:g} 的功效")
        said[found] = f"{100 * power_of(queries, difference, sd, alpha):.0f}%"
    rows = [[Cell(name, quiet=True), Cell(text, strong=True)] for name, text in said.items()]
    title = Text("Paired comparison of two systems", "两个系统的配对比较")
    answer = Section(_answer(difference, queries, sd, alpha, wanted), tone="same")
    out.show(Sheet([answer, Section(title, Grid(["", ""], rows, frozenset({0, 1})))]))


_NEARLY_SURE = 0.9995  # what would be written as 100%


def _answer(difference: float | None, queries: int | None, sd: float, alpha: float, wanted: float) -> Text:
    """What the numbers come to."""
    from math import isfinite

    from rankgauge._numbers import counted, number, percent, share, short
    from rankgauge.statistics.power import detectable, needed, power_of

    chance = percent(wanted)
    if difference is None:
        assert queries is not None
        found = number(detectable(queries, sd, alpha, wanted))
        n = counted(queries, "query", "个查询")
        return Text(
            f"{n.en} find a true difference of {found} or more with a chance of {chance} or more.",
            f"{n.zh}有不低于 {chance} 的把握检出 {found} 及以上的真实差异。",
        )
    size, least = short(difference), needed(difference, sd, alpha, wanted)
    if not isfinite(least):
        return Text(
            f"No number of queries finds a true difference of {size} with a chance of {chance}.",
            f"再多的查询也无法以 {chance} 的把握检出 {size} 的真实差异。",
        )
    asked = counted(int(least), "query", "个查询")
    if queries is None:
        return Text(
            f"It takes {asked.en} to find a true difference of {size} with a chance of {chance}.",
            f"要以 {chance} 的把握检出 {size} 的真实差异，需要 {asked.zh}。",
        )
    n, power = counted(queries, "query", "个查询"), power_of(queries, difference, sd, alpha)
    sure = Text(share(power), f"{share(power)} ") if power < _NEARLY_SURE else Text("more than 99.9%", "99.9% 以上")
    if power >= wanted:
        return Text(
            f"{n.en} are enough: they find a true difference of {size} with a chance of {sure.en}.",
            f"{n.zh}已经足够：有 {sure.zh}的把握检出 {size} 的真实差异。",
        )
    return Text(
        f"{n.en} are too few: they find a true difference of {size} with a chance of {sure.en}; "
        f"{chance} takes {asked.en}.",
        f"{n.zh}太少：只有 {sure.zh}的把握检出 {size} 的真实差异；要达到 {chance} 需要 {asked.zh}。",
    )
