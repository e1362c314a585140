"""The result of a comparison: every difference with its evidence, and a verdict for each."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from math import isclose, isnan
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from rankgauge._forked import refuse_fork
from rankgauge._numbers import counted, short
from rankgauge._plain_data import damaged, plain_of, read_value
from rankgauge._records import Asked
from rankgauge._show import show, show_all
from rankgauge._text import Text, composed, in_language
from rankgauge._version import __version__
from rankgauge.alignment import Array
from rankgauge.comparison.contrast import Contrast
from rankgauge.comparison.depths import DepthGap
from rankgauge.comparison.movement import Movement, movements
from rankgauge.comparison.pairing import change_of, paired
from rankgauge.comparison.unjudged import bounds, has_bounds, only_from_ties, only_from_unjudged
from rankgauge.data import Qrels
from rankgauge.data.run_source import RunSource
from rankgauge.errors import InputError, ParameterError, UnknownName, among
from rankgauge.evaluation.counts import judged_key
from rankgauge.evaluation.rankings.record import RankingEvaluation
from rankgauge.evaluation.record import Evaluation, plain

if TYPE_CHECKING:
    import polars as pl

__all__ = ["Comparison", "Winner"]

_DEEP = 100  # results that a reader of an uncut list might look at: unjudged ones beyond stay as they are


@dataclass(frozen=True)
class Winner:
    """Could the unjudged results change who wins?"""

    low: float
    high: float
    """The mean difference when the unjudged results are worst for the system, and when they are best for it."""
    could_change: bool
    unjudged: float
    """Share of the first results of both systems that nobody judged."""


_Winners = dict[str, dict[str, Winner]]


@dataclass(frozen=True, eq=False, repr=False)
class Comparison(Asked, kind="comparison", schema=1):
    """Systems against a baseline, measure by measure.

    `cmp.verdict("nDCG@10", "dense")` is one of better, worse, equivalent, inconclusive; `cmp["nDCG@10", "dense"]` has
    the evidence; `cmp.moved("nDCG@10", "dense")` says which queries moved, `cmp.query("q1", "dense")` how.
    """

    contrasts: Sequence[Contrast]
    baseline: str
    evaluations: Mapping[str, Evaluation]
    test: str
    correction: str
    family: int
    """How many tests were made, and corrected together: contrasts that could not be tested are none."""
    alpha: float = 0.05
    confidence_level: float = 0.95
    permutations: int = 10_000
    sliced: Sequence[Contrast] = ()
    """The same by slice, those that lose most first."""
    seeds: Mapping[str, int] = field(default_factory=dict)
    """Runs averaged per query, for systems that were given several."""
    seed_spread: Mapping[tuple[str, str], float] = field(default_factory=dict)
    """Standard deviation of the mean between the runs of a system, by measure and system."""
    pairwise: Mapping[str, Array] = field(default_factory=dict)
    """For each measure the p-values of all pairs of systems (randomised Tukey HSD), where asked for."""
    notes: Sequence[str] = ()
    depths: Sequence[DepthGap] = ()
    """Measures that read further than the lists of one of two systems go, with the numbers where both are cut alike."""
    stored_unjudged: Mapping[tuple[str, str], Sequence[int]] = field(default_factory=dict, repr=False)
    """Numbers of the queries that differ only from unjudged results, in a comparison that was read back."""
    stored_winners: Mapping[tuple[str, str], Winner] = field(default_factory=dict, repr=False)
    """What `winner` said of the first measure before the comparison was stored, by measure and system."""

    @property
    def suspicions(self) -> tuple[Any, ...]:
        """What casts doubt on the numbers of each system, the baseline included."""
        return tuple(s.of(name) for name, ev in self.evaluations.items() for s in getattr(ev, "suspicions", ()))

    # numbers

    def __repr__(self) -> str:
        measures = counted(len(self.measures), "measure", "个指标")
        told = ("<{} of {} against {}: {}>", "<{} {}，基线 {}：{}>")
        systems, baseline = show_all(self.systems), show(self.baseline)
        return str(in_language(composed(*told, type(self).__name__, systems, baseline, measures)))

    @property
    def systems(self) -> list[str]:
        """The systems that are compared with the baseline."""
        return [name for name in self.evaluations if name != self.baseline]

    @property
    def measures(self) -> list[str]:
        return list(dict.fromkeys(c.measure for c in self.contrasts))

    @property
    def query_measures(self) -> list[str]:
        """The measures that single queries have a value of; a number of the whole run is none."""
        base = self.evaluations[self.baseline]
        return [m for m in self.measures if base.column(m).measure.summary != "run"]

    def __getitem__(self, key: str | tuple[str, str]) -> Contrast:
        """`cmp["nDCG@10", "dense"]`, or `cmp["nDCG@10"]` with two systems."""
        measure, system = key if isinstance(key, tuple) else (key, None)
        if system is None:
            if len(self.systems) != 1:
                raise ParameterError(
                    Text(
                        f"several systems: say which, as in cmp[{show(measure)}, {show(self.systems[0])}].",
                        f"有多个系统：请指明是哪一个，例如 cmp[{show(measure)}, {show(self.systems[0])}]。",
                    )
                )
            system = self.systems[0]
        if system not in self.systems:
            raise UnknownName(
                Text(f"no system {show(system)}.", f"没有系统 {show(system)}。") + among(system, self.systems)
            )
        base = self.evaluations[self.baseline]
        label = base.column(measure).label if measure in base else str(measure)
        found = next((c for c in self.contrasts if (c.measure, c.system) == (label, system)), None)
        if found is None:
            raise UnknownName(
                Text(f"{measure!s} was not compared.", f"没有比较 {measure!s}。") + among(measure, self.measures)
            )
        return found

    def __iter__(self) -> Iterator[Contrast]:
        return iter(self.contrasts)

    def __len__(self) -> int:
        return len(self.contrasts)

    def verdict(self, measure: str, system: str | None = None) -> str:
        """better, worse, equivalent or inconclusive."""
        return self[measure if system is None else (measure, system)].verdict

    # where it moved

    def differences(self, measure: str, system: str | None = None) -> pl.DataFrame:
        """A Polars frame of all queries: both values, the difference, and what it could be due to."""
        import polars as pl

        c = self[measure if system is None else (measure, system)]
        base, ev = self._rankings(c.system)
        if c.measure not in self.query_measures:
            raise InputError(
                Text(
                    f"{c.measure} is a number of the whole run, and no query has a value of it to look at.",
                    f"{c.measure} 是整个 run 的数值，单个查询没有这样的值可看。",
                )
            )
        refuse_fork(Text("the table of differences", "差值表"))
        a, b = base.column(c.measure), ev.column(c.measure)
        both = a.counted & b.counted
        ties = only_from_ties(a, b)
        unjudged = self._only_unjudged(c)
        return (
            pl.DataFrame(
                {
                    "query_id": list(base.query_ids),
                    c.baseline: a.values,
                    c.system: b.values,
                    "difference": change_of(b.values, a.values),
                    "only_ties": ties,
                    "only_unjudged": unjudged,
                }
            )
            .filter(pl.Series(both))
            .sort(c.direction * pl.col("difference"), "query_id")
        )

    def moved(self, measure: str, system: str | None = None, n: int = 5) -> tuple[pl.DataFrame, pl.DataFrame]:
        """The queries that gained most and those that lost most."""
        import polars as pl

        frame = self.differences(measure, system)
        gain = self[measure if system is None else (measure, system)].direction * pl.col("difference")
        return frame.filter(gain > 0).reverse().head(n), frame.filter(gain < 0).head(n)

    def query(self, query_id: str, system: str | None = None, measure: str | None = None, depth: int = 10) -> Movement:
        """The two result lists of one query side by side: who moved where, and what it was worth."""
        return self.queries([query_id], system, measure, depth)[0]

    def queries(
        self, query_ids: Iterable[str], system: str | None = None, measure: str | None = None, depth: int = 10
    ) -> list[Movement]:
        """The same for several queries; each run is read once."""
        name = measure or (self.query_measures or self.measures)[0]
        c = self[name] if system is None else self[name, system]
        base, _ = self._rankings(c.system)
        if self.sources is None:
            raise InputError(
                Text(
                    "stored evaluations have no result lists. Compare judgements and runs to look at a query.",
                    "存储的评测没有结果列表。要查看某个查询，请比较标注和 run。",
                )
            )
        qrels, runs = self.sources
        m = base.column(c.measure).measure
        a, b = runs[c.baseline], runs[c.system]
        texts = {"documents": b.documents, "tokenizer": b.tokenizer}
        found = movements(qrels, a, b, query_ids, m, depth=depth, policy=base.policy, **texts)
        return [replace(x, measure=c.measure, run_a=c.baseline, run_b=c.system) for x in found]

    @property
    def sources(self) -> tuple[Qrels, Mapping[str, RunSource]] | None:
        """Judgements, and each run (the first of several) as given; None unless all are at hand."""
        judged = getattr(self.evaluations[self.baseline], "judged", None)
        runs = {name: getattr(ev, "source", None) for name, ev in self.evaluations.items()}
        known = {name: source for name, source in runs.items() if source is not None}
        return None if judged is None or len(known) < len(runs) else (judged, known)

    @cached_property
    def _winners(self) -> dict[tuple[str, str], Winner | None]:
        """What was asked already: looking at every list again takes its time."""
        return dict(self.stored_winners)

    def winner(self, measure: str, system: str | None = None) -> Winner | None:
        """Could unjudged results change who wins?

        None where that is not known: without the ranks (when stored, it is kept of the first measure), for measures
        without bounds, where lists are cut, condensed or tied results have no order of their own, and where queries
        count that have nothing relevant.
        """
        c = self[measure if system is None else (measure, system)]
        if (c.measure, c.system) not in self._winners:
            self._winners[c.measure, c.system] = self._winner(c)
        return self._winners[c.measure, c.system]

    def _winner(self, c: Contrast) -> Winner | None:
        base, ev = self._rankings(c.system)
        m = base.column(c.measure).measure
        pooled = base.column(c.measure).numerator is not None  # what is relevant would change what it is divided by
        if base.aligned is None or ev.aligned is None or not has_bounds(m) or pooled or not _as_aligned(base.policy):
            return None
        if base.aligned.is_of_spans:  # nothing is unjudged
            return None
        found = bounds(base.aligned, ev.aligned, m, depth=None if m.cutoff else _DEEP)
        both = base.column(c.measure).counted & ev.column(c.measure).counted
        if not both.any():
            return None
        w = base.weights[both] if base.policy.average == "weighted" else None
        unknown = np.isnan(found.low[both]) | np.isnan(found.high[both])  # nothing relevant, counted all the same
        if unknown.any() or (w is not None and not w.any()):
            return None
        low, high = (float(np.average(x[both], weights=w)) for x in (found.low, found.high))
        key = judged_key(base.counts)
        judged = [e.counts[key] for e in (base, ev) if e.counts.get(key) is not None]
        return Winner(
            low, high, bool(np.sign(low) != np.sign(high)), 1 - sum(judged) / len(judged) if judged else float("nan")
        )

    def _only_unjudged(self, c: Contrast) -> Array:
        """Queries whose difference is due to unjudged results alone, as a mask; none where the ranks are not known.

        Nor where only right answers were written down: then what is not judged is wrong, and not merely unknown.
        """
        base, ev = self._rankings(c.system)
        if base.has_only_positives or (base.aligned is not None and base.aligned.is_of_spans):
            return np.zeros(len(base.query_ids), dtype=bool)
        if base.aligned is not None and ev.aligned is not None and _as_aligned(base.policy):
            return only_from_unjudged(base.aligned, ev.aligned, base.column(c.measure).measure)
        mask = np.zeros(len(base.query_ids), dtype=bool)
        mask[list(self.stored_unjudged.get((c.measure, c.system), ()))] = True
        return mask

    def _rankings(self, system: str) -> tuple[Any, Any]:
        base, ev = self.evaluations[self.baseline], self.evaluations[system]
        if base.kind != "rankings":
            raise InputError(
                Text("rows of labels and scores have no queries to look at.", "标签与得分的数据行没有可以查看的查询。")
            )
        return base, ev

    # tables and plain data

    def sentences(self, language: str | None = None) -> list[str]:
        """The verdicts in words: `rg.sentences(comparison)`."""
        return self._sentences(language)

    def csv_rows(self) -> list[dict[str, Any]]:
        """One dict per contrast, those of slices after the others."""
        return [c.to_dict() for c in (*self.contrasts, *self.sliced)]

    def to_frame(self) -> pl.DataFrame:
        """One row per contrast."""
        import polars as pl

        return pl.DataFrame(self.csv_rows(), infer_schema_length=None)

    @cached_property
    def worst(self) -> str:
        """The verdict that matters most: worse before inconclusive before the others."""
        found = {c.verdict for c in self.contrasts}
        return next(v for v in ("worse", "inconclusive", "equivalent", "better") if v in found)

    def to_dict(self, per_query: bool = True) -> dict[str, Any]:
        """Everything as plain Python values, nothing rounded; `from_dict` reads it back.

        Without `per_query` the evaluations and all that is said of single queries are left out, and what remains
        cannot be read back.
        """
        out: dict[str, Any] = {
            "baseline": self.baseline,
            "systems": self.systems,
            "test": self.test,
            "permutations": self.permutations,
            "correction": self.correction,
            "family": self.family,
            "alpha": self.alpha,
            "confidence_level": self.confidence_level,
            "contrasts": plain_of(self.contrasts),
            "sliced": plain_of(self.sliced),
            "seeds": dict(self.seeds),
            "seed_spread": _nested({key: plain(v) for key, v in self.seed_spread.items()}),
            "pairwise": {label: [[*map(plain, row)] for row in p.tolist()] for label, p in self.pairwise.items()},
            "notes": list(self.notes),
            "depths": plain_of(self.depths),
            "suspicions": plain_of(self.suspicions),
        }
        if per_query:
            out["evaluations"] = {name: ev.to_dict() for name, ev in self.evaluations.items()}
            if self.evaluations[self.baseline].kind == "rankings":
                unjudged = {(c.measure, c.system): np.flatnonzero(self._only_unjudged(c)) for c in self.contrasts}
                out["only_unjudged"] = _nested({key: x.tolist() for key, x in unjudged.items() if len(x)})
                first = self.measures[0]  # of which tables and pages say it; of others it can take its time
                winners = {(first, system): self.winner(first, system) for system in self.systems}
                out["if_judged"] = _nested({key: plain_of(w) for key, w in winners.items() if w is not None})
        return self._stored(out)

    @property
    def _written_by(self) -> str:
        return vars(self).get("version") or self.evaluations[self.baseline].version or __version__

    @classmethod
    def _from_plain(cls, data: Any) -> Self:
        """Without result lists."""
        if "evaluations" not in data:
            raise InputError(
                Text(
                    "this comparison was stored without its evaluations and cannot be read back.",
                    "这个比较存储时没有包含评测，无法读回。",
                )
            )
        from rankgauge.evaluation.stored_shapes import StoredComparison, refuse_damaged, refuse_strangers

        refuse_damaged(data, StoredComparison)
        refuse_strangers(data)
        spread = {
            (label, name): float("nan") if v is None else v
            for label, by_system in data["seed_spread"].items()
            for name, v in by_system.items()
        }
        unjudged = data.get("only_unjudged", {})
        evaluations = {name: Evaluation.from_dict(ev) for name, ev in data["evaluations"].items()}
        base = evaluations[data["baseline"]]
        contrasts, sliced = ([_contrast(row, base) for row in data[key]] for key in ("contrasts", "sliced"))
        for x in (*contrasts, *sliced):
            _refuse_contradiction(x, base, evaluations[x.system])
        return cls(
            contrasts=contrasts,
            baseline=data["baseline"],
            evaluations=evaluations,
            test=data["test"],
            correction=data["correction"],
            family=data["family"],
            alpha=data["alpha"],
            confidence_level=data["confidence_level"],
            permutations=data["permutations"],
            sliced=sliced,
            seeds=dict(data["seeds"]),
            seed_spread=spread,
            pairwise={label: np.array(rows, dtype=np.float64) for label, rows in data["pairwise"].items()},
            notes=list(data["notes"]),
            depths=read_value(list[DepthGap], data.get("depths", []), "depths"),
            stored_unjudged={(label, s): x for label, found in unjudged.items() for s, x in found.items()},
            stored_winners={
                (label, s): w
                for label, found in read_value(_Winners, data.get("if_judged", {}), "if_judged").items()
                for s, w in found.items()
            },
        )


def _contrast(row: Mapping[str, Any], base: Evaluation) -> Contrast:
    """A stored contrast; what earlier versions did not store follows from the rest."""
    if "direction" in row:
        return Contrast.from_dict(row)
    m = base.column(row["measure"]).measure
    values = [float("nan") if row[k] is None else row[k] for k in ("mean", "mean_baseline")]
    unchanged = row["wins"] == row["losses"] == 0 and row["n"] > 0
    facts = {"gain": m.improvement(*values), "direction": m.direction, "unchanged": unchanged}
    return Contrast.from_dict({**row, **facts})


_ROUNDING = 1e-9


def _refuse_contradiction(x: Contrast, base: Evaluation, ev: Evaluation) -> None:
    """Raise an error where a stored contrast does not follow from its means, or these from its evaluations."""
    if isnan(x.difference):
        return
    place = f"contrasts: {x.measure} of {x.system}"
    if not _same(x.mean - x.mean_baseline, x.difference):
        raise damaged(place, Text("the difference is not that of the two means", "差值不是两个均值之差"))
    if (x.verdict == "better" and not x.gain > 0) or (x.verdict == "worse" and not x.gain < 0):
        raise damaged(
            place,
            Text(
                f"{show(x.verdict)} does not go with a gain of {short(x.gain)}",
                f"{show(x.verdict)} 与 {short(x.gain)} 的增益不符",
            ),
        )
    if x.direction and not _same(x.gain, x.direction * x.difference):
        raise damaged(place, Text("the gain is not that of the difference", "增益与差值不符"))
    rankings = isinstance(base, RankingEvaluation) and isinstance(ev, RankingEvaluation)
    if rankings and not x.slice and set(base.query_ids) == set(ev.query_ids):  # type: ignore[attr-defined]
        found = paired(base, ev, x.measure)  # type: ignore[arg-type]
        if not (_same(found.system, x.mean) and _same(found.baseline, x.mean_baseline)):
            raise damaged(place, Text("the means are not those of its evaluations", "均值不是其评测的均值"))


def _same(a: float, b: float) -> bool:
    return isclose(a, b, rel_tol=_ROUNDING, abs_tol=_ROUNDING)


def _as_aligned(policy: Any) -> bool:
    """Whether the lists are measured as they were aligned: not cut, not condensed, in one order."""
    return policy.ties in ("doc_id", "input") and policy.depth is None and policy.unjudged == "irrelevant"


def _nested(by_pair: Mapping[tuple[str, str], Any]) -> dict[str, dict[str, Any]]:
    """JSON has no pairs for keys: by measure, then by system."""
    out: dict[str, dict[str, Any]] = {}
    for (label, system), value in by_pair.items():
        out.setdefault(label, {})[system] = value
    return out
