"""Everything pytrec_eval computes, query by query, as close as two orders of summing can be."""

import math
import random
from pathlib import Path
from typing import Any

import pytest

import rankgauge as rg
from oracle import trec_golden

pytrec_eval = pytest.importorskip("pytrec_eval")

NO_NUMBER = {"runid", "num_q", "relstring"}  # pytrec_eval gives 0 or 1 for these, whatever the data
LOGARITHMS = {"gm_map", "gm_bpref"}  # pytrec_eval leaves the exponential to its caller
CLOSE = 1e-12

Table = dict[str, dict[str, Any]]
Values = dict[str, dict[str, float]]


def theirs(qrels: Table, run: Table, measures: Any = None) -> Values:
    measures = pytrec_eval.supported_measures if measures is None else measures
    evaluator = pytrec_eval.RelevanceEvaluator(qrels, measures)
    return {
        query: {name: value for name, value in values.items() if name not in NO_NUMBER}
        for query, values in evaluator.evaluate(run).items()
    }


def names(values: Values) -> list[str]:
    return list(next(iter(values.values())))


def ours(ev: rg.Evaluation) -> Values:
    """Values of the queries that count, geometric means as logarithms."""
    out: Values = {}
    for column in ev.columns:
        for query, value, counted in zip(ev.query_ids, column.values, column.counted, strict=True):
            if counted:
                log = column.label in LOGARITHMS
                out.setdefault(query, {})[column.label] = math.log(max(value, 1e-5)) if log else float(value)
    return out


def differences(left: Values, right: Values) -> dict[tuple[str, str], tuple[float, float]]:
    assert left.keys() == right.keys()
    return {
        (query, name): (left[query][name], value)
        for query, values in right.items()
        for name, value in values.items()
        if not abs(left[query][name] - value) < CLOSE
    }


def evaluated(qrels: Any, run: Any, measures: list[str]) -> Values:
    return ours(rg.evaluate(qrels, run, measures, convention="pytrec_eval"))


def score(kind: str, rng: random.Random) -> float:
    """Scores with many ties, with ties in 32 bits only, or with none."""
    return {
        "ties": lambda: float(rng.randint(0, 4)),
        "float32": lambda: 0.1 + rng.randint(0, 5) * 1e-9,
        "large": lambda: float(2**24 + rng.randint(0, 3)),
        "distinct": rng.random,
    }[kind]()


def random_data(seed: int) -> tuple[Table, Table]:
    """Judged grades -1 to 3, lists of 1 to 40; one query missing on each side, two with nothing relevant."""
    rng = random.Random(seed)
    docs = [f"d{i:02d}" for i in range(60)]
    qrels, run = {}, {}
    for i in range(30):
        kind = rng.choice(["ties", "float32", "large", "distinct"])
        judged = rng.sample(docs, rng.randint(1, 30))
        qrels[f"q{i}"] = {doc: rng.choice([-1, 0, 0, 0, 1, 1, 2, 3]) for doc in judged}
        run[f"q{i}"] = {doc: score(kind, rng) for doc in rng.sample(docs, rng.randint(1, 40))}
    del run["q3"]
    del qrels["q4"]
    qrels["q5"] = {"d01": 0, "d02": 0}
    qrels["q6"] = {"d01": -1}
    return qrels, run


@pytest.mark.parametrize("seed", range(12))
def test_random_data(seed: int):
    qrels, run = random_data(seed)
    expected = theirs(qrels, run)

    assert expected.keys() == (qrels.keys() & run.keys())
    assert differences(evaluated(qrels, run, names(expected)), expected) == {}


@pytest.mark.parametrize("level", [2, 3, 4])
def test_level_of_relevance(level: int):
    qrels, run = random_data(100 + level)
    evaluator = pytrec_eval.RelevanceEvaluator(qrels, pytrec_eval.supported_measures - NO_NUMBER, relevance_level=level)
    expected = evaluator.evaluate(run)

    ev = rg.evaluate(qrels, run, names(expected), convention="pytrec_eval", rel=level)

    assert differences(ours(ev), expected) == {}


def test_only_judged_documents():
    qrels, run = random_data(200)
    qrels = {query: {doc: max(grade, 0) for doc, grade in judged.items()} for query, judged in qrels.items()}
    evaluator = pytrec_eval.RelevanceEvaluator(
        qrels, pytrec_eval.supported_measures - NO_NUMBER, judged_docs_only_flag=True
    )
    expected = evaluator.evaluate(run)

    ev = rg.evaluate(qrels, run, names(expected), convention="pytrec_eval", unjudged="remove")

    emptied = {query for query in expected if not qrels[query].keys() & run[query].keys()}
    assert emptied  # an empty list is a case of its own, see below
    assert {
        (query, name): values
        for (query, name), values in differences(ours(ev), expected).items()
        if not (query in emptied and name.startswith(("iprec", "11pt")))
    } == {}


CUTOFFS = (1, 2, 3, 5, 7, 10, 23, 50)
AT_ANY_CUTOFF = {f"{name}.{','.join(map(str, CUTOFFS))}" for name in ("P", "recall", "ndcg_cut", "map_cut")} | {
    f"success.{','.join(map(str, CUTOFFS))}",
    f"relative_P.{','.join(map(str, CUTOFFS))}",
    "iprec_at_recall.0.05,0.25,0.33,0.5,0.99",
    "Rprec_mult.0.1,0.35,1.7,5.0",
}


def test_cutoffs_of_the_caller():
    qrels, run = random_data(300)
    expected = theirs(qrels, run, AT_ANY_CUTOFF)

    assert len(names(expected)) == 6 * len(CUTOFFS) + 5 + 4
    assert differences(evaluated(qrels, run, names(expected)), expected) == {}


def test_measures_by_their_bare_names():
    """`P` stands for nine cutoffs here as there."""
    qrels, run = random_data(400)
    expected = theirs(qrels, run)

    got = evaluated(qrels, run, sorted(pytrec_eval.supported_measures - NO_NUMBER))

    assert {name for values in got.values() for name in values} == set(names(expected))
    assert differences(got, expected) == {}


REAL = {
    "web2014": ("web2014_diversity/qrels.web.251-300.txt", "web2014_diversity/test.wt14.run"),
    "dl_hard": ("dl_hard_passage/dl_hard-passage.qrels", "dl_hard_passage/bm25+t5(zs).run"),
    "codec": ("codec_entity/entity_ndcg.qrels", "codec_entity/entity_bm25+rm3-tuned.run"),
    "cast2021": ("cast2021_docs/trec-cast-qrels-docs.2021.qrel", "cast2021_docs/org_convdr_bert.run"),
}


@pytest.mark.parametrize("name", REAL)
def test_real_data(name: str, shared: Path):
    """Through files: negative grades, turns without judgements, equal scores, ids such as `economics-1`."""
    qrels_file, run_file = (shared / path for path in REAL[name])
    qrels = {
        query: {doc: int(grade) for (doc, _), grade in judged.items()}
        for query, judged in trec_golden.read_qrels(qrels_file).items()
    }
    expected = theirs(qrels, trec_golden.read_run(run_file))

    got = evaluated(qrels_file.with_name(f"{qrels_file.name}.gz"), f"{run_file}.gz", names(expected))

    assert differences(got, expected) == {}


# Named differences


def test_scores_that_differ_only_in_64_bits():
    """trec_eval 9, which pytrec_eval builds, compares 0.100000002 and 0.100000001 as equal; 10 does not."""
    qrels, run = {"q": {"a": 1, "b": 0}}, {"q": {"a": 0.100000002, "b": 0.100000001}}

    assert theirs(qrels, run, {"recip_rank"}) == {"q": {"recip_rank": 1 / 2}}  # equal, so b before a
    assert evaluated(qrels, run, ["recip_rank"]) == {"q": {"recip_rank": 1 / 2}}
    assert rg.evaluate(qrels, run, "recip_rank", convention="trec_eval")["recip_rank"] == 1


def test_empty_list_has_no_precision_there_and_0_here():
    """Its 0/0 at recall 0 is mostly NaN, for the query and so for the mean."""
    qrels, run = {"q": {"a": 1}, "p": {"a": 1}}, {"q": {}, "p": {"a": 1.0}}
    zeros = dict.fromkeys(["iprec_at_recall_0.00", "11pt_avg", "map"], 0)

    assert theirs(qrels, run, {"map"})["q"] == {"map": 0}
    assert evaluated(qrels, run, list(zeros))["q"] == zeros


def test_query_with_empty_judgements_is_dropped_there_and_counted_here():
    """The judgements fix the queries; without a relevant document the value is 0 under this convention."""
    qrels, run = {"q": {}, "p": {"a": 1}}, {"q": {"a": 1.0}, "p": {"a": 1.0}}

    assert theirs(qrels, run, {"map"}) == {"p": {"map": 1}}
    assert evaluated(qrels, run, ["map"]) == {"p": {"map": 1}, "q": {"map": 0}}


def test_negative_grade_is_unjudged_there_and_judged_here():
    """trec_eval -J takes it out of the list; `unjudged="remove"` takes out what nobody looked at."""
    qrels, run = {"q": {"a": 1, "spam": -1}}, {"q": {"spam": 2.0, "a": 1.0}}
    evaluator = pytrec_eval.RelevanceEvaluator(qrels, {"recip_rank"}, judged_docs_only_flag=True)

    assert evaluator.evaluate(run) == {"q": {"recip_rank": 1}}
    ev = rg.evaluate(qrels, run, "recip_rank", convention="pytrec_eval", unjudged="remove")
    assert ev["recip_rank"] == 1 / 2
