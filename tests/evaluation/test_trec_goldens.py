"""Published numbers, from the files they were published with: trec_eval, DL-HARD, CODEC, ir_measures, ndeval.

trec_eval prints four decimals, so a value agrees when its text does. Where a printed line cannot be had, the
line and the reason are named here; nothing is compared with a wider tolerance.
"""

from pathlib import Path
from typing import Any

import pytest

import rankgauge as rg
from oracle import trec_golden
from oracle.trec_golden import GOLDEN, Golden, Line
from rankgauge.reporting.trec import trec_lines

approx = pytest.approx

OTHER_SUMMARY = {
    # with -c the summary of trec_eval counts every positive grade, whatever -l says; per query -l holds
    ("num_rel", "all"): ("1794", "984"),
}


def file(shared: Path, name: str) -> Path:
    packed = shared / f"{name}.gz"
    return packed if packed.exists() else shared / name


def evaluated(golden: Golden, shared: Path, names: Any = None) -> rg.Evaluation:
    return rg.evaluate(
        file(shared, golden.qrels),
        file(shared, golden.run),
        [name for name in golden.names if name != "runid"] if names is None else names,
        convention="trec_eval" if golden.version == 10 else "trec_eval-9",
        missing="zero" if golden.complete else None,
        depth=golden.depth,
        rel=golden.level,
    )


def lines(text: str) -> list[Line]:
    return [Line(*(part.strip() for part in line.split("\t"))) for line in text.splitlines()]


def keys(found: list[Line]) -> list[tuple[str, str]]:
    return [(line.name, line.query) for line in found]


def texts(found: list[Line]) -> dict[tuple[str, str], str]:
    return {(line.name, line.query): line.text for line in found}


def differences(got: list[Line], published: list[Line]) -> dict[tuple[str, str], tuple[str, str]]:
    mine = texts(got)
    return {key: (text, mine.get(key, "")) for key, text in texts(published).items() if mine.get(key) != text}


plain = [golden for golden in GOLDEN if not golden.zscores]  # z-scores are not offered


def printed(ev: rg.Evaluation, golden: Golden) -> list[Line]:
    """Our lines; trec_eval prints a runid only where it was asked for, we always do."""
    found = lines(trec_lines(ev, per_query=golden.per_query))
    return [line for line in found if line.name != "runid" or "runid" in golden.names]


@pytest.mark.parametrize("golden", plain, ids=lambda golden: golden.output)
def test_every_line_that_trec_eval_prints(golden: Golden, shared: Path):
    published = trec_golden.read_output(shared / golden.output)

    got = printed(evaluated(golden, shared), golden)

    assert sorted(keys(got)) == sorted(keys(published))
    other = dict(OTHER_SUMMARY) if golden.complete and golden.level > 1 else {}
    if golden.tag:  # the run file got another tag after its numbers were published
        other["runid", "all"] = (golden.tag, trec_golden.run_id(shared / golden.run))
    assert differences(got, published) == other


@pytest.mark.parametrize("golden", plain, ids=lambda golden: golden.output)
def test_lines_come_in_the_order_of_trec_eval(golden: Golden, shared: Path):
    """A block for each query, by id in bytes, and then the summary."""
    got = printed(evaluated(golden, shared), golden)

    assert keys(got) == keys(trec_golden.read_output(shared / golden.output))


def test_lines_come_in_the_order_of_trec_eval_whatever_was_asked_first(shared: Path):
    golden = trec_golden.trec_test("out.test", names=())

    ev = evaluated(golden, shared, ["ndcg_cut_10", "P", "map", "num_q"])

    printed = [line.split()[0] for line in trec_lines(ev).splitlines()]
    assert printed == ["runid", "num_q", "map", *trec_golden.at("P"), "ndcg_cut_10"]


@pytest.mark.parametrize("convention", ["trec_eval", "trec_eval-9", "pytrec_eval", "rankgauge"])
def test_records_have_the_measures_in_the_order_asked(convention: str):
    asked = ["ndcg_cut_10", "P_5", "map"]

    ev = rg.evaluate({"q": {"d": 1}}, {"q": {"d": 1.0, "e": 0.5}}, asked, convention=convention)

    assert ev.labels == asked
    assert list(ev.mean()) == asked
    assert ev.per_query.columns == ["query_id", *asked]


@pytest.mark.parametrize(
    ("output", "nickname"),
    [
        ("out.test", "official"),
        ("out.test.a", "all_trec"),
        ("out.test.aq", "all_trec"),
        ("out.test.qrels_jg", "qrels_jg"),
    ],
)
def test_nicknames_stand_for_the_measures_that_trec_eval_prints(output: str, nickname: str, shared: Path):
    [golden] = [golden for golden in GOLDEN if golden.output == f"trec_eval_test/{output}"]

    got = printed(evaluated(golden, shared, nickname), golden)

    assert got == trec_golden.read_output(shared / golden.output)


def test_parameters_replace_the_measure_of_a_nickname(shared: Path):
    """`-m all_trec -m relstring.20` prints relstring_20 in the place of relstring."""
    [golden] = [golden for golden in GOLDEN if golden.output.endswith("out.test.aql")]

    got = printed(evaluated(golden, shared, ["all_trec", "relstring.20"]), golden)

    assert got == trec_golden.read_output(shared / golden.output)


def test_older_trec_eval_has_no_rbp_and_unj_in_all_trec(shared: Path):
    golden = trec_golden.dl_hard("bm25")

    labels = evaluated(golden, shared, "all_trec").labels

    assert labels == [name for name in trec_golden.ALL_TREC_9 if name != "runid"]


def test_measure_parameters_as_typed_on_the_command_line(shared: Path):
    """`-m P.5,7,3` is sorted and printed as P_3, P_5, P_7."""
    [golden] = [golden for golden in GOLDEN if golden.output.endswith("meas_params")]
    typed = [
        *("iprec_at_recall..10,.20,.25,.75,.50", "P.5,7,3", "recall.20,2000", "Rprec_mult.5.0,0.2,0.35"),
        *("utility.2,-1,0,0", "11pt_avg..25,.5,.75", "ndcg.1=3,2=9,4=4.5"),
        *("ndcg_cut.10,20,23.4", "success.2,5,20"),
    ]

    got = printed(evaluated(golden, shared, typed), golden)

    assert got == trec_golden.read_output(shared / golden.output)


def test_missing_query_without_complete_is_left_out(shared: Path):
    [golden] = [golden for golden in GOLDEN if golden.output.endswith("out.test.aqc")]
    run = file(shared, golden.run)

    ev = rg.evaluate(file(shared, golden.qrels), run, ["map", "num_q", "num_rel"], convention="trec_eval")

    assert ev.counts["missing"] == 1
    assert ev["num_q"] == 2
    assert ev.per_query.filter(query_id="302")["map"].to_list() == [None]
    complete = rg.evaluate(file(shared, golden.qrels), run, "map", convention="trec_eval", missing="zero")
    assert complete["map"] == approx(ev["map"] * 2 / 3)


def test_comments_change_nothing(shared: Path):
    folder = shared / "trec_eval_test"
    names = ["map", "P_10", "bpref"]

    bare, commented = (
        rg.evaluate(folder / name, folder / "results.test.gz", names, convention="trec_eval")
        for name in ("qrels.test.gz", "qrels.test.with-comments.gz")
    )

    assert commented.mean() == bare.mean()
    assert commented.per_query.equals(bare.per_query)


# CODEC: the table in the README of grill-lab/CODEC (MAP and R@1000 on binary grades, nDCG@10 on graded ones)

CODEC = {
    "entity_bm25-tuned": (0.181, 0.397, 0.615),
    "entity_bm25+rm3-tuned": (0.209, 0.412, 0.685),
    "entity_ance-firstp": (0.076, 0.269, 0.340),
    "entity_bm25-tuned+t5-maxp": (0.172, 0.361, 0.615),
    "entity_bm25+rm3-tuned+t5-maxp": (0.179, 0.362, 0.685),
    "entity_ance-firstp+t5-maxp": (0.136, 0.407, 0.340),
}


@pytest.mark.parametrize(("system", "published"), CODEC.items())
def test_table_of_codec(system: str, published: tuple[float, float, float], shared: Path):
    folder = shared / "codec_entity"
    run = rg.read_run(folder / f"{system}.run.gz")

    binary = rg.evaluate(folder / "entity_binary.qrels.gz", run, ["MAP", "R@1000"])
    graded = rg.evaluate(folder / "entity_ndcg.qrels.gz", run, "nDCG@10")

    got = (binary["MAP"], graded["nDCG@10"], binary["R@1000"])
    assert tuple(round(value, 3) for value in got) == published


# ir_measures: figures printed in its tests


@pytest.mark.parametrize(
    ("p", "published"),
    [
        (0.95, (0.51779512165509, 0.018400100569017922)),
        (0.9, (0.3761334522946854, 0.004344079941789211)),
        (0.8, (0.16723008845234535, 0.00022806427320561776)),
    ],
)
def test_figures_of_compat(p: float, published: tuple[float, float], shared: Path):
    folder = shared / "ir_measures_compat"

    ev = rg.evaluate(folder / "compat.qrels", folder / "compat.run.gz", f"Compat(p={p})", convention="ir_measures")

    assert ev.per_query.rows() == [
        ("31_1", approx(published[0], abs=1e-9)),
        ("31_2", approx(published[1], abs=1e-9)),
    ]
    assert ev[f"Compat(p={p})"] == approx(sum(published) / 2, abs=1e-9)


CWL = {
    "AP": (0.7087, 0.7438, 0.3068),
    "BPM(T=1)@20": (1.0000, 1.0000, 0.1667),
    "BPM(T=2)@10": (0.6667, 1.0000, 0.2857),
    "INSQ(T=1)": (0.5872, 0.6629, 0.0880),
    "INSQ(T=2)": (0.4513, 0.5068, 0.1292),
    "INST(T=1)": (0.7934, 0.9226, 0.0888),
    "INST(T=2)": (0.5994, 0.6924, 0.1397),
    "SDCG@10": (0.5645, 0.6531, 0.2848),
    "NERR8@10": (1.0000, 1.0000, 0.1667),
    "NERR9@10": (1.0000, 1.0000, 0.0680),
    "NERR10(p=0.8)": (1.0000, 1.0000, 0.0888),
    "NERR11(T=2)": (1.0000, 1.0000, 0.0691),
    "P@1": (1.0000, 1.0000, 0.0000),
    "P@20": (0.2500, 0.3000, 0.2000),
    "RBP(p=0.9)": (0.3501, 0.3996, 0.1988),
    "RBPresidual(p=0.9)": (0.4733, 0.5026, 0.6197),
    "RR": (1.0000, 1.0000, 0.1667),
}


def test_figures_of_cwl_eval(shared: Path):
    """The file gives no other grade than 1, so the highest grade (`max_rel`) is 1 as in the figures."""
    folder = shared / "ir_measures_compat"

    ev = rg.evaluate(folder / "cwl.qrels", folder / "cwl.run", list(CWL))

    got = {name: tuple(ev.per_query.sort("query_id")[name]) for name in CWL}
    assert got == {name: approx(figures, abs=0.0001) for name, figures in CWL.items()}


CWL_GRADED = {  # ir_measures 0.4.3 with cwl-eval 1.0.12, bm25 run of DL-HARD, max_rel=3
    "BPM(T=2, max_rel=3)@10": (0.4444444444444444, 0.0),
    "INSQ(T=1, max_rel=3)": (0.5311659145801177, 0.002767081748873036),
    "INST(T=1, max_rel=3)": (0.7277231801869118, 0.0027405733232253923),
    "SDCG(max_rel=3)@10": (0.468361620121068, 0.0),
    "NERR10(p=0.8, max_rel=3)": (1.0, 0.0006341571583025666),
    "NERR11(T=2, max_rel=3)": (1.0, 0.0038989834405012227),
}


def test_graded_figures_of_cwl_eval(shared: Path):
    golden = trec_golden.dl_hard("bm25")

    ev = rg.evaluate(file(shared, golden.qrels), file(shared, golden.run), list(CWL_GRADED), convention="ir_measures")

    for name, figures in CWL_GRADED.items():
        column = dict(zip(ev.query_ids, ev.per_query[name], strict=True))
        assert [column[q] for q in ("915593", "794429")] == approx(figures, rel=1e-12), name


GDEVAL_QRELS = {
    "0": {"D0": 0, "D1": 1, "D2": 1, "D3": 2, "D4": 0},
    "1": {"D0": 1, "D3": 2, "D5": 2},
}
GDEVAL_RUN = {"0": ["D0", "D2", "D3", "D1", "D4"], "1": ["D1", "D3", "D2", "D4"]}


@pytest.mark.parametrize(
    ("k", "ndcg", "err"),
    [(20, (0.6201, 0.35099), (0.10175, 0.09375)), (2, (0.17377, 0.38685), (0.03125, 0.09375))],
)
def test_figures_of_gdeval(k: int, ndcg: tuple[float, float], err: tuple[float, float]):
    ev = rg.evaluate(GDEVAL_QRELS, GDEVAL_RUN, [f"nDCG@{k}", f"ERR@{k}"], convention="gdeval")

    assert tuple(ev.per_query[f"nDCG@{k}"]) == approx(ndcg, abs=0.00001)
    assert tuple(ev.per_query[f"ERR@{k}"]) == approx(err, abs=0.00001)


# pyndeval 0.0.8 on TREC Web 2014, the run ranked by score and then document id from high to low
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
NDEVAL_255 = {
    "NRBP": 3.0398368835493797e-07,
    "nNRBP": 6.32980308591575e-07,
    "AP_IA": 0.028296185343391032,
    "ERR_IA@20": 0.00721347565723539,
    "nERR_IA@20": 0.012934196466867233,
    "alpha_DCG@20": 0.02957617209892718,
    "alpha_nDCG@20": 0.04377331131377321,
    "P_IA@20": 0.01,
    "StRecall@20": 0.2,
}


def test_figures_of_ndeval(shared: Path):
    folder = shared / "web2014_diversity"
    names = list(NDEVAL_MEAN | NDEVAL_255)

    ev = rg.evaluate(folder / "qrels.web.251-300.ndeval.txt.gz", folder / "test.wt14.run.gz", names)

    [topic] = ev.per_query.filter(query_id="255").to_dicts()
    assert {name: topic[name] for name in NDEVAL_255} == approx(NDEVAL_255, rel=1e-12)
    assert {name: ev[name] for name in NDEVAL_MEAN} == approx(NDEVAL_MEAN, rel=1e-12)
