"""What a comparison says, as sections: the verdict in a sentence, the numbers, what moved."""

from __future__ import annotations

from math import isnan

from rankgauge.comparison.contrast import Contrast
from rankgauge.comparison.movement import Movement
from rankgauge.comparison.record import Comparison
from rankgauge.report.grid import Cell, Grid, Section, count, number, p_value, share
from rankgauge.report.predictions import signed

__all__ = ["sections_of_comparison", "sections_of_movement", "sentence"]

_MOST_SLICES = 12
_TESTS = {
    "randomisation": "paired randomisation test",
    "t": "paired t test",
    "wilcoxon": "Wilcoxon signed-rank test",
    "sign": "sign test",
    "bootstrap": "paired bootstrap",
    "t by group": "paired t test over groups",
}


def sections_of_comparison(c: Comparison, digits: int = 4, moved: int = 3) -> list[Section]:
    out = [Section(title=sentence(x, c, digits)) for x in _leading(c)]
    out += [_table(c, system, digits) for system in c.systems]
    out[-1] = Section(out[-1].title, out[-1].grid, notes=[*_method(c), *c.notes])
    if c.sliced:
        out.append(_slices(c, digits))
    if c.pairwise:
        out += _pairwise(c)
    is_ranking = c.evaluations[c.baseline].kind == "rankings"
    if is_ranking and moved and not c.seeds:
        for system in c.systems:
            out.append(_moved(c, c.measures[0], system, moved, digits))
    return out


def _leading(c: Comparison) -> list[Contrast]:
    """The first measure of each system: the sentence at the top."""
    return [c[c.measures[0], system] for system in c.systems]


def sentence(x: Contrast, c: Comparison, digits: int = 4) -> str:
    """A verdict as a sentence that stands on its own."""
    low, high = x.interval
    unit = "queries" if c.evaluations[c.baseline].kind == "rankings" else "units"
    number_of = f"{x.n:,} {unit}"
    evidence = (
        f"{x.measure} {number(x.mean_baseline, digits)} → {number(x.mean, digits)}, "
        + f"difference {signed(x.difference, digits)}"
        + ("" if isnan(low) else f" ({signed(low, digits)} … {signed(high, digits)})")
        + f", {number_of}, p {p_value(x.p_corrected)}"
        + (f" corrected for {c.family}" if c.family > 1 and c.correction != "none" else "")
    )
    if x.verdict in ("better", "worse"):
        return f"{x.system} is {x.verdict} than {x.baseline}: {evidence}."
    if x.verdict == "equivalent":
        return f"{x.system} and {x.baseline} are equivalent within {x.margin:g}: {evidence}."
    more = ""
    if x.more:
        more = f" About {x.more:,} more {unit} would settle a difference of this size."
    return (
        f"It is not clear which of {x.system} and {x.baseline} is better: {evidence}.{more} "
        f"These {number_of} find differences from {number(x.detectable, digits)} on."
    )


def _table(c: Comparison, system: str, digits: int) -> Section:
    rows = []
    for x in (x for x in c.contrasts if x.system == system):
        low, high = x.interval
        record = "" if x.wins is None else f"{x.wins}/{x.ties}/{x.losses}"
        rows.append(
            [
                Cell(x.measure),
                Cell(number(x.mean_baseline, digits)),
                Cell(number(x.mean, digits), strong=x.verdict == "better"),
                Cell(signed(x.difference, digits), strong=x.verdict in ("better", "worse")),
                Cell("" if isnan(x.relative) else f"{100 * x.relative:+.1f}%", quiet=True),
                Cell("" if isnan(low) else f"{signed(low, digits)} … {signed(high, digits)}", quiet=True),
                Cell(p_value(x.p_corrected), quiet=True),
                Cell("" if isnan(x.effect) else f"{x.effect:.2f}", quiet=True),
                Cell(record, quiet=True),
                Cell(number(x.detectable, digits), quiet=True),
                Cell(x.verdict, strong=x.verdict in ("better", "worse")),
            ]
        )
    level = f"{100 * c.confidence_level:g}% interval"
    header = [
        "measure",
        c.baseline,
        system,
        "difference",
        "relative",
        level,
        "p",
        "effect",
        "+/=/-",
        "detectable",
        "verdict",
    ]
    return Section(f"{system} against {c.baseline}", Grid(header, rows, frozenset({0, 10})))


def _method(c: Comparison) -> list[str]:
    n = f", {c.permutations:,} permutations" if c.test in ("randomisation", "bootstrap") else ""
    how = f"corrected by {c.correction} over {count(c.family, 'comparison')}"
    if c.correction == "none":
        how = "not corrected"
    elif c.family == 1:
        how = "one comparison, so nothing to correct"
    out = [f"p: {_TESTS[c.test]}{n}, two-sided, {how}; verdicts at {c.alpha:g}"]
    margins = {x.measure: x.margin for x in c.contrasts if x.margin is not None}
    if margins:
        out.append("equivalent within " + ", ".join(f"{m} ±{v:g}" for m, v in margins.items()))
    out.append("intervals are not corrected; effect: mean difference over its standard deviation")
    out.append("detectable: a true difference of this size is found 4 times in 5 with these queries")
    for name, n_seeds in c.seeds.items():
        spread = ", ".join(f"{m} ±{c.seed_spread[m, name]:.4f}" for m in c.measures)
        out.append(f"{name}: mean of {n_seeds} runs per query; between runs {spread}")
    return out


def _slices(c: Comparison, digits: int) -> Section:
    rows = []
    for x in c.sliced[:_MOST_SLICES]:
        low, high = x.interval
        rows.append(
            [
                Cell(x.slice),
                Cell(x.system),
                Cell(x.measure),
                Cell(f"{x.n:,}", quiet=True),
                Cell(signed(x.difference, digits), strong=x.verdict in ("better", "worse")),
                Cell("" if isnan(low) else f"{signed(low, digits)} … {signed(high, digits)}", quiet=True),
                Cell(p_value(x.p_corrected), quiet=True),
                Cell(x.verdict),
            ]
        )
    level = f"{100 * c.confidence_level:g}% interval"
    header = ["slice", "system", "measure", "n", "difference", level, "p", "verdict"]
    shown = f"the first {_MOST_SLICES} of {len(c.sliced)}; " if len(c.sliced) > _MOST_SLICES else ""
    note = f"{shown}p corrected by {c.correction} over {count(len(c.sliced), 'comparison')}"
    return Section("By slice, the largest losses first", Grid(header, rows, frozenset({0, 1, 2, 7})), notes=[note])


def _pairwise(c: Comparison) -> list[Section]:
    names = list(c.evaluations)
    note = "randomised Tukey test: corrected for all pairs, systems shuffled inside each query"
    out = []
    for measure, table in c.pairwise.items():
        rows = []
        for i, a in enumerate(names):
            cells = [
                Cell("" if i == j else p_value(float(p)), strong=i != j and p < c.alpha) for j, p in enumerate(table[i])
            ]
            rows.append([Cell(a), *cells])
        out.append(Section(f"All pairs: {measure}", Grid(["p", *names], rows), notes=[note]))
    return out


def _moved(c: Comparison, measure: str, system: str, n: int, digits: int) -> Section:
    x = c[measure, system]
    gained, lost = c.moved(measure, system, n)
    rows = []
    for frame in (gained, lost):
        for row in frame.iter_rows(named=True):
            why = [text for key, text in (("only_ties", "ties"), ("only_unjudged", "unjudged results")) if row[key]]
            rows.append(
                [
                    Cell(row["query_id"]),
                    Cell(number(row[x.baseline], digits)),
                    Cell(number(row[system], digits)),
                    Cell(signed(row["difference"], digits), strong=True),
                    Cell(f"only from {' and '.join(why)}" if why else "", quiet=True),
                ]
            )
    notes = [f"{x.wins} better, {x.ties} the same, {x.losses} worse of {x.n:,} queries"]
    frame = c.differences(measure, system)
    moved = frame.filter(frame["difference"] != 0)
    for key, text in (("only_ties", "the order of tied scores"), ("only_unjudged", "results that nobody judged")):
        if hit := int(moved[key].sum()):
            notes.append(f"{count(hit, 'difference')} only from {text}")
    winner = c.winner(measure, system)
    if winner is not None:
        bounds = f"{signed(winner.low, digits)} … {signed(winner.high, digits)}"
        told = "could change who wins" if winner.could_change else "cannot change who wins"
        notes.append(f"{share(winner.unjudged)} of the first results unjudged: judging them {told} ({bounds})")
    header = ["query", x.baseline, system, "difference", ""]
    return Section(f"What moved most: {measure}, {system}", Grid(header, rows, frozenset({0, 4})), notes=notes)


def sections_of_movement(m: Movement, digits: int = 4) -> list[Section]:
    rows = []
    for x in m.items:
        moved = "" if not x.moved else f"{'↑' if x.moved > 0 else '↓'}{abs(x.moved)}"
        rows.append(
            [
                Cell(x.item_id),
                Cell("not judged" if x.grade is None else f"{x.grade:g}"),
                Cell("–" if x.rank_a is None else str(x.rank_a)),
                Cell("–" if x.rank_b is None else str(x.rank_b)),
                Cell(moved),
                Cell("" if not x.change else signed(x.change, digits), strong=bool(x.change)),
            ]
        )
    header = ["item", "grade", m.run_a, m.run_b, "moved", "worth"]
    title = f"{m.query_id}: {m.measure} {number(m.value_a, digits)} → {number(m.value_b, digits)}"
    notes = [m.note] if m.note else []
    if m.missed:
        notes.append(f"{count(m.missed, 'relevant item')} in neither list")
    return [Section(title, Grid(header, rows), notes=notes)]
