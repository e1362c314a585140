"""Nothing that is said of a result is false.

Thousands of small and extreme inputs go through everything that speaks: printed records, verdict sentences, gate
decisions, the first screen of the page, findings. Each claim is computed naively from the input; no two claims of one
output may contradict each other; no text may hold a number that its claims or the record do not hold. Both languages.
"""

from __future__ import annotations

import contextlib
import math
import random
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import pytest

import rankgauge as rg
from rankgauge._claims import CLAIMS, Claim, Statement, claimed, claims_of, phrase
from rankgauge._text import LANGUAGES, Text, in_language
from rankgauge.errors import InputError
from rankgauge.gate.checks import at_least, at_most, not_worse
from rankgauge.gate.result import GateResult
from rankgauge.reporting import render, sections
from rankgauge.reporting.page.gathering import gather
from rankgauge.reporting.page.screens.verdict import screen

from .claims import Inputs
from .naive_predictions import Rows
from .verdict_claims import CHECKERS, Rule, Ruled, contradictions, holds

MEASURES = ("nDCG@5", "RR", "P@3", "R@5", "AP", "Hit@3", "nDCG@10", "RR@3", "R@2")
SCENARIOS = (None, "faq", "ranking", "document_qa")
MODELS = ("AUC", "LogLoss", "Brier", "COPC")
QUICK, LONG = 36, 2000  # seeds: each is several runs, a comparison, pages and sentences in both languages


# inputs


def queries(rng: random.Random) -> int:
    return rng.choice([1, 1, 2, 2, 3, 5, 8, 12, 30])


def a_list(rng: random.Random, length: int | None = None) -> list[str]:
    n = rng.randint(1, 8) if length is None else length
    return rng.sample([f"d{i}" for i in range(10)], n)


def judged(rng: random.Random, n: int, top: int = 1) -> dict[str, dict[str, int]]:
    """Each query with something relevant, and something judged that is not."""
    out = {}
    for i in range(n):
        docs = a_list(rng, rng.randint(2, 5))
        out[f"q{i}"] = {docs[0]: rng.randint(1, top), **{d: rng.randint(0, top) for d in docs[1:]}}
    return out


def scored(rng: random.Random, qrels: Mapping[str, Any], digits: int = 3) -> dict[str, dict[str, float]]:
    return {q: {d: round(rng.random(), digits) for d in a_list(rng)} for q in qrels}


Runs = tuple[dict[str, dict[str, int]], dict[str, Any]]
SHAPES: dict[str, Callable[[random.Random], Runs]] = {}


def shape(make: Callable[[random.Random], Runs]) -> Callable[[random.Random], Runs]:
    SHAPES[make.__name__] = make
    return make


def _three(rng: random.Random, qrels: dict[str, dict[str, int]], *runs: Any) -> Runs:
    return qrels, dict(zip(("old", "new", "other"), runs, strict=False))


@shape
def ordinary(rng: random.Random) -> Runs:
    qrels = judged(rng, queries(rng), rng.choice([1, 1, 3]))
    return _three(rng, qrels, *(scored(rng, qrels) for _ in range(rng.randint(2, 3))))


@shape
def one_query(rng: random.Random) -> Runs:
    qrels = judged(rng, 1)
    return _three(rng, qrels, scored(rng, qrels), scored(rng, qrels))


@shape
def perfect(rng: random.Random) -> Runs:
    qrels = judged(rng, queries(rng), 2)
    best = {q: sorted(x, key=lambda d: -x[d]) for q, x in qrels.items()}
    return _three(rng, qrels, scored(rng, qrels), best, best)


@shape
def identical(rng: random.Random) -> Runs:
    qrels = judged(rng, queries(rng))
    run = scored(rng, qrels)
    return _three(rng, qrels, run, {q: dict(x) for q, x in run.items()}, scored(rng, qrels))


@shape
def empty(rng: random.Random) -> Runs:
    qrels = judged(rng, queries(rng))
    return _three(rng, qrels, scored(rng, qrels), {q: {} if rng.random() < 0.7 else {"d0": 1.0} for q in qrels})


@shape
def constant(rng: random.Random) -> Runs:
    qrels = judged(rng, min(queries(rng), 5))
    flat = {q: dict.fromkeys(a_list(rng, rng.randint(2, 5)), 1.0) for q in qrels}
    return _three(rng, qrels, flat, scored(rng, qrels))


@shape
def heavy_ties(rng: random.Random) -> Runs:
    qrels = judged(rng, min(queries(rng), 8))
    run = {q: {d: float(rng.randint(0, 2)) for d in a_list(rng, rng.randint(1, 6))} for q in qrels}
    return _three(rng, qrels, run, {q: {d: float(rng.randint(0, 1)) for d in list(x)[:5]} for q, x in run.items()})


@shape
def all_unjudged(rng: random.Random) -> Runs:
    qrels = judged(rng, queries(rng))
    return _three(rng, qrels, {q: [f"x{i}" for i in range(rng.randint(1, 6))] for q in qrels}, scored(rng, qrels))


@shape
def missing_queries(rng: random.Random) -> Runs:
    qrels = judged(rng, max(queries(rng), 2))
    some = {q: x for i, (q, x) in enumerate(scored(rng, qrels).items()) if i == 0 or rng.random() < 0.6}
    return _three(rng, qrels, scored(rng, qrels), {**some, "stray": {"d1": 1.0}})


@shape
def not_numbers(rng: random.Random) -> Runs:
    qrels = judged(rng, queries(rng))
    run = {
        q: {d: math.nan if i == 0 and len(x) > 1 else s for i, (d, s) in enumerate(x.items())}
        for q, x in scored(rng, qrels).items()
    }
    return _three(rng, qrels, scored(rng, qrels), run)


@shape
def hardly_relevant(rng: random.Random) -> Runs:
    """Some or all queries have nothing relevant."""
    qrels = judged(rng, queries(rng))
    bare = {q: dict.fromkeys(x, 0) if rng.random() < 0.7 else x for q, x in qrels.items()}
    return _three(rng, bare, scored(rng, qrels), scored(rng, qrels))


@shape
def steady(rng: random.Random) -> Runs:
    """All queries change by the same."""
    n = queries(rng)
    qrels = {f"q{i}": {"d0": 1} for i in range(n)}
    old, new = (["d1", "d0"], ["d0", "d1"]) if rng.random() < 0.5 else (["d0"], ["d2", "d1", "d0"])
    return _three(rng, qrels, dict.fromkeys(qrels, old), dict.fromkeys(qrels, new))


@shape
def cut_short(rng: random.Random) -> Runs:
    """Lists of one end where those of the other go on; sometimes the same lists."""
    qrels = judged(rng, queries(rng), rng.choice([1, 2]))
    deep = {q: a_list(rng, 10) for q in qrels}
    same = rng.random() < 0.5
    end = rng.randint(1, 4)
    short = {q: (items if same else a_list(rng, 10))[:end] for q, items in deep.items()}
    return _three(rng, qrels, deep, short) if rng.random() < 0.7 else _three(rng, qrels, short, deep)


@shape
def only_right_answers(rng: random.Random) -> Runs:
    qrels = {f"q{i}": dict.fromkeys(a_list(rng, rng.randint(1, 2)), 1) for i in range(queries(rng))}
    return _three(rng, qrels, scored(rng, qrels), scored(rng, qrels))


@shape
def mostly_unjudged(rng: random.Random) -> Runs:
    """One finds what nobody judged, and stands the judged items behind it."""
    qrels = judged(rng, queries(rng))
    new = {q: [*(f"x{i}" for i in range(rng.randint(2, 5))), *a_list(rng, rng.randint(1, 3))] for q in qrels}
    return _three(rng, qrels, scored(rng, qrels), new)


@shape
def mostly_missing(rng: random.Random) -> Runs:
    qrels = judged(rng, max(queries(rng), 3))
    few = dict(list(scored(rng, qrels).items())[: len(qrels) // 3])
    return (
        _three(rng, qrels, scored(rng, qrels), few)
        if rng.random() < 0.5
        else _three(rng, qrels, few, scored(rng, qrels))
    )


def inputs_of(seed: int) -> tuple[str, Inputs]:
    rng = random.Random(seed)
    name = list(SHAPES)[seed % len(SHAPES)]
    qrels, runs = SHAPES[name](rng)
    measures = rng.sample(MEASURES, rng.randint(1, 3))
    return name, Inputs(qrels=qrels, runs=runs, measures=measures)


def rows_of(seed: int) -> Inputs:
    rng = random.Random(seed)
    n = rng.choice([1, 2, 3, 10, 40])
    kind = ("ordinary", "one class", "perfect", "constant", "identical", "extreme")[seed % 6]
    label = [rng.randint(0, 1) for _ in range(n)]
    if kind == "one class":
        label = [rng.randint(0, 1)] * n
    models = {}
    for model in ("old", "new"):
        score = [round(min(max(0.5 * y + 0.6 * rng.random(), 0.01), 0.99), 3) for y in label]
        score = {"perfect": [0.9 * y + 0.05 for y in label], "constant": [0.3] * n}.get(kind, score)
        if kind == "extreme":
            score = [float(rng.randint(0, 1)) for _ in label]
        models[model] = score if kind != "identical" or model == "old" else list(models["old"])
    measures = rng.sample(MODELS, rng.randint(1, 3))
    return Inputs(rows={m: Rows(label, s) for m, s in models.items()}, measures=measures)


# what is said


@dataclass
class Said:
    """Everything that one output says: sentences that claim their numbers, all claims, and notes of the record."""

    texts: list[str]
    claims: list[Claim]
    notes: list[str] = field(default_factory=list)

    def __add__(self, other: Said) -> Said:
        return Said([*self.texts, *other.texts], [*self.claims, *other.claims], [*self.notes, *other.notes])


def said(texts: Iterable[str]) -> Said:
    found = [t for t in texts if t]
    return Said(found, [c for t in found for c in claims_of(t)])


def of_sections(record: Any) -> Said:
    found = sections(record)
    notes = [t for s in found for t in (*s.warnings, *s.notes)]
    return said(s.title for s in found) + Said([], [c for t in notes for c in claims_of(t)], notes)


def of_page(record: Any, scenario: str | None = None) -> Said:
    """The first screen: headline, lines, cards, facts, actions, findings."""
    story = gather(record, language="en", title=None, scenario=scenario)
    shown = screen(story)
    if shown is None:
        return Said([], [])
    lines = [shown["head"].text, *(x.text for x in shown["lines"]), *(f.text for f in shown["facts"])]
    out = said([*lines, *shown["limits"]]) + Said([], [c for card in shown["cards"] for c in card.claims])
    findings = story.findings
    for f in [] if findings is None else findings.all:
        out += Said(
            [Statement(in_language(t, "en"), in_language(t, "zh"), f.claims) for t in (f.title, f.seen)], list(f.claims)
        )
    return out


# checks

_NAMES = re.compile(r"[A-Za-z]+(?:\([^()]*\))?@\d+|\b[qdx]\d+\b|\(\d{3}\)")  # measures, ids, documents that are cited
_NUMBER = re.compile(r"(?<![\w.])<?[-+]?\d[\d,]*(?:\.\d+)?(?:e-?\d+)?%?")
_CONSTANTS = {95.0, 90.0}  # levels


def numbers_in(text: str) -> Iterator[str]:
    yield from (token.rstrip(",") for token in _NUMBER.findall(_NAMES.sub(" ", text)))


def is_held(token: str, held: Iterable[float]) -> bool:
    """Whether a number that is shown is one of those, as it would be rounded."""
    if token.startswith("<0"):
        return any(abs(v) < float(token[1:]) for v in held)
    plain = token.lstrip("<").rstrip("%").replace(",", "")
    shown, digits = float(plain), len(plain.partition(".")[2])
    scale = 100 if token.endswith("%") else 1
    slack = 0.5 * 10**-digits * (1 + 1e-6) + 1e-9
    return shown in _CONSTANTS or any(abs(abs(shown) - abs(scale * v)) <= slack for v in held)


def numeric(found: Iterable[Any]) -> list[float]:
    return [float(v) for v in found if isinstance(v, (int, float)) and not isinstance(v, bool) and math.isfinite(v)]


_BROKEN = re.compile(r"\b[nN][aA][nN]\b|\binf\b|\bNone\b|[{}]|∞")


def broken(text: str) -> bool:
    return _BROKEN.search(text.replace("not a number", "").replace("（NaN）", "")) is not None


def faults(out: Said, x: Inputs) -> list[str]:
    """Everything that is wrong with an output."""
    wrong = [f"false: {c}" for c in dict.fromkeys(out.claims) if not holds(c, x)]
    wrong += [f"contradiction: {a} / {b}" for a, b in contradictions(out.claims)]
    for text in [*out.texts, *out.notes]:
        words = [in_language(text, language) for language in LANGUAGES]
        wrong += [f"broken: {w}" for w in words if broken(w)]
        en, zh = (sorted(t.lstrip("+-") for t in numbers_in(w)) for w in words)
        if en != zh:
            wrong.append(f"other numbers in Chinese: {words}")
    for text in out.texts:
        held = numeric(c.value for c in claims_of(text))
        wrong += [
            f"number {t} of no claim: {text}" for t in numbers_in(in_language(text, "en")) if not is_held(t, held)
        ]
    return wrong


def flattened(value: Any) -> Iterator[float]:
    if isinstance(value, Mapping):
        yield len(value)
        for v in value.values():
            yield from flattened(v)
    elif isinstance(value, (list, tuple)):
        yield len(value)
        for v in value:
            yield from flattened(v)
    elif isinstance(value, (int, float)) and not isinstance(value, bool):
        yield value


def held_by(record: Any) -> list[float]:
    """Every number of a record, what a table shows of two of them, and how many signs its differences can have."""
    found = numeric(flattened(record.to_dict()))
    for c in getattr(record, "contrasts", ()):
        found += numeric([c.relative, c.effect, c.detectable])
        found += [] if c.wins is None else [2 ** (c.wins + c.losses)]
    return found


def printed_faults(record: Any, extra: Iterable[float] = ()) -> list[str]:
    """The whole printed text in both languages: no number that the record does not hold."""
    wrong = []
    held = [*held_by(record), *extra]
    for language in LANGUAGES:
        text = render(record, "text", language)
        if broken(text):
            wrong.append(f"broken: {text}")
        wrong += [f"number {t} not in the record:\n{text}" for t in numbers_in(text) if not is_held(t, held)]
    return wrong


# the oracle


def compared(x: Inputs) -> Any:
    return rg.compare(x.qrels, x.runs, list(x.measures), permutations=10_000)


def check_rankings(seed: int) -> list[str]:
    name, x = inputs_of(seed)
    scenario = SCENARIOS[seed % len(SCENARIOS)]
    runs = dict(x.runs)
    wrong = []
    for run in runs:
        ev = (
            rg.evaluate(x.qrels, {run: runs[run]}, list(x.measures))[run]
            if seed % 2
            else rg.evaluate(x.qrels, runs, list(x.measures))[run]
        )
        wrong += faults(of_sections(ev), x) + faults(of_page(ev, scenario), x)
    try:
        c = compared(x)
    except InputError as e:
        return [*wrong, *([f"broken: {e}"] if broken(str(e)) else [])]
    wrong += faults(of_sections(c), x) + faults(of_page(c, scenario), x)
    for language in LANGUAGES:
        wrong += faults(said(rg.sentences(c, language)), x)
    return [f"{name} {seed}: {w}" for w in wrong]


def check_printed(seed: int) -> list[str]:
    name, x = inputs_of(seed)
    evs = rg.evaluate(x.qrels, dict(x.runs), list(x.measures))
    records = [*evs.values(), evs]
    widths = [c.tie_width for ev in evs.values() for c in ev.columns]
    halves = [(i.high - i.low) / 2 for ev in evs.values() for c in ev.columns if (i := ev.interval(c.label))]
    with contextlib.suppress(InputError):
        records.append(compared(x))
    return [f"{name} {seed}: {w}" for r in records for w in printed_faults(r, [*widths, *numeric(halves), *_extra(r)])]


def _extra(record: Any) -> list[float]:
    """What is printed of a record and is a function of it: who wins if all were judged."""
    out = [0.05, 10_000, 4, 5, 100]
    for ev in getattr(record, "evaluations", {}).values():  # what is not judged is the rest of what is
        shares = {k: v for k, v in ev.counts.items() if k.startswith("judged@") and v is not None}
        out += [x for k, v in shares.items() for x in (1 - v, float(k.removeprefix("judged@")))]
    for x in getattr(record, "contrasts", ()):
        winner = record.winner(x.measure, x.system)
        out += [] if winner is None else numeric([winner.low, winner.high, winner.unjudged])
        frame = record.differences(x.measure, x.system)
        out += [float(frame[k].sum()) for k in ("only_ties", "only_unjudged")]
        out += numeric(frame["difference"].to_list())
    return out


def gated(seed: int) -> tuple[Ruled, GateResult] | None:
    _, x = inputs_of(seed)
    rng = random.Random(seed)
    runs = dict(list(x.runs.items())[:2])
    evs = rg.evaluate(x.qrels, runs, list(x.measures), confidence_level=0.9)
    old, new = evs.values()
    rules = [Rule("floor", x.measures[0], rng.choice([0.1, 0.5, 0.9]))]
    rules += [Rule("non_inferior", m, rng.choice([0.0, 0.01, 0.2])) for m in x.measures]
    rules.append(Rule("ceiling", "missing_queries", 0))
    try:
        checks = [
            at_least(new, r.name, r.limit)
            if r.kind == "floor"
            else not_worse(new, old, r.name, r.limit)
            if r.kind == "non_inferior"
            else at_most(new, r.name, int(r.limit))
            for r in rules
        ]
    except InputError:
        return None
    result = GateResult(checks=checks, evaluation=new, baseline=old)
    doubted = {"suspicious": 1.0} if any(s.severity == "error" for ev in evs.values() for s in ev.suspicions) else {}
    ruled = Ruled(x.qrels, runs, measures=x.measures, rules=rules, confidence_level=0.9, given=doubted)
    return ruled, result


def of_cells(record: Any) -> Said:
    """Sentences that stand in tables, each with its claims."""
    return said(c.text for s in sections(record) if s.grid for row in s.grid.rows for c in row if claims_of(c.text))


def check_ratings(seed: int) -> list[str]:
    name, x = inputs_of(seed)
    evs = rg.evaluate(x.qrels, dict(x.runs), list(x.measures))
    wrong = []
    for subject in (evs, *evs.values()):
        found = rg.rate(subject, scenario=SCENARIOS[seed % len(SCENARIOS)])
        held = [v for row in found for v in (row.value, *row.interval, row.ceiling, *(a.figure for a in row.asked))]
        wrong += faults(of_sections(found), x) + faults(of_cells(found), x) + printed_faults(found, numeric(held))
    return [f"{name} {seed}: {w}" for w in wrong]


def check_rated_models(seed: int) -> list[str]:
    x = rows_of(seed)
    table = {"label": list(x.rows["old"].label), **{m: list(r.score) for m, r in x.rows.items()}}
    try:
        evs = rg.evaluate_predictions(table, list(x.measures), label="label", scores=list(x.rows))
    except InputError:
        return []
    found = rg.rate(evs, scenario="ctr")
    return [f"models {seed}: {w}" for w in faults(of_sections(found), x) + faults(of_cells(found), x)]


def check_gates(seed: int) -> list[str]:
    found = gated(seed)
    if found is None:
        return []
    x, result = found
    messages = said([result.decision, *(c.message for c in result.checks)])
    wrong = faults(messages, x)
    page = of_page(result, SCENARIOS[seed % len(SCENARIOS)])
    # the page compares at 95%, the gate evaluates at 90%
    at_95 = [c for c in page.claims if c.what.startswith("difference ") and c.level is None]
    wrong += [f"false: {c}" for c in at_95 if not holds(c, replace(x, confidence_level=0.95))]
    wrong += faults(Said(page.texts, [c for c in page.claims if c not in at_95]), x)
    return [f"gate {seed}: {w}" for w in wrong]


def check_models(seed: int) -> list[str]:
    x = rows_of(seed)
    table = {"label": list(x.rows["old"].label), **{m: list(r.score) for m, r in x.rows.items()}}
    try:
        evs = rg.evaluate_predictions(table, list(x.measures), label="label", scores=list(x.rows))
    except InputError as e:
        return [f"broken: {e}"] if broken(str(e)) else []
    wrong = []
    for ev in evs.values():
        wrong += faults(of_page(ev), x)
    try:
        c = rg.compare(dict(evs))
    except InputError as e:
        return [*wrong, *([f"broken: {e}"] if broken(str(e)) else [])]
    wrong += faults(of_sections(c), x) + faults(of_page(c), x)
    for language in LANGUAGES:
        wrong += faults(said(rg.sentences(c, language)), x)
    return [f"models {seed}: {w}" for w in wrong]


def check_funnels(seed: int) -> list[str]:
    """The runs as stages, one after the other."""
    name, x = inputs_of(seed)
    k = 1 + seed % 4
    x = replace(x, given={"k": k, "rel": 1.0})
    try:
        f = rg.funnel(x.qrels, dict(x.runs), k=k)
    except InputError as e:
        return [f"broken: {e}"] if broken(str(e)) else []
    return [f"{name} {seed}: {w}" for w in faults(of_sections(f), x) + faults(of_page(f), x)]


def check_channels(seed: int) -> list[str]:
    """The runs as channels."""
    name, x = inputs_of(seed)
    k = 1 + seed % 5
    x = replace(x, given={"channel k": k})
    try:
        found = rg.channels(x.qrels, dict(x.runs), k=k)
    except InputError as e:
        return [f"broken: {e}"] if broken(str(e)) else []
    return [
        f"{name} {seed}: {w}" for w in faults(of_sections(found), x) + printed_faults(found, _of_channels(found, k))
    ]


def _of_channels(found: Any, k: int) -> list[float]:
    """What is shown and is no number of the record: how many channels found an item, the steps, what notes claim."""
    notes = numeric(c.value for note in found.notes for c in claims_of(note))
    return [k, *range(len(found.channels) + 1), found.n_queries, *notes]


def check_answers(seed: int) -> list[str]:
    """Answers that somebody judged, beside the first run: all right, all wrong, some missing, some unknown."""
    name, x = inputs_of(seed)
    rng = random.Random(seed)
    k, system = 1 + seed % 4, next(iter(x.runs))
    asked = [q for q in x.qrels if rng.random() < 0.9] + ["nobody asked"] * (seed % 3 == 0)
    right = rng.choice([0.0, 0.2, 0.5, 0.9, 1.0])
    answers = {q: None if rng.random() < 0.05 else rng.random() < right for q in asked}
    least = rng.choice([None, None, 0.5, 1.0])
    given = {"answers k": k} | ({} if least is None else {"at_least": least})
    x = replace(x, runs={system: x.runs[system]}, given=given, answers=answers)
    ev = rg.evaluate(x.qrels, x.runs[system], list(x.measures))
    asked, x = (
        x,
        replace(x, measures=[f"Hit@{k}", f"R@{k}"] if least is None else [f"R@{k}"]),
    )  # counts are of these, suspicions of what was asked
    try:
        how: dict[str, Any] = {"k": k} if least is None else {"retrieved": f"R@{k}", "at_least": least}
        found = rg.answers(replace(ev, run=system), answers, **how)
    except InputError as e:
        return [f"broken: {e}"] if broken(str(e)) else []
    shares = [found[cell] for cell in ("fine", "lucky", "generation", "retrieval")]
    shares += [found.accuracy, found.retrieved, found.wrong_without_gold, found.if_retrieved, found.if_not]
    shares += [level.right for level in found.levels]
    held = [v for s in shares for v in (s.value, *s.interval, s.n, s.of)]
    held += [1 - v for v in (found.wrong_without_gold.value, *found.wrong_without_gold.interval)]  # those with gold
    held += [100 * found.lift, *(100 * end for end in found.lift_interval), k, 0, found.n, least]
    held += [c.value for note in found.notes for c in claims_of(note)]
    held += [c.value for s in sections(found) for t in (s.title, *s.warnings) for c in claims_of(t)]
    out = of_sections(found)
    suspected = [c for c in out.claims if c.what in ("suspicion", "evidence")]
    wrong = [f"false: {c}" for c in suspected if not holds(c, asked)]
    wrong += faults(replace(out, claims=[c for c in out.claims if c not in suspected]), x)
    return [f"{name} {seed}: {w}" for w in wrong + printed_faults(found, numeric(held))]


def check_tradeoffs(seed: int) -> list[str]:
    """All measures of all systems against each other."""
    name, x = inputs_of(seed)
    if len(x.measures) < 2:
        return []
    x = replace(x, given={"alpha": 0.05})
    try:
        found = rg.evaluate(x.qrels, dict(x.runs), list(x.measures)).tradeoff()
    except InputError as e:
        return [f"broken: {e}"] if broken(str(e)) else []
    claimed_in_cells = [
        c for s in sections(found) if s.grid for row in s.grid.rows for cell in row for c in claims_of(cell.text)
    ]
    out = of_sections(found) + Said([], claimed_in_cells)
    return [f"{name} {seed}: {w}" for w in faults(out, x)]


def check_pages(seed: int) -> list[str]:
    """Whole pages: nothing that was meant for a machine stands in the text."""
    name, x = inputs_of(seed)
    evs = rg.evaluate(x.qrels, dict(x.runs), list(x.measures))
    page = re.sub(
        r"<(script|style)\b.*?</\1>", " ", rg.report(evs, scenario=SCENARIOS[seed % len(SCENARIOS)]), flags=re.S
    )
    texts = re.findall(r">([^<>]+)<", page)
    return [f"{name} {seed}: broken: {t}" for t in texts if broken(t)]


CHECKS = {
    "rankings": check_rankings,
    "printed": check_printed,
    "ratings": check_ratings,
    "rated models": check_rated_models,
    "gates": check_gates,
    "models": check_models,
    "funnels": check_funnels,
    "channels": check_channels,
    "answers": check_answers,
    "tradeoffs": check_tradeoffs,
    "pages": check_pages,
}
SHARE = {"pages": 4}  # whole pages take longer: one in so many


def wrong_of(kind: str, seeds: range) -> list[str]:
    return [w for seed in seeds[:: SHARE.get(kind, 1)] for w in CHECKS[kind](seed)]


@pytest.mark.parametrize("kind", CHECKS)
def test_nothing_that_is_said_is_false(kind: str):
    assert wrong_of(kind, range(QUICK))[:5] == []


@pytest.mark.long("searches for a false sentence, thousands of inputs each")
@pytest.mark.parametrize("kind", CHECKS)
def test_nothing_that_is_said_of_thousands_of_inputs_is_false(kind: str):
    assert wrong_of(kind, range(QUICK, QUICK + LONG))[:5] == []


def test_every_word_of_the_vocabulary_has_its_checker():
    assert set(CLAIMS) - set(CHECKERS) == set()


# the oracle itself: each kind of falsehood is seen

TRUE = Inputs(
    qrels={"q0": {"d0": 1}, "q1": {"d0": 1}},
    runs={"old": {"q0": ["d1", "d0"], "q1": ["d1", "d0"]}, "new": {"q0": ["d0"], "q1": ["d0"]}},
    measures=["RR"],
)
ABOUT = ("RR", "new", "old")
PLANTED = {
    "a mean that is another": claimed("0.9", "mean", 0.9, "RR", "new"),
    "a verdict that two queries do not give": Statement("better", "更好", [Claim("verdict", "better", *ABOUT)]),
    "a number that is not claimed": phrase("{} of 7", "7 中的 {}", claimed("2", "n", 2, *ABOUT)),
    "a mean under another number": claimed("0.8", "mean", 1.0, "RR", "new"),
    "a number that is not one": phrase("{} (nan … nan)", "{}（nan … nan）", claimed("1.0", "mean", 1.0, "RR", "new")),
    "another number in Chinese": Statement("2 queries", "3 个查询", [Claim("n", 2, *ABOUT)]),
    "a difference of the other sign": claimed("-0.5", "difference", -0.5, *ABOUT),
    "a placeholder": Text("{n} queries", "{n} 个查询"),
}


@pytest.mark.parametrize("planted", PLANTED.values(), ids=list(PLANTED))
def test_a_planted_falsehood_is_found(planted: str):
    assert faults(said([planted]), TRUE)


def test_what_is_so_is_let_pass():
    n, gain = claimed("2", "n", 2, *ABOUT), claimed("+0.5", "difference", 0.5, *ABOUT)

    assert faults(said([phrase("{} over {} queries", "{1} 个查询 {0}", gain, n)]), TRUE) == []


def test_two_statements_that_contradict_each_other_are_found():
    better, worse = (Claim("verdict", word, *ABOUT) for word in ("better", "worse"))

    assert contradictions([better, better]) == []
    assert contradictions([better, worse]) == [(better, worse)]
    assert contradictions([Claim("below", 0.4, "RR", "new"), Claim("mean", 0.5, "RR", "new")])
