"""Judgements against loops over rows, priors against known truth."""

from __future__ import annotations

import json
from collections import defaultdict
from dataclasses import replace
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy import stats

import rankgauge as rg
from rankgauge.behavior.cleaning.clean import Cleaning, clean
from rankgauge.behavior.grading.judging import REASONS, graded, judgements
from rankgauge.behavior.grading.posterior import JEFFREYS, Tallies, interval, posterior_mean, priors
from rankgauge.behavior.logs.log import read_log
from rankgauge.behavior.logs.ubi import read_ubi
from rankgauge.errors import InputError, ParameterError
from rankgauge.reporting import render

BEHAVIOURS = ("click", "cart", "purchase", "refund")
GRADES = {"click": 1.0, "cart": 2.0, "purchase": 3.0}
WEIGHTS = {"click": 0.1, "cart": 0.3, "purchase": 0.6}


def shop(n: int = 4_000, seed: int = 1) -> pl.DataFrame:
    """Impressions of 3 queries with 8 items each; the first items of a query are better."""
    rng = np.random.default_rng(seed)
    item = rng.integers(0, 8, n)
    click = rng.random(n) < 0.5 / (1 + item)
    cart = click & (rng.random(n) < 0.5)
    purchase = cart & (rng.random(n) < 0.5)
    return pl.DataFrame(
        {
            "request_id": np.arange(n),
            "query_id": [f"q{i}" for i in rng.integers(0, 3, n)],
            "item_id": [f"i{i}" for i in item],
            "click": click,
            "cart": cart,
            "purchase": purchase,
            "refund": purchase & (rng.random(n) < 0.3),
        }
    )


def naive(frame: pl.DataFrame, values: dict[str, float], least: int) -> dict:
    """{(query, item): (examined, counts, rate)} by loops."""
    best = max(values.values())
    found = defaultdict(list)
    for r in frame.to_dicts():
        there = [b for b in BEHAVIOURS if r.get(b)]
        value = 0.0 if "refund" in there else max((values.get(b, 0.0) for b in there), default=0.0)
        found[r["query_id"], r["item_id"]].append((value / best, there))
    return {
        pair: (
            len(rows),
            {b: sum(b in there for _, there in rows) for b in BEHAVIOURS},
            [v for v, _ in rows],
        )
        for pair, rows in found.items()
        if len(rows) >= least
    }


def by_pair(frame: pl.DataFrame) -> dict:
    return {(r["query_id"], r["item_id"]): r for r in frame.to_dicts()}


@pytest.mark.parametrize("gains", [None, WEIGHTS], ids=["grades", "gains"])
def test_evidence_against_loops(gains: dict | None):
    frame = shop()

    got = judgements(frame, gains=gains, prior=(2.0, 8.0), min_impressions=100)

    wanted = naive(frame, gains or GRADES, 100)
    evidence = by_pair(got.evidence)
    assert evidence.keys() == wanted.keys()
    for (query, item), (n, counts, values) in wanted.items():
        row = evidence[query, item]
        posterior = (2 + sum(values)) / (10 + n)
        assert (row["impressions"], row["examined"]) == (n, n)
        assert {b: row[b] for b in BEHAVIOURS} == counts
        assert row["rate"] == pytest.approx(sum(values) / n, abs=1e-12)
        assert row["posterior"] == pytest.approx(posterior, abs=1e-12)
        limits = stats.beta.ppf([0.025, 0.975], 2 + sum(values), 8 + n - sum(values))
        assert [row["low"], row["high"]] == pytest.approx(limits, abs=1e-9)
    best = max((2 + sum(values)) / (10 + n) for n, _, values in wanted.values())
    for pair, (n, _, values) in wanted.items():
        posterior = (2 + sum(values)) / (10 + n)
        assert evidence[pair]["grade"] == pytest.approx(3 * posterior / best if sum(values) else 0, abs=1e-12)


def naive_priors(rows: dict) -> tuple[dict[str, float], float, float]:
    """By loops over {(query, item): (n, …, values)}: the mean of each query, that of the log, the strength."""
    queries = defaultdict(list)
    for (query, _), (_, _, values) in rows.items():
        queries[query].append(values)
    everything = [v for items in queries.values() for v in items]
    size = sum(len(v) for v in everything)
    sigma = sum((x - np.mean(v)) ** 2 for v in everything for x in v) / (size - len(everything))
    between, freedom = 0.0, float(size)
    for items in queries.values():
        n = sum(len(v) for v in items)
        mean = sum(sum(v) for v in items) / n
        between += sum(len(v) * (np.mean(v) - mean) ** 2 for v in items)
        freedom -= sum(len(v) ** 2 for v in items) / n
    tau = (between - (len(everything) - len(queries)) * sigma) / freedom
    means, errors = {}, {}
    for query, items in queries.items():
        weights = [1 / (tau + sigma / len(v)) for v in items]
        means[query] = sum(w * np.mean(v) for w, v in zip(weights, items, strict=True)) / sum(weights)
        errors[query] = 1 / sum(weights)
    overall = sum(means[q] / errors[q] for q in queries) / sum(1 / errors[q] for q in queries)
    spread = sum((means[q] - overall) ** 2 / errors[q] for q in queries)
    omega = 0.0
    if stats.chi2.sf(spread, len(queries) - 1) < 0.05:
        w = [1 / e for e in errors.values()]
        omega = (spread - len(queries) + 1) / (sum(w) - sum(x * x for x in w) / sum(w))
        overall = sum(means[q] / (omega + errors[q]) for q in queries) / sum(1 / (omega + errors[q]) for q in queries)
    drawn = {q: (omega * means[q] + errors[q] * overall) / (omega + errors[q]) for q in queries}
    return drawn, overall, sigma / tau


@pytest.mark.parametrize("differ", [False, True])
def test_the_prior_of_a_query_against_loops(differ: bool):
    frame = shop()
    if differ:  # nine of ten clicks in q0 are gone
        lost = (pl.col("query_id") == "q0") & (pl.col("request_id") % 10 > 0)
        frame = frame.with_columns(pl.col(b) & ~lost for b in BEHAVIOURS)

    got = judgements(frame, min_impressions=0, unclear="keep")

    rows = naive(frame, GRADES, 0)
    means, overall, strength = naive_priors(rows)
    assert (len({round(m, 12) for m in means.values()}) > 1) == differ
    for pair, row in by_pair(got.evidence).items():
        n, _, values = rows[pair]
        posterior = (strength * means[pair[0]] + sum(values)) / (strength + n)
        assert row["posterior"] == pytest.approx(posterior, abs=1e-12)
    assert got.prior == pytest.approx((overall * strength, (1 - overall) * strength), rel=1e-9)


def test_where_no_query_has_two_items_all_pairs_are_items_of_one():
    frame = shop().with_columns(query_id=pl.col("query_id") + pl.col("item_id"), item_id=pl.lit("i"))

    got = judgements(frame, min_impressions=0, unclear="keep")

    values = [v for _, _, v in naive(frame, GRADES, 0).values()]
    _, _, strength = naive_priors({("q", i): (len(v), {}, v) for i, v in enumerate(values)})
    assert sum(got.prior) == pytest.approx(strength, rel=1e-9)


def tallies_of(rng: np.random.Generator, a: float, b: float, items: int, n: int) -> tuple[Tallies, np.ndarray]:
    rates = rng.beta(a, b, items)
    clicks = rng.binomial(n, rates).astype(float)
    return Tallies(np.full(items, float(n)), clicks, clicks, np.zeros(items, int)), rates


def test_moments_find_the_prior_that_made_the_items():
    rng = np.random.default_rng(11)
    found = []
    for _ in range(40):
        t, _ = tallies_of(rng, 3.0, 27.0, 300, 80)
        p = priors(t, "query")
        found.append((p.a[0] / (p.a[0] + p.b[0]), p.a[0] + p.b[0]))

    mean, strength = np.array(found).T
    # Standard errors are those of the mean over 40 independent samples. The strength is 1 / an estimate,
    # so its centre is looked at by the median, whose error is 1.25 times that of the mean.
    assert abs(mean.mean() - 0.1) < 3 * mean.std(ddof=1) / np.sqrt(40)
    assert abs(np.median(strength) - 30) < 3 * 1.2533 * strength.std(ddof=1) / np.sqrt(40)


def test_intervals_cover_as_often_as_they_say():
    t, rates = tallies_of(np.random.default_rng(12), 3.0, 27.0, 6_000, 25)

    low, high = interval(t, priors(t, (3.0, 27.0)))

    covered = np.mean((low <= rates) & (rates <= high))
    assert abs(covered - 0.95) < 3 * np.sqrt(0.95 * 0.05 / 6_000)


def test_intervals_with_the_estimated_prior_cover_as_well():
    t, rates = tallies_of(np.random.default_rng(13), 3.0, 27.0, 6_000, 25)

    low, high = interval(t, priors(t, "query"))

    assert np.mean((low <= rates) & (rates <= high)) == pytest.approx(0.95, abs=0.012)


def test_a_posterior_is_nearer_to_the_truth_than_the_rate():
    t, rates = tallies_of(np.random.default_rng(14), 3.0, 27.0, 2_000, 10)

    shrunk = posterior_mean(t, priors(t, "query"))

    assert np.mean((shrunk - rates) ** 2) < 0.5 * np.mean((t.total / t.n - rates) ** 2)


def test_items_that_differ_by_chance_only_have_the_strongest_prior():
    t = Tallies(np.full(50, 40.0), np.full(50, 4.0), np.full(50, 4.0), np.zeros(50, int))

    p = priors(t, "query")

    assert p.is_chance
    assert p.log == pytest.approx((100_000.0, 900_000.0))
    assert posterior_mean(t, p) == pytest.approx(np.full(50, 0.1))


@pytest.mark.parametrize("clicks", [0.0, 40.0])
def test_nothing_or_everything_clicked_takes_jeffreys(clicks: float):
    t = Tallies(np.full(9, 40.0), np.full(9, clicks), np.full(9, clicks), np.zeros(9, int))

    assert priors(t, "query").log == JEFFREYS


def test_no_prior_is_the_raw_rate_with_the_interval_of_jeffreys():
    got = judgements(shop(), {"click": 1}, prior=None, min_impressions=0)

    row = got.evidence.row(0, named=True)
    values = row["examined"] * row["rate"]
    assert row["posterior"] == row["rate"]
    limits = stats.beta.ppf([0.025, 0.975], values + 0.5, row["examined"] - values + 0.5)
    assert [row["low"], row["high"]] == pytest.approx(limits, abs=1e-9)


# grades


def test_a_refund_takes_the_purchase_back():
    frame = pl.DataFrame(
        {
            "request_id": range(20),
            "query_id": ["q"] * 20,
            "item_id": ["kept"] * 10 + ["returned"] * 10,
            "purchase": [True] * 20,
            "refund": [False] * 10 + [True] * 10,
        }
    )

    got = by_pair(judgements(frame, prior=None).evidence)

    assert (got["q", "kept"]["grade"], got["q", "returned"]["grade"]) == (3.0, 0.0)
    assert (got["q", "returned"]["purchase"], got["q", "returned"]["refund"]) == (10, 10)


def test_whole_grades_are_the_highest_that_is_often_enough():
    def item(name: str, clicks: int, carts: int, buys: int) -> pl.DataFrame:
        at = np.arange(100)
        flags = {"click": at < clicks, "cart": at < carts, "purchase": at < buys}
        return pl.DataFrame({"query_id": ["q"] * 100, "item_id": [name] * 100, **flags})

    frame = pl.concat(
        [item("none", 0, 0, 0), item("seen", 30, 0, 0), item("kept", 30, 20, 1), item("sold", 30, 20, 15)]
    )
    frame = frame.with_row_index("request_id")

    def grades(**settings) -> dict:
        found = judgements(frame, aggregate="max", prior=None, **settings)
        return {r["item_id"]: r["grade"] for r in found.evidence.to_dicts()}

    assert grades() == {"none": 0.0, "seen": 1.0, "kept": 2.0, "sold": 3.0}
    assert grades(threshold=0.01) == {"none": 0.0, "seen": 1.0, "kept": 3.0, "sold": 3.0}
    assert grades(threshold={"click": 0.31, "cart": 0.2, "purchase": 0.5}) == {
        "none": 0,
        "seen": 0,
        "kept": 2,
        "sold": 2,
    }
    thresholds = judgements(frame, aggregate="max", prior=None).thresholds
    assert thresholds == pytest.approx({"click": 90 / 400, "cart": 40 / 400, "purchase": 16 / 400})


def test_scales():
    frame = shop()
    whole = judgements(frame).evidence

    plain = judgements(frame, scale="none").evidence
    by_query = judgements(frame, scale="query").evidence

    assert whole["rate"].min() > 0
    assert plain["grade"].to_list() == pytest.approx((3 * whole["posterior"]).to_list())
    assert whole["grade"].to_list() == pytest.approx((3 * whole["posterior"] / whole["posterior"].max()).to_list())
    assert by_query.group_by("query_id").agg(pl.col("grade").max())["grade"].to_list() == [3.0] * 3
    best = whole.group_by("query_id").agg(best=pl.col("posterior").max())
    wanted = whole.join(best, on="query_id", how="left", maintain_order="left")
    assert by_query["grade"].to_list() == pytest.approx((3 * wanted["posterior"] / wanted["best"]).to_list())


def test_scales_leave_ndcg_as_it_is():
    frame = shop()
    run = {q: {f"i{i}": float(s) for i, s in enumerate([3, 9, 1, 7, 5, 8, 2, 6])} for q in ("q0", "q1", "q2")}

    values = [
        rg.evaluate(judgements(frame, min_impressions=0, scale=s).qrels, run, "nDCG@5")["nDCG@5"]
        for s in ("log", "query", "none")
    ]

    assert values == pytest.approx([values[0]] * 3, abs=1e-12)


def test_queries_without_an_event_are_not_judged():
    frame = shop().with_columns(
        pl.when(pl.col("query_id") == "q1").then(False).otherwise(pl.col(b)).alias(b) for b in BEHAVIOURS
    )

    got = judgements(frame)
    kept = judgements(frame, unclear="keep").evidence.filter(pl.col("query_id") == "q1")

    assert "q1" not in got.evidence["query_id"]
    assert (got.counts["no_event"], got.counts["queries_without_event"]) == (8, 1)
    assert "8 of 24 pairs not judged: no event on any item of the query" in got.notes
    assert kept["grade"].to_list() == [0.0] * 8
    assert kept["posterior"].min() > 0


def test_pairs_with_too_little_evidence_are_counted_not_judged():
    frame = pl.concat([shop(), shop(5, seed=2).with_columns(item_id=pl.lit("rare"), query_id=pl.lit("q0"))])

    got = judgements(frame)

    assert got.counts["too_little"] == 1
    assert got.counts["judged"] == len(got) == 24
    assert "rare" not in got.evidence["item_id"].to_list()
    assert got.unjudged.select("item_id", "reason").rows() == [("rare", "too_little")]
    assert "1 of 25 pairs not judged: fewer than 10 examined impressions" in got.notes


# evidence


def clicked(*pairs: tuple[str, str, int, int]) -> pl.DataFrame:
    """(query, item, impressions, clicks)"""
    rows = [(q, i, j < c) for q, i, n, c in pairs for j in range(n)]
    return pl.DataFrame(rows, ["query_id", "item_id", "click"], orient="row").with_row_index("request_id")


def random_clicks(rate: float = 0.02, requests: int = 12, seed: int = 1) -> pl.DataFrame:
    rng = np.random.default_rng(seed)
    return clicked(*((f"q{q}", f"i{i}", requests, rng.binomial(requests, rate)) for q in range(200) for i in range(10)))


@pytest.mark.parametrize("requests", [12, 200])
def test_random_clicks_judge_nothing(requests: int):
    got = judgements(random_clicks(requests=requests), {"click": 3})

    assert len(got) == 0
    assert got.counts["alike"] + got.counts["no_event"] == 2_000
    assert "0 judgements of 0 queries" in str(got)
    with pytest.raises(InputError, match=r"at least one pair must be judged, got none of 2,000: .* because of alike"):
        _ = got.qrels


@pytest.mark.parametrize(
    "options", [{}, {"unclear": "keep"}, {"scale": "query"}, {"aggregate": "max"}, {"prior": None}]
)
def test_a_pair_without_a_click_never_has_more_than_the_lowest_grade(options: dict):
    rng = np.random.default_rng(4)
    rates = rng.beta(1, 19, (60, 10))
    frame = pl.concat([clicked(*(("silent", f"i{i}", 40, 0) for i in range(5))), random_clicks()]).drop("request_id")
    more = clicked(*((f"p{q}", f"i{i}", 80, rng.binomial(80, rates[q, i])) for q in range(60) for i in range(10)))
    frame = pl.concat([frame, more.drop("request_id")]).with_row_index("request_id")

    got = judgements(frame, {"click": 3}, **options).evidence

    assert got.filter(pl.col("click") == 0).height > 0
    assert got.filter(pl.col("click") == 0)["grade"].max() == 0
    assert got["grade"].max() == 3


def test_every_pair_is_judged_or_has_one_reason():
    lonely = clicked(("lonely", "a", 50, 20), ("lonely", "b", 3, 1))
    alike = clicked(*(("alike", f"i{i}", 50, 10 + i % 2) for i in range(6)))
    dead = clicked(*(("dead", f"i{i}", 50, 0) for i in range(3)))
    clear = clicked(("clear", "good", 400, 200), ("clear", "poor", 400, 0), ("clear", "new", 10, 2))
    weak = clicked(*(("weak", f"i{i}", 300, 30) for i in range(9)), ("weak", "best", 300, 90))
    frame = pl.concat(f.drop("request_id") for f in (lonely, alike, dead, clear, weak)).with_row_index("request_id")

    got = judgements(frame, {"click": 1}, prior=(10, 50))

    reasons = {(r["query_id"], r["item_id"]): r["reason"] for r in got.unjudged.to_dicts()}
    assert reasons == {
        ("lonely", "a"): "single_item",
        ("lonely", "b"): "too_little",
        **{("alike", f"i{i}"): "alike" for i in range(6)},
        **{("dead", f"i{i}"): "no_event" for i in range(3)},
        ("clear", "new"): "like_prior",
    }
    counts = got.counts
    found = {r: counts[r] for r in REASONS}
    assert found == {"too_little": 1, "no_event": 3, "single_item": 1, "alike": 6, "like_prior": 1}
    assert counts["pairs"] == counts["judged"] + sum(found.values()) == len(got) + got.unjudged.height
    for reason, text in REASONS.items():
        note = next(n for n in got.notes if n.endswith(text(got.settings)))
        assert note.startswith(f"{found[reason]} of {counts['pairs']} pairs not judged")
        assert text(got.settings).zh in note.of("zh")
    assert by_pair(got.evidence)["clear", "poor"]["grade"] == 0


def test_often_seen_items_at_the_mean_of_the_prior_are_judged():
    frame = clicked(*(("q", f"i{i}", 500, 100) for i in range(4)), ("q", "good", 500, 200), ("q", "poor", 500, 10))

    got = by_pair(judgements(frame, {"click": 1}, prior=(20, 80)).evidence)

    assert got["q", "i0"]["low"] < 0.2 < got["q", "i0"]["high"]
    assert got["q", "poor"]["grade"] < got["q", "i0"]["grade"] < got["q", "good"]["grade"] == 1


@pytest.mark.parametrize(
    ("pairs", "reason"),
    [
        ([("q", "a", 30, 30), ("q", "b", 40, 40)], "alike"),
        ([("q", "a", 30, 0), ("q", "b", 40, 0)], "no_event"),
        ([("q", "a", 10**5, 2_000), ("q", "b", 10**5, 2_000)], "alike"),
        ([("q", "a", 12, 1), ("q", "b", 90, 0)], "alike"),
        ([("q", "a", 90, 50), ("r", "a", 90, 3)], "single_item"),
    ],
    ids=["all clicked", "none clicked", "identical", "one click", "one item each"],
)
def test_extremes_judge_nothing_and_say_why(pairs: list, reason: str):
    got = judgements(clicked(*pairs), {"click": 1})

    assert len(got) == 0
    assert got.counts[reason] == len(pairs)
    for language in ("en", "zh"):
        shown = render(got, "text", language)
        assert "nan" not in shown
        assert "inf" not in shown
        assert next(n for n in got.notes if n.endswith(REASONS[reason](got.settings))).of(language) in shown


def test_only_examined_impressions_count():
    frame = pl.DataFrame(
        {
            "request_id": np.repeat(np.arange(20), 3),
            "query_id": ["q"] * 60,
            "item_id": ["a", "b", "c"] * 20,
            "position": [1, 2, 3] * 20,
            "click": [True, False, False] * 10 + [False] * 30,
        }
    )

    got = by_pair(judgements(frame, {"click": 1}).evidence)

    assert [got["q", i]["examined"] for i in "abc"] == [20, 20, 10]
    assert [got["q", i]["impressions"] for i in "abc"] == [20, 20, 20]
    everything = judgements(frame, {"click": 1}, cleaning=Cleaning(examined="all")).evidence
    assert everything["examined"].to_list() == [20] * 3


# invariances


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10**6))
def test_order_and_names_do_not_matter(seed: int):
    frame = shop(300)
    assume(frame["purchase"].any())
    shuffled = frame.sample(fraction=1.0, shuffle=True, seed=seed)
    renamed = shuffled.with_columns(
        pl.col("request_id") * 7 + 1, item_id="x" + pl.col("item_id"), query_id="z" + pl.col("query_id")
    )

    a, b, c = (judgements(f, min_impressions=0).evidence for f in (frame, shuffled, renamed))

    assert a.equals(b)
    assert c.drop("query_id", "item_id").equals(a.drop("query_id", "item_id"))


def test_what_is_cleaned_already_gives_the_same():
    log = read_log(shop())

    assert judgements(clean(log)).evidence.equals(judgements(log).evidence)
    with pytest.raises(ParameterError, match="`cleaning` must be None for what is cleaned already"):
        judgements(clean(log), cleaning=Cleaning())


def test_event_rows_and_impression_rows_give_the_same():
    frame = shop(600)
    parts = [frame.select("request_id", "query_id", "item_id", event=pl.lit("impression"))]
    parts += [frame.filter(pl.col(b)).select("request_id", "query_id", "item_id", event=pl.lit(b)) for b in BEHAVIOURS]

    assert judgements(pl.concat(parts), min_impressions=0).evidence.equals(
        judgements(frame, min_impressions=0).evidence
    )


# records


def test_qrels_go_into_evaluate():
    got = judgements(shop())
    run = {q: {f"i{i}": 8.0 - i for i in range(8)} for q in ("q0", "q1", "q2")}

    ev = rg.evaluate(got.qrels, run, ["nDCG@5", "RR@10"])

    assert ev["nDCG@5"] > 0.99  # the items are in their true order
    assert ev["RR@10"] == 1.0


@pytest.mark.parametrize("name", ["a.qrels", "a.txt", "a.parquet", "a.csv"])
def test_written_judgements_are_read_back(tmp_path: Path, name: str):
    got = judgements(shop())

    got.write(tmp_path / name)

    assert rg.read_qrels(tmp_path / name).to_dict() == got.qrels.to_dict()


def test_written_evidence_is_whole(tmp_path: Path):
    got = judgements(shop())

    got.write(tmp_path / "a.parquet")

    assert pl.read_parquet(tmp_path / "a.parquet").equals(got.evidence)
    with pytest.raises(ParameterError, match=r"cannot tell the format of 'a.doc' from its suffix. Known: .txt"):
        got.write(tmp_path / "a.doc")


def test_the_record_is_plain_data():
    got = judgements(shop(), gains=WEIGHTS, prior=(1, 9))

    data = json.loads(json.dumps(got.to_dict()))
    assert data["settings"]["gains"] == WEIGHTS
    assert data["settings"]["prior"] == [1, 9]
    assert "evidence" not in data
    assert got.csv_rows()[0].keys() == set(got.to_frame().columns)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"events": {}}, "`events` must name at least one event, got none"),
        ({"events": {"click": 0}}, "`events`: 'click' must be a positive number, got 0.0"),
        ({"events": {"refund": 1}}, "`events` must map what follows on an impression, got 'refund'"),
        ({"gains": {"click": 1}}, "`gains` must name the same events as `events`: click, cart, purchase; got click"),
        ({"prior": (0, 1)}, "`prior` must be 'query', two positive numbers"),
        ({"prior": "log"}, "`prior` must be 'query'"),
        ({"min_impressions": -1}, "`min_impressions` must be a whole number from 0 up, got -1"),
        ({"aggregate": "mean"}, "`aggregate` must be one of rate, max, got 'mean'"),
        ({"scale": None}, "`scale` must be one of log, query, none, got None"),
        ({"unclear": "drop"}, "`unclear` must be one of skip, keep, got 'drop'"),
        ({"threshold": 2}, "`threshold` must be 'mean', a rate from 0 to 1"),
        ({"threshold": {"click": 0.1}}, "`threshold` must have a rate for each event, got none for 'cart'"),
        ({"confidence_level": 1}, "`confidence_level` must be between 0 and 1"),
    ],
)
def test_settings_that_cannot_be(options: dict, message: str):
    with pytest.raises(ParameterError, match=message):
        judgements(shop(20), **options)


def test_logs_that_say_too_little():
    with pytest.raises(InputError, match=r"at least one of the events wish, got: click, cart, purchase, refund"):
        judgements(shop(), {"wish": 1})
    with pytest.raises(InputError, match=r"no pair has 10 examined impressions, the most is \d+ .of \d+ pairs"):
        judgements(shop(30))
    nothing = shop(30).with_columns(item_id=pl.lit(None, dtype=pl.String))
    with pytest.raises(InputError, match=r"no impression is left of 30 rows.*by the rule incomplete .30 of 30"):
        judgements(nothing)


def test_events_that_the_log_does_not_have_are_said():
    got = judgements(shop().drop("cart"))

    assert "events that the log does not have: cart" in got.notes
    assert got.evidence["cart"].to_list() == [0] * 24


def test_no_click_at_all_is_no_error():
    got = judgements(shop().with_columns(pl.lit(False).alias(b) for b in BEHAVIOURS), {"click": 1})

    assert len(got) == 0
    assert got.counts["no_event"] == 24
    assert got.prior == JEFFREYS


def test_one_impression():
    frame = shop(1).with_columns(click=pl.lit(True))

    assert judgements(frame, {"click": 1}, min_impressions=1).counts["single_item"] == 1
    kept = judgements(frame, {"click": 1}, min_impressions=1, unclear="keep")
    assert kept.evidence["grade"].to_list() == [1.0]


# real data


def test_retrotech_end_to_end(shared: Path):
    got = judgements(shared / "retrotech_sessions" / "dryer_sessions.gz", {"click": 1})

    assert got.counts["judged"] == 20
    best = got.evidence.sort("grade").row(-1, named=True)
    assert best["item_id"] == "84691226727"
    assert best["low"] < best["posterior"] < best["high"]


def test_ubi_end_to_end_into_judgements(shared: Path):
    folder = shared / "ubi_events_synthetic"

    got = judgements(read_ubi(folder / "ubi_events.json.gz", folder / "ubi_queries.json.gz"), min_impressions=5)
    kept = graded(got.pair_counts, replace(got.settings, unclear="keep"))

    assert (got.counts["judged"], got.counts["pairs"]) == (0, 1_180)  # most pairs were seen once or twice
    assert kept.counts["judged"] > 20
    assert kept.evidence["grade"].max() == 3.0
    assert got.rules[0].rule == "bots"


def test_open_bandit_items_differ_by_no_more_than_chance(shared: Path):
    got = judgements(shared / "open_bandit_men" / "bts" / "men" / "men.csv.gz", {"click": 1})

    table = got.unjudged.select(pl.col("click"), rest=pl.col("examined") - pl.col("click")).to_numpy()
    assert stats.chi2_contingency(table).pvalue > 0.5
    assert got.counts["alike"] == got.counts["pairs"] == 34


def test_impressions_beyond_what_can_be_counted_are_refused():
    with pytest.raises(ParameterError, match="`min_impressions` must be at most"):
        judgements(shop(), {"click": 1}, min_impressions=10**400)
