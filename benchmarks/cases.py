"""What is measured. A case gives rows: us against one peer, or a figure of our own."""

from __future__ import annotations

import asyncio
import csv
import shutil
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any

import clicks
import corpora
import dashboards
import interactions
import numpy as np
import peers
from corpora import Shape
from interactions import Users
from timing import Sample, Worker, best, command, take_turns
from workers.protocol import MEASURES, PREDICTION_MEASURES, SHOWN_MEASURES

import rankgauge
from rankgauge.history.given import About
from rankgauge.history.packing import pack
from rankgauge.history.summaries import summaries_of
from rankgauge.history.writing import key_of, write_entry

PYTHON = Path(sys.executable)
OURS = "rankgauge"
ASKED = 10_000  # queries of the live retriever, and of a history
KEPT = 1_000  # evaluations in a history
TOLERANCE = 1e-6
USERS = (
    interactions.MILLION,
    interactions.MILLION_UNSORTED,
    interactions.SMALL,  # asked for by name only
    interactions.SMALL_UNSORTED,
)
USER_MEASURES = ("P@10", "R@10", "Hit@10", "AP@10", "nDCG@10", "RR@10")
MEASURES_OF_REPLAY = tuple("AP(norm=min)@10" if m == "AP@10" else m for m in USER_MEASURES)
TIED = (corpora.MILLION_TIED, corpora.MILLION_ONE_DECIMAL)
IR_MEASURES = "nDCG@10 AP RR R@100 P@10 Success@10"
TREC_EVAL = {
    "ndcg_cut.10": "ndcg_cut_10",
    "map": "map",
    "recip_rank": "recip_rank",
    "recall.100": "recall_100",
    "P.10": "P_10",
    "success.10": "success_10",
}


@dataclass(frozen=True)
class Row:
    """One line of a table. With `peer`, the figure is the ratio peer / ours, else `ours` in `unit`."""

    key: str
    what: str
    ours: float
    peer: float | None = None
    unit: str = "s"

    @property
    def figure(self) -> float:
        return self.ours if self.peer is None else self.peer / self.ours


@dataclass(frozen=True)
class Bench:
    """Where things are, and what to leave out."""

    data: Path
    peers: Path
    quick: bool = False
    only: tuple[str, ...] = ()
    """Cases such as `a` and sets such as `a.1M`; nothing means everything."""

    def wants(self, case: str, shape: Shape | Users) -> bool:
        return not self.only or case in self.only or f"{case}.{shape.name}" in self.only

    def folder(self, shape: Shape) -> Path:
        return corpora.ensure(shape, self.data)

    @property
    def peer_python(self) -> Path:
        return peers.python(self.peers)

    def what(self, shape: Shape) -> str:
        """A set in words; of one with ties, in how many of its queries they touch a judged result."""
        order = "" if shape.sorted else ", unsorted"
        ties = ""
        if shape.decimals is not None:
            share = corpora.tied_share(self.folder(shape))
            ties = f", scores of {shape.decimals} decimal{'s' * (shape.decimals > 1)} (judged in ties: {share:.0%})"
        return f"{shape.queries:,} × {shape.results:,} results{order}{ties}"


def dicts(bench: Bench) -> Iterator[Row]:
    """Dict of dicts in one process, construction included, after one warm-up call."""
    for shape in (corpora.MILLION, corpora.MILLION_UNSORTED, *TIED):
        if not bench.wants("a", shape):
            continue
        folder = bench.folder(shape)
        with ExitStack() as stack:
            tools = {OURS: Worker(PYTHON, "use_rankgauge", folder, "dicts")}
            for peer in ("pytrec_eval", "ranx", "ir_measures"):
                if peer == "ranx" and shape in TIED:  # it leaves tied results as they came
                    continue
                tools[peer] = Worker(bench.peer_python, f"use_{peer}", folder, "dicts")
            for worker in tools.values():
                stack.enter_context(worker)
            samples = take_turns(tools, rounds=5)
        yield from _against_peers(f"a.{shape.name}", bench.what(shape), samples)


def files(bench: Bench) -> Iterator[Row]:
    """The whole command from TREC files, start of the process included, and the peak memory of ours."""
    shapes = [corpora.MILLION, corpora.MILLION_UNSORTED, *TIED, corpora.ONE_RESULT]
    if not bench.quick:
        shapes.append(corpora.TEN_MILLION)
    for shape in shapes:
        if not bench.wants("b", shape):
            continue
        folder = bench.folder(shape)
        qrels, run = folder / "qrels.txt", folder / "run.txt"
        tools: dict[str, Callable[[], Sample]] = {
            OURS: partial(_rankgauge, qrels, run),
            "ir_measures": partial(_ir_measures, bench.peers / "bin" / "ir_measures", qrels, run),
        }
        if binary := shutil.which("trec_eval"):
            tools["trec_eval"] = partial(_trec_eval, Path(binary), qrels, run)
        samples = take_turns(tools, rounds=5)
        what = bench.what(shape)
        yield from _against_peers(f"b.{shape.name}", what, samples)
        peak = max(s.peak for s in samples[OURS]) / 1e6
        yield Row(f"b.{shape.name}.memory", f"{what}: peak memory", peak, unit="MB")


def frames(bench: Bench) -> Iterator[Row]:
    """Frames in one process: Polars for rankgauge, pandas for ranx, construction included."""
    folder = bench.folder(corpora.MILLION)
    with (
        Worker(PYTHON, "use_rankgauge", folder, "frames") as ours,
        Worker(bench.peer_python, "use_ranx", folder, "frames") as ranx,
    ):
        samples = take_turns({OURS: ours, "ranx": ranx}, rounds=5)
    yield from _against_peers("c.1M", bench.what(corpora.MILLION), samples)


def start(bench: Bench) -> Iterator[Row]:
    """What it costs to begin: the import over an empty interpreter, and CPU time of `rankgauge --help`."""
    samples = take_turns(
        {
            "empty": lambda: command(PYTHON, "-c", "pass"),
            "import": lambda: command(PYTHON, "-c", "import rankgauge"),
            "help": lambda: command(PYTHON.parent / OURS, "--help"),
        },
        rounds=15,
    )
    wall = {name: best(s).seconds * 1e3 for name, s in samples.items()}
    cpu = min(s.cpu for s in samples["help"]) * 1e3
    yield Row("d.import", "import rankgauge, over an empty interpreter", wall["import"] - wall["empty"], unit="ms")
    yield Row("d.help", "rankgauge --help, CPU time", cpu, unit="ms")


def predictions(bench: Bench) -> Iterator[Row]:
    """Labels and scores in float64 arrays, 10 million rows, against scikit-learn; GAUC against our own AUC."""
    for shape in (clicks.RARE, clicks.BALANCED):
        folder = clicks.ensure(shape, bench.data)
        for measure in PREDICTION_MEASURES:
            with (
                Worker(PYTHON, "use_rankgauge_predictions", folder, measure) as ours,
                Worker(bench.peer_python, "use_sklearn", folder, measure) as sklearn,
            ):
                samples = take_turns({OURS: ours, "scikit-learn": sklearn}, rounds=3)
            yield from _against_peers(f"e.{shape.name}.{measure}", f"{shape.what}: {measure}", samples)
    folder = clicks.ensure(clicks.RARE, bench.data)
    with (
        Worker(PYTHON, "use_rankgauge_predictions", folder, "AUC") as auc,
        Worker(PYTHON, "use_rankgauge_predictions", folder, "GAUC") as gauc,
    ):
        samples = take_turns({"AUC": auc, "GAUC": gauc}, rounds=5)
    times = best(samples["GAUC"]).seconds / best(samples["AUC"]).seconds
    yield Row("e.2%.GAUC", f"GAUC over {clicks.GROUPS:,} groups, in times of AUC", times, unit="×")


def significance(bench: Bench) -> Iterator[Row]:
    """A paired randomisation test with 10,000 permutations over 1,000 queries, against ranx's Fisher test."""
    with (
        Worker(PYTHON, "use_rankgauge_flips", "1") as ours,
        Worker(bench.peer_python, "use_ranx_fisher") as ranx,
    ):
        samples = take_turns({OURS: ours, "ranx": ranx}, rounds=3)
    ours_p, their_p = (best(samples[tool]).means["p"] for tool in (OURS, "ranx"))  # type: ignore[index]
    if abs(ours_p - their_p) > 0.02:  # two random samples of the same distribution
        raise SystemExit(f"significance: the tools disagree: {ours_p} and {their_p}")
    yield Row("f.1.ranx", "one difference: ranx", best(samples[OURS]).seconds, best(samples["ranx"]).seconds)
    with Worker(PYTHON, "use_rankgauge_flips", "30") as many:
        samples = take_turns({OURS: many}, rounds=3)
    yield Row("f.30", "6 measures × 5 systems at once", best(samples[OURS]).seconds * 1e3, unit="ms")


def checks(bench: Bench) -> Iterator[Row]:
    """What the looks at the input cost that go with every evaluation: the call with them, in times of it without."""
    folder = bench.folder(corpora.MILLION)
    for kind in ("dicts", "files"):
        with Worker(PYTHON, "use_rankgauge_checks", folder, kind) as both:  # which takes turns by itself
            samples = take_turns({"with": both, "without": both}, rounds=25)
        times = best(samples["with"]).seconds / best(samples["without"]).seconds
        what = f"{kind}, {bench.what(corpora.MILLION)}: with the checks, in times of without"
        yield Row(f"g.{kind}", what, times, unit="×")


def recommendations(bench: Bench) -> Iterator[Row]:
    """Recommendations for users with integer ids, in frames as the peer takes them, and the peak memory of ours."""
    pairs = {  # the peer's library of frames, its measures (AP as it divides it), rounds
        "rectools": ("pandas", USER_MEASURES, 3),
        "replay-rec": ("polars", MEASURES_OF_REPLAY, 3),
        "recommenders": ("pandas", tuple(m for m in MEASURES_OF_REPLAY if m not in ("Hit@10", "RR@10")), 1),
    }
    for users in USERS:
        if not bench.wants("h", users) or (users not in USERS[:2] and f"h.{users.name}" not in bench.only):
            continue
        file = interactions.ensure(users, bench.data)
        peak = 0
        for package, (library, measures, rounds) in pairs.items():
            script = "use_" + package.partition("-")[0]
            with (
                Worker(PYTHON, "use_rankgauge_users", file, library, *measures) as ours,
                Worker(peers.alone(bench.peers, package), script, file, *measures) as theirs,
            ):
                samples = take_turns({OURS: ours, package: theirs}, rounds=rounds)
            what = f"{users.what}, {len(measures)} measures, {library}"
            yield from _against_peers(f"h.{users.name}", what, samples)
            peak = max(peak, *(s.peak for s in samples[OURS]))
        yield Row(f"h.{users.name}.memory", f"{users.what}: peak memory", peak / 1e6, unit="MB")


def shown(bench: Bench) -> Iterator[Row]:
    """What is shown to users with integer ids, in frames: six measures beyond accuracy, and personalisation alone."""
    users = USERS[0]
    file = interactions.ensure(users, bench.data)
    with (
        Worker(PYTHON, "use_rankgauge_users", file, "pandas", *SHOWN_MEASURES) as ours,
        Worker(peers.alone(bench.peers, "rectools"), "use_rectools", file, *SHOWN_MEASURES) as theirs,
    ):
        samples = take_turns({OURS: ours, "rectools": theirs}, rounds=3)
    yield from _against_peers(f"i.{users.name}", f"{users.what}, {len(SHOWN_MEASURES)} measures", samples)
    peak = max(s.peak for s in samples[OURS])
    yield Row(f"i.{users.name}.memory", f"{users.what}: peak memory", peak / 1e6, unit="MB")
    with Worker(PYTHON, "use_rankgauge_users", file, "pandas", "Personalisation@10") as ours:
        seconds = best(take_turns({OURS: ours}, rounds=3)[OURS]).seconds
    what = f"{users.what}: Personalisation@10, every pair of users"
    yield Row(f"i.{users.name}.personalisation", what, seconds * 1e3, unit="ms")


def collecting(bench: Bench) -> Iterator[Row]:
    """What asking a live retriever costs beside the retriever: one call after the other, and 32 tasks at a time."""
    rounds = 3 if bench.quick else 7
    ids = [f"d{i}" for i in range(20)]
    queries = {str(i): f"question {i}" for i in range(ASKED)}

    def answer(query: str) -> list[str]:
        return ids

    async def answer_later(query: str) -> list[str]:
        await asyncio.sleep(0.005)
        return ids

    async def bare() -> None:
        turn = asyncio.Semaphore(32)

        async def one(query: str) -> list[str]:
            async with turn:
                return await answer_later(query)

        await asyncio.gather(*(one(query) for query in queries.values()))

    def seconds(call: Callable[[], object]) -> float:
        begun = time.perf_counter()
        call()
        return time.perf_counter() - begun

    alone = min(seconds(lambda: [answer(query) for query in queries.values()]) for _ in range(rounds))
    asked = min(seconds(lambda: rankgauge.collect(queries, answer)) for _ in range(rounds))
    what = f"{ASKED:,} queries, one after the other: over the calls themselves, a query"
    yield Row("j.overhead", what, (asked - alone) / ASKED * 1e6, unit="µs")
    loop = min(seconds(lambda: asyncio.run(bare())) for _ in range(rounds))
    tasks = min(seconds(lambda: rankgauge.collect(queries, answer_later, concurrency=32)) for _ in range(rounds))
    what = f"{ASKED:,} queries of 5 ms, 32 tasks at a time: in times of a bare semaphore loop"
    yield Row("j.tasks", what, tasks / loop, unit="×")


def history(bench: Bench) -> Iterator[Row]:
    """A history of many evaluations: what one takes, and what is read of all; 30% of values change each time."""
    n = KEPT // 10 if bench.quick else KEPT
    query_ids = [f"query-{i:05}" for i in range(ASKED)]
    first = rankgauge.evaluate({q: {"a": 1} for q in query_ids}, {q: ["x", "a"] for q in query_ids}, MEASURES)
    stored = rankgauge.RankingEvaluation.from_dict(first.to_dict())  # as from elsewhere: without lists to keep
    rng = np.random.default_rng(20)

    def later(ev: rankgauge.RankingEvaluation) -> rankgauge.RankingEvaluation:
        changed = [np.where(rng.random(ASKED) < 0.3, rng.random(ASKED), c.values) for c in ev.columns]
        return replace(ev, columns=[replace(c, values=v) for c, v in zip(ev.columns, changed, strict=True)])

    def milliseconds(call: Callable[[], object]) -> float:
        begun = time.perf_counter()
        call()
        return 1000 * (time.perf_counter() - begun)

    with TemporaryDirectory(dir=bench.data) as folder, rankgauge.History(Path(folder) / "history.db") as h:
        begun = datetime(2020, 1, 1, tzinfo=UTC)
        writes, puts = [], []
        for i in range(n):
            stored = later(stored)
            about = {"project": "p", "system": "s", "at": begun + timedelta(days=i)}
            writes.append(milliseconds(lambda ev=stored, about=about: h.add(ev, **about)))
            if i < 50:  # the same without working out the numbers of the record: what the store itself takes
                told = stored._columnar()
                named = About.of(begun + timedelta(days=i), project="q", system="s", dataset="d")
                puts.append(milliseconds(partial(_written, h, told, summaries_of(stored, told), named)))
        entry = f"{ASKED:,} queries × {len(MEASURES)} measures"
        yield Row("k.size", f"{n:,} evaluations, {entry}: the file, each", h.size() / 1e6 / (n + len(puts)), unit="MB")
        yield Row("k.write", f"one evaluation, {entry}: added", median(writes), unit="ms")
        yield Row("k.put", f"one evaluation, {entry}: added, when its numbers are known", median(puts), unit="ms")
        rounds = range(5)
        trend = median(milliseconds(lambda: h.entries(project="p")) for _ in rounds)
        yield Row("k.trend", f"{n:,} evaluations: all means with their intervals, read", trend, unit="ms")
        query = median(
            milliseconds(partial(h.query_history, query_ids[1000 * r + 77], "nDCG@10", project="p")) for r in rounds
        )
        yield Row("k.query", f"{n:,} evaluations: one query in all of them", query, unit="ms")
        keys = [e.id for e in h.entries(project="p", limit=2)]
        pair = median(milliseconds(lambda: [h.values(key, "nDCG@10") for key in keys]) for _ in rounds)
        yield Row("k.pair", "two evaluations: all values of a measure", pair, unit="ms")
        with dashboards.running(Path(h.place)) as asked:
            yield from _dashboard(bench, asked, h, stored, f"{n:,} evaluations")


def _written(h: rankgauge.History, told: dict[str, Any], summaries: list[Any], about: About) -> None:
    """What the store does with a record whose plain form and numbers are known."""
    packed = pack(told)
    with h._db.writing() as w:
        write_entry(w, key_of(packed, about), about, told, packed, summaries, {}, state="")


def _dashboard(
    bench: Bench, asked: dashboards.Asked, h: rankgauge.History, ev: rankgauge.RankingEvaluation, what: str
) -> Iterator[Row]:
    entry = h.entries(project="p", newest_first=True, limit=1)[0]
    times = dashboards.page_times(asked, "p", "s", entry.id, ev.query_ids[77], "nDCG@10")
    for name, ms in times.items():
        yield Row(f"k.ui-{name}", f"{what}: the dashboard's {name} page", ms, unit="ms")
    done, failed = dashboards.readers_beside_a_writer(asked, h, ev)
    yield Row("k.ui-failed", f"50 readers for 10 s beside a writer, {done:,} pages: failed", failed, unit="")
    first, last = dashboards.flat_memory(asked, "/", 1000 if bench.quick else 10_000)
    yield Row("k.ui-memory", "the dashboard after 10,000 requests", last, unit="MB")
    yield Row("k.ui-growth", "the dashboard, from 1,000 requests to 10,000", last / first, unit="×")


CASES: dict[str, Callable[[Bench], Iterator[Row]]] = {
    "a": dicts,
    "b": files,
    "c": frames,
    "d": start,
    "e": predictions,
    "f": significance,
    "g": checks,
    "h": recommendations,
    "i": shown,
    "j": collecting,
    "k": history,
}
WITH_SETS = ("a", "b", "h")  # cases of which some sets can be asked for: a.1M-tied


# Every figure that a target can be set for.
KEYS = {
    *(f"a.{shape}.{peer}" for shape in ("1M", "1M-unsorted") for peer in ("pytrec_eval", "ranx", "ir_measures")),
    *(f"a.{shape.name}.{peer}" for shape in TIED for peer in ("pytrec_eval", "ir_measures")),
    *(
        f"b.{shape}.{figure}"
        for shape in ("1M", "1M-unsorted", *(shape.name for shape in TIED), "80k-one-result", "10M")
        for figure in ("ir_measures", "trec_eval", "memory")
    ),
    "c.1M.ranx",
    "d.import",
    "d.help",
    *(f"e.{rate}.{measure}.scikit-learn" for rate in ("2%", "50%") for measure in PREDICTION_MEASURES),
    "e.2%.GAUC",
    "f.1.ranx",
    "f.30",
    "g.dicts",
    "g.files",
    *(f"h.{users.name}.{figure}" for users in USERS for figure in (*peers.RECOMMENDERS, "memory")),
    *(f"i.{USERS[0].name}.{figure}" for figure in ("rectools", "memory", "personalisation")),
    "j.overhead",
    "j.tasks",
    *(f"k.{figure}" for figure in ("size", "write", "put", "trend", "query", "pair")),
    *(f"k.ui-{figure}" for figure in ("overview", "trend", "query", "failed", "memory", "growth")),
}


def _against_peers(key: str, what: str, samples: Mapping[str, list[Sample]]) -> Iterator[Row]:
    check_values(what, samples)
    ours = best(samples[OURS]).seconds
    for tool, values in samples.items():
        if tool != OURS:
            yield Row(f"{key}.{tool}", f"{what}: {tool}", ours, best(values).seconds)


def check_values(what: str, samples: Mapping[str, list[Sample]]) -> None:
    """Ends the benchmark unless all tools give the same means in all rounds.

    A wrong number that is fast is worth nothing.
    """
    expected = samples[OURS][0].means
    assert expected is not None
    wrong = []
    for tool, values in samples.items():
        # trec_eval prints four decimals.
        tolerance = 0.5e-4 + TOLERANCE if tool == "trec_eval" else TOLERANCE
        for sample in values:
            assert sample.means is not None
            wrong += [
                f"  {name}: {OURS} {expected[name]!r}, {tool} {sample.means[name]!r}"
                for name in expected
                if not abs(expected[name] - sample.means[name]) <= tolerance
            ]
    if wrong:
        raise SystemExit(f"{what}: the tools disagree\n" + "\n".join(dict.fromkeys(wrong)))


def _rankgauge(qrels: Path, run: Path) -> Sample:
    options = [option for name in MEASURES for option in ("-m", name)]
    # CSV prints the means only, as the peers do, and in full precision.
    sample = command(PYTHON.parent / OURS, "evaluate", qrels, run, *options, "--csv")
    printed = {row["measure"]: row["value"] for row in csv.DictReader(sample.output.splitlines())}
    return _with_means(sample, [float(printed[name]) for name in MEASURES])


def _ir_measures(binary: Path, qrels: Path, run: Path) -> Sample:
    sample = command(binary, qrels, run, IR_MEASURES, "--places", "9")
    printed = dict(line.split("\t") for line in sample.output.splitlines())
    return _with_means(sample, [float(printed[name]) for name in IR_MEASURES.split()])


def _trec_eval(binary: Path, qrels: Path, run: Path) -> Sample:
    options = [option for name in TREC_EVAL for option in ("-m", name)]
    sample = command(binary, *options, qrels, run)
    printed = {line.split()[0]: line.split()[2] for line in sample.output.splitlines()}
    return _with_means(sample, [float(printed[name]) for name in TREC_EVAL.values()])


def _with_means(sample: Sample, means: list[float]) -> Sample:
    named = dict(zip(MEASURES, means, strict=True))
    return Sample(sample.seconds, means=named, cpu=sample.cpu, peak=sample.peak)
