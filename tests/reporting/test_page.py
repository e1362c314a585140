"""The report as a file: what is in it, what is not, how large it is."""

from __future__ import annotations

import re
from collections import Counter
from html.parser import HTMLParser
from pathlib import Path

import numpy as np
import pytest
from hostile import ROOTS, SCRIPT, hostile_page
from shown_records import record

import rankgauge as rg
from rankgauge.errors import ParameterError
from rankgauge.reporting import sections
from rankgauge.reporting.page.gathering.queries import MOST_LISTS, MOST_ROWS

QRELS = {f"q{i}": {"a": 2, "b": 1, "c": 0, f"d{i}": 1} for i in range(30)}
OLD = {q: ["c", "x", "a", "b"] for q in QRELS}
NEW = {q: ["a", "c", "b", "y", f"d{i}"] if i % 3 else ["x", "c", "a"] for i, q in enumerate(QRELS)}


class Elements(HTMLParser):
    """Every element of a page with its attributes, and its texts."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.texts: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data):
        self.texts.append(data)


def compared(**options):
    return rg.compare(QRELS, {"old": OLD, "new": NEW}, ["nDCG@10", "RR"], **options)


def ids_of(page: str) -> list[str]:
    return re.findall(r'<section id="([\w-]+)"', page)


# what is shown


def test_writes_a_file_and_returns_its_path(tmp_path: Path):
    path = tmp_path / "report.html"

    assert rg.report(compared(), path) == str(path)
    assert path.read_text(encoding="utf-8").startswith("<!doctype html>")
    assert [p.name for p in tmp_path.iterdir()] == ["report.html"]


def test_without_a_path_it_returns_the_page():
    assert rg.report(compared()).rstrip().endswith("</html>")


def test_screens_appear_where_their_data_are():
    ranked = rg.evaluate(QRELS, NEW, ["nDCG@10"])
    stored = rg.Evaluation.from_dict(ranked.to_dict())
    slices = {q: {"kind": "odd" if int(q[1:]) % 2 else "even"} for q in QRELS}
    funnel = rg.funnel(QRELS, {"first": OLD, "second": NEW}, k=3)
    predicted = rg.evaluate_predictions({"label": [0, 1] * 40, "score": list(np.linspace(0.1, 0.9, 80))})

    assert ids_of(rg.report(compared())) == ["verdict", "differences", "queries", "by-cutoff", "judgements", "contract"]
    assert "slices" in ids_of(rg.report(compared(slices=slices)))
    assert ids_of(rg.report(ranked)) == ["verdict", "queries", "by-cutoff", "judgements", "contract"]
    assert ids_of(rg.report(stored)) == ["verdict", "queries", "contract"]
    assert ids_of(rg.report(funnel)) == ["verdict", "funnel", "contract"]
    assert ids_of(rg.report(predicted)) == ["verdict", "scores", "contract"]
    assert ids_of(rg.report([compared(), funnel])) == [
        *("verdict", "differences", "queries", "by-cutoff", "funnel", "judgements", "contract")
    ]


def test_what_a_log_says_is_one_page_with_its_charts_in_both_languages():
    found, bias, corrected = (record(n) for n in ("judgements", "position bias", "corrected"))
    page = rg.report([found, bias, corrected])
    seen = Elements(page)

    assert ids_of(page) == ["result", "contract"]
    for r in (found, bias, corrected):
        for s in sections(r):
            if s.title:
                assert {str(s.title), s.title.zh} <= set(seen.texts), s.title
    charts = [a for tag, a in seen.tags if tag == "svg"]
    assert len(charts) == 2  # grades, and attention by position
    assert "How much each position is looked at" in seen.texts
    assert "各位置被浏览的程度：click" in seen.texts
    for value, low, high in zip(bias.propensity, bias.low, bias.high, strict=True):
        assert f"{value:.4f}" in seen.texts
        assert any(f"{value:.4f} ({low:.3f} … {high:.3f})" in t for t in seen.texts)  # of a dot
    assert '<html lang="zh"' in rg.report([found, bias, corrected], language="zh")


def test_several_runs_are_compared_with_the_first():
    page = rg.report(rg.evaluate(QRELS, {"old": OLD, "new": NEW, "same": OLD}, ["nDCG@10"]))

    assert "differences" in ids_of(page)
    assert "new against" not in page.partition("<title")[0]
    assert "new, same against old" in page


def test_title_language_and_command():
    page = rg.report(compared(), title="Release 7", language="zh", command="rankgauge compare qrels.txt old new")

    assert '<html lang="zh" data-language="zh">' in page
    assert ">Release 7</title>" in page
    assert "<pre>rankgauge compare qrels.txt old new</pre>" in page


def test_queries_and_documents_are_shown_by_their_texts():
    page = rg.report(compared(), queries={"q1": "red shoes"}, documents={"a": {"title": "A red shoe", "text": "…"}})

    assert "red shoes" in page
    assert page.count("A red shoe") > 10


def test_items_with_titles_are_shown_by_them_and_documents_say_it_better():
    items = {"a": {"title": "A red shoe"}, "b": {"title": "A blue shoe"}, "c": {"price": 3}}

    page = rg.report(compared(items=items), documents={"b": {"title": "A blue boot"}})

    assert page.count("A red shoe") > 10
    assert "A blue boot" in page
    assert "A blue shoe" not in page


def test_numbers_are_those_of_the_record():
    found = compared()
    x = found["nDCG@10", "new"]

    page = rg.report(found)

    for value in (f"{x.mean:.4f}", f"{x.mean_baseline:.4f}", f"{x.difference:+.4f}"):
        assert value in page
    for value in rg.evaluate(QRELS, NEW, ["nDCG@10"]).per_query["nDCG@10"].to_list()[:5]:
        assert f'data-v="{value!r}"' in page


def test_the_lists_of_one_run_follow_its_policy():
    """Values beside a list are those of the evaluation, also where unjudged results are left out first."""
    run = {"q1": ["x", "y", "a"], "q2": ["a"]}
    ev = rg.evaluate({"q1": {"a": 1}, "q2": {"a": 1}}, run, "RR", unjudged="remove")

    page = rg.report(ev)

    assert ev.per_query["RR"].to_list() == [1.0, 1.0]
    assert page.count("<title>run  1.0000") == 2
    assert "<title>run  0.3333" not in page


def test_nothing_to_show():
    with pytest.raises(ParameterError, match=re.escape("report() needs a record")):
        rg.report([])
    with pytest.raises(ParameterError, match="`language` must be one of en, zh, got 'fr'"):
        rg.report(compared(), language="fr")


def test_a_page_has_one_subject():
    predicted = rg.evaluate_predictions({"label": [0, 1], "score": [0.1, 0.9]}, ["AUC"])

    with pytest.raises(ParameterError, match="about rankings, about labels and scores, or about classes"):
        rg.report([compared(), predicted])
    with pytest.raises(ParameterError, match="not several of them: make a page of each"):
        rg.report([predicted, rg.evaluate_predictions({"label": ["a", "b"], "prediction": ["a", "a"]})])
    with pytest.raises(ParameterError, match="a page holds one comparison"):
        rg.report([compared(), compared()])


def test_the_page_asks_for_nothing():
    """No address of any other place, and a policy that lets nothing else in."""
    page = rg.report(compared())
    addresses = set(re.findall(r"https?://[^\s\"'<>)]+", page))

    assert addresses == set()
    assert "default-src 'none'" in page
    assert 'src="' not in page
    assert "url(" not in page


# hostile texts


@pytest.mark.parametrize("language", ["en", "zh"])
def test_hostile_texts_stay_texts(language: str):
    page = hostile_page(language=language)
    found = Elements(page)
    count = Counter(tag for tag, _ in found.tags)

    assert {tag: count[tag] for tag in ROOTS} == ROOTS
    assert [a for _, attributes in found.tags for a in attributes if a.startswith("on")] == []
    assert {a["href"][0] for _, a in found.tags if a.get("href") and not a["href"].startswith("data:")} == {"#"}
    assert "".join(found.texts).count(SCRIPT) > 10  # shown as it is


def test_characters_that_move_others_do_not_reach_the_page():
    page = hostile_page()

    assert [c for c in "\u202e\u202c\u2066\u200f\u061c\x00\x1b\u2028" if c in page] == []


def test_long_texts_are_cut_in_charts():
    charts = re.findall(r"<svg.*?</svg>", hostile_page(), re.DOTALL)

    assert charts
    longest = max(len(t) for chart in charts for t in re.findall(r">([^<]*)<", chart))
    assert longest <= 401


def test_templates_are_not_run():
    page = hostile_page()

    assert "49" not in re.findall(r"\{\{[^}]*\}\}", page)
    assert "{{ 7 * 7 }}" in page


def test_surrogates_do_not_stop_the_page(tmp_path: Path):
    """JSON files may hold halves of characters, which no file can."""
    rg.report(compared(), tmp_path / "page.html", title="half \ud800", documents={"a": "a text \udfff"})

    assert "a text" in (tmp_path / "page.html").read_text(encoding="utf-8")


# size


def test_a_typical_comparison_is_below_a_megabyte():
    rng = np.random.default_rng(3)
    docs = [f"document-number-{i}" for i in range(2000)]

    def run():
        return {
            f"query-{i}": {docs[j]: float(-k) for k, j in enumerate(rng.choice(2000, 50, False))} for i in range(200)
        }

    qrels = {
        f"query-{i}": {
            docs[j]: int(g) for j, g in zip(rng.choice(2000, 40, False), rng.integers(0, 4, 40), strict=True)
        }
        for i in range(200)
    }
    found = rg.compare(qrels, {"old": run(), "new": run()}, ["nDCG@10", "AP", "RR@10", "R@50"])

    assert len(rg.report(found).encode()) < 1_000_000


@pytest.mark.slow
def test_many_queries_stay_usable():
    """The queries that moved most are kept, the others are counted, and the page says so."""
    n = MOST_ROWS + 500
    qrels = {f"q{i}": {"a": 1, "b": 2} for i in range(n)}
    old = {f"q{i}": ["x", "a", "b"] for i in range(n)}
    new = {f"q{i}": ["b", "x", "a"] if i % 2 else ["x", "b", "a"] for i in range(n)}

    page = rg.report(rg.compare(qrels, {"old": old, "new": new}, ["nDCG@10"]))

    assert page.count("<tr data-query=") + page.count('<tr><td class="text">q') >= MOST_ROWS
    assert f"The {MOST_ROWS:,} queries that moved most are listed. The other 500" in page
    assert 10 < page.count('<details class="query"') <= MOST_LISTS
    assert len(page.encode()) < 1_500_000


def test_right_answers_only_have_no_holes():
    both = {f"q{i}": {"retrieved": ["a", "b", "c", "d", "e"], "relevant": ["a", f"z{i}"]} for i in range(4)}
    page = rg.report(rg.evaluate(both, measures=["R@5"]))

    assert "8 judgements of 4 queries, right answers only: every other result counts as wrong." in page
    for said in ("Holes near the top", "nobody judged", "Share of judged results", "unjudged in the first"):
        assert said not in page


def test_holes_are_looked_for_as_deep_as_lists_go():
    qrels = {"q1": {"a": 1, "b": 0}, "q2": {"a": 1, "b": 0}}
    page = rg.report(rg.evaluate(qrels, {q: ["a", "x", "b"] for q in qrels}, ["RR"]))

    assert "Holes near the top" in page
    assert "unjudged in the first 3<" in page
    assert "unjudged in the first 10" not in page


@pytest.mark.parametrize(("length", "is_said"), [(5, True), (10, False), (30, False)])
def test_curves_that_go_on_where_lists_end_say_so(length: int, is_said: bool):
    qrels = {"q1": {"d0": 1, "d1": 0}, "q2": {"d0": 1, "d1": 0}}
    page = rg.report(rg.evaluate(qrels, {q: [f"d{i}" for i in range(length)] for q in qrels}, ["RR"]))

    assert (f"No list has more than {length} results: beyond that, the curves show" in page) is is_said


def test_items_have_a_screen_where_something_is_known_of_them():
    train = {"u1": ["a", "b"], "u2": ["a", "c"], "u3": ["a"]}
    test = {"u1": ["c", "lost"], "u2": ["b"], "u3": ["lost"]}
    recs = {"u1": ["c", "d"], "u2": ["c", "b"], "u3": ["b"]}

    page = rg.report(rg.evaluate(test, recs, "R@2", train=train))
    plain = rg.report(rg.evaluate(test, recs, "R@2"))

    assert '<section id="items">' in page
    assert "Recall at 2 by popularity of items" in page
    assert "1 of 3 relevant items (33.3%) is in the first 2 of no list: 2 of 4 relevant pairs" in page
    assert '<section id="items">' not in plain
