"""trec_eval's printed output, and what is needed to print it again.

`GOLDEN` lists the output files that come with the test suite of trec_eval and with DL-HARD, with their inputs
and flags. `read_output` parses such a file, `load` builds the queries, `parse_name` turns a printed name like
`iprec_at_recall_0.10` into a function of `naive` and its parameters, `value` and `summary` give the numbers.
"""

import gzip
import inspect
import struct
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from . import naive
from .naive import Query

CUTOFFS = (5, 10, 15, 20, 30, 100, 200, 500, 1000)
TENTHS = tuple(f"{i / 10:.2f}" for i in range(11))
FIFTHS = tuple(f"{i / 5:.2f}" for i in range(1, 11))


def at(name: str, cutoffs: tuple[Any, ...] = CUTOFFS) -> tuple[str, ...]:
    return tuple(f"{name}_{cutoff}" for cutoff in cutoffs)


COUNTS = ("num_ret", "num_rel", "num_rel_ret", "num_nonrel_judged_ret")
SUMMARY_ONLY = ("runid", "num_q", "gm_map", "gm_bpref")

OFFICIAL = (
    *("runid", "num_q", "num_ret", "num_rel", "num_rel_ret", "map", "gm_map", "Rprec", "bpref", "recip_rank"),
    *(*at("iprec_at_recall", TENTHS), *at("P")),
)
ALL_TREC_9 = (
    *(*OFFICIAL, "relstring", *at("recall"), "infAP", "gm_bpref", *at("Rprec_mult", FIFTHS), "utility"),
    *("11pt_avg", "binG", "G", "ndcg", "ndcg_rel", "Rndcg", *at("ndcg_cut"), *at("map_cut")),
    *(*at("relative_P"), *at("success", (1, 5, 10)), "set_P", "set_relative_P", "set_recall", "set_map"),
    *("set_F", "num_nonrel_judged_ret"),
)
ALL_TREC = (*ALL_TREC_9, "rbp", "rbp_resid", *at("unj", (5, 10, 20)))
QRELS_JG = ("runid", "num_q", "map_avgjg", *at("P_avgjg"), *at("Rprec_mult_avgjg", FIFTHS))
PARAMETERS = (
    *(*at("iprec_at_recall", ("0.10", "0.20", "0.25", "0.50", "0.75")), "P_3", "P_5", "P_7"),
    *("recall_20", "recall_2000", "Rprec_mult_0.20", "Rprec_mult_0.35", "Rprec_mult_5.00"),
    *("utility_2,-1,0,0", "11pt_avg_.25,.5,.75", "ndcg_1=3,2=9,4=4.5"),
    *("ndcg_cut_10", "ndcg_cut_20", "ndcg_cut_23", "success_2", "success_5", "success_20"),
)


@dataclass(frozen=True)
class Golden:
    """An output file, the files it was made from and the flags it was made with."""

    output: str
    qrels: str
    run: str
    names: tuple[str, ...]
    per_query: bool = True  # -q
    level: int = 1  # -l
    complete: bool = False  # -c
    depth: int | None = None  # -M
    groups: bool = False  # -R qrels_jg
    zscores: str | None = None  # -Z
    version: int = 10
    tag: str | None = None  # the runid of the output, where the run file got another one afterwards


def trec_test(output: str, run: str = "results.test", qrels: str = "qrels.test", **flags: Any) -> Golden:
    folder = "trec_eval_test"
    return Golden(f"{folder}/{output}", f"{folder}/{qrels}", f"{folder}/{run}", **flags)


def dl_hard(system: str, tag: str | None = None) -> Golden:
    return Golden(
        f"dl_hard_passage/{system}.run.eval",
        "dl_hard_passage/dl_hard-passage.qrels",
        f"dl_hard_passage/{system}.run",
        ALL_TREC_9,
        level=2,
        complete=True,
        depth=1000,
        version=9,
        tag=tag,
    )


TREC_TEST = (
    trec_test("out.test", names=OFFICIAL, per_query=False),
    trec_test("out.test.a", names=ALL_TREC, per_query=False),
    trec_test("out.test.aq", names=ALL_TREC),
    trec_test("out.test.aqc", "results.trunc", names=ALL_TREC, complete=True),
    trec_test("out.test.aqcM", "results.trunc", names=ALL_TREC, complete=True, depth=100),
    trec_test(
        "out.test.aql",
        qrels="qrels.rel_level",
        names=tuple(name.replace("relstring", "relstring_20") for name in ALL_TREC),
        level=2,
    ),
    trec_test("out.test.aqZ", names=ALL_TREC, zscores="trec_eval_test/zscores_file"),
    trec_test("out.test.meas_params", names=PARAMETERS),
    trec_test("out.test.qrels_jg", qrels="qrels.123", names=QRELS_JG, groups=True),
    trec_test("out.comment.test", "results.comment.test", "qrels.comment.test", names=OFFICIAL, per_query=False),
)
DL_HARD = (
    dl_hard("bm25"),
    dl_hard("bm25+rm3"),
    dl_hard("bm25+bert(zs)", tag="T5-P"),
    dl_hard("bm25+rm3+bert(zs)"),
    dl_hard("bm25+t5(zs)"),
    dl_hard("bm25+rm3+t5(zs)"),
)
GOLDEN = (*TREC_TEST, *DL_HARD)


# Reading


@dataclass(frozen=True)
class Line:
    """One printed line: `map  301  0.0324`."""

    name: str
    query: str
    text: str


def read_lines(path: Path) -> Iterator[str]:
    """Lines of a file or of its gzipped form, without those that start with `#`."""
    packed = path.with_name(path.name + ".gz")
    with gzip.open(packed, "rt") if packed.exists() else path.open() as file:
        for line in file:
            if line.strip() and not line.startswith("#"):
                yield line


def read_output(path: Path) -> list[Line]:
    return [Line(*(part.strip() for part in line.split("\t"))) for line in read_lines(path)]


def read_qrels(path: Path) -> dict[str, dict[tuple[str, str], float]]:
    """query -> (document, second column) -> grade."""
    judged: dict[str, dict[tuple[str, str], float]] = {}
    for line in read_lines(path):
        query, group, doc, grade = line.split()
        judged.setdefault(query, {})[doc, group] = int(grade)
    return judged


def read_run(path: Path) -> dict[str, dict[str, float]]:
    """query -> document -> score; columns after the sixth are ignored."""
    scores: dict[str, dict[str, float]] = {}
    for line in read_lines(path):
        query, _, doc, _, score = line.split()[:5]
        scores.setdefault(query, {})[doc] = float(score)
    return scores


def run_id(path: Path) -> str:
    return list(read_lines(path))[-1].split()[5]


def read_zscores(path: Path) -> dict[tuple[str, str], tuple[float, float]]:
    """(query, measure) -> mean and standard deviation."""
    rows = [line.split() for line in read_lines(path)]
    return {(query, name): (float(mean), float(deviation)) for query, name, mean, deviation in rows}


def as_float32(score: float) -> float:
    (rounded,) = struct.unpack("f", struct.pack("f", score))
    return float(rounded)


def rank(scores: Mapping[str, float], version: int = 10) -> list[str]:
    """Score from high to low, equal scores by document id from high to low, in bytes.

    trec_eval before 10 keeps scores as 32-bit numbers, so more of them are equal.
    """
    keep = float if version >= 10 else as_float32
    return sorted(scores, key=lambda doc: (keep(scores[doc]), doc.encode()), reverse=True)


def load(golden: Golden, data: Path) -> dict[str, Query]:
    """The queries that are averaged, in the order of printing: by id, in bytes.

    With `-c` a query that the run does not hold stays, with an empty list.
    """
    judged = read_qrels(data / golden.qrels)
    run = read_run(data / golden.run)
    loaded = {}
    for query in sorted(judged, key=str.encode):
        if query in run or golden.complete:
            ranking = rank(run.get(query, {}), golden.version)[: golden.depth]
            grades = {doc: grade for (doc, _), grade in judged[query].items()}
            loaded[query] = Query(ranking, grades, judged[query] if golden.groups else None)
    return loaded


# Names


def pairs(text: str) -> dict[float, float]:
    """`1=3,2=9` -> {1: 3, 2: 9}"""
    return {float(level): float(gain) for level, gain in (pair.split("=") for pair in text.split(","))}


def numbers(text: str) -> list[float]:
    return [float(number) for number in text.split(",")]


@dataclass(frozen=True)
class Printed:
    """How a trec_eval name reads: the function it stands for, and what the text after the name means."""

    measure: str
    parameter: str | None = None
    read: Callable[[str], Any] = float
    fixed: tuple[tuple[str, Any], ...] = ()


NAMES = {
    "num_ret": Printed("NumRet"),
    "num_rel": Printed("NumRel"),
    "num_rel_ret": Printed("NumRelRet"),
    "num_nonrel_judged_ret": Printed("NumNonrelJudgedRet"),
    "map": Printed("AP"),
    "map_cut": Printed("AP", "k", int),
    "Rprec": Printed("Rprec"),
    "Rprec_mult": Printed("Rprec_mult", "multiple"),
    "bpref": Printed("bpref"),
    "recip_rank": Printed("RR"),
    "iprec_at_recall": Printed("IPrec", "recall"),
    "11pt_avg": Printed("IPrec11", "points", numbers),
    "P": Printed("P", "k", int),
    "recall": Printed("R", "k", int),
    "relative_P": Printed("relative_P", "k", int),
    "success": Printed("Hit", "k", int),
    "relstring": Printed("relstring", "n", int),
    "infAP": Printed("infAP"),
    "utility": Printed("utility", "weights", numbers),
    "binG": Printed("binG"),
    "G": Printed("G", "gain", pairs),
    "dcg": Printed("dcg", "gain", pairs),
    "ideal_dcg": Printed("ideal_dcg", "gain", pairs),
    "ndcg": Printed("nDCG", "gain", pairs),
    "ndcg_cut": Printed("nDCG", "k", int),
    "ndcg_rel": Printed("ndcg_rel", "gain", pairs),
    "Rndcg": Printed("Rndcg", "gain", pairs),
    "set_P": Printed("SetP"),
    "set_recall": Printed("SetR"),
    "set_relative_P": Printed("SetRelP"),
    "set_map": Printed("SetAP"),
    "set_F": Printed("SetF", "beta", float, (("squared", False),)),
    "map_avgjg": Printed("map_avgjg"),
    "P_avgjg": Printed("P_avgjg", "k", int),
    "Rprec_mult_avgjg": Printed("Rprec_mult_avgjg", "multiple"),
    "yaap": Printed("yaap"),
    "rbp": Printed("rbp", "p", lambda text: float(text.removeprefix("p="))),
    "rbp_resid": Printed("rbp_resid", "p", lambda text: float(text.removeprefix("p="))),
    "unj": Printed("unj", "k", int),
}
GEOMETRIC = {"gm_map": "map", "gm_bpref": "bpref"}


def parse_name(text: str) -> tuple[str, dict[str, Any]]:
    """`ndcg_cut_10` -> ("nDCG", {"k": 10})"""
    name = text
    while name not in NAMES:
        name, separator, _ = name.rpartition("_")
        if not separator:
            raise KeyError(text)
    printed = NAMES[name]
    parameters = dict(printed.fixed)
    if text != name and printed.parameter is not None:
        parameters[printed.parameter] = printed.read(text[len(name) + 1 :])
    return printed.measure, parameters


# Values


def value(name: str, query: Query, level: int = 1, version: int = 10) -> Any:
    """What trec_eval prints for one query under this name."""
    measure, parameters = parse_name(name)
    function = naive.NAIVE[measure]
    accepted = inspect.signature(function).parameters
    if "rel" in accepted:
        parameters["rel"] = level
    if "rounding" in accepted:
        parameters["rounding"] = "half_away" if version >= 10 else "trunc"
    return function(query, **parameters)


def summary(name: str, queries: Mapping[str, Query], level: int = 1, version: int = 10) -> float:
    """What it prints for all queries: a sum of counts, a geometric mean, or a mean."""
    if name in GEOMETRIC:
        return naive.geometric_mean(value(GEOMETRIC[name], query, level) for query in queries.values())
    values = [value(name, query, level, version) for query in queries.values()]
    return sum(values) if name in COUNTS else naive.mean(values)
