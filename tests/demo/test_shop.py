"""The demo shop: the same bytes for a seed, consistent ids, and the character it promises."""

import hashlib
import json
from collections import Counter
from math import log2
from statistics import fmean

import pytest

from rankgauge.demo import Shop, save, shop

FILES = ["qrels.txt", "bm25.run", "dense.run", "hybrid.run", "queries.jsonl", "products.jsonl"]
SHA256_OF_SEED_7 = "d8e3424e166b9a16cf86cc1e8c7a79eba55f494723ce15289535153755a639e1"


@pytest.fixture(scope="module")
def data() -> Shop:
    return shop(seed=7)


def ndcg_at_10(grades: dict[str, int], scores: dict[str, float]) -> float:
    def dcg(gains):
        return sum(gain / log2(rank + 1) for rank, gain in enumerate(gains[:10], start=1))

    ranking = sorted(scores, key=lambda doc_id: (scores[doc_id], doc_id), reverse=True)
    return dcg([grades.get(doc_id, 0) for doc_id in ranking]) / dcg(sorted(grades.values(), reverse=True))


def mean_ndcg(data: Shop, system: str, **only: str) -> float:
    """Over queries with something relevant; a query missing from the run counts as zero."""
    return fmean(
        ndcg_at_10(grades, data.runs[system].get(query_id, {}))
        for query_id, grades in data.qrels.items()
        if any(grades.values()) and only.items() <= data.queries[query_id].items()
    )


def tied(scores: dict[str, float]) -> set[str]:
    counts = Counter(scores.values())
    return {doc_id for doc_id, score in scores.items() if counts[score] > 1}


def test_saved_bytes_of_seed_7_never_change(data, tmp_path):
    digest = hashlib.sha256()
    for path in save(data, tmp_path / "shop"):
        digest.update(path.read_bytes())

    assert digest.hexdigest() == SHA256_OF_SEED_7


def test_another_seed_gives_another_shop(data):
    assert shop(seed=8) != data


def test_saved_files_hold_the_shop(data, tmp_path):
    paths = save(data, tmp_path)

    lines = {path.name: path.read_text(encoding="utf-8").splitlines() for path in paths}
    query_id, grades = next(iter(data.qrels.items()))
    doc_id, grade = next(iter(grades.items()))
    assert list(lines) == FILES
    assert lines["qrels.txt"][0] == f"{query_id} 0 {doc_id} {grade}"
    for system, run in data.runs.items():
        read = [line.split() for line in lines[f"{system}.run"]]
        assert [(q, d, float(score)) for q, _, d, _, score, _ in read] == [
            (q, d, score) for q, scores in run.items() for d, score in scores.items()
        ]
        assert {tag for *_, tag in read} == {system}
    queries = [json.loads(line) for line in lines["queries.jsonl"]]
    assert {row.pop("query_id"): row for row in queries} == data.queries
    assert len(lines["products.jsonl"]) == len(data.products)


def test_every_id_is_known(data):
    assert data.qrels.keys() == data.queries.keys()
    for grades in data.qrels.values():
        assert grades.keys() <= data.products.keys()
    for run in data.runs.values():
        assert run.keys() <= data.queries.keys()
        for scores in run.values():
            assert scores.keys() <= data.products.keys()


def test_counts(data):
    languages = Counter(query["language"] for query in data.queries.values())

    assert len(data.queries) == len({query["text"] for query in data.queries.values()}) == 200
    assert len(data.products) == 2000
    assert 0.55 < languages["en"] / 200 < 0.65
    assert {query["segment"] for query in data.queries.values()} == {"head", "torso", "tail"}
    assert {q["intent"] for q in data.queries.values()} == {"brand", "category", "attribute", "problem"}


def test_judgements_are_graded_and_of_the_promised_size(data):
    relevant = {q: sum(grade > 0 for grade in grades.values()) for q, grades in data.qrels.items()}
    by_segment = {
        segment: fmean(n for q, n in relevant.items() if data.queries[q]["segment"] == segment)
        for segment in ("head", "torso", "tail")
    }

    assert {grade for grades in data.qrels.values() for grade in grades.values()} == {0, 1, 2, 3}
    assert all(8 <= len(grades) <= 30 for grades in data.qrels.values())
    assert list(relevant.values()).count(0) == 3
    assert list(relevant.values()).count(1) >= 3
    assert by_segment["head"] > by_segment["torso"] > by_segment["tail"]


def test_lists_have_at_most_50_results_in_order_of_score(data):
    for run in data.runs.values():
        sizes = [len(scores) for scores in run.values()]
        assert max(sizes) == 50
        assert fmean(sizes) > 40
        assert all(list(scores.values()) == sorted(scores.values(), reverse=True) for scores in run.values())


def test_bm25_has_ties_that_involve_judged_products(data):
    run = data.runs["bm25"]
    touched = [q for q, scores in run.items() if tied(scores) & data.qrels[q].keys()]

    assert sum(len(tied(scores)) for scores in run.values()) > 0.1 * sum(map(len, run.values()))
    assert len(touched) > 50
    assert all(score == round(score, 2) for scores in run.values() for score in scores.values())


def test_hybrid_lacks_four_queries_that_have_relevant_products(data):
    missing = data.queries.keys() - data.runs["hybrid"].keys()

    assert len(missing) == 4
    assert all(any(data.qrels[query_id].values()) for query_id in missing)
    assert data.runs["bm25"].keys() == data.runs["dense"].keys() == data.queries.keys()


def test_hybrid_shows_products_nobody_judged_near_the_top(data):
    judged = {doc_id for grades in data.qrels.values() for doc_id in grades}
    elsewhere = {d for system in ("bm25", "dense") for scores in data.runs[system].values() for d in scores}
    new = [d for scores in data.runs["hybrid"].values() for d in list(scores)[:5] if d not in judged | elsewhere]

    assert len(new) > 20


@pytest.mark.parametrize("seed", [1, 7, 2024])
def test_hybrid_beats_dense_beats_bm25(seed):
    data = shop(seed)

    assert mean_ndcg(data, "hybrid") > mean_ndcg(data, "dense") + 0.02
    assert mean_ndcg(data, "dense") > mean_ndcg(data, "bm25") + 0.05


def test_bm25_is_weak_where_words_do_not_help(data):
    assert mean_ndcg(data, "bm25", language="zh") < mean_ndcg(data, "bm25", language="en") - 0.03
    assert mean_ndcg(data, "bm25", intent="problem") < mean_ndcg(data, "dense", intent="problem") - 0.2
    assert mean_ndcg(data, "bm25", intent="brand") > mean_ndcg(data, "dense", intent="brand")
