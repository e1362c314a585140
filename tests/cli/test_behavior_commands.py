"""`rankgauge judgements`, `bias` and `interleave` on the demo's log of searches."""

from __future__ import annotations

import csv
import json
import random
import re
from pathlib import Path

import polars as pl
import pytest

import rankgauge as rg
from command_line import rankgauge
from rankgauge.cli import main
from rankgauge.demo.searches import ATTENTION

LOG = "shop/log.csv"
# rich-click about its own settings, when it is loaded by a worker of xdist
pytestmark = pytest.mark.filterwarnings("ignore:.use_markdown=:PendingDeprecationWarning")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    target = tmp_path_factory.mktemp("behaviour")
    rankgauge("demo", "--save", "shop", cwd=target)
    return target


def refused(*words: str, folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> str:
    """What is said about words that cannot be followed; in this process, of which there are many."""
    monkeypatch.chdir(folder)
    before = sorted(p.name for p in folder.iterdir())
    assert main(words) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert sorted(p.name for p in folder.iterdir()) == before
    return said.err


def table(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(text.splitlines()))


def rule(out: str, words: str) -> int:
    """Rows that a rule of the audit took."""
    found = re.search(rf"^{words}.*?  +([\d,]+)  ", out, re.MULTILINE)
    assert found, words
    return int(found[1].replace(",", ""))


# judgements


def test_judgements_print_what_was_left_out_by_which_rule(folder: Path):
    out = rankgauge("judgements", LOG, cwd=folder).stdout
    found = re.match(r"([\d,]+) judgements of ([\d,]+) queries from log\n", out)

    assert found
    assert int(found[1]) > 500
    assert rule(out, "rows of users with more than 1,000 on one day") > 1000
    assert rule(out, "events on what was not shown") >= 40  # those that the demo plants
    assert re.search(rf"^pairs judged +{found[1]}$", out, re.MULTILINE)
    assert "Beta prior of the log" in out


@pytest.mark.parametrize("name", ["judged.txt", "judged.parquet", "judged.csv"])
def test_judgements_are_read_by_evaluate(folder: Path, tmp_path: Path, name: str):
    done = rankgauge("judgements", LOG, "--aggregate", "max", "-o", tmp_path / name, cwd=folder)
    found = rg.evaluate(tmp_path / name, {n: folder / f"shop/{n}.run" for n in ("bm25", "dense")}, "nDCG@10")

    assert f"wrote {tmp_path / name}" in done.stderr
    assert found["dense"]["nDCG@10"] > found["bm25"]["nDCG@10"] + 0.1  # as by the shop's own judges
    judged = re.match(r"([\d,]+) judgements", done.stdout)
    assert judged
    assert sum(len(v) for v in rg.read_qrels(tmp_path / name).to_dict().values()) == int(judged[1].replace(",", ""))


def test_judgements_carry_their_evidence(folder: Path, tmp_path: Path):
    rankgauge("judgements", LOG, "-o", tmp_path / "evidence.parquet", cwd=folder)
    rankgauge("judgements", LOG, "-o", tmp_path / "grades.txt", cwd=folder)
    frame = pl.read_parquet(tmp_path / "evidence.parquet")
    grades = rg.read_qrels(tmp_path / "grades.txt").to_dict()

    assert {"impressions", "examined", "click", "cart", "purchase", "rate", "posterior", "low", "high"} < {
        *frame.columns
    }
    assert frame["examined"].min() >= 10
    for row in frame.head(50).iter_rows(named=True):
        assert row["low"] <= row["posterior"] <= row["high"]
        assert grades[row["query_id"]][row["item_id"]] == pytest.approx(row["grade"], abs=1e-6)


def test_choices_of_judgements_reach_the_record(folder: Path):
    words = (
        *("--events", "click=1,purchase=4", "--aggregate", "max", "--min-impressions", "20", "--no-prior"),
        *("--dwell", "none", "--examined", "all", "--bots", "600", "--json"),
    )
    told = json.loads(rankgauge("judgements", LOG, *words, cwd=folder).stdout)
    made, rules = told["settings"], {r["rule"]: r["rows"] for r in told["rules"]}

    assert made["events"] == {"click": 1.0, "purchase": 4.0}
    assert (made["aggregate"], made["min_impressions"], made["prior"]) == ("max", 20, None)
    assert set(told["thresholds"]) == {"click", "purchase"}
    assert told["dwell"] is None
    assert not {"accidental", "censored", "unseen"} & set(rules)
    assert rules["bots"] > 1600  # on both days of the bot
    assert told["counts"]["examined"] == told["counts"]["impressions"]


def test_gains_are_shown_instead_of_grades(folder: Path):
    out = rankgauge("judgements", LOG, "--gains", "click=0.1,cart=0.3,purchase=0.6", cwd=folder).stdout

    assert "events click=0.1, cart=0.3, purchase=0.6; aggregate=rate" in out


def test_maturity_leaves_out_what_is_too_young(folder: Path):
    out = rankgauge("judgements", LOG, "--maturity", "3d", cwd=folder).stdout
    hours = rankgauge("judgements", LOG, "--maturity", "72h", cwd=folder).stdout
    rows = [r for r in table((folder / LOG).read_text()) if r["event"] == "impression"]
    end = max(int(r["time"]) for r in table((folder / LOG).read_text()))
    young = sum(int(r["time"]) > end - 3 * 86400 for r in rows if r["user_id"] != "u0000" and r["position"])

    assert hours == out
    taken = rule(out, "impressions younger than 3 days")
    assert young < taken < 1.3 * young + 700  # with their clicks, and the bot's rest


def test_a_log_that_is_younger_than_maturity_is_refused(folder: Path):
    done = rankgauge("judgements", LOG, "--maturity", "30d", cwd=folder, code=2)

    assert "no impression is left of 47,426 rows. Most rows were left out by the rule immature" in done.stderr


def test_correction_shows_raw_and_corrected_and_writes_the_corrected_grades(folder: Path, tmp_path: Path):
    words = ("judgements", LOG, "--correct", "all_pairs")
    out = rankgauge(*words, "-o", tmp_path / "c.csv", cwd=folder).stdout
    rankgauge(*words, "-o", tmp_path / "c.txt", cwd=folder)
    frame = pl.read_csv(tmp_path / "c.csv")
    grades = rg.read_qrels(tmp_path / "c.txt").to_dict()

    assert "How much each position is looked at: click" in out
    assert "raw and corrected" in out
    assert frame["impressions"].min() >= 10
    assert frame["grade"].unique().sort().to_list() == [0, 1, 2, 3]
    assert frame.height == sum(map(len, grades.values()))
    below = frame.filter(pl.col("examinations") < 0.4 * pl.col("impressions"), pl.col("clicks") > 0)
    assert below.height > 20
    assert (below["snips"] > 2 * below["raw"]).all()  # hardly looked at, so worth more than its clicks
    assert rg.evaluate(tmp_path / "c.txt", folder / "shop/dense.run", "nDCG@10")["nDCG@10"] > 0.5


def test_other_choices_are_tried_on_runs(folder: Path):
    out = rankgauge(
        *("judgements", LOG, "--try-on", "shop/bm25.run", "--try-on", "shop/dense.run", "-m", "nDCG@5", "-m", "RR"),
        cwd=folder,
    ).stdout

    assert re.search(r"^the order of the systems is the same under all \d alternatives$", out, re.MULTILINE)
    assert "'purchases only' left out: none of 3,442 pairs could be judged" in out
    for choice in ("main", "clicks only", "no prior", "whole grades"):
        (bm25, dense) = re.findall(rf"^{choice} +nDCG@5 +([\d.]+)  ([\d.]+)", out, re.MULTILINE)[0]
        assert float(dense) > float(bm25), choice
    assert re.search(r"^main +RR ", out, re.MULTILINE)


def test_judgements_in_chinese(folder: Path):
    words = ("--try-on", "shop/bm25.run", "--try-on", "shop/dense.run")
    out = rankgauge("judgements", LOG, "--correct", "em", *words, "--language", "zh", cwd=folder).stdout

    assert re.match(r"由 log 得到 \d+ 个查询的 \d+ 条标注\n", out)
    assert not re.search(r"\b[a-z]{2,}(?: [a-z]{2,}){2,}\b", out)
    assert re.search("^只看点击 +nDCG@10", out, re.MULTILINE)


def test_a_page_of_judgements(folder: Path, tmp_path: Path):
    done = rankgauge("judgements", LOG, "--correct", "all_pairs", "--html", tmp_path / "audit.html", cwd=folder)
    page = (tmp_path / "audit.html").read_text(encoding="utf-8")

    assert f"wrote {tmp_path / 'audit.html'}" in done.stderr
    assert page.count("<svg") == 2
    assert "rankgauge judgements shop/log.csv --correct all_pairs" in page
    for words in ("What cleaning did", "清洗结果", "How much each position is looked at", "raw and corrected"):
        assert words in page


@pytest.mark.parametrize(("form", "mark"), [("markdown", "| grade |"), ("html", "<svg"), ("csv", "query_id,item_id,")])
def test_every_form_of_judgements(folder: Path, form: str, mark: str):
    assert mark in rankgauge("judgements", LOG, "--format", form, cwd=folder).stdout


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ([LOG, "--events", "click"], "--events must look like click=1,cart=2, got 'click'"),
        ([LOG, "--events", "click=x"], "--events must look like click=1,cart=2, got 'click=x'"),
        ([LOG, "--events", "like=1"], "the log must have at least one of the events like, got: click, cart"),
        ([LOG, "--gains", "click=-1"], "'click' must be a positive number"),
        ([LOG, "--columns", "item_id=thing"], "'item_id' must map to one of request_id"),
        ([LOG, "--maturity", "soon"], "--maturity must look like 7d, 12h, 30m or seconds, got 'soon'"),
        ([LOG, "--dwell", "quantil"], "--dwell must be one of quantile, web_search"),
        ([LOG, "--examined", "viewed"], "needs a column `viewed`"),
        ([LOG, "--min-impressions", "5000"], "Pass a smaller --min-impressions"),
        ([LOG, "--try-on", "shop/bm25.run", "--try-on", "no.run"], "run 'no.run' does not exist"),
        ([LOG, "-o", "judged.xls"], "cannot tell the format of 'judged.xls'"),
        ([LOG, "--correct", "em", "-o", "judged.xls"], "--output must end in .txt, .qrels, .trec, .csv"),
        ([LOG, "--correct", "randomised"], "columns missing from the impression table: 'randomised'"),
    ],
)
def test_bad_words_of_judgements_are_one_clear_error(folder: Path, monkeypatch, capsys, words: list[str], message: str):
    assert message in refused("judgements", *words, folder=folder, monkeypatch=monkeypatch, capsys=capsys)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["judgements", "none.csv"], "log 'none.csv' does not exist"),
        (["judgements", LOG, "--events", "click=1,cart"], "--events must look like click=1,cart=2, got 'cart'"),
        (["judgements", LOG, "--columns", "sku=item_id"], "--columns names 'sku', found: 'request_id'"),
        (["judgements", LOG, "--try-on", "shop/bm25.run"], "--try-on needs two runs or more"),
        (["bias", "none.csv"], "log 'none.csv' does not exist"),
        (["interleave", "shop/bm25.run"], "interleave needs two runs, or --assignment and --log, got 1 files"),
    ],
)
def test_errors_end_the_process_with_2_and_one_line(folder: Path, words: list[str], message: str):
    done = rankgauge(*words, cwd=folder, code=2)

    assert message in done.stderr
    assert len(done.stderr.splitlines()) == 1
    assert done.stdout == ""


# bias


def test_most_intervals_hold_the_true_attention(folder: Path):
    rows = table(rankgauge("bias", LOG, "--csv", cwd=folder).stdout)
    held = [float(r["low"]) <= true <= float(r["high"]) for r, true in zip(rows, ATTENTION, strict=True)]

    assert [int(r["position"]) for r in rows] == list(range(1, 11))
    assert sum(held) >= 7
    assert all(float(r["click_rate"]) < 0.8 * true for r, true in zip(rows, ATTENTION, strict=True))


def test_bias_prints_propensities_beside_naive_ones(folder: Path):
    out = rankgauge("bias", LOG, cwd=folder).stdout
    rows = re.findall(r"^(\d+) +([\d.]+)  ([\d.]+) … ([\d.]+) +[\d.]+ +([\d.]+) ", out, re.MULTILINE)

    assert [int(r[0]) for r in rows] == list(range(1, 11))
    assert all(float(naive) < float(found) for _, found, _, _, naive in rows[1:])  # good items stand at the top
    assert "all-pairs intervention harvesting" in out
    assert "raw and corrected" in out
    assert "!" not in out


def test_naive_rates_come_with_a_warning_and_without_correction(folder: Path):
    out = rankgauge("bias", LOG, "--method", "naive", cwd=folder).stdout

    assert "! good items stand at the top, so a click rate by rank says more than position: not a propensity" in out
    assert "corrected" not in out


def test_options_of_bias(folder: Path):
    words = ("--max-position", "4", "--by-query", "--behaviour", "cart", "--confidence", "0.5", "--method", "em")
    told = json.loads(rankgauge("bias", LOG, *words, "--json", cwd=folder).stdout)

    assert [r["position"] for r in told["positions"]] == [1, 2, 3, 4]
    assert (told["cluster"], told["behaviour"], told["confidence_level"]) == ("query", "cart", 0.5)
    assert (told["method"], told["converged"]) == ("em", True)


def test_click_models_are_compared_on_the_same_sessions(folder: Path):
    words = ("bias", LOG, "--models", "--seed", "3")
    out = rankgauge(*words, cwd=folder).stdout

    assert rankgauge(*words, cwd=folder).stdout == out
    assert rankgauge("bias", LOG, "--models", "--seed", "4", cwd=folder).stdout != out
    assert {"ubm", "pbm", "dcm", "sdbn", "cascade"} <= {line.partition(" ")[0] for line in out.splitlines()}
    best = re.search(r"^(\w+) explains \d+ held-out sessions best", out, re.MULTILINE)
    assert best
    assert best[1] in ("ubm", "pbm")  # the log is made by the first, the second has it as a special case


@pytest.mark.parametrize("name", ["relevance.parquet", "relevance.jsonl"])
def test_relevance_is_written_raw_and_corrected(folder: Path, tmp_path: Path, name: str):
    rankgauge("bias", LOG, "--relevance", tmp_path / name, cwd=folder)
    read = {".parquet": pl.read_parquet, ".jsonl": pl.read_ndjson}[Path(name).suffix]
    frame = read(tmp_path / name)

    assert {"query_id", "item_id", "raw", "ips", "snips", "clipped", "coec"} < set(frame.columns)
    assert frame.height > 3000
    # clicks over looks is never less than clicks over impressions
    assert (frame["ips"] >= frame["raw"] - 1e-9).all()


def test_one_ranker_cannot_tell_position_from_relevance(folder: Path, tmp_path: Path):
    rows = pl.read_csv(folder / LOG).filter(pl.col("ranker") == "bm25")
    rows.write_csv(tmp_path / "one.csv")
    done = rankgauge("bias", tmp_path / "one.csv", cwd=folder, code=2)

    assert rows.height > 10_000
    assert "no item was shown at two positions for the same query (one ranker that always gives the same order?)" in (
        done.stderr
    )
    assert "randomised bucket" in done.stderr
    assert done.stdout == ""
    assert "not a propensity" in rankgauge("bias", tmp_path / "one.csv", "--method", "naive", cwd=folder).stdout


def test_a_page_of_bias_in_chinese(folder: Path, tmp_path: Path):
    rankgauge("bias", LOG, "--models", "--html", tmp_path / "b.html", "--language", "zh", cwd=folder)
    page = (tmp_path / "b.html").read_text(encoding="utf-8")

    assert page.count("<svg") == 1
    for words in ("各位置被浏览的程度：click", "每会话对数似然", "对的相关性：原始与校正"):
        assert words in page


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ([LOG, "--method", "magic"], "--method"),
        ([LOG, "--behaviour", "like"], "columns missing from the impression table: 'like'"),
        ([LOG, "--relevance", "r.xls"], "--relevance must end in .csv"),
        ([LOG, "--method", "naive", "--relevance", "r.csv"], "--relevance needs propensities to correct with"),
        ([LOG, "--max-position", "1"], "everything was shown at position 1"),
        ([LOG, "--min-support", "100000"], "100,000 are needed"),
        ([LOG, "--models", "--seed", "-1"], "--seed"),
        ([LOG, "--method", "randomised"], "'randomised'"),
    ],
)
def test_bad_words_of_bias_are_one_clear_error(folder: Path, monkeypatch, capsys, words: list[str], message: str):
    assert message in refused("bias", *words, folder=folder, monkeypatch=monkeypatch, capsys=capsys)


# interleave


@pytest.fixture(scope="module")
def drafted(folder: Path) -> Path:
    """Lists of two runs, and what 400 people did with them: they click B's results twice as often as A's."""
    rankgauge("interleave", "shop/bm25.run", "shop/dense.run", "--length", "6", "-o", "lists.csv", cwd=folder)
    lists = pl.read_csv(folder / "lists.csv").partition_by("query_id", maintain_order=True)
    draw = random.Random(5).random
    rows = ["request_id,user_id,query_id,item_id,position,click,purchase"]
    for n in range(600):
        for query, place, item, team in lists[n % len(lists)].rows():
            click = draw() < {"A": 0.15, "B": 0.3}.get(team, 0.1)
            rows.append(f"r{n},u{n % 400},{query},{item},{place},{int(click)},{int(click and draw() < 0.3)}")
    (folder / "clicks.csv").write_text("\n".join(rows) + "\n", encoding="utf-8")
    return folder


def test_lists_hold_the_results_of_both_teams(drafted: Path):
    frame = pl.read_csv(drafted / "lists.csv")
    runs = {team: rg.read_run(drafted / f"shop/{name}.run").to_dict() for team, name in (("A", "bm25"), ("B", "dense"))}

    assert frame.columns == ["query_id", "position", "item_id", "team"]
    for (query,), rows in frame.group_by("query_id"):
        assert rows["position"].to_list() == list(range(1, rows.height + 1))
        assert rows.height <= 6
        for _, _, item, team in rows.rows():
            assert team == "none" or item in runs[team][query]
    teams = frame["team"].value_counts()
    counts = dict(teams.rows())
    assert abs(counts["A"] - counts["B"]) <= 0.1 * frame.height


@pytest.mark.parametrize("name", ["l.csv", "l.parquet"])
def test_the_same_seed_gives_the_same_bytes(folder: Path, tmp_path: Path, name: str):
    words = ("interleave", "shop/bm25.run", "shop/dense.run", "--length", "4")
    done = rankgauge(*words, "--seed", "7", "-o", tmp_path / name, cwd=folder)
    first = (tmp_path / name).read_bytes()
    rankgauge(*words, "--seed", "7", "-o", tmp_path / name, cwd=folder)
    again = (tmp_path / name).read_bytes()
    rankgauge(*words, "--seed", "8", "-o", tmp_path / name, cwd=folder)

    assert again == first
    assert (tmp_path / name).read_bytes() != first
    assert f"wrote {tmp_path / name}: 200 lists, A is bm25.run, B is dense.run" in done.stderr


def test_the_ranking_that_people_click_wins(drafted: Path):
    words = ("interleave", "--assignment", "lists.csv", "--log", "clicks.csv")
    out = rankgauge(*words, cwd=drafted).stdout
    told = json.loads(rankgauge(*words, "--json", cwd=drafted).stdout)

    assert out.startswith("B wins over A: the preference for B is +")
    assert told["winner"] == "B"
    assert told["low"] > 0
    assert told["users"] + told["users_without"] == 400
    assert told["requests"] == 600
    team = {(q, i): t for q, _, i, t in pl.read_csv(drafted / "lists.csv").rows()}
    clicked = [
        team[r["query_id"], r["item_id"]] for r in table((drafted / "clicks.csv").read_text()) if r["click"] == "1"
    ]
    assert (told["credit_a"], told["credit_b"]) == (clicked.count("A"), clicked.count("B"))


def test_events_weigh_in_interleaving(drafted: Path):
    words = ("interleave", "--assignment", "lists.csv", "--log", "clicks.csv", "--json")
    clicks = json.loads(rankgauge(*words, cwd=drafted).stdout)
    bought = json.loads(rankgauge(*words, "--events", "click=1,purchase=5", "--confidence", "0.5", cwd=drafted).stdout)

    team = {(q, i): t for q, _, i, t in pl.read_csv(drafted / "lists.csv").rows()}
    sold = sum(
        team[r["query_id"], r["item_id"]] == "B" and r["purchase"] == "1"
        for r in table((drafted / "clicks.csv").read_text())
    )
    assert bought["credit_b"] == clicks["credit_b"] + 5 * sold
    assert bought["high"] - bought["low"] < clicks["high"] - clicks["low"]


def test_a_page_and_chinese_of_interleaving(drafted: Path, tmp_path: Path):
    words = ("interleave", "--assignment", "lists.csv", "--log", "clicks.csv", "--language", "zh")
    out = rankgauge(*words, "--html", tmp_path / "i.html", cwd=drafted).stdout

    assert "大于 0 表示偏向 B" in out
    assert "符号检验" in (tmp_path / "i.html").read_text(encoding="utf-8")


DECIDE = ["--assignment", "lists.csv", "--log", "clicks.csv"]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ([], "interleave needs two runs, or --assignment and --log, got 0 files"),
        (["shop/bm25.run", "no.run"], "run 'no.run' does not exist"),
        (["shop/bm25.run", "shop/dense.run", "-o", "l.xls"], "must end in .csv, .tsv, .jsonl, .parquet"),
        (["shop/bm25.run", "shop/dense.run", "--seed", "-1"], "--seed"),
        (["shop/bm25.run", "shop/dense.run", "--json"], "--format and --html show what was decided"),
        (["shop/bm25.run", "shop/dense.run", "--html", "i.html"], "--format and --html show what was decided"),
        (DECIDE[:2], "to decide, interleave needs --assignment and --log, and no runs"),
        (["shop/bm25.run", *DECIDE], "to decide, interleave needs --assignment and --log, and no runs"),
        ([*DECIDE, "-o", "r.json"], "--output is for the lists"),
        ([*DECIDE, "--events", "like=1"], "columns missing: 'like'"),
        ([*DECIDE, "--events", "click"], "--events must look like click=1,cart=2, got 'click'"),
        (["--assignment", "lists.csv", "--log", LOG], "shown items are not in the assignment"),
        (["--assignment", "no.csv", "--log", "clicks.csv"], "'no.csv' does not exist"),
    ],
)
def test_bad_words_of_interleave_are_one_clear_error(
    drafted: Path, monkeypatch, capsys, words: list[str], message: str
):
    assert message in refused("interleave", *words, folder=drafted, monkeypatch=monkeypatch, capsys=capsys)


def test_queries_of_one_run_only(folder: Path, tmp_path: Path):
    lines = (folder / "shop/dense.run").read_text(encoding="utf-8").splitlines(keepends=True)
    (tmp_path / "part.run").write_text("".join(x for x in lines if not x.startswith("q001 ")), encoding="utf-8")
    words = ("interleave", folder / "shop/bm25.run", "part.run", "-o", "l.csv")

    assert "got 1 that are in one only" in rankgauge(*words, cwd=tmp_path, code=2).stderr
    assert "199 lists" in rankgauge(*words, "--intersect", cwd=tmp_path).stderr
    assert "q001" not in (tmp_path / "l.csv").read_text(encoding="utf-8")


def test_how_a_log_was_read_goes_to_standard_error(folder: Path, tmp_path: Path):
    (tmp_path / "log").mkdir()
    frame = pl.read_csv(folder / LOG, infer_schema=False)
    first = pl.int_range(pl.len()) == 0
    frame.with_columns(pl.when(~first).then("item_id").alias("item_id")).write_csv(tmp_path / "log" / "a.csv")
    (tmp_path / "log" / "notes.md").write_text("read me\n")

    said = rankgauge("bias", "log", "--json", cwd=tmp_path).stderr

    assert "left out 1 file of the folder without a table: 'notes.md'" in said
    assert re.search(r"left out 1 of [\d,]+ rows: rows without item, request or query", said)
