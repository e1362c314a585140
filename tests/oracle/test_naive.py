"""The naive definitions give the numbers that other people published."""

import math
from math import log2
from pathlib import Path
from typing import Any

import pytest

from . import naive, trec_golden
from .naive import NAIVE, Query
from .trec_golden import GOLDEN, Golden, Line

approx = pytest.approx

FOUR_DECIMALS = 0.00005 + 1e-9
MISSING_ZSCORE = -1_000_000


# trec_eval's own output


def expected_lines(golden: Golden, queries: dict[str, Query]) -> list[tuple[str, str]]:
    """Names in their order of printing: a block for each query, then the summary."""
    single = [name for name in golden.names if name not in trec_golden.SUMMARY_ONLY]
    final = [name for name in golden.names if not name.startswith("relstring")]
    blocks = [(name, query) for query in queries for name in single] if golden.per_query else []
    return blocks + [(name, "all") for name in final]


def printed_value(line: Line, golden: Golden, queries: dict[str, Query]) -> Any:
    if line.query != "all":
        return trec_golden.value(line.name, queries[line.query], golden.level, golden.version)
    if line.name == "num_q":
        return len(queries)
    if line.name == "num_rel" and golden.complete:
        # with -c the summary counts every positive grade, whatever -l says
        return sum(naive.NumRel(query) for query in queries.values())
    return trec_golden.summary(line.name, queries, golden.level, golden.version)


def agrees(line: Line, value: Any) -> bool:
    if isinstance(value, str):
        return line.text == f"'{value}'"
    if isinstance(value, int):
        return line.text == str(value)
    return float(line.text) == approx(value, abs=FOUR_DECIMALS, rel=0)


@pytest.mark.slow
@pytest.mark.parametrize(
    "golden", [golden for golden in GOLDEN if not golden.zscores], ids=lambda golden: golden.output
)
def test_every_line_that_trec_eval_prints(golden: Golden, shared: Path):
    lines = trec_golden.read_output(shared / golden.output)
    queries = trec_golden.load(golden, shared)

    assert [(line.name, line.query) for line in lines] == expected_lines(golden, queries)
    values = {line: printed_value(line, golden, queries) for line in lines if line.name != "runid"}
    assert {line: value for line, value in values.items() if not agrees(line, value)} == {}
    tags = [line.text for line in lines if line.name == "runid"]
    assert set(tags) <= {golden.tag or trec_golden.run_id(shared / golden.run)}


def zscore(value: float, reference: tuple[float, float] | None) -> float:
    if reference is None:
        return MISSING_ZSCORE
    mean, deviation = reference
    if deviation == 0:
        return 0 if value == mean else MISSING_ZSCORE
    return (value - mean) / deviation


def test_zscores_are_taken_per_query_and_then_averaged(shared: Path):
    [golden] = [golden for golden in GOLDEN if golden.zscores]
    references = trec_golden.read_zscores(shared / golden.zscores)
    queries = trec_golden.load(golden, shared)

    for line in trec_golden.read_output(shared / golden.output):
        name = line.name.removeprefix("Z")
        if name in ("runid", "num_q", "relstring", "gm_map", "gm_bpref"):
            continue
        scores = {
            query: zscore(trec_golden.value(name, queries[query]), references.get((query, name))) for query in queries
        }
        total = sum(scores.values()) / (1 if name in trec_golden.COUNTS else len(scores))
        assert float(line.text) == approx(scores.get(line.query, total), abs=FOUR_DECIMALS, rel=0), line


def test_a_query_missing_from_the_run_is_an_empty_list(shared: Path):
    [golden] = [golden for golden in GOLDEN if golden.output.endswith("out.test.aqc")]

    missing = trec_golden.load(golden, shared)["302"]

    assert missing.ranking == []
    assert {name: value for name in golden.names if (value := zero_or(name, missing))} == {"num_rel": 77}


def zero_or(name: str, query: Query) -> Any:
    return 0 if name in trec_golden.SUMMARY_ONLY else trec_golden.value(name, query)


def test_scores_that_differ_only_in_64_bits_are_equal_for_the_older_trec_eval():
    scores = {"a": 0.100000002, "b": 0.100000001}

    assert trec_golden.rank(scores, version=10) == ["a", "b"]
    assert trec_golden.rank(scores, version=9) == ["b", "a"]  # equal, so by id from high to low


@pytest.mark.parametrize(
    ("text", "measure", "parameters"),
    [
        ("P_10", "P", {"k": 10}),
        ("P_avgjg_5", "P_avgjg", {"k": 5}),
        ("Rprec_mult_0.20", "Rprec_mult", {"multiple": 0.2}),
        ("utility_2,-1,0,0", "utility", {"weights": [2, -1, 0, 0]}),
        ("11pt_avg_.25,.5,.75", "IPrec11", {"points": [0.25, 0.5, 0.75]}),
        ("ndcg_1=3,2=9,4=4.5", "nDCG", {"gain": {1: 3, 2: 9, 4: 4.5}}),
        ("ndcg_rel", "ndcg_rel", {}),
        ("rbp_resid_p=0.8", "rbp_resid", {"p": 0.8}),
        ("set_F_2", "SetF", {"beta": 2, "squared": False}),
    ],
)
def test_printed_names_carry_their_parameters(text: str, measure: str, parameters: dict[str, Any]):
    assert trec_golden.parse_name(text) == (measure, parameters)


def test_unknown_name_is_refused():
    with pytest.raises(KeyError, match="recal_10"):
        trec_golden.parse_name("recal_10")


def test_rbp_of_three_tools_on_the_same_data(shared: Path):
    """Binary as in cwl_eval, raw grades as in ranx, over the highest grade of the topic as in trec_eval."""
    [golden] = [golden for golden in GOLDEN if golden.output.endswith("out.test.aql")]
    queries = trec_golden.load(golden, shared).values()

    assert naive.mean(naive.RBP(query, 0.9) for query in queries) == approx(0.323, abs=0.0005)
    assert naive.mean(naive.RBP(query, 0.9, graded="raw") for query in queries) == approx(0.839, abs=0.0005)
    assert naive.mean(naive.RBP(query, 0.9, graded="topic") for query in queries) == approx(0.277, abs=0.0005)


# C/W/L: figures printed in ir_measures, tests/test_cwl_eval.py ("based on a manual execution of cwl-eval")

CWL = [
    ("AP", {}, (0.7087, 0.7438, 0.3068)),
    ("BPM", {"T": 1, "k": 20}, (1.0000, 1.0000, 0.1667)),
    ("BPM", {"T": 2, "k": 10}, (0.6667, 1.0000, 0.2857)),
    ("INSQ", {"T": 1}, (0.5872, 0.6629, 0.0880)),
    ("INSQ", {"T": 2}, (0.4513, 0.5068, 0.1292)),
    ("INST", {"T": 1}, (0.7934, 0.9226, 0.0888)),
    ("INST", {"T": 2}, (0.5994, 0.6924, 0.1397)),
    ("SDCG", {"k": 10}, (0.5645, 0.6531, 0.2848)),
    ("NERR8", {"k": 10}, (1.0000, 1.0000, 0.1667)),
    ("NERR9", {"k": 10}, (1.0000, 1.0000, 0.0680)),
    ("NERR10", {"p": 0.8}, (1.0000, 1.0000, 0.0888)),
    ("NERR11", {"T": 2}, (1.0000, 1.0000, 0.0691)),
    ("P", {"k": 1}, (1.0000, 1.0000, 0.0000)),
    ("P", {"k": 20}, (0.2500, 0.3000, 0.2000)),
    ("RBP", {"p": 0.9}, (0.3501, 0.3996, 0.1988)),
    ("RBPresidual", {"p": 0.9}, (0.4733, 0.5026, 0.6197)),
    ("RR", {}, (1.0000, 1.0000, 0.1667)),
]


@pytest.mark.parametrize(("name", "parameters", "published"), CWL)
def test_figures_of_cwl_eval(name: str, parameters: dict[str, Any], published: tuple[float, ...], shared: Path):
    golden = Golden("", "ir_measures_compat/cwl.qrels", "ir_measures_compat/cwl.run", ())
    queries = trec_golden.load(golden, shared)

    got = [NAIVE[name](queries[topic], **parameters) for topic in ("T1", "T2", "T3")]

    assert got == approx(published, abs=0.0001)


# Graded C/W/L: ir_measures 0.4.3 with cwl-eval 1.0.12, bm25 run of DL-HARD, grades 0 to 3

CWL_GRADED = [
    ("BPM", {"T": 2, "k": 10}, (0.4444444444444444, 0.0)),
    ("INSQ", {"T": 1}, (0.5311659145801177, 0.002767081748873036)),
    ("INST", {"T": 1}, (0.7277231801869118, 0.0027405733232253923)),
    ("SDCG", {"k": 10}, (0.468361620121068, 0.0)),
    ("NERR10", {"p": 0.8}, (1.0, 0.0006341571583025666)),
    ("NERR11", {"T": 2}, (1.0, 0.0038989834405012227)),
]


def test_graded_figures_of_cwl_eval(shared: Path):
    queries = trec_golden.load(trec_golden.dl_hard("bm25"), shared)

    for name, parameters, figures in CWL_GRADED:
        got = [NAIVE[name](queries[query], **parameters, max_rel=3) for query in ("915593", "794429")]
        assert got == approx(figures, rel=1e-12), name


# Compatibility: figures printed in ir_measures, tests/test_compat.py, from github.com/claclark/Compatibility


@pytest.mark.parametrize(
    ("p", "published"),
    [
        (0.95, (0.51779512165509, 0.018400100569017922)),
        (0.9, (0.3761334522946854, 0.004344079941789211)),
        (0.8, (0.16723008845234535, 0.00022806427320561776)),
    ],
)
def test_figures_of_compat(p: float, published: tuple[float, float], shared: Path):
    golden = Golden("", "ir_measures_compat/compat.qrels", "ir_measures_compat/compat.run", ())
    queries = trec_golden.load(golden, shared)

    assert [naive.Compat(queries[topic], p) for topic in ("31_1", "31_2")] == approx(published, abs=1e-9)


# gdeval: figures printed in ir_measures, test/test_gdeval.py (exponential gain, highest grade 4)

GDEVAL = {
    "0": Query(["D0", "D2", "D3", "D1", "D4"], {"D0": 0, "D1": 1, "D2": 1, "D3": 2, "D4": 0}),
    "1": Query(["D1", "D3", "D2", "D4"], {"D0": 1, "D3": 2, "D5": 2}),
}


@pytest.mark.parametrize(
    ("k", "ndcg", "err"),
    [(20, (0.6201, 0.35099), (0.10175, 0.09375)), (2, (0.17377, 0.38685), (0.03125, 0.09375))],
)
def test_figures_of_gdeval(k: int, ndcg: tuple[float, float], err: tuple[float, float]):
    assert [naive.nDCG(query, k, "exponential") for query in GDEVAL.values()] == approx(ndcg, abs=0.00001)
    assert [naive.ERR(query, k, max_grade=4) for query in GDEVAL.values()] == approx(err, abs=0.00001)


# Accuracy: figures printed in ir_measures, tests/test_accuracy.py


def test_figures_of_accuracy():
    zero = Query(["C0_1", "A0_1", "C0_2", "C0_3"], {"C0_1": 0, "B0_1": 1, "A0_1": 2})
    one = Query(["C1_1", "A1_1", "C1_2", "B1_1", "C1_3"], {"A1_1": 2, "A1_2": 2, "B1_1": 1, "C1_2": 0})

    assert naive.PairAccuracy(zero, nonrelevant="any") == approx(2 / 3)
    assert naive.PairAccuracy(one, nonrelevant="any") == approx((2 / 3 + 1 / 3) / 2)
    assert naive.PairAccuracy(one, rel=2, nonrelevant="any") == approx(0.75)


# Subtopics: pyndeval 0.0.8 on TREC Web 2014, the run ranked by score and then document id from high to low

NDEVAL = {
    "251": {
        "NRBP": 0.8123779296729481,
        "nNRBP": 0.8123779296729481,
        "AP_IA": 0.38074185222264456,
        "ERR_IA@10": 0.8727874572252915,
        "nERR_IA@10": 0.8727874572252915,
        "alpha_DCG@10": 0.9040377546371694,
        "alpha_nDCG@10": 0.9040377546371694,
        "P_IA@10": 0.7,
        "StRecall@10": 1.0,
    },
    "255": {
        "NRBP": 3.0398368835493797e-07,
        "nNRBP": 6.32980308591575e-07,
        "AP_IA": 0.028296185343391032,
        "ERR_IA@20": 0.00721347565723539,
        "nERR_IA@20": 0.012934196466867233,
        "alpha_DCG@20": 0.02957617209892718,
        "alpha_nDCG@20": 0.04377331131377321,
        "P_IA@20": 0.01,
        "StRecall@20": 0.2,
    },
    "260": {
        "NRBP": 0.009377884865404166,
        "nNRBP": 0.009397794218629248,
        "AP_IA": 0.03130342070013237,
        "ERR_IA@10": 0.04809554695712463,
        "nERR_IA@10": 0.048220587661503306,
        "alpha_DCG@10": 0.09258010546278063,
        "alpha_nDCG@10": 0.0928456677021413,
        "P_IA@10": 0.04,
        "StRecall@10": 0.4,
    },
}
NDEVAL_MEAN = {
    "NRBP": 0.3582884418860035,
    "nNRBP": 0.36484536728217665,
    "AP_IA": 0.22604583150034038,
    "ERR_IA@20": 0.42242495559029947,
    "alpha_DCG@20": 0.5268067816061379,
    "alpha_nDCG@20": 0.535585467372923,
    "P_IA@20": 0.41093809523809505,
    "StRecall@1": 0.2541904761904762,
    "StRecall@20": 0.8496190476190476,
}
NDEVAL_251_REL_2 = {  # relevance_level=2, alpha=.3, beta=.8
    ("NRBP", 0.3180653716025063, "alpha", "beta"),
    ("nNRBP", 0.3180653724752953, "alpha", "beta"),
    ("ERR_IA@10", 0.21668735471950337, "alpha"),
    ("alpha_DCG@20", 0.372214170168878, "alpha"),
}


def diversity_queries(shared: Path) -> dict[str, Query]:
    qrels = "web2014_diversity/qrels.web.251-300.ndeval.txt"
    return trec_golden.load(Golden("", qrels, "web2014_diversity/test.wt14.run", (), groups=True), shared)


def at_cutoff(text: str, query: Query, **parameters: Any) -> float:
    name, _, k = text.partition("@")
    return NAIVE[name](query, **({"k": int(k)} if k else {}), **parameters)


def test_figures_of_ndeval_per_query(shared: Path):
    queries = diversity_queries(shared)

    got = {topic: {m: at_cutoff(m, queries[topic]) for m in figures} for topic, figures in NDEVAL.items()}

    assert got == {topic: approx(figures, rel=1e-12) for topic, figures in NDEVAL.items()}


@pytest.mark.slow
def test_mean_figures_of_ndeval(shared: Path):
    queries = diversity_queries(shared).values()

    got = {text: naive.mean(at_cutoff(text, query) for query in queries) for text in NDEVAL_MEAN}

    assert got == approx(NDEVAL_MEAN, rel=1e-12)


def test_figures_of_ndeval_with_other_parameters(shared: Path):
    query = diversity_queries(shared)["251"]

    for text, figure, *names in NDEVAL_251_REL_2:
        parameters = {name: value for name, value in {"alpha": 0.3, "beta": 0.8}.items() if name in names}
        assert at_cutoff(text, query, rel=2, **parameters) == approx(figure, rel=1e-12), text


def test_ndeval_does_not_normalise_at_rank_1(shared: Path):
    """It prints 4.0 for ERR-IA@1 and alpha-DCG@1 of topic 259, where 4 of 6 subtopics are served."""
    query = diversity_queries(shared)["259"]

    assert naive.alpha_DCG(query, 1) * 6 == approx(4.0)
    assert naive.ERR_IA(query, 1) * 6 == approx(4.0)


# Every measure by hand
#
# rank        1   2   3   4   5   not shown
# document    n1  r2  u   r1  p   x   n0
# grade       0   2   -   1   -1  3   0

HAND = Query(
    ["n1", "r2", "u", "r1", "p"],
    {"n1": 0, "r2": 2, "r1": 1, "p": -1, "x": 3, "n0": 0},
    # subtopic 1: r2 and r1; subtopic 2: r2 and x; subtopic 3: nothing. Novelty of the list: 0, 2, 0, 1/2, 0
    {("n1", "1"): 0, ("r2", "1"): 1, ("r1", "1"): 1, ("r2", "2"): 1, ("x", "2"): 1, ("x", "3"): 0},
)
DCG_2 = 2 / log2(3)
DCG_5 = 2 / log2(3) + 1 / log2(5)
IDEAL_2 = 3 + 2 / log2(3)
IDEAL_3 = 3 + 2 / log2(3) + 1 / log2(4)
E = 0.00001
BY_HAND = [
    ("P", {"k": 3}, 1 / 3),
    ("P", {"k": 10}, 2 / 10),
    ("P", {"k": 10, "divisor": "retrieved"}, 2 / 5),
    ("P", {}, 2 / 5),
    ("P", {"k": 3, "rel": 2}, 1 / 3),
    ("R", {"k": 3}, 1 / 3),
    ("R", {"k": 2, "norm": "min"}, 1 / 2),
    ("F", {"k": 4}, 2 * (2 / 4) * (2 / 3) / (2 / 4 + 2 / 3)),
    ("F", {"k": 4, "beta": 2}, 5 * (2 / 4) * (2 / 3) / (4 * (2 / 4) + 2 / 3)),
    ("Hit", {"k": 1}, 0),
    ("Hit", {"k": 2}, 1),
    ("success", {"k": 2}, 1),
    ("Hits", {"k": 4}, 2),
    ("RR", {}, 1 / 2),
    ("RR", {"k": 1}, 0),
    ("AP", {}, (1 / 2 + 2 / 4) / 3),
    ("AP", {"k": 2}, (1 / 2) / 3),
    ("AP", {"k": 2, "norm": "min"}, (1 / 2) / 2),
    ("AP", {"norm": "hits"}, (1 / 2 + 2 / 4) / 2),
    ("Rprec", {}, 1 / 3),
    ("Rprec_mult", {"multiple": 0.5}, 1 / 2),
    ("Rprec_mult", {"multiple": 2}, 2 / 6),
    ("relative_P", {"k": 2}, 1 / 2),
    ("CG", {"k": 4}, 2 + 1),
    ("CG", {"gain": "exponential"}, 3 + 1),
    ("DCG", {}, DCG_5),
    ("DCG", {"k": 2, "gain": "exponential"}, 3 / log2(3)),
    ("DCG", {"gain": {2: 5, 0: -1}}, -1 + 5 / log2(3) + 1 / log2(5)),
    ("dcg", {}, DCG_5),
    ("ideal_dcg", {}, IDEAL_3),
    ("nDCG", {}, DCG_5 / IDEAL_3),
    ("nDCG", {"k": 2}, DCG_2 / IDEAL_2),
    ("nDCG", {"k": 2, "ideal": "uncut"}, DCG_2 / IDEAL_3),
    ("nDCG", {"k": 2, "ideal": "retrieved"}, DCG_2 / (2 + 1 / log2(3))),
    ("nDCG", {"k": 2, "ideal": "returned"}, DCG_2 / IDEAL_2),
    ("ndcg_rel", {}, (DCG_2 / IDEAL_2 + DCG_5 / IDEAL_3 + DCG_5 / IDEAL_3) / 3),
    ("Rndcg", {}, (0 / 3 + DCG_2 / IDEAL_2 + DCG_2 / IDEAL_3 + DCG_5 / IDEAL_3) / 4),
    ("G", {}, (2 / log2(2 + 5 - 2) + 1 / log2(2 + 7 - 3)) / 6),
    ("G", {"gain": {1: 0.5, 2: 0.5, 3: 0.5}}, (0.5 / log2(2 + 2 - 0.5) + 0.5 / log2(2 + 4 - 1)) / 1.5),
    ("binG", {}, (1 / log2(2 + 1) + 1 / log2(2 + 2)) / 3),
    ("ERR", {"max_grade": 4}, 3 / 16 / 2 + 13 / 16 * 1 / 16 / 4),
    ("ERR", {}, 3 / 8 / 2 + 5 / 8 * 1 / 8 / 4),
    ("RBP", {"p": 0.5}, 0.5 * (1 / 2 + 1 / 8)),
    ("RBP", {"p": 0.5, "k": 2}, 0.5 * 1 / 2),
    ("RBP", {"p": 0.5, "graded": "raw"}, 0.5 * (2 / 2 + 1 / 8)),
    ("RBP", {"p": 0.5, "graded": "max", "max_grade": 4}, 0.5 * (2 / 2 + 1 / 8) / 4),
    ("rbp", {}, 0.1 * (2 * 0.9 + 1 * 0.9**3) / 3),
    ("rbp", {"gain": {1: 0.5, 2: 1, 3: 1}}, 0.1 * (1 * 0.9 + 0.5 * 0.9**3)),
    ("RBPresidual", {"p": 0.5}, 1 / 32 + 0.5 * 1 / 4),
    ("rbp_resid", {}, 0.9**5 + 0.1 * (0.9**2 + 0.9**4)),
    ("bpref", {}, ((1 - 1 / 2) + (1 - 1 / 2)) / 3),
    ("infAP", {}, (1 / 2 + 1 / 2 * E / (1 + 2 * E) + 1 / 4 + 2 / 4 * (1 + E) / (2 + 2 * E)) / 3),
    ("yaap", {}, math.log((1 + 1) / (1 + 3 - 1))),
    ("IPrec", {"recall": 0.5}, 2 / 4),
    ("IPrec", {"recall": 1}, 0),
    ("IPrec11", {}, 9 * (2 / 4) / 11),
    ("IPrec11", {"points": (0, 0.4, 0.9), "rounding": "trunc"}, (2 / 4 + 2 / 4 + 0) / 3),
    ("Judged", {"k": 3}, 2 / 3),
    ("Judged", {"k": 10}, 4 / 5),
    ("Unjudged", {"k": 10}, 1 / 10),
    ("unj", {"k": 10}, 2 / 10),
    ("relstring", {}, "02-1."),
    ("PairAccuracy", {}, 2 / 4),
    ("PairAccuracy", {"scores": {"n1": 9, "r2": 9, "u": 8, "r1": 7, "p": 6}}, 2.5 / 4),
    ("PairAccuracy", {"nonrelevant": "any"}, 3 / 6),
    (
        "Compat",
        {"p": 0.5},
        (1 / 2 * 1 / 2 + 1 / 4 * 1 / 3 + 1 / 8 * 2 / 4 + 1 / 16 * 2 / 5)
        / (1 + 1 / 2 + 1 / 4 + 1 / 8 * 3 / 4 + 1 / 16 * 3 / 5),
    ),
    ("SetP", {}, 2 / 5),
    ("SetR", {}, 2 / 3),
    ("SetF", {}, 2 * (2 / 5) * (2 / 3) / (2 / 5 + 2 / 3)),
    ("SetF", {"beta": 2}, 5 * (2 / 5) * (2 / 3) / (4 * (2 / 5) + 2 / 3)),
    ("SetF", {"beta": 2, "squared": False}, 3 * (2 / 5) * (2 / 3) / (2 * (2 / 5) + 2 / 3)),
    ("SetAP", {}, 2 / 5 * 2 / 3),
    ("SetRelP", {}, 2 / 3),
    ("set_relative_P", {}, 2 / 3),
    ("NumRet", {}, 5),
    ("NumRel", {}, 3),
    ("NumRelRet", {}, 2),
    ("NumNonrelJudgedRet", {}, 1),
    ("num_nonrel_judged_ret", {"rel": 2}, 2),
    ("utility", {}, 2 - 3),
    ("utility", {"weights": (1, -1, -2, 0.5), "documents": 100}, 2 - 3 - 2 * 1 + 0.5 * 94),
    (
        "alpha_DCG",
        {"k": 4},
        (2 / log2(3) + 1 / 2 / log2(5)) / (2 * (1 + 1 / 2 / log2(3) + 1 / 4 / log2(4) + 1 / 8 / log2(5))),
    ),
    ("alpha_nDCG", {"k": 4}, (2 / log2(3) + 1 / 2 / log2(5)) / (2 + 1 / 2 / log2(3) + 1 / 2 / log2(4))),
    ("ERR_IA", {"k": 4}, (2 / 2 + 1 / 2 / 4) / (2 * (1 + 1 / 2 / 2 + 1 / 4 / 3 + 1 / 8 / 4))),
    ("nERR_IA", {"k": 4}, (2 / 2 + 1 / 2 / 4) / (2 + 1 / 2 / 2 + 1 / 2 / 3)),
    ("NRBP", {}, (1 - 1 / 4) / 2 * (2 / 2 + 1 / 2 / 8)),
    ("nNRBP", {}, (2 / 2 + 1 / 2 / 8) / (2 + 1 / 2 / 2 + 1 / 2 / 4)),
    ("AP_IA", {}, ((1 / 2 + 2 / 4) / 2 + 1 / 2 / 2) / 2),
    ("P_IA", {"k": 4}, (2 / 4 + 1 / 4) / 2),
    ("StRecall", {"k": 1}, 0),
    ("StRecall", {"k": 2}, 2 / 2),
    ("map_avgjg", {}, ((1 / 2 + 2 / 4) / 2 + 1 / 2 / 2 + 0) / 3),
    ("P_avgjg", {"k": 4}, (2 / 4 + 1 / 4 + 0) / 3),
    ("Rprec_mult_avgjg", {"multiple": 1}, (1 / 2 + 1 / 2 + 0) / 3),
    # with max_rel=2 the gains are 0, 1, 0, 1/2, 0
    (
        "SDCG",
        {"k": 4, "max_rel": 2},
        (1 / log2(3) + 1 / 2 / log2(5)) / (1 + 1 / log2(3) + 1 / 2 + 1 / log2(5)),
    ),
    ("BPM", {"k": 4, "max_rel": 2}, 1 / 2),
    ("BPM", {"k": 4, "T": 2, "max_rel": 2}, 1.5 / 4),
    ("NERR8", {"k": 4, "max_rel": 2}, 1 / 2),
    ("NERR9", {"k": 4, "max_rel": 2}, (1 / 2) / (1 + 1 / 2)),
    ("NERR10", {"p": 0.5, "max_rel": 2}, (1 / 2) / (1 + 1 / 2)),
    ("NERR11", {"max_rel": 2}, (4 / 9) / (1 + 4 / 9)),
    ("INSQ", {"max_rel": 2}, (4 / 9 + 1 / 2 * 4 / 25) / sum(4 / (i + 1) ** 2 for i in range(1, 1001))),
    (
        "INST",
        {"max_rel": 2},
        (4 / 9 + 1 / 2 * 1 / 9) / (1 + 4 / 9 + 16 / 81 + sum(1 / 9 * (3.5 / (i - 0.5)) ** 2 for i in range(4, 1001))),
    ),
]


@pytest.mark.parametrize(("name", "parameters", "expected"), BY_HAND)
def test_value_by_hand(name: str, parameters: dict[str, Any], expected: Any):
    assert NAIVE[name](HAND, **parameters) == (expected if isinstance(expected, str) else approx(expected))


def test_every_measure_has_a_value_by_hand():
    assert {name for name, _, _ in BY_HAND} == set(NAIVE)


def test_ideal_of_a_list_shorter_than_the_cutoff():
    query = Query(["a"], {"a": 1, "b": 3, "c": 2})

    assert naive.nDCG(query, 3, ideal="judged") == approx(1 / (3 + 2 / log2(3) + 1 / log2(4)))
    assert naive.nDCG(query, 3, ideal="returned") == approx(1 / 3)
    assert naive.nDCG(query, 3, ideal="retrieved") == 1


def test_interpolated_precision_rounds_recall_in_two_ways():
    """Recall .2 of 7 relevant documents is 1.4: 1 when rounded, 2 when .9 is added and the rest cut off."""
    query = Query(["a", "n", "b"], dict.fromkeys("abcdefg", 1))

    assert naive.IPrec(query, 0.2) == 1
    assert naive.IPrec(query, 0.2, rounding="trunc") == approx(2 / 3)


def test_rndcg_leaves_out_the_end_of_a_list_one_longer_than_the_ideal():
    grades = {"a": 1, "b": 1}

    assert naive.Rndcg(Query(["n", "a", "b"], grades)) == approx((1 / log2(3)) / (1 + 1 / log2(3)))
    assert naive.Rndcg(Query(["n", "a", "b", "m"], grades)) == approx(
        ((1 / log2(3)) / (1 + 1 / log2(3)) + (1 / log2(3) + 1 / log2(4)) / (1 + 1 / log2(3))) / 2
    )


def test_residual_of_a_fully_judged_list_is_what_lies_below_it():
    query = Query(["a", "b"], {"a": 1, "b": 0})

    assert naive.RBPresidual(query, 0.5) == approx(1 / 4)
    assert naive.rbp_resid(query, 0.5) == 0  # trec_eval 10


NOTHING = Query(["a", "b"], {"a": 0, "c": -1}, {("a", "1"): 0})


@pytest.mark.parametrize(
    ("name", "parameters"),
    [
        (name, parameters)
        for name, parameters, _ in BY_HAND
        if name not in ("RBPresidual", "rbp_resid", "Judged", "Unjudged", "unj", "relstring", "yaap", "utility")
        and not name.startswith(("Num", "num", "PairAccuracy"))
        and "gain" not in parameters
    ],
)
def test_query_without_relevant_documents_is_zero(name: str, parameters: dict[str, Any]):
    assert NAIVE[name](NOTHING, **parameters) == 0


def test_no_pair_has_no_accuracy():
    assert math.isnan(naive.PairAccuracy(NOTHING))


# Vectors that everybody in the field can redo


def relevant(n: int, grade: int = 1) -> dict[str, float]:
    return {f"r{i}": grade for i in range(1, n + 1)}


def test_one_of_five_shown():
    query = Query(["r1"], relevant(5, grade=3))

    assert naive.nDCG(query, 10) == approx(0.339, abs=0.0005)
    assert naive.nDCG(query, 10, "exponential") == approx(naive.nDCG(query, 10))


def test_five_relevant_at_ranks_6_to_10():
    query = Query([*(f"n{i}" for i in range(5)), *relevant(5)], relevant(5, grade=3))

    assert naive.nDCG(query, 10) == approx(0.541, abs=0.0005)


def test_ten_of_twenty_relevant_shown_first_is_ideal_at_10():
    query = Query(list(relevant(10)), relevant(20, grade=3))

    assert naive.nDCG(query, 10) == 1


def test_list_of_one_relevant_document_after_its_duplicate_was_dropped():
    one = Query(["A"], {"A": 1})
    two = Query(["A"], {"A": 1, "B": 1})

    assert (naive.R(one, 2), naive.nDCG(one), naive.P(one, 2)) == (1, 1, 0.5)
    assert naive.R(two, 2) == 0.5


def test_missing_query_halves_the_mean():
    shown, missing = Query(["A"], {"A": 1}), Query([], {"A": 1})

    assert naive.mean(naive.AP(query) for query in (shown, missing)) == naive.AP(shown) / 2


def test_short_list_is_filled_up():
    assert naive.P(Query(["A"], {"A": 1}), 10) == approx(0.1)


def test_average_precision_needs_the_number_of_relevant_documents():
    ranking = ["r1", "n1", "n2", "n3", "r2"]

    assert naive.AP(Query(ranking, relevant(2))) == approx(0.70)
    assert naive.AP(Query(ranking, relevant(5))) == approx(0.28)


def test_expectation_over_ties_does_not_depend_on_the_order_of_input():
    grades = {"a": 2, "b": 1}

    for measure in (naive.nDCG, naive.AP, naive.RR, naive.ERR):
        values = [naive.mean(naive.over_ties(measure, [list(order)], grades)) for order in ("abcd", "dcba", "cadb")]
        assert values == approx([values[0]] * 3)


def test_expectation_over_ties_stays_inside_a_block():
    """A tie of one relevant and one other document behind a leader: rank 2 or 3, each half the time."""
    assert naive.mean(naive.over_ties(naive.RR, [["n"], ["a", "m"]], {"a": 1})) == approx((1 / 2 + 1 / 3) / 2)
