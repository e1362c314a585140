"""`rg.plot`: every kind of chart from a record with known numbers, and from records with hardly any."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET

import numpy as np
import polars as pl
import pytest
from hostile import BREAKS, hostile_comparison, hostile_ids
from shown_records import record

import rankgauge as rg
from rankgauge import behavior as rb
from rankgauge.errors import InputError, ParameterError, UnknownName
from rankgauge.reporting.figures import KINDS

NS = "{http://www.w3.org/2000/svg}"
BARS = ("fill pos", "fill neg", "fill zero")

DRAWN = {
    # kind: the record, the element that carries the numbers, and the least number of them
    "measures": ("evaluations", "rect", 2 * 3),
    "by_cutoff": ("evaluations", "circle", 2 * 3),
    "by_budget": ("by budget", "circle", 3),
    "judged": ("evaluations", "circle", 2 * 3),
    "grades": ("evaluations", "rect", 3),
    "contrasts": ("comparison", "circle", 3 * 3),
    "differences": ("comparison", "rect", 39),
    "scatter": ("comparison", "circle", 39),
    "slices": ("comparison", "rect", 2 * 3),
    "query": ("movement", "tspan", 4 + 3),
    "funnel": ("funnel", "rect", 5),
    "channels": ("channels", "rect", 3),
    "by_call": ("by call", "rect", 3),
    "answers": ("answers", "rect", 3),
    "answers_by_recall": ("answers", "rect", 2),
    "funnel_ndcg": ("funnel", "rect", 5),
    "roc": ("prediction evaluations", "path", 2),
    "pr": ("prediction evaluations", "path", 2),
    "reliability": ("prediction evaluations", "circle", 10),
    "histogram": ("prediction evaluations", "rect", 20),
    "position": ("prediction evaluations", "circle", 2),
    "confusion": ("classes", "rect", 3 * 3),
    "propensity": ("position bias", "circle", 4),
    "judged_grades": ("judgements", "rect", 5),
    "clipping": ("off policy", "circle", 3),
    "changes": ("explanation", "rect", 4 * 10),
    "drift": ("drift", "circle", 18),
    "by_part": ("models by part", "circle", 4),
    "tradeoff": ("tradeoff", "circle", 3),
    "sweep": ("sweep", "circle", 2 * 2),
    "item_groups": ("groups of items", "rect", 2 * 3),
    "segments": ("prediction evaluations", "circle", 2),
    "trend": ("trend", "path", 2),
}


def drawn(found, kind=None, language="en", **options) -> ET.Element:
    """A figure must be XML, whatever is drawn."""
    return ET.fromstring(rg.plot(found, kind, language=language, **options).svg)


def marks(root: ET.Element, tag: str, *kinds: str) -> list[ET.Element]:
    """Elements of the drawing, without its title and its paper."""
    body = root.find(f"{NS}g")
    return [e for e in body.iter(NS + tag) if not kinds or e.get("class") in kinds]


def tips(elements: list[ET.Element]) -> list[str]:
    return [e.findtext(f"{NS}title") or "" for e in elements]


def words(root: ET.Element) -> str:
    return " ".join("".join(e.itertext()) for e in marks(root, "text"))


def points(path: ET.Element) -> list[tuple[float, float]]:
    return [(float(x), float(y)) for x, y in re.findall(r"(-?[\d.]+) (-?[\d.]+)", path.get("d"))]


def pair(n: int = 6, **options):
    """Queries whose one relevant item moves from rank 2 to 1, stays, or moves from 1 to 2, in turn."""
    qrels = {f"q{i}": {"a": 1} for i in range(n)}
    first, second = ["a", "x"], ["x", "a"]
    old = {q: (second, first, first)[i % 3] for i, q in enumerate(qrels)}
    new = {q: (first, first, second)[i % 3] for i, q in enumerate(qrels)}
    return rg.compare(qrels, {"old": old, "new": new}, ["RR", "P@1"], **options)


# every kind


def test_every_kind_has_its_place_here():
    assert set(DRAWN) == set(KINDS)


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("kind", list(KINDS))
def test_every_kind_is_drawn_and_described(kind: str, language: str):
    name, tag, least = DRAWN[kind]

    root = drawn(record(name), kind, language)

    assert root.get("lang") == language
    assert root.findtext(f"{NS}title").strip()
    assert root.findtext(f"{NS}desc").strip()
    assert len(marks(root, tag)) >= least
    for e in root.iter():
        assert "nan" not in " ".join(e.get(a, "") for a in ("x", "y", "width", "height", "cx", "cy", "d"))


@pytest.mark.parametrize("kind", list(KINDS))
def test_words_are_in_the_language_asked_for(kind: str):
    chinese = re.compile(r"[\u4e00-\u9fff]")
    texts = {lang: rg.plot(record(DRAWN[kind][0]), kind, language=lang).svg for lang in ("en", "zh")}

    assert not chinese.search(texts["en"].partition("</style>")[2])
    if kind != "query":  # made of ids, names and numbers alone
        assert chinese.search(re.search("<title>(.*?)</title>", texts["zh"])[1])


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("evaluation", "measures"),
        ("evaluations", "measures"),
        ("comparison", "contrasts"),
        ("comparison of seeds", "differences"),
        ("comparison of models", "contrasts"),
        ("prediction evaluation", "roc"),
        ("prediction evaluations", "roc"),
        ("funnel", "funnel"),
        ("movement", "query"),
        ("position bias", "propensity"),
        ("judgements", "judged_grades"),
        ("off policy", "clipping"),
    ],
)
def test_the_kind_that_says_most_is_drawn_unless_said(name: str, kind: str):
    assert rg.plot(record(name)).svg == rg.plot(record(name), kind).svg


def test_notebooks_show_it():
    figure = rg.plot(pair())

    assert figure._repr_html_().startswith("<svg")
    assert figure.svg.endswith(figure._repr_html_())


# the numbers


def test_differences_have_a_bar_for_each_query_with_its_difference():
    bars = marks(drawn(pair(), "differences", measure="RR"), "rect", *BARS)

    assert [b.get("class") for b in bars] == ["fill neg"] * 2 + ["fill zero"] * 2 + ["fill pos"] * 2
    assert sorted(tips(bars)) == [  # 1 - 1/2 = 0.5, sorted by query
        *("q0: +0.5000", "q1: 0.0000", "q2: -0.5000"),
        *("q3: +0.5000", "q4: 0.0000", "q5: -0.5000"),
    ]
    heights = [float(b.get("height")) for b in bars]
    assert heights[0] == pytest.approx(heights[-1], abs=0.2)
    assert heights[2:4] == [0, 0]
    assert heights[0] > 50


def test_scatter_has_a_dot_for_each_query_with_both_values():
    dots = marks(drawn(pair(), "scatter", measure="RR"), "circle")

    assert len(dots) == 6
    assert tips(dots).count("q0: 0.5000 → 1.0000") == 1
    assert tips(dots).count("q2: 1.0000 → 0.5000") == 1
    by_tip = dict(zip(tips(dots), dots, strict=True))
    assert by_tip["q0: 0.5000 → 1.0000"].get("class") == "soft pos"
    assert by_tip["q2: 1.0000 → 0.5000"].get("class") == "soft neg"


def test_contrasts_write_every_difference():
    found = record("comparison")
    root = drawn(found, "contrasts")

    assert len(marks(root, "circle")) == len(found.contrasts)
    for c in found.contrasts:
        assert any(t.startswith(f"{c.system}: {c.measure} {c.difference:+.4f}") for t in tips(marks(root, "circle")))


def test_contrasts_of_one_measure_in_any_spelling():
    found = record("comparison")

    assert len(marks(drawn(found, "contrasts", measure="ndcg_cut_10"), "circle")) == len(found.systems)


def test_slices_in_any_spelling_of_the_measure():
    found = record("comparison")
    cells = marks(drawn(found, "slices", measure="ndcg_cut_10"), "rect")

    assert len(cells) == 2 * len(found.systems)  # phone and desk
    for c in found.sliced:
        if c.measure == "nDCG@10":
            assert any(f"{c.slice} · {c.system}: nDCG@10 {c.difference:+.4f}" in tip for tip in tips(cells))


def test_slices_of_an_evaluation_show_its_means():
    ev = record("evaluations")["top"]
    root = drawn(ev, "slices")

    for row in ev.slices.iter_rows(named=True):
        said = f"{row['value']}: nDCG@10 {row['nDCG@10']:.4f}, n {row['n']}"
        assert said in tips(marks(root, "rect"))


def test_slices_say_how_many_queries_each_measure_counts():
    """Six of seven users have something relevant; Judged counts them all."""
    qrels = {f"u{i}": {"a": int(i != 3)} for i in range(7)}
    runs = {"old": {u: ["a", "b"] for u in qrels}, "new": {u: ["b", "a"] for u in qrels}}
    options = {"slices": {u: {"kind": "all"} for u in qrels}}
    ev = rg.evaluate(qrels, runs["old"], ["nDCG@2", "Judged@2"], **options)
    cmp = rg.compare(qrels, runs, ["nDCG@2", "Judged@2"], **options)
    stored = type(ev).from_dict(ev.to_dict(per_query=False))

    for one in (ev, cmp):
        root = drawn(one, "slices")
        assert "n 6 … 7" in [t.text for t in root.iter() if t.tag.endswith("text")]
        told = tips(marks(root, "rect"))
        assert [t.rpartition(", n ")[2] for t in told] == ["6", "7"]
    assert re.search(r"kind +all +6 … 7 ", str(ev))
    assert re.search(r"kind +all +7 ", str(stored))


def test_by_cutoff_has_a_dot_for_each_cutoff_and_run():
    runs = record("evaluations")
    root = drawn(runs, "by_cutoff", measure="R")
    cutoffs = rg.by_cutoff(runs["top"], ("R",))["R"]

    assert len(marks(root, "circle")) == 2 * len(cutoffs)
    for p in cutoffs:
        assert any(t.startswith(f"top: R@{p.k} {p.value:.4f}") for t in tips(marks(root, "circle")))


def test_low_values_over_cutoffs_are_drawn_up_to_the_largest():
    """One user of 40 finds what is relevant: on an axis up to 1 that would be a line along the bottom."""
    qrels = {f"u{i}": {"a": 1, "b": 1, "c": 1} for i in range(40)}
    low = {u: ["a", "x", "b", "y", "c"] if u == "u0" else ["x", "y", "z"] for u in qrels}
    dots = marks(drawn(rg.evaluate(qrels, low, ["R@5"]), "by_cutoff", measure="RR"), "circle")

    assert max(float(dot.get("cy")) for dot in dots) < 220  # of 320; it stood at 271, the axis is at 279


def test_measures_write_means_and_intervals():
    runs = record("evaluations")
    found = tips(marks(drawn(runs, "measures"), "rect"))

    for name, ev in runs.items():
        low, high = ev.interval("RR@10")
        assert f"{name}: RR@10 {ev['RR@10']:.4f} ({low:.4f} … {high:.4f})" in found


def test_grades_have_columns_as_high_as_they_are_frequent():
    qrels = {"q1": {"a": 2, "b": 1, "c": 1}, "q2": {"a": 0, "b": 1, "c": 0}}  # grade 0: 2, grade 1: 3, grade 2: 1
    root = drawn(rg.evaluate(qrels, {"q1": ["a"]}, ["RR"]), "grades")
    columns = {
        t.partition(":")[0]: float(e.get("height"))
        for e, t in zip(marks(root, "rect"), tips(marks(root, "rect")), strict=True)
    }

    assert columns["0"] / columns["1"] == pytest.approx(2 / 3, abs=0.01)
    assert columns["2"] / columns["1"] == pytest.approx(1 / 3, abs=0.01)


@pytest.mark.parametrize(("n", "ticks"), [(20, ["0", "5", "10", "15", "20"]), (2, ["0", "1", "2"]), (1, ["0", "1"])])
def test_the_axis_of_grades_counts_judgements(n: int, ticks: list[str]):
    qrels = {"q1": {f"d{i}": 1 for i in range(n)}}
    root = drawn(rg.evaluate(qrels, {"q1": ["d0"]}, ["RR"]), "grades")

    assert [e.text for e in root.iter() if e.get("class") == "tick"] == ticks


def test_judged_writes_the_share_at_each_rank():
    qrels = {"q1": {"a": 1}, "q2": {"a": 1}}
    root = drawn(rg.evaluate(qrels, {"r": {"q1": ["a", "x"], "q2": ["y", "a"]}}, ["RR"]), "judged")

    assert tips(marks(root, "circle")) == ["r: #1 50.0% (1/2)", "r: #2 50.0% (1/2)"]


def test_funnel_columns_are_as_high_as_what_is_lost():
    f = rg.funnel({"q": {"a": 1, "b": 1, "c": 1, "d": 1}}, {"first": {"q": ["a", "b", "x"]}, "last": {"q": ["a"]}}, k=5)
    columns = marks(drawn(f, "funnel"), "rect")
    heights = [float(c.get("height")) for c in columns]

    # 4 relevant; the first stage loses 2 (c, d), the last 1 (b), its cut none; 1 is shown
    assert [h / heights[0] for h in heights] == pytest.approx([1, 2 / 4, 1 / 4, 0, 1 / 4], abs=0.01)
    tops = [float(c.get("y")) for c in columns]
    assert tops[2] == pytest.approx(tops[1] + heights[1], abs=0.2)  # each hangs from the one before


def test_funnel_of_ndcg_ends_at_what_was_measured():
    f = record("funnel")
    columns = marks(drawn(f, "funnel_ndcg"), "rect")

    assert float(columns[-1].get("height")) / float(columns[0].get("height")) == pytest.approx(f.measured, abs=0.01)
    assert tips(columns)[-1] == f"{f.measured:.4f}"


def test_roc_rises_from_corner_to_corner():
    root = drawn(record("prediction evaluations"), "roc")
    (left, _), (right, _) = points(marks(root, "path", "axis")[-1])
    curves = marks(root, "path", "stroke s1", "stroke s2")

    assert len(curves) == 2
    for curve in curves:
        xs, ys = zip(*points(curve), strict=True)
        assert len(xs) > 20
        assert list(xs) == sorted(xs)
        assert list(ys) == sorted(ys, reverse=True)  # y grows downwards
        assert (xs[0], xs[-1]) == (left, right)


def test_histogram_classes_add_up():
    data = {"label": [0, 0, 0, 1], "score": [0.1, 0.1, 0.9, 0.9]}
    root = drawn(rg.evaluate_predictions(data, ["AUC"]), "histogram", bins=2)
    shares = [re.search(r"\((.*)%\)", t)[1] for t in tips(marks(root, "rect")) if t]

    assert sorted(float(s) for s in shares) == pytest.approx([33.3, 66.7, 100], abs=0.1)


def test_segments_have_a_row_each_and_position_a_dot_for_each_model():
    models = record("prediction evaluations")

    assert sorted(t.partition(":")[0] for t in tips(marks(drawn(models, "segments"), "circle"))) == [
        "device=desk",
        "device=phone",
    ]
    assert [t[: len(n)] for t, n in zip(tips(marks(drawn(models, "position"), "circle")), models, strict=True)] == [
        *models
    ]


def height(e: ET.Element) -> float:
    return float(e.get("cy"))


def test_propensity_has_a_dot_for_each_position_and_the_naive_line_beside_it():
    found = record("position bias")
    root = drawn(found, "propensity")
    dots = marks(root, "circle")
    _, naive = marks(root, "path", "dash s0")  # the first is in the legend

    assert [t.partition(":")[0] for t in tips(dots)] == ["1", "2", "3", "4"]
    for tip, value, low, high in zip(tips(dots), found.propensity, found.low, found.high, strict=True):
        assert tip.endswith(f": {value:.4f} ({low:.3f} … {high:.3f})")
    drop = [height(d) - height(dots[0]) for d in dots]  # y grows downwards
    assert [d / drop[3] for d in drop] == pytest.approx((1 - found.propensity) / (1 - found.propensity[3]), abs=0.01)
    assert len(points(naive)) == 4
    assert points(naive)[2][1] > height(dots[2])  # what is clicked there is worse, not only looked at less


def test_naive_propensities_are_a_dashed_line_without_intervals():
    root = drawn(record("naive position bias"), "propensity")

    assert marks(root, "circle") == []
    assert [e for e in marks(root, "path") if (e.get("class") or "").startswith("band")] == []
    assert len(points(marks(root, "path", "dash s0")[-1])) == 4


def test_a_position_that_is_looked_at_more_than_the_first_stays_inside():
    rows = pl.DataFrame(
        {
            "request_id": [f"r{i}" for i in range(800)],
            "query_id": ["q"] * 800,
            "item_id": ["a"] * 800,
            "position": [1, 2] * 400,
            "click": [i % 2 == 1 or i % 10 == 0 for i in range(800)],  # 1 of 5 at position 1, all at position 2
        }
    )
    found = rb.position_bias(rows)
    root = drawn(found, "propensity")

    assert found.propensity[1] == pytest.approx(5)
    assert all(0 < height(dot) < 340 for dot in marks(root, "circle"))
    assert all(0 < y < 340 for path in marks(root, "path", "dash s0") for _, y in points(path))


def test_judged_grades_have_a_column_for_each_grade():
    found = record("judgements of whole grades")
    root = drawn(found, "judged_grades")
    counts = found.evidence["grade"].value_counts().sort("grade").rows()

    assert [t for t in tips(marks(root, "rect")) if t] == [
        f"{g:g}: {n} ({100 * n / len(found):.1f}%)" for g, n in counts
    ]
    heights = [float(e.get("height")) for e in marks(root, "rect")]
    assert heights[0] / heights[-1] == pytest.approx(counts[0][1] / counts[-1][1], abs=0.01)


def test_clipping_has_a_dot_for_each_cut_and_the_log_beside_it():
    found = record("off policy")
    root = drawn(found, "clipping")
    finite = [s for s in found.sweep if np.isfinite(s.clip)]

    assert tips(marks(root, "circle")) == [
        f"{s.clip:g}: {s.snips:.4f} ({s.snips_low:.4f} … {s.snips_high:.4f})" for s in finite
    ]
    _, logged = marks(root, "path", "dash s0")  # the first is in the legend
    assert {y for _, y in points(logged)} == {points(logged)[0][1]}
    assert points(logged)[0][1] < height(marks(root, "circle")[0])  # 0.2250 is above 0.2210


def test_query_shows_both_lists_and_titles():
    root = drawn(pair().query("q0"), titles={"a": "A red shoe"})
    text = words(root)

    assert tips(marks(root, "text") + marks(root, "tspan")).count("a · A red shoe") == 2
    assert "old" in text
    assert "new" in text


def test_lower_is_better_turns_the_colours():
    """RBPresidual: what nobody judged; the new run shows judged items only."""
    qrels = {f"q{i}": {"a": 1, "b": 0} for i in range(4)}
    runs = {"old": {q: ["x", "y"] for q in qrels}, "new": {q: ["a", "b"] for q in qrels}}
    found = rg.compare(qrels, runs, ["RBPresidual"])

    bars = marks(drawn(found, "differences"), "rect", *BARS)
    dots = marks(drawn(found, "scatter"), "circle")

    assert found["RBPresidual"].difference < 0
    assert {b.get("class") for b in bars} == {"fill pos"}
    assert {d.get("class") for d in dots} == {"soft pos"}


def test_many_queries_become_areas():
    few, many = (drawn(pair(n), "differences") for n in (399, 1200))

    assert len(marks(few, "rect", *BARS)) == 399
    assert marks(many, "rect", *BARS) == []
    assert len(marks(many, "path", "fill pos")) == len(marks(many, "path", "fill neg")) == 1
    assert "1,200 queries" in words(many)
    assert len(rg.plot(pair(1200), "differences").svg) < 60_000


# hardly anything to draw

_ONE = {"q1": {"a": 1}}
SMALL = {
    "one query": lambda: rg.compare(_ONE, {"old": {"q1": ["x", "a"]}, "new": {"q1": ["a"]}}, ["RR", "AP"]),
    "all ties": lambda: rg.compare(
        {f"q{i}": {"a": 1} for i in range(5)},
        {name: {f"q{i}": ["x", "a"] for i in range(5)} for name in ("old", "new")},
        ["RR"],
    ),
    "empty lists": lambda: rg.compare(_ONE, {"old": {"q1": []}, "new": {"q1": []}}, ["RR"]),
    "no relevant item": lambda: rg.evaluate({"q1": {"a": 0}}, {"q1": ["a"]}, ["RR"]),
    "nothing found": lambda: rg.evaluate(_ONE, {"q1": []}, ["RR"]),
}


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("name", list(SMALL))
def test_small_records_are_drawn(name: str, language: str):
    found = SMALL[name]()
    compared = isinstance(found, rg.Comparison)
    of_one = ("rankings", "by_cutoff", "judgement_health")
    kinds = [k for k in KINDS.values() if k.needs in of_one or (compared and "comparison" in k.needs)]

    assert len(kinds) == (7 if compared else 4)
    for kind in kinds:
        svg = rg.plot(found, kind.name, language=language).svg
        ET.fromstring(svg)
        assert not re.search(r'[ "M L](nan|inf)', svg.partition("</style>")[2]), kind.name
    if compared:
        ET.fromstring(rg.plot(found.query(found.evaluations["old"].query_ids[0]), language=language).svg)


def test_one_query_has_no_interval():
    root = drawn(SMALL["one query"](), "differences")

    assert [e for e in marks(root, "path") if (e.get("class") or "").startswith("band")] == []
    assert "mean +0.5000" in words(root)


@pytest.mark.parametrize("scores", [[0.5] * 10, [0.0] * 10, list(np.linspace(0.01, 0.02, 10))], ids=str)
@pytest.mark.parametrize("kind", ["roc", "pr", "reliability", "histogram", "position"])
def test_scores_that_hardly_differ(kind: str, scores: list[float]):
    found = rg.evaluate_predictions({"label": [0, 1] * 5, "score": scores}, ["AUC", "LogLoss"])

    assert not re.search(r'[ "M L](nan|inf)', rg.plot(found, kind).svg.partition("</style>")[2])


_LOGGED = {"click": [0, 1] * 50, "propensity": [0.5] * 100, "user_id": ["u"] * 100}


@pytest.mark.parametrize(
    ("target", "user", "dots"),
    [(0.0, None, 0), (0.5, "user_id", 7)],
    ids=["nothing of the target was shown", "one user has no interval"],
)
def test_estimates_that_hardly_exist(target: float, user: str | None, dots: int):
    found = rb.off_policy({**_LOGGED, "target_propensity": [target] * 100}, user=user, force=True)
    svg = rg.plot(found, "clipping").svg

    assert not re.search(r'[ "M L](nan|inf)', svg.partition("</style>")[2])
    assert [t for t in tips(marks(ET.fromstring(svg), "circle")) if "…" in t] == []
    assert len(marks(ET.fromstring(svg), "circle")) == dots
    assert rg.report(found).rstrip().endswith("</html>")


# hostile names


@pytest.mark.parametrize("kind", [k for k, v in DRAWN.items() if v[0] in ("evaluations", "comparison")])
def test_hostile_names_stay_words(kind: str):
    root = drawn(hostile_comparison(), kind)

    allowed = {"svg", "title", "desc", "style", "rect", "text", "tspan", "g", "path", "circle"}
    assert {e.tag.removeprefix(NS) for e in root.iter()} <= allowed
    assert {a for e in root.iter() for a in e.keys() if a.startswith("on") or a == "href"} == set()  # noqa: SIM118


def test_hostile_ids_in_lists_and_tips():
    found = hostile_comparison()

    for query in hostile_ids():
        root = drawn(found.query(query), titles=dict.fromkeys(hostile_ids(), BREAKS[0]))
        assert BREAKS[0] in words(root)
        assert max(len(t.text or "") for t in root.iter(f"{NS}tspan")) < 400
    assert sum(BREAKS[0] in t for t in tips(marks(drawn(found, "differences"), "rect"))) >= 1


# errors


def test_unknown_kind():
    with pytest.raises(UnknownName, match=r"no chart 'diferences'\. Did you mean differences\? There are: measures, "):
        rg.plot(pair(), "diferences")


def test_wrong_record_says_what_it_has():
    with pytest.raises(InputError, match=r"roc needs an evaluation of labels and scores, got Comparison\. It has: "):
        rg.plot(pair(), "roc")
    with pytest.raises(InputError, match=r"differences needs a comparison of rankings, got Funnel. It has: funnel, "):
        rg.plot(record("funnel"), "differences")
    with pytest.raises(InputError, match=r"slices needs .* with slices, got Comparison. It has: contrasts, roc"):
        rg.plot(record("comparison of models"), "slices")
    with pytest.raises(InputError, match=r"roc needs an evaluation of labels and scores, got int\.$"):
        rg.plot(3, "roc")
    with pytest.raises(InputError, match=r"plot\(\) needs an evaluation, .* got GateResult"):
        rg.plot(record("gate"))


def test_unknown_option_and_language():
    with pytest.raises(ParameterError, match="differences: got an unexpected keyword argument 'colour'"):
        rg.plot(pair(), colour="red")
    with pytest.raises(ParameterError, match="`language` must be one of en, zh, got 'fr'"):
        rg.plot(pair(), language="fr")


@pytest.mark.parametrize("kind", ["differences", "scatter", "slices"])
def test_unknown_system_or_measure_of_a_comparison(kind: str):
    with pytest.raises(UnknownName, match=r"no system 'tpo'\. Did you mean top"):
        rg.plot(record("comparison"), kind, system="tpo")
    with pytest.raises(UnknownName, match=r"zz was not compared\. There are: nDCG@10"):
        rg.plot(record("comparison"), kind, measure="zz")


def test_unknown_model_or_run():
    with pytest.raises(UnknownName, match=r"no 'goood'\. Did you mean good\? There are: good, bad"):
        rg.plot(record("prediction evaluations"), "histogram", model="goood")
    with pytest.raises(UnknownName, match=r"no 'tpo'\. Did you mean top\? There are: top, tied"):
        rg.plot(record("evaluations"), "slices", system="tpo")


def test_slices_that_were_never_given():
    with pytest.raises(InputError, match=r"slices: the comparison has none\. Pass slices=… to compare"):
        rg.plot(pair(), "slices")
    with pytest.raises(ParameterError, match="no slices were given"):
        rg.plot(record("evaluations of many"), "slices")
