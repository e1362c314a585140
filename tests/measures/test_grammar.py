"""From text to measures: every spelling that people and tools use, and what is said about the others."""

import pytest

import rankgauge as rg
from rankgauge.errors import ParameterError, UnknownName
from rankgauge.evaluation import evaluate, evaluate_predictions
from rankgauge.measures import REGISTRY, Measure, P, nDCG, parse
from rankgauge.measures.base import RANKINGS, fold
from rankgauge.measures.classes import CLASSES
from rankgauge.measures.explanation import explain
from rankgauge.measures.grammar import parse_many, parse_prediction, parse_ranking
from rankgauge.measures.predictions import PREDICTIONS, PredictionMeasure
from rankgauge.measures.shown import SHOWN

# what people type


TYPED = {
    "nDCG@10": "nDCG@10",
    "ndcg@10": "nDCG@10",
    "NDCG@10": "nDCG@10",
    "ndcg_cut_10": "nDCG@10",
    "nDCG(gain=exponential)@10": "nDCG(gain=exponential)@10",
    "AP(norm=hits)@6": "AP(norm=hits)@6",
    "recall@5": "R@5",
    "Recall@5": "R@5",
    "R@5": "R@5",
    "recall_5": "R@5",
    "HR@10": "Hit@10",
    "Hit@10": "Hit@10",
    "hit_rate@10": "Hit@10",
    "Hit Rate@3": "Hit@3",
    "success_10": "Hit@10",
    "RR@10": "RR@10",
    "MRR@10": "RR@10",
    "recip_rank": "RR",
    "MAP@10": "AP@10",
    "map_cut_10": "AP@10",
    "Precision@5": "P@5",
    "P_5": "P@5",
    "P(rel=2)@5": "P(rel=2)@5",
    " P @ 5 ": "P@5",
    "P( rel = 2 )@5": "P(rel=2)@5",
    "RR(k=10)": "RR@10",
    "nDCG(cutoff=10)": "nDCG@10",
    "F1@10": "F@10",
    "R-precision": "Rprec",
    "relative_P_10": "R(norm=min)@10",
    "nDCG@5(gain=exp)": "nDCG(gain=exponential)@5",
    "nDCG @ 5 ( gain = exp )": "nDCG(gain=exponential)@5",
    "P@5(rel=3)": "P(rel=3)@5",
    "P_5(rel=3)": "P(rel=3)@5",
    "P(rel=2)@5(divisor=retrieved)": "P(rel=2, divisor=retrieved)@5",
    "ndcg@5(gain={1: 3, 2: 9})": "nDCG(gain={1: 3, 2: 9})@5",
    "召回率@5": "R@5",
    "召回率_5": "R@5",
    "精确率@3": "P@3",
    "精确率＠３（ｒｅｌ＝２）": "P(rel=2)@3",
    "命中率": "Hit",
    "F1 值@3": "F@3",
    "F1值@3": "F@3",
    "平均倒数排名": "RR",
    "平均倒数排名@10": "RR@10",
    "倒数排名": "RR",
    "平均精度均值@10": "AP@10",
    "折损累计增益@5": "DCG@5",
    "归一化折损累计增益@10": "nDCG@10",
    "归一化折损累积增益@10": "nDCG@10",
    "期望倒数排名": "ERR",
    "准确率(threshold=0.5)": "Accuracy(threshold=0.5)",
    "ROC 曲线下面积": "AUC",
    "对数损失": "LogLoss",
}


def test_a_parameter_before_and_behind_the_cutoff_is_an_error_where_it_is_the_same():
    with pytest.raises(ParameterError, match=r"`rel` is given twice, as '2' and as '3'"):
        parse_ranking("P(rel=2)@5(rel=3)")


def test_accuracy_in_chinese_is_not_taken_for_anything_of_rankings():
    with pytest.raises(UnknownName, match=r"准确率 is accuracy, a measure of labels and scores.* use P@5\.$"):
        parse_ranking("准确率@5")


@pytest.mark.parametrize(
    ("name", "found"),
    {
        "Accuracy": ["Accuracy(threshold=0.5)", "PairAccuracy(nonrelevant=any)", "MulticlassAccuracy"],
        "acc": ["Accuracy(threshold=0.5)", "MulticlassAccuracy"],
        "准确率": ["Accuracy(threshold=0.5)", "MulticlassAccuracy"],
        "f1_score": ["F(threshold=0.5)", "MulticlassF"],
        "精确率": ["Precision(threshold=0.5)", "P", "MulticlassPrecision"],
        "召回率": ["R", "Recall(threshold=0.5)", "MulticlassRecall"],
        "命中率": ["Hit"],
    }.items(),
)
def test_what_is_explained_for_a_name(name, found):
    got = explain(name)

    assert [got.measure, *got.also] == found


@pytest.mark.parametrize("registry", [RANKINGS, PREDICTIONS, CLASSES, SHOWN], ids=lambda r: r.what)
def test_the_chinese_title_of_every_measure_is_a_name_of_it(registry):
    for cls in registry.measures.values():
        if not getattr(cls, "custom", False):
            assert registry.aliases[fold(cls.title.zh)] == (cls.name, {}), cls.name


SHARED = sorted(set(RANKINGS.aliases) & set(PREDICTIONS.aliases))


def test_names_of_both_fields_are_these():
    english = ["accuracy", "averageprecision", "f", "f1", "fbeta", "precision", "recall"]
    chinese = ["f1值", "f1分数", "f值", "召回率", "查全率", "查准率", "精准率", "精确率"]
    assert sorted([*english, *chinese]) == SHARED


@pytest.mark.parametrize("name", SHARED)
def test_a_name_of_both_fields_is_explained_as_the_better_known_one_and_names_the_other_at_once(name):
    got = explain(name)
    of_rankings, of_labels = parse_ranking(name), RANKINGS.aliases[name][0] in ("P", "F", "PairAccuracy")

    assert isinstance(parse(got.measure), PredictionMeasure if of_labels else type(of_rankings))
    other = next(iter(got.also))
    assert explain(other).question == (of_rankings.question if of_labels else got.also[other])
    assert explain(other).question != got.question
    for language, words in {"en": "also means", "zh": "同名指标"}.items():
        told = next(line for line in got.to_markdown(language=language).splitlines() if words in line)
        assert other in told


@pytest.mark.parametrize("name", SHARED)
def test_a_cutoff_makes_a_name_of_both_fields_one_of_rankings(name):
    got = explain(f"{name}@5")

    assert got.measure == str(parse_ranking(f"{name}@5"))
    assert got.also == {}


@pytest.mark.parametrize("name", SHARED)
def test_what_is_evaluated_decides_what_a_name_of_both_fields_means(name):
    ranking = evaluate({"q": {"a": 1}}, {"q": ["a", "b"]}, [name])
    rows = {"label": [0, 1], "score": [0.2, 0.8]}
    at = "" if name == "averageprecision" else "(threshold=0.5)"
    labels = evaluate_predictions(rows, [name + at])

    assert isinstance(ranking.columns[0].measure, Measure)
    assert isinstance(labels.columns[0].measure, PredictionMeasure)


@pytest.mark.parametrize(("text", "canonical"), TYPED.items())
def test_what_people_type(text, canonical):
    assert str(parse(text)) == canonical


# trec_eval 10 and pytrec_eval


TREC_EVAL = {
    "num_q": "NumQ",
    "num_ret": "NumRet",
    "num_rel": "NumRel",
    "num_rel_ret": "NumRelRet",
    "map": "AP",
    "gm_map": "GMAP",
    "Rprec": "Rprec",
    "bpref": "bpref",
    "recip_rank": "RR",
    "iprec_at_recall_0.10": "IPrec@0.1",
    "iprec_at_recall_1.00": "IPrec@1",
    "P_5": "P@5",
    "relstring": "relstring@10",
    "relstring_20": "relstring@20",
    "recall_1000": "R@1000",
    "infAP": "infAP",
    "gm_bpref": "GMbpref",
    "Rprec_mult_0.20": "RprecMult@0.2",
    "Rprec_mult_5.00": "RprecMult@5",
    "utility": "Utility",
    "utility_2,-1,0,0": "Utility(weights=2;-1;0;0)",
    "11pt_avg": "IPrec11",
    "11pt_avg_.25,.5,.75": "IPrec11(points=0.25;0.5;0.75)",
    "binG": "binG",
    "G": "G",
    "dcg": "DCG",
    "ideal_dcg": "IDCG",
    "ndcg": "nDCG",
    "ndcg_1=3,2=9,4=4.5": "nDCG(gain={1: 3, 2: 9, 4: 4.5})",
    "ndcg_rel": "nDCGrel",
    "Rndcg": "Rndcg",
    "ndcg_cut_10": "nDCG@10",
    "map_cut_100": "AP@100",
    "relative_P_5": "R(norm=min)@5",
    "success_1": "Hit@1",
    "set_P": "SetP",
    "set_relative_P": "SetP(relative=true)",
    "set_recall": "SetR",
    "set_map": "SetAP",
    "set_F": "SetF",
    "set_F_2": "SetF(beta=2, squared=false)",
    "num_nonrel_judged_ret": "NumNonrelJudgedRet",
    "map_avgjg": "MAPavgjg",
    "P_avgjg_5": "Pavgjg@5",
    "Rprec_mult_avgjg_0.20": "RprecMultavgjg@0.2",
    "yaap": "yaap",
    "rbp": "RBP",
    "rbp_p=.9": "RBP(p=0.9)",
    "rbp_resid": "RBPresidual",
    "rbp_resid_p=.9": "RBPresidual(p=0.9)",
    "unj_5": "Unjudged@5",
}

# pytrec_eval.supported_measures without runid, which is not a measure
PYTREC_EVAL = [
    "11pt_avg",
    "G",
    "P",
    "Rndcg",
    "Rprec",
    "Rprec_mult",
    "binG",
    "bpref",
    "gm_bpref",
    "gm_map",
    "infAP",
    "iprec_at_recall",
    "map",
    "map_cut",
    "ndcg",
    "ndcg_cut",
    "ndcg_rel",
    "num_nonrel_judged_ret",
    "num_q",
    "num_rel",
    "num_rel_ret",
    "num_ret",
    "recall",
    "recip_rank",
    "relative_P",
    "relstring",
    "set_F",
    "set_P",
    "set_map",
    "set_recall",
    "set_relative_P",
    "success",
    "utility",
]


@pytest.mark.parametrize(("text", "canonical"), TREC_EVAL.items())
def test_names_that_trec_eval_prints(text, canonical):
    assert str(parse(text)) == canonical


@pytest.mark.parametrize("text", PYTREC_EVAL)
def test_names_that_pytrec_eval_supports(text):
    assert isinstance(parse(text), Measure)


@pytest.mark.parametrize("text", ["P.5", "ndcg_cut.10", "iprec_at_recall..10", "11pt_avg..25,.5", "utility.1,-1,0,0"])
def test_names_as_trec_eval_reads_them_on_its_command_line(text):
    name, _, value = text.partition(".")

    assert parse(text) == parse(f"{name}_{value}")


# ranx


RANX = {
    "hits": "Hits",
    "hit_rate": "Hit",
    "precision": "P",
    "recall": "R",
    "f1": "F",
    "mrr": "RR",
    "map": "AP",
    "dcg": "DCG",
    "dcg_burges": "DCG(gain=exponential)",
    "ndcg": "nDCG",
    "ndcg_burges": "nDCG(gain=exponential)",
}
RANX_UNCUT = {"r-precision": "Rprec", "bpref": "bpref", "rbp.95": "RBP(p=0.95)", "rbp.5": "RBP(p=0.5)"}


@pytest.mark.parametrize(("text", "canonical"), RANX.items())
def test_names_of_ranx_with_a_cutoff_and_a_level(text, canonical):
    m = parse(canonical)

    assert parse(text) == m
    assert parse(f"{text}@100") == m.replace(k=100)
    assert parse(f"{text}-l2") == m.replace(rel=2)
    assert parse(f"{text}@100-l2") == m.replace(k=100, rel=2)


@pytest.mark.parametrize(("text", "canonical"), RANX_UNCUT.items())
def test_names_of_ranx_with_a_level(text, canonical):
    assert parse(text) == parse(canonical)
    assert parse(f"{text}-l2") == parse(canonical).replace(rel=2)


# ir_measures


IR_MEASURES = {
    "AP": "AP",
    "AP(rel=2)@100": "AP(rel=2)@100",
    "AP(judged_only=True)": "AP(judged_only=true)",
    "MAP": "AP",
    "AP_IA": "AP_IA",
    "MAP_IA": "AP_IA",
    "Accuracy@5": "PairAccuracy(nonrelevant=any)@5",
    "BPM@20": "BPM@20",
    "BPM(T=2.0, min_rel=0, max_rel=3)@20": "BPM(T=2, max_rel=3)@20",
    "Bpref": "bpref",
    "BPref(rel=2)": "bpref(rel=2)",
    "Compat(p=0.8)": "Compat(p=0.8)",
    "Compat(normalize=False)": "Compat(normalize=false)",
    "ERR@20": "ERR@20",
    "ERR_IA@20": "ERR_IA@20",
    "INSQ(T=1.0)": "INSQ",
    "INST(max_rel=4)": "INST(max_rel=4)",
    "IPrec@0.1": "IPrec@0.1",
    "IPrec(recall=0.1)": "IPrec@0.1",
    "Judged@10": "Judged@10",
    "MRR@10": "RR@10",
    "NERR8@20": "NERR8@20",
    "NERR9@20": "NERR9@20",
    "NERR10(p=0.5)": "NERR10(p=0.5)",
    "NERR11(T=2.0)": "NERR11(T=2)",
    "NRBP": "NRBP",
    "NRBP(alpha=0.25, beta=0.8)": "NRBP(alpha=0.25, beta=0.8)",
    "NumQ": "NumQ",
    "NumRel(rel=2)": "NumRel(rel=2)",
    "NumRelRet": "NumRelRet",
    "NumRet": "NumRet",
    "NumRet(rel=1)": "NumRet(rel=1)",
    "P@10": "P@10",
    "P(rel=2)@5": "P(rel=2)@5",
    "P(judged_only=True)@5": "P(judged_only=true)@5",
    "P_IA@10": "P_IA@10",
    "Precision@10": "P@10",
    "R@1000": "R@1000",
    "RBP(p=0.9, rel=1)": "RBP(p=0.9)",
    "RBP(rel=2)@10": "RBP(rel=2)@10",
    "RPrec": "Rprec",
    "RR(rel=2)@10": "RR(rel=2)@10",
    "Recall@100": "R@100",
    "Rprec(rel=2)": "Rprec(rel=2)",
    "SDCG@10": "SDCG@10",
    "SetAP": "SetAP",
    "SetF(beta=0.5)": "SetF(beta=0.5)",
    "SetP": "SetP",
    "SetP(relative=True)": "SetP(relative=true)",
    "SetR": "SetR",
    "SetRelP": "SetP(relative=true)",
    "StRecall@10": "StRecall@10",
    "Success@10": "Hit@10",
    "alpha_DCG@10": "alpha_DCG@10",
    "alpha_nDCG(alpha=0.25)@10": "alpha_nDCG(alpha=0.25)@10",
    "infAP": "infAP",
    "nDCG@10": "nDCG@10",
    "NDCG@10": "nDCG@10",
    "nDCG(dcg='exp-log2')@10": "nDCG(gain=exponential)@10",
    "nDCG(dcg='log2')@10": "nDCG@10",
    "nDCG(gains={1: 3, 2: 9})@10": "nDCG(gain={1: 3, 2: 9})@10",
    "nDCG(gains={1:3,2:9},judged_only=True)@10": "nDCG(gain={1: 3, 2: 9}, judged_only=true)@10",
    "nDCG(judged_only=True)@10": "nDCG(judged_only=true)@10",
    "nERR_IA@10": "nERR_IA@10",
    "nNRBP": "nNRBP",
    "α_DCG@10": "alpha_DCG@10",
    "α_nDCG@10": "alpha_nDCG@10",
}


@pytest.mark.parametrize(("text", "canonical"), IR_MEASURES.items())
def test_names_of_ir_measures(text, canonical):
    assert str(parse(text)) == canonical


# other ways in


def test_a_measure_or_its_class_is_taken_as_it_is():
    assert parse(nDCG(k=10)) == nDCG(k=10)
    assert parse(nDCG) == nDCG()


def test_several_at_once():
    assert parse_many(["P@5", nDCG(k=10)]) == [P(k=5), nDCG(k=10)]
    assert parse_many("P@5") == [P(k=5)]


def test_one_measure_is_asked_for_as_text_object_or_class():
    qrels = {"q1": {"a": 1}, "q2": {"b": 1}}
    run = {"q1": {"a": 2.0, "b": 1.0}, "q2": {"a": 2.0, "b": 1.0}}
    rows = {"label": [1, 0, 1], "score": [0.9, 0.2, 0.4]}
    assert rg.evaluate(qrels, run, rg.RR).mean() == {"RR": 0.75}
    assert rg.evaluate(qrels, run, rg.RR).by_cutoff(rg.nDCG, [1]).measures == ["nDCG"]
    assert rg.compare(qrels, {"a": run, "b": run}, rg.AP).measures == ["AP"]
    evaluated = {"a": rg.evaluate(qrels, run, "RR"), "b": rg.evaluate(qrels, run, "RR")}
    assert rg.compare(evaluated, measures=rg.RR).measures == ["RR"]
    assert rg.evaluate_predictions(rows, rg.AUC).mean() == {"AUC": 1.0}
    assert rg.PredictionState(measures=rg.AUC).measures == ("AUC",)


def test_what_is_no_measure_and_no_list_is_refused_with_an_example():
    with pytest.raises(ParameterError, match="must be a text such as 'nDCG@10' or a Measure, got 5"):
        rg.evaluate({"q": {"a": 1}}, {"q": ["a"]}, 5)


@pytest.mark.parametrize("text", ["nDCG@10,R@5", "nDCG@10 R@5", "nDCG@10; R@5", "ｎDCG＠１０，Ｒ＠５", "nDCG@10、R@5"])
def test_several_measures_in_one_word_are_told_apart(text):
    with pytest.raises(UnknownName) as e:
        evaluate({"q": {"a": 1}}, {"q": ["a"]}, text)
    assert "names 2 measures; each is named by itself: ['nDCG@10', 'R@5'] in Python" in str(e.value)
    assert str(e.value).endswith("-m nDCG@10 -m R@5 on the command line.")


def test_commas_of_parameters_part_no_measures():
    with pytest.raises(UnknownName, match=r"\['P\(rel=2, judged_only=true\)@5', 'R\(rel=2\)'\]"):
        parse_ranking("P(rel=2, judged_only=true)@5, R(rel=2)")
    with pytest.raises(ParameterError, match="unknown parameter 'lel'"):
        parse_ranking("P(lel=2, judged_only=true)@5")
    with pytest.raises(UnknownName, match="Did you mean nDCG"):
        parse_ranking("nDGC@10")
    with pytest.raises(UnknownName, match="names 2 measures"):
        parse_prediction("AUC, LogLoss")


@pytest.mark.parametrize("thing", [5, None, ["P@5"]])
def test_anything_else_is_refused(thing):
    with pytest.raises(ParameterError, match="a measure must be a text such as 'nDCG@10'"):
        parse(thing)


# near misses


@pytest.mark.parametrize(
    ("text", "near"),
    [
        ("nDGC@10", "nDCG@10"),
        ("ndgc@10", "nDCG@10"),
        ("recal@5", "Recall@5"),
        ("Precison_5", "Precision_5"),
        ("succes_10", "Success_10"),
        ("bperf", "bpref"),
        ("alpha_nDGC@20", "alpha_nDCG@20"),
        ("nDGC(gain=exponential)@10", "nDCG(gain=exponential)@10"),
    ],
)
def test_near_miss_names_the_nearest_measure(text, near):
    with pytest.raises(UnknownName) as error:
        parse(text)

    assert f"unknown measure {text!r}. Did you mean {near}?" in str(error.value)
    assert isinstance(parse(near), Measure)


@pytest.mark.parametrize("text", ["", "@10", "qqqqqqq", "P@5@10", "nDCG(k=10", "runid"])
def test_nonsense_is_unknown(text):
    with pytest.raises(UnknownName, match="unknown measure"):
        parse(text)


# bad parameters


BAD = {
    "nDCG@0": "nDCG: `k` must be a positive integer or None, got '0'.",
    "nDCG@-1": "nDCG: `k` must be a positive integer or None, got '-1'.",
    "nDCG@2.5": "nDCG: `k` must be a positive integer or None, got '2.5'.",
    "nDCG@ten": "nDCG: `k` must be a positive integer or None, got 'ten'.",
    "P(rel=0)@5": "P: `rel` must be a number above 0, got '0'.",
    "P(rel=nan)@5": "P: `rel` must be a number above 0, got 'nan'.",
    "AP(norm=most)": "AP: `norm` must be one of all, min, hits, got 'most'.",
    "nDCG(gain=cubic)@10": "nDCG: `gain` must be linear, exponential, or a mapping such as {1: 3, 2: 9}, got",
    "nDCG(judged_only=maybe)": "nDCG: `judged_only` must be True or False, got 'maybe'.",
    "RBP(p=1)": "RBP: `p` must be a number above 0 below 1, got '1'.",
    "F(beta=0)@5": "F: `beta` must be a number above 0, got '0'.",
    "IPrec@1.5": "IPrec: `r` must be a number from 0 up to 1, got '1.5'.",
    "relstring@none": "relstring: `k` must be a positive integer, got 'none'.",
    "P(relevance=2)@5": "P: unknown parameter 'relevance'.",
    "P(5)": "'P(5)': a parameter must be written name=value, got '5'.",
    "bpref@10": "'bpref@10': bpref takes nothing behind '@'.",
    "bpref_10": "'bpref_10': bpref takes nothing behind '@'.",
    "infAP_1=3": "infAP: unknown parameter 'gain'.",
}


@pytest.mark.parametrize(("text", "message"), BAD.items())
def test_bad_parameters_say_what_must_be(text, message):
    with pytest.raises(ParameterError) as error:
        parse(text)

    assert str(error.value).startswith(message)


def test_too_many_positional_parameters_are_refused():
    with pytest.raises(ParameterError, match="takes 3 parameters, got 4"):
        REGISTRY["bpref"](1, False, "20t", 3)


# measures as Python objects


def test_a_cutoff_stands_behind_the_at_of_a_class_or_of_a_value():
    assert rg.nDCG @ 10 == parse("nDCG@10")
    assert rg.P(rel=2) @ 5 == parse("P(rel=2)@5")
    assert rg.F is rg.measures.F
    assert issubclass(rg.AUC, rg.PredictionMeasure)


KINDS = {"predictions": "PREDICTIONS", "classes": "CLASSES", "shown": "SHOWN", "spans": "SPANS"}


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_has_its_measures_by_name(kind: str):
    package, registry = getattr(rg.measures, kind), getattr(rg.measures, KINDS[kind]).measures

    assert {name: getattr(package, name) for name in registry} == registry
    assert sorted({*package.__all__, *registry}) == dir(package)
    assert [name for name in package.__all__ if not hasattr(package, name)] == []
    with pytest.raises(AttributeError, match=f"module 'rankgauge.measures.{kind}' has no attribute 'nDCG'"):
        package.nDCG  # noqa: B018


def test_a_name_of_several_kinds_is_that_of_the_kind_that_is_asked():
    kinds = [rg, rg.measures.predictions, rg.measures.classes]

    assert len({kind.F for kind in kinds}) == 3
    assert [kind.F.__module__.split(".")[2] for kind in kinds] == ["precision", "predictions", "classes"]
    assert str(rg.measures.predictions.F(threshold=0.5)) == "F(threshold=0.5)"


def test_the_at_works_on_measures_of_every_kind():
    assert rg.measures.shown.Coverage @ 10 == parse("Coverage@10")
    assert rg.measures.spans.SpanRecall @ 5 == parse("SpanRecall@5")
    assert rg.measures.classes.TopKAccuracy @ 3 == rg.measures.parse_class("TopKAccuracy@3")
    with pytest.raises(ParameterError, match=r"^F: takes no cutoff, got @0\.5\.$"):  # and nothing about its threshold
        rg.measures.predictions.F @ 0.5


def test_a_class_is_called_by_its_name():
    ev = rg.evaluate({"q": {"a": 1}}, {"q": ["a"]}, [rg.RR, rg.nDCG @ 3, "AP"])

    assert ev.labels == ["RR", "nDCG@3", "AP"]
    assert rg.evaluate_predictions({"label": [1, 0], "score": [0.9, 0.1]}, [rg.AUC]).labels == ["AUC"]


@pytest.mark.parametrize(
    ("made", "said"),
    [
        (lambda: rg.Rprec @ 3, "takes no cutoff"),
        (lambda: rg.P @ 0, "positive"),
        (lambda: parse("nDCG@10000001"), "`k` must be at most 10,000,000; without it the whole list counts"),
        (lambda: parse("P@99999999999999999999999"), "`k` must be at most 10,000,000"),
    ],
)
def test_a_cutoff_that_cannot_be_is_refused(made, said):
    with pytest.raises(ParameterError, match=said):
        made()


def test_no_measure_hides_a_public_name():
    assert not {*REGISTRY} & {*rg.__all__}


@pytest.mark.parametrize(("typed", "meant"), [("MRR5", "MRR@5"), ("召回率10", "召回率@10"), ("nDCG10", "nDCG@10")])
def test_a_cutoff_without_its_sign_is_understood_as_one(typed, meant):
    with pytest.raises(UnknownName) as told:
        parse_ranking(typed)

    assert f"Did you mean {meant}?" in told.value.text.en
    assert f"是否想输入 {meant}？" in told.value.text.zh
