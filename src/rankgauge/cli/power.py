"""`rankgauge power`: how many queries does it take?"""

from __future__ import annotations

from dataclasses import dataclass
from math import inf, isfinite

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
@output_options("table", "markdown", "html", stored=False)
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
    from rankgauge.statistics.intervals import check_alpha
    from rankgauge.statistics.power import fewest_by_signs

    check_alpha(alpha)
    seen, widest = None, inf
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
        from rankgauge.comparison.pairing import paired
        from rankgauge.evaluation.rankings.record import RankingEvaluation

        compared = compare(qrels, runs, [measure], permutations=100)
        say_of_input(compared, counted=True)
        contrast = compared[measure]
        seen = contrast
        base, new = compared.evaluations[contrast.baseline], compared.evaluations[contrast.system]
        assert isinstance(base, RankingEvaluation)
        assert isinstance(new, RankingEvaluation)
        sd = paired(base, new, contrast.measure).spread
        low, high = base.column(contrast.measure).measure.bounds
        widest = high - low
        if contrast.unchanged or contrast.n < 2 or not sd > _ROUNDING:
            why = Text("all queries changed by the same", "所有查询的变化都相同")
            if contrast.unchanged:
                why = Text("no query changed", "没有任何查询发生变化")
            elif contrast.n < 2:
                why = Text("only one query counts", "只有一个查询计入")
            raise ParameterError(
                Text(
                    f"power needs the spread of differences, but {why.en} in {measure}. Pass --sd.",
                    f"power 需要差异的离散程度，但 {measure} {why.zh}。请给出 --sd。",
                )
            )
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
    plan = _Plan(sd, alpha, wanted, fewest_by_signs(alpha), widest)
    said: dict[str, str] = {
        Text("standard deviation of differences", "差异的标准差"): _figure(sd),
        Text("alpha, power", "显著性水平，功效"): f"{alpha:g}, {wanted:g}",
    }
    if seen is not None:
        said[Text("difference seen", "实测差异")] = Text(
            f"{seen.difference:+.4f} over {seen.n:,} queries", f"{seen.difference:+.4f}，{seen.n:,} 个查询"
        )
    if difference is not None:
        found = Text(f"queries needed to find {difference:g}", f"检出 {difference:g} 所需的查询数")
        said[found] = f"{plan.needed(difference):,}"
    if queries is not None:
        found = Text(f"difference that {queries:,} queries find", f"{queries:,} 个查询能检出的差异")
        said[found] = _figure(plan.detectable(queries)) if plan.detectable(queries) <= widest else Text("none", "无")
    if difference is not None and queries is not None:
        found = Text(f"power of {queries:,} queries for {difference:g}", f"{queries:,} 个查询对 {difference:g} 的功效")
        said[found] = f"{100 * plan.power_of(queries, difference):.0f}%"
    rows = [[Cell(name, quiet=True), Cell(text, strong=True)] for name, text in said.items()]
    title = Text("Paired comparison of two systems", "两个系统的配对比较")
    answer = Section(_answer(difference, queries, plan), tone="same")
    out.show(Sheet([answer, Section(title, Grid(["", ""], rows, frozenset({0, 1})))]))


_ROUNDING = 1e-12  # a spread below it is that of equal differences, each rounded in its own way
_NEARLY_SURE = 0.9995  # what would be written as 100%


@dataclass(frozen=True)
class _Plan:
    """A comparison by the test that `rankgauge compare` makes unless told: fewer queries than `fewest` find nothing."""

    sd: float
    alpha: float
    wanted: float
    fewest: int
    widest: float

    def needed(self, difference: float) -> float:
        from rankgauge.statistics.power import needed

        return max(needed(difference, self.sd, self.alpha, self.wanted), self.fewest)

    def detectable(self, queries: int) -> float:
        from rankgauge.statistics.power import detectable

        return inf if queries < self.fewest else detectable(queries, self.sd, self.alpha, self.wanted)

    def power_of(self, queries: int, difference: float) -> float:
        from rankgauge.statistics.power import power_of

        return 0.0 if queries < self.fewest else power_of(queries, difference, self.sd, self.alpha)


def _figure(x: float) -> str:
    """With four decimals, or with its first digits where these would show nothing of it."""
    from rankgauge._numbers import is_seen, number, short

    return number(x) if is_seen(x) else short(x, 2)


def _answer(difference: float | None, queries: int | None, plan: _Plan) -> Text:
    """What the numbers come to."""
    from rankgauge._numbers import counted, percent, share, short

    chance = percent(plan.wanted)
    if queries is not None and queries < plan.fewest:
        n, least = counted(queries, "query", "个查询"), counted(plan.fewest, "query", "个查询")
        return Text(
            f"{n.en} find no difference, however large: by flips of signs no p-value is below {short(plan.alpha)} "
            f"with fewer than {least.en}.",
            f"{n.zh}再大的差异也发现不了：少于 {least.zh}时，符号翻转检验的 p 值不可能低于 {short(plan.alpha)}。",
        )
    if difference is None:
        assert queries is not None
        largest, n = plan.detectable(queries), counted(queries, "query", "个查询")
        if largest > plan.widest:
            return Text(
                f"{n.en} find no difference with a chance of {chance}: it would have to be {_figure(largest)}, "
                f"and values differ by {short(plan.widest)} at most.",
                f"{n.zh}无法以 {chance} 的把握检出任何差异：差异须达到 {_figure(largest)}，"
                f"而数值最多相差 {short(plan.widest)}。",
            )
        found, is_much = _figure(largest), largest > 1 and plan.widest > 1
        return Text(
            f"{n.en} find a true difference of {found} or more with a chance of {chance} or more"
            f"{', which measures from 0 to 1 never reach' if is_much else ''}.",
            f"{n.zh}有不低于 {chance} 的把握检出 {found} 及以上的真实差异"
            f"{'，取值在 0 到 1 之间的指标达不到这么大的差异' if is_much else ''}。",
        )
    size, enough = short(difference), plan.needed(difference)
    if not isfinite(enough):
        return Text(
            f"No number of queries finds a true difference of {size} with a chance of {chance}.",
            f"再多的查询也无法以 {chance} 的把握检出 {size} 的真实差异。",
        )
    asked = counted(int(enough), "query", "个查询")
    if queries is None:
        return Text(
            f"It takes {asked.en} to find a true difference of {size} with a chance of {chance}.",
            f"要以 {chance} 的把握检出 {size} 的真实差异，需要 {asked.zh}。",
        )
    n, power = counted(queries, "query", "个查询"), plan.power_of(queries, difference)
    sure = Text(share(power), f"{share(power)} ") if power < _NEARLY_SURE else Text("more than 99.9%", "99.9% 以上")
    if power >= plan.wanted:
        return Text(
            f"{n.en} are enough: they find a true difference of {size} with a chance of {sure.en}.",
            f"{n.zh}已经足够：有 {sure.zh}的把握检出 {size} 的真实差异。",
        )
    return Text(
        f"{n.en} are too few: they find a true difference of {size} with a chance of {sure.en}; "
        f"{chance} takes {asked.en}.",
        f"{n.zh}太少：只有 {sure.zh}的把握检出 {size} 的真实差异；要达到 {chance} 需要 {asked.zh}。",
    )
